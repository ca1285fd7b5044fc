"""What came of a session, where no verb of a sentence tells it."""

import pytest

from recollect.journal import recap
from recollect.transcripts.turns import CleanTurn, ToolCall
from tests.builders.summaries import summarise
from tests.builders.turns import CWD, a_command, a_turn, an_edit


def completed(answer: str, *, prompt: str = "yes, do it", tools: tuple[ToolCall, ...] = ()) -> str:
    return summarise(a_turn(prompt, answer=answer, tools=tools or (an_edit(),))).completed


def a_replacement(before: str, after: str, name: str = "src/db.py") -> ToolCall:
    values = {"file_path": f"{CWD}/{name}", "old_string": before, "new_string": after}
    return ToolCall(id="e", name="Edit", input=values)


A_COMMIT = a_command("git commit", "")


def test_a_list_of_things_that_were_all_done_is_told_with_the_line_that_says_so() -> None:
    answer = (
        "All 3 suggestions have been applied and verified:\n"
        "1. Atomic lock file (`O_EXCL`) — no more race\n"
        "2. Timeouts on all external calls\n"
        "3. Removed `os.Chdir` — not needed"
    )

    assert completed(answer) == (
        "All 3 suggestions have been applied and verified: Atomic lock file (`O_EXCL`),"
        " Timeouts on all external calls, Removed `os.Chdir`"
    )


def test_items_with_blank_lines_between_them_are_one_list() -> None:
    answer = (
        "Both review issues are resolved:\n\n"
        "1. **Lock file** (`lock.py:9`): it is there before the process starts.\n\n"
        "2. **Base commit** (`diff.py:4`): it is taken when the review begins."
    )

    assert completed(answer) == (
        "Both review issues are resolved: Lock file (`lock.py:9`), Base commit (`diff.py:4`)"
    )


def test_the_rows_of_a_table_that_are_marked_as_done_were_done() -> None:
    answer = (
        "| # | Issue | Status |\n|---|---|---|\n| 1 | The id of a user is not checked | Fixed |\n"
        "| 2 | The race of two hooks is not described | ✅ |"
    )

    assert completed(answer) == (
        "Fixed: The id of a user is not checked, The race of two hooks is not described"
    )


@pytest.mark.parametrize(
    "answer",
    [
        "The branch has these commits:\n\n- `03520fc` - Read settings from one place",
        "Committed as `7be65cb9`:\n\n```\nRead settings from one place\n\nNobody knew which.\n```",
        "Done. Committed as `7be65cb9`:\n\n**Read settings from one place**",
    ],
)
def test_a_commit_that_the_answer_names_is_told_by_its_subject(answer: str) -> None:
    assert completed(answer, tools=(A_COMMIT,)) == "Read settings from one place"


def test_a_remark_behind_a_commit_is_not_its_subject() -> None:
    told = completed("Committed. Clean tree (the lock — that's the lock of the worker).")

    assert "worker" not in told


def test_a_commit_that_was_amended_is_told_as_it_is_in_the_end() -> None:
    tools = (
        a_command("git commit -m 'Read settigns'", "[main 1a2b3c4] Read settigns"),
        a_command(
            "git commit --amend -m 'Read settings once'", "[main 5d6e7f8] Read settings once"
        ),
    )

    assert completed("", tools=tools) == "Read settings once"


def test_what_follows_done_is_what_came_of_the_turn() -> None:
    told = completed("Done. The plan for the parser is written to `docs/plan.md`.")

    assert told == "The plan for the parser is written to `docs/plan.md`"


def test_neither_a_reason_nor_how_it_was_is_what_came_of_a_turn() -> None:
    answer = (
        "All green. The check of the loader was still waiting for the old format of the file."
        " Using a name of its own is cleaner for all callers of the loader."
    )

    assert completed(answer, prompt="fix the `loader`") == (
        "done: fix the `loader` (changed `src/db.py`)"
    )


