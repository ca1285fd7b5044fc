"""What of a memory still holds: pieces that a later turn replaced are cut or marked. Pure.

An amount that was replaced helps nobody, so its sentence goes, and the newer turn stands in its
place. What was said of a thing that was replaced may still be asked for, so it stays, marked with
the day until which it held. Whoever asks what was before is shown both, marked.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from recollect.context import render
from recollect.index.replacing import Replacement
from recollect.retrieval.search import FoundPassage
from recollect.search import replaced

# Less of a passage says nothing by itself.
LEAST_LEFT = 40

_ASKS_WHAT_WAS = re.compile(
    r"\b(?:used to|was|were|did|had|old|earlier|previous(?:ly)?|former(?:ly)?|original(?:ly)?"
    r"|initial(?:ly)?|back then|at first|in the past|history|changed|switched|moved|replaced?"
    r"|instead|why)\b",
    re.IGNORECASE,
)


def current(found: Iterable[FoundPassage], *, prompt: str) -> tuple[tuple[FoundPassage, ...], str]:
    """Return what of the passages *found* may be shown for *prompt*, and why the rest is not."""
    kept, gone = [], ""
    for one in found:
        text = _as_shown(one, prompt)
        if text == one.passage.text:
            kept.append(one)
        elif text:
            shown = replace(one.passage, text=text, card=render.passage(text))
            kept.append(replace(one, passage=shown))
        else:
            gone = gone or reason(next(it for it in one.replaced if not it.is_vague))
    return tuple(kept), gone


def reason(one: Replacement) -> str:
    """Return why what *one* replaced is not shown."""
    return f"replaced by {one.id} on {day(one.at)}"


def note(one: Replacement) -> str:
    """Return the words that mark what *one* replaced as past."""
    now = f"now: {one.new}" if one.new else "replaced since"
    return f"(before, until {day(one.at)}; {now})"


def day(at: float) -> str:
    """Return the day of *at* as people write it.

    >>> day(1772539200.0)
    '3 March 2026'
    """
    return f"{datetime.fromtimestamp(at, UTC).astimezone():%-d %B %Y}"


def _as_shown(one: FoundPassage, prompt: str) -> str:
    """Return the text of *one* with what is outdated cut or marked; empty if nothing is left."""
    text = one.passage.text
    pieces: dict[str, Replacement] = {}
    for it in one.replaced:
        if not it.is_vague:
            pieces.setdefault(it.piece, it)
    has_cut = False
    for piece, it in pieces.items():
        if it.is_name or _asks_what_was(prompt, it):
            text = text.replace(piece, f"{piece} {note(it)}", 1)
        else:
            text, has_cut = text.replace(piece, "", 1), True
    if not has_cut:
        return text
    text = "\n".join(line for line in text.splitlines() if any(map(str.isalnum, line))).strip()
    left = text.partition(":\n")[2] or text if ":\n" in text[:160] else text
    return text if len(left) >= LEAST_LEFT and not text.endswith(":") else ""


def _asks_what_was(prompt: str, one: Replacement) -> bool:
    return bool(_ASKS_WHAT_WAS.search(prompt)) or replaced.mentions(prompt, one.old)
