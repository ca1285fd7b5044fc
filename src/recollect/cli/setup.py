"""`setup` and `uninstall`: switch Recollect on in your agents, and leave them as they were."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click
from rich.markup import escape

from recollect import config, paths, worker_client
from recollect.app.recollect import opened
from recollect.cli import show
from recollect.errors import HostError, RecollectError
from recollect.hosts import claude_code, launcher, mcp_clients, roster
from recollect.hosts import home as own
from recollect.hosts.mcp_clients import CLIENTS
from recollect.hosts.plan import SetupPlan, Step, StepResult, joined
from recollect.hosts.roster import Target

PURGE = "purge"
PRINT = "print"

OFFER = """
One question. Memories are made without a model: at once, on this machine, for 0 tokens.
A model can add what rules do not see: causes, reasons, choices. Your own Claude Code can be
asked (its smallest model):
  · after every few turns, and when a session ends; never while you wait
  · a call sends at most {synthesis_max_input_tokens:,} tokens of the finished turns, redacted
  · at most {synthesis_daily_tokens:,} tokens a day, which count towards your plan or your bill
An API key or a local server can be used instead: answer no, then set synthesis.engine to
anthropic or openai. `recollect config` lists what can be set."""


def _options(*others: str) -> Callable[[show.Command], show.Command]:
    """Give a command the options of everything that changes a host."""
    host = click.option(
        "--host",
        "hosts",
        multiple=True,
        type=click.Choice(roster.hosts()),
        help="Only this agent; repeat for several.",
    )
    mcp = click.option(
        "--mcp",
        "clients",
        multiple=True,
        type=click.Choice([*CLIENTS, *others]),
        help="Only this client, which gets the tools and no hooks; repeat for several.",
    )
    dry_run = click.option(
        "--dry-run", is_flag=True, help="Say what would be done, and do nothing."
    )
    yes = click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
    return lambda command: host(mcp(dry_run(yes(show.as_json(command)))))


@click.command()
@_options(PRINT)
@click.option("--after-install", is_flag=True, hidden=True)
def setup(
    hosts: tuple[str, ...],
    clients: tuple[str, ...],
    dry_run: bool,
    yes: bool,
    to_json: bool,
    after_install: bool,
) -> None:
    """Connect Recollect to your agents. Run it again to repair or to upgrade the connection.

    Without options, that is every agent found on this machine, of those that `--host` lists.
    `--mcp` gives other clients the memory's tools; `--mcp print` shows what to add to a client
    that is not listed.
    """
    home = paths.home()
    if PRINT in clients:
        _print_snippet(home, dry_run=dry_run)
        return
    if after_install and not (hosts or clients or roster.is_any_here()):
        show.say("No agent was found on this machine. Once there is one, run: recollect setup")
        return
    targets = roster.targets(home, hosts, clients)
    if to_json or dry_run:
        _tell(targets, dry_run=dry_run, yes=yes, to_json=to_json)
        return
    agreed, troubles = [], []
    for target in targets:
        try:
            agreed += [target.name] if _switch_on(target, yes=yes) else []
        except HostError as error:
            troubles.append(error)
    if claude_code.NAME in agreed:
        _offer_a_model(yes=yes)
    _fail(troubles)
    if not agreed:
        raise click.Abort


@click.command()
@click.option("--purge", is_flag=True, help="Delete all memories as well, for good.")
@_options()
def uninstall(
    purge: bool,
    hosts: tuple[str, ...],
    clients: tuple[str, ...],
    dry_run: bool,
    yes: bool,
    to_json: bool,
) -> None:
    """Disconnect Recollect from your agents; your memories stay."""
    names = (*hosts, *clients)
    if purge and names:
        raise click.UsageError("--purge is for all of them: leave --host and --mcp out.")
    home = paths.home()
    plan = _leaving(home, names or (*roster.hosts(), *CLIENTS))
    if purge:
        plan = _purging(home, plan)
    if to_json:
        _as_json(plan, "uninstall", dry_run=dry_run, yes=yes)
        return
    if plan.steps or not plan.troubles:
        _show(plan, nothing="Recollect is not set up; there is nothing to remove.")
    if plan.steps and not dry_run:
        if not _agrees("uninstall", yes=yes):
            raise click.Abort
        if purge and not yes:
            _agree_to_purge(home)
        _report(plan.carry_out())
        where = f" in {', '.join(roster.titles(names))}" if names else ""
        show.say(f"\nRecollect is off{where}{_but(plan)}.{_fate(home, purged=purge)}")
    _fail(plan.troubles)


def _fate(home: str, *, purged: bool) -> str:
    """Say what has become of the memories in *home*."""
    if purged:
        return " Your memories are deleted."
    return f" Your memories are in {escape(home)}." if Path(home).exists() else ""


def _but(plan: SetupPlan) -> str:
    """Say where those stand that *plan* does not leave; empty if it leaves all."""
    places = {"above": plan.note, "below": plan.troubles}
    named = " and ".join(place for place, text in places.items() if text)
    return f", except for what is said {named}" if named else ""


def _tell(targets: list[Target], *, dry_run: bool, yes: bool, to_json: bool) -> None:
    """Say what is to be done in all *targets*; for a program, do it as well if it may be."""
    plans = list(roster.distinct(roster.attempted(target.plan) for target in targets))
    whole = joined(plans)
    if to_json:
        _as_json(whole, "setup", dry_run=dry_run, yes=yes)
        return
    for target, plan in zip(targets, plans, strict=True):
        if not plan.troubles:
            _announce(target, plan)
    _fail(whole.troubles)


def _switch_on(target: Target, *, yes: bool) -> bool:
    """Set *target* up if the user agrees; tell whether Recollect is on there."""
    plan = roster.understood(target.plan)
    _announce(target, plan)
    if not plan.steps:
        return True
    if not _agrees("setup", yes=yes):
        return False
    _report(plan.carry_out())
    done = f"\nRecollect is on for new sessions of {target.title}."
    if plan.note:
        done = f"\nPartly done for {target.title}; see what is said above."
    show.say(target.welcome or done)
    return True


def _announce(target: Target, plan: SetupPlan) -> None:
    show.say(f"[bold]{escape(target.title)}[/bold] [dim]{escape(target.where)}[/dim]")
    but = " as far as it can be, apart from this:" if plan.note else "."
    _show(plan, nothing=f"Recollect is already set up{but}")


def _print_snippet(home: str, *, dry_run: bool) -> None:
    """Print what to add to a client; what it names must be there, in a home that is ours alone."""
    if not dry_run:
        SetupPlan(steps=tuple(launcher.installing(home))).carry_out()
    click.echo(mcp_clients.snippet(home))


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
        app.settings.set("synthesis.engine", "auto" if wanted else "extractive")
        if wanted:
            app.settings.set("synthesis.allow", "claude")
    if wanted:
        show.say("A model is asked from the next turn on; [bold]recollect spend[/bold] shows it.")
    else:
        show.say("No model is asked. To change that: recollect config set synthesis.engine claude")


def _leaving(home: str, names: tuple[str, ...]) -> SetupPlan:
    """Hosts are left before the worker stops: a hook in between would start a new one."""
    plan = roster.removal(home, names)
    if set(roster.on(home)) - set(names) or not worker_client.status(home).running:
        return plan
    stop = Step(line="Stop the worker", do=partial(_stop, home))
    return replace(plan, steps=(*plan.steps, stop))


def _purging(home: str, plan: SetupPlan) -> SetupPlan:
    if not Path(home).exists():
        return plan
    own.check_purgeable(home)
    line = f"Delete the memories and everything else of Recollect in {home}"
    return replace(plan, steps=(*plan.steps, Step(line=line, do=partial(own.purge, home))))


def _stop(home: str) -> None:
    worker_client.stop(home)


def _show(plan: SetupPlan, *, nothing: str) -> None:
    """Say what *plan* would do, or *nothing* if that is what it would do."""
    show.say("\nThis will:" if plan.steps else nothing)
    for number, step in enumerate(plan.steps, start=1):
        show.say(f"  {number}. {escape(step.line)}")
    if plan.note:
        show.say(f"[dim]{escape(plan.note)}[/dim]")


def _agrees(command: str, *, yes: bool) -> bool:
    """Tell whether the user agrees. Raises `RecollectError` if there is nobody to ask."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise RecollectError(
            "nothing was done: there is no terminal to ask at",
            hint=f"Run: recollect {command} --yes",
        )
    return click.confirm("\nGo ahead?", default=True)


