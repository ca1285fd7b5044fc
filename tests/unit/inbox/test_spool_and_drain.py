"""One event, one file: in with a rename, out after at most three tries."""

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.inbox import drain, spool

EVENT = "claude-code.Stop"


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    return tmp_path / "home" / "inbox"


@pytest.fixture
def aside(tmp_path: Path) -> Path:
    return tmp_path / "home" / "set-aside"


def put(inbox: Path, payload: bytes = b"{}", *, event: str = EVENT, client: str = "") -> Path:
    return Path(spool.put(str(inbox), event, payload, client=client))


class TestPutting:
    def test_makes_one_file_for_the_owner_alone(self, inbox: Path) -> None:
        written = put(inbox, b'{"a": 1}')

        assert [path.name for path in inbox.iterdir()] == [written.name]
        assert written.read_bytes() == b'{"a": 1}'
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (written, inbox, inbox.parent)]
        assert modes == [0o600, 0o700, 0o700]

    @given(payload=st.binary(max_size=2000))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_any_bytes_arrive_as_they_were(self, inbox: Path, payload: bytes) -> None:
        written = put(inbox, payload)

        (queued,) = drain.waiting(inbox)

        assert queued.read() == payload
        written.unlink()

    @pytest.mark.parametrize(
        ("size", "kept", "ending"),
        [
            (spool.LARGEST_EVENT, spool.LARGEST_EVENT, ".json"),
            (spool.LARGEST_EVENT + 1, spool.STUB, ".stub"),
        ],
    )
    def test_an_event_over_a_megabyte_is_kept_as_its_beginning(
        self, inbox: Path, size: int, kept: int, ending: str
    ) -> None:
        put(inbox, b"x" * size)

        (queued,) = drain.waiting(inbox)

        assert queued.path.suffix == ending
        assert queued.is_stub == (ending == ".stub")
        assert len(queued.read()) == kept

    def test_a_write_that_fails_leaves_nothing(self, inbox: Path) -> None:
        inbox.mkdir(parents=True)
        script = (
            "import resource, sys; from recollect.inbox import spool\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
            "try: spool.put(sys.argv[1], 'claude-code.Stop', b'x' * 1000)\n"
            "except OSError: sys.exit(7)\n"
        )
        done = subprocess.run([sys.executable, "-c", script, str(inbox)], check=False)

        assert done.returncode == 7
        assert list(inbox.iterdir()) == []

    def test_where_no_folder_can_be_made_it_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(OSError, match="Not a directory"):
            put(tmp_path / "file" / "inbox")


class TestWaiting:
    def test_events_come_in_the_order_they_arrived(self, inbox: Path) -> None:
        written = [put(inbox, str(number).encode()) for number in range(20)]

        assert [queued.path for queued in drain.waiting(inbox)] == written
        assert [queued.read() for queued in drain.waiting(inbox)] == [
            str(number).encode() for number in range(20)
        ]

    def test_the_name_tells_host_event_time_and_client(self, inbox: Path) -> None:
        put(inbox, event="claude-code.PostToolUse", client="4711")
        put(inbox, event="claude-code.Stop", client="no number")

        first, second = drain.waiting(inbox)

        assert (first.host, first.event, first.client) == ("claude-code", "PostToolUse", 4711)
        assert (second.event, second.client, second.tries) == ("Stop", 0, 0)
        assert abs(first.at.timestamp() - first.path.stat().st_mtime) < 60

    def test_an_empty_or_missing_inbox_has_none(self, inbox: Path) -> None:
        missing = drain.waiting(inbox)
        inbox.mkdir(parents=True)

        assert missing == drain.waiting(inbox) == []

    @pytest.mark.parametrize(
        "name",
        [
            "00000000000000000001-1-claude-code.Stop.tmp",
            "00000000000000000001-1-claude-code.Stop",
            "1-1-claude-code.Stop.json",
            "00000000000000000001-1-claude-code..json",
            "00000000000000000001-1-claude-code.Stop.json.swp",
            ".DS_Store",
            "notes.json",
        ],
    )
    def test_what_is_no_event_is_not_seen(self, inbox: Path, name: str) -> None:
        inbox.mkdir(parents=True)
        (inbox / name).write_text("{}")

        assert drain.waiting(inbox) == []


