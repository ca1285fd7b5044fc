"""What a sentence and its surroundings say, as a set of signs.

A sign is a cue's name: `tech_debt.later` when the sentence states it, `?tech_debt.later` when it
only asks, doubts or reports it, `near tech_debt.later` when a sentence close by has it, and
`reply tech_debt.later` when the agent's answer has it: how an agent answers tells a wish from a
piece of work, and a choice from a complaint. Beside the cues stand the words themselves, for what
nobody has thought of as a cue (`word we`), how long a sentence is, and whether it picks up what the
agent offered. `weigh` knows what the signs are worth.
"""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from recollect.notes.cues import LanguageCues
from recollect.text.spoken import Sentence

# A sentence is understood with so many on either side of it.
NEAR = 2
# How an answer begins tells how it took what it answers to.
REPLY_SENTENCES = 4

# What joins or announces, and is no sign by itself.
_JOINTS = frozenset({"clause", "lead", "hence", "instead", "polite", "name", "machine", "mild"})

_SMALL_ENGLISH = re.compile(
    r"\b(?:the|is|are|and|we|it|you|this|that|with|not|for|to|use|please)\b"
)

# Scripts without spaces are read in pieces; Korean also by how a word ends.
_WORD = re.compile(
    r"[a-zà-öø-ÿœß']+|`(?:run|name)`|\d+|[\u3041-\u30ff\u3400-\u9fff]+|[\uac00-\ud7af]+"
    r"|[?:;→!…]|->|[.,]$"
)
_PIECES = (2, 3)
# What a text is about.
_SUBJECT = re.compile(
    r"[a-zà-öø-ÿœß0-9][\w+#-]*|[\u3041-\u30ff]{2,}|[\u3400-\u9fff]{2}|[\uac00-\ud7af]{2}"
)
_SMALL_WORDS = frozenset(
    (
        "the a an is are was it that this we i you to of in on for and or not with no yes be do "
        "does so but if then there here as at by my our your me us ok 0 name run der die das und "
        "ist nicht wir ich ein eine mit für es auf zu im le la les un une de des et est pas nous "
        "pour que qui en el los las y se lo por con para"
    ).split()
)
# How one offers a choice.
_ALTERNATIVES = re.compile(
    r"\b(?:or|either|alternatively|options?|two ways|oder|entweder|ou|soit|o)\b|还是|或者|方案"
    r"|もしくは|または|それとも|か、|案|아니면|또는|혹은|\d안|(?:^|\s)\(?[ab12][).]"
)
# What an answer to an offer begins with.
_HEAD = re.compile(r"[.,;:!。，、]| because | weil | - ")
HEAD_WORDS = 5
HEAD_LETTERS = 3
BRIEF, LENGTHY = 6, 14
BRIEF_REPLY = 25
REPLY_WORDS = 4

# What the agent said before that tells a choice, a rule or a debt from an answer to a question.
_OFFERS = frozenset(
    {
        "question",
        "request",
        "unsure",
        "promised",
        "decision.contrast",
        "decision.set",
        "tech_debt.flaw",
        "constraint.explicit",
    }
)

Features = frozenset[str]


@cache
def named(language: LanguageCues) -> Mapping[str, re.Pattern[str]]:
    """Return every cue of *language* that is a sign, by its name."""
    found: dict[str, re.Pattern[str]] = {}
    for field in dataclasses.fields(language):
        cue = getattr(language, field.name)
        if isinstance(cue, re.Pattern):
            found[field.name] = cue
        elif dataclasses.is_dataclass(cue):
            inner = [one.name for one in dataclasses.fields(cue)]
            found |= {f"{field.name}.{name}": getattr(cue, name) for name in inner}
    return {name: cue for name, cue in found.items() if name not in _JOINTS}


def of_sentence(line: Sentence, languages: Iterable[LanguageCues]) -> Features:
    """Return the signs that *line* has by itself, in whichever of *languages*."""
    found: set[str] = set()
    for language in _spoken_in(line.heard, tuple(languages)):
        heard = _without_politeness(line.heard, language)
        for name, cue in named(language).items():
            if cue.search(heard):
                found.add(name if _states(heard, cue, language) else f"?{name}")
    return frozenset(found)


def _spoken_in(heard: str, languages: Sequence[LanguageCues]) -> Sequence[LanguageCues]:
    """*languages* without English where not even a small word of it is: "main" is French too.

    Of a text that may be in any of several, English is as likely as the others.
    """
    if len(languages) != 2 or _SMALL_ENGLISH.search(heard):
        return languages
    return [one for one in languages if one.name != "en"]


def around(number: int, told: Sequence[Features]) -> set[str]:
    """Return the signs of the sentences close to the one with *number*, of those *told*."""
    near = [*told[max(0, number - NEAR) : number], *told[number + 1 : number + 1 + NEAR]]
    return {f"near {name.lstrip('?')}" for signs in near for name in signs}


