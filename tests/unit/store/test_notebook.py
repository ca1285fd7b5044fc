import multiprocessing
import os
import resource
import stat
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from recollect import files
from recollect.errors import BusyError, NotFoundError
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.lifecycle import Rules
from recollect.notes.note_model import Note
from recollect.store.contract.notes import NoteKey, StoredNote
from recollect.store.files import notes as notes_module
from recollect.store.files.disk import LOCK_NAME
from recollect.store.files.notes import FileNotes
from recollect.store.notebook import Notebook
from tests.builders.notes import NOON, a_file, a_note, content_of, later

ID = "postgres-for-orders"
SOON = later(hours=1)


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(FileNotes(tmp_path / "project"))


@pytest.fixture
def kept(notebook: Notebook) -> Notebook:
    """A notebook with one decision in it."""
    notebook.create(a_note(), now=NOON)
    return notebook


def folder_of(notebook: Notebook) -> Path:
    return Path(notebook.store.location(NoteKey("decision", ID))).parent.parent


def path(notebook: Notebook, name: str = ID, folder: str = "decisions") -> Path:
    return folder_of(notebook) / folder / f"{name}.md"


def find(notebook: Notebook, name: str) -> StoredNote:
    held = notebook.look_up(name)
    assert isinstance(held, StoredNote)
    return held


def by_hand(notebook: Notebook, text: str, name: str = ID, folder: str = "decisions") -> None:
    file = path(notebook, name, folder)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def retitled(title: str) -> Callable[[Note], Note]:
    return lambda note: note.changed(title=title)


def texts(notebook: Notebook, name: str = ID) -> list[str]:
    return [notebook.version(name, each.number) for each in notebook.versions(name)]


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_note_is_a_file_in_the_folder_of_its_category(
    notebook: Notebook, category: Category
) -> None:
    done = notebook.create(a_note(category=category), now=NOON)

    assert (done.outcome, done.id) == ("created", ID)
    file = path(notebook, folder=CATEGORIES[category].folder)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (stored,) = notebook.notes()
    assert stored.note == a_note(category=category)
    assert (stored.location, stored.hash) == (str(file), done.hash)
    assert stored.name == f"{category}/{ID}"


def test_an_id_that_is_taken_gets_a_number(kept: Notebook) -> None:
    assert kept.create(a_note(), now=NOON).id == f"{ID}-2"
    done = kept.create(a_note(category="constraint"), now=NOON)

    assert (done.outcome, done.id, done.reason) == ("created", f"{ID}-3", f"{ID} is taken")


def test_a_long_id_that_is_taken_still_fits(notebook: Notebook) -> None:
    title = "x" * 120
    first = notebook.create(a_note(title), now=NOON)
    second = notebook.create(a_note(title), now=NOON)

    assert second.id == f"{first.id}-2"
    assert len(second.id) <= 80


def test_a_note_is_found_by_the_beginning_of_its_name(kept: Notebook) -> None:
    kept.create(a_note("Other"), now=NOON)

    assert find(kept, "post").note.id == ID
    assert find(kept, "decision/post").note.id == ID
    assert find(kept, "decisions/post").note.id == ID
    with pytest.raises(NotFoundError, match="no such id"):
        find(kept, "nothing")


def test_a_note_that_does_not_change_is_read_once(kept: Notebook) -> None:
    first, second = kept.notes()[0], kept.notes()[0]

    assert first is second


def test_an_update_changes_the_file_and_says_so(kept: Notebook) -> None:
    done = kept.update(ID, retitled("CockroachDB"), now=SOON)

    stored = find(kept, ID)
    assert (done.outcome, done.hash) == ("updated", stored.hash)
    assert stored.note.title == "CockroachDB"
    assert stored.note.changes[0].old_value == "Postgres for orders"


def test_an_update_without_a_change_writes_nothing(kept: Notebook) -> None:
    before = files.stamp(path(kept))

    done = kept.update(ID, lambda note: note, now=SOON)

    assert (done.outcome, done.reason) == ("nothing", "there is nothing to change")
    assert files.stamp(path(kept)) == before


