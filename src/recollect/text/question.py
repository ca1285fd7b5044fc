"""What a prompt asks, apart from what is pasted into it. Pure.

A prompt may be a page: a log, a diff, a ticket, and one sentence that says what is wanted. Searched
word by word it would find whatever shares words with the log. So pasted lines are set aside; what
remains is the question, and of the pasted lines only the error counts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# What is no longer than this is searched as it is: nobody pastes a log of one line.
SHORT_PROMPT = 240
# What the encoder reads in the time that a hook has.
LONGEST_QUESTION = 300
LONGEST_ERROR = 200
MOST_ERRORS = 2

_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1\s*$|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
# Lines that a program wrote: stack frames, logs with a time, diffs, tables, prompts of a shell.
_PASTED = re.compile(
    r"""^(?:\s{4,}\S|\s*(?:
        >|\$\s|at\s+\S+\s*\(|at\s+[\w.$/]+:\d+|File\s+"|Traceback\b|Caused\sby:|\.{3}\s\d+\smore
      | (?:\[?\d{4}-\d\d-\d\d|\[?\d\d:\d\d:\d\d|\w{3}\s+\d+\s\d\d:\d\d)
      | (?:@@\s|\+\+\+\s|---\s|diff\s--git|index\s[0-9a-f]{7})|[-+](?![-+\s])\S.*[;{}()=]
      | \|.*\||[{}\[\]()]+[,;]?$|"[\w.-]+"\s*:
      | (?:INFO|WARN|WARNING|DEBUG|ERROR|FATAL|TRACE)\b[\s:\]]
      | [\w./-]+:\d+(?::\d+)?:?\s|[\w.$]*(?:Error|Exception)\b|[+-]\s{2,}\S
      | \d+\s*\||FAILED?\b|✗|✘|×|npm\sERR!|error(?:\[\w+\])?:\s
      | usage:\s|[\w./-]+(?:\[\d+\])?:\s(?:fatal|error|warning|\*{3}
      | .{1,200}:\s(?:command|No\s|Perm|not\s))
    ))""",
    re.VERBOSE,
)
_ERROR = re.compile(
    r"\b(?:\w*(?:Error|Exception|Fault)|errno|error|fatal|panic(?:ked)?|fail(?:s|ed|ure)?|denied|refused"
    r"|conflict|mismatch|not allowed|\w*does ?n[o']t ?match"
    r"|cannot|can't|could not|not found|no such|timed? ?out|undefined|unexpected|invalid|killed"
    r"|segfault|abort(?:ed)?)\b|\b(?-i:E[A-Z]{4,})\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|^\W*(?:please|can|could|would|what|which|why|how|where|when|who|is|are|was|were|do|does"
    r"|did|has|have|should|fix|find|add|make|write|change|remove|explain|tell|show|check|help|look"
    r"|i (?:need|want|forgot)|we (?:need|want))\b",
    re.IGNORECASE,
)


_WH = re.compile(r"[?？]|\b(?:what|which|who|whom|whose|where|when|how|why)\b", re.IGNORECASE)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|should|shall|will|would|has|have|had)\b"
_BEGINS = re.compile(
    r"\W*(?:(?:and|so|but|ok(?:ay)?|hey|hm+)\W+)*(?:"
    rf"(?:what|where|who|why|how|when)(?:'s\b| {_AUXILIARY})"
    r"|which\b|how (?:many|much|long|often|big|large|old|far|fast)\b"
    rf"|what(?: (?!we|i|you|they|it|he|she)[\w-]+){{1,3}} {_AUXILIARY}"
    rf"|{_AUXILIARY} (?:we|i|you|it|there|the|this|that|these|those|an?|my|our|any\w*)\b)",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\bhow (?:many|much|long|often|big|large|small|old|far|fast|high|low)\b|\bper ?cent\b"
    r"|\b(?:max|min)(?:imum|imal)?\b|\b(?:after|at|from) (?:what|which|how)\b"
    r"|\b(?:size|limit|timeout|port|version|number|share|interval|period|rate|value|default)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a prompt asks."""

    text: str
    """The person's own words, the asking ones of many."""
    errors: tuple[str, ...] = ()
    """What went wrong, as pasted."""

    @property
    def searched(self) -> str:
        """What is looked up by its words."""
        return "\n".join((self.text, *self.errors))


def read(prompt: str) -> Question:
    r"""Return what *prompt* asks.

    >>> read("why is it slow?").text
    'why is it slow?'
    >>> log = "2026-11-01 12:00:00 INFO start\n" * 9
    >>> read(f"the import dies, why?\n{log}ValueError: bad row 7").errors
    ('ValueError: bad row 7',)
    """
    whole = prompt.strip()
    if is_short(whole):
        return Question(text=whole)
    fenced = [match.group() for match in _FENCED.finditer(whole)]
    own: list[str] = []
    pasted = [line for block in fenced for line in block.splitlines()]
    for line in _FENCED.sub("\n", whole).splitlines():
        (pasted if _PASTED.match(line) else own).append(line)
    found = tuple(errors(pasted))
    text = _asking(" ".join(" ".join(own).split()))
    return Question(text=text or " ".join(found) or whole[:LONGEST_QUESTION], errors=found)


def is_short(text: str) -> bool:
    """Tell whether *text* is a line that somebody typed: nothing in it is pasted."""
    return len(text) <= SHORT_PROMPT and "\n" not in text.strip()


def is_question(text: str) -> bool:
    """Tell whether *text* asks something rather than bids.

    >>> is_question("Which database holds the cache"), is_question("Add a retry loop.")
    (True, False)
    """
    return bool(_WH.search(text))


def begins_as_question(text: str) -> bool:
    """Tell whether *text* is put as a question, also without a mark at its end.

    >>> begins_as_question("what DB engine did we pick"), begins_as_question("why is it slow")
    (True, True)
    >>> begins_as_question("what we do is pin it"), begins_as_question("when it is idle, it ends")
    (False, False)
    """
    return _BEGINS.match(text) is not None


def asks_for_a_value(text: str) -> bool:
    """Tell whether *text* asks how much something is, so that the value alone is the answer.

    >>> asks_for_a_value("how long is a session valid?"), asks_for_a_value("why did it crash?")
    (True, False)
    """
    return bool(_VALUE.search(text))


def errors(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that say what went wrong, the last ones first: there stands the cause."""
    found = [line for line in reversed(lines) if _ERROR.search(line)]
    distinct = dict.fromkeys(" ".join(line.split())[:LONGEST_ERROR] for line in found)
    yield from list(distinct)[:MOST_ERRORS]


def _asking(text: str) -> str:
    """Return *text*, or of a long one the first and the last sentence, and those that ask."""
    if len(text) <= LONGEST_QUESTION:
        return text
    sentences = [one.strip() for one in _SENTENCE_END.split(text) if one.strip()]
    last = len(sentences) - 1
    ranked = sorted(
        range(len(sentences)),
        key=lambda at: (at not in (0, last), not _ASKS.search(sentences[at]), at),
    )
    chosen: list[int] = []
    room = LONGEST_QUESTION
    for at in ranked:
        if len(sentences[at]) <= room:
            chosen.append(at)
            room -= len(sentences[at]) + 1
    if not chosen:
        return sentences[ranked[0]][:LONGEST_QUESTION].rsplit(" ", 1)[0]
    return " ".join(sentences[at] for at in sorted(chosen))
