"""Learn what the signs of triage are worth, from the labelled dialogues.

    python -m benchmarks.fit_triage            # writes src/recollect/notes/triage_weights.txt
    python -m benchmarks.fit_triage --check    # only tells how well rows it was not fitted on do

Beside them stand short statements (`statements.txt`), since most dialogues say more than is needed.
A label is for a dialogue, not for a sentence: of a dialogue that should propose a category, the
sentence that speaks for it best counts as the one (found again after every fit); of any other,
every sentence counts against it. One logistic regression for each category, with the same signs:
cues and words alike.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from benchmarks import triage_set
from benchmarks.triage_set import Message, Row
from recollect.notes import classifier
from recollect.notes.categories import Category
from recollect.notes.classifier import Speaker
from recollect.notes.triage import THRESHOLDS, SpokenMessage, TriageCandidate, candidates

SPOKEN: tuple[Category, ...] = ("decision", "preference", "constraint", "tech_debt", "runbook")

# A sign that is seen less often teaches nothing.
LEAST_SEEN = 15
WORD_SEEN = 10
WORD_BESIDE_SEEN = 25
# How strongly weights are held near zero; chosen with the rows of some writers left out.
RIDGE = 4.0
WORD_RIDGE = 1.0
ROUNDS = 6
FOLDS = 5
SEEDS = (1, 2)
# When a fit is done.
STEPS = 400
LEAST_GAIN = 1e-3
SMALLEST_STEP = 1e-7
# What is proposed from this probability on; precision counts for more than recall. A shift of the
# constant makes it the threshold of the settings.
LEAST_LIKELY: Mapping[Category, float] = {
    "decision": 0.33,
    "preference": 0.36,
    "constraint": 0.27,
    "tech_debt": 0.32,
    "runbook": 0.33,
}
# A sentence counts once more, by this much, as if nobody had answered to it yet.
UNANSWERED = 0.3
# A short statement has few signs, so each counts for more; the plainest ones must be understood.
OUTRIGHT = 1.2
PLAINEST = 2.2
# Weights below this are left out of the table.
SMALLEST = 0.08

SPEAKERS: tuple[Speaker, ...] = ("user", "agent")
STATEMENTS = Path(__file__).with_name("statements.txt")

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """Sentences as rows of numbers, of which nearly all are nought: only the others are kept."""

    signs: NDArray[np.int64]
    """The places of the signs that there are, sentence by sentence."""
    values: Vector
    begins: NDArray[np.int64]
    """Where each sentence begins in these, and where the last one ends."""

    @classmethod
    def of(cls, told: Sequence[Mapping[str, float]], place: Mapping[str, int]) -> Self:
        """The sentences *told*, by the signs that have a *place*."""
        known = [[(place[name], one[name]) for name in one if name in place] for one in told]
        cells = [cell for one in known for cell in one]
        return cls(
            signs=np.array([sign for sign, _ in cells]),
            values=np.array([value for _, value in cells]),
            begins=np.cumsum([0, *map(len, known)]),
        )

    def only(self, rows: NDArray[np.int64]) -> Self:
        """The sentences with these numbers."""
        sizes = np.diff(self.begins)[rows]
        begins = np.concatenate([[0], np.cumsum(sizes)])
        cells = np.repeat(self.begins[rows] - begins[:-1], sizes) + np.arange(begins[-1])
        return replace(self, signs=self.signs[cells], values=self.values[cells], begins=begins)

    def total(self, worth: Vector) -> Vector:
        """What the signs of each sentence are worth together; each has at least one."""
        return np.add.reduceat(self.values * worth[self.signs], self.begins[:-1])

    def slope(self, off: Vector, signs: int) -> Vector:
        """How each sign's worth should change if the sentences are *off* by so much."""
        by_cell = self.values * np.repeat(off, np.diff(self.begins))
        return np.asarray(np.bincount(self.signs, weights=by_cell, minlength=signs), np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """What may speak for one category: a sentence each, and the dialogue it stands in."""

    sentences: Sentences
    dialogues: list[NDArray[np.int64]]
    """Which sentences belong together."""
    wanted: Vector
    """1 where the dialogue should propose the category, 0 elsewhere."""
    counts: Vector


def signs_of(one: TriageCandidate) -> dict[str, float]:
    """Return the signs of a candidate as numbers."""
    return {**dict.fromkeys(one.signs, 1.0), "way out": one.way_out, "always": 1.0}


def unanswered(signs: Mapping[str, float]) -> dict[str, float]:
    """Return *signs* as they would be before the agent's answer."""
    kept = {name: value for name, value in signs.items() if not name.startswith("reply ")}
    return {**kept, "unanswered": 1.0}


def fit(said: Sentences, wanted: Vector, counts: Vector, ridge: Vector, start: Vector) -> Vector:
    """Return the weights of a logistic regression, found by L-BFGS from *start* on."""

    def cost(worth: Vector) -> tuple[float, Vector]:
        total = said.total(worth)
        off = counts * (1 / (1 + np.exp(-np.clip(total, -30, 30))) - wanted)
        missed = counts * (np.logaddexp(0, total) - wanted * total)
        held = float((ridge * worth * worth).sum() / 2)
        return float(missed.sum()) + held, said.slope(off, len(worth)) + ridge * worth

    worth, past = start, _Past()
    at, slope = cost(worth)
    for _ in range(STEPS):
        step = past.step(slope)
        while True:
            after, (below, next_slope) = worth - step, cost(worth - step)
            if below <= at - 1e-4 * float(slope @ step) or np.abs(step).max() < SMALLEST_STEP:
                break
            step = step / 2
        past.add(after - worth, next_slope - slope)
        gained, worth, at, slope = at - below, after, below, next_slope
        if gained < LEAST_GAIN:
            break
    return worth


class _Past:
    """The last steps and what they did to the slope: what L-BFGS knows of the curvature."""

    def __init__(self) -> None:
        self._known: list[tuple[Vector, Vector]] = []

    def add(self, step: Vector, change: Vector) -> None:
        if float(step @ change) > 1e-10:
            self._known = [*self._known, (step, change)][-8:]

    def step(self, slope: Vector) -> Vector:
        """Return where to go from a place with this *slope*."""
        found, shares = slope.copy(), []
        for step, change in reversed(self._known):
            shares.append(float(step @ found) / float(step @ change))
            found -= shares[-1] * change
        if self._known:
            step, change = self._known[-1]
            found *= float(step @ change) / float(change @ change)
        else:
            found *= 0.01
        for step, change in self._known:
            found += (shares.pop() - float(change @ found) / float(step @ change)) * step
        return found


def learned(examples: Examples, first: Vector, ridge: Vector) -> Vector:
    """Return the weights for one category; *first* says which sentences to begin with."""
    worth, start = first, np.zeros_like(first)
    for _ in range(ROUNDS):
        total = examples.sentences.total(worth)
        rows = np.concatenate(
            [
                one[[np.argmax(total[one])]] if examples.wanted[one[0]] else one
                for one in examples.dialogues
            ]
        )
        after = fit(
            examples.sentences.only(rows),
            examples.wanted[rows],
            examples.counts[rows],
            ridge,
            start,
        )
        settled = np.abs(after - worth).max() < 1e-2
        worth = start = after
        if settled:
            break
    return worth


def table(rows: Sequence[Row]) -> dict[Category, dict[str, float]]:
    """Return what each sign is worth for each category, learned from *rows* and statements."""
    rows = [*rows, *statements()]
    told = [[(one.categories, signs_of(one)) for one in heard_in(row)] for row in rows]
    seen = Counter(name for found in told for _, signs in found for name in signs)
    names = {name for name, times in seen.items() if times >= _least_seen(name)} | {"unanswered"}
    place = {name: at for at, name in enumerate([*sorted(names - {"always"}), "always"])}
    ridge = np.array([_ridge(name) for name in place])
    worth: dict[Category, dict[str, float]] = {}
    for category in SPOKEN:
        first = np.array([float(name.startswith(f"{category}.")) for name in place])
        found_worth = learned(_examples(category, rows, told, place), first, ridge)
        worth[category] = dict(zip(place, map(float, found_worth), strict=True))
        shift = _log_odds(THRESHOLDS[category]) - _log_odds(LEAST_LIKELY[category])
        worth[category]["always"] += shift
    return worth


def _examples(
    category: Category,
    rows: Sequence[Row],
    told: Sequence[Sequence[tuple[tuple[Category, ...], dict[str, float]]]],
    place: Mapping[str, int],
) -> Examples:
    """Every sentence of *rows* that may speak for *category*, as it was *told*."""
    heard: list[dict[str, float]] = []
    dialogues, wanted, counts = [], [], []
    for row, found in zip(rows, told, strict=True):
        signs = [one for categories, one in found if category in categories]
        for each, count in _ways_to_hear(row, signs):
            if each:
                dialogues.append(np.arange(len(heard), len(heard) + len(each)))
                heard += each
                wanted += [float(category in row.categories)] * len(each)
                counts += [count] * len(each)
    return Examples(
        sentences=Sentences.of(heard, place),
        dialogues=dialogues,
        wanted=np.array(wanted),
        counts=np.array(counts),
    )


def _is_word(name: str) -> bool:
    return name.startswith("word ") or _is_word_beside(name)


def _is_word_beside(name: str) -> bool:
    """True for a word of another sentence than the one that is scored."""
    return name.startswith(("near word ", "reply word "))


def _least_seen(name: str) -> int:
    if _is_word_beside(name):
        return WORD_BESIDE_SEEN
    return WORD_SEEN if _is_word(name) else LEAST_SEEN


def _ridge(name: str) -> float:
    return 0.01 if name == "always" else WORD_RIDGE if _is_word(name) else RIDGE


def _ways_to_hear(
    row: Row, signs: list[dict[str, float]]
) -> list[tuple[list[dict[str, float]], float]]:
    if len(row.dialogue) == 1:
        return [(signs, OUTRIGHT if row.language else PLAINEST)]
    return [(signs, 1.0), ([unanswered(one) for one in signs], UNANSWERED)]


def _log_odds(likely: float) -> float:
    return float(np.log(likely / (1 - likely)))


def written(worth: Mapping[Category, Mapping[str, float]]) -> str:
    """Return the table as it is kept: a line for each sign, a column for each category."""
    names = sorted({name for column in worth.values() for name in column})
    lines = [" ".join(worth)]
    for name in names:
        cells = [column.get(name, 0.0) for column in worth.values()]
        shown = [f"{cell:.2f}" if abs(cell) >= SMALLEST else "." for cell in cells]
        if any(cell != "." for cell in shown):
            lines.append(" ".join([name, *shown]))
    return "\n".join(lines) + "\n"


@cache
def heard_in(row: Row) -> list[TriageCandidate]:
    """Return the candidates of a dialogue."""
    return candidates([SpokenMessage(by=one.by, text=one.text) for one in row.dialogue])


def use(worth: Mapping[Category, Mapping[str, float]]) -> None:
    """Write the table, and go by it from now on."""
    classifier.FILE.write_text(written(worth), encoding="utf-8", newline="\n")
    classifier.weights.cache_clear()


def main() -> None:
    """Fit, or tell how well a fit does on rows that it has not seen."""
    options = argparse.ArgumentParser(description="Learn what the signs of triage are worth.")
    options.add_argument("--check", action="store_true", help="cross-validate; write nothing")
    options.add_argument("--also", type=Path, nargs="*", default=[], help="more labelled dialogues")
    chosen = options.parse_args()
    rows = [*triage_set.load("tune"), *(row for path in chosen.also for row in read(path))]
    if chosen.check:
        tell(rows)
    else:
        use(table(rows))


def statements() -> Iterator[Row]:
    """Yield the short statements, each as a dialogue of its own; `|` begins the agent's answer."""
    wanted = ""
    for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            wanted = line.strip("[]")
        elif line and not line.startswith("#"):
            yield Row(
                id=line,
                categories=frozenset({wanted} - {"none"}),
                language="",
                half="tune",
                dialogue=tuple(
                    Message(by=by, text=text)
                    for by, text in zip(SPEAKERS, line.split(" | "), strict=False)
                ),
                tools=(),
                why="",
            )


def read(path: Path) -> list[Row]:
    """Return the rows of a file that knows no halves."""
    lines = filter(str.strip, path.read_text(encoding="utf-8").split("\n"))
    return [Row.read(json.dumps({"half": "tune"} | json.loads(line))) for line in lines]


def tell(rows: Sequence[Row]) -> None:
    """Print the scores of a cross-validation, for each seed."""
    kept = classifier.FILE.read_text(encoding="utf-8")
    try:
        for seed in SEEDS:
            proposed = _out_of_fold(rows, seed)
            print(f"seed {seed}")
            scores = triage_set.by_category(rows, proposed) | triage_set.by_language(rows, proposed)
            for name, score in scores.items():
                print(f"{name:16} precision {score.precision:.3f}  recall {score.recall:.3f}")
    finally:
        classifier.FILE.write_text(kept, encoding="utf-8", newline="\n")
        classifier.weights.cache_clear()


def _out_of_fold(rows: Sequence[Row], seed: int) -> dict[str, set[str]]:
    """What is proposed for each row by a fit that has not seen it."""
    from benchmarks.triage import _proposed  # noqa: PLC0415

    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    proposed: dict[str, set[str]] = {}
    for fold in range(FOLDS):
        out = set(order[fold::FOLDS])
        use(table([rows[number] for number in order if number not in out]))
        for number in out:
            proposed[rows[number].id] = {one.category for one in _proposed(rows[number])}
    return proposed


if __name__ == "__main__":
    main()
