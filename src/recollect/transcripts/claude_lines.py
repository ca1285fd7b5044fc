"""One line of a Claude Code transcript, as far as turns need it.

`user` and `assistant` lines count, what a subagent did where only a `progress` line tells it, and
what the user typed while the agent worked; the rest of the file is bookkeeping and copies, nine
tenths of its bytes. Each assistant line holds one block of a message. Thinking is never read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from recollect.transcripts import readings, shorten
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.readings import ToolResult
from recollect.transcripts.turns import TokenUsage, ToolCall

HOST = "claude-code"

# Replies that the client wrote itself, such as "No response requested."
_NO_MODEL = "<synthetic>"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeLine:
    """What one user or assistant line says."""

    is_user: bool
    id: str
    prompt_id: str
    session: str
    agent: str
    parent_call: str
    """The tool call that a subagent works for, where the line tells it."""
    cwd: str
    branch: str
    at: datetime | None
    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    message: str
    usage: TokenUsage
    is_subagents: bool
    """A subagent's line."""
    is_from_client: bool
    """Written by the client and for itself: expansions, summaries, error messages."""
    is_submitted: bool
    """Surely a prompt of its own, not more words to the last one."""
    is_notice: bool
    """A prompt that no person gave."""
    is_aborted: bool


class QueueStep(Enum):
    """What happens to a prompt that the user typed while the agent worked."""

    ADDED = "enqueue"
    TAKEN_BACK = "popAll"
    """The whole queue went back into the user's editor."""
    NEXT = "dequeue"
    """It follows as a prompt of its own, or is given to the agent as `GIVEN`."""
    REMOVED = "remove"
    """It was given to the agent at work; clients before `queued_command` say no more of it."""
    GIVEN = "queued_command"


@dataclass(frozen=True, slots=True)
class QueueChange:
    """A change of the queue of prompts; not every step tells the *text* it is about."""

    step: QueueStep
    text: str
    at: datetime | None


def parse_queued(record: Object) -> QueueChange | None:
    """The change of the prompt queue that *record* is; None for any other line."""
    at = readings.moment(text_of(record, "timestamp"))
    if record.get("type") == "queue-operation":
        try:
            step = QueueStep(record.get("operation"))
        except ValueError:
            return None
        return QueueChange(step, _prompt_text(record.get("content")), at)
    attachment = object_of(record, "attachment")
    is_given = record.get("type") == "attachment" and _is(attachment, QueueStep.GIVEN.value)
    if not is_given or record.get("isSidechain") is True:
        return None
    return QueueChange(QueueStep.GIVEN, _prompt_text(attachment.get("prompt")), at)


def _prompt_text(content: object) -> str:
    """The text of a prompt, which is either a string or a list of blocks."""
    if isinstance(content, str):
        return content.strip()
    return "\n\n".join(texts_of(content)).strip() if isinstance(content, list) else ""


def parse(record: Object) -> ClaudeLine | None:
    """The line that *record* is; None for a line that says nothing of a turn."""
    if record.get("type") == "progress":
        record = _agents_record(record)
    message = record.get("message")
    if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    is_subagents = record.get("isSidechain") is True
    # Before subagents had files and ids of their own they spoke between the lines.
    agent = text_of(record, "agentId") or ("sidechain" if is_subagents else "")
    blocks = list(_blocks(message))
    return ClaudeLine(
        is_user=record["type"] == "user",
        id=text_of(record, "uuid"),
        prompt_id=text_of(record, "promptId"),
        session=text_of(record, "sessionId"),
        agent=agent,
        parent_call=text_of(record, "parentToolUseID"),
        cwd=text_of(record, "cwd"),
        branch=text_of(record, "gitBranch"),
        at=readings.moment(text_of(record, "timestamp")),
        texts=tuple(text for block in blocks if (text := _text(block)).strip()),
        calls=tuple(_call(block, agent=agent) for block in blocks if _is(block, "tool_use")),
        results=tuple(_result(block) for block in blocks if _is(block, "tool_result")),
        message=text_of(message, "id"),
        usage=_usage(object_of(message, "usage")),
        is_subagents=is_subagents,
        is_from_client=_is_from_client(record, message),
        is_submitted=bool(text_of(record, "promptSource")),
        is_notice=_is_notice(record),
        is_aborted=record.get("isAbortedMidStream") is True,
    )


def _agents_record(progress: Object) -> Object:
    """The line of a subagent that *progress* reports.

    Clients of January and February 2026 told this way what subagents did, each message in a line
    of its own. Other reports (output of commands so far, hooks) come again as results, or say
    nothing.
    """
    report = object_of(progress, "data")
    if report.get("type") != "agent_progress":
        return {}
    about = ("sessionId", "cwd", "gitBranch", "timestamp", "parentToolUseID")
    common = {key: progress[key] for key in about if key in progress}
    agent = {"isSidechain": True, "agentId": text_of(report, "agentId")}
    return common | object_of(report, "message") | agent


def texts_of(blocks: list[object]) -> list[str]:
    """The readable text of content *blocks*; what cannot be read is named in brackets."""
    return [text for block in blocks if isinstance(block, dict) if (text := _text(block)).strip()]


def _blocks(message: Object) -> Iterator[Object]:
    content = message.get("content")
    if isinstance(content, str):
        yield {"type": "text", "text": content}
        return
    yield from (block for block in list_of(message, "content") if isinstance(block, dict))


def _is(block: Object, kind: str) -> bool:
    return block.get("type") == kind


def _text(block: Object) -> str:
    if _is(block, "text"):
        return text_of(block, "text")
    return f"[{block['type']}]" if block.get("type") in ("image", "document") else ""


def _call(block: Object, *, agent: str) -> ToolCall:
    return ToolCall(
        id=text_of(block, "id"),
        name=text_of(block, "name"),
        input=object_of(block, "input"),
        agent=agent,
    )


def _result(block: Object) -> ToolResult:
    content = block.get("content")
    text = content if isinstance(content, str) else "\n".join(texts_of(list_of(block, "content")))
    return ToolResult(
        id=text_of(block, "tool_use_id"),
        output=shorten.output(text),
        failed=block.get("is_error") is True,
    )


def _usage(usage: Object) -> TokenUsage:
    """Tokens of one message; what the model read from its cache is not counted again."""
    fresh = count_of(usage, "input_tokens") + count_of(usage, "cache_creation_input_tokens")
    return TokenUsage(input_tokens=fresh, output_tokens=count_of(usage, "output_tokens"))


def _is_from_client(record: Object, message: Object) -> bool:
    flags = ("isMeta", "isCompactSummary", "isApiErrorMessage")
    return any(record.get(flag) is True for flag in flags) or message.get("model") == _NO_MODEL


def _is_notice(record: Object) -> bool:
    return record.get("promptSource") == "system" or record.get("turnOrigin") == "task_notification"
