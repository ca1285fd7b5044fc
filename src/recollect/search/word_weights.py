"""What the words of a question weigh, and which share of them a passage has. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from recollect.text import term_weights, thesaurus


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The words of a question that are matched, in order, then their kinds."""

    weights: tuple[float, ...] = ()
    substance: float = 0.0
    """What those of the words weigh that say what the question is about."""

    @property
    def whole(self) -> float:
        """What all of them weigh together."""
        return sum(self.weights)

    def share(self, matched: int) -> float:
        """Return the weighted share of the question that the *matched* words are: a bit for each.

        >>> WordWeights((3.0, 1.0)).share(0b01)
        0.75
        """
        whole = self.whole
        return term_weights.weight_of(matched, list(self.weights)) / whole if whole else 0.0


def of(
    words: Mapping[str, float], *, apart: Collection[str] = (), kinds: Collection[str] = ()
) -> WordWeights:
    """Return what *words* weigh that do not stand *apart*, each of the *kinds* with its part.

    A word for a kind and its kind together weigh what the word did.

    >>> of({"red": 3.0, "green": 1.0}, apart=["green"]).weights
    (3.0,)
    """
    matched = {word: weight for word, weight in words.items() if word not in apart}
    named = [word for word in kinds if word in matched]
    own = (w * (thesaurus.SHARE if word in named else 1) for word, w in matched.items())
    rest = (matched[word] * (1 - thesaurus.SHARE) for word in named)
    return WordWeights((*own, *rest), term_weights.substance(matched))
