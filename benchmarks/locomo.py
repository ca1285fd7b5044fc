"""LoCoMo: what was said in a long conversation is found again, turn by turn.

Every turn is an entry and every conversation a project; how many of the turns that answer a
question are among the first ten.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks import corpus
from benchmarks.corpus import Corpus, Memory
from benchmarks.measures import recall, reciprocal_rank
from benchmarks.options import Options
from benchmarks.plain import PlainSearch
from benchmarks.report import Part, at_least
from recollect.store.contract.state import Project

RECALL_AT_10 = 0.76

CATEGORIES = {1: "several turns", 2: "when", 3: "open", 4: "one turn", 5: "turned about"}

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the turns that answer it."""

    text: str
    category: int
    gold: set[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One conversation."""

    turns: list[Memory]
    questions: list[Question]


def run(part: Part, options: Options) -> None:
    """Measure the recall of turns."""
    files = sorted((options.data / "locomo").glob("*.json"))
    if not files:
        part.lacks(options.data / "locomo" / "*.json")
        return
    raw = [one for file in files for one in json.loads(file.read_text(encoding="utf-8"))]
    talks = [_talk(one, number) for number, one in enumerate(raw)]
    with corpus.opened() as shelf:
        kept = [shelf.project(f"talk-{n}", talk.turns) for n, talk in enumerate(talks)]
        passages = shelf.embed()
        for talk, project in zip(talks, kept, strict=True):
            _ask(part, shelf, talk, project)
    part.say(f"{len(talks)} conversations, {passages} turns, {len(part.questions)} questions")
    _show(part)


def _ask(part: Part, shelf: Corpus, talk: Talk, project: Project) -> None:
    plain = PlainSearch((turn.id, turn.text) for turn in talk.turns)
    for question in talk.questions:
        found = shelf.first(20, question.text, among=[project])
        part.asked(
            question=question.text,
            category=question.category,
            gold=sorted(question.gold),
            found=found,
            recall5=recall(found[:5], question.gold),
            recall10=recall(found[:10], question.gold),
            recall20=recall(found, question.gold),
            rank=reciprocal_rank(found, question.gold),
            **_plainly(plain.first(20, question.text), question.gold),
        )


def _plainly(found: list[str], gold: set[str]) -> dict[str, float]:
    return {
        "fts_recall5": recall(found[:5], gold),
        "fts_recall10": recall(found[:10], gold),
        "fts_recall20": recall(found, gold),
        "fts_rank": reciprocal_rank(found, gold),
    }


def _show(part: Part) -> None:
    def beside(measure: str, **only: int) -> str:
        return f"FTS5 {part.mean(f'fts_{measure}', **only):.3f}"

    part.figure(
        "recall@10",
        part.mean("recall10"),
        promise=at_least(RECALL_AT_10),
        beside=beside("recall10"),
    )
    for name, measure in (("recall@5", "recall5"), ("recall@20", "recall20"), ("MRR", "rank")):
        part.figure(name, part.mean(measure), beside=beside(measure))
    for category, meaning in CATEGORIES.items():
        part.figure(
            f"recall@10, category {category} ({meaning})",
            part.mean("recall10", category=category),
            beside=beside("recall10", category=category),
        )


def _talk(raw: dict[str, Any], number: int) -> Talk:
    turns = list(_turns(raw["conversation"], number))
    known = {turn.id for turn in turns}
    questions = []
    for one in raw["qa"]:
        # Some rows join several turns in one string, a few name none.
        told = _TURN.findall(" ".join(map(str, one.get("evidence") or [])))
        if gold := {_turn_id(number, turn) for turn in told} & known:
            text, category = str(one["question"]), int(one["category"])
            questions.append(Question(text=text, category=category, gold=gold))
    return Talk(turns=turns, questions=questions)


def _turns(talk: dict[str, Any], number: int) -> Iterator[Memory]:
    for session in filter(_SESSION.fullmatch, talk):
        began = _when(talk[f"{session}_date_time"])
        for place, turn in enumerate(talk[session]):
            picture = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Memory(
                id=_turn_id(number, turn["dia_id"]),
                at=began + timedelta(seconds=30 * place),
                session=f"{number}-{session}",
                title=turn["speaker"],
                body=" ".join(f"{turn['text']}{picture}".split()),
            )


def _turn_id(number: int, turn: str) -> str:
    return f"{number}.{turn.replace(':', '.')}"


def _when(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
