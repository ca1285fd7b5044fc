"""One record of a Gemini CLI log, as far as turns need it.

The client writes a message when it is there, and again each time more of it is known. Beside the
user's words it writes its own in the user's place, and copies of the whole history whenever that
changes; those copies are cut and summed up, so they are never read. Thoughts are never read.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime

from recollect import typed
from recollect.transcripts import gemini_calls, readings, shorten
from recollect.transcripts.loose_json import Object, count_of, list_of, object_of, text_of
from recollect.transcripts.turns import TokenUsage, ToolCall

HOST = "gemini-cli"

# What the client says in the user's place.
_CLIENTS = re.compile(
    r"<(?:session_context|hook_context|state_snapshot)>"
    r"|System: Potential loop detected\.|Please continue\.\Z"
    r"|I ran the following shell command:\n|User has manually exited Plan Mode\."
    r"|Here is (?:the user's editor context as|a summary of changes in the user's editor context)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one message says; a part that it does not have is empty."""

    id: str
    at: datetime | None
    prompt: str = ""
    """The user's words."""
    sent: str = ""
    """What the client made of them, for the agent."""
    said: str = ""
    """The agent's."""
    calls: tuple[ToolCall, ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)
    is_cancelled: bool = False
    """True if the user stopped one of the calls."""


def message(record: Object) -> Message | None:
    """The message in *record*; None if it is none, or neither the user's nor the agent's words."""
    name, kind = text_of(record, "id"), text_of(record, "type")
    at = readings.moment(text_of(record, "timestamp"))
    if not name or kind not in ("user", "gemini"):
        return None
    if kind == "user":
        sent = _sent(record)
        prompt = "\n".join(texts(record.get("displayContent"))).strip() or typed.words(sent)
        return Message(id=name, at=at, prompt=prompt, sent=sent) if sent else None
    made = [one for one in list_of(record, "toolCalls") if isinstance(one, dict)]
    tokens = object_of(record, "tokens")
    return Message(
        id=name,
        at=at,
        said="\n\n".join(texts(record.get("content"))),
        calls=tuple(_call(one) for one in made),
        usage=TokenUsage(
            input_tokens=count_of(tokens, "input"),
            output_tokens=count_of(tokens, "output") + count_of(tokens, "thoughts"),
        ),
        is_cancelled=any(one.get("status") == "cancelled" for one in made),
    )


def is_rewritten(record: Object) -> bool:
    """True if *record* is a copy of the history, made because the client changed it."""
    return "messages" in object_of(record, "$set")


def _sent(record: Object) -> str:
    """What the agent was given for the user's words; empty where the client speaks, or a tool."""
    content = record.get("content")
    parts = content if isinstance(content, list) else []
    if any(isinstance(part, dict) and "functionResponse" in part for part in parts):
        return ""
    sent = "\n".join(texts(content)).strip()
    return "" if _CLIENTS.match(sent) else sent


def texts(content: object) -> list[str]:
    """The words in *content*, a text or a list of parts; no thoughts."""
    if isinstance(content, str):
        return [content] if content.strip() else []
    parts = content if isinstance(content, list) else []
    known = [part for part in parts if isinstance(part, dict) and not part.get("thought")]
    return [text for part in known if (text := text_of(part, "text")).strip()]


def _call(made: Object) -> ToolCall:
    tool = text_of(made, "name")
    responses = [
        object_of(object_of(part, "functionResponse"), "response")
        for part in list_of(made, "result")
        if isinstance(part, dict)
    ]
    text = "\n".join(_response_text(response) for response in responses)
    output, failed = gemini_calls.outcome(tool, text, shown=text_of(made, "resultDisplay"))
    return ToolCall(
        id=text_of(made, "id"),
        name=gemini_calls.name_of(tool),
        input=gemini_calls.given(tool, object_of(made, "args")),
        output=shorten.output(output),
        failed=failed or text_of(made, "status") in ("error", "cancelled"),
    )


def _response_text(response: Object) -> str:
    return text_of(response, "output") or text_of(response, "error")
