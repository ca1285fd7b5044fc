"""Which notes a turn is worth: a pure reading of what was said in it.

A sentence is what is scored, and a proposal carries the sentence that it came from. One explicit
statement of the user is enough; anything less needs several signs that agree (`weigh`), and what
the agent says weighs less. Nothing counts that is pasted, asked, doubted, taken back, or said of
others. A score of 0.5 is a fair bet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from recollect.memories.model import Category
from recollect.synthesis import cues, spoken, weigh
from recollect.synthesis.cues import Language
from recollect.synthesis.spoken import Sentence
from recollect.synthesis.weigh import STRONG, Place, Speaker

THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        "session_summary": 0.6,
        "decision": 0.5,
        "runbook": 0.5,
        "constraint": 0.6,
        "tech_debt": 0.5,
        "preference": 0.6,
    }
)

# A threshold of 1 means none at all.
SUREST = 0.99
# Short messages come to the point; in a long one, signs meet by chance.
POINTED_SENTENCES = 5
POINTED = 0.1
WEIGHTS: Mapping[tuple[Speaker, bool], float] = MappingProxyType(
    {
        ("user", True): 1.0,
        ("user", False): 0.9,
        ("agent", True): 0.9,
        ("agent", False): 0.8,
    }
)
# A second wish of a message is as plain as this.
ALSO = 0.65

# What is shorter says how far a wish goes, not what it is.
FEW_WORDS = 5
FEW_SIGNS = 16

# How many sentences of the same message a category takes for itself.
REACH: Mapping[Category, int] = MappingProxyType({"runbook": 3, "tech_debt": 1})

# One message may hold several wishes, also side by side, and several rules; of anything else the
# best is enough.
ALIKE: Mapping[Category, int] = MappingProxyType({"preference": 0, "constraint": 1})
MOST: Mapping[Category, int] = MappingProxyType({"preference": 3, "constraint": 3})

# So much is a session's work.
MANY_USES = 8
MANY_TOOLS = 3
MANY_EXCHANGES = 3
# One request that keeps the agent busy for so long is a session by itself.
USES_OF_A_LONG_TURN = 40

LONGEST_READ = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message."""

    by: Speaker
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """How much was done: a session's summary depends on it."""

    tool_uses: int = 0
    distinct_tools: int = 0
    exchanges: int = 0
    """How often the user said something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A note that might be made, and the sentence that speaks for it."""

    category: Category
    score: float
    sentence: str
    by: Speaker


def triage(
    said: Sequence[Said],
    *,
    activity: Activity,
    thresholds: Mapping[str, float] = THRESHOLDS,
    most_messages: int = 50,
) -> list[Proposal]:
    """Return the notes that the last *most_messages* of what was *said* are worth, best first.

    >>> said = [Said(by="user", text="From now on use pnpm.")]
    >>> [(one.category, one.sentence) for one in triage(said, activity=Activity())]
    [('preference', 'From now on use pnpm.')]
    """
    latest = said[-most_messages:] if most_messages > 0 else ()
    messages = [_Message.heard(one) for one in _without_remarks(latest)]
    found = [*_summary(activity, latest), *_stated(messages)]
    return _best(one for one in found if one.score >= thresholds.get(one.category, 1.0))


