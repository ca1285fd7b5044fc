"""Whose memory is it? The git common dir, so that worktrees share; else the folder itself.

Part of the hot path: it reads two small files and starts no process. What it returns is an
*identity*, an absolute path; `state.registry` knows which project an identity belongs to.

A `.git` file is believed only if the repository it points to points back. Otherwise an
unpacked archive could name any repository on this machine and be handed its memory.
"""

import os


def identity(folder: str) -> str:
    """Return the path that stands for the project *folder* is in.

    The git common dir if there is one, else the folder itself; symlinks resolved.
    """
    here = os.path.realpath(folder)
    level = here
    while True:
        common = _common_dir(level)
        if common:
            return common
        parent = os.path.dirname(level)
        if parent == level:
            return here
        level = parent


def root(identity: str) -> str:
    """Return the folder a person would call the project: the one that holds `.git`."""
    return os.path.dirname(identity) if os.path.basename(identity) == ".git" else identity


def known(places: str, identity: str) -> str | None:
    """Return the project that the list *places* gives for *identity*; None if it has none.

    An excluded project has an empty name.
    """
    try:
        with open(places, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                path, _, project = line.rstrip("\n").partition("\t")
                if path == identity:
                    return project
    except OSError:
        pass
    return None


def head(identity: str, folder: str = "") -> tuple[str, str]:
    """Return the branch and the commit that are checked out, either empty if unknown.

    *folder* tells which worktree is meant; without it the main one.
    """
    git_dir = _git_dir(os.path.realpath(folder)) if folder else identity
    pointer = _read(os.path.join(git_dir or identity, "HEAD"))
    if not pointer.startswith("ref: "):
        return "", pointer[:40]
    name = pointer[len("ref: ") :]
    commit = _read(os.path.join(identity, name)) or _packed(identity, name)
    return name.removeprefix("refs/heads/"), commit[:40]


def remote(identity: str) -> str:
    """Return the normalised address of `origin` (or the first remote); empty without one."""
    found = ""
    section = ""
    for line in map(str.strip, _read(os.path.join(identity, "config")).splitlines()):
        if line.startswith("["):
            section = line
        elif section.startswith('[remote "') and line.replace(" ", "").startswith("url="):
            address = normalised(line.partition("=")[2].strip())
            if section == '[remote "origin"]':
                return address
            found = found or address
    return found


def normalised(address: str) -> str:
    """Return *address* in one form over ssh and https, without credentials.

    >>> normalised("git@github.com:Ada/Engine.git")
    'github.com/Ada/Engine'
    >>> normalised("https://ada:secret@github.com/Ada/Engine/")
    'github.com/Ada/Engine'
    >>> normalised("ssh://git@host:2222/x.git")
    'host:2222/x'
    """
    _, scheme, rest = address.partition("://")
    if not scheme:
        host, colon, path = address.partition(":")
        if not colon or "/" in host:
            return address.rstrip("/").removesuffix(".git")
        rest = f"{host}/{path.lstrip('/')}"
    host, _, path = rest.partition("/")
    host = host.rpartition("@")[2].lower()
    return f"{host}/{path.rstrip('/').removesuffix('.git')}"


def _common_dir(folder: str) -> str:
    git_dir = _git_dir(folder)
    if not git_dir:
        return ""
    if git_dir == os.path.join(folder, ".git"):
        return git_dir
    shared = _read(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir


def _git_dir(folder: str) -> str:
    """Return the git dir of the work tree whose top is *folder*; empty if it is none."""
    dot_git = os.path.join(folder, ".git")
    if os.path.isdir(dot_git):
        # An empty `.git` folder makes no repository, and would hide the real one above.
        return os.path.realpath(dot_git) if os.path.exists(dot_git + "/HEAD") else ""
    pointer = _read(dot_git)
    if not pointer.startswith("gitdir: "):
        return ""
    git_dir = os.path.realpath(os.path.join(folder, pointer[len("gitdir: ") :]))
    return git_dir if _points_back(git_dir, folder) else ""


def _points_back(git_dir: str, folder: str) -> bool:
    back = _read(os.path.join(git_dir, "gitdir"))
    if back:  # A linked worktree: its record names this very `.git` file.
        return os.path.realpath(back) == os.path.join(folder, ".git")
    modules = folder
    while modules != os.path.dirname(modules):  # A submodule lives inside its parent's `.git`.
        modules = os.path.dirname(modules)
        if git_dir.startswith(os.path.join(modules, ".git", "modules") + "/"):
            return True
    return False


def _packed(identity: str, name: str) -> str:
    for line in _read(os.path.join(identity, "packed-refs")).splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(1 << 20).strip()
    except OSError:
        return ""
