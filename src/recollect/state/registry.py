"""Which project an identity belongs to, and what happens when one moves or is met twice.

A folder that moved is recognised by its inode together with what git says of it; nothing that
a repository can write about itself is enough. A second clone with the same remote is offered,
not joined: anyone can write any remote into a `.git/config`.
"""

import hashlib
import os
import re
import subprocess
import unicodedata
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from recollect import paths, projects
from recollect.errors import ProjectError
from recollect.state.database import Row, State

GIT_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Whose memory it is."""

    name: str
    """The name of its folder under `projects/`; never changes."""
    label: str
    """What a person calls it."""
    root: str
    root_commit: str
    remote: str
    inode: str
    first_seen: float
    last_seen: float
    excluded: bool = False


class Registry:
    """The projects of one home."""

    def __init__(self, state: State, home: str) -> None:
        self._state = state
        self._home = home

    def at(self, folder: str) -> Project | None:
        """Return the project that *folder* is in, if it is known."""
        found = self._state.row("alias", projects.identity(folder))
        return self.named(str(found[0])) if found else None

    def meet(self, folder: str, *, now: float, join_clones: bool = False) -> Project:
        """Return the project that *folder* is in, recognised or new; it was seen *now*."""
        identity = projects.identity(folder)
        found = self._state.row("alias", identity)
        if found:
            project = self.named(str(found[0]))
            seen = replace(
                project,
                first_seen=min(now, project.first_seen),
                last_seen=max(now, project.last_seen),
            )
            if identity in self._main_identities(project):
                # What a later move is recognised by: the first commit may have come meanwhile.
                seen = replace(
                    seen,
                    remote=projects.remote(identity),
                    inode=_inode(identity),
                    root_commit=project.root_commit or _root_commit(identity),
                )
            self._save(seen)
            return seen
        newcomer = self._described(identity, now)
        known = self._recognised(newcomer, identity, join_clones=join_clones)
        if known:
            return self._moved(known, newcomer, identity)
        with self._state.transaction():
            self._add(newcomer, identity)
        self.publish()
        return newcomer

    def all(self) -> list[Project]:
        """Return every project, the last seen first."""
        return [_project(row) for row in self._state.rows("projects")]

    def named(self, name: str) -> Project:
        """Return the project whose folder name is exactly *name*."""
        row = self._state.row("project", name)
        if not row:
            raise ProjectError(f"no project called {name}", hint="`recollect projects` lists them.")
        return _project(row)

    def find(self, text: str) -> Project:
        """Return the project that *text* means: a name, a label, a path, or a beginning of one."""
        everyone = self.all()
        exact = [p for p in everyone if text in (p.name, p.label)]
        if not exact and os.path.isdir(text):
            here = self.at(text)
            exact = [here] if here else []
        found = exact or [
            p for p in everyone if p.name.startswith(text) or p.label.startswith(text)
        ]
        if len(found) == 1:
            return found[0]
        if not found:
            raise ProjectError(f"no project called {text}", hint="`recollect projects` lists them.")
        names = ", ".join(p.name for p in found)
        raise ProjectError(f"{text} means several projects: {names}", hint="Use a whole name.")

    def identities(self, project: Project) -> list[str]:
        """Return every path that stands for *project*."""
        return [str(identity) for (identity,) in self._state.rows("aliases_of", project.name)]

    def clones(self, project: Project) -> list[Project]:
        """Return other projects that say they are the same repository."""
        if not project.remote and not project.root_commit:
            return []
        return [
            other
            for other in self.all()
            if other.name != project.name
            and (
                (project.remote and other.remote == project.remote)
                or (project.root_commit and other.root_commit == project.root_commit)
            )
        ]

    def rename(self, project: Project, label: str) -> Project:
        """Call *project* by another label; its folder keeps its name."""
        label = " ".join(label.split())
        if not label:
            raise ProjectError("a project needs a name that is not empty")
        renamed = replace(project, label=label[:80])
        self._save(renamed)
        return renamed

    def exclude(self, project: Project, *, excluded: bool) -> Project:
        """Keep nothing of *project* from now on and show nothing of it, or do so again."""
        changed = replace(project, excluded=excluded)
        self._save(changed)
        self.publish()
        return changed

    def join(self, project: Project, *, into: Project) -> None:
        """Let *into* stand for everything that stood for *project*."""
        with self._state.transaction():
            self._state.run("move_aliases", **{"from": project.name, "into": into.name})
            self._state.run("move_sessions", **{"from": project.name, "into": into.name})
            self._state.run("remove_project", project.name)
        self.publish()

    def split(self, project: Project, identity: str, *, now: float) -> Project:
        """Give the path *identity* a project of its own."""
        if identity not in self.identities(project):
            raise ProjectError(
                f"{identity} does not belong to {project.name}",
                hint="`recollect projects --json` lists the paths of each.",
            )
        if len(self.identities(project)) == 1:
            raise ProjectError(f"{identity} is the only path of {project.name}: nothing to split")
        fresh = self._described(identity, now)
        with self._state.transaction():
            self._add(fresh, identity)
        self.publish()
        return fresh

    def publish(self) -> None:
        """Write the list from which a hook learns whose memory to ask."""
        lines = [
            f"{identity}\t{'' if excluded else project}\n"
            for identity, project, excluded in self._state.rows("aliases")
            if not set("\t\n") & set(identity)
        ]
        target = Path(paths.places(self._home))
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        unfinished.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
        unfinished.chmod(0o600)
        unfinished.rename(target)

    def _main_identities(self, project: Project) -> tuple[str, str]:
        return project.root, os.path.join(project.root, ".git")

    def _recognised(self, newcomer: Project, identity: str, *, join_clones: bool) -> Project | None:
        for known in self.all():
            if _became_a_repository(known, identity) or _moved_here(known, newcomer):
                return known
        clones = self.clones(newcomer) if join_clones else []
        return clones[0] if clones else None

    def _moved(self, known: Project, newcomer: Project, identity: str) -> Project:
        gone = not os.path.exists(known.root)
        same_place = known.root == newcomer.root
        project = replace(
            known,
            root=newcomer.root if gone else known.root,
            inode=newcomer.inode if gone or same_place else known.inode,
            root_commit=known.root_commit or newcomer.root_commit,
            remote=known.remote or newcomer.remote,
            last_seen=newcomer.last_seen,
        )
        with self._state.transaction():
            for old in self._main_identities(known) if gone else ():
                # Whatever is put there next is something else.
                self._state.run("remove_alias", old)
            self._state.run("set_alias", identity=identity, project=known.name)
            self._save(project)
        self.publish()
        return project

    def _described(self, identity: str, now: float) -> Project:
        """Return what *identity* would be as a project of its own, under a name that is free."""
        fresh = _described(identity, now)
        taken = any(other.name == fresh.name for other in self.all())
        return replace(fresh, name=f"{fresh.name}-{int(now)}") if taken else fresh

    def _add(self, project: Project, identity: str) -> None:
        self._state.run("add_project", **asdict(project))
        self._state.run("set_alias", identity=identity, project=project.name)

    def _save(self, project: Project) -> None:
        self._state.run("update_project", **asdict(project))


def _became_a_repository(known: Project, identity: str) -> bool:
    """Tell whether `git init` was run in the folder that *known* stands for."""
    return identity == os.path.join(known.root, ".git")


def _moved_here(known: Project, newcomer: Project) -> bool:
    """Tell whether *newcomer* is the folder of *known* under another path.

    An inode alone may be used again after a deletion, so more must agree: the first commit of
    a repository; half of the path of a plain folder.
    """
    if os.path.exists(known.root) or not known.inode or known.inode != newcomer.inode:
        return False
    if known.root_commit or newcomer.root_commit:
        return known.root_commit == newcomer.root_commit
    return os.path.basename(known.root) == os.path.basename(newcomer.root) or os.path.dirname(
        known.root
    ) == os.path.dirname(newcomer.root)


def _described(identity: str, now: float) -> Project:
    root = projects.root(identity)
    return Project(
        name=folder_name(identity),
        label=os.path.basename(root) or root,
        root=root,
        root_commit=_root_commit(identity),
        remote=projects.remote(identity),
        inode=_inode(identity),
        first_seen=now,
        last_seen=now,
    )


def folder_name(identity: str) -> str:
    """Return the name of the folder that keeps the memory of *identity*.

    >>> folder_name("/home/ada/engine/.git")
    'engine-1bc0ffc4'
    """
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogateescape"), digest_size=4)
    base = os.path.basename(projects.root(identity))
    ascii_base = unicodedata.normalize("NFKD", base).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_base.lower()).strip("-")[:40]
    return f"{slug or 'project'}-{digest.hexdigest()}"


def _inode(identity: str) -> str:
    try:
        found = os.stat(identity)
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"


def _root_commit(identity: str) -> str:
    """Return the first commit of the repository; empty if there is none or git takes too long."""
    if not os.path.exists(os.path.join(identity, "HEAD")):
        return ""
    try:
        found = subprocess.run(
            ["git", "--git-dir", identity, "rev-list", "--max-parents=0", "HEAD"],
            capture_output=True,
            text=True,
            timeout=GIT_SECONDS,
            check=False,
            env={"PATH": os.environ.get("PATH", ""), "GIT_OPTIONAL_LOCKS": "0"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = found.stdout.split()
    return lines[-1] if found.returncode == 0 and lines else ""


def _project(row: Row) -> Project:
    *values, excluded = row
    names = "name label root root_commit remote inode first_seen last_seen".split()
    return Project(**dict(zip(names, values, strict=True)), excluded=bool(excluded))
