import time
from dataclasses import replace
from typing import Any

import pytest

from recollect.journal import recap, undone
from recollect.journal.extractive import Extractive
from recollect.journal.model import Summary
from recollect.transcripts.turns import ToolCall
from tests.builders.summaries import summarise
from tests.builders.turns import a_command, a_read, a_turn, an_edit


def test_a_session_in_eight_fields() -> None:
    summary = summarise(
        a_turn("hello"),
        a_turn(
            "Why is the orders page slow?",
            answer="The reason is the loader. The relation is lazy because of an old ORM.",
            tools=(a_read("src/models.py"), a_read("src/db.py")),
        ),
        a_turn(
            "fix it",
            answer=(
                "The orders page issues one query now. The bug was that `feed` loaded each line"
                " alone. The docs still need an update."
            ),
            tools=(an_edit("src/db.py"), a_command("pytest", "3 passed in 1s")),
        ),
    )

    assert summary == Summary(
        session="9ee0ccc7-1b2f",
        request="Why is the orders page slow?",
        investigated="The relation is lazy because of an old ORM",
        learned="The bug was that `feed` loaded each line alone",
        completed="The orders page issues one query now",
        next_steps="The docs still need an update",
        files_read=("src/models.py",),
        files_edited=("src/db.py",),
    )


def test_a_session_that_ends_in_an_interrupt_says_what_to_resume() -> None:
    summary = summarise(a_turn("Write the parser", tools=(an_edit(),), interrupted=True))

    assert summary.request == "Write the parser"
    assert summary.next_steps == "resume: Write the parser"
    assert summary.notes == "the last of 1 turns was interrupted"


def test_a_session_without_entries_is_empty() -> None:
    assert recap.summarise([], last=a_turn()) == Summary(session="9ee0ccc7-1b2f")


def test_a_long_session_keeps_what_was_done_last() -> None:
    turns = [
        a_turn(
            f"step {n}",
            answer=f"The part{chr(97 + n // 10)}{chr(97 + n % 10)} is in place.",
            key=str(n),
        )
        for n in range(100)
    ]

    summary = summarise(*(replace(turn, tools=(an_edit(f"{turn.key}.py"),)) for turn in turns))

    assert summary.completed.startswith("The partie")
    assert summary.completed.endswith("The partjj is in place")
    assert len(summary.completed) <= recap.LONGEST_COMPLETED
    assert len(summary.files_edited) == recap.MOST_FILES
    assert summary.files_edited[-1] == "99.py"


def test_what_is_said_twice_is_told_once() -> None:
    turn = a_turn(answer="The parser reads dates now.", tools=(an_edit(),))

    assert summarise(turn, turn).completed == "Fix the query: The parser reads dates now"


def test_the_turns_that_changed_most_are_told_however_much_came_later() -> None:
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


def test_what_all_turns_end_with_does_not_stand_for_what_was_done() -> None:
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


def test_a_cause_that_is_cut_off_or_said_twice_is_not_learned_twice() -> None:
    cause = "The root cause was that the pool closes idle connections after 60 seconds"
    first = a_turn("Why does it fail?", answer=f"{cause}.", key="1")
    second = a_turn("And now?", answer=f"{cause}, as the log shows. It fails because:", key="2")

    assert summarise(first, second).learned.count("root cause") == 1


def test_later_requests_are_told_with_the_first() -> None:
    summary = summarise(
        a_turn("Sort the branches by date"),
        a_turn("yes"),
        a_turn("Show the agent of a session in the status command"),
    )

    assert summary.request == (
        "Sort the branches by date; Show the agent of a session in the status command"
    )


def test_decisions_are_noted() -> None:
    summary = summarise(a_turn("We decided on Redis because p99 matters more than memory."))

    assert summary.notes == "decided: We decided on Redis because p99 matters more than memory"


def test_what_was_asked_and_what_a_command_printed_is_no_lesson() -> None:
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