def _agree_to_purge(home: str) -> None:
    said = click.prompt(f"The memories in {home} cannot be brought back. To go on, type {PURGE}")
    if said != PURGE:
        raise click.Abort


def _report(done: list[StepResult]) -> None:
    """Say that all was done; the lines were shown before, so only remarks are new."""
    for number, one in enumerate(done, start=1):
        if one.remark:
            show.say(f"[yellow]{number}. {escape(one.remark)}[/yellow]")
    show.say("[green]✓[/green] done")


def _as_json(plan: SetupPlan, command: str, *, dry_run: bool, yes: bool) -> None:
    """Print *plan* for programs, after carrying it out if that was agreed to beforehand."""
    if plan.steps and not (yes or dry_run):
        raise HostError(
            "nothing was done: --json does not ask", hint=f"Run: recollect {command} --json --yes"
        )
    carried_out = not dry_run
    steps = plan.carry_out() if carried_out else [StepResult(line=step.line) for step in plan.steps]
    troubles = [{"message": trouble.message, "hint": trouble.hint} for trouble in plan.troubles]
    done = [asdict(step) for step in steps]
    show.dump({"done": carried_out, "steps": done, "note": plan.note, "troubles": troubles})
    _fail(plan.troubles)


def _fail(troubles: Sequence[HostError]) -> None:
    """Say what is wrong with each host that was passed over, and end so."""
    for error in troubles[:-1]:
        click.echo(f"✗ {error.message}\n  {error.hint}".rstrip(), err=True)
    if troubles:
        raise troubles[-1]
