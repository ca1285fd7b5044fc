import html
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import EngineError
from recollect.journal.markdown import legible, one_line
from recollect.llm import blocks
from recollect.llm.blocks import Drafted, DraftedNote, DraftedObservation, read

WHOLE = """
<observation turn="1">
  <type>bugfix</type>
  <title>N+1 query fixed</title>
  <text>The orders page loads its lines at once.</text>
  <facts><fact>1 query instead of 41</fact><fact>selectinload is used</fact></facts>
  <concepts><concept>gotcha</concept><concept>problem-solution</concept></concepts>
  <files_read><file>tests/test_orders.py</file></files_read>
  <files_modified><file>src/orders.py</file></files_modified>
</observation>
"""
DECISION = """
<note turn="1" category="decision" action="create" target="" confidence="0.9">
  <title>Use Postgres</title>
  <status>accepted</status>
  <decision>Orders go to Postgres.</decision><context>The ledger.</context>
  <rationale><item>Transactions</item><item>We run it already</item></rationale>
  <alternatives>
    <alternative><option>MongoDB</option><rejected_reason>no joins</rejected_reason></alternative>
  </alternatives>
  <reason>It was chosen.</reason>
</note>
"""


def observation(inside: str, attributes: str = ' turn="1"') -> DraftedObservation:
    (found,) = read(f"<observation{attributes}>{inside}</observation>").observations
    return found


def note(inside: str, attributes: str = 'category="decision"') -> DraftedNote:
    (found,) = read(f"<note {attributes}><title>T</title>{inside}</note>").notes
    return found


def text_of(inside: str) -> str:
    return observation(f"<title>T</title><text>{inside}</text>").text


def test_an_observation_is_read_with_all_its_fields() -> None:
    assert read(WHOLE) == Drafted(
        observations=(
            DraftedObservation(
                turn="1",
                type="bugfix",
                title="N+1 query fixed",
                text="The orders page loads its lines at once.",
                facts=("1 query instead of 41", "selectinload is used"),
                concepts=("gotcha", "problem-solution"),
                files_read=("tests/test_orders.py",),
                files_modified=("src/orders.py",),
            ),
        )
    )


def test_a_note_is_read_with_the_fields_of_its_category() -> None:
    assert read(DECISION).notes == (
        DraftedNote(
            turn="1",
            category="decision",
            title="Use Postgres",
            confidence=0.9,
            fields={
                "status": "accepted",
                "context": "The ledger.",
                "decision": "Orders go to Postgres.",
                "rationale": ("Transactions", "We run it already"),
                "alternatives": ({"option": "MongoDB", "rejected_reason": "no joins"},),
            },
            reason="It was chosen.",
        ),
    )


def test_a_summary_has_eight_fields_whatever_was_given() -> None:
    given_two = "<summary><request>Fix it</request><files_edited><file>a.py</file></files_edited>"

    assert read(given_two + "</summary>").summary == {
        "request": "Fix it",
        "investigated": "",
        "learned": "",
        "completed": "",
        "next_steps": "",
        "files_read": (),
        "files_edited": ("a.py",),
        "notes": "",
    }


@pytest.mark.parametrize(
    "around",
    [
        "```xml\n{}\n```",
        "Sure! Here is what I saw:\n{}\nLet me know.",
        "<think>One <observation><title>Fake</title></observation> maybe</think>{}",
        "<thinking>Only <observation><title>half</thinking>\n{}",
        "<Analysis>\n<note category='decision'>\n</analysis>{}",
        "I should write <observation><title>Fake</title></observation>.</think>{}",
        "<observations>{}</observations>",
        "<answer>\n```\n{}\n```\n</answer>",
        "<output><memory>{}</memory></output>",
        "{}<nothing/>",
        "{}<reasoning>That was all. <observation><title>Fake</title></observation></reasoning>",
        "<observation></observation>{}",
    ],
)
def test_what_stands_around_a_block_does_not_matter(around: str) -> None:
    assert read(around.format(WHOLE)).observations == read(WHOLE).observations


def test_tags_may_be_written_in_capitals() -> None:
    tags = WHOLE.replace("observation", "OBSERVATION").replace("title>", "Title>")

    assert read(tags).observations == read(WHOLE).observations


