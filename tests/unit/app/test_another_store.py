"""A home on another store than the usual one: all works as ever, notes included."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recollect import paths
from recollect.curation.curator import NoteFilter, Saying
from recollect.errors import NotFoundError
from recollect.store.contract.notes import StoredNote
from recollect.store.memory.backend import MemoryBackend
from tests.builders.intake import Desk

PROMPT, ANSWER = "why is the orders page slow?", "It asked the database once a row; one query now."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, backend=MemoryBackend())
    desk.turn(PROMPT, ANSWER)
    yield desk
    desk.app.close()


def test_a_turn_is_found_by_what_was_said(desk: Desk) -> None:
    (shop,) = desk.app.projects.all()

    (found,) = desk.app.search.search("orders page query", among=[shop], limit=5, min_score=0.1)

    assert found.entry.session == "s-1"
    assert "one query now" in " ".join(one.passage.text for one in found.passages)


def test_its_day_and_its_session_are_listed(desk: Desk) -> None:
    (shop,) = desk.app.projects.all()
    (entry,) = desk.app.browse.entries().items
    (session,) = desk.app.browse.sessions().items

    assert desk.app.journal.days(shop.name) == [entry.day]
    assert entry.title in desk.app.journal.text(shop.name, entry.day)
    assert (session.id, session.turns) == ("s-1", 1)


def test_the_turn_itself_is_archived(desk: Desk) -> None:
    _, (turn,) = desk.app.sessions.turns("s-1")

    assert (turn.prompt, turn.answer) == (PROMPT, ANSWER)


def test_nothing_of_it_is_written_down(desk: Desk) -> None:
    assert not list(desk.home.glob("projects/**/*"))
    assert not list(desk.home.glob("*.db"))


class TestNotes:
    NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
    RULE = "Never deploy on Fridays"

    @pytest.fixture
    def rule(self, desk: Desk) -> StoredNote:
        """A note that a person wants remembered."""
        said = Saying(text=self.RULE, category="constraint")
        done = desk.app.notes.remember(said, project=self.shop(desk), now=self.NOW)
        assert done.outcome == "created"
        return desk.app.notes.find(done.name, [self.shop(desk)])

    def shop(self, desk: Desk) -> str:
        (shop,) = desk.app.projects.all()
        return shop.name

    def names(self, desk: Desk, *statuses: str) -> list[str]:
        wanted = NoteFilter(statuses=statuses or ("active",))
        return [held.name for held in desk.app.notes.listed([self.shop(desk)], wanted)]

    def found(self, desk: Desk) -> list[str]:
        (shop,) = desk.app.projects.all()
        found = desk.app.search.search("deploy on Fridays", among=[shop], limit=5, min_score=0.1)
        return [one.entry.id for one in found]

    def test_a_note_is_listed_and_found(self, desk: Desk, rule: StoredNote) -> None:
        assert self.names(desk) == [rule.name]
        assert rule.name in self.found(desk)
        assert rule.location == f"{self.shop(desk)}/{rule.name}"
        assert self.RULE in rule.text

    def test_it_is_retired_and_restored(self, desk: Desk, rule: StoredNote) -> None:
        retired = desk.app.notes.step(rule, "retire", now=self.NOW)
        assert (retired.outcome, self.names(desk)) == ("retired", [])
        assert rule.name not in self.found(desk)

        held = desk.app.notes.look_back(rule.name, [self.shop(desk)])
        assert desk.app.notes.restore(held, now=self.NOW).outcome == "restored"

        assert self.names(desk) == [rule.name]
        assert rule.name in self.found(desk)

    def test_its_versions_can_be_had_back(self, desk: Desk, rule: StoredNote) -> None:
        text = rule.text.replace("Fridays", "Mondays")
        assert desk.app.notes.rewrite(rule, text, now=self.NOW).outcome == "updated"

        desk.app.notes.revert_to(rule.name, [self.shop(desk)], number=1, now=self.NOW)

        held = desk.app.notes.find(rule.name, [self.shop(desk)])
        assert held.note.content == rule.note.content
        assert len(desk.app.notes.history(held)) == 3

    def test_it_is_forgotten_and_erased(self, desk: Desk, rule: StoredNote) -> None:
        gone = desk.app.notes.forget(rule, really=False, now=self.NOW)
        assert (gone.erased, gone.beyond) == (False, ())
        assert [held.name for held in desk.app.notes.forgotten(self.shop(desk))] == [rule.name]
        held = desk.app.notes.look_back(rule.name, [self.shop(desk)])

        erased = desk.app.notes.forget(held, really=True, now=self.NOW)

        assert erased.places == (rule.location, "the index", "its history")
        assert self.names(desk, "active", "retired", "archived") == []
        assert rule.name not in self.found(desk)
        with pytest.raises(NotFoundError):
            desk.app.notes.look_back(rule.name, [self.shop(desk)])

    def test_what_an_agent_proposes_waits_for_a_word(self, desk: Desk) -> None:
        said = Saying(text="Always squash before merging", category="preference", by="agent")
        done = desk.app.notes.remember(said, project=paths.EVERYWHERE, now=self.NOW)
        review = desk.app.review(paths.EVERYWHERE)

        (item,) = review.items((paths.EVERYWHERE,))
        assert (item.kind, item.held.name) == ("proposed", done.name)
        assert review.accept(item, now=self.NOW + timedelta(hours=1)).outcome == "updated"

        assert review.items((paths.EVERYWHERE,)) == []
