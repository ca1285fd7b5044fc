"""Ask the index one question, lightly: one table, few terms, read-only.

Part of the hot path (a prompt while no worker runs), so `_sqlite3` is used directly and the
few statements stand here rather than in files. What is worth showing is decided by the share
of the question that a passage holds, and the turn that it stands in; `retrieval` builds on the same
terms and the same shares, so both roads agree.
"""

from _sqlite3 import Connection, connect
from _sqlite3 import Error as SqlError

from recollect.paths import EVERYWHERE
from recollect.store.files.versions import is_unchanged, stamp
from recollect.text import marks, term_weights
from recollect.text.confidence import by_words
from recollect.text.terms import terms

# As a limit: none.
ALL = -1


# Of one file, so many memories are looked at.
MOST_OF_A_FILE = 20

# Of what holds most of the question, so many passages are looked at, and of each turn so many are
# shown: those that hold at least this much of what its best one holds.
BEST_PASSAGES = 24
SHOWN_OF_A_TURN = 3
NEARLY_AS_GOOD = 0.6
# Of a long prompt, what it asks stands at its beginning or at its end.
LONG_PROMPT, PROMPT_HEAD, PROMPT_TAIL = 700, 400, 200

_SHOWN = (
    "SELECT e.session, e.hidden_reason, d.name, d.version, e.seen_files,"
    " e.id, e.at, e.category, e.touched, e.line, e.card, e.mark, e.stale"
    " FROM entries AS e JOIN documents AS d ON d.id = e.document WHERE e.number = ?"
)
# An entry's own passage is found by its id, one of the turn behind it by session and turn: unless
# somebody edited the entry, which silences its turn.
# A question that nobody answered has nothing observed in it and no turn with passages behind it; it
# is no answer to who asks again.
_OWNER_BY_ID = (
    "SELECT number, session, iif(edited, '', turn) FROM entries AS e"
    " WHERE id = ? AND number / ? = ?"
    " AND (kind != 'entry' OR edited OR types != '' OR title NOT LIKE '%?' OR EXISTS"
    " (SELECT 1 FROM passages AS p"
    " WHERE p.session = e.session AND p.turn = e.turn AND p.part != 'own' AND p.part != 'done'))"
)
_OWNER_BY_TURN = (
    "SELECT number, session, turn FROM entries"
    " WHERE session = ? AND turn = ? AND turn != '' AND NOT edited AND number / ? = ?"
)
# An amount that a later turn replaced; what was said of a thing that was replaced may still matter.
_IS_REPLACED = (
    "SELECT 1 FROM replaced AS r JOIN changes AS c ON c.id = r.change"
    " WHERE r.passage = ? AND NOT json_extract(c.change, '$.is_name') LIMIT 1"
)
_REPLACED_PIECES = (
    "SELECT r.piece FROM replaced AS r JOIN changes AS c ON c.id = r.change"
    " WHERE r.passage = ? AND NOT json_extract(c.change, '$.is_name')"
)
_OF_TURN = "SELECT number FROM passages WHERE session = ? AND turn = ? AND part != 'own'"

# The numbers of a project's entries begin at its own number times this.
NUMBERS = 1 << 32


class FallbackHit:
    """One memory that is worth showing: prepared texts, and what tells this state of it."""

    __slots__ = tuple(
        "at card category head id line mark passages score stale tells_of_files".split()
    )

    def __init__(self, row: list, *, score: float) -> None:  # type: ignore[type-arg]
        self.id, self.at, self.category, touched, self.line, self.card, mark, self.stale = row
        self.tells_of_files = bool(touched)
        self.mark = marks.marked(mark, self.stale)
        self.score = score
        # Its first line: what, when, id.
        self.head = self.card[: self.card.find("\n") + 1]
        # Text and mark of each passage that answers, best first; none for the whole card.
        self.passages: list[tuple[str, str]] = []


def open_index(path: str) -> Connection:
    """Open the index read-only. Raises `_sqlite3.Error` if there is none or it is broken."""
    return connect(f"file:{_quoted(path)}?mode=ro", uri=True, timeout=0.05)