@pytest.mark.parametrize(
    "written",
    [
        "List<file> and Vec<text>",
        "<script>alert(1)</script>",
        "a < b and c > d, a<b>c",
        "a <title> without an end",
        "the model writes <observation> blocks",
        "the end </observation> came early",
        "an <item>, a <fact> and a </files_read>",
        "<think> is a tag of theirs",
        "<|im_end|> <<SYS>> </s>",
        "it printed <nothing/> at all",
        "&nosuch; & &amp",
    ],
)
def test_what_only_looks_like_a_tag_of_ours_stays_in_the_text(written: str) -> None:
    assert text_of(written) == written


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("caf&#233; &#x263A;", "café ☺"),
        ("&amp;lt;text&amp;gt;", "&lt;text&gt;"),
        ("&lt;title&gt;", "<title>"),
        ("<![CDATA[if a < b && </text> c]]>", "if a < b && </text> c"),
        ("<![CDATA[&amp;]]> &amp;", "&amp; &"),
        ("an open <![CDATA[ mark", "an open <![CDATA[ mark"),
        ("?a=1&copy=2", "?a=1&copy=2"),
    ],
)
def test_entities_are_read_once_and_literal_text_not_at_all(written: str, meant: str) -> None:
    assert text_of(written) == meant


def test_hidden_characters_are_lost() -> None:
    assert text_of("pay\u200b \u202enow\U000e0041&#x200b;") == "pay now"


@pytest.mark.parametrize(
    "attributes",
    [' turn="2" type="bugfix"', " type='bugfix' turn='2'", " turn=2 type=bugfix", ' TURN = "2"'],
)
def test_attributes_come_in_any_order_and_with_any_quotes(attributes: str) -> None:
    found = observation("<title>T</title><type>bugfix</type>", attributes)

    assert (found.turn, found.type) == ("2", "bugfix")


def test_elements_may_stand_for_attributes() -> None:
    found = read(
        "<note><turn>2</turn><category>tech-debt</category><action>Create</action><title>T</title>"
        "<confidence>80%</confidence><description>Slow</description></note>"
    ).notes[0]

    assert (found.turn, found.category, found.action, found.confidence) == (
        *("2", "tech_debt", "create"),
        0.8,
    )


@pytest.mark.parametrize(
    "unclosed",
    [
        "<observation><title>One<text>Two</text></observation>",
        "<observation><title>One</title><text>Two</observation>",
        "<observation><title>One</title><text>Two<facts></facts></observation>",
        "<observation><title>One</title><text>Two\n<observation><title>3</title><text>4</text>",
        "<observation><title>One<text>Two<summary><request>R</request></summary>",
        "<observation><title>One</title><text>Two</text>",
    ],
)
def test_a_missing_end_is_where_something_follows_that_cannot_stand_inside(unclosed: str) -> None:
    first = read(unclosed).observations[0]

    assert (first.title, first.text) == ("One", "Two")


def test_facts_that_are_not_closed_are_ended_by_the_next() -> None:
    found = observation("<title>T</title><facts><fact>one\n<fact>two\n</facts>")

    assert found.facts == ("one", "two")


@pytest.mark.parametrize(
    "listed",
    [
        "<facts>\n- one\n- two\n</facts>",
        "<facts>1. one\n2) two</facts>",
        "<facts><item>one</item><item>two</item></facts>",
        "<fact>one</fact><fact>two</fact>",
        "<facts>one\n\ntwo</facts>",
    ],
)
def test_a_list_may_be_given_in_other_ways(listed: str) -> None:
    assert observation(f"<title>T</title>{listed}").facts == ("one", "two")


def test_files_may_be_given_on_a_line_and_in_code() -> None:
    found = observation("<title>T</title><files_read>`a.py`, b.py</files_read>")

    assert found.files_read == ("a.py", "b.py")


def test_a_hyphen_inside_a_line_is_no_bullet() -> None:
    found = observation("<title>T</title><facts>one - two</facts>")

    assert found.facts == ("one - two",)


@pytest.mark.parametrize("empty", ["None", "N/A", "-", "", "null", "(none)", "  "])
def test_what_stands_for_nothing_is_nothing(empty: str) -> None:
    found = observation(
        f"<title>T</title><text>{empty}</text><facts><fact>{empty}</fact></facts>"
        f"<files_read><file>{empty}</file></files_read><files_modified>{empty}</files_modified>"
    )

    assert found == DraftedObservation(turn="1", title="T")


