"""Does a commit's subject find the session that made it? Real sessions, our own importer.

The sessions are imported through the pipeline, the subjects asked through the search that
everybody uses; a session scores by its best entry.
"""

import json
import math
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

from recollect.app import App
from recollect.state.registry import Project

DEPTH = 200
SESSION_ID = 36


def run(data: Path) -> bool:
    """Print hit@5 and nDCG@10; data that is not there is said, not skipped silently."""
    source = data / "coding-sessions"
    if not (source / "sessions.tar.xz").exists():
        print(f"coding-sessions: not measured, {source} is not there (BENCH_DATA=…)")
        return True
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        sessions = Path(folder) / "sessions"
        with tarfile.open(source / "sessions.tar.xz") as packed:
            packed.extractall(sessions, filter="data")
        app = App(str(Path(folder) / "home"))
        began = time.perf_counter()
        report = app.import_transcripts(sessions, lambda *_: None)
        seconds = time.perf_counter() - began
        print(
            f"coding-sessions: {report.files} sessions, {report.added} turns imported in"
            f" {seconds:.0f} s, {len(report.failed)} not Claude Code's"
        )
        queries = [json.loads(line) for line in (source / "queries.jsonl").open()]
        _print_quality(app, queries)
        app.close()
    return True


def _print_quality(app: App, queries: list[dict[str, Any]]) -> None:
    hits = gain = 0.0
    everyone = app.registry.all()
    began = time.perf_counter()
    for query in queries:
        ranked = _sessions(app, str(query["query"]), everyone)
        # A gold session is named after its file, which ends in the session's id.
        wanted = {str(name)[-SESSION_ID:] for name in query["gold_sessions"]}
        hits += any(session in wanted for session in ranked[:5])
        gain += _ndcg(ranked[:10], wanted)
    each = (time.perf_counter() - began) / len(queries) * 1000
    asked = len(queries)
    print(f"  hit@5 {hits / asked:.3f}  nDCG@10 {gain / asked:.3f}  {each:.1f} ms a query")


def _sessions(app: App, question: str, everyone: list[Project]) -> list[str]:
    found = app.search(question, among=everyone, limit=DEPTH, bar=0.0)
    return list(dict.fromkeys(one.entry.session for one in found))


def _ndcg(ranked: list[str], wanted: set[str]) -> float:
    gained = sum(1 / math.log2(place + 2) for place, one in enumerate(ranked) if one in wanted)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(len(wanted), 10)))
    return gained / ideal if ideal else 0.0
