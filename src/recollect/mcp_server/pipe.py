"""The process of one session: a pipe between its standard streams and the worker.

A session starts it whether or not it ever calls a tool, so it imports as little as a hook. It is
one loop over what is ready to be read or written, without threads. What never changes it answers
by itself. Calls survive a worker that leaves: they are asked again, unless one that changes
something may have been done already. Standard output holds the protocol alone.
"""

import posix
import select
import time
from _signal import SIGINT, SIGTERM, signal  # type: ignore[import-not-found]
from _socket import AF_UNIX, SOCK_STREAM, socket

from recollect import line, paths
from recollect.mcp_server import listings, roots, rpc

FORWARDED = ("tools/call", "resources/list", "resources/read", "prompts/get")
# What must not be done twice.
CHANGING = ("remember", "revise", "forget")

# So long a worker may take to be there, and then to answer.
SECONDS_FOR_A_WORKER = 15.0
SECONDS_FOR_AN_ANSWER = 90.0
SECONDS_FOR_ROOTS = 1.0
# Between two looks for a worker that is about to be there.
SECONDS_BETWEEN_LOOKS = 0.02
# After so many workers that went away over a call, it is perhaps the call.
MOST_WORKERS = 3

# A longer line is not even kept. One that does not fit into a frame is answered by its id.
LONGEST_LINE = 4 * line.LARGEST_FRAME
LONGEST_REQUEST = line.LARGEST_FRAME - (1 << 16)
CHUNK = 1 << 16

STDIN, STDOUT = 0, 1

DOCTOR = "The user can run: recollect doctor"
TOO_SLOW = "The memory did not answer in time. Try again in a moment."
UNKNOWN = (
    "The memory began this and never said that it was done, so it may be done or not."
    " Search for it before you ask again."
)


def run() -> None:
    """Serve the client that started this process, until it hangs up or tells us to leave."""
    for number in (SIGINT, SIGTERM):
        signal(number, _leave)
    pipe = Pipe()
    while pipe.turn():
        pass


class Batch:
    """Requests that came together, whose answers go together."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.missing = 0
        self.is_read = False


class PipedCall:
    """One request on its way to the worker and back: of a *batch*, the one in that *place*."""

    def __init__(
        self, message: dict[str, object], text: bytes, *, batch: Batch | None, place: int
    ) -> None:
        self.identity = rpc.identity(message)
        self.text = text
        self.batch = batch
        self.place = place
        self.is_for_a_tool = message["method"] == "tools/call"
        self.changes = self.is_for_a_tool and rpc.params(message).get("name") in CHANGING
        self.folder = ""
        self.until = time.monotonic() + SECONDS_FOR_AN_ANSWER
        self.workers = 0
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget the worker that was asked, if one was."""
        self.connection: socket | None = None
        self.unsent = b""
        self.has_begun = False
        self.received = bytearray()
        self.has_started_a_worker = False
        self.worker_until = 0.0
        self.look_at = 0.0

    def hang_up(self) -> None:
        """Let go of the worker."""
        if self.connection:
            self.connection.close()
        self.connection = None

    def pause(self) -> None:
        """Look for a worker in a moment."""
        self.look_at = time.monotonic() + SECONDS_BETWEEN_LOOKS


