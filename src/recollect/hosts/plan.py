"""What will be done, said before it is done: people read the very steps that are carried out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import HostError


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do: the *line* that people read, and the deed, which may add a remark."""

    line: str
    do: Callable[[], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """A step that was carried out; *remark* is empty unless something was special."""

    line: str
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPlan:
    """The steps that are left, in order; *note* says what is left alone, and why.

    It *is_blocked* if nothing is kept until the user does what the note says; *troubles* are those
    of hosts that have no part in it.
    """

    steps: tuple[Step, ...]
    note: str = ""
    is_blocked: bool = False
    troubles: tuple[HostError, ...] = ()

    def carry_out(self) -> list[StepResult]:
        """Do every step and return what was done. Raises `HostError` at the first that fails."""
        return [_carried_out(step) for step in self.steps]


def joined(plans: Iterable[SetupPlan]) -> SetupPlan:
    """Return *plans* as one; what several of them note is noted once."""
    every = list(plans)
    notes = dict.fromkeys(plan.note for plan in every if plan.note)
    return SetupPlan(
        steps=tuple(step for plan in every for step in plan.steps),
        note="\n".join(notes),
        is_blocked=any(plan.is_blocked for plan in every),
        troubles=tuple(trouble for plan in every for trouble in plan.troubles),
    )


def _carried_out(step: Step) -> StepResult:
    try:
        return StepResult(line=step.line, remark=step.do() or "")
    except (OSError, ValueError) as error:
        where, what = getattr(error, "filename", None), getattr(error, "strerror", None)
        raise HostError(
            f"{where or step.line}: {what or error}",
            hint="Put that right and run the same command again; it goes on from there.",
        ) from error


def short(path: str | Path) -> str:
    """Return *path* as people write it, with `~`."""
    user = str(Path.home())
    return f"~{str(path)[len(user) :]}" if f"{path}/".startswith(f"{user}/") else str(path)
