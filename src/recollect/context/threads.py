"""What earlier sessions left open, as far as nothing later took it up. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.index.database import Indexed
from recollect.synthesis import plans

DAY = 86_400
# What nobody took up for so long is no longer a plan.
STALE_DAYS = 21
MOST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a session meant to do next, as its summary says."""

    summary: Indexed
    request: str = ""
    steps: str
    """Several, with semicolons between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One thing that was left to do, what it belongs to, and the summary that says so."""

    text: str
    request: str = ""
    source: Indexed


def left_open(planned: Sequence[Plan], later: Sequence[Indexed], *, now: float) -> list[Thread]:
    """Return what the sessions that *planned* something, latest first, leave to do.

    *later* are the entries in which that may have been done.
    """
    found: list[Thread] = []
    told: list[frozenset[str]] = []
    done = [(one, plans.words(f"{one.title} {one.body}")) for one in later]
    for plan in planned:
        summary = plan.summary
        if now - summary.at > STALE_DAYS * DAY:
            continue
        since = [
            words for one, words in done if one.at >= summary.at and one.session != summary.session
        ]
        for step in (one.strip() for one in plan.steps.split("; ")):
            if plans.words(step) and not plans.is_taken_up(step, [*since, *told]):
                found.append(Thread(text=step, request=plan.request, source=summary))
                told.append(plans.words(step))
    return found[:MOST]
