"""Read JSON without the `json` package, which costs as much as the interpreter itself."""

import _json


def parse(text: str) -> dict[str, object]:
    """Return the JSON object that *text* begins with; empty if it is broken or no object."""
    value, _ = _scanned(text.strip())
    return value if isinstance(value, dict) else {}


def is_object(text: str) -> bool:
    """Tell whether *text* is one JSON object and nothing more."""
    value, end = _scanned(text)
    return isinstance(value, dict) and end == len(text)


def _scanned(text: str) -> tuple[object, int]:
    """Return the value that *text* begins with and where it ends; None if it is broken."""
    try:
        return _json.make_scanner(_Context)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, ValueError, RecursionError):
        return None, 0


class _Context:
    """What the scanner wants to know; the values are those of `json.loads`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own cache
