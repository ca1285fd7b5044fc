"""What an engine is: a model that is asked and answers, wherever it runs.

The extractive result needs none and is always there first; an engine makes it better.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from recollect.store.contract.state import Spent

Stop = Literal["end", "length", "refusal"]
"""Why an answer ended: it was complete, it was cut off, or the model declined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call: what the model is told to do, and what it is given to do it with.

    Both are redacted before they get here.
    """

    instructions: str
    text: str
    model: str
    """Empty for the engine's own small one."""
    most_output_tokens: int
    seconds: float
    """So long the whole answer may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What came back, and what it cost."""

    text: str
    model: str
    """The model that answered, as it calls itself."""
    spent: Spent
    stop: Stop = "end"


Consult = Callable[[Asked], Completion]
"""Asks an engine, within the budget; raises `EngineError`."""


class Engine(Protocol):
    """A model, asked one question at a time."""

    @property
    def name(self) -> str:
        """What the settings call it: `claude`, `anthropic` or `openai`."""

    @property
    def default_model(self) -> str:
        """The model that is asked when none is named; empty if there is none."""

    def ask(self, asked: Asked) -> Completion:
        """Return the answer. Raises `EngineError`, and never anything else.

        An answer that was cut off or declined is an answer, and says so: it cost something.
        """

    def stop(self) -> None:
        """End what is being asked, from another thread; that call raises `EngineError`."""
