from pathlib import Path

from benchmarks import labelled_set, replay
from benchmarks.replay import Recorded, Step


def a_session(
    name: str, *, began: list[float], ended: float, lines: list[str] | None = None
) -> Recorded:
    told = lines or [f"{name}-{at}" for at in began]
    return Recorded(
        id=name,
        files=(Path(f"{name}.jsonl"),),
        turns=tuple(zip(began, told, strict=True)),
        ended=ended,
    )


def test_sessions_that_overlap_are_replayed_side_by_side() -> None:
    long = a_session("long", began=[10, 50], ended=60)
    short = a_session("short", began=[20], ended=30)

    happened = [(one.session, one.step) for one in replay.in_order([long, short])]

    assert happened == [
        ("long", Step.BEGINS),
        ("long", Step.PROMPT),
        ("short", Step.BEGINS),
        ("short", Step.PROMPT),
        ("short", Step.ENDS),
        ("long", Step.PROMPT),
        ("long", Step.ENDS),
    ]


def test_a_session_is_not_over_for_one_that_begins_at_the_moment_it_ends() -> None:
    first = a_session("first", began=[10], ended=20)
    second = a_session("second", began=[20], ended=30)

    happened = replay.in_order([first, second])

    ends = next(one for one in happened if (one.session, one.step) == ("first", Step.ENDS))
    begins = next(one for one in happened if (one.session, one.step) == ("second", Step.BEGINS))
    assert happened.index(begins) < happened.index(ends)


def test_a_session_that_ended_at_once_still_begins_before_it_ends() -> None:
    (begins, prompt, ends) = replay.in_order([a_session("s", began=[10], ended=10)])

    assert [begins.step, prompt.step, ends.step] == [Step.BEGINS, Step.PROMPT, Step.ENDS]


def test_a_turn_that_a_fork_repeats_is_prompted_once_where_it_was_typed() -> None:
    origin = a_session("origin", began=[10, 20], ended=30, lines=["a", "b"])
    fork = a_session("fork", began=[10, 20, 40], ended=50, lines=["a", "b", "c"])

    left = replay.told_once([fork, origin])

    assert [(one.id, one.turns) for one in left] == [
        ("origin", ((10, "a"), (20, "b"))),
        ("fork", ((40, "c"),)),
    ]


def test_a_session_that_only_repeats_another_is_not_replayed() -> None:
    origin = a_session("origin", began=[10], ended=30, lines=["a"])
    copy = a_session("copy", began=[10], ended=40, lines=["a"])

    assert replay.told_once([copy, origin]) == [origin]


def test_memories_are_counted_only_where_something_was_given() -> None:
    rows = [
        {"given": True, "shown": ["a", "b", "c"]},
        {"given": True, "shown": ["a"]},
        {"given": False, "shown": []},
    ]

    assert replay.memories_a_time(rows) == 2
    assert replay.share_given(rows) == 2 / 3


def test_every_memory_that_is_injected_counts_also_where_nothing_answers() -> None:
    rows = [
        {"gold": ["a", "b"], "shown": ["a", "b", "x"]},
        {"gold": [], "shown": ["y"]},
        {"gold": ["c"], "shown": []},
    ]

    assert labelled_set.relevance(rows, lambda row: row["shown"]) == 0.5


def test_nothing_injected_at_all_is_no_relevance() -> None:
    assert labelled_set.relevance([{"gold": ["a"], "shown": []}], lambda row: row["shown"]) == 0
