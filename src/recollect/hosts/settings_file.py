"""Entries of ours in a settings file of another program: added, kept up to date, taken out.

Plain JSON is rewritten in its own style, and a copy is kept to give it back byte for byte; JSON
that is not plain may hold comments, which we would lose: it is left alone, and the user is told
what to add. In TOML and YAML only our entry is touched. A broken file is never written.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import backups, documents, launcher, toml_text, yaml_text
from recollect.hosts import home as own
from recollect.hosts.documents import HostDocument, Json
from recollect.hosts.plan import SetupPlan, Step, short

Keys = tuple[str, ...]

# How clients are told to start a server, and what they call its environment.
STARTED = {"command", "cmd", "args"}
VARIABLES = ("env", "environment", "envs")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """How a text that may hold comments is read and edited; what it edits it raises ValueError."""

    name: str
    parse: Callable[[str], Json]
    with_entry: Callable[[str, Keys, Json], str]
    without_entry: Callable[[str, Keys], str]
    names_us: bytes = b"recollect"
    """A broken file without these words is none of our business."""


TOML = TextFormat(
    name="TOML",
    parse=toml_text.parse,
    with_entry=toml_text.with_entry,
    without_entry=toml_text.without_entry,
)
YAML = TextFormat(
    name="YAML",
    parse=yaml_text.parse,
    with_entry=yaml_text.with_entry,
    without_entry=yaml_text.without_entry,
    names_us=launcher.SCRIPT.encode(),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """Where *host* reads entries of ours: in the file at *path*, each under its keys.

    One of the *servers* is ours if it starts our script. What stands under *entries* is ours by its
    name. What is said *about* a plugin is ours because the plugin is, whoever names such a place
    knows that; what the user said there before we came is there again once we are gone.
    """

    host: str
    path: Path
    servers: tuple[Keys, ...] = ()
    entries: tuple[Keys, ...] = ()
    about: tuple[Keys, ...] = ()
    format: TextFormat | None = None
    """None for JSON."""
    may_have_comments: bool = True
    """False for JSON that is broken if it is not plain."""
    blank: Json = field(default_factory=dict)
    """What the host writes when there is nothing to say."""

    @property
    def name(self) -> str:
        """What a copy of the file is called."""
        return self.path.name

    def ours(self, value: Json) -> list[Keys]:
        """Return under which keys of *value* an entry of ours stands, for whatever home."""
        started = [keys for keys in self.servers if launcher.home_of(_at(value, keys)) is not None]
        by_name = (*self.entries, *self.about)
        return started + [keys for keys in by_name if _is_there(value, keys)]

    def homes(self, value: Json) -> list[str]:
        """Return the homes that servers of ours in *value* are for."""
        return [home for keys in self.servers if (home := launcher.home_of(_at(value, keys)))]

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return what the file says, *value*, without us, and without what that leaves empty.

        What was empty *before*, and what was said about us, stays; if nobody knows what was there
        before, what is empty goes if our entry was the last in it.
        """
        if self.blank:
            before = self.blank | (before or {})
        for keys in dict.fromkeys((*self.ours(value), *self.entries)):
            earlier = _at(before, keys) if keys in self.about else None
            if earlier is None:
                value = _without(keys, value, before=before)
            else:
                value = _replaced(keys, value, earlier)
        return value

    def backup(self, home: str) -> Path:
        """Return where the file is kept for *home* as it was before us."""
        return backups.folder(home, self.host) / self.name


def read(file: SettingsFile) -> HostDocument:
    """Return what is in *file*. Raises `HostError` if that cannot be understood."""
    if not file.format:
        return documents.read(file.path)
    return documents.read(file.path, parse=file.format.parse, kind=file.format.name)


def read_if_ours(file: SettingsFile) -> HostDocument:
    """Return what is in *file*; a broken one that does not name us says nothing."""
    document = _if_ours(file)
    assert document, "only JSON with comments is nothing"
    return document


