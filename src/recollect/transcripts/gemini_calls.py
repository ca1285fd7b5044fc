"""Tools of Gemini CLI in the words that all hosts share: their names, and what they answered."""

import re

from recollect.transcripts.loose_json import Object

_TOOLS = {
    "run_shell_command": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "replace": "Edit",
    "glob": "Glob",
    "grep_search": "Grep",
    "list_directory": "LS",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
}
# How this client and earlier ones call what others call otherwise.
_FIELDS = {
    "absolute_path": "file_path",
    "dir_path": "path",
    "include": "paths",
}
# `mcp_<server>_<tool>`; the client asks for names of servers without an underscore.
_SERVED = re.compile(r"mcp_(?!_)([^_]+)_(.+)")

# Around what a tool answered.
_UNTRUSTED = re.compile(r"\A<untrusted_context>\n(.*?)\n?</untrusted_context>", re.DOTALL)
# Behind what a command printed. An error is free text: only where the output is known to end.
_END = (
    r"(?:\nExit Code: (?P<code>-?\d+))?(?:\nSignal: \d+)?(?:\nBackground PIDs: [^\n]*)?"
    r"\nProcess Group PGID: \d+\s*(?:<hook_context>.*)?\Z"
)
_TRAILER = re.compile(_END, re.DOTALL)
_TRAILER_WITH_ERROR = re.compile(rf"(?:\nError: (?P<error>.*?))?{_END}", re.DOTALL)
_EMPTY = "(empty)"


def name_of(tool: str) -> str:
    """What other hosts call *tool*.

    >>> name_of("replace"), name_of("mcp_github_open_issue")
    ('Edit', 'mcp__github__open_issue')
    """
    if served := _SERVED.fullmatch(tool):
        return f"mcp__{served[1]}__{served[2]}"
    return _TOOLS.get(tool, tool)


def given(tool: str, arguments: Object) -> Object:
    """The *arguments* of *tool*, with files and folders where all hosts have them.

    >>> given("list_directory", {"dir_path": "src"})
    {'path': 'src'}
    """
    if _SERVED.fullmatch(tool):
        return arguments
    return {_FIELDS.get(name, name): value for name, value in arguments.items()}


def outcome(tool: str, text: str, *, shown: str) -> tuple[str, bool]:
    """What *tool* answered, and whether it failed: the *text* that the model was given, unwrapped.

    *shown* is what the user saw of it.
    """
    inside = _UNTRUSTED.match(text)
    text = inside[1] if inside else text
    return _ran(text, shown=shown) if tool == "run_shell_command" else (text, False)


def _ran(text: str, *, shown: str) -> tuple[str, bool]:
    """What a command printed, and whether it failed."""
    text = text.removeprefix("Output: ")
    for printed in filter(text.startswith, (shown, _EMPTY)):
        if printed and (trailer := _TRAILER_WITH_ERROR.match(text, len(printed))):
            failed = trailer["error"] not in (None, "(none)") or trailer["code"] not in (None, "0")
            return printed, failed
    if trailer := _TRAILER.search(text):
        return text[: trailer.start()], trailer["code"] not in (None, "0")
    return text, False
