"""Which notes a turn is worth: a pure reading of what was said in it.

A sentence is what is scored, and a proposal carries the sentence that it came from. One explicit
statement of the user is enough; what the agent says weighs less. Nothing counts that is pasted,
quoted, asked, doubted, or said of others.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Literal

from recollect.privacy import blocks
from recollect.synthesis import cues
from recollect.synthesis.cues import Cues, Debt, Language, Recovery

Category = Literal[
    "session_summary", "decision", "runbook", "constraint", "tech_debt", "preference"
]

THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        "session_summary": 0.6,
        "decision": 0.5,
        "runbook": 0.5,
        "constraint": 0.5,
        "tech_debt": 0.5,
        "preference": 0.5,
    }
)

STRONG = 0.75
FAIR = 0.5
WEAK = 0.35
BOOST = 0.2
NEAR_BOOST = 0.1
AGENT_WEIGHT = 0.8

# What is said in a message stands in its beginning or its end.
LONGEST_MESSAGE = 20_000
LONGEST_SENTENCE = 500
SHORTEST_SENTENCE = 6

# The same category may be proposed more than once where a message often holds several.
MOST_OF_A_KIND: Mapping[str, int] = MappingProxyType({"preference": 3, "constraint": 3})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message."""

    by: Literal["user", "agent"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """How much was done: a session's summary depends on it."""

    tool_uses: int = 0
    distinct_tools: int = 0
    exchanges: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A note that might be made, and the sentence that speaks for it."""

    category: Category
    score: float
    sentence: str
    by: Literal["user", "agent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence as it was written, and as the cues hear it."""

    text: str
    heard: str
    by: Literal["user", "agent"]
    message: int


def triage(
    said: Sequence[Said],
    *,
    activity: Activity,
    thresholds: Mapping[str, float] = THRESHOLDS,
    most_messages: int = 50,
) -> list[Proposal]:
    """The notes that the last *most_messages* of what was *said* are worth, best first."""
    latest = said[-most_messages:] if most_messages > 0 else ()
    spoken = [list(sentences(one, number)) for number, one in enumerate(latest)]
    found = [*_summary(activity, latest), *_stated(spoken), *_debts(spoken), *_runbooks(spoken)]
    worthy = [one for one in found if one.score >= thresholds.get(one.category, 1.0)]
    return _chosen(worthy)


_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(
    r"<([a-z][\w-]{0,40})[^<>\n]{0,200}>.{0,20000}?</\1>", re.DOTALL | re.IGNORECASE
)
_CODE = re.compile(r"`[^`\n]{1,200}`")
_QUOTED = re.compile(
    r"(?<!\w)\"[^\"\n]{12,400}\"|“[^”\n]{12,400}”|«[^»\n]{12,400}»|„[^“”\n]{12,400}[“”]|「[^」\n]{8,400}」|『[^』\n]{8,400}』|《[^》\n]{4,200}》"
)
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_NOISE = re.compile(
    r"""\s*(?:
        >                                       # a quotation
      | \|                                      # a table
      | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d        # a time stamp
      | \[?\d\d:\d\d:\d\d
      | at\s\S{1,200}\s?\(
      | File\s".{1,200}",\sline\s\d
      | Traceback\s\(most\srecent
      | [$%❯➜]\s
      | \S{1,80}@\S{1,80}[$\#]\s
      | (?:npm\s(?:ERR!|error)|ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|E\s{2})
      | (?:diff\s--git|@@|\+\+\+|---)\s
      | (?://|/\*|\*/|<!--)                     # a comment in code
      | \#\s?(?:TODO|FIXME|HACK|XXX)\b
      | (?:const|let|var|def|class|import|from\s\S{1,80}\simport|return|public|private|func|fn|SELECT|INSERT|UPDATE|ALTER|CREATE)\s[^.!?]{0,200}[;{:(]\s*$
      | [^\w\s]{1,200}\s*$
    )""",
    re.VERBOSE,
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|etc|approx|resp|ca|bzw|z\.\s?b|d\.\s?h|p\.\s?ej|no|nr|fig|cf|u\.s)|\b\d)\.$",
    re.I,
)
_END = re.compile(r"(?<=[.!?…])[\"')\]]{0,2}\s+|(?<=[。！？；!?])(?=\S)")


