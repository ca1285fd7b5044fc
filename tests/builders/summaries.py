"""The summary of a session, from its turns."""

from dataclasses import replace

from recollect.journal.extractive import Extractive
from recollect.journal.model import Summary
from recollect.transcripts.turns import CleanTurn


def summarise(*given: CleanTurn) -> Summary:
    engine = Extractive()
    turns = [CleanTurn(replace(turn, key=f"turn {place}")) for place, turn in enumerate(given)]
    entries = [engine.observe(turn) for turn in turns]
    return engine.summarise(entries, last=turns[-1], before=lambda: reversed(turns[:-1]))
