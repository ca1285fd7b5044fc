"""Memories that somebody called wrong."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from recollect.store.sqlite.state import disputes
from recollect.store.sqlite.state.database import State, open_state
from recollect.store.sqlite.state.disputes import Dispute

ONE = Dispute(
    project="shop-1", id="h-1", author="user", session="s-1", said="we changed that", at=7
)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with closing(open_state(str(tmp_path / "home"))) as opened:
        yield opened


def test_it_is_hidden_and_waits_with_what_was_said(state: State) -> None:
    disputes.add(state, ONE)

    assert disputes.waiting(state, "shop-1") == [ONE]
    assert disputes.hidden(state, "shop-1") == {"h-1"}
    assert disputes.hidden(state, "bank-2") == frozenset()


def test_one_that_is_only_flagged_is_shown_meanwhile(state: State) -> None:
    disputes.add(state, Dispute(project="shop-1", id="h-2", author="user", hidden=False))

    assert disputes.hidden(state, "shop-1") == frozenset()
    assert [one.id for one in disputes.waiting(state, "shop-1")] == ["h-2"]


def test_accepted_it_is_shown_again(state: State) -> None:
    disputes.add(state, ONE)

    disputes.accept(state, ONE)

    assert disputes.waiting(state, "shop-1") == []
    assert disputes.hidden(state, "shop-1") == frozenset()


def test_rejected_it_stays_hidden_and_waits_no_longer(state: State) -> None:
    disputes.add(state, ONE)

    disputes.reject(state, ONE)

    assert disputes.waiting(state, "shop-1") == []
    assert disputes.hidden(state, "shop-1") == {"h-1"}
