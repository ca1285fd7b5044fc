"""What models cost: every call, by day, project, engine and model."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from recollect.store.sqlite.state.database import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one call cost."""

    input_tokens: int = 0
    """All that was sent, also what the server had kept from before."""
    output_tokens: int = 0
    cached_tokens: int = 0
    """How many of those sent the server had kept from before."""
    cost: float | None = None
    """In dollars; None where no price is known."""
    estimated: bool = False
    """True where nobody told, and it is our own guess."""

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """Whom we asked, when, and what for."""

    at: float
    engine: str
    model: str
    project: str
    purpose: str
    """`observe`, `verify` or `answer`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """What was spent in a day, for one project, on one model and for one purpose."""

    day: str
    project: str
    engine: str
    model: str
    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float
    """In dollars, of the calls whose price is known."""
    without_price: int
    """How many calls have no known price."""
    estimated: int
    """How many calls are our own guess."""

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens


def day_of(at: float) -> str:
    """Return the user's own day of the moment *at*."""
    return datetime.fromtimestamp(at).astimezone().date().isoformat()


def book(state: State, call: ModelCall, spent: Spent) -> int:
    """Write down what *call* costs; return the number of the line.

    It is written before the call is made, as a guess, and settled when the answer is there: a
    call that was made and never came back was paid for all the same.
    """
    (found,) = state.rows(
        "reserve",
        at=call.at,
        day=day_of(call.at),
        engine=call.engine,
        model=call.model,
        project=call.project,
        purpose=call.purpose,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cached_tokens=spent.cached_tokens,
        cost=spent.cost,
        estimated=int(spent.estimated),
    )
    return int(found[0])


def settle(state: State, number: int, spent: Spent, *, model: str) -> None:
    """Let the line *number* say what the call really cost, and which *model* answered."""
    state.run(
        "settle",
        number=number,
        model=model,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cached_tokens=spent.cached_tokens,
        cost=spent.cost,
        estimated=int(spent.estimated),
    )


def release(state: State, number: int) -> None:
    """Take the line *number* back: the call was never answered, and cost nothing."""
    state.run("release", number)


def spent_today(state: State, *, now: float) -> int:
    """Return how many tokens were spent on the day of *now*, by all projects together."""
    found = state.row("spent_on", day_of(now))
    return int(found[0]) if found else 0


def lines(state: State, *, since: str = "") -> list[LedgerRow]:
    """Return what was spent from the day *since* on (all of it without one), by day."""
    return [
        LedgerRow(
            day=day,
            project=project,
            engine=engine,
            model=model,
            purpose=purpose,
            calls=calls,
            input_tokens=sent,
            output_tokens=answered,
            cached_tokens=cached,
            cost=cost or 0.0,
            without_price=without_price,
            estimated=estimated,
        )
        for (
            day, project, engine, model, purpose, calls, sent, answered, cached, cost,
            without_price, estimated,
        ) in state.rows("spending", since)
    ]  # fmt: skip


def total(found: Iterable[LedgerRow]) -> int:
    """Return the tokens of the lines *found* together."""
    return sum(line.tokens for line in found)
