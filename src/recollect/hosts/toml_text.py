"""An entry of ours in a TOML file: added, renewed and taken out, and nothing else moves."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

from recollect.hosts.documents import Json

# Stands where something was taken out; no TOML holds this character.
_HOLE = "\0"

# A `nan` equals nothing but the very same object, which a text that is read twice must give twice.
_number = cache(float)


def parse(text: str) -> Json:
    """Return what *text* says. Raises ValueError if it is no TOML."""
    return tomllib.loads(text, parse_float=_number)


def with_entry(text: str, keys: Sequence[str], entry: Json) -> str:
    """Return *text* in which *entry* stands under *keys*: where it is, else as the last table."""
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file
    from tomlkit.items import InlineTable  # noqa: PLC0415 - the same

    document = tomlkit.parse(text)
    there: Any = document
    for key in keys:
        there = there.get(key, {})
    around: Any = document.get(keys[0])
    if there:
        _update(there, entry)
        after = tomlkit.dumps(document)
    elif isinstance(around, InlineTable):
        around[keys[1]] = _item(entry)
        after = tomlkit.dumps(document)
    else:
        after = f"{text}\n{_rendered(keys, entry)}"
    is_windows = "\r\n" in text
    return after.replace("\r\n", "\n").replace("\n", "\r\n") if is_windows else after


def without_entry(text: str, keys: Sequence[str]) -> str:
    """Return *text* without what stands under *keys*; comments behind it belong to what follows."""
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file

    document = tomlkit.parse(text)
    _punch(document, keys)
    after = tomlkit.dumps(document)
    while _HOLE in after:
        before, _, behind = after.partition(_HOLE)
        # The line's end in front of it was put there with it, unless it ends a line of the user's.
        if not behind or re.match(r"\r?\n|\0", behind) or re.search(r"\n\r?\n\Z", before):
            before = re.sub(r"\r?\n\Z", "", before)
        after = before + behind
    return after


def _update(table: Any, entry: Json) -> None:
    """Make *table* say what *entry* does; what says it already stays as it is written."""
    for key in [key for key in table if key not in entry]:
        del table[key]
    for key, value in entry.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _update(table[key], value)
        elif table.get(key) != value:
            table[key] = _item(value)


def _item(value: object) -> Any:
    """Return *value* on one line."""
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file

    if not isinstance(value, dict):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _rendered(keys: Sequence[str], entry: Json) -> str:
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file

    table = tomlkit.table()
    for key, value in entry.items():
        table.append(key, _item(value))
    for key in reversed(keys[1:]):
        outer = tomlkit.table(is_super_table=True)
        table = outer.append(key, table)
    return tomlkit.dumps({keys[0]: table})


def _punch(container: Any, keys: Sequence[str], *, is_line: bool = False) -> None:
    """Put a hole where *keys* stand in *container*, wherever parts of it are."""
    from tomlkit.items import InlineTable, Table, Whitespace  # noqa: PLC0415 - see above

    for place, (key, item) in enumerate(container.body):
        if key is None or key.key != keys[0]:
            continue
        if len(keys) > 1 and isinstance(item, InlineTable):
            item.pop(keys[1], None)
        elif len(keys) > 1:
            _punch(item.value, keys[1:], is_line=is_line or key.is_dotted())
        else:
            has_heading = isinstance(item, Table) and not is_line
            hole = _HOLE + _behind(item) if has_heading else ""
            container.body[place] = (None, Whitespace(hole))


def _behind(item: Any) -> str:
    """Return the blank lines and comments that end the table *item*."""
    from tomlkit.items import Table  # noqa: PLC0415 - see above

    text = ""
    for key, inner in reversed(item.value.body if isinstance(item, Table) else []):
        if key is not None:
            return _behind(inner) + text
        text = inner.as_string() + text
    return text
