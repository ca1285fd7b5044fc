"""Whatever happens, a hook exits 0 and prints one JSON object or nothing, through the launcher."""

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import recollect
from recollect import paths
from recollect.inbox import spool
from tests.home import HOOK, LAUNCHER, Home, repository, wait_for
from tests.remembering import QUESTION, remember

EVENTS = (
    "SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure",
    "Stop", "SubagentStop", "PreCompact", "SessionEnd",
)  # fmt: skip

# One that answers at the start, one that answers a prompt, one that only keeps, one that wakes.
KINDS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "SessionEnd")

Done = subprocess.CompletedProcess[bytes]


def said(done: Done) -> dict[str, object]:
    """What the hook said: one JSON object, or nothing, and not a word beside it."""
    assert done.returncode == 0
    assert done.stderr == b""
    if not done.stdout:
        return {}
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def context(answer: dict[str, object]) -> str:
    """What of *answer* reaches the model."""
    output = answer.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def kept(home: Home) -> list[bytes]:
    """The events in the inbox."""
    return [path.read_bytes() for path in sorted((home.path / "inbox").glob("*"))]


def run(*command: str, home: Home | None = None, stdin: bytes = b"", **env: str) -> Done:
    """Run *command* as a host runs a hook."""
    where = {"RECOLLECT_HOME": str(home), "HOME": str(home.path.parent)} if home else {}
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        env={"PATH": os.environ["PATH"], **where, **env},
        timeout=20,
        check=False,
    )


def alone(event: str, stdin: bytes, **env: str) -> Done:
    """Run the hook itself, as the launcher would if it had found it."""
    start = (sys.executable, "-I", "-S", str(HOOK), "claude-code", event, recollect.__version__)
    return run(*start, home=None, stdin=stdin, **env)


@pytest.fixture
def quiet(home: Home) -> Home:
    """A home for which no worker can be started."""
    home.no_worker()
    return home


@pytest.fixture
def shop(quiet: Home, tmp_path: Path) -> Path:
    """A project that is remembered, while no worker runs."""
    folder = repository(tmp_path / "shop")
    remember(quiet, folder)
    return folder


@pytest.fixture
def asked(quiet: Home, shop: Path) -> bytes:
    """A prompt that something is known about."""
    return json.dumps({"session_id": "s-2", "cwd": str(shop), "prompt": QUESTION}).encode()


@pytest.fixture
def begun(quiet: Home, shop: Path) -> bytes:
    """A session that begins where something is known."""
    return json.dumps({"session_id": "s-2", "cwd": str(shop), "source": "startup"}).encode()


def test_what_these_tests_rely_on(quiet: Home, asked: bytes, begun: bytes) -> None:
    at_start = said(quiet.raw_hook("SessionStart", begun))
    at_prompt = said(quiet.raw_hook("UserPromptSubmit", asked))

    assert "orders page is slow" in context(at_start)
    assert "selectinload" in context(at_prompt)
    assert quiet.worker() is None


