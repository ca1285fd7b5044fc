"""What sessions and subagents begin with: read from the index, or prepared for a hook alone."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from recollect import files, paths, projects
from recollect.context import outcomes, outdated, past_turns, render, rules, start_block, threads
from recollect.context.deps import AnswerDeps, folder_of, session_of
from recollect.context.instructions import Instructions
from recollect.context.past_turns import PastTurn
from recollect.context.replaced import is_replaced
from recollect.context.rules import StatedRule
from recollect.context.threads import OpenThread, SessionPlan
from recollect.errors import DamagedError, StoreError
from recollect.hooks import claude_code, decide, prepared
from recollect.hooks.prepared import PreparedBlock
from recollect.hooks.response import HookResponse
from recollect.journal import markdown
from recollect.journal.model import PROPOSED, LibraryItem, Summary
from recollect.notes import rules as note_rules
from recollect.notes import stated
from recollect.store.contract.search import IndexedPassage, IndexRow, Key, SearchIndex
from recollect.store.contract.state import Project
from recollect.text import spoken

# So many of the last things the user stated are looked through for rules.
MOST_STATED = 3_000
# Where a project instructs agents; whatever is longer is none that anybody reads.
INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md")
LONGEST_INSTRUCTIONS = 100_000
# What was left open is shown for three weeks; nobody leaves something in more sessions.
SUMMARIES = 60
# So many entries since are looked through for what was done of it.
MOST_LATER = 1_000
# Files of so many of the last entries are those that are being worked on.
WORKED_ON = 10
# Taking in that a session begins may be quicker than answering it.
JUST_MET_SECONDS = 10.0
NOTHING_KNOWN = "nothing is known here yet"

ENDED = {"completed": "ended", "interrupted": "interrupted", "failed": "failed", "active": "open"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lately:
    """What was done in a project lately, which all that is prepared of it begins with."""

    turns: Sequence[PastTurn]
    """The latest first."""
    open: Sequence[OpenThread]
    """What they left to do."""
    stated: Sequence[tuple[int, str]]
    """What the user stated, the latest first, each with the number of its entry."""
    rules: Sequence[tuple[int, str]]
    """What of that may be a rule."""


class SessionStart:
    """Answers the start of sessions and subagents, and prepares those answers for a hook alone."""

    def __init__(self, deps: AnswerDeps) -> None:
        self._deps = deps
        self._read: tuple[SearchIndex | None, dict[Key, IndexedPassage]] = (None, {})
        """The passages that the last start was made of, and the index they are from."""

    def session(self, project: Project, event: dict[str, object], *, now: float) -> HookResponse:
        """Return what a session is given as it begins, or when it was compacted."""
        source = event.get("source")
        if source not in claude_code.SPEAKING_SOURCES:
            return HookResponse(
                "SessionStart", nothing="it still has what it was given when it began"
            )
        with unless_busy():  # A session may begin right after another ended.
            self._deps.sync(project.name)
        own = session_of(event) if source == "compact" else ""
        with self._deps.index().reading():
            lately = self._lately(project.name, now=now)
            folder = folder_of(event, project)
            known = self._known(project, lately, own=own, folder=folder, now=now)
        budget = self._deps.settings(project.name).start_budget_tokens
        block = start_block.prepared(known, limit_tokens=budget)
        response = prepared.response("SessionStart", block, now=now)
        shown = {one.id for one in response.shown}
        left = (one.id for one in (*known.debts, *known.notes) if one.id not in shown)
        response.left_out = tuple((name, "no room left in the budget") for name in left)
        if not response.body and not response.message and _was_just_met(project, now=now):
            response = decide.first_session({**self._deps.settings(project.name).flat()})
        response.nothing = NOTHING_KNOWN
        return response

    def subagent(self, project: Project, event: dict[str, object], *, now: float) -> HookResponse:
        """Return what a subagent is given as it begins."""
        if not event.get("agent_type"):
            return HookResponse("SubagentStart", nothing="the host itself began it")
        block = self._for_subagents(project, folder_of(event, project), now=now)
        response = prepared.response("SubagentStart", block, now=now)
        response.nothing = "no preference and no constraint holds here"
        return response

    def prepare(self, project: str, *, now: float) -> None:
        """Write what the sessions of *project* would be given while no worker runs."""
        place = self._deps.registry.named(project)
        budget = self._deps.settings(project).start_budget_tokens
        home = self._deps.home
        lately = self._lately(project, now=now)
        known = self._known(place, lately, own="", folder=place.root, now=now)
        _write(paths.start_block(home, project), start_block.prepared(known, limit_tokens=budget))
        for_subagents = self._for_subagents(place, place.root, now=now)
        _write(paths.subagent_block(home, project), for_subagents)
        active = self._deps.state.sessions.active()
        for session in active:
            if session.project == project and session.turns:
                own = self._known(place, lately, own=session.id, folder=session.cwd, now=now)
                block = start_block.prepared(own, limit_tokens=budget)
                _write(paths.compact_block(home, session.id), block)
        _remove_others(
            Path(home, "run", "compact"), [paths.compact_block(home, s.id) for s in active]
        )

    def _lately(self, project: str, *, now: float) -> _Lately:
        settings = self._deps.settings(project)
        recent = [
            one
            for one in self._deps.index().recent(project, limit=start_block.RECENT)
            # A turn that did and said nothing has a headline alone.
            if (one.body.strip() or one.edited) and not one.is_ahead_of(now)
        ]
        turns = self._turns(self._deps.not_hidden(recent, settings))
        stated = self._deps.index().stated_in(project, most=MOST_STATED)
        return _Lately(
            turns=turns,
            open=threads.left_open(list(reversed(turns))),
            stated=stated,
            rules=_rules_in(stated),
        )

    def _known(
        self, project: Project, lately: _Lately, *, own: str, folder: str, now: float
    ) -> start_block.StartFacts:
        index, settings = self._deps.index(), self._deps.settings(project.name)
        turns = lately.turns
        recent = [one.entry for one in turns]
        others = [turn for turn in turns if not (own and turn.entry.session == own)]
        last, title = self._last(others)
        here = [*index.notes(project.name), *index.notes(paths.EVERYWHERE)]
        debts = [
            one
            for one in here
            if start_block.is_open_debt(one)
            and self._deps.index().is_unchanged(one)
            and not self._deps.is_hidden(one, settings)
        ]
        debts.sort(key=lambda one: (-one.prominence, -one.at))
        wants_debts = "tech_debt" in settings.context_categories
        last_session = last.summary.session if last else ""
        instructions = _instructions(folder)
        notes = [
            note
            for note in self._notes(project.name, start_block.ALWAYS_SHOWN, folder, recent, now=now)
            if not instructions.say(note.title)
        ]
        rules_ = self._stated_rules(project.name, notes, lately, now=now)
        return start_block.StartFacts(
            memories=index.count(project.name),
            own=self._own(own) if own else None,
            last=_without_instructions(last, instructions) if last else None,
            last_title=title,
            threads=self._left_open(project.name, lately, own=own, now=now),
            debts=debts[: settings.retrieval_max_inject] if wants_debts else (),
            to_review=sum(1 for one in here if one.hidden_reason == PROPOSED),
            notes=notes,
            rules=[rule for rule in rules_ if not instructions.say(rule.text)],
            turns=[turn for turn in others if last_session and turn.entry.session == last_session],
            recent=[turn for turn in others if turn.entry.session != last_session],
            kinds=settings.descriptions(),
            notice=_offer(project, self._deps.registry.clones(project)),
        )

    def _turns(self, entries: Sequence[IndexRow]) -> list[PastTurn]:
        """Return the turns behind *entries*, in their order, without what later ones replaced."""
        index = self._deps.index()
        keys = {
            entry: [key for key, part in passages if part in past_turns.PARTS]
            for entry, passages in index.passages_of([one.key for one in entries]).items()
        }
        wanted = [key for of_it in keys.values() for key in of_it]
        current = self._passages(index, wanted)
        replaced = index.replacements(wanted)
        for key, later in replaced.items():
            if key in current:
                current[key] = outdated.without(current[key], later)
        turns = []
        for one in entries:
            own = [key for key in keys.get(one.key, ()) if key in current]
            ended = [each for key in own for each in replaced.get(key, ())]
            is_ended = outdated.is_title_replaced(one, ended)
            said = [current[key] for key in own]
            turns.append(past_turns.read(one, said, is_title_replaced=is_ended))
        return turns

    def _passages(self, index: SearchIndex, keys: Sequence[Key]) -> dict[Key, IndexedPassage]:
        """Return the passages with these *keys*.

        What a key says never changes, and a start is prepared after every turn: only those that
        the start before did not need are read.
        """
        read_from, known = self._read
        left = known if read_from is index else {}
        found = {key: left[key] for key in keys if key in left}
        found |= index.passages([key for key in keys if key not in left])
        self._read = (index, dict(found))
        return found

    def _stated_rules(
        self, project: str, notes: Sequence[IndexRow], lately: _Lately, *, now: float
    ) -> list[StatedRule]:
        """Return what the user stated that may be a rule, and that no note says which holds.

        None that one of the turns *lately* replaced.
        """
        index, settings = self._deps.index(), self._deps.settings(project)
        proposed = [
            render.whole(note)
            for note in index.notes(project)
            if note.hidden_reason == PROPOSED
            and note.category in start_block.ALWAYS_SHOWN
            and self._deps.index().is_unchanged(note)
        ]
        asked = lately.stated
        found = [
            (number, rule)
            for rule in proposed
            # What waits may be no rule at all; what surely sounds like one is worth quoting.
            if note_rules.lasts(spoken.sentence(rule).heard)
            and (number := _prompt_with(rule, asked))
        ]
        found += lately.rules
        sources = index.by_keys(sorted({number for number, _ in found}))
        quoted = [
            StatedRule(text=rule, source=sources[number])
            for number, rule in found
            if not sources[number].is_ahead_of(now)
            and not self._deps.is_hidden(sources[number], settings)
        ]
        held = [f"{one.title} {one.body}" for one in notes]
        turns = lately.turns
        return [
            rule
            for rule in rules.newest(quoted, known_texts=held)
            if not is_replaced(rule.text, [one for one in turns if one.entry.at > rule.source.at])
        ]

    def _last(self, turns: Sequence[PastTurn]) -> tuple[start_block.PastSession | None, str]:
        """Return the last session in which something was done, and what to call it."""
        # What the journal says counts: a session may have lost its turns to the user's editor.
        titles: dict[str, str] = {}
        informative = set()
        for turn in turns:
            if turn.entry.session:
                titles.setdefault(turn.entry.session, turn.entry.title)
                if turn.entry.session not in informative and outcomes.of_turn(turn):
                    informative.add(turn.entry.session)
        latest: tuple[start_block.PastSession | None, str] = (None, "")
        # A session of nothing but "hi" is not the one where things stand, however many there were.
        for session, title in titles.items():
            past = self._past(session)
            if past and (session in informative or _has_deeds(past.fields)):
                return past, title
            if past and not latest[0]:
                latest = past, title
        return latest

    def _own(self, session: str) -> start_block.PastSession | None:
        """Return what *session* itself did so far; how it ended is not known yet."""
        past = self._past(session)
        return replace(past, ended="") if past else None

    def _past(self, session_id: str) -> start_block.PastSession | None:
        summary = self._deps.index().summary_of(session_id)
        if summary is None or not self._deps.index().is_unchanged(summary):
            return None
        if self.tells_of_hidden(summary):
            return None
        session = self._deps.state.sessions.find(session_id)
        return start_block.PastSession(
            summary=summary,
            fields=_fields(summary),
            seen=session.last_seen if session else summary.at,
            turns=self._deps.index().turns_in(session_id),
            ended=ENDED.get(session.status, "") if session else "",
        )

    def tells_of_hidden(self, summary: IndexRow) -> bool:
        """Tell whether *summary* may say what the user excluded since."""
        settings = self._deps.settings(summary.project)
        if not settings.capture_exclude_paths:
            return False
        entries = self._deps.index().in_session(summary.session)
        return any(self._deps.is_hidden(one, settings) for one in entries)

    def left_open(self, project: str, *, now: float) -> list[OpenThread]:
        """Return what the last sessions left to do and nothing later did."""
        return self._left_open(project, self._lately(project, now=now), own="", now=now)

    def _left_open(
        self, project: str, lately: _Lately, *, own: str, now: float
    ) -> list[OpenThread]:
        """Return what was left to do *lately*; of sessions without turns, by their summary.

        What the session *own* means to do next is shown elsewhere.
        """
        index = self._deps.index()
        found = list(lately.open)
        known = {own, *(turn.entry.session for turn in lately.turns if turn.sentences)}
        planned = []
        for summary in index.summaries(project, limit=SUMMARIES):
            fields = _fields(summary)
            is_shown_otherwise = summary.session in known and not summary.edited
            if (
                is_shown_otherwise
                or not fields.next_steps
                or not self._deps.index().is_unchanged(summary)
            ):
                continue
            is_recent = summary.at <= now and now - summary.at <= threads.STALE_DAYS * threads.DAY
            if is_recent and not self.tells_of_hidden(summary):
                plan = SessionPlan(summary=summary, request=fields.request, steps=fields.next_steps)
                planned.append(plan)
        if planned:
            oldest = min(plan.summary.at for plan in planned)
            later = index.around(project, oldest, before=0, after=MOST_LATER)
            found = [*threads.planned(planned, later, now=now), *found]
        return [
            one
            for one in found
            if self._deps.index().is_unchanged(one.source) and one.source.session != own
        ]

    def _for_subagents(self, project: Project, folder: str, *, now: float) -> PreparedBlock:
        settings = self._deps.settings(project.name)
        recent = self._deps.index().recent(project.name, limit=WORKED_ON)
        notes = self._notes(project.name, start_block.FOR_SUBAGENTS, folder, recent, now=now)
        kinds = settings.descriptions()
        return start_block.for_subagents(
            notes, kinds, limit_tokens=settings.subagents_budget_tokens
        )

    def _notes(
        self,
        name: str,
        categories: Iterable[str],
        folder: str,
        recent: Sequence[IndexRow],
        *,
        now: float,
    ) -> list[IndexRow]:
        """Return the notes of these *categories* that a context in the project *name* begins with.

        They go by the branch that is checked out in *folder* and the files of *recent* work.
        """
        settings, index = self._deps.settings(name), self._deps.index()
        wanted = set(categories).intersection(settings.context_categories)
        here = [
            note
            for note in (*index.notes(name), *index.notes(paths.EVERYWHERE))
            if start_block.is_in_force(note)
            and note.category in wanted
            and self._deps.index().is_unchanged(note)
            and not self._deps.is_hidden(note, settings)
        ]
        ordered = start_block.by_relevance(
            here,
            project=name,
            branch=projects.head(projects.identity(folder), folder)[0],
            files=[file for one in recent[:WORKED_ON] for file in one.touched.splitlines()],
            now=now,
        )
        return start_block.first_of_each_kind(ordered, most=settings.retrieval_max_inject)


@contextmanager
def unless_busy() -> Iterator[None]:
    """Leave it when somebody else is writing, a rebuild for one: what is there answers."""
    try:
        yield
    except StoreError as error:
        if isinstance(error, DamagedError):
            raise


def _was_just_met(project: Project, *, now: float) -> bool:
    """Tell whether *project* is known only since the session that begins now."""
    return now - project.first_seen < JUST_MET_SECONDS


def _instructions(folder: str) -> Instructions:
    """Return what the files in *folder* instruct agents to do, as far as they can be read."""
    texts = []
    for name in INSTRUCTIONS:
        path = Path(folder, name)
        try:
            if path.is_file():  # A pipe would never end.
                with path.open(encoding="utf-8", errors="replace") as file:
                    texts.append(file.read(LONGEST_INSTRUCTIONS))
        except (OSError, ValueError):
            continue
    return Instructions(texts)


def _rules_in(asked: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return what may be a rule of all that was *asked*, each with the number of its entry."""
    prompts: dict[int, list[str]] = {}
    for number, text in asked:
        prompts.setdefault(number, []).append(text)
    return [
        (number, rule)
        for number, texts in prompts.items()
        for rule in rules.of_prompt(tuple(texts))
    ]


