"""Forgetting from the command line: only what is meant, all of it, and the truth about it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from recollect.errors import RecollectError
from tests.home import Home, repository
from tests.integration.conftest import Run
from tests.integration.test_notes_by_hand import listed
from tests.remembering import remember

VPN = "constraint/deploys-need-the-vpn"
TABS = "preference/use-tabs"
ERASE = ("--really", "--yes")


@pytest.fixture
def note(recollect: Run, home: Home) -> Path:
    """The file of a note in the shop."""
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    (file,) = home.path.glob("projects/*/constraints/*.md")
    return file


@pytest.fixture
def bank(recollect: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another project, in which we are."""
    folder = repository(tmp_path / "bank")
    monkeypatch.chdir(folder)
    recollect("remember", "-c", "preference", "Use tabs")
    return folder


def versions_of(note: Path) -> list[Path]:
    return sorted((note.parent.parent / ".history").rglob("*.md"))


def told(error: Any) -> RecollectError:
    assert isinstance(error, RecollectError)
    return error


class TestOnlyWhereTheOptionsSay:
    def test_a_note_of_another_project_stays(self, recollect: Run, note: Path, bank: Path) -> None:
        error = told(recollect("forget", VPN, *ERASE, code=1).exception)

        assert note.exists()
        assert "no such id" in error.message
        assert f"--project {note.parent.parent.name}" in error.hint

    def test_and_goes_when_the_project_is_said(
        self, recollect: Run, note: Path, bank: Path
    ) -> None:
        recollect("forget", VPN, *ERASE, "--project", "shop")

        assert not note.exists()

    def test_what_holds_everywhere_stays_when_a_project_is_said(
        self, recollect: Run, note: Path, home: Home
    ) -> None:
        recollect("remember", "-c", "preference", "Use tabs", "--global")

        error = told(recollect("forget", TABS, "--project", "shop", code=1).exception)

        assert "--global" in error.hint
        assert listed(recollect) == [TABS, VPN]

    def test_an_entry_of_the_journal_of_another_project_stays(
        self, recollect: Run, home: Home, shop: Path, note: Path, bank: Path
    ) -> None:
        remember(home, shop)
        (entry,) = home.kept()

        error = told(recollect("forget", entry.id, code=1).exception)

        assert home.kept() == [entry]
        assert f"--project {note.parent.parent.name}" in error.hint
        recollect("forget", entry.id, "--project", "shop")
        assert home.kept() == []


class TestANoteThatHasOnlyItsHistoryLeft:
    @pytest.fixture(params=["deleted by hand", "put away broken"], autouse=True)
    def gone(self, recollect: Run, note: Path, request: pytest.FixtureRequest) -> None:
        if request.param == "deleted by hand":
            note.unlink()
        else:
            note.write_text(note.read_text().replace("tags:", "tags: [", 1))
            recollect("forget", VPN)

    def test_is_erased_by_its_name(self, recollect: Run, note: Path) -> None:
        assert versions_of(note)

        recollect("forget", "deploys", *ERASE)

        assert versions_of(note) == []
        assert "Nothing was forgotten" in recollect("forget", "--list").stdout

    def test_shows_its_history_and_each_version(self, recollect: Run, note: Path) -> None:
        numbers = json.loads(recollect("show", VPN, "--history", "--json").stdout)

        assert len(numbers) == len(versions_of(note))
        assert "Deploys need the VPN" in recollect("show", VPN, "--version", "1").stdout

    def test_is_not_forgotten_a_second_time(self, recollect: Run, note: Path) -> None:
        error = told(recollect("forget", VPN, code=1).exception)

        assert "only its history" in error.message
        assert "--really" in error.hint

    def test_is_not_taken_for_another_that_begins_so(self, recollect: Run, note: Path) -> None:
        recollect("remember", "-c", "constraint", "Deploys need the VPN and a ticket")
        other = note.with_stem("deploys-need-the-vpn-and-a-ticket")

        recollect("forget", VPN, *ERASE)

        assert other.exists()
        assert {one.parent.name for one in versions_of(note)} == {other.stem}


