"""The kinds of secrets that give themselves away, by the table `kinds.toml`.

Most begin with letters of their own, so one pass over the long words of a text finds them; a
pattern is compiled when its beginning is met, and most texts meet none.
"""

import functools
import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

# As many letters tell which kinds a word may be of; shorter beginnings are looked up by two.
_KEY = 3
_SHORT_KEY = 2
# The shortest secret that is one word.
_FIRST_WORD = re.compile(r"[a-z0-9_-]+")
# An id of a key, which its secret stands beside: `oss.New("LTAI…", "…")`.
_PAIRED = frozenset(
    """
    aws-key-id alibaba-key-id tencent-key-id twilio-key razorpay-key google-hmac-id
    digitalocean-key-id scaleway-key
    """.split()
)
_QUOTED_WORD = re.compile(r"(?:[\"':]|=\s?)(?P<value>[A-Za-z0-9/+_-]{20,64}=?)(?=[\"'\s,;]|$)")
_NEAR = 160
_ESCAPES = frozenset("nrt")


class PrefixedKind(NamedTuple):
    """What secrets of one kind look like: a literal beginning, and a pattern of the rest."""

    name: str
    begins: str
    rest: str

    @property
    def hint(self) -> str:
        """The first word of its beginning, as a text has it among its words."""
        found = _FIRST_WORD.search(self.begins.lower())
        assert found, "each beginning has a letter"
        return found[0]

    def end(self, text: str, at: int) -> int | None:
        """Return where the secret ends that begins at *at*; None where none does."""
        found = _compiled(f"{self.rest}(?![A-Za-z0-9])").match(text, at + len(self.begins))
        return found.end() if found else None


class Shape(NamedTuple):
    """Secrets of a kind without a beginning of its own; one of *hints* stands in or near each."""

    name: str
    hints: tuple[str, ...]
    pattern: str


class Table(NamedTuple):
    """All kinds: by the letters that a word begins with, by a text to look for, by shape."""

    by_letters: dict[str, tuple[PrefixedKind, ...]]
    by_text: dict[str, tuple[PrefixedKind, ...]]
    hinted: tuple[tuple[str, str, tuple[PrefixedKind, ...]], ...]
    """Those by text, each behind its first word, which is looked for among a text's words."""
    by_length: dict[int, tuple[Shape, ...]]
    shapes: tuple[Shape, ...]


@functools.cache
def table() -> Table:
    """Return the table of kinds."""
    rows = tomllib.loads(resources.files(__package__).joinpath("kinds.toml").read_text("utf-8"))
    by_letters: dict[str, list[PrefixedKind]] = {}
    by_text: dict[str, list[PrefixedKind]] = {}
    for row in rows["starting"]:
        for begins in row["starts"]:
            kind = PrefixedKind(row["name"], begins, row["rest"])
            if re.fullmatch(r"[A-Za-z0-9_-]+", begins) and _is_one_word(kind):
                by_letters.setdefault(begins[:_KEY], []).append(kind)
            else:
                by_text.setdefault(begins, []).append(kind)
    by_length: dict[int, list[Shape]] = {}
    for row in rows["words"]:
        for length in range(row["from"], row["to"] + 1):
            by_length.setdefault(length, []).append(
                Shape(row["name"], tuple(row["first"]), row["shape"])
            )
    shapes = (Shape(row["name"], tuple(row["hints"]), row["shape"]) for row in rows["shapes"])
    return Table(
        {key: tuple(kinds) for key, kinds in by_letters.items()},
        {key: tuple(kinds) for key, kinds in by_text.items()},
        tuple((kinds[0].hint, begins, tuple(kinds)) for begins, kinds in by_text.items()),
        {length: tuple(several) for length, several in by_length.items()},
        tuple(shapes),
    )