def of_words(line: Sentence) -> set[str]:
    """Return the words of *line*, and each with the one behind it, as signs."""
    found = list(_words(line.heard))
    pairs = zip(["^", *found], [*found, "$"], strict=True)
    spaced = (pair for pair in pairs if max(pair) < "\u3000")
    return {f"word {word}" for word in found} | {f"word {a} {b}" for a, b in spaced}


def of_neighbours(number: int, lines: Sequence[Sentence]) -> set[str]:
    """Return the words of the sentences close to the one with *number*, of these *lines*."""
    near = [*lines[max(0, number - NEAR) : number], *lines[number + 1 : number + 1 + NEAR]]
    return {f"near word {word}" for line in near for word in _words(line.heard)}


def of_length(line: Sentence) -> str:
    """Return whether *line* is short or long."""
    words = line.heard.count(" ") + 1 if " " in line.heard else len(line.heard) // 2
    return "brief" if words < BRIEF else "middling" if words < LENGTHY else "lengthy"


def of_reply(lines: Sequence[Sentence], told: Sequence[Features]) -> set[str]:
    """Return the signs of an answer with these *lines*, whose sentences have those *told*."""
    found = {f"reply {name.lstrip('?')}" for signs in told[:REPLY_SENTENCES] for name in signs}
    if not lines:
        return found
    first = lines[0].heard
    found |= {f"reply word {word}" for word in [*_words(first)][:REPLY_WORDS]}
    found.add("reply brief" if len(lines) == 1 and len(first) < BRIEF_REPLY else "reply lengthy")
    return found | ({"reply code"} if "`" in first else set())


def of_offer(lines: Sequence[Sentence], names: Iterable[str]) -> set[str]:
    """Return the signs of what the agent said before, with these *lines* and cues' *names*."""
    found = {"answers"} | {f"after {name}" for name in _OFFERS.intersection(names)}
    if any(line.asks for line in lines[-2:]):
        found.add("after asks")
    return found


def has_alternatives(lines: Iterable[Sentence]) -> bool:
    """Return whether a choice is offered in *lines*."""
    return any(_ALTERNATIVES.search(line.heard) for line in lines)


def of_answer(line: Sentence, offered: frozenset[str], *, choice: bool) -> set[str]:
    """Return how the first *line* of an answer takes up the subjects that were *offered*.

    *choice* says whether they were offered as alternatives.
    """
    head = _HEAD.split(line.heard, maxsplit=1)[0]
    found = {"picks a letter"} if len(head) <= HEAD_LETTERS else set()
    if subjects(head) & offered:
        found.add("picks" if head.count(" ") < HEAD_WORDS else "repeats")
    return found | ({"chooses"} if choice and found - {"repeats"} else set())


def subjects(heard: str) -> frozenset[str]:
    """Return what a text is about."""
    return frozenset(_SUBJECT.findall(heard)) - _SMALL_WORDS


def _words(heard: str) -> Iterator[str]:
    for word in _WORD.findall(heard):
        if word[0].isdigit():
            yield "0"
        elif "\uac00" <= word[0] <= "\ud7af":
            yield word
            yield from (f"~{word[-size:]}" for size in _PIECES if len(word) > size)
        elif "\u3041" <= word[0] <= "\u9fff":
            starts = ((size, at) for size in _PIECES for at in range(len(word) - size + 1))
            yield from (word[at : at + size] for size, at in starts)
            yield f"~{word[-2:]}"
        else:
            yield word


def _without_politeness(heard: str, language: LanguageCues) -> str:
    """*heard* with "could you always …?" read as the order it is."""
    bare, polite = language.polite.subn("please", heard, count=1)
    return bare.rstrip("?？ ") if polite else heard


def _states(heard: str, cue: re.Pattern[str], language: LanguageCues) -> bool:
    """True when *cue* is in a clause that is not asked, doubted, or told of others."""
    return any(
        _is_stated(_clause(heard, found, language), language) for found in cue.finditer(heard)
    )


def _is_stated(clause: str, language: LanguageCues) -> bool:
    if clause.rstrip().endswith(("?", "？")):
        return False
    void = (language.question, language.unsure, language.reported)
    return not any(cue.search(clause) for cue in void)


def _clause(heard: str, cue: re.Match[str], language: LanguageCues) -> str:
    """The part of the sentence in which *cue* stands."""
    begin, end = 0, len(heard)
    for mark in language.clause.finditer(heard):
        if mark.end() <= cue.start() + 1:
            begin = mark.end()
        elif mark.start() >= cue.end():
            end = mark.start() + 1
            break
    return heard[begin:end]
