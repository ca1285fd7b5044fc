"""Tell whether an agent used a memory that it was given. Pure.

It judges our own work, so it errs on the quiet side: what the prompt said, a tool put out first or
an earlier turn had is no merit of the memory, and what everybody says proves nothing. A memory that
was read and silently heeded leaves no trace, and counts as unused.
"""

import builtins
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from recollect import ids
from recollect.text.identifiers import CJK, identifiers
from recollect.text.terms import is_unspaced
from recollect.transcripts.turns import CleanTurn, ToolCall

# So many turns back, what an agent met is looked through.
MOST_TURNS = 25
# One of many files is easily met by chance.
MOST_FILES = 8
# One name may be met by chance, two hardly; of a memory full of names, a tenth.
LEAST_NAMES = 2
NAMES_FOR_ONE = 10
SHORTEST_NAME = 4
# A part of an id that is shorter may be a date and an hour.
SHORTEST_ID = 12

# Files that every project has, and that any turn may touch.
EVERYDAY_FILES = frozenset(
    """
    readme readme.md readme.rst changelog.md contributing.md claude.md agents.md todo.md license
    makefile justfile dockerfile compose.yaml compose.yml docker-compose.yml docker-compose.yaml
    package.json package-lock.json yarn.lock pnpm-lock.yaml tsconfig.json vite.config.ts
    eslint.config.js pyproject.toml setup.py setup.cfg requirements.txt uv.lock poetry.lock tox.ini
    cargo.toml cargo.lock go.mod go.sum gemfile gemfile.lock pom.xml build.gradle composer.json
    __init__.py __main__.py conftest.py main.py app.py settings.py config.py models.py utils.py
    index.js index.ts index.tsx index.html main.ts main.tsx main.js app.ts app.tsx app.js main.go
    main.rs mod.rs lib.rs config.json config.toml config.yaml config.yml settings.json
    """.split()
)

# Names that anybody who writes code may say.
EVERYDAY_NAMES = frozenset(
    """
    github gitlab typescript javascript postgresql mysql sqlite3 mongodb graphql macos oauth oauth2
    node.js next.js vue.js asp.net devops linkedin youtube chatgpt openai python3 http2 ipv4 ipv6
    utf-8 utf8 utf-16 base64 sha1 sha256 sha-256 md5 int32 int64 uint8 float32 float64 es6 es2015
    127.0.0.1 0.0.0.0 8080 3000 8000 5000 5432 6379 3306 1000 1024 2048 4096 3600 10000 86400
    node_modules dist/index.js site-packages stdout stderr /dev/null /tmp /usr/bin/env
    console.log os.path json.loads json.dumps self.assertequal usestate useeffect settimeout
    user_id created_at updated_at file_path readme changelog todo --help --version --verbose
    --force --all --no-verify --amend --oneline --quiet --watch --fix --save-dev
    """.split()
) | frozenset(name.casefold() for name in dir(builtins))

# They stand below every commit that an agent makes.
_SIGNATURE = re.compile(r"anthropic\.com|claude\.(?:com|ai)|noreply|openai\.com", re.IGNORECASE)

# What a tool is given of what was there before.
_COPIED = re.compile(r"old", re.IGNORECASE)
_SHELL = re.compile(r"bash|shell|exec|command|terminal", re.IGNORECASE)
_PATHS = ("file_path", "notebook_path", "path")
_ARGUMENT = re.compile(r"[^\s'\"`|;&<>()=,]+")
# As `transcripts.shorten` says it: what is missing may have been anything.
_CUT = re.compile(r"\[… [0-9]+ characters cut …\]")

