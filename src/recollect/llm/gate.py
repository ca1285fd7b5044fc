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
from functools import cached_property
from typing import Literal, cast

from recollect.journal import evidence, markdown
from recollect.journal.model import SUMMARY_FIELDS, Observation, ObservationType
from recollect.llm import claims, clauses
from recollect.llm.answers import LONGEST_TITLE, DraftedNote, DraftedObservation
from recollect.llm.claims import HALF, ClaimTexts
from recollect.notes.categories import CATEGORIES, Category
from recollect.text import spoken
from recollect.text.sentences import THIN_WORDS, cut
from recollect.text.terms import BIDDING_WORDS, is_unspaced
from recollect.transcripts import prompts
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

Grounds = Literal["user", "agent", "none"]
"""Who said or did what a note tells: nobody, where it stands in tool output only."""

# What stands beside a note's main statement is put more freely: a reason, a context.
LOOSE = 0.34
# So much of a statement must stand in one sentence to be what that sentence says.
NEARLY_ALL = 0.8
NEARLY_ALL_PAIRS = 0.65
# So much of a runbook's step must have been said or done.
MOST = 2 / 3
# A line that a tool printed has a statement nearly whole, while so much of it was never said.
ECHOED = 0.8
UNSAID = 0.2

# What an edit replaces is the file's text, not the agent's.
_OLD_TEXT = frozenset({"old_string", "old_str", "old_text"})
# What somebody wants done with a thing is part of what they say.
_EMPTY_WORDS = THIN_WORDS - BIDDING_WORDS

