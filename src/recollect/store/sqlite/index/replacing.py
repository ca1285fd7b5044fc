"""Which passages state what a later turn replaced: written when turns are indexed.

Each turn's changes are kept (`recollect.journal.replaced` finds them), and once all files of a
project are followed, older passages that state an old value are linked to the change. So a search
only reads links, and a hook can, too.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from recollect.journal import replaced
from recollect.journal.replaced import ReplacedValue
from recollect.store.contract.search import Replacement
from recollect.store.sqlite import access
from recollect.store.sqlite.index.lookup import NUMBERS
from recollect.transcripts.turns import Turn

SQL = access.load("recollect.store.sqlite.index", "sql/replacing.sql")

# Of the passages that have an old value, so many are looked at, the latest first.
MOST_LOOKED_AT = 300
# So many at a time, so that nobody who writes waits for long.
AT_A_TIME = 50
# Passages of the later turn that tell best what holds now.
PARTS = {"said": 3, "changed": 2, "remarked": 1, "ran": 1, "asked": 0}

_TERM = re.compile(r"[^\W_]+")


def save(
    connection: sqlite3.Connection, *, project: str, document: int, turns: Iterable[Turn]
) -> None:
    """Keep what *turns*, which stand in *document*, replaced; what was kept of them goes."""
    for turn in turns:
        connection.execute(SQL["remove_changes_of_turn"], (document, turn.session, turn.key))
        for change in replaced.changes(turn):
            values = {
                "project": project,
                "document": document,
                "session": turn.session,
                "turn": turn.key,
                "at": turn.started.timestamp(),
                "change": _packed(change),
            }
            connection.execute(SQL["add_change"], values)


def link_again(connection: sqlite3.Connection, *, project: str, oldest: float) -> None:
    """Look up again what replaced something after *oldest*, when the first new passage was said."""
    connection.execute(SQL["link_again"], (project, oldest))


def link(connection: sqlite3.Connection, *, project: str, number: int) -> bool:
    """Link older passages of *project*, whose *number* that is, to what replaced them.

    Return whether anything is left to do.
    """
    waiting = connection.execute(SQL["changes_to_link"], (project, AT_A_TIME)).fetchall()
    for id_, session, turn, at, packed in waiting:
        connection.execute(SQL["is_linked"], (id_,))
        change = _unpacked(packed)
        by = _telling(connection, change, session, turn)
        for passage, piece in _stated(connection, change, number, at, (session, turn)):
            connection.execute(SQL["add_replaced"], (passage, id_, by, piece))
    return len(waiting) == AT_A_TIME


def of(connection: sqlite3.Connection, passages: Sequence[int]) -> dict[int, list[Replacement]]:
    """Return what replaced the *passages* with these numbers, the latest first."""
    found: dict[int, list[Replacement]] = {}
    names = Replacement.__slots__
    for row in connection.execute(SQL["replacements"], (json.dumps(list(passages)),)):
        values = dict(zip(names, row, strict=True))
        one = Replacement(**{**values, "is_name": bool(values["is_name"])})
        found.setdefault(one.passage, []).append(one)
    return found


def _stated(
    connection: sqlite3.Connection,
    change: ReplacedValue,
    project: int,
    at: float,
    turn: tuple[str, str],
) -> list[tuple[int, str]]:
    """Return the older passages that state the old value of *change*, with the piece that does."""
    query = _query(change)
    if not query:  # It is nothing but punctuation.
        return []
    wanted = {
        "query": query,
        "first": project * NUMBERS,
        "last": (project + 1) * NUMBERS - 1,
        "at": at,
        "session": turn[0],
        "turn": turn[1],
        "limit": MOST_LOOKED_AT,
    }
    found = []
    for passage, text, title, request, touched in connection.execute(
        SQL["passages_with_value"], wanted
    ):
        pieces = replaced.outdated(
            change,
            text,
            is_same_file=bool(change.file) and change.file in touched.splitlines(),
            around=f"{title} {request}",
        )
        found += [(passage, piece) for piece in pieces]
    return found


def _query(change: ReplacedValue) -> str:
    """Return what finds passages with the old value of *change*."""
    # In code a unit may touch its number: `120L`, `256mb`.
    return " OR ".join(
        f'"{" ".join(terms)}"{"*" if len(terms[-1]) > 1 and terms[-1].isdigit() else ""}'
        for spelling in replaced.spellings(change)
        if (terms := _TERM.findall(spelling))
    )


def _telling(connection: sqlite3.Connection, change: ReplacedValue, session: str, turn: str) -> int:
    """Return the passage of the later turn that tells best what holds now; 0 for none."""
    best, found = (0, 0), 0
    for number, part, text in connection.execute(SQL["passages_of_turn"], (session, turn)):
        fit = replaced.tells(change, text)
        if fit and part in PARTS and (fit + PARTS[part], -number) > best:
            best, found = (fit + PARTS[part], -number), number
    return found


def _packed(change: ReplacedValue) -> str:
    return json.dumps({**asdict(change), "about": sorted(change.about)})


def _unpacked(packed: str) -> ReplacedValue:
    values: dict[str, Any] = json.loads(packed)
    return ReplacedValue(**{**values, "about": frozenset(values["about"])})
