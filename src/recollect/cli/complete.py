"""What may come next on the command line, for the shells' Tab key. Light, and never an error.

Options and arguments come from `grammar.txt`, which `make docs` writes from the commands
themselves, so none of them is loaded. Ids, projects and notes are read as they are now.
"""

import os
import sys

from recollect import paths, projects
from recollect.cli.catalogue import ALIASES, GROUPS

SHELLS = ("bash", "zsh", "fish")

# More would be a wall, not a choice.
MOST_MEMORIES = 200

Found = list[tuple[str, str]]
"""What may be typed, each with a few words on it."""


def run(words: list[str]) -> None:
    """Print what may stand in place of the last of *words*, a line each: it, a tab, a few words."""
    try:
        lines = [f"{value}\t{_visible(about)}\n" for value, about in candidates(words)]
    except Exception:  # A shell that completes nothing is better than one that complains.
        return
    sys.stdout.buffer.write("".join(lines).encode("utf-8", "replace"))


def script(shell: str) -> str:
    """Return what *shell* has to read so that Tab completes `recollect`."""
    with open(f"{os.path.dirname(__file__)}/shells/recollect.{shell}", encoding="utf-8") as file:
        return file.read()


def candidates(words: list[str]) -> Found:
    """Return what may stand in place of the last of *words*, all of which follow `recollect`."""
    *before, typed = [word for word in words if word != "="] or [""]
    grammar = _grammar()
    path, rest = _command(before, grammar)
    if path not in grammar:
        return []
    options, places = _split(grammar[path])
    wanted = _value_of(rest, options)
    if wanted is None and typed.startswith("-"):
        return _beginning(typed, [(name, "") for name in sorted(options) if name[:2] == "--"])
    if wanted is None:
        if below := _below(path, grammar):
            return _beginning(typed, below)
        wanted = _place(len(_given(rest, options)), places)
    kind, _, listed = wanted.partition(":")
    if kind == "one":
        return _beginning(typed, [(value, "") for value in listed.split(",")])
    if kind == "setting":
        return _beginning(typed, [(key, "") for key in grammar["settings:"]])
    return _live(kind, typed, rest, grammar)


def _live(kind: str, typed: str, rest: list[str], grammar: dict[str, list[str]]) -> Found:
    """Return the projects, notes or memories that there are now."""
    home = paths.home()
    known = _projects(home)
    if kind == "project":
        return _beginning(typed, [(name, root) for root, name in known.items()])
    if kind not in ("note", "memory"):
        return []
    here = _meant(rest, known)
    folders = dict(pair.split("=") for pair in grammar["folders:"])
    found = _notes(home, here, typed, folders)
    if kind == "memory" and here != paths.EVERYWHERE:
        from recollect.store.sqlite.index.newest import newest  # noqa: PLC0415 - most completions need none

        found += newest(paths.index(home), here, typed, limit=MOST_MEMORIES)
    return found


def _meant(rest: list[str], known: dict[str, str]) -> str:
    """Return the project that *rest*, or the folder we are in, is about."""
    if "--project" in rest[:-1]:
        said = rest[rest.index("--project") + 1]
        return next((name for name in known.values() if name.startswith(said)), paths.EVERYWHERE)
    if "--global" in rest:
        return paths.EVERYWHERE
    return known.get(projects.identity(os.getcwd()), "") or paths.EVERYWHERE


def _projects(home: str) -> dict[str, str]:
    """Return the name of each project by the path that stands for it."""
    found = {}
    try:
        with open(paths.places(home), encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                place, name = line.rstrip("\n").split("\t")[:2]
                if name:
                    found[place] = name
    except OSError:
        pass
    return found


def _notes(home: str, project: str, typed: str, folders: dict[str, str]) -> Found:
    """Return the notes of *project* and those that hold everywhere, by the names that fit."""
    found: Found = []
    for library in dict.fromkeys((project, paths.EVERYWHERE)):
        for category, folder in folders.items():
            try:
                files = sorted(os.listdir(f"{paths.project(home, library)}/{folder}"))
            except OSError:
                continue
            for file in files:
                name, dot, kind = file.rpartition(".")
                if not name or name.startswith(".") or dot + kind != ".md":
                    continue
                if f"{category}/{name}".startswith(typed):
                    found.append((f"{category}/{name}", ""))
                elif name.startswith(typed):
                    found.append((name, category))
    return found


def _command(before: list[str], grammar: dict[str, list[str]]) -> tuple[str, list[str]]:
    """Return the command that *before* names, as `grammar` calls it, and what follows its name."""
    options, _ = _split(grammar[""])
    rest = list(before)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if options.get(rest[0]) else 1]
    if rest[:1] == ["help"]:
        del rest[0]
    if not rest:
        return "", before
    path, rest = ALIASES.get(rest[0], rest[0]), rest[1:]
    if rest and f"{path} {rest[0]}" in grammar:
        return f"{path} {rest[0]}", rest[1:]
    return path, rest


def _below(path: str, grammar: dict[str, list[str]]) -> Found:
    """Return the commands below *path*."""
    if not path:
        return [(name, said) for _, commands in GROUPS for name, _, said in commands]
    return [(one[len(path) + 1 :], "") for one in grammar if one.startswith(f"{path} ")]


def _value_of(rest: list[str], options: dict[str, str]) -> str | None:
    """Return the kind of value that the last of *rest* waits for; None if it waits for none."""
    return (options.get(rest[-1]) or None) if rest else None


def _given(rest: list[str], options: dict[str, str]) -> list[str]:
    """Return the arguments in *rest*, without options and their values."""
    given, left = [], list(rest)
    while left:
        word = left.pop(0)
        if word.startswith("-"):
            del left[: 1 if options.get(word) else 0]
        else:
            given.append(word)
    return given


def _place(number: int, places: list[str]) -> str:
    """Return the kind of the argument *number*; the last may be repeated."""
    if number < len(places):
        return places[number].removesuffix("*")
    return places[-1][:-1] if places and places[-1].endswith("*") else ""


def _split(tokens: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options in *tokens* with the kind of their values, and the kinds of arguments."""
    options = {}
    for token in tokens:
        if token.startswith("-"):
            name, _, kind = token.partition("=")
            options[name] = kind
    return options, [token[1:] for token in tokens if token.startswith("@")]


def _grammar() -> dict[str, list[str]]:
    with open(f"{os.path.dirname(__file__)}/grammar.txt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return {path: tokens for path, *tokens in lines}


def _beginning(typed: str, found: Found) -> Found:
    return [one for one in found if one[0].startswith(typed)]


def _visible(text: str) -> str:
    """Return *text* without what would move the cursor or end the line."""
    return "".join(c if c.isprintable() else " " for c in text)