def test_an_unknown_type_is_a_change_and_an_unknown_concept_is_none() -> None:
    found = observation("<title>T</title><type>epiphany</type><concepts>- magic</concepts>")

    assert (found.type, found.concepts) == ("change", ())


@pytest.mark.parametrize(
    "attributes",
    [
        'category="rumour"',
        'category="decision" action="delete"',
        "",
        'action="create"',
        'category="decision" action="retire"',
        'category="decision" action="update"',
    ],
)
def test_a_note_of_no_known_kind_or_without_its_target_is_dropped(attributes: str) -> None:
    unusable = f"<note {attributes}><title>T</title><decision>D</decision></note>"

    assert read(WHOLE + unusable).notes == ()


def test_a_target_is_never_cut() -> None:
    longest = "session_summary/" + "a" * 80
    retired = '<note category="decision" action="retire" target="{}"></note>'

    assert read(retired.format(longest)).notes[0].target == longest
    assert read(WHOLE + retired.format("a" * (blocks.LONGEST_TARGET + 1))).notes == ()


@pytest.mark.parametrize(
    ("given", "turn"),
    [("12", "12"), (" 3 ", "3"), ("²", ""), ("٣", ""), ("1, 2", ""), ("-1", ""), ("9" * 30, "")],
)
def test_only_a_number_is_the_number_of_a_turn(given: str, turn: str) -> None:
    assert observation("<title>T</title>", f' turn="{given}"').turn == turn
    noted = f'turn="{given}" category="decision"'
    assert note("<decision>D</decision>", noted).turn == turn


class TestCopiedFromThePrompt:
    """Small models repeat the choice that they were given."""

    ACTION = 'category="decision" action="create | update | retire"'

    def test_all_actions_without_a_target_are_a_new_note(self) -> None:
        found = note("<decision>D</decision>", f'{self.ACTION} target="" confidence="0.0 to 1.0"')

        assert (found.action, found.target, found.confidence) == ("create", "", None)

    def test_all_actions_with_a_target_are_none(self) -> None:
        told = f'<note {self.ACTION} target="a"><title>T</title><decision>D</decision></note>'

        assert read(WHOLE + told).notes == ()

    def test_all_types_are_a_change(self) -> None:
        found = observation("<title>T</title><type>decision | bugfix | feature</type>")

        assert found.type == "change"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("It is.", "It is."),
        ("<think>Is it?</think>It is.", "It is."),
        ("<Thinking>a <think> b</Thinking>It <analysis>c</analysis>is.", "It is."),
        ("<think>Is it? It may be", ""),
        ("The <think> tag is stripped.", "The <think> tag is stripped."),
        ("The </think> tag is stripped.", "The </think> tag is stripped."),
    ],
)
def test_reasoning_can_be_taken_out(answer: str, said: str) -> None:
    assert blocks.without_reasoning(answer) == said


def test_a_retirement_has_a_target_and_a_reason_only() -> None:
    (found,) = read(
        '<note category="decision" action="retire" target="use-postgres">'
        "<decision>D</decision><reason>We moved.</reason></note>"
    ).notes

    assert (found.action, found.target, found.reason) == ("retire", "use-postgres", "We moved.")
    assert not found.fields


def test_a_preference_has_a_reason_of_its_own_and_examples() -> None:
    found = note(
        "<topic>Packages</topic><value>Use pnpm</value><reason>Faster</reason>"
        "<strength>Strong</strength><prefer><item>pnpm add</item></prefer>"
        "<examples><avoid><item>npm i</item></avoid></examples><reason>Said so</reason>",
        'category="preference"',
    )

    assert found.fields == {
        "topic": "Packages",
        "value": "Use pnpm",
        "reason": "Faster",
        "strength": "strong",
        "examples": {"prefer": ("pnpm add",), "avoid": ("npm i",)},
    }
    assert found.reason == "Said so"


def test_a_choice_that_is_not_known_is_left_out_and_a_flag_is_read() -> None:
    found = note(
        "<kind>whim</kind><active>yes</active><severity>HIGH</severity><rule>R</rule>",
        'category="constraint"',
    )

    assert found.fields == {"rule": "R", "severity": "high", "active": True}


