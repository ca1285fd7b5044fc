"""The documentation is complete, and what it says can be done."""

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import get_args

import click
import pytest

from recollect import config
from recollect.cli.main import cli
from recollect.errors import Failure
from recollect.hosts import home as own
from recollect.hosts.home import READING
from recollect.journal import markdown
from recollect.journal.sections import WRITTEN_AS, Anchor
from recollect.llm.retry_policy import TREATMENTS
from scripts import grammar, reference
from tests.test_architecture import LAYERS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"))]
PAGES += sorted(DOCS.rglob("*.md"))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, *languages: str) -> Iterator[str]:
    """The fenced blocks of *page* in one of *languages*."""
    for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if language in languages:
            yield text


def prose(page: Path) -> str:
    """The text of *page* without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


# What is written by the generator.


@pytest.mark.parametrize(("name", "text"), reference.pages().items(), ids=list(reference.pages()))
def test_a_generated_page_is_what_the_code_says_now(name: str, text: str) -> None:
    written = (DOCS / "reference" / name).read_text(encoding="utf-8")

    assert written == text, "run: make docs"


def test_shell_completion_knows_the_commands_as_they_are_now() -> None:
    assert grammar.FILE.read_text(encoding="utf-8") == grammar.text(), "run: make docs"


@pytest.mark.parametrize(
    "command", list(reference.tree()), ids=lambda context: context.command_path
)
def test_a_command_and_its_options_say_what_they_do(command: click.Context) -> None:
    assert command.command.help
    assert [names for names, said in reference.options(command) if not said] == []


def test_a_setting_and_an_error_say_what_they_mean() -> None:
    assert [one.key for one in config.known() if not one.doc] == []
    assert [one.__name__ for one in reference.kinds_of_error() if not one.__doc__] == []


# Links and pages.


def targets(page: Path) -> Iterator[tuple[Path, str]]:
    """The files that *page* links to, each with the part behind `#`."""
    for link in LINK.findall(prose(page)):
        if not link.startswith(("http://", "https://")):
            file, _, part = link.partition("#")
            yield (page.parent / file).resolve() if file else page, part


def slugs(page: Path) -> set[str]:
    """What the headings of *page* are called in a link."""
    headings = HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for file, part in targets(page):
        assert file.exists(), f"{page.name} links to {file}"
        assert not part or part in slugs(file), f"{page.name} links to {file.name}#{part}"


def test_every_page_can_be_reached_from_the_index() -> None:
    reached = {DOCS / "index.md"}
    waiting = [*reached]
    while waiting:
        found = {file for file, _ in targets(waiting.pop()) if file.suffix == ".md"} - reached
        reached |= found
        waiting += found

    assert {page for page in PAGES if DOCS in page.parents} - reached == set()


@each_page
def test_no_page_knows_the_machine_it_was_written_on(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert not re.search(r"(?<![\w.~-])/(?:work|root|Users)/|/tmp/docs|index-url", text)
    assert set(re.findall(r"(?<![\w.~-])/home/(\w+)", text)) <= {"ada", "you"}


# Commands.


def typed(page: Path) -> Iterator[str]:
    """What *page* tells its reader to type into a shell."""
    for text in blocks(page, "sh"):
        yield from text.splitlines()
    for text in blocks(page, "console"):
        yield from (line[2:] for line in text.splitlines() if line.startswith("$ "))


def calls(line: str) -> Iterator[list[str]]:
    """The arguments of each call of `recollect` in a *line* for the shell."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    call: list[str] = []
    for word in [*lexer, ";"]:
        if set(word) <= set("|&;"):
            while call and re.fullmatch(r"[A-Z_]+=.*", call[0]):
                del call[0]
            if call and call[0].rpartition("/")[2] == "recollect":
                yield call[1:]
            call = []
        else:
            call.append(word)


def parse(arguments: list[str]) -> None:
    """Read *arguments* as the command line would. Raises `click.UsageError` if it cannot."""
    context = click.Context(cli, info_name="recollect")
    while isinstance(group := context.command, click.Group):
        _, arguments, _ = group.make_parser(context).parse_args(arguments)
        if not arguments:
            assert group.invoke_without_command, f"{context.command_path} needs a command"
            return
        name, *arguments = arguments
        command = group.get_command(context, name)
        assert command, f"{context.command_path} has no command {name}"
        if not isinstance(command, click.Group):
            command.make_context(name, arguments, parent=context)
            return
        context = click.Context(command, info_name=name, parent=context)


