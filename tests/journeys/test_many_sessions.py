"""Many in a row, eight at once: nothing lost, one worker, nobody left behind."""

import concurrent.futures
import os
import time
from pathlib import Path

from recollect.hooks import wake
from tests.client.claude import Claude
from tests.home import PLUGIN, Home, repository, wait_for

# `make soak` runs more of them than anybody wants to wait for each time.
IN_A_ROW = 50 if os.environ.get("RECOLLECT_SOAK") else 10


def test_many_sessions_in_a_row_lose_no_event(claude: Claude, home: Home, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    prompts = [f"Step {number:02} of the long work" for number in range(IN_A_ROW)]
    workers = set()
    for prompt in prompts:
        claude.run(prompt, cwd=shop, plugin_dir=PLUGIN)
        workers.add(home.worker())
    home.settle()

    assert sorted(home.titles()) == prompts
    assert len(workers - {None}) == 1
    assert not list((home.path / "set-aside").glob("*"))


def test_eight_sessions_at_once_share_one_worker(
    claude: Claude, home: Home, tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop")
    prompts = [f"Task {number} done by somebody" for number in range(8)]
    with concurrent.futures.ThreadPoolExecutor(8) as together:
        list(together.map(lambda p: claude.run(p, cwd=shop, plugin_dir=PLUGIN), prompts))
    home.settle()

    assert sorted(home.titles()) == prompts
    assert home.processes() == [home.worker()]


def test_nothing_runs_on_after_the_idle_time(home: Home, tmp_path: Path) -> None:
    (home.path / "config.toml").write_text("[worker]\nidle_minutes = 0.02\n")
    home.hook("Stop", session_id="s", cwd=str(tmp_path))
    wait_for(lambda: home.worker() is not None)

    wait_for(lambda: home.processes() == [])

    assert not (home.path / "run" / "worker.sock").exists()
    assert not list((home.path / "inbox").iterdir())


def test_a_worker_leaves_when_its_home_is_gone(home: Home, tmp_path: Path) -> None:
    home.settle()
    (home.path / "run" / "worker.lock").unlink()

    home.hook("Stop", session_id="s", cwd=str(tmp_path))  # wakes the old one

    wait_for(lambda: len(home.processes()) <= 1)


def test_a_worker_that_cannot_start_is_tried_four_times_and_no_more(
    home: Home, tmp_path: Path
) -> None:
    # A folder where the database should be: no worker can come up.
    (home.path / "state.db").mkdir()

    for _ in range(12):
        home.hook("Stop", session_id="s", cwd=str(tmp_path))
        time.sleep(0.75)

    wait_for(lambda: home.processes() == [])
    assert len(wake.recorded_tries(str(home))) == len(wake.PATIENCE)
    assert len(list((home.path / "inbox").glob("*.Stop.json"))) == 12


def test_it_is_tried_again_when_something_changes(home: Home, tmp_path: Path) -> None:
    home.no_worker()
    home.hook("Stop", session_id="s", cwd=str(tmp_path))
    assert home.worker() is None

    (home.path / "config.toml").write_text("[recall]\nlimit = 3\n")
    home.hook("Stop", session_id="s", cwd=str(tmp_path))

    wait_for(lambda: home.worker() is not None)
    assert os.getpgid(home.worker() or 0) == home.worker(), "detached: a session of its own"
