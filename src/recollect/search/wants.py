"""What a prompt wants: the project's past, work on something known, or nothing of a memory. Pure.

"Squash my last two commits" shares words with many turns, and none of them helps. Whether a prompt
can be helped is a question apart from how well a passage fits, so it is asked apart: a logistic
regression over the vector that the bundled encoder makes of the prompt. `benchmarks.fit_wants`
trains it on the prompts in benchmarks/labelled/wants.jsonl and writes `wants.txt`.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The encoder whose vectors it was trained on.
ENCODER = "minilm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """How likely a prompt wants each of three things; together 1."""

    past: float
    """To be told of this project's past: what was decided, found, changed, how it is done here."""
    work: float
    """Work on something that a rule, a gotcha or an earlier attempt may be known of."""
    none: float
    """Nothing of a memory: a plain order, small talk, general knowledge."""


# Nobody can tell: there is no vector, or it is another encoder's.
UNKNOWN = Wants(past=0.3, work=0.3, none=0.4)
# Somebody searches.
ASKED = Wants(past=0.85, work=0.1, none=0.05)


def read(vector: "NDArray[np.float32]") -> Wants:
    """Return what the prompt with this *vector* wants."""
    import numpy as np  # noqa: PLC0415 - only where vectors are made

    weights = _weights()
    odds = weights[:, :-1] @ vector + weights[:, -1]
    shares = np.exp(odds - odds.max())
    past, work, none = (shares / shares.sum()).tolist()
    return Wants(past=past, work=work, none=none)


@cache
def _weights() -> Any:
    """Return a row for each thing that may be wanted: a weight a dimension, then the offset."""
    import numpy as np  # noqa: PLC0415

    lines = files("recollect.search").joinpath("wants.txt").read_text(encoding="ascii").split("\n")
    rows = [[float(number) for number in line.split()] for line in lines if line[:1] not in "#"]
    return np.array([row for row in rows if row], np.float32)
