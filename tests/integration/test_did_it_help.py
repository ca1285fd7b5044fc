"""What an agent was shown is counted, and what it did with that; what helps nobody sinks."""

import json
from pathlib import Path

import pytest

from recollect import paths
from recollect.app.recollect import opened
from recollect.hooks import shown_log
from recollect.store.contract.state import Shown, Totals
from tests.home import Home, repository
from tests.remembering import QUESTION, put, remember, take_in


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    """A project that remembers one session; no worker runs."""
    folder = repository(tmp_path / "shop")
    remember(
        home,
        folder,
        "The orders page is slow, find out why and fix it",
        "The cause was an N+1 query in get_orders; I fixed it with selectinload(Order.items).",
    )
    home.no_worker()
    return folder


def ask(home: Home, folder: Path, prompt: str = QUESTION, *, session: str = "s-2") -> str:
    """Send a prompt; return the context that it got."""
    said = home.hook("UserPromptSubmit", session_id=session, cwd=str(folder), prompt=prompt)
    output = said.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def answered(home: Home, folder: Path, answer: str, *, session: str = "s-2") -> None:
    """Let the turn end with *answer*, and take everything in."""
    put(home, "Stop", session, folder, last_assistant_message=answer)
    take_in(home)


def counted(home: Home, folder: Path) -> Totals:
    with opened(str(home)) as app:
        return app.inside.state.shown.totals(project=app.projects.here(str(folder)).name)


def test_what_was_shown_is_logged_with_score_and_tokens(home: Home, shop: Path) -> None:
    context = ask(home, shop)
    (frame, memory) = shown_log.lines(paths.shown(str(home), "s-2"))

    assert memory[4] in context
    assert [frame[3], frame[4], memory[3]] == ["prompt", "", "prompt"]
    assert 0.8 <= float(memory[6]) <= 1
    assert int(frame[7]) > 0
    assert int(memory[7]) > 0


def test_a_name_that_only_the_memory_had_counts_as_use(home: Home, shop: Path) -> None:
    assert "selectinload" in ask(home, shop)

    answered(home, shop, "As before: an N+1, so get_orders needs selectinload and Order.items.")

    total = counted(home, shop).events["prompt"]
    assert (total.memories, total.used) == (1, 1)
    assert total.tokens > 0
    assert total.in_full > 0


def test_an_answer_that_has_nothing_of_it_does_not_count(home: Home, shop: Path) -> None:
    ask(home, shop)

    answered(home, shop, "I do not know; let us profile the page first.")

    total = counted(home, shop).events["prompt"]
    assert (total.memories, total.used) == (1, 0)


def test_what_the_user_said_first_is_no_merit_of_the_memory(home: Home, shop: Path) -> None:
    prompt = "Why was the orders page slow, was it get_orders without selectinload(Order.items)?"
    assert "selectinload" in ask(home, shop, prompt)

    answered(home, shop, "Yes: get_orders lacked selectinload(Order.items).")

    assert counted(home, shop).events["prompt"].used == 0


def test_taking_the_log_in_twice_counts_once(home: Home, shop: Path) -> None:
    ask(home, shop)
    answered(home, shop, "No idea.")

    with opened(str(home)) as app:
        app.usage_counter.take_in("s-2")
        app.usage_counter.take_in("s-2")

    assert counted(home, shop).events["prompt"].memories == 1


def test_what_five_sessions_were_shown_and_none_used_goes_behind_its_equals(
    home: Home, shop: Path
) -> None:
    remember(
        home,
        shop,
        "The orders page is slow again, find out why and fix it",
        "The cause was a missing index on orders.customer; I added it.",
        session="s-9",
    )

    def order() -> list[str]:
        with opened(str(home)) as app:
            event: dict[str, object] = {"session_id": "new", "cwd": str(shop), "prompt": QUESTION}
            said, _ = app.hooks.respond("UserPromptSubmit", event, now=1e10)
            return [one.id for one in said.shown] + [one for one, _ in said.left_out]

    best, *_ = order()
    with opened(str(home)) as app:
        project = app.projects.here(str(shop)).name
        app.inside.state.shown.add(
            [
                Shown(
                    at=float(n),
                    project=project,
                    session=f"old-{n}",
                    event="prompt",
                    id=best,
                    version="v",
                    score=0.9,
                    tokens=9,
                )
                for n in range(5)
            ],
        )
        app.usage_counter.count([project])

    assert order()[0] != best


def test_logs_of_sessions_that_are_long_over_go(home: Home, shop: Path) -> None:
    ask(home, shop)
    with opened(str(home)) as app:
        app.usage_counter.keep_house(now=1e10)

    assert not list(Path(paths.shown(str(home), "s-2")).parent.iterdir())


def test_what_is_erased_is_not_named_where_it_was_shown(home: Home, shop: Path) -> None:
    ask(home, shop)
    answered(home, shop, "No idea.")
    (_, memory) = shown_log.lines(paths.shown(str(home), "s-2"))
    with opened(str(home)) as app:
        entry = app.search.expand(memory[4]).entry
        app.forgetting.forget(entry, at=1.0)
        app.forgetting.erase(entry.project, entry.id)

    assert memory[4] not in Path(paths.shown(str(home), "s-2")).read_text()
    assert counted(home, shop).together.memories == 0


def test_a_broken_log_stops_nothing(home: Home, shop: Path) -> None:
    file = Path(paths.shown(str(home), "s-2"))
    file.parent.mkdir(parents=True)
    file.write_bytes(
        b"\xff\xfe nonsense\n1\t2\t3\n" + b"x\t" * 7 + b"y\n" + json.dumps({}).encode()
    )

    assert "selectinload" in ask(home, shop)
    answered(home, shop, "No idea.")

    assert counted(home, shop).together.memories == 1
