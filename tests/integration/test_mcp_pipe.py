"""The pipe of a session: what it answers by itself, and calls that outlive their worker."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect import line, paths
from recollect.app.recollect import opened as opened_home
from recollect.mcp_server import listings, pipe, tools
from recollect.worker import agents
from tests.client import conformance
from tests.client.mcp import PIPE, SERVER, McpClient, Raw
from tests.home import PLUGIN, Home, repository, wait_for
from tests.remembering import ANSWER, remember

DECISION = "We use Redis as the L1 cache because p99 mattered more than memory"


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


@pytest.fixture
def environment(home: Home, tmp_path: Path) -> dict[str, str]:
    return {
        "HOME": str(tmp_path / "home"),
        "RECOLLECT_HOME": str(home),
        "PATH": os.environ["PATH"],
    }


@pytest.fixture
def raw(shop: Path, environment: dict[str, str]) -> Iterator[Raw]:
    raw = Raw(shop, environment)
    yield raw
    raw.process.kill()
    raw.process.communicate()


def notes(home: Home) -> list[Path]:
    return [*home.path.glob("projects/*/decisions/*.md")]


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


class OddWorker:
    """Listens in the place of the worker, and does with each request what *answers* says."""

    def __init__(self, home: Home, *answers: bytes, hangs_up: bool = True) -> None:
        import socket

        self.asked: list[bytes] = []
        self._answers = list(answers)
        self._hangs_up = hangs_up
        Path(paths.run(str(home))).mkdir(parents=True, exist_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(paths.socket(str(home)))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        for answer in self._answers:
            connection, _ = self._listener.accept()
            with connection:
                head, request = line.read_frame(connection, time.monotonic() + 5)
                assert head == line.AGENT
                self.asked.append(request)
                connection.sendall(answer)
                if not self._hangs_up:
                    assert connection.recv(1) == b""
        self._listener.close()

    def gone(self) -> list[bytes]:
        """Wait until it has left; return what it was asked."""
        self._thread.join(timeout=20)
        return self.asked


class TestWhatNeverChanges:
    def test_is_answered_without_a_worker_and_starts_none(self, raw: Raw, home: Home) -> None:
        hello = raw.begin()

        assert hello["serverInfo"]["version"] == recollect.__version__
        assert raw.ask("tools/list")["result"]["tools"] == tools.LISTED
        assert raw.ask("prompts/list")["result"]["prompts"] == tools.PROMPTS
        assert raw.ask("resources/templates/list")["result"]["resourceTemplates"]
        assert raw.ask("ping")["result"] == {}
        assert home.worker() is None

    def test_the_version_of_the_protocol_is_agreed_on(self, raw: Raw) -> None:
        for asked, agreed in (
            *((version, version) for version in listings.VERSIONS),
            ("1999-01-01", listings.VERSIONS[-1]),
        ):
            assert raw.begin(asked)["protocolVersion"] == agreed

    def test_each_argument_is_described_and_no_other_is_taken(self) -> None:
        for tool in tools.TOOLS:
            assert tool.schema["additionalProperties"] is False
            for name, argument in tool.schema["properties"].items():
                assert argument["description"], f"{tool.name}: {name}"

    def test_what_must_not_be_done_twice_is_what_the_tools_say(self) -> None:
        assert tuple(tool.name for tool in tools.TOOLS if tool.writes) == pipe.CHANGING


class TestTheProtocol:
    def test_an_unknown_method_and_garbage_are_answered(self, raw: Raw) -> None:
        probe = raw.send({"jsonrpc": "2.0", "id": "probe", "method": "tea/brew", "params": {}})
        assert (probe["id"], probe["error"]["code"]) == ("probe", -32601)
        raw.begin()

        assert raw.ask("tea/brew")["error"]["code"] == -32601
        assert raw.ask("logging/setLevel", level="info")["error"]["code"] == -32601
        for garbage in ("garbage", '{"jsonrpc": "2.0"', '{"a": 1} {"b": 2}', "[" * 100_000):
            told = raw.send(garbage)
            assert (told["id"], told["error"]["code"]) == (None, -32700)
        assert raw.ask("tools/list")["result"]["tools"]
        assert raw.end() == (0, "", "")

    @pytest.mark.parametrize(
        ("message", "identity", "code"),
        [
            ("7", None, -32600),
            ({"id": 2, "method": "ping"}, 2, -32600),
            ({"jsonrpc": "2.0", "id": 2}, 2, -32600),
            ({"jsonrpc": "2.0", "id": 2, "method": 7}, 2, -32600),
            ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None, -32600),
            ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None, -32600),
            ({"jsonrpc": "2.0", "id": 2, "method": "ping", "params": []}, 2, -32602),
            ({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {}}, 2, -32602),
            ([{"jsonrpc": "2.0", "id": 2, "method": "ping"}], None, -32600),
        ],
    )
    def test_what_is_no_request_is_an_error(
        self, raw: Raw, message: object, identity: object, code: int
    ) -> None:
        raw.begin()

        told = raw.send(message)

        assert (told["id"], told["error"]["code"]) == (identity, code)

    def test_notifications_are_not_answered(self, raw: Raw) -> None:
        raw.begin()
        for method in ("initialized", "tea", "cancelled", "progress"):
            raw.tell({"jsonrpc": "2.0", "method": f"notifications/{method}"})
        raw.tell({"jsonrpc": "2.0", "method": "notifications/tea", "params": 7})
        raw.tell({"jsonrpc": "2.0", "id": 9, "result": {}})
        raw.tell("")

        assert raw.ask("ping") == {"jsonrpc": "2.0", "id": 1, "result": {}}

    def test_a_batch_is_answered_as_one_where_the_protocol_has_them(self, raw: Raw) -> None:
        raw.begin(listings.WITH_BATCHES)

        told = raw.send(
            [
                {"jsonrpc": "2.0", "id": "a", "method": "ping"},
                {"jsonrpc": "2.0", "method": "notifications/tea"},
                {
                    "jsonrpc": "2.0",
                    "id": "b",
                    "method": "tools/call",
                    "params": {"name": "search", "arguments": {"query": "orders page slow"}},
                },
                7,
            ]
        )

        answers = {one["id"]: one for one in told}
        assert set(answers) == {"a", "b", None}
        assert ANSWER in answers["b"]["result"]["content"][0]["text"]
        raw.tell([{"jsonrpc": "2.0", "method": "notifications/tea"}])
        assert raw.send([])["error"]["code"] == -32600

    def test_half_a_character_is_answered(self, raw: Raw) -> None:
        raw.begin()

        found = raw.call("search", query="orders page slow \ud800")

        assert not found["isError"]
        assert ANSWER in found["content"][0]["text"]
        assert not raw.call("remember", text=f"{DECISION} \udfff")["isError"]

    def test_long_lines_are_passed_on_and_longer_ones_refused(self, raw: Raw) -> None:
        raw.begin()

        told = raw.call("search", query="x" * 3_000_000)
        assert "query: is too long" in told["content"][0]["text"]
        refused = raw.ask("tools/call", name="search", arguments={"query": "x" * 6_000_000})
        assert (refused["id"], refused["error"]["code"]) == (1, -32602)
        ignored = raw.send("x" * 20_000_000)
        assert (ignored["id"], ignored["error"]["code"]) == (None, -32600)
        assert raw.ask("ping")["result"] == {}

    def test_a_call_that_is_cancelled_is_not_answered(self, raw: Raw, home: Home) -> None:
        odd = OddWorker(home, line.BEGUN, hangs_up=False)
        raw.begin()
        raw.tell({"jsonrpc": "2.0", "id": 5, "method": "resources/list"})
        wait_for(lambda: odd.asked)
        raw.tell(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}
        )

        assert raw.ask("ping")["id"] == 1
        odd.gone()

    @pytest.mark.parametrize("command", [PIPE, SERVER])
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_leaves_at_once_when_told(
        self,
        shop: Path,
        environment: dict[str, str],
        command: list[str],
        number: signal.Signals,
    ) -> None:
        raw = Raw(shop, environment, command=command)
        raw.begin()

        raw.process.send_signal(number)

        assert raw.end() == (0, "", "")

    def test_leaves_at_once_when_the_client_hangs_up_during_a_call(
        self, raw: Raw, home: Home
    ) -> None:
        raw.begin()
        raw.tell({"jsonrpc": "2.0", "id": 5, "method": "resources/list"})
        began = time.monotonic()

        assert raw.end() == (0, "", "")
        assert time.monotonic() - began < pipe.SECONDS_FOR_A_WORKER


class TestTheWorker:
    def test_is_started_by_the_first_call(self, raw: Raw, home: Home) -> None:
        raw.begin()
        assert home.worker() is None

        assert ANSWER in raw.call("search", query="orders page slow")["content"][0]["text"]

        assert home.worker()

    def test_is_started_once_for_many_calls(self, raw: Raw, home: Home) -> None:
        raw.begin()
        call = {"method": "tools/call", "params": {"name": "recent", "arguments": {}}}

        for number in range(20):
            raw.tell({"jsonrpc": "2.0", "id": number, **call})
        started = _children(raw.process.pid)
        told = [raw.hear() for _ in range(20)]

        assert {one["id"] for one in told} == set(range(20))
        assert not any(one["result"]["isError"] for one in told)
        assert len(started) <= 1

    def test_may_be_killed_between_calls(self, raw: Raw, home: Home) -> None:
        raw.begin()
        raw.call("remember", text=DECISION, category="decision")
        for _ in range(2):
            home.kill_worker()
            found = raw.call("search", query="Redis cache")
            assert "Redis" in found["content"][0]["text"]

        assert len(notes(home)) == 1

    def test_is_asked_again_when_it_went_away_over_a_question(self, raw: Raw, home: Home) -> None:
        odd = OddWorker(home, b"", line.BEGUN, line.BEGUN + b"99\n{")
        raw.begin()

        told = raw.call("search", query="orders page slow")

        assert len(odd.gone()) == 3
        assert ANSWER in told["content"][0]["text"]

    def test_is_not_asked_for_ever_what_it_goes_away_over(self, raw: Raw, home: Home) -> None:
        odd = OddWorker(home, *[line.BEGUN] * pipe.MOST_WORKERS)
        raw.begin()

        told = raw.call("search", query="orders page slow")

        odd.gone()
        assert "goes away over this call" in told["content"][0]["text"]

    def test_is_not_asked_twice_to_do_what_may_be_done(self, raw: Raw, home: Home) -> None:
        odd = OddWorker(home, line.BEGUN)
        raw.begin()

        told = raw.call("remember", text=DECISION, category="decision")

        assert told["isError"]
        assert "may be done or not. Search for it" in told["content"][0]["text"]
        assert len(odd.gone()) == 1
        assert notes(home) == []

    def test_that_did_not_begin_is_asked_again_also_to_change_something(
        self, raw: Raw, home: Home
    ) -> None:
        odd = OddWorker(home, b"", b"0\n")
        raw.begin()

        told = raw.call("remember", text=DECISION, category="decision")

        assert len(odd.gone()) == 2
        assert told["structuredContent"]["outcome"] == "created"
        assert len(notes(home)) == 1

    def test_that_cannot_start_is_an_error_that_says_why(self, raw: Raw, home: Home) -> None:
        home.stop()
        for name in ("state.db", "state.db-wal", "state.db-shm"):
            (home.path / name).unlink(missing_ok=True)
        (home.path / "state.db").mkdir()
        raw.begin()

        told = raw.call("search", query="tea")

        assert told["isError"]
        assert "cannot be started: " in told["content"][0]["text"]
        assert "recollect doctor" in told["content"][0]["text"]
        listed = raw.ask("resources/list")["error"]
        assert listed["code"] == -32603
        assert "cannot be started" in listed["message"]

    def test_that_cannot_start_now_is_tried_again_by_the_next_call(
        self, raw: Raw, home: Home
    ) -> None:
        home.no_worker()
        raw.begin()

        assert not raw.call("search", query="orders page slow")["isError"]

    def test_obeys_a_setting_of_the_session_alone(
        self, shop: Path, home: Home, environment: dict[str, str], tmp_path: Path
    ) -> None:
        elsewhere = repository(tmp_path / "elsewhere")
        remember(home, elsewhere, prompt="Paint it", answer="It is green.", session="s-2")
        setting = {"RECOLLECT_AGENTS_ALL_PROJECTS": "true"}
        asked: dict[str, Any] = {"query": "orders page slow", "project": "*"}

        with (
            McpClient(PIPE, elsewhere, environment) as closed,
            McpClient(PIPE, elsewhere, environment | setting) as opened,
        ):
            assert ANSWER not in closed.text("search", **asked)
            assert ANSWER in opened.text("search", **asked)
            assert ANSWER not in closed.text("search", **asked)

            with opened_home(str(home)) as app:
                app.settings.set("agents.all_projects", "true")

            assert ANSWER in closed.text("search", **asked)

    def test_searches_also_after_its_index_was_deleted(self, raw: Raw, home: Home) -> None:
        raw.begin()
        for _ in range(agents.THREADS):
            raw.call("search", query="orders page slow")

        (home.path / "index.db").unlink()

        for _ in range(2 * agents.THREADS):
            told = raw.call("search", query="orders page slow")
            assert ANSWER in told["content"][0]["text"]

    def test_answers_hooks_while_agents_search(
        self, raw: Raw, home: Home, shop: Path, environment: dict[str, str]
    ) -> None:
        raw.begin()
        raw.call("search", query="orders page slow")
        done = threading.Event()

        def search() -> None:
            while not done.is_set():
                raw.call("search", query="why is the orders page slow")

        threads = [threading.Thread(target=search)]
        for thread in threads:
            thread.start()
        answers = [
            home.hook(
                "UserPromptSubmit",
                prompt="Why was the orders page slow?",
                cwd=str(shop),
                session_id=f"hurried-{n}",
            )
            for n in range(5)
        ]
        done.set()
        for thread in threads:
            thread.join()

        assert all(answers)


def test_the_plugins_script_starts_the_light_process(
    shop: Path, environment: dict[str, str]
) -> None:
    raw = Raw(shop, environment, command=[str(PLUGIN / "bin" / "recollect"), "mcp"])
    raw.begin()

    words = Path(f"/proc/{raw.process.pid}/cmdline").read_bytes().decode().split("\0")

    assert words[1:3] == ["-I", "-S"]
    assert raw.end() == (0, "", "")


@pytest.mark.parametrize("roots", [[], ["https://shop.example"], None])
def test_a_client_that_names_no_folder_is_where_it_was_started(
    raw: Raw, roots: list[str] | None
) -> None:
    raw.begin(roots={})
    raw.tell({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "recent"}})
    asked = raw.hear()

    assert asked["method"] == "roots/list"
    if roots is not None:
        listed = {"roots": [{"uri": uri} for uri in roots]}
        raw.tell({"jsonrpc": "2.0", "id": asked["id"], "result": listed})

    assert raw.hear()["result"]["structuredContent"]["sessions"]


def test_two_clients_are_answered_at_once(shop: Path, environment: dict[str, str]) -> None:
    with (
        McpClient(PIPE, shop, environment) as one,
        McpClient(PIPE, shop, environment) as other,
    ):
        for client in (one, other, one):
            assert ANSWER in client.text("search", query="orders page slow")


@pytest.mark.parametrize("scenario", conformance.SCENARIOS)
def test_the_protocols_own_suite_is_content(
    shop: Path, environment: dict[str, str], scenario: str
) -> None:
    conformance.program()
    with conformance.Bridge(shop, environment) as bridge:
        done = conformance.run(scenario, bridge.url)

    assert done.returncode == 0, done.stdout + done.stderr
