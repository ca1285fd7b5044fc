from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import ids
from recollect.journal import sections
from recollect.journal.sections import Anchor
from tests.builders.journal import texts
from tests.narrowing import not_none


def headings(text: str) -> list[str]:
    return [section.heading for section in sections.split(text)]


def told(section: sections.Section) -> tuple[object, ...]:
    return (section.first_line, section.text, section.level, section.heading, section.anchor)


@given(texts)
@settings(deadline=None)
def test_no_byte_of_a_file_is_lost(text: str) -> None:
    assert "".join(section.text for section in sections.split(text)) == text


LINES = st.sampled_from(
    [
        "# 2026-11-15\n",
        "## Session 14:30 · 9ee0ccc7\n",
        "## Not ours\n",
        "### Summary\n",
        "### 14:32 Fix\n",
        '<!-- recollect: {"id":"a","turn":"t","hash":"0f"} -->\n',
        "<!-- recollect: broken\n",
        "- **change** tea\n",
        "#### Detail\n",
        "```\n",
        "~~~\n",
        "# a comment in code\n",
        "\ufeff## After a mark\n",
        "\n",
        "ends like windows\r\n",
        "half a line",
    ]
)
PIECES = st.lists(LINES, max_size=30).map("".join)


@given(PIECES, PIECES, PIECES, PIECES)
@settings(deadline=None, max_examples=500)
def test_a_text_that_changed_in_one_place_is_split_like_one_never_seen(
    before: str, old: str, new: str, after: str
) -> None:
    sections.split(before + old + after)
    changed = before + new + after

    quickly = list(map(told, sections.split(changed)))

    sections.forget()
    assert quickly == list(map(told, sections.split(changed)))


def test_what_did_not_change_stays_the_same_section() -> None:
    anchor = Anchor(turn="t").render()
    day = "".join(f"### 14:{n} Fix\n{anchor}\n- **change** tea\n\n" for n in range(10, 40))
    before = sections.split(day)

    after = sections.split(day.replace("### 14:30 Fix", "### 14:30 Mended"))

    assert [one for one in after if one not in before] == [after[20]]


@given(texts, texts, texts)
@settings(deadline=None)
def test_an_anchor_is_one_line_and_comes_back(name: str, branch: str, turn: str) -> None:
    anchor = Anchor(id=name, branch=branch, turn=turn, hash="0f")

    line = anchor.render()

    assert "\n" not in line
    assert line.count("-->") == 1
    assert line.isascii()
    assert Anchor.read(line) == anchor


def test_a_branch_named_like_the_end_of_a_comment_does_not_end_it() -> None:
    line = Anchor(turn="t", branch="feat-->main").render()

    assert line.index("-->") == len(line) - 3
    assert not_none(Anchor.read(line)).branch == "feat-->main"


def test_deeper_headings_belong_to_the_section_they_stand_in() -> None:
    assert headings("### One\n#### Detail\ntext\n### Two\n") == ["One", "Two"]


def test_a_heading_in_a_code_block_is_text() -> None:
    assert headings("### One\n```\n# a comment\n```\n### Two\n") == ["One", "Two"]


def test_a_code_block_that_nobody_closed_does_not_swallow_our_entries() -> None:
    anchor = Anchor(id="a", turn="t").render()

    parts = sections.split(f"### Mine\n```\ncode\n### 10:00 Ours\n{anchor}\n- x\n### Theirs\n")

    assert [part.heading for part in parts] == ["Mine", "10:00 Ours", "Theirs"]


def test_an_anchor_without_its_heading_is_a_section_of_its_own() -> None:
    first, second = Anchor(id="a", turn="1").render(), Anchor(id="b", turn="2").render()

    parts = sections.split(f"### A\n{first}\n- x\n{second}\n- y\n")

    assert [not_none(part.anchor).id for part in parts] == ["a", "b"]
    assert parts[1].body == "- y"


def test_a_heading_of_a_session_never_takes_an_anchor() -> None:
    anchor = Anchor(id="a", turn="1").render()

    parts = sections.split(f"## Session 10:00 · 9ee0ccc7\n\n{anchor}\n- x\n")

    assert [part.anchor and part.anchor.id for part in parts] == [None, "a"]


def test_a_formatter_may_put_a_blank_line_before_the_anchor() -> None:
    anchor = Anchor(id="a", turn="1").render()

    (part,) = sections.split(f"##### A\n\n{anchor}\n\n- x\n")

    assert not_none(part.anchor).id == "a"


def test_broken_json_still_says_whose_turn_it_is() -> None:
    anchor = Anchor.read('<!-- recollect: {"id":"a","turn":"t1",,"session" "s"} -->')

    assert anchor
    assert (anchor.id, anchor.turn, anchor.session) == ("a", "t1", "")


def test_an_anchor_that_is_no_object_says_nothing() -> None:
    assert Anchor.read("<!-- recollect: [1] -->") == Anchor()
    assert Anchor.read("<!-- recollect") is None
    assert Anchor.read("see <!-- recollect: {} -->") is None


def test_line_endings_and_blank_lines_are_no_edit() -> None:
    anchor = Anchor(id="a", turn="t", hash=ids.text_hash("### A\n- x")).render()

    (part,) = sections.split(f"### A\r\n{anchor}\r\n- x  \r\n\r\n\r\n")

    assert not part.edited


def test_lines_are_counted_to_the_last_one_with_text() -> None:
    parts = sections.split("# Day\n\n### A\ntext\n\n\n### B\n")

    assert [(part.first_line, part.last_line) for part in parts] == [(1, 1), (3, 4), (7, 7)]


@given(texts)
@settings(deadline=None)
def test_the_quick_scan_finds_the_same_anchors(text: str) -> None:
    found = [part.anchor for part in sections.split(text) if part.anchor]

    assert sections.anchors(text) == found
