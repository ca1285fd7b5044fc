"""What a turn really did, read from its tool calls: files written, commands and outcomes.

Evidence, not opinion: a file counts as modified only when a tool wrote it and did not
fail, a test as passed only when its output or its exit says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from recollect.synthesis import shell
from recollect.synthesis.sentences import cut
from recollect.synthesis.shell import Command, Commit
from recollect.transcripts.turns import ToolCall, Turn

# The tools of Claude Code, Codex and Gemini CLI.
WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace"})
READERS = frozenset({"Read", "NotebookRead", "read_file"})
SHELLS = frozenset({"Bash", "shell", "local_shell", "exec_command", "run_shell_command"})
PATCHERS = frozenset({"apply_patch"})
PATH_KEYS = ("file_path", "notebook_path", "absolute_path", "path")

LONGEST_COMMAND = 80

_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Files that one tool call wrote."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A command that failed, then files were changed, then it passed."""

    failure: Command
    success: Command
    files: tuple[str, ...]

    @property
    def error(self) -> str:
        """What went wrong, in one line."""
        return shell.error_line(self.failure.output)

    @property
    def proof(self) -> str:
        """How the command went in the end."""
        return _outcome(self.success) or f"`{cut(self.success.line, LONGEST_COMMAND)}` passed"


Step = Edit | Command


def steps(turn: Turn) -> list[Step]:
    """The edits and commands of *turn*, in order."""
    return [step for call in turn.tools for step in _steps(call, turn.cwd)]


def modified(taken: Iterable[Step]) -> tuple[str, ...]:
    """The files that were written, each once."""
    written = (name for step in taken if isinstance(step, Edit) for name in step.files)
    return tuple(dict.fromkeys(written))


def read(turn: Turn) -> tuple[str, ...]:
    """The files that *turn* looked into, each once."""
    calls = (call for call in turn.tools if call.name in READERS and not call.failed)
    names = (_relative(_path(call.input), turn.cwd) for call in calls)
    return tuple(dict.fromkeys(filter(None, names)))


def commands(taken: Iterable[Step]) -> list[Command]:
    """The commands among the steps *taken*."""
    return [step for step in taken if isinstance(step, Command)]


def outcomes(taken: Iterable[Step]) -> list[str]:
    """How tests and builds ended, and what was installed, pushed or migrated; a line each.

    Of several runs of one program the last counts.
    """
    last = {(run.kind, run.program): run for run in commands(taken)}
    return [line for run in last.values() if (line := _outcome(run))]


def fixes(taken: Sequence[Step]) -> list[Fix]:
    """Commands that failed and passed after an edit, each once."""
    found: dict[str, Fix] = {}
    for number, failure in enumerate(taken):
        if isinstance(failure, Command) and failure.failed:
            fix = _fix(failure, taken[number + 1 :])
            if fix:
                found[failure.program] = fix
    return list(found.values())


def commits(taken: Iterable[Step]) -> list[Commit]:
    """The commits that were made, in order."""
    made = (run for run in commands(taken) if run.kind == "commit" and not run.failed)
    found = (shell.commit(run) for run in made)
    return list({commit.subject: commit for commit in found if commit}.values())


def _steps(call: ToolCall, cwd: str) -> Iterator[Step]:
    if call.name in WRITERS | PATCHERS and not call.failed:
        names = _patched(call) if call.name in PATCHERS else [_path(call.input)]
        files = tuple(_relative(name, cwd) for name in names if name)
        if files:
            yield Edit(files=files)
    elif call.name in SHELLS:
        yield from shell.commands(call)


def _patched(call: ToolCall) -> list[str]:
    patches = (value for value in call.input.values() if isinstance(value, str))
    return [name.strip() for patch in patches for name in _PATCHED.findall(patch)]


def _path(values: Mapping[str, object]) -> str:
    named = (values.get(key) for key in PATH_KEYS)
    return next((value for value in named if isinstance(value, str) and value), "")


def _relative(name: str, cwd: str) -> str:
    path = PurePosixPath(name)
    inside = name and cwd and path.is_relative_to(cwd)
    return str(path.relative_to(cwd)) if inside else name


def _outcome(run: Command) -> str:
    shown = f"`{cut(run.line, LONGEST_COMMAND)}`"
    if run.kind == "test" and (seen := shell.counts(run.output)):
        return f"{shown}: {seen}"
    if run.kind in ("test", "build") and run.failed:
        return f"{shown} failed: {shell.error_line(run.output)}".rstrip(": ")
    if run.kind in ("test", "build"):
        return f"{shown} passed"
    if run.kind in ("install", "git", "migration") and not run.failed:
        return f"ran {shown}"
    return ""


def _fix(failure: Command, later: Sequence[Step]) -> Fix | None:
    edited: dict[str, None] = {}
    for step in later:
        if isinstance(step, Edit):
            edited |= dict.fromkeys(step.files)
        elif step.program == failure.program and step.failed:
            return None
        elif step.program == failure.program and edited:
            return Fix(failure=failure, success=step, files=tuple(edited))
    return None