def test_an_update_of_what_changed_since_it_was_read_is_not_made(kept: Notebook) -> None:
    read = find(kept, ID)
    kept.update(ID, retitled("Meanwhile"), now=SOON)

    done = kept.update(ID, retitled("Mine"), now=SOON, expected=read.hash)

    assert (done.outcome, done.reason) == ("nothing", "the note changed since it was read")
    assert find(kept, ID).note.title == "Meanwhile"


def test_an_edit_that_breaks_the_rules_fails_with_the_reason(kept: Notebook) -> None:
    before = path(kept).read_text()

    fixed = kept.update(ID, lambda note: note.changed(id="other"), now=SOON)
    standing = kept.update(ID, lambda note: note.changed(record_status="archived"), now=SOON)
    wrong = kept.update(ID, lambda note: note.changed(title=""), now=SOON)

    assert (fixed.outcome, fixed.reason) == ("failed", f"{ID}: id cannot change")
    assert standing.outcome == "failed"
    assert (wrong.outcome, wrong.reason) == ("failed", "title: empty")
    assert path(kept).read_text() == before


def test_a_text_that_a_person_wrote_becomes_the_note_as_it_is(kept: Notebook) -> None:
    read = find(kept, ID)
    text = read.text.replace("outgrew", "left") + "\n## Mine\n\n  - as I like it\n"

    done = kept.rewrite(ID, text, expected=read.hash, now=NOON)

    assert (done.outcome, path(kept).read_text()) == ("updated", text)
    assert texts(kept) == [read.text, text]
    late = kept.rewrite(ID, read.text, expected=read.hash, now=NOON)
    assert (late.outcome, late.reason) == ("nothing", "the note changed since it was read")
    assert kept.rewrite(ID, "---\nbroken: [\n---\n", now=NOON).outcome == "failed"


def test_a_retired_note_is_not_updated(kept: Notebook) -> None:
    kept.step(ID, "retire", now=NOON)

    done = kept.update(ID, retitled("New"), now=SOON)

    assert (done.outcome, done.reason) == ("nothing", f"{ID} is retired, and is not updated")


def test_a_note_is_retired_and_restored(kept: Notebook) -> None:
    assert kept.step(ID, "retire", now=later(hours=1), reason="moved on").outcome == "retired"
    assert find(kept, ID).note.retired_reason == "moved on"
    again = kept.step(ID, "retire", now=later(hours=1))
    assert (again.outcome, again.reason) == ("nothing", f"{ID} is retired already")

    assert kept.step(ID, "restore", now=later(hours=2)).outcome == "restored"
    assert find(kept, ID).note.active
    assert kept.step(ID, "restore", now=later(hours=2)).outcome == "nothing"


def test_a_note_is_archived_and_taken_out_again(kept: Notebook) -> None:
    assert kept.step(ID, "archive", now=later(hours=1)).outcome == "archived"
    assert kept.step(ID, "restore", now=later(hours=1)).outcome == "nothing"
    assert kept.step(ID, "unarchive", now=later(hours=2)).outcome == "unarchived"
    assert find(kept, ID).note.active


def test_superseding_links_both_notes(kept: Notebook) -> None:
    kept.create(a_note("CockroachDB"), now=NOON)

    done = kept.supersede(ID, by="cockroachdb", now=later(hours=1))

    assert (done.outcome, done.id) == ("superseded", ID)
    assert [(also.outcome, also.id) for also in done.also] == [("updated", "cockroachdb")]
    old, new = find(kept, ID).note, find(kept, "cockroachdb").note
    assert (old.superseded_by, old.record_status) == ("cockroachdb", "archived")
    assert new.supersedes == (ID,)
    assert kept.supersede(ID, by="cockroachdb", now=later(hours=2)).outcome == "nothing"
    assert kept.doubtful() == []


def test_a_superseded_note_that_is_taken_out_is_released_on_both_sides(kept: Notebook) -> None:
    kept.create(a_note("CockroachDB"), now=NOON)
    kept.supersede(ID, by="cockroachdb", now=later(hours=1))

    done = kept.step(ID, "unarchive", now=later(hours=2))

    assert [also.id for also in done.also] == ["cockroachdb"]
    assert find(kept, ID).note.superseded_by is None
    assert find(kept, "cockroachdb").note.supersedes == ()


