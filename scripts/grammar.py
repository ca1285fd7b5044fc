"""Write what shell completion knows of the commands: `src/recollect/cli/grammar.txt`.

A line for each command: its path, its options with what their value is, then `@` and what each of
its arguments is. `*` marks one that may be repeated.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from recollect import config
from recollect.cli import complete
from recollect.notes.categories import CATEGORIES
from scripts import reference

FILE = Path(complete.__file__).with_name("grammar.txt")

# What the value of a parameter is, by its name in the code.
KINDS = {
    "project": "project",
    "into": "project",
    "key": "setting",
    "id": "memory",
    "ids": "memory",
    "around": "memory",
    "name": "note",
    "names": "note",
    "accepted": "note",
    "rejected": "note",
    "replacing": "note",
}
# Where a name does not tell.
EXCEPTIONS = {("recollect restore", "ids"): "note"}


def text() -> str:
    """Return the whole file."""
    lines = [_line(context) for context in reference.tree()]
    lines.append("\t".join(["settings:", *(one.key for one in config.known())]))
    lines.append(
        "\t".join(["folders:", *(f"{row.name}={row.folder}" for row in CATEGORIES.values())])
    )
    return "".join(f"{line}\n" for line in lines)


def _line(context: click.Context) -> str:
    path = context.command_path.removeprefix("recollect").strip()
    return "\t".join([path, *_tokens(context)])


def _tokens(context: click.Context) -> Iterator[str]:
    for one in context.command.get_params(context):
        if isinstance(one, click.Option):
            for name in sorted(one.opts):
                takes_a_value = not (one.is_flag or one.count or one.name == "help")
                yield f"{name}={_kind(one, context) or 'text'}" if takes_a_value else name
    for one in context.command.params:
        if isinstance(one, click.Argument):
            yield f"@{_kind(one, context)}{'*' if one.nargs == -1 else ''}"


def _kind(one: click.Parameter, context: click.Context) -> str:
    if isinstance(one.type, click.Choice):
        return f"one:{','.join(map(str, one.type.choices))}"
    name = one.name or ""
    return EXCEPTIONS.get((context.command_path, name), KINDS.get(name, ""))


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
