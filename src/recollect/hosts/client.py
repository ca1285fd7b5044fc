"""The program `claude`: where it is, and asking it to install a plugin."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

from recollect.hosts import host
from recollect.hosts.host import Installation

# Where its installers put the client; one of them only makes a shell alias.
USUAL_PLACES = ("~/.local/bin/claude", "~/.claude/local/claude")

# It takes half a second; a cold, busy machine takes longer.
PATIENCE_SECONDS = 60


def find() -> Installation | None:
    """Return the client, on the PATH or where its installers put it, with its version."""
    found = host.find("claude", config_folder, *USUAL_PLACES)
    return replace(found, version=_version(found.executable)) if found else None


def where() -> str:
    """Return the path of the client; empty if there is none."""
    found = host.find("claude", config_folder, *USUAL_PLACES)
    return found.executable if found else ""


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
