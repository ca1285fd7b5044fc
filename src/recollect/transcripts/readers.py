"""Which log is read how: one reader per host that keeps one."""

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from recollect.transcripts import (
    claude_code,
    claude_lines,
    codex,
    codex_lines,
    gemini,
    gemini_lines,
)
from recollect.transcripts.readings import Reading

# So far into a file a log has told whose it is.
_HEAD = 1_000


class Read(Protocol):
    """Returns the turns of the log at *path* that begin at or after the byte *offset*."""

    def __call__(self, path: Path, *, offset: int = 0) -> Reading:
        """Read. Raises `TranscriptError` if that cannot be done."""


READERS: dict[str, Read] = {
    claude_lines.HOST: claude_code.read,
    codex_lines.HOST: codex.read,
    gemini_lines.HOST: gemini.read,
}
"""By host; the events of any other tell all that is known of its turns."""


def of_file(path: Path) -> Read:
    """Return the reader of a file that somebody names, by how it begins."""
    head = _head(path)
    if codex.MARK in head or path.name.startswith("rollout-"):
        return codex.read
    return gemini.read if gemini.MARK in head else claude_code.read


def is_document(path: Path) -> bool:
    """Tell whether *path* is a log of an earlier Gemini CLI: one JSON document."""
    return path.suffix == ".json" and gemini.MARK in _head(path)


def is_log(path: Path) -> bool:
    """Tell whether *path* is named like a log that has turns: a subagent's has none of its own."""
    is_agents = "subagents" in path.parts or path.parent.parent.name == gemini.FOLDER
    is_early = path.parent.name == gemini.FOLDER and path.match("session-*.json")
    return (path.suffix == ".jsonl" or is_early) and not is_agents


def _head(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_HEAD)
    return b""
