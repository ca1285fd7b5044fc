"""Names of memories: made from time and content, so that two machines agree on them."""

import difflib
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import blake2b

from recollect.errors import NotFoundError

SHOWN_CANDIDATES = 5
NOTE_ID = r"^[a-z0-9]([a-z0-9-]{0,78}[a-z0-9])?$"
WHERE_IDS_ARE = "A search shows ids."


def entry_id(at: datetime, key: str, host: str) -> str:
    """The id of the entry for the turn *key* of *host* that began *at*.

    >>> entry_id(datetime(2026, 11, 15, 13, 32, 7, tzinfo=UTC), "696034a3", "claude-code")
    '20261115T133207-def25802'
    """
    turn = _digest(f"{host}\0{key}", 8)
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%S}-{turn}"


def summary_id(started: datetime, session: str) -> str:
    """The id of the summary of *session*, which *started* then."""
    return entry_id(started, session, "summary")


def moment(name: str) -> datetime | None:
    """The time that an entry's or a summary's id carries, in UTC.

    >>> moment("20261115T133207-def25802")
    datetime.datetime(2026, 11, 15, 13, 32, 7, tzinfo=datetime.timezone.utc)
    """
    try:
        return datetime.strptime(name.partition("-")[0], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def file_name(name: str) -> str:
    """*name*, which somebody else chose, as the name of a file.

    >>> file_name("9ee0ccc7-1b2f"), file_name("../../etc/passwd")
    ('9ee0ccc7-1b2f', 'x-4d606f08a9525e3c')
    """
    if re.fullmatch(r"[A-Za-z0-9][\w.-]{0,79}", name, re.ASCII):
        return name
    return f"x-{_digest(name, 16)}"


def content_id(text: str) -> str:
    """The id of *text* that a person wrote, and that no turn stands behind."""
    return f"h-{_digest(_significant(text), 10)}"


def is_note_id(name: str) -> bool:
    """True when *name* may be the id of a note.

    >>> is_note_id("use-postgres"), is_note_id("../etc/passwd"), is_note_id("-x")
    (True, False, False)
    """
    return re.fullmatch(NOTE_ID[1:-1], name) is not None


def text_hash(text: str) -> str:
    r"""The hash that tells whether *text* is still what we wrote.

    Spaces at the end of a line and blank lines at the end of the text do not count:
    editors change both unasked.

    >>> text_hash("one \r\ntwo\n\n") == text_hash("one\ntwo")
    True
    """
    return _digest(_significant(text), 12)


def mark(name: str) -> str:
    """A few characters that tell *name* from others that look like it."""
    return _digest(name, 6)


def short(name: str) -> str:
    """The part of an entry's id that tells it from others and is quick to read; else all of it.

    >>> short("20261115T133207-def25802"), short("decision/use-pnpm")
    ('def25802', 'decision/use-pnpm')
    """
    return name.partition("-")[2] if moment(name) else name


def is_short(text: str) -> bool:
    """Tell whether *text* looks like what `short` makes of an entry's id."""
    return re.fullmatch(r"[0-9a-f]{8}", text) is not None


def resolve(prefix: str, candidates: Iterable[str]) -> str:
    """The one of *candidates* that begins with *prefix*; `NotFoundError` if it is not one.

    >>> resolve("h-1", ["h-1f", "h-2e"])
    'h-1f'
    >>> resolve("def25802", ["20261115T133207-def25802"])
    '20261115T133207-def25802'
    """
    known = sorted(set(candidates))
    if prefix in known:
        return prefix
    called = [name for name in known if prefix and short(name) == prefix]
    if len(called) == 1:
        return called[0]
    matches = [name for name in known if prefix and name.startswith(prefix)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise NotFoundError(
            f"{prefix}: {len(matches)} ids begin like this: {_some(matches)}",
            hint="Add a character or two.",
        )
    near = difflib.get_close_matches(prefix, known, n=SHOWN_CANDIDATES)
    raise NotFoundError(
        f"{prefix.strip() or '(empty)'}: no such id",
        hint=f"Near it: {_some(near)}." if near else WHERE_IDS_ARE,
    )


def _some(names: list[str]) -> str:
    more = ", …" if len(names) > SHOWN_CANDIDATES else ""
    return ", ".join(names[:SHOWN_CANDIDATES]) + more


def _significant(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


def _digest(text: str, length: int) -> str:
    # Text from a file may hold lone surrogates; see `files`.
    return blake2b(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:length]
