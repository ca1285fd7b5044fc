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
from dataclasses import replace
from pathlib import Path

from recollect import paths, projects
from recollect.errors import ProjectError
from recollect.store.contract.state import Project, StateStore

GIT_SECONDS = 5


class Registry:
    """The projects of one home."""

    def __init__(self, state: StateStore, home: str) -> None:
        self._state = state
        self._home = home

    def at(self, folder: str) -> Project | None:
        """Return the project that *folder* is in, if it is known and still the same."""
        identity = projects.identity(folder)
        found = self._state.projects.of_identity(identity)
        if not found:
            return None
        project = self.named(found)
        return None if self._was_replaced(project, identity) else project

    def meet(self, folder: str, *, now: float, join_clones: bool = False) -> Project:
        """Return the project that *folder* is in, recognised or new; it was seen *now*."""
        identity = projects.identity(folder)
        found = self._state.projects.of_identity(identity)
        if found:
            known = self._seen_again(self.named(found), identity, now)
            if known:
                return known
            self._state.projects.remove_identity(identity)
        newcomer = self._described(identity, now)
        moved = self._recognised(newcomer, identity, join_clones=join_clones)
        if moved:
            return self._moved(moved, newcomer, identity)
        with self._state.transaction():
            self._state.projects.add(newcomer, identity)
        self.publish()
        return newcomer

    def all(self) -> list[Project]:
        """Return every project, the last seen first."""
        return self._state.projects.all()

    def named(self, name: str) -> Project:
        """Return the project whose folder name is exactly *name*."""
        found = self._state.projects.named(name)
        if not found:
            raise ProjectError(f"no project called {name}", hint="`recollect projects` lists them.")
        return found

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
        return self._state.projects.identities(project.name)

    def former(self, project: Project) -> list[Project]:
        """Return what the paths of *project* stood for before it had them."""
        known = {one.name for one in self.all()}
        described = [_described(one, project.last_seen) for one in self.identities(project)]
        return [one for one in described if one.name not in known]

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
            self._state.projects.join(project.name, into=into.name)
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
            self._state.projects.add(fresh, identity)
        self.publish()
        return fresh

    def forget(self, project: Project) -> None:
        """Forget *project*, of which nothing was kept."""
        self._state.projects.remove(project.name)
        self.publish()

    def publish(self) -> None:
        """Write the list from which a hook learns whose memory to ask."""
        lines = [
            f"{identity}\t{'' if excluded else project}\t{self._inode(project, identity)}\n"
            for identity, project, excluded in self._state.projects.places()
            if not set("\t\n") & set(identity)
        ]
        target = Path(paths.places(self._home))
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        unfinished.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")
        unfinished.chmod(0o600)
        unfinished.rename(target)

    def _seen_again(self, project: Project, identity: str, now: float) -> Project | None:
        """Return *project* as it is now; None if another repository stands in its place."""
        seen = replace(
            project,
            first_seen=min(now, project.first_seen),
            last_seen=max(now, project.last_seen),
        )
        if identity in self._main_identities(project):
            birth = _birth(identity)
            # The first commit may have come since we last looked.
            is_old = birth and birth == project.inode and project.root_commit
            first = project.root_commit if is_old else _root_commit(identity)
            if first and project.root_commit and first != project.root_commit:
                return None
            remote = projects.remote(identity)
            root_commit = first or project.root_commit
            seen = replace(seen, remote=remote, inode=birth, root_commit=root_commit)
        self._save(seen)
        if seen.inode != project.inode:
            self.publish()
        return seen

    def _inode(self, name: str, identity: str) -> str:
        project = self.named(name)
        is_main = identity in self._main_identities(project)
        return project.inode.partition(":")[0] if is_main else ""

    def _was_replaced(self, project: Project, identity: str) -> bool:
        """Tell whether something else stands where *project* was when it was last seen."""
        if identity not in self._main_identities(project) or not project.inode:
            return False
        return project.inode.partition(":")[0] != projects.inode(identity)

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
                self._state.projects.remove_identity(old)
            self._state.projects.set_identity(identity, known.name)
            self._save(project)
        self.publish()
        return project

    def _described(self, identity: str, now: float) -> Project:
        """Return what *identity* would be as a project of its own, under a name that is free."""
        fresh = _described(identity, now)
        taken = any(other.name == fresh.name for other in self.all())
        return replace(fresh, name=f"{fresh.name}-{int(now)}") if taken else fresh

    def _save(self, project: Project) -> None:
        self._state.projects.save(project)


def _became_a_repository(known: Project, identity: str) -> bool:
    """Tell whether `git init` was run in the folder that *known* stands for."""
    return not known.root_commit and identity == os.path.join(known.root, ".git")


def _moved_here(known: Project, newcomer: Project) -> bool:
    """Tell whether *newcomer* is the folder of *known* under another path.

    A folder keeps its inode and its birth when it moves; nothing that is made later has both.
    """
    if os.path.exists(known.root) or not known.inode or known.inode != newcomer.inode:
        return False
    both = known.root_commit and newcomer.root_commit
    return not both or known.root_commit == newcomer.root_commit


def _described(identity: str, now: float) -> Project:
    root = projects.root(identity)
    return Project(
        name=folder_name(identity),
        label=os.path.basename(root) or root,
        root=root,
        root_commit=_root_commit(identity),
        remote=projects.remote(identity),
        inode=_birth(identity),
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


def _birth(identity: str) -> str:
    """Return the inode and the time of birth of *identity*; empty if the disk does not tell.

    Python asks for the birth on macOS only, so `stat` does on Linux.
    """
    inode = projects.inode(identity)
    born = ""
    if inode:
        try:
            born = str(getattr(os.stat(identity), "st_birthtime", "")) or _printed(
                ["stat", "--format=%w", "--", identity]
            )
        except OSError:
            born = ""
    # A disk that does not know prints a dash, or the beginning of time.
    return f"{inode}:{born}" if born and not born.startswith(("-", "1970-01-01")) else ""


def _root_commit(identity: str) -> str:
    """Return the first commit of the repository; empty if there is none or git takes too long."""
    if not os.path.exists(os.path.join(identity, "HEAD")):
        return ""
    lines = _printed(["git", "--git-dir", identity, "rev-list", "--max-parents=0", "HEAD"]).split()
    return lines[-1] if lines else ""


def _printed(command: list[str]) -> str:
    """Return what *command* prints; empty if it fails or takes too long.

    A repository may be a stranger's. Its configuration could make git fetch a missing commit
    by a command of its choice, so git may use no transport at all.
    """
    env = {
        "PATH": os.environ.get("PATH", ""),
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=GIT_SECONDS, check=False, env=env
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
