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
from recollect.context import budget, outcomes, render, threads
from recollect.context.budget import Room
from recollect.context.outcomes import Outcome
from recollect.context.past_turns import PastTurn
from recollect.context.replaced import is_reworked
from recollect.context.rules import StatedRule
from recollect.context.threads import OpenThread
from recollect.hooks.answer import FIELD, PIECE, SPEAKER
from recollect.journal.model import PINNED, Summary
from recollect.notes import categories
from recollect.notes.categories import CATEGORIES
from recollect.privacy import redact
from recollect.store.contract.search import IndexRow

# So many of the last turns are looked through for what they came to and what they left open.
RECENT = 150
# Notes of these categories say what holds, whatever the session is about; in this order.
HOLDING = categories.at_start()
# … and these how a subagent has to work, which sees nothing else of the project's memory.
FOR_SUBAGENTS = tuple(name for name in HOLDING if CATEGORIES[name].for_subagents)
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
SHARES = {"last": 0.5, "open": 0.25, "holds": 0.3, "recent": 1.0}
# More lines than that never fit.
MOST_RECENT = 30
# "Things look fine now" is not.
WORTH_A_LINE = 0.3
FEW_TURNS = 4
# The last session is told in at most so many sentences of a turn.
MOST_OF_A_TURN = 9
# The turn before the last one tells less, the one before that less still.
EACH_EARLIER = 0.12
# … so that nothing of those before so many is worth telling.
LAST_TURNS = 25
LONGEST_OUTCOME = 260
LONGEST_REQUEST = 120
OUTCOME_TOKENS = 120
ALL = {"holds": 1.0}

HALF_LIFE_DAYS = 30.0
DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session as it is told to a later one, or to itself."""

    summary: IndexRow
    fields: Summary
    seen: float
    turns: int
    ended: str
    """How it ended, in a word or two; empty if nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartFacts:
    """What is known of a project when a session begins."""

    memories: int
    own: PastSession | None = None
    """What the session itself did before its context was compacted."""
    last: PastSession | None = None
    last_title: str = ""
    threads: Sequence[OpenThread] = ()
    debts: Sequence[IndexRow] = ()
    """Open technical debt, the most pressing first."""
    to_review: int = 0
    """Notes that wait for the user's word."""
    notes: Sequence[IndexRow] = ()
    """What holds here and everywhere, the most prominent first."""
    rules: Sequence[StatedRule] = ()
    """What the user said that holds and no note says, the newest first."""
    turns: Sequence[PastTurn] = ()
    """Those of the last session, the latest first."""
    recent: Sequence[PastTurn] = ()
    """The turns of the sessions before, the latest first."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the notes of each category are, as the settings describe them."""
    notice: str = ""
    """One more line for the user, such as a clone that could share its memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a block that is shown or left out as one."""

    section: str
    text: str
    source: IndexRow | None = None
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


def prepared(known: StartFacts, *, limit_tokens: int) -> str:
    """Return the start block of a project; empty if nothing is known."""
    if not known.memories and not known.notes:
        return f"{SPEAKER}{render.safe(known.notice)}" if known.notice else ""
    pieces = [
        piece.written() for piece in _fitting(_parts(known, limit_tokens), SHARES, limit_tokens)
    ]
    if known.last:
        source = known.last.summary
        stamp = (source.path, str(source.size), str(source.mtime_ns))
        headline = f": {render.line(known.last.fields.request or known.last_title)}"
        pieces.append(_written("headline", *stamp, "", "", "", "", "", "0", headline))
    return PIECE.join([_message(known), *pieces])


def for_subagents(notes: Sequence[IndexRow], kinds: Mapping[str, str], *, limit_tokens: int) -> str:
    """Return the block of a subagent: how things are done here; empty if nobody said."""
    pieces = _fitting({"holds": list(_holding(notes, kinds))}, ALL, limit_tokens)
    return PIECE.join(["", *(piece.written() for piece in pieces)]) if pieces else ""


def by_relevance(
    notes: Iterable[IndexRow],
    *,
    project: str,
    branch: str = "",
    files: Collection[str] = (),
    now: float,
) -> list[IndexRow]:
    """Return *notes* as a session on *branch* needs them, which *files* were last touched before.

    What is pinned goes first, then what is about the same branch or files, then the latest; and
    what is said of the *project* before what holds everywhere.
    """
    touched = set(files)

    def order(note: IndexRow) -> tuple[float, float, bool, float, float]:
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


def first_of_each_kind(notes: Iterable[IndexRow], *, most: int) -> list[IndexRow]:
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


def holds(note: IndexRow) -> bool:
    """Tell whether *note* says what holds, whatever a session is about."""
    return not note.hidden_reason and note.category in HOLDING and note.note_status in HOLDS


def is_open_debt(note: IndexRow) -> bool:
    """Tell whether *note* is technical debt that somebody has still to pay."""
    return not note.hidden_reason and note.category == "tech_debt" and note.note_status in OPEN_DEBT


def _parts(known: StartFacts, limit_tokens: int) -> dict[str, list[Piece]]:
    last = []
    if known.own:
        last.append(_past(known.own, "This session, before its context was compacted", LONG))
    if known.last:
        last += _last(known, known.last, limit_tokens)
    return {
        "last": last,
        "open": list(_open(known)),
        "holds": [*_holding(known.notes, known.kinds), *_stated(known.rules)],
        "recent": list(_recent(known)),
    }


