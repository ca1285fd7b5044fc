"""What of a memory still applies: pieces that a later turn replaced are cut or marked. Pure.

An amount that was replaced helps nobody, so its sentence goes, and the newer turn stands in its
place. What was said of a thing that was replaced may still be asked for, so it stays, marked with
the day until which it held. Whoever asks what was before is shown both, marked.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from recollect.context import render
from recollect.journal import replaced
from recollect.search import newer
from recollect.search.search import FoundPassage
from recollect.store.contract.search import IndexedPassage, IndexRow, Replacement

# Less of a passage says nothing by itself.
LEAST_LEFT = 40
# A title that shares so many words with a piece, and its value, says the same.
LEAST_ALIKE = 2

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
            gone = gone or reason(one.replaced[0])
    return tuple(kept), gone


def without(passage: IndexedPassage, replacements: Iterable[Replacement]) -> IndexedPassage:
    """Return *passage* without the pieces that a later turn replaced, as *replacements* say."""
    text = passage.text
    for piece in newer.by_piece(replacements):
        text = text.replace(piece, "", 1)
    return passage if text == passage.text else replace(passage, text=text)


def titled(entry: IndexRow, passages: Iterable[FoundPassage]) -> IndexRow:
    """Return *entry* with its title marked where that says what was replaced in *passages*."""
    for found in passages:
        if one := _replacement_of_title(entry.title, found.replaced):
            return replace(entry, title=f"{newer.note(one)} {entry.title}")
    return entry


def is_title_replaced(entry: IndexRow, replacements: Iterable[Replacement]) -> bool:
    """Tell whether the title of *entry* says what one of *replacements*, of its passages, ended."""
    return _replacement_of_title(entry.title, replacements) is not None


def _replacement_of_title(title: str, replacements: Iterable[Replacement]) -> Replacement | None:
    for piece, one in newer.by_piece(replacements).items():
        is_alike = len(replaced.stems(piece) & replaced.stems(title)) >= LEAST_ALIKE
        if is_alike and replaced.mentions(title, one.old):
            return one
    return None


def reason(one: Replacement) -> str:
    """Return why what *one* replaced is not shown."""
    return f"replaced by {one.id} on {newer.day(one.at)}"


def _as_shown(one: FoundPassage, prompt: str) -> str:
    """Return the text of *one* with what is outdated cut or marked; empty if nothing is left."""
    text = one.passage.text
    has_cut = False
    for piece, it in newer.by_piece(one.replaced).items():
        if it.is_name or _asks_what_was(prompt, it):
            text = text.replace(piece, f"{piece} {newer.note(it)}", 1)
        else:
            text, has_cut = text.replace(piece, "", 1), True
    if not has_cut:
        return text
    text = "\n".join(line for line in text.splitlines() if any(map(str.isalnum, line))).strip()
    left = text.partition(":\n")[2] or text if ":\n" in text[:160] else text
    return text if len(left) >= LEAST_LEFT and not text.endswith(":") else ""


def _asks_what_was(prompt: str, one: Replacement) -> bool:
    return bool(_ASKS_WHAT_WAS.search(prompt)) or replaced.mentions(prompt, one.old)
