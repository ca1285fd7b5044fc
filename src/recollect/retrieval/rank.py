"""Order what was found, and say how sure that is. Pure: no clock, no disk; every weight has a name.

Each leg of a search has its own scale, so each is stretched to 0–1 before they are added up.
That tells which of several answers is best, not whether any is good: the confidence looks at
what does not depend on the competitors. See docs/explanation/search.md for how the numbers
were found.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.index.confidence import UNKNOWN_NEARNESS, confidence

# An answer that holds two thirds of the question is as good as words can be; one that holds a
# fifth of it shares a word by chance.
WORDS_TRUSTED = 1.5

# What an entry says itself, or the turn behind it, whichever fits better …
TOLD = 0.20
# … how much of the question that holds, in words …
HOLDS = 0.20
# … and it together with its neighbours in the session: each catches what the other misses.
AROUND = 0.20
# The nearest passage by meaning, and the thread of talk about it.
NEAREST = 0.40
THREAD = 0.10
# Files that were changed, commands, plans: says little alone, but decides between two.
DONE = 0.30

# Other answers from the same session speak for this one: the best other, and half as much the
# next.
SUPPORT = 0.20

# A name that was asked for outweighs all the rest together.
NAMED = 2.0

# Small things that decide between equals. What a person wrote or corrected is worth more than a
# note we made, that more than what was observed, and that more than what was only said.
BY_HAND = 0.06
A_NOTE = 0.04
ONLY_SAID = -0.03
WITHOUT_ANSWER = -0.20
# What was needed again and again.
RECURRING = 0.03
MOST_RECURRING = 3
SAME_BRANCH = 0.03
SAME_FILES = 0.06
# As much as the best of the legs by words gives: another one that fits goes first.
IGNORED = -0.20
# The newest gains this, one that is half a year old half of it. Never a cut-off: an old answer
# with nothing beside it is still the answer.
RECENT = 0.05
HALF_LIFE_DAYS = 180.0


BY_WORDS = {"told": TOLD, "holds": HOLDS, "around": AROUND, "done": DONE}
BY_MEANING = {"nearest": NEAREST, "thread": THREAD}
WEIGHTS = {**BY_WORDS, **BY_MEANING, "named": NAMED}


# These are made by the hundred for each search, and frozen ones would take four times as long.
@dataclass(slots=True, kw_only=True)
class Legs:
    """How well one entry did on each leg, 0–1, and all of them in one number."""

    told: float = 0.0
    holds: float = 0.0
    around: float = 0.0
    nearest: float = 0.0
    thread: float = 0.0
    done: float = 0.0
    named: float = 0.0
    trust_in_words: float = 1.0
    fused: float = 0.0


def trust_in_words(best_share: float) -> float:
    """Return what the legs that go by words count, given the best *share* any entry holds.

    The best of a list of poor matches is still a poor match.

    >>> trust_in_words(0.9), trust_in_words(0.2)
    (1.0, 0.3)
    """
    return min(1.0, round(best_share * WORDS_TRUSTED, 6))


@dataclass(slots=True, kw_only=True)
class Circumstances:
    """What else is known of one entry."""

    days_old: float = 0.0
    by_hand: bool = False
    a_note: bool = False
    only_said: bool = False
    """Found in the turn behind it alone."""
    without_answer: bool = False
    """Nothing was observed in it: a question that was asked, but never answered."""
    times_needed: int = 0
    """How often a note was needed again; a pinned one counts as very often."""
    same_branch: bool = False
    same_files: bool = False
    ignored: bool = False
    """It was shown often, and nobody used it."""

    @property
    def bonus(self) -> float:
        """What it adds to the fused score.

        >>> round(Circumstances(days_old=180, same_branch=True).bonus, 3)
        0.055
        """
        return (
            BY_HAND * self.by_hand
            + A_NOTE * self.a_note
            + ONLY_SAID * self.only_said
            + WITHOUT_ANSWER * self.without_answer
            + RECURRING * min(self.times_needed, MOST_RECURRING) / MOST_RECURRING
            + SAME_BRANCH * self.same_branch
            + SAME_FILES * self.same_files
            + IGNORED * self.ignored
            + RECENT * math.exp2(-max(self.days_old, 0.0) / HALF_LIFE_DAYS)
        )


def normalised(scores: Mapping[int, float], *, least: float | None = None) -> dict[int, float]:
    """Return *scores* stretched to 0–1: from the *least* there can be, or else the least there is.

    >>> normalised({1: 4.0, 2: 2.0, 3: 3.0})
    {1: 1.0, 2: 0.0, 3: 0.5}
    >>> normalised({1: 4.0, 2: 2.0}, least=0.0)
    {1: 1.0, 2: 0.5}
    >>> normalised({7: 3.0})
    {7: 1.0}
    """
    if not scores:
        return {}
    lowest, highest = min(scores.values()) if least is None else least, max(scores.values())
    if highest == lowest:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - lowest) / (highest - lowest) for key, score in scores.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What each leg of a search found: the number of an entry, and how well it fits."""

    own: Mapping[int, float] = field(default_factory=dict)
    said: Mapping[int, float] = field(default_factory=dict)
    around: Mapping[int, float] = field(default_factory=dict)
    done: Mapping[int, float] = field(default_factory=dict)
    nearest: Mapping[int, float] = field(default_factory=dict)
    thread: Mapping[int, float] = field(default_factory=dict)
    named: Mapping[int, float] = field(default_factory=dict)
    """Already 0–1: how prominently a name stands there."""
    share: Mapping[int, float] = field(default_factory=dict)
    """Already 0–1: the share of the question's words that an entry holds …"""
    said_share: Mapping[int, float] = field(default_factory=dict)
    """… or a passage of the turn behind it."""
    depth: int = 1_000_000
    """Where the lists were cut off."""


