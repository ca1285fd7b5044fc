import doctest
from types import ModuleType
from typing import Any

import pytest
from benchmarks import labelled_set, measures, report
from benchmarks.plain import PlainSearch


@pytest.mark.parametrize("module", [measures, report], ids=["measures", "report"])
def test_the_examples_in_the_documentation_hold(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_gold_that_was_not_found_at_all_counts_against_the_gain() -> None:
    assert measures.ndcg(["a"], {"a", "b"}, depth=10) < 1
    assert measures.ndcg([], {"a"}, depth=10) == 0


def test_a_good_answer_is_lost_when_no_gold_is_shown_any_more() -> None:
    kept = {"hit5": 1.0, "gold": ["a"], "shown": ["b", "a"]}
    lost = {"hit5": 1.0, "gold": ["a"], "shown": ["b"]}
    never_good = {"hit5": 0.0, "gold": ["a"], "shown": []}

    share = labelled_set.losses([kept, lost, never_good], lambda row: row["shown"])

    assert share == 0.5


def test_silence_is_an_empty_answer() -> None:
    rows: list[dict[str, Any]] = [{"shown": []}, {"shown": ["a"]}]

    assert labelled_set.silence(rows, lambda row: row["shown"]) == 0.5


def test_plain_search_names_a_text_once_and_stems_words() -> None:
    plain = PlainSearch([("a", "cached orders"), ("b", "invoices"), ("a", "orders again")])

    assert plain.first(5, "caching the orders") == ["a"]
    assert plain.first(5, "the") == []