def test_what_was_asked_is_told_as_done_only_if_the_answer_says_so() -> None:
    told = completed("I need to know more about the fallbacks.", prompt="add a fallback to `x`")

    assert told == "add a fallback to `x`: changed `src/db.py`"


def test_what_a_new_test_looks_at_is_told_with_its_name() -> None:
    answer = (
        "Both pass. The new `TestWrongAgent` verifies that:\n\n"
        "- the name is shown\n- all agents are listed"
    )

    assert completed(answer) == (
        "New `TestWrongAgent` verifies that: the name is shown, all agents are listed"
    )


def test_each_of_many_deeds_is_told_by_its_head() -> None:
    answer = (
        "- Flattened the `install` branches — two steps take the place of three conditions\n"
        "- Removed `scan` — the call went with it\n"
        "- `cmd/app/cli/hooks/setup.py`: Added the `force` flag\n"
        "- Extracted the `repo` helper — twelve lines in ten tests"
    )

    assert completed(answer) == (
        "Flattened the `install` branches. Removed `scan`. `setup.py`: Added the `force` flag."
        " Extracted the `repo` helper"
    )


def test_tests_give_way_to_what_they_test() -> None:
    deeds = [f"- Added `test_{name * 9}` for the case of {name * 40}" for name in "abcdef"]
    small = "- Raised the limit of the `queue` to 45 for all of the callers that wait for it"

    told = completed("\n".join([*deeds, small]))

    assert "Raised the limit" in told
    assert len(told) <= recap.ROOM + recap.ROOM_A_TURN


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        (
            a_command(
                "gh pr create --title 'Read orders once' --body x", "https://g.co/a/b/pull/18\n"
            ),
            "opened PR #18: Read orders once",
        ),
        (
            ToolCall(
                id="t",
                name="mcp__tracker__create_issue",
                input={"title": "Cache the order list"},
                output='{"id":"x","identifier":"SHOP-7"}',
            ),
            "opened issue SHOP-7: Cache the order list",
        ),
        (a_command("gh pr merge 18 --squash", ""), "merged PR #18"),
        (a_command("URL=$(gh pr create --title x); echo $URL", "/pull/18"), "opened PR #18"),
        (
            a_command("gh pr create \\\n  --title 'Read orders once'", "/pull/18"),
            "opened PR #18: Read orders once",
        ),
        (a_command("git push && gh pr merge 18", ""), "merged PR #18"),
        (a_command("gh pr merge 18 --auto --squash", "will be merged automatically"), ""),
        (a_command("echo 'then use gh pr merge 18'", ""), ""),
        (a_command("grep -rn 'gh pr create' docs", "see https://g.co/a/b/pull/18"), ""),
        (a_command("gh pr create --title x", "no access"), ""),
        (a_command("gh pr create --title x", "/pull/18", failed=True), ""),
    ],
)
def test_what_was_opened_or_merged_for_others_is_told(tool: ToolCall, told: str) -> None:
    assert completed("Here it is.", prompt="go on with it", tools=(tool,)) == told


@pytest.mark.parametrize(
    "closing",
    [
        a_command("gh issue close 7 --reason 'not planned'"),
        ToolCall(id="u", name="mcp__linear__update_issue", input={"id": "7", "state": "Cancelled"}),
    ],
)
def test_an_issue_that_was_closed_later_is_not_told_as_opened(closing: ToolCall) -> None:
    create = a_command("gh issue create --title 'Run gc at safe points'", "https://x/issues/7")
    opened = a_turn("log it", answer="Opened #7.", tools=(create,))
    other = a_turn("go on", answer="It waits.", tools=(a_command("gh issue close 8"),))
    closed = a_turn("close it", answer="Done.", tools=(closing,))

    assert summarise(opened, other).completed == (
        "opened issue #7: Run gc at safe points; closed issue #8"
    )
    assert "opened" not in summarise(opened, closed).completed


def test_a_change_that_came_to_nothing_is_not_told() -> None:
    answer = "The rule does not fire here, so there's nothing to fix."

    assert completed(answer, prompt="fix the name of the package") == ""


