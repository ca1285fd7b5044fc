"""Which of the memories that were found for a prompt are shown, and what of each. Pure.

A memory that is likely enough becomes a card: one line that says what, when and where to find it
whole, and the passages that answer this prompt. One that is likely but not sure becomes a pointer:
the line alone. What the session has been shown already is left out, passage by passage.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recollect import fence, tokens
from recollect.context import render
from recollect.context.budget import Room
from recollect.hooks.cards import Card
from recollect.hooks.response import ShownMemory
from recollect.journal import passages, replaced
from recollect.search import score
from recollect.search.search import FoundPassage
from recollect.store.contract.search import IndexRow
from recollect.text.marks import is_of_state, marked

# Of one turn, so many passages are shown; what was asked for takes the place of none that answers.
MOST_PASSAGES = 4
# A further passage of the turn that answers best is shown while it fits so much less at most, and
# one of another turn: the second-best turn is wrong far more often.
WORTH_SHOWING = 4.0
WORTH_SHOWING_BESIDE = 2.0
MOST_POINTERS = 3
# Of a newer turn that may tell what became of what is shown, so many passages.
MOST_NEWER_PASSAGES = 2
ABOUT_AS_WELL = 1.0
# … and the first of them has room after so many of what surely answers.
BEFORE_NEWER = 2
# What is newer and as near in meaning to what is shown may tell what became of it, if it answers
# at all.
ALIKE = 0.6
LEAST_OF_A_SUCCESSOR = 0.03
# Of the score for a card, this much is enough for a pointer.
POINTER_SHARE = 0.27


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallCandidate:
    """A memory that was found, how sure that is, and why."""

    entry: IndexRow
    score: float
    passages: tuple[FoundPassage, ...] = ()
    """What of it, or of the turn behind it, answers; best first."""
    why: str = ""
    is_timed: bool = False
    """Found by its time, so that the score says nothing."""
    is_successor: bool = False
    """Whether it is newer than what surely answers, and says something alike."""
    withheld: str = ""
    """Why it is not shown though it fits: all that it says here was replaced, or is disputed."""

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


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A card in the making."""

    candidate: RecallCandidate
    passages: list[FoundPassage] = field(default_factory=list)
    repeated: list[FoundPassage] = field(default_factory=list)
    """What it leaves out because it says that already: its session knows it nonetheless."""
    is_begun: bool = False
    """Whether it is shown at all."""
    is_newer: bool = False
    """Whether it is shown because it may tell what became of another."""

    def lacks(self, found: FoundPassage) -> bool:
        """Tell whether *found* says something that the card does not say yet."""
        title = render.short_title(self.candidate.entry)
        shown = [title, *(one.passage.text for one in self.passages)]
        return passages.says_more(found.passage.text, shown)

    @property
    def text(self) -> str:
        """The card with the passages that it has by now, in the order of the turn."""
        entry = self.candidate.entry
        if not self.passages:
            return entry.card + entry.stale
        in_order = sorted(self.passages, key=lambda one: one.passage.place)
        return render.answer(entry, [one.passage for one in in_order])


def choose(
    found: Sequence[RecallCandidate],
    *,
    min_score: float,
    known: Mapping[str, Collection[str]],
    limit: int,
    limit_tokens: int,
) -> Chosen:
    """Return what of *found*, best first, is shown to a session that *known* was shown to.

    *known* gives the marks of what the session's context holds by now, by the memory's id.
    """
    sure, likely, successors, left_out = _sorted_out(
        found, min_score=min_score, known=known, limit=limit
    )
    crowded = _newer_than_what_fits(sure)
    if crowded:
        crowded.is_newer = True
    newer = _newer(sure, successors) or (None if crowded else _newer(sure, likely))
    if newer and len(sure) < limit:
        likely = [one for one in likely if one is not newer]
        sure.append(_Draft(candidate=newer, is_newer=True))
    room = Room(limit_tokens)
    room.take(fence.around(""))
    _fill(sure, room)
    cards = [_card(draft) for draft in sure if draft.is_begun]
    crowded_out = [draft.candidate.entry.id for draft in sure if not draft.is_begun]
    left_out += [(id_, "what is shown fits better or fills the budget") for id_ in crowded_out]
    pointers: list[Card] = []
    for one in likely:
        line = render.pointer(one.entry)
        is_news = not known.get(one.entry.id) and len(pointers) < MOST_POINTERS
        if is_news and room.take(line):
            pointers.append(_pointer(one, line))
        else:
            left_out.append((one.entry.id, _too_unlikely(one, min_score)))
    return Chosen(cards=[*cards, *pointers], left_out=tuple(left_out))


