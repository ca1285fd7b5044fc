"""What is sent, what is taken of what comes back, and what it cost as far as one can believe."""

import json
import math
from typing import Any

from recollect import tokens
from recollect.llm.engine import Asked, Completion, Stop
from recollect.store.contract.state import Spent

# No model is allowed to answer so much; whoever does is not listened to any longer.
LONGEST_ANSWER = 300_000
# No call costs so much; a larger number could not even be booked.
MOST_TOKENS = 100_000_000


class StreamedAnswer:
    """What was read of an answer so far, up to a limit."""

    def __init__(self) -> None:
        self.model = ""
        self.stop: Stop = "end"
        self.spent: Spent | None = None
        """What the server counted; None if it did not."""
        self.is_whole = False
        self.is_too_much = False
        self._pieces: list[str] = []
        self._left = LONGEST_ANSWER

    def add(self, piece: object) -> None:
        """Take what comes next; what is no text says nothing."""
        new = piece if isinstance(piece, str) else ""
        self.is_too_much = self.is_too_much or len(new) > self._left
        self._pieces.append(new[: self._left])
        self._left -= len(self._pieces[-1])

    def completion(self, asked: Asked) -> Completion:
        """Return the answer to what was *asked*."""
        said = "".join(self._pieces)
        return Completion(
            text=said,
            model=self.model or asked.model,
            spent=self.spent or guessed(asked, said),
            stop="length" if self.is_too_much else self.stop,
        )


def value_at(value: object, *names: str) -> Any:
    """Return what stands in *value* by these *names*, one in the other; None if nothing does.

    >>> value_at({"delta": {"text": "Four"}}, "delta", "text")
    'Four'
    >>> value_at({"delta": 4}, "delta", "text")
    """
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def list_at(value: object, name: str) -> list[Any]:
    """Return the list that stands in *value* by this *name*; empty if none does."""
    found = value_at(value, name)
    return found if isinstance(found, list) else []


def parsed(written: str | bytes) -> object:
    """Return what is *written* in JSON; None if it is none."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return None


def sendable(text: str) -> str:
    r"""Return *text* without what cannot be sent: half characters and zero bytes.

    >>> sendable("half \ud800, zero \0.")
    'half ?, zero .'
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def counted(found: object) -> int | None:
    """Return the number of tokens that somebody claims to have counted; None if it is none.

    >>> counted(7), counted(-7), counted(True), counted("7")
    (7, 0, None, None)
    """
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return min(max(found, 0), MOST_TOKENS)


def price(found: object) -> float | None:
    """Return the dollars that somebody claims it cost; None if that is no price.

    >>> price(0.25), price(-1), price(float("nan")), price(True)
    (0.25, 0.0, None, None)
    """
    if not isinstance(found, int | float) or isinstance(found, bool):
        return None
    # No call costs more dollars than tokens.
    return max(float(found), 0.0) if math.isfinite(found) and found < MOST_TOKENS else None


def guessed(asked: Asked, answered: str) -> Spent:
    """Return our own guess of what it cost to have *asked* and to be *answered* this."""
    return Spent(
        input_tokens=tokens.estimate(asked.instructions) + tokens.estimate(asked.text),
        output_tokens=tokens.estimate(answered),
        estimated=True,
    )
