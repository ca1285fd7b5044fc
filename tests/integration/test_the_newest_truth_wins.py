"""What was replaced is not told as if it held: the newer turn stands in its place."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from benchmarks import claude_transcripts
from click.testing import CliRunner

from recollect import paths
from recollect.app import viewer
from recollect.app.memory import Memory
from recollect.app.recollect import Recollect
from recollect.cli.main import cli
from recollect.hooks import fallback, shown_log
from recollect.search.embedding import Embeddings
from tests.home import repository

LISTED = "The orders list shows **50 orders** on each page (`PAGE_SIZE` in orders/list.py)."
SHORTER = "The orders list loads faster: each page of it shows **20 orders** now."
CLIENT = "All calls to the supplier go through **requests**, our HTTP client, with a timeout."
SWITCHED = (
    "Done: the supplier module uses `httpx` instead of `requests`; it can wait for many calls."
)

TURNS: list[dict[str, object]] = [
    {
        "prompt": "Add paging to the orders list",
        "answer": LISTED,
        "tools": [
            {
                "name": "Write",
                "input": {"file_path": "orders/list.py", "content": "PAGE_SIZE = 50\n"},
                "output": "ok",
            }
        ],
    },
    {"prompt": "Call the supplier from the basket", "answer": CLIENT, "tools": []},
    {"prompt": "Sort the parcels by weight", "answer": "Sorted with heapq.", "tools": []},
    {
        "prompt": "The orders list is slow on phones, fewer orders a page please",
        "answer": SHORTER,
        "tools": [
            {
                "name": "Edit",
                "input": {
                    "file_path": "orders/list.py",
                    "old_string": "PAGE_SIZE = 50",
                    "new_string": "PAGE_SIZE = 20",
                },
                "output": "ok",
            }
        ],
    },
    {
        "prompt": "Actually, let's use httpx instead of requests from now on, for the supplier",
        "answer": SWITCHED,
        "tools": [],
    },
]

HOW_MANY = "how many orders are on each page of the orders list?"
WHICH = "Which HTTP client do our calls to the supplier go through?"


class Shop:
    """A project with a past of five turns, a week apart."""

    def __init__(self, folder: Path) -> None:
        self.home, self.folder = str(folder / "home"), repository(folder / "shop")
        self.app = Recollect(self.home, embeddings=Embeddings())
        turns = [
            {**turn, "id": f"t{n}", "session": f"s{n}", "at": f"2026-0{n + 2}-03T12:00:00+00:00"}
            for n, turn in enumerate(TURNS)
        ]
        claude_transcripts.write(folder / "sessions", turns, project=self.folder)
        self.app.importing.transcripts(folder / "sessions", lambda *_: None)
        self.app.upkeep.refresh_all()
        self.app.meaning.fill(lambda *_: None)
        self.app.meaning.warm()
        self.app.settings.publish()

    def told(self, prompt: str) -> dict[str, Any]:
        """What an agent is given with *prompt*, and why."""
        event: dict[str, object] = {"session_id": "", "cwd": str(self.folder), "prompt": prompt}
        return self.app.hooks.preview("UserPromptSubmit", event, now=time.time())

    @property
    def project(self) -> str:
        found = self.app.projects.at(str(self.folder))
        assert found
        return found.name


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    made = Shop(tmp_path_factory.mktemp("newest"))
    yield made
    made.app.close()


def test_after_a_constant_was_edited_the_new_value_is_told(shop: Shop) -> None:
    text = shop.told(HOW_MANY)["context"]

    assert "20 orders" in text
    assert "50" not in text


def test_a_page_names_no_later_entry_that_may_not_be_seen(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shop.app.browse.entries(projects=[shop.project]).items
    new, old = (one for one in found if "orders list" in one.title)
    seen = shop.app.seen_by(viewer.agent(str(shop.folder)))
    assert {one.id for one in seen.pages.entry(old.id, shop.project).replaced} == {new.id}

    monkeypatch.setattr(seen.visibility, "_is_hidden", lambda one, _: one.id == new.id)

    assert seen.pages.entry(old.id, shop.project).replaced == ()


def test_who_asks_what_was_before_is_told_until_when(shop: Shop) -> None:
    text = shop.told("how many orders did a page of the orders list originally have?")["context"]

    assert "50 orders" in text
    assert "(before, until 3 May 2026; now: 20)" in text


def test_after_use_x_instead_of_y_a_question_brings_x(shop: Shop) -> None:
    text = shop.told(WHICH)["context"]

    assert "httpx" in text
    for line in text.splitlines():
        assert "requests" not in line or "httpx" in line, line


def test_what_was_replaced_says_so_to_who_asks_why_it_is_not_shown(shop: Shop) -> None:
    left_out = {one["why"] for one in shop.told(HOW_MANY)["left_out"]}

    assert any("replaced by" in why and "on 3 May 2026" in why for why in left_out)


def test_a_search_finds_both_the_newer_first_and_the_older_marked(shop: Shop) -> None:
    project = shop.app.inside.registry.named(shop.project)
    found = shop.app.search.search("orders list page", among=[project], limit=5, min_score=0.0)

    said = ["".join(p.passage.text for p in one.passages) for one in found]
    newer = next(n for n, text in enumerate(said) if "20 orders" in text)
    older = next(n for n, text in enumerate(said) if "50 orders" in text)
    assert newer < older
    assert any(p.replaced for p in found[older].passages)


def test_a_hook_without_a_worker_leaves_out_what_was_replaced(shop: Shop) -> None:
    event: dict[str, object] = {"session_id": "", "cwd": str(shop.folder), "prompt": HOW_MANY}

    said = fallback.answer(shop.home, shop.project, "UserPromptSubmit", event, now=time.time())

    assert "50 orders" not in said.context


def test_what_two_passages_have_in_common_is_told_by_their_vectors(shop: Shop) -> None:
    everyone = shop.app.projects.all()
    found = shop.app.search.search(
        "orders list page supplier", among=everyone, limit=9, min_score=0.0
    )
    numbers = {
        it.passage.text: it.passage.key
        for one in found
        for it in one.passages
        if it.passage.part == "said"
    }
    listed, shorter, client = numbers[LISTED], numbers[SHORTER], numbers[CLIENT]

    near = shop.app.inside.index.likenesses([listed], [listed, shorter, client])

    assert near[listed] == pytest.approx(1.0, abs=0.01)
    assert near[listed] > near[shorter] > 0.5 > near[client]
    assert shop.app.inside.index.likenesses([], [listed]) == {}


def test_an_index_made_anew_knows_the_same(shop: Shop) -> None:
    before = shop.told(HOW_MANY)["context"]

    shop.app.upkeep.rebuild(lambda *_: None)

    assert shop.told(HOW_MANY)["context"] == before


def test_what_an_agent_calls_wrong_is_not_shown_until_it_is_accepted(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", shop.home)
    shown = shop.told(HOW_MANY)["shown"][0]["id"]

    with Memory(folder=str(shop.folder)) as memory:
        done = memory.dispute(shown, said="it is 30 now")

    assert done.is_done
    again = shop.told(HOW_MANY)
    assert shown not in {one["id"] for one in again["shown"]}
    assert any("somebody said" in one["why"] for one in again["left_out"])
    ((dispute, entry),) = shop.app.disputes.waiting([shop.project, paths.EVERYWHERE])
    assert (dispute.said, entry.id) == ("it is 30 now", shown)

    shop.app.disputes.settle(dispute, is_right=True)

    assert shop.told(HOW_MANY)["shown"][0]["id"] == shown


class TestNoWeChangedThat:
    """A user objects right after a recall."""

    SHOWN_AT = datetime(2026, 8, 1, 12, 0, 5, tzinfo=UTC).timestamp()

    @pytest.fixture
    def objecting(self, tmp_path: Path) -> Iterator[Callable[[str], Shop]]:
        made = Shop(tmp_path)

        def object_with(prompt: str) -> Shop:
            """Let a session have been told of the orders list, and answer with *prompt*."""
            asked = {"session": "s9", "tools": [], "answer": "Let me look at the list."}
            turns = [
                {**asked, "id": "t8", "at": "2026-08-01T12:00:00+00:00", "prompt": HOW_MANY},
                {**asked, "id": "t9", "at": "2026-08-01T12:05:00+00:00", "prompt": prompt},
            ]
            folder = tmp_path / "objecting"
            claude_transcripts.write(folder, turns, project=made.folder)
            made.app.importing.transcripts(folder, lambda *_: None)
            session = made.app.inside.state.sessions.find(
                claude_transcripts.session_id(made.folder.name, "s9")
            )
            assert session
            shown = made.told(HOW_MANY)["shown"][0]["id"]
            about = (made.project, session.id, "UserPromptSubmit", shown, "ab12")
            line = shown_log.line(self.SHOWN_AT, *about, 0.9, 40)
            shown_log.append(paths.shown(made.home, session.id).encode(), line.encode())
            *_, last = made.app.inside.library(made.project).archive.read(session.id)
            made.app.usage_counter.turn(session, last)
            return made

        yield object_with
        made.app.close()

    def test_what_was_shown_is_hidden_and_waits_with_what_was_said(
        self, objecting: Callable[[str], Shop]
    ) -> None:
        shop = objecting("no, we changed that for the orders list")

        ((dispute, entry),) = shop.app.disputes.waiting([shop.project])
        assert (dispute.said, dispute.author) == ("no, we changed that for the orders list", "user")
        assert entry.id not in {one["id"] for one in shop.told(HOW_MANY)["shown"]}

    def test_a_prompt_that_goes_on_with_the_work_disputes_nothing(
        self, objecting: Callable[[str], Shop]
    ) -> None:
        shop = objecting("that's wrong, the test of the basket still fails")

        assert shop.app.disputes.waiting([shop.project]) == []

    def test_review_lists_it_and_decides(
        self, objecting: Callable[[str], Shop], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shop = objecting("that is outdated, the orders list")
        monkeypatch.chdir(shop.folder)
        env = {"RECOLLECT_HOME": shop.home, "COLUMNS": "120"}

        listed = CliRunner().invoke(cli, ["review", "--json"], env=env)
        plainly = CliRunner().invoke(cli, ["review"], env=env)

        (item,) = [one for one in json.loads(listed.stdout) if one["kind"] == "disputed"]
        assert item["about"] == "you said: that is outdated, the orders list"
        assert "that is outdated, the orders list" in plainly.stdout

        done = CliRunner().invoke(cli, ["review", "--accept", item["id"]], env=env)

        assert "right after all" in done.output
        assert shop.app.disputes.waiting([shop.project]) == []
        assert shop.told(HOW_MANY)["shown"][0]["id"] == item["id"]