def test_a_turn_that_only_shows_files_is_told_by_what_was_asked_and_changed() -> None:
    summary = summarise(a_turn("Rename the order loader", tools=(an_edit(),)))

    assert summary.completed == "Rename the order loader: changed `src/db.py`"


def test_a_cause_was_learned_and_the_deed_is_what_was_completed() -> None:
    summary = summarise(
        a_turn(
            "Speed up the page",
            answer="The root cause was an N+1 query for order lines. I added a selectinload.",
            tools=(an_edit("src/db.py"),),
        )
    )

    assert summary.learned == "The root cause was an N+1 query for order lines"
    assert summary.completed == "Speed up the page: I added a selectinload"


def test_a_question_back_is_no_next_step() -> None:
    summary = summarise(
        a_turn("Write the parser", answer="The parser reads dates now. Shall I go ahead?")
    )

    assert summary.next_steps == ""


def test_a_list_of_what_is_left_is_told_item_by_item() -> None:
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


def test_what_remains_as_it_is_is_no_next_step() -> None:
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


def test_what_was_done_later_in_the_session_is_no_next_step() -> None:
    planned = a_turn(
        "Write the cache", answer="The cache is in.\n\nNext steps:\n- warm the cache", key="1"
    )
    done = a_turn("go on", answer="The cache is warmed at start now.", tools=(an_edit(),), key="2")
    engine = Extractive()

    summary = engine.summarise(
        [engine.observe(planned), engine.observe(done)], last=done, before=lambda: [planned]
    )

    assert summary.next_steps == ""


def test_what_was_completed_is_told_by_the_commits_of_a_turn() -> None:
    commit = a_command("git commit -m x", "[main 1a2b3c4d] Load lines at once")

    summary = summarise(a_turn("fix the page", answer="Done, one query.", tools=(commit,)))

    assert summary.completed == "Load lines at once"


def test_what_might_be_so_is_neither_learned_nor_completed() -> None:
    summary = summarise(
        a_turn(
            "The script hangs",
            answer="I think the issue is that an older build is found first in the path.",
            tools=(an_edit(),),
        )
    )

    assert (summary.learned, summary.completed) == ("", "The script hangs: changed `src/db.py`")


def completed(
    answer: str, *, prompt: str = "yes, do it", tools: tuple[ToolCall, ...] | None = None
) -> str:
    turn = a_turn(prompt, answer=answer, tools=(an_edit(),) if tools is None else tools)
    return summarise(turn).completed


def test_the_turn_with_most_edits_is_told_even_if_only_its_files_are_known() -> None:
    """A day of edits was missing, because only the plan before it said what it came to."""
    planned = a_turn("Plan the shop", answer="Plan written to `plan.md`.", tools=(an_edit("p.md"),))
    built = a_turn("Build the shop", answer="Shall I go on?", tools=(an_edit("src/shop.py"),) * 9)

    summary = summarise(planned, built)

    assert "Build the shop: changed `src/shop.py`" in summary.completed


def test_what_small_turns_changed_is_left_out_where_no_line_tells_it() -> None:
    large = a_turn(
        "Build the shop", answer="I added the basket to the shop.", tools=(an_edit(),) * 9
    )
    small = a_turn("hm", answer="Shall I go on?", tools=(an_edit("src/lint.py"),))

    assert summarise(large, small).completed == "Build the shop: I added the basket to the shop"


def test_parts_keep_the_order_in_which_the_report_tells_them() -> None:
    told = completed(
        "All tests pass. Here is a summary:\n\n## Changes\n\n"
        "1. **`shop.py`** - Added a basket\n2. **`db.py`** - Raised the limit from 3 to 5"
    )

    assert told == "`shop.py` - Added a basket. `db.py` - Raised the limit from 3 to 5"


def test_an_answer_that_opens_with_what_was_done_is_told_so() -> None:
    assert completed("Done. Increased the upload timeout from 20m to 45m.") == (
        "Increased the upload timeout from 20m to 45m"
    )


