"""Secrets in files and lines of a known form: `.netrc`, `.pgpass` and others of `forms.toml`."""

import functools
import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

# So far in front of a hint its line is looked at, and so far behind it.
_LINE, _REACH = 200, 800
_FIRST_WORD = re.compile(r"[a-z0-9_-]{3,}")
_WORDS_OF_A_SENTENCE = frozenset("the and for are was from not but".split())


class Form(NamedTuple):
    """How secrets of a kind stand in a line, which has one of *hints*."""

    kind: str
    hints: tuple[str, ...]
    pattern: str


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the secrets in *source* that stand in a line of a known form."""
    vocabulary, lower = source.vocabulary, source.lower
    # Nearly every text has none, and there are many to look for: so no call for each.
    hinted = {form: None for word, hint, form in _hints() if word in vocabulary and hint in lower}
    for form in hinted:
        for found in _near(form, source):
            value = found["value"]
            if _is_secret(form.kind, value):
                begin = found.start("value") + len(value) - len(value.lstrip())
                yield SecretSpan(begin, begin + len(value.strip()), form.kind)


def _is_secret(kind: str, value: str) -> bool:
    if kind == "password-hash":
        return True
    if kind == "seed-phrase" and not _WORDS_OF_A_SENTENCE.isdisjoint(value.split()):
        return False
    return not values.is_placeholder(value)


def _near(form: Form, source: Text) -> Iterator[re.Match[str]]:
    """Yield what *form* finds on the lines of *source* that have one of its hints, and behind."""
    for begin, end in _stretches(form.hints, source):
        yield from _compiled(form.pattern).finditer(source.raw, begin, end)


def _stretches(hints: tuple[str, ...], source: Text) -> list[tuple[int, int]]:
    """Return the parts of *source* to look at, none twice: hints may stand close together."""
    places = sorted(at for hint in hints for at in occurrences(hint, source.lower))
    parts: list[tuple[int, int]] = []
    for at in places:
        begin = max(source.raw.rfind("\n", max(at - _LINE, 0), at) + 1, at - _LINE, 0)
        if parts and begin <= parts[-1][1]:
            parts[-1] = (parts[-1][0], at + _REACH)
        else:
            parts.append((begin, at + _REACH))
    return parts


@functools.cache
def _forms() -> tuple[Form, ...]:
    text = resources.files(__package__).joinpath("forms.toml").read_text("utf-8")
    rows = tomllib.loads(text)["forms"]
    return tuple(Form(row["name"], tuple(row["hints"]), row["pattern"]) for row in rows)


@functools.cache
def _hints() -> tuple[tuple[str, str, Form], ...]:
    """Return each hint behind its first word, which is looked for among a text's few words."""
    return tuple(
        (word[0] if (word := _FIRST_WORD.search(hint)) else "", hint, form)
        for form in _forms()
        for hint in form.hints
    )


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
