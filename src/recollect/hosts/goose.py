"""Goose's YAML: our extension is put in and taken out as text, so that nothing else moves.

A YAML writer would keep comments but move indentation and line breaks. The text is changed only if
reading it shows that exactly our entry came or went.
"""

import io
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from recollect import files
from recollect.hosts import documents, footing, keepsake
from recollect.hosts import home as own
from recollect.hosts.entries import Json
from recollect.hosts.plan import Plan, Step

HEADING = "extensions:"
_OURS = re.compile(r"^  recollect:[ ]*\n(?:    .*\n)+", re.MULTILINE)


def stands(path: Path) -> bool:
    """Tell whether our extension is in the file at *path*."""
    text = _text(path)
    return without_entry(text) != text


def adding(home: str, path: Path, server: Json) -> Plan:
    """Return what is left to do until *server* stands in *path*, or what the user has to do."""
    before = _text(path)
    after = with_entry(before, server)
    if after == before:
        return Plan(steps=())
    name = footing.short(path)
    if not after:
        note = f"{name} is written in a way of its own and left as it is. Add this to it:"
        return Plan(steps=(), note=f"{note}\n{snippet(server)}")
    documents.check_writable(path)
    line = f"Add extensions.recollect to {name}, and keep a copy of it; nothing else in it moves"
    return Plan(steps=(Step(line=line, do=partial(_add, home, path, after)),))


def removing(home: str, path: Path) -> Plan:
    """Return what is left to do until our extension is gone from *path*."""
    before = _text(path)
    after = without_entry(before)
    if after == before:
        return Plan(steps=())
    name = footing.short(path)
    if after is None:
        return Plan(steps=(), note=f"Remove extensions.recollect from {name} yourself.")
    documents.check_writable(path)
    line = f"Remove extensions.recollect from {name}; nothing else in it moves"
    return Plan(steps=(Step(line=line, do=partial(_remove, home, path, after)),))


def snippet(server: Json) -> str:
    r"""Return the YAML that a person adds.

    >>> print(snippet({"command": "/r", "args": ["mcp"]}).partition("    name:")[0])
    extensions:
      recollect:
        enabled: true
        type: stdio
    <BLANKLINE>
    """
    return f"{HEADING}\n{_entry(server)}"


def with_entry(text: str, server: Json) -> str:
    """Return *text* with our extension in it; empty if there is no safe place for it."""
    bare = without_entry(text)
    if bare is None:
        return ""
    lines, end = _whole_lines(bare)
    heading = re.search(rf"^{HEADING}[ ]*(?:#.*)?\n(?=  \S)", lines, re.MULTILINE)
    place = heading.end() if heading else len(lines)
    added = _entry(server) if heading else snippet(server)
    after = f"{lines[:place]}{added}{lines[place:]}".removesuffix(end)
    wanted = {**_extensions(bare), **_extensions(snippet(server))}
    return after if _read(after) == {**_read(bare), "extensions": wanted} else ""


def without_entry(text: str) -> str | None:
    """Return *text* without our extension, as it was before; None if it cannot be taken out."""
    extensions = _extensions(text) if footing.SCRIPT in text else {}
    if footing.SCRIPT not in str(extensions.get("recollect")):
        return text
    lines, end = _whole_lines(text)
    after = _OURS.sub("", lines, count=1)
    rest = {name: one for name, one in extensions.items() if name != "recollect"}
    if not rest:
        after = re.sub(rf"^{HEADING}\n(?![ ])", "", after, count=1, flags=re.MULTILINE)
    after = after.removesuffix(end)
    return after if (_extensions(after), _others(after)) == (rest, _others(text)) else None


def _whole_lines(text: str) -> tuple[str, str]:
    """*text* with its last line ended, and what that added."""
    end = "" if text.endswith("\n") or not text else "\n"
    return text + end, end


def _entry(server: Json) -> str:
    fields = {
        "enabled": True,
        "type": "stdio",
        "name": "recollect",
        "description": "What was learned in earlier sessions",
        "cmd": server["command"],
        "args": server["args"],
        "envs": server.get("env", {}),
        "env_keys": [],
        "timeout": 300,
        "bundled": False,
    }
    # JSON is YAML, on one line.
    lines = [f"    {name}: {_scalar(value)}\n" for name, value in fields.items()]
    return f"  recollect:\n{''.join(lines)}"


def _scalar(value: object) -> str:
    is_word = isinstance(value, str) and re.fullmatch(r"[a-z]+", value)
    return str(value) if is_word else json.dumps(value)


def _read(text: str) -> Mapping[str, Any]:
    """What *text* says; nothing if it is no YAML, or no mapping."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - only for who has Goose
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        value = YAML(typ="safe").load(io.StringIO(text))
    except (YAMLError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _extensions(text: str) -> dict[str, Any]:
    found = _read(text).get("extensions")
    return found if isinstance(found, dict) else {}


def _others(text: str) -> dict[str, Any]:
    return {name: value for name, value in _read(text).items() if name != "extensions"}


def _text(path: Path) -> str:
    return files.read_text(path) if path.exists() else ""


def _add(home: str, path: Path, text: str) -> None:
    if not stands(path):
        keepsake.keep_bytes(_copy(home, path), path.read_bytes() if path.exists() else None)
    _write(path, text)


def _remove(home: str, path: Path, text: str) -> None:
    copy = _copy(home, path)
    _write(path, None if not text and keepsake.was_absent(copy) else text)
    own.remove(copy.parent)


def _copy(home: str, path: Path) -> Path:
    return footing.keepsakes(home, "goose") / path.name


def _write(path: Path, text: str | None) -> None:
    documents.write(path, None if text is None else text.encode("utf-8", "surrogateescape"))
