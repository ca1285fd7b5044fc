"""How the commands speak: tables for people, JSON for programs."""

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from recollect import ages
from recollect.search.report import iso
from recollect.store.contract.state import Project, Session
from recollect.transcripts.turns import Turn

# Columns of a table would be broken within words.
NARROW = 60

Command = TypeVar("Command", bound=Callable[..., Any])


def as_json(command: Command) -> Command:
    """Give a command `--json`: the parameter `to_json` tells whether it was given."""
    return click.option("--json", "to_json", is_flag=True, help="Print JSON for programs.")(command)


def console() -> Console:
    """Return where people read; `NO_COLOR` and narrow terminals are respected."""
    return Console(highlight=False)


def dump(value: object) -> None:
    """Print *value* as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def say(text: str) -> None:
    """Print *text*, in which square brackets are markup."""
    console().print(text, soft_wrap=True)


def report(text: str, *, to_json: bool, **fields: object) -> None:
    """Say what was done: *text* for people, *fields* for programs."""
    if to_json:
        dump(fields)
    else:
        say(text)


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print *rows* under *heads*; where that is too narrow, each row as a list."""
    heads = tuple(heads)
    if console().width < NARROW:
        for row in rows:
            first, *rest = map(str, row)
            say(f"[bold]{escape(first)}[/bold]")
            for head, cell in zip(heads[1:], rest, strict=True):
                say(f"  [dim]{head}[/dim] {escape(cell)}")
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        shown.add_column(head, overflow="fold")
    for row in rows:
        shown.add_row(*(escape(str(cell)) for cell in row))
    console().print(shown)


def count(number: object, noun: str) -> str:
    """Return *number* and the *noun* in its form.

    >>> count(1, "memory"), count(2, "memory"), count(0, "project")
    ('1 memory', '2 memories', '0 projects')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") else f"{number} {noun}s"


def ago(timestamp: float | None) -> str:
    """Say how long ago *timestamp* was."""
    return ages.ago(time.time() - timestamp) if timestamp else "never"


def local(timestamp: float) -> str:
    """Return *timestamp* on the local clock: `2026-11-15 14:32`."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(timestamp))


def session_as_json(session: Session) -> dict[str, object]:
    """Return a session for programs."""
    # `kept` and `client` are the former names of the next two, until 0.2.
    shown = asdict(session) | {"kept": bool(session.kept)}
    shown |= {"recorded": shown["kept"], "client_pid": session.client}
    for moment in ("started", "last_seen", "ended"):
        shown[moment] = iso(shown[moment]) if shown[moment] else None
    del shown["read_up_to"]
    return shown


def turn_as_json(turn: Turn) -> dict[str, object]:
    """Return an archived turn for programs."""
    return {**asdict(turn), "started": turn.started.isoformat(), "ended": turn.ended.isoformat()}


def project_as_json(project: Project) -> dict[str, object]:
    """Return a project for programs."""
    return {
        "name": project.name,
        "label": project.label,
        "root": project.root,
        "remote": project.remote,
        "first_seen": iso(project.first_seen),
        "last_seen": iso(project.last_seen),
        "excluded": project.excluded,
    }