def _sorted_out(
    found: Sequence[RecallCandidate],
    *,
    min_score: float,
    known: Mapping[str, Collection[str]],
    limit: int,
) -> tuple[list[_Draft], list[RecallCandidate], list[RecallCandidate], list[tuple[str, str]]]:
    """Return what of *found* is sure, what is likely, what succeeds it, and what is left out."""
    left_out: list[tuple[str, str]] = []
    sure: list[_Draft] = []
    likely: list[RecallCandidate] = []
    successors: list[RecallCandidate] = []
    for it in found:
        seen = known.get(it.entry.id, ())
        one = _without_what_was_seen(it, seen)
        if one.is_successor and one.passages and not one.withheld:
            successors.append(one)
        elif one.score < min_score * POINTER_SHARE:
            left_out.append((one.entry.id, _too_unlikely(one, min_score)))
        elif one.withheld:
            left_out.append((one.entry.id, one.withheld))
        elif one.mark in seen or (it.passages and not one.passages):
            left_out.append((one.entry.id, "this session has been shown it"))
        elif one.score < min_score:
            likely.append(one)
        elif len(sure) == limit:
            left_out.append((one.entry.id, f"{limit} are shown already"))
        else:
            sure.append(_Draft(candidate=one))
    return sure, likely, successors, left_out


def possible_successors(
    found: Sequence[RecallCandidate], sure: Sequence[RecallCandidate], *, min_score: float
) -> list[RecallCandidate]:
    """Return those of *found* that are newer than the *sure* ones and too unlikely to be named."""
    latest = max((one.entry.at for one in sure), default=math.inf)
    return [
        one
        for one in found
        if LEAST_OF_A_SUCCESSOR <= one.score < min_score * POINTER_SHARE
        and one.passages
        and one.entry.at > latest
    ]


def as_successor(one: RecallCandidate, alike: Mapping[int, float]) -> RecallCandidate:
    """Return *one* with the passage that is most *alike* what surely answers, if any is enough."""
    best = max(one.passages, key=lambda it: alike.get(it.passage.key, 0.0))
    if alike.get(best.passage.key, 0.0) < ALIKE:
        return one
    return replace(one, passages=(best,), is_successor=True)


def _newer_than_what_fits(sure: Sequence[_Draft]) -> _Draft | None:
    """Return the best of *sure* that is newer than all that fits about as well as the best one.

    An older turn often tells more of a matter than the one that changed it.
    """
    answering = [draft for draft in sure if draft.candidate.passages]
    if not answering:
        return None
    best = max(draft.candidate.passages[0].rank for draft in answering)
    fitting = [d for d in answering if d.candidate.passages[0].rank >= best - WORTH_SHOWING_BESIDE]
    latest = max(draft.candidate.entry.at for draft in fitting)
    newer = (one for one in answering if one.candidate.entry.at > latest)
    return max(newer, key=lambda one: one.candidate.passages[0].rank, default=None)


def _newer(sure: Sequence[_Draft], likely: Sequence[RecallCandidate]) -> RecallCandidate | None:
    """Return the best of the *likely* ones that is newer than all that is shown; None if none is.

    It is not sure to answer. But where it does, what is shown is outdated, and an agent that reads
    both knows what holds. What a later session says comes before what was said in the same one.
    """
    latest = max((draft.candidate.entry.at for draft in sure), default=math.inf)
    newer = (one for one in likely if one.passages and one.entry.at > latest)
    sessions = {draft.candidate.entry.session for draft in sure}
    return max(newer, key=lambda one: (one.entry.session not in sessions, one.score), default=None)


def _without_what_was_seen(one: RecallCandidate, seen: Collection[str]) -> RecallCandidate:
    """Return *one* as far as it is news, and only as likely as what is left of it."""
    news = _unseen(one, seen)
    if not news or len(news) == len(one.passages):
        return replace(one, passages=tuple(news))
    behind = one.passages[0].rank - news[0].rank
    return replace(one, passages=tuple(news), score=score.lowered(one.score, behind))


def _too_unlikely(one: RecallCandidate, min_score: float) -> str:
    return f"{one.score:.2f} is below recall.min_score, {min_score:.2f}"


