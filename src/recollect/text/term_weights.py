"""What the words of a question weigh: rare ones more. Light, and the same for every search."""

from math import log

from recollect.text.terms import BIDDING_WORDS, is_unspaced

MOST_TERMS = 12

# Of a long prompt, this many different words are looked up to find the rarest.
MOST_CANDIDATES = 40

# A word that every fourth passage has tells them apart as little as "the" does, and costs most.
TOO_COMMON = 0.25

# … but not in a library so small that it could not be otherwise.
COMMON_FROM = 40

# Of the words that are looked up, the rarest that stand in so many passages together: each
# passage costs a microsecond, and a word that so many have says little.
MOST_PLACES = 4_000

PAIR_MISSED = 0.25

# How rare a word is can only be told from so many passages on; before, it is guessed.
FEW = 300

# A prompt whose words weigh less together is no question: "run the tests", "looks good".
LEAST_WEIGHT = 4.0


def longest(words: list[str]) -> list[str]:
    """Return *words*, or of too many the longest: the names and terms of a long prompt."""
    if len(words) <= MOST_CANDIDATES:
        return words
    chosen = set(sorted(words, key=len, reverse=True)[:MOST_CANDIDATES])
    return [word for word in words if word in chosen]


def weights(counts: dict[str, int], size: int, *, rarer_than: float) -> dict[str, float]:
    """Return the weights of at most `MOST_TERMS` words, the rarest first.

    *counts* says in how many of *size* passages each stands. Rare words weigh more. A word that
    no passage has weighs as much as one that a single one has: it is missed in every answer.
    Words that a larger share of the passages has than *rarer_than* are left out, so that a
    question of such words alone finds nothing.
    """
    known = sorted((word for word in counts if counts[word]), key=counts.__getitem__)
    telling = [word for word in known if counts[word] <= max(size * rarer_than, COMMON_FROM)]
    while len(telling) > 1 and sum(counts[word] for word in telling) > MOST_PLACES:
        telling.pop()
    missing = [word for word in counts if not counts[word]]
    return {
        word: log(1 + max(size, FEW) / max(counts[word], 1)) * (1 if counts[word] else missed(word))
        for word in (telling + missing)[:MOST_TERMS]
    }


def substance(weighed: dict[str, float]) -> float:
    """Return what the words that say what a prompt is about weigh together."""
    return sum(weight for word, weight in weighed.items() if word not in BIDDING_WORDS)


def missed(word: str) -> float:
    """Return how much it tells that no passage has *word*.

    A pair of characters is often no word at all but the end of one and the beginning of the
    next, which says nothing.
    """
    return PAIR_MISSED if is_unspaced(word[0]) else 1.0


def weight_of(mask: int, weights: list[float]) -> float:
    """Return what the words in *mask* weigh together, always added up in the same order.

    >>> weight_of(0b101, [1.0, 2.0, 4.0])
    5.0
    """
    return sum(weight for bit, weight in enumerate(weights) if mask >> bit & 1)
