"""Check a model's word against the turn: what stands nowhere in it is not kept. Pure.

Of an observation is kept what stands in its turn, wherever. Files are evidence: a model may only
pick among them.

A note needs more. What a tool printed (a README, a web page, a log) was said by nobody in the
session, so it is no ground for a rule that holds from now on. And only what the user said in one
sentence, stated and not asked, the same way round, is the user's word; the rest waits for it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from recollect.journal import evidence, markdown
from recollect.journal.model import SUMMARY_FIELDS, Observation, ObservationType
from recollect.llm import claims, clauses
from recollect.llm.answers import LONGEST_TITLE, DraftedNote, DraftedObservation
from recollect.llm.claims import HALF, ClaimTexts
from recollect.llm.speech import Grounds, Speech, strings
from recollect.notes.categories import CATEGORIES
from recollect.text.sentences import cut
from recollect.transcripts.turns import CleanTurn

# What stands beside a note's main statement is put more freely: a reason, a context.
LOOSE = 0.34
_LINE_NUMBER = re.compile(r":\d+(?:[-:]\d+)?$")
_PLAIN_PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What stands of a model's observations, and how much of what does not."""

    observations: tuple[Observation, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    """How many of each: `fact`, `file`, `sentence`, `observation`."""


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
    is_users = speech.is_users(statement) and (is_named or speech.is_users(note.title))
    if note.category != "runbook":
        return "user" if is_users else "agent"
    supported = supported_fields(note, speech)
    # A change need not have any steps.
    if not supported.get("steps") and (note.fields.get("steps") or note.action != "update"):
        return "none"
    verification = note.fields.get("verification")
    is_verified = bool(verification) and supported.get("verification") == verification
    return "user" if is_users and is_verified else "agent"


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
    title = one.title if speech.has_title(one.title) else cut(text, LONGEST_TITLE)
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
        return tuple(item for item in value if all(map(stands, strings(item))))
    return value


def _repeats(title: str, statement: str) -> bool:
    """Tell whether *title* only says what *statement* says."""
    said = ClaimTexts.of([statement])
    words = [word for word in claims.words(title) if not clauses.turns(word)]
    is_there = not said.unsaid(words) and all(map(said.has_key, claims.keys(title)))
    return bool(words) and is_there and clauses.agree(title, statement)


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
