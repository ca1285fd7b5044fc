"""Notes that nobody asked for: what a turn, or a session, is worth keeping as one.

`notes.detection` says which, drafts them in the turn's own words, and says what waits for the
user's word; the curator compares them with what is there.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.curation.curator import Curator, NoteFilter
from recollect.journal.model import PROPOSED, JournalEntry, Summary
from recollect.notes import detection, note_model, triage
from recollect.notes.categories import Category
from recollect.notes.detection import Detection
from recollect.notes.draft import NoteDraft
from recollect.notes.stated import Embed
from recollect.notes.triage import Activity
from recollect.store.contract.notes import ChangeResult
from recollect.store.contract.state import Session
from recollect.transcripts.turns import CleanTurn, Turn

# How a session went.
SNAPSHOT: Category = "session_summary"
MOST_ITEMS = 10


def from_turn(  # noqa: PLR0913 - one parameter a part
    curator: Curator,
    turn: CleanTurn,
    entry: JournalEntry,
    *,
    before: Turn | None = None,
    project: str,
    settings: Settings,
    embed: Embed = lambda _: None,
) -> list[ChangeResult]:
    """Make the notes that *turn* is worth; *entry* tells which files it saw, and where.

    *embed* gives the vector of a sentence, which helps to tell a rule from what looks like one.

    The turn *before* it in the session helps to understand it; what was made of that one goes when
    this one takes it back.
    """
    done = _taken_back(curator, turn, before, project) if before else []
    how = Detection(
        thresholds=_thresholds(settings), most_messages=settings.triage_max_messages, embed=embed
    )
    proposed = detection.proposals(turn, before, how)
    made: list[tuple[NoteDraft, str | None]] = [
        (draft, PROPOSED if detection.needs_confirmation(proposal, turn) else None)
        for proposal in proposed
        if (draft := detection.drafted(proposal, turn))
    ]
    made += [(draft, None) for draft in detection.choices(turn) if draft.category in how.thresholds]
    known = _categories_made_of(turn, curator, project) if made else set()
    return done + [
        curator.keep(
            draft,
            project=project,
            now=datetime.now(UTC),
            said_at=turn.ended,
            source={"by": "extractive", "session": turn.session, "turn": turn.key},
            evidence={
                "commit": entry.commit or None,
                "branch": entry.branch or None,
                "files": dict(entry.seen_files),
            },
            review=review,
        )
        for draft, review in made
        if draft.category not in known  # The turn was read before.
    ]


def _thresholds(settings: Settings) -> dict[Category, float]:
    """Return how sure we must be of each category whose notes are made unasked."""
    return {
        name: settings.triage_thresholds[name]
        for name, category in settings.categories.items()
        if category.enabled and category.auto_capture
    }


def _taken_back(curator: Curator, turn: Turn, before: Turn, project: str) -> list[ChangeResult]:
    """Retire what was made of the turn *before*, if the user says "forget it" now."""
    if not triage.takes_back(turn.prompt):
        return []
    made = [
        held
        for held in curator.listed([project], NoteFilter())
        if held.note.source.by == "extractive"
        and held.note.source.session == before.session
        and held.note.source.turn == before.key
    ]
    now = datetime.now(UTC)
    return [curator.step(held, "retire", now=now, reason="taken back at once") for held in made]


def _categories_made_of(turn: Turn, curator: Curator, project: str) -> set[str]:
    """Return the categories of the notes that were made of *turn* when it was read before."""
    made = (held.note for held in curator.listed([project], NoteFilter()))
    return {one.category for one in made if one.source.turn == turn.key}


def of_session(
    curator: Curator,
    session: Session,
    summary: Summary,
    turns: Sequence[Turn],
    *,
    settings: Settings,
    now: datetime,
) -> ChangeResult | None:
    """Keep how a session went as a note, if enough happened in it."""
    category = settings.categories[SNAPSHOT]
    if not (category.enabled and category.auto_capture and summary.request):
        return None
    tools = [call.name for turn in turns for call in turn.tools]
    activity = Activity(tool_uses=len(tools), distinct_tools=len(set(tools)), exchanges=len(turns))
    if triage.busyness(activity) < settings.triage_thresholds[SNAPSHOT]:
        return None
    note = _note_of(session, summary, now)
    return curator.snapshot(note, project=session.project, now=datetime.now(UTC))


def _note_of(session: Session, summary: Summary, now: datetime) -> note_model.Note:
    return note_model.new(
        category=SNAPSHOT,
        title=summary.request[: note_model.LONGEST_TITLE],
        now=now,
        content={
            "goal": summary.request,
            "outcome": _outcome(session, summary),
            "completed": _items(summary.completed),
            "next_actions": _items(summary.next_steps),
            "key_changes": list(summary.files_edited)[:MOST_ITEMS],
        },
        source={"by": "model" if summary.by else "extractive", "session": session.id},
        evidence={"branch": session.branch or None},
    )


def _outcome(session: Session, summary: Summary) -> str:
    if session.status in ("interrupted", "failed"):
        return "abandoned" if not summary.completed else "partial"
    return "partial" if summary.next_steps else "success"


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(";") if item.strip()][:MOST_ITEMS]
