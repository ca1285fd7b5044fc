"""Scripted servers for models, on loopback: Anthropic's Messages API and OpenAI's chat completions.

    with ChatApi() as api:
        api.answers(Fail(429, headers={"Retry-After": "20"}), Say("Four."))

Each request takes the next step; the last one repeats.
"""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, ClassVar, Self

Json = dict[str, Any]

# What was sent, what of it the server had kept from before, and what was answered.
USAGE = (50, 20, 9)


@dataclass(frozen=True, slots=True)
class Say:
    """Answer *text*, and *stop* for this reason: `end`, `length` or `refusal`.

    Without *usage* the server does not tell what it cost; *counted* is what it says instead, by
    the server's own names. With *pause*, it sends a few bytes
    each so many seconds; with *cut_after*, so many bytes of the answer and no more. One that
    *stays* does not hang up afterwards.
    """

    text: str = "Four."
    stop: str = "end"
    usage: tuple[int, int, int] | None = USAGE
    counted: Json = field(default_factory=dict)
    model: str = "scripted-1"
    pause: float = 0
    cut_after: int | None = None
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Fail:
    """Answer *status* with the error of this *type* and *message*."""

    status: int
    message: str = "scripted failure"
    type: str = "scripted_error"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Raw:
    """Answer with these bytes, whatever was asked for."""

    content: bytes
    content_type: str = "text/html"
    status: int = 200


@dataclass(frozen=True, slots=True)
class Hang:
    """Never answer."""


Step = Say | Fail | Raw | Hang


@dataclass(frozen=True, slots=True)
class Request:
    """One request, as it came."""

    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def text(self) -> str:
        """All that is said in it, as it was before it was encoded."""
        headers = (f"{name}: {value}" for name, value in self.headers.items())
        return "\n".join([*headers, *_strings(self.body)])


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


class _Api:
    """A server that listens on `url` while its `with` block lasts."""

    prefix: ClassVar[str]

    def __init__(self, port: int = 0) -> None:
        self.requests: list[Request] = []
        self._steps: list[Step] = [Say()]
        self._arrived = threading.Condition()
        self.closing = threading.Event()
        self._server = _Server(self, port)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{self.prefix}"

    def answers(self, *steps: Step) -> None:
        """Answer what comes next with *steps*; the last one repeats."""
        with self._arrived:
            self._steps = list(steps)

    def wait_for_requests(self, count: int = 1, *, seconds: float = 20) -> None:
        """Return as soon as *count* requests have arrived."""
        with self._arrived:
            arrived = self._arrived.wait_for(lambda: len(self.requests) >= count, seconds)
        assert arrived, f"{len(self.requests)} of {count} requests"

    def take(self, request: Request) -> Step:
        with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
            return self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]

    def whole(self, say: Say) -> Json:
        raise NotImplementedError

    def pieces(self, say: Say, body: Json) -> Iterator[str]:
        raise NotImplementedError


class MessagesApi(_Api):
    """Anthropic's."""

    prefix = ""
    stops: ClassVar = {"end": "end_turn", "length": "max_tokens", "refusal": "refusal"}

    def whole(self, say: Say) -> Json:
        return {
            **self._opened(say),
            "content": [{"type": "text", "text": say.text}] if say.text else [],
            "stop_reason": self.stops[say.stop],
            **({"usage": self._usage(say.usage) | say.counted} if say.usage else {}),
        }

    def pieces(self, say: Say, body: Json) -> Iterator[str]:
        usage = {"usage": self._usage(say.usage) | say.counted} if say.usage else {}
        started = {**usage["usage"], "output_tokens": 1} if usage else None
        opened = self._opened(say) | ({"usage": started} if started else {})
        empty = {"type": "text", "text": ""}
        events: list[Json] = [{"type": "message_start", "message": opened}, {"type": "ping"}]
        if say.text:
            events.append({"type": "content_block_start", "index": 0, "content_block": empty})
            for piece in _cut(say.text):
                delta = {"type": "text_delta", "text": piece}
                events.append({"type": "content_block_delta", "index": 0, "delta": delta})
            events.append({"type": "content_block_stop", "index": 0})
        stop = {"stop_reason": self.stops[say.stop], "stop_sequence": None}
        events += [{"type": "message_delta", "delta": stop, **usage}, {"type": "message_stop"}]
        for event in events:
            yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"

    def _opened(self, say: Say) -> Json:
        shared = {"id": "msg_1", "type": "message", "role": "assistant", "model": say.model}
        return {**shared, "content": [], "stop_reason": None, "stop_sequence": None}

    def _usage(self, counted: tuple[int, int, int]) -> Json:
        sent, cached, answered = counted
        fresh = {"input_tokens": sent - cached, "output_tokens": answered}
        return {**fresh, "cache_creation_input_tokens": 0, "cache_read_input_tokens": cached}


