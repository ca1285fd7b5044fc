"""Learn which sentences are rules: `python -m benchmarks.fit_rules`; `--write` keeps the weights.

A logistic regression over the signs of `recollect.notes.rules` and the vectors of the bundled
encoder. The figures leave out one voice at a time, or the three tuning projects together: a
sentence of somebody whose sentences were learned from would be too easy. `--errors` shows what
went wrong.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks import answers_set, triage_set
from recollect.embedders.minilm import MiniLM
from recollect.notes import rules
from recollect.search.embedding import Choice, Embedding
from recollect.text import spoken

SENTENCES = Path(__file__).with_name("labelled") / "rules.txt"
PROMPTS = Path(__file__).with_name("labelled") / "wants.jsonl"
WEIGHTS = Path(rules.__file__).with_name("rule_weights.txt")

# How strongly weights are drawn to zero; left-out figures are flat from 0.3 to 1.
DECAY = 0.5
STEPS = 12
# What people say in ordinary work, from sets that were labelled for something else: every so many,
# each worth so little beside a sentence that was written for this.
EVERY = 4
SIDE_WEIGHT = 0.9
# Whole prompts are what it meets: most of their sentences are no rule, and nobody chose them.
PROMPTS_OF = "prompts of "
PROMPT_WEIGHT = 3.0
# Added to all odds, so that the usual threshold means what it should: at 0.6 a sentence is worth
# asking about.
LEAN = 1.2
# At most so many of what is no rule may be taken for one when recall is told.
FALSE_SHARE = 0.045

Vector = NDArray[np.float64]


class Example(NamedTuple):
    """A sentence, whose it is, and whether it is a rule."""

    voice: str
    text: str
    is_rule: bool
    weight: float = 1.0
    row: str = ""
    """The turn it stands in."""


def main() -> None:
    """Show how well each voice's rules are told by what the others wrote; keep the weights."""
    reads = Embedding(Choice()).reads
    own = [*_written(), *_told()]
    beside = list(_dialogues())
    encoder = MiniLM()
    told: dict[str, Vector] = {}
    for name, known in (("both", True), ("signs", False)):
        used = [one for one in (*own, *beside) if not known or reads(one.text)]
        inputs = np.array([_inputs(one.text, encoder if known else None) for one in used])
        scores = _left_out(used, inputs)
        told[name] = scores[: len(own)]
        if "--write" in sys.argv:
            _keep(name, fitted(inputs, used))
    told["mean"] = (told["both"] + told["signs"]) / 2
    for name, scores in told.items():
        _tell(name, own, scores)


def _written() -> Iterator[Example]:
    """Return the sentences of `rules.txt`."""
    voice = ""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            voice = line[1:-1]
        elif line.startswith(("+ ", "- ")):
            weight = PROMPT_WEIGHT if voice.startswith(PROMPTS_OF) else 1.0
            yield Example(voice, line[2:], is_rule=line[0] == "+", weight=weight)


def _told() -> Iterator[Example]:
    """Return the sentences of the turns of the tuning projects."""
    for project in answers_set.TUNING:
        for row in answers_set.rows(project, "rules"):
            rule = row["sentence"].strip(" .") if row["rule"] else ""
            for one in spoken.sentences(row["prompt"]):
                is_it = bool(rule) and (rule in one.text or one.text.strip(" .") in rule)
                if is_it or not rule:  # What stands beside a rule may be part of it.
                    yield Example("projects", one.text, is_it, row=f"{project} {row['id']}")


def _dialogues() -> Iterator[Example]:
    """Return what users say in the dialogues for triage, where it is clear, and prompts."""
    rows = triage_set.load("tune")
    for row in rows[::EVERY]:
        said = [
            sentence.text
            for message in row.dialogue
            if message.by == "user"
            for sentence in spoken.sentences(message.text)
        ]
        if row.categories <= {"session_summary", "runbook"}:
            yield from (Example("", text, is_rule=False, weight=SIDE_WEIGHT) for text in said)
        elif row.categories <= {"preference", "constraint"} and len(said) == 1:
            yield Example("", said[0], is_rule=True, weight=SIDE_WEIGHT)
    for line in PROMPTS.read_text(encoding="utf-8").splitlines()[::EVERY]:
        for sentence in spoken.sentences(json.loads(line)["prompt"]):
            yield Example("", sentence.text, is_rule=False, weight=SIDE_WEIGHT)


