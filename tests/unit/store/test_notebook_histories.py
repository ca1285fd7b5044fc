"""Whatever happens to a note, in whatever order, and whoever dies: no text of it is lost."""

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    invariant,
    multiple,
    precondition,
    rule,
)

from recollect import files, ids
from recollect.notes.lifecycle import Rules, Step
from recollect.notes.note_model import Note
from recollect.store.contract.notes import ChangeResult, NoteKey, StoredNote
from recollect.store.files.notes import FileNotes
from recollect.store.notebook import Notebook
from tests.builders.notes import NOON, a_note, later, texts
from tests.narrowing import not_none

UPDATES = 1000

HAND_EDITS = (
    lambda text, word: f"{text}\n## Mine\n\n{word}\n",
    lambda text, word: text.replace("tags:", f"mine: {word}  # by hand\ntags:", 1),
    lambda text, word: text.replace("## Decision\n", f"## Decision\n\n{word}\n", 1),
    lambda _, word: f"# Anew\n\n{word}\n",
    lambda text, word: text.replace("\n", "\r\n") + word,
    lambda text, word: f"---\nbroken: [{word}\n---\n{text}",
)


class Notes(RuleBasedStateMachine):
    """A notebook, a person with an editor, and what must be found again."""

    names = Bundle("names")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=in_memory()))
        self.notebook = Notebook(FileNotes(self.folder))
        self.wanted: defaultdict[str, set[str]] = defaultdict(set)
        """The texts of each note that were there when we wrote."""
        self.hours = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def tick(self) -> datetime:
        self.hours += 30
        return later(hours=self.hours)

    def current(self, name: str) -> str | None:
        path = self.path(name)
        return files.read_text(path) if path.exists() else None

    def path(self, name: str) -> Path:
        return self.folder / "decisions" / f"{name}.md"

    def after(self, name: str, before: str | None, done: ChangeResult) -> None:
        """Remember what stood there, and that the outcome says what happened."""
        text = self.current(name)
        written = done.outcome not in ("nothing", "failed")
        assert written == (text != before), done
        if written:
            assert text is not None
            assert done.hash == ids.text_hash(text)
            self.wanted[name] |= {text} | ({before} if before is not None else set())
        else:
            assert done.reason

    @rule(target=names, text=texts, title=st.sampled_from(["One", "Two", "세 번째"]))
    def create(self, text: str, title: str) -> MultipleResults | str:
        note = a_note(title, content={"decision": text})
        done = self.notebook.create(note, now=self.tick())
        if done.outcome != "created":
            return multiple()
        self.wanted[done.id].add(not_none(self.current(done.id)))
        return done.id

    @rule(name=names, text=texts)
    def update(self, name: str, text: str) -> None:
        before = self.current(name)
        done = self.notebook.update(
            name,
            lambda note: note.changed(content=dict(note.content) | {"context": text}),
            now=self.tick(),
        )
        self.after(name, before, done)

    @rule(name=names, step=st.sampled_from(["retire", "restore", "archive", "unarchive"]))
    def step(self, name: str, step: Step) -> None:
        before = self.current(name)
        done = self.notebook.step(name, step, now=self.tick())
        self.after(name, before, done)

    @rule(new=names, old=names)
    def supersede(self, new: str, old: str) -> None:
        before = self.current(old)
        done = self.notebook.supersede(old, by=new, now=self.tick())
        self.after(old, before, done)
        for also in done.also:
            if also.outcome == "updated":
                self.wanted[also.id].add(not_none(self.current(also.id)))

    @rule(name=names, edit=st.sampled_from(HAND_EDITS), word=st.sampled_from(["spam", "eggs"]))
    def edit_by_hand(self, name: str, edit: Callable[[str, str], str], word: str) -> None:
        text = self.current(name)
        if text is not None:
            self.path(name).write_bytes(edit(text, word).encode(errors="surrogateescape"))

    @rule(name=names)
    def delete_by_hand(self, name: str) -> None:
        """What an editor wrote since our last look goes with the file; that is what it asks."""
        self.path(name).unlink(missing_ok=True)

    @rule(name=names, data=st.data())
    def revert_to(self, name: str, data: st.DataObject) -> None:
        numbers = [version.number for version in self.notebook.versions(name)]
        before = self.current(name)
        number = data.draw(st.sampled_from(numbers))
        done = self.notebook.revert_to(name, number, now=self.tick())
        self.after(name, before, done)

    @rule()
    def keep_hand_edits(self) -> None:
        for name in self.notebook.keep_hand_edits():
            self.wanted[name].add(not_none(self.current(name)))

    @rule()
    @precondition(lambda self: self.hours)
    def collect(self) -> None:
        before = {name: self.current(name) for name in self.wanted}
        for done in self.notebook.gc(now=self.tick(), rules={"decision": Rules(grace_days=3)}):
            self.after(done.id, before[done.id], done)

    @invariant()
    def every_version_is_reachable(self) -> None:
        for name, wanted in self.wanted.items():
            versions = self.notebook.versions(name)
            reached = {self.notebook.version(name, version.number) for version in versions}
            current = self.current(name)
            assert wanted <= reached
            assert current is None or current in reached
            assert [version.number for version in versions] == list(range(1, len(versions) + 1))


