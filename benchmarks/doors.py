"""What the doors cost: tokens that every session pays for, and the processes that are started.

Tokens are counted by our own estimator, on the dear side. A session's process is started as hosts
start it, asked for what every client asks for, and compared with a bare interpreter in the same
run (medians).
"""

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import processes
from benchmarks.options import Options
from benchmarks.processes import Command
from benchmarks.report import Part, at_most
from recollect import mcp_server, tokens
from recollect.hosts import home as own
from recollect.mcp_server.tools import INSTRUCTIONS, LISTED

PLUGIN = own.hook_script().parent.parent
RUNS = 25

WORDS_BESIDE_BARE = 4.0
TOOLS_TOKENS, START_MS, BESIDE_BARE, RESIDENT_MB = 1_200, 300.0, 3.0, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session's process took until it had told what tools there are."""

    wall: float
    resident_mb: float


def run(part: Part, options: Options) -> None:
    """Count the words that agents are told, and start the process of a session as a client does."""
    tools = json.dumps(LISTED, separators=(",", ":"))
    part.figure("tools: tokens", tokens.estimate(tools), promise=at_most(TOOLS_TOKENS))
    part.figure("instructions: tokens", tokens.estimate(INSTRUCTIONS))
    for skill in sorted(PLUGIN.glob("skills/*/SKILL.md")):
        name = skill.parent.name
        part.figure(f"skill {name}: tokens of its line", tokens.estimate(_description(skill)))
    hidden, told = _commands()
    part.figure("commands that agents are told of: tokens", sum(map(tokens.estimate, told)))
    part.say(f"{len(hidden)} commands are the user's alone, and cost nothing")
    runs = min(options.runs, RUNS)
    with tempfile.TemporaryDirectory() as home:
        cpu, _ = processes.against_bare(lambda: processes.measured(_pipe(home)), runs=runs)
        begun = [_begun(_pipe(home)) for _ in range(runs)]
        command, _ = processes.against_bare(lambda: processes.measured(_command(home)), runs=runs)
    said = "initialize and tools/list"
    part.figure(f"{said}: CPU against a bare Python", cpu, unit="×", promise=at_most(BESIDE_BARE))
    part.figure(
        f"{said}: memory",
        median(one.resident_mb for one in begun),
        unit="MB",
        promise=at_most(RESIDENT_MB),
    )
    wall = median(one.wall for one in begun) * 1000
    part.figure(f"{said}: wall time", wall, unit="ms", promise=at_most(START_MS))
    part.figure("the same by `python -m recollect mcp`: CPU", command, unit="×")
    _show_first_words(part, runs=runs)


def _show_first_words(part: Part, *, runs: int) -> None:
    """Start the command line for what is said before any command is loaded."""
    with tempfile.TemporaryDirectory() as home:
        for words in (("--version",), ("--help",), ("_complete", "expand", "")):
            asked = processes.recollect(home, *words)
            cpu, _ = processes.against_bare(partial(processes.measured, asked), runs=runs)
            name = " ".join(words).strip()
            name = "Tab" if name.startswith("_") else f"recollect {name}"
            promise = at_most(WORDS_BESIDE_BARE)
            part.figure(f"{name}: CPU against a bare Python", cpu, unit="×", promise=promise)


HELLO = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)
SAID = "".join(json.dumps(message) + "\n" for message in HELLO).encode()


def _pipe(home: str) -> Command:
    """Return how hosts start it."""
    script = str(Path(mcp_server.__file__).with_name("__main__.py"))
    return Command(
        words=(*processes.BARE.words[:3], script),
        environment=processes.environment(home),
        data=SAID,
    )


def _command(home: str) -> Command:
    """Return how people start it, and older copies of our script: with all site packages."""
    words = (processes.BARE.words[0], "-P", "-m", "recollect", "mcp")
    return Command(words=words, environment=processes.environment(home), data=SAID)


def _begun(server: Command) -> Session:
    """Start *server*, and return what it took until it had answered."""
    began = time.perf_counter()
    process = subprocess.Popen(
        server.words, env=server.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(server.data)
    process.stdin.flush()
    for _ in ("initialize", "tools/list"):
        process.stdout.readline()
    wall = time.perf_counter() - began
    resident = processes.memory_mb(process.pid)["Rss"]
    process.communicate()
    return Session(wall=wall, resident_mb=resident)


def _commands() -> tuple[list[str], list[str]]:
    """Return the descriptions of the commands that only users call, and of the others."""
    files = sorted(PLUGIN.glob("commands/*.md"))
    hidden = [file for file in files if "disable-model-invocation: true" in file.read_text()]
    return (
        [_description(file) for file in hidden],
        [_description(file) for file in files if file not in hidden],
    )


def _description(file: Path) -> str:
    """Return the line that an agent is told of the command or skill in *file*."""
    lines = file.read_text(encoding="utf-8").splitlines()
    told = next(line for line in lines if line.startswith("description:"))
    return f"- recollect:{file.parent.name}: {told.partition(':')[2].strip()}"
