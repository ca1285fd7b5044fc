"""The user's own Claude Code as the engine: the real client, offline, asked without a terminal."""

import json
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import paths
from recollect.errors import EngineError
from recollect.llm.engine import Engine
from recollect.llm.providers import claude as provider
from recollect.testing import ASKED_FOR, Behaviour, EngineContract
from tests import endpoints
from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Say
from tests.client.program import end_processes_in
from tests.endpoints import Fail, Hang, MessagesApi, Raw
from tests.home import Home, wait_for
from tests.journeys.test_setup_and_uninstall import User

KEY = "sk-made-up-for-this-test-0123456789"

STEPS: dict[Behaviour, endpoints.Step] = {
    "answers": endpoints.Say(),
    "says nothing": endpoints.Say(""),
    "is cut short": endpoints.Say("Fou", stop="length"),
    "declines": endpoints.Say("", stop="refusal"),
    "takes no key": Fail(401, f"invalid x-api-key {KEY}", "authentication_error"),
    "wants money": Fail(400, "Your credit balance is too low.", "invalid_request_error"),
    "is asked too often": Fail(429, "slow down", "rate_limit_error"),
    "has no such model": Fail(404, "model: scripted", "not_found_error"),
    "takes no such question": Fail(413, f"bad text: {ASKED_FOR.text}", "request_too_large"),
    "breaks down": Fail(529, "Overloaded", "overloaded_error"),
    "breaks off": endpoints.Say("Four, or more, or less.", cut_after=350),
    "speaks gibberish": Raw(b"<html>Welcome to the hotel's network</html>"),
    "hangs": Hang(),
    "drips": endpoints.Say("Four. " * 200, pause=0.1),
}


def nobody() -> str:
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{once.getsockname()[1]}"


