"""The bundled encoder, loaded once for all tests."""

from recollect.index.embedders.minilm import MiniLM

MINILM = MiniLM()
