"""What a search stands on: entries and passages, and the legs that find them.

Values, and protocols for whatever keeps an index. Legs say what was found, by which words and how
near; what that amounts to is for `recollect.search`. `recollect.testing.SearchContract` holds every
implementation to it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from recollect.journal.model import Carried, LibraryItem
from recollect.store.contract.library import Followed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

# The clocks of two processes may differ by so much.
MINUTE = 60.0
# What is written by hand has a day, and stands at its noon. Somewhere on earth a day begins so long
# before its noon in Greenwich.
OF_A_DAY = 26 * 3600.0
# Names are looked up by three characters at least.
SHORTEST_NAME = 3
# Of one file, so many memories are looked at.
MOST_OF_A_FILE = 20

Key = int
"""An index's own name for an entry or a passage. It means nothing else, and nothing elsewhere."""

Scores = Mapping[Key, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow(Carried):
    """One entry as the index has it."""

    key: Key
    id: str
    project: str
    kind: str
    category: str
    """Of a note."""
    hidden_reason: str
    """Why it is not shown unasked; see `LibraryItem`."""
    note_status: str
    """What a note says of itself; see `LibraryItem`."""
    prominence: int
    types: str
    """What was observed, such as "bugfix decision"."""
    touched: str
    """The files it tells of, one a line."""
    at: float
    session: str
    turn: str
    host: str
    """The agent whose turn it was."""
    title: str
    body: str
    document: str
    """Where it stands in the library, in words that a person can find it by."""
    version: str
    """Of that document, as it was indexed."""
    first_line: int
    last_line: int
    edited: bool
    """The user changed it."""
    stale: str
    """What has become of the files it tells of, ready to follow the card; empty for nothing."""
    mark: str
    """Tells its card from that of another state of it."""
    card: str
    line: str

    def is_ahead_of(self, moment: float) -> bool:
        """Tell whether it cannot have been there at *moment*, which may be an earlier one."""
        return self.at > moment + (OF_A_DAY if self.kind == "hand" else MINUTE)


@dataclass(slots=True, kw_only=True)
class IndexedPassage:
    """A piece of an entry, or of the turn behind it, as the index has it."""

    key: Key
    place: int
    """What follows another passage of its turn, or of its entry, has the next one."""
    part: str
    lead: str
    text: str
    card: str
    """The text as it is shown."""
    mark: str
    """Tells it from another: whoever was shown it need not see it again."""


@dataclass(slots=True, kw_only=True)
class Sketch:
    """What little of an entry decides where it stands among others."""

    key: Key
    kind: str
    types: str
    at: float
    session: str
    branch: str
    touched: str
    edited: bool
    prominence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look, and how many passages there are."""

    where: Any
    """What the index knows the place by."""
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByWords:
    """What the words of a question found, by the key of the entry."""

    own: Scores = field(default_factory=dict)
    around: Scores = field(default_factory=dict)
    said: Scores = field(default_factory=dict)
    done: Scores = field(default_factory=dict)
    matched: Mapping[Key, int] = field(default_factory=dict)
    """Which of the words each passage has: a bit for each of those that are matched, in order, then
    one for each of their kinds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByNames:
    """Where names stand that were asked for, by the key of the entry."""

    prominence: Scores = field(default_factory=dict)
    """1 for the headline, less for less."""
    share: Scores = field(default_factory=dict)
    """The share of the names that stand there whole, not only inside another name."""
    passages: Scores = field(default_factory=dict)
    """The share of the names that stand whole in a passage, by its own key."""
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageWithoutVector:
    """A passage that has no vector yet."""

    key: Key
    hash: bytes
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByMeaning:
    """What lies nearest to a question, by the key of the entry; 1 is the same."""

    nearest: Scores = field(default_factory=dict)
    smoothed: Scores = field(default_factory=dict)
    """The same with the entries before and after: a thread of talk about the question."""
    everyone: tuple["Compared", ...] = ()
    """How near everything is that has a vector."""

    def nearness(self, entry: Key) -> float | None:
        """Return how near an *entry* is; None when it has no vector."""
        near = self.passages(entry).values()
        return max(near) if near else None

    def passages(self, entry: Key) -> dict[Key, float]:
        """Return how near each passage of an *entry* is, by its own key."""
        found = (one.passages_of(entry) for one in self.everyone)
        return next(filter(None, found), {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The passages of one project, entry by entry, and how near each is to a question."""

    entries: Any
    """The keys of the entries, in order …"""
    places: Any
    """… and for each, which of `starts` is its own."""
    starts: Any
    """Where the passages of each entry begin."""
    keys: Any
    scores: Any

    def passages_of(self, entry: Key) -> dict[Key, float]:
        """Return the passages of *entry* and how near they are; none if it has no vector."""
        at = int(self.entries.searchsorted(entry))
        if at == len(self.entries) or self.entries[at] != entry:
            return {}
        place = int(self.places[at])
        first = int(self.starts[place])
        last = int(self.starts[place + 1]) if place + 1 < len(self.starts) else len(self.scores)
        keys, scores = self.keys[first:last], self.scores[first:last]
        return dict(zip(keys.tolist(), scores.tolist(), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What a later turn says instead of a piece of a passage."""

    passage: Key
    piece: str
    """The sentence or line that is outdated, as it stands in the passage."""
    old: str
    new: str
    is_name: bool
    """Whether a thing was replaced rather than an amount: what was said of it may still matter."""
    at: float
    by: Key
    """The passage that tells what holds now; 0 for none."""
    entry: Key
    """The entry of the later turn."""
    id: str
    title: str


class Render(Protocol):
    """Makes the texts that are shown; `recollect.context.render` does."""

    def card(self, one: LibraryItem, /) -> tuple[str, str]:
        """Return the card of an entry and the line that its user is shown."""

    def passage(self, text: str, /) -> str:
        """Return a passage as it stands in a card."""

    def stale(self, what: str, /) -> str:
        """Return the line that says *what* has become of the files that an entry tells of."""


class LexicalLegs(Protocol):
    """The legs of a search that go by words and names."""

    def scope(self, projects: Sequence[str] | None) -> Scope:
        """Return where the entries of *projects* lie; None means all of them."""

    def frequencies(
        self, scope: Scope, words: list[str], *, to_the_end: Collection[str] = ()
    ) -> dict[str, int]:
        """Return how many passages in *scope* have each of *words*; see `lookup.frequencies`."""

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

        *counts* says how many passages have each. Words that stand *apart* are looked up, but
        not matched. *members* of the kind that a matched word names speak for it: a passage with
        one of them has both the word and its kind, one with the word alone only that.
        """

    def named(self, scope: Scope, names: Sequence[str], *, only_known: bool = False) -> ByNames:
        """Return the entries in which *names* stand.

        An entry that has only some of them scores by the mean; with *only_known*, of those that
        stand anywhere.
        """


class VectorStore(Protocol):
    """The vectors of passages, by the space they live in."""

    def space(self, name: str, embedder: Mapping[str, object]) -> int:
        """Return the number of the space called *name*, made by *embedder*, new if need be."""

    def serving(self) -> tuple[int, str, dict[str, Any]] | None:
        """Return the space that answers now: number, name and what it was made by."""

    def pending(self, space: int, *, without: Sequence[str] = ()) -> int:
        """Return how many passages have no vector in *space* yet; projects can be left out."""

    def pending_for(self, embedder: Mapping[str, object], *, without: Sequence[str]) -> int:
        """Return how many passages *embedder* has made no vector of yet."""

    def wanted(
        self, space: int, *, limit: int, without: Sequence[str] = ()
    ) -> list[PassageWithoutVector]:
        """Return passages that have no vector in *space* yet, the newest first."""

    def known(self, space: int, wanted: Sequence[PassageWithoutVector]) -> set[bytes]:
        """Return the texts among *wanted* whose vector is there already, of another passage."""

    def put(
        self,
        space: int,
        wanted: Sequence[PassageWithoutVector],
        vectors: "Mapping[bytes, NDArray[np.float32]]",
    ) -> None:
        """Keep *vectors*, named by the hash of their text; the *wanted* ones are now served.

        One without a vector is not asked for again.
        """

    def serve(self, space: int) -> None:
        """Answer with *space* from now on, and forget every other."""

    def likenesses(
        self, ones: Sequence[Key], others: Sequence[Key], *, space: int
    ) -> dict[Key, float]:
        """Return how near each passage of *others* is to the nearest of *ones*, by key."""


class SearchIndex(Protocol):
    """The index, opened: kept in step with the library, and read. One per thread."""

    @property
    def lexical(self) -> LexicalLegs:
        """The legs that go by words and names."""

    @property
    def vectors(self) -> VectorStore:
        """The vectors of its passages."""

    def sync(
        self,
        library: Followed,
        *,
        seen: Callable[[str], None] = lambda _: None,
        anew: bool = False,
    ) -> int:
        """Bring the entries of a project in step with its *library*.

        *seen* hears of each document that was read. Return how many with entries in them changed.
        With *anew*, everything is read and compared, whatever its version says.
        """

    def remove(self, project: str) -> None:
        """Take all of *project* out."""

    def recent(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return the newest entries of *project*, newest first."""

    def notes(self, project: str) -> list[IndexRow]:
        """Return the notes of *project* that were not retired, the most prominent first."""

    def summaries(self, project: str, *, limit: int) -> list[IndexRow]:
        """Return how the last sessions of *project* went, the latest first."""

    def about_file(self, project: str, name: str, *, limit: int) -> list[IndexRow]:
        """Return the notes, then the newest entries, that tell of the file *name* in *project*."""

    def keys_of(self, ids: Iterable[str]) -> set[Key]:
        """Return the keys of the entries called *ids*."""

    def length_of_turn(self, session: str, turn: str) -> int:
        """Return how long the texts of a turn are that the archive has, in characters."""

    def summary_of(self, session: str) -> IndexRow | None:
        """Return the summary of *session*, if it has one."""

    def in_session(self, session: str) -> list[IndexRow]:
        """Return the entries of *session* in order."""

    def turns_in(self, session: str) -> int:
        """Return how many entries *session* has."""

    def around(self, project: str, at: float, *, before: int, after: int) -> list[IndexRow]:
        """Return the last entries of *project* before *at* and the first from then on, in order."""

    def by_id(
        self,
        id: str,  # noqa: A002 - it is the word people use
        among: Collection[str] = (),
    ) -> IndexRow | None:
        """Return the entry called *id*, of one of the projects *among* if any are named."""

    def named(self, id: str) -> list[IndexRow]:  # noqa: A002
        """Return what is called *id*: projects may have notes of the same name."""

    def by_keys(self, keys: Sequence[Key]) -> dict[Key, IndexRow]:
        """Return the entries with these *keys*, as far as they are there."""

    def sketches(self, keys: Sequence[Key]) -> dict[Key, Sketch]:
        """Return the same of entries with these *keys*, but only in outline."""

    def ids(self, prefix: str) -> list[str]:
        """Return the ids that begin with *prefix*, or that it is short for; empty begins none."""

    def count(self, project: str) -> int:
        """Return how many memories *project* has."""

    def days(self, project: str) -> Mapping[str, int]:
        """Return the local days on which something happened in *project*, with how many entries."""

    def nearest(
        self, question: "Vector", projects: Sequence[str] | None, *, limit: int
    ) -> ByMeaning:
        """Return what lies nearest to *question*, in the space that serves now."""

    def likenesses(self, ones: Sequence[Key], others: Sequence[Key]) -> dict[Key, float]:
        """Return how near each passage of *others* is in meaning to the nearest of *ones*."""

    def projects(self) -> list[str]:
        """Return the names of the projects that have entries."""

    def newest(self, scope: Scope) -> Iterator[IndexRow]:
        """Return the entries in *scope*, newest first, one after the other."""

    def said_in(self, entry: IndexRow) -> str:
        """Return what was said in the turn behind *entry*, as far as it is archived."""

    def passages_of(self, entries: Sequence[Key]) -> dict[Key, list[tuple[Key, str]]]:
        """Return key and part of the passages of each of the *entries*, in order.

        Those of the turn behind an entry are among them, unless somebody edited the entry.
        """

    def passages(self, keys: Sequence[Key]) -> dict[Key, IndexedPassage]:
        """Return the passages with these *keys*."""

    def replacements(self, passages: Sequence[Key]) -> dict[Key, list[Replacement]]:
        """Return what later turns say instead of these *passages*, the latest first."""

    def stated_in(self, project: str, *, most: int) -> list[tuple[Key, str]]:
        """Return what the user stated in the last turns of *project*, the latest first.

        Each with the key of its entry; of an entry that somebody edited, nothing.
        """

    def meta(self, key: str) -> str:
        """Return what is remembered for *key*."""

    def reading(self) -> AbstractContextManager[None]:
        """Read everything as it is at this moment, whatever is written meanwhile."""

    def hurry(self) -> None:
        """Give up soon, from now on, when somebody else writes."""

    def is_sound(self) -> bool:
        """Tell whether the database is whole, and every table of words fits its texts."""

    def scrub(self) -> None:
        """Leave no trace of what was removed: neither in free pages nor in a log nor a mirror."""

    def is_there(self) -> bool:
        """Tell whether the file on disk is still the one that is open."""

    def close(self) -> None:
        """Close the index."""

    def check_files(self, project: str, root: Path, *, newest: int = -1) -> int:
        """Look at the files that the memories of *project* tell of; return how many cards changed.

        Of all its entries, or of so many of the *newest*.
        """

    def files_now(self, seen_files: Mapping[str, str], root: Path) -> str:
        """Return what is to be said now of an entry that tells of *seen_files*; writes nothing."""

    def is_unchanged(self, entry: IndexRow) -> bool:
        """Tell whether *entry* still stands in the library as it was indexed."""
