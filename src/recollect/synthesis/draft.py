"""A note drafted from what was said and done, without a model: no word of it is invented.

Every required field is filled with the turn's own sentences, files and commands; where one has
nothing to be filled with, there is no draft. What a person asks to remember is different: their
sentence is all there is, and stands for whatever they left out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.index.identifiers import identifiers
from recollect.index.terms import COMMON_WORDS, terms
from recollect.memories.model import Category
from recollect.synthesis import evidence, sentences
from recollect.synthesis.sentences import cut
from recollect.synthesis.triage import Activity, Proposal, Said, triage
from recollect.transcripts.turns import CleanTurn, Turn

LONGEST_TITLE = 120
LONGEST_ITEM = 400
LONGEST_TEXT = 2_000
LONGEST_TAG = 40
MOST_TAGS = 6
MOST_STEPS = 12
MOST_FILES = 20

# Cut where a reason begins, in the languages that triage reads.
_BECAUSE = re.compile(
    r"[,;:–—]?\s*\b(?:because|since|so that|as it|due to|the reason (?:is|was)|weil|da sonst|denn"
    r"|parce que|car|puisque|porque|ya que|debido a)\b[:,]?\s*|因为|因為|由于|なぜなら|때문에",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    r"\b(?:for now|until|for the time being|not (?:enough )?time|out of scope|too risky|later"
    r"|after the|before the|deadline|erstmal|vorerst|pour l'instant|por ahora|de momento)\b"
    r"|暂时|先这样|とりあえず|今のところ|일단|나중에",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|and not|not|over|no more|anstelle von|statt|nicht"
    r"|au lieu de|plutôt que|en lugar de|en vez de)\s+(?P<option>[^,.;:()]{2,60})"
    r"|\b(?:away from|from)\s+(?P<left>[\w.+#/-]{2,40})\s+to\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:must|never|always|may not|mustn't|forbidden|required|muss|darf|niemals|immer|jamais"
    r"|toujours|doit|nunca|siempre|debe)\b|必须|不得|禁止|絶対|必ず|반드시|절대",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:limit\w*|at most|maximum|max\b|no more than|up to|only supports?|cannot|can't|\d+)\b",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\b(?:usually|if possible|when possible|ideally|maybe|lieber|si possible)\b", re.I
)
_FAILURE = re.compile(
    r"\b(?:error|exception|fail\w*|crash\w*|refused|denied|timeout|timed out|broken|hang\w*)\b",
    re.I,
)
_BIDDING = re.compile(
    r"\s*(?:please\s+)?(?:use|prefer|write|keep|run|answer|avoid|don't|do not)\b", re.IGNORECASE
)
# What announces a choice adds nothing to it.
_LEAD = re.compile(
    r"^(?:(?:from now on|going forward|in future|ab jetzt|désormais|a partir de ahora)[,:]?\s+"
    r"|(?:we|i)(?:'ve| have)? (?:decided|agreed|chosen) (?:to|that we|that)\s+|please\s+)+",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^[ \t]{0,6}\d{1,2}[.)][ \t]+(.{3,400})$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDraft:
    """A note that might be made; its *content* is that of its category."""

    category: Category
    title: str
    content: Mapping[str, object]
    tags: Sequence[str] = ()
    related_files: Sequence[str] = ()
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a draft is made of: one sentence, and what stands around it."""

    sentence: str
    reason: str = ""
    """Why, as far as it is said."""
    context: str = ""
    failure: str = ""
    steps: tuple[str, ...] = ()
    proof: str = ""
    files: tuple[str, ...] = ()
    given: str = field(default="")
    """What may stand where nothing was said: a person's own sentence, or nothing."""


