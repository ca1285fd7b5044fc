"""How good an order of answers is. Pure."""

import math
from collections.abc import Iterable, Sequence


def recall(found: Iterable[str], gold: set[str]) -> float:
    """Return the share of *gold* that was *found*.

    >>> recall(["a", "b"], {"b", "c"})
    0.5
    """
    return len(gold & set(found)) / len(gold)


def hit(found: Iterable[str], gold: set[str]) -> float:
    """Return 1 if any of *gold* was *found*, else 0."""
    return float(not gold.isdisjoint(found))


def reciprocal_rank(found: Sequence[str], gold: set[str]) -> float:
    """Return one divided by the place of the first of *gold*, 0 if there is none.

    >>> reciprocal_rank(["a", "b"], {"b"})
    0.5
    """
    return next((1 / place for place, one in enumerate(found, 1) if one in gold), 0.0)


def ndcg(found: Sequence[str], gold: set[str], *, depth: int) -> float:
    """Return how much of what could be gained the first *depth* gain; later places gain less.

    >>> ndcg(["a", "b"], {"a"}, depth=10), round(ndcg(["b", "a"], {"a"}, depth=10), 2)
    (1.0, 0.63)
    """
    gained = sum(_gain(place) for place, one in enumerate(found[:depth]) if one in gold)
    return gained / sum(map(_gain, range(min(len(gold), depth))))


def quantile(values: Iterable[float], share: float) -> float:
    """Return the value below which a *share* of *values* lies.

    >>> quantile([3, 1, 2, 5, 4], 0.5), quantile(range(1, 101), 0.95)
    (3, 95)
    """
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)
