"""What a hook is answered: chosen from the index, joined as the plain answer joins it.

Nothing here is slow: what a session begins with comes from the index alone, and a prompt is one
search. What hooks need while no worker runs is written beforehand (`prepare`).
"""

import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from recollect import files, paths, projects
from recollect.config import Settings
from recollect.context import pointing, recall, render, start, threads
from recollect.context.pointing import Pointer
from recollect.context.recall import Candidate
from recollect.hooks import answer as plain
from recollect.hooks import claude_code
from recollect.hooks.said import Said
from recollect.index import lookup
from recollect.index.database import Index, Indexed, is_broken, is_unchanged
from recollect.index.stale import Staleness
from recollect.intake.clean import is_excluded
from recollect.memories import markdown
from recollect.memories.lifecycle import PROPOSED
from recollect.memories.model import Kept
from recollect.retrieval import report
from recollect.retrieval.query import Filter, Query
from recollect.retrieval.search import Embed, Found, Request, search
from recollect.state import sessions, shown
from recollect.state.database import State
from recollect.state.registry import Project, Registry

# So many summaries are looked at for what was left open.
SUMMARIES = 8
# Files of so many of the last entries are those that are being worked on.
WORKED_ON = 10
# Of what was found, so many are looked at before the bars and the budget decide.
LOOKED_AT = 10
# The time or the session that a prompt points at speaks for a memory, so its words need less.
POINTED_BAR = 0.3
# Of a session or a time that is named without a topic, so many of the latest turns are shown.
POINTED = 3
# What is passed over is counted again after so long.
COUNTED_SECONDS = 300.0

ENDED = {"completed": "ended", "interrupted": "interrupted", "failed": "failed", "active": "open"}


