"""An entry of ours in a TOML file: added, renewed and taken out, and nothing else moves."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Any

from recollect.hosts.documents import Json, less, line_end

# Stands where something was taken out; no TOML holds this character.
_HOLE = "\0"

# A `nan` equals nothing but the very same object, which a text that is read twice must give twice.
_number = cache(float)


def parse(text: str) -> Json:
    """Return what *text* says. Raises ValueError if it is no TOML."""
    return tomllib.loads(text, parse_float=_number)


def with_entry(text: str, keys: Sequence[str], entry: Json) -> str:
    """Return *text* in which *entry* stands under *keys*: where it is, else as the last table.

    Raises ValueError if something else would move.
    """
    from tomlkit.items import InlineTable  # noqa: PLC0415 - heavy, and only for such files

    outer, name = keys
    document = _document(text)
    around: Any = document.get(outer, {})
    if name not in around and not isinstance(around, InlineTable):
        return text + _table(text, keys, entry)
    _refuse_to_move(document, text)
    if name in around:
        _update(around[name], entry)
    else:
        around[name] = _item(entry)
    return str(document.as_string().replace("\r\n", "\n").replace("\n", line_end(text)))


def without_entry(text: str, keys: Sequence[str]) -> str:
    """Return *text* without what stands under *keys*; comments behind it belong to what follows.

    Raises ValueError if something else would move.
    """
    outer, name = keys
    value = parse(text)
    around = value.get(outer, {})
    added = _table(text, keys, around.get(name, {}))
    if text.count(added) == 1:  # As we put it there; else the user has written in it.
        rest = text.replace(added, "")
        if _parsed(rest) in (less(value, outer), {**value, outer: less(around, name)}):
            return rest
    document = _document(text)
    _refuse_to_move(document, text)
    _punch(document, keys)
    after: str = document.as_string()
    while _HOLE in after:
        before, _, behind = after.partition(_HOLE)
        # The line's end in front of it was put there with it, unless it ends a line of the user's.
        if not behind or re.match(r"\r?\n|\0", behind) or re.search(r"\n\r?\n\Z", before):
            before = re.sub(r"\r?\n\Z", "", before)
        after = before + behind
    return after


def _document(text: str) -> Any:
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file

    return tomlkit.parse(text)


def _refuse_to_move(document: Any, text: str) -> None:
    """Raise ValueError if *document* would not be written as the *text* that it was read from."""
    if document.as_string() != text:
        raise ValueError("cannot be written as it is")


def _parsed(text: str) -> Json | None:
    try:
        return parse(text)
    except ValueError:
        return None


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


def _table(text: str, keys: Sequence[str], entry: Json) -> str:
    """Return *entry* as it is put at the end of *text*, with a line's end in front of it."""
    import tomlkit  # noqa: PLC0415 - heavy, and only for hosts with such a file

    table, outer = tomlkit.table(), tomlkit.table(is_super_table=True)
    for key, value in entry.items():
        table.append(key, _item(value))
    rendered = tomlkit.dumps({keys[0]: outer.append(keys[1], table)})
    return f"\n{rendered}".replace("\n", line_end(text))


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