def is_on(home: str, file: SettingsFile) -> bool:
    """Tell whether *file* starts the server of *home*, as far as a file with comments tells."""
    document = _if_ours(file)
    if document:
        servers = (_at(document.value, keys) for keys in file.servers)
        return any(launcher.is_same(home, launcher.home_of(one)) for one in servers)
    return _is_named(str(own.plugin(home) / launcher.SCRIPT), file.path.read_bytes())


def has_ours(file: SettingsFile) -> bool:
    """Tell whether an entry of ours is in *file*, for whatever home."""
    document = _understood(file)
    if document:
        return bool(file.ours(document.value))
    return launcher.SCRIPT.encode() in file.path.read_bytes()


def has_foreign(file: SettingsFile) -> bool:
    """Tell whether a server of our name is in *file* that is none of ours.

    In a file with comments something of that name is enough: better ask than mix the two.
    """
    document = _understood(file)
    if document:
        return bool(_foreign(document, file, file.servers))
    content = file.path.read_bytes()
    return b'"recollect"' in content and launcher.SCRIPT.encode() not in content


def entry(file: SettingsFile, keys: Keys) -> object:
    """Return what stands under *keys*; None if nothing does, or the file is not plain JSON."""
    document = _understood(file)
    return _at(document.value, keys) if document else None


def adding(home: str, file: SettingsFile, entries: Mapping[Keys, Json]) -> SetupPlan:
    """Return what is left to do until *entries* stand in *file*, or what the user has to do.

    Raises `HostError`, with nothing changed, if the file is broken or cannot be read or written.
    """
    document = _understood(file)
    if not document:
        is_done = _all_named(file, entries)
        return SetupPlan(steps=(), note="" if is_done else _by_hand(file, entries))
    if obstacle := next(filter(None, (_obstacle(document.value, keys) for keys in entries)), ""):
        return SetupPlan(steps=(), note=_in_the_way(file, obstacle, entries))
    theirs = _foreign(document, file, entries)
    ours = {keys: entry for keys, entry in entries.items() if keys not in theirs}
    note = staying(file.path, theirs)
    if _with(document.value, ours) == document.value:
        return SetupPlan(steps=(), note=note)
    try:
        _with_entries(file, document, ours)
    except ValueError:
        return SetupPlan(steps=(), note=f"{_odd(file)} Add this to it:\n{snippet(file, ours)}")
    documents.check_writable(file.path)
    line = f"Add {_names(ours)} to {short(file.path)}, and keep a copy of it as it is now"
    if file.homes(document.value):
        line = f"Bring {_names(ours)} in {short(file.path)} up to date"
    return SetupPlan(steps=(Step(line=line, do=partial(_add, home, file, ours)),), note=note)


def removing(home: str, file: SettingsFile) -> SetupPlan:
    """Return what is left to do until nothing of ours stands in *file*; another home's stays."""
    document = _if_ours(file)
    if not document:
        names = _names((*file.servers, *file.about))
        note = f"{_not_plain(file)}: remove {names} yourself."
        return SetupPlan(steps=(), note=note if is_on(home, file) else "")
    homes = {keys: launcher.home_of(_at(document.value, keys)) for keys in file.servers}
    others = {keys: one for keys, one in homes.items() if one and not launcher.is_same(home, one)}
    mine = replace(file, servers=tuple(keys for keys in file.servers if keys not in others))
    note = "\n".join(launcher.stays(one) for one in sorted(set(others.values())))
    try:
        content = _left_behind(home, mine, document)
    except ValueError:
        names = _names(mine.ours(document.value))
        return SetupPlan(steps=(), note=f"{_odd(file)} Remove {names} from it yourself.")
    if content == document.content:
        return SetupPlan(steps=(), note=note)
    documents.check_writable(file.path)
    line = f"Remove our entries from {short(file.path)}; the rest stays"
    if file.backup(home).exists() and content == file.backup(home).read_bytes():
        line = f"Put {short(file.path)} back as it was before, byte for byte"
    if content is None:
        line = f"Remove {short(file.path)}, which was not there before"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove, home, mine)),), note=note)


def snippet(file: SettingsFile | None, entries: Mapping[Keys, Json]) -> str:
    """Return *entries* as what a person adds to *file*, or to one of JSON."""
    if not file or not file.format:
        return json.dumps(_with({}, entries), indent=2)
    text = ""
    for keys, added in entries.items():
        text = file.format.with_entry(text, keys, added)
    return text.lstrip("\n")