class TestErasingThatStopsHalfWay:
    @pytest.fixture
    def stuck(self, note: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
        """Versions that cannot be deleted, until this is undone."""

        def refuse(folder: Path) -> None:
            raise PermissionError(13, "Permission denied", str(folder))

        monkeypatch.setattr(shutil, "rmtree", refuse)
        return monkeypatch

    def test_says_what_is_left(self, recollect: Run, note: Path, stuck: pytest.MonkeyPatch) -> None:
        error = told(recollect("forget", VPN, *ERASE, code=1).exception)

        assert "Permission denied" in error.message
        assert f"still there: {note}" in error.message
        assert note.exists()

    def test_is_finished_by_doing_it_again(
        self, recollect: Run, note: Path, shop: Path, stuck: pytest.MonkeyPatch
    ) -> None:
        recollect("forget", VPN, *ERASE, code=1)
        stuck.undo()
        stuck.chdir(shop)

        recollect("forget", VPN, *ERASE)

        assert not note.exists()
        assert versions_of(note) == []

    def test_tells_what_was_done_before_it(
        self, recollect: Run, note: Path, stuck: pytest.MonkeyPatch
    ) -> None:
        recollect("remember", "-c", "preference", "Use tabs")
        (note.parent.parent / ".history" / "preferences" / "use-tabs").rename(
            note.parent / ".aside"
        )

        done = recollect("forget", TABS, VPN, *ERASE, "--json", code=1)

        first, second = json.loads(done.stdout)
        assert (first["outcome"], first["id"]) == ("erased", TABS)
        assert second["outcome"] == "failed"
        assert VPN in second["reason"]
        assert listed(recollect) == [VPN]

    def test_an_entry_is_finished_too(
        self, recollect: Run, home: Home, shop: Path, note: Path
    ) -> None:
        remember(home, shop)
        (entry,) = home.kept()
        (archive,) = home.path.glob("projects/*/transcripts/*.gz")
        whole = archive.read_bytes()
        archive.unlink()
        archive.mkdir()

        error = told(recollect("forget", entry.id, *ERASE, code=1).exception)
        assert "not erased everywhere" in error.message
        archive.rmdir()
        archive.write_bytes(whole)
        recollect("forget", entry.id, *ERASE)

        assert archive.read_bytes() == b""


class TestSeveral:
    @pytest.fixture(autouse=True)
    def two(self, recollect: Run, note: Path) -> None:
        recollect("remember", "-c", "preference", "Use tabs")

    def test_the_same_one_counts_once(self, recollect: Run) -> None:
        done = json.loads(recollect("forget", VPN, "deploys", "--json").stdout)

        assert done["id"] == VPN

    def test_are_restored_in_one_document(self, recollect: Run) -> None:
        recollect("forget", VPN, TABS)

        done = json.loads(recollect("restore", VPN, TABS, VPN, "--json").stdout)

        assert [one["outcome"] for one in done] == ["restored", "restored"]
        assert listed(recollect) == [TABS, VPN]

    def test_one_that_is_not_there_stops_no_other_that_is_restored(self, recollect: Run) -> None:
        recollect("forget", VPN)

        done = json.loads(recollect("restore", "nothing", VPN, "--json", code=1).stdout)

        assert [one["outcome"] for one in done] == ["failed", "restored"]


def test_what_cannot_be_written_is_not_told_to_be_erased(
    recollect: Run, note: Path, tmp_path: Path
) -> None:
    note.parent.rename(tmp_path / "elsewhere")
    note.parent.symlink_to(tmp_path / "elsewhere")

    error = told(recollect("forget", VPN, code=1).exception)

    assert "is a link" in error.message
    assert "--really" not in error.hint


def test_a_beginning_that_fits_a_forgotten_entry_and_a_note_is_ambiguous(
    recollect: Run, home: Home, shop: Path
) -> None:
    remember(home, shop)
    (entry,) = home.kept()
    year = entry.id[:4]
    recollect("remember", "-c", "constraint", f"{year} is the year of the move")
    recollect("forget", entry.id)

    error = told(recollect("restore", year, code=1).exception)

    assert entry.id in error.message
    assert f"constraint/{year}-is" in error.message
    assert home.kept() == []
    recollect("restore", entry.id)
    assert home.kept() == [entry]


@pytest.mark.parametrize(("away", "back"), [("retire", "restore"), ("archive", "unarchive")])
def test_a_version_of_a_note_that_does_not_hold_says_how_to_let_it_hold(
    recollect: Run, note: Path, away: str, back: str
) -> None:
    recollect(away, VPN)

    done = json.loads(recollect("restore", VPN, "--version", "1", "--json").stdout)

    assert "still" in done["reason"]
    assert f"recollect {back} {VPN}" in done["reason"]
    assert listed(recollect) == []


def test_the_entry_that_a_note_was_made_of_is_named_while_it_is_there(
    recollect: Run, home: Home, shop: Path
) -> None:
    remember(home, shop, prompt="We decided on Postgres because it has JSON.")
    (entry,) = home.kept()
    (name,) = [one for one in listed(recollect) if one.startswith("decision/")]

    before = json.loads(recollect("forget", name, "--dry-run", "--json").stdout)
    recollect("forget", entry.id)
    after = json.loads(recollect("forget", name, "--dry-run", "--json").stdout)

    assert before["also"] == [f"also stands in the journal: recollect forget {entry.id}"]
    assert after["also"] == []


def test_decisions_about_several_notes_are_one_document(recollect: Run) -> None:
    for what in ("Orders live in the {} database", "Sessions are cached by the {} cluster"):
        for which in ("Postgres", "SQLite"):
            recollect("remember", "-c", "decision", what.format(which))
    names = [one["name"] for one in json.loads(recollect("review", "--json").stdout)]
    accept = [part for name in names for part in ("--accept", name)]

    done = json.loads(recollect("review", *accept, "--json").stdout)

    assert len(done) == len(names) > 1
    assert json.loads(recollect("review", "--json").stdout) == []


def test_a_note_is_decided_about_once(recollect: Run) -> None:
    assert (
        "Give one decision" in recollect("review", "--accept", "a", "--reject", "a", code=2).stderr
    )
