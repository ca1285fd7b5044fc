"""Why a model is not asked for now, and until when: after a failure that is no turn's fault.

Each model of each engine has its own: that one answers says nothing of another.
"""

import json
from dataclasses import asdict, fields, replace

from recollect import ids
from recollect.store.contract.state import DAY, Pause, StateStore

_KEY = "engine_pauses"


def current(state: StateStore, whose: str) -> Pause | None:
    """Return the last failure of *whose* model, over or not; None after it answered."""
    return _all(state).get(ids.text_hash(whose))


def begin(state: StateStore, whose: str, pause: Pause) -> None:
    """Let *whose* model rest; the same trouble is said to the user once."""
    with state.transaction():
        known = _all(state)
        before = known.get(ids.text_hash(whose))
        if before and (before.kind, before.message) == (pause.kind, pause.message):
            pause = replace(pause, said=before.said)
        # Those of settings that nobody has any more go by and by.
        recent = {name: one for name, one in known.items() if one.until > pause.until - 7 * DAY}
        _save(state, {**recent, ids.text_hash(whose): pause})


def tell(state: StateStore, whose: str) -> Pause | None:
    """Return what the user was not told yet of *whose* model; from now on they were."""
    with state.transaction():
        known = _all(state)
        pause = known.get(ids.text_hash(whose))
        if pause is None or pause.said:
            return None
        _save(state, {**known, ids.text_hash(whose): replace(pause, said=True)})
        return pause


def end(state: StateStore, whose: str) -> None:
    """Say that *whose* model answers."""
    if current(state, whose):
        with state.transaction():
            known = _all(state)
            known.pop(ids.text_hash(whose), None)
            _save(state, known)


def end_all(state: StateStore) -> list[Pause]:
    """Let every model be asked again; return what held them back."""
    with state.transaction():
        ended = list(_all(state).values())
        _save(state, {})
    return ended


def _all(state: StateStore) -> dict[str, Pause]:
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


def _save(state: StateStore, pauses: dict[str, Pause]) -> None:
    state.set_meta(_KEY, json.dumps({name: asdict(one) for name, one in pauses.items()}))
