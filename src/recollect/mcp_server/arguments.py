"""What is wrong with the arguments of a call, by the schema that is published for its tool.

The schemas are flat: text, numbers, flags, lists of text, one of some words. A validator of JSON
Schema would be five more packages in everybody's environment for these few.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from recollect.journal.model import LONGEST_TEXT

LONGEST_ARGUMENT = 50_000
LONGEST = {
    "query": 2_000,
    "id": 200,
    "ids": 100,
    "by": 200,
    "title": 500,
    "project": 4_000,
    "text": LONGEST_TEXT,
}

_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list of texts",
}


def complaints(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with *arguments*, each with its name and what is taken instead.

    >>> schema = {"properties": {"id": {"type": "string"}, "skip": {"type": "integer"}}}
    >>> list(complaints({**schema, "required": ["id"]}, {"skip": "no"}))
    ['id: is missing', "skip: must be a whole number, not 'no'"]
    """
    known: Mapping[str, Any] = schema["properties"]
    for name in schema.get("required", ()):
        if name not in arguments:
            yield f"{name}: is missing"
    for name, value in arguments.items():
        if name not in known:
            yield f"{name}: is no argument; there are {', '.join(known)}"
        elif wrong := _wrong(known[name], value) or _empty_or_too_much(name, value):
            yield f"{name}: {wrong}"


def _wrong(wanted: Mapping[str, Any], value: object) -> str:
    if "enum" in wanted:
        words = wanted["enum"]
        return "" if value in words else f"must be one of {', '.join(words)}, not {value!r}"
    kind = wanted["type"]
    return "" if _is_a(kind, value) else f"must be {_NAMES[kind]}, not {value!r}"


def _is_a(kind: str, value: object) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        case _:  # JSON has no integers: 2.0 is one, too.
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return is_number and float(str(value)).is_integer()


def _empty_or_too_much(name: str, value: Any) -> str:
    most = LONGEST.get(name, LONGEST_ARGUMENT)
    if isinstance(value, str | list) and len(value) > most:
        unit = "characters" if isinstance(value, str) else "of them"
        return f"is too long; {most:,} {unit} are the most"
    if name == "query" and not value.strip():
        return "is empty; say in words what you look for"
    if name == "limit" and value < 1:
        return f"is {value}, and 1 is the least"
    return ""
