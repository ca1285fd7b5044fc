"""What agents would have been given: real sessions, replayed in the order of time.

Whenever a session began, a prompt was typed or a file was read, the context is built at that very
time, from the sessions that were over by then. A session is imported when it is over, through the
pipeline that everybody uses, and what its agent did tells what of it was used.
"""

import itertools
import json
import random
import tarfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import recollect
from benchmarks import coding_sessions, corpus, invented, processes
from benchmarks.coding_sessions import SESSION_ID
from benchmarks.corpus import Corpus
from benchmarks.measures import hit, quantile
from benchmarks.options import Options
from benchmarks.report import Part
from recollect import line, paths
from recollect.app.recollect import Recollect
from recollect.context import pointing
from recollect.errors import TranscriptError
from recollect.hooks import claude_code, shown_log
from recollect.hooks.response import HookResponse
from recollect.importers import transcripts
from recollect.store.contract.state import Session
from recollect.transcripts import claude_code as reader
from recollect.transcripts.turns import CleanTurn, Turn

OTHER_MIN_SCORE = 0.5

ENTRIES, WARMING, QUESTIONS = 10_000, 20, 200
PATIENCE_SECONDS = 60.0

# While a session goes on it has other ids than the one that it is imported by, because the import
# judges what was used as well. Reads of files have one of their own, so that prompts get what they
# get without them; and so have other entries, chosen by chance.
LIVE, READS, CHANCE = "live-", "reads-", "chance-"
MOST_OTHERS = 500

# To judge what was used takes longer than all the rest: real tools put out a lot. So it is done in
# every third session.
JUDGED = 3

Rows = Sequence[dict[str, Any]]


class Step(IntEnum):
    """What happens to a session; at the same moment, an end comes last."""

    BEGINS = 0
    PROMPT = 1
    ENDS = 2


class Moment(NamedTuple):
    """When something happens to a session."""

    at: float
    step: Step
    session: str
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A session as its transcripts have it; its turns are read when it begins."""

    id: str
    files: tuple[Path, ...]
    turns: tuple[tuple[float, str], ...]
    """When each began, and the line it began with, in order."""
    ended: float


def run(part: Part, options: Options) -> None:
    """Replay the sessions, ask the commits' subjects, and take the time among many entries."""
    given = coding_sessions.files(part, options)
    if given:
        packed, subjects = given
        with corpus.opened() as shelf:
            shelf.app.settings.set("files.enabled", "true")
            recorded = _unpacked(part, shelf, packed)
            began = time.perf_counter()
            replay = Replay(part, shelf.app)
            replay.play(recorded)
            part.figure("replaying all of it", time.perf_counter() - began, unit="s")
            _show(part, shelf.app)
            _show_commits(part, shelf.app, subjects, now=replay.now)
    _show_speed(part)


def in_order(recorded: Iterable[Recorded]) -> list[Moment]:
    """Return all that happens in the sessions *recorded*, in the order of time."""
    found = []
    for one in recorded:
        found.append(Moment(one.turns[0][0], Step.BEGINS, one.id))
        found += [Moment(at, Step.PROMPT, one.id, n) for n, (at, _) in enumerate(one.turns)]
        found.append(Moment(one.ended, Step.ENDS, one.id))
    return sorted(found)


def told_once(recorded: Iterable[Recorded]) -> list[Recorded]:
    """Return the sessions *recorded*, each turn only where it was typed.

    A fork repeats what came before it, so it begins when its origin began, and ends later. A
    session that only repeats is left out.
    """
    known: set[str] = set()
    left = []
    for one in sorted(recorded, key=lambda one: (one.turns[0][0], one.ended, one.id)):
        own = {begun: at for at, begun in reversed(one.turns) if begun not in known}
        known.update(own)
        if own:
            turns = sorted((at, begun) for begun, at in own.items())
            left.append(replace(one, turns=tuple(turns)))
    return left


