import gzip
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.store.files import archive
from recollect.transcripts import records
from recollect.transcripts.turns import CleanTurn, TokenUsage, ToolCall, Turn

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


def a_turn(key: str = "p1", **fields: Any) -> CleanTurn:
    defaults = {"host": "claude-code", "session": "s1", "prompt": "build", "answer": "Done."}
    return CleanTurn(Turn(key=key, started=NOON, ended=NOON, **(defaults | fields)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "transcripts" / "s1.jsonl.gz"


def test_a_turn_comes_back_as_it_was(path: Path) -> None:
    call = ToolCall(id="t1", name="Edit", input={"edits": [{"n": 1}]}, failed=True, agent="a1")
    turn = a_turn(
        remarks=("Looking.",),
        tools=(call,),
        branch="main",
        cwd="/x",
        interrupted=True,
        finished=True,
        usage=TokenUsage(input_tokens=1, output_tokens=2),
    )

    archive.append(path, turn)

    assert archive.read(path) == [turn]


def test_turns_come_back_in_order_and_a_later_version_replaces_the_earlier(path: Path) -> None:
    for turn in (a_turn("p1"), a_turn("p2"), a_turn("p1", answer="Really done.")):
        archive.append(path, turn)

    assert [(turn.key, turn.answer) for turn in archive.read(path)] == [
        ("p1", "Really done."),
        ("p2", "Done."),
    ]


@pytest.mark.parametrize("block", [1, 7, 8, 9, 100, 150, 163, 1_000, 1 << 15])
def test_backwards_the_same_turns_come_the_last_first(path: Path, block: int) -> None:
    turns = [a_turn(f"p{n}", answer=f"{n} " * n) for n in range(30)]
    for turn in turns:
        archive.append(path, turn)

    assert list(archive.backwards(path, block=block)) == turns[::-1]


def test_of_a_long_archive_the_last_turn_is_read_alone(path: Path) -> None:
    archive.append(path, a_turn("torn"))
    size = path.stat().st_size
    for n in range(9):
        archive.append(path, a_turn(f"p{n}"))
    path.write_bytes(b"\xff" * size + path.read_bytes()[size:])

    assert next(archive.backwards(path, block=size)).key == "p8"


def test_only_the_owner_may_read_it(path: Path) -> None:
    archive.append(path, a_turn())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_any_gunzip_can_show_it(path: Path) -> None:
    archive.append(path, a_turn("p1"))
    archive.append(path, a_turn("p2"))

    assert gzip.decompress(path.read_bytes()).count(b"\n") == 2


def test_prompt_and_answer_stay_whole_and_tool_texts_are_cut(path: Path) -> None:
    long = "x" * 30_000
    call = ToolCall(
        id="t1", name="Write", input={"content": long, "e": [{"old": long}]}, output=long
    )

    archive.append(path, a_turn(prompt=long, answer=long, tools=(call,)))

    (turn,) = archive.read(path)
    (kept,) = turn.tools
    assert (turn.prompt, turn.answer) == (long, long)
    given: dict[str, Any] = dict(kept.input)
    assert [len(kept.output), len(given["content"])] == [len(kept.output)] * 2
    assert len(kept.output) <= 2_000
    assert len(given["e"][0]["old"]) <= 2_000
    assert "characters cut …]" in kept.output


def test_there_may_be_no_archive(path: Path) -> None:
    assert archive.read(path) == []


def test_a_torn_turn_is_lost_alone(path: Path) -> None:
    archive.append(path, a_turn("p1"))
    begin = path.stat().st_size
    archive.append(path, a_turn("p2"))
    whole = path.read_bytes()

    for length in range(begin, len(whole)):
        path.write_bytes(whole[:length])
        torn = [turn.key for turn in archive.read(path)]
        archive.append(path, a_turn("p3"))

        assert torn == ["p1"]
        assert [turn.key for turn in archive.read(path)] == ["p1", "p3"]


def test_a_turn_of_an_unknown_version_does_not_hide_its_neighbours(path: Path) -> None:
    archive.append(path, a_turn("p1"))
    with path.open("ab") as file:
        file.write(gzip.compress(b'{"version":9}\n', mtime=0))
    archive.append(path, a_turn("p2"))

    assert [turn.key for turn in archive.read(path)] == ["p1", "p2"]


def test_the_oldest_sessions_go_until_the_rest_fits(tmp_path: Path) -> None:
    for age, name in enumerate(["new", "old", "oldest"]):
        path = tmp_path / f"{name}.jsonl.gz"
        path.write_bytes(b"x" * 100)
        os.utime(path, (1_000 - age, 1_000 - age))
    (tmp_path / "other.txt").write_bytes(b"x" * 1_000)

    removed = archive.prune(tmp_path, max_bytes=150)

    assert [path.name for path in removed] == ["oldest.jsonl.gz", "old.jsonl.gz"]
    assert archive.prune(tmp_path, max_bytes=150) == []
    assert archive.prune(tmp_path / "nowhere", max_bytes=0) == []


TEXT = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


@given(TEXT.filter(bool), TEXT, TEXT)
def test_any_text_survives_the_record(key: str, prompt: str, answer: str) -> None:
    turn = a_turn(key, prompt=prompt, answer=answer)

    assert records.turn_of(records.of_turn(turn)) == turn


def test_one_turn_can_be_taken_out_with_every_version_of_it(path: Path) -> None:
    for turn in (a_turn("p1"), a_turn("p2", prompt="secret"), a_turn("p2"), a_turn("p3")):
        archive.append(path, turn)

    assert archive.remove(path, "p2")

    assert [turn.key for turn in archive.read(path)] == ["p1", "p3"]
    assert b"secret" not in gzip.decompress(path.read_bytes())
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_taking_out_what_is_not_there_changes_nothing(path: Path, tmp_path: Path) -> None:
    archive.append(path, a_turn("p1"))
    before = path.read_bytes()

    assert not archive.remove(path, "p9")
    assert not archive.remove(tmp_path / "none.jsonl.gz", "p1")

    assert path.read_bytes() == before
