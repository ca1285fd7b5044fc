"""A session in eight fields, from its entries."""

import itertools
import re
from collections.abc import Callable, Iterable, Sequence

from recollect.memories.model import Entry, Observation, Summary
from recollect.synthesis import plans, salience, sentences
from recollect.synthesis.salience import Candidate
from recollect.synthesis.sentences import cut
from recollect.transcripts.turns import Turn

LONGEST_FIELD = 400
LONGEST_REQUEST = 240
MOST_FILES = 20
# So many turns back, a plan is still one of this session.
LOOK_BACK = 10

# Facts that are no lessons: what was asked, what a command printed, where a commit is.
_NO_LESSON = re.compile(r"(?:asked|on the way): |commit \w+$|(?:ran )?`")
# A title that tells why rather than what was done.
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|turn(?:s|ed) out"
    r"|the (?:problem|issue|bug|cause|reason|culprit) (?:is|was)"
    r"|ursache|la cause|la causa)\b|原因|원인",
    re.IGNORECASE,
)
_ONLY_DONE = re.compile(r"Changed (?:\d+ files$|`)|Committed\b")


def summarise(
    entries: Sequence[Entry], *, last: Turn, before: Callable[[], Iterable[Turn]] = tuple
) -> Summary:
    """The session of the *last* turn; *entries* are its turns, oldest first.

    What is still to be done is often said before the turn that commits: the turns *before* the
    last, the latest first, are asked where that says nothing.
    """
    seen = [observation for entry in entries for observation in entry.observations]
    edited = _names(each.files_modified for each in seen)
    read = [name for name in _names(each.files_read for each in seen) if name not in edited]
    return Summary(
        session=last.session,
        request=_request(entries),
        investigated=_latest(each.title for each in seen if each.type == "discovery"),
        learned=_latest(_lessons(seen)),
        completed=_latest(_deeds(entries)),
        next_steps=_latest(_open_ends(entries, last) or _left_before(entries, before())),
        files_read=tuple(read[-MOST_FILES:]),
        files_edited=tuple(edited[-MOST_FILES:]),
        notes=_latest(_notes(entries, last)),
    )


def _request(entries: Sequence[Entry]) -> str:
    """What was asked for first, and the requests that tell most of what came later."""
    asked = [
        entry.headline.removesuffix(sentences.INTERRUPTED)
        for entry in entries
        if entry.headline != sentences.NO_PROMPT
    ]
    telling = [line for line in asked if not sentences.is_thin(line)]
    first = next(iter(telling or filter(sentences.says_something, asked)), "".join(asked[:1]))
    later = [Candidate(text=line) for line in telling if _is_request(line) and line != first]
    room = LONGEST_REQUEST - len(first)
    chosen = {one.text for one in salience.choose(later, room=room, known=[first])}
    kept = [line for line in dict.fromkeys(telling) if line in chosen and len(line) <= room]
    return _joined([first, *kept]) if kept else first


def _is_request(headline: str) -> bool:
    """Tell a request from the deed that stands for one that said nothing."""
    return not sentences.tells_deed(headline) and not _ONLY_DONE.match(headline)


def _lessons(seen: Iterable[Observation]) -> list[str]:
    """The causes that were found and the reasons among the facts, each once."""
    return [line for each in seen for line in (*_causes(each), *_reasons(each))]


def _causes(seen: Observation) -> list[str]:
    """What was found out on the way to a change; a discovery is told as what was looked into."""
    is_deed = seen.type not in ("discovery", "decision")
    return [seen.title] if is_deed and _CAUSE.search(seen.title) else []


def _reasons(seen: Observation) -> list[str]:
    """The facts that give a reason: what a command printed is no lesson, and a deed is none."""
    facts = [fact for fact in seen.facts if not _NO_LESSON.match(fact)]
    return [fact for fact in facts if sentences.gives_reason(fact) and fact != _deed(seen)]


def _deeds(entries: Sequence[Entry]) -> list[str]:
    """What was done; a list of files says less than what the turn was about."""
    return [
        entry.headline.removesuffix(sentences.INTERRUPTED)
        if _ONLY_DONE.match(each.title)
        else _deed(each)
        for entry in entries
        for each in entry.observations
        if each.type not in ("discovery", "decision")
    ]


def _deed(seen: Observation) -> str:
    """What was done; where the title tells the cause, a fact may tell that."""
    done = [
        fact for fact in seen.facts if not _NO_LESSON.match(fact) and sentences.tells_deed(fact)
    ]
    return done[0] if done and _causes(seen) else seen.title


def _open_ends(entries: Sequence[Entry], last: Turn) -> list[str]:
    left = sentences.open_ends(last.answer)
    if last.interrupted and entries:
        left.insert(0, f"resume: {entries[-1].headline.removesuffix(sentences.INTERRUPTED)}")
    return left


def _left_before(entries: Sequence[Entry], before: Iterable[Turn]) -> list[str]:
    """What the latest turn with a plan left to do, as far as nothing later took it up."""
    for turn in itertools.islice(before, LOOK_BACK):
        if left := sentences.open_ends(turn.answer):
            keys = [entry.turn for entry in entries]
            behind = entries[keys.index(turn.key) + 1 :] if turn.key in keys else entries
            later = [plans.words(_told(entry)) for entry in behind]
            return [step for step in left if not plans.is_taken_up(step, later)]
    return []


def _told(entry: Entry) -> str:
    facts = (fact for each in entry.observations for fact in (each.title, *each.facts))
    return "\n".join([entry.headline, *facts])


def _notes(entries: Sequence[Entry], last: Turn) -> list[str]:
    """What was decided, and that the last turn was cut off."""
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
    """As many of *lines* as fit, the latest first to stay: they say where things stand."""
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