def _fill(sure: Sequence[_Draft], room: Room) -> None:
    """Give the drafts in *sure* the passages that fit into *room*, the best of all first."""
    for draft, passage in _best_first(sure):
        if passage and draft.is_begun and not draft.lacks(passage):
            draft.repeated.append(passage)
            continue
        before = draft.text if draft.is_begun else ""
        draft.passages += [passage] if passage else []
        draft.is_begun = True
        if not room.take(draft.text, instead_of=before):
            draft.passages = draft.passages[:-1] if passage else []
            draft.is_begun = bool(before)


def _best_first(sure: Sequence[_Draft]) -> list[tuple[_Draft, FoundPassage | None]]:
    """Return what could be shown, best first, and nothing that fits far less than the best.

    What was found by its time has no passages; it is shown as the journal has it.
    """
    found: list[tuple[float, _Draft, FoundPassage | None]] = []
    for draft in sure:
        one = draft.candidate
        given = _what_changed(one.passages) if draft.is_newer else _most(one.passages)
        ranks = sorted((passage.rank for passage in given), reverse=True)
        found += [(rank, draft, passage) for rank, passage in zip(ranks, given, strict=True)]
        if not one.passages:
            found.append((math.inf, draft, None))
    found.sort(key=lambda it: -it[0])
    best, first = next(
        ((rank, it) for rank, it, _ in found if rank < math.inf and not it.is_newer), (0.0, None)
    )
    newer = [(draft, passage) for _, draft, passage in found if draft.is_newer]
    newer.sort(key=lambda it: not it[0].candidate.is_successor)
    fitting = [
        (draft, passage)
        for rank, draft, passage in found
        if not draft.is_newer
        and rank >= best - (WORTH_SHOWING if draft is first else WORTH_SHOWING_BESIDE)
    ]
    # What tells that an answer is outdated matters more than its details.
    return [*fitting[:BEFORE_NEWER], *newer[:1], *fitting[BEFORE_NEWER:], *newer[1:]]


def _tells_of_change(one: FoundPassage | None) -> bool:
    return one is not None and replaced.tells_of_change(one.passage.text)


def _what_changed(found: Sequence[FoundPassage]) -> Sequence[FoundPassage]:
    """Return those of *found* that a newer turn is shown for.

    Of those that fit about as well, those that tell of a change come first.
    """
    best = found[0].rank if found else 0.0
    telling = sorted(
        found, key=lambda one: not (_tells_of_change(one) and one.rank >= best - ABOUT_AS_WELL)
    )
    return telling[:MOST_NEWER_PASSAGES]


def _most(found: Sequence[FoundPassage]) -> Sequence[FoundPassage]:
    is_asked = any(one.passage.part == "asked" for one in found[:MOST_PASSAGES])
    return found[: MOST_PASSAGES + is_asked]


def _unseen(one: RecallCandidate, seen: Collection[str]) -> list[FoundPassage]:
    """Return the passages that are news.

    To who was shown something of a memory, neither its title is news nor what was asked for.
    """
    news = [found for found in one.passages if _mark(one, found) not in seen]
    if not any(is_of_state(mark, one.entry.stale) for mark in seen):
        return news
    title = [one.entry.title]
    answers = (it for it in news if it.passage.part != "asked")
    return [it for it in answers if passages.says_more(it.passage.text, title)]


def _mark(one: RecallCandidate, found: FoundPassage) -> str:
    """Return what tells a passage from another, and from itself once its files have changed."""
    return marked(found.passage.mark, one.entry.stale)


def _card(draft: _Draft) -> Card:
    one, text = draft.candidate, draft.text
    known = [*draft.passages, *draft.repeated]
    marks = [_mark(one, found) for found in known] or [one.mark]
    shown = ShownMemory(
        one.entry.id,
        mark=",".join(marks),
        score=0.0 if one.is_timed else one.score,
        tokens=tokens.estimate(text),
        why=one.why,
        kind="card",
        text=text,
    )
    return Card(text, shown=shown, at=one.entry.at, line=one.entry.line)


def _pointer(one: RecallCandidate, text: str) -> Card:
    shown = ShownMemory(
        one.entry.id,
        score=one.score,
        tokens=tokens.estimate(text),
        why=one.why,
        kind="pointer",
        text=text,
    )
    return Card(text, shown=shown, at=one.entry.at, line=one.entry.line)
