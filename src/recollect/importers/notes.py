"""Take in notes from JSON records; what becomes of each is said, and a bad one stops no other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from recollect.curation.import_notes import DryRun, NoteImport
from recollect.errors import NoteError
from recollect.importers import records
from recollect.importers.records import RecordFile
from recollect.notes import categories, exchange
from recollect.notes.categories import CATEGORIES
from recollect.privacy import redact
from recollect.store.contract.notes import ChangeResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one record of a file, or (*number* 0) of the file as a whole."""

    file: str
    number: int
    name: str
    """`category/id`, as far as it is known."""
    done: ChangeResult

    @property
    def place(self) -> str:
        """Where the record stands, for a person."""
        number = f"record {self.number}" if self.number else ""
        return ": ".join(filter(None, (self.file, number, self.name)))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesReport:
    """What came of all records, and *also* of notes that were too many then."""

    taken: tuple[Taken, ...] = ()
    also: tuple[ChangeResult, ...] = ()

    @property
    def failed(self) -> list[Taken]:
        """The records that could not be taken in."""
        return [one for one in self.taken if one.done.outcome == "failed"]

    def counts(self) -> Counter[str]:
        """How many there are of each outcome."""
        return Counter(one.done.outcome for one in self.taken)


def import_all(
    found: Sequence[RecordFile], into: NoteImport | DryRun, progress: Callable[[int, int], None]
) -> NotesReport:
    """Take in what was *found*; *progress* hears how many records are done, of how many."""
    total = sum(len(one.values) or 1 for one in found)
    taken: list[Taken] = []
    with into:
        for file in found:
            for one in _of_file(file, into):
                taken.append(one)
                progress(len(taken), total)
    return NotesReport(taken=tuple(taken), also=tuple(into.also))


def _of_file(found: RecordFile, into: NoteImport | DryRun) -> Iterator[Taken]:
    whole = Taken(
        file=str(found.file), number=0, name="", done=ChangeResult(outcome="nothing", id="")
    )
    if found.linked:
        yield replace(whole, done=replace(whole.done, reason=records.LINKED))
    if found.error:
        yield replace(whole, done=_failed(found.error))
    for number, value in enumerate(found.values, start=1):
        name, done = _of_record(found, value, into)
        yield replace(whole, number=number if found.is_list else 0, name=name, done=done)


def _of_record(
    found: RecordFile, value: object, into: NoteImport | DryRun
) -> tuple[str, ChangeResult]:
    name = _name(value)
    try:
        incoming = exchange.read(value)
        if not found.is_list:
            _check_folder(found.file.parent.name, incoming.note.category)
        return incoming.name, into.take(incoming)
    except NoteError as error:
        return name, _failed(error)


def _check_folder(folder: str, category: str) -> None:
    """Raise `NoteError` when a record lies in the folder of another category than its own."""
    if folder in categories.folders() and categories.named(folder) != category:
        right = CATEGORIES[category].folder
        raise NoteError(
            f'category: "{category}" is not the category of a file in {folder}/',
            hint=f"Move the file to {right}/, or write {categories.named(folder)}.",
        )


def _name(value: object) -> str:
    """What a record that may be broken calls itself."""
    fields = value if isinstance(value, dict) else {}
    parts = [fields.get(key) for key in ("category", "id")]
    return redact.clean("/".join(part[:80] for part in parts if isinstance(part, str)))


def _failed(error: NoteError) -> ChangeResult:
    # It may quote what it is about.
    return ChangeResult(outcome="failed", id="", reason=redact.clean(error.message), fix=error.hint)
