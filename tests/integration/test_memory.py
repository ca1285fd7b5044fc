"""`Memory`, as a program uses it; what the tools for agents do with it is in `test_mcp`."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import NotFoundError, ProjectError, RecollectError
from tests.home import Home, repository
from tests.remembering import ANSWER, WORK, remember


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    home.no_worker()
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


@pytest.fixture
def memory(home: Home, shop: Path) -> Iterator[Memory]:
    with Memory(folder=str(shop), home=str(home)) as memory:
        yield memory


def test_entries_are_all_there_is_newest_first(memory: Memory) -> None:
    note = memory.remember("Deploys need the company VPN", category="constraint")

    assert [one.title for one in memory.entries()] == ["Deploys need the company VPN", WORK]
    assert [one.id for one in memory.entries(category="constraint")] == [note.id]
    assert [one.id for one in memory.entries(limit=1)] == [note.id]
    assert list(memory.entries(since=datetime.now(UTC) + timedelta(days=1))) == []


def test_a_day_is_what_the_journal_says(memory: Memory) -> None:
    (day,) = memory.days()

    assert WORK in memory.day(day)
    with pytest.raises(NotFoundError):
        memory.day("../../state")


def test_a_transcript_is_what_was_said(memory: Memory, home: Home) -> None:
    (turn,) = memory.transcript(home.kept()[0].id).turns

    assert (turn.prompt, turn.answer) == (WORK, ANSWER)


def test_another_project_can_be_named(home: Home, shop: Path, tmp_path: Path) -> None:
    with Memory(folder=str(tmp_path), project="shop", home=str(home)) as memory:
        assert [one.title for one in memory.entries()] == [WORK]


def test_a_folder_without_a_memory_is_an_error_until_something_is_remembered(
    home: Home, tmp_path: Path
) -> None:
    folder = repository(tmp_path / "new")
    with Memory(folder=str(folder), home=str(home)) as memory:
        with pytest.raises(ProjectError, match="has no memory yet"):
            memory.search("tea")
        with pytest.raises(ProjectError):
            memory.recent()

        memory.remember("The kettle is in the cellar")

        assert [hit.title for hit in memory.search("kettle")] == ["The kettle is in the cellar"]


def test_nothing_is_erased_unless_it_is_really_meant(memory: Memory, home: Home) -> None:
    (entry,) = home.kept()

    assert memory.forget(entry.id).outcome == "forgotten"
    assert memory.restore(entry.id).is_done
    assert memory.forget(entry.id, really=True).outcome == "erased"
    with pytest.raises(RecollectError):
        memory.restore(entry.id)


def test_the_package_offers_nothing_else() -> None:
    import recollect

    assert recollect.__all__ == ["Memory"]
    with pytest.raises(AttributeError):
        recollect.Mammoth  # noqa: B018
