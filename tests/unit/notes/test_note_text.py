import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import NoteError
from recollect.notes import note_body, note_text
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.note_model import Note, tidy_text
from tests.builders.notes import NOON, a_file, a_note, a_place, any_note, content_of, later, texts

A_DECISION = """\
---
schema_version: "1.0"
category: decision
id: postgres-for-orders
created_at: 2026-11-15T12:00:00Z
updated_at: 2026-11-15T12:00:00Z
tags:
  - orders
status: accepted
source:
  by: agent
  session: "9ee0ccc7"
---
# Postgres for orders

## Decision

Orders live in Postgres.

## Context

Orders outgrew SQLite.

## Rationale

- partial indexes
- the team knows it
  from the old shop

## Alternatives

- MySQL: rejected because it has no partial indexes
"""

# Fewer keys than ours, other headings, other bullets, and a section of their own.
HAND_WRITTEN = """\
---
Owner:   ann     # who to ask
tags: Orders, DB
---
Some remark above.

# Postgres for orders

Orders live in Postgres since May.

## Why this way
We tried, really.

## rationale:
1. partial indexes
2) the team
knows it

* hosting is there

## Alternatives
- MySQL: no partial indexes
- SQLite - too small
- nothing
"""


def read(text: str, *, category: Category = "decision", name: str = "postgres-for-orders") -> Note:
    place = note_text.NotePlace(category=category, id=name, modified=NOON)
    return note_text.read(text, place)


def rewritten(text: str, **changes: Any) -> str:
    note = read(text)
    content = changes.pop("content", None)
    if content:
        changes["content"] = dict(note.content) | content
    return note_text.rewrite(text, note.changed(**changes), a_place(note))


def refused(text: str, **where: Any) -> NoteError:
    with pytest.raises(NoteError) as caught:
        read(text, **where)
    return caught.value


def test_a_note_is_a_file_that_a_person_can_read() -> None:
    note = a_note(
        source={"by": "agent", "session": "9ee0ccc7"},
        content={
            "rationale": ["partial indexes", "the team knows it\nfrom the old shop"],
            "alternatives": [{"option": "MySQL", "rejected_reason": "it has no partial indexes"}],
        },
    )

    assert note_text.render(note) == A_DECISION
    assert read(A_DECISION) == note


def test_examples_stand_in_two_groups() -> None:
    examples = {"prefer": ["pnpm add x"], "avoid": ["npm install x", "yarn"]}
    note = a_note(category="preference", content={"examples": examples})

    text = note_text.render(note)

    assert text.endswith(
        "## Examples\n\n### Prefer\n\n- pnpm add x\n\n### Avoid\n\n- npm install x\n- yarn\n"
    )
    assert note_text.read(text, a_place(note)) == note


@given(any_note())
def test_any_note_comes_back_from_its_file(note: Note) -> None:
    text = note_text.render(note)

    assert note_text.read(text, a_place(note)) == note
    assert note_text.rewrite(text, note, a_place(note)) == text


@given(st.data(), st.sampled_from(sorted(CATEGORIES)))
def test_any_note_can_become_any_other_of_its_category(
    data: st.DataObject, category: Category
) -> None:
    first = data.draw(any_note(category, "same"))
    second = data.draw(any_note(category, "same"))

    text = note_text.rewrite(note_text.render(first), second, a_place(first))

    assert note_text.read(text, a_place(first)) == second


@given(texts, texts)
def test_a_change_keeps_every_byte_of_the_other_sections(decision: str, mine: str) -> None:
    before = HAND_WRITTEN + f"\n## Mine\n\n{note_body.write('text', mine)}\n"

    after = rewritten(before, content={"decision": decision})

    kept = before[before.index("## Why this way") : before.index("## Alternatives")]
    assert kept in after
    assert after.endswith(before[before.index("## Alternatives") :])
    assert "Owner:   ann     # who to ask\ntags: Orders, DB\n" in after
    assert "Some remark above.\n\n# Postgres for orders\n" in after


def test_what_a_person_left_out_has_a_sensible_value() -> None:
    note = read(HAND_WRITTEN)

    assert note.title == "Postgres for orders"
    assert note.tags == ("orders", "db")
    assert (note.created_at, note.updated_at) == (NOON, NOON)
    assert content_of(note).status == "accepted"
    assert content_of(note).decision == "Orders live in Postgres since May."
    assert content_of(note).context == content_of(note).decision


