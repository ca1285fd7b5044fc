"""Switch Recollect on in the real client, work with it, and leave the client as it was."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pexpect
import pytest

import recollect
from recollect.hosts import home as own
from tests import command_line
from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Say, Use, context_of
from tests.client.terminal import Terminal
from tests.home import PLUGIN, Home, wait_for

REPOSITORY = Path(recollect.__file__).parents[2]
ODD = b'{\n\t"permissions": {"allow": ["Bash(ls)"]},\n    "model": "opus"  }'
TALK = "The orders page is slow, find out why."
ANSWER = "It was an N+1 query."


class User:
    """Somebody with Claude Code and the package, at a shell; *claude* is the client they have."""

    def __init__(self, claude: Claude) -> None:
        self.claude = claude
        self.config = claude.home / ".claude"
        self.settings = self.config / "settings.json"
        self.home = Path(claude.env["RECOLLECT_HOME"])
        self.env = claude.env | {"PATH": f"{claude.binary.parent}:{claude.env['PATH']}"}

    def recollect(self, *args: str, succeeds: bool = True) -> str:
        """What `recollect` says to *args*; nobody sits at a terminal."""
        done = command_line.run(*args, cwd=self.claude.project, env=self.env)
        assert (done.returncode == 0) == succeeds, done.stdout + done.stderr
        return done.stdout + done.stderr

    def has_settings(self, content: bytes | None) -> None:
        if content is not None:
            self.config.mkdir(parents=True)
            self.settings.write_bytes(content)

    def files(self) -> dict[str, bytes]:
        """Everything of the host's and of ours, but what the client notes down when it starts."""
        own_notes = (".claude.json", "backups/.claude.json")
        return {
            str(path): path.read_bytes()
            for folder in (self.config, self.home)
            for path in folder.rglob("*")
            if path.is_file() and not any(note in str(path) for note in own_notes)
        }

    def traces(self) -> list[Path]:
        """What is left in the host's folder that names us; what was said in sessions is theirs."""
        found = [path for path in self.config.rglob("*recollect*") if "projects" not in path.parts]
        listed = [*self.config.glob("*.json"), *self.config.glob("plugins/*.json")]
        return found + [path for path in listed if "recollect" in path.read_text()]


@pytest.fixture
def user(claude: Claude) -> User:
    return User(claude)


def test_after_setup_what_is_done_in_a_session_is_kept(user: User, model_api: ModelApi) -> None:
    model_api.reply(to="orders page", steps=[Use("Bash", {"command": "echo 7"}), Say(ANSWER)])

    user.recollect("setup", "--yes")
    user.claude.run(TALK)

    home = Home(user.home)
    home.settle()
    assert home.titles() == [f"{TALK.rstrip('.')}: {ANSWER}"]


@pytest.mark.parametrize("folder", [REPOSITORY, own.shipped(), PLUGIN])
def test_the_client_finds_nothing_wrong_with_what_we_ship(claude: Claude, folder: Path) -> None:
    done = claude.command("plugin", "validate", str(folder))

    assert done.returncode == 0, done.stdout
    assert "Validation passed" in done.stdout


def test_setup_a_second_time_changes_nothing(user: User) -> None:
    user.has_settings(ODD)
    user.recollect("setup", "--yes")
    before = user.files()

    said = user.recollect("setup")

    assert "already set up" in said
    assert user.files() == before


def test_without_a_terminal_or_with_dry_run_setup_only_says_what_it_would_do(user: User) -> None:
    user.has_settings(ODD)
    before = user.files()

    refused = user.recollect("setup", succeeds=False)
    dry = user.recollect("setup", "--dry-run")
    for_programs = json.loads(user.recollect("setup", "--dry-run", "--json"))

    assert "recollect setup --yes" in refused
    assert all("enabledPlugins" in said for said in (refused, dry))
    assert (for_programs["done"], len(for_programs["steps"])) == (False, 4)
    assert user.files() == before


@pytest.mark.parametrize("before", [ODD, b"{}\n", b"", None], ids=["odd", "blank", "empty", "none"])
def test_setup_then_uninstall_leaves_the_client_as_it_was(user: User, before: bytes | None) -> None:
    user.has_settings(before)

    user.recollect("setup", "--yes")
    user.claude.run(TALK)
    user.recollect("uninstall", "--yes")

    assert (user.settings.read_bytes() if user.settings.exists() else None) == before
    assert user.traces() == []
    assert own.is_set_up(str(user.home)) is False


def test_the_plugin_alone_names_the_one_command_that_is_missing(
    user: User, terminal: Callable[..., Terminal]
) -> None:
    added = user.claude.command("plugin", "marketplace", "add", str(REPOSITORY))
    installed = user.claude.command("plugin", "install", "recollect@recollect")

    screen = terminal()

    assert (added.returncode, installed.returncode) == (0, 0)
    missing = f"sh '{REPOSITORY}/scripts/install.sh'"
    screen.wait_for("Recollect is off")
    assert missing.replace(" ", "") in "".join(screen.screen().split())
    assert not user.home.exists()


