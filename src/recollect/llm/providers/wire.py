"""One call over HTTP that ends when it must: at its deadline, or when another thread says so.

A socket knows a limit for each read, not for the whole: a server that sends a byte now and then
would hold us for ever. So the call is made in a thread of its own, and the line is cut when time
is up. The key goes to the host that was named and to no other: a redirect is an error.
"""

import contextlib
import json
import queue
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any

from recollect.embedders.endpoint import opener, seconds_to_wait
from recollect.errors import EngineError
from recollect.llm.engine import Asked, Completion
from recollect.llm.providers import address, failures, text

CONNECT_SECONDS = 10.0
# Far more than an answer that is whole; one line of a stream is shorter still.
LARGEST_ANSWER = 8_000_000

Json = Mapping[str, Any]
Post = Callable[[str, Json], Iterator[Json]]
"""Sends a body to a path and yields the pieces of the answer; a whole one is a single piece."""


class ServerError(Exception):
    """The server said no: with a *status* at once, without one in the middle of its answer."""

    def __init__(self, body: object, status: int | None = None, retry_after: str = "") -> None:
        super().__init__()
        self.body = body
        self.status = status
        self.retry_after = retry_after


class Wire:
    """The way to one server. A *key* stands in *headers* only, and in no message."""

    def __init__(self, engine: str, url: str, *, key: str, headers: Mapping[str, str]) -> None:
        self._engine = engine
        self._url = url
        self._key = key
        self._headers = {
            **(headers if key else {}),
            "user-agent": "recollect",
            "content-type": "application/json",
        }
        self._calls: set[_Call] = set()
        self._changing = threading.Lock()

    def ask(self, asked: Asked, talk: Callable[[Post], text.StreamedAnswer]) -> Completion:
        """Return what *talk* reads of the server's answer. Raises `EngineError` and nothing else.

        It runs in another thread.
        """
        where = address.checked(self._engine, self._url, key=self._key)
        call = _Call(where, self._headers, asked.seconds)
        with self._changing:
            self._calls.add(call)
        try:
            outcome = call.outcome(talk)
        finally:
            with self._changing:
                self._calls.discard(call)
        if isinstance(outcome, BaseException):
            # Without the error itself: that one may quote what was sent.
            raise self._failure(outcome, asked, where=f"{self._engine}: {where.host}")
        if not outcome.is_whole:
            what = "the answer is not whole"
            raise failures.failure(f"{self._engine}: {where.host}", what, "unavailable", paid=True)
        return outcome.completion(asked)

    def stop(self) -> None:
        """End every call under way: each raises `EngineError`."""
        with self._changing:
            calls = list(self._calls)
        for call in calls:
            call.stop()

    def _failure(self, error: BaseException, asked: Asked, *, where: str) -> EngineError:
        match error:
            case ServerError():
                return self._refusal(error, asked, where)
            case _StoppedError():
                return failures.failure(where, "the call was ended", "unavailable", paid=True)
            case urllib.error.URLError():
                why = failures.quoted(str(error.reason)) or "nobody answers"
                return failures.failure(where, f"cannot be reached: {why}", "unreachable")
            case TimeoutError():
                what = f"no answer within {asked.seconds:g} s"
                return failures.failure(where, what, "timeout", paid=True)
            case OSError() | HTTPException():
                return failures.failure(where, "the connection was cut", "unavailable", paid=True)
        what = f"gave an answer that cannot be understood ({type(error).__name__})"
        return failures.failure(where, what, "unavailable")

    def _refusal(self, error: ServerError, asked: Asked, where: str) -> EngineError:
        name, message = failures.name_and_message(error.body)
        words = failures.quoted(message, key=self._key, sent=(asked.instructions, asked.text))
        details = ": ".join(part for part in (name, words) if part)
        what = f"answered {error.status}" if error.status else "gave up half-way"
        return failures.failure(
            where,
            what + (f" ({details})" if details else ""),
            failures.meaning(error.status, message, type=name),
            retry_after=seconds_to_wait(error.retry_after, now=time.time()),
            paid=error.status is None,
        )


