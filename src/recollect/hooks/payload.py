"""Read JSON without the `json` package, which costs as much as the interpreter itself."""

import _json

# What the scanner raises. A SystemError is what remains of a JSONDecodeError where `json` was never
# imported, in Python 3.11.
BROKEN = (StopIteration, ValueError, RecursionError, SystemError)


def parse(text: str) -> dict[str, object]:
    """Return the JSON object that *text* begins with; empty if it is broken or no object."""
    try:
        value, _ = _json.make_scanner(_Context)(text.strip(), 0)  # type: ignore[arg-type]
    except BROKEN:
        return {}
    return value if isinstance(value, dict) else {}


def whole(text: str) -> object:
    """Return the JSON value that *text* is. Raises ValueError if it is none, or more than one."""
    text = text.strip()
    try:
        value, end = _json.make_scanner(_Context)(text, 0)  # type: ignore[arg-type]
    except BROKEN:
        raise ValueError("no JSON") from None
    if end != len(text):
        raise ValueError("more than one value")
    return value


class _Context:
    """What the scanner wants to know; the values are those of `json.loads`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own cache
