"""What a turn is worth as notes: what was decided by an answer, and what only looks like a rule."""

import pytest

from recollect.notes import detection, note_model
from recollect.notes.categories import CATEGORIES
from recollect.notes.detection import Detection
from recollect.transcripts.turns import ToolCall
from tests.builders.turns import a_command, a_turn

HOW = Detection(thresholds={name: row.threshold for name, row in CATEGORIES.items()})


def answered(question: str, answer: str) -> list[str]:
    """The titles of what is made of a user's *answer* to the agent's *question*."""
    output = f'User has answered your questions: "{question}"="{answer}". You can go on.'
    turn = a_turn(
        "build the importer", tools=(ToolCall(id="q", name="AskUserQuestion", output=output),)
    )
    return [one.title for one in detection.choices(turn)]


def test_what_a_user_chooses_from_what_the_agent_offers_is_a_decision() -> None:
    output = '"Where should the rates come from?"="Central bank (Recommended)"'
    turn = a_turn(
        "build the importer", tools=(ToolCall(id="q", name="AskUserQuestion", output=output),)
    )

    (made,) = detection.choices(turn)

    assert made.category == "decision"
    assert made.title == "Central bank: where should the rates come from"
    assert made.content["decision"] == "Where should the rates come from? Central bank"
    assert made.content["context"] == "build the importer"
    assert note_model.content_model("decision").model_validate(made.content)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Ready to force-push the branch?", "Yes, force push"),
        ("What would you like to do next?", "Start the work"),
        ("How should these fixes be committed?", "New commit"),
        ("Which PR would you like me to review?", "#12"),
        ("Should resets be part of it?", "hm, what happens to the files then?"),
        ("How should crashes be handled?", "we have a time stamp for the end of " + "it " * 40),
    ],
)
def test_what_is_asked_of_the_steps_of_the_work_or_asked_back_is_none(
    question: str, answer: str
) -> None:
    assert answered(question, answer) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Fetching the state of the branch from the fork (alice/shop)...\nNothing to sync.",
        "Alright, for every test in the cart I'd like to see literal values instead of helpers.",
    ],
)
def test_what_a_program_printed_or_a_piece_of_work_needs_is_no_rule(prompt: str) -> None:
    assert list(detection.proposals(a_turn(prompt), None, HOW)) == []


def test_what_is_forbidden_is_no_example_of_what_to_do_instead() -> None:
    turn = a_turn("never do it by hand, do not stash anything")

    (found,) = detection.proposals(turn, None, HOW)
    made = detection.drafted(found, turn)

    assert made is not None
    assert not made.content.get("examples")


FULL_DISK = (
    a_command("gh run rerun 12", "error: no space left on device", failed=True),
    a_command("docker system prune -af", "Total reclaimed space: 40GB"),
    a_command("gh run rerun 12", "ok"),
)
FREED = (
    "The runner's disk was full of old docker layers. What fixed it: `docker system prune -af` on"
    " the runner, then a re-run of the job. The job passed."
)


def test_what_broke_and_what_helped_is_a_runbook_that_waits_for_the_user() -> None:
    turn = a_turn("CI fails with 'no space left on device'", answer=FREED, tools=FULL_DISK)

    (found,) = detection.proposals(turn, None, HOW)
    made = detection.drafted(found, turn)

    assert made
    assert made.category == "runbook"
    assert made.content == {
        "trigger": "error: no space left on device",
        "root_cause": "The runner's disk was full of old docker layers.",
        "steps": ["Run `docker system prune -af`"],
        "verification": "`gh run rerun 12` passed",
    }
    assert detection.needs_confirmation(found, turn)


def test_a_way_out_that_only_the_agent_tells_is_no_runbook() -> None:
    turn = a_turn("CI fails with 'no space left on device'", answer=FREED, tools=FULL_DISK[:2])

    assert list(detection.proposals(turn, None, HOW)) == []
