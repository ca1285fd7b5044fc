"""JSON-RPC as the protocol speaks it, a message a line. Part of the pipe, and pure.

What is asked and answered is mostly passed on as it is; only the ids are read and written here.
"""

from _json import encode_basestring_ascii as quoted

from recollect.hooks import payload

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603


class RpcError(Exception):
    """What cannot be done, and why: an error of JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def read(line: bytes) -> object:
    """Return the message in *line*. Raises `RpcError` if it is none."""
    try:
        return payload.whole(line.decode("utf-8", "replace"))
    except ValueError:
        raise RpcError(PARSE_ERROR, "this line is no JSON") from None


def identity(message: object) -> str:
    """Return the id of *message* in JSON; `null` if it has none that an answer could name.

    >>> identity({"id": "a"}), identity({"id": 7}), identity([])
    ('"a"', '7', 'null')
    """
    told = message.get("id") if isinstance(message, dict) else None
    if isinstance(told, str):
        return quoted(told)
    return str(told) if isinstance(told, int) and not isinstance(told, bool) else "null"


def check(message: object) -> dict[str, object]:
    """Return *message*, which is a request, a notification or an answer. Raises `RpcError`.

    >>> check({"jsonrpc": "2.0", "method": "ping", "id": 1})["method"]
    'ping'
    """
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a message is an object with "jsonrpc": "2.0"')
    if "method" not in message:
        if "result" in message or "error" in message:
            return message
        raise RpcError(INVALID_REQUEST, "a message has a method, a result or an error")
    if not isinstance(message["method"], str):
        raise RpcError(INVALID_REQUEST, "method: is no string")
    if "id" in message and identity(message) == "null":
        raise RpcError(INVALID_REQUEST, "id: is neither a string nor a whole number")
    if "id" in message and not isinstance(message.get("params", {}), dict):
        raise RpcError(INVALID_PARAMS, "params: is no object")
    return message


def is_silent(message: object) -> bool:
    """Tell whether *message* is one that nobody answers: a notification, or an answer itself."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    if "method" not in message:
        return "result" in message or "error" in message
    return isinstance(message["method"], str) and "id" not in message


def params(message: dict[str, object]) -> dict[str, object]:
    """Return the parameters of *message*."""
    told = message.get("params")
    return told if isinstance(told, dict) else {}


def answer(identity: str, body: bytes) -> bytes:
    r"""Return the answer to the request of that *identity*: *body* is its result or error.

    >>> answer("7", result(b"{}"))
    b'{"jsonrpc":"2.0","id":7,"result":{}}'
    """
    return b'{"jsonrpc":"2.0","id":%s,%s}' % (identity.encode(), body)


def result(told: bytes) -> bytes:
    """Return the body of an answer that *told* stands for, in JSON."""
    return b'"result":' + told


def error(code: int, message: str) -> bytes:
    """Return the body of an answer that says what went wrong."""
    return f'"error":{{"code":{code},"message":{quoted(message)}}}'.encode()


def failed_call(text: str) -> bytes:
    """Return the body of the answer to a call of a tool that could not be done: agents read it."""
    return result(
        f'{{"content":[{{"type":"text","text":{quoted(text)}}}],"isError":true}}'.encode()
    )
