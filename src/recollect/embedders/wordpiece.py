"""Cut a text into the word pieces that BERT models read, as the `tokenizers` library does.

Written out here because that library weighs several times what the rest of Recollect does.
A test holds both to the same answer for every character there is.
"""

import re
import string
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

FIRST, LAST, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"

# A longer word is none that the vocabulary could know.
LONGEST_WORD = 100

# Ten thousand words are most of what one project talks about, in about two megabytes.
WORDS_KEPT = 10_000
CHARACTERS_KEPT = 4_000

_RUN = re.compile(r"[^\t\n\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
_ASCII_WORD = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
# Control and format characters, private ones, and halves of a pair.
_INVISIBLE = ("Cc", "Cf", "Co", "Cs")
_NO_CONTROLS = dict.fromkeys([*range(32), 127])

_CHINESE = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)


class WordPiece:
    """A vocabulary, and the greedy way to spell words with it."""

    def __init__(self, vocabulary: list[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._first, self._last = self._numbers[FIRST], self._numbers[LAST]
        self._unknown = (self._numbers[UNKNOWN],)
        self._longest_piece = max(map(len, vocabulary))
        self._spelled = lru_cache(maxsize=WORDS_KEPT)(self._spell)

    def numbers(self, text: str, *, most: int) -> list[int]:
        """Return the numbers of the pieces of *text*, marked at both ends, at most *most*."""
        room = most - 2
        found: list[int] = []
        for word in words(text):
            found += self._unknown if len(word) > LONGEST_WORD else self._spelled(word)
            if len(found) >= room:
                break
        return [self._first, *found[:room], self._last]

    def _spell(self, word: str) -> tuple[int, ...]:
        """The longest piece that *word* begins with, then the longest of the rest, and so on."""
        pieces: list[int] = []
        begin = 0
        while begin < len(word):
            mark = "##" if begin else ""
            for end in range(min(len(word), begin + self._longest_piece), begin, -1):
                number = self._numbers.get(mark + word[begin:end])
                if number is not None:
                    pieces.append(number)
                    begin = end
                    break
            else:
                return self._unknown
        return tuple(pieces)


def load(file: Path) -> WordPiece:
    """Read a vocabulary of one piece a line. Raises `OSError`, `ValueError` or `KeyError`."""
    return WordPiece(file.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def words(text: str) -> Iterator[str]:
    """The words and signs of *text*, in small letters, without accents and invisible signs.

    Lazy, so that of a long text only the beginning is looked at.

    >>> list(words("Fix get_orders(): it's naïve"))
    ['fix', 'get', '_', 'orders', '(', ')', ':', 'it', "'", 's', 'naive']
    """
    for run in _RUN.finditer(text):
        for part in _SPECIAL.split(run.group()):
            if _SPECIAL.fullmatch(part):
                yield part
            elif part.isascii():
                yield from _ASCII_WORD.findall(part.translate(_NO_CONTROLS).lower())
            else:
                visible = "".join(filter(_is_visible, part))
                spaced = map(_spaced, unicodedata.normalize("NFD", visible))
                yield from "".join(spaced).split()


@lru_cache(maxsize=CHARACTERS_KEPT)
def _is_visible(character: str) -> bool:
    return unicodedata.category(character) not in _INVISIBLE and character != "\ufffd"


@lru_cache(maxsize=CHARACTERS_KEPT)
def _spaced(character: str) -> str:
    """*character* as it stands in a word; one that is a word of its own has spaces around it."""
    category = unicodedata.category(character)
    if category == "Mn":
        return ""
    alone = category[0] == "P" or character in string.punctuation or _is_chinese(character)
    return f" {character} " if alone else character.lower()


def _is_chinese(character: str) -> bool:
    return any(ord(character) in block for block in _CHINESE)
