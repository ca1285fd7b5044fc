"""Read Markdown as an agent writes it: blocks under their headings. Pure.

Not a Markdown parser: what matters is where a thought begins and ends. A line of bold text alone
is a heading, as it is to its reader; a list, a table or a block of code belongs to the sentence
that announces it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "list", "table", "code"]

_HEADING = re.compile(r"#{1,6}\s+(?P<text>.*)")
_BOLD_LINE = re.compile(r"(?:\*\*|__)(?P<text>[^*_].{0,78}?)(?:\*\*|__)[:.]?$")
# A paragraph that begins so has a heading of its own: **Left open.** The order of …
_BOLD_LEAD = re.compile(r"(?:\*\*|__)[^*_\n]{2,80}?(?:[.:](?:\*\*|__)|(?:\*\*|__)[.:])\s+\S")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})")
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+•]|\d{1,3}[.)])\s+\S")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One paragraph, list, table or piece of code, and the heading that it stands under."""

    kind: Kind
    lines: tuple[str, ...]
    heading: str = ""

    @property
    def text(self) -> str:
        """Its lines as they were written."""
        return "\n".join(self.lines)


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of *text* in order; headings are no blocks of their own.

    >>> [(block.heading, block.kind) for block in blocks("## Cause\nN+1.\n- one\n- two")]
    [('Cause', 'text'), ('Cause', 'list')]
    """
    section = heading = ""
    kind: Kind = "text"
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        if fence:
            lines.append(line)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield Block(kind="code", lines=tuple(lines), heading=heading)
                lines, fence = [], ""
            continue
        section = _section(line) or section
        title = _title(line)
        next_kind = _kind_of(line, kind if lines else None)
        mark = _FENCE.match(line)
        if lines and (mark or title or not line.strip() or next_kind != kind):
            yield Block(kind=kind, lines=tuple(lines), heading=heading)
            lines = []
        if mark:
            fence, lines = mark["mark"], [line]
        elif title:
            heading = title
        elif line.strip() and not _RULE.match(line):
            if not lines and _BOLD_LEAD.match(line):
                heading = section
            kind = next_kind
            lines.append(line)
    if lines:
        yield Block(kind="code" if fence else kind, lines=tuple(lines), heading=heading)


def items(block: Block) -> list[str]:
    r"""Return the outermost items of a list, each with what is nested in it.

    >>> items(Block(kind="list", lines=("- a", "  - of a", "- b")))
    ['- a\n  - of a', '- b']
    """
    found: list[list[str]] = []
    outermost = min((_indent(line) for line in block.lines if _ITEM.match(line)), default=0)
    for line in block.lines:
        if not found or (_ITEM.match(line) and _indent(line) <= outermost):
            found.append([line])
        else:
            found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def _section(line: str) -> str:
    """Return what a heading with `#` says; empty for any other line."""
    found = _HEADING.match(line)
    return found["text"].rstrip().rstrip("#").strip("*_:. \t") if found else ""


def _title(line: str) -> str:
    """Return what a heading says, also one in bold; empty for any other line."""
    found = _BOLD_LINE.match(line.strip())
    return _section(line) or (found["text"].strip("*_:. ") if found else "")


def _kind_of(line: str, before: Kind | None) -> Kind:
    """Return what *line* belongs to; an indented line goes on with the list *before* it."""
    if _ROW.match(line):
        return "table"
    if _ITEM.match(line) or (before == "list" and line.startswith((" ", "\t"))):
        return "list"
    return "text"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
