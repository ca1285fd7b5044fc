"""Keep the index in step with the files of a library: the journal, and the archived turns.

A file of unchanged size and time is not read, one of unchanged content not indexed again. Of
a file that did change, only the entries and passages that differ are written, so an edit in a
long day costs what was edited, and vectors of unchanged texts stay.
"""

import json
import os
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from recollect.journal import markdown, passages
from recollect.journal.model import LibraryItem
from recollect.store.contract.search import Render, Sources
from recollect.store.sqlite import access
from recollect.store.sqlite.index import replacing, turn_text
from recollect.store.sqlite.index.lookup import NUMBERS
from recollect.text.identifiers import identifiers
from recollect.text.terms import pairs
from recollect.transcripts.turns import Turn

SQL = access.load("recollect.store.sqlite.index", "sql/follow.sql")

NO_VECTOR = -1

# More entries than anybody has in the files that change.
MOST_DIGESTS = 8_192
# Days and notes that may change while a worker runs.
MOST_FOLLOWED = 256
# The rows of more entries are quicker read all at once.
MOST_LOOKED_UP = 50

_PATH = re.compile(r"(?!/)[^\s:*?<>|]+\.\w{1,8}")


Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    part: str
    text: str
    lead: str = ""
    day: str = ""
    """When it happened, as people write it: searched, not shown."""
    entry: str = ""
    session: str = ""
    turn: str = ""
    at: float = 0.0
    """When it was said; 0 if nobody knows."""
    names: tuple[str, ...] = ()

    @property
    def hash(self) -> bytes:
        """The name of its text, by which its vector is kept."""
        return _passage_hash(self.lead, self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Markdown:
    """A file of the journal, or a note."""

    project: str
    path: Path
    kind: str
    read: Callable[[Path], Sequence[LibraryItem]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Followed:
    """A file of Markdown as it was when it was followed last."""

    state: tuple[Stamp, bytes]
    """Its size and time, and the hash of its content: while the index knows it so, its rows say
    what is *kept*."""
    kept: Sequence[LibraryItem]


class Follower:
    """Writes what the files of a library say into the index."""

    def __init__(self, connection: sqlite3.Connection, render: Render) -> None:
        self._connection = connection
        self._render = render
        self._oldest_new: float | None = None
        """When the oldest of the passages was said that were added since links were made."""
        self._digests: dict[str, tuple[LibraryItem, str, str, bytes]] = {}
        self._followed: dict[Path, _Followed] = {}

    def follow(self, sources: Sources, *, seen: Callable[[Path], None], anew: bool = False) -> int:
        """Bring the index in step with *sources*; return how many files of Markdown changed.

        *seen* hears of each file that was looked at. With *anew*, everything is read and
        compared, whatever its size and time say.
        """
        known = {
            path: (kind, (size, time), hash_)
            for path, kind, size, time, hash_ in self._all("files_of", sources.project)
        }
        changed = 0
        written = [("journal", file, sources.read_journal) for file in sources.journal]
        written += [("note", file, sources.read_note) for file in sources.notes]
        written += [("hosted", file, sources.read_hosted) for file in sources.hosted]
        for kind, file, read in written:
            before = known.pop(str(file), None) if file.exists() else None
            markdown_file = _Markdown(project=sources.project, path=file, kind=kind, read=read)
            changed += self._follow_markdown(markdown_file, None if anew else before)
            seen(file)
        for file in sources.archives:
            before = known.pop(str(file), None) if file.exists() else None
            self._follow_archive(sources, file, None if anew else before)
            seen(file)
        for gone, (kind, *_) in known.items():
            self._forget(sources.project, gone)
            changed += kind != "archive"
        if anew:
            with access.transaction(self._connection):
                self._connection.execute(SQL["count_passages_again"], (sources.project,))
        self._link(sources.project)
        return changed

    def _link(self, project: str) -> None:
        """Link what older passages state to what replaced it since."""
        oldest, self._oldest_new = self._oldest_new, None
        if oldest is not None:
            with access.transaction(self._connection):
                replacing.link_again(self._connection, project=project, oldest=oldest)
        for (number,) in self._all("project_id", project):
            is_left = bool(self._all("has_changes_to_link", project))
            while is_left:
                with access.transaction(self._connection):
                    is_left = replacing.link(self._connection, project=project, number=number)

    # The journal and the notes.

    def _follow_markdown(self, file: _Markdown, before: tuple[str, Stamp, bytes] | None) -> bool:
        stamp = _stamp(file.path)
        if stamp is None or (before and before[1] == stamp):
            return False
        content = _content_hash(file.path)
        saved = (file.project, file.path, file.kind, stamp, content)
        if before and before[2] == content:
            with access.transaction(self._connection):
                self._save_file(*saved)
            return True  # What hooks check is the size and time, so those are new.
        kept = file.read(file.path)
        known = self._followed.pop(file.path, None)
        rows_say = known.kept if known and before and known.state == before[1:] else None
        with access.transaction(self._connection):
            file_id = self._save_file(*saved)
            if before is None:  # Also when everything is to be made anew, whatever it looks like.
                self._connection.execute(SQL["remove_entries"], (file_id,))
            changed, more = self._write_entries(file.project, file_id, kept, rows_say=rows_say)
            if before is None:
                own = [passage for one in kept for passage in _own_passages(one)]
                self._write_passages(file.project, file_id, own, anew=True)
            elif changed:
                own = [it for one in kept if one.id in changed for it in _own_passages(one)]
                self._write_passages(file.project, file_id, own, entries=changed)
            if before is None:
                self._connection.execute(SQL["count_again"], (file.project,))
            else:
                self._connection.execute(SQL["count_changed"], (more, file.project))
        if len(self._followed) >= MOST_FOLLOWED:
            self._followed.clear()
        self._followed[file.path] = _Followed(state=(stamp, content), kept=kept)
        return True

    def _write_entries(
        self,
        project: str,
        file_id: int,
        kept: Sequence[LibraryItem],
        *,
        rows_say: Sequence[LibraryItem] | None,
    ) -> tuple[set[str], int]:
        """Make the entries of a file those in *kept*; those that are as they were stay.

        What its *rows say* so far is None if that is not known. Return the ids of those that
        changed, came or went, and how many more there are to search.
        """
        old, places = _differing(rows_say or (), kept)
        if rows_say is None or len(old) > MOST_LOOKED_UP:
            places = [*range(len(kept))]
            rows = self._all("entries_in", file_id)
        else:
            rows = [row for one in old for row in self._all("entries_called", file_id, one.id)]
        there = {
            bytes(digest_): (number, id_, (first, last))
            for number, digest_, id_, first, last in rows
        }
        wanted = {
            self._digest(kept[place], _around(kept, place), project): place for place in places
        }
        changed = set()
        more = 0
        for gone in there.keys() - wanted.keys():
            number, id_, _ = there[gone]
            more -= sum(was for (was,) in self._all("remove_entry", number))
            changed.add(id_)
        first = self._project_id(project) * NUMBERS
        for name, place in wanted.items():
            one = kept[place]
            lines = (one.first_line, one.last_line)
            if name in there:
                number, _, before = there[name]
                if before != lines:
                    self._connection.execute(SQL["move_entry"], (*lines, number))
                continue
            changed.add(one.id)
            row = self._row(one, _around(kept, place), project)
            number = first + _seconds(row["at"])
            if self._all("is_taken", number):
                (number,) = self._all("next_free", number)[0]
            values = {"number": number, "file": file_id, "digest": name, **row}
            values |= {"first_line": one.first_line, "last_line": one.last_line}
            self._connection.execute(SQL["add_entry"], values)
            touched = str(row["touched"]).splitlines() if row["searchable"] else []
            touches = [(file, number) for file in touched]
            self._connection.executemany(SQL["add_touch"], touches)
            more += bool(row["searchable"])
        return changed, more

    def _digest(self, one: LibraryItem, around: str, project: str) -> bytes:
        """Return the name of the row of *one*.

        What is read from a file that changed elsewhere is the same object as before, and of a
        long day nearly all is.
        """
        known = self._digests.get(one.id)
        if known and known[0] is one and known[1:3] == (around, project):
            return known[3]
        name = digest(repr(sorted(self._row(one, around, project).items())))
        if len(self._digests) >= MOST_DIGESTS:
            self._digests.clear()
        self._digests[one.id] = (one, around, project, name)
        return name

    def _row(self, one: LibraryItem, around: str, project: str) -> dict[str, object]:
        card, line = self._render.card(one)
        seen = markdown.parse_observations(one)
        touched = [file for o in seen for file in (*o.files_modified, *o.files_read)]
        touched += one.files
        if one.kind == "note":  # What a note is about stands in its words.
            named = identifiers(f"{one.title}\n{one.body}")
            touched += [name.removeprefix("./") for name in named if _PATH.fullmatch(name)]
        row = {
            "id": one.id,
            "project": project,
            "kind": one.kind,
            "category": one.category,
            "aside": one.hidden_reason,
            "standing": one.note_status,
            "prominence": one.prominence,
            "types": " ".join(dict.fromkeys(o.type for o in seen)),
            "touched": "\n".join(dict.fromkeys(touched)),
            "seen_files": json.dumps(dict(one.seen_files)) if one.seen_files else "",
            "commit": one.commit,
            "at": one.at.timestamp() if one.at else 0.0,
            "session": one.session,
            "turn": one.turn,
            "host": one.host,
            "branch": one.branch,
            "title": one.title,
            "body": one.body,
            "day": _day(one),
            "pairs": pairs(f"{one.title}\n{one.body}"),
            "around": around,
            "searchable": one.is_memory,
            "edited": one.edited,
            "card": card,
            "line": line,
            "mark": digest(card).hex()[:8],
        }
        return {name: _storable(value) for name, value in row.items()}

    # The archive.

    def _follow_archive(
        self, sources: Sources, file: Path, before: tuple[str, Stamp, bytes] | None
    ) -> None:
        """Read what was added to an archive; one that became shorter is read as a new one."""
        stamp = _stamp(file)
        if stamp is None or (before and before[1] == stamp):
            return
        start = before[1][0] if before and before[1][0] <= stamp[0] else 0
        turns = {turn.key: turn for turn in sources.read_archive(file, start)}
        with access.transaction(self._connection):
            file_id = self._save_file(sources.project, file, "archive", stamp, b"")
            found = [p for turn in turns.values() for p in _turn_passages(turn)]
            if start:
                self._write_passages(sources.project, file_id, found, turns=list(turns.values()))
            else:
                self._connection.execute(SQL["remove_changes"], (file_id,))
                self._write_passages(sources.project, file_id, found, anew=before is None)
            replacing.save(
                self._connection, project=sources.project, file=file_id, turns=turns.values()
            )
            self._connection.execute(SQL["count_changed"], (0, sources.project))

    # Both.

    def _write_passages(
        self,
        project: str,
        file_id: int,
        wanted: Sequence[_Passage],
        *,
        turns: Sequence[Turn] | None = None,
        entries: Collection[str] = (),
        anew: bool = False,
    ) -> None:
        """Make the passages of a file, or of some *turns* or *entries* in it, the *wanted* ones.

        With *anew*, those that are there are rendered again.
        """
        if entries:
            rows = [row for id_ in entries for row in self._all("passages_of_entry", file_id, id_)]
        elif turns is None:
            rows = self._all("passages_in", file_id)
        else:
            rows = [
                row
                for turn in turns
                for row in self._all("passages_of", file_id, turn.session, turn.key)
            ]
        there: dict[tuple[object, ...], list[int]] = {}
        for number, *identity, lead, text in rows:
            if identity[-1] == _passage_hash(lead, text):  # Otherwise somebody damaged it.
                there.setdefault(tuple(identity), []).append(number)
            else:
                there.setdefault((number,), []).append(number)
        new: list[_Passage] = []
        for passage in wanted:
            same = there.get(
                (passage.part, passage.entry, passage.session, passage.turn, passage.hash)
            )
            if same:
                number = same.pop()
                if anew:
                    values = {**self._shown(passage), "number": number}
                    self._connection.execute(SQL["show_passage"], values)
            else:
                new.append(passage)
        self._remove([number for numbers in there.values() for number in numbers])
        self._add(project, file_id, new)

    def _add(self, project: str, file_id: int, new: Sequence[_Passage]) -> None:
        if not new:
            return
        told = [passage.at for passage in new if passage.at]
        told += [] if self._oldest_new is None else [self._oldest_new]
        self._oldest_new = min(told, default=None)
        project_id = self._project_id(project)
        (last,) = self._all("take_numbers", len(new), project_id)[0]
        first = project_id * NUMBERS + last - len(new) + 1
        for number, passage in enumerate(new, start=first):
            values = {
                "number": number,
                "file": file_id,
                "part": passage.part,
                "entry": passage.entry,
                "session": passage.session,
                "turn": passage.turn,
                "lead": _storable(passage.lead),
                "text": _storable(passage.text),
                **self._shown(passage),
                "pairs": _storable(" ".join(filter(None, (pairs(passage.text), passage.day)))),
                "names": _storable("\n".join(passage.names)),
                "hash": passage.hash,
                "space": NO_VECTOR if passage.part == "done" else 0,
            }
            self._connection.execute(SQL["add_passage"], values)

    def _shown(self, passage: _Passage) -> dict[str, str]:
        """Return the card of *passage*, empty for one that is never shown, and what marks it."""
        is_shown = passage.part not in ("done", "request")
        card = str(_storable(self._render.passage(passage.text))) if is_shown else ""
        return {"card": card, "mark": digest(card).hex()[:8]}

    def _remove(self, numbers: Iterable[int]) -> None:
        """Remove passages, and their vectors with them when no other has the same text."""
        for number in numbers:
            for (gone,) in self._all("remove_passage", number):
                self._connection.execute(SQL["remove_unused_vectors"], (gone, gone))

    def _forget(self, project: str, path: str) -> None:
        with access.transaction(self._connection):
            for (file_id,) in self._all("file_id", path):
                self._connection.execute(SQL["remove_entries"], (file_id,))
                self._remove(row[0] for row in self._all("passages_in", file_id))
                self._connection.execute(SQL["remove_changes"], (file_id,))
                self._connection.execute(SQL["remove_file"], (file_id,))
            self._connection.execute(SQL["count_again"], (project,))

    def _save_file(self, project: str, file: Path, kind: str, stamp: Stamp, content: bytes) -> int:
        values = (str(file), project, kind, *stamp, content)
        (file_id,) = self._connection.execute(SQL["save_file"], values).fetchone()
        return int(file_id)

    def _project_id(self, project: str) -> int:
        self._connection.execute(SQL["add_project"], (project,))
        return int(self._all("project_id", project)[0][0])

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()


def digest(text: str) -> bytes:
    """Return a short name for *text*."""
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _day(one: LibraryItem) -> str:
    return f"{one.at.astimezone():%Y-%m-%d %-d %B %Y %A}" if one.at else ""


def _passage_hash(lead: str, text: str) -> bytes:
    return digest(f"{lead}\n{text}" if lead else text)


def _own_passages(one: LibraryItem) -> Iterator[_Passage]:
    if not one.is_memory:
        return
    for place, passage in enumerate(passages.of_entry(one.title, markdown.plain(one))):
        # Names that only stand in a list, such as files, are found with the beginning.
        named = passage.text if place else f"{one.title}\n{one.body}"
        yield _Passage(
            part="own",
            lead=passage.lead,
            text=passage.text,
            day="" if place else _day(one),
            entry=one.id,
            at=one.at.timestamp() if one.at else 0.0,
            names=identifiers(named),
        )


def _turn_passages(turn: Turn) -> Iterator[_Passage]:
    where = {"session": turn.session, "turn": turn.key}
    at = turn.started.timestamp()
    for passage in passages.of_turn(turn):
        names = identifiers(passage.text)
        yield _Passage(
            part=passage.part, lead=passage.lead, text=passage.text, at=at, names=names, **where
        )
    if told := turn_text.done(turn):
        names = turn_text.changed_files(turn)
        yield _Passage(part="done", text=told, at=at, names=names, **where)


def _differing(
    old: Sequence[LibraryItem], new: Sequence[LibraryItem]
) -> tuple[list[LibraryItem], list[int]]:
    """Return those of *old* that are not as they were in *new*, and the places of such in *new*.

    An entry is also found by its neighbours, so it is as it was while they are.
    """
    were, are = _with_neighbours(old), _with_neighbours(new)
    known, left = set(were), set(are)
    gone = [one for one, name in zip(old, were, strict=True) if name not in left]
    return gone, [place for place, name in enumerate(are) if name not in known]


def _with_neighbours(kept: Sequence[LibraryItem]) -> list[tuple[int, int, int]]:
    names = [0, *map(id, kept), 0]
    return list(zip(names, names[1:], names[2:], strict=False))


def _around(kept: Sequence[LibraryItem], place: int) -> str:
    """Return an entry's text between those of its neighbours in the same session."""
    own = kept[place]
    near = kept[max(0, place - 1) : place + 2]
    text = "\n".join(
        f"{one.title}\n{one.body}"
        for one in near
        if one is own or (one.session == own.session and one.kind != "summary")
    )
    return f"{text}\n{pairs(text)}" if not text.isascii() else text


def _seconds(at: object) -> int:
    """Return when an entry happened, as a number within its project.

    The later one has the higher number, in whatever order the files were read: which of two
    equal answers comes first must not change when the index is made anew.
    """
    assert isinstance(at, float)
    return min(max(int(at), 0), NUMBERS - (1 << 20))


def _stamp(file: Path) -> Stamp | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _content_hash(file: Path) -> bytes:
    try:
        return blake2b(file.read_bytes(), digest_size=16).digest()
    except OSError:
        return b""  # Reading it says what is wrong.


def _storable(value: object) -> object:
    """Return *value* as the database takes it: a byte that is no UTF-8 becomes a question mark."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
