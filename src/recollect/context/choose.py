"""What a new session of a project is given: the last session, then recent memories.

Written as pieces, each with the file it came from, so that a hook can leave out what the user
has changed since without knowing what it says.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from recollect import ages, tokens
from recollect.context import budget, render
from recollect.hooks.answer import FIELD, PIECE
from recollect.index.database import Indexed

RECENT = 30
# Notes of these categories say what holds, whatever the session is about; in this order.
HOLDING = ("preference", "constraint", "decision", "tech_debt", "runbook")
SUMMARY_CHARACTERS = 300
# Eight such lines must fit in any script.
SUMMARY_TOKENS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a project when a session begins."""

    label: str
    memories: int
    last_seen: float = 0.0
    last_turns: int = 0
    last_entry: Indexed | None = None
    summary: Indexed | None = None
    recent: Sequence[Indexed] = ()
    notes: Sequence[Indexed] = ()
    """What holds here and everywhere, the most prominent first."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """What the notes of each category are, as the settings describe them."""
    notice: str = ""
    """One more line for the user, such as a clone that could share its memory."""


def prepared_start(known: Known, *, limit_tokens: int) -> str:
    """Return the start block of a project as `hooks.answer` reads it; empty if nothing is known."""
    if not known.memories and not known.notes:
        notice = render.safe(known.notice)
        return render.only_message(f"Recollect: {notice}") if notice else ""
    pieces = [_piece("body", text, source) for text, source in _texts(known, limit_tokens)]
    if known.last_entry:
        title = render.safe(budget.shortened(known.last_entry.title, render.LINE_CHARACTERS))
        pieces.append(_piece("headline", f": {title}", known.last_entry))
    return PIECE.join([render.start_frame(_message(known)), *pieces])


def _texts(known: Known, limit_tokens: int) -> list[tuple[str, Indexed]]:
    texts: list[tuple[str, Indexed]] = []
    if known.summary:
        texts.append((_last_session(known, known.summary), known.summary))
    texts += _holding(known)
    for place, entry in enumerate(known.recent):
        heading = "" if place else "Recent work:\n"
        texts.append((heading + render.headline(entry.title, entry.at, entry.id), entry))
    left = limit_tokens - tokens.estimate(render.start_frame(""))
    return budget.fitting(texts, lambda piece: piece[0], limit_tokens=left)


def _holding(known: Known) -> Iterator[tuple[str, Indexed]]:
    """Yield what holds here by categories, that of the most prominent note first."""
    for category in dict.fromkeys(note.category for note in known.notes):
        heading = render.kind(category, known.kinds.get(category, ""))
        for note in known.notes:
            if note.category == category:
                yield heading + render.note(note), note
                heading = ""


def _last_session(known: Known, summary: Indexed) -> str:
    told = render.described(known.kinds.get("session_summary", ""))
    about = [ages.mark(known.last_seen), _turns(known.last_turns), *filter(None, [told])]
    head = f"Last session ({', '.join(about)}):\n"
    lines = [
        f"{_shortened(line)}\n"
        for line in summary.body.splitlines()
        if line.strip() and not line.rstrip().endswith(":")
    ]
    return head + render.safe("".join(lines))


def _shortened(line: str) -> str:
    return budget.shortened(line, SUMMARY_CHARACTERS, limit_tokens=SUMMARY_TOKENS)


def _message(known: Known) -> str:
    count = f"{known.memories} {'memory' if known.memories == 1 else 'memories'} here"
    last = f"last session {ages.mark(known.last_seen)} ({_turns(known.last_turns)})@@headline@@"
    parts = [last if known.last_seen else "", count, render.safe(known.notice)]
    return f"Recollect: {' · '.join(filter(None, parts))}"


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _piece(place: str, text: str, source: Indexed) -> str:
    stamp = (source.path, str(source.size), str(source.mtime_ns))
    return FIELD.join((place, *stamp, render.escaped(text)))
