"""Notes that nobody asked for: what a turn, or a session, is worth keeping as one.

Rules that the user states are found sentence by sentence (`notes.stated`), the rest by triage. The
draft is made of the turn's own words, and the curator compares it with what is there. What only the
agent said of the user's choices waits for the user's word.
"""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.curation.curator import Curator, NoteFilter
from recollect.journal import evidence
from recollect.journal.model import PROPOSED, JournalEntry, Summary
from recollect.notes import cues, draft, note_model, rules, stated, triage
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.draft import NoteDraft
from recollect.notes.stated import Embed
from recollect.notes.triage import Activity, Proposal, SpokenMessage
from recollect.store.contract.state import Session
from recollect.store.files.notebook import ChangeResult
from recollect.text import spoken
from recollect.transcripts.turns import CleanTurn, Turn

# What is less than sure is for the user to say.
SURE = 0.7

# How a session went.
SNAPSHOT: Category = "session_summary"
MOST_ITEMS = 10
FEWEST_WORDS = 5

# What ought not to happen is asked for; a debt is what does.
_OUGHT = re.compile(r"\bshould(?:n'?t| not) (?!be\b)")


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
    proposed = list(_proposals(turn, before, settings, embed))
    known = _categories_made_of(turn, curator, project) if proposed else set()
    for proposal in proposed:
        if proposal.category in known:
            continue  # The turn was read before.
        made = _drafted(proposal, turn)
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


def _drafted(proposal: Proposal, turn: CleanTurn) -> NoteDraft | None:
    if _is_rule(proposal) and stated.reads(turn.prompt):
        text = stated.without_lead(proposal.sentence)
        return draft.from_rule(proposal.category, text, confidence=proposal.score)
    return draft.from_turn(proposal, turn)


def _proposals(
    turn: Turn, before: Turn | None, settings: Settings, embed: Embed
) -> Iterator[Proposal]:
    thresholds = settings.triage_thresholds
    heard = triage.triage(
        said(turn),
        before=said(before) if before else (),
        activity=Activity(),
        thresholds=thresholds,
        most_messages=settings.triage_max_messages,
    )
    found = [one for one in heard if _is_telling(one, turn)]
    if stated.reads(turn.prompt):
        found = [
            *(_rules(turn, thresholds, embed) if _is_read(turn, settings) else ()),
            *(one for one in found if not _is_rule(one) or _is_answer(one, turn, before)),
        ]
    told: set[str] = set()
    for proposal in found:  # They come best first, and one sentence makes one note.
        category = settings.categories[proposal.category]
        if category.enabled and category.auto_capture and proposal.sentence not in told:
            told.add(proposal.sentence)
            yield proposal


def _is_rule(proposal: Proposal) -> bool:
    """True for what a user lays down: a rule, a wish, a choice."""
    return proposal.by == "user" and CATEGORIES[proposal.category].is_rule


def _is_telling(proposal: Proposal, turn: Turn) -> bool:
    """False for what agents say of all their work, and for a debt that names no flaw.

    "Leave it for now" is said of many things. A way out of a problem is one if a command failed and
    passed in the end, or if the user tells it outright.
    """
    heard = spoken.sentence(proposal.sentence).heard
    by_agent = proposal.by == "agent" and stated.reads(turn.answer)
    if not by_agent and stated.reads(turn.prompt) and stated.specifies(turn.prompt):
        return False
    words = cues.languages(heard)
    match proposal.category:
        case "tech_debt":
            named = [one.tech_debt.named for one in words]
            flaws = [(one.tech_debt.flaw, one.tech_debt.slight) for one in words]
            told = named if by_agent else (*named, *itertools.chain(*flaws))
            is_wish = heard.endswith("?") or _OUGHT.search(heard)
            return any(cue.search(heard) for cue in told) and not is_wish
        case "runbook":
            is_told = proposal.plain and not rules.is_at_hand(heard)
            return _has_mended(turn) if by_agent else is_told
        case "constraint":
            return not by_agent
        case "decision":
            return not by_agent or proposal.plain
        case _:
            return True


def _has_mended(turn: Turn) -> bool:
    """True if a command failed and passed in the end; not by a slip, nor by a flaw of the code."""
    fixes = evidence.fixes(evidence.steps(turn))
    return any(not (fix.is_slip or fix.is_of_code) for fix in fixes)


def _is_read(turn: Turn, settings: Settings) -> bool:
    """True unless the prompt is farther back than the messages that are to be looked at."""
    return len(said(turn)) <= settings.triage_max_messages


def _is_answer(proposal: Proposal, turn: Turn, before: Turn | None) -> bool:
    """True for a choice that is only one because the agent offered several ways."""
    if before is None or proposal.category != "decision":
        return False
    if len(proposal.sentence.split()) < FEWEST_WORDS:  # "Option 3" tells nobody anything later.
        return False
    if rules.is_at_hand(spoken.sentence(proposal.sentence).heard):
        return False
    alone = triage.triage([SpokenMessage(by="user", text=turn.prompt)], activity=Activity())
    return not any(one.category == "decision" for one in alone)


def _rules(turn: Turn, thresholds: Mapping[str, float], embed: Embed) -> Iterator[Proposal]:
    for rule in stated.stated(turn.prompt, embed=embed):
        category = draft.category_of_rule(rule.text)
        if rule.score >= thresholds[category]:
            yield Proposal(
                category=category,
                score=rule.score,
                sentence=rule.sentence,
                by="user",
                plain=rule.is_pointed,
            )


def said(turn: Turn) -> list[SpokenMessage]:
    """Return the words of *turn*, in order."""
    agent = [*turn.remarks, turn.answer]
    spoken = [
        SpokenMessage(by="user", text=turn.prompt),
        *(SpokenMessage(by="agent", text=one) for one in agent),
    ]
    return [one for one in spoken if one.text.strip()]


def _is_for_the_user(proposal: Proposal, turn: Turn) -> bool:
    """True for what must not hold before the user has said yes.

    That is what the agent said, unless its commands prove it, and what the user said less than
    plainly, or in passing.
    """
    if proposal.by == "agent":
        return proposal.category != "runbook" or not _has_mended(turn)
    return proposal.score < SURE or not proposal.plain


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
