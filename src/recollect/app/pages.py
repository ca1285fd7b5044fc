"""One note, one entry or one session with all there is to know of it.

Where it comes from, what it said before, what stands in its place: for whoever shows a page of
it. What goes out is frozen, ready to be shown or made JSON.
"""

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from recollect import ids
from recollect.app import results
from recollect.app.browse import (
    EntryLine,
    NoteLine,
    SessionLine,
    entry_fields,
    note_fields,
    session_fields,
)
from recollect.app.home import OpenHome
from recollect.app.results import Hit
from recollect.app.sessions import Sessions
from recollect.app.upkeep import Upkeep
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError
from recollect.search import disclose, report
from recollect.store.contract.notes import StoredNote
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Session, Shown

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.transcripts.turns import CleanTurn

# A hook that shows something for a prompt may be ahead of what the transcript says by so much.
SECONDS_EARLY = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLine:
    """One version of a note."""

    number: int
    at: datetime
    added: int
    """How many lines it has that the version before had not …"""
    removed: int
    """… and the other way round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """A line of what differs between two versions."""

    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a memory comes from."""

    by: str
    """Who said it (`user`, `agent`, `model`), or the engine that wrote it and its version."""
    session: str = ""
    turn: str = ""
    host: str = ""
    branch: str = ""
    commit: str = ""
    files: tuple[str, ...] = ()
    """The files that it tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePage(NoteLine):
    """A note in full. Of one whose file cannot be read, *trouble* says why."""

    text: str
    """Its file as it stands."""
    body: str
    """Its Markdown, without what stands above it."""
    hash: str
    """Tells this state of it from another; who changes it says which one they read."""
    file: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Everything else that it says of itself, as `recollect show --json` has it."""
    source: Provenance
    supersedes: tuple[str, ...] = ()
    versions: tuple[VersionLine, ...] = ()
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """What a later entry says instead of something in an earlier one."""

    old: str
    new: str
    at: datetime | None
    id: str
    """The later entry."""
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPage(EntryLine):
    """An entry of the journal in full, with its neighbours."""

    body: str
    file: str
    """Where it stands, with the line."""
    turn: str
    edited: bool
    """The user changed it."""
    source: Provenance
    said: tuple[str, ...] = ()
    """What the turn behind it says, in its own words."""
    replaced: tuple[Replaced, ...] = ()
    notes: tuple[str, ...] = ()
    """The notes that were made of the same turn."""
    before: tuple[Hit, ...] = ()
    after: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenMemory:
    """A memory that an agent was given for a prompt."""

    id: str
    title: str
    score: float
    tokens: int
    used: str
    """How the agent used it; empty for not, as far as we know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLine:
    """A call of a tool in a line."""

    text: str
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfSession:
    """A turn of a session, with what the agent was given for it."""

    key: str
    at: datetime
    prompt: str
    answer: str
    tools: tuple[ToolLine, ...]
    interrupted: bool
    shown: tuple[GivenMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage(SessionLine):
    """A session in full."""

    summary: Mapping[str, object]
    """How it went, in eight fields; none before that is summed up."""
    ended: datetime | None
    end_reason: str
    conversation: tuple[TurnOfSession, ...]
    """The turns that are archived."""


class Pages:
    """Pages of one home, as they may be seen."""

    def __init__(
        self,
        home: OpenHome,
        upkeep: Upkeep,
        sessions: Sessions,
        visibility: Visibility,
        *,
        curator: "Callable[[], Curator]",
    ) -> None:
        self._home = home
        self._upkeep = upkeep
        self._sessions = sessions
        self._visibility = visibility
        self._curator = curator

    def note(self, name: str, project: str) -> NotePage:
        """Return the note called exactly *name* in *project*.

        Raises `NotFoundError`, also for one that may not be seen, and `ProjectError`.
        """
        row = self._row(name, project, must_be=not self._visibility.sees_all)
        curator = self._curator()
        held = curator.look_back(name, [project])
        texts = [curator.version(held, one.number) for one in curator.history(held)]
        versions = [
            _version(one.number, one.at, before, now)
            for one, before, now in zip(curator.history(held), ["", *texts], texts, strict=False)
        ]
        common: dict[str, Any] = {
            "text": held.text,
            "body": _body(held.text),
            "hash": ids.text_hash(held.text),
            "file": held.location,
            "versions": tuple(versions),
        }
        if isinstance(held, StoredNote):
            return NotePage(
                **note_fields(held, row),
                **common,
                fields=held.note.model_dump(mode="json"),
                source=self._source_of_note(held.note),
                supersedes=tuple(held.note.supersedes),
            )
        trouble = getattr(held, "trouble", None)
        return NotePage(
            name=held.name,
            project=project,
            category=held.name.partition("/")[0],
            status="broken" if trouble else "deleted",
            title=held.name,
            at=versions[-1].at if versions else datetime.fromtimestamp(0).astimezone(),
            source=Provenance(by=""),
            trouble=trouble.what if trouble else "",
            **common,
        )

    def note_diff(
        self, name: str, project: str, *, older: int, newer: int = 0
    ) -> tuple[DiffLine, ...]:
        """Return how two versions of a note differ, line by line; 0 is the note as it stands.

        Raises `NotFoundError`.
        """
        self._row(name, project, must_be=not self._visibility.sees_all)
        curator = self._curator()
        held = curator.look_back(name, [project])
        texts = [curator.version(held, one) if one else held.text for one in (older, newer)]
        return diff(*texts)

    def entry(self, id: str, project: str) -> EntryPage:  # noqa: A002 - it is the word people use
        """Return the entry called exactly *id* in the journal of *project*.

        Raises `NotFoundError`, also for one that may not be seen, and `ProjectError`.
        """
        row = self._row(id, project, must_be=True)
        assert row, "it must be there"
        index = self._home.index
        items = self._home.library(project).items(row.document)
        item = next((one for one in items if one.id == row.id), None)
        around = [
            [results.hit(one) for one in self._visibility.unasked(rows) if one.id != row.id]
            for rows in (
                index.around(project, row.at, before=2, after=0)[-1:],
                index.around(project, row.at, before=0, after=2),
            )
        ]
        parts = index.passages_of([row.key]).get(row.key, [])
        newer = index.replacements([key for key, _ in parts])
        return EntryPage(
            **entry_fields(row),
            body=row.body,
            file=f"{row.document}:{row.first_line}",
            turn=row.turn,
            edited=row.edited,
            source=Provenance(
                by=item.by if item else "",
                session=row.session,
                turn=row.turn,
                host=row.host,
                branch=row.branch,
                commit=item.commit if item else "",
                files=tuple(row.touched.splitlines()),
            ),
            said=disclose.passages(index, row),
            replaced=tuple(
                Replaced(
                    old=one.old, new=one.new, at=results.moment(one.at), id=one.id, title=one.title
                )
                for every in newer.values()
                for one in every
                if (later := index.by_id(one.id, [row.project])) and self._may_be_seen(later)
            ),
            notes=tuple(self._notes_of(row)),
            before=tuple(around[0]),
            after=tuple(around[1][:1]),
        )

    def session(self, id: str) -> SessionPage:  # noqa: A002 - it is the word people use
        """Return the session called exactly *id*. Raises `NotFoundError`."""
        found = self._home.state.sessions.find(id)
        if found is None or found.project not in self._visibility.reach():
            raise NotFoundError(f"no session {id}", hint="`recollect search` shows ids.")
        self._upkeep.refresh(found.project)
        return SessionPage(
            **self._session_fields(found),
            summary=self._sessions.summary_of(found.id),
            ended=results.moment(found.ended or 0.0),
            end_reason=found.end_reason,
            conversation=tuple(self._conversation(found)),
        )

    def _session_fields(self, one: Session) -> dict[str, Any]:
        summary = self._sessions.summary_of(one.id)
        return {**session_fields(one), "title": str(summary.get("request", ""))}

    def _conversation(self, session: Session) -> list[TurnOfSession]:
        turns = self._sessions.visible_turns(session)
        shown = self._home.state.shown.between(session.id, 0.0, math.inf)[::-1]
        starts = [turn.started.timestamp() - SECONDS_EARLY for turn in turns]
        return [
            self._turn(turn, [one for one in shown if since <= one.at < until])
            for turn, since, until in zip(turns, starts, [*starts[1:], math.inf], strict=True)
        ]

    def _turn(self, turn: "CleanTurn", shown: Sequence[Shown]) -> TurnOfSession:
        return TurnOfSession(
            key=turn.key,
            at=turn.started,
            prompt=turn.prompt,
            answer=turn.answer,
            tools=tuple(
                ToolLine(text=report.deed(call), failed=call.failed) for call in turn.tools
            ),
            interrupted=turn.interrupted,
            shown=tuple(
                GivenMemory(
                    id=one.id,
                    title=row.title,
                    score=one.score,
                    tokens=one.tokens,
                    used=one.used,
                )
                for one in shown
                if one.id and (row := self._home.index.by_id(one.id)) and self._may_be_seen(row)
            ),
        )

    def _notes_of(self, row: IndexRow) -> list[str]:
        """Return the names of the notes that were made of the turn behind *row*."""
        notes = self._home.index.notes(row.project) if row.turn else []
        made = [one.id for one in notes if one.turn == row.turn and self._may_be_seen(one)]
        return sorted(made)

    def _source_of_note(self, note: Any) -> Provenance:
        session = note.source.session or ""
        known = self._home.state.sessions.find(session) if session else None
        return Provenance(
            by=note.source.by,
            session=session,
            turn=note.source.turn or "",
            host=known.host if known else "",
            branch=note.evidence.branch or "",
            commit=note.evidence.commit or "",
            files=tuple(dict.fromkeys((*note.related_files, *note.evidence.files))),
        )

    def _row(self, name: str, project: str, *, must_be: bool) -> IndexRow | None:
        """Return what the index has of *name*. Raises `NotFoundError` for what *must_be* there."""
        self._visibility.reach([project])
        self._upkeep.refresh(project)
        row = self._home.index.by_id(name, [project])
        row = row if row and self._may_be_seen(row) else None
        if row is None and must_be:
            raise NotFoundError(f"{name}: no such id", hint=ids.WHERE_IDS_ARE)
        return row

    def _may_be_seen(self, row: IndexRow) -> bool:
        return bool(list(self._visibility.entries([row])))


def diff(older: str, newer: str) -> tuple[DiffLine, ...]:
    r"""Return how *newer* differs from *older*, line by line.

    >>> [(one.kind, one.text) for one in diff("a\nb\n", "a\nc\n")]
    [('same', 'a'), ('removed', 'b'), ('added', 'c')]
    """
    before, after = older.splitlines(), newer.splitlines()
    found: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "equal":
            found += [DiffLine(kind="same", text=one) for one in before[first:last]]
        else:
            found += [DiffLine(kind="removed", text=one) for one in before[first:last]]
            found += [DiffLine(kind="added", text=one) for one in after[start:end]]
    return tuple(found)


def _version(number: int, at: datetime, before: str, now: str) -> VersionLine:
    kinds = [one.kind for one in diff(before, now)]
    return VersionLine(
        number=number, at=at, added=kinds.count("added"), removed=kinds.count("removed")
    )


def _body(text: str) -> str:
    """Return a note without its front matter, also one that cannot be read."""
    return text.split("\n---\n", 1)[-1].strip()