def test_what_the_next_prompt_has_removed_was_not_completed() -> None:
    added = a_turn("Fix it", answer="The `default` case now handles all.", tools=(an_edit(),))
    removed = a_turn(
        "could we also just remove default then", answer="All are listed now.", tools=(an_edit(),)
    )

    assert summarise(added, removed).completed == "remove default then: All are listed now"


def test_what_was_removed_and_restored_is_not_told_as_removed() -> None:
    removed = a_turn("Tidy up", answer="Removed `edit_file` from the tools.", tools=(an_edit(),))
    restored = a_turn(
        "leave the others", answer="I restored `edit_file` in the list.", tools=(an_edit(),)
    )

    assert "Removed" not in summarise(removed, restored).completed


def test_what_later_edits_put_back_is_not_told_as_removed() -> None:
    removed = a_turn(
        "Tidy up",
        answer="Here is a summary of the changes:\n\n**Removed (not in the docs):**\n"
        "- `edit_file` - Unknown to the server\n- `save_file` - Left from an older release",
        tools=(a_replacement("edit_file save_file", ""),),
    )
    restored = a_turn(
        "leave those", answer="As you say.", tools=(a_replacement("", "edit_file save_file"),)
    )

    assert summarise(removed).completed == (
        "Removed (not in the docs): `edit_file` - Unknown to the server."
        " Removed: `save_file` - Left from an older release"
    )
    assert "_file" not in summarise(removed, restored).completed


def test_rows_that_were_added_are_told_by_name_and_as_added() -> None:
    answer = (
        "| Tool | Description | Status |\n|---|---|---|\n| `replace` | Edit a file | ✅ Added |\n"
        "| `edit` | Alias for the main tool | ✅ Added |"
    )

    assert completed(answer) == "Added: `replace`, `edit`"


def test_what_later_edits_took_out_again_was_not_completed() -> None:
    added = a_turn(
        "The lint fails",
        answer="Added `nolint:ireturn` in the loader.",
        tools=(a_replacement("a()", "a() // nolint:ireturn"),),
    )
    other = a_turn(
        "Return the type itself",
        answer="The loader returns its own type now.",
        tools=(a_replacement("a() // nolint:ireturn", "b()"),),
    )

    assert summarise(added, other).completed == "The loader returns its own type now"


def test_what_later_edits_put_back_was_not_completed_in_any_language() -> None:
    added = a_turn(
        "Füge dem Parser eine Option hinzu",
        answer="Ich habe die Option hinzugefügt.",
        tools=(a_replacement("strict = 0", "strict = 1"),),
    )
    other = a_turn("Sort the flags", answer="Sorted the flags.", tools=(an_edit("flags.py"),))
    back = a_turn(
        "Mach das rückgängig",
        answer="Das ist wieder weg.",
        tools=(a_replacement("strict = 1", "strict = 0"),),
    )
    again = a_turn("doch", answer="Ok.", tools=(a_replacement("strict = 0", "strict = 1"),))
    elsewhere = a_turn("ok", tools=(a_replacement("strict = 1", "strict = 0", "b.py"),))

    assert "Option" in summarise(added, other).completed
    assert "Option" not in summarise(added, other, back).completed
    assert "Option" in summarise(added, other, back, again).completed
    assert "Option" in summarise(added, other, elsewhere).completed


def test_what_was_moved_by_later_edits_is_still_there() -> None:
    added = a_turn(
        "Add a flag", answer="Added `with_force`.", tools=(a_replacement("", "with_force = 1"),)
    )
    moved = a_turn(
        "Tidy up",
        answer="The flags are now sorted.",
        tools=(a_replacement("with_force = 1", ""), a_replacement("", "with_force = 1", "b.py")),
    )

    assert "Added `with_force`" in summarise(added, moved).completed