def staying(path: Path, theirs: Iterable[Keys]) -> str:
    """Say that *theirs* in the file at *path* are another's; empty if there are none."""
    names = _names(theirs)
    what_to_do = "To have ours, rename or remove it, then run setup again."
    has = f"{short(path)} has {names} already, which is not ours and stays."
    return f"{has} {what_to_do}" if names else ""


def renewed(there: Json, entry: Json) -> Json:
    """Return *entry* with all that the user set in the one that is *there*.

    Only how we are started is ours to say, and of the variables the home.

    >>> renewed({"args": [], "enabled": False}, {"args": ["mcp"], "enabled": True})
    {'args': ['mcp'], 'enabled': False}
    """
    for key in VARIABLES:
        before = _object(there.get(key))
        variables = documents.less(before, launcher.VARIABLE) | entry.get(key, {})
        there = there if variables == before else {**there, key: variables}
    kept = {key: one if key in STARTED else there.get(key, one) for key, one in entry.items()}
    return {**there, **{key: _filled(one, entry[key]) for key, one in kept.items()}}


def _add(home: str, file: SettingsFile, entries: Mapping[Keys, Json]) -> None:
    document = read(file)
    try:
        content = _with_entries(file, document, entries)
    except ValueError as error:
        raise _changed(file) from error
    earlier = (backups.folder(one, file.host) for one in file.homes(document.value))
    backups.keep(backups.folder(home, file.host), file, document, earlier=earlier)
    documents.write(file.path, content)


def _remove(home: str, file: SettingsFile) -> None:
    try:
        content = _left_behind(home, file, read(file))
    except ValueError as error:
        raise _changed(file) from error
    backups.give_back(file.backup(home), file.path, content)
    backups.forget(file.backup(home))


def _with_entries(
    file: SettingsFile, document: HostDocument, entries: Mapping[Keys, Json]
) -> bytes:
    """Return *document* in which *entries* stand. Raises ValueError if that cannot be written."""
    value = _with(document.value, entries)
    if not file.format:
        return documents.rendered(value, like=document.content)
    text = document.text
    for keys in entries:
        text = file.format.with_entry(text, keys, _object(_at(value, keys)))
    if file.format.parse(text) != value:
        raise ValueError("would say something else")
    return document.encoded(text)


def _left_behind(home: str, file: SettingsFile, document: HostDocument) -> bytes | None:
    """Return what *document* should be without us; None if it should not be there at all.

    Raises ValueError if that cannot be written.
    """
    if not file.format:
        before = backups.kept(backups.folder(home, file.host), file)
        return backups.left_behind(file, document, before)
    if not file.ours(document.value):
        return document.content
    text, value = document.text, document.value
    for keys in file.ours(document.value):
        text = file.format.without_entry(text, keys)
        value = _without(keys, value, before=None)
    if _without_empty(file, file.format.parse(text)) != _without_empty(file, value):
        raise ValueError("would say something else")
    is_gone = not text and backups.was_absent(file.backup(home))
    return None if is_gone else document.encoded(text)


def _without_empty(file: SettingsFile, value: Json) -> Json:
    outer = {keys[0] for keys in file.servers}
    return {key: one for key, one in value.items() if one or key not in outer}


def _by_hand(file: SettingsFile, entries: Mapping[Keys, Json]) -> str:
    return f"{_not_plain(file)} and is left as it is. Add this to it:\n{snippet(file, entries)}"


def _in_the_way(file: SettingsFile, obstacle: str, entries: Mapping[Keys, Json]) -> str:
    left = f"{short(file.path)} is left as it is: {obstacle} in it is not an object."
    return f"{left} Make it one, and add this:\n{snippet(file, entries)}"


def _not_plain(file: SettingsFile) -> str:
    return f"{short(file.path)} is not a plain JSON object (it may hold comments)"


def _odd(file: SettingsFile) -> str:
    return f"{short(file.path)} is written in a way of its own and left as it is."


def _changed(file: SettingsFile) -> HostError:
    return HostError(f"{file.path}: was changed meanwhile", hint="Run the same command again.")


