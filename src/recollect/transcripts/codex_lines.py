"""One line of a Codex rollout, as far as turns need it.

A rollout tells everything twice: as the model's history (`response_item`), which the client
fills with instructions, summaries and what hooks add, and as what the user saw (`event_msg`).
Words are taken from the second alone, so that nothing that was injected ever becomes a prompt;
of the history only tool calls count. Reasoning is never read.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from recollect.transcripts import codex_calls, readings
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.readings import ToolResult
from recollect.transcripts.turns import TokenUsage, ToolCall

HOST = "codex"


class Mark(Enum):
    """What a line says of its turn as a whole."""

    BEGUN = "begun"
    COMPLETE = "complete"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What the first line of a rollout says of its session."""

    session: str = ""
    cwd: str = ""
    branch: str = ""
    is_agents: bool = False
    """True for the rollout of a subagent, which is part of its parent's session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodexLine:
    """What one line says; a part that it does not have is empty."""

    at: datetime | None
    turn: str = ""
    """The id of the turn it belongs to."""
    root: str = ""
    """The turn of the main thread that a subagent's turn works for."""
    mark: Mark | None = None
    cwd: str = ""
    """Where the turn begins; a line that tells it says nothing else."""
    id: str = ""
    """The id of the user's message."""
    prompt: str = ""
    said: str = ""
    asked: tuple[ToolCall, ...] = ()
    """Calls that the model asked for."""
    done: tuple[ToolCall, ...] = ()
    """Calls that the client has made, with their outcome."""
    result: ToolResult | None = None
    usage: tuple[str, TokenUsage] | None = None
    """What one answer of the model took, by the id of the answer."""
    agents: tuple[str, ...] = ()
    """Subagents that were set to work."""


# What the client puts in the user's place.
_CLIENTS = re.compile(
    r"\s*+(?:<(?:environment_context|user_instructions|turn_aborted|subagent_notification"
    r"|hook_prompt|skill|skills_instructions|permissions instructions|collaboration_mode)[\s>]"
    r"|# AGENTS\.md instructions for )"
)
# An editor puts its open files in front of the user's words.
_EDITORS = re.compile(
    r"\s*+# Context from my IDE setup:.*?\n## My request for Codex:\s*+", re.DOTALL
)
_MARKS = {
    "task_started": Mark.BEGUN,
    "turn_started": Mark.BEGUN,
    "task_complete": Mark.COMPLETE,
    "turn_complete": Mark.COMPLETE,
    "turn_aborted": Mark.ABORTED,
}


def is_rollouts(record: Object) -> bool:
    """True if *record* has the shape of a line in a rollout."""
    return isinstance(record.get("type"), str) and isinstance(record.get("payload"), dict)


def meta(record: Object) -> Meta | None:
    """What *record* says of its session; None if it is not the first line of a rollout."""
    if record.get("type") != "session_meta":
        return None
    payload = object_of(record, "payload")
    of_agent = "subagent" in object_of(payload, "source")
    return Meta(
        session=text_of(payload, "session_id") or text_of(payload, "id"),
        cwd=text_of(payload, "cwd"),
        branch=text_of(object_of(payload, "git"), "branch"),
        is_agents=of_agent or bool(text_of(payload, "parent_thread_id")),
    )


def parse(record: Object) -> CodexLine | None:
    """The line that *record* is; None for what turns are not made of."""
    at = readings.moment(text_of(record, "timestamp"))
    payload = object_of(record, "payload")
    match record.get("type"):
        case "event_msg":
            return _event(at, payload)
        case "response_item":
            return _history(at, payload)
        case "turn_context":
            return CodexLine(at=at, turn=text_of(payload, "turn_id"), cwd=text_of(payload, "cwd"))
        case "token_usage_record":
            return _used(at, payload)
        case _:
            return None


def _event(at: datetime | None, payload: Object) -> CodexLine | None:
    kind, turn = text_of(payload, "type"), text_of(payload, "turn_id")
    if kind == "item_completed":
        return _item(at, turn, object_of(payload, "item"))
    if mark := _MARKS.get(kind):
        return CodexLine(at=at, turn=turn, root=text_of(payload, "root_turn_id"), mark=mark)
    # Before items there were messages, without the id of a turn.
    if kind == "user_message":
        return CodexLine(at=at, turn=turn, prompt=_typed(text_of(payload, "message")))
    if kind == "agent_message":
        return CodexLine(at=at, turn=turn, said=text_of(payload, "message"))
    return None


def _item(at: datetime | None, turn: str, item: Object) -> CodexLine | None:
    match item.get("type"):
        case "UserMessage":
            prompt = _typed("\n\n".join(_texts(item)))
            return CodexLine(at=at, turn=turn, id=text_of(item, "id"), prompt=prompt)
        case "AgentMessage":
            return CodexLine(at=at, turn=turn, said="\n\n".join(_texts(item)))
        case "SubAgentActivity":
            return CodexLine(at=at, turn=turn, agents=(text_of(item, "agent_thread_id"),))
        case "CollabAgentToolCall":
            ids = list_of(item, "receiver_thread_ids")
            return CodexLine(
                at=at, turn=turn, agents=tuple(one for one in ids if isinstance(one, str))
            )
        case _:
            made = codex_calls.done(item)
            return CodexLine(at=at, turn=turn, done=made) if made else None


def _history(at: datetime | None, item: Object) -> CodexLine | None:
    turn = text_of(object_of(item, "internal_chat_message_metadata_passthrough"), "turn_id")
    if item.get("type") in ("function_call_output", "custom_tool_call_output"):
        return CodexLine(at=at, turn=turn, result=codex_calls.result(item))
    asked = codex_calls.asked(item)
    return CodexLine(at=at, turn=turn, asked=asked) if asked else None


def _used(at: datetime | None, payload: Object) -> CodexLine:
    """Tokens of one answer; what the model read from its cache is not counted again."""
    usage = object_of(payload, "usage")
    fresh = max(count_of(usage, "input_tokens") - count_of(usage, "cached_input_tokens"), 0)
    spent = TokenUsage(input_tokens=fresh, output_tokens=count_of(usage, "output_tokens"))
    answer = text_of(payload, "response_id")
    return CodexLine(at=at, turn=text_of(payload, "turn_id"), usage=(answer, spent))


def _typed(text: str) -> str:
    r"""What the user wrote of *text*; nothing if the client did.

    >>> _typed("# Context from my IDE setup:\n\n## My request for Codex:\nMend the tax.\n")
    'Mend the tax.'
    """
    return "" if _CLIENTS.match(text) else _EDITORS.sub("", text, count=1).strip()


def _texts(item: Object) -> list[str]:
    """The readable texts of a message; what cannot be read is named in brackets."""
    parts = [part for part in list_of(item, "content") if isinstance(part, dict)]
    texts = (
        "[image]" if "image" in text_of(part, "type") else text_of(part, "text") for part in parts
    )
    return [text for text in texts if text.strip()]
