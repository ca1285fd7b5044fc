"""What earlier work left open, as far as nothing later did it. Pure.

An agent says what it left in its closing message: under a heading ("Not done", "What is left"), or
in a sentence ("`prune` is not in any timer yet"). An offer ("Shall I go ahead?") leaves nothing
open. A later turn that has most of the words of such an item did it, unless it says itself that
the item is still open; then the later words are shown. What only waits to be committed or pushed
is done by the next commit or push.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from recollect.context import outcomes
from recollect.context.past_turns import PastTurn, TurnSentence, without_quotes, words
from recollect.journal import plans
from recollect.store.contract.search import IndexRow

DAY = 86_400
# A plan that nobody took up for so long is no longer one; what is said to be open stays longer.
STALE_DAYS = 21
FORGOTTEN_DAYS = 180
UNSURE_DAYS = 45
LONGEST = 300
MOST = 12
# So much of what an item says, by weight, stands in a later turn that did it …
DONE = 0.55
# … and in a later item that says the same.
SAME = 0.5
# … or in the next turn, if the user said "do it".
ORDERED = 0.3
# … or if the later turn says that it did something which was open.
SAID_DONE = 0.4
# … or if the user takes up what the agent said.
TAKEN_UP = 0.25
LEAST_LIST = 3
# The surer it is that something was left open, the longer it is shown.
SURE, PERHAPS = 1.0, 0.5
HALF_LIFE_DAYS = 45.0

_SURE_HEADING = re.compile(
    r"(?:^|/ )(?:(?:still |left |also )*(?:open|not done|undone|missing)$|(?:what(?:'s| is| was) )?"
    r"left(?: open| to do)?$|still (?:to do|missing|open)|remain(?:s|ing)\b|what remains|to-?dos?\b"
    r"|next(?: steps?)?$|follow-?ups?\b|known (?:gaps?|issues?|bugs?|limits?|limitations?)\b"
    r"|not (?:done|released|deployed|pushed|tested|finished)\b|(?:deliberately )?postponed\b"
    r"|waiting (?:for|on)\b|pending\b|blocked\b|unfinished\b|(?:one|a few|some) things? for you"
    r"|(?:noch )?offen|nächste schritte|reste à faire|prochaines étapes|pendientes?|próximos pasos"
    r"|下一步|待办|残りの作業|次のステップ|다음 단계|남은 작업)",
    re.IGNORECASE,
)
_PERHAPS_HEADING = re.compile(
    r"(?:^|/ )(?:also noticed|noticed|found on the way|left alone|known and left|not touched"
    r"|limits?$|limitations?$|caveats?$)",
    re.IGNORECASE,
)
_DROPPED_HEADING = re.compile(r"rejected|alternative|tried|why not|considered", re.IGNORECASE)
_SURE_SENTENCE = re.compile(
    r"\bnot done\b|\bstill (?:open|to do|to be done|missing|fails?\b|needs?\b|ha(?:s|ve) to\b)"
    r"|\bopen: |\bnot (?:\w+ ){0,3}yet\b|\bisn't (?:\w+ ){0,3}yet\b|\byet to (?:be|do)\b"
    r"|\bhaven't (?:tested|tried|done|checked|been able)\b|\bto-?dos?\b"
    r"|\b(?:somebody|someone) (?:should|must|needs? to|has to) "
    r"|\byou (?:must|need to) \w+ (?:it|this|the)\b"
    r"|\bremember to\b|\bleft to do\b|\bunpushed\b|\bnot (?:been )?(?:pushed|committed|merged)\b"
    r"|\b(?:is|are) blocked(?=[.,;]|$| (?:on|until|for now)\b)|\buntil (?:you|it is released)\b"
    r"|\b(?:has|have) to be (?:re)?\w+(?:ed|ten|ne)\b|\bneeds to be\b"
    r"|\bshould be (?:re)?\w+(?:ed|ten)\b|\bask \w+ (?:about|to|whether)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"`[^`]*\bto-?do[^`]*`", re.IGNORECASE)
_PERHAPS_SENTENCE = re.compile(
    r"\bfor now\b|\bby hand until\b|(?<!day )(?<!week )(?<!month )(?<!year )(?<!s )\blater\.?$"
    r"|\bno \w+(?: \w+){0,3} yet\b|\bcan (?:go(?= (?:too|then|now|as well)\b|[.,;]|$)|be dropped)\b"
    r"|\bworth (?:doing|a look)\b|\bfollow-?up\b"
    r"|\bnot (?:tested|released|started)\b",
    re.IGNORECASE,
)
# What is so whenever something happens is to be known, not to be done.
_EACH_TIME = re.compile(
    r"^\W*(?:whenever|when|if|after an?|on an?|each time|every time|gotcha|(?:one|a) gotcha)\b"
    r"|\bonce per\b|\bby itself\b|\bautomatically\b|\bbefore any(?:thing|body|one)?\b"
    r"|\buntil you (?:run|type|press|restart|call|install|reload)\b",
    re.IGNORECASE,
)
_TELLS_HOW = re.compile(
    r"\W*(?:to (?:repeat|check|reproduce|verify|see|try|measure)|refit|repeat it|how to)\b.*[:`]",
    re.IGNORECASE,
)
# What a thing does is nothing to do, wherever it stands.
_DESCRIBES = re.compile(
    r"\W*`[^`]+`(?: in [\w ]{2,30}?)? (?!is|has|was|needs|uses|fails|lacks)[a-z]+s\b"
)
# Beside what matters more, this says that something is missing.
_LACKS = re.compile(
    r"\b(?:not?|never|none|nobody|nothing|only|without|would|could|should|missing|lacks?|needs?"
    r"|still|yet|by hand|manual\w*|unchanged|untouched|untested|pending|remains?|cannot|deprecated"
    r"|wrong|slow)\b|n't\b|n’t\b",
    re.IGNORECASE,
)
# "Nothing of this morning is left open": what was left that day is done.
_NOTHING_LEFT = re.compile(
    r"\bnothing (?:\w+ ){0,5}(?:is |was |remains |stays )?(?:left|open|missing|to do|undone)\b"
    r"|\bnothing (?:is |was )?left\b|\ball (?:of it |of that )?is (?:done|settled|closed)\b",
    re.IGNORECASE,
)
_DONE_ALREADY = re.compile(
    r"\bwas (?:still )?(?:open|missing)|\bnow done\b|\bnothing (?:is )?left|\bno longer\b|\bfixed\b"
    r"|\b(?:is|are|was|were) gone\b|\bthere (?:was|were) no\b|^\W*(?:ready|done|built|fixed)[,.:]"
    r"|\brejected\b|\bdecided against\b|\boverkill\b|\bstruck\b|\bgiven up\b|\bgave up\b"
    r"|\bhad (?:not|never)\b|\bnone\b|\buntil now\b|\bis ticked off\b|\bwhich was on\b",
    re.IGNORECASE,
)
_NOTHING_TO_DO = re.compile(
    r"\b(?:nothing|no one|nobody|no \w+)(?: \w+){0,3} (?:has|have|needs?|had) to be\b",
    re.IGNORECASE,
)
# What waits for git, and how it is told that git did it.
_STEPS_OF_GIT = {"commit": "committed", "push": "pushed", "merge": "merged"}
_WAITS_FOR_GIT = {
    step: re.compile(rf"\b(?:un|(?:not|n't)(?: \w+){{0,3}} )(?:{done}|{step})\b", re.IGNORECASE)
    for step, done in _STEPS_OF_GIT.items()
}
_DONE_IN_GIT = {
    step: re.compile(
        rf"(?:^|[.;:,] |\band )(?:i |it is |it's |all )?{done}\b|\bran `(?:git|gh pr) {step}\b"
        rf"|\b{step} [0-9a-f]{{7,40}}\b",
        re.IGNORECASE | re.MULTILINE,
    )
    for step, done in _STEPS_OF_GIT.items()
}
# So few other words say what the commit is of, and no work besides.
_FEW_WORDS = 4
_GIT_WORDS = ("commit", "uncommi", "push", "unpush", "merg", "unmerg", "branch", "chang", "work")
_ALL = re.compile(
    r"\b(?:what(?:'s| is| was) left|what remains|remaining|left to do)\b", re.IGNORECASE
)
_ORDER = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|fine|good|great|please|pls|then)\W+)*"
    r"(?:do\b|go ahead|yes\b|yep\b|please do|make it|go for it|sounds good|run it|fix)",
    re.IGNORECASE,
)
_WAITS_FOR_A_WORD = re.compile(
    r"\b(?:word|yes|ok|go-ahead|decision|approval) (?:from|of) (?:you|yours)\b|\buntil you\b"
    r"|\byour (?:word|call|yes|ok|go-ahead|decision|approval)\b|\blet me know\b",
    re.IGNORECASE,
)
_SAYS_DONE = re.compile(
    r"\bnow done\b|\bwas (?:still )?(?:open|on the list)\b|\bis (?:now )?done\b|\bticked off\b"
    r"|\bdone (?:now|too|as well)\b",
    re.IGNORECASE,
)
# The user comes back to what the agent said was missing.
_TAKES_UP = re.compile(
    r"\byou (?:said|wrote|mentioned|noted|suggested|proposed|warned|told me)\b"
    r"|\b(?:on|from|of) your list\b|\byour (?:open|last) points?\b",
    re.IGNORECASE,
)
# Words of keeping account, which say nothing of what is to be done.
_ACCOUNT = words("added todo md open still left done not yet list item remaining now no missing")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """What a session meant to do next, as its summary says."""

    summary: IndexRow
    request: str = ""
    steps: str
    """Several, with semicolons between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenThread:
    """One thing that was left to do, what it belongs to, and the memory that says so."""

    text: str
    request: str = ""
    source: IndexRow
    sentence: TurnSentence | None = None
    """As the agent said it, where its turn is known."""
    sureness: float = SURE


