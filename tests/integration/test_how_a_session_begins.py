"""A session begins with what is worth its tokens, or with one line that says Recollect is on."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect.app.recollect import opened
from recollect.curation.curator import NoteFilter, Saying
from recollect.fence import FIRST_SESSION
from recollect.journal.model import PROPOSED
from tests.home import Home
from tests.remembering import put, remember, take_in

LATER = 1e10
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def begin(home: Home, folder: Path, *, now: float = LATER, **fields: object) -> dict[str, str]:
    """What the worker would answer as a session begins in *folder*."""
    event = {"cwd": str(folder), "source": "startup", "session_id": "s-9", **fields}
    with opened(str(home)) as app:
        said, _ = app.hooks.respond("SessionStart", event, now=now)
    return {"context": said.context, "message": said.message}


def begin_plainly(home: Home, folder: Path, source: str = "startup") -> dict[str, object]:
    """What a hook prints by itself as a session begins in *folder*."""
    home.no_worker()
    event = {"session_id": "s-9", "cwd": str(folder), "source": source}
    printed = home.raw_hook("SessionStart", json.dumps(event).encode()).stdout
    return dict(json.loads(printed)) if printed.strip() else {}


class TestTheFirstSession:
    def test_says_in_one_line_that_recollect_is_on(self, home: Home, shop: Path) -> None:
        assert begin(home, shop) == {"context": "", "message": FIRST_SESSION}

    def test_says_so_without_a_worker_too(self, home: Home, shop: Path) -> None:
        said = begin_plainly(home, shop)

        assert FIRST_SESSION in str(said["systemMessage"])
        assert "hookSpecificOutput" not in said

    @pytest.mark.parametrize("source", ["resume", "compact", "clear"])
    def test_a_session_that_goes_on_is_not_the_first(
        self, home: Home, shop: Path, source: str
    ) -> None:
        assert begin(home, shop, source=source)["message"] == ""

    @pytest.mark.parametrize(
        "config",
        [
            'display = "quiet"\n',
            "[capture]\nenabled = false\n",
            '[capture]\nexclude_paths = ["*/secret/*"]\n',
            "[start]\nenabled = false\n",
            "[context]\nenabled = false\n",
        ],
    )
    def test_nobody_hears_it_who_does_not_want_to_or_where_nothing_is_kept(
        self, home: Home, shop: Path, config: str
    ) -> None:
        (home.path / "config.toml").write_text(config)

        assert begin(home, shop) == {"context": "", "message": ""}
        assert FIRST_SESSION not in json.dumps(begin_plainly(home, shop))

    def test_it_is_said_once(self, home: Home, shop: Path) -> None:
        put(home, "SessionStart", "s-1", shop, source="startup")
        take_in(home)

        assert begin(home, shop)["message"] == ""


class TestWhatIsTold:
    def test_greetings_are_not_recent_work(self, home: Home, shop: Path) -> None:
        remember(home, shop, "hello there my friend", "Hello! How can I help?")
        remember(
            home, shop, "why are the coupons wrong?",
            "Coupons were applied twice: `total()` ran once per line. It runs once per cart now.",
            session="s-2",
        )  # fmt: skip

        context = begin(home, shop)["context"]

        assert "`total()` ran once per line" in context
        assert "hello there" not in context

    def test_many_sessions_that_came_to_nothing_do_not_hide_the_last_that_did(
        self, home: Home, shop: Path
    ) -> None:
        remember(home, shop)
        for number in range(8):
            turn: dict[str, Any] = {"session": f"n-{number}", "folder": shop, "prompt_id": "p-1"}
            file = {"file_path": str(shop / "invoices.py")}
            read: dict[str, Any] = {"tool_name": "Read", "tool_input": file}
            put(home, "UserPromptSubmit", prompt=f"Read invoice {number}, printed twice", **turn)
            put(home, "PostToolUse", tool_use_id="t-1", tool_response={}, **read, **turn)
            put(home, "Stop", last_assistant_message="It is long.", **turn)
            put(home, "SessionEnd", reason="other", **turn)
        take_in(home)

        context = begin(home, shop)["context"]

        assert "Last session" in context
        assert "selectinload" in context
        assert "printed twice" not in context

    def test_a_value_that_was_edited_since_is_not_told_as_if_it_held(
        self, home: Home, shop: Path
    ) -> None:
        told = "A login token lives for 30 minutes: `TOKEN_MINUTES = 30` in `auth.py`."
        remember(home, shop, "How long does a login token live?", told)
        turn: dict[str, Any] = {"session": "s-2", "folder": shop, "prompt_id": "p-2"}
        edit = {
            "file_path": str(shop / "auth.py"),
            "old_string": "TOKEN_MINUTES = 30",
            "new_string": "TOKEN_MINUTES = 12",
        }
        put(home, "UserPromptSubmit", prompt="Shorten it to 12 minutes", **turn)
        put(home, "PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="t-1", **turn)
        put(home, "Stop", last_assistant_message="Done.", **turn)
        put(home, "SessionEnd", reason="other", **turn)
        take_in(home)

        assert "30" not in begin(home, shop)["context"]

    def test_an_offer_that_was_taken_up_is_not_open(self, home: Home, shop: Path) -> None:
        for key, prompt, answer in (
            ("p-1", "is the job on the pool?", "No, it has its own connection. Shall I move it?"),
            ("p-2", "yes", "The job uses `get_pool()` now, committed as 1a2b3c4."),
        ):
            put(home, "UserPromptSubmit", "s-1", shop, prompt=prompt, prompt_id=key)
            put(home, "Stop", "s-1", shop, last_assistant_message=answer, prompt_id=key)
        put(home, "SessionEnd", "s-1", shop, reason="other")
        take_in(home)

        context = begin(home, shop)["context"]

        assert "Shall I" not in context
        assert "Open here" not in context
        assert "`get_pool()` now" in context

    def test_a_rule_is_told_in_the_users_words_until_claude_md_says_it(
        self, home: Home, shop: Path
    ) -> None:
        rule = "Secrets must never reach any log at any level."
        remember(home, shop, f"Fix the debug log. {rule}", "The password is masked in `log.py`.")

        assert rule in begin(home, shop)["context"]

        (shop / "CLAUDE.md").write_text("# Rules\n- Secrets never reach a log, at any level.\n")
        assert rule not in begin(home, shop)["context"]

    def test_what_waits_for_the_users_word_is_quoted_and_what_an_agent_decided_is_not(
        self, home: Home, shop: Path
    ) -> None:
        rule = "Deployments are frozen in December because the auditors want that"
        remember(home, shop, f"{rule}. Do not bump the version.", "Left alone, see `setup.py`.")
        with opened(str(home)) as app:
            (project,) = (one.name for one in app.projects.all())
            for said in (rule, "I went with argparse", "Bump the version"):
                app.notes.remember(
                    Saying(text=said, category="decision"), project=project, now=NOON
                )
            for held in app.notes.listed([project], NoteFilter()):
                app.notes.change(held, lambda one: one.changed(review=PROPOSED), now=NOON)

        context = begin(home, shop)["context"]

        assert f"“{rule}" in context
        assert "argparse" not in context
        assert "“Bump the version" not in context

    def test_what_the_user_edited_in_the_journal_is_not_told_from_the_turn(
        self, home: Home, shop: Path
    ) -> None:
        remember(home, shop, "fix the rates", "The rates are 4711 now, see `pay.py`.")
        day = next(home.path.glob("projects/*/journal/*.md"))
        day.write_text(day.read_text().replace("4711", "set"))

        assert "4711" not in begin(home, shop)["context"]
