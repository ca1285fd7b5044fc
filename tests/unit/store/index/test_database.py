"""The index: what it says of its entries, and that it can be thrown away."""

import os
import sqlite3
import threading
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from recollect import errors, paths
from recollect.context import render
from recollect.errors import BrokenIndexError
from recollect.store.contract.search import IndexRow
from recollect.store.sqlite import access
from recollect.store.sqlite.index import database, lookup
from recollect.store.sqlite.index.database import SqliteIndex, open_index
from tests.builders.index import Shelf, a_call, a_memory, a_turn

SHOP, DIARY = "shop-1f", "diary-2e"


def titles(entries: list[IndexRow]) -> list[str]:
    return [entry.title for entry in entries]


def held(shelf: Shelf, project: str = SHOP) -> list[str]:
    return sorted(titles(shelf.index.recent(project, limit=1000)))


def words_hold(shelf: Shelf, word: str) -> int:
    """How many entries the full-text table has under *word*."""
    found = shelf.index.connection.execute(
        "SELECT count(*) FROM words WHERE words MATCH ?", (f'"{word}"',)
    )
    return int(found.fetchone()[0])


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
        assert entry.document.endswith("/0.md")
        assert shelf.index.is_unchanged(entry)
        assert shelf.index.by_keys([entry.key, 12345]) == {entry.key: entry}
        assert shelf.index.by_id("h-none") is None

    def test_an_entry_says_what_was_observed_and_which_files_it_tells_of(
        self, shelf: Shelf
    ) -> None:
        body = (
            "- **bugfix** N+1 query\n  - files: `src/db.py` (modified), `tests/t.py` (read)\n"
            "- **decision** no cache\n- **bugfix** again\n  - files: `src/db.py` (modified)"
        )
        shelf.fill(SHOP, a_memory("Fix", body, id="h-fix", branch="main", edited=True))

        entry = shelf.index.by_id("h-fix")

        assert entry
        assert entry.types == "bugfix decision"
        assert entry.touched == "src/db.py\ntests/t.py"
        assert (entry.branch, bool(entry.edited)) == ("main", True)
        (sketch,) = shelf.index.sketches([entry.key]).values()
        assert (sketch.key, sketch.touched, sketch.branch) == (
            entry.key,
            entry.touched,
            "main",
        )

    def test_a_summary_has_no_outline_since_it_is_not_searched(self, shelf: Shelf) -> None:
        summary = shelf.index.summary_of("session-1")

        assert summary
        assert shelf.index.sketches([summary.key]) == {}

    def test_the_newest_of_several_projects_come_in_one_order(self, shelf: Shelf) -> None:
        shelf.fill(DIARY, a_memory("diary", day=1), a_memory("old diary", day=-5))
        scope = shelf.index.lexical.scope([SHOP, DIARY])

        found = titles(list(shelf.index.newest(scope)))

        assert found[:2] == ["pie again", "pie"]
        assert set(found[2:5]) == {"cake again", "cake", "diary"}
        assert found[-1] == "old diary"
        assert len(found) == 8

    def test_what_happened_around_a_moment_comes_in_order(self, shelf: Shelf) -> None:
        at = a_memory("cake", day=1).at
        assert at

        around = shelf.index.around(SHOP, at.timestamp(), before=1, after=3)

        assert titles(around) == ["tea again", "cake", "cake again", "pie"]

    def test_what_was_said_in_the_turn_behind_an_entry_is_known(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("one", session="s", turn="t1", id="h-1"),
            a_memory("two", session="s", turn="t2", id="h-2", edited=True),
            a_memory("three", session="s", turn="", id="h-3"),
        )
        shelf.tell(
            SHOP,
            a_turn("t1", answer="tea is ready", session="s"),
            a_turn("t2", answer="secret", session="s"),
        )

        said = [shelf.index.said_in(shelf.index.by_id(f"h-{n}")) for n in (1, 2, 3)]  # type: ignore[arg-type]

        assert said == ["tea is ready", "", ""]

    def test_an_entry_whose_file_was_touched_is_not_trusted(self, shelf: Shelf) -> None:
        entry = shelf.index.recent(SHOP, limit=1)[0]
        os.utime(entry.document)

        assert not shelf.index.is_unchanged(entry)

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

        index = open_index(str(tmp_path), render)

        assert index.recent(SHOP, limit=1) == []
        index.close()

    def test_an_index_of_another_version_is_replaced(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.index.connection.execute("PRAGMA user_version = 99")
        shelf.index.close()

        shelf.index = open_index(str(shelf.folder), render)

        assert held(shelf) == []

    def test_a_schema_that_changed_has_another_version(self) -> None:
        """Otherwise an index that an earlier commit made would be read with the wrong columns.

        Who changes the schema adds one to `SCHEMA_VERSION` and writes both down here.
        """
        schema = files("recollect.store.sqlite.index").joinpath("sql/schema.sql").read_bytes()

        assert (database.SCHEMA_VERSION, sha256(schema).hexdigest()[:12]) == (14, "3328b6516f1b")

    def test_a_log_that_outlived_its_database_is_not_read(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        log = Path(f"{shelf.folder}/index.db-wal").read_bytes()
        shelf.index.close()
        Path(paths.index(str(shelf.folder))).unlink()
        Path(f"{shelf.folder}/index.db-wal").write_bytes(log)

        shelf.index = open_index(str(shelf.folder), render)

        assert held(shelf) == []

    def test_it_notices_that_its_file_was_deleted_or_replaced(self, shelf: Shelf) -> None:
        there = shelf.index.is_there()
        database.discard(str(shelf.folder))
        gone = shelf.index.is_there()
        open_index(str(shelf.folder), render).close()

        assert (there, gone, shelf.index.is_there()) == (True, False, False)

    def test_a_whole_one_is_sound(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea", "see get_orders", turn="t1", session="s"))
        shelf.tell(
            SHOP, a_turn("t1", answer="hello", session="s", tools=(a_call("Bash", command="make"),))
        )
        shelf.fill(SHOP, a_memory("cake", "see get_orders", turn="t1", session="s"))

        assert shelf.index.is_sound()

    @pytest.mark.parametrize("table", ["words", "neighbours", "passage_words", "done", "spelled"])
    def test_one_whose_words_are_damaged_is_not_sound(self, shelf: Shelf, table: str) -> None:
        shelf.fill(SHOP, a_memory("tea", "see get_orders", turn="t1", session="s"))
        shelf.tell(
            SHOP, a_turn("t1", answer="hello", session="s", tools=(a_call("Bash", command="make"),))
        )

        shelf.index.connection.execute(f"UPDATE {table}_data SET block = x'0102' WHERE id > 10")

        assert not shelf.index.is_sound()

    def test_each_has_a_name_of_its_own(self, shelf: Shelf) -> None:
        """What is kept beside an index must not be taken for that of the next."""
        before = shelf.index.meta("birth")
        shelf.reopen()
        again = shelf.index.meta("birth")
        database.discard(str(shelf.folder))
        shelf.reopen()

        assert before
        assert before == again
        assert before != shelf.index.meta("birth")

    def test_a_locked_one_is_not_thrown_away(self) -> None:
        told = {
            "database is locked": errors.BusyError,
            "no such table: entries": errors.DamagedError,
            "database disk image is malformed": errors.DamagedError,
            "disk I/O error": errors.StoreError,
        }

        assert {
            said: type(access.store_error(sqlite3.OperationalError(said))) for said in told
        } == told
        assert isinstance(
            access.store_error(sqlite3.DatabaseError("is no database")), errors.DamagedError
        )

    def test_what_its_statements_raise_is_said_without_a_word_of_sqlite(self, shelf: Shelf) -> None:
        shelf.index.connection.execute("DROP TABLE done")

        with pytest.raises(errors.DamagedError, match="no such table"):
            shelf.index.connection.execute("SELECT * FROM done")

    def test_a_folder_in_its_place_is_told_of(self, tmp_path: Path) -> None:
        (tmp_path / "index.db").mkdir()
        (tmp_path / "index.db" / "file").touch()

        with pytest.raises((BrokenIndexError, OSError)):
            open_index(str(tmp_path), render)


class TestReading:
    def test_what_others_write_meanwhile_is_not_seen(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        other = open_index(str(shelf.folder), render)

        with other.reading():
            before = other.count(SHOP)
            shelf.put(SHOP, "later.md", a_memory("cake"))
            shelf.sync(SHOP)
            meanwhile = other.count(SHOP)
        after = other.count(SHOP)
        other.close()

        assert (before, meanwhile, after) == (1, 1, 2)

    def test_a_failure_in_the_middle_does_not_stay_in_it(self, shelf: Shelf) -> None:
        with pytest.raises(OSError, match="no"), shelf.index.reading():
            raise OSError("no")

        shelf.fill(SHOP, a_memory("tea"))

        assert held(shelf) == ["tea"]


def test_eight_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    shelves = [Shelf(tmp_path)]
    for number in range(8):
        shelves[0].put(f"p-{number}", "day.md", *[a_memory(f"tea {n}") for n in range(20)])
    failures: list[Exception] = []

    def write(project: str) -> None:
        index: SqliteIndex = open_index(str(tmp_path), render)
        try:
            index.sync(shelves[0].sources(project))
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
