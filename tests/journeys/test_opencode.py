"""The real OpenCode with Recollect: what one session does the next one knows."""

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.model_api import Say, Use, context_of
from tests.client.opencode import OpenCode, OpenCodeApi, client
from tests.home import Home
from tests.remembering import CHANCES, FAILING, FIXED, MET, meet_an_error
from tests.switching import Shell

WORK = "The orders page is slow, find out why and fix it."
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."


@pytest.fixture(scope="module")
def binary() -> Path:
    return client()


@pytest.fixture
def api() -> Iterator[OpenCodeApi]:
    with OpenCodeApi() as api:
        yield api


@pytest.fixture
def opencode(binary: Path, api: OpenCodeApi, tmp_path: Path, home: Home) -> Iterator[OpenCode]:
    env = {"RECOLLECT_HOME": str(home)}
    with contextlib.closing(OpenCode(binary, tmp_path / "home", api, env)) as opencode:
        yield opencode


@pytest.fixture
def shell(opencode: OpenCode, tmp_path: Path) -> Shell:
    """The user's shell, after `recollect setup`."""
    shell = Shell("opencode", env=opencode.env, folder=tmp_path / "bin")
    said = shell.recollect("setup", "--yes")
    assert "Recollect is on for new sessions of OpenCode" in said
    del opencode.env["RECOLLECT_HOME"]  # a client started elsewhere has never heard of it
    return shell


def test_a_session_is_kept_and_the_next_one_is_given_it(
    opencode: OpenCode, api: OpenCodeApi, home: Home, shell: Shell, tmp_path: Path
) -> None:
    changed = opencode.project / "db.py"
    write = Use("write", {"filePath": str(changed), "content": "selectinload(items)\n"})
    fail = Use("read", {"filePath": str(changed.with_name("missing.py"))})
    run = Use("bash", {"command": "echo 7 passed", "description": "run the tests"})
    api.reply(to="orders page is slow", steps=[write, fail, run, Say(ANSWER)])

    first = opencode.run(WORK)
    home.settle()
    (entry,) = home.kept()
    opencode.run("Why was the orders page slow?")
    exported = tmp_path / "session.json"
    exported.write_text(opencode.command("export", first.session_id).stdout)

    assert "1 known already" in shell.recollect("import", str(exported))
    assert (first.returncode, first.text) == (0, ANSWER)
    assert entry.title == ANSWER
    assert f"asked: {WORK}" in entry.body
    assert "`db.py` (modified)" in entry.body
    assert '"host":"opencode"' in home.journal().replace('": "', '":"')
    later = api.main_requests()[-1]
    given = context_of(later)
    assert "Last session" in given
    assert "selectinload" in given
    assert {"recollect_search", "recollect_remember"} <= set(later.tools)


def test_a_recollect_that_hangs_is_not_waited_for_and_handed_every_event(
    opencode: OpenCode, api: OpenCodeApi, shell: Shell, home: Home, tmp_path: Path
) -> None:
    launcher = home.path / "plugin/claude-code/hooks/launch.sh"
    began, answered, kept = (tmp_path / name for name in ("began", "answered", "kept"))
    note = Use("bash", {"command": f"date +%s.%N > {answered}", "description": "note the time"})
    api.reply(to="orders page", steps=[note, Say(ANSWER)])
    note_time = f"[ -e {began} ] || date +%s.%N > {began}"
    launcher.write_text(f'{note_time}; said=$(cat); echo "$1 $said" >> {kept}; exec sleep 20.5\n')

    done = opencode.run(WORK)
    ended = time.time()

    assert done.text == ANSWER
    waited = float(answered.read_text()) - float(began.read_text())
    assert 1.4 < waited < 15  # a busy machine takes its time; the launcher takes 20
    assert ended - float(answered.read_text()) < 15
    handed = {line.split()[0] for line in kept.read_text().splitlines()}
    assert handed >= {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"}
    shell.recollect("uninstall", "--host", "opencode", "--yes")
    assert not (opencode.config / "plugins").exists()
    assert "mcp" not in json.loads((opencode.config / "opencode.json").read_text())


@pytest.mark.usefixtures("shell")
def test_an_error_that_was_met_before_is_told_when_a_command_fails_with_it(
    opencode: OpenCode, api: OpenCodeApi, home: Home
) -> None:
    meet_an_error(home, opencode.project)
    failed = Use("bash", {"command": FAILING, "description": "import them"})
    api.reply(to="suppliers", steps=[failed] * CHANCES + [Say("It fails.")])

    opencode.run("Import the suppliers of November")

    assert context_of(api.main_requests()[-1]).count(MET) == 1
    assert FIXED in context_of(api.main_requests()[-1])
