"""Which log is read how: one reader per host, found in this package by its `READER`."""

from contextlib import suppress
from functools import cache
from pathlib import Path

from recollect import discovery, transcripts
from recollect.transcripts.readings import HostReader, Read

USUAL = "claude-code"
"""The host whose log is what nobody recognises, as far as it is one."""

# So far into a file a log has shown whose it is.
_HEAD = 1_000


@cache
def known() -> dict[str, HostReader]:
    """Return every reader by its host."""
    readers: list[HostReader] = discovery.found_in(transcripts, "READER")
    return {reader.host: reader for reader in readers}


def of_host(host: str) -> HostReader:
    """Return how *host* is read; one that keeps no log we know speaks as Claude Code does."""
    return known().get(host) or HostReader(host=host, read=known()[USUAL].read, is_followed=False)


def recognised(path: Path) -> HostReader | None:
    """Return the reader that knows the file at *path*, by its name or by how it begins."""
    head = _head(path)
    for reader in known().values():
        is_named = reader.file_names and path.name.startswith(reader.file_names)
        if is_named or (reader.mark and reader.mark.search(head)):
            return reader
    return None


def of_file(path: Path) -> Read:
    """Return what reads a file that somebody names."""
    return (recognised(path) or known()[USUAL]).read


def is_document(path: Path) -> bool:
    """Tell whether *path* is one JSON document: an export, or a log of an early Gemini CLI."""
    reader = recognised(path) if path.suffix == ".json" and path.is_file() else None
    return reader is not None and reader.is_document


def is_log(path: Path) -> bool:
    """Tell whether *path* is a log that has turns: a subagent's has none of its own."""
    head = _head(path)
    marks = (reader.of_subagents for reader in known().values())
    is_agents = "subagents" in path.parts or any(mark and mark.search(head) for mark in marks)
    return not is_agents and (path.suffix == ".jsonl" or is_document(path))


def _head(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_HEAD)
    return b""
