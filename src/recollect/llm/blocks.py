"""Read the blocks in a model's answer: observations, a summary, notes, or nothing.

A tokenizer that knows our element names and a grammar of which may stand in which; whatever else
looks like a tag is text, because people write about `List<file>` and `<script>`. Models wrap,
explain, forget to close and are cut off: what was said completely is read, the rest is left.
Every step is linear in the answer's length.
"""

import html
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from recollect.errors import EngineError
from recollect.journal import markdown
from recollect.journal.model import OBSERVATION_TYPES, SUMMARY_FIELDS
from recollect.notes.categories import CATEGORIES, Category, Form

Action = Literal["create", "update", "retire"]
ACTIONS: tuple[str, ...] = get_args(Action)

CONCEPTS = (
    "how-it-works",
    "why-it-exists",
    "what-changed",
    "problem-solution",
    "gotcha",
    "pattern",
    "trade-off",
)

LONGEST_TITLE = 120
LONGEST_TEXT = 600
LONGEST_FACT = 300
LONGEST_FILE = 300
# A category, a slash and an id, which has up to 80 characters.
LONGEST_TARGET = 120
LONGEST_FIELD = 2_000
LONGEST_ATTRIBUTES = 500
LONGEST_FENCE = 30
# No engine is allowed so many tokens; all that we take from an answer fits several times.
LONGEST_ANSWER = 300_000
MOST_FACTS = 8
MOST_CONCEPTS = 5
MOST_FILES = 30
MOST_ITEMS = 20
MOST_OBSERVATIONS = 12
MOST_NOTES = 8
# A longer answer that only says "nothing" is about something else.
LONGEST_NOTHING = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedObservation:
    """An observation as the model wrote it; nothing in it has been checked."""

    turn: str = ""
    """The number that the turn had when it was shown; empty where the model gave none."""
    type: str = "change"
    title: str
    text: str = ""
    facts: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedNote:
    """A note as the model wrote it, or what it wants done with one; nothing has been checked."""

    turn: str = ""
    category: Category
    action: Action = "create"
    target: str = ""
    """The note that is to be changed or retired."""
    title: str = ""
    confidence: float | None = None
    fields: Mapping[str, object] = field(default_factory=dict)
    """By the names of the category's model: texts, tuples of texts, and tables of them."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """All that an answer says."""

    observations: tuple[DraftedObservation, ...] = ()
    summary: Mapping[str, object] | None = None
    """The eight fields: texts, and tuples of files."""
    notes: tuple[DraftedNote, ...] = ()
    cut_off: bool = False
    """True when the answer ended before its last block did."""


def read(text: str, *, cut_off: bool = False) -> Drafted:
    """Return what the answer *text* says; *cut_off* when its engine says that it was.

    Raises `EngineError` (unreadable) when there is no block in it and it does not say that there
    is nothing to keep. The message never quotes the answer.

    >>> read('<observation turn="1"><title>Tea</title></observation>').observations[0].title
    'Tea'
    >>> read("Nothing worth keeping.")
    Drafted(observations=(), summary=None, notes=(), cut_off=False)
    """
    tree = _parsed(text[:LONGEST_ANSWER])
    cut_off = cut_off or len(text) > LONGEST_ANSWER
    blocks = [block for block in tree.children if block.name in _BLOCKS]
    observations = [_observation(block) for block in blocks if block.name == "observation"]
    summaries = [_summary(block) for block in blocks if block.name == "summary"]
    notes = [_note(block, cut_off=cut_off) for block in blocks if block.name == "note"]
    drafted = Drafted(
        observations=tuple(one for one in observations if one)[:MOST_OBSERVATIONS],
        summary=next(filter(None, summaries), None),
        notes=tuple(one for one in notes if one)[:MOST_NOTES],
        cut_off=cut_off or any(not block.closed for block in blocks),
    )
    if drafted.observations or drafted.summary or drafted.notes or _says_nothing(tree):
        return drafted
    raise _unreadable(text, tree, cut_off=drafted.cut_off)


def without_reasoning(text: str) -> str:
    """Return *text* without what the model says to itself.

    Reasoning that never ends is all there is if nothing was said before it; otherwise somebody
    speaks of the tag.

    >>> without_reasoning("<think>Is it? Yes.</think>It is."), without_reasoning("<think>Is it")
    ('It is.', '')
    """
    said: list[str] = []
    place = 0
    begun: re.Match[str] | None = None
    for tag in _REASONING_TAG.finditer(text):
        if not tag[1]:
            begun = begun or tag
        elif begun and tag[2].lower() == begun[2].lower():
            said.append(text[place : begun.start()])
            place, begun = tag.end(), None
    said.append(text[place : begun.start()] if begun else text[place:])
    if begun and any(map(str.strip, said)):
        said.append(text[begun.start() :])
    return "".join(said)


def _says_nothing(tree: "_Node") -> bool:
    """Whether the answer says that nothing is worth keeping: in our way, or in few words."""
    if any(child.name == "nothing" for child in tree.children):
        return True
    prose = tree.text
    return not tree.children and len(prose) <= LONGEST_NOTHING and bool(_NOTHING.search(prose))


def _unreadable(text: str, tree: "_Node", *, cut_off: bool) -> EngineError:
    """The error that tells what was missing, in numbers only."""
    blocks, prose = len(tree.children), len(tree.text)
    if not text.strip():
        told = "the answer is empty"
    elif blocks:
        those = "1 block is" if blocks == 1 else f"{blocks:,} blocks are"
        told = f"the answer has no block that could be used ({those} incomplete)"
    elif not prose:
        told = f"the answer is nothing but reasoning ({len(text):,} characters)"
    else:
        told = f"the answer has no block that could be read ({prose:,} characters of prose)"
    return EngineError(told + (", and it was cut off" if cut_off else ""), kind="unreadable")


_TEXTS = ("turn", "type", "title", "text")
_OBSERVED = ("facts", "concepts", "files_read", "files_modified")
_SUMMARY_FILES = ("files_read", "files_edited")
_MARKS = ("turn", "category", "action", "target", "confidence", "title", "reason")
_LISTS: Mapping[str, tuple[str, ...]] = {
    "facts": ("fact", "item"),
    "concepts": ("concept", "item"),
    "files_read": ("file", "item"),
    "files_modified": ("file", "item"),
    "files_edited": ("file", "item"),
}

_KINDS: Mapping[Category, Mapping[str, Form]] = {
    category: {one.name: one.form for one in row.fields} for category, row in CATEGORIES.items()
}
_NOTE_KINDS: Mapping[str, Form] = {
    name: kind for kinds in _KINDS.values() for name, kind in kinds.items()
}
_INSIDE: Mapping[Form, tuple[str, ...]] = {
    "list": ("item",),
    "alternatives": ("alternative", "item"),
    "examples": ("prefer", "avoid"),
}

# By the path of an element: what may stand in it. What is not listed holds text only.
_GRAMMAR: Mapping[str, frozenset[str]] = {
    path: frozenset(names)
    for path, names in {
        "": ("observation", "summary", "note", "nothing"),
        # Facts and concepts may stand without the list around them.
        "observation": (*_TEXTS, *_OBSERVED, "fact", "concept"),
        **{f"observation/{name}": inside for name, inside in _LISTS.items()},
        "summary": SUMMARY_FIELDS,
        **{f"summary/{name}": _LISTS[name] for name in _SUMMARY_FILES},
        "note": (*_MARKS, *_NOTE_KINDS, "prefer", "avoid"),
        **{f"note/{name}": _INSIDE[kind] for name, kind in _NOTE_KINDS.items() if kind in _INSIDE},
        "note/alternatives/alternative": ("option", "rejected_reason"),
        "note/alternatives/item": ("option", "rejected_reason"),
        "note/examples/prefer": ("item",),
        "note/examples/avoid": ("item",),
        "note/prefer": ("item",),
        "note/avoid": ("item",),
    }.items()
}
_NAMES = frozenset(name for names in _GRAMMAR.values() for name in names)
_BLOCKS = frozenset({"observation", "summary", "note"})
_TOP = _GRAMMAR[""]
_REASONING = frozenset({"think", "thinking", "analysis", "reasoning"})
# Of these, several stand beside each other.
_ITEMS = frozenset({"fact", "concept", "file", "item", "alternative"})

# Up to the next angle bracket only, so that no character is looked at twice.
_TAG = re.compile(r"<(/?)([A-Za-z_]++)((?:[\s/][^<>]*+)?)>|<!\[CDATA\[")
_ATTRIBUTE = re.compile(
    r"(?<![\w-])([A-Za-z_][\w-]*+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"']++))"
)
_REASONING_TAG = re.compile(rf"<(/?)({'|'.join(sorted(_REASONING))})>", re.IGNORECASE)
_TURN = re.compile(r"[0-9]{1,6}")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ALTERNATIVE = re.compile(r"\s+[-–—]+\s+|:\s+|\s*\(?\bbecause\s+", re.IGNORECASE)
_NUMBER = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})\s?(%?)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_TRAILING = re.compile(r"\s*`{3,}\w{0,20}\Z")
_EMPTY = frozenset("none none. (none) n/a na - – — null nil [] {} () empty nothing unknown".split())
_NOTHING = re.compile(
    r"\b(?:nothing|not anything) (?:\w+ ){0,3}?(?:worth|to (?:record|keep|note|remember|add|report"
    r"|save|observe)|new|notable)\b"
    r"|\bno (?:\w+ ){0,3}?(?:observations?|notes?|memories)\b"
    r"|\bnot worth (?:keeping|recording|remembering|noting)\b|\bnothing\W*\Z"
    r"|nichts (?:\w+ )?(?:festzuhalten|zu merken)"
    r"|没有值得|沒有值得|無需記錄|无需记录|記録すべき|기록할",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Token:
    """A tag of ours, or literal text, and where it stands."""

    start: int
    end: int
    kind: Literal["open", "close", "empty", "literal"]
    name: str = ""
    attributes: str = ""


@dataclass(slots=True)
class _Node:
    """An element while it is read and afterwards."""

    name: str
    path: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list["_Node"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    closed: bool = False

    @property
    def may_hold(self) -> frozenset[str]:
        """The names of the elements that may stand in it; none for one that holds text."""
        return _GRAMMAR.get(self.path, frozenset())

    @property
    def text(self) -> str:
        """Its own text, entities read, without what nobody can see."""
        return _SURROGATE.sub("", markdown.legible("".join(self.pieces))).strip()


def _tokens(text: str) -> Iterator[_Token]:
    """The tags in *text* that mean something to us, and its literal parts."""
    place = 0
    last_literal_end = text.rfind("]]>")
    while found := _TAG.search(text, place):
        place = found.end()
        if found[2] is None:
            if place <= last_literal_end:
                place = text.index("]]>", place) + 3
                yield _Token(found.start(), place, "literal")
        elif (name := found[2].lower()) in _NAMES or name in _REASONING:
            yield _token(found, name)


def _token(found: re.Match[str], name: str) -> _Token:
    kind: Literal["open", "close", "empty"] = "open"
    if found[1]:
        kind = "close"
    elif name == "nothing" or found[3].endswith("/"):
        kind = "empty"
    return _Token(found.start(), found.end(), kind, name, found[3])


def _parsed(text: str) -> _Node:
    """The elements of *text* below a root whose own text is the prose around them."""
    tokens = list(_tokens(text))
    first = _first_after_reasoning(tokens)
    reader = _Reader(text, tokens)
    place = tokens[first - 1].end if first else 0
    number = first
    while number < len(tokens):
        token = tokens[number]
        reader.take_text(text[place : token.start])
        after = reader.take(number)
        if after == number:  # Reasoning that never ends: all the rest is of it.
            return reader.root
        place, number = tokens[after - 1].end, after
    reader.take_text(text[place:])
    return reader.root


def _first_after_reasoning(tokens: Sequence[_Token]) -> int:
    """The number of the first token of the answer itself.

    Some templates swallow the tag that begins the reasoning. What stands before an end without a
    beginning is reasoning if a block begins behind it; otherwise a value speaks of the tag.
    """
    for number, token in enumerate(tokens[:-1]):
        if token.name in _REASONING:
            begins = tokens[number + 1].kind != "close" and tokens[number + 1].name in _TOP
            return number + 1 if token.kind == "close" and begins else 0
    return 0


class _Reader:
    """The elements that are open while the tokens of an answer are taken, one after the other."""

    def __init__(self, text: str, tokens: Sequence[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.root = _Node("")
        self._open = [self.root]
        self._begins: defaultdict[str, list[int]] = defaultdict(list)
        self._ends: defaultdict[str, list[int]] = defaultdict(list)
        for number, token in enumerate(tokens):
            if token.kind in ("open", "close"):
                (self._begins if token.kind == "open" else self._ends)[token.name].append(number)

    def take_text(self, text: str) -> None:
        """Give *text*, its entities read, to the innermost open element."""
        if text:
            self._open[-1].pieces.append(_ENTITY.sub(_character, text))

    def take(self, number: int) -> int:
        """Take the token *number*; return the number of the next, or the same if there is none."""
        token = self.tokens[number]
        if token.kind == "literal":
            raw = self.text[token.start : token.end]
            self._open[-1].pieces.append(raw.removeprefix("<![CDATA[").removesuffix("]]>"))
        elif token.name in _REASONING and token.name not in _NAMES:
            return self._reasoning(number)
        elif token.kind == "close":
            self._close(number)
        else:
            self._begin(number)
        return number + 1

    def _reasoning(self, number: int) -> int:
        """Pass over what the model says to itself; inside a value it is the value's text."""
        token, top = self.tokens[number], self._open[-1]
        if top.path and not top.may_hold:
            self._as_text(number)
            return number + 1
        if token.kind != "open":
            return number + 1
        end = _next(self._ends[token.name], number)
        return number if end is None else end + 1

    def _begin(self, number: int) -> None:
        token, top = self.tokens[number], self._open[-1]
        holders = [n for n, node in enumerate(self._open) if token.name in node.may_hold]
        if not holders or (not top.may_hold and self._is_spoken_of(number, top)):
            self._as_text(number)
            return
        self._leave(holders[-1] + 1)
        holder = self._open[-1]
        path = f"{holder.path}/{token.name}" if holder.path else token.name
        node = _Node(token.name, path, _attributes(token.attributes))
        holder.children.append(node)
        if token.kind == "empty":
            node.closed = True
        else:
            self._open.append(node)

    def _close(self, number: int) -> None:
        token, top = self.tokens[number], self._open[-1]
        opened = [n for n, node in enumerate(self._open) if n and node.name == token.name]
        is_own = token.name == top.name
        if not opened or (not is_own and not top.may_hold and self._is_spoken_of(number, top)):
            self._as_text(number)
        else:
            self._leave(opened[-1])

    def _is_spoken_of(self, number: int, top: _Node) -> bool:
        """Whether the tag *number* is text of the value *top* rather than the end of it.

        It is, if the value's own end follows before the value's name or the tag's end does: a
        value that was never closed meets the next one of its kind first.
        """
        token = self.tokens[number]
        if token.name == top.name:
            before = self.text[token.start - 1]
            return top.name not in _ITEMS or before.isalnum() or before in "_`\"'"
        end = _next(self._ends[top.name], number)
        rivals = (_next(self._begins[top.name], number), _next(self._ends[token.name], number))
        return end is not None and all(rival is None or end < rival for rival in rivals)

    def _as_text(self, number: int) -> None:
        token = self.tokens[number]
        self._open[-1].pieces.append(self.text[token.start : token.end])

    def _leave(self, depth: int) -> None:
        """Close all but the outermost *depth* elements."""
        for node in self._open[depth:]:
            node.closed = True
        del self._open[depth:]


