"""What each session has been shown, one line a memory, in a file of its own. Hot path.

Nothing is shown twice in a session unless it changed, with a worker and without: so the hook
itself writes the lines, after it has printed. A compacted context has lost what it was given:
from then on only what follows counts.
"""

import posix

from recollect import paths
from recollect.hooks.response import HookResponse

EVENTS = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "file",
    "PostToolUse": "failure",
    "PostToolUseFailure": "failure",
    "SubagentStart": "subagent",
}
FORGOTTEN = "forgotten"
# Where a host gives nothing as a session begins: its first prompt brought what there was.
BEGUN = "begun"
FIELDS = 8
# Between what is printed, the log it is written down in, and the lines.
PART = b"\x1e"
# A log is read for each prompt; of a longer one only the end.
LARGEST = 1 << 20


def line(  # noqa: PLR0913 - one parameter a field
    at: float,
    project: str,
    session: str,
    event: str,
    id: str,  # noqa: A002 - it is the word people use
    mark: str,
    score: float,
    tokens: int,
) -> str:
    r"""Return one line of a log.

    >>> line(7, "shop-1f", "s-1", "UserPromptSubmit", "h-0011", "ab12", 0.85, 40)
    '7.000\tshop-1f\ts-1\tprompt\th-0011\tab12\t0.850\t40\n'
    """
    named = (project, session, EVENTS.get(event, event), id, mark)
    plain = "\t".join(" ".join(name.split()) for name in named)
    return f"{at:.3f}\t{plain}\t{score:.3f}\t{tokens}\n"


def event_line(at: float, project: str, session: str, event: str) -> str:
    """Return the line that says that *event* happened, when nothing was shown."""
    return line(at, project, session, event, "", "", 0.0, 0)


def of_response(response: HookResponse, *, now: float, project: str, session: str) -> str:
    """Return the lines that say what *response* shows; what was not shown needs none."""
    opening, text = response.opening, ""
    if opening:
        text = of_response(opening, now=now, project=project, session=session)
    if response.body:
        about = (now, project, session, response.event)
        of_memories = sum(one.tokens for one in response.shown)
        frame = response.tokens - of_memories
        text += line(*about, "", response.subject, 0.0, frame)
        for one in response.shown:
            text += line(*about, one.id, one.mark, one.score, one.tokens)
    return text


def whose(event: dict[str, object]) -> str:
    """Return whose context *event* is about: the session's, or that of an agent it started.

    >>> whose({"session_id": "s-1"}), whose({"session_id": "s-1", "agent_id": "a"}), whose({})
    ('s-1', 's-1.a', '')
    """
    session, agent = str(event.get("session_id") or ""), event.get("agent_id")
    return f"{session}.{agent}" if session and agent else session


def lines(path: str) -> list[list[str]]:
    """Return the fields of every whole line of the log *path*."""
    try:
        with open(path, "rb") as log:
            log.seek(max(log.seek(0, 2) - LARGEST, 0))
            text = log.read(LARGEST).decode("utf-8", "replace")
    except OSError:
        return []
    found = [one.split("\t") for one in text.split("\n")]
    return [fields for fields in found if len(fields) == FIELDS]


def marks(path: str) -> dict[str, set[str]]:
    """Return what the context of a session holds by now: the marks of each memory by its id.

    One that was only pointed at has an empty mark. The name of a file that was told of stands for
    itself.
    """
    known: dict[str, set[str]] = {}
    for _, _, _, event, id_, mark, _, _ in lines(path):
        if event == FORGOTTEN:
            known.clear()
        elif id_ or mark:
            known.setdefault(id_ or mark, set()).update(mark.split(",") if id_ else [mark])
    return known


def known_to(
    home: str, event: dict[str, object], *, opening: HookResponse | None = None
) -> dict[str, set[str]]:
    """Return the marks of what the context that *event* is about holds by now, by memory.

    With an *opening* it is about to hold that, too.
    """
    name = whose(event)
    known = marks(paths.shown(home, name)) if name else {}
    for one in opening.shown if opening else ():
        if one.mark:
            known.setdefault(one.id, set()).update(one.mark.split(","))
    return known


def has_begun(path: str) -> bool:
    """Tell whether the session of the log *path* was given what it should begin with."""
    return any(event == BEGUN for _, _, _, event, *_ in lines(path))


def packed(printed: str, path: str, added: str) -> bytes:
    """Return everything that a hook has to do as bytes: see `unpacked`."""
    output = printed.encode("utf-8", "replace")
    if not added:
        return output
    where = path.encode("utf-8", "surrogateescape")
    return PART.join((output, where, added.encode("utf-8", "replace")))


def unpacked(reply: bytes) -> tuple[bytes, bytes, bytes]:
    r"""Return what is to be printed, and the log that gets the lines.

    JSON holds no bare separator, so what is printed ends at the first.

    >>> unpacked(packed('{"a":1}', "/run/log", "line\n"))
    (b'{"a":1}', b'/run/log', b'line\n')
    """
    printed, _, rest = reply.partition(PART)
    path, _, added = rest.partition(PART)
    return printed, path, added


def append(path: bytes, added: bytes) -> None:
    """Add lines to the log *path*; one that cannot be written costs a repetition at most."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT
    try:
        try:
            log = posix.open(path, flags, 0o600)
        except FileNotFoundError:
            paths.make(path.rpartition(b"/")[0].decode("utf-8", "surrogateescape"))
            log = posix.open(path, flags, 0o600)
    except OSError:
        return
    try:
        posix.write(log, added)
    except OSError:
        pass
    finally:
        posix.close(log)
