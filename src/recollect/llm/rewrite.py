"""Tell turns anew with a model: what it is asked, how it is checked, what is written of it.

A call takes its time, and meanwhile the user may forget a turn, edit it, or go on with it. So
what was asked about is looked at again before anything is written: what has changed since is not
written at all.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial

from recollect.config import Settings
from recollect.errors import EngineError, LibraryError, StoreError
from recollect.journal import markdown
from recollect.journal.extractive import Extractive
from recollect.journal.model import JournalEntry, Observation, Summary
from recollect.llm import brief, gate, model, verify
from recollect.llm.answers import DraftedNote
from recollect.llm.brief import Before
from recollect.llm.budgeted_client import BudgetedClient
from recollect.llm.drafted import ModelNotes
from recollect.llm.model import ModelDrafts, ModelRequest
from recollect.llm.providers.choose import model_of
from recollect.llm.speech import Speech
from recollect.llm.verify import DraftVerdict
from recollect.pipeline.record import extent
from recollect.store import pause, tally
from recollect.store.contract.state import Session, StateStore
from recollect.store.library import Library, Outcome
from recollect.transcripts.turns import CleanTurn

# What may stand in the way of writing, when it was not before.
UNWRITABLE = (StoreError, LibraryError, OSError)

TEXTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")


class TurnsChangedError(Exception):
    """Nothing of what a model was asked about is what it was."""


class NotWrittenError(Exception):
    """What a model answered could not be written; its cause says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsSnapshot:
    """Turns of a session, and all that the journal had of it when they were looked at."""

    session: Session
    turns: Sequence[CleanTurn]
    entries: Sequence[JournalEntry]
    library: Library
    settings: Settings

    @property
    def is_up_to_now(self) -> bool:
        """Tell whether the session's last turn is among them: then its summary is due."""
        return bool(self.turns and self.entries) and self.turns[-1].key == self.entries[-1].turn

    def speech(self, recorded: str = "") -> Speech:
        """Return who said what in the turns, beside what was *recorded* of those before."""
        return Speech(tuple(self.turns), bool(self.settings.synthesis_language), recorded)

    def edited(self) -> AbstractSet[str]:
        """Return the turns of the session whose entries the user has changed."""
        return self.library.edited_in(self.session.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteResult:
    """What came of asking."""

    another_time: AbstractSet[str] = frozenset()
    """Turns for which one call had no room."""
    asked: bool = False
    changed: bool = False
    failed: Mapping[str, EngineError] = field(default_factory=dict)
    """Further models that gave no answer, each with why."""
    resting: Mapping[str, float] = field(default_factory=dict)
    """Further models that were not asked because they rest, each with until when."""
    unchecked: Mapping[str, EngineError] = field(default_factory=dict)
    """Models that could not check what was drafted, each with why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewrittenEntry:
    """What a turn's entry is, and what it would be."""

    before: JournalEntry
    after: JournalEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would be made now of some turns that were recorded before."""

    snapshot: TurnsSnapshot
    rewritten: Sequence[RewrittenEntry]
    drafts: ModelDrafts | None = None
    """None where no model was asked."""
    summary: Summary | None = None
    """How the session would be summed up, if all of it is accepted."""


class EntryRewriter:
    """The models' share in the journal and the notes of one home."""

    def __init__(
        self,
        *,
        state: StateStore,
        library: Callable[[str], Library],
        client: BudgetedClient,
        notes: ModelNotes,
    ) -> None:
        self._state = state
        self._library = library
        self._client = client
        self._notes = notes

    def rewrite(
        self,
        session: Session,
        keys: AbstractSet[str],
        *,
        now: float,
        owed: AbstractSet[str] = frozenset(),
    ) -> RewriteResult:
        """Make more of the turns *keys* of *session*; with *owed*, by these models alone.

        Raises `EngineError`, `TurnsChangedError` when the turns changed while a model was asked,
        and `NotWrittenError` when it was asked in vain.
        """
        there = self._look(session, keys)
        if not there.turns:
            return RewriteResult()  # Nothing is left of them to look at.
        settings = there.settings
        # What cannot be written is not paid for.
        there.library.check_writable()
        widest = model.wanted(settings, summary=True)[0]
        turns = next(brief.batches(there.turns, room=model.room(widest, settings)))
        snapshot = replace(there, turns=turns)
        asks = model.wanted(settings, summary=snapshot.is_up_to_now)
        if owed:
            asks = [ask for ask in asks if ask.model in owed]
        resting = {
            ask.model: until for ask in asks if (until := self._rests(ask.model, settings, now))
        }
        awake = [ask for ask in asks if ask.model not in resting]
        result = RewriteResult(
            another_time={turn.key for turn in there.turns[len(turns) :]}, resting=resting
        )
        if not awake:
            return result
        drafts = self._draft(snapshot, awake)
        try:
            changed, unchecked = self._keep(snapshot, drafts, now=now)
        except UNWRITABLE as error:
            raise NotWrittenError from error
        return replace(
            result, asked=True, changed=changed, failed=drafts.failed, unchecked=unchecked
        )

    def _keep(
        self, snapshot: TurnsSnapshot, drafts: ModelDrafts, *, now: float
    ) -> tuple[bool, dict[str, EngineError]]:
        """Write what *drafts* say; tell whether anything changed, and why a check failed."""
        still = self._still(snapshot)
        rewritten = self._rewritten(snapshot, drafts)
        is_whole = len(still) == len(snapshot.turns)
        outcomes = _replace(snapshot, [one for one in rewritten if one.after.turn in still])
        changed = "replaced" in outcomes
        unchecked: dict[str, EngineError] = {}
        # A summary or a note may be made of a turn that is gone by now.
        if is_whole:
            summary = _summary(snapshot, rewritten, drafts)
            changed = self._summarise(snapshot, rewritten, summary) or changed
            noted, unchecked = self._propose(snapshot, drafts, now=now)
            changed = noted or changed
        self._mark(snapshot)
        return changed, unchecked

    def _look(self, session: Session, keys: AbstractSet[str]) -> TurnsSnapshot:
        """Return the turns *keys* that the archive has and the user left in the journal."""
        library = self._library(session.project)
        entries = library.entries_of(session.id)
        left = {entry.turn for entry in entries} & keys
        archived = library.archive.read(session.id)
        turns = sorted((one for one in archived if one.key in left), key=lambda one: one.started)
        return TurnsSnapshot(
            session=session,
            turns=turns,
            entries=entries,
            library=library,
            settings=self._client.settings(session.project),
        )

    def _still(self, snapshot: TurnsSnapshot) -> AbstractSet[str]:
        """Return which turns of *snapshot* are as they were. Raises `TurnsChangedError`."""
        now = self._state.sessions.find(snapshot.session.id)
        if now is None or not now.kept or now.project != snapshot.session.project:
            raise TurnsChangedError
        there = self._look(now, {turn.key for turn in snapshot.turns})
        extents = {turn.key: extent(turn) for turn in there.turns}
        same = {turn.key for turn in snapshot.turns if extents.get(turn.key) == extent(turn)}
        if not same:
            raise TurnsChangedError
        return same

    def _rests(self, name: str, settings: Settings, now: float) -> float:
        """Return until when the model *name* rests; 0 if it may be asked *now*."""
        resting = pause.current(self._state, model_of(settings, name))
        is_main = not name or name == settings.synthesis_default_model
        if is_main or resting is None or not resting.lasts(now):
            return 0.0
        return resting.until

    def _draft(self, snapshot: TurnsSnapshot, asks: Sequence[ModelRequest]) -> ModelDrafts:
        about = {turn.key for turn in snapshot.turns}
        earlier = [entry for entry in snapshot.entries if entry.turn not in about]
        before = Before(
            recorded=[one.title for entry in earlier for one in entry.observations],
            summary=snapshot.library.summary_of(snapshot.session.id) if earlier else "",
            candidates=self._notes.candidates(snapshot.session, snapshot.turns),
        )
        consult = partial(self._client.ask, project=snapshot.session.project, purpose="observe")
        return model.draft(
            snapshot.turns, before, asks, settings=snapshot.settings, consult=consult
        )

    def _mark(self, snapshot: TurnsSnapshot, *, but: AbstractSet[str] = frozenset()) -> None:
        """Remember that the turns were looked at by the model of the settings."""
        for turn in snapshot.turns:
            if turn.key not in but:
                looked_at = _looked(snapshot.settings, turn.host, turn.key)
                self._state.sessions.set_recorded(*looked_at)

    # The journal.

    def _rewritten(self, snapshot: TurnsSnapshot, drafts: ModelDrafts) -> list[RewrittenEntry]:
        """Return the entries as the model would have them, where it has something to say."""
        by_turn = {entry.turn: entry for entry in snapshot.entries}
        about = {turn.key for turn in snapshot.turns}
        said = {
            _key_of(one) for e in snapshot.entries if e.turn not in about for one in e.observations
        }
        rewritten = []
        speech = snapshot.speech()
        best = [gate.best_turn(one, speech) for one in drafts.drafted.observations]
        edited = snapshot.edited()
        for place, turn in enumerate(snapshot.turns):
            drafted = zip(drafts.drafted.observations, best, strict=True)
            its_own = [one for one, at in drafted if at == place]
            checked = gate.observations(its_own, speech.alone[place])
            self._drop(checked.dropped)
            kept = tuple(one for one in checked.observations if _key_of(one) not in said)
            if kept and turn.key not in edited:
                said |= {_key_of(one) for one in kept}
                there = by_turn[turn.key]
                after = replace(there, line=turn.line, observations=kept, by=drafts.by)
                rewritten.append(RewrittenEntry(before=there, after=after))
        return rewritten

    def _summarise(
        self, snapshot: TurnsSnapshot, rewritten: Sequence[RewrittenEntry], summary: Summary | None
    ) -> bool:
        """Write the *summary*, if it is of all that the journal has now; tell whether it changed.

        Where none was made, one that was up to date before stays so.
        """
        library = snapshot.library
        now = library.entries_of(snapshot.session.id)
        if list(map(markdown.body_of, now)) != list(
            map(markdown.body_of, _after(snapshot, rewritten))
        ):
            return False  # Another turn came, or the user changed one: another call tells of it.
        digest = markdown.digest(now)
        if summary is None:
            if rewritten and library.is_summed_up(snapshot.session.id, snapshot.entries):
                library.restamp_summary(snapshot.session.id, digest)
            return False
        outcome = library.summarise(replace(summary, of=digest), started=now[0].at, known=True)
        if outcome in ("added", "replaced"):
            session = self._state.sessions.find(snapshot.session.id) or snapshot.session
            self._notes.summary(session, summary)
        return outcome in ("added", "replaced")

    # The notes.

    def _propose(
        self, snapshot: TurnsSnapshot, drafts: ModelDrafts, *, now: float
    ) -> tuple[bool, dict[str, EngineError]]:
        """Propose the notes; tell whether anything came of it, and who failed to check them."""
        changed = False
        unchecked: dict[str, EngineError] = {}
        speech, settings = snapshot.speech(), snapshot.settings
        for note in drafts.drafted.notes:
            verdict = DraftVerdict(kind="unchecked")
            if settings.synthesis_verify and verify.is_due(note):
                checker = verify.checker(note, settings)
                if checker in unchecked or self._rests(checker, settings, now):
                    verdict = DraftVerdict(kind="block", reason="could not be checked for now")
                else:
                    verdict = self._verified(snapshot, note, unchecked)
            if len(self._still(snapshot)) < len(snapshot.turns):
                break
            result = self._notes.propose(snapshot.session, speech, note, verdict)
            self._drop({} if result else {"note": 1})
            changed = changed or result
        return changed, unchecked

    def _verified(
        self, snapshot: TurnsSnapshot, note: DraftedNote, unchecked: dict[str, EngineError]
    ) -> DraftVerdict:
        """Return what a second call says of *note*; what nobody could check is for the user.

        Who failed to is put into *unchecked*.
        """
        settings = snapshot.settings
        consult = partial(self._client.ask, project=snapshot.session.project, purpose="verify")
        try:
            return verify.check(note, snapshot.turns, settings=settings, consult=consult)
        except EngineError as error:
            if self._client.is_stopped:
                raise
            unchecked[verify.checker(note, settings)] = error
            return DraftVerdict(kind="block", reason=f"could not be checked: {error.message}")

    def _drop(self, dropped: Mapping[str, int]) -> None:
        if any(dropped.values()):
            tally.add(self._state, dropped)

    # Once more, before the user's eyes.

    def is_up_to_date(self, entry: JournalEntry, project: str) -> bool:
        """Tell whether *entry* is as it would be made now: by this model and prompt, or by none.

        One of which a model had nothing to say is as it would be, too.
        """
        settings = self._client.settings(project)
        if settings.synthesis_engine == "extractive":
            return entry.by == Extractive.name
        return self._state.sessions.is_recorded(*_looked(settings, entry.host, entry.turn))

    def preview(self, session: Session, turns: Sequence[CleanTurn]) -> Preview:
        """Return what would be made of *turns* now; the journal is not changed.

        Raises `EngineError`.
        """
        snapshot = self._look(session, {turn.key for turn in turns})
        settings = snapshot.settings
        if not snapshot.turns:
            return Preview(snapshot=snapshot, rewritten=())
        if settings.synthesis_engine == "extractive":
            return Preview(snapshot=snapshot, rewritten=_plain(snapshot))
        asks = model.wanted(settings, summary=snapshot.is_up_to_now, notes_too=False)
        drafts = self._draft(snapshot, asks)
        rewritten = self._rewritten(snapshot, drafts)
        # What it has something to say of is not done before the user has seen it.
        self._mark(snapshot, but={one.after.turn for one in rewritten})
        summary = _summary(snapshot, rewritten, drafts)
        return Preview(snapshot=snapshot, rewritten=rewritten, drafts=drafts, summary=summary)

    def apply(
        self,
        preview: Preview,
        accepted: Sequence[RewrittenEntry],
        *,
        declined: Sequence[RewrittenEntry] = (),
    ) -> list[Outcome]:
        """Let what was *accepted* stand in the journal; the summary, if that was all of it.

        What was *declined* is not offered again. What changed meanwhile is left as it is.
        """
        still = self._still(preview.snapshot) if accepted else frozenset()
        outcomes: list[Outcome] = []
        for one in accepted:
            is_there = one.after.turn in still
            outcomes += _replace(preview.snapshot, [one]) if is_there else ["unchanged"]
        if preview.drafts is None:
            return outcomes
        undecided = {one.after.turn for one in preview.rewritten}
        undecided -= {one.after.turn for one in (*accepted, *declined)}
        self._mark(preview.snapshot, but=undecided)
        if preview.rewritten and len(accepted) == len(preview.rewritten):
            self._summarise(preview.snapshot, preview.rewritten, preview.summary)
        return outcomes


def _replace(snapshot: TurnsSnapshot, rewritten: Sequence[RewrittenEntry]) -> list[Outcome]:
    return [snapshot.library.record(one.after, known=True, instead=True) for one in rewritten]


def _summary(
    snapshot: TurnsSnapshot, rewritten: Sequence[RewrittenEntry], drafts: ModelDrafts
) -> Summary | None:
    """Return how the session stands, as far as its entries and turns bear it out."""
    if drafts.drafted.summary is None:
        return None
    after = _after(snapshot, rewritten)
    recorded = "\n".join(map(markdown.body_of, after))
    checked = gate.summary(drafts.drafted.summary, snapshot.speech(recorded))
    if not checked:
        return None
    edited = snapshot.edited()
    *earlier, last = snapshot.turns
    before = [turn for turn in reversed(earlier) if turn.key not in edited]
    plain = Extractive().summarise(after, last=last, before=lambda: before)
    texts = {name: str(checked.get(name, "")) for name in TEXTS}
    texts["request"] = texts["request"] or plain.request
    return replace(plain, by=drafts.by, **texts)  # type: ignore[arg-type]


def _after(snapshot: TurnsSnapshot, rewritten: Sequence[RewrittenEntry]) -> list[JournalEntry]:
    """Return the session's entries with those that were *rewritten* in their places."""
    by_turn = {one.after.turn: one.after for one in rewritten}
    return [by_turn.get(entry.turn, entry) for entry in snapshot.entries]


def _plain(snapshot: TurnsSnapshot) -> list[RewrittenEntry]:
    """Return the entries as they are made without a model, where they differ."""
    by_turn = {entry.turn: entry for entry in snapshot.entries}
    rewritten = []
    for turn in snapshot.turns:
        before, made = by_turn[turn.key], Extractive().observe(turn)
        after = replace(
            before,
            line=turn.line,
            headline=made.headline,
            observations=made.observations,
            commit=made.commit,
            by=made.by,
        )
        if markdown.body_of(after) != markdown.body_of(before):
            rewritten.append(RewrittenEntry(before=before, after=after))
    return rewritten


def _looked(settings: Settings, host: str, turn: str) -> tuple[str, ...]:
    by = f"{settings.synthesis_engine} {settings.synthesis_default_model}"
    return host, f"looked at by {by} with prompt {model.version()}", turn


def _key_of(one: Observation) -> tuple[str, str]:
    return one.title.casefold(), one.text.casefold()