class TestStandardInput:
    @pytest.mark.parametrize("event", KINDS)
    @pytest.mark.parametrize("stdin", [b"", b" \n\t "], ids=["empty", "blank"])
    def test_without_anything_on_it_nothing_is_kept(
        self, quiet: Home, event: str, stdin: bytes
    ) -> None:
        assert said(quiet.raw_hook(event, stdin)) == {}
        assert kept(quiet) == []

    @pytest.mark.parametrize("event", KINDS)
    def test_closed(self, quiet: Home, event: str) -> None:
        done = run("sh", "-c", 'exec sh "$0" "$1" <&-', str(LAUNCHER), event, home=quiet)

        assert said(done) == {}

    @pytest.mark.parametrize("event", ["SessionStart", "PostToolUse", "SessionEnd"])
    def test_that_never_ends_is_given_up(self, quiet: Home, event: str) -> None:
        env = {"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(quiet)}
        hook = subprocess.Popen(
            ["sh", str(LAUNCHER), event],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
        )  # fmt: skip
        assert hook.stdin
        hook.stdin.write(b'{"session_id":"s"')
        hook.stdin.flush()

        code = hook.wait(timeout=5)  # The host's patience.

        assert (code, *hook.communicate()) == (0, b"", b"")

    @pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse"])
    @pytest.mark.parametrize(
        "stdin",
        [
            b"{",
            b'{"session_id": "s", "cwd": ',
            b"null",
            b"[1, 2]",
            b'"text"',
            b"not JSON at all",
            bytes(range(256)),
            b"\xff\xfe" * 1000,
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b'{"cwd": "/\\ud800", "prompt": "one two three", "session_id": "\\udfff"}',
            b'{"cwd": "/\\u0000", "prompt": "one two three", "session_id": "s"}',
            b'{"cwd": 7, "prompt": ["one two three"], "source": {}, "session_id": null}',
            b'{"cwd": "' + b"x/" * 5000 + b'", "prompt": "one two three", "session_id": "s"}',
            b'{"cwd": "/", "prompt": 1e999, "session_id": NaN}',
        ],
        ids=lambda stdin: repr(stdin[:24]),
    )
    def test_of_any_kind_is_kept_as_it_came(self, quiet: Home, event: str, stdin: bytes) -> None:
        assert said(quiet.raw_hook(event, stdin)) == {}
        assert kept(quiet) == [stdin]

    @pytest.mark.parametrize(
        "fields",
        [
            {"prompt": "orders page slow \ud800", "source": "startup"},
            {"prompt": ["orders", "page"], "source": ["startup"]},
            {"prompt": 'orders" page* NEAR( slow) AND -x:', "source": "startup\u2028"},
            {"prompt": "\0orders\0page\0slow", "source": None},
            {"prompt": "orders page slow " * 20_000, "source": "startup"},
        ],
        ids=["surrogate", "lists", "syntax", "nul", "long"],
    )
    @pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
    def test_with_odd_fields_from_a_remembered_project(
        self, quiet: Home, shop: Path, event: str, fields: dict[str, object]
    ) -> None:
        payload = json.dumps({"session_id": "s-2", "cwd": str(shop), **fields}).encode()

        said(quiet.raw_hook(event, payload))

        assert kept(quiet) == [payload]

    @pytest.mark.parametrize("event", ["SessionStart", "PostToolUse", "SessionEnd"])
    def test_of_fifty_megabytes_is_kept_as_a_stub(self, quiet: Home, event: str) -> None:
        payload = b'{"session_id":"s","tool_response":"' + b"x" * (50 << 20) + b'"}'

        done = quiet.raw_hook(event, payload)

        (stub,) = (quiet.path / "inbox").iterdir()
        assert said(done) == {}
        assert stub.suffix == ".stub"
        assert stub.read_bytes() == payload[: spool.STUB]


class TestHome:
    PAYLOAD = b'{"session_id":"s","cwd":"/"}'

    @pytest.mark.parametrize("event", KINDS)
    def test_nowhere(self, event: str) -> None:
        through_the_launcher = said(run("sh", str(LAUNCHER), event, stdin=self.PAYLOAD))
        by_itself = said(alone(event, self.PAYLOAD))

        assert by_itself == {}
        assert bool(through_the_launcher) == (event == "SessionStart")

    @pytest.mark.parametrize("event", KINDS)
    def test_a_file(self, event: str, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("no folder")

        through_the_launcher = said(
            run("sh", str(LAUNCHER), event, stdin=self.PAYLOAD, RECOLLECT_HOME=f"{tmp_path}/file")
        )
        by_itself = said(alone(event, self.PAYLOAD, RECOLLECT_HOME=f"{tmp_path}/file"))

        assert bool(through_the_launcher) == (event == "SessionStart")
        assert self.tells_that_nothing_was_kept(event, by_itself)

    @pytest.mark.parametrize("event", KINDS)
    @pytest.mark.parametrize("where", ["/proc/self", "/proc/self/gone", "/dev/null"])
    def test_where_nobody_can_write(self, event: str, where: str) -> None:
        answer = said(alone(event, self.PAYLOAD, RECOLLECT_HOME=where))

        assert self.tells_that_nothing_was_kept(event, answer)

    @pytest.mark.parametrize("event", KINDS)
    def test_with_a_file_for_an_inbox(self, quiet: Home, event: str) -> None:
        (quiet.path / "inbox").write_text("no folder")

        answer = said(quiet.raw_hook(event, self.PAYLOAD))

        assert self.tells_that_nothing_was_kept(event, answer)

    @pytest.mark.parametrize("event", EVENTS)
    def test_on_a_disk_without_room(self, quiet: Home, event: str) -> None:
        (quiet.path / "inbox").mkdir()

        done = self.without_room(quiet, event, self.PAYLOAD)

        assert self.tells_that_nothing_was_kept(event, said(done))
        assert kept(quiet) == []

    def test_on_a_disk_without_room_context_is_still_given(
        self, quiet: Home, begun: bytes, asked: bytes
    ) -> None:
        at_start = said(self.without_room(quiet, "SessionStart", begun))
        at_prompt = said(self.without_room(quiet, "UserPromptSubmit", asked))

        assert "could not keep this" in str(at_start["systemMessage"])
        assert "could not keep this" in str(at_prompt["systemMessage"])
        assert "orders page is slow" in context(at_start)

    @staticmethod
    def without_room(home: Home, event: str, stdin: bytes) -> Done:
        # As root no mode protects a folder; a limit of the process holds for everybody.
        full = 'ulimit -f 0; exec sh "$0" "$1"'
        return run("sh", "-c", full, str(LAUNCHER), event, home=home, stdin=stdin)

    @staticmethod
    def tells_that_nothing_was_kept(event: str, answer: dict[str, object]) -> bool:
        if event not in ("SessionStart", "UserPromptSubmit"):
            return answer == {}
        told = str(answer.pop("systemMessage", ""))
        return answer == {} and "could not keep this" in told and "recollect doctor" in told


@contextlib.contextmanager
def listening(home: Home, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody who holds the worker's place and treats each caller with *serve*."""
    done = threading.Event()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(paths.socket(str(home)))
        listener.listen()
        listener.settimeout(0.05)

        def serve_all() -> None:
            while not done.is_set():
                with contextlib.suppress(OSError):
                    caller, _ = listener.accept()
                    serve(caller)

        serving = threading.Thread(target=serve_all)
        serving.start()
        try:
            yield
        finally:
            done.set()
            serving.join()


class TestWorker:
    """Somebody listens, and it is not well."""

    def answers_plainly(self, home: Home, begun: bytes, asked: bytes) -> None:
        at_start = said(home.raw_hook("SessionStart", begun))
        at_prompt = said(home.raw_hook("UserPromptSubmit", asked))
        at_stop = said(home.raw_hook("Stop", begun))

        assert "orders page is slow" in context(at_start)
        assert "selectinload" in context(at_prompt)
        assert at_stop == {}
        assert len(kept(home)) == 3

    def test_that_accepts_and_never_answers(self, quiet: Home, begun: bytes, asked: bytes) -> None:
        waiting: list[socket.socket] = []

        with listening(quiet, waiting.append):
            self.answers_plainly(quiet, begun, asked)

        for caller in waiting:
            caller.close()

    def test_that_does_not_even_accept(self, quiet: Home, begun: bytes, asked: bytes) -> None:
        with contextlib.ExitStack() as opened:
            listener = opened.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(paths.socket(str(quiet)))
            listener.listen(0)
            with contextlib.suppress(BlockingIOError):
                while True:
                    caller = opened.enter_context(socket.socket(socket.AF_UNIX))
                    caller.settimeout(0)
                    caller.connect(paths.socket(str(quiet)))

            self.answers_plainly(quiet, begun, asked)

    @pytest.mark.parametrize(
        "reply",
        [
            b"",
            b"100",
            b'100\n{"systemMessage":"half',
            b"HTTP/1.1 200 OK\r\n\r\n",
            b"\xff\xfe\xfd\n\n\n",
            b"-5\nhello",
            b"99999999999999\n",
            b'2\n{}{"systemMessage":"more than it says"}',
            b"x" * 100_000,
        ],
        ids=lambda reply: repr(reply[:16]),
    )
    def test_that_breaks_off_or_talks_nonsense(
        self, quiet: Home, begun: bytes, asked: bytes, reply: bytes
    ) -> None:
        def serve(caller: socket.socket) -> None:
            with caller:
                caller.recv(1 << 16)
                caller.sendall(reply)

        with listening(quiet, serve):
            self.answers_plainly(quiet, begun, asked)

    def test_whose_answer_is_nothing_is_believed(self, quiet: Home, asked: bytes) -> None:
        def serve(caller: socket.socket) -> None:
            with caller:
                caller.recv(1 << 16)
                caller.sendall(b"0\n")

        with listening(quiet, serve):
            assert said(quiet.raw_hook("UserPromptSubmit", asked)) == {}


GARBAGE = (b"", b"garbage", b"\xff\xfe\x00" * 4000, b"SQLite format 3\0" + b"\xff" * 8000)


class TestBrokenFiles:
    def test_an_index_that_another_process_writes_is_read_all_the_same(
        self, quiet: Home, asked: bytes
    ) -> None:
        with contextlib.closing(sqlite3.connect(paths.index(str(quiet)))) as other:
            other.execute("BEGIN EXCLUSIVE")

            assert "selectinload" in context(said(quiet.raw_hook("UserPromptSubmit", asked)))

    def test_an_index_that_another_process_keeps_to_itself(self, quiet: Home, asked: bytes) -> None:
        with contextlib.closing(
            sqlite3.connect(paths.index(str(quiet)), isolation_level=None)
        ) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
            other.execute("DELETE FROM meta WHERE key = 'none'")

            assert said(quiet.raw_hook("UserPromptSubmit", asked)) == {}
        assert kept(quiet) == [asked]

    @pytest.mark.parametrize("content", GARBAGE, ids=lambda content: repr(content[:8]))
    def test_a_corrupt_index_keeps_neither_the_event_nor_the_start_from_the_user(
        self, quiet: Home, asked: bytes, begun: bytes, content: bytes
    ) -> None:
        for ending in ("-wal", "-shm"):
            Path(paths.index(str(quiet)) + ending).unlink(missing_ok=True)
        Path(paths.index(str(quiet))).write_bytes(content)

        at_prompt = said(quiet.raw_hook("UserPromptSubmit", asked))
        at_start = said(quiet.raw_hook("SessionStart", begun))

        assert at_prompt == {}
        assert "orders page is slow" in context(at_start)
        assert kept(quiet) == [asked, begun]

    def test_a_prompt_that_meets_a_corrupt_index_starts_the_worker_that_mends_it(
        self, home: Home, tmp_path: Path
    ) -> None:
        folder = repository(tmp_path / "shop")
        remember(home, folder)
        for ending in ("-wal", "-shm"):
            Path(paths.index(str(home)) + ending).unlink(missing_ok=True)
        Path(paths.index(str(home))).write_bytes(b"garbage")

        first = home.hook("UserPromptSubmit", session_id="s-2", cwd=str(folder), prompt=QUESTION)
        wait_for(lambda: home.worker() is not None)
        home.settle()
        second = home.hook("UserPromptSubmit", session_id="s-2", cwd=str(folder), prompt=QUESTION)

        assert first == {}
        assert "selectinload" in context(second)

    @pytest.mark.parametrize("content", GARBAGE, ids=lambda content: repr(content[:8]))
    def test_a_corrupt_list_of_places(self, quiet: Home, asked: bytes, content: bytes) -> None:
        Path(paths.places(str(quiet))).write_bytes(content)

        assert said(quiet.raw_hook("UserPromptSubmit", asked)) == {}

    @pytest.mark.parametrize(
        "content",
        [
            *GARBAGE,
            b"[]",
            b"[" * 100_000,
            b'{"sources": 5, "projects": 5}',
            b'{"sources": {"SOURCE": null, "OWN": null}, "projects": {}}',
        ],
        ids=lambda content: repr(content[:24]),
    )
    def test_corrupt_settings_are_read_from_their_source(
        self, quiet: Home, asked: bytes, shop: Path, content: bytes
    ) -> None:
        (project,) = (quiet.path / "projects").iterdir()
        content = content.replace(b"SOURCE", paths.config(str(quiet)).encode())
        content = content.replace(b"OWN", str(project / "config.toml").encode())
        Path(paths.hook_settings(str(quiet))).write_bytes(content)

        assert "selectinload" in context(said(quiet.raw_hook("UserPromptSubmit", asked)))

    @pytest.mark.parametrize(
        "content",
        [
            *GARBAGE,
            b'{"systemMessage":"cut off',
            b'{"systemMessage":"x"} and more',
            b'{"systemMessage":"@@body@@"}\x1eone\x1ftwo',
            b'{"systemMessage":"@@body@@"}\x1e/etc/hosts\x1fx\x1fy\x1ftext',
            b"\x1e\x1e\x1e",
            b"{" * 100_000,
        ],
        ids=lambda content: repr(content[:24]),
    )
    def test_a_broken_start_block_says_nothing(
        self, quiet: Home, begun: bytes, content: bytes
    ) -> None:
        (block,) = (quiet.path / "run" / "start").iterdir()
        block.write_bytes(content)

        assert said(quiet.raw_hook("SessionStart", begun)) == {}
        assert kept(quiet) == [begun]

    @pytest.mark.parametrize("name", ["places", "settings.json", "start", "worker.tries"])
    def test_a_folder_where_a_file_should_be(
        self, quiet: Home, begun: bytes, asked: bytes, name: str
    ) -> None:
        path = quiet.path / "run" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        path.mkdir()

        said(quiet.raw_hook("SessionStart", begun))
        said(quiet.raw_hook("UserPromptSubmit", asked))

        assert kept(quiet) == [begun, asked]

    def test_a_settings_file_half_written(self, quiet: Home, asked: bytes) -> None:
        Path(paths.config(str(quiet))).write_text("[recall]\nlimit = ")
        quiet.no_worker()  # A change would let one be tried again.

        assert "selectinload" in context(said(quiet.raw_hook("UserPromptSubmit", asked)))


class TestLauncher:
    PAYLOAD = b'{"session_id":"s","cwd":"/"}'

    def recorded(self, home: Home, content: str) -> None:
        Path(paths.launch_record(str(home))).write_text(content)

    def is_off(self, home: Home) -> bool:
        """Tell whether the start of a session, and nothing else, says what to do."""
        answers = {event: said(home.raw_hook(event, self.PAYLOAD)) for event in EVENTS}
        told = str(answers.pop("SessionStart").get("systemMessage", ""))
        return "Run once: " in told and not any(answers.values())

    @pytest.mark.parametrize(
        "record",
        [
            "",
            "\n",
            "{python}",
            "/gone/python\n{hook}\n",
            "{python}\n/gone/hook.py\n",
            "/etc/hosts\n{hook}\n",
            "/\n{hook}\n",
            "\x00\x01\x02\n\n\n",
        ],
        ids=repr,
    )
    def test_with_nothing_to_launch(self, home: Home, record: str) -> None:
        self.recorded(home, record.format(python=sys.executable, hook=HOOK))

        assert self.is_off(home)

    def test_without_a_record(self, home: Home) -> None:
        Path(paths.launch_record(str(home))).unlink()

        assert self.is_off(home)

    @pytest.mark.parametrize(
        "does", ["kill -SEGV $$", "exit 1", "exit 2", "echo oops >&2; exit 3", "kill -9 $$"]
    )
    def test_with_an_interpreter_that_crashes(self, home: Home, tmp_path: Path, does: str) -> None:
        crash = tmp_path / "python"
        crash.write_text(f"#!/bin/sh\n{does}\n")
        crash.chmod(0o755)
        self.recorded(home, f"{crash}\n{HOOK}\n")

        assert self.is_off(home)

    def test_with_a_package_that_is_broken(self, home: Home, tmp_path: Path) -> None:
        hook = tmp_path / "recollect" / "hooks" / "__main__.py"
        hook.parent.mkdir(parents=True)
        shutil.copy(HOOK, hook)
        self.recorded(home, f"{sys.executable}\n{hook}\n")

        assert self.is_off(home)

    @pytest.mark.parametrize("event", EVENTS)
    def test_inside_a_call_of_our_own_nothing_is_kept_or_said(
        self, quiet: Home, begun: bytes, event: str
    ) -> None:
        done = quiet.raw_hook(event, begun, env={"RECOLLECT_GUARD": "1"})

        assert said(done) == {}
        assert kept(quiet) == []

    def test_an_event_that_nobody_knows_is_kept_and_not_answered(self, quiet: Home) -> None:
        assert said(quiet.raw_hook("TeaIsReady", self.PAYLOAD)) == {}
        assert kept(quiet) == [self.PAYLOAD]

    @pytest.mark.parametrize("event", ["", " ", "../../escaped", "a.b", "-c", "Stop;id"])
    def test_what_is_no_name_of_an_event_leaves_no_file_behind(
        self, quiet: Home, event: str
    ) -> None:
        assert said(quiet.raw_hook(event, self.PAYLOAD)) == {}
        assert kept(quiet) == []

    @pytest.mark.parametrize("count", [0, 1, 2, 4])
    def test_another_number_of_arguments(self, quiet: Home, count: int) -> None:
        arguments = ["claude-code", "SessionStart", "0.1.0", "more"][:count]
        start = (sys.executable, "-I", "-S", str(HOOK))

        done = run(*start, *arguments, home=quiet, stdin=self.PAYLOAD)

        assert said(done) == {}
        assert kept(quiet) == []

    def test_debugging_says_on_stderr_what_is_wrong(self, quiet: Home, asked: bytes) -> None:
        Path(paths.index(str(quiet))).write_bytes(b"garbage" * 1000)

        done = quiet.raw_hook("UserPromptSubmit", asked, env={"RECOLLECT_DEBUG": "1"})

        assert done.stdout == b""
        assert b"recollect: DatabaseError" in done.stderr


class TestStandardOutput:
    def test_closed(self, quiet: Home, begun: bytes) -> None:
        command = 'exec sh "$0" SessionStart >&-'

        done = run("sh", "-c", command, str(LAUNCHER), home=quiet, stdin=begun)

        assert said(done) == {}
        assert kept(quiet) == [begun]

    def test_that_nobody_reads(self, quiet: Home, begun: bytes) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            done = subprocess.run(
                ["sh", str(LAUNCHER), "SessionStart"],
                input=begun, stdout=pipe, stderr=subprocess.PIPE, timeout=20, check=False,
                env={"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(quiet)},
            )  # fmt: skip

        assert (done.returncode, done.stderr) == (0, b"")
        assert kept(quiet) == [begun]


class TestAPluginOfAnotherVersion:
    @pytest.fixture
    def older(self, tmp_path: Path) -> Path:
        """The launcher of another release."""
        text = LAUNCHER.read_text()
        assert f"\nversion={recollect.__version__}\n" in text
        launcher = tmp_path / "launch.sh"
        launcher.write_text(text.replace(f"version={recollect.__version__}", "version=0.0.9"))
        return launcher

    def test_is_told_of_once_and_context_is_still_given(
        self, quiet: Home, older: Path, begun: bytes, asked: bytes
    ) -> None:
        at_start = said(run("sh", str(older), "SessionStart", home=quiet, stdin=begun))
        at_prompt = said(run("sh", str(older), "UserPromptSubmit", home=quiet, stdin=asked))

        told = str(at_start["systemMessage"])
        assert "the plugin is 0.0.9" in told
        assert f"the package {recollect.__version__}" in told
        assert "Run: recollect setup" in told
        assert "orders page is slow" in context(at_start)
        assert "recollect setup" not in str(at_prompt["systemMessage"])
        assert "selectinload" in context(at_prompt)

    def test_is_told_of_by_the_worker_too(self, home: Home, older: Path, tmp_path: Path) -> None:
        folder = repository(tmp_path / "shop")
        remember(home, folder)
        home.settle()
        begun = json.dumps({"session_id": "s-2", "cwd": str(folder), "source": "startup"}).encode()

        answer = said(run("sh", str(older), "SessionStart", home=home, stdin=begun))

        assert "Run: recollect setup" in str(answer["systemMessage"])
        assert "orders page is slow" in context(answer)

    def test_is_told_of_where_nothing_is_known(self, quiet: Home, older: Path) -> None:
        answer = said(run("sh", str(older), "SessionStart", home=quiet, stdin=b'{"cwd":"/"}'))

        assert list(answer) == ["systemMessage"]
        assert "Run: recollect setup" in str(answer["systemMessage"])
