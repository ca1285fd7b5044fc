"""Which deeds were undone before their session ended. Pure.

A later report may tell that something was taken back, and the user may reject or revert it. What
was undone is not told as completed.
"""

import re
from collections import Counter
from collections.abc import Sequence, Set
from functools import lru_cache

from recollect.journal import evidence, shell
from recollect.text.terms import terms
from recollect.transcripts.turns import Turn

# Of the words that name what was removed, so many at least, and this share, are words of the deed.
LEAST_WORDS = 2
SAME_WORDS = 0.7
# A line of a prompt that repeats a deed has so many words, and nearly all are the deed's.
QUOTED_WORDS = 5
QUOTED_SHARE = 0.8
# A longer prompt is a paste, not an objection.
LONGEST_OBJECTION = 2_000
LONGEST_ANSWER = 600

_UNDONE = (
    r"\b(?:removed|deleted|dropped|renamed|inlined|reverted|replaced|instead of|rather than"
    r"|no longer|better than|got rid of)\b"
)
_UNDOES = re.compile(
    rf"\W*(?:(?:I|we)(?:'ve| have)? )?(?:(?:successfully|also|all|now|just) )*{_UNDONE}",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"(?:^|(?<=[.!|] ))[^\w\n]{0,20}(?:I(?:'ve)? )?(?:removed|reverted|dropped|deleted) "
    r"(?P<what>[^\n.(]{4,120})"
    r"|\bthe (?P<gone>[\w -]{4,60}) (?:is|are|was|were) (?:gone|removed|dropped|reverted)\b",
    re.IGNORECASE | re.MULTILINE,
)
# What was removed is named before these.
_ENDS_NAME = re.compile(r"; |: | [-—–] |, (?=and |but )")
# A name in code, without its arguments.
_NAMED = re.compile(r"`([\w./-]{3,60})(?:\([^`]*)?`")
# A shorter name may stand anywhere.
SHORTEST_NAME = 5
# A name in code, and a text in quotation marks.
_QUOTED = re.compile(r"`([^`\n]+)`|(?<!\w)\"([^\"\n]+)\"")
_REVERTS = re.compile(
    r"\W*(?:(?:no|nope|ok(?:ay)?|hm+|actually|sorry|please|let'?s|can you|could you|and|but|then)\b"
    r"\W*)*(?:revert|undo|roll back|take back|back out)\b\W*"
    r"(?:it|that|this|those|these|them|everything|all|both|(?:your|the) (?:last |latest )?"
    r"(?:changes?|edits?|commits?|fix))\b",
    re.IGNORECASE,
)
# An answer that opens so reverts what was changed last.
_HAS_REVERTED = re.compile(
    r"\W*(?:(?:done|ok(?:ay)?|yes)\W+)*(?:I(?:'ve)? )?(?:reverted|undid|undone|rolled back)\b"
    r"(?!\s+`)",
    re.IGNORECASE,
)
_RECONSIDERS = re.compile(
    r"\W*(?:thinking (?:again|about it)|on second thoughts?|scratch that|never ?mind"
    r"|forget (?:it|that)|actually,? (?:let'?s|can|i)|hmm+,? (?:let'?s|actually))\b",
    re.IGNORECASE,
)
# An order to take something away, and what.
_TAKE_AWAY = re.compile(
    r"(?:^|[.!?,]\s+|\b(?:just|also|please|let'?s|then|now|and|could we|can (?:you|we))\s+)"
    r"(?:remove|drop|delete|get rid of)\s+(?:(?:the|that|this)\s+)?`?(?P<name>[\w./-]{5,60})",
    re.IGNORECASE,
)
# What was removed, and is there again.
_REMOVES = re.compile(
    r"\W*(?:(?:I|we)(?:'ve| have)? )?(?:removed|deleted|dropped)\b", re.IGNORECASE
)
_BACK_AGAIN = re.compile(
    r"\b(?:restored|re-?added|put back|brought back|added back)\b[^.\n]*", re.I
)
_TO_NOTHING = re.compile(
    r"\b(?:there(?:'s| is|’s) )?nothing (?:left |more )?to (?:fix|change)\b"
    r"|\b(?:can(?:no|')t|could(?:n't| not)|does(?:n't| not)) reproduce\b"
    r"|\bno (?:code |further )?(?:changes?|fix) (?:is|are|was|were)"
    r" (?:needed|necessary|required)\b",
    re.IGNORECASE,
)
_TAKES_AWAY = re.compile(r"\bgit (?:revert|reset|checkout|restore|rm|stash)\b|\brm ")
_DOUBTS = re.compile(
    r"\W*(?:(?:sure|ok(?:ay)?|yeah|yes|well)\b\W*)?(?:no\b(?! (?:problem|worries))|nope|hm+\b"
    r"|wait\b|but\b|still\b|that'?s (?:not|wrong)|(?:it |that )?(?:does|did)(?:n't| not)"
    r"|not (?:quite|really|right)|are you sure)",
    re.IGNORECASE,
)
# What was said to be fixed is not, as the next prompt tells.
_STILL_FAILS = re.compile(
    r"\W*(?:(?:no|nope|hm+|but|and|sorry|ok(?:ay)?|wait)\b\W*)*"
    r"(?:(?:i(?:'m| am)? )?(?:still )?(?:get(?:ting)? |see(?:ing)? )?(?:the |that )?(?:exact )?same"
    r" (?:\w+ )?(?:error|problem|issue|failure|bug|crash)"
    r"|(?:(?:it|this|that|the \w+(?: \w+)?)(?:'s| is)? )?still"
    r" (?:fail|crash|hang|break|broke|happen|flak|red\b|there\b|wrong\b|(?:does|is)(?:n't| not)"
    r"|not (?:work|fix|pass)))",
    re.IGNORECASE,
)
_CLAIMS_FIX = re.compile(r"\b(?:fix(?:ed|es)|solved|resolved)\b", re.IGNORECASE)
_NO_GOOD = re.compile(
    r"\b(?:(?:is|are|it'?s|that'?s) (?:no|not) good|i (?:hate|don'?t like) (?:it|this|that))\b",
    re.I,
)
_OBJECTS = re.compile(
    r"\b(?:should(?:n't| not)|do(?:n't| not) want"
    r"|(?:is|that'?s) (?:wrong|not (?:right|correct|what))"
    r"|not be (?:chan?ged|touched|done)|not you \w+ing|must not|why did you|revert|undo)\b",
    re.IGNORECASE,
)


