"""A note drafted from what was said and done, without a model: no word of it is invented.

Every required field is filled with the turn's own sentences, files and commands; where one has
nothing to be filled with, there is no draft. What a person asks to remember is different: their
sentence is all there is, and stands for whatever they left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recollect.journal import evidence, markdown
from recollect.journal.evidence import CommandRecovery, Edit, Fix, Step
from recollect.notes import cues
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.cues import LanguageCues
from recollect.notes.triage import THRESHOLDS, Activity, Proposal, SpokenMessage, triage
from recollect.text import spoken
from recollect.text.identifiers import identifiers
from recollect.text.sentences import cut, headline
from recollect.text.spoken import Sentence
from recollect.text.terms import BIDDING_WORDS, terms
from recollect.transcripts.turns import CleanTurn, Turn

LONGEST_TITLE = 120
# How sure it is that what a user chose from a list was decided.
CHOSEN = 0.9
LONGEST_ITEM = 400
LONGEST_TEXT = 2_000
LONGEST_TAG = 40
LONGEST_NAME = 60
SHORTEST_CLAUSE = 4
# "then I ran `make`" begins with what was done.
STEP_BEGINS = 12
MOST_TAGS = 8
MOST_REASONS = 3
MOST_STEPS = 12
MOST_FILES = 20

_ITEM = re.compile(r"^[ \t]{0,6}(?:\d{1,2}[.)]|[-*•])[ \t]+(\S.{2,400})$", re.MULTILINE)
_STEP_BREAK = re.compile(
    r"\s*(?:[;,，、]|\.\s|:\s|\b(?:and then|then|and|dann|und|puis|ensuite|et|luego|después|y)\b"
    r"|再|然后|接着|して、|하고 )\s*"
)
_CHOSEN = re.compile(
    r"^.*\b(?:use|used|uses|using|prefer|take|took|chose|choose|chosen|pick|picked|keep|kept"
    r"|adopt|adopted|with|on|for|want|like|nimm|(?:nehm|nutz|verwend|benutz)\w*(?: (?:wir|ich))?"
    r"|für|utilise|utilisons|choisi|choisissons|usa|usamos|usar|elegimos|elegido|は|는|은)\s+"
    r"|^.*(?:用|选择|選擇)\s*",
    re.IGNORECASE,
)
# Who decides, and that it is decided: no name of what was chosen.
_NO_NAME = re.compile(
    r"\b(?:we|i|you|they|it|wir|ich|nous|on|je)\b|\b(?:decid|deci[ds]i|entsch[ie]+d|décid|agree)"
    r"|决定|決定|決め|결정",
    re.IGNORECASE,
)
# "Instead of A we use B": what was left stands first.
_FRONTED = re.compile(
    r",\s*|\s+(?=(?:we|i|you|let'?s|please|use|wir|ich|nous|on|je"
    r"|(?:nehm|nutz|verwend|benutz)\w*)\b)",
    re.IGNORECASE,
)
# What stands before the name of a thing that is not taken: "not to use A".
_TAKING = re.compile(
    r"^(?:to )?(?:use|using|take|taking|go(?:ing)? with|mov(?:e|ing) to|adopt(?:ing)?"
    r"|switch(?:ing)? to|utiliser|prendre|usar|utilizar)\s+",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\b(?:against|gegen)\s+", re.IGNORECASE)
# What joins one thing decided to the next.
_JOINED = re.compile(r"[\s,;]+(?:and|but|und)\s*$", re.IGNORECASE)
# Behind what is chosen, in languages that put the verb last.
_OBJECT_END = re.compile(r"\s*(?:を|に(?=[しす決統切移変])|(?:을|를|으로|로)(?=\s|$))")
# It says only that something is not taken; that nothing else is takes no other words.
_ONLY_LEFT = re.compile(r"\b(?:not|nicht|pas|non|no|against|gegen|contre|contra)\b|(?<!而)[不别]")
_CLAUSE = re.compile(r"(?<=[,;:，；：])\s*|\s[–—-]{1,2}\s")
_PIECE = re.compile(
    r"[,.;:()，、。]|\s(?:because|since|weil|car|porque)\s"
    r"|\s(?:from (?:now|here|today) on|going forward|everywhere|throughout|across|for good"
    r"|entschieden|please|pls|any ?more|for|when|as of|so that)\b",
    re.IGNORECASE,
)
# How one says that one thing takes the place of another.
_SWITCHED = tuple(
    re.compile(one, re.IGNORECASE)
    for one in (
        r"\b(?:switch|mov|migrat|chang|go)\w*(?: over)? from (?P<old>.+?) to (?P<new>.+)",
        r"\b(?:replac|swap|exchang)\w* (?P<old>.+?) (?:with|for|by) (?P<new>.+)",
        r"\b(?:abandon|drop)\w* (?P<old>.+?) in favou?r of (?P<new>.+)",
        r"\bvon (?P<old>.+?) (?:auf|zu) (?P<new>.+?) (?:um\w+|wechseln)",
        r"\b(?:passe|passons) de (?P<old>.+?) à (?P<new>.+)",
        r"\b(?:pasemos|cambiemos|pasamos) de (?P<old>.+?) a (?P<new>.+)",
    )
)
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|should|shall|must|can|could|may|might|will|would|is|are|was|were)\W*$", re.I
)
# They say how something is meant, not what it is about.
_EMPTY_WORDS = BIDDING_WORDS | frozenset(
    """
    against agreed allowed always chosen decided everything everywhere exactly generally instead
    later never nobody nothing prefer rather should someone somebody whenever
    """.split()
)
_WORDS_OF_A_NAME = 4
_SWITCH = re.compile(
    r"\b(?:switch(?:ing|ed)?|mov(?:e|ed|ing)|migrat\w+) (?:over )?(?:from|to|off)\b|\bswap\b"
    r"|\b(?:we|we've|we have) (?:\w+ )?(?:agreed|decided|settled|chose)\b|\bdecision stands\b"
)
_KINDS_OF_FILES: Mapping[str, str] = {
    "py": "python",
    "ts": "typescript",
    "tsx": "typescript",
    "js": "javascript",
    "rs": "rust",
    "go": "go",
    "rb": "ruby",
    "kt": "kotlin",
    "sql": "sql",
    "tf": "terraform",
    "yml": "yaml",
    "yaml": "yaml",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDraft:
    """A note that might be made; its *content* is that of its category."""

    category: Category
    title: str
    content: Mapping[str, object]
    tags: Sequence[str] = ()
    related_files: Sequence[str] = ()
    confidence: float | None = None


def from_turn(proposal: Proposal, turn: CleanTurn) -> NoteDraft | None:
    """Return a draft of what *proposal* found in *turn*; None where something is missing."""
    text = turn.prompt if proposal.by == "user" else turn.answer
    taken = tuple(evidence.steps(turn))
    told = _DraftSource.around(proposal.sentence, text, turn=turn, taken=taken)
    return _drafted(proposal.category, told, confidence=round(proposal.score, 2))


def from_choice(question: str, choice: str, turn: CleanTurn) -> NoteDraft:
    """Return a draft of what a user chose when the agent asked *question* while it worked."""
    asked = markdown.one_line(question).rstrip("?？ ")
    chosen = markdown.one_line(choice)
    return NoteDraft(
        category="decision",
        # What was chosen stands first: a long question is cut.
        title=_capitalised(f"{chosen}: {asked[:1].lower()}{asked[1:]}"),
        content={
            "status": "accepted",
            "context": headline(turn.prompt) or asked,
            "decision": cut(f"{asked}? {chosen}", LONGEST_TEXT),
            "rationale": [cut(f"the user chose {chosen}", LONGEST_ITEM)],
        },
        tags=[tag for tag in _subjects(asked) if len(tag) <= LONGEST_TAG],
        related_files=evidence.modified(evidence.steps(turn))[:MOST_FILES],
        confidence=CHOSEN,
    )


def category_of_rule(text: str) -> Category:
    """Return whether the rule *text* is a choice, a wish or a constraint.

    >>> category_of_rule("let's switch from yarn to pnpm"), category_of_rule("answer in German")
    ('decision', 'preference')
    """
    if _SWITCH.search(text.lower()):
        return "decision"
    lowest = dict.fromkeys(THRESHOLDS, 0.01)
    found = triage([SpokenMessage(by="user", text=text)], activity=Activity(), thresholds=lowest)
    if likely := [one.category for one in found if CATEGORIES[one.category].is_rule]:
        return likely[0]
    line = spoken.sentence(text)
    asks = any(one.preference.order.match(line.heard) for one in cues.languages(line.heard))
    return "preference" if asks else "constraint"


def from_rule(category: Category, text: str, *, confidence: float) -> NoteDraft:
    """Return a draft of a rule that a user stated: the sentence *text*, and nothing beside it."""
    drafted = from_sentence(category, text)
    whole = markdown.one_line(text).rstrip(" .。,;:")
    return replace(drafted, title=_capitalised(whole), confidence=round(confidence, 2))


def from_sentence(category: Category | None, text: str) -> NoteDraft:
    """Return a draft of what a person asks to remember, in their own words.

    >>> draft = from_sentence(None, "Use pnpm instead of npm.")
    >>> draft.category, draft.content["examples"]
    ('preference', {'prefer': ['pnpm'], 'avoid': ['npm']})
    """
    said = cut(markdown.one_line(text), LONGEST_TEXT) or "…"
    first = next((one.text for one in spoken.sentences(text)), said)
    told = _DraftSource.around(first, text, given=said)
    made = _drafted(category or _guessed(text), told, confidence=1.0)
    assert made, "a person's own sentence fills every field"
    return made


def _guessed(text: str) -> Category:
    """The category that *text* most likely is of: what triage hears, however faintly."""
    lowest = dict.fromkeys(THRESHOLDS, 0.01)
    found = triage([SpokenMessage(by="user", text=text)], activity=Activity(), thresholds=lowest)
    if found and found[0].score >= THRESHOLDS[found[0].category]:
        return found[0].category
    for line in spoken.sentences(text)[:1]:
        if any(one.preference.order.match(line.heard) for one in cues.languages(line.heard)):
            return "preference"
    return found[0].category if found else "constraint"


@dataclass(frozen=True, slots=True, kw_only=True)
class _DraftSource:
    """What a draft is made of: one sentence, and what was said and done around it."""

    sentence: str
    lines: tuple[Sentence, ...]
    """The message that the sentence is of."""
    at: int
    """Which of the lines it is."""
    language: LanguageCues
    turn: Turn | None = None
    taken: tuple[Step, ...] = ()
    given: str = ""
    """What may stand where nothing was said: a person's own words, or nothing."""

    @classmethod
    def around(
        cls,
        sentence: str,
        text: str,
        *,
        turn: Turn | None = None,
        taken: tuple[Step, ...] = (),
        given: str = "",
    ) -> "_DraftSource":
        lines = tuple(spoken.sentences(text))
        at = next((n for n, line in enumerate(lines) if line.text == sentence), 0)
        words = " ".join(line.heard for line in lines) or sentence.lower()
        return cls(
            sentence=cut(sentence, LONGEST_TEXT),
            lines=lines,
            at=at,
            language=cues.languages(words[: spoken.LONGEST_MESSAGE])[0],
            turn=turn,
            taken=taken,
            given=given,
        )

    @property
    def beside(self) -> list[Sentence]:
        """What stands next to the sentence, what follows first; no questions, no requests."""
        near = [*self.lines[self.at + 1 : self.at + 3], *self.lines[max(self.at - 1, 0) : self.at]]
        asks = self.language.request
        return [line for line in near if not line.asks and not asks.search(line.heard)]

    @property
    def message(self) -> list[Sentence]:
        """The sentence, then those that follow it, then those before."""
        return [*self.lines[self.at :], *self.lines[: self.at]]

    def says(self, cue: re.Pattern[str]) -> bool:
        """True when the sentence has *cue*."""
        return _joint(cue, self.sentence) is not None

    @property
    def request(self) -> str:
        """What the turn was about."""
        return headline(self.turn.prompt) if self.turn else ""


