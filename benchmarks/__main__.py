"""`make bench`: print every figure, and say which promise does not hold."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import (
    answers_set,
    coding_sessions,
    doors,
    extraction,
    hooks,
    indexing,
    kept_set,
    knowledge,
    labelled_set,
    locomo,
    longmemeval,
    replay,
    secrets_set,
    speed,
    synthesis,
    triage,
    turns,
)
from benchmarks.options import Options
from benchmarks.report import Part, Report

PARTS: dict[str, Callable[[Part, Options], None]] = {
    "hooks": hooks.run,
    "doors": doors.run,
    "speed": speed.run,
    "turns": turns.run,
    "indexing": indexing.run,
    "answers": answers_set.run,
    "kept": kept_set.run,
    "knowledge": knowledge.run,
    "labelled": labelled_set.run,
    "triage": triage.run,
    "secrets": secrets_set.run,
    "locomo": locomo.run,
    "longmemeval": longmemeval.run,
    "coding-sessions": coding_sessions.run,
    "replay": replay.run,
    "extraction": extraction.run,
    "synthesis": synthesis.run,
}


def main() -> int:
    """Run the parts that were asked for; return 1 if a promise is broken."""
    chosen = _arguments()
    report = Report(chosen.out)
    options = Options(
        data=chosen.data,
        runs=chosen.runs,
        large=chosen.large,
        homes=chosen.homes,
        memsearch=chosen.memsearch,
    )
    for name in chosen.only or PARTS:
        with report.part(name) as part:
            PARTS[name](part, options)
    return 0 if report.conclude() else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--data", type=Path, default=Path("bench-data"), help="the data that is not ours")
    add("--only", nargs="+", choices=PARTS, metavar="PART", help=f"of {', '.join(PARTS)}")
    add("--runs", type=int, default=41, help="how often a process is started to be measured")
    add("--out", type=Path, default=Path(".bench"), help="where figures and questions are kept")
    add("--large", action="store_true", help="also with 100,000 and 1,000,000 entries")
    add(
        "--homes",
        type=Path,
        metavar="FOLDER",
        help="keep the homes of `speed` there",
    )
    add("--memsearch", action="store_true", help="also install memsearch and measure it")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
