"""Turns that wait for a model: none is lost, none is tried for ever."""

from pathlib import Path

from recollect.store import queue
from recollect.store.contract.state import MOST_TRIES, QueuedTurn, StateStore
from recollect.store.sqlite.state.database import open_state


def added(state: StateStore, turn: str = "t-1", **other: object) -> QueuedTurn:
    """A turn that waits."""
    given = {"host": "claude-code", "session": "s-1", "project": "shop-1", "now": 100.0}
    state.queue.add(turn=turn, **(given | other))  # type: ignore[arg-type]
    return known(state, turn)


def known(state: StateStore, turn: str = "t-1") -> QueuedTurn:
    (found,) = (one for one in state.queue.everything() if one.turn == turn)
    return found


def failing(
    state: StateStore, one: QueuedTurn, *, times: int = 1, kind: str = "timeout"
) -> QueuedTurn:
    for _ in range(times):
        (one,) = queue.begin(state, [one])
        one = queue.failed(state, one, due=500.0, kind=kind, reason="it took too long")
    return one


def turns(found: list[QueuedTurn]) -> list[str]:
    return [one.turn for one in found]


class TestWaiting:
    def test_a_turn_waits_as_it_was_added(self, state: StateStore) -> None:
        added(state, "t-1", now=100.0)

        (one,) = queue.waiting(state)

        assert one == QueuedTurn(
            host="claude-code", turn="t-1", session="s-1", project="shop-1", queued=100.0
        )

    def test_the_oldest_comes_first(self, state: StateStore) -> None:
        for turn, now in (("t-2", 200.0), ("t-3", 300.0), ("t-1", 100.0)):
            added(state, turn, now=now)

        assert turns(queue.waiting(state)) == ["t-1", "t-2", "t-3"]

    def test_the_same_turn_waits_once(self, state: StateStore) -> None:
        added(state)
        added(state)

        assert len(state.queue.everything()) == 1

    def test_a_turn_that_comes_again_begins_anew_behind_the_others(self, state: StateStore) -> None:
        failing(state, added(state, "t-1", now=100.0), times=MOST_TRIES)
        added(state, "t-2", now=200.0)

        again = added(state, "t-1", now=300.0)

        assert (again.tries, again.aside, again.due, again.kind, again.reason) == (
            0, False, 0.0, "", "",
        )  # fmt: skip
        assert turns(queue.waiting(state)) == ["t-2", "t-1"]

    def test_who_began_with_it_before_has_no_say_over_it_any_more(self, state: StateStore) -> None:
        (begun,) = queue.begin(state, [added(state, "t-1", now=100.0)])
        again = added(state, "t-1", now=300.0)

        queue.done(state, [begun])
        queue.failed(state, begun, due=900.0, kind="timeout", reason="too slow")

        assert state.queue.everything() == [again]

    def test_turns_of_two_hosts_may_be_called_the_same(self, state: StateStore) -> None:
        for host in ("claude-code", "another"):
            state.queue.add(host=host, turn="t", session="s", project="p", now=1.0)

        assert len(queue.waiting(state)) == 2

    def test_it_waits_for_the_next_process_too(self, on_disk: StateStore, tmp_path: Path) -> None:
        added(on_disk)

        again = open_state(str(tmp_path / "home"))

        assert turns(queue.waiting(again)) == ["t-1"]
        again.close()