_Content = Mapping[str, object]


def _drafted(category: Category, told: _DraftSource, *, confidence: float) -> NoteDraft | None:
    make = _CONTENT.get(category)
    content = make(told) if make else _in_own_words(category, told)
    if content is None:
        return None
    named = CATEGORIES[category].title_from
    subject = content[named] if named else _without_reason(told)
    return NoteDraft(
        category=category,
        title=_title(told, str(subject)),
        content=content,
        tags=_tags(told, category),
        related_files=evidence.modified(told.taken)[:MOST_FILES],
        confidence=confidence,
    )


def _decision(told: _DraftSource) -> _Content | None:
    reasons = _reasons(told) or _given(told)
    if not reasons:
        return None
    content: dict[str, object] = {
        "status": "accepted",
        "context": told.request or told.sentence,
        "decision": told.sentence,
        "rationale": reasons,
    }
    if left := _alternatives(told):
        content["alternatives"] = [
            {"option": option, "rejected_reason": cut(why, LONGEST_ITEM)} for option, why in left
        ]
    return content


def _constraint(told: _DraftSource) -> _Content | None:
    impact = _impact(told) or _given(told)
    if not impact:
        return None
    return {
        "kind": _kind(told),
        "rule": told.sentence,
        "impact": impact,
        "severity": _severity(told),
        "active": True,
    }


