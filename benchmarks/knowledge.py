"""Is what a colleague would want to know of a real turn kept? Facts chosen by readers of raw turns.

The turns are of sessions that are not ours, so no text of theirs stands here: a fact is told when
of each group of phrases one occurs, and a phrase is known by its number of words and a hash.
`python -m benchmarks.knowledge FOLDER` turns what readers wrote into such lines.
"""

import json
import re
import shutil
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import coding_sessions, commands
from benchmarks.options import Options
from benchmarks.report import Part, at_least

FACTS = Path(__file__).with_name("labelled") / "knowledge.jsonl"

Phrase = str
"""How many words, a colon, and the beginning of their hash."""


def run(part: Part, options: Options) -> None:
    """Import the sessions of the turns, and look for each fact in the entry and behind it."""
    given = coding_sessions.files(part, options)
    if not given:
        return
    wanted = {row["turn"]: row["facts"] for row in map(json.loads, FACTS.open(encoding="utf-8"))}
    with commands.scratch_home() as home:
        sessions = _unpacked(given[0], {turn.partition("/")[0] for turn in wanted}, home)
        commands.recollect("import", str(sessions))
        kept = {f"{one['session']}/{one['turn']}": one for one in _entries()}
    for turn, facts in wanted.items():
        entry = kept.get(turn)
        body = f"{entry['title']}\n{entry['body']}" if entry else ""
        whole = "\n".join((body, *entry["passages"])) if entry else ""
        part.asked(
            turn=turn,
            tokens=commands.cost(body),
            in_entry=[tells(body, fact) for fact in facts],
            in_expand=[tells(whole, fact) for fact in facts],
        )
    rows = part.questions
    in_entry = [told for row in rows for told in row["in_entry"]]
    part.say(f"{len(rows)} turns, {len(in_entry)} facts")
    part.figure("facts in the entry", mean(in_entry), promise=at_least(0.80))
    part.figure("facts in expand", mean(told for row in rows for told in row["in_expand"]))
    part.figure("tokens of an entry, mean", mean(row["tokens"] for row in rows))


def _unpacked(packed: Path, sessions: set[str], home: Path) -> Path:
    """Unpack those of the *packed* logs that are of *sessions*; return their folder."""
    folder, chosen = home / "packed", home / "sessions"
    with tarfile.open(packed) as archived:
        archived.extractall(folder, filter="data")
    chosen.mkdir()
    for log in folder.rglob("*.jsonl"):
        if log.stem[-coding_sessions.SESSION_ID :] in sessions:
            shutil.move(log, chosen)
    shutil.rmtree(folder)
    return chosen


def _entries() -> Iterator[Mapping[str, Any]]:
    about = ("2099-01-01", "--before", "100000", "--all-projects", "--json")
    for one in commands.recollect("timeline", *about):
        yield commands.recollect("expand", one["id"], "--json")


def phrase(text: str) -> Phrase:
    """Return what *text* is known by.

    >>> phrase("An N+1 query!") == phrase("an n 1  query")
    True
    """
    words = _words(text)
    return f"{len(words)}:{_hash(words)}"


def tells(text: str, fact: Sequence[Sequence[Phrase]]) -> bool:
    """Tell whether *text* has, of each group in *fact*, one of the phrases.

    >>> tells("It was an N+1 query.", [[phrase("n+1 query"), phrase("lazy load")]])
    True
    """
    words = _words(text)
    return all(any(_has(words, one) for one in group) for group in fact)


def _has(words: Sequence[str], one: Phrase) -> bool:
    size, _, digest = one.partition(":")
    count = int(size)
    return any(_hash(words[at : at + count]) == digest for at in range(len(words) - count + 1))


def _hash(words: Sequence[str]) -> str:
    return sha256(" ".join(words).encode()).hexdigest()[:12]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def main(folder: Path) -> None:
    """Print a line for each of the readers' files in *folder*."""
    for file in sorted(folder.glob("*.json")):
        read = json.loads(file.read_text(encoding="utf-8"))
        facts = [
            [sorted({phrase(text) for text in group}) for group in fact["strings"]]
            for fact in read["facts"]
        ]
        print(json.dumps({"turn": read["turn"], "facts": facts}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
