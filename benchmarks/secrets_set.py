"""Are secrets found, and is what is none left alone? Four sets by three writers.

The writers had not seen the rules. Rules were made from what was missed in the `tuning` half; the
`reporting` half is only counted, and nobody looks at its rows. See `secrets/README.md`.
"""

import json
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, at_least
from recollect.privacy import redact

FOLDER = Path(__file__).parent / "secrets"
# Stands in each secret of the files, so that nobody who looks for leaks takes one for his.
BREAK = "¦"
HALVED = "writer3"
ALL_TUNING = ("writer1", "writer2", "writer3_extra")
PROMISES = {"secrets: recall": at_least(0.97), "rows: precision": at_least(0.97)}
MARK = "[secret:"
MEGABYTE = 1_000_000
# The least of so many runs is what the work costs; the others were disturbed.
RUNS = 5

Row = dict[str, Any]


def run(part: Part, _options: Options) -> None:
    """Redact every text of the sets, and count what went and what should not have gone."""
    for half, rows in halves().items():
        judged = [_judged(row) for row in rows]
        for row in judged:
            part.asked(half=half, **row)
        part.say(f"{half}: {len(rows)} texts")
        for name, value in _figures(judged).items():
            promise = PROMISES.get(name, NOTHING) if half == "reporting" else NOTHING
            part.figure(f"{half}: {name}", value, promise=promise)
    printed = tool_output(MEGABYTE)
    plain = _cpu(lambda: re.findall(r"\w+", printed))
    part.figure("CPU beside a regular expression", _cpu(lambda: redact.redact(printed)) / plain,
                unit="×")  # fmt: skip


def halves() -> dict[str, list[Row]]:
    """Return the rows for tuning and those for reporting."""
    halved = list(_rows(HALVED))
    tuning = [row for name in ALL_TUNING for row in _rows(name)]
    return {"reporting": halved[1::2], "tuning": [*tuning, *halved[::2]]}


def _rows(name: str) -> Iterator[Row]:
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line.replace(BREAK, ""))


def _judged(row: Row) -> Row:
    """What became of *row*; without its text, which a file of results is no place for."""
    cleaned = redact.redact(row["text"])
    secrets = row.get("secrets", [])
    missed = sum(secret in cleaned for secret in secrets)
    is_touched = not secrets and (
        MARK in cleaned or any(kept not in cleaned for kept in row["keep"])
    )
    return {"id": row["id"], "secrets": len(secrets), "missed": missed, "touched": is_touched}


def _figures(rows: Sequence[Row]) -> dict[str, float]:
    holding = [row for row in rows if row["secrets"]]
    whole = sum(not row["missed"] for row in holding)
    touched = sum(row["touched"] for row in rows)
    return {
        "secrets: recall": 1 - sum(row["missed"] for row in rows)
        / sum(row["secrets"] for row in rows),
        "rows: all secrets found": mean(not row["missed"] for row in holding),
        "rows: precision": whole / (whole + touched),
    }  # fmt: skip


def tool_output(size: int) -> str:
    """Return *size* letters as tools print them: a log, commits, a listing, JSON, a diff."""
    draw = random.Random(0)
    lines: list[str] = []
    length = 0
    while length < size:
        number, commit = draw.randrange(10_000), f"{draw.getrandbits(160):040x}"
        word = draw.choice(("orders", "invoice", "session_store", "HttpClient", "parseToken"))
        lines += [
            f"2026-11-19 10:{number % 60:02}:07,{number:04} INFO {word} request took {number} ms",
            f"{commit[:9]} Make {word} retry after {number % 9} failures (#{number})",
            f"-rw-r--r-- 1 ada staff {number:6} Nov 19 10:02 src/shop/{word}_{number}.py",
            json.dumps({"id": number, "name": word, "digest": f"sha256:{commit}", "ok": True}),
            f"+    token = self.{word}.next_token(max_tokens={number})",
            f"tests/test_{word}.py::test_{number} PASSED                     [{number % 100:3}%]",
        ]
        length += sum(len(line) + 1 for line in lines[-6:])
    return "\n".join(lines)[:size]


def _cpu(work: Callable[[], object]) -> float:
    def once() -> float:
        before = time.process_time()
        work()
        return time.process_time() - before

    return min(once() for _ in range(RUNS))
