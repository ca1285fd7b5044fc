"""The page of the reference that says what `--json` prints, made from `scripts.shapes`."""

import ast
import inspect
import textwrap
import types
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from scripts import shapes

INTRODUCTION = """\
Every command that shows or changes something takes `--json`. What it prints is one JSON value on
standard output; warnings and errors go to standard error, and the exit code is that of the command
without `--json`.

Times are text such as `2026-11-15T13:32:07Z`, unless a field says that it is seconds since 1970. A
text that says nothing is empty; null stands only where a kind says so. Fields may be added in a
later release; one that is here goes only after a release in which both are printed."""


def parts() -> Iterator[str]:
    """Return the page in its parts."""
    yield INTRODUCTION
    yield "## By command"
    yield _rows(
        ("command", "prints"), ((f"`{name}`", kind(it)) for name, it in shapes.PRINTED.items())
    )
    for one in sorted(_all_shapes(), key=lambda it: it.__name__):
        yield f"## {title(one)}"
        yield inspect.cleandoc(one.__doc__ or "")
        yield _rows(("field", "kind", "meaning"), _fields(one))


def title(shape: type) -> str:
    """Return what a shape is called on the page."""
    return shape.__name__.removesuffix("Json")


def kind(it: Any) -> str:
    """Return in a few words what may stand there."""
    origin, inner = get_origin(it), get_args(it)
    if isinstance(it, ForwardRef):
        it = getattr(shapes, it.__forward_arg__)
    if is_typeddict(it) or is_dataclass(it):
        return f"[{title(it)}](#{title(it).lower()})"
    if origin in (Annotated, NotRequired):
        return kind(inner[0])
    if origin in (Union, types.UnionType):
        return " or ".join(map(kind, inner))
    if origin is Literal:
        return " or ".join(f"`{str(one).lower() if one is True else one}`" for one in inner)
    if origin in (list, tuple, dict, Mapping):
        return _several(origin, inner[0] if origin is tuple else inner[-1])
    names = {str: "text", datetime: "text", int: "whole number", float: "number", bool: "boolean"}
    return names.get(it, "null" if it is type(None) else "anything")


def _several(origin: Any, each: Any) -> str:
    """Return what is said of a list or an object, all of whose values are of one kind."""
    if origin in (dict, Mapping):
        return "object" if each is Any else f"object, each value {kind(each)}"
    # "Or" would leave open whether the list ends there.
    return f"list of {kind(each).replace(' or ', ' and ')}"


def _fields(shape: type) -> Iterator[tuple[str, str, str]]:
    if is_dataclass(shape):
        meanings = _meanings(shape)
        kinds = get_type_hints(shape)
        for one in fields(shape):
            yield f"`{one.name}`", kind(kinds[one.name]), meanings.get(one.name, "")
            if former := one.metadata.get("former"):
                until = f"The former name of `{one.name}`, until 0.2."
                yield f"`{former}`", kind(kinds[one.name]), until
        return
    for name, it in get_type_hints(shape, include_extras=True).items():
        meaning = ""
        is_optional = False
        while get_origin(it) in (Annotated, NotRequired):
            is_optional |= get_origin(it) is NotRequired
            meaning = getattr(it, "__metadata__", [meaning])[0]
            it = get_args(it)[0]  # noqa: PLW2901 - peeled, layer by layer
        optional = ", may be missing" if is_optional else ""
        yield f"`{name}`", kind(it) + optional, meaning


def _meanings(shape: type) -> dict[str, str]:
    """Return what stands below each field of a frozen value, in the class and those it is of."""
    found: dict[str, str] = {}
    for one in shape.__mro__[::-1]:
        if not is_dataclass(one):
            continue
        (node,) = ast.parse(textwrap.dedent(inspect.getsource(one))).body
        assert isinstance(node, ast.ClassDef)
        for field, below in zip(node.body, node.body[1:], strict=False):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(meaning))),
                ):
                    found[name] = " ".join(meaning.split()).replace("None if", "null if")
    return found


def _all_shapes() -> set[type]:
    found: set[type] = set()
    waiting: list[Any] = list(shapes.PRINTED.values())
    while waiting:
        it = waiting.pop()
        if isinstance(it, ForwardRef):
            it = getattr(shapes, it.__forward_arg__)
        waiting += get_args(it)
        if (is_typeddict(it) or is_dataclass(it)) and it not in found:
            found.add(it)
            waiting += get_type_hints(it, include_extras=True).values()
    return found


def _rows(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
