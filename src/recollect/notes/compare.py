"""What a new note is to those that are there: the same, instead of one, in doubt, or new. Pure.

Doubt never decides: only what clearly says the same is merged, and only what clearly rejects an
earlier choice takes its place.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.notes import likeness
from recollect.notes.categories import CATEGORIES
from recollect.notes.lifecycle import is_proposed
from recollect.notes.note_model import Note
from recollect.text.terms import terms

Nearness = Callable[[str, Mapping[str, str]], Mapping[str, float]]
"""Tells how near a text is to others in meaning, by their names; nothing where it cannot."""

# So much of what was chosen earlier must be what is now rejected.
MOSTLY = 0.25

_NEGATION = re.compile(
    r"\b(?:not|never|no|none|without|cannot|\w+n't|nicht|kein\w*|nie|niemals|ohne|pas|jamais|sans"
    r"|nunca|sin|ni)\b|[不没無别勿]|禁止|ない|ません|않|안 |못|말[고자]",
    re.IGNORECASE,
)
# That something is over, without what takes its place.
_ENDED = re.compile(
    r"\b(?:no longer|no more|stop(?:ped)? using|drop(?:ped)?|scrap(?:ped)?|abandon(?:ed)?"
    r"|done with)"
    r"(?: use| using| support| supporting| do| have)? (?P<what>[^,;.:]{2,60})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteVerdict:
    """What to do about a new note, and with which of those that are there."""

    kind: Literal["new", "same", "instead", "doubt"]
    name: str = ""


def verdict(
    note: Note, active: Mapping[str, Note], *, now: datetime, nearness: Nearness
) -> NoteVerdict:
    """Return what *note* is to the *active* ones, by name."""
    alike = {name: one for name, one in active.items() if one.category == note.category}
    texts = {name: statement(one) for name, one in alike.items()}
    near = nearness(statement(note), texts) if texts else {}
    candidate = likeness.best(statement(note), texts, nearness=near)
    if candidate and _says_the_same(note, alike[candidate.name], candidate.likeness):
        return NoteVerdict(kind="same", name=candidate.name)
    old, is_clear = _taken_back(note, active)
    if old:
        # What nobody has said yes to, or was said before the other, takes no one's place.
        can = is_clear and not is_proposed(note) and active[old].updated_at <= now
        return NoteVerdict(kind="instead" if can else "doubt", name=old)
    related = candidate and candidate.likeness >= likeness.RELATED
    if candidate and related and CATEGORIES[note.category].is_rule:
        return NoteVerdict(kind="doubt", name=candidate.name)
    return NoteVerdict(kind="new")


def statement(note: Note) -> str:
    """Return what *note* says, in its title and the first of its fields."""
    main = CATEGORIES[note.category].main
    return f"{note.title}\n{getattr(note.content, main)}"


def _says_the_same(note: Note, old: Note, alike: float) -> bool:
    # The same error, told in other words, is the same error.
    is_loose = CATEGORIES[note.category].matches_loosely
    least = likeness.RELATED if is_loose else likeness.SAME
    return alike >= least and _tell_the_same(statement(note), statement(old))


def _tell_the_same(one: str, other: str) -> bool:
    """Tell whether neither a "not" nor a number makes the difference."""
    negated = [bool(_NEGATION.search(text)) for text in (one, other)]
    numbers = [set(_NUMBER.findall(text)) for text in (one, other)]
    return negated[0] == negated[1] and numbers[0] == numbers[1]


def _taken_back(note: Note, active: Mapping[str, Note]) -> tuple[str, bool]:
    """Return the name of what *note* says no longer holds, and whether that is clear.

    It is where what is now rejected is much of what was chosen. Where it is only mentioned among
    other things, or in a rule, the two may be about different matters.
    """
    unsure = ""
    ended = [one["what"] for one in _ENDED.finditer(note.title)]
    for rejected in (*_rejected(note), *ended):
        left = set(terms(rejected)) - set(terms(_choice(note)))
        for name, old in active.items():
            chosen = set(terms(_choice(old)))
            if not left or not left <= chosen or not CATEGORIES[old.category].is_rule:
                continue
            if _NEGATION.search(_choice(old)):
                continue
            is_named = rejected not in ended and CATEGORIES[old.category].is_choice
            if is_named and len(left) >= MOSTLY * len(chosen):
                return name, True
            unsure = unsure or name
    return unsure, False


def _rejected(note: Note) -> list[str]:
    """Return what *note* says is not to be done: options left, examples to avoid."""
    content = dict(note.content)
    options = [one.option for one in content.get("alternatives", ())]
    return [*options, *(content["examples"].avoid if "examples" in content else ())]


def _choice(note: Note) -> str:
    """Return what *note* chose, without what it left and why."""
    said = _ENDED.sub(" ", note.title)
    for rejected in _rejected(note):
        said = re.sub(rf"(?:instead of|rather than|not|over)?\s*{re.escape(rejected)}", " ", said)
    return said