def _all_named(file: SettingsFile, entries: Mapping[Keys, Json]) -> bool:
    """Tell whether a file that we do not understand says what each of *entries* is there for."""
    content = file.path.read_bytes()
    text = content.decode("utf-8", "replace")
    scripts = [str(_script(one)) for one in entries.values() if "command" in one]
    rights = [right for one in entries.values() for right in one.get("hooks", {})]
    granted = (re.search(rf"\b{right}\b['\"]?\s*:\s*true\b", text) for right in rights)
    return all(_is_named(script, content) for script in scripts) and all(granted)


def _is_named(script: str, content: bytes) -> bool:
    """Tell whether *content* names *script*, as it is or as JSON writes it."""
    return any(os.fsencode(text) in content for text in (script, json.dumps(script)[1:-1]))


def _script(server: Json) -> object:
    command = server["command"]
    return command[0] if isinstance(command, list) else command


def _foreign(document: HostDocument, file: SettingsFile, entries: Iterable[Keys]) -> list[Keys]:
    """Return where something stands that has our name and is somebody else's."""
    ours = file.ours(document.value)
    return [keys for keys in entries if _is_there(document.value, keys) and keys not in ours]


def _names(places: Iterable[Keys]) -> str:
    return " and ".join(".".join(keys) for keys in places)


def _understood(file: SettingsFile) -> HostDocument | None:
    """The document; None if it may hold comments. Raises if it is broken or cannot be read."""
    try:
        return read(file)
    except HostError as error:
        is_broken = file.format or not file.may_have_comments
        if is_broken or isinstance(error.__cause__, OSError):
            raise
        return None


def _if_ours(file: SettingsFile) -> HostDocument | None:
    """The same; a broken one that does not name us says nothing."""
    try:
        return _understood(file)
    except HostError as error:
        names_us = file.format.names_us if file.format else b"recollect"
        if isinstance(error.__cause__, OSError) or names_us in file.path.read_bytes().lower():
            raise
        return HostDocument(path=file.path, content=file.path.read_bytes(), value={})


def _with(value: Json, entries: Mapping[Keys, Json]) -> Json:
    """Return *value* in which *entries* stand.

    >>> _with({"mcp": {"other": {}}}, {("mcp", "recollect"): {"enabled": True}})
    {'mcp': {'other': {}, 'recollect': {'enabled': True}}}
    """
    for (key, *deeper), added in entries.items():
        there = _object(value.get(key))
        inside = _with(there, {tuple(deeper): added}) if deeper else renewed(there, added)
        value = {**value, key: inside}
    return value


def _filled(there: object, one: object) -> object:
    """Return what is *there*, and of an object also what it lacks of *one*."""
    return {**one, **there} if isinstance(one, dict) and isinstance(there, dict) else there


def _obstacle(value: object, keys: Keys) -> str:
    """Name what on the way to *keys* is there and cannot hold entries; empty if nothing is."""
    for depth, key in enumerate(keys):
        if not isinstance(value, dict):
            return ".".join(keys[:depth])
        value = value.get(key, {})
    return ""


def _at(value: object, keys: Keys) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _is_there(value: object, keys: Keys) -> bool:
    outer = _at(value, keys[:-1])
    return isinstance(outer, dict) and keys[-1] in outer


def _without(keys: Keys, value: Json, *, before: Json | None) -> Json:
    """Return *value* without what stands under *keys*; objects go that this leaves empty."""
    key, *deeper = keys
    if not deeper:
        return documents.less(value, key)
    inside = value.get(key)
    if not isinstance(inside, dict):
        return value
    past = None if before is None else _object(before.get(key))
    rest = _without(tuple(deeper), inside, before=past)
    was_there = rest == inside if before is None else key in before
    return {**value, key: rest} if rest or was_there else documents.less(value, key)


def _replaced(keys: Keys, value: Json, entry: object) -> Json:
    """Return *value*, in which *entry* stands under *keys* instead of what does."""
    key, *deeper = keys
    return {**value, key: _replaced(tuple(deeper), value[key], entry) if deeper else entry}


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}
