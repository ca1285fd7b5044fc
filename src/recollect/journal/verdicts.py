"""What a review came to, in the words of its answer. Pure.

Only what the answer marks as its verdict is told: reviews of several reviewers say several things.
"""

import re

from recollect.text import sentences
from recollect.text.sentences import clause
from recollect.transcripts.turns import Turn

LONGEST_VERDICT = 170
# What is asked for stands at the start of a prompt.
LONGEST_ASKED = 200
LONGEST_READ = 20_000

_ASKS = re.compile(
    r"\breview(?:er|ing)?\b(?! (?:comment|feedback|suggestion|finding|thread)s?)|\baudit\b", re.I
)
_MARKED = re.compile(
    r"^[\W\d]{0,12}(?:(?:final|overall) )?(?:verdict|recommendation|overall assessment)"
    r"(?:\*\*)?(?:\s*[:—–]|\s*\n)[\s*_:#✅❌⚠️-]*(?P<said>[^\n|]{4,400})$",
    re.IGNORECASE | re.MULTILINE,
)
_JUDGES = re.compile(
    r"\W*(?:approved?\b|request(?:ing)? changes|changes (?:required|requested)"
    r"|(?:ready to )?merge\b|(?:not )?ready\b|mergeable|reject|ship it|lgtm|looks? good|safe to"
    r"|do not merge|no blockers)",
    re.IGNORECASE,
)
_BLOCKS_NOTHING = re.compile(
    r"\b(?:none (?:of (?:them|these) )?(?:are |is )?block(?:s|ing|ers)?|no (?:P1 |P0 )?blockers"
    r"|ready to merge|safe to merge|lgtm|ship it)\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(r"\b(?:if|once|after|when|until|unless|would)\b|\?\W*$", re.IGNORECASE)
_MARKS = re.compile(r"[*_]{2}|[✅✓✔❌⚠️]")


def of_review(turn: Turn) -> str:
    """Return the verdict of the review that *turn* was asked for; empty if it marks several."""
    if not _ASKS.search(turn.prompt[:LONGEST_ASKED]):
        return ""
    answer = turn.answer[:LONGEST_READ]
    marked = [_MARKS.sub("", one["said"]).strip(" :.") for one in _MARKED.finditer(answer)]
    told = [said for said in marked if _JUDGES.match(said)]
    if not marked:
        lines = (line for part in answer.splitlines() for line in sentences.split(part))
        bare = (_MARKS.sub("", line).strip(" -:.") for line in lines if "|" not in line)
        told = [line for line in bare if _BLOCKS_NOTHING.search(line) and not _DEPENDS.search(line)]
    if len(told) != 1 or len(marked) > 1 or sentences.leans(told[0]):
        return ""
    return f"reviewed: {clause(told[0], LONGEST_VERDICT)}"
