"""Write the pages of the documentation that follow from the code: commands, settings, prompts.

`python -m scripts.reference docs/reference` writes them; a test compares them with what
this module would write now, so that none falls behind.
"""

import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel

from recollect import config, errors, tokens
from recollect.cli import catalogue
from recollect.cli.main import cli
from recollect.errors import RecollectError
from recollect.llm import prompts
from recollect.llm.engine import Asked
from recollect.notes import note_model
from recollect.notes.categories import CATEGORIES
from recollect.privacy import kinds
from scripts import json_shapes, worked_example

GENERATED = "<!-- Written by `make docs`: change the code, not this page. -->"

COMMANDS = """\
Every command takes `-h` or `--help`. `recollect -s KEY=VALUE COMMAND` sets a
[setting](settings.md) for one call. With `--json` commands print [JSON](json.md).

{groups}

Short names: {aliases}.

[Tab completes](../how-to/switch-on-and-off.md#tab-completion) commands, options, projects, settings
and the ids of memories and notes."""

SETTINGS = """\
Defaults live in the code. You write down only what you change; later layers win:

1. `config.toml` in Recollect's home (`recollect config path` prints where)
2. `projects/<project>/config.toml` in Recollect's home: yours, for one project
3. environment variables
4. `recollect -s KEY=VALUE COMMAND`, for one call

`recollect config set KEY VALUE` writes the first, with `--project NAME` the second. In the file,
the part before the dot is a section:

```toml
[recall]
limit = 3

[capture]
exclude_paths = ["~/private/*", "*.pem"]
```

In the environment and on the command line, commas separate the items of a list, and a switch is
`true` or `false`. The worker serves many sessions and takes no setting from the environment of one:
a session with settings of its own answers its prompts without the worker.

A repository's own `{file}` arrives with a clone. It may hold {keys};
its exclusions are added to yours. Anything else in it is left out; `recollect doctor` says so."""

NO_SETTINGS = """\
## Variables that are not settings

| variable | meaning |
| --- | --- |
| `RECOLLECT_HOME` | Where everything is kept; `~/.recollect` without it. |
| `RECOLLECT_DEBUG` | Set to `1`: logs and hooks tell errors in full, which may quote memories. |
| `RECOLLECT_GUARD` | Set to anything: hooks do nothing, for agents that your own scripts start. |
| `NO_COLOR` | No colours on the terminal. |"""

NOTES = """\
A note is a Markdown file with YAML front matter. Metadata and short fields (`status`, `severity`,
…) stand in the front matter; each longer field has a section of its own below the title:

```markdown
---
schema_version: '1.0'
category: decision
id: postgres-for-orders
title: Postgres for orders
created_at: 2026-11-15T13:32:07Z
updated_at: 2026-11-15T13:32:07Z
tags:
  - postgres
status: accepted
---
# Postgres for orders

## Decision

Orders live in Postgres.

## Context

The orders page was slow.

## Rationale

- It has partial indexes
```

Keys and sections that Recollect does not know, comments and your formatting stay as they are when
it writes. A file that cannot be read as a note is left alone; `recollect status` says where and
what to do. The same as JSON Schema: `docs/reference/schemas/`."""

ERRORS = """\
An error that you can do something about is two lines on standard error, without a traceback: where
and what, then what to do. The exit code is 1; wrong usage of a command is 2. Hooks never fail: they
exit with 0 whatever happens."""

PROMPTS = """\
Every word that a model is told by Recollect, where one is [switched on](../how-to/use-a-model.md).
What is sent with it, to whom, and how the answer is checked:
[models](../explanation/models.md).

Each prompt is a file in `src/recollect/llm/prompts/`, with a version that changes with its
words. An entry that a model wrote names the model and the version of `observe`:
`claude-haiku-5-5/1`. What another model or prompt made, `recollect resynthesise` makes anew."""

ASSEMBLED = """\
`observe` is the frame. `{{objects}}` is filled with `observations`, with `summary` when the
session's last turn is among those sent, and with `notes`, as far as notes may be made unasked; in
`notes`, `{{categories}}` is filled with a line for each such category. `{{language}}` is one line
if `synthesis.language` is set, and nothing otherwise. `verify` and `answer` stand alone."""

USED_FOR = {
    "observe": "The frame of what is asked about finished turns.",
    "observations": "The part of it that asks what happened.",
    "summary": "The part of it that asks how the session stands.",
    "notes": "The part of it that asks what holds from now on.",
    "verify": "The second look at a note, if `synthesis.verify` is on.",
    "answer": "For `recollect ask`.",
}

