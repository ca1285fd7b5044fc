"""Check a model's word against the turn: what stands nowhere in it is not kept. Pure.

Names, numbers and paths are checked one by one, because that is what a model invents and what a
later session would act on. Everything else may be a paraphrase: of its words, brought down to
their stems, half must have been said. Files are evidence: a model may only pick among them.

A note needs more than to stand somewhere. What a tool printed (a README, a web page, a log) was
said by nobody in the session, so it is no ground for a rule that holds from now on.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, cast, get_origin

from recollect.index.identifiers import identifiers
from recollect.index.terms import is_unspaced, terms
from recollect.memories import markdown
from recollect.memories.model import SUMMARY_FIELDS, Category, Observation, ObservationType
from recollect.memories.notes import CONTENT
from recollect.synthesis import evidence, spoken
from recollect.synthesis.blocks import LONGEST_TITLE, DraftedNote, DraftedObservation
from recollect.synthesis.sentences import THIN_WORDS, cut
from recollect.transcripts import prompts
from recollect.transcripts.turns import CleanTurn, Turn

Grounds = Literal["user", "agent", "none"]
"""Who said or did what a note tells: nobody, where it stands in tool output only."""

# So much of one text is looked at, half from each end: a model is shown far less of it.
LONGEST_TEXT = 400_000
LONGEST_WORDS = 6_000
LONGEST_LINE = 400

# Of the words of a claim, so many must have been said. Scripts without spaces are compared in
# pairs of characters, and a paraphrase changes the pairs between its words, too.
HALF = 0.5
HALF_OF_PAIRS = 0.34
# What stands beside a note's main statement is told more freely: a reason, a context.
LOOSE = 0.34
# A line that nobody said has a statement nearly whole, while so much of it was never said.
ECHOED = 0.8
# A name that stands but for its last letters.
NEARLY = 0.8
UNSAID = 0.2

# Words of telling rather than of what is told.
TELLING_WORDS = frozenset(
    """
    agent asked assistant decided decision explicitly instructed mentioned note preference
    preferred prefers project requested required requires said says session stated told turn user
    users wanted wants
    """.split()
)
# They name a kind of thing, and are said of it by those who know the word.
JARGON = frozenset({"n+1", "i18n", "l10n", "a11y", "k8s"})
# Words that fit any note that should go.
FITTING_WORDS = frozenset(
    """
    anymore applicable applies apply deleted holds invalid longer needed obsolete old outdated
    relevant removed replaced retire retired stale superseded valid wrong
    """.split()
)
NUMBER_WORDS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
UNITS: Mapping[str, str] = {
    word: words.split()[0]
    for words in (
        "ms millisecond milliseconds msec",
        "s sec secs second seconds",
        "min mins minute minutes",
        "h hr hrs hour hours",
        "d day days",
        "week weeks",
        "month months",
        "year years",
        "b byte bytes",
        "kb kib kilobyte kilobytes",
        "mb mib megabyte megabytes",
        "gb gib gigabyte gigabytes",
        "tb tib terabyte terabytes",
        "% percent",
        "x times",
        "px pixel pixels",
    )
    for word in words.split()
}

_MAIN: Mapping[Category, str] = {
    "decision": "decision",
    "runbook": "trigger",
    "constraint": "rule",
    "tech_debt": "description",
    "preference": "value",
    "session_summary": "goal",
}
# A topic is a name for a thing ("package manager") that nobody need have said.
_LABELS = frozenset({"topic"})
# What an edit replaces is the file's text, not the agent's.
_OLD_TEXT = frozenset({"old_string", "old_str", "old_text"})

_WORD = re.compile(r"[^\W_]+")
_SPAN = re.compile(r"`([^`\n]{1,300})`")
_QUOTED = re.compile(r"(?<!\w)\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|「([^」\n]{2,300})」")
# A quotation of a sentence: somebody else's words.
_QUOTATION = re.compile(r"(?<!\w)\"[^\"\n]{15,600}\"|“[^”\n]{15,600}”|«[^»\n]{15,600}»")
_QUOTE_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_GROUPED = re.compile(r"(?<=[0-9])[,_'](?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![\w.])v?([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_ANY_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_QUALIFIED = re.compile(r"::|[.()#]")
_DIGITS = re.compile(r"[0-9.]+")
_NUMBER_WORD = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})\b(?:[ -]([a-z]+))?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？])|\n+")
_REFUSED = re.compile(r"\s*The user (?:doesn't|does not) want to ", re.IGNORECASE)
_DENIED = re.compile(
    r"^.*[?？]\s*(?=(?:no|nope|never|nein|niemals|non|don't|do not)\b|不|否|いいえ|아니)",
    re.I | re.S,
)
_LINE_NUMBER = re.compile(r":\d+(?:[-:]\d+)?$")
_PLAIN_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ures", "ure"),
    *("ities", "ity", "able", "ible", "ives", "ive", "ances", "ance", "ences", "ence"),
    *("ies", "ied", "ers", "ally", "ed", "er", "es", "ly", "al", "or", "s", "e", "y"),
)
LONGEST_STEM = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What stands of a model's observations, and how much of what does not."""

    observations: tuple[Observation, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many of each: `fact`, `file`, `sentence`, `observation`."""


def observations(
    drafted: Sequence[DraftedObservation], turn: CleanTurn, *, translated: bool = False
) -> Checked:
    """Return what of *drafted* stands in *turn*, its files as the evidence spells them.

    A file that was modified is never lost: what no observation names goes to the first that has
    files. *translated* when the notes are kept in another language than was spoken: then words
    cannot be compared, and only names and numbers are.
    """
    said = _Said.of(_everything(turn), translated=translated)
    files = _Files.of([turn], said)
    dropped: Counter[str] = Counter()
    kept: dict[tuple[str, str], Observation] = {}
    for one in drafted:
        observation = _observation(one, said, files, dropped)
        if observation is None:
            dropped["observation"] += 1
        else:
            same = (observation.title.casefold(), observation.text.casefold())
            kept.setdefault(same, observation)
    return Checked(
        observations=_with_all_files(list(kept.values()), files.modified),
        dropped={reason: count for reason, count in dropped.items() if count},
    )


def summary(
    drafted: Mapping[str, object],
    turns: Sequence[CleanTurn],
    entries_text: str,
    *,
    translated: bool = False,
) -> Mapping[str, object] | None:
    """Return the sentences of a summary that stand in *turns* or in what was recorded before.

    *entries_text* has the titles of that. None when nothing stands.
    """
    texts = [text for turn in turns for text in _everything(turn)]
    said = _Said.of([*texts, entries_text], translated=translated)
    recorded = _Said.of([entries_text], translated=translated)
    files = _Files.of(turns, recorded)
    checked: dict[str, object] = {}
    for name in SUMMARY_FIELDS:
        value = drafted.get(name)
        if name == "files_edited":
            checked[name] = _distinct(files.edited(one) for one in _texts(value))
        elif name == "files_read":
            checked[name] = _distinct(files.seen(one) for one in _texts(value))
        else:
            sentences = _sentences(value if isinstance(value, str) else "")
            checked[name] = " ".join(_standing(sentences, said))
    return checked if any(checked.values()) else None


def grounds(note: DraftedNote, turns: Sequence[CleanTurn], *, translated: bool = False) -> Grounds:
    """Tell whose word *note* rests on: the user's, the agent's, or nobody's.

    Its main statement decides: all its names and numbers and half its words must have been said.
    A new note rests on nothing, either, if something that its category requires does not. What is
    quoted or pasted was said by somebody else, in a prompt as in an answer.
    """
    speech = _Speech.of(note, turns, translated=translated)
    if note.action == "retire":
        return speech.grounds(note.reason)
    has_support = _has_all_required(note, _supported(note, speech))
    if not has_support or not speech.supports(note.title, LOOSE):
        return "none"
    return speech.grounds(_main_statement(note))


def supported_fields(
    note: DraftedNote, turns: Sequence[CleanTurn], *, translated: bool = False
) -> dict[str, object]:
    """Return the fields of *note* without what nobody in *turns* said or did.

    Of texts the sentences are kept that stand, of lists the items.
    """
    return _supported(note, _Speech.of(note, turns, translated=translated))


def _observation(
    one: DraftedObservation, said: "_Said", files: "_Files", dropped: Counter[str]
) -> Observation | None:
    sentences = _sentences(one.text)
    stands = _standing(sentences, said)
    text = " ".join(stands)
    title = one.title if said.has_some(one.title) else cut(text, LONGEST_TITLE)
    if not title:
        return None
    facts = [fact for fact in one.facts if _says_something(fact) and said.has(fact, HALF)]
    modified = [files.written(name) for name in one.files_modified]
    seen = [files.seen(name) for name in one.files_read]
    dropped["sentence"] += len(sentences) - len(stands)
    dropped["fact"] += len(one.facts) - len(facts)
    dropped["file"] += modified.count("") + seen.count("")
    written = _distinct(modified)
    return Observation(
        type=cast(ObservationType, one.type),
        title=title,
        text=text,
        facts=tuple(facts),
        concepts=one.concepts,
        files_modified=written,
        files_read=tuple(name for name in _distinct(seen) if name not in written),
    )


def _standing(sentences: Sequence[str], said: "_Said") -> list[str]:
    """The *sentences* that stand; none, if those that do say nothing by themselves."""
    stands = [one for one in sentences if said.has(one, HALF)]
    return stands if any(map(_says_something, stands)) else []


def _with_all_files(kept: list[Observation], modified: Sequence[str]) -> tuple[Observation, ...]:
    claimed = {name for one in kept for name in one.files_modified}
    unclaimed = tuple(name for name in modified if name not in claimed)
    if kept and unclaimed:
        having = (n for n, one in enumerate(kept) if one.files_modified or one.files_read)
        place = next(having, 0)
        one = kept[place]
        kept[place] = replace(
            one,
            files_modified=one.files_modified + unclaimed,
            files_read=tuple(name for name in one.files_read if name not in unclaimed),
        )
    return tuple(kept)


@dataclass(frozen=True)
class _Said:
    """Texts to look claims up in."""

    text: str
    """All of them, one per line at least, as `_plain` makes them."""
    names: str
    """Further texts, in which only names and numbers are looked up, not words."""
    translated: bool

    @classmethod
    def of(cls, texts: Iterable[str], *, translated: bool, names: Iterable[str] = ()) -> "_Said":
        return cls(_joined(texts), _joined(names), translated)

    def has(self, claim: str, share: float) -> bool:
        """Whether *claim* stands: its names and numbers, or else a *share* of its words."""
        keys = _keys(claim)
        if keys:
            return all(self.has_key(key) for key in keys)
        return self.translated or self._has_words(_words(claim), share)

    def has_some(self, claim: str) -> bool:
        """Whether half of the names and numbers of *claim* stand, or else half of its words.

        A title sums up, so it is allowed to call one thing differently.
        """
        keys, words = _keys(claim), _words(claim)
        if keys:
            return sum(map(self.has_key, keys)) >= HALF * len(keys)
        return bool(words) and (self.translated or self._has_words(words, HALF))

    def states(self, claim: str) -> bool:
        """Whether *claim* was stated: its names and numbers, and half of its words.

        A name or a word at least must say what it is about: "this no longer holds" fits anything.
        """
        words, keys = _words_beside_keys(claim), _keys(claim)
        if not all(map(self.has_key, keys)):
            return False
        if self.translated:
            return bool(keys)
        telling = [word for word in words if word not in THIN_WORDS | FITTING_WORDS]
        is_about = bool(keys) or any(map(self._has_word, telling))
        return is_about and self._has_words(words, HALF, beside=len(keys))

    def unsaid(self, words: Sequence[str]) -> list[str]:
        """Those of *words* that do not stand here."""
        return [word for word in words if not self._has_word(word)]

    def _has_words(self, words: Sequence[str], share: float, *, beside: int = 0) -> bool:
        """Whether a *share* of *words* stands; so many stand *beside* them for sure."""
        if not words:
            return True
        pairs = sum(is_unspaced(word[0]) for word in words)
        needed = min(share, HALF_OF_PAIRS) if pairs > len(words) / 2 else share
        told = len(words) + beside
        return told - len(self.unsaid(words)) >= needed * told

    def _has_word(self, word: str) -> bool:
        return _stem(word) in self._stems

    def has_key(self, key: "_Key") -> bool:
        """Whether *key* stands, in whatever case; a phrase may have its words elsewhere."""
        if key.kind == "number":
            units = self._numbers.get(key.text)
            return units is not None and (not key.unit or key.unit in units or "" in units)
        if self._has_as_it_is(key.text):
            return True
        if key.kind == "phrase":
            names = map(_name, identifiers(key.text))
            words = _words(key.text) or [key.text]
            return all(map(self._has_word, words)) and all(map(self.has_key, names))
        return self._has_in_other_words(key)

    def _has_as_it_is(self, name: str) -> bool:
        return _stands(name, self.text) or _stands(name, self.names)

    def _has_in_other_words(self, key: "_Key") -> bool:
        """Whether a name stands in another spelling: its parts apart, or a letter or two longer.

        `orders.get_orders` is what `from orders import get_orders` says, PostgreSQL is postgres.
        """
        if key.parts:
            return all(map(self._has_as_it_is, key.parts))
        name = key.text
        shortest = max(5, math.ceil(NEARLY * len(name)))
        nearly = (name[:length] for length in range(len(name) - 1, shortest - 1, -1))
        return name.isalpha() and any(map(self._has_as_it_is, nearly))

    @cached_property
    def _stems(self) -> Set[str]:
        different = dict.fromkeys(_WORD.findall(self.text))
        return {_stem(word) for batch in _batches(different) for word in terms(batch)}

    @cached_property
    def _numbers(self) -> Mapping[str, Set[str]]:
        """The numbers, each with the units that it stands with; "" where it has none of ours."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for number, unit in _ANY_NUMBER.findall(_GROUPED.sub("", self.text)):
            known = UNITS.get(unit, "")
            found[number].add(known)
            for other in _roughly(number, known):
                found[other].add(known)
        for word, unit in _NUMBER_WORD.findall(self.text):
            found[NUMBER_WORDS[word]].add(UNITS.get(unit, ""))
        return found


@dataclass(frozen=True)
class _Speech:
    """What was said and done in some turns, by whom; and all else that stands there."""

    user: _Said
    all: _Said
    found: Sequence[str]
    """All of it, said or not: output, names, what was pasted or replaced."""

    @classmethod
    def of(cls, note: DraftedNote, turns: Sequence[CleanTurn], *, translated: bool) -> "_Speech":
        by_user = [text for turn in turns for text in _by_user(turn)]
        by_agent = [text for turn in turns for text in _by_agent(turn)]
        paths = [path for turn in turns for path in _paths(turn)]
        if note.category == "runbook":
            by_agent += [text for turn in turns for text in _proofs(turn)]
        return cls(
            user=_Said.of(by_user, translated=translated),
            all=_Said.of([*by_user, *by_agent], names=paths, translated=translated),
            found=[_both_ends(text) for turn in turns for text in _everything(turn)],
        )

    def grounds(self, statement: str) -> Grounds:
        """Tell whose word *statement* is.

        One without any name, in another language than was spoken, can be compared with nothing.
        It passes for the agent's, as long as no tool printed it.
        """
        if self.user.states(statement) and not self.is_echo(statement, self.user):
            return "user"
        cannot_tell = self.all.translated and not _keys(statement) and _words(statement)
        is_stated = cannot_tell or self.all.states(statement)
        return "agent" if is_stated and not self.is_echo(statement, self.all) else "none"

    def supports(self, claim: str, share: float) -> bool:
        """Whether *claim* was said or done by anybody, and not only printed."""
        return self.all.has(claim, share) and not self.is_echo(claim, self.all)

    def is_echo(self, statement: str, said: _Said) -> bool:
        """Whether *statement* is a line that was only found, and part of it never *said*.

        A planted rule speaks of the work at hand, so that half of its words were said anyway.
        """
        words = _words(statement)
        missing = said.unsaid(_words_beside_keys(statement))
        if len(missing) <= UNSAID * len(words):
            return False
        beginnings = {word[:4] for word in missing}
        for line in (line for text in self.found for line in _short_lines(text)):
            plain = _plain(line)
            if any(one in plain for one in beginnings):
                there = {_stem(word) for word in terms(plain)}
                if sum(_stem(word) in there for word in words) >= ECHOED * len(words):
                    return True
        return False


def _main_statement(note: DraftedNote) -> str:
    value = note.fields.get(_MAIN[note.category], "")
    # A change may leave the main statement as it was.
    return value if isinstance(value, str) and value else note.title


def _supported(note: DraftedNote, speech: _Speech) -> dict[str, object]:
    checked = {
        name: value
        if _is_choice(note.category, name)
        else _supported_value(value, speech, HALF if name == _MAIN[note.category] else LOOSE)
        for name, value in note.fields.items()
        if name not in _LABELS or all(map(speech.all.has_key, _keys(str(value))))
    }
    labels = {name: note.fields[name] for name in _LABELS & checked.keys()}
    return {name: value for name, value in (checked | labels).items() if value not in ("", (), {})}


def _supported_value(value: object, speech: _Speech, share: float) -> object:
    if isinstance(value, str):
        sentences = _sentences(value)
        stands = [one for one in sentences if speech.supports(one, share)]
        return value if len(stands) == len(sentences) else " ".join(stands)
    if isinstance(value, Mapping):
        checked = {name: _supported_value(one, speech, share) for name, one in value.items()}
        return {name: one for name, one in checked.items() if one}
    if isinstance(value, tuple | list):
        return tuple(one for one in value if _item_stands(one, speech))
    return value


def _item_stands(item: object, speech: _Speech) -> bool:
    texts = item.values() if isinstance(item, Mapping) else (item,)
    return all(speech.supports(str(text), LOOSE) for text in texts)


def _has_all_required(note: DraftedNote, supported: Mapping[str, object]) -> bool:
    """Whether what *note* must have has support; a change must have only what it changes."""
    fields = CONTENT[note.category].model_fields
    required = (name for name, one in fields.items() if one.is_required())
    spoken_of = (name for name in required if not _is_choice(note.category, name))
    # A session may end with nothing completed and nothing to do next.
    may_be_empty = note.category == "session_summary"
    return all(
        name in supported
        for name in spoken_of
        if name in note.fields or (note.action == "create" and not may_be_empty)
    )


def _is_choice(category: Category, name: str) -> bool:
    annotation = CONTENT[category].model_fields[name].annotation
    return annotation is bool or get_origin(annotation) is Literal


def _everything(turn: Turn) -> Iterator[str]:
    """All that stands in *turn*."""
    yield turn.prompt
    yield from turn.remarks
    yield turn.answer
    yield turn.branch
    for call in turn.tools:
        yield from _strings(call.input)
        yield call.output


def _by_user(turn: Turn) -> Iterator[str]:
    """What the user said in *turn*: their own sentences, not what they pasted or quoted."""
    if not prompts.is_machine_prompt(turn.prompt):
        own = spoken.sentences(turn.prompt)
        yield "\n".join(_QUOTATION.sub(" ", sentence.text) for sentence in own)
    # Who says no has not said what was asked.
    yield from (_DENIED.sub("", told) for told in evidence.answers(turn))
    # A program can print "the user said:", too; a call that the user refused never ran.
    refused = tuple(call for call in turn.tools if _REFUSED.match(call.output))
    yield from evidence.objections(replace(turn, tools=refused))


def _by_agent(turn: Turn) -> Iterator[str]:
    """What the agent said and did in *turn*, without what it quoted."""
    for text in (*turn.remarks, turn.answer):
        yield _QUOTATION.sub(" ", _QUOTE_LINE.sub("", _both_ends(text)))
    for call in turn.tools:
        yield from _strings(call.input, without=_OLD_TEXT.union(evidence.PATH_KEYS))


def _paths(turn: Turn) -> Iterator[str]:
    """The files that the agent named in *turn*. It did not make up the words in their names."""
    for call in turn.tools:
        yield from (str(call.input.get(key, "")) for key in evidence.PATH_KEYS)


def _proofs(turn: Turn) -> Iterator[str]:
    """What failed in *turn* and passed in the end: a runbook may rest on that."""
    for fix in evidence.fixes(evidence.steps(turn)):
        yield from (fix.error, fix.proof, fix.course, *fix.files)


def _strings(value: object, *, without: Set[str] = frozenset()) -> Iterator[str]:
    """The texts in the input of a tool, however deep, but for what has a name in *without*."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += [each for name, each in one.items() if name not in without]
        elif isinstance(one, list | tuple):
            waiting += one
        elif one is not None:
            yield str(one)


@dataclass(frozen=True)
class _Files:
    """The files that a claim may name."""

    modified: tuple[str, ...]
    read: tuple[str, ...]
    folders: tuple[str, ...]
    said: _Said

    @classmethod
    def of(cls, turns: Sequence[CleanTurn], said: _Said) -> "_Files":
        """Those of *turns*, and what *said* mentions."""
        modified = (name for turn in turns for name in evidence.modified(evidence.steps(turn)))
        read = (name for turn in turns for name in evidence.read(turn))
        return cls(
            modified=tuple(filter(_is_decent, dict.fromkeys(modified))),
            read=tuple(filter(_is_decent, dict.fromkeys(read))),
            folders=tuple({turn.cwd for turn in turns if turn.cwd}),
            said=said,
        )

    def written(self, claim: str) -> str:
        """The modified file that *claim* names, as the evidence spells it; empty for none."""
        return _match(self._relative(claim), self.modified)

    def edited(self, claim: str) -> str:
        """The modified file that *claim* names, or that is mentioned."""
        return self.written(claim) or self._mentioned(claim)

    def seen(self, claim: str) -> str:
        """The file that *claim* names among those read, written and mentioned."""
        known = tuple(dict.fromkeys(self.read + self.modified))
        return _match(self._relative(claim), known) or self._mentioned(claim)

    def _mentioned(self, claim: str) -> str:
        name = self._relative(claim)
        is_file = _PLAIN_PATH.fullmatch(name) and _is_decent(name) and ("/" in name or "." in name)
        return name if is_file and _stands(_plain(name), self.said.text) else ""

    def _relative(self, claim: str) -> str:
        name = _LINE_NUMBER.sub("", claim.strip().strip("`")).replace("\\", "/")
        for folder in self.folders:
            name = name.removeprefix(folder.rstrip("/") + "/")
        return name.removeprefix("./")


def _match(name: str, known: Sequence[str]) -> str:
    """The one of *known* that *name* is, or that alone ends with it."""
    if name in known:
        return name
    ending = [one for one in known if name and one.endswith(f"/{name}")]
    return ending[0] if len(ending) == 1 else ""


def _is_decent(name: str) -> bool:
    """Whether *name* stays where it says: no way upwards, no line break, nothing hidden."""
    steps = name.replace("\\", "/").split("/")
    goes_up = ".." in steps or "~" in steps
    return not goes_up and name.isprintable() and markdown.legible(name) == name


@dataclass(frozen=True, slots=True)
class _Key:
    """A part of a claim that stands as it is or not at all."""

    kind: Literal["name", "number", "phrase"]
    text: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    """Of a qualified name: what it is made of."""


def _keys(claim: str) -> tuple[_Key, ...]:
    """The names, numbers, code and quotations in *claim*."""
    plain = _plain(claim)
    spans = [found for found in _SPAN.findall(plain) if _WORD.search(found)]
    quoted = ["".join(found) for found in _QUOTED.findall(plain)]
    bare = _QUOTED.sub(" ", _SPAN.sub(" ", claim))
    names = [_name(name) for name in identifiers(bare) if not _DIGITS.fullmatch(name)]
    rest = _GROUPED.sub("", _without((name.text for name in names), _plain(bare)))
    numbers = (_number(number, unit) for number, unit in _NUMBER.findall(rest))
    phrases = (_Key("phrase", " ".join(one.split())) for one in (*spans, *quoted))
    telling = (name for name in names if name.text not in JARGON)
    return tuple(dict.fromkeys((*phrases, *telling, *filter(None, numbers))))


def _name(name: str) -> _Key:
    """The key for *name*; one that is qualified has parts, a file and a host have none."""
    parts = [part for part in _QUALIFIED.split(name) if part]
    is_qualified = len(parts) > 1 and not set("/\\") & set(name) and any(map(identifiers, parts))
    return _Key("name", _plain(name), parts=tuple(map(_plain, parts)) if is_qualified else ())


def _without(names: Iterable[str], text: str) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


def _number(number: str, unit: str) -> _Key | None:
    """The key for *number*; none for a small one that only counts."""
    known = UNITS.get(unit, "")
    counts = number.isdigit() and int(number[:4]) <= 10 and len(number) <= 2
    return None if counts and not known else _Key("number", number, known)


def _roughly(number: str, unit: str) -> tuple[str, ...]:
    """What *number* may also be called: a measure rounded, a version by its first parts.

    >>> _roughly("2.36", "s"), _roughly("3.12.1", ""), _roughly("3.12", "")
    (('2.4', '2'), ('3.12',), ())
    """
    dots = number.count(".")
    if dots == 1 and unit and len(number) < 20:
        return f"{float(number):.1f}", f"{float(number):.0f}"
    return (number.rpartition(".")[0],) if dots == 2 else ()


def _says_something(claim: str) -> bool:
    return bool(_keys(claim) or _words(claim))


def _words_beside_keys(claim: str) -> list[str]:
    """The words of *claim* that are no part of its names, code and quotations."""
    bare = _QUOTED.sub(" ", _SPAN.sub(" ", claim))
    return _words(_without(identifiers(bare), bare))


def _words(claim: str) -> list[str]:
    """The words of *claim* that say something, without those of telling."""
    return [word for word in terms(_plain(claim)) if word not in TELLING_WORDS]


def _stem(word: str) -> str:
    """*word* without its ending, so that "caching" is found as "cache".

    Short on purpose: both sides are cut alike, and to find too much here does little harm. The
    beginning of a long word carries it in other languages, too.

    >>> [_stem(word) for word in ("caching", "caches", "cached", "cache")]
    ['cach', 'cach', 'cach', 'cach']
    >>> _stem("failures") == _stem("failed"), _stem("configuration") == _stem("configured")
    (True, True)
    """
    if not word.isascii() and is_unspaced(word[0]):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word.removesuffix(suffix)
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:LONGEST_STEM]


def _stands(name: str, text: str) -> bool:
    """Whether *name* stands in *text* by itself, not as part of a longer name or number.

    >>> _stands("#12", "see #1234"), _stands("orders", "get orders()")
    (False, True)
    """
    place = text.find(name) if name else -1
    while place >= 0:
        end = place + len(name)
        before, after = text[place - 1 : place], text[end : end + 1]
        if not (_continues(name[0], before) or _continues(name[-1], after)):
            return True
        place = text.find(name, place + 1)
    return False


def _continues(edge: str, beyond: str) -> bool:
    """Whether the character *beyond* goes on with the name that ends with *edge*."""
    if not beyond or not (edge.isalnum() or edge == "_") or is_unspaced(beyond):
        return False
    # OAuth2 is OAuth; E1101 is not E11.
    if beyond.isdigit():
        return edge.isdigit()
    return beyond.isalnum() or beyond == "_"


def _plain(text: str) -> str:
    """*text* as it is compared: nothing hidden, one form for each character, one kind of space."""
    visible = markdown.legible(text)
    normal = visible if visible.isascii() else unicodedata.normalize("NFKC", visible)
    return " ".join(normal.casefold().split())


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(_plain(_both_ends(text)) for text in texts)


def _both_ends(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n{text[-half:]}"


def _short_lines(text: str) -> Iterator[str]:
    """The lines of *text*; a longer one in pieces that overlap by half."""
    for line in text.split("\n"):
        for start in range(0, max(len(line) - LONGEST_LINE // 2, 1), LONGEST_LINE // 2):
            yield line[start : start + LONGEST_LINE]


def _batches(words: Iterable[str]) -> Iterator[str]:
    """*words* in texts that are short enough to be looked at whole; a long one in pieces."""
    batch: list[str] = []
    length = 0
    for word in words:
        # Pieces overlap by a character, so that no pair is lost.
        for start in range(0, len(word), LONGEST_WORDS - 1):
            piece = word[start : start + LONGEST_WORDS]
            if length + len(piece) > LONGEST_WORDS:
                yield " ".join(batch)
                batch, length = [], 0
            batch.append(piece)
            length += len(piece) + 1
    yield " ".join(batch)


def _sentences(text: str) -> list[str]:
    return [one.strip() for one in _SENTENCE_END.split(text) if one and one.strip()]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple | list):
        yield from (one for one in value if isinstance(one, str))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))
