"""What a model is sent for real turns: how many tokens a call, by our estimate that errs upwards.

The turns are imported and asked about through the pipeline that everybody uses; only the engine
is one that says nothing.
"""

import json
import tarfile
import time
from itertools import islice
from pathlib import Path
from statistics import quantiles

from benchmarks import coding_sessions, corpus
from benchmarks.corpus import Corpus
from benchmarks.options import Options
from benchmarks.report import Part, at_most
from recollect import paths, tokens
from recollect.app import App
from recollect.state import queue
from recollect.state.ledger import Spent
from recollect.synthesis.engine import Answer, Asked
from recollect.transcripts import archive

TURNS = 200
MOST_TOKENS = 6_000


class Silent:
    """An engine that finds nothing worth keeping, and remembers what it was asked."""

    name = "silent"
    default_model = "silent-1"

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def ask(self, asked: Asked) -> Answer:
        """Say that nothing is worth keeping."""
        self.asked.append(asked)
        return Answer(text="<nothing/>", model=self.default_model, spent=Spent())

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
            shelf.app.import_transcripts(file, lambda *_: None)
        for when in ("turn", "turns"):
            _ask(part, shelf, when)


def _ask(part: Part, shelf: Corpus, when: str) -> None:
    settings = {"engine": "openai", "when": when, "daily_tokens": 10**9}
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    Path(paths.config(shelf.home)).write_text("[synthesis]\n" + "\n".join(lines) + "\n")
    engine = Silent()
    app = App(shelf.home, engine=lambda _: engine)
    try:
        turns, whole = _queue(app)
        began = time.perf_counter()
        while app.enrichment.work(now=time.time()):
            pass
        seconds = time.perf_counter() - began
        left = queue.everything(app.state)
        assert not left, f"{len(left)} turns were not asked about"
    finally:
        app.close()
    sent = [tokens.estimate(one.instructions) + tokens.estimate(one.text) for one in engine.asked]
    parts = quantiles(sent, n=20, method="inclusive")
    part.say(f"{turns} turns in {len(sent)} calls (synthesis.when = {when})")
    part.figure(f"{when}: tokens a call, p50", parts[9])
    part.figure(f"{when}: tokens a call, p95", parts[18])
    part.figure(f"{when}: tokens a call, most", max(sent), promise=at_most(MOST_TOKENS))
    part.figure(f"{when}: tokens a turn", sum(sent) / turns)
    part.figure(f"{when}: of the tokens the turns hold", sum(sent) / whole, unit="×")
    part.figure(f"{when}: our own work a call", 1000 * seconds / len(sent), unit="ms")


def _queue(app: App) -> tuple[int, int]:
    """Let the first so many turns wait; return how many, and how many tokens they hold."""
    count = whole = 0
    for project in app.registry.all():
        for file in app.library(project.name).archives():
            for turn in archive.read(file):
                if count == TURNS:
                    return count, whole
                count += 1
                said = [turn.prompt, *turn.remarks, turn.answer]
                done = [f"{call.input} {call.output}" for call in turn.tools]
                whole += sum(map(tokens.estimate, said + done))
                queue.add(
                    app.state,
                    host=turn.host,
                    turn=turn.key,
                    session=turn.session,
                    project=project.name,
                    now=time.time(),
                )
    return count, whole