EXAMPLE = """\
The page's generator runs the real code on a made-up session of two turns. The first prompt held
`<private>The customer is Globex.</private>` and `password=hunter2`; look for them below. All
settings have their defaults. By our estimate, which takes three characters for a token, the
instructions are {instructions:,} tokens and the text is {text:,}; together they may be
{most:,} (`synthesis.max_input_tokens`)."""

EXAMPLE_ANSWER = """\
Made up as well, with two things in it that the turns do not say: a time of 180 ms, and a file
that no tool wrote."""

EXAMPLE_KEPT = """\
In the journal, with `by` {by} in its anchor. Dropped: {dropped}."""

EXAMPLE_VERIFY = """\
With `synthesis.verify`, which is off by default, a second call asks about the note in the answer
above. The instructions are [`verify`](#verify), unchanged: {instructions:,} tokens. The text is the
note as it was drafted and the turns, without what was known before: {text:,} tokens."""

EXAMPLE_ASK = """\
For `recollect ask`, when the search finds what the journal has of the two turns. The instructions
are [`answer`](#answer), unchanged: {instructions:,} tokens. The text is the question, the memories,
and what was searched for: {text:,} tokens."""


SECRETS = """\
The kinds of secrets that give themselves away by their shape, as they stand in `[secret:<kind>]`.
Where nothing is said of a beginning, the kind has a shape of its own, or what stands near tells.
What else is found is in [what is kept](../explanation/what-is-kept.md#what-is-cut-out)."""


def pages() -> dict[str, str]:
    """Return every generated page by the name of its file."""
    return {
        "cli.md": _page("Commands", _commands()),
        "json.md": _page("What --json prints", json_shapes.parts()),
        "settings.md": _page("Settings", _settings()),
        "errors.md": _page("Errors", _errors()),
        "notes.md": _page("Notes", _notes()),
        "prompts.md": _page("Prompts", _prompts()),
        "secrets.md": _page("Secrets", _secrets()),
        **{
            f"schemas/{category}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
            for category, schema in note_model.schemas().items()
        },
    }


def main(arguments: list[str]) -> None:
    """Write the pages into the folder that *arguments* name."""
    (folder,) = map(Path, arguments)
    (folder / "schemas").mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def tree(context: click.Context | None = None) -> Iterator[click.Context]:
    """Return a context for each command: the one of *context*, then all below it by name."""
    context = context or click.Context(cli, info_name="recollect")
    yield context
    group = context.command
    if isinstance(group, click.Group):
        for name in sorted(group.list_commands(context)):
            if command := group.get_command(context, name):
                yield from tree(click.Context(command, info_name=name, parent=context))


def options(context: click.Context) -> list[tuple[str, str]]:
    """Return the options of a command, each with its help; `--help` is the same everywhere."""
    found = (one for one in context.command.params if isinstance(one, click.Option))
    return [record for one in found if (record := one.get_help_record(context))]


def kinds_of_error() -> list[type[RecollectError]]:
    """Return every error there is, in the order in which they are defined."""
    found = (one for one in vars(errors).values() if isinstance(one, type))
    return [one for one in found if issubclass(one, RecollectError)]


def _commands() -> Iterator[str]:
    groups = (
        (heading, ", ".join(f"[`{name}`](#recollect-{name})" for name, _, _ in commands))
        for heading, commands in catalogue.GROUPS
    )
    short = ", ".join(f"`{alias}` ({name})" for alias, name in catalogue.ALIASES.items())
    yield COMMANDS.format(groups=_table(("group", "commands"), groups), aliases=short)
    for context in tree():
        level = "###" if context.parent and context.parent.parent else "##"
        yield f"{level} {context.command_path}"
        yield f"```text\n{_usage(context)}\n```"
        yield inspect.cleandoc(context.command.help or "")
        if rows := [(f"`{names}`", said) for names, said in options(context)]:
            yield _table(("option", "meaning"), rows)


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _settings() -> Iterator[str]:
    keys = " and ".join(f"`{key}`" for key in config.REPOSITORY_MAY_SET)
    yield SETTINGS.format(file=config.REPOSITORY_FILE, keys=keys)
    rows = (
        (f"`{one.key}`", _shown(one.default), f"`{config.variable(one.key)}`", one.doc)
        for one in config.known()
    )
    yield _table(("setting", "default", "environment variable", "meaning"), rows)
    yield NO_SETTINGS


def _shown(value: config.Value) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value not in ([], "") else "none"


def _errors() -> Iterator[str]:
    yield ERRORS
    rows = ((f"`{one.__name__}`", one.__doc__ or "") for one in kinds_of_error())
    yield _table(("error", "meaning"), rows)


