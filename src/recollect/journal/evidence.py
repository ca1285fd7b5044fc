"""What a turn really did, read from its tool calls: files written, commands and outcomes.

Evidence, not opinion: a file counts as modified only when a tool wrote it and did not
fail, a test as passed only when its output or its exit says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from recollect.journal import shell
from recollect.journal.shell import Command, Commit
from recollect.text.sentences import cut
from recollect.transcripts.turns import ToolCall, Turn

# The tools of Claude Code, Codex and Gemini CLI.
WRITERS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace"})
READERS = frozenset({"Read", "NotebookRead", "read_file"})
SHELLS = frozenset({"Bash", "shell", "local_shell", "exec_command", "run_shell_command"})
PATCHERS = frozenset({"apply_patch"})
ASKERS = frozenset({"AskUserQuestion", "ask_user"})
PLANNERS = frozenset({"ExitPlanMode", "exit_plan_mode"})
PATH_KEYS = ("file_path", "notebook_path", "absolute_path", "path")
# Where they keep their list of tasks, and what a task says.
LIST_KEYS = ("todos", "plan")
TASK_KEYS = ("content", "step", "description")

LONGEST_COMMAND = 80
# Beside its outcome, how a command begins is enough to know it by.
LONGEST_RUN = 50
# Enough of any output or plan to find what the user said or what it is called.
LONGEST_READ = 20_000
# A longer line is code, not a value.
LONGEST_SETTING = 100

_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_ANSWER = re.compile(r"\"([^\"\n]{1,300})\"=\"([^\"]{1,600})\"")
# As the host puts it; a program that fails may print anything, but not as its first words.
_OBJECTION = re.compile(
    r"\s*The user doesn't want to .{0,600}?the user said:\s*(\S.{0,600})", re.DOTALL
)
_TASK_MADE = re.compile(r"Task #(\w+) created")
_NEW_TEXT = ("new_string", "content", "new_source")
# A name and its value: `PAGE_SIZE = 20`, `timeout: 30s`, `@max_requests 4`, `const GRACE = …`.
_SETS = re.compile(
    r"(?!(?:return|if|elif|else|case|for|while|import|from|func|def|yield|raise|sleep|exit|echo)\b)"
    r"(?P<declared>(?:(?:pub|export|static|final|const|readonly|#define)\s+)*)(?:(?:let|var|val)\s+)?"
    r"(?P<name>[@\"'$]?[A-Za-z_][\w.-]*[\"']?)(?:\s*:\s*[\w<>\[\]]+(?=\s*=))?"
    r"(?P<mark>\s*[=:]\s*|\s+)"
    r"(?P<value>[-+]?\d[\w.]*(?: [*] \d+)*|[\"'][^\"'$]{1,60}[\"']"
    r"|(?:true|false|True|False|yes|no|on|off)\b"
    r"|\w+\([\w\s=,.*]*\d[\w\s=,.*]*\)|:timer\.\w+\(\d+\))"
    r"\s*[;,)\]}]*\s*(?:(?:#|//|--).*)?$"
)
_TEST_FILE = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|fixtures?|testdata)(?:[/_.-]|$)", re.I)
_SETTINGS_FILES = (
    ".toml", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".env", ".service", ".timer", ".json",
    ".properties",
)  # fmt: skip
_NUMBER = re.compile(r"\d+(?:[.,_]\d+)*")
_NAME_WORD = re.compile(r"[a-z]{4,}")
_PLAN_TITLE = re.compile(r"^#{1,3}[ \t]+(?:(?:Implementation )?Plan:\s*)?(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Files that one tool call wrote."""

    files: tuple[str, ...]