def fuse(lists: Lists, *, most: int | None = None) -> dict[int, Legs]:
    """Return the legs of everything that any list found, or of the *most* that fit best.

    >>> legs = fuse(Lists(own={1: 2.0, 2: 1.0}, around={2: 5.0}, share={1: 1.0, 2: 0.5}))
    >>> round(legs[1].fused, 3), round(legs[2].fused, 3)
    (0.4, 0.4)
    """
    # What stands behind the end of a list fits less than its last, and what a whole list does
    # not have fits not at all.
    own, said, around, done = (
        normalised(one, least=None if len(one) >= lists.depth else 0.0)
        for one in (lists.own, lists.said, lists.around, lists.done)
    )
    nearest, thread = normalised(lists.nearest), normalised(lists.thread)
    best_share = max((*lists.share.values(), *lists.said_share.values()), default=0.0)
    trust = trust_in_words(best_share) if nearest else 1.0
    everything = {*own, *said, *around, *done, *nearest, *thread, *lists.named}
    legs: dict[str, Mapping[int, float]] = {
        "told": _better(own, said, everything),
        "holds": _better(lists.share, lists.said_share, everything),
        "around": around,
        "done": done,
        "nearest": nearest,
        "thread": thread,
        "named": lists.named,
    }
    # Of equals the later comes first.
    fused = dict.fromkeys(sorted(everything, reverse=True), 0.0)
    for name, scores in legs.items():
        weight = WEIGHTS[name] * (trust if name in BY_WORDS else 1.0)
        for number, score in scores.items():
            fused[number] += weight * score
    best = sorted(fused, key=fused.__getitem__, reverse=True)[:most]
    return {
        number: Legs(
            **{name: scores.get(number, 0.0) for name, scores in legs.items()},
            trust_in_words=trust,
            fused=fused[number],
        )
        for number in best
    }


def _better(
    one: Mapping[int, float], other: Mapping[int, float], numbers: Iterable[int]
) -> dict[int, float]:
    return {number: max(one.get(number, 0.0), other.get(number, 0.0)) for number in numbers}


def supported(scores: Mapping[int, float], session_of: Mapping[int, str]) -> dict[int, float]:
    """Return *scores* with the support that each gets from others of its session.

    >>> supported({1: 1.0, 2: 0.5, 3: 0.7}, {1: "a", 2: "a", 3: "b"})
    {1: 1.1, 2: 0.7, 3: 0.7}
    """
    best: dict[str, list[float]] = {}
    for number, score in scores.items():
        if session := session_of.get(number):
            best.setdefault(session, []).append(score)
    for found in best.values():
        found.sort(reverse=True)
    return {
        number: score + _support(score, best.get(session_of.get(number, ""), []))
        for number, score in scores.items()
    }


def _support(score: float, session: Sequence[float]) -> float:
    others = list(session[:3])
    if score in others:
        others.remove(score)
    weights = (SUPPORT, SUPPORT / 2)
    return sum(weight * other for weight, other in zip(weights, others, strict=False))


@dataclass(slots=True, kw_only=True)
class Evidence:
    """What speaks for one entry by itself."""

    share: float = 0.0
    """The weighted share of the question's words that it holds."""
    held: float = 0.0
    """What those words weigh together: a single common one is weak evidence."""
    nearness: float | None = None
    """Its cosine to the question; None when there is no vector to compare."""
    named: float = 0.0
    """How prominently it has the names that were asked for."""

    @property
    def confidence(self) -> float:
        """How likely the entry answers, 0–1: see `recollect.index.confidence`."""
        nearness = UNKNOWN_NEARNESS if self.nearness is None else self.nearness
        return confidence(share=self.share, held=self.held, nearness=nearness, named=self.named)
