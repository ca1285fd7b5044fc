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
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from recollect.errors import TranscriptError
from recollect.transcripts import claude_lines, loose_json, prompts, readings
from recollect.transcripts.claude_lines import HOST, ClaudeLine, QueueChange, QueueStep
from recollect.transcripts.loose_json import Object
from recollect.transcripts.prompts import Kind, Prompt
from recollect.transcripts.readings import Reading, ToolResult
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn

# File systems round the time of a change; the host's clock is the same as ours.
_CLOCK_GRAIN_SECONDS = 2

_SPOKEN = re.compile(rb'"type"\s*+:\s*+"(?:user|assistant|queue-operation|queued_command)"')


def read(path: Path, *, offset: int = 0) -> Reading:
    """The turns of the transcript at *path* that begin at or after the byte *offset*.

    A last line that is still being written is left for the next reading. An *offset* behind
    the end of the file belongs to another file of that name: this one is read from its start.
    """
    missing = "Claude Code deletes old transcripts; the archive may still have the turns."
    with readings.opened(path, missing=missing) as file:
        return _read(file, path, offset=offset)


def _read(file: BinaryIO, path: Path, *, offset: int) -> Reading:
    status = os.fstat(file.fileno())
    begin = offset if offset <= status.st_size else 0
    conversation = _ClaudeConversation(clock=datetime.fromtimestamp(status.st_mtime, UTC))
    lines = _ClaudeRecords(file, begin)
    for at, record in lines:
        if (line := claude_lines.parse(record)) is not None:
            conversation.take(line, at)
        elif (queued := claude_lines.parse_queued(record)) is not None:
            conversation.take_queued(queued)
    if lines.are_foreign:
        raise TranscriptError(
            f"{path}: not a Claude Code transcript",
            hint="A transcript is a .jsonl file under ~/.claude/projects or ~/.codex/sessions.",
        )
    conversation.take_agents(path.with_suffix("") / "subagents")
    kept = [turn for turn in conversation.turns if turn.is_kept]
    return Reading(
        turns=tuple(turn.close(is_last=turn is kept[-1]) for turn in kept),
        resume_at=kept[-1].at if kept else begin,
        end=lines.end,
        session=conversation.session or path.stem,
        skipped=lines.skipped,
    )


@dataclass(slots=True)
class _ClaudeRecords:
    """The records of a file from *end* on, which moves behind each complete line."""

    file: BinaryIO
    end: int
    skipped: int = 0
    _is_known: bool = False
    _rest: bytes = b""

    def __iter__(self) -> Iterator[tuple[int, Object]]:
        """Each record that turns may be made of, and where its line begins."""
        self._is_known = self.end > 0
        self.file.seek(self.end)
        for raw in self.file:
            if not raw.endswith(b"\n"):
                self._rest = raw
                break
            at = self.end
            self.end += len(raw)
            for record in self._records(raw):
                yield at, record

    def _records(self, raw: bytes) -> Iterator[Object]:
        if not raw.strip() or (self._is_known and not _SPOKEN.search(raw)):
            return
        try:
            for record in loose_json.objects(raw):
                self._is_known = self._is_known or _is_claude_codes(record)
                yield record
        except ValueError:
            self.skipped += 1

    @property
    def are_foreign(self) -> bool:
        """True if nothing in the whole file looks like Claude Code."""
        return not self._is_known and (self.end > 0 or _is_whole_and_foreign(self._rest))


def _is_whole_and_foreign(raw: bytes) -> bool:
    """True for a JSON document that is not the first line of a transcript being written."""
    try:
        return any(not _is_claude_codes(record) for record in loose_json.objects(raw))
    except ValueError:
        return False


def _is_claude_codes(record: Object) -> bool:
    # A Codex rollout has typed lines as well, each with a payload.
    return isinstance(record.get("type"), str) and "payload" not in record


