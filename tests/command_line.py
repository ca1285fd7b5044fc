"""`recollect` in a process of its own that has been imported already.

Starting an interpreter and importing the application takes most of the time of a short command.
A fork of the process that runs the tests has its own folder, environment and standard streams
all the same, and ends as a process does.
"""

import atexit
import gc
import io
import os
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from recollect.__main__ import main
from recollect.app import recollect
from recollect.cli import main as commands
from recollect.curation import curator

IMPORTED_ONCE = (recollect, commands, curator)
"""What most commands need; a fork has it already."""


def run(
    *arguments: str, cwd: Path, env: Mapping[str, str], stdin: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run `recollect` with these *arguments*, in *cwd* and with no environment but *env*."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:  # noqa: SIM117
        with tempfile.TemporaryFile() as err:
            given.write(stdin.encode())
            given.seek(0)
            with warnings.catch_warnings():
                # From Python 3.12 on: no lock that another thread may hold is needed in the fork.
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if pid == 0:
                _be_the_command(arguments, cwd=cwd, env=env, streams=(given, out, err))
            _, status = os.waitpid(pid, 0)
            return subprocess.CompletedProcess(
                ["recollect", *arguments],
                os.waitstatus_to_exitcode(status),
                _text(out),
                _text(err),
            )


def _be_the_command(
    arguments: tuple[str, ...],
    *,
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[IO[bytes], IO[bytes], IO[bytes]],
) -> None:
    """Do in this process what `python -m recollect` does, and end it."""
    code = 1
    try:
        gc.freeze()  # What the tests have open is not ours to close.
        atexit._clear()
        for number, stream in enumerate(streams):
            os.dup2(stream.fileno(), number)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
        sys.stdout, sys.stderr = (
            io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8", write_through=True)
            for number in (1, 2)
        )
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        sys.argv = ["recollect", *arguments]
        code = _exit_code()
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _exit_code() -> int:
    try:
        main()
    except SystemExit as left:
        if left.code is None or isinstance(left.code, int):
            return left.code or 0
        print(left.code, file=sys.stderr)
        return 1
    except BaseException:  # The edge of a process: it ends with a traceback.
        traceback.print_exc()
        return 1
    return 0


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