class TestTrying:
    def test_a_try_counts_before_it_is_made_so_that_one_that_kills_us_counts(
        self, state: StateStore
    ) -> None:
        (begun,) = queue.begin(state, [added(state)])

        assert begun.tries == 1
        assert known(state) == begun

    def test_what_is_done_leaves_and_the_others_stay(self, state: StateStore) -> None:
        first, _ = added(state, "t-1"), added(state, "t-2")

        queue.done(state, [first])

        assert turns(state.queue.everything()) == ["t-2"]

    def test_a_failure_lets_it_rest_and_says_why(self, state: StateStore) -> None:
        failing(state, added(state))

        one = known(state)

        assert (one.due, one.kind, one.reason) == (500.0, "timeout", "it took too long")
        assert turns(queue.waiting(state)) == ["t-1"]

    def test_it_waits_until_the_last_try_and_is_then_set_aside(self, state: StateStore) -> None:
        one = failing(state, added(state), times=MOST_TRIES - 1)
        assert (turns(queue.waiting(state)), queue.set_aside(state)) == (["t-1"], [])

        failing(state, one)

        assert queue.waiting(state) == []
        assert turns(queue.set_aside(state)) == ["t-1"]

    def test_handed_back_it_has_lost_no_try(self, state: StateStore) -> None:
        begun = queue.begin(state, [failing(state, added(state))])

        queue.hand_back(state, begun, due=900.0, kind="rate-limit")

        one = known(state)
        assert (one.tries, one.due, one.kind) == (1, 900.0, "rate-limit")

    def test_handed_back_without_a_word_it_keeps_why_it_failed_before(
        self, state: StateStore
    ) -> None:
        begun = queue.begin(state, [failing(state, added(state), kind="unreadable")])

        queue.hand_back(state, begun)

        assert (known(state).kind, known(state).reason) == ("unreadable", "it took too long")

    def test_handed_back_twice_it_gains_no_try(self, state: StateStore) -> None:
        begun = queue.begin(state, [added(state)])

        queue.hand_back(state, begun)
        queue.hand_back(state, [known(state)])

        assert known(state).tries == 0

    def test_one_that_was_taken_out_meanwhile_does_not_come_back(self, state: StateStore) -> None:
        one = added(state)
        queue.done(state, [one])

        failing(state, one)

        assert state.queue.everything() == []


class TestComingBack:
    def test_retry_gives_all_tries_again(self, state: StateStore) -> None:
        failing(state, added(state), times=MOST_TRIES)

        assert queue.retry(state) == 1

        one = known(state)
        assert (one.tries, one.due, one.aside, one.put_back) == (0, 0.0, False, False)

    def test_what_only_rests_is_due_at_once_and_keeps_its_count(self, state: StateStore) -> None:
        failing(state, added(state), times=2)

        assert queue.retry(state) == 0
        assert (known(state).tries, known(state).due) == (2, 0.0)

    def test_when_the_engine_works_again_what_it_failed_gets_one_more_try(
        self, state: StateStore
    ) -> None:
        failing(state, added(state), times=MOST_TRIES, kind="unavailable")

        assert queue.put_back(state, ["unavailable", "unreachable"], project="shop-1") == 1

        assert (known(state).aside, known(state).due) == (False, 0.0)
        assert failing(state, known(state)).aside

    def test_that_happens_once_or_it_would_go_on_for_ever(self, state: StateStore) -> None:
        failing(state, added(state), times=MOST_TRIES, kind="unavailable")
        queue.put_back(state, ["unavailable"], project="shop-1")
        failing(state, known(state), kind="unavailable")

        assert queue.put_back(state, ["unavailable"], project="shop-1") == 0
        assert turns(queue.set_aside(state)) == ["t-1"]

    def test_what_the_turn_itself_failed_stays_aside(self, state: StateStore) -> None:
        failing(state, added(state), times=MOST_TRIES, kind="unreadable")

        assert queue.put_back(state, ["unavailable"], project="shop-1") == 0
        assert turns(queue.set_aside(state)) == ["t-1"]

    def test_that_one_project_is_answered_says_nothing_of_another(self, state: StateStore) -> None:
        failing(state, added(state), times=MOST_TRIES, kind="unavailable")

        assert queue.put_back(state, ["unavailable"], project="bank-1") == 0

    def test_what_is_owed_by_some_models_waits_for_them_with_all_its_tries(
        self, state: StateStore
    ) -> None:
        begun = queue.begin(state, [added(state)])

        queue.owe(state, begun, ["big-1", "big-2"], due=700.0)

        one = known(state)
        assert (one.owed.split("\n"), one.tries, one.due) == (["big-1", "big-2"], 0, 700.0)

    def test_what_waits_anyway_is_left_alone(self, state: StateStore) -> None:
        failing(state, added(state), kind="unavailable")

        assert queue.put_back(state, ["unavailable"], project="shop-1") == 0
        assert known(state).due == 500.0

    def test_after_a_retry_it_may_be_put_back_once_more(self, state: StateStore) -> None:
        failing(state, added(state), times=MOST_TRIES, kind="unavailable")
        queue.put_back(state, ["unavailable"], project="shop-1")
        failing(state, known(state), kind="unavailable")
        queue.retry(state)
        failing(state, known(state), times=MOST_TRIES, kind="unavailable")

        assert queue.put_back(state, ["unavailable"], project="shop-1") == 1
