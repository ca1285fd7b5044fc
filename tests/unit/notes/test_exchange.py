"""Notes as JSON records: the shape that other programs know, and which of two notes holds."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import NoteError
from recollect.notes import exchange, lifecycle, note_model
from recollect.notes.categories import CATEGORIES, Category
from tests.builders.notes import NOON, a_note, any_note, content_of, later

# The shared schema, as its own document has it: what is required, and what else there may be.
REQUIRED = {
    *("schema_version", "category", "id", "title", "created_at", "updated_at", "tags", "content")
}
OPTIONAL = {
    *("related_files", "confidence", "record_status", "changes", "times_updated"),
    *("retired_at", "retired_reason", "archived_at", "archived_reason"),
}
CONTENT = {
    "session_summary": (
        "goal outcome completed next_actions",
        "in_progress blockers key_changes",
    ),
    "decision": ("status context decision rationale", "alternatives consequences"),
    "runbook": ("trigger steps verification", "symptoms root_cause environment"),
    "constraint": ("kind rule impact severity active", "workarounds expires"),
    "tech_debt": (
        "status priority description reason_deferred",
        "impact suggested_fix acceptance_criteria",
    ),
    "preference": ("topic value reason strength", "examples"),
}


def sent(told: dict[str, object]) -> dict[str, Any]:
    """What arrives of *told* elsewhere."""
    arrived: dict[str, Any] = json.loads(json.dumps(told, ensure_ascii=False, allow_nan=False))
    return arrived


def recorded_content(note: note_model.Note) -> dict[str, object]:
    """What the record of *note* says."""
    content = exchange.record(note)["content"]
    assert isinstance(content, dict)
    return content


def incoming(note: note_model.Note, *, full: bool = True, **changes: Any) -> exchange.Incoming:
    told = exchange.full_record(note) if full else exchange.record(note)
    return exchange.read({**told, **changes})


def refused(**changes: Any) -> NoteError:
    with pytest.raises(NoteError) as caught:
        incoming(a_note(), **changes)
    return caught.value


def without_own(note: note_model.Note) -> note_model.Note:
    return note_model.check({name: each for name, each in note if name not in exchange.OWN})


class TestARecord:
    @given(any_note())
    def test_has_the_keys_of_the_shared_schema_and_no_others(self, note: note_model.Note) -> None:
        told = sent(exchange.record(note))

        assert REQUIRED <= {*told} <= REQUIRED | OPTIONAL
        required, optional = (set(names.split()) for names in CONTENT[note.category])
        assert required <= {*told["content"]} <= required | optional
        for change in told.get("changes", []):
            assert {"date", "summary"} <= {*change}
            assert {*change} <= {"date", "summary", "field", "old_value", "new_value"}

    @given(any_note())
    def test_has_no_key_without_a_value(self, note: note_model.Note) -> None:
        told: dict[str, Any] = exchange.record(note)
        tables = [told, told["content"], *told.get("changes", [])]

        assert [table for table in tables if None in table.values()] == []

    @given(any_note())
    def test_in_full_comes_back_as_the_same_note(self, note: note_model.Note) -> None:
        assert exchange.read(sent(exchange.full_record(note))).note == note

    @given(any_note())
    def test_comes_back_as_the_same_note_but_for_our_own_keys(self, note: note_model.Note) -> None:
        assert exchange.read(sent(exchange.record(note))).note == without_own(note)

    @pytest.mark.parametrize("category", CATEGORIES)
    def test_of_each_category_is_understood(self, category: Category) -> None:
        note = a_note(category=category)

        assert incoming(note, full=False).name == f"{category}/postgres-for-orders"
        assert incoming(note, full=False).note == note

    def test_in_full_says_also_that_there_is_nothing(self) -> None:
        told = exchange.full_record(a_note())

        assert (told["pinned"], told["superseded_by"], told["supersedes"]) == (False, None, [])


class TestReading:
    def test_a_time_without_a_zone_is_utc(self) -> None:
        changes = [{"date": "2026-11-15T12:00:00", "summary": "made"}]

        note = incoming(a_note(), created_at="2026-11-14", changes=changes).note

        assert note.created_at.isoformat() == "2026-11-14T00:00:00+00:00"
        assert note.changes[0].date == NOON

    def test_null_stands_for_what_is_not_there(self) -> None:
        content = {**recorded_content(a_note()), "consequences": None}

        note = incoming(a_note(), related_files=None, changes=None, content=content).note

        assert note == a_note()

    def test_of_many_tags_the_first_count_and_of_many_changes_the_latest(self) -> None:
        lines = [{"date": "2026-11-15T12:00:00Z", "summary": f"line {n}"} for n in range(60)]

        note = incoming(a_note(), tags=[f"T{n}" for n in range(20)], changes=lines).note

        assert note.tags == tuple(f"t{n}" for n in range(12))
        assert [line.summary for line in note.changes] == [f"line {n}" for n in range(10, 60)]

    def test_characters_that_move_the_cursor_are_left_out(self) -> None:
        content = {**recorded_content(a_note()), "decision": "Orders\x1b[2J\x00 live"}

        note = incoming(a_note(), title="Post\x07gres", content=content).note

        assert note.title == "Postgres"
        assert content_of(note).decision == "Orders[2J live"

    @pytest.mark.parametrize(
        ("changes", "said", "fix"),
        [
            ({"id": "../../etc/passwd"}, 'id: "../../etc/passwd" is no id', "a-z, 0-9"),
            ({"id": "Use Postgres"}, "is no id", "hyphens"),
            ({"id": "x" * 81}, "is no id", "at most 80"),
            ({"id": 7}, 'id: "7" is not text', "use text"),
            ({"id": None}, "id: missing", "Add id."),
            ({"category": "idea"}, '"idea" is not known', "'decision'"),
            ({"category": ["decision"]}, "is not known", "'decision'"),
            ({"schema_version": "2.0"}, '"2.0" is not known', "'1.0'"),
            ({"title": "\u200b"}, "title: empty", "Write something"),
            ({"title": ["x"]}, "is not text", "use text"),
            ({"created_at": "yesterday"}, "created_at: no time", "2026-11-15T13:32:07Z"),
            ({"updated_at": 1763208727}, "updated_at: no time", "2026-11-15T13:32:07Z"),
            ({"tags": []}, "tags: empty", "tags"),
            ({"tags": "orders"}, "is not a list", "use a list"),
            ({"tags": [1]}, "tags[1]", "use text"),
            ({"content": "Use Postgres"}, "is not a table", "use a table"),
            ({"content": {"status": "accepted"}}, "content.context: missing", "Add context."),
            ({"confidence": float("nan")}, 'confidence: "nan" is not', "use 1 or less"),
            ({"confidence": 1.5}, "is not 1 or less", "use 1 or less"),
            ({"times_updated": True}, "is not a whole number", "use a whole number"),
            ({"changes": [{"date": "2026-11-15T12:00:00Z"}]}, "changes[1].summary: missing", "Add"),
            ({"colour": "red"}, "colour: unknown", "Remove colour"),
        ],
        ids=str,
    )
    def test_what_is_wrong_is_said_with_the_field_and_what_to_do(
        self, changes: dict[str, object], said: str, fix: str
    ) -> None:
        error = refused(**changes)

        assert said in error.message
        assert fix in error.hint

    def test_a_record_of_5_mb_is_too_long(self) -> None:
        content = {**recorded_content(a_note()), "context": "x" * 5_000_000}

        error = refused(content=content)

        assert error.message == "content.context: 5,000,000 characters, at most 20,000 fit"

    @pytest.mark.parametrize("value", [None, 1, "text", ["a"], float("nan")])
    def test_what_is_no_object_is_no_record(self, value: object) -> None:
        with pytest.raises(NoteError, match="not a record"):
            exchange.read(value)

    def test_depth_where_a_note_has_none_is_refused(self) -> None:
        deep: object = "x"
        for _ in range(500):
            deep = [deep]

        assert "related_files[1]" in refused(related_files=[deep]).message


class TestWhichOfTwoHolds:
    def test_the_same_changes_nothing_whoever_is_later(self) -> None:
        ours = a_note()

        for at in (NOON, later(days=-1), later(days=1)):
            assert exchange.why_not(ours, incoming(ours.changed(updated_at=at))) == "as it is here"

    def test_what_grew_here_is_still_the_same(self) -> None:
        theirs = a_note(related_files=["a.py"])
        ours = theirs.changed(related_files=("a.py", "b.py"), tags=("orders", "db"))

        assert exchange.why_not(ours, incoming(theirs)) == "as it is here"

    def test_keys_that_a_record_does_not_have_make_no_difference(self) -> None:
        ours = a_note(pinned=True, seen=4, source={"by": "agent"}, confidence=0.5)
        theirs = incoming(a_note(), full=False)

        assert exchange.why_not(ours, theirs) == "as it is here"

    def test_the_later_one_holds(self) -> None:
        ours = a_note()

        earlier = incoming(ours.changed(title="Other", updated_at=later(hours=-1)))
        newer = incoming(ours.changed(title="Other", updated_at=later(hours=1)))

        assert exchange.why_not(ours, earlier) == "newer here"
        assert exchange.why_not(ours, newer) == ""

    def test_of_two_that_were_changed_at_the_same_time_ours_stays(self) -> None:
        told = exchange.why_not(a_note(), incoming(a_note().changed(title="Other")))

        assert told == exchange.AT_THE_SAME_TIME


class TestTheLaterOne:
    def overtaken(
        self, ours: note_model.Note, theirs: note_model.Note, **more: bool
    ) -> note_model.Note:
        theirs = theirs.changed(updated_at=later(hours=1))
        return exchange.overtaken(ours, incoming(theirs, **more), now=later(days=1))

    def test_keeps_the_files_and_tags_that_were_here(self) -> None:
        ours = a_note(related_files=["a.py"], tags=["orders", "db"])

        note = self.overtaken(ours, a_note(related_files=["b.py"], tags=["sql", "db"]))

        assert note.related_files == ("a.py", "b.py")
        assert note.tags == ("orders", "db", "sql")

    def test_never_changes_when_the_note_was_made(self) -> None:
        theirs = a_note().changed(created_at=later(days=-9), title="Other")

        note = self.overtaken(a_note(), theirs)

        assert (note.created_at, note.title) == (NOON, "Other")
        assert note.updated_at == later(hours=1)

    def test_leaves_our_own_keys_alone_unless_it_has_them(self) -> None:
        ours = a_note(pinned=True, seen=4)
        theirs = a_note().changed(title="Other")

        assert self.overtaken(ours, theirs, full=False).pinned
        assert not self.overtaken(ours, theirs).pinned

    def test_brings_where_the_note_stands(self) -> None:
        retired = lifecycle.stepped(a_note(), "retire", now=later(minutes=5), reason="we left")

        note = self.overtaken(a_note(), retired, full=False)
        back = self.overtaken(note, a_note(), full=False)

        assert (note.record_status, note.retired_reason) == ("retired", "we left")
        assert (back.record_status, back.retired_at) == ("active", None)

    def test_has_the_log_of_both_and_what_the_import_changed(self) -> None:
        here = note_model.LoggedChange(date=later(minutes=2), summary="changed here")
        there = note_model.LoggedChange(date=later(minutes=1), summary="changed there")
        ours = a_note(changes=[here], times_updated=3)
        theirs = a_note(changes=[there], times_updated=1).changed(title="Other")

        note = self.overtaken(ours, theirs)

        assert [line.summary for line in note.changes] == [
            "changed there",
            "changed here",
            "imported",
        ]
        assert note.changes[-1].old_value == "Postgres for orders"
        assert note.times_updated == 4

    @given(st.data(), st.sampled_from(sorted(CATEGORIES)))
    def test_changes_nothing_when_it_comes_again(
        self, data: st.DataObject, category: Category
    ) -> None:
        ours = data.draw(any_note(category, "same"))
        theirs = incoming(data.draw(any_note(category, "same")))

        note = exchange.overtaken(ours, theirs, now=NOON)

        assert exchange.why_not(note, theirs) == "as it is here"
