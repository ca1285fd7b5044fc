"""The library of one project: its day files, and the only code that writes them.

Whether a turn is recorded is decided by its anchor, in any day file, under the project's
lock. Its absence, for a turn we know we recorded, means that the user deleted it.
"""

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, tzinfo
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal, NamedTuple

from recollect import files, ids
from recollect.errors import LibraryError
from recollect.files import Stamp
from recollect.journal import day, markdown, sections
from recollect.journal.model import JournalEntry, LibraryItem, Summary
from recollect.journal.sections import Anchor
from recollect.notes import categories
from recollect.store.files.trash import Forgotten, Trash

Outcome = Literal["added", "replaced", "unchanged", "outdone", "kept-yours", "deleted-by-user"]
"""What became of an entry: `outdone` leaves what a model wrote, `kept-yours` a text that the user
changed; `deleted-by-user` writes nothing because the user took it out."""

Stamps = tuple[tuple[str, int, int], ...]
"""Names, sizes and times of files."""

Subject = tuple[Literal["turn", "line", "session"], str, str]
"""What an anchor is about: a turn of a host, the line it began with, or a session."""

DayEdit = Callable[[str], str | None]
"""Makes a new text of a day; None leaves it as it is, because it is the user's."""

LOCK_NAME = ".lock"
LOCK_SECONDS = 10.0

# More entries than sessions of one day have.
MOST_PARSED = 8_192

# An editor that saves in the very moment we write is met once, hardly ever twice.
EDITOR_RACES = 5

_HINTS = {
    errno.ENOSPC: "Free some space on this disk; the file is as it was before.",
    errno.EROFS: "The disk is read-only; the file is as it was before.",
    errno.EACCES: "Make the folder and its files yours to read and write.",
    errno.EPERM: "Make the folder and its files yours to read and write.",
    errno.EEXIST: "A file stands where a folder should be; move it away.",
    errno.ENOTDIR: "A file stands where a folder should be; move it away.",
}


class FoundAnchor(NamedTuple):
    """An anchor and the file it stands in."""

    path: Path
    anchor: Anchor


class _HeldDay(NamedTuple):
    """A day as it will be written: *edits* made *text* of the file as it was *seen*."""

    seen: Stamp | None
    text: str
    edits: tuple[DayEdit, ...]


