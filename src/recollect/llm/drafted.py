"""Notes that a model proposes: kept as far as the turns support them.

What the user plainly said holds at once; what only the agent said, what was blocked by a check, and
what would change or take away a note that a person made waits for the user's word. What the turns
do not say is not kept at all. The rest goes the way of every note: compared, resolved, written.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.curation.curator import Curator, NoteFilter
from recollect.errors import NoteError
from recollect.journal.model import PROPOSED, JournalEntry, Summary
from recollect.llm import gate
from recollect.llm.answers import DraftedNote
from recollect.llm.brief import ChangeableNote
from recollect.llm.speech import Grounds, Speech
from recollect.llm.verify import SURE, DraftVerdict
from recollect.notes import likeness
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.compare import statement
from recollect.notes.draft import NoteDraft
from recollect.notes.lifecycle import DOUBTED
from recollect.notes.note_model import Note
from recollect.pipeline.after_turn import AfterTurn, reported
from recollect.store.contract.notes import ChangeResult, StoredNote
from recollect.store.contract.state import Session
from recollect.store.library import Library
from recollect.text.terms import terms
from recollect.transcripts.turns import CleanTurn

MOST_CANDIDATES = 6
LONGEST_SAID = 4_000
LONGEST_REASON = 200

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDraft:
    """A note that a model proposes, with all that speaks for it."""

    note: DraftedNote
    turn: CleanTurn
    """The turn it was drafted from."""
    entry: JournalEntry | None
    """What the journal has of that turn."""
    grounds: Grounds
    supported: Mapping[str, object]
    """Those of its fields that the turns bear out."""
    verdict: DraftVerdict

    @property
    def holds(self) -> bool:
        """True when it needs no word of the user."""
        if self.verdict.kind == "block":
            return False
        confidence = self.note.confidence or 0.0
        sure = confidence >= SURE or self.verdict.kind in ("pass", "revise")
        return sure and self.grounds == "user"

    @property
    def review(self) -> str | None:
        """What the user is to decide, if anything."""
        if self.holds:
            return None
        if self.verdict.kind != "block":
            return PROPOSED
        return f"{PROPOSED}, blocked: {_short(self.verdict.reason)}"


class ModelNotes:
    """Keeps what models say of the notes of one home, as far as the turns support it."""

    def __init__(
        self,
        *,
        settings: Callable[[str], Settings],
        library: Callable[[str], Library],
        curator: Callable[[], Curator],
        after_turn: AfterTurn,
    ) -> None:
        self._settings = settings
        self._library = library
        self._curator = curator
        self._after_turn = after_turn
        self._shown: Mapping[str, StoredNote] = {}

    def candidates(self, session: Session, turns: Sequence[CleanTurn]) -> Sequence[ChangeableNote]:
        """Return the notes that *turns* may be about, the likeliest first.

        A model may change no other, and these only while they are what they are now.
        """
        self._shown = {}
        with reported("notes for a model"):
            listed = self._curator().listed([session.project], NoteFilter())
            there = {one.name: one for one in listed if not _is_snapshot(one.note.category)}
            said = "\n".join(f"{turn.prompt}\n{turn.answer}"[:LONGEST_SAID] for turn in turns)
            texts = {name: statement(one.note) for name, one in there.items()}
            likely = likeness.ranked(said, texts, most=MOST_CANDIDATES)
            self._shown = {name: there[name] for name in likely}
        return [
            ChangeableNote(name=name, category=one.note.category, says=statement(one.note))
            for name, one in self._shown.items()
        ]

    def propose(
        self, session: Session, speech: Speech, note: DraftedNote, verdict: DraftVerdict
    ) -> bool:
        """Keep *note* as far as *speech* supports it; tell whether anything came of it."""
        with reported("a note of a model"):
            result = self._taken(session, speech, note, verdict)
            self._after_turn.keep_track(session.project, [result])
            log.info("a model's note", extra={"outcome": result.outcome, "id": result.id})
            return result.outcome not in ("nothing", "failed")
        return False

    def summary(self, session: Session, summary: Summary) -> None:
        """Keep how *session* stands, now that a model has told it, as a note."""
        self._after_turn.keep_summary(session, summary)

    def _taken(
        self, session: Session, speech: Speech, note: DraftedNote, verdict: DraftVerdict
    ) -> ChangeResult:
        """Keep *note*, or do what it wants done with a note that the model was shown."""
        own = self._settings(session.project).categories[note.category]
        if not (own.enabled and own.auto_capture) or _is_snapshot(note.category):
            return _nothing("such notes are not made unasked")
        draft = self._checked(session, speech, note, verdict)
        place = DraftContext(self._curator(), session.project, self._after_turn.is_machine_made)
        target = self._shown.get(_name(draft.note))
        if target and target.note.category != draft.note.category:
            target = None
        if draft.note.action == "retire":
            return _retired(place, draft, target) if target else _nothing("it is about no note")
        if draft.grounds == "none":
            return _nothing("the turns do not say so")
        if target is None or draft.note.action != "update":
            same = _made_of_the_same(place, draft)
            return (same and _updated(place, draft, same)) or _kept(place, draft)
        done = _updated(place, draft, target)
        if done is None:
            return _kept(place, draft, instead_of=target.name)
        return _without_own(place, draft, target, done)

    def _checked(
        self, session: Session, speech: Speech, drafted: DraftedNote, verdict: DraftVerdict
    ) -> ModelDraft:
        note = verdict.revised or drafted
        turn = speech.turns[gate.place(note.turn, speech.turns)]
        entries = self._library(session.project).entries_of(session.id)
        return ModelDraft(
            note=note,
            turn=turn,
            entry=next((one for one in entries if one.turn == turn.key), None),
            grounds=gate.grounds(note, speech),
            supported=gate.supported_fields(note, speech),
            verdict=verdict,
        )


@dataclass(frozen=True, slots=True)
class DraftContext:
    """Where notes are made of what a model drafted."""

    curator: Curator
    project: str
    is_machine_made: Callable[[StoredNote], bool]
    """True of a note that stands as we wrote it, and no person has touched."""


def _filled(draft: ModelDraft) -> dict[str, object]:
    """Return the content of a new note: what the turns bear out; it stands for what is missing.

    Who says "use pnpm" need not say why: then that is all there is, and nothing is invented. The
    steps of a runbook cannot be made up so; without them there is no note.
    """
    category, supported = draft.note.category, draft.supported
    row = CATEGORIES[category]
    fields = {**row.defaults, **supported}
    main = supported.get(row.main)
    if not main or not row.may_repeat_itself:
        return fields
    for one in row.fields:
        if one.required and one.name not in fields:
            fields[one.name] = (main,) if one.form == "list" else main
    return fields


def _kept(place: DraftContext, draft: ModelDraft, *, instead_of: str = "") -> ChangeResult:
    """Make a new note; one that would change another which we may not change waits with it."""
    seen = draft.entry
    try:
        return place.curator.keep(
            NoteDraft(
                category=draft.note.category,
                title=draft.note.title,
                content=_filled(draft),
                related_files=_files(draft),
                confidence=draft.note.confidence,
            ),
            project=place.project,
            now=datetime.now(UTC),
            said_at=draft.turn.ended,
            source=_source(draft),
            evidence={
                "commit": (seen.commit if seen else "") or None,
                "branch": (seen.branch if seen else "") or None,
                "files": dict(seen.seen_files) if seen else {},
            },
            review=f"{PROPOSED}, may contradict {instead_of}" if instead_of else draft.review,
        )
    except NoteError as error:  # A field is missing, or not as it must be.
        return _nothing(error.message)


def _updated(place: DraftContext, draft: ModelDraft, target: StoredNote) -> ChangeResult | None:
    """Update *target* by the draft; None where that is not for us to do, or cannot be done."""
    if not (draft.holds or _is_unconfirmed(target)) or not _is_ours(place, target):
        return None

    def redrafted(old: Note) -> Note:
        content = {**old.content.model_dump(), **draft.supported}
        return old.changed(
            title=draft.note.title or old.title,
            content=content,
            related_files=(*old.related_files, *_files(draft)),
            confidence=draft.note.confidence,
            source=_source(draft),
            review=draft.review,
        )

    # Of a note that is not what the model has seen, nothing comes of it.
    done = place.curator.change(target, redrafted, now=draft.turn.ended, by="model")
    return None if done.outcome == "failed" else done


def _retired(place: DraftContext, draft: ModelDraft, target: StoredNote) -> ChangeResult:
    """Ask the user whether *target* still holds; what was checked as well is retired at once."""
    if draft.grounds == "none" or not _is_named(target.note, draft.turn):
        return _nothing("the turns do not say so")
    reason = _short(draft.note.reason or draft.note.title or "a model says so")
    may = not CATEGORIES[target.note.category].is_permanent and _is_ours(place, target)
    if may and draft.holds and draft.verdict.kind == "pass":
        return place.curator.step(target, "retire", now=draft.turn.ended, reason=reason)
    return place.curator.doubt(target, f"{DOUBTED}: {reason}", now=datetime.now(UTC))


def _without_own(
    place: DraftContext, draft: ModelDraft, target: StoredNote, done: ChangeResult
) -> ChangeResult:
    """Retire what was made of the same words without a model, now that *target* says it."""
    own = _made_of_the_same(place, draft)
    if own is None or own.name == target.name:
        return done
    gone = place.curator.step(
        own, "retire", now=datetime.now(UTC), reason=f"{target.name} says it now"
    )
    return replace(done, also=(*done.also, gone))


def _made_of_the_same(place: DraftContext, draft: ModelDraft) -> StoredNote | None:
    """Return the note that was made of the same words without a model, if it is as it was."""
    wanted = NoteFilter(categories=(draft.note.category,))
    made = {
        held.name: held
        for held in place.curator.listed([place.project], wanted)
        if held.note.source.turn == draft.turn.key
        and held.note.source.by == "extractive"
        and not held.note.times_updated
    }
    said = f"{draft.note.title}\n{draft.supported.get(CATEGORIES[draft.note.category].main, '')}"
    best = likeness.best(said, {name: statement(held.note) for name, held in made.items()})
    return made[best.name] if best and best.likeness >= likeness.RELATED else None


def _is_named(note: Note, turn: CleanTurn) -> bool:
    """True when what was said in *turn* is about *note*: half the words of its title were said."""
    wanted = set(terms(note.title))
    said = set(terms(f"{turn.prompt}\n{turn.answer}"))
    return bool(wanted) and 2 * len(wanted & said) >= len(wanted)


def _is_ours(place: DraftContext, held: StoredNote) -> bool:
    """True for a note that no person wrote, edited, confirmed or pinned."""
    by_person = held.note.source.by == "user" or held.note.pinned
    return not by_person and place.is_machine_made(held)


def _is_unconfirmed(held: StoredNote) -> bool:
    return held.note.source.by == "extractive" and (held.note.review or "").startswith(PROPOSED)


def _is_snapshot(category: Category) -> bool:
    return CATEGORIES[category].is_snapshot


def _source(draft: ModelDraft) -> dict[str, str]:
    return {"by": "model", "session": draft.turn.session, "turn": draft.turn.key}


def _files(draft: ModelDraft) -> tuple[str, ...]:
    return tuple(draft.entry.seen_files) if draft.entry else ()


def _name(note: DraftedNote) -> str:
    """Return the `category/id` that *note* is to change; models leave out the category."""
    return note.target if "/" in note.target else f"{note.category}/{note.target}"


def _short(text: str) -> str:
    """Return *text* on a line of a note's review; a comma would begin another reason there."""
    return " ".join(text.replace(", ", "; ").split())[:LONGEST_REASON]


def _nothing(reason: str) -> ChangeResult:
    return ChangeResult(outcome="nothing", id="", reason=reason)
