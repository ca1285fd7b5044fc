"""The tools of Codex by the names that all hosts share, so that what was done reads alike.

A patch becomes one call per file, `Write` for a new one and `Edit` for any other: whoever looks
for a file, or keeps away from it, finds its path where every host has it. A command is `Bash`,
or `Read` if all it does is show a file.
"""

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from urllib.parse import unquote

from recollect.transcripts import loose_json, shorten
from recollect.transcripts.loose_json import Object, list_of, object_of, text_of
from recollect.transcripts.readings import ToolResult
from recollect.transcripts.turns import ToolCall

SCRIPT = "exec"
"""The tool that runs JavaScript, which calls other tools in turn."""

# They ask how something else is going, which tells its own end.
_POLLING = frozenset({"write_stdin", "wait", "wait_agent", "list_agents"})
_SHELLS = frozenset({"exec_command", "shell_command", "shell", "local_shell", "container.exec"})
_SPAWN = "spawn_agent"
# Here the model writes to other agents in cipher.
_SECRETIVE = "collaboration"

_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")
_BEGIN = "*** Begin Patch"
# In a script or a command. A patch without an end takes the rest of the text with it.
_PATCH = re.compile(
    r"\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:).*?(?:^[ \t]*+\*\*\* End Patch|\Z)",
    re.DOTALL | re.MULTILINE,
)
# What the client puts in front of what a tool printed.
_HEADER = re.compile(
    r"(?:(?:Chunk ID|Wall time|Exit code|Process|Original token count|Total output lines|Script)\b"
    r"[^\n]*+\n)++Output:\n{0,2}"
)
_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d+)$", re.MULTILINE)
_REFUSED = re.compile(
    r"apply_patch verification failed|Script error:|unsupported call: |.*\naborted by user\Z"
)
# The lines of a file that stand in a refusal as well as in its patch.
_EXPECTED = re.compile(
    r"(verification failed: (?:Error: )?Failed to find expected lines in [^\n]*).*", re.DOTALL
)
# Where the patch stands, in one host or another.
_PATCH_FIELDS = ("command", "input", "patch_text", "patch")


def asked(item: Object) -> tuple[ToolCall, ...]:
    """The calls that the model asked for with *item*; none if it only looks after another."""
    call, name, namespace = (text_of(item, key) for key in ("call_id", "name", "namespace"))
    match item.get("type"):
        case "local_shell_call":
            return without_patches(_command(call, list_of(object_of(item, "action"), "command")))
        case "custom_tool_call" if name == "apply_patch":
            return patched(call, text_of(item, "input"))
        case "custom_tool_call":
            given = {"input": text_of(item, "input")}
            return without_patches(ToolCall(id=call, name=name, input=given))
        case "function_call" if name not in _POLLING:
            return _function(call, name, namespace, _arguments(item))
        case _:
            return ()


def done(item: Object) -> tuple[ToolCall, ...]:
    """The calls that *item*, which the client completed, tells of with their outcome."""
    call = text_of(item, "id")
    match item.get("type"):
        case "CommandExecution":
            ran = without_patches(_ran(call, item))
            return tuple(part.placed(_folder(item)) for part in ran)
        case "FileChange":
            return tuple(_changed(call, item))
        case "McpToolCall":
            return (_served(call, item),)
        case _:
            return ()


def result(item: Object) -> ToolResult:
    """What came of a call, as the model was given it, without the client's header."""
    text, failed = _output(item.get("output"))
    if header := _HEADER.match(text):
        code = _EXIT.search(header[0])
        failed = failed or (code is not None and code[1] != "0")
        text = text[header.end() :]
    return ToolResult(
        id=text_of(item, "call_id"),
        output=printed(text),
        failed=failed or _REFUSED.match(text) is not None,
    )


def patch_in(given: Object) -> str:
    """The patch that the tool `apply_patch` was *given*, whatever its host calls it."""
    return next(filter(None, (text_of(given, name) for name in _PATCH_FIELDS)), "")


def patched(call: str, patch: str) -> tuple[ToolCall, ...]:
    r"""One call per file that *patch* changes; one that only mentions it if none is named.

    >>> edit, = patched("c", "*** Update File: a.py\n@@\n x\n-y\n+z\n")
    >>> edit.name, edit.input["old_string"], edit.input["new_string"]
    ('Edit', 'x\ny', 'x\nz')
    """
    edits = (replace(edit, id=_part(call, place)) for place, edit in enumerate(_edits(patch)))
    whole = {"patch": _PATCH.sub("[patch]", patch)}
    return tuple(edits) or (ToolCall(id=call, name="apply_patch", input=whole),)


def without_patches(call: ToolCall) -> tuple[ToolCall, ...]:
    """*call*, a script or a command, without the patches in it; their calls follow it."""
    field = "command" if "command" in call.input else "input"
    text = text_of(dict(call.input), field)
    if f"{_BEGIN}\\n" in text:  # A string of one line, in a script.
        text = text.replace("\\n", "\n")
    patches = _PATCH.findall(text)
    if not patches:
        return (call,)
    rest = replace(call, input={**call.input, field: _PATCH.sub("[patch]", text)})
    edits = (edit for patch in patches if patch.startswith(_BEGIN) for edit in _edits(patch))
    return rest, *(
        replace(edit, id=_part(call.id, place), output=call.output, failed=call.failed)
        for place, edit in enumerate(edits, start=1)
    )


