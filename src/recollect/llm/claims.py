"""Look claims up in texts: names and numbers as they are, words by their stems. Pure.

Names, numbers and paths are looked up one by one, because that is what a model invents and what a
later session would act on. Everything else may be a paraphrase.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from recollect.journal import markdown
from recollect.text.identifiers import identifiers
from recollect.text.sentences import THIN_WORDS
from recollect.text.terms import is_unspaced, terms

# So much of one text is looked at, half from each end, and so much of all: a model is shown less.
LONGEST_TEXT = 400_000
LONGEST_TEXTS = 2_000_000

# Of the words of a claim, so many must have been said.
HALF = 0.5
# So much must stand beside a name that does.
THIRD = 1 / 3

# Words of telling rather than of what is told.
TELLING_WORDS = frozenset(
    """
    agent asked assistant decided decision explicitly instructed mentioned note preference
    preferred prefers project requested required requires said says session stands stated told turn
    user users wanted wants
    """.split()
)
# It names a kind of thing, and is said of it by those who know the word.
JARGON = frozenset({"n+1", "i18n", "l10n", "a11y", "k8s"})
NUMBER_WORDS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
UNITS: Mapping[str, str] = {
    word: words.split()[0]
    for words in (
        "ms millisecond milliseconds msec, s sec secs second seconds, min mins minute minutes, "
        "h hr hrs hour hours, d day days, week weeks, month months, year years, b byte bytes, "
        "kb kib kilobyte kilobytes, mb mib megabyte megabytes, gb gib gigabyte gigabytes, "
        "tb tib terabyte terabytes, % percent, x times, px pixel pixels"
    ).split(", ")
    for word in words.split()
}

# A longer one is no word; its pieces will do.
_WORD = re.compile(r"[^\W_]{1,4000}")
_VERBATIM = re.compile(
    r"`([^`\n]{1,300})`|(?<!\w)\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|「([^」\n]{2,300})」"
)
_GROUPED = re.compile(r"(?<=[0-9])[,_'](?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![\w.])v?([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_ANY_NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)*)(?:[ -]?(%|[A-Za-z]+))?")
_NUMBER_WORD = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})\b(?:[ -]([a-z]+))?")
_QUALIFIED = re.compile(r"::|[.()#]")
_DIGITS = re.compile(r"[0-9.]+")
_CUT_OFF = re.compile(r"\S*(?:…|\.\.\.)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？])|\n+")
_SUFFIXES = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ures", "ure"),
    *("ities", "ity", "able", "ible", "ives", "ive", "ances", "ance", "ences", "ence"),
    *("ies", "ied", "ers", "ally", "ed", "er", "es", "ly", "al", "or", "s", "e", "y"),
)
LONGEST_STEM = 8


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A part of a claim that stands as it is or not at all."""

    kind: Literal["name", "number", "phrase"]
    text: str
    unit: str = ""