def test_uninstall_keeps_what_the_user_changed_meanwhile(user: User, tmp_path: Path) -> None:
    user.has_settings(ODD)
    user.recollect("setup", "--yes")
    other = a_marketplace(tmp_path / "shop")
    assert user.claude.command("plugin", "marketplace", "add", str(other)).returncode == 0
    assert user.claude.command("plugin", "install", "other@shop").returncode == 0
    settings = read(user.settings)
    user.settings.write_text(json.dumps({**settings, "includeCoAuthoredBy": False}))

    user.recollect("uninstall", "--yes")

    left = read(user.settings)
    assert left["includeCoAuthoredBy"] is False
    assert left["permissions"] == {"allow": ["Bash(ls)"]}
    assert left["enabledPlugins"] == {"other@shop": True}
    assert list(left["extraKnownMarketplaces"]) == ["shop"]
    assert list(read(user.config / "plugins/installed_plugins.json")["plugins"]) == ["other@shop"]
    assert user.traces() == []


def test_uninstall_tidies_up_after_the_clients_own(user: User) -> None:
    user.has_settings(ODD)
    user.recollect("setup", "--yes")
    user.claude.command("plugin", "uninstall", "recollect@recollect")
    user.claude.command("plugin", "marketplace", "remove", "recollect")

    user.recollect("uninstall", "--yes")

    assert user.settings.read_bytes() == ODD
    assert user.traces() == []


def test_uninstall_needs_no_client_and_ends_the_worker(user: User) -> None:
    user.recollect("setup", "--yes")
    user.claude.run(TALK)
    home = Home(user.home)
    home.settle()
    user.env["PATH"] = "/usr/bin:/bin"

    user.recollect("uninstall", "--yes")

    wait_for(lambda: home.worker() is None)
    assert user.traces() == []
    assert home.titles() == [TALK]


def test_where_claude_plugin_fails_the_settings_do(
    user: User, model_api: ModelApi, tmp_path: Path
) -> None:
    refusing = tmp_path / "bin" / "claude"
    refusing.parent.mkdir()
    refusing.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = plugin ]; then echo plugins are off >&2; exit 1; fi\n'
        f"exec '{user.claude.binary}' \"$@\"\n"
    )
    refusing.chmod(0o755)
    user.env["PATH"] = f"{refusing.parent}:{user.claude.env['PATH']}"
    user.has_settings(ODD)

    said = user.recollect("setup", "--yes")
    user.claude.run(TALK)

    assert "plugins are off" in said
    home = Home(user.home)
    home.settle()
    assert home.titles() == [TALK]
    user.recollect("uninstall", "--yes")
    assert user.settings.read_bytes() == ODD
    assert user.traces() == []


def test_a_moved_environment_is_told_when_a_session_starts_and_disturbs_nothing(
    user: User, model_api: ModelApi
) -> None:
    model_api.reply(to="orders page", steps=[Use("Bash", {"command": "echo 7"}), Say(ANSWER)])
    user.recollect("setup", "--yes")
    (user.home / "run" / "launch").write_text("/moved/python\n/moved/__main__.py\n")

    done = user.claude.run(TALK)

    assert (done.returncode, done.text) == (0, ANSWER)
    assert ["recollect setup" in said for said in told(user.claude, done.session_id)] == [True]


def test_a_plugin_that_is_deleted_while_it_is_on_refuses_no_prompt(
    user: User, model_api: ModelApi
) -> None:
    """`sh` exits 2 when its script is gone, and the client takes that for a refusal."""
    model_api.reply(to="orders page", steps=[Say(ANSWER)])
    user.recollect("setup", "--yes")
    (user.home / "plugin" / "claude-code" / "hooks" / "launch.sh").unlink()

    first = user.claude.run(TALK)
    shutil.rmtree(user.home)
    second = user.claude.run(TALK)

    assert (first.text, second.text) == (ANSWER, ANSWER)


def test_listing_and_searching_start_no_process(
    claude: Claude, model_api: ModelApi, home: Home
) -> None:
    home.no_worker()
    uses = [
        Use("Glob", {"pattern": "*"}),
        Use("Bash", {"command": "echo 7"}),
        Use("Grep", {"pattern": "orders"}),
        Use("Bash", {"command": "false"}),
        Use("Read", {"file_path": "/gone"}),
    ]
    model_api.reply(to="orders page", steps=[*uses, Say(ANSWER)])

    claude.run(TALK, "--tools", "Bash,Glob,Grep,Read", plugin_dir=PLUGIN)

    events = [json.loads(path.read_text()) for path in (home.path / "inbox").glob("*.json")]
    tools = [(one["hook_event_name"], one["tool_name"]) for one in events if "tool_name" in one]
    assert sorted(tools) == [
        ("PostToolUse", "Bash"),
        ("PostToolUseFailure", "Bash"),
        ("PostToolUseFailure", "Read"),
    ]


