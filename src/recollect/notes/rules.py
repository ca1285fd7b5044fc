"""Is a sentence a rule? A constraint, a wish or a choice that holds beyond the task at hand. Pure.

"Never push to main" holds; "do not push yet", "why does it never push?" and "the manual says one
must never push" do not. A logistic regression tells them apart: over the signs in
`rule_features.txt`, and over the vector that the bundled encoder makes of the sentence. Where there
is no vector (another embedder or none, a script that the encoder does not read) the signs decide
alone.
`benchmarks.fit_rules` learns both and writes `rule_weights.txt`.
"""

import math
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The encoder whose vectors it was trained on.
ENCODER = "minilm"
# So likely by its signs, what says outright that it lasts is quoted, and what does not.
QUOTED, QUOTED_ELSE = 0.35, 0.6

_SECTION = re.compile(r"\[(.+)\]")
# Scripts that are written without spaces, or with endings glued to the words.
UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# A sentence of so many words says more than a remark …
_SHORT, _LONG = 4, 30
# … and who needs more than this explains something.
_RAMBLING = 45
# A sentence with one of these says that it holds later …
_LASTING = (
    "always", "never", "everywhere", "from now on", "remember", "agreed", "told to",
    "not like that", "is never", "who decides", "that's how", "you may", "lays down",
)  # fmt: skip
# … and one with these may, if all else speaks for it; any other is no rule.
_PERHAPS_LASTING = (
    "every", "whenever", "if you", "switch", "instead", "we use", "must", "should", "may not",
    "limit", "preference", "habit", "place", "no", "things are", "topic", "only",
    "polite wish", "norm", "banned", "per", "any of a kind", "when … do", "settled",
)  # fmt: skip
# What is told of how things are is a rule only with one of these.
_EVERY_TIME = ("always", "never", "from now on", "remember", "whenever", "agreed")
_LAID_DOWN = ("lays down", "norm", "banned", "per", "any of a kind", "polite wish")
# … and what is asked for, or told of the past, with one of these.
_NONETHELESS = ("told to", "from now on", "agreed", "polite wish", "settled")
_OUTRIGHT = (
    *_EVERY_TIME, "everywhere", "told to", "not like that", "is never", "who decides",
    "that's how", "commands",
)  # fmt: skip
# Signs that no weight outweighs: too few were learned from, and they leave no doubt.
_OF_THE_MOMENT = ("yet", "for now", "no need", "task", "if ever")
# What is about the work at hand is no rule, unless it holds from now on.
_AT_HAND = "at hand"
# "Could amounts always be in cents?" asks nothing.
_WISH, _QUESTION, _SETTLED = "polite wish", "question", "settled"
# It is no sentence of theirs, or not a whole one: an aside, an option, a comment in code.
_ASIDE = re.compile(r"\W{0,5}(?:\d+[.,)]\s|[a-d]\)\s|//)|\(")
# Somebody thinks aloud, unless it says outright that it lasts.
_TALK = re.compile(
    r"\W{0,5}(?:ah|oh wait|hm+|i mean|not sure)\b"
    r"|.*\b(?:i guess|i wonder|i(?:'m| am) not sure|i suppose|least worst)\b"
    r"|.*[😭🤔😅😂🙈😬]|.*:[|/(]\s*$"
    # A program tells what it is doing: "Fetching the branch ..."
    r"|\w+ing\b.*(?:\.\.\.|…)\s*$"
)
# Somebody complains of what happens again and again, or tells what always was so.
_COMPLAINT = re.compile(
    r"\W{0,5}(?:u+gh|argh|and|but|so|ok|hm+)?\W{0,3}(?:why|how come)\b"
    r"|\W{0,5}(?:if|when) i (?:run|click|open|type|start|press|execute|call)\b"
    r"|.*\b(?:every|each) (?:\w+ )?time (?:i|we|it|someone|somebody)\b"
    r"|.*\b(?:always|never) (?:had|was|were|did|got|went|came|broke|worked|happened|failed|meant)\b"
)
# A thing misbehaves again and again: "it drops out every time a ferry passes".
_MISBEHAVES = (
    r"(?:breaks|fails|crashe[sd]|dies|hangs|freezes|drops|flickers|shouts|screams|beeps|jams|jumps"
    r"|drifts|loses|disappears|restarts|reboots|forgets|complains|rings|falls|times out"
    r"|stops (?!and|to)\w+|(?:goes|comes out|turns|gets) (?:dark|blank|down|slow|stuck|wrong))"
)
_AGAIN_AND_AGAIN = (
    r"(?:whenever|(?:every|each) (?:single )?(?:time|morning|evening|night|day|hour)|all the time)"
)
_NUISANCE = re.compile(
    rf"(?!.*\b(?:must|should|has to|have to|never|please|don'?t|do not|make sure)\b)"
    rf".*(?:\b{_MISBEHAVES}\b.*\b{_AGAIN_AND_AGAIN}\b|\b{_AGAIN_AND_AGAIN}\b.*\b{_MISBEHAVES}\b)"
)
# "…, please stop that": what stands before it tells of a fault and asks for it to be mended.
_TO_MEND = (
    r"(?:(?:please|pls|kindly|can you|could you|so|and|now|just) )*"
    r"(?:stop|fix|prevent|avoid|correct|repair|change|undo|get rid of|sort out) (?:that|this|it)"
    r"(?:,? (?:please|now|first|for me|too))*[.!?]*\s*"
)
_ASKS_TO_MEND = re.compile(_TO_MEND)
# … unless it says what ought to be, or what the agent does.
_FAULT = re.compile(
    rf"(?!.*\b(?:must|should|never|always)\b)(?!\W*(?:you|don'?t|do not|no|if|when|stop)\b)"
    rf".+[,;–—-]\s*{_TO_MEND}$"
)
# "…, ok?" does not ask.
_AGREES = re.compile(r"\b(?:ok|okay|right|yes|please|deal|agreed|alright)\?\W*$")
_HEDGES = re.compile(r"\b(?:seems?|sorry|i think)\b")
# Words that stand in most English sentences, and hardly in a German, French or Spanish one.
_ENGLISH = frozenset(
    """
    the to is are we you i of and for not don't it with please only never always this that be do
    must should my from if by your they can't isn't let's every each when before without
    """.split()
)
_WORD = re.compile(r"[\w']+")


