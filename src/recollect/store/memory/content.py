"""What an index in memory holds: entries, and passages with their words."""

from collections import Counter
from dataclasses import dataclass, field

from recollect.store.contract.search import IndexRow, Key
from recollect.store.indexed import PassageToIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEntry:
    """An entry and its words."""

    row: IndexRow
    is_searchable: bool
    own: Counter[str]
    around: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPassage:
    """A passage of a project and its words."""

    key: Key
    project: str
    document: str
    passage: PassageToIndex
    card: str
    mark: str
    words: Counter[str]


@dataclass(slots=True)
class Content:
    """All of it, by key."""

    entries: dict[Key, MemoryEntry] = field(default_factory=dict)
    pieces: dict[Key, MemoryPassage] = field(default_factory=dict)

    def owners(self) -> dict[Key, Key]:
        """Return the entry that each passage belongs to: its own, or that of its turn."""
        by_id = {(one.row.project, one.row.id): key for key, one in self.entries.items()}
        by_turn = {
            (one.row.project, one.row.session, one.row.turn): key
            for key, one in self.entries.items()
            if one.row.turn and not one.row.edited
        }
        found = {}
        for key, piece in self.pieces.items():
            own = piece.passage
            if own.part == "own":
                owner = by_id.get((piece.project, own.entry))
            else:
                owner = by_turn.get((piece.project, own.session, own.turn))
            if owner is not None:
                found[key] = owner
        return found

    def of_turn(self, session: str, turn: str) -> list[MemoryPassage]:
        """Return the passages of what was said and done in a turn."""
        return [
            one
            for one in self.pieces.values()
            if one.passage.part != "own"
            and (one.passage.session, one.passage.turn) == (session, turn)
        ]
