"""`recollect`: the group of all commands, and how errors are shown."""

import difflib
import importlib
import sys
from collections.abc import Iterable
from typing import NoReturn

import click

import recollect
from recollect.cli import front
from recollect.cli.catalogue import ALIASES, COMMANDS
from recollect.errors import RecollectError

# Narrower than this, an option stands above what it means.
NARROW = 60


class Formatter(click.HelpFormatter):
    """Help as wide as the terminal, however narrow that is; click stops at 50 columns."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        super().__init__(indent_increment, width or front.columns(), max_width)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write names with what they mean: side by side, or where that is too narrow, below."""
        rows = list(rows)
        room = self.width - self.current_indent
        beside = min(max((len(name) for name, _ in rows), default=0), col_max) + col_spacing
        indent = beside if self.width >= NARROW else 4
        for name, meaning in rows:
            *above, last = _broken(name, room)
            lines = click.wrap_text(meaning, room - indent, preserve_paragraphs=True).splitlines()
            if not above and indent == beside and len(last) + col_spacing <= beside and lines:
                last = last.ljust(beside) + lines.pop(0)
            below = [" " * indent + line for line in lines]
            for line in (*above, last, *below):
                self.write(f"{' ' * self.current_indent}{line}".rstrip() + "\n")


def _broken(name: str, width: int) -> list[str]:
    """Return *name* in lines of at most *width*; a list of choices is broken between them.

    >>> _broken("--source [startup|clear|resume]", 24)
    ['--source [startup|clear|', '    resume]']
    """
    lines = [""]
    for part in name.replace("|", "|\n").replace(" ", " \n").split("\n"):
        if lines[-1].strip() and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("    ")
        lines[-1] += part
    return [line.rstrip() for line in lines]


class _HelpContext(click.Context):
    formatter_class = Formatter


def _fitted(command: click.Command) -> click.Command:
    """Let *command*, and all below it, write its help as wide as the terminal, and whole."""
    command.context_class = _HelpContext
    # Click would cut what a list of commands says of one.
    command.short_help = command.short_help or (command.help or "").partition("\n\n")[0]
    for one in command.params:
        if isinstance(one, click.Option) and isinstance(one.type, click.types.IntParamType):
            one.metavar = one.metavar or "N"
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _fitted(below)
    return command


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for: most need the whole application."""

    context_class = _HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click gives it
        """Return the names of all commands, in the order in which help shows them."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click gives it
        cmd_name: str,
    ) -> click.Command | None:
        """Return the command *cmd_name*; None if there is none of that name."""
        place = COMMANDS.get(ALIASES.get(cmd_name, cmd_name))
        if place is None:
            return None
        module, attribute = place.split(".")
        command: click.Command = getattr(
            importlib.import_module(f"recollect.cli.{module}"), attribute
        )
        return _fitted(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return what *args* name: by an alias, too, and what is near if it is nothing."""
        if args[0] == "help":
            args = [*args[1:], "--help"]
        name = args[0]
        if name not in COMMANDS and name not in ALIASES and not name.startswith("-"):
            near = difflib.get_close_matches(name, [*COMMANDS, *ALIASES], n=3)
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {name!r}.{meant}")
        found, command, rest = super().resolve_command(ctx, args)
        return (found and ALIASES.get(found, found)), command, rest

    def format_help(
        self,
        ctx: click.Context,  # noqa: ARG002 - click gives it
        formatter: click.HelpFormatter,
    ) -> None:
        """Write what `recollect --help` prints, which takes no command to be loaded."""
        formatter.write(front.text(formatter.width))


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
            if renamed := config.renamed(key):
                click.echo(renamed, err=True)
    ctx.obj = dict(flags)


def main() -> None:
    """Run the command line; an error of ours is two lines, not a traceback."""
    try:
        cli(standalone_mode=True)
    except RecollectError as error:
        _explain(error.message, _for_people(error.hint))
    except OSError as error:
        _explain(f"{type(error).__name__}: {error}", "Run: recollect doctor")


def _for_people(hint: str) -> str:
    """Return *hint* as it helps at a command line: agents look for ids by other means."""
    from recollect.ids import WHERE_IDS_ARE  # noqa: PLC0415 - only errors need it here

    if hint == WHERE_IDS_ARE:
        return "Notes are in `recollect list`; the rest is found by `recollect search`."
    return hint


def _explain(message: str, hint: str) -> NoReturn:
    from rich.console import Console  # noqa: PLC0415 - only errors need it here
    from rich.markup import escape  # noqa: PLC0415

    console = Console(stderr=True, highlight=False)
    console.print(f"[red]✗[/red] {escape(message)}", soft_wrap=True)
    if hint:
        console.print(f"  {escape(hint)}", soft_wrap=True)
    sys.exit(1)
