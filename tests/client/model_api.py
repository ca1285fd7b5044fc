"""A scripted stand-in for the model: the Anthropic Messages API on loopback.

The script stands in the test, never in the prompt, so a prompt reads as a person
would write it and a test can ask what the memory made of it:

    with ModelApi() as api:
        api.reply(to="orders page", steps=[Use("Bash", {"command": "make"}), Say("Fixed.")])

The steps answer the requests that follow the newest message of the person. What a
hook injected, a tool printed or the client added is never matched: it may repeat the
words of an earlier prompt.
"""

import json
import re
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, cast

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """Answer *text* and end the turn.

    The answer starts after *delay* seconds; with *chunk_delay* it trickles, with that
    many seconds after every few words. *usage* overrides the reported token counts:
    `{"input_tokens": 990_000}` makes the client compact.
    """

    text: str
    delay: float = 0
    chunk_delay: float = 0
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """Call *tool* with *input*, after saying *text* if there is one."""

    tool: str
    input: Mapping[str, Any]
    text: str | None = None
    delay: float = 0
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UseAll:
    """Call several tools in one message; only *uses*' tools and inputs count."""

    uses: Sequence[Use]
    text: str | None = None
    delay: float = 0
    usage: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fail:
    """Refuse with the HTTP *status*; *retry* tells the client whether to ask again.

    The client heeds it but for 400: then it asks again with fewer optional features.
    """

    status: int
    retry: bool = False
    delay: float = 0


