"""Ask Recollect through the commands that everybody uses, in a home that is thrown away."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from recollect.cli.main import cli
from tests.client.tokenizer import tokenizer


@contextmanager
def scratch_home() -> Iterator[Path]:
    """Open a folder with an empty home in it, and make that the one in use."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        before = os.environ.get("RECOLLECT_HOME")
        os.environ["RECOLLECT_HOME"] = f"{folder}/home"
        try:
            yield Path(folder)
        finally:
            del os.environ["RECOLLECT_HOME"]
            if before is not None:
                os.environ["RECOLLECT_HOME"] = before


def recollect(*words: str) -> Any:
    """Return what `recollect` prints, read as JSON if it is."""
    done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert done.exit_code == 0, f"recollect {words}: {done.output}"
    return json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else done.stdout


def cost(text: str) -> int:
    """Return what *text* costs by the last tokenizer of Claude that was published."""
    return len(_tokenizer().encode(text).ids)


_tokenizer = cache(tokenizer)
