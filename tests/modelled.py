"""A project whose turns a model looks at: the model is scripted, everything else is real."""

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from recollect import paths
from recollect.app.recollect import Recollect
from recollect.curation.curator import NoteFilter
from recollect.journal.model import JournalEntry, LibraryItem
from recollect.llm.engine import Asked, Completion
from recollect.store import queue
from recollect.store.contract.notes import StoredNote
from recollect.store.contract.state import Pause, QueuedTurn, Session, Spent
from recollect.transcripts import events

Reply = str | BaseException | Callable[[Asked], str]


class Scripted:
    """An engine that answers from a script; the last answer repeats."""

    name = "scripted"
    default_model = "small-1"

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.stop_reason = "end"
        self._replies: list[Reply] = [NOTHING]

    def answers(self, *replies: Reply) -> None:
        """From now on answer with these, one after the other."""
        self._replies = list(replies)

    def ask(self, asked: Asked) -> Completion:
        self.asked.append(asked)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, BaseException):
            raise reply
        said = reply(asked) if callable(reply) else reply
        return Completion(
            text=said,
            model=asked.model or self.default_model,
            spent=Spent(input_tokens=100, output_tokens=10),
            stop=self.stop_reason,  # type: ignore[arg-type]
        )

    def stop(self) -> None:
        """Nothing is ever under way."""


class Modelled:
    """A home with an engine, and a project at which events arrive."""

    def __init__(
        self,
        tmp_path: Path,
        settings: Mapping[str, object] | None = None,
        *,
        scripted: bool = True,
    ) -> None:
        """Without a *scripted* engine the settings say which one is asked."""
        self.folder = tmp_path / "shop"
        self.folder.mkdir()
        self.home = tmp_path / "home"
        self.engine = Scripted()
        self.now = time.time()
        self._minutes = 0
        # Sessions of today, so that what is said now is later than what was said then.
        self._began = datetime.now(UTC) - timedelta(hours=3)
        self.set(**{"synthesis.engine": "openai", "synthesis.when": "turn", **(settings or {})})
        self.app = Recollect(str(self.home), engine=(lambda _: self.engine) if scripted else None)

    def set(self, **settings: object) -> None:
        """Write settings, in place of those before."""
        self.home.mkdir(mode=0o700, exist_ok=True)
        lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
        Path(paths.config(str(self.home))).write_text("\n".join(lines) + "\n")

    def event(self, name: str, /, *, session: str = "s-1", **fields: object) -> None:
        """One more event, a minute after the last."""
        self._minutes += 1
        payload = {"session_id": session, "cwd": str(self.folder), **fields}
        at = self._began + timedelta(minutes=self._minutes)
        self.app.intake.arrive(events.parse(json.dumps(payload).encode(), name=name, at=at))

    def turn(
        self,
        prompt: str,
        answer: str = "Done.",
        *,
        key: str = "",
        session: str = "s-1",
        tools: list[dict[str, object]] | None = None,
    ) -> None:
        """A whole turn; each of *tools* is what a hook says of a call."""
        key = key or f"p-{self._minutes}"
        self.event("UserPromptSubmit", session=session, prompt=prompt, prompt_id=key)
        for number, tool in enumerate(tools or []):
            self.event("PostToolUse", session=session, tool_use_id=f"{key}-{number}", **tool)
        self.event("Stop", session=session, last_assistant_message=answer, prompt_id=key)

    def edited(self, name: str) -> dict[str, Any]:
        """A call that wrote the file *name*."""
        return {
            "tool_name": "Write",
            "tool_input": {"file_path": str(self.folder / name), "content": "x"},
            "tool_response": {"type": "create"},
        }

    def ran(self, command: str, output: str) -> dict[str, object]:
        """A command that was run."""
        return {
            "tool_name": "Bash",
            "tool_input": {"command": command},
            "tool_response": {"stdout": output},
        }

    def work(self, *, later: float = 0.0) -> bool:
        """Let the enrichment look once, *later* by so many seconds than the last time."""
        self.now += later
        return self.app.models.enrichment.work(now=self.now)

    def work_all(self) -> int:
        """Let it work until nothing is due; return how often it did."""
        done = 0
        while self.work():
            done += 1
            assert done < 50, "it loops"
        return done

    @property
    def project(self) -> str:
        (one,) = self.app.projects.all()
        return one.name

    def session(self, name: str = "s-1") -> Session:
        found = self.app.inside.state.sessions.find(name)
        assert found
        return found

    def entries(self, session: str = "s-1") -> list[JournalEntry]:
        return self.app.inside.library(self.project).entries_of(session)

    def summary(self) -> LibraryItem:
        library = self.app.inside.library(self.project)
        found = [one for day in library.days() for one in library.items_on(day)]
        (summary,) = [one for one in found if one.kind == "summary"]
        return summary

    def journal(self) -> str:
        return "".join(day.read_text() for day in self.home.glob("projects/*/journal/*.md"))

    def notes(self) -> list[StoredNote]:
        held = self.app.notes.listed([self.project], NoteFilter())
        return [one for one in held if one.note.category != "session_summary"]

    def waiting(self) -> list[QueuedTurn]:
        return queue.waiting(self.app.inside.state)

    def aside(self) -> list[QueuedTurn]:
        return queue.set_aside(self.app.inside.state)

    def pauses(self) -> list[Pause]:
        """Why models rest, or did last."""
        return self.app.models.pauses()


NOTHING = json.dumps({"kind": "nothing"})


def observation(
    title: str, text: str = "", *, turn: int = 1, facts: str = "", files: str = ""
) -> str:
    """An object as a model writes it; *facts* and *files* are divided by `;`."""
    return json.dumps(
        {
            "kind": "observation",
            "turn": turn,
            "type": "bugfix",
            "title": title,
            "text": text,
            "facts": [one.strip() for one in facts.split(";") if one.strip()],
            "files_modified": [one.strip() for one in files.split(";") if one.strip()],
        }
    )


def summary(request: str, **fields: str) -> str:
    """A summary as a model writes it."""
    names = ("investigated", "learned", "completed", "next_steps", "notes")
    told = {name: fields.get(name, "") for name in names}
    return json.dumps({"kind": "summary", "request": request, **told})


def note(
    category: str,
    title: str,
    *,
    action: str = "create",
    target: str = "",
    sure: float = 0.9,
    **fields: object,
) -> str:
    """A note as a model writes it; a `reason` is the note's own and the category's."""
    return json.dumps(
        {
            "kind": "note",
            "turn": 1,
            "category": category,
            "action": action,
            "target": target,
            "confidence": sure,
            "title": title,
            "fields": fields,
            "reason": fields.get("reason", ""),
        }
    )


def verdict(said: str, reason: str = "") -> str:
    """What a check says."""
    return json.dumps({"kind": "verdict", "verdict": said, "reason": reason})