def test_a_list_is_told_with_the_line_that_says_what_became_of_its_items() -> None:
    told = completed(
        "All clean. Here's what was removed:\n\n- `feed()` in `db.py`\n- its call site"
    )

    assert told == "Removed: `feed()` in `db.py`, its call site"


def test_what_leads_into_something_that_is_not_told_is_no_item() -> None:
    told = completed("The command now shows\n\n```\nthe queue\n```\n\nI renamed `queue` to `line`.")

    assert told == "I renamed `queue` to `line`"


@pytest.mark.parametrize(
    "lead",
    ["Now when you run `shop`:", "The message now reads:", "Output will now be:", "The shop now:"],
)
def test_a_sentence_that_only_leads_into_an_example_is_no_deed(lead: str) -> None:
    told = completed(f"{lead}\n\n```\none\ntwo\nthree\nfour\nfive\n```\n\nI renamed `shop`.")

    assert told == "I renamed `shop`"


def test_the_heading_of_a_part_stands_for_it() -> None:
    told = completed(
        "## Changes\n\n### 1. `shop.py` — Added a `find_basket` helper\nIt checks the row."
    )

    assert told == "`shop.py` — Added a `find_basket` helper"


def test_a_head_that_says_what_became_of_its_items_is_told_with_the_first() -> None:
    told = completed("**New helpers:**\n- `feed()` - reads a row\n- `eat()` - keeps it")

    assert told == "New helpers: `feed()` - reads a row. `eat()` - keeps it"


def test_a_table_of_fixes_is_told_by_its_longest_cells() -> None:
    told = completed(
        "Here's a summary of what was fixed:\n\n| # | Fix | File |\n|---|---|---|\n"
        "| 1 | Prefix guard - early return if `old == new` for all names | `shop.py` |\n"
    )

    assert told == "Prefix guard - early return if `old == new` for all names"


def test_an_item_says_what_stands_in_it_first_and_not_how_it_was_before() -> None:
    told = completed(
        "Changes:\n\n1. **Fixed `shop.py`**\n   - Previously: asked once a row\n"
        "   - Now asks once for all rows\n"
    )

    assert told == "Fixed `shop.py`: Now asks once for all rows"


@pytest.mark.parametrize(
    "answer",
    [
        "Short answer: Yes, for now they serve different purposes.",
        "The internal name stays the same after `shop move`.",
        "You're right, the numbers are now off.",
        "A) Move the basket to its own package, it is renamed then.",
        "The issue is fixed: the loader was added twice.",
        "It was renamed because of the clash.",
    ],
)
def test_an_answer_or_a_cause_is_no_deed(answer: str) -> None:
    assert completed(answer) == "changed `src/db.py`"


def test_a_review_tells_what_others_did() -> None:
    told = completed(
        "The phase `done` is removed, and `feed()` no longer takes a list.",
        prompt="/review",
        tools=(an_edit("review.md"),),
    )

    assert told == "changed `review.md`"


def test_what_leans_on_the_sentence_before_is_told_with_it() -> None:
    told = completed(
        'The test was checking for "go run", but the script has no such string. '
        'Updated it to check for "shop.sh".'
    )

    assert told == (
        'The test was checking for "go run", but the script has no such string. '
        'Updated it to check for "shop.sh"'
    )


@pytest.mark.parametrize(
    "answer",
    [
        "Removed `hasFeed()`, nothing called it.",
        "I renamed `hasFeed` to `isFed`.",
        "The page asks `isFed()` instead of `hasFeed()` now.",
        "Removed the feed helper of the shop page.",
    ],
)
def test_what_was_taken_back_later_in_the_session_was_not_completed(answer: str) -> None:
    added = a_turn(
        "ok", answer="Added `hasFeed()`, a feed helper of the shop page.", tools=(an_edit(),)
    )
    later = a_turn("tidy up", answer=answer, tools=(an_edit("src/feed.py"),))

    assert "Added `hasFeed()`" not in summarise(added, later).completed


