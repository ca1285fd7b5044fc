"""Drill down: a headline, the whole entry with its neighbours, what happened around it."""

import re
from dataclasses import dataclass

from recollect import ids, tokens
from recollect.search import newer
from recollect.store.contract.search import IndexRow, SearchIndex

# The parts of a turn that are shown, the most useful first, and how much of them: by the estimate,
# which is dear, so that entry and passages together mostly cost less than 600 tokens.
PARTS = ("said", "changed", "asked", "ran", "remarked")
EXPANDED_TOKENS = 1000
FEWEST_TOKENS = 250

_WORD = re.compile(r"\w+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An entry between the one before and the one after it in the same session."""

    entry: IndexRow
    before: IndexRow | None
    after: IndexRow | None
    passages: tuple[str, ...] = ()
    """What the turn behind it says, in its own words."""


def find(index: SearchIndex, prefix: str) -> IndexRow:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = index.by_id(ids.resolve(prefix, index.ids(prefix) or index.ids(prefix[:2])))
    assert entry, "the id came from the index"
    return entry


def expand(index: SearchIndex, prefix: str) -> Whole:
    """Return the entry whose id begins with *prefix*. Raises `NotFoundError`."""
    entry = find(index, prefix)
    shown = passages(index, entry)
    session = index.in_session(entry.session) if entry.session else []
    place = next((n for n, one in enumerate(session) if one.id == entry.id), None)
    if place is None:
        return Whole(entry=entry, before=None, after=None, passages=shown)
    return Whole(
        entry=entry,
        before=session[place - 1] if place else None,
        after=session[place + 1] if place + 1 < len(session) else None,
        passages=shown,
    )


def passages(index: SearchIndex, entry: IndexRow) -> tuple[str, ...]:
    """Return what the turn behind *entry* says, as much as there is room for, in order.

    The report comes before what was changed and asked, and that before what was run and remarked on
    the way. What the entry says itself is not repeated.
    """
    parts = dict(index.passages_of([entry.key]).get(entry.key, ()))
    found = index.passages([number for number, part in parts.items() if part in PARTS])
    own = _words(f"{entry.title}\n{entry.body}")
    room = max(EXPANDED_TOKENS - tokens.estimate(entry.body), FEWEST_TOKENS)
    chosen: list[int] = []
    for number in sorted(found, key=lambda number: (PARTS.index(parts[number]), number)):
        text = found[number].text
        cost = tokens.estimate(text)
        if cost <= room and not _words(text) <= own:
            chosen.append(number)
            room -= cost
    replaced = index.replacements(chosen)
    return tuple(
        newer.marked(found[number].text, replaced.get(number, ())) for number in sorted(chosen)
    )


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))
