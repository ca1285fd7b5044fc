"""Which notes a turn is worth: a pure reading of what was said in it.

A sentence is what is scored, with what stands beside it and how the agent answered (`signs`), and a
proposal carries the sentence that it came from. What the signs are worth was learned (`weigh`).
Nothing counts that is pasted or taken back. A score of 0.5 is a fair bet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType

from recollect.notes import classifier, cues, features
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.classifier import Speaker
from recollect.notes.cues import LanguageCues
from recollect.notes.features import Features
from recollect.text import spoken
from recollect.text.spoken import Sentence

THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {name: row.threshold for name, row in CATEGORIES.items()}
)

# A threshold of 1 means none at all.
SUREST = 0.99
# Short messages come to the point; in a long one, signs meet by chance.
POINTED_SENTENCES = 5
# What is fainter met by chance.
FAINT = 0.25
# A second wish of a message is as plain as this; a second kind of note is said outright.
ALSO = 0.85
OUTRIGHT = 0.7
# What a user says of a failure is a rule or a wish only if it is as plain as this.
BEYOND_DOUBT = 0.9

# What says outright that it is a choice, a wish, a rule …; other cues only hint at it, and in a
# piece of ordinary work they meet by chance.
OUTRIGHT_CUES: Mapping[Category, frozenset[str]] = MappingProxyType(
    {
        "decision": frozenset({"decision.made", "decision.ruled"}),
        "preference": frozenset({"preference.explicit", "preference.habit"}),
        "constraint": frozenset(
            {
                "constraint.authority",
                "constraint.explicit",
                "constraint.penalty",
                "constraint.stated",
            }
        ),
        "tech_debt": frozenset(
            {"tech_debt.kept", "tech_debt.known", "tech_debt.later", "tech_debt.named"}
        ),
        "runbook": frozenset({"runbook.again", "runbook.remedy"}),
    }
)

# "Ugh right. No.": what is as short as this says nothing before one comes to the point.
SIGH = 12
SIGHS = 2

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
class SpokenMessage:
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
    plain: bool = True
    """True when the sentence says so outright, in a message that comes to the point."""


def triage(
    said: Sequence[SpokenMessage],
    *,
    activity: Activity,
    before: Sequence[SpokenMessage] = (),
    thresholds: Mapping[str, float] = THRESHOLDS,
    most_messages: int = 50,
) -> list[Proposal]:
    """Return the notes that the last *most_messages* of what was *said* are worth, best first.

    What was said *before* helps to understand it, and is worth nothing here.

    >>> said = [SpokenMessage(by="user", text="From now on use pnpm.")]
    >>> [(one.category, one.sentence) for one in triage(said, activity=Activity())]
    [('preference', 'From now on use pnpm.')]
    """
    latest = said[-most_messages:] if most_messages > 0 else ()
    known = [_Message.heard(one) for one in _without_remarks(before)]
    messages = [_Message.heard(one) for one in _without_remarks(latest)]
    found = [*_summary(activity, latest), *_stated([*known, *messages], len(known), thresholds)]
    return _best(one for one in found if one.score >= thresholds.get(one.category, 1.0))


def takes_back(text: str) -> bool:
    """Return whether a user who says this takes back what was said last.

    >>> takes_back("hm, scrap that"), takes_back("scrap the old parser")
    (True, False)
    """
    return _Message.heard(SpokenMessage(by="user", text=text)).takes_back


def busyness(activity: Activity) -> float:
    """Return how much of a session's work *activity* is, between 0 and 1.

    >>> busyness(Activity(tool_uses=12, distinct_tools=4, exchanges=4))
    0.99
    >>> busyness(Activity(tool_uses=12, distinct_tools=4, exchanges=1)) < 0.5
    True
    """
    uses, tools = activity.tool_uses / MANY_USES, activity.distinct_tools / MANY_TOOLS
    long = max(activity.exchanges / MANY_EXCHANGES, activity.tool_uses / USES_OF_A_LONG_TURN)
    share = min(1.0, uses) * min(1.0, tools) * min(1.0, long)
    # Nearly a session is none.
    return SUREST if share == 1 else round(share / 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class TriageCandidate:
    """A sentence that may be worth a note, with its signs."""

    message: int
    number: int
    """Which sentence of the message."""
    sentence: str
    by: Speaker
    signs: Features
    way_out: float
    """How much a way out of a problem begins here."""
    categories: tuple[Category, ...]
    """What it may speak for."""


@dataclass(frozen=True, kw_only=True)
class _Message:
    """The sentences of one message, and the languages they may be in."""

    by: Speaker
    lines: tuple[Sentence, ...]
    languages: tuple[LanguageCues, ...]

    @classmethod
    def heard(cls, said: SpokenMessage) -> "_Message":
        lines = tuple(spoken.sentences(said.text))
        words = " ".join(line.heard for line in lines)[:LONGEST_READ]
        return cls(by=said.by, lines=lines, languages=cues.languages(words) if lines else ())

    @cached_property
    def told(self) -> list[Features]:
        """The signs of each sentence by itself."""
        return [features.of_sentence(line, self.languages) for line in self.lines]

    @property
    def is_pointed(self) -> bool:
        """True for a short message: it comes to the point."""
        return len(self.lines) <= POINTED_SENTENCES

    @property
    def takes_back(self) -> bool:
        """True when it begins with "forget it", be it after an "ugh" or a "no"."""
        sighs = list(takewhile(lambda line: len(line.heard) <= SIGH, self.lines[:SIGHS]))
        first = [line.heard for line in self.lines[: len(sighs) + 1]]
        withdrawn = [language.withdrawn for language in self.languages]
        return any(cue.search(heard) for cue in withdrawn for heard in first)

    @cached_property
    def names(self) -> frozenset[str]:
        """What any of its sentences has, stated or not."""
        return frozenset(name.lstrip("?") for one in self.told for name in one)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """What it is about."""
        return features.subjects(" ".join(line.heard for line in self.lines))

    @cached_property
    def begins(self) -> frozenset[str]:
        """What its first sentences are about."""
        return features.subjects(" ".join(line.heard for line in self.lines[:2]))

    def is_hollow(self, number: int) -> bool:
        """True for an announcement, and for what is taken back."""
        if self.lines[number].heard.endswith((":", "：")):
            return True
        return any("withdrawn" in one for one in self.told[number : number + 2])


def _without_remarks(said: Sequence[SpokenMessage]) -> list[SpokenMessage]:
    """What was *said* without what an agent says between its tool calls: it thinks aloud there."""
    return [
        one
        for number, one in enumerate(said)
        if one.by == "user" or number + 1 == len(said) or said[number + 1].by == "user"
    ]


def _summary(activity: Activity, latest: Sequence[SpokenMessage]) -> Iterator[Proposal]:
    asked = next((one.text for one in latest if one.by == "user"), "")
    if score := busyness(activity):
        request = " ".join(asked[:LONGEST_READ].split())[: spoken.LONGEST_SENTENCE]
        yield Proposal(category="session_summary", score=score, sentence=request, by="user")


def _stated(
    messages: Sequence[_Message], since: int, thresholds: Mapping[str, float]
) -> list[Proposal]:
    """What each of *messages* proposes *since* one of them, unless the user took it back."""
    found: list[Proposal] = []
    before: list[Proposal] = []
    for number, message in enumerate(messages[since:], start=since):
        candidates = list(_candidates(messages, number))
        proposed = list(_proposed(message, candidates))
        if message.by == "agent" and any(
            one.category == "runbook" and one.score >= THRESHOLDS["runbook"] for one in proposed
        ):
            # What the user told of the failure was no rule and no wish.
            before = [one for one in before if one.score >= BEYOND_DOUBT]
        told = {one.category for one in before if one.score >= thresholds.get(one.category, 1.0)}
        if message.by == "agent" and told & {"decision", "constraint"}:
            # It does as it was told: that is no choice of its own.
            proposed = [one for one in proposed if one.category != "decision"]
        found += before
        before = proposed
    return found + before


def candidates(said: Sequence[SpokenMessage]) -> list[TriageCandidate]:
    """Return every sentence of what was *said* that may be worth a note, with its signs."""
    messages = [_Message.heard(one) for one in _without_remarks(said)]
    return [one for number in range(len(messages)) for one in _candidates(messages, number)]


def _candidates(messages: Sequence[_Message], place: int) -> Iterator[TriageCandidate]:
    message, following = messages[place], messages[place + 1 : place + 3]
    if any(later.by == "user" and later.takes_back for later in following):
        return
    asked = "\n".join(line.heard for one in messages if one.by == "user" for line in one.lines)
    begin, way_out = _way_out(message, asked[-LONGEST_READ:])
    situation = _situation(messages, place)
    for number, line in enumerate(message.lines):
        ways_out: tuple[Category, ...] = ("runbook",) if number == begin and way_out else ()
        spoken_for = () if message.is_hollow(number) else _spoken_for(message, number)
        if not (spoken_for or ways_out):
            continue
        heard = message.told[number] | features.around(number, message.told)
        if message.by == "agent":
            # An agent says "instead of" and "because" about all that it does.
            heard |= {f"agent {name}" for name in heard}
        manner = _manner(messages, place, number, choice="after alternatives" in situation)
        # In a long message of a user, what stands beside may be about anything.
        rambles = message.by == "user" and not message.is_pointed
        beside = set() if rambles else features.of_neighbours(number, message.lines)
        yield TriageCandidate(
            message=place,
            number=number,
            sentence=line.text,
            by=message.by,
            signs=heard | situation | manner | features.of_words(line) | beside,
            way_out=way_out if ways_out else 0.0,
            categories=spoken_for + ways_out,
        )


def _manner(messages: Sequence[_Message], place: int, number: int, *, choice: bool) -> set[str]:
    """How and where a sentence is said; *choice* if after an offer of alternatives."""
    message = messages[place]
    line = message.lines[number]
    found = {name for name in ("asks", "technical") if getattr(line, name)}
    found.add(features.of_length(line))
    if number == 0:
        found.add("opening")
    if number + 1 == len(message.lines):
        found.add("closing")
    if message.by == "agent":
        return found
    if number == 0 and _answers(messages, place):
        offered = frozenset[str]().union(
            *(one.subjects for one in messages[max(0, place - 2) : place])
        )
        found |= features.of_answer(line, offered, choice=choice)
    following = messages[place + 1 : place + 2]
    if any(one.by == "agent" and one.begins & features.subjects(line.heard) for one in following):
        found.add("reply repeats")
    return found


def _answers(messages: Sequence[_Message], place: int) -> bool:
    """True for what is said to an agent's message."""
    return place > 0 and messages[place - 1].by == "agent"


