"""Why a model is not asked for now, and until when: after a failure that is no turn's fault.

Each model of each engine has its own: that one answers says nothing of another.
"""

import json
from dataclasses import asdict, dataclass, fields, replace

from recollect import ids
from recollect.store.sqlite.state.database import State

_KEY = "engine_pauses"

DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A model rests until then."""

    until: float
    kind: str
    message: str
    hint: str = ""
    strikes: int = 1
    """How often in a row it failed."""
    said: bool = False
    """True once the user was told at the start of a session."""

    def lasts(self, now: float) -> bool:
        """Tell whether it is not over; one that would last for more than a day is a wrong clock."""
        return now < self.until <= now + DAY


def current(state: State, whose: str) -> Pause | None:
    """Return the last failure of *whose* model, over or not; None after it answered."""
    return _all(state).get(ids.text_hash(whose))


def begin(state: State, whose: str, pause: Pause) -> None:
    """Let *whose* model rest; the same trouble is said to the user once."""
    with state.transaction():
        known = _all(state)
        before = known.get(ids.text_hash(whose))
        if before and (before.kind, before.message) == (pause.kind, pause.message):
            pause = replace(pause, said=before.said)
        # Those of settings that nobody has any more go by and by.
        recent = {name: one for name, one in known.items() if one.until > pause.until - 7 * DAY}
        _save(state, {**recent, ids.text_hash(whose): pause})


def tell(state: State, whose: str) -> Pause | None:
    """Return what the user was not told yet of *whose* model; from now on they were."""
    with state.transaction():
        known = _all(state)
        pause = known.get(ids.text_hash(whose))
        if pause is None or pause.said:
            return None
        _save(state, {**known, ids.text_hash(whose): replace(pause, said=True)})
        return pause


def end(state: State, whose: str) -> None:
    """Say that *whose* model answers."""
    if current(state, whose):
        with state.transaction():
            known = _all(state)
            known.pop(ids.text_hash(whose), None)
            _save(state, known)


def end_all(state: State) -> list[Pause]:
    """Let every model be asked again; return what held them back."""
    with state.transaction():
        ended = list(_all(state).values())
        _save(state, {})
    return ended


def _all(state: State) -> dict[str, Pause]:
    """Return every pause that can be read; another version may have written others."""
    known = {field.name for field in fields(Pause)}
    try:
        kept = json.loads(state.meta(_KEY) or "{}")
        return {
            name: Pause(**{key: value for key, value in one.items() if key in known})
            for name, one in kept.items()
        }
    except (ValueError, TypeError, AttributeError):
        return {}


def _save(state: State, pauses: dict[str, Pause]) -> None:
    state.set_meta(_KEY, json.dumps({name: asdict(one) for name, one in pauses.items()}))
