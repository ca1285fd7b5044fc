"""Secrets in headers: `Authorization` of any scheme, cookies."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

_SIGN = r"\\{0,3}[\"']?\]?[ \t]{0,8}(?:[:=,]|=>)[ \t]{0,8}(?:[a-z]{0,2}\\{0,3}[\"'`])?"
_AUTHORIZATION = re.compile(
    rf"{_SIGN}(?P<scheme>[A-Za-z][A-Za-z0-9_-]{{1,24}}(?:[ \t]{{1,4}}|(?=[ ]?[\"']?\$)))?"
    r"(?P<value>[^\s\"'`<>\\,;][^\s\"'`<>\\]{3,4096}+)"
)
_TELLING_PART = re.compile(
    r"(?i)\b(?:signature|response|mac|oauth_token|oauth_signature|token|access_token)"
    r"=\"?(?P<value>[^\s\",;]{8,2048})"
)
_BEARER = re.compile(
    r"(?:bearer|basic)[ \t]{1,8}(?P<value>[A-Za-z0-9._~+/=-]{8,4096}+)", re.IGNORECASE
)
_COOKIES = re.compile(
    rf"(?:{_SIGN}|\\{{0,3}}[\"']\s?,\s?\\{{0,3}}[\"']value\\{{0,3}}[\"']\s?:\s?\\{{0,3}}[\"'])"
    r"(?P<value>[^\n\"'`\\]{6,8192}+)"
)
_COOKIE_OPTION = re.compile(
    r"(?<=[ ])(?:-b|--cookie)[ =](?P<quote>[\"'])(?P<value>[^\"'\n]{6,4096})"
)
_COOKIE = re.compile(r"(?P<name>[^\s=;,]{1,80}+)=(?P<value>[^;,\s]{6,4096}+)")
_ATTRIBUTES = frozenset("path domain expires max-age samesite version comment".split())
_TELLING_COOKIE = re.compile(
    r"(?i)sess|sid|token|auth|jwt|login|remember|csrf|xsrf|secret|identity|connect|ticket"
    r"|credential|key|user|id$|account|\.aspx|aspnet|cf_clearance"
)
_WORDS_BEHIND = re.compile(
    r"(?i)(?:headers?|tokens?|authentication|auth|bearer|basic|is|required|missing|scheme|failed"
    r"|and|or|the|for|with)\b"
)


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield what logs somebody in, in the headers of *source*."""
    text, lower = source.raw, source.lower
    if source.has("authorization"):
        for at in occurrences("authorization", lower):
            yield from _authorization(text, at + len("authorization"))
    for scheme in ("bearer", "basic"):
        if source.has(scheme):
            for at in occurrences(scheme, lower):
                yield from _bearer(text, at, lower)
    if "curl" in source.words:
        for option in _COOKIE_OPTION.finditer(text):
            yield from _each_cookie(text, option.start("value"), option.end("value"))
    done = 0
    for at in occurrences("cookie", lower) if source.has("cookie") else ():
        if at >= done and (found := _cookies(text, at + len("cookie"))):
            done = found.end()
            yield from _each_cookie(text, found.start("value"), done)


def _authorization(text: str, at: int) -> Iterator[SecretSpan]:
    found = _AUTHORIZATION.match(text, at)
    if found is None:
        return
    value, scheme = found["value"], (found["scheme"] or "").strip()
    if "=" in value and (
        parts := list(_TELLING_PART.finditer(text, found.start("value"), _line_end(text, at)))
    ):
        for part in parts:
            yield SecretSpan(part.start("value"), part.end("value"), "authorization")
        return
    if value.endswith(("...", "…")):
        return
    value = value.rstrip(".,:;)!?}]")
    if _is_credential(value, is_sure=bool(scheme)):
        yield SecretSpan(found.start("value"), found.start("value") + len(value), "authorization")


def _bearer(text: str, at: int, lower: str) -> Iterator[SecretSpan]:
    if at and (lower[at - 1].isalnum() or lower[at - 1] in "_"):
        return
    found = _BEARER.match(text, at)
    if found is None:
        return
    value = found["value"].rstrip(".")
    if found["value"].endswith("...") or text[found.end() : found.end() + 1] == "…":
        return
    is_padded = lower.startswith("basic", at) and len(value) >= 12 and value.endswith("=")
    is_long = len(value) >= 16 or is_padded
    if (
        is_long
        and _is_credential(value, is_sure=False)
        and (any(one.isdigit() for one in value) or values.is_random(value))
    ):
        yield SecretSpan(found.start("value"), found.start("value") + len(value), "authorization")


def _is_credential(value: str, *, is_sure: bool) -> bool:
    if len(value) < 6 or values.is_placeholder(value) or _WORDS_BEHIND.fullmatch(value):
        return False
    if re.match(r"[\w.]+[\[(]|[a-z]+(?:\.[a-zA-Z]+)+$", value):
        return False
    has_digit = any(one.isdigit() or one == "=" for one in value)
    return has_digit or (
        bool(re.search(r"[a-z][A-Z]", value)) and (is_sure or values.is_random(value))
    )


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _cookies(text: str, at: int) -> re.Match[str] | None:
    return _COOKIES.match(text, at + (1 if text[at : at + 1] == "s" else 0))


def _each_cookie(text: str, begin: int, end: int) -> Iterator[SecretSpan]:
    for cookie in _COOKIE.finditer(text, begin, end):
        name, value = cookie["name"].lower(), cookie["value"]
        if name in _ATTRIBUTES or values.is_placeholder(value):
            continue
        telling = (
            bool(_TELLING_COOKIE.search(name))
            and len(value) >= 8
            and any(one.isdigit() for one in value)
        )
        if telling or values.is_random(value):
            yield SecretSpan(cookie.start("value"), cookie.end("value"), "cookie")