@pytest.mark.parametrize(
    "prompt",
    [
        "fatal: unable to access the shop",
        "shop_test.go:12: no basket",
        "took: 20m2s",
        "There's no test coverage for the basket",
    ],
)
def test_what_was_pasted_or_complained_about_does_not_name_what_was_done(prompt: str) -> None:
    assert completed("Added a basket.", prompt=prompt) == "Added a basket"


def test_a_plan_that_was_handed_over_names_what_was_done() -> None:
    told = completed(
        "Added a basket.",
        prompt="Implement the following plan:\n\n# The `shop` command\n\nWrite it.",
    )

    assert told == "The `shop` command: Added a basket"


def test_a_commit_whose_subject_says_nothing_is_told_by_the_answer() -> None:
    commit = a_command("git commit -m x", "[main 1a2b3c4d] fixes")

    told = completed("Added a basket.", tools=(an_edit(), commit))

    assert told == "Added a basket"


def test_tasks_that_were_ticked_off_tell_what_was_done_where_the_answer_does_not() -> None:
    tasks = ToolCall(
        id="t",
        name="TodoWrite",
        input={"todos": [{"content": "Write the basket", "status": "completed"}]},
    )

    assert completed("Shall I go on?", tools=(an_edit(), tasks)) == "Tasks done: Write the basket"


def test_a_present_cause_that_was_mended_is_told_as_mended() -> None:
    found = a_turn("Why is it slow?", answer="The bug is that `feed` asks the database once a row.")
    fixed = a_turn("fix it", answer="`feed` asks once now.", tools=(an_edit(),))

    assert (
        summarise(found, fixed).learned
        == "found and fixed: The bug is that `feed` asks the database once a row"
    )


def test_a_cause_in_code_that_changed_since_may_no_longer_hold() -> None:
    found = a_turn("Why is it slow?", answer="The bug is that `feed` asks the database once a row.")
    other = a_turn("add a basket", answer="The basket is in.", tools=(an_edit(),))

    assert summarise(found, other).learned == ""


@pytest.mark.parametrize("prompt", ["no, it was not", "still slow", "hmm, are you sure?"])
def test_a_cause_that_the_next_prompt_rejects_was_not_learned(prompt: str) -> None:
    found = a_turn("Why is it slow?", answer="The bug is that `feed` asks the database once a row.")

    assert summarise(found, a_turn(prompt, answer="Let me look.")).learned == ""


@pytest.mark.parametrize(
    "cause",
    [
        "The root cause is in `feed.go` -",
        "The root cause is that this file exists because of the hook.",
        "Root Cause Found",
        "The problem is:\n\n- the loader\n- the feed",
    ],
)
def test_a_cause_that_cannot_be_understood_alone_was_not_learned(cause: str) -> None:
    assert summarise(a_turn("Why is it slow?", answer=cause)).learned == ""


@pytest.mark.parametrize(
    "said",
    [
        "Or if you want dates, they still need to be read.",
        "But given the guard, I doubt that the lock still has a gap.",
        "The change may still have value for other reasons.",
        'It answers "are there changes that were not committed yet?"',
    ],
)
def test_an_offer_an_opinion_or_a_quoted_question_is_no_next_step(said: str) -> None:
    assert summarise(a_turn("Where do we stand?", answer=said)).next_steps == ""


def test_a_session_of_entries_by_an_earlier_engine_is_told_as_before() -> None:
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


def test_a_turn_of_which_a_model_told_much_is_cut_and_not_left_out() -> None:
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


def test_a_request_that_nothing_came_of_is_the_request_of_its_session() -> None:
    summary = summarise(a_turn("Sort the basket by price", answer="ok"))

    assert summary.request == "Sort the basket by price"


def test_a_report_that_leaves_nothing_open_leaves_no_next_step() -> None:
    summary = summarise(
        a_turn("Finish the epic", answer="All seven tasks of the epic are in.\n\nOpen: nothing.")
    )

    assert summary.next_steps == ""


