"""Where a secret stands in a text, and which kind it is."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# What separates words: all but ASCII letters, digits, `_` and `-`.
_WORD_SIGNS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_SPACED = bytes(one if one in _WORD_SIGNS else 32 for one in range(256))
_LONG = 12
# What stands in a mark names a secret that is gone: `[secret:github-token]=…` gives nothing away.
_MARK = re.compile(r"\[(?:secret|redacted):[a-z0-9-]{1,40}\]")


class Text:
    """A text to look through, in the forms that finders need.

    Most texts hold no secret, and a look at their different words is far cheaper than at the whole.
    """

    __slots__ = ("long_together", "long_words", "lower", "raw", "vocabulary", "words")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.lower = _MARK.sub(_blank, lowered(raw))
        # As bytes, because that is several times cheaper.
        words = {*raw.encode("utf-8", "surrogatepass").translate(_SPACED).split()}
        together = b" ".join(words).decode("ascii")
        self.long_words = [word for word in together.split(" ") if len(word) >= _LONG]
        self.long_together = " ".join(self.long_words)
        self.vocabulary = together.lower()
        self.words = frozenset(self.vocabulary.split(" "))

    def has(self, part: str) -> bool:
        """Tell whether *part*, which is in lower case and of one word, stands in the text."""
        if part.isascii():
            return part in self.vocabulary
        return not self.raw.isascii() and part in self.lower

    def hints_at(self, hint: str) -> bool:
        """Tell whether *hint* stands in the text; one with capitals, in one of its long words."""
        if not hint.islower() and hint.isalnum():
            return hint in self.long_together
        return hint in (self.vocabulary if hint.isalnum() else self.lower)


class SecretSpan(NamedTuple):
    """A secret in a text: from *start* to *end*."""

    start: int
    end: int
    kind: str


def occurrences(word: str, text: str) -> Iterator[int]:
    """Yield where *word* begins in *text*, none overlapping another."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _blank(mark: re.Match[str]) -> str:
    return " " * len(mark[0])


def lowered(text: str) -> str:
    """Return *text* in lower case, letter for letter: a few letters become two otherwise."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := one.lower()) == 1 else one for one in text)


def merged(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Return *spans* in order; what overlaps becomes one, named after the one that begins first.

    >>> merged([SecretSpan(4, 9, "b"), SecretSpan(0, 5, "a"), SecretSpan(20, 22, "c")])
    [SecretSpan(start=0, end=9, kind='a'), SecretSpan(start=20, end=22, kind='c')]
    """
    whole: list[SecretSpan] = []
    for span in sorted(spans, key=lambda one: (one.start, -one.end)):
        if whole and span.start < whole[-1].end:
            last = whole[-1]
            whole[-1] = last._replace(end=max(last.end, span.end))
        else:
            whole.append(span)
    return whole
