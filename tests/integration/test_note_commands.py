"""What commands on notes say and do where it would be easy to do too much, or to say too little."""

import json
import os
import pty
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from recollect.errors import NotFoundError, RecollectError
from tests.home import Home
from tests.integration.conftest import Run
from tests.integration.test_notes_by_hand import editor, listed

VPN = "constraint/deploys-need-the-vpn"


@pytest.fixture
def note(recollect: Run) -> str:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    return VPN


class TestErasing:
    def at_a_terminal(self, home: Home, *arguments: str, answer: str) -> int:
        ours, theirs = pty.openpty()
        os.write(ours, answer.encode())
        done = subprocess.run(
            [sys.executable, "-m", "recollect", *arguments],
            check=False,
            stdin=theirs,
            capture_output=True,
            env={**os.environ, "RECOLLECT_HOME": str(home)},
            timeout=30,
        )
        os.close(ours)
        os.close(theirs)
        return done.returncode

    def test_asks_first(self, recollect: Run, home: Home, note: str) -> None:
        assert self.at_a_terminal(home, "forget", note, "--really", answer="n\n") == 1
        assert listed(recollect) == [note]

        assert self.at_a_terminal(home, "forget", note, "--really", answer="y\n") == 0
        assert listed(recollect) == []

    @pytest.mark.parametrize("more", [(), ("--json",)])
    def test_is_refused_where_nobody_can_be_asked(
        self, recollect: Run, note: str, more: tuple[str, ...]
    ) -> None:
        error = recollect("forget", note, "--really", *more, stdin="y\n", code=1).exception

        assert isinstance(error, RecollectError)
        assert "nothing was erased" in error.message
        assert "--yes" in error.hint
        assert listed(recollect) == [note]

    def test_is_done_when_that_was_said_beforehand(self, recollect: Run, note: str) -> None:
        told = json.loads(recollect("forget", note, "--really", "--yes", "--json").stdout)

        assert told["outcome"] == "erased"
        assert listed(recollect) == []

    def test_of_several_names_a_wrong_one_stops_all(self, recollect: Run, note: str) -> None:
        recollect("forget", note, "nothing", "--really", "--yes", code=1)

        assert listed(recollect) == [note]

    def test_several_are_told_to_programs_in_one_list(self, recollect: Run, note: str) -> None:
        recollect("remember", "-c", "preference", "Use tabs")

        told = json.loads(recollect("forget", note, "use-tabs", "--json").stdout)

        assert [one["id"] for one in told] == [note, "preference/use-tabs"]


class TestSeveral:
    @pytest.fixture
    def names(self, recollect: Run, home: Home, note: str, tmp_path: Path) -> list[str]:
        """Two notes that cannot be changed: their histories are behind a link."""
        recollect("remember", "-c", "constraint", "Tokens expire hourly")
        (history,) = home.path.glob("projects/*/.history")
        history.rename(tmp_path / "elsewhere")
        history.symlink_to(tmp_path / "elsewhere")
        return [note, "constraint/tokens-expire-hourly"]

    def test_that_fail_are_told_to_programs_with_an_exit_code(
        self, recollect: Run, names: list[str]
    ) -> None:
        told = json.loads(recollect("retire", *names, "--json", code=1).stdout)

        assert [one["outcome"] for one in told] == ["failed", "failed"]

    def test_that_fail_are_each_told_to_people(self, recollect: Run, names: list[str]) -> None:
        done = recollect("retire", *names, code=1)

        assert all(f"{name.split('/')[1]}: " in done.stderr for name in names)


class TestVersions:
    @pytest.fixture(autouse=True)
    def versions(self, recollect: Run, note: str, tmp_path: Path) -> None:
        change = editor(tmp_path, ("need the VPN", "need the office network"))
        recollect("edit", note, editor=change)

    def test_an_earlier_one_is_told_to_programs_as_it_was(self, recollect: Run, note: str) -> None:
        recollect("retire", note)

        first = json.loads(recollect("show", note, "--version", "1", "--json").stdout)
        now = json.loads(recollect("show", note, "--json").stdout)

        assert (first["record_status"], now["record_status"]) == ("active", "retired")
        assert "need the VPN" in first["content"]["rule"]
        assert "need the VPN" in first["text"]
        assert first["name"] == now["name"] == note

    def test_one_that_cannot_be_read_is_told_with_what_is_wrong(
        self, recollect: Run, home: Home, note: str
    ) -> None:
        (file,) = home.path.glob("projects/*/.history/constraints/*/1.md")
        file.write_text("---\ntags: [\n---\n")

        told = json.loads(recollect("show", note, "--version", "1", "--json").stdout)

        assert "line" in told["trouble"]
        assert "content" not in told

    def test_an_earlier_one_is_brought_back_and_the_one_now_is_kept(
        self, recollect: Run, note: str
    ) -> None:
        done = json.loads(recollect("restore", note, "--version", "1", "--json").stdout)

        assert done["outcome"] == "brought-back"
        assert "need the VPN" in recollect("show", note).stdout
        assert "office network" in recollect("show", note, "--version", "2").stdout

    def test_of_a_file_that_was_deleted_comes_back(
        self, recollect: Run, home: Home, note: str
    ) -> None:
        (file,) = home.path.glob("projects/*/constraints/*.md")
        file.unlink()
        assert note in recollect("forget", "--list").stdout

        recollect("restore", note)

        assert "office network" in recollect("show", note).stdout

    def test_one_that_is_not_there_is_said(self, recollect: Run, note: str) -> None:
        error = recollect("restore", note, "--version", "9", code=1).exception

        assert "there is no version 9" in str(error)

    def test_is_of_one_note(self, recollect: Run, note: str) -> None:
        assert "takes one note" in recollect("restore", note, "b", "--version", "1", code=2).stderr

    def test_have_times_with_a_zone(self, recollect: Run, note: str) -> None:
        told = json.loads(recollect("show", note, "--history", "--json").stdout)

        assert [one["version"] for one in told] == [1, 2]
        assert all(datetime.fromisoformat(one["at"]).tzinfo for one in told)


