"""What agents may see and change: their own project, and nothing the user keeps from them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, paths
from recollect.app import viewer
from recollect.app.projects import Projects
from recollect.app.recollect import Recollect, opened
from recollect.curation.curator import NoteFilter
from recollect.errors import NotFoundError, RecollectError
from recollect.mcp_server import calls, pages
from recollect.mcp_server.calls import CallResult
from tests.home import Home, repository
from tests.remembering import put, remember, take_in

SECRET = "The zebra launch is planned for May"
DECISION = "We use Redis as the L1 cache because p99 mattered more than memory"


@pytest.fixture
def here(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RECOLLECT_HOME", str(home))
    home.no_worker()
    folder = repository(tmp_path / "here")
    remember(home, folder, session="s-here")
    return folder


@pytest.fixture
def other(home: Home, here: Path, tmp_path: Path) -> Path:
    """Another project, whose one turn is about zebras."""
    folder = repository(tmp_path / "other")
    remember(home, folder, prompt="Plan the zebra launch", answer=SECRET, session="s-other")
    return folder


@pytest.fixture
def all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let agents look into every project."""
    monkeypatch.setenv("RECOLLECT_AGENTS_ALL_PROJECTS", "true")


def ask(folder: Path, tool: str, /, **arguments: object) -> CallResult:
    return calls.answer(tool, arguments, folder=str(folder))


def kept_note(folder: Path, text: str = DECISION, **more: object) -> str:
    return str(ask(folder, "remember", text=text, **more).data["id"])


def set_up(home: Home, **settings: str) -> None:
    with opened(str(home)) as app:
        for key, value in settings.items():
            app.settings.set(key.replace("__", "."), value)


def zebra(home: Home) -> str:
    """The id of the turn about zebras."""
    return next(one.id for one in home.kept() if "zebra" in one.title)


@pytest.mark.usefixtures("all_open")
def test_who_names_a_project_means_its_notes_and_not_those_of_everywhere(
    home: Home, here: Path, other: Path
) -> None:
    meant = kept_note(other, "We use Redis in the kiosk, because it is there", title="Kiosk")
    with Memory(folder=str(here), home=str(home)) as memory:
        memory.remember("We use Redis in every kiosk", title="Kiosk two", everywhere=True)

    found = ask(here, "expand", ids=["decision/kiosk"], project=str(other))

    assert [one["id"] for one in found.data["entries"]] == [meant]