def _spoken_for(message: _Message, number: int) -> tuple[Category, ...]:
    """What a sentence may be, apart from a way out."""
    if message.by == "agent":
        return ("decision", "constraint", "tech_debt")
    if "request" in message.told[number]:
        # What must be so in a piece of work is no rule.
        return ("decision", "preference", "tech_debt")
    return ("decision", "preference", "constraint", "tech_debt")


# What an agent answers to.
_ASKED = frozenset({"question", "request", "runbook.symptom"})


def _way_out(message: _Message, asked: str) -> tuple[int, float]:
    ways = (classifier.recovery(message.lines, message.by, asked, one) for one in message.languages)
    return max((way for way in ways if way), key=lambda way: way[1], default=(0, 0.0))


def _situation(messages: Sequence[_Message], place: int) -> set[str]:
    """The signs that all sentences of a message share: who speaks, and what it answers to."""
    message, before = messages[place], messages[max(0, place - 1) : place]
    found = {f"by {message.by}", *(f"in {one.name}" for one in message.languages[:1])}
    if not message.is_pointed:
        found.add("long")
    if len(message.lines) == 1:
        found.add("alone")
    if message.by == "agent":
        return found | {f"asked {name}" for one in before for name in _ASKED & one.names}
    if _answers(messages, place):
        offer = messages[place - 1]
        found |= features.of_offer(offer.lines, offer.names)
        question = messages[max(0, place - 2) : place - 1]
        if any(features.has_alternatives(one.lines) for one in (offer, *question)):
            found.add("after alternatives")
    following = messages[place + 1 : place + 2]
    if not following or following[0].by == "user":
        return found | {"unanswered"}
    return found | features.of_reply(following[0].lines, following[0].told)