def score(heard: str, vector: "NDArray[np.float32] | None" = None) -> float:
    """Return how likely a sentence is a rule, as it was *heard*, with the *vector* of its text."""
    import numpy as np  # noqa: PLC0415 - only where turns are read

    found = np.array([*signs(heard), 1.0], np.float32)
    if vector is None:
        odds = float(_weights()["signs"] @ found)
    else:
        odds = float(_weights()["both"] @ np.hstack([vector, found]))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def is_of_the_moment(heard: str) -> bool:
    """Return whether a sentence says itself that it does not hold later, or asks."""
    patterns = _patterns()
    if is_momentary(heard) or is_at_hand(heard):
        return True
    if len(heard.split()) > _RAMBLING:
        return True
    if patterns["request"].search(heard) or patterns["past"].search(heard):
        return not any(patterns[name].search(heard) for name in _NONETHELESS)
    if patterns["is so now"].search(heard):
        return not any(patterns[name].search(heard) for name in (*_EVERY_TIME, *_LAID_DOWN))
    return not any(patterns[name].search(heard) for name in (*_LASTING, *_PERHAPS_LASTING))


def is_momentary(heard: str) -> bool:
    """Return whether a sentence asks, supposes, or says that it ends: no sureness outweighs that.

    >>> is_momentary("should we always pin it?"), is_momentary("pin it everywhere, ok?")
    (True, False)
    """
    patterns = _patterns()
    is_question = heard.rstrip().endswith(("?", "？")) and not _AGREES.search(heard)
    if is_question and not patterns[_WISH].search(heard):
        return True
    return any(patterns[name].search(heard) for name in _OF_THE_MOMENT)


def is_reported(heard: str) -> bool:
    """Return whether a sentence tells what others say or write."""
    return any(_patterns()[name].search(heard) for name in ("reported", "document"))


