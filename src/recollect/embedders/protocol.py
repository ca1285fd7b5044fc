"""What an embedder is. `recollect.testing.EmbedderContract` holds every one to it.

Nothing here imports numpy, which takes longer to load than most commands take to run.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of unit length. Every method may raise `EmbedderError`."""

    @property
    def name(self) -> str:
        """Which space its vectors live in; those of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""

    @property
    def is_remote(self) -> bool:
        """Whether the texts leave this machine."""

    def documents(self, texts: Sequence[str]) -> "Vectors":
        """Return a row for each of *texts*, in their order."""

    def question(self, text: str) -> "Vector":
        """Return the vector that lies close to the documents which answer *text*."""
