"""Whether a memory was used: what would flatter us does not count."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.context import usefulness
from recollect.context.usefulness import Given, KnownToAgent, used
from recollect.transcripts.shorten import shorten
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
ID = "20261115T133207-def25802"
PROMPT = "Why is the page slow again?"

ORDERS = Given(
    id=ID,
    title="Fix the N+1 query of the nightly export",
    body=(
        "- **bugfix** `fetch_invoices` now uses `selectinload`; see PERF-4711\n"
        "  - facts: the nightly export locks every invoice row until vacuum ends\n"
        "  - files: `src/billing/ledger.py`, `src/billing/rates.py` (modified)\n"
    ),
    files=("src/billing/ledger.py", "src/billing/rates.py"),
)


def call(tool: str = "Bash", output: str = "", *, failed: bool = False, **given: Any) -> ToolCall:
    return ToolCall(id=f"call-{tool}", name=tool, input=given, output=output, failed=failed)


def read(path: str, output: str = "", *, failed: bool = False) -> ToolCall:
    return call("Read", output, failed=failed, file_path=path)


def turn(*tools: ToolCall, prompt: str = PROMPT, **more: Any) -> CleanTurn:
    made = Turn(
        host="claude-code", session="s-1", key="t-1", prompt=prompt, tools=tools, started=NOON,
        ended=NOON, **({"cwd": "/home/anna/shop"} | more),
    )  # fmt: skip
    return CleanTurn(made)


def names_said(names: str, **more: Any) -> str:
    """How the memory was used in a turn whose answer has *names*."""
    return used(ORDERS, turn(answer=f"It was {names}.", **more))


def test_of_a_turn_that_has_nothing_of_it_it_was_not_used() -> None:
    assert used(ORDERS, turn(call(command="ls"), answer="The index was missing.")) == ""


def test_the_frame_around_memories_is_never_used() -> None:
    assert used(Given(id="", title="fetch_invoices PERF-4711"), turn(answer="anything")) == ""


class TestOpened:
    @pytest.mark.parametrize(
        "command",
        [
            f"recollect expand {ID}",
            f"recollect show '{ID}' | head",
            "recollect transcript 20261115T133207",
            "recollect expand 20261115T133",
            f"recollect expand {ID[:20]}",
        ],
    )
    def test_a_command_that_asks_for_the_id_or_its_beginning_opens_it(self, command: str) -> None:
        assert used(ORDERS, turn(call(command=command))) == "opened"

    def test_any_tool_that_is_given_the_id_opens_it(self) -> None:
        asked = call("mcp__recollect__expand", ids=[{"id": ID}])

        assert used(ORDERS, turn(asked)) == "opened"

    def test_a_note_is_opened_by_its_name(self) -> None:
        note = replace(ORDERS, id="decision/use-redis")

        assert used(note, turn(call(command="recollect show decision/use-redis"))) == "opened"

    @pytest.mark.parametrize(
        "command",
        [
            "recollect show decision/use-redis-cluster",
            "cat docs/decision/use-redis",
            "recollect show decision/use-redis/old",
            "recollect show decision/use-red",
            "cat decision/use-redis.md",
        ],
    )
    def test_a_name_that_is_only_like_it_is_another_one(self, command: str) -> None:
        note = replace(ORDERS, id="decision/use-redis")

        assert used(note, turn(call(command=command))) == ""

    @pytest.mark.parametrize(
        "command",
        [
            "recollect expand 20261115T13",  # An hour.
            "recollect timeline 20261115",
            "recollect expand 20261115T133208",
            "recollect expand 20261115T133207-def25803",
            f"recollect expand {ID}0",
            f"cat logs/{ID}",
        ],
    )
    def test_another_id_or_too_little_of_it_opens_nothing(self, command: str) -> None:
        assert used(ORDERS, turn(call(command=command))) == ""

    def test_a_call_that_failed_opened_nothing(self) -> None:
        assert used(ORDERS, turn(call(command=f"recollect expand {ID}", failed=True))) == ""

    def test_what_the_user_asked_for_by_its_id_is_not_our_merit(self) -> None:
        asked = turn(call(command=f"recollect expand {ID}"), prompt=f"what does {ID} say?")

        assert used(ORDERS, asked) == ""

    def test_what_the_agent_found_by_its_own_search_is_not_our_merit(self) -> None:
        searched = call(command="recollect search export", output=f"0.81 Fix it [{ID}]")

        assert used(ORDERS, turn(searched, call(command=f"recollect expand {ID}"))) == ""

    def test_a_headline_can_be_opened(self) -> None:
        opened = turn(call(command=f"recollect expand {ID}"))

        assert used(ORDERS, opened, headline_only=True) == "opened"

    def test_a_long_output_before_does_not_hide_it(self) -> None:
        long = call(command="ls -R", output=shorten("x " * 9000, 4000))

        assert used(ORDERS, turn(long, call(command=f"recollect expand {ID}"))) == "opened"


class TestCited:
    @pytest.mark.parametrize(
        "said", [f"As in [{ID}].", f"see {ID}, it was the export", f"参见{ID}。"]
    )
    def test_its_id_in_the_answer_or_a_remark_cites_it(self, said: str) -> None:
        assert used(ORDERS, turn(answer=said)) == "cited"
        assert used(ORDERS, turn(remarks=(said,))) == "cited"

    def test_a_note_with_a_chinese_name_is_cited_by_all_of_it(self) -> None:
        note = replace(ORDERS, id="decision/使用缓存")

        assert used(note, turn(answer="见 decision/使用缓存。")) == "cited"
        assert used(note, turn(answer="见 decision/使用缓存层。")) == ""

    def test_an_id_that_a_tool_put_out_is_not_our_merit(self) -> None:
        searched = call(command="recollect search export", output=f"[{ID}] Fix it")

        assert used(ORDERS, turn(searched, answer=f"As in {ID}.")) == ""

    def test_to_open_it_is_more_than_to_cite_it(self) -> None:
        both = turn(call(command=f"recollect expand {ID}"), answer=f"As in {ID}.")

        assert used(ORDERS, both) == "opened"


class TestFiles:
    @pytest.mark.parametrize(
        "touch",
        [
            read("/home/anna/shop/src/billing/ledger.py"),
            read("src/billing/ledger.py"),
            call("Edit", file_path="./src/billing/ledger.py", old_string="a", new_string="b"),
            call(command="sed -n '1,80p' src/billing/ledger.py | head"),
            call("NotebookEdit", notebook_path="src/billing/rates.py"),
        ],
        ids=lambda one: f"{one.name} {one.input}",
    )
    def test_a_file_that_it_names_was_read_or_changed(self, touch: ToolCall) -> None:
        assert used(ORDERS, turn(touch)) == "files"

    def test_it_is_found_from_a_folder_inside_the_project(self) -> None:
        inside = turn(read("billing/ledger.py"), cwd="/home/anna/shop/src")

        assert used(ORDERS, inside) == "files"

    def test_it_is_found_where_nobody_knows_the_folder(self) -> None:
        assert used(ORDERS, turn(read("/x/src/billing/ledger.py"), cwd="")) == "files"

    @pytest.mark.parametrize(
        "path",
        [
            "/home/anna/shop/vendor/src/billing/ledger.py",
            "/home/anna/bank/src/billing/ledger.py",
            "/home/anna/shop/ledger.py",
            "/home/anna/shop/src/mybilling/ledger.py",
            "/home/anna/shop/src/billing/ledger.pyc",
            "/home/anna/shop/src/billing",
            "/home/anna/shop/other_src/billing/ledger.py",
        ],
    )
    def test_another_file_of_a_like_path_is_another_file(self, path: str) -> None:
        assert used(ORDERS, turn(read(path))) == ""

    def test_a_bare_name_is_the_file_at_the_root_and_no_other(self) -> None:
        bare = Given(id=ID, title="Change ledger.py", files=("ledger.py",))

        assert used(bare, turn(read("/home/anna/shop/ledger.py"))) == "files"
        assert used(bare, turn(read("/home/anna/shop/src/billing/ledger.py"))) == ""

    @pytest.mark.parametrize(
        "prompt",
        [
            "look at src/billing/ledger.py",
            "what is Ledger.py for?",
            "fix the ledger",
            "why are two ledgers slow?",
            "看看ledger.py为什么慢",
        ],
    )
    def test_a_file_that_the_prompt_names_is_not_our_merit(self, prompt: str) -> None:
        assert used(ORDERS, turn(read("src/billing/ledger.py"), prompt=prompt)) == ""

    @pytest.mark.parametrize(
        "output", ["ledger.py\nrates.py\n", "src/billing/ledger.py:12: slow", shorten("x" * 99, 50)]
    )
    def test_a_file_that_the_agent_found_itself_is_not_our_merit(self, output: str) -> None:
        found = call("Grep", output, pattern="slow")

        assert used(ORDERS, turn(found, read("src/billing/ledger.py"))) == ""

    def test_what_tools_put_out_afterwards_takes_nothing_away(self) -> None:
        listed = call(command="ls src/billing", output="ledger.py")

        assert used(ORDERS, turn(read("src/billing/ledger.py", "x = 1"), listed)) == "files"

    def test_a_file_without_an_ending_is_one_too(self) -> None:
        script = Given(id=ID, title="See bin/rotate-keys", files=("bin/rotate-keys",))

        assert used(script, turn(call(command="cat bin/rotate-keys"))) == "files"
        asked = turn(call(command="cat bin/rotate-keys"), prompt="rotate the keys")
        assert used(script, asked) == ""

    def test_the_words_of_its_name_in_the_prompt_name_it(self) -> None:
        service = Given(id=ID, title="See src/InvoiceService.ts", files=("src/InvoiceService.ts",))

        assert used(service, turn(read("src/InvoiceService.ts"))) == "files"
        asked = turn(read("src/InvoiceService.ts"), prompt="fix the invoice service")
        assert used(service, asked) == ""

    def test_a_file_that_is_not_there_was_not_read(self) -> None:
        assert used(ORDERS, turn(read("src/billing/ledger.py", failed=True))) == ""

    def test_a_file_that_an_earlier_turn_worked_on_is_not_our_merit(self) -> None:
        known = KnownToAgent([turn(read("src/billing/ledger.py"))])

        assert used(ORDERS, turn(read("src/billing/ledger.py")), known=known) == ""
        assert used(ORDERS, turn(read("src/billing/rates.py")), known=known) == "files"

    def test_one_of_many_files_proves_nothing(self) -> None:
        files = tuple(f"src/billing/part{number}.py" for number in range(9))
        many = Given(id=ID, title="Move billing", body=" ".join(files), files=files)

        assert used(many, turn(read(files[0]), read(files[1]), read(files[2]))) == ""
        assert used(replace(many, files=files[:8]), turn(read(files[0]))) == "files"

    @pytest.mark.parametrize("name", ["README.md", "package.json", "src/shop/__init__.py"])
    def test_a_file_that_every_project_has_proves_nothing(self, name: str) -> None:
        common = Given(
            id=ID, title="Tidy up", body=f"  - files: `{name}` (modified)", files=(name,)
        )

        assert used(common, turn(read(name))) == ""

    def test_a_headline_says_nothing_of_files(self) -> None:
        touched = turn(read("src/billing/ledger.py"))

        assert used(ORDERS, touched, headline_only=True) == ""

    def test_a_file_that_stands_beyond_what_was_shown_was_not_learnt_from_it(self) -> None:
        cut = replace(ORDERS, body="- **bugfix** …")

        assert used(cut, turn(read("src/billing/ledger.py"))) == ""

    def test_to_speak_of_a_file_is_not_to_work_on_it(self) -> None:
        assert names_said("src/billing/ledger.py and src/billing/rates.py") == ""


class TestShownForAFile:
    """The agent reads a file, and is then given what is known of it."""

    def test_the_file_it_was_shown_for_is_its_cause_and_not_its_effect(self) -> None:
        again = turn(read("src/billing/ledger.py"), read("src/billing/ledger.py"))

        assert used(ORDERS, again, for_file=True) == ""

    def test_another_of_its_files_that_is_read_afterwards_counts(self) -> None:
        both = turn(read("src/billing/ledger.py"), read("src/billing/rates.py"))

        assert used(ORDERS, both, for_file=True) == "files"

    def test_what_the_agent_did_before_it_saw_the_memory_is_not_our_merit(self) -> None:
        search = call("Grep", pattern="fetch_invoices|PERF-4711")
        said = "fetch_invoices, as PERF-4711 says"

        assert used(ORDERS, turn(search, read("src/billing/ledger.py")), for_file=True) == ""
        touched = turn(read("src/billing/ledger.py"), remarks=(said,), answer="Done.")
        assert used(ORDERS, touched, for_file=True) == ""

    def test_what_it_says_in_the_end_counts(self) -> None:
        told = turn(read("src/billing/ledger.py"), answer="fetch_invoices, as PERF-4711 says")

        assert used(ORDERS, told, for_file=True) == "words"


class TestNames:
    def test_two_names_that_only_the_memory_has_prove_it(self) -> None:
        assert names_said("fetch_invoices, as PERF-4711 says") == "words"
        assert used(ORDERS, turn(call("Grep", pattern="fetch_invoices|PERF-4711"))) == "words"

    def test_one_name_may_be_met_by_chance(self) -> None:
        assert names_said("fetch_invoices") == ""

    def test_names_count_between_characters_without_spaces(self) -> None:
        assert names_said("问题在fetch_invoices里，参见PERF-4711号工单") == "words"

    @pytest.mark.parametrize(
        "prompt",
        [
            "why is fetch_invoices slow?",
            "why is FETCH_INVOICES slow?",
            "why does it fetch all invoices?",
            "why is billing.fetch_invoices() slow?",
            "为什么fetch_invoices这么慢？",
        ],
    )
    def test_a_name_that_the_prompt_has_does_not_count(self, prompt: str) -> None:
        assert names_said("fetch_invoices, as PERF-4711 says", prompt=prompt) == ""

    def test_a_name_that_a_tool_put_out_does_not_count(self) -> None:
        shown = call(command="cat a.py", output="def fetch_invoices():")

        assert used(ORDERS, turn(shown, answer="fetch_invoices, PERF-4711")) == ""

    def test_a_name_in_what_tools_put_out_alone_was_not_used(self) -> None:
        shown = call(command="git log", output="fetch_invoices PERF-4711")

        assert used(ORDERS, turn(shown, answer="Nothing there.")) == ""

    def test_a_name_that_was_looked_for_before_a_tool_showed_it_counts(self) -> None:
        first = call(
            "Grep", "ledger2.py: def fetch_invoices  # PERF-4711", pattern="fetch_invoices"
        )

        assert used(ORDERS, turn(first, answer="See PERF-4711.")) == ""
        both = replace(first, input={"pattern": "fetch_invoices|PERF-4711"})
        assert used(ORDERS, turn(both)) == "words"

    def test_where_an_output_was_cut_nobody_knows_what_the_agent_met_there(self) -> None:
        long = call(command="cat a.py", output=shorten("x\n" * 9000, 4000))
        answer = "fetch_invoices, as PERF-4711 says"

        assert used(ORDERS, turn(long, answer=answer)) == ""
        asked = call("Grep", pattern="fetch_invoices|PERF-4711")
        assert used(ORDERS, turn(asked, long)) == "words"

    def test_an_earlier_turn_has_told_them_even_if_its_outputs_were_cut(self) -> None:
        answer = turn(answer="fetch_invoices, as PERF-4711 says")
        long = turn(call(command="cat a.py", output=shorten("x\n" * 9000, 4000)))
        had = turn(call(command="cat a.py", output="def fetch_invoices(): ..."))

        assert used(ORDERS, answer, known=KnownToAgent([long])) == "words"
        assert used(ORDERS, answer, known=KnownToAgent([long, had])) == ""

    def test_what_an_edit_replaces_was_there_before(self) -> None:
        edit = call(
            "MultiEdit",
            edits=[
                {"old_string": "fetch_invoices()", "new_string": "fetch_invoices(1) # PERF-4711"}
            ],
        )

        assert used(ORDERS, turn(edit)) == ""

    @pytest.mark.parametrize(
        "said",
        [
            "prefetch_invoices and PERF-47110",
            "fetch_invoices_v2 and XPERF-4711",
            "old/fetch_invoices and my-PERF-4711",
        ],
    )
    def test_a_part_of_another_name_is_not_the_name(self, said: str) -> None:
        assert names_said(said) == ""

    def test_a_method_is_known_by_its_name(self) -> None:
        assert names_said("self.fetch_invoices(), `PERF-4711`") == "words"

    def test_a_path_and_its_end_are_not_two_names(self) -> None:
        memory = Given(id=ID, title="See `lib/http/backoff_table.py`, the `backoff_table.py`")

        assert used(memory, turn(answer="In lib/http/backoff_table.py and backoff_table.py")) == ""

    def test_the_same_name_of_a_file_elsewhere_is_another_file(self) -> None:
        memory = Given(id=ID, title="`backoff_table.py` and `retry_wheel.py`")

        assert used(memory, turn(answer="src/a/backoff_table.py, src/b/retry_wheel.py")) == ""
        assert used(memory, turn(answer="backoff_table.py, retry_wheel.py")) == "words"

    def test_a_path_from_the_root_of_the_disk_is_the_same_path(self) -> None:
        memory = Given(id=ID, title="`lib/http/backoff_table.py`, `ZETA_LIMIT`")
        search = call(
            "Grep", pattern="ZETA_LIMIT", path="/home/anna/shop/lib/http/backoff_table.py"
        )

        assert used(memory, turn(search)) == "words"

    def test_names_that_everybody_says_prove_nothing(self) -> None:
        memory = Given(
            id=ID,
            title="Use PostgreSQL and TypeScript on GitHub, port 8080, ValueError, README.md",
            body="`user_id`, `node_modules`, `__init__.py`, utf-8, .gitignore, --verbose",
        )
        said = f"{memory.title} {memory.body}"

        assert used(memory, turn(call(command="npm i"), answer=said)) == ""

    def test_what_stands_below_every_commit_proves_nothing(self) -> None:
        trailer = (
            "🤖 Generated with [Claude Code](https://claude.com/claude-code)\n\n"
            "Co-Authored-By: Claude Opus <noreply@anthropic.com>"
        )
        memory = Given(id=ID, title="Commit", body=trailer)

        assert used(memory, turn(call(command=f"git commit -m 'x\n\n{trailer}'"))) == ""

    def test_numbers_alone_prove_nothing(self) -> None:
        memory = Given(id=ID, title="The limit is 250 ms and 64 MB, or 4711 of 90210")

        assert used(memory, turn(answer="250 ms, 64 MB, 4711, 90210")) == ""

    @pytest.mark.parametrize("said", ["250ms", "250 ms"])
    def test_a_number_with_its_unit_bears_out_a_name(self, said: str) -> None:
        memory = Given(id=ID, title="`poll_broker` waits 250 ms")

        assert used(memory, turn(answer=f"poll_broker: {said}")) == "words"
        assert used(memory, turn(answer=f"poll_broker: {said}", prompt="only 250ms?")) == ""
        assert used(memory, turn(answer="poll_broker: 1250 ms")) == ""

    def test_of_a_memory_full_of_names_two_prove_nothing(self) -> None:
        names = [f"alpha_{number}_beta" for number in range(40)]
        memory = Given(id=ID, title="Names", body=" ".join(names))

        assert used(memory, turn(answer=" ".join(names[:3]))) == ""
        assert used(memory, turn(answer=" ".join(names[:4]))) == "words"

    def test_a_headline_alone_proves_nothing_but_by_its_id(self) -> None:
        told = turn(answer="fetch_invoices, as PERF-4711 says")
        titled = replace(ORDERS, title="fetch_invoices: PERF-4711")

        assert used(titled, told) == "words"
        assert used(titled, told, headline_only=True) == ""
        assert used(titled, turn(answer=f"See {ID}."), headline_only=True) == "cited"


class TestPlainWords:
    @pytest.mark.parametrize(
        "said",
        [
            "that the nightly export locks every invoice row",
            "All tests pass and the full test suite runs without errors.",
        ],
    )
    def test_prove_nothing_without_a_name(self, said: str) -> None:
        assert names_said(said) == ""

    def test_of_folders_that_every_path_begins_with_are_no_name(self) -> None:
        memory = Given(id=ID, title="x", body="in /home/annabel/projects/webshop/frontend/widgets")
        listed = call(command="ls /home/annabel/projects/webshop/frontend/gadgets")

        assert used(memory, turn(listed)) == ""

    def test_the_end_of_a_chinese_file_name_is_no_name(self) -> None:
        memory = Given(id=ID, title="改了 设计.json 和 说明.yaml")

        assert used(memory, turn(answer="见 设计.json 和 说明.yaml", prompt="x")) == ""


SPOKEN = st.text(st.sampled_from("ab_/.-#:1T 订单ページ송장\n`[]xyZ")) | st.sampled_from(
    [f"{ORDERS.title}\n{ORDERS.body}", ID, "decision/use-redis", "250 ms poll_broker ZETA_LIMIT"]
)


class TestWhateverIsSaid:
    @given(text=SPOKEN)
    def test_an_answer_that_repeats_the_prompt_uses_nothing(self, text: str) -> None:
        memory = Given(id=text or ID, title=text, body=text, files=(text,))

        assert used(memory, turn(prompt=text, answer=text)) == ""

    @given(text=SPOKEN)
    def test_an_answer_that_repeats_a_tool_uses_nothing(self, text: str) -> None:
        memory = Given(id=text or ID, title=text, body=text, files=(text,))

        assert used(memory, turn(call(command="run", output=text), prompt="", answer=text)) == ""


def test_a_long_turn_is_judged_quickly() -> None:
    """A worker judges some thirty memories after every turn."""
    output = "The nightly export locks an invoice; fetch_orders ran for 20 ms. " * 300
    long = turn(*(call(command=f"cat {n}.log", output=output) for n in range(50)), answer=output)
    began = datetime.now(UTC)

    for _ in range(5):
        assert used(ORDERS, long) == ""

    assert (datetime.now(UTC) - began).total_seconds() < 5


def test_every_way_of_use_is_one_that_the_state_knows() -> None:
    from recollect.store.contract.state import USES

    assert usefulness.used.__doc__
    assert all(f"`{how}`" in usefulness.used.__doc__ for how in USES)