def from_turn(proposal: Proposal, turn: CleanTurn) -> NoteDraft | None:
    """Return a draft of what *proposal* found in *turn*; None where something is missing."""
    taken = evidence.steps(turn)
    fixed = next(iter(evidence.fixes(taken)), None)
    told = _Told(
        sentence=proposal.sentence,
        reason=_reason(proposal.sentence, turn),
        context=sentences.headline(turn.prompt),
        failure=fixed.error if fixed else _failure(turn),
        steps=_steps(turn, taken),
        proof=fixed.proof if fixed else next(iter(evidence.outcomes(taken)), ""),
        files=evidence.modified(taken)[:MOST_FILES],
    )
    return _draft(proposal.category, told, confidence=round(proposal.score, 2))


def from_sentence(category: Category | None, text: str) -> NoteDraft:
    """Return a draft of what a person asks to remember, in their own words."""
    said = text.strip()
    first = next(iter(sentences.statements(said)), said)
    told = _Told(
        sentence=cut(first, LONGEST_TEXT),
        reason=_because(first) or _rest(said, first),
        context=said,
        failure=first,
        steps=tuple(_listed(said)) or (said,),
        proof=said,
        given=cut(said, LONGEST_TEXT),
    )
    made = _draft(category or _guessed(said), told, confidence=1.0)
    assert made, "a person's own sentence fills every field"
    return made


def _guessed(text: str) -> Category:
    """Return the category that *text* most likely is of."""
    lowest = dict.fromkeys(("decision", "preference", "constraint", "runbook", "tech_debt"), 0.0)
    found = triage([Said(by="user", text=text)], activity=Activity(), thresholds=lowest)
    if found:
        return found[0].category
    if _MUST.search(text) or _LIMIT.search(text):
        return "constraint"
    return "preference" if _BIDDING.match(text) else "decision"


def _draft(category: Category, told: _Told, *, confidence: float) -> NoteDraft | None:
    content = _CONTENT[category](told)
    if content is None:
        return None
    title = cut(_without_reason(told.sentence), LONGEST_TITLE)
    if category == "runbook" and not told.given:
        title = cut(told.failure, LONGEST_TITLE)
    return NoteDraft(
        category=category,
        title=title,
        content=content,
        tags=_tags(told, category),
        related_files=told.files,
        confidence=confidence,
    )


def _decision(told: _Told) -> dict[str, object] | None:
    reason = told.reason or told.given
    if not reason:
        return None
    left = _left(told.sentence)
    return {
        "status": "accepted",
        "context": told.context or told.sentence,
        "decision": told.sentence,
        "rationale": [cut(reason, LONGEST_ITEM)],
        "alternatives": [{"option": left, "rejected_reason": cut(reason, LONGEST_ITEM)}]
        if left
        else [],
    }


def _runbook(told: _Told) -> dict[str, object] | None:
    if not (told.failure and told.steps and told.proof):
        return None
    content: dict[str, object] = {
        "trigger": told.failure,
        "steps": [cut(step, LONGEST_ITEM) for step in told.steps[:MOST_STEPS]],
        "verification": told.proof,
    }
    return content | ({"root_cause": told.reason} if told.reason and not told.given else {})


def _constraint(told: _Told) -> dict[str, object] | None:
    return {
        "kind": "limitation" if _LIMIT.search(told.sentence) else "policy",
        "rule": told.sentence,
        "impact": [cut(told.reason or told.context or told.sentence, LONGEST_ITEM)],
        "severity": "high" if _MUST.search(told.sentence) else "medium",
        "active": True,
    }


def _tech_debt(told: _Told) -> dict[str, object] | None:
    why = told.reason or (told.sentence if _UNTIL.search(told.sentence) else told.given)
    if not why:
        return None
    return {
        "status": "open",
        "priority": "medium",
        "description": told.sentence,
        "reason_deferred": why,
    }


def _preference(told: _Told) -> dict[str, object] | None:
    left = _left(told.sentence)
    strength = "strong" if _MUST.search(told.sentence) else "default"
    return {
        "topic": cut(" ".join(_subjects(told.sentence)) or told.sentence, LONGEST_TITLE),
        "value": told.sentence,
        "reason": told.reason or told.sentence,
        "strength": "soft" if _MILD.search(told.sentence) else strength,
        "examples": {"avoid": [left]} if left else {},
    }


