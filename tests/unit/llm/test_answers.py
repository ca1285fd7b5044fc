import json
import time
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import EngineError
from recollect.journal.markdown import legible, one_line
from recollect.llm import answers
from recollect.llm.answers import Drafted, DraftedNote, DraftedObservation, read

NOTHING = '{"kind": "nothing"}'
WHOLE = """
{
  "kind": "observation", "turn": 1, "type": "bugfix",
  "title": "N+1 query fixed",
  "text": "The orders page loads its lines at once.",
  "facts": ["1 query instead of 41", "selectinload is used"],
  "concepts": ["gotcha", "problem-solution"],
  "files_read": ["tests/test_orders.py"],
  "files_modified": ["src/orders.py"]
}
"""
FAKE = '{"kind": "observation", "title": "Fake"}'
DECISION = """
{"kind": "note", "turn": 1, "category": "decision", "action": "create", "target": "",
"confidence": 0.9, "title": "Use Postgres", "fields": {"status": "accepted",
"decision": "Orders go to Postgres.", "context": "The ledger.",
"rationale": ["Transactions", "We run it already"],
"alternatives": [{"option": "MongoDB", "rejected_reason": "no joins"}]},
"reason": "It was chosen."}
"""


def an_object(kind: str, **fields: object) -> str:
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False)


def observation(**fields: object) -> DraftedObservation:
    (found,) = read(an_object("observation", **{"turn": 1, "title": "T", **fields})).observations
    return found


def note(category: str = "decision", /, **fields: object) -> DraftedNote:
    about = {"category": category, "title": "T"}
    (found,) = read(an_object("note", **{**about, "fields": fields})).notes
    return found


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
    given_two = an_object("summary", request="Fix it", files_edited=["a.py"], mood="good")

    assert read(given_two).summary == {
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
        "```json\nWHOLE\n```",
        "Sure! Here is what I saw:\nWHOLE\nLet me know.",
        "<think>One FAKE maybe</think>WHOLE",
        '<thinking>Only {"kind": "observation", "title": "half</thinking>\nWHOLE',
        "<Analysis>\nFAKE\n</analysis>WHOLE",
        "I should write FAKE.</think>WHOLE",
        "[WHOLE]",
        "[WHOLE, 7, null, []]",
        '{"observations": [WHOLE], "notes": []}',
        '{"answer": {"objects": [WHOLE]}}',
        f"WHOLE{NOTHING}",
        "WHOLE<reasoning>That was all. FAKE</reasoning>",
        '{"kind": "observation"}WHOLE',
        '{"kind": "rumour", "title": "Fake"}WHOLE',
        "use {x} and {y}: WHOLE",
        '{"kind": "observation", "title": "brokenWHOLE',
    ],
)
def test_what_stands_around_an_object_does_not_matter(around: str) -> None:
    answer = around.replace("WHOLE", WHOLE).replace("FAKE", FAKE)

    assert read(answer).observations == read(WHOLE).observations


@pytest.mark.parametrize(
    "answer",
    [
        WHOLE.replace('"src/orders.py"', '"src/orders.py",'),
        WHOLE.replace('["src/orders.py"]', '["src/orders.py"],'),
        WHOLE.replace('"observation"', '"Observation"'),
        WHOLE.replace('"turn": 1', '"turn": "1"'),
    ],
)
def test_slips_of_small_models_are_forgiven(answer: str) -> None:
    assert read(answer).observations == read(WHOLE).observations


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"matches \d+ and C:\dir", r"matches \d+ and C:\dir"),
        (r"a \" quote and a \\ backslash", 'a " quote and a \\ backslash'),
        ("two\nlines", "two lines"),
        (r"caf\u00e9", "café"),
        (r"half \ud800 a character", "half a character"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("&amp;lt;text&amp;gt;", "&lt;text&gt;"),
        ("&nbsp; &copy=2", "&nbsp; &copy=2"),
        ("<think> is a tag of theirs", "<think> is a tag of theirs"),
        ("it printed {} and {'a': 1}", "it printed {} and {'a': 1}"),
    ],
)
def test_a_text_is_read_as_it_was_meant(written: object, meant: str) -> None:
    (found,) = read(f'{{"kind": "observation", "title": "T", "text": "{written}"}}').observations

    assert found.text == meant


def test_hidden_characters_are_lost() -> None:
    assert observation(text="pay\u200b \u202enow\U000e0041").text == "pay now"


@pytest.mark.parametrize(
    "listed",
    [["one", "two"], "- one\n- two", "1. one\n2) two", "one\n\ntwo", ["one", "", None, "two"]],
)
def test_a_list_may_be_given_in_other_ways(listed: object) -> None:
    assert observation(facts=listed).facts == ("one", "two")


