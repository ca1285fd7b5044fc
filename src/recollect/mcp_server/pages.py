"""What a person can put before an agent: the notes and the days of a project, as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

from recollect.errors import NotFoundError
from recollect.mcp_server import texts
from recollect.memory import Memory

SCHEME = "recollect"
NOTE, DAY = "note", "day"
PAGE = 100

TEMPLATES = {
    f"{SCHEME}://{NOTE}/{{project}}/{{+name}}": "A note: category/id",
    f"{SCHEME}://{DAY}/{{project}}/{{date}}": "What happened on a day: 2026-11-15",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One thing to read."""

    uri: str
    name: str
    title: str


def listed(*, folder: str, start: int = 0) -> tuple[Sequence[Page], int | None]:
    """Return pages from *start* on, and where the next ones begin; notes first, then days."""
    with Memory(folder=folder) as memory:
        project = memory.project
        pages = [
            Page(uri=_uri(NOTE, project, one.id), name=one.id, title=one.title)
            for one in memory.entries()
            if one.kind == "note"
        ]
        pages += [Page(uri=_uri(DAY, project, day), name=day, title=day) for day in memory.days()]
    following = start + PAGE if start + PAGE < len(pages) else None
    return pages[start : start + PAGE], following


def read(uri: str, *, folder: str) -> str:
    """Return what stands at *uri*, fenced. Raises `NotFoundError`."""
    kind, project, name = _parts(uri)
    with Memory(folder=folder, project=project) as memory:
        if kind == DAY:
            return texts.fenced(memory.day(name).splitlines())
        entry = memory.expand(name, before=0, after=0)
        if entry.kind not in ("note", "hosted"):
            raise NotFoundError(f"{uri}: no such note", hint="What happened stands in its day.")
        return texts.fenced([f"# {entry.title}", "", *entry.body.splitlines()])


def _uri(kind: str, project: str, name: str) -> str:
    return f"{SCHEME}://{kind}/{quote(project, safe='')}/{quote(name)}"


def _parts(uri: str) -> tuple[str, str, str]:
    """Return kind, project and name.

    >>> _parts("recollect://note/shop-1f/decision/use-redis")
    ('note', 'shop-1f', 'decision/use-redis')
    """
    scheme, _, rest = uri.partition("://")
    kind, _, rest = rest.partition("/")
    project, _, name = rest.partition("/")
    if scheme != SCHEME or kind not in (NOTE, DAY) or not (project and name):
        raise NotFoundError(f"{uri}: no such page", hint=f"Pages are {' and '.join(TEMPLATES)}.")
    return kind, unquote(project), unquote(name)