def _session_summary(told: _Told) -> dict[str, object] | None:
    """Return how a session went, in a person's words; the worker keeps those of sessions itself."""
    if not told.given:
        return None
    return {"goal": told.given, "outcome": "partial", "completed": [], "next_actions": []}


_CONTENT: Mapping[Category, Callable[[_Told], dict[str, object] | None]] = {
    "decision": _decision,
    "runbook": _runbook,
    "constraint": _constraint,
    "tech_debt": _tech_debt,
    "preference": _preference,
    "session_summary": _session_summary,
}


def _reason(sentence: str, turn: Turn) -> str:
    """Return why: what *sentence* says itself, or the sentence beside it that gives a reason."""
    if own := _because(sentence):
        return own
    for text in (turn.prompt, turn.answer, *turn.remarks):
        told = sentences.statements(text)
        near = [n for n, line in enumerate(told) if sentence[:60] in line or line[:60] in sentence]
        for place in near:
            beside = [*told[place + 1 : place + 2], *told[max(place - 1, 0) : place]]
            if found := next(filter(sentences.gives_reason, beside), ""):
                return _because(found) or found
    return ""


def _because(sentence: str) -> str:
    """Return what stands behind "because"."""
    parts = _BECAUSE.split(sentence, maxsplit=1)
    return parts[1].strip() if len(parts) > 1 and len(parts[1].strip()) > 3 else ""


def _without_reason(sentence: str) -> str:
    head = _BECAUSE.split(sentence, maxsplit=1)[0].strip()
    said = (head if len(head) > 10 else sentence).rstrip(" .,;:")
    bare = _LEAD.sub("", said, count=1)
    return bare[:1].upper() + bare[1:] if len(bare) > 5 else said


def _rest(text: str, first: str) -> str:
    """Return what a person said beyond their *first* sentence."""
    return cut(text.replace(first, " ", 1).strip(), LONGEST_ITEM) if first in text else ""


def _left(sentence: str) -> str:
    """Return the option that *sentence* says is not taken."""
    found = _INSTEAD.search(sentence)
    option = (found["option"] or found["left"]) if found else ""
    words = _BECAUSE.split(option or "", maxsplit=1)[0].split()
    return " ".join(words[:4]).rstrip(" .,;:!")


def _failure(turn: Turn) -> str:
    """Return the error that the turn was about, as it was told."""
    told = [*sentences.statements(turn.prompt), sentences.headline(turn.prompt)]
    return next(filter(_FAILURE.search, told), "")


def _steps(turn: Turn, taken: Sequence[evidence.Step]) -> tuple[str, ...]:
    """Return what was really done; or the steps that the answer lists, where nothing was."""
    done = [
        f"Change {', '.join(f'`{name}`' for name in step.files)}"
        if isinstance(step, evidence.Edit)
        else f"Run `{cut(step.line, evidence.LONGEST_COMMAND)}`"
        for step in taken
        if isinstance(step, evidence.Edit) or not step.failed
    ]
    return tuple(dict.fromkeys(done))[:MOST_STEPS] or tuple(_listed(turn.answer))


def _listed(text: str) -> Iterable[str]:
    """Return the items of the numbered list in *text*."""
    items = _NUMBERED.findall(text[: sentences.READ_CHARACTERS])
    return [item.strip() for item in items][:MOST_STEPS]


def _tags(told: _Told, category: Category) -> tuple[str, ...]:
    names = [name for name in identifiers(told.sentence) if len(name) <= LONGEST_TAG]
    found = [*names, *_subjects(told.sentence)]
    tidy = dict.fromkeys(one.lower() for one in found if len(one) <= LONGEST_TAG)
    return tuple(tidy)[:MOST_TAGS] or (category.replace("_", "-"),)


def _subjects(sentence: str) -> list[str]:
    """Return the words of *sentence* that say what it is about."""
    words = [word for word in terms(_without_reason(sentence)) if word not in COMMON_WORDS]
    return sorted(words, key=len, reverse=True)[:3]
