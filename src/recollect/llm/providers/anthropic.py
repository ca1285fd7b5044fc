"""Anthropic's API, and servers that speak as it does."""

from dataclasses import replace
from typing import Any

from recollect.llm.engine import Asked, Completion, Stop
from recollect.llm.providers import failures, text, wire
from recollect.store.contract.state import Spent

URL = "https://api.anthropic.com"
VERSION = "2023-06-01"

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
        self._has_key = bool(key or url)
        self._stream = stream
        base = (url or URL).rstrip("/").removesuffix("/v1")
        headers = {"x-api-key": key, "anthropic-version": VERSION}
        self._wire = wire.Wire(self.name, base, key=key, headers=headers)

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else."""
        if not self._has_key:
            raise failures.no_key(self.name)
        asked = replace(asked, model=asked.model or self.default_model)
        body = {
            "model": asked.model,
            "max_tokens": asked.most_output_tokens,
            "system": text.sendable(asked.instructions),
            "messages": [{"role": "user", "content": text.sendable(asked.text)}],
            "stream": self._stream,
        }
        return self._wire.ask(asked, lambda post: _read(post("/v1/messages", body)))

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
        self._wire.stop()


def _read(pieces: Any) -> text.StreamedAnswer:
    """Return what the *pieces* of an answer say."""
    read = text.StreamedAnswer()
    used: dict[str, int] = {}
    for piece in pieces:
        message = text.value_at(piece, "message") or piece
        for block in text.list_at(piece, "content"):
            read.add(text.value_at(block, "text"))
        for part in ("content_block", "delta"):
            read.add(text.value_at(piece, part, "text"))
        read.model = str(text.value_at(message, "model") or read.model)
        reason = text.value_at(message, "stop_reason") or text.value_at(
            piece, "delta", "stop_reason"
        )
        read.stop = STOPS.get(str(reason), read.stop)
        # Later numbers are of the whole answer so far.
        used |= _counted(text.value_at(message, "usage"))
        is_at_once = isinstance(text.value_at(piece, "content"), list)
        # What was counted on the way is not what a longer answer cost.
        if read.is_too_much and not is_at_once:
            used.clear()
        # Not every server hangs up after the last event.
        read.is_whole = is_at_once or read.is_too_much or piece.get("type") == "message_stop"
        if read.is_whole:
            break
    if {"input_tokens", "output_tokens"} <= used.keys():
        cached = used.get("cache_read_input_tokens", 0)
        written = used.get("cache_creation_input_tokens", 0)
        read.spent = Spent(
            input_tokens=used["input_tokens"] + written + cached,
            output_tokens=used["output_tokens"],
            cached_tokens=cached,
        )
    return read


def _counted(usage: object) -> dict[str, int]:
    names = (
        *("input_tokens", "output_tokens"),
        *("cache_creation_input_tokens", "cache_read_input_tokens"),
    )
    counts = {name: text.counted(text.value_at(usage, name)) for name in names}
    return {name: count for name, count in counts.items() if count is not None}
