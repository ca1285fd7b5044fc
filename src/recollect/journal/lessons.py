"""What a turn found out: causes, in the words of its last answer. Pure.

A cause that was found on the way may be a guess, one that the next prompt rejects was wrong, and
one that was mended is no longer so. The first two are not told, the last one as mended.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import zip_longest

from recollect.journal import evidence, report
from recollect.journal.evidence import Edit
from recollect.journal.report import Point, Role
from recollect.text import sentences
from recollect.text.identifiers import identifiers
from recollect.transcripts.turns import Turn

LONGEST_LESSON = 280
# A cause told in fewer telling words cannot be understood by itself.
FEWEST_WORDS = 4
# So many turns behind the one that found a cause, an edit is still its fix.
NEAR = 6
# So many characters at its end tell a sentence from others.
LAST = 20

_CAUSE = re.compile(
    r"\b(?:root cause(?! fix)|caused by|turn(?:s|ed) out"
    r"|the (?:real |actual )?(?:problem|issue|bug|cause|reason|culprit) (?:is|was))\b"
    r"|^(?:(?:root )?cause|(?:the )?(?:bug|problem|issue)|gotcha|key (?:insight|finding))s?: "
    r"|\bursache\b|\bla cause\b|\bla causa\b|原因|원인",
    re.IGNORECASE,
)
_ROOT_CAUSE = re.compile(
    r"\b(?:root cause|(?:real|actual) (?:cause|reason|culprit)|caused by|turned out)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:might|may|maybe|perhaps|probably|possibly|not sure|i (?:think|see|suspect|guess|believe)"
    r"|should(?! (?:be|have been)\b)|would|could|will|likely|seems?|appears?|if"
    r"|you(?:'re| are) right)\b|\?$",
    re.IGNORECASE,
)
# What leans on a sentence before or on something shown below.
_DANGLES = re.compile(
    r"\b(?:this|these|those|above|below|here|both(?! `)|he|she|line \d+"
    r"|it's (?:a|an|the) \w+ (?:issue|problem)"
    r"|that (?:file|string|line|code|function|test|check)|I (?:was|am|had|have|did))\b"
    r"|\bmissing\b.{0,40}\bimport|[:(…]$",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|did|didn't|wasn't|weren't|read|\w{3,}ed)\b", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|has|have|does|do|doesn't|don't)\b", re.IGNORECASE)
# What holds whatever is mended.
_INSIGHT = re.compile(r"(?:key (?:insight|finding)|gotcha)s?: ", re.IGNORECASE)
# What stands first below such a heading is the cause.
_CAUSE_HEADING = re.compile(
    r"\W*(?:\d+\.\s*)?(?:the )?root causes?(?: found| identified| confirmed)?\W*", re.IGNORECASE
)
_REJECTS = re.compile(
    r"\W*(?:no\b|nope|hm+|but\b|still\b|that'?s (?:not|wrong)"
    r"|(?:it |that )?(?:does|did)(?:n't| not)|not (?:quite|really|right)|are you sure"
    r"|i (?:don't|do not) think|ehh?\b|wait\b)",
    re.IGNORECASE,
)
_LINES = re.compile(r"\s*\((?:at )?(?:lines?|L)\s?\d[^()]*\)")
_SUMMARY = re.compile(r"^(?:summary|tl;dr|in short): ", re.IGNORECASE)
_CODE = re.compile(r"`[^`\n]+`")
_ANSWERS = re.compile(r"\W*(?:yes|no|ok|right|exactly)\b", re.IGNORECASE)
_HEAD = re.compile(
    r"^(?:the )?(?:root )?(?:causes?|bug|problem|issue|key (?:insight|finding))s?"
    r"(?: is clear| identified| found)?: ",
    re.IGNORECASE,
)


def found(turn: Turn, following: Sequence[Turn]) -> Iterator[str]:
    """Yield the causes that *turn* found; the turns *following* it tell whether they still hold."""
    if any(_REJECTS.match(one.prompt) for one in following[:1]):
        return
    points = report.points(turn.answer)
    before = None
    plain = turn.answer.replace("**", "")
    for point, follower in zip_longest(points, points[1:]):
        line = _LINES.sub("", _SUMMARY.sub("", point.text)).rstrip(" .")
        if follower and report.limits(point, follower):
            line = f"{line}. {follower.text.rstrip(' .')}"  # What went wrong is told there.
        if point.role is Role.REMARK or point.lead:
            continue
        if is_headed := _opens_cause(point, before):
            line = f"Root cause: {line}"
        before = point
        if not _is_cause(line) or (is_headed and f"{point.text[-LAST:]}:" in plain):
            continue
        if _INSIGHT.match(line):
            yield _INSIGHT.sub("", line)
        elif _is_mended(line, turn, following):
            said = _CODE.sub("", line)
            is_past = _PAST.search(said) and not _PRESENT.search(said)
            yield line if is_past else f"found and fixed: {_HEAD.sub('', line)}"
        elif not any(_edits(one) for one in (turn, *following)):
            yield line


def _opens_cause(point: Point, before: Point | None) -> bool:
    """Tell whether *point* is the first sentence below a heading that promises the cause."""
    if point.is_item or not _CAUSE_HEADING.fullmatch(point.heading or "-"):
        return False
    return before is None or before.heading != point.heading


# A session is summed up after each of its turns, mostly from the same sentences.
@lru_cache(maxsize=2_048)
def _is_cause(line: str) -> bool:
    if not _CAUSE.search(line) or len(line) > LONGEST_LESSON:
        return False
    said = _HEAD.sub("", line)
    if (
        _ANSWERS.match(line)
        or _UNSURE.search(line)
        or _DANGLES.search(line)
        or sentences.leans(said)
    ):
        return False
    # What names nothing is found out every day: "the issue was a missing space".
    names_something = _names(line) or _ROOT_CAUSE.search(line)
    return bool(names_something) and len(sentences.telling_words(line)) >= FEWEST_WORDS


def _is_mended(line: str, turn: Turn, following: Sequence[Turn]) -> bool:
    """Tell whether *turn* changed something after it found the cause, or one soon after it did."""
    if _edits(turn):
        return True
    named = _names(line)
    return any(_edits(one) and _is_about(one, named) for one in following[:NEAR])


def _is_about(turn: Turn, names: Set[str]) -> bool:
    """Tell whether *turn* speaks of one of the *names*, or changed a line that has it."""
    if names & _names(turn.answer):
        return True
    bare = [name.strip("`") for name in names]
    texts = (text for pair in evidence.replaced_texts([turn]) for text in pair)
    return any(name in text for text in texts for name in bare)


def _names(text: str) -> set[str]:
    return {*identifiers(text), *_CODE.findall(text)}


def _edits(turn: Turn) -> bool:
    return any(isinstance(step, Edit) for step in evidence.steps(turn))
