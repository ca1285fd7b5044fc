"""Rules that the user stated, in the user's own words, wherever they were said. Pure.

Notes say what holds. Not every rule became a note yet, and one that waits for the user's word is no
note that holds; but that the user said it is a fact. So the sentence itself is quoted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.context.past_turns import split, words
from recollect.index.database import Indexed

SHORTEST = 12
LONGEST = 240
# So much of the words of a rule stand in another text that says the same.
SAME = 0.7

_LASTING = re.compile(
    r"\bfrom now on\b|\bin (?:the )?future\b|\bfor the future\b|\bremember (?:that|to)\b"
    r"|\b(?:one|a|another|permanent|standing|house|new) rules?\b|\bas a rule\b|\bmandatory\b"
    r"|\bwe agreed\b|\bnever\b(?! mind|theless)|\balways\b|\bunder no circumstances\b"
    r"|\bmust (?:not|never|always|be|go|have)\b|\bdo(?:n'?t| not) ever\b|\bno \S.*\bever\b"
    r"|\bno more\b|\bno new\b|\bno \w+ words\b|\bwithout asking\b|\bask me (?:first|before)\b"
    r"|\bonly (?:stop|ask)\b|\bfor good\b\W*$|\bpermanently?\b"
    r"|\bwhen(?:ever)? (?:you|there)\b.*\b(?:put|run|show|tell|ask|do)\b",
    re.IGNORECASE,
)
# "Don't mock the database", "no emoji, and no trailers", "plain text only": as an order of its own.
_FORBIDDING = re.compile(
    r"(?:^|[,;:.]\s|\b(?:and|btw|please|pls)\s)(?:(?:please |pls )?do(?:n'?t| not) (?:mock|use|add"
    r"|push|commit|touch|deploy|install|put|write)\b|no [\w`-]+(?: [\w`-]+){0,4},? (?:and|or) no )",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b\w+ only\b,?(?: ok| please| pls)?\W*$", re.IGNORECASE)
# Tells what happens, or happened, rather than what shall be.
_REPORT = re.compile(
    r"\b(?:it|they|he|she|people|users|that|which|who|half of them|we|everyone) (?:always|never)\b"
    r"|\b(?:was|were|has|have|had|is|are|does|did|doesn't|didn't) (?:\w+ )?(?:never|always)\b"
    r"|\bi(?:'ve| have)? (?:never|always)\b|\bnever (?:here|worked|seen|mind|happened|had)\b"
    r"|\bas always\b|\bso (?:that )?(?:we|you|i|it|they)\b.*\b(?:never|always|must|do(?:n'?t| not))"
    r"\b|\b(?:for now|for the moment|today|this time|yet)\W*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:if|that|this|thats|so|use|it|they|instead|treat|otherwise)\b", re.IGNORECASE
)
# "One rule before we go on." announces what comes.
_ANNOUNCES = re.compile(
    r"\W*(?:and |also |ok |btw )*(?:one|two|a few|another|some) (?:more )?(?:\w+ )?"
    r"(?:rules?|things?)\b",
    re.IGNORECASE,
)
_AGREES = re.compile(r"\b(?:ok|okay|right|yes)\?\W*$", re.IGNORECASE)
LONGEST_ANNOUNCEMENT = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRule:
    """A sentence in which the user said how things are to be done, and where it was said."""

    text: str
    source: Indexed


def stated(asked: Sequence[str]) -> list[str]:
    """Return the sentences among what was *asked* that state a lasting rule.

    A sentence that goes on from one belongs to it.

    >>> stated(["never push on a friday.", "that is when we all leave.", "fix the login"])
    ['never push on a friday. that is when we all leave.']
    """
    found: list[str] = []
    is_open = is_announced = False
    for sentence in asked:
        if is_open and _GOES_ON.match(sentence) and len(found[-1]) + len(sentence) < LONGEST:
            found[-1] = f"{found[-1]} {sentence}"
        elif _ANNOUNCES.match(sentence) and len(sentence) <= LONGEST_ANNOUNCEMENT:
            is_announced = True
        elif is_open := is_rule(sentence) or is_announced:
            found.append(sentence)
            is_announced = False
    return found


def is_rule(sentence: str) -> bool:
    """Tell whether *sentence* says how things are to be done from now on.

    >>> is_rule("no pandas in the ingest path, ever."), is_rule("it never worked here")
    (True, False)
    """
    if not SHORTEST <= len(sentence) <= LONGEST or _REPORT.search(sentence):
        return False
    if sentence.rstrip("*_ )").endswith("?") and not _AGREES.search(sentence):
        return False
    found = (_LASTING, _FORBIDDING, _ONLY)
    return any(pattern.search(sentence) for pattern in found)


def newest(rules: Iterable[StatedRule], *, told: Iterable[str]) -> list[StatedRule]:
    """Return *rules*, the newest first, each once, without those that *told* says already."""
    known = [words(text) for text in told]
    kept = []
    for rule in sorted(rules, key=lambda rule: -rule.source.at):
        own = words(rule.text)
        if own and not any(len(own & other) >= SAME * len(own) for other in known):
            known.append(own)
            kept.append(rule)
    return kept


def of_prompt(text: str) -> list[str]:
    """Return the rules that a prompt states."""
    return stated([one for line in text.splitlines() for one in split(line)])