def test_an_alternative_in_a_sentence_is_an_option_and_its_reason() -> None:
    found = note(
        "<alternatives><alternative>Redis: one more server</alternative>"
        "<alternative>Nothing else</alternative></alternatives>"
    )

    assert found.fields == {
        "alternatives": ({"option": "Redis", "rejected_reason": "one more server"},)
    }


def test_a_step_keeps_its_lines() -> None:
    found = note("<steps><item>make\n  all</item></steps>", 'category="runbook"')

    assert found.fields == {"steps": ("make\n  all",)}


def test_of_an_answer_that_was_cut_off_the_complete_part_is_kept() -> None:
    cut = WHOLE + '<observation turn="2"><title>Half</title><text>It was about to'

    drafted = read(cut, cut_off=True)

    assert [one.title for one in drafted.observations] == ["N+1 query fixed", "Half"]
    assert drafted.observations[1].text == ""
    assert drafted.cut_off


@pytest.mark.parametrize(
    "tail",
    [
        "<observation><title>Ha",
        "<observation><type>bugfix</type><title>",
        '<note category="decision"><title>T</title><decision>Do</decision><context>No',
        '<note category="decision"><title>T</title><decision>Do</decision>',
        "<observ",
        "<observation",
    ],
)
def test_what_was_cut_off_in_its_middle_is_dropped(tail: str) -> None:
    drafted = read(WHOLE + tail, cut_off=True)

    assert (drafted.observations, drafted.notes) == (read(WHOLE).observations, ())


def test_an_unfinished_summary_keeps_its_closed_fields() -> None:
    found = read("<summary><request>R</request><learned>It", cut_off=True).summary

    assert found
    assert (found["request"], found["learned"]) == ("R", "")


def test_a_note_that_lacks_only_its_end_is_kept_unless_the_answer_was_cut_off() -> None:
    unclosed = DECISION.replace("</note>", "")

    assert read(unclosed).notes == read(DECISION).notes
    with pytest.raises(EngineError):
        read(unclosed, cut_off=True)


def test_long_texts_end_at_a_word() -> None:
    found = observation(
        f"<title>{'word ' * 100}</title><text>{'x' * 2000}</text><fact>{'fact ' * 100}</fact>"
    )

    assert found.title.endswith("word …")
    assert len(found.title) <= 120
    assert len(found.text) == 600
    assert len(found.facts[0]) <= 300


def test_there_are_no_more_than_the_limits_allow() -> None:
    facts = "".join(f"<fact>fact {n}</fact>" for n in range(20))
    files = "".join(f"<file>{n}.py</file>" for n in range(50))
    one = f"<observation><title>T</title>{facts}<files_read>{files}</files_read></observation>"

    drafted = read(one * 30 + DECISION * 20)

    assert (len(drafted.observations), len(drafted.notes)) == (12, 8)
    assert len(drafted.observations[0].facts) == 8
    assert len(drafted.observations[0].files_read) == 30


@pytest.mark.parametrize(
    "answer",
    [
        "<nothing/>",
        "<nothing></nothing>",
        "<nothing>",
        "```\n<NOTHING />\n```",
        "Nothing worth keeping.",
        "There are no observations to record in this turn.",
        "There is nothing to record here: the agent only listed files.",
        "<think>Is it <observation>? No.</think>\nNo new observations.",
        "这一轮没有值得记录的内容。",
    ],
)
def test_an_answer_may_say_that_there_is_nothing(answer: str) -> None:
    assert read(answer) == Drafted()


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("I fixed the secret-token bug for you.", r"no block that could be read \(37 characters"),
        ("There is no memory leak in secret-token.", "no block"),
        ("<think>secret-token</think>", "nothing but reasoning"),
        ("<think>secret-token <observation><title>T</title></observation>", "but reasoning"),
        ("<observation><type>secret-token</type></observation>", "1 block is incomplete"),
        ("secret-token. " * 100 + "Nothing to record.", "no block"),
        ("<observation>Nothing worth keeping</observation>", "incomplete"),
    ],
)
def test_an_answer_without_a_block_is_unreadable_and_never_quoted(
    answer: str, missing: str
) -> None:
    with pytest.raises(EngineError, match=missing) as raised:
        read(answer)

    assert raised.value.kind == "unreadable"
    assert "secret-token" not in raised.value.message


