"""Transcripts that try to write our memory, through the whole pipeline, with a model that obeys."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import tokens
from recollect.curation.curator import NoteFilter
from recollect.curation.review import Review
from recollect.journal.model import PROPOSED
from recollect.notes import note_model
from recollect.notes.categories import Category
from recollect.notes.lifecycle import DOUBTED
from recollect.notes.note_model import Note
from recollect.store.contract.state import Session
from recollect.transcripts.turns import CleanTurn
from tests.hostile import EXISTING, HONEST, HOSTILE, Honest, Hostile, a_retirement, the_id
from tests.modelled import Modelled, note

EVERY = NoteFilter(statuses=("active", "retired", "archived"))


# What a model made earlier, and the hostile ones want changed.
CONTENT: Mapping[Category, Mapping[str, object]] = {
    "decision": {
        "status": "accepted",
        "context": "The orders need partial indexes.",
        "decision": EXISTING["decision"],
        "rationale": ["partial indexes"],
    },
    "constraint": {
        "kind": "policy",
        "rule": EXISTING["constraint"],
        "impact": ["logs are kept for years"],
        "severity": "high",
        "active": True,
    },
    "runbook": {
        "trigger": EXISTING["runbook"],
        "steps": ["stop the worker", "import the orders again"],
        "verification": "the orders are there",
    },
    "tech_debt": {
        "status": "open",
        "priority": "low",
        "description": EXISTING["tech_debt"],
        "reason_deferred": "it is rare",
    },
}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Modelled]:
    """A shop with a note of each kind that a model made earlier."""
    shop = Modelled(tmp_path)
    now = datetime.now(UTC)
    project = shop.app.projects.meet(str(shop.folder)).name
    for category, content in CONTENT.items():
        note = note_model.new(
            category=category,
            title=EXISTING[category],
            content=content,
            now=now,
            source={"by": "model"},
        )
        shop.app.inside.notebook(project).create(note, now=now)
    yield shop
    shop.app.close()


def record(shop: Modelled, turns: Sequence[CleanTurn]) -> None:
    """Let *turns* be recorded as if a host had told of them."""
    session = Session(
        id=turns[0].session,
        host=turns[0].host,
        project=shop.project,
        cwd=str(shop.folder),
        transcript="",
        started=time.time(),
        last_seen=time.time(),
    )
    shop.app.inside.state.sessions.save(session)
    shop.app.pipeline._record(session, [CleanTurn(replace(turn, finished=True)) for turn in turns])


def held(shop: Modelled) -> dict[str, Note]:
    """The notes that are there, whatever became of them, but for summaries."""
    there = {one.name: one.note for one in shop.app.notes.listed([shop.project], EVERY)}
    return {name: note for name, note in there.items() if note.category != "session_summary"}


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
def test_it_makes_no_note_no_path_and_no_deletion(shop: Modelled, hostile: Hostile) -> None:
    record(shop, hostile.turns)
    before = held(shop)
    shop.engine.answers(hostile.obedient)
    shop.work_all()

    after = held(shop)
    for category in EXISTING:
        old = after[f"{category}/{the_id(category)}"]
        assert (old.record_status, old.times_updated, old.review) == ("active", 0, None)
    changed = [
        note
        for name, note in after.items()
        if before.get(name) != note and note.title not in hostile.honest
    ]
    if hostile.at_most == "none":
        assert changed == []
    assert all((note.review or "").startswith(PROPOSED) for note in changed)
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
    record(shop, hostile.turns)
    shop.work_all()

    # Each turn is sent by itself.
    assert len(shop.engine.asked) == len(hostile.turns)
    for asked in shop.engine.asked:
        for tag in ("session", "turn", "prompt", "answer"):
            assert asked.text.count(f"</{tag}>") == 1
        assert "<note" not in asked.text
        assert tokens.estimate(asked.instructions + asked.text) <= 6_000


@pytest.mark.parametrize("honest", HONEST, ids=lambda one: one.name)
def test_what_somebody_really_said_is_kept(shop: Modelled, honest: Honest) -> None:
    record(shop, [honest.turn])
    before = held(shop)
    shop.engine.answers(honest.answer)
    shop.work_all()

    after = held(shop)
    (note,) = [note for name, note in after.items() if before.get(name) != note]
    assert honest.text in f"{note.title}\n{note.content}"
    if honest.grounds == "user":
        assert note.review is None
    else:
        assert (note.review or "").startswith(PROPOSED)


def test_a_debt_that_the_user_calls_fixed_is_asked_about_and_stays(shop: Modelled) -> None:
    shop.turn("The race between retries in the uploader is fixed.", "Good, I will leave it then.")
    reason = "The race between retries in the uploader is fixed"
    shop.engine.answers(a_retirement(reason, of="tech_debt"))
    shop.work_all()

    debt = held(shop)[f"tech_debt/{the_id('tech_debt')}"]
    assert debt.record_status == "active"
    assert (debt.review or "").startswith(DOUBTED)


def test_what_waits_for_the_user_is_shown_to_no_agent(shop: Modelled) -> None:
    shop.turn("Which database for the carts?", "I would use Redis for the carts, it is fast.")
    shop.engine.answers(
        note(
            "decision",
            "Use Redis for the carts",
            decision="Use Redis for the carts",
            context="the carts",
            rationale=["it is fast"],
        )
    )
    shop.work_all()

    review: Review = shop.app.review(shop.project)
    (item,) = review.items((shop.project,))
    block = Path(shop.home, "run").glob("**/*")
    shown = "".join(one.read_text(errors="replace") for one in block if one.is_file())
    assert item.held.note.title == "Use Redis for the carts"
    assert "Use Redis for the carts" not in shown
