"""Which turns a model is asked about next, and whether it is time to. Pure."""

from collections.abc import Mapping, Sequence

from recollect.store.contract.state import QueuedTurn, Session

# So many turns are a few: then they are worth a call.
FEW_TURNS = 4
MOST_TURNS = 6
# A session that has been silent for so long is looked at as far as it got.
QUIET_SECONDS = 600.0
# No turn waits longer than this for others to join it.
LONGEST_WAIT = 1800.0
DAY = 86_400.0


def due(
    waiting: Sequence[QueuedTurn],
    sessions: Mapping[str, Session],
    *,
    when: Mapping[str, str],
    now: float,
) -> list[QueuedTurn]:
    """Return the turns of one session to ask a model about *now*, oldest first; none if none is.

    *when* tells of each project what its turns wait for: each `turn`, a few `turns`, or the end of
    the `session`. One that failed before goes alone, so that it spoils no other.
    """
    by_session: dict[str, list[QueuedTurn]] = {}
    for one in waiting:
        by_session.setdefault(one.session, []).append(one)
    for name, its in by_session.items():
        # Behind one that rests, the others of its session go on.
        # One that would rest for more than a day was put there by a wrong clock.
        ready = [one for one in its if not now < one.due <= now + DAY]
        if not ready:
            continue
        again = [one for one in ready if one.tries]
        fresh = [one for one in ready if not one.tries]
        # What only some models have still to look at is not put together with the rest.
        fresh = [one for one in fresh if one.owed == fresh[0].owed]
        if fresh and _is_time(fresh, sessions.get(name), when[fresh[0].project], now):
            return fresh[: 1 if when[fresh[0].project] == "turn" else MOST_TURNS]
        if again:
            return again[:1]
    return []


def _is_time(fresh: Sequence[QueuedTurn], session: Session | None, when: str, now: float) -> bool:
    is_over = session is None or session.status != "active"
    if when == "turn" or is_over or fresh[0].owed:
        return True
    assert session is not None
    if now - session.last_seen >= QUIET_SECONDS:
        return True
    if when == "session":
        return False
    return len(fresh) >= FEW_TURNS or now - fresh[0].queued >= LONGEST_WAIT
