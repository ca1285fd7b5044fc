"""How likely a passage answers a prompt, going by its words alone. Pure, and light.

A logistic regression with round numbers: see `recollect.search.score` for the fuller one, which
knows meanings, too.
"""

from math import exp, log

OFFSET = -4.4
# The weighted share of the prompt's words that the turn holds …
BY_SHARE = 2.5
# … and what those in the passage weigh together, up to what three or four rare words weigh: all of
# a prompt of one common word is weak evidence.
BY_HELD = 4.3
MOST_HELD = 16.0
# A word that stands once weighs 6.2 in a memory of so many passages, and more in a larger one.
USUAL_SIZE = 500


def by_words(*, turn_share: float, held: float, size: int = USUAL_SIZE) -> float:
    """Return how likely a passage answers whose turn holds *turn_share* of the words, 0–1.

    *held* is what the words in the passage weigh among *size* passages.

    >>> by_words(turn_share=1.0, held=20.0) > 0.9
    True
    >>> by_words(turn_share=0.4, held=3.0) < 0.3
    True
    """
    usual = log(1 + USUAL_SIZE)
    measured = held * usual / max(log(1 + size), usual)
    evidence = BY_SHARE * turn_share + BY_HELD * min(measured, MOST_HELD) / MOST_HELD
    return 1 / (1 + exp(-(OFFSET + evidence)))
