import os
from collections.abc import Iterator

import pytest

from tests.unit.embedders.server import Server


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test is answered by the developer's own proxy."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[Server]:
    """A server for embeddings on this machine, for the test to script."""
    with Server() as server:
        yield server
