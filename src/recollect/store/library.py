"""The library of one project: its journal, and the only code that writes it.

Whether a turn is recorded is decided by its anchor, in the text of any day, under the project's
lock. Its absence, for a turn we know we recorded, means that the user deleted it. Where the texts
are kept is for `Days` to know; a person may edit them at any time.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, tzinfo
from functools import partial
from typing import Any, Literal, NamedTuple

from recollect import ids
from recollect.errors import LibraryError, NotFoundError
from recollect.journal import day, markdown, sections
from recollect.journal.model import JournalEntry, LibraryItem, Summary, carried
from recollect.journal.sections import Anchor
from recollect.store.contract.library import (
    Archive,
    Days,
    DocumentChange,
    Documents,
    Forgotten,
    TrashStore,
)
from recollect.store.contract.notes import NoteStore

Outcome = Literal[
    "added", "replaced", "unchanged", "kept-model-version", "kept-yours", "deleted-by-user"
]
"""What became of an entry: `kept-model-version` leaves what a model wrote, `kept-yours` a text that
the user changed; `deleted-by-user` writes nothing because the user took it out."""

Subject = tuple[Literal["turn", "line", "session"], str, str]
"""What an anchor is about: a turn of a host, the line it began with, or a session."""

DayEdit = Callable[[str], str | None]
"""Makes a new text of a day; None leaves it as it is, because it is the user's."""

# More entries than sessions of one day have.
MOST_PARSED = 8_192

# An editor that saves in the very moment we write is met once, hardly ever twice.
EDITOR_RACES = 5


class FoundAnchor(NamedTuple):
    """An anchor and the day it stands in."""

    day: str
    anchor: Anchor


class _PendingDay(NamedTuple):
    """A day as it will be written: *edits* made *text* of it as it was *seen*.

    *anchors* are those in the text.
    """

    seen: Hashable
    text: str
    anchors: dict[Subject, Anchor]
    edits: tuple[DayEdit, ...] = ()