def _next(numbers: Sequence[int], after: int) -> int | None:
    place = bisect_left(numbers, after + 1)
    return numbers[place] if place < len(numbers) else None


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(text[:LONGEST_ATTRIBUTES].rstrip("/"))
    values = ((name, one or two or bare) for name, one, two, bare in found)
    return {name.lower(): _ENTITY.sub(_character, value) for name, value in values}


def _observation(block: _Node) -> DraftedObservation | None:
    title = _line(_value(block, "title"), LONGEST_TITLE)
    text = _line(_value(block, "text"), LONGEST_TEXT)
    if not (title or text):
        return None
    kind = _word(_value(block, "type"))
    concepts = (_word(one).replace("_", "-") for one in _list(block, "concepts", "concept"))
    facts = (_line(fact, LONGEST_FACT) for fact in _list(block, "facts", "fact"))
    return DraftedObservation(
        turn=_turn(block),
        type=kind if kind in OBSERVATION_TYPES else "change",
        title=title or _line(text, LONGEST_TITLE),
        text=text,
        facts=_first(facts, MOST_FACTS),
        concepts=_first((one for one in concepts if one in CONCEPTS), MOST_CONCEPTS),
        files_read=_files(block, "files_read"),
        files_modified=_files(block, "files_modified"),
    )


