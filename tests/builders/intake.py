"""Where events become turns, without a worker."""

import json
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect.app.recollect import Recollect
from recollect.journal.model import LibraryItem
from recollect.store.contract.backend import Backend
from recollect.store.contract.state import Session
from recollect.store.files import archive
from recollect.transcripts import events
from recollect.transcripts.turns import CleanTurn

BEGIN = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Desk:
    """A home and a project, at which events of a host arrive one after another."""

    def __init__(self, tmp_path: Path, *, backend: Backend | None = None) -> None:
        self.folder = tmp_path / "shop"
        self.folder.mkdir()
        self.home = tmp_path / "home"
        self.app = Recollect(str(self.home), backend=backend)
        self.host = "claude-code"
        self.minutes = 0

    @property
    def now(self) -> datetime:
        """When the last event arrived."""
        return BEGIN + timedelta(minutes=self.minutes)

    def arrive(self, event: str, /, *, session: str = "s-1", **fields: object) -> None:
        """One more event, a minute after the last."""
        self.minutes += 1
        at = self.now
        told = {"session_id": session, "cwd": str(self.folder), "timestamp": at.isoformat()}
        raw = json.dumps(told | fields).encode()
        self.app.intake.arrive(events.parse(raw, name=event, at=at, host=self.host))

    def turn(self, prompt: str, answer: str = "Done.", *, session: str = "s-1") -> None:
        """A whole turn."""
        key = f"p-{zlib.crc32(prompt.encode())}"
        self.arrive("UserPromptSubmit", session=session, prompt=prompt, prompt_id=key)
        self.arrive("Stop", session=session, last_assistant_message=answer, prompt_id=key)

    def entries(self) -> list[LibraryItem]:
        """What the journal says of turns."""
        found: list[LibraryItem] = []
        for day in sorted(self.home.glob("projects/*/journal/*.md")):
            kept = self.app.inside.library(day.parent.parent.name).items_on(day.stem)
            found += [one for one in kept if one.kind == "entry"]
        return found

    def titles(self) -> list[str]:
        """The headlines in the journal."""
        return [one.title for one in self.entries()]

    def turns(self) -> list[CleanTurn]:
        """The turns in the archive."""
        files = sorted(self.home.glob("projects/*/transcripts/*.gz"))
        return [turn for file in files for turn in archive.read(file)]

    def journal(self) -> str:
        return "".join(day.read_text() for day in self.home.glob("projects/*/journal/*.md"))

    def session(self, name: str = "s-1") -> Session:
        found = self.app.inside.state.sessions.find(name)
        assert found
        return found
