"""What an archived turn did, as names to find it by."""

import pytest

from recollect.store import turn_text
from tests.builders.index import a_call, a_turn


class TestDone:
    @pytest.mark.parametrize(
        "tool", ["Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "mcp__fs__move_file"]
    )
    def test_a_changed_file_is_told_by_the_end_of_its_path(self, tool: str) -> None:
        call = a_call(tool, file_path="/home/anna/code/shop/src/orders/db.py")

        assert turn_text.done(a_turn("t", tools=(call,))) == "shop/src/orders/db.py"

    @pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", "WebFetch"])
    def test_what_was_only_read_is_not_told(self, tool: str) -> None:
        turn = a_turn("t", tools=(a_call(tool, file_path="/x/db.py", pattern="orders"),))

        assert turn_text.done(turn) == ""
        assert turn_text.changed_files(turn) == ()

    def test_a_command_is_told_with_its_description(self) -> None:
        call = a_call("Bash", command="npm run build", description="Build the shop", timeout=9)

        assert turn_text.done(a_turn("t", tools=(call,))) == "npm run build\nBuild the shop"

    def test_a_plan_is_told_with_all_its_steps(self) -> None:
        todos = [{"content": "migrate prices", "status": "pending"}, {"content": "drop cents"}]

        told = turn_text.done(a_turn("t", tools=(a_call("TodoWrite", todos=todos),)))

        assert told == "migrate prices\npending\ndrop cents"

    def test_names_are_there_whole_and_taken_apart(self) -> None:
        call = a_call("Edit", file_path="src/getOrders.ts")

        assert turn_text.done(a_turn("t", tools=(call,))) == "src/getOrders.ts\nsrc/get Orders.ts"

    def test_what_was_done_twice_is_told_once(self) -> None:
        edits = (a_call("Edit", file_path="src/db.py"),) * 3

        assert turn_text.done(a_turn("t", tools=edits)) == "src/db.py"

    def test_a_path_of_windows_is_a_path(self) -> None:
        call = a_call("Edit", file_path="C:\\Users\\anna\\shop\\src\\db.py")

        assert turn_text.done(a_turn("t", tools=(call,))) == "anna/shop/src/db.py"

    def test_a_huge_command_is_cut_and_so_is_a_long_list(self) -> None:
        calls = tuple(a_call("Bash", command=f"echo {n} " + "x" * 9_000) for n in range(100))

        told = turn_text.done(a_turn("t", tools=calls))

        assert all(len(line) <= turn_text.LONGEST_COMMAND for line in told.splitlines())
        assert len(told) <= turn_text.LONGEST_DONE

    @pytest.mark.parametrize("value", [None, 7, ["x"], {"a": "b"}, ""])
    def test_inputs_of_any_kind_are_read(self, value: object) -> None:
        calls = (a_call("Edit", file_path=value), a_call("Bash", command=value))

        assert turn_text.done(a_turn("t", tools=calls)) == ""


class TestChangedFiles:
    def test_are_whole_paths_each_once_in_order(self) -> None:
        calls = (
            a_call("Write", file_path="/shop/src/b.py"),
            a_call("Read", file_path="/shop/src/c.py"),
            a_call("NotebookEdit", notebook_path="/shop/a.ipynb"),
            a_call("Edit", file_path="/shop/src/b.py"),
        )

        found = turn_text.changed_files(a_turn("t", tools=calls))

        assert found == ("/shop/src/b.py", "/shop/a.ipynb")
