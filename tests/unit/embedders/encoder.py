"""The bundled encoder, loaded once for all tests."""

from recollect.embedders.minilm import MiniLM

MINILM = MiniLM()
