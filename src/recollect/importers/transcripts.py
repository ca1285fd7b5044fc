"""Read transcripts of any host that leaves them: a file, or all below a folder.

One bad file does not stop the others; it is in the report.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import TranscriptError
from recollect.importers.importer import Found, Importer
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
            "skipped": self.left_alone,
            "left_alone": self.left_alone,  # Its former name, until 0.2.
            "failed": [{"file": file, "reason": reason} for file, reason in self.failed],
        }


def claims(file: Path) -> bool:
    """Tell whether *file* is a transcript, as far as its name and its beginning tell."""
    if file.suffix == ".json":
        return readers.is_document(file)
    return file.suffix == ".jsonl" or readers.recognised(file) is not None


def find(path: Path) -> Found:
    """Return the transcripts that *path* is or holds; subagents' belong to their session's."""
    if path.is_file():
        return Found(logs=(path,))
    return Found(logs=tuple(sorted(one for one in path.rglob("*.json*") if readers.is_log(one))))


def reads() -> str:
    """Say whose transcripts can be read, and where they are."""
    return f"Transcripts of {', '.join(one.logs for one in readers.known().values())}"


IMPORTER = Importer(name="transcripts", reads=reads, claims=claims, find=find)


def import_all(
    intake: Intake,
    logs: Sequence[Path],
    progress: Callable[[int, int], None],
    *,
    project: str = "",
) -> TranscriptsReport:
    """Take in all transcripts *logs*; *progress* hears how many are done, of how many.

    Those that do not say where they are from go to *project*.
    """
    added = known = left_alone = 0
    projects: set[str] = set()
    failed = []
    for done, file in enumerate(logs, start=1):
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
        progress(done, len(logs))
    return TranscriptsReport(
        files=len(logs) - len(failed),
        added=added,
        known=known,
        left_alone=left_alone,
        projects=tuple(sorted(projects)),
        failed=tuple(failed),
    )


def _without_path(error: TranscriptError, file: Path) -> str:
    """What is wrong with *file* and what to do, in a sentence that does not name it again."""
    wrong = error.message.removeprefix(f"{file}: ")
    return f"{wrong}. {error.hint}" if error.hint else wrong
