"""Events of Gemini CLI in the words that all hosts share: fields, tools, what a tool answered.

The client numbers neither turns nor tool calls; the time it tells in each event, with the session
or the call, does for both. Its log is not read: its events tell all of a turn.
"""

import hashlib
import json
import re

from recollect.transcripts.loose_json import Object, list_of, object_of, text_of

HOST = "gemini-cli"

_TOOLS = {
    "run_shell_command": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "replace": "Edit",
    "glob": "Glob",
    "grep_search": "Grep",
    "list_directory": "LS",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
}
_UNANSWERED = "[no response text]"

# Around what a tool answered.
_UNTRUSTED = re.compile(r"\A<untrusted_context>\n(.*?)\n?</untrusted_context>", re.DOTALL)
# Behind what a command printed. An error is free text: only where the output is known to end.
_END = (
    r"(?:\nExit Code: (?P<code>-?\d+))?(?:\nSignal: \d+)?(?:\nBackground PIDs: [^\n]*)?"
    r"\nProcess Group PGID: \d+\s*\Z"
)
_TRAILER = re.compile(_END)
_TRAILER_WITH_ERROR = re.compile(rf"(?:\nError: (?P<error>.*?))?{_END}", re.DOTALL)
_EMPTY = "(empty)"


def in_our_words(payload: Object) -> Object:
    """Return *payload*, one event's fields, with the names that Claude Code gives them."""
    at = text_of(payload, "timestamp")
    told = {key: value for key, value in payload.items() if key != "transcript_path"}
    if "prompt_response" in payload:
        answer = text_of(payload, "prompt_response")
        return {**told, "last_assistant_message": "" if answer == _UNANSWERED else answer}
    if "tool_name" in payload:
        return {**told, **_call(payload, at=at)}
    if "prompt" in payload and at:
        return {**told, "prompt_id": f"{text_of(payload, 'session_id')}:{at}"}
    return told


def _call(payload: Object, *, at: str) -> Object:
    name, given = text_of(payload, "tool_name"), object_of(payload, "tool_input")
    server = object_of(payload, "mcp_context")
    if server:
        name = f"mcp__{text_of(server, 'server_name')}__{text_of(server, 'tool_name')}"
    response = object_of(payload, "tool_response")
    output = _answered(response)
    failed = bool(object_of(response, "error"))
    if name == "run_shell_command":
        output, has_failed = _ran(output, shown=text_of(response, "returnDisplay"))
        failed = failed or has_failed
    called = json.dumps([at, name, given], ensure_ascii=False, sort_keys=True)
    return {
        "tool_use_id": hashlib.blake2b(called.encode(errors="replace"), digest_size=12).hexdigest(),
        "tool_name": _TOOLS.get(name, name),
        "tool_response": output,
        "error": (output or "failed") if failed else "",
    }


def _ran(told: str, *, shown: str) -> tuple[str, bool]:
    """What a command printed, and whether it failed; *shown* is what the user saw of it."""
    told = told.removeprefix("Output: ")
    for printed in filter(told.startswith, (shown, _EMPTY)):
        if printed and (trailer := _TRAILER_WITH_ERROR.match(told, len(printed))):
            failed = trailer["error"] not in (None, "(none)") or trailer["code"] not in (None, "0")
            return printed, failed
    if trailer := _TRAILER.search(told):
        return told[: trailer.start()], trailer["code"] not in (None, "0")
    return told, False


def _answered(response: Object) -> str:
    """What the model was told of a call, without the client's wrapping."""
    parts = [one for one in list_of(response, "llmContent") if isinstance(one, dict)]
    texts = [text_of(part, "text") for part in parts] or [text_of(response, "llmContent")]
    unwrapped = (_UNTRUSTED.match(text) for text in texts)
    return "\n".join(
        inside[1] if inside else text for inside, text in zip(unwrapped, texts, strict=True)
    )
