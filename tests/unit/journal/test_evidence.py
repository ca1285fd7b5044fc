from typing import Any

from recollect.journal import evidence
from recollect.transcripts.turns import ToolCall
from tests.builders.turns import a_command, a_turn, an_edit


def a_call(name: str, output: str = "", *, failed: bool = False, **given: Any) -> ToolCall:
    return ToolCall(id="x", name=name, input=given, output=output, failed=failed)


def outcomes(*tools: ToolCall) -> list[str]:
    return evidence.outcomes(evidence.steps(a_turn(tools=tools)))


def fixes(*tools: ToolCall) -> list[evidence.Fix]:
    return evidence.fixes(evidence.steps(a_turn(tools=tools)))


def test_tests_are_told_before_and_after() -> None:
    assert outcomes(
        a_command("pytest", "2 failed, 1 passed in 1s", failed=True),
        an_edit(),
        a_command("pytest -x", "3 passed in 1s"),
    ) == ["`pytest -x`: 3 passed (before: 1 passed, 2 failed)"]


def test_a_build_that_was_mended_says_so() -> None:
    assert outcomes(a_command("make build", "error: x", failed=True), a_command("make build")) == [
        "`make build` passed (before: failed)"
    ]


def test_only_a_build_that_passed_from_the_start_is_routine() -> None:
    taken = evidence.steps(
        a_turn(tools=(a_command("make build"), a_command("pytest", "1 passed in 1s")))
    )

    assert [course.is_routine for course in evidence.courses(taken)] == [True, False]


def test_a_failure_after_an_edit_of_the_turn_is_its_own_slip() -> None:
    failure = a_command("pytest", "KeyError: 'id'\n1 failed in 1s", failed=True)
    success = a_command("pytest", "1 passed in 1s")

    (found,) = fixes(failure, an_edit(), success)
    (slip,) = fixes(an_edit(), failure, an_edit(), success)

    assert (found.is_slip, slip.is_slip) == (False, True)


def test_a_failure_that_points_at_the_line_then_changed_is_a_flaw_of_the_code() -> None:
    success = a_command("make build")
    failures = (
        a_command("make build", "src/a.py:3:1: error: undefined: errors", failed=True),
        a_command("make build", "error: no space left on device", failed=True),
    )

    found = [fixes(failure, an_edit("src/a.py"), success)[0] for failure in failures]

    assert [fix.is_of_code for fix in found] == [True, False]


def test_an_answer_of_the_user_comes_with_its_question() -> None:
    output = 'User has answered your questions: "Which store?"="Postgres". You can now continue.'

    turn = a_turn(tools=(a_call("AskUserQuestion", output),))

    assert evidence.answers(turn) == ["Which store? Postgres"]


def test_what_the_user_said_when_refusing_a_call_is_heard() -> None:
    output = "The user doesn't want to proceed. To tell you how, the user said:\nuse the id package"

    turn = a_turn(tools=(a_call("Edit", output, failed=True),))

    assert evidence.objections(turn) == ["use the id package"]


def test_only_tasks_that_were_done_count() -> None:
    todos = [
        {"content": "Write the parser", "status": "completed"},
        {"content": "Write the docs", "status": "pending"},
        "no task",
    ]
    turn = a_turn(
        tools=(
            a_call("TodoWrite", todos=todos),
            a_call("TaskCreate", "Task #1 created successfully: x", subject="Add the helper"),
            a_call("TaskCreate", "Task #2 created successfully: y", subject="Drop the helper"),
            a_call("TaskUpdate", taskId="1", status="completed"),
            a_call("update_plan", plan=[{"step": "Run the migration", "status": "completed"}]),
        )
    )

    assert evidence.tasks(turn) == ["Write the parser", "Add the helper", "Run the migration"]


def test_an_approved_plan_is_known_by_its_title() -> None:
    approved = a_call("ExitPlanMode", plan="# Plan: Cache the orders\n\n## Context\ntext")
    refused = a_call("ExitPlanMode", plan="# Drop the cache", failed=True)

    assert evidence.plan(a_turn(tools=(approved, refused))) == "Cache the orders"
    assert evidence.plan(a_turn()) == ""


def recoveries(*calls: ToolCall) -> list[tuple[str, list[str], str]]:
    found = evidence.recoveries(evidence.steps(a_turn("go on", tools=calls)))
    return [(one.error, [each.line for each in one.remedies], one.proof) for one in found]


FULL = a_command("gh run rerun 12", "error: no space left on device", failed=True)
PRUNE = a_command("docker system prune -af", "Total reclaimed space: 40GB")
AGAIN = a_command("gh run rerun 12", "ok")


def test_a_command_that_passes_unchanged_after_others_has_recovered_by_them() -> None:
    look = a_command("df -h", "/dev/sda1 100%")

    assert recoveries(FULL, look, PRUNE, AGAIN) == [
        ("error: no space left on device", ["docker system prune -af"], "`gh run rerun 12` passed")
    ]


def test_what_passes_by_itself_or_by_a_change_of_files_has_not_recovered() -> None:
    assert recoveries(FULL, AGAIN) == []
    assert recoveries(FULL, a_command("df -h"), AGAIN) == []
    assert recoveries(FULL, PRUNE, an_edit(), AGAIN) == []
    assert recoveries(FULL, PRUNE) == []


def test_what_only_reads_files_may_fail_and_means_nothing() -> None:
    missing = a_command("cat notes.txt", "No such file or directory", failed=True)

    assert recoveries(missing, PRUNE, a_command("cat notes.txt", "hello")) == []


def test_whoever_tried_much_does_not_know_what_helped() -> None:
    tries = [a_command(f"restart part-{number}") for number in range(evidence.MOST_REMEDIES + 1)]

    assert recoveries(FULL, *tries, AGAIN) == []
    assert recoveries(FULL, *tries[1:], AGAIN) != []
