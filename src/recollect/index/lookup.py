"""Ask the index one question, lightly: one table, few terms, read-only.

Part of the hot path (a prompt while no worker runs), so `_sqlite3` is used directly and the
few statements stand here rather than in files. What is worth showing is decided by the share
of the question that an entry holds; `retrieval` builds on the same terms and the same shares,
so both roads agree.
"""

import os
from _sqlite3 import Connection, connect
from math import log

from recollect.index.confidence import confidence
from recollect.index.terms import BIDDING_WORDS, is_unspaced, terms
from recollect.paths import EVERYWHERE

MOST_TERMS = 12

# Of a long prompt, this many different words are looked up to find the rarest.
MOST_CANDIDATES = 40

# A word that every fourth entry has tells them apart as little as "the" does, and costs most.
TOO_COMMON = 0.25
# … but not in a library so small that it could not be otherwise.
COMMON_FROM = 10

# Of the words that are looked up, the rarest that stand in so many entries together: each
# entry costs a microsecond, and a word that so many have says little.
MOST_PLACES = 4_000

# As a limit: none.
ALL = -1

PAIR_MISSED = 0.25

# How rare a word is can only be told from so many entries on; before, it is guessed.
FEW = 100

# A prompt whose words weigh less together is no question: "run the tests", "looks good".
LEAST_WEIGHT = 4.0

# Of one file, so many memories are looked at.
MOST_OF_A_FILE = 20

_SHOWN = (
    "SELECT e.session, e.aside, f.path, f.size, f.mtime_ns, e.seen_files,"
    " e.id, e.at, e.category, e.touched, e.line, e.card, e.mark, e.stale"
    " FROM entries AS e JOIN files AS f ON f.id = e.file WHERE e.number = ?"
)

# The numbers of a project's entries begin at its own number times this.
NUMBERS = 1 << 32


class Hit:
    """One memory that is worth showing: prepared texts, and what tells this state of it."""

    __slots__ = tuple("at card category id line mark score stale tells_of_files".split())

    def __init__(self, row: list, *, score: float) -> None:  # type: ignore[type-arg]
        self.id, self.at, self.category, touched, self.line, self.card, mark, self.stale = row
        self.tells_of_files = bool(touched)
        self.mark = marked(mark, self.stale)
        self.score = score


def marked(mark: str, stale: str) -> str:
    """Return what tells a card that holds from the same card that may be out of date.

    With a worker and without, that is said in other words; it is no news.

    >>> marked("ab12", ""), marked("ab12", "  (may be out of date: `a.py` is gone)")
    ('ab12', 'ab12~')
    """
    return f"{mark}~" if stale else mark


def open_index(path: str) -> Connection:
    """Open the index read-only. Raises `_sqlite3.Error` if there is none or it is broken."""
    return connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.05)


def recall(  # noqa: PLR0913 - one parameter a circumstance
    index: Connection,
    project: str,
    question: str,
    *,
    limit: int,
    bar: float,
    asked_in: str = "",
    root: str = "",
) -> list[Hit]:
    """Return at most *limit* memories of *project* that clear the *bar*, best first.

    What holds in every project is among them. What the session *asked_in* did itself is left
    out, as it stands in its context already. So is a memory whose file has changed since it was
    indexed: the user may have deleted the line. Each says what became of its files in *root*.
    """
    places = [place for name in (project, EVERYWHERE) if (place := scope(index, name))]
    weighed = weigh(index, places, terms(question))
    if substance(weighed) < LEAST_WEIGHT:
        return []
    whole = sum(weighed.values())
    measured = {
        number: confidence(share=share, held=share * whole)
        for number, share in shares(index, places, weighed).items()
    }
    clearing = [number for number, sure in measured.items() if sure >= bar]
    # Of two that are as likely, the later one.
    clearing.sort(key=lambda number: (-measured[number], -number))
    hits: list[Hit] = []
    for number in clearing:
        if len(hits) == limit:
            break
        hits += _hits(index, [number], score=measured[number], asked_in=asked_in, root=root)
    return hits


def about_file(
    index: Connection, project: str, name: str, *, asked_in: str = "", root: str = ""
) -> list[Hit]:
    """Return what is known in *project* of the file *name*: notes first, then the newest."""
    place = scope(index, project)
    if not place:
        return []
    found = index.execute(
        "SELECT e.number FROM touches AS t CROSS JOIN entries AS e ON e.number = t.entry "
        "WHERE t.name = ? AND t.entry BETWEEN ? AND ? AND e.aside = '' "
        "ORDER BY e.kind = 'note' DESC, e.prominence DESC, e.at DESC LIMIT ?",
        (name, *place[:2], MOST_OF_A_FILE),
    )
    numbers = [number for (number,) in found]
    return _hits(index, numbers, score=1.0, asked_in=asked_in, root=root)


def _hits(
    index: Connection, numbers: list[int], *, score: float, asked_in: str, root: str
) -> list[Hit]:
    """Return those of the entries *numbers* that may be shown."""
    hits = []
    for number in numbers:
        found = index.execute(_SHOWN, (number,)).fetchone()
        session, aside, path, size, mtime_ns, files, *row = found
        own = asked_in and session == asked_in
        if not aside and not own and is_unchanged(path, size, mtime_ns):
            hit = Hit(row, score=score)
            if root and files and not hit.stale:
                hit.stale = _changed_since(index, files, root)
                hit.mark = marked(hit.mark, hit.stale)
            hits.append(hit)
    return hits


