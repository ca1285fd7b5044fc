"""Entries of ours in a settings file of another program: added, kept up to date, taken out.

Plain JSON is rewritten in its own style, and a copy is kept to give it back byte for byte. Any
other file may hold comments, which we would lose: it is left alone, and the user is told what
to add.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import documents, footing, keepsake
from recollect.hosts import home as own
from recollect.hosts.documents import JsonFile
from recollect.hosts.entries import Json
from recollect.hosts.plan import SetupPlan, Step

Keys = tuple[str, ...]

# How clients are told to start a server, and what they call its environment.
STARTED = {"command", "cmd", "args"}
VARIABLES = ("env", "environment", "envs")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlace:
    """Where *host* reads entries of ours: in the file at *path*, each under its keys.

    One of the *servers* is ours if it starts our script. What is said *about* a plugin is ours
    because the plugin is: whoever names such a place knows that.
    """

    host: str
    path: Path
    servers: tuple[Keys, ...] = ()
    about: tuple[Keys, ...] = ()

    blank: Json = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a copy of the file is called."""
        return self.path.name

    def ours(self, value: Json) -> list[Keys]:
        """Return under which keys of *value* an entry of ours stands, for whatever home."""
        started = [keys for keys in self.servers if footing.home_of(_at(value, keys)) is not None]
        return started + [keys for keys in self.about if isinstance(_at(value, keys), dict)]

    def homes(self, value: Json) -> list[str]:
        """Return the homes that servers of ours in *value* are for."""
        return [home for keys in self.servers if (home := footing.home_of(_at(value, keys)))]

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return what the file says, *value*, without us; what was said *before* about us stays."""
        for keys in self.ours(value):
            said = _at(before, keys) if keys in self.about else None
            if said is None:
                value = _without(keys, value, before=before)
            else:
                value = _replaced(keys, value, said)
        return value


def stand(home: str, place: HostPlace) -> bool:
    """Tell whether *place* starts the server of *home*, as far as a file with comments tells."""
    document = _understood(place.path)
    if document:
        servers = (_at(document.value, keys) for keys in place.servers)
        return any(footing.is_same(home, footing.home_of(one)) for one in servers)
    return _is_named(str(own.plugin(home) / footing.SCRIPT), place.path.read_bytes())


def is_there(place: HostPlace) -> bool:
    """Tell whether an entry of ours is there, for whatever home."""
    document = _understood(place.path)
    if document:
        return bool(place.ours(document.value))
    return footing.SCRIPT.encode() in place.path.read_bytes()


def is_anothers(place: HostPlace) -> bool:
    """Tell whether a server of our name is there that is none of ours.

    In a file with comments something of that name is enough: better ask than mix the two.
    """
    document = _understood(place.path)
    if document:
        return bool(_anothers(document, place, place.servers))
    content = place.path.read_bytes()
    return b'"recollect"' in content and footing.SCRIPT.encode() not in content


def value(place: HostPlace) -> Json:
    """Return what the file says; nothing if it is not there, or is not plain JSON."""
    document = _understood(place.path)
    return document.value if document else {}


def entry(place: HostPlace, keys: Keys) -> object:
    """Return what stands under *keys*; None if nothing does, or the file is not plain JSON."""
    return _at(value(place), keys)


def adding(home: str, place: HostPlace, entries: Mapping[Keys, Json]) -> SetupPlan:
    """Return what is left to do until *entries* stand in *place*, or what the user has to do.

    Raises `HostError`, with nothing changed, if the file cannot be read or written.
    """
    document = _understood(place.path)
    if not document:
        return SetupPlan(
            steps=(), note="" if _all_named(place, entries) else _by_hand(place, entries)
        )
    if obstacle := next(filter(None, (_obstacle(document.value, keys) for keys in entries)), ""):
        return SetupPlan(steps=(), note=_in_the_way(place, obstacle, entries))
    theirs = _anothers(document, place, entries)
    ours = {keys: entry for keys, entry in entries.items() if keys not in theirs}
    note = staying(place.path, theirs)
    if _with(document.value, ours) == document.value:
        return SetupPlan(steps=(), note=note)
    documents.check_writable(place.path)
    line = f"Add {_names(ours)} to {footing.short(place.path)}, and keep a copy of it as it is now"
    if place.homes(document.value):
        line = f"Bring {_names(ours)} in {footing.short(place.path)} up to date"
    return SetupPlan(steps=(Step(line=line, do=partial(_add, home, place, ours)),), note=note)


def removing(home: str, place: HostPlace) -> SetupPlan:
    """Return what is left to do until nothing of ours stands in *place*; another home's stays."""
    document = _understood(place.path)
    if not document:
        names = _names((*place.servers, *place.about))
        note = f"{_not_plain(place)}: remove {names} yourself."
        return SetupPlan(steps=(), note=note if stand(home, place) else "")
    homes = {keys: footing.home_of(_at(document.value, keys)) for keys in place.servers}
    others = {keys: one for keys, one in homes.items() if one and not footing.is_same(home, one)}
    mine = replace(place, servers=tuple(keys for keys in place.servers if keys not in others))
    note = "\n".join(footing.elsewhere(one) for one in sorted(set(others.values())))
    before = keepsake.kept(footing.keepsakes(home, place.host), place)
    content = keepsake.left_behind(mine, document, before)
    if content == document.content:
        return SetupPlan(steps=(), note=note)
    documents.check_writable(place.path)
    line = f"Remove our entries from {footing.short(place.path)}; the rest stays"
    if content is None:
        line = f"Remove {footing.short(place.path)}, which was not there before"
    return SetupPlan(steps=(Step(line=line, do=partial(_remove, home, mine)),), note=note)


