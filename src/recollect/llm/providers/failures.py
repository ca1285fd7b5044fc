"""What a failed call means, and what a person is told of it. Pure.

A server's own words may quote what it was sent, or the key: of them only so much is repeated as
is known to do neither.
"""

import re
from collections.abc import Iterable

from recollect.errors import EngineError, Failure
from recollect.privacy import redact

MOST_QUOTED = 200
LONGEST_LOOKED_AT = 2_000
# So many characters in common with what was sent are no coincidence.
SAME_WORDS = 24

HINTS: dict[Failure, str] = {
    "missing": "Install it, or set synthesis.engine to another one.",
    "misfit": "Check synthesis.default_model, and the engine's url.",
    "auth": "Check the key in the engine's key_file.",
    "quota": "Nothing is left to pay with: top up, wait, or set synthesis.engine to extractive.",
    "budget": "Raise synthesis.daily_tokens, or wait until tomorrow.",
    "rate-limit": "It is asked again later, by itself.",
    "unreachable": "Check the connection, that the server runs, and the engine's url.",
    "unavailable": "It is asked again later, by itself.",
    "timeout": "It is asked again later; synthesis.timeout_seconds says how long it may take.",
    "rejected": "Check synthesis.default_model: it may not take so long a text.",
    "refusal": "Nothing to do: the turn is kept without a model.",
    "unreadable": "Another synthesis.default_model may keep to the format better.",
}

BY_STATUS: dict[int, Failure] = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "misfit",
    408: "timeout",
    429: "rate-limit",
}

# A stream that has begun well has no other way to say what went wrong.
STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
}

_NOTHING_LEFT = re.compile(
    r"insufficient[ _](quota|balance|funds|credits?)|exceeded your current quota|billing"
    r"|credit balance|spend(ing)? limit|usage limit|hit your .{0,40}limit|out of .{0,20}usage",
    re.IGNORECASE,
)
_NO_SUCH_MODEL = re.compile(
    r"model_not_found|model\b.{0,80}\b(not found|does not exist|not exist)", re.IGNORECASE
)
_NOT_LOGGED_IN = re.compile(
    r"not logged in|run /login|invalid api key|oauth token|failed to authenticate", re.IGNORECASE
)
_NOBODY_THERE = re.compile(
    r"ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ConnectionRefused|can't reach",
    re.IGNORECASE,
)
_TOOK_TOO_LONG = re.compile(r"timed out|ETIMEDOUT", re.IGNORECASE)


def meaning(status: int | None, reply: str = "", *, type: str = "") -> Failure:  # noqa: A002
    """Return what it means that a server answered with *status* and this *reply*.

    *type* is the server's own name for it. Without a status, or with a good one, the name tells.

    >>> [meaning(status) for status in (307, 400, 401, 402, 404, 408, 413, 429, 500, 529)]
    ['misfit', 'rejected', 'auth', 'quota', 'misfit', 'timeout', 'rejected', 'rate-limit', \
'unavailable', 'unavailable']
    >>> meaning(429, "You exceeded your current quota"), meaning(200, type="rate_limit_error")
    ('quota', 'rate-limit')
    """
    if status is None or status < 300:
        status = STATUS_OF_TYPE.get(type, 500)
    if status < 500 and _NOTHING_LEFT.search(f"{type} {reply}"):
        return "quota"
    if status in BY_STATUS:
        return BY_STATUS[status]
    if status >= 500:
        return "unavailable"
    if status < 400 or _NO_SUCH_MODEL.search(f"{type} {reply}"):
        return "misfit"
    return "rejected"


def meaning_of_words(reply: str) -> Failure:
    """Return what this *reply* of Claude Code means, which says nothing more exact.

    >>> meaning_of_words("Not logged in · Please run /login")
    'auth'
    >>> meaning_of_words("You've hit your weekly limit · resets 3am")
    'quota'
    >>> meaning_of_words("API Error: Connection refused (ECONNREFUSED)")
    'unreachable'
    """
    if _NOTHING_LEFT.search(reply):
        return "quota"
    if _NOT_LOGGED_IN.search(reply):
        return "auth"
    if _NOBODY_THERE.search(reply):
        return "unreachable"
    return "timeout" if _TOOK_TOO_LONG.search(reply) else "unavailable"


def name_and_message(body: object) -> tuple[str, str]:
    """Return the name and the message of the error in *body*, which is what a server sent.

    >>> name_and_message({"error": {"type": "api_error", "message": "Oops"}})
    ('api_error', 'Oops')
    >>> name_and_message({"error": "no such model"})
    ('', 'no such model')
    >>> name_and_message("<html>Bad gateway</html>")
    ('', '')
    """
    found = body.get("error", body) if isinstance(body, dict) else None
    if isinstance(found, str):
        return "", found
    if not isinstance(found, dict):
        return "", ""
    name = str(found.get("code") or found.get("type") or "")
    return (name if re.fullmatch(r"[\w.-]{1,60}", name) else ""), str(found.get("message") or "")


def quoted(reply: str, *, key: str = "", sent: Iterable[str] = ()) -> str:
    r"""Return what may be repeated of a server's *reply*: one short line, or nothing.

    Neither the *key* nor anything of what was *sent* is in it.

    >>> quoted("Too long:\n 9,000 tokens")
    'Too long: 9,000 tokens'
    >>> quoted("Rejected: Fix the orders page, quickly", sent=["Fix the orders page, quickly!"])
    ''
    """
    line = " ".join(reply[:LONGEST_LOOKED_AT].split())
    if key:
        line = line.replace(key, "…")
    line = redact.clean(line)
    line = line if len(line) <= MOST_QUOTED else line[: MOST_QUOTED - 1] + "…"
    pieces = [line[at : at + SAME_WORDS] for at in range(len(line) - SAME_WORDS + 1)]
    ours = [" ".join(text.split()) for text in sent]
    return "" if any(piece in text for text in ours for piece in pieces) else line


def failure(
    where: str,
    what: str,
    kind: Failure,
    *,
    hint: str = "",
    retry_after: float | None = None,
    paid: bool = False,
) -> EngineError:
    """Return the error that says *what* went wrong *where*, with a *hint* that fits its *kind*.

    *paid*: the model was at work already.
    """
    return EngineError(
        f"{where}: {what}",
        kind=kind,
        hint=hint or HINTS[kind],
        retry_after=retry_after,
        paid=paid,
    )


def no_key(engine: str) -> EngineError:
    """Return the error of an *engine* that is to be asked far away, and has no key."""
    hint = f"Write the key into a file and set synthesis.{engine}.key_file to it."
    return failure(engine, "there is no key", "auth", hint=hint)
