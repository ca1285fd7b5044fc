"""Rules that the user stated, in the user's own words, wherever they were said. Pure.

Notes say what applies. Not every rule became a note yet, and one that waits to be confirmed does
not apply; but that the user said it is a fact. So the sentence itself is quoted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.context.past_turns import split, without_quotes, words
from recollect.notes import rules as note_rules
from recollect.notes import stated as stated_rules
from recollect.store.contract.search import IndexRow
from recollect.text import spoken

SHORTEST = 12
LONGEST = 240
# What is less likely a rule by its signs tells what happens: "the first print always dies".
LEAST_LIKELY = 0.15
# So much of the words of a rule stand in another text that says the same.
SAME = 0.7

_LASTING = re.compile(
    r"\bfrom now on\b|\bin (?:the )?future\b|\bfor the future\b|\bremember (?:that|to)\b"
    r"|\b(?:one|a|another|permanent|standing|house|new) rules?\b|\bas a rule\b|\bmandatory\b"
    r"|\bwe agreed\b|\bnever\b(?! mind|theless)|\balways\b|\bunder no circumstances\b"
    r"|\bmust (?:not|never|always|be|go|have)\b|\bdo(?:n'?t| not) ever\b|\bno \S.*\bever\b"
    r"|\bno more\b|\bno new\b|\bno \w+ words\b|\bwithout asking\b|\bask me (?:first|before)\b"
    r"|\bonly (?:stop|ask)\b|\bfor good\b\W*$|\bpermanently?\b"
    r"|\bwhen(?:ever)? (?:you|there)(?:'?(?:s|re))?\b.*\b(?:put|run|show|tell|ask|do)\b",
    re.IGNORECASE,
)
# "Don't mock the database", "no emoji, and no trailers", "plain text only": as an order of its own.
_FORBIDDING = re.compile(
    r"(?:^|[,;:.]\s|\b(?:and|btw|please|pls)\s)(?:(?:please |pls )?do(?:n'?t| not) (?:mock|use|add"
    r"|push|commit|touch|deploy|install|put|write)\b|no [\w`-]+(?: [\w`-]+){0,4},? (?:and|or) no )",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b\w+ only\b,?(?: ok| please| pls)\b|^[\w ,-]{5,50} only\.?$", re.IGNORECASE)
# A plan that was pasted is no rule, however many of its sentences sound like one.
LONGEST_PROMPT = 1_000
_PASTED = re.compile(r"\s*(?:[-*+•|>`#]|\d{1,3}[.)]\s)|.*:\W*$")
# Tells what happens, or happened, rather than what shall be.
_REPORT = re.compile(
    r"\b(?:it|they|he|she|people|users|that|this|which|who|half of them|we|everyone)"
    r"(?:'s| is| are)? (?:always|never)\b|\b(?:was|were|has|have|had|does|did|doesn't|didn't)"
    r" (?:\w+ )?(?:never|always)\b"
    r"|\b(?:sometimes|often|usually|mostly|occasionally|frequently)\b.*\b(?:never|always)\b"
    r"|\bi(?:'ve| have)? (?:never|always)\b|\bnever (?:\w+ly )?(?:here|mind|had|seen|\w+ed)\b"
    r"|\bas always\b|\bso (?:that )?(?:we|you|i|it|they)\b.*\b(?:never|always|must|do(?:n'?t| not))"
    r"\b",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\b(?:for now|for the moment|today|this time|yet)\W*$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:if|that|this|thats|so|use|it|they|instead|treat|otherwise)\b", re.IGNORECASE
)
# "One rule before we go on." announces what comes.
_ANNOUNCES = re.compile(
    r"\W*(?:and |also |ok |btw )*(?:one|two|a few|another|some) (?:more )?(?:\w+ )?"
    r"rules?\b",
    re.IGNORECASE,
)
_AGREES = re.compile(r"\b(?:ok|okay|right|yes)\?\W*$", re.IGNORECASE)
LONGEST_ANNOUNCEMENT = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedRule:
    """A sentence in which the user said how things are to be done, and where it was said."""

    text: str
    source: IndexRow


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
    >>> is_rule("never touch the migrations in this branch")
    False
    """
    if not SHORTEST <= len(sentence) <= LONGEST or _PASTED.match(sentence):
        return False
    if sentence.rstrip("*_ )").endswith("?") and not _AGREES.search(sentence):
        return False
    own_words = _REPORT.sub(" ", without_quotes(sentence))
    if _PASSING.search(own_words):
        return False
    if not any(pattern.search(own_words) for pattern in (_LASTING, _FORBIDDING, _ONLY)):
        return False
    heard = spoken.sentence(sentence).heard
    is_passing = note_rules.is_at_hand(heard) or note_rules.is_momentary(heard)
    return note_rules.score(heard) >= LEAST_LIKELY and not is_passing


def newest(rules: Iterable[StatedRule], *, known_texts: Iterable[str]) -> list[StatedRule]:
    """Return *rules*, the newest first, each once, without those that *known_texts* say."""
    known = [words(text) for text in known_texts]
    kept = []
    for rule in sorted(rules, key=lambda rule: -rule.source.at):
        own = words(stated_rules.without_lead(rule.text))
        if own and not any(len(own & other) >= SAME * len(own) for other in known):
            known.append(own)
            kept.append(rule)
    return kept


# A start is prepared after every turn, and all prompts but one are those of before.
@lru_cache(maxsize=4_096)
def of_prompt(stated_in: tuple[str, ...]) -> Sequence[str]:
    """Return the rules among what the passages of one prompt state."""
    if sum(map(len, stated_in)) > LONGEST_PROMPT:
        return []
    lines = (line for text in stated_in for line in text.splitlines())
    return stated([sentence for line in lines for sentence in split(line)])
