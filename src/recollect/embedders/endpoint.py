"""Ask a server over HTTP, JSON for JSON. Every way to fail has its kind of `EmbedderError`.

The key goes to the host that was named and to no other: a redirect is an error. What the server
says of an error is not repeated, because it may quote the texts; only its code is.
"""

import email.utils
import ipaddress
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from urllib.parse import SplitResult, urlsplit

from recollect.errors import EmbedderError, Trouble

# 64 vectors of 4,096 numbers, written out, are 6 MB.
LARGEST_ANSWER = 64_000_000
LARGEST_ERROR = 64_000
READ_AT_ONCE = 1 << 16

HINTS: dict[Trouble, str] = {
    "missing": "Check embedder.url and embedder.model; a local server may have to fetch it first.",
    "refused": "Check the key in embedder.key_file.",
    "unreachable": "Check that the server runs and that embedder.url is right.",
    "slow": "The server may still be loading the model: try again.",
    "busy": "The server asks for patience: try again later.",
    "broken": "Check that embedder.url leads to /v1 of a server for embeddings.",
}


class Endpoint:
    """Where to ask, with what key, and how long to wait."""

    def __init__(self, url: str, *, key: str = "", timeout: float) -> None:
        parts = parts_of(url)
        if parts is None:
            raise EmbedderError(
                "embedder.url is not the address of a server",
                kind="missing",
                hint="It looks like https://api.openai.com/v1 or http://localhost:11434/v1.",
            )
        self.host = parts.netloc
        self.is_remote = not is_loopback(parts.hostname or "")
        if key and self.is_remote and parts.scheme == "http":
            raise EmbedderError(
                f"{self.host}: the key would travel unencrypted",
                kind="refused",
                hint="Begin embedder.url with https://, or leave embedder.key_file empty.",
            )
        self._base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"
        self._key = key
        self._timeout = timeout
        self._opener = opener(
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            proxies=None if self.is_remote else {},
        )

    def post(self, path: str, body: Mapping[str, object]) -> object:
        """Send *body* to *path* below the URL and return what the server answers."""
        request = urllib.request.Request(  # noqa: S310 - http or https, `parts_of` saw to it
            self._base + path,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "User-Agent": "recollect"},
        )
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        try:
            return json.loads(self._answer(request))
        except (ValueError, RecursionError) as error:
            raise self.trouble("broken", "answered with something else than JSON") from error

    def trouble(
        self, kind: Trouble, what: str, *, retry_after: float | None = None
    ) -> EmbedderError:
        """Return the error that says *what* went wrong here."""
        return EmbedderError(
            f"{self.host}: {what}", kind=kind, hint=HINTS[kind], retry_after=retry_after
        )

    def _answer(self, request: urllib.request.Request) -> bytes:
        deadline = time.monotonic() + self._timeout
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                return _read(answer, deadline=deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error) from error
        except (OSError, HTTPException, UnicodeError) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(reason, TimeoutError):
                what = f"no answer within {self._timeout:g} s"
                raise self.trouble("slow", what) from error
            raise self.trouble("unreachable", f"cannot be reached: {reason}") from error

    def _refusal(self, error: urllib.error.HTTPError) -> EmbedderError:
        code = _code_in(error)
        what = f"answered {error.code}" + (f" ({code})" if code else "")
        wait = seconds_to_wait(error.headers.get("Retry-After", ""), now=time.time())
        return self.trouble(meaning_of(error.code), what, retry_after=wait)


def is_loopback(host: str) -> bool:
    """Tell whether *host* is this machine; when in doubt, it is not.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "localhost.example.com")]
    [True, True, True, False]
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def meaning_of(status: int) -> Trouble:
    """Return what kind of trouble a *status* other than success is.

    >>> [meaning_of(status) for status in (307, 400, 401, 404, 429, 503)]
    ['missing', 'broken', 'refused', 'missing', 'busy', 'unreachable']
    """
    named: dict[int, Trouble] = {401: "refused", 403: "refused", 404: "missing", 429: "busy"}
    if status in named:
        return named[status]
    if status < 400:
        return "missing"
    return "unreachable" if status >= 500 else "broken"


def seconds_to_wait(retry_after: str, *, now: float) -> float | None:
    """Return how long the header *retry_after* asks to wait, if it is understood.

    >>> seconds_to_wait("20", now=0)
    20.0
    >>> seconds_to_wait("Thu, 01 Jan 1970 00:02:00 GMT", now=60)
    60.0
    >>> seconds_to_wait("soon", now=0)
    """
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", retry_after):
        return float(retry_after)
    moment = email.utils.parsedate_tz(retry_after)
    if moment is None:
        return None
    try:
        return max(0.0, float(email.utils.mktime_tz(moment)) - now)
    except (ValueError, OverflowError):
        return None


def parts_of(url: str) -> SplitResult | None:
    """Return *url* in parts; None if it cannot be asked, or holds something secret.

    >>> parts_of("http://localhost:11434/v1").netloc, parts_of("http://ada:pass@x")
    ('localhost:11434', None)
    """
    try:
        parts = urlsplit(url)
        is_usable = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not (parts.username or parts.password or parts.query or parts.fragment)
            and not re.search(r"[^!-~]|\\", url)
        )
    except ValueError:
        return None
    return parts if is_usable else None


def opener(
    *lines: urllib.request.AbstractHTTPHandler, proxies: dict[str, str] | None
) -> urllib.request.OpenerDirector:
    """Return what opens URLs by *lines*: it follows no redirect and reads no file.

    None as *proxies* means the usual ones.
    """
    usual = for_http(urllib.request.getproxies())
    director = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(usual if proxies is None else proxies),
        *lines,
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        director.add_handler(handler)
    return director


def for_http(found: Mapping[str, str]) -> dict[str, str]:
    """Return of the proxies that were *found* those that HTTP is sent through, by scheme.

    The one for everything is among them, if it speaks HTTP itself.

    >>> for_http({"all": "http://one:3128", "https": "http://two:3128"})
    {'http': 'http://one:3128', 'https': 'http://two:3128'}
    >>> for_http({"all": "socks5://one:1080"})
    {}
    """
    others = {name: proxy for name, proxy in found.items() if name != "all"}
    for_all = found.get("all", "")
    if not re.match(r"https?://|(?!\w+://).", for_all, re.IGNORECASE):
        return others
    return {"http": for_all, "https": for_all} | others


def _read(answer: HTTPResponse, *, deadline: float) -> bytes:
    """The whole of *answer*. A server that sends a byte now and then is slow, too."""
    body = bytearray()
    # Not as much as it promises: that may be more than there is room for.
    while part := answer.read1(READ_AT_ONCE):
        body += part
        if time.monotonic() > deadline:
            raise TimeoutError
        if len(body) > LARGEST_ANSWER:
            raise HTTPException("the answer is too large")
    promised = answer.headers.get("Content-Length", "")
    if promised.isdecimal() and len(body) < int(promised):
        raise HTTPException("the answer stopped half-way")
    return bytes(body)


def _code_in(error: urllib.error.HTTPError) -> str:
    """What the server calls *error*, such as `model_not_found`; nothing if it is no such word."""
    try:
        said = json.loads(error.read(LARGEST_ERROR))["error"]
        code = str(said.get("code") or said.get("type") or "")
    except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError):
        return ""
    return code if re.fullmatch(r"[\w.-]{1,60}", code) else ""