@dataclass(frozen=True)
class ClaimTexts:
    """Texts to look claims up in."""

    text: str
    """All of them, as `plain` makes them."""
    names: str = ""
    """Further texts, in which only names and numbers are looked up, not words."""
    translated: bool = False
    """True when claims are in another language: then words cannot be compared."""

    @classmethod
    def of(
        cls, texts: Iterable[str], *, names: Iterable[str] = (), translated: bool = False
    ) -> "ClaimTexts":
        """Return *texts* as they are compared."""
        return cls(_joined(texts), _joined(names), translated)

    def has(self, claim: str, share: float = HALF) -> bool:
        """Tell whether *claim* stands: its names and numbers with some words, or a *share* of all.

        One name that is known must not carry a sentence of which nothing else is.
        """
        named = keys(claim)
        if not all(map(self.has_key, named)):
            return False
        if self.translated:
            return True
        return (
            self.has_words(_beside(claim), THIRD) if named else self.has_words(words(claim), share)
        )

    def has_some(self, claim: str) -> bool:
        """Tell whether half of the names and numbers of *claim* stand, or else half of its words.

        A title sums up, so it is allowed to call one thing differently.
        """
        named, beside = keys(claim), _beside(claim)
        if not named:
            given_words = words(claim)
            return bool(given_words) and (self.translated or self.has_words(given_words, HALF))
        is_alike = self.translated or len(beside) < 2 or self.has_words(beside, THIRD)
        return is_alike and sum(map(self.has_key, named)) >= HALF * len(named)

    def states(self, claim: str) -> bool:
        """Tell whether *claim* was stated: its names and numbers, and half of all that it says."""
        named, beside = keys(claim), words_beside_keys(claim)
        if not all(map(self.has_key, named)):
            return False
        if named and self.translated:
            return True
        return bool(named or beside) and self.has_words(beside, HALF, beside=len(named))

    def share(self, claim: str) -> float:
        """Return how much of *claim* stands: of its names, numbers and words, each counted once."""
        named, beside = keys(claim), words_beside_keys(claim)
        standing = sum(map(self.has_key, named)) + sum(map(self.has_word, beside))
        return standing / max(len(named) + len(beside), 1)

    def unsaid(self, given_words: Iterable[str]) -> list[str]:
        """Return those of the words *given_words* that do not stand here."""
        return [word for word in given_words if not self.has_word(word)]

    def has_words(self, given_words: Sequence[str], share: float, *, beside: int = 0) -> bool:
        """Tell whether a *share* of *given_words* stands; so many *beside* them surely do."""
        count = len(given_words) + beside
        return count - len(self.unsaid(given_words)) >= share * count

    def has_word(self, word: str) -> bool:
        """Tell whether *word* stands, with whatever ending."""
        return stem(word) in self.stems

    def has_key(self, key: ClaimPart) -> bool:
        """Tell whether *key* stands, in whatever case; a phrase may have its words elsewhere."""
        if key.kind == "number":
            units = self._numbers.get(key.text)
            return units is not None and (not key.unit or key.unit in units or "" in units)
        if self._has_as_it_is(key.text):
            return True
        if key.kind == "phrase":
            names = (ClaimPart("name", plain(name)) for name in identifiers(key.text))
            given_words = words(key.text) or [key.text]
            return all(map(self.has_word, given_words)) and all(map(self.has_key, names))
        return self._has_otherwise_spelled(key.text)

    def _has_as_it_is(self, name: str) -> bool:
        return stands(name, self.text) or stands(name, self.names)

    def _has_otherwise_spelled(self, name: str) -> bool:
        """Tell whether *name* stands in another spelling.

        `orders.get_orders` is what `from orders import get_orders` says, ubuntu-24.04 is Ubuntu
        24.04, PostgreSQL is postgres. A path has no other.
        """
        if self._has_as_it_is(name.replace("-", " ")):
            return True
        if name.isalpha() and len(name) > 7:
            return self._has_as_it_is(name[:-2])
        parts = [part for part in _QUALIFIED.split(name) if part]
        is_qualified = (
            len(parts) > 1 and not set("/\\") & set(name) and any(map(identifiers, parts))
        )
        return is_qualified and all(map(self._has_as_it_is, parts))

    @cached_property
    def stems(self) -> Set[str]:
        """The stems of all words."""
        different = {*_WORD.findall(self.text)}
        return {stem(term) for word in different for term in terms(word)}

    @cached_property
    def _numbers(self) -> Mapping[str, Set[str]]:
        """The numbers, each with the units that it stands with; "" where it has none of ours."""
        units: defaultdict[str, set[str]] = defaultdict(set)
        for number, unit in _ANY_NUMBER.findall(_GROUPED.sub("", self.text)):
            known = UNITS.get(unit, "")
            for written in (number, *_roughly(number, known)):
                units[written].add(known)
        for word, unit in _NUMBER_WORD.findall(self.text):
            units[NUMBER_WORDS[word]].add(UNITS.get(unit, ""))
        return units


