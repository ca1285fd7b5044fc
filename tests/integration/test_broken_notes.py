"""A note whose file cannot be read any more is still in the user's hands."""

import json
import re
from pathlib import Path

import pytest

from recollect.errors import NoteError
from tests.home import Home
from tests.integration.conftest import Run
from tests.integration.test_notes_by_hand import editor, listed

VPN = "constraint/deploys-need-the-vpn"


@pytest.fixture
def file(recollect: Run, home: Home) -> Path:
    """A note that somebody broke."""
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    (file,) = home.path.glob("projects/*/constraints/*.md")
    file.write_text(file.read_text().replace("tags:", "tags: [", 1))
    return file


@pytest.mark.parametrize("name", [VPN, "deploys-need-the-vpn", "deploys", "constraints/deploys"])
def test_it_is_shown_by_its_name_with_what_is_wrong(recollect: Run, file: Path, name: str) -> None:
    told = recollect("show", name).stdout

    assert "tags: [" in told
    assert re.search(r"! line \d+: ", told)
    assert f"recollect edit {VPN}" in told


def test_or_by_the_path_that_status_names(
    recollect: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (trouble,) = json.loads(recollect("status", "--json").stdout)["notes"]
    monkeypatch.chdir(tmp_path)

    shown = json.loads(recollect("show", trouble["file"], "--json").stdout)

    assert shown["name"] == VPN
    assert shown["file"] == str(file)
    assert shown["text"] == file.read_text()
    assert shown["trouble"] == trouble["what"]


def test_it_is_mended_in_the_editor(recollect: Run, file: Path, tmp_path: Path) -> None:
    change = editor(tmp_path, ("severity", "severity"), ("tags: [", "tags:"))
    assert "Nothing was changed" in recollect("edit", "deploys", editor=change).stdout

    assert "updated" in recollect("edit", "deploys", editor=change).stdout

    assert listed(recollect) == [VPN]


def test_what_is_still_wrong_is_said_and_nothing_is_lost(
    recollect: Run, file: Path, tmp_path: Path
) -> None:
    before = file.read_text()
    change = editor(tmp_path, ("tags: [", "tags: {"), ("tags: {", "tags:"))

    done = recollect("edit", "deploys", editor=change, stdin="y\n")

    assert "The note is as it was" in done.stdout
    assert listed(recollect) == [VPN]
    assert before in [one.read_text() for one in file.parent.parent.rglob(".history/**/*.md")]


def test_an_earlier_version_of_it_can_be_shown(recollect: Run, file: Path) -> None:
    assert "tags: [" not in recollect("show", "deploys", "--version", "1").stdout
    assert len(json.loads(recollect("show", "deploys", "--history", "--json").stdout)) == 2


def test_it_is_forgotten_and_comes_back_as_it_was(recollect: Run, file: Path) -> None:
    broken = file.read_text()

    assert f"recollect restore {VPN}" in recollect("forget", "deploys").stdout
    assert not file.exists()
    assert json.loads(recollect("status", "--json").stdout)["notes"] == []
    recollect("restore", VPN)

    assert file.read_text() == broken


def test_it_is_erased_with_its_history(recollect: Run, file: Path) -> None:
    recollect("forget", VPN, "--really", "--yes")

    assert not file.exists()
    assert not list(file.parent.parent.rglob(".history/*/*"))
    recollect("restore", VPN, code=1)


def test_a_link_in_its_place_is_erased_and_what_it_points_to_stays(
    recollect: Run, file: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)

    recollect("forget", VPN, "--really", "--yes")

    assert not file.is_symlink()
    assert elsewhere.exists()


@pytest.mark.parametrize("command", ["retire", "archive"])
def test_what_needs_to_read_it_says_how_to_mend_it(
    recollect: Run, file: Path, command: str
) -> None:
    error = recollect(command, "deploys", code=1).exception

    assert isinstance(error, NoteError)
    assert str(file) in error.message
    assert f"recollect edit {VPN}" in error.hint


def test_what_another_program_wrote_meanwhile_is_not_overwritten_unasked(
    recollect: Run, file: Path, tmp_path: Path
) -> None:
    meanwhile = file.read_text().replace("tags: [", "tags: {")
    (tmp_path / "meanwhile").write_text(meanwhile)
    script = tmp_path / "slow-editor"
    script.write_text(
        f"#!/bin/sh\nsed -i 's/tags: \\[/tags:/' \"$1\"\ncp {tmp_path}/meanwhile {file}\n"
    )
    script.chmod(0o700)

    done = recollect("edit", VPN, editor=str(script), stdin="n\n")

    assert "changed since it was read" in done.stdout
    assert file.read_text() == meanwhile


def test_a_file_behind_a_linked_folder_is_not_shown(
    recollect: Run, file: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    file.parent.rename(elsewhere)
    file.parent.symlink_to(elsewhere)

    assert "is a link" in str(recollect("show", VPN, code=1).exception)