SMALL_DEEDS = (
    "Cached the avatar lookup in `avatars()`.",
    "Raised the upload limit to 40 MB.",
    "Removed the unused `legacy_login()`.",
    "Sorted vouchers by expiry date.",
    "Moved mail templates into `templates/`.",
    "Pinned the base image to bookworm.",
    "Escaped quotes in CSV exports.",
    "Renamed the buyer column.",
)


def test_a_long_session_tells_of_each_turn_before_it_tells_more_of_the_largest() -> None:
    parsers = ("header", "footer", "trailer", "checksum", "block", "window", "table", "stream")
    large = a_turn(
        "Read gzip in the importer",
        answer="\n".join(f"- Added `{it}_reader()` for the {it} of a member" for it in parsers),
        tools=tuple(an_edit(f"src/gzip_{n}.py") for n in range(30)),
    )
    small = [a_turn("fix it", answer=it, tools=(an_edit("src/shop.py"),)) for it in SMALL_DEEDS]

    summary = summarise(large, *small)

    assert all(deed.rstrip(".") in summary.completed for deed in SMALL_DEEDS)
    assert "`header_reader()`" in summary.completed


@pytest.mark.parametrize(
    "prompt",
    ["ok, then add some tests for the fallbacks", "can we also add some tests for the fallbacks?"],
)
def test_a_turn_that_reports_no_deed_is_told_by_what_was_asked_and_the_files(prompt: str) -> None:
    summary = summarise(
        a_turn(prompt, answer="All six pass.", tools=(an_edit("tests/test_fallback.py"),))
    )

    told = "done: add some tests for the fallbacks (changed `tests/test_fallback.py`)"
    assert summary.completed == told


def test_a_question_is_no_name_for_what_was_changed() -> None:
    summary = summarise(
        a_turn("how does that look with two sessions", answer="Like so:", tools=(an_edit("a.py"),))
    )

    assert summary.completed == "changed `a.py`"


def test_a_deed_is_told_whose_sentence_ends_in_the_tests_that_pass() -> None:
    summary = summarise(
        a_turn(
            "tidy --dry-run prints every path twice",
            answer="I removed the print from `plan()`; 28 tests pass.",
            tools=(an_edit("plan.py"),),
        )
    )

    assert summary.completed == "I removed the print from `plan()`"


def test_what_joins_two_orders_stays_in_the_name_of_a_turn() -> None:
    summary = summarise(
        a_turn("add a command and a flag", answer="All pass.", tools=(an_edit("cli.py"),))
    )

    assert summary.completed == "done: add a command and a flag (changed `cli.py`)"


@pytest.mark.parametrize(
    "prompt",
    [
        "revert that please",
        "No, undo these changes.",
        "hmm, none of the files has a date in front",
        "Sure, but the command should handle that, not you adding it here.",
    ],
)
def test_what_the_user_rejected_and_had_done_again_was_not_completed(prompt: str) -> None:
    first = a_turn("ok", answer="Added a date to each name.", tools=(an_edit("names.py"),))
    again = a_turn(prompt, answer="Done.", tools=(an_edit("names.py"),))

    assert "Added a date" not in summarise(first, again).completed


def test_an_objection_to_another_thing_leaves_what_was_done() -> None:
    first = a_turn("ok", answer="Added a date to each name.", tools=(an_edit("names.py"),))
    other = a_turn("hmm, the page is slow", answer="It is.", tools=(an_edit("page.py"),))

    assert "Added a date to each name" in summarise(first, other).completed


