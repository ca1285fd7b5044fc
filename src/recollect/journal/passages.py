"""Cut a turn into passages, each of which can be shown by itself. Pure.

A passage is what a search finds and what an agent is then shown: a paragraph, a few items of a
list, rows of a table, always whole and under their heading; the lines that an edit wrote; a
command with the end of its output. What a passage is about often stands only in the request, so
that is a passage, too: it speaks for the others of its turn, and is never shown as an answer.

Never a passage: what was read (files, pages of the web, answers of MCP servers) and thoughts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.text import question
from recollect.text.markdown_blocks import Block, blocks, items
from recollect.transcripts.small_talk import answers_nothing, is_small_talk
from recollect.transcripts.turns import ToolCall, Turn

Part = Literal["own", "request", "asked", "said", "remarked", "changed", "ran"]

# About 60 tokens: what says one thing. Shorter pieces that stand together are joined up to this.
USUAL_PASSAGE = 220
# What cannot be taken apart without losing its sense may be longer, up to what a vector reads.
LONGEST_PASSAGE = 800
# A pasted log or a generated file is not worth more.
MOST_OF_A_TURN = 48
MOST_STATEMENTS = 8
MOST_CHANGES = 12
MOST_COMMANDS = 12
# Of more new lines in one edit only those that set something are worth a passage.
MANY_LINES = 6

LONGEST_REQUEST = 160
# A text whose words have mostly been said says nothing more.
LEAST_NEWS = 0.3
# "Let me look at the logs" says nothing; a finding takes a sentence.
SHORTEST_REMARK = 60
LONGEST_COMMAND = 300
LAST_LINES = 6
LONGEST_OUTPUT = 400
LONGEST_LINE = 200
# Where a project lies on this disk tells nothing.
PATH_PARTS = 3

CHANGING = re.compile(r"edit|write|patch|create|update|replace", re.IGNORECASE)
SHELL = re.compile(r"bash|shell|exec|command|terminal", re.IGNORECASE)

_PATHS = ("file_path", "notebook_path", "absolute_path", "path")
_OLD = ("old_string", "old_str", "oldText")
_NEW = ("new_string", "new_str", "newText", "content", "file_text", "new_source")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update) File: (?P<name>.+)$", re.MULTILINE)
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\b[a-z]\.)(?<!e\.g\.)(?<!i\.e\.)[\"')\]*_`]*\s+(?=\S)|(?<=[。！？])"
)
_QUESTION = re.compile(r"[?？]\W*$")
# A constant, a default, a comment that says why; not the code around it.
_SETS = re.compile(
    r"""[:=]\s*["'`]?[-\d]|^\s*[A-Z][A-Z0-9_]{2,}\b|^\s*(?://|\#|--|\*)\s*\w+ \w+ \w"""
)
_INTENT = re.compile(
    r"\W*(?:(?:ok(?:ay)?|now|good|great|perfect|so|next|first|then|and|alright|right)\b[,.!]?\s*)*"
    r"(?:let me|let's|i(?:'ll| will|'m going to| am going to| need to| should| can| want to)"
    r"|we need to|looking|checking|running|reading|updating|adding|fixing)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a turn that says one thing, in the turn's own words."""

    part: Part
    text: str
    """What is shown: whole sentences, items, rows or lines, with their heading."""
    lead: str = ""
    """The title of the entry whose own text it is; searched with the text."""


def of_turn(turn: Turn) -> list[Passage]:
    """Return what *turn* says and did, in passages, the request first; none if it is nothing."""
    found: list[Passage] = []
    if not answers_nothing(turn.answer):
        found += (Passage(part="said", text=text) for text in of_markdown(turn.answer))
    found += (Passage(part="ran", text=text) for text in _runs(turn.tools))
    found += (Passage(part="changed", text=text) for text in _changes(turn.tools, turn.cwd))
    for remark in turn.remarks:
        if len(finding := _finding(remark)) >= SHORTEST_REMARK:
            found += (Passage(part="remarked", text=text) for text in of_markdown(finding))
    asked = [Passage(part="asked", text=text) for text in _statements(turn.prompt)]
    if is_small_talk(turn) or (not found and not (asked and turn.answer)):
        return []  # What was asked and never answered is no answer to who asks again.
    request = Passage(part="request", text=request_line(turn.prompt))
    different = {one.text: one for one in (*found[:MOST_OF_A_TURN], *asked[:MOST_STATEMENTS])}
    return [request, *different.values()] if request.text else list(different.values())


def of_entry(title: str, body: str) -> list[Passage]:
    """Return what an entry says under its *title*, in passages; the title alone if that is all."""
    told = (text for text in of_markdown(body) if not answers_nothing(text))
    found = [Passage(part="own", text=text, lead=title) for text in told]
    return found[:MOST_OF_A_TURN] or [Passage(part="own", text=title)]


def says_more(text: str, than: Iterable[str]) -> bool:
    """Tell whether *text* says something that the texts in *than* have not said; a number does.

    >>> says_more("Redis, for 60 s.", ["We chose Redis for 60 s."]), says_more("Redis", ["tea"])
    (False, True)
    """
    said = {word for other in than for word in _WORD.findall(other.lower())}
    words = set(_WORD.findall(text.lower()))
    news = words - said
    return len(news) > LEAST_NEWS * len(words) or any(map(str.isdigit, news))


def request_line(prompt: str) -> str:
    r"""Return what *prompt* asks for, in a line.

    >>> request_line("the orders page is slow,\n find out why")
    'the orders page is slow, find out why'
    """
    line = " ".join(question.read(prompt).text.split())
    if len(line) <= LONGEST_REQUEST:
        return line
    return line[:LONGEST_REQUEST].rsplit(" ", 1)[0]


def of_markdown(text: str) -> list[str]:
    r"""Return *text* in passages, in order; what is small and stands together is joined.

    >>> of_markdown("## Cache\nRedis.\n\nIn front of it an LRU.\n\n## Queue\nNone yet.")
    ['Cache:\nRedis.\n\nIn front of it an LRU.', 'Queue:\nNone yet.']
    """
    joined: list[tuple[str, str]] = []
    for heading, piece in _pieces(text):
        if joined and joined[-1][0] == heading:
            together = f"{joined[-1][1]}\n\n{piece}"
            if len(together) <= USUAL_PASSAGE:
                joined[-1] = (heading, together)
                continue
        joined.append((heading, piece))
    return [f"{heading}:\n{piece}" if heading else piece for heading, piece in joined]


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield each piece of *text* that says one thing, with its heading."""
    announced = heading = ""
    for block in blocks(text):
        if announced and (block.kind == "text" or block.heading != heading):
            yield heading, announced
            announced = ""
        heading = block.heading
        if block.kind != "text":
            for piece in _structure(block, room=LONGEST_PASSAGE - len(announced)):
                yield heading, f"{announced}\n{piece}" if announced else piece
            announced = ""
            continue
        *said, last = _paragraph(block.text)
        yield from ((heading, piece) for piece in said)
        if last.rstrip("*_ ").endswith(":") and len(last) <= USUAL_PASSAGE:
            announced = last
        else:
            yield heading, last
    if announced:
        yield heading, announced


def _structure(block: Block, *, room: int) -> Iterator[str]:
    """Yield a list, table or piece of code in parts that are whole in themselves."""
    if block.kind == "table":
        yield from _table(block.lines)
    elif block.kind == "list":
        yield from _grouped(items(block), limit=USUAL_PASSAGE)
    else:
        yield from _grouped(_EMPTY_LINE.split(block.text), limit=min(room, LONGEST_PASSAGE))


def _table(lines: Sequence[str]) -> Iterator[str]:
    head = [line for line in lines[:2] if line is lines[0] or set(line) <= set("|-: \t")]
    rows = lines[len(head) :]
    top = "\n".join(head[:1])
    for group in _grouped(rows, limit=USUAL_PASSAGE):
        yield f"{top}\n{group}"
    if not rows:
        yield top


def _grouped(pieces: Sequence[str], *, limit: int) -> Iterator[str]:
    """Yield *pieces* joined up to *limit*; a piece that is longer is cut at its sentences."""
    group = ""
    for piece in pieces:
        if group and len(group) + len(piece) + 1 > limit:
            yield group
            group = ""
        if len(piece) > LONGEST_PASSAGE:
            yield from _cut(piece)
        else:
            group = f"{group}\n{piece}" if group else piece
    if group:
        yield group


def _paragraph(text: str) -> list[str]:
    return [text] if len(text) <= USUAL_PASSAGE * 2 else list(_cut(text))


def _cut(text: str) -> Iterator[str]:
    """Yield *text* in runs of whole sentences; a sentence that is too long is cut at a word."""
    group = ""
    for sentence in _sentences(text):
        if group and len(group) + len(sentence) + 1 > USUAL_PASSAGE:
            yield group
            group = ""
        group = f"{group} {sentence}" if group else sentence
    if group:
        yield group


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(text):
        rest = sentence.strip()
        while len(rest) > LONGEST_PASSAGE:
            at = max(rest.rfind(mark, 0, LONGEST_PASSAGE) for mark in ("\n", " "))
            at = at if at > LONGEST_PASSAGE // 2 else LONGEST_PASSAGE
            yield rest[:at].strip()
            rest = rest[at:].strip()
        if rest:
            yield rest


def _statements(prompt: str) -> Iterator[str]:
    """Yield what the user said in *prompt*, but for questions: they answer nothing."""
    for piece in of_markdown(prompt):
        kept = [one for one in _SENTENCE.split(piece) if one.strip() and not _QUESTION.search(one)]
        if kept:
            yield " ".join(one.strip() for one in kept)


def _finding(remark: str) -> str:
    """Return *remark* without what only says what comes next."""
    sentences = _SENTENCE.split(remark.strip())
    while sentences and _INTENT.match(sentences[-1]):
        sentences.pop()
    return " ".join(sentences) if sentences and not _INTENT.match(sentences[0]) else ""


# What was done.


def _runs(calls: Sequence[ToolCall]) -> Iterator[str]:
    """Yield each command with the end of its output, the last ones of many."""
    runs = [call for call in calls if _is_a(SHELL, call)]
    for call in runs[-MOST_COMMANDS:]:
        command = call.input.get("command")
        if isinstance(command, list):
            command = " ".join(str(word) for word in command)
        if isinstance(command, str) and command.strip():
            yield _run(command.strip(), call)


def _run(command: str, call: ToolCall) -> str:
    shown = command if len(command) <= LONGEST_COMMAND else f"{command[:LONGEST_COMMAND]} …"
    lines = [line.rstrip() for line in call.output.splitlines() if line.strip()]
    end: list[str] = []
    for line in reversed(lines[-LAST_LINES:]):
        if sum(map(len, end)) + len(line) > LONGEST_OUTPUT and end:
            break
        end.insert(0, line[:LONGEST_LINE])
    mark = "(failed) " if call.failed else ""
    return "\n".join([f"{mark}$ {shown}", *end])


def _changes(calls: Sequence[ToolCall], folder: str) -> Iterator[str]:
    """Yield the lines that each edit wrote, under the name of the file as seen from *folder*."""
    count = 0
    for call in calls:
        if call.failed or not is_change(call):
            continue
        for name, lines in _written(call):
            for piece in _grouped(lines, limit=USUAL_PASSAGE):
                yield f"{short_path(name, folder)}:\n{piece}"
                count += 1
                if count == MOST_CHANGES:
                    return


def _is_a(kind: re.Pattern[str], call: ToolCall) -> bool:
    """Tell whether *call* is of a *kind*; what a tool of an MCP server does is anybody's guess."""
    return bool(kind.search(call.name)) and not call.name.startswith("mcp__")


def is_change(call: ToolCall) -> bool:
    """Tell whether *call* writes to files."""
    return _is_a(CHANGING, call)


def path_of(call: ToolCall) -> str:
    """Return the file that *call* names; empty for none."""
    return next((str(call.input[key]) for key in _PATHS if call.input.get(key)), "")


def old_and_new(edit: Mapping[str, object]) -> tuple[str, str]:
    """Return the text that an *edit* takes out and the one that it puts there."""
    old = next((str(edit[key]) for key in _OLD if edit.get(key)), "")
    return old, next((str(edit[key]) for key in _NEW if edit.get(key)), "")


def _written(call: ToolCall) -> Iterator[tuple[str, list[str]]]:
    """Yield the files that *call* wrote to, each with the lines that are new in it."""
    patch = call.input.get("patch") or call.input.get("input")
    if isinstance(patch, str) and _PATCHED.search(patch):
        _, *pieces = _PATCHED.split(patch)
        for name, body in zip(pieces[::2], pieces[1::2], strict=True):
            added = [line[1:] for line in body.splitlines() if line.startswith("+")]
            yield name, _telling(added)
        return
    name = path_of(call)
    changes = call.input.get("edits")
    edits: list[object] = changes if isinstance(changes, list) else [call.input]
    lines = [line for edit in edits if isinstance(edit, Mapping) for line in _new_lines(edit)]
    if name and lines:
        yield name, _telling(lines)


def _new_lines(edit: Mapping[str, object]) -> list[str]:
    old, new = old_and_new(edit)
    before = {line.strip() for line in old.splitlines()}
    return [line for line in new.splitlines() if line.strip() not in before]


def _telling(lines: Sequence[str]) -> list[str]:
    """Return *lines* without those that are only brackets; of many, those that set something."""
    told = [line[:LONGEST_LINE] for line in lines if sum(map(str.isalnum, line)) > 2]
    return told if len(told) <= MANY_LINES else [line for line in told if _SETS.search(line)]


def short_path(path: str, folder: str) -> str:
    """Return *path* as seen from *folder*; the end of one that lies elsewhere.

    >>> short_path("/home/ann/shop/src/db.py", "/home/ann/shop"), short_path("/a/b/c/d.py", "")
    ('src/db.py', 'b/c/d.py')
    """
    inside = path.removeprefix(f"{folder}/") if folder else path
    if inside != path or not path.startswith("/"):
        return inside
    return "/".join(path.split("/")[-PATH_PARTS:])
