"""Cut a text into passages that are each about one thing. Pure.

A passage is what one vector stands for, so it must be short enough for the model and should
not begin in the middle of something: cuts are made at headings first, then between paragraphs,
lines, sentences; a block of code is kept whole while it fits. What is small is put together.
"""

import re
from collections.abc import Iterator

# About 200 tokens of prose: what the bundled model reads at once, with room for code, whose
# tokens are shorter.
LONGEST_PASSAGE = 900
# A text of which more is not worth a vector: a pasted log, a generated file.
MOST_PASSAGES = 40

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SENTENCE_END = re.compile(r"[.!?:;。！？；][\s\"')\]]|[。！？；]")


def passages(text: str, *, longest: int = LONGEST_PASSAGE) -> list[str]:
    r"""Return *text* in passages of at most *longest* characters, in order.

    Front matter and comments are left out: they are for programs.

    >>> passages("# Cache\nRedis first.\n\n# Queue\nNone yet.", longest=45)
    ['# Cache\nRedis first.', '# Queue\nNone yet.']
    """
    plain = _COMMENT.sub("", _FRONT_MATTER.sub("", text, count=1))
    found: list[str] = []
    for block in _blocks(plain):
        for piece in _short(block, longest):
            joined = f"{found[-1]}\n\n{piece}" if found else piece
            begins = _HEADING.match(piece) and len(found[-1]) * 3 > longest if found else True
            if not begins and len(joined) <= longest:
                found[-1] = joined
            else:
                found.append(piece)
    return found[:MOST_PASSAGES]


def _blocks(text: str) -> Iterator[str]:
    """Return the paragraphs of *text*: a heading goes with what follows, code stays together."""
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            lines.append(line)
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif mark:
            fence = mark[1]
            lines.append(line)
        elif not line.strip() or _HEADING.match(line):
            if lines and not (len(lines) == 1 and _HEADING.match(lines[0])):
                yield "\n".join(lines)
                lines = []
            if line.strip():
                lines.append(line)
        else:
            lines.append(line)
    if lines:
        yield "\n".join(lines)


def _short(block: str, longest: int) -> Iterator[str]:
    """Return *block* in pieces that are short enough, cut where it hurts least."""
    rest = block.strip()
    while len(rest) > longest:
        cut = _cut(rest, longest)
        yield rest[:cut].rstrip()
        rest = rest[cut:].lstrip()
    if rest:
        yield rest


def _cut(text: str, longest: int) -> int:
    """Return where to cut *text*: after a line, a sentence, a word, or anywhere."""
    earliest = longest // 2
    line = text.rfind("\n", earliest, longest)
    if line > 0:
        return line
    ends = [found.end() for found in _SENTENCE_END.finditer(text, earliest, longest)]
    if ends:
        return ends[-1]
    space = text.rfind(" ", earliest, longest)
    return space if space > 0 else longest