def busyness(activity: Activity) -> float:
    """Return how much of a session's work *activity* is, between 0 and 1.

    >>> busyness(Activity(tool_uses=12, distinct_tools=4, exchanges=4))
    0.99
    >>> busyness(Activity(tool_uses=12, distinct_tools=4, exchanges=1)) < 0.5
    True
    """
    uses, tools = activity.tool_uses / MANY_USES, activity.distinct_tools / MANY_TOOLS
    long = max(activity.exchanges / MANY_EXCHANGES, activity.tool_uses / USES_OF_A_LONG_TURN)
    return min(SUREST, round(min(1.0, uses) * min(1.0, tools) * min(1.0, long), 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Message:
    """The sentences of one message, and the languages they may be in."""

    by: Speaker
    lines: tuple[Sentence, ...]
    languages: tuple[Language, ...]

    @classmethod
    def heard(cls, said: Said) -> "_Message":
        lines = tuple(spoken.sentences(said.text))
        words = " ".join(line.heard for line in lines)[:LONGEST_READ]
        return cls(by=said.by, lines=lines, languages=cues.languages(words))

    @property
    def is_pointed(self) -> bool:
        return len(self.lines) <= POINTED_SENTENCES

    @property
    def takes_back(self) -> bool:
        """True when it begins with "forget it"."""
        first = "".join(line.heard for line in self.lines[:1])
        return any(language.withdrawn.search(first) for language in self.languages)

    @property
    def heeds(self) -> bool:
        """True when it answers to something it was told: "Understood." or "I'll use that."."""
        first = "".join(line.heard for line in self.lines[:1])
        return self.by == "agent" and any(
            language.echo.search(first) or language.promised.search(first)
            for language in self.languages
        )

    @property
    def asks(self) -> bool:
        """True when it ends with a question, or tells of a failure."""
        if not self.lines:
            return False
        last = self.lines[-1]
        return last.asks or any(
            language.question.search(last.heard) or language.runbook.symptom.search(last.heard)
            for language in self.languages
        )


def _without_remarks(said: Sequence[Said]) -> list[Said]:
    """What was *said* without what an agent says between its tool calls: it thinks aloud there."""
    return [
        one
        for number, one in enumerate(said)
        if one.by == "user" or number + 1 == len(said) or said[number + 1].by == "user"
    ]


def _summary(activity: Activity, latest: Sequence[Said]) -> Iterator[Proposal]:
    asked = next((one.text for one in latest if one.by == "user"), "")
    if score := busyness(activity):
        request = " ".join(asked[:LONGEST_READ].split())[: spoken.LONGEST_SENTENCE]
        yield Proposal(category="session_summary", score=score, sentence=request, by="user")


def _stated(messages: Sequence[_Message]) -> list[Proposal]:
    """What each of *messages* proposes, unless the user took it back."""
    asked = "\n".join(line.heard for one in messages if one.by == "user" for line in one.lines)
    found: list[Proposal] = []
    before: list[Proposal] = []
    for number, message in enumerate(messages):
        following = messages[number + 1 : number + 3]
        if any(later.by == "user" and later.takes_back for later in following):
            continue
        answers = number > 0 and messages[number - 1].asks
        heeded = any(after.heeds for after in following[:1])
        proposed = list(_proposed(message, asked[-LONGEST_READ:], answers=answers, heeded=heeded))
        if message.by == "agent" and any(one.category == "runbook" for one in proposed):
            # What the user told of the failure was no rule and no wish.
            before = [one for one in before if one.score > STRONG + POINTED]
        found += before
        before = proposed
    return found + before


def _proposed(message: _Message, asked: str, *, answers: bool, heeded: bool) -> Iterator[Proposal]:
    best: dict[_Spot, float] = {}
    for language in message.languages if message.lines else ():
        for spot, score in _scored(
            message,
            asked,
            language,
            answers=answers,
            heeded=heeded and message.is_pointed and not message.asks,
        ):
            best[spot] = max(score, best.get(spot, 0.0))
    bonus = POINTED * (1 + heeded) if message.is_pointed and message.by == "user" else 0.0
    weight = WEIGHTS[message.by, message.is_pointed]
    for (number, category), score in _settled(best).items():
        yield Proposal(
            category=category,
            score=min(SUREST, round((score + bonus) * weight, 3)),
            sentence=message.lines[_told_at(message, number, category)].text,
            by=message.by,
        )


def _told_at(message: _Message, number: int, category: Category) -> int:
    """The sentence that says it: "Generally." and "In all my projects." speak of the one before."""
    words = message.lines[number].heard
    short = len(words.split()) < FEW_WORDS and (words.isascii() or len(words) < FEW_SIGNS)
    return number - 1 if category == "preference" and short and number else number


_Spot = tuple[int, Category]
"""Which sentence of a message speaks for which category."""


def _settled(best: Mapping[_Spot, float]) -> dict[_Spot, float]:
    """One category for a sentence; a second one for a message, or a second note, if explicit."""
    kept: dict[_Spot, float] = {}
    for spot, score in sorted(best.items(), key=_rank):
        known = {category for _, category in kept}
        least = STRONG if known - {spot[1]} else ALSO if known else 0.0
        if score and score >= least and not any(_claims(one, spot) for one in kept):
            kept[spot] = score
    return kept


def _claims(kept: _Spot, other: _Spot) -> bool:
    """True when what *other* says belongs to *kept*."""
    distance = abs(kept[0] - other[0])
    if kept[1] == other[1]:
        return kept[1] not in ALIKE or distance <= ALIKE[kept[1]]
    return distance <= REACH.get(kept[1], 0)


def _rank(scored: tuple[_Spot, float]) -> float:
    (_, category), score = scored
    if category == "runbook" and score > 0.5:
        # It is told in the words of all the others: "must", "never", "because", "for now".
        return -score - 0.2
    # A plain statement is a choice only where nothing speaks for something else.
    return -score + 0.1 * (category == "decision" and score < STRONG)


def _scored(
    message: _Message, asked: str, language: Language, *, answers: bool, heeded: bool
) -> Iterator[tuple[_Spot, float]]:
    if way_out := weigh.recovery(message.lines, message.by, asked, language):
        number, score = way_out
        yield (number, "runbook"), score
    for number, line in enumerate(message.lines):
        if _is_hollow(message, number, language):
            continue
        near = [
            *message.lines[max(0, number - 1) : number],
            *message.lines[number + 1 : number + 2],
        ]
        beside = "\n".join(one.heard for one in near)
        place = Place(by=message.by, line=line, beside=beside, language=language, heeded=heeded)
        yield (number, "decision"), weigh.decision(place)
        yield (number, "tech_debt"), weigh.debt(place)
        if message.by == "user":
            yield (number, "preference"), weigh.preference(place)
        if message.by == "user" or answers:
            yield (number, "constraint"), weigh.constraint(place)


def _is_hollow(message: _Message, number: int, language: Language) -> bool:
    """True for an announcement, for what is taken back, and for what an agent promises."""
    heard = message.lines[number].heard
    following = message.lines[number + 1 : number + 2]
    if heard.endswith((":", "：")) or language.withdrawn.search(heard):
        return True
    if any(language.withdrawn.search(one.heard) for one in following):
        return True
    told = language.promised.search(heard) or language.echo.search(heard)
    return message.by == "agent" and told is not None


def _best(found: Iterable[Proposal]) -> list[Proposal]:
    """The best of each category; what the agent repeats after the user is left out."""
    kept: list[Proposal] = []
    for one in sorted(found, key=lambda one: (-one.score, one.by != "user")):
        same = [other for other in kept if other.category == one.category]
        again = any(other.by != one.by or other.sentence == one.sentence for other in same)
        if len(same) < MOST.get(one.category, 1) and not again:
            kept.append(one)
    return kept
