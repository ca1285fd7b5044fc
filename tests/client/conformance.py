"""The conformance suite of the Model Context Protocol, for a server on standard streams.

The suite speaks HTTP, so a bridge on loopback hands each message to a process of ours. Most of its
scenarios want a server made for it, with tools of certain names; `SCENARIOS` are those that any
server must pass. `python -m tests.client.conformance` fetches it and prints where it is.
"""

import json
import subprocess
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.client import bundled, node, npm_package
from tests.client.mcp import Raw

VERSION = "0.1.16"
PACKAGE = "@modelcontextprotocol/conformance"
BEFORE = "2026-11-01"
SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list")


def fetch() -> Path:
    """The suite's program, downloaded unless it is in the cache already."""
    packages = npm_package.install(
        f"{PACKAGE}@{VERSION}", into=f"conformance-{VERSION}", before=BEFORE
    )
    return packages / PACKAGE / "dist/index.js"


def program() -> list[str]:
    """How to run the suite; without it the test is skipped, or fails in CI."""
    try:
        return [node.program(), str(fetch())]
    except bundled.MissingError as error:
        bundled.missing("conformance suite", error)


class Bridge:
    """A server on loopback, for as long as its `with` lasts, that speaks for a process of ours."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        raw, at_work = Raw(folder, env), threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                """Offer no stream of events: nothing comes unasked."""
                self._answer(405, b"")

            def do_POST(self) -> None:
                """Hand on a message; what is a request is answered."""
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with at_work:
                    raw.tell(message)
                    told: Any = raw.hear() if "id" in message else None
                self._answer(200 if told else 202, json.dumps(told).encode() if told else b"")

            def _answer(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._raw = raw
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/mcp"

    def __enter__(self) -> "Bridge":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._raw.end()


def run(scenario: str, url: str) -> "subprocess.CompletedProcess[str]":
    """Return what the suite says of the server at *url*; its exit code is 0 if all is well."""
    asked = [*program(), "server", "--url", url, "--scenario", scenario]
    return subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)


if __name__ == "__main__":
    print(fetch())