# What only reads files may fail and matter to nobody; what only looks mends nothing.
_READS_FILES = re.compile(
    r"(?:sudo\s+)?(?:cat|ls|ll|head|tail|less|grep|rg|ag|find|fd|which|type|test|cd|echo|sed|awk"
    r"|python[\d.]*\s+-c|git\s+(?:status|log|diff|show|branch|blame|grep|rev-parse))\b"
)
_LOOKS = re.compile(
    rf"{_READS_FILES.pattern}|(?:sudo\s+)?(?:(?:ps|top|df|du|free|env|pwd|sleep|wc|file|stat|tree|date"
    r"|journalctl|dmesg|curl|wget|ping|dig|nslookup)\b|docker\s+(?:ps|logs|images|inspect)\b"
    r"|kubectl\s+(?:get|describe|logs|top)\b|systemctl\s+(?:status|is-\w+)"
    r"|\S+\s+(?:--version|-V|--help)\b)"
)
# Whoever tries more than that does not know what helped.
MOST_REMEDIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRecovery:
    """A command that failed, and passed unchanged after the *remedies* had been run."""

    failure: Command
    success: Command
    remedies: tuple[Command, ...]

    @property
    def error(self) -> str:
        """What went wrong, in one line."""
        return shell.error_line(self.failure.output)

    @property
    def proof(self) -> str:
        """How the command went in the end."""
        return _outcome(self.success) or f"`{cut(self.success.line, LONGEST_COMMAND)}` passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How one command went: its first and its last run."""

    first: Command
    last: Command

    @property
    def is_mended(self) -> bool:
        """True when it failed first and passed in the end."""
        return self.first.failed and not self.last.failed

    @property
    def line(self) -> str:
        """How it ended, and how it was before that; empty when that means nothing to a memory."""
        told = _outcome(self.last)
        if not (told and self.is_mended):
            return told
        seen = shell.counts(self.first.output) if self.first.kind == "test" else None
        return f"{told} (before: {seen or 'failed'})"

    @property
    def is_routine(self) -> bool:
        """True for a look whether all is well, and it was."""
        return self.last.kind == "build" and not self.last.failed and not self.is_mended


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A command that failed, then files were changed, then it passed."""

    failure: Command
    success: Command
    files: tuple[str, ...]
    is_slip: bool = False
    """True when the turn itself had changed something before the failure."""

    @property
    def error(self) -> str:
        """What went wrong, in one line."""
        return shell.error_line(self.failure.output)

    @property
    def is_of_code(self) -> bool:
        """True when the error points at a line of what was then changed: it will not come again."""
        return any(f"{name}:" in self.error for name in self.files)

    @property
    def proof(self) -> str:
        """How the command went in the end."""
        return _outcome(self.success) or f"`{cut(self.success.line, LONGEST_COMMAND)}` passed"

    @property
    def course(self) -> str:
        """How the command went in the end, and before."""
        return Course(first=self.failure, last=self.success).line or self.proof


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValue:
    """A value that an edit gave to a name: a constant, a default, a key of a configuration."""

    file: str
    code: str
    """The line as it was written."""
    before: str = ""
    """The line that it replaced."""

    @property
    def line(self) -> str:
        """What was set, and what it was."""
        old = f" (was `{self.before}`)" if self.before else ""
        return f"`{self.file.rpartition('/')[2]}`: `{self.code}`{old}"

    def is_told_in(self, text: str) -> bool:
        """Tell whether *text* says the value; a single digit counts only beside its name."""
        said = set(_NUMBER.findall(text))
        numbers = _NUMBER.findall(self.code.partition("#")[0])
        if not numbers:
            return self.code in text
        words = _NAME_WORD.findall(self.code.lower())
        is_named = any(word in text.lower() for word in words)
        return all(one in said and (len(one) > 1 or is_named) for one in numbers)


Step = Edit | Command

_AMENDS = re.compile(r"\s--amend\b")
# A command that brings files back to what was committed.
_RESTORES = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:(?P<all>reset\s+--hard|(?:checkout|restore)\s+(?:--\s+)?\.(?=\s|$))"
    r"|(?:checkout|restore)\s+(?P<named>[^;&|\n]+))"
)


def steps(turn: Turn) -> list[Step]:
    """The edits and commands of *turn*, in order."""
    return [step for call in turn.tools for step in _steps(call, turn.cwd)]


def modified(taken: Iterable[Step]) -> tuple[str, ...]:
    """The files that were written, each once."""
    written = (name for step in taken if isinstance(step, Edit) for name in step.files)
    return tuple(dict.fromkeys(written))


def surviving_edits(taken: Sequence[Step]) -> list[Edit]:
    """The edits of which no later command restored all files to what was committed."""
    found: list[Edit] = []
    for step in taken:
        if isinstance(step, Edit):
            found.append(step)
        elif not step.failed:
            for restored in _RESTORES.finditer(step.call):
                found = [edit for edit in found if not _is_restored(edit, restored)]
    return found


def _is_restored(edit: Edit, restored: re.Match[str]) -> bool:
    if restored["all"]:
        return True
    named = restored["named"].split()
    if "--staged" in named:
        return False
    return all(any(name.endswith(f"/{one}") or name == one for one in named) for name in edit.files)


def read(turn: Turn) -> tuple[str, ...]:
    """The files that *turn* looked into, each once."""
    calls = (call for call in turn.tools if call.name in READERS and not call.failed)
    names = (_relative(_path(call.input), turn.cwd) for call in calls)
    return tuple(dict.fromkeys(filter(None, names)))


def commands(taken: Iterable[Step]) -> list[Command]:
    """The commands among the steps *taken*."""
    return [step for step in taken if isinstance(step, Command)]


def courses(taken: Iterable[Step]) -> list[Course]:
    """How each command went that means something to a memory, in the order of their first runs."""
    runs: dict[tuple[str, str], list[Command]] = {}
    for run in commands(taken):
        runs.setdefault((run.kind, run.program), []).append(run)
    found = (Course(first=those[0], last=those[-1]) for those in runs.values())
    return [course for course in found if course.line]


def outcomes(taken: Iterable[Step]) -> list[str]:
    """How tests and builds ended, and what was installed, pushed or migrated; a line each.

    Of several runs of one program the last counts; where the first one failed and the last
    did not, both are told.
    """
    return [course.line for course in courses(taken)]


def fixes(taken: Sequence[Step]) -> list[Fix]:
    """Commands that failed and passed after an edit, each once."""
    found: dict[str, Fix] = {}
    edited = False
    for number, step in enumerate(taken):
        if isinstance(step, Edit):
            edited = True
        elif step.failed and (fix := _fix(step, taken[number + 1 :], is_slip=edited)):
            found[step.program] = fix
    return list(found.values())


def recoveries(taken: Sequence[Step]) -> list[CommandRecovery]:
    """Return the commands that failed and passed unchanged once others had been run, each once.

    Where files were changed meanwhile it is a matter of the code: see `fixes`.
    """
    found: dict[str, CommandRecovery] = {}
    for number, step in enumerate(taken):
        if isinstance(step, Edit) or not step.failed or _READS_FILES.match(step.line):
            continue
        if recovery := _recovery(step, taken[number + 1 :]):
            found[step.line] = recovery
    return list(found.values())


def commits(taken: Iterable[Step]) -> list[Commit]:
    """The commits that were made, in order; one that was amended as it is in the end."""
    found: dict[str, Commit] = {}
    for run in commands(taken):
        if run.kind != "commit" or run.failed or not (commit := shell.commit(run)):
            continue
        if found and _AMENDS.search(run.line):
            found.popitem()
        found[commit.subject] = commit
    return list(found.values())


def answers(turn: Turn) -> list[str]:
    """What the user answered when the agent asked while it worked, each with its question."""
    return [f"{question} {answer}" for question, answer in choices(turn)]


def choices(turn: Turn) -> list[tuple[str, str]]:
    """Return the questions that the agent asked while it worked, each with the user's answer."""
    asked = (call for call in turn.tools if call.name in ASKERS and not call.failed)
    pairs = (pair for call in asked for pair in _ANSWER.findall(call.output[:LONGEST_READ]))
    return list(dict.fromkeys(pairs))


