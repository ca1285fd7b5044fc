"""What is said when something cannot be done."""

from collections.abc import Callable

from recollect.errors import RecollectError


def error_of(act: Callable[[], object]) -> RecollectError | None:
    """Return the error that *act* raises; None for none."""
    try:
        act()
    except RecollectError as error:
        return error
    return None
