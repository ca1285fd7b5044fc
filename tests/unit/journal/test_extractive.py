import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import ids
from recollect.journal import markdown
from recollect.journal.extractive import Extractive
from recollect.journal.model import Observation
from recollect.text import sentences
from recollect.transcripts.turns import ToolCall
from tests.builders.turns import CWD, a_command, a_read, a_turn, an_edit

ENGINE = Extractive()


def observe(**turn: Any) -> tuple[Observation, ...]:
    return ENGINE.observe(a_turn(**turn)).observations


def test_an_entry_says_where_it_comes_from() -> None:
    turn = a_turn()

    entry = ENGINE.observe(turn)

    assert entry.id == ids.entry_id(turn.started, turn.key, turn.host)
    assert (entry.turn, entry.session, entry.host) == (turn.key, turn.session, turn.host)
    assert (entry.at, entry.branch, entry.by) == (turn.started, "main", "extractive/3")


def test_a_turn_that_did_and_said_nothing_has_a_headline_alone() -> None:
    entry = ENGINE.observe(a_turn("thanks!", answer="You're welcome!"))

    assert (entry.headline, entry.observations) == ("thanks!", ())


def test_an_interrupted_turn_says_so() -> None:
    entry = ENGINE.observe(a_turn("Rewrite " + "the parser " * 20, interrupted=True))

    assert entry.headline.endswith("… (interrupted)")
    assert len(entry.headline) <= 120


def test_only_files_that_a_tool_wrote_are_modified() -> None:
    (seen,) = observe(
        answer="The orders page is fast now, without a change in models.py.",
        tools=(
            an_edit("src/db.py"),
            an_edit("src/db.py"),
            an_edit("src/new.py", tool="Write"),
            an_edit("src/denied.py", failed=True),
            a_read("src/db.py"),
            a_read("src/models.py"),
            a_read("src/unspoken.py"),
        ),
    )

    assert seen.files_modified == ("src/db.py", "src/new.py")
    assert seen.files_read == ("src/models.py",)


def test_a_file_outside_the_project_keeps_its_whole_path() -> None:
    call = ToolCall(id="e", name="Write", input={"file_path": f"{CWD}-other/a.py"})

    (seen,) = observe(tools=(call,))

    assert seen.files_modified == (f"{CWD}-other/a.py",)


def test_the_patch_of_another_host_names_its_files() -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: b.py\n+x\n*** End Patch"

    (seen,) = observe(tools=(ToolCall(id="p", name="apply_patch", input={"input": patch}),))

    assert seen.files_modified == ("src/a.py", "b.py")


def test_an_edit_without_words_is_told_by_its_files() -> None:
    (seen,) = observe(prompt="go", tools=tuple(an_edit(f"{name}.py") for name in "abcd"))

    assert (seen.type, seen.title) == ("change", "Changed `a.py`, `b.py`, `c.py` and 1 more")


def test_reading_and_answering_is_a_discovery() -> None:
    (seen,) = observe(
        prompt="Why was the fix slow?",
        answer="Orders are loaded one by one because the relation is lazy.",
        tools=(a_read("src/db.py"),),
    )

    assert seen.type == "discovery"


def test_reading_alone_is_not_worth_keeping() -> None:
    assert observe(tools=(a_read("src/db.py"), a_command("ls -la"))) == ()


def test_the_first_cue_of_the_request_tells_the_type() -> None:
    def kind(prompt: str) -> str:
        return observe(prompt=prompt, tools=(an_edit(),))[0].type

    assert kind("Fix the crash in the new parser") == "bugfix"
    assert kind("Add a retry to fix timeouts") == "feature"
    assert kind("Refactor the client to support plugins") == "refactor"
    assert kind("Close the SQL injection in search") == "security"
    assert kind("Bump the version") == "change"


def test_how_the_tests_ended_is_a_fact() -> None:
    (seen,) = observe(
        answer="The parser reads dates.",
        tools=(
            an_edit(),
            a_command("npm run build", "error: no such file", failed=True),
            a_command("pip install httpx"),
        ),
    )

    assert seen.facts == (
        "asked: Fix the query",
        "`npm run build` failed: error: no such file",
        "ran `pip install httpx`",
    )


