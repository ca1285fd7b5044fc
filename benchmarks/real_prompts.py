"""Of what real prompts are given, how much is useful? Judged by people who read the sessions.

200 prompts of the coding sessions, drawn by lot, are asked again as of their moment: each session
knows only what came before it. `labelled/real_prompts.jsonl` holds the judgements, by the ids of
turns and memories and a fingerprint of what was shown, not the texts; what was never judged as it
is shown today is counted apart.
"""

import json
import os
from collections import Counter
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from benchmarks import processes
from benchmarks.corpus import Corpus
from benchmarks.report import Part, at_least, at_most
from recollect.cli.main import cli as recollect

JUDGED = Path(__file__).with_name("labelled") / "real_prompts.jsonl"

USEFUL = at_least(0.70)
MISLEADING = at_most(0.02)


def measure(part: Part, shelf: Corpus) -> None:
    """Ask the judged prompts again in the home of *shelf*, which has the coding sessions."""
    verdicts: Counter[str] = Counter()
    shown = missed = silent = 0
    with processes.worker(shelf.home):
        for line in JUDGED.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            cards = [piece for piece in _pieces(shelf, row) if piece["kind"] == "card"]
            shown += bool(cards)
            silent += not cards
            missed += not cards and bool(row["missed"])
            known = {one["fingerprint"]: one["verdict"] for one in row["cards"]}
            verdicts.update(known.get(fingerprint(piece["text"]), "not judged") for piece in cards)
    judged = sum(verdicts.values()) - verdicts["not judged"]
    part.say(
        f"real prompts: {shown} of {shown + silent} are given {sum(verdicts.values())} memories,"
        f" {verdicts['not judged']} of them not judged"
    )
    if judged:
        part.figure("real prompts: useful", verdicts["useful"] / judged, promise=USEFUL)
        part.figure("real prompts: misleading", verdicts["misleading"] / judged, promise=MISLEADING)
    part.figure("real prompts: silent where something was missed", missed / max(silent, 1))


def fingerprint(text: str) -> str:
    """Return what tells *text* from another, and nothing else about it."""
    return blake2b(" ".join(text.split()).encode(), digest_size=8).hexdigest()


def _pieces(shelf: Corpus, row: dict[str, Any]) -> list[dict[str, Any]]:
    session, _, key = row["prompt"].partition("/")
    turns = _call(shelf, "transcript", session, "--json")["turns"]
    turn = next((one for one in turns if one["key"] == key), None)
    if turn is None:
        return []
    at = datetime.fromisoformat(turn["started"]).astimezone()
    asked = ("--prompt", turn["prompt"], "--session", session, "--now", f"{at:%Y-%m-%dT%H:%M}")
    given = _call(shelf, "context", *asked, "--project", row["project"], "--json")
    pieces: list[dict[str, Any]] = given["pieces"]
    return pieces


def _call(shelf: Corpus, *words: str) -> dict[str, Any]:
    done = CliRunner(env={**os.environ, "RECOLLECT_HOME": shelf.home}).invoke(
        recollect, list(words), catch_exceptions=False
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found
