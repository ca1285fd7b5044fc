"""Lists of a home, page by page."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect.app import viewer
from recollect.app.browse import Browse
from recollect.app.recollect import Recollect
from recollect.curation.curator import Saying
from recollect.errors import ProjectError, RecollectError
from tests.builders.intake import Desk

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
RULES = ("Deploys need the company VPN", "Tokens expire hourly", "Answer in British English")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A project with two sessions, three notes, one of them retired; and another project."""
    desk = Desk(tmp_path)
    desk.turn("fix the orders page", "I fixed the orders page: it asked the database once a row.")
    desk.turn("now the cart", "The cart is done as well.", session="s-2")
    (shop,) = desk.app.projects.all()
    for text, category in zip(RULES, ("constraint", "constraint", "preference"), strict=True):
        said = Saying(text=text, category=category, tags=["ops"] if "VPN" in text else [])
        desk.app.notes.remember(said, project=shop.name, now=NOW)
    held = desk.app.notes.find("constraint/tokens", [shop.name])
    desk.app.notes.step(held, "retire", now=NOW)
    (tmp_path / "bank").mkdir()
    desk.app.projects.meet(tmp_path / "bank")
    yield desk
    desk.app.close()


@pytest.fixture
def browse(desk: Desk) -> Browse:
    return desk.app.browse


def test_notes_are_counted_by_each_filter_as_if_it_were_not_set(browse: Browse) -> None:
    found = browse.notes(categories=["constraint"], statuses=["active"])

    assert [one.title for one in found.items] == [RULES[0]]
    assert (found.total, found.page) == (1, 1)
    assert found.counts["category"] == {"constraint": 1, "preference": 1}
    assert found.counts["status"] == {"active": 1, "retired": 1}


def test_notes_are_found_by_tag_and_text(browse: Browse) -> None:
    assert [one.title for one in browse.notes(tags=["ops"]).items] == [RULES[0]]
    assert [one.title for one in browse.notes(text="british").items] == [RULES[2]]
    assert browse.notes(text="zebra").items == ()


def test_pages_hold_what_they_say_and_come_to_an_end(browse: Browse) -> None:
    pages = [browse.notes(size=2, page=page) for page in (1, 2, 3)]

    assert [len(one.items) for one in pages] == [2, 1, 0]
    assert [one.total for one in pages] == [3, 3, 3]
    assert len({note.name for one in pages for note in one.items}) == 3


@pytest.mark.parametrize(("page", "size"), [(0, 10), (1, 0), (1, 10_000)])
def test_a_page_that_cannot_be_is_refused(browse: Browse, page: int, size: int) -> None:
    with pytest.raises(RecollectError, match="no such page"):
        browse.notes(page=page, size=size)


def test_entries_are_listed_by_day_and_type(browse: Browse) -> None:
    every = browse.entries()

    assert [one.session for one in every.items] == ["s-2", "s-1"]
    (day,) = every.counts["day"]
    assert every.counts["day"] == {day: 2}
    assert browse.entries(days=[day]).total == 2
    assert browse.entries(days=["1999-01-01"]).total == 0
    assert browse.entries(types=["security"]).items == ()


def test_sessions_are_listed_with_what_they_were_about(browse: Browse) -> None:
    found = browse.sessions()

    assert [one.id for one in found.items] == ["s-2", "s-1"]
    assert found.counts["host"] == {"claude-code": 2}
    assert "orders" in found.items[1].title


def test_projects_are_listed_with_what_there_is_of_them(browse: Browse) -> None:
    bank, shop = sorted(browse.projects().items, key=lambda one: one.label)

    assert (shop.sessions, shop.notes, shop.memories) == (2, 2, 4)
    assert (bank.sessions, bank.notes, bank.memories) == (0, 0, 0)


def test_an_unknown_project_is_an_error(browse: Browse) -> None:
    with pytest.raises(ProjectError, match="no project called"):
        browse.entries(projects=["nowhere"])


def _as_an_agent(desk: Desk) -> Recollect:
    return desk.app.seen_by(viewer.agent(str(desk.folder)))


class TestAnAgent:
    def test_sees_its_own_project_and_what_is_in_force(self, desk: Desk) -> None:
        seen = _as_an_agent(desk)

        projects = seen.browse.projects()
        notes = seen.browse.notes()

        assert [one.label for one in projects.items] == ["shop"]
        assert {one.status for one in notes.items} == {"active"}
        assert notes.total == 2

    def test_is_not_told_whether_another_project_exists(self, desk: Desk) -> None:
        seen = _as_an_agent(desk)

        for name in ("bank", "nowhere"):
            with pytest.raises(ProjectError, match="is not the project of this session"):
                seen.browse.entries(projects=[name])

    def test_may_look_further_where_the_user_allows_it(self, desk: Desk) -> None:
        desk.app.settings.set("agents.all_projects", "true")
        seen = _as_an_agent(desk)

        assert seen.browse.projects().total == 2
        assert seen.browse.entries(projects=["bank"]).total == 0

    def test_sees_nothing_of_what_the_user_excluded(self, desk: Desk) -> None:
        seen = _as_an_agent(desk)
        desk.app.projects.exclude("shop")

        assert seen.browse.entries().total == 0
        assert desk.app.browse.entries().total == 2

    def test_sees_nothing_of_what_the_user_excluded_by_its_name_either(self, desk: Desk) -> None:
        seen = _as_an_agent(desk)
        desk.app.projects.exclude("shop")

        assert seen.browse.sessions(projects=["shop"]).total == 0
        assert not seen.browse.overview(projects=["shop"]).days
        assert not seen.browse.timeline(projects=["shop"]).newer
        assert seen.search.page("orders", projects=["shop"]).total == 0
        assert seen.reviews.page(projects=["shop"]).total == 0
        assert desk.app.browse.sessions(projects=["shop"]).total == 2
