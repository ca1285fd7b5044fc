"""LongMemEval: all sessions that answer a question are among the first five.

Every session is an entry, every question has its own candidates and so its own project.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from benchmarks import corpus
from benchmarks.corpus import Corpus, Memory
from benchmarks.measures import recall
from benchmarks.options import Options
from benchmarks.plain import PlainSearch
from benchmarks.report import Part, at_least
from recollect.store.contract.state import Project

ALL_AT_5 = 0.86

# A home for so many questions, so that the disk stays small.
QUESTIONS_A_HOME = 50


def run(part: Part, options: Options) -> None:
    """Measure whether all sessions that answer come first."""
    files = sorted((options.data / "longmemeval").glob("*.jsonl"))
    if not files:
        part.lacks(options.data / "longmemeval" / "*.jsonl")
        return
    everything = [json.loads(line) for file in files for line in file.open(encoding="utf-8")]
    questions = [one for one in everything if one["gold_session_ids"]]
    sessions = 0
    for first in range(0, len(questions), QUESTIONS_A_HOME):
        with corpus.opened() as shelf:
            those = questions[first : first + QUESTIONS_A_HOME]
            kept = [shelf.project(f"q{n}", _sessions(one)) for n, one in enumerate(those)]
            sessions += shelf.embed()
            for one, project in zip(those, kept, strict=True):
                _ask(part, shelf, one, project)
    part.say(f"{len(questions)} questions, {sessions} passages of sessions")
    _show(part)


def _ask(part: Part, shelf: Corpus, one: dict[str, Any], project: Project) -> None:
    gold = {_safe(name) for name in one["gold_session_ids"]}
    found = shelf.first(5, one["question"], among=[project])
    plain = PlainSearch((_safe(each["id"]), each["text"]) for each in one["sessions"])
    plainly = plain.first(5, one["question"])
    part.asked(
        question=one["question"],
        type=one["question_type"],
        gold=sorted(gold),
        found=found,
        all5=float(gold <= set(found)),
        recall5=recall(found, gold),
        fts_all5=float(gold <= set(plainly)),
        fts_recall5=recall(plainly, gold),
    )


def _show(part: Part) -> None:
    def beside(measure: str, **only: str) -> str:
        return f"FTS5 {part.mean(f'fts_{measure}', **only):.3f}"

    part.figure("all@5", part.mean("all5"), promise=at_least(ALL_AT_5), beside=beside("all5"))
    part.figure("recall@5", part.mean("recall5"), beside=beside("recall5"))
    for kind in sorted({question["type"] for question in part.questions}):
        part.figure(
            f"all@5, {kind}", part.mean("all5", type=kind), beside=beside("all5", type=kind)
        )


def _sessions(one: dict[str, Any]) -> Iterator[Memory]:
    for session in one["sessions"]:
        lines = (line for line in session["text"].splitlines() if line.strip())
        yield Memory(
            id=_safe(session["id"]),
            at=datetime.strptime(session["date"], "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC),
            session=_safe(session["id"]),
            title="",
            # Set in, so that nothing that was said can be taken for a heading.
            body="\n".join(f"  {line}" for line in lines),
        )


def _safe(name: str) -> str:
    return re.sub(r"[^\w.-]", "-", name)
