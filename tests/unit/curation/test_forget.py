"""Forgetting: gone at once, back while that is possible, and erased without a trace."""

import gzip
import json
import os
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import paths
from recollect.curation.curator import NoteFilter
from recollect.curation.forget import Gone
from recollect.errors import RecollectError
from recollect.store.contract.search import IndexRow
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


def entry(desk: Desk, title: str) -> IndexRow:
    found = desk.app.inside.index.recent(desk.project, limit=99)
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
    (summary,) = (desk.app.inside.index.summary_of("s-1"),)
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
    assert desk.app.inside.index.summary_of("s-1") is None
    desk.app.forgetting.restore(desk.project, gone.id)

    assert desk.app.inside.index.summary_of("s-1")
    assert desk.app.forgetting.forgotten(desk.project) == []


def test_what_is_erased_leaves_no_trace_on_disk(desk: Desk) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")
    desk.app.inside.state.back_up(day="2026-11-15")
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
    again.project = again.app.projects.meet(str(desk.folder)).name

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
    (held,) = desk.curator.listed([desk.project], NoteFilter(categories=["decision"]))

    of_the_entry = desk.curator.look(entry(desk, SECRET), really=True)
    of_the_note = desk.curator.look(held, really=True)

    assert any(held.name in line for line in of_the_entry.also)
    assert any("recollect forget 2" in line for line in of_the_note.also)


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
    session = desk.app.sessions.last(desk.project)
    assert session
    desk.app.inside.state.sessions.save(replace(session, transcript=str(transcript)))

    told = desk.curator.look(entry(desk, SECRET), really=True)

    assert any(str(transcript) in place for place in told.beyond)
    assert traces(desk), "nothing was done yet"


@pytest.mark.parametrize("days", [29, 31])
def test_after_the_grace_it_is_erased_when_things_are_collected(desk: Desk, days: int) -> None:
    work(desk, f"feed the {SECRET} daily", "paint the fence")
    desk.curator.forget(entry(desk, SECRET), really=False, now=NOON)

    desk.curator.collect(desk.project, now=NOON + timedelta(days=days))

    assert bool(traces(desk)) == (days < 30)


class TestABrokenNoteThatWasForgotten:
    @pytest.fixture
    def file(self, desk: Desk) -> Path:
        """A note that was broken long ago, which was noticed then, and is forgotten at noon."""
        desk.remember(f"The {SECRET} is fed daily", "constraint")
        path = Path(desk.curator.find(f"the-{SECRET}", [desk.project]).location)
        path.write_text(path.read_text().replace("tags:", "tags: [", 1))
        desk.app.inside.notebook(desk.project).keep_hand_edits()
        for version in desk.home.rglob(".history/*/*/*.md"):
            os.utime(version, (0, 0))
        broken = desk.curator.look_up(f"the-{SECRET}", [desk.project])
        desk.curator.forget(broken, really=False, now=NOON)
        return path

    @pytest.mark.parametrize(("days", "archive"), [(29, "false"), (31, "true")])
    def test_stays_within_its_grace_or_if_nothing_retired_is_to_go(
        self, desk: Desk, file: Path, days: int, archive: str
    ) -> None:
        desk.set("delete.archive_retired", archive)

        assert desk.curator.collect(desk.project, now=NOON + timedelta(days=days)) == []

        assert [one.location for one in desk.curator.past(desk.project)] == [str(file)]

    def test_goes_after_it(self, desk: Desk, file: Path) -> None:
        desk.set("delete.archive_retired", "false")
        then = NOON + timedelta(days=31)

        assert [one.step for one in desk.curator.due(desk.project, now=then)] == ["erase"]
        (done,) = desk.curator.collect(desk.project, now=then)

        assert (done.outcome, done.id) == ("erased", f"constraint/{file.stem}")
        assert desk.curator.past(desk.project) == []

    def test_one_whose_file_was_deleted_by_hand_is_left_to_the_user(self, desk: Desk) -> None:
        desk.set("delete.archive_retired", "false")
        desk.remember("Deploys need the VPN", "constraint")
        Path(desk.curator.find("deploys", [desk.project]).location).unlink()

        assert desk.curator.collect(desk.project, now=NOON + timedelta(days=9999)) == []


