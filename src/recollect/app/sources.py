"""Where what the index holds comes from: journal, notes, archive, and a host's own memory."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from recollect import files, paths, projects
from recollect.app.home import OpenHome
from recollect.hosts import client
from recollect.journal.model import LibraryItem
from recollect.store.files import archive, hosted
from recollect.store.files.library import Stamps
from recollect.store.sqlite.index.follow import Sources


def of_project(home: OpenHome, project: str) -> Sources:
    """Return all that the index has to follow of *project*."""
    library = home.library(project)
    return Sources(
        project=project,
        journal=library.day_files(),
        read_journal=library.kept_in,
        notes=library.note_files(),
        read_note=partial(_note_at, home, project),
        hosted=_hosted(home, project),
        read_hosted=partial(_read_hosted, home, project),
        archives=library.archives(),
        read_archive=lambda path, start: archive.read(path, start=start),
    )


def nothing_of(project: str) -> Sources:
    """Return that nothing is left of *project*."""
    return Sources(project=project, journal=(), read_journal=lambda _: ())


def stamps(home: OpenHome, project: str) -> Stamps:
    """Return what tells whether anything of *project* moved since it was last looked at."""
    stamped = ((str(file), files.stamp(file)) for file in _hosted(home, project))
    return (
        *home.library(project).stamps(),
        *((file, *stamp[:2]) for file, stamp in stamped if stamp),
    )


def read_again(home: OpenHome, project: str, path: Path) -> Sequence[LibraryItem]:
    """Return what stands in a file of the library of *project* at this moment."""
    if path in home.library(project).note_files():
        return _note_at(home, project, path)
    return home.library(project).kept_in(path)


def _note_at(home: OpenHome, project: str, path: Path) -> list[LibraryItem]:
    """Return the note in the file *path*, as the index takes it; none if it cannot be read."""
    from recollect.store.files import note_index  # noqa: PLC0415 - takes pydantic and YAML

    found = home.notebook(project).at(path)
    return note_index.kept(found) if found else []


def _hosted(home: OpenHome, project: str) -> list[Path]:
    """Return the files in which Claude Code itself remembers *project*."""
    if project == paths.EVERYWHERE or not home.settings(project).sources_claude_memory:
        return []
    if home.is_excluded(project):
        return []
    return [file for place in _hosted_places(home, project) for file in hosted.facts(place)]


def _read_hosted(home: OpenHome, project: str, path: Path) -> list[LibraryItem]:
    return hosted.read(path, home=_hosted_places(home, project)[0])


def _hosted_places(home: OpenHome, project: str) -> list[Path]:
    """Return the folders in which Claude Code itself may remember *project*, its own first."""
    known = home.registry.named(project)
    folders = [projects.root(one) for one in (known.root, *home.registry.identities(known))]
    return hosted.places(_claude_folders(home), folders)


def _claude_folders(home: OpenHome) -> list[Path]:
    """Return every folder in which Claude Code was seen to keep its settings.

    Whoever asks may have another one set than who asked before; both are true.
    """
    known = json.loads(home.state.meta("claude_folders") or "[]")
    here = str(client.config_folder())
    if here not in known:
        known.append(here)
        home.state.set_meta("claude_folders", json.dumps(known))
    return list(map(Path, known))
