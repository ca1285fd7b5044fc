"""The engine that needs no model: what a turn did and said, taken from the turn itself.

It runs always and costs nothing. The same turn gives the same entry, and nothing in an entry is
invented: its lines are points of the agent's report and the user's request, in their own words,
and what tools did. A report of usual length is kept nearly whole; of a longer one whole points are
chosen: causes, decisions, results and changes first.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import cast

from recollect import ids
from recollect.journal import evidence, passages, recap, report, shell
from recollect.journal.evidence import Fix, Step
from recollect.journal.model import JournalEntry, Observation, ObservationType, Summary
from recollect.journal.report import Point, Role
from recollect.journal.shell import Commit
from recollect.text import question, sentences, spoken
from recollect.text.identifiers import identifiers
from recollect.text.sentences import clause, cut
from recollect.transcripts import small_talk
from recollect.transcripts.turns import CleanTurn, Turn
from recollect.typed import ASKED

LONGEST_TITLE = 120
LONGEST_TEXT = 240
LONGEST_SLIP = 100
MOST_FIXES = 2
MOST_COMMITS = 4
MOST_DECISIONS = 3
MOST_OUTCOMES = 2
MOST_FILES = 3
FILES_ROOM = 90
MOST_FILES_READ = 2
MOST_SETTINGS = 3
SETTINGS_ROOM = 180
# A few words cut off a sentence mean nothing without it.
SHORTEST_REST = 25
# A choice of fewer words ("go with the Postgres table") does not say what it is about.
FEWEST_CHOICE_WORDS = 6

# In characters. So much of a report is kept (about 250 tokens with all around it), and so much of
# what the user wrote.
REPORT_ROOM = 950
REQUEST_ROOM = 110
# What is said on the way counts where the report says little.
BRIEF_REPORT = 160
REMARK_ROOM = 300
FOUND_ON_THE_WAY = (Role.CAUSE, Role.DECISION)
MOST_REMARKS = 100
LONGEST_REMARK = 2_000

# What each kind of point is worth beside the others; choosing is `salience`'s.
WEIGHTS = {
    Role.CAUSE: 1.4,
    Role.DECISION: 1.4,
    Role.RESULT: 1.3,
    Role.CHANGE: 1.2,
    Role.HOW_TO: 1.2,
    Role.OPEN: 0.8,
    Role.OTHER: 1.0,
    Role.REMARK: 0.0,
}
# A report opens with its point.
OPENING = 1.5
LOOKED = 0.4
# A request says what it is about where it asks for something.
ORDER = 1.3
# Names and numbers are what people look for later; beyond a few it is a list.
NAME = 0.5
MOST_NAMES = 4
# A point with fewer telling words leans on its neighbours.
ENOUGH_WORDS = 10
# How much a long point has to make up for: not at all with 0, in proportion with 1.
COST = 0.4
LEANING = 0.8

# A headline is an early point that tells what came of the turn, rather a whole sentence than a
# part of one.
HEADLINE_WEIGHTS = {
    Role.CHANGE: 1.4,
    Role.DECISION: 1.3,
    Role.RESULT: 1.2,
    Role.CAUSE: 1.2,
    Role.OTHER: 1.0,
    Role.HOW_TO: 0.8,
    Role.OPEN: 0.4,
    Role.REMARK: 0.0,
}
LATER, TOO_LONG = 0.85, 0.6
HEADLINE_WORDS = 3
HEADLINE_POINTS = 6
TITLE_LINES = 3
# A request that stands before a short answer in a headline.
LONGEST_TOPIC = 60

_CONVENTIONAL = re.compile(r"(\w+)(?:\([^)]*\))?!?:\s")
_COMMIT_TYPES: dict[str, ObservationType] = {
    "feat": "feature",
    "fix": "bugfix",
    "refactor": "refactor",
    "security": "security",
}
# What kind of change was asked for or made, by the verb that opens a sentence; any other is just a
# change.
_SECURITY = re.compile(r"\b(?:vulnerab\w+|CVE-\d+|exploit\w*|sql injection|xss|csrf)\b", re.I)
_VERB = re.compile(
    r"(?:(?:please|can you|could you|i|we|now|let'?s|let us|also|and|i'?ve|we'?ve|to)[ ,]+)*"
    r"(?:(?P<bugfix>fix(?:e[sd]|ing)?|repair(?:ed)?|debug)"
    r"|(?P<refactor>refactor\w*|renam\w+|extract(?:ed)?|clean(?:ed)?[ -]?up|simplif\w+"
    r"|restructur\w+|dedup\w*)"
    r"|(?P<feature>add(?:ed|ing)?|implement\w*|creat(?:ed?|ing)|introduc\w+|build|built))\b",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    r"\b(?:bugs?|broken|crash(?:e[sd]|ing)?|regression|fix(?:e[sd])?|hangs?|froze|fails?|failing"
    r"|wrong|does ?n[o']t work|stopped working|exception|(?-i:\w+Error))\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:please|pls|can (?:you|we|it)|could|should|must|want|need|let us|lets|let's|never"
    r"|always)\b|\?",
    re.IGNORECASE,
)
_JOINING = re.compile(r"(?:and|but|so|then|ok(?:ay)?|also)[,:]?\s+(?=\w)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_HEARD = re.compile(
    r"\W*(?:noted|understood|got it|ok(?:ay)?|sure|will do|agreed|remembered|done)\b\W*",
    re.IGNORECASE,
)
# What agents ask before they go on; the answer decides nothing that lasts.
_GO_ON = re.compile(r"\b(?:next|proceed|continue|go ahead|ready|commit|start)\b", re.IGNORECASE)


class Extractive:
    """The engine `extractive/3`."""

    name = "extractive/3"

    def observe(self, turn: CleanTurn) -> JournalEntry:
        """Return the entry for *turn*; one that did and said nothing has a headline alone."""
        account = _account(turn)
        observations = () if small_talk.is_small_talk(turn) else _observations(account)
        headline = _headline(account) if observations else _request(turn)
        return JournalEntry(
            id=ids.entry_id(turn.started, turn.key, turn.host),
            turn=turn.key,
            line=turn.line,
            session=turn.session,
            host=turn.host,
            at=turn.started,
            headline=_marked(headline, interrupted=turn.interrupted),
            observations=observations,
            branch=turn.branch,
            commit=account.commits[-1].hash if account.commits else "",
            by=self.name,
        )

    def summarise(
        self,
        entries: Sequence[JournalEntry],
        *,
        last: CleanTurn,
        before: Callable[[], Iterable[CleanTurn]] = tuple,
    ) -> Summary:
        """Return the session so far, from its *entries*, its *last* turn and those *before* it."""
        return recap.summarise(entries, last=last, before=before)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Account:
    """What a turn comes down to, before it is put in observations."""

    turn: Turn
    steps: Sequence[Step]
    commits: Sequence[Commit]
    modified: Sequence[str]
    said: Sequence[Point]
    """What the agent reported, whole."""
    kept: Sequence[Point]
    """What is kept of it, in order."""

    @property
    def has_changed(self) -> bool:
        """True when something is different after the turn."""
        kinds = ("install", "commit", "git", "migration")
        done = [run.kind for run in evidence.commands(self.steps) if not run.failed]
        return bool(self.modified) or any(kind in kinds for kind in done)

    @property
    def names_request(self) -> bool:
        """True when the request says what the turn is about."""
        prompt = self.turn.prompt
        return not sentences.slash_command(prompt) and not sentences.is_thin(_request(self.turn))


def _account(turn: Turn) -> _Account:
    steps = evidence.steps(turn)
    said = list(_reported(turn))
    return _Account(
        turn=turn,
        steps=steps,
        commits=evidence.commits(steps),
        modified=evidence.modified(steps),
        said=said,
        kept=_chosen(said, room=REPORT_ROOM),
    )


def _reported(turn: Turn) -> Iterator[Point]:
    """Yield the points of the report; of one that says little, also what was found on the way."""
    answer = "" if small_talk.answers_nothing(turn.answer) else turn.answer
    points = [
        one
        for before, one in _with_one_before(report.points(answer))
        if not _is_talk(one)
        and not _only_confirms(one.text, turn.prompt)
        and not (before and _goes_on(one, before) and _is_talk(before))
    ]
    # That all is well is told by a report that says nothing else.
    telling = [one for one in points if _is_kept(one)] or points
    yield from telling
    length = sum(len(one.text) for one in telling)
    if length < BRIEF_REPORT:
        for task in evidence.tasks(turn):
            yield Point(text=task, role=Role.CHANGE, is_item=True, block=-1)
    room = REMARK_ROOM if length else REPORT_ROOM
    for number, remark in enumerate(turn.remarks[:MOST_REMARKS], start=2):
        for one in report.points(remark[:LONGEST_REMARK]):
            roles = FOUND_ON_THE_WAY if length else (*FOUND_ON_THE_WAY, Role.RESULT, Role.CHANGE)
            is_finding = one.role in roles and not report.is_under_way(one.text)
            if is_finding and _is_kept(one) and one.size <= room:
                room -= one.size
                yield replace(one, block=-number)


def _with_one_before(points: Sequence[Point]) -> Iterator[tuple[Point | None, Point]]:
    return zip([None, *points], points, strict=False)


def _goes_on(one: Point, before: Point) -> bool:
    """Tell whether *one* cannot be understood without the point *before* it."""
    return sentences.leans(one.text) and one.block == before.block and not one.is_item


def _only_confirms(line: str, prompt: str) -> bool:
    """Tell whether *line* says back to the user what they said: "Noted: pnpm from now on."."""
    heard = _HEARD.match(line)
    return heard is not None and not passages.says_more(line[heard.end() :], [prompt])


def _is_kept(one: Point) -> bool:
    says_how = not report.is_status(one.text) or _NUMBER.search(one.text) is not None
    return says_how and not _is_talk(one)


def _is_talk(one: Point) -> bool:
    """Tell whether *one* says nothing of the work: a remark, a question, small talk."""
    is_asked = one.text.endswith(("?", "？"))
    return one.role is Role.REMARK or is_asked or not sentences.says_something(one.text)


def _chosen(said: Sequence[Point], *, room: int) -> list[Point]:
    """Return the points of *said* to keep, in order: all, or those that tell most for their size.

    What sums up the rest is in the headline; what people look for later is a detail: a name, a
    number, a reason. So points are not weighed against each other.
    """
    if sum(one.size for one in said) <= room:
        return list(said)
    worth = [_weight(one, place) / one.size**COST for place, one in enumerate(said)]
    chosen: list[int] = []
    for place in sorted(range(len(said)), key=lambda place: -worth[place]):
        if said[place].size <= room:
            chosen.append(place)
            room -= said[place].size
    return _with_gaps(said, sorted(chosen), room=room)


def _with_gaps(said: Sequence[Point], chosen: Sequence[int], *, room: int) -> list[Point]:
    """Return the points of *said* at the places *chosen*, so that none goes on from another's.

    "That will matter later" behind another sentence than its own says something untrue.
    """
    kept: dict[int, Point] = {place: said[place] for place in chosen}
    for place in chosen:
        one, before = said[place], said[place - 1] if place else None
        if before is None or place - 1 in kept or not _goes_on(one, before):
            continue
        if before.size <= room:
            room -= before.size
            kept[place - 1] = before
        else:
            kept[place] = replace(one, text=f"… {one.text}")
    return [one for _, one in sorted(kept.items())]


def _weight(one: Point, place: int) -> float:
    names = len(identifiers(one.text)) + len(_NUMBER.findall(one.text))
    telling = min(1.0, len(sentences.telling_words(one.text)) / ENOUGH_WORDS)
    weight = WEIGHTS[one.role] * telling * (1 + NAME * min(names, MOST_NAMES))
    weight *= OPENING if place == 0 else 1.0
    if report.tells_of_looking(one.text) or report.is_status(one.text):
        weight *= LOOKED
    return weight * (LEANING if sentences.leans(one.text) else 1.0)


# The headline.


def _headline(account: _Account) -> str:
    """Return what came of the turn, in a line; what was asked for where nothing tells."""
    command = sentences.slash_command(account.turn.prompt)
    result = _outcome(account) or _done(account)
    if not result or (command and result == command):
        return _request(account.turn)
    return clause(": ".join(filter(None, [command, result])), LONGEST_TITLE)


def _outcome(account: _Account) -> str:
    """Return the point that tells what came of the turn, or the title of the report."""
    best = _best(account.said)
    if best is None:
        return ""
    title = _title_of(account.said)
    topic = _topic(account.turn)
    if report.title_words(title) >= HEADLINE_WORDS:
        return title
    # A list tells what was done piece by piece; what all of it was for stands in the request.
    says_part = best.is_item or (_is_weak(best) and _VERB.match(topic))
    if says_part and topic and account.has_changed:
        return topic
    return _about(_with_next(best, account.said), account, title=title, topic=topic)


def _about(text: str, account: _Account, *, title: str, topic: str) -> str:
    """Return *text*; if it is too short to be understood alone, with what it is about."""
    is_short = len(sentences.telling_words(text)) < HEADLINE_WORDS
    if is_short and account.commits:
        return account.commits[-1].subject
    if report.title_words(title) and (is_short or report.tells_of_looking(text)):
        return f"{title}: {text}"
    asked = topic or next(iter(_spoken(account.turn)), "")
    if is_short and asked:
        return f"{clause(asked, LONGEST_TOPIC).rstrip('.…?!')}: {text}"
    return text


def _title_of(said: Sequence[Point]) -> str:
    """Return the heading of a report, also where a remark stands above it."""
    below = said[1].heading if len(said) > 1 and _is_weak(said[0]) else ""
    return said[0].heading or below


def _topic(turn: Turn) -> str:
    """Return the sentence of the prompt that tells most of what it is about; empty if none does."""
    best = max(_spoken(turn), key=_asks_for, default="")
    return best if len(sentences.telling_words(best)) >= HEADLINE_WORDS else ""


def _best(said: Sequence[Point]) -> Point | None:
    """Return the point to name a turn by: an early one that tells what was done or found."""
    early = said[:HEADLINE_POINTS]
    # Where somebody looked is no headline beside what they found there.
    own = [one for one in early if not one.is_item and not report.tells_of_looking(one.text)]
    own = own or [one for one in early if not any(other.is_item for other in early)]
    telling = next(filter(None, ([*filter(_tells, own)], own, [*filter(_tells, early)])), early)

    def worth(one: Point) -> float:
        value = HEADLINE_WEIGHTS[one.role] * LATER ** early.index(one)
        if _is_weak(one):
            value *= LOOKED
        is_cut = clause(one.text, LONGEST_TITLE).endswith("…")
        return value * (TOO_LONG if is_cut else 1.0)

    return max(telling, key=worth, default=None)


def _tells(one: Point) -> bool:
    words = len(sentences.telling_words(one.text))
    return words >= HEADLINE_WORDS and not report.is_code(one.text)


def _is_weak(one: Point) -> bool:
    """Tell whether *one* says too little to name a turn by."""
    text = one.text
    looks = report.tells_of_looking(text) or report.is_status(text) or report.is_code(text)
    return looks or sentences.leans(text) or one.role is Role.OPEN


def _with_next(best: Point, said: Sequence[Point]) -> str:
    """Return the text of *best*; if that says little, with what follows it and fits."""
    at = next(place for place, one in enumerate(said) if one is best)
    text = best.text
    for one in said[at + 1 : at + 3]:
        is_enough = len(sentences.telling_words(text)) >= HEADLINE_WORDS
        fits = len(text) + 1 + len(one.text) <= LONGEST_TITLE
        if is_enough or not fits or one.block != best.block or one.role is Role.OPEN:
            break
        text = f"{text} {one.text}"
    return text


def _done(account: _Account) -> str:
    """Return what was done, as commits, plans or the list of tasks call it."""
    if account.commits and not account.names_request:
        return account.commits[0].subject
    return "" if account.names_request else evidence.plan(account.turn)


def _request(turn: Turn) -> str:
    prompt = turn.prompt
    pasted = "" if sentences.requests(prompt) else shell.error_in(prompt)
    return clause(pasted or sentences.headline(prompt), LONGEST_TITLE)


def _marked(headline: str, *, interrupted: bool) -> str:
    if not interrupted:
        return headline
    return cut(headline, LONGEST_TITLE - len(sentences.INTERRUPTED)) + sentences.INTERRUPTED


# The observations.


def _observations(account: _Account) -> tuple[Observation, ...]:
    decided = [one for one in account.kept if report.is_choice(one.text)][:MOST_DECISIONS]
    by_user = [*_choices(account.turn), *_answers(account.turn)]
    texts = [*by_user, *(one.text for one in decided)][:MOST_DECISIONS]
    rest = replace(account, kept=[one for one in account.kept if one.text not in texts])
    mended = [fix for fix in evidence.fixes(account.steps) if not fix.is_slip]
    found = [
        *_told_once(_deed(rest), [_decision(text) for text in texts]),
        *map(_fix, mended[:MOST_FIXES]),
        *map(_commit, account.commits[:MOST_COMMITS]),
    ]
    return tuple({(each.type, each.title): each for each in found}.values())


def _told_once(deeds: list[Observation], decisions: list[Observation]) -> list[Observation]:
    """Return both; one that is found out by what was decided is told as that decision alone."""
    titles = [one.title for one in decisions]
    decided = [one for one in deeds if one.type == "discovery" and one.title in titles]
    whole = {one.title: replace(one, type="decision") for one in decided}
    rest = [one for one in deeds if one not in decided]
    return [*rest, *(whole.get(one.title, one) for one in decisions)]


def _deed(account: _Account) -> list[Observation]:
    """Return what the turn did as a whole, or found out; reading alone is not worth keeping."""
    headline = clause(_outcome(account), LONGEST_TITLE)
    left = [one for one in account.kept if one.text not in headline]
    opening, report_lines = _opened(left, known=headline)
    seen = [*_settings(account), *_slips(account), *_outcomes(account)]
    asked = _asked(account.turn)
    best = _best(account.said)
    others = [best.text if best else "", *_changed(account), *seen, _told_only(account.turn)]
    opening = opening or next(filter(None, others), "")
    if not opening:
        return []
    title, text = _headed(opening)
    facts = (fact for fact in (asked, *report_lines, *seen) if fact)
    return [
        Observation(
            type=_type(account),
            title=title,
            text=text,
            facts=tuple(fact for fact in facts if fact.removeprefix(ASKED) != opening),
            files_modified=_named_files(account.modified),
            files_read=_studied(account),
        )
    ]


def _opened(left: Sequence[Point], *, known: str) -> tuple[str, list[str]]:
    """Return the line that heads what is *left* to tell, and the other lines."""
    report_lines = report.lines(left, known=known)
    still_open = {one.text for one in left if one.role is Role.OPEN}
    fitting = [
        line for line in report_lines[:TITLE_LINES] if _can_head(line) and line not in still_open
    ]
    if fitting:
        return fitting[0], [line for line in report_lines if line != fitting[0]]
    first = next((one for one in left[:HEADLINE_POINTS] if _can_head(one.text)), None)
    if first and not first.is_item and first.role is not Role.OPEN:
        return first.text, report.lines([one for one in left if one is not first], known=known)
    return (
        (report_lines[0], report_lines[1:])
        if report_lines and report_lines[0] not in still_open
        else ("", report_lines)
    )


def _can_head(line: str) -> bool:
    """Tell whether *line* can be understood as a title."""
    tells = len(sentences.telling_words(line)) >= HEADLINE_WORDS and not report.is_code(line)
    return tells and len(line) <= LONGEST_TITLE and not sentences.leans(line)


def _told_only(turn: Turn) -> str:
    """Return what the user told, and the agent only acknowledged; no question of theirs."""
    if not turn.answer:
        return ""
    said = (one.text for one in spoken.sentences(turn.prompt) if not one.asks)
    statements = (line for line in said if not question.begins_as_question(line))
    return next((line for line in statements if not sentences.is_thin(line)), "")


def _asked(turn: Turn) -> str:
    """Return what the user asked for and told, in their words: of much, what tells most."""
    said = _spoken(turn)
    room = REQUEST_ROOM
    chosen: list[tuple[int, str]] = []
    for place, line in sorted(enumerate(said), key=lambda one: -_asks_for(one[1])):
        whole = line if chosen else clause(line, room)
        if len(whole) <= room:
            chosen.append((place, whole))
            room -= len(whole) + 1
    return f"{ASKED}{' '.join(line for _, line in sorted(chosen))}" if chosen else ""


def _spoken(turn: Turn) -> list[str]:
    """Return the sentences of the prompt that tell something; of a pasted plan its title."""
    if sentences.slash_command(turn.prompt):
        return []
    said = [one.text for one in spoken.sentences(turn.prompt)]
    telling = [line for line in said if not sentences.is_thin(line)]
    titles = sentences.requests(turn.prompt)[:1]
    return telling or [line for line in titles if not sentences.is_thin(line)]


def _asks_for(line: str) -> float:
    """Return how much *line* tells of what a request is about."""
    names = len(identifiers(line)) + len(_NUMBER.findall(line))
    words = min(len(sentences.telling_words(line)), ENOUGH_WORDS)
    return (words + names) * (ORDER if _ORDER.search(line) else 1.0)


def _changed(account: _Account) -> list[str]:
    """Return what was changed, as far as files tell."""
    return [f"Changed {_listed(account.modified)}"] if account.modified else []


def _settings(account: _Account) -> list[str]:
    """Return the values that edits set and the report does not tell."""
    said = account.turn.answer
    lines: list[str] = []
    room = SETTINGS_ROOM
    for one in evidence.settings(account.turn):
        if one.is_told_in(said) or one.line in lines or len(one.line) > room:
            continue
        lines.append(one.line)
        room -= len(one.line)
    return lines[:MOST_SETTINGS]


def _slips(account: _Account) -> list[str]:
    """Return an error that the turn made and mended itself: the first one, of those with a name."""
    slips = [fix for fix in evidence.fixes(account.steps) if fix.is_slip]
    for fix in slips:
        if error := shell.exception_in(fix.failure.output):
            return [f"on the way: {cut(error, LONGEST_SLIP)}; solved in {_listed(fix.files[:1])}"]
    return []


def _outcomes(account: _Account) -> list[str]:
    """Return how tests and commands ended; that all is well is news only after a change."""
    proofs = {fix.success.program for fix in evidence.fixes(account.steps) if not fix.is_slip}
    courses = [
        course
        for course in evidence.courses(account.steps)
        if not course.is_routine and course.last.program not in proofs
    ]
    results = [one.line for one in courses if account.has_changed or one.last.failed]
    news = [line for line in results if not _is_said(line, account.turn.answer)]
    return news[-MOST_OUTCOMES:]


def _is_said(outcome: str, answer: str) -> bool:
    """Tell whether *answer* has the numbers of an *outcome*, or there are none in it."""
    _, _, printed = outcome.rpartition("`")
    counts = _NUMBER.findall(printed)
    return "passed" in printed and "failed" not in printed and all(one in answer for one in counts)


def _named_files(files: Sequence[str]) -> tuple[str, ...]:
    """Return the first of *files*, as many as stand on a line."""
    lengths = accumulate(len(name) for name in files)
    near = [name for name, length in zip(files, lengths, strict=True) if length <= FILES_ROOM]
    return tuple((near or list(files[:1]))[:MOST_FILES])


def _studied(account: _Account) -> tuple[str, ...]:
    """Return the files that were read and left as they are; of many, those that were spoken of."""
    turn = account.turn
    names = [name for name in evidence.read(turn) if name not in account.modified]
    if len(names) > MOST_FILES_READ or account.modified:
        said = "\n".join((turn.prompt, turn.answer, *turn.remarks))
        names = [name for name in names if name.rpartition("/")[2] in said]
    return tuple(names[:MOST_FILES_READ])


def _decision(sentence: str) -> Observation:
    title, text = _headed(sentence)
    return Observation(type="decision", title=title, text=text)


def _headed(sentence: str) -> tuple[str, str]:
    """Return *sentence* as a title and what did not fit in it: whole clauses, both of them."""
    title = clause(sentence, LONGEST_TITLE)
    if not sentence.startswith(title.rstrip("…")):  # What stood in brackets was left out.
        return title, sentence
    rest = sentence[len(title) :]
    bare = rest.lstrip(" ,;:.—–-")
    is_whole = not title.endswith("…") and len(bare) >= SHORTEST_REST and not bare.startswith("(")
    return title, bare if is_whole or not bare else sentence


def _fix(fix: Fix) -> Observation:
    program = cut(fix.failure.program, evidence.LONGEST_COMMAND)
    error = fix.error or f"`{program}` failed"
    return Observation(
        type="bugfix",
        title=cut(f"Fixed: {error}", LONGEST_TITLE),
        text=error if len(error) > LONGEST_TITLE - len("Fixed: ") else "",
        facts=(f"solved by changing {_listed(fix.files)}; then {fix.course}",),
        files_modified=_named_files(fix.files),
        concepts=("problem-solution",),
    )


def _commit(commit: Commit) -> Observation:
    prefix = _CONVENTIONAL.match(commit.subject)
    kind = _COMMIT_TYPES.get(prefix[1].lower(), "change") if prefix else "change"
    return Observation(
        type=kind,
        title=cut(commit.subject, LONGEST_TITLE),
        text=cut(commit.reason, LONGEST_TEXT),
        facts=(f"commit {commit.hash}",) if commit.hash else (),
    )


def _type(account: _Account) -> ObservationType:
    """Return what kind of work it was, by evidence first: what changed nothing is a discovery.

    A complaint is a bugfix only if the report tells a cause or a fix.
    """
    if not account.has_changed:
        return "discovery"
    request, outcome = _request(account.turn), _outcome(account)
    if _SECURITY.search(f"{request} {outcome}"):
        return "security"
    for sentence in (request, outcome):
        if (verb := _VERB.match(sentence)) and verb.lastgroup:
            return cast(ObservationType, verb.lastgroup)
    is_mended = any(one.role is Role.CAUSE for one in account.said) or _COMPLAINT.search(outcome)
    return "bugfix" if _COMPLAINT.search(account.turn.prompt) and is_mended else "change"


def _choices(turn: Turn) -> list[str]:
    """Return what the user decided in the prompt."""
    said = (one.text for one in spoken.sentences(turn.prompt) if not one.asks)
    chosen = [line for line in said if report.is_choice(line)]
    whole = [line for line in chosen if len(line.split()) >= FEWEST_CHOICE_WORDS]
    bare = (_JOINING.sub("", line, count=1) if _JOINING.match(line) else line for line in whole)
    return list(dict.fromkeys(line[:1].upper() + line[1:] for line in bare))


def _answers(turn: Turn) -> list[str]:
    """Return what the user chose when asked, beside how to go on."""
    choices = (line for line in evidence.answers(turn) if not line.endswith("?"))
    return [line for line in choices if not _GO_ON.search(line)]


def _listed(files: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in files[:3])
    return shown + (f" and {len(files) - 3} more" if len(files) > 3 else "")
