"""The one door to a home: opened once, with a room for each topic.

This is the only place that picks implementations. Surfaces (commands, worker, tools for agents)
parse, make one call into a room, and show what comes back; what stands behind a room is no
business of theirs.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from recollect import paths
from recollect.app.asking import Asking
from recollect.app.browse import Browse
from recollect.app.changes import Changes
from recollect.app.disputes import Disputes
from recollect.app.home import OpenHome
from recollect.app.hook_answers import HookAnswers
from recollect.app.housekeeping import Housekeeping
from recollect.app.importing import Importing
from recollect.app.journal import Journal
from recollect.app.meaning import Meaning
from recollect.app.memories import Memories
from recollect.app.models import ModelRoom
from recollect.app.naming import Naming
from recollect.app.pages import Pages
from recollect.app.projects import Projects
from recollect.app.review import ReviewRoom
from recollect.app.search import Searches
from recollect.app.sessions import Sessions
from recollect.app.settings import SettingsRoom
from recollect.app.spending import SpendingRoom
from recollect.app.upkeep import Upkeep
from recollect.app.usage import UsageRoom
from recollect.app.viewer import USER, Viewer, Visibility
from recollect.config import Settings
from recollect.curation.forget import Forgetting
from recollect.errors import BusyError, LibraryError, StoreError
from recollect.journal.extractive import Extractive
from recollect.pipeline.after_turn import AfterTurn
from recollect.pipeline.collect import Collector
from recollect.pipeline.intake import Intake
from recollect.pipeline.record import Recorder
from recollect.pipeline.turn_pipeline import TurnPipeline
from recollect.pipeline.usage import Usage
from recollect.search import report
from recollect.search.embedding import Embeddings
from recollect.store.contract.backend import Backend
from recollect.store.contract.notes import NoteTrouble
from recollect.store.contract.state import Session

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.curation.review import Review
    from recollect.llm.engine import Engine


class Recollect:
    """One home, opened. Belongs to one thread; close it, or use `opened`.

    *flags* are settings for this process alone. Without *embeddings*, searches go by words alone
    and nothing heavy is loaded. One that is *hurried* gives up on a lock at once. It shows
    what the *viewer* may see. A *backend* keeps what it is told, if not the usual one. Raises
    `LibraryError` where *home* cannot be used, `BusyError` while it is locked.
    """

    def __init__(  # noqa: PLR0913 - one parameter a circumstance
        self,
        home: str,
        *,
        flags: Mapping[str, str] | None = None,
        embeddings: Embeddings | None = None,
        engine: "Callable[[Settings], Engine] | None" = None,
        hurried: bool = False,
        viewer: Viewer = USER,
        backend: Backend | None = None,
    ) -> None:
        self.inside = inside = _opened(home, flags=flags, hurried=hurried, backend=backend)
        """What the rooms share. Not for surfaces."""
        self.usage_counter = Usage(
            home, state=inside.state, index=lambda: inside.index, library=inside.library
        )
        after_turn = AfterTurn(
            state=inside.state,
            library=inside.library,
            settings=inside.settings,
            curator=lambda: self.notes,
            embed=lambda text: self.meaning.sentence_vector(text),  # noqa: PLW0108 - made below
            used=self.usage_counter.turn,
        )
        collector = Collector(
            home, state=inside.state, registry=inside.registry, library=inside.library
        )
        recorder = Recorder(state=inside.state, extractive=Extractive(), library=inside.library)
        self.pipeline = TurnPipeline(
            state=inside.state,
            collector=collector,
            recorder=recorder,
            after_turn=after_turn,
            follow=lambda project: self.upkeep.follow_turns(project),  # noqa: PLW0108 - made below
            following_once=lambda: self.upkeep.following_at_the_end(),  # noqa: PLW0108 - below
        )
        self.meaning = Meaning(inside, embeddings)
        self.upkeep = Upkeep(
            inside,
            self.meaning,
            prepare_start=lambda project: self.hooks.prepare_start(project),  # noqa: PLW0108 - below
            renew_summary=self.pipeline.renew_summary,
        )
        self.hooks = HookAnswers(inside, self.upkeep, self.meaning)
        self.settings = SettingsRoom(inside, prepare_start=self.hooks.prepare_start)
        self.projects = Projects(
            inside,
            self.upkeep,
            publish=self.settings.publish,
        )
        self.disputes = Disputes(inside)
        self._look_as(viewer)
        self.spending = SpendingRoom(inside, self.projects)
        self.usage = UsageRoom(inside, self.usage_counter, self.projects, self.spending)
        self.housekeeping = Housekeeping(inside, self.usage_counter, curator=lambda: self.notes)
        self.models = ModelRoom(
            inside,
            engine=engine,
            after_turn=after_turn,
            curator=lambda: self.notes,
            reindex=self.upkeep.follow_own_writing,
        )
        self.asking = Asking(
            home=home,
            projects=self.projects,
            search=self.search,
            models=self.models,
            settings=inside.settings,
        )
        self.intake = Intake(
            home,
            state=inside.state,
            registry=inside.registry,
            collector=collector,
            pipeline=self.pipeline,
        )
        self.importing = Importing(
            self.intake, self.upkeep, self.settings, curator=lambda: self.notes
        )

    @property
    def home(self) -> str:
        """The folder of this home."""
        return self.inside.path

    def close(self) -> None:
        """Close the databases."""
        self.inside.close()

    def _look_as(self, viewer: Viewer) -> None:
        """Open the rooms in which different viewers see different things."""
        inside, upkeep, projects = self.inside, self.upkeep, self.projects
        self.visibility = seen = Visibility(
            viewer, inside, projects, is_hidden=self.hooks.is_hidden
        )
        self.sessions = Sessions(inside, upkeep, self.hooks, seen)
        self.browse = Browse(inside, upkeep, seen, self.sessions, curator=lambda: self.notes)
        self.pages = Pages(inside, upkeep, self.sessions, seen, curator=lambda: self.notes)
        self.journal = Journal(inside, upkeep, seen)
        self.search = Searches(inside, upkeep, self.meaning, projects, seen)
        self.memories = Memories(inside, upkeep, projects, self.sessions, seen)
        self.reviews = ReviewRoom(
            self.disputes, seen, review=self.review, curator=lambda: self.notes
        )
        self.changes = Changes(inside, projects, self.disputes, seen, curator=lambda: self.notes)

    def seen_by(self, viewer: Viewer) -> "Recollect":
        """Return this home as *viewer* may see it; it is closed with this one."""
        seen = copy.copy(self)
        seen._look_as(viewer)
        return seen

    def naming(
        self, *, folder: str, project: str | None = None, everywhere: bool = False
    ) -> Naming:
        """Return what names mean in *folder*, in a *project*, or *everywhere*."""
        return Naming(
            self.inside,
            self.upkeep,
            self.projects,
            self.visibility,
            curator=lambda: self.notes,
            folder=folder,
            project=project,
            everywhere=everywhere,
        )

    @cached_property
    def notes(self) -> "Curator":
        """The notes: made, found, changed, retired, collected."""
        from recollect.curation.curator import Curator  # noqa: PLC0415 - takes pydantic and YAML

        return Curator(
            notebook=self.inside.notebook,
            settings=self.inside.settings,
            refresh=self.upkeep.follow_own_writing,
            nearness=self.meaning.nearness,
            forgetting=self.forgetting,
            evidence=self.inside.evidence,
            projects=self.inside.backend.projects,
        )

    @cached_property
    def forgetting(self) -> Forgetting:
        """What was taken out of the journal."""
        return Forgetting(
            self.home,
            state=self.inside.state,
            index=lambda: self.inside.index,
            library=self.inside.library,
            renew=self.pipeline.renew_summary,
            refresh=self.upkeep.follow_own_writing,
        )

    def review(self, project: str) -> "Review":
        """Return what waits for the user's word in *project*."""
        from recollect.curation.review import Review  # noqa: PLC0415 - takes pydantic and YAML

        root = "" if project == paths.EVERYWHERE else self.inside.registry.named(project).root
        if root:
            self.upkeep.check_files_of(self.inside.registry.named(project))
        return Review(self.notes, stale=self._stale_notes, root=root)

    def note_states(self, project: str) -> Mapping[str, str]:
        """Return the documents of the notes of *project*, with what tells whether one changed.

        Also of those that cannot be read.
        """
        return self.inside.library(project).note_states()

    def note_troubles(self) -> list[NoteTrouble]:
        """Return what should be a note and cannot be read, or is odd, with what to do."""
        everyone = [paths.EVERYWHERE, *(one.name for one in self.projects.all())]
        return [
            trouble
            for name in everyone
            if self.inside.library(name).has_notes()
            for trouble in self.notes.troubles(name)
        ]

    def verdicts(self) -> dict[str, str]:
        """Return what is to be said of each database: `ok`, or what is wrong with it."""
        return self.inside.backend.verdicts()

    def renew_summary(self, session: Session) -> None:
        """Bring the summary of *session*, and what follows from it, in step with its entries."""
        self.pipeline.renew_summary(session)
        self.upkeep.follow_own_writing(session.project)

    def _stale_notes(self, project: str) -> dict[str, str]:
        return {
            note.id: str(report.of_entry(note)["stale"])
            for note in self.inside.index.notes(project)
            if note.stale
        }


@contextmanager
def opened(
    home: str,
    *,
    flags: Mapping[str, str] | None = None,
    embeddings: Embeddings | None = None,
) -> Iterator[Recollect]:
    """Open the home for as long as the block runs."""
    app = Recollect(home, flags=flags, embeddings=embeddings)
    try:
        yield app
    finally:
        app.close()


def _opened(
    home: str, *, flags: Mapping[str, str] | None, hurried: bool, backend: Backend | None
) -> OpenHome:
    try:
        return OpenHome(home, flags=flags, hurried=hurried, backend=backend)
    except BusyError as error:
        raise BusyError(f"{home}: {error.message}", hint=error.hint) from error
    except (OSError, StoreError) as error:
        raise LibraryError(
            f"{home}: cannot be used: {error}",
            hint="It must be a folder that you may write to; `recollect doctor` tells more.",
        ) from error
