"""How likely an entry answers a question, whatever else was found. Pure, and light.

A logistic regression with round numbers, fitted on the `tune` half of benchmarks/labelled:
questions with a known answer against prompts that nothing answers. It is shifted for a world in
which most prompts have no answer in the memory, so that 0.5 is a good bar for speaking unasked.
"""

from math import exp

OFFSET = -4.7
# The weighted share of the question's words that the entry holds …
BY_SHARE = 4.5
# … and what these weigh together, up to what three or four rare words weigh: all of a question
# of one common word is weak evidence.
BY_HELD = 3.0
MOST_HELD = 12.0
# The cosine of question and entry. Where there is no vector, an unremarkable one is assumed.
BY_NEARNESS = 7.0
UNKNOWN_NEARNESS = 0.2
# How prominently the entry has the names that were asked for.
BY_NAME = 4.0


def of_further(bar: float) -> float:
    """Return how sure each further memory must be where *bar* is enough for the best one.

    The best answer to a prompt is rarely alone in its words, and on the labelled set what comes
    after it is wrong two to three times as often; so it has to be four times surer.

    >>> round(of_further(0.8), 2)
    0.95
    """
    return 1 - (1 - bar) / 4


def confidence(
    *, share: float, held: float, nearness: float = UNKNOWN_NEARNESS, named: float = 0.0
) -> float:
    """Return how likely the entry answers, 0–1.

    >>> confidence(share=1.0, held=12.0) > 0.9
    True
    >>> confidence(share=0.2, held=3.0) < 0.3
    True
    """
    evidence = (
        OFFSET
        + BY_SHARE * share
        + BY_HELD * min(held, MOST_HELD) / MOST_HELD
        + BY_NEARNESS * nearness
        + BY_NAME * named
    )
    return 1 / (1 + exp(-evidence))
