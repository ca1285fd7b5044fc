"""Secrets in files and lines of a known form: `.netrc`, `.pgpass` and others of `forms.toml`."""

import functools
import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from recollect.privacy import values
from recollect.privacy.spans import Span, Text, occurrences

# So far in front of a hint its line is looked at, and so far behind it.
_LINE, _REACH = 200, 800
_FIRST_WORD = re.compile(r"[a-z0-9_-]{3,}")
_WORDS_OF_A_SENTENCE = frozenset("the and for are was from not but".split())


class Form(NamedTuple):
    """How secrets of a kind stand in a line, which has one of *hints*."""

    kind: str
    hints: tuple[str, ...]
    pattern: str


def find(source: Text) -> Iterator[Span]:
    """Yield the secrets in *source* that stand in a line of a known form."""
    for form in _forms():
        for found in _near(form, source):
            value = found["value"]
            if _is_secret(form.kind, value):
                begin = found.start("value") + len(value) - len(value.lstrip())
                yield Span(begin, begin + len(value.strip()), form.kind)


def _is_secret(kind: str, value: str) -> bool:
    if kind == "password-hash":
        return True
    if kind == "seed-phrase" and not _WORDS_OF_A_SENTENCE.isdisjoint(value.split()):
        return False
    return not values.is_placeholder(value)


def _near(form: Form, source: Text) -> Iterator[re.Match[str]]:
    """Yield what *form* finds on the lines of *source* that have one of its hints, and behind."""
    text, done = source.raw, 0
    for hint in form.hints:
        word = _FIRST_WORD.search(hint)
        if word and not source.has(word[0]):
            continue
        for at in occurrences(hint, source.lower):
            begin = max(text.rfind("\n", max(at - _LINE, 0), at) + 1, at - _LINE, 0)
            if begin < done <= at:
                begin = done
            for found in _compiled(form.pattern).finditer(text, begin, at + _REACH):
                done = found.end()
                yield found


@functools.cache
def _forms() -> tuple[Form, ...]:
    text = resources.files(__package__).joinpath("forms.toml").read_text("utf-8")
    rows = tomllib.loads(text)["forms"]
    return tuple(Form(row["name"], tuple(row["hints"]), row["pattern"]) for row in rows)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
