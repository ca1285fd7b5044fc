"""Redo what was recorded with a newer prompt or another model: which turns, and how it differs."""

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from recollect import tokens
from recollect.config import Settings
from recollect.journal import markdown
from recollect.journal.model import JournalEntry
from recollect.llm import brief, model
from recollect.llm.rewrite import Preview, RewrittenEntry
from recollect.store.contract.state import Session
from recollect.store.library import Library
from recollect.transcripts.turns import CleanTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Turns of one session that one call asks about."""

    session: Session
    turns: Sequence[CleanTurn]
    calls: int
    tokens: int
    """What is sent, at most."""


def due(
    those: Iterable[Session],
    *,
    since: float,
    library: Callable[[str], Library],
    settings: Callable[[str], Settings],
    is_done: Callable[[JournalEntry, str], bool],
) -> Iterator[Work]:
    """Return the turns of *those* sessions that began after *since*, call by call.

    What the user edited is theirs, and what *is_done* (an entry, in a project) is left out.
    """
    for session in those:
        shelf, own = library(session.project), settings(session.project)
        edited = shelf.edited_in(session.id)
        left = {
            entry.turn
            for entry in shelf.entries_of(session.id)
            if entry.at.timestamp() >= since
            and entry.turn not in edited
            and not is_done(entry, session.project)
        }
        turns = [one for one in shelf.archive.read(session.id) if one.key in left]
        turns.sort(key=lambda turn: turn.started)
        asks = model.wanted(own, summary=True, notes_too=False)
        if own.synthesis_engine == "extractive":
            asks = asks[:0]
        for batch in brief.batches(turns, room=model.room(model.wanted(own, summary=True)[0], own)):
            yield Work(
                session=session,
                turns=batch,
                calls=len(asks),
                tokens=sum(_sent(ask, batch, own) for ask in asks),
            )


def _sent(ask: model.ModelRequest, turns: Sequence[CleanTurn], settings: Settings) -> int:
    """Return how many tokens are sent to *ask* about *turns*, at most."""
    count = tokens.estimate(model.instructions(ask))
    return count + min(model.room(ask, settings), sum(map(brief.size, turns)))


def difference(one: RewrittenEntry) -> list[str]:
    """Return what changes in an entry, line by line, as `diff` shows it."""
    before, after = (markdown.body_of(entry).splitlines() for entry in (one.before, one.after))
    changes = difflib.unified_diff(
        before, after, f"{one.before.id} by {one.before.by}", f"by {one.after.by}", lineterm="", n=1
    )
    return list(changes)


def summary_difference(preview: Preview, there: str) -> list[str]:
    """Return what changes in the summary of a session, which says *there* now."""
    if preview.summary is None:
        return []
    lines = markdown.render_summary(preview.summary, summary_id="").splitlines()
    after = [line for line in lines if line.startswith("- ")]
    before = [line for line in there.splitlines() if line.startswith("- ")]
    return list(difflib.unified_diff(before, after, lineterm="", n=0))[2:]
