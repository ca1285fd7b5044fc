from dataclasses import replace

import pytest

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
            answer="The orders page issues one query now. The docs still need an update.",
            tools=(an_edit("src/db.py"), a_command("pytest", "3 passed in 1s")),
        ),
    )

    assert summary == Summary(
        session="9ee0ccc7-1b2f",
        request="Why is the orders page slow?",
        investigated="The relation is lazy because of an old ORM",
        learned="The relation is lazy because of an old ORM",
        completed="The orders page issues one query now",
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

    assert summary.completed.startswith("The part number 7")
    assert summary.completed.endswith("The part number 99 of the long work is in place")
    assert len(summary.completed) <= recap.LONGEST_COMPLETED
    assert len(summary.files_edited) == recap.MOST_FILES
    assert summary.files_edited[-1] == "99.py"


def test_what_is_said_twice_is_told_once():
    turn = a_turn(answer="The parser reads dates now.", tools=(an_edit(),))

    assert summarise(turn, turn).completed == "Fix the query: The parser reads dates now"


def test_the_turns_that_changed_most_are_told_however_much_came_later():
    """ "Lint is clean now" stood for a day of work, because it was said last."""
    files = tuple(an_edit(f"src/{n}.py") for n in range(6))
    large = a_turn("Simplify the parser", answer="I removed 71 lines of `parse`.", tools=files)
    later = [
        a_turn(
            f"Rename part {n}", answer=f"I renamed the part {n} of the list.", tools=(an_edit(),)
        )
        for n in range(60)
    ]

    summary = summarise(large, *later)

    assert summary.completed.startswith("Simplify the parser: I removed 71 lines of `parse`")


def test_what_all_turns_end_with_does_not_stand_for_what_was_done():
    turn = a_turn(
        "Simplify the parser",
        answer="I extracted two helpers from `parse`. All tests pass.",
        tools=(an_edit(),),
    )

    assert summarise(turn).completed == "Simplify the parser: I extracted two helpers from `parse`"


@pytest.mark.parametrize(
    "deed",
    [
        "I fixed the retry loop in the client",
        "I added an entry for each shop",
        "I split `dry-run `",
    ],
)
def test_a_deed_that_has_the_letters_of_an_invitation_is_one(deed: str) -> None:
    turn = a_turn("Simplify the shop", answer=f"{deed}.", tools=(an_edit(),))

    assert summarise(turn).completed == f"Simplify the shop: {deed}"


def test_a_cause_that_is_cut_off_or_said_twice_is_not_learned_twice():
    cause = "The root cause was that the pool closes idle connections after 60 seconds"
    first = a_turn("Why does it fail?", answer=f"{cause}.", key="1")
    second = a_turn("And now?", answer=f"{cause}, as the log shows. It fails because:", key="2")

    assert summarise(first, second).learned.count("root cause") == 1


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


def test_a_turn_that_only_shows_files_is_told_by_what_was_asked_and_changed():
    summary = summarise(a_turn("Rename the order loader", tools=(an_edit(),)))

    assert summary.completed == "Rename the order loader: Changed `src/db.py`"


def test_a_cause_was_learned_and_the_deed_is_what_was_completed():
    summary = summarise(
        a_turn(
            "Speed up the page",
            answer="The root cause was an N+1 query. I fixed it with selectinload.",
            tools=(an_edit("src/db.py"),),
        )
    )

    assert summary.learned == "The root cause was an N+1 query"
    assert summary.completed == "Speed up the page: I fixed it with selectinload"


def test_a_question_back_is_no_next_step():
    summary = summarise(
        a_turn("Write the parser", answer="The parser reads dates now. Shall I go ahead?")
    )

    assert summary.next_steps == ""


def test_a_list_of_what_is_left_is_told_item_by_item():
    summary = summarise(
        a_turn(
            "Where do we stand?",
            answer=(
                "Locks are in.\n\n**Remaining before the tag:**\n- document `repair packs`\n"
                "- If you like, rename the flag\n\nThe rest are tractable follow-ups."
            ),
        )
    )

    assert summary.next_steps == "document `repair packs`"


def test_what_remains_as_it_is_is_no_next_step():
    summary = summarise(
        a_turn(
            "Commit it",
            answer=(
                "Committed. The remaining unstaged changes are unrelated. The struct remains in "
                "the generic package. Not yet configured: shows the prompt."
            ),
        )
    )

    assert summary.next_steps == ""


def test_what_was_done_later_in_the_session_is_no_next_step():
    planned = a_turn(
        "Write the cache", answer="The cache is in.\n\nNext steps:\n- warm the cache", key="1"
    )
    done = a_turn("go on", answer="The cache is warmed at start now.", tools=(an_edit(),), key="2")
    engine = Extractive()

    summary = engine.summarise(
        [engine.observe(planned), engine.observe(done)], last=done, before=lambda: [planned]
    )

    assert summary.next_steps == ""


def test_what_was_completed_is_told_by_the_commits_of_a_turn():
    commit = a_command("git commit -m x", "[main 1a2b3c4d] Load lines at once")

    summary = summarise(a_turn("fix the page", answer="Done, one query.", tools=(commit,)))

    assert summary.completed == "Load lines at once"


def test_what_might_be_so_is_neither_learned_nor_completed():
    summary = summarise(
        a_turn(
            "The script hangs",
            answer="I think the issue is that an older build is found first in the path.",
            tools=(an_edit(),),
        )
    )

    assert (summary.learned, summary.completed) == ("", "The script hangs: changed `src/db.py`")


def test_a_session_of_entries_by_an_earlier_engine_is_told_as_before():
    engine = Extractive()
    turn = a_turn("Rename the loader", answer="The loader is called feed now.", tools=(an_edit(),))
    (seen,) = engine.observe(turn).observations
    old = replace(
        engine.observe(turn),
        by="extractive/2",
        headline="Rename the loader",
        observations=(replace(seen, facts=()),),
    )

    summary = engine.summarise([old], last=turn)

    assert summary.request == "Rename the loader"
    assert summary.completed == "The loader is called feed now"


def test_a_turn_of_which_a_model_told_much_is_cut_and_not_left_out():
    turn = a_turn("Rebuild the shop", answer="It is rebuilt.", tools=(an_edit(),))
    engine = Extractive()
    seen = engine.observe(turn)
    many = tuple(
        replace(seen.observations[0], title=f"Part {n} of the shop is rebuilt " + "at length " * 12)
        for n in range(12)
    )
    told = replace(seen, by="model/1", observations=many)

    summary = engine.summarise([told], last=turn)

    assert summary.completed.startswith("Part 0 of the shop is rebuilt")
    assert len(summary.completed) <= recap.LONGEST_FIELD
