"""Which notes a turn makes: the one place where it is decided. Pure, but for *embed*.

Rules that a user states are found sentence by sentence (`stated`), the rest by `triage`, which
reads what both sides said. What either finds must also fit what was done in the turn: agents say of
all their work what would be a note if somebody meant it.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.journal import evidence
from recollect.notes import cues, draft, rules, stated, triage
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.draft import NoteDraft
from recollect.notes.stated import Embed
from recollect.notes.triage import Activity, Proposal, SpokenMessage
from recollect.text import spoken
from recollect.transcripts.turns import CleanTurn, Turn

# What is less than sure is for the user to say.
SURE = 0.7
FEWEST_WORDS = 5

# Who answers at length discusses.
LONGEST_CHOICE = 80
_RECOMMENDED = re.compile(r"\s*\(recommended\)\s*$", re.IGNORECASE)
_OPEN_QUESTION = re.compile(
    r"(?:which|what|where|when|how|should|shall|do|does|is|are|must|can|may|will)\b", re.IGNORECASE
)
_STEPS_OF_WORK = re.compile(
    r"\b(?:would you like|(?:do|did) you want (?:me|to)\b|(?:shall|should|can|may) i\b|ready to"
    r"|do next|next step|before we|this time|now\b|be committed|commit (?:this|these|the)"
    r"|as part of (?:this|the)\b|push(?:ed)?\b|prs?\b|pull requests?\b|the plan|work through"
    r"|proceed|continue|start with)",
    re.IGNORECASE,
)

# What ought not to happen is asked for; a debt is what does.
_OUGHT = re.compile(r"\bshould(?:n'?t| not) (?!be\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """How notes are looked for in turns."""

    thresholds: Mapping[Category, float]
    """How sure we must be of a note of each category that may be made unasked."""
    most_messages: int = 50
    embed: Embed = lambda _: None


def proposals(turn: Turn, before: Turn | None, how: Detection) -> Iterator[Proposal]:
    """Yield the notes that *turn* is worth, best first; the turn *before* helps to understand it.

    One sentence makes one note.
    """
    heard = triage.triage(
        said(turn),
        before=said(before) if before else (),
        activity=Activity(),
        thresholds=how.thresholds,
        most_messages=how.most_messages,
    )
    found = [one for one in heard if _is_telling(one, turn)]
    if stated.reads(turn.prompt):
        # A prompt farther back than the messages to be looked at states no rules.
        is_read = len(said(turn)) <= how.most_messages
        found = [
            *(_rules(turn, how) if is_read else ()),
            *(one for one in found if not _is_rule(one) or _is_answer(one, turn, before)),
        ]
    known: set[str] = set()
    for proposal in found:
        if proposal.sentence not in known:
            known.add(proposal.sentence)
            yield proposal


def choices(turn: CleanTurn) -> Iterator[NoteDraft]:
    """Yield what the user decided in *turn* by an answer to the agent's question.

    What is asked of the steps of the work ("Ready to push?") is no decision, nor is an answer in
    many words or one that asks back.
    """
    for question, answer in evidence.choices(turn):
        chosen = _RECOMMENDED.sub("", answer).strip()
        is_short = len(chosen) <= LONGEST_CHOICE and not re.search(r"[?？\n]", chosen)
        if is_short and _OPEN_QUESTION.match(question) and not _STEPS_OF_WORK.search(question):
            yield draft.from_choice(question, chosen, turn)


def drafted(proposal: Proposal, turn: CleanTurn) -> NoteDraft | None:
    """Return the draft of what *proposal* found in *turn*; None where something is missing."""
    if _is_rule(proposal) and stated.reads(turn.prompt):
        text = stated.without_lead(proposal.sentence)
        return draft.from_rule(proposal.category, text, confidence=proposal.score)
    return draft.from_turn(proposal, turn)


def needs_confirmation(proposal: Proposal, turn: Turn) -> bool:
    """Return whether a note must not hold before the user has said yes.

    That is what the agent said, unless its commands prove it, and what the user said less than
    plainly, or in passing.
    """
    if proposal.by == "agent":
        return proposal.category != "runbook" or not _has_mended(turn)
    return proposal.score < SURE or not proposal.plain


def said(turn: Turn) -> list[SpokenMessage]:
    """Return the words of *turn*, in order."""
    agent = [*turn.remarks, turn.answer]
    spoken = [
        SpokenMessage(by="user", text=turn.prompt),
        *(SpokenMessage(by="agent", text=one) for one in agent),
    ]
    return [one for one in spoken if one.text.strip()]


def _is_rule(proposal: Proposal) -> bool:
    """True for what a user lays down: a rule, a wish, a choice."""
    return proposal.by == "user" and CATEGORIES[proposal.category].is_rule


def _is_telling(proposal: Proposal, turn: Turn) -> bool:
    """False for what agents say of all their work, and for a debt that names no flaw.

    "Leave it for now" is said of many things. A way out of a problem is one if a command failed and
    passed in the end, or if the user tells it outright.
    """
    heard = spoken.sentence(proposal.sentence).heard
    by_agent = proposal.by == "agent" and stated.reads(turn.answer)
    if not by_agent and stated.reads(turn.prompt) and stated.specifies(turn.prompt):
        return False
    words = cues.languages(heard)
    match proposal.category:
        case "tech_debt":
            named = [one.tech_debt.named for one in words]
            flaws = [(one.tech_debt.flaw, one.tech_debt.slight) for one in words]
            told = named if by_agent else (*named, *itertools.chain(*flaws))
            is_wish = heard.endswith("?") or _OUGHT.search(heard)
            return any(cue.search(heard) for cue in told) and not is_wish
        case "runbook":
            is_told = proposal.plain and not rules.is_at_hand(heard)
            return _has_mended(turn) or _has_recovered(turn) if by_agent else is_told
        case "constraint":
            return not by_agent
        case "decision":
            return not by_agent or proposal.plain
        case _:
            return True


def _has_mended(turn: Turn) -> bool:
    """True if a change let a command pass that failed; not by a slip, nor by a flaw of the code."""
    fixes = evidence.fixes(evidence.steps(turn))
    return any(not (fix.is_slip or fix.is_of_code) for fix in fixes)


def _has_recovered(turn: Turn) -> bool:
    """True if a command failed and passed unchanged, after others that the agent says helped."""
    return bool(evidence.recoveries(evidence.steps(turn)))


def _is_answer(proposal: Proposal, turn: Turn, before: Turn | None) -> bool:
    """True for a choice that is only one because the agent offered several ways."""
    if before is None or proposal.category != "decision":
        return False
    if len(proposal.sentence.split()) < FEWEST_WORDS:  # "Option 3" tells nobody anything later.
        return False
    heard = spoken.sentence(proposal.sentence).heard
    if rules.is_at_hand(heard) or rules.is_talk(heard):
        return False
    alone = triage.triage([SpokenMessage(by="user", text=turn.prompt)], activity=Activity())
    return not any(one.category == "decision" for one in alone)


def _rules(turn: Turn, how: Detection) -> Iterator[Proposal]:
    for rule in stated.stated(turn.prompt, embed=how.embed):
        category = draft.category_of_rule(rule.text)
        if rule.score >= how.thresholds.get(category, 1.0):
            yield Proposal(
                category=category,
                score=rule.score,
                sentence=rule.sentence,
                by="user",
                plain=rule.is_pointed,
            )