def _inputs(text: str, encoder: MiniLM | None) -> list[float]:
    found = rules.signs(spoken.sentence(text).heard)
    return [*encoder.question(text).tolist(), *found] if encoder else found


def fitted(inputs: Any, used: Sequence[Example]) -> Vector:
    """Return the weights that tell the rules among *used* from the rest, by Newton's method."""
    given = np.hstack([inputs, np.ones((len(inputs), 1))])
    truth = np.array([one.is_rule for one in used], float)
    worth = np.array([one.weight for one in used])
    decay = np.full(given.shape[1], DECAY)
    decay[-1] = 1e-6
    weights = np.zeros(given.shape[1])
    for _ in range(STEPS):
        shares = _share(given @ weights)
        slope = given.T @ (worth * (shares - truth)) + decay * weights
        bend = worth * np.maximum(shares * (1 - shares), 1e-4)
        weights -= np.linalg.solve((given * bend[:, None]).T @ given + np.diag(decay), slope)
    weights[-1] += LEAN
    return weights


def _share(odds: Vector) -> Vector:
    shares: Vector = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return shares


def _left_out(used: Sequence[Example], inputs: Any) -> Vector:
    """Return the score of each example by what all but its own voice were learned from."""
    voices = np.array([one.voice for one in used])
    scores = np.zeros(len(used))
    for voice in sorted(set(voices) - {""}):
        left = voices == voice
        weights = fitted(inputs[~left], [one for one in used if one.voice != voice])
        scores[left] = _share(inputs[left] @ weights[:-1] + weights[-1])
    return scores


def _tell(name: str, used: Sequence[Example], scores: Vector) -> None:
    by_voice = {True: "projects", False: "voices"}
    for is_told, called in by_voice.items():
        best: dict[str, tuple[float, bool]] = {}
        for number, (one, score) in enumerate(zip(used, scores, strict=True)):
            if one.voice and (one.voice == "projects") == is_told:
                before = best.get(one.row or str(number), (0.0, False))
                best[one.row or str(number)] = (max(before[0], score), before[1] or one.is_rule)
        wrong = sorted((score for score, is_rule in best.values() if not is_rule), reverse=True)
        right = [score for score, is_rule in best.values() if is_rule]
        bar = wrong[int(FALSE_SHARE * len(wrong))]
        found = sum(score > bar for score in right) / len(right)
        print(f"{name}, {called} left out: {len(best)} turns, {found:.3f} of the rules at", end=" ")
        print(f"{FALSE_SHARE} of the rest (bar {bar:.2f})")
        for sure in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
            share = sum(score >= sure for score in right) / len(right)
            false = sum(score >= sure for score in wrong) / len(wrong)
            print(f"   at {sure}: {share:.3f} of the rules, {false:.3f} of the rest")
    if "--errors" in sys.argv:
        for one, score in sorted(zip(used, scores, strict=True), key=lambda pair: pair[1]):
            if one.voice and (score > 0.5) != one.is_rule:
                print(f"   {score:.2f} {'+' if one.is_rule else '-'} [{one.voice}] {one.text}")


def _keep(name: str, weights: Vector) -> None:
    about = "# Written by benchmarks.fit_rules: weights of the vector, of the signs, the offset."
    known = WEIGHTS.read_text(encoding="ascii") if name != "both" else f"{about}\n"
    lines = [
        " ".join(f"{weight:.3f}" for weight in weights[start : start + 12])
        for start in range(0, len(weights), 12)
    ]
    WEIGHTS.write_text("\n".join([known.rstrip("\n"), f"[{name}]", *lines, ""]), encoding="ascii")


if __name__ == "__main__":
    main()
