"""Whether a JSON value is what a type says: every field there, none more, each of its kind."""

import types
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)


def problems(value: Any, shape: Any, where: str = "$") -> list[str]:
    """What is wrong with *value*; of several shapes it may have, with the one it is nearest to."""
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (Annotated, NotRequired):
        return problems(value, inner[0], where)
    if origin in (Union, types.UnionType):
        return min((problems(value, one, where) for one in inner), key=len)
    if origin is Literal:
        return [] if value in inner else [f"{where}: {value!r} is none of {inner}"]
    if origin in (list, tuple, dict, Mapping):
        is_list = origin in (list, tuple)
        return list(_items(value, list if is_list else dict, inner[0 if is_list else 1], where))
    if is_typeddict(shape) or is_dataclass(shape):
        return list(_fields(value, shape, where))
    return [] if _is_plainly(value, shape) else [f"{where}: {value!r} is no {shape}"]


def _is_plainly(value: Any, shape: Any) -> bool:
    if shape is Any:
        return True
    if shape is datetime:  # As text.
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    if isinstance(value, bool):
        return shape is bool
    return isinstance(value, (int, float) if shape is float else shape)


def _items(value: Any, origin: type[Collection[Any]], each: Any, where: str) -> Iterator[str]:
    if not isinstance(value, origin):
        yield f"{where}: {value!r} is no {origin}"
        return
    named = value.items() if isinstance(value, dict) else enumerate(value)
    for name, one in named:
        yield from problems(one, each, f"{where}[{name!r}]")


def _fields(value: Any, shape: Any, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where}: {value!r} is no {shape.__name__}"
        return
    kinds = get_type_hints(shape, include_extras=True)
    if is_dataclass(shape):
        renamed = {one.metadata.get("former"): kinds[one.name] for one in fields(shape)}
        kinds |= {name: kind for name, kind in renamed.items() if name}
    yield from (f"{where}: {name} is not in {shape.__name__}" for name in value.keys() - kinds)
    for name, kind in kinds.items():
        if name in value:
            yield from problems(value[name], kind, f"{where}.{name}")
        elif not _may_be_missing(kind):
            yield f"{where}: {name} of {shape.__name__} is missing"


def _may_be_missing(kind: Any) -> bool:
    origin = get_origin(kind)
    if origin is Annotated:
        return _may_be_missing(get_args(kind)[0])
    return origin is NotRequired
