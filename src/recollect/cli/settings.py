"""`config`: what can be set, what is set, and where."""

import click
from rich.markup import escape
from rich.padding import Padding

from recollect import config as settings
from recollect import paths
from recollect.app.recollect import opened
from recollect.cli import show


@click.group(invoke_without_command=True)
@show.as_json
@click.pass_context
def config(context: click.Context, to_json: bool) -> None:
    """Show all settings, their values and what they mean; the commands below change one."""
    if context.invoked_subcommand:
        return
    held, problems = settings.examine(paths.home(), flags=context.obj)
    values = held.flat()
    if to_json:
        show.dump({"settings": values, "problems": [problem.message for problem in problems]})
        return
    console = show.console()
    for one in settings.known():
        value = escape(_shown(values[one.key]) or "none")
        console.print(f"[bold]{one.key}[/bold] {value}", soft_wrap=True)
        console.print(Padding(f"[dim]{escape(one.doc)}[/dim]", (0, 0, 0, 4)))
    show.say(f"\n[dim]{escape(paths.config(paths.home()))}[/dim]")
    for problem in problems:
        show.say(f"[yellow]![/yellow] {escape(problem.message)} {escape(problem.hint)}")


@config.command("get")
@click.argument("key")
@show.as_json
@click.pass_obj
def get_value(flags: dict[str, str], key: str, to_json: bool) -> None:
    """Print the value of KEY."""
    _tell_if_renamed(key)
    value = settings.value_of(settings.load(paths.home(), flags=flags), key)
    if to_json:
        show.dump(value)
    else:
        click.echo(_shown(value))


@config.command("set")
@click.argument("key")
@click.argument("value")
@click.option("--project", metavar="NAME", help="For this project only.")
@show.as_json
def set_value(key: str, value: str, project: str | None, to_json: bool) -> None:
    """Set KEY to VALUE in your config.toml; its comments stay."""
    _tell_if_renamed(key)
    with opened(paths.home()) as app:
        where = app.settings.set(key, value, project=project)
    key = settings.current_name(key)
    said = f"{escape(key)} is set in {escape(where)}."
    show.report(said, to_json=to_json, key=key, value=value, file=where)


@config.command("unset")
@click.argument("key")
@click.option("--project", metavar="NAME", help="For this project only.")
@show.as_json
def unset_value(key: str, project: str | None, to_json: bool) -> None:
    """Remove KEY from your config.toml, so that its default applies."""
    _tell_if_renamed(key)
    with opened(paths.home()) as app:
        where = app.settings.set(key, None, project=project)
    key = settings.current_name(key)
    said = f"{escape(key)} is no longer set in {escape(where)}."
    show.report(said, to_json=to_json, key=key, file=where)


@config.command("path")
@show.as_json
def path(to_json: bool) -> None:
    """Print the path of your config.toml."""
    file = paths.config(paths.home())
    show.report(escape(file), to_json=to_json, file=file)


def _tell_if_renamed(key: str) -> None:
    if renamed := settings.renamed(key):
        click.echo(renamed, err=True)


def _shown(value: settings.Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, list) else str(value)
