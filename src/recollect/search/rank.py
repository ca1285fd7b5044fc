"""Choose what of all that was found is looked at closely, and what speaks for it besides. Pure.

Each leg of a search has its own scale, so each is stretched to 0–1 before they are added up. That
tells which entries are worth a closer look; how well their passages answer is for
`recollect.search.score` to say. See docs/explanation/search.md for how the numbers were found.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# What an entry says itself, or a passage of the turn behind it, whichever fits better …
TEXT_MATCH = 0.30
# … and it together with its neighbours in the session: each catches what the other misses.
NEIGHBOUR_MATCH = 0.20
# The nearest passage by meaning, and the thread of talk about it.
NEAREST = 0.40
THREAD = 0.10
# Files that were changed, commands, plans: says little alone, but decides between two.
DONE = 0.30

# Of those that are looked at closely, what the thread of talk and what was done add to the sum of
# `recollect.search.score`: they only compare the candidates with each other.
BY_THREAD = 1.0
BY_DONE = 1.0
BY_TEXT_MATCH = 3.0
BY_NEIGHBOUR_MATCH = 1.0
# Other answers from the same session speak for this one: the two best, as far as they are less than
# this behind the best of all.
SUPPORT = 0.25
SUPPORTING = 4.0

# A name that was asked for outweighs all the rest together.
NAMED = 2.0

# Small things that decide between equals. What a person wrote or corrected is worth more than a
# note we made, that more than what was observed, and that more than what was only said.
BY_HAND = 0.5
A_NOTE = 0.4
WITHOUT_ANSWER = -1.5
# What was needed again and again.
RECURRING = 0.3
MOST_RECURRING = 3
SAME_BRANCH = 0.2
SAME_FILES = 0.5
# Another one that fits goes first.
IGNORED = -1.5
# The newest gains this, one that is half a year old half of it. Never a cut-off: an old answer
# with nothing beside it is still the answer.
RECENT = 0.4
HALF_LIFE_DAYS = 180.0


WEIGHTS = {
    "text_match": TEXT_MATCH,
    "neighbour_match": NEIGHBOUR_MATCH,
    "done": DONE,
    "nearest": NEAREST,
    "thread": THREAD,
    "named": NAMED,
}


# These are made by the hundred for each search, and frozen ones would take four times as long.
@dataclass(slots=True, kw_only=True)
class Matches:
    """How well one entry did on each leg, 0–1, and all of them in one number."""

    text_match: float = 0.0
    neighbour_match: float = 0.0
    nearest: float = 0.0
    thread: float = 0.0
    done: float = 0.0
    named: float = 0.0
    fused: float = 0.0

    def bonus(self, *, is_compared: bool) -> float:
        """Return what the matches that no passage tells of add to the rank of an entry.

        Where nothing *is_compared* by its meaning, how well the words fit decides.
        """
        by_words = (
            0.0
            if is_compared
            else BY_TEXT_MATCH * self.text_match + BY_NEIGHBOUR_MATCH * self.neighbour_match
        )
        return BY_THREAD * self.thread + BY_DONE * self.done + by_words


@dataclass(slots=True, kw_only=True)
class Circumstances:
    """What else is known of one entry."""

    days_old: float = 0.0
    by_hand: bool = False
    a_note: bool = False
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
        0.4
        """
        return (
            BY_HAND * self.by_hand
            + A_NOTE * self.a_note
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
    neighbours: Mapping[int, float] = field(default_factory=dict)
    done: Mapping[int, float] = field(default_factory=dict)
    nearest: Mapping[int, float] = field(default_factory=dict)
    thread: Mapping[int, float] = field(default_factory=dict)
    named: Mapping[int, float] = field(default_factory=dict)
    """Already 0–1: how prominently a name stands there."""
    depth: int = 1_000_000
    """Where the lists were cut off."""


def fuse(lists: Lists, *, most: int | None = None) -> dict[int, Matches]:
    """Return the matches of everything that any list found, or of the *most* that fit best.

    >>> matches = fuse(Lists(own={1: 2.0, 2: 1.0}, neighbours={2: 5.0}))
    >>> round(matches[1].fused, 3), round(matches[2].fused, 3)
    (0.3, 0.35)
    """
    # What stands behind the end of a list fits less than its last, and what a whole list does
    # not have fits not at all.
    own, said, neighbours, done = (
        normalised(one, least=None if len(one) >= lists.depth else 0.0)
        for one in (lists.own, lists.said, lists.neighbours, lists.done)
    )
    nearest, thread = normalised(lists.nearest), normalised(lists.thread)
    everything = {*own, *said, *neighbours, *done, *nearest, *thread, *lists.named}
    matches: dict[str, Mapping[int, float]] = {
        "text_match": _better(own, said, everything),
        "neighbour_match": neighbours,
        "done": done,
        "nearest": nearest,
        "thread": thread,
        "named": lists.named,
    }
    # Of equals the later comes first.
    fused = dict.fromkeys(sorted(everything, reverse=True), 0.0)
    for name, scores in matches.items():
        weight = WEIGHTS[name]
        for number, score in scores.items():
            fused[number] += weight * score
    best = sorted(fused, key=fused.__getitem__, reverse=True)[:most]
    return {
        number: Matches(
            **{name: scores.get(number, 0.0) for name, scores in matches.items()},
            fused=fused[number],
        )
        for number in best
    }


def _better(
    one: Mapping[int, float], other: Mapping[int, float], numbers: Iterable[int]
) -> dict[int, float]:
    return {number: max(one.get(number, 0.0), other.get(number, 0.0)) for number in numbers}


def supported(ranks: Mapping[int, float], session_of: Mapping[int, str]) -> dict[int, float]:
    """Return *ranks* with the support that each gets from the two best others of its session.

    What stands far behind the best of all supports nothing.

    >>> supported({1: 9.0, 2: 8.0, 3: 8.5}, {1: "a", 2: "a", 3: "b"})
    {1: 9.75, 2: 9.0, 3: 8.5}
    """
    least = max(ranks.values(), default=0.0) - SUPPORTING
    sessions: dict[str, list[float]] = {}
    for number, rank in ranks.items():
        if session := session_of.get(number):
            sessions.setdefault(session, []).append(max(rank - least, 0.0))
    for session_ranks in sessions.values():
        session_ranks.sort(reverse=True)
    return {
        number: rank + _support(rank - least, sessions.get(session_of.get(number, ""), []))
        for number, rank in ranks.items()
    }


def names_first(ranks: Mapping[int, float], share: Mapping[int, float]) -> dict[int, float]:
    """Return *ranks* in which nothing without a name that was asked for outranks what has it.

    *share* says which part of the names stands whole in each.

    >>> names_first({1: 9.0, 2: 7.0, 3: 8.0}, {2: 1.0})
    {1: 7.0, 2: 7.0, 3: 7.0}
    """
    most = max((share.get(number, 0.0) for number in ranks), default=0.0)
    if not most:
        return dict(ranks)
    best = max(rank for number, rank in ranks.items() if share.get(number, 0.0) == most)
    return {
        number: rank if share.get(number) else min(rank, best) for number, rank in ranks.items()
    }


def _support(own: float, session: Sequence[float]) -> float:
    others = list(session[:3])
    if max(own, 0.0) in others:
        others.remove(max(own, 0.0))
    return SUPPORT * sum(others[:2])
