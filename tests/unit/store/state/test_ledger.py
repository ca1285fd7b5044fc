"""What models cost: nothing is lost, nothing is counted twice, and a day is the user's own."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect.store import ledger
from recollect.store.contract.state import ModelCall, Spent, StateStore
from recollect.store.sqlite.state.database import open_state

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0

CALL = ModelCall(at=NOON, engine="claude", model="haiku", project="shop-1", purpose="observe")


@pytest.fixture(autouse=True)
def greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Days begin where the test says."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


def tokens(sent: int, answered: int = 0, **more: float | bool | None) -> Spent:
    return Spent(input_tokens=sent, output_tokens=answered, **more)  # type: ignore[arg-type]


class TestBooking:
    def test_a_call_comes_back_as_it_was_booked(self, state: StateStore) -> None:
        state.ledger.book(CALL, tokens(900, 100, cached_tokens=300, cost=0.25))

        (line,) = state.ledger.rows()

        assert (line.day, line.project, line.engine, line.model, line.purpose) == (
            "2026-11-15", "shop-1", "claude", "haiku", "observe",
        )  # fmt: skip
        assert (line.calls, line.input_tokens, line.output_tokens) == (1, 900, 100)
        assert (line.cached_tokens, line.cost, line.tokens) == (300, 0.25, 1000)
        assert (line.without_price, line.estimated) == (0, 0)

    def test_two_calls_at_the_same_moment_are_two(self, state: StateStore) -> None:
        for _ in range(2):
            state.ledger.book(CALL, tokens(10))

        (line,) = state.ledger.rows()

        assert (line.calls, line.input_tokens) == (2, 20)

    def test_it_is_still_there_when_the_state_is_opened_again(
        self, on_disk: StateStore, tmp_path: Path
    ) -> None:
        on_disk.ledger.book(CALL, tokens(10))

        again = open_state(str(tmp_path / "home"))

        assert ledger.total(again.ledger.rows()) == 10
        again.close()


class TestSettling:
    """A call is booked before it is made, with the most that it may cost."""

    def test_the_answer_says_what_it_really_cost_and_who_gave_it(self, state: StateStore) -> None:
        number = state.ledger.book(CALL, tokens(1000, 2000, estimated=True))

        state.ledger.settle(number, tokens(900, 80, cached_tokens=10, cost=0.5), model="haiku-4")

        (line,) = state.ledger.rows()
        assert (line.calls, line.input_tokens, line.output_tokens) == (1, 900, 80)
        assert (line.cached_tokens, line.cost, line.estimated) == (10, 0.5, 0)
        assert (line.model, line.engine, line.purpose) == ("haiku-4", "claude", "observe")

    def test_a_call_that_never_came_back_counts_with_what_was_booked(
        self, state: StateStore
    ) -> None:
        state.ledger.book(CALL, tokens(1000, 2000, estimated=True))

        (line,) = state.ledger.rows()

        assert (ledger.spent_today(state, now=NOON), line.estimated) == (3000, 1)

    def test_one_that_cost_nothing_leaves_no_line(self, state: StateStore) -> None:
        other = state.ledger.book(CALL, tokens(5))
        number = state.ledger.book(CALL, tokens(1000))

        state.ledger.release(number)

        assert other != number
        assert ledger.total(state.ledger.rows()) == 5

    def test_it_counts_for_the_day_on_which_it_was_asked(self, state: StateStore) -> None:
        number = state.ledger.book(CALL, tokens(10))

        state.ledger.settle(number, tokens(20), model="haiku")

        assert ledger.spent_today(state, now=NOON) == 20


class TestAddingUp:
    @pytest.mark.parametrize(
        "other",
        [
            {"at": NOON + DAY}, {"project": "bank-1"}, {"engine": "openai"},
            {"model": "sonnet"}, {"purpose": "answer"},
        ],
        ids=str,
    )  # fmt: skip
    def test_each_day_project_engine_model_and_purpose_has_a_line_of_its_own(
        self, state: StateStore, other: dict[str, Any]
    ) -> None:
        state.ledger.book(CALL, tokens(1))
        state.ledger.book(replace(CALL, **other), tokens(2))

        assert sorted(line.tokens for line in state.ledger.rows()) == [1, 2]

    def test_lines_come_by_day_and_begin_where_they_are_wanted(self, state: StateStore) -> None:
        for late in (2, 0, 1):
            state.ledger.book(replace(CALL, at=NOON + late * DAY), tokens(1))

        assert [line.day for line in state.ledger.rows(since="2026-11-16")] == [
            "2026-11-16",
            "2026-11-17",
        ]

    def test_a_price_that_nobody_knows_counts_as_unknown_and_not_as_free(
        self, state: StateStore
    ) -> None:
        state.ledger.book(CALL, tokens(1, cost=0.5))
        state.ledger.book(CALL, tokens(1, cost=0.0))
        state.ledger.book(CALL, tokens(1, cost=None))

        (line,) = state.ledger.rows()

        assert (line.cost, line.without_price) == (0.5, 1)

    def test_without_any_price_the_cost_is_a_number_still(self, state: StateStore) -> None:
        state.ledger.book(CALL, tokens(1))

        (line,) = state.ledger.rows()

        assert (line.cost, line.without_price) == (0.0, 1)

    def test_a_guess_is_counted_as_one(self, state: StateStore) -> None:
        state.ledger.book(CALL, tokens(1, estimated=True))
        state.ledger.book(CALL, tokens(1))

        (line,) = state.ledger.rows()

        assert line.estimated == 1

    def test_nothing_spent_is_nothing(self, state: StateStore) -> None:
        assert state.ledger.rows() == []
        assert ledger.total([]) == 0
        assert ledger.spent_today(state, now=NOON) == 0


class TestToday:
    def test_all_projects_and_engines_count_together(self, state: StateStore) -> None:
        state.ledger.book(CALL, tokens(900, 100))
        state.ledger.book(replace(CALL, project="bank-1", engine="openai"), tokens(30, 3))

        assert ledger.spent_today(state, now=NOON + 60) == 1033

    def test_neither_yesterday_nor_tomorrow_counts(self, state: StateStore) -> None:
        for days in (-1, 1):
            state.ledger.book(replace(CALL, at=NOON + days * DAY), tokens(500))

        assert ledger.spent_today(state, now=NOON) == 0

    def test_a_day_begins_at_the_users_own_midnight(
        self, state: StateStore, greenwich: pytest.MonkeyPatch
    ) -> None:
        greenwich.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        evening = datetime(2026, 11, 15, 16, tzinfo=UTC).timestamp()  # 01:00 in Tokyo.

        state.ledger.book(replace(CALL, at=evening), tokens(7))

        assert ledger.day_of(evening) == "2026-11-16"
        assert ledger.spent_today(state, now=evening) == 7
        assert ledger.spent_today(state, now=NOON) == 0

    def test_what_was_booked_keeps_its_day_when_the_user_travels(
        self, state: StateStore, greenwich: pytest.MonkeyPatch
    ) -> None:
        state.ledger.book(replace(CALL, at=NOON + 11 * 3600), tokens(7))

        greenwich.setenv("TZ", "Asia/Tokyo")
        time.tzset()

        assert [line.day for line in state.ledger.rows()] == ["2026-11-15"]


def test_half_a_job_books_nothing(state: StateStore) -> None:
    def job() -> None:
        with state.transaction():
            state.ledger.book(CALL, tokens(1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        job()

    assert state.ledger.rows() == []