@pytest.fixture
def messages() -> Iterator[MessagesApi]:
    with MessagesApi() as api:
        yield api


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Recollect's home; whatever runs in the user's home ends with the test."""
    yield tmp_path / "recollect"
    end_processes_in(tmp_path / "home")


class TestClaudeCode(EngineContract):
    key = KEY

    @pytest.fixture(autouse=True)
    def given(self, claude_binary: Path, messages: MessagesApi, scratch: Path) -> None:
        self.binary, self.api, self.home = claude_binary, messages, scratch

    def make(self, behaviour: Behaviour) -> Engine:
        if behaviour in STEPS:
            self.api.answers(STEPS[behaviour])
        url = nobody() if behaviour == "is not there" else self.api.url
        return provider.Claude(str(self.binary), url=url, key=KEY, home=str(self.home))

    def sent(self) -> Sequence[str]:
        return [request.text for request in self.api.requests]

    def wait_until_asked(self) -> None:
        self.api.wait_for_requests()


@pytest.fixture
def engine(claude: Claude, model_api: ModelApi, scratch: Path) -> provider.Claude:
    return provider.Claude(str(claude.binary), url=model_api.url, key=KEY, home=str(scratch))


def test_a_question_is_one_request_without_tools(
    engine: provider.Claude, model_api: ModelApi
) -> None:
    usage = {"cache_read_input_tokens": 30, "cache_creation_input_tokens": 20, "input_tokens": 10}
    model_api.complete(to=ASKED_FOR.text, steps=[Say("Four.", usage=usage)])

    answer = engine.ask(replace(ASKED_FOR, model=""))

    (request,) = model_api.requests
    assert request.tools == []
    assert request.prompt == ASKED_FOR.text
    assert request.body["system"][-1]["text"] == ASKED_FOR.instructions
    assert request.body["max_tokens"] == ASKED_FOR.most_output_tokens
    assert "haiku" in request.body["model"]
    assert answer.model == request.body["model"]
    assert (answer.spent.input_tokens, answer.spent.cached_tokens) == (60, 30)
    assert answer.spent.cost is not None


def test_a_question_leaves_no_session_behind(
    engine: provider.Claude, claude: Claude, scratch: Path
) -> None:
    engine.ask(ASKED_FOR)

    left = [path for path in claude.home.rglob("*") if path.is_file()]
    assert not [path for path in left if path.suffix == ".jsonl"]
    assert not [path for path in left if ASKED_FOR.text.encode() in path.read_bytes()]
    folder = scratch / "run" / "engine"
    assert list(folder.iterdir()) == []
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list((scratch / "run" / "children").iterdir()) == []


def test_no_hook_runs_in_the_client_that_answers(
    engine: provider.Claude, claude: Claude, tmp_path: Path
) -> None:
    user, ran = User(claude), tmp_path / "a hook ran"
    user.has_settings(json.dumps({"hooks": every_hook(f"touch '{ran}'")}).encode())
    user.recollect("setup", "--yes")
    claude.run("Good morning.")
    home = Home(user.home)
    home.settle()
    assert ran.exists()
    assert home.titles() == ["Good morning."]
    ran.unlink()

    engine.ask(ASKED_FOR)

    home.settle()
    assert not ran.exists()
    assert home.titles() == ["Good morning."]


def every_hook(command: str) -> dict[str, object]:
    hook = [{"hooks": [{"type": "command", "command": command}]}]
    return dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"), hook)


def test_a_file_that_the_text_mentions_is_not_read(
    engine: provider.Claude, model_api: ModelApi, tmp_path: Path, scratch: Path
) -> None:
    beside = scratch / "run" / "engine" / "secret.txt"
    beside.parent.mkdir(parents=True)
    for secret in (beside, tmp_path / "secret.txt"):
        secret.write_text("the combination is 4711")

    engine.ask(replace(ASKED_FOR, text=f"Look at @secret.txt and @{tmp_path}/secret.txt, please."))

    (request,) = model_api.requests
    assert "@secret.txt" in request.prompt
    assert "4711" not in json.dumps(request.body)


def test_nobody_on_the_machine_can_read_the_question_or_the_key(
    claude_binary: Path, messages: MessagesApi, scratch: Path
) -> None:
    messages.answers(Hang())
    engine = provider.Claude(str(claude_binary), url=messages.url, key=KEY, home=str(scratch))
    with ThreadPoolExecutor() as pool:
        calling = pool.submit(engine.ask, replace(ASKED_FOR, seconds=60))
        messages.wait_for_requests()
        (record,) = (scratch / "run" / "children").iterdir()
        running = [pid for pid in processes() if record.name in command_line(pid)]

        shown = " ".join(command_line(pid) for pid in running)

        assert running
        assert "--session-id" in shown
        assert ASKED_FOR.text not in shown
        assert KEY not in shown
        engine.stop()
        with pytest.raises(EngineError):
            calling.result(timeout=10)
    wait_for(lambda: not any(record.name in command_line(pid) for pid in processes()), seconds=5)


def processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def test_somebody_who_is_not_logged_in_is_told_to_log_in(
    claude_binary: Path, scratch: Path
) -> None:
    with pytest.raises(EngineError) as raised:
        provider.Claude(str(claude_binary), home=str(scratch)).ask(ASKED_FOR)

    assert raised.value.kind == "auth"
    assert "/login" in raised.value.hint


def test_the_client_knows_that_it_works_for_us(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = tmp_path / "claude"
    stand_in.write_text(
        '#!/bin/sh\ncat > /dev/null\nprintf \'{"result": "%s"}\' "$(env | sort | tr "\\n" ";")"\n'
    )
    stand_in.chmod(0o755)
    monkeypatch.setenv("A_SECRET_OF_THE_WORKER", "hunter2")

    said = provider.Claude(str(stand_in), home=str(scratch)).ask(ASKED_FOR).text

    assert f"{paths.GUARD}=1;" in said
    assert f"HOME={os.environ['HOME']};" in said
    assert "hunter2" not in said
    assert "ANTHROPIC" not in said


def test_a_client_that_is_too_old_is_to_be_updated(tmp_path: Path, scratch: Path) -> None:
    stand_in = tmp_path / "claude"
    stand_in.write_text("#!/bin/sh\necho \"error: unknown option '--tools'\" >&2\nexit 1\n")
    stand_in.chmod(0o755)

    with pytest.raises(EngineError) as raised:
        provider.Claude(str(stand_in), home=str(scratch)).ask(ASKED_FOR)

    assert raised.value.kind == "misfit"
    assert "claude update" in raised.value.hint
