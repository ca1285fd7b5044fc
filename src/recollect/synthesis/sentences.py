"""The sentences worth keeping in what people and agents write.

Nothing here understands text. It drops what is surely noise (code, logs, tables, small
talk) and prefers sentences with words that announce a reason, a cause or a rule.
"""

import re
from collections.abc import Iterable, Iterator

LONGEST_HEADLINE = 120
LONGEST_SENTENCE = 240
# Longer ones are data, not sentences.
LONGEST_SPOKEN = 600
LONGEST_LOG_MARK = 300

# Nobody states the point of a message after this many characters, and patterns stay quick.
READ_CHARACTERS = 20_000

NO_PROMPT = "(no prompt)"
INTERRUPTED = " (interrupted)"

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<([a-z][\w-]*)[^<>]*>.*?</\1>", re.DOTALL)
_TAG = re.compile(r"</?[a-z][\w-]*[^<>]*>")
_PLACEHOLDER = re.compile(r"\[(?:Image|Pasted text)[^\]\n]*\]")
_URL = re.compile(r"https?://([^\s/)>\]]+)([^\s)>\]]*)")
_LINK = re.compile(r"!?\[([^\[\]\n]{0,200})\]\([^()\s]{0,500}\)")
_SLASH_COMMAND = re.compile(r"/[a-zA-Z][\w:.-]*(?:\s|$)")
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"\*\*(?=\S)([^*]+)\*\*")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)[\"')\]]?\s+(?=[^a-z\s])|(?<=[。！？])"
)
_LOG_LINE = re.compile(
    r"""\s*(?:
        \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d      # a time stamp
      | \[?\d\d:\d\d:\d\d
      | at\s.+[(:]\S*:\d+                     # a stack frame
      | File\s".+",\sline\s\d+
      | Traceback\s\(most\srecent
      | (?:[$>%❯➜]|\S+[@:]\S*[$\#])\s         # a shell's prompt, a quotation
      | (?:npm\s(?:ERR!|error)|ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b
      | (?:diff\s--git|@@|\+\+\+|---)\s
      | [^\w\s]+\s*$                          # nothing but punctuation
    )""",
    re.VERBOSE,
)

_GREETING = re.compile(
    r"(?:hi|hello|hey|ok|okay|so|well|great|thanks|thank you|perfect|cool|nice|yes|yeah|yep|no"
    r"|sure|alright|right|good|now|also|hmm+|done)(?: (?:there|claude|all|again))?"
    r"\s*[,!.:;–—-]+\s*",
    re.IGNORECASE,
)
_POLITENESS = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|so|now)\s+)?"
    r"(?:(?:can|could|would|will) (?:you|we) (?:please |now |also |maybe )*|please (?:can you )?"
    r"|i(?:'d| would) like you to |i (?:want|need) you to |let'?s )",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"(?:let me|i'?ll|i will|i'?m going to|now (?:i|let)|first,? (?:i|let)|here(?:'s| is| are)"
    r"|sure|perfect|great|excellent|you'?re (?:absolutely )?(?:right|welcome)"
    r"|good (?:question|catch|point|idea)|would you|shall i|want me|should i|do you want"
    r"|all done|the (?:following|above)|feel free|glad|happy to|is there anything|step \d+"
    r"|that'?s (?:a )?(?:good|great|right)|you raise|you make|api error|i'?ve done a"
    r"|(?:all|the)(?: \w+)?(?: tests?| checks?| linting| lint| and)+ (?:now )?pass(?:es|ed|ing)?"
    r"|everything (?:works|passes|is)|no response requested)\b",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:because|since the|so that|due to|decided|chose|opted|went with|root cause|caused by"
    r"|the (?:problem|issue|bug|cause|reason|fix|catch) (?:is|was)|fixed|turn(?:s|ed) out|note that"
    r"|must|never|always|instead of|rather than|only when|only if|no longer|actually|beware"
    r"|weil|deshalb|ursache|entschieden|behoben|parce que|cause|décidé|corrigé|porque|causa"
    r"|decidido|corregido)\b|因为|因為|所以|决定|決定|原因|修复|修正|ため|때문|결정|원인|수정",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"\bnext[,:]\s"
    r"|\b(?:next (?:step|up|i|we|you|is)|to-?dos?\b|remaining|remains|still (?:need|needs|to"
    r"|open|missing|fails?)|left to do|not yet|follow-?ups?|you (?:can|should|need to|may want to)"
    r" now|now you|pending|would you like|shall i|want me to|should i|do you want me)\b",
    re.IGNORECASE,
)
_OPEN_END_HEADING = re.compile(
    r"[#*\s]*(?:next steps?|next|remaining(?: work)?|to-?dos?|what'?s (?:left|next)|follow-?ups?"
    r"|open (?:points|questions|issues))[*\s]*:?[*\s]*$",
    re.IGNORECASE,
)


def headline(prompt: str) -> str:
    """What *prompt* asks for, in at most 120 characters.

    >>> headline("Hi Claude, could you please fix the N+1 query? It is in order-service.")
    'fix the N+1 query'
    """
    asked = prompt.strip()[:READ_CHARACTERS]
    if _SLASH_COMMAND.match(asked):
        return cut(asked, LONGEST_HEADLINE)
    spoken = [_without_opening(sentence) for sentence in _sentences(_without_paste(asked))]
    first = next((n for n, sentence in enumerate(spoken) if says_something(sentence)), 0)
    # "Implement the following plan:" says nothing without what follows.
    meant = spoken[first : first + 2] if _announces(spoken[first:]) else spoken[first : first + 1]
    return cut(" ".join(meant) or _first_line(asked), LONGEST_HEADLINE) or NO_PROMPT


