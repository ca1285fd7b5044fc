import os
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import files
from recollect.errors import BusyError


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_and_the_folders_above_it_are_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.md"

    files.write(path, "text")

    assert files.read_text(path) == "text"
    assert (mode(path), mode(path.parent), mode(path.parent.parent)) == (0o600, 0o700, 0o700)


def test_writing_leaves_nothing_but_the_file(tmp_path: Path) -> None:
    files.write(tmp_path / "file.md", "one")
    files.write(tmp_path / "file.md", "two")

    assert [path.name for path in tmp_path.iterdir()] == ["file.md"]


@given(st.binary())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_survive_reading_and_writing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(content)

    files.write(path, files.read_text(path))

    assert path.read_bytes() == content


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file.md"
    files.write(path, "old")

    def fails(*_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fsync", fails)

    with pytest.raises(PermissionError):
        files.write(path, "new")

    assert path.read_text() == "old"
    assert [left.name for left in tmp_path.iterdir()] == ["file.md"]


def test_a_file_that_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "file.md"
    files.write(path, "old")
    seen = files.stamp(path)
    files.write(path, "new")

    assert not files.write_over(path, "ours", seen=seen)
    assert path.read_text() == "new"
    assert files.write_over(path, "ours", seen=files.stamp(path))
    assert path.read_text() == "ours"


def test_a_file_that_is_not_there_has_no_stamp(tmp_path: Path) -> None:
    assert files.stamp(tmp_path / "file.md") is None
    assert files.write_over(tmp_path / "file.md", "text", seen=None)


def test_a_lock_that_others_hold_is_busy(tmp_path: Path) -> None:
    with (
        files.locked(tmp_path / "lock", wait=0),
        pytest.raises(BusyError, match="lock") as caught,
        files.locked(tmp_path / "lock", wait=0.05),
    ):
        pass

    assert caught.value.hint


def test_a_lock_is_free_afterwards_also_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), files.locked(tmp_path / "lock", wait=0):
        raise ZeroDivisionError

    with files.locked(tmp_path / "lock", wait=0):
        assert mode(tmp_path / "lock") == 0o600


def test_a_lock_that_is_let_go_in_time_is_taken(tmp_path: Path) -> None:
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with files.locked(tmp_path / "lock", wait=0):
            held.set()
            release.wait(5)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    threading.Timer(0.1, release.set).start()

    with files.locked(tmp_path / "lock", wait=5):
        assert release.is_set()

    holder.join()
