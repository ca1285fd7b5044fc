"""Look claims up in texts: names and numbers as they are, words by their stems. Pure.

Names, numbers and paths are looked up one by one, because that is what a model invents and what a
later session would act on. Everything else may be a paraphrase.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from recollect.journal import markdown
from recollect.text.identifiers import identifiers
from recollect.text.sentences import THIN_WORDS
from recollect.text.terms import is_unspaced, terms

# So much of one text is looked at, half from each end: a model is shown far less of it.
LONGEST_TEXT = 400_000
LONGEST_WORDS = 6_000
LONGEST_LINE = 400
# All that is looked at in one go, the newest first.
LONGEST_TEXTS = 2_000_000
# A sentence may be broken over so many lines.
WINDOW = 3

# Of the words of a claim, so many must have been said. Scripts without spaces are compared in
# pairs of characters, and a paraphrase changes the pairs between its words, too.
HALF = 0.5
HALF_OF_PAIRS = 0.34
# So much must stand beside a name that does.
THIRD = 1 / 3
# A name that stands but for its last letters.
NEARLY = 0.8

# Words of telling rather than of what is told.
TELLING_WORDS = frozenset(
    """
    agent asked assistant decided decision explicitly instructed mentioned note preference
    preferred prefers project requested required requires said says session stated told turn user
    users wanted wants
    """.split()
)
# Beside a name they only say that it was done.
DOING_WORDS = frozenset(
    """
    asked called calls changing contains executed executes failed failing fails lives named ran
    running runs solved stands uses
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

_WORD = re.compile(r"[^\W_]+")
_SPAN = re.compile(r"`([^`\n]{1,300})`")
_QUOTED = re.compile(r"(?<!\w)\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|「([^」\n]{2,300})」")
_GROUPED = re.compile(r"(?<=[0-9])[,_'](?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![\w.])v?([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_ANY_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_QUALIFIED = re.compile(r"::|[.()#]")
_DIGITS = re.compile(r"[0-9.]+")
_NUMBER_WORD = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})\b(?:[ -]([a-z]+))?")
_CUT_OFF = re.compile(r"\S*(?:…|\.\.\.)$")
_RELEASE = re.compile(r"([a-z]+)-v?([0-9]+(?:\.[0-9]+)+)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？])|\n+")
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ures", "ure"),
    *("ities", "ity", "able", "ible", "ives", "ive", "ances", "ance", "ences", "ence"),
    *("ies", "ied", "ers", "ally", "ed", "er", "es", "ly", "al", "or", "s", "e", "y"),
)
LONGEST_STEM = 8


@dataclass(frozen=True)
class ClaimTexts:
    """Texts to look claims up in."""

    text: str
    """All of them, one per line at least, as `plain` makes them."""
    names: str
    """Further texts, in which only names and numbers are looked up, not words."""
    translated: bool
    """True when claims are in another language: then words cannot be compared."""

    @classmethod
    def of(
        cls, texts: Iterable[str], *, translated: bool, names: Iterable[str] = ()
    ) -> "ClaimTexts":
        """Return *texts* as they are compared."""
        return cls(_joined(texts), _joined(names), translated)

    def has(self, claim: str, share: float) -> bool:
        """Tell whether *claim* stands: its names and numbers with some words, or a *share* of all.

        One name that is known must not carry a sentence of which nothing else is.
        """
        named = keys(claim)
        if not named:
            return self.translated or self.has_words(words(claim), share)
        if not all(map(self.has_key, named)):
            return False
        beside = [word for word in _telling(words_beside_keys(claim)) if word not in DOING_WORDS]
        return self.translated or self.has_words(beside, THIRD)

    def has_some(self, claim: str) -> bool:
        """Tell whether half of the names and numbers of *claim* stand, or else half of its words.

        A title sums up, so it is allowed to call one thing differently.
        """
        named, given_words = keys(claim), words(claim)
        if not named:
            return bool(given_words) and (self.translated or self.has_words(given_words, HALF))
        beside = _telling(words_beside_keys(claim))
        is_alike = self.translated or len(beside) < 2 or self.has_words(beside, THIRD)
        return is_alike and sum(map(self.has_key, named)) >= HALF * len(named)

    def states(self, claim: str) -> bool:
        """Tell whether *claim* was stated: its names and numbers, and half of its words.

        A name or a word at least must say what it is about: "this no longer holds" fits anything.
        """
        beside, named = words_beside_keys(claim), keys(claim)
        if not all(map(self.has_key, named)):
            return False
        if self.translated and named:
            return True
        telling = [word for word in _telling(beside) if word not in FITTING_WORDS]
        is_about = bool(named) or any(map(self.has_word, telling))
        return is_about and self.has_words(beside, HALF, beside=len(named))

    def share(self, claim: str) -> float:
        """How much of *claim* stands: of its names, numbers and words, each counted once."""
        named, beside = keys(claim), words_beside_keys(claim)
        standing = sum(map(self.has_key, named)) + sum(map(self.has_word, beside))
        return standing / max(len(named) + len(beside), 1)

    def unsaid(self, given_words: Sequence[str]) -> list[str]:
        """Those of the words *given_words* that do not stand here."""
        return [word for word in given_words if not self.has_word(word)]

    def has_words(self, given_words: Sequence[str], share: float, *, beside: int = 0) -> bool:
        """Tell whether a *share* of *given_words* stands; so many *beside* them surely do."""
        if not given_words:
            return True
        all_given = len(given_words) + beside
        return all_given - len(self.unsaid(given_words)) >= needed(given_words, share) * all_given

    def has_word(self, word: str) -> bool:
        """Tell whether *word* stands, with whatever ending."""
        return stem(word) in self.stems

    def has_key(self, key: "ClaimPart") -> bool:
        """Tell whether *key* stands, in whatever case; a phrase may have its words elsewhere."""
        if key.kind == "number":
            units = self._numbers.get(key.text)
            return units is not None and (not key.unit or key.unit in units or "" in units)
        if self._has_as_it_is(key.text):
            return True
        if key.kind == "phrase":
            names = map(_name, identifiers(key.text))
            given_words = words(key.text) or [key.text]
            return all(map(self.has_word, given_words)) and all(map(self.has_key, names))
        return self._has_in_other_words(key)

    def _has_as_it_is(self, name: str) -> bool:
        return stands(name, self.text) or stands(name, self.names)

    def _has_in_other_words(self, key: "ClaimPart") -> bool:
        """Tell whether a name stands in another spelling: its parts apart, or a letter longer.

        `orders.get_orders` is what `from orders import get_orders` says, PostgreSQL is postgres,
        ubuntu-24.04 is Ubuntu 24.04.
        """
        if released := _RELEASE.fullmatch(key.text):
            return self._has_as_it_is(f"{released[1]} {released[2]}")
        if key.parts:
            return all(map(self._has_as_it_is, key.parts))
        name = key.text
        shortest = max(5, math.ceil(NEARLY * len(name)))
        nearly = (name[:length] for length in range(len(name) - 1, shortest - 1, -1))
        return name.isalpha() and any(map(self._has_as_it_is, nearly))

    @cached_property
    def stems(self) -> Set[str]:
        """The stems of all words."""
        different = dict.fromkeys(_WORD.findall(self.text))
        return {stem(word) for batch in _batches(different) for word in terms(batch)}

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


