"""Tell the type checker what a test knows of a value, and fail when it is not so."""

from typing import TypeVar

T = TypeVar("T")


def not_none(value: T | None) -> T:
    """Return *value*, which is there."""
    assert value is not None
    return value
