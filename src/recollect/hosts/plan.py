"""What will be done, said before it is done: people read the very steps that are carried out."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do: the *line* that people read, and the deed, which may add a remark."""

    line: str
    do: Callable[[], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A step that was carried out; *remark* is empty unless something was special."""

    line: str
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps that are left, in order; *note* says what is left alone, and why."""

    steps: tuple[Step, ...]
    note: str = ""

    def carry_out(self) -> list[Done]:
        """Do every step and return what was done; a step that fails stops the rest."""
        return [Done(line=step.line, remark=step.do() or "") for step in self.steps]