class TestTrying:
    def test_a_try_is_recorded_before_it_begins(self, inbox: Path) -> None:
        put(inbox, b"content", client="4711")
        (queued,) = drain.waiting(inbox)

        for tries in (1, 2, 3):
            queued = drain.begin(queued)
            (seen,) = drain.waiting(inbox)

            assert seen == queued
            assert (seen.tries, seen.client, seen.read()) == (tries, 4711, b"content")

    @pytest.mark.parametrize("size", [10, spool.LARGEST_EVENT + 1])
    def test_a_stub_stays_a_stub(self, inbox: Path, size: int) -> None:
        put(inbox, b"x" * size)
        (before,) = drain.waiting(inbox)

        assert drain.begin(before).is_stub == before.is_stub == (size > spool.LARGEST_EVENT)
        assert [queued.is_stub for queued in drain.waiting(inbox)] == [before.is_stub]

    def test_what_is_handed_back_was_not_tried(self, inbox: Path) -> None:
        put(inbox)
        (queued,) = drain.waiting(inbox)

        for _ in range(5):
            drain.hand_back(drain.begin(drain.waiting(inbox)[0]))

        (after,) = drain.waiting(inbox)
        assert (after.tries, after.at, after.event) == (0, queued.at, queued.event)

    def test_the_order_stays_when_the_first_is_tried_again(self, inbox: Path) -> None:
        first, second = put(inbox, b"1"), put(inbox, b"2")
        drain.begin(drain.waiting(inbox)[0])

        assert [queued.read() for queued in drain.waiting(inbox)] == [b"1", b"2"]
        assert first != second

    def test_what_is_done_is_gone_also_twice(self, inbox: Path) -> None:
        put(inbox)
        (queued,) = drain.waiting(inbox)

        drain.done(queued)
        drain.done(queued)

        assert list(inbox.iterdir()) == []


class TestSettingAside:
    SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

    def test_keeps_what_and_why_without_secrets(self, inbox: Path, aside: Path) -> None:
        put(inbox, f'{{"prompt": "<private>eel</private> {self.SECRET} tea\xff'.encode("latin-1"))
        (queued,) = drain.waiting(inbox)

        target = drain.quarantine(drain.begin(queued), aside, reason=f"broken {self.SECRET}")

        content = json.loads(target.read_text())
        assert (content["event"], content["host"]) == ("Stop", "claude-code")
        assert content["reason"].startswith("broken")
        assert "tea" in content["payload"]
        assert self.SECRET not in target.read_text()
        assert "eel" not in content["payload"]
        assert list(inbox.iterdir()) == []
        assert list(aside.iterdir()) == [target]
        assert [stat.S_IMODE(path.stat().st_mode) for path in (target, aside)] == [0o600, 0o700]

    def test_two_of_one_moment_do_not_replace_each_other(self, inbox: Path, aside: Path) -> None:
        for event in ("claude-code.Stop", "claude-code.SessionEnd"):
            put(inbox, event=event)

        for queued in drain.waiting(inbox):
            drain.quarantine(queued, aside, reason="x")

        assert len(list(aside.iterdir())) == 2


AS_SOMEBODY_ELSE = """
import os, sys
from pathlib import Path
from recollect.app.recollect import Recollect
from recollect.worker import jobs
home = sys.argv[1]
os.setresuid(65534, 65534, 65534)
app = Recollect(home)
jobs.empty_inbox(app)
print(sorted(os.listdir(home + "/inbox")), len(os.listdir(home + "/set-aside")))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_an_event_of_somebody_else_does_not_stop_the_next() -> None:
    """`sudo claude` leaves events that the user's own worker may not read."""
    with tempfile.TemporaryDirectory(dir="/tmp") as home:
        inbox = Path(home) / "inbox"
        put(inbox, b'{"session_id": "s", "cwd": "/"}')
        put(inbox, b'{"session_id": "s", "cwd": "/"}')
        for path in (Path(home), inbox, sorted(inbox.iterdir())[1]):
            os.chown(path, 65534, 65534)

        done = subprocess.run(
            [sys.executable, "-c", AS_SOMEBODY_ELSE, home], capture_output=True, check=False
        )

        assert done.stdout.decode() == "[] 1\n", done.stderr.decode()


class TestTidying:
    def test_removes_torn_writes_after_an_hour_and_what_was_set_aside_after_two_weeks(
        self, inbox: Path, aside: Path
    ) -> None:
        event = put(inbox)
        aside.mkdir()
        ages = {
            inbox / "old.tmp": 2 * 3600,
            inbox / "young.tmp": 60,
            event: 30 * 86400,
            aside / "old.json": 15 * 86400,
            aside / "young.json": 13 * 86400,
        }
        now = 2_000_000_000.0
        for path, age in ages.items():
            path.touch()
            os.utime(path, (now - age, now - age))

        removed = drain.tidy(inbox, aside, now=now)

        left = {path.name for folder in (inbox, aside) for path in folder.iterdir()}
        assert removed == 2
        assert left == {"young.tmp", event.name, "young.json"}

    def test_needs_no_folders(self, inbox: Path, aside: Path) -> None:
        assert drain.tidy(inbox, aside) == 0
