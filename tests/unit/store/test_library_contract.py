"""The promises of a library, kept in folders and in memory."""

from datetime import UTC
from pathlib import Path

import pytest

from recollect import files
from recollect.store.files.library import open_library
from recollect.store.library import Library
from recollect.store.memory.library import MemoryDays, new_library
from recollect.testing import LibraryContract


class TestFiles(LibraryContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path

    def make(self, project: str = "shop-1f") -> Library:
        return open_library(self._folder / project, zone=UTC)

    def edit(self, library: Library, day: str, text: str) -> None:
        files.write(Path(library.location) / "journal" / f"{day}.md", text)


class TestMemory(LibraryContract):
    def make(self, project: str = "shop-1f") -> Library:
        return new_library(project, zone=UTC)

    def edit(self, library: Library, day: str, text: str) -> None:
        assert isinstance(library._days, MemoryDays)
        assert library._days.write(day, text, seen=library._days.version(day))
