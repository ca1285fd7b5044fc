"""Every host is given the same memories, each in the way it takes them."""

import json
import posix
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.app.recollect import opened
from recollect.curation.curator import Saying
from recollect.hooks import dialects, fallback, shown_log
from recollect.inbox import drain
from tests.home import LAUNCHER, Home, repository
from tests.remembering import ANSWER, QUESTION, remember

GEMINI = "gemini-cli"
OTHERS = sorted(set(dialects.DIALECTS) - {GEMINI})
RULE = "Deploys to production need the company VPN"
ABOUT_THE_RULE = "Do deploys to production need the company VPN?"

Tell = Callable[..., dict[str, Any]]


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


@pytest.fixture(params=["by the worker", "plainly"])
def tell(request: pytest.FixtureRequest, home: Home, shop: Path) -> Tell:
    """Sends an event of a host; returns what its hook prints, and writes down what that holds."""

    def tell(host: str, event: str, session: str = "s-2", **fields: object) -> dict[str, Any]:
        told = {"session_id": session, "cwd": str(shop), "source": "startup", **fields}
        payload = json.dumps(told).encode()
        if request.param == "plainly":
            reply = fallback.replied(str(home), (host, event, recollect.__version__), payload)
        else:
            with opened(str(home)) as app:
                reply = app.hooks.answer(event, payload, version=recollect.__version__, host=host)
        printed, path, lines = shown_log.unpacked(reply)
        if lines:
            shown_log.append(path, lines)
        return json.loads(printed) if printed else {}

    return tell