def test_a_list_may_have_numbers_wrapped_lines_and_paragraphs() -> None:
    note = read(HAND_WRITTEN)

    assert content_of(note).rationale == (
        "partial indexes",
        "the team\nknows it",
        "hosting is there",
    )


def test_an_alternative_may_be_written_in_other_ways() -> None:
    alternatives = content_of(read(HAND_WRITTEN)).alternatives

    assert [(each.option, each.rejected_reason) for each in alternatives] == [
        ("MySQL", "no partial indexes"),
        ("SQLite", "too small"),
        ("nothing", "nothing"),
    ]


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_title_and_a_text_are_enough(category: Category) -> None:
    note = read("# Deploys\n\nNever deploy on Fridays.\n", category=category, name="deploys")

    assert note.title == "Deploys"
    assert note.tags == (category.replace("_", "-"),)
    main = CATEGORIES[category].main
    assert getattr(note.content, main) == "Never deploy on Fridays."


def test_without_a_heading_the_key_or_the_name_of_the_file_is_the_title() -> None:
    assert read("---\ntitle: From Obsidian\n---\nText.\n").title == "From Obsidian"
    assert read("Text.\n").title == "Postgres for orders"


def test_a_plain_date_is_a_time() -> None:
    note = read("---\ncreated_at: 2026-11-14\nupdated_at: 2026-11-14 10:30\n---\nText.\n")

    assert note.created_at.isoformat() == "2026-11-14T00:00:00+00:00"
    assert note.updated_at.isoformat() == "2026-11-14T10:30:00+00:00"


def test_more_tags_than_twelve_and_numbers_as_tags_are_fine() -> None:
    text = "---\ntags: [2026, " + ", ".join(f"T{n}" for n in range(20)) + "]\n---\nText.\n"

    assert read(text).tags == ("2026", *(f"t{n}" for n in range(11)))


def test_code_in_a_step_belongs_to_the_step() -> None:
    code = "```sh\nmake\n\n# 1. not a step\n## no heading\n```"
    text = f"Broken build.\n\n## Steps\n\n1. Run\n\n{code}\n2. Wait\n"

    note = read(text, category="runbook")

    assert content_of(note).steps == (f"Run\n\n{code}", "Wait")


def test_a_code_block_that_nobody_closed_swallows_no_section() -> None:
    text = "# T\n\n## Decision\n\n```\nx\n\n## Context\n\nWhy.\n\n## Rationale\n\n- r\n"

    note = read(text)

    assert content_of(note).context == "Why."
    assert content_of(note).decision == "```\nx"


def test_a_section_that_stands_twice_is_read_as_one_and_written_once() -> None:
    text = "# T\n\n## Decision\n\none\n\n## Rationale\n\n- r\n\n## Decision\n\ntwo\n"

    assert content_of(read(text)).decision == "one\n\ntwo"
    after = rewritten(text, content={"decision": "three"})
    assert after.count("## Decision") == 1
    assert content_of(read(after)).decision == "three"


def test_windows_line_ends_stay() -> None:
    text = HAND_WRITTEN.replace("\n", "\r\n")

    after = rewritten(text, content={"decision": "Other.\nLines."}, title="New", seen=2)

    assert "\n" not in after.replace("\r\n", "")
    assert content_of(read(after)).decision == "Other.\nLines."


def test_bytes_that_are_no_utf8_stay_in_what_does_not_change() -> None:
    text = "# T\n\nText.\n\n## Mine\n\n\udcff\n\n## Context\n\nWhy\udce4.\n"

    after = rewritten(text, seen=2)

    assert after.endswith(text[text.index("## Mine") :])
    assert content_of(read(text)).context == "Why\ufffd."


def test_only_what_changed_is_written() -> None:
    after = rewritten(HAND_WRITTEN, updated_at=later(days=1), seen=1)

    new = [line for line in after.splitlines() if line not in HAND_WRITTEN.splitlines()]
    assert new == [
        "created_at: 2026-11-15T12:00:00Z",
        "updated_at: 2026-11-16T12:00:00Z",
        "seen: 1",
    ]


def test_a_new_text_replaces_the_one_below_the_title() -> None:
    after = rewritten(HAND_WRITTEN, content={"decision": "Orders live in CockroachDB."})

    assert "since May" not in after.partition("## Context")[0]
    assert "# Postgres for orders\n\n## Decision\n\nOrders live in CockroachDB.\n" in after
    assert content_of(read(after)).context == "Orders live in Postgres since May."