def _edits(patch: str) -> Iterator[ToolCall]:
    """What *patch* does to each file; a file is named where its name begins a line."""
    lines = patch.split("\n")
    starts = [place for place, line in enumerate(lines) if _FILE.match(line)]
    for start, end in pairwise([*starts, len(lines)]):
        named = _FILE.match(lines[start])
        assert named is not None
        kind, path = named[1], named[2].strip()
        body = lines[start + 1 : end]
        moved = _MOVED.match(body[0]) if body else None
        change: Object = {"content": _added(body)} if kind == "Add" else _old_and_new(body)
        yield _edit("", path, change, moved_to=moved and moved[1].strip())


def _function(call: str, name: str, namespace: str, arguments: Object) -> tuple[ToolCall, ...]:
    if name in _SHELLS:
        command = arguments.get("command") or arguments.get("cmd")
        ran = _command(call, command if isinstance(command, list) else [command])
        folder = text_of(arguments, "workdir")
        return tuple(part.placed(folder) for part in without_patches(ran))
    if name == "apply_patch":
        return patched(call, text_of(arguments, "input") or text_of(arguments, "patch"))
    if namespace == _SECRETIVE:
        arguments = {key: value for key, value in arguments.items() if key != "message"}
    if name == _SPAWN:
        return (ToolCall(id=call, name="Agent", input=arguments),)
    whole = f"{namespace}__{name}" if namespace.startswith("mcp__") else name
    return (ToolCall(id=call, name=whole, input=arguments),)


def _arguments(item: Object) -> Object:
    given = text_of(item, "arguments")
    try:
        return next(loose_json.objects(given.encode("utf-8", "replace")), {})
    except ValueError:
        return {"arguments": given}


def _ran(call: str, item: Object) -> ToolCall:
    command = _command(call, list_of(item, "command"))
    parts = [part for part in list_of(item, "parsed_cmd") if isinstance(part, dict)]
    if len(parts) == 1 and parts[0].get("type") == "read":
        path = os.path.join(_folder(item), text_of(parts[0], "path"))
        shown = {"file_path": os.path.normpath(path), **command.input}
        command = ToolCall(id=call, name="Read", input=shown)
    return ToolCall(
        id=call,
        name=command.name,
        input=command.input,
        output=printed(text_of(item, "aggregated_output")),
        failed=item.get("status") != "completed",
    )


def printed(text: str) -> str:
    """What a tool printed, without lines of a file that a refused patch was to change."""
    return shorten.output(_EXPECTED.sub(r"\1", text, count=1))


def _folder(item: Object) -> str:
    return unquote(text_of(item, "cwd").removeprefix("file://"))


def _command(call: str, words: Sequence[object]) -> ToolCall:
    """A command without the shell that the client starts for it."""
    texts = [word for word in words if isinstance(word, str)]
    of_shell = len(texts) == 3 and texts[1] in ("-c", "-lc")
    text = texts[2] if of_shell else texts[0] if len(texts) == 1 else shlex.join(texts)
    return ToolCall(id=call, name="Bash", input={"command": text})


def _changed(call: str, item: Object) -> Iterator[ToolCall]:
    changes = object_of(item, "changes")
    streams = (text_of(item, "stdout"), text_of(item, "stderr"))
    output = "\n".join(filter(None, streams))
    for place, path in enumerate(changes):
        change = object_of(changes, path)
        given: Object = {"content": text_of(change, "content")}
        if change.get("type") == "update":
            given = _old_and_new(text_of(change, "unified_diff").split("\n"))
        elif change.get("type") == "delete":
            given = {"old_string": text_of(change, "content"), "new_string": ""}
        edit = _edit(_part(call, place), path, given, moved_to=text_of(change, "move_path"))
        yield ToolCall(
            id=edit.id,
            name=edit.name,
            input=edit.input,
            output=shorten.output(output),
            failed=item.get("status") != "completed",
        )


def _edit(call: str, path: str, change: Object, *, moved_to: str | None) -> ToolCall:
    where: Object = {"file_path": moved_to, "moved_from": path} if moved_to else {"file_path": path}
    name = "Write" if "content" in change else "Edit"
    return ToolCall(id=call, name=name, input={**where, **change})


def _part(call: str, place: int) -> str:
    """The id of one file's part in a call; that of the first is the call's own."""
    return f"{call}:{place}" if place else call


def _old_and_new(diff: Sequence[str]) -> Object:
    old = [line[1:] for line in diff if line[:1] in (" ", "-")]
    new = [line[1:] for line in diff if line[:1] in (" ", "+")]
    return {"old_string": "\n".join(old), "new_string": "\n".join(new)}


def _added(lines: Sequence[str]) -> str:
    return "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))


def _served(call: str, item: Object) -> ToolCall:
    texts = _readable(list_of(object_of(item, "result"), "content"))
    error = item.get("error")
    trouble = text_of(error, "message") if isinstance(error, dict) else ""
    return ToolCall(
        id=call,
        name=f"mcp__{text_of(item, 'server')}__{text_of(item, 'tool')}",
        input=object_of(item, "arguments"),
        output=shorten.output("\n".join(texts) or trouble),
        failed=item.get("status") != "completed",
    )


def _output(output: object) -> tuple[str, bool]:
    """The text of a call's output, and whether an older client says that it failed."""
    if isinstance(output, list):
        return "\n".join(_readable(output)), False
    text = output if isinstance(output, str) else ""
    if not text.startswith('{"output":'):
        return text, False
    try:
        parsed = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text, False
    code = object_of(parsed, "metadata").get("exit_code")
    return text_of(parsed, "output"), isinstance(code, int) and code != 0


def _readable(parts: Sequence[object]) -> list[str]:
    """The texts among *parts*; what cannot be read is named in brackets."""
    found = []
    for part in parts:
        if isinstance(part, dict):
            kind = text_of(part, "type")
            found.append(text_of(part, "text") or ("[image]" if "image" in kind else ""))
    return [text for text in found if text.strip()]
