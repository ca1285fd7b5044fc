"""The memory of one home, for programs: search it, add to it, correct it, take things out.

    from recollect import Memory

    with Memory() as memory:
        for hit in memory.search("why is the orders page slow"):
            print(hit.title, memory.expand(hit.id).body)

This is the public surface: what stands here keeps its meaning, and is what the tools of
`recollect mcp` are made of. A search asks the worker if one runs, because it has the model that
knows meanings at hand; everything works without it, by words alone.
"""

import itertools
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from recollect import ids, paths, worker_client
from recollect.app import results
from recollect.app.naming import Naming, called
from recollect.app.recollect import Recollect
from recollect.app.results import Change, Entry, Hit, Hits, Past, Said, Thread, Transcript
from recollect.app.viewer import USER, agent
from recollect.errors import (
    NotFoundError,
    ProjectError,
    RecollectError,
)
from recollect.journal.model import AUTHORS, LONGEST_TEXT, By
from recollect.notes.categories import CATEGORIES, Category
from recollect.search import disclose
from recollect.search.report import SearchRequest
from recollect.store import saved
from recollect.store.contract.notes import BrokenNote, StoredNote
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import NoteChange

if TYPE_CHECKING:
    from recollect.curation import curator
    from recollect.store.contract.state import Project, Session

__all__ = [
    "By",
    "Category",
    "Change",
    "Entry",
    "Hit",
    "Hits",
    "Memory",
    "Past",
    "Said",
    "Thread",
    "Transcript",
]

# Without a category, notes and entries alike.
_EVERY_CATEGORY = ""

RESTORE = "`restore` brings it back."


