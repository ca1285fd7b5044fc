"""Secrets in addresses: who logs in, what a signed address is signed with."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.spans import Span, Text, occurrences

_SCHEME = re.compile(r"[A-Za-z0-9+.-]{1,40}+")
# `$PASSWORD`, `{password}`, `%s` and `***` are filled in by somebody else.
_LOGIN = re.compile(
    r"(?P<user>[^\s/?#:@\"'`<>,;()\[\]]*+):(?P<password>[^\s/?#\"'`<>]{1,256}?)@(?=[\w.\[$%{-])"
)
_USER = re.compile(r"(?P<token>[A-Za-z0-9_.~%-]{16,256}+)@(?=[\w.-])")
_PARAMETER = re.compile(
    r"[?&;](?:amp;)?(?P<name>sig|signature|token|access_token|auth_token|auth|api[_-]?key|apikey|key|secret|client_secret|password|passwd|pwd|pass"
    r"|x-amz-signature|x-amz-security-token|x-goog-signature|hmac|sas|st|code|refresh_token|id_token|session|sid|jwt|hash|h|policy|hdnts|hdnea|t|_token|private_token|state|k)"
    r"=(?P<value>[^\s&\"'`<>\\#,;)\]]{8,2048}+)",
    re.IGNORECASE,
)
_SURE = frozenset(
    "sig signature access_token auth_token api_key api-key apikey secret client_secret password passwd pwd pass"
    " x-amz-signature x-amz-security-token x-goog-signature hmac refresh_token id_token private_token token".split()
)
# The address of an error tracker is in every page that it watches.
_PUBLIC_HOST = re.compile(r"[\w.-]{0,60}(?:sentry|ingest)", re.IGNORECASE)
# Whoever has the link of a mail is let in by it.
_LINK = re.compile(
    r"/(?:reset|reset-password|password-reset|magic|magic-link|confirm|invite|invitation|activate|verify|verify-email|login|sso|unlock)(?:/[\w-]{1,24})?/(?P<value>[A-Za-z0-9_.-]{24,512}+)"
)
_DSN = re.compile(
    r"(?P<user>[A-Za-z0-9_.-]{1,64}+):(?P<password>[^\s@:/\"'`]{3,128}+)@(?:tcp|unix|udp)\("
)
_ORACLE = re.compile(
    r"(?P<user>[A-Za-z0-9_]{1,64}+)/(?P<password>[^\s@/\"'`]{4,128}+)@(?://)?[\w.-]+[:/]"
)


def find(source: Text) -> Iterator[Span]:
    """Yield the secrets in the addresses of *text*."""
    text = source.raw
    for at in occurrences("://", text):
        yield from _login(text, at + 3)
    if "tcp" in source.words or "unix" in source.words:
        for found in _DSN.finditer(text):
            yield Span(found.start("password"), found.end("password"), "url-credentials")
    if not source.words.isdisjoint(("oracle", "sqlplus", "expdp", "impdp")):
        for found in _ORACLE.finditer(text):
            if not values.is_placeholder(found["password"]):
                yield Span(found.start("password"), found.end("password"), "url-credentials")
    for found in _LINK.finditer(text):
        if values.is_random(found["value"]):
            yield Span(found.start("value"), found.end("value"), "url-token")
    if "=" in text and ("?" in text or "&" in text):
        for found in _PARAMETER.finditer(text):
            yield from _parameter(found)


def _login(text: str, at: int) -> Iterator[Span]:
    if found := _LOGIN.match(text, at):
        # A password may have an @ of its own; the last one in front of the host counts.
        end = _last_at(text, found.end("password"))
        password = text[found.start("password") : end]
        if _is_filled_in(password) or (
            found["user"].startswith(("$", "{", "%", "<")) and _is_filled_in(found["user"])
        ):
            return
        user = found["user"]
        begin = (
            found.start("user") if values.is_random(user) or not user else found.start("password")
        )
        yield Span(begin if user else found.start("password"), end, "url-credentials")
    elif (
        (found := _USER.match(text, at))
        and values.is_random(found["token"])
        and not _PUBLIC_HOST.match(text, found.end())
    ):
        yield Span(found.start("token"), found.end("token"), "url-credentials")


def _last_at(text: str, end: int) -> int:
    rest = re.compile(r"@[^\s/?#\"'`<>@]{1,128}+(?=@[\w.-])").match(text, end)
    return rest.end() if rest else end


def _is_filled_in(value: str) -> bool:
    return bool(re.match(r"[$*{<]|%[sd({]|%[A-Za-z_]+%", value)) or values.is_placeholder(value)


def _parameter(found: re.Match[str]) -> Iterator[Span]:
    name, value = found["name"].lower(), found["value"]
    if values.is_placeholder(value):
        return
    plain = value.replace("%2F", "/").replace("%2B", "+").replace("%3D", "=")
    likely = (
        values.is_key(plain, quoted=False)
        if name in _SURE
        else values.is_random(plain) and len(plain) >= 20
    )
    if name in ("password", "passwd", "pwd", "pass"):
        likely = values.is_password(plain, quoted=True)
    if likely and not (
        name in ("hash", "h", "t", "state", "k", "code", "st") and not _is_long(plain)
    ):
        yield Span(
            found.start("value"),
            found.end("value"),
            "url-signature" if "sig" in name else "url-token",
        )


def _is_long(value: str) -> bool:
    return len(value) >= 32 and not re.fullmatch(r"[0-9a-f-]+", value)
