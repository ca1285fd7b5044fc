"""Search by meaning in a real worker: it appears by itself, and nothing stops when it fails."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import line, paths, worker_client
from recollect.app.recollect import opened
from recollect.cli import quick
from tests.home import Home, repository, wait_for
from tests.remembering import remember
from tests.unit.embedders.server import Server

# It shares no word with the question that is asked for it.
PROMPT = "People are billed twice for a single purchase, find out why"
ANSWER = "The retry sent the payment again; the customer is charged once now."
QUESTION = "double charging on checkout"


@pytest.fixture
def shop(tmp_path: Path, home: Home) -> Path:
    folder = repository(tmp_path / "shop")
    remember(home, folder, prompt=PROMPT, answer=ANSWER)
    remember(home, folder, prompt="Paint the logo green", answer="It is green.", session="s-2")
    return folder


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


def asked(home: Home, question: str, folder: Path, *, min_score: float = 0.2) -> dict[str, Any]:
    """What the worker answers."""
    os.chdir(folder)
    request = quick.request(question, min_score=min_score, explain=True)
    reply = line.ask(paths.socket(str(home)), "search", request, seconds=20)
    assert reply, home.log()
    found: dict[str, Any] = json.loads(reply)
    return found


def nearness(found: dict[str, Any]) -> list[float | None]:
    """How near each result is; None for one that nobody compared."""
    signals = [one["why"]["signals"] for one in found["results"]]
    return [one["nearness"] if one["is_compared"] else None for one in signals]


def ready(home: Home) -> None:
    """Wait until every passage has its vector."""
    home.settle()
    wait_for(lambda: worker_client.status(str(home)).pending == 0)


def configure(home: Home, **settings: str) -> None:
    with opened(str(home)) as app:
        for key, value in settings.items():
            app.settings.set(f"embedder.{key}", value)


def test_what_shares_no_word_with_the_question_is_found(home: Home, shop: Path) -> None:
    ready(home)

    found = asked(home, QUESTION, shop)

    assert found["results"][0]["title"] == ANSWER
    assert found["notes"] == []


def test_without_vectors_words_answer_and_the_user_is_told(home: Home, shop: Path) -> None:
    with opened(str(home)) as app:
        found: dict[str, Any] = app.search.report(
            json.loads(quick.request("billed twice", project="shop"))
        )

    assert [one["title"] for one in found["results"]] == [ANSWER]
    assert found["notes"] == ["Keyword search only: no model was loaded."]


class TestAnEmbedderThatFails:
    @pytest.fixture(autouse=True)
    def broken(self, home: Home, shop: Path) -> None:
        configure(home, kind="openai", model="any", url="http://127.0.0.1:9/v1")
        home.settle()
        wait_for(lambda: bool(worker_client.status(str(home)).embedder_trouble))

    def test_words_answer_and_the_trouble_is_named(self, home: Home, shop: Path) -> None:
        found = asked(home, "billed twice", shop)

        assert [one["title"] for one in found["results"]] == [ANSWER]
        assert "Keyword search only" in found["notes"][0]

    def test_a_prompt_tells_of_it_once(self, home: Home, shop: Path) -> None:
        about = {"cwd": str(shop), "prompt": "Why are people billed twice for one purchase?"}

        first = str(home.hook("UserPromptSubmit", session_id="s-9", **about)["systemMessage"])
        second = str(home.hook("UserPromptSubmit", session_id="s-10", **about)["systemMessage"])

        assert "searches by keywords only" in first
        assert "searches by keywords only" not in second
        assert ANSWER[:20] in second

    def test_another_embedder_takes_over_at_once(self, home: Home, shop: Path) -> None:
        configure(home, kind="minilm")
        ready(home)

        assert asked(home, QUESTION, shop)["results"]
        assert not worker_client.status(str(home)).embedder_trouble


class TestAnotherEmbedder:
    def test_makes_every_vector_anew_and_then_answers_alone(
        self, home: Home, shop: Path, server: Server
    ) -> None:
        ready(home)
        configure(home, kind="openai", model="any", url=server.url)
        wait_for(lambda: bool(server.asked))
        ready(home)

        found = asked(home, QUESTION, shop)

        assert found["results"][0]["title"] == ANSWER
        assert server.asked[-1].body["input"] == [QUESTION]
        with opened(str(home)) as app:
            serving = app.inside.index.vectors.serving()
            assert serving is not None
            assert serving[1].startswith("openai/")

    def test_what_the_user_left_is_asked_nothing_more(
        self, home: Home, shop: Path, server: Server
    ) -> None:
        configure(home, kind="openai", model="any", url=server.url)
        ready(home)
        configure(home, kind="none")
        home.settle()
        so_far = len(server.asked)

        found = asked(home, "billed twice", shop)

        assert found["results"]
        assert nearness(found) == [None]
        assert len(server.asked) == so_far

    def test_gets_nothing_of_a_project_that_is_switched_off(
        self, home: Home, shop: Path, server: Server
    ) -> None:
        with opened(str(home)) as app:
            app.inside.registry.exclude(app.projects.all()[0], excluded=True)
        configure(home, kind="openai", model="any", url=server.url)
        ready(home)

        assert server.asked == []


def test_a_search_during_a_rebuild_answers(home: Home, shop: Path) -> None:
    ready(home)
    before = asked(home, QUESTION, shop)["results"]

    for _ in range(5):
        rebuild = _rebuilding(home)
        while rebuild.poll() is None:
            assert [one["id"] for one in asked(home, "billed twice", shop)["results"]] == [
                one["id"] for one in before[:1]
            ]
        assert rebuild.returncode == 0

    ready(home)
    assert asked(home, QUESTION, shop)["results"] == before


def test_a_rebuild_that_is_killed_loses_nothing(home: Home, shop: Path) -> None:
    ready(home)
    before = asked(home, QUESTION, shop)["results"]
    home.stop()

    for milliseconds in range(150, 900, 150):
        rebuild = _rebuilding(home)
        try:
            rebuild.wait(timeout=milliseconds / 1000)
        except subprocess.TimeoutExpired:
            rebuild.send_signal(signal.SIGKILL)
            rebuild.wait()

    ready(home)
    assert asked(home, QUESTION, shop)["results"] == before


def _rebuilding(home: Home) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "recollect", "index", "--rebuild", "--json"],
        env={"PATH": os.environ["PATH"], "HOME": str(home.path.parent)}
        | {"RECOLLECT_HOME": str(home)},
        stdout=subprocess.DEVNULL,
    )


def test_the_mirror_of_the_vectors_may_be_deleted_at_any_time(home: Home, shop: Path) -> None:
    ready(home)
    before = asked(home, QUESTION, shop)["results"]

    for mirror in (home.path / "run" / "vectors").iterdir():
        mirror.unlink()
    remember(home, shop, prompt="Bake a cake for the team", answer="Baked.", session="s-3")
    ready(home)

    assert [one["id"] for one in asked(home, QUESTION, shop)["results"]] == [
        one["id"] for one in before
    ]
    assert None not in nearness(asked(home, "bake a cake", shop))
