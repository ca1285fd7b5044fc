"""What a web page of a note, of an entry or of a session needs, from the rooms of a home alone."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recollect import ids
from recollect.app import results, viewer
from recollect.app.pages import diff
from recollect.curation.curator import Saying
from recollect.errors import NotFoundError, ProjectError, RecollectError
from tests.builders.intake import Desk

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    for number, what in enumerate(("the orders page", "the cart", "the search box")):
        desk.turn(
            f"fix {what}", f"I fixed {what}: it was slow, now it is fast.", session=f"s-{number}"
        )
    yield desk
    desk.app.close()


@pytest.fixture
def shop(desk: Desk) -> str:
    (found,) = desk.app.projects.all()
    return found.name


def test_a_page_of_notes_is_made_of_what_rooms_give(desk: Desk, shop: str) -> None:
    app = desk.app
    for text in ("Deploys need the company VPN", "Tokens expire hourly"):
        app.notes.remember(
            Saying(text=text, category="constraint", tags=["ops"]), project=shop, now=NOW
        )
    held = app.notes.find("constraint/tokens", [shop])
    app.notes.rewrite(held, held.text.replace("hourly", "daily"), now=NOW)

    listed = app.browse.notes(categories=["constraint"], tags=["ops"], size=10)
    page = app.pages.note(held.name, shop)
    changed = app.pages.note_diff(held.name, shop, older=1)

    assert {one.name for one in listed.items} >= {held.name}
    assert listed.counts["tag"]["ops"] == 2
    assert (page.title, page.status, page.source.by) == ("Tokens expire daily", "active", "user")
    assert "daily" in page.body
    assert page.hash == ids.text_hash(page.text)
    assert [one.number for one in page.versions] == [1, 2]
    assert page.versions[1].added >= 1
    assert {one.kind for one in changed} == {"same", "added", "removed"}


def test_an_entry_page_tells_where_it_comes_from_and_what_was_around_it(
    desk: Desk, shop: str
) -> None:
    last, middle, first = desk.app.browse.entries().items

    page = desk.app.pages.entry(middle.id, shop)

    assert (page.title, page.session, page.source.host) == (middle.title, "s-1", "claude-code")
    assert page.source.by.startswith("extractive/")
    assert page.body
    assert [one.id for one in page.before] == [first.id]
    assert [one.id for one in page.after] == [last.id]


def test_a_session_page_tells_how_it_went_turn_by_turn(desk: Desk) -> None:
    page = desk.app.pages.session("s-1")

    assert "cart" in str(page.summary["request"])
    assert [one.prompt for one in page.conversation] == ["fix the cart"]
    assert page.conversation[0].shown == ()
    assert page.title == page.summary["request"]


def test_a_timeline_goes_on_where_the_page_before_ended(desk: Desk) -> None:
    every = [one.id for one in desk.app.browse.entries().items]

    first = desk.app.browse.timeline(size=2)
    second = desk.app.browse.timeline(before=first.older, size=2)
    back = desk.app.browse.timeline(after=second.newer, size=2)

    assert [one.id for one in (*first.items, *second.items)] == every
    assert second.older == ""
    assert [one.id for one in back.items] == [one.id for one in first.items]


def test_a_timeline_shows_what_came_since(desk: Desk) -> None:
    last = desk.app.browse.timeline().newer
    assert desk.app.browse.timeline(after=last).items == ()

    desk.turn("add a wish list", "I added a wish list to the shop.", session="s-9")

    (fresh,) = desk.app.browse.timeline(after=last).items
    assert fresh.session == "s-9"


def test_entries_of_one_moment_are_each_on_one_page(desk: Desk, shop: str) -> None:
    (day,) = desk.home.glob("projects/*/journal/*.md")
    by_hand = "".join(f"\n## Thought {number}\n\nRemember thing {number}.\n" for number in range(9))
    day.write_text(day.read_text() + by_hand)
    every = {one.id for one in desk.app.browse.entries().items}

    seen: list[str] = []
    before = ""
    while True:
        page = desk.app.browse.timeline(projects=[shop], before=before, size=2)
        seen += [one.id for one in page.items]
        if not (before := page.older):
            break

    assert len(every) == 12
    assert sorted(seen) == sorted(every)


def test_a_search_is_counted_by_project_kind_type_agent_and_day(desk: Desk, shop: str) -> None:
    found = desk.app.search.page("is the cart fast?")

    assert found.items[0].session == "s-1"
    assert "cart" in " ".join(found.items[0].passages)
    assert found.counts["project"] == {shop: found.total}
    assert found.counts["host"] == {"claude-code": found.total}
    assert desk.app.search.page("is the cart fast?", kinds=["decision"]).total == 0


def test_the_overview_counts_by_day_project_and_agent(desk: Desk, shop: str) -> None:
    found = desk.app.browse.overview()

    assert sum(found.days.values()) == 3
    assert found.hosts == {"claude-code": 3}
    assert [one.name for one in found.projects] == [shop]
    assert found.sessions == 3


def test_settings_are_listed_with_what_they_mean(desk: Desk) -> None:
    desk.app.settings.set("search.min_score", "0.4")

    lines = {one.key: one for one in desk.app.settings.lines()}

    assert lines["search.min_score"].value == 0.4
    assert lines["search.min_score"].default != 0.4
    assert all(one.doc for one in lines.values())


def test_everything_goes_to_json(desk: Desk, shop: str) -> None:
    (entry, *_) = desk.app.browse.entries().items
    for value in (
        desk.app.browse.overview(),
        desk.app.browse.timeline(),
        desk.app.pages.entry(entry.id, shop),
        desk.app.pages.session("s-1"),
    ):
        data = results.as_data(value)

        assert isinstance(data, dict)
        assert json.loads(json.dumps(data)) == data


class TestAnAgent:
    def test_opens_no_page_of_another_project(self, desk: Desk, tmp_path: Path, shop: str) -> None:
        (tmp_path / "bank").mkdir()
        desk.app.projects.meet(tmp_path / "bank")
        seen = desk.app.seen_by(viewer.agent(str(tmp_path / "bank")))
        (entry, *_) = desk.app.browse.entries().items

        with pytest.raises(ProjectError):
            seen.pages.entry(entry.id, shop)
        with pytest.raises(NotFoundError):
            seen.pages.session("s-1")

    def test_opens_no_page_of_what_the_user_excluded(self, desk: Desk, shop: str) -> None:
        (entry, *_) = desk.app.browse.entries().items
        desk.app.projects.exclude("shop")
        seen = desk.app.seen_by(viewer.program(str(desk.folder)))

        with pytest.raises(NotFoundError):
            seen.pages.entry(entry.id, shop)
        assert desk.app.pages.entry(entry.id, shop).id == entry.id


def test_what_differs_is_told_line_by_line() -> None:
    assert [one.kind for one in diff("", "a\nb")] == ["added", "added"]


class TestWhatWaits:
    @pytest.fixture
    def proposed(self, desk: Desk, shop: str) -> str:
        said = Saying(text="Deploys need the company VPN", category="constraint", by="agent")
        done = desk.app.notes.remember(said, project=shop, now=NOW)
        held = desk.app.notes.find(done.name, [shop])
        desk.app.notes.doubt(held, "proposed", now=NOW)
        return held.name

    def test_is_listed_by_kind_with_what_it_says(self, desk: Desk, proposed: str) -> None:
        found = desk.app.reviews.page()

        (line,) = found.items
        assert (line.name, line.kind) == (proposed, "proposed")
        assert found.counts["kind"] == {"proposed": 1}
        assert "VPN" in line.body
        assert line.note["category"] == "constraint"

    def test_is_settled_by_a_decision(self, desk: Desk, shop: str, proposed: str) -> None:
        naming = desk.app.naming(folder="", project=shop)

        assert desk.app.reviews.decide(proposed, naming, "accept").outcome == "updated"
        assert desk.app.reviews.page().items == ()
        with pytest.raises(NotFoundError, match="is not waiting"):
            desk.app.reviews.decide(proposed, naming, "reject")

    def test_is_for_the_user_alone_to_see_and_to_settle(
        self, desk: Desk, shop: str, proposed: str
    ) -> None:
        (entry, *_) = desk.app.browse.entries().items
        desk.app.disputes.add(shop, entry.id, said="we changed that")
        naming = desk.app.naming(folder="", project=shop)
        seen = desk.app.seen_by(viewer.agent(str(desk.folder)))

        assert seen.reviews.page(projects=[shop]).total == 0
        for name in (proposed, entry.id):
            with pytest.raises(RecollectError, match="waits for the user's word"):
                seen.reviews.decide(name, naming, "accept")
        assert desk.app.reviews.page().total == 2

    def test_may_be_a_memory_that_was_called_wrong(self, desk: Desk, shop: str) -> None:
        (entry, *_) = desk.app.browse.entries().items
        desk.app.disputes.add(shop, entry.id, said="we changed that")
        naming = desk.app.naming(folder="", project=shop)

        (line,) = desk.app.reviews.page(kinds=["disputed"]).items
        done = desk.app.reviews.decide(line.name, naming, "accept")

        assert (line.said, line.author, line.hidden) == ("we changed that", "agent", True)
        assert done.reason.startswith("right after all")
        assert desk.app.reviews.page().total == 0