def context(told: dict[str, Any]) -> str:
    return str(told.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.mark.parametrize("host", OTHERS)
def test_a_host_is_given_what_claude_code_is_given(tell: Tell, host: str) -> None:
    for event in ("SessionStart", "UserPromptSubmit"):
        ours = tell("claude-code", event, "s-2", prompt=QUESTION)
        theirs = tell(host, event, "s-3", prompt=QUESTION)

        assert theirs == ours
        assert "The orders page is slow" in context(theirs)


@pytest.mark.parametrize("host", sorted(dialects.DIALECTS))
def test_nothing_is_printed_that_a_strict_host_refuses(tell: Tell, host: str) -> None:
    for event in ("SessionStart", "UserPromptSubmit", "SubagentStart", "Stop"):
        told = tell(host, event, prompt=QUESTION, agent_type="default")

        assert told.keys() <= {"systemMessage", "hookSpecificOutput"}
        assert told.get("hookSpecificOutput", {}).keys() <= {"hookEventName", "additionalContext"}


class TestWhatWasCaptured:
    def stop(self, home: Home, shop: Path, **fields: object) -> str:
        payload = json.dumps({"cwd": str(shop), "session_id": "s-1", **fields}).encode()
        with opened(str(home)) as app:
            reply = app.hooks.answer("Stop", payload, version=recollect.__version__)
        printed = shown_log.unpacked(reply)[0]
        return str(json.loads(printed)["systemMessage"]) if printed else ""

    @pytest.fixture
    def verbose(self, home: Home, shop: Path) -> None:
        (home.path / "config.toml").write_text('display = "verbose"\n')

    @pytest.mark.usefixtures("verbose")
    def test_is_told_as_a_turn_ends_to_who_wants_to_hear_it(self, home: Home, shop: Path) -> None:
        assert self.stop(home, shop, prompt_id="s-1-1").startswith("Captured: ")
        assert "N+1 query in get_orders" in self.stop(home, shop, prompt_id="s-1-1")

    @pytest.mark.usefixtures("verbose")
    def test_of_a_turn_that_nobody_kept_is_nothing(self, home: Home, shop: Path) -> None:
        assert self.stop(home, shop, prompt_id="unknown") == ""

    def test_is_not_told_to_others(self, home: Home, shop: Path) -> None:
        assert self.stop(home, shop, prompt_id="s-1-1") == ""


def test_the_task_of_a_subagent_is_no_prompt(tell: Tell) -> None:
    assert tell("codex", "UserPromptSubmit", prompt=QUESTION, agent_id="a-1") == {}


def test_another_hosts_folder_is_not_taken_for_this_ones(
    tell: Tell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = repository(tmp_path / "elsewhere")
    monkeypatch.setitem(posix.environ, b"CLAUDE_PROJECT_DIR", str(elsewhere).encode())

    assert "The orders page is slow" in context(tell("codex", "SessionStart"))


@pytest.mark.parametrize(("host", "pid"), [("codex", 0), ("claude-code", 4711)])
def test_a_session_started_from_within_claude_code_has_not_its_process(
    home: Home, host: str, pid: int
) -> None:
    subprocess.run(
        ["sh", str(LAUNCHER), "PostToolUse", host],
        input=b'{"session_id":"s"}',
        env={"RECOLLECT_HOME": str(home), "CLAUDE_PID": "4711"},
        check=True,
    )

    (queued,) = drain.waiting(home.path / "inbox")
    assert (queued.host, queued.event, queued.client) == (host, "PostToolUse", pid)


class TestASessionOfGemini:
    def test_is_given_nothing_as_it_begins_but_its_user_is_told(self, tell: Tell) -> None:
        told = tell(GEMINI, "SessionStart")

        assert told.keys() == {"systemMessage"}
        assert "The orders page is slow" in told["systemMessage"]

    def test_is_given_it_with_its_first_prompt_alone(self, tell: Tell) -> None:
        start = context(tell("claude-code", "SessionStart", "s-9"))
        recalled = context(tell("claude-code", "UserPromptSubmit", "s-8", prompt=QUESTION))
        tell(GEMINI, "SessionStart")

        first = tell(GEMINI, "UserPromptSubmit", prompt=QUESTION)
        second = tell(GEMINI, "UserPromptSubmit", prompt=QUESTION)

        assert context(first) == f"{start}\n{recalled}"
        assert first["hookSpecificOutput"]["hookEventName"] == "BeforeAgent"
        assert second == {}

    def test_is_given_it_also_with_a_prompt_that_asks_nothing(self, tell: Tell) -> None:
        assert "Last session" in context(tell(GEMINI, "UserPromptSubmit", prompt="go on"))

    def test_is_shown_nothing_twice_in_one_answer(self, tell: Tell, home: Home, shop: Path) -> None:
        with opened(str(home)) as app:
            rule = Saying(category="constraint", text=RULE)
            app.notes.remember(
                rule, project=app.projects.meet(str(shop)).name, now=datetime.now(UTC)
            )
            app.upkeep.refresh_all()
        asked = {"prompt": ABOUT_THE_RULE}

        recalled = context(tell("claude-code", "UserPromptSubmit", "s-9", **asked))
        first = context(tell(GEMINI, "UserPromptSubmit", **asked))

        assert (recalled.count(RULE), first.count(RULE)) == (1, 1)

    def test_that_had_nothing_to_begin_with_is_not_told_of_itself_later(
        self, tell: Tell, home: Home, tmp_path: Path
    ) -> None:
        garden = str(repository(tmp_path / "garden"))
        asked = {"prompt": "Plant the tomatoes by the wall", "cwd": garden}
        tell(GEMINI, "UserPromptSubmit", "g-1", **asked)
        remember(home, Path(garden), session="g-1")

        assert context(tell(GEMINI, "UserPromptSubmit", "g-1", **asked)) == ""

    def test_hears_the_users_words_behind_those_of_hooks(self, tell: Tell) -> None:
        prompt = f"<hook_context>&lt;b&gt; Bring tea.</hook_context>\n\n{QUESTION}"
        tell(GEMINI, "UserPromptSubmit", prompt="hello")

        assert ANSWER.split(";")[0] in context(tell(GEMINI, "UserPromptSubmit", prompt=prompt))
