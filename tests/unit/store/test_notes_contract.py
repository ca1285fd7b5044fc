"""The promises of a store of notes, kept in folders and in memory."""

from pathlib import Path

import pytest

from recollect import files
from recollect.store.contract.notes import NoteKey, NoteStore
from recollect.store.files.notes import FileNotes
from recollect.store.memory.notes import MemoryNotes
from recollect.testing import NotesContract


class TestFiles(NotesContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path

    def make(self, project: str = "shop-1f") -> NoteStore:
        return FileNotes(self._folder / project)

    def edit(self, store: NoteStore, key: NoteKey, text: str | None) -> None:
        path = Path(store.location(key))
        if text is None:
            path.unlink()
        else:
            files.write(path, text)


class TestMemory(NotesContract):
    def make(self, project: str = "shop-1f") -> NoteStore:
        return MemoryNotes(project)

    def edit(self, store: NoteStore, key: NoteKey, text: str | None) -> None:
        assert isinstance(store, MemoryNotes)
        store.put(key, text)