def test_a_failure_that_an_edit_cured_is_a_bugfix() -> None:
    _, fix = observe(
        answer="The parser reads dates.",
        tools=(
            a_command("pytest", "E       KeyError: 'id'\n1 failed in 0.1s", failed=True),
            a_read("src/models.py"),
            an_edit("src/db.py"),
            a_command("pytest -x", "3 passed in 0.1s"),
        ),
    )

    assert (fix.type, fix.title) == ("bugfix", "Fixed: KeyError: 'id'")
    assert fix.facts == (
        "solved by changing `src/db.py`; then `pytest -x`: 3 passed (before: 1 failed)",
    )
    assert fix.files_modified == ("src/db.py",)


def test_a_failure_that_went_away_by_itself_is_no_fix() -> None:
    seen = observe(
        answer="The network was down for a moment.",
        tools=(a_command("curl x", "refused", failed=True), a_command("curl x", "ok")),
    )

    assert [each.type for each in seen] == ["discovery"]


def test_a_failure_that_stays_is_no_fix() -> None:
    seen = observe(
        tools=(
            a_command("pytest", "1 failed in 1s", failed=True),
            an_edit(),
            a_command("pytest", "1 failed in 1s", failed=True),
        )
    )

    assert [each.title for each in seen] == ["Changed `src/db.py`"]


def test_a_commit_is_remembered_by_its_message() -> None:
    entry = ENGINE.observe(
        a_turn(
            "commit and push",
            tools=(
                a_command(
                    'git commit -m "fix(orders): load lines at once" -m "One query, not 41."',
                    "[main 1a2b3c4d] fix(orders): load lines at once",
                ),
                a_command("git push"),
            ),
        )
    )

    deed, commit = entry.observations
    assert entry.commit == "1a2b3c4d"
    assert (deed.type, deed.title) == ("change", "ran `git push`")
    assert (commit.type, commit.title) == ("bugfix", "fix(orders): load lines at once")
    assert commit.text == "One query, not 41."
    assert commit.facts == ("commit 1a2b3c4d",)


def test_a_commit_that_a_hook_refused_was_not_made() -> None:
    entry = ENGINE.observe(
        a_turn("commit", tools=(a_command("git commit -m x", "lint failed", failed=True),))
    )

    assert (entry.commit, entry.observations) == ("", ())


def test_a_decision_of_the_user_is_kept_as_one() -> None:
    seen = observe(
        prompt="Write the cache. We decided on Redis because p99 matters more than memory.",
        answer="The cache stands in src/cache.py now.",
        tools=(an_edit("src/cache.py"),),
    )

    assert [(each.type, each.title) for each in seen] == [
        ("change", "The cache stands in src/cache.py now."),
        ("decision", "We decided on Redis because p99 matters more than memory."),
    ]


def test_what_is_not_decided_yet_is_no_decision() -> None:
    (seen,) = observe(
        prompt="We have not decided on Redis yet.", answer="Both stores would work here."
    )

    assert seen.type == "discovery"


def test_what_was_said_before_an_interrupt_is_heard() -> None:
    (seen,) = observe(remarks=("It turned out that the lock is never released.",), interrupted=True)

    assert seen.title == "It turned out that the lock is never released."


def test_what_of_a_long_sentence_does_not_fit_in_the_title_stands_whole_in_the_text() -> None:
    sentence = "The orders page " + "really " * 20 + "is fast now."

    (seen,) = observe(answer=sentence)

    assert seen.title.endswith("…")
    assert seen.text == sentence


def test_a_title_ends_with_a_clause_and_the_text_goes_on_with_the_next() -> None:
    first = (
        "We decided on Redis for the cache of the orders page and all of its lines and addresses"
    )
    reason = "because the p99 of a request matters more to us than the memory that it takes."

    _, decided = observe(answer=f"The cache is there. {first}, {reason}", tools=(an_edit(),))

    assert (decided.title, decided.text) == (first, reason)


@pytest.mark.parametrize("prompt", ["yes", "commit and push", "implement this", "/review"])
def test_a_thin_prompt_is_named_by_what_was_done(prompt: str) -> None:
    entry = ENGINE.observe(a_turn(prompt, answer="The parser reads dates with a time zone."))

    assert entry.headline.endswith("The parser reads dates with a time zone.")
    assert entry.headline.startswith("/review: " if prompt == "/review" else "The parser")


