"""How many tokens a text costs, by an estimate that errs on the dear side. Pure."""

# English prose has about four characters a token, code and paths nearer three.
CHARACTERS_PER_TOKEN = 3.0


def estimate(text: str) -> int:
    """Return at least as many tokens as *text* will cost.

    Characters outside Latin scripts are counted as up to two tokens each.

    >>> estimate("Fix the orders page"), estimate("修复订单")
    (7, 8)
    """
    plain = len(text) if text.isascii() else sum(1 for one in text if ord(one) < 0x250)
    return -int(-plain // CHARACTERS_PER_TOKEN) + 2 * (len(text) - plain)


def affordable(text: str, limit: float) -> int:
    """Return how many characters of *text*, from its beginning, cost at most *limit* tokens.

    >>> affordable("Fix the orders page", 4), affordable("修复订单", 4)
    (12, 2)
    """
    left = limit
    for count, character in enumerate(text):
        left -= 1 / CHARACTERS_PER_TOKEN if ord(character) < 0x250 else 2
        if left < -1e-9:
            return count
    return len(text)
