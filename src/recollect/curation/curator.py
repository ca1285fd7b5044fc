"""The notes of one home: made of what was said, found again, changed, retired, collected.

A draft is compared with the notes of its category before it becomes one. What says the same is
counted on the note that is there; what takes back an earlier choice supersedes it; what only
might is kept, and put before the user (`recollect review`) rather than guessed.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from recollect import files
from recollect.config import Settings
from recollect.curation import compare
from recollect.curation.compare import Nearness, statement
from recollect.curation.forget import Forgetting, Gone
from recollect.errors import NotFoundError, RecollectError
from recollect.index.database import Indexed
from recollect.index.identifiers import identifiers
from recollect.memories import notes
from recollect.memories.library import LOCK_SECONDS
from recollect.memories.lifecycle import Due, Revision, Rules
from recollect.memories.note_index import is_proposed
from recollect.memories.note_text import SECTIONS
from recollect.memories.notebook import Done, Notebook, Outcome
from recollect.memories.notes import CATEGORIES, Category, Evidence, Note
from recollect.memories.shelf import Stored, Trouble
from recollect.privacy import redact
from recollect.synthesis import draft
from recollect.synthesis.draft import NoteDraft

FORGOTTEN = "forgotten"

# Held while a new note is compared with those that are there.
CURATING = ".curating.lock"

Step = Literal["retire", "restore", "archive", "unarchive"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A note, and the project it belongs to."""

    project: str
    stored: Stored

    @property
    def note(self) -> Note:
        """The note itself."""
        return self.stored.note

    @property
    def name(self) -> str:
        """What every command knows it by: `category/id`."""
        return self.stored.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
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
class Saying:
    """What a person wants to be remembered."""

    text: str
    category: Category | None = None
    """Guessed if it is not said."""
    title: str = ""
    tags: Sequence[str] = ()
    pinned: bool = False


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

    def remember(self, said: Saying, *, project: str, now: datetime) -> Done:
        """Make a note of what a person said; nothing is added to it."""
        text = redact.clean(said.text)
        made = draft.from_sentence(said.category, text)
        # Whatever the draft is made of, every word of a person stays.
        made = replace(made, content={**made.content, _main(made.category): text})
        made = replace(made, tags=(*map(redact.clean, said.tags), *made.tags))
        if said.title:
            made = replace(made, title=redact.clean(said.title))
        seen = self._evidence(project, identifiers(said.text))
        made = replace(made, related_files=tuple(seen.files))
        return self.keep(
            made,
            project=project,
            now=now,
            source={"by": "user"},
            evidence=seen.model_dump(),
            pinned=said.pinned,
        )

    def keep(self, draft: NoteDraft, *, project: str, now: datetime, **more: object) -> Done:
        """Make a note of *draft*, or add it to what is there; *more* are fields of the note."""
        rules = self.rules(project, draft.category)
        if not rules.enabled:
            reason = f"the category {draft.category} is off (categories.{draft.category}.enabled)"
            return Done(outcome="nothing", id="", reason=reason)
        note = notes.new(
            category=draft.category,
            title=draft.title,
            content=dict(draft.content),
            now=now,
            tags=tuple(draft.tags),
            related_files=tuple(draft.related_files),
            confidence=draft.confidence,
            **more,
        )
        name = f"{note.category}/{note.id}"
        if note.source.by != "user" and self._forgetting.is_buried(project, name):
            return Done(outcome="nothing", id=note.id, reason="it was forgotten for good")
        notebook = self._notebook(project)
        # Two that say the same at once must not both find nothing like it.
        with files.locked(notebook.folder / CURATING, wait=LOCK_SECONDS):
            done = self._kept(note, notebook, rules, now=now)
        self._refresh(project)
        return done

    def _kept(self, note: Note, notebook: Notebook, rules: Rules, *, now: datetime) -> Done:
        active = {one.name: one.note for one in notebook.all().notes if one.note.active}
        if turn := note.source.turn:
            same = (one for one in active.values() if one.category == note.category)
            if any(one.source.turn == turn for one in same):
                reason = "this turn has such a note already"
                return Done(outcome="nothing", id=note.id, reason=reason)
        found = compare.verdict(note, active, now=now, nearness=self._nearness)
        if found.kind == "same":
            return self._said_again(found.name, note, notebook, now=now)
        if found.kind == "doubt":
            said = f"may contradict {found.name}"
            note = note.changed(review=f"{note.review}, {said}" if note.review else said)
        if is_proposed(note):  # What nobody has said yes to pushes nothing out.
            rules = replace(rules, max_notes=sys.maxsize)
        done = notebook.create(note, now=now, rules=rules)
        if found.kind == "instead" and done.outcome == "created":
            gone = notebook.supersede(f"{note.category}/{done.id}", found.name, now=now)
            return replace(done, also=(*done.also, gone))
        return done

    def snapshot(self, note: Note, *, project: str, now: datetime) -> Done:
        """Keep *note*, how a session stands, in place of what was kept of it before."""
        rules = self.rules(project, note.category)
        done = self._notebook(project).snapshot(note, now=now, rules=rules)
        self._refresh(project)
        return done

    def _said_again(self, name: str, note: Note, notebook: Notebook, *, now: datetime) -> Done:
        """Count on the note *name* that it was said again; what is new in *note* is added."""

        def again(old: Note) -> Note:
            files = (*old.related_files, *note.related_files)
            return old.changed(
                seen=old.seen + 1,
                related_files=tuple(dict.fromkeys(files))[: notes.MOST_FILES],
                evidence=note.evidence if note.evidence.files else old.evidence,
                tags=notes.tidy_tags((*old.tags, *note.tags)),
                pinned=old.pinned or note.pinned,
                review=old.review if is_proposed(note) or not is_proposed(old) else None,
            )

        done = notebook.update(name, again, Revision(now=now, by=note.source.by))
        return replace(done, reason=done.reason or f"{name} says the same; it counts once more")

    # Finding them.

    def listed(self, projects: Iterable[str], wanted: Wanted) -> list[Held]:
        """Return the *wanted* notes, the latest first."""
        found = [
            Held(project=project, stored=stored)
            for project in projects
            for stored in self._notebook(project).all().notes
            if wanted.allows(stored.note)
        ]
        return sorted(found, key=lambda held: held.note.updated_at, reverse=True)

    def find(self, prefix: str, *, among: Sequence[str]) -> Held:
        """Return the one note in the projects *among* whose name begins with *prefix*.

        Raises `NotFoundError`, which says so if there are several.
        """
        found: list[Held] = []
        missing: list[NotFoundError] = []
        for project in dict.fromkeys(among):
            try:
                stored = self._notebook(project).find(prefix)
            except NotFoundError as error:
                missing.append(error)
            else:
                found.append(Held(project=project, stored=stored))
        chosen = [held for held in found if prefix in (held.name, held.note.id)] or found
        if len(chosen) > 1:
            several = ", ".join(f"{held.name} in {held.project}" for held in chosen)
            hint = "Say --project or --global."
            raise NotFoundError(f"{prefix}: more than one note: {several}", hint=hint)
        if not chosen:
            raise next((one for one in missing if "no such" not in one.message), missing[0])
        return chosen[0]

    def troubles(self, project: str) -> list[Trouble]:
        """Return what a person should look at: files that cannot be read as notes."""
        shelf = self._notebook(project).all()
        return [*shelf.broken, *shelf.doubtful]

    # Changing them.

    def step(self, held: Held, step: Step, *, now: datetime, reason: str = "") -> Done:
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

    def supersede(self, new: Held, old: Held, *, now: datetime) -> Done:
        """Put *new* in the place of *old*."""
        done = self._notebook(new.project).supersede(new.name, old.name, now=now)
        self._refresh(new.project)
        return done

    def change(self, held: Held, edit: Callable[[Note], Note], *, now: datetime) -> Done:
        """Make the note what *edit* makes of it, as the user's own word."""
        done = self._notebook(held.project).update(
            held.name, edit, Revision(now=now, by="user"), expected=held.stored.hash
        )
        self._refresh(held.project)
        return done

    def rewrite(self, held: Held, text: str, *, now: datetime) -> Done:
        """Make *text*, which a person wrote, the note; `NoteError` says what is wrong with it."""
        done = self._notebook(held.project).rewrite(
            held.name, redact.clean(text), now=now, expected=held.stored.hash
        )
        self._refresh(held.project)
        return done

    # Forgetting: notes and what the journal has.

    def look(self, one: Held | Indexed, *, really: bool) -> Gone:
        """Return what forgetting *one* would do; nothing is changed."""
        if isinstance(one, Indexed):
            told = self._forgetting.look(one, really=really)
            made = [held.name for held in self._of_turn(one.project, one.turn)]
            others = [f"the note {name}, made of the same turn" for name in made]
        else:
            told = self._forgetting.look_at_note(one.stored.path, one.name, one.note, really=really)
            turn = one.note.source.turn
            others = [f"the journal's entry of the turn {turn} that it was made of"] if turn else []
        return replace(told, beyond=(*others, *told.beyond))

    def forget(self, one: Held | Indexed, *, really: bool, now: datetime) -> Gone:
        """Forget *one*; `restore` brings it back, unless it is *really* to go."""
        told = self.look(one, really=really)
        if isinstance(one, Indexed):
            self._forget_snapshots(one)
            self._forgetting.forget(one, at=now.timestamp())
            if really:
                gone = self._forgetting.erase(one.project, one.id)
                return replace(gone, beyond=told.beyond)
            return told
        if not really:
            done = self.step(one, "retire", now=now, reason=FORGOTTEN)
            if done.outcome != "retired":
                raise RecollectError(f"{one.name}: {done.reason}", hint="--really erases it.")
            return told
        self._erase(one)
        self._forgetting.bury_note(one.project, one.name)
        return told

    def _erase(self, held: Held) -> None:
        done = self._notebook(held.project).erase(held.name)
        if done.outcome != "erased":
            raise RecollectError(f"{held.name}: {done.reason}", hint=done.fix)
        path = held.stored.path
        for beside in path.parent.glob(f".{path.name}.*"):  # Kept by `edit` after a mistake.
            beside.unlink()
        self._refresh(held.project)

    def _forget_snapshots(self, entry: Indexed) -> None:
        """Erase how its session stands, which says again what *entry* says; it is made anew."""
        wanted = Wanted(categories=("session_summary",), statuses=("active", "retired", "archived"))
        for held in self.listed([entry.project], wanted):
            if entry.session and held.note.source.session == entry.session:
                self._erase(held)

    def _of_turn(self, project: str, turn: str) -> list[Held]:
        every = self.listed([project], Wanted(statuses=("active", "retired", "archived")))
        return [held for held in every if turn and held.note.source.turn == turn]

    def forgotten(self, project: str) -> list[Held]:
        """Return the notes that were forgotten and can be restored."""
        retired = self.listed([project], Wanted(statuses=("retired",)))
        return [held for held in retired if held.note.retired_reason == FORGOTTEN]

    def collect(self, project: str, *, now: datetime, dry_run: bool = False) -> list[Done]:
        """Do away with what is past its time in *project*; with *dry_run*, only say so."""
        oldest = now.timestamp() - self._settings(project).delete_grace_days * 86400
        return [
            *self._collect_notes(project, now=now, dry_run=dry_run),
            *self._collect_forgotten(project, before=oldest, dry_run=dry_run),
        ]

    def _collect_forgotten(self, project: str, *, before: float, dry_run: bool) -> list[Done]:
        due = [one for one in self._forgetting.forgotten(project) if one.at < before]
        if not dry_run:
            for taken in due:
                self._forgetting.erase(project, taken.id)
        outcome: Outcome = "nothing" if dry_run else "erased"
        reason = f"{'would be erased: ' if dry_run else ''}forgotten, and past its grace"
        return [Done(outcome=outcome, id=taken.id, reason=reason) for taken in due]

    def _collect_notes(self, project: str, *, now: datetime, dry_run: bool) -> list[Done]:
        rules = {category: self.rules(project, category) for category in CATEGORIES}
        notebook = self._notebook(project)
        if dry_run:
            return [
                Done(outcome="nothing", id=f"{due.note.category}/{due.note.id}", reason=_told(due))
                for due in notebook.due(now=now, rules=rules)
            ]
        done = notebook.gc(now=now, rules=rules)
        if done:
            self._refresh(project)
        return done

    def rules(self, project: str, category: Category) -> Rules:
        """Return what the user set for the notes of *category*."""
        settings = self._settings(project)
        own = getattr(settings.categories, category)
        return Rules(
            enabled=own.enabled,
            retention_days=own.retention_days,
            max_notes=own.max_notes,
            max_retained=own.max_retained,
            grace_days=settings.delete_grace_days,
            archive_retired=settings.delete_archive_retired,
        )


def _main(category: Category) -> str:
    """Return the field that says what a note of *category* says."""
    return next(iter(SECTIONS[category]))


def _told(due: Due) -> str:
    return f"would {due.step}: {due.reason}"
