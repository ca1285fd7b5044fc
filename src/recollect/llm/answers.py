"""Read a model's answer: JSON objects, one for each observation, summary or note; or nothing.

Each object says by its `kind` what it is. Models wrap and explain them, put them into lists or into
one another, and are cut off: every whole object that says what it is is read, wherever it stands,
and what else there is is left. What a value must be, pydantic checks; nothing is checked against
the turns here.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, TypeAdapter
from pydantic.dataclasses import dataclass

from recollect.errors import EngineError
from recollect.journal import markdown
from recollect.journal.model import OBSERVATION_TYPES, SUMMARY_FIELDS
from recollect.notes.categories import CATEGORIES, Category, NoteField

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
# Each brace that begins no object may be looked behind up to the end of the answer.
MOST_BROKEN = 100
DEEPEST = 20

_KINDS = frozenset({"observation", "summary", "note", "nothing", "verdict"})
_SUMMARY_FILES = ("files_read", "files_edited")

_REASONING_TAG = re.compile(r"<(/?)(analysis|reasoning|think|thinking)>", re.IGNORECASE)
_OPENING = re.compile(rf"\{{|{_REASONING_TAG.pattern}", re.IGNORECASE)
_BACKSLASH = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4})?")
_LAST_COMMA = re.compile(r",(?=\s*+[}\]])")
# We show a model `<` as `&lt;`, and it repeats what it was shown.
_ESCAPED = re.compile(r"&(lt|gt|quot|#x27|amp);")
_CHARACTERS = {"lt": "<", "gt": ">", "quot": '"', "#x27": "'", "amp": "&"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_TURN = re.compile(r"[0-9]{1,6}")
_ALTERNATIVE = re.compile(r"\s+[-–—]+\s+|:\s+|\s*\(?\bbecause\s+", re.IGNORECASE)
_NUMBER = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})\s?(%?)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
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


# What a value may be given as, and what it is read as.


def text_of(given: object) -> str:
    """Return *given* as text; what is no text, number or flag says nothing."""
    if isinstance(given, bool | int | float):
        return str(given).lower()
    if isinstance(given, list | tuple):
        return "\n".join(map(text_of, given))
    if not isinstance(given, str):
        return ""
    visible = _SURROGATE.sub("", markdown.legible(given))
    return _ESCAPED.sub(lambda found: _CHARACTERS[found[1]], visible).strip()


def _line(given: object, *, longest: int) -> str:
    """Return *given* on one line of at most *longest* characters; empty for "none" and the like."""
    line = markdown.one_line(text_of(given))
    return _cut(line, longest) if _says_something(line) else ""


def _lines(given: object, *, longest: int) -> str:
    """Return *given* with its lines, in at most *longest* characters."""
    kept = "\n".join(line.rstrip() for line in text_of(given).split("\n")).strip()
    return _cut(kept, longest) if _says_something(kept) else ""


def word(given: object) -> str:
    """Return *given* as one of a set of words: lower case, with underscores for spaces."""
    return "_".join(text_of(given).split()).strip("`\"'.").lower()


def _items(given: object) -> list[object]:
    """Return *given* as a list: a text is one of lines, with or without bullets."""
    if isinstance(given, list | tuple):
        return list(given)
    if isinstance(given, str):
        return [_without_bullet(line) for line in given.split("\n")]
    return []


def _listed(given: object, *, longest: int, most: int) -> tuple[str, ...]:
    return _first((_line(one, longest=longest) for one in _items(given)), most)


def _files(given: object) -> tuple[str, ...]:
    names = (one for line in _items(given) for one in text_of(line).split(", "))
    bare = (_without_bullet(one).strip().strip("`\"'") for one in names)
    # A name that was cut is another file's.
    lines = map(markdown.one_line, bare)
    return _first((one for one in lines if len(one) <= LONGEST_FILE), MOST_FILES)


def _concepts(given: object) -> tuple[str, ...]:
    named = (word(one).replace("_", "-") for one in _items(given))
    return _first((one for one in named if one in CONCEPTS), MOST_CONCEPTS)


def _type(given: object) -> str:
    return kind if (kind := word(given)) in OBSERVATION_TYPES else "change"


def _turn(given: object) -> str:
    number = text_of(given)
    return number if _TURN.fullmatch(number) else ""


def _target(given: object) -> str:
    # A name that was cut is another note's.
    target = _line(given, longest=LONGEST_FIELD)
    return target if len(target) <= LONGEST_TARGET else ""


def _confidence(given: object) -> float | None:
    """Return a number from 0 to 1, or a percentage.

    >>> _confidence(0.9), _confidence("90%"), _confidence("high"), _confidence(7)
    (0.9, 0.9, None, None)
    """
    found = _NUMBER.fullmatch(text_of(given))
    if not found:
        return None
    number = float(found[1]) / (100 if found[2] else 1)
    return number if 0 <= number <= 1 else None


_Title = Annotated[str, BeforeValidator(partial(_line, longest=LONGEST_TITLE))]
_Text = Annotated[str, BeforeValidator(partial(_line, longest=LONGEST_TEXT))]
_Facts = Annotated[
    tuple[str, ...], BeforeValidator(partial(_listed, longest=LONGEST_FACT, most=MOST_FACTS))
]
_Files = Annotated[tuple[str, ...], BeforeValidator(_files)]
_Turn = Annotated[str, BeforeValidator(_turn)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedObservation:
    """An observation as the model wrote it; nothing in it has been checked."""

    turn: _Turn = ""
    """The number that the turn had when it was shown; empty where the model gave none."""
    type: Annotated[str, BeforeValidator(_type)] = "change"
    title: _Title
    text: _Text = ""
    facts: _Facts = ()
    concepts: Annotated[tuple[str, ...], BeforeValidator(_concepts)] = ()
    files_read: _Files = ()
    files_modified: _Files = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedNote:
    """A note as the model wrote it, or what it wants done with one; nothing has been checked."""

    turn: _Turn = ""
    category: Category
    action: Action = "create"
    target: Annotated[str, BeforeValidator(_target)] = ""
    """The note that is to be changed or retired."""
    title: _Title = ""
    confidence: Annotated[float | None, BeforeValidator(_confidence)] = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    """By the names of the category's model: texts, tuples of texts, and tables of them."""
    reason: _Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """All that an answer says."""

    observations: tuple[DraftedObservation, ...] = ()
    summary: Mapping[str, Any] | None = None
    """The eight fields: texts, and tuples of files."""
    notes: tuple[DraftedNote, ...] = ()
    cut_off: bool = False
    """True when the answer ended before its last object did."""


