from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from recollect.store.contract.state import StateStore
from recollect.store.memory.state import MemoryState
from recollect.store.sqlite.state.database import open_state


@pytest.fixture(params=["sqlite", "memory"])
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StateStore]:
    """A state of each kind."""
    made = MemoryState() if request.param == "memory" else open_state(str(tmp_path / "home"))
    with closing(made) as opened:
        yield opened


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[StateStore]:
    """A state that is kept in a file."""
    with closing(open_state(str(tmp_path / "home"))) as opened:
        yield opened
