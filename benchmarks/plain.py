"""What all of this is compared with: one FTS5 table, as a tool would have it that stops there."""

import sqlite3
from collections.abc import Iterable

from recollect.text.terms import terms


class PlainSearch:
    """A search by words over texts, in memory."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 (name UNINDEXED, text, tokenize = 'porter')"
        )
        self._database.executemany("INSERT INTO texts VALUES (?, ?)", texts)

    def first(self, limit: int, question: str) -> list[str]:
        """Return the different names of the texts that fit *question* best, *limit* at most."""
        wanted = " OR ".join(f'"{word}"' for word in terms(question))
        if not wanted:
            return []
        rows = self._database.execute(
            "SELECT name FROM texts WHERE texts MATCH ? ORDER BY bm25(texts)", (wanted,)
        )
        return list(dict.fromkeys(str(name) for (name,) in rows))[:limit]
