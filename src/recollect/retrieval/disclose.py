"""Drill down: a headline, the whole entry with its neighbours, what happened around it."""

from dataclasses import dataclass

from recollect import ids, tokens
from recollect.index.database import Index, Indexed
from recollect.retrieval import newer

# The parts of a turn that are told, the most telling first, and how much of them.
TOLD = ("said", "changed", "ran", "remarked")
PASSAGE_TOKENS = 450


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An entry between the one before and the one after it in the same session."""

    entry: Indexed
    before: Indexed | None
    after: Indexed | None
    passages: tuple[str, ...] = ()
    """What the turn behind it says, in its own words."""


def find(index: Index, prefix: str) -> Indexed:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = index.by_id(ids.resolve(prefix, index.ids(prefix) or index.ids(prefix[:2])))
    assert entry, "the id came from the index"
    return entry


def expand(index: Index, prefix: str) -> Whole:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = find(index, prefix)
    told = passages(index, entry)
    session = index.in_session(entry.session) if entry.session else []
    place = next((n for n, one in enumerate(session) if one.id == entry.id), None)
    if place is None:
        return Whole(entry=entry, before=None, after=None, passages=told)
    return Whole(
        entry=entry,
        before=session[place - 1] if place else None,
        after=session[place + 1] if place + 1 < len(session) else None,
        passages=told,
    )


def passages(index: Index, entry: Indexed) -> tuple[str, ...]:
    """Return what the turn behind *entry* says, as much as there is room for, in order.

    The report comes before what was changed and run, and that before remarks on the way. What the
    entry says itself is not said again.
    """
    parts = dict(index.passages_of([entry.number]).get(entry.number, ()))
    told = index.passages([number for number, part in parts.items() if part in TOLD])
    own = " ".join(entry.body.split())
    room = PASSAGE_TOKENS
    chosen: list[int] = []
    for number in sorted(told, key=lambda number: (TOLD.index(parts[number]), number)):
        text = told[number].text
        cost = tokens.estimate(text)
        if cost <= room and " ".join(text.split()) not in own:
            chosen.append(number)
            room -= cost
    replaced = index.replacements(chosen)
    return tuple(
        newer.marked(told[number].text, replaced.get(number, ())) for number in sorted(chosen)
    )
