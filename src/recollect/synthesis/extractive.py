"""The engine that needs no model: what a turn did and said, taken from the turn itself.

It runs always and costs nothing. The same turn gives the same entry, and nothing in an
entry is invented: titles and facts are sentences of the turn or outcomes of its commands.
"""

import re
from collections.abc import Iterable, Sequence
from typing import cast

from recollect import ids
from recollect.memories.model import Entry, Observation, ObservationType, Summary
from recollect.synthesis import evidence, recap, sentences
from recollect.synthesis.evidence import Fix, Step
from recollect.synthesis.sentences import cut
from recollect.synthesis.shell import Commit
from recollect.transcripts.turns import CleanTurn, Turn

LONGEST_TITLE = 120
LONGEST_TEXT = 400
MOST_FIXES = 3
MOST_COMMITS = 5
MOST_DECISIONS = 2
MOST_FILES = 50
MOST_FILES_READ = 15

_CONVENTIONAL = re.compile(r"(\w+)(?:\([^)]*\))?!?:\s")
_COMMIT_TYPES: dict[str, ObservationType] = {
    "feat": "feature",
    "fix": "bugfix",
    "refactor": "refactor",
    "security": "security",
}
_CUES = re.compile(
    r"\b(?:(?P<security>security|vulnerab\w+|CVE-\d+|exploit\w*|injection|xss|csrf)"
    r"|(?P<bugfix>fix(?:e[sd]|ing)?|bugs?|broken|crash(?:e[sd]|ing)?|regression|repair(?:ed)?)"
    r"|(?P<refactor>refactor\w*|renam\w+|extract(?:ed)?|clean(?:ed)?[ -]?up|simplif\w+"
    r"|restructur\w+|dedup\w*)"
    r"|(?P<feature>add(?:s|ed|ing)?|implement\w*|creat(?:e[sd]?|ing)|support(?:s|ed)?|introduc\w+"
    r"|new|build))\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:decided|chose|opted|agreed|went with|settled on|from now on"
    r"|(?:let'?s|we'?ll|we'?re|i'?m) go(?:ing)? with)\b"
    r"|决定|決定|결정",
    re.IGNORECASE,
)
_NO_CHOICE = re.compile(
    r"\b(?:not|n't|yet|whether|if|should|could|might)\b[^.]*\b(?:decid|ch(?:oo|o)se|go with)",
    re.IGNORECASE,
)
_CONCEPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "why-it-exists",
        re.compile(r"\b(?:because|reason|so that|weil|porque)\b|因为|ため|때문", re.I),
    ),
    ("gotcha", re.compile(r"\b(?:turn(?:s|ed) out|note that|beware|careful|must|never)\b", re.I)),
    ("trade-off", re.compile(r"\b(?:instead of|rather than|trade-?offs?|at the cost)\b", re.I)),
)
_CONCEPT_OF_TYPE: dict[str, str] = {
    "bugfix": "problem-solution",
    "discovery": "how-it-works",
    "feature": "what-changed",
    "refactor": "what-changed",
    "change": "what-changed",
}


class Extractive:
    """The engine `extractive/1`."""

    name = "extractive/1"

    def observe(self, turn: CleanTurn) -> Entry:
        """The entry for *turn*; one that did and said nothing has a headline alone."""
        taken = evidence.steps(turn)
        made = evidence.commits(taken)
        return Entry(
            id=ids.entry_id(turn.started, turn.key, turn.host),
            turn=turn.key,
            line=turn.line,
            session=turn.session,
            host=turn.host,
            at=turn.started,
            headline=_headline(turn),
            observations=_observations(turn, taken, made),
            branch=turn.branch,
            commit=made[-1].hash if made else "",
            by=self.name,
        )

    def summarise(self, entries: Sequence[Entry], *, last: CleanTurn) -> Summary:
        """The session so far, from its *entries* and its *last* turn."""
        return recap.summarise(entries, last=last)


def _headline(turn: Turn) -> str:
    asked = sentences.headline(turn.prompt)
    if not turn.interrupted:
        return asked
    return cut(asked, LONGEST_TITLE - len(sentences.INTERRUPTED)) + sentences.INTERRUPTED


