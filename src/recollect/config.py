"""The settings: defaults here, what the user changed in TOML, never a decision elsewhere.

Later layers win: defaults, `config.toml`, the project's own `config.toml` (the user's, in
Recollect's home), the environment, flags. A repository's `.recollect.toml` arrives with a
clone, so it may only give a label and exclude more.
"""

import difflib
import os
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from recollect import files, paths
from recollect.errors import ConfigError
from recollect.notes import categories
from recollect.notes.categories import CATEGORIES, NoteCategory

Value = bool | int | float | str | list[str]

PREFIX = "RECOLLECT_"
REPOSITORY_FILE = ".recollect.toml"
# A stranger's file: reading TOML takes time in the square of what a line holds.
LARGEST_REPOSITORY_FILE = 8_000
LARGEST_FILE = 1_000_000
# A session's own summary is shown as the last session's.
SHOWN_UNASKED = (
    *categories.at_start(),
    *(row.name for row in CATEGORIES.values() if not (row.start_place or row.is_snapshot)),
)
REPOSITORY_MAY_SET = ("label", "capture.exclude_paths")
# What settings were called in an earlier version, which go on working until this one.
RENAMED = {"recall.bar": "recall.min_score", "search.bar": "search.min_score"}
OLD_NAME_HINT = "Rename it; the old name works until version 0.2."


