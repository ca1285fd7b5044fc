"""What a person can put before an agent: the notes and the days of a project, as Markdown."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote, unquote

from recollect import paths
from recollect.app.memory import Memory
from recollect.errors import NotFoundError, ProjectError
from recollect.mcp_server import texts, tools
from recollect.mcp_server.calls import OpenApp, memory_of
from recollect.store import library

SCHEME = "recollect"
NOTE, DAY = "note", "day"
PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One thing to read."""

    uri: str
    name: str
    title: str


PROJECTS = Page(
    uri=f"{SCHEME}://projects", name="projects", title="The projects that agents may look into"
)


def listed(
    *, folder: str, start: int = 0, open_app: OpenApp | None = None
) -> tuple[Sequence[Page], int | None]:
    """Return pages from *start* on, and where the next ones begin; projects, notes, days."""
    with memory_of(folder, open_app) as memory:
        pages = list(_all(memory))
    following = start + PAGE if start + PAGE < len(pages) else None
    return pages[start : start + PAGE], following


def _all(memory: Memory) -> Iterator[Page]:
    yield PROJECTS
    with suppress(ProjectError):  # The user wants no memory here.
        for one in memory.notes():
            yield Page(uri=_uri(NOTE, one.project, one.id), name=one.id, title=one.title)
        for day in memory.days() if memory.is_known else ():
            yield Page(uri=_uri(DAY, memory.project, day), name=day, title=day)


def read(uri: str, *, folder: str, open_app: OpenApp | None = None) -> str:
    """Return what stands at *uri*, fenced and cut. Raises `NotFoundError`."""
    if uri == PROJECTS.uri:
        return _projects(folder, open_app)
    kind, project, name = _parts(uri)
    with memory_of(folder, open_app, project=project) as memory:
        if kind == DAY:
            return texts.page(memory.day(name), rest=_search_for(name))
        entry = memory.expand(name, before=0, after=0)
        if entry.kind not in ("note", "hosted"):
            raise NotFoundError(f"{uri}: no such note", hint="What happened stands in its day.")
        return texts.page(f"# {entry.title}\n\n{entry.body}", rest=f"All of it: {entry.file}")


def _projects(folder: str, open_app: OpenApp | None) -> str:
    """Return the projects that an agent may look into, a line each."""
    with memory_of(folder, open_app) as memory:
        known = [f"- {name}: {root}" for name, root in memory.projects().items()]
    every = [*known, f"- {paths.EVERYWHERE}: what holds in every project"]
    return texts.page("\n".join(every), rest="The user can run: recollect projects")


def _search_for(day: str) -> str:
    """Say how to find what happened on a *day*.

    >>> _search_for("2026-11-30")
    'A search for "after:2026-11-30 before:2026-12-01" finds what it tells.'
    """
    at = library.day_of(day)
    if at is None:  # A file of the user's own.
        return "A search finds what it tells."
    return f'A search for "after:{at} before:{at + timedelta(days=1)}" finds what it tells.'


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
        known = " and ".join(one["uriTemplate"] for one in tools.TEMPLATES)
        raise NotFoundError(f"{uri}: no such page", hint=f"Pages are {known}.")
    return kind, unquote(project), unquote(name)
