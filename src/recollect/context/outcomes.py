"""What a turn came to, in the agent's own words: whole sentences, those with the facts first. Pure.

An agent's closing message mostly is a good report. Its first sentence says what was done; figures,
names and what is set in bold say it exactly. What was rejected and how to repeat it is looked up
when somebody needs it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.context.past_turns import PastTurn, TurnSentence, words
from recollect.context.replaced import is_replaced
from recollect.transcripts import small_talk

# Shorter ones say something only by a figure or a name.
SHORTEST = 15
LONGEST = 400
# After a longer answer, the answer tells what was stated.
SHORT_ANSWER = 250
LONGEST_STATED = 160
# So much of the words of a sentence, or of a title, must be news.
LEAST_NEWS = 0.4

# What makes a sentence worth telling; chosen on the invented projects for tuning.
FIRST = 2.0
FIGURE = 0.7
NAME = 0.5
BOLD = 0.4
CHANGE = 0.6
ASIDE = -1.2
LEANING = -0.5
ANNOUNCING = -1.0
STATUS = -1.5
PROPOSAL = -0.6
# A second sentence of a turn tells less than the first of another.
EACH_MORE = 0.45
# What a sentence of so many characters must be worth more than one of half of them.
CHARACTERS = 400.0

_QUESTION = re.compile(r"[?？][\"')\]*_`]*$")
_OFFER = re.compile(
    r"\W*(?:(?:shall|should|may) (?:i|we)\b|(?:do you )?want me to|would you (?:like|prefer|rather)"
    r"|let me know|if you(?:'d| would)? (?:want|like|prefer|wish)|say the word|happy to)",
    re.IGNORECASE,
)
_PROPOSAL = re.compile(
    r"\W*(?:i(?:'d| would| could| can| suggest| recommend| propose)|we(?:'d| could| would)|it would"
    r"|you could|one could|my suggestion|my recommendation)\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\W*(?:you'?re welcome|thanks?\b|thank you|likewise|deserved|enjoy|good (?:night|luck|idea"
    r"|question|catch|point|evening|weekend)|have (?:fun|an?)\b(?! look)"
    r"|safe (?:trip|travels)"
    r"|see you|same to you|welcome back|get well|congratulations"
    r"|hello|hi\b|hey\b|great\b|perfect\b|excellent\b|nice\b|glad|sleep well"
    r"|(?:ok(?:ay)?|now|next|first|alright)?\W*(?:looking|checking|running|reading|updating|adding"
    r"|fixing|starting|waiting) |let me\b|i'll (?:look|check|start|begin|now|have)|now (?:let|i'll)"
    r"|here(?:'s| is| are)\b"
    # An answer that changed nothing is no less an answer.
    r"|i (?:have(?:n't| not)|did(?:n't| not)) (?:\w+ )?(?:chang|touch|edit)\w* any(?:thing)?\b"
    r"|nothing (?:was|is|has been) (?:changed|touched|edited|modified)\b"
    r"|understood\W*$|agreed\W*$|noted\W*$|done\W*$|sure\W*$|ok(?:ay)?\W*$|yes\W*$)",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:now|no longer|added|fixed|removed|replaced|changed|switched|moved|reverted|raised|cause"
    r"|because|chose|decided|goes? through|must|never|always|only|instead of|rather than|is gone"
    r"|are gone|stays?|until|before|blocked|released)\b|→",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"rejected|not chosen|why not|alternative|tried|how to (?:check|repeat|verify)|how i |numbers"
    r"|compar|price|did it matter|measured|cost\b|speed\b|lesson|ios$|shown\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:\d{1,2}\.? )?(?:of )?(?:january|february|march|april|june"
    r"|july|august|september|october|november|december)\b|\b(?:mon|tues|wednes|thurs|fri)day\b"
    r"|\b\d{4}-\d\d-\d\d\b|\bnext (?:week|month)\b|\btomorrow\b|\bdeadline\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:let'?s (?:use|take|keep|go|stay)|we(?:'ll| will| shall)? (?:take|use|go with|keep|stay)"
    r"|go (?:with|for)|i(?:'ll| will| shall) (?!have|be)|decided|make (?:it|that|the \w+) )\b",
    re.IGNORECASE,
)
# True of every turn that ends well.
_STATUS = re.compile(
    r"\W*(?:\d+\.\s)?(?:committed|pushed|all (?:the )?(?:\d+ )?tests"
    r"|(?:the )?(?:\d+ )?(?:tests?|lint\w*|build) "
    r"(?:now )?(?:pass|is clean|are green)|everything (?:is|works|passes)|clean working tree)",
    re.IGNORECASE,
)
_FACT = re.compile(r"\d|`")
_NAME = re.compile(r"`[^`]+`")
_BOLD = re.compile(r"\*\*[^*]+\*\*")
_LEANING = re.compile(r"(?:this|that|these|those|it|they|both|then|and|but|or)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A sentence of a turn, and what it is worth among those of other turns."""

    turn: PastTurn
    sentence: TurnSentence
    value: float