def objections(turn: Turn) -> list[str]:
    """What the user said when refusing a tool call."""
    refused = (call.output[:LONGEST_READ] for call in turn.tools if call.failed)
    said = (found[1].strip() for output in refused if (found := _OBJECTION.match(output)))
    return list(dict.fromkeys(said))


def tasks(turn: Turn) -> list[str]:
    """The tasks of the agent's own list that it marked as done, in its words, each once."""
    done: dict[str, None] = {}
    subjects: dict[str, str] = {}
    for call in turn.tools:
        done |= dict.fromkeys(_done_in_list(call.input))
        if made := _TASK_MADE.match(call.output):
            subjects[made[1]] = _text(call.input.get("subject"))
        if call.input.get("status") == "completed":
            done[subjects.get(_text(call.input.get("taskId")), "")] = None
    return [task for task in done if task]


def settings(turn: Turn) -> list[SetValue]:
    """Return the values that edits of *turn* set; of one name the last. Tests set nothing."""
    found: dict[tuple[str, str], SetValue] = {}
    for call in turn.tools:
        file = _relative(_path(call.input), turn.cwd)
        if call.name not in WRITERS or call.failed or _TEST_FILE.search(file):
            continue
        for name, one in _set_in(call.input, file):
            earlier = found.pop((file, name), None)
            found[file, name] = replace(one, before=earlier.before) if earlier else one
    return sorted(found.values(), key=lambda one: not one.before)


