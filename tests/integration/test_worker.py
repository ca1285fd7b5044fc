"""One worker, that may be stopped or killed, and files that change under its hands."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import line, paths, worker_client, worker_lock
from recollect.app.recollect import opened
from recollect.inbox import spool
from recollect.store import saved
from recollect.store.contract.state import NoteChange
from tests.home import LAUNCHER, Home, repository, wait_for
from tests.remembering import QUESTION, put, remember, take_in

FIXTURES = Path(__file__).parent.parent / "fixtures" / "claude-code"


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    """A project with one remembered session; no worker has run yet."""
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


def context(answer: dict[str, object]) -> str:
    output = answer.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def recalled(home: Home, folder: Path, prompt: str = QUESTION) -> str:
    """What a prompt in *folder* is given, in a session that was given nothing yet."""
    session = f"asking-{uuid.uuid4()}"
    return context(
        home.hook("UserPromptSubmit", session_id=session, cwd=str(folder), prompt=prompt)
    )


def told_at_start(home: Home, folder: Path) -> str:
    """All that a new session in *folder* is given, and its user told."""
    return json.dumps(
        home.hook("SessionStart", session_id="new", cwd=str(folder), source="startup")
    )


def found(home: Home, question: str) -> list[tuple[str, float]]:
    """What `recollect search` finds, best first; how sure that is fades by the second."""
    with opened(str(home)) as app:
        return [
            (one.entry.id, round(one.score, 4))
            for one in app.search.search(question, among=app.projects.all(), limit=10)
        ]


def poke(home: Home) -> None:
    """Let the worker look now, instead of in a few seconds."""
    with contextlib.suppress(line.Absent):
        line.tell(paths.socket(str(home)), "wake")


def wait_poking(home: Home, is_so: Callable[[], object]) -> None:
    """Wait until *is_so*, and let the worker look each time."""

    def looked() -> object:
        poke(home)
        return is_so()

    wait_for(looked)


def remove_index(home: Home) -> None:
    for ending in ("", "-wal", "-shm"):
        Path(paths.index(str(home)) + ending).unlink(missing_ok=True)


class TestOneAtATime:
    def test_a_second_one_leaves_at_once(self, home: Home) -> None:
        home.settle()
        first = home.worker()

        second = subprocess.run(
            [sys.executable, "-I", "-m", "recollect.worker"],
            env={"RECOLLECT_HOME": str(home)}, capture_output=True, timeout=20, check=False,
        )  # fmt: skip

        assert (second.returncode, second.stdout, second.stderr) == (0, b"", b"")
        assert home.worker() == first == worker_client.start(str(home))

    def test_eight_hooks_at_once_start_one(self, home: Home, tmp_path: Path) -> None:
        env = {"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(home), "HOME": str(tmp_path)}
        hooks = [
            subprocess.Popen(["sh", str(LAUNCHER), "Stop"], stdin=subprocess.PIPE, env=env)
            for _ in range(8)
        ]
        for hook in hooks:
            hook.communicate(json.dumps({"session_id": "s", "cwd": str(tmp_path)}).encode())
        wait_for(lambda: home.worker() is not None)
        home.settle()

        wait_for(lambda: home.processes() == [home.worker()])

    def test_the_place_of_a_killed_one_is_taken(self, home: Home, shop: Path) -> None:
        home.settle()
        killed = home.worker()
        home.kill_worker()
        assert Path(paths.socket(str(home))).exists()

        without = recalled(home, shop)
        wait_for(lambda: home.worker() not in (None, killed))
        home.settle()
        with_one = recalled(home, shop)

        assert "selectinload" in without
        assert "selectinload" in with_one


class TestLeaving:
    def test_told_to_stop_it_leaves_nothing_behind(self, home: Home, shop: Path) -> None:
        home.settle()
        pid = home.worker()
        assert pid

        os.kill(pid, signal.SIGTERM)

        wait_for(lambda: home.processes() == [])
        assert not Path(paths.socket(str(home))).exists()
        assert worker_lock.holder(str(home)) is None
        assert not list(home.path.glob("*-wal"))

    def test_told_to_stop_in_the_middle_it_returns_what_it_has_not_done(
        self, home: Home, tmp_path: Path
    ) -> None:
        folder = repository(tmp_path / "shop")
        put(home, "UserPromptSubmit", "s-1", folder, prompt="Count all the files", prompt_id="p")
        for number in range(400):
            put(
                home, "PostToolUse", "s-1", folder, prompt_id="p", tool_name="Bash",
                tool_use_id=f"t-{number}", tool_input={"command": f"wc -l {number}.txt"},
            )  # fmt: skip
        put(home, "Stop", "s-1", folder, prompt_id="p", last_assistant_message="Counted them all.")
        inbox = home.path / "inbox"
        worker_client.start(str(home))
        wait_for(lambda: len(list(inbox.iterdir())) < 395)

        home.stop()
        left = sorted(path.name for path in inbox.iterdir())
        home.settle()

        assert left, "it was not the end of the work that made it leave"
        assert not [name for name in left if not name.endswith(("PostToolUse.json", "Stop.json"))]
        assert not list((home.path / "set-aside").glob("*"))
        assert home.titles() == ["Count all the files: Counted them all."]
        assert len(self.archived_calls(home)) == 400

    @staticmethod
    def archived_calls(home: Home) -> set[str]:
        with opened(str(home)) as app:
            (turn,) = app.sessions.turns("s-1")[1]
        return {call.id for call in turn.tools}

    def test_it_keeps_nothing_open_of_the_session_that_started_it(
        self, home: Home, tmp_path: Path
    ) -> None:
        folder = tmp_path / "project"
        folder.mkdir()
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)  # noqa: FBT003
        subprocess.run(
            ["sh", str(LAUNCHER), "Stop"],
            input=b'{"session_id":"s"}', cwd=folder, pass_fds=[writing], check=True,
            env={"PATH": os.environ["PATH"], "RECOLLECT_HOME": str(home)},
        )  # fmt: skip
        os.close(writing)
        wait_for(lambda: worker_client.status(str(home)).version)

        with os.fdopen(reading, "rb") as pipe:
            assert pipe.read() == b"", "the last one to hold the other end is gone"
        assert os.readlink(f"/proc/{home.worker()}/cwd") == "/"


class TestAHomeWithALongPath:
    @pytest.fixture
    def far(self, tmp_path: Path) -> Iterator[Home]:
        home = Home(tmp_path / ("long" * 20) / ("longer" * 20))
        yield home
        home.end()

    def test_works_from_hook_and_command_line_and_leaves_no_folder(
        self, far: Home, tmp_path: Path
    ) -> None:
        folder = repository(tmp_path / "shop")
        remember(far, folder)
        before = set(Path("/tmp").glob("recollect-*"))

        without = recalled(far, folder)
        wait_for(lambda: far.worker() is not None)
        far.settle()
        made = Path(paths.socket(str(far))).parent
        mode = stat.S_IMODE(made.stat().st_mode)
        with_one = recalled(far, folder)
        health = worker_client.status(str(far))
        far.stop()

        assert "selectinload" in without
        assert "selectinload" in with_one
        assert (health.running, health.trouble) == (True, "")
        assert made in set(Path("/tmp").glob("recollect-*")) - before or made.is_relative_to(
            os.environ.get("XDG_RUNTIME_DIR", "/tmp")
        )
        assert mode == 0o700
        assert not made.exists()

    def test_a_folder_that_somebody_else_made_meanwhile_is_not_trusted(self, far: Home) -> None:
        """Others see the name in /tmp while a worker runs, and could make it when it is gone."""
        far.settle()
        record = Path(paths.run(str(far))) / "socket-folder"
        remembered = record.read_text()
        far.stop()
        assert not record.exists()

        theirs = Path(tempfile.mkdtemp(prefix="recollect-"))
        os.chown(theirs, 12345, 12345) if os.getuid() == 0 else None
        record.write_text(str(theirs) if os.getuid() == 0 else "/")
        trusted = paths.socket(str(far))
        theirs.rmdir()

        assert remembered
        assert trusted == ""

    def test_a_killed_workers_folder_is_used_again(self, far: Home) -> None:
        far.settle()
        made = paths.socket(str(far))
        far.kill_worker()

        far.settle()
        again = paths.socket(str(far))
        far.stop()

        assert again == made
        assert not Path(made).parent.exists()


class TestBrokenDatabases:
    @pytest.mark.parametrize("content", [b"", b"garbage", b"SQLite format 3\0" + b"\xff" * 9000])
    def test_a_corrupt_index_is_made_anew_at_the_start(
        self, home: Home, shop: Path, content: bytes
    ) -> None:
        before = found(home, QUESTION)
        remove_index(home)
        Path(paths.index(str(home))).write_bytes(content)

        home.settle()

        assert before
        assert "selectinload" in recalled(home, shop)
        assert found(home, QUESTION) == before

    @pytest.mark.parametrize("how", ["overwritten", "emptied", "cut"])
    def test_an_index_that_breaks_while_a_worker_has_it_open_is_made_anew(
        self, home: Home, shop: Path, how: str
    ) -> None:
        home.settle()
        before = found(home, QUESTION)
        index = Path(paths.index(str(home)))
        with contextlib.closing(sqlite3.connect(index)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = index.stat().st_size
        with index.open("r+b") as file:
            if how == "overwritten":
                file.write(b"\xa5" * size)
            else:
                file.truncate(0 if how == "emptied" else 4096)

        home.hook("UserPromptSubmit", session_id="s-3", cwd=str(shop), prompt="Add a tea page now")
        home.hook("Stop", session_id="s-3", cwd=str(shop), last_assistant_message="Added.")
        home.settle()

        wait_for(lambda: "selectinload" in recalled(home, shop))
        assert [one for one, _ in found(home, QUESTION)] == [one for one, _ in before]
        assert "Add a tea page now" in home.titles()
        assert not list((home.path / "set-aside").glob("*"))

    def sessions_known(self, home: Home) -> list[int]:
        with opened(str(home)) as app:
            return [overview.sessions for overview in app.projects.overview()]

    def replay(self, home: Home, folder: Path) -> None:
        """A host that says again what it said before."""
        transcript = folder.parent / "resumed-3.jsonl"
        shutil.copy(FIXTURES / "resumed-3.jsonl", transcript)
        session = json.loads(transcript.read_text().splitlines()[0]).get("sessionId", "s")
        put(home, "SessionEnd", session, folder, transcript_path=str(transcript), reason="other")
        home.settle()

    @pytest.mark.parametrize("how", ["overwritten", "in the middle"])
    def test_a_corrupt_state_comes_back_from_its_backup_and_no_turn_doubles(
        self, home: Home, shop: Path, how: str
    ) -> None:
        self.replay(home, shop)  # The first look of a worker makes the backup.
        titles = home.titles()
        known = self.sessions_known(home)
        home.stop()
        with opened(str(home)) as app:
            app.inside.state.back_up(day="2026-11-15")
        state = Path(paths.state(str(home)))
        if how == "overwritten":
            state.write_bytes(b"garbage" * 5000)
        else:
            whole = state.read_bytes()
            middle = len(whole) // 8192 * 4096
            state.write_bytes(whole[:middle] + b"\xa5" * 8192 + whole[middle + 8192 :])

        self.replay(home, shop)

        assert len(titles) > 1
        assert home.titles() == titles
        assert self.sessions_known(home) == known
        assert stat.S_IMODE(state.stat().st_mode) == 0o600
        assert list(home.path.glob("state.db.broken-*")), "put aside, not thrown away"

    def test_a_corrupt_state_without_a_backup_is_made_anew_and_no_turn_doubles(
        self, home: Home, shop: Path
    ) -> None:
        self.replay(home, shop)
        titles = home.titles()
        home.stop()
        shutil.rmtree(home.path / "backups")
        Path(paths.state(str(home))).write_bytes(b"garbage" * 5000)

        self.replay(home, shop)

        assert home.titles() == titles


class TestEventsThatCannotBeRead:
    SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"

    @pytest.fixture
    def poisoned(self, home: Home, shop: Path) -> None:
        """A broken event, then a whole one, and a worker that has seen both three times."""
        broken = f'{{"session_id": "s", "prompt": "swordfish {self.SECRET} <private>eel</private>'
        spool.put(paths.inbox(str(home)), "claude-code.UserPromptSubmit", broken.encode())
        put(home, "UserPromptSubmit", "s-2", shop, prompt="Add a tea page now", prompt_id="p")
        put(home, "Stop", "s-2", shop, last_assistant_message="It is there.", prompt_id="p")
        worker_client.start(str(home))

        def set_aside() -> list[Path]:
            poke(home)
            return list((home.path / "set-aside").glob("*.json"))

        wait_for(set_aside)
        home.settle()

    def test_do_not_stop_the_next_one(self, home: Home, poisoned: None) -> None:
        assert "Add a tea page now: It is there." in home.titles()

    def test_are_set_aside_with_the_reason_and_without_secrets(
        self, home: Home, poisoned: None
    ) -> None:
        (aside,) = (home.path / "set-aside").iterdir()
        content = json.loads(aside.read_text())

        assert content["event"] == "UserPromptSubmit"
        assert "broken JSON" in content["reason"]
        assert "swordfish" in content["payload"]
        assert self.SECRET not in aside.read_text()
        assert "eel" not in content["payload"]
        assert stat.S_IMODE(aside.stat().st_mode) == 0o600
        assert not list((home.path / "inbox").iterdir())
        assert worker_client.status(str(home)).set_aside == 1

    def test_leave_no_word_of_theirs_in_the_log(self, home: Home, poisoned: None) -> None:
        assert "event failed" in home.log()
        assert "event set aside" in home.log()
        assert not any(word in home.log() for word in ("swordfish", "eel", "tea page", "It is"))

    def test_what_is_no_event_of_ours_is_left_alone(self, home: Home, shop: Path) -> None:
        inbox = home.path / "inbox"
        for name in ("notes.txt", "1-1-claude-code.Stop.json", "x.json", ".hidden"):
            (inbox / name).write_text("{}")
        (inbox / f"{1:020d}-1-claude-code.Stop.json.d").mkdir()
        put(home, "UserPromptSubmit", "s-2", shop, prompt="Add a tea page now", prompt_id="p")
        put(home, "Stop", "s-2", shop, last_assistant_message="It is there.", prompt_id="p")

        worker_client.start(str(home))

        wait_for(lambda: "Add a tea page now: It is there." in home.titles())

    def test_torn_writes_are_not_read_and_later_removed(self, home: Home, shop: Path) -> None:
        inbox = home.path / "inbox"
        old = inbox / f"{1:020d}-1-claude-code.Stop.tmp"
        young = inbox / f"{2:020d}-2-claude-code.Stop.tmp"
        for torn in (old, young):
            torn.write_bytes(b'{"session_id": "s", "pro')
        two_hours_ago = time.time() - 7200
        os.utime(old, (two_hours_ago, two_hours_ago))

        home.settle()

        wait_for(lambda: not old.exists())
        assert young.exists()
        assert not list((home.path / "set-aside").glob("*"))


class TestPrivacy:
    def test_the_worker_knows_nothing_of_the_hooks_keys(self, home: Home) -> None:
        keys = {
            "ANTHROPIC_API_KEY": "sk-ant-secret",
            "AWS_SECRET_ACCESS_KEY": "aws-secret",
            "CLAUDE_CODE_SESSION_TOKEN": "session-secret",
            "LC_ALL": "C.UTF-8",
        }

        home.raw_hook("Stop", b'{"session_id":"s"}', env=keys)
        wait_for(lambda: home.worker() is not None)

        environment = Path(f"/proc/{home.worker()}/environ").read_bytes()
        assert b"secret" not in environment
        assert b"LC_ALL=C.UTF-8" in environment

    def test_the_log_holds_no_words_of_a_memory_whose_file_cannot_be_written(
        self, home: Home, shop: Path
    ) -> None:
        (project,) = (home.path / "projects").iterdir()
        shutil.move(project / "journal", project / "journal.away")
        (project / "journal").write_text("a file in the way")
        put(home, "UserPromptSubmit", "s-2", shop, prompt="The swordfish is fine", prompt_id="p")
        put(home, "Stop", "s-2", shop, last_assistant_message="Herrings too.", prompt_id="p")

        worker_client.start(str(home))
        wait_for(lambda: worker_client.status(str(home)).trouble)
        trouble = worker_client.status(str(home)).trouble
        log = home.log()
        (project / "journal").unlink()
        shutil.move(project / "journal.away", project / "journal")

        wait_poking(home, lambda: "The swordfish is fine: Herrings too." in home.titles())
        assert "journal" in trouble
        assert "work interrupted" in log
        assert not any(word in home.log() for word in ("swordfish", "Herrings", "orders page"))

    def test_everything_is_the_owners_alone(self, home: Home, shop: Path) -> None:
        home.settle()

        made = (path for path in home.path.rglob("*") if path.name != "launch")
        assert not [path.name for path in made if path.lstat().st_mode & 0o077]


@pytest.mark.parametrize("worker", ["runs", "does not run"])
class TestEditingByHand:
    """What stands in the file counts, at once for what was deleted, with a worker or without."""

    @pytest.fixture
    def day(self, home: Home, shop: Path, worker: str) -> Path:
        remember(home, shop, "Bake a pumpkin cake", "It needs cinnamon.", session="s-0")
        # What these tests ask must not become a memory itself.
        (home.path / "config.toml").write_text("[capture]\nenabled = false\n")
        home.settle() if worker == "runs" else home.no_worker()
        assert "selectinload" in recalled(home, shop)
        assert "selectinload" in told_at_start(home, shop)
        return home.day_file()

    def without(self, day: Path, *words: str) -> None:
        """Delete every section that one of *words* stands in, as a person would."""
        parts = day.read_text().split("\n### ")
        day.write_text("\n### ".join(p for p in parts if not any(word in p for word in words)))

    def test_a_deleted_entry_is_never_shown_again(self, home: Home, shop: Path, day: Path) -> None:
        self.without(day, "orders page", "selectinload")

        at_once = [recalled(home, shop), told_at_start(home, shop)]
        with opened(str(home)) as app:
            app.upkeep.refresh_all()
        poke(home)
        later = [recalled(home, shop), told_at_start(home, shop)]

        for shown in (*at_once, *later):
            assert "orders page" not in shown
            assert "selectinload" not in shown
        assert found(home, QUESTION) == []
        assert "pumpkin" in later[1]

    def test_a_deleted_line_is_never_shown_again(self, home: Home, shop: Path, day: Path) -> None:
        lines = day.read_text().splitlines(keepends=True)
        day.write_text("".join(line for line in lines if "selectinload" not in line))

        at_once = [recalled(home, shop), told_at_start(home, shop)]
        with opened(str(home)) as app:
            app.upkeep.refresh_all()
        later = [recalled(home, shop), told_at_start(home, shop)]

        assert not [shown for shown in (*at_once, *later) if "selectinload" in shown]

    def test_new_text_is_found(self, home: Home, shop: Path, day: Path, worker: str) -> None:
        with day.open("a") as file:
            file.write("\n## Deploying\nThe harbour crane must be parked first.\n")

        if worker == "runs":
            wait_poking(home, lambda: recalled(home, shop, "park the harbour crane"))
        else:
            assert found(home, "park the harbour crane")

        assert "harbour crane" in recalled(home, shop, "park the harbour crane")

    def test_a_byte_that_is_no_text_hides_nothing_else(
        self, home: Home, shop: Path, day: Path, worker: str
    ) -> None:
        """An editor set to Latin-1 once ended the worker."""
        day.write_bytes(day.read_bytes() + b"\n## Caf\xe9\nThe caf\xe9 in the harbour is closed.\n")

        if worker == "runs":
            wait_poking(home, lambda: recalled(home, shop, "is the harbour closed today?"))
        else:
            assert found(home, "is the harbour closed today?")

        assert "selectinload" in recalled(home, shop)
        assert b"caf\xe9" in day.read_bytes()

    def test_a_day_that_is_deleted_is_forgotten(self, home: Home, shop: Path, day: Path) -> None:
        day.unlink()

        assert recalled(home, shop) == ""
        assert "selectinload" not in told_at_start(home, shop)
        assert found(home, QUESTION) == []

    def test_the_index_may_be_deleted_at_any_time(
        self, home: Home, shop: Path, day: Path, worker: str
    ) -> None:
        questions = (QUESTION, "cinnamon in the pumpkin cake", "what about the slow orders query")
        before = [found(home, question) for question in questions]

        remove_index(home)
        after = [found(home, question) for question in questions]
        remove_index(home)
        if worker == "runs":
            wait_poking(home, lambda: recalled(home, shop))

        assert before[0]
        assert after == before
        assert (worker == "runs") == ("selectinload" in recalled(home, shop))


class TestAtTheDoor:
    def test_a_session_that_begins_while_the_journal_changes_is_told_what_is_in_it(
        self, home: Home, shop: Path
    ) -> None:
        """The block prepared before does not hold any more, and was answered with nothing."""
        home.settle()
        with home.day_file().open("a") as file:
            file.write("\n## Deploying\nThe harbour crane must be parked first.\n")

        payload = json.dumps({"session_id": "new", "cwd": str(shop), "source": "startup"})
        reply = line.ask(
            paths.socket(str(home)), "answer SessionStart 0.1.0", payload.encode(), seconds=20
        )

        assert reply
        assert "orders page is slow" in reply.decode()
        assert "Deploying" in reply.decode()

    def test_what_nobody_waited_for_is_told_to_the_next_and_then_no_more(
        self, home: Home, shop: Path
    ) -> None:
        worker_client.start(str(home))
        with opened(str(home)) as app:
            saved.add(
                app.inside.state,
                app.projects.meet(str(shop)).name,
                [NoteChange("decision", "created")],
            )
        prompt = {"session_id": "s-9", "cwd": str(shop), "prompt": "Bake a cake with cinnamon"}
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as impatient:
            impatient.connect(paths.socket(str(home)))
            question = line.frame("answer UserPromptSubmit 0", json.dumps(prompt).encode())
            impatient.sendall(question)

        wait_for(lambda: "Saved: decision" in str(home.hook("UserPromptSubmit", **prompt)))
        assert "Saved" not in str(home.hook("UserPromptSubmit", **prompt))

    def test_nonsense_on_its_socket_does_not_harm_it(self, home: Home, shop: Path) -> None:
        home.settle()
        for nonsense in (
            b"", b"\n", b"\xff" * 100, b"answer\n", b"answer x y z 3\nabc", b"answer a -1\n",
            b"answer SessionStart 1 99999999999\n", b"status 10\nabc", b"nobody knows 0\n",
            b"answer SessionStart 0.1 1\n{", b'answer UserPromptSubmit 1 16\n{"cwd":"/\\u0000"}',
        ):  # fmt: skip
            with socket.socket(socket.AF_UNIX) as caller:
                caller.connect(paths.socket(str(home)))
                caller.sendall(nonsense)

        assert "selectinload" in recalled(home, shop)
        assert worker_client.status(str(home)).trouble == ""

    def test_a_caller_who_says_nothing_holds_up_nobody_for_long(
        self, home: Home, shop: Path
    ) -> None:
        home.settle()
        with socket.socket(socket.AF_UNIX) as silent:
            silent.connect(paths.socket(str(home)))

            assert "selectinload" in recalled(home, shop)
            wait_for(lambda: worker_client.status(str(home)).version)


@pytest.mark.parametrize("name", ["with space", "50%41 #1?mode=rw", "ümläut-文件", "'quote\"s'"])
def test_a_home_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = repository(tmp_path / name / "shop")
    home = Home(tmp_path / name / "home")
    home.no_worker()
    remember(home, folder)

    assert "selectinload" in recalled(home, folder)
    assert "orders page" in told_at_start(home, folder)
    take_in(home)


def test_a_file_that_is_read_starts_no_worker(home: Home, tmp_path: Path) -> None:
    """There are many reads in a turn; what begins or ends something starts one."""
    home.hook("PreToolUse", session_id="s", cwd=str(tmp_path), tool_name="Read", tool_input={})

    assert not Path(paths.worker_tries(str(home))).exists()
    assert home.processes() == []
