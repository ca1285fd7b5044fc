"""How much a sentence speaks for each kind of note. Pure.

A sentence that says it outright is worth a note by itself. Otherwise several signs must agree: a
rule with its number, a flaw with its "for now", a choice with its reason. The weights were chosen
by hand with the `tune` half of the labelled dialogues (`benchmarks/labelled/triage.jsonl`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.synthesis.cues import Language, Recovery
from recollect.synthesis.spoken import Sentence

Speaker = Literal["user", "agent"]

# One explicit statement.
STRONG = 0.75
# The most that signs can add up to without one.
WEAK = 0.64
# A plain statement with a reason and another way, by which the agent goes.
PLAIN = 0.3
# How much a sign counts that stands in the sentence before or behind.
BESIDE = 0.7

# A way out of a problem is told in so many sentences.
RECOVERY_SENTENCES = 7
BY_STEPS = (0.0, 0.05, 0.15, 0.25, 0.3)

# A command in plain text, without the marks of code around it.
_COMMAND = re.compile(
    r"(?<![\w./-])(?:sudo|systemctl|docker(?:-compose)?|kubectl|helm|p?npm|yarn|npx|git|pip3?|brew"
    r"|gem|cargo|make|gradle|mvn|terraform|ansible|psql|redis-cli|crictl|nerdctl|ssh|scp|rm|chmod"
    r"|chown|p?kill|killall|journalctl|service|apt|apt-get|dnf|yum|apk|adb|xcodebuild|pod|flutter"
    r"|conda|poetry|uv|alembic|rake|rails|composer|dotnet|node|python3?|openssl|certbot"
    r"|(?:\./|bin/)[\w./-]+) [\w./-]+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A sentence, what stands beside it, who said it, and the language it is read in."""

    by: Speaker
    line: Sentence
    beside: str
    language: Language
    heeded: bool = False
    """True when the agent goes by it."""

    @property
    def heard(self) -> str:
        """The sentence, as cues hear it."""
        return self.line.heard

    def says(self, cue: re.Pattern[str]) -> bool:
        """True when the sentence has *cue*."""
        return cue.search(self.heard) is not None

    def weigh(self, weight: float, cue: re.Pattern[str], *, beside: float = BESIDE) -> float:
        """Return *weight* if the sentence has *cue*, less if only its neighbours have."""
        if self.says(cue):
            return weight
        return weight * beside if cue.search(self.beside) else 0.0

    def states(self, cue: re.Pattern[str], *, never: re.Pattern[str] | None = None) -> bool:
        """True when *cue* is in a clause that is not asked, doubted, or told of others."""
        return any(
            _is_stated(_clause(self.heard, found, self.language), self.language, never)
            for found in cue.finditer(self.heard)
        )


def _is_stated(clause: str, language: Language, never: re.Pattern[str] | None) -> bool:
    void = (language.question, language.unsure, language.reported, *([never] if never else ()))
    asks = clause.rstrip().endswith(("?", "？"))
    return not asks and not any(cue.search(clause) for cue in void)


def _clause(heard: str, cue: re.Match[str], language: Language) -> str:
    """The part of the sentence in which *cue* stands."""
    begin, end = 0, len(heard)
    for mark in language.clause.finditer(heard):
        if mark.end() <= cue.start() + 1:
            begin = mark.end()
        elif mark.start() >= cue.end():
            end = mark.start() + 1
            break
    return heard[begin:end]


def decision(place: Place) -> float:
    """Return how much it is a choice that was made."""
    told = place.language.decision
    if place.by == "agent":
        return _agents_decision(place)
    reasons = place.weigh(0.2, told.reason, beside=0.75) + place.weigh(0.15, told.contrast)
    if any(place.states(cue, never=told.never) for cue in (told.made, told.ruled)):
        return STRONG + reasons
    is_work = place.says(place.language.request) or place.says(place.language.tech_debt.later)
    if place.line.technical or is_work:
        return 0.0
    if place.states(told.set, never=told.never):
        return min(WEAK + 0.06, 0.35 + reasons)
    return PLAIN if place.heeded and _is_plain_statement(place) else 0.0


def _is_plain_statement(place: Place) -> bool:
    """True for a sentence that states one way against another, with a reason; no failure."""
    language = place.language
    doubts = (language.question, language.unsure, language.reported, language.decision.never)
    if place.line.asks or any(place.says(cue) for cue in (*doubts, language.runbook.symptom)):
        return False
    reasons = language.decision.reason, language.decision.contrast
    return all(place.weigh(1.0, cue) for cue in reasons)


def _agents_decision(place: Place) -> float:
    """An agent tells of every change; a choice has the way not taken, and its reason."""
    told = place.language.decision
    contrast = 0.2 * place.says(told.contrast)
    made = place.states(told.made, never=told.never)
    if not made and not (contrast and place.states(told.swapped, never=told.never)):
        return 0.0
    strict = place.weigh(0.25, place.language.because)
    reason = max(strict, place.weigh(0.2, told.reason, beside=0.75)) if contrast else strict
    return (0.4 if made else 0.25) + contrast + reason