def _proposed(message: _Message, found: Iterable[TriageCandidate]) -> Iterator[Proposal]:
    best = {
        (one.number, category): classifier.score(category, one.signs, one.way_out)
        for one in found
        for category in one.categories
    }
    for (number, category), score in _settled(best).items():
        yield Proposal(
            category=category,
            score=min(SUREST, round(score, 3)),
            sentence=message.lines[_told_at(message, number, category)].text,
            by=message.by,
            plain=message.is_pointed
            and not OUTRIGHT_CUES[category].isdisjoint(message.told[number]),
        )


def _told_at(message: _Message, number: int, category: Category) -> int:
    """The sentence that says it: "Generally." and "Put it on the list." speak of one beside."""
    words = message.lines[number].heard
    short = len(words.split()) < FEW_WORDS and (words.isascii() or len(words) < FEW_SIGNS)
    if category == "preference" and short and number:
        return number - 1
    if category == "tech_debt":
        near = [at for at in (number, number - 1, number + 1) if 0 <= at < len(message.lines)]
        return next((at for at in near if "tech_debt.flaw" in message.told[at]), number)
    return number


_Spot = tuple[int, Category]
"""Which sentence of a message speaks for which category."""


def _settled(best: Mapping[_Spot, float]) -> dict[_Spot, float]:
    """One category for a sentence; a second one for a message, or a second note, if explicit."""
    kept: dict[_Spot, float] = {}
    for spot, score in sorted(best.items(), key=_rank):
        known = {category for _, category in kept}
        least = OUTRIGHT if known - {spot[1]} else ALSO if known else FAINT
        if score >= least and not any(_claims(one, spot) for one in kept):
            kept[spot] = score
    return kept


def _claims(kept: _Spot, other: _Spot) -> bool:
    """True when what *other* says belongs to *kept*."""
    distance = abs(kept[0] - other[0])
    if kept[1] == other[1]:
        return kept[1] not in ALIKE or distance <= ALIKE[kept[1]]
    return distance <= REACH.get(kept[1], 0)


def _rank(scored: tuple[_Spot, float]) -> float:
    """By how far it is beyond what is needed, the farthest first."""
    (_, category), score = scored
    return THRESHOLDS[category] - score


def _best(found: Iterable[Proposal]) -> list[Proposal]:
    """The best of each category; what the agent repeats after the user is left out."""
    kept: list[Proposal] = []
    for one in sorted(found, key=lambda one: (-one.score, one.by != "user")):
        same = [other for other in kept if other.category == one.category]
        again = any(other.by != one.by or other.sentence == one.sentence for other in same)
        if len(same) < MOST.get(one.category, 1) and not again:
            kept.append(one)
    return kept
