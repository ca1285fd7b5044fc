"""A home to look into: what was kept, what the worker does, what a hook answers."""

import contextlib
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import recollect
from recollect import paths, worker_client, worker_lock
from recollect.app.recollect import Recollect
from recollect.journal.model import LibraryItem

PLUGIN = Path(recollect.__file__).parent / "plugins" / "claude-code"
LAUNCHER = PLUGIN / "hooks" / "launch.sh"
HOOK = Path(recollect.__file__).parent / "hooks" / "__main__.py"
# The same hook, but it waits for a worker on a machine that has much else to do.
PATIENT_HOOK = f"""\
import sys
sys.path.append({str(HOOK.parent.parent.parent)!r})
from recollect.hooks import notify, run
notify.SECONDS_FOR_AN_ANSWER, run.SECONDS_IN_ALL = 15.0, 18.0
run.main(sys.argv[1:])
"""


class Home:
    """Recollect's home at *path*, set up for the hooks of this environment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        Path(paths.launch_record(str(path))).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._launch(HOOK)
        path.chmod(0o700)

    def be_patient(self) -> None:
        """Let hooks wait for the worker's answer, however long it takes."""
        patient = Path(paths.run(str(self)), "patient_hook.py")
        patient.write_text(PATIENT_HOOK)
        self._launch(patient)

    def _launch(self, hook: Path) -> None:
        record = Path(paths.launch_record(str(self)))
        record.write_text(f"{sys.executable}\n{hook}\n")

    def __str__(self) -> str:
        return str(self.path)

    def hook(self, event: str, /, **fields: object) -> dict[str, object]:
        """Send an event through the launcher, as the host does; return what it answered."""
        done = self.raw_hook(event, json.dumps({"hook_event_name": event, **fields}).encode())
        return json.loads(done.stdout) if done.stdout else {}

    def raw_hook(
        self, event: str, stdin: bytes, *, env: dict[str, str] | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        """Send any bytes through the launcher; the exit code is always 0."""
        done = subprocess.run(
            ["sh", str(LAUNCHER), event],
            check=False,
            input=stdin,
            capture_output=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.path.parent)}
            | {"RECOLLECT_HOME": str(self)}
            | (env or {}),
            timeout=20,
        )
        assert done.returncode == 0, done.stderr
        return done

    def settle(self, seconds: float = 30.0) -> None:
        """Wait until a worker has taken in everything."""
        worker_client.start(str(self))
        assert worker_client.wait_until_idle(str(self), seconds=seconds), self.log()

    def stop(self) -> None:
        """Let the worker leave."""
        worker_client.stop(str(self))

    def worker(self) -> int | None:
        """The process id of the worker."""
        return worker_lock.holder(str(self))

    def kill_worker(self) -> None:
        """Kill the worker without warning, if there is one."""
        pid = self.worker()
        if pid:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            wait_for(lambda: self.worker() != pid)

    def end(self) -> None:
        """Kill every worker of this home, also one that is only just starting."""
        while workers := [pid for pid in self.processes() if _is_worker(pid)]:
            for pid in workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)

    def no_worker(self) -> None:
        """Make sure that none runs and none can be started."""
        from recollect.hooks import wake

        self.stop()
        for _ in wake.PATIENCE:
            wake._record_try(str(self), wake.recorded_tries(str(self)))

    def kept(self, kind: str = "entry") -> list[LibraryItem]:
        """Everything of this *kind* in any journal, in order."""
        found_days = sorted(self.path.glob("projects/*/journal/*.md"))
        days = [day for day in found_days if not day.is_symlink()]  # Links are no part of one.
        app = Recollect(str(self))
        try:
            libraries = {day: app.inside.library(day.parent.parent.name) for day in days}
            found = [one for day in days for one in libraries[day].items_on(day.stem)]
        finally:
            app.close()
        return [one for one in found if one.kind == kind]

    def titles(self) -> list[str]:
        """The headlines of all turns in the journals."""
        return [one.title for one in self.kept()]

    def journal(self) -> str:
        """All the Markdown there is."""
        days = sorted(self.path.glob("projects/*/journal/*.md"))
        return "\n".join(day.read_text() for day in days)

    def everything(self) -> bytes:
        """What stands in all files, unpacked."""
        files = [path for path in self.path.rglob("*") if path.is_file()]
        return b"\n".join(
            gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            for path in files
        )

    def day_file(self) -> Path:
        """The one day file there is."""
        (day,) = self.path.glob("projects/*/journal/*.md")
        return day

    def log(self) -> str:
        """What the worker wrote."""
        return "\n".join(
            f"{log.name}: {log.read_text()}" for log in sorted(self.path.glob("logs/*.log"))
        )

    def processes(self) -> list[int]:
        """The processes that run for this home."""
        wanted = f"RECOLLECT_HOME={self}".encode()
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(
                    b"\0"
                ):
                    found.append(int(folder.name))
            except OSError:
                continue
        return found


def _is_worker(pid: int) -> bool:
    try:
        return b"recollect.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def wait_for(is_so: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until *is_so*; fail when that takes too long."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {seconds} s"
        time.sleep(0.05)


def git(folder: Path, *arguments: str) -> str:
    """Run git in *folder*, independent of whoever runs the tests."""
    folder.mkdir(parents=True, exist_ok=True)
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
    }
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *arguments],
        cwd=folder, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def repository(folder: Path, *, remote: str = "") -> Path:
    """A repository with one commit."""
    git(folder, "init", "-q")
    (folder / "README.md").write_text(f"{folder.name}\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "begin")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


def without_ids(text: str) -> str:
    """*text* without the ids that change from run to run."""
    return re.sub(r"\[[0-9T]+-[0-9a-f]+\]", "[id]", text)