@dataclass(frozen=True, slots=True, kw_only=True)
class _WeighedThread:
    """A thread, the words that tell what it asks for, and what they weigh together."""

    thread: OpenThread
    words: frozenset[str]
    weight: float
    heaviest_first: tuple[tuple[str, float], ...]

    @classmethod
    def of(cls, thread: OpenThread, weights: Mapping[str, float]) -> "_WeighedThread":
        asked = (thread.sentence.words if thread.sentence else words(thread.text)) - _ACCOUNT
        weighed = sorted(((word, weights.get(word, 1.0)) for word in asked), key=lambda it: -it[1])
        return cls(
            thread=thread,
            words=asked,
            weight=_weight(asked, weights),
            heaviest_first=tuple(weighed),
        )

    def is_covered(
        self, others: frozenset[str], weights: Mapping[str, float], share: float
    ) -> bool:
        needed = share * self.weight
        may_miss = self.weight - needed + 1e-9
        # Mostly the rarest words are missing, and that settles it.
        for word, weight in self.heaviest_first:
            if word not in others:
                may_miss -= weight
                if may_miss < 0:
                    return False
        return bool(self.words) and _weight(self.words & others, weights) >= needed


def left_open(turns: Sequence[PastTurn]) -> list[OpenThread]:
    """Return what *turns*, oldest first, leave to do; what matters most comes first.

    Ages count from the last of them: what a project left open when it was put away is still open
    when somebody comes back to it.
    """
    if not turns:
        return []
    last = turns[-1].entry.at
    weights = _weights(turns)
    found: list[_WeighedThread] = []
    before: PastTurn | None = None
    for turn in turns:
        new, says_done = _items(turn.sentences), _says_done(turn.sentences)
        if _lists_all(new):
            found = []
        if any(_NOTHING_LEFT.search(one.text) for one in turn.sentences):
            found = [one for one in found if not _is_of_the_day(one.thread, turn)]
        found = [
            one
            for one in found
            if not _is_settled(one, turn)
            and not any(one.is_covered(item.words, weights, SAME) for item, _ in new)
            and not one.is_covered(
                turn.words, weights, _enough(one.thread, turn, before, says_done=says_done)
            )
        ] + [
            _WeighedThread.of(
                OpenThread(text=item.text, source=turn.entry, sentence=item, sureness=sureness),
                weights,
            )
            for item, sureness in new
        ]
        before = turn
    open_ = [one.thread for one in found]
    recent = [one for one in open_ if last - one.source.at <= _told_days(one) * DAY]
    return sorted(recent, key=lambda one: -_value(one, last))[:MOST]


