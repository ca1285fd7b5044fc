"""A session in eight fields, from its entries. What is not sure is left out."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from recollect.memories.model import Entry, Observation, Summary
from recollect.synthesis import plans, report, salience, sentences
from recollect.synthesis.salience import Candidate
from recollect.synthesis.sentences import cut
from recollect.transcripts.turns import Turn
from recollect.typed import ASKED

LONGEST_FIELD = 400
LONGEST_REQUEST = 240
# What is longer is a list, not something that was learned or done.
LONGEST_LINE = 240
MOST_FILES = 20
# So many turns back, a plan is still one of this session.
LOOK_BACK = 10
# A reason told in fewer telling words cannot be understood by itself.
FEWEST_WORDS = 3

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
_REASON = re.compile(r"\b(?:because|due to|which is why|that'?s why|weil)\b|因为|ため|때문", re.I)
_OWN_DEED = re.compile(r"\W*(?:I|we|you)\b", re.IGNORECASE)
_COMMIT = re.compile(r"commit [0-9a-f]{7,40}$")
_VERBS = (
    r"(?:add|fix|chang|remov|replac|mov|renam|extract|updat|creat|implement|introduc|refactor|split"
    r"|merg|convert|simplif|dropp|switch|wir|rais|lower|revert|delet|bump|pinn|enabl|disabl|rewr"
    r"|wr[io]t|buil[dt]|commit|push|document|generat|clean|made|make|address|restor|migrat|deploy"
    r"|releas|publish|install|configur|cut|reduc|speed|sped|resolv|clos|open|ship)"
)
# Something was done: by its verb, by "now", or as a request that was carried out.
_DONE = re.compile(
    rf"^\W*(?:(?:I|we)(?:'ve| have)? |successfully |also |all |done[:.] )*{_VERBS}\w*\b"
    rf"|\b(?:is|are|was|were|has been|have been|been) (?:\w+ly |now |also )?{_VERBS}\w*\b"
    r"|\w\W+(?:now|no longer)\b|\b(?:is|are) (?:gone|in(?: place)?|back)\b"
    r"|^\S+(?: \S+){0,2} (?:created|opened|merged|published|saved|written)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:might|may be|maybe|perhaps|probably|not sure|i (?:think|see|suspect|guess)|should|would"
    r"|could|will|likely|seems?|if|diagnostics)\b|\?$|^/",
    re.IGNORECASE,
)
_ONLY_DONE = re.compile(r"Changed (?:\d+ files$|`)|Committed\b")


def summarise(
    entries: Sequence[Entry], *, last: Turn, before: Callable[[], Iterable[Turn]] = tuple
) -> Summary:
    """Return the session of the *last* turn; *entries* are its turns, oldest first.

    What is still to be done is often said before the turn that commits: the turns *before* the
    last, the latest first, are asked where that says nothing.
    """
    seen = [observation for entry in entries for observation in entry.observations]
    prompts = {last.key: last.prompt}
    if any(_is_by_model(entry) for entry in entries):
        prompts |= {turn.key: turn.prompt for turn in before()}
    edited = _names(each.files_modified for each in seen)
    read = [name for name in _names(each.files_read for each in seen) if name not in edited]
    return Summary(
        session=last.session,
        request=_request(entries, prompts),
        investigated=_latest(_findings(entries)),
        learned=_latest(line for entry in entries for line in _lessons(entry)),
        completed=_latest(line for entry in entries for line in _deeds(entry)),
        next_steps=_latest(_open_ends(entries, last) or _left_before(entries, before())),
        files_read=tuple(read[-MOST_FILES:]),
        files_edited=tuple(edited[-MOST_FILES:]),
        notes=_latest(_notes(entries, last)),
    )


def asked_in(entry: Entry, prompts: Mapping[str, str]) -> str:
    """Return what the user wrote in the turn of *entry*: as it tells, or by the *prompts*."""
    facts = (fact for each in entry.observations for fact in each.facts)
    said = next((fact.removeprefix(ASKED) for fact in facts if fact.startswith(ASKED)), "")
    if said or (entry.observations and _TELLS_OUTCOME.match(entry.by)):
        return said
    if _is_by_model(entry) and entry.turn in prompts:
        headline = sentences.headline(prompts[entry.turn])
    else:
        headline = _headline(entry)
    return "" if headline == sentences.NO_PROMPT else headline


def _is_by_model(entry: Entry) -> bool:
    return not entry.by.startswith("extractive/")


def _headline(entry: Entry) -> str:
    return entry.headline.removesuffix(sentences.INTERRUPTED)


def _request(entries: Sequence[Entry], prompts: Mapping[str, str]) -> str:
    """Return what was asked for first, and the requests that tell most of what came later."""
    memories = [entry for entry in entries if entry.observations] or entries
    asked = list(filter(None, (asked_in(entry, prompts) for entry in memories)))
    telling = [line for line in asked if not sentences.is_thin(line)]
    first = next(iter(telling or filter(sentences.says_something, asked)), "".join(asked[:1]))
    later = [Candidate(text=line) for line in telling if _is_request(line) and line != first]
    room = LONGEST_REQUEST - len(first)
    chosen = {one.text for one in salience.choose(later, room=room, known=[first])}
    kept = [line for line in dict.fromkeys(telling) if line in chosen and len(line) <= room]
    return _joined([first, *kept]) if kept else first


def _is_request(line: str) -> bool:
    """Tell a request from the deed that stands for one that said nothing."""
    return not sentences.tells_deed(line) and not _ONLY_DONE.match(line)


def _findings(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield what was found out where nothing was changed."""
    for entry in entries:
        for each in entry.observations:
            if each.type == "discovery":
                yield _headline(entry) if _TELLS_OUTCOME.match(entry.by) else each.title


