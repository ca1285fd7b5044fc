"""Which project a command is about: the one here, a named one, or all."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from recollect.app import App
from recollect.errors import ProjectError
from recollect.state.registry import Project

Command = TypeVar("Command", bound=Callable[..., Any])


def scoped(command: Command) -> Command:
    """Give a command `--project` and `--all-projects`."""
    every = click.option("--all-projects", is_flag=True, help="Look in every project.")
    one = click.option(
        "--project", metavar="NAME", help="Another project than the one here: name, label or path."
    )
    return every(one(command))


def chosen(app: App, project: str | None, *, all_projects: bool) -> list[Project]:
    """Return the projects that the options mean."""
    if all_projects:
        if project:
            raise ProjectError("--project and --all-projects exclude each other")
        return [one for one in app.registry.all() if not one.excluded]
    if project:
        return [app.registry.find(project)]
    return [app.project_here(os.getcwd())]
