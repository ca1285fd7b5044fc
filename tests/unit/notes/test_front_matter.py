import contextlib
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.errors import NoteError
from recollect.journal import markdown
from recollect.notes import front_matter, note_text, plain_yaml
from recollect.notes.note_model import Note
from recollect.notes.plain_yaml import Plain
from tests.builders.notes import any_note, lines

ORDER = ("title", "tags", "status", "retired_at", "files", "seen", "changes")

HAND_WRITTEN = """\
---
# what a person wrote
title:   "My   note"   # spaced
tags: [a,  b]   # in one line
status: 'accepted'  # since May

# about files
files:
- src/a.py   # the main one
- src/b.py
- src/c.py   # the last
mine: !custom {x: 1,y:   2}
quoted: "1.0"
long: |
  # no comment
  two lines
# the end
---
# Body
---
not front matter
"""


def rewritten(text: str, **changes: Any) -> str:
    document = front_matter.read(text)
    return front_matter.rewrite(document, changes, body=document.body, order=ORDER)


def refused(yaml: str) -> NoteError:
    with pytest.raises(NoteError) as caught:
        front_matter.read(f"---\n{yaml}---\nbody\n")
    return caught.value


def changed_lines(before: str, after: str) -> list[str]:
    old = before.splitlines()
    return [line for line in after.splitlines() if line not in old]


def test_values_are_text_whatever_they_look_like() -> None:
    values = front_matter.read("---\na: 1.0\nb: true\nc: 2026-11-15\nd: 'x'\ne:\n---\n").values

    assert values == {"a": "1.0", "b": "true", "c": "2026-11-15", "d": "x", "e": None}


def test_what_does_not_change_keeps_its_bytes() -> None:
    assert rewritten(HAND_WRITTEN) == HAND_WRITTEN


def test_a_change_touches_its_own_lines_alone() -> None:
    after = rewritten(HAND_WRITTEN, seen=3, title="Another")

    title, seen = changed_lines(HAND_WRITTEN, after)
    assert title.split() == ["title:", '"Another"', "#", "spaced"]
    assert seen == "seen: 3"
    assert len(after.splitlines()) == len(HAND_WRITTEN.splitlines()) + 1


def test_a_changed_value_keeps_its_comment_and_its_quotes() -> None:
    after = rewritten(HAND_WRITTEN, status="superseded")

    assert "status: 'superseded' # since May\n\n# about files\n" in after


def test_the_items_of_a_list_keep_their_comments() -> None:
    after = rewritten(HAND_WRITTEN, files=["src/a.py", "src/new.py", "src/c.py"])

    assert "- src/a.py   # the main one\n- src/new.py\n- src/c.py   # the last\n" in after


def test_a_list_in_one_line_stays_in_one_line() -> None:
    assert "tags: [a, b, c] # in one line\n" in rewritten(HAND_WRITTEN, tags=["a", "b", "c"])


def test_a_new_key_stands_behind_its_neighbour_and_before_the_comment_on_the_next() -> None:
    after = rewritten(HAND_WRITTEN, retired_at=datetime(2026, 11, 15, tzinfo=UTC))

    assert "# since May\nretired_at: 2026-11-15T00:00:00Z\n\n# about files\n" in after


def test_a_key_is_taken_out_without_the_comments_around_it() -> None:
    after = rewritten(HAND_WRITTEN, status=None)

    assert after == HAND_WRITTEN.replace("status: 'accepted'  # since May\n", "")


def test_a_table_keeps_its_indent_and_its_comments() -> None:
    text = "---\nwhere:\n    commit: ab   # four\n    files:\n        a.py: ff\n---\n"
    document = front_matter.read(text)
    value: Plain = {"commit": "cd", "files": {"a.py": "ff", "b c.py": "00"}}

    after = front_matter.rewrite(document, {"where": value}, body="", order=("where",))

    assert after == text.replace("ab ", "cd ").replace(
        "a.py: ff\n", 'a.py: ff\n        b c.py: "00"\n'
    )


def test_windows_line_ends_and_a_byte_order_mark_stay() -> None:
    text = "\ufeff---\r\ntitle: x\r\nmine: y\r\n---\r\n# Body\r\n"

    after = rewritten(text, title="z", seen=1)

    assert after == "\ufeff---\r\ntitle: z\r\nseen: 1\r\nmine: y\r\n---\r\n# Body\r\n"


def test_mixed_line_ends_of_other_keys_stay_mixed() -> None:
    text = "---\r\ntitle: x\r\nmine: y\nhis: z\r\n---\n"

    assert rewritten(text, title="q") == text.replace("title: x", "title: q")


def test_a_line_of_dashes_in_the_body_is_body() -> None:
    document = front_matter.read("---\ntitle: x\n---\none\n---\ntwo\n")

    assert document.body == "one\n---\ntwo\n"
    assert document.body_line == 4


def test_without_front_matter_all_is_body() -> None:
    document = front_matter.read("\ufeff# Title\n\n---\nx: y\n")

    assert document.values == {}
    assert document.body == "# Title\n\n---\nx: y\n"


def test_front_matter_is_added_where_there_is_none() -> None:
    assert rewritten("\ufeff# T\r\n", seen=1) == "\ufeff---\r\nseen: 1\r\n---\r\n# T\r\n"
    assert rewritten("") == ""


