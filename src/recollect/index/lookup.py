"""Ask the index one question, lightly: one table, few terms, read-only.

Part of the hot path (a prompt while no worker runs), so `_sqlite3` is used directly and the
few statements stand here rather than in files. `retrieval` builds on the same terms and the
same measure, so that both roads agree on what is worth showing.
"""

import os
from _sqlite3 import Connection, connect
from math import log

MOST_TERMS = 12

# Of a long prompt, this many different words are looked up to find the rarest.
MOST_CANDIDATES = 40
LONGEST_QUESTION = 8000

# How many of the best rows are measured against the bar.
MEASURED = 20

TITLE_WEIGHT, BODY_WEIGHT, PROJECT_WEIGHT = 3.0, 1.0, 0.0

COMMON_WORDS = frozenset(
    """
    a about after again all also am an and any are as at back be because been before being both
    but by can cannot could did do does doing don done down each else even every few first for
    from further get gets give go going got had has have having he her here him his how i if in
    into is it its itself just keep know last let like ll look looks make makes me might more most
    much must my need needs new next no nor not now of off ok okay on once one only or other our
    out over own please put re right s same say see seem she should show so some something still
    such sure t take tell than thank thanks that the their them then there these they thing things
    think this those through to together too try two under until up us use used using ve very want
    was way we well were what when where which while who whom whose why will with without work
    would yes yet you your
    """.split()
)


class Hit:
    """One memory that answers the question; `line` and `card` are JSON-escaped already."""

    __slots__ = ("at", "card", "line", "score")

    def __init__(self, *, score: float, at: float, line: str, card: str) -> None:
        self.score = score
        self.at = at
        self.line = line
        self.card = card


def terms(question: str) -> list[str]:
    """Return the different words of *question* that are worth looking up, in order.

    >>> terms("Why is the orders page slow again? The get_orders query, maybe.")
    ['orders', 'page', 'slow', 'query', 'maybe']
    """
    spaced = "".join(c if c.isalnum() else " " for c in question[:LONGEST_QUESTION].lower())
    different = dict.fromkeys(spaced.split())
    return [word for word in different if word not in COMMON_WORDS and len(word) > 1]


def open_index(path: str) -> Connection:
    """Open the index read-only. Raises `_sqlite3.Error` if there is none or it is broken."""
    return connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.05)


def recall(index: Connection, project: str, question: str, *, limit: int, bar: float) -> list[Hit]:
    """Return at most *limit* memories of *project* that clear the *bar*, best first.

    A memory whose file has changed since it was indexed is left out: the user may have
    deleted the very line.
    """
    weights = weigh(index, terms(question))
    held = [term for term, (_, known) in weights.items() if known]
    if not held:
        return []
    rows = _best_rows(index, project, held)
    shares = measure(index, [row[0] for row in rows], weights)
    hits = [
        Hit(score=shares[number], at=at, line=line, card=card)
        for number, at, line, card, path, size, mtime_ns in rows
        if shares[number] >= bar and is_unchanged(path, size, mtime_ns)
    ]
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def weigh(index: Connection, words: list[str]) -> dict[str, tuple[float, bool]]:
    """Return at most `MOST_TERMS` of *words*, rarest first, with weight and whether any entry has it.

    Rare words weigh more. A word that no entry has weighs as much as one that a single entry
    has: it is missed in every answer.
    """
    if len(words) > MOST_CANDIDATES:
        # The longest words of a long prompt are its names and terms.
        chosen = set(sorted(words, key=len, reverse=True)[:MOST_CANDIDATES])
        words = [word for word in words if word in chosen]
    size = index.execute("SELECT max(number) FROM entries").fetchone()[0] or 0
    counts = {word: _count(index, word) for word in words}
    known = sorted((word for word in words if counts[word]), key=counts.__getitem__)
    unknown = [word for word in words if not counts[word]]
    return {
        word: (log(1 + size / max(counts[word], 1)), counts[word] > 0)
        for word in (known + unknown)[:MOST_TERMS]
    }


def measure(
    index: Connection, rows: list[int], weights: dict[str, tuple[float, bool]]
) -> dict[int, float]:
    """Return for each of *rows* the weighted share of the question's words that it holds."""
    whole = sum(weight for weight, _ in weights.values()) or 1.0
    shares = dict.fromkeys(rows, 0.0)
    if not rows:
        return shares
    among = ",".join(map(str, rows))
    for word, (weight, known) in weights.items():
        if not known:
            continue
        holding = index.execute(
            f"SELECT rowid FROM words WHERE words MATCH ? AND rowid IN ({among})",  # noqa: S608
            (_anywhere(word),),
        )
        for (number,) in holding:
            shares[number] += weight / whole
    return shares


def is_unchanged(path: str, size: int, mtime_ns: int) -> bool:
    """Tell whether the file *path* is still the one that was indexed."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (found.st_size, found.st_mtime_ns) == (size, mtime_ns)


def within(project: str, words: list[str], *, columns: str = "title body") -> str:
    """Return the FTS expression for entries of *project* that hold any of *words*.

    >>> within("shop-1f", ["orders", "slow"])
    'project : "shop-1f" AND {title body} : ("orders" OR "slow")'
    """
    return f'project : "{project}" AND {_anywhere(*words, columns=columns)}'


def _anywhere(*words: str, columns: str = "title body") -> str:
    return f"{{{columns}}} : (" + " OR ".join(f'"{word}"' for word in words) + ")"


def _best_rows(index: Connection, project: str, words: list[str]) -> list[tuple]:  # type: ignore[type-arg]
    return index.execute(
        f"SELECT e.number, e.at, e.line, e.card, f.path, f.size, f.mtime_ns "  # noqa: S608
        f"FROM words JOIN entries AS e ON e.number = words.rowid JOIN files AS f ON f.id = e.file "
        f"WHERE words MATCH ? "
        f"ORDER BY bm25(words, {TITLE_WEIGHT}, {BODY_WEIGHT}, {PROJECT_WEIGHT}) LIMIT {MEASURED}",
        (within(project, words),),
    ).fetchall()


def _count(index: Connection, word: str) -> int:
    found = index.execute("SELECT count(*) FROM words WHERE words MATCH ?", (_anywhere(word),))
    return int(found.fetchone()[0])


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
