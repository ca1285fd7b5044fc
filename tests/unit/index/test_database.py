"""The index follows the files, whatever happens to them, and can be thrown away."""

import os
import sqlite3
import threading
from pathlib import Path

import pytest

from recollect import paths
from recollect.context import render
from recollect.errors import BrokenIndexError
from recollect.index import database, lookup
from recollect.index.database import Index, Indexed, open_index
from tests.unit.index.shelf import Shelf, a_memory

SHOP, DIARY = "shop-1f", "diary-2e"


def titles(entries: list[Indexed]) -> list[str]:
    return [entry.title for entry in entries]


def held(shelf: Shelf, project: str = SHOP) -> list[str]:
    return sorted(titles(shelf.index.recent(project, limit=1000)))


def words_hold(shelf: Shelf, word: str) -> int:
    """How many entries the full-text table has under *word*."""
    found = shelf.index.connection.execute(
        "SELECT count(*) FROM words WHERE words MATCH ?", (f'"{word}"',)
    )
    return int(found.fetchone()[0])


def is_whole(shelf: Shelf) -> bool:
    """Ask the full-text tables themselves whether they agree with their content."""
    for table in ("words", "neighbours"):
        shelf.index.connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    return shelf.index.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


class TestFollowing:
    def test_a_new_file_is_read(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"), a_memory("cake"))

        changed = shelf.sync(SHOP)

        assert changed == 1
        assert held(shelf) == ["cake", "tea"]

    def test_an_unchanged_file_is_not_read_again(self, shelf: Shelf) -> None:
        file = shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.sync(SHOP)

        def refuse(_: Path) -> list[object]:
            raise AssertionError("read again")

        assert shelf.index.sync(SHOP, [file], refuse) == 0  # type: ignore[arg-type]

    def test_a_changed_file_replaces_what_it_held(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"), a_memory("cake"))
        shelf.sync(SHOP)
        shelf.put(SHOP, "1.md", a_memory("coffee"))

        shelf.sync(SHOP)

        assert held(shelf) == ["coffee"]
        assert (words_hold(shelf, "tea"), words_hold(shelf, "coffee")) == (0, 1)
        assert is_whole(shelf)

    def test_a_file_of_the_same_size_written_later_is_another(self, shelf: Shelf) -> None:
        file = shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.sync(SHOP)
        shelf.put(SHOP, "1.md", a_memory("pie"))
        os.utime(file, ns=(1, 1))

        shelf.sync(SHOP)

        assert held(shelf) == ["pie"]

    def test_a_file_that_is_gone_takes_its_entries_along(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"))
        gone = shelf.put(SHOP, "2.md", a_memory("cake"))
        shelf.sync(SHOP)
        gone.unlink()

        changed = shelf.sync(SHOP)

        assert changed == 1
        assert held(shelf) == ["tea"]
        assert words_hold(shelf, "cake") == 0
        assert is_whole(shelf)

    def test_a_file_that_went_while_we_looked_is_gone(self, shelf: Shelf) -> None:
        file = shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.sync(SHOP)
        file.unlink()

        shelf.index.sync(SHOP, [file], lambda _: [])

        assert held(shelf) == []

    def test_one_projects_files_do_not_concern_another(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.fill(DIARY, a_memory("cake"))

        shelf.index.sync(DIARY, [], lambda _: [])

        assert (held(shelf, SHOP), held(shelf, DIARY)) == (["tea"], [])

    def test_a_file_that_cannot_be_read_leaves_what_is_known(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        file = shelf.put(SHOP, "day.md", a_memory("cake"))

        def fail(_: Path) -> list[object]:
            raise OSError("no")

        with pytest.raises(OSError, match="no"):
            shelf.index.sync(SHOP, [file], fail)  # type: ignore[arg-type]

        assert held(shelf) == ["tea"]

    @pytest.mark.parametrize(
        "text", ["caf\udce9", "\ud800", "nul\0nul", "\U0001f600" * 50, "\u202e", "'; DROP TABLE"]
    )
    def test_any_text_can_be_kept_and_taken_out(self, shelf: Shelf, text: str) -> None:
        shelf.fill(SHOP, a_memory(f"tea {text}", text, session=text, branch=text))
        found = lookup.recall(shelf.index.connection, SHOP, "tea", limit=5, bar=0.5)
        shelf.fill(SHOP, a_memory("cake"))

        assert len(found) == 1
        assert held(shelf) == ["cake"]
        assert is_whole(shelf)

    def test_a_thousand_memories_of_one_moment_are_kept(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"note {number}") for number in range(1000)])

        assert len(held(shelf)) == 1000

    @pytest.mark.parametrize("year", [1900, 1970, 2300])
    def test_any_time_can_be_kept(self, shelf: Shelf, year: int) -> None:
        odd = a_memory("odd").at
        assert odd
        shelf.fill(SHOP, a_memory("one", at=odd.replace(year=year)), a_memory("no", at=None))
        shelf.fill(DIARY, a_memory("two", at=odd.replace(year=year)))

        assert (held(shelf, SHOP), held(shelf, DIARY)) == (["no", "one"], ["two"])


class TestLooking:
    @pytest.fixture(autouse=True)
    def three_days(self, shelf: Shelf) -> None:
        for day, title in enumerate(["tea", "cake", "pie"]):
            shelf.put(
                SHOP,
                f"{day}.md",
                a_memory(title, f"about {title}", day=day),
                a_memory(f"{title} again", day=day),
                a_memory("Summary", f"- request: {title}", kind="summary", day=day),
            )
        shelf.sync(SHOP)

    def test_the_newest_come_first_and_summaries_are_not_memories(self, shelf: Shelf) -> None:
        assert titles(shelf.index.recent(SHOP, limit=3)) == ["pie again", "pie", "cake again"]
        assert shelf.index.count(SHOP) == 6
        assert shelf.index.count(DIARY) == 0

    def test_a_session_has_its_entries_in_order_and_one_summary(self, shelf: Shelf) -> None:
        summary = shelf.index.summary_of("session-1")

        assert titles(shelf.index.in_session("session-1")) == ["cake", "cake again"]
        assert summary
        assert summary.body == "- request: cake"
        assert shelf.index.summary_of("nobody") is None

    def test_an_entry_is_found_by_its_id_and_says_where_it_stands(self, shelf: Shelf) -> None:
        wanted = a_memory("tea", "about tea").id

        entry = shelf.index.by_id(wanted)

        assert entry
        assert (entry.title, entry.body) == ("tea", "about tea")
        assert entry.path.endswith("/0.md")
        assert database.is_unchanged(entry)
        assert shelf.index.by_number(entry.number) == entry
        assert shelf.index.by_id("h-none") is None

    def test_an_entry_whose_file_was_touched_is_not_trusted(self, shelf: Shelf) -> None:
        entry = shelf.index.recent(SHOP, limit=1)[0]
        os.utime(entry.path)

        assert not database.is_unchanged(entry)

    def test_a_summary_is_searched_only_if_the_user_wrote_into_it(self, shelf: Shelf) -> None:
        before = words_hold(shelf, "request")
        shelf.put(SHOP, "0.md", a_memory("Summary", "- request: mine", kind="summary", edited=True))
        shelf.sync(SHOP)

        assert (before, words_hold(shelf, "request")) == (0, 1)

    def test_neighbours_of_another_session_do_not_count(self, shelf: Shelf) -> None:
        shelf.put(
            SHOP,
            "0.md",
            a_memory("tea", session="a"),
            a_memory("milk", session="a"),
            a_memory("bread", session="b"),
        )
        shelf.sync(SHOP)

        around = shelf.index.connection.execute(
            "SELECT title, around FROM entries WHERE title IN ('milk', 'bread')"
        )

        assert {title: text.split() for title, text in around} == {
            "milk": ["tea", "milk"],
            "bread": ["bread"],
        }


class TestMakingAnew:
    def test_the_same_entries_are_found_in_the_same_order(self, shelf: Shelf) -> None:
        """Equal answers once came in the order in which their files had last been read."""
        for day in range(9):
            shelf.put(SHOP, f"{day}.md", a_memory(f"the harbour crane {day}", day=day))
            shelf.sync(SHOP)
        shelf.put(SHOP, "2.md", a_memory("the harbour crane 2", day=2), a_memory("x", day=2))
        shelf.sync(SHOP)

        def found() -> list[str]:
            hits = lookup.recall(shelf.index.connection, SHOP, "harbour crane", limit=5, bar=0.5)
            return [hit.line for hit in hits]

        before = found()
        shelf.make_anew()

        assert before == [f"the harbour crane {day}" for day in (8, 7, 6, 5, 4)]
        assert found() == before

    @pytest.mark.parametrize("content", [b"garbage", b"SQLite format 3\0" + b"\xff" * 5000, b""])
    def test_a_broken_file_is_replaced(self, tmp_path: Path, content: bytes) -> None:
        Path(paths.index(str(tmp_path))).write_bytes(content)

        index = open_index(str(tmp_path), render.card)

        assert index.recent(SHOP, limit=1) == []
        index.close()

    def test_an_index_of_another_version_is_replaced(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.index.connection.execute("PRAGMA user_version = 99")
        shelf.index.close()

        shelf.index = open_index(str(shelf.folder), render.card)

        assert held(shelf) == []

    def test_a_log_that_outlived_its_database_is_not_read(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        log = Path(f"{shelf.folder}/index.db-wal").read_bytes()
        shelf.index.close()
        Path(paths.index(str(shelf.folder))).unlink()
        Path(f"{shelf.folder}/index.db-wal").write_bytes(log)

        shelf.index = open_index(str(shelf.folder), render.card)

        assert held(shelf) == []

    def test_it_notices_that_its_file_was_deleted_or_replaced(self, shelf: Shelf) -> None:
        there = shelf.index.is_there()
        database.discard(str(shelf.folder))
        gone = shelf.index.is_there()
        open_index(str(shelf.folder), render.card).close()

        assert (there, gone, shelf.index.is_there()) == (True, False, False)

    def test_a_locked_one_is_not_thrown_away(self, shelf: Shelf) -> None:
        error = sqlite3.OperationalError("database is locked")

        assert not database.is_broken(error)
        assert database.is_broken(sqlite3.DatabaseError("database disk image is malformed"))
        assert database.is_broken(sqlite3.OperationalError("no such table: entries"))

    def test_a_folder_in_its_place_is_told_of(self, tmp_path: Path) -> None:
        (tmp_path / "index.db").mkdir()
        (tmp_path / "index.db" / "file").touch()

        with pytest.raises((BrokenIndexError, OSError)):
            open_index(str(tmp_path), render.card)


def test_eight_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    shelves = [Shelf(tmp_path)]
    for number in range(8):
        shelves[0].put(f"p-{number}", "day.md", *[a_memory(f"tea {n}") for n in range(20)])
    failures: list[Exception] = []

    def write(project: str) -> None:
        index: Index = open_index(str(tmp_path), render.card)
        try:
            files = sorted((tmp_path / "projects" / project).glob("*"))
            index.sync(project, files, shelves[0]._content.__getitem__)
        except Exception as error:
            failures.append(error)
        finally:
            index.close()

    writers = [threading.Thread(target=write, args=(f"p-{number}",)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert failures == []
    assert [shelves[0].index.count(f"p-{number}") for number in range(8)] == [20] * 8
    shelves[0].index.close()
