"""Which log is read how: one reader per host that keeps one."""

from pathlib import Path
from typing import Protocol

from recollect.transcripts import claude_code, claude_lines, codex, codex_lines
from recollect.transcripts.readings import Reading


class Read(Protocol):
    """Returns the turns of the log at *path* that begin at or after the byte *offset*."""

    def __call__(self, path: Path, *, offset: int = 0) -> Reading:
        """Read. Raises `TranscriptError` if that cannot be done."""


READERS: dict[str, Read] = {claude_lines.HOST: claude_code.read, codex_lines.HOST: codex.read}
"""By host; the events of any other tell all that is known of its turns."""


def of_file(path: Path) -> Read:
    """Return the reader of a file that somebody names, by the name it has."""
    return codex.read if path.name.startswith("rollout-") else claude_code.read
