"""How well a passage answers a question: few signals, added up. Pure.

Each signal means the same whatever else was found, so the sum is the order of the results. How
likely the best of them answers at all depends on the question, too, so that is one number for all
of them: the order of the results is the order of their likelihoods. `benchmarks.fit_answers` finds
the weights, leaving whole projects out; docs/explanation/search.md tells what each is worth.
"""

from dataclasses import dataclass
from math import exp, log

from recollect.search.wants import Wants
from recollect.text import confidence

# How near the passage is to the question …
NEARNESS = 4.4
# … the nearest passage of its turn …
TURN_NEARNESS = 3.0
# … and what the turn was asked to do.
REQUEST_NEARNESS = 1.6
# The weighted share of the question's words that the passage holds, and that its whole turn holds.
TERM_COVERAGE = 3.6
TURN_COVERAGE = 3.1
# The exact names of the question (flags, paths, codes): they outweigh all that is vague.
NAMED = 6.0
NAMED_HERE = 1.5
# What the user asked for is rarely the answer, the end of a command's output seldom, a remark on
# the way less often than the report. The journal's own lines are mostly taken from the report, so
# beside it they say nothing new.
PARTS = {"asked": -1.3, "ran": -1.0, "remarked": -0.4, "own": -1.2}

# A passage without a vector (another script, or not read yet) is taken to be as near as others are
# that hold as many of the words: one that shares none with the question is not near it.
NEARNESS_BY_WORDS = 0.5

# How likely the best passage answers, given how well it fits …
BY_SCORE = 0.85
BY_NEARNESS = 1.2
# … where what its words weigh counts for more than their share: all of a short prompt is easily
# met by chance …
BY_WORDS = -4.0
BY_HELD = 2.6
MOST_HELD = 16.0
# … in the measure of a memory of this size, where a word that stands once weighs 6.2: in a larger
# one every word weighs more, and of more passages the nearest is nearer by chance …
USUAL_SIZE = 500
BY_SIZE = -0.3
# … and unasked it takes more, because after months every prompt resembles something: none of the
# cards for real prompts that this holds back was judged useful …
BY_SIZE_UNASKED = -0.9
# … and a smaller one says less by chance, down to this size …
SMALLEST_SIZE = 50
BY_SMALLNESS = 0.15
# … and names for less, unless somebody asks about them: who works on a thing names it all day …
BY_NAMED = -5.0
# … and what the prompt wants.
BY_NONE = -0.45
BY_PAST = -0.15
# A name that was asked for weighs as much as two words that stand once.
NAME_WEIGHS = 12.0
# Somebody searches, so there is likely something to find.
SEARCHED = 1.6
# A session that is under way has its own matter in its context: on real prompts, one card in five
# was of use there.
UNDER_WAY = -1.0
# Somebody pastes an error and would like to know who met it before.
PASTED_ERROR = 0.8
OFFSET = -7.4


@dataclass(slots=True, kw_only=True)
class Signals:
    """What speaks for one passage."""

    part: str = "said"
    is_compared: bool = False
    """Whether it has a vector; otherwise nobody knows how near it is."""
    nearness: float = 0.0
    turn_nearness: float = 0.0
    request_nearness: float = 0.0
    term_coverage: float = 0.0
    turn_coverage: float = 0.0
    named: float = 0.0
    """How prominently its entry or turn has the names that were asked for …"""
    named_here: float = 0.0
    """… and the share of them that it has itself."""

    @property
    def score(self) -> float:
        """What they add up to."""
        return (
            NEARNESS * self.nearness
            + TURN_NEARNESS * self.turn_nearness
            + REQUEST_NEARNESS * self.request_nearness
            + TERM_COVERAGE * self.term_coverage
            + TURN_COVERAGE * self.turn_coverage
            + NAMED * self.named
            + NAMED_HERE * self.named_here
            + PARTS.get(self.part, 0.0)
        )


def guessed_nearness(words: float) -> float:
    """Return how near a passage without a vector probably is, which holds this share of *words*."""
    return NEARNESS_BY_WORDS * words


def answerability(
    best: Signals,
    *,
    weight: float,
    size: int,
    wants: Wants,
    by_size: float = BY_SIZE,
    names_are_asked_for: bool = False,
) -> float:
    """Return what speaks for an answer being there at all, given the *best* passage.

    *weight* is what the words of the question weigh together among *size* passages; *by_size* is
    how much a larger memory counts against an answer. With *names_are_asked_for*, names count in
    full whatever the prompt wants: they stand in an error that was pasted.
    """
    if not best.is_compared:
        return _by_words_alone(best, weight=weight, size=size)
    growth = _growth(size)
    held = usual_weight(weight, size) * best.term_coverage
    return (
        OFFSET
        + (by_size * growth if growth > 0 else -BY_SMALLNESS * growth)
        + BY_NEARNESS * best.nearness
        + BY_WORDS * best.term_coverage
        + BY_HELD * min(held, MOST_HELD) / MOST_HELD
        + BY_NAMED * best.named * (0.0 if names_are_asked_for else 1 - wants.past)
        + BY_NONE * _odds(wants.none)
        + BY_PAST * _odds(wants.past)
    )


def usual_weight(weight: float, size: int) -> float:
    """Return what words that weigh so much among *size* passages would in a usual memory."""
    return weight * log(1 + USUAL_SIZE) / (log(1 + USUAL_SIZE) + _growth(size))


def _growth(size: int) -> float:
    return log(max(size, SMALLEST_SIZE) / USUAL_SIZE)


def _by_words_alone(best: Signals, *, weight: float, size: int) -> float:
    """Return the same where there is no meaning to go by, so that a hook would say as much."""
    likely = confidence.by_words(
        turn_share=best.turn_coverage,
        held=weight * best.term_coverage + NAME_WEIGHS * best.named,
        size=size,
    )
    return log(likely / (1 - likely)) - BY_SCORE * best.score


def likelihood(score: float, answerable: float) -> float:
    """Return how likely a passage with this *score* answers, 0–1."""
    return 1 / (1 + exp(-min(max(BY_SCORE * score + answerable, -30.0), 30.0)))


def lowered(likely: float, behind: float) -> float:
    """Return how likely a passage answers that ranks so much *behind* one that is so *likely*.

    >>> lowered(0.9, 0.0), round(lowered(0.9, 2.0), 2)
    (0.9, 0.62)
    """
    if not 0.0 < likely < 1.0 or not behind:
        return likely
    return 1 / (1 + exp(BY_SCORE * behind - log(likely / (1 - likely))))


def _odds(probability: float) -> float:
    """Return *probability* on a scale that has no ends but is cut at both."""
    return log((probability + 0.01) / (1.01 - probability))
