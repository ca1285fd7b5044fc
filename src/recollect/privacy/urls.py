"""Secrets in addresses: who logs in, what a signed address is signed with."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

# `$PASSWORD`, `{password}`, `%s` and `***` are filled in by somebody else.
_LOGIN = re.compile(
    r"(?P<user>[^\s/?#:@\"'`<>,;()\[\]]*+):(?P<password>[^\s/?#\"'`<>]{1,256}?)@(?=[\w.\[$%{-])"
)
_REST_OF_PASSWORD = re.compile(r"(?:@[^\s/?#\"'`<>@]{1,128}+){1,8}(?=@[\w.-])")
_USER = re.compile(r"(?P<token>[A-Za-z0-9_.~%-]{16,256}+)@(?=[\w.-])")
_PARAMETER = re.compile(
    # Only the names in any case: so the signs in front are looked for by themselves, fast.
    r"""(?x)
    [?&;](?:amp;)?(?P<name>(?i:
        sig|signature|token|access_token|auth_token|auth|api[_-]?key|apikey|key|secret|client_secret
      | password|passwd|pwd|pass|x-amz-signature|x-amz-security-token|x-goog-signature|hmac|sas|st
      | code|refresh_token|id_token|session|sid|jwt|hash|h|policy|hdnts|hdnea|t|_token|private_token
      | state|k
    ))=(?P<value>[^\s&"'`<>\\#,;)\]]{8,2048}+)"""
)
_PASSWORDS = frozenset("password passwd pwd pass".split())
# Whatever stands behind these lets somebody in, also where it does not look random.
_SURE = frozenset(
    """
    sig signature access_token auth_token api_key api-key apikey secret client_secret
    x-amz-signature x-amz-security-token x-goog-signature hmac refresh_token id_token private_token
    token
    """.split()
)
# Behind these mostly something else stands; only what is long is a secret.
_SELDOM = frozenset("hash h t state k code st".split())
# The address of an error tracker is in every page that it watches.
_PUBLIC_HOST = re.compile(r"[\w.-]{0,60}(?:sentry|ingest)", re.IGNORECASE)
# Whoever has the link of a mail is let in by it.
_LINKS = tuple(
    """
    reset reset-password password-reset magic magic-link confirm invite invitation activate verify
    verify-email login sso unlock
    """.split()
)
_LINK = re.compile(
    rf"/(?:{'|'.join(_LINKS)})(?:/[\w-]{{1,24}})?/(?P<value>[A-Za-z0-9_.-]{{24,512}}+)"
)
_DSN = re.compile(
    r"(?P<user>[A-Za-z0-9_.-]{1,64}+):(?P<password>[^\s@:/\"'`]{3,128}+)@(?:tcp|unix|udp)\("
)
_ORACLE = re.compile(
    r"(?P<user>[A-Za-z0-9_]{1,64}+)/(?P<password>[^\s@/\"'`]{4,128}+)@(?://)?[\w.-]+[:/]"
)


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the secrets in the addresses of *source*."""
    text = source.raw
    for at in occurrences("://", text):
        yield from _login(text, at + 3)
    if "tcp" in source.words or "unix" in source.words:
        for found in _DSN.finditer(text):
            yield SecretSpan(found.start("password"), found.end("password"), "url-credentials")
    if not source.words.isdisjoint(("oracle", "sqlplus", "expdp", "impdp")):
        for found in _ORACLE.finditer(text):
            if not values.is_placeholder(found["password"]):
                yield SecretSpan(found.start("password"), found.end("password"), "url-credentials")
    if not source.words.isdisjoint(_LINKS):
        for found in _LINK.finditer(text):
            if values.is_random(found["value"]):
                yield SecretSpan(found.start("value"), found.end("value"), "url-token")
    if "=" in text and ("?" in text or "&" in text):
        for found in _PARAMETER.finditer(text):
            yield from _parameter(found)


def _login(text: str, at: int) -> Iterator[SecretSpan]:
    if found := _LOGIN.match(text, at):
        # A password may have an @ of its own; the last one in front of the host counts.
        end = _last_at(text, found.end("password"))
        password = text[found.start("password") : end]
        if _is_filled_in(password) or (
            found["user"].startswith(("$", "{", "%", "<")) and _is_filled_in(found["user"])
        ):
            return
        user = found["user"]
        # A user's name that looks random is half of the login: `https://<id>:<token>@…`.
        begin = found.start("user" if user and values.is_random(user) else "password")
        yield SecretSpan(begin, end, "url-credentials")
    elif (
        (found := _USER.match(text, at))
        and values.is_random(found["token"])
        and not _PUBLIC_HOST.match(text, found.end())
    ):
        yield SecretSpan(found.start("token"), found.end("token"), "url-credentials")


def _last_at(text: str, end: int) -> int:
    rest = _REST_OF_PASSWORD.match(text, end)
    return rest.end() if rest else end


def _is_filled_in(value: str) -> bool:
    return bool(re.match(r"[$*{<]|%[sd({]|%[A-Za-z_]+%", value)) or values.is_placeholder(value)


def _parameter(found: re.Match[str]) -> Iterator[SecretSpan]:
    name, value = found["name"].lower(), found["value"]
    plain = value.replace("%2F", "/").replace("%2B", "+").replace("%3D", "=")
    if not values.is_placeholder(value) and _is_parameter(name, plain):
        kind = "url-signature" if "sig" in name else "url-token"
        yield SecretSpan(found.start("value"), found.end("value"), kind)


def _is_parameter(name: str, value: str) -> bool:
    if name in _PASSWORDS:
        return values.is_password(value, quoted=True)
    if name in _SURE:
        return values.is_key(value, quoted=False)
    is_random = values.is_random(value) and len(value) >= 20
    return is_random and (name not in _SELDOM or _is_long(value))


def _is_long(value: str) -> bool:
    return len(value) >= 32 and not re.fullmatch(r"[0-9a-f-]+", value)
