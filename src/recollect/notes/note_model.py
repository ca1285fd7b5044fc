"""Notes: what holds in a project, in the categories of `categories`.

The models are what is enforced and what is documented: `schemas` is made from them. Text
is tidied while a note is made, so that a note equals what its own file reads back as.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from recollect import ids
from recollect.errors import NoteError, Problem
from recollect.journal import markdown, model
from recollect.notes.categories import CATEGORIES, Category, Form, NoteCategory, NoteField

Status = Literal["active", "retired", "archived"]
By: TypeAlias = model.By
Visibility = Literal["private", "team"]

LONGEST_ID = 80
LONGEST_TITLE = markdown.LONGEST_TITLE
LONGEST_LINE = 300
LONGEST_TEXT = model.LONGEST_TEXT
LONGEST_ITEM = 2_000
LONGEST_TAG = 40
MOST_ITEMS = 50
MOST_TAGS = 12
MOST_FILES = 100
MOST_CHANGES = 50

# A message names so many problems; the others are found when these are mended.
SHOWN_PROBLEMS = 3

_BREAKS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
# Letters that Unicode does not take apart into an ASCII letter and a mark.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def tidy_text(text: str) -> str:
    r"""*text* as a note keeps it: no control characters, no spaces that nobody sees.

    >>> tidy_text("\n  one \r\ntwo\x07\n\n")
    '  one\ntwo'
    """
    broken = _BREAKS.sub("\n", text)
    legible = _SURROGATES.sub("\ufffd", _CONTROLS.sub("", broken))
    return "\n".join(line.rstrip() for line in legible.split("\n")).strip("\n")


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """The first twelve of *tags*, lowercase, each once.

    >>> tidy_tags(["Postgres", "postgres ", "Query Planner", ""])
    ('postgres', 'query-planner')
    """
    tidied = dict.fromkeys(filter(None, map(_tidy_tag, tags)))
    return tuple(tidied)[:MOST_TAGS]


def _tidy_tag(tag: str) -> str:
    return markdown.one_line(tag).lower().lstrip("#").strip().replace(" ", "-")


def _tidy_name(text: str) -> str:
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", _BREAKS.sub("", text))).strip()


def _tidied(value: object) -> object:
    return tidy_text(value) if isinstance(value, str) else value


def _item(value: object) -> object:
    return tidy_text(value).strip() if isinstance(value, str) else value


def _line(value: object) -> object:
    return markdown.one_line(value) if isinstance(value, str) else value


def _name(value: object) -> object:
    return _tidy_name(value) if isinstance(value, str) else value


def _tag(value: object) -> object:
    return _tidy_tag(value) if isinstance(value, str) else value


def _each_once(value: object) -> object:
    if isinstance(value, list | tuple) and all(isinstance(tag, str) for tag in value):
        return list(dict.fromkeys(map(_tidy_tag, value)))
    return value


def _none_for_blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _moment(value: object) -> object:
    """*value* as a time in UTC; a string may stand for it."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
        if isinstance(at, datetime) and at.tzinfo:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise PydanticCustomError(
        "moment", "no time with a zone", {"fix": "Write it like 2026-11-15T13:32:07Z."}
    )


def _known_category(value: object) -> object:
    if not isinstance(value, str) or value not in CATEGORIES:
        *names, last = map(repr, CATEGORIES)
        raise PydanticCustomError(
            "unknown_category",
            "{shown} is not known",
            {"shown": _shown(value), "fix": f"For category, use {', '.join(names)} or {last}."},
        )
    return value


