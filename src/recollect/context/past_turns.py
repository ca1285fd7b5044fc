"""What a past turn said, sentence by sentence. Pure.

Passages are cut for search; a session start tells a turn in one or two sentences, so here they are
taken apart once more. Tables and code are left out: a row or a line of them tells nothing alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.store.contract.search import IndexedPassage, IndexRow
from recollect.text.markdown_blocks import Block, blocks, items
from recollect.text.terms import BIDDING_WORDS, terms

# An item of a list is kept whole up to this length; a longer one is taken apart.
LONGEST_ITEM = 260
LONGEST_HEADING = 100
# "Not done." says nothing alone.
SHORTEST_SENTENCE = 14
# Of a longer name only as much counts: "reconnects" is "reconnecting".
_STEM = 7

# What a turn was asked and what it answered; what was done between is told by neither.
PARTS = ("request", "asked", "said")

_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\s\w)(?<!\.)[.!?…][\"')\]*_]*\s+(?=\S)|[。！？]"
)
_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_BOLD_LEAD = re.compile(r"\s*(?:\*\*|__)(?P<lead>[^*_\n]{2,80}?)[.:]?(?:\*\*|__)[.:]?(?=\s)")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"|“[^”\n]*”")
_ENDING = re.compile(r"(?:ing|ed|e)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSentence:
    """A sentence, or an item of a list, as the agent wrote it."""

    text: str
    place: int
    """Where in its turn it stands."""
    paragraph: int = 0
    """Sentences of one paragraph go on from each other; an item of a list is one by itself."""
    heading: str = ""
    """What it stands under, or its own lead in bold."""
    words: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """An entry, with what was asked and said in the turn behind it."""

    entry: IndexRow
    request: str = ""
    asked: tuple[str, ...] = ()
    """What the user stated, sentence by sentence; no questions."""
    sentences: tuple[TurnSentence, ...] = ()
    words: frozenset[str] = frozenset()
    """Of all that was asked and said."""
    is_title_replaced: bool = False
    """True when the title of the entry says what a later turn replaced."""


def read(
    entry: IndexRow, passages: Sequence[IndexedPassage], *, is_title_replaced: bool = False
) -> PastTurn:
    """Return the turn behind *entry*, from its *passages* in order."""
    request = " ".join(one.text for one in passages if one.part == "request")
    stated = tuple(one.text for one in passages if one.part == "asked")
    said = tuple(one.text for one in passages if one.part == "said")
    return PastTurn(
        entry=entry,
        request=request,
        asked=_stated(stated),
        sentences=_sentences(said),
        words=_all_words((request, *stated, *said)),
        is_title_replaced=is_title_replaced,
    )


# A start is prepared after every turn, and all turns but one are those of before.
@lru_cache(maxsize=512)
def _stated(asked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sentence for text in asked for sentence in split(text))


@lru_cache(maxsize=512)
def _sentences(said: tuple[str, ...]) -> tuple[TurnSentence, ...]:
    return tuple(of_passages(said))


@lru_cache(maxsize=512)
def _all_words(texts: tuple[str, ...]) -> frozenset[str]:
    return words("\n".join(texts))


def of_passages(texts: Iterable[str]) -> Iterator[TurnSentence]:
    r"""Yield the sentences of passages, each with the heading it stands under.

    >>> [(one.heading, one.text) for one in of_passages(["Left open:\n- The port.\n- The host."])]
    [('Left open', 'The port.'), ('Left open', 'The host.')]
    """
    place = paragraph = 0
    for text in texts:
        heading, body = _headed(text)
        announced = ""
        for block in blocks(body):
            above = heading or block.heading or (announced if block.kind != "text" else "")
            announced = _announcement(block)
            for said, lead in _of_block(block):
                paragraph += 1
                for sentence in said:
                    yield TurnSentence(
                        text=sentence,
                        place=place,
                        paragraph=paragraph,
                        heading=lead or above,
                        words=words(sentence),
                    )
                    place += 1


def split(text: str) -> list[str]:
    """Return the sentences of *text*, with all that belongs to their ends.

    >>> split("No pandas, ever. it adds 70 MB (**really.**) See e.g. the Pi.")
    ['No pandas, ever.', 'it adds 70 MB (**really.**)', 'See e.g. the Pi.']
    """
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append(text[start : end.end()])
        start = end.end()
    found.append(text[start:])
    return [" ".join(one.split()) for one in found if one.strip()]


@lru_cache(maxsize=8_192)
def words(text: str) -> frozenset[str]:
    """Return the words by which texts are compared, without their endings.

    >>> sorted(words("Tests of the backfilled orders")) == sorted(words("backfill an order"))
    True
    """
    return frozenset(_stem(word) for word in terms(text) if word not in BIDDING_WORDS)


def _stem(word: str) -> str:
    if not word.isalpha() or not word.isascii():
        return word
    short = word.removesuffix("s") if len(word) > 3 else word
    return (_ENDING.sub("", short) if len(short) > 4 else short)[:_STEM]


def _headed(text: str) -> tuple[str, str]:
    """Return the headings above a passage, and what stands below them."""
    headings: list[str] = []
    while len(headings) < 2:
        first, _, rest = text.partition("\n")
        bare = first.strip("*_ ")
        is_heading = bare.endswith((":", "：")) and len(first) <= LONGEST_HEADING
        if not is_heading or not rest.strip() or _MARK.match(first):
            break
        headings.append(bare.rstrip(":："))
        text = rest
    return " / ".join(headings), text


def _announcement(block: Block) -> str:
    """Return what a paragraph such as "Next steps:" says of the list below it."""
    bare = block.text.strip("*_ \t")
    is_one = block.kind == "text" and bare.endswith((":", "：")) and len(bare) <= LONGEST_HEADING
    return bare.rstrip(":：") if is_one else ""


def _of_block(block: Block) -> Iterator[tuple[list[str], str]]:
    """Yield the sentences of each paragraph of *block*, with the lead in bold that it has.

    An item of a list is one sentence; a long one is taken apart.
    """
    if block.kind == "text":
        text = " ".join(block.lines)
        yield _whole(split(text)), _lead(text)
    elif block.kind == "list":
        for item in items(block):
            lines = [_MARK.sub("", line, count=1).strip() for line in item.splitlines()]
            if len(" ".join(lines)) <= LONGEST_ITEM:
                yield [" ".join(lines)], _lead(lines[0])
            else:
                yield from ((_whole(split(line)), _lead(lines[0])) for line in lines)


def _whole(sentences: Sequence[str]) -> list[str]:
    """Return *sentences* so that none ends inside bold, and "Not done." stands with its subject."""
    joined: list[str] = []
    for one in sentences:
        is_short = len(one) <= SHORTEST_SENTENCE
        if joined and (is_short or joined[-1].count("**") % 2):
            joined[-1] = f"{joined[-1]} {one}"
        else:
            joined.append(one)
    return joined


def _lead(text: str) -> str:
    found = _BOLD_LEAD.match(text)
    return found["lead"] if found else ""


def without_quotes(text: str) -> str:
    """Return *text* without code and quotations: what they say is somebody else's.

    >>> without_quotes("the error `flag needs an argument` is gone")
    'the error   is gone'
    """
    return _QUOTED.sub(" ", text)