def _notes() -> Iterator[str]:
    yield NOTES
    yield "## Every note"
    yield _table(("field", "kind", "meaning"), _fields(note_model.Note, without=("content",)))
    for category, row in CATEGORIES.items():
        model = note_model.content_model(category)
        yield f"## {category}"
        yield f"{row.description} In `{row.folder}/`."
        yield _table(("field", "kind", "meaning"), _fields(model))


def _secrets() -> Iterator[str]:
    yield SECRETS
    begins = kinds.beginnings()
    rows = (
        (f"`{name}`", ", ".join(f"`{one}`" for one in begins.get(name, []) if len(one) <= 16))
        for name in kinds.names()
    )
    yield _table(("kind", "begins with"), rows)


def _prompts() -> Iterator[str]:
    yield PROMPTS
    files = [Path(file.name) for file in resources.files(prompts).iterdir()]
    # A prompt that nothing is said of here is an error, not a gap.
    names = sorted((one.stem for one in files if one.suffix == ".md"), key=list(USED_FOR).index)
    known = [(name, prompts.load(name), USED_FOR[name]) for name in names]
    rows = ((f"[`{name}`](#{name})", str(one.version), used) for name, one, used in known)
    yield _table(("prompt", "version", "used"), rows)
    yield ASSEMBLED
    for name, one, used in known:
        yield f"## {name}"
        yield f"Version {one.version}. {used}"
        yield _verbatim(one.text)
    yield from _worked()


def _worked() -> Iterator[str]:
    shown = worked_example.example()
    yield "## A call, word for word"
    most = config.Settings().synthesis_max_input_tokens
    yield EXAMPLE.format(**_sizes(shown.observe), most=most)
    yield "### The instructions"
    yield _verbatim(shown.observe.instructions)
    yield "### The text"
    yield _verbatim(shown.observe.text)
    yield "### An answer"
    yield EXAMPLE_ANSWER
    yield _verbatim(shown.answer)
    yield "### What is kept of it"
    dropped = ", ".join(f"{count} {what}" for what, count in shown.dropped.items())
    yield EXAMPLE_KEPT.format(by=f"`{shown.by}`", dropped=dropped)
    yield _verbatim("\n\n".join(shown.entries))
    yield _table(
        ("note", "whose word it is"),
        ((title, f"the {grounds}'s") for title, grounds in shown.notes.items()),
    )
    yield "## A check, word for word"
    yield EXAMPLE_VERIFY.format(**_sizes(shown.verify))
    yield _verbatim(shown.verify.text)
    yield "## A question, word for word"
    yield EXAMPLE_ASK.format(**_sizes(shown.ask))
    yield _verbatim(shown.ask.text)


def _sizes(asked: Asked) -> dict[str, int]:
    """Return how many tokens the two texts of a call are."""
    return {
        "instructions": tokens.estimate(asked.instructions),
        "text": tokens.estimate(asked.text),
    }


def _verbatim(text: str) -> str:
    return f"```text\n{text.strip()}\n```"


def _fields(
    model: type[BaseModel], without: tuple[str, ...] = ()
) -> Iterator[tuple[str, str, str]]:
    schema = model.model_json_schema()
    for name, field in model.model_fields.items():
        if name not in without:
            need = "**required**" if field.is_required() else ""
            kind = _kind(schema["properties"][name], schema.get("$defs", {}))
            yield f"`{name}`", f"{kind} {need}".strip(), field.description or ""


def _kind(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Return in a few words what may stand in a field."""
    if "anyOf" in schema:
        return _kind(next(one for one in schema["anyOf"] if one.get("type") != "null"), parts)
    if "$ref" in schema:
        named = parts[schema["$ref"].rpartition("/")[2]]
        return f"table of {', '.join(f'`{name}`' for name in named['properties'])}"
    if choices := schema.get("enum") or [schema[key] for key in ("const",) if key in schema]:
        return " or ".join(f"`{value}`" for value in choices)
    if schema.get("type") == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        least = " (at least one)" if schema.get("minItems") else ""
        return f"list{least}{most}: {_kind(schema['items'], parts)}"
    return _plain_kind(schema)


def _plain_kind(schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "date-time":
        return "time"
    longest = f", at most {schema['maxLength']:,} characters" if "maxLength" in schema else ""
    kinds = {"boolean": "`true` or `false`", "integer": "whole number", "object": "table"}
    kind = str(schema.get("type", "string")).replace("string", "text")
    return kinds.get(kind, kind) + longest


def _page(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([GENERATED, f"# {title}", *parts]) + "\n"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    main(sys.argv[1:])
