import json
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import triage_set
from benchmarks.triage_set import CATEGORIES, LANGUAGES, Message, Row, Score
from hypothesis import given
from hypothesis import strategies as st

ROWS = triage_set.load()
SOME = ROWS[::50]

# How many rows of each half should be worth a note of a category, at least.
POSITIVES = {"tune": 60, "check": 25}

# What shares more of its pieces is nearly the same.
ALIKE = 0.3


def a_row(row_id: str, *categories: str, language: str = "en") -> Row:
    return Row(
        id=row_id,
        categories=frozenset(categories),
        language=language,
        half="tune",
        dialogue=(Message(by="user", text="hello"),),
        tools=(),
        why="",
    )


def user_messages(row: Row) -> int:
    return sum(message.by == "user" for message in row.dialogue)


def is_busy(row: Row) -> bool:
    """True for a session's work: much done for several requests, or very much for one."""
    done = len(row.tools)
    return len(set(row.tools)) >= 3 and (done >= 40 or (done >= 8 and user_messages(row) >= 3))


def pieces(row: Row) -> set[str]:
    text = " ".join(re.findall(r"\w+", " ".join(one.text for one in row.dialogue).casefold()))
    return {text[start : start + 4] for start in range(max(len(text) - 3, 1))}


def test_every_line_has_the_same_fields() -> None:
    lines = triage_set.FILE.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    fields = ["id", "categories", "language", "half", "dialogue", "tools", "why"]

    assert all(list(json.loads(line)) == fields for line in lines)


def test_every_row_names_known_categories_languages_and_halves() -> None:
    for row in ROWS:
        assert row.categories <= set(CATEGORIES), row.id
        assert row.language in LANGUAGES, row.id
        assert row.half in {"tune", "check"}, row.id
        assert row.why, row.id
        assert all(tool.strip() == tool != "" for tool in row.tools), row.id


def test_the_user_says_something_in_every_dialogue() -> None:
    for row in ROWS:
        assert user_messages(row), row.id
        assert all(message.text.strip() for message in row.dialogue), row.id


def test_ids_are_unique() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS)


