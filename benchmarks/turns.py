"""What a turn costs the worker, in the morning and after a thousand turns of one long day.

Hook events are taken in as the worker does it: the journal, the archive, the index, the notes, the
prepared start. All turns are of one session, which is the worst case: the day, the session and its
summary grow together. CPU time, so that a busy machine counts little, and two processes that take
turns, so that it counts for both alike; vectors are left out, which cost the same for every turn.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import mean

from benchmarks import commands
from benchmarks.options import Options
from benchmarks.report import Part, at_most
from recollect import paths
from recollect.app.recollect import Recollect, opened
from recollect.inbox import spool
from recollect.worker import jobs

EARLY, LATE = 50, 1_000
# Each is the mean of so many turns up to it.
AROUND = 20
NO_DEARER = 1.5
# Those of a turn, in order, and how long after them the next one begins.
EVENTS = ("UserPromptSubmit", "PostToolUse", "Stop")
APART = timedelta(seconds=30)
BACKLOG_EVENTS, BACKLOG_SESSIONS = 2_000, 16
BACKLOG_SECONDS = 60.0

_WORDS = (
    "cache queue index parser router token batch mailer invoice ledger payment stock chart theme"
    " login upload export import filter worker"
).split()


def run(part: Part, _options: Options) -> None:
    """Take in a day of turns, one by one, then a backlog at once."""
    with _day(EARLY - AROUND) as morning, _day(LATE - AROUND) as evening:
        costs = [(_next_turn(morning), _next_turn(evening)) for _ in range(AROUND)]
    early, late = map(mean, zip(*costs, strict=True))
    part.figure(f"a turn at turn {EARLY}, CPU", early * 1000, unit="ms")
    part.figure(f"a turn at turn {LATE}, CPU", late * 1000, unit="ms")
    part.figure("the later against the earlier", late / early, unit="×", promise=at_most(NO_DEARER))
    with commands.scratch_home() as folder:
        seconds = _drained(folder)
    part.figure(
        f"a backlog of {BACKLOG_EVENTS} events, CPU",
        seconds,
        unit="s",
        promise=at_most(BACKLOG_SECONDS),
    )


@contextmanager
def _day(turns: int) -> Iterator[Connection]:
    """Yield a process that has taken in so many *turns*, and takes in one more when asked to."""
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    process = spawn.Process(target=_take_turns, args=(there, turns))
    process.start()
    try:
        yield here
    finally:
        here.send("")
        process.join()


def _take_turns(asked: Connection, turns: int) -> None:
    """Take in so many *turns* of a long session, then one each time it is *asked*."""
    with commands.scratch_home() as folder:
        home, shop = folder / "home", _shop(folder)
        with opened(str(home)) as app:
            turn = 0
            while turn < turns or asked.recv():
                turn += 1
                _put_turn(home, shop, session="s-1", turn=turn)
                cost = _taken_in(app)
                if turn > turns:
                    asked.send(cost)


def _next_turn(day: Connection) -> float:
    """Return the seconds that the next turn of a *day* took."""
    day.send("next")
    cost = day.recv()
    assert isinstance(cost, float)
    return cost


def _drained(folder: Path) -> float:
    """Return the seconds that a backlog of several sessions took."""
    home, shop = folder / "home", _shop(folder)
    for turn in range(BACKLOG_EVENTS // 4):
        session = f"s-{turn % BACKLOG_SESSIONS}"
        _put(home, shop, "PostToolUse", session, turn, **_edit(shop, turn + 9_000))
        _put_turn(home, shop, session=session, turn=turn)
    with opened(str(home)) as app:
        return _taken_in(app)


def _taken_in(app: Recollect) -> float:
    began = time.process_time()
    jobs.empty_inbox(app)
    return time.process_time() - began


def _shop(folder: Path) -> Path:
    shop = folder / "shop"
    (shop / ".git").mkdir(parents=True)
    return shop


def _put_turn(home: Path, shop: Path, *, session: str, turn: int) -> None:
    """Lay the three events of a turn in the inbox; each is about something else."""
    one, other = _WORDS[turn % 20], _WORDS[turn * 7 % 20]
    prompt = f"The {one} of the {other} number {turn} is slow, find out why and fix it"
    answer = (
        f"The cause was a full scan of {one} for each {other}: {turn + 3} rows were read {turn}"
        f" times. I added an index on {other}_{turn}, so it takes {turn % 9 + 1} ms instead of"
        f" {turn + 40} ms. The tests pass. Not done: the {other} export, which is as slow."
    )
    _put(home, shop, "UserPromptSubmit", session, turn, prompt=prompt)
    _put(home, shop, "PostToolUse", session, turn, **_edit(shop, turn))
    _put(home, shop, "Stop", session, turn, last_assistant_message=answer)


def _edit(shop: Path, number: int) -> dict[str, object]:
    file = shop / f"part_{number % 50}.py"
    file.write_text(f"LIMIT_{number} = {number}\n", encoding="utf-8")
    old, new = f"LIMIT_{number} = {number + 1}", f"LIMIT_{number} = {number}"
    return {
        "tool_name": "Edit",
        "tool_use_id": f"t-{number}",
        "tool_input": {"file_path": str(file), "old_string": old, "new_string": new},
        "tool_response": {},
    }


def _put(home: Path, shop: Path, event: str, session: str, turn: int, **fields: object) -> None:
    """Lay an *event* in the inbox as of yesterday, which is over: all turns are of one day."""
    payload = {"hook_event_name": event, "session_id": session, "cwd": str(shop), **fields}
    payload["prompt_id"] = f"p-{turn}"
    morning = datetime.now().astimezone().replace(hour=8, minute=0, second=0) - timedelta(days=1)
    at = int((morning + turn * APART).timestamp()) + EVENTS.index(event)
    content = json.dumps(payload).encode()
    put = Path(spool.put(paths.inbox(str(home)), f"claude-code.{event}", content))
    put.rename(put.with_name(f"{at:011d}{put.name[11:]}"))
