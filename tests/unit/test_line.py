"""The line to the worker: whole answers, or none, and never a wait without end."""

import contextlib
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import line


@pytest.fixture
def path() -> Iterator[str]:
    """A name for a socket, short enough wherever the tests run."""
    with tempfile.TemporaryDirectory(prefix="line-", dir="/tmp") as folder:
        yield f"{folder}/s"


@pytest.fixture
def listening(path: str) -> Iterator[Callable[[Callable[[socket.socket], None]], None]]:
    """Let somebody serve the next caller."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        serving: list[threading.Thread] = []

        def start(serve: Callable[[socket.socket], None]) -> None:
            def run() -> None:
                caller, _ = listener.accept()
                with caller, contextlib.suppress(OSError):
                    serve(caller)

            serving.append(threading.Thread(target=run))
            serving[-1].start()

        yield start
        for thread in serving:
            thread.join(timeout=10)


def reading(caller: socket.socket) -> tuple[str, bytes]:
    return line.read_frame(caller, time.monotonic() + 10)


class TestAsking:
    @pytest.mark.parametrize("payload", [b"", b"hi", b"\n\n", bytes(range(256)), b"x" * 1_000_000])
    def test_brings_back_what_was_answered(
        self,
        path: str,
        listening: Callable[[Callable[[socket.socket], None]], None],
        payload: bytes,
    ) -> None:
        heard = []

        def serve(caller: socket.socket) -> None:
            heard.append(reading(caller))
            caller.sendall(line.frame("", payload[::-1]))

        listening(serve)

        assert line.ask(path, "answer SessionStart 0.1.0", payload, seconds=10) == payload[::-1]
        assert heard == [("answer SessionStart 0.1.0", payload)]

    def test_an_answer_that_comes_in_drops_is_whole(
        self, path: str, listening: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        def serve(caller: socket.socket) -> None:
            reading(caller)
            for byte in line.frame("", b"a whole answer"):
                caller.sendall(bytes([byte]))

        listening(serve)

        assert line.ask(path, "status", seconds=10) == b"a whole answer"

    @pytest.mark.parametrize(
        "reply",
        [
            b"",
            b"5",
            b"5\nhal",
            b"x\nhello",
            b"-1\nhello",
            b"99999999999\nhello",
            b"\xff\n",
            b"2\nhello",
        ],
        ids=repr,
    )
    def test_half_an_answer_is_none(
        self, path: str, listening: Callable[[Callable[[socket.socket], None]], None], reply: bytes
    ) -> None:
        def serve(caller: socket.socket) -> None:
            reading(caller)
            caller.sendall(reply)

        listening(serve)

        assert line.ask(path, "status", seconds=10) is None

    def test_one_who_takes_too_long_is_not_waited_for(
        self, path: str, listening: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        done = threading.Event()

        def serve(_: socket.socket) -> None:
            done.wait(10)

        listening(serve)

        answer = line.ask(path, "status", seconds=0.05)
        done.set()

        assert answer is None

    def test_one_who_never_ends_his_head_is_not_waited_for(
        self, path: str, listening: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        def serve(caller: socket.socket) -> None:
            reading(caller)
            caller.sendall(b"1" * (line.LARGEST_FRAME + 100_000))

        listening(serve)

        assert line.ask(path, "status", seconds=10) is None

    def test_one_who_does_not_read_is_not_waited_for(
        self, path: str, listening: Callable[[Callable[[socket.socket], None]], None]
    ) -> None:
        done = threading.Event()

        def serve(_: socket.socket) -> None:
            done.wait(10)

        listening(serve)

        answer = line.ask(path, "answer", b"x" * 4_000_000, seconds=0.05)
        done.set()

        assert answer is None


class TestNobodyThere:
    def test_no_socket(self, path: str) -> None:
        with pytest.raises(line.Absent):
            line.ask(path, "status", seconds=1)
        with pytest.raises(line.Absent):
            line.tell(path, "wake")

    def test_a_socket_that_a_killed_worker_left(self, path: str) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)

        with pytest.raises(line.Absent):
            line.ask(path, "status", seconds=1)
        with pytest.raises(line.Absent):
            line.tell(path, "wake")

    def test_no_name_for_a_socket_yet(self) -> None:
        with pytest.raises(line.Absent):
            line.ask("", "status", seconds=1)

    def test_a_file_in_its_place_is_not_the_worker(self, path: str) -> None:
        Path(path).write_text("no socket")

        with pytest.raises(line.Absent):
            line.ask(path, "status", seconds=1)


def test_telling_does_not_wait_for_an_answer(
    path: str, listening: Callable[[Callable[[socket.socket], None]], None]
) -> None:
    heard = []
    listening(lambda caller: heard.append(reading(caller)))

    line.tell(path, "wake")

    listening_ends = time.monotonic() + 10
    while not heard and time.monotonic() < listening_ends:
        time.sleep(0.01)
    assert heard == [("wake", b"")]


@given(st.text("abcXYZ019.-_", min_size=1), st.binary(max_size=200))
def test_a_frame_is_read_as_it_was_written(head: str, payload: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(line.frame(head, payload))

        assert reading(theirs) == (head, payload)


@given(st.binary(max_size=60))
def test_any_bytes_make_a_frame_or_are_refused(data: bytes) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        with ours:
            ours.sendall(data)
        try:
            _, payload = reading(theirs)
        except (OSError, ValueError):
            return

    assert data.endswith(payload)
