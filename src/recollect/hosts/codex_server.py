"""Our MCP server in Codex' config.toml: put in and taken out as text, so that nothing else moves.

Codex writes to that file, too, and so does the user. The text is changed only if reading it shows
that exactly our server came or went.
"""

import functools
import json
import re
import shlex
import tomllib
from collections.abc import Mapping
from typing import Any

from recollect.hosts import documents, footing, own_entries
from recollect.hosts.entries import Json

TABLE, NAME = "mcp_servers", "recollect"
KEY = f"{TABLE}.{NAME}"

_HEADING = rf"\[{TABLE}\.{NAME}(?:\.[^\]\n]*)?\].*(?:\n|\Z)"
_VALUE = r"(?![ \t]*(?:\[|#|\r?$)).+(?:\n|\Z)"
_BETWEEN = r"(?:[ \t]*(?:#.*)?\r?\n)*"
# Our table and those within it; comments behind the last value are on what follows.
_OURS = re.compile(rf"^{_HEADING}(?:{_BETWEEN}(?:{_HEADING}|{_VALUE}))*", re.MULTILINE)

# A `nan` equals nothing but the very same object, which a text that is read twice must give twice.
_number = functools.cache(float)


def home_of(text: str) -> str | None:
    """Return the home whose server *text* starts; None if it starts none of ours."""
    return footing.home_of(_server(text))


def is_anothers(text: str) -> bool:
    """Tell whether the user has a server of our name that is none of ours."""
    return _server(text) is not None and home_of(text) is None


def stands(text: str, server: Json) -> bool:
    """Tell whether *server* is in *text*, whatever the user set besides."""
    found = _server(text)
    return found is not None and own_entries.renewed(found, server) == found


def with_server(text: str, server: Json) -> str:
    """Return *text* with *server*: its last table, or the one that is there, started as it says.

    Raises ValueError if there is no safe place for it: the servers are written in a way of their
    own.
    """
    found = _server(text)
    wanted = server if found is None else own_entries.renewed(found, server)
    after = _appended(text, server) if found is None else _repaired(text, found, wanted)
    value = _read(text)
    if _read(after) != {**value, TABLE: {**_at(value, TABLE), NAME: wanted}}:
        raise ValueError(f"{KEY} is written in a way of its own")
    return after


def without_server(text: str) -> str:
    """Return *text* without our server, as it was before; another's of that name stays.

    Raises ValueError if it cannot be taken out: it is written in a way of its own.
    """
    if home_of(text) is None:
        return text
    after = text
    while found := _OURS.search(after):
        after = _cut(after, found)
    value = _read(text)
    rest = {name: one for name, one in _at(value, TABLE).items() if name != NAME}
    if {TABLE: {}, **_read(after)} != {**value, TABLE: rest}:
        raise ValueError(f"{KEY} is written in a way of its own")
    return after


def command(server: Json) -> str:
    """Return the command by which Codex adds *server* itself.

    >>> command({"command": "/my data/r", "args": ["mcp"], "env": {"RECOLLECT_HOME": "/my data"}})
    "codex mcp add recollect --env 'RECOLLECT_HOME=/my data' -- '/my data/r' mcp"
    """
    named = (f"{name}={value}" for name, value in server.get("env", {}).items())
    variables = [word for one in named for word in ("--env", one)]
    started = [server["command"], *server["args"]]
    return shlex.join(["codex", "mcp", "add", NAME, *variables, "--", *started])


def reviewed(text: str) -> set[str]:
    """Return the keys of the hooks that the user has reviewed."""
    state = _at(_at(_read(text), "hooks"), "state")
    return {key for key, told in state.items() if _at(state, key).get("trusted_hash")}


def _on_one_line(value: object) -> str:
    """*value* in TOML; its strings and lists are those of JSON."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return f"{{{', '.join(f'{key} = {_on_one_line(one)}' for key, one in value.items())}}}"


def _appended(text: str, server: Json) -> str:
    lines = "".join(_line(key, value) for key, value in server.items())
    added = f"\n[{KEY}]\n{lines}"
    return text + added.replace("\n", documents.line_end(text))


def _repaired(
    text: str, found: Mapping[str, Any], wanted: Mapping[str, Any], *, table: str = KEY
) -> str:
    """*text*, in which our *table*, which says what was *found*, says what is *wanted*."""
    for key in (key for key in {**found, **wanted} if found.get(key) != wanted.get(key)):
        deeper = f"{table}.{key}"
        if re.search(rf"^\[{re.escape(deeper)}\]", text, re.MULTILINE):
            text = _repaired(text, _at(found, key), _at(wanted, key), table=deeper)
        else:
            text = _with_line(text, table, key, _line(key, wanted[key]) if key in wanted else "")
    return text


def _with_line(text: str, table: str, key: str, line: str) -> str:
    """*text*, in which *line* stands for *key* in *table*; the first, if none did."""
    found = re.search(rf"^\[{re.escape(table)}\].*\n(?:(?!\[).+\n?|\n)*", text, re.MULTILINE)
    if not found:
        return text
    first = text.index("\n", found.start()) + 1
    said = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=.*(?:\n|\Z)", re.MULTILINE)
    old = said.search(text, first, found.end())
    begin, stop = old.span() if old else (first, first)
    return text[:begin] + line.replace("\n", documents.line_end(text)) + text[stop:]


def _cut(text: str, found: re.Match[str]) -> str:
    """*text* without what was *found*, and without the line's end that was put in front of it.

    It stays where it ends a line of the user's. It may be another than the file's own: earlier
    versions put in that of Unix everywhere.
    """
    before, after = text[: found.start()], text[found.end() :]
    if not after or re.match(r"\r?\n", after) or re.search(r"\n\r?\n\Z", before):
        before = re.sub(r"\r?\n\Z", "", before)
    return before + after


def _line(key: str, value: object) -> str:
    return f"{key} = {_on_one_line(value)}\n"


def _read(text: str) -> Json:
    return tomllib.loads(text, parse_float=_number)


def _server(text: str) -> Json | None:
    servers = _at(_read(text), TABLE)
    return dict(_at(servers, NAME)) if NAME in servers else None


def _at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
