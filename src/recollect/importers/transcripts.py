"""Read transcripts of any host that leaves them: a file, or all below a folder.

One bad file does not stop the others; it is in the report.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import NotFoundError, TranscriptError
from recollect.pipeline.intake import Intake
from recollect.transcripts import readers


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptsReport:
    """What came of an import."""

    files: int
    added: int
    known: int
    left_alone: int
    projects: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, object]:
        """Return it for programs."""
        return {
            "files": self.files,
            "added": self.added,
            "known": self.known,
            "left_alone": self.left_alone,
            "failed": [{"file": file, "reason": reason} for file, reason in self.failed],
        }


NOTHING = TranscriptsReport(files=0, added=0, known=0, left_alone=0, projects=(), failed=())


def transcripts_below(path: Path) -> list[Path]:
    """Return the transcripts that *path* is or holds; subagents' belong to their session's."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise NotFoundError(f"{path}: no such file or folder")
    return sorted(file for file in path.rglob("*.json*") if readers.is_log(file))


def import_all(
    intake: Intake, path: Path, progress: Callable[[int, int], None], *, project: str = ""
) -> TranscriptsReport:
    """Take in every transcript below *path*; *progress* hears how many are done, of how many.

    Those that do not say where they are from go to *project*.
    """
    found = transcripts_below(path)
    added = known = left_alone = 0
    projects: set[str] = set()
    failed = []
    for done, file in enumerate(found, start=1):
        try:
            session, tally = intake.take_transcript(file, project=project)
        except TranscriptError as error:
            failed.append((str(file), _without_path(error, file)))
        else:
            added += tally.added
            known += tally.unchanged + tally.replaced
            left_alone += tally.left_alone
            if session and session.project:
                projects.add(session.project)
        progress(done, len(found))
    return TranscriptsReport(
        files=len(found) - len(failed),
        added=added,
        known=known,
        left_alone=left_alone,
        projects=tuple(sorted(projects)),
        failed=tuple(failed),
    )


def _without_path(error: TranscriptError, file: Path) -> str:
    """What is wrong with *file* and what to do, in a sentence that does not name it again."""
    said = error.message.removeprefix(f"{file}: ")
    return f"{said}. {error.hint}" if error.hint else said
