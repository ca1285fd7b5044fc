"""The program `claude`: where it is, and asking it to install a plugin."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import HostError

# Where its installers put the client; one of them only makes a shell alias.
USUAL_PLACES = ("~/.local/bin/claude", "~/.claude/local/claude")

# It takes half a second; a cold, busy machine takes longer.
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """A host on this machine; *version* is empty if nobody asked, or it does not tell."""

    executable: str
    version: str
    config: Path


def find(name: str = "claude") -> Installation | None:
    """Return the client called *name* on the PATH, or where its installers put it."""
    executable = where(name)
    if not executable:
        return None
    return Installation(executable=executable, version=_version(executable), config=config_folder())


def where(name: str = "claude") -> str:
    """Return the path of the client called *name*; empty if there is none."""
    places = [name, *map(os.path.expanduser, USUAL_PLACES)]
    found = next(filter(None, map(shutil.which, places)), None)
    return os.path.abspath(found) if found else ""


def require() -> Installation:
    """Return the client. Raises `HostError` if there is none, or if we cannot run here."""
    check_platform()
    found = find()
    if not found:
        raise HostError(
            "Claude Code was not found: no `claude` on the PATH",
            hint="Install it (https://code.claude.com), then run: recollect setup",
        )
    return found


def check_platform() -> None:
    """Raise `HostError` if we cannot run here."""
    if sys.platform not in ("linux", "darwin"):
        raise HostError(
            f"Recollect does not run on {sys.platform} yet",
            hint="It runs on Linux and macOS; on Windows, within WSL.",
        )


def config_folder() -> Path:
    """Return the folder of the host's settings: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")


def plugin(found: Installation, folder: str, *commands: tuple[str, ...]) -> str:
    """Run `claude plugin` with each of *commands*; say what went wrong, if anything did.

    It runs in *folder*, so that the settings of no project have a say.
    """
    for command in commands:
        done = _run([found.executable, "plugin", *command], folder)
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            return said[-1].strip() if said else f"exit code {done.returncode}"
    return ""


def _version(executable: str) -> str:
    done = _run([executable, "--version"], "/")
    return "" if done.returncode else done.stdout.partition(" ")[0].strip()


def _run(command: list[str], folder: str) -> subprocess.CompletedProcess[str]:
    """How *command* ended; one that cannot be run or hangs has failed as well."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 1, stdout="", stderr=str(error))
