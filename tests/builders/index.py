"""Files with memories in them, and an index over them: real SQLite, no library needed."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.context import render
from recollect.embedders.protocol import Embedder
from recollect.journal.model import LibraryItem
from recollect.search.embedding import Choice, Embedding
from recollect.store import library
from recollect.store.contract.library import DocumentChange
from recollect.store.files import archive
from recollect.store.files.documents import ArchiveFiles, MarkdownFiles
from recollect.store.files.versions import stamp
from recollect.store.sqlite.index.database import SqliteIndex, open_index
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector

BEGIN = datetime(2026, 11, 1, 12, tzinfo=UTC)

ToVector = Callable[[str], "Vector | None"]


def at_once(to_vector: ToVector) -> "Callable[[str], Callable[[], Vector | None]]":
    """What embeds a question for `search`, without a thread beside."""
    return lambda text: lambda: to_vector(text)


def a_memory(title: str, body: str = "", *, day: int = 0, **changes: Any) -> LibraryItem:
    """A memory; its id follows from what it says."""
    given: dict[str, Any] = {
        "id": f"h-{hashlib.sha1(f'{title}{body}{day}'.encode(errors='replace')).hexdigest()[:10]}",
        "kind": "entry",
        "at": BEGIN + timedelta(days=day),
        "session": f"session-{day}",
    }
    return LibraryItem(title=title, body=body, **(given | changes))


def a_turn(key: str, prompt: str = "", *, session: str = "session-0", **changes: Any) -> Turn:
    """A turn, archived behind the memory that names its session and key."""
    given: dict[str, Any] = {"host": "claude-code", "started": BEGIN, "ended": BEGIN}
    return Turn(key=key, session=session, prompt=prompt, **(given | changes))


def a_call(tool: str, **inputs: object) -> ToolCall:
    """One use of a tool."""
    return ToolCall(id=f"call-{tool}", name=tool, input=inputs)


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The files of one project as an index follows them, and how they are read."""

    project: str
    journal: Sequence[Path]
    archives: Sequence[Path]
    read: Callable[[Path], Sequence[LibraryItem]]
    read_archive: Callable[[Path, int], Sequence[Turn]] | None

    def __len__(self) -> int:
        return len(self.journal) + len(self.archives)

    def changes(self, since: Mapping[str, str]) -> Iterator[DocumentChange]:
        """Yield what is not as it was *since*."""
        days = MarkdownFiles(
            "journal",
            lambda: [Path()],
            self.read,
            listed=lambda _: {str(file): stamp(str(file)) for file in self.journal},
        )
        folder = self.archives[0].parent if self.archives else Path("none")
        archives = ArchiveFiles(
            folder, **({"read": self.read_archive} if self.read_archive else {})
        )
        return library.changes((days, archives), since)


class Shelf:
    """The files of some projects, and the index that follows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._content: dict[Path, list[LibraryItem]] = {}
        self.index: SqliteIndex = open_index(str(folder), render)

    def put(self, project: str, name: str, *memories: LibraryItem) -> Path:
        """Write *memories* to the file *name* of *project*; the index does not know yet."""
        file = self.folder / "projects" / project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(map(ascii, memories)))
        self._content[file] = list(memories)
        return file

    def archive(self, project: str, *turns: Turn) -> Path:
        """Add *turns* of one session to its archive; the index does not know yet."""
        folder = self.folder / "projects" / project / "transcripts"
        file = folder / f"{turns[0].session}.jsonl.gz"
        for turn in turns:
            archive.append(file, CleanTurn(turn))
        return file

    def sync(self, project: str, *, anew: bool = False) -> int:
        """Let the index follow the files of *project*."""
        return self.index.sync(self.sources(project), anew=anew)

    def sources(
        self,
        project: str,
        files: Sequence[Path] | None = None,
        *,
        read: Callable[[Path], Sequence[LibraryItem]] | None = None,
        read_archive: Callable[[Path, int], Sequence[Turn]] | None = None,
    ) -> "Sources":
        """The files of *project*, all or some, and how they are read."""
        folder = self.folder / "projects" / project
        return Sources(
            project=project,
            journal=sorted(folder.glob("*.md")) if files is None else files,
            archives=sorted(folder.glob("transcripts/*.gz")),
            read=read or self._content.__getitem__,
            read_archive=read_archive,
        )

    def fill(self, project: str, *memories: LibraryItem) -> None:
        """Put *memories* into one file of *project* and let the index follow."""
        self.put(project, "day.md", *memories)
        self.sync(project)

    def tell(self, project: str, *turns: Turn) -> None:
        """Add *turns* of one session to its archive and let the index follow."""
        self.archive(project, *turns)
        self.sync(project)

    def embed(self, embedder: Embedder) -> int:
        """Make the vectors that are missing; return how many passages were looked at."""
        return embedding_with(embedder).fill(self.index.vectors)

    def nearest(self, embedder: Embedder, question: str, *projects: str) -> dict[str, float]:
        """The titles of what lies nearest to *question*, and how near."""
        vector = embedder.question(question)
        found = self.index.nearest(vector, projects or None, limit=100).nearest
        entries = self.index.by_keys(list(found))
        return {entries[number].title: near for number, near in found.items() if number in entries}

    def reopen(self) -> None:
        """Close the index and open it again."""
        self.index.close()
        self.index = open_index(str(self.folder), render)

    def make_anew(self) -> None:
        """Throw the index away and read every file again."""
        self.index.close()
        for ending in ("", "-wal", "-shm"):
            Path(f"{self.folder}/index.db{ending}").unlink(missing_ok=True)
        self.index = open_index(str(self.folder), render)
        for project in sorted(path.name for path in (self.folder / "projects").iterdir()):
            self.sync(project)


def embedding_with(embedder: Embedder, *, kind: str = "fastembed") -> Embedding:
    """The embedding of an *embedder* that need not be made any more."""
    embedding = Embedding(Choice(kind=kind, model=embedder.name))
    embedding._embedder = embedder
    return embedding
