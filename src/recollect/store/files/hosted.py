"""What a host remembers by itself, read and never written: Claude Code's own memory.

It keeps one fact a file below its own folder, with `name` and `description` on top, and an index
of them, `MEMORY.md`, which it shows to every session by itself. The facts are found by our
search like everything else, and say whose they are.
"""

import re
import stat
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from recollect import files, ids
from recollect.journal import markdown
from recollect.journal.model import LibraryItem
from recollect.privacy.redact import clean

HOST = "claude-code"
# The host puts it before the agent itself: said by us, it would be said twice.
INDEX = "MEMORY.md"
# More than that is no memory but somebody's file.
LARGEST = 200_000

LONGEST_NAME = 80

# What an id does not have, though a file's name may.
_ODD = re.compile(r"[^\w.-]+")
_HEAD = re.compile(r"\A---\n(?P<head>.*?)\n---\n?(?P<body>.*)\Z", re.DOTALL)
_FIELD = re.compile(r"^(?P<key>name|description):[ \t]*(?P<value>.+)$", re.MULTILINE)


def slug(folder: str) -> str:
    """Return what Claude Code calls the folder of a project.

    >>> slug("/home/dev/my_shop.v2")
    '-home-dev-my-shop-v2'
    """
    return re.sub(r"[^A-Za-z0-9]", "-", folder)


def places(configs: Iterable[Path], folders: Iterable[str]) -> list[Path]:
    """Return where the host, set up in *configs*, may remember a project in *folders*."""
    slugs = [slug(folder) for folder in folders]
    found = (config / "projects" / each / "memory" for config in configs for each in slugs)
    return list(dict.fromkeys(found))


def facts(place: Path) -> list[Path]:
    """Return the files in *place* in which the host remembers something."""
    found = sorted(place.glob("*.md"))
    return [file for file in found if file.name != INDEX and _is_plain(file)]


def _is_plain(file: Path) -> bool:
    """Tell whether *file* is a file: a link may lead anywhere, and a pipe never ends."""
    try:
        return stat.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False


def name(path: Path, *, home: Path) -> str:
    """Return the id of the fact in the file *path*: its own name, if it is in *home*.

    From elsewhere, or where the name is none for an id, it ends with a mark. So two files have
    two ids, whichever of them is there first.

    >>> name(Path("/a/deploy.md"), home=Path("/a"))
    'claude-code/deploy'
    >>> name(Path("/a/my deploy.md"), home=Path("/a")), name(Path("/b/deploy.md"), home=Path("/a"))
    ('claude-code/my-deploy-1a4289', 'claude-code/deploy-cc88e9')
    """
    plain = _ODD.sub("-", path.stem).strip("-")[:LONGEST_NAME]
    if plain == path.stem and path.parent == home:
        return f"{HOST}/{plain}"
    told_apart_by = path.stem if path.parent == home else str(path)
    return f"{HOST}/{plain}-{ids.mark(told_apart_by)}"


def read(path: Path, *, home: Path) -> list[LibraryItem]:
    """Return the fact in the file *path*; none if it cannot be read. For *home* see `name`."""
    try:
        found = path.stat()
        text = files.read_text(path) if found.st_size <= LARGEST else ""
    except OSError:
        return []
    if not text.strip():
        return []
    parted = _HEAD.match(text.replace("\r\n", "\n"))
    head, body = (parted["head"], parted["body"]) if parted else ("", text)
    fields = {one["key"]: one["value"].strip(" \"'") for one in _FIELD.finditer(head)}
    title = fields.get("description") or fields.get("name") or path.stem.replace("-", " ")
    title = markdown.legible(title)[: markdown.LONGEST_TITLE]
    return [
        LibraryItem(
            id=name(path, home=home),
            kind="hosted",
            title=clean(title),
            body=clean(body.strip()),
            at=datetime.fromtimestamp(found.st_mtime, UTC),
            host=HOST,
            by=HOST,
            first_line=head.count("\n") + 4 if parted else 1,
            last_line=text.count("\n") + 1,
        )
    ]
