"""What an archived turn did, as names to find it by: files, commands, plans. Pure."""

import re
from collections.abc import Iterator, Mapping

from recollect.transcripts.turns import ToolCall, Turn

LONGEST_COMMAND = 400
LONGEST_DONE = 8_000

# What a tool changed is told by these inputs; what it read is not telling.
_PATHS = ("file_path", "notebook_path", "path")
_CHANGING = re.compile(r"edit|write|patch|create|update|replace|delete|move|rename", re.IGNORECASE)
_SHELL = re.compile(r"bash|shell|exec|command|terminal", re.IGNORECASE)
_PLANS = re.compile(r"todo|task|plan", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def done(turn: Turn) -> str:
    """Return what *turn* did, its names whole and taken apart.

    So `getOrders` is also found by "orders".
    """
    whole = deeds(turn)
    apart = _HUMP.sub(" ", whole)
    return whole if apart == whole else f"{whole}\n{apart}"


def deeds(turn: Turn) -> str:
    """Return the files that *turn* changed, its commands and its plans, each once."""
    lines = dict.fromkeys(line for call in turn.tools for line in _told(call))
    return "\n".join(lines)[:LONGEST_DONE]


def changed_files(turn: Turn) -> tuple[str, ...]:
    """Return the paths of the files that *turn* changed."""
    found = (path for call in turn.tools if _CHANGING.search(call.name) for path in _paths(call))
    return tuple(dict.fromkeys(found))


def _told(call: ToolCall) -> Iterator[str]:
    if _CHANGING.search(call.name):
        for path in _paths(call):
            yield _from_project(path, 4)
    if _SHELL.search(call.name):
        for name in ("command", "description"):
            value = call.input.get(name)
            if isinstance(value, str):
                yield value[:LONGEST_COMMAND]
    elif _PLANS.search(call.name):
        yield from (text[:LONGEST_COMMAND] for text in _texts(call.input))


def _paths(call: ToolCall) -> Iterator[str]:
    for name in _PATHS:
        value = call.input.get(name)
        if isinstance(value, str) and value:
            yield value


def _from_project(path: str, parts: int) -> str:
    """Return the last *parts* of *path*: where the project lies on this disk tells nothing."""
    return "/".join(path.replace("\\", "/").split("/")[-parts:])


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