def test_the_search_command_may_search_and_nothing_else(
    user: User, model_api: ModelApi, tmp_path: Path
) -> None:
    """The model runs it by the Bash tool, so the client looks at the command first."""
    stolen = tmp_path / "stolen"
    user.recollect("setup", "--yes")
    user.claude.run(TALK)
    Home(user.home).settle()
    searches = ["recollect search -- 'orders'", f"recollect search -- 'orders' $(touch {stolen})"]
    uses = [Use("Bash", {"command": command}) for command in searches]
    model_api.reply(to="Search Recollect", steps=[*uses, Say("Found it.")])

    words = f"orders $(touch {stolen}) !`touch {stolen}` 'x"
    user.claude.command("-p", "--", f"/recollect:search {words}")

    request = model_api.requests[-1]
    first, second = (block for block in results(request.body))
    assert "$(touch" in context_of(request)
    assert "The orders page is slow" in first
    assert "orders page" not in second
    assert not stolen.exists()


def test_the_help_command_shows_how_it_is_doing(user: User, model_api: ModelApi) -> None:
    user.recollect("setup", "--yes")

    user.claude.command("-p", "--", "/recollect:help")

    shown = context_of(model_api.requests[-1])
    assert f"Recollect {recollect.__version__}" in shown
    assert "/recollect:search" in shown


def test_a_person_is_asked_first_and_may_say_no(user: User) -> None:
    user.has_settings(ODD)
    before = user.files()

    said = answered(user, "setup", "n")

    assert "Aborted" in said
    assert user.files() == before


def test_memories_are_deleted_only_for_the_right_word(user: User) -> None:
    user.recollect("setup", "--yes")
    memory = user.home / "projects" / "shop" / "decisions" / "redis.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("Redis, because p99 mattered.")

    answered(user, "uninstall --purge", "y", "yes")
    kept = memory.exists()
    answered(user, "uninstall --purge", "y", "purge")

    assert kept
    assert not user.home.exists()


def read(path: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(path.read_text())
    return read


class TestTheQuestionAboutAModel:
    def test_it_is_asked_once_with_what_it_costs(self, user: User) -> None:
        said = answered(user, "setup", "y", "y")
        again = answered(user, "setup")

        assert "0 tokens" in said
        assert "at most 200,000 tokens a day" in said
        assert user.recollect("config", "get", "synthesis.engine").strip() == "auto"
        assert user.recollect("config", "get", "synthesis.allow").strip() == "claude"
        assert "One question" not in again

    def test_return_means_no(self, user: User) -> None:
        said = answered(user, "setup", "y", "")

        assert "No model is asked." in said
        assert user.recollect("config", "get", "synthesis.engine").strip() == "extractive"

    def test_without_a_terminal_it_is_not_asked_and_no_model_is_used(self, user: User) -> None:
        said = user.recollect("setup", "--yes")

        assert "One question" not in said
        assert user.recollect("config", "get", "synthesis.engine").strip() == "extractive"


def told(claude: Claude, session_id: str) -> list[str]:
    """What hooks told the user in the session."""
    attachments = [line.get("attachment", {}) for line in claude.lines(session_id)]
    return [one["content"] for one in attachments if one.get("type") == "hook_system_message"]


def results(body: dict[str, Any]) -> list[str]:
    """What the tools gave back to the model."""
    blocks = [block for message in body["messages"] for block in message["content"]]
    kinds = [block for block in blocks if isinstance(block, dict)]
    return [str(block["content"]) for block in kinds if block["type"] == "tool_result"]


def answered(user: User, command: str, *answers: str) -> str:
    """What is shown when a person runs *command* in a terminal and gives *answers*."""
    program = pexpect.spawn(
        sys.executable,
        ["-m", "recollect", *command.split()],
        cwd=str(user.claude.project),
        env=user.env,
        encoding="utf-8",
        timeout=30,
    )
    shown = ""
    for answer in answers:
        program.expect(r"Go ahead\?|type purge|Use your Claude Code for that\?")
        shown += str(program.before)
        program.sendline(answer)
    program.expect(pexpect.EOF)
    program.close()
    return shown + str(program.before)


def a_marketplace(folder: Path) -> Path:
    """Somebody else's marketplace, called `shop`, with a plugin called `other`."""
    listed = {
        "name": "shop",
        "owner": {"name": "Ada"},
        "plugins": [{"name": "other", "source": "./other", "description": "Another plugin."}],
    }
    for name, content in {
        ".claude-plugin/marketplace.json": listed,
        "other/.claude-plugin/plugin.json": {"name": "other", "version": "1.0.0"},
    }.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(json.dumps(content))
    return folder
