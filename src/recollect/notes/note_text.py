"""A note as a Markdown file, and back.

    ---
    category: decision
    tags:
      - postgres
    status: accepted
    ---
    # Postgres for orders

    ## Decision

    Orders live in Postgres.

    ## Alternatives

    - MySQL: rejected because it has no partial indexes

Short fields stand in the front matter, each longer one under its own heading. A rewrite
touches the keys and sections whose values changed; everything else keeps its bytes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn

from pydantic import BaseModel

from recollect.errors import NoteError
from recollect.notes import front_matter, note_body, note_model
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.front_matter import Document
from recollect.notes.note_body import Body, BodySection
from recollect.notes.note_model import Note
from recollect.notes.plain_yaml import Plain, Read

# Larger than any note that fits the models; more is not read at all.
LARGEST = 1_000_000

_TABLES: Mapping[str, type[BaseModel]] = {
    "source": note_model.Source,
    "evidence": note_model.Evidence,
}
_FIRST_KEYS = ("schema_version", "category", "id", "created_at", "updated_at", "tags")
_LAST_KEYS = (
    *("related_files", "confidence", "record_status", "retired_at", "retired_reason"),
    *("archived_at", "archived_reason", "supersedes", "superseded_by", "source", "evidence"),
    *("pinned", "seen", "visibility", "review", "times_updated", "changes"),
)


def _order(category: Category) -> tuple[str, ...]:
    """Return the keys of the front matter, in the order in which we write them."""
    return (*_FIRST_KEYS, *CATEGORIES[category].keys, *_LAST_KEYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePlace:
    """What the place of a file says about the note in it."""

    category: Category
    id: str
    modified: datetime
    """When the file was last written: its age, where it does not say so itself."""


def render(note: Note) -> str:
    """*note* as a new file."""
    document = Document()
    body = f"# {note.title}\n"
    for field, form in CATEGORIES[note.category].sections.items():
        if text := note_body.write(form, getattr(note.content, field)):
            body += f"\n## {note_body.heading(field)}\n\n{text}\n"
    text = front_matter.rewrite(document, _keys(note), body=body, order=_order(note.category))
    return _proved(
        text, note, NotePlace(category=note.category, id=note.id, modified=note.updated_at)
    )


def read(text: str, place: NotePlace) -> Note:
    """The note that *text* is; `NoteError` says on which line it is broken, and the fix.

    What a person may well leave out is taken from the *place*, from the title, and from
    what stands below the title.
    """
    document = _document(text)
    return _note(document, _body(document, place.category), place)


def rewrite(text: str, note: Note, place: NotePlace) -> str:
    """*text*, the file at *place*, changed so that it reads as *note*."""
    document = _document(text)
    body = _body(document, place.category)
    old = _note(document, body, place)
    rewritten = front_matter.rewrite(
        document,
        _changed_keys(document, old, note),
        body=_rewritten_body(document, body, old, note),
        order=_order(note.category),
    )
    return _proved(rewritten, note, place)


def beyond(text: str, category: Category) -> list[str]:
    r"""What a person added to a file that no field of ours holds: keys, and sections.

    >>> beyond("# Title\n\n## Rule\n\nx\n\n## Links\n\ny\n", "constraint")
    ['the section Links']
    """
    document = _document(text)
    ours = {"title", *_FIRST_KEYS, *_LAST_KEYS, *CATEGORIES[category].keys}
    keys = [f"the key {key.name}" for key in document.keys if key.name not in ours]
    blocks = _body(document, category).blocks
    headings = [
        block.text.partition("\n")[0].lstrip("#").strip() for block in blocks if not block.field
    ]
    return [*keys, *(f"the section {heading}".rstrip() for heading in headings)]


def _proved(text: str, note: Note, place: NotePlace) -> str:
    """*text*, which is certain to read as *note*: nothing else is ever written."""
    if read(text, place) != note:
        raise NoteError(
            f"{note.id}: cannot be written so that it reads back as it is",
            hint="Look for a code block that is not closed, or a heading that stands twice.",
        )
    return text


def _document(text: str) -> Document:
    if len(text) > LARGEST:
        raise NoteError(
            f"{len(text):,} characters, at most {LARGEST:,} are read",
            hint="Move the long part to a file of the project, and name it in related_files.",
        )
    return front_matter.read(text)


def _body(document: Document, category: Category) -> Body:
    return note_body.parse(document.body, tuple(CATEGORIES[category].sections))


def _keys(note: Note) -> dict[str, Plain]:
    """The front matter of *note*; what has its default value is not written."""
    keys: dict[str, Plain] = note.model_dump(
        exclude={"title", "content"}, exclude_defaults=True, exclude_none=True
    )
    keys |= {"schema_version": note.schema_version}
    if "source" in keys:
        keys["source"] = {"by": note.source.by} | note.source.model_dump(exclude_none=True)
    keys |= note.content.model_dump(include=set(CATEGORIES[note.category].keys), exclude_none=True)
    return {name: keys[name] for name in _order(note.category) if name in keys}


def _changed_keys(document: Document, old: Note, note: Note) -> dict[str, Plain]:
    before, after, order = _keys(old), _keys(note), _order(note.category)
    named = document.values
    changed = {name: after.get(name) for name in order if before.get(name) != after.get(name)}
    # A time that was the file's own would change with the file.
    lost = [name for name in ("created_at", "updated_at") if named.get(name) is None]
    if named.get("id") not in (None, note.id):
        lost.append("id")
    if old.title != note.title:
        changed |= {"title": note.title} if "title" in named else {}
        lost += ["topic"] if "topic" in after and named.get("topic") is None else []
    changed |= {name: after[name] for name in lost}
    for name, model in _TABLES.items():
        ours, there = changed.get(name), named.get(name)
        if isinstance(ours, Mapping) and isinstance(there, dict):
            theirs = {key: value for key, value in there.items() if key not in model.model_fields}
            changed[name] = {**ours, **theirs}
    return {name: changed[name] for name in ("title", *order) if name in changed}


def _note(document: Document, body: Body, place: NotePlace) -> Note:
    _check_place(document, place)
    title = _title(document, body, place)
    fields = {
        "category": place.category,
        "created_at": place.modified,
        "updated_at": place.modified,
        "tags": (place.category.replace("_", "-"),),
        **_metadata(document.values),
        "id": place.id,
        "title": title,
        "content": _content(document, body, place.category, title=title),
    }
    try:
        return note_model.check(fields)
    except NoteError as error:
        raise _located(error, document, body) from None


def _check_place(document: Document, place: NotePlace) -> None:
    stated = document.values.get("category")
    if stated is not None and str(stated).replace("-", "_") != place.category:
        folder = CATEGORIES[place.category].folder
        _refuse(
            document.line_of("category"),
            f'"{str(stated)[:60]}" is not the category of a file in {folder}/',
            f"Move the file to the folder of its category, or write {place.category}.",
        )


def _refuse(line: int, what: str, fix: str) -> NoReturn:
    raise NoteError(f"line {line}: {what}", hint=fix, line=line)


def _title(document: Document, body: Body, place: NotePlace) -> str:
    """The first heading; without one the key `title`, or the name of the file."""
    stated = document.values.get("title")
    if body.title is not None:
        return body.above[body.title][1:].strip() or str(stated or "")
    return stated if isinstance(stated, str) else place.id.replace("-", " ").capitalize()


def _metadata(values: Mapping[str, Read]) -> dict[str, object]:
    """The fields of the note in the front matter, of the types that the models want."""
    known = {*_FIRST_KEYS, *_LAST_KEYS} - {"category", "id"}
    return {
        name: _KINDS.get(name, _as_it_is)(value)
        for name, value in values.items()
        if name in known and value is not None
    }


def _content(
    document: Document, body: Body, category: Category, *, title: str
) -> dict[str, object]:
    values = document.values
    short = {
        name: _KINDS.get(name, _as_it_is)(values[name])
        for name in CATEGORIES[category].keys
        if values.get(name) is not None
    }
    row = CATEGORIES[category]
    # What a file leaves out of its keys and has no default is what its title says.
    titled = {one.name: title for one in row.fields if one.form == "line" and one.required}
    return {**titled, **row.defaults, **short, **_sections(document, body, category)}


def _sections(document: Document, body: Body, category: Category) -> dict[str, object]:
    """The values of the sections; the first stands for what is needed and not there."""
    fields: dict[str, Any] = {
        field: note_body.read(
            form, "\n\n".join(block.below.strip("\r\n") for block in body.of(field))
        )
        for field, form in CATEGORIES[category].sections.items()
        if body.of(field)
    }
    main = CATEGORIES[category].main
    text = fields.setdefault(main, body.lead)
    if not text:
        below = (
            f"Write it below a line with `## {note_body.heading(main)}`, or right below the title."
        )
        _refuse(document.body_line, f"there is no text for {main}", below)
    gist = text.strip().partition("\n\n")[0][: note_model.LONGEST_ITEM]
    for field in CATEGORIES[category].filled_by_main:
        fields.setdefault(field, text if CATEGORIES[category].sections[field] == "text" else [gist])
    return fields


def _as_it_is(value: Read) -> object:
    return value


def _flag(value: Read) -> object:
    return {"true": True, "false": False}.get(str(value).lower(), value)


def _number(value: Read) -> object:
    """A value that is no number stays as it is, for the models to refuse."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _whole(value: Read) -> object:
    plain = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
    return int(str(value)) if plain else value


