"""What a memory knows of an error that a tool has just met: what it was, and what fixed it. Pure.

Only the error itself counts: a turn that met it holds nearly all of its words. Whatever is merely
about the same thing is for prompts, which say what is wanted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect import ages, fence, ids, tokens
from recollect.context import budget, render
from recollect.index.database import Indexed
from recollect.retrieval.search import Found, FoundPassage
from recollect.search import question

# All that is said of an error, fence and all.
MOST_TOKENS = 120

# The weighted share of the error's words that a passage of the turn must hold, and what these must
# weigh: "command failed" is met every day.
LEAST_SHARE = 0.75
LEAST_HELD = 12.0

# Where the turn says what it was and what helped.
_TELLS = re.compile(
    r"\b(?:cause|because|fix(?:ed|es)?|solved|reason|was that|turned out|now|instead|needs?|must"
    r"|missing|wrong|the problem)\b",
    re.IGNORECASE,
)
# What the indents of a few lines cost.
INDENTS = 3
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n(?=[-*] )")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBefore:
    """A turn that met an error, and what it says of it."""

    entry: Indexed
    text: str
    marks: tuple[str, ...]


def error_of(output: str) -> str:
    r"""Return the line of a failed tool's *output* that says what went wrong; else empty.

    >>> error_of("Exit code 1\nTraceback (most recent call last):\nKeyError: 'port'")
    "KeyError: 'port'"
    >>> error_of("Exit code 1")
    ''
    """
    lines = [line for line in output.splitlines() if not line.startswith("Exit code ")]
    return next(question.errors(lines), "")


def choose(found: Sequence[Found]) -> SeenBefore | None:
    """Return what the best of *found* that met the error says of it; None if none met it."""
    for one in found:
        held = max((passage.signals.words for passage in one.passages), default=0.0)
        if held < LEAST_SHARE or held * one.weight < LEAST_HELD:
            continue
        told = [passage for passage in one.passages if passage.passage.part == "said"]
        told = told or [passage for passage in one.passages if passage.passage.part == "own"]
        if told:
            return _told(one.entry, max(told, key=_tells))
    return None


def _tells(passage: FoundPassage) -> float:
    """Return how much a passage looks like what explains the error."""
    return passage.rank + len(_TELLS.findall(passage.passage.text))


def _told(entry: Indexed, passage: FoundPassage) -> SeenBefore:
    when = f" ({ages.mark(entry.at)})" if entry.at else ""
    head = f"- This error was met before{when} [{ids.short(entry.id)}]:\n"
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