def _summary(block: _Node) -> Mapping[str, object] | None:
    fields: dict[str, object] = {
        name: _files(block, name)
        if name in _SUMMARY_FILES
        else _line(_value(block, name), LONGEST_TEXT)
        for name in SUMMARY_FIELDS
    }
    return fields if any(fields.values()) else None


def _note(block: _Node, *, cut_off: bool) -> DraftedNote | None:
    """The note in *block*; None for one that is unfinished or that names no known thing."""
    is_unfinished = not block.closed and (cut_off or _ends_open(block))
    category = _word(_value(block, "category")).replace("-", "_")
    target = _target(block)
    action = _action(block, target)
    if is_unfinished or category not in CATEGORIES or action not in ACTIONS:
        return None
    fields = {} if action == "retire" else dict(_note_fields(block, category))
    title = _line(_value(block, "title"), LONGEST_TITLE)
    if action == "create" and not (title and fields):
        return None
    if action != "create" and not target:
        return None
    # A preference has a reason of its own; the last one is for the note.
    reasons = [child for child in block.children if child.name == "reason" and child.closed]
    return DraftedNote(
        turn=_turn(block),
        category=category,
        action=cast(Action, action),
        target=target,
        title=title,
        confidence=_confidence(_value(block, "confidence")),
        fields=fields,
        reason=_line(reasons[-1].text, LONGEST_TEXT) if reasons else "",
    )