def _moment(value: Read) -> object:
    """A time without a zone is taken as UTC: people write plain dates."""
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        return value
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _listed(value: Read) -> object:
    return [value] if isinstance(value, str) else value


def _tags(value: Read) -> object:
    """People write `a, b`, and more than twelve; the first ones count."""
    tags = value.split(",") if isinstance(value, str) else value
    if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags):
        return note_model.tidy_tags(str(tag) for tag in tags) or tags
    return value


def _ours_of(model: type[BaseModel]) -> Callable[[Read], object]:
    """Leave out the keys inside a table that are not ours."""

    def ours(value: Read) -> object:
        if not isinstance(value, dict):
            return value
        return {name: each for name, each in value.items() if name in model.model_fields}

    return ours


def _changes(value: Read) -> object:
    if not isinstance(value, list):
        return value
    return [_ours_of(note_model.LoggedChange)(change) for change in value][
        -note_model.MOST_CHANGES :
    ]


_KINDS: Mapping[str, Callable[[Read], object]] = {
    "active": _flag,
    "archived_at": _moment,
    "changes": _changes,
    "confidence": _number,
    "created_at": _moment,
    "evidence": _ours_of(note_model.Evidence),
    "pinned": _flag,
    "related_files": _listed,
    "retired_at": _moment,
    "seen": _whole,
    "source": _ours_of(note_model.Source),
    "supersedes": _listed,
    "tags": _tags,
    "times_updated": _whole,
    "updated_at": _moment,
}


