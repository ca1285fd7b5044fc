"""What `Memory` gives back: values, and how they are made of what is stored."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from recollect.journal import markdown
from recollect.journal.model import SUMMARY_FIELDS, LibraryItem
from recollect.search import report
from recollect.store.contract.notes import ChangeResult
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Session

if TYPE_CHECKING:
    from recollect.transcripts.turns import CleanTurn


def former(name: str, **default: Any) -> Any:
    """Return a field that `as_data` gives its former *name*, too, for one release."""
    return field(metadata={"former": name}, **default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory in one line: enough to judge it, and its id to see it whole."""

    id: str
    title: str
    at: datetime | None
    """When it happened, or a note was last changed."""
    project: str
    kind: str
    """`entry` of the journal, `summary` of a session, `note`, `hand` (the user's own text), or
    `hosted` (a host's own memory)."""
    category: str = ""
    """Of a note: decision, runbook, constraint, tech_debt, preference, session_summary."""
    host: str = ""
    """The agent that it comes from."""
    stale: str = ""
    """Why it may be out of date."""
    hidden_reason: str = former("aside", default="")
    """Why it is not shown unasked: archived, superseded by another, only proposed."""
    score: float = 1.0
    """How likely it answers the question, 0–1."""
    weak: bool = False
    """It is only the closest there is."""
    passages: tuple[str, ...] = ()
    """What of it, or of the turn behind it, answers, in its own words."""

    @property
    def aside(self) -> str:
        """The former name of `hidden_reason`."""
        warnings.warn("Hit.aside is called hidden_reason now", DeprecationWarning, stacklevel=2)
        return self.hidden_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits(Sequence[Hit]):
    """What a search found, best first; *remarks* say how it was done, where that matters."""

    found: tuple[Hit, ...] = ()
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.found)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.found[place]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Hit):
    """A whole memory, with what happened around it."""

    body: str
    """Markdown, without the headline."""
    session: str = ""
    branch: str = ""
    file: str = ""
    """Where it stands."""
    hash: str = ""
    """Of a note: tells this state of it from another; who changes it says which one they read."""
    before: tuple[Hit, ...] = ()
    after: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn of a session: what was asked, done and answered."""

    at: datetime
    prompt: str
    answer: str
    tool_calls: tuple[str, ...] = former("deeds", default=())
    """A line each."""

    @property
    def deeds(self) -> tuple[str, ...]:
        """The former name of `tool_calls`."""
        warnings.warn("Said.deeds is called tool_calls now", DeprecationWarning, stacklevel=2)
        return self.tool_calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What was said in a session, as far as it is archived."""

    session: str
    project: str
    host: str
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """How a session went."""

    session: str
    project: str
    host: str
    at: datetime
    status: str
    summary: dict[str, str] = field(default_factory=dict, metadata={"former": "told"})
    """Request, investigated, learned, completed, next steps: those that there are."""

    @property
    def told(self) -> dict[str, str]:
        """The former name of `summary`."""
        warnings.warn("Past.told is called summary now", DeprecationWarning, stacklevel=2)
        return self.summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What was left to do, and the memory that says so."""

    text: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What really happened to a memory: `nothing` when there was a reason not to."""

    outcome: str
    id: str
    reason: str = ""
    fix: str = ""
    """What to do where it could not be done."""
    also: tuple["Change", ...] = ()

    @property
    def name(self) -> str:
        """What every command knows it by."""
        return self.id

    @property
    def is_done(self) -> bool:
        """Whether anything was changed."""
        return self.outcome not in ("nothing", "failed")


def hit(one: IndexRow) -> Hit:
    """Return *one* in a line."""
    return Hit(**fields_of(one))


def fields_of(one: IndexRow) -> dict[str, Any]:
    """Return the fields of a `Hit` that *one* has."""
    return {
        "id": one.id,
        "title": one.title,
        "at": moment(one.at),
        "project": one.project,
        "kind": one.kind,
        "category": one.category,
        "host": one.host,
        "stale": one.stale.strip(),
        "hidden_reason": one.hidden_reason,
    }


def past(session: Session, fields: Mapping[str, object]) -> Past:
    """Return how *session* went, as the *fields* of its summary say."""
    return Past(
        session=session.id,
        project=session.project,
        host=session.host,
        at=moment(session.last_seen) or datetime.now(UTC),
        status=session.status,
        summary={
            name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            for name, value in fields.items()
            if value
        },
    )


def summary_fields(one: IndexRow) -> dict[str, object]:
    """Return the eight fields of the summary of a session."""
    item = LibraryItem(id=one.id, kind="summary", title=one.title, body=one.body)
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(markdown.parse_summary(item)).items()
        if name in SUMMARY_FIELDS
    }


def hit_from_search(found: dict[str, Any]) -> Hit:
    """Return a memory as a search reports it."""
    return Hit(
        id=found["id"],
        title=found["title"],
        at=moment(found["timestamp"]),
        project=found["project"],
        kind=found["kind"],
        category=found["category"],
        host=found["host"],
        stale=found["stale"],
        hidden_reason=found["hidden_reason"],
        score=found.get("score", 1.0),
        weak=bool(found.get("weak", False)),
        passages=tuple(found.get("passages", ())),
    )


def whole(one: IndexRow, *, hash: str = "") -> Entry:  # noqa: A002 - it is the word people use
    """Return all of *one*; *hash* is that of a note."""
    short = hit(one)
    return Entry(
        **{name: getattr(short, name) for name in Hit.__slots__},
        body=one.body,
        session=one.session,
        branch=one.branch,
        file=f"{one.document}:{one.first_line}",
        hash=hash,
    )


def change(done: ChangeResult, *, name: str = "") -> Change:
    """Return what was *done* to the memory with this *name*."""
    return Change(
        outcome=done.outcome,
        id=name or done.name,
        reason=done.reason,
        fix=done.fix,
        also=tuple(change(one) for one in done.also),
    )


def said(turn: "CleanTurn") -> Said:
    """Return *turn* as it is told."""
    return Said(
        at=turn.started,
        prompt=turn.prompt,
        answer=turn.answer,
        tool_calls=tuple(report.deed(call) for call in turn.tools),
    )


def in_utc(at: datetime) -> str:
    """Return *at* as programs read it: `2026-11-15T13:32:07Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def as_data(value: object, *, time: Callable[[datetime], str] = in_utc) -> Any:
    """Return *value*, and all in it, as JSON takes it; a *time* becomes text.

    >>> as_data(Thread(text="Open", id="e-1"))
    {'text': 'Open', 'id': 'e-1'}
    """
    within = partial(as_data, time=time)
    match value:
        case datetime():
            return time(value)
        case Mapping():
            return {str(name): within(one) for name, one in value.items()}
        case list() | tuple():
            return [within(one) for one in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {
                name: within(getattr(value, one.name))
                for one in fields(value)
                for name in filter(None, (one.name, one.metadata.get("former")))
            }
        case _:
            return value


def moment(timestamp: float) -> datetime | None:
    """Return the time of *timestamp*; None for none."""
    return datetime.fromtimestamp(timestamp, UTC) if timestamp else None
