"""Notes as JSON records, for other programs and other machines, and back.

A record has the keys that such programs share, and no others; `full_record` adds those that
only Recollect has. What a person added to a file beyond them is in neither: `note_text.beyond`
names it. What a record does not give stays as it is in the note that is here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from recollect.errors import NoteError
from recollect.notes import lifecycle, note_model
from recollect.notes.note_model import Note

OWN = (
    *("supersedes", "superseded_by", "source", "evidence"),
    *("pinned", "seen", "visibility", "review"),
)
"""What only Recollect has."""

AS_HERE = "as it is here"
NEWER_HERE = "newer here"
ONE_TOO_MANY = "retired here as one too many"
AT_THE_SAME_TIME = "changed at the same time here, and the one here stays"

# Always written, though they may be left out: programs look for them.
_ALWAYS = ("schema_version", "record_status", "times_updated")

# The log tells of what was said, and says nothing itself.
_LOG = ("updated_at", "changes", "times_updated")

# A record, its content, the examples or changes in it: nothing of ours is deeper.
_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A note from elsewhere, and which of its fields were *given* there."""

    note: Note
    given: frozenset[str]

    @property
    def name(self) -> str:
        """What it is called here, too: `category/id`."""
        return f"{self.note.category}/{self.note.id}"


def record(note: Note) -> dict[str, object]:
    """*note* with the keys that other programs know; what says nothing is left out."""
    fields = note.model_dump(
        mode="json", exclude=set(OWN), exclude_defaults=True, exclude_none=True
    ) | note.model_dump(mode="json", include=set(_ALWAYS))
    return {name: fields[name] for name in Note.model_fields if name in fields}


def full_record(note: Note) -> dict[str, object]:
    """*note* with every key; empty ones, too, because they say that there is nothing."""
    return record(note) | note.model_dump(mode="json", include=set(OWN))


def read(value: object) -> Incoming:
    """The note that the record *value* is; `NoteError` says what is wrong with it.

    Beyond what the models allow, a time may lack its zone (UTC), `null` stands for what is not
    there, and of too many tags and changes the first and the latest count, as in a file.
    """
    if not isinstance(value, dict):
        raise NoteError("not a record", hint="A record is a JSON object with the fields of a note.")
    present = _present(value, _DEPTH)
    assert isinstance(present, dict)
    fields = {name: _KINDS.get(name, _as_it_is)(each) for name, each in present.items()}
    return Incoming(
        note=note_model.check(fields), given=frozenset(value) & Note.model_fields.keys()
    )


def why_not(kept: Note, incoming: Incoming) -> str:
    """Why *incoming* changes nothing about *kept*, the note of its name; empty when it does."""
    if joined(kept, incoming) == kept:
        return AS_HERE
    if kept.updated_at > incoming.note.updated_at:
        one_too_many = incoming.note.active and lifecycle.is_surplus(kept)
        return f"{ONE_TOO_MANY}: recollect restore {incoming.name}" if one_too_many else NEWER_HERE
    return AT_THE_SAME_TIME if kept.updated_at == incoming.note.updated_at else ""


def joined(kept: Note, incoming: Incoming) -> Note:
    """*kept*, saying and standing as *incoming* does. Its log is as it was."""
    new = incoming.note
    given = {*incoming.given, *lifecycle.STANDING} - {*lifecycle.FIXED, *_LOG}
    fields = {name: getattr(new, name) for name in given}
    fields["tags"] = lifecycle.merged_tags(kept.tags, new.tags)
    fields["related_files"] = lifecycle.merged_files(kept.related_files, new.related_files)
    return kept.changed(**fields)


def overtaken(kept: Note, incoming: Incoming, *, now: datetime) -> Note:
    """*kept* after the later *incoming* came: the log has what happened here and elsewhere."""
    merged = joined(kept, incoming)
    lines = [
        *lifecycle.differences(kept, merged, now=now, summary="imported"),
        *_stands_otherwise(kept, merged, now=now),
    ]
    earlier = dict.fromkeys((*kept.changes, *incoming.note.changes))
    return merged.changed(
        updated_at=incoming.note.updated_at,
        changes=lifecycle.logged(sorted(earlier, key=lambda line: line.date), lines),
        times_updated=max(kept.times_updated, incoming.note.times_updated) + bool(lines),
    )


def _stands_otherwise(old: Note, new: Note, *, now: datetime) -> list[note_model.LoggedChange]:
    if old.record_status == new.record_status:
        return []
    return [
        note_model.LoggedChange(
            date=now,
            summary="imported",
            field="record_status",
            old_value=old.record_status,
            new_value=new.record_status,
        )
    ]


def _present(value: object, depth: int) -> object:
    """*value* without keys that hold nothing, down to the *depth* that a note has."""
    if not depth:
        return value
    match value:
        case dict():
            return {
                name: _present(each, depth - 1) for name, each in value.items() if each is not None
            }
        case list():
            return [_present(each, depth - 1) for each in value]
        case _:
            return value


def _as_it_is(value: object) -> object:
    return value


def _moment(value: object) -> object:
    """A time without a zone is taken as UTC; what is no time is left for the models to refuse."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return value
    return at.replace(tzinfo=UTC) if at and not at.tzinfo else value


def _tags(value: object) -> object:
    if isinstance(value, list) and all(isinstance(tag, str) for tag in value):
        return note_model.tidy_tags(value) or value
    return value


def _changes(value: object) -> object:
    if not isinstance(value, list):
        return value
    return [_change(each) for each in value[-note_model.MOST_CHANGES :]]


def _change(value: object) -> object:
    if not isinstance(value, dict) or "date" not in value:
        return value
    return {**value, "date": _moment(value["date"])}


_KINDS: Mapping[str, Callable[[object], object]] = {
    "archived_at": _moment,
    "changes": _changes,
    "created_at": _moment,
    "retired_at": _moment,
    "tags": _tags,
    "updated_at": _moment,
}
