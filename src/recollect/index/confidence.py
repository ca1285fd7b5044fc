"""How likely a passage answers a prompt, going by its words alone. Pure, and light.

A logistic regression with round numbers: see `recollect.search.score` for the fuller one, which
knows meanings, too.
"""

from math import exp

OFFSET = -5.0
# The weighted share of the prompt's words that the passage holds, and that its whole turn holds …
BY_SHARE = 3.5
BY_TURN = 3.0
# … and what those in the passage weigh together, up to what three or four rare words weigh: all of
# a prompt of one common word is weak evidence.
BY_HELD = 2.0
MOST_HELD = 16.0


def by_words(*, share: float, turn_share: float, held: float) -> float:
    """Return how likely it answers, 0–1.

    >>> by_words(share=1.0, turn_share=1.0, held=20.0) > 0.9
    True
    >>> by_words(share=0.2, turn_share=0.4, held=3.0) < 0.3
    True
    """
    evidence = BY_SHARE * share + BY_TURN * turn_share + BY_HELD * min(held, MOST_HELD) / MOST_HELD
    return 1 / (1 + exp(-(OFFSET + evidence)))