def test_files_may_be_given_on_a_line_and_in_code() -> None:
    assert observation(files_read="`a.py`, b.py").files_read == ("a.py", "b.py")


def test_a_hyphen_inside_a_line_is_no_bullet() -> None:
    assert observation(facts="one - two").facts == ("one - two",)


@pytest.mark.parametrize("empty", ["None", "N/A", "-", "", "null", "(none)", "  ", None, {}, []])
def test_what_stands_for_nothing_is_nothing(empty: object) -> None:
    found = observation(text=empty, facts=[empty], files_read=[empty], files_modified=empty)

    assert found == DraftedObservation(turn="1", title="T")


@pytest.mark.parametrize("wrong", [{"a": 1}, [[["deep"]]], True, 3.5, "x" * 5_000])
def test_a_value_of_the_wrong_shape_breaks_nothing(wrong: object) -> None:
    names = ("turn", "type", "text", "facts", "concepts", "files_read", "files_modified")

    assert observation(**dict.fromkeys(names, wrong)).title == "T"
    assert note(decision="D", rationale=wrong, alternatives=wrong).fields["decision"] == "D"
    assert read(an_object("summary", request="R", learned=wrong, files_read=wrong)).summary


def test_an_unknown_type_is_a_change_and_an_unknown_concept_is_none() -> None:
    found = observation(type="epiphany", concepts=["magic"])

    assert (found.type, found.concepts) == ("change", ())


@pytest.mark.parametrize(
    "about",
    [
        {"category": "rumour"},
        {"category": "decision", "action": "delete"},
        {},
        {"action": "create"},
        {"category": ["decision"], "action": {}},
        {"category": "decision", "action": "retire"},
        {"category": "decision", "action": "update"},
    ],
)
def test_a_note_of_no_known_kind_or_without_its_target_is_dropped(about: dict[str, object]) -> None:
    unusable = an_object("note", title="", fields={"decision": "D"}, **about)

    assert read(WHOLE + unusable).notes == ()


def test_a_target_is_never_cut() -> None:
    longest = "session_summary/" + "a" * 80

    def retired(target: str) -> str:
        return an_object("note", category="decision", action="retire", target=target)

    assert read(retired(longest)).notes[0].target == longest
    assert read(WHOLE + retired("a" * (answers.LONGEST_TARGET + 1))).notes == ()


@pytest.mark.parametrize(
    ("written", "turn"),
    [
        *((12, "12"), ("12", "12"), (" 3 ", "3"), ("²", ""), ("٣", ""), ("1, 2", ""), (-1, "")),
        *(("9" * 30, ""), (None, ""), ([1], "1"), (True, "")),
    ],
)
def test_only_a_number_is_the_number_of_a_turn(written: object, turn: str) -> None:
    assert observation(turn=written).turn == turn
    noted = an_object(
        "note", turn=written, category="decision", title="T", fields={"decision": "D"}
    )
    assert read(noted).notes[0].turn == turn


@pytest.mark.parametrize(
    ("written", "confidence"),
    [(0.9, 0.9), (1, 1.0), ("90%", 0.9), ("high", None), (7, None), (True, None), (None, None)],
)
def test_only_a_share_is_a_confidence(written: object, confidence: float | None) -> None:
    noted = an_object(
        "note", category="decision", title="T", confidence=written, fields={"decision": "D"}
    )

    assert read(noted).notes[0].confidence == confidence


class TestCopiedFromThePrompt:
    """Small models repeat the choice that they were given."""

    ABOUT = MappingProxyType(
        {"category": "decision", "action": "create | update | retire", "title": "T"}
    )

    def test_all_actions_without_a_target_are_a_new_note(self) -> None:
        told = {**self.ABOUT, "target": "", "confidence": "0.0 to 1.0", "fields": {"decision": "D"}}
        (found,) = read(an_object("note", **told)).notes

        assert (found.action, found.target, found.confidence) == ("create", "", None)

    def test_all_actions_with_a_target_are_none(self) -> None:
        told = an_object("note", **self.ABOUT, target="a", fields={"decision": "D"})

        assert read(WHOLE + told).notes == ()

    def test_all_types_are_a_change(self) -> None:
        assert observation(type="decision | bugfix | feature").type == "change"


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
    assert answers.without_reasoning(answer) == said


def test_a_retirement_has_a_target_and_a_reason_only() -> None:
    told = {"category": "decision", "action": "retire", "target": "use-postgres"}
    (found,) = read(an_object("note", **told, fields={"decision": "D"}, reason="We moved.")).notes

    assert (found.action, found.target, found.reason) == ("retire", "use-postgres", "We moved.")
    assert not found.fields