def test_half_a_link_is_said_and_can_be_completed(kept: Notebook) -> None:
    kept.create(a_note("CockroachDB", supersedes=[ID]), now=NOON)

    (doubt,) = kept.doubtful()
    assert doubt.what == f"says that it supersedes {ID}, which does not say so"
    assert kept.supersede(ID, by="cockroachdb", now=later(hours=1)).outcome == "superseded"
    assert kept.doubtful() == []


def test_what_was_retired_a_moment_ago_is_not_made_anew(kept: Notebook) -> None:
    kept.step(ID, "retire", now=later(hours=1))

    done = kept.create(a_note(), now=later(hours=24))

    assert done.outcome == "nothing"
    assert "was retired in the last 24 hours" in done.reason
    again = later(hours=25)
    assert kept.create(a_note(now=again), now=again).outcome == "created"


def test_what_was_said_before_its_like_was_retired_is_not_made_anew(kept: Notebook) -> None:
    kept.step(ID, "retire", now=later(hours=1))

    done = kept.create(a_note(), now=later(days=90))

    assert (done.outcome, done.reason) == (
        "nothing",
        f"{ID} was retired after this was said: restore it",
    )


def test_a_category_that_is_off_gets_no_note(notebook: Notebook) -> None:
    done = notebook.create(a_note(), now=NOON, rules=Rules(enabled=False))

    assert done.outcome == "nothing"
    assert notebook.notes() == []


def test_a_note_whose_file_the_user_deleted_does_not_come_back_by_itself(kept: Notebook) -> None:
    path(kept).unlink()

    done = kept.create(a_note(source={"by": "model"}), now=NOON)

    assert done.outcome == "nothing"
    assert "deleted by hand" in done.reason
    assert kept.create(a_note(source={"by": "user"}), now=NOON).id == ID


def test_one_note_too_many_retires_the_oldest_in_the_same_step(notebook: Notebook) -> None:
    rules = Rules(max_notes=2)
    for number in range(2):
        notebook.create(a_note(f"Note {number}", now=later(hours=number)), now=NOON, rules=rules)

    done = notebook.create(a_note("Note 2"), now=later(hours=3), rules=rules)

    assert [(also.outcome, also.id) for also in done.also] == [("retired", "note-0")]
    assert done.also[0].reason == "more than 2 notes of this category"
    assert [each.note.id for each in notebook.notes() if each.note.active] == [
        "note-1",
        "note-2",
    ]


def a_session(number: int, **changes: dict[str, str]) -> Note:
    source = {"by": "extractive", "session": f"s{number}"}
    given = {"now": later(hours=number), "source": source} | changes
    return a_note(f"Session {number}", category="session_summary", **given)


def test_the_last_five_sessions_stay_active(notebook: Notebook) -> None:
    for number in range(6):
        done = notebook.snapshot(
            a_session(number), now=later(hours=number), rules=Rules(max_retained=5)
        )

    assert [also.id for also in done.also] == ["session-0"]
    active = [each.note.id for each in notebook.notes() if each.note.active]
    assert active == [f"session-{number}" for number in range(1, 6)]


def test_an_old_session_that_is_read_late_pushes_out_no_newer_one(notebook: Notebook) -> None:
    window = Rules(max_retained=2)
    for number in (1, 2):
        notebook.snapshot(a_session(number), now=later(hours=number), rules=window)

    done = notebook.snapshot(a_session(-900), now=later(hours=3), rules=window)

    assert (done.outcome, done.also) == ("nothing", ())
    assert "older than those" in done.reason
    assert [each.note.id for each in notebook.notes()] == ["session-1", "session-2"]


