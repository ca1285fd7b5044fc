"""Turns that are no memory: greetings, thanks, acknowledgements, questions nobody answered. Pure.

They are archived like any other and can be read there. But they are not searched, recalled or
listed: whoever asks again must not be given the question back.
"""

import re

from recollect.transcripts.turns import Turn

LONGEST_NO_ANSWER = 160
LONGEST_COURTESY = 120
# What the user told, and the agent only acknowledged, is worth keeping if it has so many words.
FEWEST_WORDS = 3

_SENTENCE = re.compile(r"(?<=[.!?…])[\"')\]*_`]*\s+(?=\S)|(?<=[。！？])")
_HEARD = (
    r"(?:ok(?:ay)?|sure|understood|noted|got it|will do|alright|all right|no problem"
    r"|you(?:'re| are) welcome|thanks?(?: you)?|(?:left|leaving it) as it is|done|agreed|likewise"
    r"|anytime|good luck|enjoy\b.{0,40}|(?:hello|hi|hey)(?: \w+){0,3}|no response requested"
    r"|(?:i(?:'m| am) )?(?:glad|happy) (?:to help|it (?:works|helped|suits)|that helped)"
    r"|(?:how (?:can|may) I help|what (?:would|do) you (?:like|want))\b.{0,60}"
    r"|api error\b.*|\[?request interrupted.*)"
)
_ACKNOWLEDGED = re.compile(rf"\W*{_HEARD}(?:[\s,;:!–—-]+{_HEARD})?\W*", re.IGNORECASE | re.DOTALL)
_UNKNOWN = re.compile(
    r"\W*(?:sorry,? )?(?:no idea|I (?:do not|don't) know|I (?:cannot|can't) (?:tell|say)"
    r"|I (?:could not|couldn't|cannot|can't) find (?:anything|out|any (?:mention|record|trace))"
    r"|I (?:have|found|see) no (?:record|mention|trace|memory) of)\b[^:]{0,60}",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    r"\W*(?:let me|I'?ll|I will|I(?:'m| am) going to) (?:first )?"
    r"(?:look|check|see|have a look|take a look|read|search|find|investigate)\b[^:]{0,80}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'’-]+")
# A prompt of such words alone asks for nothing and tells nothing.
_COURTESY = frozenset(
    """
    a accepted again ah all alright and awesome bed brilliant bye cheers cool day day's days did
    does done excellent fantastic fine for from going good goodbye great happy hello hey hi i im is
    it its job later leave lol looks love lovely me morning much my nice night oh ok okay perfect
    pretty really right see so splendid star super sure sweet swift thank thanks thankyou that
    that's thats the then there this thx to today tomorrow tonight very well wonderful work works
    wow yay yeah yep yes you you're your
    """.split()
)


_PRAISE = frozenset(
    """
    awesome brilliant bye cheers cool excellent fantastic good goodbye great hello hey hi lovely
    nice perfect splendid star super sweet thank thanks thankyou thx wonderful wow
    """.split()
)


def answers_nothing(answer: str) -> bool:
    """Tell whether *answer* only says that something was heard, is not known, or will be looked at.

    >>> answers_nothing("Ok."), answers_nothing("I don't know; nothing in here says so.")
    (True, True)
    >>> answers_nothing("Let me look at the list.")
    True
    >>> answers_nothing("Ok, the port is 5433."), answers_nothing("I don't know: ask Ann.")
    (False, False)
    """
    if len(answer) > LONGEST_NO_ANSWER:
        return False
    sentences = [one for one in _SENTENCE.split(answer) if one.strip()]
    empty = (_ACKNOWLEDGED, _UNKNOWN, _PROMISED)
    return bool(sentences) and all(any(it.fullmatch(one) for it in empty) for one in sentences)


def is_small_talk(turn: Turn) -> bool:
    """Tell whether *turn* is a greeting, thanks or a word of consent, answered by as little."""
    is_brief = len(turn.prompt) <= LONGEST_COURTESY and len(turn.answer) <= LONGEST_NO_ANSWER
    if not is_brief or turn.tools or turn.remarks or not turn.prompt.strip():
        return False
    words = _WORD.findall(turn.prompt.lower())
    telling = sum(word not in _COURTESY for word in words)
    is_praise = telling <= len(words) // 4 and not _PRAISE.isdisjoint(words)
    is_heard_only = telling < FEWEST_WORDS and (not turn.answer or answers_nothing(turn.answer))
    return is_praise or is_heard_only
