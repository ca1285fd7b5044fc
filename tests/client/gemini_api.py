"""A scripted stand-in for Gemini: the `generateContent` API on loopback.

The script stands in the test, as in `model_api`, and its steps are the same. Every request
holds the whole conversation, so the answers after the newest prompt tell how far its script
has been played: nothing has to be remembered between two requests.
"""

import json
import re
import threading
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

from tests.client.model_api import OK, Say, Use, UseAll

Json = dict[str, Any]
Step = Say | Use | UseAll


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model, as it came, and the step that answered it."""

    body: Json
    step: Step

    @property
    def tools(self) -> list[str]:
        """The names of the tools on offer; a bare completion offers none."""
        return _tools(self.body)

    @property
    def prompt(self) -> str:
        """What the person wrote last, without anything the client or a hook added."""
        return _newest_prompt(self.body)[0]


def context_of(request: Request) -> str:
    """Everything *request* showed the model: system prompt, all messages, tool traffic."""
    instruction = request.body.get("systemInstruction") or {}
    shown = [
        *_parts(instruction),
        *(part for turn in _turns(request.body) for part in _parts(turn)),
    ]
    return "\n".join(map(_text, shown))


def injected(request: Request) -> list[str]:
    """The texts that hooks added to the conversation of *request*, oldest first.

    They are as the hooks printed them: the client sends `<` and `>` as entities.
    """
    shown = "\n".join(_text(part) for turn in _turns(request.body) for part in _parts(turn))
    return [_unescaped(text) for text in _HOOK.findall(shown)]


class GeminiApi:
    """The stand-in, listening on `url` while its `with` block lasts.

    A prompt that no script matches is answered "ok", as is a turn that outlives its script
    and every request that offers no tools.
    """

    def __init__(self) -> None:
        self._scripts: list[tuple[str, tuple[Step, ...]]] = []
        self._requests: list[Request] = []
        self._lock = threading.Lock()
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
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The base address for `GOOGLE_GEMINI_BASE_URL`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, *, to: str, steps: Sequence[Step]) -> None:
        """Answer prompts that contain *to* with *steps*, one per request of the turn.

        Of several scripts that match, the newest wins.
        """
        with self._lock:
            self._scripts.append((to, tuple(steps)))

    @property
    def requests(self) -> list[Request]:
        """The requests so far, oldest first."""
        with self._lock:
            return list(self._requests)

    def main_requests(self) -> list[Request]:
        """The requests of conversations: no bare completions."""
        return [request for request in self.requests if request.tools]

    def _take(self, body: Json) -> Request:
        """Choose the answer to a request and record both."""
        with self._lock:
            request = Request(body, self._step(body) if _tools(body) else OK)
            self._requests.append(request)
            return request

    def _step(self, body: Json) -> Step:
        prompt, answers = _newest_prompt(body)
        for to, steps in reversed(self._scripts):
            if to in prompt:
                return steps[answers] if answers < len(steps) else OK
        return OK


_HOOK = re.compile(r"<hook_context>(.*?)</hook_context>", re.DOTALL)
_SESSION = re.compile(r"<session_context>.*?</session_context>", re.DOTALL)


def _newest_prompt(body: Json) -> tuple[str, int]:
    """The person's newest message, and how many answers of the model follow it."""
    prompt, answers = "", 0
    for turn in _turns(body):
        if turn.get("role") == "model":
            answers += 1
        elif words := _words(turn):
            prompt, answers = words, 0
    return prompt, answers


def _words(turn: Json) -> str:
    texts = (part.get("text", "") for part in _parts(turn))
    stripped = (_HOOK.sub("", _SESSION.sub("", text)).strip() for text in texts)
    return "\n".join(filter(None, stripped))


def _turns(body: Json) -> list[Json]:
    return cast("list[Json]", body.get("contents") or [])


def _parts(turn: Json) -> list[Json]:
    return cast("list[Json]", turn.get("parts") or [])


def _text(part: Json) -> str:
    if "functionResponse" in part:
        response = part["functionResponse"].get("response") or {}
        return "\n".join(str(value) for value in response.values())
    if "functionCall" in part:
        return json.dumps(part["functionCall"].get("args"), ensure_ascii=False)
    return cast("str", part.get("text", ""))


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">")


def _tools(body: Json) -> list[str]:
    offered = (tool.get("functionDeclarations") or [] for tool in body.get("tools") or [])
    return [function["name"] for functions in offered for function in functions]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: GeminiApi) -> None:
        self.take = api._take
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: a client that is killed hangs up in mid-answer."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = self.path.partition("?")[0].rpartition(":")[2]
        if method == "countTokens":
            self._send("application/json", {"totalTokens": _tokens(body)})
        elif method == "streamGenerateContent":
            self._send("text/event-stream", _answer(self.server.take(body)), before=b"data: ")
        else:
            self._send("application/json", _answer(self.server.take(body)))

    def _send(self, kind: str, payload: Json, *, before: bytes = b"") -> None:
        content = before + json.dumps(payload).encode() + b"\n\n"
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing; the requests are recorded."""


def _answer(request: Request) -> Json:
    step = request.step
    parts: list[Json] = []
    if step.text is not None:
        parts.append({"text": step.text})
    for use in _uses(step):
        called = {"id": f"call-{uuid.uuid4().hex[:12]}", "name": use.tool, "args": dict(use.input)}
        parts.append({"functionCall": called})
    asked, said = _tokens(request.body), _tokens({"parts": parts})
    asked = step.usage.get("input_tokens", asked)
    return {
        "candidates": [
            {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        ],
        "usageMetadata": {
            "promptTokenCount": asked,
            "candidatesTokenCount": said,
            "totalTokenCount": asked + said,
        },
    }


def _uses(step: Step) -> Sequence[Use]:
    match step:
        case Use():
            return [step]
        case UseAll():
            return step.uses
        case _:
            return []


def _tokens(body: Json) -> int:
    return len(json.dumps(body)) // 4