def test_what_is_pushed_out_is_retired_now_and_not_when_the_other_was_said(
    notebook: Notebook,
) -> None:
    window = Rules(max_retained=1)
    notebook.snapshot(a_session(1), now=later(hours=1), rules=window)

    notebook.snapshot(a_session(2), now=later(days=90), rules=window)

    assert find(notebook, "session-1").note.retired_at == later(days=90)
    assert find(notebook, "session-2").note.updated_at == later(hours=2)


def test_a_session_has_one_snapshot(notebook: Notebook) -> None:
    notebook.snapshot(a_session(1), now=NOON)

    done = notebook.snapshot(a_session(1, content={"goal": "Another goal"}), now=later(hours=2))

    (stored,) = notebook.notes()
    assert (done.outcome, content_of(stored.note).goal) == ("updated", "Another goal")
    assert notebook.snapshot(a_session(1), now=later(hours=3)).outcome == "updated"


def test_every_version_of_a_note_can_be_read(kept: Notebook) -> None:
    first = path(kept).read_text()
    kept.update(ID, retitled("Two"), now=SOON)
    second = path(kept).read_text()
    kept.step(ID, "retire", now=later(hours=2))

    assert texts(kept) == [first, second, path(kept).read_text()]
    folder = folder_of(kept) / ".history" / "decisions" / ID
    assert sorted(file.name for file in folder.iterdir()) == ["1.md", "2.md", "3.md"]
    with pytest.raises(NotFoundError, match="no version 9"):
        kept.version(ID, 9)


def test_what_an_editor_wrote_is_the_current_version(kept: Notebook) -> None:
    ours = path(kept).read_text()
    theirs = ours.replace("Orders outgrew", "Orders and invoices outgrew")
    by_hand(kept, theirs)

    assert content_of(find(kept, ID).note).context == "Orders and invoices outgrew SQLite."
    assert texts(kept) == [ours, theirs]
    kept.update(ID, retitled("New"), now=SOON)
    assert texts(kept) == [ours, theirs, path(kept).read_text()]
    assert "Orders and invoices" in path(kept).read_text()


def test_hand_edits_can_be_kept_without_changing_anything(kept: Notebook) -> None:
    by_hand(kept, path(kept).read_text() + "\n## Mine\n\none\n")
    by_hand(kept, a_file(a_note("Made by hand")), "made-by-hand")
    before = path(kept).read_text()

    assert kept.keep_hand_edits() == ["made-by-hand", ID]
    assert kept.keep_hand_edits() == []
    by_hand(kept, before.replace("one", "two"))
    kept.keep_hand_edits()

    assert [("one" in text, "two" in text) for text in texts(kept)][1:] == [
        (True, False),
        (False, True),
    ]


def test_an_earlier_version_can_be_brought_back(kept: Notebook) -> None:
    kept.update(ID, retitled("Two"), now=SOON)
    kept.step(ID, "retire", now=later(hours=2))

    done = kept.revert_to(ID, 1, now=later(hours=3))

    note = find(kept, ID).note
    assert done.outcome == "brought-back"
    assert (note.title, note.record_status) == ("Postgres for orders", "retired")
    assert note.changes[-1].summary == "version 1 brought back"
    assert len(texts(kept)) == 4
    assert kept.revert_to(ID, 9, now=later(hours=3)).outcome == "failed"


def test_a_broken_file_is_mended_by_bringing_a_version_back(kept: Notebook) -> None:
    by_hand(kept, "---\ntags: [\n---\nMy own words.\n")

    assert kept.update(ID, retitled("New"), now=SOON).outcome == "failed"
    assert kept.revert_to(ID, 1, now=later(hours=1)).outcome == "brought-back"

    assert kept.broken() == []
    assert any("My own words." in text for text in texts(kept))


def test_a_file_that_was_deleted_by_hand_is_brought_back(kept: Notebook) -> None:
    path(kept).unlink()

    assert len(kept.versions(ID)) == 1
    assert kept.revert_to(ID, 1, now=later(hours=1)).outcome == "brought-back"
    assert find(kept, ID).note.title == "Postgres for orders"


