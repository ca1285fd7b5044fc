"""A session in eight fields, from its entries. What is not sure is left out."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from recollect.journal import (
    deeds,
    evidence,
    lessons,
    offers,
    plans,
    report,
    salience,
    undone,
    verdicts,
)
from recollect.journal.model import JournalEntry, Observation, Summary
from recollect.journal.published import published, still_open
from recollect.journal.salience import RankedSentence
from recollect.text import sentences
from recollect.text.sentences import clause, cut
from recollect.transcripts.turns import Turn
from recollect.typed import ASKED

_T = TypeVar("_T")

LONGEST_FIELD = 400
LONGEST_REQUEST = 240
# What was done is what most people look for: for each turn what was asked and what came of it.
LONGEST_COMPLETED = 1_200
# … as long as that, and so much longer with each turn that did something.
ROOM, ROOM_A_TURN = 500, 150
# Of many turns each is told at least this long.
LEAST_PART = 90
# What was done last is where things stand.
LATEST = 2.0
# A turn that changed so much beside the largest is told even if only its files are known.
LARGE = 0.7
# What every change brings with it says less.
TESTS = 0.4
LONGEST_ASKED = 90
LONGEST_ASKED_OF_MANY = 50
FEW_TURNS = 8
LONGEST_TOPIC = 120
MOST_PARTS = 8
# More do not fit, and reading them takes time.
MOST_TURNS = 16
# Of a longer session, how it began is told and so many of its last turns: what a summary has room
# for, and what makes no turn dearer than the one before.
MOST_ENTRIES = 60
# A turn whose changes no tool shows counts for a little.
SMALLEST = 0.5
MOST_LESSONS = 3
# What has so much of another's words says the same.
SAME_WORDS = 0.7
# What is longer is a list, not something that was learned or done.
LONGEST_LINE = 240
MOST_FILES = 20
# So many turns back, a plan is still one of this session.
LOOK_BACK = 10
MOST_LATER_CHANGES = 3
# A turn that ends in one of so many calls with a commit or a push has done its work.
LAST_CALLS = 3
# A reason told in fewer telling words cannot be understood by itself.
FEWEST_WORDS = 4

# From this version on a headline says what came of a turn; before, what was asked.
_TELLS_OUTCOME = re.compile(r"extractive/(?:[3-9]|\d\d)")
# Facts that are no lessons: what was asked, what a command printed, where a commit is.
_NO_LESSON = re.compile(
    r"(?:asked|on the way): |commit \w+$|ran `|`[^`]*`(?:$|:| (?:passed|failed))"
)
# What tells a cause whatever it stands in; and what does so in the account of a search or a fix.
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|turn(?:s|ed) out"
    r"|the (?:problem|issue|bug|cause|reason|culprit) (?:is|was)"
    r"|ursache|la cause|la causa)\b|^(?:cause|gotchas?):\s|原因|원인",
    re.IGNORECASE,
)
# Who says "the issue is" mostly guesses, and must tell more than who names the root cause.
_ROOT_CAUSE = re.compile(r"\broot cause\b|\bturned out\b|\bcaused by\b|^cause:", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|due to|which is why|that'?s why|weil)\b|因为|ため|때문", re.I)
_OWN_DEED = re.compile(r"\W*(?:I|we|you)\b", re.IGNORECASE)
_PUBLISHED = re.compile(r"(?:opened|merged|closed) (?:PR|MR|issue|ticket)\b")
_TICKET = re.compile(r"#\d+\b|\b[A-Z]+-\d+\b")
_COMMIT = re.compile(r"commit [0-9a-f]{7,40}$")
_UNSURE = re.compile(
    r"\b(?:might|may be|maybe|perhaps|probably|not sure|i (?:think|see|suspect|guess)|should|would"
    r"|could|will|likely|seems?|if|diagnostics)\b|\?$|^/",
    re.IGNORECASE,
)
_ONLY_DONE = re.compile(r"Changed (?:\d+ files$|`)|Committed\b")
# An order opens with a verb; so does the title of a plan that was handed over.
_IS_ORDER = re.compile(
    r"(?:add|allow|bump|bring|change|clean|convert|create|delete|document|draft|drop|enable|disable"
    r"|extend|extract|fix|generate|hide|implement|improve|increase|inline|install|introduce|make"
    r"|merge(?! conflicts?)|migrate|move|port|prevent|print|raise|lower|rebase|reduce|refactor"
    r"|release|remove|rename|replace|restore|revert|rewrite|set|show|simplify|sort|speed|split|squash|support|switch"
    r"|update|upgrade|use|wire|write|build|rebuild|cache|complete|correct|debug|ensure|export|handle"
    r"|log|pin|resolve|restructure|test|undo|unify|validate|wrap)\b",
    re.IGNORECASE,
)
_COMPLAINS = re.compile(
    r"\b(?:bugs?|broken|crash\w*|errors?|fail\w*|hangs?|wrong|missing|messed|conflicts?"
    r"|(?:not|n't) (?:work|show|load|run|start|build|compile|pass)\w*)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\W*(?:(?:ok(?:ay)?|and|also|but|so|now|hm+|then|yes|great|cool|nice|thanks|perfect)\b\W*)*"
    r"(?:can|could|would|will) (?:you|we|u)\b[^?\n]{4,200}\?",
    re.IGNORECASE,
)
_GOING_ON = re.compile(r"(?:(?:and|also|so|now|then|next|please|yes|yeah)\b[,:]?\s+)+(?=\w)", re.I)
_IS_PLAN = re.compile(r"\s*implement (?:the|this) (?:following |attached )?plan\b", re.IGNORECASE)
_CHANGED = "changed "
_DONE, _SOLVED = "done: ", "solved: "
_IN_BRACKETS = re.compile(r"\W*\(.*\)\W*")
_NO_LABEL = re.compile(
    r"\W*\||.*\?\W*$|\s*[{<\[(/]|.*(?:\d{4}-\d\d-\d\d|\S@\S| -> |\$ |=\w)"
    r"|fatal\b|commit [0-9a-f]|\S+\.\w+:\d|\w+: \d"
    r"|\W*(?:hm+|oh|fml|lol|yep|yeah|just|have a look|look|sorry|stop|wait|how|what|why|when|which"
    r"|where|who|do|does|did|is|are|was|were|if|but|we are|we're|I'm|none"
    r"|I (?:see|still|get|think|am|was|just|don't))\b",
    re.IGNORECASE,
)
_LISTS = re.compile(r": .+; ")
_IS_QUESTION = re.compile(
    r"\?\W*$|^\W*(?:(?:ok(?:ay)?|so|and|but|hm+)\b\W*)*(?:how|what|why|when|which|where|who|is|are"
    r"|was|were|does|did|do (?:we|you|I|they))\b",
    re.IGNORECASE,
)
# What it asks for stands behind it, or was cut off.
_BREAKS_OFF = re.compile(r"(?:[:：…]|->)\W*$")
# A branch that was asked for, and what makes it.
_BRANCH = re.compile(r"\b(?:branch|worktree)\b", re.IGNORECASE)
_MAKES_BRANCH = re.compile(r"\bgit (?:checkout -[bB]|switch -[cC]|worktree add|branch [^-\s])")
# Talk, or a reason that stands behind what was cut off.
_NO_POINT = re.compile(
    r"\W*(?:yeah|yep|ah|hm+|ok)\b|.*\b(?:because|due to|since)(?: of)?\W*$|.*[:{}]\W*$", re.I
)


def summarise(
    entries: Sequence[JournalEntry], *, last: Turn, before: Callable[[], Iterable[Turn]] = tuple
) -> Summary:
    """Return the session of the *last* turn; *entries* are its turns, oldest first.

    What came of a turn is told from the turn itself as far as it is among those *before* the last
    one, which come latest first; of others from their entries.
    """
    entries = summed_up(entries)
    seen = [observation for entry in entries for observation in entry.observations]
    turns = {turn.key: turn for turn in (*reversed(list(before())), last)}
    prompts = {turn.key: turn.prompt for turn in turns.values()}
    edited = _names(each.files_modified for each in seen)
    read = [name for name in _names(each.files_read for each in seen) if name not in edited]
    return Summary(
        session=last.session,
        request=_request(entries, prompts),
        investigated=_latest(_findings(entries)),
        learned=_latest(_different([line for entry in entries for line in _lessons(entry, turns)])),
        completed=_completed(entries, prompts, turns),
        next_steps=_latest(
            [
                *_put_off(entries, list(turns.values())),
                *(_open_ends(entries, last) or _left_before(entries, list(turns.values())[::-1])),
            ]
        ),
        files_read=tuple(read[-MOST_FILES:]),
        files_edited=tuple(edited[-MOST_FILES:]),
        notes=_latest(_notes(entries, last)),
    )


def summed_up(entries: Sequence[_T]) -> Sequence[_T]:
    """Return those of the *entries* of a session, oldest first, that a summary tells of."""
    if len(entries) <= MOST_ENTRIES:
        return entries
    return [entries[0], *entries[1 - MOST_ENTRIES :]]


def asked_in(entry: JournalEntry, prompts: Mapping[str, str]) -> str:
    """Return what the user wrote in the turn of *entry*: as it tells, or by the *prompts*."""
    facts = (fact for each in entry.observations for fact in each.facts)
    said = next((fact.removeprefix(ASKED) for fact in facts if fact.startswith(ASKED)), "")
    if said:
        return said
    if entry.observations and _TELLS_OUTCOME.match(entry.by):
        # A request that nothing came of is told as the turn's title, and not twice.
        asked = sentences.headline(prompts.get(entry.turn, ""))
        return asked if asked == _headline(entry) else ""
    if _is_by_model(entry) and entry.turn in prompts:
        headline = sentences.headline(prompts[entry.turn])
    else:
        headline = _headline(entry)
    return "" if headline == sentences.NO_PROMPT else headline


def _is_by_model(entry: JournalEntry) -> bool:
    return not entry.by.startswith("extractive/")


def _headline(entry: JournalEntry) -> str:
    return entry.headline.removesuffix(sentences.INTERRUPTED)


def _request(entries: Sequence[JournalEntry], prompts: Mapping[str, str]) -> str:
    """Return what was asked for first, and the requests that tell most of what came later."""
    memories = [entry for entry in entries if entry.observations] or entries
    asked = list(filter(None, (asked_in(entry, prompts) for entry in memories)))
    telling = [line for line in asked if not sentences.is_thin(line)]
    first = next(iter(telling or filter(sentences.says_something, asked)), "".join(asked[:1]))
    later = [RankedSentence(text=line) for line in telling if _is_request(line) and line != first]
    room = LONGEST_REQUEST - len(first)
    chosen = {one.text for one in salience.choose(later, room=room, known=[first])}
    kept = [line for line in dict.fromkeys(telling) if line in chosen and len(line) <= room]
    return _joined([first, *kept]) if kept else first


def _is_request(line: str) -> bool:
    """Tell a request from the deed that stands for one that said nothing."""
    return not sentences.tells_deed(line) and not _ONLY_DONE.match(line)


def _findings(entries: Iterable[JournalEntry]) -> Iterator[str]:
    """Yield what was found out where nothing was changed."""
    for entry in entries:
        for each in entry.observations:
            if each.type == "discovery":
                yield _headline(entry) if _TELLS_OUTCOME.match(entry.by) else each.title


def _lessons(entry: JournalEntry, turns: Mapping[str, Turn]) -> Iterator[str]:
    """Yield the causes and reasons that a turn found, a sentence each."""
    if (turn := turns.get(entry.turn)) and not _is_by_model(entry):
        yield from lessons.found(turn, _following(turn, turns)) if entry.observations else ()
        return
    yield from _lessons_in(entry.observations, tells_outcome=bool(_TELLS_OUTCOME.match(entry.by)))


# Most entries of a session are as they were after the turn before.
@lru_cache(maxsize=512)
def _lessons_in(observations: Sequence[Observation], *, tells_outcome: bool) -> Sequence[str]:
    """Return the causes and reasons among *observations*; the deed itself is none.

    An entry that *tells the outcome* does not repeat it in its observations.
    """
    found: list[str] = []
    for each in observations:
        if each.type != "decision":
            done = "" if tells_outcome else _deed(each)
            found += [line for line in _sentences(each) if _is_lesson(line, each) and line != done]
    return found


def _following(turn: Turn, turns: Mapping[str, Turn]) -> list[Turn]:
    following = list(turns.values())
    return following[following.index(turn) + 1 :]


def _topic(order: str, turn: Turn | None) -> str:
    """Return what stands before the files that *turn* changed: what it was asked to do.

    Nothing does where the answer only proposes to.
    """
    if sentences.leans(order) or not _can_label(order):
        return ""
    if turn and offers.is_proposal(turn.answer):
        return ""
    if turn and _IS_PLAN.match(turn.prompt):
        return clause(f"implement {order}", LONGEST_TOPIC)
    topic = clause(order, LONGEST_TOPIC)
    return "" if topic.endswith("…") and not _IS_ORDER.match(order) else topic


def _before(turn: Turn, turns: Mapping[str, Turn]) -> str:
    """Return the answer of the turn before *turn*; empty if there is none."""
    known = list(turns.values())
    place = known.index(turn)
    return known[place - 1].answer if place else ""


def _sentences(seen: Observation) -> Iterator[str]:
    texts = (seen.title, seen.text, *seen.facts)
    facts = (fact for fact in texts if not _NO_LESSON.match(fact))
    return (line for fact in facts for line in sentences.split(fact) if len(line) <= LONGEST_LINE)


def _is_lesson(line: str, seen: Observation) -> bool:
    if sentences.is_thin(line) or sentences.leans(line) or _UNSURE.search(line):
        return False
    if _NO_POINT.match(line) or _LISTS.search(line):
        return False
    if _ROOT_CAUSE.search(line):
        return True
    if len(sentences.telling_words(line)) < FEWEST_WORDS:
        return False
    if _CAUSE.search(line):
        return True
    explains = seen.type in ("discovery", "bugfix") and _REASON.search(line) is not None
    return explains and not _OWN_DEED.match(line) and not report.is_choice(line)


def _different(lessons: Sequence[str]) -> list[str]:
    """Return the last few of *lessons* that say different things, in their order.

    What was found out last is what holds; a guess before it may have been wrong.
    """
    kept: list[str] = []
    for lesson in reversed(lessons):
        own = set(sentences.telling_words(lesson))
        others = (set(sentences.telling_words(one)) for one in kept)
        if not any(_says_same(own, other) for other in others) and len(kept) < MOST_LESSONS:
            kept.append(lesson)
    return kept[::-1]


def _says_same(own: Set[str], other: Set[str]) -> bool:
    return len(own & other) >= SAME_WORDS * min(len(own), len(other))


def _says_no_more(own: Set[str], other: Set[str]) -> bool:
    return len(own & other) >= SAME_WORDS * len(own)


def _completed(
    entries: Sequence[JournalEntry], prompts: Mapping[str, str], turns: Mapping[str, Turn]
) -> str:
    """Return what was done, turn by turn, as much of it as fits.

    What came of each turn is told in a part, those that changed most first. What room is left
    they share by how much they changed, each divided by the parts it has already (as seats are by
    votes): what changed most is told at most length.
    """
    verdict = _last_verdict(entries, turns)
    done = {
        place: _size(entry, turns) ** 0.5
        for place, entry in enumerate(entries)
        if entry.turn in verdict or _has_done(entry, turns)
    }
    largest = sorted(done, key=lambda place: (-done[place], -place))[:MOST_TURNS]
    asked = LONGEST_ASKED if len(largest) <= FEW_TURNS else LONGEST_ASKED_OF_MANY
    parts = {
        place: _with_verdict(
            verdict.get(entries[place].turn, ""),
            _parts_of(entries[place], prompts, turns, asked=asked)
            if _has_done(entries[place], turns)
            else [],
        )
        for place in largest
    }
    # That files were changed says little without what for, where anything else is told; unless
    # that was most of the work.
    telling = any(_tells_more(part) for those in parts.values() for part in those)
    most = max(done.values(), default=0) * LARGE
    telling_parts = {
        place: [part for part in those if _tells_more(part) or not telling or done[place] >= most]
        for place, those in parts.items()
    }
    return _joined(_one_item(". ".join(each)) for each in _seated(telling_parts, done))


def _seated(parts: Mapping[int, Sequence[str]], done: Mapping[int, float]) -> list[list[str]]:
    """Return those *parts* of turns that have room, by turn; *done* says how much each did.

    A turn's first part goes before a second of any other, and nothing is told twice.
    """
    telling_turns = sum(map(bool, parts.values()))
    latest = max((place for place, those in parts.items() if those), default=0)
    room = min(LONGEST_COMPLETED, ROOM + ROOM_A_TURN * telling_turns)
    longest = max(LEAST_PART, room // max(1, telling_turns) - 2)
    seats = [
        (
            number > 0,
            -done[place] * _weight(part, is_latest=place == latest) / (number + 1),
            -place,
            number,
            part if number else _brief(part, longest),
        )
        for place, those in parts.items()
        for number, part in enumerate(those)
    ]
    chosen: dict[int, dict[int, str]] = {}
    known: list[set[str]] = []
    for _, _, place, number, part in sorted(seats):
        is_name = _CHANGED in part or _PUBLISHED.match(part)
        words = {part} if is_name else set(sentences.telling_words(part))
        if len(part) + 2 <= room and not any(_says_no_more(words, one) for one in known):
            chosen.setdefault(-place, {})[number] = part
            known.append(words)
            room -= len(part) + 2
    return [[chosen[place][it] for it in sorted(chosen[place])] for place in sorted(chosen)]


def _last_verdict(entries: Sequence[JournalEntry], turns: Mapping[str, Turn]) -> dict[str, str]:
    """Return what the last review of *entries* came to, by its turn; nothing if there was none."""
    for entry in reversed(entries):
        if (turn := turns.get(entry.turn)) and (said := verdicts.of_review(turn)):
            return {entry.turn: said}
    return {}


def _with_verdict(verdict: str, parts: Sequence[str]) -> list[str]:
    """Return what came of a review: its *verdict*, not the steps it took."""
    if not verdict:
        return list(parts)
    return [verdict, *(part for part in parts if deeds.TASKS not in part)]


def _weight(part: str, *, is_latest: bool) -> float:
    return (LATEST if is_latest else 1.0) * (TESTS if deeds.is_of_tests(part) else 1.0)


def _tells_more(part: str) -> bool:
    """Tell whether *part* says more than that files were changed: at least what for."""
    label, mark, _ = part.partition(_CHANGED)
    return (
        not mark
        or part.startswith((_DONE, _SOLVED))
        or (label.endswith(": ") and _IS_ORDER.match(label) is not None)
    )


def _brief(part: str, longest: int) -> str:
    """Return *part* in *longest* characters or so, if it says something in so many."""
    short = part if f": {_CHANGED}" in part else clause(part, longest)
    says_much = len(sentences.telling_words(short)) >= FEWEST_WORDS and not short.endswith("…")
    tells = deeds.tells(short) or not any(map(deeds.tells, sentences.split(part)))
    return short if says_much and tells else part


def _done_in(entry: JournalEntry) -> list[Observation]:
    return [each for each in entry.observations if each.type not in ("discovery", "decision")]


def _has_done(entry: JournalEntry, turns: Mapping[str, Turn]) -> bool:
    """Tell whether the turn of *entry* did anything, or put something before others."""
    return bool(_done_in(entry)) or (entry.turn in turns and bool(published(turns[entry.turn])))


def _size(entry: JournalEntry, turns: Mapping[str, Turn]) -> float:
    """Return how much a turn changed; as far as the entry tells, if the turn is gone."""
    if entry.turn in turns:
        return deeds.size(turns[entry.turn]) + SMALLEST
    done = _done_in(entry)
    files = {name for each in done for name in each.files_modified}
    commits = any(_COMMIT.match(fact) for each in done for fact in each.facts)
    return len(files) + deeds.COMMIT * commits + SMALLEST


def _parts_of(
    entry: JournalEntry, prompts: Mapping[str, str], turns: Mapping[str, Turn], *, asked: int
) -> list[str]:
    """Return what a turn did, part by part; of one whose parts are unknown what it changed.

    What was asked for stands before it in *asked* characters at most.
    """
    done = _done_in(entry)
    if not _TELLS_OUTCOME.match(entry.by):
        achieved = [_headline(entry) if _ONLY_DONE.match(it.title) else _deed(it) for it in done]
        return [cut(_joined(dict.fromkeys(achieved)), LONGEST_FIELD)]
    turn = turns.get(entry.turn)
    later = _following(turn, turns) if turn else []
    opened = published(turn) if turn else []
    made = still_open(opened, later)
    if turn and undone.is_put_back(turn, later):
        return made
    subjects = [each.title for each in done if _is_telling_commit(each)]
    achieved = subjects or (deeds.reported(turn) if turn else _deeds_in(entry))
    holds = undone.remaining(achieved[:MOST_PARTS], turn, later) if turn else achieved[:MOST_PARTS]
    came_to_nothing = not achieved and turn and undone.came_to_nothing(turn.answer)
    if came_to_nothing or (achieved and not holds):
        return made
    files = deeds.changed(turn) if turn else _changed(done)
    order = _order(turn.prompt, _before(turn, turns)) if turn else asked_in(entry, prompts)
    if not achieved:
        return [*(_only_files(_topic(order, turn), turn, files) if files else []), *made]
    holds = [line for line in holds if not any(_names_same(line, one) for one in opened)]
    if not holds:
        return made
    is_order = _IS_ORDER.match(order) or (turn and _IS_PLAN.match(turn.prompt))
    label = clause(order, asked) if is_order and _can_label(order) else ""
    only_published = not any(each.files_modified for each in done)
    is_named = subjects or only_published or label.endswith("…") or label in holds[0]
    return [*(holds if is_named else [_labelled(label, holds[0]), *holds[1:]]), *made]


def _names_same(line: str, made: str) -> bool:
    """Tell whether *line* says of what was *made* no more than that it was."""
    number = _TICKET.search(made)
    return number is not None and number[0] in line and len(line) <= len(made)


def _only_files(topic: str, turn: Turn | None, files: str) -> list[str]:
    """Return what was asked for with the *files* that were changed, where no line tells more.

    It is told as done if the answer opens by saying so.
    """
    is_fit = _IS_ORDER.match(topic) or _COMPLAINS.search(topic)
    if topic and is_fit and turn and deeds.ended_well(turn):
        return [f"{_DONE if _IS_ORDER.match(topic) else _SOLVED}{topic} ({files})"]
    return [_labelled(topic, files)]


def _order(prompt: str, before: str) -> str:
    """Return what *prompt* asks for, also where it asks politely: "can you …?".

    Where it only picks from what the answer *before* offered, that is what it asks for.
    """
    if offered := offers.taken_up(prompt, before):
        return offered
    polite = _POLITE.match(prompt)
    asked = sentences.headline(polite[0]).rstrip("? ") if polite else sentences.headline(prompt)
    going_on = _GOING_ON.match(asked)
    return asked[going_on.end() :] if going_on else asked


def _is_telling_commit(seen: Observation) -> bool:
    """Tell whether *seen* is a commit whose subject says something: not "wip"."""
    says_nothing = sentences.is_thin(seen.title) or _IN_BRACKETS.fullmatch(seen.title)
    return any(map(_COMMIT.match, seen.facts)) and not says_nothing


def _deeds_in(entry: JournalEntry) -> list[str]:
    """Return the deeds among what *entry* tells; its lists stay whole."""
    texts = [_headline(entry)]
    for each in _done_in(entry):
        texts += [each.text or each.title, *each.facts]
    lines = (line for fact in texts if not _NO_LESSON.match(fact) for line in sentences.split(fact))
    return [clause(line, deeds.LONGEST_PART).rstrip(" .") for line in lines if deeds.tells(line)]


def _changed(done: Iterable[Observation]) -> str:
    names = _names(each.files_modified for each in done)
    return f"{_CHANGED}{deeds.listed(names)}" if names else ""


def _can_label(asked: str) -> bool:
    """Tell whether *asked* can stand before what was done: no paste, no question, no small talk."""
    return not _NO_LABEL.match(asked) and not sentences.is_thin(asked)


def _labelled(label: str, deed: str) -> str:
    return f"{label.rstrip(' .:')}: {deed}" if label else deed


def _one_item(text: str) -> str:
    """Return *text* so that it is one item among others, which semicolons divide."""
    return text.replace("; ", ", ").rstrip(" .:")


def _deed(seen: Observation) -> str:
    """Return what was done; where the title tells the cause, a fact may tell that."""
    facts = (fact for fact in seen.facts if not _NO_LESSON.match(fact))
    done = [fact for fact in facts if sentences.tells_deed(fact)]
    return done[0] if done and _CAUSE.search(seen.title) else seen.title


def _open_ends(entries: Sequence[JournalEntry], last: Turn) -> list[str]:
    left = [_step(one) for one in report.left_open(last.answer)]
    if not entries or sentences.slash_command(last.prompt):
        return left
    asked = asked_in(entries[-1], {last.key: last.prompt}) or _headline(entries[-1])
    if last.interrupted or _broke_off(last):
        left[:0] = [f"resume: {asked}"] if _can_resume(asked, last) else []
    elif offers.awaits_choice(last.answer):
        left += _undecided(asked)
    elif offered := offers.unanswered(last.answer):
        about = f" ({asked})" if offers.says_little(offered) else ""
        left.append(f"offered: {offered}{about}")
    elif offers.awaits_decision(last.answer) and not _tells_deed(last):
        left += _undecided(asked)
    return left


def _can_resume(asked: str, turn: Turn) -> bool:
    """Tell whether *asked* says what to go on with: whole, no question, and not done by *turn*."""
    if _BREAKS_OFF.search(asked) or _IS_QUESTION.search(asked):
        return False
    runs = evidence.commands(evidence.steps(turn))
    return not (_BRANCH.search(asked) and any(_MAKES_BRANCH.search(run.line) for run in runs))


def _undecided(asked: str) -> list[str]:
    """Return what *asked* leaves to decide; a question was answered, only what follows is open."""
    return [] if _IS_QUESTION.search(asked) else [f"undecided: {asked}"]


def _tells_deed(turn: Turn) -> bool:
    return any(deeds.tells(one.text) for one in report.points(turn.answer))


def _broke_off(turn: Turn) -> bool:
    """Tell whether *turn* ended in the middle of its work: nothing was said, and nothing kept."""
    if turn.answer or not turn.tools or sentences.is_thin(turn.prompt):
        return False
    if deeds.size(turn):
        return False  # What was asked may be done.
    latest = replace(turn, tools=turn.tools[-LAST_CALLS:])
    ended = (run.kind in ("commit", "git") for run in evidence.commands(evidence.steps(latest)))
    return not any(ended)


def _put_off(entries: Sequence[JournalEntry], turns: Sequence[Turn]) -> list[str]:
    """Return what the user put off, as far as nothing later took it up; *turns* oldest first."""
    found: list[str] = []
    for place, turn in enumerate(turns):
        for said in offers.put_off(turn.prompt):
            asked = next((it for it in entries if place and it.turn == turns[place - 1].key), None)
            opens = turn.prompt.lstrip().startswith(said[:LONGEST_ASKED])
            about = f" ({_headline(asked)})" if asked and opens else ""
            line = f"{said}{about}"
            keys = {one.key for one in turns[place + 1 :]}
            later = [plans.words(_told(entry)) for entry in entries if entry.turn in keys]
            if not plans.is_taken_up(line, later):
                found.append(_step(line))
    return found


def _step(text: str) -> str:
    """Return *text* so that it is one step among others, which semicolons divide."""
    return text.replace("; ", ", ")


def _left_before(entries: Sequence[JournalEntry], latest: Sequence[Turn]) -> list[str]:
    """Return what the latest turn with a plan left to do, as far as nothing later took it up.

    *latest* are the turns of the session, latest first. A list that the next prompt picked from
    was an offer, and one with much work behind it may be done in other words.
    """
    changes = 0
    for behind, turn in itertools.islice(itertools.pairwise(latest), LOOK_BACK):
        changes += deeds.size(behind) > 0
        if changes > MOST_LATER_CHANGES:
            return []
        if left := report.left_open(turn.answer):
            if offers.is_taken_up(behind.prompt):
                return []
            keys = [entry.turn for entry in entries]
            others = entries[keys.index(turn.key) + 1 :] if turn.key in keys else entries
            later = [plans.words(_told(entry)) for entry in others]
            return [_step(one) for one in left if not plans.is_taken_up(one, later)]
    return []


def _told(entry: JournalEntry) -> str:
    facts = (fact for each in entry.observations for fact in (each.title, each.text, *each.facts))
    return "\n".join([entry.headline, *facts])


def _notes(entries: Sequence[JournalEntry], last: Turn) -> list[str]:
    """Return what was decided, and that the last turn was cut off."""
    decided = [
        f"decided: {each.title}"
        for entry in entries
        for each in entry.observations
        if each.type == "decision"
    ]
    cut_off = f"the last of {len(entries)} turns was interrupted"
    return [*decided, cut_off] if last.interrupted else decided


def _names(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))


def _latest(lines: Iterable[str]) -> str:
    """Return as many of *lines* as fit, the latest first to stay: they say where things stand."""
    kept: list[str] = []
    room = LONGEST_FIELD
    for line in reversed(list(dict.fromkeys(lines))):
        room -= len(line) + 2
        if room < 0 and kept:
            break
        kept.append(cut(line, LONGEST_FIELD))
    return _joined(reversed(kept))


def _joined(lines: Iterable[str]) -> str:
    return "; ".join(line.rstrip(".;") for line in lines)
