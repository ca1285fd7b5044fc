"""Redact a turn: nothing of it is kept, indexed or sent before it has been here."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatch

from recollect.privacy.exclusions import is_excluded
from recollect.privacy.redact import Redactor
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
    """Return *turn* without secrets, private blocks, and calls that are *excluded*.

    A secret that one text of the turn gives away is replaced in all: the file that was read says
    `password=…`, and the command behind it has the bare word.
    """
    redactor = Redactor()
    calls = tuple(_cleaned_call(call, redactor) for call in turn.tools if not excluded.cover(call))
    once = replace(
        turn,
        prompt=redactor.clean(turn.prompt),
        answer=redactor.clean(turn.answer),
        remarks=tuple(map(redactor.clean, turn.remarks)),
        tools=calls,
    )
    again = redactor.clean_again
    return CleanTurn(
        replace(
            once,
            prompt=again(once.prompt),
            answer=again(once.answer),
            remarks=tuple(map(again, once.remarks)),
            tools=tuple(_with_texts(call, again) for call in calls),
        )
    )


def cleaned_event(event: Event, excluded: Exclusions) -> Event:
    """Return *event* without secrets and private blocks; a call that is *excluded* is left out."""
    redactor = Redactor()
    tools = (_cleaned_call(call, redactor) for call in event.tools if not excluded.cover(call))
    short = tuple(replace(call, output=shorten(call.output, DRAFT_OUTPUT)) for call in tools)
    prompt, answer = redactor.clean(event.prompt).strip(), redactor.clean(event.answer)
    return replace(event, prompt=prompt, answer=answer, tools=short)


def _cleaned_call(call: ToolCall, redactor: Redactor) -> ToolCall:
    try:
        given = _cleaned_value(call.input, redactor)
    except RecursionError:  # What cannot be looked through is not kept.
        given = {}
    assert isinstance(given, dict), "an object stays an object"
    return replace(call, input=given, output="" if is_own(call) else redactor.clean(call.output))


def _cleaned_value(value: object, redactor: Redactor, *, name: str = "") -> object:
    if isinstance(value, str):
        return redactor.clean(value, name=name)
    if isinstance(value, Mapping):
        return {key: _cleaned_value(inner, redactor, name=str(key)) for key, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned_value(inner, redactor, name=name) for inner in value]
    return value


def _with_texts(call: ToolCall, change: Callable[[str], str]) -> ToolCall:
    given = _with_texts_in(call.input, change)
    assert isinstance(given, dict), "an object stays an object"
    return replace(call, input=given, output=change(call.output))


def _with_texts_in(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _with_texts_in(inner, change) for key, inner in value.items()}
    return [_with_texts_in(inner, change) for inner in value] if isinstance(value, list) else value


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
