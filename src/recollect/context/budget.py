"""What fits into a number of tokens. Pure."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from recollect import fence, tokens

T = TypeVar("T")


def fitting(
    items: Iterable[T],
    text: Callable[[T], str],
    *,
    limit_tokens: int,
    limit_units: int = fence.MOST_UNITS,
) -> list[T]:
    """Return the first *items* whose texts fit together.

    A large one does not shut out a small one behind it.
    """
    chosen = []
    for item in items:
        piece = text(item)
        cost, length = tokens.estimate(piece), fence.units(piece)
        if cost <= limit_tokens and length <= limit_units:
            chosen.append(item)
            limit_tokens -= cost
            limit_units -= length
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
