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
    words = lookup.terms(question)
    found = [one for project in projects for one in _in_project(index, words, project, bar=bar)]
    found.sort(key=lambda one: (-round(one.score, 1), -one.rank, one.number))
    shown: list[Found] = []
    for one in found:
        if len(shown) == limit:
            break
        entry = index.by_number(one.number)
        if is_unchanged(entry):
            shown.append(Found(entry=entry, score=one.score))
    return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    number: int
    score: float
    """The share of the question that it holds."""
    rank: float
    """How well it fits, by its own words and those around it."""


def _in_project(index: Index, words: list[str], project: str, *, bar: float) -> list[_Candidate]:
    where = lookup.scope(index.connection, project)
    if where is None:
        return []
    weights = lookup.weigh(index.connection, where, words)
    shares = lookup.shares(index.connection, where, weights)
    clearing = [number for number, share in shares.items() if share >= bar]
    if not clearing:
        return []
    known = list(weights)
    order = rank.fuse(
        index.best_by_words(known, where, limit=DEPTH),
        index.best_by_neighbours(known, where, limit=DEPTH),
    )
    return [
        _Candidate(number=number, score=shares[number], rank=order.get(number, 0.0))
        for number in clearing
    ]
