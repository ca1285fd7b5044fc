"""Homes of any size: invented memories, with words as common and as rare as in English.

The vocabulary is that of the bundled model, which names words by how common they are, and a word
is drawn as often as its rank says (Zipf's law). The vectors are invented too, because embedding
a million texts takes hours: unit vectors in clusters, as texts about a few hundred subjects have.
"""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np

from benchmarks.corpus import Corpus, Memory
from recollect.embedders import minilm
from recollect.search.embedding import Choice
from recollect.store.contract.state import Project
from recollect.store.sqlite.index.database import SqliteIndex

ENTRIES_A_DAY = 100
TURNS = (3, 8)
ENTRY_WORDS = (60, 120)
SECTION_WORDS = (60, 100)
TITLE_WORDS = 8
NAMES = 50_000

CLUSTERS = 300
# How far a vector strays from the middle of its cluster; 1 is as far as the middle is long.
STRAYING = 0.8
VECTORS_AT_ONCE = 20_000

# A throwaway index may be lost with the machine, and its pages may stay in memory.
IN_A_HURRY = (
    "PRAGMA synchronous = OFF",
    "PRAGMA cache_size = -262144",
    "PRAGMA wal_autocheckpoint = 20000",
)

NEWEST = datetime(2026, 11, 15, 18, tzinfo=UTC)


def fill(shelf: Corpus, *, projects: int, entries: int) -> list[Project]:
    """Give *shelf* so many *projects* of so many *entries*, with vectors."""
    index = shelf.app.inside.index
    assert isinstance(index, SqliteIndex)
    for pragma in IN_A_HURRY:
        index.connection.execute(pragma)
    made = [
        shelf.project(f"shop-{number}", memories(entries, seed=number))
        for number in range(projects)
    ]
    give_vectors(shelf)
    shelf.app.settings.publish()
    return made


def memories(entries: int, *, seed: int) -> Iterator[Memory]:
    """Return so many *entries*, the same for the same *seed*, in sessions of several turns."""
    chance = np.random.default_rng(seed)
    lengths = chance.integers(ENTRY_WORDS[0], ENTRY_WORDS[1] + 1, entries)
    turns_left, session = 0, ""
    for number, length in enumerate(lengths.tolist()):
        if not turns_left:
            turns_left = int(chance.integers(TURNS[0], TURNS[1] + 1))
            session = f"{seed:04x}{number:08x}-session"
        turns_left -= 1
        at = NEWEST - timedelta(days=number // ENTRIES_A_DAY, minutes=5 * (number % ENTRIES_A_DAY))
        yield Memory(
            id=f"{at:%Y%m%dT%H%M%S}-{seed:02x}{number:06x}",
            at=at,
            session=session,
            title=_sentence(chance, TITLE_WORDS),
            body=_body(chance, length - TITLE_WORDS),
        )


def questions(count: int, *, seed: int) -> list[str]:
    """Return questions as people ask them: a few words, in every fifth a name."""
    chance = np.random.default_rng(1_000_000 + seed)
    asked = []
    for number in range(count):
        words = _sentence(chance, int(chance.integers(4, 11)))
        asked.append(f"{words} {_name(chance)}" if number % 5 == 0 else words)
    return asked


def prompt(words: int) -> str:
    """Return a prompt of so many *words*."""
    return _sentence(np.random.default_rng(words), words)


def sections(count: int, *, seed: int) -> Iterator[tuple[str, str]]:
    """Return so many sections of a hand-written note, each a title and a text."""
    chance = np.random.default_rng(2_000_000 + seed)
    for _ in range(count):
        words = int(chance.integers(SECTION_WORDS[0], SECTION_WORDS[1] + 1))
        yield _sentence(chance, 5), f"{_sentence(chance, words - 1)} `{_name(chance)}`"


def give_vectors(shelf: Corpus) -> None:
    """Give every passage that has none an invented vector, in the bundled model's space."""
    vectors = shelf.app.inside.index.vectors
    space = vectors.space(minilm.MiniLM.name, asdict(Choice()))
    chance = np.random.default_rng(7)
    middles = _unit(chance.standard_normal((CLUSTERS, minilm.MiniLM.dimensions)))
    while wanted := vectors.wanted(space, limit=VECTORS_AT_ONCE):
        cluster = middles[chance.integers(0, CLUSTERS, len(wanted))]
        made = _unit(cluster + STRAYING * _unit(chance.standard_normal(cluster.shape)))
        vectors.put(space, wanted, dict(zip((one.hash for one in wanted), made, strict=True)))


def _body(chance: np.random.Generator, words: int) -> str:
    """Return an observation as the journal writes it."""
    kind = ("change", "bugfix", "decision", "discovery")[chance.integers(4)]
    return (
        f"- **{kind}** {_sentence(chance, TITLE_WORDS)} `{_name(chance)}`\n"
        f"  - text: {_sentence(chance, words - TITLE_WORDS)}, see `{_name(chance)}`\n"
        f"  - files: `src/{_name(chance)}.py` (modified)"
    )


def _sentence(chance: np.random.Generator, words: int) -> str:
    vocabulary, cumulative = _vocabulary()
    return " ".join(vocabulary[np.searchsorted(cumulative, chance.random(words))])


def _name(chance: np.random.Generator) -> str:
    """Return a name of two words; as with words, a few are everywhere and most are rare."""
    vocabulary, _ = _vocabulary()
    place = int(NAMES ** chance.random())
    return f"{vocabulary[place % len(vocabulary)]}_{vocabulary[place * 7919 % len(vocabulary)]}"


@cache
def _vocabulary() -> tuple[Any, Any]:
    """Return the words, the most common first, and how often one up to each of them is drawn."""
    known = (minilm.FOLDER / "vocab.txt").read_text(encoding="utf-8").split()
    words = [word for word in known if word.isascii() and word.isalpha() and len(word) > 1]
    often = np.cumsum(1 / np.arange(3, len(words) + 3))
    return np.array(words, dtype=object), often / often[-1]


def _unit(vectors: Any) -> Any:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
