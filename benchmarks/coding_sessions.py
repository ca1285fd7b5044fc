"""Does a commit's subject find the session that made it? Real sessions, our own importer.

The sessions are imported through the pipeline, the subjects asked through the search that
everybody uses; a session scores by its best entry.
"""

import json
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import corpus, real_prompts
from benchmarks.corpus import Corpus
from benchmarks.measures import hit, ndcg
from benchmarks.options import Options
from benchmarks.plain import PlainSearch
from benchmarks.report import Part, at_least
from recollect import paths

HIT_AT_5 = 0.68
NDCG_AT_10 = 0.58

# So many entries are asked for to have ten different sessions among them.
DEPTH = 200
SESSION_ID = 36


def run(part: Part, options: Options) -> None:
    """Import the sessions, ask the subjects, and compare."""
    given = files(part, options)
    if not given:
        return
    packed, subjects = given
    with corpus.opened() as shelf:
        fill(part, shelf, packed)
        plain = PlainSearch(_turns(shelf))
        for line in subjects.open(encoding="utf-8"):
            _ask(part, shelf, plain, json.loads(line))
        _show(part)
        _show_sizes(part, shelf)
        real_prompts.measure(part, shelf)


def files(part: Part, options: Options) -> tuple[Path, Path] | None:
    """Return where the sessions and the subjects are; None, and told, where one is missing."""
    folder = options.data / "coding-sessions"
    packed, subjects = folder / "sessions.tar.xz", folder / "queries.jsonl"
    for file in (packed, subjects):
        if not file.exists():
            part.lacks(file)
            return None
    return packed, subjects


def fill(part: Part, shelf: Corpus, packed: Path) -> None:
    """Import the *packed* sessions."""
    sessions = shelf.folder / "sessions"
    with tarfile.open(packed) as archived:
        archived.extractall(sessions, filter="data")
    began = time.perf_counter()
    report = shelf.app.importing.transcripts(sessions, lambda *_: None)
    imported = time.perf_counter()
    passages = shelf.embed()
    embedded = time.perf_counter()
    part.say(
        f"{report.files} sessions, {report.added} turns, {passages} passages;"
        f" {len(report.failed)} sessions could not be read"
    )
    part.figure("import", imported - began, unit="s")
    part.figure("making the vectors", embedded - imported, unit="s")


def _turns(shelf: Corpus) -> Iterator[tuple[str, str]]:
    """What was said in each turn, by the session it belongs to."""
    for project in shelf.app.projects.all():
        archived = shelf.app.inside.library(project.name).archive
        for session in archived.sessions():
            for turn in archived.read(session):
                yield turn.session, "\n".join((turn.prompt, *turn.remarks, turn.answer))


def _ask(part: Part, shelf: Corpus, plain: PlainSearch, query: dict[str, Any]) -> None:
    subject = str(query["query"])
    # A gold session is named after its file, which ends in the session's id.
    gold = {str(name)[-SESSION_ID:] for name in query["gold_sessions"]}
    everyone = shelf.app.projects.all()
    began = time.perf_counter()
    entries = shelf.app.search.search(subject, among=everyone, limit=DEPTH, min_score=0.0)
    milliseconds = (time.perf_counter() - began) * 1000
    found = list(dict.fromkeys(one.entry.session for one in entries))[:10]
    plainly = plain.first(10, subject)
    part.asked(
        question=subject,
        gold=sorted(gold),
        found=found,
        hit5=hit(found[:5], gold),
        ndcg10=ndcg(found, gold, depth=10),
        fts_hit5=hit(plainly[:5], gold),
        fts_ndcg10=ndcg(plainly, gold, depth=10),
        milliseconds=round(milliseconds, 1),
    )


def _show(part: Part) -> None:
    promised = (("hit@5", "hit5", HIT_AT_5), ("nDCG@10", "ndcg10", NDCG_AT_10))
    for name, measure, least in promised:
        part.figure(
            name,
            part.mean(measure),
            promise=at_least(least),
            beside=f"FTS5 {part.mean(f'fts_{measure}'):.3f}",
        )
    part.figure(f"a question of {DEPTH} answers, mean", part.mean("milliseconds"), unit="ms")


def _show_sizes(part: Part, shelf: Corpus) -> None:
    home = Path(shelf.home)
    part.figure("journal", _megabytes(home.glob("projects/*/journal/*.md")), unit="MB")
    part.figure("archive", _megabytes(home.glob("projects/*/transcripts/*")), unit="MB")
    part.figure("index", _megabytes([Path(paths.index(shelf.home))]), unit="MB")
    part.figure("mirror of the vectors", _megabytes(home.glob("run/vectors/*")), unit="MB")


def _megabytes(files: Iterator[Path] | list[Path]) -> float:
    return sum(file.stat().st_size for file in files) / 1e6