def test_a_note_is_buried_before_anything_of_it_is_erased(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    work(desk, f"We decided on the {SECRET} because it eats fish.")
    (held,) = desk.curator.listed([desk.project], NoteFilter(categories=["decision"]))
    monkeypatch.setattr(shutil, "rmtree", refused)

    with pytest.raises(RecollectError, match="not all of it"):
        desk.curator.forget(held, really=True, now=NOON)

    Path(held.location).unlink()
    made_of = f"decision of turn {held.note.source.turn}"
    assert desk.app.forgetting.is_buried(desk.project, held.name)
    assert desk.app.forgetting.is_buried(desk.project, made_of)


def test_a_broken_note_that_is_erased_is_not_made_again_of_its_turn(desk: Desk) -> None:
    work(desk, f"We decided on the {SECRET} because it eats fish.")
    (held,) = desk.curator.listed([desk.project], NoteFilter(categories=["decision"]))
    Path(held.location).write_text("---\nbroken")
    broken = desk.curator.look_up(held.name, [desk.project])

    desk.curator.forget(broken, really=True, now=NOON)

    made_of = f"decision of turn {held.note.source.turn}"
    assert desk.app.forgetting.is_buried(desk.project, made_of)


def refused(folder: Path) -> None:
    raise PermissionError(13, "Permission denied", str(folder))


class TestWhatOtherNotesSayOfAnErasedOne:
    @pytest.fixture
    def old(self, desk: Desk) -> str:
        """A choice that another one with a telling name took the place of."""
        desk.remember("We use npm for packages because it ships with node")
        desk.remember(f"From now on use {SECRET} instead of npm because it is faster")
        return next(name for name in desk.names("archived"))

    def erase(self, desk: Desk, prefix: str) -> Gone:
        held = desk.curator.find(prefix, [desk.project])
        return desk.curator.forget(held, really=True, now=NOON)

    def test_goes_with_it_from_the_notes_and_their_versions(self, desk: Desk, old: str) -> None:
        assert traces(desk)

        self.erase(desk, f"use-{SECRET}")

        assert traces(desk) == []
        assert desk.curator.find(old, [desk.project]).note.superseded_by is None

    def test_the_note_that_it_had_replaced_waits_for_a_word(self, desk: Desk, old: str) -> None:
        told = self.erase(desk, f"use-{SECRET}")

        assert any("recollect review" in line for line in told.also)
        (item,) = desk.app.review(desk.project).items((desk.project,))
        assert (item.kind, item.held.name) == ("released", old)

    def test_goes_too_when_the_one_that_was_replaced_is_erased(self, desk: Desk) -> None:
        desk.remember(f"We use {SECRET} for packages because it ships with node")
        desk.remember("From now on use pnpm instead of " + SECRET)
        new = desk.curator.find("preference/use-pnpm", [desk.project])
        assert new.note.supersedes

        self.erase(desk, "decision/we-use")

        now = desk.curator.find(new.name, [desk.project]).note
        assert now.supersedes == ()
        assert not any("we-use" in (line.new_value or "") for line in now.changes)

    def test_a_doubt_about_it_is_settled(self, desk: Desk) -> None:
        desk.remember(f"Orders live in the {SECRET} database", "decision")
        desk.remember("Orders live in the SQLite database", "decision")
        assert desk.app.review(desk.project).items((desk.project,))

        self.erase(desk, f"orders-live-in-the-{SECRET}")

        assert traces(desk) == []
        assert desk.app.review(desk.project).items((desk.project,)) == []

    def test_the_versions_keep_their_times(self, desk: Desk, old: str) -> None:
        before = [one.at for one in desk.app.inside.notebook(desk.project).versions(old)]

        self.erase(desk, f"use-{SECRET}")

        after = [one.at for one in desk.app.inside.notebook(desk.project).versions(old)]
        assert after[: len(before) - 1] == before[:-1]

    def test_is_named_where_it_cannot_be_taken_out(self, desk: Desk, old: str) -> None:
        path = Path(desk.curator.find(old, [desk.project]).location)
        path.write_text(path.read_text().replace("tags:", "tags: [", 1))

        told = self.erase(desk, f"use-{SECRET}")

        assert any(str(path) in place for place in told.beyond)

    def test_what_a_person_wrote_about_it_stays(self, desk: Desk) -> None:
        desk.remember("Tea", "constraint")
        desk.remember("The kitchen closes when the tea is gone", "preference")

        self.erase(desk, "constraint/tea")

        held = desk.curator.find("the-kitchen", [desk.project])
        assert held.note.title == "The kitchen closes when the tea is gone"

    @pytest.mark.parametrize("place", [".history", ".history/decisions", "decisions"])
    def test_is_not_looked_for_behind_links(
        self, desk: Desk, old: str, place: str, tmp_path: Path
    ) -> None:
        folder = Path(paths.project(str(desk.home), desk.project), place)
        elsewhere = tmp_path / "elsewhere"
        folder.rename(elsewhere)
        before = {path: path.read_bytes() for path in elsewhere.rglob("*.md")}
        folder.symlink_to(elsewhere)
        (new,) = desk.curator.listed([desk.project], NoteFilter())
        Path(new.location).unlink()

        desk.app.inside.notebook(desk.project).remove_references(new.note.id)

        assert before == {path: path.read_bytes() for path in elsewhere.rglob("*.md")}
