"""What a person or an agent really said: their sentences, without what they pasted.

Code, logs, tables, quotations, documents and our own context are left out, because what they say
is not said by the one who sends them. A sentence is kept as it was written, to be shown, and as it
is *heard*, to be understood: lower case, quotations blanked, code by its kind.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recollect.privacy import blocks

# What is said in a message stands at its beginning or at its end.
LONGEST_MESSAGE = 20_000
LONGEST_SENTENCE = 500
SHORTEST_SENTENCE = 6
MOST_SENTENCES = 200
# A line that an editor wrapped is at least so long.
WRAPPED = 60
LONGEST_LOOKED_AT = 400

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ud800-\udfff]"
)
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_TAGGED = re.compile(r"<([a-z][\w-]{0,40})(?:\s[^<>\n]{0,200})?>", re.IGNORECASE)
_QUOTATION = re.compile(
    r"^[ \t]*(?:\"[^\"]{12,5000}\"|“[^”]{12,5000}”|«[^»]{12,5000}»|„[^“”]{12,5000}[“”]"
    r"|「[^」]{12,5000}」)[ \t]*$",
    re.MULTILINE,
)
# A heading begins a document: what stands below it was written elsewhere.
_DOCUMENT = re.compile(r"^#{1,6} .*\Z", re.MULTILINE | re.DOTALL)
# A text that is handed over to be worked on.
_HANDED_OVER = re.compile(
    r"^([^\n]{0,300}(?:summari[sz]e|tl;?dr|translate|proof-?read|rephrase|reword|shorten"
    r"|spell-?check|what does (?:this|that|it) mean|look what|(?:this|the|some) (?:feedback|review)"
    r"|here(?:'s| is) (?:the|a|an|what)(?: \w+){0,4} (?:mail|email|text|article|doc|document|readme"
    r"|notes|issue|ticket|thread|message|post|log|output|changelog|rfc|adr|spec|plan)"
    r"|the following plan|(?:it's|this is) from|fass\w* [^\n]{0,60}zusammen|übersetz\w*|résum\w+"
    r"|tradui\w*|resum\w+|traduce\w*|总结|總結|翻译|翻譯|概括|要約|翻訳|まとめて|요약|번역)"
    r"[^\n]{0,300})\n.*\Z",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_CODE = re.compile(r"`([^`\n]{1,300})`")
_COMMAND = re.compile(
    r"(?:\w+=\S+ )*[a-z./~$][\w./~-]* \S"
    r"|(?:GET|PUT|POST|DELETE|PATCH|SELECT|ALTER|VACUUM|REINDEX|DROP|SET) ",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"(?<!\w)\"[^\"\n]{12,400}\"|(?<!\w)'[^'\n]{20,400}'(?!\w)|“[^”\n]{12,400}”|«[^»\n]{12,400}»"
    r"|„[^“”\n]{12,400}[“”]|「[^」\n]{8,400}」|『[^』\n]{8,400}』|《[^》\n]{4,200}》"
)
_CODE_NAME = re.compile(
    r"\b[a-z]+[A-Z]\w*|\b\w+_\w+\b|\b[A-Z][a-z]+[A-Z]\w*|\w\(\)"
    r"|\b[\w/-]+\.(?:go|py|tsx?|js|rs|java|rb|c|h|cpp|kt|swift|cs|php)\b"
)
_LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_PASTED = re.compile(
    r"""\s*(?:
        >                                       # a quotation
      | \|                                      # a table
      | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d        # a time stamp
      | \[?\d\d:\d\d:\d\d
      | at\s\S{1,200}\s?\(                      # a stack frame
      | File\s".{1,200}",\sline\s\d
      | Traceback\s\(most\srecent
      | [$%❯➜]\s                                # a shell's prompt
      | \S{1,80}@\S{1,80}[$\#]\s
      | \[[\w.-]{2,40}\]\s                      # [scheduler] …
      | (?:npm\s(?:ERR!|error)|ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|E\s{2})\b
      | (?:diff\s--git|@@|\+\+\+|---)\s
      | (?://|/\*|\*/|<!--)                     # a comment in code
      | \#\s?(?:TODO|FIXME|HACK|XXX)\b
      | (?:const|let|var|def|class|import|from\s\S{1,80}\simport|return|public|private|func|fn
          |SELECT|INSERT|UPDATE|ALTER|CREATE)\s[^.!?]{0,200}[;{:(]\s*$
      | [^\w\s]{1,200}\s*$                      # nothing but punctuation
    )""",
    re.VERBOSE,
)
# How people type; cues know the words in full. "im", "ill" and "were" are words elsewhere.
_CHAT_SPELLINGS: Mapping[str, str] = dict(
    one.split("=")
    for one in (
        "dont=don't, doesnt=doesn't, didnt=didn't, isnt=isn't, arent=aren't, wasnt=wasn't, "
        "havent=haven't, hasnt=hasn't, cant=can't, wont=won't, wouldnt=wouldn't, "
        "shouldnt=shouldn't, couldnt=couldn't, mustnt=mustn't, ive=i've, weve=we've, "
        "youre=you're, theyre=they're, thats=that's, whats=what's, theres=there's, lets=let's, "
        "u=you, ur=your, pls=please, plz=please, tho=though, cuz=because, coz=because, "
        "bc=because, w/=with, w/o=without, gonna=going to, wanna=want to, gotta=have to, "
        "gimme=give me, lemme=let me, nvm=never mind, idk=i don't know, prolly=probably"
    ).split(", ")
)
_CHAT_SPELLING = re.compile(
    r"(?<![\w'/.-])(?:"
    + "|".join(sorted(map(re.escape, _CHAT_SPELLINGS), key=len, reverse=True))
    + r")(?![\w'/.-])"
)
_ABBREVIATED = re.compile(
    r"\b(?:e\.g|i\.e|vs|mrs?|ms|dr|prof|etc|approx|resp|ca|bzw|z\.\s?b|d\.\s?h|p\.\s?ej|nr|fig|cf|u\.s)\.$",
    re.I,
)
# "(b). no migrations" picks what stands behind that letter.
_OPTION = re.compile(r"\s*\(?[a-zA-Z\d]\)?\.")
_END = re.compile(r"(?<=[.!?…])[\"')\]]{0,2}\s+|(?<=[。！？；])(?=\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence as it was written, and as the cues hear it."""

    text: str
    heard: str
    technical: bool
    """True when it speaks of code rather than of the work."""

    @property
    def asks(self) -> bool:
        """True when it ends as a question."""
        return self.heard.rstrip().endswith(("?", "？"))


def sentences(text: str) -> list[Sentence]:
    r"""Return the sentences of *text* that are its writer's own.

    >>> [one.text for one in sentences("> we use Kafka\nWe do not. We use nats.")]
    ['We do not.', 'We use nats.']
    """
    parts = (part for line in _lines(_own(text)) for part in _split(line))
    found = [part for part in parts if _says_something(part)]
    if len(found) > MOST_SENTENCES:
        half = MOST_SENTENCES // 2
        found = [*found[:half], *found[-half:]]
    return [sentence(part) for part in found]


def _own(text: str) -> str:
    """Return *text* without blocks: ours, code, tagged ones, quotations and documents."""
    if len(text) > LONGEST_MESSAGE:
        half = LONGEST_MESSAGE // 2
        text = f"{text[:half]}\n\n{text[-half:]}"
    visible = _INVISIBLE.sub("", text)
    spoken = _without_tagged(_FENCED.sub("\n\n", blocks.cut(visible)))
    return _HANDED_OVER.sub(r"\1", _QUOTATION.sub("\n\n", _DOCUMENT.sub("", spoken)))


def _without_tagged(text: str) -> str:
    """Return *text* without what stands between `<a tag>` and its end, in one pass."""
    kept: list[str] = []
    begin = 0
    unclosed: set[str] = set()
    for tag in _TAGGED.finditer(text):
        if tag.start() < begin or tag[1] in unclosed:
            continue
        end = text.find(f"</{tag[1]}>", tag.end())
        if end < 0:
            unclosed.add(tag[1])
            continue
        kept.append(text[begin : tag.start()])
        begin = end + len(tag[1]) + 3
    return "\n\n".join([*kept, text[begin:]])


def _lines(text: str) -> Iterator[str]:
    """Yield the lines that were written by hand; a wrapped one is whole again."""
    run = ""
    for line in [*text.split("\n"), ""]:
        goes_on = len(run) > WRAPPED and line[:1].islower() and run[-1] not in ".!?:"
        if run and not goes_on:
            yield run
            run = ""
        if not _is_pasted(line):
            item = _LIST_MARK.match(line)
            bare = (line[item.end() :] if item else line).strip().replace("**", "")
            run = f"{run} {bare}".strip()


def _is_pasted(line: str) -> bool:
    unbroken = len(line) > LONGEST_LOOKED_AT and line.count(" ") < len(line) // 40
    noise = not line.strip() or _PASTED.match(line[:LONGEST_LOOKED_AT]) is not None
    return noise or (unbroken and line.isascii())


def _split(line: str) -> Iterator[str]:
    """Yield the sentences of a *line*; code and quotations are not broken, nor "e.g."."""
    begin = 0
    whole = _QUOTED.sub(_blank, _CODE.sub(_blank, line))
    for end in _END.finditer(whole):
        ended = line[max(begin, end.start() - 12) : end.start()]
        if not (_ABBREVIATED.search(ended) or _OPTION.fullmatch(line[begin : end.start()])):
            yield " ".join(line[begin : end.start()].split())
            begin = end.end()
    yield " ".join(line[begin:].split())


def _blank(span: re.Match[str]) -> str:
    return "_" * len(span[0])


def _says_something(text: str) -> bool:
    return len(text) >= SHORTEST_SENTENCE or (bool(text) and not text.isascii())


def sentence(text: str) -> Sentence:
    """Return *text*, which is one sentence, as it is heard."""
    looked_at = text[:LONGEST_SENTENCE]
    heard = _heard(looked_at)
    names = heard.count("`name`") + len(_CODE_NAME.findall(_CODE.sub("", looked_at)))
    return Sentence(text=text, heard=heard, technical=names >= 2)


def _heard(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _QUOTED.sub('"…"', _CODE.sub(_kind_of_code, text)))
    return _CHAT_SPELLING.sub(_spelled_out, plain.lower().replace("’", "'").replace("‘", "'"))


def _spelled_out(word: re.Match[str]) -> str:
    return _CHAT_SPELLINGS[word[0]]


def _kind_of_code(span: re.Match[str]) -> str:
    return "`run`" if _COMMAND.match(span[1]) else "`name`"