def test_a_thin_prompt_is_named_by_its_commit() -> None:
    tools = (a_command("git commit -m 'x'", "[main 1a2b3c4d] Load lines at once"),)

    assert ENGINE.observe(a_turn("commit this", tools=tools)).headline == "Load lines at once"


def test_a_thin_prompt_that_led_to_nothing_stays_what_it_was() -> None:
    assert ENGINE.observe(a_turn("yes")).headline == "yes"


def test_a_prompt_that_is_nothing_but_a_paste_is_named_by_its_error() -> None:
    prompt = "```\nstarting up\nKeyError: 'id'\n```"

    assert ENGINE.observe(a_turn(prompt)).headline == "KeyError: 'id'"


def test_the_request_is_kept_in_the_words_of_the_user() -> None:
    (seen,) = observe(
        prompt="Sort the branches. Sessions without a checkpoint belong at the very end.",
        answer="Branches are sorted by their last activity.",
        tools=(an_edit(),),
    )

    asked = "asked: Sort the branches. Sessions without a checkpoint belong at the very end."
    assert asked in seen.facts


def test_a_discovery_on_the_way_is_kept() -> None:
    (seen,) = observe(
        answer="The retry waits for the lock now.",
        remarks=(
            "Let me look at the worker.",
            "The root cause is that the worker never releases its database lock after a crash.",
        ),
        tools=(an_edit(),),
    )

    told = " ".join((seen.title, *seen.facts))
    assert "The root cause is that the worker never releases its database lock" in told


def test_an_error_that_the_turn_made_and_mended_itself_is_a_fact() -> None:
    (seen,) = observe(
        answer="The parser reads dates.",
        tools=(
            an_edit(),
            a_command("pytest", "KeyError: 'id'\n1 failed in 0.1s", failed=True),
            an_edit("src/db.py"),
            a_command("pytest", "3 passed in 0.1s"),
        ),
    )

    assert seen.facts == (
        "asked: Fix the query",
        "on the way: KeyError: 'id'; solved in `src/db.py`",
        "`pytest`: 3 passed (before: 1 failed)",
    )


def test_what_the_user_chose_when_asked_is_a_decision() -> None:
    output = 'User has answered your questions: "Which store?"="Postgres"'
    asked = ToolCall(id="q", name="AskUserQuestion", output=output)
    go_on = ToolCall(id="q", name="AskUserQuestion", output='"What next?"="Start"')

    (seen,) = observe(tools=(asked, go_on))

    assert (seen.type, seen.title) == ("decision", "Which store? Postgres")


def test_of_many_files_read_those_are_kept_that_were_spoken_of() -> None:
    (seen,) = observe(
        answer="The relation in models.py is lazy.",
        tools=tuple(a_read(f"src/{name}.py") for name in ("a", "b", "c", "models")),
    )

    assert seen.files_read == ("src/models.py",)


def test_a_brief_answer_is_kept_whole() -> None:
    answer = "The query ran once per order. A join replaces the loop. The page takes 180 ms now."

    entry = ENGINE.observe(a_turn("The page is slow", answer=answer, tools=(an_edit("src/db.py"),)))

    told = markdown.body_of(entry)
    assert all(sentence in told for sentence in sentences.split(answer))


def test_what_is_left_to_do_is_not_what_was_done() -> None:
    (seen,) = observe(
        prompt="Write the caching section",
        answer="Next: measure the hit rate on staging. The README has a section on caching.",
        tools=(an_edit("README.md"),),
    )

    assert seen.title == "The README has a section on caching."


def test_a_long_answer_is_kept_in_some_of_its_sentences() -> None:
    answer = "\n\n".join(
        f"The loader {n} reads orders of shop {n} because table_{n} has an index."
        for n in range(200)
    )

    entry = ENGINE.observe(a_turn(answer=answer))

    assert 900 < len(markdown.render_entry(entry)) < 1800


SLOW_PAGE = """\
The orders page is fast again: 2.4 s before, 180 ms now.

**Cause:** each order loaded its lines with a query of its own, 41 queries for a page of 40 orders.

**What I changed**
- `get_orders` loads lines with `selectinload`: 2 queries
- an index on `order_lines.order_id`

**Rejected:** a cache in front of it. It would have hidden the loop and gone stale on every edit.

**Left alone:** the export still walks order by order. It matters from about 5,000 orders on.

Shall I add a test for the number of queries?
"""


