from dataclasses import replace

from recollect.memories.model import Summary
from recollect.synthesis import recap
from recollect.synthesis.extractive import Extractive
from tests.unit.synthesis.told import a_command, a_read, a_turn, an_edit


def summarise(*turns) -> Summary:
    engine = Extractive()
    return engine.summarise([engine.observe(turn) for turn in turns], last=turns[-1])


def test_a_session_in_eight_fields():
    summary = summarise(
        a_turn("hello"),
        a_turn(
            "Why is the orders page slow?",
            answer="Each order loads its lines alone. The relation is lazy because of an old ORM.",
            tools=(a_read("src/models.py"), a_read("src/db.py")),
        ),
        a_turn(
            "fix it",
            answer="The page issues one query now. The docs still need an update.",
            tools=(an_edit("src/db.py"), a_command("pytest", "3 passed in 1s")),
        ),
    )

    assert summary == Summary(
        session="9ee0ccc7-1b2f",
        request="Why is the orders page slow?",
        investigated="Each order loads its lines alone",
        learned="The relation is lazy because of an old ORM",
        completed="The page issues one query now",
        next_steps="The docs still need an update",
        files_read=("src/models.py",),
        files_edited=("src/db.py",),
    )


def test_a_session_that_ends_in_an_interrupt_says_what_to_resume():
    summary = summarise(a_turn("Write the parser", tools=(an_edit(),), interrupted=True))

    assert summary.request == "Write the parser"
    assert summary.next_steps == "resume: Write the parser"
    assert summary.notes == "the last of 1 turns was interrupted"


def test_a_session_without_entries_is_empty():
    assert recap.summarise([], last=a_turn()) == Summary(session="9ee0ccc7-1b2f")


def test_a_long_session_keeps_what_was_done_last():
    turns = [
        a_turn(f"step {n}", answer=f"The part number {n} of the long work is in place.", key=str(n))
        for n in range(100)
    ]

    summary = summarise(*(replace(turn, tools=(an_edit(f"{turn.key}.py"),)) for turn in turns))

    assert summary.completed.startswith("…; The part number")
    assert summary.completed.endswith("The part number 99 of the long work is in place")
    assert len(summary.completed) <= recap.LONGEST_FIELD + 3
    assert len(summary.files_edited) == recap.MOST_FILES
    assert summary.files_edited[-1] == "99.py"


def test_what_is_said_twice_is_told_once():
    turn = a_turn(answer="The parser reads dates.", tools=(an_edit(),))

    assert summarise(turn, turn).completed == "The parser reads dates"


def test_later_requests_are_told_with_the_first():
    summary = summarise(
        a_turn("Sort the branches by date"),
        a_turn("yes"),
        a_turn("Show the agent of a session in the status command"),
    )

    assert summary.request == (
        "Sort the branches by date; Show the agent of a session in the status command"
    )


def test_decisions_are_noted():
    summary = summarise(a_turn("We decided on Redis because p99 matters more than memory."))

    assert summary.notes == "decided: We decided on Redis because p99 matters more than memory"


def test_what_was_asked_and_what_a_command_printed_is_no_lesson():
    summary = summarise(
        a_turn(
            "Fix the loader. It must never load lines alone.",
            answer="The loader takes all lines at once.",
            tools=(
                an_edit(),
                a_command("pytest", "because it failed\n1 failed in 1s", failed=True),
            ),
        )
    )

    assert summary.learned == ""


def test_a_turn_that_only_shows_files_is_told_by_its_headline():
    summary = summarise(a_turn("Rename the order loader", tools=(an_edit(),)))

    assert summary.completed == "Rename the order loader"


def test_a_cause_was_learned_and_the_deed_is_what_was_completed():
    summary = summarise(
        a_turn(
            "Speed up the page",
            answer="The root cause was an N+1 query. I fixed it with selectinload.",
            tools=(an_edit("src/db.py"),),
        )
    )

    assert summary.learned == "The root cause was an N+1 query"
    assert summary.completed == "I fixed it with selectinload"
