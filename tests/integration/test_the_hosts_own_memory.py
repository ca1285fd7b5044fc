"""Claude Code's own memory is found, shown as what it is, and never written."""

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from recollect.cli.main import cli
from recollect.mcp_server import calls
from recollect.store.files import hosted
from tests.home import Home, repository
from tests.remembering import remember

# Put together here, so that nobody's scanner takes this file for a leak.
KEY = "AKIA" + "Q3EGR7M2XKPLW5TZ"
FACT = """---
name: deploy-window
description: Deploys happen on Tuesdays only
metadata:
  type: project
---
The release train leaves on Tuesday at ten. See [[rollback]].
"""


@pytest.fixture
def shop(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOLLECT_HOME", str(home))
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def facts(shop: Path, tmp_path: Path) -> Path:
    """The folder in which the host keeps its facts of the shop."""
    folder = tmp_path / "home/.claude/projects" / hosted.slug(str(shop)) / "memory"
    folder.mkdir(parents=True)
    (folder / "deploy-window.md").write_text(FACT)
    (folder / "MEMORY.md").write_text("- [Deploys](deploy-window.md): Tuesdays only\n")
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments)


def found(question: str) -> list[dict[str, object]]:
    results: list[dict[str, object]] = json.loads(run("search", "--json", question).stdout)[
        "results"
    ]
    return results


def test_is_found_and_says_whose_it_is(facts: Path) -> None:
    (hit,) = found("when does the release train leave")

    assert (hit["id"], hit["kind"], hit["host"]) == (
        "claude-code/deploy-window",
        "hosted",
        "claude-code",
    )
    assert "Claude Code's own memory" in run("search", "release train").stdout
    shown = json.loads(
        run("context", "--json", "--prompt", "When does the release train leave?").stdout
    )
    assert "Claude Code's own memory" in shown["context"]


def test_the_index_that_the_host_shows_by_itself_is_not_said_twice(facts: Path) -> None:
    assert [one["id"] for one in found("type:hosted")] == ["claude-code/deploy-window"]


def test_is_followed_as_the_host_changes_it(facts: Path) -> None:
    assert found("release train")
    (facts / "deploy-window.md").write_text(FACT.replace("release train", "yellow submarine"))
    assert found("yellow submarine")
    (facts / "deploy-window.md").unlink()
    assert not found("yellow submarine")


def test_is_never_written_nor_taken_away(facts: Path) -> None:
    found("release train")

    for command in (("forget", "claude-code/deploy"), ("retire", "claude-code/deploy-window")):
        assert run(*command).exit_code == 1
    refused = run("forget", "claude-code/deploy-window")

    assert "which we only read" in str(refused.exception or refused.output)
    assert (facts / "deploy-window.md").read_text() == FACT
    assert sorted(file.name for file in facts.iterdir()) == ["MEMORY.md", "deploy-window.md"]


def test_can_be_left_out(facts: Path) -> None:
    assert found("release train")

    run("config", "set", "sources.claude_memory", "false")

    assert not found("release train")


def test_a_secret_in_it_is_not_indexed(facts: Path, home: Home) -> None:
    (facts / "deploy-window.md").write_text(f"{FACT}\nThe key is {KEY}.\n")

    assert found("release train")

    assert KEY.encode() not in (home.path / "index.db").read_bytes()


def test_a_link_and_a_pipe_are_no_facts(facts: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("The purple key is under the mat")
    (facts / "link.md").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(facts / "pipe.md")

    assert found("release train")
    assert not found("purple key")


def test_an_odd_name_and_an_endless_title_stay_in_a_line(facts: Path) -> None:
    (facts / "odd\nname <x>.md").write_text(
        f"---\ndescription: {'heron ' * 9_000}\n---\nA heron.\n"
    )

    (hit,) = found("heron")

    assert re.fullmatch(r"claude-code/odd-name-x-[0-9a-f]{6}", str(hit["id"]))
    assert len(str(hit["title"])) <= 120


def test_two_files_have_two_ids_whatever_they_are_called(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere/projects" / facts.parent.name / "memory"
    elsewhere.mkdir(parents=True)
    for place, name in ((facts, "a heron"), (facts, "a-heron"), (elsewhere, "a-heron")):
        (place / f"{name}.md").write_text(f"The heron of {place}, {name}.\n")
    assert len(found("type:hosted heron")) == 2
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))

    names = {str(one["id"]): str(one["file"]) for one in found("type:hosted heron")}

    assert len(names) == 3
    assert names["claude-code/a-heron"] == str(facts / "a-heron.md")
    run("index")
    assert {str(one["id"]): str(one["file"]) for one in found("type:hosted heron")} == names


def test_an_agent_is_told_the_same_of_it(facts: Path, shop: Path, home: Home) -> None:
    home.no_worker()

    hits = calls.answer("search", {"query": "release train"}, folder=str(shop)).text
    whole = calls.answer("expand", {"ids": ["claude-code/deploy"]}, folder=str(shop)).text

    for told in (hits, whole):
        assert "Claude Code's own memory" in told
        assert "hosted" not in told


def test_whoever_asks_with_another_configuration_takes_nothing_away(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found("release train")

    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))

    assert found("release train")


@pytest.mark.parametrize(
    "text", ["", "---\n", "---\nname: x\n", "\ud800", "\0" * 10, "x" * (hosted.LARGEST + 1)]
)
def test_a_file_that_is_no_fact_does_no_harm(facts: Path, text: str) -> None:
    (facts / "odd.md").write_bytes(text.encode("utf-8", "surrogatepass"))

    assert found("release train")
