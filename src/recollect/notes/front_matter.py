"""The YAML above the text of a note: read as text, changed key by key.

A key that does not change keeps its bytes, whatever it holds: only the lines of a changed
key are written again, with their own comments and quotes. Values are read as text, and
the models know the types, so no YAML tag can make an object. Aliases are refused: they
are how a few lines become gigabytes.
"""

import difflib
import io
import re
from collections import deque
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

from recollect.errors import NoteError
from recollect.journal import sections
from recollect.notes import plain_yaml
from recollect.notes.plain_yaml import Plain, Read, YamlKey, as_read

MARK = "---"

# Any note that fits the models fits. What people write needs the full parser, which may
# take seconds for 50,000 characters.
LONGEST = 200_000
LONGEST_BY_HAND = 50_000

DEEPEST = 8
# The parser's time grows with the square of these, and quoted ones count here too.
MOST_OPEN_BRACKETS = 50

_BOM = "\ufeff"
_NOTHING = ("", "~", "null", "Null", "NULL")
_ASIDE = re.compile(r"\s*(?:#.*)?\r?\n?")
_BRACKET = re.compile(r"[\[\]{}]")
_DASH = re.compile(r"^( *)- ", re.MULTILINE)
_INDENTED = re.compile(r"^( +)[^\s#-]", re.MULTILINE)

