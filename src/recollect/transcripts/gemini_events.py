"""Events of Gemini CLI in the words that all hosts share: fields, tools, what a tool answered.

The client numbers neither turns nor tool calls. A turn is known by its prompt and its time; a call
by the time it tells of it, and by what was called.
"""

import hashlib
import json

from recollect import typed
from recollect.transcripts import gemini_calls
from recollect.transcripts.loose_json import Object, object_of, text_of

_UNANSWERED = "[no response text]"


def in_our_words(payload: Object) -> Object:
    """Return *payload*, one event's fields, with the names that Claude Code gives them."""
    ours = dict(payload)
    if "prompt" in payload:
        ours["prompt"] = typed.words(text_of(payload, "prompt"))
    if "prompt_response" in payload:
        answer = text_of(payload, "prompt_response")
        return {**ours, "last_assistant_message": "" if answer == _UNANSWERED else answer}
    if "tool_name" in payload:
        return {**ours, **_call(payload)}
    return ours


def _call(payload: Object) -> Object:
    tool = text_of(payload, "tool_name")
    given = gemini_calls.given(tool, object_of(payload, "tool_input"))
    name = gemini_calls.name_of(tool)
    if server := object_of(payload, "mcp_context"):
        name = f"mcp__{text_of(server, 'server_name')}__{text_of(server, 'tool_name')}"
    response = object_of(payload, "tool_response")
    shown = text_of(response, "returnDisplay")
    outcomes = [gemini_calls.outcome(tool, text, shown=shown) for text in _texts(response)]
    output = "\n".join(text for text, _ in outcomes)
    failed = any(has_failed for _, has_failed in outcomes) or bool(object_of(response, "error"))
    called = json.dumps([text_of(payload, "timestamp"), name, given], sort_keys=True)
    return {
        "tool_use_id": hashlib.blake2b(called.encode(), digest_size=12).hexdigest(),
        "tool_name": name,
        "tool_input": given,
        "tool_response": output,
        "error": (output or "failed") if failed else "",
    }


def _texts(response: Object) -> list[str]:
    """What the model was given of a call, in parts."""
    content = response.get("llmContent")
    parts = content if isinstance(content, list) else [content]
    return [
        text_of(part, "text") if isinstance(part, dict) else part
        for part in parts
        if isinstance(part, dict | str)
    ]
