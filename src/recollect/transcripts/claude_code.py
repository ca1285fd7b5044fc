"""Read a Claude Code transcript: a file of JSON lines that grows while the session runs.

A turn begins at a prompt of the user and ends before the next one. What the host does between
two prompts (notices of background work, compaction, local commands) belongs to the turn before.
Words that were typed while the agent worked belong to the turn it worked on, unless the host
keeps them for a turn of their own.
Reading can go on where it stopped: `resume_at` is where the last turn begins, because that turn
may still grow.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts import claude_lines, loose_json, prompts, readings, turn_builder
from recollect.transcripts.claude_lines import HOST, ClaudeLine, QueueChange, QueueStep
from recollect.transcripts.loose_json import Object
from recollect.transcripts.prompts import Kind, Prompt
from recollect.transcripts.readings import HostReader, JsonLines, OpenLog, Reading
from recollect.transcripts.turn_builder import TurnBuilder
from recollect.transcripts.turns import TokenUsage

# File systems round the time of a change; the host's clock is the same as ours.
_CLOCK_GRAIN_SECONDS = 2

_SPOKEN = re.compile(rb'"type"\s*+:\s*+"(?:user|assistant|queue-operation|queued_command)"')


def read(path: Path, *, offset: int = 0) -> Reading:
    """The turns of the transcript at *path* that begin at or after the byte *offset*.

    A last line that is still being written is left for the next reading.
    """
    missing = "Claude Code deletes old transcripts; the archive may still have the turns."
    with readings.opened(path, offset, missing=missing) as log:
        return _read(log, path)


def _read(log: OpenLog, path: Path) -> Reading:
    conversation = _ClaudeConversation(clock=log.clock)
    lines = _lines(log.file)
    for at, record in lines.since(log.begin):
        if (line := claude_lines.parse(record)) is not None:
            conversation.take(line, at)
        elif (queued := claude_lines.parse_queued(record)) is not None:
            conversation.take_queued(queued)
    if not lines.is_known and (lines.end > 0 or _is_whole_and_foreign(lines.rest())):
        raise TranscriptError(
            f"{path}: not a Claude Code transcript",
            hint="A transcript is a .jsonl file under ~/.claude/projects or ~/.codex/sessions.",
        )
    conversation.take_agents(path.with_suffix("") / "subagents")
    return turn_builder.reading(
        [turn for turn in conversation.turns if turn.is_kept],
        host=HOST,
        session=conversation.session or path.stem,
        lines=lines,
        begin=log.begin,
    )


def _lines(file: BinaryIO) -> JsonLines:
    return JsonLines(file, _is_claude_codes, spoken=_SPOKEN)


def _is_whole_and_foreign(raw: bytes) -> bool:
    """True for a JSON document that is not the first line of a transcript being written."""
    try:
        return any(not _is_claude_codes(record) for record in loose_json.objects(raw))
    except ValueError:
        return False


def _is_claude_codes(record: Object) -> bool:
    # A Codex rollout has typed lines as well, each with a payload.
    return isinstance(record.get("type"), str) and "payload" not in record


def _hear(turn: TurnBuilder, line: ClaudeLine) -> None:
    """Add to *turn* what the agent said in *line*."""
    turn.hear(*line.texts)
    if line.calls:
        turn.work()
    if line.is_aborted:
        turn.stop()
    turn.session = line.session or turn.session
    known = turn.usage.get(line.message, TokenUsage())
    turn.usage[line.message] = TokenUsage(
        input_tokens=max(known.input_tokens, line.usage.input_tokens),
        output_tokens=max(known.output_tokens, line.usage.output_tokens),
    )


@dataclass(slots=True)
class _ClaudeConversation:
    """The turns so far, and which of them the next line belongs to."""

    clock: datetime
    """The time of the last line that says it."""
    session: str = ""
    turns: list[TurnBuilder] = field(default_factory=list)
    _current: TurnBuilder | None = None
    _of_prompt: dict[str, TurnBuilder] = field(default_factory=dict)
    _of_call: dict[str, TurnBuilder] = field(default_factory=dict)
    _prompt_of_agent: dict[str, str] = field(default_factory=dict)
    _queue: list[str] = field(default_factory=list)
    """Prompts that wait until the agent takes them."""

    def take(self, line: ClaudeLine, at: int) -> None:
        """Add *line*, which begins at the byte *at*, to the turn it belongs to."""
        self.clock = line.at or self.clock
        self.session = line.session or self.session
        if line.is_subagents:
            otherwise = self._of_call.get(line.parent_call, self._current)
            self._take_agents_line(line, otherwise=otherwise)
        elif line.results:
            self._take_results(line)
        elif line.is_from_client:
            return
        elif line.is_user:
            self._take_prompt(line, at)
        elif self._current is not None:
            _hear(self._current, line)
            self._add_calls(self._current, line)

    def take_agents(self, folder: Path) -> None:
        """Add the tool calls of the subagents that have transcripts in *folder*.

        One that was not touched since the first of our turns began has nothing for them.
        """
        if not self.turns:
            return
        since = self.turns[0].started.timestamp() - _CLOCK_GRAIN_SECONDS
        for path in sorted(folder.glob("agent-*.jsonl")):
            with suppress(FileNotFoundError), path.open("rb") as file:
                if os.fstat(file.fileno()).st_mtime < since:
                    continue
                for _, record in _lines(file).since(0):
                    if (line := claude_lines.parse(record)) is not None:
                        self.clock = line.at or self.clock
                        self._take_agents_line(line, otherwise=self._turn_at(self.clock))

    def _take_prompt(self, line: ClaudeLine, at: int) -> None:
        prompt = prompts.understand("\n\n".join(line.texts))
        if prompt.kind is Kind.INTERRUPTION:
            self._interrupt(self._of_prompt.get(line.prompt_id) or self._current)
        elif prompt.kind is Kind.MACHINE or line.is_notice:
            self._go_on(line.prompt_id)
        elif prompt.kind is Kind.LOCAL:
            self._go_on("")
        elif prompt.kind is not Kind.CONTEXT:
            self._begin(line, prompt, at=at)

    def take_queued(self, queued: QueueChange) -> None:
        """Add what the user typed while the agent worked to the turn, once the agent has it."""
        self.clock = queued.at or self.clock
        match queued.step:
            case QueueStep.ADDED:
                self._queue.append(queued.text)
            case QueueStep.TAKEN_BACK:
                self._queue.clear()
            case QueueStep.NEXT:
                self._unqueue(queued.text)
            case QueueStep.REMOVED | QueueStep.GIVEN:
                self._add_words(self._unqueue(queued.text))

    def _unqueue(self, text: str) -> str:
        """Take *text* out of the queue, or what waits longest if no text is told; return it."""
        if text in self._queue:
            self._queue.remove(text)
        elif not text and self._queue:
            return self._queue.pop(0)
        return text

    def _add_words(self, text: str) -> None:
        """Add *text* to the prompt of the turn at work, once, if a person typed it."""
        prompt = prompts.understand(text)
        turn = self._current
        if prompt.kind is Kind.TYPED and turn is not None and prompt.text not in turn.prompt:
            turn.prompt.append(prompt.text)
            turn.last_until(self.clock)

    def _begin(self, line: ClaudeLine, prompt: Prompt, *, at: int) -> None:
        if prompt.text:
            self._unqueue(prompt.text)
        key = line.prompt_id or line.id or f"{self.session}:{at}"
        turn = self._of_prompt.get(key)
        if turn is not None and (turn.has_reply or line.is_submitted):
            # A fork gives all the turns it copies the id of its first prompt.
            turn.key = turn.line or turn.key
            turn = None
        if turn is None:
            turn = TurnBuilder(
                key=key,
                line=line.id,
                at=at,
                is_typed=prompt.kind is Kind.TYPED,
                session=self.session,
                started=self.clock,
                ended=self.clock,
                branch=line.branch,
                cwd=line.cwd,
            )
            self.turns.append(turn)
            self._of_prompt[key] = turn
        turn.prompt.append(prompt.text)
        self._current = turn

    def _go_on(self, prompt_id: str) -> None:
        """Let the last kept turn go on: not the user but the host spoke, as *prompt_id*."""
        self._current = next((turn for turn in reversed(self.turns) if turn.is_kept), None)
        if prompt_id and self._current is not None:
            self._of_prompt.setdefault(prompt_id, self._current)

    def _take_results(self, line: ClaudeLine) -> None:
        """Settle tool calls; words beside the results are what the user put in meanwhile."""
        self._settle(line)
        self._current = self._of_call.get(line.results[-1].id, self._current)
        prompt = prompts.understand("\n\n".join(line.texts))
        if prompt.kind is Kind.INTERRUPTION:
            self._interrupt(self._current)
        elif prompt.kind is Kind.TYPED and self._current is not None and not line.is_from_client:
            self._current.prompt.append(prompt.text)

    def _interrupt(self, turn: TurnBuilder | None) -> None:
        if turn is not None:
            turn.stop()
            turn.last_until(self.clock)

    def _take_agents_line(self, line: ClaudeLine, *, otherwise: TurnBuilder | None) -> None:
        self._settle(line)
        if line.prompt_id:
            self._prompt_of_agent[line.agent] = line.prompt_id
        prompt_id = self._prompt_of_agent.get(line.agent, "")
        turn = self._of_prompt.get(prompt_id) if prompt_id else otherwise
        if turn is not None:
            self._add_calls(turn, line)

    def _turn_at(self, at: datetime) -> TurnBuilder | None:
        """The turn that ran *at* some time, for clients that did not say."""
        return next((turn for turn in reversed(self.turns) if turn.started <= at), None)

    def _settle(self, line: ClaudeLine) -> None:
        for result in line.results:
            if (turn := self._of_call.get(result.id)) is not None:
                turn.settle(result)
                turn.last_until(self.clock)

    def _add_calls(self, turn: TurnBuilder, line: ClaudeLine) -> None:
        turn.last_until(self.clock)
        for call in line.calls:
            if call.id not in self._of_call:
                turn.calls[call.id] = (call,)
                self._of_call[call.id] = turn


READER = HostReader(host=HOST, read=read, logs="Claude Code (`~/.claude/projects`)")
