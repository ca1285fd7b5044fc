"""A desk at which events arrive."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.intake import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.app.close()