class Pipe:
    """The loop: what came from the client, where it works, and the calls at hand."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._version = ""
        self._calls: list[PipedCall] = []
        self._client_knows_roots = False
        self._folder = ""
        self._asked_for_roots = 0
        self._roots_until = 0.0
        self._worker = 0
        self._failed = ""

    def turn(self) -> bool:
        """Wait for something and do it; False when the client has hung up."""
        ready = self._wait()
        is_there = self._read() if STDIN in ready else True
        if self._roots_until and time.monotonic() > self._roots_until:
            self._settle_roots("")
        for call in list(self._calls):
            if call.folder:
                self._go_on(call, ready)
        return is_there

    def _wait(self) -> list[int]:
        """Return the descriptors that are ready, or none when it is time to look."""
        poll = select.poll()
        poll.register(STDIN, select.POLLIN)
        times = [self._roots_until] if self._roots_until else []
        for call in self._calls:
            times.append(call.until)
            if call.connection:
                wanted = select.POLLOUT if call.unsent else select.POLLIN
                poll.register(call.connection.fileno(), wanted)
            elif call.folder:
                times.append(call.look_at)
        left = max(min(times) - time.monotonic(), 0) * 1000 + 1 if times else None
        return [descriptor for descriptor, _ in poll.poll(left)]

    # From the client.

    def _read(self) -> bool:
        """Take what came; False when that was the end."""
        try:
            chunk = posix.read(STDIN, CHUNK)
        except BlockingIOError:
            return True
        except OSError:  # Closed from the start.
            return False
        *ended, rest = chunk.split(b"\n")
        for piece in ended if chunk else [b""]:
            self._keep(piece)
            text, size = b"".join(self._pieces).strip(), self._size
            self._pieces, self._size = [], 0
            if size > LONGEST_LINE:
                self._complain("null", rpc.INVALID_REQUEST, "this line is too long", None)
            elif text:
                self._take(text)
        self._keep(rest)
        return bool(chunk)

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= LONGEST_LINE:
            self._pieces.append(piece)

    def _take(self, text: bytes) -> None:
        try:
            message = rpc.read(text)
        except rpc.RpcError as error:
            self._complain("null", error.code, error.message, None)
            return
        if not isinstance(message, list) or self._version != listings.WITH_BATCHES or not message:
            self._hear(message, text)
            return
        batch = Batch()
        for place, one in enumerate(message):
            self._hear(one, text, batch, place)
        batch.is_read = True
        self._send_batch(batch)

    def _hear(
        self, message: object, text: bytes, batch: Batch | None = None, place: int = 0
    ) -> None:
        """Answer *message*, or see to it that it is answered; *text* is the line it came in."""
        identity = rpc.identity(message)
        if batch and not rpc.is_silent(message):
            batch.missing += 1
        try:
            told = rpc.check(message)
            if "method" not in told:
                self._hear_answer(told)
            elif "id" not in told:
                self._note(str(told["method"]), rpc.params(told))
            elif told["method"] in FORWARDED:
                self._pass_on(PipedCall(told, text, batch=batch, place=place))
            else:
                self._reply(identity, rpc.result(self._known(told)), batch)
        except rpc.RpcError as error:
            self._complain(identity, error.code, error.message, batch)

    def _known(self, asked: dict[str, object]) -> bytes:
        """Return the result of what is answered here. Raises `RpcError`."""
        method = str(asked["method"])
        if method in listings.FILES:
            return listings.listed(method)
        if method == "ping":
            return b"{}"
        if method != "initialize":
            raise rpc.RpcError(rpc.METHOD_NOT_FOUND, f"no method {method[:100]}")
        told = rpc.params(asked)
        able = told.get("capabilities")
        self._client_knows_roots = isinstance(able, dict) and isinstance(able.get("roots"), dict)
        self._version = listings.agreed(told.get("protocolVersion"))
        return listings.hello(self._version)

    def _note(self, method: str, told: dict[str, object]) -> None:
        """Do what a notification asks for."""
        if method == "notifications/roots/list_changed":
            self._folder = ""
        elif method == "notifications/cancelled":
            wanted = rpc.identity({"id": told.get("requestId")})
            for call in [one for one in self._calls if one.identity == wanted]:
                self._drop(call)
                if call.batch:
                    call.batch.missing -= 1
                    self._send_batch(call.batch)

    # Where the client works.

    def _where(self) -> str:
        """Return the folder that the client works in; empty while it is asked for that."""
        if not self._client_knows_roots:
            return roots.started_in()
        if not self._folder and not self._roots_until:
            self._asked_for_roots += 1
            self._roots_until = time.monotonic() + SECONDS_FOR_ROOTS
            identity = self._roots_identity()
            self._send(f'{{"jsonrpc":"2.0","id":{identity},"method":"roots/list"}}'.encode())
        return self._folder

    def _hear_answer(self, told: dict[str, object]) -> None:
        """Take the roots that were asked for; an answer that comes too late is none."""
        if self._roots_until and rpc.identity(told) == self._roots_identity():
            self._settle_roots(roots.first_folder(told.get("result")))

    def _settle_roots(self, folder: str) -> None:
        """Let the calls go that waited for it; a client that named none is asked the next time."""
        self._roots_until = 0.0
        self._folder = folder
        for call in self._calls:
            call.folder = call.folder or folder or roots.started_in()

    def _roots_identity(self) -> str:
        return f'"recollect-roots-{self._asked_for_roots}"'

    # To the worker and back.

    def _pass_on(self, call: PipedCall) -> None:
        if len(call.text) > LONGEST_REQUEST:
            most = f"{line.LARGEST_FRAME >> 20} MB are the most"
            raise rpc.RpcError(rpc.INVALID_PARAMS, f"this request is too long; {most}")
        self._calls.append(call)
        call.folder = self._where()

    def _go_on(self, call: PipedCall, ready: list[int]) -> None:
        """Take *call* a step further, if it can be."""
        now = time.monotonic()
        if now > call.until:
            may_be_done = call.has_begun and call.changes
            self._fail(call, UNKNOWN if may_be_done else TOO_SLOW)
        elif call.connection is None:
            if now >= call.look_at:
                self._connect(call)
        elif call.connection.fileno() in ready:
            try:
                self._exchange(call)
            except BlockingIOError:
                return
            except (OSError, ValueError):  # It hung up, or is none of ours.
                self._lost(call)

    def _connect(self, call: PipedCall) -> None:
        call.pause()
        call.worker_until = call.worker_until or time.monotonic() + SECONDS_FOR_A_WORKER
        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.settimeout(0)
        try:
            place = paths.socket(paths.home())
            if not place:
                raise FileNotFoundError("no worker has made a socket yet")
            connection.connect(place)
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            self._await_worker(call)
        except BlockingIOError:  # Very many ask at once.
            connection.close()
        except OSError as error:
            connection.close()
            self._fail(call, f"The memory cannot be reached: {error}. {DOCTOR}")
        else:
            context = roots.context(call.folder, place=call.place)
            call.connection = connection
            call.unsent = line.frame(line.AGENT, context + b"\n" + call.text)

    def _await_worker(self, call: PipedCall) -> None:
        """See to it that a worker is there soon, or say why none can be."""
        from recollect.hooks import wake  # noqa: PLC0415 - takes `os`; mostly a worker is there

        home = paths.home()
        if self._has_failed():
            self._failed = wake.last_words(home) or "it ended at once"
        # While one of ours is on its way, or about to leave, another would be in vain.
        if not call.has_started_a_worker and not self._worker:
            call.has_started_a_worker = True
            self._failed = ""
            try:
                self._worker = wake.start_anew(home)
            except OSError as error:
                self._failed = str(error)
        if self._failed or time.monotonic() > call.worker_until:
            why = self._failed or f"none was there after {SECONDS_FOR_A_WORKER:.0f} s"
            self._fail(call, f"The memory's worker cannot be started: {why}. {DOCTOR}")

    def _has_failed(self) -> bool:
        """Bury our worker if it has ended; tell whether it failed.

        One that found another at work has left without a fault.
        """
        if not self._worker:
            return False
        try:
            ended, status = posix.waitpid(self._worker, posix.WNOHANG)
        except ChildProcessError:
            ended, status = self._worker, 0
        if ended:
            self._worker = 0
        return bool(ended and status)

    def _exchange(self, call: PipedCall) -> None:
        """Send what is left of the request, or take what there is of the answer."""
        assert call.connection
        if call.unsent:
            call.unsent = call.unsent[call.connection.send(call.unsent) :]
            return
        piece = call.connection.recv(CHUNK)
        if not piece:
            self._lost(call)
            return
        if not call.has_begun:
            if not piece.startswith(line.BEGUN):
                self._outlast(call)
                return
            call.has_begun = True
            piece = piece[len(line.BEGUN) :]
        call.received += piece
        if frame := line.unframed(bytes(call.received)):
            self._drop(call)
            self._reply(call.identity, frame[1], call.batch)

    def _lost(self, call: PipedCall) -> None:
        """Ask again, unless that could do something twice."""
        begun = call.has_begun
        call.hang_up()
        call.begin_anew()
        call.pause()
        call.workers += begun
        if begun and call.changes:
            self._fail(call, UNKNOWN)
        elif call.workers >= MOST_WORKERS:
            self._fail(call, f"The memory's worker goes away over this call. {DOCTOR}")

    def _outlast(self, call: PipedCall) -> None:
        """Wait until a worker of an older version, which does not know calls, has left."""
        until = call.worker_until
        call.hang_up()
        call.begin_anew()
        call.pause()
        call.worker_until = until
        if time.monotonic() > until:
            self._fail(call, "An older worker runs. The user can run: recollect worker restart")
            return
        try:
            line.tell(paths.socket(paths.home()), "wake")  # Then it looks whether it should leave.
        except line.Absent:
            return

    def _drop(self, call: PipedCall) -> None:
        call.hang_up()
        self._calls.remove(call)

    def _fail(self, call: PipedCall, text: str) -> None:
        self._drop(call)
        if call.is_for_a_tool:
            self._reply(call.identity, rpc.failed_call(text), call.batch)
        else:
            self._complain(call.identity, rpc.INTERNAL_ERROR, text, call.batch)

    # To the client.

    def _complain(self, identity: str, code: int, message: str, batch: Batch | None) -> None:
        self._reply(identity, rpc.error(code, message), batch)

    def _reply(self, identity: str, body: bytes, batch: Batch | None) -> None:
        answer = rpc.answer(identity, body)
        if batch is None:
            self._send(answer)
            return
        batch.answers.append(answer)
        batch.missing -= 1
        self._send_batch(batch)

    def _send_batch(self, batch: Batch) -> None:
        if batch.is_read and not batch.missing and batch.answers:
            self._send(b"[" + b",".join(batch.answers) + b"]")
            batch.answers = []

    def _send(self, message: bytes) -> None:
        left = memoryview(message + b"\n")
        while left:
            try:
                left = left[posix.write(STDOUT, left) :]
            except BlockingIOError:
                poll = select.poll()
                poll.register(STDOUT, select.POLLOUT)
                poll.poll()
            except OSError:  # Nobody is there to hear it.
                posix._exit(0)


def _leave(*_: object) -> None:
    posix._exit(0)
