"""Read an agent's closing message: its points, each whole, and what each is good for. Pure.

Agents report in Markdown: headings, lists, bold leads, tables. A point is the smallest piece that
can stand alone: a sentence, an item of a list, a row of a table, a command. It is kept in the
words it was written in, without emphasis, and knows the heading and the announcement above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import groupby, islice

from recollect.text import sentences
from recollect.text.markdown_blocks import Block, blocks, items

# Nobody reports more; patterns stay quick on the rest.
LONGEST_REPORT = 20_000
MOST_POINTS = 120
LONGEST_POINT = 600
SHORTEST_POINT = 4
# A block of code is kept as a command to run only if it is short.
MOST_CODE_LINES = 4
MOST_STEPS = 5
FEWEST_STEP_WORDS = 1
# Items that belong to one announcement stand on its line, as many as can be read on one.
LONGEST_LINE = 400


class Role(Enum):
    """What a point tells."""

    CAUSE = "cause"
    DECISION = "decision"
    RESULT = "result"
    CHANGE = "change"
    HOW_TO = "how to"
    OPEN = "open"
    OTHER = "other"
    REMARK = "remark"
    """What the agent does or offers to do: of no use to anybody later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One thing that a report says."""

    text: str
    role: Role
    heading: str = ""
    lead: str = ""
    """The line that announces the list, table or command it stands in."""
    block: int = 0
    """Points of one paragraph or list have the same number."""
    is_item: bool = False

    @property
    def size(self) -> int:
        """How many characters it takes, with a line of its own."""
        return len(self.text) + 10


_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*(?P<language>\w*)")
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
# "**Left open.** The order" is a heading within a paragraph.
_BOLD_LEAD = re.compile(
    r"(\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?)(?:\*\*|__)([^*_\n]{2,80}?)"
    r"(?:[.:](?:\*\*|__)|(?:\*\*|__)[.:])\s+(?=\S)"
)
_ITALIC = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)")
_DIVIDER = re.compile(r"[|\s:-]+")
_ORNAMENT = re.compile(r"[^\w\s`\"'(\[<{@#./~$|*+−–-]+\s*")

# Headings that say nothing about what stands below them.
_EMPTY_HEADING = re.compile(
    r"\W*(?:summary|done|overview|report|details?|results?|what (?:i|we) (?:did|changed|found)"
    r"|what'?s (?:new|changed|in it|done|there)|changes?(?: made)?|what changed|tl;?dr|notes?"
    r"|status"
    r"|final (?:summary|state|status)|implementation(?: summary| complete)?|in short|so)\W*",
    re.IGNORECASE,
)
_CAUSE_HEADING = re.compile(
    r"\b(?:causes?|reason|why|problem|diagnosis|what (?:was|went) wrong|root|findings?)\b", re.I
)
_OPEN_HEADING = re.compile(
    r"\b(?:open|left|remaining|remains|next|to-?dos?|follow-?ups?|not (?:done|yet|tested|included)"
    r"|limitations?|caveats?|known issues|still)\b",
    re.IGNORECASE,
)
_CHANGE_HEADING = re.compile(
    r"\b(?:fix(?:es|ed)?|solution|changes?|changed|built|done|the new|instead|replaces)\b", re.I
)
_HOW_HEADING = re.compile(r"\b(?:how to|usage|run(?:ning)? it|try it|to (?:run|test|use))\b", re.I)
_DECISION_HEADING = re.compile(
    r"\b(?:decisions?|decided|alternatives?|rejected|trade-?offs?|considered)\b"
    r"|\bwhy\b.+\b(?:over|instead|rather|not)\b",
    re.IGNORECASE,
)

# A heading or an announcement of what is still to be done, and sentences that tell it.
_STEPS = re.compile(
    r"\W*(?:suggested |recommended |possible )?(?:next steps?|next|remaining|left to do|left open"
    r"|to-?dos?|what(?:'?s (?:left|next|still open|missing)| remains| is left)"
    r"|still (?:to do|open|missing|left)"
    r"|follow-?ups?|not (?:yet )?done|open (?:points|questions|issues|items|tasks|ends)|open"
    r"|nächste schritte|(?:noch )?offene? punkte|noch (?:offen|zu tun)|prochaines étapes"
    r"|reste à faire|próximos pasos|pendientes?|下一步|接下来|待办(?:事项)?|后续步骤|次のステップ"
    r"|残りの作業|今後の作業|다음 단계|남은 작업)(?:\s\w+){0,4}\W*$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"(?<!may )(?<!can )(?<!'d )\bstill"
    r" (?:needs?|ha(?:s|ve) (?:to|no|an?)|to be|must|missing|fails?)\b"
    r"|\b(?:is|are|was|were|has|have)(?: not|n't)"
    r" (?:yet (?:been )?)?(?:implemented|done|wired|tested|covered|released|merged|committed|pushed"
    r"|deployed|migrated|documented|updated|finished)(?: yet)?\b"
    r"|^(?:[\w`'./()#-]+ ){1,6}(?<!that )(?<!which )(?<!it )(?<!just )(?<!only )needs? to be\b"
    r"|^(?:to-?do|open|next|left|still open|not done)(?: step)?:\s|\bthe next step\b"
    r"|^(?:(?:after|afterwards|before|for|from|in|on|once|to|then|when)\b[^,.]{0,60},? )?"
    r"you(?:'ll| will)? (?:still )?(?:need to|have to|must|may want to|might want to)\b"
    r"|\b(?:left|deferred|postponed) (?:for|to|until)\b"
    r"|下一步|还需要|まだ|아직",
    re.IGNORECASE,
)
_STEP_LABEL = re.compile(r"(?:next(?: steps?)?|to-?do|open|left|still open|not done):\s+", re.I)
_NO_STEP = re.compile(
    r"\W*(?:(?:or |but )?(?:if|given|since)|unless|none|nothing|no\b|optional|i\b|we\b|this|that"
    r"|these|those|it|they|both|done|(?:the )?(?:rest|remaining|others?)\b|.*\bor\W*$)",
    re.IGNORECASE,
)

_LIMITS = re.compile(r"\W*(?:but|however|yet)\b", re.IGNORECASE)
_REMARK = re.compile(
    r"""\W*(?:(?:ok(?:ay)?|now|good|great|perfect|so|next|first|then|alright|right|sure)\b[,.!]?\s*)*
    (?:let\ me\b|let's\s(?:look|check|see|start|verify|run)|i(?:'ll|\ will)\s(?:now|start|go|look
      |check|begin|first|take|read|run|wait)
    |i(?:'m|\ am)\s(?:going\ to|now|ready|waiting|happy|glad)|i\ need\ to\ (?:look|check|see|read)
    |(?:looking|checking|running|reading|waiting|continuing|starting)\s
    |(?:want|would\ you\ like|do\ you\ want|shall|should)\s(?:me|i|we)\b.*[?？]
    |would\ you\ like\b|let\ me\ know|feel\ free|happy\ to\b|is\ there\ anything
    |(?:just\s)?(?:say|tell\ me|ask|ping\ me)\s(?:the\ word|so|if|when|whether|which)\b
    |if\ you(?:'d)?\s(?:want|like|prefer)(?:\sme)?,?\s(?:i\ can|to|me)\b
    |here(?:'s|\ is|\ are)\s(?:what|the|a|your|how)\b[^:]{0,80}[:.]?$
    |(?:all\s)?done\W*$|(?:that|this)\ was\ (?:a|an|the)\s(?:stale|old|leftover|previous)\b
    |api\ error|no\ response\ requested|good\ (?:question|catch|point|idea)
    |you(?:'re|\ are)\s(?:absolutely\s)?(?:right|welcome)
    |(?:both|all)?\s*(?:agents?|tasks?|background\s\w+)\s(?:is|are|has|have)\s(?:done|back|finished)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# What an agent says while it works is mostly what it does next.
_UNDER_WAY = re.compile(
    r"\W*(?:now|next|first|then|ok(?:ay)?|good|great|perfect|excellent|alright|yes|right|let|i'?ll"
    r"|i will|i'?m|i am|i need|i should|i want|i can|we need|time to|task \d|step \d|all tests"
    r"|tests? pass|both tests|\w+ing)\b|.*\blet me\b",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\W*(?:all|everything|both|the|tests?|lint\w*|build)\b.{0,60}\b(?:pass(?:es|ed|ing)?|green"
    r"|clean|successful(?:ly)?|succeed(?:s|ed)?)\b|\W*(?:clean|i see the (?:issue|problem)"
    r"|found it|got it|fixed|implemented|committed|pushed)\W*$"
    r"|\W*nothing (?:was|is|has been) (?:changed|touched|edited)\b"
    r"|\W*i (?:have(?:n't| not)|did(?:n't| not)) (?:\w+ )?(?:change|touch|edit)\w* any(?:thing)?\b",
    re.IGNORECASE,
)
_SOURCES = re.compile(r"\W*(?:sources?|references?|links?|see also|further reading)\W*", re.I)
_CODE = re.compile(r"`[^`]*`")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_PATH = re.compile(r"\S*[/\\.]\S+")
# What was looked at says less than what was found.
_LOOKED = re.compile(
    r"\W*(?:i|we)(?:'ve| have)? (?:\w+ly )?(?:looked|checked|read|reviewed|went through|inspected"
    r"|examined|searched|explored|verified|compared|tried|investigated|traced)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|cause[ds]?\b|because|due to|turn(?:s|ed) out|the reason"
    r"|the (?:problem|issue|bug|culprit|error) (?:is|was)|which is why|that'?s why|hence"
    r"|the fault|therefore|weil|ursache|parce que|porque)\b|因为|原因|ため|때문",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\d[\d.,]*\s?(?:%|ms|s\b|x\b|×|MB|GB|KB|kB|min|hours?|seconds?|minutes?|tests?|passed|failed)"
    r"|\bfrom [^.]{0,40}\d[^.]{0,40} to [^.]{0,20}\d|\d\S*\s?(?:→|->)\s?\S*\d"
    r"|\b(?:instead of|down from|up from|rather than|before (?:it|that)|was)\b[^.]{0,20}\d"
    r"|\b(?:pass(?:es|ed|ing)?|green|measured|benchmark(?:ed|s)?|verified|confirmed)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:add(?:s|ed)|fix(?:es|ed)|chang(?:es|ed)|remov(?:es|ed)|replac(?:es|ed)|mov(?:es|ed)"
    r"|renam(?:es|ed)|extract(?:s|ed)|updat(?:es|ed)|creat(?:es|ed)|implement(?:s|ed)|now"
    r"|introduc(?:es|ed)|refactored|split|merged|convert(?:s|ed)|simplif(?:ies|ied)|dropped"
    r"|switched|wired|raised|lowered|set to|no longer|reverted|written|wrote|made|put|kept"
    r"|built|deleted|bumped|pinned|enabled|disabled|moved|is in|are in)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:not (?:yet|done|tested|included|covered|handled)|still (?:need|needs|to|open|missing"
    r"|fails?|has|have)|left (?:open|alone|as|it|out|for)|to-?do\b|remaining|remains|pending|"
    r"follow-?ups?|you (?:should|need to|must|may want to|might want)|next step|later|until then"
    r"|did(?: not|n't) (?:touch|change|fix|test|do)|out of scope|revisit|open question)\b"
    r"|^next(?: up| steps?)?:",
    re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\b(?:run (?:it )?with|run|start(?:s|ed)? (?:it )?with|use|call|type|try|invoke)\b[^.]{0,20}`"
    r"|^`[^`]{3,}`\W|\bto (?:run|start|test|build|deploy|undo|restore|reset|enable|disable)\b",
    re.IGNORECASE,
)
_PEOPLE = (
    r"(?:I|we|you|they|the team)(?:'ve|'d| have| had)?(?: (?:also|both|\w+ly|therefore|just))?"
)
_CHOICE = re.compile(
    rf"\b{_PEOPLE} (?:decided|chose|opted|agreed|went with|settled on|ruled out|rejected|picked)\b"
    r"|\bdecid(?:ed|ing) (?:against|on|to|for)\b|\bdecision\b.{0,20}:|\bwas (?:chosen|rejected)\b"
    r"|\b(?:but|and) (?:then )?(?:went with|chose|settled on|opted for|stayed with|stuck with)\b"
    r"|\bfrom now on\b|\b(?:let'?s|we'?ll|we'?re|i'?m|i'?ll|i'?d) go(?:ing)? (?:with|for)\b"
    rf"|\b{_PEOPLE} (?:kept|used|use|put|took|preferred|prefer|left|made|stayed with|stuck with)\b"
    r".{0,120}\b(?:rather than|instead of|over|not)\b"
    rf"|\b{_PEOPLE} (?:did not|didn't|do not|don't) (?:use|take|choose|add|go|want|merge)\b"
    r".{0,160}(?:because|since|:|;|, as |so )"
    r"|决定|決定|결정",
    re.IGNORECASE,
)
_NO_CHOICE = re.compile(
    r"\b(?:not|n't|yet|whether|if|should|could|might)\b[^.]*\b(?:decid|ch(?:oo|o)se|go with)",
    re.IGNORECASE,
)


def points(message: str) -> list[Point]:
    r"""Return what *message* says, point by point, in its order.

    >>> [(one.heading, one.text) for one in points("## Cause\nOne query a row. It was lazy.")]
    [('Cause', 'One query a row.'), ('Cause', 'It was lazy.')]
    """
    return list(_first_points(message[:LONGEST_REPORT]))


# A session is summed up after each of its turns, mostly from the same messages.
@lru_cache(maxsize=128)
def _first_points(message: str) -> tuple[Point, ...]:
    found = (one for one in _points(message) if len(one.text) >= SHORTEST_POINT)
    return tuple(islice(found, MOST_POINTS))


def _points(message: str) -> Iterator[Point]:
    lead = heading = ""
    number = 0
    for number, block in enumerate(blocks(_LINK.sub(r"\1", message))):
        if lead and (block.kind == "text" or block.heading != heading):
            yield _point(lead, heading, block=number)
            lead = ""
        heading = block.heading
        if block.kind == "code" and lead:
            code = "; ".join(_commands(block.lines))
            yield _point(f"{lead} {code}".rstrip(), heading, block=number)
            lead = ""
            continue
        if block.kind != "text":
            above = _columns(block, lead)
            told = list(_structure(block))
            if not told and is_telling_heading(heading):
                # Of code that is too long to keep, the heading tells what it is.
                yield _point(_unnumbered(heading), "", block=number, is_item=True)
            for text in told:
                yield _point(text, heading, block=number, lead=above, is_item=True)
            lead = ""
            continue
        *said, last = sentences.split(_plain(_with_lead(block.text))) or [""]
        lead = last if last.endswith((":", "：")) else ""
        for text in said if lead else [*said, last]:
            yield _point(text, heading, block=number)
    if lead:
        yield _point(lead, heading, block=number)


def left_open(message: str) -> list[str]:
    r"""Return what *message* leaves to be done: its list of next steps, and sentences that say so.

    What an agent asks back or offers is none, nor what depends on a wish ("If you want …").

    >>> left_open("It works.\n\n**Next steps:**\n- write the docs\n\nShall I go ahead?")
    ['write the docs']
    """
    found = [one for one in points(message) if one.role is not Role.REMARK]
    listed = [one for one in found if _is_below_steps(one)]
    told = [one for one in found if not one.is_item and _LEFT.search(_QUOTED.sub("", one.text))]
    bare = (_STEP_LABEL.sub("", one.text, count=1) for one in (listed or told))
    steps = [text.rstrip(".;,") for text in bare if _is_step(text)]
    return list(dict.fromkeys(steps))[:MOST_STEPS]


def _is_below_steps(one: Point) -> bool:
    announced = one.lead or one.heading
    return any(_STEPS.match(line) for line in (one.lead, one.heading)) and bool(announced)


def _is_step(text: str) -> bool:
    return (
        len(sentences.telling_words(text)) >= FEWEST_STEP_WORDS
        and not text.rstrip("\"')").endswith(("?", "？"))
        and not _NO_STEP.match(text)
        and not is_code(text)
    )


def limits(one: Point, follower: Point | None) -> bool:
    """Tell whether *follower*, next to *one* in its paragraph, takes part of it back: "However"."""
    if follower is None or follower.block != one.block:
        return False
    return _LIMITS.match(follower.text) is not None


def is_choice(sentence: str) -> bool:
    """Tell whether *sentence* says what somebody decided.

    >>> is_choice("We decided against Kafka because of the cost."), is_choice("It chose a port.")
    (True, False)
    """
    return _CHOICE.search(sentence) is not None and _NO_CHOICE.search(sentence) is None


def is_remark(sentence: str) -> bool:
    """Tell whether *sentence* says only what the agent does next, or offers to do.

    >>> is_remark("Let me look at the logs."), is_remark("The logs say why.")
    (True, False)
    """
    return _REMARK.match(sentence) is not None


def is_under_way(remark: str) -> bool:
    """Tell whether a *remark* on the way says what is done next rather than what was found.

    >>> is_under_way("Now update the parser."), is_under_way("The lock is never released.")
    (True, False)
    """
    return _UNDER_WAY.match(remark) is not None


def is_status(sentence: str) -> bool:
    """Tell whether *sentence* says only that all is well, or as it was: "All tests pass"."""
    return _STATUS.match(sentence) is not None


def is_code(text: str) -> bool:
    """Tell whether *text* is nothing but code."""
    return not _CODE.sub("", text).strip(" .;,:|")


def title_words(heading: str) -> int:
    """Return how many words of *heading* tell something by themselves; code does not."""
    if not is_telling_heading(heading) or _LIST_MARK.match(heading):
        return 0
    return len(sentences.telling_words(_PATH.sub(" ", _CODE.sub(" ", heading))))


def tells_of_looking(sentence: str) -> bool:
    """Tell whether *sentence* says what was looked at rather than what was found."""
    return _LOOKED.match(sentence) is not None


def is_telling_heading(heading: str) -> bool:
    """Tell whether *heading* says something of its own: not "Summary" or "Changes"."""
    return bool(heading) and not _EMPTY_HEADING.fullmatch(heading)


def lines(chosen: Sequence[Point], *, known: str = "") -> list[str]:
    """Return *chosen* points as lines, in order: what stood together stands together.

    A heading or an announcement is told once, with the first point below it; one that is *known*
    is not told.
    """
    told: list[str] = []
    headings = {known}
    for (_, lead), group in groupby(chosen, key=lambda one: (one.block, one.lead)):
        those = list(group)
        heading = those[0].heading
        is_new = heading not in headings and is_telling_heading(heading)
        headings.add(heading)
        told += _filled(_announced(heading if is_new else "", lead), those)
    return told


def _filled(above: str, those: Sequence[Point]) -> Iterator[str]:
    """Yield the points of one block, as many on a line as can be read."""
    between = "; " if those[0].is_item else " "
    line = above
    for number, one in enumerate(those):
        last = number == len(those) - 1
        text = one.text if last or not one.is_item else one.text.rstrip(".;,")
        if line and len(line) + len(text) > LONGEST_LINE and line != above:
            yield line
            line = ""
        line = f"{line}{'' if not line else ' ' if line == above else between}{text}"
    if line:
        yield line


def _announced(heading: str, lead: str) -> str:
    parts = list(filter(None, (part.rstrip(" :.…") for part in (heading, lead))))
    # What the columns of a table are called stands in brackets.
    between = " " if lead.startswith("(") else ": "
    return between.join(parts) + ":" if parts else ""


def _structure(block: Block) -> Iterator[str]:
    if block.kind == "list":
        for item in items(block):
            yield _item(item)
    elif block.kind == "table":
        yield from _rows(block.lines)
    else:
        yield from _commands(block.lines)


def _item(item: str) -> str:
    """Return an item on one line, what is nested in it behind it."""
    nested = [_plain(_LIST_MARK.sub("", _with_lead(line), count=1)) for line in item.split("\n")]
    text = nested[0]
    for line, original in zip(nested[1:], item.split("\n")[1:], strict=True):
        goes_on = not _LIST_MARK.match(original)
        text = f"{text} {line}" if goes_on or text.endswith(":") else f"{text.rstrip('.')}; {line}"
    return text


def _rows(lines: Sequence[str]) -> Iterator[str]:
    """Yield a table row by row; what its columns are called is its announcement."""
    rows = [line for line in lines if not _DIVIDER.fullmatch(line)]
    yield from (_plain(row) for row in rows[1:] or rows)


def _columns(block: Block, lead: str) -> str:
    """Return *lead*, with what the columns are called where it announces a table."""
    if block.kind != "table" or len(block.lines) == 1:
        return lead
    head = " | ".join(_plain(cell) for cell in block.lines[0].strip().strip("|").split("|"))
    return f"{lead.rstrip(' :')} ({head.strip(' |')})".strip()


def _unnumbered(heading: str) -> str:
    mark = _LIST_MARK.match(heading)
    return _plain(heading[mark.end() :] if mark else heading)


def _with_lead(paragraph: str) -> str:
    """Return *paragraph* with what opens it in bold as its heading: "Cause: …"."""
    return (
        _BOLD_LEAD.sub(r"\1\2: ", paragraph, count=1) if _BOLD_LEAD.match(paragraph) else paragraph
    )


def _commands(lines: Sequence[str]) -> Iterator[str]:
    """Yield what a block of code says if it is short: mostly how to run something."""
    inside = [line.strip() for line in lines if line.strip() and not _FENCE.match(line)]
    if len(inside) <= MOST_CODE_LINES:
        yield from (f"`{line}`" if "`" not in line else line for line in inside)


def _plain(text: str) -> str:
    bare = _ITALIC.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    return " ".join(bare.split())


def _point(text: str, heading: str, *, block: int, lead: str = "", is_item: bool = False) -> Point:
    bare = _ORNAMENT.sub("", text, count=1) if _ORNAMENT.match(text) else text
    bare = bare.rstrip(":：")
    whole = bare if len(bare) <= LONGEST_POINT else sentences.cut(bare, LONGEST_POINT)
    heading = _plain(heading)
    role = _role(whole, heading, lead)
    return Point(text=whole, role=role, heading=heading, lead=lead, block=block, is_item=is_item)


def _role(text: str, heading: str, lead: str) -> Role:
    """Return what a point tells: by its own words first, then by what stands above it."""
    above = (heading, lead)
    if is_remark(text) or any(_SOURCES.fullmatch(line) for line in above):
        return Role.REMARK
    if is_choice(text) or any(_DECISION_HEADING.search(line) for line in above):
        return Role.DECISION
    told = (
        (Role.OPEN, _OPEN, _OPEN_HEADING),
        (Role.CAUSE, _CAUSE, _CAUSE_HEADING),
        (Role.RESULT, _RESULT, None),
        (Role.HOW_TO, _HOW_TO, _HOW_HEADING),
        (Role.CHANGE, _CHANGE, _CHANGE_HEADING),
    )
    for role, words, title in told:
        if words.search(text) or (title and title.search(heading)):
            return role
    return Role.OTHER
