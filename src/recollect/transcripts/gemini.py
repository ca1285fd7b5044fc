"""Read a log of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-….jsonl`.

A turn begins with a prompt of the user's. A message is written again as it grows, so the last
version counts, in the turn where the first one stood. A subagent has a log of its own in a folder
named after the session; its tool calls join the turn during which it began. The log does not say
when a turn is over: an event does, or the next turn. Earlier clients wrote one JSON document.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts import gemini_lines, loose_json, prompts, readings
from recollect.transcripts.gemini_lines import HOST, Message
from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.readings import Reading, whole_lines
from recollect.transcripts.turns import Turn

# What a log begins with, and no other host's does.
MARK = b'"projectHash"'

AGENTS_MARK = b'"kind":"subagent"'
"""The same for the log of a subagent."""

# Beside the folder of logs: the project they are of.
_ROOT = ".project_root"
# The same in a log, where the client tells the agent about the machine.
_WORKSPACE = re.compile(r"\*\*Workspace Directories:\*\*[ \t]*+\n[ \t]*+- (/[^\n]+)")
# A session's folder of subagents is named after it; what is no plain name is nobody's session.
_NAME = re.compile(r"[\w-][\w.-]{0,199}")


def read(path: Path, *, offset: int = 0) -> Reading:
    """The turns of the log at *path* that begin at or after the byte *offset*.

    A last line that is still being written is left for the next reading. An *offset* behind the
    end of the file belongs to another file of that name: this one is read from its start. The
    log of a subagent has no turns: they are read with its session's.
    """
    missing = "Gemini CLI deletes old sessions after a while (sessionRetention in its settings)."
    with readings.opened(path, missing=missing) as file:
        return _read(file, path, offset=offset)


def _read(file: BinaryIO, path: Path, *, offset: int) -> Reading:
    status = os.fstat(file.fileno())
    lines = _GeminiRecords(file, is_document=path.suffix == ".json")
    meta = lines.meta()
    if not text_of(meta, "sessionId"):
        raise TranscriptError(
            f"{path}: not a log of Gemini CLI",
            hint="Its logs are session-….jsonl files under ~/.gemini/tmp.",
        )
    begin = offset if offset <= status.st_size else 0
    conversation = _GeminiConversation(
        session=text_of(meta, "sessionId"),
        cwd=_root_beside(path),
        clock=datetime.fromtimestamp(status.st_mtime, UTC),
    )
    if text_of(meta, "kind") != "subagent":
        for at, record in lines.since(begin):
            conversation.take(record, at)
        if _NAME.fullmatch(conversation.session):
            conversation.take_agents(path.parent / conversation.session)
    kept = conversation.turns
    return Reading(
        turns=tuple(
            turn.close(is_last=turn is kept[-1], cwd=conversation.cwd)
            for turn in kept
            if not turn.prompt.startswith(prompts.OURS)
        ),
        resume_at=kept[-1].at if kept else begin,
        end=max(lines.end, begin),
        session=conversation.session,
        skipped=lines.skipped,
    )


@dataclass(slots=True)
class _GeminiRecords:
    """The records of one log; *end* is behind the last complete line that was read."""

    file: BinaryIO
    is_document: bool = False
    """True for the one JSON document of an earlier client."""
    end: int = 0
    skipped: int = 0

    def meta(self) -> Object:
        """What the log says of its session, wherever reading goes on."""
        if self.is_document:
            return next(self._records(self._whole()), {})
        _, raw = next(whole_lines(self.file, 0), (0, b""))
        meta = next(self._records(raw), {})
        self.skipped = 0  # The line counts when it is read in its turn.
        return meta

    def since(self, start: int) -> Iterator[tuple[int, Object]]:
        """Each record from the byte *start* on, and where its line begins."""
        self.end = start
        if self.is_document:
            for document in self._records(self._whole()):
                yield from (
                    (0, one) for one in list_of(document, "messages") if isinstance(one, dict)
                )
            self.end = self.file.tell()
            return
        for at, raw in whole_lines(self.file, start):
            self.end = at + len(raw)
            for record in self._records(raw):
                yield at, record

    def _whole(self) -> bytes:
        self.file.seek(0)
        return self.file.read()

    def _records(self, raw: bytes) -> Iterator[Object]:
        try:
            yield from loose_json.objects(raw)
        except ValueError:
            self.skipped += 1


@dataclass(slots=True)
class _GeminiTurn:
    """A turn while its messages arrive; *at* is where the first of them begins."""

    key: str
    at: int
    prompt: str
    sent: str
    """What the client made of it, for the agent."""
    session: str
    started: datetime
    ended: datetime
    messages: dict[str, Message] = field(default_factory=dict)
    """The agent's, in their last version."""
    of_agents: list[Message] = field(default_factory=list)
    is_patchy: bool = False
    """True while the client may have left the end of the turn out: it was changing its history."""

    def close(self, *, is_last: bool, cwd: str) -> Turn:
        """The turn as far as it is known; the last one of a log may still grow."""
        own = [*self.messages.values()]
        working = max((place + 1 for place, one in enumerate(own) if one.calls), default=0)
        answer = "\n\n".join(one.said for one in own[working:] if one.said)
        calls = [call for one in (*own, *self.of_agents) for call in one.calls]
        is_cut_off = not is_last and not answer and not self.is_patchy
        return Turn(
            host=HOST,
            session=self.session,
            key=self.key,
            line=self.key,
            prompt=self.prompt,
            answer=answer,
            remarks=tuple(one.said for one in own[:working] if one.said),
            tools=tuple(call.placed(cwd) for call in calls),
            started=self.started,
            ended=self.ended,
            cwd=cwd,
            interrupted=is_cut_off or bool(own and own[-1].is_cancelled),
            finished=not is_last,
            usage=readings.total(one.usage for one in (*own, *self.of_agents)),
        )


