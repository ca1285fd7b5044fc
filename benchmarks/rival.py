"""memsearch, the nearest tool of this kind: as recorded, or itself in a throwaway environment.

Either way without a model: its own need a download, and their cost is not its cost.
"""

import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import Command, Run, measured, peak_mb

SCRIPT = Path(__file__).with_name("rival_script.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """What memsearch needs to index the notes, and for a search in a fresh process."""

    index: Run
    search: Run
    search_mb: float
    how: str
    """Where the figures are from."""


# memsearch 0.4.23 on two cores of 2.8 GHz.
RECORDED = Rival(
    index=Run(wall=37.0, cpu=27.0),
    search=Run(wall=1.7, cpu=1.5),
    search_mb=250.0,
    how="recorded",
)


def measured_here(folder: Path, notes: Path) -> Rival:
    """Install memsearch below *folder*, let it index *notes*, and search them once."""
    place = folder / "memsearch"
    venv.create(place / "venv", with_pip=True)
    python = str(place / "venv" / "bin" / "python")
    install = (python, "-m", "pip", "install", "--quiet", "memsearch")
    subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
    index, search = (
        Command(
            words=(python, "-I", str(SCRIPT), verb, str(notes), str(place / "milvus.db")),
            environment={"HOME": str(place), "PATH": "/usr/bin:/bin"},
        )
        for verb in ("index", "search")
    )
    return Rival(
        index=measured(index),
        search=measured(search),
        search_mb=peak_mb(search),
        how="measured in this run",
    )
