"""Notes are handed out and taken in on the command line, and it says what became of each."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from recollect.errors import RecollectError
from tests.home import Home
from tests.integration.conftest import Run
from tests.integration.test_notes_by_hand import listed

VPN = "constraint/deploys-need-the-vpn"
PNPM = "preference/we-use-pnpm-not-npm"

# As another program writes it: times without a zone, null for what is not there.
FOREIGN = {
    "schema_version": "1.0",
    "category": "runbook",
    "id": "build-hangs",
    "title": "The build hangs",
    "created_at": "2026-03-01T10:00:00",
    "updated_at": "2026-03-02T10:00:00",
    "tags": ["build"],
    "content": {
        "trigger": "The build hangs at linking.",
        "steps": ["stop the daemon", "delete the cache"],
        "verification": "It ends within a minute.",
        "root_cause": None,
    },
    "confidence": 0.8,
    "retired_at": None,
}


@pytest.fixture
def notes(recollect: Run) -> None:
    """Two notes of the shop, one of them retired, and one that holds everywhere."""
    recollect("remember", "From now on we use pnpm, not npm")
    recollect("remember", "-c", "constraint", "Deploys need the VPN")
    recollect("retire", VPN, "--reason", "it is gone")
    recollect("remember", "--global", "-c", "preference", "Answer in German")


def exported(recollect: Run, *arguments: str) -> Any:
    return json.loads(recollect("export", *arguments).stdout)


def names(records: Any) -> list[str]:
    return [f"{one['category']}/{one['id']}" for one in records]


def taken(done: Any) -> list[tuple[str, str, str]]:
    told = json.loads(done.stdout)["notes"]["records"]
    return [(one["name"], one["outcome"], one["reason"]) for one in told]


def kept(home: Home) -> dict[str, bytes]:
    """Every file of a note of a project."""
    found = home.path.glob("projects/*/[!.]*/*.md")
    return {f"{file.parent.name}/{file.name}": file.read_bytes() for file in found}


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


@pytest.mark.usefixtures("notes")
class TestExport:
    def test_prints_all_notes_of_the_project_as_one_list(self, recollect: Run) -> None:
        records = exported(recollect)

        assert names(records) == [VPN, PNPM]
        assert records[0]["record_status"] == "retired"
        assert "source" not in records[0]

    def test_in_full_has_our_own_keys(self, recollect: Run) -> None:
        assert exported(recollect, PNPM, "--full")[0]["source"]["by"] == "user"

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (["we-use"], [PNPM]),
            (["-c", "constraint"], [VPN]),
            (["--status", "active"], [PNPM]),
            (["--status", "archived"], []),
            (["--tag", "pnpm"], [PNPM]),
            (["--project", "shop"], [VPN, PNPM]),
            (["--global"], ["preference/answer-in-german"]),
            (["answer", "answer-in"], ["preference/answer-in-german"]),
        ],
        ids=" ".join,
    )
    def test_prints_those_that_are_asked_for(
        self, recollect: Run, arguments: list[str], expected: list[str]
    ) -> None:
        assert names(exported(recollect, *arguments)) == expected

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--global", "--project", "shop"],
            ["--global", "--all-projects"],
            [PNPM, "-c", "decision"],
            ["--format", "markdown"],
            ["--format", "markdown", PNPM, "--json"],
            ["--all-projects"],
            [PNPM, "answer-in-german"],
            ["--output", ""],
        ],
        ids=" ".join,
    )
    def test_says_what_does_not_go_together(self, recollect: Run, arguments: list[str]) -> None:
        recollect("export", *arguments, code=2)

    def test_of_a_name_that_is_not_there_is_an_error(self, recollect: Run) -> None:
        assert "no such" in str(recollect("export", "nothing", code=1).exception)

    def test_writes_a_file_for_each_note_and_says_how_many(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        out = tmp_path / "out"

        done = recollect("export", "--output", str(out))

        assert "2 notes written" in done.stdout
        file = out / "preferences" / "we-use-pnpm-not-npm.json"
        assert json.loads(file.read_text())["id"] == "we-use-pnpm-not-npm"
        assert (out / "constraints" / "deploys-need-the-vpn.json").exists()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == stat.S_IMODE(out.stat().st_mode) == 0o700

    def test_writes_each_project_into_a_folder_of_its_own(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        recollect("export", "--all-projects", "-o", str(tmp_path / "out"))

        (shop,) = (tmp_path / "out").glob("shop-*")
        assert (shop / "constraints" / "deploys-need-the-vpn.json").exists()
        assert (tmp_path / "out/global/preferences/answer-in-german.json").exists()

    def test_never_writes_over_another_file_unless_that_is_said(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        out = tmp_path / "out"
        recollect("export", "-o", str(out))
        file = out / "preferences" / "we-use-pnpm-not-npm.json"
        file.write_text("mine")

        done = recollect("export", "-o", str(out), code=1)
        told = json.loads(recollect("export", "-o", str(out), "--json", code=1).stdout)

        assert "0 notes written" in done.stdout
        assert "1 were there already" in done.stdout
        assert "--force" in done.stdout
        assert told == {
            "folder": str(out),
            "written": 0,
            "unchanged": 1,
            "kept": [str(file)],
            "not_overwritten": [str(file)],
            "lost": {},
        }
        assert file.read_text() == "mine"
        assert "1 note written" in recollect("export", "-o", str(out), "--force").stdout
        assert file.read_text() != "mine"

    def test_as_markdown_is_the_files_as_they_are(
        self, recollect: Run, home: Home, tmp_path: Path
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        file.write_bytes(file.read_bytes() + b"\r\n<!-- mine \xff -->\r\n")

        recollect("export", "--format", "markdown", "-o", str(tmp_path / "out"))

        copied = tmp_path / "out" / "preferences" / file.name
        assert copied.read_bytes() == file.read_bytes()
        printed = recollect("export", "--format", "markdown", PNPM).stdout_bytes
        assert printed == file.read_bytes()

    def test_names_what_cannot_be_read_and_copies_it_only_as_markdown(
        self, recollect: Run, home: Home, tmp_path: Path
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        file.write_text("---\ntags: [\n---\n")

        done = recollect("export", code=1)
        copied = recollect("export", "--format", "markdown", "-o", str(tmp_path / "out"))

        assert names(json.loads(done.stdout)) == [VPN]
        assert f"{file}: " in done.stderr
        assert "left out" in done.stderr
        assert "2 notes written" in copied.stdout
        assert "copied as it is" in copied.stderr
        assert (tmp_path / "out/preferences" / file.name).read_bytes() == file.read_bytes()

    def test_never_copies_what_a_link_leads_to(
        self, recollect: Run, home: Home, tmp_path: Path
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        (tmp_path / "secret").write_text("secret")
        file.unlink()
        file.symlink_to(tmp_path / "secret")

        done = recollect("export", "--format", "markdown", "-o", str(tmp_path / "out"), code=1)

        assert "left out" in done.stderr
        assert not (tmp_path / "out" / "preferences").exists()

    def test_warns_of_what_waits_for_review_and_would_hold_elsewhere(
        self, recollect: Run, home: Home
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        file.write_text(file.read_text().replace("tags:", "review: proposed\ntags:", 1))

        assert f"{PNPM}: waits for review (proposed); only --full says so" in (
            recollect("export").stderr
        )
        assert recollect("export", "--full").stderr == ""
        assert exported(recollect, PNPM, "--full")[0]["review"] == "proposed"

    @pytest.mark.parametrize("more", [(), ("--full",)])
    def test_names_what_a_person_added_that_no_record_has(
        self, recollect: Run, home: Home, tmp_path: Path, more: tuple[str, ...]
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        told = file.read_text().replace("tags:", "owner: me\ntags:", 1)
        file.write_text(told + "\n## Links\n\nhttps://example.org\n")

        done = recollect("export", *more)
        out = str(tmp_path / "out")
        report = json.loads(recollect("export", *more, "-o", out, "--json").stdout)

        project = file.parent.parent.name
        assert f"{project}/{PNPM}: without the key owner, the section Links" in done.stderr
        assert report["lost"] == {f"{project}/{PNPM}": ["the key owner", "the section Links"]}
        markdown = recollect("export", "--format", "markdown", "-o", str(tmp_path / "copy"))
        assert markdown.stderr == ""

    def test_as_markdown_copies_a_file_whose_name_is_none_for_a_note(
        self, recollect: Run, home: Home, tmp_path: Path
    ) -> None:
        (file,) = home.path.glob("projects/*/preferences/*.md")
        odd = file.with_name("Meine Regel.md")
        odd.write_text("# Meine Regel\n\nImmer.\n")

        done = recollect("export", "--format", "markdown", "-o", str(tmp_path / "out"))

        assert (tmp_path / "out/preferences/Meine Regel.md").read_bytes() == odd.read_bytes()
        assert "Rename it to meine-regel.md." in done.stderr
        assert f"{odd}: not a name for a note; left out" in recollect("export", code=1).stderr
        told = json.loads(recollect("status", "--json").stdout)["notes"]
        assert [(one["file"], one["fix"]) for one in told] == [
            (str(odd), "Rename it to meine-regel.md.")
        ]

    def test_of_names_from_several_projects_keeps_them_apart(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        recollect("export", PNPM, "answer-in-german", "-o", str(tmp_path / "out"))

        assert (tmp_path / "out/global/preferences/answer-in-german.json").exists()
        assert not (tmp_path / "out/preferences").exists()

    def test_where_nothing_can_be_written_says_where_and_what_to_do(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("mine")

        error = recollect("export", "-o", str(tmp_path / "file" / "out"), code=1).exception

        assert isinstance(error, RecollectError)
        assert f"{tmp_path}/file/out/" in error.message
        assert "cannot be written" in error.message
        assert "name another one" in error.hint

    def test_into_a_file_is_refused(self, recollect: Run, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("mine")

        error = recollect("export", "-o", str(tmp_path / "out"), code=1).exception

        assert isinstance(error, RecollectError)
        assert "is not a folder" in error.message


def test_export_from_a_folder_that_has_no_memory_says_so(recollect: Run) -> None:
    assert "has no memory yet" in str(recollect("export", code=1).exception)


@pytest.mark.usefixtures("notes")
class TestThereAndBack:
    @pytest.fixture
    def out(self, recollect: Run, tmp_path: Path) -> str:
        recollect("export", "--full", "-o", str(tmp_path / "out"))
        return str(tmp_path / "out")

    def test_in_full_every_file_is_the_same_again(
        self, recollect: Run, home: Home, out: str
    ) -> None:
        before = kept(home)
        home.end()
        os.rename(home.path, home.path.with_name("old"))

        done = recollect("import", out, "--json")

        assert [outcome for _, outcome, _ in taken(done)] == ["created", "created"]
        assert kept(home) == before

    def test_nothing_happens_to_notes_that_are_there(
        self, recollect: Run, home: Home, out: str
    ) -> None:
        before = kept(home)

        done = recollect("import", out)

        assert "Notes: 2 nothing." in done.stdout
        assert "as it is here" in done.stdout
        assert kept(home) == before

    def test_one_that_was_erased_stays_so(self, recollect: Run, out: str) -> None:
        recollect("forget", PNPM, "--really", "--yes")

        done = recollect("import", out, "--json")

        assert (PNPM, "nothing", "was erased here") in taken(done)
        assert listed(recollect) == ["preference/answer-in-german"]

    def test_a_list_that_was_printed_is_read_as_well(self, recollect: Run, tmp_path: Path) -> None:
        file = tmp_path / "notes.json"
        file.write_text(recollect("export").stdout)

        done = recollect("import", str(file), "--global", "--json")

        assert [outcome for _, outcome, _ in taken(done)] == ["created", "created"]
        assert names(exported(recollect, "--global", "--status", "retired")) == [VPN]


@pytest.mark.usefixtures("notes")
class TestTheFoldersOfSeveralProjects:
    @pytest.fixture
    def out(self, recollect: Run, tmp_path: Path) -> Path:
        recollect("export", "--all-projects", "--full", "-o", str(tmp_path / "out"))
        return tmp_path / "out"

    def test_are_not_mixed(self, recollect: Run, home: Home, out: Path) -> None:
        before = kept(home)
        (shop,) = out.glob("shop-*")

        error = recollect("import", str(out), code=1).exception

        assert isinstance(error, RecollectError)
        assert f"{out}/global" in error.message
        assert f"recollect import {shop} --project {shop.name}" in error.hint
        assert kept(home) == before

    def test_are_read_one_at_a_time(self, recollect: Run, out: Path) -> None:
        (shop,) = out.glob("shop-*")

        recollect("import", str(shop), "--project", shop.name)
        done = recollect("import", str(out / "global"), "--global")

        assert "as it is here" in done.stdout


class TestImport:
    def test_of_a_file_that_is_neither_transcript_nor_record_fails(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        (tmp_path / "a.txt").write_text("Hello.\n")

        error = recollect("import", str(tmp_path / "a.txt"), code=1).exception

        assert isinstance(error, RecollectError)
        assert f"{tmp_path}/a.txt: nothing that can be imported" in error.message
        assert "Transcripts of Claude Code (`~/.claude/projects`)" in error.hint

    def test_of_another_program_s_records_makes_notes_of_this_project(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        put(tmp_path / "records" / "runbooks" / "build-hangs.json", FOREIGN)

        done = recollect("import", str(tmp_path / "records"))

        assert "Notes: 1 created." in done.stdout
        (record,) = exported(recollect)
        assert record["created_at"] == "2026-03-01T10:00:00Z"
        assert record["content"]["steps"] == ["stop the daemon", "delete the cache"]
        assert listed(recollect) == ["runbook/build-hangs"]

    def test_goes_where_the_options_say(self, recollect: Run, tmp_path: Path) -> None:
        file = str(put(tmp_path / "a.json", FOREIGN))
        recollect("remember", "Deploys need the VPN")

        recollect("import", file, "--global")
        recollect("import", file, "--project", "shop")

        assert names(exported(recollect, "--global")) == ["runbook/build-hangs"]
        assert "runbook/build-hangs" in names(exported(recollect))
        recollect("import", file, "--project", "nowhere", code=1)
        recollect("import", file, "--project", "shop", "--global", code=2)

    def test_of_one_that_is_wrong_takes_the_others_and_fails(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        wrong = {**FOREIGN, "id": "b", "title": "", "colour": "red"}
        file = put(tmp_path / "a.json", [FOREIGN, wrong, {**FOREIGN, "id": "c"}])

        done = recollect("import", str(file), code=1)
        again = recollect("import", str(file), "--json", code=1)

        assert "Notes: 2 created, 1 failed." in done.stdout
        assert f"{file}: record 2: runbook/b: title: empty; colour: unknown" in done.stdout
        assert "Remove colour" in done.stdout
        told = json.loads(again.stdout)["notes"]
        assert (told["created"], told["nothing"], told["failed"]) == (0, 2, 1)
        failed = told["records"][1]
        assert (failed["record"], failed["name"], failed["outcome"]) == (2, "runbook/b", "failed")
        assert "Remove colour" in failed["fix"]

    @pytest.mark.parametrize(
        ("raw", "said"),
        [
            (b"{", "no JSON"),
            (b'{"title": "\xff"}', "not UTF-8"),
            (b"[" * 50_000, "nested too deeply"),
            (b"7", "neither a record nor a list"),
            (b'{"name": "left-pad"}', "missing"),
            (b'[{"category": "decision", "confidence": NaN}]', "missing"),
        ],
        ids=str,
    )
    def test_of_a_file_that_is_none_says_why_and_fails(
        self, recollect: Run, tmp_path: Path, raw: bytes, said: str
    ) -> None:
        (tmp_path / "a.json").write_bytes(raw)

        done = recollect("import", str(tmp_path / "a.json"), code=1)

        assert "1 failed" in done.stdout
        assert said in done.stdout

    def test_takes_transcripts_and_notes_from_one_folder(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        fixture = Path(__file__).parent.parent / "fixtures/claude-code/plain-print.jsonl"
        (tmp_path / "mixed").mkdir()
        (tmp_path / "mixed/a.jsonl").write_bytes(fixture.read_bytes())
        put(tmp_path / "mixed" / "notes.json", [FOREIGN])
        put(tmp_path / "mixed" / "settings.json", {"theme": "dark"})

        told = json.loads(recollect("import", str(tmp_path / "mixed"), "--json").stdout)

        assert (told["added"], told["notes"]["created"], told["notes"]["failed"]) == (1, 1, 0)

    def test_of_transcripts_alone_does_not_make_a_project_of_this_folder(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        put(tmp_path / "transcripts" / "index.json", {"entries": []})

        recollect("import", str(tmp_path / "transcripts"))

        assert "has no memory yet" in str(recollect("export", code=1).exception)

    def test_rehearsed_says_the_same_and_changes_nothing(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        twice = [FOREIGN, FOREIGN, {**FOREIGN, "id": "b", "tags": []}]
        file = str(put(tmp_path / "a.json", twice))

        done = recollect("import", file, "--dry-run", code=1)
        told = json.loads(recollect("import", file, "--dry-run", "--json", code=1).stdout)

        assert "Notes: 1 would be created, 1 nothing, 1 failed." in done.stdout
        first, second, third = told["notes"]["records"]
        assert (first["outcome"], first["would"]) == ("nothing", "create")
        assert (second["outcome"], second["reason"]) == ("nothing", "as it is here")
        assert third["outcome"] == "failed"
        assert (told["notes"]["would_create"], told["transcripts"]) == (1, 0)
        assert "has no memory yet" in str(recollect("export", code=1).exception)

    def test_of_more_notes_than_may_be_says_which_were_retired(
        self, recollect: Run, tmp_path: Path
    ) -> None:
        recollect("config", "set", "categories.runbook.max_notes", "2")
        many = [
            {**FOREIGN, "id": f"n-{n}", "updated_at": f"2026-03-0{n + 2}T10:00:00"}
            for n in range(4)
        ]

        done = recollect("import", str(put(tmp_path / "a.json", many)))

        assert "Notes: 4 created." in done.stdout
        assert "2 retired: more than 2 notes of this category (n-0, n-1)" in done.stdout
        assert listed(recollect) == ["runbook/n-3", "runbook/n-2"]

    def test_reads_nothing_that_a_link_leads_to(self, recollect: Run, tmp_path: Path) -> None:
        beyond = put(tmp_path / "beyond" / "runbooks" / "build-hangs.json", FOREIGN)
        folder = tmp_path / "records"
        folder.mkdir()
        (folder / "runbooks").symlink_to(beyond.parent)
        (folder / "a.json").symlink_to(beyond)

        done = recollect("import", str(folder))

        assert "2 nothing: a link, and links are not followed" in done.stdout
        assert listed(recollect) == []
