"""A host that nobody knows yet: its descriptor, its reader and its plugin are all it takes."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import hosts, transcripts
from recollect.hooks import dialects
from recollect.hosts import copies, roster
from recollect.hosts import home as own
from recollect.transcripts import readers
from tests.builders.intake import Desk

Install = Callable[[str], None]

DESCRIPTOR = """
from functools import partial
from pathlib import Path

from recollect.hosts import copies, host, launcher
from recollect.hosts.copies import CopiedPlugin
from recollect.hosts.host import Host
from recollect.hosts.plan import SetupPlan, joined


def config_folder():
    return Path.home() / ".pinecone"


def plugin(config):
    return CopiedPlugin(host="pinecone", path=config / "plugins" / "recollect")


def setup(home, found):
    installing = SetupPlan(steps=tuple(launcher.installing(home)))
    return joined([installing, plugin(found.config).adding(home, copies.shipped("pinecone"))])


def removal(home, config):
    return plugin(config).removing(home, of=home if is_on(home) else None)


def is_on(home):
    return plugin(config_folder()).path.exists()


HOST = Host(
    name="pinecone",
    title="Pinecone",
    config_folder=config_folder,
    find=partial(host.find, "pinecone", config_folder),
    setup=setup,
    removal=removal,
    is_on=is_on,
    welcome="Pinecone remembers.",
)
"""

READER = """
import re

from recollect.transcripts import readings, turn_builder
from recollect.transcripts.readings import HostReader, JsonLines
from recollect.transcripts.turn_builder import TurnBuilder


def read(path, *, offset=0):
    with readings.opened(path, offset, missing="Pinecone deletes them.") as log:
        lines = JsonLines(log.file)
        turns = []
        for at, record in lines.since(log.begin):
            if "asked" in record:
                turn = TurnBuilder(
                    key=record["n"], line=record["n"], at=at, prompt=[record["asked"]],
                    session="s-1", cwd=record["cwd"], started=log.clock, ended=log.clock,
                )
                turns.append(turn)
            elif turns:
                turns[-1].hear(record["said"])
        return turn_builder.reading(
            turns, host="pinecone", session="s-1", lines=lines, begin=log.begin
        )


READER = HostReader(
    host="pinecone",
    read=read,
    mark=re.compile(rb'"pinecone"'),
    translate=lambda payload: {**payload, "prompt": payload.get("words", "")},
)
"""


@pytest.fixture(autouse=True)
def pinecone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the files of the new host where those of the others are, as far as anybody can tell."""
    for package, source in ((hosts, DESCRIPTOR), (transcripts, READER)):
        folder = tmp_path / "added" / package.__name__.rpartition(".")[2]
        folder.mkdir(parents=True)
        (folder / "pinecone.py").write_text(source)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    plugins = shutil.copytree(own.shipped(), tmp_path / "plugins")
    (plugins / "pinecone").mkdir()
    (plugins / "pinecone" / "index.js").write_text("// Pinecone's")
    monkeypatch.setattr(own, "shipped", lambda: plugins)
    known = (roster.hosts, readers.known)
    for cached in known:
        cached.cache_clear()
    yield
    for cached in known:
        cached.cache_clear()
    for package in (hosts, transcripts):
        sys.modules.pop(f"{package.__name__}.pinecone", None)
        monkeypatch.delattr(package, "pinecone", raising=False)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.host = "pinecone"
    yield desk
    desk.app.close()


def test_it_is_set_up_and_left_as_it_was(
    program: Install, home: str, contents: Callable[[], dict[str, bytes]], user: Path
) -> None:
    program("pinecone")
    before = contents()

    (target,) = roster.targets(home, ["pinecone"], [])
    done = [step.line for step in target.plan().carry_out()]
    is_on, copied = roster.on(home), (user / ".pinecone/plugins/recollect/index.js").read_text()
    left = target.plan().steps
    roster.removal(home, ["pinecone"]).carry_out()

    assert (target.title, target.welcome) == ("Pinecone", "Pinecone remembers.")
    assert done[-1].startswith("Copy the plugin to ")
    assert (is_on, copied, left) == (["pinecone"], "// Pinecone's", ())
    assert contents() == before
    assert not Path(home).exists()


def test_setup_finds_it_among_the_others(program: Install, home: str) -> None:
    program("pinecone")
    program("gemini")

    assert [target.name for target in roster.targets(home, [], [])] == ["gemini-cli", "pinecone"]


def test_its_events_become_turns(desk: Desk) -> None:
    assert dialects.of("pinecone") is dialects.PLAIN

    desk.arrive("UserPromptSubmit", words="Why is it slow?", prompt_id="n1")
    desk.arrive("Stop", last_assistant_message="An N+1 query.", prompt_id="n1")

    assert [(turn.host, turn.prompt, turn.answer) for turn in desk.turns()] == [
        ("pinecone", "Why is it slow?", "An N+1 query.")
    ]


def test_its_log_is_known_by_how_it_begins_and_taken_in_once(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines = [
        {"pinecone": 1, "n": "n1", "asked": "Why is it slow?", "cwd": str(desk.folder)},
        {"said": "An N+1 query."},
    ]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    first = desk.app.importing.transcripts(log, lambda *_: None)
    again = desk.app.importing.transcripts(log, lambda *_: None)

    assert (first.added, again.added, again.known) == (1, 0, 1)
    assert [turn.answer for turn in desk.turns()] == ["An N+1 query."]


def test_events_and_log_make_one_turn(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    asked = {"pinecone": 1, "n": "n1", "asked": "Why is it slow?", "cwd": str(desk.folder)}
    log.write_text(f"{json.dumps(asked)}\n")

    about = {"transcript_path": str(log), "prompt_id": "n1"}
    desk.arrive("UserPromptSubmit", words="Why is it slow?", **about)
    desk.arrive("Stop", last_assistant_message="An N+1 query.", **about)
    desk.arrive("SessionEnd", **about)

    assert [turn.answer for turn in desk.turns()] == ["An N+1 query."]


def test_the_files_of_its_plugin_are_found() -> None:
    assert copies.shipped("pinecone") == {"index.js": b"// Pinecone's"}
