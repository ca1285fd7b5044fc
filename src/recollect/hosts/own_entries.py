"""Entries of ours in a settings file of another program: added, kept up to date, taken out.

Plain JSON is rewritten in its own style, and a copy is kept to give it back byte for byte. Any
other file may hold comments, which we would lose: it is left alone, and the user is told what
to add.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from recollect.errors import HostError
from recollect.hosts import documents, footing, keepsake
from recollect.hosts import home as own
from recollect.hosts.documents import Document
from recollect.hosts.entries import Json
from recollect.hosts.plan import Plan, Step

Keys = tuple[str, ...]

# What clients call a server's environment.
VARIABLES = ("env", "environment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where *host* reads entries of ours: in the file at *path*, each under its *keys*."""

    host: str
    path: Path
    keys: tuple[Keys, ...]

    blank: Json = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a copy of the file is called."""
        return self.path.name

    def without_ours(self, value: Json, *, before: Json | None) -> Json:
        """Return what the file says, *value*, without us."""
        for keys in self.keys:
            if footing.is_ours(_at(value, keys)):
                value = _without(keys, value, before=before)
        return value


def stand(place: Place) -> bool:
    """Tell whether an entry of ours is there; a file with comments has one if it has our script."""
    document = _understood(place.path)
    if document:
        return any(footing.is_ours(_at(document.value, keys)) for keys in place.keys)
    return footing.SCRIPT.encode() in place.path.read_bytes()


def value(place: Place) -> Json:
    """Return what the file says; nothing if it is not there, or is not plain JSON."""
    document = _understood(place.path)
    return document.value if document else {}


def adding(home: str, place: Place, entries: Mapping[Keys, Json]) -> Plan:
    """Return what is left to do until *entries* stand in *place*, or what the user has to do.

    Raises `HostError`, with nothing changed, if the file cannot be read or written.
    """
    document = _understood(place.path)
    if not document or not all(_has_room(document.value, keys) for keys in entries):
        return Plan(steps=(), note="" if _all_named(place, entries) else _by_hand(place, entries))
    theirs = _anothers(document, place)
    ours = {keys: entry for keys, entry in entries.items() if keys not in theirs}
    note = _staying(place, theirs)
    if _with(document.value, ours) == document.value:
        return Plan(steps=(), note=note)
    documents.check_writable(place.path)
    line = f"Add {_names(ours)} to {footing.short(place.path)}, and keep a copy of it as it is now"
    return Plan(steps=(Step(line=line, do=partial(_add, home, place, ours)),), note=note)


def removing(home: str, place: Place) -> Plan:
    """Return what is left to do until nothing of ours stands in *place*."""
    document = _understood(place.path)
    if not document:
        name = footing.short(place.path)
        note = f"{name} holds more than plain JSON: remove {_names(place.keys)} yourself."
        return Plan(steps=(), note=note if stand(place) else "")
    before = keepsake.kept(footing.keepsakes(home, place.host), place)
    content = keepsake.left_behind(place, document, before)
    if content == document.content:
        return Plan(steps=())
    documents.check_writable(place.path)
    line = f"Remove our entries from {footing.short(place.path)}; the rest stays"
    if content is None:
        line = f"Remove {footing.short(place.path)}, which was not there before"
    return Plan(steps=(Step(line=line, do=partial(_remove, home, place)),))


def snippet(entries: Mapping[Keys, Json]) -> str:
    """Return *entries* as the JSON that a person adds to a file."""
    return json.dumps(_with({}, entries), indent=2)


def _add(home: str, place: Place, entries: Mapping[Keys, Json]) -> None:
    document = documents.read(place.path)
    keepsake.keep(footing.keepsakes(home, place.host), place, document)
    value = _with(document.value, entries)
    documents.write(place.path, documents.rendered(value, like=document.content))


def _remove(home: str, place: Place) -> None:
    folder = footing.keepsakes(home, place.host)
    document = documents.read(place.path)
    content = keepsake.left_behind(place, document, keepsake.kept(folder, place))
    documents.write(place.path, content)
    own.remove(folder)


def _by_hand(place: Place, entries: Mapping[Keys, Json]) -> str:
    return (
        f"{footing.short(place.path)} holds more than plain JSON and is left as it is."
        f" Add this to it:\n{snippet(entries)}"
    )


def _all_named(place: Place, entries: Mapping[Keys, Json]) -> bool:
    """Tell whether a file that we do not understand has a word of each of *entries*."""
    content = place.path.read_bytes()
    words = [[footing.SCRIPT] if "command" in one else one["hooks"] for one in entries.values()]
    return all(word.encode() in content for each in words for word in each)


def _anothers(document: Document, place: Place) -> list[Keys]:
    """Return where something stands that has our name and is somebody else's."""
    found = {keys: _at(document.value, keys) for keys in place.keys}
    return [keys for keys, one in found.items() if one is not None and not footing.is_ours(one)]


def _staying(place: Place, theirs: Iterable[Keys]) -> str:
    names = _names(theirs)
    name = footing.short(place.path)
    return f"{name} has {names} already, which is not ours and stays." if names else ""


def _names(places: Iterable[Keys]) -> str:
    return " and ".join(".".join(keys) for keys in places)


def _understood(path: Path) -> Document | None:
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
        inside = _with(there, {tuple(deeper): entry}) if deeper else _renewed(there, entry)
        value = {**value, key: inside}
    return value


def _renewed(there: Json, entry: Json) -> Json:
    """Return *entry* with all that the user set in the one that is *there*.

    Only how we are started is ours to say, and of the variables the home.

    >>> _renewed({"args": [], "enabled": False}, {"args": ["mcp"], "enabled": True})
    {'args': ['mcp'], 'enabled': False}
    """
    started = {key: one for key, one in entry.items() if key in {"command", "args"}}
    for key in VARIABLES:
        before = _object(there.get(key))
        variables = _less(before, "RECOLLECT_HOME") | entry.get(key, {})
        there = there if variables == before else {**there, key: variables}
    return {**there, **started, **{key: one for key, one in entry.items() if key not in there}}


def _has_room(value: object, keys: Keys) -> bool:
    """Tell whether everything on the way to *keys* holds entries, or is not there yet."""
    for key in keys:
        if not isinstance(value, dict):
            return False
        value = value.get(key, {})
    return True


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


def _object(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _less(value: Json, key: str) -> Json:
    return {name: one for name, one in value.items() if name != key}
