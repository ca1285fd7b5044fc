"""A server that speaks OpenAI's `/v1/embeddings`: what it is sent, and what its answers mean."""

import json
import socket
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest

from recollect.embedders import openai
from recollect.embedders.endpoint import Endpoint
from recollect.embedders.openai import ServerEmbedder
from recollect.errors import EmbedderError
from recollect.testing import TEXTS, EmbedderContract
from tests.unit.embedders.encoder import MINILM
from tests.unit.embedders.server import Server

# Put together here, so that nobody's scanner takes this file for a leak.
SECRET = "ghp" + "_" + "0123456789abcdefghijABCDEFGHIJ012345"


def embedder_for(server: Server, *, url: str = "", key: str = "", **how: Any) -> ServerEmbedder:
    endpoint = Endpoint(url or server.url, key=key, timeout=how.pop("timeout", 20.0))
    return ServerEmbedder(endpoint, "minilm", **how)


def trouble(server: Server, **how: Any) -> EmbedderError:
    """The error with which a question to *server* ends."""
    with pytest.raises(EmbedderError) as raised:
        embedder_for(server, **how).question("Why is the orders page slow?")
    return raised.value


class TestOpenAI(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _server(self, server: Server) -> None:
        self.server = server

    def make(self) -> ServerEmbedder:
        return embedder_for(self.server)


class TestWhatIsSent:
    def test_the_model_and_the_texts_go_to_embeddings_below_the_url(self, server: Server) -> None:
        embedder_for(server).documents(["one", "two"])

        (asked,) = server.asked
        assert asked.path == "/v1/embeddings"
        assert asked.body == {"model": "minilm", "input": ["one", "two"]}

    @pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
    def test_the_version_may_be_left_out_of_the_url(self, server: Server, path: str) -> None:
        embedder_for(server, url=f"http://{server.host}{path}").question("one")

        assert server.asked[0].path == "/v1/embeddings"

    def test_a_path_of_ones_own_is_kept(self, server: Server) -> None:
        embedder_for(server, url=f"http://{server.host}/proxy/v4").question("one")

        assert server.asked[0].path == "/proxy/v4/embeddings"

    def test_the_key_is_sent_if_there_is_one(self, server: Server) -> None:
        embedder_for(server, key="k-123").question("one")
        embedder_for(server).question("one")

        with_key, without = server.asked
        assert with_key.headers["Authorization"] == "Bearer k-123"
        assert "Authorization" not in without.headers

    def test_secrets_and_private_blocks_are_not(self, server: Server) -> None:
        text = f"token {SECRET} <private>my salary</private> end"

        embedder = embedder_for(server)
        embedder.question(text)
        embedder.documents([text])

        for asked in server.asked:
            assert asked.body["input"] == ["token [secret:github-token]  end"]

    def test_a_secret_is_not_hidden_from_redaction_by_the_cut(self, server: Server) -> None:
        embedder_for(server, longest_text=20).question(f"12345678 {SECRET}")

        assert server.asked[0].body["input"] == ["12345678 [secret:git"]

    def test_the_end_of_a_long_text_is_not(self, server: Server) -> None:
        embedder_for(server).question("x" * 100_000)

        (sent,) = server.asked[0].body["input"]
        assert sent == "x" * openai.LONGEST_TEXT

    @pytest.mark.parametrize("text", ["", " \n", "<private>all of it</private>"])
    def test_instead_of_nothing_a_sign_is_sent(self, server: Server, text: str) -> None:
        embedder_for(server).question(text)

        assert server.asked[0].body["input"] == ["."]

    def test_many_texts_go_in_several_calls_and_come_back_in_order(self, server: Server) -> None:
        texts = [f"text number {number}" for number in range(70)]

        vectors = embedder_for(server).documents(texts)

        assert [len(asked.body["input"]) for asked in server.asked] == [64, 6]
        assert np.allclose(vectors, MINILM.documents(texts), atol=1e-5)

    def test_large_texts_go_in_several_calls_too(self, server: Server) -> None:
        embedder_for(server, longest_text=60_000).documents(["x " * 30_000] * 3)

        assert [len(asked.body["input"]) for asked in server.asked] == [1, 1, 1]


class TestDimensions:
    def test_are_learned_from_the_first_answer(self, server: Server) -> None:
        embedder = embedder_for(server)
        embedder.question("one")

        assert embedder.dimensions == 384
        assert len(server.asked) == 1

    def test_are_asked_for_if_there_was_none(self, server: Server) -> None:
        assert embedder_for(server).dimensions == 384

    def test_may_be_said_beforehand(self, server: Server) -> None:
        embedder = embedder_for(server, dimensions=384)

        assert embedder.documents([]).shape == (0, 384)
        assert server.asked == []

    def test_that_change_are_an_error(self, server: Server) -> None:
        embedder = embedder_for(server)
        embedder.question("one")
        server.answers({"data": [{"index": 0, "embedding": [1.0, 2.0]}]})

        with pytest.raises(EmbedderError, match="2 dimensions instead of 384") as raised:
            embedder.question("two")

        assert raised.value.kind == "broken"


def test_the_name_tells_models_and_servers_apart(server: Server) -> None:
    endpoint = Endpoint(server.url, timeout=1)
    elsewhere = Endpoint("https://api.example.com/v1", timeout=1)

    names = {
        ServerEmbedder(endpoint, "a").name,
        ServerEmbedder(endpoint, "b").name,
        ServerEmbedder(elsewhere, "a").name,
    }

    assert len(names) == 3


class TestTrouble:
    @pytest.mark.parametrize(
        ("status", "kind"),
        [
            (400, "broken"),
            (401, "refused"),
            (403, "refused"),
            (404, "missing"),
            (422, "broken"),
            (429, "busy"),
            (500, "unreachable"),
            (503, "unreachable"),
        ],
    )
    def test_a_status_has_its_kind(self, server: Server, status: int, kind: str) -> None:
        server.answers({"error": {"message": "…"}}, status=status)

        error = trouble(server)

        assert error.kind == kind
        assert error.message == f"{server.host}: answered {status}"
        assert error.hint

    def test_the_servers_word_for_it_is_shown(self, server: Server) -> None:
        server.answers({"error": {"code": "model_not_found", "message": "…"}}, status=404)

        assert trouble(server).message == f"{server.host}: answered 404 (model_not_found)"

    @pytest.mark.parametrize(
        "body",
        [
            {"error": {"code": "orders page slow", "message": "orders page slow"}},
            {"detail": [{"input": "orders page slow"}]},
            {"error": "orders page slow"},
            ["orders page slow"],
            b"orders page slow",
        ],
    )
    def test_what_the_server_says_is_not_since_it_may_quote_the_texts(
        self, server: Server, body: object
    ) -> None:
        server.answers(body, status=400)

        assert "orders" not in trouble(server).message

    @pytest.mark.parametrize("header", ["7", "7.0"])
    def test_a_busy_server_says_how_long_to_wait(self, server: Server, header: str) -> None:
        server.answers(status=429, headers={"Retry-After": header})

        assert trouble(server).retry_after == 7

    def test_or_until_when(self, server: Server) -> None:
        server.answers(status=429, headers={"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"})
        server.answers(status=429, headers={"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"})

        assert (trouble(server).retry_after or 0) > 1_000_000
        assert trouble(server).retry_after == 0

    @pytest.mark.parametrize("header", ["", "soon", "-1", "nan", "Fri, 99 Foo 2100", "9" * 400])
    def test_nonsense_is_no_time_to_wait(self, server: Server, header: str) -> None:
        server.answers(status=429, headers={"Retry-After": header})

        assert trouble(server).retry_after is None

    def test_nobody_at_the_address(self, server: Server) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]

        assert trouble(server, url=f"http://127.0.0.1:{port}/v1").kind == "unreachable"

    @pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".invalid"])
    def test_no_such_address(self, server: Server, host: str) -> None:
        assert trouble(server, url=f"https://{host}/v1").kind == "unreachable"

    def test_a_server_that_speaks_something_else(self, server: Server) -> None:
        assert trouble(server, url=f"https://{server.host}/v1").kind == "unreachable"

    def test_a_server_that_hangs_up(self, server: Server) -> None:
        server.script.append(lambda handler: handler.connection.shutdown(socket.SHUT_RDWR))

        assert trouble(server).kind == "unreachable"

    @pytest.mark.parametrize("promised", ["1000", str(10**15)])
    def test_an_answer_that_stops_half_way(self, server: Server, promised: str) -> None:
        server.answers(b'{"data": [', headers={"Content-Length": promised})

        assert trouble(server).kind == "unreachable"

    def test_an_answer_that_never_comes(self, server: Server) -> None:
        server.script.append(lambda _: server.ended.wait(20))

        error = trouble(server, timeout=0.1)

        assert error.kind == "slow"
        assert "0.1 s" in error.message

    def test_an_answer_that_never_ends(self, server: Server) -> None:
        def drip(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(200)
            handler.end_headers()
            try:
                while not server.ended.wait(0.01):
                    handler.wfile.write(b" ")
            except OSError:
                pass  # Nobody listens any more.

        server.script.append(drip)

        assert trouble(server, timeout=0.2).kind == "slow"

    def test_an_answer_that_is_too_large(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("recollect.embedders.endpoint.LARGEST_ANSWER", 1_000)

        assert trouble(server).kind == "unreachable"


def vectors(*embeddings: object, first: int = 0) -> dict[str, object]:
    """An answer with *embeddings*, numbered."""
    rows = [{"index": n, "embedding": one} for n, one in enumerate(embeddings, first)]
    return {"data": rows}


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b"[" * 100_000,
        b"\xff\xfe",
        None,
        [],
        "data",
        {},
        {"data": None},
        {"data": [1, 2]},
        {"data": [{"index": 0}]},
        {"data": [{"embedding": [1.0]}]},
        {"data": [{"index": [0], "embedding": [1.0]}]},
        vectors(),
        vectors([1.0], [1.0]),
        vectors([1.0], first=1),
        vectors([]),
        vectors([[1.0]]),
        vectors(1.0),
        vectors("AACAPw=="),
        vectors(None),
        vectors([1.0, None]),
        vectors([1.0, "x"]),
        vectors([1.0, {}]),
        vectors([0.0, 0.0]),
        vectors([float("nan"), 1.0]),
        vectors([float("inf"), 1.0]),
        vectors([10**400, 1]),
    ],
    ids=lambda answer: str(answer)[:40],
)
def test_an_answer_without_a_vector_for_each_text_is_broken(server: Server, answer: object) -> None:
    server.answers(answer)

    assert trouble(server).kind == "broken"


