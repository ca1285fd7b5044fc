"""Does a prompt bring the answer? Eight invented projects, asked weeks later in a person's words.

The turns are imported and the prompts asked through the commands that everybody uses. An answer is
*carried* when the strings that only it contains stand in the cards; the right turn is *found* when
its card or a pointer to it is shown. Three projects were used to choose weights, three only
report, and nobody looked at the last before it was measured.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from benchmarks import claude_transcripts, commands, processes
from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, Promise, at_least, at_most

FOLDER = Path(__file__).with_name("answers")

TUNING = ("tidewater", "pocketfarm", "burrow")
REPORTING = ("roomkey", "ledgerline", "emberkiln")
# Signs were thought of with its mistakes in view; with those of the last, nothing was.
SEEN = ("crateward",)
FRESH = ("mothlight",)
GROUPS = (("reporting", REPORTING), ("tuning", TUNING), ("seen", SEEN), ("fresh", FRESH))
PROJECTS = tuple(name for _, names in GROUPS for name in names)

ANSWERED = ("question", "work", "changed")
UNANSWERED = ("absent", "command", "general", "chat", "fresh")

SHOWN = 5
RESULT_TOKENS = 150

PROMISES = {
    "carried by cards": at_least(0.70),
    "carried or pointed at": at_least(0.88),
    "unanswerable: without a card": at_least(0.95),
    "unanswerable: with a pointer": at_most(0.20),
    "a past that is not there: with a card": at_most(0.15),
    "tokens of what is injected, mean": at_most(400),
    "search: hit@5": at_least(0.88),
    "search: the answer stands in the first five": at_least(0.80),
}

Row = dict[str, Any]


class Failure(NamedTuple):
    """What an agent is told when a tool fails with an error."""

    met: bool
    """Whether a turn of this project met it."""
    told: bool
    right: bool


def run(part: Part, _options: Options) -> None:
    """Import the projects, ask every prompt, and count what came back."""
    failures: list[Failure] = []
    with commands.scratch_home() as home:
        for name in PROJECTS:
            folder = home / name
            folder.mkdir()
            sessions = home / "sessions" / name
            claude_transcripts.write(sessions, rows(name, "turns"), project=folder)
            commands.recollect("import", str(sessions))
        commands.recollect("index")
        with processes.worker(str(home / "home")):
            for name in PROJECTS:
                keys = {
                    claude_transcripts.turn_key(name, turn["id"]): turn["id"]
                    for turn in rows(name, "turns")
                }
                for row in rows(name, "prompts"):
                    part.asked(**_asked(name, row, home / name, keys))
                failures += [_failed(name, home / name, keys, turn) for turn in _failing(name)]
                for other in {*PROJECTS} - {name}:
                    failures += [_failed(name, home / name, keys, turn) for turn in _failing(other)]
    for half, names in GROUPS:
        asked = [row for row in part.questions if row["project"] in names]
        part.say(f"{half}: {len(asked)} prompts of {', '.join(names)}")
        _show(part, asked, half)
    met = [one for one in failures if one.met]
    part.figure("failures: the turn that met the error is told of", mean(one.right for one in met))
    unknown = [one.told for one in failures if not one.met]
    part.figure("failures: an error of another project is met with silence", 1 - mean(unknown))


def _asked(project: str, row: Row, folder: Path, keys: Mapping[str, str]) -> Row:
    """Return *row* with what its prompt brought, as a hook would be told and as a search finds."""
    given = commands.recollect(
        "context", "--prompt", row["prompt"], "--project", str(folder), "--json"
    )
    found = commands.recollect(
        "search", "--json", "-n", str(SHOWN), "--project", str(folder), "--", _plain(row["prompt"])
    )
    cards = [piece for piece in given["pieces"] if piece["kind"] == "card"]
    pointers = [piece for piece in given["pieces"] if piece["kind"] == "pointer"]
    turns = {one["id"]: keys.get(one["turn"], "") for one in found["results"]}
    shown = {piece["id"]: _turn_of(piece["id"], turns, keys) for piece in given["pieces"]}
    text = "\n".join(piece["text"] for piece in cards)
    results = [_result_text(one) for one in found["results"]]
    return {
        "project": project,
        **row,
        "cards": [shown[piece["id"]] for piece in cards],
        "pointers": [shown[piece["id"]] for piece in pointers],
        "text": text,
        "tokens": given["tokens"],
        "carried": bool(row["gold"]) and holds(row["answer"], text),
        "pointed_at": any(turn in row["gold"] for turn in shown.values()),
        "outdated": any(_plainly(old) in _plainly(text) for old in row.get("outdated", ())),
        "hit5": any(turn in row["gold"] for turn in turns.values()),
        "hit1": next(iter(turns.values()), "") in row["gold"],
        "searched": bool(row["gold"]) and holds(row["answer"], "\n".join(results)),
        "result_tokens": mean(map(commands.cost, results)) if results else 0,
        "dearest": max(map(commands.cost, results), default=0),
    }


def _failing(project: str) -> list[tuple[str, str]]:
    """Return the output of each tool that failed in *project*, with the turn it was in."""
    return [
        (turn["id"], str(call["output"]))
        for turn in rows(project, "turns")
        for call in turn["tools"]
        if call.get("failed")
    ]


def _failed(
    project: str, folder: Path, keys: Mapping[str, str], failure: tuple[str, str]
) -> Failure:
    """Return what an agent in *project* is told of a *failure*, by a session that is new."""
    turn, output = failure
    given = commands.recollect("context", "--error", output, "--project", str(folder), "--json")
    told = [_turn_of(piece["id"], {}, keys) for piece in given["pieces"]]
    met = failure in _failing(project)
    return Failure(met=met, told=bool(told), right=met and turn in told)


def _turn_of(id_: str, turns: Mapping[str, str], keys: Mapping[str, str]) -> str:
    """Return the turn behind the memory *id_*."""
    if id_ in turns:
        return turns[id_]
    return keys.get(commands.recollect("expand", id_, "--json")["turn"], "")


def _plain(prompt: str) -> str:
    """Return *prompt* so that nothing in it is a word of the query language."""
    return re.sub(r'["]|(?<!\S)-+|(?<=\w):(?=\S)', " ", prompt)


def _result_text(one: Row) -> str:
    return "\n".join((one["title"], *one["passages"]))


def holds(groups: Sequence[Sequence[str]], text: str) -> bool:
    """Tell whether *text* has, of each of *groups*, one of the strings."""
    plain = _plainly(text)
    return all(any(_plainly(one) in plain for one in group) for group in groups)


def _plainly(text: str) -> str:
    return " ".join(text.split()).lower()


def _show(part: Part, rows: Sequence[Row], half: str) -> None:
    asked = [row for row in rows if row["kind"] in ANSWERED]
    silent = [row for row in rows if row["kind"] in UNANSWERED]
    absent = [row for row in rows if row["kind"] == "absent"]
    spoken = [row for row in rows if row["cards"] or row["pointers"]]
    figures = {
        "carried by cards": _share(asked, "carried"),
        "carried or pointed at": mean(row["carried"] or row["pointed_at"] for row in asked),
        "the right turn has a card": mean(
            any(turn in row["gold"] for turn in row["cards"]) for row in asked
        ),
        "unanswerable: without a card": mean(not row["cards"] for row in silent),
        "unanswerable: with a pointer": mean(bool(row["pointers"]) for row in silent),
        "a past that is not there: with a card": mean(bool(row["cards"]) for row in absent),
        "tokens of what is injected, mean": mean(row["tokens"] for row in spoken),
        "outdated shown as current": mean(
            row["outdated"] and not row["carried"] for row in asked if row["kind"] == "changed"
        ),
        "search: hit@1": _share(asked, "hit1"),
        "search: hit@5": _share(asked, "hit5"),
        "search: the answer stands in the first five": _share(asked, "searched"),
        "search: tokens of a result, mean": mean(row["result_tokens"] for row in asked),
        "search: results of more than 150 tokens": mean(
            row["dearest"] > RESULT_TOKENS for row in asked
        ),
    }
    kinds = {
        "carried by cards": _by_kind(asked, lambda row: row["carried"]),
        "unanswerable: without a card": _by_kind(silent, lambda row: not row["cards"]),
    }
    for name, value in figures.items():
        is_promised = half == "reporting"
        promise: Promise = PROMISES.get(name, NOTHING) if is_promised else NOTHING
        part.figure(f"{half}: {name}", value, promise=promise, beside=kinds.get(name, ""))


def _share(rows: Sequence[Row], name: str) -> float:
    return mean(bool(row[name]) for row in rows)


def _by_kind(rows: Sequence[Row], count: Any) -> str:
    kinds = dict.fromkeys(row["kind"] for row in rows)
    shares = {kind: mean(count(row) for row in rows if row["kind"] == kind) for kind in kinds}
    return ", ".join(f"{kind} {share:.2f}" for kind, share in shares.items())


def rows(project: str, name: str) -> list[Row]:
    """Return the lines of one file of a *project* of the set."""
    text = (FOLDER / project / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]