# A quotation of a sentence: somebody else's words.
_QUOTATION = re.compile(
    r"(?<!\w)\"[^\"\n]{15,600}\"|“[^”\n]{15,600}”|«[^»\n]{15,600}»|^[ \t]*>.*$", re.MULTILINE
)
_DENIED = re.compile(r"(?:no|nope|never|nein|niemals|non|don't|do not)\b|不|否|いいえ|아니", re.I)
_GRANTED = re.compile(
    r"(?:yes|yeah|yep|yup|ok|okay|sure|correct|right|exactly|do it|ja|genau|oui|sí|si)\b"
    r"|是|好|对|はい|네|예",
    re.IGNORECASE,
)
_USER = (
    r"\b(?:(?:the|our|this) (?:user|person|human|developer)|nutzer\w*|benutzer\w*|anwender\w*"
    r"|l'utilisateur|el usuario)\b|^\W*user\b|用户|用戶|ユーザー|사용자"
)
_WISHES = (
    r"\b(?:approv|ask|want|decid|agree|confirm|request|prefer|instruct|said|says|told|insist|allow"
    r"|permit|authori[sz]|accept|chose|choos|requir|wish|demand|mandat|grant|consent|will\b"
    r"|möchte|wünsch|verlang|entschied|erlaub|bestätig|approuv|veut|décid|aprob|quier)"
    r"|批准|要求|希望|决定|決定|同意|确认|承認|승인|요청"
)
_SPEAKS_FOR_THE_USER = re.compile(
    rf"(?:{_USER}).{{0,60}}?(?:{_WISHES})|(?:{_WISHES}).{{0,40}}?\b(?:by|from|von|vom|par|por)\b"
    rf".{{0,12}}?(?:{_USER})",
    re.IGNORECASE,
)
_LINE_NUMBER = re.compile(r":\d+(?:[-:]\d+)?$")
_PLAIN_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What stands of a model's observations, and how much of what does not."""

    observations: tuple[Observation, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many of each: `fact`, `file`, `sentence`, `observation`."""


@dataclass(frozen=True)
class Speech:
    """What was said and done in some turns, by whom; and all else that stands there."""

    turns: tuple[CleanTurn, ...]
    translated: bool = False
    """True when notes are kept in another language than was spoken: then words cannot be compared,
    only names and numbers."""
    recorded: str = ""
    """What was recorded of the turns before these."""

    @cached_property
    def alone(self) -> Sequence["Speech"]:
        """The same of each turn alone."""
        return [Speech((turn,), self.translated) for turn in self.turns]

    @cached_property
    def everything(self) -> ClaimTexts:
        """All that stands there, said or not: output, names, what was pasted or replaced."""
        done = [text for call in self._calls for text in (*_strings(call.input), call.output)]
        talk = [
            text
            for turn in self.turns
            for text in (turn.branch, *turn.remarks, turn.answer, turn.prompt)
        ]
        return self._of([*done, *talk, self.recorded])

    @cached_property
    def user(self) -> ClaimTexts:
        """What the user said, and what was recorded of it."""
        return self._of([*self._user_texts, self.recorded])

    @cached_property
    def said(self) -> ClaimTexts:
        """What anybody said or did, and the names of the files: nobody made up words in those."""
        keys = evidence.PATH_KEYS
        done = [
            text
            for call in self._calls
            for text in _strings(call.input, without=_OLD_TEXT.union(keys))
        ]
        paths = [str(call.input.get(key, "")) for call in self._calls for key in keys]
        texts = [*done, *self._agent_texts, *self._user_texts]
        return ClaimTexts.of(texts, names=paths, translated=self.translated)

    @cached_property
    def proven(self) -> ClaimTexts:
        """All that, and what failed and passed in the end: a runbook may rest on it."""
        fixes = [fix for turn in self.turns for fix in evidence.fixes(evidence.steps(turn))]
        fixed = self._of(text for fix in fixes for text in (fix.error, fix.proof, fix.course))
        return replace(self.said, text=f"{self.said.text}\n{fixed.text}")

    @cached_property
    def user_sentences(self) -> Sequence["_UserSentence"]:
        """The sentences in which the user stated something, in order."""
        return [one for turn in self.turns for one in _stated(turn)]

    def has(self, claim: str) -> bool:
        """Tell whether *claim* stands; what the user is said to want must be their word."""
        if not self.everything.has(claim):
            return False
        return not _SPEAKS_FOR_THE_USER.search(claim) or self.user.states(
            _SPEAKS_FOR_THE_USER.sub(" ", claim)
        )

    def standing(self, sentences: Iterable[str]) -> list[str]:
        """Return those of *sentences* that stand and say something."""
        return [one for one in sentences if _says_something(one) and self.has(one)]

    def supports(self, claim: str, share: float, category: Category) -> bool:
        """Tell whether *claim* was said or done by anybody, and not only printed."""
        said = self._by_anybody(category)
        return said.has(claim, share) and not self._is_echo(claim, said)

    def is_stated(self, statement: str, category: Category) -> bool:
        """Tell whether anybody said or did what *statement* says, and it was not only printed."""
        said = self._by_anybody(category)
        return said.states(statement) and not self._is_echo(statement, said)

    def is_users(self, statement: str) -> bool:
        """Tell whether each sentence of *statement* is what a sentence of the user's says.

        The last one that speaks of it decides, because people change their minds.
        """
        for sentence in claims.sentences(statement):
            said = [one for one in self.user_sentences if one.has(sentence)]
            if not said or not clauses.agree(sentence, said[-1].text):
                return False
        return True

    def has_step(self, step: str) -> bool:
        """Tell whether *step* was said, or taken: a command that ran, a file that was edited."""
        edited = (name for turn in self.turns for name in evidence.modified(evidence.steps(turn)))
        taken = replace(self.said, names=self._of(edited).text)
        named = claims.keys(step)
        if not all(map(taken.has_key, named)):
            return False
        beside = [word for word in claims.words_beside_keys(step) if word not in THIN_WORDS]
        if self.translated or not beside:
            return bool(named)
        return taken.has_words(beside, MOST) and not self._is_echo(step, taken)

    def ended(self, reason: str) -> Grounds:
        """Tell who said that something is over, for the *reason* that is given."""
        names, about = claims.keys(reason), _content(reason)
        agent = [one for text in self._agent_texts for one in claims.sentences(text)]
        by: dict[Grounds, tuple[ClaimTexts, list[str]]] = {
            "user": (self.user, [one.text for one in self.user_sentences]),
            "agent": (self.said, [one for one in agent if clauses.asserts(one)]),
        }
        for whose, (said, sentences) in by.items():
            over = [self._of([one]) for one in sentences if clauses.is_over(one)]
            if self.translated:
                is_said = bool(names) and any(all(map(one.has_key, names)) for one in over)
            else:
                is_said = bool(about) and any(one.has_words(about, HALF) for one in over)
            if is_said and all(map(said.has_key, names)):
                return "none" if self._is_echo(reason, said) else whose
        return "none"

    def _is_echo(self, statement: str, said: ClaimTexts) -> bool:
        """Tell whether *statement* was only printed, and part of it never *said*.

        A planted rule speaks of the work at hand, so that half of its words were said anyway.
        """
        words = claims.words(statement)
        missing = said.unsaid(claims.words_beside_keys(statement))
        is_unsaid = len(missing) > UNSAID * len(words)
        printed = len(words) - len(self.everything.unsaid(words))
        return is_unsaid and printed >= ECHOED * len(words)

    def _by_anybody(self, category: Category) -> ClaimTexts:
        return self.proven if category == "runbook" else self.said

    @cached_property
    def _calls(self) -> Sequence[ToolCall]:
        return [call for turn in self.turns for call in turn.tools]

    @cached_property
    def _user_texts(self) -> Sequence[str]:
        return [
            text
            for turn in self.turns
            for text in (*_own_sentences(turn), *(reply for reply, _ in _replies(turn)))
        ]

    @cached_property
    def _agent_texts(self) -> Sequence[str]:
        return [
            _QUOTATION.sub(" ", text)
            for turn in self.turns
            for text in (*turn.remarks, turn.answer)
        ]

    def _of(self, texts: Iterable[str]) -> ClaimTexts:
        return ClaimTexts.of(texts, translated=self.translated)


@dataclass(frozen=True, slots=True)
class _UserSentence:
    """A sentence in which the user stated something."""

    text: str
    said: ClaimTexts
    about: Set[str] | None = None
    """Of an answer, its own stems: what is claimed of it must have one of them."""

    def has(self, claim: str) -> bool:
        """Tell whether nearly all of *claim* stands in it, whichever way round."""
        has_numbers = claims.counts(claim) <= claims.counts(self.text)
        if not has_numbers or not all(map(self.said.has_key, claims.keys(claim))):
            return False
        own = [word for word in _content(claim) if not clauses.turns(word)]
        if self.about is not None and self.about.isdisjoint(map(claims.stem, own)):
            return False
        pairs = sum(is_unspaced(word[0]) for word in own)
        share = NEARLY_ALL_PAIRS if pairs > len(own) / 2 else NEARLY_ALL
        return bool(own) and len(own) - len(self.said.unsaid(own)) >= share * len(own)


def observations(drafted: Sequence[DraftedObservation], speech: Speech) -> Checked:
    """Return what of *drafted* stands in *speech*, its files as the evidence spells them.

    A file that was modified is never lost: what no observation names goes to the first that has
    files.
    """
    if not drafted:
        return Checked()
    files = _Files.of(speech.turns, speech.everything)
    dropped: Counter[str] = Counter()
    kept: dict[tuple[str, str], Observation] = {}
    for one in drafted:
        observation = _observation(one, speech, files, dropped)
        if observation is None:
            dropped["observation"] += 1
        else:
            same = (observation.title.casefold(), observation.text.casefold())
            kept.setdefault(same, observation)
    return Checked(
        observations=_with_all_files(list(kept.values()), files.modified), dropped=+dropped
    )


def summary(drafted: Mapping[str, object], speech: Speech) -> Mapping[str, object] | None:
    """Return what of a summary stands in *speech*, sentence by sentence; None if nothing does."""
    files = _Files.of(speech.turns, ClaimTexts.of([speech.recorded]))
    checked: dict[str, object] = {}
    for name in SUMMARY_FIELDS:
        value = drafted.get(name)
        if name == "files_edited":
            checked[name] = _distinct(files.edited(one) for one in _texts(value))
        elif name == "files_read":
            checked[name] = _distinct(files.seen(one) for one in _texts(value))
        else:
            checked[name] = " ".join(speech.standing(claims.sentences(str(value or ""))))
    return checked if any(checked.values()) else None


def best_turn(drafted: DraftedObservation, speech: Speech) -> int:
    """Return the place of the turn in which most of *drafted* stands; its own, if none has more."""
    own = place(drafted.turn, speech.turns)
    claim = f"{drafted.title}\n{drafted.text}"
    shares = [one.everything.share(claim) for one in speech.alone]
    return max(range(len(shares)), key=lambda at: (shares[at], at == own))


def place(number: str, turns: Sequence[CleanTurn]) -> int:
    """Return the place of the turn that a model calls *number*; the last, if there is none."""
    last = len(turns) - 1
    return min(int(number) - 1, last) if number.isdecimal() and int(number) else last


def grounds(note: DraftedNote, speech: Speech) -> Grounds:
    """Tell whose word *note* rests on: the user's, the agent's, or nobody's.

    The user's is what one sentence of theirs says, the title as well as the main statement. What
    was only said here and there, or by the agent, is the agent's. What is quoted or pasted was said
    by somebody else, in a prompt as in an answer. A retirement rests on a sentence that says that
    something is over.
    """
    if note.action == "retire":
        return speech.ended(note.reason)
    row = CATEGORIES[note.category]
    # A change may leave the main statement as it was.
    instead = note.title if note.action == "update" else ""
    statement = str(note.fields.get(row.main, "") or instead)
    if not speech.is_stated(statement, note.category):
        return "none"
    is_named = not note.title or _repeats(note.title, statement)
    if not (is_named or speech.supports(note.title, LOOSE, note.category)):
        return "none"
    supported = supported_fields(note, speech)
    if note.category == "runbook" and note.action == "create" and not supported.get("steps"):
        return "none"
    needed = {"steps", "verification"} & {*note.fields} if note.category == "runbook" else set()
    is_whole = needed <= supported.keys() and (note.category != "runbook" or bool(needed))
    is_users = speech.is_users(statement) and (is_named or speech.is_users(note.title))
    return "user" if is_users and is_whole else "agent"


def supported_fields(note: DraftedNote, speech: Speech) -> dict[str, object]:
    """Return the fields of *note* without what nobody said or did.

    Of texts the sentences are kept that stand, of lists the items.
    """
    kept = {name: _supported(name, value, note, speech) for name, value in note.fields.items()}
    return {name: value for name, value in kept.items() if value not in (None, "", (), {})}


def _observation(
    one: DraftedObservation, speech: Speech, files: "_Files", dropped: Counter[str]
) -> Observation | None:
    sentences = claims.sentences(one.text)
    stands = speech.standing(sentences)
    text = " ".join(stands)
    has_title = speech.everything.has_some(one.title)
    if has_title and _SPEAKS_FOR_THE_USER.search(one.title):
        has_title = speech.has(one.title)
    title = one.title if has_title else cut(text, LONGEST_TITLE)
    facts = speech.standing(one.facts)
    if not title or not _is_recognised("\n".join((title, text, *facts)), speech.everything):
        return None
    modified = [files.written(name) for name in one.files_modified]
    seen = [files.seen(name) for name in one.files_read]
    dropped["sentence"] += len(sentences) - len(stands)
    dropped["fact"] += len(one.facts) - len(facts)
    dropped["file"] += modified.count("") + seen.count("")
    written = _distinct(modified)
    return Observation(
        type=cast(ObservationType, one.type),
        title=title,
        text=text,
        facts=tuple(facts),
        concepts=one.concepts,
        files_modified=written,
        files_read=tuple(name for name in _distinct(seen) if name not in written),
    )


def _is_recognised(observation: str, said: ClaimTexts) -> bool:
    """Tell whether a translated *observation* has anything in it that can be looked up."""
    if not said.translated or any(map(said.has_key, claims.keys(observation))):
        return True
    return said.has_words(claims.words(observation), HALF)


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


def _supported(name: str, value: object, note: DraftedNote, speech: Speech) -> object:
    row = CATEGORIES[note.category]
    if row.field(name).form in ("flag", "choice"):
        return value
    if name == "topic":  # A name for a thing ("package manager") that nobody need have said.
        return value if all(map(speech.said.has_key, claims.keys(str(value)))) else None
    if note.category == "runbook" and name == "steps":
        return tuple(step for step in _texts(value) if speech.has_step(step))
    share = HALF if name == row.main else LOOSE
    return _supported_part(value, lambda claim: speech.supports(claim, share, note.category))


def _supported_part(value: object, stands: Callable[[str], bool]) -> object:
    """Return what of *value* stands: sentences of a text, items of a list, entries of a table."""
    if isinstance(value, str):
        sentences = claims.sentences(value)
        kept = [one for one in sentences if stands(one)]
        return value if len(kept) == len(sentences) else " ".join(kept)
    if isinstance(value, Mapping):
        checked = {name: _supported_part(one, stands) for name, one in value.items()}
        return {name: one for name, one in checked.items() if one}
    if isinstance(value, tuple | list):
        return tuple(item for item in value if all(map(stands, _strings(item))))
    return value


def _content(claim: str) -> list[str]:
    """Return the words of *claim* that tell something, with what is wanted done."""
    return [word for word in claims.words(claim) if word not in _EMPTY_WORDS]


def _says_something(claim: str) -> bool:
    return bool(claims.keys(claim) or claims.words(claim))


def _repeats(title: str, statement: str) -> bool:
    """Tell whether *title* only says what *statement* says."""
    said = ClaimTexts.of([statement])
    words = [word for word in claims.words(title) if not clauses.turns(word)]
    is_there = not said.unsaid(words) and all(map(said.has_key, claims.keys(title)))
    return bool(words) and is_there and clauses.agree(title, statement)


def _stated(turn: Turn) -> Iterator[_UserSentence]:
    """Yield what the user stated in *turn*: their own sentences, and what they chose."""
    for text in filter(clauses.asserts, _own_sentences(turn)):
        yield _UserSentence(text, ClaimTexts.of([text]))
    for reply, chosen in _replies(turn):
        about = ClaimTexts.of([chosen]).stems if chosen else None
        text = reply.replace("?", ",").replace("？", "，")
        yield _UserSentence(text, ClaimTexts.of([text]), about)


def _own_sentences(turn: Turn) -> Iterator[str]:
    """Yield the user's sentences, without what they pasted or quoted."""
    if not prompts.is_machine_prompt(turn.prompt):
        for sentence in spoken.sentences(turn.prompt):
            yield _QUOTATION.sub(" ", sentence.text)
    for objection in evidence.objections(turn):
        yield from claims.sentences(objection)


def _replies(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yield what the user answered, with the question, and what of it was their choice.

    Who says no has not said what was asked; who says yes has said all of it.
    """
    for question, answer in evidence.choices(turn):
        if _DENIED.match(answer.strip()):
            yield answer, ""
        else:
            yield f"{question} {answer}", "" if _GRANTED.match(answer.strip()) else answer


def _strings(value: object, *, without: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the texts in *value*, however deep, but for what has a name in *without*."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
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
        """Return those of *turns*, and what *said* mentions."""
        modified = (name for turn in turns for name in evidence.modified(evidence.steps(turn)))
        read = (name for turn in turns for name in evidence.read(turn))
        return cls(
            modified=tuple(filter(_is_decent, dict.fromkeys(modified))),
            read=tuple(filter(_is_decent, dict.fromkeys(read))),
            folders=tuple({turn.cwd for turn in turns if turn.cwd}),
            said=said,
        )

    def written(self, claim: str) -> str:
        """Return the modified file that *claim* names, as the evidence spells it, or nothing."""
        return _match(self._relative(claim), self.modified)

    def edited(self, claim: str) -> str:
        """Return the modified file that *claim* names, or that is mentioned."""
        return self.written(claim) or self._mentioned(claim)

    def seen(self, claim: str) -> str:
        """Return the file that *claim* names among those read, written and mentioned."""
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
    """Return the one of *known* that *name* is, or that alone ends with it."""
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
