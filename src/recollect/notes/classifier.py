"""How much a sentence speaks for each kind of note. Pure.

Each sign is worth something for or against each kind; what they are worth together is a
probability. The table is `triage_weights.txt`, fitted on labelled dialogues by
`benchmarks.fit_triage`.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from recollect.notes.categories import Category
from recollect.notes.cues import LanguageCues, Recovery
from recollect.notes.features import Features
from recollect.text.spoken import Sentence

FILE = Path(__file__).with_name("triage_weights.txt")

Speaker = Literal["user", "agent"]

# A way out of a problem is told in so many sentences.
RECOVERY_SENTENCES = 7
BY_STEPS = (0.0, 0.05, 0.15, 0.25, 0.3)

# A command in plain text, without the marks of code around it.
_COMMAND = re.compile(
    r"(?<![\w./-])(?:sudo|systemctl|docker(?:-compose)?|kubectl|helm|p?npm|yarn|npx|git|pip3?|brew"
    r"|gem|cargo|make|gradle|mvn|terraform|ansible|psql|redis-cli|crictl|nerdctl|ssh|scp|rm|chmod"
    r"|chown|p?kill|killall|journalctl|service|apt|apt-get|dnf|yum|apk|adb|xcodebuild|pod|flutter"
    r"|conda|poetry|uv|alembic|rake|rails|composer|dotnet|node|python3?|openssl|certbot"
    r"|(?:\./|bin/)[\w./-]+) [\w./-]+"
)
# "(2) found the offset", in one line.
_NUMBERED = re.compile(r"(?:^|[\s,;:：，、])\(?[1-9][.)）] ?(?=\w)")


def score(category: Category, signs: Features, way_out: float = 0.0) -> float:
    """Return how likely a sentence with these *signs* is worth a note of this *category*.

    *way_out* is how much it begins a way out of a problem (`recovery`).
    """
    worth = weights()[category]
    total = worth.get("always", 0.0) + worth.get("way out", 0.0) * way_out
    # Exact, so that the order of a set does not matter.
    total += math.fsum(worth[sign] for sign in signs if sign in worth)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def weights() -> Mapping[Category, Mapping[str, float]]:
    """Return what each sign is worth, by category: a column each of the table."""
    heading, *rows = FILE.read_text(encoding="utf-8").splitlines()
    categories: list[Category] = heading.split()
    cells = [row.rsplit(maxsplit=len(categories)) for row in rows]
    return {
        category: {sign: float(worth[column]) for sign, *worth in cells if worth[column] != "."}
        for column, category in enumerate(categories)
    }


def recovery(
    lines: Sequence[Sentence], by: Speaker, asked: str, language: LanguageCues
) -> tuple[int, float] | None:
    """Return which of *lines* begins the best way out of a problem, and its score.

    *asked* is everything the user said: the problem may have been told before.
    """
    # "Remove the workaround, the bug is fixed" is a request; a list of steps is not.
    work = language.request if by == "user" and len(lines) == 1 else None
    told = [_RecoveryPart.of(line, language.runbook, work) for line in lines]
    known = 0.15 * bool(language.runbook.symptom.search(asked))
    least = 1 if by == "user" else 2
    stretches = [told[start : start + RECOVERY_SENTENCES] for start in range(len(told))]
    found = [
        (start + _begin(stretch), known + _way_out(stretch))
        for start, stretch in enumerate(stretches)
        if sum(one.steps for one in stretch) >= least
    ]
    return max(found, key=lambda one: one[1], default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _RecoveryPart:
    """What one sentence adds to the way out of a problem."""

    steps: int
    """How many things it says to do, or that were done, to a machine."""
    remedy: bool
    cause: bool
    check: bool

    @classmethod
    def of(cls, line: Sentence, told: Recovery, work: re.Pattern[str] | None) -> "_RecoveryPart":
        heard = line.heard
        plain = not line.technical and not (work and work.search(heard))
        remedy = any(cue.search(heard) for cue in (told.again, told.remedy))
        return cls(
            steps=sum(len(cue.findall(heard)) for cue in (told.action, _COMMAND, _NUMBERED))
            * plain,
            remedy=plain and remedy and not told.never.search(heard),
            cause=not line.asks and told.cause.search(heard) is not None,
            check=not line.asks and told.check.search(heard) is not None,
        )


def _way_out(stretch: Sequence[_RecoveryPart]) -> float:
    steps = sum(one.steps for one in stretch)
    return (
        0.3 * any(one.remedy for one in stretch)
        + 0.2 * any(one.cause for one in stretch)
        + 0.15 * any(one.check for one in stretch)
        + BY_STEPS[min(steps, len(BY_STEPS) - 1)]
    )


def _begin(stretch: Sequence[_RecoveryPart]) -> int:
    """The sentence that tells of a remedy, or of the first step."""
    remedies = [number for number, one in enumerate(stretch) if one.remedy]
    steps = [number for number, one in enumerate(stretch) if one.steps]
    return (remedies or steps)[0]