def recall(  # noqa: PLR0913 - one parameter a circumstance
    index: Connection,
    project: str,
    prompt: str,
    *,
    limit: int,
    bar: float,
    asked_in: str = "",
    root: str = "",
) -> list[FallbackHit]:
    """Return at most *limit* memories of *project* that clear the *bar*, best first.

    Each has the passages that hold most of the *prompt*. What holds in every project is among
    them. What the session *asked_in* did itself is left out, as it stands in its context already.
    So is a memory whose file has changed since it was indexed: the user may have deleted the line.
    Each says what became of its files in *root*.
    """
    places = [place for name in (project, EVERYWHERE) if (place := scope(index, name))]
    weighed = weigh(index, places, terms(_asking(prompt)))
    if term_weights.substance(weighed) < term_weights.LEAST_WEIGHT:
        return []
    held = holding(index, places, list(weighed))
    weights = list(weighed.values())
    whole = sum(weights)
    size = sum(place[2] for place in places)
    # Of two that hold as much, the later one.
    best = sorted(
        held,
        key=lambda number: (-term_weights.weight_of(held[number], weights), -number),
    )
    turns: dict[int, _Turn] = {}
    for number in best[:BEST_PASSAGES]:
        _place(index, number, turns)
    for turn in turns.values():
        own = [held[number] for number, _ in turn.passages]
        share = (
            term_weights.weight_of(
                max(own, key=lambda mask: term_weights.weight_of(mask, weights)),
                weights,
            )
            / whole
        )
        around = 0
        for number in turn.numbers:
            around |= held.get(number, 0)
        turn.score = by_words(
            turn_share=term_weights.weight_of(around, weights) / whole,
            held=share * whole,
            size=size,
        )
    hits: list[FallbackHit] = []
    for number in sorted(turns, key=lambda number: (-turns[number].score, -number)):
        turn = turns[number]
        if len(hits) == limit or turn.score < bar:
            break
        found = _hits(index, [number], score=turn.score, asked_in=asked_in, root=root)
        for hit in found:
            hit.passages = _shown(index, turn, held, weights)
        hits += (hit for hit in found if not _is_outdated(index, turn, hit.line))
    return hits


def undisputed(state: str, hits: list[FallbackHit]) -> list[FallbackHit]:
    """Return *hits* without those that somebody called wrong, by the database *state*."""
    if not hits:
        return hits
    try:
        known = connect(f"file:{_quoted(state)}?mode=ro", uri=True, timeout=0.05)
        rows = known.execute("SELECT id FROM disputed WHERE hidden").fetchall()
    except SqlError:  # One that an earlier version made has no such table.
        return hits
    return [hit for hit in hits if (hit.id,) not in rows]


class _Turn:
    """What was found of one entry and the turn behind it."""

    __slots__ = ("numbers", "passages", "score")

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.passages: list[tuple[int, str]] = []
        self.score = 0.0


def _place(index: Connection, number: int, turns: dict[int, _Turn]) -> None:
    """Add the passage *number* to the entry that it belongs to, if it may be shown."""
    part, entry, session, turn = index.execute(
        "SELECT part, entry, session, turn FROM passages WHERE number = ?", (number,)
    ).fetchone()
    place = (NUMBERS, number // NUMBERS)
    if part == "own":
        owner = index.execute(_OWNER_BY_ID, (entry, *place)).fetchone()
    else:
        owner = index.execute(_OWNER_BY_TURN, (session, turn, *place)).fetchone()
    if owner is None:
        return
    if owner[0] not in turns:
        others = index.execute(_OF_TURN, owner[1:]).fetchall() if owner[2] else []
        turns[owner[0]] = _Turn([number, *(one for (one,) in others)])
    turns[owner[0]].passages.append((number, part))
    turns[owner[0]].numbers.append(number)


def _shown(
    index: Connection, turn: _Turn, held: dict[int, int], weights: list[float]
) -> list[tuple[str, str]]:
    """Return text and mark of the passages of *turn* that are shown; the request never is."""
    worth = [
        (term_weights.weight_of(held[n], weights), n, part)
        for n, part in turn.passages
        if part != "request" and not index.execute(_IS_REPLACED, (n,)).fetchone()
    ]
    if not worth:
        return []
    least = max(worth)[0] * NEARLY_AS_GOOD
    good = [(number, part) for weight, number, part in worth if weight >= least]
    # An entry says again what its turn says; the turn's own words are what a worker shows.
    spoken = [number for number, part in good if part != "own"] or [number for number, _ in good]
    numbers = spoken[:SHOWN_OF_A_TURN]
    return [
        index.execute("SELECT card, mark FROM passages WHERE number = ?", (number,)).fetchone()
        for number in numbers
    ]


def _is_outdated(index: Connection, turn: _Turn, title: str) -> bool:
    """Tell whether *title* says an amount that a later turn replaced: then so does every card."""
    plain_title = _unmarked(title).rstrip(" .…")
    pieces = (piece for n in turn.numbers for (piece,) in index.execute(_REPLACED_PIECES, (n,)))
    return any(plain_title in plain or plain in plain_title for plain in map(_unmarked, pieces))


def _unmarked(text: str) -> str:
    """Return *text* without what emphasises words of it, which a title leaves out."""
    return " ".join(text.replace("*", "").replace("`", "").split())


def _asking(prompt: str) -> str:
    """Return the part of a long *prompt* in which the question stands."""
    if len(prompt) <= LONG_PROMPT:
        return prompt
    return f"{prompt[:PROMPT_HEAD]} {prompt[-PROMPT_TAIL:]}"


def about_file(
    index: Connection, project: str, name: str, *, asked_in: str = "", root: str = ""
) -> list[FallbackHit]:
    """Return what is known in *project* of the file *name*: notes first, then the newest."""
    place = scope(index, project)
    if not place:
        return []
    found = index.execute(
        "SELECT e.number FROM touches AS t CROSS JOIN entries AS e ON e.number = t.entry "
        "WHERE t.name = ? AND t.entry BETWEEN ? AND ? AND e.hidden_reason = '' "
        "ORDER BY e.kind = 'note' DESC, e.prominence DESC, e.at DESC LIMIT ?",
        (name, *place[:2], MOST_OF_A_FILE),
    )
    numbers = [number for (number,) in found]
    return _hits(index, numbers, score=1.0, asked_in=asked_in, root=root)


def _hits(
    index: Connection, numbers: list[int], *, score: float, asked_in: str, root: str
) -> list[FallbackHit]:
    """Return those of the entries *numbers* that may be shown."""
    hits = []
    for number in numbers:
        found = index.execute(_SHOWN, (number,)).fetchone()
        session, hidden_reason, document, version, files, *row = found
        own = asked_in and session == asked_in
        if not hidden_reason and not own and is_unchanged(document, version):
            hit = FallbackHit(row, score=score)
            if root and files and not hit.stale:
                hit.stale = _changed_since(index, files, root)
                hit.mark = marks.marked(hit.mark, hit.stale)
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
            "SELECT version FROM prints WHERE path = ?", (f"{root}/{name}",)
        ).fetchone()
        if not now:
            said.append(f"`{name}` is gone")
        elif known and known[0] != now:
            said.append(f"`{name}` was written to since")
    return f"  (may be out of date: {'; '.join(said)})\n" if said else ""


