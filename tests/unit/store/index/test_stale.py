"""A memory says what has become of the files it tells of; nothing is dropped for it."""

from pathlib import Path

import pytest

from recollect import fingerprint
from recollect.context import render
from recollect.store.sqlite.index import lookup, stale
from recollect.store.sqlite.index.stale import Staleness
from tests.builders.index import Shelf, a_memory

SHOP = "shop-1f"
CODE = "\n".join(f"def step_{number}(): return {number * 7919}" for number in range(60))


class Repository:
    """A folder of code, and one memory of each file in it."""

    def __init__(self, shelf: Shelf, root: Path) -> None:
        self.shelf = shelf
        self.root = root
        self.staleness = Staleness(shelf.index.connection, render.stale)

    def write(self, name: str, text: str = CODE) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def remember(self, *names: str) -> None:
        seen = {name: fingerprint.of(self.root / name) for name in names}
        self.shelf.fill(SHOP, a_memory("Harbour crane parked", seen_files=seen))

    def said(self) -> str:
        """What stands below the memory's card, after another look."""
        self.staleness.check(SHOP, self.root)
        (entry,) = self.shelf.index.recent(SHOP, limit=9)
        return entry.stale.strip()


@pytest.fixture
def repository(shelf: Shelf, tmp_path: Path) -> Repository:
    root = tmp_path / "code"
    root.mkdir()
    return Repository(shelf, root)


def test_a_file_that_is_as_it_was_is_not_mentioned(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")

    assert repository.said() == ""


def test_a_small_change_is_not_mentioned(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")

    repository.write("src/crane.py", CODE.replace("step_7(", "step_seven("))

    assert repository.said() == ""


def test_a_file_that_changed_much_is_named_with_how_much(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")

    repository.write("src/crane.py", CODE.replace("def ", "async def "))

    assert "`src/crane.py` has changed since, about" in repository.said()


def test_a_file_that_is_gone_is_named(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")

    (repository.root / "src/crane.py").unlink()

    assert repository.said() == "(may be out of date: `src/crane.py` is gone)"


def test_a_file_that_was_renamed_is_followed(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")

    (repository.root / "src/crane.py").unlink()
    repository.write("src/port/harbour.py", CODE + "\n# moved")
    repository.write("src/other.py", "print('something else')")

    assert repository.said() == (
        "(may be out of date: `src/crane.py` is now `src/port/harbour.py`)"
    )


def test_what_comes_back_is_no_longer_out_of_date(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    (repository.root / "src/crane.py").unlink()
    assert repository.said()

    repository.write("src/crane.py")

    assert repository.said() == ""


def test_a_look_at_what_has_not_changed_writes_nothing(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    repository.said()
    connection = repository.shelf.index.connection
    before = connection.total_changes

    repository.said()

    assert connection.total_changes == before


def test_the_hook_shows_it_without_a_worker(repository: Repository) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    (repository.root / "src/crane.py").unlink()
    repository.said()

    (hit,) = recalled(repository)

    assert "`src/crane.py` is gone" in hit.stale


def recalled(repository: Repository) -> list[lookup.FallbackHit]:
    """What a hook shows of the memory while no worker runs."""
    return lookup.recall(
        repository.shelf.index.connection,
        SHOP,
        "harbour crane parked",
        limit=3,
        bar=0.5,
        root=str(repository.root),
    )


def test_the_hook_sees_by_itself_that_a_file_was_written_to_or_is_gone(
    repository: Repository,
) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    repository.said()
    (before,) = recalled(repository)

    repository.write("src/crane.py", "something else")
    (written,) = recalled(repository)
    (repository.root / "src/crane.py").unlink()
    (gone,) = recalled(repository)

    assert before.stale == ""
    assert written.stale == "  (may be out of date: `src/crane.py` was written to since)\n"
    assert gone.stale == "  (may be out of date: `src/crane.py` is gone)\n"
    assert before.mark != written.mark == gone.mark, "out of date is out of date"


def test_what_is_to_be_said_at_this_moment_is_found_without_writing(
    repository: Repository,
) -> None:
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    repository.said()
    repository.write("src/crane.py", CODE.replace("def ", "async def "))
    (entry,) = repository.shelf.index.recent(SHOP, limit=9)
    before = repository.shelf.index.connection.total_changes

    said = repository.staleness.of(entry.seen_files, repository.root)

    assert "`src/crane.py` has changed since, about" in said
    assert repository.shelf.index.connection.total_changes == before


@pytest.mark.parametrize("name", ["../outside.py", "a\tb.py", "</recollect-memory>.py"])
def test_a_name_from_a_journal_can_neither_break_the_card_nor_look_outside(
    repository: Repository, name: str
) -> None:
    repository.shelf.fill(SHOP, a_memory("Harbour crane", seen_files={name: "12ab"}))

    assert "</recollect-memory>" not in repository.said()
    assert all("</recollect-memory>" not in hit.stale for hit in recalled(repository))


def test_a_large_repository_is_searched_only_so_far(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stale, "MOST_FILES", 3)
    repository.write("src/crane.py")
    repository.remember("src/crane.py")
    (repository.root / "src/crane.py").unlink()
    for number in range(9):
        repository.write(f"src/a{number}.py", f"print({number})")

    assert "is gone" in repository.said()
