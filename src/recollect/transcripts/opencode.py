"""Read a session of OpenCode, as `opencode export` writes it: one JSON document.

OpenCode keeps its sessions in a database of its own, so live turns are told by events. An export
has the same ids, so what was kept live is known again. A subagent has a session of its own, which
is no turn of the user's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from recollect.errors import TranscriptError
from recollect.transcripts import codex_calls, loose_json, prompts, readings
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.readings import Reading
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn

HOST = "opencode"

# How an export begins, and no other document does.
MARK = re.compile(rb'\s*+\{\s*+"info":\s*+\{\s*+"id":\s*+"ses_')

# The year 9000, in milliseconds: a larger number is no time.
_LAST = 221_845_392_000_000

_TOOLS = {
    "bash": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "task": "Task",
    "webfetch": "WebFetch",
}


def read(path: Path, *, offset: int = 0) -> Reading:  # noqa: ARG001 - an export is read whole
    """The turns of the export at *path*."""
    with readings.opened(path, missing="opencode export SESSION > FILE writes one.") as file:
        raw = file.read()
    try:
        document = next(loose_json.objects(raw), {})
    except ValueError as error:
        raise TranscriptError(
            f"{path}: broken JSON ({error})", hint="Export the session again."
        ) from error
    info = object_of(document, "info")
    if not text_of(info, "id"):
        raise TranscriptError(
            f"{path}: not an export of OpenCode", hint="opencode export SESSION > FILE writes one."
        )
    messages = [one for one in list_of(document, "messages") if isinstance(one, dict)]
    turns = [] if text_of(info, "parentID") else _turns(messages)
    return Reading(
        turns=tuple(
            turn.close(info, is_last=turn is turns[-1])
            for turn in turns
            if not turn.prompt.startswith(prompts.OURS)
        ),
        resume_at=0,
        end=len(raw),
        session=text_of(info, "id"),
        skipped=0,
    )


@dataclass(slots=True)
class _OpenCodeTurn:
    """A prompt, and the messages that answer it."""

    key: str
    prompt: str
    asked: Object
    answers: list[Object] = field(default_factory=list)

    def close(self, info: Object, *, is_last: bool) -> Turn:
        """The turn, in the session that *info* is about; the last one may still have gone on."""
        told = [object_of(one, "info") for one in self.answers]
        said, calls, remarks = _said_and_done(
            [part for one in self.answers for part in _parts(one)]
        )
        times = [moment for one in (self.asked, *told) for moment in _times(one)]
        times = times or [*_times(info), datetime.fromtimestamp(0, UTC)][:1]
        folder = text_of(info, "directory")
        answer = "\n\n".join(said[remarks:])
        return Turn(
            host=HOST,
            session=text_of(info, "id"),
            key=self.key,
            line=self.key,
            prompt=self.prompt,
            answer=answer,
            remarks=tuple(said[:remarks]),
            tools=tuple(call.placed(folder) for call in calls),
            started=times[0],
            ended=max(times),
            cwd=folder,
            interrupted=any("error" in one for one in told[-1:]) or not (answer or is_last),
            finished=bool(answer) or not is_last,
            usage=readings.total(_usage(object_of(one, "tokens")) for one in told),
        )


def _turns(messages: Sequence[Object]) -> list[_OpenCodeTurn]:
    turns: list[_OpenCodeTurn] = []
    for message in messages:
        info = object_of(message, "info")
        if info.get("role") == "user":
            if prompt := _prompt(message):
                turns.append(_OpenCodeTurn(key=text_of(info, "id"), prompt=prompt, asked=info))
        elif turns and info.get("summary") is not True:
            turns[-1].answers.append(message)
    return turns


def _prompt(message: Object) -> str:
    """What the user typed or, without a word, what came instead of one."""
    parts = _parts(message)
    typed = [
        text_of(part, "text")
        for part in parts
        if part.get("type") == "text" and not (part.get("synthetic") or part.get("ignored"))
    ]
    return "\n\n".join(typed) or " ".join(f"[{name}]" for name in map(_name, parts) if name)


def _name(part: Object) -> str:
    """What *part* is called, if it is no text; the plugin goes by the same."""
    names = (text_of(part, key) for key in ("filename", "name", "description"))
    return next(filter(None, names), "")


def _said_and_done(parts: Sequence[Object]) -> tuple[list[str], list[ToolCall], int]:
    """What the agent said, what it did, and how much of the first it said before the last call."""
    said: list[str] = []
    calls: list[ToolCall] = []
    remarks = 0
    for part in parts:
        text = text_of(part, "text")
        if part.get("type") == "text" and text.strip() and not part.get("synthetic"):
            said.append(text)
        elif part.get("type") == "tool":
            calls += _calls(part)
            remarks = len(said)
    return said, calls, remarks


def _calls(part: Object) -> Iterator[ToolCall]:
    """The call in *part*, or one per file that it changed."""
    state, tool, call = object_of(part, "state"), text_of(part, "tool"), text_of(part, "callID")
    given = {_snake(key): value for key, value in object_of(state, "input").items()}
    output = codex_calls.printed(text_of(state, "output") or text_of(state, "error"))
    code = object_of(state, "metadata").get("exit")
    failed = state.get("status") == "error" or (isinstance(code, int) and code != 0)
    made: tuple[ToolCall, ...] = (ToolCall(id=call, name=_TOOLS.get(tool, tool), input=given),)
    if tool == "apply_patch":
        made = codex_calls.patched(call, codex_calls.patch_in(given))
    yield from (replace(one, output=output, failed=failed) for one in made)


def _snake(name: str) -> str:
    """Return *name* as Claude Code spells it.

    >>> _snake("filePath")
    'file_path'
    """
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def _parts(message: Object) -> list[Object]:
    return [part for part in list_of(message, "parts") if isinstance(part, dict)]


def _times(info: Object) -> Iterator[datetime]:
    time = object_of(info, "time")
    for key in ("created", "completed"):
        milliseconds = count_of(time, key)
        if 0 < milliseconds < _LAST:
            yield datetime.fromtimestamp(milliseconds / 1000, UTC)


def _usage(tokens: Object) -> TokenUsage:
    return TokenUsage(
        input_tokens=count_of(tokens, "input"),
        output_tokens=count_of(tokens, "output") + count_of(tokens, "reasoning"),
    )
