"""Files with memories in them, and an index over them: real SQLite, no library needed."""

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect.context import render
from recollect.index.database import Index, open_index
from recollect.memories.model import Kept

BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)


def a_memory(title: str, body: str = "", *, day: int = 0, **changes: object) -> Kept:
    """A memory; its id follows from what it says."""
    given: dict[str, object] = {
        "id": f"h-{hashlib.sha1(f'{title}{body}{day}'.encode(errors='replace')).hexdigest()[:10]}",
        "kind": "entry",
        "at": BEGIN + timedelta(days=day),
        "session": f"session-{day}",
    }
    return Kept(title=title, body=body, **(given | changes))  # type: ignore[arg-type]


class Shelf:
    """The files of some projects, and the index that follows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._content: dict[Path, list[Kept]] = {}
        self.index: Index = open_index(str(folder), render.card)

    def put(self, project: str, name: str, *memories: Kept) -> Path:
        """Write *memories* to the file *name* of *project*; the index does not know yet."""
        file = self.folder / "projects" / project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(f"{one.title}\n{one.body}" for one in memories)
        file.write_text(text, encoding="utf-8", errors="replace")
        self._content[file] = list(memories)
        return file

    def sync(self, project: str) -> int:
        """Let the index follow the files of *project*."""
        files = sorted((self.folder / "projects" / project).glob("*"))
        return self.index.sync(project, files, self._content.__getitem__)

    def fill(self, project: str, *memories: Kept) -> None:
        """Put *memories* into one file of *project* and let the index follow."""
        self.put(project, "day.md", *memories)
        self.sync(project)

    def make_anew(self) -> None:
        """Throw the index away and read every file again."""
        self.index.close()
        for ending in ("", "-wal", "-shm"):
            Path(f"{self.folder}/index.db{ending}").unlink(missing_ok=True)
        self.index = open_index(str(self.folder), render.card)
        for project in sorted(path.name for path in (self.folder / "projects").iterdir()):
            self.sync(project)
