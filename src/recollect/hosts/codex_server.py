"""Our MCP server in Codex' config.toml: put in and taken out as text, so that nothing else moves.

Codex writes to that file, too, and so does the user. The text is changed only if reading it shows
that exactly our server came or went.
"""

import json
import re
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
    value = tomllib.loads(text)
    if tomllib.loads(after) != {**value, TABLE: {**_at(value, TABLE), NAME: wanted}}:
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
    value = tomllib.loads(text)
    rest = {name: one for name, one in _at(value, TABLE).items() if name != NAME}
    if {TABLE: {}, **tomllib.loads(after)} != {**value, TABLE: rest}:
        raise ValueError(f"{KEY} is written in a way of its own")
    return after


def reviewed(text: str) -> set[str]:
    """Return the keys of the hooks that the user has reviewed."""
    state = _at(_at(tomllib.loads(text), "hooks"), "state")
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


def _repaired(text: str, found: Json, wanted: Json) -> str:
    """*text*, in which the lines of our server that is *found* say what is *wanted*."""
    table = _OURS.search(text)
    if not table:
        return text
    ours, end = table[0], documents.line_end(text)
    for key in (key for key, value in wanted.items() if value != found.get(key)):
        line = _line(key, wanted[key]).replace("\n", end)
        old = re.search(rf"^[ \t]*{key}[ \t]*=.*(?:\n|\Z)", ours, re.MULTILINE)
        begin, stop = old.span() if old else 2 * (ours.index("\n") + 1,)
        ours = f"{ours[:begin]}{line}{ours[stop:]}"
    return text[: table.start()] + ours + text[table.end() :]


def _cut(text: str, found: re.Match[str]) -> str:
    """*text* without what was *found*, and without the line's end that was put in front of it.

    It stays where it ends a line of the user's.
    """
    before, after = text[: found.start()], text[found.end() :]
    end = documents.line_end(text)
    if not after or after.startswith(end) or before.endswith(2 * end):
        before = before.removesuffix(end)
    return before + after


def _line(key: str, value: object) -> str:
    return f"{key} = {_on_one_line(value)}\n"


def _server(text: str) -> Json | None:
    servers = _at(tomllib.loads(text), TABLE)
    return dict(_at(servers, NAME)) if NAME in servers else None


def _at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
