import errno
import multiprocessing
import os
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from recollect import files
from recollect.errors import BusyError, LibraryError
from recollect.journal import day
from recollect.store.files import library as library_module
from recollect.store.files.library import open_library
from recollect.store.library import Library, day_of
from tests.builders.journal import (
    BERLIN,
    OTHER_SESSION,
    a_moment,
    a_summary,
    an_entry,
    an_observation,
)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return open_library(tmp_path / "project", zone=BERLIN)


def journal(library: Library) -> Path:
    return Path(library.location) / "journal"


def day_files(library: Library) -> list[Path]:
    return [journal(library) / f"{day}.md" for day in library.days()]


def texts(library: Library) -> dict[str, str]:
    return {path.name: files.read_text(path) for path in day_files(library)}


def edit(library: Library, old: str, new: str, *, name: str = "2026-11-15.md") -> None:
    path = journal(library) / name
    text = files.read_text(path)
    assert old in text
    files.write(path, text.replace(old, new))


def test_an_entry_is_filed_under_the_local_day_its_turn_began(library: Library) -> None:
    entry = an_entry(at=datetime(2026, 11, 14, 23, 30, tzinfo=UTC))

    assert library.record(entry, known=False) == "added"

    (path,) = day_files(library)
    assert path.name == "2026-11-15.md"
    assert [memory.id for memory in library.items_on(path.stem)] == [entry.id]


def test_an_entry_is_recorded_once(library: Library) -> None:
    library.record(an_entry(), known=False)
    before = texts(library)

    assert library.record(an_entry(), known=False) == "unchanged"
    assert library.record(an_entry(), known=True) == "unchanged"
    assert texts(library) == before


def test_nothing_is_written_when_nothing_changed(library: Library) -> None:
    library.record(an_entry(), known=False)
    (path,) = day_files(library)
    before = files.stamp(path)

    library.record(an_entry(), known=True)

    assert files.stamp(path) == before


def test_a_better_text_replaces_ours(library: Library) -> None:
    library.record(an_entry(), known=False)

    assert library.record(an_entry("Better", by="claude/1"), known=True) == "replaced"

    (memory,) = library.items_on(library.days()[0])
    assert (memory.title, memory.by, memory.edited) == ("Better", "claude/1", False)


def test_what_a_model_wrote_is_not_replaced_by_the_extractive_engine(library: Library) -> None:
    library.record(an_entry("By a model", by="claude/1"), known=False)

    outcome = library.record(an_entry("By rule", by="extractive/2"), known=True)

    assert outcome == "kept-model-version"


def test_an_entry_that_may_not_be_replaced_stays(library: Library) -> None:
    library.record(an_entry(), known=False)

    assert library.record(an_entry("Better"), known=True, replaceable=False) == "unchanged"


def test_an_entry_that_the_user_changed_is_theirs(library: Library) -> None:
    library.record(an_entry(observations=(an_observation(),)), known=False)
    edit(library, "N+1 query", "N+1 QUERY")
    before = texts(library)

    assert library.record(an_entry("Better"), known=True) == "kept-yours"
    assert texts(library) == before


def test_an_entry_that_the_user_deleted_does_not_come_back(library: Library) -> None:
    library.record(an_entry(), known=False)
    day_files(library)[0].unlink()

    assert library.record(an_entry(), known=True) == "deleted-by-user"
    assert day_files(library) == []


def test_an_entry_that_the_user_moved_to_another_day_is_found_there(library: Library) -> None:
    library.record(an_entry(), known=False)
    day_files(library)[0].rename(journal(library) / "2026-11-20 busy.md")

    assert library.record(an_entry("Better"), known=True) == "replaced"
    assert list(texts(library)) == ["2026-11-20 busy.md"]


def test_a_fork_that_copies_a_turn_with_another_date_adds_nothing(library: Library) -> None:
    library.record(an_entry(turn="t1"), known=False)
    copied = an_entry("Copy", turn="t1", session=OTHER_SESSION, at=a_moment(day=20))

    assert library.record(copied, known=False) == "unchanged"
    assert list(texts(library)) == ["2026-11-15.md"]


