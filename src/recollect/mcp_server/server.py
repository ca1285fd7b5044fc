"""What an agent asks, answered in the worker: a request that a pipe passed on, and what came of it.

Nothing here is heavy to load; the first call loads the rest.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.errors import RecollectError
from recollect.mcp_server import rpc
from recollect.mcp_server.rpc import RpcError

if TYPE_CHECKING:
    from recollect.mcp_server.calls import OpenApp
    from recollect.worker import agents

LONGEST_CURSOR = 9
MARKDOWN = "text/markdown"

Json = dict[str, Any]


def answered(request: bytes, open_app: "agents.Lend") -> bytes:
    """Return the body of the answer to *request*, which a pipe has passed on.

    Its first line is the context that `roots.context` tells, the second the client's own.
    """
    first, _, second = request.partition(b"\n")
    context, message = json.loads(first), json.loads(second.decode("utf-8", "replace"))
    if isinstance(message, list):
        message = message[context["place"]]
    app = partial(open_app, context["environment"])
    try:
        told = result(message["method"], message.get("params", {}), context["folder"], app)
    except RpcError as error:
        return rpc.error(error.code, error.message)
    return rpc.result(json.dumps(told, ensure_ascii=False).encode(errors="replace"))


def result(method: str, params: Mapping[str, Any], folder: str, open_app: "OpenApp") -> Json:
    """Return what *method* gives for *params*, asked in *folder*. Raises `RpcError`."""
    params = _legible(params)
    try:
        match method:
            case "tools/call":
                return _called(params, folder, open_app)
            case "resources/list":
                return _listed(params, folder, open_app)
            case "resources/read":
                return _read(params, folder, open_app)
            case _:
                return _prompt(params)
    except RpcError:
        raise
    except RecollectError as error:
        from recollect.mcp_server import calls  # noqa: PLC0415

        raise RpcError(rpc.INVALID_PARAMS, calls.explained(error)) from None
    except Exception as error:  # The edge of a request: the worker goes on.
        from recollect.mcp_server import calls  # noqa: PLC0415

        raise RpcError(rpc.INTERNAL_ERROR, calls.trouble(method, error)) from None


def _called(params: Mapping[str, Any], folder: str, open_app: "OpenApp") -> Json:
    from recollect.mcp_server import calls, tools  # noqa: PLC0415 - the heavy part of it all

    name, arguments = params.get("name"), params.get("arguments") or {}
    if name not in tools.BY_NAME:
        known = ", ".join(tools.BY_NAME)
        raise RpcError(rpc.INVALID_PARAMS, f"no tool {name!r}; there are {known}")
    if not isinstance(arguments, dict):
        raise RpcError(rpc.INVALID_PARAMS, "arguments: is no object")
    answer = calls.answer(name, arguments, folder=folder, open_app=open_app)
    told: Json = {"content": [{"type": "text", "text": answer.text}], "isError": answer.failed}
    return {**told, "structuredContent": answer.data} if answer.data else told


def _listed(params: Mapping[str, Any], folder: str, open_app: "OpenApp") -> Json:
    from recollect.mcp_server import pages  # noqa: PLC0415

    start = _place(params["cursor"]) if params.get("cursor") else 0
    found, following = pages.listed(folder=folder, start=start, open_app=open_app)
    resources = [
        {"uri": one.uri, "name": one.name, "title": one.title, "mimeType": MARKDOWN}
        for one in found
    ]
    return {"resources": resources} | ({"nextCursor": str(following)} if following else {})


def _place(cursor: object) -> int:
    """Return where the pages begin that *cursor* names. Raises `RpcError` if it is none of ours."""
    is_ours = isinstance(cursor, str) and cursor.isascii() and cursor.isdigit()
    if not (is_ours and len(str(cursor)) <= LONGEST_CURSOR):
        raise RpcError(rpc.INVALID_PARAMS, "no such cursor; leave it out for the first pages")
    return int(str(cursor))


def _read(params: Mapping[str, Any], folder: str, open_app: "OpenApp") -> Json:
    from recollect.mcp_server import pages  # noqa: PLC0415

    uri = params.get("uri")
    if not isinstance(uri, str):
        raise RpcError(rpc.INVALID_PARAMS, "resources/read needs a uri")
    text = pages.read(uri, folder=folder, open_app=open_app)
    return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}


def _prompt(params: Mapping[str, Any]) -> Json:
    from recollect.mcp_server import tools  # noqa: PLC0415

    (recall,) = tools.PROMPTS
    if params.get("name") != recall["name"]:
        raise RpcError(rpc.INVALID_PARAMS, f"no prompt {params.get('name')!r}; there is recall")
    topic = str((params.get("arguments") or {}).get("topic", "")).replace("<", "&lt;").strip()
    if not topic:
        raise RpcError(rpc.INVALID_PARAMS, "recall needs a topic")
    text = (
        "What do we know from earlier sessions about the topic between the tags?\n"
        f"<topic>\n{topic}\n</topic>\n"
        "Use recollect: search, expand what may matter, transcript only if that is not enough."
        " Answer shortly, with dates and ids, and say plainly what is not remembered."
    )
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": recall["description"], "messages": [message]}


def _legible(told: Any) -> Any:
    """Return *told* without halves of characters: clients send them, databases do not take them."""
    if isinstance(told, str):
        return told.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(told, dict):
        return {_legible(name): _legible(value) for name, value in told.items()}
    return [_legible(value) for value in told] if isinstance(told, list) else told
