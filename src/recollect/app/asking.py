"""Answer a question from memory, by the model that may read it."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from recollect import paths, worker_client
from recollect.app.models import ModelRoom
from recollect.app.projects import Projects
from recollect.app.search import Searches
from recollect.errors import EngineError
from recollect.search.report import SearchRequest

if TYPE_CHECKING:
    from recollect.config import Settings
    from recollect.llm.ask import CitedMemory
    from recollect.llm.ask import Reply as Reply  # noqa: PLC0414 - for surfaces
    from recollect.llm.engine import Asked, Completion

PURPOSE = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReport:
    """What came of a question: the reply of a model, if one replied, and what was found."""

    reply: "Reply"
    results: Sequence[dict[str, Any]]
    """The best results of all searches, as `recollect search` has them."""
    several_projects: bool
    remarks: Sequence[str]
    """What a person is told below the results."""
    not_read: int
    """How many memories were found that another model may read, or none."""
    engine: str

    @property
    def search_report(self) -> dict[str, Any]:
        """The results as a search reports them."""
        return {
            "results": list(self.results),
            "several_projects": self.several_projects,
            "remarks": list(self.remarks),
            "notes": list(self.remarks),  # Its former name, until 0.2.
        }


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Questions to one home that a model answers from what searches find."""

    home: str
    projects: Projects
    search: Searches
    models: ModelRoom
    settings: "Callable[[str], Settings]"

    def ask(
        self,
        question: str,
        *,
        limit: int,
        project: str | None = None,
        all_projects: bool = False,
        by_worker: bool = True,
    ) -> AnswerReport:
        """Return what a model answers from what at most three searches find, *limit* each.

        Where no model can be asked, the reply says why, and what was found stands beside it.
        Searches go *by_worker* if one runs. Raises `ProjectError`.
        """
        from recollect.llm.ask import answer  # noqa: PLC0415 - takes pydantic

        folder = os.getcwd()
        among = self.projects.scope(project=project, all_projects=all_projects, folder=folder)
        request = SearchRequest(
            question=question,
            limit=limit,
            min_score=None,
            project=project,
            all_projects=all_projects,
            include_archived=False,
            explain=False,
            folder=folder,
        )
        payer = among[0].name if len(among) == 1 else paths.EVERYWHERE
        open_question = _OpenQuestion(self, request, payer=payer, by_worker=by_worker)
        settings = self.settings(payer)
        reply = answer(
            question,
            search=open_question.search,
            consult=open_question.consult,
            settings=settings,
        )
        return open_question.report(reply, engine=settings.synthesis_engine)


class _OpenQuestion:
    """One question while it is answered: what was found so far, and who is asked.

    The *payer* is the project whose engine is asked; `paths.EVERYWHERE` for several.
    """

    def __init__(
        self, rooms: Asking, request: SearchRequest, *, payer: str, by_worker: bool
    ) -> None:
        self._rooms = rooms
        self._request = request
        self._payer = payer
        self._by_worker = by_worker
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._remarks: dict[str, None] = {}
        self._several = False
        self._is_readable = cache(self._may_be_read)

    def search(self, words: str) -> "list[CitedMemory]":
        """Return what answers *words* and may be read by the model that is asked."""
        request: SearchRequest = {**self._request, "question": words}
        report = worker_client.search(self._rooms.home, request) if self._by_worker else None
        report = self._rooms.search.report(request) if report is None else report
        self._several |= bool(report["several_projects"])
        self._remarks |= dict.fromkeys(cast("list[str]", report["remarks"]))
        found = cast("list[dict[str, Any]]", report["results"])
        for one in found:
            self._found.setdefault((one["project"], one["id"]), one)
        return [self._source(one) for one in found if self._is_readable(one["project"])]

    def consult(self, asked: "Asked") -> "Completion":
        """Ask the model, if there is one. Raises `EngineError`."""
        if trouble := self._rooms.models.trouble(self._payer):
            raise EngineError(trouble, kind="missing")
        return self._rooms.models.ask(asked, project=self._payer, purpose=PURPOSE)

    def report(self, reply: "Reply", *, engine: str) -> AnswerReport:
        """Return *reply* with what was found."""
        return AnswerReport(
            reply=reply,
            results=list(self._found.values())[: self._request["limit"]],
            several_projects=self._several,
            remarks=list(self._remarks),
            not_read=sum(1 for project, _ in self._found if not self._is_readable(project)),
            engine=engine,
        )

    def _may_be_read(self, project: str) -> bool:
        """Tell whether *project* has chosen the engine that is asked: others stay out.

        So do those of which nothing may be sent: they have no engine.
        """
        if self._payer != paths.EVERYWHERE:
            return True
        return self._rooms.models.answers_alike(self._payer, project)

    def _source(self, one: dict[str, Any]) -> "CitedMemory":
        from recollect.llm.ask import CitedMemory  # noqa: PLC0415 - takes pydantic

        # Two projects may have notes of one id.
        entry = self._rooms.search.found(one["id"], project=one["project"], kind=one["kind"])
        at = one["timestamp"]
        return CitedMemory(
            id=one["id"],
            project=one["project"],
            title=one["title"],
            text="\n".join(filter(None, (entry.body.strip() if entry else "", *one["passages"]))),
            date=time.strftime("%Y-%m-%d", time.localtime(at)) if at else "",
            stale=one["stale"],
        )
