"""What we start ends with us, whatever it does and whatever happens to us. Real processes."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect.llm.providers import children
from tests.home import wait_for

# Ignores all that may be ignored, starts another one that does the same, and tells both numbers.
STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if len(sys.argv) > 2:
    subprocess.Popen([sys.executable, sys.argv[0], sys.argv[1]])
else:
    open(sys.argv[1], "w").write(f"{os.getppid()} {os.getpid()}")
time.sleep(300)
"""


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path / "recollect")


@pytest.fixture
def stubborn(tmp_path: Path) -> Iterator[tuple[list[str], Path]]:
    """A program that does not go by itself, and the file in which it tells who it is."""
    program, told = tmp_path / "stubborn.py", tmp_path / "told"
    program.write_text(STUBBORN)
    yield [sys.executable, str(program), str(told)], told
    for pid in numbers(told) if told.exists() else []:
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


def numbers(told: Path) -> list[int]:
    wait_for(lambda: told.exists() and len(told.read_text().split()) == 2)
    return [int(number) for number in told.read_text().split()]


def is_alive(pid: int) -> bool:
    """Whether *pid* runs; one that is dead and that nobody has buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_die(pids: list[int]) -> None:
    """See *pids* dead: a moment after they were killed, not when their time is over."""
    wait_for(lambda: not any(is_alive(pid) for pid in pids), seconds=5)


def run(
    programs: children.Children,
    command: list[str],
    *,
    mark: str = "",
    text: str = "",
    seconds: float = 20.0,
) -> children.Ended:
    mark = mark or str(uuid.uuid4())
    env = dict(os.environ)
    return programs.run(
        [*command, mark], mark=mark, text=text, env=env, folder="/", seconds=seconds
    )


def records(home: str) -> list[str]:
    return [path.name for path in Path(home).glob("run/children/*")]


def test_a_program_reads_its_text_and_writes_its_answer(home: str) -> None:
    ended = run(
        children.Children(home),
        ["sh", "-c", "cat; echo oops >&2; exit 3"],
        text="two and two? 字",
    )

    assert (ended.end, ended.code) == ("exit", 3)
    assert (ended.output, ended.errors) == ("two and two? 字", "oops\n")


def test_a_lot_may_be_read_and_written(home: str) -> None:
    ended = run(children.Children(home), ["sh", "-c", "cat; cat >&2"], text="x" * 3_000_000)

    assert len(ended.output) == 3_000_000


@pytest.mark.parametrize("command", ["exec yes", "yes >&2 & wait"])
def test_a_program_that_writes_without_end_is_killed_before_the_disk_is_full(
    home: str, command: str
) -> None:
    began = time.monotonic()

    ended = run(children.Children(home), ["sh", "-c", command])

    assert ended.end == "flood"
    assert len(ended.output + ended.errors) == children.LARGEST_OUTPUT
    assert time.monotonic() - began < 10
    assert records(home) == []


def test_the_number_of_a_program_is_still_its_own_when_its_group_is_killed(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill, there = children._kill, []

    def seen(group: int) -> None:
        there.append(Path(f"/proc/{group}/stat").exists())
        kill(group)

    monkeypatch.setattr(children, "_kill", seen)

    ended = run(children.Children(home), ["sh", "-c", "exit 3"])

    assert (ended.end, ended.code, there) == ("exit", 3, [True])


def test_where_nobody_can_look_without_burying_programs_end_all_the_same(
    home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "waitid")

    ended = run(children.Children(home), ["sh", "-c", "cat; exit 3"], text="x")

    assert (ended.end, ended.code, ended.output) == ("exit", 3, "x")


def test_a_program_that_takes_too_long_is_killed_with_all_that_it_started(
    home: str, stubborn: tuple[list[str], Path]
) -> None:
    command, told = stubborn

    ended = run(children.Children(home), command, seconds=3)

    assert ended.end == "timeout"
    all_die(numbers(told))
    assert records(home) == []


def test_what_a_program_leaves_behind_is_killed_when_it_ends(
    home: str, stubborn: tuple[list[str], Path]
) -> None:
    command, told = stubborn
    quoted = " ".join(command)

    ended = run(
        children.Children(home),
        ["sh", "-c", f"{quoted} x & while [ ! -s {told} ]; do sleep 0.05; done"],
    )

    assert ended.end == "exit"
    all_die(numbers(told))


def test_another_thread_stops_a_program(home: str, stubborn: tuple[list[str], Path]) -> None:
    command, told = stubborn
    programs = children.Children(home)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(run, programs, command)
        pids = numbers(told)

        programs.stop()

        all_die(pids)
        assert running.result(timeout=5).end == "stopped"
    assert records(home) == []


def test_a_program_is_written_down_while_it_runs(
    home: str, stubborn: tuple[list[str], Path]
) -> None:
    command, told = stubborn
    mark = str(uuid.uuid4())
    programs = children.Children(home)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(run, programs, command, mark=mark)
        numbers(told)

        assert records(home) == [mark]
        assert Path(home, "run/children").stat().st_mode & 0o077 == 0

        programs.stop()
        running.result()


def test_a_program_that_cannot_be_started_leaves_no_record(home: str) -> None:
    with pytest.raises(FileNotFoundError):
        run(children.Children(home), ["/no/such/program"])

    assert records(home) == []


# Somebody who starts the program named by its arguments, and waits for it.
OWNER = """
import os, sys
from recollect.llm.providers import children
home, mark, *command = sys.argv[1:]
children.Children(home).run(
    [*command, mark], mark=mark, text="", env=dict(os.environ), folder="/", seconds=300
)
"""


@pytest.fixture
def owner(home: str, stubborn: tuple[list[str], Path]) -> "Iterator[subprocess.Popen[bytes]]":
    command, told = stubborn
    mark = str(uuid.uuid4())
    owner = subprocess.Popen([sys.executable, "-c", OWNER, home, mark, *command])
    numbers(told)
    yield owner
    owner.kill()
    owner.wait()


def test_what_outlives_a_killed_owner_is_reaped(
    home: str, stubborn: tuple[list[str], Path], owner: "subprocess.Popen[bytes]"
) -> None:
    _, told = stubborn
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    assert all(is_alive(pid) for pid in numbers(told))

    children.reap(home)

    all_die(numbers(told))
    assert records(home) == []


def test_what_has_a_living_owner_is_left_alone(
    home: str, stubborn: tuple[list[str], Path], owner: "subprocess.Popen[bytes]"
) -> None:
    _, told = stubborn

    children.reap(home)

    assert all(is_alive(pid) for pid in numbers(told))
    assert len(records(home)) == 1


def test_a_grandchild_is_reaped_that_went_its_own_way_and_changed_its_name(
    home: str, tmp_path: Path
) -> None:
    mark, told = str(uuid.uuid4()), tmp_path / "told"
    env = os.environ | {children.MARK: mark}
    stranger = subprocess.Popen(
        ["sh", "-c", f"setsid sleep 30 & echo $! > {told}"], env=env, start_new_session=True
    )
    stranger.wait()
    record(home, mark)
    pid = int(told.read_text())
    # While it becomes another program, it has no environment that anybody could read.
    wait_for(lambda: Path(f"/proc/{pid}/comm").read_text().strip() == "sleep")

    children.reap(home)

    all_die([pid])
    assert records(home) == []


def record(home: str, mark: str) -> None:
    Path(home, "run/children").mkdir(parents=True, exist_ok=True)
    Path(home, "run/children", mark).touch()


def test_our_own_group_is_never_killed(home: str) -> None:
    mark = str(uuid.uuid4())
    beside_us = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", mark])
    wait_for(lambda: mark in Path(f"/proc/{beside_us.pid}/cmdline").read_text())
    record(home, mark)

    children.reap(home)

    assert beside_us.poll() is None
    beside_us.kill()
    beside_us.wait()


def test_a_record_of_nothing_that_runs_is_removed(home: str) -> None:
    record(home, str(uuid.uuid4()))

    children.reap(home)

    assert records(home) == []


def test_what_is_no_record_is_not_touched(home: str) -> None:
    record(home, "notes.txt")

    children.reap(home)

    assert records(home) == ["notes.txt"]


def test_a_home_in_which_nothing_ever_ran_has_nothing_to_reap(home: str) -> None:
    children.reap(home)

    assert not Path(home).exists()


def test_without_proc_those_are_found_who_show_the_mark(
    home: str, stubborn: tuple[list[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, told = stubborn
    mark = str(uuid.uuid4())
    process = subprocess.Popen([*command, mark], start_new_session=True)
    numbers(told)
    monkeypatch.setattr(children, "_PROCESSES", Path("/nowhere"))

    assert children.groups(mark) == {process.pid}

    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
