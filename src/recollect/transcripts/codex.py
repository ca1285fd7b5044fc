"""Read a Codex rollout: a file of JSON lines that grows while the session runs.

A turn begins when the client starts a task with a prompt of the user. A task without one (the
client compacts, or goes on with a goal) belongs to the turn before. A subagent has a rollout of
its own; its tool calls join the turn that set it to work. Reading can go on where it stopped:
`resume_at` is where the last turn begins, because that turn may still grow.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts import codex_calls, codex_lines, readings, turn_builder
from recollect.transcripts.codex_lines import HOST, CodexLine, Mark, Meta
from recollect.transcripts.readings import HostReader, JsonLines, OpenLog, Reading, ToolResult
from recollect.transcripts.turn_builder import TurnBuilder, made_by, placed

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

    A last line that is still being written is left for the next reading. The rollout of a
    subagent has no turns: they are read with its parent's.
    """
    missing = "Codex may have moved it to ~/.codex/archived_sessions."
    with readings.opened(path, offset, missing=missing) as log:
        return _read(log, path)


def _read(log: OpenLog, path: Path) -> Reading:
    lines = _lines(log.file)
    named = _THREAD.search(path.stem)
    meta = _meta(lines, session=named[0] if named else path.stem)
    conversation = _CodexConversation(meta=meta, clock=log.clock)
    if not meta.is_agents:
        for at, line in _since(lines, log.begin):
            conversation.take(line, at)
        conversation.take_agents(near=path)
    if lines.end > 0 and not lines.is_known:
        raise TranscriptError(
            f"{path}: not a Codex rollout",
            hint="A rollout is a .jsonl file under ~/.codex/sessions.",
        )
    return turn_builder.reading(
        conversation.turns, host=HOST, session=meta.session, lines=lines, begin=log.begin
    )


def _lines(file: BinaryIO) -> JsonLines:
    return JsonLines(file, codex_lines.is_rollouts, silent=_SILENT)


def _meta(lines: JsonLines, *, session: str) -> Meta:
    """What the first of *lines* tells; *session* if it tells nothing."""
    found = next(filter(None, map(codex_lines.meta, lines.first())), Meta())
    return found if found.session else replace(found, session=session)


def _since(lines: JsonLines, start: int) -> Iterator[tuple[int, CodexLine]]:
    """Each line that turns are made of, from the byte *start* on, and where it begins."""
    for at, record in lines.since(start):
        if (line := codex_lines.parse(record)) is not None:
            yield at, line


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
    """The time of the last line that says it."""
    turns: list[TurnBuilder] = field(default_factory=list)
    _of_task: dict[str, TurnBuilder] = field(default_factory=dict)
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
            _add(turn, line)

    def take_agents(self, *, near: Path) -> None:
        """Add the tool calls of all subagents, and of theirs; their rollouts lie *near*."""
        taken: set[str] = set()
        while waiting := [one for one in self._agents if one not in taken]:
            taken.update(waiting)
            for path in _rollouts(waiting, near=near):
                with suppress(OSError), path.open("rb") as file:
                    self._take_agents_lines(_lines(file), agent=path.stem[-36:])

    @property
    def _last(self) -> TurnBuilder | None:
        return self.turns[-1] if self.turns else None

    def _take_prompt(self, line: CodexLine, at: int) -> None:
        """Begin a turn, or add what the user put in while one was running."""
        turn = self._of_task.get(line.turn)
        # A review writes the prompt of its subagent twice.
        asked = turn if line.turn else self._last
        if asked is not None and not line.id and _is_waiting(asked, line.prompt):
            return
        if turn is None:
            task = self._unasked.pop(line.turn, _Task(at=at))
            turn = self._begin(line, at=task.at, asked_at=at)
            for earlier in task.lines:
                _add(turn, earlier)
        turn.prompt.append(line.prompt)
        turn.last_until(self.clock)

    def _begin(self, line: CodexLine, *, at: int, asked_at: int) -> TurnBuilder:
        place = f"{self.meta.session}:{asked_at}"
        turn = TurnBuilder(
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
                _add(self._last, line)

    def _take_agents_lines(self, lines: JsonLines, *, agent: str) -> None:
        """Add what *agent* did to the turns it worked for; its words are for its parent."""
        if not _meta(lines, session="").is_agents:
            return
        turn: TurnBuilder | None = None
        for _, line in _since(lines, 0):
            self._agents |= dict.fromkeys(line.agents)
            if line.mark is Mark.BEGUN:
                turn = self._of_task.get(line.root)
                if turn is not None:
                    turn.script = ""
            elif turn is not None:
                _add_calls(turn, line, agent=agent)


def _is_waiting(turn: TurnBuilder, prompt: str) -> bool:
    """Tell whether *prompt* is the last thing that happened in *turn*."""
    is_untouched = not (turn.has_reply or turn.calls or turn.is_complete)
    return is_untouched and turn.prompt[-1:] == [prompt]


def _add(turn: TurnBuilder, line: CodexLine) -> None:
    """Add to *turn* what *line* tells."""
    if line.said:
        turn.hear(line.said)
    if line.asked or line.done:
        turn.work()
    _add_calls(turn, line)
    if line.usage:
        answer, usage = line.usage
        turn.usage[answer] = usage
    turn.is_complete |= line.mark is Mark.COMPLETE
    if line.mark is Mark.ABORTED:
        turn.stop()


def _add_calls(turn: TurnBuilder, line: CodexLine, *, agent: str = "") -> None:
    """Add to *turn* the calls in *line*, as those of *agent*, and what came of them."""
    asked, done = (placed(made_by(agent, calls), turn.cwd) for calls in (line.asked, line.done))
    if asked and asked[0].id not in turn.calls:
        turn.calls[asked[0].id] = asked
        turn.script = asked[0].id if asked[0].name == codex_calls.SCRIPT else turn.script
    if done:
        if done[0].id not in turn.calls:  # A script that makes calls is told by them.
            turn.calls.pop(turn.script, None)
        turn.calls[done[0].id] = done
    if line.result:
        _settle(turn, line.result)
    turn.last_until(line.at or turn.ended)


def _settle(turn: TurnBuilder, result: ToolResult) -> None:
    """Add what the model saw of a call, unless the client told more of it."""
    turn.script = "" if result.id == turn.script else turn.script
    first = next(iter(turn.calls.get(result.id, ())), None)
    if first and not first.output:
        turn.settle(replace(result, failed=first.failed or result.failed))


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


READER = HostReader(
    host=HOST,
    read=read,
    logs="Codex (`~/.codex/sessions`)",
    mark=re.compile(rb'"type":"session_meta"'),
    file_names="rollout-",
    split=codex_calls.without_patches,
    tools_tell_their_folder=True,
)
