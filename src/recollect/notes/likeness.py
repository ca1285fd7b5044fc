"""How much alike two notes are, in words and, where there are vectors, in meaning. Pure.

Compared is what each says, not its tags. Words weigh by how rare they are among the notes that
are compared: one that all of them have says nothing.
"""

import math
from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass

from recollect.text.terms import terms

# They say the same.
SAME = 0.8
# They are about the same thing, and perhaps say something different of it.
RELATED = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarNote:
    """A note that another might be about, and how much alike the two are, 0–1."""

    name: str
    likeness: float


def best(
    text: str, others: Mapping[str, str], *, nearness: Mapping[str, float] | None = None
) -> SimilarNote | None:
    """Return the one of *others*, texts by name, that is most like *text*, if any is at all.

    *nearness* says how near they are in meaning, 0–1, where that is known.

    >>> notes = {"a": "Use Postgres for orders", "b": "Deploys need the VPN"}
    >>> best("Postgres is what orders use", notes).name
    'a'
    >>> best("Answer in German", notes) is None
    True
    """
    in_words = _in_words(text, others)
    found = {name: _joined(in_words[name], (nearness or {}).get(name)) for name in others}
    name = max(found, key=lambda one: (found[one], one), default="")
    return SimilarNote(name=name, likeness=found[name]) if name and found[name] > 0 else None


def ranked(text: str, others: Mapping[str, str], *, most: int) -> list[str]:
    """Return the names of those of *others* that share words with *text*, the most alike first."""
    found = _in_words(text, others)
    alike = sorted((name for name in found if found[name] > 0), key=lambda name: -found[name])
    return alike[:most]


def _joined(in_words: float, in_meaning: float | None) -> float:
    """Return both in one: words alone are enough; what only seems near needs some words, too."""
    return in_words if in_meaning is None else max(in_words, (in_words + in_meaning) / 2)


def _in_words(text: str, others: Mapping[str, str]) -> dict[str, float]:
    asked = _stems(text)
    held = {name: _stems(other) for name, other in others.items()}
    spread = Counter(word for words in (asked, *held.values()) for word in words)
    weight = {word: math.log(1 + (len(held) + 1) / count) for word, count in spread.items()}
    return {name: _cosine(asked, words, weight) for name, words in held.items()}


def _stems(text: str) -> Set[str]:
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in terms(text)}


def _cosine(one: Set[str], other: Set[str], weight: Mapping[str, float]) -> float:
    lengths = math.sqrt(_sum(one, weight) * _sum(other, weight))
    return _sum(one & other, weight) / (lengths or 1.0)


def _sum(words: Set[str], weight: Mapping[str, float]) -> float:
    return sum(weight[word] ** 2 for word in words)
