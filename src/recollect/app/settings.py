"""Settings: read, written, and published for hooks, which have no time to read them."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect import config, files, paths
from recollect.app.home import OpenHome
from recollect.config import Settings, Value
from recollect.errors import ConfigError, each
from recollect.hooks import settings as hook_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """A setting in a list."""

    key: str
    value: Value
    default: Value
    doc: str


class SettingsRoom:
    """The settings of one home; *prepare_start* makes the start of a project anew."""

    def __init__(self, home: OpenHome, *, prepare_start: Callable[[str], None]) -> None:
        self._home = home
        self._prepare_start = prepare_start
        self._published: dict[str, list[int] | None] = {}

    def of(self, project: str = "") -> Settings:
        """Return the settings that hold for *project*, or in general."""
        return self._home.settings(project)

    def lines(self, project: str = "") -> tuple[SettingLine, ...]:
        """Return every setting as it holds for *project*, or in general."""
        values, defaults = self.of(project).flat(), Settings().flat()
        return tuple(
            SettingLine(key=one.key, value=values[one.key], default=defaults[one.key], doc=one.doc)
            for one in config.known()
        )

    def set(self, key: str, value: str | None, *, project: str | None = None) -> str:
        """Write one setting (None: forget it) and return the path of the file."""
        where = Path(paths.config(self._home.path))
        if project:
            name = self._home.registry.find(project).name
            where = Path(paths.project_config(self._home.path, name))
        if project and key.startswith(("embedder.", "synthesis.daily_tokens")):
            raise ConfigError(f"{key} holds for all projects together", hint="Leave out --project.")
        config.write(where, key, value)
        self.publish()
        return str(where)

    def publish(self, *, even_if_unchanged: bool = True) -> None:
        """Write what hooks read while no worker runs: places and settings."""
        home = self._home
        everyone = ["", *(project.name for project in home.registry.all())]
        sources = {
            path: hook_settings.stamp(path)
            for project in everyone
            for path in hook_settings.sources(home.path, project)
        }
        if sources == self._published and not even_if_unchanged:
            return
        before = self._published or hook_settings.made_from(home.path)
        self._published = sources
        home.registry.publish()
        flat = {project: home.settings(project).flat() for project in everyone}
        needed = {
            project: {key: values[key] for key in hook_settings.NEEDED}
            for project, values in flat.items()
        }
        content = json.dumps({"sources": sources, "projects": needed})
        files.write(Path(paths.hook_settings(home.path)), content)
        verbose = Path(paths.verbose(home.path))
        if any(values["display"] == "verbose" for values in flat.values()):
            files.write(verbose, "")
        else:
            verbose.unlink(missing_ok=True)
        each([name for name in everyone if name], partial(self._follow, before))

    def _follow(self, before: Mapping[str, object], project: str) -> None:
        """Prepare the start of *project* again if its settings are no longer as they were."""
        own = hook_settings.sources(self._home.path, project)
        is_prepared = os.path.exists(paths.start_block(self._home.path, project))
        if is_prepared and any(before.get(path, 0) != self._published[path] for path in own):
            self._prepare_start(project)
