"""A note as the index takes it in: its text without the front matter, and where it stands."""

from recollect.journal import markdown
from recollect.journal.model import PINNED, PROPOSED, LibraryItem
from recollect.notes import front_matter
from recollect.notes.categories import CATEGORIES
from recollect.notes.lifecycle import is_proposed
from recollect.notes.note_model import Note
from recollect.store.contract.notes import StoredNote


def items_of(stored: StoredNote) -> list[LibraryItem]:
    """The note as a memory; none when it was retired."""
    note = stored.note
    if note.record_status == "retired":
        return []
    body = front_matter.read(stored.text).body
    first_line = stored.text[: len(stored.text) - len(body)].count("\n") + 1
    return [
        LibraryItem(
            id=stored.name,
            kind="note",
            category=note.category,
            hidden_reason=hidden_reason(note),
            note_status=_note_status(note),
            title=note.title,
            body=markdown.legible(_below_title(body)),
            at=note.updated_at,
            session=note.source.session or "",
            branch=note.evidence.branch or "",
            commit=note.evidence.commit or "",
            by=note.source.by,
            edited=note.source.by == "user",
            prominence=note.seen + PINNED * note.pinned,
            files=note.related_files,
            seen_files=note.evidence.files,
            first_line=first_line,
            last_line=stored.text.count("\n") + 1,
        )
    ]


def _note_status(note: Note) -> str:
    field = CATEGORIES[note.category].status_field
    match getattr(note.content, field, ""):
        case bool(holds):
            return "active" if holds else "lifted"
        case status:
            return str(status)


def hidden_reason(note: Note) -> str:
    """Why *note* is kept but not shown unasked; empty for one that is."""
    if note.superseded_by:
        return f"superseded by {note.superseded_by}"
    if note.record_status == "archived":
        return "archived"
    return PROPOSED if is_proposed(note) else ""


def _below_title(body: str) -> str:
    lines = body.strip("\n").split("\n")
    return "\n".join(lines[1:] if lines[0].startswith("# ") else lines).strip("\n")
