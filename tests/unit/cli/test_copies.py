import os
import stat
from pathlib import Path

import pytest

from recollect.cli import copies
from recollect.errors import LibraryError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_copy_is_for_its_owner_alone_and_so_are_folders_that_are_made(tmp_path: Path) -> None:
    path = tmp_path / "out" / "decisions" / "a.json"

    assert copies.put(path, "text", force=False) == "written"

    assert (mode(path), mode(path.parent), mode(path.parent.parent)) == (0o600, 0o700, 0o700)
    assert os.listdir(path.parent) == ["a.json"]


def test_a_copy_that_is_there_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    copies.put(path, "odd bytes: \udcff", force=False)
    before = path.stat().st_ino

    assert copies.put(path, "odd bytes: \udcff", force=True) == "unchanged"

    assert path.stat().st_ino == before
    assert path.read_bytes() == b"odd bytes: \xff"


def test_another_file_is_written_over_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("mine")

    assert copies.put(path, "else", force=False) == "kept"
    assert path.read_text() == "mine"
    assert copies.put(path, "else", force=True) == "written"
    assert path.read_text() == "else"


def test_by_force_a_link_is_replaced_and_what_it_led_to_stays(tmp_path: Path) -> None:
    path, beyond = tmp_path / "a.md", tmp_path / "beyond"
    beyond.write_text("text")
    path.symlink_to(beyond)

    assert copies.put(path, "text", force=False) == "kept"
    assert copies.put(path, "else", force=True) == "written"

    assert (beyond.read_text(), path.read_text(), path.is_symlink()) == ("text", "else", False)


def test_nothing_is_written_behind_a_linked_folder(tmp_path: Path) -> None:
    (tmp_path / "beyond").mkdir()
    (tmp_path / "decisions").symlink_to(tmp_path / "beyond")

    with pytest.raises(LibraryError, match="is a link"):
        copies.put(tmp_path / "decisions" / "a.md", "text", force=True)

    assert os.listdir(tmp_path / "beyond") == []


def test_a_folder_in_the_way_stays_whatever_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()

    assert copies.put(tmp_path / "a.md", "text", force=True) == "kept"
