"""The same memory in Codex: what one session does, the next is given, there and in Claude Code."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import ids, worker_client
from recollect.hosts import codex as host
from recollect.hosts.host import Installation
from recollect.store.files import archive
from tests.client.claude import Claude
from tests.client.codex import TRUST_HOOKS, Codex, client
from tests.client.model_api import ModelApi, Say, Use, injected_now
from tests.client.responses_api import Freeform, ResponsesApi, injected
from tests.home import PLUGIN, Home, repository
from tests.remembering import CHANCES, FAILING, FIXED, MET, meet_an_error, remember

WORK = "The orders page is slow, find out why and fix it."
ANSWER = "The cause was an N+1 query in get_orders; I fixed it with selectinload."
QUESTION = "Why was the orders page slow?"
PATCH = "*** Begin Patch\n*** Add File: db.py\n+selectinload(items)\n*** End Patch"
HOOKS = b'{"hooks":  {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}'


@pytest.fixture(scope="session")
def codex_binary() -> Path:
    return client()


@pytest.fixture
def responses_api() -> Iterator[ResponsesApi]:
    with ResponsesApi() as api:
        yield api


@pytest.fixture
def codex(
    codex_binary: Path, responses_api: ResponsesApi, home: Home, tmp_path: Path
) -> Iterator[Codex]:
    """The real client, whose user has switched Recollect on."""
    with contextlib.closing(Codex(codex_binary, tmp_path / "home", responses_api)) as codex:
        (codex.folder / "hooks.json").write_bytes(HOOKS)
        host.setup(str(home), installed(codex)).carry_out()
        yield codex


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


def installed(codex: Codex) -> Installation:
    return Installation(executable=str(codex.binary), version="", config=codex.folder)


def contents(codex: Codex) -> tuple[bytes, bytes]:
    hooks, config = (codex.folder / name for name in ("hooks.json", "config.toml"))
    return hooks.read_bytes(), config.read_bytes()


def works(codex: Codex, api: ResponsesApi, home: Home, shop: Path) -> None:
    """One session in the shop fixes the orders page and ends."""
    ran = Use("exec_command", {"cmd": "echo 7 passed"})
    api.reply(to="orders page is slow", steps=[Freeform("apply_patch", PATCH), ran, Say(ANSWER)])
    done = codex.run(WORK, TRUST_HOOKS, cwd=shop)
    assert (done.returncode, done.text) == (0, ANSWER)
    home.settle()


def told(home: Home, shop: Path, *options: str) -> str:
    """What `recollect context` says an agent would be given."""
    done = subprocess.run(
        [sys.executable, "-m", "recollect", "context", "--json", *options],
        cwd=shop,
        env=os.environ | {"RECOLLECT_HOME": str(home)},
        capture_output=True,
        check=True,
    )
    return str(json.loads(done.stdout)["context"])


def test_what_a_session_did_is_known_to_the_next_one_in_codex_and_in_claude_code(
    codex: Codex,
    responses_api: ResponsesApi,
    claude: Claude,
    model_api: ModelApi,
    home: Home,
    shop: Path,
) -> None:
    works(codex, responses_api, home, shop)
    (entry,) = home.kept()
    (archived,) = home.path.glob("projects/*/transcripts/*.gz")
    (turn,) = archive.read(archived)
    expected = told(home, shop), told(home, shop, "--prompt", QUESTION)

    codex.run(QUESTION, TRUST_HOOKS, cwd=shop)
    claude.run(QUESTION, cwd=shop, plugin_dir=PLUGIN)

    assert (entry.title, entry.host) == (ANSWER, "codex")
    assert f"asked: {WORK}" in entry.body
    assert "`db.py` (modified)" in entry.body
    wrote, ran = turn.tools
    assert (wrote.name, wrote.input["file_path"]) == ("Write", str(shop / "db.py"))
    assert (ran.input, ran.output) == ({"command": "echo 7 passed"}, "7 passed\n")
    asked = responses_api.main_requests()[-1]
    given = [text for text in injected(asked) if "recollect-memory" in text]
    assert given == list(expected)
    assert "selectinload" in expected[1]
    (recalled,) = injected_now(model_api.main_requests()[0], "UserPromptSubmit")
    assert f"[{ids.short(entry.id)}]" in recalled
    assert "selectinload" in recalled


@pytest.mark.parametrize("trouble", ["absent", "wedged"])
def test_codex_works_and_remembers_whatever_becomes_of_the_worker(
    codex: Codex, responses_api: ResponsesApi, home: Home, shop: Path, trouble: str
) -> None:
    remember(home, shop, WORK, ANSWER)
    if trouble == "absent":
        home.no_worker()
    else:
        os.kill(worker_client.start(str(home)), signal.SIGSTOP)

    done = codex.run(QUESTION, TRUST_HOOKS, cwd=shop)

    assert (done.returncode, done.text) == (0, "ok")
    assert not [event for event in done.events if "Hook" in str(event) and "fail" in str(event)]
    given = "\n".join(injected(responses_api.main_requests()[-1]))
    assert given.count("<recollect-memory>") == 2
    assert "selectinload" in given


def test_leaving_gives_back_codex_files_byte_for_byte_also_after_a_session(
    codex: Codex, responses_api: ResponsesApi, home: Home
) -> None:
    settled = contents(codex)
    assert host.setup(str(home), installed(codex)).steps == ()

    codex.run("Hello.", TRUST_HOOKS)
    host.removal(str(home), codex.folder).carry_out()

    assert b"recollect" in settled[0]
    assert b"mcp_servers.recollect" in settled[1]
    hooks, settings = contents(codex)
    assert hooks == HOOKS
    # The client itself notes down which folders are trusted.
    before, _, _ = settled[1].partition(b"\n[mcp_servers.recollect]")
    assert settings.startswith(before)
    assert b"recollect" not in settings.removeprefix(before).replace(str(codex.home).encode(), b"")
    assert host.removal(str(home), codex.folder).steps == ()


def test_an_error_that_was_met_before_is_told_when_a_command_ends_in_it(
    codex: Codex, responses_api: ResponsesApi, home: Home, shop: Path
) -> None:
    meet_an_error(home, shop)
    failed = Use("exec_command", {"cmd": FAILING})
    responses_api.reply(to="suppliers", steps=[failed] * CHANCES + [Say("It fails.")])

    codex.run("Import the suppliers of November", TRUST_HOOKS, cwd=shop)

    (given,) = (text for text in injected(responses_api.main_requests()[-1]) if MET in text)
    assert FIXED in given
