"""`recollect`: the group of all commands, and how errors are shown."""

import importlib
import sqlite3
import sys
from typing import NoReturn

import click

import recollect
from recollect.errors import RecollectError

COMMANDS = {
    "archive": "notes.archive",
    "ask": "ask.ask",
    "config": "settings.config",
    "context": "context.context",
    "demo": "demo.demo",
    "doctor": "health.doctor",
    "edit": "notes.edit",
    "expand": "find.expand",
    "export": "export.export",
    "forget": "forget.forget",
    "gc": "notes.gc",
    "import": "fill.import_",
    "index": "fill.index",
    "list": "notes.list_",
    "logs": "logs.logs",
    "mcp": "mcp.mcp",
    "pin": "notes.pin",
    "projects": "projects.projects",
    "remember": "notes.remember",
    "restore": "forget.restore",
    "resynthesise": "synthesis.resynthesise",
    "retire": "notes.retire",
    "retry": "synthesis.retry",
    "review": "review.review",
    "save": "save.save",
    "search": "find.search",
    "setup": "setup.setup",
    "show": "notes.show_",
    "spend": "spend.spend",
    "stats": "stats.stats",
    "status": "health.status",
    "summary": "summary.summary",
    "timeline": "find.timeline",
    "transcript": "find.transcript",
    "unarchive": "notes.unarchive",
    "uninstall": "setup.uninstall",
    "worker": "worker.worker",
}
"""Where each command is: a module of this package, and the command in it."""


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for: most need the whole application."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it
        """Return the names of all commands, in the order in which help shows them."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click gives it
        cmd_name: str,
    ) -> click.Command | None:
        """Return the command *cmd_name*; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name].split(".")
        command: click.Command = getattr(
            importlib.import_module(f"recollect.cli.{module}"), attribute
        )
        return command


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


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(recollect.__version__, prog_name="recollect")
@click.option(
    "-s", "--set", "flags", type=_Flags(), multiple=True, help="A setting for this call alone."
)
@click.pass_context
def cli(ctx: click.Context, flags: tuple[tuple[str, str], ...]) -> None:
    """A memory for coding agents: local, fast, readable.

    Start with `recollect demo`, then `recollect setup`.
    """
    if flags:
        from recollect import config  # noqa: PLC0415 - nobody else waits for it here

        for key, value in flags:
            config.check(key, value, where="--set")
    ctx.obj = dict(flags)


def main() -> None:
    """Run the command line; an error of ours is two lines, not a traceback."""
    try:
        cli(standalone_mode=True)
    except RecollectError as error:
        _explain(error.message, error.hint)
    except (OSError, sqlite3.Error) as error:
        _explain(f"{type(error).__name__}: {error}", "Run: recollect doctor")


def _explain(message: str, hint: str) -> NoReturn:
    from rich.console import Console  # noqa: PLC0415 - only errors need it here
    from rich.markup import escape  # noqa: PLC0415

    console = Console(stderr=True, highlight=False)
    console.print(f"[red]✗[/red] {escape(message)}", soft_wrap=True)
    if hint:
        console.print(f"  {escape(hint)}", soft_wrap=True)
    sys.exit(1)
