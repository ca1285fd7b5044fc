"""What is cut out before anything is kept: secrets, private blocks, excluded tools and files."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.pipeline.clean import Exclusions, cleaned, cleaned_event
from recollect.privacy.blocks import FENCE
from recollect.privacy.exclusions import is_excluded
from recollect.transcripts.events import Event
from recollect.transcripts.turns import ToolCall, Turn

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
NOTHING = Exclusions()


def a_call(name: str = "Bash", **changes: Any) -> ToolCall:
    return ToolCall(id="t-1", name=name, **changes)


def a_turn(*calls: ToolCall, **changes: Any) -> Turn:
    given: dict[str, Any] = {
        "host": "claude-code",
        "session": "s",
        "key": "k",
        "prompt": "Fix the tea",
    }
    return Turn(started=AT, ended=AT, tools=calls, **(given | changes))


def an_event(call: ToolCall | None = None, **changes: Any) -> Event:
    given: dict[str, Any] = {"name": "PostToolUse", "host": "claude-code", "session": "s", "at": AT}
    return Event(tools=(call,) if call else (), **(given | changes))


def everything(turn: Turn) -> str:
    """All the text of *turn*, wherever it stands."""
    calls = [(call.name, dict(call.input), call.output) for call in turn.tools]
    return json.dumps([turn.prompt, turn.answer, turn.remarks, calls], default=str)


class TestTurns:
    def test_no_secret_survives_wherever_it_stands(self) -> None:
        call = a_call(
            input={
                "command": f"export TOKEN={SECRET}",
                "env": {"list": [{"deep": SECRET}, SECRET]},
                "password": "correct horse battery",
                "number": 5,
                "none": None,
            },
            output=f"your token is {SECRET}",
        )
        turn = a_turn(call, prompt=f"use {SECRET}", answer=SECRET, remarks=(SECRET,))

        clean = cleaned(turn, NOTHING)

        assert SECRET not in everything(clean)
        assert "correct horse" not in everything(clean)
        assert clean.tools[0].input["number"] == 5
        assert clean.prompt == "use [secret:github-token]"

    @pytest.mark.parametrize("tag", ["private", FENCE, "system-reminder"])
    def test_no_block_survives_that_is_not_ours_to_keep(self, tag: str) -> None:
        block = f"keep <{tag}>swordfish</{tag}> this"
        call = a_call(input={"command": block}, output=block)

        clean = cleaned(a_turn(call, prompt=block, answer=block, remarks=(block,)), NOTHING)

        assert "swordfish" not in everything(clean)
        assert clean.prompt == clean.answer == "keep  this"

    def test_a_private_block_that_is_never_closed_reaches_to_the_end(self) -> None:
        clean = cleaned(a_turn(prompt="tell <private>nobody of the swordfish"), NOTHING)

        assert clean.prompt.strip() == "tell"

    def test_the_rest_of_a_turn_stays_as_it_was(self) -> None:
        turn = a_turn(a_call(), key="p-7", branch="main", interrupted=True)

        assert cleaned(turn, NOTHING) == turn

    def test_excluded_calls_are_left_out_and_others_kept(self) -> None:
        calls = (
            a_call("WebFetch"),
            a_call("mcp__github__list_issues"),
            a_call("Read", input={"file_path": "/srv/shop/keys/a.pem"}),
            a_call("Read", input={"file_path": "/srv/shop/a.py"}),
        )
        excluded = Exclusions(tools=("WebFetch", "mcp__github__*"), paths=("*.pem",))

        clean = cleaned(a_turn(*calls), excluded)

        assert [call.input for call in clean.tools] == [{"file_path": "/srv/shop/a.py"}]


class TestEvents:
    def test_prompt_answer_and_call_are_cleaned(self) -> None:
        event = an_event(
            a_call(input={"command": SECRET}, output=SECRET),
            prompt=f"<private>swordfish</private>{SECRET}",
            answer=SECRET,
        )

        clean = cleaned_event(event, NOTHING)

        assert SECRET not in repr(clean)
        assert "swordfish" not in repr(clean)
        assert (clean.name, clean.session, clean.at) == ("PostToolUse", "s", AT)

    @pytest.mark.parametrize(
        "excluded",
        [Exclusions(tools=("Read",)), Exclusions(paths=("~/private",)), Exclusions(tools=("*",))],
    )
    def test_an_excluded_call_is_left_out_of_its_event(
        self, excluded: Exclusions, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", "/home/ada")
        call = a_call("Read", input={"file_path": "/home/ada/private/diary.md"}, output="swordfish")

        clean = cleaned_event(an_event(call), excluded)

        assert clean.tools == ()

    def test_an_event_without_a_call_has_none_afterwards(self) -> None:
        event = an_event(name="Stop", answer="done")

        assert cleaned_event(event, Exclusions(tools=("*",), paths=("*",))) == event

    def test_a_huge_output_is_shortened(self) -> None:
        clean = cleaned_event(an_event(a_call(output="x" * 1_000_000)), NOTHING)

        assert clean.tools
        assert len(clean.tools[0].output) < 10_000


class TestExcludedPaths:
    @pytest.fixture(autouse=True)
    def ada(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/home/ada")

    @pytest.mark.parametrize(
        ("path", "pattern"),
        [
            ("/home/ada/private/diary.md", "~/private"),
            ("/home/ada/private/diary.md", "~/private/"),
            ("/home/ada/private/diary.md", "~/private/*"),
            ("/home/ada/private/deep/down/diary.md", "~/private"),
            ("/home/ada/private", "~/private"),
            ("/srv/shop/keys/a.pem", "*.pem"),
            ("/srv/shop/.env", ".env"),
            ("/srv/shop/.env.local", ".env*"),
            ("/srv/shop/secrets/x", "secrets"),
            ("/srv/shop/secrets/deep/x", "*/secrets"),
            ("/srv/shop/../shop/secrets/x", "/srv/shop/secrets"),
            ("/home/ada/src/../private/diary.md", "~/private"),
            ("/home/ada//private/./diary.md", "~/private/*"),
            ("secrets/x", "secrets"),
            ("./secrets/x", "secrets"),
        ],
    )
    def test_a_path_or_a_folder_above_it_fits(self, path: str, pattern: str) -> None:
        assert is_excluded(path, [pattern])

    @pytest.mark.parametrize(
        ("path", "pattern"),
        [
            ("/home/ada/privately/x", "~/private"),
            ("/srv/shop/a.py", "*.pem"),
            ("/srv/shop/environment", ".env"),
            ("/srv/shop", "/srv/shop/secrets"),
            ("/srv/shop/a.py", ""),
            ("/srv/shop/a.py", "/"),
            ("", "*"),
            ("/", "secrets"),
        ],
    )
    def test_another_path_does_not(self, path: str, pattern: str) -> None:
        assert not is_excluded(path, [pattern])

    def test_any_one_pattern_is_enough(self) -> None:
        assert is_excluded("/srv/a.pem", ["*.key", "*.pem"])
        assert not is_excluded("/srv/a.pem", [])

    @pytest.mark.parametrize("field", ["file_path", "path", "notebook_path"])
    def test_a_call_names_its_file_in_one_of_these(self, field: str) -> None:
        excluded = Exclusions(paths=("secrets",))

        assert excluded.cover(a_call("Read", input={field: "/srv/secrets/x"}))
        assert not excluded.cover(a_call("Read", input={field: 5}))
        assert not excluded.cover(a_call("Read", input={"other": "/srv/secrets/x"}))

    @given(st.text(), st.lists(st.text(), max_size=3))
    def test_any_path_and_any_pattern_can_be_compared(self, path: str, patterns: list[str]) -> None:
        assert is_excluded(path, patterns) in (True, False)
