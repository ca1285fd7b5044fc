"""Read JSON without the `json` package, which costs as much as the interpreter itself."""

import _json


def parse(text: str) -> dict[str, object]:
    """Return the JSON object that *text* begins with; empty if it is broken or no object."""
    try:
        value, _ = _json.make_scanner(_Context)(text.strip(), 0)  # type: ignore[arg-type]
    except (StopIteration, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class _Context:
    """What the scanner wants to know; the values are those of `json.loads`."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own cache
