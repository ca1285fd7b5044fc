"""The memory of one home, for programs: search it, add to it, correct it, take things out.

    from recollect import Memory

    with Memory() as memory:
        for hit in memory.search("why is the orders page slow"):
            print(hit.title, memory.expand(hit.id).body)

This is the public surface: what stands here keeps its meaning, and is what the tools of
`recollect mcp` are made of. A search asks the worker if one runs, because it has the model that
knows meanings at hand; everything works without it, by words alone.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from recollect import paths, worker_client
from recollect.app import results
from recollect.app.changes import check_category
from recollect.app.recollect import Recollect
from recollect.app.results import Change, Entry, Hit, Hits, Past, Said, Thread, Transcript
from recollect.app.viewer import agent, program
from recollect.errors import RecollectError
from recollect.journal.model import By
from recollect.notes.categories import Category
from recollect.search.report import SearchRequest

if TYPE_CHECKING:
    from recollect.app.naming import Naming

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
        self._folder = os.fspath(folder or os.getcwd())
        self._asked_for = os.fspath(project) if project else None
        self._is_ours = app is None
        viewer = agent(self._folder) if confined else program(self._folder)
        opened = app or Recollect(os.fspath(home or paths.home()))
        self._open: Recollect | None = opened.seen_by(viewer)
        try:
            if self._asked_for:
                self._app.visibility.reach([self._asked_for])
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
        )
        app = self._app
        if self._asked_for or not all_projects:
            self._names.known_project()
        signed = app.visibility.signed(asked)
        found = worker_client.search(app.home, signed) if self._is_ours else None
        found = found or app.search.report(asked)
        return Hits(
            found=tuple(results.hit_from_search(one) for one in found["results"]),  # type: ignore[attr-defined]
            remarks=tuple(map(str, found["remarks"])),  # type: ignore[call-overload]
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
        if category:
            check_category(category)
        most = None if limit is None else _amount(limit, "limit")
        return self._app.memories.newest(self.project, category=category, since=since, limit=most)

    def notes(self) -> list[Hit]:
        """Return the notes of the project, and those that hold everywhere, the latest first.

        What is not shown unasked is left out. Where no project is, the latter are all there is.
        """
        return self._app.memories.notes(self.project if self.is_known else paths.EVERYWHERE)

    def expand(self, id: str, *, before: int = 1, after: int = 1) -> Entry:  # noqa: A002
        """Return the memory *id* (any unambiguous beginning) whole, with those around it.

        Raises `NotFoundError`.
        """
        before, after = _amount(before, "before"), _amount(after, "after")
        return self._app.memories.expand(id, self._names, before=before, after=after)

    def transcript(self, id: str) -> Transcript:  # noqa: A002
        """Return the turn behind the memory *id*, or all turns of a session. By its id.

        Raises `NotFoundError`.
        """
        return self._app.memories.transcript(id, self._names)

    def recent(self, *, limit: int = 3) -> list[Past]:
        """Return how the last sessions went, the latest first."""
        among, most = [self._names.known_project()], _amount(limit, "limit")
        return [
            results.past(session, fields)
            for session, fields in self._app.sessions.summaries(among, limit=most)
        ]

    def left_open(self) -> list[Thread]:
        """Return what the last sessions meant to do and nothing later took up."""
        return self._app.sessions.left_open(self.project)

    def days(self) -> list[str]:
        """Return the days of the journal, the latest first: `2026-11-15`."""
        return self._app.journal.days(self.project)

    def day(self, day: str) -> str:
        """Return what the journal tells of a *day*, as Markdown. Raises `NotFoundError`."""
        return self._app.journal.text(self.project, day)

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
        return self._app.changes.remember(
            text,
            self._names,
            category=category,
            title=title,
            tags=tags,
            pinned=pinned,
            everywhere=everywhere,
            author=author,
        )

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
        return self._app.changes.edit(
            id, self._names, text, read_hash=hash, title=title, author=author
        )

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
        return self._app.changes.supersede(
            id, self._names, by=by, text=text, read_hash=hash, author=author
        )

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
        return self._app.changes.retire(id, self._names, reason=reason, read_hash=hash)

    def restore(self, id: str) -> Change:  # noqa: A002
        """Bring back what was retired, forgotten, archived or superseded."""
        return self._app.changes.restore(id, self._names)

    def dispute(self, id: str, *, said: str = "") -> Change:  # noqa: A002
        """Say that the memory *id* is wrong or outdated, and what holds: it waits in review.

        Meanwhile it is not shown unasked; a search still finds it.
        """
        return self._app.changes.dispute(id, self._names, said=said)

    def forget(self, id: str, *, really: bool = False) -> Change:  # noqa: A002
        """Take the memory *id* out; `restore` brings it back, unless it is *really* to go."""
        return self._app.changes.forget(id, self._names, really=really)

    # Whose memory it is.

    @property
    def is_known(self) -> bool:
        """Whether there is a memory of the project at all."""
        return self._names.is_known

    @property
    def project(self) -> str:
        """The name of the project that it is about. Raises `ProjectError` if there is none yet."""
        return self._names.known_project().name

    def projects(self) -> dict[str, str]:
        """Return the projects that may be looked into from here, the own one first.

        By name, each with its folder.
        """
        return {one.name: one.root for one in self._app.visibility.projects()}

    @property
    def _names(self) -> "Naming":
        """What names mean now: a project may have become known meanwhile."""
        return self._app.naming(folder=self._folder, project=self._asked_for)


def _amount(number: int, name: str) -> int:
    """Return *number*, which the parameter *name* says. Raises `RecollectError` below 0."""
    if number < 0:
        raise RecollectError(f"{name}: {number} is less than nothing", hint="Say 0 or more.")
    return number
