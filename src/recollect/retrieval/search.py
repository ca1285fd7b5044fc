"""Answer a question with memories, or with nothing.

The order comes from both lexical lists (`rank`); whether something is shown at all is decided
by the bar: the weighted share of the question's words that the entry holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.index import lookup
from recollect.index.database import Index, Indexed, is_unchanged
from recollect.retrieval import rank

# Each list contributes its best; more would only cost.
DEPTH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One memory that answers a question, and how much of it."""

    entry: Indexed
    score: float


def search(
    index: Index, question: str, *, projects: Sequence[str], limit: int, bar: float
) -> list[Found]:
    """Return at most *limit* memories of *projects* that clear the *bar*, best first."""
    weights = lookup.weigh(index.connection, lookup.terms(question))
    words = [word for word, (_, known) in weights.items() if known]
    if not words or not projects:
        return []
    own: dict[int, float] = {}
    around: dict[int, float] = {}
    for project in projects:
        own |= index.best_by_words(lookup.within(project, words), limit=DEPTH)
        near = lookup.within(project, words, columns="around")
        around |= index.best_by_neighbours(near, limit=DEPTH)
    order = rank.fuse(own, around)
    shares = lookup.measure(index.connection, list(order), weights)
    best = sorted(order, key=lambda number: (-round(shares[number], 1), -order[number], number))
    found: list[Found] = []
    for number in best:
        if shares[number] < bar or len(found) == limit:
            continue
        entry = index.by_number(number)
        if is_unchanged(entry):
            found.append(Found(entry=entry, score=shares[number]))
    return found
