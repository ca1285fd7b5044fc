"""What set-up puts into Recollect's own home, and taking it away again.

The plugin is a copy, so a moved or deleted environment leaves no dead path in a host; where that
environment is stands in the launch record alone.
"""

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import recollect
from recollect import config, files, hooks, paths
from recollect.errors import HostError

EXECUTABLE = 0o700

HOOKS = "claude-code/hooks/hooks.json"
READING = "PreToolUse"

# All that may stand in a home. Purging removes these by name: a RECOLLECT_HOME that was set to
# a folder with other things in it must not cost the user those.
OURS = (
    ".state.lock",
    "backups",
    "config.toml",
    "global",
    "inbox",
    "logs",
    "plugin",
    "plugin.new",
    "plugin.old",
    "projects",
    "run",
    "set-aside",
)
DATABASES = ("index.db", "state.db")


def plugin(home: str) -> Path:
    """Return the folder of the plugin's copy, which is a marketplace of its own."""
    return Path(home) / "plugin"


def shipped() -> Path:
    """Return the folder in the package that is copied."""
    return Path(recollect.__file__).parent / "plugins"


def hook_script() -> Path:
    """Return the script that hosts start for an event, as it is shipped."""
    return shipped() / "claude-code" / "hooks" / "launch.sh"


def has_plugin(home: str) -> bool:
    """Tell whether the copy is the plugin of this package as the settings want it, unchanged."""
    return files_below(plugin(home)) == _wanted(home)


def copy_plugin(home: str) -> None:
    """Make the copy that of this package. A session that runs meanwhile misses an event at most."""
    folder = plugin(home)
    draft, old = folder.with_name("plugin.new"), folder.with_name("plugin.old")
    for left in (draft, old):
        remove(left)
    write_files(draft, _wanted(home))
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    remove(old)


def _wanted(home: str) -> dict[str, bytes]:
    """Return the files of the plugin, by name, as the settings of *home* want them.

    A hook for every file that is read costs its process even where it says nothing; so it is
    declared only for who asked for it.
    """
    contents = files_below(shipped())
    if tells_of_files(home):
        declared = json.loads(contents[HOOKS])
        for_prompts = declared["hooks"]["UserPromptSubmit"][0]["hooks"][0]
        arguments = [*for_prompts["args"][:-1], READING]
        hook = {"matcher": "^Read$", "hooks": [{**for_prompts, "args": arguments}]}
        declared["hooks"][READING] = [hook]
        contents[HOOKS] = json.dumps(declared, indent=2).encode() + b"\n"
    return contents


def files_below(folder: Path) -> dict[str, bytes]:
    """Return what every file below *folder* holds, by its name there."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def write_files(folder: Path, wanted: Mapping[str, bytes]) -> None:
    """Write what is *wanted* into *folder*; scripts can be run."""
    for name, content in wanted.items():
        files.write_bytes(folder / name, content)
        (folder / name).chmod(EXECUTABLE if content.startswith(b"#!") else files.OWNER_ONLY)


def tells_of_files(home: str) -> bool:
    """Tell whether agents are told of files they read, in any project."""
    projects = [one.parent.name for one in Path(home, "projects").glob("*/config.toml")]
    return any(config.load(home, project=name).files_enabled for name in ("", *projects))


def launch() -> str:
    """Return the launch record of this package: its interpreter, then the hooks' entry.

    The interpreter is named as it was called: a virtual environment's own, not what it links to.
    """
    hook = Path(hooks.__file__).absolute().with_name("__main__.py")
    return f"{sys.executable}\n{hook}\n"


def has_launch(home: str) -> bool:
    """Tell whether the launch record is that of this package."""
    try:
        return files.read_text(Path(paths.launch_record(home))) == launch()
    except OSError:
        return False


def record_launch(home: str) -> None:
    """Tell the launcher which interpreter runs the hooks."""
    files.write(Path(paths.launch_record(home)), launch())


def is_set_up(home: str) -> bool:
    """Tell whether anything is here that set-up put here."""
    return plugin(home).exists() or os.path.lexists(paths.launch_record(home))


def forget(home: str) -> None:
    """Remove the plugin's copy and the launch record; no memory."""
    record = Path(paths.launch_record(home))
    for path in (plugin(home), record):
        remove(path)
    for folder in (Path(home, "backups"), record.parent, Path(home)):
        with contextlib.suppress(OSError):  # Not empty: there is more than we put there.
            folder.rmdir()


def check_purgeable(home: str) -> None:
    """Raise `HostError` if *home* holds the user's own folders: `projects` could be theirs."""
    if Path.home().resolve().is_relative_to(Path(home).resolve()):
        raise HostError(
            f"{home}: not purged, because it is no folder of Recollect's own",
            hint="Delete by hand what you do not want to keep.",
        )


def purge(home: str) -> str:
    """Remove everything of ours in *home*, memories included; say what else is left there."""
    if not Path(home).exists():  # It held no memories, and went with what set-up had put there.
        return ""
    for path in _ours(Path(home)):
        remove(path)
    left = sorted(os.listdir(home))
    if left:
        return f"{home} holds other things, which stay: {', '.join(left)}"
    remove(Path(home))
    return ""


def remove(path: Path) -> None:
    """Remove the file or folder *path*; it need not be there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _ours(folder: Path) -> Iterator[Path]:
    """Everything in *folder* that is ours; a database comes with files named after it."""
    for path in sorted(folder.iterdir()):
        if path.name in OURS or path.name.startswith(DATABASES):
            yield path