Step = Say | Use | UseAll | Fail
OK = Say("ok")


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model, as it came, and the step that answered it."""

    headers: Mapping[str, str]
    body: Json
    step: Step

    @property
    def session_id(self) -> str:
        """The session that asked; empty for a client that does not say."""
        return self.headers.get("x-claude-code-session-id", "")

    @property
    def agent_id(self) -> str | None:
        """The subagent that asked, None for the main conversation."""
        return self.headers.get("x-claude-code-agent-id")

    @property
    def tools(self) -> list[str]:
        """The names of the tools on offer; a bare completion offers none."""
        return _tools(self.body)

    @property
    def tool_results(self) -> list[str]:
        """What the tools answered so far, as the model reads it."""
        return [one.text for one in _passages(self.body) if one.kind == "tool_result"]

    @property
    def prompt(self) -> str:
        """What the person wrote last, without anything the client or a hook added.

        Empty for a compaction: nobody wrote it.
        """
        prompt = None if self.is_compaction else _newest_prompt(self.body)
        return prompt.text if prompt else ""

    @property
    def is_compaction(self) -> bool:
        """Whether the client asks for a summary of the conversation, to replace it."""
        return _is_compaction(self.body)


def context_of(request: Request) -> str:
    """Everything *request* showed the model: system prompt, all messages, tool traffic."""
    return "\n".join([*_system(request.body), *(p.text for p in _passages(request.body))])


def injected(request: Request, event: str | None = None) -> list[str]:
    """The texts that hooks added to the conversation of *request*, oldest first.

    With *event* only those of one hook: `SessionStart`, `UserPromptSubmit`,
    `PostToolUse:Bash`. The client replays earlier ones in every request of a session;
    ask `injected_now` for what is new.
    """
    return _additions(_passages(request.body), event)


def injected_now(request: Request, event: str | None = None) -> list[str]:
    """Those texts of `injected` that came with the newest prompt or after it."""
    prompt = _newest_prompt(request.body)
    return _additions(_passages(request.body)[prompt.since if prompt else 0 :], event)


class ModelApi:
    """The stand-in, listening on `url` while its `with` block lasts.

    A prompt that no script matches is answered "ok", as is a turn that outlives its
    script; but a script that ends in `Fail` goes on failing, because the client asks
    again in several ways. A request to compact the conversation is answered `summary`.
    """

    def __init__(self) -> None:
        self.summary = "The conversation so far, in short."
        self._scripts: list[_Script] = []
        self._turns: dict[tuple[str, str | None], _Turn] = {}
        self._requests: list[Request] = []
        self._arrived = threading.Condition()
        self._closing = threading.Event()
        self._server = _Server(self)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The base address for `ANTHROPIC_BASE_URL`."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, *, to: str, steps: Sequence[Step]) -> None:
        """Answer prompts that contain *to* with *steps*, one per request of the turn.

        Of several scripts that match, the newest wins. Subagents are answered by the
        same scripts: their prompt is what the `Agent` tool was given.
        """
        self._script(_Script(to, tuple(steps), with_tools=True))

    def complete(self, *, to: str, steps: Sequence[Step]) -> None:
        """Like `reply`, for requests that offer no tools.

        A summariser quotes the conversation it sums up, so it would match the
        conversation's own scripts; requests without tools therefore never do.
        """
        self._script(_Script(to, tuple(steps), with_tools=False))

    @property
    def requests(self) -> list[Request]:
        """The requests so far, oldest first."""
        with self._arrived:
            return list(self._requests)

    def main_requests(self) -> list[Request]:
        """The requests of main conversations: no subagents, compactions or bare completions."""
        return [request for request in self.requests if _is_main(request)]

    def wait_for(self, *, to: str, count: int = 1, timeout: float = 20) -> Request:
        """The *count*-th request whose prompt contains *to*, as soon as it has arrived.

        Raises `TimeoutError` when it does not within *timeout* seconds.
        """

        def matching() -> list[Request]:
            return [request for request in self._requests if to in request.prompt]

        with self._arrived:
            if not self._arrived.wait_for(lambda: len(matching()) >= count, timeout):
                seen = [request.prompt for request in self._requests]
                raise TimeoutError(f"{len(matching())} of {count} requests to {to!r} in {seen}")
            return matching()[count - 1]

    def _script(self, script: "_Script") -> None:
        with self._arrived:
            self._scripts.append(script)

    def _take(self, headers: Mapping[str, str], body: Json) -> Request:
        """Choose the answer to a request and record both."""
        with self._arrived:
            turn_of = (headers.get("x-claude-code-session-id", ""), _agent(headers))
            if _is_compaction(body):
                step: Step = Say(f"<analysis>-</analysis>\n<summary>{self.summary}</summary>")
            else:
                turn = self._turns[turn_of] = self._turn(self._turns.get(turn_of), body)
                step = turn.next_step()
            request = Request(headers, body, step)
            self._requests.append(request)
            self._arrived.notify_all()
            return request

    def _turn(self, current: "_Turn | None", body: Json) -> "_Turn":
        """The turn that a request belongs to: *current* unless the person wrote since."""
        prompt = _newest_prompt(body)
        if current and (prompt is None or current.goes_on(prompt)):
            return current
        text = prompt.text if prompt else ""
        tools = bool(_tools(body))
        for script in reversed(self._scripts):
            if script.with_tools == tools and script.to in text:
                return _Turn(text, script.steps)
        return _Turn(text, ())


@dataclass(frozen=True, slots=True)
class _Script:
    to: str
    steps: tuple[Step, ...]
    with_tools: bool


@dataclass(slots=True)
class _Turn:
    """How far the script of one prompt has been played."""

    text: str
    steps: tuple[Step, ...]
    taken: int = 0
    answered: bool = False

    def next_step(self) -> Step:
        step = self.steps[self.taken] if self.taken < len(self.steps) else self._encore()
        self.taken += 1
        self.answered = self.answered or not isinstance(step, Fail)
        return step

    def _encore(self) -> Step:
        """What follows the script: a failure lasts, anything else is over."""
        return self.steps[-1] if self.steps and isinstance(self.steps[-1], Fail) else OK

    def goes_on(self, prompt: "_Prompt") -> bool:
        """Whether a request with the newest *prompt* continues this turn.

        The same words without an answer after them are the same prompt only as long
        as the model has failed to answer; else the person wrote them again.
        """
        return prompt.text == self.text and (prompt.answered or not self.answered)


_REMINDER = re.compile(r"<system-reminder>\n?(.*?)\n?</system-reminder>\n?", re.DOTALL)
# Texts in the user's place that no person wrote for the model. A command that expands
# into a prompt opens with its message, one that the client runs itself with its name.
_MACHINE = re.compile(
    r"<task-notification>|<local-command-|<command-name>|<bash-std(?:out|err)>"
    r"|Stop hook feedback:|Tool loaded\."
    r"|This session is being continued from a previous conversation"
)
_INTERRUPTED = "[Request interrupted by user"
_COMPACTION = "create a detailed summary of the conversation"
_LABEL = re.compile(r"(?:\A|\n\n)(\w+(?::\S+)?) hook additional context: ")
# Current models get all additions merged into one text, with nothing to mark where a
# hook's text ends but the opening of whatever the client puts next.
_CLIENT_SECTION = re.compile(
    r"\n\n(?=# Environment\n|You are powered by the model|The following deferred tools"
    r"|Available agent types|The following skills|While bypass permissions mode"
    r"|Codebase and user instructions|# MCP Server Instructions|As you answer the user's questions"
    r"|Today's date is|<total_tokens>)"
)


@dataclass(frozen=True, slots=True)
class _Passage:
    """One text that the model was shown, and in whose place it stood."""

    role: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class _Prompt:
    """The person's newest message: *since* is where the passages of its turn begin."""

    text: str
    since: int
    answered: bool


def _passages(body: Json) -> list[_Passage]:
    return [
        _Passage(message["role"], block["type"], _text(block))
        for message in body.get("messages", [])
        for block in _blocks(message["content"])
    ]


def _blocks(content: str | list[Json]) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(block: Json) -> str:
    match block["type"]:
        case "text":
            return cast("str", block["text"])
        case "tool_use":
            return json.dumps(block["input"], ensure_ascii=False)
        case "tool_result":
            return "\n".join(_text(inner) for inner in _blocks(block.get("content") or ""))
        case _:
            return ""


def _system(body: Json) -> list[str]:
    return [_text(block) for block in _blocks(body.get("system") or [])]


