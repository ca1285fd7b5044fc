r"""The line to the worker: frames over a unix socket. Part of the hot path.

A request is `verb length\n` and the bytes; a reply is `length\n` and the bytes. The
length tells a whole answer from one whose sender died. `_socket` is used directly because
`socket` costs as much to import as the interpreter to start.

In front of the reply to an agent's call stands `BEGUN`, sent before the work begins: whoever does
not hear it may ask again, and nothing is done twice.
"""

import time
from _socket import AF_UNIX, SOCK_STREAM, socket

# Nothing we send is larger; a frame that claims to be is not ours.
LARGEST_FRAME = 4 << 20


# What an agent's call is sent as, and the sign that the worker has taken it up.
AGENT = "agent"
BEGUN = b"+"


class Absent(Exception):  # noqa: N818 - a fact, not a fault
    """No worker listens there."""


def ask(path: str, verb: str, payload: bytes = b"", *, seconds: float) -> bytes | None:
    """Send *payload* and return the worker's reply; None when it takes more than *seconds*.

    Raises `Absent` when nobody listens.
    """
    deadline = time.monotonic() + seconds
    try:
        with_worker = _connected(path, seconds)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise Absent from error
    except OSError:
        return None
    try:
        with_worker.sendall(frame(verb, payload))
        return _reply(with_worker, deadline)
    except (OSError, ValueError):
        return None
    finally:
        with_worker.close()


def tell(path: str, verb: str) -> None:
    """Send *verb* without waiting for a reply. Raises `Absent` when nobody listens."""
    try:
        with_worker = _connected(path, 0.05)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise Absent from error
    except OSError:
        return
    try:
        with_worker.sendall(frame(verb, b""))
    except OSError:
        pass
    finally:
        with_worker.close()


def frame(head: str, payload: bytes) -> bytes:
    r"""Return one frame.

    >>> frame("ask", b"hi")
    b'ask 2\nhi'
    """
    return f"{head} {len(payload)}\n".lstrip().encode() + payload


def unframed(data: bytes) -> tuple[str, bytes] | None:
    r"""Return head and bytes of the frame that *data* is; None if some of it is still missing.

    Raises ValueError if it is broken.

    >>> unframed(b"ask 2\nhi"), unframed(b"ask 2\nh")
    (('ask', b'hi'), None)
    """
    head, end, payload = data.partition(b"\n")
    if not end and len(data) <= LARGEST_FRAME:
        return None
    *words, length = head.decode("ascii").split(" ")
    wanted = int(length)
    if not len(payload) <= wanted <= LARGEST_FRAME:
        raise ValueError("a frame of impossible length")
    return (" ".join(words), payload) if len(payload) == wanted else None


def read_frame(receive: "socket", deadline: float) -> tuple[str, bytes]:
    """Read one frame and return its head and bytes.

    Raises OSError or ValueError if it is broken.
    """
    data = b""
    while b"\n" not in data:
        data += _more(receive, deadline)
        if len(data) > LARGEST_FRAME:
            raise ValueError("no end of the head of a frame")
    head, _, payload = data.partition(b"\n")
    *words, length = head.decode("ascii").split(" ")
    wanted = int(length)
    if not 0 <= wanted <= LARGEST_FRAME:
        raise ValueError("a frame of impossible length")
    pieces = [payload]
    missing = wanted - len(payload)
    if missing < 0:
        raise ValueError("a frame with more than it says")
    while missing > 0:
        piece = _more(receive, deadline)
        pieces.append(piece)
        missing -= len(piece)
    return " ".join(words), b"".join(pieces)


def _connected(path: str, seconds: float) -> "socket":
    if not path:
        raise FileNotFoundError("no worker has made a socket yet")
    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.settimeout(seconds)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def _reply(connection: "socket", deadline: float) -> bytes:
    return read_frame(connection, deadline)[1]


def _more(connection: "socket", deadline: float) -> bytes:
    left = deadline - time.monotonic()
    if left <= 0:
        raise OSError("out of time")
    connection.settimeout(left)
    piece = connection.recv(1 << 16)
    if not piece:
        raise OSError("the other side hung up")
    return piece
