"""`recollect resynthesise` at a terminal: nothing is asked or replaced before the user says so."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.endpoints import ChatApi, Say
from tests.home import Home
from tests.integration.test_models_at_work import use
from tests.modelled import observation

ORDERS, ORDERS_ANSWER = (
    "The orders page is slow, find out why and fix it",
    "The cause was an N+1 query in get_orders; I fixed it with selectinload.",
)
CART, CART_ANSWER = (
    "Write a test for the total of the cart",
    "I wrote test_cart_total; it found that discounts were counted twice.",
)
BETTER_ORDERS = "N+1 query in get_orders fixed with selectinload"
BETTER_CART = "test_cart_total found discounts that were counted twice"
# Of each turn the check keeps what is about it.
BETTER = observation(
    BETTER_ORDERS, "The orders page was slow because get_orders ran an N+1 query."
) + observation(
    BETTER_CART, "The test for the total of the cart found discounts counted twice.", turn=2
)

AGREE = r"Ask the model\?"
CHOOSE = "q quit"


@pytest.fixture
def chat() -> Iterator[ChatApi]:
    with ChatApi() as api:
        api.answers(Say(BETTER))
        yield api


class Dialogue:
    """The command at a terminal, and a person who reads and answers."""

    def __init__(self, home: Home, shop: Path) -> None:
        self._program = pexpect.spawn(
            sys.executable,
            ["-m", "recollect", "resynthesise", "--since", "1d"],
            cwd=str(shop),
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home.path.parent),
                "RECOLLECT_HOME": str(home),
                "TERM": "dumb",
            },
            encoding="utf-8",
            timeout=30,
            dimensions=(50, 200),
        )

    def until(self, pattern: str | type[pexpect.EOF]) -> str:
        """What is shown before *pattern* is."""
        self._program.expect(pattern)
        return str(self._program.before)

    def say(self, answer: str) -> None:
        self._program.sendline(answer)

    def agree(self) -> str:
        """Let the model be asked; return what was shown before."""
        shown = self.until(AGREE)
        self.say("y")
        return shown

    def press(self, key: str) -> str:
        """Choose with *key* as soon as the question stands; return what was shown before."""
        shown = self.until(CHOOSE)
        # What is typed before keys are read one by one is thrown away.
        assert self._program.waitnoecho()  # type: ignore[func-returns-value]  # It does.
        self._program.send(key)
        return shown

    def end(self) -> str:
        """What is shown until the command is done."""
        shown = self.until(pexpect.EOF)
        self._program.close()
        return shown

    @property
    def code(self) -> int:
        assert self._program.exitstatus is not None
        return self._program.exitstatus

    def close(self) -> None:
        self._program.close(force=True)


Open = Callable[[], Dialogue]


@pytest.fixture
def dialogue(home: Home, shop: Path) -> Iterator[Open]:
    opened: list[Dialogue] = []

    def open_one() -> Dialogue:
        opened.append(Dialogue(home, shop))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def record(home: Home, shop: Path, *, sessions: tuple[str, str]) -> None:
    """Record two turns without a model."""
    said = ((ORDERS, ORDERS_ANSWER), (CART, CART_ANSWER))
    for session, (prompt, answer) in zip(sessions, said, strict=True):
        common = {"session_id": session, "cwd": str(shop), "prompt_id": f"{session}-{len(prompt)}"}
        home.hook("UserPromptSubmit", prompt=prompt, **common)
        home.hook("Stop", last_assistant_message=answer, **common)
    home.settle()
    home.stop()


@pytest.fixture
def one_session(home: Home, shop: Path, chat: ChatApi) -> None:
    """Two turns that one call asks about; now there is a model."""
    record(home, shop, sessions=("s-1", "s-1"))
    use(home, chat.url)


@pytest.fixture
def two_sessions(home: Home, shop: Path, chat: ChatApi) -> None:
    """Two turns, each with a call of its own; now there is a model."""
    record(home, shop, sessions=("s-1", "s-2"))
    use(home, chat.url)


def replaced(home: Home) -> dict[str, bool]:
    """Of which turns the journal has what the model said."""
    return {one.title: BETTER_ORDERS in one.body or BETTER_CART in one.body for one in home.kept()}


def left_to_redo(recollect: Any) -> int:
    said = recollect("resynthesise", "--since", "1d", "--dry-run", "--json").output
    turns: int = json.loads(said)["turns"]
    return turns


@pytest.mark.usefixtures("one_session")
class TestBeforeTheModelIsAsked:
    def test_what_it_costs_is_said_first_and_no_means_that_nobody_is_asked(
        self, home: Home, chat: ChatApi, dialogue: Open, recollect: Any
    ) -> None:
        before = home.journal()
        person = dialogue()

        shown = person.until(AGREE)
        asked = len(chat.requests)
        person.say("n")
        after = person.end()

        assert "2 turns: 1 call, at most" in shown
        assert "tokens sent" in shown
        assert "Aborted" in after
        assert person.code == 1
        assert (asked, len(chat.requests)) == (0, 0)
        assert home.journal() == before
        assert left_to_redo(recollect) == 2


@pytest.mark.usefixtures("one_session")
class TestBeforeAnythingIsReplaced:
    def test_the_difference_is_shown_and_the_journal_is_as_it_was(
        self, home: Home, chat: ChatApi, dialogue: Open
    ) -> None:
        before = home.journal()
        person = dialogue()
        person.agree()

        shown = person.until(CHOOSE)

        assert len(chat.requests) == 1
        assert ORDERS_ANSWER in shown
        assert f"+- **bugfix** {BETTER_ORDERS}" in shown
        assert "\n-- **" in shown
        assert BETTER_CART not in shown
        assert home.journal() == before

    def test_who_goes_away_instead_of_answering_has_changed_nothing(
        self, home: Home, dialogue: Open, recollect: Any
    ) -> None:
        before = home.journal()
        person = dialogue()
        person.agree()
        person.until(CHOOSE)

        person.close()

        assert home.journal() == before
        assert left_to_redo(recollect) == 2


@pytest.mark.usefixtures("one_session")
class TestEachChange:
    def test_y_replaces_one_and_n_leaves_one(
        self, home: Home, dialogue: Open, recollect: Any
    ) -> None:
        left = {one.title: one.body for one in home.kept()}[CART_ANSWER]
        person = dialogue()
        person.agree()

        person.press("y")
        second = person.press("n")
        said = person.end()

        assert f"+- **bugfix** {BETTER_CART}" in second
        assert "1 entry replaced." in said
        assert person.code == 0
        assert replaced(home) == {ORDERS_ANSWER: True, CART_ANSWER: False}
        assert {one.title: one.body for one in home.kept()}[CART_ANSWER] == left
        assert left_to_redo(recollect) == 0

    def test_a_replaces_this_one_and_all_that_follow(
        self, home: Home, dialogue: Open, recollect: Any
    ) -> None:
        person = dialogue()
        person.agree()

        person.press("a")
        said = person.end()

        assert f"+- **bugfix** {BETTER_CART}" in said
        assert CHOOSE not in said
        assert "2 entries replaced." in said
        assert replaced(home) == {ORDERS_ANSWER: True, CART_ANSWER: True}
        assert left_to_redo(recollect) == 0

    def test_q_at_once_changes_nothing(self, home: Home, dialogue: Open, recollect: Any) -> None:
        before = home.journal()
        person = dialogue()
        person.agree()

        person.press("q")
        said = person.end()

        assert "0 entries replaced." in said
        assert person.code == 0
        assert home.journal() == before
        assert left_to_redo(recollect) == 2

    def test_q_keeps_what_was_agreed_to_and_leaves_the_rest_for_another_time(
        self, home: Home, dialogue: Open, recollect: Any
    ) -> None:
        person = dialogue()
        person.agree()

        person.press("y")
        person.press("q")
        said = person.end()

        assert "1 entry replaced." in said
        assert replaced(home) == {ORDERS_ANSWER: True, CART_ANSWER: False}
        assert left_to_redo(recollect) == 1


@pytest.mark.usefixtures("two_sessions")
class TestSeveralCalls:
    def test_a_holds_for_the_calls_that_follow(
        self, home: Home, chat: ChatApi, dialogue: Open
    ) -> None:
        person = dialogue()
        shown = person.agree()

        person.press("a")
        said = person.end()

        assert "2 turns: 2 calls" in shown
        assert CHOOSE not in said
        assert len(chat.requests) == 2
        assert replaced(home) == {ORDERS_ANSWER: True, CART_ANSWER: True}

    def test_what_was_agreed_to_stands_before_the_next_call_is_decided(
        self, home: Home, dialogue: Open
    ) -> None:
        person = dialogue()
        person.agree()

        person.press("y")
        person.until(CHOOSE)

        assert sorted(replaced(home).values()) == [False, True]

    def test_after_q_nobody_is_asked_any_more(
        self, home: Home, chat: ChatApi, dialogue: Open, recollect: Any
    ) -> None:
        before = home.journal()
        person = dialogue()
        person.agree()

        person.press("q")
        person.end()

        assert len(chat.requests) == 1
        assert home.journal() == before
        assert left_to_redo(recollect) == 2
