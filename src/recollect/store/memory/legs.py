"""The legs of a search over dicts: by words and names, and by meaning."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recollect.store import name_places
from recollect.store.contract.search import (
    ByMeaning,
    ByNames,
    ByWords,
    Compared,
    Key,
    PassageWithoutVector,
    Scope,
)
from recollect.store.memory import words
from recollect.store.memory.content import Content, MemoryPassage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.embedders.protocol import Vector

# The number of no space.
NOWHERE = -2


class MemoryLexical:
    """`LexicalLegs` over the passages of an index."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def scope(self, projects: Sequence[str] | None) -> Scope:
        """Return where the entries of *projects* lie; None means all of them."""
        every = {one.project for one in self._content.pieces.values()}
        every |= {one.row.project for one in self._content.entries.values()}
        where = every if projects is None else every & set(projects)
        return Scope(where=where, size=len(self._pieces(where)))

    def frequencies(
        self,
        scope: Scope,
        words: list[str],
        *,
        to_the_end: Collection[str] = (),  # noqa: ARG002 - all are counted
    ) -> dict[str, int]:
        """Return how many passages in *scope* have each of *words*."""
        pieces = self._pieces(scope.where).values()
        return {word: sum(_has(one.words, word) for one in pieces) for word in words}

    def find(
        self,
        scope: Scope,
        words: Sequence[str],
        counts: Mapping[str, int],  # noqa: ARG002 - all are looked at
        *,
        apart: Collection[str] = (),
        members: Mapping[str, Sequence[str]] | None = None,
        limit: int,
    ) -> ByWords:
        """Return what fits *words* best; see `LexicalLegs.find`."""
        if not words:
            return ByWords()
        matched = [word for word in words if word not in apart]
        kinds = {word: those for word, those in (members or {}).items() if word in matched}
        more = [one for those in kinds.values() for one in those]
        telling = [word for word in words if word not in name_places.MARKS] or list(words)
        entries = {
            key: one
            for key, one in self._content.entries.items()
            if one.row.project in scope.where and one.is_searchable
        }
        said = self._pieces(scope.where)
        done = self._pieces(scope.where, done=True)
        return ByWords(
            own=_best({k: one.own for k, one in entries.items()}, [*telling, *more], limit),
            around=_best({k: one.around for k, one in entries.items()}, telling, limit),
            said=self._by_owner(_best(_words_of(said), [*words, *more], limit)),
            done=self._by_owner(_best(_words_of(done), [*words, *more], limit)),
            matched={
                key: mask for key, one in said.items() if (mask := _mask(one.words, matched, kinds))
            },
        )

    def named(self, scope: Scope, names: Sequence[str], *, only_known: bool = False) -> ByNames:
        """Return the entries in which *names* stand."""
        asked = name_places.looked_up(names)
        entries: dict[str, dict[Key, float]] = {name: {} for name in asked}
        passages: dict[str, set[Key]] = {name: set() for name in asked}
        for key, owner in self._content.owners().items():
            piece, row = self._content.pieces[key], self._content.entries[owner].row
            listed = "\n".join(piece.passage.names)
            there = [name for name in asked if name.lower() in listed.lower()]
            for name in there if piece.project in scope.where else ():
                whole = name_places.whole_name(name)
                place = name_places.prominence(whole, piece.passage.part, row.title, listed)
                entries[name][owner] = max(entries[name].get(owner, 0.0), place)
                if whole.search(listed):
                    passages[name].add(key)
        return name_places.combined(asked, entries, passages, only_known=only_known)

    def _pieces(self, where: Collection[str], *, done: bool = False) -> dict[Key, MemoryPassage]:
        return {
            key: one
            for key, one in self._content.pieces.items()
            if one.project in where and (one.passage.part == "done") == done
        }

    def _by_owner(self, passages: Mapping[Key, float]) -> dict[Key, float]:
        """Return the best of what was found of each entry, by its key."""
        owners = self._content.owners()
        found: dict[Key, float] = {}
        for passage, score in passages.items():
            if passage in owners:
                owner = owners[passage]
                found[owner] = max(found.get(owner, score), score)
        return found


