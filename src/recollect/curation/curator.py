"""The notes of one home: made of what was said, found again, changed, retired, collected.

A draft is compared with the notes of its category before it becomes one. What says the same is
counted on the note that is there; what takes back an earlier choice supersedes it; what only
might is kept, and put before the user (`recollect review`) rather than guessed.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from recollect import files, ids, paths
from recollect.config import Settings
from recollect.curation.forget import Forgetting, Gone
from recollect.curation.import_notes import DryRun, ImportTarget, NoteImport
from recollect.errors import NotFoundError, RecollectError
from recollect.journal import markdown
from recollect.journal.model import PROPOSED
from recollect.notes import compare, draft, note_model
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.compare import Nearness, statement
from recollect.notes.draft import NoteDraft
from recollect.notes.lifecycle import Revision, Rules, is_proposed
from recollect.notes.note_model import By, Evidence, Note, Source
from recollect.privacy import redact
from recollect.store.contract.library import Forgotten
from recollect.store.contract.search import IndexRow
from recollect.store.files.history import Version
from recollect.store.files.library import LOCK_SECONDS
from recollect.store.files.notebook import ChangeResult, Notebook, unreadable
from recollect.store.files.shelf import NoteFile, Trouble, refuse_link, text_at
from recollect.text.identifiers import identifiers

FORGOTTEN = "forgotten"
PAST_GRACE = "forgotten, and past its grace"

# A path, or the name of a file.
_FILE = re.compile(r"[/\\]|\w\.\w{1,5}$")

# Locked while a new note is compared with those that are there.
CURATING = ".curating.lock"

Step = Literal["retire", "restore", "archive", "unarchive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredNote:
    """A note, and the project it belongs to."""

    project: str
    stored: NoteFile

    @property
    def note(self) -> Note:
        """The note itself."""
        return self.stored.note

    @property
    def name(self) -> str:
        """What every command knows it by: `category/id`."""
        return self.stored.name

    @property
    def path(self) -> Path:
        """Where it stands."""
        return self.stored.path

    @property
    def text(self) -> str:
        """All of its file."""
        return self.stored.text


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenNote:
    """A file that should be a note and cannot be read as one: *trouble* says why."""

    project: str
    trouble: Trouble

    @property
    def name(self) -> str:
        """What the note is called: `category/id`."""
        return self.trouble.name

    @property
    def path(self) -> Path:
        """Where it stands."""
        return self.trouble.path

    @property
    def text(self) -> str:
        """All of the file now. Raises `LibraryError` behind a link, or if it is too long."""
        refuse_link(self.path.parent)
        return text_at(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedNote:
    """A note that has only its history left: its file was deleted by hand, or put away broken."""

    project: str
    name: str
    """What it was called: `category/id`."""
    path: Path
    """Where it stood."""
    text: str
    """What it said last."""
    note: Note | None
    """What it was when it could last be read."""
    since: datetime
    broken: bool
    """True if what it said last cannot be read: it was put away so."""

    @property
    def id(self) -> str:
        """What is erased when its time is over."""
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedEntry:
    """What was taken out of the journal of a project, and can still be put back."""

    project: str
    taken: Forgotten

    @property
    def name(self) -> str:
        """What it is known by: its id."""
        return self.taken.id


Memory = StoredNote | BrokenNote | DeletedNote | IndexRow | RemovedEntry
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
    like now, and which of some names are files in it.
    """

    def __init__(
        self,
        *,
        notebook: Callable[[str], Notebook],
        settings: Callable[[str], Settings],
        refresh: Callable[[str], None],
        forgetting: Forgetting,
        evidence: Callable[[str, Sequence[str]], Evidence],
        nearness: Nearness = lambda _text, _others: {},
    ) -> None:
        self._evidence = evidence
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
        if not rules.enabled:
            reason = f"the category {draft.category} is off (categories.{draft.category}.enabled)"
            return ChangeResult(outcome="nothing", id="", reason=reason)
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
                return ChangeResult(
                    outcome="nothing", id=note.id, reason="it was forgotten for good"
                )
        notebook = self._notebook(project)
        # Two that say the same at once must not both find nothing like it.
        with files.locked(notebook.folder / CURATING, wait=LOCK_SECONDS):
            done = self._kept(note, project, rules, now=now)
        self._refresh(project)
        return done

    def _is_buried(self, note: Note, project: str) -> bool:
        """Tell whether *note*, or what was made of the same words, was erased."""
        return any(self._forgetting.is_buried(project, mark) for mark in _marks(note))

    def _kept(self, note: Note, project: str, rules: Rules, *, now: datetime) -> ChangeResult:
        notebook = self._notebook(project)
        active = self._active(project)
        # A model says several things of a turn; what it says twice is compared below.
        if (turn := note.source.turn) and note.source.by != "model":
            of_turn = (one for one in active.values() if one.source.turn == turn)
            if any(statement(one) == statement(note) for one in of_turn):
                reason = "this turn has such a note already"
                return ChangeResult(outcome="nothing", id=note.id, reason=reason)
        said_at = note.updated_at
        found = compare.verdict(note, active, now=said_at, nearness=self._nearness)
        if found.kind == "same":
            latest = max(said_at, active[found.name].updated_at)
            return self._said_again(found.name, note, notebook, now=latest)
        besides = ""
        if found.kind == "doubt":
            note = _doubted(note, found.name)
        elif found.kind == "new" and project != paths.EVERYWHERE:
            note, besides = self._beside_what_holds_everywhere(note, now=said_at)
        done = notebook.create(note, now=now, rules=rules)
        done = replace(done, reason="; ".join(filter(None, (done.reason, besides))))
        if found.kind == "instead" and done.outcome == "created":
            gone = notebook.supersede(f"{note.category}/{done.id}", found.name, now=now)
            return replace(done, also=(*done.also, gone))
        return done

    def _active(self, project: str) -> dict[str, Note]:
        kept = self._notebook(project).all().notes
        return {one.name: one.note for one in kept if one.note.active}

    def _beside_what_holds_everywhere(self, note: Note, *, now: datetime) -> tuple[Note, str]:
        """Return *note*, in doubt if need be, and what to say of it beside the global notes.

        A project may differ from what holds everywhere: what is said of it goes first there,
        and nothing global is touched for it.
        """
        everywhere = self._active(paths.EVERYWHERE)
        found = compare.verdict(note, everywhere, now=now, nearness=self._nearness)
        name = f"{paths.EVERYWHERE}/{found.name}"
        if found.kind == "doubt":
            return _doubted(note, name), ""
        return note, f"here it goes before {name}" if found.kind == "instead" else ""

    def snapshot(self, note: Note, *, project: str, now: datetime) -> ChangeResult:
        """Keep *note*, how a session stands, in place of what was kept of it before."""
        rules = self.rules(project, note.category)
        note = note.changed(content=_legible(note.content.model_dump()))
        if self._is_buried(note, project):
            return ChangeResult(outcome="nothing", id=note.id, reason="it was forgotten for good")
        done = self._notebook(project).snapshot(note, now=now, rules=rules)
        self._refresh(project)
        return done

    def _said_again(
        self, name: str, note: Note, notebook: Notebook, *, now: datetime
    ) -> ChangeResult:
        """Count on the note *name* that it was said again; what is new in *note* is added."""

        def again(old: Note) -> Note:
            files = (*old.related_files, *note.related_files)
            return old.changed(
                seen=old.seen + 1,
                related_files=tuple(dict.fromkeys(files))[: note_model.MOST_FILES],
                evidence=note.evidence if note.evidence.files else old.evidence,
                tags=note_model.tidy_tags((*old.tags, *note.tags)),
                pinned=old.pinned or note.pinned,
                review=old.review if is_proposed(note) or not is_proposed(old) else None,
            )

        done = notebook.update(name, again, Revision(now=now, by=note.source.by))
        return replace(done, reason=done.reason or f"{name} says the same; it counts once more")

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
            StoredNote(project=project, stored=stored)
            for project in projects
            for stored in self._notebook(project).all().notes
            if wanted.allows(stored.note)
        ]
        return sorted(found, key=lambda held: held.note.updated_at, reverse=True)

    def unread(self, projects: Iterable[str], categories: Sequence[str] = ()) -> list[BrokenNote]:
        """Return the files that should be notes, of *categories* if any, and cannot be read."""
        found = [
            BrokenNote(project=project, trouble=trouble)
            for project in projects
            for shelf in [self._notebook(project).all()]
            for trouble in (*shelf.broken, *shelf.misnamed)
        ]
        return [one for one in found if not categories or one.name.split("/")[0] in categories]

    def find(self, prefix: str, among: Sequence[str]) -> StoredNote:
        """Return the one note in the projects *among* whose name begins with *prefix*.

        Raises `NotFoundError`, which says so if there are several, or `NoteError` when its file
        cannot be read.
        """
        found = self.look_up(prefix, among=among)
        if isinstance(found, BrokenNote):
            raise unreadable(found.trouble)
        return found

    def look_up(self, prefix: str, among: Sequence[str]) -> StoredNote | BrokenNote:
        """Return what `find` does, also if its file cannot be read."""
        found: list[StoredNote | BrokenNote] = []
        missing: list[NotFoundError] = []
        for project in dict.fromkeys(among):
            try:
                there = self._notebook(project).look_up(prefix)
            except NotFoundError as error:
                missing.append(error)
            else:
                found.append(
                    StoredNote(project=project, stored=there)
                    if isinstance(there, NoteFile)
                    else BrokenNote(project=project, trouble=there)
                )
        chosen = [one for one in found if prefix in (one.name, one.path.stem)] or found
        if len(chosen) > 1:
            raise _several(prefix, chosen)
        if not chosen:
            raise next((one for one in missing if "no such" not in one.message), missing[0])
        return chosen[0]

    def look_back(self, prefix: str, among: Sequence[str]) -> StoredNote | BrokenNote | DeletedNote:
        """Return what `look_up` does, or the note that has only its history left."""
        gone = self._gone(prefix, among)
        exact = [one for one in gone if _is_whole(prefix, one)]
        try:
            there = self.look_up(prefix, among)
        except NotFoundError as error:
            # What may mean several that are there means none that is gone.
            meant = exact or (gone if "no such" in error.message else [])
            if len(meant) > 1:
                raise _several(prefix, meant) from None
            if not meant:
                raise
            return meant[0]
        return exact[0] if exact and not _is_whole(prefix, there) else there

    def _gone(self, prefix: str, among: Sequence[str]) -> list[DeletedNote]:
        found = []
        for project in dict.fromkeys(among):
            with contextlib.suppress(NotFoundError):
                found.append(self._past(project, self._notebook(project).find_past(prefix)))
        return found

    def _past(self, project: str, name: str) -> DeletedNote:
        notebook = self._notebook(project)
        last = notebook.history(name)[-1]
        read = notebook.versions_read(name)
        return DeletedNote(
            project=project,
            name=name,
            path=notebook.path_of(name),
            text=files.read_text(last.path),
            note=_last(read),
            since=last.at,
            broken=read[-1] is None,
        )

    def troubles(self, project: str) -> list[Trouble]:
        """Return what a person should look at: files that cannot be read as notes."""
        shelf = self._notebook(project).all()
        return [*shelf.broken, *shelf.misnamed, *shelf.doubtful]

    def at(self, path: Path, project: str) -> NoteFile | None:
        """Return the note of *project* in the file *path*; None if it cannot be read as one."""
        return self._notebook(project).at(path)

    def history(self, one: StoredNote | BrokenNote | DeletedNote) -> list[Version]:
        """Return every version of a note, oldest first."""
        return self._notebook(one.project).history(one.name)

    def version(self, one: StoredNote | BrokenNote | DeletedNote, number: int) -> str:
        """Return all that a note said in the version *number*. Raises `NotFoundError`."""
        return self._notebook(one.project).version(one.name, number)

    # Changing them.

    def step(
        self, held: StoredNote, step: Step, *, now: datetime, reason: str = ""
    ) -> ChangeResult:
        """Retire, restore, archive or unarchive a note."""
        notebook = self._notebook(held.project)
        reason = redact.clean(reason)
        done = {
            "retire": lambda: notebook.retire(held.name, now=now, reason=reason),
            "restore": lambda: notebook.restore(held.name, now=now),
            "archive": lambda: notebook.archive(held.name, now=now, reason=reason),
            "unarchive": lambda: notebook.unarchive(held.name, now=now),
        }[step]()
        self._refresh(held.project)
        return done

    def restore(self, prefix: str, among: Sequence[str], *, now: datetime) -> ChangeResult:
        """Let a retired note hold again; one that has only its history left is as it was last."""
        return self.put_back(self.look_back(prefix, among), now=now)

    def put_back(self, one: Memory, *, now: datetime) -> ChangeResult:
        """Do for *one* that was found what `restore` does; what the journal had stands there."""
        match one:
            case RemovedEntry():
                self._forgetting.restore(one.project, one.taken.id)
                return ChangeResult(outcome="restored", id=one.taken.id, reason=one.taken.title)
            case DeletedNote():
                return self.revert_to(one.name, [one.project], now=now)
            case BrokenNote():
                raise unreadable(one.trouble)
            case StoredNote():
                return self.step(one, "restore", now=now)
            case IndexRow():
                return ChangeResult(outcome="nothing", id=one.id, reason="it was not forgotten")

    def aside(self, prefix: str, project: str) -> list[RemovedEntry]:
        """Return what was taken out of the journal of *project* and has an id that begins so."""
        taken = self._forgetting.forgotten(project) if prefix else ()
        return [
            RemovedEntry(project=project, taken=one) for one in taken if one.id.startswith(prefix)
        ]

    def revert_to(
        self, prefix: str, among: Sequence[str], *, now: datetime, number: int = 0
    ) -> ChangeResult:
        """Let a note say what it said in the version *number*; without one, what it said last."""
        found = self.look_back(prefix, among)
        notebook = self._notebook(found.project)
        number = number or notebook.history(found.name)[-1].number
        done = notebook.revert_to(found.name, number, now=now)
        self._refresh(found.project)
        return done

    def past(self, project: str) -> list[DeletedNote]:
        """Return the notes that have only their history left."""
        return [self._past(project, name) for name in self._notebook(project).past()]

    def keep_archived(self, held: StoredNote, *, now: datetime) -> ChangeResult:
        """Leave a note archived, though what superseded it holds no longer."""
        done = self._notebook(held.project).keep_archived(held.name, now=now)
        self._refresh(held.project)
        return done

    def supersede(self, new: StoredNote, old: StoredNote, *, now: datetime) -> ChangeResult:
        """Put *new* in the place of *old*."""
        done = self._notebook(new.project).supersede(new.name, old.name, now=now)
        self._refresh(new.project)
        return done

    def change(
        self, held: StoredNote, edit: Callable[[Note], Note], *, now: datetime
    ) -> ChangeResult:
        """Make the note what *edit* makes of it, as the user's own word."""
        done = self._notebook(held.project).update(
            held.name, edit, Revision(now=now, by="user"), expected=held.stored.hash
        )
        self._refresh(held.project)
        return done

    def redraft(
        self, held: StoredNote, draft: Callable[[NoteFile], Note | None], revision: Revision
    ) -> ChangeResult:
        """Make the note what a *draft* makes of it that takes its time; see `Notebook.redraft`."""
        done = self._notebook(held.project).redraft(held.name, draft, revision)
        self._refresh(held.project)
        return done

    def doubt(self, held: StoredNote, why: str, *, now: datetime) -> ChangeResult:
        """Put the note before the user, and change nothing else about it."""
        if held.note.review:  # It waits already.
            return ChangeResult(outcome="nothing", id=held.note.id, reason=held.note.review)
        done = self._notebook(held.project).update(
            held.name, lambda note: note.changed(review=why), Revision(now=now, by="model")
        )
        self._refresh(held.project)
        return done

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

        Nothing happens when the file is no longer what they began with, *over*.
        """
        done = self._notebook(held.project).rewrite(
            held.name, redact.clean(text), now=now, expected=ids.text_hash(over or held.text), by=by
        )
        self._refresh(held.project)
        return done

    # Forgetting: notes and what the journal has.

    def look(self, one: Memory, *, really: bool) -> Gone:
        """Return what forgetting *one* would do; nothing is changed."""
        if isinstance(one, RemovedEntry | DeletedNote) and not really:
            past = "has only its history left"
            what = past if isinstance(one, DeletedNote) else "was forgotten already"
            raise RecollectError(f"{one.name}: {what}", hint="--really erases it.")
        if isinstance(one, RemovedEntry):
            return self._forgetting.look_aside(one.project, one.taken)
        if isinstance(one, IndexRow):
            if one.kind == "hosted":
                raise RecollectError(
                    f"{one.id}: is Claude Code's own memory, which we only read",
                    hint=f"Delete it there: {one.document}",
                )
            told = self._forgetting.look(one, really=really)
            made = [held.name for held in self._of_turn(one.project, one.turn)]
            also = [f"a note was made of the same turn: recollect forget {name}" for name in made]
            return replace(told, also=tuple(also))
        note = self._known(one)
        told = self._forgetting.look_at_note(one.path, one.name, note, really=really)
        return replace(told, also=self._in_journal(note, one.project) if note else ())

    def forget(self, one: Memory, *, really: bool, now: datetime) -> Gone:
        """Forget *one*; `restore` brings it back, unless it is *really* to go."""
        told = self.look(one, really=really)
        if isinstance(one, RemovedEntry):
            return self._forgetting.erase(one.project, one.taken.id)
        if isinstance(one, IndexRow):
            self._forget_snapshots(one)
            self._forgetting.forget(one, at=now.timestamp())
            if really:
                gone = self._forgetting.erase(one.project, one.id)
                return replace(gone, beyond=told.beyond, also=told.also)
            return told
        if really or isinstance(one, DeletedNote):
            return self._forget_for_good(one, told)
        self._put_aside(one, now=now)
        return told

    def _forget_for_good(self, one: StoredNote | BrokenNote | DeletedNote, told: Gone) -> Gone:
        """Erase a note. It is buried first: whatever happens then, it is not made again."""
        note = self._known(one)
        self._forgetting.bury_note(one.project, _marks(note) if note else [one.name])
        others = self._erase(one)
        self._forgetting.scrub()
        left = tuple(each.reason for each in others if each.outcome == "failed")
        also = tuple(f"{each.id}: {each.reason}" for each in others if each.outcome != "failed")
        return replace(told, beyond=(*told.beyond, *left), also=(*told.also, *also))

    def _known(self, one: StoredNote | BrokenNote | DeletedNote) -> Note | None:
        """Return the note as it is, or as it was when it could last be read."""
        if isinstance(one, BrokenNote):
            return _last(self._notebook(one.project).versions_read(one.name))
        return one.note

    def _in_journal(self, note: Note, project: str) -> tuple[str, ...]:
        """Return where the journal tells of the turn that *note* was made of."""
        return tuple(
            f"also stands in the journal: recollect forget {entry.id}"
            + ("" if entry.project == project else f" --project {entry.project}")
            for entry in self._forgetting.entries_of(note.source.session, note.source.turn)
        )

    def _put_aside(self, one: StoredNote | BrokenNote, *, now: datetime) -> None:
        if isinstance(one, StoredNote):
            done = self.step(one, "retire", now=now, reason=FORGOTTEN)
        else:
            done = self._notebook(one.project).quarantine(one.name, now=now)
            self._refresh(one.project)
        if done.outcome not in ("retired", "put-away"):
            hint = "--really erases it." if done.outcome == "nothing" else done.fix
            raise RecollectError(f"{one.name}: {done.reason}", hint=hint)

    def _erase(self, one: StoredNote | BrokenNote | DeletedNote) -> tuple[ChangeResult, ...]:
        """Erase a note; return what it means for others."""
        also: list[ChangeResult] = []
        if one.project == paths.EVERYWHERE:
            for project in self._forgetting.projects():
                also += self._notebook(project).remove_references(one.path.stem)
        self._forgetting.erase_mentions(one.project, one.name)
        done = self._notebook(one.project).erase(one.name)
        self._refresh(one.project)
        if done.outcome != "erased":
            raise RecollectError(f"{one.name}: {done.reason}", hint=done.fix)
        return (*done.also, *also)

    def _forget_snapshots(self, entry: IndexRow) -> None:
        """Erase how its session stands, which says again what *entry* says; it is made anew."""
        wanted = NoteFilter(categories=_snapshots(), statuses=("active", "retired", "archived"))
        for held in self.listed([entry.project], wanted):
            if entry.session and held.note.source.session == entry.session:
                self._erase(held)

    def _of_turn(self, project: str, turn: str) -> list[StoredNote]:
        every = self.listed([project], NoteFilter(statuses=("active", "retired", "archived")))
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
        return [*due, *(one for one in past if one.broken)]

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


def _is_whole(prefix: str, one: StoredNote | BrokenNote | DeletedNote) -> bool:
    """Tell whether *prefix* is all of the id, and not only its beginning."""
    return prefix.rpartition("/")[2] == one.path.stem


def _several(prefix: str, found: Sequence[StoredNote | BrokenNote | DeletedNote]) -> NotFoundError:
    several = ", ".join(f"{one.name} in {one.project}" for one in found)
    return NotFoundError(
        f"{prefix}: more than one note: {several}", hint="Say --project or --global."
    )


def _last(read: Sequence[Note | None]) -> Note | None:
    """Return the last that could be read."""
    return next((note for note in reversed(read) if note), None)


def _doubted(note: Note, name: str) -> Note:
    said = f"may contradict {name}"
    return note.changed(review=f"{note.review}, {said}" if note.review else said)


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