def is_at_hand(heard: str) -> bool:
    """Return whether a sentence is about the work at hand, however much it sounds like a rule.

    >>> is_at_hand("why does it always rebuild"), is_at_hand("always rebuild before a release")
    (True, False)
    """
    is_about_now = _patterns()[_AT_HAND].search(heard) or _FAULT.match(heard)
    is_laid_down = any(_patterns()[name].search(heard) for name in ("from now on", _SETTLED, _WISH))
    if is_about_now and not is_laid_down:
        return True
    is_nuisance = _NUISANCE.match(heard) and not _patterns()["when … do"].search(heard)
    return bool(is_nuisance) or _COMPLAINT.match(heard) is not None


def asks_to_mend(heard: str) -> bool:
    """Return whether a sentence only asks to mend what the one before it tells of.

    >>> asks_to_mend("please stop that."), asks_to_mend("stop that at midnight")
    (True, False)
    """
    return _ASKS_TO_MEND.fullmatch(heard) is not None


def asks(heard: str) -> bool:
    """Return whether a sentence asks for a piece of work, or for an answer.

    >>> asks("can you add a retry to the client"), asks("staging is read-only")
    (True, False)
    """
    is_request = _patterns()["request"].search(heard) or _patterns()["order"].search(heard)
    return bool(is_request) or heard.rstrip().endswith(("?", "？"))


def is_plain(heard: str) -> bool:
    """Return whether a sentence says outright that it holds: it need not be asked about."""
    return any(_patterns()[name].search(heard) for name in _OUTRIGHT)


def lasts(heard: str) -> bool:
    """Return whether a sentence holds later by its signs alone: enough to quote it.

    >>> lasts("the printer always dies after lunch"), lasts("never print after lunch")
    (False, True)
    """
    if is_talk(heard) or is_at_hand(heard) or is_momentary(heard):
        return False
    is_for_a_time = any(_patterns()[name].search(heard) for name in ("today", "busy"))
    if is_for_a_time and not _patterns()["from now on"].search(heard):
        return False
    return score(heard) >= (QUOTED if is_plain(heard) else QUOTED_ELSE)


def is_talk(heard: str) -> bool:
    """Return whether somebody only thinks aloud, or it is no sentence of theirs.

    >>> is_talk("i guess we never close it"), is_talk("i think we should always use pnpm")
    (True, False)
    """
    if _ASIDE.match(heard) or _TALK.match(heard):
        return True
    return _HEDGES.search(heard) is not None and not is_plain(heard)


def is_english(heard: str) -> bool:
    """Return whether a sentence has a word that only English has: the encoder reads no other.

    >>> is_english("we never push on fridays"), is_english("on ne pousse jamais le vendredi")
    (True, False)
    """
    return not _ENGLISH.isdisjoint(_WORD.findall(heard))


def signs(heard: str) -> list[float]:
    """Return for each sign whether a sentence has it, in the order of `names`."""
    words = len(heard.split())
    unspaced = bool(UNSPACED.search(heard))
    found = {name: pattern.search(heard) is not None for name, pattern in _patterns().items()}
    found[_AT_HAND] = is_at_hand(heard)
    found[_QUESTION] = found[_QUESTION] and not found[_WISH]
    return [
        *map(float, found.values()),
        float(heard.rstrip().endswith(("?", "？")) and not found[_WISH]),
        float('"…"' in heard),
        float("`" in heard),
        float(not unspaced and words <= _SHORT),
        float(not unspaced and words >= _LONG),
        float(unspaced),
    ]


def names() -> list[str]:
    """Return what the signs are called."""
    return [*_patterns(), "asks", "quotes", "code", "short", "long", "unspaced"]


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    text = files("recollect.notes").joinpath("rule_features.txt").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if heading := _SECTION.fullmatch(line):
            lines = found.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            lines.append(line if UNSPACED.search(line) else rf"(?<![\w-])(?:{line})(?![\w-])")
    return {name: re.compile("|".join(alternatives)) for name, alternatives in found.items()}


@cache
def _weights() -> Mapping[str, Any]:
    """Return the weights by name: those of the vector, then of the signs, then the offset."""
    import numpy as np  # noqa: PLC0415

    found: dict[str, list[float]] = {}
    text = files("recollect.notes").joinpath("rule_weights.txt").read_text(encoding="ascii")
    for line in text.split("\n"):
        if heading := _SECTION.fullmatch(line):
            numbers = found.setdefault(heading[1], [])
        elif line and not line.startswith("#"):
            numbers += map(float, line.split())
    return {name: np.array(numbers, np.float32) for name, numbers in found.items()}