def test_a_preference_has_a_reason_of_its_own_and_examples() -> None:
    fields = {
        "topic": "Packages",
        "value": "Use pnpm",
        "reason": "Faster",
        "strength": "Strong",
        "examples": {"prefer": ["pnpm add"], "avoid": "npm i", "other": 1},
    }
    told = an_object("note", category="preference", title="T", fields=fields, reason="Said so")
    (found,) = read(told).notes

    assert found.fields == {
        "topic": "Packages",
        "value": "Use pnpm",
        "reason": "Faster",
        "strength": "strong",
        "examples": {"prefer": ("pnpm add",), "avoid": ("npm i",)},
    }
    assert found.reason == "Said so"


def test_the_fields_of_a_note_may_stand_beside_its_title() -> None:
    told = an_object("note", category="tech-debt", title="T", description="Slow", priority="HIGH")
    (found,) = read(told).notes

    assert (found.category, found.fields) == (
        *("tech_debt",),
        {"description": "Slow", "priority": "high"},
    )


def test_a_choice_that_is_not_known_is_left_out_and_a_flag_is_read() -> None:
    found = note("constraint", kind="whim", active="yes", severity="HIGH", rule="R")

    assert found.fields == {"rule": "R", "severity": "high", "active": True}
    assert note("constraint", rule="R", active=False).fields["active"] is False


def test_an_alternative_in_a_sentence_is_an_option_and_its_reason() -> None:
    found = note(alternatives=["Redis: one more server", "Nothing else", {"option": "Half"}])

    assert found.fields == {
        "alternatives": ({"option": "Redis", "rejected_reason": "one more server"},)
    }


def test_a_step_keeps_its_lines() -> None:
    assert note("runbook", steps=["make\n  all"]).fields == {"steps": ("make\n  all",)}


@pytest.mark.parametrize(
    "tail",
    [
        '{"kind": "observation", "title": "Ha',
        '{"kind": "observation", "turn": 2, "title": "Half", "text": "It was about to',
        '{"kind": "note", "category": "decision", "title": "T", "fields": {"decision": "Do"}',
        '{"kind": "note", "fields": {"alternatives": [{"option": "A", "rejected_reason": "b"}]',
        '{"ki',
        "{",
    ],
)
def test_what_was_cut_off_in_its_middle_is_dropped(tail: str) -> None:
    drafted = read(WHOLE + tail, cut_off=True)

    assert (drafted.observations, drafted.notes) == (read(WHOLE).observations, ())
    assert drafted.cut_off


def test_of_a_list_that_was_cut_off_the_whole_objects_are_kept() -> None:
    drafted = read(f'{{"objects": [{WHOLE}, {DECISION}, {{"kind": "note", "ti', cut_off=True)

    assert drafted.observations == read(WHOLE).observations
    assert drafted.notes == read(DECISION).notes


def test_long_texts_end_at_a_word() -> None:
    found = observation(title="word " * 100, text="x" * 2000, facts=["fact " * 100])

    assert found.title.endswith("word …")
    assert len(found.title) <= 120
    assert len(found.text) == 600
    assert len(found.facts[0]) <= 300


def test_there_are_no_more_than_the_limits_allow() -> None:
    facts = [f"fact {n}" for n in range(20)]
    files = [f"{n}.py" for n in range(50)]
    one = an_object("observation", title="T", facts=facts, files_read=files)

    drafted = read(one * 30 + DECISION * 20)

    assert (len(drafted.observations), len(drafted.notes)) == (12, 8)
    assert len(drafted.observations[0].facts) == 8
    assert len(drafted.observations[0].files_read) == 30


@pytest.mark.parametrize(
    "answer",
    [
        NOTHING,
        f"[{NOTHING}]",
        f"```json\n{NOTHING}\n```",
        "Nothing worth keeping.",
        "There are no observations to record in this turn.",
        "There is nothing to record here: the agent only listed files.",
        f"<think>Is it {FAKE}? No.</think>\nNo new observations.",
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
        ("I fixed the secret-token bug for you.", r"no object that could be read \(37 char"),
        ("There is no memory leak in secret-token.", "no object"),
        ("<think>secret-token</think>", "nothing but reasoning"),
        (f"<think>secret-token {FAKE}", "but reasoning"),
        ('{"kind": "observation", "type": "secret-token"}', "1 object is incomplete"),
        ("secret-token. " * 100 + "Nothing to record.", "no object"),
        ('{"kind": "observation", "title": "secret-token', "no whole JSON"),
        ("<observation><title>secret-token</title></observation>", "no object"),
    ],
)
def test_an_answer_without_an_object_is_unreadable_and_never_quoted(
    answer: str, missing: str
) -> None:
    with pytest.raises(EngineError, match=missing) as raised:
        read(answer)

    assert raised.value.kind == "unreadable"
    assert "secret-token" not in raised.value.message