def _turn(block: _Node) -> str:
    number = _value(block, "turn").strip()
    return number if _TURN.fullmatch(number) else ""


def _target(block: _Node) -> str:
    # A name that was cut is another note's.
    target = _line(_value(block, "target"), LONGEST_FIELD)
    return target if len(target) <= LONGEST_TARGET else ""


def _action(block: _Node, target: str) -> str:
    """What is to be done; who repeats the choice and names no *target* wants to note something."""
    action = _word(_value(block, "action")) or "create"
    return "create" if "|" in action and not target else action


def _ends_open(block: _Node) -> bool:
    return bool(block.children) and not block.children[-1].closed


def _note_fields(block: _Node, category: Category) -> Iterator[tuple[str, object]]:
    for name, kind in _KINDS[category].items():
        value: object
        if kind == "list":
            value = _items(block, name)
        elif kind == "alternatives":
            value = _alternatives(block)
        elif kind == "examples":
            value = _examples(block)
        elif kind == "flag":
            value = _flag(_value(block, name))
        elif kind == "choice":
            value = _choice(_value(block, name), CATEGORIES[category].field(name).choices)
        else:
            value = _lines(_value(block, name), LONGEST_FIELD)
        if value not in ("", (), {}, None):
            yield name, value


def _choice(text: str, among: Sequence[str]) -> str:
    """The word of the set *among* that *text* is; empty if it is none, so that a default stands."""
    word = _word(text).replace("-", "_")
    return word if word in among else ""


