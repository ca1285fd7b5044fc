"""Imports point one way, and the hot path imports nothing that costs. Lazy imports count."""

import ast
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import recollect
from recollect.cli import main
from recollect.cli.catalogue import COMMANDS

SOURCE = Path(recollect.__file__).parent

# A module may import from the lines below its own; names on one line do not know each other.
# Where things are put together: it may know everything.
ENTRIES = ("worker.__main__",)

LAYERS = [
    "__main__ testing",
    "cli",
    "mcp_server",
    "worker",
    "app",
    "llm worker_client",
    "importers hosts",
    "pipeline",
    "curation",
    "context",
    "search",
    "hooks",
    "store",
    "notes",
    "journal",
    "transcripts",
    "inbox",
    "text",
    "embedders",
    "privacy config worker_lock",
    # What categories of notes there are is for everybody to know.
    "projects line files ids fingerprint ages tokens fence typed discovery notes.categories",
    "paths errors",
]
RANK = {name: rank for rank, line in enumerate(reversed(LAYERS)) for name in line.split()}

# What runs in each of a host's sessions, in hooks and beside them, and the little of the standard
# library it may use.
LIGHT = (
    "hooks",
    "inbox.spool",
    "store.files.versions",
    "store.sqlite.index.lookup",
    "text.marks",
    "text.term_weights",
    "text.terms",
    "text.confidence",
    "line",
    "projects",
    "paths",
    "ages",
    "tokens",
    "fence",
    "typed",
    "mcp_server.pipe",
    "mcp_server.listings",
    "mcp_server.roots",
    "mcp_server.rpc",
)
# Their packages hold nothing but a docstring.
PACKAGES_OF_THE_LIGHT = {
    "inbox", "mcp_server", "store", "store.files", "store.sqlite", "store.sqlite.index", "text",
}  # fmt: skip
CHEAP = {"posix", "select", "os", "sys", "time", "math", "_signal", "_socket", "_json", "_sqlite3"}
# Read only when the settings were changed by hand a moment ago: slower, still right.
HEAVY_BY_CHOICE = {("hooks.settings", "config")}

# Modules an interpreter started with -I -S has loaded by itself, or that these pull in.
CAPTURE_MAY_LOAD = {"_signal", "posix", "time"}
RING_MAY_LOAD = CAPTURE_MAY_LOAD | {"_socket"}
ANSWER_MAY_LOAD = RING_MAY_LOAD | {
    "_json", "_sqlite3", "math", "os", "os.path", "posixpath", "genericpath", "stat", "_stat",
    "_collections_abc",
    # `_sqlite3` asks for functools.
    "functools", "collections", "collections.abc", "keyword", "operator", "_operator", "reprlib",
    "_collections", "_functools", "itertools", "types", "_thread",
}  # fmt: skip


# What a pipe that has been asked nothing but what never changes has loaded.
PIPE_MAY_LOAD = RING_MAY_LOAD | {"_json", "select"}


# Each takes about as long to import as all of ours together.
HEAVY = set("pydantic ruamel.yaml tomlkit numpy onnxruntime mcp rich.markdown".split())

# Runs a script as the interpreter would, then lists what is loaded.
STARTED_AND_LISTED = """
import sys
__file__ = sys.argv[1]
del sys.argv[0]
exec(compile(open(__file__).read(), __file__, "exec"))
sys.stderr.write("\\n".join(sys.modules))
"""


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[0] == "plugins" or parts == ("__init__",):
            continue
        yield ".".join(part for part in parts if part != "__init__"), path


def imports_of(path: Path) -> Iterator[str]:
    """Every module of ours that *path* imports, at the top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                inside = SOURCE.parent.joinpath(*deeper.split("."))
                is_module = inside.with_suffix(".py").exists() or inside.is_dir()
                yield deeper if is_module else node.module


def ours(path: Path) -> Iterator[str]:
    for name in imports_of(path):
        if name.startswith("recollect."):
            yield name.removeprefix("recollect.")


def place_of(name: str) -> str:
    """Return the name by which a module stands in `LAYERS`: its own, or its package's."""
    inner = ".".join(name.split(".")[:2])
    return inner if inner in RANK else name.partition(".")[0]