def preference(place: Place) -> float:
    """Return how much it is a wish of the user for every time."""
    place = _without_politeness(place)
    told = place.language.preference
    if place.says(told.never) or place.says(place.language.one_off):
        return 0.0
    order, topic = place.says(told.order), place.says(told.topic)
    if place.states(told.explicit):
        return STRONG + 0.1 * order + 0.1 * topic
    taste, habit = place.states(told.taste), place.states(told.habit)
    # "Tabs, not spaces. In all my projects."
    elsewhere = place.states(told.order) and told.habit.search(place.beside) is not None
    is_report = place.says(place.language.runbook.symptom) and not (order and topic)
    is_code = place.line.technical and not topic
    is_work = place.says(place.language.request) and not (habit or elsewhere)
    if not (taste or habit or elsewhere) or is_report or is_code or is_work:
        return 0.0
    signs = 0.35 * taste + (0.35 if habit else 0.25 * elsewhere) + 0.2 * order
    signs += 0.15 * (topic and (taste or order))
    return min(signs, WEAK) if signs < 0.7 else signs


def _without_politeness(place: Place) -> Place:
    """*place* with "could you always …?" read as the order it is."""
    heard, polite = place.language.polite.subn("please", place.heard, count=1)
    if not polite:
        return place
    return replace(place, line=replace(place.line, heard=heard.rstrip("?？ ")))


def constraint(place: Place) -> float:
    """Return how much it is a rule or limit that holds."""
    told = place.language.constraint
    user = place.by == "user"
    if place.says(told.never) or (user and place.says(place.language.request)):
        return 0.0
    beside = 0.5 if user else 0.0
    amount = place.weigh(0.2, told.amount, beside=beside)
    source = place.weigh(0.2, told.source, beside=beside)
    firm = place.weigh(0.15, told.firm, beside=0.5)
    signs = amount + source + firm
    explicit = place.states(told.explicit)
    if user and (explicit or place.states(told.stated)):
        return STRONG + signs / 2 if signs else 0.4
    if explicit and (source or (amount and firm)):
        return 0.45 + signs
    is_report = place.says(place.language.runbook.symptom) and not (amount or (source and firm))
    if is_report or place.line.technical or place.says(place.language.one_off):
        return 0.0
    return min(WEAK, 0.25 + signs) if place.states(told.duty) else 0.0


def debt(place: Place) -> float:
    """Return how much it is a flaw that is left for later."""
    told, language = place.language.tech_debt, place.language
    void = (told.never, language.doubt, language.reported)
    if place.line.asks or any(place.says(cue) for cue in void):
        return 0.0
    if place.states(told.named):
        return STRONG
    is_work = place.by == "user" and place.says(language.request) and not place.says(told.flaw)
    return 0.0 if is_work or not _is_left(place) else _debt(place)


def _is_left(place: Place) -> bool:
    """True when the sentence has a part of it, and it or its neighbours say that it stays."""
    told = place.language.tech_debt
    flaw, kept, soon = (place.says(cue) for cue in (told.flaw, told.kept, told.soon))
    slight = place.says(told.slight) and place.says(told.later)
    stays = place.weigh(1.0, told.later) > 0 or (flaw and (kept or soon))
    return stays and (flaw or kept or soon or slight)


def _debt(place: Place) -> float:
    told = place.language.tech_debt
    flawed = max(place.weigh(0.35, told.flaw), place.weigh(0.2, told.slight))
    known, owed = place.weigh(0.2, told.kept), place.weigh(0.2, told.soon)
    if not flawed and not (known and owed):
        return 0.0
    return flawed + known + owed + place.weigh(0.3, told.later) - 0.05


def recovery(
    lines: Sequence[Sentence], by: Speaker, asked: str, language: Language
) -> tuple[int, float] | None:
    """Return which of *lines* begins the best way out of a problem, and its score.

    *asked* is everything the user said: the problem may have been told before.
    """
    # "Remove the workaround, the bug is fixed" is a request; a list of steps is not.
    work = language.request if by == "user" and len(lines) == 1 else None
    told = [_Part.of(line, language.runbook, work) for line in lines]
    known = 0.15 * bool(language.runbook.symptom.search(asked))
    least = 1 if by == "user" else 2
    stretches = [told[start : start + RECOVERY_SENTENCES] for start in range(len(told))]
    found = [
        (start + _begin(stretch), known + _way_out(stretch))
        for start, stretch in enumerate(stretches)
        if sum(one.steps for one in stretch) >= least
    ]
    return max(found, key=lambda one: one[1], default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What one sentence adds to the way out of a problem."""

    steps: int
    """How many things it says to do, or that were done, to a machine."""
    remedy: bool
    cause: bool
    check: bool

    @classmethod
    def of(cls, line: Sentence, told: Recovery, work: re.Pattern[str] | None) -> "_Part":
        heard = line.heard
        plain = not line.technical and not (work and work.search(heard))
        remedy = any(cue.search(heard) for cue in (told.again, told.remedy))
        return cls(
            steps=(len(told.action.findall(heard)) + len(_COMMAND.findall(heard))) * plain,
            remedy=plain and remedy and not told.never.search(heard),
            cause=not line.asks and told.cause.search(heard) is not None,
            check=not line.asks and told.check.search(heard) is not None,
        )


def _way_out(stretch: Sequence[_Part]) -> float:
    steps = sum(one.steps for one in stretch)
    return (
        0.3 * any(one.remedy for one in stretch)
        + 0.2 * any(one.cause for one in stretch)
        + 0.15 * any(one.check for one in stretch)
        + BY_STEPS[min(steps, len(BY_STEPS) - 1)]
    )


def _begin(stretch: Sequence[_Part]) -> int:
    """The sentence that tells of a remedy, or of the first step."""
    remedies = [number for number, one in enumerate(stretch) if one.remedy]
    steps = [number for number, one in enumerate(stretch) if one.steps]
    return (remedies or steps)[0]
