"""Notes as a person and a program handle them: from a sentence to the bin, and back."""

import json
import re
import stat
import sys
from pathlib import Path

import pytest

from tests.home import Home
from tests.integration.conftest import Run

VPN = "constraint/deploys-need-the-vpn"


SENTENCES = {
    "decision": "We decided on Postgres because it has partial indexes",
    "runbook": "When the build hangs, kill the daemon and run it again; that fixed it",
    "constraint": "Deploys need the VPN",
    "tech_debt": "The parser reads twice, we leave that until the spring because it is rarely used",
    "preference": "Always answer in German",
}


# A runbook is of use when its trouble is there: it is shown for a prompt, not at the start.
@pytest.mark.parametrize("category", [one for one in SENTENCES if one != "runbook"])
def test_a_note_is_shown_below_what_the_user_calls_its_kind(
    recollect: Run, home: Home, shop: Path, category: str
) -> None:
    recollect("remember", "--category", category, SENTENCES[category])
    recollect("config", "set", f"categories.{category}.description", "What the bank demands.")
    home.settle()

    given = home.hook("SessionStart", session_id="new", cwd=str(shop), source="startup")

    kind = category.replace("_", " ").capitalize()
    (name,) = listed(recollect)
    shown = str(given["hookSpecificOutput"])
    assert re.search(rf"{kind} \(What the bank demands\):\\n- [^\\]+ \[{name}\]", shown)


def listed(recollect: Run, *arguments: str) -> list[str]:
    return [one["name"] for one in json.loads(recollect("list", "--json", *arguments).stdout)]


