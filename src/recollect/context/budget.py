"""How many tokens a text costs, by an estimate that errs on the dear side. Pure."""

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")

# English prose has about four characters a token, code and paths nearer three.
CHARACTERS_PER_TOKEN = 3.0

# The host cuts a hook's output beyond 10,000 UTF-16 units; JSON and fences need some.
LARGEST_OUTPUT = 9_500


def tokens(text: str) -> int:
    """Return at least as many tokens as *text* will cost.

    Characters outside Latin scripts are counted as up to two tokens each.

    >>> tokens("Fix the orders page"), tokens("修复订单")
    (7, 8)
    """
    plain = len(text) if text.isascii() else sum(1 for one in text if ord(one) < 0x250)
    return -int(-plain // CHARACTERS_PER_TOKEN) + 2 * (len(text) - plain)


def units(text: str) -> int:
    """Return the length of *text* in UTF-16 units, which is what the host counts."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def fitting(items: Iterable[T], text: Callable[[T], str], *, limit_tokens: int) -> list[T]:
    """Return the first *items* whose texts fit together.

    A large one does not shut out a small one behind it.
    """
    chosen = []
    left_tokens, left_units = limit_tokens, LARGEST_OUTPUT
    for item in items:
        piece = text(item)
        if tokens(piece) <= left_tokens and units(piece) <= left_units:
            chosen.append(item)
            left_tokens -= tokens(piece)
            left_units -= units(piece)
    return chosen


def shortened(text: str, characters: int, *, limit_tokens: int | None = None) -> str:
    """Return *text* cut at a word so that it has at most so many *characters*.

    With *limit_tokens* it is cut where it costs more than that: a dear script sooner.

    >>> shortened("Fix the orders page", 12)
    'Fix the …'
    >>> shortened("修复订单页面", 12, limit_tokens=10)
    '修复订 …'
    """
    if limit_tokens is not None and tokens(text) > limit_tokens:
        characters = min(characters, _affordable(text, limit_tokens))
    if len(text) <= characters:
        return text
    cut = text[: characters - 2]
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > characters // 2 else cut} …"


def _affordable(text: str, limit_tokens: int) -> int:
    """Return how many characters of *text*, with the mark of a cut, cost at most *limit_tokens*."""
    left: float = limit_tokens - tokens(" …")
    for count, character in enumerate(text):
        left -= 1 / CHARACTERS_PER_TOKEN if ord(character) < 0x250 else 2
        if left < 0:
            return count + 2
    return len(text)