def test_an_answer_that_was_cut_off_too_early_says_so() -> None:
    with pytest.raises(EngineError, match="cut off"):
        read('{"kind": "observation", "title": "Ha', cut_off=True)


@pytest.mark.parametrize(
    "hostile",
    [
        '{"kind": "observation", "text": ' * 30_000,
        "{" * 1_000_000,
        "[" * 1_000_000,
        '{"a":' * 200_000,
        '{"a":' * 900 + "1" + "}" * 900,
        '{"a":1}' * 140_000,
        "{a} " * 250_000,
        "<think>" * 150_000,
        "</think>" * 120_000,
        "</think>{" * 100_000,
        "<think></thinking>" * 50_000,
        "\\" * 1_000_000,
        '{"a": "' + "\\u" * 140_000,
        '{"a": ' + "9" * 1_000_000 + "}",
        '{"a": "' + "," * 290_000 + '" ]',
        "{" + "," + " " * 290_000,
        an_object("observation", title="x" + " " * 250_000 + "y"),
        an_object("observation", title="&" * 290_000),
        an_object("observation", title="T", files_read="- a, " * 55_000),
        an_object("note", category="decision", fields={"alternatives": [" -" * 140_000]}),
        "no " * 330_000,
    ],
    ids=lambda text: text[:40],
)
def test_a_megabyte_of_nonsense_takes_no_time(hostile: str) -> None:
    began = time.process_time()

    with suppress(EngineError):
        read(hostile)
    answers.without_reasoning(hostile)

    # Anything that is not linear takes minutes.
    assert time.process_time() - began < 3


PIECES = st.sampled_from(
    '{ } [ ] , : " \\ \\u \\d null 1e9 NaN {"kind": "observation" "note" "summary" "verdict"'
    ' "title" "text" "facts" "fields" "category" "decision" {"kind":"nothing"} <think> </think> ```'
    " - word 1. \n < > &lt; \u200b \ud800".split(" ")
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join), st.booleans())
def test_no_answer_raises_anything_but_unreadable(answer: str, cut_off: bool) -> None:
    titles = []
    with suppress(EngineError):
        titles = [one.title for one in read(answer, cut_off=cut_off).observations]

    assert all(titles)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from("title text kind fields option prefer a".split()), inner)
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    "turn type title text facts concepts files_read files_modified category action target"
    " confidence fields reason request notes decision rule active alternatives".split()
)


@given(
    st.sampled_from(["observation", "note", "summary", "verdict", "nothing"]),
    st.dictionaries(FIELDS, VALUES | st.sampled_from(["decision", "constraint", "retire"])),
)
def test_no_value_raises_anything_but_unreadable(kind: str, fields: dict[str, object]) -> None:
    with suppress(EngineError):
        read(json.dumps({**fields, "kind": kind}))


WORDS = st.lists(
    st.sampled_from('the orders <text> {} a<b & \\ List<file> 缓存 café ``` # "'.split())
    | st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Z")), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
).map(lambda words: "x " + " ".join(words) + " y")

OBSERVATIONS: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    turn=st.integers(1, 99),
    type=st.sampled_from(["bugfix", "decision", "change"]),
    title=WORDS,
    text=WORDS,
    facts=st.lists(WORDS, unique=True, max_size=8),
    concepts=st.lists(st.sampled_from(answers.CONCEPTS), unique=True, max_size=5),
    files_read=st.lists(st.sampled_from(["a.py", "src/b.py", "my file"]), unique=True),
)


@given(st.lists(OBSERVATIONS, min_size=1, max_size=4))
def test_what_a_careful_writer_writes_comes_back(drafted: list[dict[str, Any]]) -> None:
    def plain(text: str) -> str:
        return one_line(legible(text))

    back = read("\n".join(an_object("observation", **one) for one in drafted)).observations

    assert [(one.turn, one.type, one.title, one.text) for one in back] == [
        (str(one["turn"]), one["type"], plain(one["title"]), plain(one["text"])) for one in drafted
    ]
    assert [(one.facts, one.concepts, one.files_read) for one in back] == [
        (
            tuple(dict.fromkeys(map(plain, one["facts"]))),
            tuple(one["concepts"]),
            tuple(one["files_read"]),
        )
        for one in drafted
    ]
