"""What the doors cost: tokens that every session pays for, and how long a client waits.

Tokens are counted by our own estimator, on the dear side. `initialize` is measured in wall time,
and as CPU against a process that only imports the SDK, in the same run (medians).
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks import processes
from benchmarks.options import Options
from benchmarks.processes import Command
from benchmarks.report import Part, at_most
from recollect import tokens
from recollect.hosts import claude_code as host
from recollect.mcp_server.server import listed_tools
from recollect.mcp_server.tools import INSTRUCTIONS

PLUGIN = host.launcher().parent.parent
RUNS = 9

TOOLS_TOKENS, START_MS, BESIDE_SDK = 1_200, 1_500.0, 1.3


def run(part: Part, options: Options) -> None:
    """Count the words that agents are told, and start the server as a client does."""
    tools = json.dumps(listed_tools(), separators=(",", ":"))
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
        waited = median(_initialized(home) for _ in range(runs))
        ours = median(processes.measured(_server(home)).cpu for _ in range(runs))
        sdk = median(processes.measured(SDK).cpu for _ in range(runs))
    part.figure("initialize: wall time", waited * 1000, unit="ms", promise=at_most(START_MS))
    part.figure(
        "start and end, against the SDK alone", ours / sdk, unit="×", promise=at_most(BESIDE_SDK)
    )


SDK = Command(words=(sys.executable, "-c", "import mcp.server.lowlevel, mcp.server.stdio"))

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


def _server(home: str) -> Command:
    words = (sys.executable, "-P", "-m", "recollect", "mcp")
    hello = json.dumps(HELLO).encode() + b"\n"
    return Command(words=words, environment=processes.environment(home), data=hello)


def _initialized(home: str) -> float:
    """Return the seconds from starting a server to its first answer."""
    server = _server(home)
    began = time.perf_counter()
    process = subprocess.Popen(
        server.words,
        cwd=home,
        env=server.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(server.data)
    process.stdin.flush()
    process.stdout.readline()
    waited = time.perf_counter() - began
    process.communicate()
    return waited


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