class Library:
    """The memory of one *project*; *zone* says when its days begin.

    Without a *zone* the days are this machine's. An index follows its *documents*; *location* is
    what a person finds it by.
    """

    def __init__(  # noqa: PLR0913 - one parameter for each part of a library
        self,
        project: str,
        *,
        days: Days,
        archive: Archive,
        trash: TrashStore,
        notes: NoteStore | None = None,
        location: str = "",
        zone: tzinfo | None = None,
    ) -> None:
        self.project = project
        self.archive = archive
        self.trash = trash
        self.location = location
        self.documents: Sequence[Documents] = ()
        """All that an index follows; whoever made the library knows."""
        self._days = days
        self._notes = notes
        self._zone = zone
        self._scans: dict[str, tuple[Hashable, dict[Subject, Anchor]]] = {}
        self._entries: dict[str, tuple[LibraryItem, JournalEntry]] = {}
        self._pending: dict[str, _PendingDay] | None = None
        """Days as they will be when the block of `together` ends."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what is recorded and summed up in the block when it ends, each day once.

        Also after an exception: what was recorded before it is not lost.
        """
        with self._writing():
            pending = self._pending = {}
            try:
                yield
            finally:
                self._pending = None
                self._write_pending(pending)

    def record(
        self, entry: JournalEntry, *, known: bool, replaceable: bool = True, instead: bool = False
    ) -> Outcome:
        """Keep *entry* once, in the file of the local day its turn began.

        *known*: this turn was recorded before. With *replaceable* false, an entry that is
        there already stays as it is. A copy of the turn in another session adds nothing,
        and the extractive engine never replaces what a model wrote, unless it is to be there
        *instead*.
        """
        with self._writing():
            found = self._find(("turn", entry.host, entry.turn))
            if found is None and entry.line:
                found = self._find(("line", entry.host, entry.line))
            if found is None:
                text = markdown.render_entry(entry, local=self._zone)
                erased = self.trash.is_buried(entry.host, entry.turn)
                return self._add(text, began=entry.at, known=known or erased)
            there = found.anchor
            if there.session != entry.session or not replaceable:
                return "unchanged"
            if _is_poorer(entry, there) and not instead:
                return "kept-model-version"
            renewed = replace(
                entry,
                id=there.id,
                at=markdown.anchor_time(there) or entry.at,
                **_carried_on(entry, there),
            )
            # The same text tells of the files as they were when it was written first.
            as_it_is = replace(renewed, seen_files=there.seen_files)
            text = markdown.render_entry(as_it_is, local=self._zone)
            if there.hash not in text:
                text = markdown.render_entry(renewed, local=self._zone)
            return self._renew(found, text)

    def summarise(self, summary: Summary, *, started: datetime, known: bool) -> Outcome:
        """Keep *summary* under the heading of its session, which *started* then.

        The rules are those of `record`.
        """
        with self._writing():
            found = self._find(("session", "", summary.session))
            name = found.anchor.id if found else ids.summary_id(started, summary.session)
            text = markdown.render_summary(summary, summary_id=name)
            if found is None:
                return self._add(text, began=started, known=known)
            return self._renew(found, text)

    def edited_in(self, session: str) -> set[str]:
        """The turns of *session* whose entries the user has changed."""
        return {one.turn for one in self.entry_items(session) if one.edited}

    def summary_of(self, session: str) -> str:
        """What the summary of *session* says now; empty if there is none."""
        found = self._find(("session", "", session))
        there = self.items_on(found.day) if found else []
        return next((one.body for one in there if found and one.id == found.anchor.id), "")

    def restamp_summary(self, session: str, digest: str) -> Outcome:
        """Let the summary that a model wrote of *session* be known to tell of *digest*."""
        with self._writing():
            found = self._find(("session", "", session))
            there = self.items_on(found.day) if found else []
            memory = next((one for one in there if found and one.id == found.anchor.id), None)
            if found is None or memory is None or not found.anchor.by:
                return "unchanged"
            summary = replace(markdown.parse_summary(memory), by=found.anchor.by, of=digest)
            return self._renew(found, markdown.render_summary(summary, summary_id=memory.id))

    def is_summed_up(self, session: str, entries: Iterable[JournalEntry]) -> bool:
        """True when a model's summary of *session* tells of just these *entries*."""
        found = self._find(("session", "", session))
        if found is None or not found.anchor.of:
            return False
        return found.anchor.of == markdown.digest(entries)

    def check_writable(self) -> None:
        """Raise `LibraryError` or `BusyError` if nothing could be written here now."""
        with self._writing():
            self._days.check_writable()

    def days(self) -> list[str]:
        """The days of which the journal tells something, oldest first."""
        there = self._days.names()
        return sorted({*there, *self._pending}) if self._pending else there

    def text_on(self, day: str) -> str:
        """The text of a *day*, ours and the user's."""
        pending = self._pending.get(day) if self._pending else None
        return pending.text if pending else self._days.text(day)

    def items_on(self, day: str) -> list[LibraryItem]:
        """Everything in the text of a *day*, ours and the user's."""
        return items_of(day, self.text_on(day))

    # Following.

    def states(self) -> Mapping[str, str]:
        """Return what tells cheaply whether anything in here may have changed."""
        return {name: one for part in self.documents for name, one in part.states().items()}

    def note_states(self) -> Mapping[str, str]:
        """Return the documents of the notes, also of those that cannot be read, as `states`."""
        notes = (part for part in self.documents if part.kind == "note")
        return {name: one for part in notes for name, one in part.states().items()}

    def has_notes(self) -> bool:
        """Tell whether there is any note, also one that cannot be read."""
        return bool(self.note_states())

    def changes(self, since: Mapping[str, str]) -> Iterator[DocumentChange]:
        """Yield the documents that are not of the versions in *since*, each read as it is yielded.

        Those in *since* that are gone come last.
        """
        return changes(self.documents, since)

    def items(self, document: str) -> Sequence[LibraryItem]:
        """Return what stands in a *document* at this moment; nothing if it is gone."""
        part = self._part_with(document)
        return part.items(document) if part else ()

    def hash_of(self, document: str) -> str:
        """Return what tells this text of a *document* from another; empty if it is gone."""
        part = self._part_with(document)
        return ids.text_hash(part.text(document)) if part else ""

    def state(self, document: str) -> str:
        """Return the state of a *document*; empty if it is gone."""
        part = self._part_with(document)
        return part.state(document) if part else ""

    def _part_with(self, document: str) -> Documents | None:
        return next((part for part in self.documents if part.state(document)), None)

    # The entries of a session.

    def entries_of(self, session: str) -> list[JournalEntry]:
        """The entries of *session* as they stand now, oldest first."""
        return list(map(self.entry, self.entry_items(session)))

    def entry_items(self, session: str) -> list[LibraryItem]:
        """The same as they stand in the text, not read any further."""
        found = [
            memory
            for name in self.days()
            if any(anchor.session == session for anchor in self._scan(name).values())
            for memory in self.items_on(name)
            if memory.session == session and memory.kind == "entry"
        ]
        return sorted(found, key=markdown.began)

    def entry(self, memory: LibraryItem) -> JournalEntry:
        """The entry that *memory* is; what did not change in a day is the same object as before."""
        known = self._entries.get(memory.id)
        if known and known[0] is memory:
            return known[1]
        entry = markdown.parse_entry(memory)
        if len(self._entries) >= MOST_PARSED:
            self._entries.clear()
        self._entries[memory.id] = (memory, entry)
        return entry

    # Forgetting: out of the journal at once, gone for good when it is erased.

    def forget(self, id: str, document: str, *, at: float) -> None:  # noqa: A002 - what people say
        """Take the memory *id* out of the day *document*; until it is erased it can be restored."""
        there = (name for name in self.days() if self._days.document(name) == document)
        found = ((name, one) for name in there for one in self.items_on(name) if one.id == id)
        name, memory = next(found, ("", None))
        if memory is None:
            raise NotFoundError(f"{id}: is no longer in {document}", hint="Look again.")
        self._forget(memory, name, at=at)

    def forget_summary(self, session: str, *, at: float) -> None:
        """Take out what the journal says of a *session* as a whole."""
        for name in self.days():
            for memory in self.items_on(name):
                if memory.kind == "summary" and memory.session == session:
                    self._forget(memory, name, at=at)

    def _forget(self, memory: LibraryItem, day: str, *, at: float) -> None:
        with self._writing():
            _, section = self._cut(self._days.text(day), memory.id, day)
            # First the copy, then the cut: dying in between leaves both.
            self.trash.keep(
                Forgotten(
                    id=memory.id,
                    day=f"{day}.md",
                    section=section,
                    at=at,
                    title=memory.title,
                    turn=memory.turn,
                    host=memory.host,
                    session=memory.session,
                )
            )
            self._rewrite(day, lambda text: self._cut(text, memory.id, day)[0])

    def restore(self, id: str) -> Forgotten:  # noqa: A002 - it is the word people use
        """Put the forgotten memory *id* back where it stood."""
        with self._writing():
            taken = self.trash.find(id)
            clock = _clock_of(taken.section)
            self._rewrite(
                taken.day.removesuffix(".md"),
                lambda text: day.put_back(text, taken.section, clock=clock),
            )
            self.trash.drop(taken)
            return taken

    def erase(self, id: str) -> Forgotten:  # noqa: A002
        """Delete the forgotten memory *id* for good."""
        with self._writing():
            taken = self.trash.find(id)
            self.trash.bury(taken)
            self.trash.drop(taken)
            return taken

    def bury(self, id: str) -> Forgotten:  # noqa: A002
        """See to it that the forgotten memory *id* is never recorded again."""
        with self._writing():
            taken = self.trash.find(id)
            self.trash.bury(taken)
            return taken

    def absorb(self, other: "Library") -> int:
        """Take over all of *other*, which is left empty; return how many days there were.

        A day that both have is merged, entry by entry.
        """
        with self._writing(), other._writing():
            names = other.days()
            for name in names:
                self._rewrite(name, partial(day.merge, other=other.text_on(name)))
                other._days.remove(name)
            self.archive.take_over(other.archive)
            self.trash.take_over(other.trash)
            if self._notes and other._notes:
                self._notes.take_over(other._notes)
        return len(names)

    def discard(self) -> None:
        """Delete what is left of a library in which nothing was kept."""
        self._days.discard()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._pending is not None:  # The lock is ours already.
            yield
            return
        with self._days.locked():
            yield

    def _find(self, subject: Subject) -> FoundAnchor | None:
        for name in self.days():
            anchor = self._scan(name).get(subject)
            if anchor:
                return FoundAnchor(name, anchor)
        return None

    def _scan(self, name: str) -> dict[Subject, Anchor]:
        """The anchors in the day *name*, read again only when its text has changed."""
        pending = self._pending.get(name) if self._pending else None
        if pending:
            return pending.anchors
        version = self._days.version(name)
        if version is None:
            return {}
        before = self._scans.get(name)
        if before and before[0] == version:
            return before[1]
        found = _found_in(self._days.text(name))
        self._scans[name] = (version, found)
        return found

    def _add(self, block: str, *, began: datetime, known: bool) -> Outcome:
        if known:
            return "deleted-by-user"
        local = began.astimezone(self._zone)
        name = local.date().isoformat()
        self._rewrite(name, lambda text: day.place(text, block, began=local), block=block)
        return "added"

    def _renew(self, found: FoundAnchor, block: str) -> Outcome:
        name = found.anchor.id
        return self._rewrite(found.day, lambda text: day.replace(text, name, block), block=block)

    def _rewrite(self, name: str, edit: DayEdit, *, block: str = "") -> Outcome:
        """Write what *edit* makes of the text of a day; None from it leaves the text alone.

        What is written in a block of `together` is an entry or a summary, the *block*.
        """
        if self._pending is not None:
            return self._postpone(self._pending, name, edit, block)
        for _ in range(EDITOR_RACES):
            seen = self._days.version(name)
            old = "" if seen is None else self._days.text(name)
            new = edit(old)
            if new is None:
                return "kept-yours"
            if new == old:
                return "unchanged"
            if self._days.write(name, new, seen=seen):
                return "replaced"
        raise LibraryError(
            f"{self._days.document(name)}: changed by another program each time we wanted to write",
            hint="Close the program that keeps writing this file; nothing was lost.",
        )

    def _postpone(
        self, pending: dict[str, _PendingDay], name: str, edit: DayEdit, block: str
    ) -> Outcome:
        there = pending.get(name)
        if there is None:
            seen = self._days.version(name)
            text = "" if seen is None else self._days.text(name)
            there = _PendingDay(seen, text, self._scan(name))
        new = edit(there.text)
        if new is None:
            return "kept-yours"
        if new == there.text:
            return "unchanged"
        anchors = {subject: one for one in sections.anchors(block) for subject in _subjects(one)}
        edits = (*there.edits, edit)
        pending[name] = _PendingDay(there.seen, new, {**there.anchors, **anchors}, edits)
        return "replaced"

    def _write_pending(self, pending: dict[str, _PendingDay]) -> None:
        """Write the *pending* days; where an editor was quicker, change its text."""
        for name, there in pending.items():
            if not self._days.write(name, there.text, seen=there.seen):
                self._rewrite(name, partial(_edited, edits=there.edits))

    def _cut(self, text: str, id: str, name: str) -> tuple[str, str]:  # noqa: A002
        """The *text* of the day *name* without the memory *id*, and that memory."""
        found = [one for one in items_of(name, text) if one.id == id]
        if not found:
            raise LibraryError(
                f"{self._days.document(name)}: {id} is not there",
                hint="It may have been edited; look again.",
            )
        return day.without(text, found[0].first_line)


