"""Homes that earlier versions made, packed when they were new; every later version opens them.

`python -m tests.kept_homes NAME` makes another one of today's version. It holds what people have:
imported sessions, notes in every state, what was edited by hand, forgotten, excluded and renamed.
"""

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks import claude_transcripts
from benchmarks.answers_set import rows

HOMES = Path(__file__).parent / "fixtures" / "homes"

# Where the projects are said to be; no machine has them, as after a move to another one.
PROJECTS = Path("/srv/ada")
# So many turns make a home in which everything occurs, and a small file.
MOST_TURNS = 14
HAND_WRITTEN = (
    "## The label printer\n\nThe label printer needs driver 4.2; driver 5 prints mirrored.\n"
)
EDITED = "FastCDC won, as Ada wrote by hand."

# Open for all that use it, or made anew from the rest.
_NOT_KEPT = ("run", "inbox", "logs", "plugin")


def unpack(name: str, into: Path) -> Path:
    """Unpack the home that is called *name*; return its folder."""
    with tarfile.open(HOMES / f"{name}.tar.xz") as packed:
        packed.extractall(into, filter="data")
    return into / "home"


def names() -> list[str]:
    """Return the names of all homes, oldest first."""
    return sorted(path.name.removesuffix(".tar.xz") for path in HOMES.glob("*.tar.xz"))


def transcripts(project: str, into: Path, *, until: int = MOST_TURNS) -> Path:
    """Write the transcripts that the home was made of to a folder; return it."""
    turns = rows(project, "turns")[:until]
    claude_transcripts.write(into, turns, project=PROJECTS / project)
    return into


def make(name: str, folder: Path) -> Path:
    """Make a home of today's version in *folder*, and pack it under *name*; return the file."""
    home = folder / "home"

    def recollect(*words: str, stdin: str = "") -> str:
        return subprocess.run(
            [sys.executable, "-m", "recollect", *words],
            cwd=folder,
            env={**os.environ, "RECOLLECT_HOME": str(home), "HOME": str(folder), "TZ": "UTC"},
            input=stdin,
            text=True,
            capture_output=True,
            check=True,
        ).stdout

    for project in ("burrow", "roomkey"):
        recollect("import", str(transcripts(project, folder / "sessions" / project)))
    here = ("--project", "burrow")
    recollect("config", "set", "recall.bar", "0.45")
    recollect("config", "set", "capture.exclude_paths", "*/secret/*")
    recollect("remember", *here, "-c", "decision", "We use zstd level 3 because level 9 was slow.")
    recollect(
        "remember", *here, "-c", "constraint", "--pin", "The repository format never changes."
    )
    recollect("remember", *here, "-c", "preference", "Answer in British English.")
    recollect("remember", *here, "-c", "preference", "Use spaces, never tabs.")
    recollect("remember", *here, "-c", "tech_debt", "The prune command locks the whole repository.")
    recollect("remember", *here, "-c", "runbook", "If the lock is stale, run `burrow unlock`.")
    recollect("remember", "--global", "-c", "preference", "Never say sorry.")
    recollect("retire", *here, "use-spaces-never-tabs", "--reason", "rustfmt does it")
    recollect("archive", *here, "answer-in-british-english")
    recollect("projects", "rename", "roomkey", "Rooms")
    days = sorted(home.glob("projects/burrow-*/journal/*.md"))
    first = days[0].read_text()
    line = next(one for one in first.splitlines() if one.startswith("- **"))
    days[0].write_text(first.replace(line, f"- **decision** {EDITED}", 1))
    days[-1].write_text(f"{days[-1].read_text()}\n{HAND_WRITTEN}")
    recollect("index")
    listed = recollect("timeline", *here, "2099-01-01", "--before", "3")
    forgotten = next(word for word in listed.split() if word.startswith("20260"))
    recollect("forget", *here, forgotten)
    recollect("index")
    return _packed(home, HOMES / f"{name}.tar.xz")


def _packed(home: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(target, "w:xz", preset=9) as packed:
        for path in _kept(home):
            entry = packed.gettarinfo(path, arcname=str(Path("home") / path.relative_to(home)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            content = path.read_bytes() if path.is_file() else b""
            packed.addfile(entry, io.BytesIO(content))
    return target


def _kept(home: Path) -> Iterable[Path]:
    for path in sorted(home.rglob("*")):
        if path.relative_to(home).parts[0] not in _NOT_KEPT and not path.is_socket():
            yield path


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        print(make(sys.argv[1], Path(scratch)))
