"""Anthropic's API, asked through its own SDK."""

from typing import TYPE_CHECKING, Any

from recollect.errors import EngineError
from recollect.llm.engine import Asked, Completion, Stop
from recollect.llm.providers import failures, text, wire
from recollect.store.contract.state import Spent

if TYPE_CHECKING:
    import anthropic
    import httpx2

URL = "https://api.anthropic.com"

STOPS: dict[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}


class Anthropic:
    """A model of Anthropic's, or of a server that speaks as Anthropic's does at *url*.

    With *stream*, the answer is taken piece by piece.
    """

    name = "anthropic"
    default_model = "claude-haiku-5-5"

    def __init__(self, *, key: str = "", url: str = "", stream: bool = True) -> None:
        self._key = key
        self._is_elsewhere = bool(url)
        self._stream = stream
        # The SDK appends what belongs after the host.
        base = (url or URL).rstrip("/").removesuffix("/v1")
        self._wire = wire.Wire(self.name, base, key=key, headers={"x-api-key": key})

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else."""
        if not (self._key or self._is_elsewhere):
            hint = "Write the key into a file and set synthesis.anthropic.key_file to it."
            raise failures.failure(self.name, "there is no key", "auth", hint=hint)
        sdk = _sdk()
        return self._wire.ask(asked, lambda http: self._talk(sdk, http, asked))

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
        self._wire.stop()

    def _talk(self, sdk: Any, http: "httpx2.Client", asked: Asked) -> Completion:
        client: anthropic.Anthropic = sdk.Anthropic(
            # Without one the SDK would look for a key in the environment.
            api_key=self._key or "none",
            base_url=self._wire.address().url,
            max_retries=0,
            timeout=asked.seconds,
            open_telemetry=False,
            http_client=http,
        )
        answered: Any = client.messages.create(
            model=asked.model or self.default_model,
            max_tokens=asked.most_output_tokens,
            system=text.sendable(asked.instructions),
            messages=[{"role": "user", "content": text.sendable(asked.text)}],
            stream=self._stream,
        )
        read = _AnthropicStream()
        if self._stream:
            for event in answered:
                read.event(event)
                # Not every server hangs up after the last event.
                if read.is_whole:
                    break
        else:
            read.message(answered)
        return self._answer(read, asked)

    def _answer(self, read: "_AnthropicStream", asked: Asked) -> Completion:
        if not read.is_whole:
            where = f"{self.name}: {self._wire.address().host}"
            raise failures.failure(where, "the answer is not whole", "unavailable", paid=True)
        return Completion(
            text=read.text.text,
            model=read.model or asked.model or self.default_model,
            spent=read.spent(asked),
            stop="length" if read.text.is_too_much else STOPS.get(read.stop, "end"),
        )


class _AnthropicStream:
    """What was read of an answer so far."""

    def __init__(self) -> None:
        self.text = text.StreamedText()
        self.model = ""
        self.stop = ""
        self.is_whole = False
        self._used: dict[str, int] = {}

    def message(self, message: Any) -> None:
        """Read a whole answer."""
        content = getattr(message, "content", None)
        if not isinstance(content, list):
            return
        for block in content:
            self.text.add(getattr(block, "text", None))
        self._take(message)
        self._count(getattr(message, "usage", None))
        self.is_whole = True

    def event(self, event: Any) -> None:
        """Read the next piece of one."""
        match getattr(event, "type", ""):
            case "message_start":
                self._take(event.message)
                self._count(getattr(event.message, "usage", None))
            case "content_block_start":
                self._hear(event.content_block)
            case "content_block_delta":
                self._hear(event.delta)
            case "message_delta":
                self.stop = str(getattr(event.delta, "stop_reason", None) or self.stop)
                self._count(getattr(event, "usage", None))
            case "message_stop":
                self.is_whole = True

    def spent(self, asked: Asked) -> Spent:
        """Return what the server counted, or our own guess if it did not."""
        if not {"input_tokens", "output_tokens"} <= self._used.keys():
            return text.guessed(asked, self.text.text)
        cached = self._used.get("cache_read_input_tokens", 0)
        written = self._used.get("cache_creation_input_tokens", 0)
        return Spent(
            input_tokens=self._used["input_tokens"] + written + cached,
            output_tokens=self._used["output_tokens"],
            cached_tokens=cached,
        )

    def _hear(self, block: Any) -> None:
        self.text.add(getattr(block, "text", None))
        if self.text.is_too_much:
            self.is_whole = True
            # What was counted when it began is not what it cost.
            self._used.clear()

    def _take(self, message: Any) -> None:
        self.model = str(getattr(message, "model", None) or "")
        self.stop = str(getattr(message, "stop_reason", None) or "")

    def _count(self, usage: Any) -> None:
        for name in (
            *("input_tokens", "output_tokens"),
            *("cache_creation_input_tokens", "cache_read_input_tokens"),
        ):
            # Later numbers are of the whole answer so far.
            if (found := text.counted(getattr(usage, name, None))) is not None:
                self._used[name] = found


def _sdk() -> Any:
    wire.keep_quiet()
    try:
        import anthropic  # noqa: PLC0415 - seconds that only those pay who use it
        import httpx2  # noqa: F401, PLC0415 - what `wire` needs; older SDKs come without it
    except ImportError as error:
        raise EngineError(
            "anthropic: the package anthropic is not installed",
            kind="missing",
            hint="pip install 'recollect[anthropic]'",
        ) from error
    return anthropic