class Library:
    """The Markdown of one project in *folder*; *zone* says when its days begin.

    Without a *zone* the days are this machine's.
    """

    def __init__(self, folder: Path, *, zone: tzinfo | None = None) -> None:
        self.folder = folder
        self.journal = folder / "journal"
        self.trash = Trash(folder)
        self._zone = zone
        self._scans: dict[Path, tuple[Stamp, dict[Subject, Anchor]]] = {}
        self._entries: dict[str, tuple[LibraryItem, JournalEntry]] = {}
        self._held: dict[Path, _HeldDay] | None = None
        """Days as they will be when the block of `together` ends."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what is recorded and summed up in the block when it ends, each day once.

        Also after an exception: what was recorded before it is not lost.
        """
        with self._writing():
            held = self._held = {}
            try:
                yield
            finally:
                self._held = None
                self._write_held(held)

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
                return "outdone"
            renewed = replace(
                entry,
                id=there.id,
                at=markdown.anchor_time(there) or entry.at,
                branch=there.branch or entry.branch,
                commit=there.commit or entry.commit,
                seen_files=entry.seen_files or markdown.anchor_files(there),
            )
            # The same text tells of the files as they were when it was written first.
            as_it_is = replace(renewed, seen_files=markdown.anchor_files(there))
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
        return {
            memory.turn
            for path in self.day_files()
            if any(anchor.session == session for anchor in self._scan(path).values())
            for memory in self.kept_in(path)
            if memory.kind == "entry" and memory.session == session and memory.edited
        }

    def summary_of(self, session: str) -> str:
        """What the summary of *session* says now; empty if there is none."""
        found = self._find(("session", "", session))
        there = self.kept_in(found.path) if found else []
        return next((one.body for one in there if found and one.id == found.anchor.id), "")

    def restamp_summary(self, session: str, digest: str) -> Outcome:
        """Let the summary that a model wrote of *session* be known to tell of *digest*."""
        with self._writing():
            found = self._find(("session", "", session))
            there = self.kept_in(found.path) if found else []
            memory = next((one for one in there if found and one.id == found.anchor.id), None)
            if found is None or memory is None or not found.anchor.by:
                return "unchanged"
            told = replace(markdown.parse_summary(memory), by=found.anchor.by, of=digest)
            return self._renew(found, markdown.render_summary(told, summary_id=memory.id))

    def check_writable(self) -> None:
        """Raise `LibraryError` or `BusyError` if nothing could be written here now."""
        with self._writing():
            probe = self.journal / ".probe"
            files.write(probe, "")
            probe.unlink()
            for day_file in self.day_files()[-1:]:
                if not os.access(day_file, os.W_OK):
                    raise LibraryError(f"{day_file}: cannot be written", hint=_HINTS[errno.EACCES])

    def is_summed_up(self, session: str, entries: Sequence[JournalEntry]) -> bool:
        """True when a model's summary of *session* tells of just these *entries*."""
        found = self._find(("session", "", session))
        if found is None or not found.anchor.of:
            return False
        return found.anchor.of == markdown.digest(entries)

    def day_files(self) -> list[Path]:
        """The files of the journal, oldest first."""
        there = _markdown_in(self.journal)
        return sorted({*there, *self._held}) if self._held else there

    def note_files(self) -> list[Path]:
        """The files in which notes stand, of whatever status."""
        return [file for folder in self._note_folders() for file in _markdown_in(folder)]

    def _note_folders(self) -> list[Path]:
        return [self.folder / name for name in categories.folders()]

    def stamps(self) -> Stamps:
        """The files of the library and its archive with sizes and times, all in one look."""
        folders = (self.journal, self.folder / "transcripts", *self._note_folders())
        return tuple(
            (file.path, status.st_size, status.st_mtime_ns)
            for folder in folders
            for file, status in _listed(folder)
        )

    def archives(self) -> list[Path]:
        """The archives of this project's sessions."""
        folder = self.folder / "transcripts"
        with _explained(folder):
            if not folder.is_dir():
                return []
            with os.scandir(folder) as listed:
                names = [file.name for file in listed if file.is_file(follow_symlinks=False)]
        return [folder / name for name in sorted(names) if name.endswith(".jsonl.gz")]

    def kept_in(self, path: Path) -> list[LibraryItem]:
        """Everything in the day file *path*, ours and the user's."""
        with _explained(path):
            held = self._held.get(path) if self._held else None
            text = held.text if held else files.read_text(path)
            return markdown.kept(text, day=day_of(path))

    def entries_of(self, session: str) -> list[JournalEntry]:
        """The entries of *session* as they stand now, oldest first."""
        found = [
            self._parsed(memory)
            for path in self.day_files()
            if any(anchor.session == session for anchor in self._scan(path).values())
            for memory in self.kept_in(path)
            if memory.kind == "entry" and memory.session == session
        ]
        return sorted(found, key=lambda entry: entry.at)

    def _parsed(self, memory: LibraryItem) -> JournalEntry:
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

    def forget(self, memory: LibraryItem, path: Path, *, at: float) -> None:
        """Take *memory* out of the day *path*; until it is erased it can be restored."""
        with self._writing():
            with _explained(path):
                _, section = _cut(_text_of(path), memory.id, path)
            # First the copy, then the cut: dying in between leaves both.
            self.trash.keep(
                Forgotten(
                    id=memory.id,
                    day=path.name,
                    section=section,
                    at=at,
                    title=memory.title,
                    turn=memory.turn,
                    host=memory.host,
                    session=memory.session,
                )
            )
            self._rewrite(path, lambda text: _cut(text, memory.id, path)[0])

    def restore(self, id: str) -> Forgotten:  # noqa: A002 - it is the word people use
        """Put the forgotten memory *id* back where it stood."""
        with self._writing():
            taken = self.trash.find(id)
            clock = _clock_of(taken.section)
            self._rewrite(
                self.journal / taken.day,
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
        """Take over the days of *other*, which is left empty; return how many there were.

        A day that both have is merged, entry by entry.
        """
        with self._writing(), other._writing():
            days = other.day_files()
            for path in days:
                with _explained(path):
                    theirs = files.read_text(path)
                self._rewrite(self.journal / path.name, partial(day.merge, other=theirs))
                with _explained(path):
                    path.unlink()
            self._take_archives(other)
        return len(days)

    def _take_archives(self, other: "Library") -> None:
        """Move the archived turns of *other* here; each session has a file of its own."""
        with _explained(other.folder):
            for archive in sorted((other.folder / "transcripts").glob("*.gz")):
                files.make_folder(self.folder / "transcripts")
                archive.rename(self.folder / "transcripts" / archive.name)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._held is not None:  # The lock is ours already.
            yield
            return
        with _explained(self.folder), files.locked(self.folder / LOCK_NAME, wait=LOCK_SECONDS):
            yield

    def _find(self, subject: Subject) -> FoundAnchor | None:
        for path in self.day_files():
            anchor = self._scan(path).get(subject)
            if anchor:
                return FoundAnchor(path, anchor)
        return None

    def _scan(self, path: Path) -> dict[Subject, Anchor]:
        """The anchors in *path*, read again only when the file has changed."""
        held = self._held.get(path) if self._held else None
        if held:
            return _found_in(held.text)
        with _explained(path):
            stamp = files.stamp(path)
            if stamp is None:
                return {}
            before = self._scans.get(path)
            if before and before[0] == stamp:
                return before[1]
            found = _found_in(files.read_text(path))
        self._scans[path] = (stamp, found)
        return found

    def _add(self, block: str, *, began: datetime, known: bool) -> Outcome:
        if known:
            return "deleted-by-user"
        local = began.astimezone(self._zone)
        path = self.journal / f"{local.date().isoformat()}.md"
        self._rewrite(path, lambda text: day.place(text, block, began=local))
        return "added"

    def _renew(self, found: FoundAnchor, block: str) -> Outcome:
        name = found.anchor.id
        return self._rewrite(found.path, lambda text: day.replace(text, name, block))

    def _rewrite(self, path: Path, edit: Callable[[str], str | None]) -> Outcome:
        """Write what *edit* makes of the text of *path*; None from it leaves the file alone."""
        if self._held is not None:
            return self._hold(self._held, path, edit)
        with _explained(path):
            for _ in range(EDITOR_RACES):
                seen = files.stamp(path)
                old = _text_of(path) if seen else ""
                new = edit(old)
                if new is None:
                    return "kept-yours"
                if new == old:
                    return "unchanged"
                if files.write_over(path, new, seen=seen):
                    return "replaced"
        raise LibraryError(
            f"{path}: changed by another program each time we wanted to write",
            hint="Close the program that keeps writing this file; nothing was lost.",
        )

    def _hold(self, held: dict[Path, _HeldDay], path: Path, edit: DayEdit) -> Outcome:
        there = held.get(path)
        if there is None:
            with _explained(path):
                seen = files.stamp(path)
                there = _HeldDay(seen, _text_of(path) if seen else "", ())
        new = edit(there.text)
        if new is None:
            return "kept-yours"
        if new == there.text:
            return "unchanged"
        held[path] = _HeldDay(there.seen, new, (*there.edits, edit))
        return "replaced"

    def _write_held(self, held: dict[Path, _HeldDay]) -> None:
        """Write the days as they were *held*; where an editor was quicker, change its text."""
        for path, there in held.items():
            with _explained(path):
                is_written = files.write_over(path, there.text, seen=there.seen)
            if not is_written:
                self._rewrite(path, partial(_edited, edits=there.edits))


def day_of(path: Path) -> date | None:
    """The day that the file *path* is about, if its name says so.

    >>> day_of(Path("journal/2026-11-15.md"))
    datetime.date(2026, 11, 15)
    """
    try:
        return date.fromisoformat(path.name[:10])
    except ValueError:
        return None


# Who records, sums up and looks what the user changed asks about the same text.
@lru_cache(maxsize=2)
def _found_in(text: str) -> dict[Subject, Anchor]:
    """The anchors in *text* by what they are about; of two about the same, the first."""
    told = [section.anchor for section in sections.split(text) if section.anchor]
    return {subject: anchor for anchor in reversed(told) for subject in _subjects(anchor)}


def _edited(text: str, edits: Sequence[DayEdit]) -> str:
    """What *edits* make of *text*, one after the other."""
    for edit in edits:
        changed = edit(text)
        text = text if changed is None else changed
    return text


def _cut(text: str, id: str, path: Path) -> tuple[str, str]:  # noqa: A002
    """The *text* of the day *path* without the memory *id*, and that memory."""
    found = [one for one in markdown.kept(text, day=day_of(path)) if one.id == id]
    if not found:
        raise LibraryError(
            f"{path}: {id} is not there", hint="It may have been edited; look again."
        )
    return day.without(text, found[0].first_line)


def _clock_of(section: str) -> str:
    """The time in the heading of a *section*, where it has one."""
    found = re.match(r"#+\s+(\d\d:\d\d)", section)
    return found[1] if found else "00:00"


def _markdown_in(folder: Path) -> list[Path]:
    with _explained(folder):
        if not folder.is_dir():
            return []
        with os.scandir(folder) as listed:
            # A cloned repository may carry a link to anything on this disk.
            names = [file.name for file in listed if file.is_file(follow_symlinks=False)]
    return [
        folder / name for name in sorted(names) if name.endswith(".md") and not name.startswith(".")
    ]


def _listed(folder: Path) -> list[tuple[os.DirEntry[str], os.stat_result]]:
    with contextlib.suppress(OSError), os.scandir(folder) as listed:
        return [(file, file.stat(follow_symlinks=False)) for file in listed]
    return []


def _text_of(path: Path) -> str:
    if path.is_symlink():
        raise LibraryError(
            f"{path}: is a link, and a library is not written through links",
            hint="Put the file itself there, or link the whole folder.",
        )
    return files.read_text(path)


def _subjects(anchor: Anchor) -> list[Subject]:
    if not anchor.turn:
        return [("session", "", anchor.session)]
    turn: Subject = ("turn", anchor.host, anchor.turn)
    return [turn, ("line", anchor.host, anchor.line)] if anchor.line else [turn]


def _is_poorer(entry: JournalEntry, there: Anchor) -> bool:
    return entry.by.startswith("extractive/") and not there.by.startswith("extractive/")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what the disk says about *path* into words for a person."""
    try:
        yield
    except OSError as error:
        raise LibraryError(
            f"{path}: {error.strerror or error}", hint=_HINTS.get(error.errno or 0, "")
        ) from error
