"""Any model that the library fastembed knows, for other languages and larger machines.

An extra, because it brings many packages. The texts stay on this machine; the library fetches the
model from the net when it is first used.
"""

import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from recollect.embedders import telemetry, unit
from recollect.errors import EmbedderError

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector, Vectors

# English is served by the bundled model; this one is small and knows fifty languages.
DEFAULT_MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"

# The library would take 256, and gigabytes with them.
BATCH = 8


class FastEmbed:
    """A model of fastembed's, loaded with the first text and kept."""

    is_remote = False

    def __init__(self, model: str = DEFAULT_MODEL) -> None:
        self.name = f"fastembed/{model}"
        self._model = model
        self._loading = threading.Lock()
        self._loaded: Any = None

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        size: int = self._ready().embedding_size
        return size

    def documents(self, texts: Sequence[str]) -> "Vectors":
        """Return a row of unit length for each of *texts*."""
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        plain = [_plain(text) for text in texts]
        return self._rows(self._ready().passage_embed(plain, batch_size=BATCH), count=len(texts))

    def question(self, text: str) -> "Vector":
        """Return the vector of *text* as a question, which some models tell from a document."""
        vector: Vector = self._rows(self._ready().query_embed(_plain(text)), count=1)[0]
        return vector

    def _rows(self, answered: Iterable[object], *, count: int) -> "Vectors":
        return unit.rows(list(answered), count=count, dimensions=self.dimensions, where=self.name)

    def _ready(self) -> Any:
        """The library's `TextEmbedding`, which has no types that we could rely on."""
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._model)
            return self._loaded


def _load(model: str) -> Any:
    telemetry.switch_off()
    try:
        from fastembed import TextEmbedding  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise EmbedderError(
            f"fastembed: {error}",
            kind="missing",
            hint="pip install 'recollect[fastembed]', or set embedder.kind to minilm.",
        ) from error
    if model not in [known["model"] for known in TextEmbedding.list_supported_models()]:
        raise EmbedderError(
            f"fastembed knows no model {model}",
            kind="missing",
            hint="Set embedder.model to one that fastembed lists.",
        )
    try:
        return TextEmbedding(model_name=model, threads=1)
    except (OSError, ValueError, RuntimeError) as error:
        raise EmbedderError(
            f"fastembed: {model} could not be fetched or loaded: {error}",
            kind="unreachable",
            hint="The model is fetched from the net once: try again when there is a connection.",
        ) from error


def _plain(text: str) -> str:
    """*text* without halves of a pair, which the library cannot read."""
    return text.encode("utf-8", "replace").decode()
