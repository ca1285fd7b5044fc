"""Any server that speaks OpenAI's `/v1/embeddings`: OpenAI, Ollama, LM Studio, vLLM.

Whatever is sent is redacted once more, also to a server on this machine: it may hand the texts on.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from recollect.embedders import unit
from recollect.embedders.endpoint import Endpoint
from recollect.privacy import redact

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector, Vectors

MOST_TEXTS = 64
MOST_CHARACTERS = 100_000

# Fits into the 8,192 tokens of the larger models in any language; smaller ones cut by themselves.
LONGEST_TEXT = 6_000

# Servers refuse an empty text.
INSTEAD_OF_NOTHING = "."


class ServerEmbedder:
    """A model that a server offers. Nothing is sent before the first text."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        dimensions: int | None = None,
        longest_text: int = LONGEST_TEXT,
    ) -> None:
        self.name = f"openai/{endpoint.host}/{model}"
        self.is_remote = endpoint.is_remote
        self._endpoint = endpoint
        self._model = model
        self._dimensions = dimensions
        self._longest_text = longest_text

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has; the server is asked if it has not answered yet."""
        return self._dimensions or len(self.question(INSTEAD_OF_NOTHING))

    def documents(self, texts: Sequence[str]) -> "Vectors":
        """Return a row of unit length for each of *texts*; the end of a long one is not sent."""
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        sent = [self._sent(text) for text in texts]
        return np.concatenate([self._vectors(batch) for batch in batches(sent)])

    def question(self, text: str) -> "Vector":
        """Return the same vector that *text* has as a document."""
        vector: Vector = self._vectors([self._sent(text)])[0]
        return vector

    def _sent(self, text: str) -> str:
        cleaned = redact.clean(text)[: self._longest_text]
        if not cleaned.strip():
            return INSTEAD_OF_NOTHING
        return cleaned.encode("utf-8", "replace").decode()

    def _vectors(self, texts: list[str]) -> "Vectors":
        answer: Any = self._endpoint.post("/embeddings", {"model": self._model, "input": texts})
        try:
            numbered = {one["index"]: one["embedding"] for one in answer["data"]}
            in_order = [numbered[number] for number in range(len(answer["data"]))]
        except (LookupError, TypeError) as error:
            what = "answered with something else than vectors"
            raise self._endpoint.trouble("broken", what) from error
        vectors = unit.rows(
            in_order, count=len(texts), dimensions=self._dimensions, where=self._endpoint.host
        )
        self._dimensions = vectors.shape[1]
        return vectors


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Cut *texts*, in order, into lists that a server takes at once.

    >>> [len(batch) for batch in batches(["short"] * 100 + ["x" * 60_000] * 2)]
    [64, 37, 1]
    """
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or size + len(text) > MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