def test_what_is_due_is_said_before_it_is_done(kept: Notebook) -> None:
    kept.step(ID, "retire", now=NOON)

    (due,) = kept.due(now=later(days=30), rules={})
    assert (due.note.id, due.step) == (ID, "archive")
    assert find(kept, ID).note.record_status == "retired"

    (done,) = kept.gc(now=later(days=30), rules={})
    assert (done.outcome, done.reason) == ("archived", "retired more than 30 days ago")
    assert kept.gc(now=later(days=30), rules={}) == []


def test_gc_deletes_only_where_the_user_chose_so(kept: Notebook) -> None:
    kept.step(ID, "retire", now=NOON)

    (done,) = kept.gc(now=later(days=31), rules={"decision": Rules(archive_retired=False)})

    assert (done.outcome, done.id) == ("erased", ID)
    assert kept.notes() == []
    assert not (folder_of(kept) / ".history" / "decisions" / ID).exists()


def test_gc_sweeps_drafts_that_a_killed_process_left(kept: Notebook) -> None:
    draft = path(kept).parent / f".{ID}.md.abc123.tmp"
    copy = folder_of(kept) / ".history" / "decisions" / ID / ".2.md.abc123.tmp"
    draft.write_text("half")
    copy.write_text("half")

    kept.gc(now=NOON, rules={})

    assert not draft.exists()
    assert not copy.exists()


def test_one_broken_file_does_not_stop_gc(kept: Notebook) -> None:
    kept.create(a_note("Other"), now=NOON)
    kept.step("other", "retire", now=NOON)
    by_hand(kept, "---\n:\n---\n")

    assert [done.id for done in kept.gc(now=later(days=31), rules={})] == ["other"]


def test_an_erased_note_leaves_nothing(kept: Notebook) -> None:
    secret = "hunter2hunter2"
    kept.update(ID, retitled(secret), now=SOON)
    by_hand(kept, path(kept).read_text() + f"\n{secret}\n")
    (path(kept).parent / f".{ID}.md.abc.tmp").write_text(secret)
    kept.create(a_note("Other"), now=NOON)

    assert kept.erase(ID).outcome == "erased"

    left = [file for file in folder_of(kept).rglob("*") if file.is_file()]
    assert not [file for file in left if secret in file.read_text()]
    assert [each.note.id for each in kept.notes()] == ["other"]
    assert kept.erase(ID).outcome == "failed"


def test_a_broken_file_can_be_erased_and_so_can_a_history_without_a_file(kept: Notebook) -> None:
    by_hand(kept, "---\nbroken\n")
    assert kept.erase(ID).outcome == "erased"

    kept.create(a_note(), now=NOON)
    path(kept).unlink()
    assert kept.erase(ID).outcome == "erased"
    assert not (folder_of(kept) / ".history" / "decisions" / ID).exists()


def test_an_empty_folder_is_no_history(kept: Notebook) -> None:
    """A note that could not be written left one, and was then said to be deleted by hand."""
    (folder_of(kept) / ".history" / "decisions" / "other").mkdir(parents=True)

    made = kept.create(a_note("Other", source={"by": "extractive"}), now=NOON)

    assert (made.outcome, made.id) == ("created", "other")
    assert kept.deleted() == []


def test_a_note_that_could_not_be_made_leaves_no_history(kept: Notebook) -> None:
    (folder_of(kept) / "constraints").write_text("A file in the place of the folder.")

    assert kept.create(a_note("Other", category="constraint"), now=NOON).outcome == "failed"

    assert not (folder_of(kept) / ".history" / "constraints" / "other").exists()


def test_what_cannot_be_erased_is_named_and_the_file_goes_last(kept: Notebook) -> None:
    draft = path(kept).parent / f".{ID}.md.abc.tmp"
    draft.mkdir()

    done = kept.erase(ID)

    assert done.outcome == "failed"
    assert str(path(kept)) in done.reason
    draft.rmdir()
    assert kept.erase(ID).outcome == "erased"