def _items(block: _Node, name: str) -> tuple[str, ...]:
    return _first((_lines(one, LONGEST_TEXT) for one in _list(block, name, "")), MOST_ITEMS)


def _alternatives(block: _Node) -> tuple[Mapping[str, str], ...]:
    """Ways not taken; "Redis: one more server" stands for an option and its reason."""
    found: list[Mapping[str, str]] = []
    listed = [child for child in block.children if child.name == "alternatives"]
    for one in (inner for child in listed for inner in child.children if inner.closed):
        option, reason = _value(one, "option"), _value(one, "rejected_reason")
        if not one.children:
            line = _line(one.text, LONGEST_TEXT)
            option, _, reason = _ALTERNATIVE.sub("\n", line, count=1).partition("\n")
        if option.strip() and reason.strip():
            told = {
                "option": _line(option, LONGEST_FACT),
                "rejected_reason": _line(reason, LONGEST_TEXT),
            }
            found.append(told)
    return tuple(found[:MOST_ITEMS])


def _examples(block: _Node) -> Mapping[str, tuple[str, ...]]:
    wrapped = [child for child in block.children if child.name == "examples"]
    found = {
        name: _first(
            (item for node in (*wrapped, block) for item in _items(node, name)), MOST_ITEMS
        )
        for name in ("prefer", "avoid")
    }
    return {name: items for name, items in found.items() if items}