def key_sentences(texts: Iterable[str], *, most: int = 3) -> list[str]:
    r"""The first sentence of the first of *texts*, and those that give reasons, at most *most*.

    >>> key_sentences(["The cache was stale.\nAll good. It broke because of the clock."])
    ['The cache was stale.', 'It broke because of the clock.']
    """
    chosen: list[str] = []
    for text in texts:
        told = statements(text)
        opening = told[:1] if not chosen else []
        chosen += opening + [line for line in told if gives_reason(line)]
    return [cut(line, LONGEST_SENTENCE) for line in dict.fromkeys(chosen)][:most]


def statements(text: str) -> list[str]:
    """The sentences of *text* that state something: no questions, no small talk."""
    told = (_without_greeting(line) for line in _sentences(_without_code(text)))
    return [line for line in told if _is_statement(line)]


def gives_reason(sentence: str) -> bool:
    """True when *sentence* has a word that announces a reason, a cause or a rule."""
    return _CUE.search(sentence) is not None


def says_something(sentence: str) -> bool:
    """True when *sentence* is more than a word like "yes"."""
    # A language without spaces says much in one "word".
    return len(sentence.split()) >= 2 or sum(not letter.isascii() for letter in sentence) >= 4


def open_ends(answer: str, *, most: int = 5) -> list[str]:
    """What *answer* leaves to be done: its list of next steps, and sentences that say so."""
    prose = _without_code(answer)
    listed = list(_below_heading(prose.split("\n")))
    told = [line for line in _sentences(prose) if _leaves_open(line)]
    found = [cut(line, LONGEST_SENTENCE) for line in dict.fromkeys(listed + told)]
    return found[:most]


def cut(text: str, longest: int) -> str:
    """*text* on one line of at most *longest* characters, ended between words.

    >>> cut("one two three", 9)
    'one two…'
    """
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    space = line.rfind(" ", 0, longest)
    end = space if space > longest // 2 else longest - 1
    return line[:end].rstrip(" ,;:") + "…"


def _without_paste(text: str) -> str:
    """*text* without what was pasted into it: code, tagged blocks, logs, long addresses."""
    spoken = _PLACEHOLDER.sub(" ", _TAGGED.sub("\n", _FENCED.sub("\n", text)))
    lines = (line.lstrip("# ") for line in spoken.split("\n") if not _is_pasted(line))
    return _URL.sub(_short_url, "\n".join(lines))


def _without_code(text: str) -> str:
    return _LINK.sub(r"\1", _FENCED.sub("\n", text[:READ_CHARACTERS]))


def _is_pasted(line: str) -> bool:
    unbroken = len(line) > 200 and line.count(" ") < len(line) // 40
    return unbroken or _LOG_LINE.match(line[:LONGEST_LOG_MARK]) is not None


def _short_url(url: re.Match[str]) -> str:
    last = url[2].rstrip("/").rpartition("/")[2].partition("?")[0]
    return url[1] + (f"/…/{last}" if last else "") if len(url[0]) > 40 else url[0]


def _sentences(prose: str) -> Iterator[str]:
    for paragraph in _paragraphs(prose):
        for sentence in _SENTENCE_END.split(_EMPHASIS.sub(r"\1", paragraph)):
            if sentence.strip():
                yield " ".join(sentence.split())


def _paragraphs(prose: str) -> Iterator[str]:
    """Runs of lines and items of lists; headings and tables are left out."""
    run: list[str] = []
    for line in [*prose.split("\n"), ""]:
        item = _LIST_MARK.match(line)
        noise = not line.strip() or line.lstrip().startswith(("#", "|", "---"))
        if (item or noise) and run:
            yield " ".join(run)
            run = []
        if not noise:
            run.append(line[item.end() :] if item else line.strip())


def _below_heading(lines: list[str]) -> Iterator[str]:
    """The items of the lists that stand below a heading like "Next steps"."""
    inside = False
    for line in lines:
        item = _LIST_MARK.match(line)
        if _OPEN_END_HEADING.match(line):
            inside = True
        elif inside and item:
            yield _EMPHASIS.sub(r"\1", line[item.end() :]).strip()
        elif line.strip():
            inside = False


def _without_opening(sentence: str) -> str:
    """*sentence* without greeting and politeness: "could you fix it?" is "fix it"."""
    rest = sentence
    while opening := _GREETING.match(rest) or _POLITENESS.match(rest):
        rest = rest[opening.end() :].rstrip("?")
    return rest or sentence


def _without_greeting(sentence: str) -> str:
    greeting = _GREETING.match(sentence)
    return sentence[greeting.end() :] if greeting else sentence


def _announces(spoken: list[str]) -> bool:
    return bool(spoken) and spoken[0].endswith(":")


def _is_statement(sentence: str) -> bool:
    return (
        15 <= len(sentence) <= LONGEST_SPOKEN
        and says_something(sentence)
        and not sentence.endswith(("?", ":", "：", "？"))
        and not _SMALL_TALK.match(sentence)
    )


def _leaves_open(sentence: str) -> bool:
    known_length = 15 <= len(sentence) <= LONGEST_SPOKEN
    return known_length and not sentence.endswith(":") and _OPEN_END.search(sentence) is not None


def _first_line(text: str) -> str:
    bare = _TAG.sub(" ", text)
    return next((line.strip() for line in bare.split("\n") if line.strip(" \t`~")), "")
