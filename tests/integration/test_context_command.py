"""`recollect context`: what an agent would be given, why, and never more than there is room for."""

import itertools
import json
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect import fence, ids, tokens
from recollect.app.recollect import Recollect, opened
from recollect.cli.main import cli
from recollect.curation.curator import Saying
from recollect.errors import RecollectError
from recollect.journal.sections import Anchor
from recollect.notes.categories import Category
from tests.home import Home, git, repository
from tests.integration.conftest import Run
from tests.remembering import ANSWER, QUESTION, WORK, put, remember, take_in

COLOUR = re.compile(r"\x1b\[[0-9;]*(?:3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;)[0-9;]*m")


@pytest.fixture
def remembered(home: Home, shop: Path) -> None:
    remember(home, shop)


def told(recollect: Run, *arguments: str) -> dict[str, Any]:
    """What the command says, as data."""
    said: dict[str, Any] = json.loads(recollect("context", "--json", *arguments).stdout)
    return said


def refused(recollect: Run, *arguments: str) -> RecollectError:
    """How the command refuses."""
    error = recollect("context", *arguments, code=1).exception
    assert isinstance(error, RecollectError)
    return error


def given(home: Home, event: str, folder: Path, session: str = "new", **fields: object) -> str:
    """What a hook gives the agent."""
    said: Any = home.hook(event, session_id=session, cwd=str(folder), **fields)
    return said["hookSpecificOutput"]["additionalContext"] if "hookSpecificOutput" in said else ""