def _tech_debt(told: _DraftSource) -> _Content | None:
    why = _why_later(told) or told.given
    if not why:
        return None
    content: dict[str, object] = {
        "status": "open",
        "priority": _priority(told),
        "description": _flaw(told),
        "reason_deferred": why,
    }
    fix = [line.text for line in told.beside if told.language.tech_debt.soon.search(line.heard)]
    return content | ({"suggested_fix": [cut(fix[0], LONGEST_ITEM)]} if fix else {})


def _preference(told: _DraftSource) -> _Content | None:
    prefer, avoid = _chosen(told), _forgone(told)
    return {
        "topic": _topic(told),
        "value": _without_lead(told, told.sentence),
        "reason": next(iter(_own_reasons(told)), told.given or told.sentence),
        "strength": _strength(told),
        "examples": {"prefer": [prefer], "avoid": [avoid]} if prefer and avoid else {},
    }


def _runbook(told: _DraftSource) -> _Content | None:
    mended: list[Fix | CommandRecovery] = [
        *evidence.fixes(told.taken),
        *evidence.recoveries(told.taken),
    ]
    fixed = next(iter(mended), None)
    trigger = _trigger(told, fixed) or told.given
    steps = _steps(told, fixed) or _given(told)
    proof = _proof(told, fixed) or told.given
    if not (trigger and steps and proof):
        return None
    content: dict[str, object] = {"trigger": trigger, "steps": steps, "verification": proof}
    cause = _line_with(
        told.language.runbook.cause, [line for line in told.lines if line.text != proof]
    )
    return content | ({"root_cause": cause} if cause and not told.given else {})