def snippet(entries: Mapping[Keys, Json]) -> str:
    """Return *entries* as the JSON that a person adds to a file."""
    return json.dumps(_with({}, entries), indent=2)


def staying(path: Path, theirs: Iterable[Keys]) -> str:
    """Say that *theirs* in the file at *path* are another's; empty if there are none."""
    names = _names(theirs)
    what_to_do = "To have ours, rename or remove it, then run setup again."
    has = f"{footing.short(path)} has {names} already, which is not ours and stays."
    return f"{has} {what_to_do}" if names else ""


def renewed(there: Json, entry: Json) -> Json:
    """Return *entry* with all that the user set in the one that is *there*.

    Only how we are started is ours to say, and of the variables the home.

    >>> renewed({"args": [], "enabled": False}, {"args": ["mcp"], "enabled": True})
    {'args': ['mcp'], 'enabled': False}
    """
    for key in VARIABLES:
        before = _object(there.get(key))
        variables = _less(before, footing.VARIABLE) | entry.get(key, {})
        there = there if variables == before else {**there, key: variables}
    kept = {key: one if key in STARTED else there.get(key, one) for key, one in entry.items()}
    return {**there, **{key: _filled(one, entry[key]) for key, one in kept.items()}}


def _add(home: str, place: HostPlace, entries: Mapping[Keys, Json]) -> None:
    document = documents.read(place.path)
    earlier = (footing.keepsakes(one, place.host) for one in place.homes(document.value))
    keepsake.keep(footing.keepsakes(home, place.host), place, document, earlier=earlier)
    value = _with(document.value, entries)
    documents.write(place.path, documents.rendered(value, like=document.content))


def _remove(home: str, place: HostPlace) -> None:
    folder = footing.keepsakes(home, place.host)
    document = documents.read(place.path)
    content = keepsake.left_behind(place, document, keepsake.kept(folder, place))
    keepsake.give_back(folder / place.name, place.path, content)
    keepsake.forget(folder / place.name)


def _by_hand(place: HostPlace, entries: Mapping[Keys, Json]) -> str:
    return f"{_not_plain(place)} and is left as it is. Add this to it:\n{snippet(entries)}"


def _in_the_way(place: HostPlace, obstacle: str, entries: Mapping[Keys, Json]) -> str:
    name = footing.short(place.path)
    left = f"{name} is left as it is: {obstacle} in it is not an object."
    return f"{left} Make it one, and add this:\n{snippet(entries)}"


def _not_plain(place: HostPlace) -> str:
    return f"{footing.short(place.path)} is not a plain JSON object (it may hold comments)"


def _all_named(place: HostPlace, entries: Mapping[Keys, Json]) -> bool:
    """Tell whether a file that we do not understand says what each of *entries* is there for."""
    content = place.path.read_bytes()
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


def _anothers(document: JsonFile, place: HostPlace, entries: Iterable[Keys]) -> list[Keys]:
    """Return where something stands that has our name and is somebody else's."""
    ours = place.ours(document.value)
    return [keys for keys in entries if _at(document.value, keys) is not None and keys not in ours]


def _names(places: Iterable[Keys]) -> str:
    return " and ".join(".".join(keys) for keys in places)


def _understood(path: Path) -> JsonFile | None:
    """The document at *path*; None if it is not plain JSON. Raises if it cannot be read."""
    try:
        return documents.read(path)
    except HostError as error:
        if isinstance(error.__cause__, OSError):
            raise
        return None


def _with(value: Json, entries: Mapping[Keys, Json]) -> Json:
    """Return *value* in which *entries* stand.

    >>> _with({"mcp": {"other": {}}}, {("mcp", "recollect"): {"enabled": True}})
    {'mcp': {'other': {}, 'recollect': {'enabled': True}}}
    """
    for (key, *deeper), entry in entries.items():
        there = _object(value.get(key))
        inside = _with(there, {tuple(deeper): entry}) if deeper else renewed(there, entry)
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


def _without(keys: Keys, value: Json, *, before: Json | None) -> Json:
    """Return *value* without what stands under *keys*; objects go that this leaves empty."""
    key, *deeper = keys
    if not deeper:
        return _less(value, key)
    inside = value.get(key)
    if not isinstance(inside, dict):
        return value
    past = None if before is None else _object(before.get(key))
    rest = _without(tuple(deeper), inside, before=past)
    was_there = rest == inside if before is None else key in before
    return {**value, key: rest} if rest or was_there else _less(value, key)


def _replaced(keys: Keys, value: Json, entry: object) -> Json:
    """Return *value*, in which *entry* stands under *keys* instead of what does."""
    key, *deeper = keys
    return {**value, key: _replaced(tuple(deeper), value[key], entry) if deeper else entry}


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _less(value: Json, key: str) -> Json:
    return {name: one for name, one in value.items() if name != key}