def planned(
    plans_: Sequence[SessionPlan], later: Sequence[IndexRow], *, now: float
) -> list[OpenThread]:
    """Return what sessions, latest first, mean to do next by their summaries.

    *later* are the entries in which that may have been done.
    """
    found: list[OpenThread] = []
    shown: list[frozenset[str]] = []
    done = [(one, plans.words(f"{one.title} {one.body}")) for one in later]
    for plan in plans_:
        summary = plan.summary
        if now - summary.at > STALE_DAYS * DAY:
            continue
        since = [
            words for one, words in done if one.at >= summary.at and one.session != summary.session
        ]
        for step in (one.strip() for one in plan.steps.split("; ")):
            if outcomes.is_offer(step) or not plans.words(step):
                continue
            if not plans.is_taken_up(step, [*since, *shown]):
                found.append(OpenThread(text=step, request=plan.request, source=summary))
                shown.append(plans.words(step))
    return found[:MOST]


def surely_open(turn: PastTurn) -> list[str]:
    """Return what *turn* says is open, whatever became of it: it tells no outcome."""
    return [item.text for item, sureness in _items(turn.sentences) if sureness == SURE]


# A start is prepared after every turn, and all turns but one are those of before.
@lru_cache(maxsize=512)
def _items(sentences: tuple[TurnSentence, ...]) -> Sequence[tuple[TurnSentence, float]]:
    """Return what the *sentences* of a turn leave open, and how sure that is.

    Sentences of one paragraph that all stand below such a heading are one item.
    """
    found: list[tuple[TurnSentence, float]] = []
    telling = set(outcomes.telling(sentences))
    for one in sentences:
        # An item of a list may be short: "The icon."
        is_item = _SURE_HEADING.search(one.heading) and not outcomes.is_offer(one.text)
        sureness = _sureness(one) if is_item or one in telling else 0.0
        if not sureness or not one.words:
            continue
        before = found[-1][0] if found else None
        if before and before.paragraph == one.paragraph and before.place + 1 == one.place:
            text = f"{before.text} {one.text}"
            if len(text) <= LONGEST:
                both = replace(one, text=text, words=before.words | one.words)
                found[-1] = (both, max(found[-1][1], sureness))
                continue
        found.append((one, sureness))
    return [
        (one, sureness)
        for one, sureness in found
        if sureness == SURE or _PERHAPS_SENTENCE.search(one.text) or _LACKS.search(one.text)
    ]