def test_the_same_key_of_another_host_is_another_turn(library: Library) -> None:
    library.record(an_entry(turn="1"), known=False)

    assert library.record(an_entry(turn="1", host="codex", id="20261115T1-0f"), known=False) == (
        "added"
    )


def test_a_turn_that_begins_again_keeps_its_id_and_time(library: Library) -> None:
    library.record(an_entry(turn="t1"), known=False)
    first = library.items_on(library.days()[0])[0]

    library.record(an_entry("Better", turn="t1", clock="13:33"), known=True)

    (renewed,) = library.items_on(library.days()[0])
    assert (renewed.id, renewed.at, renewed.title) == (first.id, first.at, "Better")


def test_a_summary_is_kept_and_refreshed_under_its_session(library: Library) -> None:
    library.record(an_entry(), known=False)
    started = a_moment("13:30")

    assert library.summarise(a_summary("one"), started=started, known=False) == "added"
    assert library.summarise(a_summary("one"), started=started, known=True) == "unchanged"
    assert library.summarise(a_summary("two"), started=a_moment("13:31"), known=True) == "replaced"

    titles = [memory.title for memory in library.items_on(library.days()[0])]
    assert titles == ["Summary", "Fix the query"]


def test_a_summary_follows_the_rules_of_entries(library: Library) -> None:
    started = a_moment("13:30")
    library.summarise(a_summary("one"), started=started, known=False)
    edit(library, "request: one", "request: mine")

    assert library.summarise(a_summary("two"), started=started, known=True) == "kept-yours"

    day_files(library)[0].unlink()

    assert library.summarise(a_summary("two"), started=started, known=True) == "deleted-by-user"


def test_a_change_by_an_editor_is_seen_although_the_scan_was_cached(library: Library) -> None:
    library.record(an_entry(), known=False)
    library.record(an_entry("b", clock="13:40"), known=False)
    edit(library, '"turn":"turn-13:40"', '"turn":"turn-13:41"')

    assert library.record(an_entry("b", clock="13:40"), known=True) == "deleted-by-user"


def test_bytes_that_are_no_text_survive_a_new_entry(library: Library) -> None:
    journal(library).mkdir(parents=True)
    path = journal(library) / "2026-11-15.md"
    path.write_bytes(b"# 2026-11-15\r\n\r\ncaf\xe9 \xff\r\n")

    library.record(an_entry(), known=False)

    assert path.read_bytes().startswith(b"# 2026-11-15\r\n\r\ncaf\xe9 \xff\r\n")


def test_an_editor_that_saves_while_we_write_loses_nothing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.record(an_entry(), known=False)
    (path,) = day_files(library)
    place = day.place
    saved: list[int] = []

    def place_while_the_editor_saves(text: str, markdown: str, *, began: datetime) -> str:
        if not saved:
            saved.append(path.write_text(text + "\n### Saved just now\n"))
        return place(text, markdown, began=began)

    monkeypatch.setattr(day, "place", place_while_the_editor_saves)

    library.record(an_entry("later", clock="13:50"), known=False)

    titles = [memory.title for memory in library.items_on(path.stem)]
    assert titles == ["Fix the query", "Saved just now", "later"]


def test_files_of_other_kinds_are_no_days(library: Library) -> None:
    journal(library).mkdir(parents=True)
    for name in ("2026-11-16.md", "2026-11-15.md", "ideas.md", ".draft.md", "notes.txt"):
        (journal(library) / name).write_text("x")
    (journal(library) / "folder.md").mkdir()

    names = [path.name for path in day_files(library)]

    assert names == ["2026-11-15.md", "2026-11-16.md", "ideas.md"]
    assert [day_of(day) for day in library.days()][1:] == [date(2026, 11, 16), None]


