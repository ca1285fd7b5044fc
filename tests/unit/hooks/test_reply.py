"""What a hook prints besides what was recalled."""

import json

import pytest

from recollect.hooks import reply
from recollect.hooks.response import HookResponse

NOW = 1_763_000_000.0


class TestNotices:
    def reply(self, said: HookResponse, notices: list[str]) -> str:
        printed = reply.packed("/home", said, {}, project="p", notices=notices, now=NOW)
        return printed.decode()

    @pytest.mark.parametrize("message", ["", "Recollect: tea"])
    def test_stand_in_front_of_whatever_is_said(self, message: str) -> None:
        said = HookResponse("SessionStart", message=message)

        told = json.loads(self.reply(said, ['disk "full"', "old\nplugin"]))

        assert told["systemMessage"].startswith('disk "full" · old\nplugin')
        assert told["systemMessage"].endswith(message)

    def test_of_none_and_nothing_else_nothing_is_printed(self) -> None:
        assert self.reply(HookResponse("SessionStart"), []) == ""

    def test_another_version_is_told_of_at_the_start_alone(self) -> None:
        assert reply.notices("SessionStart", "0.0.1")
        assert reply.notices("UserPromptSubmit", "0.0.1") == []

    def test_what_could_not_be_kept_is_told_of_with_the_reason(self) -> None:
        (told,) = reply.notices("UserPromptSubmit", "0.0.1", "No space left on device")

        assert "No space left on device" in told
        assert "recollect doctor" in told
