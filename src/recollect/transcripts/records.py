"""Turns as JSON and back; reading takes what it knows and gives the rest its default."""

from dataclasses import asdict
from datetime import UTC, datetime

from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn


def of_turn(turn: Turn) -> Object:
    """*turn* as `turn_of` reads it."""
    record: Object = asdict(turn)
    record["started"] = turn.started.isoformat()
    record["ended"] = turn.ended.isoformat()
    return record


def turn_of(record: Object) -> Turn:
    """The turn in *record*; raises ValueError if it has no key or no times."""
    if not text_of(record, "key"):
        raise ValueError("a turn without a key")
    usage = object_of(record, "usage")
    return Turn(
        host=text_of(record, "host"),
        session=text_of(record, "session"),
        key=text_of(record, "key"),
        line=text_of(record, "line"),
        prompt=text_of(record, "prompt"),
        answer=text_of(record, "answer"),
        remarks=texts_of(record, "remarks"),
        tools=tools_of(record, "tools"),
        started=time_of(record, "started"),
        ended=time_of(record, "ended"),
        branch=text_of(record, "branch"),
        cwd=text_of(record, "cwd"),
        interrupted=record.get("interrupted") is True,
        finished=record.get("finished") is True,
        usage=TokenUsage(
            input_tokens=_number(usage, "input_tokens"),
            output_tokens=_number(usage, "output_tokens"),
        ),
    )


def texts_of(record: Object, key: str) -> tuple[str, ...]:
    """The strings in the list under *key*."""
    return tuple(text for text in list_of(record, key) if isinstance(text, str))


def tools_of(record: Object, key: str) -> tuple[ToolCall, ...]:
    """The tool calls in the list under *key*."""
    return tuple(_tool(call) for call in list_of(record, key) if isinstance(call, dict))


def time_of(record: Object, key: str) -> datetime:
    """The time under *key*; raises ValueError if there is none."""
    at = datetime.fromisoformat(text_of(record, key))
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _tool(record: Object) -> ToolCall:
    return ToolCall(
        id=text_of(record, "id"),
        name=text_of(record, "name"),
        input=object_of(record, "input"),
        output=text_of(record, "output"),
        failed=record.get("failed") is True,
        agent=text_of(record, "agent"),
    )


def _number(record: Object, key: str) -> int:
    value = record.get(key)
    return value if isinstance(value, int) else 0