def _located(error: NoteError, document: Document, body: Body) -> NoteError:
    """*error* with the line on which its first field stands."""
    field = error.problems[0].field.removeprefix("content.")
    name = re.split(r"[.\[]", field, maxsplit=1)[0]
    line = document.line_of(name)
    blocks = body.of(name)
    if blocks:
        line = document.body_line + blocks[0].line
    elif name == "title" and body.title is not None:
        line = document.body_line + body.title
    return NoteError(
        f"line {line}: {error.message}", hint=error.hint, problems=error.problems, line=line
    )


def _rewritten_body(document: Document, body: Body, old: Note, note: Note) -> str:
    forms = CATEGORIES[note.category].sections
    values = {field: getattr(note.content, field) for field in forms}
    changed = {field for field in forms if getattr(old.content, field) != values[field]}
    main = CATEGORIES[note.category].main
    if main in changed:
        # What stood for other sections stands for them no longer.
        filled = CATEGORIES[note.category].filled_by_main
        changed |= {field for field in filled if not body.of(field)}
        body = body if body.of(main) else _without_lead(body)
    if old.title != note.title:
        body = _with_title(document, body, note.title)
    blocks = [BodySection("", "".join(body.above)), *body.blocks]
    for field in filter(changed.__contains__, forms):
        section = BodySection(field, note_body.write(forms[field], values[field]))
        blocks = note_body.put(blocks, section, order=tuple(forms), newline=document.newline)
    return "".join(block.text for block in blocks)


def _without_lead(body: Body) -> Body:
    return body._replace(above=() if body.title is None else body.above[: body.title + 1])


def _with_title(document: Document, body: Body, title: str) -> Body:
    if body.title is None:
        # Then the key `title` says it, unless there is none.
        heading = () if "title" in document.values else (f"# {title}{document.newline * 2}",)
        return body._replace(above=(*heading, *body.above))
    above = list(body.above)
    there = above[body.title]
    above[body.title] = f"# {title}{there[len(there.rstrip()) :]}"
    return body._replace(above=tuple(above))
