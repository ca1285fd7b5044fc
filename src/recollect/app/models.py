"""Models, if the user wants one: how it goes with them, what they cost, and asking them."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.model_status import ModelSettings, ModelStatus
from recollect.config import Settings
from recollect.journal.model import JournalEntry
from recollect.pipeline.after_turn import AfterTurn
from recollect.store import pause, queue
from recollect.store.contract.state import Pause, QueuedTurn, Session

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.llm.engine import Asked, Completion, Engine
    from recollect.llm.enrich import Enrichment
    from recollect.llm.redo import Work as Work  # noqa: PLC0414 - for surfaces
    from recollect.llm.rewrite import EntryRewriter
    from recollect.llm.rewrite import Preview as Preview  # noqa: PLC0414 - for surfaces
    from recollect.llm.rewrite import RewrittenEntry as RewrittenEntry  # noqa: PLC0414 - for surfaces


class ModelRoom:
    """The models that one home may ask; *engine* makes one, if not as the settings say."""

    def __init__(
        self,
        home: OpenHome,
        *,
        engine: "Callable[[Settings], Engine] | None",
        after_turn: AfterTurn,
        curator: "Callable[[], Curator]",
        reindex: Callable[[str], None],
    ) -> None:
        self._home = home
        self._after_turn = after_turn
        self._curator = curator
        self._reindex = reindex
        self._status = ModelSettings(
            home.path, home.state, registry=home.registry, settings=home.settings, engine=engine
        )

    # How it goes.

    def status(self, *, now: float) -> ModelStatus:
        """Return how it goes: which models, what they cost, what waits and what is wrong."""
        return self._status.status(now=now)

    def news(self, *, now: float) -> list[str]:
        """Return what the user should hear as a session begins."""
        return self._status.news(now=now)

    def troubles(self) -> dict[str, str]:
        """Return why no model can be asked now, by project, where the user wants one."""
        return self._status.troubles()

    def pauses(self, *, main: bool = False) -> list[Pause]:
        """Return why models that the settings name rest, or did last; of the *main* ones alone."""
        return self._status.pauses(main=main)

    # Asking.

    def settings(self, project: str) -> Settings:
        """Return the settings of *project*, without an engine if nothing of it may be sent."""
        return self._status.settings(project)

    def trouble(self, project: str) -> str:
        """Return why no model can be asked for *project* now; empty if one can."""
        return self._status.trouble(project)

    def ask(self, asked: "Asked", *, project: str, purpose: str) -> "Completion":
        """Ask the model of *project*, within its budget. Raises `EngineError`."""
        return self._status.client.ask(asked, project=project, purpose=purpose)

    def answers_alike(self, project: str, other: str) -> bool:
        """Tell whether two projects let the same engine read what is theirs."""
        from recollect.llm.providers import choose  # noqa: PLC0415 - only to answer a question

        chosen, own = (self._status.client.settings(name) for name in (project, other))
        return choose.fingerprint(chosen) == choose.fingerprint(own)

    @cached_property
    def rewriter(self) -> "EntryRewriter":
        """Return what lets a model tell turns anew."""
        from recollect.llm.drafted import ModelNotes  # noqa: PLC0415 - takes pydantic and YAML
        from recollect.llm.rewrite import EntryRewriter  # noqa: PLC0415 - takes pydantic and YAML

        notes = ModelNotes(
            settings=self._home.settings,
            library=self._home.library,
            curator=self._curator,
            after_turn=self._after_turn,
        )
        return EntryRewriter(
            state=self._home.state,
            library=self._home.library,
            client=self._status.client,
            notes=notes,
        )

    @cached_property
    def enrichment(self) -> "Enrichment":
        """Return what asks a model about the turns that wait for one."""
        from recollect.llm.enrich import Enrichment  # noqa: PLC0415 - takes pydantic and YAML

        return Enrichment(
            state=self._home.state,
            client=self._status.client,
            rewriter=self.rewriter,
            reindex=self._reindex,
        )

    def due(
        self,
        those: Iterable[Session],
        *,
        since: float,
        is_done: Callable[[JournalEntry, str], bool],
    ) -> "Iterator[Work]":
        """Return the turns of *those* sessions to be written anew: see `llm.redo`."""
        from recollect.llm import redo  # noqa: PLC0415 - takes pydantic and YAML

        return redo.due(
            those,
            since=since,
            library=self._home.library,
            settings=self.settings,
            is_done=is_done,
        )

    def changes(self, one: "RewrittenEntry") -> list[str]:
        """Return what changes in an entry, line by line, as `diff` shows it."""
        from recollect.llm import redo  # noqa: PLC0415 - takes pydantic and YAML

        return redo.difference(one)[2:]

    def summary_changes(self, preview: "Preview") -> list[str]:
        """Return what changes in the summary of a session if all of *preview* is accepted."""
        from recollect.llm import redo  # noqa: PLC0415 - takes pydantic and YAML

        return redo.summary_difference(preview, self.summary_now(preview.snapshot.session))

    def end_left_behind(self) -> None:
        """End clients that a worker left behind when it was killed."""
        if os.path.isdir(paths.children(self._home.path)):
            from recollect.llm.providers import children  # noqa: PLC0415 - only for who asks

            children.reap(self._home.path)

    def summary_now(self, session: Session) -> str:
        """Return what the journal says of how *session* went."""
        return self._home.library(session.project).summary_of(session.id)

    # What waits.

    def waiting(self) -> Sequence[QueuedTurn]:
        """Return the turns that a model has still to look at."""
        return queue.waiting(self._home.state)

    def set_aside(self) -> Sequence[QueuedTurn]:
        """Return the turns that were set aside after three failures."""
        return queue.set_aside(self._home.state)

    def retry(self) -> None:
        """Let the turns that were set aside wait again, and end every pause."""
        queue.retry(self._home.state)
        pause.end_all(self._home.state)
