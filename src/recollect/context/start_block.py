"""What a session begins with: where things stand, what is open, what holds, what was done lately.

It is chosen here and worded by `render`. Parts share the budget: whatever a session was about,
there is room for the notes that apply.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from recollect import ages, fence, tokens
from recollect.context import outcomes, render, threads
from recollect.context.budget import Room
from recollect.context.outcomes import Outcome
from recollect.context.past_turns import PastTurn
from recollect.context.replaced import is_reworked
from recollect.context.rules import StatedRule
from recollect.context.threads import OpenThread
from recollect.hooks.prepared import PreparedBlock, PreparedPiece
from recollect.hooks.response import ShownMemory
from recollect.journal.model import PINNED, Summary
from recollect.notes import categories
from recollect.notes.categories import CATEGORIES
from recollect.store.contract.search import IndexRow

# So many of the last turns are looked through for what they came to and what they left open.
RECENT = 150
# Notes of these categories apply whatever a session is about; in this order.
ALWAYS_SHOWN = categories.at_start()
# … and these how a subagent has to work, which sees nothing else of the project's memory.
FOR_SUBAGENTS = tuple(name for name in ALWAYS_SHOWN if CATEGORIES[name].for_subagents)
OPEN_DEBT = ("open", "in_progress")
# A decision that is only proposed, or was given up, does not apply; nor does a lifted constraint.
IN_FORCE = ("", "accepted", "active")

# The last session is shown in a few lines; a session that lost its context needs all of them.
SHORT = ("request", "completed", "next_steps")
LONG = ("request", "investigated", "learned", "completed", "next_steps", "notes")

# What each part may take of the budget; what one leaves is there for the next.
SHARES = {"last": 0.5, "open": 0.25, "notes": 0.33, "recent": 1.0}
# More lines than that never fit.
MOST_RECENT = 30
# "Things look fine now" is not.
WORTH_A_LINE = 0.3
FEW_TURNS = 4
OF_VAGUE = 3
# The last session is shown in at most so many sentences of a turn.
MOST_OF_A_TURN = 9
# The turn before the last one tells less, the one before that less still.
EACH_EARLIER = 0.12
# … so that nothing of those before so many is worth showing.
LAST_TURNS = 25
ALL = {"notes": 1.0}

HALF_LIFE_DAYS = 30.0
DAY = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session as it is shown to a later one, or to itself."""

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
    """What applies here and everywhere, the most prominent first."""
    rules: Sequence[StatedRule] = ()
    """What the user stated and no note says, the newest first."""
    turns: Sequence[PastTurn] = ()
    """Those of the last session, the latest first."""
    recent: Sequence[PastTurn] = ()
    """The turns of the sessions before, the latest first."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the notes of each category are, as the settings describe them."""
    notice: str = ""
    """One more line for the user, such as a clone that could share its memory."""


def prepared(known: StartFacts, *, limit_tokens: int) -> PreparedBlock:
    """Return the start block of a project; an empty one if nothing is known."""
    if not known.memories and not known.notes:
        return PreparedBlock(render.start_line(notice=known.notice))
    pieces = _fitting(_parts(known, limit_tokens), SHARES, limit_tokens)
    if known.last:
        headline = render.headline(known.last.fields.request or known.last_title)
        piece = _piece(headline, source=known.last.summary, is_headline=True)
        pieces.append(piece)
    message = render.start_line(
        last_seen=known.last.seen if known.last else None,
        memories=known.memories,
        notice=known.notice,
    )
    return PreparedBlock(message, tuple(pieces))


def for_subagents(
    notes: Sequence[IndexRow], kinds: Mapping[str, str], *, limit_tokens: int
) -> PreparedBlock:
    """Return the block of a subagent: how things are done here; empty if nothing says so."""
    pieces = _fitting({"notes": list(_notes(notes, kinds))}, ALL, limit_tokens)
    return PreparedBlock("", tuple(pieces))


