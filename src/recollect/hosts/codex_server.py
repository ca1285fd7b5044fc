"""Our MCP server in Codex' config.toml: put in and taken out as text, so that nothing else moves.

Codex writes to that file, too. Our table is cut out where it stands as we wrote it; where the user
changed it, tomlkit takes it out and leaves all else as it is.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from recollect.hosts.entries import Json

TABLE, NAME = "mcp_servers", "recollect"
KEY = f"{TABLE}.{NAME}"
SCRIPT = "/claude-code/bin/recollect"

# As `with_server` writes it, and nothing of the user's behind it.
_OURS = re.compile(
    rf"\n\[{TABLE}\.{NAME}\]\ncommand = [^\n]*{SCRIPT}[^\n]*\nargs = \[\"mcp\"\]\n"
    r"(?:env = \{[^\n]*\}\n)?(?=\s*(?:\[|\Z))"
)


def is_anothers(text: str) -> bool:
    """Tell whether the user has a server of our name that is none of ours."""
    found = _server(text)
    return found is not None and not _is_ours(found)


def stands(text: str, server: Json) -> bool:
    """Tell whether *server* is in *text*, whatever the user set besides."""
    found = _server(text)
    return found is not None and server.items() <= dict(found).items()


def starts(text: str, server: Json) -> bool:
    """Tell whether *text* has a server that starts what *server* does."""
    return bool((_server(text) or {}).get("command") == server["command"])


def with_server(text: str, server: Json) -> str:
    """Return *text* with *server* as its last table.

    Raises ValueError if that would not be TOML: the servers are written in a way of their own.
    """
    lines = "".join(f"{key} = {_on_one_line(value)}\n" for key, value in server.items())
    added = f"{without_server(text)}\n[{KEY}]\n{lines}"
    tomllib.loads(added)
    return added


def without_server(text: str) -> str:
    """Return *text* without our server, as it was before; another's of that name stays."""
    found = _server(text)
    if found is None or not _is_ours(found):
        return text
    cut = _OURS.sub("", text, count=1)
    return cut if _server(cut) is None else _taken_out(text)


def reviewed(text: str) -> set[str]:
    """Return the keys of the hooks that the user has reviewed."""
    state = _at(_at(tomllib.loads(text), "hooks"), "state")
    return {key for key, told in state.items() if _at(state, key).get("trusted_hash")}


def _on_one_line(value: object) -> str:
    """*value* in TOML; its strings and lists are those of JSON."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return f"{{{', '.join(f'{key} = {_on_one_line(one)}' for key, one in value.items())}}}"


def _taken_out(text: str) -> str:
    import tomlkit  # noqa: PLC0415 - heavy, and hardly ever needed
    from tomlkit.items import AbstractTable  # noqa: PLC0415

    document = tomlkit.parse(text)
    servers = document[TABLE]
    assert isinstance(servers, AbstractTable), "our server was found in it"
    servers.remove(NAME)
    if not servers:
        document.remove(TABLE)
    return tomlkit.dumps(document)


def _server(text: str) -> Mapping[str, Any] | None:
    servers = _at(tomllib.loads(text), TABLE)
    return _at(servers, NAME) if NAME in servers else None


def _is_ours(server: Mapping[str, Any]) -> bool:
    return str(server.get("command", "")).endswith(SCRIPT)


def _at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}
