"""One call over HTTP that ends when it must: at its deadline, or when another thread says so.

The SDKs know a limit for each read, not for the whole: a server that sends a byte now and then
would hold us for ever. So the call is made in a thread of its own, and the line is cut when time
is up. Nothing leaves but what is on the list of headers and what was asked: neither the SDKs'
description of this machine nor what they pick up from the environment.
"""

import contextlib
import functools
import logging
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.embedders.endpoint import seconds_to_wait
from recollect.errors import EngineError
from recollect.llm.engine import Asked, Completion
from recollect.llm.providers import address, failures

if TYPE_CHECKING:
    import ssl

    import httpx2

CONNECT_SECONDS = 10.0
SENT_HEADERS = frozenset(
    {"host", "connection", "accept", "accept-encoding", "content-type", "content-length"}
    | {"transfer-encoding", "anthropic-version"}
)
LOGGERS = ("anthropic", "openai", "httpx2", "httpcore2")

Talk = Callable[["httpx2.Client"], Completion]


def keep_quiet() -> None:
    """Keep the SDKs from logging what is sent. To be called before they are imported."""
    for name in ("ANTHROPIC_LOG", "OPENAI_LOG"):
        os.environ.pop(name, None)
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Wire:
    """The way to one server. A *key* stands in *headers* only, and in no message."""

    def __init__(self, engine: str, url: str, *, key: str, headers: Mapping[str, str]) -> None:
        self._engine = engine
        self._url = url
        self._key = key
        self._headers = {"user-agent": "recollect", **(headers if key else {})}
        self._calls: set[_Call] = set()
        self._changing = threading.Lock()

    def address(self) -> address.Address:
        """Return where the server is. Raises `EngineError` if it cannot be asked there."""
        return address.checked(self._engine, self._url, key=self._key)

    def ask(self, asked: Asked, talk: Talk) -> Completion:
        """Return what *talk* makes of the server's answer. Raises `EngineError` and nothing else.

        *talk* gets a client that keeps to the rules above; it runs in another thread.
        """
        where = self.address()
        call = _Call(asked.seconds, headers=self._headers, is_remote=where.is_remote)
        with self._changing:
            self._calls.add(call)
        try:
            outcome = call.outcome(talk)
        finally:
            with self._changing:
                self._calls.discard(call)
        if isinstance(outcome, Completion):
            return outcome
        # Without the SDK's own error: that one may quote what was sent.
        raise self._failure(outcome, asked, host=where.host)

    def stop(self) -> None:
        """End every call under way: each raises `EngineError`."""
        with self._changing:
            calls = list(self._calls)
        for call in calls:
            call.stop()

    def _failure(self, error: BaseException, asked: Asked, *, host: str) -> EngineError:
        where = f"{self._engine}: {host}"
        if isinstance(error, EngineError):
            return error
        if isinstance(error, _StoppedError):
            return failures.failure(where, "the call was ended", "unavailable", paid=True)
        status = getattr(error, "status_code", None)
        if status is None and getattr(error, "body", None) is None:
            return self._no_answer(error, where, seconds=asked.seconds)
        name, message = failures.name_and_message(getattr(error, "body", None))
        kind = failures.meaning(status, message, type=name)
        words = failures.quoted(message, key=self._key, sent=(asked.instructions, asked.text))
        details = ": ".join(part for part in (name, words) if part)
        what = f"answered {status}" if status and status >= 300 else "gave up half-way"
        response = getattr(error, "response", None)
        wait = response.headers.get("retry-after", "") if response is not None else ""
        return failures.failure(
            where,
            what + (f" ({details})" if details else ""),
            kind,
            retry_after=seconds_to_wait(wait, now=time.time()),
            paid=not (status and status >= 300),
        )

    @staticmethod
    def _no_answer(error: BaseException, where: str, *, seconds: float) -> EngineError:
        import httpx2  # noqa: PLC0415 - comes with the SDKs, which are not always there

        reasons = _chain(error)
        for one in reasons:
            if isinstance(one, httpx2.ConnectError | httpx2.ConnectTimeout):
                why = failures.quoted(str(one)) or "nobody answers"
                return failures.failure(where, f"cannot be reached: {why}", "unreachable")
        if any(isinstance(one, httpx2.TimeoutException | TimeoutError) for one in reasons):
            what = f"no answer within {seconds:g} s"
            return failures.failure(where, what, "timeout", paid=True)
        if any(isinstance(one, httpx2.TransportError) for one in reasons):
            return failures.failure(where, "the connection was cut", "unavailable", paid=True)
        what = f"gave an answer that cannot be understood ({type(reasons[-1]).__name__})"
        return failures.failure(where, what, "unavailable")


@functools.cache
def _certificates(
    file: str | None,  # noqa: ARG001 - a change makes another context
    folder: str | None,  # noqa: ARG001
    *,
    trust_env: bool,
) -> "ssl.SSLContext":
    """Return what a server has to prove itself with. Reading it takes longer than a short call."""
    import httpx2  # noqa: PLC0415 - comes with the SDKs, which are not always there

    return httpx2.create_ssl_context(trust_env=trust_env)


class _StoppedError(Exception):
    """Another thread ended the call."""


class _Call:
    """One call, from dialling to hanging up."""

    def __init__(self, seconds: float, *, headers: Mapping[str, str], is_remote: bool) -> None:
        self._seconds = seconds
        self._headers = headers
        self._is_remote = is_remote
        # Whatever comes first counts: the answer, an error, or the end.
        self._outcome: queue.SimpleQueue[Completion | BaseException] = queue.SimpleQueue()
        self._streams: list[Any] = []
        self._is_over = False

    def outcome(self, talk: Talk) -> Completion | BaseException:
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

    def _run(self, talk: Talk) -> None:
        try:
            with self._client() as client:
                self._outcome.put(talk(client))
        except Exception as error:  # An SDK stumbles over bad answers in many ways.
            self._outcome.put(error)

    def _client(self) -> "httpx2.Client":
        import httpx2  # noqa: PLC0415 - comes with the SDKs, which are not always there

        return httpx2.Client(
            # The key goes to the host that was named and to no other.
            follow_redirects=False,
            # The user's proxy and certificates, but not on the way to this machine.
            trust_env=self._is_remote,
            verify=_certificates(
                os.environ.get("SSL_CERT_FILE"),
                os.environ.get("SSL_CERT_DIR"),
                trust_env=self._is_remote,
            ),
            timeout=httpx2.Timeout(self._seconds, connect=min(self._seconds, CONNECT_SECONDS)),
            event_hooks={"request": [self._prepare]},
        )

    def _prepare(self, request: "httpx2.Request") -> None:
        for name in [name for name in request.headers if name.lower() not in SENT_HEADERS]:
            del request.headers[name]
        request.headers.update(self._headers)
        request.extensions = {**request.extensions, "trace": self._trace}

    def _trace(self, event: str, details: Mapping[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._streams.append(details["return_value"])
            if self._is_over:
                self._hang_up()

    def _hang_up(self) -> None:
        """Wake the thread that waits for the server: closing the client would not."""
        self._is_over = True
        for stream in list(self._streams):
            with contextlib.suppress(OSError, ValueError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def _chain(error: BaseException) -> list[BaseException]:
    """*error* and what led to it."""
    chain = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) and before not in chain:
        chain.append(before)
    return chain
