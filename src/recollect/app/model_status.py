"""Which models the user lets us ask, and how it goes with them: cost, queue, trouble, news.

Nothing of `llm` is loaded before somebody has switched a model on.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from recollect import paths
from recollect.config import Settings
from recollect.hosts import client
from recollect.store import ledger, pause, tally
from recollect.store.contract.state import Pause, StateStore
from recollect.store.registry import Registry

if TYPE_CHECKING:
    from recollect.llm.budgeted_client import BudgetedClient
    from recollect.llm.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """How it goes with models."""

    engine: str
    is_on: bool
    """True when any project has an engine."""
    model: str
    tokens_today: int
    daily_tokens: int
    """The limit."""
    tokens_spent: int
    waiting: int
    """Turns that a model has still to look at."""
    set_aside: int
    trouble: str = ""
    """Why somebody is not asked for now."""
    is_partial: bool = False
    """True when only a further model rests, and the first one is asked."""
    hint: str = ""
    until: float | None = None
    """When it is asked again, in seconds since 1970."""
    dropped: dict[str, int] = field(default_factory=dict)
    """What models said that no turn supports, by kind."""


class ModelSettings:
    """The models of one home; *engine* makes one, if not as the settings say."""

    def __init__(
        self,
        home: str,
        state: StateStore,
        *,
        registry: Registry,
        settings: Callable[[str], Settings],
        engine: "Callable[[Settings], Engine] | None" = None,
    ) -> None:
        self._home = home
        self._state = state
        self._registry = registry
        self._settings = settings
        self._engine = engine or self._chosen
        self._engines: dict[str, Engine] = {}

    @cached_property
    def client(self) -> "BudgetedClient":
        """Return what asks a model within the budget."""
        from recollect.llm.budgeted_client import BudgetedClient  # noqa: PLC0415 - only for who asks

        return BudgetedClient(self._state, settings=self.settings, engine=self._engine)

    def settings(self, project: str) -> Settings:
        """Return the settings of *project*, without an engine if nothing of it may be sent."""
        settings = self._settings(project)
        named = "" if project == paths.EVERYWHERE else project
        excluded = named and self._registry.named(named).excluded
        if excluded or not settings.capture_enabled:
            return replace(settings, synthesis_engine="extractive")
        return settings

    def _chosen(self, settings: Settings) -> "Engine":
        from recollect.llm.providers import choose  # noqa: PLC0415 - only for who asks

        choice = choose.fingerprint(settings)
        if choice not in self._engines:
            made = choose.chosen(settings, home=self._home, client=client.where())
            self._engines[choice] = made
        return self._engines[choice]

    def status(self, *, now: float) -> ModelStatus:
        """Return how it goes: which models, what they cost, what waits and what is wrong."""
        on = self._switched_on()
        everything = self._state.queue.everything()
        resting = [one for one in self.pauses(main=True) if one.lasts(now)]
        further = [one for one in self.pauses() if one.lasts(now)]
        first = min(resting or further, key=lambda one: one.until, default=None)
        general = self._settings("")
        return ModelStatus(
            engine=", ".join(sorted({own.synthesis_engine for own in on.values()})) or "extractive",
            is_on=bool(on),
            model=general.synthesis_default_model,
            tokens_today=ledger.spent_today(self._state, now=now),
            daily_tokens=general.synthesis_daily_tokens,
            tokens_spent=ledger.total(self._state.ledger.rows()),
            waiting=sum(1 for one in everything if not one.aside and one.project in on),
            set_aside=sum(1 for one in everything if one.aside),
            trouble=first.message if first else "",
            is_partial=bool(first) and not resting,
            hint=first.hint if first else "",
            until=first.until if first else None,
            dropped=tally.so_far(self._state),
        )

    def _switched_on(self) -> dict[str, Settings]:
        """Return the settings that hold in general and for each project, where they name one."""
        everyone = ["", *(one.name for one in self._registry.all())]
        found = {name: self.settings(name) for name in everyone}
        return {name: own for name, own in found.items() if own.synthesis_engine != "extractive"}

    def pauses(self, *, main: bool = False) -> list[Pause]:
        """Return why models that the settings name rest, or did last; of the *main* ones alone."""
        found = [pause.current(self._state, whose) for whose in self._named(main=main)]
        return [one for one in found if one]

    def _named(self, *, main: bool = False) -> list[str]:
        """Return the models that the settings name; the *main* ones alone make entries."""
        on = self._switched_on().values()
        if not on:
            return []
        from recollect.llm.providers import choose  # noqa: PLC0415 - only for who asks

        named = [one for own in on for one in choose.models_of(own)[: 1 if main else None]]
        return list(dict.fromkeys(named))

    def trouble(self, project: str) -> str:
        """Return why no model can be asked for *project* now; empty if one can."""
        if self.settings(project).synthesis_engine == "extractive":
            return "no model is switched on (synthesis.engine)"
        return self.client.trouble(project)

    def troubles(self) -> dict[str, str]:
        """Return why no model can be asked now, by project, where the user wants one."""
        found = {name: self.trouble(name) for name in self._switched_on()}
        return {name: trouble for name, trouble in found.items() if trouble}

    def news(self, *, now: float) -> list[str]:
        """Return what the user should hear as a session begins.

        That the budget is used up, as long as it is; and what only they can change, once.
        """
        on = self._switched_on().values()
        if not on:
            return []
        from recollect.llm import retry_policy  # noqa: PLC0415 - only for who asks

        used_up = [self.client.used_up(own) for own in on if self.client.is_used_up(own)]
        used_up += [one.message for one in self.pauses() if one.kind == "budget" and one.lasts(now)]
        if used_up:
            return [f"Recollect asks no model until tomorrow: {used_up[0]}"]
        main = self._named(main=True)
        told = {whose: pause.tell(self._state, whose) for whose in self._named()}
        return [
            f"Recollect {'asks no model' if whose in main else 'leaves out a model'}:"
            f" {one.message}.{f' {one.hint}' if one.hint else ''}"
            for whose, one in told.items()
            if one and one.kind in retry_policy.NEED_USER
        ]
