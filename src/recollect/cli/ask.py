"""`ask`: let a model answer from memory, and show where each statement comes from."""

import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from recollect import paths, worker_client
from recollect.app.recollect import Recollect, opened
from recollect.cli import quick, results, scope, show, spend
from recollect.errors import EngineError
from recollect.journal.markdown import legible
from recollect.llm.engine import Asked, Completion
from recollect.search.embedding import Embeddings
from recollect.search.report import SearchRequest
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Spent

if TYPE_CHECKING:
    from recollect.llm.ask import CitedMemory, Reply

PURPOSE = "answer"


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "-n",
    "--limit",
    default=8,
    show_default=True,
    type=click.IntRange(1, 50),
    help="Read at most N memories per search.",
)
@scope.scoped
@show.as_json
@click.pass_obj
def ask(
    flags: dict[str, str],
    question: tuple[str, ...],
    limit: int,
    project: str | None,
    all_projects: bool,
    to_json: bool,
) -> None:
    """Answer QUESTION from your memories, with sources, or say what they do not tell.

    The model that you chose (`synthesis.engine`) reads what up to three searches find. Without a
    model, the best results are shown. With `-`, the question is read from standard input.
    """
    from recollect.llm.ask import answer  # noqa: PLC0415 - takes pydantic

    asked = sys.stdin.read() if question == ("-",) else " ".join(question)
    with opened(paths.home(), flags=flags, embeddings=Embeddings()) as app:
        among = scope.chosen(app, project, all_projects=all_projects)
        memory = _Memory(
            app,
            home=among[0].name if len(among) == 1 else paths.EVERYWHERE,
            request=partial(quick.request, limit=limit, project=project, all_projects=all_projects),
            by_worker=not flags,
            limit=limit,
        )
        settings = app.settings.of(memory.home)
        reply = answer(asked, search=memory.search, consult=memory.consult, settings=settings)
    if to_json:
        show.dump(_as_json(asked, reply, memory))
        return
    _say(reply, memory, extractive=settings.synthesis_engine == "extractive")
    if reply.calls:
        _say_spent(reply, settings.synthesis_engine)


class _Memory:
    """What one question looks into, and who is asked about it."""

    def __init__(
        self,
        app: Recollect,
        *,
        home: str,
        request: Callable[[str], bytes],
        by_worker: bool,
        limit: int,
    ) -> None:
        self._app = app
        self.home = home
        """Whose engine is asked, and who pays."""
        self._request = request
        self._by_worker = by_worker
        self._limit = limit
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        self._notes: dict[str, None] = {}
        self._several = False
        self._is_open = cache(self._may_be_read)

    def search(self, words: str) -> "list[CitedMemory]":
        """Return what answers *words* and may be read by the model that is asked."""
        report = self._report(json.loads(self._request(words)))
        self._several |= report["several_projects"]
        self._notes |= dict.fromkeys(report["notes"])
        found: list[dict[str, Any]] = report["results"]
        for one in found:
            self._found.setdefault(_key(one), one)
        return [self._source(one) for one in found if self._is_open(one["project"])]

    def _report(self, asked: SearchRequest) -> dict[str, Any]:
        found = worker_client.search(paths.home(), asked) if self._by_worker else None
        return self._app.search.report(asked) if found is None else found

    def consult(self, asked: Asked) -> Completion:
        """Ask the model, if there is one. Raises `EngineError`."""
        if trouble := self._app.models.trouble(self.home):
            raise EngineError(trouble, kind="missing")
        return self._app.models.ask(asked, project=self.home, purpose=PURPOSE)

    @property
    def report(self) -> dict[str, Any]:
        """Return the best results of all searches, as `recollect search` has them."""
        found = list(self._found.values())[: self._limit]
        return {
            "results": found,
            "several_projects": self._several,
            "notes": list(self._notes),
        }

    @property
    def not_read(self) -> int:
        """Return how much was found that another model may read, or none."""
        return sum(1 for project, _ in self._found if not self._is_open(project))

    def _may_be_read(self, project: str) -> bool:
        """Tell whether *project* has chosen the engine that is asked: others stay out.

        So do those of which nothing may be sent: at the desk they have no engine.
        """
        if self.home != paths.EVERYWHERE:
            return True
        return self._app.models.answers_alike(self.home, project)

    def _source(self, one: dict[str, Any]) -> "CitedMemory":
        entry = self._entry(one)
        from recollect.llm.ask import CitedMemory  # noqa: PLC0415 - takes pydantic

        return CitedMemory(
            id=one["id"],
            project=one["project"],
            title=one["title"],
            text="\n".join(filter(None, (entry.body.strip() if entry else "", *one["passages"]))),
            date=_day(one),
            stale=one["stale"],
        )

    def _entry(self, one: dict[str, Any]) -> IndexRow | None:
        """Return what was found whole; two projects may have notes of one id."""
        return self._app.search.found(one["id"], project=one["project"], kind=one["kind"])


