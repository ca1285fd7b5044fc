"""What becomes of notes from elsewhere, and that a rehearsal says the same beforehand."""

import json
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings

from recollect import paths
from recollect.curation import import_notes
from recollect.curation.curator import NoteFilter
from recollect.curation.import_notes import DryRun, ImportTarget, NoteImport
from recollect.importers import notes, records
from recollect.importers.notes import NotesReport
from recollect.importers.records import RecordFile
from recollect.notes import exchange, lifecycle
from recollect.notes.categories import CATEGORIES
from recollect.notes.lifecycle import Rules
from recollect.notes.note_model import Note
from recollect.store.files.notes import FileNotes
from recollect.store.notebook import Notebook
from tests.builders.notes import a_note, any_note, content_of
from tests.unit.curation.conftest import NOON, Desk

NAME = "decision/postgres-for-orders"
LATER = NOON + timedelta(hours=1)
NOW = NOON + timedelta(days=2)


def bring(
    desk: Desk, *given: Note | dict[str, object], folder: str = "", dry_run: bool = False
) -> NotesReport:
    """Import *given*, notes or records of them, from one file; alone, if it is one."""
    values = tuple(exchange.record(one) if isinstance(one, Note) else one for one in given)
    found = RecordFile(file=Path(folder, "all.json"), values=values, is_list=len(values) > 1)
    curator = desk.curator
    make = curator.dry_run if dry_run else curator.note_import
    return notes.import_all([found], make(desk.project, now=NOW), lambda _done, _all: None)


def outcomes(report: NotesReport) -> list[tuple[str, str]]:
    return [(one.done.outcome, one.done.reason) for one in report.taken]


def brought(desk: Desk, *given: Note | dict[str, object], **more: object) -> list[tuple[str, str]]:
    """What became of each; a dry run has said the same."""
    before = desk.everything()
    foretold = bring(desk, *given, dry_run=True, **more)  # type: ignore[arg-type]
    assert desk.everything() == before
    report = bring(desk, *given, **more)  # type: ignore[arg-type]
    assert outcomes(report) == outcomes(foretold)
    assert [one.id for one in report.also] == [one.id for one in foretold.also]
    return outcomes(report)


def held(desk: Desk, name: str = NAME) -> Note:
    return desk.curator.find(name, among=[desk.project]).note


class TestANoteThatIsNotHere:
    def test_is_made_as_it_stands_there(self, desk: Desk) -> None:
        lines = [{"date": NOON, "summary": "made"}]
        note = a_note(changes=lines, times_updated=7, confidence=0.5, related_files=["a.py"])

        assert brought(desk, note) == [("created", "")]
        assert held(desk) == note

    def test_stays_retired_if_it_is(self, desk: Desk) -> None:
        note = lifecycle.stepped(a_note(), "retire", now=LATER, reason="we left")

        assert brought(desk, note) == [("created", "")]
        assert held(desk) == note
        assert desk.found("orders live in postgres") == []

    def test_is_found_at_once(self, desk: Desk) -> None:
        brought(desk, a_note())

        assert desk.found("orders live in postgres") == [NAME]

    def test_may_have_the_id_of_a_note_of_another_category(self, desk: Desk) -> None:
        bring(desk, a_note())

        told = brought(desk, a_note(category="constraint"))

        assert told == [("created", f"{NAME} has this id, too")]
        assert desk.names() == ["constraint/postgres-for-orders", NAME]

    def test_is_not_made_if_it_was_erased_here(self, desk: Desk) -> None:
        bring(desk, a_note())
        one = desk.curator.find(NAME, among=[desk.project])
        desk.curator.forget(one, really=True, now=NOON)

        assert brought(desk, a_note()) == [("nothing", "was erased here")]
        assert desk.names() == []

    def test_nor_if_what_it_was_made_of_was_erased(self, desk: Desk) -> None:
        source = {"by": "agent", "session": "s1", "turn": "t1"}
        bring(desk, exchange.full_record(a_note(source=source)))
        one = desk.curator.find(NAME, among=[desk.project])
        desk.curator.forget(one, really=True, now=NOON)

        again = exchange.full_record(a_note("Other words", source=source))

        assert brought(desk, again) == [("nothing", "was erased here")]

    def test_is_made_again_if_only_its_file_was_deleted(self, desk: Desk) -> None:
        bring(desk, a_note())
        Path(desk.curator.find(NAME, among=[desk.project]).location).unlink()

        assert brought(desk, a_note()) == [("created", "")]

    def test_of_a_category_that_is_off_is_not_made(self, desk: Desk) -> None:
        desk.set("categories.decision.enabled", "false")

        (told,) = brought(desk, a_note())

        assert told == ("nothing", "the category decision is off (categories.decision.enabled)")
        assert desk.names() == []


