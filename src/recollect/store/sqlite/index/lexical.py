"""Find entries by words: their own, their neighbours', those of the turn behind them, by names.

Every leg returns the best entries and how well they fit (larger is better). What they amount
to together is for `retrieval` to say.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from recollect.store.contract.search import ByNames, ByWords, Scope
from recollect.store.sqlite import access
from recollect.store.sqlite.index import lookup
from recollect.store.sqlite.index.lookup import NUMBERS
from recollect.text import term_weights, thesaurus

SQL = access.load("recollect.store.sqlite.index", "sql/lexical.sql")

# A name stands in the headline, in the entry, in the turn behind it, or only inside another.
IN_TITLE, IN_ENTRY, IN_TURN, IN_PART = 1.0, 0.8, 0.5, 0.2
# Names are looked up by three characters at least; of many, the first few count.
SHORTEST_NAME = 3
MOST_NAMES = 8
MOST_PLACES_OF_A_NAME = 400
MOST_PLACES_AROUND = 1_000

# The words of our marks, "- **change** …", "- files: …". Whole entries are searched as they are
# written, so nearly all of them hold these; passages hold only what is said.
MARKS = frozenset(
    """
    bugfix change changed changes changing concept concepts decision decisions discoveries discovery
    fact facts feature features file files refactor refactoring secure security text texts
    """.split()
)

Scores = Mapping[int, float]


class Lexical:
    """The legs of a search that go by words."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def scope(self, projects: Sequence[str] | None) -> Scope:
        """Return where the entries of *projects* lie; None means all of them."""
        if projects is None:
            (size,) = self._all("count_everything")[0]
            return Scope(where=((0, (1 << 63) - 1),), size=int(size or 0))
        found = [lookup.scope(self._connection, project) for project in projects]
        places = [place for place in found if place]
        return Scope(
            where=tuple((first, last) for first, last, _ in places),
            size=sum(count for *_, count in places),
        )

    def frequencies(
        self, scope: Scope, words: list[str], *, to_the_end: Collection[str] = ()
    ) -> dict[str, int]:
        """Return how many passages in *scope* have each of *words*; see `lookup.frequencies`."""
        return lookup.frequencies(
            self._connection, list(scope.where), words, to_the_end=frozenset(to_the_end)
        )

    def find(
        self,
        scope: Scope,
        weights: dict[str, float],
        counts: Mapping[str, int],
        *,
        apart: Collection[str] = (),
        members: Mapping[str, Sequence[str]] | None = None,
        limit: int,
    ) -> ByWords:
        """Return what fits the words in *weights* best, by each leg the first *limit*.

        *counts* says how many passages have each. Words that stand *apart* are looked up, but
        do not count towards the share. *members* of the kind that a word names speak for it.
        """
        if not weights:
            return ByWords()
        counted = {word: weight for word, weight in weights.items() if word not in apart}
        kinds = {word: those for word, those in (members or {}).items() if word in counted}
        more = dict.fromkeys(one for those in kinds.values() for one in those)
        wanted = lookup.any_of([*weights, *more])
        said = self._best("best_by_passages", wanted, scope, limit)
        done = self._best("best_by_done", wanted, scope, limit)
        entry_of = self._entries_of([*said, *done])
        places = [(first, last, scope.size) for first, last in scope.where]
        telling = {word: weight for word, weight in weights.items() if word not in MARKS}
        whole = lookup.any_of([*(telling or weights), *more])
        return ByWords(
            own=self._best("best_by_words", whole, scope, limit),
            around=self._best(
                "best_by_neighbours", _rarest(telling or weights, counts), scope, limit
            ),
            said=_best_of(said, entry_of),
            done=_best_of(done, entry_of),
            held=self._held(places, list(counted), kinds),
            weights=_shared(counted, kinds),
            substance=term_weights.substance(counted),
        )

    def _held(
        self,
        places: list[tuple[int, int, int]],
        words: list[str],
        kinds: Mapping[str, Sequence[str]],
    ) -> dict[int, int]:
        """Return which of *words* each passage has: a bit a word, then one a kind.

        A passage with a member of the kind has both, one with the word for it only the first.
        """
        held = lookup.holding(self._connection, places, words)
        having = {
            those: lookup.holding(self._connection, places, list(those))
            for those in dict.fromkeys(map(tuple, kinds.values()))
        }
        for place, (word, those) in enumerate(kinds.items(), start=len(words)):
            both = 1 << place | 1 << words.index(word)
            for number in having[tuple(those)]:
                held[number] = held.get(number, 0) | both
        return held

    def named(self, scope: Scope, names: Sequence[str], *, only_known: bool = False) -> ByNames:
        """Return the entries in which *names* stand.

        An entry that has only some of them scores by the mean; with *only_known*, of those that
        stand anywhere.
        """
        asked = [name for name in names if len(name) >= SHORTEST_NAME][:MOST_NAMES]
        found = {name: self._places_of(name, scope) for name in asked}
        if only_known:
            asked = [name for name in asked if found[name][0]]
        prominence: dict[int, float] = {}
        share: dict[int, float] = {}
        passages: dict[int, float] = {}
        for name in asked:
            places, standing = found[name]
            for number, place in places.items():
                prominence[number] = prominence.get(number, 0.0) + place / len(asked)
                whole = place >= IN_TURN
                share[number] = share.get(number, 0.0) + whole / len(asked)
            for passage in standing:
                passages[passage] = passages.get(passage, 0.0) + 1 / len(asked)
        return ByNames(prominence=prominence, share=share, passages=passages, asked=tuple(asked))

    def _places_of(self, name: str, scope: Scope) -> tuple[dict[int, float], set[int]]:
        """Return how prominently each entry has *name*, and the passages in which it stands."""
        found: dict[int, float] = {}
        standing: set[int] = set()
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w|-\w)", re.IGNORECASE)
        expression = '"' + name.replace('"', '""') + '"'
        for first, last in scope.where:
            rows = self._all(
                "spelled_like",
                {
                    "name": expression,
                    "first": first,
                    "last": last,
                    "NUMBERS": NUMBERS,
                    "limit": MOST_PLACES_OF_A_NAME,
                },
            )
            for number, passage, part, title, names in rows:
                place = _prominence(whole, part, title, names)
                found[number] = max(found.get(number, 0.0), place)
                if whole.search(names):
                    standing.add(passage)
        return found, standing

    def _best(self, statement: str, wanted: str, scope: Scope, limit: int) -> dict[int, float]:
        found: list[tuple[float, int]] = []
        for first, last in scope.where:
            rows = self._connection.execute(SQL[statement], (wanted, first, last, limit))
            found.extend((rank, -number) for number, rank in rows)
        return {-number: -rank for rank, number in sorted(found)[:limit]}

    def _entries_of(self, passages: Sequence[int]) -> dict[int, int]:
        values = {"passages": json.dumps(list(passages)), "NUMBERS": NUMBERS}
        return dict(self._all("entries_of_passages", values))

    def _all(self, statement: str, values: Any = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()


def _shared(words: Mapping[str, float], kinds: Collection[str]) -> tuple[float, ...]:
    """Return what each word weighs, then each kind: together they weigh what the word did."""
    own = (weight * (thesaurus.SHARE if word in kinds else 1) for word, weight in words.items())
    return (*own, *(words[word] * (1 - thesaurus.SHARE) for word in kinds))


def _rarest(weights: Mapping[str, float], counts: Mapping[str, int]) -> str:
    """Return the expression for the rarest words: next to each entry stand two more."""
    chosen: list[str] = []
    for word in weights:  # They come rarest first.
        if chosen and sum(counts.get(one, 0) for one in (*chosen, word)) > MOST_PLACES_AROUND:
            break
        chosen.append(word)
    return lookup.any_of(chosen)


def _prominence(whole: re.Pattern[str], part: str, title: str, names: str) -> float:
    if part == "own" and whole.search(title):
        return IN_TITLE
    # Whatever name stands whole in a passage stands so in the list of its names.
    if not whole.search(names):
        return IN_PART if part == "own" else IN_PART / 2
    return IN_ENTRY if part == "own" else IN_TURN


def _best_of(passages: Scores, entry_of: Mapping[int, int]) -> dict[int, float]:
    best: dict[int, float] = {}
    for passage, score in passages.items():
        if passage in entry_of:
            entry = entry_of[passage]
            best[entry] = max(best.get(entry, score), score)
    return best
