"""Turns as JSON and back; reading takes what it knows and gives the rest its default."""

from collections.abc import Callable, Hashable
from dataclasses import asdict, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, TypeVar, cast, get_args, get_origin

from recollect.transcripts.loose_json import Object, text_of
from recollect.transcripts.turns import Turn

T = TypeVar("T")


def of_turn(turn: Turn) -> Object:
    """*turn* as `turn_of` reads it."""
    record: Object = asdict(turn)
    record["started"] = turn.started.isoformat()
    record["ended"] = turn.ended.isoformat()
    return record


def turn_of(record: Object) -> Turn:
    """The turn in *record*; raises ValueError if it has no key or no times."""
    if not text_of(record, "key"):
        raise ValueError("a turn without a key")
    return read(Turn, record)


def read(kind: type[T], record: Object) -> T:
    """The *kind*, a dataclass, that *record* tells of.

    A field of another kind than it should be is empty. Raises ValueError if a time is none.
    """
    value: T = _reader(cast("Hashable", kind))(record)
    return value


@cache
def _reader(kind: Hashable) -> Callable[[object], Any]:
    """What makes a *kind* of any JSON value; made once, because there are many turns."""
    if is_dataclass(kind):
        make: Any = kind
        readers = [(one.name, _reader(cast("Hashable", one.type))) for one in fields(kind)]
        return lambda value: make(**{name: read(_at(value, name)) for name, read in readers})
    if kind is datetime:
        return _time
    if get_origin(kind) is tuple:
        inner: Any = get_args(kind)[0]
        return partial(_tuple, _reader(inner), dict if is_dataclass(inner) else inner)
    plain: Any = dict if get_origin(kind) else kind
    return lambda value: value if isinstance(value, plain) else plain()


def _tuple(read: Callable[[object], Any], fitting: type, value: object) -> tuple[Any, ...]:
    each = value if isinstance(value, list) else []
    return tuple(read(one) for one in each if isinstance(one, fitting))


def _at(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _time(value: object) -> datetime:
    at = datetime.fromisoformat(value if isinstance(value, str) else "")
    return at if at.tzinfo else at.replace(tzinfo=UTC)
