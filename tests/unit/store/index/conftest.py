from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.store.sqlite.index import vectors
from tests.builders.index import Shelf


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was embedded a moment ago is found at once, however busy the machine is."""
    monkeypatch.setattr(vectors, "REST", 0)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.index.close()