class Lines:
    """The lines of texts, to find the one that a claim was copied from."""

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: dict[str, int] = {}
        places: dict[tuple[int, ...], None] = {}
        for text in texts:
            plain_lines = filter(None, map(plain, short_lines(text)))
            those = [numbers.setdefault(line, len(numbers)) for line in plain_lines]
            # A rule may be broken over a few lines.
            windows = (tuple(those[at : at + WINDOW]) for at in range(len(those)))
            places |= dict.fromkeys(windows)
        known: dict[str, str] = {}
        self._stems = [
            frozenset(known.get(word) or known.setdefault(word, stem(word)) for word in terms(line))
            for line in numbers
        ]
        self._lines: defaultdict[str, list[int]] = defaultdict(list)
        for number, stems in enumerate(self._stems):
            for one in stems:
                self._lines[one].append(number)
        self._places: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        for place in places:
            for number in place:
                self._places[number].append(place)

    def have(self, given_words: Sequence[str], share: float) -> bool:
        """Tell whether a *share* of the words *given_words* stands in neighbouring lines."""
        stems = [stem(word) for word in given_words]
        wanted = share * len(stems)
        # Where enough of them stand, one of the rarest does.
        rarest = sorted(stems, key=lambda one: len(self._lines.get(one, ())))
        few = {*rarest[: int(len(stems) - wanted) + 1]}
        numbers = {number for one in few for number in self._lines.get(one, ())}
        for place in {place for number in numbers for place in self._places[number]}:
            there = self._at(place)
            if sum(one in there for one in stems) >= wanted:
                return True
        return False

    def _at(self, place: tuple[int, ...]) -> frozenset[str]:
        return frozenset().union(*(self._stems[number] for number in place))


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A part of a claim that stands as it is or not at all."""

    kind: Literal["name", "number", "phrase"]
    text: str
    unit: str = ""
    parts: tuple[str, ...] = ()
    """Of a qualified name: what it is made of."""


def keys(claim: str) -> tuple[ClaimPart, ...]:
    """The names, numbers, code and quotations in *claim*."""
    shown = plain(claim)
    whole = (_CUT_OFF.sub("", found) for found in _SPAN.findall(shown))
    spans = [found for found in whole if _WORD.search(found)]
    quoted = ["".join(found) for found in _QUOTED.findall(shown)]
    bare = _QUOTED.sub(" ", _SPAN.sub(" ", _visible(claim)))
    names = [_name(name) for name in identifiers(bare) if not _DIGITS.fullmatch(name)]
    rest = _GROUPED.sub("", _without((name.text for name in names), plain(bare)))
    numbers = (_number(number, unit) for number, unit in _NUMBER.findall(rest))
    phrases = (ClaimPart("phrase", " ".join(one.split())) for one in (*spans, *quoted))
    telling = (name for name in names if name.text not in JARGON)
    return tuple(dict.fromkeys((*phrases, *telling, *filter(None, numbers))))


def _name(name: str) -> ClaimPart:
    """The key for *name*; one that is qualified has parts, a file and a host have none."""
    parts = [part for part in _QUALIFIED.split(name) if part]
    is_qualified = len(parts) > 1 and not set("/\\") & set(name) and any(map(identifiers, parts))
    return ClaimPart("name", plain(name), parts=tuple(map(plain, parts)) if is_qualified else ())


def _without(names: Iterable[str], text: str) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


def _number(number: str, unit: str) -> ClaimPart | None:
    """The key for *number*; none for a small one that only counts."""
    known = UNITS.get(unit, "")
    counts = number.isdigit() and int(number[:4]) <= 10 and len(number) <= 2
    return None if counts and not known else ClaimPart("number", number, known)


def counts(text: str) -> Set[str]:
    """The numbers in *text*, small ones and those in words, too; "one" may be no number.

    >>> sorted(counts("two of 12 for one"))
    ['12', '2']
    """
    shown = plain(text)
    written = {NUMBER_WORDS[word] for word, _ in _NUMBER_WORD.findall(shown) if word != "one"}
    return written | {number for number, _ in _ANY_NUMBER.findall(_GROUPED.sub("", shown))}


def _roughly(number: str, unit: str) -> tuple[str, ...]:
    """What *number* may also be called: a measure rounded, a version by its first parts.

    >>> _roughly("2.36", "s"), _roughly("3.12.1", ""), _roughly("3.12", "")
    (('2.4', '2'), ('3.12',), ())
    """
    dots = number.count(".")
    if dots == 1 and unit and len(number) < 20:
        return f"{float(number):.1f}", f"{float(number):.0f}"
    return (number.rpartition(".")[0],) if dots == 2 else ()


def says_something(claim: str) -> bool:
    """Tell whether there is anything in *claim* that could be looked up."""
    return bool(keys(claim) or words(claim))


def words_beside_keys(claim: str) -> list[str]:
    """The words of *claim* that are no part of its names, code and quotations."""
    bare = _QUOTED.sub(" ", _SPAN.sub(" ", _visible(claim)))
    return words(_without(identifiers(bare), bare))


def _telling(given_words: Iterable[str]) -> list[str]:
    return [word for word in given_words if word not in THIN_WORDS]


def needed(given_words: Sequence[str], share: float) -> float:
    """The *share* of the words *given_words* that must stand; less in scripts that go by pairs."""
    pairs = sum(is_unspaced(word[0]) for word in given_words)
    return share * HALF_OF_PAIRS / HALF if pairs > len(given_words) / 2 and share >= HALF else share


def words(claim: str) -> list[str]:
    """The words of *claim* that say something, without those of telling."""
    return [word for word in terms(plain(claim)) if word not in TELLING_WORDS]


def stem(word: str) -> str:
    """*word* without its ending, so that "caching" is found as "cache".

    Short on purpose: both sides are cut alike, and to find too much here does little harm. The
    beginning of a long word carries it in other languages, too.

    >>> [stem(word) for word in ("caching", "caches", "cached", "cache")]
    ['cach', 'cach', 'cach', 'cach']
    >>> stem("failures") == stem("failed"), stem("configuration") == stem("configured")
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


