"""What an agent offered at the end of an answer, and whether the next prompt took it up. Pure.

"Yes", "2" and "fix all of them" say nothing by themselves: what was asked for stands in the answer
before.
"""

import re

from recollect.text import sentences

# A longer prompt says itself what it asks for.
LONGEST_ASSENT = 80
LONGEST_OFFER = 160
LONGEST_END = 300
# A longer prompt is a paste, and a longer line no remark.
LONGEST_SPOKEN = 2_000
LONGEST_PUT_OFF = 200
FEWEST_WORDS = 3

_ASSENTS = re.compile(
    r"\W*(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|please|go (?:ahead|for it)|sounds good|proceed"
    r"|perfect|great|good|thanks?|cool|nice|do|it|that|this|the|let'?s|go with|option|number"
    r"|all|both|them|of|these|those|now|then|and|too|for me|first|one|with|\d+|[a-d])\b"
    r"[\s,.!)&+-]*)+$",
    re.IGNORECASE,
)
_ACCEPTS = re.compile(
    r"\b(?:fix|do|implement|address|apply|resolve|tackle|handle|correct|change)\b[^.?!\n]{0,20}"
    r"\b(?:all|both|them|these|those|everything|\d+)\b",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")
_OFFERS = re.compile(
    r"\b(?:want|would you like|do you want|shall|should) (?:me|I|we)(?: to)?"
    r" (?P<what>[a-z][^?\n]{5,})\?",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r",? (?:or|and then|before (?:we|you|I)|now,)\b.*")
_SAYS_NOTHING = re.compile(
    r"(?:also |now )?(?:go ahead|proceed|continue|commit|push|start|help|explain|show"
    r"|make (?:that|this|these|the)\b.{0,10}changes?"
    r"|(?:do|fix|implement|address|add|apply|try|run|update)"
    r" (?:it|that|this|these|those|them|all|any|both|the (?:fix|change)e?s?)\b)",
    re.IGNORECASE,
)
# What an answer ends with that proposes rather than reports.
_PROPOSES = re.compile(
    r"\b(?:(?:want|would you like) me to (?:implement|proceed|go ahead|make|do)"
    r"|shall i (?:go ahead|proceed|implement|make)|which (?:one|option|approach)"
    r"|what do you (?:think|prefer)|your preference)\b",
    re.IGNORECASE,
)
# What else an agent asks before it goes on.
_ASKS_TO = re.compile(r"\bready (?:to|for me to) (?P<what>[a-z][^?\n]{3,})\?", re.IGNORECASE)
_AWAITS = re.compile(
    r"\b(?:which (?:one|option|approach|of th)|what do you (?:think|prefer)|your preference"
    r"|do you (?:prefer|want to:)|(?:does|do|is) (?:this|that|the|these) (?:\w+ )?(?:approach|plan"
    r"|design|scope|proposal|breakdown)|before i (?:start|begin|implement|write|proceed)"
    r"|sounds? (?:good|right))\b[^?]{0,200}(?:\?|$)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:also |now )?(?:go ahead|proceed|continue|start|help|explain|show|elaborate|clarify)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\bwhich (?:one|option|approach|of th\w+)\b[^?]{0,80}\?|\byour preference\?", re.IGNORECASE
)
_STANDS_FOR = re.compile(r"\b(?:it|this|that|these|those|them)\b", re.IGNORECASE)
_KEEPS = re.compile(r"\b(?:commit|push|merge|pull request|PR)\b", re.IGNORECASE)
_PUTS_OFF = re.compile(
    r"\b(?:we|i)(?:'ll| will| can| could|)(?: \w+){0,2} (?:look at|do|fix|handle|address|tackle"
    r"|come back to|get to|revisit|deal with|worry about)\b[^.?!\n]{1,40}\b(?:later|another time"
    r"|in an? (?:follow-?up|separate|different|new|other)(?: \w+)?)\W*$"
    r"|\blet'?s (?:leave|park|defer|postpone)\b[^.?!\n]{2,60}\bfor (?:now|later|an? \w+ \w+)\W*$",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"\b(?:log|create|file|open|raise)\b.{0,20}\b(?:issue|ticket|pr)\b", re.IGNORECASE
)
_MARKS = re.compile(r"[*_#]+")


def is_taken_up(prompt: str) -> bool:
    """Tell whether *prompt* only picks from what the answer before it offered.

    >>> [is_taken_up(it) for it in ("yes please", "2", "Can you fix all 5", "fix the parser")]
    [True, True, True, False]
    """
    said = prompt.strip()
    if not said or len(said) > LONGEST_ASSENT:
        return False
    return _ASSENTS.match(said) is not None or _ACCEPTS.search(said) is not None


def taken_up(prompt: str, answer: str) -> str:
    r"""Return what *prompt* picks of what *answer* offered; empty if it says so itself.

    >>> taken_up("2", "1. Keep it\n2. **Rename `a` to `b`**\n\nWhich one?")
    'Rename `a` to `b`'
    >>> taken_up("yes", "It is racy. Want me to add a lock to the cache?")
    'add a lock to the cache'
    """
    if len(prompt) > LONGEST_ASSENT or not _ASSENTS.match(prompt.strip()):
        return ""
    numbers = _NUMBERS.findall(prompt)
    if numbers:
        return _item(numbers[0], answer) if len(numbers) == 1 else ""
    offered = [one["what"] for one in _OFFERS.finditer(answer)][-1:]
    told = (_ALTERNATIVE.sub("", _MARKS.sub("", what), count=1).strip() for what in offered)
    return next((it for it in told if not _SAYS_NOTHING.match(it) and len(it) <= LONGEST_OFFER), "")


def is_proposal(answer: str) -> bool:
    """Tell whether *answer* ends by asking whether to go ahead.

    >>> is_proposal("I would log to a file. Shall I go ahead?"), is_proposal("Done. Commit it?")
    (True, False)
    """
    return _PROPOSES.search(answer[-LONGEST_END:]) is not None


def unanswered(answer: str) -> str:
    """Return what *answer* offers to do at its end; empty if that says nothing.

    >>> unanswered("Two tests are slow. Want me to run them in parallel?")
    'run them in parallel'
    >>> unanswered("Done. Is there anything else?")
    ''
    """
    end = _MARKS.sub("", answer[-LONGEST_END:])
    found = [*_OFFERS.finditer(end), *_ASKS_TO.finditer(end)]
    last = max(found, key=lambda one: one.start(), default=None)
    if not last or "?" in end[last.end() :]:
        return ""
    what = _ALTERNATIVE.sub("", last["what"], count=1).strip()
    return "" if _GOES_ON.match(what) or len(what) > LONGEST_OFFER else what


def says_little(offered: str) -> bool:
    """Tell whether what was *offered* is understood only with what it is about."""
    is_bare = sentences.is_thin(offered) or _SAYS_NOTHING.match(offered) is not None
    return is_bare and not _KEEPS.search(offered)


def awaits_choice(answer: str) -> bool:
    """Tell whether *answer* ends by asking which of several ways to go."""
    return _CHOICE.search(answer[-LONGEST_END:]) is not None


def awaits_decision(answer: str) -> bool:
    r"""Tell whether *answer* ends by asking which way to go.

    >>> awaits_decision("A) a flag\nB) a file\n\nWhich one?"), awaits_decision("Is it clear?")
    (True, False)
    """
    return is_proposal(answer) or _AWAITS.search(answer[-LONGEST_END:]) is not None


def put_off(prompt: str) -> list[str]:
    """Return the sentences of *prompt* that leave something for later.

    >>> put_off("Commit it. The slow integration tests we can look at later.")
    ['The slow integration tests we can look at later']
    """
    if len(prompt) > LONGEST_SPOKEN:
        return []
    found: list[str] = []
    before = ""
    for line in (line for part in prompt.splitlines() for line in sentences.split(part)):
        if len(line) <= LONGEST_PUT_OFF and _PUTS_OFF.search(line) and not _FILES.search(line):
            # "We will look at it later" is understood only behind what "it" is.
            whole = f"{before} {line}".strip() if _STANDS_FOR.search(line) else line
            if len(sentences.telling_words(whole)) >= FEWEST_WORDS:
                found.append(whole.rstrip(" ."))
        before = line if len(line) <= LONGEST_PUT_OFF else ""
    return found


def _item(number: str, answer: str) -> str:
    """Return the item of the last list in *answer* that has this *number*."""
    items = re.findall(
        rf"^\s*(?:#+\s+)?(?:\*\*)?(?:Option )?{number}[.):]\s*(\S.{{3,}})$", answer, re.MULTILINE
    )
    found = _MARKS.sub("", items[-1]).strip() if items else ""
    return found if len(found) <= LONGEST_OFFER else ""
