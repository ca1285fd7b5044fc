"""The labelled set for triage: what each dialogue should propose, and how far off proposals are.

Cues, weights and thresholds may be chosen with `tune` alone; figures are told on `check`.
A row names everything that should be proposed, so whatever else is proposed for it is wrong;
most of the rows that name nothing use the very words of the categories. Where a row asks for
a session summary it is for its activity, not for its words.
"""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

FILE = Path(__file__).with_name("labelled") / "triage.jsonl"

CATEGORIES = ("session_summary", "decision", "runbook", "constraint", "tech_debt", "preference")
LANGUAGES = ("en", "zh", "ja", "ko", "de", "fr", "es")

Half = Literal["tune", "check"]
Proposed = Mapping[str, Set[str]]
"""The categories proposed for each row's id; a row that is not in it got no proposal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What one side said at once."""

    by: Literal["user", "agent"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One dialogue with the categories it should propose."""

    id: str
    categories: frozenset[str]
    language: str
    half: Half
    dialogue: tuple[Message, ...]
    tools: tuple[str, ...]
    """Names of the tool uses, in order."""
    why: str

    @classmethod
    def read(cls, line: str) -> Self:
        """The row that a *line* of the file tells of."""
        told = json.loads(line)
        return cls(
            id=told["id"],
            categories=frozenset(told["categories"]),
            language=told["language"],
            half=told["half"],
            dialogue=tuple(Message(**message) for message in told["dialogue"]),
            tools=tuple(told["tools"]),
            why=told["why"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How many proposals were made, how many were expected, and how many were both."""

    right: int = 0
    proposed: int = 0
    expected: int = 0

    @property
    def precision(self) -> float:
        """The share of the proposals that is right; 1 when there is none to be wrong."""
        return self.right / self.proposed if self.proposed else 1.0

    @property
    def recall(self) -> float:
        """The share of the expected that was proposed; 1 when there is nothing to miss."""
        return self.right / self.expected if self.expected else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A row for which something was proposed that should not be, or something was not."""

    row: Row
    missed: frozenset[str]
    unasked: frozenset[str]


def load(half: Half | None = None, *, path: Path = FILE) -> list[Row]:
    """Return the rows of one *half*, or all of them."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        rows = map(Row.read, lines)
        return [row for row in rows if half in {None, row.half}]


def overall(rows: Iterable[Row], proposed: Proposed) -> Score:
    """Return the score of all categories together."""
    return _score(rows, proposed, CATEGORIES)


def by_category(rows: Sequence[Row], proposed: Proposed) -> dict[str, Score]:
    """Return the score of each category, over all *rows*."""
    return {name: _score(rows, proposed, [name]) for name in CATEGORIES}


def by_language(rows: Sequence[Row], proposed: Proposed) -> dict[str, Score]:
    """Return the score of all categories together, for each language there is in *rows*."""
    spoken = sorted({row.language for row in rows}, key=LANGUAGES.index)
    return {name: overall(_speaking(rows, name), proposed) for name in spoken}


def mistakes(rows: Iterable[Row], proposed: Proposed) -> list[Mistake]:
    """Return the rows that were not given exactly what they ask for, in their order."""
    found = []
    for row in rows:
        given = proposed.get(row.id, frozenset())
        mistake = Mistake(
            row=row,
            missed=row.categories - given,
            unasked=frozenset(given) - row.categories,
        )
        if mistake.missed or mistake.unasked:
            found.append(mistake)
    return found


def _score(rows: Iterable[Row], proposed: Proposed, names: Iterable[str]) -> Score:
    counted = set(names)
    asked = [(row.categories & counted, proposed.get(row.id, set()) & counted) for row in rows]
    return Score(
        right=sum(len(expected & given) for expected, given in asked),
        proposed=sum(len(given) for _, given in asked),
        expected=sum(len(expected) for expected, _ in asked),
    )


def _speaking(rows: Iterable[Row], language: str) -> list[Row]:
    return [row for row in rows if row.language == language]
