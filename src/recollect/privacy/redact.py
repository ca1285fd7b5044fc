"""Replace well-known secrets by `[redacted:<kind>]`, and leave ordinary code alone.

A short list of shapes, each with a name, rather than a measure of randomness: commit ids and
UUIDs are random too, and they are what people search for. Every pattern takes linear time:
a match begins only where its own characters do not already run, and repeats never give back
what they took.
"""

import re
from typing import NamedTuple, NewType

from recollect.privacy import assignments, blocks

Redacted = NewType("Redacted", str)
"""Text that has been through `redact`."""


def clean(text: str) -> Redacted:
    """What of *text* may be kept: no private or injected block, no known secret."""
    return redact(blocks.cut(text))


def redact(text: str) -> Redacted:
    """Return *text* with each known secret replaced by its kind in brackets.

    >>> redact("export GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345")
    'export GITHUB_TOKEN=[redacted:github]'
    >>> redact("password = getpass()")
    'password = getpass()'
    """
    lowered = text.lower()
    for shape in _SHAPES:
        # Most texts hold no secret, and looking for a word is far cheaper than for a pattern.
        if shape.hint in lowered:
            text = shape.pattern.sub(rf"\g<before>[redacted:{shape.kind}]", text)
    return Redacted(assignments.redact(text))


class _Shape(NamedTuple):
    kind: str
    hint: str
    """What every text with such a secret contains, in lower case."""
    pattern: re.Pattern[str]


def _shape(kind: str, secret: str, *, hint: str, before: str = "") -> _Shape:
    """A shape of which *before* stays in the text and *secret* does not."""
    return _Shape(kind, hint, re.compile(f"(?P<before>{before}){secret}"))


def _token(kind: str, prefix: str, rest: str) -> _Shape:
    """A shape that stands as a word of its own: *prefix*, then *rest*."""
    alone = rf"(?<![A-Za-z0-9_-]){re.escape(prefix)}{rest}(?![A-Za-z0-9_-])"
    return _shape(kind, alone, hint=prefix.lower())


# A key in a listing has line numbers, one in source code has quotes and escaped line ends: so
# anything may stand between the two marks, if a line of a key is among it.
_KEY_FOLLOWS = r"(?=[^-]{0,400}?[A-Za-z0-9+/]{24})"
_KEY_TO_ITS_END = r"(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_KEY_LINES = r"(?:(?:\s|\\[nr]|\d{1,6}[\t→:|])*+[A-Za-z0-9+/=]{16,}+)++"

_HEADER_SIGN = r"[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?"
_CREDENTIAL = r"[A-Za-z0-9._~+/=-]"

_SHAPES = (
    _shape(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        rf"{_KEY_FOLLOWS}(?:{_KEY_TO_ITS_END}|{_KEY_LINES})",
        hint="private key",
    ),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{6,}+\.eyJ[A-Za-z0-9_-]{6,}+\.[A-Za-z0-9_-]*+"),
    _token("anthropic", "sk-ant-", r"[A-Za-z0-9_-]{16,}+"),
    _token("openai", "sk-", r"(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}+"),
    _token("openai", "sk-", r"[A-Za-z0-9]{20,}+"),
    _token("github", "gh", r"[oprsu]_[A-Za-z0-9]{36,}+"),
    _token("github", "github_pat_", r"[A-Za-z0-9_]{22,}+"),
    _token("gitlab", "gl", r"(?:pat|dt|rt|ptt|ft|soat|cbt)-[A-Za-z0-9_-]{20,}+"),
    _token("slack", "xox", r"[a-z]-[A-Za-z0-9-]{10,}+"),
    _token("slack", "xapp-", r"[A-Za-z0-9-]{10,}+"),
    _shape("slack", r"[A-Za-z0-9_/]{24,}+", hint=".slack.", before=r"hooks\.slack\.com/services/"),
    _token("stripe", "sk_", r"(?:live|test)_[A-Za-z0-9]{16,}+"),
    _token("stripe", "rk_", r"(?:live|test)_[A-Za-z0-9]{16,}+"),
    _token("stripe", "whsec_", r"[A-Za-z0-9]{16,}+"),
    _token("google", "AIza", r"[A-Za-z0-9_-]{35}"),
    _token("google", "GOCSPX-", r"[A-Za-z0-9_-]{20,}+"),
    _token("google", "ya29.", r"[A-Za-z0-9_-]{20,}+"),
    _token("npm", "npm_", r"[A-Za-z0-9]{36}"),
    _token("pypi", "pypi-", r"[A-Za-z0-9_-]{50,}+"),
    _token("hugging-face", "hf_", r"[A-Za-z0-9]{30,}+"),
    _token("aws", "AKIA", r"[A-Z0-9]{16}"),
    _token("aws", "ASIA", r"[A-Z0-9]{16}"),
    _shape(
        "aws",
        r"[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])",
        hint="access",
        before=rf"(?i:secret_?access_?key){_HEADER_SIGN}",
    ),
    _shape(
        "authorization",
        # Not "Bearer authentication": a word has no digits, and no capital in the middle.
        rf"(?={_CREDENTIAL}{{0,200}}?(?:[0-9=]|[a-z][A-Z])){_CREDENTIAL}{{8,}}+",
        hint="authorization",
        before=rf"(?i:authorization){_HEADER_SIGN}(?i:bearer|basic|token)[ \t]{{1,8}}",
    ),
    _shape(
        "authorization",
        rf"(?={_CREDENTIAL}{{0,200}}?[0-9]){_CREDENTIAL}{{20,}}+",
        hint="bearer",
        before=r"\b[Bb]earer[ \t]{1,8}",
    ),
    _shape(
        "url-credentials",
        # `$PASSWORD`, `{password}`, `%s` and `***` are filled in by somebody else.
        r"[^\s/?#:@\"'`<>]*+:(?![$*{%])[^\s/?#\"'`<>]+(?=@)",
        hint="://",
        before=r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]*+://",
    ),
)
