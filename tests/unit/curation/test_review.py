"""What waits for a person, and what their word does."""

from pathlib import Path
from typing import Any

import pytest

from recollect import fingerprint, paths
from recollect.curation.curator import NoteFilter
from recollect.curation.review import Item, Review
from recollect.errors import NotFoundError
from recollect.notes.draft import NoteDraft
from recollect.store.contract.notes import ChangeResult
from tests.unit.curation.conftest import NOON, Desk


@pytest.fixture
def review(desk: Desk) -> Review:
    return desk.app.review(desk.project)


def items(desk: Desk) -> list[Item]:
    return desk.app.review(desk.project).items((desk.project,))


def propose(desk: Desk, title: str, **more: Any) -> None:
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


class TestANoteWhoseSuccessorHoldsNoLonger:
    @pytest.fixture
    def gone(self, desk: Desk) -> ChangeResult:
        desk.remember("We use npm for packages because it ships with node")
        desk.remember("From now on use pnpm instead of npm because it is faster")
        (old,) = desk.curator.listed([desk.project], NoteFilter(statuses=["archived"]))
        new = desk.curator.find("preference/use-pnpm", [desk.project])
        assert old.name.startswith("decision/we-use-npm")
        return desk.curator.step(new, "retire", now=NOON)

    def test_is_named_when_that_one_is_retired_and_waits(
        self, desk: Desk, gone: ChangeResult
    ) -> None:
        (said,) = gone.also
        assert said.outcome == "waiting"
        assert "which is retired now" in said.reason
        assert desk.names() == [], "nothing happens silently"

        (item,) = items(desk)
        assert item.kind == "released"
        assert "was superseded by use-pnpm" in item.about

    def test_holds_again_when_it_is_accepted(
        self, desk: Desk, review: Review, gone: ChangeResult
    ) -> None:
        (item,) = items(desk)

        review.accept(item, now=NOON)

        assert desk.names() == [item.held.name]
        back = desk.curator.find(item.held.name, [desk.project]).note
        assert back.superseded_by is None
        assert items(desk) == []

    def test_stays_archived_when_it_is_rejected(
        self, desk: Desk, review: Review, gone: ChangeResult
    ) -> None:
        (item,) = items(desk)

        review.reject(item, now=NOON)

        assert desk.names("archived") == [item.held.name]
        assert items(desk) == []
        assert desk.curator.troubles(desk.project) == []

    def test_waits_no_longer_when_its_successor_holds_again(
        self, desk: Desk, gone: ChangeResult
    ) -> None:
        desk.restore("preference/use-pnpm")

        assert items(desk) == []


class TestAProjectThatDiffersFromWhatHoldsEverywhere:
    @pytest.fixture
    def item(self, desk: Desk) -> Item:
        desk.remember("Orders live in the Postgres database", "decision", everywhere=True)
        desk.remember("Orders live in the SQLite database", "decision")
        (item,) = items(desk)
        return item

    def everything(self, desk: Desk) -> list[Item]:
        return desk.app.review(desk.project).items((desk.project, paths.EVERYWHERE))

    def test_is_put_before_the_user_with_both(self, item: Item) -> None:
        assert item.kind == "contradiction"
        assert item.other
        assert item.other.project == paths.EVERYWHERE

    def test_accepted_both_hold_and_the_projects_own_goes_first(
        self, desk: Desk, review: Review, item: Item
    ) -> None:
        review.accept(item, now=NOON)

        assert len(desk.names()) == 2
        assert self.everything(desk) == []
        start = Path(paths.start_block(str(desk.home), desk.project)).read_text()
        assert start.index("SQLite database") < start.index("Postgres database")

    def test_rejected_only_what_holds_everywhere_is_left(
        self, desk: Desk, review: Review, item: Item
    ) -> None:
        review.reject(item, now=NOON)

        assert desk.names() == ["decision/orders-live-in-the-postgres-database"]
        assert self.everything(desk) == []

    def test_cannot_replace_for_other_projects_what_holds_there(
        self, desk: Desk, review: Review, item: Item
    ) -> None:
        assert not item.can_replace
        with pytest.raises(NotFoundError, match="holds in other projects") as refused:
            review.replace(item, now=NOON)

        assert "recollect retire --global decision/" in refused.value.hint
        assert len(desk.names()) == 2

    def test_by_a_clear_word_is_not_even_in_doubt(self, desk: Desk) -> None:
        desk.remember("We use npm for packages because it ships with node", everywhere=True)

        done = desk.remember("From now on use pnpm instead of npm because it is faster")

        assert "goes before global/decision/we-use-npm" in done.reason
        assert len(desk.names()) == 2
        assert self.everything(desk) == []

    def test_is_settled_when_the_global_one_is_erased_and_its_name_is_gone(
        self, desk: Desk, item: Item
    ) -> None:
        assert item.other
        desk.curator.forget(item.other, really=True, now=NOON)

        assert self.everything(desk) == []
        assert b"orders-live-in-the-postgres" not in desk.everything()


def test_a_proposal_that_is_edited_is_accepted(desk: Desk) -> None:
    propose(desk, "Deploys need the VPN", review="proposed")
    (item,) = items(desk)

    done = desk.curator.rewrite(item.held, item.held.text.replace("need", "want"), now=NOON)

    assert done.reason == "accepted, since you edited it"
    assert items(desk) == []
    assert desk.found("deploys want VPN") == [item.held.name]


def test_and_what_it_may_contradict_stays_to_be_decided(desk: Desk) -> None:
    desk.remember("Deploys to production need the office VPN", "constraint")
    propose(desk, "Deploys to production need the bastion VPN", review="proposed")
    (item,) = items(desk)
    assert item.kind == "proposed"

    desk.curator.rewrite(item.held, item.held.text.replace("bastion", "jump"), now=NOON)

    (item,) = items(desk)
    assert item.kind == "contradiction"
