"""Which payloads of hosts that do not tell of failures are worth a question to the worker."""

import json

import pytest

from recollect.context import seen_before
from recollect.hooks import run

ERRORS = [
    "psql: FATAL:  password authentication failed for user",
    'ERROR: relation "orders" does not exist',
    "bash: pnpm: command not found",
    "cp: cannot stat 'a': No such file or directory",
    "FAILED tests/test_orders.py::test_slow",
    "Permission denied (publickey).",
    "KeyError: 'sku'",
    "thread 'main' panicked at src/main.rs:7",
    "connect ECONNREFUSED 127.0.0.1:5432: Connection refused",
    "CONFLICT (content): Merge conflict in db.py",
    "Segmentation fault (core dumped)",
    "operation timed out after 30 s",
]


def codex(output: str) -> bytes:
    told = {"tool_name": "Bash", "tool_response": output, "tool_use_id": "call_1"}
    return json.dumps(told).encode()


@pytest.mark.parametrize("error", ERRORS)
def test_what_is_an_error_to_the_worker_is_a_sign_in_codex(error: str) -> None:
    assert seen_before.error_of(error)
    assert run._may_have_failed("codex", codex(f"{'fine' * 5_000}\n{error}\n"))


def test_what_printed_an_error_long_before_its_end_is_none() -> None:
    assert not run._may_have_failed("codex", codex(f"KeyError\n{'fine ' * 5_000}"))


def test_an_exit_code_is_one_in_gemini_cli_however_long_the_output() -> None:
    long = "passes\n" * 5_000
    answer = {"llmContent": f"Output: {long}\nExit Code: 1", "returnDisplay": long}

    assert run._may_have_failed("gemini-cli", json.dumps({"tool_response": answer}).encode())


@pytest.mark.parametrize("host", ["claude-code", "opencode", "openclaw"])
def test_who_tells_of_failures_by_their_name_is_not_second_guessed(host: str) -> None:
    assert not run._may_have_failed(host, codex("KeyError: 'sku'"))
