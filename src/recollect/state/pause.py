"""Why no model is asked for now, and until when: after a failure that is nobody's turn's fault."""

import json
from dataclasses import asdict, dataclass, replace

from recollect.state.database import State

_KEY = "engine_pause"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The engine rests until then."""

    until: float
    kind: str
    message: str
    hint: str = ""
    strikes: int = 1
    """How often in a row it failed."""
    setup: str = ""
    """What the settings of the engine were: others are worth another try."""
    said: bool = False
    """True once the user was told at the start of a session."""


def current(state: State) -> Pause | None:
    """Return the last failure of the engine, over or not; None after it answered."""
    kept = state.meta(_KEY)
    return Pause(**json.loads(kept)) if kept else None


def begin(state: State, pause: Pause) -> None:
    """Let the engine rest; the same trouble is said to the user once."""
    before = current(state)
    if before and (before.kind, before.message) == (pause.kind, pause.message):
        pause = replace(pause, said=before.said)
    state.set_meta(_KEY, json.dumps(asdict(pause)))


def tell(state: State) -> Pause | None:
    """Return what the user was not told yet; from now on they were."""
    pause = current(state)
    if pause is None or pause.said:
        return None
    state.set_meta(_KEY, json.dumps(asdict(replace(pause, said=True))))
    return pause


def end(state: State) -> None:
    """The engine answers, or the user says to try again."""
    if state.meta(_KEY):
        state.set_meta(_KEY, "")