def changes(documents: Sequence[Documents], since: Mapping[str, str]) -> Iterator[DocumentChange]:
    """Yield what became of *documents* that were once of the versions in *since*."""
    left = dict(since)
    for part in documents:
        for name, state in part.states().items():
            known = left.get(name, "")
            if known == state or known.startswith(f"{state}."):
                left.pop(name)
            elif change := part.change(name, known):
                left.pop(name, None)
                yield change
    yield from (DocumentChange(document=gone) for gone in left)


def day_of(name: str) -> date | None:
    """The day that the text *name* of a journal is about, if it says so.

    >>> day_of("2026-11-15")
    datetime.date(2026, 11, 15)
    """
    try:
        return date.fromisoformat(name[:10])
    except ValueError:
        return None


def items_of(name: str, text: str) -> list[LibraryItem]:
    """Return everything in the *text* of the day *name*, ours and the user's."""
    return markdown.kept(text, day=day_of(name))


def _found_in(text: str) -> dict[Subject, Anchor]:
    """The anchors in *text* by what they are about; of two about the same, the first."""
    anchors = [section.anchor for section in sections.split(text) if section.anchor]
    return {subject: anchor for anchor in reversed(anchors) for subject in _subjects(anchor)}


def _edited(text: str, edits: Sequence[DayEdit]) -> str:
    """What *edits* make of *text*, one after the other."""
    for edit in edits:
        changed = edit(text)
        text = text if changed is None else changed
    return text


def _clock_of(section: str) -> str:
    """The time in the heading of a *section*, where it has one."""
    found = re.match(r"#+\s+(\d\d:\d\d)", section)
    return found[1] if found else "00:00"


def _subjects(anchor: Anchor) -> list[Subject]:
    if not anchor.turn:
        return [("session", "", anchor.session)]
    turn: Subject = ("turn", anchor.host, anchor.turn)
    return [turn, ("line", anchor.host, anchor.line)] if anchor.line else [turn]


def _carried_on(entry: JournalEntry, there: Anchor) -> dict[str, Any]:
    """Return what *entry* carries along in the place of what was *there*.

    What it does not say stays; so does what was checked out, which nobody knows better later.
    """
    was, now = carried(there), carried(entry)
    kept = {name: value or was[name] for name, value in now.items()}
    return kept | {name: was[name] or now[name] for name in ("branch", "commit")}


def _is_poorer(entry: JournalEntry, there: Anchor) -> bool:
    return entry.by.startswith("extractive/") and not there.by.startswith("extractive/")
