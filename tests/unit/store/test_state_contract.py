"""The promises of a state, kept by SQLite and in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.store.contract.state import StateStore
from recollect.store.memory.state import MemoryState
from recollect.store.sqlite.state.database import open_state
from recollect.testing import StateContract


class TestSqlite(StateContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> Iterator[None]:
        self._folder = tmp_path
        self._made: list[StateStore] = []
        yield
        for made in self._made:
            made.close()

    def make(self) -> StateStore:
        self._made.append(open_state(str(self._folder / str(len(self._made)))))
        return self._made[-1]


class TestMemory(StateContract):
    def make(self) -> StateStore:
        return MemoryState()
