"""A second look at what a model wants noted: whether it follows from the turns."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect import tokens
from recollect.config import Settings
from recollect.errors import EngineError
from recollect.journal import markdown
from recollect.llm import answers, brief, prompts
from recollect.llm.answers import DraftedNote
from recollect.llm.brief import Before
from recollect.llm.engine import Asked, Consult
from recollect.llm.model import RESERVE, read
from recollect.notes.categories import CATEGORIES
from recollect.privacy import redact
from recollect.transcripts.turns import CleanTurn

# Below this a draft is unsure, whatever it is.
SURE = 0.8
# What a person chose or must obey is worth a second look, and so is taking anything away.
VERDICTS = ("pass", "revise", "block")
MOST_OUTPUT_TOKENS = 800
MOST_TOKENS_OF_A_REASON = 80
LONGEST_REASON = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftVerdict:
    """What became of a draft: `unchecked` when nobody was asked."""

    kind: Literal["unchecked", "pass", "revise", "block"]
    reason: str = ""
    revised: DraftedNote | None = None


def is_due(note: DraftedNote) -> bool:
    """Tell whether *note* wants a second look."""
    unsure = note.confidence is None or note.confidence < SURE
    return CATEGORIES[note.category].always_verified or note.action == "retire" or unsure


def check(
    note: DraftedNote, turns: Sequence[CleanTurn], *, settings: Settings, consult: Consult
) -> DraftVerdict:
    """Return what a second call says of *note*. Raises `EngineError` if it says nothing usable."""
    instructions = prompts.load("verify").text
    draft = f"<drafted>\n{written(note)}\n</drafted>\n"
    room = (
        settings.synthesis_max_input_tokens - tokens.estimate(instructions + draft) - RESERVE - 20
    )
    session = brief.write(turns, Before(), limit_tokens=room)
    answer = consult(
        Asked(
            instructions=instructions,
            text=f"<check>\n{draft}{session}</check>\n",
            model=checker(note, settings),
            most_output_tokens=min(MOST_OUTPUT_TOKENS, settings.synthesis_max_output_tokens),
            seconds=settings.synthesis_timeout_seconds,
        )
    )
    found = answers.objects(answer.text).of("verdict")
    given = next((one for one in found if answers.word(one.get("verdict")) in VERDICTS), None)
    if given is None:
        raise EngineError("the check gave no verdict", kind="unreadable")
    kind, reason = answers.word(given["verdict"]), _reason(given.get("reason"))
    if kind == "pass":
        return DraftVerdict(kind="pass", reason=reason)
    if kind == "block":
        return DraftVerdict(kind="block", reason=reason or "it does not follow from what was said")
    return _revised(note, read(answer).notes, reason)


def _reason(given: object) -> str:
    """Return the reason on one short line; empty if there is none."""
    line = markdown.one_line(answers.text_of(given)[:LONGEST_REASON])
    return markdown.one_line(brief.within(line, MOST_TOKENS_OF_A_REASON))


def checker(note: DraftedNote, settings: Settings) -> str:
    """Return who checks: the one that is set for it, or the one that drafted."""
    drafter: str = settings.synthesis_models[note.category]
    return settings.synthesis_verify_model or drafter or settings.synthesis_default_model


def _revised(note: DraftedNote, drafted: Sequence[DraftedNote], reason: str) -> DraftVerdict:
    """Return the corrected note; a check may change what is said, not what it is said of."""
    same = [one for one in drafted if one.category == note.category and one.action == note.action]
    if not same:
        return DraftVerdict(kind="block", reason=reason or "it was to be corrected, and was not")
    kept = replace(same[0], target=note.target, turn=note.turn)
    return DraftVerdict(kind="revise", reason=reason, revised=kept)


def written(note: DraftedNote) -> str:
    """Return *note* as a model writes it, as data."""
    return json.dumps(
        _as_data(
            {
                "kind": "note",
                "turn": note.turn,
                "category": note.category,
                "action": note.action,
                "target": note.target,
                "confidence": f"{note.confidence or 0:.1f}",
                "title": note.title,
                "fields": note.fields,
                "reason": note.reason,
            }
        ),
        ensure_ascii=False,
    )


def _as_data(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _as_data(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_data(one) for one in value]
    # What is escaped is not recognized any more as what must not be sent.
    return brief.data(redact.clean(str(value)))
