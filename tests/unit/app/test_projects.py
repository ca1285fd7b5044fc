"""Projects as the application knows them."""

from datetime import UTC, datetime
from pathlib import Path

from recollect.app.recollect import opened
from recollect.curation.curator import Saying

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
RULE = "Deploys need the company VPN"


def test_notes_go_along_when_a_project_is_joined(tmp_path: Path) -> None:
    """They were left in the folder of a project that nobody knew any more."""
    with opened(str(tmp_path / "home")) as app:
        for name in ("shop", "bank"):
            (tmp_path / name).mkdir()
        shop, bank = (app.projects.meet(tmp_path / name) for name in ("shop", "bank"))
        said = Saying(text=RULE, category="constraint")
        app.notes.remember(said, project=shop.name, now=NOW)

        app.projects.join(shop, into=bank)

        assert [(one.title, one.project) for one in app.browse.notes().items] == [(RULE, bank.name)]
        assert [one.title for one in app.search.notes(bank.name)] == [RULE]
