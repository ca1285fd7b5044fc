"""Read a session of OpenCode, as `opencode export` writes it: one JSON document.

OpenCode keeps its sessions in a database of its own, so live turns are read from events. An export
has the same ids, so what was kept live is known again. A subagent has a session of its own, which
is no turn of the user's.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from recollect.errors import TranscriptError
from recollect.transcripts import codex_calls, loose_json, readings, turn_builder
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.readings import HostReader, JsonLines, OpenLog, Reading
from recollect.transcripts.turn_builder import TurnBuilder, placed
from recollect.transcripts.turns import TokenUsage, ToolCall

HOST = "opencode"

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
    with readings.opened(path, missing="opencode export SESSION > FILE writes one.") as log:
        return _read(log, path)


def _read(log: OpenLog, path: Path) -> Reading:
    raw = log.file.read()
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
    built = [] if text_of(info, "parentID") else _turns(info, messages)
    lines = JsonLines(log.file, end=len(raw))
    return turn_builder.reading(built, host=HOST, session=text_of(info, "id"), lines=lines, begin=0)


def _turns(session: Object, messages: list[Object]) -> list[TurnBuilder]:
    """The turns of the *session*, each a prompt and the *messages* that answer it."""
    begun: list[tuple[str, list[Object]]] = []
    for message in messages:
        info = object_of(message, "info")
        if info.get("role") == "user":
            if prompt := _prompt(message):
                begun.append((prompt, [message]))
        elif begun and info.get("summary") is not True:
            begun[-1][1].append(message)
    return [_turn(session, prompt, messages) for prompt, messages in begun]


def _turn(session: Object, prompt: str, messages: list[Object]) -> TurnBuilder:
    """The turn of *prompt*, which consists of *messages*, the first of them the user's."""
    infos = [object_of(one, "info") for one in messages]
    times = [moment for one in infos for moment in _times(one)]
    times = times or [*_times(session), datetime.fromtimestamp(0, UTC)][:1]
    turn = TurnBuilder(
        key=text_of(infos[0], "id"),
        line=text_of(infos[0], "id"),
        prompt=[prompt],
        session=text_of(session, "id"),
        started=times[0],
        ended=max(times),
        cwd=text_of(session, "directory"),
        must_answer=True,
        is_interrupted=any("error" in one for one in infos[1:][-1:]),
    )
    for place, part in enumerate(part for one in messages[1:] for part in _parts(one)):
        text = text_of(part, "text")
        if part.get("type") == "text" and text.strip() and not part.get("synthetic"):
            turn.hear(text)
        elif part.get("type") == "tool":
            turn.work()
            turn.calls[str(place)] = placed(_calls(part), turn.cwd)
    for place, info in enumerate(infos[1:]):
        turn.usage[str(place)] = _usage(object_of(info, "tokens"))
    turn.is_complete = bool(turn.answer)
    return turn


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


READER = HostReader(
    host=HOST,
    read=read,
    logs="OpenCode (what `opencode export` writes)",
    mark=re.compile(rb'\A\s*+\{\s*+"info":\s*+\{\s*+"id":\s*+"ses_'),
    is_document=True,
    is_followed=False,
    may_tell_less=True,
)