class Answering:
    """Answers the hooks of one home."""

    def __init__(  # noqa: PLR0913 - one parameter a part of the home
        self,
        home: str,
        *,
        state: State,
        registry: Registry,
        settings: Callable[[str], Settings],
        index: Callable[[], Index],
        sync: Callable[[str], object],
        embed: Embed,
    ) -> None:
        self._home = home
        self._state = state
        self._registry = registry
        self._settings = settings
        self._index = index
        self._sync = sync
        self._embed = embed
        self._counted: dict[str, tuple[float, frozenset[str]]] = {}

    def answer(self, name: str, event: Mapping[str, object], *, now: float) -> tuple[Said, str]:
        """Return what is said to the *event* called *name*, and the project it is about."""
        project = self._project_of(event)
        if project is None or project.excluded:
            return Said(name), ""
        settings = self._settings(project.name)
        if not settings.context_enabled:
            return Said(name), project.name
        said = Said(name)
        if name == "SessionStart" and settings.start_enabled:
            said = self._start(project, event, now=now)
        elif name == "UserPromptSubmit" and settings.recall_enabled:
            said = self._prompt(project, event, now=now)
        elif name == "SubagentStart" and settings.subagents_enabled and event.get("agent_type"):
            said = plain.block(name, self._for_subagents(project, event, now=now), now=now)
        elif name == "PreToolUse" and settings.files_enabled:
            said = self._file(project, event, now=now)
        return plain.silenced(said) if settings.display == plain.QUIET else said, project.name

    def warm(self) -> None:
        """Load what the first prompt would otherwise wait for."""
        pointing.read("continue", now=_local(0.0))

    def _project_of(self, event: Mapping[str, object]) -> Project | None:
        """Return the project a session began in, wherever a `cd` has led since."""
        session = sessions.find(self._state, str(event.get("session_id")))
        if session:
            return self._registry.named(session.project) if session.project else None
        folder = event.get("cwd")
        return self._registry.at(folder) if isinstance(folder, str) and folder else None

    # A session begins.

    def _start(self, project: Project, event: Mapping[str, object], *, now: float) -> Said:
        source = event.get("source")
        if source not in claude_code.SPEAKING_SOURCES:
            return Said("SessionStart")
        own = str(event.get("session_id") or "") if source == "compact" else ""
        said = self._start_of(project, own, _folder(event, project), now=now)
        if not said.body:  # Perhaps the library changed this very moment: a session just ended.
            with unless_busy():
                self._sync(project.name)
            said = self._start_of(project, own, _folder(event, project), now=now)
        return said

    def _start_of(self, project: Project, own: str, folder: str, *, now: float) -> Said:
        with self._index().reading():
            known = self._known(project, own=own, folder=folder, now=now)
        budget = self._settings(project.name).start_budget_tokens
        return plain.block("SessionStart", start.prepared(known, limit_tokens=budget), now=now)

    def prepare(self, project: str, *, now: float) -> None:
        """Write what the sessions of *project* would be given while no worker runs."""
        settings, place = self._settings(project), self._registry.named(project)
        budget = settings.start_budget_tokens
        known = self._known(place, own="", folder=place.root, now=now)
        _write(paths.start_block(self._home, project), start.prepared(known, limit_tokens=budget))
        _write(
            paths.subagent_block(self._home, project),
            start.for_subagents(
                self._holding(project, folder=place.root, files=_worked_on(known.recent), now=now),
                known.kinds,
                limit_tokens=settings.subagents_budget_tokens,
            ),
        )
        self._prepare_for_compaction(place, budget, now=now)

    def _prepare_for_compaction(self, project: Project, limit_tokens: int, *, now: float) -> None:
        """Write what each session under way in *project* would be given when it is compacted."""
        active = sessions.active(self._state)
        for session in active:
            if session.project == project.name and session.turns:
                own = self._known(project, own=session.id, folder=session.cwd, now=now)
                prepared = start.prepared(own, limit_tokens=limit_tokens)
                _write(paths.compact_block(self._home, session.id), prepared)
        going_on = {paths.compact_block(self._home, session.id) for session in active}
        for file in Path(self._home, "run", "compact").glob("*"):
            if str(file) not in going_on:
                file.unlink(missing_ok=True)

    def _for_subagents(self, project: Project, event: Mapping[str, object], *, now: float) -> str:
        settings = self._settings(project.name)
        recent = self._index().recent(project.name, limit=WORKED_ON)
        notes = self._holding(
            project.name, folder=_folder(event, project), files=_worked_on(recent), now=now
        )
        kinds = settings.categories.descriptions()
        return start.for_subagents(notes, kinds, limit_tokens=settings.subagents_budget_tokens)

    def _known(self, project: Project, *, own: str, folder: str, now: float) -> start.Known:
        index, settings = self._index(), self._settings(project.name)
        recent = [
            one
            for one in index.recent(project.name, limit=start.RECENT)
            if not (own and one.session == own) and not self._is_hidden(one, settings)
        ]
        # What the journal says counts: a session may have lost its turns to the user's editor.
        last = next((one for one in recent if one.session), None)
        here = [*index.notes(project.name), *index.notes(paths.EVERYWHERE)]
        shown_here = [one for one in here if is_unchanged(one)]
        debts = [one for one in shown_here if start.is_open_debt(one)]
        files_worked_on = _worked_on(recent)
        of_own = self._past(own) if own else None
        return start.Known(
            memories=index.count(project.name),
            own=of_own,
            last=self._past(last.session) if last else None,
            last_title=last.title if last else "",
            threads=self._threads(
                project.name, without=(own, last.session if last else ""), now=now
            ),
            debts=self._shown_of(debts, "tech_debt", settings),
            to_review=sum(1 for one in here if one.aside == PROPOSED),
            notes=self._holding(project.name, folder=folder, files=files_worked_on, now=now),
            recent=recent,
            kinds=settings.categories.descriptions(),
            notice=_offer(project, self._registry.clones(project)),
        )

    def _shown_of(
        self, notes: Sequence[Indexed], category: str, settings: Settings
    ) -> list[Indexed]:
        if category not in settings.context_categories:
            return []
        ordered = sorted(notes, key=lambda one: (-one.prominence, -one.at))
        return ordered[: settings.retrieval_max_inject]

    def _past(self, session_id: str) -> start.Past | None:
        index = self._index()
        summary = index.summary_of(session_id)
        if summary is None or not is_unchanged(summary):
            return None
        session = sessions.find(self._state, session_id)
        kept = Kept(id=summary.id, kind="summary", title=summary.title, body=summary.body)
        return start.Past(
            summary=summary,
            fields=markdown.parse_summary(kept),
            seen=session.last_seen if session else summary.at,
            turns=len(index.in_session(session_id)),
            ended=ENDED.get(session.status, "") if session else "",
        )

    def _threads(self, project: str, *, without: Sequence[str], now: float) -> list[threads.Thread]:
        index = self._index()
        plans = []
        for summary in index.summaries(project, limit=SUMMARIES):
            if summary.session not in without and is_unchanged(summary):
                kept = Kept(id=summary.id, kind="summary", title=summary.title, body=summary.body)
                plans.append((summary, markdown.parse_summary(kept).next_steps))
        if not plans:
            return []
        return threads.left_open(plans, index.recent(project, limit=2 * start.RECENT), now=now)

    def _holding(
        self, name: str, *, folder: str, files: Sequence[str], now: float
    ) -> list[Indexed]:
        """Return the notes that a session in the project *name* begins with."""
        settings, index = self._settings(name), self._index()
        here = [*index.notes(name), *index.notes(paths.EVERYWHERE)]
        shown_here = [
            note
            for note in here
            if start.holds(note)
            and note.category in settings.context_categories
            and is_unchanged(note)
            and not self._is_hidden(note, settings)
        ]
        branch = projects.head(projects.identity(folder), folder)[0]
        ordered = start.by_relevance(shown_here, project=name, branch=branch, files=files, now=now)
        return ordered[: settings.retrieval_max_inject]

    def _is_hidden(self, one: Indexed, settings: Settings) -> bool:
        """Tell whether *one* is about nothing but what the user excluded since."""
        touched, patterns = one.touched.splitlines(), settings.capture_exclude_paths
        if not patterns or not touched:
            return False
        root = self._registry.named(one.project).root if one.project != paths.EVERYWHERE else ""
        return any(is_excluded(os.path.join(root, name), patterns) for name in touched)

    # A prompt.

    def _prompt(self, project: Project, event: Mapping[str, object], *, now: float) -> Said:
        prompt = event.get("prompt")
        if not isinstance(prompt, str) or claude_code.is_typed_by_the_host(prompt):
            return Said("UserPromptSubmit")
        settings = self._settings(project.name)
        request = self._request(project, event, settings, now=now)
        pointer = pointing.read(prompt, now=_local(now))
        if pointer and self._is_about_itself(pointer, event):
            pointer = None
        bar = settings.recall_bar
        if pointer:
            found = self._pointed_at(project, pointer, request)
            bar = min(bar, POINTED_BAR)
        elif claude_code.is_question(prompt):
            found = self._found(replace(request, query=Query.plain(prompt)))
        else:
            found = []
        place = (_folder(event, project), settings)
        candidates = [
            Candidate(entry=entry, score=one.score, why="; ".join(report.reasons(one)))
            for one in found
            # What is not sure enough is only named to who asks why.
            if (entry := one.entry if one.score < bar else self._as_shown(one.entry, *place))
        ]
        chosen = recall.choose(
            candidates,
            bar=bar,
            known=plain.known_to(self._home, dict(event)),
            limit=settings.recall_limit,
            limit_tokens=settings.recall_budget_tokens,
        )
        said = plain.recalled("UserPromptSubmit", chosen.cards, now=now)
        said.left_out = chosen.left_out
        return said

    def _request(
        self, project: Project, event: Mapping[str, object], settings: Settings, *, now: float
    ) -> Request:
        folder = _folder(event, project)
        session = sessions.find(self._state, str(event.get("session_id")))
        return Request(
            query=Query(),
            limit=LOOKED_AT + settings.recall_limit,
            bar=min(settings.recall_bar, POINTED_BAR),
            projects=[project.name, paths.EVERYWHERE],
            least_weight=lookup.LEAST_WEIGHT,
            branch=projects.head(projects.identity(folder), folder)[0],
            asked_in=str(event.get("session_id") or ""),
            asked_since=session.compacted if session else 0.0,
            ignored=self._ignored(project.name),
            now=now,
        )

    def _ignored(self, project: str) -> frozenset[str]:
        """Return what agents in *project* pass over; it takes a while, and changes slowly."""
        counted, ids = self._counted.get(project, (-math.inf, frozenset()))
        if time.monotonic() - counted > COUNTED_SECONDS:
            ids = shown.ignored(self._state, project)
            self._counted[project] = (time.monotonic(), ids)
        return ids

    def _found(self, request: Request) -> list[Found]:
        return search(self._index(), request, embed=self._embed)

    def _is_about_itself(self, pointer: Pointer, event: Mapping[str, object]) -> bool:
        """Tell whether a session that is under way is asked to go on: it knows itself."""
        session = sessions.find(self._state, str(event.get("session_id")))
        return pointer.last_session and session is not None and session.turns > 0

    def _pointed_at(self, project: Project, pointer: Pointer, request: Request) -> list[Found]:
        """Return what happened at the time, or in the session, that a prompt points at."""
        query = Query(after=pointer.after, before=pointer.before)
        if pointer.last_session:
            last = self._last_session(project.name, without=request.asked_in)
            if last is None:
                return []
            query = replace(query, sessions=Filter(any_of=(last,)))
        told = replace(request, query=query, limit=POINTED, least_weight=0.0, rarer_than=1.0)
        if pointer.only_points:
            return self._found(told)
        found = self._found(replace(told, query=replace(query, text=pointer.topic)))
        if not found and pointer.types:
            typed = replace(query, types=Filter(any_of=pointer.types))
            found = self._found(replace(told, query=typed))
        return found

    def _last_session(self, project: str, *, without: str) -> str | None:
        recent = self._index().recent(project, limit=start.RECENT)
        return next((one.session for one in recent if one.session not in ("", without)), None)

    def _as_shown(self, one: Indexed, folder: str, settings: Settings) -> Indexed | None:
        """Return *one* with what has become of its files by now; None if it is not to be shown."""
        is_note = one.kind == "note"
        if is_note and one.category not in (*settings.context_categories, "session_summary"):
            return None
        if self._is_hidden(one, settings):
            return None
        if not one.seen_files:
            return one
        staleness = Staleness(self._index().connection, render.stale)
        said = staleness.of(one.seen_files, Path(projects.top(folder)))
        # Where a file went takes a long look, which the worker takes now and then.
        return one if bool(said) == bool(one.stale) else replace(one, stale=said)

    # A file is about to be read.

    def _file(self, project: Project, event: Mapping[str, object], *, now: float) -> Said:
        settings, folder = self._settings(project.name), _folder(event, project)
        name, known = plain.file_read(dict(event)), plain.known_to(self._home, dict(event))
        if not name or name in known:
            return Said("PreToolUse")
        own = str(event.get("session_id") or "")
        found = self._index().about_file(project.name, name, limit=lookup.MOST_OF_A_FILE)
        candidates = [
            Candidate(entry=entry, score=1.0, why="is about that file")
            for one in found
            if one.session != own and is_unchanged(one)
            if (entry := self._as_shown(one, folder, settings))
        ]
        chosen = recall.choose(
            candidates,
            bar=0.0,
            known=known,
            limit=settings.recall_limit,
            limit_tokens=settings.files_budget_tokens,
        )
        said = plain.about_file(name, chosen.cards, now=now)
        said.left_out = chosen.left_out
        return said


def _local(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC).astimezone()


def _folder(event: Mapping[str, object], project: Project) -> str:
    return str(event.get("cwd") or project.root)


def _worked_on(recent: Sequence[Indexed]) -> list[str]:
    return [name for one in recent[:WORKED_ON] for name in one.touched.splitlines()]


def _write(path: str, block: str) -> None:
    if block:
        files.write(Path(path), block)
    else:
        Path(path).unlink(missing_ok=True)


@contextmanager
def unless_busy() -> Iterator[None]:
    """Leave it when somebody else is writing, a rebuild for one: what is there answers."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if is_broken(error):
            raise


def _offer(project: Project, clones: list[Project]) -> str:
    if not clones:
        return ""
    return (
        f"{clones[0].root} looks like the same repository."
        f" To share its memory: recollect projects join {project.name} {clones[0].name}"
    )