@pytest.mark.usefixtures("all_open")
class TestWhatIsExcluded:
    """By name, by where it is, or by a file that it tells of."""

    def exclude(self, home: Home, other: Path, how: str) -> None:
        if how == "by name":
            with opened(str(home)) as app:
                app.inside.registry.exclude(app.projects.find("other"), excluded=True)
        else:
            set_up(home, capture__exclude_paths=f"{other.parent}/other*")

    @pytest.mark.parametrize("how", ["by name", "by where it is"])
    def test_a_project_is_out_of_reach(self, home: Home, here: Path, other: Path, how: str) -> None:
        day = paths.project(str(home), next(home.path.glob("projects/other*")).name)
        name, entry = Path(day).name, zebra(home)
        date = next(Path(day).glob("journal/*.md")).stem
        self.exclude(home, other, how)

        for answer in (
            ask(here, "search", query="zebra launch", project="other"),
            ask(here, "search", query="zebra launch", project="*"),
            ask(here, "search", query="zebra launch project:other"),
            ask(here, "expand", ids=[entry]),
            ask(here, "expand", ids=[entry], project="other"),
            ask(here, "transcript", id=entry),
            ask(here, "transcript", id="s-other"),
            ask(here, "recent", project="other"),
            ask(other, "search", query="zebra launch"),
            ask(other, "recent"),
            ask(other, "forget", id=entry),
        ):
            assert "May" not in answer.text + json.dumps(answer.data)
            assert "Plan the zebra" not in answer.text + json.dumps(answer.data)
        for uri in (f"recollect://day/{name}/{date}", f"recollect://note/{name}/{entry}"):
            with pytest.raises(Exception, match=r"excluded|no such"):
                pages.read(uri, folder=str(here))
        assert ask(other, "remember", text="The kettle is in the cellar").failed
        assert ask(other, "forget", id=entry).failed
        assert "zebra" in home.journal()

    def test_a_note_of_such_a_project_is_not_changed_nor_told_of(
        self, home: Home, here: Path, other: Path
    ) -> None:
        first, second = kept_note(other), kept_note(other, text=SECRET, category="decision")
        with Memory(folder=str(other), home=str(home)) as memory:
            memory.retire(second, reason="planned for June")
            read_at = memory.expand(first).hash
        self.exclude(home, other, "by name")

        kept = ask(other, "revise", id=first, action="edit", text="Tea.", hash=read_at)
        gone = ask(other, "expand", ids=[second])

        assert "is excluded from memory" in kept.text
        assert "June" not in gone.text

    def test_a_turn_about_an_excluded_file_is_out_of_reach(self, home: Home, here: Path) -> None:
        turn: dict[str, Any] = {"session": "keys", "folder": here, "prompt_id": "keys-1"}
        put(home, "UserPromptSubmit", prompt="Rotate the signing key", **turn)
        edit = {"file_path": str(here / "keys/a.pem"), "old_string": "a", "new_string": "b"}
        put(home, "PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="t", **turn)
        put(home, "Stop", last_assistant_message="Rotated into the heron vault.", **turn)
        put(home, "SessionEnd", reason="other", **turn)
        take_in(home)
        entry = next(one.id for one in home.kept() if "Rotate" in one.title)
        assert ask(here, "search", query="rotate signing key").data["results"]

        set_up(home, capture__exclude_paths="*.pem")

        uris = [page.uri for page in pages.listed(folder=str(here))[0]]
        told = [
            *(ask(here, "search", query="rotate signing key").text,),
            *(ask(here, "expand", ids=[entry]).text, ask(here, "transcript", id="keys").text),
            *(ask(here, "recent").text, *(pages.read(uri, folder=str(here)) for uri in uris)),
        ]
        assert "heron" not in "\n".join(told)


class TestOtherProjects:
    """Closed, unless the user opens them."""

    def everything(self, home: Home, here: Path, other: Path) -> list[str]:
        """What an agent in one project is told that asks for another in every way there is."""
        entry, session = zebra(home), "s-other"
        with Memory(folder=str(other), home=str(home)) as memory:
            name, label = memory.project, "other"
            note = memory.remember(SECRET, category="decision")
            file = memory.expand(note.id).file
            read_at = memory.expand(note.id).hash
        (date,) = [path.stem for path in home.path.glob(f"projects/{name}/journal/*.md")]
        told = [
            ask(here, "search", query="zebra launch", project="*"),
            ask(here, "search", query=f"zebra launch project:{label}"),
            *(
                ask(here, tool, project=project, **arguments)
                for project in (name, label, str(other))
                for tool, arguments in (
                    ("search", {"query": "zebra launch"}),
                    ("expand", {"ids": [entry]}),
                    ("transcript", {"id": entry}),
                    ("recent", {}),
                    ("revise", {"id": note.id, "action": "retire", "hash": read_at}),
                )
            ),
            ask(here, "expand", ids=[entry, entry[-8:], note.id, file]),
            ask(here, "transcript", id=entry),
            ask(here, "transcript", id=session),
            ask(here, "transcript", id=session[:3]),
            ask(here, "revise", id=file, action="edit", text="Tea", hash=read_at),
            ask(here, "revise", id=note.id, action="wrong"),
            ask(here, "forget", id=entry),
            ask(here, "forget", id=file),
            ask(here, "remember", text="Tea is served at noon", project=label),
        ]
        uris = (f"recollect://day/{name}/{date}", f"recollect://note/{name}/{note.id}")
        pages_told = []
        for uri in (*uris, pages.PROJECTS.uri):
            try:
                pages_told.append(pages.read(uri, folder=str(here)))
            except RecollectError as error:
                pages_told.append(error.message)
        return [*(f"{one.text}{json.dumps(one.data)}" for one in told), *pages_told]

    def test_are_closed_in_every_way_there_is(self, home: Home, here: Path, other: Path) -> None:
        before = [path.read_text() for path in sorted(home.path.glob("projects/other*/**/*.md"))]

        told = self.everything(home, here, other)

        assert not [one for one in told if "planned for May" in one or "Plan the zebra" in one]
        after = "".join(path.read_text() for path in home.path.glob("projects/other*/**/*.md"))
        assert all(text in after for text in before)
        assert "Tea" not in after
        assert "here" in told[-1]
        assert "other-" not in told[-1]

    def test_are_said_to_be_closed_and_who_can_open_them(self, here: Path, other: Path) -> None:
        for told in (
            ask(here, "search", query="zebra", project="*"),
            ask(here, "search", query="zebra project:other"),
            ask(here, "expand", ids=["x"], project="other"),
            ask(here, "recent", project="no-such-project"),
        ):
            assert "closed to agents; their user can set agents.all_projects" in told.text

    def test_are_opened_by_the_setting_also_for_the_sessions_of_one_project(
        self, home: Home, here: Path, other: Path
    ) -> None:
        with opened(str(home)) as app:
            app.settings.set(
                "agents.all_projects", "true", project=app.projects.here(str(here)).name
            )

        assert SECRET in ask(here, "search", query="zebra launch", project="*").text
        assert SECRET in ask(here, "transcript", id="s-other").text
        assert "other-" in pages.read(pages.PROJECTS.uri, folder=str(here))
        assert ask(other, "recent", project="here").failed

    def test_what_holds_everywhere_stays_open(self, home: Home, here: Path) -> None:
        with Memory(folder=str(here), home=str(home)) as memory:
            memory.remember("Answer in British English", category="preference", everywhere=True)

        assert ask(here, "search", query="British English").data["results"]
        assert ask(here, "search", query="British English", project="global").data["results"]


@pytest.mark.usefixtures("all_open")
class TestTheSameNameInTwoProjects:
    @pytest.fixture(autouse=True)
    def notes(self, here: Path, other: Path) -> str:
        kept_note(other, title="cache")
        return kept_note(here, title="cache")

    def test_each_sees_its_own_with_its_own_neighbours(
        self, here: Path, other: Path, notes: str
    ) -> None:
        (entry,) = ask(other, "expand", ids=[notes]).data["entries"]

        assert entry["project"].startswith("other")
        around = [*entry.get("before", ()), *entry.get("after", ())]
        assert {one["project"] for one in around} == {entry["project"]}

    def test_what_was_retired_here_is_not_answered_by_another(self, here: Path, notes: str) -> None:
        (entry,) = ask(here, "expand", ids=[notes]).data["entries"]
        ask(here, "revise", id=notes, action="retire", hash=entry["hash"])

        assert ask(here, "expand", ids=[notes]).failed

    def test_a_page_is_of_the_project_that_it_names(
        self, home: Home, here: Path, other: Path
    ) -> None:
        own = next(page.uri for page in pages.listed(folder=str(here))[0] if "note" in page.uri)
        project = own.split("/")[3]

        with pytest.raises(NotFoundError):
            pages.read(f"recollect://note/{project}/{zebra(home)}", folder=str(here))

    def test_a_line_by_hand_in_both_is_forgotten_in_one(
        self, home: Home, here: Path, other: Path
    ) -> None:
        for day in home.path.glob("projects/*/journal/*.md"):
            day.write_text(day.read_text() + "\n## The blue door sticks\n\nPush hard.\n")
        (hit,) = ask(here, "search", query="blue door").data["results"]

        assert ask(here, "forget", id=hit["id"]).data["outcome"] == "forgotten"

        assert not ask(here, "search", query="blue door").data["results"]
        assert ask(other, "search", query="blue door").data["results"]


@pytest.mark.usefixtures("all_open")
def test_a_turn_of_another_project_can_be_expanded_by_its_id(
    home: Home, here: Path, other: Path
) -> None:
    (hit,) = ask(here, "search", query="zebra", project="*").data["results"]

    assert SECRET in ask(here, "expand", ids=[hit["id"]]).text
    assert ask(here, "forget", id=hit["id"]).failed
    assert SECRET in home.journal()


@pytest.mark.usefixtures("all_open")
def test_a_hint_names_no_project_that_is_excluded(home: Home, here: Path, other: Path) -> None:
    name = kept_note(other, title="zebras")
    with opened(str(home)) as app:
        app.inside.registry.exclude(app.projects.find("other"), excluded=True)

    for told in (
        ask(here, "expand", ids=[name]),
        ask(here, "revise", id=name, action="retire", hash="0"),
        ask(here, "forget", id=name),
    ):
        assert told.failed
        assert "elsewhere" not in told.text


def test_each_project_is_asked_about_once_however_much_there_is(
    home: Home, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        remember(home, here, prompt=f"Paint door {number}", session=f"s-{number}")
    asked = []

    def counted(self: Projects, name: str) -> bool:
        asked.append(name)
        return False

    monkeypatch.setattr(Projects, "is_excluded", counted)
    app = Recollect(str(home))
    entries = app.inside.index.recent(app.projects.here(str(here)).name, limit=-1)
    shown = list(app.seen_by(viewer.program(str(here))).visibility.entries(entries))
    app.close()

    assert shown == entries
    assert len(entries) == 4
    assert len(asked) == 1


@pytest.mark.usefixtures("all_open")
@pytest.mark.parametrize("folder", ["/", "~"])
def test_nothing_is_remembered_where_no_project_is(home: Home, here: Path, folder: str) -> None:
    Path(os.path.expanduser("~")).mkdir(exist_ok=True)
    where = Path(os.path.expanduser(folder))

    refused = ask(where, "remember", text=DECISION)

    assert refused.failed
    assert "Say which project, or everywhere" in refused.text
    assert ask(where, "remember", text=DECISION, project=str(here)).data["outcome"] == "created"


class TestWhoSaysIt:
    def test_an_agents_note_is_not_the_users_word(self, home: Home, here: Path) -> None:
        name = kept_note(here)

        text = next(home.path.glob("projects/here*/decisions/*.md")).read_text()
        assert "by: agent" in text
        assert name.startswith("decision/")

    def test_what_an_agent_made_of_a_note_is_the_users_word_no_longer(
        self, home: Home, here: Path
    ) -> None:
        with Memory(folder=str(here), home=str(home)) as memory:
            name = memory.remember(DECISION).id
        path = next(home.path.glob("projects/here*/decisions/*.md"))
        assert "by: agent" not in path.read_text()
        (entry,) = ask(here, "expand", ids=[name]).data["entries"]

        ask(here, "revise", id=name, action="edit", text="We use Valkey.", hash=entry["hash"])

        assert "by: agent" in path.read_text()
        assert "times_updated: 1" in path.read_text()
        assert "field: decision" in path.read_text()

    def test_an_edit_that_changes_nothing_leaves_the_user_their_word(
        self, home: Home, here: Path
    ) -> None:
        with Memory(folder=str(here), home=str(home)) as memory:
            name = memory.remember(DECISION).id
        path = next(home.path.glob("projects/here*/decisions/*.md"))
        before = path.read_text()
        (entry,) = ask(here, "expand", ids=[name]).data["entries"]

        same = {"text": entry["body"], "hash": entry["hash"]}
        done = ask(here, "revise", id=name, action="edit", **same)

        assert done.data["outcome"] == "nothing"
        assert path.read_text() == before

    def test_what_was_erased_is_not_made_again(self, home: Home, here: Path) -> None:
        name = kept_note(here)
        with opened(str(home)) as app:
            (held,) = app.notes.listed([app.projects.here(str(here)).name], _every())
            app.notes.forget(held, really=True, now=held.note.updated_at)

        again = ask(here, "remember", text=DECISION)

        assert again.data["outcome"] == "nothing"
        assert "forgotten for good" in again.text
        assert ask(here, "expand", ids=[name]).failed

    def test_an_edit_does_not_accept_what_waits_for_the_user(self, home: Home, here: Path) -> None:
        name = kept_note(here)
        path = next(home.path.glob("projects/here*/decisions/*.md"))
        path.write_text(path.read_text().replace("---\n#", "review: proposed\n---\n#"))
        (entry,) = ask(here, "expand", ids=[name]).data["entries"]

        ask(here, "revise", id=name, action="edit", text="We use Valkey.", hash=entry["hash"])

        assert "Valkey" in path.read_text()
        assert "review: proposed" in path.read_text()


def _every() -> NoteFilter:
    return NoteFilter()