def test_a_report_is_kept_with_cause_change_result_and_what_was_left() -> None:
    entry = ENGINE.observe(
        a_turn("the orders page is slow, have a look", answer=SLOW_PAGE, tools=(an_edit(),))
    )

    told = markdown.body_of(entry)
    assert entry.headline == "The orders page is fast again: 2.4 s before, 180 ms now."
    for point in (
        "Cause: each order loaded its lines with a query of its own, 41 queries",
        "`get_orders` loads lines with `selectinload`: 2 queries; an index on",
        "Rejected: a cache in front of it. It would have hidden the loop",
        "Left alone: the export still walks order by order. It matters from about 5,000 orders on.",
        "asked: the orders page is slow, have a look",
    ):
        assert point in told
    assert "Shall I" not in told


def test_a_table_is_kept_row_by_row_below_what_its_columns_are_called() -> None:
    table = "Measured:\n\n| page | before | after |\n|---|---|---|\n| orders | 2.4 s | 180 ms |"

    (seen,) = observe(answer=f"Both pages are fast now.\n\n{table}", tools=(an_edit(),))

    told = "\n".join((seen.title, *seen.facts))
    assert "| orders | 2.4 s | 180 ms |" in told


def test_a_heading_above_code_that_is_too_long_to_keep_is_kept() -> None:
    code = "```go\n" + "lines = lines[start:]\n" * 9 + "```\n"
    answer = (
        "I've addressed both findings:\n\n"
        f"### 1. ✅ **Tokens are counted from `startOffset` on** (medium)\n{code}\n"
        f"### 2. ✅ **Prompts lose the tags of the editor** (low)\n{code}"
    )

    told = markdown.body_of(ENGINE.observe(a_turn("Address the review", answer=answer)))

    assert "Tokens are counted from `startOffset` on (medium)" in told
    assert "Prompts lose the tags of the editor (low)" in told
    assert "lines[start:]" not in told


def test_that_all_is_well_is_kept_where_a_report_says_nothing_else() -> None:
    answer = "Pushed. The PR should be clean now: no merge conflicts, lint and tests all passing."

    entry = ENGINE.observe(a_turn("umm, the working copy has changes", answer=answer))

    assert "no merge conflicts" in markdown.body_of(entry)


def test_what_stands_in_brackets_leaves_a_title_first() -> None:
    answer = (
        "The gray lane goes all the way up because that session (`e87ca3a4`, which ended on Monday)"
        " has checkpoints from `7c35564` down to `dec0d7b`."
    )

    entry = ENGINE.observe(a_turn("why is the lane gray?", answer=answer))

    assert entry.headline == (
        "The gray lane goes all the way up because that session has checkpoints from `7c35564`"
        " down to `dec0d7b`."
    )
    assert "which ended on Monday" in markdown.body_of(entry)


def test_an_answer_that_is_too_short_to_name_a_turn_stands_behind_the_request() -> None:
    entry = ENGINE.observe(a_turn("Add a tea page now", answer="It is there."))

    assert entry.headline == "Add a tea page now: It is there."


def test_what_was_decided_in_a_report_is_a_decision_with_its_reason() -> None:
    answer = (
        "The queue is in place. We decided against Kafka because it needs a cluster, and against "
        "cron because it drops runs."
    )

    seen = observe(prompt="We need a queue for mails", answer=answer, tools=(an_edit(),))

    decided = [f"{each.title}, {each.text}" for each in seen if each.type == "decision"]
    assert decided == [f"{answer.partition('. ')[2]}, "]


def test_what_a_tutorial_chose_and_why_is_kept() -> None:
    answer = (
        "I've created `greet.py`.\n\n**Why `argparse` over `sys.argv`:**\n- You get `--help` for "
        "free\n- Bad arguments are told\n\nI went with argparse because the cost is negligible."
    )

    seen = observe(
        prompt="Write a greeting script. Which parser do you take, and why?",
        answer=answer,
        tools=(an_edit("greet.py"),),
    )

    told = "\n".join(line for each in seen for line in (each.title, *each.facts))
    assert (
        "Why `argparse` over `sys.argv`: You get `--help` for free; Bad arguments are told" in told
    )
    assert ("decision", "I went with argparse because the cost is negligible.") in [
        (each.type, each.title) for each in seen
    ]


