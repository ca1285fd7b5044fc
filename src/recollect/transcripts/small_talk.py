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
    r"(?:ok(?:ay)?|sure|understood|noted|got it|will do|alright|all right|no problem|I see"
    r"|you(?:'re| are) welcome|thanks?(?: you)?|(?:left|leaving it) as it is|done|agreed|likewise"
    r"|(?:yes,? )?i(?:'m| am) (?:ready|here)|anytime|good luck|enjoy\b.{0,40}"
    r"|(?:hello|hi|hey)(?: \w+){0,3}|no response requested"
    r"|(?:i(?:'m| am) )?(?:glad|happy) (?:to help|it (?:works|helped|suits)|that helped)"
    r"|(?:how (?:can|may) I help|what (?:would|do) you (?:like|want))\b.{0,60}"
    r"|api error\b.*|\[?request interrupted.*)"
)
_ACKNOWLEDGED = re.compile(rf"\W*{_HEARD}(?:[\s,;:!–—-]+{_HEARD})?\W*", re.IGNORECASE | re.DOTALL)
_UNKNOWN = re.compile(
    r"\W*(?:sorry,? )?(?:no idea|I (?:do not|don't) know|I (?:cannot|can't) (?:tell|say)"
    r"|(?:I(?:'m| am) )?not (?:entirely |quite )?(?:sure|certain)"
    r"|I (?:could not|couldn't|cannot|can't) find (?:anything|out|any (?:mention|record|trace))"
    r"|I (?:have|found|see) no (?:record|mention|trace|memory) of)\b[^:]{0,60}",
    re.IGNORECASE,
)
_PROMISED = re.compile(
    r"\W*(?:let me|I'?ll|I will|I(?:'m| am) going to) (?:first )?"
    r"(?:look|check|see|have a look|take a look|read|search|find|investigate)\b[^:]{0,80}",
    re.IGNORECASE,
)
_ASKED_BACK = re.compile(
    r"\W*(?:(?:please )?let me know|(?:please )?tell me|(?:can|could|would) you (?:please )?"
    r"(?:tell|point|show|share|clarify|say|specify)|(?:where|what|which \w+) (?:should|shall|do) I"
    r" (?:look|check|search)|where (?:is|are) (?:it|that|they))\b[^:]{0,80}",
    re.IGNORECASE,
)
# Where somebody looked in vain who does not know; by itself it may be the answer.
_IN_VAIN = re.compile(
    r"\W*(?:(?:and|but|so|as|because|since) )?"
    r"(?:(?:it is|it's) not (?:mentioned|documented|written)\b"
    r"|nothing (?:in|here|there|about|on)\b"
    r"|(?:I )?(?:found|see|saw|have|could find) (?:nothing|no)\b"
    r"|there (?:is|are|was) (?:nothing|no (?:mention|trace|record|note|hint|sign|setting)s?)\b)"
    r"[^:]{0,60}",
    re.IGNORECASE,
)
# Between two clauses, each of which may say nothing.
_CLAUSE = re.compile(r"[,;]\s+|\s+[–—-]\s+")
_WORD = re.compile(r"[\w'’-]+")
# Words of greeting, thanks and praise, in the languages that people thank in …
_GREETING = frozenset(
    """
    afternoon appreciated awesome brilliant bye cheers cool enjoy evening excellent fantastic good
    goodbye great hello hey hi lovely luck morning nice night perfect pleasure splendid star super
    sweet thank thanks thankyou thx weekend welcome wonderful wow yay
    danke dank feierabend gruß grüße gut gute guten hallo moin morgen schön schöne schönen servus
    tschüss abend wochenende prima bis
    merci bonjour bonsoir salut bravo parfait revoir soirée
    gracias hola buenos buenas adiós genial perfecto
    grazie ciao obrigado obrigada olá
    """.split()
)
# … and those that stand beside them. A prompt of such words alone asks nothing and tells nothing.
_COURTESY = _GREETING | frozenset(
    """
    a accepted again ah all alright also am an and are as at bed both cu did day day's days does
    done everything fine for from going had happy have hope i i'm im is it it's its job later leave
    lol look looks love me mine much my of oh ok okay our pleasant please pretty ready really right
    same see slept so some soon sure swift that that's thats the then there this to today tomorrow
    tonight too until very was we week well wish with work works yeah yep yes you you're your
    aber auch bald bin dann das dir dich ein eine einen erholung euch für ich ihnen ist ja mal noch
    sehr soll später und uns viel vielen war wir à au beaucoup bien bonne de et la le tout très un
    une de días el hasta la luego
    muchas muy todo una y
    """.split()
)
# … but in a statement, these tell how things are: "the night job works".
_STATE = frozenset("done job ready work works look looks right".split())
# A sentence of more words has something to say.
LONGEST_GREETING = 12