def _lessons(entry: Entry) -> Iterator[str]:
    """Yield the causes and reasons that a turn found, a sentence each."""
    for number, each in enumerate(entry.observations):
        if each.type == "decision":
            continue
        if number == 0 and _TELLS_OUTCOME.match(entry.by):
            outcome = sentences.split(_headline(entry))
            yield from (line for line in outcome if _is_lesson(line, each))
        done = "" if _TELLS_OUTCOME.match(entry.by) else _deed(each)
        yield from (line for line in _sentences(each) if _is_lesson(line, each) and line != done)


def _sentences(seen: Observation) -> Iterator[str]:
    told = (seen.title, seen.text, *seen.facts)
    facts = (fact for fact in told if not _NO_LESSON.match(fact))
    return (line for fact in facts for line in sentences.split(fact) if len(line) <= LONGEST_LINE)


def _is_lesson(line: str, seen: Observation) -> bool:
    if sentences.is_thin(line) or sentences.leans(line) or _UNSURE.search(line):
        return False
    if _CAUSE.search(line):
        return True
    if len(sentences.telling_words(line)) < FEWEST_WORDS:
        return False
    explains = seen.type in ("discovery", "bugfix") and _REASON.search(line) is not None
    return explains and not _OWN_DEED.match(line) and not report.is_choice(line)


def _deeds(entry: Entry) -> Iterator[str]:
    """Yield what was done: commits by their subjects, else what says so, else nothing."""
    done = [each for each in entry.observations if each.type not in ("discovery", "decision")]
    if not _TELLS_OUTCOME.match(entry.by):
        for each in done:
            yield _headline(entry) if _ONLY_DONE.match(each.title) else _deed(each)
        return
    commits = [each.title for each in done if any(map(_COMMIT.match, each.facts))]
    if commits or not done:
        yield from commits
        return
    outcome = sentences.split(_headline(entry))
    told = [*outcome, *(line for each in done for line in _sentences(each))]
    named = [_headline(entry)] if any(_ONLY_DONE.match(each.title) for each in done) else []
    yield from itertools.islice((*filter(_is_deed, told), *named), 1)


def _is_deed(line: str) -> bool:
    """Tell whether *line* surely says that something was done, or asks for it where it was."""
    is_told = _DONE.search(line) is not None and not (_CAUSE.search(line) or _ONLY_DONE.match(line))
    is_sure = not _UNSURE.search(line) and not sentences.leans(line)
    return is_told and is_sure and not sentences.is_thin(line)


def _deed(seen: Observation) -> str:
    """Return what was done; where the title tells the cause, a fact may tell that."""
    facts = (fact for fact in seen.facts if not _NO_LESSON.match(fact))
    done = [fact for fact in facts if sentences.tells_deed(fact)]
    return done[0] if done and _CAUSE.search(seen.title) else seen.title


def _open_ends(entries: Sequence[Entry], last: Turn) -> list[str]:
    left = [_step(one) for one in report.left_open(last.answer)]
    if last.interrupted and entries:
        asked = asked_in(entries[-1], {last.key: last.prompt})
        left.insert(0, f"resume: {asked or _headline(entries[-1])}")
    return left


def _step(text: str) -> str:
    """Return *text* so that it is one step among others, which semicolons divide."""
    return text.replace("; ", ", ")


def _left_before(entries: Sequence[Entry], before: Iterable[Turn]) -> list[str]:
    """Return what the latest turn with a plan left to do, as far as nothing later took it up."""
    for turn in itertools.islice(before, LOOK_BACK):
        if left := report.left_open(turn.answer):
            keys = [entry.turn for entry in entries]
            behind = entries[keys.index(turn.key) + 1 :] if turn.key in keys else entries
            later = [plans.words(_told(entry)) for entry in behind]
            return [_step(one) for one in left if not plans.is_taken_up(one, later)]
    return []


def _told(entry: Entry) -> str:
    facts = (fact for each in entry.observations for fact in (each.title, each.text, *each.facts))
    return "\n".join([entry.headline, *facts])


def _notes(entries: Sequence[Entry], last: Turn) -> list[str]:
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
            kept.append("…")
            break
        kept.append(cut(line, LONGEST_FIELD))
    return _joined(reversed(kept))


def _joined(lines: Iterable[str]) -> str:
    return "; ".join(line.rstrip(".;") for line in lines)
