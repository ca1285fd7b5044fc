"""What an engine is: turns in, memories out."""

from collections.abc import Sequence
from typing import Protocol

from recollect.memories.model import Entry, Summary
from recollect.transcripts.turns import CleanTurn


class Engine(Protocol):
    """Makes an entry of a turn and a summary of a session."""

    @property
    def name(self) -> str:
        """The engine and its version, as entries carry it: `extractive/1`."""

    def observe(self, turn: CleanTurn) -> Entry:
        """The journal's entry for *turn*."""

    def summarise(self, entries: Sequence[Entry], *, last: CleanTurn) -> Summary:
        """The session so far: its *entries*, oldest first, and its *last* turn.

        The last turn's own entry is among the *entries*.
        """
