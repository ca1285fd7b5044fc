"""What agents were shown: nothing is counted twice, and nothing is used unless somebody says so."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import paths
from recollect.store import shown
from recollect.store.contract.state import EVENTS, USES, Shown, StateStore, Total
from recollect.store.sqlite.state.database import SCHEMA, open_state

ONE = Shown(
    at=1000.25,
    project="shop-1",
    session="s-1",
    event="prompt",
    id="20261115T133207-def25802",
    version="v1",
    score=0.75,
    tokens=120,
    in_full=4000,
)
FRAME = replace(ONE, id="", version="", score=0.0, tokens=60, in_full=0)


def prompts(count: int, first: Shown = ONE, *, begin: float = 0.0) -> list[Shown]:
    """The memory of *first*, shown for so many prompts, one after the other."""
    return [replace(first, at=begin + number) for number in range(count)]


def everything(state: StateStore) -> Total:
    return state.shown.totals().together


class TestAdding:
    def test_a_line_comes_back_as_it_was(self, state: StateStore) -> None:
        state.shown.add([ONE])

        assert state.shown.unused_in("s-1") == [ONE]

    def test_the_same_lines_taken_in_twice_change_nothing(self, state: StateStore) -> None:
        lines = [ONE, FRAME, replace(ONE, id="decision/use-redis")]
        state.shown.add(lines)
        before = everything(state)

        state.shown.add(lines)

        assert everything(state) == before

    def test_a_line_that_is_read_again_does_not_forget_that_it_was_used(
        self, state: StateStore
    ) -> None:
        state.shown.add([ONE])
        state.shown.mark_used(ONE, "cited")

        state.shown.add([ONE])

        assert everything(state).used == 1

    @pytest.mark.parametrize(
        "other",
        [{"at": 1000.5}, {"session": "s-2"}, {"event": "file"}, {"id": "decision/use-redis"}],
        ids=str,
    )
    def test_another_moment_session_event_or_memory_is_another_line(
        self, state: StateStore, other: dict[str, object]
    ) -> None:
        state.shown.add([ONE, replace(ONE, **other)])  # type: ignore[arg-type]

        assert everything(state).memories == 2

    def test_it_can_be_part_of_a_larger_step(self, state: StateStore) -> None:
        def job() -> None:
            with state.transaction():
                state.shown.add([ONE, FRAME])
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            job()

        assert everything(state).times == 0


class TestUse:
    def test_the_frame_cannot_be_used(self, state: StateStore) -> None:
        state.shown.add([FRAME])

        assert state.shown.unused_in("s-1") == []

    def test_only_the_line_that_was_meant_is_marked(self, state: StateStore) -> None:
        other, elsewhere = replace(ONE, id="decision/use-redis"), replace(ONE, session="s-2")
        state.shown.add([other, ONE, elsewhere])

        state.shown.mark_used(ONE, "opened")

        assert state.shown.unused_in("s-1") == [other]
        assert state.shown.unused_in("s-2") == [elsewhere]

    def test_what_is_unused_comes_in_the_order_in_which_it_was_shown(
        self, state: StateStore
    ) -> None:
        lines = [replace(ONE, at=float(3 - number), id=f"note/{number}") for number in range(3)]
        state.shown.add(lines)

        assert [one.at for one in state.shown.unused_in("s-1")] == [1.0, 2.0, 3.0]

    def test_one_use_counts_once_however_often_a_memory_was_shown_before(
        self, state: StateStore
    ) -> None:
        first, *_, last = lines = [replace(ONE, at=0.5, event="start"), *prompts(3, begin=1.0)]
        state.shown.add(lines)

        assert state.shown.unused_in("s-1") == [last]
        state.shown.mark_used(last, "words")

        assert state.shown.unused_in("s-1") == []
        assert everything(state).used == 1
        assert state.shown.unused_in("s-1", until=0.7) == [first]

    def test_shown_again_after_it_was_used_it_may_be_used_again(self, state: StateStore) -> None:
        again = replace(ONE, at=2000.0)

        state.shown.add([replace(ONE, used="words"), again])

        assert state.shown.unused_in("s-1") == [again]


class TestIgnored:
    def test_shown_for_five_prompts_and_never_used_it_is_ignored(self, state: StateStore) -> None:
        state.shown.add(prompts(4))
        assert shown.ignored(state, "shop-1") == frozenset()

        state.shown.add(prompts(5))

        assert shown.ignored(state, "shop-1") == {ONE.id}
        assert shown.ignored(state, "shop-1", least=6) == frozenset()

    @pytest.mark.parametrize("event", ["start", "file", "subagent"])
    def test_only_prompts_count(self, state: StateStore, event: str) -> None:
        state.shown.add(prompts(9, replace(ONE, event=event)))

        assert shown.ignored(state, "shop-1") == frozenset()

    @pytest.mark.parametrize("event", EVENTS)
    def test_once_used_for_whatever_it_is_not_ignored(self, state: StateStore, event: str) -> None:
        used = replace(ONE, at=99.0, event=event, used="words")

        state.shown.add([*prompts(9), used])

        assert shown.ignored(state, "shop-1") == frozenset()

    def test_used_as_it_was_before_a_change_it_is_not_ignored(self, state: StateStore) -> None:
        before = replace(ONE, at=0.0, version="v0", used="files")

        state.shown.add([before, *prompts(9, begin=1.0)])

        assert shown.ignored(state, "shop-1") == frozenset()

    def test_a_change_gives_it_another_chance(self, state: StateStore) -> None:
        changed = replace(ONE, version="v2")
        state.shown.add(prompts(9))
        state.shown.add(prompts(4, changed, begin=50.0))
        assert shown.ignored(state, "shop-1") == frozenset()

        state.shown.add(prompts(5, changed, begin=50.0))

        assert shown.ignored(state, "shop-1") == {ONE.id}

    def test_a_change_that_was_taken_back_is_a_change_too(self, state: StateStore) -> None:
        state.shown.add(prompts(4))
        state.shown.add([replace(ONE, at=10.0, version="v2")])

        state.shown.add(prompts(4, begin=20.0))

        assert shown.ignored(state, "shop-1") == frozenset()

    def test_a_change_that_only_a_session_start_saw_counts(self, state: StateStore) -> None:
        state.shown.add(prompts(9))

        state.shown.add([replace(ONE, at=10.0, event="start", version="v2")])

        assert shown.ignored(state, "shop-1") == frozenset()

    def test_the_note_of_the_same_name_in_another_project_is_another_one(
        self, state: StateStore
    ) -> None:
        bank = replace(ONE, project="bank-1", session="s-2", used="cited")

        state.shown.add([*prompts(5), *prompts(5, bank)])

        assert shown.ignored(state, "shop-1") == {ONE.id}
        assert shown.ignored(state, "bank-1") == frozenset()

    def test_the_frame_is_no_memory(self, state: StateStore) -> None:
        state.shown.add(prompts(9, FRAME))

        assert shown.ignored(state, "shop-1") == frozenset()


class TestTotals:
    def test_of_nothing_everything_is_nought(self, state: StateStore) -> None:
        found = state.shown.totals()

        assert list(found.events) == list(EVENTS)
        assert (found.together.times, found.together.used, found.together.tokens) == (0, 0, 0)
        assert found.together.uses == dict.fromkeys(USES, 0)

    def test_a_block_of_two_memories_is_one_time_and_all_its_tokens(
        self, state: StateStore
    ) -> None:
        state.shown.add([FRAME, ONE, replace(ONE, id="decision/use-redis", tokens=30)])

        found = state.shown.totals()

        assert found.events["prompt"] == found.together
        assert (found.together.times, found.together.memories) == (1, 2)
        assert (found.together.different, found.together.tokens) == (2, 210)

    def test_each_event_has_its_own_and_together_no_session_counts_twice(
        self, state: StateStore
    ) -> None:
        state.shown.add([ONE, replace(ONE, at=1.0, event="start", used="opened")])

        found = state.shown.totals()

        assert found.events["start"].uses["opened"] == found.events["start"].used == 1
        assert (found.events["prompt"].used, found.events["file"].times) == (0, 0)
        assert (found.together.memories, found.together.different) == (2, 1)
        assert (found.together.sessions, found.together.used) == (1, 1)

    def test_a_memory_that_was_used_twice_is_one_of_the_different_ones(
        self, state: StateStore
    ) -> None:
        twice = prompts(2, replace(ONE, used="words"))

        state.shown.add([*twice, replace(ONE, at=9.0, id="decision/use-redis")])

        assert (everything(state).used, everything(state).different_used) == (2, 1)

    def test_the_turn_behind_a_memory_counts_once_a_session_however_often_it_is_shown(
        self, state: StateStore
    ) -> None:
        state.shown.add([*prompts(3), replace(ONE, session="s-2")])

        assert everything(state).in_full == 8000
        assert everything(state).tokens == 480

    def test_they_begin_when_they_are_wanted_and_end_at_the_project(
        self, state: StateStore
    ) -> None:
        state.shown.add(prompts(4))
        state.shown.add(prompts(2, replace(ONE, project="bank-1", session="s-2"), begin=10.0))

        assert state.shown.totals(since=2.0).together.times == 4
        assert state.shown.totals(project="shop-1").together.times == 4
        assert state.shown.totals(since=2.0, project="shop-1").events["prompt"].times == 2


class TestLists:
    def test_the_memory_that_was_used_most_comes_first(self, state: StateStore) -> None:
        redis = replace(ONE, id="decision/use-redis", used="cited")
        state.shown.add([*prompts(3), *prompts(1, replace(ONE, used="files"), begin=5.0)])
        state.shown.add([*prompts(2, redis), *prompts(9, replace(ONE, id="never"))])

        most = state.shown.most_used()

        assert [(one.id, one.shown, one.used, one.tokens) for one in most] == [
            ("decision/use-redis", 2, 2, 240),
            (ONE.id, 4, 1, 480),
        ]
        assert len(state.shown.most_used(limit=1)) == 1
        assert state.shown.most_used(since=6.0) == []
        assert state.shown.most_used(project="bank-1") == []

    def test_what_was_never_used_is_what_is_ignored_with_its_numbers(
        self, state: StateStore
    ) -> None:
        state.shown.add([*prompts(6), *prompts(7, replace(ONE, id="decision/use-redis"))])

        never = state.shown.never_used()

        assert [(one.id, one.shown, one.used, one.tokens) for one in never] == [
            ("decision/use-redis", 7, 0, 840),
            (ONE.id, 6, 0, 720),
        ]

    def test_what_was_not_shown_lately_is_not_listed_but_still_ignored(
        self, state: StateStore
    ) -> None:
        state.shown.add(prompts(6))

        assert state.shown.never_used(since=100.0) == []
        assert shown.ignored(state, "shop-1") == {ONE.id}

    def test_shown_lately_it_is_counted_with_all_its_prompts(self, state: StateStore) -> None:
        state.shown.add(prompts(6))

        (one,) = state.shown.never_used(since=5.0)

        assert one.shown == 6


class TestForgetting:
    def test_what_is_erased_leaves_no_row(self, state: StateStore) -> None:
        kept = replace(ONE, id="decision/use-redis")
        state.shown.add([*prompts(3), replace(ONE, event="start", version="v0"), kept])

        state.shown.forget(ONE.id)

        assert state.shown.unused_in("s-1") == [kept]

    def test_the_note_of_another_project_can_be_spared(self, state: StateStore) -> None:
        state.shown.add([ONE, replace(ONE, project="bank-1", session="s-2")])

        state.shown.forget(ONE.id, project="shop-1")

        assert state.shown.unused_in("s-1") == []
        assert len(state.shown.unused_in("s-2")) == 1

    def test_what_is_old_is_pruned_with_its_frame(self, state: StateStore) -> None:
        state.shown.add([*prompts(3), *prompts(3, FRAME)])

        state.shown.prune(2.0)

        assert (everything(state).times, everything(state).memories) == (1, 1)


def test_rows_go_along_when_two_projects_are_joined(state: StateStore) -> None:
    state.shown.add([ONE])

    state.projects.join("shop-1", into="bank-1")

    assert state.shown.totals(project="bank-1").together.memories == 1


def test_a_database_from_before_it_grows_the_table(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    open_state(home).close()
    with closing(sqlite3.connect(paths.state(home))) as connection:
        connection.execute("DROP TABLE shown")
        connection.execute("DROP TABLE disputed")
        connection.execute(f"PRAGMA user_version = {SCHEMA.index('sql/schema_3.sql')}")

    with closing(open_state(home)) as state:
        state.shown.add([ONE])

        assert state.shown.unused_in("s-1") == [ONE]