class MemoryVectors:
    """`VectorStore` in dicts."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._spaces: dict[int, tuple[str, dict[str, Any]]] = {}
        self._vectors: dict[int, dict[bytes, NDArray[np.float32] | None]] = {}

    def space(self, name: str, embedder: Mapping[str, object]) -> int:
        """Return the number of the space called *name*, made by *embedder*, new if need be."""
        known = [number for number, (own, _) in self._spaces.items() if own == name]
        number = known[0] if known else max(self._spaces, default=0) + 1
        self._spaces[number] = (name, json.loads(json.dumps(embedder)))
        self._vectors.setdefault(number, {})
        return number

    def serving(self) -> tuple[int, str, dict[str, Any]] | None:
        """Return the space that answers now: number, name and what it was made by."""
        number = min(self._spaces, default=None)
        return None if number is None else (number, *self._spaces[number])

    def pending(self, space: int, *, without: Sequence[str] = ()) -> int:
        """Return how many passages have no vector in *space* yet; projects can be left out."""
        return len(self._missing(space, without))

    def pending_for(self, embedder: Mapping[str, object], *, without: Sequence[str]) -> int:
        """Return how many passages *embedder* has made no vector of yet."""
        made = [number for number, (_, by) in self._spaces.items() if by == dict(embedder)]
        return self.pending(made[0] if made else NOWHERE, without=without)

    def wanted(
        self, space: int, *, limit: int, without: Sequence[str] = ()
    ) -> list[PassageWithoutVector]:
        """Return passages that have no vector in *space* yet, the newest first."""
        missing = sorted(self._missing(space, without), key=lambda one: -one.key)
        return [
            PassageWithoutVector(
                key=one.key,
                hash=one.passage.hash,
                text="\n".join(filter(None, (one.passage.lead, one.passage.text))),
            )
            for one in missing[:limit]
        ]

    def known(self, space: int, wanted: Sequence[PassageWithoutVector]) -> set[bytes]:
        """Return the texts among *wanted* whose vector is there already, of another passage."""
        return {one.hash for one in wanted if self._vectors[space].get(one.hash) is not None}

    def put(
        self,
        space: int,
        wanted: Sequence[PassageWithoutVector],
        vectors: "Mapping[bytes, NDArray[np.float32]]",
    ) -> None:
        """Keep *vectors*, named by the hash of their text; the *wanted* ones are now served."""
        there = self._vectors[space]
        there |= vectors
        for one in wanted:
            there.setdefault(one.hash, None)

    def serve(self, space: int) -> None:
        """Answer with *space* from now on, and forget every other."""
        self._spaces = {space: self._spaces[space]}
        self._vectors = {space: self._vectors[space]}

    def likenesses(
        self, ones: Sequence[Key], others: Sequence[Key], *, space: int
    ) -> dict[Key, float]:
        """Return how near each passage of *others* is to the nearest of *ones*, by key."""
        near = [vector for key in ones if (vector := self._of(key, space)) is not None]
        return {
            key: max(float(vector @ one) for one in near)
            for key in others
            if near and (vector := self._of(key, space)) is not None
        }

    def find(self, question: "Vector", projects: Collection[str], *, limit: int) -> ByMeaning:
        """Return what lies nearest to *question* in *projects*, in the space that serves."""
        serving = self.serving()
        near: dict[Key, dict[Key, float]] = {}
        for key, owner in self._content.owners().items() if serving else ():
            vector = self._of(key, serving[0]) if serving else None
            is_meant = self._content.pieces[key].project in projects
            if is_meant and vector is not None and len(vector) == len(question):
                near.setdefault(owner, {})[key] = float(vector @ question)
        if not near:
            return ByMeaning()
        best = {entry: max(those.values()) for entry, those in near.items()}
        return ByMeaning(
            nearest=words.first(best, limit),
            smoothed=words.first(self._smoothed(best), limit),
            everyone=(_compared(near),),
        )

    def _smoothed(self, best: Mapping[Key, float]) -> dict[Key, float]:
        """Return the scores of entries with half of those before and after in the session."""
        rows = [self._content.entries[entry].row for entry in best]
        rows.sort(key=lambda row: (row.project, row.session, row.at, row.key))
        smoothed = dict(best)
        for one, other in pairwise(rows):
            if one.session and (one.project, one.session) == (other.project, other.session):
                smoothed[one.key] += best[other.key] / 2
                smoothed[other.key] += best[one.key] / 2
        return smoothed

    def _missing(self, space: int, without: Sequence[str]) -> list[MemoryPassage]:
        there = self._vectors.get(space, {})
        return [
            one
            for one in self._content.pieces.values()
            if one.passage.part != "done"
            and one.project not in without
            and one.passage.hash not in there
        ]

    def _of(self, key: Key, space: int) -> "NDArray[np.float32] | None":
        piece = self._content.pieces.get(key)
        return self._vectors[space].get(piece.passage.hash) if piece else None


def _compared(near: Mapping[Key, Mapping[Key, float]]) -> Compared:
    import numpy as np  # noqa: PLC0415 - costs as much as a whole command

    entries = sorted(near)
    lengths = [len(near[entry]) for entry in entries]
    return Compared(
        entries=np.array(entries),
        places=np.arange(len(entries)),
        starts=np.cumsum([0, *lengths])[:-1],
        keys=np.array([key for entry in entries for key in near[entry]]),
        scores=np.array([score for entry in entries for score in near[entry].values()]),
    )


def _words_of(pieces: Mapping[Key, MemoryPassage]) -> dict[Key, Counter[str]]:
    return {key: one.words for key, one in pieces.items()}


def _best(
    documents: Mapping[Key, Counter[str]], wanted: Sequence[str], limit: int
) -> dict[Key, float]:
    return words.best(documents, wanted, limit=limit)


def _has(text: Counter[str], word: str) -> bool:
    asked = words.words(word)
    return bool(asked) and all(text[one] for one in asked)


def _mask(text: Counter[str], matched: Sequence[str], kinds: Mapping[str, Sequence[str]]) -> int:
    """Return which of the *matched* words *text* has: a bit a word, then one a kind."""
    mask = sum(1 << bit for bit, word in enumerate(matched) if _has(text, word))
    for bit, (word, those) in enumerate(kinds.items(), start=len(matched)):
        if any(_has(text, one) for one in those):
            mask |= 1 << bit | 1 << matched.index(word)
    return mask