def _is_settled(one: _WeighedThread, turn: PastTurn) -> bool:
    """Tell whether *one* only waits for git, and *turn* did, or says it did, what it waits for."""
    text = one.thread.text
    waits = [step for step, pattern in _WAITS_FOR_GIT.items() if pattern.search(text)]
    others = [word for word in one.words if not word.startswith(_GIT_WORDS)]
    if not waits or len(others) > _FEW_WORDS:
        return False
    told = "\n".join((turn.entry.title, turn.entry.body, *(line.text for line in turn.sentences)))
    steps = list(_STEPS_OF_GIT)
    # What is pushed was committed.
    last = max(map(steps.index, waits))
    return any(_DONE_IN_GIT[step].search(told) for step in steps[last:])


@lru_cache(maxsize=512)
def _says_done(sentences: tuple[TurnSentence, ...]) -> bool:
    """Tell whether a turn says in its *sentences* that something which was open is done."""
    return any(_SAYS_DONE.search(f"{one.heading} {one.text}") for one in sentences)


def _lists_all(new: Sequence[tuple[TurnSentence, float]]) -> bool:
    """Tell whether a turn lists all that is left: what was left before is in it, or done."""
    listed = [item for item, _ in new if _ALL.search(item.heading)]
    return len(listed) >= LEAST_LIST


def _is_of_the_day(thread: OpenThread, turn: PastTurn) -> bool:
    """Tell whether *thread* was left in the session of *turn*, or at most a day before it."""
    is_own = thread.source.session == turn.entry.session
    return is_own or turn.entry.at - thread.source.at <= DAY


def _enough(
    thread: OpenThread, turn: PastTurn, before: PastTurn | None, *, says_done: bool
) -> float:
    """Return how much of *thread* must stand in *turn* for it to be done there.

    Less, if the turn *says* that something which was open is *done*; nothing, if the user
    answered with an order when the turn *before* waited for one.
    """
    is_next = before is not None and before.entry is thread.source
    is_answer = is_next and turn.entry.session == thread.source.session
    if is_answer and _ORDER.match(turn.request):
        return 0.0 if _WAITS_FOR_A_WORD.search(thread.text) else ORDERED
    if any(_TAKES_UP.search(text) for text in (turn.request, *turn.asked)):
        return TAKEN_UP
    return SAID_DONE if says_done or thread.sureness < SURE else DONE


def _sureness(one: TurnSentence) -> float:
    text = without_quotes(one.text) if not _LISTED.search(one.text) else one.text
    is_dropped = _DROPPED_HEADING.search(one.heading) or _TELLS_HOW.match(text)
    is_done = any(
        pattern.search(text) for pattern in (_DONE_ALREADY, _NOTHING_LEFT, _NOTHING_TO_DO)
    )
    is_described = _DESCRIBES.match(one.text) and not _LACKS.search(text)
    if is_dropped or is_done or is_described:
        return 0.0
    is_under_heading = _SURE_HEADING.search(one.heading)
    is_no_work = outcomes.is_proposal(text) or _EACH_TIME.search(text)
    if is_no_work and not is_under_heading:
        return 0.0
    if is_under_heading or _SURE_SENTENCE.search(text):
        return SURE
    if _PERHAPS_HEADING.search(one.heading) or _PERHAPS_SENTENCE.search(text):
        return PERHAPS
    return 0.0


def _weights(turns: Sequence[PastTurn]) -> Mapping[str, float]:
    """Return how much each word of *turns* tells: the rarer the more."""
    counted: Counter[str] = Counter()
    for turn in turns:
        counted.update(turn.words)
    return {word: math.log(1 + len(turns) / n) for word, n in counted.items()}


def _weight(others: Iterable[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 1.0) for word in others)


def _told_days(one: OpenThread) -> float:
    return FORGOTTEN_DAYS if one.sureness == SURE else UNSURE_DAYS


def _value(one: OpenThread, last: float) -> float:
    return one.sureness * math.exp2(-max(last - one.source.at, 0.0) / (HALF_LIFE_DAYS * DAY))
