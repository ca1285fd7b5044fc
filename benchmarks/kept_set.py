"""Is what was worth knowing kept? Eight invented projects, their rules and session starts.

For each answerable prompt of `answers_set`, does the answer stand in the journal's Markdown alone,
and in what `expand` shows? Which of the sentences in `rules.jsonl` became notes? And what is a
session told that begins after a given one? All through the commands that everybody uses.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import answers_set, claude_transcripts, commands
from benchmarks.answers_set import ANSWERED, GROUPS, Row, holds
from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, at_least, at_most

PROMISES = {
    "entries: the answer stands in the Markdown": at_least(0.75),
    "entries: tokens, mean": at_most(250),
    "entries: the answer stands in expand": at_least(0.92),
    "entries: tokens of expand, mean": at_most(600),
    "starts: checks met": at_least(66 / 71),
    "rules: hold at once": at_least(14 / 24),
    "rules: hold or are proposed": at_least(20 / 24),
    "rules: made of what is none": at_most(1 / 22),
}

# A session starts so long after the one before.
LATER = timedelta(hours=15)


def run(part: Part, _options: Options) -> None:
    """Import the projects, look at what was kept of them, and count."""
    for half, names in GROUPS:
        asked = [row for name in names for row in _entries(name)]
        starts = [row for name in names for row in _starts(name)]
        rules = [row for name in names for row in _rules(name)]
        for row in (*asked, *starts, *rules):
            part.asked(**row)
        part.say(f"{half}: {', '.join(names)}")
        for name, value in (_of_entries(asked) | _of_starts(starts) | _of_rules(rules)).items():
            promise = PROMISES.get(name, NOTHING) if half == "reporting" else NOTHING
            part.figure(f"{half}: {name}", value, promise=promise)


def _of_entries(rows: Sequence[Row]) -> dict[str, float]:
    sizes = {row["gold"][0]: row for row in rows}.values()
    return {
        "entries: the answer stands in the Markdown": mean(row["in_entry"] for row in rows),
        "entries: tokens, mean": mean(row["tokens"] for row in sizes),
        "entries: the answer stands in expand": mean(row["in_expand"] for row in rows),
        "entries: tokens of expand, mean": mean(row["expand_tokens"] for row in sizes),
    }


def _of_starts(rows: Sequence[Row]) -> dict[str, float]:
    met = [check for row in rows for check in row["checks"].values()]
    return {
        "starts: checks met": mean(met),
        "starts: all met": mean(all(row["checks"].values()) for row in rows),
        "starts: tokens, mean": mean(row["tokens"] for row in rows),
    }


def _of_rules(rows: Sequence[Row]) -> dict[str, float]:
    stated = [row for row in rows if row["rule"]]
    return {
        "rules: hold at once": mean(row["status"] == "holds" for row in stated),
        "rules: hold or are proposed": mean(bool(row["status"]) for row in stated),
        "rules: made of what is none": mean(bool(row["status"]) for row in rows if not row["rule"]),
    }


def _entries(project: str) -> Iterable[Row]:
    """Return the answerable prompts of *project*, with where the answer stands."""
    turns = answers_set.rows(project, "turns")
    with commands.scratch_home() as home:
        folder = _imported(home, project, turns)
        written = {one["turn"]: one for one in _entries_in(folder)}
    kept = {turn["id"]: written.get(_key(folder, turn), {}) for turn in turns}
    for row in answers_set.rows(project, "prompts"):
        if row["kind"] not in ANSWERED:
            continue
        gold = [kept[turn] for turn in row["gold"] if kept[turn]]
        bodies = [f"{one['title']}\n{one['body']}" for one in gold]
        expanded = [
            "\n".join((body, *one["passages"])) for one, body in zip(gold, bodies, strict=True)
        ]
        yield {
            "project": project,
            **row,
            "in_entry": holds(row["answer"], "\n".join(bodies)),
            "in_expand": holds(row["answer"], "\n".join(expanded)),
            "tokens": mean(map(commands.cost, bodies)) if bodies else 0,
            "expand_tokens": mean(map(commands.cost, expanded)) if bodies else 0,
        }


def _starts(project: str) -> Iterable[Row]:
    """Return the session starts of *project*, with the checks that were met."""
    turns = answers_set.rows(project, "turns")
    with commands.scratch_home() as home:
        for row in sorted(answers_set.rows(project, "starts"), key=lambda row: row["after"]):
            until = [turn for turn in turns if turn["session"] <= row["after"]]
            folder = _imported(home, project, until)
            last = max(datetime.fromisoformat(turn["at"]) for turn in until)
            now = (last + LATER).isoformat()
            given = commands.recollect("context", "--project", str(folder), "--now", now, "--json")
            text = given["context"]
            checks = {" / ".join(group): holds([group], text) for group in row["must"]}
            checks |= {f"not: {one}": not holds([[one]], text) for one in row["must_not"]}
            yield {
                "project": project,
                "start": row["id"],
                "checks": checks,
                "text": text,
                "tokens": commands.cost(text),
            }


def _rules(project: str) -> Iterable[Row]:
    """Return the sentences of *project* that are rules or only look like one, with their fate."""
    rows = answers_set.rows(project, "rules")
    with commands.scratch_home() as home:
        folder = _imported(home, project, [{**row, "tools": []} for row in rows])
        notes = commands.recollect("list", "--project", str(folder), "--json", "-n", "500")
    for row in rows:
        session = claude_transcripts.session_id(project, row["session"])
        of_it = [one for one in notes if one["source"]["session"] == session]
        fates = ["proposed" if one["review"] == "proposed" else "holds" for one in of_it]
        status = min(fates, default="")  # "holds" comes before "proposed".
        yield {
            "project": project,
            **row,
            "status": status,
            "notes": [one["title"] for one in of_it],
        }


def _imported(home: Path, project: str, turns: Sequence[Mapping[str, Any]]) -> Path:
    """Let *home* know the *turns* of *project*; return its folder."""
    folder = home / project
    folder.mkdir(exist_ok=True)
    sessions = home / "sessions" / project
    claude_transcripts.write(sessions, turns, project=folder)
    commands.recollect("import", str(sessions))
    return folder


def _key(folder: Path, turn: Row) -> str:
    return claude_transcripts.turn_key(folder.name, turn["id"])


def _entries_in(folder: Path) -> Iterable[Row]:
    """Return every entry of the project in *folder*, with what `expand` shows of it."""
    about = ("--project", str(folder), "--json")
    for one in commands.recollect("timeline", "2099-01-01", "--before", "500", *about):
        yield commands.recollect("expand", one["id"], "--json")