def test_an_answer_that_was_cut_off_too_early_says_so() -> None:
    with pytest.raises(EngineError, match="cut off"):
        read("<observation><title>Ha", cut_off=True)


@pytest.mark.parametrize(
    "hostile",
    [
        "<observation>" * 80_000,
        "</text>" * 150_000,
        "<think>" * 150_000,
        "<observation><text>" + "<title>" * 150_000,
        "<observation><title>x</title><text>" + "</observation>" * 70_000,
        "<observation><facts>" + "<fact>a" * 120_000,
        "<note " * 150_000,
        "<note " + "a " * 140_000 + ">",
        "<![CDATA[" * 110_000,
        "&" * 1_000_000,
        "<" * 1_000_000,
        "<observation><title>" + "`" * 250_000 + "x x</title></observation>",
        "<observation><title>x" + " " * 250_000 + "y</title></observation>",
        "<note category='decision'><alternatives><item>" + " -" * 140_000 + "</item>",
        "<observation><files_read>" + "- a, " * 55_000 + "</files_read><title>t</title>",
        "no " * 330_000,
    ],
    ids=lambda text: text[:40],
)
def test_a_megabyte_of_nonsense_takes_no_time(hostile: str) -> None:
    began = time.process_time()

    with suppress(EngineError):
        read(hostile)
    blocks.without_reasoning(hostile)

    # Anything that is not linear takes minutes.
    assert time.process_time() - began < 3


PIECES = st.sampled_from(
    "<observation> </observation> <note category='decision'> </note> <title> </title> <text> "
    "</text> <facts> <fact> </fact> <summary> <request> </summary> <think> </think> <nothing/> "
    "<![CDATA[ ]]> &lt; &amp; &#0; &#xd800; ``` - word 1. \n < > / = \" ' \u200b \ud800 <item> "
    "<alternatives> <alternative> <option> <examples> <prefer> <files_read> <file>".split(" ")
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join), st.booleans())
def test_no_answer_raises_anything_but_unreadable(answer: str, cut_off: bool) -> None:
    titles = []
    with suppress(EngineError):
        titles = [one.title for one in read(answer, cut_off=cut_off).observations]

    assert all(titles)


WORDS = st.lists(
    st.sampled_from(
        "the orders <text> </observation> a<b & &lt; List<file> 缓存 café ``` #".split()
    )
    | st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Z")), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
).map(lambda words: "x " + " ".join(words) + " y")


def written(one: DraftedObservation) -> str:
    def listed(name: str, values: tuple[str, ...]) -> str:
        return "".join(f"<{name}>{html.escape(value)}</{name}>" for value in values)

    return (
        f'<observation turn="{one.turn}"><type>{one.type}</type>'
        f"<title>{html.escape(one.title)}</title><text>{html.escape(one.text)}</text>"
        f"<facts>{listed('fact', one.facts)}</facts>"
        f"<concepts>{listed('concept', one.concepts)}</concepts>"
        f"<files_read>{listed('file', one.files_read)}</files_read></observation>"
    )


OBSERVATIONS = st.builds(
    DraftedObservation,
    turn=st.integers(1, 99).map(str),
    type=st.sampled_from(["bugfix", "decision", "change"]),
    title=WORDS,
    text=WORDS,
    facts=st.lists(WORDS, unique=True, max_size=8).map(tuple),
    concepts=st.lists(st.sampled_from(blocks.CONCEPTS), unique=True, max_size=5).map(tuple),
    files_read=st.lists(st.sampled_from(["a.py", "src/b.py", "my file"]), unique=True).map(tuple),
)


@given(st.lists(OBSERVATIONS, min_size=1, max_size=4))
def test_what_a_careful_writer_writes_comes_back(drafted: list[DraftedObservation]) -> None:
    def shown(one: DraftedObservation) -> tuple[object, ...]:
        facts = tuple(dict.fromkeys(one_line(legible(fact)) for fact in one.facts))
        rest = (one.type, one.turn, one.concepts, one.files_read)
        return (one_line(legible(one.title)), one_line(legible(one.text)), facts, rest)

    back = read("\n".join(map(written, drafted))).observations

    assert [shown(one) for one in back] == [shown(one) for one in drafted]