def stands(name: str, text: str) -> bool:
    """Tell whether *name* stands in *text* by itself, not as part of a longer name or number.

    >>> stands("#12", "see #1234"), stands("orders", "get orders()")
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
    """Tell whether the character *beyond* goes on with the name that ends with *edge*."""
    if not beyond or not (edge.isalnum() or edge == "_") or is_unspaced(beyond):
        return False
    # OAuth2 is OAuth; E1101 is not E11.
    if beyond.isdigit():
        return edge.isdigit()
    return beyond.isalnum() or beyond == "_"


def plain(text: str) -> str:
    """*text* as it is compared: nothing hidden, one form for each character, one kind of space."""
    return " ".join(_visible(text).casefold().split())


def _visible(text: str) -> str:
    visible = markdown.legible(text)
    return visible if visible.isascii() else unicodedata.normalize("NFKC", visible)


def _joined(texts: Iterable[str]) -> str:
    return "\n".join(plain(both_ends(text)) for text in texts)


def both_ends(text: str) -> str:
    """*text*, or what is looked at of one that is too long."""
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n{text[-half:]}"


def short_lines(text: str) -> Iterator[str]:
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


def newest(texts: Sequence[str]) -> list[str]:
    """Return the last of *texts*, in order, as many as are looked at in one go."""
    kept: list[str] = []
    left = LONGEST_TEXTS
    for text in reversed(texts):
        if left <= 0:
            break
        kept.append(both_ends(text)[:left])
        left -= len(kept[-1])
    return kept[::-1]


def sentences(text: str) -> list[str]:
    """The sentences of *text*, and its lines."""
    return [one.strip() for one in _SENTENCE_END.split(text) if one and one.strip()]
