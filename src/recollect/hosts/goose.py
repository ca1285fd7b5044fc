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
from recollect.errors import HostError
from recollect.hosts import documents, footing, keepsake, own_entries
from recollect.hosts.entries import Json
from recollect.hosts.plan import SetupPlan, Step

HEADING = "extensions:"
OURS = ("extensions", "recollect")

UNCHANGED = "Nothing was changed. Correct the file, then try again."

# Our lines; blank ones and comments go with it where more of ours follows.
_OURS = re.compile(
    r"^  recollect:[ ]*(?:#.*)?\r?\n(?:(?:[ \t]*(?:#.*)?\r?\n)*    .*\n)+", re.MULTILINE
)


def stands(home: str, path: Path) -> bool:
    """Tell whether the file at *path* starts the server of *home*.

    Raises `HostError` if it names a script of ours and cannot be understood.
    """
    return footing.is_same(home, footing.home_of(_extension(_our_text(path))))


def adding(home: str, path: Path, server: Json) -> SetupPlan:
    """Return what is left to do until *server* stands in *path*, or what the user has to do."""
    before, name = _text(path), footing.short(path)
    if _is_anothers(before):
        return SetupPlan(steps=(), note=own_entries.staying(path, [OURS]))
    after = with_entry(before, server)
    if after == before:
        return SetupPlan(steps=())
    if not after:
        note = f"{name} is written in a way of its own and left as it is. Add this to it:"
        return SetupPlan(steps=(), note=f"{note}\n{snippet(server)}")
    documents.check_writable(path)
    line = f"Add extensions.recollect to {name}, and keep a copy of it; nothing else in it moves"
    if _extension(before):
        line = f"Bring extensions.recollect in {name} up to date; nothing else in it moves"
    return SetupPlan(steps=(Step(line=line, do=partial(_add, home, path, server)),))


def removing(home: str, path: Path) -> SetupPlan:
    """Return what is left to do until our extension is gone from *path*; another home's stays.

    Raises `HostError`, with nothing changed, if the file names a script of ours and cannot be
    understood or written.
    """
    before, name = _our_text(path), footing.short(path)
    there = footing.home_of(_extension(before))
    if there is None:
        return SetupPlan(steps=())
    if not footing.is_same(home, there):
        return SetupPlan(steps=(), note=footing.elsewhere(there))
    if without_entry(before) is None:
        return SetupPlan(steps=(), note=f"Remove extensions.recollect from {name} yourself.")
    documents.check_writable(path)
    line = f"Remove extensions.recollect from {name}; nothing else in it moves"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove, home, path)),))


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
    """Return *text* with our extension in it; empty if there is no safe place for it.

    In one that is there, only how we are started changes.
    """
    if _is_anothers(text):
        return ""
    lines, end = _whole_lines(text)
    there = _extension(text)
    fields = _fields(server) if there is None else own_entries.renewed(there, _started(server))
    after = _inserted(lines, server) if there is None else _repaired(lines, there, fields)
    extensions = {**_extensions(text), "recollect": fields}
    after = after.removesuffix(end)
    return after if _read(after) == {**_read(text), "extensions": extensions} else ""


def without_entry(text: str) -> str | None:
    """Return *text* without our extension, as it was before; None if it cannot be taken out."""
    if footing.home_of(_extension(text)) is None:
        return text
    lines, end = _whole_lines(text)
    after = _OURS.sub("", lines, count=1)
    rest = {name: one for name, one in _extensions(text).items() if name != "recollect"}
    if not rest:
        after = re.sub(rf"^{HEADING}\r?\n(?![ ])", "", after, count=1, flags=re.MULTILINE)
    after = after.removesuffix(end)
    return after if (_extensions(after), _others(after)) == (rest, _others(text)) else None


def _inserted(lines: str, server: Json) -> str:
    heading = re.search(rf"^{HEADING}[ ]*(?:#.*)?\r?\n(?=  \S)", lines, re.MULTILINE)
    place = heading.end() if heading else len(lines)
    added = _entry(server) if heading else snippet(server)
    added = added.replace("\n", documents.line_end(lines))
    return f"{lines[:place]}{added}{lines[place:]}"


