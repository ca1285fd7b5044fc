"""What a model is sent for real turns: tokens a call and a turn, by our estimate.

The turns are imported and asked about through the pipeline that everybody uses; only the engine
is one that says nothing.
"""

import json
import tarfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import quantiles

from benchmarks import coding_sessions, corpus
from benchmarks.corpus import Corpus
from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, Promise, at_most
from recollect import paths, tokens
from recollect.app.recollect import Recollect
from recollect.llm.engine import Asked, Completion
from recollect.store.contract.state import Spent
from recollect.transcripts.turns import CleanTurn

TURNS = 200
MOST_TOKENS = 6_000


class Silent:
    """An engine that finds nothing worth keeping, and remembers what it was asked."""

    name = "silent"
    default_model = "silent-1"

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def ask(self, asked: Asked) -> Completion:
        """Say that nothing is worth keeping."""
        self.asked.append(asked)
        return Completion(text='{"kind": "nothing"}', model=self.default_model, spent=Spent())

    def stop(self) -> None:
        """Nothing is ever under way."""


def run(part: Part, options: Options) -> None:
    """Ask about so many turns, each alone and a few together."""
    given = coding_sessions.files(part, options)
    if not given:
        return
    with corpus.opened() as shelf:
        sessions = shelf.folder / "sessions"
        with tarfile.open(given[0]) as archived:
            archived.extractall(sessions, filter="data")
        for file in islice(sorted(sessions.rglob("*.jsonl")), 30):
            shelf.app.importing.transcripts(file, lambda *_: None)
        turns = list(islice(_turns(shelf.app), TURNS))
        if len(turns) < TURNS:
            part.lacks(f"turn {len(turns) + 1} of {TURNS}")
            return
        for when in ("turn", "turns"):
            _ask(part, shelf, when, turns)


def _turns(app: Recollect) -> Iterator[tuple[str, CleanTurn]]:
    """Return every turn there is, each with its project."""
    for project in app.projects.all():
        archived = app.inside.library(project.name).archive
        for session in archived.sessions():
            for turn in archived.read(session):
                yield project.name, turn


def _held(turns: Sequence[tuple[str, CleanTurn]]) -> int:
    """Return how many tokens *turns* hold, with all that tools were given and gave back."""
    held = 0
    for _, turn in turns:
        said = [turn.prompt, *turn.remarks, turn.answer]
        done = [f"{call.input} {call.output}" for call in turn.tools]
        held += sum(map(tokens.estimate, said + done))
    return held


def _ask(part: Part, shelf: Corpus, when: str, turns: Sequence[tuple[str, CleanTurn]]) -> None:
    settings = {"engine": "openai", "when": when, "daily_tokens": 10**9}
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    Path(paths.config(shelf.home)).write_text("[synthesis]\n" + "\n".join(lines) + "\n")
    engine = Silent()
    app = Recollect(shelf.home, engine=lambda _: engine)
    batches: list[list[int]] = []
    try:
        for project, turn in turns:
            _queue(app, project, turn)
        began = time.perf_counter()
        while app.models.enrichment.work(now=time.time()):
            batches.append([_sent(one) for one in engine.asked])
            engine.asked.clear()
        seconds = time.perf_counter() - began
        left = app.inside.state.queue.everything()
        assert not left, f"{len(left)} turns were not asked about"
    finally:
        app.close()
    calls = [sent for batch in batches for sent in batch]
    part.say(f"{len(turns)} turns in {len(calls)} calls (synthesis.when = {when})")
    _spread(part, f"{when}: tokens a call", calls, promise=at_most(MOST_TOKENS))
    if when == "turn":
        # Whatever is asked about a turn is asked before the next one is taken up.
        assert len(batches) == len(turns), f"{len(turns)} turns were taken up {len(batches)} times"
        _spread(part, f"{when}: tokens a turn", [sum(batch) for batch in batches])
    part.figure(f"{when}: tokens a turn, mean", sum(calls) / len(turns))
    part.figure(f"{when}: of the tokens the turns hold", sum(calls) / _held(turns), unit="×")
    part.figure(f"{when}: our own work a call", 1000 * seconds / len(calls), unit="ms")


def _sent(one: Asked) -> int:
    return tokens.estimate(one.instructions) + tokens.estimate(one.text)


def _spread(part: Part, name: str, counts: list[int], *, promise: Promise = NOTHING) -> None:
    parts = quantiles(counts, n=20, method="inclusive")
    part.figure(f"{name}, p50", parts[9])
    part.figure(f"{name}, p95", parts[18])
    part.figure(f"{name}, most", max(counts), promise=promise)


def _queue(app: Recollect, project: str, turn: CleanTurn) -> None:
    app.inside.state.queue.add(
        host=turn.host,
        turn=turn.key,
        session=turn.session,
        project=project,
        now=time.time(),
    )
