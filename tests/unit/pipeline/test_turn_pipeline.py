"""What one turn costs: however much is written of it, what follows from it is made once."""

from collections import Counter

import pytest

from recollect.context.session_start import SessionStart
from recollect.store.sqlite.index.database import SqliteIndex
from tests.builders.intake import Desk

RULE = "From now on always use pnpm instead of npm in this repository."


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the index followed a library, and a start was prepared."""
    counted: Counter[str] = Counter()
    sync, prepare = SqliteIndex.sync, SessionStart.prepare

    def synced(*args: object, **named: object) -> int:
        counted["index"] += 1
        return sync(*args, **named)  # type: ignore[arg-type]

    def prepared(*args: object, **named: object) -> None:
        counted["start"] += 1
        prepare(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(SqliteIndex, "sync", synced)
    monkeypatch.setattr(SessionStart, "prepare", prepared)
    return counted


def test_a_turn_is_indexed_once_and_prepares_one_start(desk: Desk, done: Counter[str]) -> None:
    """The note that it made, and a file that it changed again, each did all of it once more."""
    file = desk.folder / "build.py"
    for number in range(3):
        file.write_text(f"LIMIT = {number}\n" * (number * 40 + 1))
        desk.arrive(
            "UserPromptSubmit", prompt=RULE if number == 2 else "Build", prompt_id=f"{number}"
        )
        desk.arrive(
            "PostToolUse",
            prompt_id=f"{number}",
            tool_use_id=f"t-{number}",
            tool_name="Write",
            tool_input={"file_path": str(file), "content": file.read_text()},
            tool_response={"type": "update"},
        )
        done.clear()
        desk.arrive("Stop", last_assistant_message="pnpm builds it now.", prompt_id=f"{number}")

    (project,) = desk.app.projects.all()
    notes = desk.app.note_states(project.name)
    assert [note.split("/")[-2] for note in notes if "pnpm" in note] == ["preferences"]
    assert done == {"index": 1, "start": 1}
