"""`Memory`, as a program uses it; what the tools for agents do with it is in `test_mcp`."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_type_hints

import pytest
from click.testing import CliRunner

from recollect import Memory
from recollect.app.recollect import Recollect
from recollect.cli.main import cli
from recollect.errors import NotFoundError, ProjectError, RecollectError
from recollect.store.files import hosted
from tests.home import Home, repository
from tests.remembering import ANSWER, WORK, remember


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    home.no_worker()
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


@pytest.fixture
def memory(home: Home, shop: Path) -> Iterator[Memory]:
    with Memory(folder=str(shop), home=str(home)) as memory:
        yield memory


def test_entries_are_all_there_is_newest_first(memory: Memory) -> None:
    note = memory.remember("Deploys need the company VPN", category="constraint")

    assert [one.title for one in memory.entries()] == ["Deploys need the company VPN", ANSWER]
    assert [one.id for one in memory.entries(category="constraint")] == [note.id]
    assert [one.id for one in memory.entries(limit=1)] == [note.id]
    assert list(memory.entries(since=datetime.now(UTC) + timedelta(days=1))) == []


def test_entries_are_those_that_hold_everywhere_and_the_hosts_own_too(
    memory: Memory, shop: Path, tmp_path: Path
) -> None:
    memory.remember("Answer in British English", category="preference", everywhere=True)
    facts = tmp_path / "home/.claude/projects" / hosted.slug(str(shop)) / "memory"
    facts.mkdir(parents=True)
    (facts / "train.md").write_text("The train leaves at ten.\n")

    kinds = {(one.kind, one.project == memory.project) for one in memory.entries()}

    assert kinds == {("entry", True), ("note", False), ("hosted", True)}
    assert [one.category for one in memory.notes()] == ["preference"]


def test_entries_may_be_changed_while_they_are_gone_through(memory: Memory) -> None:
    for text in ("Deploys need the company VPN", "Tokens expire hourly"):
        memory.remember(text, category="constraint")

    for entry in memory.entries():
        memory.forget(entry.id)

    assert list(memory.entries()) == []


def test_a_mistake_is_an_error_of_ours_that_says_what_to_do(
    memory: Memory, tmp_path: Path, home: Home
) -> None:
    (tmp_path / "file").write_text("")
    wrong: list[Callable[[], object]] = [
        lambda: memory.recent(limit=-1),
        lambda: memory.entries(limit=-1),
        lambda: memory.search("tea", limit=-1),
        lambda: memory.expand(home.kept()[0].id, before=-1),
        lambda: memory.entries(category="poem"),
        lambda: memory.remember("Tea", author="nobody"),  # type: ignore[arg-type]  # As a program might.
        lambda: memory.remember("x" * 45_000),
        lambda: Memory(home=str(tmp_path / "file" / "home")),
    ]

    for call in wrong:
        with pytest.raises(RecollectError) as caught:
            call()
        assert caught.value.hint
        assert "--" not in caught.value.hint


def test_the_types_of_every_method_are_within_reach() -> None:
    for name, method in vars(Memory).items():
        if callable(method) and not name.startswith("_"):
            assert get_type_hints(method)


def test_an_empty_hash_is_that_of_no_note(memory: Memory) -> None:
    note = memory.remember("Deploys need the company VPN")

    assert memory.edit(note.id, "Deploys need nothing.", hash="").outcome == "failed"
    assert memory.supersede(note.id, text="Tea", hash="").outcome == "failed"
    assert memory.retire(note.id, hash="").outcome == "failed"
    assert memory.retire(note.id).outcome == "retired"


def test_what_takes_the_place_of_a_note_is_named_by_its_id(memory: Memory) -> None:
    old = memory.remember("Deploys need the company VPN", category="constraint")
    new = memory.remember("Tokens expire hourly", category="constraint")

    assert memory.supersede(old.id, by=new.id).outcome == "superseded"
    assert [one.id for one in memory.notes()] == [new.id]


def test_a_day_is_what_the_journal_says(memory: Memory) -> None:
    (day,) = memory.days()

    assert WORK in memory.day(day)
    with pytest.raises(NotFoundError):
        memory.day("../../state")


def test_a_transcript_is_what_was_said(memory: Memory, home: Home) -> None:
    (turn,) = memory.transcript(home.kept()[0].id).turns

    assert (turn.prompt, turn.answer) == (WORK, ANSWER)


def test_another_project_can_be_named(home: Home, shop: Path, tmp_path: Path) -> None:
    with Memory(folder=str(tmp_path), project="shop", home=str(home)) as memory:
        assert [one.title for one in memory.entries()] == [ANSWER]


def test_a_folder_without_a_memory_is_an_error_until_something_is_remembered(
    home: Home, tmp_path: Path
) -> None:
    folder = repository(tmp_path / "new")
    with Memory(folder=str(folder), home=str(home)) as memory:
        with pytest.raises(ProjectError, match="has no memory yet") as caught:
            memory.search("tea")
        assert "--" not in caught.value.hint
        with pytest.raises(ProjectError):
            memory.recent()

        memory.remember("The kettle is in the cellar")

        assert [hit.title for hit in memory.search("kettle")] == ["The kettle is in the cellar"]


def test_nothing_is_erased_unless_it_is_really_meant(memory: Memory, home: Home) -> None:
    (entry,) = home.kept()

    assert memory.forget(entry.id).outcome == "forgotten"
    assert memory.restore(entry.id).is_done
    assert memory.forget(entry.id, really=True).outcome == "erased"
    with pytest.raises(RecollectError):
        memory.restore(entry.id)


def test_the_package_offers_nothing_else() -> None:
    import recollect

    assert recollect.__all__ == ["Memory"]
    with pytest.raises(AttributeError):
        recollect.Mammoth  # noqa: B018


def test_the_former_name_of_why_a_note_is_hidden_still_works(memory: Memory) -> None:
    memory.remember("Deploys need the company VPN", category="constraint")

    with pytest.warns(DeprecationWarning, match="hidden_reason"):
        assert memory.notes()[0].aside == ""


class TestTheDoor:
    """What is allowed is the same whoever opens a home, and how."""

    def test_paths_are_taken_for_text(self, home: Home, shop: Path) -> None:
        with Memory(folder=shop, project=shop, home=Path(str(home))) as memory:
            assert [one.title for one in memory.search("orders page")] == [ANSWER]

    def test_an_unknown_project_is_told_at_once(self, home: Home, shop: Path) -> None:
        with pytest.raises(ProjectError, match="no project called nowhere"):
            Memory(folder=shop, project="nowhere", home=str(home))

    @pytest.mark.parametrize(
        "ask",
        [
            lambda memory: memory.search("orders"),
            lambda memory: memory.notes(),
            lambda memory: memory.remember("Deploys need the VPN"),
            lambda memory: memory.project,
        ],
    )
    def test_one_that_was_closed_says_so(
        self, home: Home, shop: Path, ask: Callable[[Memory], object]
    ) -> None:
        memory = Memory(folder=shop, home=str(home))
        memory.close()
        memory.close()

        with pytest.raises(RecollectError, match="was closed already"):
            ask(memory)

    def test_a_home_that_was_closed_says_so(self, home: Home, shop: Path) -> None:
        app = Recollect(str(home))
        project = app.projects.here(shop)
        app.close()

        for ask in (app.projects.all, lambda: app.search.notes(project.name)):
            with pytest.raises(RecollectError, match="was closed already"):
                ask()

    def test_nothing_is_remembered_of_the_users_own_folder(
        self, home: Home, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = str(home.path.parent)
        monkeypatch.setenv("HOME", folder)
        home.no_worker()

        with Memory(folder=folder, home=str(home)) as memory, pytest.raises(ProjectError) as told:
            memory.remember("Deploys need the VPN")
        monkeypatch.chdir(folder)
        by_command = CliRunner().invoke(
            cli, ["remember", "Deploys need the VPN"], env={"RECOLLECT_HOME": str(home)}
        )

        assert isinstance(by_command.exception, ProjectError)
        assert by_command.exception.message == told.value.message
        with Memory(folder=folder, home=str(home)) as memory:
            assert memory.projects() == {}

    def test_what_fails_leaves_no_project_behind(
        self, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home.no_worker()
        folder = repository(tmp_path / "new")
        (home.path / "config.toml").write_text("[categories.decision]\nenabled = false\n")
        monkeypatch.chdir(folder)

        with Memory(folder=folder, home=str(home)) as memory:
            done = memory.remember("We chose Redis", category="decision")
        asked = ["remember", "--category", "decision", "We chose Redis"]
        CliRunner().invoke(cli, asked, env={"RECOLLECT_HOME": str(home)})

        with Memory(folder=folder, home=str(home)) as memory:
            assert not done.is_done
            assert memory.projects() == {}
        assert list(home.path.glob("projects/*")) == []