def test_the_headline_of_a_turn_that_a_notification_began_is_what_came_of_it() -> None:
    prompt = "<task-notification>GitHub reports PR #37 is now conflicting</task-notification>"

    entry = ENGINE.observe(
        a_turn(prompt, answer="PR #37 is rebased on main again, 7/7 checks are green.")
    )

    assert entry.headline == "PR #37 is rebased on main again, 7/7 checks are green."


def test_a_remark_on_the_way_is_never_the_point() -> None:
    entry = ENGINE.observe(
        a_turn(
            "The build fails now and then",
            answer=(
                "I looked at the logs of the last three runs. That was a stale background task. "
                "The runner shares one port among all jobs, so two of them collide."
            ),
        )
    )

    assert entry.headline == "The runner shares one port among all jobs, so two of them collide."
    assert "stale background task" not in markdown.body_of(entry)


def test_a_quotation_in_the_prompt_is_not_the_point() -> None:
    prompt = "The agent was told this:\n> Write your progress into docs/progress-so-far.md\nwhy?"

    entry = ENGINE.observe(a_turn(prompt, answer="The prompt template of the runner says so."))

    assert "Write your progress" not in markdown.body_of(entry)


def test_what_only_an_edit_shows_is_kept_with_what_it_was() -> None:
    edit = ToolCall(
        id="e",
        name="Edit",
        input={
            "file_path": f"{CWD}/src/auth.py",
            "old_string": "SESSION_MINUTES = 30\n",
            "new_string": "SESSION_MINUTES = 45\n",
        },
    )

    (seen,) = observe(prompt="Let sessions live longer", answer="They do now.", tools=(edit,))

    assert "`auth.py`: `SESSION_MINUTES = 45` (was `SESSION_MINUTES = 30`)" in (
        seen.title,
        *seen.facts,
    )


def test_a_value_that_the_report_tells_is_not_told_again() -> None:
    edit = ToolCall(
        id="e",
        name="Edit",
        input={
            "file_path": f"{CWD}/src/auth.py",
            "old_string": "SESSION_MINUTES = 30\n",
            "new_string": "SESSION_MINUTES = 45\n",
        },
    )

    (seen,) = observe(answer="Sessions live for 45 minutes now.", tools=(edit,))

    assert "SESSION_MINUTES" not in "".join(seen.facts)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("hello there my friend", "Hello! How can I help you today?"),
        ("Excellent.", "You're welcome!"),
        ("thats brilliant thank you!! going to bed", "You're welcome, all is committed."),
        ("Which port does the proxy use?", ""),
        ("Which port does the proxy use?", "I don't know."),
        ("what DB engine did we pick", "Ok."),
        ("Oh, leave it. Not today.", "Left as it is."),
    ],
)
def test_a_turn_that_said_nothing_is_no_memory(prompt: str, answer: str) -> None:
    assert ENGINE.observe(a_turn(prompt, answer=answer)).observations == ()


def test_what_the_user_told_and_the_agent_only_heard_is_one() -> None:
    (seen,) = observe(prompt="The staging database is read-only.", answer="Understood.")

    assert "The staging database is read-only." in seen.title


def test_an_announcement_before_an_interrupt_is_no_memory() -> None:
    remarks = ("I'll explore the codebase to find all places where the index is used.",)

    assert observe(prompt="Rename the index", remarks=remarks, interrupted=True) == ()


def test_a_choice_that_does_not_say_what_for_is_no_decision_of_its_own() -> None:
    seen = observe(
        prompt="go with the Postgres table.",
        answer="Retries are kept in the table `mail_retries` now, with the time of the next one.",
        tools=(an_edit(),),
    )

    assert [each.type for each in seen] == ["change"]
    assert seen[0].facts[0] == "asked: go with the Postgres table."


def test_a_rule_begins_with_its_own_words() -> None:
    seen = observe(
        prompt="Write the invoice. And from now on always use Decimal for money.",
        answer="The invoice adds up in Decimal.",
        tools=(an_edit(),),
    )

    assert [each.title for each in seen if each.type == "decision"] == [
        "From now on always use Decimal for money."
    ]


