"""Whose memory is it? The git common dir, so that worktrees share; else the folder itself.

Part of the hot path: it reads two small files and starts no process. What it returns is an
*identity*, an absolute path; `state.registry` knows which project an identity belongs to.

A `.git` file is believed only if the repository it points to points back, and a `.git` link is
not followed. Otherwise an unpacked archive could name any repository on this machine and be
handed its memory.
"""

import os


def identity(folder: str) -> str:
    """Return the path that stands for the project *folder* is in.

    The git common dir if there is one, else the folder itself; symlinks resolved.
    """
    levels = _upwards(folder)
    return next(filter(None, map(_common_dir, levels)), levels[0])


def root(identity: str) -> str:
    """Return the folder a person would call the project: the one that holds `.git`."""
    return os.path.dirname(identity) if os.path.basename(identity) == ".git" else identity


def top(folder: str) -> str:
    """Return the top of the work tree that *folder* is in; outside of any, *folder* itself."""
    levels = _upwards(folder)
    return next(filter(_git_dir, levels), levels[0])


def inode(identity: str) -> str:
    """Return the inode of *identity* in digits; empty if it is not there."""
    try:
        return str(os.stat(identity).st_ino)
    except OSError:
        return ""


def known(places: str, identity: str) -> str | None:
    """Return the project that the list *places* gives for *identity*; None if it has none.

    An excluded project has an empty name. Where another folder stands now than when the list
    was written, nothing is known.
    """
    try:
        with open(places, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                path, _, rest = line.rstrip("\n").partition("\t")
                if path == identity:
                    project, _, number = rest.partition("\t")
                    return project if number in ("", inode(identity)) else None
    except OSError:
        pass
    return None


def head(identity: str, folder: str = "") -> tuple[str, str]:
    """Return the branch and the commit that are checked out, either empty if unknown.

    *folder* tells which worktree is meant; without it the main one.
    """
    git_dirs = map(_git_dir, _upwards(folder)) if folder else ()
    git_dir = next(filter(None, git_dirs), identity)
    pointer = _read(os.path.join(git_dir, "HEAD")).partition("\n")[0]
    if not pointer.startswith("ref: "):
        return "", pointer[:40]
    name = pointer[len("ref: ") :]
    if not name.startswith("refs/") or ".." in name:  # No ref; it would read some other file.
        return "", ""
    commit = _read(os.path.join(identity, name)) or _packed(identity, name)
    return name.removeprefix("refs/heads/"), commit[:40]


def remote(identity: str) -> str:
    """Return the normalised address of `origin` (or the first remote); empty without one."""
    found = ""
    for section, key, value in _settings(os.path.join(identity, "config")):
        if section.startswith('[remote "') and key == "url":
            if section == '[remote "origin"]':
                return normalised(value)
            found = found or normalised(value)
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


def _upwards(folder: str) -> list[str]:
    """Return *folder*, symlinks resolved, and every folder it is in."""
    levels = [os.path.realpath(folder)]
    while levels[-1] != os.path.dirname(levels[-1]):
        levels.append(os.path.dirname(levels[-1]))
    return levels


def _common_dir(folder: str) -> str:
    git_dir = _git_dir(folder)
    if not git_dir or git_dir == os.path.join(folder, ".git"):
        return git_dir
    if not _read(os.path.join(git_dir, "gitdir")):
        return git_dir
    # What a linked worktree says of its common dir is not asked: it lives inside of it.
    worktrees = os.path.dirname(git_dir)
    return os.path.dirname(worktrees) if os.path.basename(worktrees) == "worktrees" else git_dir


def _git_dir(folder: str) -> str:
    """Return the git dir of the work tree whose top is *folder*; empty if it is none."""
    dot_git = os.path.join(folder, ".git")
    if os.path.isdir(dot_git):
        # An empty `.git` folder makes no repository, and would hide the real one above.
        return dot_git if os.path.exists(dot_git + "/HEAD") else ""
    pointer = _read(dot_git)
    if not pointer.startswith("gitdir: "):
        return ""
    git_dir = os.path.realpath(os.path.join(folder, pointer[len("gitdir: ") :]))
    return git_dir if _points_back(git_dir, folder) else ""


def _points_back(git_dir: str, folder: str) -> bool:
    back = _read(os.path.join(git_dir, "gitdir"))
    if back:  # A linked worktree: its record names this very `.git` file.
        return os.path.realpath(os.path.join(git_dir, back)) == os.path.join(folder, ".git")
    for name in ("config", "config.worktree"):  # A submodule: its settings name this folder.
        for section, key, value in _settings(os.path.join(git_dir, name)):
            if (section, key) == ("[core]", "worktree"):
                return os.path.realpath(os.path.join(git_dir, value)) == folder
    return False


def _settings(path: str) -> list[tuple[str, str, str]]:
    """Return section, key and value of each setting in the git config at *path*."""
    section = ""
    found = []
    for line in map(str.strip, _read(path).splitlines()):
        if line.startswith("["):
            section = line
        else:
            key, _, value = line.partition("=")
            found.append((section, key.strip().lower(), value.strip()))
    return found


def _packed(identity: str, name: str) -> str:
    for line in _read(os.path.join(identity, "packed-refs")).splitlines():
        commit, _, ref = line.partition(" ")
        if ref == name:
            return commit
    return ""


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", opener=_at_once) as file:
            return file.read(1 << 20).strip()
    except (OSError, ValueError):
        return ""


def _at_once(path: str, flags: int) -> int:
    """Open *path* without waiting: an unpacked archive may hold a pipe that nobody writes to."""
    return os.open(path, flags | os.O_NONBLOCK)
