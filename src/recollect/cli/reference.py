"""Write the pages of the documentation that follow from the code: commands, settings, errors.

`python -m recollect.cli.reference docs/reference` writes them; a test compares them with what
this module would write now, so that none falls behind.
"""

import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from recollect import config, errors
from recollect.cli.main import cli
from recollect.errors import RecollectError

GENERATED = "<!-- Written by `make docs`: change the code, not this page. -->"

COMMANDS = """\
Every command takes `-h` or `--help`. `recollect -s KEY=VALUE COMMAND` sets a
[setting](settings.md) for one call."""

SETTINGS = """\
Defaults live in the code. You write down only what you change; later layers win:

1. `config.toml` in Recollect's home (`recollect config path` prints where)
2. `projects/<project>/config.toml` in Recollect's home: yours, for one project
3. environment variables
4. `recollect -s KEY=VALUE COMMAND`, for one call

`recollect config set KEY VALUE` writes the first, with `--project NAME` the second. In the file,
the part before the dot is a section:

```toml
[recall]
limit = 3

[capture]
exclude_paths = ["~/private/*", "*.pem"]
```

In the environment and on the command line, commas separate the items of a list, and a switch is
`true` or `false`. The worker serves many sessions and takes no setting from the environment of one:
a session with settings of its own answers its prompts without the worker.

A repository's own `{file}` arrives with a clone. It may hold {keys};
its exclusions are added to yours. Anything else in it is left out; `recollect doctor` says so."""

NO_SETTINGS = """\
## Variables that are not settings

| variable | meaning |
| --- | --- |
| `RECOLLECT_HOME` | Where everything is kept; `~/.recollect` without it. |
| `RECOLLECT_DEBUG` | Set to `1`: logs and hooks tell errors in full, which may quote memories. |
| `RECOLLECT_GUARD` | Set to anything: hooks do nothing, for agents that your own scripts start. |
| `NO_COLOR` | No colours on the terminal. |"""

ERRORS = """\
An error that you can do something about is two lines on standard error, without a traceback: where
and what, then what to do. The exit code is 1; wrong usage of a command is 2. Hooks never fail: they
exit with 0 whatever happens."""


def pages() -> dict[str, str]:
    """Return every generated page by the name of its file."""
    return {
        "cli.md": _page("Commands", _commands()),
        "settings.md": _page("Settings", _settings()),
        "errors.md": _page("Errors", _errors()),
    }


def main(arguments: list[str]) -> None:
    """Write the pages into the folder that *arguments* name."""
    (folder,) = map(Path, arguments)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def tree(context: click.Context | None = None) -> Iterator[click.Context]:
    """Return a context for each command: the one of *context*, then all below it by name."""
    context = context or click.Context(cli, info_name="recollect")
    yield context
    if isinstance(context.command, click.Group):
        for name, command in sorted(context.command.commands.items()):
            yield from tree(click.Context(command, info_name=name, parent=context))


def options(context: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command, each with its help; `--help` is the same everywhere."""
    found = (one for one in context.command.params if isinstance(one, click.Option))
    return [record for one in found if (record := one.get_help_record(context))]


def kinds_of_error() -> list[type[RecollectError]]:
    """Return every error there is, in the order in which they are defined."""
    found = (one for one in vars(errors).values() if isinstance(one, type))
    return [one for one in found if issubclass(one, RecollectError)]


def _commands() -> Iterator[str]:
    yield COMMANDS
    for context in tree():
        level = "###" if context.parent and context.parent.parent else "##"
        yield f"{level} {context.command_path}"
        yield f"```text\n{_usage(context)}\n```"
        yield inspect.cleandoc(context.command.help or "")
        if rows := [(f"`{names}`", said) for names, said in options(context)]:
            yield _table(("option", "meaning"), rows)


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _settings() -> Iterator[str]:
    keys = " and ".join(f"`{key}`" for key in config.REPOSITORY_MAY_SET)
    yield SETTINGS.format(file=config.REPOSITORY_FILE, keys=keys)
    rows = (
        (f"`{one.key}`", _shown(one.default), f"`{config.variable(one.key)}`", one.doc)
        for one in config.known()
    )
    yield _table(("setting", "default", "environment variable", "meaning"), rows)
    yield NO_SETTINGS


def _shown(value: config.Value) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value not in ([], "") else "none"


def _errors() -> Iterator[str]:
    yield ERRORS
    rows = ((f"`{one.__name__}`", one.__doc__ or "") for one in kinds_of_error())
    yield _table(("error", "meaning"), rows)


def _page(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([GENERATED, f"# {title}", *parts]) + "\n"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    main(sys.argv[1:])
