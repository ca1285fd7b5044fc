"""A day file in sections, without losing a byte, whatever a person did to it in an editor.

A section is a heading and the lines below it. Our own carry an anchor: a comment that
says which turn or session they tell of and how their text looked when we wrote it.
Anchors are trusted more than headings, because people change headings.
"""

import json
import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

from recollect import ids
from recollect.journal.model import CARRIED, Carried

# Deeper headings are part of the text of a section.
DEEPEST_SECTION = 3
# An anchor stands at most so many lines below its heading.
LOOKED_AHEAD = 3

# So much of a text that was split before is looked no further than.
LIKE_ENOUGH = 0.9

_HEADING = re.compile(r"\ufeff?(#{1,6})(?=\s|$)")
_SESSION = re.compile(r"Session\s+(\d\d:\d\d)\s+·\s")
_ANCHOR = re.compile(r"[ \t]*<!--[ \t]*recollect:")
_ANCHOR_LINE = re.compile(r"^[ \t]*<!--[ \t]*recollect:.*", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# What a heading, an anchor or a fence begins with.
_BEGINNINGS = ("#", "<", "`", "~")
# An anchor says first what it is about, then what its entry carries along.
_FIRST = ("id", "turn", "line", "session", "host", "at")
_LAST = ("of", "hash")
WRITTEN_AS = {"seen_files": "files"}
_JSON_PAIR = re.compile(r'"(\w+)"\s*:\s*"([^"\\]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor(Carried):
    """What our comment says of the section it stands in. A summary has no turn."""

    id: str = ""
    turn: str = ""
    line: str = ""
    session: str = ""
    host: str = ""
    at: str = ""
    of: str = ""
    """Of a model's summary: what entries it sums up."""
    hash: str = ""

    @classmethod
    def read(cls, line: str) -> "Anchor | None":
        """The anchor that *line* is; None when it is none. Broken JSON yields what is legible."""
        return _anchor_in(line) if "<!--" in line else None

    def render(self) -> str:
        """The comment, on one line that nothing in it can end early."""
        of_all = {name: _as_text(getattr(self, name)) for name in (*_FIRST, *CARRIED, *_LAST)}
        values = {WRITTEN_AS.get(name, name): text for name, text in of_all.items() if text}
        # ASCII alone, so nothing invisible can hide here.
        written = json.dumps(values, separators=(",", ":"))
        written = written.replace("<", "\\u003c").replace(">", "\\u003e")
        return f"<!-- recollect: {written} -->"


_EMPTY = Anchor()


# A day file is read again after every turn, and all but one of its anchors are those of before.
@lru_cache(maxsize=8_192)
def _anchor_in(line: str) -> Anchor | None:
    found = _ANCHOR.match(line)
    if found is None:
        return None
    values = _legible(line[found.end() :].strip().removesuffix("-->"))
    texts = {
        name: values.get(WRITTEN_AS.get(name, name), "") for name in (*_FIRST, *CARRIED, *_LAST)
    }
    return Anchor(**{name: _as_kept(name, text) for name, text in texts.items()})


def _as_kept(name: str, text: str) -> Any:
    """Return the *text* of the field *name* as an anchor has it: the empty one tells its type."""
    return text if isinstance(getattr(_EMPTY, name), str) else _mapping(text)


def _as_text(value: str | Mapping[str, str]) -> str:
    """Return *value* as it is written: of a mapping a line for each name, its value behind it."""
    if isinstance(value, str):
        return value
    return "\n".join(f"{name} {text}" for name, text in value.items())


def _mapping(text: str) -> dict[str, str]:
    """Return the mapping that was written as *text*.

    >>> _mapping("src/my file.py 12ab-34cd")
    {'src/my file.py': '12ab-34cd'}
    """
    parts = (line.rpartition(" ") for line in text.split("\n"))
    return {name: value for name, _, value in parts if name and value}


def _legible(comment: str) -> dict[str, str]:
    try:
        values = json.loads(comment)
    except (ValueError, RecursionError):
        return dict(_JSON_PAIR.findall(comment))
    if not isinstance(values, dict):
        return {}
    return {name: value for name, value in values.items() if isinstance(value, str)}


# Two sections are the same only as one object, so what was made of one is found again at once.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """A heading, or none, and the lines that belong to it, endings included."""

    first_line: int
    text: str
    """The section as it stands in the file."""
    level: int = 0
    """Of the heading; 0 when the section has none."""
    heading: str = ""
    anchor: Anchor | None = None

    @property
    def own_text(self) -> str:
        """The section without its anchor: what the anchor's hash is about."""
        return "".join(line for line in split_lines(self.text) if not is_anchor(line))

    @property
    def body(self) -> str:
        """The text below the heading, without the anchor and blank lines around it."""
        lines = split_lines(self.text)
        below = lines[1:] if self.level else lines
        text = "".join(line for line in below if not is_anchor(line))
        return text.replace("\r\n", "\n").removeprefix("\ufeff").strip("\n").rstrip()

    @property
    def edited(self) -> bool:
        """True when the text is not, or no longer, what our anchor says we wrote."""
        return self.anchor is None or self.anchor.hash != ids.text_hash(self.own_text)

    @property
    def last_line(self) -> int:
        """The number of the last line with anything on it."""
        return self.first_line + self.text.rstrip().count("\n")

    @property
    def session_clock(self) -> str | None:
        """`HH:MM` when this is the heading of a session of ours."""
        found = _SESSION.match(self.heading) if self.level == 2 else None
        return found and found[1]


def split(text: str) -> list[Section]:
    """All of *text* in sections: their texts joined are *text* again.

    Of a text that differs in one place from one that was split lately, the sections before and
    behind that place are those of before.
    """
    recent = list(_recent)
    known = next((parts for other, parts in recent if other == text), None)
    if known is None:
        known = _split_like(text, recent)
        _recent.append((text, known))
    return list(known)


SplitText = tuple[str, tuple[Section, ...]]

# A text is split where it is changed, and again where it is read; the last few are days.
_recent: deque[SplitText] = deque(maxlen=8)


def forget() -> None:
    """Let every text be split as one that was never seen."""
    _recent.clear()


def _split_like(text: str, recent: Sequence[SplitText]) -> tuple[Section, ...]:
    """Split *text*, and keep the sections of that of the *recent* ones that is most like it."""
    if not recent:
        return tuple(_sections(split_lines(text), first_line=1))
    head, tail, other, parts = _most_like(text, recent)
    ends = list(accumulate(len(part.text) for part in parts))
    # Whether a line begins a section is decided by the lines below it; the last may be half a line.
    kept = max(bisect_right(ends, head) - LOOKED_AHEAD - 1, 0)
    start = ends[kept - 1] if kept else 0
    # The end of the line before it has to be there, too.
    behind = bisect_right(ends, len(other) - tail) + 1
    while behind < len(parts) and not _begins_anywhere(parts[behind]):
        behind += 1
    rest = parts[behind:]
    end = ends[behind - 1] + len(text) - len(other) if rest else len(text)
    ahead = split_lines("".join(part.text for part in rest[:LOOKED_AHEAD]))
    lines = split_lines(text[start:end])
    first = parts[kept].first_line if parts else 1
    there = {(part.first_line, part.text): part for part in parts[kept:behind]}
    new = [
        there.get((part.first_line, part.text), part)
        for part in _sections(lines, first_line=first, ahead=ahead)
    ]
    moved = first + len(lines) - rest[0].first_line if rest else 0
    return (*parts[:kept], *new, *(_moved(part, moved) for part in rest))


def _most_like(text: str, recent: Sequence[SplitText]) -> tuple[int, int, str, tuple[Section, ...]]:
    """Return that of the *recent* texts which is most like *text*, and how much; see `_equal_ends`.

    Mostly it is the last one, and comparing long texts takes time: one that is like enough will do.
    """
    best: tuple[int, int, str, tuple[Section, ...]] = (-1, 0, "", ())
    for other, parts in reversed(recent):
        head, tail = _equal_ends(text, other)
        if head + tail > best[0] + best[1]:
            best = (head, tail, other, parts)
        if head + tail >= LIKE_ENOUGH * len(text):
            break
    return best


def _equal_ends(text: str, other: str) -> tuple[int, int]:
    """How many characters *text* and *other* have in common at their beginning, and at their end.

    >>> _equal_ends("one two three", "one three")
    (5, 4)
    """
    shorter = min(len(text), len(other))
    head = _reach(shorter, lambda i, j: text[i:j] == other[i:j])
    own, its = len(text), len(other)
    tail = _reach(shorter - head, lambda i, j: text[own - j : own - i] == other[its - j : its - i])
    return head, tail


def _reach(most: int, is_same: Callable[[int, int], bool]) -> int:
    """How far, *most* at most, the stretches that follow each other are the same."""
    reached, step = 0, 64
    while reached < most and is_same(reached, end := min(reached + step, most)):
        reached, step = end, 2 * step
    beyond = min(reached + step, most + 1)
    while beyond - reached > 1:
        middle = (reached + beyond) // 2
        if is_same(reached, middle):
            reached = middle
        else:
            beyond = middle
    return reached


def _begins_anywhere(part: Section) -> bool:
    """True when *part* begins with a heading of ours, which also ends an open code block."""
    if part.session_clock:
        return True
    return part.level > 0 and _anchor_follows(split_lines(part.text), 0)


def _moved(part: Section, by: int) -> Section:
    if not by:
        return part
    return Section(
        first_line=part.first_line + by,
        text=part.text,
        level=part.level,
        heading=part.heading,
        anchor=part.anchor,
    )


def _sections(lines: list[str], *, first_line: int, ahead: Sequence[str] = ()) -> Iterator[Section]:
    """The sections that *lines* are, the first at *first_line*; *ahead* is what comes after."""
    found = (start for start in _starts([*lines, *ahead]) if start < len(lines))
    starts = sorted({0, *found, len(lines)})
    for first, end in pairwise(starts):
        yield _section(lines, first, end, first_line=first_line + first)


def anchors(text: str) -> list[Anchor]:
    """Every anchor in *text*, quicker than `split` finds them."""
    found = (Anchor.read(line) for line in _ANCHOR_LINE.findall(text))
    return [anchor for anchor in found if anchor]


def split_lines(text: str) -> list[str]:
    r"""The lines of *text* with their endings; only `\n` ends one, as in an editor."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def is_anchor(line: str) -> bool:
    """True when *line* is a comment of ours, broken or not."""
    return _ANCHOR.match(line) is not None


def _section(lines: list[str], first: int, end: int, *, first_line: int) -> Section:
    level, heading = _heading(lines[first])
    own = lines[first:end]
    anchor = next((found for line in own if (found := Anchor.read(line))), None)
    return Section(
        first_line=first_line, text="".join(own), level=level, heading=heading, anchor=anchor
    )


def _starts(lines: list[str]) -> Iterator[int]:
    """Where sections begin: at headings, and at an anchor that has lost its heading.

    A heading inside a code block is text, unless it is one of ours: a block that
    somebody forgot to close must not swallow the entries below it.
    """
    fence = ""
    wants_anchor = False
    for number, line in enumerate(lines):
        # Most lines are none of what is looked for, and a long day has thousands.
        if line.lstrip("\ufeff \t")[:1] not in _BEGINNINGS:
            continue
        level, heading = _heading(line)
        of_session = level == 2 and _SESSION.match(heading) is not None
        of_entry = level > 0 and not of_session and _anchor_follows(lines, number)
        if of_session or of_entry or (0 < level <= DEEPEST_SECTION and not fence):
            yield number
            fence = ""
            wants_anchor = of_entry or level == DEEPEST_SECTION
        elif is_anchor(line):
            if not wants_anchor:
                yield number
            fence = ""
            wants_anchor = False
        else:
            fence = _fence_after(line, fence)


def _heading(line: str) -> tuple[int, str]:
    found = _HEADING.match(line)
    return (len(found[1]), line[found.end() :].strip()) if found else (0, "")


def _anchor_follows(lines: list[str], number: int) -> bool:
    below = lines[number + 1 : number + 1 + LOOKED_AHEAD]
    below = [line for line in below if line.strip()]
    return bool(below) and is_anchor(below[0])


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after *line*, when *fence* was open before it."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    closes = line.strip().startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence
