from datetime import UTC, date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.journal import markdown, sections
from recollect.journal.model import JournalEntry, LibraryItem, Observation, Summary
from tests.builders.journal import (
    BERLIN,
    SESSION,
    a_summary,
    an_entry,
    an_observation,
    entries,
    observations,
    texts,
)
from tests.narrowing import not_none

DAY = date(2026, 11, 15)


def written(value: str) -> str:
    """What a value is after it has been through a file."""
    return markdown.one_line(value).replace(r"<\!--", "<!--").replace(r"--\>", "-->")


def test_an_entry_reads_like_the_design_says() -> None:
    observation = an_observation(
        "N+1 query in `get_orders` fixed with `selectinload`",
        text="It loaded each order alone.",
        facts=("the page issues 1 query", "it issued 41"),
        files_modified=("src/db.py",),
        files_read=("tests/test_db.py",),
        concepts=("problem-solution", "gotcha"),
    )

    heading, anchor, *body = markdown.render_entry(
        an_entry(observations=(observation,)), local=BERLIN
    ).splitlines()

    assert heading == "### 14:32 Fix the query"
    assert anchor.startswith('<!-- recollect: {"id":"20261115T133207-')
    assert '"at":"2026-11-15T13:32:07Z","branch":"main","commit":"ab12"' in anchor
    assert body == [
        "- **bugfix** N+1 query in `get_orders` fixed with `selectinload`",
        "  - text: It loaded each order alone.",
        "  - facts: the page issues 1 query",
        "  - facts: it issued 41",
        "  - files: `src/db.py` (modified), `tests/test_db.py` (read)",
        "  - concepts: problem-solution, gotcha",
    ]


def test_several_files_share_what_became_of_them() -> None:
    observation = Observation(
        type="change", title="Tea", files_modified=("a.py", "b.py"), files_read=("c.py", "d.py")
    )

    *_, files = markdown.render_entry(an_entry(observations=(observation,))).splitlines()

    assert files == "  - files: `a.py`, `b.py` (modified), `c.py`, `d.py` (read)"


def test_a_journal_is_read_also_as_each_file_had_its_own_word() -> None:
    (entry,) = markdown.kept(
        "### 14:32 Tea\n- **change** tea\n"
        "  - files: `a.py` (modified), `b.py` (modified), `c` (read)",
        day=None,
    )

    (seen,) = markdown.parse_observations(entry)

    assert (seen.files_modified, seen.files_read) == (("a.py", "b.py"), ("c",))


def test_a_summary_has_all_eight_fields_on_a_line_each() -> None:
    summary = a_summary(files_read=("a.py", "b c.py"), notes="two\nlines")

    text = markdown.render_summary(summary, summary_id="20261115T133000-0f")

    assert text.splitlines()[2:] == [
        "- request: Fix the query",
        "- investigated:",
        "- learned:",
        "- completed:",
        "- next_steps:",
        "- files_read: `a.py`, `b c.py`",
        "- files_edited:",
        "- notes: two lines",
    ]


@given(entries)
@settings(deadline=None)
def test_nothing_in_an_entry_can_break_the_grammar(entry: JournalEntry) -> None:
    text = markdown.render_entry(entry, local=UTC)

    lines = text.split("\n")
    assert lines[0].startswith("### ")
    assert lines[1].startswith("<!-- recollect: {")
    assert lines[1].endswith("} -->")
    assert all(line.startswith(("- **", "  - ")) for line in lines[2:-1])
    assert text.count("-->") == 1
    assert text.count("<!--") == 1
    text.encode()


@given(entries)
@settings(deadline=None)
def test_an_entry_comes_back_from_its_markdown(entry: JournalEntry) -> None:
    (memory,) = markdown.kept(markdown.render_entry(entry, local=UTC), day=DAY)

    assert not memory.edited
    assert (memory.kind, memory.id, memory.turn) == ("entry", entry.id, entry.turn)
    assert (memory.session, memory.host, memory.by) == (entry.session, entry.host, entry.by)
    assert (memory.branch, memory.commit) == (entry.branch, entry.commit)
    assert memory.at == entry.at.replace(microsecond=0)
    assert len(memory.title) <= markdown.LONGEST_TITLE
    if len(written(entry.headline)) < 100:
        assert memory.title == written(entry.headline)


@given(st.lists(observations, max_size=3))
@settings(deadline=None)
def test_observations_come_back_from_their_markdown(seen: list[Observation]) -> None:
    (memory,) = markdown.kept(markdown.render_entry(an_entry(observations=tuple(seen))), day=DAY)

    read = markdown.parse_observations(memory)

    def facts(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(None, map(written, names)))

    assert [each.type for each in read] == [each.type for each in seen]
    assert [each.facts for each in read] == [facts(each.facts) for each in seen]
    assert [each.text for each in read] == [written(each.text) for each in seen]
    assert [each.files_modified for each in read] == [facts(each.files_modified) for each in seen]
    assert [each.files_read for each in read] == [facts(each.files_read) for each in seen]


@given(texts, st.lists(texts, max_size=3))
@settings(deadline=None)
def test_a_summary_comes_back_from_its_markdown(value: str, names: list[str]) -> None:
    summary = a_summary(value, learned=value, files_edited=tuple(names), notes=value)

    (memory,) = markdown.kept(markdown.render_summary(summary, summary_id="s"), day=DAY)

    assert memory.kind == "summary"
    assert markdown.parse_summary(memory) == Summary(
        session=SESSION,
        request=written(value),
        learned=written(value),
        files_edited=tuple(filter(None, map(written, names))),
        notes=written(value),
    )


