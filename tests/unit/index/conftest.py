from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.index.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path)
    yield shelf
    shelf.index.close()