def _changed_since(index: Connection, files: str, root: str) -> str:
    """Return the last line of a card whose *files* nobody has compared since they were written to.

    How much of them is new takes reading them, which is the worker's business.
    """
    said = []
    for (name,) in index.execute("SELECT key FROM json_each(?)", (files,)).fetchall():
        # A name from a journal may be anything; one that could pass for a tag is not repeated.
        if name.startswith("/") or ".." in name.split("/") or not name.isprintable():
            continue
        if "<" in name or "@@" in name:
            continue
        now = stamp(f"{root}/{name}")
        known = index.execute(
            "SELECT size, mtime_ns FROM prints WHERE path = ?", (f"{root}/{name}",)
        ).fetchone()
        if now is None:
            said.append(f"`{name}` is gone")
        elif known and known != now:
            said.append(f"`{name}` was written to since")
    return f"  (may be out of date: {'; '.join(said)})\n" if said else ""


def stamp(path: str) -> tuple[int, int] | None:
    """Return size and time of the file *path*; None if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_size, found.st_mtime_ns


def scope(index: Connection, project: str) -> tuple[int, int, int] | None:
    """Return the first and last number of the entries of *project*, and how many there are."""
    found = index.execute("SELECT id, entries FROM projects WHERE name = ?", (project,)).fetchone()
    if not found or not found[1]:
        return None
    return found[0] * NUMBERS, (found[0] + 1) * NUMBERS - 1, found[1]


def weigh(
    index: Connection,
    places: list[tuple[int, int, int]],
    words: list[str],
    *,
    rarer_than: float = TOO_COMMON,
) -> dict[str, float]:
    """Return the weights of the *words* that are worth looking up: see `weights`."""
    counts = frequencies(index, [(first, last) for first, last, _ in places], words)
    return weights(counts, sum(size for *_, size in places), rarer_than=rarer_than)


def frequencies(
    index: Connection,
    ranges: list[tuple[int, int]],
    words: list[str],
    *,
    to_the_end: frozenset[str] = frozenset(),
) -> dict[str, int]:
    """Return how many entries in *ranges* have each of *words*.

    Nobody counts on when a word is known to be left out (see `weights`): counting the few words
    that everybody uses takes most of the time. Only those in *to_the_end* are counted so, and
    all of them where each is one that everybody uses.
    """
    chosen = longest(words)
    counts = {
        word: count(index, word, ranges, most=ALL if word in to_the_end else MOST_PLACES + 1)
        for word in chosen
    }
    if any(0 < counted <= MOST_PLACES for counted in counts.values()):
        return counts
    return {
        word: count(index, word, ranges) if counted > MOST_PLACES else counted
        for word, counted in counts.items()
    }


def longest(words: list[str]) -> list[str]:
    """Return *words*, or of too many the longest: the names and terms of a long prompt."""
    if len(words) <= MOST_CANDIDATES:
        return words
    chosen = set(sorted(words, key=len, reverse=True)[:MOST_CANDIDATES])
    return [word for word in words if word in chosen]


def weights(counts: dict[str, int], size: int, *, rarer_than: float) -> dict[str, float]:
    """Return the weights of at most `MOST_TERMS` words, the rarest first.

    *counts* says in how many of *size* entries each stands. Rare words weigh more. A word that
    no entry has weighs as much as one that a single entry has: it is missed in every answer.
    Words that a larger share of the entries has than *rarer_than* are left out, so that a
    question of such words alone finds nothing.
    """
    known = sorted((word for word in counts if counts[word]), key=counts.__getitem__)
    telling = [word for word in known if counts[word] <= max(size * rarer_than, COMMON_FROM)]
    while len(telling) > 1 and sum(counts[word] for word in telling) > MOST_PLACES:
        telling.pop()
    missing = [word for word in counts if not counts[word]]
    return {
        word: log(1 + max(size, FEW) / max(counts[word], 1)) * (1 if counts[word] else missed(word))
        for word in (telling + missing)[:MOST_TERMS]
    }


def substance(weighed: dict[str, float]) -> float:
    """Return what the words that say what a prompt is about weigh together."""
    return sum(weight for word, weight in weighed.items() if word not in BIDDING_WORDS)


def missed(word: str) -> float:
    """Return how much it tells that no entry has *word*.

    A pair of characters is often no word at all but the end of one and the beginning of the
    next, which says nothing.
    """
    return PAIR_MISSED if is_unspaced(word[0]) else 1.0


def shares(
    index: Connection, places: list[tuple[int, int, int]], weights: dict[str, float]
) -> dict[int, float]:
    """Return, for each entry that holds any of the words, the weighted share that it holds."""
    whole = sum(weights.values()) or 1.0
    held: dict[int, float] = {}
    for first, last, _ in places:
        for word, weight in weights.items():
            for (number,) in index.execute(
                "SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?",
                (f'"{word}"', first, last),
            ):
                held[number] = held.get(number, 0.0) + weight
    # Added up in the same order, all of the words make exactly 1.
    return {number: weight / whole for number, weight in held.items()}


def any_of(words: list[str]) -> str:
    """Return the FTS expression for entries that hold any of *words*.

    >>> any_of(["orders", "slow"])
    '"orders" OR "slow"'
    """
    return " OR ".join(f'"{word}"' for word in words)


def is_unchanged(path: str, size: int, mtime_ns: int) -> bool:
    """Tell whether the file *path* is still the one that was indexed."""
    return stamp(path) == (size, mtime_ns)


def count(index: Connection, word: str, ranges: list[tuple[int, int]], *, most: int = ALL) -> int:
    """Return how many entries in *ranges* have *word*; of each range, *most* are counted."""
    return sum(
        index.execute(
            "SELECT count(*) FROM (SELECT 1 FROM words"
            " WHERE words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)",
            (f'"{word}"', first, last, most),
        ).fetchone()[0]
        for first, last in ranges
    )


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
