"""Projects and their paths, in SQLite."""

from dataclasses import asdict

from recollect.store.contract.state import Project
from recollect.store.sqlite.state.statements import Row, Statements

_COLUMNS = "name label root root_commit remote inode first_seen last_seen".split()


class SqliteProjects:
    """`ProjectStore` over the tables `projects` and `aliases`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def all(self) -> list[Project]:
        """Return every project, the last seen first."""
        return [_project(row) for row in self._statements.rows("projects")]

    def named(self, name: str) -> Project | None:
        """Return the project whose folder is called exactly *name*."""
        row = self._statements.row("project", name)
        return _project(row) if row else None

    def of_identity(self, identity: str) -> str | None:
        """Return the name of the project that the path *identity* stands for."""
        row = self._statements.row("alias", identity)
        return str(row[0]) if row else None

    def identities(self, project: str) -> list[str]:
        """Return every path that stands for *project*, in order."""
        return [str(identity) for (identity,) in self._statements.rows("aliases_of", project)]

    def places(self) -> list[tuple[str, str, bool]]:
        """Return every path with the name of its project, and whether that is excluded."""
        return [(path, name, bool(no)) for path, name, no in self._statements.rows("aliases")]

    def add(self, project: Project, identity: str) -> None:
        """Keep a new *project*, for which *identity* stands."""
        self._statements.run("add_project", **asdict(project))
        self.set_identity(identity, project.name)

    def save(self, project: Project) -> None:
        """Keep *project*, which is known, as it is now."""
        self._statements.run("update_project", **asdict(project))

    def set_identity(self, identity: str, project: str) -> None:
        """Let *identity* stand for *project*."""
        self._statements.run("set_alias", identity=identity, project=project)

    def remove_identity(self, identity: str) -> None:
        """Let *identity* stand for nothing."""
        self._statements.run("remove_alias", identity)

    def remove(self, project: str) -> None:
        """Forget *project*, of which nothing was kept, and the paths that stand for it."""
        with self._statements.transaction():
            self._statements.run("remove_aliases", project)
            self._statements.run("remove_project", project)

    def join(self, project: str, *, into: str) -> None:
        """Give everything that belongs to *project* to *into*, and forget that there was one."""
        run = self._statements.run
        run("move_aliases", **{"from": project, "into": into})
        run("move_sessions", **{"from": project, "into": into})
        # What a model has still to look at, and what it cost so far, goes along.
        run("queue_project", project=project, into=into)
        run("ledger_project", project=project, into=into)
        run("shown_project", project=project, into=into)
        run("remove_project", project)


def _project(row: Row) -> Project:
    *values, excluded = row
    return Project(**dict(zip(_COLUMNS, values, strict=True)), excluded=bool(excluded))
