"""Secrets in tables: CSV, Markdown, what a database prints. The head of a column tells of them."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.names import Strength, strength
from recollect.privacy.spans import SecretSpan, Text, occurrences

_SEPARATORS = ("|", ",", "\t", ";")
_TELLING = ("pass", "secret", "token", "key", "pwd")
_FEWEST, _MOST = 2, 40
_LONGEST_HEAD = 600
_CELL = re.compile(r"[A-Za-z_][\w .#/()-]{0,40}")


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the cells of *source* that stand below a telling head."""
    text, done = source.raw, 0
    heads = {at for hint in _TELLING if source.has(hint) for at in occurrences(hint, source.lower)}
    for at in sorted(heads):
        if at < done:
            continue
        begin, done = text.rfind("\n", 0, at) + 1, _line_end(text, at)
        separator, width, columns = (
            _head(text[begin:done]) if done - begin <= _LONGEST_HEAD else ("", 0, {})
        )
        while columns and done < len(text):
            line = text[done : _line_end(text, done)]
            if line.count(separator) + 1 == width:
                yield from _row(line, done, separator, columns)
            elif not _is_ruler(line):
                break
            done += len(line)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end + 1 if end >= 0 else len(text)


def _head(line: str) -> tuple[str, int, dict[int, Strength]]:
    """Return how a table is divided whose head *line* may be, and which columns hold secrets."""
    if "=" in line or ":" in line:
        return "", 0, {}
    for separator in _SEPARATORS:
        cells = [cell.strip(" \t\n\r\"'") for cell in line.split(separator)]
        named = [one for one in cells if one]
        if _FEWEST <= len(named) <= len(cells) <= _MOST and all(map(_CELL.fullmatch, named)):
            return (
                separator,
                len(cells),
                {
                    n: strong
                    for n, one in enumerate(cells)
                    if (strong := strength(one.replace(" ", "_")))
                },
            )
    return "", 0, {}


def _row(line: str, at: int, separator: str, columns: dict[int, Strength]) -> Iterator[SecretSpan]:
    begin = at
    for number, cell in enumerate(line.split(separator)):
        value = cell.strip(" \t\n\r\"'`")
        if (strong := columns.get(number)) and _is_secret(value, strong):
            start = begin + cell.index(value)
            yield SecretSpan(
                start, start + len(value), "password" if strong is Strength.PASSWORD else "key"
            )
        begin += len(cell) + len(separator)


def _is_secret(value: str, strong: Strength) -> bool:
    if " " in value:
        return False
    if strong is Strength.PASSWORD:
        return values.is_telling_word(value)
    return values.is_key(value, quoted=False, random=True)


def _is_ruler(line: str) -> bool:
    return bool(line.strip()) and not line.strip(" |+-:=\n\r")
