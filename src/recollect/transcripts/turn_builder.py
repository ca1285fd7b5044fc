"""A turn while its lines arrive, for every reader of a log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from recollect.transcripts import prompts, readings
from recollect.transcripts.readings import JsonLines, Reading, ToolResult
from recollect.transcripts.turns import TokenUsage, ToolCall, Turn


@dataclass(slots=True, kw_only=True)
class TurnBuilder:
    """A turn as far as it was read; *at* is where the first of its lines begins."""

    key: str
    line: str
    session: str
    started: datetime
    ended: datetime
    prompt: list[str] = field(default_factory=list)
    at: int = 0
    branch: str = ""
    cwd: str = ""
    calls: dict[str, tuple[ToolCall, ...]] = field(default_factory=dict)
    """By the host's id of the call; one that changes several files becomes several."""
    script: str = ""
    """The call of the script that runs, if it is one that calls other tools."""
    usage: dict[str, TokenUsage] = field(default_factory=dict)
    """By the message that took them."""
    is_typed: bool = True
    """False for a command, which counts once the agent does something about it."""
    has_reply: bool = False
    is_complete: bool = False
    """True when the host said that the turn is over, or was stopped."""
    is_interrupted: bool = False
    must_answer: bool = False
    """True if a turn that was followed by another without an answer was cut off."""
    _said: list[str] = field(default_factory=list)
    _remarks: int = 0

    @property
    def is_kept(self) -> bool:
        """False for our own commands, and for others that no agent saw."""
        if self.prompt[0].startswith(prompts.OURS):
            return False
        return self.is_typed or self.has_reply or bool(self.calls)

    @property
    def answer(self) -> str:
        """What the agent said last, so far."""
        return "\n\n".join(self._said[self._remarks :])

    def hear(self, *texts: str) -> None:
        """Add what the agent said."""
        self.has_reply = True
        self._said.extend(texts)

    def work(self) -> None:
        """Take what was said so far for remarks: the agent used a tool."""
        self._remarks = len(self._said)

    def settle(self, result: ToolResult) -> None:
        """Add the *result* of one of the turn's tool calls."""
        self.calls[result.id] = tuple(
            replace(call, output=result.output, failed=result.failed)
            for call in self.calls[result.id]
        )

    def last_until(self, moment: datetime) -> None:
        """Let the turn have lasted until *moment* at least."""
        self.ended = max(self.ended, moment)

    def stop(self) -> None:
        """Take the turn for interrupted, and therefore over."""
        self.is_interrupted = self.is_complete = True

    def close(self, host: str, *, is_last: bool) -> Turn:
        """Return the turn as far as it is known; the last one of a log may still grow."""
        is_cut_off = self.must_answer and not is_last and not self.answer
        return Turn(
            host=host,
            session=self.session,
            key=self.key,
            line=self.line,
            prompt="\n\n".join(self.prompt),
            answer=self.answer,
            remarks=tuple(self._said[: self._remarks]),
            tools=tuple(call for calls in self.calls.values() for call in calls),
            started=self.started,
            ended=self.ended,
            branch=self.branch,
            cwd=self.cwd,
            interrupted=self.is_interrupted or is_cut_off,
            finished=self.is_complete or not is_last,
            usage=readings.total(self.usage.values()),
        )


def reading(
    built: Sequence[TurnBuilder], *, host: str, session: str, lines: JsonLines, begin: int
) -> Reading:
    """Return what was read of *lines* from *begin* on; our own commands are no turns."""
    return Reading(
        turns=tuple(turn.close(host, is_last=turn is built[-1]) for turn in built if turn.is_kept),
        resume_at=built[-1].at if built else begin,
        end=max(lines.end, begin),
        session=session,
        skipped=lines.skipped,
    )


def placed(calls: Iterable[ToolCall], folder: str) -> tuple[ToolCall, ...]:
    """Return *calls* with whole paths, as seen from *folder*."""
    return tuple(call.placed(folder) for call in calls)


def made_by(agent: str, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Return *calls* as those of the subagent *agent*."""
    return tuple(replace(call, agent=agent) for call in calls)
