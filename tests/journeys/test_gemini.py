"""The real Gemini CLI with Recollect: what one session does the next one knows."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.gemini import Gemini, client
from tests.client.gemini_api import GeminiApi, injected
from tests.client.model_api import Say, Use
from tests.home import Home
from tests.remembering import CHANCES, FAILING, FIXED, MET, meet_an_error
from tests.switching import Shell

WORK = "The orders page is slow, find out why and fix it."
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."


@pytest.fixture(scope="module")
def script() -> Path:
    return client()


@pytest.fixture
def api() -> Iterator[GeminiApi]:
    with GeminiApi() as api:
        yield api


@pytest.fixture
def gemini(script: Path, api: GeminiApi, tmp_path: Path, home: Home) -> Iterator[Gemini]:
    env = {"RECOLLECT_HOME": str(home)}
    user = tmp_path / "it's $(touch PWNED) home"
    with contextlib.closing(Gemini(script, user, api, env)) as gemini:
        yield gemini


@pytest.fixture
def shell(gemini: Gemini, tmp_path: Path) -> Shell:
    """The user's shell, after `recollect setup`."""
    shell = Shell("gemini", env=gemini.env, folder=tmp_path / "bin")
    said = shell.recollect("setup", "--yes")
    assert "Recollect is on for new sessions of Gemini CLI" in said
    del gemini.env["RECOLLECT_HOME"]  # a client started elsewhere has never heard of it
    return shell


@pytest.mark.usefixtures("shell")
def test_a_session_is_kept_and_the_next_one_is_given_it(
    gemini: Gemini, api: GeminiApi, home: Home
) -> None:
    written = Use("write_file", {"file_path": "db.py", "content": "selectinload(items)\n"})
    listed = Use("list_directory", {"dir_path": "."})
    api.reply(to="orders page is slow", steps=[written, listed, Say(ANSWER)])

    first = gemini.run(WORK)
    home.settle()
    (entry,) = home.kept()
    second = gemini.run("Why was the orders page slow?")

    assert (first.text, second.returncode) == (ANSWER, 0)
    assert entry.title == ANSWER
    assert f"asked: {WORK}" in entry.body
    assert list(gemini.home.rglob("PWNED")) == []
    assert "`db.py` (modified)" in entry.body
    assert '"host":"gemini-cli"' in home.journal().replace('": "', '":"')
    assert injected(api.main_requests()[0]) == []
    (given,) = injected(api.main_requests()[-1])
    assert "Last session" in given
    assert "selectinload" in given
    assert {"mcp_recollect_search", "mcp_recollect_remember"} <= set(api.main_requests()[-1].tools)


def test_what_a_session_leaves_in_its_log_is_kept_once_and_imported_where_it_was_not(
    gemini: Gemini, api: GeminiApi, shell: Shell, home: Home
) -> None:
    (gemini.project / "keys.env").write_text("swordfish\n")
    ran = Use("run_shell_command", {"command": "echo 41 queries; false"}, text="Let me count.")
    api.reply(to="orders page", steps=[ran, Say(ANSWER)])

    gemini.run("Why is the orders page slow? See @keys.env.")
    home.settle()
    kept = [(entry.turn, entry.title) for entry in home.kept()]
    said = shell.recollect("import", str(gemini.home / ".gemini/tmp"))

    assert "0 turns added from 1 transcript, 1 known already" in said
    assert [(entry.turn, entry.title) for entry in home.kept()] == kept
    assert kept[0][1] == ANSWER
    told = shell.recollect("transcript", home.kept()[0].id)
    assert "41 queries" in told
    assert told.count(ANSWER[:30]) == 1
    assert "Let me count." not in told, "which was said before the command and answers nothing"
    assert b"swordfish" not in home.everything()

    shell.recollect("uninstall", "--host", "gemini-cli", "--yes")
    again = gemini.run("And the orders page now?")
    said = shell.recollect("import", str(gemini.transcript(again.session_id)))

    assert "1 turn added from 1 transcript" in said
    assert [entry.host for entry in home.kept()] == ["gemini-cli"] * 2


def test_a_recollect_that_hangs_harms_no_session(
    gemini: Gemini, api: GeminiApi, shell: Shell
) -> None:
    launcher = gemini.home / ".gemini/extensions/recollect/hooks/launch.sh"
    api.reply(to="orders page", steps=[Say(ANSWER)])

    launcher.write_text('[ "$1" = UserPromptSubmit ] && sleep 60\n')
    began = time.monotonic()
    hanging = gemini.run(WORK)
    took = time.monotonic() - began

    assert hanging.text == ANSWER
    assert took < 40  # a busy machine takes its time; the launcher takes 60
    shell.recollect("uninstall", "--host", "gemini-cli", "--yes")
    assert list((gemini.home / ".gemini").rglob("*recollect*")) == []


@pytest.mark.usefixtures("shell")
def test_an_error_that_was_met_before_is_told_when_a_command_fails_with_it(
    gemini: Gemini, api: GeminiApi, home: Home
) -> None:
    meet_an_error(home, gemini.project)
    failed = Use("run_shell_command", {"command": FAILING})
    api.reply(to="suppliers", steps=[failed] * CHANCES + [Say("It fails.")])

    gemini.run("Import the suppliers of November")

    (given,) = (text for text in injected(api.main_requests()[-1]) if MET in text)
    assert FIXED in given