@pytest.mark.parametrize("yaml", ["", "# only a comment\n", "\n\n"])
def test_empty_front_matter_is_no_mistake(yaml: str) -> None:
    text = f"---\n{yaml}---\nbody"

    assert front_matter.read(text).values == {}
    assert rewritten(text, seen=1) == f"---\n{yaml}seen: 1\n---\nbody"


@pytest.mark.parametrize(
    ("yaml", "line", "what"),
    [
        ("a: 1\nb: 2\na: 3\n", 4, "a stands here twice"),
        ("x:\n  a: 1\n  a: 2\n", 4, "a stands here twice"),
        ("a: 1\n\tb: 2\n", 3, "a tab where YAML wants spaces"),
        ("a: 1\nb: c: d\n", 3, "broken YAML"),
        ("a: [1\n", 3, "broken YAML"),
        ("a: @x\n", 2, "broken YAML"),
        ("- a\n", 2, "these are no keys"),
        ("{a: 1}\n", 2, "these are no keys"),
        ("words\n", 2, "these are no keys"),
        ("? [a]\n: 1\n", 2, "a key must be text"),
        ("  a: 1\n", 2, "the key does not begin its line"),
        ("a: 1\n...\nb: 2\n", 4, "a second document begins here"),
        ("a: x\x07y\n", 2, "a character that YAML does not allow"),
        ("a: 1\nb: \udcff\n", 3, "a character that YAML does not allow"),
        ('a: "\\UFFFFFFFF"\n', 2, "this is no YAML"),
        ("a: " + "[" * 30 + "]" * 30 + "\n", 2, "nested too deep"),
    ],
)
def test_broken_yaml_is_refused_with_its_line_and_a_fix(yaml: str, line: int, what: str) -> None:
    error = refused(yaml)

    assert error.line == line
    assert error.message.startswith(f"line {line}: {what}")
    assert error.hint


def test_front_matter_without_an_end_is_refused() -> None:
    with pytest.raises(NoteError, match="line 1: the front matter has no end"):
        front_matter.read("---\ntitle: x\n\n# Body\n")


def test_a_few_lines_cannot_become_gigabytes() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{here}: &{here} [*{there}, *{there}]\n"
        for there, here in zip("abcdefgh", "bcdefghi", strict=True)
    )

    assert refused(bomb).message == "line 3: an alias (*) stands for text elsewhere"


def test_five_megabytes_are_refused_at_once() -> None:
    began = time.process_time()

    error = refused("a: " + "x" * 5_000_000 + "\n")

    assert "at most 200,000 fit" in error.message
    assert time.process_time() - began < 5


@pytest.mark.parametrize("piece", ["[", "{", "- ", "? ", "&a ", "#\n", "a: 1 #\n", "x ", "'"])
def test_hostile_yaml_takes_no_time(piece: str) -> None:
    began = time.process_time()

    with contextlib.suppress(NoteError):
        front_matter.read(f"---\na: {piece * (20_000 // len(piece))}\n---\n")

    assert time.process_time() - began < 10


def test_no_tag_makes_an_object() -> None:
    document = front_matter.read("---\na: !!python/object/apply:os.system ['true']\n---\n")

    assert document.values == {"a": ["true"]}


def test_an_error_knows_the_line_of_a_key() -> None:
    document = front_matter.read(HAND_WRITTEN)

    assert document.line_of("files") == 8
    assert document.line_of("none") == 1


@given(st.text(alphabet="ab:- \"\\\n\t{}[]#'1~|>&*!?%@é\u2028"))
@settings(max_examples=300)
def test_any_text_is_read_or_refused_with_a_line(yaml: str) -> None:
    text = f"---\n{yaml}\n---\nbody"
    try:
        document = front_matter.read(text)
    except NoteError as error:
        line = error.line
    else:
        assert document.opening + document.yaml + document.closing + document.body == text
        assert front_matter.rewrite(document, {}, body=document.body, order=()) == text
        line = document.body_line
    assert 1 <= line <= text.count("\n") + 1


tidy_lines = lines.map(markdown.one_line)


@given(tidy_lines, tidy_lines, st.lists(tidy_lines, max_size=3))
def test_any_value_put_into_hand_written_yaml_reads_back(
    title: str, status: str, files: list[str]
) -> None:
    after = rewritten(HAND_WRITTEN, title=title, status=status, files=files or None)

    read = front_matter.read(after).values
    assert (read["title"], read["status"]) == (title, status)
    assert read.get("files", []) == files
    assert read["mine"] == {"x": "1", "y": "2"}


@given(any_note())
def test_what_we_write_is_read_without_the_full_parser_and_just_as_it_does(note: Note) -> None:
    yaml = front_matter.read(note_text.render(note)).yaml

    assert plain_yaml.read(yaml) == list(front_matter._entries(yaml))


@given(any_note(), st.data())
def test_the_quick_reader_agrees_with_the_full_one_or_says_nothing(
    note: Note, data: st.DataObject
) -> None:
    yaml = front_matter.read(note_text.render(note)).yaml
    start = data.draw(st.integers(0, len(yaml)))
    piece = data.draw(
        st.sampled_from(
            ["", ":", " ", "\n", "- ", "#", '"', "\\", "{", "}", ", ", "~", "null", "\t", "é"]
        )
    )

    edited = yaml[:start] + piece + yaml[start + data.draw(st.integers(0, 4)) :]

    quick = plain_yaml.read(edited)
    assert quick is None or quick == list(front_matter._entries(edited))