class Replay:
    """All sessions, replayed in one home; every answer is noted in *part*."""

    def __init__(self, part: Part, app: Recollect) -> None:
        self._part = part
        self._app = app
        self._open: dict[str, tuple[Session, list[Turn]]] = {}
        self._judged: set[str] = set()
        self._chance = random.Random(0)
        self.now = 0.0

    def play(self, recorded: Iterable[Recorded]) -> None:
        """Let everything happen again."""
        by_id = {one.id: one for one in recorded}
        self._judged = set(list(by_id)[::JUDGED])
        for moment in in_order(by_id.values()):
            self.now = moment.at
            one = by_id[moment.session]
            if moment.step is Step.BEGINS:
                self._begin(one)
            elif moment.step is Step.PROMPT:
                self._prompt(one.id, moment.turn)
            else:
                self._end(one)

    def _begin(self, one: Recorded) -> None:
        turns = _turns(one)
        first = turns[0]
        live = f"{LIVE}{one.id}"
        self._hear("SessionStart", live, first.cwd, at=self.now, given={"source": "startup"})
        # The worker hears of the session only now: nothing is known of a new project.
        session = Session(
            id=live,
            host=first.host,
            project=self._app.inside.registry.meet(first.cwd, now=self.now).name,
            cwd=first.cwd,
            transcript=str(one.files[-1]),
            started=self.now,
            last_seen=self.now,
            branch=first.branch,
        )
        self._app.inside.state.sessions.save(session)
        self._open[one.id] = (session, turns)

    def _prompt(self, id_: str, number: int) -> None:
        session, turns = self._open[id_]
        turn = turns[number]
        session = replace(session, turns=number, last_seen=self.now)
        self._app.inside.state.sessions.save(session)
        given = {"prompt": turn.prompt}
        kind = _kind(turn, number)
        self._hear("UserPromptSubmit", session.id, session.cwd, at=self.now, given=given, kind=kind)
        self._read_files(f"{READS}{id_}", session.cwd, turn)
        if id_ not in self._judged:
            return
        # What is shown later is no merit of this turn, so it is judged before that is.
        for name in (session.id, f"{READS}{id_}", f"{CHANCE}{id_}"):
            self._app.usage_counter.turn(replace(session, id=name), CleanTurn(turn))

    def _read_files(self, id_: str, folder: str, turn: Turn) -> None:
        """Say what is said before each file is read; nobody wrote down when, so evenly spread."""
        calls = [call for call in turn.tools if call.name == "Read"]
        length = turn.ended.timestamp() - self.now
        for number, call in enumerate(calls, start=1):
            at = self.now + length * number / (len(calls) + 1)
            given = {"tool_name": "Read", "tool_input": dict(call.input)}
            self._hear("PreToolUse", id_, folder, at=at, given=given)

    def _end(self, one: Recorded) -> None:
        """Import the session, as the worker would have done by now."""
        session, _ = self._open.pop(one.id)
        self._app.inside.state.sessions.save(replace(session, status="completed", turns=0))
        for file in one.files:
            self._app.intake.take_transcript(file)
        self._app.upkeep.refresh(session.project)
        self._app.meaning.fill(lambda *_: None)

    def _hear(
        self,
        name: str,
        session: str,
        folder: str,
        *,
        at: float,
        given: Mapping[str, object],
        kind: Mapping[str, object] | None = None,
    ) -> None:
        """Answer the event called *name*, and write down what was shown as its hook would."""
        event = {"session_id": session, "cwd": folder, **given}
        began = time.perf_counter()
        said, project = self._app.hooks.respond(name, event, now=at)
        milliseconds = (time.perf_counter() - began) * 1000
        lines = shown_log.of_response(said, now=at, project=project, session=session)
        self._log(session, lines)
        id_ = session[-SESSION_ID:]
        if name != "PreToolUse":
            self._log(f"{READS}{id_}", _remembered(said, at=at))
        if name != "SessionStart":
            others = self._others(said, project)
            by_chance = (at, CHANCE, f"{CHANCE}{id_}", name)
            compared = [shown_log.line(*by_chance, one, "", 0.0, 0) for one in others]
            self._log(f"{CHANCE}{id_}", "".join(compared))
        self._part.asked(
            event=shown_log.EVENTS[name],
            session=id_,
            at=at,
            shown=[one.id for one in said.shown],
            scores=[round(one.score, 3) for one in said.shown],
            given=bool(said.context),
            tokens=said.tokens,
            judged=id_ in self._judged,
            milliseconds=round(milliseconds, 1),
            **kind or {},
        )

    def _log(self, session: str, lines: str) -> None:
        if lines:
            shown_log.append(paths.shown(self._app.home, session).encode(), lines.encode())

    def _others(self, said: HookResponse, project: str) -> list[str]:
        """Return as many entries of *project* that were not shown, for comparison."""
        known = {one.id for one in said.shown}
        if not known:
            return []
        entries = self._app.inside.index.recent(project, limit=MOST_OTHERS)
        others = [one.id for one in entries if one.id not in known]
        return self._chance.sample(others, k=min(len(known), len(others)))


