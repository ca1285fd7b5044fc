"""What a run found: a table for people, every question for whoever doubts it.

A part of the run prints its figures as they come, each with its promise and with what it was in
the run recorded before. Its questions are written one a line, so that two runs can be compared
question by question.
"""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

FIGURES = "figures.json"

# How many decimals tell something, and what stands behind them.
UNITS = {"": (3, ""), "ms": (1, " ms"), "s": (1, " s"), "MB": (0, " MB"), "×": (2, " ×")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """Between which values a figure must lie."""

    least: float = -math.inf
    most: float = math.inf

    def holds(self, value: float) -> bool:
        """Tell whether *value* keeps it."""
        return self.least <= value <= self.most

    def __str__(self) -> str:
        if self.least > -math.inf:
            return f"≥ {self.least:g}"
        return f"≤ {self.most:g}" if self.most < math.inf else ""


NOTHING = Promise()


def at_least(value: float) -> Promise:
    """Return the promise of no less than *value*.

    >>> str(at_least(0.76)), at_least(0.76).holds(0.75)
    ('≥ 0.76', False)
    """
    return Promise(least=value)


def at_most(value: float) -> Promise:
    """Return the promise of no more than *value*."""
    return Promise(most=value)


class Part:
    """One part of a run: its questions, its figures, and the promises it broke."""

    def __init__(self, name: str, before: dict[str, float]) -> None:
        self.name = name
        self.questions: list[dict[str, Any]] = []
        self.figures: dict[str, float] = {}
        self.broken: list[str] = []
        self.missing: list[str] = []
        self._before = before

    def say(self, text: str) -> None:
        """Print *text* between the figures."""
        print(f"  {text}", flush=True)

    def lacks(self, what: object) -> None:
        """Say that something was not measured for want of *what*: never skip in silence."""
        self.missing.append(f"{self.name}: {what}")
        self.say(f"not measured: {what} is not there")

    def asked(self, **question: Any) -> None:
        """Note one question and what came of it."""
        self.questions.append(question)

    def mean(self, measure: str, **only: Any) -> float:
        """Return the mean of *measure* over the questions for which *only* holds.

        >>> part = Part("quiz", before={})
        >>> part.asked(kind="date", hit=1.0)
        >>> part.asked(kind="name", hit=0.0)
        >>> part.mean("hit"), part.mean("hit", kind="date")
        (0.5, 1.0)
        """
        chosen = [
            question[measure]
            for question in self.questions
            if question.get(measure) is not None
            and all(question.get(field) == value for field, value in only.items())
        ]
        return mean(chosen) if chosen else 0.0

    def figure(
        self,
        name: str,
        value: float,
        *,
        unit: str = "",
        promise: Promise = NOTHING,
        beside: str = "",
    ) -> None:
        """Print and keep one figure; *beside* says what to compare it with."""
        self.figures[name] = round(value, 6)
        mark = "" if promise.holds(value) else "← broken"
        if mark:
            self.broken.append(f"{self.name}: {name} is {_told(value, unit)}, promised {promise}")
        before = self._before.get(name)
        was = _told(before, unit) if before is not None else ""
        columns = f"{name:<50}{_told(value, unit):>10}  {promise!s:<8}{was:>10}  {beside}  {mark}"
        self.say(columns.rstrip())


class Report:
    """All parts of one run, kept in *folder*."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts: list[Part] = []
        self._recorded: dict[str, dict[str, Any]] = _read(folder / FIGURES)

    @contextmanager
    def part(self, name: str) -> Iterator[Part]:
        """Open the part *name*; what it found is written when the block ends."""
        recorded = self._recorded.get(name, {})
        part = Part(name, recorded.get("figures", {}))
        self._parts.append(part)
        since = f" (before: {recorded['at']})" if recorded else ""
        print(f"\n{name}{since}")
        print(f"  {'':<50}{'now':>10}  {'promise':<8}{'before':>10}", flush=True)
        yield part
        self._write(part)

    def _write(self, part: Part) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if part.questions:
            lines = (json.dumps(question, ensure_ascii=False) for question in part.questions)
            target = self._folder / f"{part.name}.jsonl"
            target.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if part.figures:
            at = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
            # A part that was not asked for this time keeps what it had.
            there = {**self._recorded.get(part.name, {}).get("figures", {}), **part.figures}
            self._recorded[part.name] = {"at": at, "figures": there}
            written = json.dumps(self._recorded, indent=1, ensure_ascii=False)
            (self._folder / FIGURES).write_text(written, encoding="utf-8")

    def conclude(self) -> bool:
        """Print what was not measured and which promises are broken; tell whether none is."""
        missing = [what for part in self._parts for what in part.missing]
        broken = [what for part in self._parts for what in part.broken]
        print()
        for title, what in (("Not measured", missing), ("Broken", broken)):
            if what:
                print(f"{title}:", *what, sep="\n  ")
        if not broken:
            print("No promise that was measured is broken.")
        print(f"Figures and questions: {self._folder}")
        return not broken


def _told(value: float, unit: str) -> str:
    decimals, behind = UNITS[unit]
    return f"{value:.{decimals}f}{behind}"


def _read(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found
