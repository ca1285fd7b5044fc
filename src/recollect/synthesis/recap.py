"""A session in eight fields, from its entries."""

from collections.abc import Iterable, Sequence

from recollect.memories.model import Entry, Observation, Summary
from recollect.synthesis import sentences
from recollect.synthesis.sentences import cut
from recollect.transcripts.turns import Turn

LONGEST_FIELD = 600
MOST_FILES = 30


def summarise(entries: Sequence[Entry], *, last: Turn) -> Summary:
    """The session of the *last* turn; *entries* are its turns, oldest first."""
    seen = [observation for entry in entries for observation in entry.observations]
    studied = [each for each in seen if each.type == "discovery"]
    done = [each for each in seen if each.type != "discovery"]
    edited = _names(each.files_modified for each in seen)
    read = [name for name in _names(each.files_read for each in seen) if name not in edited]
    return Summary(
        session=last.session,
        request=_request(entries),
        investigated=_latest(each.title for each in studied),
        learned=_latest(_lessons(seen)),
        completed=_latest(each.title for each in done),
        next_steps=_latest(_open_ends(entries, last)),
        files_read=tuple(read[-MOST_FILES:]),
        files_edited=tuple(edited[-MOST_FILES:]),
        notes=_notes(entries, last),
    )


def _request(entries: Sequence[Entry]) -> str:
    asked = [
        entry.headline.removesuffix(sentences.INTERRUPTED)
        for entry in entries
        if entry.headline != sentences.NO_PROMPT
    ]
    return next(filter(sentences.says_something, asked), "".join(asked[:1]))


def _lessons(seen: Iterable[Observation]) -> list[str]:
    """The reasons among the facts: what a command printed is no lesson."""
    facts = [fact for each in seen for fact in each.facts]
    return [fact for fact in facts if sentences.gives_reason(fact)]


def _open_ends(entries: Sequence[Entry], last: Turn) -> list[str]:
    left = sentences.open_ends(last.answer)
    if last.interrupted and entries:
        left.insert(0, f"resume: {entries[-1].headline.removesuffix(sentences.INTERRUPTED)}")
    return left


def _notes(entries: Sequence[Entry], last: Turn) -> str:
    if last.interrupted:
        return f"the last of {len(entries)} turns was interrupted"
    return ""


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
    return "; ".join(line.rstrip(".;") for line in reversed(kept))
