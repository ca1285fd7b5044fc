"""`ask`: let a model answer from memory, and show where each statement comes from."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import opened
from recollect.cli import results, scope, show, spend
from recollect.journal.markdown import legible
from recollect.search.embedding import Embeddings
from recollect.store.contract.state import Spent

if TYPE_CHECKING:
    from recollect.app.asking import AnswerReport, Reply


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
    asked = sys.stdin.read() if question == ("-",) else " ".join(question)
    with opened(paths.home(), flags=flags, embeddings=Embeddings()) as app:
        found = app.asking.ask(
            asked,
            limit=limit,
            project=project,
            all_projects=all_projects,
            by_worker=not flags,
        )
    if to_json:
        show.dump(_as_json(asked, found))
        return
    _show_reply(found)
    if found.reply.calls:
        _show_spent(found.reply, found.engine)


def _show_reply(found: "AnswerReport") -> None:
    reply = found.reply
    if reply.trouble:
        why = (
            f"No model is set up to answer ({spend.SWITCHED_ON_WITH})"
            if found.engine == "extractive"
            else f"No model answered: {_safe(reply.trouble)}"
        )
        _show_results(f"{why}. Best matches:", f"{why}, and no memory matches.", found)
        return
    if reply.text:
        _print(reply.text)
    if reply.missing:
        _print(f"Not known: {reply.missing}")
    if reply.is_unfounded:
        warning = "[yellow]![/yellow] This answer cites no memory, so do not rely on it."
        _show_results(f"{warning} What was found:", warning, found)
    elif not reply.text and not reply.missing:
        nothing = "The memory does not answer this."
        _show_results(f"{nothing} Closest:", nothing, found)
    _show_sources(found)


def _show_results(head: str, nothing: str, found: "AnswerReport") -> None:
    if not found.results:
        show.say(nothing)
        return
    show.say(head)
    results.show(found.search_report, explain=False)


def _show_sources(found: "AnswerReport") -> None:
    reply = found.reply
    if reply.cited:
        show.say("\nSources:")
    for one in reply.cited:
        whose = f" · {_safe(one.project)}" if found.several_projects else ""
        show.say(f"  {_safe(one.citation)}  [dim]{_safe(one.title)}{whose}[/dim]")
    if reply.unknown_citations_removed:
        several = show.count(reply.unknown_citations_removed, "citation")
        show.say(f"[dim]Removed {several} of something that is not in the memory.[/dim]")
    if found.not_read:
        several = show.count(found.not_read, "memory")
        show.say(f"[dim]Not read: {several} of projects that use another model.[/dim]")


def _show_spent(reply: "Reply", engine: str) -> None:
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


def _as_json(question: str, found: "AnswerReport") -> dict[str, object]:
    reply = found.reply
    spent = [one.spent for one in reply.calls]
    is_grounded = bool(reply.text) and not reply.is_unfounded
    known = [one.cost for one in spent if one.cost is not None]
    return {
        "question": question,
        "answer": reply.text,
        "missing": reply.missing,
        "gap": reply.gap,
        "grounded": is_grounded,
        "founded": is_grounded,  # Its former name, until 0.2.
        "trouble": reply.trouble,
        "sources": [
            {"id": one.id, "date": one.date, "project": one.project, "title": one.title}
            for one in reply.cited
        ],
        "unknown_citations_removed": reply.unknown_citations_removed,
        "not_read": found.not_read,
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
        **found.search_report,
    }
