"""The embedder that the settings name; none that sends texts away unasked."""

from pathlib import Path
from typing import Any

import pytest

from recollect.embedders import choose
from recollect.embedders.fastembed import FastEmbed
from recollect.embedders.minilm import MiniLM
from recollect.embedders.protocol import Embedder
from recollect.errors import EmbedderError
from tests.unit.embedders.server import Server


def refused(kind: str, **settings: Any) -> EmbedderError:
    with pytest.raises(EmbedderError) as raised:
        choose.chosen(kind, **settings)
    return raised.value


def openai(server: Server, **settings: Any) -> Embedder:
    embedder = choose.chosen("openai", **{"model": "m", "url": server.url, **settings})
    assert embedder
    return embedder


def test_none_is_none() -> None:
    assert choose.chosen("none") is None


def test_minilm_is_the_bundled_model() -> None:
    assert isinstance(choose.chosen("minilm"), MiniLM)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("BAAI/bge-small-en-v1.5", "fastembed/BAAI/bge-small-en-v1.5"),
        ("", "fastembed/sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"),
    ],
)
def test_fastembed_takes_its_model_or_one_for_many_languages(model: str, name: str) -> None:
    embedder = choose.chosen("fastembed", model=model)

    assert isinstance(embedder, FastEmbed)
    assert embedder.name == name


def test_an_unknown_kind_is_an_error_that_lists_those_there_are() -> None:
    error = refused("word2vec")

    assert error.message == "embedder.kind: there is no word2vec"
    assert error.hint == "It is one of minilm, openai, fastembed, none."


def test_openai_needs_a_model_and_a_url() -> None:
    assert refused("openai", url="http://localhost").message == "embedder.model is not set"
    assert refused("openai", model="m").message == "embedder.url is not set"


def test_a_server_on_this_machine_needs_no_leave(server: Server) -> None:
    assert openai(server).question("one").shape == (384,)


def test_another_machine_does_and_the_message_says_what_to_set() -> None:
    error = refused("openai", model="m", url="https://api.example.com/v1")

    assert error.kind == "refused"
    assert error.message == "api.example.com: memories may not be sent to another machine"
    assert "embedder.may_send" in error.hint


def test_with_leave_it_is_taken() -> None:
    embedder = choose.chosen("openai", model="m", url="https://api.example.com", may_send=True)

    assert embedder
    assert embedder.is_remote


def test_the_key_is_read_from_its_file(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("k-123\n")

    openai(server, key_file=str(file)).question("one")

    assert server.asked[0].headers["Authorization"] == "Bearer k-123"


def test_the_file_may_be_named_from_home(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "key").write_text("k-123")

    openai(server, key_file="~/key").question("one")

    assert server.asked[0].headers["Authorization"] == "Bearer k-123"


@pytest.mark.parametrize("content", [b"", b" \n", b"k-123\nX-Injected: 1", b"k 123", b"\xff\xfe"])
def test_a_file_that_holds_no_key_is_named_but_not_quoted(
    server: Server, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "secret-file"
    file.write_bytes(content)

    error = refused("openai", model="m", url=server.url, key_file=str(file))

    assert error.kind == "missing"
    assert str(file) in error.message
    assert "123" not in error.message.replace(str(tmp_path), "")


def test_a_key_file_that_is_not_there_is_named(server: Server, tmp_path: Path) -> None:
    error = refused("openai", model="m", url=server.url, key_file=str(tmp_path / "none"))

    assert error.message == f"embedder.key_file: {tmp_path / 'none'}: No such file or directory"


def test_how_long_to_wait_is_passed_on(server: Server) -> None:
    server.script.append(lambda _: server.ended.wait(20))

    with pytest.raises(EmbedderError) as raised:
        openai(server, timeout=0.1).question("one")

    assert raised.value.kind == "slow"