def of_turn(
    turn: PastTurn, *, later: Sequence[PastTurn] = (), without: Iterable[str] = ()
) -> list[Outcome]:
    """Return what *turn* came to, the most telling sentence first; nothing for small talk.

    What a *later* turn replaced is left out, and what is shown elsewhere: the texts *without*.
    """
    elsewhere = tuple(without)
    kept = [
        one
        for one in _with_title(turn, telling(turn.sentences))
        if not any(one.text in text for text in elsewhere) and not is_replaced(one.text, later)
    ]
    kept += _stated(turn)
    if not kept and not turn.sentences and not turn.request and _stands_alone(turn):
        kept = [_title(turn)]
    valued = sorted(
        ((_value(one, is_first=place == 0), one) for place, one in enumerate(kept)),
        key=lambda pair: -pair[0],
    )
    return [
        Outcome(turn=turn, sentence=one, value=value - EACH_MORE * rank)
        for rank, (value, one) in enumerate(valued)
    ]


def _stands_alone(turn: PastTurn) -> bool:
    """Tell whether the entry says something without its turn: it has a type, or is by hand."""
    answered = turn.entry.title.rpartition(": ")[2]
    return turn.entry.kind == "hand" or bool(turn.entry.types and not _SMALL_TALK.match(answered))


def _stated(turn: PastTurn) -> list[TurnSentence]:
    """Return what the user said of dates and choices, where the agent only took note of it."""
    if sum(len(one.text) for one in turn.sentences) > SHORT_ANSWER or not turn.sentences:
        return []
    return [
        TurnSentence(text=f"The user: “{text}”", place=-1, words=words(text))
        for text in turn.asked
        if SHORTEST < len(text) <= LONGEST_STATED and (_DATE.search(text) or _CHOICE.search(text))
    ]


def _with_title(turn: PastTurn, sentences: Sequence[TurnSentence]) -> list[TurnSentence]:
    """Return *sentences* below the title of the entry, if that says what came of the turn.

    A title that only repeats what was asked does not, one that begins a sentence is left to that;
    nor does a sentence follow that repeats the title.
    """
    if turn.is_title_replaced:
        return list(sentences)
    title = _title(turn)
    asked = words("\n".join((turn.request, *turn.asked)))
    new = title.words - asked
    is_told = any(one.text.startswith(title.text.rstrip(" .…")) for one in sentences)
    is_told = is_told or _SMALL_TALK.match(title.text.rpartition(": ")[2]) is not None
    if is_told or not sentences or not asked or len(new) < LEAST_NEWS * len(title.words):
        return list(sentences)
    return [
        title,
        *(one for one in sentences if len(one.words - title.words) > LEAST_NEWS * len(one.words)),
    ]


def _title(turn: PastTurn) -> TurnSentence:
    title = turn.entry.title
    return TurnSentence(text=title, place=-1, words=words(title))


def telling(sentences: Sequence[TurnSentence]) -> list[TurnSentence]:
    """Return *sentences* without questions, offers, what leads up to one, and small talk."""
    kept: list[TurnSentence] = []
    for one in sentences:
        if is_offer(one.text):
            # "I'd put it into a timer. Shall I?" proposes; nothing was done.
            if kept and kept[-1].place == one.place - 1 and is_proposal(kept[-1].text):
                kept.pop()
        elif _says_something(one.text):
            kept.append(one)
    return kept


def is_proposal(text: str) -> bool:
    """Tell whether *text* says what could be done rather than what is so."""
    return _PROPOSAL.match(text) is not None


def has_facts(text: str) -> bool:
    """Tell whether *text* has a figure or a name.

    >>> has_facts("Orders now reserve stock."), has_facts("They hold it for 36 hours.")
    (False, True)
    """
    return _FACT.search(text) is not None


def _says_something(text: str) -> bool:
    is_long_enough = len(text) >= SHORTEST or _FACT.search(text)
    is_talk = _SMALL_TALK.match(text) or small_talk.is_courtesy(text)
    return bool(is_long_enough and len(text) <= LONGEST and not is_talk)


def is_offer(text: str) -> bool:
    """Tell whether *text* only asks what to do, or offers it.

    >>> is_offer("Shall I go ahead?"), is_offer("The cache goes to Redis.")
    (True, False)
    """
    return bool(_QUESTION.search(text) or _OFFER.match(text))


def _value(one: TurnSentence, *, is_first: bool) -> float:
    text = one.text
    facts = (
        FIGURE * any(map(str.isdigit, _NAME.sub("", text)))
        + NAME * bool(_NAME.search(text))
        + BOLD * bool(_BOLD.search(text))
        + CHANGE * bool(_CHANGE.search(text))
    )
    return (
        facts
        # "I tried it and took it out again." leads, but says nothing of what.
        + (FIRST if facts else FIRST / 4) * is_first
        + ASIDE * bool(_ASIDE.search(one.heading))
        + ANNOUNCING * text.rstrip("*_ ").endswith(":")
        + PROPOSAL * is_proposal(text)
        + STATUS * bool(_STATUS.match(text))
        + LEANING * bool(_LEANING.match(text) and not is_first)
        - len(text) / CHARACTERS
    )
