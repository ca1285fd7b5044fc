from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.notes import lifecycle
from recollect.notes.categories import Category
from recollect.notes.lifecycle import Rules, Step
from recollect.notes.note_model import Note
from tests.builders.notes import NOON, a_note, any_note, content_of, later


def in_status(status: str, **fields: Any) -> Note:
    note = a_note(**fields)
    by_status: dict[str, Step] = {"retired": "retire", "archived": "archive"}
    step = by_status.get(status)
    return lifecycle.stepped(note, step, now=NOON) if step else note


def steps(due: list[lifecycle.Due]) -> list[tuple[str, str]]:
    return [(each.note.id, each.step) for each in due]


def update(old: Note, **changes: Any) -> Note:
    by = changes.pop("by", "agent")
    return lifecycle.updated(old, old.changed(**changes), now=later(hours=1), by=by)


@pytest.mark.parametrize(
    ("step", "allowed"),
    [
        ("retire", {"active"}),
        ("restore", {"retired"}),
        ("archive", {"active", "retired"}),
        ("unarchive", {"archived"}),
    ],
)
def test_a_step_is_taken_from_where_it_can_be(step: Step, allowed: set[str]) -> None:
    for status in ("active", "retired", "archived"):
        why = lifecycle.why_not(in_status(status), step)

        assert (why == "") is (status in allowed)
        assert why == "" or "postgres-for-orders is" in why


def test_a_retired_note_says_when_and_why() -> None:
    note = lifecycle.stepped(a_note(), "retire", now=later(days=1), reason="we moved on")

    assert (note.record_status, note.retired_at) == ("retired", later(days=1))
    assert note.retired_reason == "we moved on"
    (line,) = note.changes
    assert (line.field, line.old_value, line.new_value) == ("record_status", "active", "retired")


def test_a_restored_note_is_as_active_as_before() -> None:
    retired = in_status("retired")

    restored = lifecycle.stepped(retired, "restore", now=later(days=1))

    assert restored.active
    assert (restored.retired_at, restored.retired_reason) == (None, None)
    assert [line.new_value for line in restored.changes] == ["retired", "active"]


def test_an_archived_note_remembers_that_it_was_retired_until_it_is_taken_out() -> None:
    archived = lifecycle.stepped(in_status("retired"), "archive", now=later(days=31))

    assert archived.retired_at == NOON
    assert archived.archived_at == later(days=31)
    unarchived = lifecycle.stepped(archived, "unarchive", now=later(days=32))
    assert (unarchived.archived_at, unarchived.retired_at) == (None, None)
    assert unarchived.active


def test_a_long_reason_is_cut_to_fit() -> None:
    note = lifecycle.stepped(a_note(), "retire", now=NOON, reason="because " * 100)

    assert note.retired_reason
    assert len(note.retired_reason) <= 300
    assert note.retired_reason.endswith("…")


def test_superseding_links_both_ways_and_archives_the_old() -> None:
    old, new = a_note("MySQL for orders"), a_note()

    newer = lifecycle.superseding(new, old, now=later(hours=1))
    older = lifecycle.superseded(old, new, now=later(hours=1))

    assert newer.supersedes == (old.id,)
    assert (older.superseded_by, older.record_status) == (new.id, "archived")
    assert content_of(older).status == "superseded"
    assert older.archived_reason == f"superseded by {new.id}"


def test_what_is_released_is_superseded_by_nothing() -> None:
    old, new = a_note("MySQL for orders"), a_note()
    newer = lifecycle.superseding(new, old, now=NOON)
    older = lifecycle.superseded(old, new, now=NOON)

    assert lifecycle.releasing(newer, older, now=NOON).supersedes == ()
    released = lifecycle.released(older)
    assert (released.superseded_by, content_of(released).status) == (None, "accepted")


def test_a_note_cannot_be_superseded_in_a_circle_or_twice() -> None:
    one, two, three = a_note("One"), a_note("Two"), a_note("Three")
    superseded = lifecycle.superseded(one, two, now=NOON)

    assert "itself" in lifecycle.why_not_superseded(one, one)
    assert "archived" in lifecycle.why_not_superseded(superseded, two)
    assert "already" in lifecycle.why_not_superseded(three, superseded)
    assert lifecycle.why_not_superseded(two, superseded) == ""


def test_an_update_writes_the_log_field_by_field() -> None:
    old = a_note()

    new = update(old, title="CockroachDB", content=dict(old.content) | {"rationale": ["scale"]})

    assert [(line.field, line.old_value, line.new_value) for line in new.changes] == [
        ("title", "Postgres for orders", "CockroachDB"),
        ("rationale", "partial indexes; the team knows it", "scale"),
    ]
    assert (new.times_updated, new.updated_at) == (1, later(hours=1))
    assert new.created_at == old.created_at