_UNSPACED = re.compile(rf"[{CJK}]+")
_DATED = re.compile(r"[0-9]{8}T[0-9]{6}-\w+")
_DATED_PART = re.compile(r"(?<![\w./-])[0-9]{8}T[0-9]{3,6}(?:-[0-9a-f]*)?(?![\w-])")
_QUANTITY = re.compile(
    r"(?<![\w.,/-])(?P<number>[0-9]+(?:[.,][0-9]+)?)\s?"
    r"(?P<unit>[kmgt]i?b|[mµn]?s|sec|min|hz|[kmg]hz|px|rpm|rps|qps|req/s|%)(?![\w/-])",
    re.IGNORECASE,
)
# Round numbers and versions of things are met by chance.
_FIGURE = re.compile(r"[0-9][0-9.,_]*\s?[a-zµ%/]{0,5}", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A memory as the agent was given it."""

    id: str
    title: str
    body: str = ""
    """As far as it was shown: nobody uses what he has not seen."""
    files: tuple[str, ...] = ()
    """From the project's root, or whole paths."""


def used(
    memory: Given,
    turn: CleanTurn,
    *,
    headline_only: bool = False,
    for_file: bool = False,
    known: "KnownToAgent | None" = None,
) -> str:
    """Return how the agent used *memory* in *turn*; empty for not, as far as we can tell.

    `opened`: a tool was asked for it by its id. `cited`: the agent named its id. `files`: a tool
    worked on a file that it names. `words`: the agent used two of its names.

    *headline_only* is true where only its title was shown, which proves nothing but by its id;
    *for_file* where it was shown because the agent read one of its files, which is then no effect
    of it. *known* is what the agent had met before.
    """
    if not memory.id:
        return ""
    story = _Story.of(turn, known, files=memory.files if for_file else ())
    of_id = _merit(_Id(memory.id), story)
    if of_id:
        return "opened" if of_id == "done" else "cited"
    if headline_only:
        return ""
    text = f"{memory.title}\n{memory.body}"
    if any(_merit(one, story) for one in _files(memory, text)):
        return "files"
    names = [one for one in _names(memory, text) if _merit(one, story)]
    return "words" if _prove(names, of=len(identifiers(text))) else ""


class KnownToAgent:
    """What the agent had met in the *turns* of a session so far; read once for many memories.

    Of a long session, only the last turns: what was said long before is hardly where it has a
    name from, and a look through all of it would take seconds.
    """

    def __init__(self, turns: Sequence[CleanTurn]) -> None:
        # What was cut from one output would else hide everything for the rest of the session.
        self.texts = tuple(
            _ReadText(_CUT.sub(" ", _everything(one))) for one in turns[-MOST_TURNS:]
        )


class _Mark(Protocol):
    """Something of a memory that an agent may show to know."""

    def is_asked(self, prompt: "_ReadText") -> bool:
        """Tell whether the user said it, or as good as that."""

    def is_told(self, text: "_ReadText") -> bool:
        """Tell whether who reads *text* may know it from there."""

    def is_done(self, step: "_Step") -> bool:
        """Tell whether the agent gave it to a tool."""

    def is_said(self, text: "_ReadText") -> bool:
        """Tell whether *text*, which is the agent's, has it."""


def _merit(mark: _Mark, story: "_Story") -> str:
    """Return whether the agent has *mark* from nowhere else, and `done` or `said` something."""
    if mark.is_asked(story.prompt) or any(map(mark.is_told, story.before)):
        return ""
    for step in story.steps:
        if mark.is_told(step.copied):
            return ""
        if mark.is_done(step):
            return "" if step.is_early else "done"
        if mark.is_told(step.output):
            return ""
    # Nobody tells between which calls a remark was made, so no call may have told it.
    return "said" if mark.is_said(story.said) else ""


class _ReadText:
    """A text and what is asked of it, each found out once."""

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @cached_property
    def folded(self) -> str:
        return self.raw.casefold()

    @cached_property
    def spaced(self) -> str:
        """The text without what names would run into in scripts that have no spaces."""
        return _UNSPACED.sub(" ", self.raw)

    @cached_property
    def parts(self) -> frozenset[str]:
        return frozenset(_parts(self.raw))

    @cached_property
    def is_cut(self) -> bool:
        return bool(_CUT.search(self.raw))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One call of a tool: what the agent gave it, and what came of it."""

    given: _ReadText
    copied: _ReadText
    """What the agent gave it of what was there before."""
    output: _ReadText
    paths: tuple[str, ...]
    """What it may have read or changed."""
    failed: bool
    is_early: bool
    """Made before the memory was shown."""
    cwd: str

    @classmethod
    def of(cls, call: ToolCall, cwd: str, *, is_early: bool) -> "_Step":
        texts = list(_texts(call.input))
        return cls(
            given=_ReadText("\n".join(text for text, is_copied in texts if not is_copied)),
            copied=_ReadText("\n".join(text for text, is_copied in texts if is_copied)),
            output=_ReadText(call.output),
            paths=_paths(call, cwd),
            failed=call.failed,
            is_early=is_early,
            cwd=cwd,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Story:
    """A turn in the order in which the agent lived it."""

    prompt: _ReadText
    before: tuple[_ReadText, ...]
    steps: tuple[_Step, ...]
    said: _ReadText

    @classmethod
    def of(cls, turn: CleanTurn, known: "KnownToAgent | None", *, files: Sequence[str]) -> "_Story":
        """Read *turn*; what came before the agent reached one of *files* is early in it."""
        reached = _first_touch(turn, files)
        remarks = () if reached is not None else turn.remarks
        return cls(
            prompt=_ReadText(turn.prompt),
            before=known.texts if known else (),
            steps=tuple(
                _Step.of(call, turn.cwd, is_early=reached is not None and place <= reached)
                for place, call in enumerate(turn.tools)
            ),
            said=_ReadText("\n".join((*remarks, turn.answer))),
        )


def _first_touch(turn: CleanTurn, files: Sequence[str]) -> int | None:
    for place, call in enumerate(turn.tools):
        paths = _paths(call, turn.cwd)
        if any(_is_same(path, file, turn.cwd) for path in paths for file in files):
            return place
    return None


def _everything(turn: CleanTurn) -> str:
    given = (text for call in turn.tools for text, _ in _texts(call.input))
    outputs = (call.output for call in turn.tools)
    return "\n".join((turn.prompt, *turn.remarks, turn.answer, *given, *outputs))


def _texts(value: object, *, is_copied: bool = False) -> Iterator[tuple[str, bool]]:
    """Yield the texts in *value*, each with whether it only repeats what was there before."""
    if isinstance(value, str):
        yield value, is_copied
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            copied = is_copied or bool(_COPIED.match(str(key)))
            yield from _texts(inner, is_copied=copied)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, is_copied=is_copied)


class _Id:
    """The memory's id, or for one that begins with a moment enough of its beginning."""

    def __init__(self, id: str) -> None:  # noqa: A002 - it is the word people use
        self._id = id
        # What follows a character of a script without spaces may belong to it.
        after = r"(?![\w/-]|\.\w)" if is_unspaced(id[-1]) else r"(?![A-Za-z0-9_/-]|\.[A-Za-z0-9])"
        self._short = ids.short(id)
        self._whole = re.compile(
            rf"(?<![A-Za-z0-9_./-])(?:{re.escape(id)}|{re.escape(self._short)}){after}"
        )

    def is_asked(self, prompt: _ReadText) -> bool:
        return self.is_said(prompt)

    def is_told(self, text: _ReadText) -> bool:
        return self.is_said(text)

    def is_done(self, step: _Step) -> bool:
        return not step.failed and self.is_said(step.given)

    def is_said(self, text: _ReadText) -> bool:
        # Most texts name no memory at all.
        if self._id[:SHORTEST_ID] not in text.raw and self._short not in text.raw:
            return False
        return bool(self._whole.search(text.raw)) or any(
            len(part) >= SHORTEST_ID and self._id.startswith(part)
            for part in (_DATED_PART.findall(text.spaced) if _DATED.fullmatch(self._id) else ())
        )


class _File:
    """A file that the memory names."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._base = _last_step(path)
        name = posixpath.basename(path)
        self._parts = frozenset(_parts(name.rpartition(".")[0] or name)) - {"test", "spec"}

    def is_asked(self, prompt: _ReadText) -> bool:
        return self._base in prompt.folded or self._parts <= prompt.parts

    def is_told(self, text: _ReadText) -> bool:
        return text.is_cut or self._base in text.folded

    def is_done(self, step: _Step) -> bool:
        return not step.failed and any(_is_same(one, self._path, step.cwd) for one in step.paths)

    def is_said(self, text: _ReadText) -> bool:  # noqa: ARG002 - to name a file is not to work on it
        return False


class _Name:
    """A name of code, a path, a flag, a ticket, or a number with its unit."""

    def __init__(self, name: str) -> None:
        self.folded = name.casefold()
        self.is_figure = bool(_FIGURE.fullmatch(name))
        last = name if self.is_figure else re.split(r"[/\\]", name.rstrip("/\\"))[-1]
        self._last = last.casefold()
        self._parts = frozenset(_parts(last))
        # Another file may have the same name, and another folder: `db.py` is not `old/db.py`, but
        # `src/db.py` is `/home/anna/shop/src/db.py`.
        before = r"(?<![\w-])" if "/" in name.strip("/") else r"(?<![\w/-])"
        after = r"(?![\w/-]|\.\w)" if re.search(r"[./]", name) else r"(?![\w/-])"
        self._whole = re.compile(before + r"\s?".join(map(re.escape, name.split())) + after)

    def is_asked(self, prompt: _ReadText) -> bool:
        return self.is_told(prompt) or self._parts <= prompt.parts

    def is_told(self, text: _ReadText) -> bool:
        return text.is_cut or self._last in text.folded or self.is_said(text)

    def is_done(self, step: _Step) -> bool:
        return self.is_said(step.given)

    def is_said(self, text: _ReadText) -> bool:
        # A number may stand with and without a space before its unit.
        if not self.is_figure and self._last not in text.folded:
            return False
        return bool(self._whole.search(text.spaced))


def _files(memory: Given, text: str) -> Iterator[_File]:
    """Yield the files of *memory* that prove something, of those that *text* names."""
    different = dict.fromkeys(posixpath.normpath(_slashed(one)) for one in memory.files)
    if len(different) > MOST_FILES:
        return
    for path in different:
        base = _last_step(path)
        known = {base, path.casefold()}
        if base in text.casefold() and not known & EVERYDAY_FILES:
            yield _File(path)


def _names(memory: Given, text: str) -> Iterator[_Name]:
    """Yield the names in *text* that prove something; files have their own rule."""
    files = {_last_step(one) for one in memory.files}
    quantities = (f"{found['number']} {found['unit']}" for found in _QUANTITY.finditer(text))
    for name in dict.fromkeys((*identifiers(text), *quantities)):
        last = _last_step(name)
        known = {last, name.casefold()}
        is_everyday = bool(known & (EVERYDAY_NAMES | EVERYDAY_FILES) or _SIGNATURE.search(name))
        is_long = sum(map(str.isalnum, last)) >= SHORTEST_NAME or bool(_QUANTITY.fullmatch(name))
        # A dot at the beginning may be all that is left of a name in Chinese.
        if is_long and not is_everyday and not last.startswith(".") and not known & files:
            yield _Name(name)


def _prove(names: Sequence[_Name], *, of: int) -> bool:
    """Tell whether *names* are enough to know a memory by, *of* so many that it has."""
    different = [
        one
        for one in names
        if not any(one.folded in other.folded for other in names if other.folded != one.folded)
    ]
    telling = any(not one.is_figure for one in different)
    return telling and len(different) >= max(LEAST_NAMES, of // NAMES_FOR_ONE)


def _parts(text: str) -> Iterator[str]:
    """Yield the words that *text* and the names in it are made of, in a form to compare.

    >>> list(_parts("getOrders, retry_limit"))
    ['get', 'order', 'retry', 'limit']
    """
    for part in _PART.findall(_HUMP.sub(" ", text)):
        yield part.casefold().removesuffix("s")


def _slashed(path: str) -> str:
    return path.replace("\\", "/")


def _last_step(path: str) -> str:
    return _slashed(path).rstrip("/").rpartition("/")[2].casefold()


def _paths(call: ToolCall, cwd: str) -> tuple[str, ...]:
    """Return the paths that *call* was given, from the root as far as *cwd* tells."""
    found = [value for name in _PATHS if isinstance(value := call.input.get(name), str)]
    if _SHELL.search(call.name) and isinstance(command := call.input.get("command"), str):
        found += (argument.rstrip(":.") for argument in _ARGUMENT.findall(command))
    return tuple(
        posixpath.normpath(posixpath.join(_slashed(cwd), _slashed(path))) for path in found if path
    )


def _is_same(path: str, file: str, cwd: str) -> bool:
    """Tell whether *path* is the *file* of the project that *cwd* lies in.

    >>> _is_same("/shop/src/db.py", "src/db.py", "/shop/src")
    True
    >>> _is_same("/shop/vendor/src/db.py", "src/db.py", "/shop")
    False
    """
    if path == file:
        return True
    root = path.removesuffix(f"/{file}")
    if root == path:
        return False
    return f"{_slashed(cwd)}/".startswith(f"{root}/") if cwd else "/" in file
