"""Does a prompt object to what was recalled? Pure, and careful: most "that's wrong" is about code.

"No, we changed that" and "that is outdated" speak of what is remembered. A bare "that's wrong" only
counts against a memory that has the words which follow it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from recollect.journal import replaced

# Who objects says so at once, and briefly.
LONGEST = 300

_THAT = (
    r"(?:that(?:'s|\u2019s| is| was)?|this(?: is)?|it(?:'s|\u2019s| is)|your memory is|those are)"
)
_START = r"^\W*(?:(?:no|nope|nah|hm+|wait|sorry|actually|wrong)\b\W*){0,3}"
_OUTDATED = re.compile(
    rf"{_START}(?:{_THAT} (?:\w+ )?(?:outdated|out of date|obsolete|stale|old news"
    r"|no longer (?:true|right|correct|the case|valid|current)"
    r"|not (?:true|right|correct|the case|valid) any ?more|not how it is any ?more)"
    r"|(?:we|i|they)(?:\'ve| have)? (?:already |since |long )?(?:changed|replaced|dropped"
    r"|moved away from|switched away from|abandoned|removed|undid|reverted) (?:that|this|it)\b"
    r"|(?:we|i) (?:don\'t|do not) (?:use|do) (?:that|this|it) any ?more)",
    re.IGNORECASE,
)
_WRONG = re.compile(
    rf"{_START}(?:wrong\b|{_THAT} (?:\w+ )?(?:wrong|not (?:true|right|correct)|incorrect)\b)",
    re.IGNORECASE,
)
# … and what follows it may tell that it was right once.
_CHANGED_SINCE = re.compile(
    r"\b(?:we|i|they)(?:'ve|\u2019ve| have)? (?:\w+ )?"
    r"(?:changed|replaced|dropped|abandoned|removed|reverted) (?:that|this|it)\b",
    re.IGNORECASE,
)
# "… we raised it to 100 MB" goes on about the same.
_GOES_ON = re.compile(r"[,;:.–—-]\s.*\b(?:it|that|this|them)\b", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"\d[\d.,]*")
_SAID_ANEW = re.compile(r"\b(?:now|it is|it\'s|we use|we have|since|is|are)\b", re.IGNORECASE)
_OF_OBJECTIONS = replaced.stems(
    "no nope wrong outdated obsolete stale true right correct incorrect valid current anymore"
    " longer changed replaced dropped removed reverted actually sorry wait memory old already"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """The memories that a prompt says are wrong."""

    meant: tuple[str, ...] = ()
    """Those that its words fit, or the only one."""
    perhaps: tuple[str, ...] = ()
    """Those of which it may be one."""


def may_object(prompt: str) -> bool:
    """Tell whether *prompt* is said as objections are."""
    text = prompt.strip()
    return len(text) <= LONGEST and bool(_OUTDATED.search(text) or _WRONG.search(text))


def read(prompt: str, shown: Mapping[str, str]) -> Objection | None:
    """Return to which of the memories *shown* just before, text by id, *prompt* objects.

    >>> read("no, we changed that", {"a": "PAGE_SIZE is 50"})
    Objection(meant=('a',), perhaps=())
    >>> read("that's wrong, the page size is 20 now", {"a": "page size: 50", "b": "Use tea."}).meant
    ('a',)
    >>> read("that's wrong, the test still fails", {"a": "page size: 50"}) is None
    True
    """
    text = prompt.strip()
    if not shown or not may_object(text):
        return None
    is_wrong = bool(_WRONG.search(text))
    is_outdated = bool(_OUTDATED.search(text) or (is_wrong and _CHANGED_SINCE.search(text)))
    if not is_outdated and not (is_wrong and _SAID_ANEW.search(text)):
        return None
    words = _words(text) - _OF_OBJECTIONS
    fit = {id_: len(words & _words(text)) for id_, text in shown.items()}
    most = max(fit.values())
    if most and (is_outdated or most > 1):
        return Objection(meant=tuple(id_ for id_, count in fit.items() if count == most))
    if not is_outdated:
        return None
    if len(shown) == 1 and (not words or _goes_on(text)):
        return Objection(meant=tuple(shown))
    return Objection(perhaps=tuple(shown))


def _goes_on(text: str) -> bool:
    """Tell whether *text*, which begins with an objection, says what it is instead."""
    objected = _OUTDATED.search(text)
    return objected is not None and _GOES_ON.match(text, objected.end()) is not None


def _words(text: str) -> set[str]:
    """Return the stems and the numbers in *text*."""
    return {*replaced.stems(text), *(one.rstrip(".,") for one in _NUMBER.findall(text))}
