"""How many tokens a text costs, by an estimate that errs on the dear side. Pure.

Every character has a price by its kind, whatever stands beside it, so that texts may be cut
anywhere and joined: together they cost no more than each for itself. The prices were measured
with the last tokenizer of Claude that was published.
"""

# English prose has about four characters a token, code and paths nearer three.
CHARACTERS_PER_TOKEN = 3.0

# Prices are in sixths of a token: whole numbers add up to the same sum in any order.
_PARTS = 6

# What agents and their users write costs this share of the estimate, by the same tokenizer.
USUAL_SHARE = 0.7

# Where kinds overlap the later one holds. In UTF-8 the first byte of a character tells its kind.
_KINDS = (
    (range(0x80), _PARTS),
    # Letters of words, and what stands between them in prose and notes.
    (b"abcdefghijklmnopqrstuvwxyz \n.,-_'\"`*()#", int(_PARTS / CHARACTERS_PER_TOKEN)),
    # They break the word they stand in: a digest, a UUID or base64 is made of such breaks.
    (b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 7),
    # U+0080 to U+037F, letters with accents, combining marks: two bytes, and the word breaks.
    (range(0xC2, 0xCE), 14),
    # U+0380 to U+07FF, Greek to Arabic: no character needs more tokens than it has bytes.
    (range(0xCE, 0xE0), 12),
    # U+0800 to U+FFFF, Indic, Thai, Chinese, Japanese, Korean, symbols: also of rare ones the
    # most share their first two bytes with others.
    (range(0xE0, 0xF0), 14),
    # U+1000 to U+1FFF, Burmese, Ethiopic, Khmer: three bytes, three tokens.
    (b"\xe1", 18),
    # From U+10000 on, emoji, flags and the rarest Chinese: they share one byte of four.
    (range(0xF0, 0xF8), 18),
)


def estimate(text: str) -> int:
    """Return at least as many tokens as *text* will cost.

    That holds for whole texts of any kind that people and programs write; a few letters drawn
    by lot, or standing alone, may cost more.

    >>> estimate("Fix the orders page"), estimate("修复订单"), estimate("c41a1165")
    (8, 10, 8)
    """
    return _whole(sum(_bytes(text).translate(_PRICES)))


def usual(text: str) -> int:
    """Return how many tokens a text like *text* mostly costs; where a few more do no harm.

    >>> usual("Fix the orders page")
    6
    """
    return round(estimate(text) * USUAL_SHARE)


def affordable(text: str, limit: float) -> int:
    """Return how many characters of *text*, from its beginning, cost at most *limit* tokens.

    >>> affordable("Fix the orders page", 4), affordable("修复订单", 4)
    (9, 1)
    """
    spent = 0
    for count, character in enumerate(text):
        spent += _PRICES[_bytes(character)[0]]
        if _whole(spent) > limit:
            return count
    return len(text)


def _bytes(text: str) -> bytes:
    # Half a character, as a transcript may hold it, has a price too.
    return text.encode("utf-8", "surrogatepass")


def _whole(parts: int) -> int:
    return -(-parts // _PARTS)


def _prices() -> bytes:
    """Return the price of each byte: that of its character for a first one, else nothing."""
    prices = bytearray(256)
    for kind, price in _KINDS:
        for byte in kind:
            prices[byte] = price
    return bytes(prices)


_PRICES = _prices()
