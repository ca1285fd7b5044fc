"""Words of texts, counted: what full-text tables do, for a few thousand passages."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

from recollect.journal.salience import stem

_WORD = re.compile(r"[^\W_]+")

# The usual ones of BM25.
SATURATION, LENGTH_COUNTS = 1.2, 0.75


def words(text: str) -> Counter[str]:
    """Return the words of *text* without accents and endings, with how often each stands there.

    >>> words("Cafés opened, the CAFE opens")["caf"]
    2
    """
    plain = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return Counter(map(stem, _WORD.findall(plain)))


def weighted(*texts: tuple[str, float]) -> Counter[str]:
    """Return the words of several texts, each counted as often as its text weighs."""
    counted: Counter[str] = Counter()
    for text, weight in texts:
        for word, times in words(text).items():
            counted[word] += times * weight  # type: ignore[assignment]  # It may be a half.
    return counted


def best(
    documents: Mapping[int, Counter[str]], wanted: Iterable[str], *, limit: int
) -> dict[int, float]:
    """Return the *limit* documents that fit the words *wanted* best, by BM25."""
    asked = {word for one in wanted for word in words(one)}
    size = len(documents)
    lengths = {key: sum(document.values()) for key, document in documents.items()}
    mean = sum(lengths.values()) / size if size else 1.0
    found: dict[int, float] = {}
    for word in asked:
        having = [key for key, document in documents.items() if document[word]]
        rarity = max(log((size - len(having) + 0.5) / (len(having) + 0.5)), 1e-6)
        for key in having:
            times = documents[key][word]
            length = 1 - LENGTH_COUNTS + LENGTH_COUNTS * lengths[key] / (mean or 1.0)
            found[key] = found.get(key, 0.0) + rarity * times * (SATURATION + 1) / (
                times + SATURATION * length
            )
    return first(found, limit)


def first(scores: Mapping[int, float], limit: int) -> dict[int, float]:
    """Return the *limit* largest, of equals the later key first."""
    order: Sequence[int] = sorted(scores, key=lambda key: (-scores[key], -key))
    return {key: scores[key] for key in order[:limit]}
