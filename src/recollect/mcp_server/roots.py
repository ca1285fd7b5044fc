"""Where a client works, and what the worker must know of its session. Part of the pipe."""

import posix
from _json import encode_basestring_ascii as quoted

from recollect import paths

SCHEME = "file://"


def started_in() -> str:
    """Return the folder that this process was started in, or its user's own if that is gone."""
    chosen = paths.variable("CLAUDE_PROJECT_DIR")
    if chosen:
        return chosen
    try:
        return posix.getcwd()
    except FileNotFoundError:
        return paths.variable("HOME") or "/"


def first_folder(result: object) -> str:
    """Return the first folder of the roots that a client names in *result*; empty if there is none.

    >>> first_folder({"roots": [{"uri": "https://x"}, {"uri": "file:///"}]})
    '/'
    """
    named = result.get("roots") if isinstance(result, dict) else None
    for root in named if isinstance(named, list) else ():
        path = _path(root.get("uri") if isinstance(root, dict) else None)
        try:
            if path and posix.stat(path).st_mode & 0o170000 == 0o040000:
                return path
        except (OSError, ValueError):
            continue
    return ""


def context(folder: str, *, place: int = 0) -> bytes:
    """Return what the worker must know besides a request, in JSON.

    That is the *folder*, which request of a batch is meant, and what is set in the environment: a
    setting there is that of one session alone.
    """
    settings = ",".join(
        f"{quoted(_text(name))}:{quoted(_text(value))}"
        for name, value in posix.environ.items()
        if paths.sets_something({name: value})
    )
    return f'{{"folder":{quoted(folder)},"place":{place},"environment":{{{settings}}}}}'.encode()


def _path(uri: object) -> str:
    """Return the path that *uri* names; empty if it names none.

    >>> _path("file:///home/ada/my%20shop"), _path("https://ada.example/x")
    ('/home/ada/my shop', '')
    """
    if not isinstance(uri, str) or not uri.startswith(SCHEME):
        return ""
    _host, slash, path = uri.removeprefix(SCHEME).partition("/")
    first, *pieces = (slash + path).partition("?")[0].partition("#")[0].split("%")
    read = first.encode("utf-8", "replace")
    for piece in pieces:
        try:
            read += bytes([int(piece[:2], 16)]) + piece[2:].encode("utf-8", "replace")
        except ValueError:
            read += b"%" + piece.encode("utf-8", "replace")
    return _text(read)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")
