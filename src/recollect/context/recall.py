"""Which of the memories that were found for a prompt are shown, and how much of each. Pure.

The best one has to clear the bar, and each further one a higher one; what the session has been
shown already is left out; and where there is room, a short memory is shown whole.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from recollect import fence, tokens
from recollect.context import render
from recollect.context.budget import Room
from recollect.hooks.answer import Card
from recollect.hooks.said import Shown
from recollect.index.confidence import of_further
from recollect.index.database import Indexed
from recollect.index.lookup import marked


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that was found, how sure that is, and why."""

    entry: Indexed
    score: float
    why: str = ""
    is_timed: bool = False
    """Found by its time, so that the score says nothing."""

    @property
    def mark(self) -> str:
        """What tells this state of it from another."""
        return marked(self.entry.mark, self.entry.stale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is shown, and what is not."""

    cards: list[Card]
    left_out: tuple[tuple[str, str], ...] = ()
    """The id of each that was found and is not shown, and why."""


def choose(
    found: Sequence[Candidate],
    *,
    bar: float,
    known: Mapping[str, Collection[str]],
    limit: int,
    limit_tokens: int,
) -> Chosen:
    """Return what of *found*, best first, is shown to a session that *known* was shown to.

    *known* gives the marks of each memory that the session's context holds by now.
    """
    further = of_further(bar)
    left_out: list[tuple[str, str]] = []
    worth: list[Candidate] = []
    has_best = False
    for one in found:
        needed = further if has_best else bar
        has_best = has_best or one.score >= bar
        if one.score < needed:
            left_out.append((one.entry.id, f"{one.score:.2f} is below the bar of {needed:.2f}"))
        elif one.mark in known.get(one.entry.id, ()):
            left_out.append((one.entry.id, "this session has been shown it"))
        elif len(worth) == limit:
            left_out.append((one.entry.id, f"{limit} are shown already"))
        else:
            worth.append(one)
    texts = _texts([one.entry for one in worth], limit_tokens)
    cards = []
    for one in worth:
        if text := texts.get(one.entry.id):
            cards.append(_card(one, text))
        else:
            left_out.append((one.entry.id, "no room left in the budget"))
    return Chosen(cards=cards, left_out=tuple(left_out))


def _texts(entries: Sequence[Indexed], limit_tokens: int) -> dict[str, str]:
    """Return what is shown of each: all of it, its beginning, or its title; none if none fits.

    First there is room for something of each, then the best ones grow.
    """
    room = Room(limit_tokens)
    room.take(fence.around(""))
    texts: dict[str, str] = {}
    sizes: tuple[Callable[[Indexed], str], ...] = (render.headline, _beginning, _whole)
    for size in sizes:
        for entry in entries:
            before, text = texts.get(entry.id, ""), size(entry)
            if text != before and room.take(text, instead_of=before):
                texts[entry.id] = text
    return texts


def _beginning(entry: Indexed) -> str:
    return entry.card + entry.stale


def _whole(entry: Indexed) -> str:
    text = render.whole(entry)
    return text if tokens.estimate(text) <= render.WHOLE_TOKENS else _beginning(entry)


def _card(one: Candidate, text: str) -> Card:
    is_headline = text == render.headline(one.entry)
    shown = Shown(
        one.entry.id,
        mark="" if is_headline else one.mark,
        score=0.0 if one.is_timed else one.score,
        tokens=tokens.estimate(text),
        why=one.why,
    )
    return Card(text, shown=shown, at=one.entry.at, line=one.entry.line)
