"""The few settings a hook needs, flattened by the worker into one file.

The file names the TOML it was made from, with size and time. A hook that finds them changed,
or a setting in the environment, reads everything itself: slower, still right.
"""

import os

from recollect import paths
from recollect.hooks.payload import parse

# The settings that a hook asks for.
NEEDED = (
    "display",
    "context.enabled",
    "context.categories",
    "capture.enabled",
    "capture.exclude_paths",
    "start.enabled",
    "start.budget_tokens",
    "recall.enabled",
    "recall.limit",
    "recall.min_score",
    "recall.budget_tokens",
    "subagents.enabled",
    "subagents.budget_tokens",
    "files.enabled",
    "files.budget_tokens",
)


def values(home: str, project: str) -> dict[str, object]:
    """Return the settings of *project* by dotted name."""
    if not paths.sets_something(dict(os.environb)):
        prepared = _prepared(home)
        known = _table(prepared, "sources")
        if known and all(known.get(path, 0) == stamp(path) for path in sources(home, project)):
            every = _table(prepared, "projects")
            chosen = _table(every, project) or _table(every, "")
            # An older version, which knew less, may have prepared them.
            if all(key in chosen for key in NEEDED):
                return chosen
    from recollect import config  # noqa: PLC0415 - heavy; only when the prepared file is out of date

    flat = config.load(home, project=project).flat()
    return {key: flat[key] for key in NEEDED}


def number(values: dict[str, object], key: str) -> float:
    """Return the setting *key* of *values* as a number."""
    value = values[key]
    return value if isinstance(value, (int, float)) else 0.0


def texts(values: dict[str, object], key: str) -> list[object]:
    """Return the setting *key* of *values* as a list."""
    value = values[key]
    return value if isinstance(value, list) else []


def made_from(home: str) -> dict[str, object]:
    """Return the files that the prepared settings were made from, each with its stamp."""
    return _table(_prepared(home), "sources")


def sources(home: str, project: str) -> tuple[str, str]:
    """Return the files that decide the settings of *project*."""
    return paths.config(home), paths.project_config(home, project)


def stamp(path: str) -> list[int] | None:
    """Return size and time of the file *path*; None if there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return [found.st_size, found.st_mtime_ns]


def _table(of: dict[str, object], key: str) -> dict[str, object]:
    found = of.get(key)
    return found if isinstance(found, dict) else {}


def _prepared(home: str) -> dict[str, object]:
    try:
        with open(paths.hook_settings(home), encoding="utf-8") as file:
            return parse(file.read())
    except (OSError, ValueError):
        return {}
