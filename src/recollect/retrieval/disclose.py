"""Drill down: a headline, the whole entry with its neighbours, what happened around it."""

from dataclasses import dataclass

from recollect import ids
from recollect.index.database import Index, Indexed


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An entry between the one before and the one after it in the same session."""

    entry: Indexed
    before: Indexed | None
    after: Indexed | None


def find(index: Index, prefix: str) -> Indexed:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = index.by_id(ids.resolve(prefix, index.ids(prefix) or index.ids(prefix[:2])))
    assert entry, "the id came from the index"
    return entry


def expand(index: Index, prefix: str) -> Whole:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = find(index, prefix)
    session = index.in_session(entry.session) if entry.session else []
    place = next((n for n, one in enumerate(session) if one.id == entry.id), None)
    if place is None:
        return Whole(entry=entry, before=None, after=None)
    return Whole(
        entry=entry,
        before=session[place - 1] if place else None,
        after=session[place + 1] if place + 1 < len(session) else None,
    )
