"""One command for several memories: what fails stops no other, and is said at the end."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from recollect.app.results import Change
from recollect.errors import RecollectError

T = TypeVar("T")
R = TypeVar("R")


def tried(items: Iterable[T], work: Callable[[T], R]) -> tuple[list[R], list[RecollectError]]:
    """Do *work* for each of *items*; return what came of it, and what failed."""
    done: list[R] = []
    failed: list[RecollectError] = []
    for item in items:
        try:
            done.append(work(item))
        except RecollectError as error:
            failed.append(error)
        except OSError as error:
            failed.append(RecollectError(str(error), hint="Run: recollect doctor"))
    return done, failed


def outcomes(names: Sequence[str], work: Callable[[str], Change]) -> list[Change]:
    """Do *work* for each of *names*, once; of several, one that fails is an outcome, too."""

    def outcome(name: str) -> Change:
        try:
            return work(name)
        except RecollectError as error:
            why = error.message.removeprefix(f"{name}: ")
            return Change(outcome="failed", id=name, reason=why, fix=error.hint)

    once = list(dict.fromkeys(names))
    return [outcome(name) for name in once] if len(once) > 1 else [work(once[0])]
