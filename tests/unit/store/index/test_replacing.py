"""Links between what was said and what replaced it: found by the old value, and found quickly."""

from datetime import timedelta

import pytest

from recollect.journal.replaced import ReplacedValue
from recollect.store.sqlite.index import replacing
from tests.builders.index import BEGIN, Shelf, a_call, a_memory, a_turn

SHOP = "shop-1"


def test_what_a_later_turn_replaced_is_linked(shelf: Shelf) -> None:
    old = a_turn(
        "k-1", "how long is the grace period?", answer="A prune has a grace period of 24 hours."
    )
    before, after = "GRACE_HOURS = 24", "GRACE_HOURS = 72"
    edit = a_call("Edit", file_path="/shop/prune.py", old_string=before, new_string=after)
    new = a_turn(
        "k-2",
        "raise the grace period",
        answer="The grace period is raised.",
        session="session-1",
        tools=(edit,),
        started=BEGIN + timedelta(days=1),
        ended=BEGIN + timedelta(days=1),
    )
    shelf.archive(SHOP, old)
    shelf.archive(SHOP, new)
    shelf.fill(
        SHOP,
        a_memory("Grace period", "- a day", turn="k-1"),
        a_memory("Grace period raised", "- 72", day=1, turn="k-2"),
    )

    rows = shelf.index.connection.execute("SELECT piece FROM replaced").fetchall()

    assert ("A prune has a grace period of 24 hours.",) in rows


def test_later_mentions_of_a_value_hide_no_earlier_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replacing, "MOST_LOOKED_AT", 1)
    told = "A prune has a grace period of 24 hours."
    turns = [
        a_turn(
            f"k-{day}",
            answer=told,
            session=f"session-{day}",
            started=BEGIN + timedelta(days=day),
            ended=BEGIN + timedelta(days=day),
        )
        for day in range(4)
    ]
    for turn in turns:
        shelf.archive(SHOP, turn)
    shelf.fill(
        SHOP, *(a_memory(f"Grace {day}", "- x", day=day, turn=f"k-{day}") for day in range(4))
    )
    change = ReplacedValue(old="24", new="72", about=frozenset({"grace", "prune"}), unit="h")
    after_the_first = (BEGIN + timedelta(days=1)).timestamp()

    found = replacing._stated(shelf.index.connection, change, 1, after_the_first, ("s", "k"))

    assert [piece for _, piece in found] == [told]


def test_a_value_of_punctuation_alone_is_looked_up_nowhere(shelf: Shelf) -> None:
    change = ReplacedValue(old="/*", new="//", is_name=True)

    found = replacing._stated(shelf.index.connection, change, 1, 0.0, ("session-0", "k-1"))

    assert found == []


def test_no_table_is_read_whole_to_find_who_stated_a_value(shelf: Shelf) -> None:
    """Each change took 0.2 s among 20,000 passages, an import of real work ten minutes."""
    names = ("query", "first", "last", "at", "session", "turn", "limit")
    plan = shelf.index.connection.execute(
        f"EXPLAIN QUERY PLAN {replacing.SQL['passages_with_value']}",
        dict.fromkeys(names, "1"),
    ).fetchall()

    read_whole = [step for *_, step in plan if step.startswith("SCAN")]

    assert all("found" in step or "VIRTUAL TABLE" in step for step in read_whole), read_whole