@pytest.mark.usefixtures("remembered")
class TestWhatItSays:
    def test_without_options_it_is_what_a_session_begins_with(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        home.no_worker()

        said = told(recollect)

        assert "Last session (just now" in said["context"]
        assert said["context"] == given(home, "SessionStart", shop, source="startup")

    def test_with_a_prompt_it_is_what_the_prompt_brings(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        home.no_worker()

        said = told(recollect, "--prompt", QUESTION)

        assert "selectinload" in said["context"]
        assert said["context"] == given(home, "UserPromptSubmit", shop, prompt=QUESTION)

    def test_as_data_it_has_the_same_shape_whatever_is_asked(self, recollect: Run) -> None:
        shape = [
            *("event", "project", "context", "message", "empty_reason", "nothing", "tokens"),
            *("pieces", "shown", "left_out", "worker"),
        ]  # fmt: skip
        events = {
            (): "SessionStart",
            ("--source", "resume"): "SessionStart",
            ("--prompt", QUESTION): "UserPromptSubmit",
            ("--prompt", "Translate this greeting into Finnish"): "UserPromptSubmit",
            ("--subagent",): "SubagentStart",
            ("--file", "orders.py"): "PreToolUse",
        }

        for asked, event in events.items():
            said = told(recollect, *asked)

            assert list(said) == shape
            assert said["event"] == event
            assert said["project"].startswith("shop-")
            assert said["tokens"] == tokens.estimate(said["context"])
            assert said["worker"] is False

    def test_what_is_shown_is_told_with_id_score_cost_and_reason(
        self, recollect: Run, home: Home
    ) -> None:
        (entry,) = home.kept()

        (one,) = told(recollect, "--prompt", QUESTION)["shown"]

        assert list(one) == ["id", "score", "tokens", "why"]
        assert one["id"] == entry.id
        assert 0.5 <= one["score"] <= 1
        assert 0 < one["tokens"] < 500
        assert one["why"]

    def test_each_piece_is_told_with_its_own_words(self, recollect: Run) -> None:
        said = told(recollect, "--prompt", QUESTION)

        (piece,) = said["pieces"]
        (one,) = said["shown"]

        assert list(piece) == ["kind", "id", "text", "tokens", "score", "reason"]
        assert piece["kind"] == "card"
        assert piece["text"] in said["context"]
        assert 0 < tokens.estimate(piece["text"]) <= piece["tokens"]
        assert (piece["id"], piece["score"], piece["reason"]) == (
            *(one["id"], one["score"], one["why"]),
        )

    def test_for_people_the_words_come_first_and_the_reasons_below(
        self, recollect: Run, home: Home
    ) -> None:
        (entry,) = home.kept()
        said = told(recollect, "--prompt", QUESTION)

        shown = recollect("context", "--prompt", QUESTION).stdout

        words, _, reasons = shown.partition("\n\n")
        assert words == said["context"]
        assert f"≈ {said['tokens']} tokens for the agent (UserPromptSubmit)" in reasons
        assert f"You are told: {said['message']}" in reasons
        (one,) = said["shown"]
        about = f"({one['score']:.2f}, {one['tokens']} tokens): {one['why']}"
        assert f"shown    {entry.id} {about}" in reasons
        assert reasons.endswith("The worker is not running: keyword search only.\n")

    def test_nothing_is_a_normal_answer(self, recollect: Run) -> None:
        assert "Nothing: " in recollect("context", "--source", "resume").stdout
        assert "Nothing: " in recollect("context", "--prompt", "Bake me a cake, please").stdout

    def test_another_time_moves_the_ages(self, recollect: Run) -> None:
        later = (datetime.now().astimezone() + timedelta(days=3, minutes=5)).isoformat()

        assert "(3 days ago, " in told(recollect, "--prompt", QUESTION, "--now", later)["context"]
        assert "Last session (3 days ago" in told(recollect, "--now", later)["context"]
        assert "Last session (just now" in told(recollect)["context"]

    def test_another_project_is_named(
        self, recollect: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = told(recollect)
        monkeypatch.chdir(tmp_path)

        assert told(recollect, "--project", "shop")["context"] == here["context"]

    def test_a_project_that_is_excluded_shows_nothing(self, recollect: Run) -> None:
        recollect("projects", "exclude", "shop")

        assert told(recollect)["context"] == ""
        assert told(recollect, "--prompt", QUESTION)["context"] == ""

    def test_a_subagent_gets_what_holds_and_no_work(self, recollect: Run) -> None:
        assert told(recollect, "--subagent")["context"] == ""

        recollect("remember", "-c", "constraint", "Deploys need the VPN")

        said = told(recollect, "--subagent")
        assert "Deploys need the VPN" in said["context"]
        assert "selectinload" not in said["context"]

    def test_a_file_is_told_of_only_where_that_is_wanted(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        a_session_with_a_file(home, shop, "s-2", "basket.py")
        assert told(recollect, "--file", "basket.py")["context"] == ""

        recollect("config", "set", "files.enabled", "true")

        said = told(recollect, "--file", "basket.py")
        assert "basket.py" in said["context"]
        assert said["context"] == told(recollect, "--file", str(shop / "basket.py"))["context"]
        assert told(recollect, "--file", "README.md")["context"] == ""

    def test_a_setting_of_the_environment_counts(
        self, recollect: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RECOLLECT_RECALL_BAR", "1")

        assert told(recollect, "--prompt", QUESTION)["context"] == ""

    def test_a_setting_for_this_call_alone_counts(self, recollect: Run) -> None:
        asked = ("context", "--json", "--prompt", QUESTION)

        without = json.loads(recollect("-s", "recall.enabled=false", *asked).stdout)

        assert without["context"] == ""


@pytest.mark.usefixtures("remembered")
class TestInASession:
    def test_what_it_was_shown_is_left_out_and_that_is_said(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        home.settle()
        put(home, "UserPromptSubmit", "s-2", shop, prompt="Hello there, old friend")
        take_in(home)
        assert given(home, "UserPromptSubmit", shop, "s-2", prompt=QUESTION)
        (entry,) = (one for one in home.kept() if one.title == ANSWER)

        said = told(recollect, "--prompt", QUESTION, "--session", "s-2")

        assert said["context"] == ""
        why = "this session has been shown it"
        assert {"id": entry.id, "why": why} in said["left_out"]
        people = recollect("context", "--prompt", QUESTION, "--session", "s-2").stdout
        assert f"left out {entry.id}: {why}" in people

    @pytest.mark.parametrize("mode", ["with a worker", "without a worker"])
    def test_asking_marks_nothing_as_shown(
        self, recollect: Run, home: Home, shop: Path, mode: str
    ) -> None:
        if mode == "with a worker":
            home.settle()
        else:
            home.no_worker()

        asked = [told(recollect, "--prompt", QUESTION, "--session", "s-1") for _ in range(2)]
        asked += [told(recollect, "--source", "compact", "--session", "s-1") for _ in range(2)]

        assert asked[0]["worker"] is (mode == "with a worker")
        assert asked[0] == asked[1]
        assert asked[2] == asked[3]
        assert not list(home.path.glob("run/shown/*"))
        assert "Nothing was shown" in recollect("stats").stdout

    def test_after_compaction_its_own_work_comes_first(self, recollect: Run) -> None:
        said = told(recollect, "--source", "compact", "--session", "s-1")["context"]

        assert "compacted" not in told(recollect)["context"]
        assert WORK in said

    def test_the_beginning_of_its_id_is_enough(self, recollect: Run) -> None:
        compact = ("--source", "compact", "--session")

        assert told(recollect, *compact, "s-1") == told(recollect, *compact, "s")


@pytest.mark.usefixtures("remembered")
class TestWithAWorker:
    """The command asks whom a hook asks, in the folder that it is in."""

    def test_a_neighbour_with_a_longer_name_is_not_taken_for_the_project(
        self, recollect: Run, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        neighbour = repository(tmp_path / "shop-of-horrors")
        remember(home, neighbour, "Feed the plant, it is hungry", "I fed it.", session="s-2")
        home.settle()
        here = told(recollect)
        monkeypatch.chdir(neighbour)

        said = told(recollect, "--project", str(tmp_path / "shop"))

        assert said["project"] == here["project"]
        assert said["context"] == here["context"]

    def test_a_second_worktree_is_looked_at_where_it_is(
        self,
        recollect: Run,
        home: Home,
        shop: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Its files may be other ones than those of the first."""
        a_session_with_a_file(home, shop, "s-2", "basket.py")
        feature = tmp_path / "feature"
        git(shop, "worktree", "add", "-q", str(feature))
        home.settle()
        monkeypatch.chdir(feature)

        said = told(recollect, "--prompt", "Why was the basket emptied on Mondays?")

        assert "`basket.py` is gone" in said["context"]


class TestItRefuses:
    @pytest.mark.parametrize(
        "options",
        [
            ("--prompt", QUESTION, "--file", "a.py"),
            ("--prompt", QUESTION, "--subagent"),
            ("--file", "a.py", "--subagent"),
        ],
    )
    def test_two_options_that_exclude_each_other(
        self, recollect: Run, remembered: None, options: tuple[str, ...]
    ) -> None:
        assert refused(recollect, *options).message == (
            "--prompt, --file, --error and --subagent exclude each other"
        )

    def test_a_session_that_it_does_not_know(self, recollect: Run, remembered: None) -> None:
        assert refused(recollect, "--session", "nobody").message == "no session nobody"

    @pytest.mark.parametrize("when", ["soonish", "", "2026-99-99"])
    def test_a_time_that_is_none(self, recollect: Run, remembered: None, when: str) -> None:
        error = refused(recollect, "--now", when)

        assert error.message == f"--now: {when!r} is not a time"
        assert "yesterday" in error.hint

    def test_a_folder_without_memory(self, recollect: Run) -> None:
        error = refused(recollect)

        assert "has no memory yet" in error.message
        assert "--project" in error.hint

    def test_a_project_that_it_does_not_know(self, recollect: Run, remembered: None) -> None:
        assert "nonsense" in refused(recollect, "--project", "nonsense").message

    def test_a_way_to_begin_that_there_is_not(self, recollect: Run, remembered: None) -> None:
        done = recollect("context", "--source", "birth", code=2)

        assert "'startup', 'clear', 'compact', 'resume'" in done.stderr


@pytest.mark.usefixtures("remembered")
class TestInATerminal:
    def test_the_words_are_not_wrapped_in_a_narrow_one(self, recollect: Run, home: Home) -> None:
        asked = ("context", "--prompt", QUESTION)
        env = {"COLUMNS": "40", "RECOLLECT_HOME": str(home)}

        narrow = CliRunner().invoke(cli, asked, env=env).stdout

        assert narrow == recollect(*asked).stdout
        assert "\x1b" not in narrow

    def test_nothing_is_coloured_where_nobody_looks(self, recollect: Run) -> None:
        assert "\x1b" not in recollect("context", "--prompt", QUESTION).stdout

    def test_nothing_is_coloured_for_who_wants_no_colour(
        self, recollect: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")

        assert not COLOUR.search(recollect("context", "--prompt", QUESTION).stdout)

    def test_a_memory_cannot_colour_the_terminal_or_pass_for_our_markup(
        self, recollect: Run, home: Home, shop: Path
    ) -> None:
        remember(
            home,
            shop,
            "Paint the [bold red]harbour crane[/bold red] \x1b[31mcrimson\x1b[0m",
            "I painted the crane; the cause was rust.",
            session="s-2",
        )

        shown = recollect("context", "--prompt", "Why paint the harbour crane crimson?").stdout

        assert "harbour crane" in shown
        assert "[bold red]" in shown
        assert "\x1b" not in shown


def a_session_with_a_file(home: Home, shop: Path, session: str, name: str) -> None:
    """Let a session have written the file *name*, and said why."""
    path = shop / name
    path.write_text("\n".join(f"def step_{number}(): ..." for number in range(60)))
    turn: dict[str, Any] = {"session": session, "folder": shop, "prompt_id": f"{session}-1"}
    put(home, "UserPromptSubmit", prompt="The basket is emptied on Mondays, why?", **turn)
    put(
        home, "PostToolUse", tool_name="Write", tool_use_id="toolu_1",
        tool_input={"file_path": str(path), "content": path.read_text()},
        tool_response={"type": "create", "filePath": str(path)}, **turn,
    )  # fmt: skip
    put(home, "Stop", last_assistant_message="The cause was a cron job; I fixed it.", **turn)
    put(home, "SessionEnd", reason="other", **turn)
    take_in(home)


ENTRIES = 20_000
ENTRIES_A_DAY = 500
EMOJI = "🎉🚀" * 60
ARABIC = "إصلاح صفحة الطلبات البطيئة " * 4
HEBREW = "\u202eתיקון דף ההזמנות האיטי\u202c " * 4
KEEPER = "The lighthouse keeper of Skagen wrote it all down. "
# A journal takes any text that a person writes into it, a note at most 20,000 characters.
HUGE, LONG = KEEPER * 20_000, KEEPER * 380

BUDGETS = {
    "SessionStart": 2000,
    "UserPromptSubmit": 600,
    "SubagentStart": 400,
    "PreToolUse": 400,
}
NOTES: dict[Category, str] = {
    "constraint": ARABIC,
    "preference": EMOJI,
    "decision": HEBREW,
    "runbook": "What the keeper does",
}
PROMPTS = [
    "Was the harbour crane number 17312 rusty?",
    "What did the lighthouse keeper of Skagen write down?",
    "Why is the celebration rocket 🎉🚀 launched on Sundays?",
    ARABIC,
    HEBREW,
]


class Enormous:
    """A shop that remembers twenty thousand turns, and notes that are too long or look odd."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.folder = folder
        self._sessions = itertools.count()

    def ask(self, event: str, **fields: object) -> Any:
        """What a hook prints, which must come in time: the better of two tries counts."""
        payload = {"hook_event_name": event, "cwd": str(self.folder), **fields}
        taken = []
        for _ in range(2):
            asked = json.dumps({**payload, "session_id": str(next(self._sessions))}).encode()
            begun = time.monotonic()
            printed = self.home.raw_hook(event, asked).stdout
            taken.append(time.monotonic() - begun)
        assert min(taken) < 1.0
        return json.loads(printed) if printed else {}


def _write_journal(app: Recollect, project: str) -> None:
    """Write the day files of many sessions at once; they are indexed afterwards."""
    journal = Path(app.inside.library(project).location) / "journal"
    journal.mkdir(parents=True, exist_ok=True)
    first = datetime.now().astimezone() - timedelta(days=ENTRIES // ENTRIES_A_DAY + 1)
    for day in range(ENTRIES // ENTRIES_A_DAY):
        at = first + timedelta(days=day)
        lines = [f"## Session {at:%H:%M} · day{day:05}", ""]
        for number in range(day * ENTRIES_A_DAY, (day + 1) * ENTRIES_A_DAY):
            moment = at + timedelta(seconds=number % ENTRIES_A_DAY)
            lines += _entry(number, moment, session=f"day{day:05}-session")
        (journal / f"{at:%Y-%m-%d}.md").write_text("\n".join(lines))
    today = journal / f"{datetime.now().astimezone():%Y-%m-%d}.md"
    rocket = f"{EMOJI} celebration rocket launched on Sundays"
    strange = {rocket: LONG, ARABIC * 3: LONG, HEBREW * 3: LONG, KEEPER * 9: HUGE}
    today.write_text("".join(f"## {title}\n\n{said}\n\n" for title, said in strange.items()))


def _entry(number: int, at: datetime, *, session: str) -> list[str]:
    heading = f"### {at:%H:%M} Paint the harbour crane number {number}"
    body = f"- **bugfix** Crane {number} was rusty\n  - files: `crane.py` (modified)"
    anchor = Anchor(
        id=f"{at:%Y%m%dT%H%M%S}-{number:08x}",
        turn=f"turn-{number}",
        session=session,
        host="claude-code",
        at=at.isoformat(),
        by="extractive/1",
        hash=ids.text_hash("\n".join([heading, *body.splitlines()])),
    )
    return [heading, anchor.render(), *body.splitlines(), ""]


@pytest.fixture
def enormous(home: Home, shop: Path) -> Enormous:
    # As much as can be is shown for a prompt.
    settings = 'embedder.kind = "none"\nfiles.enabled = true\nrecall.min_score = 0.2\n'
    (home.path / "config.toml").write_text(settings)
    (shop / "crane.py").write_text("crane = True\n")
    with opened(str(home)) as app:
        project = app.projects.meet(str(shop)).name
        _write_journal(app, project)
        app.upkeep.refresh(project)
        for category, title in NOTES.items():
            said = Saying(category=category, text=f"{title} `crane.py`\n\n{LONG}", title=title)
            app.notes.remember(said, project=project, now=datetime.now(UTC))
        app.settings.publish()
    return Enormous(home, shop)


def test_of_twenty_thousand_memories_and_enormous_notes_all_stays_within_its_limits(
    enormous: Enormous,
) -> None:
    """One test, because building them takes longer than all that is asked of them."""
    for mode in (enormous.home.no_worker, enormous.home.settle):
        mode()
        for source in ("startup", "clear", "compact"):
            is_within_its_limits(enormous.ask("SessionStart", source=source))
        for prompt in PROMPTS:
            is_within_its_limits(enormous.ask("UserPromptSubmit", prompt=prompt))
        is_within_its_limits(enormous.ask("SubagentStart", agent_id="a-1", agent_type="Explore"))
        read = {"file_path": str(enormous.folder / "crane.py")}
        is_within_its_limits(enormous.ask("PreToolUse", tool_name="Read", tool_input=read))
        # Every memory has these words, so none of them is meant.
        assert enormous.ask("UserPromptSubmit", prompt="Paint the harbour crane") == {}
        # A prompt of a megabyte asks for too much, but does not fail.
        enormous.ask("UserPromptSubmit", prompt=HUGE)


def is_within_its_limits(said: Any) -> None:
    """The host hands it over whole, the agent does not drown in it, the user can read it."""
    given = said["hookSpecificOutput"]
    context = given["additionalContext"]
    assert tokens.estimate(context) <= BUDGETS[given["hookEventName"]]
    assert fence.units(context) == len(context.encode("utf-16-le")) // 2 <= 10_000
    assert context.startswith("<recollect-memory>\n")
    assert context.endswith("\n</recollect-memory>")
    assert context.count("recollect-memory>") == 2
    assert all(len(line) < 300 for line in said.get("systemMessage", "").splitlines())
