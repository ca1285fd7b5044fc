"""Where models are asked: within the day's budget, every token booked, nothing sent unredacted.

What a call may cost at most is booked before it is made, so that two at once cannot spend more
than the budget, and one that never came back is counted.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from recollect import tokens
from recollect.config import Settings
from recollect.errors import EngineError
from recollect.llm.engine import Asked, Completion, Engine
from recollect.llm.providers.choose import model_of
from recollect.privacy import redact
from recollect.store import ledger, pause
from recollect.store.contract.state import ModelCall, Spent, StateStore

MILLION = 1_000_000

# What the shortest of calls sends: the instructions, and hardly a turn.
SHORTEST_CALL = 1_500


class BudgetedClient:
    """Asks the engine that the settings of a project name."""

    def __init__(
        self,
        state: StateStore,
        *,
        settings: Callable[[str], Settings],
        engine: Callable[[Settings], Engine],
    ) -> None:
        self.settings = settings
        self._state = state
        self._engine = engine
        self._asking: Engine | None = None
        self._stopped = False

    def ask(self, asked: Asked, *, project: str, purpose: str) -> Completion:
        """Return the answer, which is booked. Raises `EngineError`."""
        settings = self.settings(project)
        engine = self._engine(settings)
        asked = replace(
            asked,
            text=redact.clean(asked.text),
            model=asked.model or settings.synthesis_default_model,
        )
        model = asked.model or engine.default_model
        call = ModelCall(
            at=time.time(), engine=engine.name, model=model, project=project, purpose=purpose
        )
        number = self._book(call, asked, settings)
        try:
            self._asking = engine
            if self._stopped:
                raise EngineError("we are leaving", kind="unavailable")
            answer = engine.ask(asked)
        except EngineError as error:
            # What the model was at work on is paid for: the booking stands, as our guess.
            if not error.paid:
                self._state.ledger.release(number)
            raise
        finally:
            self._asking = None
        spent = _priced(answer.spent, settings)
        self._state.ledger.settle(number, spent, model=answer.model)
        pause.end(self._state, model_of(settings, asked.model))
        return replace(answer, spent=spent)

    @property
    def is_stopped(self) -> bool:
        """True once nobody is asked any more."""
        return self._stopped

    def stop(self) -> None:
        """From another thread: end the call under way, and begin no other."""
        self._stopped = True
        if asking := self._asking:
            asking.stop()

    def trouble(self, project: str) -> str:
        """Return why no model can be asked now, in words; empty if one can."""
        settings = self.settings(project)
        if settings.synthesis_engine == "extractive":
            return "no model is switched on (synthesis.engine)"
        try:
            self._engine(settings)
        except EngineError as error:
            return error.message
        return self.used_up(settings) if self.is_used_up(settings) else ""

    def is_used_up(self, settings: Settings) -> bool:
        """Tell whether not even a short call can be made today any more."""
        return self.left(settings) < SHORTEST_CALL + settings.synthesis_max_output_tokens

    @staticmethod
    def used_up(settings: Settings) -> str:
        """Say that nothing is left for today."""
        return f"today's budget of {settings.synthesis_daily_tokens:,} tokens is used up"

    def left(self, settings: Settings) -> int:
        """Return how many tokens may still be spent today."""
        return settings.synthesis_daily_tokens - ledger.spent_today(self._state, now=time.time())

    def _book(self, call: ModelCall, asked: Asked, settings: Settings) -> int:
        """Book what the call may cost at most. Raises `EngineError` if that is too much."""
        sent = tokens.estimate(asked.instructions) + tokens.estimate(asked.text)
        most = Spent(input_tokens=sent, output_tokens=asked.most_output_tokens, estimated=True)
        with self._state.transaction():
            if most.tokens > self.left(settings):
                raise EngineError(
                    self.used_up(settings),
                    kind="budget",
                    hint="It begins anew tomorrow; synthesis.daily_tokens sets it.",
                )
            return self._state.ledger.book(call, most)


def _priced(spent: Spent, settings: Settings) -> Spent:
    """Return *spent* with its cost, where the user set a price or the engine named one."""
    prices = settings.synthesis_price_input, settings.synthesis_price_output
    if spent.cost is not None or not any(prices):
        return spent
    cost = spent.input_tokens * prices[0] + spent.output_tokens * prices[1]
    return replace(spent, cost=cost / MILLION)
