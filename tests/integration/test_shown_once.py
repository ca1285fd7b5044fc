"""A memory is shown once in a session, whoever answers; and what goes wrong costs a repetition."""

import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import tokens
from recollect.app.recollect import opened
from recollect.curation.curator import Saying
from tests.home import Home, repository
from tests.remembering import put, take_in

QUESTION = "Why was the orders page slow?"
VPN = "Deploys to production need the company VPN"
ABOUT_VPN = "Do deploys to production need the company VPN?"
CODE = "\n".join(f"def step_{number}(): return {number * 7919}" for number in range(60))

# What is asked here does not become a memory, and a hook says what is wrong.
UNHEARD = {"RECOLLECT_CAPTURE_ENABLED": "off", "RECOLLECT_DEBUG": "1"}

WORKER, NONE = "with a worker", "without a worker"
BOTH = [WORKER, NONE]
# In this order, so that a worker comes and goes as seldom as can be.
TWICE = [(WORKER, WORKER), (WORKER, NONE), (NONE, NONE), (NONE, WORKER)]


class Shop:
    """A shop with one fixed bug in one file, and a rule; agents are told of files they read."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.home.be_patient()  # A busy worker would leave the answer to the fallback.
        self.folder = folder
        self._sessions = itertools.count()

    def session(self) -> str:
        """A session that nobody has heard of."""
        return f"session-{next(self._sessions)}"

    def be(self, mode: str) -> None:
        """Go on with a worker or without one."""
        if mode == WORKER:
            self.home.settle()
        else:
            self.home.no_worker()

    def said(self, event: str, session: str, **fields: object) -> dict[str, Any]:
        """What a hook prints; it may not complain about anything."""
        payload = {"session_id": session, "cwd": str(self.folder), **fields}
        asked = json.dumps({"hook_event_name": event, **payload}).encode()
        done = self.home.raw_hook(event, asked, env=UNHEARD)
        assert done.stderr == b""
        return json.loads(done.stdout) if done.stdout else {}

    def given(self, event: str, session: str, **fields: object) -> str:
        """What a hook gives the agent."""
        said = self.said(event, session, **fields).get("hookSpecificOutput", {})
        return str(said.get("additionalContext", ""))

    def asked(self, session: str, prompt: str = QUESTION) -> str:
        """What an agent is given for *prompt*."""
        return self.given("UserPromptSubmit", session, prompt=prompt)

    def read(self, session: str, name: str = "orders.py", tool: str = "Read") -> dict[str, Any]:
        """What a hook prints before an agent reads the file *name*."""
        given = {"file_path": str(self.folder / name)}
        return self.said("PreToolUse", session, tool_name=tool, tool_input=given)

    @property
    def logs(self) -> Path:
        """The folder that says what each session was shown."""
        return self.home.path / "run" / "shown"


# The file they are about is the same, what they say is not.
PAST = {
    "The orders page is slow, find out why and fix it":
        "The cause was an N+1 query in get_orders; I fixed it with selectinload.",
    "Sort the parcels by weight in the warehouse":
        "I sorted them with heapq because the list never fits into memory. " * 20,
    "Rename the customer column to buyer":
        "I renamed it because the tax office calls them buyers. " * 20,
    "Round prices to whole cents":
        "The cause was binary floating point; I fixed it with Decimal. " * 20,
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("shown-once")
    home, shop = Home(folder / "recollect"), repository(folder / "shop")
    (home.path / "config.toml").write_text("files.enabled = true\n")
    (shop / "orders.py").write_text(CODE)
    for number, (prompt, answer) in enumerate(PAST.items()):
        _happened(home, shop, f"old-{number}", prompt, answer)
    take_in(home)
    with opened(str(home)) as app:
        rule = Saying(category="constraint", text=VPN)
        app.notes.remember(rule, project=app.projects.meet(str(shop)).name, now=datetime.now(UTC))
    yield Shop(home, shop)
    home.end()


def _happened(home: Home, shop: Path, session: str, prompt: str, answer: str) -> None:
    """Let a session have written `orders.py`."""
    path = str(shop / "orders.py")
    turn: dict[str, Any] = {"session": session, "folder": shop, "prompt_id": f"{session}-1"}
    put(home, "UserPromptSubmit", prompt=prompt, **turn)
    put(
        home, "PostToolUse", tool_name="Write", tool_use_id=f"toolu_{session}",
        tool_input={"file_path": path, "content": CODE},
        tool_response={"type": "create", "filePath": path}, **turn,
    )  # fmt: skip
    put(home, "Stop", last_assistant_message=answer, **turn)
    put(home, "SessionEnd", reason="other", **turn)


@pytest.fixture(scope="module", params=BOTH)
def wanted(request: pytest.FixtureRequest) -> str:
    """The mode, by which tests are put in order: a worker comes and goes seldom."""
    return str(request.param)


@pytest.fixture
def mode(shop: Shop, wanted: str) -> str:
    """Whether a worker runs."""
    shop.be(wanted)
    return wanted


@pytest.fixture
def unbroken(shop: Shop) -> Iterator[Shop]:
    """The shop, whose logs a test may break."""
    yield shop
    if shop.logs.is_symlink() or shop.logs.is_file():
        shop.logs.unlink()


class TestInOneSession:
    @pytest.mark.parametrize(("first", "then"), TWICE)
    def test_a_memory_comes_once_whoever_answers(self, shop: Shop, first: str, then: str) -> None:
        session = shop.session()
        shop.be(first)
        before = shop.asked(session)

        shop.be(then)
        after = shop.asked(session)

        assert "selectinload" in before
        assert after == ""

    def test_a_rule_that_the_start_told_in_full_does_not_come_with_a_prompt(
        self, shop: Shop, mode: str
    ) -> None:
        session = shop.session()
        assert VPN in shop.given("SessionStart", session, source="startup")

        assert shop.asked(session, ABOUT_VPN) == ""
        assert VPN in shop.asked(shop.session(), ABOUT_VPN)

    def test_it_may_come_again_when_the_context_was_compacted(self, shop: Shop, mode: str) -> None:
        session = shop.session()
        assert shop.asked(session)

        assert shop.given("SessionStart", session, source="compact")

        assert "selectinload" in shop.asked(session)
        assert shop.asked(session) == ""

    def test_what_only_a_subagent_was_shown_is_still_news(self, shop: Shop, mode: str) -> None:
        session = shop.session()
        helper = {"agent_id": "a-1", "agent_type": "Explore"}
        assert VPN in shop.given("SubagentStart", session, **helper)

        assert VPN in shop.asked(session, ABOUT_VPN)

    @pytest.mark.parametrize("source", ["resume", "fork"])
    def test_it_does_not_come_again_when_the_session_is_resumed(
        self, shop: Shop, mode: str, source: str
    ) -> None:
        session = shop.session()
        assert shop.asked(session)

        assert shop.given("SessionStart", session, source=source) == ""

        assert shop.asked(session) == ""

    @pytest.mark.parametrize(("first", "then"), TWICE)
    def test_one_whose_file_has_changed_comes_again_once(
        self, shop: Shop, first: str, then: str
    ) -> None:
        session = shop.session()
        with opened(str(shop.home)) as app:
            app.upkeep.check_files(seen_since=0.0)
        shop.be(first)
        assert "out of date: `" not in shop.asked(session)
        try:
            (shop.folder / "orders.py").write_text(CODE.replace("def ", "async def "))

            assert "(may be out of date: `orders.py`" in shop.asked(session)
            shop.be(then)
            assert shop.asked(session) == ""
        finally:
            (shop.folder / "orders.py").write_text(CODE)


def test_two_sessions_at_once_do_not_influence_each_other(shop: Shop, mode: str) -> None:
    one, other = shop.session(), shop.session()

    given = [shop.asked(session) for session in (one, other, one, other)]

    assert given[0] == given[1] != ""
    assert given[2:] == ["", ""]
    assert (shop.logs / one).is_file()
    assert (shop.logs / other).is_file()


@pytest.mark.parametrize(
    "session", ["../../x", "..", ".", "/etc/x", "a/b", "x\0y", "a\nb", "ü" * 300, "x" * 5000]
)
def test_a_session_with_an_odd_id_is_logged_among_the_others(
    shop: Shop, mode: str, session: str
) -> None:
    before = _files_outside(shop)
    for log in shop.logs.glob("*"):
        log.unlink()

    first, second = shop.asked(session), shop.asked(session)

    assert "selectinload" in first
    assert second == ""
    assert _files_outside(shop) == before
    assert all(log.is_file() for log in shop.logs.iterdir())


def _files_outside(shop: Shop) -> set[Path]:
    """All files near the home but the logs, and what a worker writes by itself."""
    by_itself = ("index.db-", "state.db-", "worker", "vectors", "shown")
    return {
        path
        for path in shop.home.path.parent.rglob("*")
        if shop.logs not in path.parents
        if not any(part.startswith(by_itself) for part in (path.name, path.parent.name))
    }


class TestALogThatCannotBe:
    """It costs a repetition at most; `Shop.said` sees to it that nobody hears an error."""

    def test_written_in_a_folder_that_is_a_file(self, unbroken: Shop, mode: str) -> None:
        _remove(unbroken.logs)
        unbroken.logs.write_text("in the way")

        given = self.asked_twice(unbroken)

        assert given[0] == given[1] != ""

    def test_written_where_nothing_may_be(self, unbroken: Shop, mode: str) -> None:
        """A folder of /proc, which is read-only for everybody, also for root."""
        _remove(unbroken.logs)
        unbroken.logs.symlink_to("/proc/self/fdinfo")

        given = self.asked_twice(unbroken)

        assert given[0] == given[1] != ""

    def test_opened_because_it_is_a_folder(self, unbroken: Shop, mode: str) -> None:
        session = unbroken.session()
        (unbroken.logs / session).mkdir(parents=True)

        given = self.asked_twice(unbroken, session)

        (unbroken.logs / session).rmdir()
        assert given[0] == given[1] != ""

    @pytest.mark.parametrize(
        "nonsense",
        [b"\0\xff\xfe\x80", b"half a line", b"a\tb\tc\n", b"\t" * 500, b"\n" * 9, b"x" * 2_000_000],
        ids=["bytes", "half", "fields", "tabs", "lines", "long"],
    )
    def test_understood(self, unbroken: Shop, mode: str, nonsense: bytes) -> None:
        session = unbroken.session()
        unbroken.logs.mkdir(exist_ok=True)
        (unbroken.logs / session).write_bytes(nonsense)

        given = self.asked_twice(unbroken, session)

        assert "selectinload" in given[0]
        assert given[1] in ("", given[0])

    def asked_twice(self, shop: Shop, session: str = "") -> list[str]:
        session = session or shop.session()
        return [shop.asked(session) for _ in range(2)]


def _remove(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink():
        for log in folder.iterdir():
            log.unlink()
        folder.rmdir()


class TestAFileThatIsRead:
    def test_is_told_of_once_in_a_session(self, shop: Shop, mode: str) -> None:
        one, other = shop.session(), shop.session()

        first, again, elsewhere = shop.read(one), shop.read(one), shop.read(other)

        assert "orders.py" in first["hookSpecificOutput"]["additionalContext"]
        assert again == {}
        assert elsewhere == first

    def test_is_told_of_without_a_word_on_whether_it_may_be_read(
        self, shop: Shop, mode: str
    ) -> None:
        said = shop.read(shop.session())

        assert set(said) <= {"systemMessage", "hookSpecificOutput"}
        assert set(said["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
        assert said["hookSpecificOutput"]["hookEventName"] == "PreToolUse"

    def test_is_told_of_in_at_most_four_hundred_tokens(self, shop: Shop, mode: str) -> None:
        context = shop.read(shop.session())["hookSpecificOutput"]["additionalContext"]

        assert 0 < tokens.estimate(context) <= 400
        assert context.startswith("<recollect-memory>\n")

    @pytest.mark.parametrize("tool", ["Edit", "Write", "Grep", "Glob", "Bash", "NotebookEdit", ""])
    def test_is_not_told_of_when_another_tool_is_used(
        self, shop: Shop, mode: str, tool: str
    ) -> None:
        assert shop.read(shop.session(), tool=tool) == {}

    @pytest.mark.parametrize(
        "given", [{}, {"file_path": ""}, {"file_path": 7}, {"file_path": None}, "orders.py", None]
    )
    def test_that_is_not_named_is_no_trouble(self, shop: Shop, mode: str, given: object) -> None:
        assert shop.said("PreToolUse", shop.session(), tool_name="Read", tool_input=given) == {}

    @pytest.mark.parametrize("name", ["README.md", "no/such/file", "../outside.py", "/etc/passwd"])
    def test_of_which_nothing_is_known_brings_nothing(
        self, shop: Shop, mode: str, name: str
    ) -> None:
        assert shop.read(shop.session(), name) == {}

    def test_brings_nothing_that_the_session_was_shown(self, shop: Shop, mode: str) -> None:
        session = shop.session()
        assert "selectinload" in shop.asked(session)

        assert "selectinload" not in str(shop.read(session))

    def test_by_a_subagent_is_still_news_to_the_agent_itself(self, shop: Shop, mode: str) -> None:
        session = shop.session()
        helper = {"agent_id": "a-1", "agent_type": "Explore"}
        given = {"file_path": str(shop.folder / "orders.py")}

        shown = shop.said("PreToolUse", session, tool_name="Read", tool_input=given, **helper)

        assert shown != {}
        assert shop.read(session) == shown

    def test_brings_nothing_while_that_is_off(self, shop: Shop, mode: str) -> None:
        config = shop.home.path / "config.toml"
        config.write_text("files.enabled = false\n")
        try:
            assert shop.read(shop.session()) == {}
        finally:
            config.write_text("files.enabled = true\n")
