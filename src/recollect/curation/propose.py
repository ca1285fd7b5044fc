"""Notes that nobody asked for: what a turn, or a session, is worth keeping as one.

Triage says which, the draft is made of the turn's own words, and the curator compares it with
what is there. What only the agent said of the user's choices waits for the user's word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.curation.curator import Curator, Wanted
from recollect.memories import notes
from recollect.memories.model import PROPOSED, Entry, Summary
from recollect.memories.notebook import Done
from recollect.state.sessions import Session
from recollect.synthesis import draft, evidence, triage
from recollect.synthesis.triage import Activity, Proposal, Said
from recollect.transcripts.turns import CleanTurn, Turn

# What is less than sure is for the user to say.
SURE = 0.8

MOST_ITEMS = 10


def from_turn(
    curator: Curator,
    turn: CleanTurn,
    entry: Entry,
    *,
    before: Turn | None = None,
    project: str,
    settings: Settings,
) -> list[Done]:
    """Make the notes that *turn* is worth; *entry* tells which files it saw, and where.

    The turn *before* it in the session helps to understand it; what was made of that one goes when
    this one takes it back.
    """
    done = _taken_back(curator, turn, before, project) if before else []
    for proposal in _proposals(turn, before, settings):
        made = draft.from_turn(proposal, turn)
        if made is None:
            continue
        done.append(
            curator.keep(
                made,
                project=project,
                now=datetime.now(UTC),
                said_at=turn.ended,
                source={"by": "extractive", "session": turn.session, "turn": turn.key},
                evidence={
                    "commit": entry.commit or None,
                    "branch": entry.branch or None,
                    "files": dict(entry.seen_files),
                },
                review=PROPOSED if _is_for_the_user(proposal, turn) else None,
            )
        )
    return done


def _taken_back(curator: Curator, turn: Turn, before: Turn, project: str) -> list[Done]:
    """Retire what was made of the turn *before*, if the user says "forget it" now."""
    if not triage.takes_back(turn.prompt):
        return []
    made = [
        held
        for held in curator.listed([project], Wanted())
        if held.note.source.by == "extractive"
        and held.note.source.session == before.session
        and held.note.source.turn == before.key
    ]
    now = datetime.now(UTC)
    return [curator.step(held, "retire", now=now, reason="taken back at once") for held in made]


def _proposals(turn: Turn, before: Turn | None, settings: Settings) -> Iterator[Proposal]:
    found = triage.triage(
        said(turn),
        before=said(before) if before else (),
        activity=Activity(),
        thresholds=asdict(settings.triage_thresholds),
        most_messages=settings.triage_max_messages,
    )
    told: set[str] = set()
    for proposal in found:  # They come best first, and one sentence makes one note.
        category = getattr(settings.categories, proposal.category)
        if category.enabled and category.auto_capture and proposal.sentence not in told:
            told.add(proposal.sentence)
            yield proposal


def said(turn: Turn) -> list[Said]:
    """Return the words of *turn*, in order."""
    agent = [*turn.remarks, turn.answer]
    spoken = [Said(by="user", text=turn.prompt), *(Said(by="agent", text=one) for one in agent)]
    return [one for one in spoken if one.text.strip()]


def _is_for_the_user(proposal: Proposal, turn: Turn) -> bool:
    """True for what must not hold before the user has said yes.

    That is what the agent said, unless its commands prove it, and what the user said less than
    plainly, or in passing.
    """
    if proposal.by == "agent":
        return proposal.category != "runbook" or not evidence.fixes(evidence.steps(turn))
    return proposal.score < SURE or not proposal.plain


def of_session(
    curator: Curator,
    session: Session,
    summary: Summary,
    turns: Sequence[Turn],
    *,
    settings: Settings,
    now: datetime,
) -> Done | None:
    """Keep how a session went as a note, if enough happened in it."""
    category = settings.categories.session_summary
    if not (category.enabled and category.auto_capture and summary.request):
        return None
    tools = [call.name for turn in turns for call in turn.tools]
    activity = Activity(tool_uses=len(tools), distinct_tools=len(set(tools)), exchanges=len(turns))
    if triage.busyness(activity) < settings.triage_thresholds.session_summary:
        return None
    note = _note_of(session, summary, now)
    return curator.snapshot(note, project=session.project, now=datetime.now(UTC))


def _note_of(session: Session, summary: Summary, now: datetime) -> notes.Note:
    return notes.new(
        category="session_summary",
        title=summary.request[: notes.LONGEST_TITLE],
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