def _remembered(said: HookResponse, *, at: float) -> str:
    """Return what tells the reads of files in a session what it has been shown otherwise.

    It is no event that anybody counts.
    """
    return "".join(
        shown_log.line(at, "", "", "known", one.id, one.mark, 0.0, 0) for one in said.shown
    )


def _unpacked(part: Part, shelf: Corpus, packed: Path) -> list[Recorded]:
    """Return the *packed* sessions; those of another host cannot be read, and are counted."""
    folder = shelf.folder / "sessions"
    with tarfile.open(packed) as archived:
        archived.extractall(folder, filter="data")
    readings = defaultdict(list)
    unreadable = 0
    for file in transcripts.find(folder).logs:
        try:
            reading = reader.read(file)
        except TranscriptError:
            unreadable += 1
            continue
        if reading.turns:
            # The turns themselves are too large to be held all at once.
            began = [(turn.started.timestamp(), _line(turn)) for turn in reading.turns]
            ended = max(turn.ended.timestamp() for turn in reading.turns)
            readings[reading.session].append((file, began, ended))
    recorded = [
        Recorded(
            id=id_,
            files=tuple(file for file, _, _ in those),
            turns=tuple(sorted(itertools.chain.from_iterable(began for _, began, _ in those))),
            ended=max(ended for _, _, ended in those),
        )
        for id_, those in readings.items()
    ]
    told = told_once(recorded)
    part.say(
        f"{len(told)} sessions, {sum(len(one.turns) for one in told)} prompts;"
        f" {unreadable} files could not be read"
    )
    return told


def _turns(one: Recorded) -> list[Turn]:
    """Read the turns of a session; of one that two files have, what the later one says."""
    found = {_line(turn): turn for file in one.files for turn in reader.read(file).turns}
    return [found[begun] for _, begun in one.turns]


def _line(turn: Turn) -> str:
    return turn.line or turn.key


def _kind(turn: Turn, number: int) -> dict[str, object]:
    """Return what kind of prompt *turn* began with."""
    pointer = None
    is_typed = not claude_code.is_typed_by_the_host(turn.prompt)
    if is_typed:
        pointer = pointing.read(turn.prompt, now=turn.started.astimezone())
    return {
        "words": len(turn.prompt.split()),
        "first": number == 0,
        "asks": is_typed and (claude_code.is_question(turn.prompt) or pointer is not None),
        "points": pointer is not None,
        "last_session": pointer is not None and pointer.last_session,
    }


def _rows(part: Part, **only: object) -> Rows:
    return [
        row
        for row in part.questions
        if all(row.get(field) == value for field, value in only.items())
    ]


def _show(part: Part, app: Recollect) -> None:
    starts, prompts, reads = (_rows(part, event=event) for event in ("start", "prompt", "file"))
    _show_given(part, app, "start", starts, event="start")
    _show_given(part, app, "prompts", prompts, event="prompt")
    asking = [row for row in prompts if row["asks"]]
    part.figure(
        "prompts of a person, with enough to go by",
        len(asking) / len(prompts),
        beside=f"given something for {share_given(asking):.3f} of them",
    )
    _show_pointing(part, prompts)
    _show_tokens(part, "a session in all", by_session([*starts, *prompts]))
    part.say("With files.enabled, which is off unless it is wanted:")
    _show_given(part, app, "files", reads, event="file")
    # A session that read no file was given nothing about one.
    none = [{**row, "tokens": 0} for row in starts]
    _show_tokens(part, "files: a session more", by_session([*none, *reads]))


