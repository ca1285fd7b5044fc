"""`status` and `doctor`: how it goes, and what is wrong."""

import os
import time
from dataclasses import asdict

import click
from rich.markup import escape

import recollect
from recollect import paths, worker_client
from recollect.app.recollect import Recollect, opened
from recollect.cli import show
from recollect.search.embedding import Embeddings
from recollect.store.contract.notes import NoteTrouble
from recollect.worker import health as checks


@click.command()
@show.as_json
def status(to_json: bool) -> None:
    """Show at a glance whether memories are kept and shown."""
    with opened(paths.home()) as app:
        found = _gathered(app)
    if to_json:
        show.dump(found)
        return
    worker = worker_client.status(paths.home())
    show.say(f"[bold]Recollect {recollect.__version__}[/bold] [dim]{escape(paths.home())}[/dim]")
    mark = "[green]●[/green]" if _is_kept_somewhere(found) else "[yellow]○[/yellow]"
    said = (
        f"hooks are set up in {escape(_listed(found['hosts']))}"
        if found["set_up"]
        else "not switched on: run [bold]recollect setup[/bold]"
    )
    show.say(f"{mark} {said}")
    _say_hindered(found["hindered"])
    if found["outdated"]:
        names = escape(_listed(found["outdated"]))
        show.say(f"● run [bold]recollect setup[/bold] to bring {names} up to date")
    show.say(f"{'[yellow]![/yellow]' if worker.trouble else '●'} {escape(worker.in_words())}")
    kept = (
        f"{show.count(found['memories'], 'memory')} in {show.count(found['projects'], 'project')}"
    )
    show.say(f"● {kept}")
    _say_models(found["models"])
    if found["here"]:
        show.say(f"● here: {escape(str(found['here']))}")
    if found["last_failure"]:
        show.say(f"[yellow]![/yellow] last failure: {escape(str(found['last_failure']))}")
    _say_troubles(found["notes"])
    if found["newer_release"]:
        show.say(f"● Recollect {escape(str(found['newer_release']))} is out")


def _is_kept_somewhere(found: dict[str, object]) -> bool:
    hosts, hindered = found["hosts"], found["hindered"]
    assert isinstance(hosts, list)
    assert isinstance(hindered, list)
    return len(hindered) < len(hosts)


def _say_hindered(hosts: object) -> None:
    assert isinstance(hosts, list)
    for one in hosts:
        show.say(f"[yellow]![/yellow] {escape(one['host'])}: {escape(one['what'])}")
        if one["fix"]:
            show.say(f"  [dim]{escape(one['fix'])}[/dim]")


def _say_models(models: object) -> None:
    assert isinstance(models, dict)
    spent = f"{models['tokens_spent']:,} tokens spent"
    if not models["is_on"]:
        show.say(f"● no model is asked; {spent}")
        return
    name = " ".join(filter(None, (models["engine"], models["model"])))
    today = f"{models['tokens_today']:,} of {models['daily_tokens']:,} tokens today"
    waiting = f"; {show.count(models['waiting'], 'turn')} to look at" if models["waiting"] else ""
    show.say(f"● model: {escape(name)}; {today}, {spent} in all{waiting}")
    if models["trouble"]:
        clock = show.local(models["until"])
        who = "one of the models is not" if models["is_partial"] else "no model is"
        show.say(f"[yellow]![/yellow] {who} asked until {clock}: {escape(models['trouble'])}")
        if models["hint"]:
            show.say(f"  [dim]{escape(models['hint'])}[/dim]")
    if models["set_aside"]:
        turns = show.count(models["set_aside"], "turn")
        show.say(f"[yellow]![/yellow] {turns} set aside: [bold]recollect retry[/bold]")
    if models["dropped"]:
        what = ", ".join(show.count(number, name) for name, number in models["dropped"].items())
        show.say(f"[dim]  dropped from what models said, because no turn supports it: {what}[/dim]")


def _say_troubles(troubles: object) -> None:
    assert isinstance(troubles, list)
    for one in troubles:
        show.say(f"[yellow]![/yellow] {escape(one['file'])}: {escape(one['what'])}")
        show.say(f"  [dim]{escape(one['fix'])}[/dim]")


def _gathered(app: Recollect) -> dict[str, object]:
    everyone = app.projects.overview()
    hosts = checks.switched_on(app.home)
    plans = checks.plans(app.home) if hosts else []
    here = app.projects.at(os.getcwd())
    last = app.sessions.last(here.name) if here else None
    said = ""
    if here:
        said = f"{here.label}, {show.count(app.projects.count(here.name), 'memory')}"
        said += f", last session {show.ago(last.last_seen)}" if last else ""
    return {
        "version": recollect.__version__,
        "home": app.home,
        "set_up": bool(hosts),
        "hosts": hosts,
        "hindered": [
            {"host": check.name, "what": check.found, "fix": check.hint}
            for check in checks.hindered(plans)
        ],
        "outdated": checks.outdated(plans),
        "worker": worker_client.status(app.home).as_json(),
        "projects": len(everyone),
        "memories": sum(one.memories for one in everyone),
        "here": said,
        "models": app.models.status(now=time.time()).as_json(),
        "last_failure": app.housekeeping.last_failure,
        "newer_release": app.housekeeping.newer_release,
        "notes": [_trouble(one) for one in app.note_troubles()],
    }


def _trouble(one: NoteTrouble) -> dict[str, str]:
    return {"file": one.place, "what": one.what, "fix": one.fix}


def _listed(names: object) -> str:
    assert isinstance(names, list)
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else str(last)


@click.command()
@show.as_json
@click.pass_context
def doctor(context: click.Context, to_json: bool) -> None:
    """Check everything Recollect needs, and say how to fix what is wrong."""
    with opened(paths.home(), embeddings=Embeddings()) as app:
        found = checks.examine(app)
    if to_json:
        show.dump([asdict(check) for check in found])
    else:
        for check in found:
            mark = "[green]✓[/green]" if check.well else "[red]✗[/red]"
            show.say(f"{mark} {check.name}: {escape(check.found)}")
            if not check.well and check.hint:
                show.say(f"  {escape(check.hint)}")
    if not all(check.well for check in found):
        context.exit(1)