def _observations(
    turn: Turn, taken: Sequence[Step], made: Sequence[Commit]
) -> tuple[Observation, ...]:
    said = sentences.key_sentences(filter(None, [turn.answer, *reversed(turn.remarks)]))
    chosen = _choices([*sentences.statements(turn.prompt), *said])
    told = [line for line in said if line not in chosen[:MOST_DECISIONS]]
    found = [
        *_deed(turn, taken, told),
        *map(_choice, chosen[:MOST_DECISIONS]),
        *map(_fix, evidence.fixes(taken)[:MOST_FIXES]),
        *map(_commit, made[:MOST_COMMITS]),
    ]
    return tuple({(each.type, each.title): each for each in found}.values())


def _deed(turn: Turn, taken: Sequence[Step], told: Sequence[str]) -> list[Observation]:
    """What the turn did as a whole, or found out; reading alone is not worth keeping."""
    modified = evidence.modified(taken)
    outcomes = evidence.outcomes(taken)
    if not (told or modified or outcomes):
        return []
    lines = [*told, *outcomes]
    changed = f"Changed {_listed(modified)}" if modified else ""
    opening = next(filter(None, [*told[:1], changed, *outcomes]))
    kind = _type(f"{sentences.headline(turn.prompt)}. {opening}", changed=_has_changed(taken))
    looked_at = [name for name in evidence.read(turn) if name not in modified]
    return [
        Observation(
            type=kind,
            title=cut(opening, LONGEST_TITLE),
            text=opening if len(opening) > LONGEST_TITLE else "",
            facts=tuple(line for line in lines if line != opening),
            files_modified=modified[:MOST_FILES],
            files_read=tuple(looked_at[:MOST_FILES_READ]),
            concepts=_concepts(kind, lines),
        )
    ]


def _choice(sentence: str) -> Observation:
    return Observation(
        type="decision",
        title=cut(sentence, LONGEST_TITLE),
        text=sentence if len(sentence) > LONGEST_TITLE else "",
        concepts=_concepts("decision", [sentence]),
    )


def _fix(fix: Fix) -> Observation:
    program = cut(fix.failure.program, evidence.LONGEST_COMMAND)
    error = fix.error or f"`{program}` failed"
    return Observation(
        type="bugfix",
        title=cut(f"Fixed: {error}", LONGEST_TITLE),
        facts=(
            f"error: {error}",
            f"solved by changing {_listed(fix.files)}; then {fix.proof}",
        ),
        files_modified=fix.files[:MOST_FILES],
        concepts=("problem-solution",),
    )


def _commit(commit: Commit) -> Observation:
    prefix = _CONVENTIONAL.match(commit.subject)
    kind = _COMMIT_TYPES.get(prefix[1].lower(), "change") if prefix else None
    kind = kind or _type(commit.subject, changed=True)
    return Observation(
        type=kind,
        title=cut(commit.subject, LONGEST_TITLE),
        text=cut(commit.reason, LONGEST_TEXT),
        facts=(f"commit {commit.hash or 'made'}: {cut(commit.subject, LONGEST_TITLE)}",),
        concepts=_concepts(kind, [commit.subject, commit.reason]),
    )


def _type(text: str, *, changed: bool) -> ObservationType:
    """By evidence first: what changed nothing is a discovery. Then by the first cue word."""
    if not changed:
        return "discovery"
    cue = _CUES.search(text)
    return cast(ObservationType, cue.lastgroup) if cue and cue.lastgroup else "change"


def _has_changed(taken: Sequence[Step]) -> bool:
    kinds = ("install", "commit", "git", "migration")
    done = [run.kind for run in evidence.commands(taken) if not run.failed]
    return bool(evidence.modified(taken)) or any(kind in kinds for kind in done)


def _choices(lines: Iterable[str]) -> list[str]:
    chosen = (line for line in lines if _CHOICE.search(line) and not _NO_CHOICE.search(line))
    return list(dict.fromkeys(chosen))


def _concepts(kind: str, lines: Iterable[str]) -> tuple[str, ...]:
    text = " ".join(lines)
    told = [concept for concept, cue in _CONCEPTS if cue.search(text)]
    return tuple(filter(None, [_CONCEPT_OF_TYPE.get(kind, ""), *told]))


def _listed(files: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in files[:3])
    return shown + (f" and {len(files) - 3} more" if len(files) > 3 else "")