_OBSERVATION = TypeAdapter(DraftedObservation)
_NOTE = TypeAdapter(DraftedNote)


def read(text: str, *, cut_off: bool = False) -> Drafted:
    """Return what the answer *text* says; *cut_off* when its engine says that it was.

    Raises `EngineError` (unreadable) when there is no object in it that can be used and it does not
    say that there is nothing to keep. The message never quotes the answer.

    >>> read('{"kind": "observation", "turn": 1, "title": "Tea"}').observations[0].title
    'Tea'
    >>> read("Nothing worth keeping.")
    Drafted(observations=(), summary=None, notes=(), cut_off=False)
    """
    found = objects(text)
    observations = [_observation(one) for one in found.of("observation")]
    summaries = [_summary(one) for one in found.of("summary")]
    notes = [_note(one) for one in found.of("note")]
    drafted = Drafted(
        observations=tuple(one for one in observations if one)[:MOST_OBSERVATIONS],
        summary=next(filter(None, summaries), None),
        notes=tuple(one for one in notes if one)[:MOST_NOTES],
        cut_off=cut_off or found.is_broken or len(text) > LONGEST_ANSWER,
    )
    if drafted.observations or drafted.summary or drafted.notes or _says_nothing(found):
        return drafted
    raise _unreadable(text, found, cut_off=drafted.cut_off)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerObjects:
    """The objects of an answer that say what they are, in order, and the prose around them."""

    objects: tuple[Mapping[str, Any], ...]
    prose: str
    is_broken: bool
    """True when something began like an object and was none."""

    def of(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield those of *kind*."""
        return (one for one in self.objects if one["kind"] == kind)


def objects(text: str) -> AnswerObjects:
    """Return the objects in *text*, without what the model says to itself."""
    text = _BACKSLASH.sub(_escaped, text[:LONGEST_ANSWER])
    found = _objects(text)
    # Small models write a comma behind the last item, too.
    return found if found.objects or not found.is_broken else _objects(_LAST_COMMA.sub("", text))


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


def _escaped(backslash: re.Match[str]) -> str:
    r"""Return a backslash as JSON knows it: a model writes `\d` for a pattern."""
    return backslash[0] if len(backslash[0]) > 1 else r"\\"


def _objects(text: str) -> AnswerObjects:
    decoder = json.JSONDecoder(strict=False)
    found: list[Mapping[str, Any]] = []
    prose: list[str] = []
    place = broken = 0
    while broken < MOST_BROKEN and (opening := _OPENING.search(text, place)):
        prose.append(text[place : opening.start()])
        place = opening.end()
        if opening[0] == "{":
            try:
                value, place = decoder.raw_decode(text, opening.start())
                found += _with_kind(value, DEEPEST)
            except (ValueError, RecursionError):
                broken += 1
        elif not opening[1]:
            place = _end_of_reasoning(text, place, opening[2])
        elif _OPENING.search(text, place):
            # Some templates swallow the tag that begins the reasoning.
            found, prose, broken = [], [], 0
    prose.append(text[place:])
    return AnswerObjects(objects=tuple(found), prose="".join(prose).strip(), is_broken=broken > 0)


def _end_of_reasoning(text: str, place: int, name: str) -> int:
    """Return where the reasoning ends; if it never does, all the rest is of it."""
    end = re.compile(rf"</{name}>", re.IGNORECASE).search(text, place)
    return end.end() if end else len(text)


def _with_kind(value: object, deepest: int) -> Iterator[Mapping[str, Any]]:
    """Yield *value*, or what is in it, as far as it says what it is."""
    if isinstance(value, dict):
        kind = word(value.get("kind"))
        if kind in _KINDS:
            yield {**value, "kind": kind}
        if kind in _KINDS - {"verdict"}:
            return
        value = [*value.values()]
    if isinstance(value, list) and deepest:
        for one in value:
            yield from _with_kind(one, deepest - 1)


def _says_nothing(found: AnswerObjects) -> bool:
    """Tell whether the answer says that nothing is worth keeping: in our way, or in few words."""
    if any(found.of("nothing")):
        return True
    is_short = len(found.prose) <= LONGEST_NOTHING and not found.objects and not found.is_broken
    return is_short and bool(_NOTHING.search(found.prose))


def _unreadable(text: str, found: AnswerObjects, *, cut_off: bool) -> EngineError:
    """Return the error that tells what was missing, in numbers only."""
    count, length = len(found.objects), f"({len(text):,} characters)"
    if not text.strip():
        message = "the answer is empty"
    elif count:
        incomplete = "1 object is" if count == 1 else f"{count:,} objects are"
        message = f"the answer has no object that could be used ({incomplete} incomplete)"
    elif found.is_broken:
        message = f"the answer is no whole JSON {length}"
    elif not found.prose:
        message = f"the answer is nothing but reasoning {length}"
    else:
        message = f"the answer has no object that could be read ({len(found.prose):,} characters)"
    return EngineError(message + (", and it was cut off" if cut_off else ""), kind="unreadable")


def _observation(given: Mapping[str, Any]) -> DraftedObservation | None:
    titles = (_line(given.get(name), longest=LONGEST_TITLE) for name in ("title", "text"))
    title = next(filter(None, titles), "")
    return _OBSERVATION.validate_python({**given, "title": title}) if title else None


def _summary(given: Mapping[str, Any]) -> Mapping[str, object] | None:
    fields: dict[str, object] = {
        name: _files(given.get(name))
        if name in _SUMMARY_FILES
        else _line(given.get(name), longest=LONGEST_TEXT)
        for name in SUMMARY_FIELDS
    }
    return fields if any(fields.values()) else None


def _note(given: Mapping[str, Any]) -> DraftedNote | None:
    """Return the note that was *given*; None for one that names no known thing."""
    category = word(given.get("category")).replace("-", "_")
    target = _target(given.get("target"))
    action = _action(given, target)
    if category not in CATEGORIES or action not in ACTIONS:
        return None
    own = given.get("fields")
    # A retirement has a reason only.
    stated = (own if isinstance(own, dict) else given) if action != "retire" else {}
    fields = dict(_note_fields(stated, category))
    note = _NOTE.validate_python(
        {**given, "category": category, "action": action, "fields": fields}
    )
    is_whole = note.title and note.fields if action == "create" else target
    return note if is_whole else None


def _action(given: Mapping[str, Any], target: str) -> str:
    """Return what is to be done; who repeats the choice and names no *target* wants a new note."""
    action = word(given.get("action")) or "create"
    return "create" if "|" in action and not target else action


def _note_fields(given: Mapping[str, Any], category: Category) -> Iterator[tuple[str, object]]:
    for one in CATEGORIES[category].fields:
        value = _value(given, one)
        if value not in ("", (), {}, None):
            yield one.name, value


def _value(given: Mapping[str, Any], field: NoteField) -> object:
    """Return the value of *field* as its form wants it; empty where it cannot be that."""
    value = given.get(field.name)
    match field.form:
        case "flag":
            return {"true": True, "yes": True, "false": False, "no": False}.get(word(value))
        case "examples":
            return _examples(value if isinstance(value, dict) else given)
        case "choice":
            choice = word(value).replace("-", "_")
            return choice if choice in field.choices else ""  # So that a default stands.
        case "alternatives":
            return tuple(filter(None, map(_alternative, _items(value))))[:MOST_ITEMS]
        case "list":
            return _first((_lines(one, longest=LONGEST_TEXT) for one in _items(value)), MOST_ITEMS)
        case _:
            return _lines(value, longest=LONGEST_FIELD)


def _alternative(given: object) -> Mapping[str, str] | None:
    """Return a way not taken; "Redis: one more server" stands for an option and its reason."""
    if isinstance(given, dict):
        option, reason = given.get("option"), given.get("rejected_reason")
    else:
        line = _line(given, longest=LONGEST_TEXT)
        option, _, reason = _ALTERNATIVE.sub("\n", line, count=1).partition("\n")
    found = {
        "option": _line(option, longest=LONGEST_FACT),
        "rejected_reason": _line(reason, longest=LONGEST_TEXT),
    }
    return found if all(found.values()) else None


def _examples(given: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    found = {
        name: _first(
            (_lines(one, longest=LONGEST_TEXT) for one in _items(given.get(name))), MOST_ITEMS
        )
        for name in ("prefer", "avoid")
    }
    return {name: items for name, items in found.items() if items}


def _without_bullet(line: str) -> str:
    found = _BULLET.match(line)
    return line[found.end() :] if found else line


def _first(values: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the first *most* different *values* that say something."""
    return tuple(dict.fromkeys(filter(_says_something, values)))[:most]


def _says_something(text: str) -> bool:
    return bool(text.strip()) and text.strip().casefold() not in _EMPTY


def _cut(text: str, longest: int) -> str:
    """Return *text*, ended between words where it is longer than *longest*.

    >>> _cut("one two three", 10)
    'one two …'
    """
    if len(text) <= longest:
        return text
    room = longest - 2
    space = max(text.rfind(" ", 0, room + 1), text.rfind("\n", 0, room + 1))
    return text[: space if space > room // 2 else room].rstrip() + " …"
