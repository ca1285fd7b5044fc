"""Which hooks in Codex' hooks.json are ours. Pure: JSON in, JSON out.

The user reviews each hook once, and Codex knows it again by its place in the file and by every word
of it. So ours come last, and say nothing that changes from one release to the next.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from recollect.hosts.documents import Json

NAME = "codex"

# Seconds. Codex warns at every start of more than 3 for the end of a session.
TIMEOUTS = {
    "SessionStart": 5,
    "UserPromptSubmit": 5,
    "PostToolUse": 5,
    "Stop": 5,
    "SubagentStart": 5,
    "SubagentStop": 5,
    "PreCompact": 5,
    "SessionEnd": 3,
}
# A launcher that is gone must not fail the host.
LAUNCHED = """sh -c '[ -r "$0" ] && . "$0"; exit 0' """


@dataclass(frozen=True, slots=True, kw_only=True)
class HooksFile:
    """The file, as backups know it."""

    name: str = "hooks.json"
    blank: Json = field(default_factory=dict)

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return *value* without our hooks, and without what they leave empty.

        What was empty *before* stays so.
        """
        events = _hooks(value)
        past = _hooks(before or {})
        rest = {event: _others(groups) for event, groups in events.items()}
        kept = {
            event: groups
            for event, groups in rest.items()
            if groups or event in past or groups == events[event]
        }
        if kept == events:
            return value
        if kept or "hooks" in (before or {}):
            return {**value, "hooks": kept}
        return {key: one for key, one in value.items() if key != "hooks"}


def wanted(launcher: Path, *, variables: Mapping[str, str]) -> Json:
    """Return our groups by event; *variables* are set for the *launcher*."""
    return {
        event: {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}
        for event, timeout in TIMEOUTS.items()
        for command in [_command(launcher, event, variables)]
    }


def with_ours(value: Json, groups: Json) -> Json:
    """Return *value* with our *groups*: where ours were, else behind all others."""
    there = _hooks(value)
    ours = {event: _renewed(there.get(event, []), group) for event, group in groups.items()}
    return {**value, "hooks": {**there, **ours}}


def launchers(value: Json) -> set[str]:
    """Return the launchers that hooks of ours in *value* start, whatever the user set besides."""
    return {_words(command)[-3] for command in _commands(value)}


def misshapen(value: Json) -> str:
    """Name what in *value* should hold hooks and does not; empty if all is well."""
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        return "hooks"
    return next((f"hooks.{name}" for name, one in hooks.items() if not isinstance(one, list)), "")


def review_keys(path: Path, value: Json, groups: Json) -> list[str]:
    """Return by which keys Codex knows our *groups* in the file at *path*."""
    return [
        f"{path}:{_snake(event)}:{_hooks(value)[event].index(group)}:0"
        for event, group in groups.items()
        if group in _hooks(value).get(event, [])
    ]


def _renewed(there: list[Json], group: Json) -> list[Json]:
    """Return what is *there* with *group* in the place of ours, and once."""
    stale = (place for place, one in enumerate(there) if not _others([one]))
    place = there.index(group) if group in there else next(stale, len(there))
    return [*_others(there[:place]), group, *_others(there[place + 1 :])]


def _command(launcher: Path, event: str, variables: Mapping[str, str]) -> str:
    """One line for whatever shell the user has."""
    named = "".join(f"{name}={shlex.quote(value)} " for name, value in variables.items())
    start = f"env {named}{LAUNCHED}" if named else LAUNCHED
    return f"{start}{shlex.quote(str(launcher))} {event} {NAME}"


def _hooks(value: Json) -> dict[str, list[Json]]:
    hooks = value.get("hooks")
    if not isinstance(hooks, dict):
        return {}
    return {event: groups for event, groups in hooks.items() if isinstance(groups, list)}


def _commands(value: Json) -> Iterator[str]:
    for group in (one for groups in _hooks(value).values() for one in groups):
        hooks = group.get("hooks") if isinstance(group, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            if _is_ours(hook):
                yield hook["command"]


def _others(groups: list[Json]) -> list[Json]:
    """Return *groups* without our hooks; a group of nothing else goes with them."""
    kept = []
    for group in groups:
        hooks = group.get("hooks") if isinstance(group, dict) else None
        rest = [one for one in hooks if not _is_ours(one)] if isinstance(hooks, list) else hooks
        if rest == hooks:
            kept.append(group)
        elif rest:
            kept.append({**group, "hooks": rest})
    return kept


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # No shell would take it either.
        return command.split()


def _is_ours(hook: object) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and LAUNCHED in command and command.endswith(f" {NAME}")


def _snake(event: str) -> str:
    """The event as Codex writes it in keys.

    >>> _snake("UserPromptSubmit")
    'user_prompt_submit'
    """
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in event).removeprefix("_")