def _prompt_with(rule: str, prompts: Sequence[tuple[int, str]]) -> int:
    """Return the entry whose prompt has the sentence *rule*, the last one; 0 if none has.

    Only a whole sentence counts: "never push to main" ends with its opposite.
    """
    wanted = _bare(rule)
    # Few texts have the words at all; only those are taken apart.
    near = ((number, text) for number, text in prompts if wanted in " ".join(text.lower().split()))
    for number, text in near:
        if any(_bare(one.text) == wanted for one in spoken.sentences(text)):
            return number
    return 0


def _bare(sentence: str) -> str:
    return " ".join(stated.without_lead(sentence).lower().split()).rstrip(" .,;:")


def _without_instructions(
    last: start_block.PastSession, instructions: Instructions
) -> start_block.PastSession:
    """Return *last* with a request that does not repeat the *instructions*."""
    left = instructions.left_of(last.fields.request)
    return replace(last, fields=replace(last.fields, request=left))


def _fields(summary: IndexRow) -> Summary:
    kept = LibraryItem(id=summary.id, kind="summary", title=summary.title, body=summary.body)
    return markdown.parse_summary(kept)


def _has_deeds(fields: Summary) -> bool:
    # What was only looked at is not shown of the last session.
    return bool(fields.completed or fields.next_steps)


def _write(path: str, block: PreparedBlock) -> None:
    """Make the file *path* hold *block*, or go; most turns change few of them."""
    target, text = Path(path), block.written()
    if not text:
        target.unlink(missing_ok=True)
    elif not target.exists() or files.read_text(target) != text:
        files.write(target, text)


def _remove_others(folder: Path, kept: Sequence[str]) -> None:
    for file in folder.glob("[!.]*"):  # What begins with a dot is just being written.
        if str(file) not in kept:
            file.unlink(missing_ok=True)


def _offer(project: Project, clones: list[Project]) -> str:
    if not clones:
        return ""
    return (
        f"{clones[0].root} looks like the same repository."
        f" To share its memory: recollect projects join {project.name} {clones[0].name}"
    )