def _in_own_words(category: Category, told: _DraftSource) -> _Content | None:
    """What a person says stands for all that they leave out; of a session's talk it is too little.

    How sessions went is made of their entries.
    """
    if not told.given:
        return None
    row = CATEGORIES[category]
    whole = {one.name: one.form for one in row.fields if one.required}
    said = {name: _given(told) if form == "list" else told.given for name, form in whole.items()}
    return said | row.defaults


_CONTENT: Mapping[Category, Callable[[_DraftSource], _Content | None]] = {
    "decision": _decision,
    "runbook": _runbook,
    "constraint": _constraint,
    "tech_debt": _tech_debt,
    "preference": _preference,
}


def _given(told: _DraftSource) -> list[str]:
    return [cut(told.given, LONGEST_ITEM)] if told.given else []


def _reasons(told: _DraftSource) -> list[str]:
    """Why: what the sentence says itself, or what stands beside it and gives reasons."""
    cue = told.language.decision.reason
    one_by_one = [why for _, why in _left_one_by_one(told)]
    if own := one_by_one or _own_reasons(told) or _clauses_with(cue, told.sentence)[-1:]:
        return own[:MOST_REASONS]
    told_why = [line.text for line in told.beside if cue.search(line.heard)]
    return [cut(line, LONGEST_ITEM) for line in told_why[:MOST_REASONS]]


def _own_reasons(told: _DraftSource) -> list[str]:
    """The clause behind "because"; before it, in languages that put reasons first."""
    joint = _joint(told.language.because, told.sentence)
    if joint is None or (joint[0] < SHORTEST_CLAUSE and not told.language.is_reversed):
        return []  # "Because of that …" speaks of the sentence before.
    begin, end = joint
    clause = told.sentence[:begin] if told.language.is_reversed else told.sentence[end:]
    reason = clause.strip(" ,;:，、")
    return [cut(reason, LONGEST_ITEM)] if _says_enough(reason) else []


