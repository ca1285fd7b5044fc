"""What a model is given of a session: never more than it may cost, whatever the turns hold.

Everything stands escaped inside tags of ours, as data. Where there is too much, each text is cut
in the middle with a visible mark, the longest first; reading and listing goes before doing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from recollect import tokens
from recollect.journal import evidence, markdown
from recollect.notes.categories import Category
from recollect.privacy import redact
from recollect.transcripts.shorten import shorten
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

# What a call says beyond this is seldom worth its price.
MOST_TOKENS_OF_AN_INPUT = 250
MOST_TOKENS_OF_AN_OUTPUT = 200
MOST_TOKENS_OF_A_LOOK = 60
# With less than this nothing can be understood, so there are fewer texts instead.
LEAST_TOKENS = 30
# A long turn is read at this size at most when it is put together with others.
A_FAIR_SHARE = 1_500
MOST_RECORDED = 20
MOST_TOKENS_RECORDED = 600
MOST_TOKENS_OF_A_SUMMARY = 350
MOST_TOKENS_OF_A_NOTE = 80

_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeableNote:
    """A note that is there, and that the model may update or retire."""

    name: str
    """`category/id`."""
    category: Category
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What is known already: titles of what was recorded, the last summary, notes like it."""

    recorded: Sequence[str] = ()
    """Of the same session, oldest first."""
    summary: str = ""
    candidates: Sequence[ChangeableNote] = ()


@dataclass(frozen=True, slots=True)
class _Text:
    """A piece of a turn: what stands around it, and at most so many tokens of it."""

    opening: str
    text: str
    closing: str
    most: int = 1 << 30
    rank: int = 0
    """Where there is too little room, those of a high rank are left out first."""

    @property
    def frame(self) -> int:
        return tokens.estimate(self.opening + self.closing) + 1

    @property
    def wanted(self) -> int:
        return min(self.most, tokens.estimate(self.text))


