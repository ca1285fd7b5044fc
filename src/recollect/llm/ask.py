"""Answer a question from what is remembered: search, let a model read, check what it cites.

Neither the memories nor the model are trusted. Memories are given as data, escaped; the model may
only answer or ask for other words, and what it cites must have been given to it.
"""

import html
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from recollect import tokens
from recollect.config import Settings
from recollect.context import budget
from recollect.errors import EngineError
from recollect.journal.markdown import legible
from recollect.llm import answers, prompts
from recollect.llm.engine import Asked, Completion, Consult
from recollect.privacy.redact import clean, redact

MOST_ROUNDS = 3
# Of what may be sent, a question takes at most this share.
QUESTION_SHARE = 0.25
LONGEST_SEARCH = 200
# So much of each search is repeated to the model.
SEARCH_TOKENS = 70
# With fewer tokens than that, a memory tells nothing.
LEAST_FOR_ONE = 100
# Models shorten ids; a part of one that is shorter than that is too easily made up.
SHORTEST_PART = 6
# Nobody reads a longer answer.
LONGEST_SAID = 20_000

# Where one begins it matches, so that no text is gone through twice.
_BLOCK = r"<{0}>(?P<inside>.*?)(?:</{0}>|\Z)"
_ANSWER, _MISSING, _SEARCH = (
    re.compile(_BLOCK.format(name), re.DOTALL) for name in ("answer", "missing", "search")
)
# What models write into a block that they were to leave out.
_NOTHING = re.compile(r"\W*+(?:none|nothing|n/a)?\W*+", re.IGNORECASE)
_STRAY = re.compile(r"</?(?:answer|missing|search)>")
# What a search would take for a phrase or a filter, and then for what is not wanted.
_OPERATOR = re.compile(
    r'"|(?<=\btype):|(?<=\bcategory):|(?<=\bproject):|(?<=\bfile):|(?<=\bsession):'
    r"|(?<=\bafter):|(?<=\bbefore):",
    re.IGNORECASE,
)
_DASHES = re.compile(r"(?<!\S)-+")
_BRACKET = re.compile(r"(?<![ \t])(?P<space>[ \t]*+)\[(?P<inside>[^\[\]]{1,400})\]")
_CITATION = re.compile(r"(?:(?P<date>\d{4}-\d\d-\d\d)[\s:·]*)?(?:id=)?(?P<id>[\w./-]*)(?P<rest>.*)")
# What only an id looks like: of an entry, of something written by hand, of a note.
_ID = re.compile(
    r"\d{8}T\d{6}-\w+|h-[0-9a-f]{6,}"
    r"|(?:global/)?(?:decision|runbook|constraint|tech.debt|preference|session.summary)/[\w-]+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedMemory:
    """A memory to answer from."""

    id: str
    title: str
    text: str = ""
    project: str = ""
    date: str = ""
    """Of the day; empty if nobody knows."""
    stale: str = ""
    """What may have made it untrue."""

    @property
    def citation(self) -> str:
        """How it is cited, without the brackets."""
        return f"{self.date} {self.id}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came of a question."""

    text: str = ""
    """The answer; empty if there is none."""
    missing: str = ""
    """What the memories do not say, in the model's words."""
    cited: tuple[CitedMemory, ...] = ()
    unknown_citations_removed: int = 0
    searches: tuple[str, ...] = ()
    results: tuple[CitedMemory, ...] = ()
    """All that was found, the best first."""
    calls: tuple[Completion, ...] = ()
    trouble: str = ""
    """Why no model answered."""

    @property
    def rounds(self) -> int:
        """How often the memory was searched."""
        return len(self.searches)

    @property
    def gap(self) -> bool:
        """Whether the memories do not answer all of it."""
        return bool(self.missing) or not self.text

    @property
    def is_unfounded(self) -> bool:
        """Whether it says something and neither cites a memory nor admits a gap."""
        return bool(self.text) and not self.cited and not self.missing


Search = Callable[[str], Sequence[CitedMemory]]


def answer(question: str, *, search: Search, consult: Consult, settings: Settings) -> Reply:
    """Return what the memories that *search* finds say to *question*, as *consult* puts it.

    A model that asks for other words gets two more searches. When it cannot be asked, the reply
    says why and has what was found.
    """
    question = clean(question)
    found = _Found(search)
    found.look_for(plain(question))
    calls: list[Completion] = []
    left = MOST_ROUNDS - 1
    while True:
        given = _Given.fitting(question, found, searches_left=left, settings=settings)
        try:
            calls.append(consult(given.asked(settings)))
        except EngineError as error:
            trouble = f"{error.message} ({error.hint})" if error.hint else error.message
            return found.reply(calls, trouble=trouble)
        if calls[-1].stop == "refusal":
            return found.reply(calls, trouble="the model declined to answer")
        reading = _read(calls[-1])
        words = budget.shortened(plain(reading.search), LONGEST_SEARCH)
        if reading.text or reading.missing or not words or not left:
            return _checked(reading, given.sources, found.reply(calls))
        # Who asks for the same again has run out of words.
        left = left - 1 if found.look_for(words) else 0
        if not (left or found.results):
            return found.reply(calls)


def plain(text: str) -> str:
    """Return the words of *text* as a search in which nothing is an operator.

    A memory could make the model ask for `project:another`.

    >>> plain('Why is "orders" slow? project:bank -draft file:///etc')
    'Why is orders slow? project bank draft file ///etc'
    """
    words = _DASHES.sub("", _OPERATOR.sub(" ", legible(text)))
    return " ".join(words.split())


class _Found:
    """What the searches have found so far."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._lists: list[Sequence[CitedMemory]] = []
        self.searches: list[str] = []

    def look_for(self, words: str) -> bool:
        """Search for *words*, unless that was done; tell whether it was worth a search."""
        if words in self.searches:
            return False
        self.searches.append(words)
        self._lists.append(self._search(words))
        return True

    @property
    def results(self) -> list[CitedMemory]:
        """Return each memory once: the best of every search, the last one's first."""
        by_turns = itertools.chain(*itertools.zip_longest(*reversed(self._lists)))
        return list({(one.project, one.id): one for one in by_turns if one}.values())

    def reply(self, calls: Sequence[Completion], *, trouble: str = "") -> Reply:
        """Return what is to be said without an answer."""
        return Reply(
            searches=tuple(self.searches),
            results=tuple(self.results),
            calls=tuple(calls),
            trouble=trouble,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """What a model is given with one call: never more than it may be sent."""

    text: str
    sources: list[CitedMemory] = field(default_factory=list)

    @classmethod
    def fitting(
        cls, question: str, found: _Found, *, searches_left: int, settings: Settings
    ) -> "_Given":
        """Return the *question* and as much of what was *found* as may be sent, best first."""
        most = settings.synthesis_max_input_tokens
        asked = _escaped(question.strip())
        asked = budget.shortened(asked, len(asked), limit_tokens=int(most * QUESTION_SHARE))
        head = f"<question>\n{asked}\n</question>\n"
        tail = _last_lines(found.searches, searches_left)
        around = (prompts.load("answer").text, head, tail)
        pieces = list(_pieces(found.results, most - sum(map(tokens.estimate, around))))
        return cls(
            text=head + "".join(piece for _, piece in pieces) + tail,
            sources=[source for source, _ in pieces],
        )

    def asked(self, settings: Settings) -> Asked:
        """Return the call."""
        return Asked(
            instructions=prompts.load("answer").text,
            text=self.text,
            model=settings.synthesis_default_model,
            most_output_tokens=settings.synthesis_max_output_tokens,
            seconds=settings.synthesis_timeout_seconds,
        )


def _last_lines(searches: Sequence[str], searches_left: int) -> str:
    escaped = (_escaped(redact(words)) for words in searches)
    done = "; ".join(
        budget.shortened(words, LONGEST_SEARCH, limit_tokens=SEARCH_TOKENS) for words in escaped
    )
    allowed = (
        f"You may search {'once' if searches_left == 1 else 'twice'} more."
        if searches_left
        else "No further search is possible: answer now."
    )
    return f"Searched so far: {done}\n{allowed}\n"


def _pieces(results: Sequence[CitedMemory], room: int) -> Iterator[tuple[CitedMemory, str]]:
    """Return those of *results* that fit into so many tokens, each with its text."""
    for place, one in enumerate(results):
        # What a short one leaves is for those behind it.
        share = max(room // (len(results) - place), LEAST_FOR_ONE)
        piece = _fenced(one, limit_tokens=share)
        if tokens.estimate(piece) > room:
            return
        room -= tokens.estimate(piece)
        yield one, piece


def _fenced(one: CitedMemory, *, limit_tokens: int) -> str:
    head = f'<memory id="{html.escape(one.id)}" date="{html.escape(one.date or "unknown")}">\n'
    if one.stale:
        head += f"(may be out of date: {_escaped(one.stale)})\n"
    end = "\n</memory>\n"
    text = _escaped(clean(f"{one.title}\n{one.text}".strip()))
    left = limit_tokens - tokens.estimate(head) - tokens.estimate(end)
    return head + budget.shortened(text, len(text), limit_tokens=left) + end


def _escaped(text: str) -> str:
    return legible(text).replace("<", "&lt;")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadAnswer:
    text: str = ""
    missing: str = ""
    search: str = ""


def _read(got: Completion) -> _ReadAnswer:
    """Return what a model said; prose without tags is its answer."""
    aloud = answers.without_reasoning(legible(got.text[: answers.LONGEST_ANSWER]))
    text = aloud.replace("\r", "\n").strip()[:LONGEST_SAID]
    missing, rest = _inside(_MISSING, text), _MISSING.sub("", text)
    missing = "" if _NOTHING.fullmatch(missing) else missing
    if search := "" if missing or _ANSWER.search(rest) else _inside(_SEARCH, rest):
        return _ReadAnswer(search=search)
    answered = _inside(_ANSWER, rest) if _ANSWER.search(rest) else _STRAY.sub("", rest).strip()
    is_cut = got.stop == "length" or len(aloud.strip()) > LONGEST_SAID
    cut_off = " …" if is_cut and answered else ""
    return _ReadAnswer(text=answered + cut_off, missing=missing)


def _inside(block: re.Pattern[str], text: str) -> str:
    found = block.search(text)
    return _STRAY.sub("", found["inside"]).strip() if found else ""


def _checked(reading: _ReadAnswer, given: Sequence[CitedMemory], reply: Reply) -> Reply:
    """Return *reply* with what the *reading* says, citing only what was *given*."""
    cites = _Citations(given)
    text = _BRACKET.sub(cites.mended, reading.text).strip()
    missing = _BRACKET.sub(cites.mended, reading.missing).strip()
    return replace(
        reply,
        text=text,
        missing=missing,
        cited=tuple(one for one in given if one.id in cites.known),
        unknown_citations_removed=cites.unknown,
    )


class _Citations:
    """Reads citations in a text, and leaves those that are true."""

    def __init__(self, given: Sequence[CitedMemory]) -> None:
        self._given = {one.id: one for one in given}
        self.known: set[str] = set()
        self.unknown = 0

    def mended(self, bracket: re.Match[str]) -> str:
        """Return *bracket* as it may stay: other brackets than citations stay as they are."""
        inside = bracket["inside"].replace("`", " ")
        parts = [" ".join(one.split()) for one in re.split(r"[,;]", inside)]
        if not any(map(self._is_citation, parts)):
            return bracket[0]
        ids = [self._named(part) for part in parts]
        self.unknown += sum(
            1 for part, one in zip(parts, ids, strict=True) if not one and self._is_citation(part)
        )
        true = dict.fromkeys(one for one in ids if one)
        self.known |= true.keys()
        return "".join(f"{bracket['space']}[{self._given[one].citation}]" for one in true)

    def _is_citation(self, part: str) -> bool:
        read = _CITATION.fullmatch(part)
        if not read or not read["id"]:
            return False
        dated = bool(read["date"]) and not read["rest"]
        return dated or bool(_ID.fullmatch(read["id"])) or bool(self._named(part))

    def _named(self, part: str) -> str:
        """Return the id of what *part* cites; empty if that was not given."""
        read = _CITATION.fullmatch(part)
        if not read or read["id"] in self._given:
            return read["id"] if read else ""
        # Without a date, a word that ends an id is rather a word.
        if len(read["id"]) < SHORTEST_PART or not read["date"]:
            return ""
        parts = (read["id"], f"/{read['id']}", f"-{read['id']}")
        like = [one for one in self._given if one.startswith(parts[0]) or one.endswith(parts[1:])]
        return like[0] if len(like) == 1 else ""
