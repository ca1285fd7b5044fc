"""What a session begins with: where things stand, what is open, what holds, what was done lately.

Written as pieces, each with the file it came from, so that a hook can leave out what the user
has changed since without knowing what it says. Parts share the budget: whatever a session was
about, there is room for what holds.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from recollect import ages, fence, tokens
from recollect.context import budget, render
from recollect.context.budget import Room
from recollect.context.threads import Thread
from recollect.hooks.answer import FIELD, PIECE, SPEAKER
from recollect.index.database import Indexed
from recollect.memories.model import PINNED, Summary

RECENT = 30
# Notes of these categories say what holds, whatever the session is about; in this order.
HOLDING = ("preference", "constraint", "decision")
# … and these how a subagent has to work, which sees nothing else of the project's memory.
FOR_SUBAGENTS = ("preference", "constraint")
OPEN_DEBT = ("open", "in_progress")
# A decision that is only proposed, or was given up, does not hold; nor does a lifted constraint.
HOLDS = ("", "accepted", "active")

FIELD_CHARACTERS = 300
# Four such lines must fit in any script.
FIELD_TOKENS = 150
# The last session is told in a few lines; a session that lost its context needs all of them.
SHORT = ("request", "completed", "next_steps")
LONG = ("request", "investigated", "learned", "completed", "next_steps", "notes")

# What each part may take of the budget; what one leaves is there for the next.
SHARES = {"last": 0.4, "open": 0.25, "holds": 0.6, "recent": 1.0}
ALL = {"holds": 1.0}

HALF_LIFE_DAYS = 30.0
DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A session as it is told to a later one, or to itself."""

    summary: Indexed
    fields: Summary
    seen: float
    turns: int
    ended: str
    """How it ended, in a word or two; empty if nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a project when a session begins."""

    memories: int
    own: Past | None = None
    """What the session itself did before its context was compacted."""
    last: Past | None = None
    last_title: str = ""
    threads: Sequence[Thread] = ()
    debts: Sequence[Indexed] = ()
    """Open technical debt, the most pressing first."""
    to_review: int = 0
    """Notes that wait for the user's word."""
    notes: Sequence[Indexed] = ()
    """What holds here and everywhere, the most prominent first."""
    recent: Sequence[Indexed] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the notes of each category are, as the settings describe them."""
    notice: str = ""
    """One more line for the user, such as a clone that could share its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a block that is shown or left out as one."""

    section: str
    text: str
    source: Indexed | None = None
    why: str = ""
    is_whole: bool = False
    """Nothing more of its memory could be shown."""

    def written(self) -> str:
        """Return the piece as `hooks.answer.block` reads it."""
        one = self.source
        stamp = (one.path, str(one.size), str(one.mtime_ns)) if one else ("", "0", "0")
        shown = one.id if one and one.kind != "summary" else ""
        mark = one.mark if one and self.is_whole else ""
        cost = str(tokens.estimate(self.text))
        told = (self.section, shown, mark, self.why, cost, self.text)
        return _written("body", *stamp, one.category if one else "", *told)


def _written(*fields: str) -> str:
    """Return *fields* as one piece; an id that was written by hand may hold anything."""
    return FIELD.join(one.replace(PIECE, " ").replace(FIELD, " ") for one in fields)


def prepared(known: Known, *, limit_tokens: int) -> str:
    """Return the start block of a project; empty if nothing is known."""
    if not known.memories and not known.notes:
        return f"{SPEAKER}{render.safe(known.notice)}" if known.notice else ""
    pieces = [piece.written() for piece in _fitting(_parts(known), SHARES, limit_tokens)]
    if known.last:
        source = known.last.summary
        stamp = (source.path, str(source.size), str(source.mtime_ns))
        headline = f": {render.line(known.last.fields.request or known.last_title)}"
        pieces.append(_written("headline", *stamp, "", "", "", "", "", "0", headline))
    return PIECE.join([_message(known), *pieces])


def for_subagents(notes: Sequence[Indexed], kinds: Mapping[str, str], *, limit_tokens: int) -> str:
    """Return the block of a subagent: how things are done here; empty if nobody said."""
    pieces = _fitting({"holds": list(_holding(notes, kinds))}, ALL, limit_tokens)
    return PIECE.join(["", *(piece.written() for piece in pieces)]) if pieces else ""


def by_relevance(
    notes: Iterable[Indexed],
    *,
    project: str,
    branch: str = "",
    files: Collection[str] = (),
    now: float,
) -> list[Indexed]:
    """Return *notes* as a session on *branch* needs them, which *files* were last touched before.

    What is pinned goes first, then what is about the same branch or files, then the latest; and
    what is said of the *project* before what holds everywhere.
    """
    touched = set(files)

    def order(note: Indexed) -> tuple[float, float, bool, float, float]:
        related = (bool(branch) and note.branch == branch) + 2 * bool(
            touched.intersection(note.touched.splitlines())
        )
        recency = math.exp2(-max(now - note.at, 0.0) / (HALF_LIFE_DAYS * DAY))
        kind = HOLDING.index(note.category) if note.category in HOLDING else len(HOLDING)
        return (
            -(note.prominence // PINNED),
            -(related + recency),
            note.project != project,
            kind,
            -note.prominence,
        )

    return sorted(notes, key=order)


def first_of_each_kind(notes: Iterable[Indexed], *, most: int) -> list[Indexed]:
    """Return *notes* in their order, at most so many of each category.

    Otherwise the decisions of a busy week would shut out how the user wants things done.
    """
    counted: Counter[str] = Counter()
    chosen = []
    for note in notes:
        counted[note.category] += 1
        if counted[note.category] <= most:
            chosen.append(note)
    return chosen


def holds(note: Indexed) -> bool:
    """Tell whether *note* says what holds, whatever a session is about."""
    return not note.aside and note.category in HOLDING and note.standing in HOLDS


def is_open_debt(note: Indexed) -> bool:
    """Tell whether *note* is technical debt that somebody has still to pay."""
    return not note.aside and note.category == "tech_debt" and note.standing in OPEN_DEBT


def _parts(known: Known) -> dict[str, list[Piece]]:
    last = []
    if known.own:
        last.append(_past(known.own, "This session, before its context was compacted", LONG))
    if known.last:
        last.append(_past(known.last, "Last session", SHORT))
    return {
        "last": last,
        "open": list(_open(known)),
        "holds": list(_holding(known.notes, known.kinds)),
        "recent": list(_recent(known.recent)),
    }


def _recent(entries: Sequence[Indexed]) -> Iterator[Piece]:
    """Yield a line for each of *entries*; of those that are called the same, the latest."""
    titles: set[str] = set()
    for one in entries:
        if one.title not in titles:
            titles.add(one.title)
            text = render.headline(one)
            yield Piece(section="Recent work:\n", text=text, source=one, why="recent work")


def _fitting(
    parts: Mapping[str, list[Piece]], shares: Mapping[str, float], limit_tokens: int
) -> list[Piece]:
    """Return the pieces of all *parts* that fit together with the fence, part by part."""
    room = Room(limit_tokens)
    room.take(fence.around(""))
    chosen: list[Piece] = []
    headings: set[str] = set()
    for name, pieces in parts.items():
        share = Room(min(room.tokens, round(limit_tokens * shares[name])), room.units)
        for piece in pieces:
            text = piece.text if piece.section in headings else piece.section + piece.text
            if share.take(text):
                room.take(text)
                headings.add(piece.section)
                chosen.append(piece)
    return chosen


def _past(past: Past, title: str, names: Sequence[str]) -> Piece:
    turns = f"{past.turns} turn{'' if past.turns == 1 else 's'}"
    about = ", ".join(filter(None, [ages.mark(past.seen), turns, past.ended]))
    values = ((name, str(getattr(past.fields, name))) for name in names)
    lines = [f"- {name.replace('_', ' ')}: {_field(value)}\n" for name, value in values if value]
    edited = past.fields.files_edited
    if names is LONG and edited:
        lines.append(f"- files changed: {_field(', '.join(edited))}\n")
    return Piece(section=f"{title} ({about}):\n", text="".join(lines), source=past.summary)


def _field(text: str) -> str:
    one_line = " ".join(render.safe(text).split())
    return budget.shortened(one_line, FIELD_CHARACTERS, limit_tokens=FIELD_TOKENS)


def _open(known: Known) -> Iterator[Piece]:
    section = "Open here:\n"
    for thread in known.threads:
        after = f" after “{render.line(thread.request)}”" if thread.request else ""
        text = f"- planned {ages.mark(thread.source.at)}{after}: {_field(thread.text)}\n"
        yield Piece(section=section, text=text, source=thread.source)
    if known.to_review:
        noun = "note waits" if known.to_review == 1 else "notes wait"
        text = f"- {known.to_review} {noun} for the user's word: recollect review\n"
        yield Piece(section=section, text=text)
    yield from _holding(known.debts, known.kinds)


def _holding(notes: Sequence[Indexed], kinds: Mapping[str, str]) -> Iterator[Piece]:
    """Yield what holds here by categories, that of the most prominent note first."""
    for category in dict.fromkeys(note.category for note in notes):
        heading = render.kind(category, kinds.get(category, ""))
        for note in notes:
            if note.category == category:
                yield Piece(
                    section=heading,
                    text=render.note(note),
                    source=note,
                    why=f"{'pinned ' if note.prominence >= PINNED else ''}{category}".replace(
                        "_", " "
                    ),
                    is_whole=not render.says_more(note),
                )


def _message(known: Known) -> str:
    last = f"Last session ({ages.mark(known.last.seen)})@@headline@@" if known.last else ""
    count = f"{known.memories} {'memory' if known.memories == 1 else 'memories'}"
    parts = [last, count, render.safe(known.notice)]
    return f"{SPEAKER}{' · '.join(filter(None, parts))}"
