from tests.unit.pipeline.conftest import desk

__all__ = ["desk"]