def is_courtesy(sentence: str) -> bool:
    """Tell whether *sentence* only greets, thanks, praises or takes its leave.

    One name may stand in it.

    >>> is_courtesy("Good morning, Seun."), is_courtesy("Have a pleasant afternoon as well.")
    (True, True)
    >>> is_courtesy("Schönen Feierabend!"), is_courtesy("The night job works.")
    (True, False)
    """
    words = _WORD.findall(sentence)
    lower = [word.lower() for word in words]
    if not words or len(words) > LONGEST_GREETING or any(c.isdigit() or c == "`" for c in sentence):
        return False
    if lower[0] == "the" or _GREETING.isdisjoint(lower) or not _STATE.isdisjoint(lower):
        return False
    others = [word for word in words if word.lower() not in _COURTESY]
    return not others or (len(others) == 1 and others[0][0].isupper())


def answers_nothing(answer: str) -> bool:
    """Tell whether *answer* only says that something was heard, is not known, or will be looked at.

    Neither does one that only asks back.

    >>> answers_nothing("Ok."), answers_nothing("I don't know; nothing in here says so.")
    (True, True)
    >>> answers_nothing("I don't know; nothing in the code says so, and I found no setting for it.")
    True
    >>> answers_nothing("I found no setting for it.")
    False
    >>> answers_nothing("Let me look at the list."), answers_nothing("Not sure, where do I look?")
    (True, True)
    >>> answers_nothing("Ok, the port is 5433."), answers_nothing("I don't know: ask Ann.")
    (False, False)
    """
    if len(answer) > LONGEST_NO_ANSWER:
        return False
    sentences = [one for one in _SENTENCE.split(answer) if one.strip()]
    is_unknown = bool(sentences) and _says_unknown(sentences[0])
    return bool(sentences) and all(_is_empty(one, is_unknown=is_unknown) for one in sentences)


def _says_unknown(sentence: str) -> bool:
    return any(_UNKNOWN.fullmatch(one) for one in (sentence, *_CLAUSE.split(sentence)[:1]))


def _is_empty(sentence: str, *, is_unknown: bool) -> bool:
    """Tell whether no clause of *sentence* answers; *is_unknown* behind "I don't know"."""

    def is_empty(words: str) -> bool:
        return _is_blank(words) or (is_unknown and _IN_VAIN.fullmatch(words) is not None)

    clauses = [one for one in _CLAUSE.split(sentence) if one.strip()]
    return is_empty(sentence) or (len(clauses) > 1 and all(map(is_empty, clauses)))


def _is_blank(words: str) -> bool:
    empty = (_ACKNOWLEDGED, _UNKNOWN, _PROMISED, _ASKED_BACK)
    return is_courtesy(words) or any(it.fullmatch(words) for it in empty)


def is_small_talk(turn: Turn) -> bool:
    """Tell whether *turn* is a greeting, thanks or a word of consent, answered by as little."""
    is_brief = len(turn.prompt) <= LONGEST_COURTESY and len(turn.answer) <= LONGEST_NO_ANSWER
    if not is_brief or turn.tools or turn.remarks or not turn.prompt.strip():
        return False
    words = _WORD.findall(turn.prompt.lower())
    telling = sum(word not in _COURTESY for word in words)
    is_asked = turn.prompt.rstrip().endswith("?")
    is_praise = telling <= len(words) // 4 and not _GREETING.isdisjoint(words) and not is_asked
    is_heard_only = telling < FEWEST_WORDS and (not turn.answer or answers_nothing(turn.answer))
    return is_praise or is_heard_only
