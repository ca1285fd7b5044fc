"""`setup` and `uninstall`: switch Recollect on in Claude Code, and leave it as it was."""

import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click
from rich.markup import escape

from recollect import config, paths
from recollect.app import opened
from recollect.cli import show
from recollect.errors import HostError
from recollect.hosts import claude_code, client
from recollect.hosts import home as own
from recollect.hosts.plan import Done, Plan, Step
from recollect.worker import control

PURGE = "purge"

OFFER = """
One question. Memories are made without a model: at once, on this machine, for 0 tokens.
A model can add what rules do not see: causes, reasons, choices. Your own Claude Code can be
asked (its smallest model):
  · after every few turns, and when a session ends; never while you wait
  · a call sends at most {synthesis_max_input_tokens:,} tokens of the finished turns, redacted
  · at most {synthesis_daily_tokens:,} tokens a day, which count towards your plan or your bill
An API key or a local server can be used instead: see docs/how-to/use-a-model.md."""


def _options(command: show.Command) -> show.Command:
    """Give a command the options of everything that changes the host."""
    dry_run = click.option(
        "--dry-run", is_flag=True, help="Say what would be done, and do nothing."
    )
    yes = click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
    return dry_run(yes(show.as_json(command)))


@click.command()
@_options
def setup(dry_run: bool, yes: bool, to_json: bool) -> None:
    """Switch Recollect on in Claude Code; doing so again changes nothing, or repairs."""
    found = client.require()
    plan = claude_code.setup(paths.home(), found)
    if to_json:
        _as_json(plan, "setup", dry_run=dry_run, yes=yes)
        return
    version = found.version or "(unknown version)"
    show.say(f"[bold]Claude Code {escape(version)}[/bold] [dim]{escape(found.executable)}[/dim]")
    _show(plan, nothing="Recollect is already set up.")
    if plan.steps and not dry_run:
        _agree("setup", yes=yes)
        _report(plan.carry_out())
        show.say(
            "\nRecollect is on. Start [bold]claude[/bold] in a project and work as always;"
            " [bold]/recollect:help[/bold] shows what it knows."
            "\nSessions that are open now take it up with [bold]/reload-plugins[/bold]."
        )
    if not dry_run:
        _offer_a_model(yes=yes)


@click.command()
@click.option("--purge", is_flag=True, help="Delete the memories as well, for good.")
@_options
def uninstall(purge: bool, dry_run: bool, yes: bool, to_json: bool) -> None:
    """Remove Recollect from Claude Code, and nothing else; the memories stay."""
    home = paths.home()
    plan = _purging(home, _leaving(home)) if purge else _leaving(home)
    if to_json:
        _as_json(plan, "uninstall", dry_run=dry_run, yes=yes)
        return
    _show(plan, nothing="Recollect is not set up; there is nothing to remove.")
    if plan.steps and not dry_run:
        _agree("uninstall", yes=yes)
        if purge and not yes:
            _agree_to_purge(home)
        _report(plan.carry_out())
        kept = f" The memories are in {escape(home)}." if Path(home).exists() else ""
        show.say(f"\nRecollect is off.{kept}")


def _offer_a_model(*, yes: bool) -> None:
    """Ask once whether a model may be used; unanswered, and without a terminal, it is not."""
    home = paths.home()
    if yes or not sys.stdin.isatty() or config.is_set(home, "synthesis.engine"):
        return
    show.say(OFFER.format(**asdict(config.load(home))))
    try:
        wanted = click.confirm("Use your Claude Code for that?", default=False)
    except click.Abort:  # No answer is no.
        show.say("\nNo model is asked.")
        return
    with opened(home) as app:
        app.set_setting("synthesis.engine", "auto" if wanted else "extractive")
        if wanted:
            app.set_setting("synthesis.allow", "claude")
    if wanted:
        show.say("A model is asked from the next turn on; [bold]recollect spend[/bold] shows it.")
    else:
        show.say("No model is asked. To change that: recollect config set synthesis.engine claude")


def _leaving(home: str) -> Plan:
    """The host is left before the worker stops: a hook in between would start a new one."""
    plan = claude_code.removal(home, client.config_folder())
    if not control.status(home).running:
        return plan
    stop = Step(line="Stop the worker", do=partial(_stop, home))
    return Plan(steps=(*plan.steps, stop), note=plan.note)


def _purging(home: str, plan: Plan) -> Plan:
    if not Path(home).exists():
        return plan
    own.check_purgeable(home)
    line = f"Delete the memories and everything else of Recollect in {home}"
    return Plan(steps=(*plan.steps, Step(line=line, do=partial(own.purge, home))), note=plan.note)


def _stop(home: str) -> None:
    control.stop(home)


def _show(plan: Plan, *, nothing: str) -> None:
    """Say what *plan* would do, or *nothing* if that is what it would do."""
    show.say("\nThis will:" if plan.steps else nothing)
    for number, step in enumerate(plan.steps, start=1):
        show.say(f"  {number}. {escape(step.line)}")
    if plan.note:
        show.say(f"[dim]{escape(plan.note)}[/dim]")


def _agree(command: str, *, yes: bool) -> None:
    """Return if the user agrees; leave with nothing done if not."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise HostError(
            "nothing was done: there is no terminal to ask at",
            hint=f"Run: recollect {command} --yes",
        )
    click.confirm("\nGo ahead?", default=True, abort=True)


def _agree_to_purge(home: str) -> None:
    said = click.prompt(f"The memories in {home} cannot be brought back. To go on, type {PURGE}")
    if said != PURGE:
        raise click.Abort


def _report(done: list[Done]) -> None:
    """Say that all was done; the lines were shown before, so only remarks are new."""
    for number, one in enumerate(done, start=1):
        if one.remark:
            show.say(f"[yellow]{number}. {escape(one.remark)}[/yellow]")
    show.say("[green]✓[/green] done")


def _as_json(plan: Plan, command: str, *, dry_run: bool, yes: bool) -> None:
    """Print *plan* for programs, after carrying it out if that was agreed to beforehand."""
    if plan.steps and not (yes or dry_run):
        raise HostError(
            "nothing was done: --json does not ask", hint=f"Run: recollect {command} --json --yes"
        )
    carried_out = not dry_run
    steps = plan.carry_out() if carried_out else [Done(line=step.line) for step in plan.steps]
    show.dump({"done": carried_out, "steps": [asdict(step) for step in steps], "note": plan.note})
