"""What is forgotten leaves the journal at once, can be put back, and once erased stays away."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import files
from recollect.errors import LibraryError, NotFoundError
from recollect.journal.model import LibraryItem
from recollect.store.files.library import open_library
from recollect.store.library import Library
from tests.builders.journal import BERLIN, an_entry, an_observation


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(tmp_path / "project", zone=BERLIN)


def the_day(library: Library) -> Path:
    (day,) = library.days()
    return Path(library.location) / "journal" / f"{day}.md"


def forget(library: Library, memory: LibraryItem, *, at: float) -> None:
    library.forget(memory.id, str(the_day(library)), at=at)


def memory(library: Library, title: str) -> LibraryItem:
    return next(one for one in library.items_on(the_day(library).stem) if one.title == title)


def fill(library: Library) -> str:
    for clock, headline in (("13:00", "Park the crane"), ("14:00", "Sell tea"), ("15:00", "Close")):
        entry = an_entry(headline, clock=clock, turn=clock, observations=(an_observation(clock),))
        library.record(entry, known=False)
    with the_day(library).open("a") as file:
        file.write("\n## My own words\n\nThe vault code is under the mat.\n")
    return files.read_text(the_day(library))


@pytest.mark.parametrize("title", ["Park the crane", "Sell tea", "Close", "My own words"])
def test_what_was_forgotten_can_be_put_back_where_it_stood(library: Library, title: str) -> None:
    before = fill(library)

    forget(library, memory(library, title), at=1.0)
    assert title not in files.read_text(the_day(library))
    (taken,) = library.trash.all()
    library.restore(taken.id)

    assert files.read_text(the_day(library)).split() == before.split()
    assert library.trash.all() == []


def test_the_rest_of_the_day_is_not_touched(library: Library) -> None:
    before = fill(library)
    gone = memory(library, "Sell tea")

    forget(library, gone, at=1.0)

    left = files.read_text(the_day(library))
    assert all(
        line in left for line in before.splitlines() if "tea" not in line and "14:00" not in line
    )
    assert len(library.items_on(the_day(library).stem)) == 3


def test_a_turn_that_was_erased_is_never_recorded_again(library: Library) -> None:
    fill(library)
    gone = memory(library, "Sell tea")
    forget(library, gone, at=1.0)

    library.erase(gone.id)

    # Nobody remembers that the turn was recorded: an import after the state was lost.
    again = an_entry("Sell tea", clock="14:00", turn="14:00")
    assert library.record(again, known=False) == "deleted-by-user"
    assert "tea" not in the_whole(library)
    with pytest.raises(LibraryError, match="was not forgotten"):
        library.restore(gone.id)


def the_whole(library: Library) -> str:
    """All that the library has on disk."""
    return "".join(
        files.read_text(path) for path in Path(library.location).rglob("*") if path.is_file()
    )


def test_what_is_not_there_is_said(library: Library) -> None:
    fill(library)
    gone = memory(library, "Sell tea")
    forget(library, gone, at=1.0)

    with pytest.raises(NotFoundError, match="no longer in"):
        forget(library, gone, at=2.0)


def test_a_copy_that_somebody_damaged_is_left_out(library: Library) -> None:
    fill(library)
    forget(library, memory(library, "Sell tea"), at=1.0)
    (copy,) = (Path(library.location) / ".forgotten").glob("*.json")

    copy.write_text(json.dumps({"id": 1, "what": "?"}))

    assert library.trash.all() == []


def test_the_latest_comes_first(library: Library) -> None:
    fill(library)
    for at, title in enumerate(("Park the crane", "Close")):
        forget(library, memory(library, title), at=float(at))

    assert [one.title for one in library.trash.all()] == ["Close", "Park the crane"]


def test_a_day_that_was_deleted_meanwhile_is_made_again(library: Library) -> None:
    library.record(an_entry("Sell tea", at=datetime(2026, 11, 15, 12, tzinfo=UTC)), known=False)
    gone = memory(library, "Sell tea")
    forget(library, gone, at=1.0)
    the_day(library).unlink()

    library.restore(gone.id)

    assert memory(library, "Sell tea").body == gone.body