def test_an_entry_is_read_back_whole() -> None:
    entry = an_entry(observations=(an_observation(facts=("one",), concepts=("gotcha",)),))

    (memory,) = markdown.kept(markdown.render_entry(entry), day=DAY)

    assert markdown.parse_entry(memory) == entry


def test_a_title_loses_what_nobody_can_see_and_is_cut() -> None:
    (memory,) = markdown.kept(
        markdown.render_entry(an_entry("Fi\u200bx\x07 " + "x" * 200)), day=DAY
    )

    assert memory.title.startswith("Fix xxx")
    assert memory.title.endswith("…")
    assert len(memory.title) == 120


@given(texts)
@settings(deadline=None)
def test_any_text_can_be_read(text: str) -> None:
    memories = markdown.kept(text, day=DAY)

    assert len({memory.id for memory in memories}) == len(memories)
    assert [memory.first_line for memory in memories] == sorted(m.first_line for m in memories)
    for memory in memories:
        assert "<!-- recollect:" not in memory.body
        markdown.parse_observations(memory)
        markdown.parse_summary(memory)


def test_hand_written_text_is_kept_wherever_it_stands() -> None:
    text = (
        "# 2026-11-15\n\nA loose thought.\n\n"
        "## Session 14:32 · 9ee0ccc7\n\nBelow the session.\n\n"
        f"{markdown.render_entry(an_entry())}\n"
        "### A section of mine\n\nwith text\n\n## Plans\n\nfor tomorrow\n"
    )

    by_title = {memory.title: memory for memory in markdown.kept(text, day=DAY)}

    assert list(by_title) == [
        "A loose thought.",
        "Below the session.",
        "Fix the query",
        "A section of mine",
        "Plans",
    ]
    assert by_title["A section of mine"].kind == "hand"
    assert by_title["A section of mine"].body == "with text"
    assert by_title["A section of mine"].session == SESSION
    assert not_none(by_title["A section of mine"].at).date() == DAY
    assert by_title["Plans"].session == ""
    assert by_title["A loose thought."].id.startswith("h-")


def test_the_same_words_on_two_days_are_two_memories() -> None:
    (today,) = markdown.kept("Lunch with Ada\n", day=DAY)
    (tomorrow,) = markdown.kept("Lunch with Ada\n", day=date(2026, 11, 16))

    assert today.id != tomorrow.id


def test_an_entry_whose_anchor_was_deleted_is_the_users() -> None:
    lines = markdown.render_entry(an_entry()).splitlines(keepends=True)

    (memory,) = markdown.kept(lines[0] + "".join(lines[2:]), day=DAY)

    assert (memory.kind, memory.title) == ("hand", "Fix the query")


def test_a_changed_entry_is_known_as_edited() -> None:
    text = markdown.render_entry(an_entry(observations=(an_observation(),)))

    (memory,) = markdown.kept(text.replace("N+1", "N+2"), day=DAY)

    assert memory.edited
    assert memory.kind == "entry"


def test_of_two_sections_with_one_id_the_users_wins_then_the_first() -> None:
    ours = markdown.render_entry(an_entry(observations=(an_observation("ours"),)))
    theirs = ours.replace("ours", "theirs")

    (changed,) = markdown.kept(f"{ours}\n{theirs}", day=DAY)
    (first,) = markdown.kept(f"{ours}\n{ours}", day=DAY)

    assert "theirs" in changed.body
    assert first.first_line == 1


def test_a_file_with_windows_line_endings_says_the_same() -> None:
    text = f"# 2026-11-15\n\n{markdown.render_entry(an_entry(observations=(an_observation(),)))}"

    assert markdown.kept(text.replace("\n", "\r\n"), day=DAY) == markdown.kept(text, day=DAY)


def test_a_summary_is_dated_by_its_id() -> None:
    (memory,) = markdown.kept(
        markdown.render_summary(a_summary(), summary_id="20261115T133000-0f"), day=DAY
    )

    assert memory.at == datetime(2026, 11, 15, 13, 30, tzinfo=UTC)


def test_an_id_that_could_be_a_path_is_not_believed() -> None:
    (memory,) = markdown.kept('### x\n<!-- recollect: {"id":"../../etc","turn":"t"} -->\n', day=DAY)

    assert memory.id.startswith("h-")


def test_an_anchor_that_names_neither_turn_nor_session_is_no_memory_of_ours() -> None:
    (memory,) = markdown.kept('### x\n<!-- recollect: {"id":"a"} -->\ntext\n', day=DAY)

    assert (memory.kind, memory.body) == ("hand", "text")


def test_an_editor_may_wrap_long_lines_and_change_bullets() -> None:
    body = "* **Idea** a long\n  title\n  * facts: one\n    two\n\n  * unknown: x\n"

    read = markdown.parse_observations(LibraryItem(id="a", kind="entry", title="", body=body))

    assert read == (Observation(type="change", title="a long title", facts=("one two",)),)


def test_every_section_of_a_rendered_day_is_ours() -> None:
    text = (
        markdown.render_entry(an_entry())
        + "\n"
        + markdown.render_summary(a_summary(), summary_id="s")
    )

    assert all(part.anchor and not part.edited for part in sections.split(text))