class _StoppedError(Exception):
    """Another thread ended the call."""


class _Call:
    """One call, from dialling to hanging up."""

    def __init__(self, where: address.Address, headers: Mapping[str, str], seconds: float) -> None:
        self._where = where
        self._headers = dict(headers)
        self._seconds = seconds
        # Whatever comes first counts: the answer, an error, or the end.
        self._outcome: queue.SimpleQueue[text.StreamedAnswer | BaseException] = queue.SimpleQueue()
        self._lines: list[socket.socket] = []
        self._is_over = False

    def outcome(
        self, talk: Callable[[Post], text.StreamedAnswer]
    ) -> text.StreamedAnswer | BaseException:
        """Return the answer, or why there is none, when time is up at the latest."""
        threading.Thread(target=self._run, args=(talk,), daemon=True).start()
        try:
            return self._outcome.get(timeout=self._seconds)
        except queue.Empty:
            return TimeoutError()
        finally:
            self._hang_up()

    def stop(self) -> None:
        self._outcome.put(_StoppedError())

    def _run(self, talk: Callable[[Post], text.StreamedAnswer]) -> None:
        try:
            self._outcome.put(talk(self._post))
        except Exception as error:  # Bad answers make it stumble in many ways.
            self._outcome.put(error)

    def _post(self, path: str, body: Json) -> Iterator[Json]:
        request = urllib.request.Request(  # noqa: S310 - http or https, `address` saw to it
            self._where.url + path, json.dumps(body).encode(), self._headers
        )
        # The user's proxy, but not on the way to this machine.
        director = opener(_Lines(self._dialled), proxies=None if self._where.is_remote else {})
        try:
            with director.open(request, timeout=self._seconds) as answer:
                yield from _pieces(answer)
        except urllib.error.HTTPError as error:
            with error:
                said = text.parsed(error.read(LARGEST_ANSWER))
            after = error.headers.get("Retry-After", "")
            raise ServerError(said, error.code, after) from None

    def _dialled(self, connection: HTTPConnection) -> None:
        connection.sock.settimeout(self._seconds)
        self._lines.append(connection.sock)
        if self._is_over:
            self._hang_up()

    def _hang_up(self) -> None:
        """Wake the thread that waits for the server: closing the line would not."""
        self._is_over = True
        for line in list(self._lines):
            with contextlib.suppress(OSError, ValueError):
                # An encrypted line would say goodbye, and wait for an answer.
                socket.socket.shutdown(line, socket.SHUT_RDWR)


class _Lines(urllib.request.AbstractHTTPHandler):
    """Opens lines, encrypted or not, soon or never, and tells of each when it is *dialled*."""

    def __init__(self, dialled: Callable[[HTTPConnection], None]) -> None:
        super().__init__()
        self._dialled = dialled

    def http_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._line(HTTPConnection), request)

    def https_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._line(HTTPSConnection), request)

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def _line(self, kind: type[HTTPConnection]) -> Any:
        dialled = self._dialled

        class Line(kind):  # type: ignore[misc, valid-type]
            def connect(self) -> None:
                self.timeout: float = min(self.timeout, CONNECT_SECONDS)
                super().connect()
                dialled(self)

        return Line


def _pieces(answer: HTTPResponse) -> Iterator[Json]:
    if "json" in answer.headers.get("Content-Type", "").lower():
        whole = answer.read(LARGEST_ANSWER)
        if answer.length:
            raise HTTPException("the answer is too large, or stopped half-way")
        yield _piece(whole)
        return
    # A line without an end is where the answer broke off.
    while (line := answer.readline(LARGEST_ANSWER)).endswith(b"\n"):
        name, _, value = line.partition(b":")
        if name == b"data" and value.strip() != b"[DONE]":
            yield _piece(value)


def _piece(written: bytes) -> Json:
    piece = json.loads(written)
    if not isinstance(piece, dict):
        raise TypeError
    if piece.get("error"):
        raise ServerError(piece)
    return piece
