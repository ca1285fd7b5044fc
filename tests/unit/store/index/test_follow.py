"""The index follows the journal and the archive, and writes no more than what changed."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.context import render
from recollect.journal.model import LibraryItem
from recollect.store.files import archive
from recollect.store.sqlite.index import lookup
from recollect.store.sqlite.index.database import open_index
from recollect.testing import WordBag
from recollect.transcripts.turns import Turn
from tests.builders.index import Shelf, a_call, a_memory, a_turn

SHOP, DIARY = "shop-1f", "diary-2e"


def held(shelf: Shelf, project: str = SHOP) -> list[str]:
    return sorted(entry.title for entry in shelf.index.recent(project, limit=2000))


def words_hold(shelf: Shelf, word: str) -> int:
    """How many entries the full-text table has under *word*."""
    found = shelf.index.connection.execute(
        "SELECT count(*) FROM words WHERE words MATCH ?", (f'"{word}"',)
    )
    return int(found.fetchone()[0])


def passages(shelf: Shelf) -> dict[str, int]:
    """The texts of all passages, and their numbers."""
    return dict(shelf.index.connection.execute("SELECT text, number FROM passages"))


def vectors(shelf: Shelf) -> set[str]:
    """The texts that have a vector."""
    found = shelf.index.connection.execute(
        "SELECT p.text FROM vectors AS v LEFT JOIN passages AS p ON p.hash = v.hash"
    )
    return {text for (text,) in found}


def found_by_said(shelf: Shelf, *words: str, project: str = SHOP) -> list[str]:
    """The titles of the entries whose turns were said to hold *words*."""
    scope = shelf.index.lexical.scope([project])
    counts = shelf.index.lexical.frequencies(scope, list(words))
    said = shelf.index.lexical.find(scope, list(words), counts, limit=50).said
    return [entry.title for entry in shelf.index.by_keys(list(said)).values()]


def is_whole(shelf: Shelf) -> bool:
    """Ask SQLite and the full-text tables themselves."""
    whole = shelf.index.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    return whole and shelf.index.is_sound()


def rows(shelf: Shelf) -> list[tuple[object, ...]]:
    """What the index says of every entry, but for the number it has."""
    return shelf.index.connection.execute(
        "SELECT id, title, body, around, digest, searchable, first_line, last_line"
        " FROM entries ORDER BY id"
    ).fetchall()


def refuse(*_: object) -> list[object]:
    raise AssertionError("read again")


class TestTheJournal:
    def test_a_new_file_is_read(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"), a_memory("cake"))

        changed = shelf.sync(SHOP)

        assert changed == 1
        assert held(shelf) == ["cake", "tea"]

    def test_an_unchanged_file_is_not_read_again(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))

        assert shelf.index.sync(shelf.sources(SHOP, read=refuse)) == 0  # type: ignore[arg-type]

    def test_a_file_that_was_only_touched_is_not_read_again_but_trusted_again(
        self, shelf: Shelf
    ) -> None:
        file = shelf.put(SHOP, "day.md", a_memory("harbour crane"))
        shelf.sync(SHOP)
        os.utime(file, ns=(1, 1))

        changed = shelf.index.sync(shelf.sources(SHOP, read=refuse))  # type: ignore[arg-type]

        assert changed == 1
        connection = shelf.index.connection
        assert lookup.recall(connection, SHOP, "harbour crane", limit=1, bar=0.5)

    def test_a_changed_file_replaces_what_it_held(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"), a_memory("cake"))
        shelf.sync(SHOP)
        shelf.put(SHOP, "1.md", a_memory("coffee"))

        shelf.sync(SHOP)

        assert held(shelf) == ["coffee"]
        assert (words_hold(shelf, "tea"), words_hold(shelf, "coffee")) == (0, 1)
        assert list(passages(shelf)) == ["coffee"]
        assert is_whole(shelf)

    def test_a_day_that_grew_step_by_step_is_as_if_read_at_once(self, shelf: Shelf) -> None:
        one, two, three, four = (a_memory(name, name) for name in ("tea", "cake", "rye", "oats"))
        moved = replace(three, first_line=7, last_line=9)
        for kept in ([one, two], [one, two, three], [two, one, three], [four, one, moved], [moved]):
            shelf.put(SHOP, "day.md", *kept)
            shelf.sync(SHOP)
            shelf.fill(SHOP, *kept, a_memory("plum"))

            step_by_step = rows(shelf)

            shelf.make_anew()
            assert step_by_step == rows(shelf)
            assert shelf.index.count(SHOP) == len(kept) + 1
            assert is_whole(shelf)

    def test_a_day_that_somebody_else_followed_meanwhile_is_compared_whole(
        self, shelf: Shelf
    ) -> None:
        one, two = a_memory("tea"), a_memory("cake")
        shelf.fill(SHOP, one)
        other = open_index(str(shelf.folder), render)
        shelf.put(SHOP, "day.md", one, two)
        other.sync(shelf.sources(SHOP))
        other.close()

        shelf.fill(SHOP, one)

        assert held(shelf) == ["tea"]
        assert shelf.index.count(SHOP) == 1

    def test_a_vector_is_made_of_what_an_entry_says_not_of_our_marks(self, shelf: Shelf) -> None:
        body = "- **bugfix** N+1 query\n  - facts: one query now\n  - files: `src/db.py` (modified)"

        bag = WordBag()

        shelf.fill(SHOP, a_memory("Page", body))
        shelf.embed(bag)

        assert list(passages(shelf)) == ["N+1 query\none query now"]
        assert bag.asked == ["Page\nN+1 query\none query now"]
        (names,) = shelf.index.connection.execute("SELECT names FROM passages").fetchone()
        assert "src/db.py" in names

    def test_a_file_of_the_same_size_written_later_is_another(self, shelf: Shelf) -> None:
        file = shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.sync(SHOP)
        before = file.stat().st_size
        shelf.put(SHOP, "1.md", a_memory("pie"))
        os.utime(file, ns=(1, 1))

        shelf.sync(SHOP)

        assert file.stat().st_size == before
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
        assert list(passages(shelf)) == ["tea"]
        assert is_whole(shelf)

    def test_a_file_that_went_while_we_looked_is_gone(self, shelf: Shelf) -> None:
        file = shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.sync(SHOP)
        file.unlink()

        changed = shelf.index.sync(shelf.sources(SHOP, [file]))

        assert changed == 1
        assert held(shelf) == []

    def test_one_projects_files_do_not_concern_another(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.fill(DIARY, a_memory("cake"))

        shelf.index.sync(shelf.sources(DIARY, []))

        assert (held(shelf, SHOP), held(shelf, DIARY)) == (["tea"], [])

    def test_a_file_that_cannot_be_read_leaves_what_is_known(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.put(SHOP, "day.md", a_memory("cake"))

        def fail(_: Path) -> list[LibraryItem]:
            raise OSError("no")

        with pytest.raises(OSError, match="no"):
            shelf.index.sync(shelf.sources(SHOP, read=fail))

        assert held(shelf) == ["tea"]

    def test_somebody_hears_of_each_file(self, shelf: Shelf) -> None:
        files = [shelf.put(SHOP, f"{n}.md", a_memory(f"tea {n}")) for n in range(3)]
        files.append(shelf.archive(SHOP, a_turn("t1", "hello")))
        heard: list[str] = []

        shelf.index.sync(shelf.sources(SHOP), seen=heard.append)

        assert heard == list(map(str, files))
        assert len(shelf.sources(SHOP)) == 4

    @pytest.mark.parametrize(
        "text", ["caf\udce9", "\ud800", "nul\0nul", "\U0001f600" * 50, "\u202e", "'; DROP TABLE"]
    )
    def test_any_text_can_be_kept_and_taken_out(self, shelf: Shelf, text: str) -> None:
        shelf.fill(SHOP, a_memory(f"{text} harbour", text, session=text, branch=text, turn="t1"))
        shelf.tell(
            SHOP, a_turn("t1", text, answer=f"crane {text}", tools=(a_call("Bash", command=text),))
        )
        found = lookup.recall(shelf.index.connection, SHOP, "harbour", limit=5, bar=0.0)
        shelf.put(SHOP, "day.md", a_memory("cake"))
        shelf.archive(SHOP, a_turn("t1", answer="bread"))
        shelf.sync(SHOP)

        assert len(found) == 1
        assert held(shelf) == ["cake"]
        assert sorted(passages(shelf)) == ["bread", "cake"]
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


class TestWhatStays:
    """An edit costs what was edited."""

    @pytest.fixture
    def bag(self) -> WordBag:
        return WordBag()

    def test_lines_that_moved_keep_their_numbers_and_vectors(
        self, shelf: Shelf, bag: WordBag
    ) -> None:
        shelf.fill(SHOP, a_memory("tea"), a_memory("cake", first_line=3, last_line=5))
        shelf.embed(bag)
        before = passages(shelf)
        entries = {one.id: one.key for one in shelf.index.recent(SHOP, limit=9)}
        bag.asked.clear()

        shelf.fill(SHOP, a_memory("tea"), a_memory("cake", first_line=13, last_line=15))
        shelf.embed(bag)

        moved = shelf.index.by_id(a_memory("cake").id)
        assert moved
        assert (moved.first_line, moved.last_line) == (13, 15)
        assert {one.id: one.key for one in shelf.index.recent(SHOP, limit=9)} == entries
        assert passages(shelf) == before
        assert bag.asked == []

    def test_the_edit_of_one_entry_embeds_that_one_alone(self, shelf: Shelf, bag: WordBag) -> None:
        day = [a_memory(title, day=n) for n, title in enumerate(["tea", "cake", "pie"])]
        shelf.fill(SHOP, *day)
        shelf.embed(bag)
        before = passages(shelf)
        bag.asked.clear()

        shelf.fill(SHOP, day[0], a_memory("cheesecake", day=1, id=day[1].id), day[2])
        shelf.embed(bag)

        assert bag.asked == ["cheesecake"]
        assert vectors(shelf) == {"tea", "cheesecake", "pie"}
        after = passages(shelf)
        assert {text: after[text] for text in ("tea", "pie")} == {
            text: before[text] for text in ("tea", "pie")
        }

    def test_the_edit_of_one_paragraph_embeds_that_passage_alone(
        self, shelf: Shelf, bag: WordBag
    ) -> None:
        paragraphs = [f"{name} " * 100 for name in ("first", "second", "third")]
        shelf.fill(SHOP, a_memory("Long", "\n\n".join(paragraphs), id="h-long"))
        shelf.embed(bag)
        bag.asked.clear()

        paragraphs[1] = "changed " * 100
        shelf.fill(SHOP, a_memory("Long", "\n\n".join(paragraphs), id="h-long"))
        shelf.embed(bag)

        assert [text.split()[:2] for text in bag.asked] == [["Long", "changed"]]

    def test_no_number_is_given_to_two_texts(self, shelf: Shelf) -> None:
        seen: dict[int, str] = {}
        for title in ("tea", "cake", "pie", "tea"):
            shelf.fill(SHOP, a_memory(title, id="h-1"))
            ((text, number),) = passages(shelf).items()

            assert seen.setdefault(number, text) == text

        assert len(seen) == 4

    def test_a_text_that_went_takes_its_vector_along(self, shelf: Shelf, bag: WordBag) -> None:
        shelf.fill(SHOP, a_memory("tea"), a_memory("cake"))
        shelf.embed(bag)

        shelf.fill(SHOP, a_memory("cake"))

        assert vectors(shelf) == {"cake"}

    def test_a_vector_that_another_entry_shares_stays(self, shelf: Shelf, bag: WordBag) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea", id="h-1"))
        other = shelf.put(SHOP, "2.md", a_memory("tea", id="h-2"))
        shelf.sync(SHOP)
        shelf.embed(bag)
        other.unlink()

        shelf.sync(SHOP)

        assert bag.asked == ["tea"]
        assert vectors(shelf) == {"tea"}

    def test_a_file_that_moved_to_another_project_takes_its_entries_along(
        self, shelf: Shelf, bag: WordBag
    ) -> None:
        memory = a_memory("tea in get_orders", day=1)
        file = shelf.put(SHOP, "day.md", memory)
        shelf.sync(SHOP)
        shelf.embed(bag)
        file.unlink()
        shelf.put(DIARY, "day.md", memory)
        bag.asked.clear()

        shelf.sync(DIARY)
        shelf.sync(SHOP)
        shelf.embed(bag)

        assert (held(shelf, SHOP), held(shelf, DIARY)) == ([], ["tea in get_orders"])
        assert shelf.index.projects() == [DIARY]
        assert bag.asked == [], "the same text has its vector already"
        assert shelf.nearest(bag, "tea", DIARY).keys() == {"tea in get_orders"}
        assert shelf.nearest(bag, "tea", SHOP) == {}

    def test_the_entry_count_of_a_project_is_that_of_its_searchable_entries(
        self, shelf: Shelf
    ) -> None:
        def size() -> int:
            return shelf.index.lexical.scope([SHOP]).size

        shelf.fill(SHOP, a_memory("tea"), a_memory("cake"), a_memory("S", kind="summary"))
        before = size()
        shelf.fill(SHOP, a_memory("tea"))

        assert (before, size()) == (2, 1)


class TestTheArchive:
    """What was said in the turn behind an entry leads to that entry."""

    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Fix the page", session="s", turn="t1", day=1, id="h-1"),
            a_memory("Bake a cake", session="s", turn="t2", day=2, id="h-2"),
        )

    def test_what_was_said_leads_to_the_entry(self, shelf: Shelf) -> None:
        shelf.tell(SHOP, a_turn("t1", answer="the harbour crane", session="s"))

        assert found_by_said(shelf, "harbour") == ["Fix the page"]

    def test_it_may_be_there_before_the_entry_is(self, shelf: Shelf) -> None:
        shelf.tell(SHOP, a_turn("t3", answer="the harbour crane", session="s"))
        before = found_by_said(shelf, "harbour")
        shelf.put(SHOP, "later.md", a_memory("Park it", session="s", turn="t3"))
        shelf.sync(SHOP)

        assert (before, found_by_said(shelf, "harbour")) == ([], ["Park it"])

    def test_only_what_was_added_is_read(self, shelf: Shelf) -> None:
        file = shelf.archive(SHOP, a_turn("t1", answer="the harbour crane", session="s"))
        shelf.sync(SHOP)
        size = file.stat().st_size
        shelf.archive(SHOP, a_turn("t2", answer="a pumpkin", session="s"))
        read: list[tuple[int, list[str]]] = []

        def noted(path: Path, start: int) -> list[Turn]:
            turns = archive.read(path, start=start)
            read.append((start, [turn.key for turn in turns]))
            return turns  # type: ignore[return-value]

        shelf.index.sync(shelf.sources(SHOP, read_archive=noted))
        shelf.index.sync(shelf.sources(SHOP, read_archive=noted))

        assert read == [(size, ["t2"])]
        assert found_by_said(shelf, "harbour") == ["Fix the page"]
        assert found_by_said(shelf, "pumpkin") == ["Bake a cake"]

    def test_a_later_version_of_a_turn_replaces_the_earlier(self, shelf: Shelf) -> None:
        bag = WordBag()
        kept = "pumpkin " * 100
        shelf.tell(SHOP, a_turn("t1", kept, answer="harbour " * 100, session="s"))
        shelf.embed(bag)
        before = passages(shelf)
        bag.asked.clear()

        shelf.tell(SHOP, a_turn("t1", kept, answer="crane " * 100, session="s"))
        shelf.embed(bag)

        assert found_by_said(shelf, "harbour") == []
        assert found_by_said(shelf, "crane") == found_by_said(shelf, "pumpkin") == ["Fix the page"]
        assert passages(shelf)[kept.strip()] == before[kept.strip()]
        assert [text.split()[0] for text in bag.asked] == ["crane"]
        assert is_whole(shelf)

    def test_a_turn_that_was_being_written_while_we_looked_is_read_when_it_is_whole(
        self, shelf: Shelf
    ) -> None:
        file = shelf.archive(SHOP, a_turn("t1", answer="the harbour crane", session="s"))
        begin = file.stat().st_size
        shelf.archive(SHOP, a_turn("t2", answer="a pumpkin", session="s"))
        whole = file.read_bytes()
        file.write_bytes(whole[: begin + 20])
        shelf.sync(SHOP)
        file.write_bytes(whole)

        shelf.sync(SHOP)

        assert found_by_said(shelf, "harbour") == ["Fix the page"]
        assert found_by_said(shelf, "pumpkin") == ["Bake a cake"]

    def test_one_that_became_shorter_is_read_from_its_beginning(self, shelf: Shelf) -> None:
        file = shelf.archive(
            SHOP,
            a_turn("t1", answer="the harbour crane", session="s"),
            a_turn("t2", answer="a pumpkin", session="s"),
        )
        shelf.sync(SHOP)
        file.unlink()
        shelf.archive(SHOP, a_turn("t2", answer="a zebra", session="s"))

        shelf.sync(SHOP)

        assert found_by_said(shelf, "harbour", "pumpkin") == []
        assert found_by_said(shelf, "zebra") == ["Bake a cake"]

    def test_one_that_is_gone_takes_its_turns_and_their_vectors_along(self, shelf: Shelf) -> None:
        file = shelf.archive(SHOP, a_turn("t1", answer="the harbour crane", session="s"))
        shelf.sync(SHOP)
        shelf.embed(WordBag())
        file.unlink()

        changed = shelf.sync(SHOP)

        assert changed == 0, "no file of the journal changed"
        assert found_by_said(shelf, "harbour") == []
        assert vectors(shelf) == {"Fix the page", "Bake a cake"}
        assert is_whole(shelf)

    def test_one_that_was_only_touched_keeps_what_is_known_of_it(self, shelf: Shelf) -> None:
        file = shelf.archive(SHOP, a_turn("t1", answer="the harbour crane", session="s"))
        shelf.sync(SHOP)
        os.utime(file, ns=(1, 1))

        shelf.sync(SHOP)

        assert found_by_said(shelf, "harbour") == ["Fix the page"]

    def test_of_an_entry_that_the_user_rewrote_the_turn_is_no_longer_found(
        self, shelf: Shelf
    ) -> None:
        """Somebody who deletes a password from an entry must not find it in the turn."""
        bag = WordBag()
        shelf.tell(SHOP, a_turn("t1", answer="swordfish_77 opens it", session="s"))
        shelf.embed(bag)
        by_name = shelf.index.lexical.named(shelf.index.lexical.scope([SHOP]), ["swordfish_77"])
        near = shelf.nearest(bag, "swordfish_77 opens it")["Fix the page"]

        shelf.fill(
            SHOP,
            a_memory("Fix it", session="s", turn="t1", day=1, id="h-1", edited=True),
            a_memory("Bake a cake", session="s", turn="t2", day=2, id="h-2"),
        )

        assert len(by_name.prominence) == 1
        assert near == pytest.approx(1.0, abs=0.01)
        assert found_by_said(shelf, "swordfish", "opens") == []
        assert not shelf.index.lexical.named(
            shelf.index.lexical.scope([SHOP]), ["swordfish_77"]
        ).prominence
        assert shelf.index.said_in(shelf.index.by_id("h-1")) == ""  # type: ignore[arg-type]

    def test_nor_is_it_by_its_meaning(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.tell(SHOP, a_turn("t1", answer="swordfish opens", session="s"))
        shelf.embed(bag)
        shelf.nearest(bag, "swordfish opens")

        shelf.fill(
            SHOP,
            a_memory("Fix it", session="s", turn="t1", day=1, id="h-1", edited=True),
            a_memory("Bake a cake", session="s", turn="t2", day=2, id="h-2"),
        )
        at_once = shelf.nearest(bag, "swordfish opens")
        shelf.embed(bag)
        later = shelf.nearest(bag, "swordfish opens")

        assert max(at_once.values(), default=0.0) < 0.1
        assert max(later.values(), default=0.0) < 0.1

    def test_of_an_entry_that_the_user_deleted_the_turn_is_not_found(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.tell(SHOP, a_turn("t1", answer="swordfish_77 opens it", session="s"))
        shelf.embed(bag)
        shelf.nearest(bag, "swordfish opens")

        shelf.fill(SHOP, a_memory("Bake a cake", session="s", turn="t2", day=2, id="h-2"))

        scope = shelf.index.lexical.scope([SHOP])
        assert found_by_said(shelf, "swordfish", "opens") == []
        assert not shelf.index.lexical.named(scope, ["swordfish_77"]).prominence
        assert shelf.nearest(bag, "swordfish opens").keys() == {"Bake a cake"}

    def test_what_was_done_gets_no_vector(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.tell(SHOP, a_turn("t1", "", session="s", tools=(a_call("Bash", command="make"),)))

        shelf.embed(bag)

        assert "make" in passages(shelf)
        assert "make" not in bag.asked
        assert shelf.index.vectors.pending(1) == 0

    def test_a_turn_without_an_entry_of_its_own_leads_nowhere(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "by-hand.md", a_memory("By hand", session="s", turn="", kind="hand"))
        shelf.tell(SHOP, a_turn("t9", answer="the harbour crane", session="s"))

        assert found_by_said(shelf, "harbour") == []

    def test_the_same_session_in_another_project_leads_there_alone(self, shelf: Shelf) -> None:
        shelf.fill(DIARY, a_memory("Dear diary", session="s", turn="t1"))
        shelf.tell(SHOP, a_turn("t1", answer="the harbour crane", session="s"))

        assert found_by_said(shelf, "harbour", project=SHOP) == ["Fix the page"]
        assert found_by_said(shelf, "harbour", project=DIARY) == []

    def test_a_later_version_of_a_turn_leaves_that_of_another_project_alone(
        self, shelf: Shelf
    ) -> None:
        shelf.fill(DIARY, a_memory("Dear diary", session="s", turn="t1"))
        shelf.tell(DIARY, a_turn("t1", answer="the harbour crane", session="s"))
        shelf.tell(SHOP, a_turn("t1", answer="the harbour crane", session="s"))

        shelf.tell(SHOP, a_turn("t1", answer="a pumpkin", session="s"))

        assert found_by_said(shelf, "harbour", project=SHOP) == []
        assert found_by_said(shelf, "harbour", project=DIARY) == ["Dear diary"]

    def test_a_request_leads_to_the_entry_but_is_never_shown(self, shelf: Shelf) -> None:
        turn = a_turn("t1", "what of the harbour crane?", answer="It is parked.", session="s")

        shelf.tell(SHOP, turn)

        cards = shelf.index.connection.execute("SELECT part, card FROM passages").fetchall()
        assert found_by_said(shelf, "harbour") == ["Fix the page"]
        assert ("request", "") in cards
        assert ("said", "  It is parked.\n") in cards

    def test_what_was_asked_and_never_answered_leads_nowhere(self, shelf: Shelf) -> None:
        shelf.tell(SHOP, a_turn("t1", "what of the harbour crane?", session="s"))

        assert found_by_said(shelf, "harbour") == []


class TestBeingCutOff:
    """What is written belongs together; half of it never shows."""

    @pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt])
    def test_in_the_middle_of_a_file_the_old_state_stays(
        self, shelf: Shelf, kind: type[BaseException]
    ) -> None:
        shelf.fill(SHOP, a_memory("tea", day=1), a_memory("cake", day=2))
        bag = WordBag()
        shelf.embed(bag)
        before = (held(shelf), passages(shelf), vectors(shelf))

        class Dying:
            def card(self, one: LibraryItem) -> tuple[str, str]:
                if one.title == "soup":
                    raise kind
                return render.card(one)

            def passage(self, text: str) -> str:
                return render.passage(text)

            def stale(self, what: str) -> str:
                return render.stale(what)

        shelf.put(SHOP, "day.md", a_memory("bread", day=1), a_memory("soup", day=2))
        with_dying = open_index(str(shelf.folder), Dying())
        with pytest.raises(kind):
            with_dying.sync(shelf.sources(SHOP))
        with_dying.close()

        assert (held(shelf), passages(shelf), vectors(shelf)) == before
        assert is_whole(shelf)
        assert shelf.sync(SHOP) == 1
        assert held(shelf) == ["bread", "soup"]

    def test_files_before_the_one_it_happened_in_are_done(self, shelf: Shelf) -> None:
        shelf.put(SHOP, "1.md", a_memory("tea"))
        shelf.put(SHOP, "2.md", a_memory("cake"))

        def fail_later(file: Path) -> list[LibraryItem]:
            if file.name == "2.md":
                raise OSError("no")
            return [a_memory("tea")]

        with pytest.raises(OSError, match="no"):
            shelf.index.sync(shelf.sources(SHOP, read=fail_later))

        assert held(shelf) == ["tea"]
        assert shelf.sync(SHOP) == 1

    def test_in_the_middle_of_an_archive_it_is_read_again(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Fix the page", session="s", turn="t1"))
        shelf.archive(SHOP, a_turn("t1", answer="the harbour crane", session="s"))

        def dying(_: Path, __: int) -> Iterator[Turn]:
            yield a_turn("t1", answer="the harbour", session="s")
            raise OSError("no")

        with pytest.raises(OSError, match="no"):
            shelf.index.sync(shelf.sources(SHOP, read_archive=dying))  # type: ignore[arg-type]
        halfway = found_by_said(shelf, "harbour")
        shelf.sync(SHOP)

        assert halfway == []
        assert found_by_said(shelf, "crane") == ["Fix the page"]


class TestAnew:
    """Everything is read and compared, whatever the sizes and times say."""

    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("harbour", "with a crane", session="s", turn="t1", day=1),
            a_memory("cake", "with a candle", session="s", day=2),
        )
        shelf.tell(SHOP, a_turn("t1", answer="a pumpkin", session="s"))

    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM entries WHERE title = 'cake'",
            "DELETE FROM entries",
            "DELETE FROM passages",
            "DELETE FROM passages WHERE part = 'said'",
            "UPDATE projects SET entries = 0",
            "UPDATE projects SET passages = 0",
            "UPDATE documents SET version = 'x'",
            "UPDATE entries SET digest = CAST(title AS BLOB)",
            "UPDATE passages SET hash = x'00'",
        ],
    )
    def test_what_was_lost_comes_back(self, shelf: Shelf, damage: str) -> None:
        before = sorted(passages(shelf))
        shelf.index.connection.execute(damage)

        shelf.sync(SHOP, anew=True)

        connection = shelf.index.connection
        assert held(shelf) == ["cake", "harbour"]
        assert sorted(passages(shelf)) == before
        assert lookup.recall(connection, SHOP, "harbour crane", limit=1, bar=0.5)
        assert found_by_said(shelf, "pumpkin") == ["harbour"]
        assert is_whole(shelf)

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE entries SET title = 'damaged' WHERE title = 'cake'",
            "UPDATE entries SET card = 'damaged'",
            "UPDATE passages SET text = 'damaged'",
            "UPDATE passages SET card = 'damaged'",
        ],
    )
    def test_what_was_changed_is_put_right(self, shelf: Shelf, damage: str) -> None:
        shelf.index.connection.execute(damage)

        shelf.sync(SHOP, anew=True)

        stored = shelf.index.connection.execute("SELECT title, card FROM entries").fetchall()
        shown = shelf.index.connection.execute("SELECT text, card FROM passages").fetchall()
        assert "damaged" not in str(stored)
        assert "damaged" not in str(shown)

    def test_without_damage_nothing_changes_and_nothing_is_embedded_again(
        self, shelf: Shelf
    ) -> None:
        bag = WordBag()
        shelf.embed(bag)
        before = (passages(shelf), shelf.index.recent(SHOP, limit=9))
        bag.asked.clear()

        shelf.sync(SHOP, anew=True)
        shelf.embed(bag)

        assert (passages(shelf), shelf.index.recent(SHOP, limit=9)) == before
        assert bag.asked == []

    def test_files_that_are_gone_go(self, shelf: Shelf) -> None:
        (shelf.folder / "projects" / SHOP / "day.md").unlink()

        shelf.sync(SHOP, anew=True)

        assert held(shelf) == []
