"""Learn what a prompt wants: `python -m benchmarks.fit_wants` prints figures, `--write` keeps it.

A logistic regression over the vectors of the bundled encoder. The figures leave out one writer at a
time: a prompt of somebody whose prompts were learned from would be too easy.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.embedders.minilm import MiniLM
from recollect.search import wants
from recollect.search.embedding import Choice, Embedding
from recollect.text import question

PROMPTS = Path(__file__).with_name("labelled") / "wants.jsonl"
WEIGHTS = Path(wants.__file__).with_name("wants.txt")
NAMES = ("past", "work", "none")

# How strongly weights are drawn to zero; left-out figures are flat from 0.2 to 1.
DECAY = 0.5
STEPS = 500

Matrix = NDArray[np.float64]


def main() -> None:
    """Show how well each writer's prompts are told apart by what the others wrote."""
    # Of a script that the encoder does not know it says nothing.
    reads = Embedding(Choice()).reads
    rows = [json.loads(line) for line in PROMPTS.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if reads(row["prompt"])]
    encoder = MiniLM()
    vectors = np.array([encoder.question(question.read(row["prompt"]).text) for row in rows])
    wanted = np.array([NAMES.index(row["wants"]) for row in rows])
    writers = np.array([row["writer"] for row in rows])
    for writer in sorted(set(writers)):
        left_out = writers == writer
        shares = predicted(fitted(vectors[~left_out], wanted[~left_out]), vectors[left_out])
        right = float((shares.argmax(axis=1) == wanted[left_out]).mean())
        area = _area(-shares[:, 2], wanted[left_out] != 2)
        print(f"writer {writer}, left out: {left_out.sum()} prompts, right {right:.3f},", end=" ")
        print(f"none told from the rest with AUC {area:.3f}")
    if "--write" in sys.argv:
        WEIGHTS.write_text(_written(fitted(vectors, wanted)), encoding="ascii")


def fitted(vectors: Any, wanted: Any) -> Matrix:
    """Return the weights, a row a name, that tell *wanted* from *vectors*."""
    given = np.hstack([vectors, np.ones((len(vectors), 1))])
    truth = np.eye(len(NAMES))[wanted]
    decay = np.full(given.shape[1], DECAY)
    decay[-1] = 0.0
    step = 1 / (0.5 * np.linalg.norm(given, 2) ** 2 + DECAY)
    weights = np.zeros((len(NAMES), given.shape[1]))
    ahead = weights
    for count in range(STEPS):
        slope = (_shares(given @ ahead.T) - truth).T @ given + decay * ahead
        before, weights = weights, ahead - step * slope
        ahead = weights + count / (count + 3) * (weights - before)
    return weights


def predicted(weights: Matrix, vectors: Any) -> Matrix:
    """Return how likely each of *vectors* wants each thing."""
    return _shares(vectors @ weights[:, :-1].T + weights[:, -1])


def _shares(odds: Matrix) -> Matrix:
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    shares: Matrix = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _area(scores: Any, truth: Any) -> float:
    """Return how often one that is true scores higher than one that is not."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(1, len(scores) + 1)
    true = int(truth.sum())
    return float((ranks[truth].sum() - true * (true + 1) / 2) / (true * (len(truth) - true)))


def _written(weights: Matrix) -> str:
    lines = [" ".join(f"{weight:.3f}" for weight in row) for row in weights]
    about = "# Written by benchmarks.fit_wants: past, work, none; 384 weights and the offset each."
    return "\n".join([about, *lines, ""])


if __name__ == "__main__":
    main()
