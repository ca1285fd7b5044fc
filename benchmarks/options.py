"""What a run was asked to do."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run was asked to do; every part takes what it needs of it."""

    data: Path
    """The folder with the data that is not part of the project."""
    runs: int
    """How often a process is started to be measured."""
    large: bool
    """Also build homes of 100,000 and 1,000,000 entries."""
    homes: Path | None
    """Where homes that take long to build stay for the next run."""
    memsearch: bool
    """Also install and measure memsearch."""