def test_an_answer_that_changed_nothing_takes_nothing_back() -> None:
    added = a_turn("Add it", answer="Added `project_hash` to the reader.", tools=(an_edit(),))
    asked = a_turn("Why?", answer="The path has the name instead of `project_hash` otherwise.")

    assert summarise(added, asked).completed == "Added `project_hash` to the reader"


def test_most_of_the_work_is_told_even_if_only_its_files_are_known() -> None:
    small = a_turn("Plan", answer="Saved the plan to `plan.md`.", tools=(an_edit("plan.md"),))
    large = a_turn("it makes no sense to stop here", tools=(an_edit("a.py"), an_edit("b.py")) * 9)

    assert "changed `a.py`, `b.py`" in summarise(small, large).completed


@pytest.mark.parametrize(
    "line",
    [
        "Commits now",
        "Generated output looks good.",
        "Main had a test that names the now-deleted x.",
    ],
)
def test_a_stub_an_opinion_and_what_is_gone_are_no_deeds(line: str) -> None:
    assert completed(line) == "changed `src/db.py`"


def test_a_session_of_more_turns_is_told_at_more_length() -> None:
    def a_long_turn(n: int) -> CleanTurn:
        lines = [f"- Added the `part{n}{m}` of the {'abcdefghij'[m] * 60}" for m in range(9)]
        return a_turn(f"step {n}", answer="\n".join(lines), tools=(an_edit(f"{n}.py"),))

    first = summarise(a_long_turn(0))
    more = summarise(*(a_long_turn(n) for n in range(8)))

    assert len(first.completed) <= recap.ROOM + recap.ROOM_A_TURN
    assert len(first.completed) < len(more.completed) <= recap.LONGEST_COMPLETED


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "Two tests are slow. Want me to run them in parallel?",
            "offered: run them in parallel (Why is it slow?)",
        ),
        ("The harness is ready. Would you like me to commit these?", "offered: commit these"),
        (
            "Here are two ways.\n\n- A) a flag\n- B) a file\n\nWhich one?",
            "",  # The question was answered.
        ),
        ("It is slow because of the loop. Is there anything else?", ""),
        ("It is slow. Want me to fix it? Or did you mean the queue?", ""),
    ],
)
def test_what_was_offered_last_and_not_answered_is_open(answer: str, told: str) -> None:
    assert summarise(a_turn("Why is it slow?", answer=answer)).next_steps == told


def test_an_offer_that_was_answered_is_not_open() -> None:
    offer = a_turn("Why is it slow?", answer="It loops. Want me to add an index to the orders?")
    answered = a_turn("no, leave it", answer="It stays as it is.")

    assert summarise(offer, answered).next_steps == ""


def test_a_turn_that_ended_without_an_answer_is_to_be_resumed() -> None:
    unfinished = a_turn("Rebase the parser branch", tools=(a_command("git status"),))
    pushed = a_turn("Push the parser branch", tools=(a_command("git push"),))

    assert summarise(unfinished).next_steps == "resume: Rebase the parser branch"
    assert summarise(pushed).next_steps == ""


@pytest.mark.parametrize(
    ("prompt", "tool"),
    [
        ("Return the profile where it exists", an_edit()),
        ("For sub folders, we follow the next pattern:", a_command("ls")),
        ("Which agent is active?", a_command("ls")),
    ],
)
def test_what_may_be_done_or_says_too_little_is_not_to_be_resumed(
    prompt: str, tool: ToolCall
) -> None:
    assert summarise(a_turn(prompt, tools=(tool,))).next_steps == ""


def test_a_branch_that_was_made_is_not_to_be_resumed() -> None:
    made = a_command("git fetch origin && git checkout -b parser origin/main")
    interrupted = a_turn("Open a branch off main", tools=(made,), interrupted=True)

    assert summarise(interrupted).next_steps == ""


