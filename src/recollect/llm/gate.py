"""Check a model's word against the turn: what stands nowhere in it is not kept. Pure.

Of an observation is kept what stands in its turn, wherever. Files are evidence: a model may only
pick among them.

A note needs more. What a tool printed (a README, a web page, a log) was said by nobody in the
session, so it is no ground for a rule that holds from now on. And only what the user said in one
sentence, stated and not asked, the same way round, is the user's word; the rest waits for it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Literal, cast

from recollect.journal import evidence, markdown
from recollect.journal.model import SUMMARY_FIELDS, Observation, ObservationType
from recollect.llm import claims, clauses
from recollect.llm import prompts as instructions
from recollect.llm.answers import LONGEST_TITLE, DraftedNote, DraftedObservation
from recollect.llm.claims import HALF, ClaimTexts, Lines
from recollect.notes.categories import CATEGORIES, Category
from recollect.text import spoken
from recollect.text.sentences import THIN_WORDS, cut
from recollect.text.terms import BIDDING_WORDS, is_unspaced
from recollect.transcripts import prompts
from recollect.transcripts.turns import CleanTurn, Turn

Grounds = Literal["user", "agent", "none"]
"""Who said or did what a note tells: nobody, where it stands in tool output only."""

# What stands beside a note's main statement is put more freely: a reason, a context.
LOOSE = 0.34
# So much of a statement must stand in one sentence to be what that sentence says.
NEARLY_ALL = 0.8
NEARLY_ALL_PAIRS = 0.65
# A line that nobody said has a statement nearly whole, while so much of it was never said.
ECHOED = 0.8
UNSAID = 0.2

# A topic is a name for a thing ("package manager") that nobody need have said.
_LABELS = frozenset({"topic"})
# What an edit replaces is the file's text, not the agent's.
_OLD_TEXT = frozenset({"old_string", "old_str", "old_text"})
# What somebody wants done with a thing is part of what they say.
_EMPTY_WORDS = THIN_WORDS - BIDDING_WORDS

# A quotation of a sentence: somebody else's words.
_QUOTATION = re.compile(r"(?<!\w)\"[^\"\n]{15,600}\"|“[^”\n]{15,600}”|«[^»\n]{15,600}»")
_QUOTE_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_REFUSED = re.compile(r"\s*The user (?:doesn't|does not) want to ", re.IGNORECASE)
_DENIED = re.compile(
    r"^.*[?？]\s*(?=(?:no|nope|never|nein|niemals|non|don't|do not)\b|不|否|いいえ|아니)",
    re.I | re.S,
)
_ASKED = re.compile(r"(?P<question>[^?？]*[?？])\s*(?P<answer>.*)", re.DOTALL)
_GRANTED = re.compile(
    r"\s*(?:yes|yeah|yep|yup|ok|okay|sure|correct|right|exactly|do it|ja|genau|oui|sí|si)\b"
    r"|\s*(?:是|好|对|はい|네|예)",
    re.IGNORECASE,
)
_USER = (
    r"\b(?:(?:the|our|this) (?:user|person|human|developer)|nutzer\w*|benutzer\w*|anwender\w*"
    r"|l'utilisateur|el usuario)\b|^\W*user\b|用户|用戶|ユーザー|사용자"
)
_WISHES = (
    r"\b(?:approv|ask|want|decid|agree|confirm|request|prefer|instruct|said|says|told|insist|allow"
    r"|permit|authori[sz]|accept|chose|choos|requir|wish|demand|mandat|grant|consent|genehmig|will\b"
    r"|möchte|wünsch|bat\b|gebeten|verlang|entschied|zugestimmt|erlaub|bestätig|bevorzug|gesagt"
    r"|approuv|demand|veut|souhait|décid|accept|confirm|aprob|pid|quier|decid|acept|orden)"
    r"|批准|要求|希望|决定|決定|同意|确认|想要|承認|依頼|望|승인|요청|원"
)
_SPEAKS_FOR_THE_USER = re.compile(
    rf"(?:{_USER}).{{0,60}}?(?:{_WISHES})|(?:{_WISHES}).{{0,40}}?\b(?:by|from|von|vom|par|por)\b"
    rf".{{0,12}}?(?:{_USER})",
    re.IGNORECASE,
)
_VALUE = re.compile(r'"([^"\n]+)"')
_LINE_NUMBER = re.compile(r":\d+(?:[-:]\d+)?$")
_PLAIN_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")
_INSTRUCTIONS = ("observe", "observations", "summary", "notes", "verify")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What stands of a model's observations, and how much of what does not."""

    observations: tuple[Observation, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many of each: `fact`, `file`, `sentence`, `observation`."""


def observations(
    drafted: Sequence[DraftedObservation], turn: CleanTurn, *, translated: bool = False
) -> Checked:
    """Return what of *drafted* stands in *turn*, its files as the evidence spells them.

    A file that was modified is never lost: what no observation names goes to the first that has
    files. *translated* when the notes are kept in another language than was spoken: then words
    cannot be compared, and only names and numbers are.
    """
    in_turns = _TurnEvidence(
        said=_said([turn], translated=translated),
        user=ClaimTexts.of(_user_texts([turn]), translated=translated),
    )
    files = _Files.of([turn], in_turns.said)
    dropped: Counter[str] = Counter()
    kept: dict[tuple[str, str], Observation] = {}
    for one in drafted:
        observation = _observation(one, in_turns, files, dropped)
        if observation is None:
            dropped["observation"] += 1
        else:
            same = (observation.title.casefold(), observation.text.casefold())
            kept.setdefault(same, observation)
    return Checked(
        observations=_with_all_files(list(kept.values()), files.modified),
        dropped={reason: count for reason, count in dropped.items() if count},
    )


def summary(
    drafted: Mapping[str, object],
    turns: Sequence[CleanTurn],
    entries_text: str,
    *,
    translated: bool = False,
) -> Mapping[str, object] | None:
    """Return the sentences of a summary that stand in *turns* or in what was recorded before.

    *entries_text* has the titles of that. None when nothing stands.
    """
    in_turns = _TurnEvidence(
        said=_said(turns, entries_text, translated=translated),
        # What the user wanted in an earlier turn was recorded.
        user=ClaimTexts.of([*_user_texts(turns), entries_text], translated=translated),
    )
    files = _Files.of(turns, ClaimTexts.of([entries_text], translated=translated))
    checked: dict[str, object] = {}
    for name in SUMMARY_FIELDS:
        value = drafted.get(name)
        if name == "files_edited":
            checked[name] = _distinct(files.edited(one) for one in _texts(value))
        elif name == "files_read":
            checked[name] = _distinct(files.seen(one) for one in _texts(value))
        else:
            sentences = claims.sentences(value if isinstance(value, str) else "")
            checked[name] = " ".join(in_turns.supported(sentences))
    return checked if any(checked.values()) else None


def heard(turns: Sequence[CleanTurn], *, translated: bool = False) -> "Speech":
    """Return who said what in *turns*, to check several notes against."""
    return Speech(tuple(turns), translated)


def best_turn(drafted: DraftedObservation, turns: "Sequence[CleanTurn] | Speech") -> int:
    """Return the place of the turn in which most of *drafted* stands; its own, if none has more."""
    speech = turns if isinstance(turns, Speech) else heard(turns)
    last = len(speech.turns) - 1
    number = int(drafted.turn) - 1 if drafted.turn.isdecimal() else last
    own = number if 0 <= number <= last else last
    claim = f"{drafted.title}\n{drafted.text}"
    shares = [said.share(claim) for said in speech.by_turn]
    return max(range(len(shares)), key=lambda place: (shares[place], place == own))


def grounds(
    note: DraftedNote, turns: "Sequence[CleanTurn] | Speech", *, translated: bool = False
) -> Grounds:
    """Tell whose word *note* rests on: the user's, the agent's, or nobody's.

    The user's is what one sentence of theirs says, the title as well as the main statement. What
    was only said here and there, or by the agent, is the agent's. What is quoted or pasted was said
    by somebody else, in a prompt as in an answer. A retirement rests on a sentence that says that
    something is over.
    """
    speech = turns if isinstance(turns, Speech) else heard(turns, translated=translated)
    if note.action == "retire":
        return speech.ended(note.reason)
    statement = _main_statement(note)
    if not speech.is_stated(statement, note.category):
        return "none"
    is_named = not note.title or _repeats(note.title, statement)
    if not (is_named or speech.supports(note.title, LOOSE, note.category)):
        return "none"
    if note.category == "runbook" and not _steps_stand(note, speech):
        return "none"
    is_users = speech.is_users(statement) and (is_named or speech.is_users(note.title))
    return "user" if is_users and _is_verified(note, speech) else "agent"


def supported_fields(
    note: DraftedNote, turns: "Sequence[CleanTurn] | Speech", *, translated: bool = False
) -> dict[str, object]:
    """Return the fields of *note* without what nobody in *turns* said or did.

    Of texts the sentences are kept that stand, of lists the items.
    """
    speech = turns if isinstance(turns, Speech) else heard(turns, translated=translated)
    kept = {name: _supported(name, value, note, speech) for name, value in note.fields.items()}
    return {name: value for name, value in kept.items() if value not in (None, "", (), {})}


@dataclass(frozen=True)
class _TurnEvidence:
    """What claims about a turn are held against."""

    said: ClaimTexts
    user: ClaimTexts

    def has(self, claim: str) -> bool:
        """Tell whether *claim* stands; what the user is said to want must be their word."""
        if _is_instruction(claim) or not self.said.has(claim, HALF):
            return False
        return not _SPEAKS_FOR_THE_USER.search(claim) or self._is_users(claim)

    def supported(self, sentences: Sequence[str]) -> list[str]:
        """The *sentences* that stand; none, if those that do say nothing by themselves."""
        stands = [one for one in sentences if self.has(one)]
        return stands if any(map(claims.says_something, stands)) else []

    def _is_users(self, claim: str) -> bool:
        wish = _SPEAKS_FOR_THE_USER.sub(" ", claim)
        return self.user.states(wish) if claims.says_something(wish) else False

    def is_recognised(self, observation: Observation) -> bool:
        """Tell whether a translated *observation* has anything in it that can be looked up."""
        whole = "\n".join((observation.title, observation.text, *observation.facts))
        if not self.said.translated or any(map(self.said.has_key, claims.keys(whole))):
            return True
        return self.said.has_words(claims.words(whole), HALF)


def _observation(
    one: DraftedObservation, in_turn: _TurnEvidence, files: "_Files", dropped: Counter[str]
) -> Observation | None:
    sentences = claims.sentences(one.text)
    stands = in_turn.supported(sentences)
    text = " ".join(stands)
    has_title = in_turn.said.has_some(one.title) and not _is_instruction(one.title)
    if has_title and _SPEAKS_FOR_THE_USER.search(one.title):
        has_title = in_turn.has(one.title)
    title = one.title if has_title else cut(text, LONGEST_TITLE)
    if not title:
        return None
    facts = [fact for fact in one.facts if claims.says_something(fact) and in_turn.has(fact)]
    modified = [files.written(name) for name in one.files_modified]
    seen = [files.seen(name) for name in one.files_read]
    written = _distinct(modified)
    observation = Observation(
        type=cast(ObservationType, one.type),
        title=title,
        text=text,
        facts=tuple(facts),
        concepts=one.concepts,
        files_modified=written,
        files_read=tuple(name for name in _distinct(seen) if name not in written),
    )
    if not in_turn.is_recognised(observation):
        return None
    dropped["sentence"] += len(sentences) - len(stands)
    dropped["fact"] += len(one.facts) - len(facts)
    dropped["file"] += modified.count("") + seen.count("")
    return observation


def _with_all_files(kept: list[Observation], modified: Sequence[str]) -> tuple[Observation, ...]:
    claimed = {name for one in kept for name in one.files_modified}
    unclaimed = tuple(name for name in modified if name not in claimed)
    if kept and unclaimed:
        having = (n for n, one in enumerate(kept) if one.files_modified or one.files_read)
        place = next(having, 0)
        one = kept[place]
        kept[place] = replace(
            one,
            files_modified=one.files_modified + unclaimed,
            files_read=tuple(name for name in one.files_read if name not in unclaimed),
        )
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class _UserSentence:
    """A sentence of the user's."""

    text: str
    said: ClaimTexts
    about: Set[str] | None = None
    """Of an answer, its own stems: what is claimed of it must have one of them."""

    def says(self, claim: str) -> bool:
        """Tell whether nearly all of *claim* stands in it, whichever way round."""
        has_numbers = claims.counts(claim) <= claims.counts(self.text)
        if not has_numbers or not all(map(self.said.has_key, claims.keys(claim))):
            return False
        own = [word for word in _content(claim) if not clauses.turns(word)]
        if self.about is not None and self.about.isdisjoint(map(claims.stem, own)):
            return False
        # In another language words cannot be compared: then it is for the user to say.
        pairs = sum(is_unspaced(word[0]) for word in own)
        needed = NEARLY_ALL_PAIRS if pairs > len(own) / 2 else NEARLY_ALL
        return bool(own) and len(own) - len(self.said.unsaid(own)) >= needed * len(own)


@dataclass(frozen=True)
class Speech:
    """What was said and done in some turns, by whom; and all else that stands there."""

    turns: tuple[CleanTurn, ...]
    translated: bool

    @cached_property
    def by_turn(self) -> Sequence[ClaimTexts]:
        """Of each turn, all that stands in it."""
        return [_said([turn], translated=self.translated) for turn in self.turns]

    @cached_property
    def user(self) -> ClaimTexts:
        """What the user said."""
        return self._of(_user_texts(self.turns))

    @cached_property
    def all(self) -> ClaimTexts:
        """What anybody said or did, and the names of the files."""
        done = [text for turn in self.turns for text in _done(turn)]
        talk = [text for turn in self.turns for text in _talk(turn)]
        paths = [path for turn in self.turns for path in _paths(turn)]
        texts = claims.newest([*done, *talk, *_user_texts(self.turns)])
        return ClaimTexts.of(texts, names=claims.newest(paths), translated=self.translated)

    @cached_property
    def proven(self) -> ClaimTexts:
        """All that, and what failed and passed in the end: a runbook may rest on it."""
        fixed = self._of(text for turn in self.turns for text in _proofs(turn))
        return replace(self.all, text=f"{self.all.text}\n{fixed.text}")

    @cached_property
    def found(self) -> Lines:
        """All lines, said or not: output, names, what was pasted or replaced."""
        return Lines(_everything(self.turns))

    @cached_property
    def user_sentences(self) -> Sequence[_UserSentence]:
        """The sentences in which the user stated something, in order."""
        return [one for turn in self.turns for one in self._sentences_of(turn)]

    @cached_property
    def _ended_by_agent(self) -> Sequence[ClaimTexts]:
        talk = (
            one for turn in self.turns for text in _talk(turn) for one in claims.sentences(text)
        )
        over = (one for one in talk if clauses.asserts(one) and clauses.is_over(one))
        return [self._of([one]) for one in over]

    @cached_property
    def _ended_by_user(self) -> Sequence[ClaimTexts]:
        return [one.said for one in self.user_sentences if clauses.is_over(one.text)]

    def is_stated(self, statement: str, category: Category) -> bool:
        """Tell whether anybody said or did what *statement* says, and it was not only printed."""
        said = self._by_anybody(category)
        if _is_instruction(statement) or not said.states(statement):
            return False
        return not self._is_echo(statement, said)

    def is_users(self, statement: str) -> bool:
        """Tell whether each sentence of *statement* is what a sentence of the user's says.

        The last one that speaks of it decides, because people change their minds.
        """
        return all(map(self._is_users, claims.sentences(statement))) and not self._is_echo(
            statement, self.user
        )

    def supports(self, claim: str, share: float, category: Category) -> bool:
        """Tell whether *claim* was said or done by anybody, and not only printed."""
        said = self._by_anybody(category)
        stands = not _is_instruction(claim) and said.has(claim, share)
        return stands and not self._is_echo(claim, said)

    def ended(self, reason: str) -> Grounds:
        """Tell who said that something is over, for the *reason* that is given."""
        about = [word for word in _content(reason) if word not in claims.FITTING_WORDS]
        names = claims.keys(reason)
        if not (about or names) or _is_instruction(reason):
            return "none"

        def says(said: ClaimTexts) -> bool:
            if self.translated:
                return bool(names) and all(map(said.has_key, names))
            return bool(about) and said.has_words(about, HALF)

        if all(map(self.user.has_key, names)) and any(map(says, self._ended_by_user)):
            return "none" if self._is_echo(reason, self.user) else "user"
        if all(map(self.all.has_key, names)) and any(map(says, self._ended_by_agent)):
            return "none" if self._is_echo(reason, self.all) else "agent"
        return "none"

    def has_step(self, step: str) -> bool:
        """Tell whether *step* is a command that ran, a file that was edited, or was said."""
        names = claims.keys(step)
        if _is_instruction(step) or not all(map(self._taken.has_key, names)):
            return False
        if any(_runs(step, command) for command in self._commands):
            return True
        # What a program is called says nothing of what else is done.
        known = THIN_WORDS.union(*(claims.words(program) for program, _ in self._commands))
        beside = [word for word in claims.words_beside_keys(step) if word not in known]
        if self.translated or not beside:
            return bool(names)
        return self.all.has_words(beside, HALF) and not self._is_echo(step, self.all)

    @cached_property
    def _taken(self) -> ClaimTexts:
        """What anybody said or did, and the names of the files that were written."""
        edited = (name for turn in self.turns for name in evidence.modified(evidence.steps(turn)))
        return replace(self.all, names=ClaimTexts.of([], names=edited, translated=False).names)

    @cached_property
    def _commands(self) -> Sequence[tuple[str, ClaimTexts]]:
        ran = {
            (run.program, run.line)
            for turn in self.turns
            for run in evidence.commands(evidence.steps(turn))
        }
        return [(claims.plain(program), self._of([line])) for program, line in sorted(ran)]

    def _by_anybody(self, category: Category) -> ClaimTexts:
        return self.proven if category == "runbook" else self.all

    def _is_users(self, sentence: str) -> bool:
        said = [one.text for one in self.user_sentences if one.says(sentence)]
        return bool(said) and clauses.agree(sentence, said[-1])

    def _is_echo(self, statement: str, said: ClaimTexts) -> bool:
        """Tell whether *statement* is a line that was only found, and part of it never *said*.

        A planted rule speaks of the work at hand, so that half of its words were said anyway.
        """
        words = claims.words(statement)
        missing = said.unsaid(claims.words_beside_keys(statement))
        return len(missing) > UNSAID * len(words) and self.found.have(words, ECHOED)

    def _sentences_of(self, turn: Turn) -> Iterator[_UserSentence]:
        for text in _own_sentences(turn):
            if clauses.asserts(text):
                yield _UserSentence(text, self._of([text]))
        for answered in _answers(turn):
            asked = _ASKED.match(answered)
            text = answered.replace("?", ",").replace("？", "，")
            if asked is None or _GRANTED.match(asked["answer"]):
                yield _UserSentence(text, self._of([text]))
            else:
                answer = self._of([asked["answer"]])
                yield _UserSentence(text, self._of([text]), about=answer.stems)

    def _of(self, texts: Iterable[str]) -> ClaimTexts:
        return ClaimTexts.of(texts, translated=self.translated)


def _content(claim: str) -> list[str]:
    """The words of *claim* that tell something, with what is wanted done."""
    return [word for word in claims.words(claim) if word not in _EMPTY_WORDS]


def _repeats(title: str, statement: str) -> bool:
    """Tell whether *title* only says what *statement* says."""
    said = ClaimTexts.of([statement], translated=False)
    words = [word for word in claims.words(title) if not clauses.turns(word)]
    is_there = not said.unsaid(words) and all(map(said.has_key, claims.keys(title)))
    return bool(words) and is_there and clauses.agree(title, statement)


def _runs(step: str, command: tuple[str, ClaimTexts]) -> bool:
    """Tell whether *step* says to run *command*: its program, and half of the words there."""
    program, line = command
    shown = claims.plain(step)
    if not claims.stands(program, shown):
        return False
    own = set(claims.words(program))
    beside = [word for word in claims.words(step) if word not in THIN_WORDS | own]
    return line.has_words(beside, HALF)


def _main_statement(note: DraftedNote) -> str:
    value = note.fields.get(CATEGORIES[note.category].main, "")
    if isinstance(value, str) and value:
        return value
    # A change may leave the main statement as it was.
    return note.title if note.action == "update" else ""


def _steps_stand(note: DraftedNote, speech: Speech) -> bool:
    """Tell whether a step of the runbook *note* stands; a change need not have any."""
    steps = list(_texts(note.fields.get("steps", ())))
    return any(map(speech.has_step, steps)) if steps else note.action == "update"


def _is_verified(note: DraftedNote, speech: Speech) -> bool:
    """Tell whether what *note* says of how to verify it stands, if it has to say that."""
    if note.category != "runbook" or (note.action == "update" and not note.fields):
        return True
    verification = note.fields.get("verification", "")
    return (
        isinstance(verification, str)
        and bool(verification)
        and speech.supports(verification, LOOSE, "runbook")
    )


def _supported(name: str, value: object, note: DraftedNote, speech: Speech) -> object:
    if _is_choice(note.category, name):
        return value
    if name in _LABELS:
        is_known = all(map(speech.all.has_key, claims.keys(str(value))))
        return value if is_known and not _is_instruction(str(value)) else None
    if note.category == "runbook" and name == "steps":
        return tuple(step for step in _texts(value) if speech.has_step(step))
    share = HALF if name == CATEGORIES[note.category].main else LOOSE
    return _supported_part(value, lambda claim: speech.supports(claim, share, note.category))


def _supported_part(value: object, stands: Callable[[str], bool]) -> object:
    """What of *value* stands: sentences of a text, items of a list, entries of a table."""
    if isinstance(value, str):
        sentences = claims.sentences(value)
        kept = [one for one in sentences if stands(one)]
        return value if len(kept) == len(sentences) else " ".join(kept)
    if isinstance(value, Mapping):
        checked = {name: _supported_part(one, stands) for name, one in value.items()}
        return {name: one for name, one in checked.items() if one}
    if isinstance(value, tuple | list):
        return tuple(item for item in value if all(map(stands, _texts_of(item))))
    return value


def _texts_of(item: object) -> list[str]:
    return [str(text) for text in (item.values() if isinstance(item, Mapping) else (item,))]


def _is_choice(category: Category, name: str) -> bool:
    return CATEGORIES[category].field(name).form in ("flag", "choice")


def _is_instruction(claim: str) -> bool:
    """Tell whether *claim* is copied from what the model was told to do."""
    return " ".join(claim.casefold().split()) in _instructions()


@cache
def _instructions() -> frozenset[str]:
    texts = [instructions.load(name).text for name in _INSTRUCTIONS]
    lines = [line for text in texts for line in text.split("\n")]
    elements = [one for text in texts for one in _VALUE.findall(text)]
    sentences = [one for element in elements for one in claims.sentences(element)]
    texts_of_ours = (" ".join(one.casefold().split()) for one in (*lines, *elements, *sentences))
    # A word alone may be anybody's.
    return frozenset(one for one in texts_of_ours if " " in one)


def _said(turns: Sequence[CleanTurn], *more: str, translated: bool) -> ClaimTexts:
    return ClaimTexts.of([*_everything(turns), *more], translated=translated)


def _everything(turns: Sequence[Turn]) -> list[str]:
    """All that stands in *turns*, as far as it is looked at: what was said before what was done."""
    done = [
        text
        for turn in turns
        for call in turn.tools
        for text in (*_strings(call.input), call.output)
    ]
    talk = [
        text for turn in turns for text in (turn.branch, *turn.remarks, turn.answer, turn.prompt)
    ]
    return claims.newest([*done, *talk])


def _user_texts(turns: Sequence[CleanTurn]) -> list[str]:
    """What the user said in *turns*: their own sentences, not what they pasted or quoted."""
    return [text for turn in turns for text in (*_own_sentences(turn), *_answers(turn))]


def _own_sentences(turn: Turn) -> Iterator[str]:
    if not prompts.is_machine_prompt(turn.prompt):
        for sentence in spoken.sentences(turn.prompt):
            yield _QUOTATION.sub(" ", sentence.text)
    # A program can print "the user said:", too; a call that the user refused never ran.
    refused = tuple(call for call in turn.tools if _REFUSED.match(call.output))
    for objection in evidence.objections(replace(turn, tools=refused)):
        yield from claims.sentences(objection)


def _answers(turn: Turn) -> Iterator[str]:
    """What the user answered, each with the question. Who says no has not said what was asked."""
    return (_DENIED.sub("", answered) for answered in evidence.answers(turn))


def _talk(turn: Turn) -> Iterator[str]:
    """What the agent said in *turn*, without what it quoted."""
    for text in (*turn.remarks, turn.answer):
        yield _QUOTATION.sub(" ", _QUOTE_LINE.sub("", claims.both_ends(text)))


def _done(turn: Turn) -> Iterator[str]:
    """What the agent did in *turn*, in its words."""
    for call in turn.tools:
        yield from _strings(call.input, without=_OLD_TEXT.union(evidence.PATH_KEYS))


def _paths(turn: Turn) -> Iterator[str]:
    """The files that the agent named in *turn*. It did not make up the words in their names."""
    for call in turn.tools:
        yield from (str(call.input.get(key, "")) for key in evidence.PATH_KEYS)


def _proofs(turn: Turn) -> Iterator[str]:
    """What failed in *turn* and passed in the end."""
    for fix in evidence.fixes(evidence.steps(turn)):
        yield from (fix.error, fix.proof, fix.course, *fix.files)


def _strings(value: object, *, without: Set[str] = frozenset()) -> Iterator[str]:
    """The texts in the input of a tool, however deep, but for what has a name in *without*."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += [each for name, each in one.items() if name not in without]
        elif isinstance(one, list | tuple):
            waiting += one
        elif one is not None:
            yield str(one)


@dataclass(frozen=True)
class _Files:
    """The files that a claim may name."""

    modified: tuple[str, ...]
    read: tuple[str, ...]
    folders: tuple[str, ...]
    said: ClaimTexts

    @classmethod
    def of(cls, turns: Sequence[CleanTurn], said: ClaimTexts) -> "_Files":
        """Those of *turns*, and what *said* mentions."""
        modified = (name for turn in turns for name in evidence.modified(evidence.steps(turn)))
        read = (name for turn in turns for name in evidence.read(turn))
        return cls(
            modified=tuple(filter(_is_decent, dict.fromkeys(modified))),
            read=tuple(filter(_is_decent, dict.fromkeys(read))),
            folders=tuple({turn.cwd for turn in turns if turn.cwd}),
            said=said,
        )

    def written(self, claim: str) -> str:
        """The modified file that *claim* names, as the evidence spells it; empty for none."""
        return _match(self._relative(claim), self.modified)

    def edited(self, claim: str) -> str:
        """The modified file that *claim* names, or that is mentioned."""
        return self.written(claim) or self._mentioned(claim)

    def seen(self, claim: str) -> str:
        """The file that *claim* names among those read, written and mentioned."""
        known = tuple(dict.fromkeys(self.read + self.modified))
        return _match(self._relative(claim), known) or self._mentioned(claim)

    def _mentioned(self, claim: str) -> str:
        name = self._relative(claim)
        is_file = _PLAIN_PATH.fullmatch(name) and _is_decent(name) and ("/" in name or "." in name)
        return name if is_file and claims.stands(claims.plain(name), self.said.text) else ""

    def _relative(self, claim: str) -> str:
        name = _LINE_NUMBER.sub("", claim.strip().strip("`")).replace("\\", "/")
        for folder in self.folders:
            name = name.removeprefix(folder.rstrip("/") + "/")
        return name.removeprefix("./")


def _match(name: str, known: Sequence[str]) -> str:
    """The one of *known* that *name* is, or that alone ends with it."""
    if name in known:
        return name
    ending = [one for one in known if name and one.endswith(f"/{name}")]
    return ending[0] if len(ending) == 1 else ""


def _is_decent(name: str) -> bool:
    """Tell whether *name* stays where it says: no way upwards, no line break, nothing hidden."""
    steps = name.replace("\\", "/").split("/")
    goes_up = ".." in steps or "~" in steps
    return not goes_up and name.isprintable() and markdown.legible(name) == name


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, tuple | list):
        yield from (one for one in value if isinstance(one, str))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))
