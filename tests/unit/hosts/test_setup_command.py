"""What `setup`, `uninstall` and `doctor` say of several hosts, and how they end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect.cli.health import status
from recollect.cli.setup import setup, uninstall
from recollect.errors import HostError
from recollect.hosts import codex, gemini_cli
from recollect.worker import health

Run = Callable[..., Result]


@pytest.fixture
def run(home: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_HOME", home)
    return lambda command, *arguments: CliRunner().invoke(command, arguments)


@pytest.fixture
def broken(user: Path, program: Callable[[str], None]) -> Path:
    """The settings of a Codex that cannot read them itself, on a machine with Gemini CLI."""
    for name in ("codex", "gemini"):
        program(name)
    path = user / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text("model = ")
    return path


def test_setting_up_goes_on_past_a_host_with_a_broken_file(
    run: Run, home: str, broken: Path
) -> None:
    done = run(setup, "--yes")

    assert isinstance(done.exception, HostError)
    assert "config.toml" in done.exception.message
    assert "Recollect is on for new sessions of Gemini CLI" in done.output
    assert gemini_cli.is_on(home)


def test_setting_up_goes_on_past_a_folder_where_a_file_should_be(
    run: Run, user: Path, program: Callable[[str], None]
) -> None:
    goose = user / ".config/goose/config.yaml"
    goose.mkdir(parents=True)
    (user / ".cursor").mkdir()

    done = run(setup, "--mcp", "goose", "--mcp", "cursor", "--yes")

    assert isinstance(done.exception, HostError)
    assert str(goose) in done.exception.message
    assert (user / ".cursor/mcp.json").exists()


def test_programs_are_told_of_the_broken_file_and_of_what_was_done(
    run: Run, home: str, broken: Path
) -> None:
    done = run(setup, "--yes", "--json")

    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert "config.toml" in told["troubles"][0]["message"]
    assert told["steps"]
    assert gemini_cli.is_on(home)


@pytest.mark.parametrize("more", [(), ("--purge",)])
def test_leaving_passes_over_a_broken_file_that_does_not_name_us(
    run: Run, home: str, broken: Path, more: tuple[str, ...]
) -> None:
    run(setup, "--yes")

    done = run(uninstall, "--yes", *more)

    assert done.exit_code == 0
    assert ("Your memories are deleted." in done.output) == bool(more)
    assert not Path(home).exists()
    assert broken.read_text() == "model = "


def test_leaving_with_another_home_takes_nothing_from_the_usual_one(
    run: Run,
    user: Path,
    program: Callable[[str], None],
    tmp_path: Path,
    contents: Callable[[], dict[str, bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("codex", "gemini", "opencode", "openclaw"):
        program(name)
    (user / ".cursor").mkdir()
    run(setup, "--yes")
    run(setup, "--yes", "--mcp", "cursor")
    before = contents()
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "other"))

    done = run(uninstall, "--yes")

    assert done.exit_code == 0
    assert "nothing to remove" in done.output
    assert f"RECOLLECT_HOME={user}/.recollect recollect uninstall" in " ".join(done.output.split())
    assert contents() == before


def test_leaving_one_of_two_homes_says_once_that_the_other_stays(
    run: Run,
    user: Path,
    program: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("codex", "gemini", "opencode"):
        program(name)
    run(setup, "--yes")
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "other"))
    run(setup, "--yes")
    monkeypatch.setenv("RECOLLECT_HOME", str(user / ".recollect"))

    done = run(uninstall, "--yes")

    said = " ".join(done.output.split())
    assert said.count(f"What is set up for {tmp_path}/other stays.") == 1
    assert "Recollect is off, except for what is said above." in said
    assert all(host.is_on(str(tmp_path / "other")) for host in (codex, gemini_cli))


def test_leaving_tells_of_a_broken_file_that_names_us_and_does_the_rest(
    run: Run, home: str, broken: Path
) -> None:
    run(setup, "--yes")
    broken.write_text("[mcp_servers.recollect")

    done = run(uninstall, "--yes")

    assert isinstance(done.exception, HostError)
    assert "config.toml" in done.exception.message
    assert not gemini_cli.is_on(home)


def test_a_client_whose_broken_file_starts_our_script_keeps_the_script(
    run: Run, user: Path, home: str
) -> None:
    path = user / ".config/goose/config.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("GOOSE_MODEL: gpt-9\n")
    run(setup, "--mcp", "goose", "--yes")
    path.write_text(f"{path.read_text()}GOOSE_MODEL: gpt-10\n")

    done = run(uninstall, "--yes")

    assert isinstance(done.exception, HostError)
    assert "config.yaml" in done.exception.message
    assert Path(home, "plugin").exists()


def test_it_is_not_called_on_while_something_is_left_to_the_user(run: Run, user: Path) -> None:
    settings = user / ".config/zed/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text("{ // mine\n}")

    first, again = (run(setup, "--mcp", "zed", "--yes").output for _ in range(2))

    assert "is on" not in first
    assert "context_servers" in first
    assert "already set up as far as it can be, apart from this:" in again


def test_doctor_finds_hooks_that_wait_for_review(home: str, program: Callable[[str], None]) -> None:
    program("codex")
    found = codex.HOST.find()
    assert found
    codex.setup(home, found).carry_out()

    check = health._host(codex.HOST, health._plan(codex.HOST, home))

    assert not check.ok
    assert "/hooks" in check.detail
    assert check.hint == ""


def test_status_tells_of_hooks_that_wait_for_review(
    run: Run, home: str, program: Callable[[str], None]
) -> None:
    program("codex")
    run(setup, "--yes")

    told = json.loads(run(status, "--json").stdout)

    (codex_waits,) = told["hindered"]
    assert told["hosts"] == ["Codex"]
    assert codex_waits["host"] == "Codex"
    assert "not reviewed yet" in codex_waits["what"]
    assert "not reviewed yet" in " ".join(run(status).output.split())


def test_a_host_one_version_behind_keeps_all_and_is_told_of_calmly(
    run: Run, home: str, program: Callable[[str], None]
) -> None:
    program("gemini")
    run(setup, "--yes")
    manifest = gemini_cli.extension(gemini_cli.config_folder()) / gemini_cli.MANIFEST
    manifest.write_text(manifest.read_text().replace('"version": "', '"version": "0.'))

    told = json.loads(run(status, "--json").stdout)
    said = run(status).output

    assert (told["hindered"], told["outdated"]) == ([], ["Gemini CLI"])
    assert "● hooks are set up in Gemini CLI" in said
    assert "● run recollect setup to bring Gemini CLI up to date" in said
    assert "!" not in said
