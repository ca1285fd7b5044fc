"""A scripted stand-in for the model behind Codex: the OpenAI Responses API on loopback.

The script stands in the test, as in `model_api`, and its steps are the same. The client says
which turn a request belongs to, so a script is played once per turn: the first request of the
turn gets its first step.
"""

import json
import re
import threading
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from tests.client.model_api import OK, Say, Use, UseAll

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Freeform:
    """Give *tool* the bare text *input*, after saying *text* if there is one.

    That is how `apply_patch` gets its patch, and `exec` the JavaScript of newer models.
    """

    tool: str
    input: str
    text: str | None = None
    delay: float = 0
    usage: Mapping[str, int] = field(default_factory=dict)


Step = Say | Use | UseAll | Freeform
"""A dot parts a tool's namespace from its name: `Use("mcp__notes.search", {"q": "tax"})`."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model, as it came, and the step that answered it."""

    turn: Json
    """What the client tells of the turn: its id, its session, the kind of request."""
    body: Json
    step: Step

    @property
    def session_id(self) -> str:
        """The session that asked; a subagent asks in the session it works for."""
        return cast("str", self.turn.get("session_id", ""))

    @property
    def is_agents(self) -> bool:
        """Whether a subagent asks."""
        return self.turn.get("thread_id") != self.turn.get("session_id")

    @property
    def is_compaction(self) -> bool:
        """Whether the client asks for a summary of the conversation, to replace it."""
        return self.turn.get("request_kind") == "compaction"

    @property
    def prompt(self) -> str:
        """What the person wrote last, without anything the client or a hook added."""
        return _newest_prompt(self.body)


def context_of(request: Request) -> str:
    """Everything *request* showed the model: instructions, all messages, tool traffic."""
    return "\n".join(text for item in request.body["input"] for text in _texts(item))


def injected(request: Request) -> list[str]:
    """What hooks and the client told the model in *request* as developers, oldest first.

    A hook's text stands in a message of its own, as the hook printed it; nothing but the words
    tells it apart from the client's own instructions.
    """
    told = [item for item in request.body["input"] if item.get("role") == "developer"]
    return [text for item in told for text in _texts(item)]


class ResponsesApi:
    """The stand-in, listening on `url` while its `with` block lasts.

    A prompt that no script matches is answered "ok", as is a turn that outlives its script. A
    request to compact the conversation is answered `summary`.
    """

    def __init__(self) -> None:
        self.summary = "The conversation so far, in short."
        self._scripts: list[tuple[str, tuple[Step, ...]]] = []
        self._played: Counter[str] = Counter()
        self._requests: list[Request] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(self)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The base address for a provider in the client's `config.toml`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def reply(self, *, to: str, steps: Sequence[Step]) -> None:
        """Answer prompts that contain *to* with *steps*, one per request of the turn.

        Of several scripts that match, the newest wins. Subagents are answered by the same
        scripts: their prompt is the message they were given.
        """
        with self._lock:
            self._scripts.append((to, tuple(steps)))

    @property
    def requests(self) -> list[Request]:
        """The requests so far, oldest first."""
        with self._lock:
            return list(self._requests)

    def main_requests(self) -> list[Request]:
        """The requests of main conversations: no subagents, no compactions."""
        return [one for one in self.requests if not (one.is_agents or one.is_compaction)]

    def _take(self, turn: Json, body: Json) -> Request:
        """Choose the answer to a request and record both."""
        with self._lock:
            request = Request(turn, body, self._step(turn, body))
            self._requests.append(request)
            return request

    def _step(self, turn: Json, body: Json) -> Step:
        if turn.get("request_kind") == "compaction":
            return Say(self.summary)
        prompt = _newest_prompt(body)
        steps = next((steps for to, steps in reversed(self._scripts) if to in prompt), ())
        played = self._played[turn["turn_id"]]
        self._played[turn["turn_id"]] += 1
        return steps[played] if played < len(steps) else OK


# What the client puts in the user's place.
_CLIENTS = re.compile(r"<\w+|# AGENTS\.md instructions|Another language model started to solve")


def _newest_prompt(body: Json) -> str:
    """What the person wrote last, or the task that a subagent was given."""
    for item in reversed(body["input"]):
        words = [text for text in _words(item) if text and not _CLIENTS.match(text)]
        if words:
            return "\n".join(words)
    return ""


def _words(item: Json) -> Iterator[str]:
    if item.get("role") == "user":
        yield from _texts(item)
    elif item["type"] == "agent_message":
        # A task is in cipher, a report is not.
        yield from (part.get("encrypted_content", "") for part in item["content"])


def _texts(item: Json) -> Iterator[str]:
    """The readable texts of one *item* of a conversation."""
    for key in ("arguments", "input", "output"):
        if isinstance(item.get(key), str):
            yield item[key]
    for part in (*item.get("content", ()), *_parts(item.get("output"))):
        yield part.get("text", "")


def _parts(output: object) -> list[Json]:
    return output if isinstance(output, list) else []


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: ResponsesApi) -> None:
        self.take = api._take
        self.pause = api._closing.wait
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: a client that is killed or interrupted hangs up in mid-answer."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self.send_error(404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        turn = json.loads(self.headers.get("x-codex-turn-metadata", "{}"))
        if self.path != "/v1/responses" or "turn_id" not in turn:
            self.send_error(404)
            return
        step = self.server.take(turn, body).step
        self.server.pause(step.delay)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in _stream(step):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing; the requests are recorded."""


def _stream(step: Step) -> Iterator[Json]:
    """The events that stream the answer that *step* is."""
    response = f"resp_{uuid.uuid4().hex}"
    yield {"type": "response.created", "response": {"id": response}}
    for index, item in enumerate(_items(step)):
        for moment in ("added", "done"):
            event = f"response.output_item.{moment}"
            yield {"type": event, "output_index": index, "item": item}
    usage = {"input_tokens": 100, "output_tokens": 5, **step.usage}
    usage["total_tokens"] = usage["input_tokens"] + usage["output_tokens"]
    yield {"type": "response.completed", "response": {"id": response, "usage": usage}}


def _items(step: Step) -> Iterator[Json]:
    if step.text is not None:
        part = {"type": "output_text", "text": step.text, "annotations": []}
        yield {
            "type": "message",
            "id": f"msg_{uuid.uuid4().hex}",
            "role": "assistant",
            "content": [part],
        }
    match step:
        case Use():
            yield _call(step)
        case UseAll():
            yield from map(_call, step.uses)
        case Freeform():
            yield {
                "type": "custom_tool_call",
                "id": f"ctc_{uuid.uuid4().hex}",
                "call_id": f"call_{uuid.uuid4().hex}",
                "name": step.tool,
                "input": step.input,
            }


def _call(use: Use) -> Json:
    namespace, _, name = use.tool.rpartition(".")
    call = {
        "type": "function_call",
        "id": f"fc_{uuid.uuid4().hex}",
        "call_id": f"call_{uuid.uuid4().hex}",
        "name": name,
        "arguments": json.dumps(dict(use.input)),
    }
    return call | ({"namespace": namespace} if namespace else {})
