"""A category is one row of the table: what is added to it can be kept, shown, edited, exported."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.notes import exchange, note_model
from recollect.notes.categories import CATEGORIES, NoteCategory, NoteField
from recollect.store import note_index
from tests.unit.curation.conftest import NOON, Desk

GLOSSARY = NoteCategory(
    name="glossary",
    folder="glossary",
    word="glossary",
    description="What a word means in this project.",
    fields=(
        NoteField(
            name="status",
            form="choice",
            required=True,
            choices=("current", "old"),
            default="current",
            is_fixed_at_first=True,
        ),
        NoteField(name="meaning", form="text", required=True),
        NoteField(name="not_to_be_confused_with", form="list"),
    ),
    status_field="status",
    max_retained=2,
)
SAID = "A checkpoint is one turn of an agent"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setitem(CATEGORIES, GLOSSARY.name, GLOSSARY)
    desk = Desk(tmp_path)
    yield desk
    desk.app.close()


def test_is_remembered_in_its_folder_and_found(desk: Desk) -> None:
    done = desk.remember(SAID, "glossary")

    assert done.outcome == "created"
    assert Path(desk.curator.find(done.id, [desk.project]).location).parts[-2:] == (
        "glossary",
        f"{done.id}.md",
    )
    assert desk.found("what is a checkpoint") == [f"glossary/{done.id}"]


def test_is_shown_with_its_own_headings_and_status(desk: Desk) -> None:
    desk.remember(SAID, "glossary")

    (name,) = desk.names()
    held = desk.curator.find(name, [desk.project])

    assert "status: current" in held.text
    assert f"## Meaning\n\n{SAID}" in held.text
    assert [one.note_status for one in note_index.items_of(held)] == ["current"]


def test_is_edited_and_what_is_wrong_is_said_with_its_line(desk: Desk) -> None:
    desk.remember(SAID, "glossary")
    (name,) = desk.names()
    held = desk.curator.find(name, [desk.project])

    better = desk.curator.rewrite(held, held.text.replace("one turn", "every turn"), now=NOON)
    held = desk.curator.find(name, [desk.project])
    wrong = desk.curator.rewrite(held, held.text.replace("current", "newest"), now=NOON)

    assert better.outcome == "updated"
    assert held.note.content.meaning == SAID.replace("one turn", "every turn")
    assert 'line 11: content.status: "newest" is not known' in wrong.reason


def test_comes_back_from_its_export(desk: Desk) -> None:
    desk.remember(SAID, "glossary")
    (name,) = desk.names()
    note = desk.curator.find(name, [desk.project]).note

    read = exchange.read(exchange.record(note))

    assert read.note.content == note.content
    assert note_model.schemas()["glossary"]["title"] == "Glossary"


def test_has_settings_of_its_own_which_are_kept_to(desk: Desk) -> None:
    desk.set("categories.glossary.max_retained", "1")

    desk.remember(SAID, "glossary")
    desk.remember("Rewind means to restore the files of an earlier commit", "glossary")

    assert len(desk.names()) == 1
    assert len(desk.names("retired")) == 1
