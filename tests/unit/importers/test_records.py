"""Which JSON is meant as notes, and what is said of JSON that cannot be read."""

import json
import os
from pathlib import Path

import pytest

from recollect.errors import NoteError
from recollect.importers import records

A_RECORD = {"schema_version": "1.0", "category": "decision", "id": "a", "content": {}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(raw)
    return path


def names(folder: Path) -> list[str]:
    return [str(found.file.relative_to(folder)) for found in records.below(folder)]


class TestDecoding:
    def test_a_file_has_one_record_or_a_list_of_them(self) -> None:
        assert records.decoded(b'{"id": "a"}') == {"id": "a"}
        assert records.decoded(b'[{"id": "a"}, 7]') == ({"id": "a"}, 7)
        assert records.decoded(b"[]") == ()

    def test_a_mark_of_the_byte_order_is_no_text(self) -> None:
        assert records.decoded(b'\xef\xbb\xbf{"id": "a"}') == {"id": "a"}

    def test_line_ends_and_tabs_within_a_text_are_fine(self) -> None:
        assert records.decoded(b'{"title": "a\n\tb"}') == {"title": "a\n\tb"}

    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            (b'{"title": "caf\xe9"}', "byte 15: not UTF-8"),
            ('{"id": "a"}'.encode("utf-16"), "byte 1: not UTF-8"),
            (b'{"id": "a",\n "title" }', "line 2, column 10: no JSON"),
            (b"", "line 1, column 1: no JSON"),
            (b"[" * 100_000, "nested too deeply"),
            (b'{"x":' * 100_000, "nested too deeply"),
            (b'{"seen": ' + b"9" * 5_000 + b"}", "a number is too long"),
            (b'"text"', "neither a record nor a list"),
            (b"NaN", "neither a record nor a list"),
        ],
        ids=lambda value: str(value)[:30],
    )
    def test_what_cannot_be_read_is_said_with_its_place_and_what_to_do(
        self, raw: bytes, said: str
    ) -> None:
        with pytest.raises(NoteError) as caught:
            records.decoded(raw)

        assert said in caught.value.message
        assert caught.value.hint

    def test_ten_thousand_records_are_no_trouble(self, folder: Path) -> None:
        put(folder / "all.json", [{**A_RECORD, "id": f"n-{n}"} for n in range(10_000)])

        (found,) = records.below(folder)

        assert len(found.values) == 10_000

    def test_a_file_that_is_too_large_is_not_read(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(folder / "all.json", [A_RECORD] * 10)
        monkeypatch.setattr(records, "LARGEST_FILE", 400)

        (found,) = records.below(folder / "all.json")

        assert found.error
        assert "at most 400 are read" in found.error.message
        assert "Split it" in found.error.hint


class TestFinding:
    def test_a_file_that_a_person_names_is_meant_whatever_is_in_it(self, folder: Path) -> None:
        (found,) = records.below(put(folder / "other.JSON", {"name": "left-pad"}))

        assert found.values == ({"name": "left-pad"},)

    def test_records_are_found_at_any_depth_in_order(self, folder: Path) -> None:
        put(folder / "shop" / "runbooks" / "b.json", A_RECORD)
        put(folder / "all.json", [A_RECORD])
        put(folder / "decisions" / "a.json", A_RECORD)

        assert names(folder) == ["all.json", "decisions/a.json", "shop/runbooks/b.json"]

    def test_json_of_other_programs_is_left_alone(self, folder: Path) -> None:
        put(folder / "package.json", {"name": "left-pad", "category": "tools"})
        put(folder / "list.json", [1, 2, 3])
        put(folder / "broken.json", b"{")
        put(folder / "quoting.json", b'{"text": "{\\"schema_version\\": 1}", ')
        put(folder / ".hidden" / "a.json", A_RECORD)
        put(folder / "turns.jsonl", A_RECORD)

        assert names(folder) == []

    def test_what_stands_in_the_folder_of_a_category_is_meant(self, folder: Path) -> None:
        put(folder / "decisions" / "a.json", b"{")
        put(folder / "tech-debt" / "b.json", [1])

        assert names(folder) == ["decisions/a.json", "tech-debt/b.json"]

    def test_a_broken_file_that_was_to_be_notes_is_not_passed_over(self, folder: Path) -> None:
        put(folder / "all.json", json.dumps([A_RECORD]).encode()[:-1])

        (found,) = records.below(folder)

        assert found.error

    def test_no_link_is_followed_but_the_one_that_was_named(
        self, folder: Path, tmp_path: Path
    ) -> None:
        beyond = put(tmp_path / "beyond" / "decisions" / "a.json", A_RECORD)
        (folder / "linked.json").symlink_to(beyond)
        (folder / "decisions").symlink_to(beyond.parent)
        (folder / "elsewhere").symlink_to(tmp_path / "beyond")
        (tmp_path / "named").symlink_to(tmp_path / "beyond")

        found = records.below(folder)

        assert [(one.file.name, one.linked, one.values) for one in found] == [
            ("decisions", True, ()),
            ("linked.json", True, ()),
        ]
        assert [len(one.values) for one in records.below(tmp_path / "named")] == [1]

    def test_a_pipe_makes_nobody_wait(self, folder: Path) -> None:
        (folder / "decisions").mkdir()
        os.mkfifo(folder / "decisions" / "a.json")

        assert names(folder) == []