def test_what_the_user_put_off_is_open_until_something_takes_it_up() -> None:
    put_off = a_turn(
        "Commit it. The slow integration tests we can look at later.", answer="Committed."
    )
    done = a_turn(
        "now the integration tests",
        answer="The slow integration tests now look at one table.",
        tools=(an_edit(),),
    )

    left = "The slow integration tests we can look at later"
    assert summarise(put_off).next_steps == left
    assert summarise(put_off, done).next_steps == ""


def test_an_issue_to_handle_something_later_is_not_put_off() -> None:
    filed = a_turn("We should create an issue so that we can fix the cache later.", answer="Done.")

    assert summarise(filed).next_steps == ""


def test_the_first_sentence_below_a_heading_for_the_cause_is_the_cause() -> None:
    answer = (
        "## Root Cause\n\nThe `loader` reads the table once for each of its rows."
        " The page waits for all of them.\n\n## Fix\n\nAdded a join to `loader`."
    )

    summary = summarise(a_turn("The page is slow", answer=answer, tools=(an_edit(),)))

    assert summary.learned == (
        "found and fixed: The `loader` reads the table once for each of its rows"
    )


def test_a_cause_was_mended_by_the_edit_that_changes_what_it_names() -> None:
    found = a_turn("Why?", answer="Root cause: `read_rows` opens a cursor for each of the rows.")
    fixed = a_turn("fix it", answer="It is fast.", tools=(a_replacement("read_rows()", "rows()"),))

    assert summarise(found, fixed).learned.startswith("found and fixed: `read_rows`")


@pytest.mark.parametrize(
    "line", ["### 1. `state.py` — Detect empty repositories", "**`state.py`** — Detect empty ones"]
)
def test_what_stands_behind_a_file_in_a_report_was_done_there(line: str) -> None:
    told = completed(f"All tests pass.\n\n{line}\n\n- it is asked first")

    assert told.startswith("`state.py` — Detect empty")


def test_what_stands_behind_a_file_in_a_proposal_was_not_done() -> None:
    answer = "### 1. `state.py` — Detect an empty repository\n\nShall I go ahead?"

    assert "Detect" not in completed(answer)


def test_a_sentence_that_breaks_off_before_a_list_is_told_with_the_list() -> None:
    answer = (
        "Now a session is only marked as active if:\n\n"
        "1. It has a state file\n2. Its base commit is one of the last 20"
    )

    assert completed(answer) == (
        "Now a session is only marked as active if: It has a state file,"
        " Its base commit is one of the last 20"
    )


def test_an_announcement_whose_items_tell_nothing_is_told_with_them() -> None:
    answer = (
        "Fixed in `setup.py:181` and `setup.py:289` - now both functions:\n"
        "1. Load the settings first\n2. Save all of them"
    )

    assert completed(answer) == (
        "Fixed in `setup.py:181` and `setup.py:289` - now both functions: Load the settings first,"
        " Save all of them"
    )


@pytest.mark.parametrize(
    "line",
    [
        'The start hook now shows "a review is pending" when there is one',
        "Both conflicts were resolved by taking the version of the branch",
        "The limits of the loader were also raised",
        "Raised the limit of the queue (the other one already was)",
        "Top-level arrays — `content` now reads into `any` instead of a map",
        "The branch is rebased on main",
        "`commit_gemini()` is gone, stdin is read once",
    ],
)
def test_what_became_of_something_is_a_deed(line: str) -> None:
    assert completed(f"{line}.") == line


def test_what_the_next_prompt_reconsiders_was_not_completed() -> None:
    hidden = a_turn(
        "hide the start command", answer="The start command is now hidden.", tools=(an_edit(),)
    )
    removed = a_turn(
        "thinking again: let's completely remove the start command",
        answer="The loader no longer knows it.",
        tools=(an_edit("b.py"),),
    )

    assert "hidden" not in summarise(hidden, removed).completed


def test_a_fix_that_is_only_named_by_its_commit_is_told_by_what_it_does() -> None:
    answer = "Thread 2 (ids): Fixed in `b5e924cd`. The hook now stores `checkpoint_id` itself."

    assert completed(answer) == "The hook now stores `checkpoint_id` itself"


