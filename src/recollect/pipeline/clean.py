"""Redact a turn: nothing of it is kept, indexed or sent before it has been here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from recollect.privacy.exclusions import is_excluded
from recollect.privacy.redact import clean
from recollect.transcripts.events import Event
from recollect.transcripts.shorten import shorten
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

# A draft is written anew with each call of its turn, so it must stay small.
DRAFT_OUTPUT = 4_000

# What we said ourselves, asked by a tool or a command: memory never feeds on itself.
_OWN_TOOL = re.compile(
    r"(?:^|_)recollect_+(?:search|expand|transcript|recent|remember|revise|forget)$"
)
# Where a command begins: `recollect`, by whatever path, or `python -m recollect`.
_OWN_COMMAND = re.compile(
    r"(?:^|[;&|(`]|\$\()\s*(?:\w+=\S*\s+)*+"
    r"(?:[\"']?(?:[^\s\"']*/)?recollect[\"']?|[\"']?\S*python[\d.]*[\"']?\s.*?-m\s+recollect)(?=\s)",
    re.MULTILINE,
)

# Where tools name the file they work on.
PATH_FIELDS = ("file_path", "path", "paths", "notebook_path", "moved_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusions:
    """What is never kept: patterns for names of tools, and for paths."""

    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    def cover(self, call: ToolCall) -> bool:
        """Tell whether *call* is not to be kept."""
        by_name = any(fnmatch(call.name, pattern) for pattern in self.tools)
        given = [call.input.get(field) for field in PATH_FIELDS]
        named = [path for one in given for path in (one if isinstance(one, list) else [one])]
        return by_name or any(is_excluded(p, self.paths) for p in named if isinstance(p, str))


def cleaned(turn: Turn, excluded: Exclusions) -> CleanTurn:
    """Return *turn* without secrets, private blocks, and calls that are *excluded*."""
    tools = tuple(_cleaned_call(call) for call in turn.tools if not excluded.cover(call))
    return CleanTurn(
        replace(
            turn,
            prompt=clean(turn.prompt),
            answer=clean(turn.answer),
            remarks=tuple(map(clean, turn.remarks)),
            tools=tools,
        )
    )


def cleaned_event(event: Event, excluded: Exclusions) -> Event:
    """Return *event* without secrets and private blocks; a call that is *excluded* is left out."""
    tools = tuple(_cleaned_call(call) for call in event.tools if not excluded.cover(call))
    tools = tuple(replace(call, output=shorten(call.output, DRAFT_OUTPUT)) for call in tools)
    prompt = clean(event.prompt).strip()
    return replace(event, prompt=prompt, answer=clean(event.answer), tools=tools)


def _cleaned_call(call: ToolCall) -> ToolCall:
    try:
        given = _cleaned_value(call.input)
    except RecursionError:  # What cannot be looked through is not kept.
        given = {}
    assert isinstance(given, dict), "an object stays an object"
    return replace(call, input=given, output="" if is_own(call) else clean(call.output))


def is_own(call: ToolCall) -> bool:
    """Tell whether *call* asked us, so that its output is what was remembered before.

    >>> is_own(ToolCall(id="1", name="mcp__plugin_recollect_recollect__search"))
    True
    >>> is_own(ToolCall(id="1", name="Bash", input={"command": "recollect search -- 'tea'"}))
    True
    >>> is_own(ToolCall(id="1", name="Bash", input={"command": "git commit -m 'recollect search'"}))
    False
    """
    command = call.input.get("command")
    if isinstance(command, str):
        return bool(_OWN_COMMAND.search(command))
    return bool(_OWN_TOOL.search(call.name)) or "recollect" in str(call.input.get("server", ""))


def _cleaned_field(key: str, value: object) -> object:
    """Return *value* cleaned; under a key such as `password` its whole text is a secret."""
    if isinstance(value, str) and value and clean(f'{key}="{value}"') != f'{key}="{value}"':
        alone = clean(value)
        return alone if alone != value else "[redacted]"
    return _cleaned_value(value)


def _cleaned_value(value: object) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {key: _cleaned_field(str(key), inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned_value(inner) for inner in value]
    return value