def test_a_deed_that_the_next_prompt_repeats_and_objects_to_was_not_completed() -> None:
    first = a_turn(
        "set it up",
        answer="- Added a wrapper\n- `shop enable` installs hooks with the wrapper by default now",
        tools=(an_edit("hooks.py"), an_edit("wrapper.sh")),
    )
    objection = a_turn(
        "- shop enable installs hooks with the wrapper by default\n\nThis should not be changed.",
        answer="Only `--local` does now.",
        tools=(an_edit("hooks.py"),),
    )

    completed = summarise(first, objection).completed

    assert "Added a wrapper" in completed
    assert "by default" not in completed


def test_an_answer_that_opens_with_a_revert_takes_back_the_last_change_to_its_files() -> None:
    earlier = a_turn("ok", answer="Added a total to the tree.", tools=(an_edit("tree.py"),))
    last = a_turn("go on", answer="Renamed checkpoints to steps.", tools=(an_edit("tree.py"),))
    reverted = a_turn("keep the name", answer="Reverted. All pass.", tools=(an_edit("tree.py"),))

    completed = summarise(earlier, last, reverted).completed

    assert "Added a total to the tree" in completed
    assert "Renamed" not in completed


def test_a_file_that_was_restored_to_what_was_committed_was_not_changed() -> None:
    turn = a_turn(
        "debug this",
        answer="It is a duplicate.",
        tools=(an_edit("src/git.py"), a_command("git checkout -- src/git.py")),
    )

    assert summarise(turn).completed == ""


def test_what_was_changed_in_a_document_is_told_with_it() -> None:
    turn = a_turn(
        "ok",
        answer="Removed the lock and the cache. Updated in the hook when a session stops.",
        tools=(an_edit("docs/plan.md"),),
    )

    assert summarise(turn).completed == "`plan.md`: Removed the lock and the cache"


def test_advice_in_a_plan_was_not_completed() -> None:
    turn = a_turn(
        "review the plan",
        answer="What to do:\n- Cut the docs in half\n- Outcome: Shipped, safe to go on",
        tools=(an_edit("docs/plan.md"),),
    )

    assert summarise(turn).completed == "changed `docs/plan.md`"


def test_what_was_said_to_be_done_on_the_way_is_told_where_the_answer_does_not() -> None:
    turn = a_turn(
        "yes",
        remarks=("Let me look.", "Done. Removed the dead `stage()` function. Tests pass."),
        answer="Now the code has a clean separation.",
        tools=(an_edit(),),
    )
    silent = a_turn(
        "the summary is not filtered",
        remarks=("I need to add `SUMMARY` to the names that `is_filtered` knows:",),
        tools=(an_edit(),),
    )

    assert "Removed the dead `stage()` function" in summarise(replace(turn, answer="")).completed
    assert summarise(silent).completed == "Add `SUMMARY` to the names that `is_filtered` knows"


@pytest.mark.parametrize("ends", [{"interrupted": True}, {"answer": "Is that what you want?"}])
def test_what_was_announced_is_not_told_of_a_turn_that_may_have_stopped_before(
    ends: dict[str, Any],
) -> None:
    remarks = ("Let me add `SUMMARY` to the names that `is_filtered` knows:",)
    turn = a_turn("the summary is not filtered", remarks=remarks, tools=(an_edit(),), **ends)

    assert "SUMMARY" not in summarise(turn).completed


def test_a_deed_is_told_with_the_sentence_that_limits_it() -> None:
    told = completed("I fixed all three bugs. However, the third fix breaks a test.")

    assert told == "I fixed all three bugs. However, the third fix breaks a test"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Done. I added:\n- a row for `filter`\n- a page", "Added: a row for `filter`, a page"),
        (
            "The harness now creates:\n- plain ids\n- whole lines",
            "Harness now creates: plain ids, whole lines",
        ),
        (
            "Created `shop_test.go` with the following tests:\n\n"
            "| Test | What |\n|---|---|\n| `A` | one |",
            "Created `shop_test.go`",
        ),
        (
            "The fetches now have the timeout of `push.go`, with a clear message:\n\n"
            "```go\na()\nb()\nc()\nd()\ne()\n```",
            "The fetches now have the timeout of `push.go`, with a clear message",
        ),
        ("Used `sep` instead of a slash.", "Used `sep` instead of a slash"),
        (
            "The fix is in `common.go` — added `lock` to what is ignored.",
            "added `lock` to what is ignored",
        ),
    ],
)
def test_a_list_table_or_example_is_told_by_what_announces_it(answer: str, told: str) -> None:
    assert completed(answer) == told