def names() -> list[str]:
    """Return the names of all kinds."""
    known = table()
    prefixed = (*known.by_letters.values(), *known.by_text.values())
    shaped = (*known.by_length.values(), known.shapes)
    return sorted(
        {kind.name for group in prefixed for kind in group}
        | {shape.name for group in shaped for shape in group}
    )


def beginnings() -> dict[str, list[str]]:
    """Return with which letters secrets begin, for the kinds whose beginning is their own."""
    known = table()
    begins: dict[str, list[str]] = {}
    for group in (*known.by_letters.values(), *known.by_text.values()):
        for kind in group:
            begins.setdefault(kind.name, []).append(kind.begins)
    return begins


def find(text: Text) -> Iterator[SecretSpan]:
    """Yield the secrets in *text* that give themselves away, and what they come in pairs with."""
    found = list(_given_away(text))
    yield from found
    for span in found:
        if span.kind in _PAIRED:
            yield from _other_half(text.raw, span)


def _other_half(text: str, span: SecretSpan) -> Iterator[SecretSpan]:
    """Yield the secret that stands behind a key's id: it has no shape, but looks random."""
    for word in _QUOTED_WORD.finditer(text, span.end, span.end + _NEAR):
        if word["value"] not in text[span.start : span.end] and values.is_random(word["value"]):
            yield SecretSpan(word.start("value"), word.end("value"), "key")
            return


def _given_away(text: Text) -> Iterator[SecretSpan]:
    known, raw = table(), text.raw
    for word in text.long_words:
        if word[0] in _ESCAPES and "\\" in raw:
            # The first letter may be that of a line's end in a quoted text: `\nghp_…`.
            yield from _of_word(raw, known, word[1:], before=f"\\{word[0]}")
        yield from _of_word(raw, known, word)
    vocabulary = text.vocabulary
    for hint, begins, kinds in known.hinted:
        if hint in vocabulary:
            for at in occurrences(begins, raw):
                if _begins_a_word(raw, at):
                    yield from _beginning(raw, at, kinds)
    for shape in known.shapes:
        if any(map(text.hints_at, shape.hints)):
            for found in _compiled(shape.pattern).finditer(raw):
                yield SecretSpan(found.start(), found.end(), shape.name)


def _of_word(text: str, known: Table, word: str, *, before: str = "") -> Iterator[SecretSpan]:
    kinds = known.by_letters.get(word[:_KEY], ()) + known.by_letters.get(word[:_SHORT_KEY], ())
    kinds = tuple(kind for kind in kinds if word.startswith(kind.begins))
    shapes = known.by_length.get(len(word), ())
    if not kinds and not any(word[0] in shape.hints for shape in shapes):
        return
    for found in occurrences(before + word, text):
        at = found + len(before)
        if before or _begins_a_word(text, at):
            yield from _beginning(text, at, kinds)
            if span := _shaped(text, at, shapes):
                yield span


def _beginning(text: str, at: int, kinds: tuple[PrefixedKind, ...]) -> Iterator[SecretSpan]:
    for kind in kinds:
        if text.startswith(kind.begins, at) and (end := kind.end(text, at)):
            yield SecretSpan(at, end, kind.name)
            return


def _shaped(text: str, at: int, shapes: tuple[Shape, ...]) -> SecretSpan | None:
    for shape in shapes:
        if found := _compiled(shape.pattern).match(text, at):
            return SecretSpan(at, found.end(), shape.name)
    return None


def _begins_a_word(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    escaped = text[max(at - 2, 0) : at] in (r"\n", r"\r", r"\t")
    return escaped or not (before.isalnum() or before in "_-")


def _is_one_word(kind: PrefixedKind) -> bool:
    """True when at least twelve letters of a word follow, so that a look at long words finds it."""
    first = kind.rest.partition("]")[0]
    is_broken = kind.rest.startswith((r"\d", "[A-Za-z0-9_-]{7}:")) or "/" in first
    return len(kind.begins) >= _SHORT_KEY and not is_broken


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