class TestANoteThatIsHere:
    @pytest.fixture(autouse=True)
    def here(self, desk: Desk) -> None:
        bring(desk, a_note(related_files=["a.py"]))

    def test_and_says_the_same_stays_as_it_is(self, desk: Desk) -> None:
        path = Path(desk.curator.find(NAME, among=[desk.project]).location)
        before = path.stat().st_ino

        assert brought(desk, a_note(related_files=["a.py"])) == [("nothing", "as it is here")]
        assert path.stat().st_ino == before

    def test_and_is_older_is_updated_and_what_it_said_is_a_version(self, desk: Desk) -> None:
        theirs = a_note(related_files=["b.py"], tags=["sql"], now=LATER).changed(title="Other")

        assert brought(desk, theirs) == [("updated", "")]
        note = held(desk)
        assert (note.title, note.related_files) == ("Other", ("a.py", "b.py"))
        assert (note.tags, note.created_at, note.updated_at) == (("orders", "sql"), NOON, LATER)
        notebook = desk.app.inside.notebook(desk.project)
        assert "# Postgres for orders" in notebook.version(NAME, 1)

    def test_and_is_newer_stays(self, desk: Desk) -> None:
        theirs = a_note(now=NOON - timedelta(hours=1)).changed(title="Other")

        assert brought(desk, theirs) == [("nothing", "newer here")]
        assert held(desk).title == "Postgres for orders"

    def test_is_retired_if_it_was_retired_later_elsewhere(self, desk: Desk) -> None:
        theirs = lifecycle.stepped(a_note(), "retire", now=LATER, reason="we left")

        assert brought(desk, theirs) == [("updated", "")]
        assert desk.names("retired") == [NAME]

    def test_and_was_retired_later_here_does_not_come_back(self, desk: Desk) -> None:
        one = desk.curator.find(NAME, among=[desk.project])
        desk.curator.step(one, "retire", now=LATER)

        assert brought(desk, a_note()) == [("nothing", "newer here")]
        assert desk.names() == []

    def test_and_cannot_be_read_is_left_for_a_person(self, desk: Desk) -> None:
        path = Path(desk.curator.find(NAME, among=[desk.project]).location)
        path.write_text("---\ntags: [\n---\n")

        ((outcome, _),) = brought(desk, a_note(now=LATER))

        assert outcome == "failed"
        assert path.read_text() == "---\ntags: [\n---\n"

    def test_in_what_holds_everywhere_is_another(self, desk: Desk) -> None:
        found = RecordFile(file=Path("all.json"), values=(exchange.record(a_note()),))
        taking = desk.curator.note_import(paths.EVERYWHERE, now=NOW)

        report = notes.import_all([found], taking, lambda _done, _all: None)

        assert outcomes(report) == [("created", "")]
        assert desk.names() == [NAME, NAME]


class TestSeveral:
    def test_one_that_is_wrong_stops_no_other_and_is_named(self, desk: Desk) -> None:
        wrong = {**exchange.record(a_note()), "id": "No Slug"}

        report = bring(desk, a_note("One"), wrong, a_note("Two"), 7)  # type: ignore[arg-type]

        assert [one.done.outcome for one in report.taken] == [
            *("created", "failed", "created", "failed")
        ]
        assert [one.place for one in report.failed] == [
            "all.json: record 2: decision/No Slug",
            "all.json: record 4",
        ]
        assert report.failed[0].done.reason == 'id: "No Slug" is no id'
        assert "a-z, 0-9" in report.failed[0].done.fix

    def test_the_later_of_two_in_one_file_holds(self, desk: Desk) -> None:
        first, second = a_note(), a_note(now=LATER).changed(title="Other")

        assert brought(desk, first, second, first, second) == [
            ("created", ""),
            ("updated", ""),
            ("nothing", "newer here"),
            ("nothing", "as it is here"),
        ]

    def test_too_many_retire_the_oldest_wherever_they_are_from(self, desk: Desk) -> None:
        desk.set("categories.decision.max_notes", "2")
        bring(desk, a_note("Ours", now=NOON))
        made = [a_note(f"Theirs {n}", now=NOON + timedelta(hours=n - 1)) for n in range(3)]

        report = bring(desk, *made)

        assert [(one.outcome, one.id) for one in report.also] == [
            ("retired", "theirs-0"),
            ("retired", "ours"),
        ]
        assert report.also[0].reason == "more than 2 notes of this category"
        assert desk.names() == ["decision/theirs-1", "decision/theirs-2"]

    def test_one_that_was_too_many_is_said_to_be_that_when_it_comes_again(self, desk: Desk) -> None:
        desk.set("categories.decision.max_notes", "1")
        old = a_note("Old")
        bring(desk, old, a_note("New", now=LATER))
        desk.set("categories.decision.max_notes", "2")

        told = brought(desk, old)

        said = "retired here as one too many: recollect restore decision/old"
        assert told == [("nothing", said)]
        desk.restore("decision/old", now=NOW)
        assert desk.names() == ["decision/new", "decision/old"]

    def test_what_stopped_half_way_goes_on_when_it_is_run_again(self, desk: Desk) -> None:
        def stop(_done: int, _all: int) -> None:
            raise KeyboardInterrupt

        values = tuple(exchange.record(a_note(title)) for title in ("One", "Two"))
        found = RecordFile(file=Path("all.json"), values=values, is_list=True)
        with pytest.raises(KeyboardInterrupt):
            notes.import_all([found], desk.curator.note_import(desk.project, now=NOW), stop)
        assert desk.found("orders live in postgres") == ["decision/one"]

        assert brought(desk, *values) == [("nothing", "as it is here"), ("created", "")]