def _clauses_with(cue: re.Pattern[str], sentence: str) -> list[str]:
    """The clauses of *sentence* behind its first that have *cue*."""
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence)[1:]]
    said = [clause for clause in clauses if _says_enough(clause)]
    return [cut(clause, LONGEST_ITEM) for clause in said if _joint(cue, clause)]


def _says_enough(clause: str) -> bool:
    # A language without spaces says much in two characters.
    return len(clause) > (SHORTEST_CLAUSE if clause.isascii() else 1)


def _joint(cue: re.Pattern[str], text: str) -> tuple[int, int] | None:
    """Where *cue* stands in *text*; cues are written in lower case."""
    lowered = text.lower()
    found = cue.search(lowered if len(lowered) == len(text) else text)
    return found.span() if found else None


def _impact(told: _DraftSource) -> list[str]:
    """What follows from the rule: as the sentence says, or what stands beside it, or the answer."""
    if joint := _joint(told.language.hence, told.sentence):
        follows = told.sentence[joint[1] :].strip(" ,;:，、")
        if _says_enough(follows):
            return [cut(follows, LONGEST_ITEM)]
    near = [line.text for line in told.beside[:1]]
    return [cut(line, LONGEST_ITEM) for line in (near or _answered(told))]


def _answered(told: _DraftSource) -> list[str]:
    """The first thing the agent says to it, where the user said it."""
    if told.turn is None or told.sentence in told.turn.answer:
        return []
    echoes = {language.echo for language in map(cues.language, cues.NAMES)}
    said = [line for line in spoken.sentences(told.turn.answer) if not line.asks]
    return [line.text for line in said if not any(one.match(line.heard) for one in echoes)][:1]


def _kind(told: _DraftSource) -> str:
    words = told.language
    kinds = ((words.policy, "policy"), (words.gap, "gap"), (words.machine, "technical"))
    return next((kind for cue, kind in kinds if told.says(cue)), "limitation")


def _severity(told: _DraftSource) -> str:
    if told.says(told.language.strict):
        return "high"
    return "low" if told.says(told.language.mild) else "medium"


def _priority(told: _DraftSource) -> str:
    if told.says(told.language.urgent):
        return "high"
    return "low" if told.says(told.language.minor) else "medium"


def _strength(told: _DraftSource) -> str:
    if told.says(told.language.strict):
        return "strong"
    return "soft" if told.says(told.language.mild) else "default"


def _flaw(told: _DraftSource) -> str:
    """What is wrong: the sentence, or the one beside it that says so."""
    debt = told.language.tech_debt
    near = (*told.lines[told.at : told.at + 1], *told.beside)
    for cue in (debt.flaw, debt.slight):
        if found := _line_with(cue, near):
            return found
    return told.sentence


def _why_later(told: _DraftSource) -> str:
    """Why it stays as it is: a reason, or until when."""
    later = told.language.tech_debt.later
    if own := _own_reasons(told) or _clauses_with(later, told.sentence):
        return own[0]
    return _line_with(later, (*told.lines[told.at : told.at + 1], *told.beside))


def _trigger(told: _DraftSource, fixed: Fix | CommandRecovery | None) -> str:
    """The failure that this is about: as a command printed it, or as it was told."""
    if fixed and fixed.error:
        return fixed.error
    asked = spoken.sentences(told.turn.prompt) if told.turn else []
    return _line_with(told.language.runbook.symptom, [*asked, *told.lines])


def _steps(told: _DraftSource, fixed: Fix | CommandRecovery | None) -> list[str]:
    """What was really done; else the steps that are listed; else those that are told."""
    done = _done(fixed) if fixed else []
    listed = [] if done or told.turn is None else _listed(told.turn.answer)
    steps = done or listed or list(_told_steps(told)) or _ran(told.taken)
    return [cut(step, LONGEST_ITEM) for step in dict.fromkeys(steps)][:MOST_STEPS]


def _done(fixed: Fix | CommandRecovery) -> list[str]:
    if isinstance(fixed, CommandRecovery):
        return [f"Run `{cut(one.line, evidence.LONGEST_COMMAND)}`" for one in fixed.remedies]
    return [*_changed(fixed.files), f"Run `{fixed.success.line}`"]


