"""Changing the text of a day: entries are put in, replaced and merged, between sections.

What we do not change stays byte for byte: a change is the text before it, the new piece,
and the text after it.
"""

import re
from datetime import datetime
from typing import NamedTuple

from recollect.journal import sections
from recollect.journal.sections import Anchor, Section

SHORT_ID = 8


def place(text: str, markdown: str, *, began: datetime) -> str:
    """*text* with the entry or summary *markdown* under the heading of its session.

    Entries stand in the order of time, a summary before them. A missing heading is made;
    *began* is when the turn or the session began, on the local clock.
    """
    if not text.strip():
        text = _between(text, "", block=f"# {began:%Y-%m-%d}")
    return _place(text, markdown, clock=f"{began:%H:%M}")


def replace(text: str, entry_id: str, markdown: str) -> str | None:
    """*text* with *markdown* in place of the section *entry_id*.

    None when there is no such section, or when the user changed it: then it is theirs.
    """
    parts = sections.split(text)
    same = _numbers_of(parts, entry_id)
    if not same or any(parts[number].edited for number in same):
        return None
    return _exchange(parts, same[0], markdown)


def without(text: str, first_line: int) -> tuple[str, str]:
    """*text* without the section that begins at *first_line*, and that section."""
    parts = sections.split(text)
    number = next(n for n, part in enumerate(parts) if part.first_line == first_line)
    before, after = _around(parts, number, number + 1)
    return before + after, parts[number].text


def put_back(text: str, section: str, *, clock: str) -> str:
    """*text* with a *section* that was taken out of it, at its place in time or else at the end."""
    if sections.anchors(section):
        return _place(text, section.rstrip(), clock=clock)
    return _insert(sections.split(text), len(sections.split(text)), section)


def merge(text: str, other: str) -> str:
    """*text* with everything that only *other*, a second copy of the same day, has.

    Of two versions of an entry the user's wins, then the newer, then the longer. Nothing
    is taken away: what was deleted in one copy alone comes back from the other.
    """
    if not text.strip():
        return other
    container: Section | None = None
    for part in sections.split(other):
        if _is_container(part):
            container = part
        if part.anchor and part.anchor.id:
            text = _merge_anchored(text, part, clock=_clock(container))
        else:
            text = _merge_hand_written(text, part, container=container)
    return text


class Span(NamedTuple):
    """The sections under one heading: *start* is the heading's, *end* the one after."""

    start: int
    end: int


def _place(text: str, markdown: str, *, clock: str) -> str:
    anchor = _anchor_of(markdown)
    parts = sections.split(text)
    span = _session_span(parts, anchor.session)
    if span is None:
        parts = sections.split(_with_session(parts, anchor.session, clock=clock))
        span = _session_span(parts, anchor.session)
    assert span is not None
    return _insert(parts, _position(parts, span, anchor), markdown)


def _anchor_of(markdown: str) -> Anchor:
    return sections.anchors(markdown)[0]


def _with_session(parts: list[Section], session: str, *, clock: str) -> str:
    heading = f"## Session {clock} · {short_id(session)}"
    return _insert(parts, _session_position(parts, clock), heading)


def _session_position(parts: list[Section], clock: str) -> int:
    later = (n for n, part in enumerate(parts) if (part.session_clock or "") > clock)
    return next(later, len(parts))


def short_id(session: str) -> str:
    """What the heading of *session* shows of its id.

    >>> short_id("9ee0ccc7-1b2f-4c1a")
    '9ee0ccc7'
    """
    return re.sub(r"[^\w.-]", "", session)[:SHORT_ID] or "unknown"


def _session_span(parts: list[Section], session: str) -> Span | None:
    """The sections under the heading of *session*.

    Ids made from the time begin alike for sessions of the same minute, so a heading with
    entries of others alone is not ours.
    """
    shown = re.compile(rf"·\s*{re.escape(short_id(session))}(?![\w.-])")
    for number, part in enumerate(parts):
        if _is_container(part) and shown.search(part.heading):
            span = _span_from(parts, number)
            told = {below.anchor.session for below in parts[slice(*span)] if below.anchor}
            if not told or session in told:
                return span
    return None


def _span_from(parts: list[Section], start: int) -> Span:
    below = (n for n in range(start + 1, len(parts)) if _is_container(parts[n]))
    return Span(start, next(below, len(parts)))


