from datetime import datetime

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from recollect.journal import day, markdown, sections
from recollect.journal.model import JournalEntry
from tests.builders.journal import (
    BERLIN,
    OTHER_SESSION,
    SESSION,
    a_moment,
    a_summary,
    an_entry,
    an_observation,
    entries,
    texts,
)


def place(text: str, *entries_to_place: JournalEntry) -> str:
    for entry in entries_to_place:
        rendered = markdown.render_entry(entry, local=BERLIN)
        text = day.place(text, rendered, began=entry.at.astimezone(BERLIN))
    return text


def summarised(text: str, summary: None = None) -> str:
    rendered = markdown.render_summary(summary or a_summary(), summary_id="20261115T133000-0f")
    return day.place(text, rendered, began=a_moment("13:30").astimezone(BERLIN))


def headings(text: str) -> list[str]:
    return [section.heading for section in sections.split(text)]


def test_the_first_entry_makes_the_day_and_its_session() -> None:
    text = place("", an_entry())

    assert headings(text) == ["2026-11-15", "Session 14:32 · 9ee0ccc7", "14:32 Fix the query"]
    assert text.startswith("# 2026-11-15\n\n## Session 14:32 · 9ee0ccc7\n\n### 14:32 Fix")


def test_entries_stand_under_their_session_in_the_order_of_time() -> None:
    text = place(
        "",
        an_entry("second", clock="13:40"),
        an_entry("other", clock="13:35", session=OTHER_SESSION),
        an_entry("third", clock="13:50"),
        an_entry("first", clock="13:32"),
        an_entry("earlier", clock="09:00", session="bbbbbbbb-0"),
    )

    assert headings(text) == [
        "2026-11-15",
        "Session 10:00 · bbbbbbbb",
        "10:00 earlier",
        "Session 14:35 · 41aa0c1e",
        "14:35 other",
        "Session 14:40 · 9ee0ccc7",
        "14:32 first",
        "14:40 second",
        "14:50 third",
    ]


def test_a_summary_stands_directly_below_its_session() -> None:
    text = summarised(place("", an_entry(), an_entry("later", clock="13:50")))

    assert headings(text)[1:4] == ["Session 14:32 · 9ee0ccc7", "Summary", "14:32 Fix the query"]


def test_a_summary_does_not_swallow_what_the_user_wrote_below_the_session() -> None:
    text = place("", an_entry()).replace("9ee0ccc7\n", "9ee0ccc7\n\nMy own words.\n", 1)

    text = summarised(text)

    assert [memory.title for memory in markdown.kept(text, day=None)] == [
        "My own words.",
        "Summary",
        "Fix the query",
    ]
    assert [memory.edited for memory in markdown.kept(text, day=None)] == [True, False, False]


def test_a_session_is_recognised_by_its_short_id_whatever_else_its_heading_says() -> None:
    text = place("", an_entry()).replace("9ee0ccc7\n", "9ee0ccc7 the big refactoring\n", 1)

    text = place(text, an_entry("later", clock="13:50"))

    assert sum("Session" in heading for heading in headings(text)) == 1


def test_sessions_whose_ids_begin_alike_do_not_mix() -> None:
    text = place("", an_entry(session="019a4f2c-aaaa"), an_entry("b", session="019a4f2c-bbbb"))

    assert headings(text).count("Session 14:32 · 019a4f2c") == 2


def test_a_session_id_cannot_break_its_heading() -> None:
    text = place("", an_entry(session="\n## x"), an_entry("b", clock="13:40", session="\n## x"))

    assert headings(text)[1] == "Session 14:32 · x"
    assert len(headings(text)) == 4


@given(texts, entries)
@settings(deadline=None)
def test_placing_an_entry_changes_no_other_byte(text: str, entry: JournalEntry) -> None:
    placed = place(text, entry)

    start = next(n for n in range(len(text) + 1) if n == len(text) or placed[n] != text[n])
    assert placed.startswith(text[:start])
    assert placed.endswith(text[start:])


@given(texts, st.lists(entries, max_size=4, unique_by=lambda entry: entry.id))
@settings(deadline=None)
def test_an_entry_that_was_placed_is_found_unedited(text: str, several: list[JournalEntry]) -> None:
    placed = place(text, *several)

    found = {memory.id: memory for memory in markdown.kept(placed, day=None)}
    assert all(not found[entry.id].edited for entry in several)


@given(texts, entries)
@settings(deadline=None)
def test_placing_changes_no_memory_of_the_user(text: str, entry: JournalEntry) -> None:
    before = {memory.id for memory in markdown.kept(text, day=None)}

    after = {memory.id for memory in markdown.kept(place(text, entry), day=None)}

    assert before <= after


def test_a_file_with_windows_line_endings_keeps_them() -> None:
    text = place(place("", an_entry()).replace("\n", "\r\n"), an_entry("later", clock="13:50"))

    assert text.count("\n") == text.count("\r\n")


def test_a_last_line_without_an_end_gets_one() -> None:
    text = place("# 2026-11-15\n\nno end", an_entry())

    assert "\n\nno end\n\n## Session" in text


def test_an_entry_is_replaced_in_its_place() -> None:
    old, new = an_entry("old"), an_entry("new", observations=(an_observation(),))
    text = place("", old, an_entry("later", clock="13:50")) + "\n### Mine\n"

    replaced = day.replace(text, old.id, markdown.render_entry(new, local=BERLIN))

    assert replaced == text.replace(
        markdown.render_entry(old, local=BERLIN), markdown.render_entry(new, local=BERLIN)
    )


def test_an_entry_that_the_user_changed_is_not_replaced() -> None:
    entry = an_entry()
    text = place("", entry).replace("Fix the query", "Fix THE query")

    assert day.replace(text, entry.id, "### new") is None


def test_an_entry_of_which_the_user_changed_a_copy_is_not_replaced() -> None:
    entry = an_entry()
    ours = markdown.render_entry(entry)

    assert day.replace(f"{ours}\n{ours.replace('query', 'page')}", entry.id, "### new") is None


def test_what_is_not_there_is_not_replaced() -> None:
    assert day.replace("# 2026-11-15\n", "20261115T133207-0f", "### new") is None


class TestMerge:
    def test_a_copy_adds_what_is_missing(self) -> None:
        mine = place("", an_entry("a"))
        other = place(
            "", an_entry("b", clock="13:40"), an_entry("c", turn="c", session=OTHER_SESSION)
        )

        assert headings(day.merge(mine, other)) == [
            "2026-11-15",
            "Session 14:32 · 9ee0ccc7",
            "14:32 a",
            "14:40 b",
            "Session 14:32 · 41aa0c1e",
            "14:32 c",
        ]

    def test_the_users_version_of_an_entry_wins_on_either_side(self) -> None:
        ours = place("", an_entry(observations=(an_observation("a long title of ours"),)))
        theirs = ours.replace("a long title of ours", "mine")

        assert day.merge(ours, theirs) == theirs
        assert day.merge(theirs, ours) == theirs

    def test_the_longer_of_two_untouched_versions_wins(self) -> None:
        short = place("", an_entry())
        long = place("", an_entry(observations=(an_observation(),)))

        assert day.merge(short, long) == long
        assert day.merge(long, short) == long

    def test_hand_written_text_of_both_copies_is_there(self) -> None:
        entry = an_entry()
        mine = place("# 2026-11-15\n\nfrom here\n", entry) + "\n### Todo\n\n- one\n"
        other = (
            place("# 2026-11-15\n\nfrom there\n", entry) + "\n### Todo\n\n- one\n- two\n\n## New\n"
        )

        merged = day.merge(mine, other)

        assert "from here\n\nfrom there\n" in merged
        assert merged.count("### Todo") == 1
        assert "- one\n- two\n" in merged
        assert "## New" in merged
        assert not any(memory.edited for memory in markdown.kept(merged, day=None) if memory.turn)

    def test_a_section_of_the_user_stays_with_its_session(self) -> None:
        mine = place("", an_entry(), an_entry("b", clock="15:00", session=OTHER_SESSION))
        other = place("", an_entry()) + "\n### Mine\n\ntext\n"

        assert headings(day.merge(mine, other))[2:5] == [
            "14:32 Fix the query",
            "Mine",
            "Session 16:00 · 41aa0c1e",
        ]

    @pytest.mark.parametrize(("mine", "other"), [("", "# day\n\ntext\n"), ("# day\n\ntext\n", "")])
    def test_an_empty_copy_changes_nothing(self, mine: str, other: str) -> None:
        assert day.merge(mine, other) == "# day\n\ntext\n"

    @given(texts, texts)
    @settings(deadline=None)
    def test_merging_loses_no_line_that_the_user_wrote(self, mine: str, other: str) -> None:
        assume("recollect:" not in mine + other)

        merged = {line.strip() for line in day.merge(mine, other).split("\n")}

        lines = [line.strip() for line in f"{mine}\n{other}".split("\n")]
        assert {line for line in lines if line and not line.startswith("#")} <= merged

    @given(st.lists(entries, max_size=3), st.lists(entries, max_size=3))
    @settings(deadline=None)
    def test_merging_twice_is_merging_once(
        self, left: list[JournalEntry], right: list[JournalEntry]
    ) -> None:
        mine, other = place("", *left), place("", *right)

        once = day.merge(mine, other)

        assert day.merge(once, other) == once
        assert day.merge(mine, mine) == mine


def test_a_summary_alone_makes_its_session() -> None:
    text = day.place(
        "",
        markdown.render_summary(a_summary(), summary_id="s"),
        began=datetime(2026, 11, 15, 14, 30, tzinfo=BERLIN),
    )

    assert headings(text) == ["2026-11-15", f"Session 14:30 · {SESSION[:8]}", "Summary"]