def _setting(
    default: Any,
    doc: str,
    *,
    least: float = 0,
    most: float = 1_000_000,
    one_of: tuple[str, ...] = (),
) -> Any:
    return field(
        default=default, metadata={"doc": doc, "least": least, "most": most, "one_of": one_of}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """What holds for the notes of one category."""

    enabled: bool = _setting(default=True, doc="Keep and show notes of this kind.")
    auto_capture: bool = _setting(
        default=True, doc="Make such notes from what is said in sessions, unasked."
    )
    description: str = _setting("", "What such a note is, as agents are told.")
    retention_days: int = _setting(
        0, "Retire such a note so many days after its last change; 0 keeps it for ever.", most=36500
    )
    max_notes: int = _setting(
        100,
        "At most this many of them hold; beyond it that one retires that is not pinned and was "
        "least often met again, the oldest first.",
        least=1,
    )
    max_retained: int = _setting(
        0, "Only the newest so many hold, the others retire as one is added; 0 is no such window."
    )


def _by_category(of: Callable[[NoteCategory], Any], **meaning: Any) -> Any:
    """A setting for each category of notes: a value, or a group of settings."""
    return field(
        default_factory=lambda: {name: of(row) for name, row in CATEGORIES.items()},
        metadata={"of": of, "meaning": meaning},
    )


def _category(row: NoteCategory) -> Category:
    return Category(
        description=row.description,
        retention_days=row.retention_days,
        max_retained=row.max_retained,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How an engine is reached: each has its own, so that no key goes to another's server."""

    url: str = _setting(
        "",
        "Where it is asked, if not at its own place: `http://localhost:11434/v1` for Ollama and "
        "`openai`.",
    )
    key_file: str = _setting("", "A file that holds its key and nothing else.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. The part of a name before the first `_` is its section."""

    capture_enabled: bool = _setting(default=True, doc="Keep what happens in sessions.")
    capture_exclude_tools: tuple[str, ...] = _setting(
        (), "Names of further tools whose calls are not kept; `mcp__github__*` works."
    )
    capture_exclude_paths: tuple[str, ...] = _setting(
        (), "Folders and files that are never kept; patterns such as `~/private/*` or `*.pem`."
    )
    sources_claude_memory: bool = _setting(
        default=True,
        doc="Find what Claude Code's own memory knows of a project, too; it is never written to.",
    )
    display: str = _setting(
        "normal",
        "What you are told in the terminal: nothing but trouble; what is recalled, and which notes "
        "were made, changed or retired; or also what was captured of each turn.",
        one_of=("quiet", "normal", "verbose"),
    )
    context_enabled: bool = _setting(
        default=True, doc="Show agents anything at all; off for a project, it is still kept."
    )
    context_categories: tuple[str, ...] = _setting(
        SHOWN_UNASKED,
        "The kinds of notes that are shown unasked.",
        one_of=SHOWN_UNASKED,
    )
    start_enabled: bool = _setting(default=True, doc="Give a new session what is known here.")
    start_budget_tokens: int = _setting(
        2000, "At most this many tokens at the start of a session.", least=200, most=2800
    )
    recall_enabled: bool = _setting(default=True, doc="Search with each prompt.")
    recall_limit: int = _setting(3, "At most this many memories for a prompt.", least=1, most=20)
    recall_min_score: float = _setting(
        0.5,
        "The score from which a memory is shown for a prompt: how likely it answers. From about a "
        "quarter of it on, a memory is only pointed at. 0 shows anything, 1 nothing.",
        most=1,
    )
    recall_budget_tokens: int = _setting(
        600, "At most this many tokens for a prompt.", least=200, most=2800
    )
    files_enabled: bool = _setting(
        default=False,
        doc="Tell an agent what is known of a file that it is about to read; `recollect setup` "
        "applies it.",
    )
    files_budget_tokens: int = _setting(
        400, "At most this many tokens about a file.", least=200, most=2800
    )
    failures_enabled: bool = _setting(
        default=True,
        doc="Tell an agent at once what is known of an error that a tool has just met, if a "
        "memory has met the same.",
    )
    subagents_enabled: bool = _setting(
        default=True, doc="Give a subagent the preferences and constraints that hold here."
    )
    subagents_budget_tokens: int = _setting(
        400, "At most this many tokens for a subagent.", least=200, most=2800
    )
    search_min_score: float = _setting(
        0.5,
        "The score from which a search result is a good match: how likely it answers. 0 takes "
        "anything, 1 nothing.",
        most=1,
    )
    agents_all_projects: bool = _setting(
        default=False,
        doc="Let agents look into the memory of other projects than the one they work in.",
    )
    retrieval_max_inject: int = _setting(
        5, "At most this many notes of each kind at the start of a session.", most=20
    )
    categories: Mapping[str, Category] = _by_category(_category)
    triage_max_messages: int = _setting(
        50, "Of a long turn, only the last so many messages are looked at for notes.", least=1
    )
    triage_thresholds: Mapping[str, float] = _by_category(
        lambda row: row.threshold,
        doc="How sure we must be of such a note to make it from a session: 0 of any, 1 of none.",
        most=1,
    )
    synthesis_engine: str = _setting(
        "extractive",
        "What memories are made with: no model at all (no tokens), your own Claude Code, "
        "Anthropic's API, any server that speaks OpenAI's API, or the first of them that is there "
        "and that `synthesis.allow` names.",
        one_of=("extractive", "auto", "claude", "anthropic", "openai"),
    )
    synthesis_allow: tuple[str, ...] = _setting(
        (),
        "The engines that `auto` may choose from.",
        one_of=("claude", "anthropic", "openai"),
    )
    synthesis_default_model: str = _setting(
        "", "The model that is asked; empty for the engine's own small one (openai has none)."
    )
    synthesis_models: Mapping[str, str] = _by_category(
        lambda _: "",
        doc="The model that drafts such notes, where it is not `synthesis.default_model`; each "
        "further model is a further call.",
    )
    synthesis_claude: Access = Access()
    synthesis_anthropic: Access = Access()
    synthesis_openai: Access = Access()
    synthesis_when: str = _setting(
        "turns",
        "When a model is asked: after each turn, after a few turns, or at the session's end.",
        one_of=("turn", "turns", "session"),
    )
    synthesis_language: str = _setting(
        "", "The language of what the model writes, such as `German`; empty for that of the talk."
    )
    synthesis_verify: bool = _setting(
        default=False,
        doc="Let a second call check decisions, constraints, retirements and unsure notes.",
    )
    synthesis_verify_model: str = _setting(
        "", "The model that checks, where it is not the one that drafted."
    )
    synthesis_daily_tokens: int = _setting(
        200_000, "No model is asked beyond so many tokens a day, all projects together.", most=10**9
    )
    synthesis_max_input_tokens: int = _setting(
        6_000, "At most so many tokens are sent with one call.", least=2_000, most=100_000
    )
    synthesis_max_output_tokens: int = _setting(
        2_000, "At most so many tokens are taken as one answer.", least=200, most=16_000
    )
    synthesis_timeout_seconds: int = _setting(
        120, "So long an answer may take.", least=1, most=1_800
    )
    synthesis_stream: bool = _setting(
        default=True, doc="Take answers piece by piece; off for a server that cannot send them so."
    )
    synthesis_price_input: float = _setting(
        0.0, "What a million tokens sent cost, in dollars, for the shown cost; 0 if unknown."
    )
    synthesis_price_output: float = _setting(
        0.0, "What a million tokens answered cost, in dollars; 0 if unknown."
    )
    delete_grace_days: int = _setting(
        30, "A retired note can be restored for so many days.", most=36500
    )
    delete_archive_retired: bool = _setting(
        default=True,
        doc="After that time, keep a retired note in the archive; otherwise `gc` deletes it.",
    )
    embedder_kind: str = _setting(
        "minilm",
        "What search by meaning is done with: the bundled English model, a server that speaks "
        "OpenAI's API, a model of fastembed, or nothing.",
        one_of=("minilm", "openai", "fastembed", "none"),
    )
    embedder_model: str = _setting("", "The model that a server or fastembed is asked for.")
    embedder_url: str = _setting(
        "", "Where the server is, such as `http://localhost:11434/v1` for Ollama."
    )
    embedder_key_file: str = _setting("", "A file that holds the server's key and nothing else.")
    embedder_may_send: bool = _setting(
        default=False,
        doc="Let texts (redacted) go to a server that is not on this machine.",
    )
    worker_idle_minutes: float = _setting(
        30.0, "The worker leaves after so many minutes without an event.", least=0.01, most=1440
    )
    archive_max_mb: int = _setting(
        200, "The archive of turns of one project is kept below this size.", least=1
    )
    projects_join_clones: bool = _setting(
        default=False, doc="Let a second clone of a repository share its memory without asking."
    )
    updates_check: bool = _setting(
        default=False, doc="Let the worker look once a day whether a newer release is out."
    )

    def descriptions(self) -> dict[str, str]:
        """Return what a note of each category is."""
        return {name: own.description for name, own in self.categories.items()}

    def flat(self) -> dict[str, Value]:
        """Return the settings by dotted name, as TOML and JSON write them."""
        return {key: _plain(_held(self, place.path)) for key, place in _places().items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, as `recollect config` and the reference show it."""

    key: str
    default: Value
    doc: str
    least: float
    most: float
    one_of: tuple[str, ...] = ()
    """The only values it takes; any if empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """What a repository's own file may say."""

    label: str = ""
    exclude_paths: tuple[str, ...] = ()


def known() -> tuple[Setting, ...]:
    """Return every setting there is."""
    defaults = Settings().flat()
    return tuple(
        Setting(key=key, default=defaults[key], **place.meaning) for key, place in _places().items()
    )


def load(
    home: str,
    *,
    project: str = "",
    root: str = "",
    flags: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings that hold; what is wrong in a file is left out (see `examine`)."""
    return examine(home, project=project, root=root, flags=flags)[0]


def made_from(home: str, *, project: str = "", root: str = "") -> object:
    """Return what tells whether settings that were loaded before still hold."""
    files = [Path(paths.config(home)), Path(root) / REPOSITORY_FILE if root else None]
    files.append(Path(paths.project_config(home, project)) if project else None)
    return [_stamp(file) for file in files if file], root, dict(set_in(os.environ))


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def load_strictly(home: str, *, project: str, root: str) -> Settings:
    """Return the settings that hold. Raises `ConfigError` if a file of the user's is broken.

    What may be kept must not be guessed: the broken file may say that nothing may.
    """
    for file in (Path(paths.config(home)), Path(paths.project_config(home, project))):
        _read(file)
    return load(home, project=project, root=root)


def examine(
    home: str,
    *,
    project: str = "",
    root: str = "",
    flags: Mapping[str, str] | None = None,
) -> tuple[Settings, list[ConfigError]]:
    """Return the settings that hold, and everything that is wrong with the files.

    *project* is the project's name, *root* the folder it stands in.
    """
    settings = Settings()
    problems: list[ConfigError] = []
    files = [Path(paths.config(home))]
    if project:
        files.append(Path(paths.project_config(home, project)))
    layers: list[tuple[str, dict[str, object]]] = []
    for file in files:
        try:
            layers.append((str(file), _read(file)))
        except ConfigError as problem:
            problems.append(problem)
    layers.append(("environment", dict(set_in(os.environ))))
    layers.append(("flag", dict(flags or {})))
    for where, values in layers:
        problems += [
            ConfigError(f"{where}: {renamed(key)}", hint=OLD_NAME_HINT)
            for key in values
            if key in RENAMED
        ]
        # Where both names are set, the new one wins.
        for key, value in sorted(values.items(), key=lambda item: item[0] not in RENAMED):
            try:
                settings = _set(settings, where, key, value)
            except ConfigError as problem:
                problems.append(problem)
    if root:
        own, wrong = repository(root)
        problems += wrong
        excluded = (*settings.capture_exclude_paths, *own.exclude_paths)
        settings = replace(settings, capture_exclude_paths=excluded)
    return settings, problems


def repository(root: str) -> tuple[Repository, list[ConfigError]]:
    """Return what the repository at *root* may say of itself, and everything that it may not.

    One wrong line does not switch off the exclusions beside it.
    """
    file = Path(root) / REPOSITORY_FILE
    try:
        values = _read(file, largest=LARGEST_REPOSITORY_FILE)
    except ConfigError as problem:
        return Repository(), [problem]
    problems = [
        ConfigError(
            f"{file}: a repository may not set {key}",
            hint=f"It may set {' and '.join(REPOSITORY_MAY_SET)}; the rest is yours to set.",
        )
        for key in values
        if key not in REPOSITORY_MAY_SET
    ]
    label, excluded = values.get("label", ""), values.get("capture.exclude_paths", [])
    if not isinstance(label, str):
        problems.append(ConfigError(f"{file}: label must be text"))
        label = ""
    if not isinstance(excluded, list) or not all(isinstance(one, str) for one in excluded):
        problems.append(ConfigError(f"{file}: capture.exclude_paths must be a list of texts"))
        excluded = []
    visible = "".join(filter(str.isprintable, label))[:80]
    return Repository(label=visible, exclude_paths=tuple(excluded)), problems


def is_set(home: str, key: str) -> bool:
    """Tell whether the user's `config.toml` says something of *key*; a broken one may."""
    try:
        return current_name(key) in map(current_name, _read(Path(paths.config(home))))
    except ConfigError:
        return True


def current_name(key: str) -> str:
    """Return what the setting *key* is called by now.

    >>> current_name("recall.bar"), current_name("recall.limit")
    ('recall.min_score', 'recall.limit')
    """
    return RENAMED.get(key, key)


def renamed(key: str) -> str:
    """Return what to tell somebody who calls a setting *key*, if it has another name by now."""
    return f"{key} is now called {RENAMED[key]}." if key in RENAMED else ""


def value_of(settings: Settings, key: str) -> Value:
    """Return what *settings* say of *key*. Raises `ConfigError` if there is no such setting."""
    return _plain(_held(settings, _place(key, "setting").path))


def check(key: str, value: object, *, where: str = "flag") -> Value:
    """Return *value* as the setting *key* would hold it. Raises `ConfigError` if it cannot."""
    return _set(Settings(), where, key, value).flat()[current_name(key)]


def write(file: Path, key: str, value: str | None) -> None:
    """Set *key* in *file* to *value*, or take it out; everything else in it stays as it is.

    A line that sets it by the name it had in an earlier version goes.
    """
    from tomlkit import dumps, parse  # noqa: PLC0415 - only when a setting is changed
    from tomlkit.exceptions import ParseError  # noqa: PLC0415

    _place(key, "setting")
    held = None if value is None else check(key, value, where="setting")
    try:
        document = parse(file.read_text(encoding="utf-8")) if file.exists() else parse("")
    except (ParseError, OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}", hint="Correct the line first.") from error
    names = [old for old, new in RENAMED.items() if new == current_name(key)]
    for name in (*names, current_name(key)):
        _write_into(document, name, None if name in names else held, file=file)
    files.write(file, dumps(document))


def _write_into(document: Any, key: str, held: Value | None, *, file: Path) -> None:
    """Set *key* to what is *held* in the TOML *document* of *file*; None takes it out."""
    from tomlkit import table  # noqa: PLC0415 - only when a setting is changed

    *sections, name = key.split(".")
    within = document
    for section in sections:
        if held is None and section not in within:
            return
        within = within.setdefault(section, table())
        if not isinstance(within, dict):
            raise ConfigError(f"{file}: {section} is no section", hint="Correct the line first.")
    if held is None:
        within.pop(name, None)
    else:
        within[name] = held


def variable(key: str) -> str:
    """Return the environment variable that sets *key*.

    >>> variable("recall.limit")
    'RECOLLECT_RECALL_LIMIT'
    """
    return PREFIX + key.replace(".", "_").upper()


class _Place(NamedTuple):
    """Where a setting stands in `Settings`, and what may stand there."""

    path: tuple[str, ...]
    meaning: Mapping[str, Any]


def _places() -> Mapping[str, _Place]:
    """Return the place of every setting, by its dotted name."""
    return _places_with(tuple(CATEGORIES.values()))


@cache
def _places_with(rows: tuple[NoteCategory, ...]) -> Mapping[str, _Place]:
    found = {}
    for f in fields(Settings):
        is_group = "doc" not in f.metadata
        key = f.name.replace("_", ".") if is_group else f.name.replace("_", ".", 1)
        for path, meaning in _leaves(f, rows):
            found[".".join([key, *path[1:]])] = _Place(path, meaning)
    return found


def _leaves(
    group: Field[Any], rows: Sequence[NoteCategory]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield the path of each setting in *group*, with what may stand there."""
    if "doc" in group.metadata:
        yield (group.name,), group.metadata
    elif "of" in group.metadata:
        for row in rows:
            one = group.metadata["of"](row)
            if not is_dataclass(one):
                meaning = _setting(one, **group.metadata["meaning"]).metadata
                yield (group.name, row.name), meaning
            else:
                for path, meaning in _inside(one, rows):
                    yield (group.name, row.name, *path), meaning
    else:
        for path, meaning in _inside(group.default, rows):
            yield (group.name, *path), meaning


def _inside(
    held: Any, rows: Sequence[NoteCategory]
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    for f in fields(held):
        yield from _leaves(f, rows)


def _held(settings: Any, path: Sequence[str]) -> Any:
    for name in path:
        settings = settings[name] if isinstance(settings, Mapping) else getattr(settings, name)
    return settings


def _replaced(settings: Any, path: Sequence[str], value: object) -> Any:
    name, *rest = path
    changed = _replaced(_held(settings, [name]), rest, value) if rest else value
    if isinstance(settings, Mapping):
        return {**settings, name: changed}
    return replace(settings, **{name: changed})


def _plain(value: Any) -> Value:
    return list(value) if isinstance(value, tuple) else value


def _place(key: str, where: str) -> _Place:
    """Return the place of *key*. Raises `ConfigError`, naming the nearest one."""
    places, key = _places(), current_name(key)
    if key not in places:
        near = difflib.get_close_matches(key, places, n=1, cutoff=0.5)
        raise ConfigError(
            f"{where}: unknown setting {key}",
            hint=f"Did you mean {near[0]}?" if near else "`recollect config` lists them all.",
        )
    return places[key]


def _set(settings: Settings, where: str, key: str, value: object) -> Settings:
    path, meaning = _place(key, where)
    converted: Any = _converted(value, type(_held(settings, path)), where=f"{where}: {key}")
    if isinstance(converted, int | float) and not isinstance(converted, bool):
        least, most = meaning["least"], meaning["most"]
        if not least <= converted <= most:
            raise ConfigError(f"{where}: {key} must be from {least} to {most}, not {converted}")
    named = converted if isinstance(converted, tuple) else (converted,)
    unknown = [one for one in named if meaning["one_of"] and one not in meaning["one_of"]]
    if unknown:
        wanted = ", ".join(meaning["one_of"])
        raise ConfigError(f"{where}: {key} must be one of {wanted}, not {unknown[0]!r}")
    changed: Settings = _replaced(settings, path, converted)
    return changed


def _converted(value: object, kind: type, *, where: str) -> object:
    """Return *value* as a *kind*; texts come from the environment and from flags."""
    if kind is tuple:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise ConfigError(f"{where} must be a list of texts, not {value!r}")
    if kind is bool:
        words = {"true": True, "yes": True, "on": True, "1": True}
        words |= {"false": False, "no": False, "off": False, "0": False}
        found = words.get(value.lower()) if isinstance(value, str) else value
        if isinstance(found, bool):
            return found
        raise ConfigError(f"{where} must be true or false, not {value!r}")
    if kind is str:
        if isinstance(value, str):
            return value.strip()
        raise ConfigError(f"{where} must be a text, not {value!r}")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ConfigError(f"{where} must be a number, not {value!r}")
    try:
        number = float(value)
        if kind is int and number == int(number):
            return int(number)
        if kind is float:
            return number
    except (ValueError, OverflowError):
        pass
    wanted = "a whole number" if kind is int else "a number"
    raise ConfigError(f"{where} must be {wanted}, not {value!r}")


def _read(file: Path, *, largest: int = LARGEST_FILE) -> dict[str, object]:
    """Return the settings in *file* by dotted name; nothing if there is no such file."""
    try:
        found = file.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > largest:
            # A clone may bring a link to anything, `/dev/zero` for one.
            raise ConfigError(f"{file}: cannot be read: no file of settings")
        return dict(_flattened(tomllib.loads(file.read_text(encoding="utf-8")), ""))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: {error}", hint="Correct the line, or remove it.") from error


def _flattened(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _variables() -> Mapping[str, str]:
    """Return the setting that each environment variable is for."""
    return _variables_with(tuple(CATEGORIES.values()))


@cache
def _variables_with(rows: tuple[NoteCategory, ...]) -> Mapping[str, str]:
    return {variable(key): key for key in (*_places_with(rows), *RENAMED)}


def set_in(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the settings that stand in *environment*, by dotted name."""
    # Settings are read several times for each search, so nothing is looked up that is not there.
    for name, value in environment.items():
        if name.startswith(PREFIX) and name in _variables():
            yield _variables()[name], value
