"""The labelled set: the right memory comes first, and nothing where nothing answers.

Its `check` half is held to the promises; the `tune` half, with which weights and bars were chosen,
stands beside. A *good answer* is a question whose gold is among the first five when there is no
bar. It is *lost* when no gold is shown any more.
"""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import corpus
from benchmarks.corpus import Corpus, Memory
from benchmarks.measures import hit
from benchmarks.options import Options
from benchmarks.plain import PlainSearch
from benchmarks.report import NOTHING, Part, Promise, at_least, at_most
from recollect.hooks import claude_code, fallback
from recollect.store.contract.state import Project

FOLDER = Path(__file__).with_name("labelled")

SHOWN = 5
# Deep enough that whatever clears a bar is there, however low it stands without one.
DEPTH = 50
BARS = [number / 10 for number in range(1, 10)]

HALVES = ("check", "tune")
ANSWERED = ("identifier", "keyword", "paraphrase", "date", "followup", "cjk")
UNANSWERED = ("nonsense", "offtopic")

PROMISES = {"identifier hit@1": at_least(1.0), "cjk hit@5": at_least(0.90)}
SILENT = at_least(0.95)
LOST = at_most(0.02)
RELEVANT = at_least(0.85)

PROMPTED = ("prompted", "prompted without a worker")

Rows = Sequence[dict[str, Any]]
Halves = dict[str, Rows]
Shown = Callable[[dict[str, Any]], Sequence[str]]
"""Says which memories were shown for a question."""


def run(part: Part, _options: Options) -> None:
    """Ask every question each way, and show how often the answers were right."""
    with corpus.opened() as shelf:
        desks = {name: Desk(shelf, name, those) for name, those in _memories().items()}
        shelf.embed()
        shelf.app.settings.publish()
        for question in _lines("queries.jsonl"):
            part.asked(**desks[question["project"]].asked(question))
    half: Halves = {half: [row for row in part.questions if row["half"] == half] for half in HALVES}
    part.say(f"{len(half['check'])} questions in `check`, {len(half['tune'])} in `tune`")
    _show_kinds(part)
    _show_way(part, half, "searched", silent=SILENT, lost=LOST)
    # Whoever speaks unasked keeps silent when unsure, so what that loses is shown, not promised.
    _show_way(part, half, PROMPTED[0], silent=SILENT)
    _show_relevance(part, half, PROMPTED[0], promise=RELEVANT)
    _show_way(part, half, PROMPTED[1])
    _show_relevance(part, half, PROMPTED[1])
    _show_bars(part, half)


