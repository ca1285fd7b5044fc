"""Forgetting: gone at once, back while that is possible, and erased without a trace."""

import gzip
import json
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import paths
from recollect.curation.curator import Wanted
from recollect.index.database import Indexed
from recollect.transcripts import events
from tests.unit.curation.conftest import NOON, Desk

SECRET = "walrus"


def work(desk: Desk, *prompts: str, session: str = "s-1") -> None:
    """A session of one turn for each of *prompts*, as hooks tell of it."""
    for number, prompt in enumerate(prompts):
        for name, more in (
            ("UserPromptSubmit", {"prompt": prompt}),
            ("Stop", {"last_assistant_message": f"Looked into the matter of the {prompt}."}),
        ):
            payload = {
                "session_id": session,
                "cwd": str(desk.folder),
                "prompt_id": f"{session}-p{number}",
                **more,
            }
            raw = json.dumps(payload).encode()
            at = NOON + timedelta(minutes=number)
            desk.app.intake.arrive(events.parse(raw, name=name, at=at))


def entry(desk: Desk, title: str) -> Indexed:
    found = desk.app.index.recent(desk.project, limit=99)
    return next(one for one in found if title in one.title)


def traces(desk: Desk) -> list[str]:
    """The files on disk that still have the word."""
    found = []
    for path in desk.home.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if path.suffix == ".gz":
                content = gzip.decompress(content)
            if SECRET.encode() in content.lower():
                found.append(path.name)
    return found


def test_a_memory_that_was_forgotten_is_neither_found_nor_shown(desk: Desk) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")

    desk.curator.forget(entry(desk, SECRET), really=False, now=NOON)

    assert desk.found(f"feed {SECRET} daily") == []
    (summary,) = (desk.app.index.summary_of("s-1"),)
    assert summary
    assert SECRET not in summary.body
    assert SECRET not in Path(paths.start_block(str(desk.home), desk.project)).read_text()


def test_and_comes_back_whole(desk: Desk) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")
    gone = entry(desk, SECRET)
    desk.curator.forget(gone, really=False, now=NOON)

    desk.app.forgetting.restore(desk.project, gone.id)

    assert desk.found(f"feed {SECRET} daily") == [gone.id]


def test_the_last_entry_of_a_session_takes_the_summary_with_it_and_brings_it_back(
    desk: Desk,
) -> None:
    work(desk, f"feed the {SECRET} daily")
    gone = entry(desk, SECRET)

    desk.curator.forget(gone, really=False, now=NOON)
    assert desk.app.index.summary_of("s-1") is None
    desk.app.forgetting.restore(desk.project, gone.id)

    assert desk.app.index.summary_of("s-1")
    assert desk.app.forgetting.forgotten(desk.project) == []


def test_what_is_erased_leaves_no_trace_on_disk(desk: Desk) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")
    desk.app.state.back_up(str(desk.home), day="2026-11-15")
    assert traces(desk)

    told = desk.curator.forget(entry(desk, SECRET), really=True, now=NOON)

    assert told.erased
    assert traces(desk) == []
    assert desk.found("paint fence")


def test_what_was_erased_is_not_brought_back_by_its_transcript(desk: Desk) -> None:
    work(desk, f"feed the {SECRET} daily")
    desk.curator.forget(entry(desk, SECRET), really=True, now=NOON)
    desk.app.close()
    for file in ("state.db", "state.db-wal", "state.db-shm"):
        (desk.home / file).unlink(missing_ok=True)
    again = Desk.__new__(Desk)
    again.folder, again.home = desk.folder, desk.home
    again.app = type(desk.app)(str(desk.home))
    again.project = again.app.meet(str(desk.folder)).name

    work(again, f"feed the {SECRET} daily")

    assert again.found(f"feed {SECRET} daily") == []
    desk.app = again.app


def test_the_note_of_a_session_does_not_keep_what_was_erased(desk: Desk) -> None:
    desk.set("triage.thresholds.session_summary", "0")
    work(desk, f"rename the {SECRET} in the parser", "paint the fence", "mow the lawn")

    desk.curator.forget(entry(desk, SECRET), really=True, now=NOON)

    assert traces(desk) == []


def test_a_note_and_the_turn_it_was_made_of_name_each_other(desk: Desk) -> None:
    work(desk, f"We decided on the {SECRET} because it eats fish.")
    (held,) = desk.curator.listed([desk.project], Wanted(categories=["decision"]))

    of_the_entry = desk.curator.look(entry(desk, SECRET), really=True)
    of_the_note = desk.curator.look(held, really=True)

    assert any(held.name in place for place in of_the_entry.beyond)
    assert any("the turn" in place for place in of_the_note.beyond)


def test_a_note_is_retired_and_erased_with_its_history(desk: Desk) -> None:
    desk.remember(f"The {SECRET} is fed daily", "constraint")
    held = desk.curator.find(f"the-{SECRET}", among=[desk.project])

    desk.curator.forget(held, really=False, now=NOON)
    assert desk.names("retired") == [held.name]
    assert desk.found(f"{SECRET} fed daily") == []
    held = desk.curator.find(f"the-{SECRET}", among=[desk.project])
    desk.curator.forget(held, really=True, now=NOON)

    assert traces(desk) == []


def test_what_is_not_ours_to_delete_is_named(desk: Desk, tmp_path: Path) -> None:
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("")
    work(desk, f"feed the {SECRET} daily")
    session = desk.app.last_session(desk.project)
    assert session
    desk.app.state.run(
        "save_session",
        **{f: getattr(session, f) for f in session.__slots__} | {"transcript": str(transcript)},
    )

    told = desk.curator.look(entry(desk, SECRET), really=True)

    assert any(str(transcript) in place for place in told.beyond)
    assert traces(desk), "nothing was done yet"


@pytest.mark.parametrize("days", [29, 31])
def test_after_the_grace_it_is_erased_when_things_are_collected(desk: Desk, days: int) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")
    desk.curator.forget(entry(desk, SECRET), really=False, now=NOON)

    desk.curator.collect(desk.project, now=NOON + timedelta(days=days))

    assert bool(traces(desk)) == (days < 30)