def _set_in(values: Mapping[str, object], file: str) -> Iterator[tuple[str, SetValue]]:
    """Yield each name that an edit gives a value to, with what it is set to and was before."""
    edits = values.get("edits")
    for edit in edits if isinstance(edits, list) else [values]:
        if not isinstance(edit, Mapping):
            continue
        old = _text(edit.get("old_string"))[:LONGEST_READ].splitlines()
        new = next(filter(None, (_text(edit.get(key)) for key in _NEW_TEXT)), "")[:LONGEST_READ]
        before = {name["name"]: line.strip() for line in old if (name := _SETS.match(line.strip()))}
        for line in map(str.strip, new.splitlines()):
            name = _SETS.match(line)
            if not name or len(line) > LONGEST_SETTING or "`" in line:
                continue
            was = before.get(name["name"], "")
            if was != line and (was or _is_constant(name, file)):
                yield name["name"], SetValue(file=file, code=line, before=was)


def _is_constant(name: re.Match[str], file: str) -> bool:
    """Tell whether what is set is a choice somebody made, not the beginning of a count."""
    is_named = name["name"].isupper() or bool(name["declared"]) or name["name"].startswith("@")
    is_number = name["value"][-1].isdigit() or "(" in name["value"]
    if name["value"] in ("0", "1") and not name["name"].isupper():
        return False
    return is_named or (is_number and (file.endswith(_SETTINGS_FILES) or "=" in name["mark"]))


def replaced_texts(turns: Iterable[Turn]) -> list[tuple[str, str]]:
    """Return what each edit of *turns* took out and what it put there, as far as it is kept."""
    calls = (call for turn in turns for call in turn.tools if call.name in WRITERS)
    return [pair for call in calls if not call.failed for pair in _replaced(call.input)]


def _replaced(values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    edits = values.get("edits")
    for edit in edits if isinstance(edits, list) else [values]:
        if isinstance(edit, Mapping):
            put = next(filter(None, (_text(edit.get(key)) for key in _NEW_TEXT)), "")
            yield _text(edit.get("old_string")), put


def plan(turn: Turn) -> str:
    """The title of the last plan that the user approved; empty when there is none."""
    approved = (call for call in turn.tools if call.name in PLANNERS and not call.failed)
    texts = [_text(call.input.get("plan"))[:LONGEST_READ] for call in approved]
    titles = [found[1].strip() for text in texts if (found := _PLAN_TITLE.search(text))]
    return titles[-1] if titles else ""


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
    return next(filter(None, (_text(values.get(key)) for key in PATH_KEYS)), "")


def _relative(name: str, cwd: str) -> str:
    path = PurePosixPath(name)
    inside = name and cwd and path.is_relative_to(cwd)
    return str(path.relative_to(cwd)) if inside else name


def _done_in_list(values: Mapping[str, object]) -> Iterator[str]:
    lists = (values.get(key) for key in LIST_KEYS)
    for task in (task for tasks in lists if isinstance(tasks, list) for task in tasks):
        if isinstance(task, Mapping) and task.get("status") == "completed":
            yield next(filter(None, (_text(task.get(key)) for key in TASK_KEYS)), "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _outcome(run: Command) -> str:
    shown = f"`{cut(run.line, LONGEST_RUN)}`"
    if run.kind == "test" and (seen := shell.counts(run.output)):
        return f"{shown}: {seen}"
    if run.kind in ("test", "build") and run.failed:
        return f"{shown} failed: {shell.error_line(run.output)}".rstrip(": ")
    if run.kind in ("test", "build"):
        return f"{shown} passed"
    if run.kind in ("install", "git", "migration") and not run.failed:
        return f"ran {shown}"
    return ""


def _recovery(failure: Command, later: Sequence[Step]) -> CommandRecovery | None:
    remedies: dict[str, Command] = {}
    for step in later:
        if isinstance(step, Edit):
            return None
        if step.line == failure.line:
            if not step.failed and 0 < len(remedies) <= MOST_REMEDIES:
                return CommandRecovery(
                    failure=failure, success=step, remedies=tuple(remedies.values())
                )
            if not step.failed:
                return None
        elif not step.failed and step.kind != "commit" and not _LOOKS.match(step.line):
            remedies[step.line] = step
    return None


def _fix(failure: Command, later: Sequence[Step], *, is_slip: bool) -> Fix | None:
    edited: dict[str, None] = {}
    for step in later:
        if isinstance(step, Edit):
            edited |= dict.fromkeys(step.files)
        elif step.program == failure.program and step.failed:
            return None
        elif step.program == failure.program and edited:
            return Fix(failure=failure, success=step, files=tuple(edited), is_slip=is_slip)
    return None
