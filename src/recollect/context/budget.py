"""What fits into a number of tokens. Pure."""

from recollect import fence, tokens


class Room:
    """What is left of a budget: in tokens, and in the units that the host counts."""

    def __init__(self, limit_tokens: int, limit_units: int = fence.MOST_UNITS) -> None:
        self.tokens = limit_tokens
        self.units = limit_units

    def take(self, text: str, *, instead_of: str = "") -> bool:
        """Take *text* in if it fits, perhaps *instead_of* another; tell whether it did."""
        more = tokens.estimate(text) - tokens.estimate(instead_of)
        more_units = fence.units(text) - fence.units(instead_of)
        fits = more <= self.tokens and more_units <= self.units
        if fits:
            self.tokens -= more
            self.units -= more_units
        return fits


def shortened(text: str, characters: int, *, limit_tokens: int | None = None) -> str:
    """Return *text* cut at a word so that it has at most so many *characters*.

    With *limit_tokens* it is cut where it costs more than that: a dear script sooner.

    >>> shortened("Fix the orders page", 12)
    'Fix the …'
    >>> shortened("修复订单页面", 12, limit_tokens=10)
    '修复订 …'
    """
    if limit_tokens is not None and tokens.estimate(text) > limit_tokens:
        left = limit_tokens - tokens.estimate(" …")
        characters = min(characters, tokens.affordable(text, left) + 2)
    elif len(text) <= characters:
        return text
    return at_a_word(text[: characters - 2])


def at_a_word(cut: str) -> str:
    """Return a text that was *cut* somewhere as it ends best: behind a word that is whole.

    >>> at_a_word("Fix the orde"), at_a_word("averylongword")
    ('Fix the …', 'averylongword …')
    """
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > len(cut) // 2 else cut} …"
