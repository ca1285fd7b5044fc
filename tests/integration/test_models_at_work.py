"""The worker and a model behind a real endpoint: what is written, and what survives a failure."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect import paths
from recollect.app.recollect import opened
from recollect.journal import markdown
from recollect.journal.model import Observation
from recollect.search.embedding import Embeddings
from recollect.store.contract.state import QueuedTurn
from recollect.worker.enricher import Enricher
from tests.endpoints import ChatApi, Fail, Hang, MessagesApi, Say
from tests.home import Home, repository, wait_for
from tests.modelled import NOTHING, Modelled, observation

PROMPT = "The orders page is slow, find out why and fix it"
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."
BETTER = observation(
    "N+1 query in get_orders fixed with selectinload",
    "The orders page was slow because get_orders ran an N+1 query.",
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def chat() -> Iterator[ChatApi]:
    with ChatApi() as api:
        yield api


def use(home: Home, url: str, **more: object) -> None:
    """Let *home* ask the server at *url*."""
    settings = {
        "synthesis.engine": "openai",
        f"synthesis.{more.get('synthesis.engine', 'openai')}.url": url,
        "synthesis.default_model": "scripted-1",
        "synthesis.when": "turn",
        "synthesis.timeout_seconds": 5,
        **more,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    Path(paths.config(str(home))).write_text("\n".join(lines) + "\n")
    Path(paths.config(str(home))).chmod(0o600)


def turn(home: Home, shop: Path, prompt: str = PROMPT, *, session: str = "s-1") -> None:
    """A whole turn, as hooks tell of it."""
    common = {"session_id": session, "cwd": str(shop), "prompt_id": f"{session}-{hash(prompt)}"}
    home.hook("UserPromptSubmit", prompt=prompt, **common)
    home.hook("Stop", last_assistant_message=ANSWER, **common)


def left(home: Home) -> list[QueuedTurn]:
    with opened(str(home)) as app:
        return app.inside.state.queue.everything()


class TestAnAnswer:
    @pytest.mark.parametrize("stream", [True, False])
    @pytest.mark.parametrize(("engine", "api"), [("openai", ChatApi), ("anthropic", MessagesApi)])
    def test_it_stands_in_the_journal(
        self, home: Home, shop: Path, engine: str, api: Callable[[], Any], *, stream: bool
    ) -> None:
        with api() as server:
            use(home, server.url, **{"synthesis.engine": engine, "synthesis.stream": stream})
            server.answers(Say(BETTER))
            turn(home, shop)
            home.settle()

            assert len(server.requests) == 1
            assert "ran an N+1 query" in home.journal()
            assert left(home) == []

    def test_the_hook_never_waits_for_it(self, home: Home, shop: Path, chat: ChatApi) -> None:
        use(home, chat.url)
        chat.answers(Hang())
        turn(home, shop)
        chat.wait_for_requests()
        turn(home, shop, "Now the cart page")
        wait_for(lambda: len(home.titles()) == 2)

        assert len(chat.requests) == 1


@pytest.mark.parametrize("stream", [True, False], ids=["in pieces", "at once"])
@pytest.mark.parametrize(("engine", "api"), [("openai", ChatApi), ("anthropic", MessagesApi)])
@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Fail(500), "unavailable"),
        (Hang(), "timeout"),
        (Say(BETTER, cut_after=40), "unavailable"),
        (Say("I would rather talk about the weather."), "unreadable"),
        (Say(""), "unreadable"),
        (Say("", stop="refusal"), "refusal"),
        (Say('{"kind": "observation", "title": "An', stop="length"), "unreadable"),
        (Fail(413, "too long"), "rejected"),
    ],
)
def test_a_failure_costs_a_try_and_leaves_what_was_there(
    tmp_path: Path,
    step: Any,
    kind: str,
    engine: str,
    api: Callable[[], Any],
    *,
    stream: bool,
) -> None:
    with api() as server:
        server.answers(step)
        settings = {
            "synthesis.engine": engine,
            f"synthesis.{engine}.url": server.url,
            "synthesis.default_model": "scripted-1",
            "synthesis.timeout_seconds": 1,
            "synthesis.stream": stream,
        }
        shop = Modelled(tmp_path, settings, scripted=False)
        shop.turn(PROMPT, ANSWER)
        before = shop.journal()
        shop.work()

    (one,) = shop.waiting()
    assert (one.kind, one.tries, one.aside) == (kind, 1, False)
    assert one.due > shop.now
    assert shop.journal() == before
    assert shop.entries()[0].by == "extractive/3"
    shop.app.close()


class TestTrouble:
    def test_with_the_engine_unplugged_nothing_is_lost_and_all_is_done_when_it_returns(
        self, home: Home, shop: Path, recollect: Any
    ) -> None:
        with ChatApi() as server:
            server.answers(Say(BETTER))
            use(home, server.url)
            turn(home, shop)
            home.settle()
            port = int(server.url.rpartition(":")[2].partition("/")[0])
        for number in range(5):
            turn(home, shop, f"Look at page {number}", session=f"s-{number}")
        home.settle()
        waiting = left(home)
        recorded = len(home.titles())
        with ChatApi(port=port) as server:
            server.answers(Say(NOTHING))
            recollect("retry")
            wait_for(lambda: left(home) == [])

            assert len(server.requests) == 5
        assert recorded == 6
        assert [(one.kind, one.tries) for one in waiting if one.kind] == [("unreachable", 0)]
        assert len(waiting) == 5

    def test_a_wrong_key_pauses_the_engine_and_the_user_hears_of_it_once(
        self, home: Home, shop: Path, chat: ChatApi
    ) -> None:
        use(home, chat.url)
        chat.answers(Fail(401, "no such key", "invalid_api_key"))
        for number in range(3):
            turn(home, shop, f"Look at page {number}")
        home.settle()
        start = {"session_id": "s-2", "cwd": str(shop), "source": "startup"}
        said = [home.hook("SessionStart", **start).get("systemMessage", "") for _ in range(2)]

        assert len(chat.requests) == 1
        assert "Recollect asks no model" in str(said[0])
        assert "Recollect asks no model" not in str(said[1])
        assert [one.tries for one in left(home)] == [0, 0, 0]

    def test_retry_after_is_kept_to(self, home: Home, shop: Path, chat: ChatApi) -> None:
        use(home, chat.url)
        chat.answers(Fail(429, "slow down", headers={"Retry-After": "900"}))
        turn(home, shop)
        home.settle()

        with opened(str(home)) as app:
            (resting,) = app.models.pauses()
        assert resting.kind == "rate-limit"
        assert 850 < resting.until - time.time() < 910

    def test_a_worker_told_to_stop_during_a_call_leaves_the_turn_as_it_was(
        self, home: Home, shop: Path, chat: ChatApi
    ) -> None:
        use(home, chat.url, **{"synthesis.timeout_seconds": 60})
        chat.answers(Hang())
        turn(home, shop)
        chat.wait_for_requests()
        home.stop()

        assert [(one.tries, one.kind) for one in left(home)] == [(0, "")]

    def test_a_worker_killed_during_a_call_has_used_up_one_try(
        self, home: Home, shop: Path, chat: ChatApi
    ) -> None:
        use(home, chat.url, **{"synthesis.timeout_seconds": 60})
        chat.answers(Hang(), Say(BETTER))
        turn(home, shop)
        chat.wait_for_requests()
        home.kill_worker()
        after_the_kill = [one.tries for one in left(home)]
        home.settle()

        assert after_the_kill == [1]
        assert left(home) == []
        assert "ran an N+1 query" in home.journal()


class TestRetry:
    def test_it_shows_what_was_set_aside_and_puts_it_back(
        self, home: Home, shop: Path, chat: ChatApi, recollect: Any
    ) -> None:
        use(home, chat.url)
        chat.answers(Say("What a lovely day."))
        turn(home, shop)
        home.settle()
        home.stop()
        with opened(str(home)) as app:
            for now in (2e9, 3e9):
                app.models.enrichment.work(now=now)
        listed = json.loads(recollect("retry", "--list", "--json").output)
        status = recollect("status").output
        recollect("retry")
        chat.answers(Say(BETTER))
        home.settle()

        assert [one["kind"] for one in listed["turns"]] == ["unreadable"]
        assert "1 turn set aside: recollect retry" in status
        assert left(home) == []
        assert "ran an N+1 query" in home.journal()

    def test_with_nothing_set_aside_it_says_so(self, recollect: Any) -> None:
        assert "No turns were set aside." in recollect("retry").output


class TestStatus:
    def test_it_says_what_was_spent(
        self, home: Home, shop: Path, chat: ChatApi, recollect: Any
    ) -> None:
        use(home, chat.url)
        chat.answers(Say(NOTHING, usage=(1200, 0, 34)))
        turn(home, shop)
        home.settle()

        said = recollect("status").output
        assert "model: openai scripted-1; 1,234 of 200,000 tokens today" in said

    def test_without_a_model_it_says_that_none_is_asked(self, recollect: Any) -> None:
        assert "no model is asked; 0 tokens spent" in recollect("status").output


class TestResynthesise:
    @pytest.fixture
    def recorded(self, home: Home, shop: Path, chat: ChatApi) -> None:
        """Two turns that no model has looked at; now there is one."""
        turn(home, shop)
        turn(home, shop, "Write tests for get_orders")
        home.settle()
        home.stop()
        use(home, chat.url)

    @pytest.mark.usefixtures("recorded")
    def test_what_it_would_cost_is_said_without_asking_anybody(
        self, chat: ChatApi, recollect: Any
    ) -> None:
        said = json.loads(recollect("resynthesise", "--since", "1d", "--dry-run", "--json").output)

        assert (said["turns"], said["calls"]) == (2, 1)
        assert 500 < said["tokens"] < 6000
        assert chat.requests == []

    @pytest.mark.usefixtures("recorded")
    def test_the_difference_is_shown_and_then_replaced(
        self, home: Home, chat: ChatApi, recollect: Any
    ) -> None:
        chat.answers(Say(BETTER))
        said = recollect("resynthesise", "--since", "1d", "--yes").output

        assert "+- **bugfix** N+1 query in get_orders fixed with selectinload" in said
        assert "1 entry replaced." in said
        assert "ran an N+1 query" in home.journal()

    @pytest.mark.usefixtures("recorded")
    def test_what_the_present_prompt_made_is_not_redone(
        self, chat: ChatApi, recollect: Any
    ) -> None:
        chat.answers(Say(BETTER + BETTER.replace('turn="1"', 'turn="2"').replace("fixed", "found")))
        recollect("resynthesise", "--since", "1d", "--yes")
        again = recollect("resynthesise", "--since", "1d", "--yes").output

        assert "Nothing to do" in again
        assert len(chat.requests) == 1

    @pytest.mark.usefixtures("recorded")
    def test_and_back_to_what_is_made_without_a_model(
        self, home: Home, chat: ChatApi, recollect: Any
    ) -> None:
        before = [one.body for one in home.kept()]
        chat.answers(Say(BETTER))
        recollect("resynthesise", "--since", "1d", "--yes")
        enriched = [one.body for one in home.kept()]
        recollect("--set", "synthesis.engine=extractive", "resynthesise", "--since", "1d", "--yes")

        assert enriched != before
        assert [one.body for one in home.kept()] == before

    @pytest.mark.usefixtures("recorded")
    def test_what_an_earlier_version_made_without_a_model_is_made_anew_after_a_preview(
        self, home: Home, chat: ChatApi, recollect: Any
    ) -> None:
        now = [(one.title, one.body) for one in home.kept()]
        make_old(home)
        old = home.journal()

        preview = recollect("resynthesise", "--extractive", "--dry-run", "--json").output
        as_before = home.journal()
        unasked = recollect("resynthesise", "--extractive", code=1)
        said = recollect("resynthesise", "--extractive", "--yes").output

        changes = json.loads(preview)["changes"]
        assert {one["before"] for one in changes} == {"extractive/1"}
        assert [one["new_title"] for one in changes] == [title for title, _ in now]
        assert as_before == old
        assert "no terminal" in str(unasked.exception)
        assert "2 entries replaced." in said
        assert [(one.title, one.body) for one in home.kept()] == now
        assert chat.requests == []

    @pytest.mark.usefixtures("recorded")
    def test_what_the_user_edited_stays_theirs(self, home: Home, recollect: Any) -> None:
        make_old(home)
        for day in home.path.glob("projects/*/journal/*.md"):
            day.write_text(day.read_text().replace("Old words", "My own words"))

        said = recollect("resynthesise", "--extractive", "--yes").output

        assert "Nothing to do" in said
        assert home.journal().count("My own words") == 2

    @pytest.mark.usefixtures("recorded")
    def test_what_a_model_wrote_is_not_made_anew_without_one_unless_all_is(
        self, home: Home, chat: ChatApi, recollect: Any
    ) -> None:
        chat.answers(Say(BETTER))
        recollect("resynthesise", "--since", "1d", "--yes")
        enriched = home.journal()

        recollect("resynthesise", "--extractive", "--yes")
        kept = home.journal()
        recollect("resynthesise", "--extractive", "--all", "--yes")

        assert kept == enriched
        assert {one.by for one in home.kept()} == {"extractive/3"}

    def test_it_needs_to_know_from_when_on(self, recollect: Any) -> None:
        assert "--since" in recollect("resynthesise", code=2).output


def make_old(home: Home) -> None:
    """Let every entry of the journal be one that an earlier version wrote."""
    for day in home.path.glob("projects/*/journal/*.md"):
        text = day.read_text()
        for kept in reversed(markdown.kept(text, day=None)):
            if kept.kind == "entry":
                seen = Observation(type="change", title="Old words")
                entry = replace(markdown.parse_entry(kept), by="extractive/1", observations=(seen,))
                lines = text.split("\n")
                lines[kept.first_line - 1 : kept.last_line] = [markdown.render_entry(entry)]
                text = "\n".join(lines)
        day.write_text(text)


def test_nothing_listens_or_runs_on_after_the_worker_left(
    home: Home, shop: Path, chat: ChatApi
) -> None:
    use(home, chat.url)
    chat.answers(Hang())
    turn(home, shop)
    chat.wait_for_requests()
    pid = home.worker()
    assert pid
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: home.worker() is None)

    wait_for(lambda: home.processes() == [])
    with socket.socket(socket.AF_UNIX) as line, pytest.raises(OSError, match=r".+"):
        line.connect(paths.socket(str(home)))


def test_the_thread_that_asks_begins_again_where_it_could_not_begin(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "state.db").mkdir(parents=True)
    enricher = Enricher(str(home), embeddings=Embeddings(), busy=lambda: None)

    def runs() -> bool:
        return any(one.name == "enricher" for one in threading.enumerate())

    enricher.wake()
    wait_for(lambda: not enricher.is_busy and not runs())
    (home / "state.db").rmdir()
    enricher.wake()
    wait_for(lambda: not enricher.is_busy and runs())
    enricher.stop()

    wait_for(lambda: not runs())
