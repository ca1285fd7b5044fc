"""Transcripts that try to write our memory, through the whole pipeline, with a model that obeys."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import tokens
from recollect.curation.curator import Wanted
from recollect.curation.review import Review
from recollect.memories import notes
from recollect.state import sessions
from recollect.state.sessions import Session
from recollect.transcripts.turns import CleanTurn
from tests.hostile import EXISTING_NOTE, HONEST, HOSTILE, Honest, Hostile
from tests.modelled import Modelled

EVERY = Wanted(statuses=("active", "retired", "archived"))


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Modelled]:
    """A shop with a decision that a model made earlier, which the hostile ones want changed."""
    shop = Modelled(tmp_path)
    now = datetime.now(UTC)
    project = shop.app.meet(str(shop.folder)).name
    shop.app.notebook(project).create(
        notes.new(
            category="decision",
            title="Use Postgres for orders",
            content={
                "status": "accepted",
                "context": "The orders need partial indexes.",
                "decision": "Use Postgres for orders",
                "rationale": ["partial indexes"],
            },
            now=now,
            source={"by": "model"},
        ),
        now=now,
    )
    yield shop
    shop.app.close()


def record(shop: Modelled, case: Hostile | Honest) -> None:
    """Let the turn of *case* be recorded as if a host had told of it."""
    session = Session(
        id=case.turn.session,
        host=case.turn.host,
        project=shop.project,
        cwd=str(shop.folder),
        transcript="",
        started=time.time(),
        last_seen=time.time(),
    )
    sessions.save(shop.app.state, session)
    shop.app._recorder.record(session, [CleanTurn(replace(case.turn, finished=True))])


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_it_makes_no_note_no_path_and_no_deletion(shop: Modelled, hostile: Hostile) -> None:
    record(shop, hostile)
    made_without_a_model = {held.name for held in shop.app.curator.listed([shop.project], EVERY)}
    shop.engine.answers(hostile.obedient)
    shop.work_all()

    held = {one.name: one.note for one in shop.app.curator.listed([shop.project], EVERY)}
    old = held[f"decision/{EXISTING_NOTE}"]
    assert (old.record_status, old.times_updated, old.review) == ("active", 0, None)
    assert set(held) <= made_without_a_model | {
        name for name, note in held.items() if note.category == "session_summary"
    }
    files = [
        name
        for entry in shop.entries(hostile.turn.session)
        for one in entry.observations
        for name in (*one.files_modified, *one.files_read)
    ]
    assert not [name for name in files for word in hostile.forbidden if word in name]
    assert not [word for word in hostile.invented if word in shop.journal()]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_it_cannot_leave_its_place_in_what_is_sent(shop: Modelled, hostile: Hostile) -> None:
    record(shop, hostile)
    shop.work_all()

    (asked,) = shop.engine.asked
    for tag in ("session", "turn", "prompt", "answer"):
        assert asked.text.count(f"</{tag}>") == 1
    assert "<note" not in asked.text
    assert "<observation" not in asked.text
    assert tokens.estimate(asked.instructions + asked.text) <= 6_000


@pytest.mark.parametrize("honest", HONEST, ids=lambda one: one.name)
def test_what_somebody_really_said_is_kept(shop: Modelled, honest: Honest) -> None:
    record(shop, honest)
    before = {held.name: held.note for held in shop.app.curator.listed([shop.project], EVERY)}
    shop.engine.answers(honest.answer)
    shop.work_all()

    after = {held.name: held.note for held in shop.app.curator.listed([shop.project], EVERY)}
    assert after != before


def test_what_waits_for_the_user_is_shown_to_no_agent(shop: Modelled) -> None:
    shop.turn("Which database for the carts?", "I would use Redis for the carts, it is fast.")
    shop.engine.answers(
        '<note turn="1" category="decision" confidence="0.9"><title>Use Redis for the carts</title>'
        "<decision>Use Redis for the carts</decision><context>the carts</context>"
        "<rationale><item>it is fast</item></rationale></note>"
    )
    shop.work_all()

    review: Review = shop.app.review(shop.project)
    (item,) = review.items((shop.project,))
    block = Path(shop.home, "run").glob("**/*")
    shown = "".join(one.read_text(errors="replace") for one in block if one.is_file())
    assert item.held.note.title == "Use Redis for the carts"
    assert "Use Redis for the carts" not in shown
