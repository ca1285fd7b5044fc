"""Which answer an event gets is decided in one place, for the worker and for a hook alone."""

from pathlib import Path

import pytest

from recollect import config, paths
from recollect.hooks import decide, dialects, reply, shown_log
from recollect.hooks.decide import Answerer
from recollect.hooks.response import HookResponse

ON: dict[str, object] = {**config.Settings().flat(), "files.enabled": True}


class Echo(Answerer):
    """Answers every event with its name."""

    def start(self, event: dict[str, object]) -> HookResponse:
        return HookResponse("SessionStart", body=f"start {event.get('source')}\n", message="start")

    def prompt(self, event: dict[str, object], opening: HookResponse | None) -> HookResponse:
        body = f"prompt {event['prompt']} {'after a start' if opening else 'alone'}\n"
        return HookResponse("UserPromptSubmit", body=body, message="prompt")

    def subagent(self, event: dict[str, object]) -> HookResponse:
        return HookResponse("SubagentStart", body=f"subagent {event['agent_type']}\n")

    def file(self, event: dict[str, object]) -> HookResponse:
        return HookResponse("PreToolUse", body=f"file {event['tool_name']}\n")

    def failure(self, event: dict[str, object], name: str) -> HookResponse:
        return HookResponse(name, body=f"failure {event['error']}\n")


EVENT: dict[str, object] = {
    "session_id": "s-1",
    "source": "startup",
    "prompt": "why?",
    "agent_type": "any",
    "tool_name": "Read",
    "error": "E42",
}


def answer(
    name: str,
    home: Path,
    *,
    settings: dict[str, object] = ON,
    dialect: dialects.Dialect = dialects.PLAIN,
) -> HookResponse:
    return decide.answer(
        name, EVENT, home=str(home), settings=settings, dialect=dialect, answerer=Echo()
    )


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("SessionStart", "start startup\n"),
        ("UserPromptSubmit", "prompt why? alone\n"),
        ("SubagentStart", "subagent any\n"),
        ("PreToolUse", "file Read\n"),
        ("PostToolUse", "failure E42\n"),
        ("PostToolUseFailure", "failure E42\n"),
        ("Stop", ""),
    ],
)
def test_each_event_gets_its_own_answer(name: str, body: str, tmp_path: Path) -> None:
    assert answer(name, tmp_path).body == body


@pytest.mark.parametrize("name", decide.SWITCHES)
@pytest.mark.parametrize("is_general", [True, False])
def test_a_setting_that_is_off_is_named_as_the_reason(
    name: str, tmp_path: Path, *, is_general: bool
) -> None:
    switch = "context.enabled" if is_general else decide.SWITCHES[name]

    found = answer(name, tmp_path, settings={**ON, switch: False})

    assert (found.body, found.nothing) == ("", f"{switch} is off")


def test_a_quiet_user_is_told_nothing_and_the_agent_everything(tmp_path: Path) -> None:
    found = answer("SessionStart", tmp_path, settings={**ON, "display": decide.QUIET})

    assert (found.body, found.message) == ("start startup\n", "")


def test_the_first_prompt_brings_the_start_where_a_host_gives_none(tmp_path: Path) -> None:
    gemini = dialects.of("gemini-cli")

    first = answer("UserPromptSubmit", tmp_path, dialect=gemini)
    printed, log, lines = _unpacked(first, tmp_path, gemini)
    Path(log.decode()).parent.mkdir(parents=True)
    Path(log.decode()).write_bytes(lines)
    second = answer("UserPromptSubmit", tmp_path, dialect=gemini)

    assert first.opening is not None
    assert first.opening.body == "start startup\n"
    assert b"start startup\\n" in printed
    assert second.opening is None
    assert second.body == "prompt why? alone\n"


def _unpacked(
    response: HookResponse, home: Path, dialect: dialects.Dialect
) -> tuple[bytes, bytes, bytes]:
    packed = reply.packed(
        str(home), response, EVENT, project="shop", notices=[], now=7.0, dialect=dialect
    )
    found = shown_log.unpacked(packed)
    assert found[1].decode() == paths.shown(str(home), "s-1")
    return found
