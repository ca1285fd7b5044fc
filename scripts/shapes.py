"""What `--json` prints, as types. The reference is made of them, and tests hold commands to them.

Times are text such as `2026-11-15T13:32:07Z`, unless a field says that it is seconds since 1970. A
text that says nothing is empty; null stands only where a type says so.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from recollect.app.spending import Spending
from recollect.app.usage import UsageReport
from recollect.worker.health import Check, HomeStatus
from recollect.worker_client import Health


class HeadJson(TypedDict):
    """One memory, without its text."""

    id: Annotated[str, "What commands know it by; of an entry, the last 8 characters do, too."]
    title: str
    at: Annotated[str, "When it happened."]
    project: Annotated[str, "Its folder's name in Recollect's home; `global` for all projects."]
    kind: Annotated[str, "`entry`, `hand` (written by you), `summary`, `note` or `hosted`."]
    category: Annotated[str, "Of a note; empty for the rest."]
    hidden_reason: Annotated[
        str, "Why it is not shown unasked: `retired`, `archived`, `superseded by …`."
    ]
    aside: Annotated[str, "The former name of `hidden_reason`, until 0.2."]
    stale: Annotated[str, "What has become of the files it is about, if they changed."]
    types: Annotated[list[str], "What was observed: `bugfix`, `decision`, …"]
    session: str
    turn: str
    host: Annotated[str, "The agent it comes from."]
    branch: str
    file: Annotated[str, "The Markdown file it is in."]
    lines: Annotated[list[int], "Its first and last line there."]


class EntryJson(HeadJson):
    """One memory in full."""

    body: Annotated[str, "Its Markdown."]


class WhyJson(TypedDict):
    """Why a search found something. The figures belong to this release; do not build on them."""

    rank: Annotated[float, "What the order goes by."]
    matches: Annotated[dict[str, Any], "How well it did in each list of candidates."]
    signals: Annotated[dict[str, Any], "Of its best passage: what the score is made of."]
    circumstances: Annotated[dict[str, Any], "What else is known of it."]
    in_words: str


class ResultJson(HeadJson):
    """One result of a search."""

    score: Annotated[float, "How likely it answers the question, 0–1."]
    weak: Annotated[bool, "Below `search.min_score`: only the closest there is."]
    timestamp: Annotated[float, "When it happened, in seconds since 1970; 0 if unknown."]
    passages: Annotated[list[str], "What answers, in the words of the memory or its turn."]
    similar: Annotated[int, "How many were left out because they say the same."]
    why: Annotated[NotRequired[WhyJson], "With `--explain`."]


class SearchJson(TypedDict):
    """What a search found."""

    results: Annotated[list[ResultJson], "Best first."]
    several_projects: Annotated[bool, "True if more than one project was searched."]
    remarks: Annotated[list[str], "What a person is told below the results."]
    notes: Annotated[list[str], "The former name of `remarks`, until 0.2."]


class SourceJson(TypedDict):
    """A memory that an answer cites."""

    id: str
    date: str
    project: str
    title: str


class CallsJson(TypedDict):
    """What the calls of a model for one question took."""

    calls: int
    model: str
    input_tokens: int
    output_tokens: int
    cost: Annotated[float | None, "In dollars; null if no price is known."]
    without_price: Annotated[int, "Calls whose price is unknown."]
    estimated: Annotated[int, "Calls whose tokens we estimated."]


class AnswerJson(SearchJson):
    """An answer from memory, with what it was made of."""

    question: str
    answer: Annotated[str, "Empty if no model answered."]
    missing: Annotated[str, "What the memory does not say, in the model's words."]
    gap: Annotated[bool, "True if something of the question stays open."]
    grounded: Annotated[bool, "True if there is an answer, and it cites memories."]
    founded: Annotated[bool, "The former name of `grounded`, until 0.2."]
    trouble: Annotated[str, "Why no model answered."]
    sources: list[SourceJson]
    unknown_citations_removed: int
    not_read: Annotated[int, "Memories of projects with another engine, which was not asked."]
    searches: Annotated[list[str], "What was searched for."]
    spent: CallsJson


class ExpandedJson(EntryJson):
    """One memory in full, and its neighbours."""

    passages: Annotated[list[str], "What the turn behind it says."]
    before: Annotated[EntryJson | None, "The memory before it."]
    after: Annotated[EntryJson | None, "The memory after it."]


class SessionJson(TypedDict):
    """A conversation with an agent."""

    id: str
    host: str
    project: str
    recorded: Annotated[bool, "False if nothing of it was to be kept."]
    kept: Annotated[bool, "The former name of `recorded`, until 0.2."]
    client_pid: Annotated[int, "The process id of the agent; 0 if unknown."]
    client: Annotated[int, "The former name of `client_pid`, until 0.2."]
    cwd: str
    transcript: Annotated[str, "The agent's own log of it."]
    started: str | None
    last_seen: str | None
    ended: str | None
    turns: int
    compacted: Annotated[float, "When its context was last compacted, in seconds since 1970."]
    end_reason: str
    branch: str
    status: Annotated[str, "`active`, `completed`, `interrupted` or `failed`."]


class ToolJson(TypedDict):
    """One call of a tool."""

    id: str
    name: str
    input: dict[str, Any]
    output: str
    failed: bool
    agent: Annotated[str, "The subagent that made it; empty for the agent itself."]


class UsageJson(TypedDict):
    """The tokens of a turn, as the agent says."""

    input_tokens: int
    output_tokens: int


class TurnJson(TypedDict):
    """One prompt, what was done about it, and the answer."""

    host: str
    session: str
    key: str
    line: str
    prompt: str
    answer: str
    remarks: Annotated[list[str], "What the agent said between calls of tools."]
    tools: list[ToolJson]
    started: str
    ended: str
    branch: str
    cwd: str
    interrupted: bool
    finished: bool
    usage: UsageJson


class TranscriptJson(TypedDict):
    """The turns of a session, or the one behind a memory."""

    session: SessionJson
    turns: list[TurnJson]


class SummaryJson(SessionJson):
    """A session, and how it went."""

    request: str
    investigated: str
    learned: str
    completed: str
    next_steps: str
    files_read: list[str]
    files_edited: list[str]
    notes: str


class ChangeJson(TypedDict):
    """What really happened to one note."""

    outcome: Annotated[
        str,
        "`created`, `updated`, `superseded`, `retired`, `archived`, `unarchived`, `restored`,"
        " `erased`, `waiting` (for your word), `nothing` or `failed`.",
    ]
    name: Annotated[str, "`category/id`."]
    reason: str
    also: Annotated[list["ChangeJson"], "What happened to other notes with it."]


class NoteChangeJson(TypedDict):
    """A note that changed while a session was saved."""

    name: str
    category: str
    outcome: str


class SavedJson(TypedDict):
    """What became of a session so far."""

    session: str
    project: str
    turns: Annotated[int, "Turns that were not in the journal before."]
    total_turns: int
    turns_in_all: Annotated[int, "The former name of `total_turns`, until 0.2."]
    changes: list[NoteChangeJson]
    notes: Annotated[list[str], "All notes that were made of this session."]
    turn_running: Annotated[bool, "True while a turn goes on; it is kept when it ends."]
    under_way: Annotated[bool, "The former name of `turn_running`, until 0.2."]
    waiting_for_model: Annotated[int, "Turns that a model has still to look at."]
    for_a_model: Annotated[int, "The former name of `waiting_for_model`, until 0.2."]
    failed: Annotated[int, "Events that could not be taken in."]


class NoteJson(TypedDict):
    """A note: where it is, and [all its fields](notes.md)."""

    name: Annotated[str, "`category/id`."]
    project: str
    file: str
    schema_version: str
    category: str
    id: str
    title: str
    created_at: str
    updated_at: str
    tags: list[str]
    content: Annotated[dict[str, Any], "The fields of its category."]
    related_files: list[str]
    confidence: float
    record_status: Annotated[str, "`active`, `retired` or `archived`."]
    retired_at: str | None
    retired_reason: str | None
    archived_at: str | None
    archived_reason: str | None
    changes: list[dict[str, Any]]
    times_updated: int
    supersedes: list[str]
    superseded_by: str | None
    source: dict[str, Any]
    evidence: dict[str, Any]
    pinned: bool
    seen: Annotated[int, "How often it was said again."]
    visibility: str
    review: Annotated[str | None, "What it waits for you with: `proposed`, …"]


class ShownNoteJson(NoteJson):
    """A note, and its file."""

    text: Annotated[str, "The file as it is, or as it was in that version."]


class BrokenNoteJson(TypedDict):
    """A file that cannot be read as a note."""

    name: str
    project: str
    file: str
    trouble: str
    text: str


class VersionJson(TypedDict):
    """One version of a note."""

    version: int
    at: str


class ReviewedNoteJson(NoteJson):
    """A note that waits for you."""

    kind: Annotated[str, "Why: `proposed`, `contradiction`, `stale` …"]
    about: str
    other: Annotated[str | None, "The note that it contradicts."]


class DisputedJson(TypedDict):
    """A memory that somebody called wrong."""

    kind: Literal["disputed"]
    about: str
    id: str
    name: str
    project: str
    title: str
    body: str
    objection: str
    said: Annotated[str, "The former name of `objection`, until 0.2."]
    author: Annotated[str, "`user` or `agent`."]
    session: str
    hidden: bool


class FileTroubleJson(TypedDict):
    """A transcript that could not be read."""

    file: str
    reason: str


class ImportedNoteJson(TypedDict):
    """What became of one note that was read, or of another with it."""

    name: str
    outcome: str
    reason: str
    fix: str
    would: Annotated[NotRequired[str], "With `--dry-run`: what would be done."]
    file: NotRequired[str]
    record: Annotated[NotRequired[int | None], "Its place in the file, from 1."]


class ImportedNotesJson(TypedDict):
    """What became of the notes; with `--dry-run`, the first two begin with `would_`."""

    created: NotRequired[int]
    updated: NotRequired[int]
    would_create: NotRequired[int]
    would_update: NotRequired[int]
    nothing: int
    failed: int
    records: list[ImportedNoteJson]
    also: list[ImportedNoteJson]


class ImportJson(TypedDict):
    """What was read."""

    files: Annotated[int, "Transcripts."]
    added: Annotated[int, "Turns."]
    known: Annotated[int, "Turns that were known already."]
    skipped: Annotated[int, "Turns that are not to be kept."]
    left_alone: Annotated[int, "The former name of `skipped`, until 0.2."]
    failed: list[FileTroubleJson]
    pending: Annotated[int, "Passages that are found by their words alone so far."]
    notes: ImportedNotesJson


class WouldImportJson(TypedDict):
    """What would be read."""

    dry_run: Literal[True]
    transcripts: int
    notes: ImportedNotesJson


class ExportedJson(TypedDict):
    """What was written."""

    folder: str
    written: int
    unchanged: int
    not_overwritten: Annotated[list[str], "Files that say something else, and were left alone."]
    kept: Annotated[list[str], "The former name of `not_overwritten`, until 0.2."]
    lost: Annotated[dict[str, list[str]], "By note: what of its file is in no record."]


class ForgottenJson(TypedDict):
    """What was forgotten or erased, and from where."""

    outcome: Annotated[str, "`forgotten`, `erased` or `nothing`."]
    id: str
    title: str
    places: list[str]
    not_deleted: Annotated[list[str], "What is not ours to delete."]
    beyond: Annotated[list[str], "The former name of `not_deleted`, until 0.2."]
    also: list[str]


class NotForgottenJson(TypedDict):
    """What could not be forgotten."""

    outcome: Literal["failed"]
    reason: str
    hint: str


class RestorableJson(TypedDict):
    """Something forgotten that can come back."""

    id: str
    title: str
    at: str


class DueJson(TypedDict):
    """What `gc` would do."""

    outcome: Literal["nothing"]
    would: str
    name: str
    reason: str


class PieceJson(TypedDict):
    """One piece of what an agent would be given."""

    kind: str
    id: str
    text: str
    tokens: int
    score: float
    reason: str


class ShownJson(TypedDict):
    """A piece in short."""

    id: str
    score: float
    tokens: int
    why: str


class LeftOutJson(TypedDict):
    """A memory that would not be shown."""

    id: str
    why: str


class ContextJson(TypedDict):
    """What an agent would be given now."""

    event: str
    project: str
    context: Annotated[str, "Word for word; empty for nothing."]
    message: Annotated[str, "What the user is told."]
    empty_reason: Annotated[str, "Why there is nothing."]
    nothing: Annotated[str, "The former name of `empty_reason`, until 0.2."]
    tokens: int
    pieces: list[PieceJson]
    shown: list[ShownJson]
    left_out: list[LeftOutJson]
    worker: Annotated[bool, "True if a worker answered."]


class ProjectJson(TypedDict):
    """A project."""

    name: str
    label: str
    root: str
    remote: str
    first_seen: str
    last_seen: str
    excluded: bool


class ListedProjectJson(ProjectJson):
    """A project, and what is known of it."""

    paths: list[str]
    hosts: list[str]
    sessions: int
    memories: int


class JoinedJson(TypedDict):
    """Two projects that are one now."""

    joined: str
    into: str
    day_files: int


class IndexJson(TypedDict):
    """The state of the index."""

    memories: int
    pending: Annotated[int, "Passages without a vector so far."]
    trouble: Annotated[str, "Why vectors cannot be made."]


class PidJson(TypedDict):
    """The process that runs now."""

    pid: int


class StoppedJson(TypedDict):
    """Whether a worker ran."""

    stopped: bool


class ClearedJson(TypedDict):
    """The logs are empty."""

    cleared: Literal[True]


class QueuedJson(TypedDict):
    """A turn that was set aside."""

    turn: str
    session: str
    project: str
    kind: str
    reason: str
    tries: int


class RetriedJson(TypedDict):
    """Turns that are asked about again."""

    retried: bool
    turns: list[QueuedJson]
    paused: Annotated[str, "Why no model was asked."]


class ReplacedJson(TypedDict):
    """An entry that was made anew, with the engine before and after."""

    id: str
    before: str
    after: str


class RewrittenJson(ReplacedJson):
    """An entry that would be made anew."""

    old_title: str
    new_title: str


class ResynthesisJson(TypedDict):
    """What was, or would be, made anew."""

    turns: int
    calls: int
    tokens: int
    replaced: list[ReplacedJson]
    changes: Annotated[NotRequired[list[RewrittenJson]], "With `--extractive --dry-run`."]


class StepJson(TypedDict):
    """One step, in words."""

    line: str
    remark: str


class TroubleJson(TypedDict):
    """An agent that was passed over."""

    message: str
    hint: str


class PlanJson(TypedDict):
    """What was, or would be, changed."""

    done: bool
    steps: list[StepJson]
    note: str
    troubles: list[TroubleJson]


class SettingsJson(TypedDict):
    """All settings, and what is wrong with them."""

    settings: dict[str, bool | int | float | str | list[str]]
    problems: list[str]


class SetJson(TypedDict):
    """A setting that was set."""

    key: str
    value: str
    file: str


class UnsetJson(TypedDict):
    """A setting whose default holds again."""

    key: str
    file: str


class PathJson(TypedDict):
    """Where your settings are."""

    file: str


class DemoJson(TypedDict):
    """All that the demo shows."""

    journal: str
    start: dict[str, Any]
    prompts: dict[str, dict[str, Any]]
    after_the_change: dict[str, Any]
    notes: dict[str, list[str]]


Changes = ChangeJson | list[ChangeJson]
"""One for one name, a list for several."""

PRINTED: dict[str, Any] = {
    "archive": Changes,
    "ask": AnswerJson,
    "config": SettingsJson,
    "config get": bool | int | float | str | list[str],
    "config path": PathJson,
    "config set": SetJson,
    "config unset": UnsetJson,
    "context": ContextJson,
    "demo": DemoJson,
    "doctor": list[Check],
    "expand": ExpandedJson,
    "export": list[dict[str, Any]] | ExportedJson,
    "forget": ForgottenJson | list[ForgottenJson | NotForgottenJson] | list[RestorableJson],
    "gc": list[ChangeJson] | list[DueJson],
    "import": ImportJson | WouldImportJson,
    "index": IndexJson,
    "list": list[NoteJson],
    "logs": list[str] | ClearedJson,
    "pin": Changes,
    "projects": list[ListedProjectJson],
    "projects exclude": ProjectJson,
    "projects join": JoinedJson,
    "projects rename": ProjectJson,
    "projects split": ProjectJson,
    "remember": ChangeJson,
    "restore": Changes,
    "resynthesise": ResynthesisJson,
    "retire": Changes,
    "retry": RetriedJson,
    "review": list[ReviewedNoteJson | DisputedJson] | Changes,
    "save": SavedJson,
    "search": SearchJson,
    "setup": PlanJson,
    "show": ShownNoteJson | BrokenNoteJson | list[VersionJson],
    "spend": Spending,
    "stats": UsageReport,
    "status": HomeStatus,
    "summary": list[SummaryJson],
    "timeline": list[EntryJson],
    "transcript": TranscriptJson,
    "unarchive": Changes,
    "uninstall": PlanJson,
    "worker restart": PidJson,
    "worker start": PidJson,
    "worker status": Health,
    "worker stop": StoppedJson,
}
"""What each command prints with `--json`; in the order of the alphabet."""
