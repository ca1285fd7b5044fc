"""Read a Codex rollout: a file of JSON lines that grows while the session runs.

A turn begins when the client starts a task with a prompt of the user. A task without one (the
client compacts, or goes on with a goal) belongs to the turn before. A subagent has a rollout of
its own; its tool calls join the turn that set it to work. Reading can go on where it stopped:
`resume_at` is where the last turn begins, because that turn may still grow.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts import codex_calls, codex_lines, loose_json, readings
from recollect.transcripts.codex_lines import HOST, CodexLine, Mark, Meta
from recollect.transcripts.loose_json import Object
from recollect.transcripts.readings import Reading, ToolResult, whole_lines
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn

# What a rollout begins with, and no other host's log does.
MARK = b'"type":"session_meta"'

# Instructions, copies and thoughts, nine tenths of a rollout, known by how their lines begin.
_SILENT = re.compile(
    rb'\{"timestamp":"[^"]*+",(?:"ordinal":\d++,)?"type":"(?:world_state|compacted'
    rb'|response_item","payload":\{"type":"(?:message|reasoning|additional_tools))"'
)
_THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# sessions/2026/11/16/rollout-2026-11-16T17-30-03-<id>.jsonl
_DATED = re.compile(r"(?P<sessions>.*)/\d{4}/\d\d/\d\d")


def read(path: Path, *, offset: int = 0) -> Reading:
    """The turns of the rollout at *path* that begin at or after the byte *offset*.

    A last line that is still being written is left for the next reading. An *offset* behind
    the end of the file belongs to another file of that name: this one is read from its start.
    The rollout of a subagent has no turns: they are read with its parent's.
    """
    missing = "Codex may have moved it to ~/.codex/archived_sessions."
    with readings.opened(path, missing=missing) as file:
        return _read(file, path, offset=offset)


def _read(file: BinaryIO, path: Path, *, offset: int) -> Reading:
    status = os.fstat(file.fileno())
    begin = offset if offset <= status.st_size else 0
    lines = _CodexRecords(file)
    named = _THREAD.search(path.stem)
    meta = lines.meta(session=named[0] if named else path.stem)
    clock = datetime.fromtimestamp(status.st_mtime, UTC)
    conversation = _CodexConversation(meta=meta, clock=clock)
    if not meta.is_agents:
        for at, line in lines.since(begin):
            conversation.take(line, at)
        conversation.take_agents(near=path)
    if lines.are_foreign:
        raise TranscriptError(
            f"{path}: not a Codex rollout",
            hint="A rollout is a .jsonl file under ~/.codex/sessions.",
        )
    kept = conversation.turns
    return Reading(
        turns=tuple(turn.close(is_last=turn is kept[-1]) for turn in kept),
        resume_at=kept[-1].at if kept else begin,
        end=max(lines.end, begin),
        session=meta.session,
        skipped=lines.skipped,
    )


@dataclass(slots=True)
class _CodexRecords:
    """The lines of one rollout; *end* is behind the last complete one that was read."""

    file: BinaryIO
    end: int = 0
    skipped: int = 0
    are_foreign: bool = False
    """True as long as nothing but lines of something else was read."""

    def meta(self, *, session: str) -> Meta:
        """What the first line tells, wherever reading goes on; *session* if it tells nothing."""
        _, raw = next(whole_lines(self.file, 0), (0, b""))
        told = [codex_lines.meta(record) for record in self._records(raw)]
        self.skipped = 0  # The line counts when it is read in its turn.
        found = next(filter(None, told), Meta())
        return found if found.session else replace(found, session=session)

    def since(self, start: int) -> Iterator[tuple[int, CodexLine]]:
        """Each line that turns are made of, from the byte *start* on, and where it begins."""
        self.end = start
        is_known = start > 0
        for at, raw in whole_lines(self.file, start):
            self.end = at + len(raw)
            if _SILENT.match(raw):
                is_known = True
                continue
            for record in self._records(raw):
                is_known = is_known or codex_lines.is_rollouts(record)
                if (line := codex_lines.parse(record)) is not None:
                    yield at, line
        self.are_foreign = not is_known and self.end > 0

    def _records(self, raw: bytes) -> Iterator[Object]:
        try:
            yield from loose_json.objects(raw)
        except ValueError:
            self.skipped += 1


@dataclass(slots=True)
class _CodexTurn:
    """A turn while its lines arrive; *at* is where the first of them begins."""

    key: str
    line: str
    at: int
    session: str
    branch: str
    cwd: str
    started: datetime
    ended: datetime
    prompt: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    remarks: int = 0
    calls: dict[str, tuple[ToolCall, ...]] = field(default_factory=dict)
    """By the client's id of the call; a patch becomes several."""
    script: str = ""
    """The call of the script that runs, if it is one that calls other tools."""
    usage: dict[str, TokenUsage] = field(default_factory=dict)
    is_interrupted: bool = False
    is_complete: bool = False

    def is_waiting_for(self, prompt: str) -> bool:
        """Tell whether *prompt* is the last thing that happened in the turn."""
        is_untouched = not (self.said or self.calls or self.is_complete or self.is_interrupted)
        return is_untouched and self.prompt[-1:] == [prompt]

    def hear(self, said: str) -> None:
        """Add what the agent *said*."""
        self.said.append(said)

    def ask(self, calls: tuple[ToolCall, ...]) -> None:
        """Add a call that the model asked for, unless its outcome is known."""
        self.remarks = len(self.said)
        if calls[0].id not in self.calls:
            self.calls[calls[0].id] = calls
            self.script = calls[0].id if calls[0].name == codex_calls.SCRIPT else self.script

    def make(self, calls: tuple[ToolCall, ...]) -> None:
        """Add a call that was made. A script that makes calls is told by them."""
        self.remarks = len(self.said)
        if calls[0].id not in self.calls:
            self.calls.pop(self.script, None)
        self.calls[calls[0].id] = calls

    def settle(self, result: ToolResult) -> None:
        """Add what the model saw of a call, unless the client told more of it."""
        self.script = "" if result.id == self.script else self.script
        calls = self.calls.get(result.id, ())
        if calls and not calls[0].output:
            failed = calls[0].failed or result.failed
            settled = (replace(one, output=result.output, failed=failed) for one in calls)
            self.calls[result.id] = tuple(settled)

    def close(self, *, is_last: bool) -> Turn:
        """The turn as far as it is known; the last one of a file may still grow."""
        return Turn(
            host=HOST,
            session=self.session,
            key=self.key,
            line=self.line,
            prompt="\n\n".join(self.prompt),
            answer="\n\n".join(self.said[self.remarks :]),
            remarks=tuple(self.said[: self.remarks]),
            tools=tuple(call for calls in self.calls.values() for call in calls),
            started=self.started,
            ended=self.ended,
            branch=self.branch,
            cwd=self.cwd,
            interrupted=self.is_interrupted,
            finished=self.is_complete or self.is_interrupted or not is_last,
            usage=readings.total(self.usage.values()),
        )


