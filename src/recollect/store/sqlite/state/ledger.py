"""What models cost, in SQLite."""

from recollect.store import ledger
from recollect.store.contract.state import LedgerRow, ModelCall, Spent
from recollect.store.sqlite.state.statements import Statements


class SqliteLedger:
    """`Ledger` over the table `ledger`."""

    def __init__(self, statements: Statements) -> None:
        self._statements = statements

    def book(self, call: ModelCall, spent: Spent) -> int:
        """Write down what *call* costs; return the number of the line.

        It is written before the call is made, as a guess, and settled when the answer is there: a
        call that was made and never came back was paid for all the same.
        """
        (found,) = self._statements.rows(
            "reserve",
            at=call.at,
            day=ledger.day_of(call.at),
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

    def settle(self, number: int, spent: Spent, *, model: str) -> None:
        """Let the line *number* say what the call really cost, and which *model* answered."""
        self._statements.run(
            "settle",
            number=number,
            model=model,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached_tokens=spent.cached_tokens,
            cost=spent.cost,
            estimated=int(spent.estimated),
        )

    def release(self, number: int) -> None:
        """Take the line *number* back: the call was never answered, and cost nothing."""
        self._statements.run("release", number)

    def rows(self, *, since: str = "") -> list[LedgerRow]:
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
            ) in self._statements.rows("spending", since)
        ]  # fmt: skip

    def spent_on(self, day: str) -> int:
        """Return how many tokens were spent on *day*, by all projects together."""
        found = self._statements.row("spent_on", day)
        return int(found[0]) if found else 0
