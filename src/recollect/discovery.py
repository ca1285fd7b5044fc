"""Find what the modules of a package define under one name, so that adding a module adds it."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


def found_in(package: ModuleType, name: str) -> list[Any]:
    """Return what each module of *package* calls *name*, if it does, by the modules' names."""
    modules = sorted(one.name for one in iter_modules(package.__path__))
    imported = (import_module(f"{package.__name__}.{one}") for one in modules)
    return [getattr(one, name) for one in imported if hasattr(one, name)]