class Desk:
    """One project of the set, where questions are asked each way there is."""

    def __init__(self, shelf: Corpus, name: str, memories: list[Memory]) -> None:
        self._app = shelf.app
        self._home = shelf.home
        self._folder = str(shelf.folder / name)
        self._project: Project = shelf.project(name, memories)
        self._plain = PlainSearch((one.id, one.text) for one in memories)

    def asked(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return *question* with everything that came of it."""
        text, gold = question["query"], set(question["gold"])
        found = self._app.search.search(text, among=[self._project], limit=DEPTH, min_score=0.0)
        ranked = [(one.entry.id, round(one.score, 4)) for one in found]
        names = [name for name, _ in ranked]
        return {
            **question,
            "ranked": ranked,
            "hit1": hit(names[:1], gold),
            "hit5": hit(names[:SHOWN], gold),
            "fts_hit1": hit(self._plain.first(1, text), gold),
            "fts_hit5": hit(self._plain.first(SHOWN, text), gold),
            **self._shown(text),
        }

    def _shown(self, text: str) -> dict[str, list[str]]:
        """Return what is shown with the usual bar; a prompt that no hook asks with is left out."""
        searched = self._app.search.search(text, among=[self._project], limit=SHOWN)
        shown = {"searched": [one.entry.id for one in searched]}
        if not claude_code.is_question(text):
            return shown
        event: dict[str, object] = {"session_id": "bench", "cwd": self._folder, "prompt": text}
        name, now = "UserPromptSubmit", time.time()
        said, _ = self._app.hooks.respond(name, event, now=now)
        plainly = fallback.answer(self._home, self._project.name, name, event, now=now)
        for way, one in zip(PROMPTED, (said, plainly), strict=True):
            shown[way] = [memory.id for memory in one.shown if memory.kind == "card"]
        return shown


def _show_kinds(part: Part) -> None:
    for kind in ANSWERED:
        for name in ("hit@1", "hit@5"):
            measure = name.replace("@", "")
            plain = part.mean(f"fts_{measure}", kind=kind, half="check")
            tune = part.mean(measure, kind=kind, half="tune")
            part.figure(
                f"{kind} {name}",
                part.mean(measure, kind=kind, half="check"),
                promise=PROMISES.get(f"{kind} {name}", NOTHING),
                beside=f"FTS5 {plain:.3f}, tune {tune:.3f}",
            )


def _show_way(
    part: Part,
    half: Halves,
    way: str,
    *,
    silent: Promise = NOTHING,
    lost: Promise = NOTHING,
) -> None:
    """Show how well one *way* of asking keeps silent, and what that costs."""
    asked = _asked(half, way)
    for name, share, kinds, promise in (
        ("silent", silence, UNANSWERED, silent),
        ("good answers lost", losses, ANSWERED, lost),
    ):
        by_kind = ", ".join(
            f"{kind} {share(_of(asked['check'], [kind]), _by(way)):.3f}" for kind in kinds
        )
        part.figure(
            f"{way}: {name}",
            share(_of(asked["check"], kinds), _by(way)),
            promise=promise,
            beside=f"tune {share(_of(asked['tune'], kinds), _by(way)):.3f}; {by_kind}",
        )


def _show_relevance(part: Part, half: Halves, way: str, *, promise: Promise = NOTHING) -> None:
    """Show how much of what one *way* of asking injects answers what was asked."""
    asked = _asked(half, way)
    told = {name: relevance(rows, _by(way)) for name, rows in asked.items()}
    counts = {name: sum(len(row[way]) for row in rows) for name, rows in asked.items()}
    part.figure(
        f"{way}: share of the injected that is relevant",
        told["check"],
        promise=promise,
        beside=f"of {counts['check']}; tune {told['tune']:.3f} of {counts['tune']}",
    )


def _asked(half: Halves, way: str) -> Halves:
    """Return the questions that were asked in this *way*."""
    return {name: [row for row in rows if way in row] for name, rows in half.items()}


def _show_bars(part: Part, half: Halves) -> None:
    part.say("searched with another bar: silent, good answers lost (in `tune`)")
    for bar in BARS:
        columns = [
            f"{silence(_of(rows, UNANSWERED), _above(bar)):>8.3f}"
            f"{losses(_of(rows, ANSWERED), _above(bar)):>8.3f}"
            for rows in half.values()
        ]
        part.say(f"  {bar:.1f}{columns[0]}   ({columns[1].strip()})")


def silence(rows: Rows, shown: Shown) -> float:
    """Return the share of *rows* for which nothing is *shown*."""
    return mean(not shown(row) for row in rows) if rows else 0.0


def losses(rows: Rows, shown: Shown) -> float:
    """Return the share of the good answers among *rows* of which no gold is *shown*."""
    good = [row for row in rows if row["hit5"]]
    return mean(not hit(shown(row), set(row["gold"])) for row in good) if good else 0.0


def relevance(rows: Rows, shown: Shown) -> float:
    """Return the share of all memories *shown* for *rows* that answer; 0 if none is shown."""
    judged = [name in row["gold"] for row in rows for name in shown(row)]
    return mean(judged) if judged else 0.0


def _by(way: str) -> Shown:
    return lambda row: row[way]


def _above(bar: float) -> Shown:
    return lambda row: [name for name, score in row["ranked"] if score >= bar][:SHOWN]


def _of(rows: Rows, kinds: Iterable[str]) -> Rows:
    return [row for row in rows if row["kind"] in kinds]


def _memories() -> dict[str, list[Memory]]:
    found: dict[str, list[Memory]] = {}
    for one in _lines("memories.jsonl"):
        memory = Memory(
            id=one["id"],
            at=datetime.fromisoformat(one["at"]),
            session=one["session"],
            title=one["title"],
            body=one["body"],
        )
        found.setdefault(one["project"], []).append(memory)
    return found


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).open(encoding="utf-8")]