def write(turns: Sequence[CleanTurn], before: Before, *, limit_tokens: int) -> str:
    """Return the session as a model is given it: *turns*, and what was known *before*.

    It costs at most *limit_tokens*; turns are numbered from 1, in order.
    """
    head = _known(before, limit_tokens // 3)
    opening, closing = "<session>\n", "</session>\n"
    left = limit_tokens - tokens.estimate(opening + head + closing) - 2
    wants = [_wanted(turn) for turn in turns]
    shares = shared(wants, left)
    body = "".join(
        _turn(number, turn, share)
        for number, (turn, share) in enumerate(zip(turns, shares, strict=True), start=1)
    )
    return f"{opening}{head}{body}{closing}"


def size(turn: CleanTurn) -> int:
    """Return how many tokens *turn* would take if it were not cut."""
    return _wanted(turn)


def batches(turns: Sequence[CleanTurn], *, room: int) -> Iterator[list[CleanTurn]]:
    """Divide *turns* into calls of so much *room*; each has at least one."""
    batch: list[CleanTurn] = []
    left = room
    for turn in turns:
        wanted = min(size(turn), A_FAIR_SHARE)
        if batch and wanted > left:
            yield batch
            batch, left = [], room
        batch.append(turn)
        left -= wanted
    if batch:
        yield batch


def shared(wants: Sequence[int], limit: int) -> list[int]:
    """Divide *limit* among those who want something: who wants little gets it all.

    >>> shared([10, 100, 200], 150)
    [10, 70, 70]
    """
    left, shares = limit, [0] * len(wants)
    by_want = sorted(range(len(wants)), key=lambda place: wants[place])
    for done, place in enumerate(by_want):
        shares[place] = min(wants[place], max(0, left) // (len(wants) - done))
        left -= shares[place]
    return shares


def data(text: str) -> str:
    """Return *text* so that nothing in it can be taken for a tag of ours.

    >>> data("done </turn> a & b")
    'done &lt;/turn&gt; a &amp; b'
    """
    return escape(markdown.legible(text), quote=False)


def attribute(text: str) -> str:
    """Return *text* so that it can stand between quotes in a tag of ours."""
    return escape(markdown.one_line(text), quote=True)


def _known(before: Before, limit: int) -> str:
    """Return what was known before, within *limit* tokens."""
    titles = [f"- {_own(title)}" for title in before.recorded[-MOST_RECORDED:]]
    recorded = _newest(titles, min(MOST_TOKENS_RECORDED, limit // 2))
    summary = within(data(redact.clean(before.summary)), min(MOST_TOKENS_OF_A_SUMMARY, limit // 4))
    notes = [_candidate(one) for one in before.candidates]
    left = limit - tokens.estimate(recorded + summary) - 60
    pieces = {
        "recorded": recorded,
        "summary_so_far": summary,
        "known_notes": _newest(notes, left),
    }
    return "".join(f"<{name}>\n{text}\n</{name}>\n" for name, text in pieces.items() if text)


def _candidate(one: ChangeableNote) -> str:
    said = within(_own(one.says), MOST_TOKENS_OF_A_NOTE)
    return f'<known id="{attribute(one.name)}">{markdown.one_line(said)}</known>'


def _own(text: str) -> str:
    """Return a line out of our own files as data: a person may have written into them.

    It is redacted first: escaped, a private block would no longer be known for one.
    """
    return data(markdown.one_line(redact.clean(text)))


def _newest(lines: Sequence[str], limit: int) -> str:
    """Return as many of the last *lines* as fit, in order."""
    kept: list[str] = []
    left = limit
    for line in reversed(lines):
        left -= tokens.estimate(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def _turn(number: int, turn: CleanTurn, limit: int) -> str:
    """Return *turn* within *limit* tokens."""
    opening = f'<turn number="{number}" began="{turn.started:%Y-%m-%d %H:%M}">\n'
    closing = "</turn>\n"
    left = limit - tokens.estimate(opening + closing) - 1
    return f"{opening}{_body(turn, left)}{closing}"


def _wanted(turn: CleanTurn) -> int:
    return 60 + sum(one.frame + one.wanted for one in _pieces(turn))


def _body(turn: CleanTurn, limit: int) -> str:
    pieces = _pieces(turn)
    kept = _chosen(pieces, limit - 20)
    left_out = len(pieces) - len(kept)
    mark = f"[… {left_out} pieces left out …]\n" if left_out else ""
    left = limit - sum(one.frame for one in kept) - tokens.estimate(mark)
    shares = shared([one.wanted for one in kept], left)
    texts = [
        f"{one.opening}{within(one.text, share)}{one.closing}"
        for one, share in zip(kept, shares, strict=True)
    ]
    return "".join(texts) + mark


def _chosen(pieces: Sequence[_Text], limit: int) -> list[_Text]:
    """Return those of *pieces*, in order, that can be understood within *limit* tokens.

    Prompt and answer stay; of the rest what did something comes first, then the latest.
    """
    places = sorted(range(len(pieces)), key=lambda place: (pieces[place].rank, -place))
    kept: set[int] = set()
    for place in places:
        one = pieces[place]
        limit -= one.frame + min(LEAST_TOKENS, one.wanted)
        if limit < 0 and one.rank:
            break
        kept.add(place)
    return [pieces[place] for place in sorted(kept)]


def _pieces(turn: CleanTurn) -> list[_Text]:
    """Return the texts of *turn*: the prompt, what was said and done meanwhile, the answer."""
    remarks = [_Text("<remark>", _tidy(one), "</remark>\n", rank=2) for one in turn.remarks]
    pieces = [
        _Text("<prompt>", _tidy(turn.prompt), "</prompt>\n"),
        *(one for one in remarks if one.text),
        *(piece for call in turn.tools for piece in _call(call, turn)),
    ]
    if turn.answer:
        pieces.append(_Text("<answer>", _tidy(turn.answer), "</answer>\n"))
    if turn.interrupted:
        pieces.append(_Text("<interrupted/>\n", "", ""))
    return pieces


def _call(call: ToolCall, turn: Turn) -> list[_Text]:
    """Return a tool call on few tokens; one that only looked says no more than where."""
    failed = ' failed="yes"' if call.failed else ""
    opening, closing = f'<tool name="{attribute(call.name)[:80]}"{failed}>', "</tool>\n"
    given = _tidy(_given(call, turn.cwd))
    has_output = call.name in evidence.SHELLS | evidence.ASKERS or call.failed
    if not has_output and call.name not in evidence.WRITERS | evidence.PATCHERS:
        looked = within(given, MOST_TOKENS_OF_A_LOOK)
        return [_Text(opening, looked, closing, most=MOST_TOKENS_OF_A_LOOK, rank=3)]
    pieces = [_Text(opening, given, closing, most=MOST_TOKENS_OF_AN_INPUT, rank=1)]
    if has_output and (output := _tidy(call.output)):
        most = MOST_TOKENS_OF_AN_OUTPUT
        pieces.append(_Text("<output>", output, "</output>\n", most=most, rank=1))
    return pieces


def _given(call: ToolCall, cwd: str) -> str:
    """Return what a tool was given: a lone text as it is, else a line for each value."""
    values = {name: value for name, value in call.input.items() if value not in ("", None, [], {})}
    text = "\n".join(f"{name}: {_value(value)}" for name, value in values.items())
    if len(values) == 1 and isinstance(alone := next(iter(values.values())), str):
        text = alone
    return text.replace(f"{cwd}/", "") if cwd else text


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_value(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(_value, value))
    return str(value)


def _tidy(text: str) -> str:
    """Return *text* as data, without empty lines that cost and say nothing."""
    ended = "\n".join(line.rstrip() for line in text.split("\n"))
    return data(_BLANK_LINES.sub("\n\n", ended).strip())


def within(text: str, limit: int) -> str:
    """Return *text* in at most *limit* tokens: its head, a mark, its tail; nothing if too few.

    What is cut stays escaped: no half of an entity is left.
    """
    cost = tokens.estimate(text)
    if cost <= limit:
        return text
    characters = len(text) * max(limit, 0) // cost
    while characters > 60:
        cut = _whole_entities(shorten(text, characters))
        if tokens.estimate(cut) <= limit:
            return cut
        characters = characters * 9 // 10
    kept = tokens.affordable(text, limit - tokens.estimate("…"))
    return _whole_entities(text[:kept] + "…") if kept > 0 else ""


_HALF_ENTITY = re.compile(r"&[a-z#0-9]{0,5}(?=\n\[…|…$)|(?<=\]\n)[a-z#0-9]{0,5};")


def _whole_entities(text: str) -> str:
    return _HALF_ENTITY.sub("", text)
