"""Who reads what: of a file the one that claims it, of a folder everybody their own."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import importers
from recollect.app.recollect import Recollect
from recollect.errors import NotFoundError
from recollect.importers import importer
from tests.builders.intake import Desk

FIXTURES = Path(__file__).parents[2] / "fixtures"
A_RECORD = {
    "schema_version": "1.0",
    "category": "constraint",
    "id": "deploys-need-the-vpn",
    "created_at": "2026-03-01T10:00:00Z",
    "updated_at": "2026-03-01T10:00:00Z",
    "title": "Deploys need the VPN",
    "tags": ["deploy"],
    "confidence": 0.9,
    "content": {
        "kind": "policy",
        "rule": "Deploys need the VPN",
        "impact": ["the deploy fails"],
        "severity": "high",
        "active": True,
    },
}
# A store of another tool: lines of what to remember.
AN_IMPORTER = """
from recollect.importers.importer import Found, Importer
from recollect.importers.records import RecordFile
from tests.unit.importers.test_importer import A_RECORD


def find(path):
    lines = path.read_text().splitlines()
    values = tuple({**A_RECORD, "id": line, "title": line} for line in lines)
    return Found(records=(RecordFile(file=path, values=values, is_list=True),))


IMPORTER = Importer(
    name="lines",
    reads=lambda: "Lines to remember",
    claims=lambda file: file.suffix == ".remember",
    find=find,
)
"""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Recollect]:
    desk = Desk(tmp_path)
    yield desk.app
    desk.app.close()


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def take_in(app: Recollect, path: Path, tmp_path: Path) -> list[tuple[str, str]]:
    """Take the notes at *path* in; return what became of each, by its name."""
    project = app.projects.meet(str(tmp_path / "shop")).name
    report = app.importing.notes(
        app.importing.find(path), project=project, dry_run=False, progress=lambda *_: None
    )
    return [(one.name, one.done.outcome) for one in report.taken]


class TestChoosing:
    @pytest.mark.parametrize(
        "log",
        ["claude-code/plain-print.jsonl", "codex/plain.jsonl", "opencode/session.json"],
    )
    def test_a_file_that_a_host_wrote_is_a_transcript(self, log: str) -> None:
        found = importer.find(FIXTURES / log)

        assert (found.logs, found.records) == ((FIXTURES / log,), ())

    def test_any_other_json_is_meant_as_notes(self, tmp_path: Path) -> None:
        found = importer.find(put(tmp_path / "a.json", A_RECORD))

        assert (found.logs, len(found.records)) == ((), 1)

    def test_of_a_folder_everybody_reads_their_own(self, tmp_path: Path) -> None:
        put(tmp_path / "all" / "notes.json", [A_RECORD])
        put(tmp_path / "all" / "theme.json", {"theme": "dark"})
        put(tmp_path / "all" / "decisions" / "0001-use-pnpm.md", "# Use pnpm\n")
        log = put(tmp_path / "all" / "a.jsonl", "{}")

        found = importer.find(tmp_path / "all")

        assert found.logs == (log,)
        assert [one.file.name for one in found.records] == ["notes.json"]

    @pytest.mark.parametrize("name", ["a.txt", "notes.md", "decisions/0001-use-pnpm.md"])
    def test_a_file_that_nobody_can_read_is_told_with_what_can_be(
        self, tmp_path: Path, name: str
    ) -> None:
        file = put(tmp_path / name, "# Use pnpm\n")

        with pytest.raises(NotFoundError, match="nothing that can be imported") as refused:
            importer.find(file)

        assert str(file) in refused.value.message
        assert "Codex (`~/.codex/sessions`)" in refused.value.hint
        assert "recollect export" in refused.value.hint

    def test_a_path_that_is_not_there_is_named(self) -> None:
        with pytest.raises(NotFoundError, match="/nowhere: no such file"):
            importer.find(Path("/nowhere"))


class TestMarkdown:
    def exported(self, app: Recollect, tmp_path: Path) -> Path:
        """A note as the home holds it, which is what the export copies."""
        take_in(app, put(tmp_path / "in.json", A_RECORD), tmp_path)
        (file,) = Path(app.home).rglob("deploys-need-the-vpn.md")
        return put(tmp_path / "out" / file.parent.name / file.name, file.read_text())

    def test_what_was_exported_is_the_same_note(self, app: Recollect, tmp_path: Path) -> None:
        file = self.exported(app, tmp_path)

        for path in (file, tmp_path / "out"):
            name = "constraint/deploys-need-the-vpn"
            assert take_in(app, path, tmp_path) == [(name, "nothing")]

    def test_it_comes_into_another_home_as_it_was(self, tmp_path: Path) -> None:
        here, there = tmp_path / "here", tmp_path / "there"
        here.mkdir()
        there.mkdir()
        one, other = Desk(here), Desk(there)
        file = self.exported(one.app, here)

        done = take_in(other.app, file, there)

        (taken,) = Path(other.app.home).rglob("deploys-need-the-vpn.md")
        assert done == [("constraint/deploys-need-the-vpn", "created")]
        assert taken.read_text() == file.read_text()
        one.app.close()
        other.app.close()

    def test_a_broken_one_is_told_and_stops_no_other(self, app: Recollect, tmp_path: Path) -> None:
        file = self.exported(app, tmp_path)
        put(file.with_name("broken.md"), file.read_text().replace("severity: high", "severity: 9"))
        file.with_name("linked.md").symlink_to(file)

        done = take_in(app, tmp_path / "out", tmp_path)

        assert sorted(outcome for _, outcome in done) == ["failed", "nothing", "nothing"]


def test_an_importer_to_come_is_one_file(
    app: Recollect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "added" / "lines.py", AN_IMPORTER)
    monkeypatch.setattr(importers, "__path__", [*importers.__path__, str(tmp_path / "added")])
    importer.known.cache_clear()

    try:
        done = take_in(app, put(tmp_path / "a.remember", "first\nsecond\n"), tmp_path)
    finally:
        importer.known.cache_clear()
        sys.modules.pop("recollect.importers.lines", None)

    assert done == [("constraint/first", "created"), ("constraint/second", "created")]
