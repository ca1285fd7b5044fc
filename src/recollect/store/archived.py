"""A turn as an archive has it: one line of JSON, tool input and output cut head and tail."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from recollect.transcripts import loose_json, records
from recollect.transcripts.shorten import shorten
from recollect.transcripts.turns import CleanTurn, ToolCall

LONGEST_TOOL_TEXT = 2_000
"""Characters of each tool input and output that an archive holds."""
# In bytes; lines of long turns would fill the memory.
LONGEST_REMEMBERED = 1 << 15


def as_archived(turn: CleanTurn) -> CleanTurn:
    """Return *turn* as it is read once it is archived."""
    return next(iter(turns_in(line_of(turn))), turn)


def line_of(turn: CleanTurn) -> bytes:
    """Return the line that *turn* is archived as."""
    kept = replace(turn, tools=tuple(_shortened(call) for call in turn.tools))
    line = json.dumps(records.of_turn(kept), ensure_ascii=False, separators=(",", ":"))
    return f"{line}\n".encode(errors="replace")


def turns_in(line: bytes) -> Sequence[CleanTurn]:
    """Return the turns in a *line*, as far as this version knows how to read them."""
    return _last_read(line) if len(line) <= LONGEST_REMEMBERED else _read(line)


def _read(line: bytes) -> Sequence[CleanTurn]:
    found = []
    try:
        for record in loose_json.objects(line):
            found.append(CleanTurn(records.turn_of(record)))  # noqa: PERF401 - those before stay
    except ValueError:
        pass  # Written by a version that we do not know; its neighbours are fine.
    return tuple(found)


# The last turns of a session are read again after each of its turns.
_last_read = lru_cache(maxsize=128)(_read)


def _shortened(call: ToolCall) -> ToolCall:
    return replace(
        call,
        input={key: _shorten_texts(value) for key, value in call.input.items()},
        output=shorten(call.output, LONGEST_TOOL_TEXT),
    )


def _shorten_texts(value: object) -> object:
    if isinstance(value, str):
        return shorten(value, LONGEST_TOOL_TEXT)
    if isinstance(value, Mapping):
        return {key: _shorten_texts(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shorten_texts(item) for item in value]
    return value