class Memory:
    """The memory of one home, opened: close it, or use it in a `with`.

    It is about the project that *folder* is in (else the current folder), or about *project*, by
    name, label or path; `global` is what holds in every project. One object belongs to one
    thread. Raises `LibraryError` where *home* cannot be used, `BusyError` while it is locked,
    `ProjectError` for a *project* that nobody knows; once it is closed, whatever is asked of it
    raises `RecollectError`.

    An *app* is a home that is open already, with the model at hand: then nobody else is asked to
    search. Whoever opened it closes it.

    One that is *confined*, as agents are, keeps to the project of *folder* and to what holds
    everywhere, unless `agents.all_projects` is set. Raises `ProjectError` for another project.
    """

    def __init__(
        self,
        *,
        folder: str | Path | None = None,
        project: str | Path | None = None,
        home: str | Path | None = None,
        app: Recollect | None = None,
        confined: bool = False,
    ) -> None:
        self._home = app.home if app else os.fspath(home or paths.home())
        self._folder = os.fspath(folder or os.getcwd())
        self._asked_for = os.fspath(project) if project else None
        self._is_ours = app is None
        self._open: Recollect | None = app or Recollect(self._home)
        viewer = agent(self._folder) if confined else USER
        self._confined = self._app.visibility.is_confined(viewer)
        if not self._asked_for:
            return
        try:
            if self._confined:
                self._app.visibility.reach(viewer, [self._asked_for])
            else:
                self._app.projects.scope(project=self._asked_for, all_projects=False, folder="")
        except RecollectError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the databases."""
        if self._is_ours and self._open:
            self._open.close()
            self._open = None

    @property
    def _app(self) -> Recollect:
        if self._open is None:
            raise RecollectError("this memory was closed already", hint="Open it again.")
        return self._open

    # Looking.

    def search(
        self,
        question: str,
        *,
        limit: int = 10,
        min_score: float | None = None,
        bar: float | None = None,
        all_projects: bool = False,
        include_archived: bool = False,
    ) -> Hits:
        """Return what answers *question*, best first; nothing is a normal answer.

        *question* is plain words, or has phrases and filters as on the command line; *bar* is what
        *min_score* was called before. Raises `ProjectError` where there is no memory yet.
        """
        if bar is not None:
            warnings.warn("bar is now called min_score", DeprecationWarning, stacklevel=2)
        asked = SearchRequest(
            question=question,
            limit=_amount(limit, "limit"),
            min_score=bar if min_score is None else min_score,
            project=self._asked_for,
            all_projects=all_projects,
            include_archived=include_archived,
            explain=False,
            folder=self._folder,
            for_agent=True,
            confined=self._confined,
        )
        if self._asked_for or not all_projects:
            self._project()
        found = worker_client.search(self._home, asked) if self._is_ours else None
        found = found or self._app.search.report(asked)
        return Hits(
            found=tuple(results.hit_from_search(one) for one in found["results"]),  # type: ignore[attr-defined]
            remarks=tuple(map(str, found["notes"])),  # type: ignore[call-overload]
        )

    def entries(
        self,
        *,
        category: Category | str = _EVERY_CATEGORY,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Entry]:
        """Return the memories of the project, newest first: all, or the notes of a *category*.

        That is what the journal tells, notes, those that hold everywhere among them, and what
        Claude Code itself remembers. How sessions went, which `recent` tells, is left out, and
        so is what is not shown unasked: archived, superseded, only proposed.
        """
        if category and category not in CATEGORIES:
            raise _no_such_category(category)
        most = None if limit is None else _amount(limit, "limit")
        project = self._project().name
        self._app.upkeep.refresh(project)
        among = list(dict.fromkeys([project, paths.EVERYWHERE]))
        wanted = (
            one
            for one in self._app.inside.index.newest(self._app.inside.index.lexical.scope(among))
            if (not category or one.category == category)
            and (since is None or one.at >= since.timestamp())
            and not one.hidden_reason
        )
        # All of it now: whoever goes through it may change it meanwhile.
        found = list(itertools.islice(self._app.projects.for_agents(wanted), most))
        return map(self._whole, found)

    def notes(self) -> list[Hit]:
        """Return the notes of the project, and those that hold everywhere, the latest first.

        What is not shown unasked is left out. Where no project is, the latter are all there is.
        """
        project = self._project().name if self.is_known else paths.EVERYWHERE
        self._app.upkeep.refresh(project)
        among = dict.fromkeys([project, paths.EVERYWHERE])
        every = (
            one
            for name in among
            for one in self._app.inside.index.notes(name)
            if not one.hidden_reason
        )
        return [
            results.hit(one)
            for one in sorted(self._app.projects.for_agents(every), key=lambda one: -one.at)
        ]

    def expand(self, id: str, *, before: int = 1, after: int = 1) -> Entry:  # noqa: A002
        """Return the memory *id* (any unambiguous beginning) whole, with those around it.

        Raises `NotFoundError`.
        """
        before, after = _amount(before, "before"), _amount(after, "after")
        self._app.upkeep.refresh_all()
        one = self._entry(id)
        # Within a second they stand in order, too. A note does not stand among them.
        around = self._app.inside.index.around(one.project, one.at, before=before, after=after + 1)
        around = list(self._app.projects.for_agents(around))
        place = next((n for n, each in enumerate(around) if each.id == one.id), None)
        if place is None:
            place = sum(1 for each in around if each.at < one.at)
        others = [results.hit(each) for each in around if each.id != one.id]
        return replace(
            self._whole(one),
            passages=disclose.passages(self._app.inside.index, one),
            before=tuple(others[max(place - before, 0) : place]),
            after=tuple(others[place : place + after]),
        )

    def transcript(self, id: str) -> Transcript:  # noqa: A002
        """Return the turn behind the memory *id*, or all turns of a session. By its id.

        Raises `NotFoundError`.
        """
        if known := self._sessions(id):
            session, turns = self._app.sessions.turns(known[0].id if len(known) == 1 else id)
        else:
            self._app.upkeep.refresh_all()
            session, turns = self._app.sessions.turns_behind(self._entry(id))
        if self._app.projects.is_excluded(session.project):
            raise NotFoundError(f"{id}: no such id", hint=ids.WHERE_IDS_ARE)
        entries = self._app.inside.index.in_session(session.id)
        shown = {one.turn for one in self._app.projects.for_agents(entries)}
        hidden = {one.turn for one in entries} - shown
        turns = [turn for turn in turns if turn.key not in hidden]
        return Transcript(
            session=session.id,
            project=session.project,
            host=session.host,
            turns=tuple(results.said(turn) for turn in turns),
        )

    def recent(self, *, limit: int = 3) -> list[Past]:
        """Return how the last sessions went, the latest first."""
        return [
            Past(
                session=session.id,
                project=session.project,
                host=session.host,
                at=results.moment(session.last_seen) or datetime.now(UTC),
                status=session.status,
                told={name: _in_one(value) for name, value in fields.items() if value},
            )
            for session, fields in self._app.sessions.summaries(
                [self._project()], limit=_amount(limit, "limit")
            )
            if not self._tells_of_hidden(session.id)
        ]

    def left_open(self) -> list[Thread]:
        """Return what the last sessions meant to do and nothing later took up."""
        found = self._app.hooks.answering.left_open(self._project().name, now=time.time())
        return [Thread(text=one.text, id=one.source.id) for one in found]

    def days(self) -> list[str]:
        """Return the days of the journal, the latest first: `2026-11-15`."""
        return self._app.journal.days(self._project().name)

    def day(self, day: str) -> str:
        """Return what the journal tells of a *day*, as Markdown. Raises `NotFoundError`."""
        return self._visible(self._project().name, day)

    # Changing.

    def remember(  # noqa: PLR0913 - one parameter a circumstance
        self,
        text: str,
        *,
        category: Category | None = None,
        title: str = "",
        tags: Sequence[str] = (),
        pinned: bool = False,
        everywhere: bool = False,
        author: By = "user",
    ) -> Change:
        """Keep *text* as a note of this project, or of all of them.

        What was said before counts once more on the note that is there. Without a category, one
        is guessed. What an agent is the *author* of is not taken for the user's own word.
        """
        from recollect.curation.curator import Saying  # noqa: PLC0415 - notes take pydantic

        if not text.strip():
            raise RecollectError("there is nothing to remember", hint="Say it in a sentence.")
        if len(text) > LONGEST_TEXT:
            raise RecollectError(
                f"text: has {len(text):,} characters, and {LONGEST_TEXT:,} are the most",
                hint="Say it shorter, or in several notes.",
            )
        if category and category not in CATEGORIES:
            raise _no_such_category(category)
        tags = [tags] if isinstance(tags, str) else tags
        by = _known(author)
        said = Saying(text=text, category=category, title=title, tags=tags, pinned=pinned, by=by)
        is_met = everywhere or bool(self._asked_for)
        with nullcontext() if is_met else self._app.projects.meeting(self._folder):
            if not everywhere:
                self._project()
            where = self._naming(everywhere=everywhere).project
            done = results.change(self._app.notes.remember(said, project=where, now=_now()))
        return self._proposed(done) if by == "agent" and where == paths.EVERYWHERE else done

    def edit(
        self,
        id: str,  # noqa: A002
        text: str,
        *,
        hash: str,  # noqa: A002
        title: str = "",
        author: By = "user",
    ) -> Change:
        """Let the note *id* say *text*, unless it changed since it had this *hash*.

        *text* is Markdown with the headings of its category, or plain words. Its headline is
        *title*, else a first line that begins with `# `, else what it was. What an agent is the
        *author* of is the user's own word no longer.
        """
        by = _known(author)
        held = self._note(id)
        _check_own(held, by)
        if changed := _changed_since(held, hash):
            return changed
        head = held.text[: len(held.text) - len(_body(held.text))]
        whole = f"{head}{_titled(text, title, otherwise=held.note.title)}\n"
        done = self._app.notes.rewrite(held, whole, over=held.text, now=_now(), by=by)
        return results.change(done, name=held.name)

    def supersede(
        self,
        id: str,  # noqa: A002
        *,
        by: str = "",
        text: str = "",
        hash: str | None = None,  # noqa: A002
        author: By = "user",
    ) -> Change:
        """Put the note *by*, or a new one that says *text*, in the place of the note *id*.

        With a *hash*, only while the old one is as it was read. It is kept, but not shown;
        `restore` lets it hold again.
        """
        old = self._note(id)
        _check_own(old, author)
        if changed := _changed_since(old, hash):
            return changed
        if not by:
            everywhere = old.project == paths.EVERYWHERE
            kind = old.note.category
            made = self.remember(text, category=kind, everywhere=everywhere, author=author)
            # It may say the same as the old one, or take it back by its own words.
            if not made.is_done or old.name in (made.id, *(one.id for one in made.also)):
                return made
            by = made.id
        new = self._note(by)
        if new.project != old.project:
            raise RecollectError(
                f"{new.name} and {old.name} belong to different projects",
                hint="Retire the old one instead.",
            )
        done = results.change(self._app.notes.supersede(new, old, now=_now()), name=old.name)
        return replace(done, reason=done.reason or f"{new.name} stands in its place")

    def retire(
        self,
        id: str,  # noqa: A002
        *,
        reason: str = "",
        hash: str | None = None,  # noqa: A002
    ) -> Change:
        """Take the note *id* out of context and search; `restore` brings it back.

        With a *hash*, only while it is as it was read.
        """
        held = self._note(id)
        if changed := _changed_since(held, hash):
            return changed
        done = self._app.notes.step(held, "retire", now=_now(), reason=reason)
        return results.change(done, name=held.name)

    def restore(self, id: str) -> Change:  # noqa: A002
        """Bring back what was retired, forgotten, archived or superseded."""
        self._project()
        try:
            one = self._naming().forgotten(id)
        except NotFoundError as error:
            is_all = self._asked_for or self._confined
            if is_all or not id.strip() or error.hint != ids.WHERE_IDS_ARE:
                raise
            hint = "If it was in another project, say --project."
            raise NotFoundError(error.message, hint=hint) from None
        note = getattr(one, "note", None)
        if note is not None and note.record_status == "archived":
            held = self._note(called(one))
            return results.change(
                self._app.notes.step(held, "unarchive", now=_now()), name=held.name
            )
        return results.change(self._app.notes.restore(one, now=_now()), name=called(one))

    def dispute(self, id: str, *, said: str = "") -> Change:  # noqa: A002
        """Say that the memory *id* is wrong or outdated, and what holds: it waits in review.

        Meanwhile it is not shown unasked; a search still finds it.
        """
        self._project()
        one = self._naming().memory(id)
        self._app.disputes.add(one.project, called(one), said=said)
        return Change(
            outcome="disputed",
            id=called(one),
            reason="not shown unasked any more; the user decides in recollect review",
        )

    def forget(self, id: str, *, really: bool = False) -> Change:  # noqa: A002
        """Take the memory *id* out; `restore` brings it back, unless it is *really* to go."""
        self._project()
        one = self._naming().memory(id)
        if not really and _was_taken_out(one):
            raise _gone(id, one)
        gone = self._app.notes.forget(one, really=really, now=_now())
        left = [f"not ours to delete: {place}" for place in gone.beyond]
        return Change(
            outcome="erased" if gone.erased else "forgotten",
            id=called(one),
            reason="; ".join([*left, *gone.also]),
        )

    # Whose memory it is.

    @property
    def is_known(self) -> bool:
        """Whether there is a memory of the project at all."""
        return bool(self._asked_for) or self._app.projects.at(self._folder) is not None

    @property
    def project(self) -> str:
        """The name of the project that it is about. Raises `ProjectError` if there is none yet."""
        return self._project().name

    def projects(self) -> dict[str, str]:
        """Return the projects that may be looked into from here, the own one first.

        By name, each with its folder.
        """
        own = self._app.projects.at(self._folder)
        others = () if self._confined else self._app.projects.all()
        every = {one.name: one for one in (*([own] if own else ()), *others)}
        return {
            name: one.root
            for name, one in every.items()
            if not self._app.projects.is_excluded(name)
        }

    def _sessions(self, prefix: str) -> list["Session"]:
        """Return the sessions within reach whose id begins with *prefix*."""
        found = self._app.inside.state.sessions.matching(prefix)
        reach = self._naming().within_reach if self._confined else None
        return [one for one in found if reach is None or one.project in reach]

    def _proposed(self, done: Change) -> Change:
        """Return that *done* waits for the user, who hears of it, if it is a new note."""
        from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

        if done.outcome != "created":
            return done
        note = self._app.notes.find(done.id, [paths.EVERYWHERE]).note
        if not is_proposed(note):
            return done
        news = NoteChange(note.category, saved.PROPOSED, note.title)
        saved.add(self._app.inside.state, paths.EVERYWHERE, [news])
        why = "it holds nowhere until the user accepts it in recollect review"
        return replace(done, outcome="proposed", reason=why)

    def _project(self) -> "Project":
        if not self._asked_for:
            one = self._app.projects.here(self._folder)
        else:
            (one,) = self._app.projects.scope(
                project=self._asked_for, all_projects=False, folder=""
            )
        if self._app.projects.is_excluded(one.name):
            raise ProjectError(f"{one.label} is excluded from memory, as its user wants it")
        return one

    def _naming(self, *, everywhere: bool = False) -> Naming:
        return Naming(
            self._app,
            folder=self._folder,
            project=None if everywhere else self._asked_for,
            everywhere=everywhere,
            confined=self._confined,
            shown=self._app.projects.for_agents,
        )

    def _note(self, name: str) -> StoredNote:
        if self.is_known:
            self._project()  # Raises where the user wants no memory.
        try:
            held = self._app.notes.find(*self._naming().note(name))
        except NotFoundError as error:
            among = self._naming().within_reach if self._confined else []
            others = [
                self._app.inside.index.by_id(one, among=among)
                for one in self._app.inside.index.ids(name)
            ]
            others = [one for one in others if one]
            if any(one and one.kind == "hosted" for one in others):
                what = "is Claude Code's own memory, which we only read"
                raise RecollectError(f"{name}: {what}", hint="Remember what holds.") from None
            if others and "/" not in name:
                what = "is no note but part of the journal, which tells what happened"
                hint = "Remember what holds instead, or forget it."
                raise RecollectError(f"{name}: {what}", hint=hint) from None
            raise self._absent(name, error) from None
        if held.note.record_status == "retired":
            raise _gone(name, held)
        return held

    def _entry(self, prefix: str) -> IndexRow:
        """Return the one meant: of this project, or of all of them.

        A turn of another project has an id that no other has, so it can be meant as well, unless
        a project was asked for.
        """
        index = self._app.inside.index
        among = self._naming().within_reach
        names = dict.fromkeys(index.ids(prefix))
        here = [name for name in names if index.by_id(name, among=among)]
        if not here and not self._asked_for and not self._confined:
            here = [name for name in names if _is_of_a_turn(index.by_id(name))]
            among = []
        try:
            found = index.by_id(ids.resolve(prefix, here), among=among)
        except NotFoundError as error:
            raise self._absent(prefix, error) from None
        if found is None or not list(self._app.projects.for_agents([found])):
            raise NotFoundError(f"{prefix}: no such id", hint=ids.WHERE_IDS_ARE)
        return found

    def _absent(self, name: str, error: NotFoundError) -> NotFoundError:
        """Return *error* about *name*, which nothing to be seen here has, with what became of it.

        It may have been taken out, or be in another project.
        """
        if "no such" not in error.message:
            return error
        naming = self._naming()
        if self._app.projects.is_excluded(naming.project):
            return error
        try:
            return _gone(name, naming.forgotten(name))
        except NotFoundError:
            return naming.missed(name, error)

    def _whole(self, one: IndexRow) -> Entry:
        library = self._app.inside.library(one.project)
        return results.whole(one, hash=library.hash_of(one.document) if one.kind == "note" else "")

    def _tells_of_hidden(self, session: str) -> bool:
        summary = self._app.inside.index.summary_of(session)
        return summary is not None and self._app.hooks.answering.tells_of_hidden(summary)

    def _visible(self, project: str, day: str) -> str:
        """Return what a day tells, without what the user keeps from agents."""
        text = self._app.journal.text(project, day)
        self._app.upkeep.refresh(project)
        items = self._app.inside.library(project).items_on(day)
        index = self._app.inside.index
        rows = [row for one in items if (row := index.by_id(one.id, [project]))]
        hidden = {one.id for one in rows} - {one.id for one in self._app.projects.for_agents(rows)}
        if not hidden:
            return text
        # A summary of the session may tell of it, too.
        shown = [one for one in items if one.id not in hidden and one.kind != "summary"]
        return "\n\n".join([f"# {day}", *(f"### {one.title}\n{one.body}" for one in shown)])


def _amount(number: int, name: str) -> int:
    """Return *number*, which the parameter *name* says. Raises `RecollectError` below 0."""
    if number < 0:
        raise RecollectError(f"{name}: {number} is less than nothing", hint="Say 0 or more.")
    return number


def _check_own(held: StoredNote, author: By) -> None:
    """Raise `RecollectError` if *held* holds in every project, and an agent would change it."""
    if author == "agent" and held.project == paths.EVERYWHERE:
        raise RecollectError(
            f"{held.name} holds in every project, so only the user changes it",
            hint="Propose what holds now: remember it with everywhere.",
        )


def _known(author: By) -> By:
    """Return *author*. Raises `RecollectError` for one that there is not."""
    if author not in AUTHORS:
        raise RecollectError(f"{author}: no such author", hint=f"There are {', '.join(AUTHORS)}.")
    return author


def _no_such_category(name: str) -> RecollectError:
    return RecollectError(f"{name}: no such category", hint=f"There are {', '.join(CATEGORIES)}.")


def _was_taken_out(one: "curator.Memory") -> bool:
    from recollect.curation.curator import RemovedEntry  # noqa: PLC0415 - notes take pydantic

    if isinstance(one, StoredNote):
        return one.note.record_status == "retired"
    return isinstance(one, RemovedEntry)


def _gone(name: str, one: "curator.Memory") -> NotFoundError:
    """Return what to tell whoever asks for *one* by *name*: it is not among what is shown."""
    match one:
        case StoredNote() if one.note.record_status == "retired":
            why = f" ({one.note.retired_reason})" if one.note.retired_reason else ""
            return NotFoundError(f"{name}: was retired{why}", hint=RESTORE)
        case StoredNote():
            return NotFoundError(f"{name}: no such id", hint=f"There is {one.name}.")
        case BrokenNote():
            mend = f"Mend it: recollect edit {one.name}"
            return NotFoundError(f"{name}: {one.trouble.what}", hint=mend)
        case _:
            return NotFoundError(f"{name}: was taken out", hint=RESTORE)


def _is_of_a_turn(one: IndexRow | None) -> bool:
    return one is not None and one.kind in ("entry", "summary")


def _titled(text: str, title: str, *, otherwise: str) -> str:
    """Return *text* under *title*, else under its own headline, else under another."""
    own, _, below = text.strip().partition("\n")
    if not own.startswith("# "):
        own, below = f"# {otherwise}", text
    headline = f"# {' '.join(title.split())}" if title.strip() else own
    return f"{headline}\n\n{below.strip()}".strip()


def _changed_since(held: StoredNote, hash: str | None) -> Change | None:  # noqa: A002
    """Return that nothing is done, if *held* is not as it was when it had this *hash*.

    None asks for no such care; an empty one is that of nothing that was read.
    """
    if hash is None or ids.text_hash(held.text) == hash:
        return None
    if not hash:
        return Change(
            outcome="failed",
            id=held.name,
            reason="it needs the hash of what you read",
            fix="Expand it: its hash stands there.",
        )
    return Change(
        outcome="failed",
        id=held.name,
        reason="it was changed since you read it",
        fix="Expand it again, and decide by what it says now.",
    )


def _body(text: str) -> str:
    from recollect.notes import front_matter  # noqa: PLC0415 - takes YAML

    return front_matter.read(text).body


def _in_one(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _now() -> datetime:
    return datetime.now(UTC)