def test_an_update_that_changes_nothing_is_the_same_note() -> None:
    old = a_note()

    assert update(old) is old
    assert update(old, updated_at=later(days=9)) is old


def test_being_said_again_is_no_line_in_the_log() -> None:
    new = update(a_note(), seen=3)

    assert (new.seen, new.changes, new.times_updated) == (3, (), 0)
    assert new.updated_at == later(hours=1)


def test_the_log_keeps_the_latest_fifty_lines() -> None:
    note = a_note()
    for number in range(60):
        note = update(note, title=f"Title {number}")

    assert len(note.changes) == 50
    assert note.changes[-1].new_value == "Title 59"
    assert note.times_updated == 60


@pytest.mark.parametrize(
    "change",
    [{"id": "x"}, {"category": "constraint"}, {"created_at": later(days=1)}],
)
def test_what_is_fixed_stays_fixed(change: dict[str, object]) -> None:
    old = a_note()
    new = old.model_copy(update=change)

    assert f"{next(iter(change))} cannot change" in lifecycle.why_not_updated(old, new)


def test_where_a_note_stands_is_changed_by_steps_alone() -> None:
    old = a_note()

    assert "only retire" in lifecycle.why_not_updated(old, old.changed(record_status="retired"))
    assert lifecycle.why_not_updated(old, old.changed(title="New")) == ""


def test_related_files_only_grow() -> None:
    old = a_note(related_files=["a.py", "b.py"])

    assert update(old, related_files=["c.py"]).related_files == ("a.py", "b.py", "c.py")


def test_an_agent_adds_tags_behind_those_that_are_there() -> None:
    old = a_note(tags=["mine"])

    assert update(old, tags=["theirs"]).tags == ("mine", "theirs")
    assert update(old, tags=["theirs"], by="user").tags == ("theirs",)


def test_twelve_tags_are_kept_and_the_first_ones_win() -> None:
    merged = lifecycle.merged_tags([f"mine-{n}" for n in range(10)], ["A", "B", "C"])

    assert len(merged) == 12
    assert merged[-2:] == ("a", "b")


@given(st.data())
def test_any_update_keeps_what_is_fixed_and_fits_the_models(data: st.DataObject) -> None:
    old = data.draw(any_note("decision", "same"))
    new = data.draw(any_note("decision", "same"))
    standing = {name: getattr(old, name) for name in (*lifecycle.FIXED, *lifecycle.STANDING)}

    made = lifecycle.updated(old, new.changed(**standing), now=later(days=1))

    assert lifecycle.why_not_updated(old, made) == ""
    assert set(old.related_files) <= set(made.related_files)
    assert set(old.tags) <= set(made.tags)
    assert made.content == new.content


def test_a_version_is_brought_back_to_where_the_note_stands() -> None:
    first = a_note(tags=["old"])
    current = lifecycle.stepped(update(first, title="New", pinned=True), "retire", now=NOON)

    back = lifecycle.reverted(first, current, number=1, now=later(days=1))

    assert (back.title, back.tags, back.pinned) == ("Postgres for orders", ("old",), True)
    assert back.record_status == "retired"
    assert back.changes[-1].summary == "version 1 brought back"


def test_a_snapshot_is_refreshed_without_a_log() -> None:
    old = a_note("Session", category="session_summary")
    new = a_note("Session, later", category="session_summary", content={"outcome": "blocked"})

    refreshed = lifecycle.refreshed(old, new, now=later(hours=1))

    assert (refreshed.title, content_of(refreshed).outcome) == ("Session, later", "blocked")
    assert (refreshed.id, refreshed.changes) == (old.id, ())
    assert lifecycle.refreshed(old, old, now=later(hours=1)) is old


def test_nothing_is_due_by_default() -> None:
    kept = [a_note(f"Note {n}") for n in range(100)]

    assert lifecycle.due(kept, {}, now=later(days=5000)) == []


@pytest.mark.parametrize(("archive", "step"), [(True, "archive"), (False, "delete")])
def test_a_retired_note_past_its_grace_is_archived_or_deleted(archive: bool, step: str) -> None:
    retired = in_status("retired")
    rules: dict[Category, Rules] = {"decision": Rules(archive_retired=archive)}

    assert lifecycle.due([retired], rules, now=later(days=29)) == []
    (due,) = lifecycle.due([retired], rules, now=later(days=30))
    assert (due.step, due.reason) == (step, "retired more than 30 days ago")


def test_a_note_retired_by_hand_counts_from_its_last_update() -> None:
    by_hand = a_note().changed(record_status="retired")

    assert steps(lifecycle.due([by_hand], {}, now=later(days=30))) == [(by_hand.id, "archive")]