class ChatApi(_Api):
    """OpenAI's."""

    prefix = "/v1"
    stops: ClassVar = {"end": "stop", "length": "length", "refusal": "content_filter"}

    def whole(self, say: Say) -> Json:
        message = {"role": "assistant", "content": say.text}
        choice = {"index": 0, "message": message, "finish_reason": self.stops[say.stop]}
        return {
            **self._opened(say, "chat.completion"),
            "choices": [choice],
            **({"usage": self._usage(say.usage) | say.counted} if say.usage else {}),
        }

    def pieces(self, say: Say, body: Json) -> Iterator[str]:
        chunks = [self._chunk(say, {"content": piece}) for piece in _cut(say.text)]
        chunks.append(self._chunk(say, {}, finish_reason=self.stops[say.stop]))
        if say.usage and (body.get("stream_options") or {}).get("include_usage"):
            counted = {"choices": [], "usage": self._usage(say.usage) | say.counted}
            chunks.append(self._opened(say, "chat.completion.chunk") | counted)
        yield from (f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        yield "data: [DONE]\n\n"

    def _chunk(self, say: Say, delta: Json, finish_reason: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        return self._opened(say, "chat.completion.chunk") | {"choices": [choice]}

    def _opened(self, say: Say, kind: str) -> Json:
        return {"id": "chat-1", "object": kind, "created": 1, "model": say.model}

    def _usage(self, counted: tuple[int, int, int]) -> Json:
        sent, cached, answered = counted
        total = {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent}
        return {**total, "prompt_tokens_details": {"cached_tokens": cached}}


def _cut(text: str) -> Sequence[str]:
    return [text[at : at + 4] for at in range(0, len(text), 4)]


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: _Api, port: int) -> None:
        self.api = api
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: clients hang up in mid-answer here."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        match self.server.api.take(Request(self.path, headers, body)):
            case Hang():
                self.server.api.closing.wait()
            case Raw(content, content_type, status):
                self._send(status, content, content_type)
            case Fail() as fail:
                error = {"type": fail.type, "message": fail.message}
                content = json.dumps({"type": "error", "error": error}).encode()
                self._send(fail.status, content, "application/json", headers=fail.headers)
            case Say() as say if body.get("stream"):
                self._send_stream(say, body)
            case Say() as say:
                content = json.dumps(self.server.api.whole(say)).encode()
                self._send(200, content, "application/json", say=say)

    def _send(
        self,
        status: int,
        content: bytes,
        content_type: str,
        *,
        headers: Mapping[str, str] | None = None,
        say: Say | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self._write(content, say or Say())

    def _send_stream(self, say: Say, body: Json) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self._write("".join(self.server.api.pieces(say, body)).encode(), say)

    def _write(self, content: bytes, say: Say) -> None:
        content = content[: say.cut_after]
        step = 16 if say.pause else len(content) or 1
        for at in range(0, len(content), step):
            self.wfile.write(content[at : at + step])
            self.wfile.flush()
            if say.pause and self.server.api.closing.wait(say.pause):
                return
        if say.stays:
            self.server.api.closing.wait()

    def log_message(self, *_: object) -> None:
        """Say nothing; the requests are recorded."""
