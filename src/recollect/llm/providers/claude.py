"""The user's own Claude Code, run without a terminal and without anything of the user's in it.

It gets no tools, settings, plugins, hooks or commands, and keeps no session. What it is given to
read comes through its standard input, since command lines are public. Of our environment it gets
a few names only, none of which logs it in: neither keys and tokens nor Bedrock and Vertex.
"""

import os
import re
import shutil
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from recollect import paths
from recollect.errors import EngineError, Failure
from recollect.llm.engine import Asked, Completion, Stop
from recollect.llm.providers import address, children, failures, text
from recollect.store.contract.state import Spent

# What the client may have of our environment: who and where we are, and the way out.
INHERITED = frozenset(
    "HOME PATH LANG TMPDIR USER LOGNAME TZ CLAUDE_CONFIG_DIR IS_SANDBOX "
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS".split()
)
PROXIES = frozenset("HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split())

FIXED = {
    paths.GUARD: "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # We ask again later, ourselves.
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",
    "CLAUDE_CODE_DISABLE_REFUSAL_RETRY": "1",
    "CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK": "1",
    # The client would send along the files that a text mentions as `@/some/file`.
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    # What is thought counts against the length of the answer, and an answer that gets too long
    # is asked for up to four times.
    "CLAUDE_CODE_DISABLE_THINKING": "1",
}

CLEAN = (
    *("-p", "--output-format", "json", "--no-session-persistence", "--strict-mcp-config"),
    *("--setting-sources", "", "--tools", "", "--disable-slash-commands"),
)

LOGIN = (
    "Log in to Claude Code (`claude`, then `/login`), or set synthesis.claude.key_file: "
    "a login by environment variables is not passed on."
)
UPDATE = "Update Claude Code (`claude update`), or set synthesis.engine to another one."


class Claude:
    """Claude Code at *executable*, a path or a name on the search path.

    Without a *key* it asks as the user who is logged in; *url* is for those who have their own
    place to ask. It works in an empty folder below Recollect's *home*: it tells the model where
    it is.
    """

    name = "claude"
    default_model = "haiku"

    def __init__(self, executable: str, *, url: str = "", key: str = "", home: str) -> None:
        self._executable = executable
        self._url = url
        self._key = key
        self._home = home
        self._children = children.Children(home)

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else."""
        try:
            ended = self._run(asked)
        except FileNotFoundError as error:
            raise self._missing() from error
        except OSError as error:
            raise self._failure(f"cannot be run: {error.strerror}", "unavailable") from error
        except ValueError:
            # Without its cause, which may quote the key.
            what = "the model or the key has a character that no program can be given"
            hint = "Check synthesis.default_model, and the key in synthesis.claude.key_file."
            raise self._failure(what, "misfit", hint=hint) from None
        match ended.end:
            case "timeout":
                raise self._failure(f"no answer within {asked.seconds:g} s", "timeout", paid=True)
            case "stopped":
                raise self._failure("the call was ended", "unavailable", paid=True)
            case "flood":
                most = f"{children.LARGEST_OUTPUT // 1_000_000} MB"
                raise self._failure(f"wrote more than {most}", "unavailable", paid=True)
        return self._read(ended, asked)

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
        self._children.stop()

    def _run(self, asked: Asked) -> children.Ended:
        mark = str(uuid.uuid4())
        env = self._environment(asked)
        program = shutil.which(self._executable, path=env.get("PATH", os.defpath))
        if program is None:
            raise self._missing()
        return self._children.run(
            [program, *_arguments(asked, self.default_model, session=mark)],
            mark=mark,
            text=harmless(text.sendable(asked.text)),
            env=env,
            folder=_empty_folder(self._home),
            seconds=asked.seconds,
        )

    def _environment(self, asked: Asked) -> dict[str, str]:
        chosen: dict[str, str] = {}
        is_remote = True
        if self._url:
            where = address.checked(self.name, self._url, key=self._key)
            chosen["ANTHROPIC_BASE_URL"] = where.url.removesuffix("/v1")
            is_remote = where.is_remote
        if self._key:
            chosen["ANTHROPIC_API_KEY"] = self._key
        chosen["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] = str(asked.most_output_tokens)
        # Should we be killed, it ends by itself.
        chosen["API_TIMEOUT_MS"] = str(int(asked.seconds * 1000) + 1000)
        return {**inherited(os.environ, proxies=is_remote), **FIXED, **chosen}

    def _read(self, ended: children.Ended, asked: Asked) -> Completion:
        report = _report(ended.output)
        if report is None:
            raise self._unreadable(ended)
        reply = report.get("result")
        stop = _stop(report)
        if (report.get("is_error") or not isinstance(reply, str)) and stop == "end":
            raise self._error(report, asked)
        return Completion(
            # Of an answer that was cut off or declined, the client tells only that.
            text=reply if isinstance(reply, str) and stop == "end" else "",
            model=_model(report) or asked.model or self.default_model,
            spent=_spent(report) or text.guessed(asked, str(reply or "")),
            stop=stop,
        )

    def _error(self, report: Mapping[str, Any], asked: Asked) -> EngineError:
        reply = str(report.get("result") or "")
        status = report.get("api_error_status")
        kind = failures.meaning_of_words(reply)
        if isinstance(status, int):
            kind = failures.meaning(status, reply, type=str(report.get("api_error_type") or ""))
        words = failures.quoted(reply, key=self._key, sent=(asked.instructions, asked.text))
        hint = LOGIN if kind == "auth" and not self._key else ""
        return self._failure(words or "gave no answer", kind, hint=hint)

    def _unreadable(self, ended: children.Ended) -> EngineError:
        """The error for a client that ended without a report."""
        if option := re.search(r"unknown option '?(--[\w-]+)", ended.errors):
            what = f"is too old, it does not know {option[1]}"
            return self._failure(what, "misfit", hint=UPDATE)
        if ended.code in (126, 127):  # What a shell says of a program that it cannot find or run.
            return self._missing()
        what = f"ended with {ended.code} and without a report"
        # One that is content with itself has probably asked the model.
        return self._failure(what, "unavailable", paid=ended.code == 0)

    def _missing(self) -> EngineError:
        hint = "Install Claude Code, or set synthesis.engine to another one."
        return self._failure(f"{self._executable} is not there", "missing", hint=hint)

    def _failure(
        self, what: str, kind: Failure, *, hint: str = "", paid: bool = False
    ) -> EngineError:
        return failures.failure("claude: Claude Code", what, kind, hint=hint, paid=paid)


def inherited(environment: Mapping[str, str], *, proxies: bool) -> dict[str, str]:
    """Return what the client may have of *environment*, with its *proxies* or without.

    >>> inherited({"HOME": "/home/ada", "LC_ALL": "C", "AWS_SECRET_ACCESS_KEY": "x"}, proxies=True)
    {'HOME': '/home/ada', 'LC_ALL': 'C'}
    """
    return {
        name: value
        for name, value in environment.items()
        if name in INHERITED or name.startswith("LC_") or (proxies and name.upper() in PROXIES)
    }


def harmless(text: str) -> str:
    r"""Return *text* so that the client takes it for words and for nothing else.

    What begins with a slash would be a command of its own, and `@/some/file` would be read, by
    clients too old to be told not to.

    >>> harmless("/clear"), harmless("See @/etc/passwd and @pytest.fixture.")
    ('\n/clear', 'See @ /etc/passwd and @pytest.fixture.')
    """
    unmentioned = re.sub(r"""@(?=["'/~.])""", "@ ", text)
    return f"\n{unmentioned}" if unmentioned.startswith("/") else unmentioned


def _arguments(asked: Asked, default_model: str, *, session: str) -> list[str]:
    return [
        *CLEAN,
        *("--model", asked.model or default_model),
        *("--system-prompt", text.sendable(asked.instructions)),
        *("--session-id", session),
    ]


def _empty_folder(home: str) -> str:
    folder = f"{paths.run(home)}/engine"
    paths.make(folder)
    return folder


def _report(output: str) -> dict[str, Any] | None:
    """What the client reports of itself; None if that is nothing to be read.

    It may stand alone, at the end of a list of all that happened, or on a line among others.
    """
    output = output.removeprefix("\ufeff").strip()
    whole = text.parsed(output)
    if whole is not None:
        return _last_report(whole if isinstance(whole, list) else [whole])
    lines = (line.strip() for line in reversed(output.split("\n")))
    found = (_last_report([text.parsed(line)]) for line in lines if line.startswith("{"))
    return next(filter(None, found), None)


def _last_report(among: Sequence[object]) -> dict[str, Any] | None:
    for one in reversed(among):
        if isinstance(one, dict) and ("result" in one or one.get("type") == "result"):
            return one
    return None


def _stop(report: Mapping[str, Any]) -> Stop:
    if report.get("stop_reason") == "refusal":
        return "refusal"
    is_cut = report.get("api_error") == "max_output_tokens"
    return "length" if is_cut or report.get("stop_reason") == "max_tokens" else "end"


def _model(report: Mapping[str, Any]) -> str:
    """The model that wrote most, as the client calls it."""
    used = report.get("modelUsage")
    if not isinstance(used, dict) or not used:
        return ""
    return str(max(used, key=lambda name: _number(used[name], "outputTokens")))


def _spent(report: Mapping[str, Any]) -> Spent | None:
    usage = report.get("usage")
    if not isinstance(usage, dict) or text.counted(usage.get("input_tokens")) is None:
        return None
    cached = _number(usage, "cache_read_input_tokens")
    return Spent(
        input_tokens=_number(usage, "input_tokens")
        + _number(usage, "cache_creation_input_tokens")
        + cached,
        output_tokens=_number(usage, "output_tokens"),
        cached_tokens=cached,
        cost=text.price(report.get("total_cost_usd")),
    )


def _number(counts: object, name: str) -> int:
    found = counts.get(name) if isinstance(counts, dict) else None
    return text.counted(found) or 0