@dataclass(slots=True)
class _ClaudeTurn:
    """A turn while its lines arrive; *at* is where the first of them begins."""

    key: str
    line: str
    at: int
    kind: Kind
    prompt: list[str]
    session: str
    started: datetime
    ended: datetime
    branch: str
    cwd: str
    said: list[str] = field(default_factory=list)
    remarks: int = 0
    calls: dict[str, ToolCall] = field(default_factory=dict)
    usage: dict[str, TokenUsage] = field(default_factory=dict)
    has_reply: bool = False
    is_interrupted: bool = False

    @property
    def is_kept(self) -> bool:
        """False for our own commands, and for local ones that no agent saw."""
        if self.prompt[0].startswith(prompts.OURS):
            return False
        return self.kind is Kind.TYPED or self.has_reply or bool(self.calls)

    def hear(self, line: ClaudeLine) -> None:
        """Add what the agent said in *line*."""
        self.has_reply = True
        self.said.extend(line.texts)
        if line.calls:
            self.remarks = len(self.said)
        self.is_interrupted |= line.is_aborted
        self.session = line.session or self.session
        known = self.usage.get(line.message, TokenUsage())
        self.usage[line.message] = TokenUsage(
            input_tokens=max(known.input_tokens, line.usage.input_tokens),
            output_tokens=max(known.output_tokens, line.usage.output_tokens),
        )

    def settle(self, result: ToolResult) -> None:
        """Add the *result* of one of the turn's tool calls."""
        call = self.calls[result.id]
        self.calls[result.id] = replace(call, output=result.output, failed=result.failed)

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
            tools=tuple(self.calls.values()),
            started=self.started,
            ended=self.ended,
            branch=self.branch,
            cwd=self.cwd,
            interrupted=self.is_interrupted,
            finished=self.is_interrupted or not is_last,
            usage=readings.total(self.usage.values()),
        )


@dataclass(slots=True)
class _ClaudeConversation:
    """The turns so far, and which of them the next line belongs to."""

    clock: datetime
    """The time of the last line that told it."""
    session: str = ""
    turns: list[_ClaudeTurn] = field(default_factory=list)
    _current: _ClaudeTurn | None = None
    _of_prompt: dict[str, _ClaudeTurn] = field(default_factory=dict)
    _of_call: dict[str, _ClaudeTurn] = field(default_factory=dict)
    _prompt_of_agent: dict[str, str] = field(default_factory=dict)
    _queue: list[str] = field(default_factory=list)
    """Prompts that wait until the agent takes them."""

    def take(self, line: ClaudeLine, at: int) -> None:
        """Add *line*, which begins at the byte *at*, to the turn it belongs to."""
        self.clock = line.at or self.clock
        self.session = line.session or self.session
        if line.is_aside:
            otherwise = self._of_call.get(line.parent_call, self._current)
            self._take_agents_line(line, otherwise=otherwise)
        elif line.results:
            self._take_results(line)
        elif line.is_hosts:
            return
        elif line.is_user:
            self._take_prompt(line, at)
        elif self._current is not None:
            self._current.hear(line)
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
                for _, record in _ClaudeRecords(file, 0):
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
            turn.ended = max(turn.ended, self.clock)

    def _begin(self, line: ClaudeLine, prompt: Prompt, *, at: int) -> None:
        if prompt.text:
            self._unqueue(prompt.text)
        key = line.prompt_id or line.id or f"{self.session}:{at}"
        turn = self._of_prompt.get(key)
        if turn is not None and (turn.has_reply or line.is_submitted):
            # A fork gives all the turns it copies the id of its first prompt.
            turn.key = turn.line or turn.key
            turn = None
        if turn is not None:
            turn.prompt.append(prompt.text)
        else:
            turn = _ClaudeTurn(
                key=key,
                line=line.id,
                at=at,
                kind=prompt.kind,
                prompt=[prompt.text],
                session=self.session,
                started=self.clock,
                ended=self.clock,
                branch=line.branch,
                cwd=line.cwd,
            )
            self.turns.append(turn)
            self._of_prompt[key] = turn
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
        elif prompt.kind is Kind.TYPED and self._current is not None and not line.is_hosts:
            self._current.prompt.append(prompt.text)

    def _interrupt(self, turn: _ClaudeTurn | None) -> None:
        if turn is not None:
            turn.is_interrupted = True
            turn.ended = max(turn.ended, self.clock)

    def _take_agents_line(self, line: ClaudeLine, *, otherwise: _ClaudeTurn | None) -> None:
        self._settle(line)
        if line.prompt_id:
            self._prompt_of_agent[line.agent] = line.prompt_id
        prompt_id = self._prompt_of_agent.get(line.agent, "")
        turn = self._of_prompt.get(prompt_id) if prompt_id else otherwise
        if turn is not None:
            self._add_calls(turn, line)

    def _turn_at(self, at: datetime) -> _ClaudeTurn | None:
        """The turn that ran *at* some time, for clients that did not say."""
        return next((turn for turn in reversed(self.turns) if turn.started <= at), None)

    def _settle(self, line: ClaudeLine) -> None:
        for result in line.results:
            if (turn := self._of_call.get(result.id)) is not None:
                turn.settle(result)
                turn.ended = max(turn.ended, self.clock)

    def _add_calls(self, turn: _ClaudeTurn, line: ClaudeLine) -> None:
        turn.ended = max(turn.ended, self.clock)
        for call in line.calls:
            if call.id not in self._of_call:
                turn.calls[call.id] = call
                self._of_call[call.id] = turn