def remaining(deeds: Sequence[str], turn: Turn, later: Sequence[Turn]) -> list[str]:
    """Return those of the *deeds* of *turn* that none of the turns *later* took back.

    *later* begins with the turn that followed.
    """
    if not deeds or not later:
        return list(deeds)
    if _is_reverted(turn, later):
        return []
    answers = [one.answer for one in later if _changes(one)]
    reconsidered = _RECONSIDERS.match(later[0].prompt) is not None and _changes(later[0])
    prompt = later[0].prompt
    still_fails = len(prompt) <= LONGEST_ANSWER and _STILL_FAILS.match(prompt) is not None
    return [
        deed
        for deed in deeds
        if not _rejects(prompt, deed)
        and not (still_fails and _CLAIMS_FIX.search(deed))
        and not (reconsidered and _shares_words(deed, prompt))
        and not _is_overwritten(deed, turn, later)
        and not any(_is_taken_away(deed, one) for one in later)
        and not _is_back(deed, turn, later, answers)
        and (_UNDOES.match(deed) or not is_taken_back(deed, answers))
    ]


def came_to_nothing(answer: str) -> bool:
    """Tell whether *answer* says that there was nothing to do, so that no change is left.

    >>> came_to_nothing("The rule never fires, so there's nothing to fix here.")
    True
    """
    return _TO_NOTHING.search(answer) is not None


def is_put_back(turn: Turn, later: Sequence[Turn]) -> bool:
    """Tell whether *later* edits put back the very text that each edit of *turn* replaced."""
    files = _files(turn)
    if not files or any(call.name in evidence.PATCHERS for call in turn.tools):
        return False
    edits = evidence.replaced_texts([turn])
    if not edits or not all(taken and put for taken, put in edits):
        return False
    touching = [one for one in later if files & _files(one)]
    if not files <= set().union(*map(_files, touching)):
        return False
    following = Counter(evidence.replaced_texts(touching))
    made = Counter(edits) + following
    return all(following[put, taken] >= made[taken, put] for taken, put in edits)


def is_taken_back(deed: str, answers: Sequence[str]) -> bool:
    """Tell whether one of *answers* says that what *deed* names was taken back.

    >>> is_taken_back("Added `feed()`", ["Removed `feed()`, it was not used."])
    True
    """
    words = _stems(deed)
    names = {re.escape(name) for name in _NAMED.findall(deed)}
    one = rf"`(?:{'|'.join(sorted(names)) or '(?!)'})\b"
    undone = re.compile(
        rf"{_UNDONE}\W+(?:\w+\W+){{0,3}}?{one}|{one}[^`\n]{{0,20}}`(?: →| (?:was|were|is|has been) "
        rf"(?:now )?(?:{_UNDONE}|gone))",
        re.IGNORECASE,
    )
    return any(undone.search(answer) or _removes(answer, words) for answer in answers)


def _is_taken_away(deed: str, following: Turn) -> bool:
    """Tell whether *following* was asked to remove what *deed* names, and changed something."""
    if _UNDOES.match(deed) or len(following.prompt) > LONGEST_OBJECTION or not _changes(following):
        return False
    ordered = {one["name"].rstrip(".-/").lower() for one in _TAKE_AWAY.finditer(following.prompt)}
    return any(name.lower() in ordered for name in _NAMED.findall(deed))


