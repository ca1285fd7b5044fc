"""Every command prints with `--json` what its type says, which the reference is made of."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scripts import reference, shapes
from tests.home import Home
from tests.integration.conftest import Run
from tests.json_shapes import problems
from tests.remembering import remember

# It takes longer than all others together, and is checked where it is tested.
ELSEWHERE = {"demo"}

Printed = Callable[..., Any]


@pytest.fixture
def printed(recollect: Run) -> Printed:
    """What a command prints with `--json`, which must be what its type says."""

    def run(*arguments: str, code: int = 0) -> Any:
        value = json.loads(recollect(*arguments, "--json", code=code).stdout)
        words = list(arguments)
        name = " ".join(words[:2]) if " ".join(words[:2]) in shapes.PRINTED else words[0]
        assert problems(value, shapes.PRINTED[name]) == [], arguments
        return value

    return run


@pytest.fixture
def memory(home: Home, shop: Path) -> str:
    """The id of an entry; another session proposed a note. No worker runs."""
    home.no_worker()
    remember(home, shop)
    decided = "We decided on Redis because it is shared."
    remember(home, shop, "Which cache?", decided, session="s-2")
    return home.kept()[0].id


def with_json() -> set[str]:
    return {
        context.command_path.removeprefix("recollect ")
        for context in reference.tree()
        if any("--json" in one.opts for one in context.command.params)
    }


def test_every_command_with_json_has_a_type() -> None:
    assert with_json() == set(shapes.PRINTED)
    assert list(shapes.PRINTED) == sorted(shapes.PRINTED)


def test_what_is_found(printed: Printed, memory: str) -> None:
    (found,) = printed("search", "--explain", "why was the orders page slow")["results"]

    assert found["id"] == memory
    assert printed("ask", "why was the orders page slow")["results"]
    assert printed("expand", memory)["body"]
    assert len(printed("timeline")) == 2
    assert printed("transcript", memory)["turns"]
    assert len(printed("summary", "-n", "2")) == 2
    assert printed("context", "--prompt", "why was the orders page slow?")["shown"]
    assert not printed("context", "--error", "KeyError: x")["shown"]


def test_notes(printed: Printed, recollect: Run, memory: str, home: Home, tmp_path: Path) -> None:
    rule = printed("remember", "-c", "constraint", "Deploys need the VPN")["name"]
    other = printed("remember", "-c", "preference", "Answer in short sentences")["name"]
    (proposed,) = printed("review")
    printed("review", "--accept", proposed["name"])

    assert len(printed("list")) == 3
    assert printed("show", rule)["text"]
    assert printed("show", rule, "--version", "1")["text"]
    assert printed("show", rule, "--history")
    assert printed("pin", rule)["outcome"] == "updated"
    assert len(printed("archive", rule, other)) == 2
    assert printed("unarchive", rule)["outcome"] == "unarchived"
    assert printed("retire", rule)["outcome"] == "retired"
    assert printed("gc") == []
    assert printed("gc", "--dry-run") == []
    assert printed("restore", rule)["outcome"] == "restored"
    assert len(printed("export")) == 3
    assert printed("export", "--output", str(tmp_path / "out"))["written"] == 3
    assert printed("import", str(tmp_path / "out"), "--dry-run")["notes"]["nothing"] == 3
    assert printed("import", str(tmp_path / "out"))["notes"]["records"]
    (file,) = home.path.glob("projects/*/constraints/*.md")
    file.write_text("---\nno: [yaml\n---\n")
    assert printed("show", rule)["trouble"]
    assert printed("status")["notes"]


def test_what_is_taken_back(printed: Printed, memory: str) -> None:
    assert printed("forget", memory, "--dry-run")["outcome"] == "nothing"
    assert printed("forget", memory)["outcome"] == "forgotten"
    assert memory in {one["id"] for one in printed("forget", "--list")}
    assert printed("restore", memory)["outcome"] == "restored"
    assert printed("forget", memory, "--really", "--yes")["outcome"] == "erased"


def test_what_is_looked_after(printed: Printed, memory: str, shop: Path, tmp_path: Path) -> None:
    (project,) = printed("projects")

    assert printed("status")["memories"] == 2
    assert printed("doctor", code=1)
    assert printed("index")["memories"] == 2
    assert printed("stats")["together"]["times"] == 0
    assert printed("spend", "--days", "2")["days"]
    assert printed("save")["session"] == "s-2"
    assert printed("retry", "--list")["turns"] == []
    assert printed("resynthesise", "--extractive", "--all", "--dry-run")["changes"] == []
    assert printed("resynthesise", "--since", "1d", "--extractive", "--yes")["replaced"] == []
    assert printed("projects", "rename", project["name"], "store")["label"] == "store"
    assert printed("projects", "exclude", "store")["excluded"]
    assert printed("projects", "exclude", "store", "--undo")["excluded"] is False
    assert printed("logs") is not None
    assert printed("logs", "--clear")["cleared"]


def test_what_is_set(printed: Printed, home: Home) -> None:
    assert "recall.limit" in printed("config")["settings"]
    assert printed("config", "set", "recall.limit", "2")["value"] == "2"
    assert printed("config", "get", "recall.limit") == 2
    assert printed("config", "get", "capture.exclude_paths") == []
    assert printed("config", "unset", "recall.limit")["file"] == printed("config", "path")["file"]


def test_what_is_set_up(printed: Printed, tmp_path: Path, home: Home) -> None:
    (tmp_path / "home" / ".cursor").mkdir(parents=True)

    assert printed("setup", "--mcp", "cursor", "--dry-run")["done"] is False
    assert printed("setup", "--mcp", "cursor", "--yes")["done"]
    assert printed("uninstall", "--dry-run")["steps"]
    assert printed("uninstall", "--yes")["done"]


def test_the_worker(printed: Printed, home: Home) -> None:
    assert printed("worker", "status")["running"] is False
    assert printed("worker", "start")["pid"] == printed("worker", "status")["pid"]
    assert printed("worker", "restart")["pid"]
    assert printed("worker", "stop")["stopped"]


def test_two_projects_become_one(printed: Printed, home: Home, shop: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    remember(home, shop)
    remember(home, other, session="s-2")

    assert printed("projects", "join", "other", "shop", "--yes")["day_files"] == 1
    assert printed("projects", "split", "shop", str(other))["label"] == "other"


def test_each_command_is_checked_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    called = {name: 'printed("' + '", "'.join(name.split()) + '"' for name in shapes.PRINTED}

    assert {name for name, call in called.items() if call not in text} == ELSEWHERE
