"""What an index keeps of a memory and of a turn: fields, and passages. The same for every index.

Pure: an index of any kind stores these and finds them again.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from recollect.journal import markdown, passages
from recollect.journal.model import CARRIED, Carried, LibraryItem, carried
from recollect.store import turn_text
from recollect.store.contract.search import Render
from recollect.text.identifiers import identifiers
from recollect.text.terms import pairs
from recollect.transcripts.turns import Turn

_PATH = re.compile(r"(?!/)[^\s:*?<>|]+\.\w{1,8}")

# Passages that are never shown: what a turn's user asked for, and the names of all that was done.
UNSEEN = ("done", "request")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageToIndex:
    """A piece of an entry, or of the turn behind it, to be indexed."""

    part: str
    text: str
    lead: str = ""
    day: str = ""
    """When it happened, as people write it: searched, not shown."""
    entry: str = ""
    session: str = ""
    turn: str = ""
    at: float = 0.0
    """When it was said; 0 if nobody knows."""
    names: tuple[str, ...] = ()

    @property
    def pairs(self) -> str:
        """What is found of it besides its words: pairs of characters, and its day."""
        return " ".join(filter(None, (pairs(self.text), self.day)))

    @property
    def hash(self) -> bytes:
        """The name of its text, by which its vector is kept."""
        return passage_hash(self.lead, self.text)


def fields_of(one: LibraryItem, *, project: str, around: str, render: Render) -> dict[str, object]:
    """Return what an index keeps of *one*, by name; *around* is the text it stands in.

    What it carries along stands in one field; only what an index looks things up by has its own.
    """
    card, line = render.card(one)
    seen = markdown.parse_observations(one)
    touched = [file for o in seen for file in (*o.files_modified, *o.files_read)]
    touched += one.files
    if one.kind == "note":  # What a note is about stands in its words.
        named = identifiers(f"{one.title}\n{one.body}")
        touched += [name.removeprefix("./") for name in named if _PATH.fullmatch(name)]
    row: dict[str, object] = {
        "id": one.id,
        "project": project,
        "kind": one.kind,
        "category": one.category,
        "hidden_reason": one.hidden_reason,
        "note_status": one.note_status,
        "prominence": one.prominence,
        "types": " ".join(dict.fromkeys(o.type for o in seen)),
        "touched": "\n".join(dict.fromkeys(touched)),
        "seen_files": json.dumps(dict(one.seen_files)) if one.seen_files else "",
        "at": one.at.timestamp() if one.at else 0.0,
        "session": one.session,
        "turn": one.turn,
        "host": one.host,
        "branch": one.branch,
        "title": one.title,
        "body": one.body,
        "day": _day(one),
        "pairs": pairs(f"{one.title}\n{one.body}"),
        "around": around,
        "searchable": one.is_memory,
        "edited": one.edited,
        "card": card,
        "line": line,
        "mark": digest(card).hex()[:8],
        "carried": packed(one),
    }
    return {name: storable(value) for name, value in row.items()}


def packed(one: Carried) -> str:
    """Return what *one* carries along as JSON, without what is empty."""
    found = {
        name: storable(value) if isinstance(value, str) else dict(value)
        for name, value in carried(one).items()
        if value
    }
    return json.dumps(found)


# Most rows of a project carry the same branch and engine, and few of them files.
@lru_cache(maxsize=1_024)
def unpacked(text: str) -> Mapping[str, Any]:
    """Return what was `packed`, as far as this version knows it."""
    return {name: value for name, value in json.loads(text).items() if name in CARRIED}


def digest(text: str) -> bytes:
    """Return a short name for *text*."""
    return blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _day(one: LibraryItem) -> str:
    return f"{one.at.astimezone():%Y-%m-%d %-d %B %Y %A}" if one.at else ""


def passage_hash(lead: str, text: str) -> bytes:
    """Return the name of a passage, by which its vector is kept."""
    return digest(f"{lead}\n{text}" if lead else text)


def own_passages(one: LibraryItem) -> Iterator[PassageToIndex]:
    """Return the passages of what *one* says itself."""
    if not one.is_memory:
        return
    for place, passage in enumerate(passages.of_entry(one.title, markdown.plain(one))):
        # Names that only stand in a list, such as files, are found with the beginning.
        named = passage.text if place else f"{one.title}\n{one.body}"
        yield PassageToIndex(
            part="own",
            lead=passage.lead,
            text=passage.text,
            day="" if place else _day(one),
            entry=one.id,
            at=one.at.timestamp() if one.at else 0.0,
            names=identifiers(named),
        )


def turn_passages(turn: Turn) -> Iterator[PassageToIndex]:
    """Return the passages of what was said and done in *turn*."""
    where = {"session": turn.session, "turn": turn.key}
    at = turn.started.timestamp()
    for passage in passages.of_turn(turn):
        names = identifiers(passage.text)
        yield PassageToIndex(
            part=passage.part, lead=passage.lead, text=passage.text, at=at, names=names, **where
        )
    if deeds := turn_text.done(turn):
        names = turn_text.changed_files(turn)
        yield PassageToIndex(part="done", text=deeds, at=at, names=names, **where)


def around(kept: Sequence[LibraryItem], place: int) -> str:
    """Return an entry's text between those of its neighbours in the same session."""
    own = kept[place]
    near = kept[max(0, place - 1) : place + 2]
    text = "\n".join(
        f"{one.title}\n{one.body}"
        for one in near
        if one is own or (one.session == own.session and one.kind != "summary")
    )
    return f"{text}\n{pairs(text)}" if not text.isascii() else text


def shown(passage: PassageToIndex, render: Render) -> tuple[str, str]:
    """Return the card of *passage*, empty for one that is never shown, and what marks it."""
    card = "" if passage.part in UNSEEN else str(storable(render.passage(passage.text)))
    return card, digest(card).hex()[:8]


def storable(value: object) -> object:
    """Return *value* as the database takes it: a byte that is no UTF-8 becomes a question mark."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