def test_a_new_section_comes_in_its_place() -> None:
    after = rewritten(A_DECISION, content={"consequences": ["backups change"], "context": "New."})

    assert after == A_DECISION.replace("Orders outgrew SQLite.", "New.") + (
        "\n## Consequences\n\n- backups change\n"
    )


def test_a_section_without_a_value_is_taken_out() -> None:
    after = rewritten(A_DECISION, content={"alternatives": []})

    assert after == A_DECISION[: A_DECISION.index("## Alternatives")]


def test_keys_inside_a_table_that_are_not_ours_stay() -> None:
    text = A_DECISION.replace("  by: agent\n", "  by: agent\n  machine: build-3  # old\n")

    after = rewritten(text, source={"by": "user", "session": "other"})

    assert "machine: build-3  # old" in after
    assert read(after).source.session == "other"


def test_a_copied_file_is_the_note_that_its_name_says() -> None:
    note = read(A_DECISION, name="copy")

    assert note.id == "copy"
    after = note_text.rewrite(A_DECISION, note.changed(seen=1), a_place(note))
    assert "\nid: copy\n" in after


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("status: accepted", "status: maybe", 9, 'content.status: "maybe" is not known'),
        ("  - orders", "  - a: b", 7, "tags[1]"),
        ("2026-11-15T12:00:00Z\nupd", "soon\nupd", 5, "created_at: no time with a zone"),
        ("# Postgres for orders", "# " + "x" * 121, 14, "title: 121 characters"),
        ("category: decision", "category: runbook", 3, '"runbook" is not the category'),
        ("- partial indexes", "- " + "x" * 2001, 24, "content.rationale[1]: 2,001 characters"),
        ("by: agent", "by: nobody", 10, 'source.by: "nobody" is not known'),
        ("status:", "pinned: maybe\nstatus:", 9, 'pinned: "maybe" is not true or false'),
        ("status:", "confidence: high\nstatus:", 9, 'confidence: "high" is not'),
        ("status:", "seen: -1\nstatus:", 9, 'seen: "-1" is not'),
    ],
)
def test_what_is_really_broken_is_said_with_its_line(
    old: str, new: str, line: int, what: str
) -> None:
    error = refused(A_DECISION.replace(old, new, 1))

    assert error.line == line
    assert error.message.startswith(f"line {line}: {what}")
    assert error.hint


def test_a_file_without_any_text_is_refused_with_the_heading_it_needs() -> None:
    error = refused("# Postgres for orders\n\n## Unknown\n\ntext\n")

    assert error.message == "line 1: there is no text for decision"
    assert "`## Decision`" in error.hint


def test_five_megabytes_are_refused_at_once() -> None:
    began = time.process_time()

    error = refused("# T\n\n" + "x" * 5_000_000)

    assert "at most 1,000,000 are read" in error.message
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "piece", ["```a\n", "~~~\n```\n", "- x\n", "\\", "## Decision\n", "x\n\n", "- \n  ", ": "]
)
def test_no_text_takes_long_to_read(piece: str) -> None:
    text = "# T\n\n" + piece * (400_000 // len(piece))
    began = time.process_time()

    try:
        read(text)
    except NoteError as error:
        assert error.message  # noqa: PT017 - some are too long, and that is fine

    assert time.process_time() - began < 10  # Quadratic would be hours.


def test_a_note_too_large_to_be_read_again_is_not_written() -> None:
    items = ["a\n" * 999 + "a"] * 50
    fields = ("completed", "next_actions", "in_progress", "blockers", "key_changes")
    note = a_note(category="session_summary", content=dict.fromkeys(fields, items))

    with pytest.raises(NoteError, match="at most 1,000,000 are read"):
        note_text.render(note)


@given(texts)
def test_a_text_never_begins_a_section(text: str) -> None:
    written = note_body.write("text", tidy_text(text))

    assert note_body.parse(written, ("decision",)).blocks == ()
    assert note_body.read("text", written) == tidy_text(text)


def test_code_is_not_escaped() -> None:
    shell = "```sh\n# install\n## twice\nmake\n```"

    assert note_body.write("text", shell) == shell


def test_a_line_like_a_heading_is_escaped_as_markdown_has_it() -> None:
    assert note_body.write("text", "## Not a section") == r"\## Not a section"


def test_the_file_of_each_category_is_small_and_plain() -> None:
    for category in CATEGORIES:
        text = a_file(a_note(category=category))

        assert text.count("\n") < 40
        assert "null" not in text