@each_page
def test_every_command_to_type_is_understood(page: Path) -> None:
    for line in typed(page):
        for arguments in calls(line):
            parse(arguments)


@each_page
def test_every_command_that_is_mentioned_exists(page: Path) -> None:
    known = {context.command_path: context for context in reference.tree()}
    for mentioned in CODE.findall(prose(page)):
        if re.match(r"recollect [a-z]", mentioned):
            words = mentioned.split()
            path = " ".join(words[:3] if " ".join(words[:3]) in known else words[:2])
            assert path in known, f"no command: {mentioned}"
            names = " ".join(name for name, _ in reference.options(known[path]))
            for option in re.findall(r"--[\w-]+", mentioned):
                assert option in names, f"no option: {mentioned}"


def test_a_command_that_does_not_exist_is_noticed() -> None:
    with pytest.raises(click.UsageError):
        parse(["search", "--colour", "orders"])
    with pytest.raises(AssertionError, match="no command"):
        parse(["projects", "forget"])


# Examples.


@each_page
def test_every_example_gives_what_it_says(page: Path) -> None:
    for number, text in enumerate(blocks(page, "python")):
        name = f"{page.name}[{number}]"
        example = doctest.DocTestParser().get_doctest(text, {}, name, str(page), 0)
        assert example.examples, f"{name} has nothing to run"
        assert doctest.DocTestRunner().run(example).failed == 0


def plain(text: str) -> str:
    """*text* without what a terminal or Markdown puts around words."""
    return " ".join(re.sub(r"[─│╭╮╰╯•*`>]", " ", text).split())


def test_the_session_in_the_readme_is_what_the_demo_shows() -> None:
    (session,) = blocks(ROOT / "README.md", "console")
    command, *told = session.splitlines()

    done = subprocess.run(
        [Path(sys.executable).with_name("recollect"), "demo"],
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "1000", "PATH": "/usr/bin:/bin"},
    )

    assert command == "$ recollect demo"
    shown = plain(done.stdout)
    for line in told:
        words = re.sub(r"^\d\d:\d\d ", "", plain(line)).removesuffix("…").rstrip()
        assert words in shown


def test_the_layers_in_the_documentation_are_those_that_are_held_to() -> None:
    page = DOCS / "explanation" / "architecture.md"
    drawn = "\n".join(" | ".join(line.split()) for line in LAYERS)

    assert f"{drawn}\n" in blocks(page, "text")


def test_the_journal_in_the_reference_is_read_as_it_says() -> None:
    page = DOCS / "reference" / "journal.md"
    (example,) = blocks(page, "markdown")

    summary, entry, hand = markdown.kept(example, day=date(2026, 11, 15))

    assert [one.kind for one in (summary, entry, hand)] == ["summary", "entry", "hand"]
    assert markdown.parse_summary(summary).files_edited == ("src/orders/db.py",)
    (observation,) = markdown.parse_observations(entry)
    assert observation.type == "bugfix"
    assert len(observation.facts) == 2
    assert observation.files_read == ("tests/test_orders.py",)
    named = CODE.findall(prose(page))
    assert {WRITTEN_AS.get(field.name, field.name) for field in fields(Anchor)} <= set(named)


def test_every_hook_that_the_plugin_declares_is_in_the_reference() -> None:
    declared = json.loads(own.hook_script().with_name("hooks.json").read_text(encoding="utf-8"))
    text = prose(DOCS / "reference" / "hooks.md")

    listed = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)

    assert listed == [*declared["hooks"], READING]
    for (hook,) in declared["hooks"].values():
        assert hook["hooks"][0]["timeout"] == 5
        for tool in re.findall(r"[A-Z]\w+", hook.get("matcher", "")):
            assert f"`{tool}`" in text


def test_every_failure_of_a_model_is_explained_as_it_is_treated() -> None:
    text = prose(DOCS / "explanation" / "models.md")

    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", text, re.M)

    assert [kind for kind, *_ in rows] == list(get_args(Failure))
    for kind, turn, engine, user in rows:
        treated = TREATMENTS[kind]
        assert turn == ("has used a try" if treated.counts else "waits")
        assert engine.startswith("rests" if treated.rests else "goes on")
        assert user.startswith("are told once") == treated.needs_user
