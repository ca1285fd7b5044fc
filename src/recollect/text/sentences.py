"""The sentences of what people and agents write: what a prompt asks for, and a text cut to fit.

Nothing here understands text. What is surely noise (code, logs, tables, greetings) is left out.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, takewhile

from recollect.text.identifiers import identifiers
from recollect.text.terms import BIDDING_WORDS, LONGEST_QUESTION, terms

LONGEST_HEADLINE = 120
LONGEST_SENTENCE = 240
# What introduces a list is shown with as many of its items as fit.
LONGEST_LISTING = 200
MOST_ITEMS = 12
LONGEST_LOG_MARK = 300

# Nobody states the point of a message after this many characters, and patterns stay quick.
READ_CHARACTERS = 20_000

NO_PROMPT = "(no prompt)"
INTERRUPTED = " (interrupted)"

# Words of work in general. A prompt of these alone ("yes, commit the changes") says nothing that
# could be looked for later, and a sentence of little else ("The issue is fixed now") leans on
# its neighbours.
THIN_WORDS = BIDDING_WORDS | frozenset(
    """
    actually added addressed agree agreed ahead already alright applied apply approve approved aren
    better both case changed changes clear comment comments complete completed cool correct
    correctly didn doesn everything exact exactly fine finish finished fixed fixes following
    hello hey hi idea implement implementation implemented implementing isn issue issues know lgtm
    looks made mean
    means note option options passed perfect plan plans point points pr problem problems proceed
    proper properly proposal question really remaining result results resume second simple
    situation sounds step steps suggestion suggestions summary task tasks third todo todos updated
    verify wait won works yeah yep
    almost bad blocker critical follow followup high low major medium minor mistaken nit nits
    priority severity there trivial
    adelante bitte continuar continuer ja mach nein non oui si sigue sí vale vas weiter
    はい 続け けて お願 願い いし しま ます 继续 好的 可以 是的 提交 계속 진행 해줘 네
    """.split()
)

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_OPENING_TAG = re.compile(r"<([a-z][\w-]*)[^<>]*>")
_TAG = re.compile(r"</?[a-z][\w-]*[^<>]*>")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+")
_PLACEHOLDER = re.compile(r"\[(?:Image|Pasted text)[^\]\n]*\]")
_URL = re.compile(r"https?://([^\s/)>\]]+)([^\s)>\]]*)")
_SLASH_COMMAND = re.compile(r"/[a-zA-Z][\w:.-]*(?:\s|$)")
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_BOLD_LINE = re.compile(r"\s*\*\*[^*]{1,200}\*\*:?\s*$")
_EMPHASIS = re.compile(r"\*\*(?=\S)([^*]+)\*\*")
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][\"')\]]))(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)\s+(?=[^a-z\s])"
    r"|(?<=[。！？])"
)
# Where a sentence can end early: between clauses, or before one that is joined to it.
_IN_BRACKETS = re.compile(r"(?<=\w|`) \([^()]*\)")
_CLAUSE_END = re.compile(
    r"(?<=[.!?;])\s|[;:]\s|\s[—–-]+\s|\s\((?=.)|(?<=[。！？；，])"
    r"|,\s(?=(?:so|because|but|and|which|while|since|instead|not|with|where|as|or|rather)\b)"
)
_LOG_LINE = re.compile(
    r"""\s*(?:
        \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d      # a time stamp
      | \[?\d\d:\d\d:\d\d
      | [A-Z][a-z]{2}\s+\d{1,2}\s\d\d:\d\d:\d\d
      | at\s.+[(:]\S*:\d+                     # a stack frame
      | File\s".+",\sline\s\d+
      | Traceback\s\(most\srecent
      | (?:[$>%❯➜]|\S+[@:]\S*[$\#])\s         # a shell's prompt, a quotation
      | (?:npm\s(?:ERR!|error)|ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|FAIL|PASS)\b
      | (?:diff\s--git|@@|\+\+\+|---|===)\s
      | [✓✔✗✘✅❌⏺⎿●│├└┌╭╰]                      # what a terminal draws
      | [\[{]?"[\w.-]+"\s*[:,\]]                # JSON
      | commit\s[0-9a-f]{7,40}\b|(?:Author|Date):\s|[A-Z][\w]*-[A-Z][\w-]*:\s   # git log
      | [^\w\s]+\s*$                          # nothing but punctuation
    )""",
    re.VERBOSE,
)
_INLINE_JSON = re.compile(r"\{\s*\"[\w.-]+\":.*")

_GREETING = re.compile(
    r"(?:hi|hello|hey|oh|ah|ok|okay|so|well|great|thanks|thank you|perfect|cool|nice|yes|yeah|yep"
    r"|no|sure|alright|right|good|excellent|now|also|hm+|done|wait|actually|got it|i see|found it"
    r"|good (?:question|point|catch|news)|you'?re (?:absolutely )?right)"
    r"(?: (?:there|claude|all|again))?(?:\s*[,!.:;–—]+\s*|\s+-+\s+)",
    re.IGNORECASE,
)
_POLITENESS = re.compile(
    r"(?:(?:hi|hello|hey|oh|ok|okay|so|now|and|but|then)\s+)?"
    r"(?:(?:can|could|would|will) (?:you|we|u) (?:please |now |also |maybe |just )*"
    r"|please (?:can you )?|i(?:'d| would) like (?:you|us)? ?to |i (?:want|need) you to |let'?s )",
    re.IGNORECASE,
)
# "Implement the following plan: Plan: …" is how clients hand over a plan.
_PLAN_LABEL = re.compile(r"(?:implementation )?plan\s*[:–—-]+\s*(?=\S)", re.IGNORECASE)
_LEANING = re.compile(r"(?:this|that|these|those|it|they|both|so|then|and|but|or)\b", re.IGNORECASE)
_DEED = re.compile(
    r"\b(?:add(?:s|ed)|fix(?:es|ed)|chang(?:es|ed)|remov(?:es|ed)|replac(?:es|ed)|mov(?:es|ed)"
    r"|renam(?:es|ed)|extract(?:s|ed)|updat(?:es|ed)|creat(?:es|ed)|implement(?:s|ed)"
    r"|introduc(?:es|ed)|refactored|split|merged|convert(?:s|ed)|simplif(?:ies|ied)|dropped"
    r"|switched|wired|now|so it|which)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    text: str
    depth: int
    """0 for plain text; the deeper an item is indented, the more."""


def headline(prompt: str) -> str:
    """Return what *prompt* asks for, in at most 120 characters.

    >>> headline("Hi Claude, could you please fix the N+1 query? It is in order-service.")
    'fix the N+1 query'
    """
    asked = prompt.strip()[:READ_CHARACTERS]
    if _SLASH_COMMAND.match(asked):
        return cut(asked, LONGEST_HEADLINE)
    told = requests(asked)
    return cut(told[0] if told else _first_line(asked), LONGEST_HEADLINE) or NO_PROMPT


def requests(prompt: str) -> list[str]:
    """Return what *prompt* asks for and states, a sentence each; the one to name it by comes first.

    What was pasted is left out, and so are greetings and politeness.
    """
    asked = _without_paste(prompt.strip()[:READ_CHARACTERS])
    spoken = [_without_opening(sentence) for sentence in _sentences(asked)]
    first = _first_telling(spoken)
    name, rest = spoken[first : first + 1], spoken[first + 1 :]
    if rest and name[0].endswith(":"):
        announced = _PLAN_LABEL.sub("", rest.pop(0), count=1)
        # "Implement the following plan:" says nothing beside the plan's title.
        name = [announced] if is_thin(name[0]) else [f"{name[0]} {announced}"]
    return [*name, *spoken[:first], *rest]


def slash_command(prompt: str) -> str:
    """Return the command that *prompt* is, if it says nothing else; empty otherwise.

    >>> slash_command("/review"), slash_command("/review the parser")
    ('/review', '')
    """
    asked = prompt.strip()
    found = _SLASH_COMMAND.match(asked)
    return found[0].strip() if found and is_thin(asked[found.end() :][:READ_CHARACTERS]) else ""


def is_thin(text: str) -> bool:
    """Tell whether *text* says nothing that could be looked for later.

    >>> is_thin("yes, go ahead and commit it"), is_thin("commit the parser")
    (True, False)
    """
    return not telling_words(text) and not identifiers(text)


def telling_words(text: str) -> list[str]:
    """Return the words of *text* that say what it is about."""
    return list(_telling_words(text[:LONGEST_QUESTION]))


# A session is summed up after each of its turns, mostly from the same sentences.
@lru_cache(maxsize=2_048)
def _telling_words(text: str) -> tuple[str, ...]:
    found = (word for word in terms(text) if word not in THIN_WORDS and not word.isdigit())
    return tuple(found)


def split(paragraph: str) -> list[str]:
    """Return the sentences of *paragraph*; a quotation is not taken apart.

    >>> split('It said "No. Never." and died. Then it rained.')
    ['It said "No. Never." and died.', 'Then it rained.']
    """
    pieces = _whole_quotes(_SENTENCE_END.split(paragraph))
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]


def leans(sentence: str) -> bool:
    """Tell whether *sentence* begins as one does that goes on from another: "This", "It", "And"."""
    return _LEANING.match(sentence) is not None


def tells_deed(sentence: str) -> bool:
    """Tell whether *sentence* has a word that tells of a change that was made."""
    return _DEED.search(sentence) is not None


def says_something(sentence: str) -> bool:
    """Tell whether *sentence* is more than a word like "yes"."""
    # A language without spaces says much in one "word".
    return len(sentence.split()) >= 2 or sum(not letter.isascii() for letter in sentence) >= 4


def cut(text: str, longest: int) -> str:
    """Return *text* on one line of at most *longest* characters, ended between words.

    >>> cut("one two three", 9)
    'one two…'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    space = line.rfind(" ", 0, longest)
    end = space if space > longest // 2 else longest - 1
    return line[:end].rstrip(" ,;:") + "…"


def clause(sentence: str, longest: int) -> str:
    """Return *sentence* on one line, of a long one as many whole clauses as fit in *longest*.

    What stands in brackets goes first.

    >>> clause("The page asked once a row; now it asks once, for all of them.", 40)
    'The page asked once a row'
    >>> clause("The page (`orders.html`, the first one) asked once a row.", 40)
    'The page asked once a row.'
    """
    line = " ".join(sentence.split())
    if len(line) <= longest:
        return line
    line = _IN_BRACKETS.sub("", line)
    if len(line) <= longest:
        return line
    ends = [found.start() for found in _CLAUSE_END.finditer(line[: longest + 1])]
    whole = [line[:end] for end in ends if end >= longest // 3 and is_closed(line[:end])]
    return whole[-1].rstrip(" ,;:—–-") if whole else cut(line, longest)


def is_closed(text: str) -> bool:
    """Tell whether no quotation, code or bracket is left open in *text*."""
    return not (text.count("`") % 2 or text.count('"') % 2 or text.count("(") > text.count(")"))


def _first_telling(spoken: list[str]) -> int:
    """Return the place of the sentence to name a prompt by: the first that says something."""
    for place, sentence in enumerate(spoken):
        announces = sentence.endswith(":") and place + 1 < len(spoken)
        if announces or not is_thin(sentence):
            return place
    return next((n for n, sentence in enumerate(spoken) if says_something(sentence)), 0)


def _without_paste(text: str) -> str:
    """Return *text* without what was pasted into it: code, tagged blocks, logs, long addresses."""
    spoken = _PLACEHOLDER.sub(" ", _without_tagged(_FENCED.sub("\n", text)))
    kept = (_INLINE_JSON.sub("", line) for line in spoken.split("\n") if not _is_pasted(line))
    lines = (_HEADING.sub("\n", line) for line in kept)
    return _URL.sub(_short_url, "\n".join(lines))


def _without_tagged(text: str) -> str:
    r"""Return *text* without the blocks that a tag opens and the same tag closes.

    >>> _without_tagged("Fix <log>x <b>y</b></log>this<br>")
    'Fix \nthis<br>'
    """
    kept: list[str] = []
    unclosed: set[str] = set()
    place = 0
    for tag in _OPENING_TAG.finditer(text):
        if tag.start() < place or tag[1] in unclosed:
            continue
        closing = f"</{tag[1]}>"
        end = text.find(closing, tag.end())
        if end < 0:
            # Nor does one further on close: whoever looked for each anew would read to the end.
            unclosed.add(tag[1])
            continue
        kept.append(text[place : tag.start()])
        place = end + len(closing)
    return "\n".join([*kept, text[place:]])


def _is_pasted(line: str) -> bool:
    unbroken = len(line) > 200 and line.count(" ") < len(line) // 40
    return unbroken or _LOG_LINE.match(line[:LONGEST_LOG_MARK]) is not None


def _short_url(url: re.Match[str]) -> str:
    last = url[2].rstrip("/").rpartition("/")[2].partition("?")[0]
    return url[1] + (f"/…/{last}" if last else "") if len(url[0]) > 40 else url[0]


def _sentences(prose: str) -> Iterator[str]:
    for paragraph in _paragraphs(prose):
        for sentence in _whole_quotes(_SENTENCE_END.split(paragraph.text)):
            if sentence.strip():
                yield " ".join(sentence.split())


def _whole_quotes(pieces: Iterable[str]) -> Iterator[str]:
    """Yield *pieces*, those put together again that a full stop inside a quotation took apart."""
    held = ""
    for piece in pieces:
        held = f"{held} {piece}" if held else piece
        if held.count('"') % 2 == 0 or len(held) > LONGEST_SENTENCE:
            yield held
            held = ""
    if held:
        yield held


def _paragraphs(prose: str) -> Iterator[_Block]:
    """Yield runs of lines and items of lists, a list with what introduces it."""
    blocks = list(_blocks(prose.split("\n")))
    place = 0
    while place < len(blocks):
        lead = blocks[place]
        items = _fitting(lead.text, [item.text for item in _items_below(blocks, place)])
        yield replace(lead, text=" ".join([lead.text, *items]).rstrip(";,"))
        place += 1 + len(items)


def _fitting(lead: str, items: list[str]) -> list[str]:
    """Return the first of *items*, as many as fit in a sentence with their *lead*."""
    room = LONGEST_LISTING - len(lead)
    lengths = accumulate(len(item) + 2 for item in items)
    return [
        item.rstrip(".;,") + ";"
        for item, length in zip(items, lengths, strict=True)
        if length <= room
    ]


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """Yield runs of lines, and items of lists; headings and tables are left out."""
    run: list[str] = []
    depth = 0
    for line in [*lines, ""]:
        item = _LIST_MARK.match(line)
        noise = not line.strip() or line.lstrip().startswith(("#", "|", "---"))
        alone = _BOLD_LINE.match(line)
        if (item or noise or alone) and run:
            yield _Block(text=_EMPHASIS.sub(r"\1", " ".join(run)), depth=depth)
            run = []
        if not noise:
            depth = (depth if run else 0) if not item else 1 + _indent(line)
            run.append(line[item.end() :] if item else line.strip())
        if run and (alone or line.endswith("  ")):
            yield _Block(text=_EMPHASIS.sub(r"\1", " ".join(run)), depth=depth)
            run = []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _items_below(blocks: list[_Block], place: int) -> list[_Block]:
    """Return the items that the block at *place* introduces."""
    lead = blocks[place]
    if not lead.text.endswith((":", "：")):
        return []
    below = blocks[place + 1 : place + 1 + MOST_ITEMS]
    return list(takewhile(lambda block: block.depth > lead.depth, below))


def _without_opening(sentence: str) -> str:
    """Return *sentence* without greeting and politeness: "could you fix it?" is "fix it"."""
    rest = sentence
    while opening := _GREETING.match(rest) or _POLITENESS.match(rest):
        rest = rest[opening.end() :].rstrip("?")
    return rest or sentence


def _first_line(text: str) -> str:
    bare = _TAG.sub(" ", text)
    return next((line.strip() for line in bare.split("\n") if line.strip(" \t`~")), "")
