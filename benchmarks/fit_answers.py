"""Choose what `recollect.search.score` weighs: `python -m benchmarks.fit_answers` prints it.

Every candidate passage of every prompt of the tuning projects is listed with its signals. Which of
them answer is known, so the weights that put them first are found by a softmax over each prompt's
candidates, leaving one project out at a time; the constants in the module are these, rounded.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks import answers_set, claude_transcripts, corpus
from recollect.search import search
from recollect.search.query import Query
from recollect.text import question

SIGNALS = (
    *("nearness", "turn_nearness", "request_nearness", "term_coverage", "turn_coverage"),
    *("named", "named_here", "asked", "ran", "changed", "remarked", "own"),
)
CANDIDATES = 20
DECAY = 0.02
STEPS = 400

Case = tuple[str, np.ndarray, np.ndarray]
"""The project of a prompt, the signals of its candidates, and which of them answer."""


def main() -> None:
    """Print the weights that each left-out project would have had, and how well they do there."""
    cases = [case for name in answers_set.TUNING for case in _cases(name) if case[2].any()]
    for left_out in answers_set.TUNING:
        weights = fitted([case for case in cases if case[0] != left_out])
        found = [case for case in cases if case[0] == left_out]
        first = np.mean([case[2][(case[1] @ weights).argmax()] for case in found])
        print(f"without {left_out}: an answering passage comes first for {first:.3f} there")
        print("   " + ", ".join(f"{n} {w:.1f}" for n, w in zip(SIGNALS, weights, strict=True)))


def fitted(cases: Sequence[Case]) -> np.ndarray:
    """Return the weights under which the passages that answer come first."""
    weights = np.zeros(len(SIGNALS))
    pace = np.zeros(len(SIGNALS))
    for _ in range(STEPS):
        slope = DECAY * len(cases) * weights
        for _, signals, answers in cases:
            shares = np.exp(signals @ weights - (signals @ weights).max())
            shares /= shares.sum()
            right = shares * answers
            slope += signals.T @ (shares - right / max(right.sum(), 1e-12))
        pace = 0.9 * pace - 0.5 / len(cases) * slope
        weights = weights + pace
    return weights


def _cases(project: str) -> Iterator[Case]:
    with corpus.opened() as shelf:
        folder = shelf.folder / project
        folder.mkdir()
        sessions = shelf.folder / "sessions"
        claude_transcripts.write(sessions, answers_set.rows(project, "turns"), project=folder)
        shelf.app.importing.transcripts(Path(sessions), lambda *_: None)
        shelf.embed()
        keys = {
            turn["id"]: claude_transcripts.turn_key(project, turn["id"])
            for turn in answers_set.rows(project, "turns")
        }
        for row in answers_set.rows(project, "prompts"):
            if row["gold"]:
                golden = {keys[turn] for turn in row["gold"]}
                yield project, *_signals(shelf, row["prompt"], golden, row["answer"])


def _signals(
    shelf: corpus.Corpus, prompt: str, golden: set[str], answer: Sequence[Sequence[str]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the signals of each candidate for *prompt*, and whether it holds an answer."""
    asked = question.read(prompt)
    request = search.Request(
        query=Query.plain(asked.searched), meaning=asked.text, limit=CANDIDATES, min_score=0.0
    )
    embed = shelf.app.hooks.answering._deps.embed
    found = search.search(shelf.app.inside.index, request, embed=embed)
    rows, answers = [], []
    for one in found:
        for passage in one.passages:
            signals = passage.signals
            parts = [float(signals.part == part) for part in SIGNALS[7:]]
            rows.append([getattr(signals, name) for name in SIGNALS[:7]] + parts)
            text = passage.passage.text
            is_told = any(answers_set.holds([group], text) for group in answer)
            answers.append(one.entry.turn in golden and is_told)
    return np.array(rows, float).reshape(-1, len(SIGNALS)), np.array(answers, bool)


if __name__ == "__main__":
    main()
