"""Find entries by meaning: a vector for each passage, kept beside its text.

The truth is blobs in the database, named by the space they live in and the text they stand
for. For searching they are mirrored to one file a project and space: rows of small integers,
mapped into memory, so that the operating system decides how much of it stays there. Rows are
only added; a passage that went leaves a row that leads to no entry, until enough of them make a
new file worth while.

numpy is imported by whoever calls a function here, not by whoever imports this module.
"""

import json
import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect import files
from recollect.store.contract.search import ByMeaning, Compared, PassageWithoutVector
from recollect.store.sqlite import access
from recollect.store.sqlite.index.lookup import NUMBERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SQL = access.load("recollect.store.sqlite.index", "sql/vectors.sql")

# Rows are compared so many at a time: what is unpacked of the mirror at once stays small.
BLOCK = 2048
# Beyond this, signs alone choose the candidates, and only those are compared in full.
EXACT_ROWS = 200_000
CANDIDATES = 2_000
# With this share of the rows, 99 of 100 true neighbours are among them (91 with a fifth of it).
MOST_LIKELY = 0.05

# A new mirror is made when more than this share of its rows leads nowhere.
MOST_DEAD = 0.25
FEW_DEAD = 1_000

# Arranging a large mirror takes its time, so it is left alone for this many times as long; what
# is new meanwhile is found by its words.
REST = 50
SLOW = 0.05


# The number of no space.
NOWHERE = -2


