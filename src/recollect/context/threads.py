"""What earlier sessions left open, as far as nothing later took it up. Pure.

A plan that was carried out and is still shown as open misleads; so one that shares most of its
words with later work is left out, at the risk of losing one that only sounds alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.index.database import Indexed
from recollect.index.terms import terms

DAY = 86_400
# What nobody took up for so long is no longer a plan.
STALE_DAYS = 21
MOST = 4
# So much of a plan's words in one later entry say that it was taken up.
TAKEN_UP = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One thing that was left to do, and the summary that says so."""

    text: str
    source: Indexed


def left_open(
    plans: Sequence[tuple[Indexed, str]], later: Sequence[Indexed], *, now: float
) -> list[Thread]:
    """Return what the *plans* of sessions (each with its summary), latest first, leave to do.

    *later* are the entries in which that may have been done.
    """
    found: list[Thread] = []
    for summary, steps in plans:
        if now - summary.at > STALE_DAYS * DAY:
            continue
        since = [
            set(terms(f"{one.title} {one.body}"))
            for one in later
            if one.at > summary.at and one.session != summary.session
        ]
        known = [set(terms(one.text)) for one in found]
        for step in (one.strip() for one in steps.split("; ")):
            words = set(terms(step))
            if words and not _is_among(words, [*since, *known]):
                found.append(Thread(text=step, source=summary))
                known.append(words)
    return found[:MOST]


def _is_among(words: set[str], others: Sequence[set[str]]) -> bool:
    return any(len(words & other) >= TAKEN_UP * len(words) for other in others)