def scope(index: Connection, project: str) -> tuple[int, int, int] | None:
    """Return the first and last number of the passages of *project*, and how many there are.

    Its entries have numbers of the same range.
    """
    found = index.execute("SELECT id, passages FROM projects WHERE name = ?", (project,)).fetchone()
    if not found or not found[1]:
        return None
    return found[0] * NUMBERS, (found[0] + 1) * NUMBERS - 1, found[1]


def weigh(
    index: Connection,
    places: list[tuple[int, int, int]],
    words: list[str],
    *,
    rarer_than: float = term_weights.TOO_COMMON,
) -> dict[str, float]:
    """Return what each of the *words* that are worth looking up weighs."""
    counts = frequencies(index, [(first, last) for first, last, _ in places], words)
    return term_weights.weights(counts, sum(size for *_, size in places), rarer_than=rarer_than)


def frequencies(
    index: Connection,
    ranges: list[tuple[int, int]],
    words: list[str],
    *,
    to_the_end: frozenset[str] = frozenset(),
) -> dict[str, int]:
    """Return how many passages in *ranges* have each of *words*.

    Nobody counts on when a word is known to be left out: counting the few words
    that everybody uses takes most of the time. Only those in *to_the_end* are counted so, and
    all of them where each is one that everybody uses.
    """
    chosen = term_weights.longest(words)
    counts = {
        word: count(
            index, word, ranges, most=ALL if word in to_the_end else term_weights.MOST_PLACES + 1
        )
        for word in chosen
    }
    if any(0 < counted <= term_weights.MOST_PLACES for counted in counts.values()):
        return counts
    return {
        word: count(index, word, ranges) if counted > term_weights.MOST_PLACES else counted
        for word, counted in counts.items()
    }


def holding(
    index: Connection, places: list[tuple[int, int, int]], words: list[str]
) -> dict[int, int]:
    """Return which of *words* each passage has that has any: the first word is the lowest bit."""
    held: dict[int, int] = {}
    for first, last, _ in places:
        for bit, word in enumerate(words):
            for (number,) in index.execute(
                "SELECT rowid FROM passage_words"
                " WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ?",
                (f'"{word}"', first, last),
            ):
                held[number] = held.get(number, 0) | 1 << bit
    return held


def any_of(words: list[str]) -> str:
    """Return the FTS expression for what holds any of *words*.

    >>> any_of(["orders", "slow"])
    '"orders" OR "slow"'
    """
    return " OR ".join(f'"{word}"' for word in words)


def count(index: Connection, word: str, ranges: list[tuple[int, int]], *, most: int = ALL) -> int:
    """Return how many passages in *ranges* have *word*; of each range, *most* are counted."""
    return sum(
        index.execute(
            "SELECT count(*) FROM (SELECT 1 FROM passage_words"
            " WHERE passage_words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)",
            (f'"{word}"', first, last, most),
        ).fetchone()[0]
        for first, last in ranges
    )


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
