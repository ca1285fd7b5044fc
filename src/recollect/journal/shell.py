"""Shell commands that mean something to a memory: what they are, and how they went.

Tests, builds, installs, commits, pushes and migrations are told by their words; whether
they worked by what they printed, because a pipe hides an exit code.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.text.sentences import cut
from recollect.transcripts.turns import ToolCall

COMMAND_KEYS = ("command", "cmd")

LONGEST_ERROR = 200

# Enough of any command or output to know how it went; patterns stay quick on the rest.
LONGEST_CALL = 50_000
LONGEST_LINE = 300
HEAD_LINES = 300
TAIL_LINES = 700

Kind = Literal["test", "build", "install", "commit", "git", "migration", "other"]

_RUNNER = re.compile(
    r"(?:[({]\s*|\w+=\S*\s+|sudo\s+|time\s+|timeout\s+\S+\s+|(?:uv|poetry|pipenv|hatch)\s+run\s+"
    r"|npx\s+(?:--?\S+\s+)*|pnpm\s+exec\s+|bundle\s+exec\s+|(?:\S*/)?python[\d.]*\s+-m\s+)+"
)
_GIT = r"git\s+(?:-[cC]\s+\S+\s+|--?[\w-]+(?:=\S+)?\s+)*"
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "test",
        re.compile(
            r"(?:\S*/)?(?:pytest|py\.test|tox|nox|unittest|jest|vitest|mocha|rspec|phpunit|ctest)\b"
            r"|(?:go|cargo|swift|dotnet|deno|bun|mix|zig|rails|playwright)\s+test\b"
            r"|cargo\s+nextest\b|(?:npm|pnpm|yarn|bun|mise)\s+(?:run\s+)?test[\w:-]*"
            r"|(?:make|just|task)\s+[\w:-]*test[\w:-]*|\S*(?:mvnw?|gradlew?)\s[^|]*\btest\b"
            r"|(?:\S*/)?python[\d.]*\s+\S*manage\.py\s+test\b"
        ),
    ),
    (
        "build",
        re.compile(
            r"(?:go|cargo|swift|dotnet|docker|zig)\s+(?:build|check)\b|(?:\S*/)?tsc\b"
            r"|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?build[\w:-]*|(?:vite|next)\s+build\b"
            r"|(?:make|just|task)(?:\s+[\w:-]*build[\w:-]*|\s*$)|cmake\s+--build\b"
            r"|\S*(?:mvnw?|gradlew?)\s[^|]*\b(?:package|build|assemble)\b"
        ),
    ),
    (
        "install",
        re.compile(
            r"(?:uv\s+)?pip[\d.]*\s+install\b|(?:uv|poetry|cargo|pdm|bundle)\s+add\b"
            r"|(?:npm|pnpm|yarn|bun)\s+(?:install|i|add)\b|go\s+get\b|gem\s+install\b"
            r"|(?:apt|apt-get|brew|dnf|apk)\s+(?:-\S+\s+)*(?:install|add)\b"
        ),
    ),
    ("commit", re.compile(rf"{_GIT}commit\b")),
    ("git", re.compile(rf"{_GIT}(?:push|merge|rebase|revert|cherry-pick)\b(?!-)")),
    (
        "migration",
        re.compile(
            r"alembic\s+(?:upgrade|downgrade)\b|(?:\S*/)?python[\d.]*\s+\S*manage\.py\s+migrate\b"
            r"|(?:\S*/)?(?:rails|rake)\s+db:\w+|prisma\s+(?:migrate|db\s+push)\b|flyway\s+migrate\b"
            r"|(?:knex|sequelize|sqlx|diesel|goose|drizzle-kit)\b.*\b(?:migrat\w*|run|up|push)\b"
        ),
    ),
)

_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?^[ \t]*\1\b", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'", re.DOTALL)
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_REDIRECTION = re.compile(r"(?:(?<!\s)\s+)?\d?(?<!>)>+\s*(?:&\d|/dev/null)")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

_VERDICTS = (
    re.compile(r"^test result: .*$", re.MULTILINE),  # cargo, a line for each crate
    re.compile(r"^[ \t]*Tests:?\s+\d.*$", re.MULTILINE),  # jest, vitest
    re.compile(r"^.*\d+ (?:passed|failed|errors?)\b.* in [\d.:]+ ?s.*$", re.MULTILINE),  # pytest
    re.compile(r"^[ \t]*\d+ (?:passing|failing)\b.*$", re.MULTILINE),  # mocha
)
_PASSED = re.compile(r"(\d+) pass(?:ed|ing)\b")
_FAILED = re.compile(r"(\d+) (?:failed|failing|errors?)\b")
_UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_UNITTEST_VERDICT = re.compile(r"^FAILED \((.+)\)", re.MULTILINE)
_UNITTEST_FAILED = re.compile(r"(?:failures|errors)=(\d+)")
_GO_PASSED = re.compile(r"^[ \t]*--- PASS: ", re.MULTILINE)
_GO_FAILED = re.compile(r"^[ \t]*--- FAIL: ", re.MULTILINE)

_EXCEPTION = re.compile(r"^[ \t]*((?:\w+\.)*\w*(?:Error|Exception)\b.*)$", re.MULTILINE)
_ERRORS = (
    re.compile(r"^E\s{2,}(\S.*)$", re.MULTILINE),  # pytest
    _EXCEPTION,
    re.compile(r"^(.*\berror(?:\[\w+\]|\s+\w+)?:.*)$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[ \t]*((?:panic|fatal|--- FAIL|FAIL(?:ED)?)\b.*)$", re.MULTILINE),
    re.compile(r"^[ \t]*(\S+:\d+(?::\d+)?:? .+)$", re.MULTILINE),  # linters
)
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code \d+\s*$")

_COMMITTED = re.compile(r"^\[([^\]\n]+?) (?:\(root-commit\) )?([0-9a-f]{7,40})\] (.+)$", re.M)
_MESSAGE = re.compile(r"\s-\w*m\s*(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL)
_HEREDOC_TEXT = re.compile(
    r"<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n(.*?)^[ \t]*\1\b", re.MULTILINE | re.DOTALL
)
_TRAILER = re.compile(r"(?:[A-Z][\w-]+-[Bb]y: |🤖|Generated with )")


class Counts(NamedTuple):
    """How many tests passed and failed."""

    passed: int
    failed: int

    def __str__(self) -> str:
        told = [(self.passed, "passed"), (self.failed, "failed")]
        return ", ".join(f"{number} {word}" for number, word in told if number) or "no tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a shell call that means something to us, and how it went."""

    kind: Kind
    program: str
    """What makes two runs the same command: `pytest`, `npm run build`."""
    line: str
    call: str
    """The whole call it was part of."""
    output: str
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit that was made."""

    subject: str
    reason: str = ""
    """What the message says below its subject."""
    hash: str = ""


def commands(call: ToolCall) -> Iterator[Command]:
    """The commands of one shell *call*; one that we cannot name counts as a whole."""
    text = text_of(call.input)[:LONGEST_CALL]
    output = _readable(call.output)
    known = False
    for line in segments(text):
        kind, program = _recognised(line)
        if kind != "other":
            known = True
            failed = _has_failed(kind, output, exited=call.failed)
            yield Command(
                kind=kind, program=program, line=line, call=text, output=output, failed=failed
            )
    if text and not known:
        whole = " ".join(text.split())
        yield Command(
            kind="other", program=whole, line=whole, call=text, output=output, failed=call.failed
        )


def error_line(output: str) -> str:
    r"""The line of *output* that says what went wrong.

    >>> error_line("Traceback …\n  File ...\nKeyError: 'id'\n")
    "KeyError: 'id'"
    """
    lines = [line for line in output.split("\n") if line.strip() and not _EXIT_CODE.match(line)]
    return error_in(output) or (cut(lines[-1], LONGEST_ERROR) if lines else "")


def error_in(text: str) -> str:
    """The line of *text* that looks like an error; empty when none does."""
    readable = _readable(text)
    for pattern in _ERRORS:
        if pattern is _EXCEPTION and (raised := exception_in(readable)):
            return raised
        if found := pattern.search(readable):
            return cut(found[1], LONGEST_ERROR)
    return ""


def exception_in(output: str) -> str:
    """The exception that *output* tells of: of a chain the last one, which was raised."""
    found = _EXCEPTION.findall(_readable(output))
    return cut(found[-1], LONGEST_ERROR) if found else ""


def counts(output: str) -> Counts | None:
    """How many tests passed and failed, where *output* says so.

    >>> str(counts("==== 2 failed, 10 passed in 0.31s ===="))
    '10 passed, 2 failed'
    """
    return _printed_counts(output) or _unittest_counts(output) or _go_counts(output)


def commit(run: Command) -> Commit | None:
    """The commit that *run* made, as git or its message tells it."""
    message = _message(run.call)
    subject, _, below = message.partition("\n")
    reason = " ".join(line for line in below.split("\n") if not _TRAILER.match(line.strip()))
    said = _COMMITTED.search(run.output)
    if said:
        return Commit(subject=said[3].strip(), reason=" ".join(reason.split()), hash=said[2])
    return Commit(subject=subject, reason=" ".join(reason.split())) if subject else None


def _printed_counts(output: str) -> Counts | None:
    for verdict in _VERDICTS:
        lines = "\n".join(verdict.findall(output))
        if lines:
            return Counts(_sum(_PASSED, lines), _sum(_FAILED, lines))
    return None


def _unittest_counts(output: str) -> Counts | None:
    if not _UNITTEST.search(output):
        return None
    failed = _sum(_UNITTEST_FAILED, " ".join(_UNITTEST_VERDICT.findall(output)))
    return Counts(_sum(_UNITTEST, output) - failed, failed)


def _go_counts(output: str) -> Counts | None:
    """Go counts its tests only when asked to name them; without a failure that says little."""
    failed = len(_GO_FAILED.findall(output))
    return Counts(len(_GO_PASSED.findall(output)), failed) if failed else None


def _sum(number: re.Pattern[str], text: str) -> int:
    return sum(map(int, number.findall(text)))


def _readable(output: str) -> str:
    lines = [line[:LONGEST_LINE] for line in _COLOUR.sub("", output).split("\n")]
    if len(lines) > HEAD_LINES + TAIL_LINES:
        cut_off = len(lines) - HEAD_LINES - TAIL_LINES
        lines = [*lines[:HEAD_LINES], f"[… {cut_off} lines cut …]", *lines[-TAIL_LINES:]]
    return "\n".join(lines)


def text_of(values: Mapping[str, object]) -> str:
    """The command line that a shell call was given."""
    given = next((values[key] for key in COMMAND_KEYS if key in values), "")
    if isinstance(given, str):
        return given
    words = [str(word) for word in given] if isinstance(given, list) else []
    return words[-1] if words[:1] in (["bash"], ["sh"], ["zsh"]) else " ".join(words)


def segments(text: str) -> Iterator[str]:
    """Yield the commands of a shell line; what is quoted or in a here-document is no command."""
    masked = _QUOTED.sub(_mask, _HEREDOC.sub(_mask, text))
    start = 0
    for separator in [*_SEPARATOR.finditer(masked), None]:
        end = separator.start() if separator else len(text)
        if segment := _REDIRECTION.sub("", text[start:end]).strip():
            yield segment
        start = separator.end() if separator else end


def _mask(found: re.Match[str]) -> str:
    return "_" * len(found[0])


def _recognised(segment: str) -> tuple[Kind, str]:
    runner = _RUNNER.match(segment)
    bare = segment[runner.end() :] if runner else segment
    for kind, pattern in _KINDS:
        for candidate in (bare, segment):
            if found := pattern.match(candidate):
                return kind, " ".join(found[0].split())
    return "other", ""


def _has_failed(kind: Kind, output: str, *, exited: bool) -> bool:
    """A pipe (`pytest | tail`) hides a failure and a later command may cause one."""
    seen = counts(output) if kind == "test" else None
    if kind == "commit" and _COMMITTED.search(output):
        return False
    return seen.failed > 0 if seen else exited


def _message(call: str) -> str:
    """What `-m` was given, also by way of a here-document."""
    start = call.find("commit")
    if heredoc := _HEREDOC_TEXT.search(call, start):
        return heredoc[2].strip()
    given = [one or two for one, two in _MESSAGE.findall(call[start:])]
    return "\n\n".join(given).strip()