def _changed(files: Iterable[str]) -> list[str]:
    return [f"Change `{name}`" for name in files]


def _listed(text: str) -> list[str]:
    """The items of the first list in *text*, if it has several."""
    items = [item.strip() for item in _ITEM.findall(text[: spoken.LONGEST_MESSAGE])]
    return items if len(items) > 1 else []


def _told_steps(told: _DraftSource) -> Iterator[str]:
    """The clauses that begin with something to do to a machine, from the sentence on."""
    action = told.language.runbook.action
    for line in told.lines[told.at :]:
        for clause in _STEP_BREAK.split(line.text):
            heard = _as_heard(clause)
            begin = action.search(heard)
            is_step = begin and (begin.start() <= STEP_BEGINS or told.language.is_reversed)
            if is_step and _says_enough(clause.strip(" .")):
                yield clause.strip(" .")


def _as_heard(text: str) -> str:
    return " ".join(one.heard for one in spoken.sentences(text)) or text.lower()


def _ran(taken: Sequence[Step]) -> list[str]:
    """What the turn changed and ran that worked."""
    return [
        line
        for step in taken
        for line in (
            _changed(step.files)
            if isinstance(step, Edit)
            else [f"Run `{cut(step.line, evidence.LONGEST_COMMAND)}`"]
            if not step.failed
            else []
        )
    ]


def _proof(told: _DraftSource, fixed: Fix | CommandRecovery | None) -> str:
    """How one knows that it helped: a command that passed, or what was seen."""
    if fixed:
        return fixed.proof
    check, items = told.language.runbook.check, set(_listed(told.turn.answer) if told.turn else ())
    seen = [line for line in told.message if line.text not in items]
    others = [line for line in seen if line.text != told.sentence]
    told_so = _line_with(check, others) or _line_with(check, seen)
    return told_so or next(iter(evidence.outcomes(told.taken)), "")


def _line_with(cue: re.Pattern[str], lines: Iterable[Sentence]) -> str:
    found = (line.text for line in lines if not line.asks and cue.search(line.heard))
    return cut(next(found, ""), LONGEST_TEXT)


def _alternatives(told: _DraftSource) -> list[tuple[str, str]]:
    """Each option that is not taken, and why."""
    if several := _left_one_by_one(told):
        return several
    left = _forgone(told)
    return [(left, why)] if left and (why := _why_left(told)) else []


def _left_one_by_one(told: _DraftSource) -> list[tuple[str, str]]:
    """What a sentence says of each option: "against A because …, and against B because …"."""
    found: list[tuple[str, str]] = []
    pieces = _AGAINST.split(told.sentence)[1:]
    for piece in pieces if len(pieces) > 1 else ():
        if joint := _joint(told.language.because, piece):
            reason = _JOINED.sub("", piece[joint[1] :]).strip(" ,;:")
            found.append((_name(piece[: joint[0]], last=False), reason))
    return [(option, why) for option, why in found if option and _says_enough(why)]


def _why_left(told: _DraftSource) -> str:
    """Why the other option is not taken: a reason is one for what the sentence chose."""
    # A reason that another sentence gives may be one for something else.
    own = next(iter(_own_reasons(told)), "")
    halves = _halves(told)
    if halves is None or not (own or told.given):
        return ""
    if chosen := _chosen(told):
        return f"{chosen} was chosen"
    if not halves.only_left:
        return "something else was chosen"
    return own or "it was given up"


def _chosen(told: _DraftSource) -> str:
    """The option that the sentence says is taken; empty where it names none."""
    if (halves := _halves(told)) is None:
        return ""
    if told.language.is_reversed:
        return _name(_OBJECT_END.split(halves.taken)[0], last=False)
    if halves.is_switch:
        return _name(halves.taken, last=False)
    said = _without_lead(told, halves.taken)
    named = _CHOSEN.sub("", said)
    name = _name(named, last=True)
    return "" if named == said and _NO_NAME.search(said) else name


