import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.privacy import blocks

PIECES = [
    "<private",
    "</private",
    "<system-reminder",
    "</system-reminder",
    "<hook_context",
    "</hook_context",
    ">",
    "/>",
    " ",
    "x",
    "<",
]
PIECES += [f"<{blocks.FENCE}", f"</{blocks.FENCE}", "private", ' a="b"']
TAGGED = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("keep <private>hide</private> this", "keep  this"),
        ("<private>hide</private>keep", "keep"),
        ("keep <PRIVATE>hide</Private>", "keep "),
        ('keep <private reason="a > b">hide</private>', "keep "),
        ("one <private>a <private>b</private> c</private>two", "one two"),
        ("keep <private>hidden and never closed", "keep "),
        ("keep <private\n>hide</private\n>", "keep "),
        ("one <private>a</private>two <private>b</private>three", "one two three"),
    ],
)
def test_a_private_block_is_gone_with_its_tags(text: str, kept: str) -> None:
    assert blocks.cut(text) == kept


@pytest.mark.parametrize(
    "block",
    [
        "<recollect-memory>\n- tea\n</recollect-memory>",
        "&lt;recollect-memory&gt;\n- tea &lt;b&gt;\n&lt;/recollect-memory&gt;",
        "<hook_context>&lt;recollect-memory&gt;\n- tea\n&lt;/recollect-memory&gt;</hook_context>",
        "<hook_context>another hook's tea</hook_context>",
        "&lt;recollect-memory&gt;\n- tea, and the fence was cut off",
    ],
)
def test_what_we_gave_an_agent_is_gone_also_where_a_host_made_entities_of_it(block: str) -> None:
    assert blocks.cut(f"before {block}") == "before "


def test_a_hosts_tag_that_is_never_closed_hides_nothing() -> None:
    assert blocks.cut("what is <hook_context> for?") == "what is <hook_context> for?"


def test_a_space_stands_where_a_block_was_the_only_thing_between_two_words() -> None:
    assert blocks.cut("left<private>x</private>right") == "left right"


def test_a_cut_never_makes_a_new_tag_of_what_is_left() -> None:
    assert blocks.cut("<pri<private>a</private>vate>") == "<pri vate>"


def test_our_own_context_does_not_come_back_as_memory() -> None:
    injected = f'<{blocks.FENCE} project="demo">\n- Deploys need VPN.\n</{blocks.FENCE}>'

    assert blocks.cut(f"{injected}\nfix the tests") == "\nfix the tests"
    assert blocks.cut(f"fix the tests\n<{blocks.FENCE}>\n- cut off") == "fix the tests\n"


def test_a_host_reminder_is_cut_but_people_may_write_about_it() -> None:
    assert blocks.cut("go<system-reminder>be nice</system-reminder>") == "go"
    assert blocks.cut("what is <system-reminder> for?") == "what is <system-reminder> for?"


@pytest.mark.parametrize("text", ["<privateer>x", "<private/> x", "<private-x>y", "a </private> b"])
def test_what_only_resembles_a_block_stays(text: str) -> None:
    assert blocks.cut(text) == text


@given(st.text() | TAGGED)
def test_cutting_twice_is_cutting_once(text: str) -> None:
    once = blocks.cut(text)

    assert blocks.cut(once) == once


@given(st.text(alphabet="abc <>/\n"), st.text(alphabet="abc <>/\n"))
def test_nothing_between_the_tags_survives(before: str, after: str) -> None:
    assert "4711" not in blocks.cut(f"{before}<private>4711</private>{after}")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["<private ", "<private>", "</private", "<system-reminder>", "a"])
def test_a_megabyte_of_tags_is_quick(piece: str) -> None:
    blocks.cut(piece * (1_000_000 // len(piece)))