def keys(claim: str) -> tuple[ClaimPart, ...]:
    """Return the names, numbers, code and quotations in *claim*."""
    verbatim = (_CUT_OFF.sub("", "".join(found)) for found in _VERBATIM.findall(plain(claim)))
    phrases = (ClaimPart("phrase", " ".join(one.split())) for one in verbatim if _WORD.search(one))
    bare = _VERBATIM.sub(" ", _visible(claim))
    names = [plain(name) for name in identifiers(bare) if not _DIGITS.fullmatch(name)]
    rest = _GROUPED.sub("", _without(names, plain(bare)))
    numbers = (_number(number, unit) for number, unit in _NUMBER.findall(rest))
    named = (ClaimPart("name", name) for name in names if name not in JARGON)
    return tuple(dict.fromkeys((*phrases, *named, *filter(None, numbers))))


def _without(names: Iterable[str], text: str) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


def _number(number: str, unit: str) -> ClaimPart | None:
    """Return the key for *number*; none for a small one that only counts."""
    known = UNITS.get(unit, "")
    is_small = number.isdigit() and len(number) <= 2 and int(number) <= 10
    return None if is_small and not known else ClaimPart("number", number, known)


def counts(text: str) -> Set[str]:
    """Return the numbers in *text*, small ones and those in words, too; "one" may be no number.

    >>> sorted(counts("two of 12 for one"))
    ['12', '2']
    """
    shown = plain(text)
    written = {NUMBER_WORDS[word] for word, _ in _NUMBER_WORD.findall(shown) if word != "one"}
    return written | {number for number, _ in _ANY_NUMBER.findall(_GROUPED.sub("", shown))}


def _roughly(number: str, unit: str) -> tuple[str, ...]:
    """Return what *number* may also be called: a measure rounded, a version by its first parts.

    >>> _roughly("2.36", "s"), _roughly("3.12.1", ""), _roughly("3.12", "")
    (('2.4', '2'), ('3.12',), ())
    """
    dots = number.count(".")
    if dots == 1 and unit and len(number) < 20:
        return f"{float(number):.1f}", f"{float(number):.0f}"
    return (number.rpartition(".")[0],) if dots == 2 else ()


def words(claim: str) -> list[str]:
    """Return the words of *claim* that say something, without those of telling."""
    return [word for word in terms(plain(claim)) if word not in TELLING_WORDS]


def words_beside_keys(claim: str) -> list[str]:
    """Return the words of *claim* that are no part of its names, code and quotations."""
    bare = _VERBATIM.sub(" ", _visible(claim))
    return words(_without(identifiers(bare), bare))


def _beside(claim: str) -> list[str]:
    return [word for word in words_beside_keys(claim) if word not in THIN_WORDS]


def stem(word: str) -> str:
    """Return *word* without its ending, so that "caching" is found as "cache".

    Short on purpose: both sides are cut alike, and to find too much here does little harm. The
    beginning of a long word carries it in other languages, too.

    >>> [stem(word) for word in ("caching", "caches", "cached", "cache")]
    ['cach', 'cach', 'cach', 'cach']
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
    """Return *text* as it is compared: nothing hidden, one form for each character and space."""
    return " ".join(_visible(text).casefold().split())


def _visible(text: str) -> str:
    visible = markdown.legible(text)
    return visible if visible.isascii() else unicodedata.normalize("NFKC", visible)


def _joined(texts: Iterable[str]) -> str:
    """Return *texts* on lines of their own, the last of them where they are too many to look at."""
    kept: list[str] = []
    left = LONGEST_TEXTS
    for text in reversed([*texts]):
        kept.append(plain(_both_ends(text)[: max(left, 0)]))
        left -= min(len(text), LONGEST_TEXT)
    return "\n".join(reversed(kept))


def _both_ends(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return f"{text[:half]}\n{text[-half:]}"


def sentences(text: str) -> list[str]:
    """Return the sentences of *text*, and its lines."""
    return [one.strip() for one in _SENTENCE_END.split(text) if one and one.strip()]