class TestAFolder:
    def test_of_another_category_than_the_record_says_is_a_mistake(self, desk: Desk) -> None:
        report = bring(desk, a_note(), folder="runbooks")

        (failed,) = report.failed
        assert 'category: "decision" is not the category' in failed.done.reason
        assert failed.done.fix == "Move the file to decisions/, or write runbook."
        assert desk.names() == []

    def test_says_nothing_about_a_list_of_records(self, desk: Desk) -> None:
        told = brought(desk, a_note(), a_note("Other", category="runbook"), folder="sessions")

        assert told == [("created", ""), ("created", "")]

    def test_or_file_that_is_a_link_is_said_to_be_left_alone(self, desk: Desk) -> None:
        found = RecordFile(file=Path("decisions"), linked=True)
        taking = desk.curator.note_import(desk.project, now=NOW)

        report = notes.import_all([found], taking, lambda _done, _all: None)

        assert outcomes(report) == [("nothing", records.LINKED)]


class TestWhatIsNotKept:
    TOKEN = "ghp_" + "a1B2" * 9

    def test_a_secret_anywhere_in_a_record(self, desk: Desk) -> None:
        token = self.TOKEN
        told = exchange.full_record(a_note(f"Use {token}"))
        told |= {
            "id": "a",
            "related_files": [f"{token}.txt"],
            "changes": [{"date": "2026-11-15T12:00:00Z", "summary": f"was {token}"}],
            "retired_reason": token,
            "evidence": {"files": {token: "ff"}},
            "content": {**told["content"], "rationale": [f"because {token}"]},  # type: ignore[dict-item]
        }

        assert brought(desk, told) == [("created", "")]
        assert token.encode() not in desk.everything()
        assert held(desk, "decision/a").title == "Use [secret:github-token]"

    def test_a_secret_with_something_unseen_in_it(self, desk: Desk) -> None:
        content = {"decision": self.TOKEN[:9] + "\x00" + self.TOKEN[9:]}

        brought(desk, {**exchange.record(a_note()), "content": {**told_content(), **content}})

        assert self.TOKEN.encode() not in desk.everything()

    def test_a_secret_that_is_an_id(self, desk: Desk) -> None:
        secret = "sk-" + "a1b2" * 8

        report = bring(desk, {**exchange.record(a_note()), "id": secret})

        assert [one.done.outcome for one in report.taken] == ["failed"]
        assert secret not in f"{report}"
        assert secret.encode() not in desk.everything()

    def test_a_private_block(self, desk: Desk) -> None:
        content = {**told_content(), "context": "Known. <private>4711</private>"}

        brought(desk, {**exchange.record(a_note()), "content": content})

        assert content_of(held(desk)).context == "Known."

    def test_a_number_that_no_file_can_hold(self, desk: Desk) -> None:
        ((outcome, reason),) = brought(desk, {**exchange.record(a_note()), "times_updated": 10**30})

        assert outcome == "failed"
        assert "times_updated" in reason


def told_content() -> dict[str, object]:
    return exchange.record(a_note())["content"]  # type: ignore[return-value]


@settings(max_examples=40)
@given(any_note())
def test_any_note_is_the_same_in_an_empty_home(note: Note) -> None:
    with tempfile.TemporaryDirectory() as folder:
        notebook = Notebook(FileNotes(Path(folder)))
        target = ImportTarget(
            notebook=notebook,
            rules=dict.fromkeys(CATEGORIES, Rules()),
            is_buried=lambda _: False,
            refresh=lambda: None,
        )
        told = json.dumps(exchange.full_record(note), ensure_ascii=False)
        arrived = exchange.read(records.decoded(told.encode()))

        with DryRun(target, now=NOON) as rehearsal:
            foretold = rehearsal.take(arrived)
        with NoteImport(target, now=NOON) as taking:
            done = taking.take(arrived)

        assert (done.outcome, foretold.outcome) == ("created", "created")
        assert [stored.note for stored in notebook.notes()] == [note]


def test_what_holds_no_secret_is_left_as_it_is(desk: Desk) -> None:
    one = exchange.read(exchange.record(a_note()))

    assert import_notes.redacted(one) is one
    assert desk.curator.listed([desk.project], NoteFilter()) == []
