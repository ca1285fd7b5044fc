"""Who said and did what in some turns, to hold a model's words against. Pure.

What the user said are their own sentences and answers; what they pasted or quoted was said by
somebody else, and so was what a tool printed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from recollect.journal import evidence
from recollect.llm import claims, clauses
from recollect.llm.claims import HALF, ClaimTexts
from recollect.notes.categories import Category
from recollect.text import spoken
from recollect.text.sentences import THIN_WORDS
from recollect.text.terms import BIDDING_WORDS, is_unspaced
from recollect.transcripts import prompts
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

Grounds = Literal["user", "agent", "none"]
"""Who said or did what a note tells: nobody, where it stands in tool output only."""

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
    r"|genehmig|möchte|wünsch|bat\b|gebeten|verlang|entschied|zugestimmt|erlaub|bestätig|bevorzug"
    r"|gesagt|approuv|veut|souhait|décid|aprob|pid|quier|acept|orden)"
    r"|批准|要求|希望|决定|決定|同意|确认|想要|承認|依頼|望|승인|요청|원"
)
_SPEAKS_FOR_THE_USER = re.compile(
    rf"(?:{_USER}).{{0,60}}?(?:{_WISHES})|(?:{_WISHES}).{{0,40}}?\b(?:by|from|von|vom|par|por)\b"
    rf".{{0,12}}?(?:{_USER})",
    re.IGNORECASE,
)


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
        done = [text for call in self._calls for text in (*strings(call.input), call.output)]
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
            for text in strings(call.input, without=_OLD_TEXT.union(keys))
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
    def user_sentences(self) -> Sequence["UserSentence"]:
        """The sentences in which the user stated something, in order."""
        return [one for turn in self.turns for one in _stated(turn)]

    def has(self, claim: str) -> bool:
        """Tell whether *claim* stands; what the user is said to want must be their word."""
        if not self.everything.has(claim):
            return False
        return not _SPEAKS_FOR_THE_USER.search(claim) or self.user.states(
            _SPEAKS_FOR_THE_USER.sub(" ", claim)
        )

    def has_title(self, title: str) -> bool:
        """Tell whether *title* stands, of which one thing may be called differently."""
        if not self.everything.has_some(title):
            return False
        return not _SPEAKS_FOR_THE_USER.search(title) or self.has(title)

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
class UserSentence:
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


def _content(claim: str) -> list[str]:
    """Return the words of *claim* that tell something, with what is wanted done."""
    return [word for word in claims.words(claim) if word not in _EMPTY_WORDS]


def _says_something(claim: str) -> bool:
    return bool(claims.keys(claim) or claims.words(claim))


def _stated(turn: Turn) -> Iterator[UserSentence]:
    """Yield what the user stated in *turn*: their own sentences, and what they chose."""
    for text in filter(clauses.asserts, _own_sentences(turn)):
        yield UserSentence(text, ClaimTexts.of([text]))
    for reply, chosen in _replies(turn):
        about = ClaimTexts.of([chosen]).stems if chosen else None
        text = reply.replace("?", ",").replace("？", "，")
        yield UserSentence(text, ClaimTexts.of([text]), about)


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


def strings(value: object, *, without: Set[str] = frozenset()) -> Iterator[str]:
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