def editor(tmp_path: Path, *edits: tuple[str, str]) -> str:
    """A program that replaces words in the file it is given, another pair each time."""
    script = tmp_path / "editor"
    script.write_text(
        f"#!{sys.executable}\nimport pathlib, sys\n"
        f"edits = {list(edits)!r}\n"
        f"count = pathlib.Path({str(tmp_path / 'count')!r})\n"
        "number = len(count.read_text()) if count.exists() else 0\n"
        "count.write_text('x' * (number + 1))\n"
        "file = pathlib.Path(sys.argv[-1])\n"
        "file.write_text(file.read_text().replace(*edits[number]))\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def test_a_note_goes_through_its_life(recollect: Run) -> None:
    assert "created" in recollect("remember", "-c", "constraint", "Deploys need the VPN").stdout
    assert listed(recollect) == [VPN]
    assert "Deploys need the VPN" in recollect("show", "deploys").stdout

    recollect("archive", "deploys", "--reason", "not now")
    assert listed(recollect) == []
    recollect("unarchive", "deploys")
    recollect("retire", "deploys")
    assert listed(recollect, "--status", "retired") == [VPN]
    recollect("restore", "deploys")
    assert listed(recollect) == [VPN]

    versions = json.loads(recollect("show", "deploys", "--history", "--json").stdout)
    assert len(versions) == 5
    assert "Deploys need the VPN" in recollect("show", "deploys", "--version", "1").stdout


def test_words_come_from_standard_input_and_from_a_file(recollect: Run, tmp_path: Path) -> None:
    file = tmp_path / "rule.md"
    file.write_text("Never deploy on Fridays")

    recollect("remember", "-c", "constraint", "-", stdin="Deploys need the VPN\n")
    recollect("remember", "-c", "constraint", "--file", str(file))

    assert sorted(listed(recollect)) == [VPN, "constraint/never-deploy-on-fridays"]


def test_nothing_to_remember_is_said(recollect: Run) -> None:
    assert "Say what to remember" in recollect("remember", code=2).stderr


def test_wrong_usage_is_said(recollect: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.touch()

    assert "Say what to remember" in recollect("remember", "--file", str(empty), code=2).stderr
    assert recollect("summary", "-n", "-3", code=2)
    assert recollect("list", "-n", "0", code=2)


def test_of_several_names_a_wrong_one_stops_all(recollect: Run) -> None:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")

    recollect("retire", "deploys", "nothing", code=1)

    assert listed(recollect) == [VPN]


def test_pages_follow_each_other(recollect: Run) -> None:
    for number in range(5):
        recollect(
            "remember", "-c", "tech_debt", f"Part number{number} of the parser is slow{number}"
        )

    first, second, third = (listed(recollect, "-n", "2", "--page", str(n)) for n in (1, 2, 3))

    assert [len(page) for page in (first, second, third)] == [2, 2, 1]
    assert len({*first, *second, *third}) == 5


class TestEditing:
    @pytest.fixture(autouse=True)
    def note(self, recollect: Run) -> None:
        recollect("remember", "-c", "constraint", "Deploys need the VPN")

    def test_what_is_saved_is_what_holds(self, recollect: Run, tmp_path: Path) -> None:
        change = editor(tmp_path, ("need the VPN", "need the office network"))

        assert "updated" in recollect("edit", "deploys", editor=change).stdout

        assert "office network" in recollect("show", "deploys").stdout

    def test_a_mistake_loses_nothing_and_can_be_mended(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        change = editor(tmp_path, ("severity: medium", "severity: terrible"), ("terrible", "high"))

        done = recollect("edit", "deploys", editor=change, stdin="y\n")

        assert "severity" in done.stdout
        assert "updated" in done.stdout
        assert "severity: high" in recollect("show", "deploys").stdout

    def test_or_is_kept_beside_the_note(self, recollect: Run, tmp_path: Path) -> None:
        change = editor(tmp_path, ("severity: medium", "severity: terrible"))

        done = recollect("edit", "deploys", editor=change, stdin="n\n")

        beside = Path(done.stdout.split("Your text: ")[1].splitlines()[0])
        assert "severity: terrible" in beside.read_text()
        assert "severity: medium" in recollect("show", "deploys").stdout
        assert listed(recollect) == [VPN]

    def test_an_editor_that_changes_nothing_changes_nothing(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        change = editor(tmp_path, ("nothing", "something"))

        assert "Nothing was changed" in recollect("edit", "deploys", editor=change).stdout


class TestForgetting:
    @pytest.fixture(autouse=True)
    def note(self, recollect: Run) -> None:
        recollect("remember", "-c", "constraint", "Deploys need the VPN")

    def test_a_dry_run_only_says_what_would_go(self, recollect: Run) -> None:
        assert "would be erased" in recollect("forget", "deploys", "--really", "--dry-run").stdout
        assert listed(recollect) == [VPN]

    def test_what_is_forgotten_can_come_back(self, recollect: Run) -> None:
        assert "recollect restore" in recollect("forget", "deploys").stdout
        assert listed(recollect) == []

        recollect("restore", "deploys")

        assert listed(recollect) == [VPN]


def test_a_broken_note_is_named_by_status_and_everything_else_works(
    recollect: Run, home: Home
) -> None:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    recollect("remember", "-c", "preference", "Use tabs")
    (file,) = home.path.glob("projects/*/constraints/*.md")
    file.write_text(file.read_text().replace("tags:", "tags: [", 1))

    told = recollect("status").stdout

    assert str(file) in told.replace("\n", "")
    assert listed(recollect) == ["preference/use-tabs"]
    assert recollect("doctor", code=1).stdout


def test_review_lists_and_decides_without_a_terminal(recollect: Run) -> None:
    recollect("remember", "-c", "decision", "Orders live in the Postgres database")
    recollect("remember", "-c", "decision", "Orders live in the SQLite database")

    (item,) = json.loads(recollect("review", "--json").stdout)
    assert item["kind"] == "contradiction"
    recollect("review", "--replace", item["name"])

    assert listed(recollect) == ["decision/orders-live-in-the-sqlite-database"]
    assert "Nothing waits" in recollect("review").stdout


def test_the_last_sessions_are_told(recollect: Run, home: Home, shop: Path) -> None:
    common = {"session_id": "s-1", "cwd": str(shop), "prompt_id": "p"}
    home.hook("UserPromptSubmit", prompt="Why is the orders page slow?", **common)
    home.hook("Stop", last_assistant_message="An N+1 query, because items load lazily.", **common)
    home.hook("SessionEnd", reason="other", **common)
    home.settle()

    (told,) = json.loads(recollect("summary", "--json").stdout)

    assert "orders page slow" in told["request"]
    assert "orders page slow" in recollect("summary").stdout
