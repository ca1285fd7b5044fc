"""Any server that speaks OpenAI's chat completions: OpenAI, Ollama, LM Studio, vLLM, OpenRouter.

They differ in what they take. What one refuses by name is left out, or said in the other way,
and remembered.
"""

from typing import Any

from recollect.llm.engine import Asked, Completion, Stop
from recollect.llm.providers import failures, text, wire
from recollect.store.contract.state import Spent

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
        self._has_key = bool(key or url)
        self._stream = stream
        self._limit = OLD_LIMIT if url else NEW_LIMIT
        self._asks_for_usage = stream
        base = (url or URL).rstrip("/")
        # An address without a path is that of the server.
        self._path = "/chat/completions" if base.count("/") > 2 else "/v1/chat/completions"
        headers = {"authorization": f"Bearer {key}"}
        self._wire = wire.Wire(self.name, base, key=key, headers=headers)

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else."""
        if not asked.model:
            hint = "Set synthesis.default_model to a model that the server offers."
            raise failures.failure(self.name, "no model is named", "misfit", hint=hint)
        if not self._has_key:
            raise failures.no_key(self.name)
        return self._wire.ask(asked, lambda post: self._talk(post, asked))

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
        self._wire.stop()

    def _talk(self, post: wire.Post, asked: Asked) -> text.StreamedAnswer:
        refused: set[str] = set()
        while True:
            try:
                return _read(post(self._path, self._body(asked)))
            except wire.ServerError as error:
                if error.status not in (400, 422) or not self._adapted(str(error.body), refused):
                    raise

    def _body(self, asked: Asked) -> dict[str, Any]:
        options = {STREAM_OPTIONS: {"include_usage": True}} if self._asks_for_usage else {}
        return {
            "model": asked.model,
            "messages": [
                {"role": "system", "content": text.sendable(asked.instructions)},
                {"role": "user", "content": text.sendable(asked.text)},
            ],
            "stream": self._stream,
            self._limit: asked.most_output_tokens,
            **options,
        }

    def _adapted(self, reply: str, refused: set[str]) -> bool:
        """Tell whether to ask once more, without what *reply* names and was not *refused* yet."""
        if self._asks_for_usage and STREAM_OPTIONS in reply:
            self._asks_for_usage = False
            return True
        if self._limit in reply and not refused:
            refused.add(self._limit)
            self._limit = NEW_LIMIT if self._limit == OLD_LIMIT else OLD_LIMIT
            return True
        return False


def _read(pieces: Any) -> text.StreamedAnswer:
    """Return what the *pieces* of an answer say."""
    read = text.StreamedAnswer()
    for piece in pieces:
        read.model = str(piece.get("model") or read.model)
        read.spent = _spent(piece.get("usage")) or read.spent
        for choice in text.list_at(piece, "choices")[:1]:
            is_at_once = bool(text.value_at(choice, "message"))
            said = text.value_at(choice, "message") or text.value_at(choice, "delta")
            read.add(text.value_at(said, "content"))
            reason = text.value_at(choice, "finish_reason")
            read.stop = "refusal" if text.value_at(said, "refusal") else read.stop
            if read.stop != "refusal":
                read.stop = STOPS.get(str(reason), read.stop)
            # Some servers give no reason with a whole answer, but each stream ends with one.
            read.is_whole = read.is_whole or bool(reason) or is_at_once or read.is_too_much
            if read.is_too_much and not is_at_once:
                # What was counted on the way is not what it cost.
                read.spent = None
                return read
        # Not every server hangs up after the last piece.
        if read.is_whole and read.spent:
            break
    return read


def _spent(usage: object) -> Spent | None:
    """Return what the server counted; None if it did not."""
    sent = text.counted(text.value_at(usage, "prompt_tokens"))
    answered = text.counted(text.value_at(usage, "completion_tokens"))
    if sent is None or answered is None:
        return None
    cached = text.counted(text.value_at(usage, "prompt_tokens_details", "cached_tokens")) or 0
    return Spent(input_tokens=sent, output_tokens=answered, cached_tokens=min(cached, sent))
