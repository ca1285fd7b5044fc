"""The life of a note: what may happen to it, what it looks like then, and when it is due.

Nothing here reads a clock, a setting or a file. Every function returns another note; the
notebook writes it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel

from recollect.journal import markdown
from recollect.journal.model import PROPOSED
from recollect.notes import note_model
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.note_model import By, Note, Status

Step = Literal["retire", "restore", "archive", "unarchive"]

_FROM: Mapping[Step, tuple[Status, ...]] = {
    "retire": ("active",),
    "restore": ("retired",),
    "archive": ("active", "retired"),
    "unarchive": ("archived",),
}
_TO: Mapping[Step, Status] = {
    "retire": "retired",
    "restore": "active",
    "archive": "archived",
    "unarchive": "active",
}

FIXED = ("schema_version", "category", "id", "created_at")
"""What no update changes."""

STANDING = ("record_status", "retired_at", "retired_reason", "archived_at", "archived_reason")
"""What only a step changes."""

# What is the note's, not a version's.
_OWN = ("supersedes", "superseded_by", "pinned", "seen", "visibility", "review")

# Where the log may name other notes.
_LINKS = ("supersedes", "superseded_by", "review", "record_status")
ERASED = "an erased note"
# A model says so, and nobody has confirmed it.
DOUBTED = "may no longer hold"
ORPHANED = "what superseded it was erased"

# So long a note that was retired is not made anew.
REST = timedelta(hours=24)

# Why `overflow` retires a note.
_SURPLUS = re.compile(r"more than \d+ (?:notes|proposals) of this category")

# Of these no line is written in the log.
_QUIET = {*FIXED, *STANDING, "updated_at", "changes", "times_updated", "seen", "source", "evidence"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the user set for the notes of one category. 0 means without limit or end."""

    enabled: bool = True
    retention_days: int = 0
    max_notes: int = 100
    max_retained: int = 0
    """Only so many stay active, the latest."""
    grace_days: int = 30
    archive_retired: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What is to be done with a note, and why."""

    note: Note
    step: Literal["retire", "archive", "delete"]
    reason: str


def why_not(note: Note, step: Step) -> str:
    """Why *step* cannot be done to *note*, in words; empty when it can."""
    if note.record_status in _FROM[step]:
        return ""
    if note.record_status == _TO[step]:
        return f"{note.id} is {note.record_status} already"
    wanted = " or ".join(_FROM[step])
    return f"{note.id} is {note.record_status}; only what is {wanted} can be {step}d"


def stepped(note: Note, step: Step, *, now: datetime, reason: str = "") -> Note:
    """*note* after *step*, with a line in its log; what is unarchived is superseded no more."""
    if step == "unarchive":
        note = released(note)
    why = shown(reason)
    standing: dict[str, object] = dict.fromkeys(STANDING)
    if step == "retire":
        standing |= {"retired_at": now, "retired_reason": why}
    elif step == "archive":
        kept = {"retired_at": note.retired_at, "retired_reason": note.retired_reason}
        standing |= kept | {"archived_at": now, "archived_reason": why}
    standing["record_status"] = _TO[step]
    line = note_model.LoggedChange(
        date=now,
        summary=why or f"{step}d",
        field="record_status",
        old_value=note.record_status,
        new_value=_TO[step],
    )
    return note.changed(**standing, updated_at=now, changes=logged(note.changes, [line]))


def why_not_new(note: Note, existing: Iterable[Note], rules: Rules, *, now: datetime) -> str:
    """Why *note* is not made *now*, beside the *existing* ones; empty when it may be."""
    slug = note_model.slug(note.title, note.category)
    retired = [
        other.retired_at or other.updated_at
        for other in existing
        if other.record_status == "retired"
        and (other.id == note.id or note_model.slug(other.title, other.category) == slug)
    ]
    if why := why_off(note.category, rules):
        return why
    if any(now - at < REST for at in retired):
        return (
            f"{note.id} was retired in the last {REST // timedelta(hours=1)} hours: "
            "restore it, or choose another title"
        )
    if any(at > note.updated_at for at in retired):
        return f"{note.id} was retired after this was said: restore it"
    return ""


def why_off(category: Category, rules: Rules) -> str:
    """Why no notes of *category* are kept; empty when they are."""
    return (
        "" if rules.enabled else f"the category {category} is off (categories.{category}.enabled)"
    )


def why_not_superseded(new: Note, old: Note) -> str:
    """Why *new* cannot take the place of *old*; empty when it can."""
    if new.id == old.id:
        return f"{new.id} cannot supersede itself"
    if not new.active:
        return f"{new.id} is {new.record_status}; only an active note can supersede another"
    if old.superseded_by and old.superseded_by != new.id:
        return f"{old.id} is superseded by {old.superseded_by} already"
    if old.superseded_by and old.id in new.supersedes:
        return f"{old.id} is superseded by {new.id} already"
    return ""


def superseding(new: Note, old: Note, *, now: datetime) -> Note:
    """*new*, which says that it took the place of *old*."""
    replaced = tuple(dict.fromkeys([*new.supersedes, old.id]))[-note_model.MOST_ITEMS :]
    return updated(new, new.changed(supersedes=replaced), now=now, by="user")


def superseded(old: Note, new: Note, *, now: datetime) -> Note:
    """*old*, which says what took its place, and is archived: kept, and out of the way."""
    linked = _with_status(old, "superseded").changed(superseded_by=new.id)
    if old.record_status == "archived":
        return updated(old, linked, now=now, by="user")
    return stepped(linked, "archive", now=now, reason=f"superseded by {new.id}")


def released(old: Note) -> Note:
    """*old*, which nothing supersedes any more."""
    was_superseded = dict(old.content).get("status") == "superseded"
    freed = _with_status(old, "accepted") if was_superseded else old
    review = None if old.review == ORPHANED else old.review
    return freed.changed(superseded_by=None, review=review)


def accepted(note: Note) -> Note:
    """*note*, which a person has looked at: it is proposed no longer."""
    left = [each for each in (note.review or "").split(", ") if each != PROPOSED]
    return note.changed(review=", ".join(left))


def left_alone(new: Note) -> str:
    """Why a note waits for a person, now that *new*, which took its place, holds no longer."""
    return f"was superseded by {new.id}, which is {new.record_status} now"


def without_references_to(note: Note, gone: str) -> Note:
    """*note* without the name of the note *gone*, which was erased."""
    named = re.compile(rf"(?:(?<![\w/-])(?:[a-z_]+/)+)?(?<![\w-]){re.escape(gone)}(?![\w-])")

    def nameless(text: str | None) -> str | None:
        return named.sub(ERASED, text) if text else text

    waiting = [each for each in (note.review or "").split(", ") if not named.search(each)]
    if note.superseded_by == gone:
        waiting = [ORPHANED]

    def nameless_line(line: note_model.LoggedChange) -> note_model.LoggedChange:
        if line.field not in _LINKS:
            return line
        summary, old, new = map(nameless, (line.summary, line.old_value, line.new_value))
        return line.model_copy(update={"summary": summary, "old_value": old, "new_value": new})

    return note.changed(
        supersedes=tuple(each for each in note.supersedes if each != gone),
        superseded_by=None if note.superseded_by == gone else note.superseded_by,
        review=", ".join(waiting),
        retired_reason=nameless(note.retired_reason),
        archived_reason=nameless(note.archived_reason),
        changes=tuple(map(nameless_line, note.changes)),
    )


def releasing(new: Note, old: Note, *, now: datetime) -> Note:
    """*new*, which supersedes *old* no more."""
    left = tuple(each for each in new.supersedes if each != old.id)
    return updated(new, new.changed(supersedes=left), now=now, by="user")


def _with_status(note: Note, status: str) -> Note:
    """Return *note* with this *status*, if its category knows it."""
    statuses = (one.choices for one in CATEGORIES[note.category].fields if one.name == "status")
    if not any(status in choices for choices in statuses):
        return note
    return note.changed(content={**dict(note.content), "status": status})


def why_not_updated(old: Note, new: Note) -> str:
    """Why *new* is no update of *old*; empty when it is one."""
    touched = [name for name in FIXED if getattr(old, name) != getattr(new, name)]
    if touched:
        return f"{', '.join(touched)} cannot change"
    if any(getattr(old, name) != getattr(new, name) for name in STANDING):
        return "only retire, restore, archive and unarchive change where a note stands"
    return ""


def updated(old: Note, new: Note, *, now: datetime, by: By = "agent") -> Note:
    """*old* with what is new in *new*, and a line in its log for each field.

    Files stay. Tags stay too, and come first, unless it is the user who changes them. Where
    nothing is new, it is *old* itself.
    """
    tags = new.tags if by == "user" else merged_tags(old.tags, new.tags)
    paths = merged_files(old.related_files, new.related_files)
    log = {"changes": old.changes, "times_updated": old.times_updated}
    merged = new.changed(tags=tags, related_files=paths, updated_at=old.updated_at, **log)
    if merged == old:
        return old
    lines = differences(old, merged, now=now)
    return merged.changed(
        updated_at=now,
        changes=logged(old.changes, lines),
        times_updated=old.times_updated + bool(lines),
    )


def rewritten(old: Note, new: Note, *, now: datetime, by: By) -> Note:
    """*new*, which a person wrote or not: a word that is not theirs says whose it is."""
    if by == "user":
        return accepted(new)
    return updated(old, new.changed(source={**dict(new.source), "by": by}), now=now, by=by)


def refreshed(old: Note, new: Note, *, now: datetime) -> Note:
    """The snapshot *old* of a session as *new* tells it; its log would only repeat the journal."""
    fields = ("title", "tags", "content", "related_files", "confidence", "source", "evidence")
    renewed = old.changed(**{name: getattr(new, name) for name in fields})
    return (
        old
        if renewed == old
        else renewed.changed(updated_at=now, times_updated=old.times_updated + 1)
    )


def reverted(version: Note, current: Note, *, number: int, now: datetime) -> Note:
    """What *version* said, standing where the note stands now."""
    standing = (*FIXED, *STANDING, *_OWN)
    line = note_model.LoggedChange(date=now, summary=f"version {number} brought back")
    return version.changed(
        **{name: getattr(current, name) for name in standing},
        updated_at=now,
        changes=logged(current.changes, [line]),
        times_updated=current.times_updated + 1,
    )


def differences(
    old: Note, new: Note, *, now: datetime, summary: str = ""
) -> list[note_model.LoggedChange]:
    """A line of the log for each field that differs."""
    before, after = _fields(old), _fields(new)
    given = shown(summary)
    return [
        note_model.LoggedChange(
            date=now,
            summary=given or f"{name} changed",
            field=name,
            old_value=shown(before[name]),
            new_value=shown(after[name]),
        )
        for name in after
        if before[name] != after[name]
    ]


def _fields(note: Note) -> dict[str, object]:
    fields = {name: value for name, value in note if name not in _QUIET and name != "content"}
    return fields | dict(note.content)


def shown(value: object) -> str | None:
    """*value* on one line that fits the log; None when it says nothing."""
    match value:
        case tuple():
            text = "; ".join(filter(None, map(shown, value)))
        case BaseModel():
            text = ": ".join(filter(None, (shown(inner) for _, inner in value)))
        case None:
            text = ""
        case _:
            text = str(value)
    # A long text is cut before it is tidied: the log needs no more of it.
    line = markdown.one_line(text[: 4 * note_model.LONGEST_LINE])
    fits = len(line) <= note_model.LONGEST_LINE and len(text) <= 4 * note_model.LONGEST_LINE
    return (line if fits else line[: note_model.LONGEST_LINE - 1].rstrip() + "…") or None


def logged(
    changes: Iterable[note_model.LoggedChange], lines: Iterable[note_model.LoggedChange]
) -> tuple[note_model.LoggedChange, ...]:
    """The latest fifty of *changes* and the new *lines*."""
    return (*changes, *lines)[-note_model.MOST_CHANGES :]


def merged_tags(own: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Twelve tags at most, the note's *own* first.

    >>> merged_tags(["db"], ["Postgres", "DB"])
    ('db', 'postgres')
    """
    return note_model.tidy_tags([*own, *others])


