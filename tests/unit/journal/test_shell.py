import time

import pytest

from recollect.journal import shell
from recollect.transcripts.turns import ToolCall
from tests.builders.turns import a_command


def kinds(command: str) -> list[str]:
    return [run.kind for run in shell.commands(a_command(command))]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("pytest -q tests", "test"),
        ("cd app && .venv/bin/python -m pytest -x 2>&1 | tail -5", "test"),
        ("CI=1 npm run test:unit", "test"),
        ("uv run pytest", "test"),
        ("cargo test --all", "test"),
        ("make test", "test"),
        ("go build ./...", "build"),
        ("npm run build", "build"),
        ("pip install httpx", "install"),
        ("uv add httpx", "install"),
        ("git -C /srv push origin main", "git"),
        ("git commit -m 'x'", "commit"),
        ("alembic upgrade head", "migration"),
        ("python manage.py migrate", "migration"),
        ("ls -la", "other"),
        ("git merge-base main HEAD", "other"),
        ("grep -rn 'pytest' .", "other"),
        ("cat > run.sh <<'EOF'\npytest\nEOF", "other"),
    ],
)
def test_a_command_is_known_by_its_words(command: str, kind: str) -> None:
    assert kinds(command) == [kind]


def test_a_line_of_several_commands_is_several() -> None:
    assert kinds('npm run build && npm test; git commit -m "a; b"') == ["build", "test", "commit"]


def test_a_codex_command_comes_as_a_list() -> None:
    call = ToolCall(id="c", name="shell", input={"command": ["bash", "-lc", "pytest -q"]})

    assert [run.program for run in shell.commands(call)] == ["pytest"]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("===== 2 failed, 10 passed, 1 skipped in 3.21s =====", "10 passed, 2 failed"),
        ("12 passed in 0.30s", "12 passed"),
        ("1 error in 0.05s", "1 failed"),
        (
            "Test Suites: 1 failed, 2 passed\nTests:       1 failed, 11 passed, 12 total",
            ("11 passed, 1 failed"),
        ),
        ("      Tests  3 passed (3)", "3 passed"),
        (
            "test result: ok. 4 passed; 0 failed;\ntest result: FAILED. 1 passed; 2 failed;",
            ("5 passed, 2 failed"),
        ),
        ("  7 passing (20ms)\n  1 failing", "7 passed, 1 failed"),
        ("Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)", "3 passed, 2 failed"),
        ("--- FAIL: TestA (0.00s)\nFAIL", "1 failed"),
    ],
)
def test_tests_are_counted_where_the_output_says_so(output: str, said: str) -> None:
    assert str(shell.counts(output)) == said


def test_output_without_counts_has_none() -> None:
    assert shell.counts("ok  \tpkg\t0.1s") is None


def test_a_failure_behind_a_pipe_is_seen() -> None:
    (run,) = shell.commands(a_command("pytest | tail -1", "1 failed, 2 passed in 0.1s"))

    assert run.failed


def test_tests_that_passed_before_another_command_failed_have_passed() -> None:
    call = a_command("pytest && deploy", "3 passed in 0.1s\ndeploy: not found", failed=True)

    assert not next(shell.commands(call)).failed


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Exit code 1\n\nTraceback …\nValueError: x\nKeyError: 'id'\n", "KeyError: 'id'"),
        (">       assert 1 == 2\nE       assert 1 == 2\nFAILED test_a.py", "assert 1 == 2"),
        ("error[E0308]: mismatched types\n --> src/a.rs", "error[E0308]: mismatched types"),
        ("src/a.ts(3,5): error TS2345: bad", "src/a.ts(3,5): error TS2345: bad"),
        ("Exit code 2\nsh: nope: not found\n", "sh: nope: not found"),
        ("", ""),
    ],
)
def test_the_line_that_says_what_went_wrong_is_found(output: str, line: str) -> None:
    assert shell.error_line(output) == line


def test_a_commit_is_told_by_git() -> None:
    (run,) = shell.commands(
        a_command("git commit -am 'x'", "[main 1a2b3c4d] Fix the query\n 1 file changed")
    )

    assert shell.commit(run) == shell.Commit(subject="Fix the query", hash="1a2b3c4d")


def test_a_commit_message_may_come_by_a_here_document() -> None:
    command = (
        "git commit -m \"$(cat <<'EOF'\nfix: stop \"it's\" loop\n\nBecause it hung.\n\n"
        'Co-Authored-By: Claude <noreply@anthropic.com>\nEOF\n)"'
    )

    (run,) = shell.commands(a_command(command))

    assert shell.commit(run) == shell.Commit(
        subject='fix: stop "it\'s" loop', reason="Because it hung."
    )


def test_a_long_output_is_cut_in_the_middle_visibly() -> None:
    lines = "\n".join(f"line {n}" for n in range(5_000))

    (run,) = shell.commands(a_command("pytest", lines))

    kept = run.output.split("\n")
    assert (kept[0], kept[-1]) == ("line 0", "line 4999")
    assert f"[… {5_000 - shell.HEAD_LINES - shell.TAIL_LINES} lines cut …]" in kept


def test_text_without_an_error_has_none() -> None:
    assert shell.error_in("all is well\nreally") == ""
    assert shell.exception_in("error: no such file") == ""


def test_of_a_chain_of_exceptions_the_last_was_raised() -> None:
    assert shell.exception_in("ValueError: x\n\nKeyError: 'id'\n") == "KeyError: 'id'"


def test_colours_are_not_read() -> None:
    (run,) = shell.commands(a_command("pytest", "\x1b[31m1 failed\x1b[0m, 2 passed in 1s"))

    assert shell.counts(run.output) == (2, 1)


@pytest.mark.parametrize(
    "hostile", ["1" * 100_000, "\n" * 100_000, "1 passed " * 20_000, "a." * 50_000, " " * 100_000]
)
def test_hostile_output_is_read_quickly(hostile: str) -> None:
    started = time.process_time()

    (run,) = shell.commands(a_command("pytest", hostile, failed=True))
    shell.error_line(run.output)

    assert time.process_time() - started < 5


def test_a_call_of_blanks_is_read_quickly() -> None:
    began = time.process_time()

    list(shell.commands(a_command("make" + " " * 40_000 + "all")))

    assert time.process_time() - began < 1
