r"""The body of a note: sections by heading, and values as Markdown below them.

Every value reads back as it was. A line of a text that would begin a section gets a
backslash (`\## so`), as Markdown has it; items of a list are indented, so nothing in them
can begin anything. What a person writes may be looser: numbers for bullets, paragraphs
for items, lines that an editor wrapped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.journal import sections
from recollect.notes import note_model
from recollect.notes.categories import Form

REJECTED = ": rejected because "

_TITLE = re.compile(r"#(?=\s|$)")
_HEADING = re.compile(r"##(?=\s|$)")
_GUARDED = re.compile(r"\\*(?:##(?=\s|$)|`{3}|~{3})")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_EXAMPLES = re.compile(r"###[ \t]+(prefer|avoid)\b", re.IGNORECASE)
_IN_OPTION = re.compile(r": (\\*)rejected because")
_ESCAPED_IN_OPTION = re.compile(r": \\(\\*)rejected because")
_SEPARATOR = re.compile(r":\s+|\s[-–—]\s+")


class BodySection(NamedTuple):
    """A heading of level 2 and what stands below it; *field* is empty when it is not ours."""

    field: str
    text: str
    line: int = 0
    """Of the heading, counted from the first line of the body."""

    @property
    def below(self) -> str:
        """The text without its heading."""
        return self.text.partition("\n")[2]


class Body(NamedTuple):
    """The lines above the first section, and the sections. Their texts joined are the body."""

    above: tuple[str, ...]
    title: int | None
    """Which line of those above is the title."""
    blocks: tuple[BodySection, ...]

    @property
    def lead(self) -> str:
        """The text right below the title."""
        return text_of("".join(self.above[0 if self.title is None else self.title + 1 :]))

    def of(self, field: str) -> list[BodySection]:
        """The blocks of *field* that say anything."""
        return [block for block in self.blocks if block.field == field and block.below.strip()]


def parse(text: str, fields: Sequence[str]) -> Body:
    """*text* in parts; a section belongs to the one of *fields* that its heading names."""
    lines = sections.split_lines(text)
    free = [number for number, hidden in enumerate(fenced(lines)) if not hidden]
    starts = [number for number in free if _HEADING.match(lines[number])]
    first = starts[0] if starts else len(lines)
    titles = (number for number in free if number < first and _TITLE.match(lines[number]))
    blocks = (
        BodySection(_field(lines[start], fields), "".join(lines[start:end]), start)
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=False)
    )
    return Body(above=tuple(lines[:first]), title=next(titles, None), blocks=tuple(blocks))


def heading(field: str) -> str:
    """The heading of *field*.

    >>> heading("root_cause")
    'Root cause'
    """
    return field.replace("_", " ").capitalize()


def _field(line: str, fields: Sequence[str]) -> str:
    name = re.sub(r"[\s_-]+", "_", line[2:].strip(" \t\r\n:#").casefold())
    return name if name in fields else ""


def fenced(lines: Sequence[str]) -> list[bool]:
    """Which of *lines* stand in a code block, or are its marks.

    One that nobody closed is none: it would swallow the sections below it.
    """
    inside = [False] * len(lines)
    hopeless: dict[str, int] = {}
    number = 0
    while number < len(lines):
        mark = _fence(lines[number])
        # A mark that was never closed further up is not closed here either.
        if mark and len(mark) < hopeless.get(mark[0], len(mark) + 1):
            end = next((n for n in range(number + 1, len(lines)) if _closes(lines[n], mark)), None)
            if end is None:
                hopeless[mark[0]] = len(mark)
            else:
                inside[number : end + 1] = [True] * (end + 1 - number)
                number = end
        number += 1
    return inside


def _fence(line: str) -> str:
    found = _FENCE.match(line.rstrip("\r\n")) if line.startswith(("```", "~~~")) else None
    return (found[1] or found[2]) if found else ""


def _closes(line: str, mark: str) -> bool:
    return line.startswith(mark) and not line.rstrip().strip(mark[0])


def read(form: Form, text: str) -> Any:
    """The value that *text* below a heading is, for the models to check."""
    return _READERS[form](text)


def write(form: Form, value: Any) -> str:
    """*value* as it stands below its heading; nothing when it is empty."""
    return _WRITERS[form](value) if value else ""


def text_of(text: str) -> str:
    """*text* without our backslashes."""
    lines = note_model.tidy_text(text).split("\n")
    return "\n".join(
        line[1:] if line.startswith("\\") and _GUARDED.match(line) and not hidden else line
        for line, hidden in zip(lines, fenced(lines), strict=True)
    )


def _guarded(text: str) -> str:
    """*text* with a backslash before what would begin a section, or a code block without end."""
    lines = text.split("\n")
    return "\n".join(
        f"\\{line}" if _GUARDED.match(line) and not hidden else line
        for line, hidden in zip(lines, fenced(lines), strict=True)
    )


def _items(text: str) -> list[str]:
    """The bullets in *text*; a paragraph outside of them is an item too."""
    items: list[list[str]] = [[]]
    apart = True
    lines = sections.split_lines(text)
    for line, hidden in zip(lines, fenced(lines), strict=True):
        bullet = None if hidden else _BULLET.match(line)
        indent = 0 if hidden else _indent(line)
        if bullet:
            items.append([line[bullet.end() :]])
        elif apart and line.strip() and not hidden and not indent:
            items.append([line])
        else:
            items[-1].append(line[indent:])
        apart = not line.strip()
    texts = (note_model.tidy_text("".join(item)).strip() for item in items)
    return [item for item in texts if item]


def _indent(line: str) -> int:
    """How much of the space before a line is due to the bullet above it."""
    return 2 if line.startswith("  ") else len(line) - len(line.lstrip(" \t"))


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(line for item in items for line in _bullet(item))


def _bullet(item: str) -> list[str]:
    first, *below = item.split("\n")
    return [f"- {first}", *(f"  {line}" if line else "" for line in below)]


def _alternatives(text: str) -> list[dict[str, str]]:
    return [_alternative(item) for item in _items(text)]


def _alternative(item: str) -> dict[str, str]:
    option, mark, reason = item.partition(REJECTED)
    if mark and option.strip() and reason.strip():
        option = _ESCAPED_IN_OPTION.sub(r": \1rejected because", option)
        return {"option": option, "rejected_reason": reason}
    option, *rest = _SEPARATOR.split(item, maxsplit=1)
    # Without a reason, what the person wrote is all there is to say.
    return {"option": option, "rejected_reason": "".join(rest).strip() or item}


def _options(alternatives: Sequence[note_model.Alternative]) -> str:
    return _bullets([_option(each) for each in alternatives])


def _option(alternative: note_model.Alternative) -> str:
    option = _IN_OPTION.sub(r": \\\1rejected because", alternative.option)
    return option + REJECTED + alternative.rejected_reason


def _examples(text: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {"prefer": [], "avoid": []}
    group = "prefer"
    lines = sections.split_lines(text)
    for line, hidden in zip(lines, fenced(lines), strict=True):
        named = None if hidden else _EXAMPLES.match(line)
        if named:
            group = named[1].lower()
        else:
            groups[group].append(line)
    return {name: _items("".join(below)) for name, below in groups.items()}


def _example_groups(examples: note_model.Examples) -> str:
    groups = [("Prefer", examples.prefer), ("Avoid", examples.avoid)]
    return "\n\n".join(f"### {name}\n\n{_bullets(items)}" for name, items in groups if items)


_READERS: Mapping[Form, Callable[[str], Any]] = {
    "text": text_of,
    "list": _items,
    "alternatives": _alternatives,
    "examples": _examples,
}
_WRITERS: Mapping[Form, Callable[[Any], str]] = {
    "text": _guarded,
    "list": _bullets,
    "alternatives": _options,
    "examples": _example_groups,
}


def put(
    blocks: Sequence[BodySection], section: BodySection, *, order: Sequence[str], newline: str
) -> list[BodySection]:
    """*blocks* with the text of *section* below its heading; without text it is taken out.

    The first block is what stands above the sections. A new section comes behind the
    nearest one that *order* puts before it.
    """
    there = [number for number, block in enumerate(blocks) if block.field == section.field]
    if not section.text:
        return [block for block in blocks if block.field != section.field]
    if not there:
        return _with_new(blocks, section, order, newline)
    first, *others = there
    kept = [block for number, block in enumerate(blocks) if number not in others]
    kept[first] = _renewed(kept[first], section.text, newline)
    return kept


def _renewed(block: BodySection, text: str, newline: str) -> BodySection:
    """*block* with another *text* below its heading; the space after it stays."""
    top = block.text.partition("\n")[0].rstrip()
    space = block.text[len(block.text.rstrip()) :]
    after = space if "\n" in space else newline
    return block._replace(text=top + newline * 2 + text.replace("\n", newline) + after)


def _with_new(
    blocks: Sequence[BodySection], section: BodySection, order: Sequence[str], newline: str
) -> list[BodySection]:
    before = order[: order.index(section.field)]
    place = max((n for n, block in enumerate(blocks) if block.field in before), default=0)
    above, below = blocks[place], blocks[place + 1 :]
    top = BodySection(section.field, f"## {heading(section.field)}")
    new = _renewed(top, section.text, newline)
    spaced = new._replace(text=new.text + newline) if below else new
    return [*blocks[:place], above._replace(text=_ended(above.text, newline)), spaced, *below]


def _ended(text: str, newline: str) -> str:
    """*text* with a blank line at its end, if there is anything in it."""
    ending = text[-4:].replace("\r\n", "\n")
    there = len(ending) - len(ending.rstrip("\n"))
    return text + newline * max(2 - there, 0) if text else text
