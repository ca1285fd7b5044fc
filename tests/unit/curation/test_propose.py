"""Notes that nobody asked for: made of a turn's own words, or not at all."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from recollect.curation.curator import NoteFilter
from recollect.notes import draft
from recollect.store.contract.notes import StoredNote
from recollect.transcripts import events
from tests.builders.notes import content_of
from tests.unit.curation.conftest import NOON, Desk

DECIDED = "We decided on Postgres because it has partial indexes."


class Talk:
    """A session, as hooks tell of it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.minutes = 0
        self.session = "s-1"

    def event(self, name: str, **more: object) -> None:
        self.minutes += 1
        payload = {"session_id": self.session, "cwd": str(self.desk.folder), **more}
        at = NOON + timedelta(minutes=self.minutes)
        self.desk.app.intake.arrive(events.parse(json.dumps(payload).encode(), name=name, at=at))

    def turn(self, prompt: str, answer: str = "Done.", *tools: str) -> None:
        key = f"p-{self.minutes}"
        self.event("UserPromptSubmit", prompt=prompt, prompt_id=key)
        for number, tool in enumerate(tools):
            self.event(
                "PostToolUse",
                tool_name=tool,
                tool_use_id=f"{key}-{number}",
                tool_input={"file_path": str(self.desk.folder / "a.py"), "command": "make"},
                tool_response={"stdout": "ok"},
            )
        self.event("Stop", last_assistant_message=answer, prompt_id=key)

    def notes(self) -> list[StoredNote]:
        return self.desk.curator.listed([self.desk.project], NoteFilter())


@pytest.fixture
def talk(desk: Desk) -> Talk:
    return Talk(desk)


def test_one_explicit_statement_of_the_user_is_enough(talk: Talk) -> None:
    talk.turn(DECIDED)

    (held,) = talk.notes()
    assert held.note.category == "decision"
    assert content_of(held.note).rationale == ("it has partial indexes.",)
    assert held.note.source.by == "extractive"
    assert held.note.source.session == "s-1"


@pytest.mark.parametrize(
    "prompt",
    [
        "Should we use Postgres?",
        "We haven't decided on a database yet.",
        "If we used Postgres we could have partial indexes.",
        "fix the failing test",
        "Use port 8081 for this run.",
        f"<recollect-memory>\n{DECIDED}\n</recollect-memory>\nrun the tests",
        "```\nWe decided on Postgres because it has partial indexes.\n```\nwhat is this?",
    ],
)
def test_what_is_asked_doubted_pasted_or_done_once_makes_no_note(talk: Talk, prompt: str) -> None:
    talk.turn(prompt, "0 failed, the solution builds.")

    assert talk.notes() == []


def test_what_only_the_agent_said_of_a_choice_waits_for_the_user(talk: Talk) -> None:
    talk.turn("look into the database", f"I looked into it. {DECIDED}")

    held = talk.notes()
    assert [one.note.review for one in held] == ["proposed"]
    assert talk.desk.found("Postgres partial indexes decided") != [one.name for one in held]


def test_what_stands_in_a_long_message_waits_for_the_user(talk: Talk) -> None:
    around = "The page shows orders. It has a table. The table has rows. Each row has a link."
    talk.turn(f"{around} {DECIDED} {around}", "Noted.")

    assert {one.note.review for one in talk.notes()} == {"proposed"}


def test_what_is_taken_back_in_the_next_prompt_holds_no_longer(talk: Talk) -> None:
    talk.turn("From now on always use pnpm instead of npm.", "Okay.")
    talk.turn(DECIDED, "Okay.")
    assert len(talk.notes()) == 2

    talk.turn("ugh, right. scrap that, I need to think", "Sure.")

    (held,) = talk.notes()
    assert "pnpm" in held.note.title


def test_an_answer_is_understood_with_what_was_asked_in_the_turn_before(talk: Talk) -> None:
    talk.turn(
        "where should the images go?", "Either keep them on disk or put them in the database."
    )
    talk.turn("Keep them on disk, the database is too slow for that.", "Okay.")

    assert [one.note.category for one in talk.notes()] == ["decision"]


def test_the_same_turn_read_twice_makes_one_note_that_counts_once(talk: Talk) -> None:
    talk.turn(DECIDED)
    talk.desk.app.intake.catch_up("s-1", unfinished=True)
    talk.event("SessionEnd", reason="exit")

    (held,) = talk.notes()
    assert held.note.seen == 0