def test_comments_that_were_addressed_are_told_though_a_review_was_asked_for() -> None:
    told = completed("The hook now stores `checkpoint_id`.", prompt="/github-pr-review")

    assert told == "The hook now stores `checkpoint_id`"


def test_what_was_new_is_told_before_the_tasks_that_made_it() -> None:
    done = ToolCall(
        id="t", name="TodoWrite", input={"todos": [{"content": "Draw", "status": "completed"}]}
    )
    told = completed(
        "## New `shop list` command\n\nIt has three parts.", tools=(done, an_edit("list.py"))
    )

    assert told == "New `shop list` command. Tasks done: Draw"


def test_a_title_with_quotation_marks_is_told_whole() -> None:
    tool = a_command('gh pr create --title "Fix the \\"no head\\" error"', "https://g.co/pull/3")

    assert completed("PR created.", tools=(tool,)) == 'opened PR #3: Fix the "no head" error'


def test_a_title_with_only_headings_below_it_is_told() -> None:
    answer = (
        "All pass.\n\n## Summary: Fixed the count of edits before a prompt\n\n"
        "### The bug\n\nThey counted as the agent's."
    )

    assert completed(answer) == "Fixed the count of edits before a prompt"


def test_a_short_title_is_told_with_the_first_deed_below_it() -> None:
    answer = "## Updated the hook handlers\n\n- Added `agent` to the state\n- Sorted all of them"

    told = completed(answer)

    assert told == "Updated the hook handlers: Added `agent` to the state"


@pytest.mark.parametrize(
    "answer",
    [
        "Done.\n\nLikely causes for the delay:\n\n- the network\n- the id of the machine",
        "For a repository of which 10 files changed:\n\n- Before: 2000 reads\n- After: none",
    ],
)
def test_a_list_of_guesses_or_an_example_is_no_outcome(answer: str) -> None:
    assert completed(answer) == "changed `src/db.py`"


def test_what_the_user_found_no_good_and_had_changed_again_was_not_completed() -> None:
    first = a_turn("The lint fails", answer="Added `nolint` to 5 places.", tools=(an_edit(),))
    asked = a_turn("Will it stay?", answer="Only until the next run.")
    again = a_turn(
        "arrgh that is no good. Can we work around it?",
        answer="The loader now returns at once.",
        tools=(an_edit(),),
    )

    assert summarise(first, asked, again).completed == "The loader now returns at once"


def test_what_may_be_so_is_no_deed() -> None:
    answer = (
        "Added a `debug` command. There may be differences if:\n\n"
        "1. Files were modified but not saved\n2. Files were deleted since"
    )

    assert completed(answer) == "Added a `debug` command"


def test_how_checks_went_is_no_part_of_what_was_done() -> None:
    answer = "All parts were implemented and verified:\n\n- fmt: clean\n- lint: 0 issues"

    assert completed(answer) == "All parts were implemented and verified"


def test_a_prompt_that_neither_orders_nor_complains_is_not_told_as_done() -> None:
    told = completed("Done. All good.", prompt="ok maybe like this then: you have an active one")

    assert not told.startswith(("done", "solved"))


def test_which_of_several_ways_to_go_is_undecided() -> None:
    answer = "A) short\nB) long\n\nWhich option do you prefer, or should I combine parts of both?"

    assert summarise(a_turn("Reword the note", answer=answer)).next_steps == (
        "undecided: Reword the note"
    )


def test_what_was_put_off_is_told_with_what_it_is() -> None:
    summary = summarise(
        a_turn("Why is it slow?", answer="The integration tests take 217 seconds."),
        a_turn("never mind, we'll look at it later. Commit.", answer="Committed."),
    )

    left = "never mind, we'll look at it later"
    about = "Why is it slow: The integration tests take 217 seconds."
    assert summary.next_steps == f"{left} ({about})"


