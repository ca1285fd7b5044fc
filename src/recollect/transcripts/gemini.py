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
from datetime import datetime
from pathlib import Path

from recollect.errors import TranscriptError
from recollect.transcripts import gemini_events, gemini_lines, readings, turn_builder
from recollect.transcripts.gemini_lines import HOST, Message
from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.readings import HostReader, JsonLines, OpenLog, Reading
from recollect.transcripts.turn_builder import TurnBuilder, made_by, placed

# Beside the folder of logs: the project they are of.
_ROOT = ".project_root"
# The same in a log, where the client tells the agent about the machine.
_WORKSPACE = re.compile(r"\*\*Workspace Directories:\*\*[ \t]*+\n[ \t]*+- (/[^\n]+)")
# A session's folder of subagents is named after it; what is no plain name is nobody's session.
_NAME = re.compile(r"[\w-][\w.-]{0,199}")


def read(path: Path, *, offset: int = 0) -> Reading:
    """The turns of the log at *path* that begin at or after the byte *offset*.

    A last line that is still being written is left for the next reading. The log of a subagent
    has no turns: they are read with its session's.
    """
    missing = "Gemini CLI deletes old sessions after a while (sessionRetention in its settings)."
    with readings.opened(path, offset, missing=missing) as log:
        return _read(log, path)


def _read(log: OpenLog, path: Path) -> Reading:
    lines = JsonLines(log.file)
    documents = lines.whole() if path.suffix == ".json" else []
    meta = next(iter(documents or lines.first()), {})
    session = text_of(meta, "sessionId")
    if not session:
        raise TranscriptError(
            f"{path}: not a log of Gemini CLI",
            hint="Its logs are session-….jsonl files under ~/.gemini/tmp.",
        )
    conversation = _GeminiConversation(session=session, cwd=_root_beside(path), clock=log.clock)
    if text_of(meta, "kind") != "subagent":
        for at, record in _messages(documents) if documents else lines.since(log.begin):
            conversation.take(record, at)
        if _NAME.fullmatch(session):
            conversation.take_agents(path.parent / session)
    built = [turn.build(conversation.cwd) for turn in conversation.turns]
    return turn_builder.reading(built, host=HOST, session=session, lines=lines, begin=log.begin)


@dataclass(slots=True)
class _GeminiTurn:
    """A turn while its messages arrive."""

    begun: TurnBuilder
    sent: str
    """What the client made of the prompt, for the agent."""
    messages: dict[str, Message] = field(default_factory=dict)
    """The agent's, in their last version."""
    of_agents: list[Message] = field(default_factory=list)
    is_patchy: bool = False
    """True while the client may have left the end of the turn out: it was changing its history."""

    def build(self, cwd: str) -> TurnBuilder:
        """Return the turn, which happened in *cwd*, with all that was said and done in it."""
        turn = self.begun
        turn.cwd, turn.must_answer = cwd, not self.is_patchy
        for place, one in enumerate((*self.messages.values(), *self.of_agents)):
            if one.said:
                turn.hear(one.said)
            if one.calls and place < len(self.messages):
                turn.work()
            turn.calls[str(place)] = placed(one.calls, cwd)
            turn.usage[str(place)] = one.usage
        turn.is_interrupted = any(one.is_cancelled for one in [*self.messages.values()][-1:])
        return turn


@dataclass(slots=True)
class _GeminiConversation:
    """The turns so far, and which of them the next message belongs to."""

    session: str
    cwd: str
    clock: datetime
    """The time of the last message that says it."""
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
                lines = JsonLines(file)
                began = readings.moment(text_of(next(iter(lines.first()), {}), "startTime"))
                turn = self._at(began) if began else None
                if turn is not None:
                    turn.of_agents.extend(_work(lines, agent=path.stem))

    def _hear(self, message: Message, at: int) -> None:
        """Begin a turn, unless the client tells the agent to go on with what was asked before."""
        if message.id in self._keys:  # A session that is resumed may be written down once more.
            return
        self._keys.add(message.id)
        last = self.turns[-1] if self.turns else None
        before = (last.sent, *last.begun.prompt) if last else ()
        if message.prompt in before[1:] and message.sent not in before:
            return
        begun = TurnBuilder(
            key=message.id,
            line=message.id,
            at=at,
            prompt=[message.prompt],
            session=self.session,
            started=self.clock,
            ended=self.clock,
        )
        self.turns.append(_GeminiTurn(begun, message.sent))

    def _add(self, message: Message) -> None:
        turn = self._of_message.setdefault(message.id, self.turns[-1])
        turn.messages[message.id] = message
        turn.is_patchy = False
        turn.begun.last_until(self.clock)

    def _at(self, moment: datetime) -> _GeminiTurn | None:
        """The turn that was running at *moment*."""
        begun = [turn for turn in self.turns if turn.begun.started <= moment]
        return begun[-1] if begun else None


def _messages(documents: list[Object]) -> Iterator[tuple[int, Object]]:
    """The messages of a log that consists of *documents*, one as a rule."""
    for document in documents:
        yield from ((0, one) for one in list_of(document, "messages") if isinstance(one, dict))


def _work(lines: JsonLines, *, agent: str) -> list[Message]:
    """What a subagent did: its calls and its tokens; its words are for its parent."""
    messages: dict[str, Message] = {}
    for _, record in lines.since(0):
        if (message := gemini_lines.message(record)) is not None:
            calls = made_by(agent, message.calls)
            messages[message.id] = replace(message, said="", calls=calls)
    return [*messages.values()]


def _root_beside(path: Path) -> str:
    """The project that the log at *path* is of, if the client wrote it down beside it."""
    with suppress(OSError, ValueError):
        root = (path.parent.parent / _ROOT).read_text(encoding="utf-8").strip()
        return root if os.path.isabs(root) else ""
    return ""


def _workspace(copied: Object) -> str:
    """The first folder that the client told the agent of, in a copy of the history."""
    messages = [one for one in list_of(copied, "messages") if isinstance(one, dict)]
    for text in (text for one in messages[:1] for text in gemini_lines.texts(one.get("content"))):
        if found := _WORKSPACE.search(text):
            return found[1].strip()
    return ""


READER = HostReader(
    host=HOST,
    read=read,
    logs="Gemini CLI (`~/.gemini/tmp`)",
    mark=re.compile(rb'"projectHash"'),
    is_document=True,
    may_tell_less=True,
    of_subagents=re.compile(rb'"kind":"subagent"'),
    translate=gemini_events.in_our_words,
)
