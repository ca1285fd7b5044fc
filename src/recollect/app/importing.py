"""Take in what was there before: old transcripts, notes of other machines and tools."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.app.settings import SettingsRoom
from recollect.app.upkeep import Upkeep
from recollect.importers import importer, records, transcripts
from recollect.importers.importer import Found
from recollect.importers.transcripts import TranscriptsReport
from recollect.pipeline.intake import Intake

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.importers.notes import NotesReport


def readable() -> list[str]:
    """Return what can be taken in, in a sentence each."""
    return [one.reads() for one in importer.known()]


class Importing:
    """Imports into one home."""

    def __init__(
        self,
        intake: Intake,
        upkeep: Upkeep,
        settings: SettingsRoom,
        *,
        curator: "Callable[[], Curator]",
    ) -> None:
        self._intake = intake
        self._upkeep = upkeep
        self._settings = settings
        self._curator = curator

    def find(self, path: Path) -> Found:
        """Return what there is to take in at *path*.

        Raises `RecollectError` if that is a file that nobody can read, or notes of several
        projects, which would become those of one.
        """
        found = importer.find(path)
        records.refuse_several(found.records)
        return found

    def transcripts(
        self, path: Path, progress: Callable[[int, int], None], *, project: str = ""
    ) -> TranscriptsReport:
        """Take in the transcripts that *path* is or holds: see `logs`."""
        return self.logs(transcripts.find(path), progress, project=project)

    def logs(
        self, found: Found, progress: Callable[[int, int], None], *, project: str = ""
    ) -> TranscriptsReport:
        """Take in the transcripts that were *found*, then bring the index up to date.

        Those that do not say where they are from go to *project*.
        """
        with self._upkeep.following_at_the_end():
            report = transcripts.import_all(self._intake, found.logs, progress, project=project)
        for touched in report.projects:
            self._upkeep.refresh(touched)
        self._settings.publish()
        return report

    def notes(
        self,
        found: Found,
        *,
        project: str,
        dry_run: bool,
        progress: Callable[[int, int], None],
    ) -> "NotesReport":
        """Take the notes that were *found* in, for *project*; a *dry_run* changes nothing."""
        from recollect.importers import notes  # noqa: PLC0415 - takes pydantic and YAML

        now = datetime.now(UTC)
        curator = self._curator()
        into = (
            curator.dry_run(project, now=now) if dry_run else curator.note_import(project, now=now)
        )
        return notes.import_all(found.records, into, progress)