# What ruamel raises on text that is no YAML, and on scalars that fit their tags badly.
_FAULTS = (YAMLError, ValueError, OverflowError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatterKey:
    """A key of the front matter with its value and the place of its lines in the YAML."""

    name: str
    value: Read
    start: int
    end: int
    """Where its own lines end; blank lines and comments below them are nobody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text in four parts, which joined are the text: two marks, the YAML, and the body.

    Without front matter the closing mark is empty, and the opening one at most a BOM.
    """

    opening: str = ""
    yaml: str = ""
    closing: str = ""
    body: str = ""
    keys: tuple[FrontMatterKey, ...] = ()

    @property
    def values(self) -> dict[str, Read]:
        """What every key holds."""
        return {key.name: key.value for key in self.keys}

    @property
    def body_line(self) -> int:
        """The number of the first line of the body."""
        return 1 + (self.opening + self.yaml + self.closing).count("\n")

    @property
    def newline(self) -> str:
        """How the lines of this text end."""
        first, _, _ = (self.opening + self.body).partition("\n")
        return "\r\n" if first.endswith("\r") else "\n"

    def line_of(self, name: str) -> int:
        """The number of the line on which the key *name* stands; the first one without it."""
        for key in self.keys:
            if key.name == name:
                return _line(self.yaml, key.start)
        return 1


# What was written is read to prove it, and again by the next who changes it.
@lru_cache(maxsize=16)
def read(text: str) -> Document:
    """*text* in its parts; `NoteError` says on which line the YAML is broken, and the fix."""
    opening, yaml, closing, body = _split(text)
    _check_length(yaml, LONGEST)
    keys = tuple(_keys(yaml)) if yaml.strip() else ()
    return Document(opening=opening, yaml=yaml, closing=closing, body=body, keys=keys)


def rewrite(
    document: Document, changes: Mapping[str, Plain], *, body: str, order: Sequence[str]
) -> str:
    """The text of *document* with *changes* (None takes a key out) above *body*.

    A new key is put behind the nearest key that *order* puts before it.
    """
    pieces = _pieces(document)
    newline = document.newline
    for name, value in changes.items():
        there = next((n for n, piece in enumerate(pieces) if piece.name == name), None)
        if there is not None:
            own = "" if value is None else _renewed(pieces[there].own, name, value)
            pieces[there] = pieces[there]._replace(own=_with_endings(own, newline))
        elif value is not None:
            own = _with_endings(plain_yaml.write(name, value), newline)
            pieces = _with_new(pieces, name, own, order)
    yaml = "".join(piece.own + piece.below for piece in pieces)
    if document.closing or not yaml:
        return document.opening + yaml + document.closing + body
    return f"{document.opening}{MARK}{newline}{yaml}{MARK}{newline}{body}"


def _split(text: str) -> tuple[str, str, str, str]:
    lines = sections.split_lines(text)
    if not lines or not _is_mark(lines[0].removeprefix(_BOM)):
        body = text.removeprefix(_BOM)
        return text[: len(text) - len(body)], "", "", body
    end = next((n for n, line in enumerate(lines[1:], start=1) if _is_mark(line)), None)
    if end is None:
        _refuse(1, "the front matter has no end", f"Put a line with {MARK} below its last key.")
    return lines[0], "".join(lines[1:end]), lines[end], "".join(lines[end + 1 :])


def _is_mark(line: str) -> bool:
    return line.startswith(MARK) and line.rstrip() == MARK


def _line(yaml: str, index: int) -> int:
    """The number of the line of the file at *index* of the YAML, which begins on the second."""
    return 2 + yaml.count("\n", 0, index)


def _refuse(line: int, what: str, fix: str) -> NoReturn:
    raise NoteError(f"line {line}: {what}", hint=fix, line=line)


def _check_length(yaml: str, most: int) -> None:
    if len(yaml) > most:
        what = f"{len(yaml):,} characters of front matter, at most {most:,} fit"
        _refuse(1, what, "Move what is long below the front matter.")


def _keys(yaml: str) -> Iterator[FrontMatterKey]:
    found = plain_yaml.read(yaml)
    if found is None:
        _check_length(yaml, LONGEST_BY_HAND)
        _check_brackets(yaml)
        found = list(_entries(yaml))
    ends = [entry.start for entry in found[1:]] + [len(yaml)]
    for (name, value, start), after in zip(found, ends, strict=False):
        yield FrontMatterKey(name=name, value=value, start=start, end=_own_end(yaml, start, after))


def _check_brackets(yaml: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(yaml):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        if depth > MOST_OPEN_BRACKETS:
            _refuse(_line(yaml, bracket.start()), "nested too deep", "Close the brackets.")


def _own_end(yaml: str, start: int, after: int) -> int:
    """Where the lines of a key end, of those between *start* and *after*."""
    lines = sections.split_lines(yaml[start:after])
    # An indented comment belongs to the list or the text that it is indented like.
    while len(lines) > 1 and _ASIDE.fullmatch(lines[-1]) and not lines[-1].startswith((" ", "\t")):
        lines.pop()
    return start + sum(map(len, lines))


def _entries(yaml: str) -> Iterator[YamlKey]:
    """Every key at the top, by the full parser."""
    walk = _Walk(yaml)
    seen: set[str] = set()
    if not walk.enter():
        return
    while not isinstance(event := walk.next(), MappingEndEvent):
        name = walk.name(event, seen)
        if event.start_mark.column:
            walk.refuse(event, "the key does not begin its line", "Begin each key at the left.")
        seen.add(name)
        yield YamlKey(name, walk.value(), event.start_mark.index)
    walk.finish()


class _Walk:
    """A way through the parser's events for *yaml*."""

    def __init__(self, yaml: str) -> None:
        self._yaml = yaml
        self._events = deque(_events(yaml))

    def next(self) -> Event:
        """Go on by one event."""
        return self._events.popleft()

    def enter(self) -> bool:
        """Go to the first key; False when there is nothing at all."""
        while self._events:
            event = self.next()
            if isinstance(event, MappingStartEvent) and not event.flow_style:
                return True
            if isinstance(event, NodeEvent):
                self.refuse(event, "these are no keys", "Write one `key: value` on each line.")
        return False

    def finish(self) -> None:
        """Make sure that nothing stands behind the last key."""
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                self.refuse(event, "a second document begins here", "Keep one list of keys.")

    def name(self, event: Event, seen: Container[str]) -> str:
        """The key that *event* is, and that was not *seen* before."""
        if not isinstance(event, ScalarEvent):
            self.refuse(event, "a key must be text", "Write `key: value`.")
        if event.value in seen:
            self.refuse(event, f"{event.value[:60]} stands here twice", "Keep one of the two.")
        return str(event.value)

    def value(self, depth: int = 0) -> Read:
        """Go past the value that begins here, and return it."""
        event = self.next()
        if depth > DEEPEST:
            self.refuse(event, "nested too deep", f"Keep to {DEEPEST} levels.")
        if isinstance(event, SequenceStartEvent):
            return self._list(depth + 1)
        if isinstance(event, MappingStartEvent):
            return self._table(depth + 1)
        if not isinstance(event, ScalarEvent):
            fix = "Write the text itself, in quotes if it begins with *."
            self.refuse(event, "an alias (*) stands for text elsewhere", fix)
        return None if not event.style and event.value in _NOTHING else str(event.value)

    def _list(self, depth: int) -> list[Read]:
        items: list[Read] = []
        while not isinstance(self._events[0], SequenceEndEvent):
            items.append(self.value(depth))
        self.next()
        return items

    def _table(self, depth: int) -> dict[str, Read]:
        table: dict[str, Read] = {}
        while not isinstance(event := self.next(), MappingEndEvent):
            table[self.name(event, table)] = self.value(depth)
        return table

    def refuse(self, event: Event, what: str, fix: str) -> NoReturn:
        """Say that *event* cannot stand here."""
        _refuse(_line(self._yaml, event.start_mark.index), what, fix)


def _events(yaml: str) -> list[Event]:
    """What the parser finds in *yaml*, its errors in words."""
    try:
        return list(YAML(typ="safe", pure=True).parse(yaml))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        index = mark.index if mark else 0
        _refuse(_line(yaml, index), *_in_words(error, yaml[index : index + 1]))
    except ReaderError as error:
        fix = "Delete it; the file must be UTF-8."
        _refuse(_line(yaml, error.position or 0), "a character that YAML does not allow", fix)
    except _FAULTS:
        _refuse(2, "this is no YAML", "Write one `key: value` on each line.")


def _in_words(error: MarkedYAMLError, there: str) -> tuple[str, str]:
    if there == "\t":
        return "a tab where YAML wants spaces", "Indent with spaces."
    said = error.problem or error.context or "this is no YAML"
    fix = "Write one `key: value` on each line, and quote a value with a colon or a hash in it."
    return f"broken YAML: {said[:120]}", fix


class _Piece(NamedTuple):
    """The lines of a key, and those below it that are nobody's; the first piece has no key."""

    name: str | None
    own: str
    below: str


def _pieces(document: Document) -> list[_Piece]:
    yaml, keys = document.yaml, document.keys
    ends = [key.start for key in keys] + [len(yaml)]
    above = _Piece(None, "", yaml[: ends[0]])
    return [above] + [
        _Piece(key.name, yaml[key.start : key.end], yaml[key.end : end])
        for key, end in zip(keys, ends[1:], strict=True)
    ]


def _with_new(pieces: list[_Piece], name: str, own: str, order: Sequence[str]) -> list[_Piece]:
    before = order[: order.index(name)]
    places = [number for number, piece in enumerate(pieces) if piece.name in before]
    place = max(places, default=len(pieces) - 1)
    after = pieces[place]
    # What stands below the other key is a comment on the one that follows.
    pair = [after._replace(below=""), _Piece(name, own, after.below)]
    if after.name is None:
        pair = [after, _Piece(name, own, "")]
    return [*pieces[:place], *pair, *pieces[place + 1 :]]


def _renewed(own: str, name: str, value: Plain) -> str:
    """The lines *own* of a key with another value; comments and quotes stay where they can."""
    fresh = plain_yaml.write(name, value)
    if plain_yaml.read(own) is not None:
        return fresh
    yaml = _round_trip(own)
    try:
        table = yaml.load(own)
        table[name] = _merged(table[name], value)
        renewed = _dumped(yaml, table)
        proved = [(entry.name, entry.value) for entry in _entries(renewed)]
    except (*_FAULTS, NoteError):
        return fresh
    return renewed if proved == [(name, as_read(value))] else fresh


def _merged(old: Any, new: Plain) -> Any:
    """The node *old* with the value *new*, changed in place where it is a list or a table."""
    if _plain_text(old) == as_read(new):
        return old
    if isinstance(old, CommentedMap) and isinstance(new, Mapping):
        for name in [name for name in old if name not in new]:
            del old[name]
        for name, value in new.items():
            old[_node(name)] = _merged(old[name], value) if name in old else _node(value)
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, Sequence) and not isinstance(new, str):
        return _aligned(old, list(new))
    if isinstance(old, SingleQuotedScalarString | DoubleQuotedScalarString) and isinstance(
        new, str
    ):
        return type(old)(new)
    return _node(new)


def _aligned(old: CommentedSeq, new: list[Plain]) -> CommentedSeq:
    """*old* with the items of *new*; those that stay keep their comments."""
    before = [repr(_plain_text(item)) for item in old]
    after = [repr(as_read(item)) for item in new]
    steps = difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    for step, start, end, first, last in reversed(steps):
        if step != "equal":
            for _ in range(start, end):
                del old[start]
            for item in reversed(new[first:last]):
                old.insert(start, _node(item, inside=True))
    return old


def _plain_text(item: Any) -> Read:
    if isinstance(item, Mapping):
        return {str(name): _plain_text(inner) for name, inner in item.items()}
    if isinstance(item, list):
        return [_plain_text(inner) for inner in item]
    return as_read(item)


def _node(value: Plain, *, inside: bool = False) -> Any:
    """*value* as ruamel writes it; a table *inside* a list stands on one line."""
    match value:
        case str():
            return value if plain_yaml.is_bare(value) else DoubleQuotedScalarString(value)
        case datetime():
            return _Moment(as_read(value))
        case Mapping():
            table = CommentedMap({_node(name): _node(inner) for name, inner in value.items()})
            if inside:
                table.fa.set_flow_style()
            return table
        case Sequence():
            return CommentedSeq([_node(item, inside=True) for item in value])
        case _:
            return value


class _Moment(str):
    """A time that is written without quotes."""

    __slots__ = ()


class _Representer(RoundTripRepresenter):
    """Writes times as we do."""

    def represent_moment(self, moment: _Moment) -> Any:
        """*moment* as a YAML timestamp."""
        return self.represent_scalar("tag:yaml.org,2002:timestamp", str(moment))


_Representer.add_representer(_Moment, _Representer.represent_moment)


def _round_trip(like: str) -> YAML:
    """A reader and writer that indents lists as *like* does."""
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.preserve_quotes = True
    yaml.width = LONGEST
    dash, table = _DASH.search(like), _INDENTED.search(like)
    offset = len(dash[1]) if dash else 2
    yaml.indent(mapping=len(table[1]) if table else 2, sequence=offset + 2, offset=offset)
    return yaml


def _dumped(yaml: YAML, table: CommentedMap) -> str:
    written = io.StringIO()
    yaml.dump(table, written)
    return written.getvalue()


def _with_endings(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)
