"""Write invented turns as Claude Code writes its transcripts, for `recollect import` to read."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

Row = Mapping[str, Any]


def write(folder: Path, turns: Iterable[Row], *, project: Path) -> None:
    """Write the *turns* of a *project* to *folder*, one file a session."""
    folder.mkdir(parents=True, exist_ok=True)
    in_order = sorted(turns, key=lambda turn: (turn["session"], turn["at"]))
    for session, those in groupby(in_order, key=lambda turn: turn["session"]):
        name = session_id(project.name, session)
        lines = (line for turn in those for line in _lines(turn, name, project))
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def session_id(project: str, session: str) -> str:
    """Return the id that *session* of *project* goes by."""
    return str(uuid5(NAMESPACE_URL, f"{project}/{session}"))


def turn_key(project: str, turn: str) -> str:
    """Return the prompt id that *turn* of *project* goes by."""
    return str(uuid5(NAMESPACE_URL, f"{project}/turn/{turn}"))


def _lines(turn: Row, session: str, project: Path) -> Iterator[dict[str, Any]]:
    began = datetime.fromisoformat(turn["at"])
    for count, (kind, message) in enumerate(_messages(turn, project)):
        yield {
            "type": kind,
            "uuid": str(uuid5(NAMESPACE_URL, f"{session}/{turn['id']}/{count}")),
            "promptId": turn_key(project.name, turn["id"]),
            "sessionId": session,
            "timestamp": (began + timedelta(seconds=count)).isoformat().replace("+00:00", "Z"),
            "cwd": str(project),
            "version": "2.1.325",
            "gitBranch": "main",
            "isSidechain": False,
            "userType": "external",
            "message": message,
        }


def _messages(turn: Row, project: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "user", {"role": "user", "content": turn["prompt"]}
    remarks = list(turn.get("remarks", ()))
    for count, call in enumerate(turn["tools"]):
        if count < len(remarks):
            yield _said(remarks[count])
        name = f"toolu_{turn['id']}_{count}"
        given = {"id": name, "name": call["name"], "input": _placed(call["input"], project)}
        yield "assistant", {"role": "assistant", "content": [{"type": "tool_use", **given}]}
        result = {
            "type": "tool_result",
            "tool_use_id": name,
            "content": str(call.get("output", "")),
            "is_error": bool(call.get("failed")),
        }
        yield "user", {"role": "user", "content": [result]}
    for remark in remarks[len(turn["tools"]) :]:
        yield _said(remark)
    if turn["answer"]:
        yield _said(turn["answer"])


def _said(text: str) -> tuple[str, dict[str, Any]]:
    return "assistant", {"role": "assistant", "content": [{"type": "text", "text": text}]}


def _placed(given: Mapping[str, Any], project: Path) -> dict[str, Any]:
    path = given.get("file_path")
    return {**given, "file_path": str(project / path)} if isinstance(path, str) else dict(given)