def test_every_package_has_its_place() -> None:
    tops = {name.partition(".")[0] for name, _ in modules()}

    assert tops <= set(RANK)


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: str(value)[-30:])
def test_imports_point_downwards(name: str, path: Path) -> None:
    own = "__main__" if name in ENTRIES else place_of(name)
    for imported in ours(path):
        other = place_of(imported)
        assert other == own or RANK[other] < RANK[own], f"{name} imports {imported}"


def test_no_cycles_inside_a_package() -> None:
    graph = {name: set(ours(path)) for name, path in modules()}

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join((*trail, name))
        for imported in graph.get(name, ()):
            if imported in graph and imported.partition(".")[0] == name.partition(".")[0]:
                walk(imported, (*trail, name))

    for name in graph:
        walk(name, ())


def is_light(name: str) -> bool:
    return any(name == light or name.startswith(f"{light}.") for light in LIGHT)


@pytest.mark.parametrize(
    ("name", "path"), [m for m in modules() if is_light(m[0])], ids=lambda value: str(value)[-30:]
)
def test_the_hot_path_imports_only_itself_and_what_is_cheap(name: str, path: Path) -> None:
    for imported in imports_of(path):
        if imported == "recollect":
            continue
        if imported.startswith("recollect."):
            inner = imported.removeprefix("recollect.")
            assert (
                is_light(inner)
                or inner in PACKAGES_OF_THE_LIGHT
                or (name, inner) in (HEAVY_BY_CHOICE)
            ), f"{name} imports {imported}"
        else:
            assert imported in CHEAP, f"{name} imports {imported}"


def loaded_by(event: str, home: Path, payload: bytes) -> set[str]:
    """Start the hook for *event* as the launcher does and return what it loaded.

    What a bare interpreter has loaded is left out, and so is what is ours.
    """
    start = [sys.executable, "-I", "-S", "-c"]
    bare = "import sys; print('\\n'.join(sys.modules))"
    before = subprocess.run([*start, bare], capture_output=True, text=True, check=True)
    hook = str(SOURCE / "hooks" / "__main__.py")
    after = subprocess.run(
        [*start, STARTED_AND_LISTED, hook, "claude-code", event, recollect.__version__],
        input=payload,
        capture_output=True,
        check=True,
        env={"RECOLLECT_HOME": str(home), "HOME": str(home)},
    )
    names = set(after.stderr.decode().split()) - set(before.stdout.split())
    return {name for name in names if name.partition(".")[0] != "recollect"}


@pytest.fixture
def quiet_home(tmp_path: Path) -> Path:
    """A home in which no worker can be started, so that a hook only does its own part."""
    home = tmp_path / "home"
    (home / "run").mkdir(parents=True)
    from recollect.hooks import wake

    for _ in wake.PATIENCE:
        wake._record_try(str(home), wake.recorded_tries(str(home)))
    return home


@pytest.mark.parametrize(
    ("event", "allowed"),
    [
        ("PostToolUse", CAPTURE_MAY_LOAD),
        ("PostToolUseFailure", RING_MAY_LOAD),
        ("Stop", ANSWER_MAY_LOAD),
        ("SubagentStop", ANSWER_MAY_LOAD),
        ("PreCompact", ANSWER_MAY_LOAD),
        ("SessionEnd", ANSWER_MAY_LOAD),
        ("SessionStart", ANSWER_MAY_LOAD),
        ("UserPromptSubmit", ANSWER_MAY_LOAD),
    ],
)
def test_a_hook_loads_only_what_is_on_the_list(
    event: str, allowed: set[str], quiet_home: Path
) -> None:
    payload = json.dumps(
        {"session_id": "s", "cwd": os.getcwd(), "prompt": "why is the orders page slow?"}
    ).encode()

    assert loaded_by(event, quiet_home, payload) <= allowed
    assert list((quiet_home / "inbox").glob(f"*-claude-code.{event}.json"))