def _is_back(deed: str, turn: Turn, later: Sequence[Turn], answers: Sequence[str]) -> bool:
    """Tell whether what *deed* removed is there again: by the *answers*, or by *later* edits."""
    if not _REMOVES.match(deed):
        return False
    names = set(_NAMED.findall(deed))
    back = (said[0] for answer in answers for said in _BACK_AGAIN.finditer(answer))
    if any(names & set(_NAMED.findall(said)) for said in back):
        return True
    own, following = evidence.replaced_texts([turn]), evidence.replaced_texts(later)
    taken = [name for name in names if _balance(name, own) < 0]
    return bool(taken) and all(_balance(name, following) >= -_balance(name, own) for name in taken)


def _is_overwritten(deed: str, turn: Turn, later: Sequence[Turn]) -> bool:
    """Tell whether later edits took out all that *deed* names and *turn* had written."""
    quoted = (code or text for code, text in _QUOTED.findall(deed))
    named = [name for name in quoted if len(name) >= SHORTEST_NAME]
    if not named:
        return False
    added = evidence.replaced_texts([turn])
    new = [name for name in named if _balance(name, added) > 0]
    if not new:
        return False
    following = evidence.replaced_texts(later)
    return all(
        _balance(name, following) <= -_balance(name, added)
        and not any(name in put for _, put in following)
        for name in new
    )


def _shares_words(deed: str, prompt: str) -> bool:
    return len(_stems(deed) & _stems(prompt[:LONGEST_OBJECTION])) >= LEAST_WORDS


def _balance(name: str, edits: Sequence[tuple[str, str]]) -> int:
    """Return how much more often the *edits* wrote *name* than they took it out."""
    return sum(put.count(name) - taken.count(name) for taken, put in edits)


def _is_reverted(turn: Turn, later: Sequence[Turn]) -> bool:
    """Tell whether all that *turn* changed was reverted, or objected to and changed again."""
    following = later[0]
    if _REVERTS.match(following.prompt) and not following.interrupted:
        return True
    objects = len(following.prompt) <= LONGEST_ANSWER and (
        _DOUBTS.match(following.prompt) or _OBJECTS.search(following.prompt)
    )
    reverted = [one for one in later if _HAS_REVERTED.match(one.answer)]
    found_bad = next((one for one in later if _NO_GOOD.search(one.prompt[:LONGEST_ANSWER])), None)
    if not (objects or reverted or found_bad):
        return False
    edited = _files(turn)
    if found_bad and edited and edited <= _files(found_bad):
        between = later[: later.index(found_bad)]
        if not any(map(_files, between)):
            return True
    if objects and edited and edited <= _files(following):
        return True
    for one in later[: later.index(reverted[-1]) + 1] if reverted else ():
        if edited & _files(one):
            return one in reverted
    return False


def _changes(turn: Turn) -> bool:
    """Tell whether *turn* wrote a file, or ran anything that may have taken something away."""
    calls = [call for call in turn.tools if not call.failed]
    if any(call.name in evidence.WRITERS | evidence.PATCHERS for call in calls):
        return True
    shells = (call for call in calls if call.name in evidence.SHELLS)
    return any(_TAKES_AWAY.search(shell.text_of(call.input)) for call in shells)


def _files(turn: Turn) -> set[str]:
    return set(evidence.modified(evidence.steps(turn)))


def _rejects(prompt: str, deed: str) -> bool:
    """Tell whether *prompt* repeats *deed* and objects to it."""
    if len(prompt) > LONGEST_OBJECTION or not _OBJECTS.search(prompt):
        return False
    known = set(terms(deed))
    lines = (set(terms(line)) for line in prompt.splitlines())
    return any(
        len(line) >= QUOTED_WORDS and len(line & known) >= QUOTED_SHARE * len(line)
        for line in lines
    )


def _removes(answer: str, words: Set[str]) -> bool:
    """Tell whether *answer* says that it removed what the *words* of a deed tell."""
    return any(len(one & words) >= SAME_WORDS * len(one) for one in _removed(answer))


# A session is summed up after each of its turns, mostly from the same messages.
@lru_cache(maxsize=128)
def _removed(answer: str) -> tuple[Set[str], ...]:
    """Return the words of each thing that *answer* says it removed."""
    found = (one["what"] or one["gone"] for one in _TAKEN_BACK.finditer(answer))
    removed = (_stems(_ENDS_NAME.split(line)[0]) for line in found)
    return tuple(one for one in removed if len(one) >= LEAST_WORDS)


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in terms(text)} - {"removed", "reverted", "added", "the"}