def test_auto_capture_off_means_none_unasked(talk: Talk) -> None:
    talk.desk.set("categories.decision.auto_capture", "false")

    talk.turn(DECIDED)

    assert talk.notes() == []
    assert talk.desk.remember(DECIDED, "decision").outcome == "created"


def test_a_threshold_says_how_sure_we_must_be(talk: Talk) -> None:
    talk.desk.set("triage.thresholds.decision", "1")

    talk.turn(DECIDED)

    assert talk.notes() == []


def test_only_the_last_messages_are_looked_at(talk: Talk) -> None:
    talk.desk.set("triage.max_messages", "1")

    talk.turn(DECIDED, "All right, thanks.")

    assert talk.notes() == []


class TestASession:
    def work(self, talk: Talk) -> None:
        for number in range(4):
            talk.turn(f"Change part {number} of the parser", "Changed it.", "Edit", "Bash", "Read")

    def test_in_which_much_was_done_is_kept_as_a_note_and_refreshed(self, talk: Talk) -> None:
        self.work(talk)
        self.work(talk)

        (held,) = talk.notes()
        assert held.note.category == "session_summary"
        assert held.note.source.session == "s-1"

    def test_read_from_an_old_transcript_pushes_out_no_newer_one(self, talk: Talk) -> None:
        talk.desk.set("categories.session_summary.max_retained", "1")
        self.work(talk)
        (newer,) = talk.notes()

        talk.session, talk.minutes = "s-0", -90_000
        self.work(talk)

        assert [held.note for held in talk.notes()] == [newer.note]

    def test_retires_the_one_before_as_of_today(self, talk: Talk) -> None:
        talk.desk.set("categories.session_summary.max_retained", "1")
        talk.minutes = -90_000
        self.work(talk)
        begun = datetime.now(UTC).replace(microsecond=0)

        talk.session = "s-2"
        self.work(talk)

        (retired,) = talk.desk.curator.listed(
            [talk.desk.project], NoteFilter(statuses=("retired",))
        )
        assert retired.note.source.session == "s-1"
        assert retired.note.retired_at is not None
        assert retired.note.retired_at >= begun

    def test_in_which_little_was_done_is_not(self, talk: Talk) -> None:
        talk.turn("What does the parser do?", "It parses.")

        assert talk.notes() == []

    def test_is_not_kept_where_that_is_off(self, talk: Talk) -> None:
        talk.desk.set("categories.session_summary.auto_capture", "false")

        self.work(talk)

        assert talk.notes() == []


def test_what_nobody_sees_is_not_taken_over(talk: Talk) -> None:
    hidden = "\u202e\u2066\u200b\U000e0041\x1b"

    talk.turn(f"We decided on Postgres because it has{hidden} partial indexes.")

    (held,) = talk.notes()
    assert not set(hidden) & set(held.text)


def test_tags_are_words_and_files_are_named_elsewhere(talk: Talk) -> None:
    talk.turn("We decided to keep orders in src/orders/db.py because schema.sql is generated.")

    (held,) = talk.notes()
    assert held.note.tags
    assert not [tag for tag in held.note.tags if "/" in tag or "." in tag]


class TestAnErasedNote:
    def erase(self, talk: Talk) -> None:
        for held in talk.notes():
            talk.desk.curator.forget(held, really=True, now=NOON)

    def test_is_not_made_again_of_the_same_turn_in_whatever_words(self, talk: Talk) -> None:
        talk.turn(DECIDED)
        (held,) = talk.notes()
        self.erase(talk)
        made = draft.from_sentence("decision", "Orders go to Postgres, for its partial indexes")
        source = held.note.source.model_dump()

        done = talk.desk.curator.keep(made, project=talk.desk.project, now=NOON, source=source)

        assert done.outcome == "nothing"
        assert talk.notes() == []

    def test_is_not_made_again_of_the_same_session(self, talk: Talk) -> None:
        TestASession().work(talk)
        self.erase(talk)

        TestASession().work(talk)

        assert talk.notes() == []

    def test_is_made_when_it_is_said_anew(self, talk: Talk) -> None:
        talk.turn(DECIDED)
        self.erase(talk)

        talk.turn("We decided on Postgres for the orders because the team knows it.")

        assert len(talk.notes()) == 1

    def test_leaves_nothing_behind_that_tells_what_it_was(self, talk: Talk) -> None:
        talk.turn(DECIDED)
        self.erase(talk)

        tombstones = next(talk.desk.home.rglob("tombstones")).read_text()
        assert all(len(line) == 12 for line in tombstones.split())