def _piece(
    text: str,
    *,
    section: str = "",
    source: IndexRow | None = None,
    why: str = "",
    is_whole: bool = False,
    is_headline: bool = False,
) -> PreparedPiece:
    """Return *text* of its *source* as a piece; the source says nothing more if *is_whole*."""
    is_counted = source is not None and source.kind != "summary" and not is_headline
    return PreparedPiece(
        text,
        section=section,
        shown=ShownMemory(
            source.id if source and is_counted else "",
            mark=source.mark if source and is_whole else "",
            tokens=0 if is_headline else tokens.estimate(text),
            why=why,
        ),
        document=(source.document, source.version) if source else ("", ""),
        category=source.category if source and not is_headline else "",
        is_headline=is_headline,
    )


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
    what is said of the *project* before what applies everywhere.
    """
    touched = set(files)
    order_of = {category: place for place, category in enumerate(ALWAYS_SHOWN)}

    def order(note: IndexRow) -> tuple[float, float, bool, float, float]:
        related = (bool(branch) and note.branch == branch) + 2 * bool(
            touched.intersection(note.touched.splitlines())
        )
        recency = math.exp2(-max(now - note.at, 0.0) / (HALF_LIFE_DAYS * DAY))
        kind = order_of.get(note.category, len(order_of))
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


def is_in_force(note: IndexRow) -> bool:
    """Tell whether *note* applies, whatever a session is about."""
    is_of_kind = note.category in ALWAYS_SHOWN
    return is_of_kind and not note.hidden_reason and note.note_status in IN_FORCE


def is_open_debt(note: IndexRow) -> bool:
    """Tell whether *note* is technical debt that somebody has still to pay."""
    return not note.hidden_reason and note.category == "tech_debt" and note.note_status in OPEN_DEBT


def _parts(known: StartFacts, limit_tokens: int) -> dict[str, list[PreparedPiece]]:
    last = []
    if known.own:
        last.append(_past(known.own, fence.COMPACTED_SESSION, LONG))
    if known.last:
        last += _last(known, known.last, limit_tokens)
    return {
        "last": last,
        "open": list(_open(known)),
        "notes": [*_notes(known.notes, known.kinds), *_stated(known.rules)],
        "recent": list(_recent(known)),
    }


def _last(known: StartFacts, past: PastSession, limit_tokens: int) -> list[PreparedPiece]:
    """Return what the turns of the last session came to; its summary where nothing tells."""
    chosen = _chosen(known, limit_tokens)
    if not chosen:
        fields = _past(past, fence.LAST_SESSION, SHORT)
        return [fields] if fields.text else []
    section = _heading(past, fence.LAST_SESSION)
    pieces = [
        _piece(_outcomes(turn, of_it), section=section, source=turn.entry, why="last session")
        for turn in known.turns
        if (of_it := [one for one in chosen if one.turn is turn])
    ]
    # What it began with; the rest of the request shows in what came of it.
    if request := past.fields.request.partition("; ")[0]:
        pieces.insert(0, _piece(render.request(request), section=section, source=past.summary))
    return pieces


def _chosen(known: StartFacts, limit_tokens: int) -> list[Outcome]:
    """Return the sentences of the last session that are worth most, as many as fit."""
    open_ = [thread.text for thread in known.threads]
    found = []
    for place, turn in enumerate(known.turns[:LAST_TURNS]):
        shown_elsewhere = [*open_, *threads.surely_open(turn)]
        of_it = outcomes.of_turn(turn, later=known.turns[:place], without=shown_elsewhere)
        found += [(one.value - EACH_EARLIER * place, one) for one in of_it[:MOST_OF_A_TURN]]
    room = Room(round(limit_tokens * SHARES["last"]))
    begun: set[str] = set()
    chosen = []
    for _, one in sorted(found, key=lambda pair: -pair[0]):
        is_begun = one.turn.entry.id in begun
        frame = "" if is_begun else f"- ({ages.mark(0)}) [{one.turn.entry.id}]\n"
        if room.take(f" … {render.outcome(one.sentence.text)}{frame}"):
            begun.add(one.turn.entry.id)
            chosen.append(one)
    return chosen


def _outcomes(turn: PastTurn, chosen: Sequence[Outcome]) -> str:
    """Return the *chosen* sentences of a *turn* in their order, in one line."""
    in_order = sorted(chosen, key=lambda one: one.sentence.place)
    sentences = [(one.sentence.place, one.sentence.text) for one in in_order]
    return render.outcomes(sentences, turn.entry)


def _recent(known: StartFacts) -> Iterator[PreparedPiece]:
    """Yield a line for each turn before the last session: the most informative thing it says."""
    lines: set[str] = set()
    every = [*known.turns, *known.recent]
    for place, turn in enumerate(known.recent[:MOST_RECENT], start=len(known.turns)):
        came_of_it = outcomes.of_turn(turn, later=every[:place], without=threads.surely_open(turn))
        current = [one for one in came_of_it if not is_reworked(one.sentence.text, every[:place])]
        worth = [one for one in current if one.value >= WORTH_A_LINE]
        # After a session of a turn or two, more is shown of those before.
        chosen = worth[: 2 if place < FEW_TURNS else 1]
        if worth and not outcomes.has_facts(worth[0].sentence.text):
            chosen = current[:OF_VAGUE]  # "Orders now reserve stock." wants its figures.
        text = _outcomes(turn, chosen) if chosen else ""
        if text and text not in lines:
            lines.add(text)
            yield _piece(text, section=fence.RECENT, source=turn.entry, why="recent work")


def _stated(rules: Sequence[StatedRule]) -> Iterator[PreparedPiece]:
    for rule in rules:
        text = render.stated(rule.text, rule.source)
        yield _piece(text, section=fence.STATED, source=rule.source, why="stated")


def _fitting(
    parts: Mapping[str, list[PreparedPiece]], shares: Mapping[str, float], limit_tokens: int
) -> list[PreparedPiece]:
    """Return the pieces of all *parts* that fit together with the fence, part by part."""
    room = Room(limit_tokens)
    room.take(fence.around(""))
    chosen: list[PreparedPiece] = []
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


def _past(past: PastSession, heading: str, names: Sequence[str]) -> PreparedPiece:
    fields = [(name, str(getattr(past.fields, name))) for name in names]
    if names is LONG:
        fields.append(("files changed", ", ".join(past.fields.files_edited)))
    text = "".join(render.field(name, value) for name, value in fields if value)
    return _piece(text, section=_heading(past, heading), source=past.summary)


def _heading(past: PastSession, heading: str) -> str:
    return render.session_heading(heading, seen=past.seen, turns=past.turns, ended=past.ended)


def _open(known: StartFacts) -> Iterator[PreparedPiece]:
    referred: set[str] = set()
    for thread in known.threads:
        # Several things that one turn left stand together; where they are from is said once.
        source = None if thread.source.id in referred else thread.source
        referred.add(thread.source.id)
        text = render.open_thread(thread.text, source)
        yield _piece(text, section=fence.OPEN, source=thread.source, why="left open")
    if known.to_review:
        yield _piece(render.to_review(known.to_review), section=fence.OPEN)
    yield from _notes(known.debts, known.kinds)


def _notes(notes: Sequence[IndexRow], kinds: Mapping[str, str]) -> Iterator[PreparedPiece]:
    """Yield *notes* by category, that of the most prominent note first."""
    for category in dict.fromkeys(note.category for note in notes):
        heading = render.kind(category, kinds.get(category, ""))
        for note in notes:
            if note.category == category:
                why = f"{'pinned ' if note.prominence >= PINNED else ''}{category}"
                yield _piece(
                    render.note(note),
                    section=heading,
                    source=note,
                    why=why.replace("_", " "),
                    is_whole=not render.says_more(note),
                )
