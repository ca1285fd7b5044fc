"""Whether a later turn replaced what an earlier one said. Pure.

Two ways are recognised: a value of the same kind is set anew for the same thing ("valid for 10
minutes", later "tickets are valid for 24 hours now"), and a later turn takes back what shares most
of the words ("reverted", "is gone"). When in doubt the earlier sentence is left out: the later turn
says what applies.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.context.past_turns import PastTurn, words

# So much of the words of a sentence stand in a turn that takes it back.
TAKEN_BACK = 0.4
# A value belongs to the words around it: so many on each side.
AROUND = 6
LEAST_SHARED = 2
# A turn says at its beginning that it takes something back.
FIRST_SENTENCES = 3
# So much of the words of a line stand in a later turn on the same.
REWORKED = 0.6
SHORTEST_NAME = 3
# So much of the words of a sentence stand in a later one that says what became of it.
CHANGED = 0.5

_KINDS = {
    "time": "ms s sec secs second seconds min mins minute minutes h hour hours day days week weeks"
    " month months year years",
    "size": "b kb mb gb tb kib mib gib tib byte bytes px",
    "share": "% percent",
    "rate": "rps mb/s kb/s req/s",
    "money": "$ € usd eur euro euros dollar dollars",
}
_KIND_OF = {unit: kind for kind, units in _KINDS.items() for unit in units.split()}
_VALUE = re.compile(r"(?<![\w.,/])(?P<number>\d[\d.,_]*)\s?(?P<unit>%|[A-Za-z]+(?:/s)?)")
_CHANGED = re.compile(
    r"\b(?:now|no longer|raised?|lowered?|changed?|increased?|reduced?|shortened|extended|up from"
    r"|down from|instead of|rather than|formerly|previously|from \S+ to|goes from|went from"
    r"|becomes?|stays? at|keeps?)\b|→",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:revert(?:ed)?|rolled back|(?:go|went|going|let'?s go) back to|is gone|are gone"
    r"|took it out|is out of|are out of|take it out|taken out|throw it out|thrown out|replace[ds]?"
    r"|get rid of|switch(?:ed)? (?:from|back|to)"
    r"|instead of|no longer|dropped)\b",
    re.IGNORECASE,
)


_GIVEN_UP = re.compile(
    r"\b(?:instead of|rather than|replac(?:es?|ed|ing)|drop(?:s|ped)?|gave up|no longer (?:uses? )?"
    r"|get rid of|got rid of|away from|switch(?:ed)? from|migrat(?:ed?|ing) from|out with)"
    r" (?:the |our |using )?[*`_]*(?P<before>[A-Za-z][\w+-]*)"
    r"|\b(?P<after>[A-Za-z][\w+-]*)[*`_]* (?:is|are) (?:gone|out|removed|dropped|replaced)\b",
    re.IGNORECASE,
)
_SET_APART = re.compile(r"(?:\*\*|`)([A-Za-z][\w+-]*)(?:\*\*|`)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A number with its unit, and the words around it."""

    number: str
    kind: str
    around: frozenset[str]


def is_replaced(text: str, later: Sequence[PastTurn]) -> bool:
    """Tell whether one of the turns *later* replaced what *text* says."""
    own, values, names = words(text), _values(text), _names(text)
    return any(
        _takes_back(turn, own)
        or _changes(turn, own)
        or _sets_anew(turn, values)
        or _gives_up(turn, names)
        for turn in later
    )


def is_reworked(text: str, later: Sequence[PastTurn]) -> bool:
    """Tell whether one of the turns *later* is about the same; it tells how things stand."""
    own = words(text)
    return any(len(own & turn.words) >= REWORKED * len(own) for turn in later)


def _takes_back(turn: PastTurn, own: frozenset[str]) -> bool:
    if len(own & turn.words) < max(TAKEN_BACK * len(own), LEAST_SHARED):
        return False
    first = [*turn.asked, *(one.text for one in turn.sentences[:FIRST_SENTENCES])]
    return any(_TAKEN_BACK.search(text) for text in first)


def _changes(turn: PastTurn, own: frozenset[str]) -> bool:
    """Tell whether a sentence of *turn* on the same says that something changed."""
    enough = max(CHANGED * len(own), LEAST_SHARED)
    return any(
        len(own & one.words) >= enough and _CHANGED.search(one.text) for one in turn.sentences
    )


def _gives_up(turn: PastTurn, names: frozenset[str]) -> bool:
    """Tell whether *turn* says that one of *names* is no longer used."""
    sentences = (*turn.asked, *(one.text for one in turn.sentences))
    return bool(names) and any(not names.isdisjoint(_given_up(text)) for text in sentences)


@lru_cache(maxsize=8_192)
def _given_up(text: str) -> frozenset[str]:
    found = (one["before"] or one["after"] for one in _GIVEN_UP.finditer(text))
    return frozenset(name.lower() for name in found if len(name) >= SHORTEST_NAME)


@lru_cache(maxsize=8_192)
def _names(text: str) -> frozenset[str]:
    """Return what *text* sets in bold or code, a word each: what was chosen mostly stands so."""
    return frozenset(
        name.lower() for one in _SET_APART.finditer(text) if (name := one[1]) if len(name) >= 3
    )


def _sets_anew(turn: PastTurn, values: Iterable[Value]) -> bool:
    return any(_is_of(turn, value) for value in values)


def _is_of(turn: PastTurn, value: Value) -> bool:
    if len(value.around & turn.words) < min(LEAST_SHARED, len(value.around)):
        return False
    for one in turn.sentences:
        if not one.words & value.around or not _CHANGED.search(one.text):
            continue
        for other in _values(one.text):
            shared = len(other.around & value.around)
            if other.kind == value.kind and other.number != value.number and shared:
                return True
    return False


@lru_cache(maxsize=8_192)
def _values(text: str) -> tuple[Value, ...]:
    """Return the numbers in *text* that have a unit we know."""
    plain = text.replace("**", "")
    found = []
    for value in _VALUE.finditer(plain):
        before = plain[: value.start()].split()[-AROUND:]
        after = plain[value.end() :].split()[:AROUND]
        kind, near = _kind(value["unit"], before), words(" ".join(before + after))
        if kind and near:
            found.append(Value(number=value["number"].rstrip(".,"), kind=kind, around=near))
    return tuple(found)


def _kind(unit: str, before: Sequence[str]) -> str:
    """Return what a number counts: its unit, or the thing that is counted or numbered."""
    if known := _KIND_OF.get(unit.lower()):
        return known
    counted = words(unit) or words(before[-1] if before else "")
    return min(counted, default="")