def _show_pointing(part: Part, prompts: Rows) -> None:
    pointing_back = [row for row in prompts if row["points"]]
    part.figure(
        "prompts that point back",
        len(pointing_back) / len(prompts),
        beside=f"{len(pointing_back)} of {len(prompts)}",
    )
    # "Go on" within a session means that session, which needs no memory of ours.
    at_itself = [row["last_session"] and not row["first"] for row in pointing_back]
    for name, wanted in (("at their own session", True), ("at an earlier one", False)):
        those = [row for row, own in zip(pointing_back, at_itself, strict=True) if own == wanted]
        part.figure(
            f"… {name}: given something",
            share_given(those),
            beside=f"of {len(those)}; {memories_a_time(those):.1f} memories a time",
        )


def _show_given(part: Part, app: Recollect, name: str, rows: Rows, *, event: str) -> None:
    """Show how often something was given, how much, how long it took, and what it was worth."""
    given = [row for row in rows if row["given"]]
    part.figure(
        f"{name}: given something", share_given(rows), beside=f"{len(given)} of {len(rows)}"
    )
    part.figure(f"{name}: memories a time", memories_a_time(rows))
    _show_tokens(part, name, [row["tokens"] for row in given])
    _show_quantiles(part, f"{name}: time", [row["milliseconds"] for row in rows], unit="ms")
    by_chance = app.inside.state.shown.totals(project=CHANCE).events[event]
    everything = app.inside.state.shown.totals().events[event]
    memories = everything.memories - by_chance.memories
    used = everything.used - by_chance.used
    how = ", ".join(
        f"{how} {times - by_chance.uses[how]}" for how, times in everything.uses.items() if times
    )
    others = by_chance.used / by_chance.memories if by_chance.memories else 0.0
    part.figure(
        f"{name}: share of the memories that was used",
        used / (memories or 1),
        beside=f"{used} of {memories} ({how}); of others, by chance: {others:.3f}",
    )
    if used:
        spent = sum(row["tokens"] for row in rows if row["judged"])
        part.figure(f"{name}: tokens for a memory that was used", spent / used)


def _show_tokens(part: Part, name: str, tokens: Sequence[float]) -> None:
    _show_quantiles(part, f"{name}: tokens", tokens)
    part.figure(f"{name}: tokens, most", max(tokens, default=0))


def _show_quantiles(
    part: Part, name: str, values: Sequence[float], *, unit: str = "", beside: str = ""
) -> None:
    for told, share in (("p50", 0.5), ("p95", 0.95)):
        value = quantile(values or [0], share)
        part.figure(f"{name}, {told}", value, unit=unit, beside=beside)


def share_given(rows: Rows) -> float:
    """Return the share of *rows* for which an agent was given something."""
    return mean(row["given"] for row in rows) if rows else 0.0


def memories_a_time(rows: Rows) -> float:
    """Return how many memories an agent was given, if it was given something."""
    counts = [len(row["shown"]) for row in rows if row["given"]]
    return mean(counts) if counts else 0.0


def by_session(rows: Rows) -> list[int]:
    """Return the tokens that each session was given in *rows*, also those that were given none."""
    tokens: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        tokens[row["session"]] += row["tokens"]
    return list(tokens.values())


