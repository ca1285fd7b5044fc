"""Replace secrets by `[secret:<kind>]`, and leave what people search for alone.

Secrets are found where they give themselves away by their shape (`kinds`, a table), where a name
says that one follows (`assigned`, `headers`, `urls`, `tables`), where a program takes one
(`commands`), in files of a known form (`key_blocks`, `kubernetes`, `forms`) and where somebody
tells one (`prose`). What was found once is replaced wherever it stands, also bare. Randomness alone
is no reason: commit ids and UUIDs are random too. Each finder first looks for a word that every
such secret comes with, which is far cheaper than a pattern, and takes linear time.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NewType

from recollect.privacy import (
    assigned,
    blocks,
    commands,
    forms,
    headers,
    key_blocks,
    kinds,
    kubernetes,
    prose,
    tables,
    urls,
    values,
)
from recollect.privacy.names import Strength, strength
from recollect.privacy.spans import SecretSpan, Text, merged, occurrences

Redacted = NewType("Redacted", str)
"""Text that has been through `redact`."""

_FINDERS: tuple[Callable[[Text], Iterator[SecretSpan]], ...] = (
    key_blocks.find,
    kubernetes.find,
    forms.find,
    kinds.find,
    urls.find,
    headers.find,
    assigned.find,
    commands.find,
    prose.find,
    tables.find,
)
# So short a secret may be part of ordinary words; it goes only where it was recognised.
_SHORTEST_REPEATED = 8
_MOST_KNOWN = 1_000
# A secret that stood close to another may be seen only when a mark stands there.
_MOST_PASSES = 4
_MARKED = ("[secret:", "[redacted:")


def clean(text: str) -> Redacted:
    """What of *text* may be kept: no private or injected block, no known secret."""
    return redact(blocks.cut(text))


def redact(text: str) -> Redacted:
    """Return *text* with each secret replaced by its kind in brackets.

    >>> redact("export DB_PASSWORD=k3Jd-9LqZ")
    'export DB_PASSWORD=[secret:password]'
    >>> redact("password = getpass()")
    'password = getpass()'
    """
    for _ in range(_MOST_PASSES):
        spans = find(text)
        if not spans:
            break
        text = _replaced(text, _repeated(text, spans))
    return Redacted(text)


class Redactor:
    """Redacts texts that belong together: what one of them gives away goes from all of them.

    It knows secrets, so it lives in memory alone, and no longer than what it redacts.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def clean(self, text: str, *, name: str = "") -> Redacted:
        """What of *text* may be kept, which may stand under a *name*; its secrets are noted."""
        text = blocks.cut(text)
        spans = find(text) or ([_whole(name, text)] if name and _is_named(name, text) else [])
        for span in spans:
            secret = text[span.start : span.end]
            if _is_known_again(secret) and len(self._known) < _MOST_KNOWN:
                self._known.setdefault(secret, span.kind)
        return redact(_replaced(text, _repeated(text, spans))) if spans else Redacted(text)

    def clean_again(self, text: str) -> Redacted:
        """Return *text*, which was cleaned before, without what was noted since."""
        spans = [
            SecretSpan(at, at + len(secret), kind)
            for secret, kind in self._known.items()
            for at in occurrences(secret, text)
        ]
        return Redacted(_replaced(text, merged(spans)) if spans else text)


def find(text: str) -> list[SecretSpan]:
    """Return where the secrets of *text* stand, in order."""
    source = Text(text)
    spans = (span for finder in _FINDERS for span in finder(source))
    return merged(one for one in spans if _is_left_to_do(text, one))


def _is_left_to_do(text: str, span: SecretSpan) -> bool:
    value = text[span.start : span.end]
    is_in_mark = text.endswith(_MARKED, 0, span.start) or value in ("redacted]", "secret]")
    if is_in_mark or any(mark in value for mark in _MARKED):
        return False
    return span.kind in ("private-key", "password-hash") or not values.is_placeholder(value)


def _repeated(text: str, spans: list[SecretSpan]) -> list[SecretSpan]:
    """*spans*, and wherever else their secrets stand."""
    secrets = {text[one.start : one.end]: one.kind for one in reversed(spans)}
    again = (
        SecretSpan(at, at + len(secret), kind)
        for secret, kind in secrets.items()
        if _is_known_again(secret)
        for at in occurrences(secret, text)
    )
    return merged((*spans, *again))


def _is_named(name: str, value: str) -> bool:
    """True if *name* says that the whole *value* is a secret."""
    strong = strength(name)
    if strong is None or values.is_placeholder(value) or len(value) > values.LONGEST:
        return False
    return strong is Strength.PASSWORD or values.is_key(
        value, quoted=True, random=strong is not Strength.KEY
    )


def _whole(name: str, value: str) -> SecretSpan:
    return SecretSpan(0, len(value), "password" if strength(name) is Strength.PASSWORD else "key")


def _is_known_again(secret: str) -> bool:
    return len(secret) >= _SHORTEST_REPEATED and values.is_telling_word(secret)


def _replaced(text: str, spans: Iterable[SecretSpan]) -> str:
    pieces, done = [], 0
    for span in spans:
        pieces += [text[done : span.start], f"[secret:{span.kind}]"]
        done = span.end
    return "".join((*pieces, text[done:]))
