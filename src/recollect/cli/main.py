"""`recollect`: the group of all commands, and how errors are shown."""

import sqlite3
import sys
from typing import NoReturn

import click
from rich.console import Console
from rich.markup import escape

import recollect
from recollect import config
from recollect.cli import (
    ask,
    context,
    demo,
    export,
    fill,
    find,
    forget,
    health,
    logs,
    mcp,
    notes,
    projects,
    review,
    save,
    settings,
    setup,
    spend,
    stats,
    summary,
    synthesis,
    worker,
)
from recollect.errors import RecollectError


class _Flags(click.ParamType[tuple[str, str]]):
    """A setting given on the command line: `KEY=VALUE`."""

    name = "KEY=VALUE"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        key, equals, given = value.partition("=")
        if not equals:
            self.fail(f"{value!r} is not of the form KEY=VALUE", param, ctx)
        return key.strip(), given.strip()


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(recollect.__version__, prog_name="recollect")
@click.option(
    "-s", "--set", "flags", type=_Flags(), multiple=True, help="A setting for this call alone."
)
@click.pass_context
def cli(ctx: click.Context, flags: tuple[tuple[str, str], ...]) -> None:
    """A memory for coding agents: local, fast, readable.

    Start with `recollect demo`, then `recollect setup`.
    """
    for key, value in flags:
        config.check(key, value, where="--set")
    ctx.obj = dict(flags)


for command in (
    demo.demo,
    setup.setup,
    setup.uninstall,
    health.status,
    health.doctor,
    find.search,
    context.context,
    ask.ask,
    find.expand,
    find.timeline,
    find.transcript,
    notes.remember,
    save.save,
    notes.list_,
    notes.show_,
    notes.edit,
    notes.pin,
    notes.retire,
    notes.archive,
    notes.unarchive,
    notes.gc,
    forget.forget,
    forget.restore,
    review.review,
    summary.summary,
    spend.spend,
    stats.stats,
    synthesis.retry,
    synthesis.resynthesise,
    fill.index,
    fill.import_,
    export.export,
    projects.projects,
    worker.worker,
    settings.config,
    logs.logs,
    mcp.mcp,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line; an error of ours is two lines, not a traceback."""
    try:
        cli(standalone_mode=True)
    except RecollectError as error:
        _explain(error.message, error.hint)
    except (OSError, sqlite3.Error) as error:
        _explain(f"{type(error).__name__}: {error}", "Run: recollect doctor")


def _explain(message: str, hint: str) -> NoReturn:
    console = Console(stderr=True, highlight=False)
    console.print(f"[red]✗[/red] {escape(message)}", soft_wrap=True)
    if hint:
        console.print(f"  {escape(hint)}", soft_wrap=True)
    sys.exit(1)
