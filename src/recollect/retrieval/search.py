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


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked, and how much of an answer is wanted."""

    question: str
    limit: int
    bar: float
    rarer_than: float = lookup.TOO_COMMON
    """Words that a larger share of the entries has are not asked for."""
    asked_in: str = ""
    """The session that asks; what it did itself stands in its context already …"""
    asked_since: float = 0.0
    """… unless that was before its context was compacted."""


def search(index: Index, request: Request, *, projects: Sequence[str]) -> list[Found]:
    """Return the memories of *projects* that answer *request*, best first."""
    found = [one for project in projects for one in _in_project(index, request, project)]
    # Of two that are equal the later one, as in `lookup.recall`.
    found.sort(key=lambda one: (-round(one.score, 1), -one.rank, -(one.number % lookup.NUMBERS)))
    shown: list[Found] = []
    for one in found:
        if len(shown) == request.limit:
            break
        entry = index.by_number(one.number)
        asks_itself = bool(entry.session) and entry.session == request.asked_in
        own = asks_itself and entry.at >= request.asked_since
        if not own and is_unchanged(entry):
            shown.append(Found(entry=entry, score=one.score))
    return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    number: int
    score: float
    """The share of the question that it holds."""
    rank: float
    """How well it fits, by its own words and those around it."""


def _in_project(index: Index, request: Request, project: str) -> list[_Candidate]:
    where = lookup.scope(index.connection, project)
    if where is None:
        return []
    words = lookup.terms(request.question)
    weights = lookup.weigh(index.connection, where, words, rarer_than=request.rarer_than)
    shares = lookup.shares(index.connection, where, weights)
    clearing = [number for number, share in shares.items() if share >= request.bar]
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