def _is_container(part: Section) -> bool:
    return part.anchor is None and 0 < part.level <= 2


def _position(parts: list[Section], span: Span, anchor: Anchor) -> int:
    if not anchor.turn:
        return span.start + 1
    for number in range(span.start, span.end):
        there = parts[number].anchor
        if there and there.turn and there.at > anchor.at:
            return number
    return span.end


def _merge_anchored(text: str, part: Section, *, clock: str) -> str:
    assert part.anchor is not None
    parts = sections.split(text)
    same = _numbers_of(parts, part.anchor.id)
    if not same:
        return _place(text, part.text.rstrip(), clock=clock)
    mine = max(same, key=lambda number: _claim(parts[number]))
    return _exchange(parts, mine, part.text) if _claim(part) > _claim(parts[mine]) else text


def _claim(part: Section) -> tuple[bool, str, int]:
    assert part.anchor is not None
    return part.edited, part.anchor.at, len(part.own_text.rstrip())


def _clock(container: Section | None) -> str:
    return (container and container.session_clock) or "00:00"


def _merge_hand_written(text: str, part: Section, *, container: Section | None) -> str:
    """The text of *part* goes to the section of the same name, or comes as a section."""
    parts = sections.split(text)
    there = _number_like(parts, part)
    if there is not None:
        return _merge_bodies(parts, there, part)
    if _has_lines(text, part.text.rstrip()) or (_is_ours(part) and not part.body.strip()):
        return text
    return _insert(parts, _new_position(parts, part, container), part.text)


def _new_position(parts: list[Section], part: Section, container: Section | None) -> int:
    if part.level <= 1:
        return 0
    if part.session_clock:
        return _session_position(parts, part.session_clock)
    home = _number_like(parts, container) if container else None
    return len(parts) if home is None else _span_from(parts, home).end


def _number_like(parts: list[Section], part: Section) -> int | None:
    """Which of *parts* is the hand-written section, or the heading, that *part* is."""
    if part.anchor:
        return None
    same = (
        number
        for number, mine in enumerate(parts)
        if mine.anchor is None and (mine.level, mine.heading) == (part.level, part.heading)
    )
    return next(same, None)


def _is_ours(part: Section) -> bool:
    return part.level == 1 or part.session_clock is not None


def _merge_bodies(parts: list[Section], number: int, part: Section) -> str:
    mine, other = parts[number].body, part.body
    if _has_lines(mine, other):
        return "".join(section.text for section in parts)
    if _has_lines(other, mine):
        return _exchange(parts, number, part.text)
    return _insert(parts, number + 1, other)


def _has_lines(text: str, lines: str) -> bool:
    return not lines or f"\n{lines}\n" in f"\n{text}\n"


def _numbers_of(parts: list[Section], entry_id: str) -> list[int]:
    return [n for n, part in enumerate(parts) if part.anchor and part.anchor.id == entry_id]


def _exchange(parts: list[Section], number: int, markdown: str) -> str:
    """All of *parts* with *markdown* for the section *number*; the space below it stays."""
    before, after = _around(parts, number, number + 1)
    old = parts[number].text
    space = old[len(old.rstrip()) :]
    return before + _with_endings(markdown.rstrip(), like=old) + space + after


def _insert(parts: list[Section], position: int, block: str) -> str:
    return _between(*_around(parts, position, position), block=block)


def _around(parts: list[Section], start: int, end: int) -> tuple[str, str]:
    texts = [part.text for part in parts]
    return "".join(texts[:start]), "".join(texts[end:])


def _between(before: str, after: str, *, block: str) -> str:
    """*block* between *before* and *after*, with a blank line where one is missing."""
    newline = "\r\n" if _has_dos_endings(before) or _has_dos_endings(after) else "\n"
    ending = before[-4:].replace("\r\n", "\n")
    gap = "" if not before or ending.endswith("\n\n") else newline
    if before and not ending.endswith("\n"):
        gap += newline
    piece = _with_endings(block.rstrip(), like=newline) + newline
    return before + gap + piece + (newline + after if after else "")


def _has_dos_endings(text: str) -> bool:
    # Looking for one character is ten times as quick as for two, and mostly settles it.
    return "\r" in text and "\r\n" in text


def _with_endings(text: str, *, like: str) -> str:
    plain = text.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if "\r\n" in like else plain
