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
    plain = sum(1 for character in text if ord(character) < 0x250)
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


def shortened(text: str, characters: int) -> str:
    """Return *text* cut at a word so that it has at most so many *characters*.

    >>> shortened("Fix the orders page", 12)
    'Fix the …'
    """
    if len(text) <= characters:
        return text
    cut = text[: characters - 2]
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > characters // 2 else cut} …"
