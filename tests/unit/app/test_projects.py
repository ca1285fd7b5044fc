"""Projects as the application knows them."""

from datetime import UTC, datetime
from pathlib import Path

from recollect.app.recollect import opened
from recollect.curation.curator import Saying
from recollect.worker import health

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


def test_what_an_earlier_version_left_behind_is_named_and_taken_along(tmp_path: Path) -> None:
    """Joining took the journal alone: notes stayed under the name of a project that was no more."""
    with opened(str(tmp_path / "home")) as app:
        for name in ("shop", "bank"):
            (tmp_path / name).mkdir()
        shop, bank = (app.projects.meet(tmp_path / name) for name in ("shop", "bank"))
        app.notes.remember(Saying(text=RULE, category="constraint"), project=shop.name, now=NOW)
        notes = next((tmp_path / "home/projects").glob("shop-*/constraints"))
        place = notes.rename(tmp_path / "aside")
        app.projects.join(shop, into=bank)
        notes.parent.mkdir(exist_ok=True)
        place.rename(notes)

        (check,) = [one for one in health.examine(app) if one.name == "projects"]
        ((former, into),) = app.projects.left_behind()
        app.projects.join(app.projects.joinable(former.name), into=into)

        assert (former.name, into.name) == (shop.name, bank.name)
        assert check.hint.endswith(f"recollect projects join {shop.name} {bank.name}")
        assert [one.project for one in app.browse.notes().items] == [bank.name]
        assert app.projects.left_behind() == []