def _value(block: _Node, name: str) -> str:
    """The text of the first closed element *name* that says something, or the attribute's."""
    texts = (child.text for child in block.children if child.name == name and child.closed)
    return next(filter(_says_something, texts), block.attributes.get(name, ""))


def _list(block: _Node, name: str, loose: str) -> Iterator[str]:
    """What the lists *name* hold, as elements or as lines, and the *loose* elements beside them."""
    for child in block.children:
        if child.name == name:
            yield from _listed(child)
        elif child.name == loose and child.closed:
            yield child.text


def _listed(node: _Node) -> Iterator[str]:
    if node.children:
        yield from (child.text for child in node.children if child.closed)
        return
    lines = node.text.split("\n")
    for line in lines if node.closed else lines[:-1]:
        yield _without_bullet(line)


def _without_bullet(line: str) -> str:
    found = _BULLET.match(line)
    return line[found.end() :] if found else line


def _files(block: _Node, name: str) -> tuple[str, ...]:
    names = (one for line in _list(block, name, "") for one in line.split(", "))
    bare = (_without_bullet(one).strip().strip("`\"'") for one in names)
    # A name that was cut is another file's.
    return _first(
        (one for one in map(markdown.one_line, bare) if len(one) <= LONGEST_FILE), MOST_FILES
    )


def _first(values: Iterable[str], most: int) -> tuple[str, ...]:
    """The first *most* different *values* that say something."""
    return tuple(dict.fromkeys(filter(_says_something, values)))[:most]


def _says_something(text: str) -> bool:
    return bool(text.strip()) and text.strip().casefold() not in _EMPTY


def _line(text: str, longest: int) -> str:
    """*text* on one line of at most *longest* characters; empty for "none" and the like."""
    if not text:
        return ""
    line = markdown.one_line(markdown.legible(text))
    # A value that was never closed may end with the fence around the answer.
    line = line[:-LONGEST_FENCE] + _TRAILING.sub("", line[-LONGEST_FENCE:])
    return _cut(line, longest) if _says_something(line) else ""


def _lines(text: str, longest: int) -> str:
    """*text* with its lines, of at most *longest* characters."""
    kept = "\n".join(line.rstrip() for line in text.split("\n")).strip()
    return _cut(kept, longest) if _says_something(kept) else ""


def _cut(text: str, longest: int) -> str:
    """*text*, ended between words where it is longer than *longest*.

    >>> _cut("one two three", 10)
    'one two …'
    """
    if len(text) <= longest:
        return text
    room = longest - 2
    space = max(text.rfind(" ", 0, room + 1), text.rfind("\n", 0, room + 1))
    return text[: space if space > room // 2 else room].rstrip() + " …"


def _word(text: str) -> str:
    """*text* as one of a set of words: lower case, with hyphens or underscores for spaces."""
    return "_".join(text.split()).strip("`\"'.").lower()


def _flag(text: str) -> bool | None:
    return {"true": True, "yes": True, "false": False, "no": False}.get(_word(text))


def _confidence(text: str) -> float | None:
    """A number from 0 to 1, or a percentage.

    >>> _confidence("0.9"), _confidence("90%"), _confidence("high"), _confidence("7")
    (0.9, 0.9, None, None)
    """
    found = _NUMBER.fullmatch(text.strip())
    if not found:
        return None
    number = float(found[1]) / (100 if found[2] else 1)
    return number if 0 <= number <= 1 else None
