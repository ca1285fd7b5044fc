"""Take events out of the inbox: in order, each tried at most three times.

A try is recorded in the file's name before it begins, so an event that kills its reader is
counted too. What failed three times is set aside, redacted, with the reason; it expires.
"""

import json
import os
import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from recollect.privacy.redact import clean

MOST_TRIES = 3
TORN_AFTER_SECONDS = 3600
SET_ASIDE_DAYS = 14

_NAME = re.compile(
    r"(?P<ns>\d{20})-(?P<pid>\d+)-(?:(?P<client>\d+)-)?(?P<host>[a-z-]+)\.(?P<event>[A-Za-z]+)"
    r"(?:\.(?P<tries>\d))?\.(?P<ending>json|stub)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxEvent:
    """One event as it lies in the inbox."""

    path: Path
    client: int
    """The process id of the host that sent it; 0 if it is not known."""
    host: str
    event: str
    at: datetime
    tries: int
    is_stub: bool

    @property
    def is_ours(self) -> bool:
        """False for an event that a host left which ran as somebody else: we may not read it."""
        return os.access(self.path, os.R_OK)

    def read(self) -> bytes:
        """Return the event as the host sent it; of a stub only the beginning."""
        return self.path.read_bytes()


def waiting(inbox: Path) -> list[InboxEvent]:
    """Return the events in *inbox*, oldest first."""
    try:
        names = sorted(os.listdir(inbox))
    except FileNotFoundError:
        return []
    return [queued for name in names if (queued := _parsed(inbox / name))]


def begin(queued: InboxEvent) -> InboxEvent:
    """Record one more try and return the parcel under its new name."""
    tries = queued.tries + 1
    ending = "stub" if queued.is_stub else "json"
    match = _NAME.fullmatch(queued.path.name)
    assert match, "a parcel is made from a name that fits"
    stem = queued.path.name[: match.end("event")]
    renamed = queued.path.with_name(f"{stem}.{tries}.{ending}")
    queued.path.rename(renamed)
    return replace(queued, path=renamed, tries=tries)


def hand_back(queued: InboxEvent) -> None:
    """Undo the last try: it was not the event's fault (a full disk, a lock)."""
    if queued.tries:
        begin(replace(queued, tries=queued.tries - 2))


def done(queued: InboxEvent) -> None:
    """Remove an event whose content is safe elsewhere."""
    queued.path.unlink(missing_ok=True)


def quarantine(queued: InboxEvent, folder: Path, *, reason: str) -> Path:
    """Move *queued* out of the way, redacted, with the *reason* it failed.

    What we may not read ourselves goes as it is.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not queued.is_ours:
        return queued.path.rename(folder / queued.path.name)
    target = folder / f"{queued.path.name.split('.')[0]}.{queued.event}.json"
    content = {
        "event": queued.event,
        "host": queued.host,
        "at": queued.at.isoformat(),
        "reason": clean(reason),
        "payload": clean(_readable(queued)),
    }
    unfinished = target.with_suffix(".tmp")
    unfinished.touch(mode=0o600)
    unfinished.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    unfinished.rename(target)
    done(queued)
    return target


def _readable(queued: InboxEvent) -> str:
    try:
        return queued.read().decode("utf-8", "replace")
    except OSError as error:
        return f"(cannot be read: {error.strerror})"


def tidy(inbox: Path, quarantined: Path, *, now: float | None = None) -> int:
    """Remove torn writes and what has been set aside for too long; return how many."""
    now = time.time() if now is None else now
    old = [file for file in inbox.glob("*.tmp") if _age(file, now) > TORN_AFTER_SECONDS]
    old += [file for file in quarantined.glob("*") if _age(file, now) > SET_ASIDE_DAYS * 86400]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


def _age(file: Path, now: float) -> float:
    try:
        return now - file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _parsed(path: Path) -> InboxEvent | None:
    match = _NAME.fullmatch(path.name)
    if not match:
        return None
    return InboxEvent(
        path=path,
        client=int(match["client"] or 0),
        host=match["host"],
        event=match["event"],
        at=datetime.fromtimestamp(int(match["ns"]) / 1e9, UTC),
        tries=int(match["tries"] or 0),
        is_stub=match["ending"] == "stub",
    )