def _show_commits(part: Part, app: Recollect, subjects: Path, *, now: float) -> None:
    """Show what new sessions would be given for the commits' subjects, also at another score."""
    queries = [json.loads(text) for text in subjects.open(encoding="utf-8")]
    asked = {
        min_score: _ask_commits(part, app, queries, min_score=min_score, now=now)
        for min_score in (app.settings.of().recall_min_score, OTHER_MIN_SCORE)
    }
    usual, other = asked.values()
    part.say(f"{len(usual)} commits; of {len(queries) - len(usual)}, no session could be read")
    measures: tuple[tuple[str, Callable[[Rows], float]], ...] = (
        ("given something", share_given),
        ("memories a time", memories_a_time),
        ("the session that made it is given", lambda rows: mean(row["hit"] for row in rows)),
        ("… if anything is given", _hits_if_given),
        ("share of the memories that is of it", _right),
    )
    for name, measure in measures:
        beside = f"with a minimum score of {OTHER_MIN_SCORE:g}: {measure(other):.3f}"
        part.figure(f"commits: {name}", measure(usual), beside=beside)


def _ask_commits(
    part: Part, app: Recollect, queries: Iterable[dict[str, Any]], *, min_score: float, now: float
) -> Rows:
    """Prompt with each commit's subject, in the folder of the session that made it."""
    app.settings.set("recall.min_score", str(min_score))
    for number, query in enumerate(queries):
        gold = {str(name)[-SESSION_ID:] for name in query["gold_sessions"]}
        folders = [one.cwd for id_ in gold if (one := app.inside.state.sessions.find(id_))]
        if not folders:
            continue
        event = {"session_id": f"commit-{number}", "cwd": folders[0], "prompt": query["query"]}
        said, _ = app.hooks.respond("UserPromptSubmit", event, now=now)
        entries = [app.inside.index.by_id(one.id) for one in said.shown]
        made_in = [entry.session for entry in entries if entry]
        part.asked(
            event="commit",
            min_score=min_score,
            commit=query["id"],
            shown=[one.id for one in said.shown],
            scores=[round(one.score, 3) for one in said.shown],
            given=bool(said.context),
            tokens=said.tokens,
            hit=hit(made_in, gold),
            right=sum(one in gold for one in made_in),
        )
    return _rows(part, event="commit", min_score=min_score)


def _hits_if_given(rows: Rows) -> float:
    return float(sum(row["hit"] for row in rows) / (sum(row["given"] for row in rows) or 1))


def _right(rows: Rows) -> float:
    return float(sum(row["right"] for row in rows) / (sum(len(row["shown"]) for row in rows) or 1))


def _show_speed(part: Part) -> None:
    """Show how long a real worker takes to answer, among many entries that are invented."""
    with corpus.opened() as shelf:
        (project,) = invented.fill(shelf, projects=1, entries=ENTRIES)
        shelf.app.close()
        prompts = list(itertools.islice(_prompts(), WARMING + QUESTIONS))
        starts = ["startup"] * len(prompts)
        with processes.worker(shelf.home):
            for name, field, values in (
                ("SessionStart", "source", starts),
                ("UserPromptSubmit", "prompt", prompts),
            ):
                replies = [
                    _timed(shelf.home, name, {"cwd": project.root, field: value})
                    for value in values
                ]
                given = mean(has_context for _, has_context in replies)
                _show_quantiles(
                    part,
                    f"{ENTRIES:,} entries: {shown_log.EVENTS[name]}",
                    [milliseconds for milliseconds, _ in replies[WARMING:]],
                    unit="ms",
                    beside=f"given something for {given:.2f}",
                )


def _timed(home: str, name: str, event: dict[str, object]) -> tuple[float, bool]:
    """Ask the worker as a hook does; return the milliseconds, and whether it gave something."""
    asked = json.dumps({"session_id": str(uuid.uuid4()), **event}).encode()
    verb = f"answer {name} {recollect.__version__}"
    began = time.perf_counter()
    reply = line.ask(paths.socket(home), verb, asked, seconds=PATIENCE_SECONDS)
    milliseconds = (time.perf_counter() - began) * 1000
    assert reply is not None, f"no answer to {name}"
    return milliseconds, b"additionalContext" in reply


def _prompts() -> Iterator[str]:
    """Return prompts about what is there, each with the title and a name of an entry."""
    for one in invented.memories(ENTRIES, seed=0):
        name = one.body.split("`")[1]
        yield f"{one.title} {name}"
