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
    """List your projects; the commands below rename, join, split or exclude one."""
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
    """Give PROJECT another LABEL; its memories stay where they are."""
    with opened(paths.home()) as app:
        renamed = app.projects.rename(project, label)
    said = f"{renamed.name} is now called [bold]{escape(renamed.label)}[/bold]."
    show.report(said, to_json=to_json, **show.project_as_json(renamed))


@projects.command()
@click.argument("project")
@click.argument("into")
@click.option("--yes", is_flag=True, help="Join without asking.")
@show.as_json
def join(project: str, into: str, yes: bool, to_json: bool) -> None:
    """Merge PROJECT into the project INTO, such as two clones of one repository."""
    with opened(paths.home()) as app:
        first, second = app.projects.joinable(project), app.projects.find(into)
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
    """Give PATH, which is part of PROJECT, a memory of its own from now on."""
    with opened(paths.home()) as app:
        fresh = app.projects.split(project, path)
    said = f"{escape(path)} has a memory of its own now: [bold]{fresh.name}[/bold]."
    show.report(said, to_json=to_json, **show.project_as_json(fresh))


@projects.command()
@click.argument("project")
@click.option("--undo", is_flag=True, help="Keep and show them again.")
@show.as_json
def exclude(project: str, undo: bool, to_json: bool) -> None:
    """Stop keeping and showing memories of PROJECT; nothing is deleted."""
    with opened(paths.home()) as app:
        changed = app.projects.exclude(project, excluded=not undo)
    said = "kept again" if undo else "left out from now on"
    told = f"{escape(changed.label)} is {said}."
    show.report(told, to_json=to_json, **show.project_as_json(changed))
