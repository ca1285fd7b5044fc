"""The hosts' settings files: understood or left alone, and written in their own style.

They are the user's as much as the host's: links, permissions, indentation and line ends stay as
they are, and a file that cannot be understood is never written.
"""

import codecs
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect import files
from recollect.errors import HostError

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostDocument:
    """A file as it was read; *content* is None when there is no such file."""

    path: Path
    content: bytes | None
    value: Json

    @property
    def text(self) -> str:
        """What is in the file, without the mark that some editors begin it with."""
        return (self.content or b"").decode("utf-8-sig")

    def encoded(self, text: str) -> bytes:
        """Return *text* as it is written in place of what is in the file."""
        is_marked = (self.content or b"").startswith(codecs.BOM_UTF8)
        return text.encode("utf-8-sig" if is_marked else "utf-8")


def read(
    path: Path, *, parse: Callable[[str], Json] = json.loads, kind: str = "JSON"
) -> HostDocument:
    """Return the document at *path*.

    Raises `HostError` if it cannot be read, or holds anything but an object of that *kind*.
    """
    content = _content(path)
    value = {} if content is None else _parsed(path, content, parse, kind)
    return HostDocument(path=path, content=content, value=value)


def names_us(path: Path) -> bool:
    """Tell whether our name is in the file at *path*. Raises `HostError` if it cannot be read."""
    return b"recollect" in (_content(path) or b"").lower()


def write(path: Path, content: bytes | None) -> None:
    """Make *content* that of *path*, or remove it; a link is followed, permissions stay."""
    target = path.resolve()
    if content is None:
        target.unlink(missing_ok=True)
        return
    mode = target.stat().st_mode & 0o7777 if target.exists() else files.OWNER_ONLY
    files.write_bytes(target, content)
    target.chmod(mode)


def rendered(value: Json, *, like: bytes | None) -> bytes:
    r"""Return *value* as JSON, begun, indented and ended as *like* is.

    >>> rendered({"a": 1}, like=b'{\n\t"b": 2\n}\n')
    b'{\n\t"a": 1\n}\n'
    """
    mark = codecs.BOM_UTF8 if (like or b"").startswith(codecs.BOM_UTF8) else b""
    like = (like or b"").removeprefix(mark)
    indent = re.search(rb'\n([ \t]+)"', like)
    text = json.dumps(
        value,
        indent=indent[1].decode() if indent else 2,
        ensure_ascii=like.isascii(),
    )
    text += "\n" if like.endswith(b"\n") else ""
    # Half a character, which JSON can escape and UTF-8 cannot hold, becomes its escape again.
    end = line_end(like.decode("utf-8", "replace"))
    return mark + text.replace("\n", end).encode("utf-8", "backslashreplace")


def less(value: Json, key: str) -> Json:
    """Return *value* without *key*."""
    return {name: one for name, one in value.items() if name != key}


def line_end(text: str) -> str:
    """Return how lines end in *text*: as on Windows, if one does."""
    return "\r\n" if "\r\n" in text else "\n"


def check_writable(path: Path) -> None:
    """Raise `HostError` if *path* could not be written: better now than half-way."""
    target = path.resolve()
    nearest = next(folder for folder in target.parents if folder.exists())
    if not os.access(nearest, os.W_OK) or (target.exists() and not os.access(target, os.W_OK)):
        raise HostError(
            f"{path}: cannot be written",
            hint="Nothing was changed. Make it writable (or its folder), then try again.",
        )


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HostError(
            f"{path}: cannot be read: {error.strerror}",
            hint="Nothing was changed. Put it right, then try again.",
        ) from error


def _parsed(path: Path, content: bytes, parse: Callable[[str], Json], kind: str) -> Json:
    try:
        # An empty file is what hosts take for no settings at all.
        value = parse(content.decode("utf-8-sig")) if content.strip() else {}
    except ValueError as error:
        comments = " (no comments in it)" if kind == "JSON" else ""
        raise HostError(
            f"{path}: not valid {kind}: {error}",
            hint=f"Nothing was changed. Correct the file{comments}, then try again.",
        ) from error
    if not isinstance(value, dict):
        raise HostError(f"{path}: not a JSON object", hint="Nothing was changed. Correct the file.")
    return value
