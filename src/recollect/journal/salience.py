"""The sentences that say most, by how much the others have in common with them. Pure.

A sentence is worth as much as those are that speak of the same things (LexRank, Erkan and Radev
2004), beginning with what speaks for it alone: its weight, the names and numbers in it. Of two
that say the same one is kept (maximal marginal relevance, Carbonell and Goldstein 1998), and
of two that say as much the shorter. No model and no list of topics: only words, and how rare
they are among the sentences at hand.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import mul

from recollect.text.identifiers import identifiers
from recollect.text.sentences import telling_words
from recollect.text.terms import terms

# Of more sentences only those are compared for which most speaks: every pair costs.
MOST_COMPARED = 80

# How far the others decide, against what speaks for a sentence alone. After so many rounds
# nothing moves any more.
AGREEMENT = 0.5
ROUNDS = 12

# What is worth less than this share of the best is not worth a line.
LEAST_WORTH = 0.3
# How much a long sentence has to make up for: not at all with 0, in proportion with 1.
COST = 0.8

# Names and numbers are what people look for later; beyond a few it is a list.
NAME = 0.12
MOST_NAMES = 4
# A sentence with fewer telling words leans on its neighbours.
ENOUGH_WORDS = 7

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")
_ENDINGS = ("ions", "ion", "ings", "ing", "ied", "ies", "edly", "ed", "ly", "s")
_SHORTEST_STEM = 3

Vector = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSentence:
    """A sentence, and what speaks for it before it is compared with others."""

    text: str
    weight: float = 1.0
    source: str = ""
    """Where it comes from; of no meaning here."""


def choose(
    candidates: Sequence[RankedSentence], *, room: int, known: Iterable[str] = ()
) -> list[RankedSentence]:
    """The most telling of *candidates*, best first, together at most *room* characters long.

    The best is there however little room there is. What is *known* already counts as said.

    >>> told = ["The cache was stale.", "The cache went stale.", "The clock of the host is wrong."]
    >>> [one.text for one in choose([RankedSentence(text=line) for line in told], room=60)]
    ['The cache went stale.', 'The clock of the host is wrong.']
    """
    compared = _weightiest(candidates)
    worded = [stems(one.text) for one in compared]
    rarity = _rarity(worded)
    vectors = [_vector(words, rarity) for words in worded]
    worth = _worth(compared, _neighbours(vectors))
    for text in known:
        worth = _left_after(_vector(stems(text), rarity), worth, vectors)
    chosen: list[RankedSentence] = []
    while (best := _best(worth, compared, room if chosen else None)) is not None:
        chosen.append(compared[best])
        room -= len(compared[best].text)
        worth[best] = 0.0
        worth = _left_after(vectors[best], worth, vectors)
    return chosen


# A session is summed up after each of its turns, mostly from the same sentences.
@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """The words of *text* without their endings; names also by their parts.

    >>> sorted(stems("It handles getOrders, handling each order"))
    ['getorder', 'handl', 'order']
    """
    apart = _HUMP.sub(" ", text)
    words = [*terms(apart), *terms(text)] if apart != text else terms(text)
    return frozenset(map(stem, words))


def stem(word: str) -> str:
    """*word* without its ending, so that forms of one word are the same.

    >>> [stem(word) for word in ("running", "caches", "cached", "retries", "retry", "bus")]
    ['run', 'cach', 'cach', 'retri', 'retri', 'bus']
    """
    if not word.isascii() or word.endswith(("ss", "us", "is")):
        return word
    for ending in _ENDINGS:
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= _SHORTEST_STEM:
            return _rounded(bare + "i" if ending in ("ied", "ies") else bare)
    return _rounded(word)


def _rounded(word: str) -> str:
    """*word* as every form of it ends: `runn` as `run`, `cache` as `cach`, `retry` as `retri`."""
    if len(word) <= _SHORTEST_STEM:
        return word
    if word[-1] == word[-2] and word[-1] not in "aeiosl":
        return word[:-1]
    return word[:-1] + "i" if word[-1] == "y" else word.removesuffix("e")


def _weightiest(candidates: Sequence[RankedSentence]) -> list[RankedSentence]:
    """At most `MOST_COMPARED` of *candidates*, in their order."""
    places = sorted(range(len(candidates)), key=lambda place: -candidates[place].weight)
    return [candidates[place] for place in sorted(places[:MOST_COMPARED])]


def _rarity(worded: Sequence[frozenset[str]]) -> dict[str, float]:
    counts: defaultdict[str, int] = defaultdict(int)
    for words in worded:
        for word in words:
            counts[word] += 1
    return {word: math.log(1 + len(worded) / count) for word, count in counts.items()}


def _vector(words: frozenset[str], rarity: Vector) -> Vector:
    """The weights of *words*, of length one together."""
    # Sorted, because sets have no order, and sums of floats depend on theirs.
    weights = {word: rarity.get(word, 1.0) for word in sorted(words)}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {word: weight / length for word, weight in weights.items()}


def _neighbours(vectors: Sequence[Vector]) -> list[dict[int, float]]:
    """For each sentence those that share words with it, and how much."""
    holding: defaultdict[str, list[int]] = defaultdict(list)
    near: list[dict[int, float]] = [{} for _ in vectors]
    for place, vector in enumerate(vectors):
        for word, weight in vector.items():
            for other in holding[word]:
                shared = weight * vectors[other][word]
                near[place][other] = near[place].get(other, 0.0) + shared
                near[other][place] = near[other].get(place, 0.0) + shared
            holding[word].append(place)
    return near


def _worth(
    candidates: Sequence[RankedSentence], near: Sequence[Mapping[int, float]]
) -> list[float]:
    """What each sentence is worth, the best one 1."""
    alone = _shares([_alone(one) for one in candidates])
    spread = [sum(likenesses.values()) for likenesses in near]
    shares = [[like / spread[other] for other, like in likenesses.items()] for likenesses in near]
    worth = alone
    for _ in range(ROUNDS):
        heard = [
            sum(map(mul, map(worth.__getitem__, others), share))
            for others, share in zip(near, shares, strict=True)
        ]
        worth = [
            (1 - AGREEMENT) * own + AGREEMENT * one.weight * by_others
            for own, one, by_others in zip(alone, candidates, heard, strict=True)
        ]
    best = max(worth, default=0.0) or 1.0
    return [value / best for value in worth]


def _alone(candidate: RankedSentence) -> float:
    telling, naming = _says(candidate.text)
    return candidate.weight * telling * naming


@lru_cache(maxsize=4_096)
def _says(text: str) -> tuple[float, float]:
    """How much *text* says by its words, and by its names and numbers."""
    names = len(identifiers(text)) + len(_NUMBER.findall(text))
    telling = min(1.0, len(telling_words(text)) / ENOUGH_WORDS)
    return telling, 1 + NAME * min(names, MOST_NAMES)


def _shares(values: Sequence[float]) -> list[float]:
    whole = sum(values) or 1.0
    return [value / whole for value in values]


def _best(
    worth: Sequence[float], candidates: Sequence[RankedSentence], room: int | None
) -> int | None:
    """The place of the sentence to take next, of those that fit in the *room*; the first of equals.

    None when nothing is left that is worth it.
    """
    best: int | None = None
    most = 0.0
    for place, (value, one) in enumerate(zip(worth, candidates, strict=True)):
        gain = value / len(one.text) ** COST if one.text else 0.0
        fits = room is None or len(one.text) <= room
        if fits and value >= LEAST_WORTH and gain > most:
            best, most = place, gain
    return best


def _left_after(said: Vector, worth: Sequence[float], vectors: Sequence[Vector]) -> list[float]:
    """What each sentence is still worth after *said*: nothing for one that says the same."""
    return [
        value * max(0.0, 1.0 - _likeness(said, own))
        for value, own in zip(worth, vectors, strict=True)
    ]


def _likeness(one: Vector, other: Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[word] for word, weight in one.items() if word in other)
