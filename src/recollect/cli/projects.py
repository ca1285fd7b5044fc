"""`projects`: whose memories there are; rename, join, split, exclude."""

import click
from rich.markup import escape

from recollect import paths
from recollect.app.recollect import opened
from recollect.cli import show


@click.group(invoke_without_command=True)
@show.as_json
@click.pass_context
def projects(context: click.Context, to_json: bool) -> None:
    """List the projects that have a memory."""
    if context.invoked_subcommand:
        return
    with opened(paths.home()) as app:
        everyone = app.projects.overview()
    if to_json:
        show.dump(
            [
                {
                    **show.project_as_json(one.project),
                    "paths": one.paths,
                    "hosts": one.hosts,
                    "sessions": one.sessions,
                    "memories": one.memories,
                }
                for one in everyone
            ]
        )
        return
    if not everyone:
        show.say("No project has a memory yet. [bold]recollect setup[/bold] switches it on.")
        return
    show.table(
        ("project", "path", "hosts", "first seen", "last seen", "sessions", "memories"),
        (
            (
                one.project.label + (" (excluded)" if one.project.excluded else ""),
                one.project.root,
                ", ".join(one.hosts),
                show.ago(one.project.first_seen),
                show.ago(one.project.last_seen),
                one.sessions,
                one.memories,
            )
            for one in everyone
        ),
    )


@projects.command()
@click.argument("project")
@click.argument("label")
@show.as_json
def rename(project: str, label: str, to_json: bool) -> None:
    """Call PROJECT by another LABEL; its memory stays where it is."""
    with opened(paths.home()) as app:
        renamed = app.projects.rename(project, label)
    said = f"{renamed.name} is now called [bold]{escape(renamed.label)}[/bold]."
    show.report(said, to_json=to_json, **show.project_as_json(renamed))


@projects.command()
@click.argument("project")
@click.argument("into")
@click.option("--yes", is_flag=True, help="Do not ask.")
@show.as_json
def join(project: str, into: str, yes: bool, to_json: bool) -> None:
    """Give PROJECT's paths and memory to the project INTO, for two clones of one repository."""
    with opened(paths.home()) as app:
        first, second = app.projects.find(project), app.projects.find(into)
        question = f"Move the memory of {first.label} ({first.root}) into {second.label}?"
        if not yes:
            click.confirm(question, abort=True)
        moved = app.projects.join(first, into=second)
    days = show.count(moved, "day file")
    said = f"{escape(first.label)} and {escape(second.label)} share one memory now ({days} moved)."
    show.report(said, to_json=to_json, joined=first.name, into=second.name, day_files=moved)


@projects.command()
@click.argument("project")
@click.argument("path")
@show.as_json
def split(project: str, path: str, to_json: bool) -> None:
    """Give PATH, which shares the memory of PROJECT, one of its own from now on."""
    with opened(paths.home()) as app:
        fresh = app.projects.split(project, path)
    said = f"{escape(path)} has a memory of its own now: [bold]{fresh.name}[/bold]."
    show.report(said, to_json=to_json, **show.project_as_json(fresh))


@projects.command()
@click.argument("project")
@click.option("--undo", is_flag=True, help="Keep and show it again.")
@show.as_json
def exclude(project: str, undo: bool, to_json: bool) -> None:
    """Keep nothing of PROJECT from now on and give agents nothing of it; nothing is deleted."""
    with opened(paths.home()) as app:
        changed = app.projects.exclude(project, excluded=not undo)
    said = "kept again" if undo else "left out from now on"
    told = f"{escape(changed.label)} is {said}."
    show.report(told, to_json=to_json, **show.project_as_json(changed))
