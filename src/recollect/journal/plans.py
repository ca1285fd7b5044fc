"""Whether something that was planned was taken up later. Pure.

A plan that was carried out and is still told as open misleads; so one that shares most of its
words with later work counts as taken up, at the risk of losing one that only sounds alike.
"""

from collections.abc import Collection, Iterable

from recollect.text.terms import terms

# So much of a plan's words in one later text say that it was taken up.
TAKEN_UP = 0.5


def words(text: str) -> frozenset[str]:
    """Return the words by which texts are compared."""
    return frozenset(terms(text))


def is_taken_up(plan: str, later: Iterable[Collection[str]]) -> bool:
    """Tell whether one of the texts *later*, as words, has most of the words of *plan*.

    >>> is_taken_up("backfill the March data", [words("Backfilled March, all data is there")])
    True
    >>> is_taken_up("backfill the March data", [words("Add a test for March")])
    False
    """
    planned = words(plan)
    return any(len(planned.intersection(one)) >= TAKEN_UP * len(planned) for one in later)