def _key(one: dict[str, Any]) -> tuple[str, str]:
    return one["project"], one["id"]


def _day(one: dict[str, Any]) -> str:
    at = one["timestamp"]
    return time.strftime("%Y-%m-%d", time.localtime(at)) if at else ""


def _say(reply: "Reply", memory: _Memory, *, extractive: bool) -> None:
    if reply.trouble:
        why = (
            f"No model is set up to answer ({spend.SWITCHED_ON_WITH})"
            if extractive
            else f"No model answered: {_safe(reply.trouble)}"
        )
        _say_results(f"{why}. Best matches:", f"{why}, and no memory matches.", memory)
        return
    if reply.text:
        _print(reply.text)
    if reply.missing:
        _print(f"Not known: {reply.missing}")
    if reply.is_unfounded:
        warning = "[yellow]![/yellow] This answer cites no memory, so do not rely on it."
        _say_results(f"{warning} What was found:", warning, memory)
    elif not reply.text and not reply.missing:
        nothing = "The memory does not answer this."
        _say_results(f"{nothing} Closest:", nothing, memory)
    _say_sources(reply, memory)


def _say_results(head: str, nothing: str, memory: _Memory) -> None:
    report = memory.report
    if not report["results"]:
        show.say(nothing)
        return
    show.say(head)
    results.show(report, explain=False)


def _say_sources(reply: "Reply", memory: _Memory) -> None:
    if reply.cited:
        show.say("\nSources:")
    for one in reply.cited:
        whose = f" · {_safe(one.project)}" if memory.report["several_projects"] else ""
        show.say(f"  {_safe(one.citation)}  [dim]{_safe(one.title)}{whose}[/dim]")
    if reply.unknown_citations_removed:
        several = show.count(reply.unknown_citations_removed, "citation")
        show.say(f"[dim]Removed {several} of something that is not in the memory.[/dim]")
    if memory.not_read:
        several = show.count(memory.not_read, "memory")
        show.say(f"[dim]Not read: {several} of projects that use another model.[/dim]")


def _say_spent(reply: "Reply", engine: str) -> None:
    spent = [one.spent for one in reply.calls]
    searches = f"{reply.rounds} search{'es' if reply.rounds != 1 else ''}"
    tokens = spend.guessed(
        sum(one.tokens for one in spent), estimated=sum(one.estimated for one in spent)
    )
    model = reply.calls[-1].model
    who = f"{engine}/{model}" if engine != "auto" and model else model or engine
    parts = [searches, f"{tokens} tokens ({_safe(who)})"]
    if any(one.cost is not None for one in spent):
        parts.append(_price(spent))
    show.say(f"[dim]{', '.join(parts)}[/dim]")


def _price(spent: Sequence[Spent]) -> str:
    return spend.price(
        sum(one.cost or 0.0 for one in spent),
        calls=len(spent),
        without_price=sum(one.cost is None for one in spent),
    )


def _print(text: str) -> None:
    """Print what a model said: no markup of ours, no codes of a terminal."""
    console = show.console()
    # A terminal would break words; a file wants the lines as they are.
    whole_lines = not console.is_terminal
    console.print(legible(text), markup=False, emoji=False, soft_wrap=whole_lines)


def _safe(text: str) -> str:
    return escape(" ".join(legible(text).split()))


def _as_json(question: str, reply: "Reply", memory: _Memory) -> dict[str, object]:
    spent = [one.spent for one in reply.calls]
    known = [one.cost for one in spent if one.cost is not None]
    return {
        "question": question,
        "answer": reply.text,
        "missing": reply.missing,
        "gap": reply.gap,
        "founded": bool(reply.text) and not reply.is_unfounded,
        "trouble": reply.trouble,
        "sources": [
            {"id": one.id, "date": one.date, "project": one.project, "title": one.title}
            for one in reply.cited
        ],
        "unknown_citations_removed": reply.unknown_citations_removed,
        "not_read": memory.not_read,
        "searches": list(reply.searches),
        "spent": {
            "calls": len(spent),
            "model": reply.calls[-1].model if reply.calls else "",
            "input_tokens": sum(one.input_tokens for one in spent),
            "output_tokens": sum(one.output_tokens for one in spent),
            "cost": sum(known) if known else None,
            "without_price": len(spent) - len(known),
            "estimated": sum(one.estimated for one in spent),
        },
        **memory.report,
    }
