"""From a folder of hand-written Markdown to answers: indexing from nothing, and a first search.

500 notes of three sections each, by words and by meaning, with the real model; as much as a year
and a half of daily notes. memsearch does the same job, so it stands beside.
"""

import sys
from datetime import date, timedelta
from pathlib import Path
from statistics import median

from benchmarks import corpus, invented, processes, rival
from benchmarks.corpus import Corpus
from benchmarks.options import Options
from benchmarks.processes import Command, Run, measured
from benchmarks.report import Part, at_most
from benchmarks.rival import Rival

NOTES = 500
FIRST_DAY = date(2025, 6, 1)

# At least so many times as fast as what was recorded of memsearch.
INDEXING_FASTER, SEARCHING_FASTER = 3.0, 15.0

# What a worker does with a home that it sees for the first time.
BY_WORDS = """
import sys
from recollect.app.recollect import opened
with opened(sys.argv[1]) as app:
    app.upkeep.refresh_all()
"""
BY_MEANING = """
import sys
from recollect.app.recollect import opened
from recollect.search.embedding import Embeddings
with opened(sys.argv[1], embeddings=Embeddings()) as app:
    app.meaning.fill(lambda *_: None)
"""


def run(part: Part, options: Options) -> None:
    """Index the notes, search them, and compare both with memsearch."""
    with corpus.opened() as shelf:
        project = shelf.meet("notes").name
        notes = Path(shelf.app.inside.library(project).location) / "journal"
        write_notes(notes)
        beside = rival.RECORDED
        if options.memsearch:
            beside = rival.measured_here(shelf.folder, notes)
        part.say(f"beside it memsearch, {beside.how}, without a model")
        _show_indexing(part, shelf, beside)
        _show_search(part, shelf, project, beside, runs=options.runs)


def write_notes(folder: Path) -> None:
    """Write a note a day, in three sections, as a person might."""
    for number in range(NOTES):
        day = FIRST_DAY + timedelta(days=number)
        sections = "\n".join(
            f"## {title}\n\n{text}.\n" for title, text in invented.sections(3, seed=number)
        )
        (folder / f"{day.isoformat()}.md").write_text(f"# {day}\n\n{sections}", encoding="utf-8")


def _show_indexing(part: Part, shelf: Corpus, beside: Rival) -> None:
    by_words, by_meaning = (_done(shelf.home, work) for work in (BY_WORDS, BY_MEANING))
    sections = sum(one.memories for one in shelf.app.projects.overview())
    part.say(f"{NOTES} notes, {sections} sections, {shelf.app.meaning.pending()} without a vector")
    part.figure(
        "indexing with vectors, wall",
        by_words.wall + by_meaning.wall,
        unit="s",
        promise=at_most(round(rival.RECORDED.index.wall / INDEXING_FASTER, 1)),
        beside=f"memsearch {beside.index.wall:.1f} s",
    )
    part.figure(
        "indexing with vectors, CPU",
        by_words.cpu + by_meaning.cpu,
        unit="s",
        beside=f"memsearch {beside.index.cpu:.1f} s",
    )
    part.figure("of that without the model, wall", by_words.wall, unit="s")
    part.figure("of that without the model, CPU", by_words.cpu, unit="s")


def _done(home: str, work: str) -> Run:
    words = (sys.executable, "-c", work, home)
    return measured(Command(words=words, environment=processes.environment(home)))


def _show_search(part: Part, shelf: Corpus, project: str, beside: Rival, *, runs: int) -> None:
    asked = invented.questions(1, seed=3)[0]
    command = processes.recollect(
        shelf.home, "search", "--min-score", "0", "--project", project, asked
    )
    with processes.worker(shelf.home):
        measured(command)  # The worker loads its model once, not for each search.
        cold = [measured(command) for _ in range(runs)]
        held = processes.peak_mb(command)
    alone = [measured(command) for _ in range(runs)]
    part.figure(
        "first search of a process, wall",
        _median_ms(cold),
        unit="ms",
        promise=at_most(round(rival.RECORDED.search.wall / SEARCHING_FASTER * 1000)),
        beside=f"memsearch {beside.search.wall * 1000:.0f} ms",
    )
    part.figure(
        "first search of a process, peak of memory",
        held,
        unit="MB",
        beside=f"memsearch {beside.search_mb:.0f} MB",
    )
    part.figure("the same without a worker, by words, wall", _median_ms(alone), unit="ms")


def _median_ms(runs: list[Run]) -> float:
    return median(one.wall for one in runs) * 1000
