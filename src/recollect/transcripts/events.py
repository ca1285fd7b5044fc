"""Hook payloads: what a host tells us while it works.

An event is read once, by the worker. A payload over a megabyte reaches us as a stub, its first
part alone; the transcript has the whole.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from recollect.errors import TranscriptError
from recollect.transcripts import loose_json, shorten
from recollect.transcripts.claude_lines import HOST, texts_of
from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.turns import ToolCall

_TOOL_EVENTS = ("PostToolUse", "PostToolUseFailure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One hook call; a field that this kind of event does not have is empty."""

    name: str
    host: str
    session: str
    at: datetime
    prompt_id: str = ""
    cwd: str = ""
    transcript: str = ""
    """Path of the host's log, which may not exist."""
    prompt: str = ""
    tool: ToolCall | None = None
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
    name = name or text_of(payload, "hook_event_name")
    return Event(
        name=name,
        host=host,
        session=session,
        at=at,
        prompt_id=text_of(payload, "prompt_id"),
        cwd=text_of(payload, "cwd"),
        transcript=text_of(payload, "transcript_path"),
        prompt=text_of(payload, "prompt"),
        tool=_tool(payload) if name in _TOOL_EVENTS else None,
        answer=text_of(payload, "last_assistant_message"),
        agent_id=text_of(payload, "agent_id"),
        agent_type=text_of(payload, "agent_type"),
        source=text_of(payload, "source"),
        reason=text_of(payload, "reason"),
        trigger=text_of(payload, "trigger"),
        stop_hook_active=payload.get("stop_hook_active") is True,
    )


def _tool(payload: Object) -> ToolCall | None:
    """The tool call; None without an id, because it could be counted twice."""
    tool_use_id = text_of(payload, "tool_use_id")
    if not tool_use_id:
        return None
    error = text_of(payload, "error")
    return ToolCall(
        id=tool_use_id,
        name=text_of(payload, "tool_name"),
        input=object_of(payload, "tool_input"),
        output=shorten.output(error or _response(payload.get("tool_response"))),
        failed=bool(error),
        agent=text_of(payload, "agent_id"),
    )


def _response(response: object) -> str:
    """What a tool answered, as near to what the model saw as its shape allows."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return "\n".join(texts_of(response))
    return _structured(response) if isinstance(response, dict) else ""


def _structured(response: Object) -> str:
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