def _forgone(told: _DraftSource) -> str:
    """The option that the sentence says is not taken."""
    if (halves := _halves(told)) is None:
        return ""
    left = _TAKING.sub("", halves.left.strip())
    return _name(left, last=told.language.is_reversed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Halves:
    """What a sentence says of what is taken and of what is not, where it gives no reason yet."""

    taken: str
    left: str
    only_left: bool = False
    """True where the words that join them say no more than that one is not taken."""
    is_switch: bool = False


def _halves(told: _DraftSource) -> _Halves | None:
    """What stands before and behind "instead of" and the like."""
    said = _without_reason(told)
    if switch := _switched(said):
        return _Halves(taken=switch["new"], left=switch["old"], is_switch=True)
    if told.language.is_reversed and (reason := _joint(told.language.because, said)):
        said = said[reason[1] :] or said
    joint = _joint(told.language.instead, said)
    if joint is None or _AUXILIARY.search(said[: joint[0]]):
        return None  # "Do not stash" leaves nothing for something else.
    before, after = said[: joint[0]].rstrip(" ,，、"), said[joint[1] :]
    if told.language.is_reversed:
        return _Halves(taken=after, left=before)
    if not _without_lead(told, before).strip():
        left, *rest = _FRONTED.split(after.strip(), maxsplit=1)
        return _Halves(taken="".join(rest), left=left)
    only_left = _ONLY_LEFT.search(said[slice(*joint)].lower()) is not None
    return _Halves(taken=before, left=after, only_left=only_left)


def _switched(said: str) -> re.Match[str] | None:
    """The *new* and the *old* where it is *said* to "switch from … to …"."""
    return next(filter(None, (one.search(said) for one in _SWITCHED)), None)


def _name(text: str, *, last: bool) -> str:
    """The words of *text* that stand at its joint, up to the next clause."""
    pieces = _PIECE.split(text)
    piece = (pieces[-1] if last else pieces[0]).strip()
    words = piece.split()
    near = words[-_WORDS_OF_A_NAME:] if last else words[:_WORDS_OF_A_NAME]
    return " ".join(near)[:LONGEST_NAME].strip(" `\"'")


def _without_reason(told: _DraftSource) -> str:
    joint = _joint(told.language.because, told.sentence)
    if joint is None or told.language.is_reversed:
        return told.sentence
    head = told.sentence[: joint[0]].rstrip(" ,;:–—")
    return head if len(head) > 2 * SHORTEST_CLAUSE else told.sentence


def _without_lead(told: _DraftSource, text: str) -> str:
    """*text* without "from now on", "please" and the like at its beginning."""
    rest = text
    while (joint := _joint(told.language.lead, rest)) and joint[0] == 0 and joint[1]:
        rest = rest[joint[1] :]
    return rest.strip() or text


def _title(told: _DraftSource, text: str) -> str:
    return _capitalised(headline(_without_lead(told, text).rstrip(" .。,;:")))


def _capitalised(bare: str) -> str:
    first = bare.split(maxsplit=1)[0] if bare.strip() else ""
    # The name of a file or of something in code is written as it is.
    is_name = any(sign in first.rstrip(".,:;!?") for sign in "/._`")
    return cut(bare if is_name else bare[:1].upper() + bare[1:], LONGEST_TITLE)


def _topic(told: _DraftSource) -> str:
    """What the wish is about: the first word that wishes are usually about, or a name."""
    heard = told.sentence.lower()
    found = told.language.preference.topic.search(heard)
    about = found[0] if found else next(iter(_subjects(told.sentence)), "")
    return cut(about or _without_lead(told, told.sentence), LONGEST_TITLE)


def _tags(told: _DraftSource, category: Category) -> tuple[str, ...]:
    files = [*evidence.modified(told.taken), *identifiers(told.sentence)]
    kinds = [_KINDS_OF_FILES.get(name.rpartition(".")[2], "") for name in files if "." in name]
    found = [*identifiers(told.sentence), *_subjects(told.sentence), *kinds]
    tidy = dict.fromkeys(tag for one in found if (tag := one.lower().strip("./#-_")))
    short = [tag for tag in tidy if 1 < len(tag) <= LONGEST_TAG and "://" not in tag]
    return tuple(short[:MOST_TAGS]) or (category.replace("_", "-"),)


def _subjects(sentence: str) -> list[str]:
    """The words of *sentence* that say what it is about, the longest first."""
    words = [word for word in terms(sentence) if word.isascii() and not word.isdigit()]
    telling = [word for word in words if len(word) > 3 and word not in _EMPTY_WORDS]
    return sorted(telling, key=len, reverse=True)[:4]
