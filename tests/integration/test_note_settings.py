"""Settings about notes, from `recollect config set` to what the host's hooks bring about."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from recollect.notes.categories import CATEGORIES
from tests.home import Home
from tests.integration.conftest import Run
from tests.remembering import put, take_in

# A turn that is worth a note of the category: what the user says, and the agent.
TURNS = {
    "preference": ("From now on use pnpm for packages.", "All right."),
    "decision": ("We decided on Postgres because it has partial indexes.", "Noted."),
    "constraint": ("Never send the payment API more than 100 requests a minute.", "I see."),
    "tech_debt": (
        "Leave the tenant id hard-coded for now, because the settings table doesn't exist yet.",
        "All right.",
    ),
    "runbook": (
        'docker compose up hangs at "waiting for db" since this morning, help',
        "Solved. The `db` container was in a crash loop because the volume still held data of"
        " Postgres 14 while the image is now 16. What fixed it: `docker compose down`,"
        " `docker volume rm app_pgdata`, `docker compose up -d db`. To check: `docker compose ps`"
        " shows `db` as healthy and `make smoke` passes.",
    ),
}


class Host:
    """Claude Code, as its hooks tell of it."""

    def __init__(self, home: Home, shop: Path) -> None:
        self.home = home
        self.shop = shop

    def session(
        self, name: str, turns: list[tuple[str, str]], *, tools: int = 0, failing: str = ""
    ) -> None:
        """A session; *tools* times three tools are used in each of its *turns*.

        After the prompt *failing*, the command fails before the change and passes after it.
        """
        for number, (prompt, answer) in enumerate(turns):
            told: dict[str, Any] = {"session": name, "folder": self.shop}
            told["prompt_id"] = f"{name}-{number}"
            put(self.home, "UserPromptSubmit", prompt=prompt, **told)
            if prompt == failing:
                put(
                    self.home,
                    "PostToolUseFailure",
                    tool_name="Bash",
                    tool_use_id=f"{name}-{number}-failed",
                    tool_input={"command": "make"},
                    error="Exit code 1\nFATAL: database files are incompatible with server",
                    **told,
                )
            for use in range(tools):
                for tool in ("Read", "Edit", "Bash"):
                    put(
                        self.home,
                        "PostToolUse",
                        tool_name=tool,
                        tool_use_id=f"{name}-{number}-{use}-{tool}",
                        tool_input={"file_path": str(self.shop / "a.py"), "command": "make"},
                        tool_response={"stdout": "ok"},
                        **told,
                    )
            put(self.home, "Stop", last_assistant_message=answer, **told)
        put(self.home, "SessionEnd", name, self.shop, reason="other")
        take_in(self.home)

    def start(self) -> str:
        """What a new session is given."""
        told = self.home.hook(
            "SessionStart", session_id="new", cwd=str(self.shop), source="startup"
        )
        return str(told.get("hookSpecificOutput", ""))


@pytest.fixture
def host(home: Home, shop: Path) -> Host:
    return Host(home, shop)


def made(recollect: Run, *arguments: str) -> list[str]:
    """The categories of the notes there are."""
    found = json.loads(recollect("list", "--json", *arguments).stdout)
    return sorted(one["category"] for one in found)


def work(host: Host) -> None:
    """A session that is worth a note of every category."""
    host.session("s-1", list(TURNS.values()), tools=1, failing=TURNS["runbook"][0])


def test_a_session_may_be_worth_a_note_of_every_category(recollect: Run, host: Host) -> None:
    work(host)

    assert made(recollect) == sorted(CATEGORIES)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize(
    ("key", "value"),
    [("categories.{}.auto_capture", "false"), ("triage.thresholds.{}", "1")],
)
def test_notes_of_one_category_are_not_made_unasked(
    recollect: Run, host: Host, category: str, key: str, value: str
) -> None:
    recollect("config", "set", key.format(category), value)

    work(host)

    assert made(recollect) == sorted(set(CATEGORIES) - {category})


@pytest.mark.parametrize("kept", [1, 2])
def test_only_so_many_session_summaries_hold(recollect: Run, host: Host, kept: int) -> None:
    recollect("config", "set", "categories.session_summary.max_retained", str(kept))

    for number in range(3):
        asked = [(f"Change part {part} of parser {number}", "Changed it.") for part in range(4)]
        host.session(f"s-{number}", asked, tools=1)

    summaries = ("-c", "session_summary")
    assert len(made(recollect, *summaries)) == kept
    assert len(made(recollect, *summaries, "--status", "retired")) == 3 - kept


@pytest.mark.parametrize("most", [0, 1, 3])
def test_a_session_is_given_so_many_notes(recollect: Run, host: Host, most: int) -> None:
    rules = ["Deploys need the VPN", "Tokens expire hourly", "Ports below 1024 are closed"]
    for rule in rules:
        recollect("remember", "-c", "constraint", rule)
    recollect("config", "set", "retrieval.max_inject", str(most))
    host.home.settle()

    given = host.start()

    assert sum(rule in given for rule in rules) == most


# Two notes of each category, in words of which neither says what the other does.
SAID = {
    "preference": ("Use pnpm for packages", "Answer in German"),
    "decision": ("We use Postgres because of partial indexes", "The cart stays in Redis"),
    "constraint": ("The API allows 100 requests a minute", "Deploys need the VPN"),
    "tech_debt": (
        "The tenant id is hard-coded for now",
        "Retries are missing until the next release",
    ),
    "runbook": ("If docker hangs, remove the volume", "When the certificate expires, run certbot"),
    "session_summary": ("Fixed the parser", "Wrote the billing export"),
}


@pytest.mark.parametrize("category", CATEGORIES)
class TestEachCategory:
    def names(self, recollect: Run, *arguments: str) -> list[str]:
        found = json.loads(recollect("list", "--json", *arguments).stdout)
        return [one["title"] for one in found]

    def test_is_kept_only_while_it_is_enabled(self, recollect: Run, category: str) -> None:
        recollect("config", "set", f"categories.{category}.enabled", "false")

        refused = recollect("remember", "-c", category, "--json", SAID[category][0], code=1)

        assert f"categories.{category}.enabled" in json.loads(refused.stdout)["reason"]
        assert self.names(recollect) == []

    @pytest.mark.parametrize("key", ["max_notes", "max_retained"])
    def test_has_so_many_notes(self, recollect: Run, category: str, key: str) -> None:
        recollect("config", "set", f"categories.{category}.{key}", "1")

        for words in SAID[category]:
            recollect("remember", "-c", category, words)

        (held,), (retired,) = self.names(recollect), self.names(recollect, "--status", "retired")
        assert SAID[category][1].startswith(held)
        assert SAID[category][0].startswith(retired)

    def test_retires_when_its_days_are_over(
        self, recollect: Run, home: Home, category: str
    ) -> None:
        recollect("config", "set", f"categories.{category}.retention_days", "30")
        recollect("remember", "-c", category, SAID[category][0])
        (file,) = home.path.glob("projects/*/*/*.md")
        old = re.sub(
            r"(?m)^(created|updated)_at: .*$", r"\1_at: 2026-01-02T03:04:05Z", file.read_text()
        )
        file.write_text(old)

        recollect("gc")

        assert len(self.names(recollect, "--status", "retired")) == 1
        assert self.names(recollect) == []


def test_the_worker_collects_what_is_past_its_time_without_being_asked(
    recollect: Run, home: Home
) -> None:
    recollect("remember", "--category", "constraint", "Deploys need the VPN")
    recollect("retire", "deploys-need-the-vpn")
    (file,) = home.path.glob("projects/*/constraints/*.md")
    told = file.read_text()
    file.write_text(re.sub(r"(?m)^retired_at: .*$", "retired_at: 2026-01-02T03:04:05Z", told))

    home.settle()

    assert json.loads(recollect("list", "--json", "--status", "archived").stdout)
