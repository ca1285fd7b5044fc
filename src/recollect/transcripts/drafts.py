"""The turn that is running, as far as the events tell it.

A draft stands in for the transcript where there is none, and knows what is not on disk yet.
Everything here is pure: the caller keeps one draft per session and records the old one when
`fold` begins another.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Self

from recollect.errors import TranscriptError
from recollect.transcripts import loose_json, prompts, records
from recollect.transcripts.events import Event
from recollect.transcripts.turns import ToolCall, Turn

# Between a host's line about a moment and our event of the same, on one machine.
CLOCKS_APART = timedelta(seconds=2)
# A turn that begins so soon after a prompt was heard is about it, however the host words it.
AT_ONCE = timedelta(seconds=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDraft:
    """What the events of one turn have reported so far."""

    host: str
    session: str
    key: str
    """The prompt id; the time of the first event where the host gives none."""
    started: datetime
    ended: datetime
    prompt: str = ""
    answer: str = ""
    remarks: tuple[str, ...] = ()
    """What the agent said at a stop after which it worked on."""
    tools: tuple[ToolCall, ...] = ()
    cwd: str = ""
    transcript: str = ""
    notices: tuple[str, ...] = ()
    """Ids of prompts that the host gave itself during the turn."""
    finished: bool = False
    interrupted: bool = False
    muted: bool = False
    """Nothing of this turn is kept: one of our own commands, or a notice to nobody's prompt."""

    @property
    def is_nameless(self) -> bool:
        """True if the host gave the turn no id."""
        return self.key == self.started.isoformat()

    def to_json(self) -> str:
        """The draft as `from_json` reads it."""
        # Written again with each tool call of a turn, so nothing is copied on the way.
        record = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps(record, default=_plain, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The draft that `to_json` wrote as *text*."""
        try:
            record = next(loose_json.objects(text.encode("utf-8", errors="replace")), {})
            return records.read(cls, record)
        except ValueError as error:
            raise TranscriptError(f"draft: cannot be read ({error})") from error


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    assert isinstance(value, ToolCall), "a draft holds nothing else that JSON does not know"
    return {name: getattr(value, name) for name in ToolCall.__slots__}


def fold(draft: TurnDraft | None, event: Event) -> TurnDraft | None:
    """The draft after *event*; another key than before means that another turn began."""
    # What a subagent is told to do, and says, is no prompt and no answer.
    of_agent = event.agent_id and event.name in ("UserPromptSubmit", "Stop", "StopFailure")
    if event.is_noise or of_agent:
        return draft
    match event.name:
        case "PostToolUse" | "PostToolUseFailure":
            for tool in event.tools:
                draft = _used(draft, event, tool)
            return draft
        case "UserPromptSubmit":
            return _prompted(draft, event)
        case "Stop" | "StopFailure":
            return _stopped(draft, event)
        case "SessionEnd" if draft is not None and event.session == draft.session:
            return ended(draft)
        case _:
            return draft


def ended(draft: TurnDraft) -> TurnDraft:
    """The *draft* of a turn that is over, and was interrupted unless it had stopped."""
    return replace(draft, finished=True, interrupted=draft.interrupted or not draft.finished)


def as_turn(draft: TurnDraft) -> Turn | None:
    """The turn that *draft* knows; None if nothing of it is to be kept."""
    if draft.muted or not (draft.prompt or draft.answer or draft.tools):
        return None
    return Turn(
        host=draft.host,
        session=draft.session,
        key=draft.key,
        prompt=draft.prompt,
        answer=draft.answer,
        remarks=draft.remarks,
        tools=draft.tools,
        started=draft.started,
        ended=draft.ended,
        cwd=draft.cwd,
        interrupted=draft.interrupted,
        finished=draft.finished,
    )


def complete(turn: Turn, draft: TurnDraft) -> Turn:
    """The transcript's *turn*, with what only the *draft* of the same turn knows.

    What both know is the transcript's.
    """
    known = {call.id for call in turn.tools}
    missing = tuple(call for call in draft.tools if call.id not in known)
    works_on = any(not call.agent for call in missing)
    said = turn.remarks + ((turn.answer,) if works_on and turn.answer else ())
    answer = "" if works_on else turn.answer
    # A host that gives no ids may tell at the end all that was said in the turn.
    words = (*turn.remarks, turn.answer)
    last = _unsaid(draft.answer, words) if draft.is_nameless else draft.answer
    whole = _with_last_words(answer, last, said=said)
    is_behind = draft.finished and whole != answer  # Then it does not know how the turn ended.
    return replace(
        turn,
        prompt=turn.prompt or draft.prompt,
        answer=whole,
        remarks=said,
        tools=turn.tools + missing,
        ended=max(turn.ended, draft.ended),
        cwd=turn.cwd or draft.cwd,
        interrupted=draft.interrupted or (turn.interrupted and not is_behind),
        finished=turn.finished or draft.finished,
    )


def filled(turn: Turn, before: Turn) -> Turn:
    """*turn* with what was known of it *before*, and its log has left out."""
    known = {call.id for call in turn.tools}
    missing = tuple(call for call in before.tools if call.id not in known)
    is_behind = not turn.answer and bool(before.answer) and before.answer not in turn.remarks
    return replace(
        turn,
        answer=before.answer if is_behind else turn.answer,
        tools=turn.tools + missing,
        interrupted=before.interrupted if is_behind else turn.interrupted,
    )


def paired(turns: Sequence[Turn], drafts: Iterable[TurnDraft]) -> dict[str, TurnDraft]:
    """The draft of each of *turns* that has one, by the key of the turn; none is of two turns."""
    left = [draft for draft in drafts if not draft.muted]
    found: dict[str, TurnDraft] = {}
    for fits in (_is_alike, _is_near):
        for turn in turns:
            likely = [draft for draft in left if fits(turn, draft)]
            if likely and turn.key not in found:
                nearest = min(likely, key=lambda draft: abs(draft.started - turn.started))
                left.remove(nearest)
                found[turn.key] = nearest
    return found


def is_within(draft: TurnDraft, turn: Turn) -> bool:
    """True if what *draft* tells of is part of *turn*: a hook sent the agent back to work.

    The stop that follows repeats the first prompt, so a draft may begin with it, just behind.
    """
    if draft.muted or not draft.is_nameless:
        return False
    began_with_a_stop = draft.finished and draft.started == draft.ended
    late = CLOCKS_APART if began_with_a_stop else timedelta(0)
    return turn.started <= draft.started <= turn.ended + late


def _is_alike(turn: Turn, draft: TurnDraft) -> bool:
    """True if both have one id or, from a host that gives none, one prompt at about one time."""
    if turn.session != draft.session:
        return False
    if not draft.is_nameless:
        return turn.key == draft.key
    says_the_same = bool(draft.prompt) and _flat(turn.prompt) == _flat(draft.prompt)
    return says_the_same and _is_of_its_time(turn, draft)


def _is_near(turn: Turn, draft: TurnDraft) -> bool:
    """True if a turn without an id began when *draft* did: what is sent may not be as typed."""
    is_at_once = abs(draft.started - turn.started) <= AT_ONCE
    is_its = turn.session == draft.session and draft.is_nameless
    return is_its and is_at_once and _is_of_its_time(turn, draft)


def _is_of_its_time(turn: Turn, draft: TurnDraft) -> bool:
    """True unless one was over before the other began: people repeat themselves."""
    was_over = turn.ended + CLOCKS_APART < draft.started
    was_over_before = draft.finished and draft.ended + CLOCKS_APART < turn.started
    return not was_over and not was_over_before


def _with_last_words(answer: str, last: str, *, said: tuple[str, ...]) -> str:
    """*answer* with the *last* words of the agent, unless it *said* them already."""
    if (
        _holds(answer, last)
        or _flat(answer).endswith(_flat(last))
        or _flat(last) in map(_flat, said)
    ):
        return answer
    if _flat(last).startswith(_flat(answer)):
        return last
    return f"{answer}\n\n{last}"


def _unsaid(last: str, said: Sequence[str]) -> str:
    r"""What of the *last* words was not *said* yet, whatever the space between them.

    >>> _unsaid("Let me look.\nDone.", ["Let me look."]), _unsaid("Hm.\nDone.", ["Done."])
    ('Done.', '')
    """
    already, new = _dense("".join(said)), _dense(last)
    if new in already or (already and new.endswith(already)):
        return ""
    if not new.startswith(already):
        return last
    letters = (at for at, letter in enumerate(last) if not letter.isspace())
    return last[next(islice(letters, len(already), None)) :]


def _dense(text: str) -> str:
    return "".join(text.split())


def _holds(answer: str, words: str) -> bool:
    """True if the paragraphs of *words* stand in *answer*, one after the other."""
    whole, part = ([_flat(one) for one in text.split("\n\n")] for text in (answer, words))
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _prompted(draft: TurnDraft | None, event: Event) -> TurnDraft:
    if prompts.is_machine_prompt(event.prompt):
        if draft is None:
            return replace(_begun(event), muted=True)
        notices = (*draft.notices, event.prompt_id) if event.prompt_id else draft.notices
        return replace(draft, notices=notices, finished=False, ended=event.at)
    if draft is not None and event.prompt_id == draft.key:
        added = "" if event.prompt in draft.prompt else f"\n\n{event.prompt}"
        return replace(draft, prompt=f"{draft.prompt}{added}".lstrip(), ended=event.at)
    return _begun(event)


def _used(draft: TurnDraft | None, event: Event, tool: ToolCall) -> TurnDraft:
    if draft is None or not _is_about(event, draft):
        if draft is not None and tool.agent:
            return draft  # A subagent still works for an earlier turn.
        draft = _begun(event)
    is_late = draft.finished and event.at < draft.ended
    if not tool.agent and not is_late:
        # The agent went on after it had stopped: those were not its last words.
        said = (draft.answer,) if draft.answer else ()
        draft = replace(draft, remarks=draft.remarks + said, answer="", finished=False)
    others = tuple(call for call in draft.tools if call.id != tool.id)
    return replace(draft, tools=(*others, tool), ended=max(draft.ended, event.at))


def _stopped(draft: TurnDraft | None, event: Event) -> TurnDraft:
    if draft is None or not _is_about(event, draft):
        draft = _begun(event)
    prompt = draft.prompt or event.prompt
    draft = replace(draft, prompt=prompt, finished=True, ended=event.at)
    if event.name == "StopFailure":  # What it says then is the host's error message.
        return replace(draft, interrupted=True)
    return replace(draft, answer=_with_last_words(draft.answer, event.answer, said=()))


def _begun(event: Event) -> TurnDraft:
    return TurnDraft(
        host=event.host,
        session=event.session,
        key=event.prompt_id or event.at.isoformat(),
        started=event.at,
        ended=event.at,
        prompt=event.prompt,
        cwd=event.cwd,
        transcript=event.transcript,
        muted=event.prompt.startswith(prompts.OURS),
    )


def _is_about(event: Event, draft: TurnDraft) -> bool:
    if event.session != draft.session:
        return False
    if event.prompt_id:
        return event.prompt_id in (draft.key, *draft.notices)
    # A host that numbers no turns tells the prompt again when it has answered.
    return not draft.prompt or _flat(event.prompt) in _flat(draft.prompt)
