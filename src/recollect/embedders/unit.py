"""Vectors of unit length, made of whatever a server or a library answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.errors import EmbedderError

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vectors


def rows(
    answered: Sequence[object], *, count: int, dimensions: int | None, where: str
) -> "Vectors":
    """Return the vectors *answered*, each brought to unit length.

    Raises `EmbedderError`, naming *where*, unless there are *count* of them, all of the same
    number of *dimensions*, and each is made of numbers and points somewhere.
    """
    import numpy as np  # noqa: PLC0415 - only where vectors are made

    if len(answered) != count:
        raise _broken(where, f"{len(answered)} vectors for {count} texts")
    try:
        vectors = np.array(answered, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise _broken(where, "vectors that are none") from error
    if vectors.ndim != 2 or vectors.shape[1] == 0:
        raise _broken(where, "vectors that are none")
    if dimensions is not None and vectors.shape[1] != dimensions:
        raise _broken(where, f"vectors of {vectors.shape[1]} dimensions instead of {dimensions}")
    # Divided by the largest first: the square of a large number may be too large to write.
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all() or not largest.all():
        raise _broken(where, "vectors that point nowhere")
    vectors /= largest
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _broken(where: str, what: str) -> EmbedderError:
    return EmbedderError(
        f"{where}: answered with {what}",
        kind="broken",
        hint="Check that embedder.model names a model for embeddings.",
    )
