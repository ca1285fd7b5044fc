"""Any server that speaks OpenAI's chat completions: OpenAI, Ollama, LM Studio, vLLM, OpenRouter.

They differ in what they take. What one refuses by name is left out, or said in the other way,
and remembered.
"""

from typing import TYPE_CHECKING, Any

from recollect.errors import EngineError
from recollect.llm.engine import Asked, Completion, Stop
from recollect.llm.providers import failures, text, wire
from recollect.store.contract.state import Spent

if TYPE_CHECKING:
    import httpx2

URL = "https://api.openai.com/v1"

STOPS: dict[str, Stop] = {"length": "length", "content_filter": "refusal"}

# Most servers know only the older name; OpenAI's newer models only the newer one.
OLD_LIMIT, NEW_LIMIT = "max_tokens", "max_completion_tokens"
STREAM_OPTIONS = "stream_options"


class OpenAI:
    """A model that a server at *url* offers; a server of one's own may need no *key*.

    With *stream*, the answer is taken piece by piece.
    """

    name = "openai"
    default_model = ""

    def __init__(self, *, key: str = "", url: str = "", stream: bool = True) -> None:
        self._key = key
        self._is_elsewhere = bool(url)
        self._stream = stream
        self._limit = OLD_LIMIT if url else NEW_LIMIT
        self._asks_for_usage = stream
        self._wire = wire.Wire(
            self.name, url or URL, key=key, headers={"authorization": f"Bearer {key}"}
        )

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else."""
        if not asked.model:
            hint = "Set synthesis.default_model to a model that the server offers."
            raise failures.failure(self.name, "no model is named", "misfit", hint=hint)
        if not (self._key or self._is_elsewhere):
            hint = "Write the key into a file and set synthesis.openai.key_file to it."
            raise failures.failure(self.name, "there is no key", "auth", hint=hint)
        sdk = _sdk()
        return self._wire.ask(asked, lambda http: self._talk(sdk, http, asked))

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
        self._wire.stop()

    def _talk(self, sdk: Any, http: "httpx2.Client", asked: Asked) -> Completion:
        where = self._wire.address()
        client = sdk.OpenAI(
            # Without one the SDK would look for a key in the environment.
            api_key=self._key or "none",
            base_url=where.url if where.path else f"{where.url}/v1",
            max_retries=0,
            timeout=asked.seconds,
            http_client=http,
        )
        refused: set[str] = set()
        while True:
            try:
                return self._answer(self._read(client, asked), asked)
            except sdk.APIStatusError as error:
                if not self._adapted(error, refused):
                    raise

    def _read(self, client: Any, asked: Asked) -> "_OpenAIStream":
        options: dict[str, Any] = {self._limit: asked.most_output_tokens}
        if self._asks_for_usage:
            options[STREAM_OPTIONS] = {"include_usage": True}
        answered = client.chat.completions.create(
            model=asked.model,
            messages=[
                {"role": "system", "content": text.sendable(asked.instructions)},
                {"role": "user", "content": text.sendable(asked.text)},
            ],
            stream=self._stream,
            **options,
        )
        read = _OpenAIStream()
        for piece in answered if self._stream else [answered]:
            read.piece(piece)
            # Not every server hangs up after the last piece.
            if (read.is_whole and read.spent) or read.text.is_too_much:
                break
        return read

    def _adapted(self, error: Any, refused: set[str]) -> bool:
        """Tell whether to ask once more, without what *error* names and was not *refused* yet."""
        if error.status_code not in (400, 422):
            return False
        reply = str(error.body)
        if self._asks_for_usage and STREAM_OPTIONS in reply:
            self._asks_for_usage = False
            return True
        if self._limit in reply and not refused:
            refused.add(self._limit)
            self._limit = NEW_LIMIT if self._limit == OLD_LIMIT else OLD_LIMIT
            return True
        return False

    def _answer(self, read: "_OpenAIStream", asked: Asked) -> Completion:
        if not read.is_whole:
            where = f"{self.name}: {self._wire.address().host}"
            raise failures.failure(where, "the answer is not whole", "unavailable", paid=True)
        return Completion(
            text=read.text.text,
            model=read.model or asked.model,
            spent=read.spent or text.guessed(asked, read.text.text),
            stop=read.why(),
        )


class _OpenAIStream:
    """What was read of an answer so far. A whole one is read as a single piece."""

    def __init__(self) -> None:
        self.text = text.StreamedText()
        self.model = ""
        self.stop = ""
        self.declined = False
        self.is_whole = False
        self.spent: Spent | None = None

    def piece(self, piece: Any) -> None:
        """Read the next piece."""
        self.model = str(getattr(piece, "model", None) or self.model)
        self.spent = _spent(getattr(piece, "usage", None)) or self.spent
        for choice in (getattr(piece, "choices", None) or [])[:1]:
            reply = getattr(choice, "delta", None) or getattr(choice, "message", None)
            self.text.add(getattr(reply, "content", None))
            self.declined = self.declined or bool(getattr(reply, "refusal", None))
            self.stop = str(getattr(choice, "finish_reason", None) or self.stop)
            # Some servers give no reason with a whole answer, but each stream ends with one.
            is_at_once = getattr(choice, "message", None) is not None
            self.is_whole = bool(self.stop) or is_at_once or self.text.is_too_much
            if self.text.is_too_much and not is_at_once:
                # What was counted on the way is not what it cost.
                self.spent = None

    def why(self) -> Stop:
        """Return why it ended."""
        if self.declined:
            return "refusal"
        return "length" if self.text.is_too_much else STOPS.get(self.stop, "end")


def _spent(usage: Any) -> Spent | None:
    """What the server counted; None if it did not."""
    sent = text.counted(getattr(usage, "prompt_tokens", None))
    answered = text.counted(getattr(usage, "completion_tokens", None))
    if sent is None or answered is None:
        return None
    details = getattr(usage, "prompt_tokens_details", None)
    cached = text.counted(getattr(details, "cached_tokens", None)) or 0
    return Spent(input_tokens=sent, output_tokens=answered, cached_tokens=min(cached, sent))


def _sdk() -> Any:
    wire.keep_quiet()
    try:
        import httpx2  # noqa: F401, PLC0415 - what `wire` needs; older SDKs come without it
        import openai  # noqa: PLC0415 - seconds that only those pay who use it
    except ImportError as error:
        raise EngineError(
            "openai: the package openai is not installed",
            kind="missing",
            hint="pip install 'recollect[openai]'",
        ) from error
    return openai
