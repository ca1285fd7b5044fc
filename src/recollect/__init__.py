"""Recollect gives coding agents a memory."""

# Part of the hot path, where `typing` costs too much; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.app.memory import Memory

__version__ = "0.1.0"
__all__ = ["Memory"]


def __getattr__(name: str) -> object:
    """Load what programs use only for those that use it."""
    if name == "Memory":
        from recollect.app import memory  # noqa: PLC0415 - the hooks import this package, too

        return memory.Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
