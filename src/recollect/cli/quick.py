"""`recollect search` while a worker runs: ask it and print, before anything heavy is loaded.

Only the plain forms are understood here. Anything else, `--help` and mistakes among it, goes
the ordinary way, which knows every option and says what is wrong.
"""

import os
import sys
from _json import encode_basestring_ascii as quoted

from recollect import line, paths
from recollect.cli import results
from recollect.hooks.payload import parse

SECONDS = 10.0

_FLAGS = {
    "--json": "json",
    "--explain": "explain",
    "--all-projects": "all_projects",
    "--include-archived": "include_archived",
}
_VALUES = {
    "-n": "limit",
    "--limit": "limit",
    "--min-score": "min_score",
    "--project": "project",
}


def search(arguments: list[str]) -> bool:
    """Answer `search` with these *arguments*; False when it must be done the ordinary way."""
    asked = _understood(arguments)
    if asked is None or paths.sets_something(dict(os.environb)):
        return False
    try:
        reply = line.ask(paths.socket(paths.home()), "search", _request(asked), seconds=SECONDS)
    except line.Absent:
        return False
    if not reply:
        return False
    text = reply.decode()
    report = {} if "json" in asked else parse(text)
    if text.startswith('{"error"') or not (report or "json" in asked):
        return False  # It is said the ordinary way.
    if "json" in asked:
        sys.stdout.write(f"{text}\n")
    else:
        results.show(report, explain="explain" in asked)
    return True


def request(  # noqa: PLR0913 - one parameter an option
    question: str,
    *,
    limit: int = 10,
    min_score: float | None = None,
    project: str | None = None,
    all_projects: bool = False,
    include_archived: bool = False,
    explain: bool = False,
) -> bytes:
    """Return what the worker is asked: a search, from the folder where we are."""
    fields = {
        "question": quoted(question),
        "limit": str(limit),
        "min_score": "null" if min_score is None else repr(min_score),
        "project": "null" if project is None else quoted(project),
        "all_projects": "true" if all_projects else "false",
        "include_archived": "true" if include_archived else "false",
        "explain": "true" if explain else "false",
        "folder": quoted(os.getcwd()),
    }
    return ("{" + ",".join(f'"{name}":{value}' for name, value in fields.items()) + "}").encode()


def _request(asked: dict[str, str]) -> bytes:
    return request(
        asked["question"],
        limit=int(asked.get("limit", "10")),
        min_score=float(asked["min_score"]) if "min_score" in asked else None,
        project=asked.get("project"),
        all_projects="all_projects" in asked,
        include_archived="include_archived" in asked,
        explain="explain" in asked,
    )


def _understood(arguments: list[str]) -> dict[str, str] | None:
    """Return what *arguments* say; None if that takes somebody who knows more.

    >>> _understood(["slow", "page", "-n", "3", "--json"])
    {'limit': '3', 'json': 'yes', 'question': 'slow page'}
    >>> _understood(["--help"])
    """
    asked: dict[str, str] = {}
    words = []
    left = list(arguments)
    while left:
        one = left.pop(0)
        if one in _FLAGS:
            asked[_FLAGS[one]] = "yes"
        elif one in _VALUES and left:
            asked[_VALUES[one]] = left.pop(0)
        elif one.startswith("-"):
            return None
        else:
            words.append(one)
    numbers = asked.get("limit", "1").isdigit() and _is_number(asked.get("min_score", "0"))
    if not words or not numbers or ("project" in asked and "all_projects" in asked):
        return None
    return {**asked, "question": " ".join(words)}


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()