class TestRemembering:
    def test_tells_the_name_that_every_other_command_tells(self, recollect: Run) -> None:
        said = recollect("remember", "-c", "constraint", "Deploys need the VPN").stdout
        again = recollect("remember", "-c", "constraint", "Deploys need the VPN", "--json").stdout

        assert f"created {VPN}" in said
        assert json.loads(again)["name"] == VPN

    def test_what_is_there_already_is_no_failure(self, recollect: Run, note: str) -> None:
        done = recollect("remember", "-c", "constraint", "Deploys need the VPN", "--json")

        assert json.loads(done.stdout)["outcome"] == "updated"

    @pytest.mark.parametrize("more", [(), ("--json",)])
    def test_what_was_retired_a_moment_ago_is_declined_and_that_is_no_success(
        self, recollect: Run, note: str, more: tuple[str, ...]
    ) -> None:
        recollect("retire", note)

        done = recollect("remember", "-c", "constraint", "Deploys need the VPN", *more, code=1)

        told = json.loads(done.stdout) if more else {"outcome": "nothing"}
        assert told["outcome"] == "nothing"
        assert "restore it, or choose another title" in done.stdout + str(done.exception)
        assert listed(recollect) == []

    def test_nor_is_a_category_that_is_off(self, recollect: Run) -> None:
        off = ("-s", "categories.constraint.enabled=false")

        done = recollect(*off, "remember", "-c", "constraint", "No deploys", "--json", code=1)

        assert "categories.constraint.enabled" in json.loads(done.stdout)["reason"]


def test_a_bare_category_names_no_note(recollect: Run, note: str) -> None:
    error = recollect("show", "constraint/", code=1).exception

    assert isinstance(error, NotFoundError)
    assert "recollect list -c constraint" in error.hint


def test_a_link_is_named_once(recollect: Run, home: Home, note: str, tmp_path: Path) -> None:
    recollect("remember", "-c", "constraint", "Tokens expire hourly")
    file = next(home.path.glob("projects/*/constraints/deploys*.md"))
    file.rename(tmp_path / "elsewhere.md")
    file.symlink_to(tmp_path / "elsewhere.md")

    for command, code in (("status", 0), ("doctor", 1)):
        told = recollect(command, code=code).stdout.replace("\n", "")
        assert told.count(str(file)) == 1


def test_what_gc_would_do_is_said_in_plain_words(recollect: Run, note: str) -> None:
    recollect("retire", note)
    recollect("config", "set", "delete.grace_days", "0")

    told = recollect("gc", "--dry-run").stdout
    planned = json.loads(recollect("gc", "--dry-run", "--json").stdout)

    assert f"would archive {note}: retired more than 0 days ago" in told
    assert [(one["outcome"], one["would"], one["name"]) for one in planned] == [
        ("nothing", "archive", note)
    ]
    assert listed(recollect, "--status", "retired") == [note]


@pytest.mark.parametrize("name", ["orders-live-in-the-sqlite", "decision/orders-live-in-the-sq"])
def test_review_takes_the_names_that_show_takes(recollect: Run, name: str) -> None:
    recollect("remember", "-c", "decision", "Orders live in the Postgres database")
    recollect("remember", "-c", "decision", "Orders live in the SQLite database")

    recollect("review", "--accept", name)

    assert json.loads(recollect("review", "--json").stdout) == []
    error = recollect("review", "--accept", name, code=1).exception
    assert "is not waiting for review" in str(error)


def test_what_nobody_sees_does_not_turn_round_what_is_shown(
    recollect: Run, home: Home, note: str
) -> None:
    (file,) = home.path.glob("projects/*/constraints/*.md")
    written = file.read_text().replace("need the VPN", "need \u202ethe VPN\x1b[2J")
    file.write_text(written)

    shown = recollect("show", note).stdout
    found = recollect("search", "deploys VPN").stdout

    assert not {"\u202e", "\x1b"} & set(shown + found)
    assert file.read_text() == written, "the file is the user's"


def test_a_pinned_note_goes_first_at_the_start_of_a_session(
    recollect: Run, home: Home, note: str
) -> None:
    recollect("remember", "-c", "constraint", "Tokens expire hourly")

    def first() -> str:
        shown = json.loads(recollect("context", "--json").stdout)["shown"]
        return str(shown[0]["id"])

    before = first()
    recollect("pin", note)
    pinned = first()
    recollect("pin", "--undo", note)
    recollect("remember", "-c", "constraint", "Backups run at night")

    assert before != note
    assert pinned == note
    assert first() == "constraint/backups-run-at-night"


@pytest.mark.usefixtures("note")
def test_nothing_is_remembered_of_a_project_that_was_excluded(recollect: Run) -> None:
    """`Memory` and the tools for agents refused it, and the command did not."""
    (project,) = json.loads(recollect("projects", "--json").stdout)
    recollect("projects", "exclude", project["name"])

    error = recollect("remember", "Tokens expire hourly", code=1).exception

    assert isinstance(error, RecollectError)
    assert "is excluded from memory" in error.message
