"""A released npm package, fetched once per machine into the cache that `bundled` uses."""

import fcntl
import subprocess
import tarfile
import tempfile
from pathlib import Path

from tests.client import node
from tests.client.bundled import CACHE, MissingError


def install(release: str, *, into: str, before: str) -> Path:
    """The folder of packages that *release* stands in, with all it depends on, in the cache.

    Of what it depends on the versions are the latest *before* that day; no script of any is run.
    Raises `MissingError` with the reason if it cannot be had.
    """
    folder = CACHE / into / "node_modules"
    if folder.exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_name("lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                _install(release, folder, before)
    except OSError as error:
        raise MissingError(str(error)) from error
    return folder


def fetch(release: str, *, into: str) -> Path:
    """The folder of the package *release*, unpacked as *into* in the cache.

    Nothing it depends on comes with it, and none of its scripts is run. Raises `MissingError`
    with the reason if it cannot be had.
    """
    folder = CACHE / into / "package"
    if folder.exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with folder.with_name("lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                _download(release, folder)
    except (OSError, tarfile.TarError) as error:
        raise MissingError(str(error)) from error
    return folder


def _install(release: str, folder: Path, before: str) -> None:
    """Put *release* and what it needs into *folder*, in one step."""
    quietly = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        asked = [*node.npm(), "install", *quietly, f"--before={before}", "--prefix", scratch]
        done = subprocess.run(
            [*asked, release], cwd=scratch, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise MissingError(done.stderr.strip().rpartition("\n")[2] or "no package")
        (Path(scratch) / "node_modules").rename(folder)


def _download(release: str, folder: Path) -> None:
    """Put the package at *folder*, in one step."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        pack = [*node.npm(), "pack", "--silent", "--pack-destination", scratch, release]
        done = subprocess.run(pack, cwd=scratch, capture_output=True, text=True, check=False)
        packed = list(Path(scratch).glob("*.tgz"))
        if done.returncode or not packed:
            raise MissingError(done.stderr.strip().rpartition("\n")[2] or "no package")
        with tarfile.open(packed[0]) as archive:
            archive.extractall(scratch, filter="data")
        (Path(scratch) / "package").rename(folder)