def test_broken_files_are_named_with_line_and_fix(kept: Notebook) -> None:
    by_hand(kept, a_file().replace("status: accepted", "status: maybe"), "broken-status")
    by_hand(kept, "# Empty\n", "empty")

    assert [each.note.id for each in kept.notes()] == [ID]
    status, empty = (each.trouble for each in kept.broken())
    assert (status.location, status.line) == (str(path(kept, "broken-status")), 9)
    assert "maybe" in status.what
    assert "'accepted'" in status.fix
    assert (empty.line, "## Decision" in empty.fix) == (1, True)


def test_a_broken_file_that_was_mended_is_a_note_again(kept: Notebook) -> None:
    by_hand(kept, "# Empty\n")
    assert kept.broken()

    by_hand(kept, "# Full\n\nOrders live in Postgres.\n")

    assert kept.broken() == []
    assert find(kept, ID).note.title == "Full"


def test_foreign_files_are_left_alone_and_named(kept: Notebook) -> None:
    folder = path(kept).parent
    (folder / "photo.png").write_bytes(b"\x89PNG")
    (folder / "My Idea.md").write_text("# Idea\n")
    (folder / "inside").mkdir()
    (folder / ".DS_Store").write_text("")
    os.mkfifo(folder / "pipe.md")

    (misnamed,) = kept.misnamed()

    assert misnamed.location == str(folder / "My Idea.md")
    assert misnamed.trouble.fix == "Rename it to my-idea.md."
    assert ([each.note.id for each in kept.notes()], kept.broken()) == ([ID], [])
    assert kept.keep_hand_edits() == []
    assert (folder / "photo.png").exists()


