"""What a search found, as every surface is told."""

import json
from dataclasses import fields

import pytest

from recollect import tokens
from recollect.search import report
from recollect.search.query import Filter, Query
from recollect.search.rank import Circumstances, Matches
from recollect.search.score import Signals
from recollect.search.search import Request, SearchResult, search
from recollect.testing import WordBag
from tests.builders.index import Shelf, ToVector, a_call, a_memory, a_turn, at_once

SHOP = "shop-1f"
BAG = WordBag()


def found(
    shelf: Shelf, question: str, *, embed: ToVector = lambda _: None, **more: object
) -> list[SearchResult]:
    given = {"query": Query.plain(question), "limit": 5, "min_score": 0.0, "projects": [SHOP]}
    request = Request(**given | more)  # type: ignore[arg-type]
    return search(shelf.index, request, embed=at_once(embed))


@pytest.fixture(autouse=True)
def library(shelf: Shelf) -> None:
    body = "- **bugfix** in get_crane\n  - files: `src/crane.py` (modified)\n- **decision** park it"
    shelf.fill(
        SHOP,
        a_memory("Harbour crane", body, id="h-1", session="s", turn="t1", branch="main", day=1),
        a_memory("Lunch", "soup", id="h-2", session="s", turn="t2", day=2, edited=True),
        a_memory("Go on", id="h-3", session="s", turn="t3", day=3),
    )
    run = a_call("Bash", command="crane --park")
    answer = "\n\n".join(f"## Night {n}\n{'The giraffe sleeps. ' * 9}" for n in range(8))
    shelf.tell(SHOP, a_turn("t3", answer=answer, session="s", tools=(run,)))
    shelf.embed(BAG)


def test_a_result_is_enough_to_judge_it_and_leads_to_the_whole(shelf: Shelf) -> None:
    (result, *_) = report.of(found(shelf, "harbour crane"), explain=False)

    score = result.pop("score")
    assert isinstance(score, float)
    assert 0.5 < score < 1
    assert result == {
        "id": "h-1",
        "title": "Harbour crane",
        "at": "2026-11-02T12:00:00Z",
        "timestamp": 1793620800.0,
        "project": SHOP,
        "kind": "entry",
        "types": ["bugfix", "decision"],
        "session": "s",
        "turn": "t1",
        "host": "",
        "branch": "main",
        "file": str(shelf.folder / "projects" / SHOP / "day.md"),
        "lines": [1, 1],
        "category": "",
        "aside": "",
        "hidden_reason": "",
        "stale": "",
        "passages": ["in get_crane\npark it"],
        "similar": 0,
        "weak": False,
    }


def test_of_many_passages_a_few_are_shown_that_fit_in_the_order_of_the_turn(shelf: Shelf) -> None:
    (one, *_) = found(shelf, "giraffe sleeps")

    shown = report.shown_passages(one)

    assert 1 <= len(shown) <= report.MOST_PASSAGES
    told = sum(tokens.estimate(found.passage.text) for found in shown)
    assert told + tokens.estimate(one.entry.title) <= report.RESULT_TOKENS
    numbers = [found.passage.place for found in shown]
    assert numbers == sorted(numbers)
    assert one.passages[0] in shown


def test_what_does_not_clear_the_bar_is_weak(shelf: Shelf) -> None:
    results = found(shelf, "harbour crane")

    min_score = results[0].score
    weak = [result["weak"] for result in report.of(results, explain=False, min_score=min_score)]

    assert weak == [False, *[True] * (len(results) - 1)]


def test_where_hardly_anything_clears_the_bar_the_closest_are_shown_beside_it(
    shelf: Shelf,
) -> None:
    shelf.fill(SHOP, *[a_memory(f"tea {n}", f"cup {n}", day=n) for n in range(20)])
    results = found(shelf, "tea", limit=20, rarer_than=1.0)

    assert report.with_closest(results, min_score=1.0) == results[: report.CLOSEST]
    assert report.with_closest(results, min_score=0.0) == results


@pytest.mark.parametrize("embed", [BAG.question, lambda _: None], ids=["vectors", "words"])
@pytest.mark.parametrize(
    "query", [Query.plain("harbour crane get_crane"), Query(types=Filter(any_of=("bugfix",)))]
)
def test_an_explanation_has_every_leg_and_is_json(
    shelf: Shelf, query: Query, embed: ToVector
) -> None:
    results = report.of(found(shelf, "", query=query, embed=embed), explain=True)

    assert results
    for result in json.loads(json.dumps(results)):
        why = result["why"]
        assert why.keys() == {"rank", "matches", "signals", "circumstances", "in_words"}
        for group, kind in (
            ("matches", Matches),
            ("signals", Signals),
            ("circumstances", Circumstances),
        ):
            assert why[group].keys() == {field.name for field in fields(kind)}


def test_nothing_is_explained_unasked(shelf: Shelf) -> None:
    assert "why" not in report.of(found(shelf, "harbour crane"), explain=False)[0]


@pytest.mark.parametrize(
    ("question", "title", "reason"),
    [
        ("get_crane", "Harbour crane", "has the name that you asked for"),
        ("harbour crane", "Harbour crane", "matches all your words"),
        ("giraffe sleeps park", "Go on", "its turn matches all your words"),
        ("harbour crane", "Harbour crane", "near in meaning ("),
        ("harbour", "Lunch", "stands beside entries that fit"),
        ("park", "Go on", "files, commands or plans of that turn fit"),
        ("soup", "Lunch", "you wrote or corrected it"),
        ("harbour crane", "Harbour crane", "is of the same branch"),
        ("bugfix in src/crane.py", "Harbour crane", "is about a file that was named"),
    ],
)
def test_the_reasons_are_said_in_words(
    shelf: Shelf, question: str, title: str, reason: str
) -> None:
    results = found(shelf, question, embed=BAG.question, branch="main")

    why = {
        result["title"]: result["why"]["in_words"]  # type: ignore[index]
        for result in report.of(results, explain=True)
    }
    assert reason in why[title]


def test_what_only_the_filters_let_through_says_so(shelf: Shelf) -> None:
    query = Query(types=Filter(any_of=("bugfix",)))

    (result,) = report.of(found(shelf, "", query=query), explain=True)

    assert result["why"]["in_words"] == "the filters let it through"  # type: ignore[index]


def test_an_entry_is_told_whole(shelf: Shelf) -> None:
    entry = shelf.index.by_id("h-2")
    assert entry

    assert report.of_entry(entry)["body"] == "soup"
    assert report.of_entry(entry)["id"] == "h-2"


def test_a_time_is_written_as_programs_read_it_and_none_as_nothing() -> None:
    assert report.iso(1793620800.0) == "2026-11-02T12:00:00Z"
    assert report.iso(0.0) == ""