@pytest.mark.parametrize(
    "unit", ["a. B ", "- x:\n", "**a** ", "because ", '"', "`x` — y\n", "好。"]
)
def test_a_huge_turn_is_read_quickly(unit: str) -> None:
    huge = unit * 40_000
    started = time.process_time()

    ENGINE.observe(a_turn(huge, answer=huge, remarks=(huge,) * 20))

    assert time.process_time() - started < 5


def test_the_same_turn_gives_the_same_entry() -> None:
    turn = a_turn(answer="The cache is shared now.", tools=(an_edit(), a_command("make test")))

    assert ENGINE.observe(turn) == ENGINE.observe(turn)


tools = st.lists(
    st.builds(
        ToolCall,
        id=st.just("x"),
        name=st.sampled_from(["Bash", "Edit", "Read", "apply_patch", "shell", "Agent"]),
        input=st.dictionaries(
            st.sampled_from(["command", "file_path", "input", "cmd"]),
            st.text() | st.integers() | st.none() | st.lists(st.text()),
        ),
        output=st.text(),
        failed=st.booleans(),
    ),
    max_size=4,
).map(tuple)


@given(st.text(), st.text(), tools)
@settings(deadline=None)
def test_whatever_a_turn_holds_becomes_an_entry_that_can_be_written(
    prompt: str, answer: str, calls: tuple[ToolCall, ...]
) -> None:
    entry = ENGINE.observe(a_turn(prompt, answer=answer, tools=calls))

    (memory,) = markdown.kept(markdown.render_entry(entry), day=None)

    assert not memory.edited
    assert len(markdown.parse_observations(memory)) == len(entry.observations)


def test_a_rule_is_named_by_the_users_words_and_not_by_an_agent_that_says_it_back() -> None:
    entry = ENGINE.observe(
        a_turn("From now on we use pnpm, never npm", answer="Noted: pnpm from now on, npm never.")
    )

    assert entry.headline == "From now on we use pnpm, never npm"
    assert [(one.type, one.title) for one in entry.observations] == [
        ("decision", "From now on we use pnpm, never npm")
    ]


def test_what_an_agent_adds_when_it_confirms_is_kept() -> None:
    (seen,) = observe(
        prompt="Use port 5433 for the tests.",
        answer="Noted: port 5433; the old one was taken by the staging tunnel.",
    )

    assert "staging tunnel" in seen.title


@pytest.mark.parametrize("answer", ["I see.", "I'm not sure, let me know where to look."])
def test_a_question_that_got_no_real_answer_has_a_headline_alone(answer: str) -> None:
    entry = ENGINE.observe(a_turn("How long are invoices kept?", answer=answer))

    assert entry.observations == ()


def test_what_was_looked_at_is_no_headline_beside_what_was_found() -> None:
    entry = ENGINE.observe(
        a_turn(
            "Look over the checkout code and tell me what is wrong",
            answer=(
                "I read `checkout/` from top to bottom. Two things are worth fixing:\n\n"
                "1. **Rounding**: `total()` rounds each line, so baskets are off by 4 cents.\n"
                "2. **Double submit**: two clicks on Pay make two orders.\n\n"
                "Nothing was changed so far. Should I start with the second? That one costs money."
            ),
        )
    )

    assert entry.headline.startswith(("Rounding", "Double submit"))
    whole = str(entry.observations)
    assert "That one costs money" not in whole
    assert "Nothing was changed" not in whole


def test_a_sentence_that_goes_on_from_another_is_not_kept_behind_a_third() -> None:
    left = "I left the export alone, which walks the widgets one at a time every night at two."
    later = "That will matter beyond 500 widgets, because the job then takes more than 4 hours."
    filler = " ".join(
        f"The fix of `load_{n}` brings the page from {n}00 ms to {n}0 ms, because it asks once."
        for n in range(1, 9)
    )

    seen = observe(prompt="the page is slow", answer=f"{filler} {left} {later}", tools=(an_edit(),))

    whole = str(seen)
    assert left in whole or f"… {later}" in whole or later not in whole


def test_a_choice_behind_what_was_considered_is_a_decision() -> None:
    seen = observe(
        prompt="Give it a --name option",
        answer="It takes `--name` now. I considered click, but went with argparse for its size.",
        tools=(an_edit(),),
    )

    assert "decision" in [each.type for each in seen]
