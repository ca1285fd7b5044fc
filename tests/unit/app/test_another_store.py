"""A home on another store than the usual one: all that is not a note works as ever."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