def test_a_link_in_a_cloned_library_leads_nowhere(library: Library, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("# private\n")
    journal(library).mkdir(parents=True)
    (journal(library) / "2026-11-15.md").symlink_to(secret)

    with pytest.raises(LibraryError, match="is a link"):
        library.record(an_entry(), known=False)

    assert day_files(library) == []
    assert secret.read_text() == "# private\n"


def test_a_full_disk_leaves_the_old_file_and_says_what_to_do(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.record(an_entry(), known=False)
    before = texts(library)

    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(LibraryError, match=r"2026-11-15\.md: No space left") as caught:
        library.record(an_entry("b", clock="13:40"), known=False)

    assert "Free some space" in caught.value.hint
    assert texts(library) == before
    assert [path.name for path in journal(library).iterdir()] == ["2026-11-15.md"]


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(LibraryError) as caught:
        open_library(tmp_path / "file" / "project").record(an_entry(), known=False)

    assert caught.value.hint.startswith("A file stands where a folder should be")


def test_a_held_lock_is_waited_for_and_then_reported(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "LOCK_SECONDS", 0.05)

    with files.locked(Path(library.location) / ".lock", wait=1), pytest.raises(BusyError):
        library.record(an_entry(), known=False)


def record_several(folder: Path, writer: str) -> None:
    library = open_library(folder, zone=BERLIN)
    for minute in range(10):
        clock = f"13:{minute:02}"
        library.record(an_entry(f"shared {minute}", clock=clock), known=False)
        library.record(
            an_entry(f"own {minute}", clock=clock, turn=f"{writer}-{minute}"), known=False
        )


def test_two_writers_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=record_several, args=(tmp_path, writer)) for writer in ("a", "b")
    ]

    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    (path,) = day_files(open_library(tmp_path))
    turns = [memory.turn for memory in open_library(tmp_path).items_on(path.stem)]
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert len(turns) == len(set(turns)) == 30


def test_an_entry_remembers_its_files_as_they_were_when_it_was_written(library: Library) -> None:
    first = an_entry(seen_files={"src/my db.py": "12ab-34cd"})
    library.record(first, known=False)

    later = an_entry(seen_files={"src/my db.py": "99ff-0000"})
    assert library.record(later, known=True) == "unchanged"
    (path,) = day_files(library)
    assert library.items_on(path.stem)[0].seen_files == first.seen_files

    more = an_entry(observations=(an_observation("More"),), seen_files=later.seen_files)
    assert library.record(more, known=True) == "replaced"
    assert library.items_on(path.stem)[0].seen_files == later.seen_files


def test_an_entry_that_is_read_again_without_its_files_keeps_what_it_knew_of_them(
    library: Library,
) -> None:
    library.record(an_entry(seen_files={"a.py": "12ab"}), known=False)

    library.record(an_entry(observations=(an_observation("More"),)), known=True)

    (path,) = day_files(library)
    assert library.items_on(path.stem)[0].seen_files == {"a.py": "12ab"}


class TestTogether:
    def test_an_entry_and_its_summary_are_one_write(self, library: Library) -> None:
        with library.together():
            assert library.record(an_entry(), known=False) == "added"
            assert [one.id for one in library.entries_of(an_entry().session)] == [an_entry().id]
            assert library.summarise(a_summary(), started=a_moment(), known=False) == "added"
            assert not journal(library).exists()

        (path,) = day_files(library)
        assert [one.kind for one in library.items_on(path.stem)] == ["summary", "entry"]

    def test_it_is_what_one_write_after_the_other_would_be(
        self, library: Library, tmp_path: Path
    ) -> None:
        other = open_library(tmp_path / "other", zone=BERLIN)
        library.record(an_entry(), known=False)
        library.summarise(a_summary(), started=a_moment(), known=False)

        with other.together():
            other.record(an_entry(), known=False)
            other.summarise(a_summary(), started=a_moment(), known=False)

        assert texts(other) == texts(library)

    def test_an_edit_made_meanwhile_stays(self, library: Library) -> None:
        library.record(an_entry(), known=False)

        with library.together():
            assert library.record(an_entry("Better", by="claude/1"), known=True) == "replaced"
            library.summarise(a_summary(), started=a_moment(), known=False)
            edit(library, "Fix the query", "My own words")

        (path,) = day_files(library)
        assert [one.title for one in library.items_on(path.stem)] == ["Summary", "My own words"]

    def test_what_was_recorded_before_an_error_is_there(self, library: Library) -> None:
        with suppress(ZeroDivisionError), library.together():
            library.record(an_entry(), known=False)
            raise ZeroDivisionError

        (path,) = day_files(library)
        assert [one.title for one in library.items_on(path.stem)] == [an_entry().headline]
        assert library.record(an_entry(), known=False) == "unchanged"