def _last(known: StartFacts, past: PastSession, limit_tokens: int) -> list[Piece]:
    """Return what the turns of the last session came to; its summary where nothing tells."""
    chosen = _chosen(known, limit_tokens)
    if not chosen:
        told = _past(past, "Last session", SHORT)
        return [told] if told.text else []
    section = f"Last session ({_about(past)}):\n"
    pieces = [
        Piece(section=section, text=_told(turn, of_it), source=turn.entry, why="last session")
        for turn in known.turns
        if (of_it := [one for one in chosen if one.turn is turn])
    ]
    # What it began with; the rest of the request is told by what came of it.
    if request := past.fields.request.partition("; ")[0]:
        text = f"- request: {_one_line(request, LONGEST_REQUEST, OUTCOME_TOKENS)}\n"
        pieces.insert(0, Piece(section=section, text=text, source=past.summary))
    return pieces


def _chosen(known: StartFacts, limit_tokens: int) -> list[Outcome]:
    """Return the sentences of the last session that are worth most, as many as fit."""
    open_ = [thread.text for thread in known.threads]
    found = []
    for place, turn in enumerate(known.turns[:LAST_TURNS]):
        told_elsewhere = [*open_, *threads.surely_open(turn)]
        told = outcomes.of_turn(turn, later=known.turns[:place], without=told_elsewhere)
        found += [(one.value - EACH_EARLIER * place, one) for one in told[:MOST_OF_A_TURN]]
    room = Room(round(limit_tokens * SHARES["last"]))
    begun: set[str] = set()
    chosen = []
    for _, one in sorted(found, key=lambda pair: -pair[0]):
        mark = "" if one.turn.entry.id in begun else f"- ({ages.mark(0)}) [{one.turn.entry.id}]\n"
        if room.take(f" … {_sentence(one)}{mark}"):
            begun.add(one.turn.entry.id)
            chosen.append(one)
    return chosen


def _told(turn: PastTurn, chosen: Sequence[Outcome]) -> str:
    """Return the *chosen* sentences of a *turn* in their order, in one line."""
    in_order = sorted(chosen, key=lambda one: one.sentence.place)
    text = ""
    for before, one in zip([None, *in_order], in_order, strict=False):
        follows = before is None or before.sentence.place + 1 == one.sentence.place
        text += f"{'' if before is None else ' ' if follows else ' … '}{_sentence(one)}"
    return f"- {text}{render.reference(turn.entry)}\n"


def _sentence(one: Outcome) -> str:
    return _one_line(one.sentence.text, LONGEST_OUTCOME, OUTCOME_TOKENS)


def _recent(known: StartFacts) -> Iterator[Piece]:
    """Yield a line for each turn before the last session: the most telling thing it says."""
    lines: set[str] = set()
    every = [*known.turns, *known.recent]
    for place, turn in enumerate(known.recent[:MOST_RECENT], start=len(known.turns)):
        came_of_it = outcomes.of_turn(turn, later=every[:place], without=threads.surely_open(turn))
        told = [
            one
            for one in came_of_it
            if one.value >= WORTH_A_LINE and not is_reworked(one.sentence.text, every[:place])
        ]
        # After a session of a turn or two, more is told of those before.
        text = _told(turn, told[: 2 if place < FEW_TURNS else 1]) if told else ""
        if text and text not in lines:
            lines.add(text)
            yield Piece(section="Before that:\n", text=text, source=turn.entry, why="recent work")


def _stated(rules: Sequence[StatedRule]) -> Iterator[Piece]:
    for rule in rules:
        text = f"- “{_field(rule.text)}”{render.reference(rule.source)}\n"
        yield Piece(section="Said by the user:\n", text=text, source=rule.source, why="stated")


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


def _past(past: PastSession, title: str, names: Sequence[str]) -> Piece:
    values = ((name, str(getattr(past.fields, name))) for name in names)
    lines = [f"- {name.replace('_', ' ')}: {_field(value)}\n" for name, value in values if value]
    edited = past.fields.files_edited
    if names is LONG and edited:
        lines.append(f"- files changed: {_field(', '.join(edited))}\n")
    return Piece(section=f"{title} ({_about(past)}):\n", text="".join(lines), source=past.summary)


def _about(past: PastSession) -> str:
    turns = f"{past.turns} turn{'' if past.turns == 1 else 's'}"
    return ", ".join(filter(None, [ages.mark(past.seen), turns, past.ended]))


def _field(text: str) -> str:
    return _one_line(text, FIELD_CHARACTERS, FIELD_TOKENS)


def _one_line(text: str, characters: int, limit_tokens: int) -> str:
    one_line = " ".join(render.safe(redact.clean(text)).split())
    return budget.shortened(one_line, characters, limit_tokens=limit_tokens)


def _open(known: StartFacts) -> Iterator[Piece]:
    section = "Open here:\n"
    told: set[str] = set()
    for thread in known.threads:
        # Several things that one turn left stand together; where they are from is said once.
        reference = "" if thread.source.id in told else render.reference(thread.source)
        told.add(thread.source.id)
        text = f"- {_field(thread.text)}{reference}\n"
        yield Piece(section=section, text=text, source=thread.source, why="left open")
    if known.to_review:
        noun = "note waits" if known.to_review == 1 else "notes wait"
        text = f"- {known.to_review} {noun} for the user's word: recollect review\n"
        yield Piece(section=section, text=text)
    yield from _holding(known.debts, known.kinds)


def _holding(notes: Sequence[IndexRow], kinds: Mapping[str, str]) -> Iterator[Piece]:
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


def _message(known: StartFacts) -> str:
    last = f"Last session ({ages.mark(known.last.seen)})@@headline@@" if known.last else ""
    count = f"{known.memories} {'memory' if known.memories == 1 else 'memories'}"
    parts = [last, count, render.safe(known.notice)]
    return f"{SPEAKER}{' · '.join(filter(None, parts))}"
