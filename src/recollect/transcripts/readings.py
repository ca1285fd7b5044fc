"""Reading a host's log that grows while the session runs: what was found, and how far."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from recollect.errors import TranscriptError
from recollect.transcripts import loose_json
from recollect.transcripts.loose_json import Object
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn

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


class Read(Protocol):
    """Returns the turns of the log at *path* that begin at or after the byte *offset*."""

    def __call__(self, path: Path, *, offset: int = 0) -> Reading:
        """Read. Raises `TranscriptError` if that cannot be done."""


def _as_it_is(payload: Object) -> Object:
    return payload


def _whole(call: ToolCall) -> tuple[ToolCall, ...]:
    return (call,)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostReader:
    """How the turns of one *host* are read, from its log and from its events."""

    host: str
    read: Read
    mark: re.Pattern[bytes] | None = None
    """What only a log of this host has near its beginning."""
    logs: str = ""
    """Whose logs they are and where they are, for people."""
    file_names: str = ""
    """How the names of its logs begin, if no other host's do."""
    is_document: bool = False
    """True if a log may be one JSON document, a `.json` file."""
    is_followed: bool = True
    """True if the log is written while the session runs."""
    may_tell_less: bool = False
    """True if the log leaves out some of what events reported: an answer, the work of subagents."""
    of_subagents: re.Pattern[bytes] | None = None
    """The same for the log of a subagent, whose work is read with its session's."""
    translate: Callable[[Object], Object] = _as_it_is
    """Gives the fields of an event the names that Claude Code has for them."""
    split: Callable[[ToolCall], tuple[ToolCall, ...]] = _whole
    """Takes a tool call of an event apart, if it changes several files."""
    tools_tell_their_folder: bool = False
    """True if the event of a tool tells where the tool ran, and not where the session is."""


@dataclass(frozen=True, slots=True)
class OpenLog:
    """A log that is being read, from the byte *begin* on; *clock* is when it was last written."""

    file: BinaryIO
    begin: int
    clock: datetime


@contextmanager
def opened(path: Path, offset: int = 0, *, missing: str) -> Iterator[OpenLog]:
    """Open the log at *path* to read it from *offset* on.

    An *offset* behind the end of the file belongs to another file of that name: this one is read
    from its start. Raises `TranscriptError`, with *missing* as a hint if the log is gone.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            begin = offset if offset <= status.st_size else 0
            yield OpenLog(file, begin, datetime.fromtimestamp(status.st_mtime, UTC))
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


@dataclass(slots=True)
class JsonLines:
    """The records of a log of JSON lines; *end* is behind the last complete line that was read.

    Lines like *silent* are the host's and say nothing of a turn. Once a record is known to be the
    host's, only lines like *spoken* are read.
    """

    file: BinaryIO
    is_hosts: Callable[[Object], bool] = bool
    silent: re.Pattern[bytes] | None = None
    spoken: re.Pattern[bytes] | None = None
    end: int = 0
    skipped: int = 0
    is_known: bool = False

    def since(self, start: int) -> Iterator[tuple[int, Object]]:
        """Each record from the byte *start* on, and where its line begins."""
        self.end, self.is_known = start, start > 0
        for at, raw in whole_lines(self.file, start):
            self.end = at + len(raw)
            if self._is_silent(raw):
                continue
            for record in self._records(raw):
                self.is_known = self.is_known or self.is_hosts(record)
                yield at, record

    def first(self) -> list[Object]:
        """The records in the first line, wherever reading goes on."""
        _, raw = next(whole_lines(self.file, 0), (0, b""))
        records = list(self._records(raw))
        self.skipped = 0  # The line counts when it is read in its turn.
        return records

    def whole(self) -> list[Object]:
        """The records of a file that is one JSON document."""
        self.file.seek(0)
        records = list(self._records(self.file.read()))
        self.end = self.file.tell()
        return records

    def rest(self) -> bytes:
        """What stands behind the last complete line."""
        self.file.seek(self.end)
        return self.file.read()

    def _is_silent(self, raw: bytes) -> bool:
        if self.silent and self.silent.match(raw):
            self.is_known = True
            return True
        return self.is_known and self.spoken is not None and not self.spoken.search(raw)

    def _records(self, raw: bytes) -> Iterator[Object]:
        try:
            yield from loose_json.objects(raw)
        except ValueError:
            self.skipped += 1
