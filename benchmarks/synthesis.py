"""What a model is sent for real turns, and how much of what it makes up would be kept.

The turns are imported and asked about through the pipeline that everybody uses; only the engine
is one that says nothing. Statements about invented turns are held against them as a model's are.
"""

import json
import tarfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import mean, quantiles

from benchmarks import answers_set, claude_transcripts, coding_sessions, corpus
from benchmarks.corpus import Corpus
from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, Promise, at_least, at_most
from recollect import paths, tokens
from recollect.app.recollect import Recollect
from recollect.llm import gate
from recollect.llm.answers import DraftedObservation
from recollect.llm.engine import Asked, Completion
from recollect.llm.speech import Speech
from recollect.store.contract.state import Spent
from recollect.transcripts.turns import CleanTurn

TURNS = 200
MOST_TOKENS = 6_000

STATEMENTS = Path(__file__).with_name("labelled") / "statements.jsonl"
PROMISES = {
    "said": at_least(1.0),
    "number": at_most(0.125),
    "name": at_most(0),
    "prose": at_most(1 / 16),
}


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
    """Check statements; ask about so many turns, each alone and a few together."""
    _check(part)
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


def _check(part: Part) -> None:
    """Show how many statements of each kind are kept of the turns that they are about."""
    rows = [json.loads(line) for line in STATEMENTS.open(encoding="utf-8")]
    kept: dict[str, list[bool]] = {}
    with corpus.opened() as shelf:
        for project in {row["project"] for row in rows}:
            folder = shelf.folder / project
            folder.mkdir()
            told = answers_set.rows(project, "turns")
            claude_transcripts.write(shelf.folder / "said" / project, told, project=folder)
            shelf.app.importing.transcripts(shelf.folder / "said" / project, lambda *_: None)
        turns = {turn.key: turn for _, turn in _turns(shelf.app)}
    for row in rows:
        turn = turns[claude_transcripts.turn_key(row["project"], row["turn"])]
        drafted = DraftedObservation(title="As it was said", text=row["statement"])
        found = gate.observations([drafted], Speech((turn,))).observations
        is_kept = any(row["statement"] in one.text for one in found)
        part.asked(**row, kept=is_kept)
        kept.setdefault(row["kind"], []).append(is_kept)
    part.say(f"{len(rows)} statements about turns: what was said, and what is made up")
    for kind, those in kept.items():
        name = "said: kept" if kind == "said" else f"made up ({kind}): kept"
        part.figure(name, mean(those), promise=PROMISES.get(kind, NOTHING))


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
