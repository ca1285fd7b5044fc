"""An entry of ours in a YAML file: added, renewed and taken out, and nothing else moves.

A YAML writer would keep comments but move indentation and line breaks. So YAML is read for where
things stand, and the text is changed there alone.
"""

import json
from collections.abc import Sequence
from typing import Any

from recollect.hosts.documents import Json


def parse(text: str) -> Json:
    """Return what *text* says. Raises ValueError if it is no YAML, or no mapping."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - heavy, and only for hosts with such a file

    value = _read(YAML(typ="safe").load, text)
    if not isinstance(value, dict | None):
        raise ValueError("not a mapping")
    return value or {}


def with_entry(text: str, keys: Sequence[str], entry: Json) -> str:
    """Return *text* in which *entry* stands under *keys*: where it is, else as the first one.

    Raises ValueError if what it would stand in is not written as a block.
    """
    outer, name = keys
    lines, end = _whole_lines(text)
    around = _found(_root(lines), outer)
    ours = _found(around[1], name) if around else None
    if around is None:
        after = f"{lines}{outer}:{end}{_block(name, entry, indent=2, end=end)}"
    elif not _is_block(around[1]) or (ours and not _is_block(ours[1])):
        raise ValueError(f"{outer} is not written as a block")
    elif ours is None:
        place = _line_after(lines, around[0].end_mark.index)
        indent = around[1].value[0][0].start_mark.column
        after = lines[:place] + _block(name, entry, indent=indent, end=end) + lines[place:]
    else:
        after = _renewed(lines, ours, parse(text)[outer][name], entry, end=end)
    return after if text.endswith("\n") or not text else after.removesuffix(end)


def without_entry(text: str, keys: Sequence[str]) -> str:
    """Return *text* without what stands under *keys*, if that is written as a block.

    Blank lines and comments go with it where more of it follows.
    """
    outer, name = keys
    lines, end = _whole_lines(text)
    around = _found(_root(lines), outer)
    ours = _found(around[1], name) if around else None
    if not around or not ours or not _is_block(ours[1]):
        return text
    first = ours[0]
    if len(around[1].value) == 1 and _line(lines, around[0]).strip() == f"{outer}:":
        first = around[0]
    begin, stop = _line_start(lines, first.start_mark.index), _line_after(lines, _end(ours[1]))
    after = lines[:begin] + lines[stop:]
    return after if text.endswith("\n") else after.removesuffix(end)


def _renewed(lines: str, ours: Any, said: Json, entry: Json, *, end: str) -> str:
    """Return *lines*, in which the block *ours*, which *said* something else, says *entry*."""
    key, block = ours
    indent = " " * block.value[0][0].start_mark.column
    there = {one.value: (one, value) for one, value in block.value}
    changed = [name for name in entry if name not in said or said[name] != entry[name]]
    # From the end on, so that what is known of the places before stays true.
    for name in sorted(changed, key=lambda one: -_place(there, one, key)):
        if name in there:
            begin = there[name][0].end_mark.index + 1
            stop = max(_end(there[name][1]), begin)
            lines = f"{lines[:begin]} {json.dumps(entry[name])}{lines[stop:]}"
        else:
            place = _line_after(lines, key.end_mark.index)
            line = f"{indent}{name}: {json.dumps(entry[name])}{end}"
            lines = lines[:place] + line + lines[place:]
    return lines


def _place(there: Any, name: str, key: Any) -> int:
    return int((there[name][0] if name in there else key).start_mark.index)


def _block(name: str, entry: Json, *, indent: int, end: str) -> str:
    """Return *entry* as lines; JSON is YAML."""
    deeper = " " * (2 * indent or 2)
    fields = (f"{deeper}{key}: {_scalar(value)}{end}" for key, value in entry.items())
    return f"{' ' * indent}{name}:{end}{''.join(fields)}"


def _scalar(value: object) -> str:
    is_word = isinstance(value, str) and value.isalpha() and value.isascii() and value.islower()
    return str(value) if is_word else json.dumps(value)


def _whole_lines(text: str) -> tuple[str, str]:
    """Return *text* with its last line ended, and how lines end in it."""
    end = "\r\n" if "\r\n" in text else "\n"
    return text if text.endswith("\n") or not text else text + end, end


def _root(text: str) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - see above

    return _read(YAML().compose, text)


def _found(node: Any, name: str) -> Any:
    """Return the key *name* of a mapping and what stands under it; None if nothing does."""
    pairs = node.value if _is_mapping(node) else []
    return next((pair for pair in pairs if pair[0].value == name), None)


def _is_mapping(node: Any) -> bool:
    from ruamel.yaml.nodes import MappingNode  # noqa: PLC0415 - see above

    return isinstance(node, MappingNode)


def _is_block(node: Any) -> bool:
    return _is_mapping(node) and not node.flow_style and bool(node.value)


def _end(node: Any) -> int:
    """Return where the last word of *node* ends; comments behind it are no part of it."""
    if isinstance(node.value, list) and node.value and not node.flow_style:
        last = node.value[-1]
        return max(_end(last[1]), last[0].end_mark.index) if isinstance(last, tuple) else _end(last)
    begin, stop = int(node.start_mark.index), int(node.end_mark.index)
    return stop - (node.end_mark.column == 0 and stop > begin)


def _line(text: str, key: Any) -> str:
    begin = _line_start(text, key.start_mark.index)
    return text[begin : _line_after(text, key.end_mark.index)]


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _line_after(text: str, index: int) -> int:
    return text.index("\n", index) + 1


def _read(read: Any, text: str) -> Any:
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415 - see above

    try:
        return read(text)
    except MarkedYAMLError as error:
        where = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ValueError(f"{where}{error.problem}") from error
    except YAMLError as error:
        raise ValueError(str(error)) from error
