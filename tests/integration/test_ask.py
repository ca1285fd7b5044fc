"""`recollect ask`: what a person reads when a model answers, and when none does."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from recollect import paths, worker_client
from recollect.app.recollect import Recollect, opened
from recollect.cli import ask as command
from recollect.errors import EngineError, RecollectError
from recollect.llm.budgeted_client import BudgetedClient
from recollect.llm.engine import Asked, Completion
from recollect.search.embedding import Embeddings
from recollect.store.contract.state import Spent
from tests.endpoints import ChatApi, Fail, Say
from tests.home import Home, repository, wait_for
from tests.remembering import ANSWER, QUESTION, remember

SETTINGS = {"synthesis.engine": "claude"}


class Scripted:
    """A model that says what it was told to; keeps what it was asked, and for whom."""

    def __init__(self) -> None:
        self.says: Sequence[str] = ("<answer>So.</answer>",)
        self.trouble = ""
        self.fails: EngineError | None = None
        self.cost: float | None = 0.0004
        self.asked: list[Asked] = []
        self.whom: set[tuple[str, str]] = set()

    def answer(self, asked: Asked, project: str, purpose: str) -> Completion:
        if self.fails:
            raise self.fails
        self.whom.add((project, purpose))
        self.asked.append(asked)
        spent = Spent(input_tokens=1000, output_tokens=17, cost=self.cost)
        return Completion(text=self.says[len(self.asked) - 1], model="haiku", spent=spent)


class ScriptedClient(BudgetedClient):
    """The client as it is, but with a scripted model behind it."""

    model: Scripted

    def trouble(self, project: str) -> str:
        return self.model.trouble

    def ask(self, asked: Asked, *, project: str, purpose: str) -> Completion:
        return self.model.answer(asked, project, purpose)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    scripted = Scripted()

    @contextmanager
    def with_a_model(
        home: str, *, flags: dict[str, str], embeddings: Embeddings
    ) -> Iterator[Recollect]:
        app = Recollect(home, flags=flags, embeddings=embeddings)
        asking = app.models._status
        client = ScriptedClient(app.inside.state, settings=asking.settings, engine=asking._engine)
        client.model = scripted
        asking.client = client
        try:
            yield app
        finally:
            app.close()

    monkeypatch.setattr(command, "opened", with_a_model)
    return scripted


@pytest.fixture
def shop(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which an orders page was slow, and where we are."""
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def bank(home: Home, tmp_path: Path) -> Path:
    """Another project, in which a page of orders was slow for another reason."""
    folder = repository(tmp_path / "bank")
    remember(
        home, folder, "Why is the orders page of the bank slow?",
        "The vault index was missing; I added it.", session="s-2",
    )  # fmt: skip
    return folder


@pytest.fixture
def remembered(home: Home, shop: Path) -> str:
    """The date and id of the one turn that is known."""
    (entry,) = home.kept()
    assert entry.at
    return f"{entry.at.astimezone():%Y-%m-%d} {entry.id}"


def asked(
    home: Home, *words: str, code: int = 0, stdin: str = "", flags: dict[str, str] = SETTINGS
) -> Any:
    env = {"COLUMNS": "120", "RECOLLECT_HOME": str(home)}
    done = CliRunner().invoke(command.ask, words or (QUESTION,), env=env, obj=flags, input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit | RecollectError):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


def said(home: Home, *words: str, **how: Any) -> str:
    """What the command prints, in one line for each that is printed."""
    return str(asked(home, *words, **how).output)