@pytest.mark.parametrize(
    ("options", "script", "argument"),
    [
        (("-I", "-S"), SOURCE / "mcp_server" / "__main__.py", ""),
        # As it was started by what older versions wrote into the settings of clients.
        (("-P",), SOURCE / "__main__.py", "mcp"),
    ],
)
def test_a_pipe_loads_only_what_is_on_the_list(
    options: tuple[str, ...], script: Path, argument: str, quiet_home: Path
) -> None:
    start = [sys.executable, *options, "-c"]
    bare = "import os, sys; print('\\n'.join(sys.modules))"
    before = subprocess.run([*start, bare], capture_output=True, text=True, check=True)
    methods = ("initialize", "tools/list", "prompts/list", "resources/templates/list", "ping")
    asked = [{"jsonrpc": "2.0", "id": 1, "method": method} for method in methods]

    after = subprocess.run(
        [*start, STARTED_AND_LISTED, str(script), *argument.split()],
        input="".join(json.dumps(one) + "\n" for one in asked).encode(),
        capture_output=True,
        check=True,
        env={"RECOLLECT_HOME": str(quiet_home), "HOME": str(quiet_home)},
    )

    names = set(after.stderr.decode().split()) - set(before.stdout.split())
    assert len(after.stdout.splitlines()) == len(asked)
    assert {name for name in names if name.partition(".")[0] != "recollect"} <= PIPE_MAY_LOAD


@pytest.mark.parametrize("module", ["recollect.cli.main", "recollect.worker.daemon"])
def test_nobody_waits_for_what_only_some_need(module: str) -> None:
    listed = "import sys; print(*sys.modules)"
    started = [sys.executable, "-c", f"import {module}; {listed}"]

    loaded = subprocess.run(started, capture_output=True, text=True, check=True).stdout.split()

    assert HEAVY.isdisjoint(loaded)


def test_a_command_is_imported_when_it_is_called() -> None:
    listed = "import sys; print(*sys.modules)"
    started = [sys.executable, "-c", f"import recollect.cli.main; {listed}"]

    loaded = subprocess.run(started, capture_output=True, text=True, check=True).stdout.split()

    ours = {name for name in loaded if name.partition(".")[0] == "recollect"}
    light = {"recollect.cli.front", "recollect.cli.catalogue"}
    assert ours == light | {"recollect", "recollect.cli", "recollect.cli.main", "recollect.errors"}
    assert {"rich", "dataclasses", "tomllib"}.isdisjoint(loaded)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_found_by_its_name(name: str) -> None:
    command = main.cli.get_command(click.Context(main.cli), name)

    assert command is not None
    assert command.name == name


@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_what_recollect_says_of_itself_loads_no_command(asked: str) -> None:
    program = f"import sys; sys.argv[1:] = ['{asked}']; from recollect.__main__ import main; main()"
    started = [sys.executable, "-I", "-c", f"{program}; print(*sys.modules)"]

    loaded = subprocess.run(started, capture_output=True, text=True, check=True).stdout.split()

    assert {"click", "re", "rich", "json", "pathlib"}.isdisjoint(loaded)


def test_no_command_is_forgotten_in_the_list() -> None:
    """A command that is defined but not listed cannot be called."""
    listed = [
        main.cli.get_command(click.Context(main.cli), name)
        for name in main.cli.list_commands(click.Context(main.cli))
    ]
    inner = [
        one for group in listed if isinstance(group, click.Group) for one in group.commands.values()
    ]
    defined = [
        one
        for name, _ in modules()
        if name.startswith("cli.") and name != "cli.main"
        for one in vars(importlib.import_module(f"recollect.{name}")).values()
        if isinstance(one, click.Command) and one is not main.cli
    ]

    assert [one.name for one in defined if one not in listed and one not in inner] == []


def test_only_the_library_writes_memories() -> None:
    for name, path in modules():
        if name.startswith(("store.files.", "files")):
            continue
        text = path.read_text()
        assert "/journal" not in text.replace("journal/2026", ""), name


def test_the_makefile_and_the_readme_stay_short() -> None:
    root = SOURCE.parent.parent

    assert len((root / "Makefile").read_text().splitlines()) <= 50
    assert len((root / "README.md").read_text().splitlines()) <= 150


def test_a_class_name_means_one_thing() -> None:
    known: dict[str, list[str]] = {}
    for module, path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                known.setdefault(node.name, []).append(module)

    assert {name: where for name, where in known.items() if len(where) > 1} == {}


# Where models are asked, or a model is tried out by who writes one.
KNOW_MODELS = {"llm", "app", "testing"}


def test_nothing_but_the_application_knows_of_models() -> None:
    knows = {
        name
        for name, path in modules()
        if name.partition(".")[0] not in KNOW_MODELS
        and any(imported.partition(".")[0] == "llm" for imported in ours(path))
    }

    assert knows == set()