def merged_files(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The *old* files, and the *new* ones.

    >>> merged_files(["a.py", "b.py"], ["b.py", "c.py"])
    ('a.py', 'b.py', 'c.py')
    """
    return tuple(dict.fromkeys([*old, *new]))[: note_model.MOST_FILES]


def due(
    kept: Iterable[Note],
    rules: Mapping[Category, Rules],
    *,
    now: datetime,
) -> list[Due]:
    """What the *rules* want done with the notes *kept*."""
    listed = list(kept)
    found: list[Due] = []
    for category in CATEGORIES:
        own = [note for note in listed if note.category == category]
        rule = rules.get(category, Rules())
        outdated = _outdated(own, rule, now)
        gone = {each.note.id for each in outdated}
        left = [note for note in own if note.id not in gone]
        found += [*_past_grace(own, rule, now), *outdated, *overflow(left, rule)]
    return found


def _past_grace(own: Iterable[Note], rules: Rules, now: datetime) -> list[Due]:
    grace = timedelta(days=rules.grace_days)
    reason = f"retired more than {rules.grace_days} days ago"
    return [
        Due(note=note, step="archive" if rules.archive_retired else "delete", reason=reason)
        for note in own
        if note.record_status == "retired" and now - (note.retired_at or note.updated_at) >= grace
    ]


def _outdated(own: Iterable[Note], rules: Rules, now: datetime) -> list[Due]:
    if not rules.retention_days:
        return []
    age = timedelta(days=rules.retention_days)
    reason = f"not updated for {rules.retention_days} days"
    return [
        Due(note=note, step="retire", reason=reason)
        for note in own
        if note.active and not note.pinned and now - note.updated_at >= age
    ]


def overflow(own: Iterable[Note], rules: Rules, *, spare: str = "") -> list[Due]:
    """Which notes of one category are too many: the least often met again, then the oldest.

    Of a window of the latest only their age counts. What is pinned stays, and so does the note
    *spare*. What is only proposed is counted apart: it takes no place from what holds.
    """
    active = [note for note in own if note.active]
    held = [note for note in active if not is_proposed(note)]
    proposed = [note for note in active if is_proposed(note)]
    limit = min(filter(None, (rules.max_notes, rules.max_retained)), default=len(held))
    return [
        *_surplus(held, limit, spare, key=_age if limit == rules.max_retained else _worth),
        *_surplus(proposed, rules.max_notes or len(proposed), spare, key=_age),
    ]


def _surplus(
    counted: Sequence[Note], limit: int, spare: str, *, key: Callable[[Note], Any]
) -> list[Due]:
    loose = [note for note in counted if not note.pinned and note.id != spare]
    what = "proposals" if any(map(is_proposed, counted)) else "notes"
    reason = f"more than {limit} {what} of this category"
    surplus = max(len(counted) - limit, 0)
    return [
        Due(note=note, step="retire", reason=reason) for note in sorted(loose, key=key)[:surplus]
    ]


def is_surplus(note: Note) -> bool:
    """True when *note* was retired because there were too many of its category."""
    return note.record_status == "retired" and bool(_SURPLUS.fullmatch(note.retired_reason or ""))


def no_room(note: Note, others: Iterable[Note], rules: Rules) -> str:
    """Why there is no place for *note* among the *others*; empty when there is.

    What was said earlier pushes out nothing that was said later: it is itself one too many.
    """
    alike = [other for other in others if is_proposed(other) == is_proposed(note)]
    pushed = overflow([*alike, note], rules, spare=note.id)
    if note.pinned or all(each.note.updated_at <= note.updated_at for each in pushed):
        return ""
    return f"there would be {pushed[0].reason}, and it is older than those"


def is_proposed(note: Note) -> bool:
    """True while nobody has said yes to *note*."""
    return (note.review or "").startswith(PROPOSED)


def _age(note: Note) -> tuple[datetime, str]:
    return note.updated_at, note.id


def _worth(note: Note) -> tuple[int, datetime, str]:
    return note.seen, note.updated_at, note.id