class Vectors:
    """The vectors of the open index."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._mirrors: dict[tuple[int, int], _Mirror] = {}

    # Making them.

    def space(self, name: str, embedder: Mapping[str, object]) -> int:
        """Return the number of the space called *name*, made by *embedder*, new if need be."""
        with access.transaction(self._connection):
            self._connection.execute(SQL["add_space"], (name, json.dumps(embedder)))
            return int(self._all("space_id", name)[0][0])

    def serving(self) -> tuple[int, str, dict[str, Any]] | None:
        """Return the space that answers now: number, name and what it was made by."""
        found = self._all("serving")
        return (found[0][0], found[0][1], json.loads(found[0][2])) if found else None

    def pending(self, space: int, *, without: Sequence[str] = ()) -> int:
        """Return how many passages have no vector in *space* yet; projects can be left out."""
        asked = {"space": space, "without": json.dumps(without), "NUMBERS": NUMBERS}
        return int(self._connection.execute(SQL["pending"], asked).fetchone()[0])

    def pending_for(self, embedder: Mapping[str, object], *, without: Sequence[str]) -> int:
        """Return how many passages *embedder* has made no vector of yet."""
        found = self._all("space_of", json.dumps(embedder))
        return self.pending(int(found[0][0]) if found else NOWHERE, without=without)

    def wanted(
        self, space: int, *, limit: int, without: Sequence[str] = ()
    ) -> list[PassageWithoutVector]:
        """Return passages that have no vector in *space* yet, the newest first."""
        asked = {"space": space, "without": json.dumps(without), "NUMBERS": NUMBERS}
        rows = self._connection.execute(SQL["wanted"], {**asked, "limit": limit})
        return [PassageWithoutVector(key=key, hash=hash_, text=text) for key, hash_, text in rows]

    def known(self, space: int, wanted: Sequence[PassageWithoutVector]) -> set[bytes]:
        """Return the texts among *wanted* whose vector is there already, of another passage."""
        return {one.hash for one in wanted if self._all("has_vector", space, one.hash)}

    def put(
        self,
        space: int,
        wanted: Sequence[PassageWithoutVector],
        vectors: "Mapping[bytes, NDArray[np.float32]]",
    ) -> None:
        """Keep *vectors*, named by the hash of their text; the *wanted* ones are now served.

        One without a vector is not asked for again.
        """
        import numpy as np  # noqa: PLC0415 - costs as much as a whole command

        with access.transaction(self._connection):
            for hash_, vector in vectors.items():
                blob = vector.astype(np.float16).tobytes()
                self._connection.execute(SQL["add_vector"], (space, hash_, blob))
            (last,) = self._all("count_embedded", len(wanted))[0]
            for count, one in enumerate(wanted, start=last - len(wanted) + 1):
                self._connection.execute(SQL["embedded"], (space, count, one.key, one.hash))

    def serve(self, space: int) -> None:
        """Answer with *space* from now on, and forget every other."""
        with access.transaction(self._connection):
            self._connection.execute(SQL["remove_other_vectors"], (space,))
            self._connection.execute(SQL["remove_other_spaces"], (space,))
            self._connection.execute(SQL["leave_other_spaces"], (space,))
        self._mirrors.clear()
        for other in self._folder.glob("*.vectors"):
            if other.name.split("-")[1:2] != [str(space)]:
                other.unlink(missing_ok=True)

    def forget_mirrors(self) -> None:
        """Delete the files that vectors are mirrored to; the next search makes new ones."""
        self._mirrors.clear()
        for mirror in self._folder.glob("*.vectors"):
            mirror.unlink(missing_ok=True)

    # Searching them.

    def find(
        self,
        question: "NDArray[np.float32]",
        *,
        space: int,
        projects: Sequence[int],
        limit: int,
    ) -> ByMeaning:
        """Return what lies nearest to *question* in *projects*, by each leg the first *limit*."""
        found = [self._mirror(space, one, len(question)).find(question, limit) for one in projects]
        found = [one for one in found if one.nearest]
        if not found:
            return ByMeaning()
        return ByMeaning(
            nearest=_first(limit, *(one.nearest for one in found)),
            smoothed=_first(limit, *(one.smoothed for one in found)),
            everyone=tuple(compared for one in found for compared in one.everyone),
        )

    def likenesses(
        self, ones: Sequence[int], others: Sequence[int], *, space: int
    ) -> dict[int, float]:
        """Return how near each passage of *others* is to the nearest of *ones*, by key."""
        import numpy as np  # noqa: PLC0415

        wanted = {"space": space, "numbers": json.dumps([*ones, *others])}
        rows = self._connection.execute(SQL["vectors_of"], wanted)
        known = {
            number: np.frombuffer(blob, np.float16).astype(np.float32) for number, blob in rows
        }
        near = [known[number] for number in ones if number in known]
        if not near:
            return {}
        return {
            number: max(float(known[number] @ one) for one in near)
            for number in others
            if number in known
        }

    def _mirror(self, space: int, project: int, dimensions: int) -> "_Mirror":
        key = (space, project)
        mirror = self._mirrors.get(key)
        if mirror is None:
            birth = str(self._all("birth")[0][0])
            files.make_folder(self._folder)
            for stale in self._folder.glob("*.vectors"):
                if not stale.name.startswith(f"{birth}-"):
                    stale.unlink(missing_ok=True)  # Of an index that is gone.
            path = self._folder / f"{birth}-{space}-{project}.vectors"
            mirror = _Mirror(self._connection, path, space, project, dimensions)
            self._mirrors[key] = mirror
        mirror.follow()
        return mirror

    def _all(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[statement], values).fetchall()


class _Mirror:
    """The vectors of one project in one space, in a file that is mapped into memory."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, space: int, project: int, dimensions: int
    ) -> None:
        import numpy as np  # noqa: PLC0415

        self._connection = connection
        self._path = path
        self._range = {
            "space": space,
            "project": project,
            "first": project * NUMBERS,
            "last": (project + 1) * NUMBERS - 1,
            "NUMBERS": NUMBERS,
        }
        self._dtype = np.dtype(
            [("number", "<i8"), ("seen", "<i8"), ("scale", "<f4"), ("vector", "i1", dimensions)]
        )
        self._rows: Any = None
        self._seen = 0
        self._order: Any = None
        self._numbers: Any = None
        self._starts: Any = None
        self._entries: Any = None
        self._by_number: Any = None
        self._follows: Any = None
        self._signs: Any = None
        self._arranged_for = -1
        self._changes = (-1, -1)
        self._rest_until = 0.0
        self._is_due = True

    def follow(self) -> None:
        """Take over what was embedded since."""
        version = self._connection.execute("PRAGMA data_version").fetchone()[0]
        changes = (version, self._connection.total_changes)
        if changes == self._changes and self._is_whole() and not self._is_due:
            return
        if self._rows is None or not self._is_whole():
            self._open()
        self._is_due |= self._take_over() or self._is_stale()
        self._changes = changes
        if self._is_due and time.monotonic() >= self._rest_until:
            self._arrange()
            self._is_due = False

    def _is_whole(self) -> bool:
        """Tell whether the file still holds the rows that were read from it, and no others."""
        try:
            return self._path.stat().st_size == len(self._rows) * self._dtype.itemsize
        except OSError:
            return self._rows is not None and not len(self._rows)

    def _open(self) -> None:
        """Map the file; one that does not hold all it should is begun anew."""
        size = self._dtype.itemsize
        files.make_folder(self._path.parent)
        with suppress(OSError):
            whole = self._path.stat().st_size // size * size
            os.truncate(self._path, whole)  # A row that was cut off by a crash.
        self._map()
        self._seen = int(self._rows["seen"].max()) if len(self._rows) else 0
        asked = {**self._range, "seen": self._seen}
        expected, given = self._connection.execute(SQL["embedded_until"], asked).fetchone()
        # Rows are missing, or are of commits that a power cut took back.
        if expected > len(self._rows) or self._seen > given:
            self._path.unlink(missing_ok=True)
            self._map()
            self._seen = 0
        self._arranged_for = -1
        self._rest_until = 0.0

    def _map(self) -> None:
        import numpy as np  # noqa: PLC0415

        empty = not self._path.exists() or not self._path.stat().st_size
        if empty:
            self._rows = np.zeros(0, self._dtype)
        else:
            # Seen as a plain array: looking into a memmap costs several times as much.
            self._rows = np.asarray(np.memmap(self._path, self._dtype, mode="r"))

    def _take_over(self) -> bool:
        """Add the rows of what was embedded since; tell whether there was anything."""
        asked = {**self._range, "seen": self._seen}
        found = self._connection.execute(SQL["embedded_since"], asked)
        anything = False
        while some := found.fetchmany(BLOCK):
            anything = True
            self._append(self._packed(some))
        if anything:
            self._map()
        return anything

    def _packed(self, found: Sequence[tuple[int, int, bytes]]) -> Any:
        """Return *found* as rows: each vector as small integers and what to multiply them by."""
        import numpy as np  # noqa: PLC0415

        dimensions = self._dtype["vector"].shape[0]
        found = [row for row in found if len(row[2]) == 2 * dimensions]
        rows = np.zeros(len(found), self._dtype)
        if found:
            rows["number"] = [number for number, _, _ in found]
            rows["seen"] = [seen for _, seen, _ in found]
            exact = np.frombuffer(b"".join(blob for *_, blob in found), np.float16)
            exact = exact.reshape(len(found), dimensions).astype(np.float32)
            largest = np.abs(exact).max(axis=1) + 1e-12
            rows["scale"] = largest / 127
            rows["vector"] = np.rint(exact / rows["scale"][:, None])
        return rows

    def _append(self, rows: Any) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(rows.tobytes())
        self._seen = max([self._seen, *rows["seen"].tolist()])

    def _is_stale(self) -> bool:
        """Tell whether entries changed, so that the rows may belong to others now."""
        return self._changes_now() != self._arranged_for

    def _changes_now(self) -> int:
        found = self._connection.execute(SQL["changes"], self._range).fetchone()
        return int(found[0]) if found else 0

    def _arrange(self) -> None:
        """Note which entry each row belongs to, and who stands beside whom."""
        import numpy as np  # noqa: PLC0415

        began = time.monotonic()
        self._arranged_for = self._changes_now()
        owners = self._connection.execute(SQL["owners"], self._range).fetchall()
        table = np.array(owners, dtype=[("passage", "i8"), ("entry", "i8")])
        table.sort(order="passage")
        numbers = np.asarray(self._rows["number"])
        at = np.searchsorted(table["passage"], numbers)
        at[at == len(table)] = 0
        alive = table["passage"][at] == numbers if len(table) else np.zeros(len(numbers), bool)
        # A passage embedded twice (in a space that was left and taken up again) counts once.
        newest = np.zeros(len(numbers), bool)
        newest[len(numbers) - 1 - np.unique(numbers[::-1], return_index=True)[1]] = True
        alive &= newest
        most_dead = max(FEW_DEAD, MOST_DEAD * len(numbers))
        if (~alive).sum() > most_dead:
            # What belongs to nobody now may again: a user takes an edit back.
            kept = newest & np.isin(numbers, self._passages())
            if (~kept).sum() > most_dead:
                self._make_anew(kept)
                self._arrange()
                return
        rows = np.flatnonzero(alive)
        # In the order in which things happened, session by session.
        threads = self._connection.execute(SQL["threads"], self._range).fetchall()
        numbers_in_order = np.array([number for number, _ in threads], np.int64)
        by_number = np.argsort(numbers_in_order)
        owner = table["entry"][at[rows]]
        place = by_number[np.searchsorted(numbers_in_order, owner, sorter=by_number)]
        order = np.argsort(place, kind="stable")
        place = place[order]
        self._order = rows[order]
        self._numbers = numbers[self._order]
        self._starts = np.flatnonzero(np.diff(place, prepend=-1))
        self._entries = owner[order][self._starts]
        self._by_number = np.argsort(self._entries)
        self._follows = _follows([threads[at][1] for at in place[self._starts]])
        self._signs = None
        took = time.monotonic() - began
        self._rest_until = time.monotonic() + (REST * took if took > SLOW else 0.0)

    def _passages(self) -> list[int]:
        """Return every passage there is, whoever it belongs to."""
        return [number for (number,) in self._connection.execute(SQL["passages"], self._range)]

    def _make_anew(self, rows: Any) -> None:
        kept = self._rows[rows]
        beside = self._path.with_suffix(".new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_TRUNC | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(kept.tobytes())
        os.replace(beside, self._path)
        self._map()

    def find(self, question: "NDArray[np.float32]", limit: int) -> ByMeaning:
        """Return the entries nearest to *question*."""
        import numpy as np  # noqa: PLC0415

        if self._entries is None or not len(self._entries):
            return ByMeaning()
        scores = self._scores(question)[self._order]
        best = np.maximum.reduceat(scores, self._starts)
        smoothed = best.copy()
        smoothed[1:] += np.where(self._follows, best[:-1], 0) / 2
        smoothed[:-1] += np.where(self._follows, best[1:], 0) / 2
        return ByMeaning(
            nearest=self._named(best, _top(best, limit)),
            smoothed=self._named(smoothed, _top(smoothed, limit)),
            everyone=(
                Compared(
                    entries=self._entries[self._by_number],
                    places=self._by_number,
                    starts=self._starts,
                    keys=self._numbers,
                    scores=scores,
                ),
            ),
        )

    def _named(self, scores: Any, places: Any) -> dict[int, float]:
        return dict(zip(self._entries[places].tolist(), scores[places].tolist(), strict=True))

    def _scores(self, question: "NDArray[np.float32]") -> Any:
        """Return how near each row is to *question*."""
        import numpy as np  # noqa: PLC0415

        if len(self._rows) > EXACT_ROWS:
            return self._scores_by_signs(question)
        scores = np.empty(len(self._rows), np.float32)
        vectors = self._rows["vector"]
        # Unpacked into the same place each time: fresh memory would cost more than the sums.
        unpacked = np.empty((BLOCK, vectors.shape[1]), np.float32)
        for first in range(0, len(scores), BLOCK):
            packed = vectors[first : first + BLOCK]
            np.copyto(unpacked[: len(packed)], packed)
            np.dot(unpacked[: len(packed)], question, out=scores[first : first + BLOCK])
        scores *= self._rows["scale"]
        return scores

    def _scores_by_signs(self, question: "NDArray[np.float32]") -> Any:
        """Return how near each row is: a guess from the signs, exact for the likeliest."""
        import numpy as np  # noqa: PLC0415

        if self._signs is None:
            self._signs = np.concatenate(
                [
                    np.packbits(self._rows["vector"][first : first + BLOCK] > 0, axis=1)
                    for first in range(0, len(self._rows), BLOCK)
                ]
            )
        asked = np.packbits(question > 0)
        differing = np.bitwise_count(self._signs ^ asked).sum(axis=1, dtype=np.int32)
        # The angle between two vectors is the share of signs in which they differ.
        scores = np.cos(np.pi * differing / len(question)).astype(np.float32)
        likely = _top(scores, max(CANDIDATES, int(MOST_LIKELY * len(scores))))
        exact = self._rows["vector"][likely].astype(np.float32) @ question
        scores[likely] = exact * self._rows["scale"][likely]
        return scores


def _follows(sessions: Sequence[str]) -> Any:
    """Return for each entry but the first whether it follows the one before in its session."""
    import numpy as np  # noqa: PLC0415

    return np.array([bool(a) and a == b for a, b in pairwise(sessions)], bool)


def _top(scores: Any, limit: int) -> Any:
    """Return where the *limit* largest scores stand, largest first."""
    import numpy as np  # noqa: PLC0415

    if len(scores) > limit:
        chosen = np.argpartition(-scores, limit)[:limit]
    else:
        chosen = np.arange(len(scores))
    return chosen[np.argsort(-scores[chosen], kind="stable")]


def _first(limit: int, *found: Mapping[int, float]) -> dict[int, float]:
    """Return the *limit* largest of several."""
    pooled = [(-score, number) for one in found for number, score in one.items()]
    return {number: -score for score, number in sorted(pooled)[:limit]}