def test_opening_a_home_loads_nothing_of_models() -> None:
    listed = "import recollect.worker.daemon, recollect.cli.health, sys; print(*sys.modules)"
    started = [sys.executable, "-c", listed]

    loaded = subprocess.run(started, capture_output=True, text=True, check=True).stdout.split()

    assert [name for name in loaded if name.startswith("recollect.llm")] == []


# Nothing above the stores knows how things are kept.
STORES = ("store",)
KINDS_OF_STORE = ("store.files", "store.sqlite", "store.memory", "store.local")

# Who still knows an implementation, and which: this list only shrinks.
KNOWS_A_STORE = {
    # The one place that picks implementations.
    ("app.home", "store.local"),
    # The hot path, and what a shell waits for, read a home on this disk themselves: that is cheap.
    ("cli.complete", "store.sqlite.index.newest"),
    ("hooks.keyword_recall", "store.sqlite.index.lookup"),
    ("hooks.prepared", "store.files.versions"),
}
# Who builds a path into a library or to a database, other than `paths` and the stores.
BUILDS_A_PATH = {
    # The hot path and completion, as above.
    ("cli.complete", "index"),
    ("cli.complete", "project"),
    ("hooks.keyword_recall", "index"),
    ("hooks.keyword_recall", "state"),
    # The worker ends when its home is gone, and opens it again when it was replaced.
    ("worker.agents", "state"),
    ("worker.daemon", "state"),
}


def above_the_stores() -> Iterator[tuple[str, Path]]:
    for name, path in modules():
        if name.partition(".")[0] not in (*STORES, "testing", "paths"):
            yield name, path


def test_nobody_but_a_store_speaks_to_sqlite() -> None:
    speaks = {
        name
        for name, path in above_the_stores()
        if not {"sqlite3", "_sqlite3"}.isdisjoint(imports_of(path))
    }

    assert speaks == set()


def test_nobody_above_the_stores_knows_which_one_it_is() -> None:
    knows = {
        (name, imported)
        for name, path in above_the_stores()
        for imported in ours(path)
        if imported.startswith(KINDS_OF_STORE)
    }

    assert knows == KNOWS_A_STORE


def test_nobody_above_the_stores_knows_where_things_are_kept() -> None:
    builds = {
        (name, node.func.attr)
        for name, path in above_the_stores()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "paths"
        and node.func.attr in ("project", "state", "index")
    }

    assert builds == BUILDS_A_PATH


def test_what_a_store_tells_says_nothing_of_how_it_is_kept() -> None:
    """No row number, path, size or time of a file: another kind of store has none of them."""
    fields = {
        f"{module}.{node.name}.{field.target.id}"
        for module in ("search", "library", "notes")
        for node in ast.walk(ast.parse((SOURCE / "store/contract" / f"{module}.py").read_text()))
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if field.target.id in ("number", "rowid", "ranges", "path", "mtime", "mtime_ns", "stamp")
    }

    assert fields == {"notes.NoteVersion.number"}  # What people call a version by.


def test_stores_do_not_know_each_other() -> None:
    """A further one is one more folder, and one line where implementations are picked."""
    apart = ("store.files", "store.sqlite", "store.memory")
    knows = {
        (name, imported)
        for name, path in modules()
        for imported in ours(path)
        for own in apart
        if name.startswith(f"{own}.")
        and imported.startswith(apart)
        and not imported.startswith(own)
    }

    # Whether a file is as it was indexed is asked of the file.
    light = "store.files.versions"
    assert knows == {
        ("store.sqlite.index.database", light),
        ("store.sqlite.index.lookup", light),
        ("store.sqlite.index.stale", light),
    }


# A hook answers so when no worker does; `recollect context` shows what that would be.
MAY_FALL_BACK = {"hooks.notify", "cli.context"}


def test_the_worker_answers_without_the_fallback_of_hooks() -> None:
    """What both share stands beside it; otherwise one could not change without the other."""
    falls_back = {name for name, path in modules() if "hooks.fallback" in ours(path)}

    assert falls_back == MAY_FALL_BACK


def test_nobody_outside_the_application_reaches_behind_it() -> None:
    """Rooms are for everybody; `inside`, which they share, is for them alone.

    `Memory` is a surface like the others, though it stands among them.
    """
    reaches = {
        name
        for name, path in modules()
        if name.partition(".")[0] != "app" or name == "app.memory"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "inside"
    }

    assert reaches == set()
