"""A turn: one user prompt up to the final answer, with the tool calls between.

This is the shape every host's log and every hook payload is read into. The texts are
raw until `intake` has redacted them; `CleanTurn` marks a turn that has been.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NewType, Self

# Where tools name files.
_PATHS = {"file_path", "moved_from"}
# Tools that look at folders or many files; what another one calls a path may be no file's.
_LOOKING = ("Glob", "Grep", "LS", "read_many_files")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One use of a tool and what came of it."""

    id: str
    name: str
    input: Mapping[str, object] = field(default_factory=dict)
    output: str = ""
    failed: bool = False
    agent: str = ""
    """The subagent that made the call; empty for the main thread."""

    def placed(self, folder: str) -> Self:
        """Return the call with whole paths: it may name a file as seen from its *folder*.

        >>> ToolCall(id="1", name="Read", input={"file_path": "a.py"}).placed("/srv").input
        {'file_path': '/srv/a.py'}
        """
        fields = _PATHS | ({"path", "paths"} if self.name in _LOOKING else set())
        named = {key: self.input[key] for key in fields & self.input.keys()}
        whole = {key: _placed(path, folder) for key, path in named.items() if folder and path}
        return replace(self, input={**self.input, **whole}) if whole else self


def _placed(path: object, folder: str) -> object:
    if isinstance(path, list):
        return [_placed(one, folder) for one in path]
    return os.path.normpath(os.path.join(folder, path)) if isinstance(path, str) else path


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens the host itself spent on the turn, each message counted once."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user prompt, what was done about it, and the answer."""

    host: str
    session: str
    key: str
    """The host's prompt id; the id of the user's line where an older client has none."""
    line: str = ""
    """The id of the user's line. A fork copies it, but gives every prompt a new id."""
    prompt: str
    answer: str = ""
    """What the agent said last: the text after its last tool call."""
    remarks: tuple[str, ...] = ()
    """What the agent said between tool calls, in order."""
    tools: tuple[ToolCall, ...] = ()
    started: datetime
    ended: datetime
    branch: str = ""
    cwd: str = ""
    interrupted: bool = False
    finished: bool = False
    """True when the host said so (an end-of-turn event), or a later turn follows."""
    usage: TokenUsage = TokenUsage()

    def placed(self, folder: str) -> Self:
        """Return the turn as one that happened in *folder*."""
        return replace(self, cwd=folder, tools=tuple(call.placed(folder) for call in self.tools))


CleanTurn = NewType("CleanTurn", Turn)
"""A turn whose texts were redacted; only such a turn is kept, indexed or sent."""