def sentences(said: Said, message: int = 0) -> Iterator[Sentence]:
    """The sentences that were *said*; what is pasted, quoted or ours to begin with is not."""
    for line in _lines(_spoken(said.text)):
        for text in _split(line):
            shown = " ".join(text.split())
            if len(shown) >= SHORTEST_SENTENCE or not shown.isascii():
                heard = _heard(shown[:LONGEST_SENTENCE])
                yield Sentence(text=shown, heard=heard, by=said.by, message=message)


def _spoken(text: str) -> str:
    """*text* without blocks of ours, code, and tagged text."""
    if len(text) > LONGEST_MESSAGE:
        text = text[: LONGEST_MESSAGE // 2] + "\n\n" + text[-LONGEST_MESSAGE // 2 :]
    return _TAGGED.sub("\n\n", _FENCED.sub("\n\n", blocks.cut(text)))


def _lines(text: str) -> Iterator[str]:
    """The lines of *text* that a person or agent wrote, wrapped ones joined."""
    run = ""
    for line in [*map(_without_data, text.split("\n")), ""]:
        item = _LIST_MARK.match(line)
        noise = not line.strip() or _NOISE.match(line[:400]) is not None
        goes_on = len(run) > 60 and line[:1].islower() and run[-1:] not in ".!?:"
        if run and not goes_on:
            yield run
            run = ""
        if not noise:
            text = (line[item.end() :] if item else line).strip().lstrip("# ").replace("**", "")
            run = f"{run} {text}".strip()


def _without_data(line: str) -> str:
    """*line*, or nothing where it is no prose: a long run with hardly a space."""
    is_data = len(line) > 400 and line.count(" ") < len(line) // 40 and line.isascii()
    return "" if is_data else line


def _split(line: str) -> Iterator[str]:
    begin = 0
    for end in _END.finditer(line):
        if not _ABBREVIATED.search(line[max(begin, end.start() - 12) : end.start()]):
            yield line[begin : end.start()]
            begin = end.end()
    yield line[begin:]


def _heard(text: str) -> str:
    """*text* as the cues are written: lower case, code and quotations blanked."""
    plain = unicodedata.normalize("NFKC", _QUOTED.sub('"…"', _CODE.sub("`…`", text)))
    return plain.lower().replace("’", "'").replace("‘", "'")


def _summary(activity: Activity, latest: Sequence[Said]) -> Iterator[Proposal]:
    first = next((one for one in latest if one.by == "user"), None)
    if first:
        yield Proposal(
            category="session_summary",
            score=busyness(activity),
            sentence=first.text[:LONGEST_SENTENCE],
            by="user",
        )


def busyness(activity: Activity) -> float:
    """How much of a session's work *activity* is, between 0 and 1."""
    return (
        0.4 * min(1.0, activity.tool_uses / 8)
        + 0.3 * min(1.0, activity.distinct_tools / 3)
        + 0.3 * min(1.0, activity.exchanges / 3)
    )


def _stated(spoken: Sequence[Sequence[Sentence]]) -> Iterator[Proposal]:
    """Decisions, preferences and constraints: each stands in one sentence."""
    for message in spoken:
        for language in _languages(message):
            for number, sentence in enumerate(message):
                near = [
                    one.heard
                    for one in message[max(0, number - 1) : number + 2]
                    if one is not sentence
                ]
                for category in ("decision", "preference", "constraint"):
                    score = _score(category, sentence, near, language)
                    if score:
                        yield _proposal(category, score, sentence)


def _proposal(category: Category, score: float, sentence: Sentence) -> Proposal:
    weight = 1.0 if sentence.by == "user" else AGENT_WEIGHT
    return Proposal(
        category=category,
        score=min(1.0, round(score * weight, 3)),
        sentence=sentence.text,
        by=sentence.by,
    )


def _languages(message: Iterable[Sentence]) -> list[Language]:
    return cues.languages(" ".join(one.heard for one in message)[:4000])


def _score(
    category: Category, sentence: Sentence, near: Sequence[str], language: Language
) -> float:
    told: Cues = getattr(language, category)
    best = 0.0
    for weight, pattern in ((STRONG, told.strong), (FAIR, told.fair), (WEAK, told.weak)):
        for cue in pattern.finditer(sentence.heard):
            if weight > best and not _is_void(
                category, _clause(sentence.heard, cue, language), language
            ):
                best = weight
    if not best or told.never.search(sentence.heard):
        return 0.0
    return best + sum(
        BOOST if booster.search(sentence.heard) else NEAR_BOOST * any(map(booster.search, near))
        for booster in told.boosters
    )


def _clause(heard: str, cue: re.Match[str], language: Language) -> str:
    """The part of the sentence in which *cue* stands."""
    begin, end = 0, len(heard)
    for mark in language.clause.finditer(heard):
        if mark.end() <= cue.start() + 1:
            begin = mark.end()
        elif mark.start() >= cue.end():
            end = mark.start()
            break
    return heard[begin:end]


def _is_void(category: Category, clause: str, language: Language) -> bool:
    if clause.rstrip().endswith(("?", "？")) or language.question.search(clause):
        return True
    if language.unsure.search(clause) or language.reported.search(clause):
        return True
    return category == "preference" and language.one_off.search(clause) is not None


def _debts(spoken: Sequence[Sequence[Sentence]]) -> Iterator[Proposal]:
    for message in spoken:
        for language in _languages(message):
            for number, sentence in enumerate(message):
                following = message[number + 1].heard if number + 1 < len(message) else ""
                score = _debt(sentence.heard, following, language)
                if score:
                    yield _proposal("tech_debt", score, sentence)


def _debt(heard: str, following: str, language: Language) -> float:
    told: Debt = language.tech_debt
    if heard.endswith("?") or told.never.search(heard) or language.question.search(heard):
        return 0.0
    if language.reported.search(heard):
        return 0.0
    flaw, later = told.flaw.search(heard), told.later.search(heard)
    if told.named.search(heard):
        return STRONG + BOOST * bool(flaw or later)
    if flaw and later and flaw.span() != later.span():
        return STRONG
    pair = (flaw and told.later.search(following)) or (later and told.flaw.search(following))
    return 0.63 if pair and not following.endswith("?") else 0.0


def _runbooks(spoken: Sequence[Sequence[Sentence]]) -> Iterator[Proposal]:
    everything = list(chain.from_iterable(spoken))
    for message in spoken:
        for language in _languages(message):
            yield from _runbook(message, everything, language)


def _runbook(
    message: Sequence[Sentence], everything: Sequence[Sentence], language: Language
) -> Iterator[Proposal]:
    told: Recovery = language.runbook
    sound = [one for one in message if not one.heard.endswith("?")]
    text = "\n".join(one.heard for one in sound)
    whole = "\n".join(one.heard for one in everything)
    extra = (
        0.2 * bool(told.cause.search(text))
        + 0.15 * bool(told.check.search(text))
        + 0.1 * bool(told.symptom.search(whole))
    )
    for one in sound:
        base = 0.45 if told.again.search(one.heard) else 0.0
        if told.remedy.search(one.heard) and not told.never.search(one.heard):
            base += 0.3
        if base and told.action.search(one.heard):
            base += 0.1
        if base:
            yield _proposal("runbook", base + extra, one)


def _chosen(found: Iterable[Proposal]) -> list[Proposal]:
    """The best of each category; what the agent repeats after the user is left out."""
    ranked = sorted(found, key=lambda one: (-one.score, one.by != "user"))
    kept: list[Proposal] = []
    for one in ranked:
        same = [other for other in kept if other.category == one.category]
        if len(same) < MOST_OF_A_KIND.get(one.category, 1) and not any(
            _repeats(one, other) for other in same
        ):
            kept.append(one)
    return kept


def _repeats(one: Proposal, other: Proposal) -> bool:
    return one.by != other.by or one.sentence == other.sentence
