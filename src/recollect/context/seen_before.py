"""What a memory knows of an error that a tool has just met: what it was, and what fixed it. Pure.

Only the error itself counts: a turn that met it holds nearly all of its words. Whatever is merely
about the same thing is for prompts, which say what is wanted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect import ages, fence, ids, tokens
from recollect.context import budget, render
from recollect.search import score
from recollect.search.score import Signals
from recollect.search.search import FoundPassage, SearchResult
from recollect.store.contract.search import SHORTEST_NAME, IndexRow
from recollect.text import question
from recollect.text.identifiers import identifiers
from recollect.text.terms import terms

# All that is shown of an error, fence and all.
MOST_TOKENS = 120

# The weighted share of the error's words that a passage of the turn must hold, the share of its
# names, and what they must weigh: "command failed" is met every day.
LEAST_SHARE = 0.75
LEAST_NAMED = 0.5
LEAST_HELD = 8.0
FEWEST_WORDS = 3

# Where an error stands that ended a command.
LAST_LINES = 6
# Of more output only the end is looked at: everybody else waits meanwhile.
MOST_OUTPUT = 16_384

# Where the turn says what it was and what helped.
_TELLS = re.compile(
    r"\b(?:cause|because|fix(?:ed|es)?|solved|reason|was that|turned out|now|instead|needs?|must"
    r"|missing|wrong|the problem)\b",
    re.IGNORECASE,
)
# An error that has a name of its own says most.
_NAMED = re.compile(r"\b\w+(?:Error|Exception|Fault)\b")
# What the indents of a few lines cost.
INDENTS = 3
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n(?=[-*] )")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBefore:
    """A turn that met an error, and what it says of it."""

    entry: IndexRow
    text: str
    marks: tuple[str, ...]


def printed(event: Mapping[str, object]) -> str:
    r"""Return what the tool of *event* printed as it failed; empty if it did not.

    Codex does not tell whether a command failed: one that ends in an error did.

    >>> printed({"error": "Exit code 1"})
    'Exit code 1'
    >>> printed({"tool_name": "Bash", "tool_response": "Error: seen above" + "\n fine" * 9})[:9]
    ' fine\n fi'
    """
    if "error" in event:
        return str(event["error"] or "")[-MOST_OUTPUT:]
    response = event.get("tool_response")
    if event.get("tool_name") != "Bash" or not isinstance(response, str):
        return ""
    return "\n".join(response[-MOST_OUTPUT:].rstrip().split("\n")[-LAST_LINES:])


def error_of(output: str) -> str:
    r"""Return the line of a failed tool's *output* that says what went wrong; else empty.

    >>> error_of("Exit code 1\nTraceback (most recent call last):\nKeyError: 'port'")
    "KeyError: 'port'"
    >>> error_of("Exit code 1")
    ''
    """
    lines = [line for line in output.splitlines() if not line.startswith("Exit code ")]
    errors = list(question.errors(lines))
    return next(filter(_NAMED.search, errors), errors[0] if errors else "")


def choose(found: Sequence[SearchResult], error: str) -> SeenBefore | None:
    """Return what the best of *found* that met *error* says of it; None if none met it."""
    names = [name for name in identifiers(error) if len(name) >= SHORTEST_NAME]
    if not names and len(terms(error)) < FEWEST_WORDS:
        return None
    for one in found:
        if not any(_has_met(passage.signals, one.weight, names) for passage in one.passages):
            continue
        telling = [passage for passage in one.passages if passage.passage.part == "said"]
        telling = telling or [passage for passage in one.passages if passage.passage.part == "own"]
        if telling:
            return _seen_before(one.entry, max(telling, key=_tells))
    return None


def _has_met(signals: Signals, weight: float, names: Sequence[str]) -> bool:
    """Tell whether a passage with these *signals* holds an error whose words weigh so much."""
    if signals.term_coverage < LEAST_SHARE or (names and signals.named_here < LEAST_NAMED):
        return False
    held = signals.term_coverage * weight + score.NAME_WEIGHS * signals.named_here
    return held >= LEAST_HELD


def _tells(passage: FoundPassage) -> float:
    """Return how much a passage looks like what explains the error."""
    return passage.rank + len(_TELLS.findall(passage.passage.text))


def _seen_before(entry: IndexRow, passage: FoundPassage) -> SeenBefore:
    when = f" ({ages.mark(entry.at)})" if entry.at else ""
    head = fence.SEEN_BEFORE.format(when=when, id=ids.short(entry.id))
    frame = fence.around(head, explanation=fence.BRIEFLY, more="")
    room = MOST_TOKENS - tokens.estimate(frame) - INDENTS
    text = render.passage(_whole_sentences(passage.passage.text, room))
    return SeenBefore(entry=entry, text=head + text, marks=(passage.passage.mark,))


def _whole_sentences(text: str, room: int) -> str:
    """Return as many whole sentences of *text* as fit; the beginning of the first, if none does."""
    kept = ""
    for sentence in _SENTENCE_END.split(text):
        longer = f"{kept}\n{sentence}" if kept else sentence
        if tokens.estimate(longer) > room:
            break
        kept = longer
    return kept or budget.shortened(text, len(text), limit_tokens=room)