def test_links_are_refused(kept: Notebook, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret\n\ntext\n")
    path(kept, "linked").symlink_to(secret)

    (broken,) = kept.broken()
    assert "is a link" in broken.trouble.what
    done = kept.update("linked", retitled("Mine"), now=SOON)
    assert (done.outcome, secret.read_text()) == ("failed", "# Secret\n\ntext\n")
    assert kept.keep_hand_edits() == []


def test_a_folder_behind_a_link_is_not_written(notebook: Notebook, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder_of(notebook).mkdir()
    (folder_of(notebook) / "decisions").symlink_to(outside)

    done = notebook.create(a_note(), now=NOON)

    assert done.outcome == "failed"
    assert "is a link" in done.reason
    assert list(outside.iterdir()) == []


def test_a_history_behind_a_link_is_not_written(kept: Notebook, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    history = folder_of(kept) / ".history" / "decisions" / ID
    (history / "1.md").unlink()
    history.rmdir()
    history.symlink_to(outside)

    assert kept.update(ID, retitled("New"), now=SOON).outcome == "failed"
    assert kept.erase(ID).outcome == "failed"
    assert list(outside.iterdir()) == []


def test_a_link_in_the_place_of_other_histories_is_in_nobodys_way(
    kept: Notebook, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    (outside / "call-the-bank").mkdir(parents=True)
    (outside / "call-the-bank" / "1.md").write_text("# Call the bank\n\ntext\n")
    (folder_of(kept) / ".history" / "runbooks").symlink_to(outside)

    done = kept.create(a_note("call-the-bank"), now=NOON)

    assert (done.outcome, done.id) == ("created", "call-the-bank")
    with pytest.raises(NotFoundError):
        kept.versions("no-such-note")


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "decision/../../x", "", "a/b/c", "nothing", "x" * 10**5]
)
def test_nothing_outside_the_folder_can_be_named(kept: Notebook, name: str) -> None:
    for done in (
        kept.update(name, retitled("x"), now=SOON),
        kept.step(name, "retire", now=NOON),
        kept.erase(name),
        kept.revert_to(name, 1, now=NOON),
    ):
        assert done.outcome == "failed"
        assert "no such note" in done.reason
    with pytest.raises(NotFoundError):
        kept.versions(name)


def test_the_same_id_in_two_folders_is_two_notes_and_said(kept: Notebook) -> None:
    by_hand(kept, "# Limit\n\nAt most 100 requests.\n", folder="constraints")

    assert len(kept.notes()) == 2
    assert {each.what for each in kept.doubtful()} == {f"2 notes are called {ID}"}
    done = kept.step(ID, "retire", now=NOON)
    assert (done.outcome, done.fix) == ("failed", f"Name one: decision/{ID}, constraint/{ID}.")
    assert kept.step(f"constraint/{ID}", "retire", now=NOON).outcome == "retired"
    assert find(kept, f"decision/{ID}").note.active
    with pytest.raises(NotFoundError, match="2 notes have this id"):
        find(kept, ID)


def test_a_copied_file_is_a_note_of_its_own_and_said(kept: Notebook) -> None:
    by_hand(kept, path(kept).read_text(), "copy")

    assert [each.note.id for each in kept.notes()] == ["copy", ID]
    (doubt,) = kept.doubtful()
    assert doubt.what == f"says that it is {ID}; the name of the file counts"
    assert kept.update("copy", retitled("Another"), now=SOON).outcome == "updated"
    assert kept.doubtful() == []


def test_a_file_in_the_folder_of_another_category_is_broken_and_said(kept: Notebook) -> None:
    by_hand(kept, path(kept).read_text(), folder="runbooks")

    trouble = kept.broken()[0].trouble
    assert trouble.line == 3
    assert '"decision" is not the category of a file in runbooks/' in trouble.what


def test_a_huge_file_is_not_read(kept: Notebook) -> None:
    by_hand(kept, "# Big\n\n" + "x" * 5_000_000, "big")
    began = time.process_time()

    trouble = kept.broken()[0].trouble

    assert "5,000,007 bytes" in trouble.what
    assert time.process_time() - began < 5


def test_an_empty_folder_has_no_notes(notebook: Notebook) -> None:
    assert (notebook.notes(), notebook.broken()) == ([], [])
    assert (notebook.misnamed(), notebook.doubtful()) == ([], [])
    assert notebook.keep_hand_edits() == []
    assert notebook.gc(now=NOON, rules={}) == []


def test_an_editor_that_saves_while_we_write_loses_nothing(kept: Notebook) -> None:
    saved: list[str] = []

    def edit(note: Note) -> Note:
        if not saved:
            saved.append(path(kept).read_text().replace("outgrew", "left"))
            by_hand(kept, saved[0])
        return note.changed(title="New")

    assert kept.update(ID, edit, now=SOON).outcome == "updated"

    note = find(kept, ID).note
    assert (note.title, content_of(note).context) == ("New", "Orders left SQLite.")
    assert saved[0] in texts(kept)


def test_an_editor_that_never_stops_is_reported(kept: Notebook) -> None:
    def edit(note: Note) -> Note:
        by_hand(kept, path(kept).read_text() + "x")
        return note.changed(title="New")

    done = kept.update(ID, edit, now=SOON)

    assert done.outcome == "failed"
    assert "changed by another program" in done.reason
    assert not [text for text in texts(kept) if "# New" in text]


def test_a_disk_that_cannot_be_written_is_reported(kept: Notebook) -> None:
    before = path(kept).read_text()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        done = kept.update(ID, retitled("New"), now=SOON)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert (done.outcome, done.reason) == ("failed", "File too large")
    assert texts(kept) == [before]


def test_a_file_where_a_folder_should_be_is_reported(notebook: Notebook) -> None:
    folder_of(notebook).mkdir()
    (folder_of(notebook) / "decisions").write_text("not a folder")

    done = notebook.create(a_note(), now=NOON)

    assert done.outcome == "failed"
    assert notebook.notes() == []


def hold(lock: Path, held: Event, release: Event) -> None:
    with files.locked(lock, wait=1):
        held.set()
        release.wait(20)


def test_without_the_lock_nothing_is_written(
    kept: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes_module, "LOCK_SECONDS", 0.1)
    spawn = multiprocessing.get_context("spawn")
    held, release = spawn.Event(), spawn.Event()
    holder = spawn.Process(target=hold, args=(folder_of(kept) / LOCK_NAME, held, release))
    holder.start()
    assert held.wait(20)
    before = path(kept).read_text()

    with pytest.raises(BusyError):
        kept.update(ID, retitled("New"), now=SOON)

    release.set()
    holder.join(20)
    assert path(kept).read_text() == before
