"""Reading a host's log that grows while the session runs: what was found, and how far."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts.turns import TokenUsage, Turn

# Further off, the time in another zone may be out of the calendar.
_FIRST_YEAR, _LAST_YEAR = 1970, 9000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was found in a transcript from some offset on."""

    turns: tuple[Turn, ...]
    resume_at: int
    """Where the last turn begins: reading from here yields it again, grown; the next turns too."""
    end: int
    """Behind the last complete line."""
    session: str
    skipped: int
    """Lines that could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What the model saw of the tool call *id*."""

    id: str
    output: str
    failed: bool


@contextmanager
def opened(path: Path, *, missing: str) -> Iterator[BinaryIO]:
    """Open the log at *path*. Raises `TranscriptError`, with *missing* as a hint if it is gone."""
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError as error:
        raise TranscriptError(f"{path}: there is no such transcript", hint=missing) from error
    except OSError as error:
        raise TranscriptError(f"{path}: {error.strerror or error}") from error


def moment(text: str) -> datetime | None:
    """The time that *text* tells; None if it tells none that a calendar can work with."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def total(spent: Iterable[TokenUsage]) -> TokenUsage:
    """All that was *spent*."""
    each = tuple(spent)
    return TokenUsage(
        input_tokens=sum(one.input_tokens for one in each),
        output_tokens=sum(one.output_tokens for one in each),
    )


def whole_lines(file: BinaryIO, start: int) -> Iterator[tuple[int, bytes]]:
    """Each complete line of *file* from the byte *start* on, and where it begins.

    A last line that is still being written is left for the next reading.
    """
    file.seek(start)
    at = start
    for line in file:
        if not line.endswith(b"\n"):
            break
        yield at, line
        at += len(line)