def test_what_was_not_updated_for_long_is_retired_unless_pinned() -> None:
    old, pinned = a_note("Old"), a_note("Pinned", pinned=True)
    fresh = a_note("Fresh", now=later(days=89))
    rules: dict[Category, Rules] = {"decision": Rules(retention_days=90)}

    due = lifecycle.due([old, pinned, fresh], rules, now=later(days=90))

    assert steps(due) == [("old", "retire")]
    assert due[0].reason == "not updated for 90 days"


def test_of_too_many_notes_the_least_often_met_again_and_then_the_oldest_go() -> None:
    kept = [
        a_note("Old and met again", seen=7),
        a_note("Older", now=later(days=-9)),
        a_note("Pinned", now=later(days=-99), pinned=True),
        a_note("Said again", now=later(days=-50), seen=2),
        a_note("New", now=later(days=1)),
    ]
    rules: dict[Category, Rules] = {"decision": Rules(max_notes=3)}

    due = lifecycle.due(kept, rules, now=later(days=2))

    assert steps(due) == [("older", "retire"), ("new", "retire")]
    assert due[0].reason == "more than 3 notes of this category"


def test_retired_and_archived_notes_do_not_count() -> None:
    kept = [in_status("retired", title="R"), in_status("archived", title="A"), a_note("One")]

    assert lifecycle.due(kept, {"decision": Rules(max_notes=1)}, now=NOON) == []


def test_of_a_window_the_latest_stay_however_often_others_were_met() -> None:
    rules: dict[Category, Rules] = {"session_summary": Rules(max_retained=5)}
    kept = [
        a_note(f"Session {n}", category="session_summary", now=later(hours=n), seen=9 - n)
        for n in range(7)
    ]

    due = lifecycle.due(kept, rules, now=later(days=1))

    assert steps(due) == [("session-0", "retire"), ("session-1", "retire")]


def test_a_limit_of_nought_is_no_limit() -> None:
    kept = [a_note(f"S {n}", category="session_summary") for n in range(9)]
    rules: dict[Category, Rules] = {"session_summary": Rules(max_notes=0, max_retained=0)}

    assert lifecycle.due(kept, rules, now=later(days=1)) == []


def test_the_note_that_was_just_made_is_spared() -> None:
    kept = [a_note("Old", seen=3), a_note("New")]

    due = lifecycle.overflow(kept, Rules(max_notes=1), spare="new")

    assert steps(due) == [("old", "retire")]


def test_what_is_only_proposed_neither_counts_nor_pushes_anything_out() -> None:
    held = [a_note("One"), a_note("Two")]
    proposed = [a_note(f"Maybe {n}", review="proposed") for n in range(2)]

    for rules in (Rules(max_notes=2), Rules(max_retained=2)):
        assert lifecycle.overflow([*held, *proposed], rules) == []


def test_of_too_many_proposals_the_oldest_go_however_often_they_were_met() -> None:
    proposed = [
        a_note(f"Maybe {n}", now=later(hours=n), seen=3 - n, review="proposed") for n in range(3)
    ]

    due = lifecycle.overflow([a_note("Held"), *proposed], Rules(max_notes=2))

    assert steps(due) == [("maybe-0", "retire")]
    assert due[0].reason == "more than 2 proposals of this category"


def test_there_is_no_room_for_what_is_older_than_all_that_it_would_push_out() -> None:
    kept = [a_note("One"), a_note("Two", now=later(hours=1))]
    old = a_note("Old", now=later(days=-30))

    for rules in (Rules(max_notes=2), Rules(max_retained=2)):
        assert "more than 2 notes" in lifecycle.no_room(old, kept, rules)
        assert lifecycle.no_room(a_note("New", now=later(days=1)), kept, rules) == ""
        assert lifecycle.no_room(old.changed(pinned=True), kept, rules) == ""
        assert lifecycle.no_room(old.changed(review="proposed"), kept, rules) == ""
    assert lifecycle.no_room(old, kept, Rules(max_notes=3)) == ""


@pytest.mark.parametrize(
    ("hours", "is_refused"), [(0, True), (23.9, True), (24, False), (1000, False), (-1, True)]
)
def test_what_was_retired_in_the_last_day_is_not_made_anew(hours: float, is_refused: bool) -> None:
    now = later(hours=2000)
    retired = in_status("retired").changed(retired_at=now - timedelta(hours=hours))
    note = a_note(now=now + timedelta(hours=2))

    why = lifecycle.why_not_new(note, [retired], Rules(), now=now)

    assert bool(why) is is_refused
    if is_refused:
        assert f"{note.id} was retired in the last 24 hours: restore it, or choose" in why


def test_a_category_that_is_off_gets_no_note() -> None:
    why = lifecycle.why_not_new(a_note(), [], Rules(enabled=False), now=NOON)

    assert why == "the category decision is off (categories.decision.enabled)"
    assert lifecycle.why_not_new(a_note(), [], Rules(), now=NOON) == ""
