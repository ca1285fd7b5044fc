"""The newest memories of a project by id and title, read lightly: for completion in a shell."""

from recollect.store.sqlite.index import lookup

_NEWEST = (
    "SELECT id, title FROM entries WHERE project = ? AND kind IN ('entry', 'hand')"
    " AND substr(id, 1, ?) = ? ORDER BY at DESC LIMIT ?"
)


def newest(path: str, project: str, prefix: str, *, limit: int) -> list[tuple[str, str]]:
    """Return the ids of *project* that begin with *prefix*, each with its title, newest first.

    *path* is the index. Raises `OSError` or an error of SQLite if it cannot be read.
    """
    index = lookup.open_index(path)
    try:
        rows = index.execute(_NEWEST, (project, len(prefix), prefix, limit))
        return [(str(name), str(title)) for name, title in rows]
    finally:
        index.close()