def test_where_a_fix_applies_is_no_deed() -> None:
    told = completed("Added a guard.\n\nThe fix applies to both:\n- `a.go` - when it starts")

    assert told == "Added a guard"


def test_a_prompt_that_only_picks_is_told_by_what_was_offered() -> None:
    offer = a_turn("review", answer="1. Merge it\n2. Rename `sb73` to `sb`\n\nShall I do one?")
    picked = a_turn("2", answer="Fixed.", tools=(an_edit("common.go"),))

    assert summarise(offer, picked).completed == "done: Rename `sb73` to `sb` (changed `common.go`)"


def test_what_was_only_proposed_does_not_name_what_was_changed() -> None:
    turn = a_turn(
        "clear the file, then add some logs",
        answer="Cleared. I would log to a file. Shall I go ahead?",
        tools=(an_edit("REVIEW.txt"),),
    )

    assert "add some logs" not in summarise(turn).completed


def test_a_list_that_the_next_prompt_picked_from_is_no_next_step() -> None:
    offer = a_turn("review", answer="Next steps:\n1. Rename `sb73`\n2. Add a cache")
    picked = a_turn("Can you fix both", answer="Fixed.", tools=(an_edit("common.go"),))

    assert summarise(offer, picked).next_steps == ""


@pytest.mark.parametrize(
    "said",
    [
        "Instead of reading it inline you have to jump to the table.",
        "The state won't matter, it just needs to be recent.",
        'The path "deferred until the turn ends" is broken.',
        "Next steps:\n- Squash the commits, or",
        "With a linter we'd still need the interface.",
    ],
)
def test_how_something_works_is_no_next_step(said: str) -> None:
    assert summarise(a_turn("why?", answer=said)).next_steps == ""


def test_a_cause_is_learned_with_the_sentence_that_turns_it() -> None:
    turn = a_turn(
        "why?",
        answer="The root cause: `stale` was meant for locks. But notices read it, too.",
        tools=(a_read("lock.py"),),
    )

    assert summarise(turn).learned == (
        "The root cause: `stale` was meant for locks. But notices read it, too"
    )


def test_a_plan_with_much_work_behind_it_is_no_next_step() -> None:
    planned = a_turn("review", answer="Next steps:\n- Tell the reason of each commit")
    work = [a_turn("polish a page", answer="Done.", tools=(an_edit(f"{n}.py"),)) for n in range(4)]

    assert summarise(planned, *work[:1]).next_steps == "Tell the reason of each commit"
    assert summarise(planned, *work).next_steps == ""


@pytest.mark.parametrize(
    "answer",
    [
        "Now here's my proposal for the form, based on what I read.",
        "- `make build` - ✅ Success\n- `make test` - ✅ All packages pass",
    ],
)
def test_a_proposal_and_a_passing_build_are_no_deeds(answer: str) -> None:
    assert completed(answer) == "changed `src/db.py`"


def test_what_a_written_review_found_was_not_completed() -> None:
    turn = a_turn(
        "run agents reviewing the branch",
        answer="1. Chained exit codes are swallowed\n2. Removed names are still read",
        tools=(an_edit("docs/review-01.md"),),
    )

    assert summarise(turn).completed.endswith("changed `docs/review-01.md`")


@pytest.mark.parametrize("piece", ["\n", "| ", "- \n"])
def test_an_answer_of_empty_lines_or_cells_is_read_quickly(piece: str) -> None:
    began = time.process_time()

    assert not undone.is_taken_back("Added a feed to the shop", [piece * 30_000 + "x"])

    assert time.process_time() - began < 1