@dataclass(slots=True)
class _GeminiConversation:
    """The turns so far, and which of them the next message belongs to."""

    session: str
    cwd: str
    clock: datetime
    """The time of the last message that told it."""
    turns: list[_GeminiTurn] = field(default_factory=list)
    _keys: set[str] = field(default_factory=set)
    _of_message: dict[str, _GeminiTurn] = field(default_factory=dict)
    _is_new: bool = False
    """True from the start of the client, or of another one that resumes, to its first message."""

    def take(self, record: Object, at: int) -> None:
        """Add *record*, which begins at the byte *at*, to the turn it belongs to."""
        if gemini_lines.is_rewritten(record):
            self.cwd = self.cwd or _workspace(object_of(record, "$set"))
            if self.turns:
                self.turns[-1].is_patchy |= not self._is_new
        elif text_of(record, "sessionId"):
            self._is_new = True
        elif (message := gemini_lines.message(record)) is not None:
            self._is_new = False
            self.clock = message.at or self.clock
            if message.sent:
                self._hear(message, at)
            elif self.turns:
                self._add(message)

    def take_agents(self, folder: Path) -> None:
        """Add the tool calls of the subagents whose logs lie in *folder*."""
        for path in sorted(folder.glob("*.jsonl")) if self.turns else ():
            with suppress(OSError), path.open("rb") as file:
                lines = _GeminiRecords(file)
                began = readings.moment(text_of(lines.meta(), "startTime"))
                turn = self._at(began) if began else None
                if turn is not None:
                    turn.of_agents.extend(_work(lines, agent=path.stem))

    def _hear(self, message: Message, at: int) -> None:
        """Begin a turn, unless the client tells the agent to go on with what was asked before."""
        if message.id in self._keys:  # A session that is resumed may be written down once more.
            return
        self._keys.add(message.id)
        last = self.turns[-1] if self.turns else None
        if last and message.prompt == last.prompt and message.sent not in (last.sent, last.prompt):
            return
        turn = _GeminiTurn(
            key=message.id,
            at=at,
            prompt=message.prompt,
            sent=message.sent,
            session=self.session,
            started=self.clock,
            ended=self.clock,
        )
        self.turns.append(turn)

    def _add(self, message: Message) -> None:
        turn = self._of_message.setdefault(message.id, self.turns[-1])
        turn.messages[message.id] = message
        turn.is_patchy = False
        turn.ended = max(turn.ended, self.clock)

    def _at(self, moment: datetime) -> _GeminiTurn | None:
        """The turn that was running at *moment*."""
        begun = [turn for turn in self.turns if turn.started <= moment]
        return begun[-1] if begun else None


def _work(lines: _GeminiRecords, *, agent: str) -> list[Message]:
    """What a subagent did: its calls and its tokens; its words are for its parent."""
    messages: dict[str, Message] = {}
    for _, record in lines.since(0):
        if (message := gemini_lines.message(record)) is not None:
            calls = tuple(replace(call, agent=agent) for call in message.calls)
            messages[message.id] = replace(message, calls=calls)
    return [*messages.values()]


def _root_beside(path: Path) -> str:
    """The project that the log at *path* is of, if the client wrote it down beside it."""
    with suppress(OSError, ValueError):
        root = (path.parent.parent / _ROOT).read_text(encoding="utf-8").strip()
        return root if os.path.isabs(root) else ""
    return ""


def _workspace(copied: Object) -> str:
    """The first folder that the client told the agent of, in a copy of the history."""
    told = [one for one in list_of(copied, "messages") if isinstance(one, dict)]
    for text in (text for one in told[:1] for text in gemini_lines.texts(one.get("content"))):
        if found := _WORKSPACE.search(text):
            return found[1].strip()
    return ""
