"""Memories that somebody called wrong."""

from recollect.store.contract.state import Dispute, StateStore

ONE = Dispute(
    project="shop-1", id="h-1", author="user", session="s-1", said="we changed that", at=7
)


def test_it_is_hidden_and_waits_with_what_was_said(state: StateStore) -> None:
    state.disputes.add(ONE)

    assert state.disputes.waiting("shop-1") == [ONE]
    assert state.disputes.hidden("shop-1") == {"h-1"}
    assert state.disputes.hidden("bank-2") == frozenset()


def test_one_that_is_only_flagged_is_shown_meanwhile(state: StateStore) -> None:
    state.disputes.add(Dispute(project="shop-1", id="h-2", author="user", hidden=False))

    assert state.disputes.hidden("shop-1") == frozenset()
    assert [one.id for one in state.disputes.waiting("shop-1")] == ["h-2"]


def test_accepted_it_is_shown_again(state: StateStore) -> None:
    state.disputes.add(ONE)

    state.disputes.accept(ONE)

    assert state.disputes.waiting("shop-1") == []
    assert state.disputes.hidden("shop-1") == frozenset()


def test_rejected_it_stays_hidden_and_waits_no_longer(state: StateStore) -> None:
    state.disputes.add(ONE)

    state.disputes.reject(ONE)

    assert state.disputes.waiting("shop-1") == []
    assert state.disputes.hidden("shop-1") == {"h-1"}