def _newest_prompt(body: Json) -> _Prompt | None:
    """The newest run of the person's texts that no answer or interruption divides."""
    texts: list[str] = []
    since = start = 0
    divided = answered = False
    for place, passage in enumerate(_passages(body)):
        if passage.role == "assistant" or passage.text.startswith(_INTERRUPTED):
            divided, start = True, place + 1
            answered = answered or passage.role == "assistant"
        elif words := _words(passage):
            if divided:
                texts, divided = [], False
            texts.append(words)
            since, answered = start, False
    return _Prompt("\n".join(texts), since, answered) if texts else None


def _words(passage: _Passage) -> str:
    """What a person wrote in *passage*: nothing, if it is not theirs."""
    if passage.role != "user" or passage.kind != "text":
        return ""
    words = _REMINDER.sub("", passage.text).strip()
    return "" if _MACHINE.match(words) else words


def _additions(passages: list[_Passage], event: str | None) -> list[str]:
    """The hooks' texts in *passages*, in both forms the client sends them in."""
    found = []
    for passage in passages:
        merged = [passage.text] if passage.role == "system" else _REMINDER.findall(passage.text)
        found += [pair for text in merged for pair in _labelled(text)]
    return [text for label, text in found if event in (None, label)]


def _labelled(merged: str) -> Iterator[tuple[str, str]]:
    """Each hook's label and text in the additions *merged* into one."""
    _, *found = _LABEL.split(merged)
    for label, text in zip(found[::2], found[1::2], strict=True):
        yield label, _CLIENT_SECTION.split(text, maxsplit=1)[0]


def _tools(body: Json) -> list[str]:
    return [tool["name"] for tool in body.get("tools") or []]


def _agent(headers: Mapping[str, str]) -> str | None:
    return headers.get("x-claude-code-agent-id")


def _is_main(request: Request) -> bool:
    return request.agent_id is None and bool(request.tools) and not request.is_compaction


def _is_compaction(body: Json) -> bool:
    asked = [p.text for p in _passages(body) if p.role == "user" and p.kind == "text"]
    return bool(asked) and _COMPACTION in _REMINDER.sub("", asked[-1])


_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_CHUNK = 20


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, api: ModelApi) -> None:
        self.take = api._take
        self.pause = api._closing.wait
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay quiet: a client that is killed or interrupted hangs up in mid-answer."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_HEAD(self) -> None:
        self._send_json(200, {})

    def do_GET(self) -> None:
        self._send_json(200, {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.split("?")[0] != "/v1/messages":
            self._send_json(200, {})
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.take(headers, body).step
        self.server.pause(step.delay)
        if isinstance(step, Fail):
            error = {"type": _ERRORS.get(step.status, "api_error"), "message": "scripted failure"}
            self._send_json(step.status, {"type": "error", "error": error}, retry=step.retry)
        elif body.get("stream"):
            self._send_stream(_message(step, body), step)
        else:
            self._send_json(200, _message(step, body))

    def _send_json(self, status: int, payload: Json, *, retry: bool = False) -> None:
        content = json.dumps(payload).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.send_header("x-should-retry", str(retry).lower())
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def _send_stream(self, message: Json, step: Step) -> None:
        chunk_delay = step.chunk_delay if isinstance(step, Say) else 0
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in _stream(message, _CHUNK if chunk_delay else len(json.dumps(message))):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            if event["type"] == "content_block_delta":
                self.server.pause(chunk_delay)

    def log_message(self, *_: object) -> None:
        """Say nothing; the requests are recorded."""


def _message(step: Say | Use | UseAll, body: Json) -> Json:
    """The whole answer, as the API returns it when nobody asks for a stream."""
    content: list[Json] = []
    if step.text is not None:
        content.append({"type": "text", "text": step.text})
    for use in _uses(step):
        identity = f"toolu_{uuid.uuid4().hex[:24]}"
        called = {"id": identity, "name": use.tool, "input": dict(use.input)}
        content.append({"type": "tool_use", **called})
    usage = {
        "input_tokens": len(json.dumps(body)) // 4,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": len(json.dumps(content)) // 4,
    }
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "tool_use" if _uses(step) else "end_turn",
        "stop_sequence": None,
        "usage": usage | dict(step.usage),
    }


def _uses(step: Say | Use | UseAll) -> Sequence[Use]:
    match step:
        case Use():
            return [step]
        case UseAll():
            return step.uses
        case _:
            return []


def _stream(message: Json, chunk: int) -> Iterator[Json]:
    """The events that stream *message*, its text cut into pieces of *chunk* characters."""
    opened: Json = {"content": [], "stop_reason": None}
    yield {"type": "message_start", "message": message | opened}
    for index, block in enumerate(message["content"]):
        empty, deltas = _deltas(block, chunk)
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _deltas(block: Json, chunk: int) -> tuple[Json, list[Json]]:
    """*block* as it is announced, and the pieces that fill it."""
    if block["type"] == "tool_use":
        whole = json.dumps(block["input"])
        return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": whole}]
    text = block["text"]
    pieces = [text[at : at + chunk] for at in range(0, len(text), chunk)]
    return block | {"text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]
