from tests.unit.store.index.conftest import no_rest, shelf

__all__ = ["no_rest", "shelf"]
