"""What fits into a number of tokens. Pure."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from recollect import tokens

T = TypeVar("T")

# The host cuts a hook's output beyond 10,000 UTF-16 units; JSON and fences need some.
LARGEST_OUTPUT = 9_500


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
        if tokens.estimate(piece) <= left_tokens and units(piece) <= left_units:
            chosen.append(item)
            left_tokens -= tokens.estimate(piece)
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
    if limit_tokens is not None and tokens.estimate(text) > limit_tokens:
        left = limit_tokens - tokens.estimate(" …")
        characters = min(characters, tokens.affordable(text, left) + 2)
    if len(text) <= characters:
        return text
    cut = text[: characters - 2]
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > characters // 2 else cut} …"
