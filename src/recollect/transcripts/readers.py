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
    opencode,
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

MAY_TELL_LESS = frozenset({gemini_lines.HOST, opencode.HOST})
"""Hosts whose logs leave out some of what their events told: an answer, the work of subagents."""


def of_file(path: Path) -> Read:
    """Return the reader of a file that somebody names, by how it begins."""
    head = _head(path)
    if codex.MARK in head or path.name.startswith("rollout-"):
        return codex.read
    if opencode.MARK.match(head):
        return opencode.read
    return gemini.read if gemini.MARK in head else claude_code.read


def is_document(path: Path) -> bool:
    """Tell whether *path* is one JSON document: an export, or a log of an early Gemini CLI."""
    is_json = path.suffix == ".json" and path.is_file()
    return is_json and of_file(path) in (gemini.read, opencode.read)


def is_log(path: Path) -> bool:
    """Tell whether *path* is a log that has turns: a subagent's has none of its own."""
    is_agents = "subagents" in path.parts or gemini.AGENTS_MARK in _head(path)
    return not is_agents and (path.suffix == ".jsonl" or is_document(path))


def _head(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_HEAD)
    return b""
