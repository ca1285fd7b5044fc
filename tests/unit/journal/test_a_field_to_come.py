"""A field that an entry only carries is one line, in `Carried`: anchor and index follow from it.

The package is tried with such a line in a copy of that file, in a process of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

import recollect
from recollect.journal import model
from recollect.journal.model import Carried

SOURCE = Path(recollect.__file__).parent

TRIED = """
import sys
from dataclasses import replace
from pathlib import Path

from recollect.context import render
from recollect.journal.model import JournalEntry
from recollect.store.files.library import open_library
from recollect.store.memory.index import MemoryIndex
from recollect.store.sqlite.index.database import open_index
from tests.builders.journal import an_entry, an_observation

home = Path(sys.argv[1])
library = open_library(home / "projects" / "shop")
entry = an_entry(observations=(an_observation("Tea"),), reviewed_by="Ada", reviews={"a b": "1"})
library.record(entry, known=False)
more = (an_observation("Tea"), an_observation("Milk"))
library.record(replace(entry, observations=more, reviewed_by=""), known=True)
(read,) = library.entries_of(entry.session)
assert (read.reviewed_by, read.reviews) == ("Ada", {"a b": "1"}), read
for index in (open_index(str(home), render), MemoryIndex(render)):
    index.sync(library)
    row = index.by_id(entry.id)
    assert (row.reviewed_by, row.reviews) == ("Ada", {"a b": "1"}), row
print("carried")
"""


def test_a_field_of_an_entry_is_one_line(tmp_path: Path) -> None:
    package = _package_with(
        '    reviewed_by: str = ""\n    reviews: Mapping[str, str] = field(default_factory=dict)\n',
        tmp_path,
    )

    done = subprocess.run(
        [sys.executable, "-c", TRIED, str(tmp_path / "home")],
        env={**os.environ, "PYTHONPATH": f"{package.parent}:{SOURCE.parents[1]}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "carried\n", done.stderr


def _package_with(lines: str, folder: Path) -> Path:
    """Return the package with *lines* at the end of what an entry carries."""
    package = folder / "source" / "recollect"
    (package / "journal").mkdir(parents=True)
    for there in SOURCE.iterdir():
        if there.name not in ("journal", "__pycache__"):
            (package / there.name).symlink_to(there)
    for there in (SOURCE / "journal").glob("*.py"):
        if there.name != "model.py":
            (package / "journal" / there.name).symlink_to(there)
    text = Path(str(model.__file__)).read_text(encoding="utf-8")
    last = '    """The engine that wrote it, and its version; of a note, who said it."""\n'
    assert text.count(last) == 1, f"the last line of {Carried.__name__} is another one"
    (package / "journal" / "model.py").write_text(text.replace(last, last + lines))
    return package
