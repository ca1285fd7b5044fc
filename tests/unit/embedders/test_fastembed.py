"""The optional library fastembed.

Its models come from the net, so the calls are tested with a stand-in for the library that has its
names, its refusals and the bundled model's vectors; what is tested for real is that it is missing.
"""

import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, ClassVar

import pytest

from recollect.embedders.fastembed import FastEmbed
from recollect.errors import EmbedderError
from recollect.testing import EmbedderContract
from tests.unit.embedders.encoder import MINILM

MODEL = "some/model"


class TextEmbedding:
    """fastembed's class, as far as we call it (0.9): generators of arrays, not of unit length."""

    embedding_size = 384
    asked: ClassVar[list[str]] = []

    def __init__(self, model_name: str, threads: int) -> None:
        if model_name == "some/model-not-here":
            raise ValueError(f"Could not load model {model_name} from any source.")

    @staticmethod
    def list_supported_models() -> list[dict[str, Any]]:
        return [{"model": MODEL, "dim": 384}, {"model": "some/model-not-here", "dim": 384}]

    def passage_embed(self, texts: Iterable[str], batch_size: int) -> Iterator[Any]:
        self.asked.append("passage")
        for text in texts:
            text.encode("utf-8")  # The library cannot take half a pair.
            yield MINILM.question(text) * 3

    def query_embed(self, query: str) -> Iterator[Any]:
        self.asked.append("query")
        yield MINILM.question(query) * 3


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in, where the library would be."""
    module = ModuleType("fastembed")
    vars(module)["TextEmbedding"] = TextEmbedding
    monkeypatch.setitem(sys.modules, "fastembed", module)


@pytest.mark.usefixtures("library")
class TestFastEmbed(EmbedderContract):
    def make(self) -> FastEmbed:
        return FastEmbed(MODEL)


@pytest.mark.usefixtures("library")
def test_a_question_is_asked_as_a_question_and_a_document_as_a_passage() -> None:
    embedder = FastEmbed(MODEL)
    TextEmbedding.asked.clear()

    embedder.documents(["one"])
    embedder.question("two")

    assert TextEmbedding.asked == ["passage", "query"]


@pytest.mark.usefixtures("library")
def test_an_unknown_model_is_an_error() -> None:
    with pytest.raises(EmbedderError, match="knows no model some/other") as raised:
        FastEmbed("some/other").question("one")

    assert raised.value.kind == "missing"


@pytest.mark.usefixtures("library")
def test_a_model_that_cannot_be_fetched_is_an_error() -> None:
    with pytest.raises(EmbedderError, match="could not be fetched") as raised:
        FastEmbed("some/model-not-here").documents(["one"])

    assert raised.value.kind == "unreachable"


def test_without_the_library_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)

    with pytest.raises(EmbedderError) as raised:
        FastEmbed().documents([])

    assert raised.value.kind == "missing"
    assert "pip install 'recollect[fastembed]'" in raised.value.hint


def test_nothing_is_loaded_before_the_first_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)

    embedder = FastEmbed(MODEL)

    assert (embedder.name, embedder.is_remote) == ("fastembed/some/model", False)