def test_vectors_of_different_lengths_are_broken(server: Server) -> None:
    server.answers(vectors([1.0, 2.0], [1.0]))

    with pytest.raises(EmbedderError) as raised:
        embedder_for(server).documents(["one", "two"])

    assert raised.value.kind == "broken"


@pytest.mark.parametrize("vector", [[3.0, 4.0], [3, 4], [3e200, 4e200], [3e-200, 4e-200]])
def test_a_vector_of_any_length_is_brought_to_one(server: Server, vector: list[float]) -> None:
    server.answers(vectors(vector))

    assert np.allclose(embedder_for(server).question("one"), [0.6, 0.8])


class TestWhoGetsTheKey:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_is_not_followed(self, server: Server, status: int) -> None:
        with Server() as other:
            server.answers(status=status, headers={"Location": f"{other.url}/embeddings"})

            error = trouble(server, key="k-123")

            assert error.kind == "missing"
            assert other.asked == []

    def test_no_other_machine_gets_it_unencrypted(self) -> None:
        with pytest.raises(EmbedderError, match="unencrypted") as raised:
            Endpoint("http://api.example.com/v1", key="k-123", timeout=1)

        assert raised.value.kind == "refused"
        assert "k-123" not in str(raised.value) + raised.value.hint

    @pytest.mark.parametrize(
        ("url", "key"),
        [
            ("https://api.example.com/v1", "k-123"),
            ("http://api.example.com/v1", ""),
            ("http://localhost:11434", "k-123"),
            ("http://[::1]:11434", "k-123"),
        ],
    )
    def test_where_it_is_safe_or_there_is_none_the_endpoint_is_taken(
        self, url: str, key: str
    ) -> None:
        assert Endpoint(url, key=key, timeout=1).host in url

    def test_a_server_on_this_machine_is_asked_without_a_proxy(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Server() as proxy:
            monkeypatch.setenv("http_proxy", f"http://{proxy.host}")

            embedder_for(server, key="k-123").question("one")

            assert proxy.asked == []

    def test_another_machine_is_asked_through_the_proxy_of_the_environment(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Server() as proxy:
            monkeypatch.setenv("http_proxy", f"http://{proxy.host}")

            embedder_for(proxy, url="http://api.example.com/v1").question("one")

            assert proxy.asked[0].path == "http://api.example.com/v1/embeddings"


@pytest.mark.parametrize(
    ("url", "is_remote"),
    [
        ("http://localhost:11434/v1", False),
        ("http://LOCALHOST/v1", False),
        ("http://127.0.0.1:1234", False),
        ("http://127.5.5.5:1234", False),
        ("http://[::1]:1234", False),
        ("https://api.openai.com/v1", True),
        ("http://192.168.0.7:11434", True),
        ("http://0.0.0.0:11434", True),
        ("http://localhost.example.com", True),
        ("http://127.0.0.1.example.com", True),
        ("http://localhost.", True),
    ],
)
def test_only_this_machine_is_not_remote(url: str, is_remote: bool) -> None:
    assert ServerEmbedder(Endpoint(url, timeout=1), "m").is_remote is is_remote


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://localhost/v1",
        "file:///etc/passwd",
        "http://",
        "http:///v1",
        "http://ada:secret@example.com/v1",
        "http://localhost\\@example.com/v1",
        "http://localhost:notaport/v1",
        "http://localhost:99999999/v1",
        "http://localhost/v1?key=secret",
        "http://localhost/v1#secret",
        "http://local host/v1",
        "http://localhost/v1\r\nX-Injected: 1",
        "http://[::1/v1",
        "http://exämple.com/v1",
    ],
)
def test_what_is_no_address_of_a_server_is_said_to_be_none(url: str) -> None:
    with pytest.raises(EmbedderError, match=r"embedder\.url is not") as raised:
        Endpoint(url, timeout=1)

    assert "secret" not in str(raised.value) + raised.value.hint


def test_the_texts_are_plain_json(server: Server) -> None:
    embedder_for(server).documents([*TEXTS, "half \ud800 a pair", "ünïcode 字 👍"])

    sent = json.dumps(server.asked[0].body, ensure_ascii=False).encode("utf-8")
    assert b"half ? a pair" in sent
    assert "ünïcode 字 👍".encode() in sent
