"""Which models the user lets us ask, and how it goes with them: cost, queue, trouble, news."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace

from recollect import paths
from recollect.config import Settings
from recollect.hosts import client
from recollect.llm.desk import Desk
from recollect.llm.engine import Engine
from recollect.llm.patience import TREATMENTS
from recollect.llm.providers import choose
from recollect.store import ledger, pause, tally
from recollect.store.contract.state import Pause, StateStore
from recollect.store.registry import Registry

# What only the user can change.
GRAVE = frozenset(kind for kind, one in TREATMENTS.items() if one.needs_user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How it goes with models."""

    engine: str
    is_on: bool
    """True when any project has an engine."""
    model: str
    tokens_today: int
    daily_tokens: int
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
    dropped: dict[str, int] = field(default_factory=dict)
    """What models said that no turn supports."""

    def as_json(self) -> dict[str, object]:
        """Return it for programs."""
        return asdict(self)


class Modelling:
    """The models of one home; *engine* makes one, if not as the settings say."""

    def __init__(
        self,
        home: str,
        state: StateStore,
        *,
        registry: Registry,
        settings: Callable[[str], Settings],
        engine: Callable[[Settings], Engine] | None = None,
    ) -> None:
        self._home = home
        self._state = state
        self._registry = registry
        self._settings = settings
        self._engines: dict[str, Engine] = {}
        self.desk = Desk(state, settings=self.settings, engine=engine or self._engine)

    def settings(self, project: str) -> Settings:
        """Return the settings of *project*, without an engine if nothing of it may be sent."""
        settings = self._settings(project)
        named = "" if project == paths.EVERYWHERE else project
        excluded = named and self._registry.named(named).excluded
        if excluded or not settings.capture_enabled:
            return replace(settings, synthesis_engine="extractive")
        return settings

    def _engine(self, settings: Settings) -> Engine:
        choice = choose.fingerprint(settings)
        if choice not in self._engines:
            made = choose.chosen(settings, home=self._home, client=client.where())
            self._engines[choice] = made
        return self._engines[choice]

    def standing(self, *, now: float) -> Standing:
        """Return how it goes: which models, what they cost, what waits and what is wrong."""
        on = self._switched_on()
        everything = self._state.queue.everything()
        resting = [one for one in self.pauses(main=True) if one.lasts(now)]
        further = [one for one in self.pauses() if one.lasts(now)]
        first = min(resting or further, key=lambda one: one.until, default=None)
        general = self._settings("")
        return Standing(
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
        named = [one for own in on for one in choose.models_of(own)[: 1 if main else None]]
        return list(dict.fromkeys(named))

    def troubles(self) -> dict[str, str]:
        """Return why no model can be asked now, by project, where the user wants one."""
        found = {name: self.desk.trouble(name) for name in self._switched_on()}
        return {name: trouble for name, trouble in found.items() if trouble}

    def news(self, *, now: float) -> list[str]:
        """Return what the user should hear as a session begins.

        That the budget is used up, as long as it is; and what only they can change, once.
        """
        on = self._switched_on().values()
        used_up = [self.desk.used_up(own) for own in on if self.desk.is_used_up(own)]
        used_up += [one.message for one in self.pauses() if one.kind == "budget" and one.lasts(now)]
        if used_up:
            return [f"Recollect asks no model until tomorrow: {used_up[0]}"]
        main = self._named(main=True)
        told = {whose: pause.tell(self._state, whose) for whose in self._named()}
        return [
            f"Recollect {'asks no model' if whose in main else 'leaves out a model'}:"
            f" {one.message}.{f' {one.hint}' if one.hint else ''}"
            for whose, one in told.items()
            if one and one.kind in GRAVE
        ]