def test_what_stands_below_the_name_of_a_file_in_a_report_was_done_there() -> None:
    answer = (
        "All done.\n\n**`redact.py`:**\n"
        "1. Top-level arrays — walked like objects\n2. Errors of `encode` — handed to the caller"
    )

    told = completed(answer)

    assert "Top-level arrays — walked like objects" in told
    assert "Errors of `encode` — handed to the caller" in told


def test_a_whole_sentence_is_told_beside_a_title_of_the_same_words() -> None:
    first = a_turn(
        "fix it",
        answer="I've fixed the midnight bug by keeping the id of a session across days.",
        tools=(an_edit(),),
    )
    later = a_turn("move it", answer="## Fixed midnight bug\n\nAll.", tools=(an_edit("b.py"),) * 9)

    assert "across days" in summarise(first, later).completed


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "## Results\n\n### Verdict: **Approved with minor suggestions**\n\n- `a.md` is old",
            "reviewed: Approved with minor suggestions",
        ),
        (
            "Review complete. The 6 findings are in `todos/` but none block the merge.",
            "reviewed: The 6 findings are in `todos/` but none block the merge",
        ),
        ("### Security\n**Verdict:** Approve\n\n### Tests\n**Verdict:** Request changes", ""),
        ("It is ready to merge once the tests pass.", ""),
        ("**Recommendation:** Use the second way.", ""),
    ],
)
def test_what_a_review_came_to_is_told(answer: str, told: str) -> None:
    reviewed = a_turn("can you review this branch", answer=answer, tools=(a_command("git diff"),))

    assert summarise(reviewed).completed == told


def test_of_two_reviews_the_last_one_holds() -> None:
    first = a_turn("review it", answer="**Verdict:** Request changes", tools=(a_command("ls"),))
    last = a_turn("review it again", answer="**Verdict:** Approve", tools=(a_command("ls"),))

    assert summarise(first, last).completed == "reviewed: Approve"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "Done. I updated the comment on the total, which was wrong:\n\n"
            '```go\nLines int `json:"lines"` // by all\n```',
            "I updated the comment on the total, which was wrong",
        ),
        (
            "To summarize the decision: the reader now uses one loop.",
            "the reader now uses one loop",
        ),
        ("Next time you push, the log will now show the path.", ""),
        (
            "Created `scripts/two_users.sh` with the following test flow:\n"
            "1. **Commit**: only the second file is committed\n2. **Check**: the log is now read",
            "Created `scripts/two_users.sh`",
        ),
        (
            "All validations of the tests were updated:\n\n| Test | Files |\n|---|---|\n"
            '| One | `["a.go", "b.go"]` |\n| Two | `["c.go", "d.go"]` |',
            "All validations of the tests were updated",
        ),
    ],
)
def test_pieces_of_code_lists_and_tables_are_not_told_alone(answer: str, told: str) -> None:
    assert completed(answer, tools=(an_edit("a.go"), A_COMMIT)).startswith(told)
    assert len(completed(answer)) <= len(told) + len(": changed `src/db.py`")


@pytest.mark.parametrize(
    "prompt",
    [
        "it still fails",
        "The login test still fails",
        "no, same error",
        "I still get the same error",
        "still doesn't work",
    ],
)
def test_what_still_fails_was_not_fixed(prompt: str) -> None:
    claimed = a_turn(
        "Fix the flaky login test",
        answer="Fixed the flaky login test in `test_login`. Added a frozen clock to the fixtures.",
        tools=(an_edit("tests/test_login.py"),),
    )
    meant = a_turn(
        prompt,
        answer="The real cause was a cookie jar that the tests shared.",
        tools=(an_edit("tests/conftest.py"),),
    )
    other = a_turn("Still, rename the fixtures", answer="Renamed the fixtures to `clocks`.")

    told = summarise(claimed, meant)

    assert "Fixed" not in told.completed
    assert "Added a frozen clock" in told.completed
    assert told.learned == "The real cause was a cookie jar that the tests shared"
    assert "Fixed the flaky login test" in summarise(claimed, other).completed
