"""A small server that speaks OpenAI's `/v1/embeddings`, as well as a test wants it to."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.unit.embedders.encoder import MINILM


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request, as it came."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What to answer instead of vectors."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


Script = Callable[[BaseHTTPRequestHandler], object]


class Server:
    """Answers with the bundled model's vectors, unless there is something in `script`.

    The vectors come in the wrong order and of the wrong length, as they may.
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.script: list[Answer | Script] = []
        self.ended = threading.Event()
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                served._serve(self)

            def log_message(self, *args: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self._http.server_port}"
        self.url = f"http://{self.host}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._http.shutdown()
        self._http.server_close()

    def answers(self, body: object = None, **how: Any) -> None:
        """Answer the next request like this."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.script.append(Answer(body=raw, **how))

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        raw = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        body: Any = json.loads(raw)
        self.asked.append(Asked(path=handler.path, headers=dict(handler.headers), body=body))
        answer = self.script.pop(0) if self.script else Answer(body=_vectors(body["input"]))
        if not isinstance(answer, Answer):
            answer(handler)
            return
        handler.send_response(answer.status)
        for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(answer.body)


def _vectors(texts: list[str]) -> bytes:
    rows = [
        {"index": number, "embedding": [float(one) * 3 for one in vector]}
        for number, vector in enumerate(MINILM.documents(texts))
    ]
    return json.dumps({"data": rows[::-1]}).encode()
