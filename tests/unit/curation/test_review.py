"""What waits for a person, and what their word does."""

from pathlib import Path

import pytest

from recollect import fingerprint
from recollect.curation.review import Item, Review
from recollect.errors import NotFoundError
from recollect.synthesis.draft import NoteDraft
from tests.unit.curation.conftest import NOON, Desk


@pytest.fixture
def review(desk: Desk) -> Review:
    return desk.app.review(desk.project)


def items(desk: Desk) -> list[Item]:
    return desk.app.review(desk.project).items((desk.project,))


def propose(desk: Desk, title: str, **more: object) -> None:
    content = {
        "kind": "policy",
        "rule": title,
        "impact": [title],
        "severity": "low",
        "active": True,
    }
    draft = NoteDraft(category="constraint", title=title, content=content)
    source = {"by": "extractive", "session": "s-1"}
    desk.curator.keep(draft, project=desk.project, now=NOON, source=source, **more)


def test_nothing_waits_where_nothing_is_in_doubt(desk: Desk) -> None:
    desk.remember("Deploys need the VPN", "constraint")

    assert items(desk) == []


class TestAProposal:
    def test_is_not_shown_until_it_is_accepted(self, desk: Desk, review: Review) -> None:
        propose(desk, "Deploys need the VPN", review="proposed")
        assert desk.found("deploys VPN") == []

        (item,) = items(desk)
        review.accept(item, now=NOON)

        assert item.kind == "proposed"
        assert desk.found("deploys VPN") == ["constraint/deploys-need-the-vpn"]
        assert items(desk) == []

    def test_is_retired_when_it_is_rejected(self, desk: Desk, review: Review) -> None:
        propose(desk, "Deploys need the VPN", review="proposed")
        (item,) = items(desk)

        review.reject(item, now=NOON)

        assert desk.names("retired") == ["constraint/deploys-need-the-vpn"]
        assert items(desk) == []


class TestAContradiction:
    @pytest.fixture
    def item(self, desk: Desk) -> Item:
        desk.remember("Orders live in the Postgres database", "decision")
        desk.remember("Orders live in the SQLite database", "decision")
        (item,) = items(desk)
        return item

    def test_shows_both(self, item: Item) -> None:
        assert item.kind == "contradiction"
        assert item.other
        assert "postgres" in item.other.name

    def test_accepted_both_hold(self, desk: Desk, review: Review, item: Item) -> None:
        review.accept(item, now=NOON)

        assert len(desk.names()) == 2
        assert items(desk) == []

    def test_the_new_one_can_replace_the_old_one(
        self, desk: Desk, review: Review, item: Item
    ) -> None:
        review.replace(item, now=NOON)

        assert desk.names() == ["decision/orders-live-in-the-sqlite-database"]
        assert desk.names("archived") == ["decision/orders-live-in-the-postgres-database"]
        assert items(desk) == []

    def test_is_settled_when_the_other_one_goes(self, desk: Desk, item: Item) -> None:
        assert item.other
        desk.curator.step(item.other, "retire", now=NOON)

        assert items(desk) == []


class TestANoteThatMayBeOutOfDate:
    @pytest.fixture
    def file(self, desk: Desk) -> Path:
        file = desk.folder / "deploy.sh"
        file.write_text("\n".join(f"step {number}" for number in range(50)))
        seen = {"deploy.sh": fingerprint.of(file)}
        propose(desk, "Deploys need the VPN", evidence={"files": seen})
        file.write_text("\n".join(f"other {number}" for number in range(50)))
        return file

    def test_waits_with_what_has_become_of_its_files(self, desk: Desk, file: Path) -> None:
        (item,) = items(desk)

        assert item.kind == "stale"
        assert "`deploy.sh` has changed since" in item.about

    def test_accepted_it_holds_from_then_on(self, desk: Desk, review: Review, file: Path) -> None:
        (item,) = items(desk)

        review.accept(item, now=NOON)

        assert items(desk) == []
        file.unlink()
        assert "is gone" in items(desk)[0].about

    def test_it_is_marked_wherever_it_is_shown(self, desk: Desk, file: Path) -> None:
        items(desk)

        start = Path(desk.home, "run", "start", desk.project).read_text()

        assert "may be out of date" in start


def test_what_contradicts_nothing_can_replace_nothing(desk: Desk, review: Review) -> None:
    propose(desk, "Deploys need the VPN", review="proposed")
    (item,) = items(desk)

    with pytest.raises(NotFoundError, match="contradicts nothing"):
        review.replace(item, now=NOON)
