"""Hook payloads: what a host tells us while it works.

An event is read once, by the worker. A payload over a megabyte reaches us as a stub, its first
part alone; the transcript has the whole.
"""

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recollect.errors import TranscriptError
from recollect.transcripts import codex_calls, loose_json, readers, readings
from recollect.transcripts.claude_lines import HOST, texts_of
from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.readings import HostReader
from recollect.transcripts.turns import ToolCall

_TOOL_EVENTS = ("PostToolUse", "PostToolUseFailure")

# From a host to us; a time that is further off comes from another clock.
_LONGEST_WAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One hook call; a field that this kind of event does not have is empty."""

    name: str
    host: str
    session: str
    at: datetime
    prompt_id: str = ""
    cwd: str = ""
    """Where the session is; empty if the event tells only where a subagent or a command is."""
    transcript: str = ""
    """Path of the session's log, which may not exist."""
    prompt: str = ""
    tools: tuple[ToolCall, ...] = ()
    """One call, or one per file that it changed."""
    answer: str = ""
    agent_id: str = ""
    agent_type: str = ""
    source: str = ""
    reason: str = ""
    trigger: str = ""
    stop_hook_active: bool = False

    @property
    def is_noise(self) -> bool:
        """True for the end of a subagent without a type: the host summarised its own talk."""
        return self.name == "SubagentStop" and not self.agent_type


def parse(raw: bytes, *, name: str, at: datetime, host: str = HOST) -> Event:
    """The event *name* that arrived *at* some time with *raw* on its standard input."""
    try:
        payload = next(loose_json.objects(raw), None)
    except ValueError as error:
        raise TranscriptError(f"{name} event: broken JSON ({error})") from error
    if payload is None:
        raise TranscriptError(f"{name} event: empty")
    return _event(payload, name=name, at=at, host=host)


def parse_stub(head: bytes, *, name: str, at: datetime, host: str = HOST) -> Event:
    """The event *name* of which only the *head* was kept, with the fields that are whole in it."""
    try:
        payload = loose_json.beginning(head)
    except ValueError as error:
        raise TranscriptError(f"{name} event: broken JSON ({error})") from error
    return _event(payload, name=name, at=at, host=host)


def _event(payload: Object, *, name: str, at: datetime, host: str) -> Event:
    session = text_of(payload, "session_id")
    if not session:
        raise TranscriptError(f"{name} event: no session_id")
    reader = readers.of_host(host)
    payload = reader.translate(payload)
    name = name or text_of(payload, "hook_event_name")
    agent, is_tools = text_of(payload, "agent_id"), name in _TOOL_EVENTS
    is_elsewhere = bool(agent) or (is_tools and reader.tools_tell_their_folder)
    return Event(
        name=name,
        host=host,
        session=session,
        at=_happened(payload, arrived=at),
        prompt_id=text_of(payload, "prompt_id") or text_of(payload, "turn_id"),
        cwd="" if is_elsewhere else text_of(payload, "cwd"),
        transcript="" if agent else text_of(payload, "transcript_path"),
        prompt=text_of(payload, "prompt"),
        tools=_tools(payload, reader) if is_tools else (),
        answer=text_of(payload, "last_assistant_message"),
        agent_id=agent,
        agent_type=text_of(payload, "agent_type"),
        source=text_of(payload, "source"),
        reason=text_of(payload, "reason"),
        trigger=text_of(payload, "trigger"),
        stop_hook_active=payload.get("stop_hook_active") is True,
    )


def in_our_words(payload: Object, *, host: str) -> Object:
    """The fields of an event of *host*, with the names that Claude Code gives them."""
    return readers.of_host(host).translate(payload)


def _happened(payload: Object, *, arrived: datetime) -> datetime:
    """When the host says it happened: reports may overtake each other."""
    stated = readings.moment(text_of(payload, "timestamp"))
    is_likely = stated is not None and timedelta(0) <= arrived - stated < _LONGEST_WAY
    return stated if stated and is_likely else arrived


def _tools(payload: Object, reader: HostReader) -> tuple[ToolCall, ...]:
    """The tool call, in parts if it changed several files.

    None without an id, because it could be counted twice.
    """
    tool_use_id = text_of(payload, "tool_use_id")
    if not tool_use_id:
        return ()
    name, given = text_of(payload, "tool_name"), object_of(payload, "tool_input")
    if name == "apply_patch":
        calls = codex_calls.patched(tool_use_id, codex_calls.patch_in(given))
    else:
        calls = reader.split(ToolCall(id=tool_use_id, name=name, input=given))
    error, response = text_of(payload, "error"), payload.get("tool_response")
    output = codex_calls.printed(error or _response(response))
    failed = bool(error) or _exit_code(response) != 0
    folder, agent = text_of(payload, "cwd"), text_of(payload, "agent_id")
    return tuple(
        replace(call.placed(folder), output=output, failed=failed, agent=agent) for call in calls
    )


def _exit_code(response: object) -> int:
    code = response.get("exit") if isinstance(response, dict) else 0
    return code if isinstance(code, int) else 0


def _response(response: object) -> str:
    """What a tool answered, as near to what the model saw as its shape allows."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(texts_of(response))
    return _structured(response) if isinstance(response, dict) else ""


def _structured(response: Object) -> str:
    if isinstance(printed := response.get("output"), str):
        return printed
    if "stdout" in response:
        streams = (text_of(response, "stdout"), text_of(response, "stderr"))
        return "[image]" if response.get("isImage") is True else "\n".join(filter(None, streams))
    if file := object_of(response, "file"):
        return text_of(file, "content")
    if "filePath" in response:
        return _change(response)
    texts = texts_of(list_of(response, "content"))
    return "\n".join(texts) or json.dumps(response, ensure_ascii=False, separators=(",", ":"))


def _change(response: Object) -> str:
    """A changed file: its path, and the lines that changed if the host tells them."""
    lines = [f"{text_of(response, 'type') or 'update'} {text_of(response, 'filePath')}"]
    for hunk in list_of(response, "structuredPatch"):
        if isinstance(hunk, dict):
            lines.extend(line for line in list_of(hunk, "lines") if isinstance(line, str))
    return "\n".join(lines)
