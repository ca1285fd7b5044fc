"""The way down from a headline."""

import pytest

from recollect.errors import NotFoundError
from recollect.search import disclose
from tests.builders.index import Shelf, a_memory

SHOP = "shop-1f"


@pytest.fixture(autouse=True)
def library(shelf: Shelf) -> None:
    shelf.fill(
        SHOP,
        a_memory("first", session="s", id="20261101T120000-aa11"),
        a_memory("second", "its body", session="s", id="20261101T120001-bb22"),
        a_memory("third", session="s", id="20261101T120002-bb33"),
        a_memory("by hand", session="", id="h-0011"),
    )


def test_an_entry_stands_between_its_neighbours(shelf: Shelf) -> None:
    whole = disclose.expand(shelf.index, "20261101T120001-bb22")

    assert whole.entry.body == "its body"
    assert whole.before
    assert whole.after
    assert (whole.before.title, whole.after.title) == ("first", "third")


@pytest.mark.parametrize(
    ("prefix", "before", "after"),
    [("20261101T120000", False, True), ("20261101T120002", True, False), ("h-", False, False)],
)
def test_at_the_edges_there_is_none(
    shelf: Shelf, prefix: str, before: object, after: object
) -> None:
    whole = disclose.expand(shelf.index, prefix)

    assert (whole.before is not None, whole.after is not None) == (before, after)


@pytest.mark.parametrize("expand", [disclose.expand, disclose.find])
@pytest.mark.parametrize(
    "prefix", ["", "2", "20261101T12000", "nothing", "h-00112", "%", "_", "'", "h-0011\0"]
)
def test_what_does_not_name_one_entry_is_refused(shelf: Shelf, prefix: str, expand: object) -> None:
    assert callable(expand)

    with pytest.raises(NotFoundError):
        expand(shelf.index, prefix)


def test_an_entry_is_found_by_any_beginning_of_its_id_that_no_other_has(shelf: Shelf) -> None:
    assert disclose.find(shelf.index, "20261101T120001").title == "second"
    assert disclose.find(shelf.index, "20261101T120002-bb33").title == "third"