Id = Annotated[str, Field(pattern=ids.NOTE_ID)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), BeforeValidator(_tidied)]
Item = Annotated[str, Field(min_length=1, max_length=LONGEST_ITEM), BeforeValidator(_item)]
Line = Annotated[str, Field(min_length=1, max_length=LONGEST_LINE), BeforeValidator(_line)]
Title = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE), BeforeValidator(_line)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_LINE), BeforeValidator(_name)]
Tag = Annotated[str, Field(min_length=1, max_length=LONGEST_TAG), BeforeValidator(_tag)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
OptionalText = Annotated[Text | None, BeforeValidator(_none_for_blank)]
OptionalLine = Annotated[Line | None, BeforeValidator(_none_for_blank)]
OptionalName = Annotated[Name | None, BeforeValidator(_none_for_blank)]

# Strict about what is in a list, not about whether it is a list or a tuple.
Items = Annotated[tuple[Item, ...], Field(max_length=MOST_ITEMS, strict=False)]
SomeItems = Annotated[tuple[Item, ...], Field(min_length=1, max_length=MOST_ITEMS, strict=False)]
Files = Annotated[tuple[Name, ...], Field(max_length=MOST_FILES, strict=False)]
Ids = Annotated[tuple[Id, ...], Field(max_length=MOST_ITEMS, strict=False)]


class _Model(BaseModel):
    # Descriptions of fields are written as such: reading them from docstrings would parse this
    # file once a model whenever it is imported.
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Alternative(_Model):
    """A way that was not taken, and why."""

    option: Line
    rejected_reason: Item


class Examples(_Model):
    """What a preference looks like when it is followed, and when it is not."""

    prefer: Items = ()
    avoid: Items = ()


class NoteContent(_Model):
    """What a note of one category says; its fields are those of the category's row."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


Alternatives = Annotated[tuple[Alternative, ...], Field(max_length=MOST_ITEMS, strict=False)]

# What a value of each form is: where a note must have it, and where it may.
_REQUIRED: Mapping[Form, Any] = {
    "text": Text,
    "line": Line,
    "list": SomeItems,
    "alternatives": Alternatives,
    "flag": bool,
}
_OPTIONAL: Mapping[Form, tuple[Any, object]] = {
    "text": (OptionalText, None),
    "line": (OptionalLine, None),
    "list": (Items, ()),
    "alternatives": (Alternatives, ()),
    "examples": (Examples, Examples()),
}


def content_model(category: Category) -> type[NoteContent]:
    """Return the model of what a note of *category* says."""
    return _content_model(CATEGORIES[category])


@cache
def _content_model(row: NoteCategory) -> type[NoteContent]:
    given: dict[str, Any] = {one.name: _definition(one) for one in row.fields}
    name = row.name.title().replace("_", "")
    return create_model(name, __base__=NoteContent, __doc__=row.description, **given)


def _definition(field: NoteField) -> tuple[Any, object]:
    """Return the type of *field* and its default, as pydantic takes them."""
    kind, default = (_REQUIRED.get(field.form), ...) if field.required else _OPTIONAL[field.form]
    if field.form == "choice":
        kind = Literal[field.choices]
    if field.form == "list" and field.default is not None:
        kind = Items  # It may be empty.
    if field.description:
        kind = Annotated[kind, Field(description=field.description)]
    return kind, default


class LoggedChange(_Model):
    """One line of a note's log; the whole earlier text stands in its history."""

    date: Moment
    summary: Line
    field: OptionalLine = None
    old_value: OptionalLine = None
    new_value: OptionalLine = None


class Source(_Model):
    """Who said it, and where."""

    by: By = "user"
    session: OptionalName = None
    turn: OptionalName = None


class Evidence(_Model):
    """What the project looked like when the note was true."""

    commit: OptionalName = None
    branch: OptionalName = None
    files: Annotated[
        dict[Name, Name],
        Field(max_length=MOST_FILES, description="Paths with the hashes of their content."),
    ] = {}


class Note(_Model):
    """One thing that holds in a project. *content* is of the model of its *category*."""

    schema_version: Literal["1.0"] = "1.0"
    category: Annotated[
        Category,
        Field(description="The name of one of the categories below."),
        BeforeValidator(_known_category),
    ]
    id: Annotated[Id, Field(description="Also the name of its file.")]
    title: Title
    created_at: Moment
    updated_at: Moment
    tags: Annotated[
        tuple[Tag, ...],
        Field(min_length=1, max_length=MOST_TAGS, strict=False),
        BeforeValidator(_each_once),
    ]
    content: SerializeAsAny[NoteContent]
    related_files: Files = ()
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    record_status: Status = "active"
    retired_at: Moment | None = None
    retired_reason: OptionalLine = None
    archived_at: Moment | None = None
    archived_reason: OptionalLine = None
    changes: Annotated[
        tuple[LoggedChange, ...],
        Field(max_length=MOST_CHANGES, strict=False, description="The latest, oldest first."),
    ] = ()
    times_updated: Annotated[int, Field(ge=0)] = 0
    supersedes: Ids = ()
    superseded_by: Id | None = None
    source: Source = Source()
    evidence: Evidence = Evidence()
    pinned: bool = False
    seen: Annotated[int, Field(ge=0, description="How often it was said again.")] = 0
    visibility: Visibility = "private"
    review: Annotated[
        OptionalLine,
        Field(description="What the user should decide: `proposed`, or what it may contradict."),
    ] = None

    @field_validator("content", mode="before")
    @classmethod
    def _of_its_category(cls, content: object, info: ValidationInfo) -> object:
        category: Category | None = info.data.get("category")
        if category is None:
            raise PydanticCustomError("no_category", "of no known category", {"fix": ""})
        return content_model(category).model_validate(content)

    @property
    def active(self) -> bool:
        """True while the note is neither retired nor archived."""
        return self.record_status == "active"

    def changed(self, **changes: object) -> "Note":
        """This note with *changes*, checked like a new one."""
        return check({**dict(self), **changes})


def new(*, category: Category, title: str, content: object, now: datetime, **more: object) -> Note:
    """A note made *now*; *more* are further fields of it. Without tags it gets its category's."""
    stamps = {"created_at": now, "updated_at": now}
    named = {"category": category, "id": slug(title, category), "title": title}
    tags = more.pop("tags", None) or (category.replace("_", "-"),)
    return check({**named, **stamps, "tags": tags, "content": content, **more})


def check(fields: Mapping[str, object]) -> Note:
    """The note with these *fields*; `NoteError` says which are wrong and how to mend them."""
    try:
        return Note.model_validate(dict(fields))
    except ValidationError as error:
        raise _explained(error) from None


def slug(title: str, category: Category) -> str:
    """The id for a note called *title*: its letters in ASCII.

    Where letters are lost, a hash keeps titles apart that would look the same.

    >>> slug("Use Postgres, not MySQL!", "decision"), slug("Größe prüfen", "runbook")
    ('use-postgres-not-mysql', 'grosse-prufen')
    >>> slug("배포 절차", "tech_debt"), slug("API 설계", "decision")
    ('tech-debt-489415b0', 'api-9b65a42f')
    """
    title = markdown.one_line(title)
    spread = unicodedata.normalize("NFKD", title.lower().translate(_LETTERS))
    letters = "".join(letter for letter in spread if not unicodedata.combining(letter))
    words = re.findall("[a-z0-9]+", letters)
    name = _cut("-".join(words), LONGEST_ID - 9)
    if not words or any(letter.isalpha() and not letter.isascii() for letter in letters):
        return f"{name or category.replace('_', '-')}-{ids.text_hash(title)[:8]}"
    return name


def _cut(name: str, length: int) -> str:
    """*name* in at most *length* characters, by whole words where it has some."""
    if len(name) <= length:
        return name
    return name[: length + 1].rpartition("-")[0][:length].strip("-") or name[:length]


def schemas() -> dict[Category, dict[str, Any]]:
    """The JSON Schema of a note of each category, made from the models."""
    whole = Note.model_json_schema()
    return {category: _schema_of(category, whole) for category in CATEGORIES}


def _schema_of(category: Category, whole: Mapping[str, Any]) -> dict[str, Any]:
    content = content_model(category).__name__
    properties = {
        **whole["properties"],
        "category": {"const": category, "title": "Category", "type": "string"},
        "content": {"$ref": f"#/$defs/{content}"},
    }
    own = content_model(category).model_json_schema()
    inner = own.pop("$defs", {})
    outer = {name: each for name, each in whole["$defs"].items() if name != NoteContent.__name__}
    definitions = dict(sorted({**outer, **inner, content: own}.items()))
    return {**whole, "title": content, "properties": properties, "$defs": definitions}


def _explained(error: ValidationError) -> NoteError:
    found = [_problem(each) for each in error.errors(include_url=False)]
    # Without a category nothing can be said about the content, and a list is not empty
    # because its only entry is wrong.
    inside = {each.field.rpartition("[")[0] for each in found}
    problems = [each for each in found if each.fix and each.field not in inside] or found
    shown = "; ".join(f"{each.field}: {each.what}" for each in problems[:SHOWN_PROBLEMS])
    more = len(problems) - SHOWN_PROBLEMS
    return NoteError(
        f"{shown}; and {more} more" if more > 0 else shown,
        hint=" ".join(dict.fromkeys(each.fix for each in problems[:SHOWN_PROBLEMS])),
        problems=problems,
    )


def _problem(error: ErrorDetails) -> Problem:
    field = _field(error["loc"])
    name = field.rpartition(".")[2]
    words = _WORDS.get(error["type"], _wrong_kind)
    return Problem(field, *words(error, name))


def _field(place: Sequence[str | int]) -> str:
    """*place* as a person writes it; what comes from outside is kept short."""
    names = (f"[{part + 1}]" if isinstance(part, int) else f".{part[:60]}" for part in place)
    return markdown.one_line("".join(names)).lstrip(".") or "note"


def _missing(_: ErrorDetails, name: str) -> tuple[str, str]:
    return "missing", f"Add {name}."


def _unknown(_: ErrorDetails, name: str) -> tuple[str, str]:
    fields = {field.name for row in CATEGORIES.values() for field in row.fields}
    near = difflib.get_close_matches(name, sorted({*Note.model_fields, *fields}), n=1)
    return "unknown", f"Remove {name}{f', or write {near[0]}' if near else ''}."


def _empty(_: ErrorDetails, name: str) -> tuple[str, str]:
    return "empty", f"Write something for {name}."


def _long_text(error: ErrorDetails, name: str) -> tuple[str, str]:
    length, most = len(str(error["input"])), error["ctx"]["max_length"]
    return f"{length:,} characters, at most {most:,} fit", f"Shorten {name}."


def _long_list(error: ErrorDetails, name: str) -> tuple[str, str]:
    length, most = len(error["input"]), error["ctx"]["max_length"]
    return f"{length:,} entries, at most {most:,} fit", f"Shorten {name}."


def _not_one_of(error: ErrorDetails, name: str) -> tuple[str, str]:
    return f"{_shown(error['input'])} is not known", f"For {name}, use {error['ctx']['expected']}."


def _no_id(error: ErrorDetails, name: str) -> tuple[str, str]:
    fix = f"For {name}, use a-z, 0-9 and hyphens between them, at most {LONGEST_ID} characters."
    return f"{_shown(error['input'])} is no id", fix


def _own_words(error: ErrorDetails, _: str) -> tuple[str, str]:
    return error["msg"], str(error["ctx"]["fix"])


def _wrong_kind(error: ErrorDetails, name: str) -> tuple[str, str]:
    said = error["msg"].removeprefix("Input should be ")
    wanted = _KINDS.get(error["type"], said)
    return f"{_shown(error['input'])} is not {wanted}", f"For {name}, use {wanted}."


def _shown(value: object) -> str:
    return f'"{markdown.one_line(str(value)[:60])}"'


_KINDS: Mapping[str, str] = {
    "bool_type": "true or false",
    "dict_type": "a table of fields",
    "float_type": "a number",
    "greater_than_equal": "0 or more",
    "int_type": "a whole number",
    "less_than_equal": "1 or less",
    "model_type": "a table of fields",
    "string_type": "text",
    "tuple_type": "a list",
}
_WORDS: Mapping[str, Callable[[ErrorDetails, str], tuple[str, str]]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "string_too_short": _empty,
    "too_short": _empty,
    "string_too_long": _long_text,
    "too_long": _long_list,
    "literal_error": _not_one_of,
    "string_pattern_mismatch": _no_id,
    "moment": _own_words,
    "no_category": _own_words,
    "unknown_category": _own_words,
}
