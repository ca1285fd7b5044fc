"""A search through a real worker: how long it takes, what the command costs, what it holds.

Warm: the model is loaded, the vectors are mapped. Wall time, as whoever asks sees it, and the
CPU of the worker, which other work on the machine changes less.
"""

import json
import shutil
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import corpus, invented, processes
from benchmarks.corpus import Corpus
from benchmarks.measures import quantile
from benchmarks.options import Options
from benchmarks.processes import measured, measured_on_a_terminal
from benchmarks.report import NOTHING, Part, at_most
from recollect import line, paths
from recollect.cli import quick
from recollect.store.sqlite.index.database import SCHEMA_VERSION

WARMING, QUESTIONS = 20, 200
LIMIT = 10
PATIENCE_SECONDS = 60.0
# Stands in a home that was built to the end, and says which project is searched.
BUILT = "built"

MOST_MB = 150

COMMAND_AS_JSON, COMMAND_FOR_PEOPLE = 6.0, 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A home to search in, always in one of its projects, and what a search there may take."""

    projects: int = 1
    entries: int
    """In each project."""
    most_ms: float

    def __str__(self) -> str:
        return f"{self.projects * self.entries:,} entries"


SIZES = (
    Size(entries=10_000, most_ms=15),
    Size(entries=100_000, most_ms=40),
    Size(projects=10, entries=100_000, most_ms=120),
)


def run(part: Part, options: Options) -> None:
    """Measure a home of 10,000 entries, and larger ones if that was asked for."""
    part.say("The memories and their vectors are invented, the questions are embedded for real.")
    resident = {}
    for size in SIZES if options.large else SIZES[:1]:
        with corpus.opened(_place(options, size)) as shelf:
            searched = _built(part, shelf, size)
            with processes.worker(shelf.home) as pid:
                _show_warm(part, size, shelf.home, searched, pid)
                resident[size] = _show_memory(part, size, pid)
                if size is SIZES[0]:
                    _show_command(part, shelf.home, searched, runs=options.runs)
    if options.large:
        more = resident[SIZES[1]] - resident[SIZES[0]]
        per = more * 100_000 / (SIZES[1].entries - SIZES[0].entries)
        part.figure("memory for a further 100,000 entries", per, unit="MB")


def _place(options: Options, size: Size) -> Path | None:
    """Return where the home of this *size* lasts; what is half built, or of old, goes."""
    if options.homes is None:
        return None
    place = options.homes / f"{size.projects}-{size.entries}-{SCHEMA_VERSION}"
    if not (place / BUILT).exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    return place


def _built(part: Part, shelf: Corpus, size: Size) -> str:
    """Fill *shelf* if it is empty, and return the name of the project that is searched."""
    mark = shelf.folder / BUILT
    if mark.exists():
        return mark.read_text(encoding="utf-8")
    began, used = time.perf_counter(), time.process_time()
    made = invented.fill(shelf, projects=size.projects, entries=size.entries)
    shelf.app.close()
    part.figure(
        f"{size}: building the home",
        time.perf_counter() - began,
        unit="s",
        beside=f"CPU {time.process_time() - used:.1f} s",
    )
    mark.write_text(made[0].name, encoding="utf-8")
    return made[0].name


def _show_warm(part: Part, size: Size, home: str, project: str, worker: int) -> None:
    questions = invented.questions(WARMING + QUESTIONS, seed=1)
    for question in questions[:WARMING]:
        _ask(home, project, question)
    wall, cpu = [], []
    for question in questions[WARMING:]:
        before, began = processes.cpu_seconds(worker), time.perf_counter()
        found = _ask(home, project, question)
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((processes.cpu_seconds(worker) - before) * 1000)
        part.asked(
            size=str(size),
            question=question,
            found=found,
            wall_ms=round(wall[-1], 1),
            cpu_ms=round(cpu[-1], 1),
        )
    for name, share, promise in (("p50", 0.5, at_most(size.most_ms)), ("p95", 0.95, NOTHING)):
        part.figure(
            f"{size}: warm search, {name}",
            quantile(wall, share),
            unit="ms",
            promise=promise,
            beside=f"CPU of the worker {quantile(cpu, share):.1f} ms",
        )


def _ask(home: str, project: str, question: str) -> int:
    """Ask the worker; return how many answers there were."""
    asked = quick.request(question, limit=LIMIT, project=project)
    reply = line.ask(paths.socket(home), "search", asked, seconds=PATIENCE_SECONDS)
    assert reply, f"no answer to {question!r}"
    return len(json.loads(reply)["results"])


def _show_memory(part: Part, size: Size, worker: int) -> float:
    held = processes.memory_mb(worker)
    part.figure(
        f"{size}: memory of the worker",
        held["Rss"],
        unit="MB",
        promise=at_most(MOST_MB) if size is SIZES[0] else NOTHING,
        beside=f"its share {held['Pss']:.0f} MB, not backed by a file {held['Anonymous']:.0f} MB",
    )
    return held["Rss"]


def _show_command(part: Part, home: str, project: str, *, runs: int) -> None:
    question = invented.questions(1, seed=2)[0]
    asked = ("search", "--min-score", "0", "--project", project, question)
    for_programs = partial(measured, processes.recollect(home, *asked, "--json"))
    for_people = partial(measured_on_a_terminal, processes.recollect(home, *asked))
    for name, once, most in (
        ("--json", for_programs, COMMAND_AS_JSON),
        ("on a terminal", for_people, COMMAND_FOR_PEOPLE),
    ):
        ratio, wall = processes.against_bare(once, runs=runs)
        part.figure(
            f"recollect search {name}, CPU against bare",
            ratio,
            unit="×",
            promise=at_most(most),
            beside=f"{wall:.0f} ms",
        )