@dataclass(slots=True)
class _Task:
    """What the client set out to do at the byte *at*, before anybody is known to have asked."""

    at: int
    lines: list[CodexLine] = field(default_factory=list)


@dataclass(slots=True)
class _CodexConversation:
    """The turns so far, and which of them the next line belongs to."""

    meta: Meta
    clock: datetime
    """The time of the last line that told it."""
    turns: list[_CodexTurn] = field(default_factory=list)
    _of_task: dict[str, _CodexTurn] = field(default_factory=dict)
    _unasked: dict[str, _Task] = field(default_factory=dict)
    """Tasks that no prompt was given for, as yet."""
    _running: str = ""
    """The turn id of the task that began last and has not ended."""
    _cwd: str = ""
    _agents: dict[str, None] = field(default_factory=dict)

    def take(self, line: CodexLine, at: int) -> None:
        """Add *line*, which begins at the byte *at*, to the turn it belongs to."""
        self.clock = line.at or self.clock
        self._agents |= dict.fromkeys(line.agents)
        if line.mark is Mark.BEGUN:
            self._running = line.turn
        elif not line.turn:
            # Codex 0.144 and 0.145 give tool calls the id of their turn, but not messages.
            line = replace(line, turn=self._running)
        self._take(line, at)
        if line.mark in (Mark.COMPLETE, Mark.ABORTED):
            self._running = ""

    def _take(self, line: CodexLine, at: int) -> None:
        if line.cwd:
            self._cwd = line.cwd
        elif line.mark is Mark.BEGUN:
            self._unasked[line.turn] = _Task(at=at)
        elif line.prompt:
            self._take_prompt(line, at)
        elif task := self._unasked.get(line.turn):
            task.lines.append(line)
            if line.mark is not None:
                self._go_on(self._unasked.pop(line.turn))
        elif turn := self._of_task.get(line.turn) or self._last:
            self._add(turn, line)

    def take_agents(self, *, near: Path) -> None:
        """Add the tool calls of all subagents, and of theirs; their rollouts lie *near*."""
        taken: set[str] = set()
        while waiting := [one for one in self._agents if one not in taken]:
            taken.update(waiting)
            for path in _rollouts(waiting, near=near):
                with suppress(OSError), path.open("rb") as file:
                    self._take_agents_lines(_CodexRecords(file), agent=path.stem[-36:])

    @property
    def _last(self) -> _CodexTurn | None:
        return self.turns[-1] if self.turns else None

    def _take_prompt(self, line: CodexLine, at: int) -> None:
        """Begin a turn, or add what the user put in while one was running."""
        turn = self._of_task.get(line.turn)
        # A review writes the prompt of its subagent twice.
        asked = turn if line.turn else self._last
        if asked is not None and not line.id and asked.is_waiting_for(line.prompt):
            return
        if turn is None:
            task = self._unasked.pop(line.turn, _Task(at=at))
            turn = self._begin(line, at=task.at, asked_at=at)
            for earlier in task.lines:
                self._add(turn, earlier)
        turn.prompt.append(line.prompt)
        turn.ended = max(turn.ended, self.clock)

    def _begin(self, line: CodexLine, *, at: int, asked_at: int) -> _CodexTurn:
        place = f"{self.meta.session}:{asked_at}"
        turn = _CodexTurn(
            key=line.turn or place,
            # Earlier versions of this reader knew a turn by the place of a message without an id.
            line=line.id or (place if line.turn else ""),
            at=at,
            session=self.meta.session,
            branch=self.meta.branch,
            cwd=self._cwd or self.meta.cwd,
            started=self.clock,
            ended=self.clock,
        )
        self.turns.append(turn)
        self._of_task[turn.key] = turn
        return turn

    def _go_on(self, task: _Task) -> None:
        """Let the last turn go on with what the client did unasked, if it did anything."""
        for line in task.lines:
            if self._last and (line.said or line.asked or line.done or line.result):
                self._add(self._last, line)

    def _add(self, turn: _CodexTurn, line: CodexLine) -> None:
        if line.said:
            turn.hear(line.said)
        if line.asked:
            turn.ask(_placed(line.asked, turn.cwd))
        if line.done:
            turn.make(_placed(line.done, turn.cwd))
        if line.result:
            turn.settle(line.result)
        if line.usage:
            answer, usage = line.usage
            turn.usage[answer] = usage
        turn.is_complete |= line.mark is Mark.COMPLETE
        turn.is_interrupted |= line.mark is Mark.ABORTED
        turn.ended = max(turn.ended, line.at or turn.ended)

    def _take_agents_lines(self, lines: _CodexRecords, *, agent: str) -> None:
        """Add what *agent* did to the turns it worked for; its words are for its parent."""
        if not lines.meta(session="").is_agents:
            return
        turn: _CodexTurn | None = None
        for _, line in lines.since(0):
            self._agents |= dict.fromkeys(line.agents)
            if line.mark is Mark.BEGUN:
                turn = self._of_task.get(line.root)
                if turn is not None:
                    turn.script = ""
            elif turn is not None:
                done = CodexLine(
                    at=line.at,
                    asked=_by(agent, line.asked),
                    done=_by(agent, line.done),
                    result=line.result,
                )
                remarks = turn.remarks
                self._add(turn, done)
                turn.remarks = remarks


def _placed(calls: Iterable[ToolCall], folder: str) -> tuple[ToolCall, ...]:
    return tuple(call.placed(folder) for call in calls)


def _by(agent: str, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(replace(call, agent=agent) for call in calls)


def _rollouts(threads: Iterable[str], *, near: Path) -> Iterator[Path]:
    """The rollouts of *threads*, from the day of *near* or, if it lies among others, any other."""
    dated = _DATED.fullmatch(str(near.parent))
    for thread in threads:
        if not _THREAD.fullmatch(thread):
            continue
        name = f"rollout-*-{thread}.jsonl"
        found = next(near.parent.glob(name), None)
        if found is None and dated:
            found = next(Path(dated["sessions"]).glob(f"*/*/*/{name}"), None)
        if found is not None:
            yield found
