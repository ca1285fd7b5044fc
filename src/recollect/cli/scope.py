"""Which project a command is about: the one here, a named one, or all."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from recollect.app.recollect import Recollect
from recollect.store.contract.state import Project

Command = TypeVar("Command", bound=Callable[..., Any])


def scoped(command: Command) -> Command:
    """Give a command `--project` and `--all-projects`."""
    every = click.option("--all-projects", is_flag=True, help="In all projects.")
    one = click.option(
        "--project", metavar="NAME", help="In another project: its name, label or path."
    )
    return every(one(command))


def chosen(app: Recollect, project: str | None, *, all_projects: bool) -> list[Project]:
    """Return the projects that the options mean."""
    return app.projects.scope(project=project, all_projects=all_projects, folder=os.getcwd())
