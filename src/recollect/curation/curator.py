"""The notes of one home: made of what was said, found again, changed, retired, collected."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from recollect import ids, paths
from recollect.config import Settings
from recollect.curation import keeping
from recollect.curation.forget import Forgetting, Gone
from recollect.curation.import_notes import DryRun, ImportTarget, NoteImport
from recollect.errors import NotFoundError, RecollectError
from recollect.journal import markdown
from recollect.journal.model import PROPOSED
from recollect.notes import draft, lifecycle, note_model
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.compare import Nearness, statement
from recollect.notes.draft import NoteDraft
from recollect.notes.lifecycle import Rules, Step
from recollect.notes.note_model import By, Evidence, Note, Source, Status
from recollect.privacy import redact
from recollect.store.contract.library import Forgotten
from recollect.store.contract.notes import (
    BrokenNote,
    ChangeResult,
    DeletedNote,
    NoteTrouble,
    NoteVersion,
    StoredNote,
)
from recollect.store.contract.search import IndexRow
from recollect.store.note_reader import unreadable
from recollect.store.notebook import Notebook
from recollect.text.identifiers import identifiers

FORGOTTEN = "forgotten"
ERASED = "it was forgotten for good"
PAST_GRACE = "forgotten, and past its grace"

# A path, or the name of a file.
_FILE = re.compile(r"[/\\]|\w\.\w{1,5}$")

AnyNote: TypeAlias = StoredNote | BrokenNote | DeletedNote


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedEntry:
    """What was taken out of the journal of a project, and can still be put back."""

    project: str
    taken: Forgotten

    @property
    def name(self) -> str:
        """What it is known by: its id."""
        return self.taken.id


Memory: TypeAlias = AnyNote | IndexRow | RemovedEntry
"""Whatever can be forgotten, or erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFilter:
    """Which notes are to be listed."""

    categories: Sequence[str] = ()
    statuses: Sequence[str] = ("active",)
    tags: Sequence[str] = ()
    text: str = ""

    def allows(self, note: Note) -> bool:
        """Tell whether *note* is one of them."""
        said = f"{note.title}\n{statement(note)}".casefold()
        return (
            (not self.categories or note.category in self.categories)
            and note.record_status in self.statuses
            and set(self.tags) <= set(note.tags)
            and self.text.casefold() in said
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What is past its time, and what is to be done with it."""

    step: Literal["retire", "archive", "delete", "erase"]
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What a person wants to be remembered."""

    text: str
    category: Category | None = None
    """Guessed if it is not said."""
    title: str = ""
    tags: Sequence[str] = ()
    pinned: bool = False
    by: By = "user"
    """Who wants it: what an agent says is not the user's own word."""


class Curator:
    """The notes of one home.

    *refresh* brings what follows from a library in step; *evidence* tells what a project looks
    like now, and which of some names are files in it. *projects* are those that may have notes.
    """

    def __init__(  # noqa: PLR0913 - one parameter a part
        self,
        *,
        notebook: Callable[[str], Notebook],
        settings: Callable[[str], Settings],
        refresh: Callable[[str], None],
        forgetting: Forgetting,
        evidence: Callable[[str, Sequence[str]], Evidence],
        projects: Callable[[], Sequence[str]],
        nearness: Nearness = lambda _text, _others: {},
    ) -> None:
        self._evidence = evidence
        self._projects = projects
        self._forgetting = forgetting
        self._notebook = notebook
        self._settings = settings
        self._refresh = refresh
        self._nearness = nearness

    # Making them.

    def remember(self, said: Saying, *, project: str, now: datetime) -> ChangeResult:
        """Make a note of what a person said; nothing is added to it.

        What an agent wants to hold everywhere is proposed: a session that was led astray must not
        speak to all others.
        """
        is_for_all = said.by == "agent" and project == paths.EVERYWHERE
        text = redact.clean(said.text)
        made = draft.from_sentence(said.category, text)
        # Whatever the draft is made of, every word of a person stays.
        made = replace(made, content={**made.content, CATEGORIES[made.category].main: text})
        made = replace(made, tags=(*map(redact.clean, said.tags), *_words(made.tags)))
        if said.title:
            made = replace(made, title=redact.clean(said.title))
        seen = self._evidence(project, identifiers(said.text))
        made = replace(made, related_files=tuple(seen.files))
        return self.keep(
            made,
            project=project,
            now=now,
            source={"by": said.by},
            evidence=seen.model_dump(),
            pinned=said.pinned,
            review=PROPOSED if is_for_all else None,
        )

    def keep(
        self,
        draft: NoteDraft,
        *,
        project: str,
        now: datetime,
        said_at: datetime | None = None,
        **more: object,
    ) -> ChangeResult:
        """Make a note of *draft*, or add it to what is there; *more* are fields of the note.

        What was said earlier than *now* is a note of *said_at*.
        """
        rules = self.rules(project, draft.category)
        if why := lifecycle.why_off(draft.category, rules):
            return ChangeResult(outcome="nothing", id="", reason=why)
        by_us = Source.model_validate(more.get("source", {})).by != "user"
        note = note_model.new(
            category=draft.category,
            title=draft.title,
            content=dict(draft.content),
            now=said_at or now,
            tags=_words(draft.tags) if by_us else tuple(draft.tags),
            related_files=tuple(draft.related_files),
            confidence=draft.confidence,
            **more,
        )
        if by_us:
            note = note.changed(content=_legible(note.content.model_dump()))
            if self._is_buried(note, project):
                return _nothing(note, ERASED)
        # Two that say the same at once must not both find nothing like it.
        with self._changing(project) as notebook, notebook.store.comparing():
            return keeping.keep(
                note,
                notebook,
                everywhere=self._notebook(paths.EVERYWHERE),
                rules=rules,
                now=now,
                nearness=self._nearness,
            )

    def _is_buried(self, note: Note, project: str) -> bool:
        """Tell whether *note*, or what was made of the same words, was erased."""
        return any(self._forgetting.is_buried(project, mark) for mark in _marks(note))

    def snapshot(self, note: Note, *, project: str, now: datetime) -> ChangeResult:
        """Keep *note*, how a session stands, in place of what was kept of it before."""
        rules = self.rules(project, note.category)
        note = note.changed(content=_legible(note.content.model_dump()))
        if self._is_buried(note, project):
            return _nothing(note, ERASED)
        with self._changing(project) as notebook:
            return notebook.snapshot(note, now=now, rules=rules)

    def note_import(self, project: str, *, now: datetime) -> NoteImport:
        """Return what keeps notes from elsewhere in *project*."""
        return NoteImport(self._target(project), now=now)

    def dry_run(self, project: str, *, now: datetime) -> DryRun:
        """Return what says what `note_import` would do, and changes nothing."""
        return DryRun(self._target(project), now=now)

    def _target(self, project: str) -> ImportTarget:
        return ImportTarget(
            notebook=self._notebook(project),
            rules=self._all_rules(project),
            is_buried=lambda note: self._is_buried(note, project),
            refresh=lambda: self._refresh(project),
        )

    # Finding them.

    def listed(self, projects: Iterable[str], wanted: NoteFilter) -> list[StoredNote]:
        """Return the *wanted* notes, the latest first."""
        found = [
            held
            for project in projects
            for held in self._notebook(project).notes()
            if wanted.allows(held.note)
        ]
        return sorted(found, key=lambda held: held.note.updated_at, reverse=True)

    def unread(self, projects: Iterable[str], categories: Sequence[str] = ()) -> list[BrokenNote]:
        """Return what should be a note, of *categories* if any, and cannot be read."""
        found = [
            broken
            for project in projects
            for notebook in [self._notebook(project)]
            for broken in (*notebook.broken(), *notebook.misnamed())
        ]
        return [one for one in found if not categories or one.name.split("/")[0] in categories]

    def find(self, prefix: str, among: Sequence[str]) -> StoredNote:
        """Return the one note in the projects *among* whose name begins with *prefix*.

        Raises `NotFoundError`, which says so if there are several, or `NoteError` when its file
        cannot be read.
        """
        found = self.look_up(prefix, among=among)
        if isinstance(found, BrokenNote):
            raise unreadable(found)
        return found

    def look_up(self, prefix: str, among: Sequence[str]) -> StoredNote | BrokenNote:
        """Return what `find` does, also if its file cannot be read."""
        found: list[StoredNote | BrokenNote] = []
        missing: list[NotFoundError] = []
        for project in dict.fromkeys(among):
            try:
                found.append(self._notebook(project).look_up(prefix))
            except NotFoundError as error:
                missing.append(error)
        chosen = [one for one in found if prefix in (one.name, _id(one))] or found
        if len(chosen) > 1:
            raise _several(prefix, chosen)
        if not chosen:
            raise next((one for one in missing if "no such" not in one.message), missing[0])
        return chosen[0]

    def look_back(self, prefix: str, among: Sequence[str]) -> AnyNote:
        """Return what `look_up` does, or the note that has only its history left."""
        deleted: list[DeletedNote] = []
        for project in dict.fromkeys(among):
            with suppress(NotFoundError):
                deleted.append(self._notebook(project).find_deleted(prefix))
        exact = [one for one in deleted if _is_whole(prefix, one)]
        try:
            held = self.look_up(prefix, among)
        except NotFoundError as error:
            # What may mean several that are there means none that is gone.
            meant = exact or (deleted if "no such" in error.message else [])
            if len(meant) > 1:
                raise _several(prefix, meant) from None
            if not meant:
                raise
            return meant[0]
        return exact[0] if exact and not _is_whole(prefix, held) else held

    def troubles(self, project: str) -> list[NoteTrouble]:
        """Return what a person should look at: what cannot be read as a note, or is odd."""
        notebook = self._notebook(project)
        unread = (*notebook.broken(), *notebook.misnamed())
        return [*(one.trouble for one in unread), *notebook.doubtful()]

    def at(self, location: str, project: str) -> StoredNote | None:
        """Return the note of *project* at this *location*; None if it cannot be read as one."""
        return self._notebook(project).at(location)

    def history(self, held: AnyNote) -> list[NoteVersion]:
        """Return every version of a note, oldest first."""
        return self._notebook(held.project).versions(held.name)

    def version(self, held: AnyNote, number: int) -> str:
        """Return all that a note said in the version *number*. Raises `NotFoundError`."""
        return self._notebook(held.project).version(held.name, number)

    # Changing them.

    def step(
        self, held: StoredNote, step: Step, *, now: datetime, reason: str = ""
    ) -> ChangeResult:
        """Retire, restore, archive or unarchive a note."""
        with self._changing(held.project) as notebook:
            return notebook.step(held.name, step, now=now, reason=redact.clean(reason))

    def restore(self, memory: Memory, *, now: datetime) -> ChangeResult:
        """Let *memory* hold again that was retired, deleted, or taken out of the journal."""
        match memory:
            case RemovedEntry():
                self._forgetting.restore(memory.project, memory.taken.id)
                return ChangeResult(
                    outcome="restored", id=memory.taken.id, reason=memory.taken.title
                )
            case DeletedNote():
                return self.revert_to(memory.name, [memory.project], now=now)
            case BrokenNote():
                raise unreadable(memory)
            case StoredNote():
                return self.step(memory, "restore", now=now)
            case IndexRow():
                return ChangeResult(outcome="nothing", id=memory.id, reason="it was not forgotten")

    def removed(self, prefix: str, project: str) -> list[RemovedEntry]:
        """Return what was taken out of the journal of *project* and has an id that begins so."""
        forgotten = self._forgetting.forgotten(project) if prefix else ()
        return [
            RemovedEntry(project=project, taken=one)
            for one in forgotten
            if one.id.startswith(prefix)
        ]

    def revert_to(
        self, prefix: str, among: Sequence[str], *, now: datetime, number: int = 0
    ) -> ChangeResult:
        """Let a note say what it said in the version *number*; without one, what it said last."""
        held = self.look_back(prefix, among)
        with self._changing(held.project) as notebook:
            number = number or notebook.versions(held.name)[-1].number
            return notebook.revert_to(held.name, number, now=now)

    def past(self, project: str) -> list[DeletedNote]:
        """Return the notes that have only their history left."""
        return self._notebook(project).deleted()

    def keep_archived(self, held: StoredNote, *, now: datetime) -> ChangeResult:
        """Leave a note archived, though what superseded it holds no longer."""
        with self._changing(held.project) as notebook:
            return notebook.keep_archived(held.name, now=now)

    def supersede(self, new: StoredNote, old: StoredNote, *, now: datetime) -> ChangeResult:
        """Put *new* in the place of *old*."""
        with self._changing(new.project) as notebook:
            return notebook.supersede(old.name, by=new.name, now=now)

    def change(
        self,
        held: StoredNote,
        edit: Callable[[Note], Note],
        *,
        now: datetime,
        by: By = "user",
    ) -> ChangeResult:
        """Make the note what *edit* makes of it, unless it changed since it was read."""
        with self._changing(held.project) as notebook:
            return notebook.update(held.name, edit, now=now, by=by, expected=held.hash)

    def doubt(self, held: StoredNote, why: str, *, now: datetime) -> ChangeResult:
        """Put the note before the user, and change nothing else about it."""
        if held.note.review:  # It waits already.
            return _nothing(held.note, held.note.review)
        with self._changing(held.project) as notebook:
            return notebook.update(
                held.name, lambda note: note.changed(review=why), now=now, by="model"
            )

    def rewrite(
        self,
        held: StoredNote | BrokenNote,
        text: str,
        *,
        over: str = "",
        now: datetime,
        by: By = "user",
    ) -> ChangeResult:
        """Make *text* the note; what is wrong with it is said.

        Nothing happens when it is no longer what they began with, *over*.
        """
        expected = ids.text_hash(over or held.text)
        with self._changing(held.project) as notebook:
            return notebook.rewrite(
                held.name, redact.clean(text), now=now, expected=expected, by=by
            )

    def save_draft(self, held: StoredNote | BrokenNote, text: str) -> str:
        """Keep *text*, which did not become the note, beside it; return where."""
        return self._notebook(held.project).save_draft(held.name, text)

    @contextmanager
    def _changing(self, project: str) -> Iterator[Notebook]:
        """Give the notes of *project*; what follows from them is brought in step at the end."""
        yield self._notebook(project)
        self._refresh(project)

    # Forgetting: notes and what the journal has.

    def look(self, memory: Memory, *, really: bool) -> Gone:
        """Return what forgetting *memory* would do; nothing is changed."""
        if isinstance(memory, RemovedEntry | DeletedNote) and not really:
            past = "has only its history left"
            what = past if isinstance(memory, DeletedNote) else "was forgotten already"
            raise RecollectError(f"{memory.name}: {what}", hint="--really erases it.")
        if isinstance(memory, RemovedEntry):
            return self._forgetting.look_at_removed(memory.project, memory.taken)
        if isinstance(memory, IndexRow):
            if memory.kind == "hosted":
                raise RecollectError(
                    f"{memory.id}: is Claude Code's own memory, which we only read",
                    hint=f"Delete it there: {memory.document}",
                )
            gone = self._forgetting.look(memory, really=really)
            made = [held.name for held in self._of_turn(memory.project, memory.turn)]
            also = [f"a note was made of the same turn: recollect forget {name}" for name in made]
            return replace(gone, also=tuple(also))
        note = self._readable(memory)
        gone = self._forgetting.look_at_note(memory, note, really=really)
        return replace(gone, also=self._in_journal(note, memory.project) if note else ())

    def forget(self, memory: Memory, *, really: bool, now: datetime) -> Gone:
        """Forget *memory*; `restore` brings it back, unless it is *really* to go."""
        preview = self.look(memory, really=really)
        if isinstance(memory, RemovedEntry):
            return self._forgetting.erase(memory.project, memory.taken.id)
        if isinstance(memory, IndexRow):
            self._forget_snapshots(memory)
            self._forgetting.forget(memory, at=now.timestamp())
            if really:
                gone = self._forgetting.erase(memory.project, memory.id)
                return replace(gone, beyond=preview.beyond, also=preview.also)
            return preview
        if really or isinstance(memory, DeletedNote):
            return self._forget_for_good(memory, preview)
        self._take_out(memory, now=now)
        return preview

    def _forget_for_good(self, held: AnyNote, preview: Gone) -> Gone:
        """Erase a note. It is buried first: whatever happens then, it is not made again."""
        note = self._readable(held)
        self._forgetting.bury_note(held.project, _marks(note) if note else [held.name])
        others = self._erase(held)
        self._forgetting.scrub()
        left = tuple(each.reason for each in others if each.outcome == "failed")
        also = tuple(f"{each.id}: {each.reason}" for each in others if each.outcome != "failed")
        return replace(preview, beyond=(*preview.beyond, *left), also=(*preview.also, *also))

    def _readable(self, held: AnyNote) -> Note | None:
        """Return the note as it is, or as it was when it could last be read."""
        if isinstance(held, BrokenNote):
            return self._notebook(held.project).last_readable(held.name)
        return held.note

    def _in_journal(self, note: Note, project: str) -> tuple[str, ...]:
        """Return where the journal tells of the turn that *note* was made of."""
        return tuple(
            f"also stands in the journal: recollect forget {entry.id}"
            + ("" if entry.project == project else f" --project {entry.project}")
            for entry in self._forgetting.entries_of(note.source.session, note.source.turn)
        )

    def _take_out(self, held: StoredNote | BrokenNote, *, now: datetime) -> None:
        """Let a note be forgotten until it is restored, or past its grace."""
        if isinstance(held, StoredNote):
            done = self.step(held, "retire", now=now, reason=FORGOTTEN)
        else:
            with self._changing(held.project) as notebook:
                done = notebook.remove_broken(held.name, now=now)
        if done.outcome not in ("retired", "put-away"):
            hint = "--really erases it." if done.outcome == "nothing" else done.fix
            raise RecollectError(f"{held.name}: {done.reason}", hint=hint)

    def _erase(self, held: AnyNote) -> tuple[ChangeResult, ...]:
        """Erase a note; return what it means for others."""
        also: list[ChangeResult] = []
        if held.project == paths.EVERYWHERE:
            for project in self._projects():
                also += self._notebook(project).remove_references(_id(held))
        self._forgetting.erase_mentions(held.project, held.name)
        with self._changing(held.project) as notebook:
            done = notebook.erase(held.name)
        if done.outcome != "erased":
            raise RecollectError(f"{held.name}: {done.reason}", hint=done.fix)
        return (*done.also, *also)

    def _forget_snapshots(self, entry: IndexRow) -> None:
        """Erase how its session stands, which says again what *entry* says; it is made anew."""
        wanted = NoteFilter(categories=_snapshots(), statuses=get_args(Status))
        for held in self.listed([entry.project], wanted):
            if entry.session and held.note.source.session == entry.session:
                self._erase(held)

    def _of_turn(self, project: str, turn: str) -> list[StoredNote]:
        every = self.listed([project], NoteFilter(statuses=get_args(Status)))
        return [held for held in every if turn and held.note.source.turn == turn]

    def forgotten(self, project: str) -> list[StoredNote]:
        """Return the notes that were forgotten and can be restored."""
        retired = self.listed([project], NoteFilter(statuses=("retired",)))
        return [held for held in retired if held.note.retired_reason == FORGOTTEN]

    def collect(self, project: str, *, now: datetime) -> list[ChangeResult]:
        """Do away with what is past its time in *project*."""
        done = self._notebook(project).gc(now=now, rules=self._all_rules(project))
        if done:
            self._refresh(project)
        due = self._past_grace(project, now=now)
        return [*done, *(self._collect_forgotten(project, one) for one in due)]

    def _collect_forgotten(self, project: str, one: Forgotten | DeletedNote) -> ChangeResult:
        try:
            if isinstance(one, DeletedNote):
                self._erase(one)
            else:
                self._forgetting.erase(project, one.id)
        except RecollectError as error:
            return ChangeResult(outcome="failed", id=one.id, reason=error.message, fix=error.hint)
        return ChangeResult(outcome="erased", id=one.id, reason=PAST_GRACE)

    def due(self, project: str, *, now: datetime) -> list[Planned]:
        """Return what `collect` would do."""
        notes_due = self._notebook(project).due(now=now, rules=self._all_rules(project))
        return [
            *(
                Planned(step=one.step, name=f"{one.note.category}/{one.note.id}", reason=one.reason)
                for one in notes_due
            ),
            *(
                Planned(step="erase", name=one.id, reason=PAST_GRACE)
                for one in self._past_grace(project, now=now)
            ),
        ]

    def _past_grace(self, project: str, *, now: datetime) -> list[Forgotten | DeletedNote]:
        settings = self._settings(project)
        oldest = now.timestamp() - settings.delete_grace_days * 86400
        due: list[Forgotten | DeletedNote] = [
            one for one in self._forgetting.forgotten(project) if one.at < oldest
        ]
        if settings.delete_archive_retired:
            return due
        past = [one for one in self.past(project) if one.since.timestamp() < oldest]
        return [*due, *(one for one in past if one.is_broken)]

    def _all_rules(self, project: str) -> dict[Category, Rules]:
        return {category: self.rules(project, category) for category in CATEGORIES}

    def rules(self, project: str, category: Category) -> Rules:
        """Return what the user set for the notes of *category*."""
        settings = self._settings(project)
        own = settings.categories[category]
        return Rules(
            enabled=own.enabled,
            retention_days=own.retention_days,
            max_notes=own.max_notes,
            max_retained=own.max_retained,
            grace_days=settings.delete_grace_days,
            archive_retired=settings.delete_archive_retired,
        )


def _nothing(note: Note, why: str) -> ChangeResult:
    return ChangeResult(outcome="nothing", id=note.id, reason=why)


def _id(one: AnyNote) -> str:
    return one.name.rpartition("/")[2]


def _is_whole(prefix: str, one: AnyNote) -> bool:
    """Tell whether *prefix* is all of the id, and not only its beginning."""
    return prefix.rpartition("/")[2] == _id(one)


def _several(prefix: str, found: Sequence[AnyNote]) -> NotFoundError:
    several = ", ".join(f"{one.name} in {one.project}" for one in found)
    return NotFoundError(
        f"{prefix}: more than one note: {several}", hint="Say --project or --global."
    )


def _marks(note: Note) -> list[str]:
    """Return what an erased note is known by: its name, and what it was made of."""
    session = note.source.session if CATEGORIES[note.category].is_snapshot else ""
    made_of = (("turn", note.source.turn), ("session", session))
    marks = [f"{note.category} of {kind} {which}" for kind, which in made_of if which]
    return [f"{note.category}/{note.id}", *marks]


def _words(tags: Iterable[str]) -> tuple[str, ...]:
    """Return those of *tags* that are words: a file is in `related_files`."""
    return tuple(tag for tag in tags if not _FILE.search(tag))


def _legible(value: object) -> object:
    """Return *value*, of any depth, without characters that nobody sees."""
    match value:
        case str():
            # A word that was nothing else is better seen than lost.
            return markdown.legible(value).strip("\n") or "\ufffd"
        case list() | tuple():
            return [_legible(one) for one in value]
        case dict():
            return {name: _legible(one) for name, one in value.items()}
        case _:
            return value


def _snapshots() -> tuple[Category, ...]:
    """Return the categories that tell how a session stands."""
    return tuple(row.name for row in CATEGORIES.values() if row.is_snapshot)
