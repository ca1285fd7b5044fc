"""The little YAML that we write ourselves: written here, and read without a YAML parser.

    tags:
      - postgres
    source:
      by: agent
    changes:
      - {date: 2026-11-15T13:32:07Z, summary: "title: changed"}

A full parser needs 2 ms for the front matter of a note and 40 ms with a long log; this
needs 0.15 and 1.3. `read` understands exactly what `write` makes. For anything else, a
comment or other quotes, it returns None, and the caller asks the full parser.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias

Plain: TypeAlias = (
    "str | bool | int | float | datetime | Sequence[Plain] | Mapping[str, Plain] | None"
)
"""What is written; None stands for a key that is not there."""

Read: TypeAlias = "str | list[Read] | dict[str, Read] | None"
"""What is read: text, or nothing, in lists and tables."""

# As deep as evidence.files.<path>.
DEEPEST = 3

# Text that needs no quotes anywhere: a letter, and no sign that means something to YAML.
_BARE = r"[^\W\d_](?:[\w ./@+-]*[\w./@+-])?"
_NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
_TIME = r"\d{4}-\d\d-\d\dT[\d:.]+Z"
_QUOTED = r'"(?:[^"\\\n]|\\[^\n])*"'
_TOKEN = rf"{_QUOTED}|{_TIME}|{_NUMBER}|{_BARE}"
_TEXT = re.compile(_BARE)
_VALUE = re.compile(_TOKEN)
_LINE = re.compile(rf"( *)(?:({_QUOTED}|{_BARE}):(?: ({_TOKEN}))?|- (.+))")
_PAIR = re.compile(rf"({_BARE}): ({_TOKEN})(, |$)")

# Bare words that a YAML parser, of this or the last version, takes for something else.
_WORDS = frozenset("true false yes no on off null y n".split())
# Neither may stand in YAML as they are, or they end a line there.
_HIDDEN = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


class YamlKey(NamedTuple):
    """A key at the top with its value, and where it begins in the text."""

    name: str
    value: Read
    start: int


def write(name: str, value: Plain) -> str:
    """The lines of the key *name*."""
    return "".join(f"{line}\n" for line in _lines(name, value, ""))


def _lines(name: str, value: Plain, indent: str) -> Iterator[str]:
    top = f"{indent}{_scalar(name)}:"
    if isinstance(value, Mapping):
        yield top
        for inner, each in value.items():
            yield from _lines(inner, each, f"{indent}  ")
    elif isinstance(value, Sequence) and not isinstance(value, str):
        yield top
        yield from (f"{indent}  - {_item(item)}" for item in value)
    else:
        yield f"{top} {_scalar(value)}"


def _item(value: Plain) -> str:
    if not isinstance(value, Mapping):
        return _scalar(value)
    pairs = (f"{name}: {_scalar(each)}" for name, each in value.items())
    return f"{{{', '.join(pairs)}}}"


def _scalar(value: Plain) -> str:
    if isinstance(value, str):
        return value if is_bare(value) else _quoted(value)
    return str(as_read(value))


def is_bare(text: str) -> bool:
    """True when *text* needs no quotes."""
    return text.lower() not in _WORDS and _TEXT.fullmatch(text) is not None


def _quoted(text: str) -> str:
    return _HIDDEN.sub(_escape, json.dumps(text, ensure_ascii=False))


def _escape(hidden: re.Match[str]) -> str:
    return f"\\u{ord(hidden[0]):04x}"


def as_read(value: Plain) -> Read:
    """*value* as it reads back.

    >>> as_read({"at": datetime(2026, 11, 15, tzinfo=UTC), "flags": [True, 3]})
    {'at': '2026-11-15T00:00:00Z', 'flags': ['true', '3']}
    """
    match value:
        case str() | None:
            return value
        case bool():
            return str(value).lower()
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Mapping():
            return {name: as_read(inner) for name, inner in value.items()}
        case Sequence():
            return [as_read(inner) for inner in value]
        case _:
            return repr(value)


class _NotPlain(Exception):  # noqa: N818 - a fact, not a fault
    """The text is more than we write ourselves."""


def read(yaml: str) -> list[YamlKey] | None:
    """Every key of *yaml* at the top; None when it is not as `write` would make it."""
    try:
        return list(_entries(yaml))
    except _NotPlain:
        return None


def _entries(yaml: str) -> Iterator[YamlKey]:
    lines = [_Line.read(line) for line in yaml.split("\n")[:-1]]
    if not yaml.endswith("\n") or any(not line.key for line in lines if not line.indent):
        raise _NotPlain
    starts = [number for number, line in enumerate(lines) if not line.indent]
    table = _table(lines, 0)
    if len(table) != len(starts):
        raise _NotPlain
    offset = 0
    offsets = [0] + [offset := offset + line.length for line in lines]
    for number, (name, value) in zip(starts, table.items(), strict=True):
        yield YamlKey(name, value, offsets[number])


class _Line(NamedTuple):
    indent: int
    key: str
    """Empty for an item of a list."""
    token: str
    length: int

    @classmethod
    def read(cls, line: str) -> "_Line":
        found = _LINE.fullmatch(line)
        if found is None:
            raise _NotPlain
        key = _value(found[2]) if found[2] else ""
        return cls(len(found[1]), key, found[3] or found[4] or "", len(line) + 1)


def _table(lines: Sequence[_Line], indent: int) -> dict[str, Read]:
    """The keys that stand at *indent*, with what is indented below them."""
    table: dict[str, Read] = {}
    starts = [number for number, line in enumerate(lines) if line.indent == indent]
    if indent > 2 * DEEPEST or (lines and starts[:1] != [0]):
        raise _NotPlain
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        top, below = lines[start], lines[start + 1 : end]
        if not top.key or top.key in table or bool(top.token) == bool(below):
            raise _NotPlain
        table[top.key] = _value(top.token) if top.token else _inside(below, indent + 2)
    return table


def _inside(lines: Sequence[_Line], indent: int) -> Read:
    if any(line.indent < indent for line in lines) or lines[0].indent != indent:
        raise _NotPlain
    if lines[0].key:
        return _table(lines, indent)
    if any(line.key or line.indent != indent for line in lines):
        raise _NotPlain
    return [
        _pairs(line.token) if line.token.startswith("{") else _value(line.token) for line in lines
    ]


def _pairs(token: str) -> dict[str, Read]:
    """The table on one line that *token* is."""
    inner = token[1:-1]
    table: dict[str, Read] = {}
    place = 0
    while pair := _PAIR.match(inner, place):
        if pair[1] in table:
            raise _NotPlain
        table[pair[1]] = _value(pair[2])
        place = pair.end()
        if not pair[3]:
            break
    if not token.endswith("}") or place != len(inner) or inner.endswith(", "):
        raise _NotPlain
    return table


def _value(token: str) -> str:
    """The text of *token*, which is quoted only where it must be."""
    if _VALUE.fullmatch(token) is None:
        raise _NotPlain
    if not token.startswith('"'):
        if token.lower() in ("null", "~"):
            raise _NotPlain
        return token
    text = _unquoted(token)
    if is_bare(text) or _quoted(text) != token:
        raise _NotPlain
    return text


def _unquoted(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        raise _NotPlain from None
