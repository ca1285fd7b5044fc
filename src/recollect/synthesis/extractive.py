"""The engine that needs no model: what a turn did and said, taken from the turn itself.

It runs always and costs nothing. The same turn gives the same entry, and nothing in an
entry is invented: titles and facts are sentences of the turn or outcomes of its commands.
An entry is short: what is kept of the words is a small share of them, the most telling one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from recollect import ids
from recollect.memories.model import Entry, Observation, ObservationType, Summary
from recollect.synthesis import evidence, recap, salience, sentences, shell
from recollect.synthesis.evidence import Fix, Step
from recollect.synthesis.salience import Candidate
from recollect.synthesis.sentences import cut
from recollect.synthesis.shell import Commit
from recollect.transcripts.turns import CleanTurn, Turn

LONGEST_TITLE = 120
LONGEST_TEXT = 240
LONGEST_SLIP = 100
MOST_FIXES = 2
MOST_COMMITS = 5
MOST_DECISIONS = 2
MOST_OUTCOMES = 3
MOST_FILES = 5
MOST_FILES_READ = 2

# How much of what was said is kept in key sentences: a share of it, within bounds. A journal
# that keeps more is found better, too, but longer to read: `benchmarks/extraction.py` has both.
SHARE = 0.09
LEAST_ROOM = 100
MOST_ROOM = 1000
# A sentence with fewer telling words is kept only for want of another.
FEWEST_WORDS = 3
# What is no longer than this is a summary already.
BRIEF = 400

# The user's words are what people ask for later; what is said on the way is often taken back.
BY_USER, BY_AGENT, IN_TASKS, ON_THE_WAY = 1.2, 1.0, 1.0, 0.6
# An answer opens with its point. A reason, a cause or a rule is worth more than the rest, and
# so is a change that was made; an item of a list, or a sentence that leans on another, less.
OPENING, REASON, DEED, ITEM, LEANING = 2.0, 1.4, 1.2, 0.8, 0.7

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
# What agents ask before they go on; the answer decides nothing that lasts.
_GO_ON = re.compile(r"\b(?:next|proceed|continue|go ahead|ready|commit|start)\b", re.IGNORECASE)
_CONCEPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "why-it-exists",
        re.compile(r"\b(?:because|reason|so that|weil|porque)\b|因为|ため|때문", re.I),
    ),
    ("gotcha", re.compile(r"\b(?:turn(?:s|ed) out|note that|beware|careful|must|never)\b", re.I)),
    ("trade-off", re.compile(r"\b(?:instead of|rather than|trade-?offs?|at the cost)\b", re.I)),
)


class Extractive:
    """The engine `extractive/2`."""

    name = "extractive/2"

    def observe(self, turn: CleanTurn) -> Entry:
        """The entry for *turn*; one that did and said nothing has a headline alone."""
        account = _account(turn)
        return Entry(
            id=ids.entry_id(turn.started, turn.key, turn.host),
            turn=turn.key,
            line=turn.line,
            session=turn.session,
            host=turn.host,
            at=turn.started,
            headline=_marked(account.headline, interrupted=turn.interrupted),
            observations=_observations(account),
            branch=turn.branch,
            commit=account.commits[-1].hash if account.commits else "",
            by=self.name,
        )

    def summarise(
        self,
        entries: Sequence[Entry],
        *,
        last: CleanTurn,
        before: Callable[[], Iterable[CleanTurn]] = tuple,
    ) -> Summary:
        """The session so far, from its *entries*, its *last* turn and those *before* it."""
        return recap.summarise(entries, last=last, before=before)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Account:
    """What a turn comes down to, before it is put in observations."""

    turn: Turn
    steps: Sequence[Step]
    commits: Sequence[Commit]
    modified: Sequence[str]
    asked: Sequence[str]
    """Key sentences of the user, beside the headline."""
    told: Sequence[str]
    """Key sentences of the agent, the best first."""
    headline: str = ""

    @property
    def has_changed(self) -> bool:
        """True when something is different after the turn."""
        kinds = ("install", "commit", "git", "migration")
        done = [run.kind for run in evidence.commands(self.steps) if not run.failed]
        return bool(self.modified) or any(kind in kinds for kind in done)


def _account(turn: Turn) -> _Account:
    taken = evidence.steps(turn)
    chosen = _key_sentences(turn)
    told = _Account(
        turn=turn,
        steps=taken,
        commits=evidence.commits(taken),
        modified=evidence.modified(taken),
        asked=[one.text for one in chosen if one.source == "user"],
        told=[one.text for one in chosen if one.source != "user"],
    )
    return _named(told)


def _key_sentences(turn: Turn) -> list[Candidate]:
    spoken = len(turn.prompt) + len(turn.answer) + sum(map(len, turn.remarks))
    said = [one for one in (*_by_user(turn), *_by_agent(turn)) if one.text]
    # What is left to be done is the summary's to tell, and untrue as soon as it is done.
    said = [one for one in said if not _is_left_open(one)] or said
    if spoken <= BRIEF:
        return sorted(said, key=lambda one: -one.weight)
    room = min(max(int(spoken * SHARE), LEAST_ROOM), MOST_ROOM)
    full = [one for one in said if len(sentences.telling_words(one.text)) >= FEWEST_WORDS]
    return salience.choose(full or said, room=room, known=[sentences.headline(turn.prompt)])


def _is_left_open(one: Candidate) -> bool:
    return one.source == "agent" and sentences.leaves_open(one.text)


def _by_user(turn: Turn) -> Iterator[Candidate]:
    """What the user said beside the headline, and while the agent worked."""
    asked = sentences.requests(turn.prompt)
    _, cut_off = sentences.parted(asked[0] if asked else "", sentences.LONGEST_HEADLINE)
    for line in (cut_off, *asked[1:], *evidence.objections(turn)):
        if not sentences.is_thin(line):
            yield _candidate(line, BY_USER, source="user")


def _by_agent(turn: Turn) -> Iterator[Candidate]:
    opening = OPENING
    for statement in sentences.stated(turn.answer):
        weight = BY_AGENT * opening * (ITEM if statement.is_item else 1.0)
        yield _candidate(statement.text, weight, source="agent")
        opening = 1.0
    for task in evidence.tasks(turn):
        yield _candidate(task, IN_TASKS, source="agent")
    for remark in turn.remarks:
        for line in sentences.statements(remark):
            yield _candidate(line, ON_THE_WAY, source="agent")


def _candidate(line: str, weight: float, *, source: str) -> Candidate:
    if sentences.gives_reason(line):
        weight *= REASON
    if sentences.tells_deed(line):
        weight *= DEED
    if sentences.leans(line):
        weight *= LEANING
    return Candidate(text=cut(line, LONGEST_TEXT), weight=weight, source=source)


def _named(account: _Account) -> _Account:
    """*account* with its headline: the request, or what was done where that says nothing."""
    prompt = account.turn.prompt
    asked = sentences.headline(prompt)
    command = sentences.slash_command(prompt)
    if not command and not sentences.is_thin(asked):
        pasted = "" if sentences.requests(prompt) else shell.error_in(prompt)
        return replace(account, headline=cut(pasted or asked, LONGEST_TITLE))
    done = [commit.subject for commit in account.commits] or [evidence.plan(account.turn)]
    told = account.told
    if not done[0] and told:
        done, told = [told[0]], told[1:]
    name = ": ".join(filter(None, [command, done[0]])) or asked
    return replace(account, headline=cut(name, LONGEST_TITLE), told=told)


def _marked(headline: str, *, interrupted: bool) -> str:
    if not interrupted:
        return headline
    return cut(headline, LONGEST_TITLE - len(sentences.INTERRUPTED)) + sentences.INTERRUPTED


def _observations(account: _Account) -> tuple[Observation, ...]:
    stated = [*sentences.statements(account.turn.prompt), *account.told]
    chosen = [*_choices(stated), *_answers(account.turn)][:MOST_DECISIONS]
    rest = replace(account, told=[line for line in account.told if line not in chosen])
    mended = [fix for fix in evidence.fixes(account.steps) if not fix.is_slip]
    found = [
        *_deed(rest),
        *map(_decision, chosen),
        *map(_fix, mended[:MOST_FIXES]),
        *map(_commit, account.commits[:MOST_COMMITS]),
    ]
    return tuple({(each.type, each.title): each for each in found}.values())


def _deed(account: _Account) -> list[Observation]:
    """What the turn did as a whole, or found out; reading alone is not worth keeping."""
    outcomes = _outcomes(account)
    openings = [*account.told, *_changed(account), *outcomes, *account.asked]
    if not openings:
        return []
    opening = openings[0]
    title, rest = sentences.parted(opening, LONGEST_TITLE)
    facts = [*_asked(account, opening), *account.told, *_slips(account), *outcomes]
    return [
        Observation(
            type=_type(f"{_wish(account)}. {opening}", changed=account.has_changed),
            title=title,
            text=rest,
            facts=tuple(fact for fact in facts if fact != opening),
            files_modified=tuple(account.modified[:MOST_FILES]),
            files_read=_studied(account),
            concepts=_concepts(account.told),
        )
    ]


def _changed(account: _Account) -> list[str]:
    """What was changed, as far as files tell; they are listed below unless nothing else is."""
    if not account.modified:
        return []
    named = account.headline != sentences.headline(account.turn.prompt)
    count = len(account.modified)
    return [f"Changed {f'{count} files' if named and count > 1 else _listed(account.modified)}"]


def _wish(account: _Account) -> str:
    """What the turn was for. A commit tells of earlier work, too, and is observed by itself."""
    prompt = account.turn.prompt
    return sentences.headline(prompt) if account.commits else account.headline


def _asked(account: _Account, opening: str) -> list[str]:
    said = " ".join(line for line in account.asked if line != opening)
    return [f"asked: {said}"] if said else []


def _slips(account: _Account) -> list[str]:
    """An error that the turn made and mended itself: the first one, of those with a name."""
    slips = [fix for fix in evidence.fixes(account.steps) if fix.is_slip]
    for fix in slips:
        if error := shell.exception_in(fix.failure.output):
            return [f"on the way: {cut(error, LONGEST_SLIP)}; solved in {_listed(fix.files[:1])}"]
    return []


def _outcomes(account: _Account) -> list[str]:
    """How tests and commands ended; that all is well is news only after a change."""
    proofs = {fix.success.program for fix in evidence.fixes(account.steps) if not fix.is_slip}
    courses = [
        course
        for course in evidence.courses(account.steps)
        if not course.is_routine and course.last.program not in proofs
    ]
    told = [one.line for one in courses if account.has_changed or one.last.failed]
    return told[-MOST_OUTCOMES:]


def _studied(account: _Account) -> tuple[str, ...]:
    """The files that were read and left as they are; of many, those that were spoken of."""
    turn = account.turn
    names = [name for name in evidence.read(turn) if name not in account.modified]
    if len(names) > MOST_FILES_READ:
        said = "\n".join((turn.prompt, turn.answer, *turn.remarks))
        names = [name for name in names if name.rpartition("/")[2] in said]
    return tuple(names[:MOST_FILES_READ])


def _decision(sentence: str) -> Observation:
    title, rest = sentences.parted(sentence, LONGEST_TITLE)
    return Observation(type="decision", title=title, text=rest, concepts=_concepts([sentence]))


def _fix(fix: Fix) -> Observation:
    program = cut(fix.failure.program, evidence.LONGEST_COMMAND)
    title, rest = sentences.parted(f"Fixed: {fix.error or f'`{program}` failed'}", LONGEST_TITLE)
    return Observation(
        type="bugfix",
        title=title,
        text=rest,
        facts=(f"solved by changing {_listed(fix.files)}; then {fix.course}",),
        files_modified=fix.files[:MOST_FILES],
        concepts=("problem-solution",),
    )


def _commit(commit: Commit) -> Observation:
    prefix = _CONVENTIONAL.match(commit.subject)
    kind = _COMMIT_TYPES.get(prefix[1].lower(), "change") if prefix else None
    return Observation(
        type=kind or _type(commit.subject, changed=True),
        title=cut(commit.subject, LONGEST_TITLE),
        text=cut(commit.reason, LONGEST_TEXT),
        facts=(f"commit {commit.hash}",) if commit.hash else (),
        concepts=_concepts([commit.reason]),
    )


def _type(text: str, *, changed: bool) -> ObservationType:
    """By evidence first: what changed nothing is a discovery. Then by the first cue word."""
    if not changed:
        return "discovery"
    cue = _CUES.search(text)
    return cast(ObservationType, cue.lastgroup) if cue and cue.lastgroup else "change"


def _choices(lines: Iterable[str]) -> list[str]:
    chosen = (line for line in lines if _CHOICE.search(line) and not _NO_CHOICE.search(line))
    return list(dict.fromkeys(chosen))


def _answers(turn: Turn) -> list[str]:
    """What the user chose when asked, beside how to go on."""
    return [line for line in evidence.answers(turn) if not _GO_ON.search(line)]


def _concepts(lines: Iterable[str]) -> tuple[str, ...]:
    """What *lines* are about beside what their type says."""
    text = " ".join(lines)
    return tuple(concept for concept, cue in _CONCEPTS if cue.search(text))


def _listed(files: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in files[:3])
    return shown + (f" and {len(files) - 3} more" if len(files) > 3 else "")
