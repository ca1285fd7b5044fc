"""The sentence encoder that comes with the package: works offline, at once, in English.

One text at a time. The scales of quantisation are measured over a whole batch, so in a batch
the vector of a text would depend on its neighbours; and batches of eight were no faster and
took a hundred megabytes more. See `minilm/PROVENANCE.md` for where the model comes from.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.embedders import telemetry, wordpiece
from recollect.errors import EmbedderError

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector, Vectors

FOLDER = Path(__file__).with_name("minilm")

# Where the published model cuts, too; it could take 512.
MOST_TOKENS = 256

# What onnxruntime calls the level.
ERRORS_ONLY = 3


class MiniLM:
    """all-MiniLM-L6-v2, 8 bits. Loads its model with the first text, and keeps it."""

    name = "minilm-l6-v2/1"
    dimensions = 384
    is_remote = False

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._loading = threading.Lock()
        self._model: _OnnxModel | None = None

    def documents(self, texts: Sequence[str]) -> "Vectors":
        """Return a row of unit length for each of *texts*; what a text says first counts."""
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self.question(text)
        return rows

    def question(self, text: str) -> "Vector":
        """Return the same vector that *text* has as a document."""
        vector: Vector = self._computed("sentence", text)[0]
        return vector

    def token_states(self, texts: Sequence[str]) -> "list[Vectors]":
        """Return a row for each word piece of each of *texts*, as the model sees it in there."""
        return [self._computed("tokens", text)[0, 1:-1] for text in texts]

    def _computed(self, output: str, text: str) -> "Vectors":
        import numpy as np  # noqa: PLC0415 - only where vectors are made

        model = self._loaded()
        numbers = np.array([model.words.numbers(text, most=MOST_TOKENS)], dtype=np.int64)
        inputs = {"input_ids": numbers, "attention_mask": np.ones_like(numbers)}
        (computed,) = model.session.run([output], inputs)
        vectors: Vectors = computed
        return vectors

    def _loaded(self) -> "_OnnxModel":
        with self._loading:
            if self._model is None:
                self._model = _load(self._folder)
            return self._model


class _OnnxModel(NamedTuple):
    words: wordpiece.WordPiece
    session: Any
    """An `onnxruntime.InferenceSession`; the library has no types."""


def _load(folder: Path) -> _OnnxModel:
    telemetry.switch_off()
    try:
        import onnxruntime  # noqa: PLC0415 - only where vectors are made
        from onnxruntime.capi import onnxruntime_pybind11_state as trouble  # noqa: PLC0415
    except ImportError as error:
        raise EmbedderError(
            f"onnxruntime: {error}",
            kind="missing",
            hint="Install Recollect again, or set embedder.kind to none.",
        ) from error
    onnxruntime.set_default_logger_severity(ERRORS_ONLY)
    options = onnxruntime.SessionOptions()
    # The worker shares the machine with somebody's builds: one thread, which sleeps when idle.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    unusable: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, *_errors(trouble))
    try:
        words = wordpiece.load(folder / "vocab.txt")
        # Resolved, so that the weights are looked for where the file is, not where a link is.
        model = str((folder / "model.onnx").resolve(strict=True))
        session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
    except unusable as error:
        raise EmbedderError(
            f"{folder}: the model cannot be loaded: {error}",
            kind="missing" if isinstance(error, FileNotFoundError) else "broken",
            hint="Install Recollect again, or set embedder.kind to none.",
        ) from error
    return _OnnxModel(words, session)


def _errors(module: ModuleType) -> tuple[type[Exception], ...]:
    """The exceptions of *module*. Those of onnxruntime have no base class of their own."""
    return tuple(
        one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Exception)
    )