class TestAnswered:
    def test_the_answer_then_its_sources_then_what_it_cost(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = [f"<answer>An N+1 query [{remembered}].</answer>"]

        assert said(home) == (
            f"An N+1 query [{remembered}].\n"
            "\n"
            "Sources:\n"
            f"  {remembered}  {ANSWER}\n"
            "1 search, 1,017 tokens (claude/haiku), $0.0004\n"
        )

    def test_the_model_reads_the_whole_memory(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        said(home)

        assert "N+1 query in get_orders" in model.asked[0].text
        assert f'date="{remembered[:10]}"' in model.asked[0].text

    def test_it_is_asked_for_the_project_and_for_an_answer(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        said(home)

        with opened(str(home)) as app:
            (project,) = app.projects.all()
        assert model.whom == {(project.name, "answer")}

    def test_other_words_are_searched_for(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = ["<search>selectinload</search>", f"<answer>Yes [{remembered}].</answer>"]

        output = said(home, "Where do kangaroos live?")

        assert f"Yes [{remembered}]." in output
        assert "2 searches, 2,034 tokens (claude/haiku), $0.0008" in output

    def test_what_the_memory_does_not_say_is_said(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = ["<answer></answer><missing>Who found it.</missing>"]

        output = said(home)

        assert output.startswith("Not known: Who found it.\n")
        assert "Sources" not in output

    def test_one_without_a_true_citation_comes_with_a_warning_and_what_was_found(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = ["<answer>Cosmic rays [2026-01-01 20260101T000000-0badbeef].</answer>"]

        output = said(home)

        assert output.startswith("Cosmic rays.\n! This answer cites no memory")
        assert ANSWER in output
        assert "Removed 1 citation of something that is not in the memory." in output

    def test_a_model_that_only_wants_to_search_leaves_what_was_found(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = [f"<search>orders {word}</search>" for word in "abc"]

        output = said(home)

        assert output.startswith("The memory does not answer this. Closest:\n")
        assert "3 searches, 3,051 tokens" in output

    def test_a_price_that_nobody_knows_is_not_shown(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.cost = None

        assert said(home).endswith("1,017 tokens (claude/haiku)\n")

    def test_a_question_may_come_from_standard_input(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        said(home, "-", stdin=QUESTION)

        assert f"<question>\n{QUESTION}\n</question>" in model.asked[0].text


class TestNasty:
    def test_a_model_cannot_write_on_the_terminal(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.says = [
            f"<answer>\x1b]0;owned\x07\x1b[2J[bold red]a[/] \x9b1m:smile: [{remembered}]</answer>"
        ]

        output = said(home)

        assert not {"\x1b", "\x07", "\x9b"} & set(output)
        assert output.startswith(f"]0;owned[2J[bold red]a[/] 1m:smile: [{remembered}]\n")

    def test_neither_can_a_failure(self, home: Home, model: Scripted, remembered: str) -> None:
        model.fails = EngineError("no \x1b[2J[red]model[/]", kind="unavailable")

        output = said(home)

        assert "\x1b" not in output
        assert "no [2J[red]model[/]. Best matches:" in output


class TestWithoutAModel:
    def test_nothing_set_up_shows_the_best_that_is_known_and_how_to_set_one_up(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.trouble = "no model is chosen"

        output = said(home, flags={"synthesis.engine": "extractive"})

        assert output.startswith(
            "No model is set up to answer (recollect config set synthesis.engine claude)."
            " Best matches:\n"
        )
        assert ANSWER in output
        assert remembered.split()[1] in output
        assert model.asked == []

    def test_one_that_cannot_be_asked_now_says_why(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.trouble = "today's 200,000 tokens are used up"

        output = said(home)

        assert "No model answered: today's 200,000 tokens are used up. Best matches:" in output
        assert ANSWER in output
        assert "search," not in output

    def test_one_that_fails_says_why_and_what_to_do(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.fails = EngineError("claude: not signed in", kind="auth", hint="Run: claude login")

        output = said(home)

        assert "not signed in (Run: claude login). Best matches:" in output

    def test_with_nothing_known_either_that_is_all_that_is_said(
        self, home: Home, model: Scripted, remembered: str
    ) -> None:
        model.trouble = "no model is chosen"

        output = said(home, "Where do kangaroos live?")

        assert output == "No model answered: no model is chosen, and no memory matches.\n"


class TestOtherProjects:
    def test_another_project_can_be_asked(
        self, home: Home, model: Scripted, shop: Path, bank: Path
    ) -> None:
        said(home, QUESTION, "--project", "bank")

        assert "vault index" in model.asked[0].text
        assert "N+1" not in model.asked[0].text

    def test_all_can_be_asked_together(
        self, home: Home, model: Scripted, shop: Path, bank: Path
    ) -> None:
        said(home, QUESTION, "--all-projects")

        assert "vault index" in model.asked[0].text
        assert "N+1" in model.asked[0].text
        assert model.whom == {(paths.EVERYWHERE, "answer")}

    @pytest.mark.parametrize(
        ("key", "value"),
        [("synthesis.engine", "extractive"), ("synthesis.openai.url", "http://localhost:11434/v1")],
    )
    def test_one_that_chose_another_engine_is_not_read_by_this_one(
        self, home: Home, model: Scripted, shop: Path, bank: Path, key: str, value: str
    ) -> None:
        with opened(str(home)) as app:
            app.settings.set("synthesis.engine", "claude")
            app.settings.set(key, value, project="bank")

        output = said(home, QUESTION, "--all-projects", flags={})

        assert "vault index" not in model.asked[0].text
        assert "N+1" in model.asked[0].text
        assert "Not read: 1 memory of projects that use another model." in output

    def test_a_memory_cannot_make_the_model_look_into_another_project(
        self, home: Home, model: Scripted, shop: Path, bank: Path
    ) -> None:
        model.says = ["<search>project:bank vault index</search>", "<answer>So.</answer>"]

        said(home)

        assert "vault index was missing" not in model.asked[1].text

    def test_where_nothing_is_remembered_it_says_what_to_do(
        self, home: Home, model: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)

        error = asked(home, code=1).exception

        assert "has no memory yet" in str(error)
        assert model.asked == []


class TestForPrograms:
    def test_everything_is_data(self, home: Home, model: Scripted, remembered: str) -> None:
        model.says = [
            "<search>selectinload</search>",
            f"<answer>An N+1 query [{remembered}].</answer><missing>Who.</missing>",
        ]

        found = json.loads(said(home, QUESTION, "--json"))

        date, id_ = remembered.split()
        assert (found["answer"], found["missing"]) == (f"An N+1 query [{remembered}].", "Who.")
        assert [(one["date"], one["id"]) for one in found["sources"]] == [(date, id_)]
        assert (found["gap"], found["founded"], found["trouble"]) == (True, True, "")
        assert found["searches"] == [QUESTION, "selectinload"]
        assert [one["id"] for one in found["results"]] == [id_]
        assert (found["spent"]["calls"], found["spent"]["input_tokens"]) == (2, 2000)
        assert found["spent"]["cost"] == pytest.approx(0.0008)

    def test_without_a_model_too(self, home: Home, model: Scripted, remembered: str) -> None:
        model.trouble = "no model is chosen"

        found = json.loads(said(home, QUESTION, "--json"))

        assert (found["answer"], found["trouble"]) == ("", "no model is chosen")
        assert len(found["results"]) == 1
        assert found["spent"]["cost"] is None


def test_no_more_memories_are_read_than_wanted(home: Home, model: Scripted, shop: Path) -> None:
    for number in range(2, 5):
        remember(
            home, shop, f"Why is the orders page slow again in week {number}?",
            f"Cause number {number}.", session=f"s-{number}",
        )  # fmt: skip

    said(home, QUESTION, "--limit", "2")

    assert model.asked[0].text.count("<memory id=") == 2


class TestWithATrueEngine:
    """Nothing is scripted here but the server."""

    @pytest.fixture
    def api(self) -> Iterator[ChatApi]:
        with ChatApi() as api:
            yield api

    @pytest.fixture
    def flags(self, api: ChatApi) -> dict[str, str]:
        return {
            "synthesis.engine": "openai",
            "synthesis.openai.url": api.url,
            "synthesis.default_model": "llama",
        }

    def test_it_answers_and_what_it_cost_is_booked(
        self, home: Home, api: ChatApi, flags: dict[str, str], remembered: str
    ) -> None:
        api.answers(
            Say("<search>selectinload</search>"),
            Say(f"<answer>An N+1 query [{remembered}].</answer>"),
        )

        output = said(home, flags={**flags, "synthesis.price_input": "1000"})

        assert output.startswith(f"An N+1 query [{remembered}].\n\nSources:\n  {remembered}")
        assert output.endswith("2 searches, 118 tokens (openai/scripted-1), $0.10\n")
        with opened(str(home)) as app:
            (line,) = app.inside.state.ledger.rows()
        assert (line.calls, line.tokens, line.purpose) == (2, 118, "answer")

    def test_all_projects_can_be_asked_together(
        self, home: Home, api: ChatApi, flags: dict[str, str], shop: Path, bank: Path
    ) -> None:
        api.answers(Say("<answer>Two reasons.</answer>"))

        output = said(home, QUESTION, "--all-projects", flags=flags)

        assert output.startswith("Two reasons.\n")
        (request,) = api.requests
        assert "vault index" in request.text
        assert "N+1" in request.text
        with opened(str(home)) as app:
            (line,) = app.inside.state.ledger.rows()
        assert (line.calls, line.purpose) == (1, "answer")

    @pytest.mark.parametrize("how", ["capture off", "excluded"])
    def test_a_project_of_which_nothing_is_to_be_sent_stays_out(
        self, home: Home, api: ChatApi, flags: dict[str, str], shop: Path, bank: Path, how: str
    ) -> None:
        with opened(str(home)) as app:
            for key, value in flags.items():
                app.settings.set(key, value)
            if how == "excluded":
                app.inside.registry.exclude(app.projects.find("bank"), excluded=True)
            else:
                app.settings.set("capture.enabled", "false", project="bank")

        output = said(home, QUESTION, "--all-projects", flags={})

        (request,) = api.requests
        assert "N+1" in request.text
        assert "vault index" not in request.text
        assert (
            how == "excluded" or "Not read: 1 memory of projects that use another model" in output
        )

    def test_a_server_that_breaks_down_leaves_what_is_known(
        self, home: Home, api: ChatApi, flags: dict[str, str], remembered: str
    ) -> None:
        api.answers(Fail(500))

        output = said(home, flags=flags)

        assert output.startswith("No model answered: ")
        assert ANSWER in output

    def test_nothing_is_sent_when_the_days_tokens_are_used_up(
        self, home: Home, api: ChatApi, flags: dict[str, str], remembered: str
    ) -> None:
        output = said(home, flags={**flags, "synthesis.daily_tokens": "100"})

        assert "No model answered: today's budget of 100 tokens is used up" in output
        assert ANSWER in output
        assert api.requests == []

    def test_without_an_engine_nothing_is_sent_anywhere(
        self, home: Home, api: ChatApi, flags: dict[str, str], remembered: str
    ) -> None:
        output = said(home, flags={**flags, "synthesis.engine": "extractive"})

        assert output.startswith("No model is set up to answer")
        assert api.requests == []

    def test_a_secret_in_the_question_does_not_leave(
        self, home: Home, api: ChatApi, flags: dict[str, str], remembered: str
    ) -> None:
        secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

        said(home, f"Why was the orders page slow with {secret}?", flags=flags)

        assert api.requests
        assert secret not in json.dumps([request.body for request in api.requests])

    def test_a_worker_searches_by_meaning(
        self, home: Home, api: ChatApi, flags: dict[str, str], shop: Path
    ) -> None:
        remember(
            home, shop, "People are billed twice for a single purchase, find out why",
            "The retry sent the payment again; the customer is charged once now.", session="s-2",
        )  # fmt: skip
        with opened(str(home)) as app:
            for key, value in {**flags, "recall.min_score": "0.2"}.items():
                app.settings.set(key, value)
        home.settle()
        wait_for(lambda: worker_client.status(str(home)).pending == 0)

        said(home, "double charging on checkout", flags={})

        sent = [json.dumps(request.body) for request in api.requests]
        (question,) = (body for body in sent if "<question>" in body)
        assert "The retry sent the payment again" in question
