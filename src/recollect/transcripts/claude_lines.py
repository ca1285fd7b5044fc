"""One line of a Claude Code transcript, as far as turns need it.

Only `user` and `assistant` lines count; the rest of the file is bookkeeping and copies, nine
tenths of its bytes. Each assistant line holds one block of a message. Thinking is never read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from recollect.transcripts import readings, shorten
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.readings import ToolResult
from recollect.transcripts.turns import ToolCall, Usage

HOST = "claude-code"

# Replies that the client wrote itself, such as "No response requested."
_NO_MODEL = "<synthetic>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one user or assistant line says."""

    is_user: bool
    id: str
    prompt_id: str
    session: str
    agent: str
    cwd: str
    branch: str
    at: datetime | None
    texts: tuple[str, ...]
    calls: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    message: str
    usage: Usage
    is_aside: bool
    """A subagent's line."""
    is_hosts: bool
    """Written by the client and for itself: expansions, summaries, error messages."""
    is_submitted: bool
    """Surely a prompt of its own, not more words to the last one."""
    is_notice: bool
    """A prompt that no person gave."""
    is_aborted: bool


def parse(record: Object) -> Line | None:
    """The line that *record* is; None for anything but a user or assistant line."""
    message = record.get("message")
    if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return None
    is_aside = record.get("isSidechain") is True
    # Before subagents had files and ids of their own they spoke between the lines.
    agent = text_of(record, "agentId") or ("sidechain" if is_aside else "")
    blocks = list(_blocks(message))
    return Line(
        is_user=record["type"] == "user",
        id=text_of(record, "uuid"),
        prompt_id=text_of(record, "promptId"),
        session=text_of(record, "sessionId"),
        agent=agent,
        cwd=text_of(record, "cwd"),
        branch=text_of(record, "gitBranch"),
        at=readings.moment(text_of(record, "timestamp")),
        texts=tuple(text for block in blocks if (text := _text(block)).strip()),
        calls=tuple(_call(block, agent=agent) for block in blocks if _is(block, "tool_use")),
        results=tuple(_result(block) for block in blocks if _is(block, "tool_result")),
        message=text_of(message, "id"),
        usage=_usage(object_of(message, "usage")),
        is_aside=is_aside,
        is_hosts=_is_hosts(record, message),
        is_submitted=bool(text_of(record, "promptSource")),
        is_notice=_is_notice(record),
        is_aborted=record.get("isAbortedMidStream") is True,
    )


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


def _usage(usage: Object) -> Usage:
    """Tokens of one message; what the model read from its cache is not counted again."""
    fresh = count_of(usage, "input_tokens") + count_of(usage, "cache_creation_input_tokens")
    return Usage(input_tokens=fresh, output_tokens=count_of(usage, "output_tokens"))


def _is_hosts(record: Object, message: Object) -> bool:
    flags = ("isMeta", "isCompactSummary", "isApiErrorMessage")
    return any(record.get(flag) is True for flag in flags) or message.get("model") == _NO_MODEL


def _is_notice(record: Object) -> bool:
    return record.get("promptSource") == "system" or record.get("turnOrigin") == "task_notification"