def _repaired(lines: str, there: Json, fields: Json) -> str:
    """*lines*, in which those of our entry that is *there* say what *fields* do."""
    found = _OURS.search(lines)
    if not found:
        return ""
    ours, end = found[0], documents.line_end(lines)
    for name in (name for name, value in fields.items() if value != there.get(name)):
        line = f"    {name}: {_scalar(fields[name])}{end}"
        old = re.search(rf"^    {name}:.*\n(?:     .*\n|    -.*\n)*", ours, re.MULTILINE)
        begin, stop = old.span() if old else 2 * (ours.index("\n") + 1,)
        ours = f"{ours[:begin]}{line}{ours[stop:]}"
    return lines[: found.start()] + ours + lines[found.end() :]


def _whole_lines(text: str) -> tuple[str, str]:
    """*text* with its last line ended, and what that added."""
    end = "" if text.endswith("\n") or not text else documents.line_end(text)
    return text + end, end


def _entry(server: Json) -> str:
    # JSON is YAML, on one line.
    lines = [f"    {name}: {_scalar(value)}\n" for name, value in _fields(server).items()]
    return f"  recollect:\n{''.join(lines)}"


def _started(server: Json) -> Json:
    """What of our entry is ours to say."""
    variables = {"envs": server["env"]} if "env" in server else {}
    return {"cmd": server["command"], "args": server["args"], **variables}


def _fields(server: Json) -> Json:
    return {
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


def _scalar(value: object) -> str:
    is_word = isinstance(value, str) and re.fullmatch(r"[a-z]+", value)
    return str(value) if is_word else json.dumps(value)


def _read(text: str) -> Mapping[str, Any]:
    """What *text* says; nothing if it is no YAML, or no mapping."""
    try:
        return _parsed(text)
    except ValueError:
        return {}


def _parsed(text: str) -> Mapping[str, Any]:
    """What *text* says; nothing if it is no mapping. Raises ValueError if it is no YAML."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - only for who has Goose
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    try:
        value = YAML(typ="safe").load(io.StringIO(text))
    except MarkedYAMLError as error:
        where = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise ValueError(f"{where}{error.problem}") from error
    except YAMLError as error:
        raise ValueError(str(error)) from error
    return value if isinstance(value, dict) else {}


def _extensions(text: str) -> dict[str, Any]:
    found = _read(text).get("extensions")
    return found if isinstance(found, dict) else {}


def _extension(text: str) -> Json | None:
    """Our extension, or another's of our name; None if there is none."""
    # Reading YAML is slow, and most files do not name us.
    found = _extensions(text).get("recollect") if "recollect" in text else None
    return found if isinstance(found, dict) else None


def _is_anothers(text: str) -> bool:
    is_named = "recollect" in text and "recollect" in _extensions(text)
    return is_named and footing.home_of(_extension(text)) is None


def _others(text: str) -> dict[str, Any]:
    return {name: value for name, value in _read(text).items() if name != "extensions"}


def _text(path: Path) -> str:
    return files.read_text(path) if path.exists() else ""


def _our_text(path: Path) -> str:
    """The text; one that names no script of ours may be broken, and is none of our business."""
    text = _text(path)
    if footing.SCRIPT in text:
        try:
            _parsed(text)
        except ValueError as error:
            raise HostError(f"{path}: not valid YAML: {error}", hint=UNCHANGED) from error
    return text


def _add(home: str, path: Path, server: Json) -> None:
    text = _text(path)
    after = with_entry(text, server)
    if not after:
        raise _changed(path)
    copy, there = _copy(home, path), footing.home_of(_extension(text))
    if there is None:
        keepsake.keep_bytes(copy, path.read_bytes() if path.exists() else None, of=path)
    else:
        keepsake.take_over(copy, [_copy(there, path)])
    documents.write(path, _encoded(after))


def _remove(home: str, path: Path) -> None:
    after, copy = without_entry(_text(path)), _copy(home, path)
    if after is None:
        raise _changed(path)
    is_gone = not after and keepsake.was_absent(copy)
    keepsake.give_back(copy, path, None if is_gone else _encoded(after))
    keepsake.forget(copy)


def _changed(path: Path) -> HostError:
    return HostError(f"{path}: was changed meanwhile", hint="Run the same command again.")


def _copy(home: str, path: Path) -> Path:
    return footing.keepsakes(home, "goose") / path.name


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
