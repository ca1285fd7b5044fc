"""Cut out what is not ours to remember: private blocks, our own context, host reminders.

A block that is never closed reaches to the end of the text: better too little remembered
than something the user meant to hide. Only a host's reminder must be closed, because people
write about that tag.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect import fence

# The tag around the context that we show to the agent; it must not come back as memory.
FENCE = fence.TAG

# The tags around what a host says to the agent in the user's place.
_REMINDERS = ("system-reminder", "hook_context")
_TAG = re.compile(rf"<(/?)(private|{FENCE}|{'|'.join(_REMINDERS)})(?![\w-])", re.IGNORECASE)
# A host may have made entities of what we gave it.
_ESCAPED_FENCE = re.compile(rf"&lt;(/?{FENCE})&gt;")
_REST_OF_CLOSING = re.compile(r"\s*+>")


def cut(text: str) -> str:
    """Return *text* without its blocks; a space keeps apart what only a block had separated.

    >>> cut("the key is <private>4711</private>, deploy it")
    'the key is , deploy it'
    >>> cut("one<private>two<private>three</private></private>four<private>five")
    'one four'
    """
    kept: list[str] = []
    for stretch in _outside(_ESCAPED_FENCE.sub(r"<\1>", text)):
        if kept and not (kept[-1][-1].isspace() or stretch[0].isspace()):
            kept.append(" ")
        kept.append(stretch)
    return "".join(kept)


def _outside(text: str) -> Iterator[str]:
    """The stretches of *text* that no block covers, none of them empty."""
    begin = 0
    tags = _tags(text)
    for tag in tags:
        if tag.opens:
            if tag.start > begin:
                yield text[begin : tag.start]
            begin = _end_of_block(tags, tag.name, default=len(text))
    if begin < len(text):
        yield text[begin:]


def _end_of_block(tags: "Iterator[_Tag]", name: str, *, default: int) -> int:
    """Where the block *name* ends that was just opened; *tags* go on behind it."""
    depth = 1
    for tag in tags:
        if tag.name != name:
            continue
        if not tag.opens:
            depth -= 1
        elif name not in _REMINDERS:  # One that quotes its own tag still ends at the first end.
            depth += 1
        if depth == 0:
            return tag.end
    return default


class _Tag(NamedTuple):
    name: str
    opens: bool
    start: int
    end: int


def _tags(text: str) -> Iterator[_Tag]:
    """The tags of *text* in order; none overlaps another, so one pass is enough."""
    marks = list(_TAG.finditer(text))
    last_end = text.rfind(">")
    closed = {_name(mark): mark.start() for mark in marks if mark[1]}  # Where for the last time.
    must_begin = {name: min(last_end, closed.get(name, -1)) for name in _REMINDERS}
    after = 0
    for mark in marks:
        if mark.start() < after:
            continue
        if mark[1]:
            rest = _REST_OF_CLOSING.match(text, mark.end())
            after = rest.end() if rest else mark.end()
            yield _Tag(_name(mark), opens=False, start=mark.start(), end=after)
        elif mark.end() <= must_begin.get(_name(mark), last_end):
            end = text.index(">", mark.end())
            if not _stands_alone(text[mark.end() : end]):
                after = end + 1
                yield _Tag(_name(mark), opens=True, start=mark.start(), end=after)


def _name(mark: re.Match[str]) -> str:
    return mark[2].lower()


def _stands_alone(attributes: str) -> bool:
    """True for `<private/>`, which encloses nothing."""
    return attributes.endswith("/") and "<" not in attributes
