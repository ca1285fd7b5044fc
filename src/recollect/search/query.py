"""Read what a person types into a search: words, "phrases", filters, and -what is not wanted.

Nothing is an error. What cannot be understood is a plain word, as typed, and where in doubt
nothing is hidden: `--flag`, `-5`, `-x` and `-O2` are words to find rather than words to avoid
(`-"O2"` avoids it). A prompt is never read with this language: `Query.plain` takes it as it is.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from recollect.journal.model import OBSERVATION_TYPES
from recollect.notes import categories
from recollect.search import moments
from recollect.search.facts import FilterFacts

KINDS = ("entry", "hand", "hosted", "note", "summary")
CATEGORIES = tuple(row.word for row in categories.CATEGORIES.values())
TYPES = (*OBSERVATION_TYPES, *KINDS, *CATEGORIES)

_PIECE = re.compile(
    r"(?=\S)(?P<dash>-?)"
    r"(?:(?P<field>(?ai:type|category|project|file|session|after|before)):)?"
    r'(?:"(?P<quoted>[^"]*)"|(?P<bare>\S*))'
)
# What follows the dash in `--flag`, `-5`, `-x` and `-O2`, and half a phrase.
_NOT_NEGATABLE = re.compile(r'[-0-9"]|[A-Za-z][0-9]*$')
# `file://…` is an address and `session::get` is code: nobody meant a filter.
_NOT_A_FILTER = ("//", ":")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """The values of one field that are wanted (any of them, if any) and those that are not."""

    any_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.any_of or self.none_of)

    def allows(self, holds: Callable[[str], bool]) -> bool:
        """Tell whether something passes of which *holds* says what values it has."""
        wanted = not self.any_of or any(map(holds, self.any_of))
        return wanted and not any(map(holds, self.none_of))


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked for. Made by `read` or by `plain`."""

    text: str = ""
    """The words and phrases as plain text; empty if only filters were given."""
    meaning: str = ""
    """What is compared by its meaning, if not the text."""
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """The words and phrases that are not wanted."""
    types: Filter = Filter()
    """Of an observation, an entry or a note: see `TYPES`."""
    categories: Filter = Filter()
    projects: Filter = Filter()
    files: Filter = Filter()
    sessions: Filter = Filter()
    after: float | None = None
    """Not earlier than this …"""
    before: float | None = None
    """… and earlier than this."""
    unread: tuple[str, ...] = ()
    """What looks like a filter of ours but was taken as a word, as typed."""

    @classmethod
    def read(cls, text: str, *, now: datetime) -> Self:
        """Return what *text* asks for; *now* is aware, and its zone says when days begin.

        >>> now = datetime.fromisoformat("2026-11-18T12:30+01:00")
        >>> query = Query.read('slow "orders page" -draft type:bugfix', now=now)
        >>> query.text, query.phrases, query.without, query.types.any_of
        ('slow orders page', ('orders page',), ('draft',), ('bugfix',))
        """
        parts = list(_parts(text, now=now))
        if all(part.negated and not part.field for part in parts):
            return cls.plain(text if parts else "")
        words = [part for part in parts if not part.field]
        return cls(
            text=" ".join(part.value for part in words if not part.negated),
            phrases=_distinct(part.value for part in words if part.quoted and not part.negated),
            without=_distinct(part.value for part in words if part.negated),
            types=_filter(parts, "type"),
            categories=_filter(parts, "category"),
            projects=_filter(parts, "project"),
            files=_filter(parts, "file"),
            sessions=_filter(parts, "session"),
            # Of several any will do, as with every filter: the widest.
            after=min(_moments(parts, "after"), default=None),
            before=max(_moments(parts, "before"), default=None),
            unread=_distinct(part.value for part in words if part.unread),
        )

    @classmethod
    def plain(cls, text: str) -> Self:
        """Return a query for the words of *text*, in which no character means anything.

        >>> Query.plain('fix type:bugfix "now').text
        'fix type:bugfix "now'
        """
        return cls(text=text.strip())

    @property
    def is_filtered(self) -> bool:
        """Whether `allows` can turn anything away; phrases and unwanted words can, too."""
        fields = (self.types, self.categories, self.projects, self.files, self.sessions)
        has_bounds = self.after is not None or self.before is not None
        return bool(any(fields) or has_bounds or self.phrases or self.without)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for, neither by words nor by filters."""
        return not self.text and not self.is_filtered

    @property
    def loosened(self) -> Self:
        """The same, but of any type and without demanding that a phrase stands there as it is."""
        return replace(
            self,
            phrases=(),
            types=replace(self.types, any_of=()),
            categories=replace(self.categories, any_of=()),
        )

    def allows(self, facts: FilterFacts) -> bool:
        """Tell whether a candidate with these *facts* may answer; its words are not weighed."""
        return (
            self.types.allows(facts.is_of)
            and self.categories.allows(facts.is_in_category)
            and self.projects.allows(facts.is_in_project)
            and self.files.allows(facts.has_file)
            and self.sessions.allows(facts.is_in_session)
            and (self.after is None or facts.at >= self.after)
            and (self.before is None or facts.at < self.before)
            and all(map(facts.holds_phrase, self.phrases))
            and not any(map(facts.holds_word, self.without))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _QueryPart:
    """A word, a phrase, or (with a `field`) a filter, as it stands in a query."""

    value: str = ""
    field: str = ""
    values: tuple[str, ...] = ()
    at: float = 0.0
    quoted: bool = False
    negated: bool = False
    unread: bool = False


def _parts(text: str, *, now: datetime) -> Iterator[_QueryPart]:
    pieces = list(_PIECE.finditer(text))
    place = 0
    while place < len(pieces):
        piece, taken = pieces[place], 1
        if not piece["field"] or (piece["bare"] or "").startswith(_NOT_A_FILTER):
            part = _word(piece)
        elif piece["field"].lower() in ("after", "before"):
            part, taken = _date_filter(pieces[place : place + moments.MOST_WORDS], now=now)
        else:
            part = _field_filter(piece)
        if part.value or part.field:  # An empty phrase asks for nothing.
            yield part
        place += taken


def _word(piece: re.Match[str]) -> _QueryPart:
    negated = bool(piece["dash"])
    if piece["quoted"] is not None:
        return _QueryPart(value=" ".join(piece["quoted"].split()), quoted=True, negated=negated)
    typed = piece.group()
    word = typed.removeprefix("-")
    if negated and any(map(str.isalnum, word)) and not _NOT_NEGATABLE.match(word):
        return _QueryPart(value=word, negated=True)
    return _QueryPart(value=typed)


def _date_filter(pieces: Sequence[re.Match[str]], *, now: datetime) -> tuple[_QueryPart, int]:
    """Return the filter that *pieces* begin with, and how many it takes: `after:2 weeks`."""
    piece = pieces[0]
    if piece["quoted"] is not None:
        at = moments.read(piece["quoted"], now=now)
        found = None if at is None else (at, 1)
    else:
        words = [piece["bare"], *(following.group() for following in pieces[1:])]
        found = moments.read_first(words, now=now)
    if found is None:
        return _unread(piece), 1
    begins, taken = found
    # What is not after a moment is before it.
    is_after = (piece["field"].lower() == "after") != bool(piece["dash"])
    return _QueryPart(field="after" if is_after else "before", at=begins), taken


def _field_filter(piece: re.Match[str]) -> _QueryPart:
    field, bare = piece["field"].lower(), piece["bare"] or ""
    values = _values(field, (piece["quoted"] or bare).strip())
    if not values or bare.startswith('"'):
        return _unread(piece)
    return _QueryPart(field=field, values=values, negated=bool(piece["dash"]))


def _unread(piece: re.Match[str]) -> _QueryPart:
    return _QueryPart(value=piece.group(), unread=True)


def _values(field: str, typed: str) -> tuple[str, ...]:
    """Return the values that *typed* names, none if one of them does not exist."""
    if field not in _SPELLINGS:
        return (typed,) if typed.strip("./") else ()
    names = [re.sub(r"[\s_]+", "-", name.strip().lower()) for name in typed.split(",")]
    known = [_SPELLINGS[field].get(name, "") for name in names if name]
    return tuple(known) if all(known) else ()


def _spellings(names: Iterable[str]) -> dict[str, str]:
    endings = {"y": "ies", "x": "xes"}
    plurals = {name[:-1] + endings.get(name[-1], f"{name[-1]}s"): name for name in names}
    return {name: name for name in plurals.values()} | plurals


# What the category is called where notes are kept.
_OF_SESSIONS = {"session-summary": "session", "session-summaries": "session"}

_SPELLINGS = {
    "type": _spellings(TYPES) | _OF_SESSIONS,
    "category": _spellings(CATEGORIES) | _OF_SESSIONS,
}


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _filter(parts: Sequence[_QueryPart], field: str) -> Filter:
    ours = [part for part in parts if part.field == field]
    return Filter(
        any_of=_distinct(value for part in ours if not part.negated for value in part.values),
        none_of=_distinct(value for part in ours if part.negated for value in part.values),
    )


def _moments(parts: Sequence[_QueryPart], field: str) -> list[float]:
    return [part.at for part in parts if part.field == field]
