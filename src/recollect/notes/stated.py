"""The rules that a user states in a prompt, each in the user's own words. Pure, but for *embed*.

A rule is stated by a person, so only their own sentences are read: nothing pasted, quoted or put
there by a program. A short prompt comes to the point; in a long one, which mostly specifies a piece
of work, only what says outright that it holds later is taken.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.notes import rules
from recollect.text import spoken
from recollect.text.spoken import Sentence
from recollect.transcripts import prompts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embed = Callable[[str], "NDArray[np.float32] | None"]
"""Returns the vector that the bundled encoder makes of a sentence; None where there is none."""

# What is less likely by its signs alone is not worth a vector …
FAINT = 0.15
# … and what is less likely than this by both is no rule.
WORTH_ASKING = 0.5
# What says outright that it lasts is believed from here on.
LEAST_LIKELY = 0.62
# An order that says outright that it lasts is often too short to be likely: less is enough.
LEAST_LIKELY_ORDER = 0.55
# … and least for "never" or "always" with what is to be done: "never force-push".
LEAST_LIKELY_STANDING_ORDER = 0.1
# A longer one tells by its other words whether it is about the work at hand.
LONGEST_STANDING_ORDER = 8
# What says so outright is as sure as this.
PLAIN = 0.75
# So likely, it is one although nothing in it says that it lasts, and need not be asked about.
OUTRIGHT = 0.88
# … whatever else a prompt of some length says.
SUREST = 0.95
# A prompt of at most so many sentences comes to the point …
POINTED_SENTENCES = 5
# … and one of more than this is a specification.
MOST_SENTENCES = 12
# Who types so much has pasted something.
LONGEST_TALK = 1_500
MOST_RULES = 4

_LASTING = re.compile(
    r"from (?:now|here|today) on|going forward|in (?:the )?future|remember (?:that|:)|keep in mind"
    r"|henceforth|ab (?:jetzt|sofort)|in zukunft|désormais|de ahora en adelante|a partir de ahora"
)
# Answers to an agent's questions, or wishes for one piece of work, one by one.
_NUMBERED = re.compile(r"^\s*\d[.)] ", re.MULTILINE)
_LISTED = re.compile(r"^\s*[-*•] \S.*\n(?:.*\n)?\s*[-*•] \S", re.MULTILINE)
# What a reviewer writes, who describes the code and advises.
_REVIEW = re.compile(
    r"\bConsider (?:\w+ly )?\w+ing\b|\bThis (?:could|may|might|can) \w+"
    r"|\b(?:lacks|no) (?:\w+ )?tests? (?:coverage|for)\b"
    r"|\bshould be (?:removed|renamed|moved|replaced|extracted|split)\b"
)
# Somebody asks for it to be kept.
_KEEP = re.compile(
    r"(?:\W*(?:and|ok|okay|so|btw|by the way|also|oh|please|kindly"
    r"|(?:can|could|would|will) you)\b)*"
    r"[\s,]*(?:(?:remember|keep in mind|bear in mind|make a note|don't forget)(?: that\b|:)"
    # … or announces it as one. What a rule of a linter says is nobody's wish.
    r"|(?:(?:a|one|another|new|team|house|hard|simple) ){0,2}(?:rule|policy)\b"
    r"(?![^:.?]*\b(?:says?|fails?|failed|reports?|errors?|complains?|breaks|broke|is)\b)"
    r"[^:.?]{0,60}: )"
)
KEPT = 0.9
# What leads up to a rule and is no part of it.
_ASIDE = re.compile(r"[^:?!.]{2,50}(?:: | [-–—] )")
SHORTEST_READING = 4
# Behind a request, this tells what that work needs.
_IN_MIND = re.compile(r"(?:\W*(?:and|also|but|so|please)\b)*[\s,]*(?:keep|bear) in mind\b")
_ORDER = re.compile(
    r"\W*(?:(?:please|pls|and|so|ok|also|but|then|from now on)\b[\s,]*)*"
    r"(?:never|always|don'?t|do not|only|no|keep|use|prefer|avoid|let'?s|every|each|any|all)\b"
)
# "Never mind", "always fails" and "never seen such a thing" order nothing.
_STANDING_ORDER = re.compile(
    r"\W*(?:(?:please|pls|and|so|ok|also|but|then)\b[\s,]*)*(?:never|always)(?: ever| again)? "
    r"(?!(?:mind|do (?:that|this|it|so)|all|more|less|both|once|alone|enough|sure|ready|as|for"
    r"|by|of|ever|again|the|an?|in|at|on|to|from|with|when|if|had|has|have|seen|been|was|is"
    r"|got|did|does|went|came|knew|thought|heard|said|here|there|my|your|our|it|this|that|i|we|you)\b)"
    r"[a-z]+(?<!ed)(?<!ing)(?<![^s]s)(?<!wn)\b"
)
# What announces a rule and adds nothing to it.
_LEAD = re.compile(
    r"""(?:
        /[\w:.-]+(?=\s)
      | (?:and|ok(?:ay)?|so|actually|btw|by\ the\ way|also|oh|hm+|well|right|good|nice|great|but
            |fyi|ps)
          (?=[\s,:.!])
      | (?:important|reminder|note(?:\ to\ self)?|rule|new\ rule|decision)(?=:)
      | for\ the\ record | for\ what\ it(?:'|\ i)s\ worth | before\ i\ forget | mind\ you
      | (?:one|a|another|the)?\ ?(?:more\ |last\ |other\ |small\ )?(?:thing|request|rule|note)
          (?:\ (?:for\ the\ future|i\ noticed|to\ remember|for\ next\ time))?(?=[:,])
      | the\ decision\ stands(?=[:,])
      | (?:please|pls|kindly)(?!\ (?:don'?t\ )?use)
      | (?:can|could|would|will)\ (?:yo)?u(?=\ (?:please\ )?(?:remember|keep|bear|note))
      | (?:please\ )?(?:do\ )?remember(?:\ that)?(?![\s]me\b)
      | (?:please\ )?(?:keep|bear)\ in\ mind(?:\ that)?
      | (?:please\ )?(?:note|don'?t\ forget)(?:\ that|(?=:))
      | (?:starting\ )?from\ (?:now|here|today)\ on(?:wards?)?
      | going\ forward | henceforth | in\ (?:the\ )?future(?=[\s,:]) | for\ the\ future
      | as\ a\ (?:matter\ of\ )?(?:policy|rule)(?=[\s,:])
    )[\s,:;.!–—-]*""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sentence that states a rule."""

    sentence: str
    text: str
    """The sentence without what announces it."""
    score: float
    """How likely it is one, 0–1."""
    is_pointed: bool
    """True for what says outright that it holds, in a prompt that comes to the point."""


def reads(prompt: str) -> bool:
    """Return whether *prompt* is in a script that rules are told in: not Chinese and the like."""
    return not rules.UNSPACED.search(prompt)


def stated(prompt: str, *, embed: Embed) -> list[Rule]:
    """Return the rules that a user states in *prompt*, in order.

    >>> [one.text for one in stated("Remember that staging is read-only.", embed=lambda _: None)]
    ['staging is read-only.']
    >>> stated("Do not push yet.", embed=lambda _: None)
    []
    """
    if prompts.is_machine_prompt(prompt):
        return []
    sentences = spoken.sentences(prompt)
    is_specified = specifies(prompt)
    is_pointed = len(sentences) <= POINTED_SENTENCES
    found: list[Rule] = []
    around = zip([None, *sentences], sentences, [*sentences[1:], None], strict=False)
    for before, one, after in around:
        score, core = max(
            ((_score(part, embed), part) for part in _readings(one)), key=lambda pair: pair[0]
        )
        if (
            score >= WORTH_ASKING
            and not (after and rules.asks_to_mend(after.heard) and not rules.is_plain(one.heard))
            and (_KEEP.match(core.heard) or not rules.is_momentary(core.heard))
            and (score >= OUTRIGHT or not rules.is_of_the_moment(core.heard))
            and (not is_specified or _is_outright(one, score))
        ):
            rule = Rule(
                sentence=one.text,
                text=without_lead(one.text),
                score=round(score, 3),
                is_pointed=(is_pointed or (score >= SUREST and rules.is_plain(core.heard)))
                and _is_plain(core, score)
                and not _is_for_work(one, before),
            )
            found.append(rule)
    best = sorted(found, key=lambda rule: -rule.score)[:MOST_RULES]
    return [rule for rule in found if rule in best]


def specifies(prompt: str) -> bool:
    """Return whether *prompt* specifies a piece of work: it is long, or speaks of the code."""
    sentences = spoken.sentences(prompt)
    is_long = len(sentences) > MOST_SENTENCES or len(prompt) > LONGEST_TALK
    is_technical = any(one.technical for one in sentences)
    forms = (_NUMBERED, _LISTED, _REVIEW)
    return is_long or is_technical or any(form.search(prompt) for form in forms)


def without_lead(text: str) -> str:
    """Return *text* without "please remember that", "from now on" and the like.

    >>> without_lead("One more thing for the future: never use regular expressions for paths.")
    'never use regular expressions for paths.'
    """
    rest = text.strip()
    while (lead := _LEAD.match(rest)) and lead.end():
        rest = rest[lead.end() :]
    return rest or text.strip()


def _readings(sentence: Sentence) -> list[Sentence]:
    """Return *sentence*, and what of it stands behind an aside such as "side remark:"."""
    lead = _ASIDE.match(sentence.heard)
    rest = sentence.text[lead.end() :] if lead else ""
    is_whole = len(rest.split()) >= SHORTEST_READING and len(sentence.heard) == len(sentence.text)
    if not (lead and is_whole) or rules.is_at_hand(sentence.heard):
        return [sentence]
    if rules.is_reported(sentence.heard[: lead.end()]):
        return [sentence]
    return [sentence, spoken.sentence(rest)]


def _is_plain(sentence: Sentence, score: float) -> bool:
    """Return whether a rule is said so that nobody need ask."""
    if rules.is_of_the_moment(sentence.heard):
        return False
    if rules.is_plain(sentence.heard) and not rules.is_reported(sentence.heard):
        return True
    # "Can we stop supporting old phones?" wishes for it, but may as well ask.
    return score >= OUTRIGHT and not sentence.asks


def _is_for_work(sentence: Sentence, before: Sentence | None) -> bool:
    """Return whether a sentence says what to keep in mind for the work asked for *before*."""
    is_behind_request = before is not None and rules.asks(before.heard)
    return is_behind_request and _IN_MIND.match(sentence.heard) is not None


def _score(sentence: Sentence, embed: Embed) -> float:
    if _KEEP.match(sentence.heard):
        is_aside = _IN_MIND.match(sentence.heard) and rules.is_at_hand(sentence.heard)
        return 0.0 if is_aside else KEPT
    if rules.is_talk(sentence.heard) or rules.is_at_hand(sentence.heard):
        return 0.0
    score = _likelihood(sentence, embed)
    is_plain = rules.is_plain(sentence.heard) and not rules.is_of_the_moment(sentence.heard)
    return max(score, PLAIN) if is_plain and score >= _least(sentence) else score


def _least(sentence: Sentence) -> float:
    """How likely a sentence must be, if it says outright that it lasts."""
    is_short = len(sentence.heard.split()) <= LONGEST_STANDING_ORDER
    if is_short and _STANDING_ORDER.match(sentence.heard):
        return LEAST_LIKELY_STANDING_ORDER
    return LEAST_LIKELY_ORDER if _ORDER.match(sentence.heard) else LEAST_LIKELY


def _likelihood(sentence: Sentence, embed: Embed) -> float:
    by_signs = rules.score(sentence.heard)
    is_read = by_signs >= FAINT and rules.is_english(sentence.heard)
    vector = embed(sentence.text) if is_read else None
    # Each errs in its own way: what the encoder finds alike may be no rule at all.
    return by_signs if vector is None else (by_signs + rules.score(sentence.heard, vector)) / 2


def _is_outright(sentence: Sentence, score: float) -> bool:
    return score >= OUTRIGHT and _LASTING.search(sentence.heard) is not None