def in_memory() -> str | None:
    """A folder that needs no disk, where there is one: waiting for the disk proves nothing."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


TestNotes = Notes.TestCase
TestNotes.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


@pytest.fixture
def folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(dir=in_memory()))
    yield made
    shutil.rmtree(made)


def say_again(folder: Path, times: int) -> None:
    notebook = Notebook(FileNotes(folder))
    for _ in range(times):
        done = notebook.update("shared", lambda note: note.changed(seen=note.seen + 1), now=NOON)
        assert done.outcome == "updated", done


def test_two_processes_that_update_one_note_lose_no_update(folder: Path) -> None:
    notebook = Notebook(FileNotes(folder))
    notebook.create(a_note("Shared"), now=NOON)
    spawn = multiprocessing.get_context("spawn")
    others = [spawn.Process(target=say_again, args=(folder, UPDATES // 2)) for _ in range(2)]

    for other in others:
        other.start()
    for other in others:
        other.join(120)

    assert [other.exitcode for other in others] == [0, 0]
    assert find(notebook, "shared").note.seen == UPDATES
    assert len(notebook.versions("shared")) == UPDATES + 1


def dying_at(step: int, work: Callable[[], object]) -> bool:
    """Do *work* in a process that is killed at its *step*-th touch of the disk; was it?"""
    child = os.fork()
    if child == 0:
        touches = 0

        def count(event: str, _: object) -> None:
            nonlocal touches
            if event in ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"):
                touches += 1
                if touches == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def each_death(
    folder: Path, prepare: Callable[[Notebook], object], work: Callable[[Notebook], object]
) -> Iterator[Notebook]:
    """A fresh notebook for every step at which *work* can die, and then dies."""
    step = 1
    while True:
        place = folder / str(step)
        notebook = Notebook(FileNotes(place))
        prepare(notebook)
        if not dying_at(step, partial(work, notebook)):
            assert step > 5
            return
        yield Notebook(FileNotes(place))
        step += 1


def reachable(notebook: Notebook, name: str) -> list[str]:
    return [notebook.version(name, each.number) for each in notebook.versions(name)]


def file_of(notebook: Notebook, name: str) -> Path:
    return Path(notebook.store.location(NoteKey("decision", name)))


def find(notebook: Notebook, name: str) -> StoredNote:
    held = notebook.look_up(name)
    assert isinstance(held, StoredNote)
    return held


def folder_of(notebook: Notebook) -> Path:
    return file_of(notebook, "any").parent.parent


def with_a_hand_edit(notebook: Notebook) -> None:
    notebook.create(a_note(), now=NOON)
    path = file_of(notebook, "postgres-for-orders")
    path.write_text(path.read_text() + "\n## Mine\n\nby hand\n")


def test_an_update_that_dies_anywhere_loses_nothing(folder: Path) -> None:
    name = "postgres-for-orders"

    def work(notebook: Notebook) -> ChangeResult:
        return notebook.update(name, lambda note: note.changed(title="New"), now=NOON)

    for notebook in each_death(folder, with_a_hand_edit, work):
        ours, theirs, *_ = reachable(notebook, name)
        assert "by hand" not in ours
        assert "by hand" in theirs
        assert notebook.broken() == []
        again = work(notebook)
        assert again.outcome in ("updated", "nothing")
        assert find(notebook, name).note.title == "New"
        assert "by hand" in find(notebook, name).text


def test_a_snapshot_that_dies_anywhere_leaves_the_window_to_the_next(folder: Path) -> None:
    def a_session(number: int) -> Note:
        source = {"by": "extractive", "session": f"s{number}"}
        return a_note(
            f"Session {number}",
            category="session_summary",
            now=later(hours=number),
            source=source,
        )

    def keep(notebook: Notebook, number: int) -> None:
        window = Rules(max_retained=5)
        notebook.snapshot(a_session(number), now=later(hours=number), rules=window)

    def five(notebook: Notebook) -> None:
        for number in range(5):
            keep(notebook, number)

    for notebook in each_death(folder, five, lambda notebook: keep(notebook, 5)):
        before = len(notebook.notes())
        keep(notebook, 6)
        notes = notebook.notes()
        assert (len(notes), notebook.broken()) == (before + 1, [])
        active = [each.note.id for each in notes if each.note.active]
        assert len(active) == 5
        assert "session-6" in active


def test_superseding_that_dies_anywhere_can_be_done_again(folder: Path) -> None:
    def two(notebook: Notebook) -> None:
        notebook.create(a_note("Old"), now=NOON)
        notebook.create(a_note("New"), now=NOON)

    def supersede(notebook: Notebook) -> None:
        notebook.supersede("old", by="new", now=later(hours=1))

    for notebook in each_death(folder, two, supersede):
        supersede(notebook)
        assert find(notebook, "old").note.superseded_by == "new"
        assert find(notebook, "new").note.supersedes == ("old",)
        assert notebook.doubtful() == []


def test_erasing_that_dies_anywhere_can_be_done_again(folder: Path) -> None:
    name = "postgres-for-orders"

    for notebook in each_death(folder, with_a_hand_edit, lambda notebook: notebook.erase(name)):
        assert notebook.erase(name).outcome in ("erased", "failed")
        left = [path for path in folder_of(notebook).rglob("*") if path.is_file()]
        assert [path.name for path in left] == [".lock"]


def test_a_draft_of_a_killed_process_is_no_note(folder: Path) -> None:
    name = "postgres-for-orders"

    def create(notebook: Notebook) -> ChangeResult:
        return notebook.create(a_note(), now=NOON)

    for notebook in each_death(folder, lambda _: None, create):
        assert notebook.broken() == []
        assert notebook.misnamed() == []
        notebook.gc(now=NOON, rules={})
        done = create(notebook)
        assert done.outcome == "created"
        assert find(notebook, name).note.title == "Postgres for orders"
        hidden = [path.name for path in folder_of(notebook).rglob(".*.tmp")]
        assert [each for each in hidden if each.startswith(f".{name}")] == []
