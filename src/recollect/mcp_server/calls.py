"""A tool call: its arguments checked, one call to `Memory`, and what came of it, told twice.

Once as text for the agent, once as data for its client.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from recollect import fence, paths
from recollect.app import results
from recollect.app.memory import Change, Hits, Memory
from recollect.app.recollect import Recollect
from recollect.context.render import safe
from recollect.errors import ProjectError, RecollectError
from recollect.ids import WHERE_IDS_ARE
from recollect.mcp_server import arguments as checks
from recollect.mcp_server import texts
from recollect.mcp_server.tools import BY_NAME, Tool

EVERY_PROJECT = "*"

EMPTY: tuple[object, ...] = ("", None, (), [], {})

LONGEST_COMPLAINT = 1_000

# Options as a tool is told of them, and what only a person can do.
_ARGUMENTS = {
    "--project": "project",
    "--all-projects": f'project "{EVERY_PROJECT}"',
    "--global": f"project {paths.EVERYWHERE}",
}
_OPTION = re.compile(rf"(?<!\S)(?:{'|'.join(_ARGUMENTS)})\b")
_FOR_PEOPLE = re.compile(r"(?<!\S)--(?:really|yes)\b")

MOST_RESULTS = 50
MOST_EXPANDED = 10
MOST_AROUND = 10
MOST_SESSIONS = 20

Arguments = Mapping[str, Any]
Data = dict[str, Any]


class OpenApp(Protocol):
    """Opens the home that is asked, with the model at hand for *meaning*."""

    def __call__(self, *, meaning: bool) -> AbstractContextManager[Recollect]:
        """Return it for a `with`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What a call came to."""

    text: str
    data: Data = field(default_factory=dict)
    failed: bool = False


def answer(
    name: str, arguments: Arguments, *, folder: str, open_app: OpenApp | None = None
) -> CallResult:
    """Return what the tool *name* answers to *arguments*, asked in *folder*.

    *open_app* opens the home for whoever has the model at hand. Notes are compared by their words
    alone: what is merely near in meaning may be about something else, and would be lost.
    """
    if wrong := misuse(BY_NAME[name], arguments):
        return CallResult(text=f"{name}: {wrong}", failed=True)
    try:
        project = None if asks_all(name, arguments) else arguments.get("project")
        meaning = not BY_NAME[name].writes
        with memory_of(folder, open_app, project=project, meaning=meaning) as memory:
            return _CALLS[name](memory, arguments)
    except Exception as error:  # The edge of a call: an agent is told, and the server goes on.
        return CallResult(text=trouble(name, error), failed=True)


@contextmanager
def memory_of(
    folder: str, open_app: OpenApp | None, *, project: str | None = None, meaning: bool = False
) -> Iterator[Memory]:
    """Open the memory as an agent that works in *folder* may see it."""
    with ExitStack() as opened:
        app = opened.enter_context(open_app(meaning=meaning)) if open_app else None
        memory = Memory(folder=folder, project=project, app=app, confined=True)
        yield opened.enter_context(memory)


def asks_all(name: str, asked: Arguments) -> bool:
    """Tell whether the tool *name* is asked to look into every project."""
    return name == "search" and asked.get("project") == EVERY_PROJECT


def trouble(where: str, error: Exception) -> str:
    """Return what to tell an agent of *error*, which happened there, and what to do."""
    if isinstance(error, RecollectError):
        return explained(error)
    said = safe(f"{where}: {type(error).__name__}: {error}"[:LONGEST_COMPLAINT])
    return f"{said}. The user can run: recollect doctor"


def misuse(tool: Tool, arguments: Arguments) -> str:
    """Return what is wrong with *arguments*; empty if nothing is."""
    return safe("; ".join(map(_short, checks.complaints(tool.schema, arguments))))


def _short(complaint: str) -> str:
    """Return *complaint* without the middle of a value that it repeats."""
    left = len(complaint) - LONGEST_COMPLAINT
    return f"{complaint[:200]} … {complaint[-200:]}" if left > 0 else complaint


def explained(error: RecollectError) -> str:
    """Return what went wrong and what to do; an option of a command is an argument here.

    >>> explained(RecollectError("no memory yet", hint="Use --all-projects."))
    'no memory yet. Use project "*".'
    """
    hint = "" if _FOR_PEOPLE.search(error.hint) else error.hint
    hint = _OPTION.sub(lambda option: _ARGUMENTS[option[0]], hint)
    said = f"{error.message}. {hint}" if hint else f"{error.message}."
    return safe(said[:LONGEST_COMPLAINT])


def _search(memory: Memory, asked: Arguments) -> CallResult:
    try:
        hits = memory.search(
            asked["query"],
            limit=_within(asked.get("limit", 10), 1, MOST_RESULTS),
            all_projects=asks_all("search", asked),
        )
    except ProjectError:
        if (asked.get("project") and not asks_all("search", asked)) or memory.is_known:
            raise
        # A project that nobody worked in yet is no mistake of the agent's.
        hits = Hits(remarks=("This project has no memory yet.",))
    step = texts.DEEPER if hits else texts.NOTHING
    data = _recalled(step, results=hits, remarks=list(hits.remarks))
    here = memory.project if memory.is_known else ""
    return CallResult(text=texts.found(hits, here=here), data=data)


def _expand(memory: Memory, asked: Arguments) -> CallResult:
    around = _within(asked.get("around", 1), 0, MOST_AROUND)
    entries, missing = [], []
    names = list(dict.fromkeys(asked["ids"]))
    if not names:
        raise RecollectError("expand: ids is empty", hint=WHERE_IDS_ARE)
    if left := names[MOST_EXPANDED:]:
        missing.append(f"{len(left)} more not shown: {MOST_EXPANDED} is the most in one call.")
    for name in names[:MOST_EXPANDED]:
        try:
            entries.append(memory.expand(name, before=around, after=around))
        except RecollectError as error:
            missing.append(explained(error))
    entries = texts.fitting(entries)
    text = texts.whole(entries, missing)
    data = _recalled(texts.WHOLE_TURN if entries else "", entries=entries, missing=missing)
    return CallResult(text=text, data=data, failed=not entries)


def _transcript(memory: Memory, asked: Arguments) -> CallResult:
    told, skip = memory.transcript(asked["id"]), max(int(asked.get("skip", 0)), 0)
    turns = texts.affordable(told.turns[skip:])
    left = len(told.turns) - skip - len(turns)
    more = {"session": told.session, "more": max(left, 0)}
    data = _recalled(texts.rest(told, turns, skip=skip), turns=turns, **more)
    return CallResult(text=texts.said(told, turns, skip=skip), data=data)


def _recent(memory: Memory, asked: Arguments) -> CallResult:
    if not asked.get("project") and not memory.is_known:
        nothing = _recalled(texts.NO_SESSION, sessions=[], left_open=[])
        return CallResult(text=texts.recent([], []), data=nothing)
    past = texts.short(memory.recent(limit=_within(asked.get("limit", 3), 1, MOST_SESSIONS)))
    threads = memory.left_open()
    step = texts.WHOLE_SESSION if past else texts.NO_SESSION
    data = _recalled(step, sessions=past, left_open=threads)
    return CallResult(text=texts.recent(past, threads), data=data)


def _remember(memory: Memory, asked: Arguments) -> CallResult:
    return _changed(
        memory.remember(
            asked["text"],
            category=asked.get("category"),
            title=asked.get("title", ""),
            everywhere=asked.get("everywhere", False),
            author="agent",
        )
    )


def _revise(memory: Memory, asked: Arguments) -> CallResult:
    name, text, read_at = asked["id"], asked.get("text", ""), asked.get("hash", "")
    was_cut, read_at = read_at.startswith(texts.PART), read_at.removeprefix(texts.PART)
    match asked["action"]:
        case "edit":
            if not text:
                raise RecollectError("revise: edit needs text", hint="Say all of the note anew.")
            if was_cut:
                raise RecollectError(
                    f"{name}: you have read only a part of it, and would lose the rest",
                    hint="Expand it alone; what is too long even then is the user's to edit.",
                )
            title = asked.get("title", "")
            return _changed(memory.edit(name, text, title=title, hash=read_at, author="agent"))
        case "supersede":
            by = asked.get("by", "")
            if bool(by) == bool(text):
                raise RecollectError(
                    "revise: supersede needs either by or text",
                    hint="by is the id of a note; text makes a new one.",
                )
            return _changed(memory.supersede(name, by=by, text=text, hash=read_at, author="agent"))
        case "wrong":
            return _changed(memory.dispute(name, said=asked.get("reason", "") or text))
        case "retire":
            return _changed(memory.retire(name, reason=asked.get("reason", ""), hash=read_at))
        case _:
            return _changed(memory.restore(name))


def _forget(memory: Memory, asked: Arguments) -> CallResult:
    return _changed(memory.forget(asked["id"]))


def _within(number: int, least: int, most: int) -> int:
    return int(min(max(number, least), most))  # JSON has no integers: 2.0 is one, too.


def _recalled(step: str, **told: object) -> Data:
    """Return what is remembered as data, inside its fence, with a word on what to do next.

    Some clients show the agent nothing else.
    """
    data = {name: _told(value) for name, value in told.items()}
    following = {"next": step} if step else {}
    return {
        "begins": f"<{fence.TAG}>",
        "about": fence.EXPLANATION,
        **data,
        **following,
        "ends": f"</{fence.TAG}>",
    }


def _told(value: object) -> object:
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return _safe(value)


def _changed(done: Change) -> CallResult:
    told = _plain(done)
    assert isinstance(told, dict), "it has fields"
    return CallResult(text=texts.changed(done), data=told, failed=done.outcome == "failed")


_CALLS: Mapping[str, Callable[[Memory, Arguments], CallResult]] = {
    "search": _search,
    "expand": _expand,
    "transcript": _transcript,
    "recent": _recent,
    "remember": _remember,
    "revise": _revise,
    "forget": _forget,
}


def _plain(one: object) -> object:
    """Return *one* for JSON, without what is empty, and safe: some clients show it to the agent."""
    return _safe(results.as_data(one, time=partial(datetime.isoformat, timespec="seconds")))


def _safe(value: object) -> object:
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, Mapping):
        return {name: _safe(one) for name, one in value.items() if one not in EMPTY}
    return [_safe(one) for one in value] if isinstance(value, list | tuple) else value
