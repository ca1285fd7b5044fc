"""Find entries by words: their own, their neighbours', those of the turn behind them, by names.

Every leg returns the best entries and how well they fit (larger is better). What they amount
to together is for `retrieval` to say.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from recollect.store import name_places
from recollect.store.contract.search import ByNames, ByWords, Scope, Scores
from recollect.store.name_places import MARKS, prominence, whole_name
from recollect.store.sqlite import access
from recollect.store.sqlite.index import lookup
from recollect.store.sqlite.index.lookup import NUMBERS

SQL = access.load("recollect.store.sqlite.index", "sql/lexical.sql")

MOST_PLACES_OF_A_NAME = 400
MOST_PLACES_AROUND = 1_000


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
        words: Sequence[str],
        counts: Mapping[str, int],
        *,
        apart: Collection[str] = (),
        members: Mapping[str, Sequence[str]] | None = None,
        limit: int,
    ) -> ByWords:
        """Return what fits *words*, the rarest first, best: by each leg the first *limit*.

        See `LexicalLegs.find`.
        """
        if not words:
            return ByWords()
        counted = [word for word in words if word not in apart]
        kinds = {word: those for word, those in (members or {}).items() if word in counted}
        more = dict.fromkeys(one for those in kinds.values() for one in those)
        wanted = lookup.any_of([*words, *more])
        said = self._best("best_by_passages", wanted, scope, limit)
        done = self._best("best_by_done", wanted, scope, limit)
        entry_of = self._entries_of([*said, *done])
        places = [(first, last, scope.size) for first, last in scope.where]
        telling = [word for word in words if word not in MARKS] or words
        whole = lookup.any_of([*telling, *more])
        return ByWords(
            own=self._best("best_by_words", whole, scope, limit),
            around=self._best("best_by_neighbours", _rarest(telling, counts), scope, limit),
            said=_best_of(said, entry_of),
            done=_best_of(done, entry_of),
            matched=self._matched(places, counted, kinds),
        )

    def _matched(
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
        asked = name_places.looked_up(names)
        found = {name: self._places_of(name, scope) for name in asked}
        return name_places.combined(
            asked,
            {name: entries for name, (entries, _) in found.items()},
            {name: passages for name, (_, passages) in found.items()},
            only_known=only_known,
        )

    def _places_of(self, name: str, scope: Scope) -> tuple[dict[int, float], set[int]]:
        """Return how prominently each entry has *name*, and the passages in which it stands."""
        found: dict[int, float] = {}
        standing: set[int] = set()
        whole = whole_name(name)
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
                place = prominence(whole, part, title, names)
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


def _rarest(words: Sequence[str], counts: Mapping[str, int]) -> str:
    """Return the expression for the rarest words: next to each entry stand two more."""
    chosen: list[str] = []
    for word in words:  # They come rarest first.
        if chosen and sum(counts.get(one, 0) for one in (*chosen, word)) > MOST_PLACES_AROUND:
            break
        chosen.append(word)
    return lookup.any_of(chosen)


def _best_of(passages: Scores, entry_of: Mapping[int, int]) -> dict[int, float]:
    best: dict[int, float] = {}
    for passage, score in passages.items():
        if passage in entry_of:
            entry = entry_of[passage]
            best[entry] = max(best.get(entry, score), score)
    return best