def alike(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """The rows of `check` that share much with any other of *rows*."""
    cut = {row.id: pieces(row) for row in rows}
    having: defaultdict[str, list[str]] = defaultdict(list)
    for row_id, own in cut.items():
        for piece in own:
            having[piece].append(row_id)
    found = []
    for row in rows:
        if row.half == "check":
            shared = Counter(other for piece in cut[row.id] for other in having[piece])
            for other, common in shared.items():
                either = len(cut[row.id]) + len(cut[other]) - common
                if other != row.id and common > ALIKE * either:
                    found.append((row.id, other))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_dialogue_that_is_checked_is_nearly_the_same_as_another(language: str) -> None:
    assert alike([row for row in ROWS if row.language == language]) == []


def test_it_would_be_seen_if_one_were() -> None:
    checked = replace(ROWS[0], id="checked", half="check")

    assert ("checked", ROWS[0].id) in alike([*ROWS[:5], checked])


@pytest.mark.parametrize("half", ["tune", "check"])
def test_there_are_enough_rows_of_each_kind(half: triage_set.Half) -> None:
    rows = triage_set.load(half)
    positives = Counter(name for row in rows for name in row.categories)

    assert len(rows) >= 450
    assert all(positives[name] >= POSITIVES[half] for name in CATEGORIES), positives
    assert sum(not row.categories for row in rows) >= 200


@pytest.mark.parametrize("half", ["tune", "check"])
def test_half_is_english_and_the_rest_is_spread(half: triage_set.Half) -> None:
    rows = triage_set.load(half)
    spoken = Counter(row.language for row in rows)

    assert 0.45 <= spoken["en"] / len(rows) <= 0.6
    assert all(spoken[language] >= 30 for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("half", ["tune", "check"])
def test_each_half_has_every_category_and_silence_in_every_language(
    half: triage_set.Half, language: str
) -> None:
    rows = [row for row in triage_set.load(half) if row.language == language]

    assert {name for row in rows for name in row.categories} == set(CATEGORIES)
    assert any(not row.categories for row in rows)


def test_a_session_summary_is_asked_for_where_much_was_done_and_nowhere_else() -> None:
    for row in ROWS:
        assert is_busy(row) == ("session_summary" in row.categories), row.id


def test_one_half_can_be_read_alone() -> None:
    tune, check = triage_set.load("tune"), triage_set.load("check")

    assert {row.half for row in tune} == {"tune"}
    assert len(tune) + len(check) == len(ROWS)


def test_a_line_end_inside_a_text_does_not_end_the_row(tmp_path: Path) -> None:
    told = {
        "id": "t001",
        "categories": [],
        "language": "en",
        "half": "tune",
        "dialogue": [{"by": "user", "text": "one\u2028two\u0085three\x0cfour"}],
        "tools": [],
        "why": "hostile",
    }
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")

    (row,) = triage_set.load(path=path)

    assert row.dialogue[0].text == "one\u2028two\u0085three\x0cfour"


def test_precision_counts_the_proposals_and_recall_the_expected() -> None:
    rows = [a_row("a", "decision"), a_row("b", "decision"), a_row("c")]

    scores = triage_set.by_category(rows, {"a": {"decision"}, "c": {"decision", "runbook"}})

    assert scores["decision"] == Score(right=1, proposed=2, expected=2)
    assert scores["decision"].precision == 0.5
    assert scores["decision"].recall == 0.5
    assert scores["runbook"].precision == 0.0


def test_nothing_proposed_is_never_wrong_and_misses_everything() -> None:
    score = triage_set.overall([a_row("a", "decision")], {})

    assert (score.precision, score.recall) == (1.0, 0.0)


def test_nothing_expected_is_never_missed() -> None:
    score = triage_set.overall([a_row("a")], {"a": {"runbook"}})

    assert (score.precision, score.recall) == (0.0, 1.0)


def test_each_language_is_scored_by_its_own_rows() -> None:
    rows = [a_row("a", "decision", "constraint"), a_row("b", "decision", language="ko")]

    scores = triage_set.by_language(rows, {"a": {"decision"}, "b": {"preference"}})

    assert scores == {
        "en": Score(right=1, proposed=1, expected=2),
        "ko": Score(right=0, proposed=1, expected=1),
    }


def test_a_mistake_tells_what_was_missed_and_what_nobody_asked_for() -> None:
    rows = [a_row("a", "decision"), a_row("b", "decision"), a_row("c")]

    wrong = triage_set.mistakes(rows, {"a": {"decision"}, "b": {"runbook"}})

    assert [(one.row.id, one.missed, one.unasked) for one in wrong] == [
        ("b", frozenset({"decision"}), frozenset({"runbook"}))
    ]


def test_proposals_for_rows_of_the_other_half_do_not_count() -> None:
    score = triage_set.overall([a_row("a", "decision")], {"a": {"decision"}, "z": {"runbook"}})

    assert score == Score(right=1, proposed=1, expected=1)


@given(
    st.dictionaries(st.sampled_from([row.id for row in SOME]), st.sets(st.sampled_from(CATEGORIES)))
)
def test_the_parts_add_up_to_the_whole(proposed: dict[str, set[str]]) -> None:
    whole = triage_set.overall(SOME, proposed)
    wrong = triage_set.mistakes(SOME, proposed)

    for parts in (
        triage_set.by_category(SOME, proposed).values(),
        triage_set.by_language(SOME, proposed).values(),
    ):
        assert sum(part.right for part in parts) == whole.right
        assert sum(part.proposed for part in parts) == whole.proposed
        assert sum(part.expected for part in parts) == whole.expected
    assert sum(len(one.missed) for one in wrong) == whole.expected - whole.right
    assert sum(len(one.unasked) for one in wrong) == whole.proposed - whole.right


def test_the_answers_of_the_set_itself_are_perfect() -> None:
    proposed = {row.id: row.categories for row in ROWS}

    assert triage_set.mistakes(ROWS, proposed) == []
    assert triage_set.overall(ROWS, proposed).precision == 1.0
    assert triage_set.overall(ROWS, proposed).recall == 1.0
