"""How a piece that a later turn replaced is marked as past. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime

from recollect.store.sqlite.index.replacing import Replacement


def marked(text: str, replaced: Iterable[Replacement]) -> str:
    """Return *text* with a mark behind each piece that was *replaced*."""
    for piece, one in by_piece(replaced).items():
        text = text.replace(piece, f"{piece} {note(one)}", 1)
    return text


def by_piece(replaced: Iterable[Replacement]) -> dict[str, Replacement]:
    """Return the latest replacement of each piece."""
    found: dict[str, Replacement] = {}
    for one in replaced:
        found.setdefault(one.piece, one)
    return found


def note(one: Replacement) -> str:
    """Return the words that mark what *one* replaced as past."""
    now = f"now: {one.new}" if one.new else "replaced since"
    return f"(before, until {day(one.at)}; {now})"


def day(at: float) -> str:
    """Return the day of *at* as people write it.

    >>> day(1772539200.0)
    '3 March 2026'
    """
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%-d %B %Y}"
