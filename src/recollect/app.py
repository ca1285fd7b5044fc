"""The composition root: the only place that picks implementations.

An `App` is everything one home has, opened. Surfaces (commands, worker) parse, make one call
here, and show what comes back.
"""

import itertools
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from recollect import config, files, fingerprint, paths, projects
from recollect.answering.answers import Answering
from recollect.answering.ground import Ground
from recollect.answering.opening import unless_busy
from recollect.config import Settings
from recollect.context import render
from recollect.curation.forget import Forgetting
from recollect.errors import (
    ConfigError,
    EmbedderError,
    NotFoundError,
    ProjectError,
    RecollectError,
    each,
)
from recollect.hooks import answer as plain
from recollect.hooks import claude_code, dialects
from recollect.hooks import settings as hook_settings
from recollect.hooks.dialects import Dialect
from recollect.hooks.payload import parse
from recollect.hooks.said import HookResponse
from recollect.hosts import client
from recollect.importers import records, transcripts
from recollect.importers.transcripts import TranscriptsReport
from recollect.index import database as index_database
from recollect.index.database import Index, Indexed
from recollect.index.embedding import Choice, Embedding, Embeddings
from recollect.index.follow import Sources
from recollect.index.stale import Staleness
from recollect.intake import clean
from recollect.intake.pipeline import Intake
from recollect.intake.record import Recorder, archive_of
from recollect.memories import hosted, markdown
from recollect.memories.library import Library, Stamps
from recollect.memories.model import SUMMARY_FIELDS, LibraryItem
from recollect.modelling import Modelling
from recollect.notes import rules
from recollect.noticing import Noticing
from recollect.privacy import redact
from recollect.retrieval import disclose, moments, report
from recollect.retrieval.disclose import Whole
from recollect.retrieval.query import Query
from recollect.retrieval.search import Request, SearchResult, no_vector, search
from recollect.search import question as questions
from recollect.search import wants
from recollect.search.wants import Wants
from recollect.state import disputes, saved, sessions
from recollect.state.database import State, open_state
from recollect.state.disputes import Dispute
from recollect.state.registry import EVERYWHERE, Project, Registry
from recollect.state.sessions import Session
from recollect.synthesis.engine import Engine
from recollect.synthesis.extractive import Extractive
from recollect.transcripts import archive, events
from recollect.transcripts.turns import CleanTurn
from recollect.usage import Usage

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.curation.review import Review
    from recollect.importers.notes import NotesReport
    from recollect.index.embedders.protocol import Vector
    from recollect.intake.enrich import Enrichment
    from recollect.intake.retell import Retelling
    from recollect.memories.notebook import Notebook
    from recollect.memories.notes import Evidence
    from recollect.memories.shelf import Trouble


# So much of a prompt is compared by its meaning: its beginning says what is wanted.
LONGEST_UNASKED = 600

# Of so many of the newest entries, the files are looked at as soon as they are written down.
JUST_RECORDED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A project as `recollect projects` lists it."""

    project: Project
    paths: tuple[str, ...]
    hosts: tuple[str, ...]
    sessions: int
    memories: int


# What an agent is told that wants to look further than it may.
CONFINED = "Other projects are closed to agents; their user can set agents.all_projects."


class SearchRequest(TypedDict):
    """A search as a surface asks for it."""

    question: str
    limit: int
    bar: float | None
    project: str | None
    all_projects: bool
    include_archived: bool
    explain: bool
    folder: str
    for_agent: NotRequired[bool]
    """Leave out what the user keeps from agents."""
    confined: NotRequired[bool]
    """Look into no other project, whatever is asked."""


class App:
    """One home, opened. Holds two databases; close it, or use `opened`."""

    def __init__(
        self,
        home: str,
        *,
        flags: Mapping[str, str] | None = None,
        embeddings: Embeddings | None = None,
        engine: Callable[[Settings], Engine] | None = None,
        hurried: bool = False,
    ) -> None:
        self.home = home
        self._hurried = hurried
        # Without them a search goes by words alone, and nothing heavy is loaded.
        self._embeddings = embeddings
        self._flags = flags
        self.state: State = open_state(home)
        self.index = self._open_index()
        self.registry = Registry(self.state, home)
        self._libraries: dict[str, Library] = {}
        self._notebooks: dict[str, Notebook] = {}
        self._in_step: dict[str, tuple[Index, Stamps]] = {}
        self._settings: dict[str, tuple[object, Settings]] = {}
        self._published: dict[str, list[int] | None] = {}
        self._behind: set[str] | None = None
        """The projects whose last turns are still to be followed; None where that is at once."""
        self._telling: dict[str, int] = {}
        self.models = Modelling(
            home, self.state, registry=self.registry, settings=self.settings, engine=engine
        )
        self.usage = Usage(home, state=self.state, index=lambda: self.index)
        self._noticing = Noticing(
            home,
            state=self.state,
            settings=self.settings,
            library=self.library,
            curator=lambda: self.curator,
            embed=self._sentence_vector,
            used=self.usage.turn,
        )
        self._recorder = Recorder(
            home,
            state=self.state,
            extractive=Extractive(),
            library=self.library,
            notice=self._noticing,
        )
        self.intake = Intake(
            home,
            state=self.state,
            recorder=self._recorder,
            reindex=self._follow_turns,
        )

    def close(self) -> None:
        """Close the databases."""
        self.state.close()
        self.index.close()

    def settings(self, project: str = "") -> Settings:
        """Return the settings that hold for *project*, or in general."""
        if project == paths.EVERYWHERE:
            project = ""
        root = self.registry.named(project).root if project else ""
        # They are asked for several times in each answer, and hardly ever change.
        made_from = config.made_from(self.home, project=project, root=root)
        known = self._settings.get(project)
        if known is None or known[0] != made_from:
            loaded = config.load(self.home, project=project, root=root, flags=self._flags)
            known = self._settings[project] = (made_from, loaded)
        return known[1]

    def renew_summary(self, session: Session) -> None:
        """Bring the summary of *session*, and what follows from it, in step with its entries."""
        self._recorder.renew_summary(session)
        self._index_own_writing(session.project)

    @cached_property
    def retelling(self) -> "Retelling":
        """Return who lets a model tell turns anew."""
        from recollect.intake.retell import Retelling  # noqa: PLC0415 - takes pydantic and YAML

        return Retelling(
            self.home,
            state=self.state,
            library=self.library,
            desk=self.models.desk,
            notes=self._noticing,
        )

    @cached_property
    def enrichment(self) -> "Enrichment":
        """Return who sees to what waits for a model."""
        from recollect.intake.enrich import Enrichment  # noqa: PLC0415 - takes pydantic and YAML

        return Enrichment(
            state=self.state,
            desk=self.models.desk,
            retelling=self.retelling,
            reindex=self._index_own_writing,
        )

    def library(self, project: str) -> Library:
        """Return the library of *project*."""
        if project not in self._libraries:
            self._libraries[project] = Library(Path(paths.project(self.home, project)))
        return self._libraries[project]

    def notebook(self, project: str) -> "Notebook":
        """Return the notes of *project*, or of `paths.EVERYWHERE`."""
        from recollect.memories.notebook import Notebook  # noqa: PLC0415 - takes pydantic and YAML

        if project not in self._notebooks:
            self._notebooks[project] = Notebook(Path(paths.project(self.home, project)))
        return self._notebooks[project]

    @property
    def curator(self) -> "Curator":
        """Return who makes and changes notes."""
        from recollect.curation.curator import Curator  # noqa: PLC0415 - takes pydantic and YAML

        return Curator(
            notebook=self.notebook,
            settings=self.settings,
            refresh=self._index_own_writing,
            nearness=self._nearness,
            forgetting=self.forgetting,
            evidence=self._evidence,
        )

    def _evidence(self, project: str, names: Sequence[str]) -> "Evidence":
        """Return what *project* looks like now, with those of *names* that are files in it."""
        from recollect.memories.notes import Evidence  # noqa: PLC0415 - takes pydantic

        if project == paths.EVERYWHERE:
            return Evidence()
        root = self.registry.named(project).root
        branch, commit = projects.head(projects.identity(root), root)
        files_seen = fingerprint.of_those(names, cwd=root, root=root)
        return Evidence(branch=branch or None, commit=commit[:12] or None, files=files_seen)

    def review(self, project: str) -> "Review":
        """Return what waits for the user's word in *project*."""
        from recollect.curation.review import Review  # noqa: PLC0415 - takes pydantic and YAML

        root = "" if project == paths.EVERYWHERE else self.registry.named(project).root
        if root:
            self._check_files_of(self.registry.named(project))
        return Review(self.curator, stale=self._stale_notes, root=root)

    def dispute(self, project: str, id: str, *, said: str) -> None:  # noqa: A002
        """Remember that an agent found the memory *id* wrong, and what it *said*."""
        words = redact.clean(" ".join(said.split()))
        one = Dispute(project=project, id=id, author="agent", said=words, at=time.time())
        disputes.add(self.state, one)

    def disputed(self, projects: Sequence[str]) -> list[tuple[Dispute, Indexed]]:
        """Return what somebody called wrong in *projects*, as far as it is still there."""
        found = [one for name in projects for one in disputes.waiting(self.state, name)]
        known = [(one, self.index.by_id(one.id, [one.project])) for one in found]
        return [(one, entry) for one, entry in known if entry]

    def settle(self, one: Dispute, *, is_right: bool) -> None:
        """Show a disputed memory again because it *is_right*, or leave it hidden for good."""
        (disputes.accept if is_right else disputes.reject)(self.state, one)

    def _stale_notes(self, project: str) -> dict[str, str]:
        return {
            note.id: str(report.of_entry(note)["stale"])
            for note in self.index.notes(project)
            if note.stale
        }

    @property
    def forgetting(self) -> Forgetting:
        """Return who forgets."""
        return Forgetting(
            self.home,
            state=self.state,
            index=lambda: self.index,
            library=self.library,
            renew=self._recorder.renew_summary,
            refresh=self._index_own_writing,
        )

    # Keeping the index and what hooks read up to date.

    def sync(self, project: str) -> int:
        """Bring the index in step with the library of *project*; return how many files changed."""
        self.heal()
        # Nothing moved since we looked the last time, and what was there then is in this index.
        seen = (self.index, (*self.library(project).stamps(), *self._hosted_stamps(project)))
        if self._in_step.get(project) == seen:
            return 0
        sources = self._sources(project)
        try:
            changed = self.index.sync(sources)
        except sqlite3.Error as error:
            self._make_anew(error)
            changed = self.index.sync(sources)
        self._in_step[project] = (self.index, seen[1])
        return changed

    def _sources(self, project: str) -> Sources:
        library = self.library(project)
        return Sources(
            project=project,
            journal=library.day_files(),
            read_journal=library.kept_in,
            notes=library.note_files(),
            read_note=partial(self._kept_note, project),
            hosted=self._hosted(project),
            read_hosted=partial(self._read_hosted, project),
            archives=library.archives(),
            read_archive=lambda path, start: archive.read(path, start=start),
        )

    def _hosted(self, project: str) -> list[Path]:
        """Return the files in which Claude Code itself remembers *project*."""
        if project == paths.EVERYWHERE or not self.settings(project).sources_claude_memory:
            return []
        if self.is_excluded(project):
            return []
        return [file for place in self._hosted_places(project) for file in hosted.facts(place)]

    def _read_hosted(self, project: str, path: Path) -> list[LibraryItem]:
        return hosted.read(path, home=self._hosted_places(project)[0])

    def _hosted_places(self, project: str) -> list[Path]:
        """Return the folders in which Claude Code itself may remember *project*, its own first."""
        known = self.registry.named(project)
        folders = [projects.root(one) for one in (known.root, *self.registry.identities(known))]
        return hosted.places(self._claude_folders(), folders)

    def _claude_folders(self) -> list[Path]:
        """Return every folder in which Claude Code was seen to keep its settings.

        Whoever asks may have another one set than who asked before; both are true.
        """
        known = json.loads(self.state.meta("claude_folders") or "[]")
        here = str(client.config_folder())
        if here not in known:
            known.append(here)
            self.state.set_meta("claude_folders", json.dumps(known))
        return list(map(Path, known))

    def _hosted_stamps(self, project: str) -> Stamps:
        stamped = ((str(file), files.stamp(file)) for file in self._hosted(project))
        return tuple((file, *stamp[:2]) for file, stamp in stamped if stamp)

    def refresh(self, project: str) -> None:
        """Bring everything that follows from the library of *project* in step with it.

        And from the library of what holds everywhere, which every project shares.
        """
        if self.sync(paths.EVERYWHERE):
            self._index_own_writing(paths.EVERYWHERE)
        if project == paths.EVERYWHERE:
            return  # No session begins there.
        changed_by_hand = self.sync(project)
        if changed_by_hand:
            self._renew_last_summary(project)
        if changed_by_hand or not os.path.exists(paths.start_block(self.home, project)):
            self.prepare_start(project)

    def check_files(self, *, seen_since: float) -> None:
        """Say of every memory what has become of the files it tells of."""
        recent = [one for one in self.registry.all() if one.last_seen >= seen_since]
        each(recent, self._check_files_of)

    def count_shown(self, *, seen_since: float) -> None:
        """Take in what sessions were shown, and count what their agents pass over."""
        self.usage.take_in_all()
        self.usage.count(one.name for one in self.registry.all() if one.last_seen >= seen_since)

    def _check_files_of(self, project: Project, *, newest: int = -1) -> None:
        staleness, root = Staleness(self.index.connection, render.stale), Path(project.root)
        if root.is_dir() and staleness.check(project.name, root, newest=newest):
            self.prepare_start(project.name)

    def refresh_all(self, *, seen_since: float = 0.0) -> None:
        """Bring everything that follows from any library in step."""
        recent = [one.name for one in self.registry.all() if one.last_seen >= seen_since]
        each(recent, self._refresh_with_history)

    def _refresh_with_history(self, project: str) -> None:
        """Follow the library of *project*; what was written by hand goes into the history."""
        before = self._in_step.get(project)
        self.refresh(project)
        if self._in_step.get(project) != before and self.library(project).note_files():
            self.notebook(project).keep_hand_edits()

    def _follow_turns(self, project: str) -> None:
        """Follow the library after turns were recorded, and see how the files they left look.

        A hook that has no worker to ask can only tell whether they were written to since.
        """
        if self._behind is not None:
            self._behind.add(project)
            return
        self._index_own_writing(project)
        self._check_files_of(self.registry.named(project), newest=JUST_RECORDED)

    @contextmanager
    def following_at_the_end(self) -> Iterator[Callable[[], None]]:
        """Follow what is recorded in the block once, at its end, and whenever that is called.

        Each event of a backlog would otherwise index the day and prepare a start again.
        """
        self._behind = set()

        def follow() -> None:
            behind, self._behind = self._behind or set(), None
            try:
                each(sorted(behind), self._follow_turns)
            finally:
                self._behind = set()

        try:
            yield follow
        finally:
            try:
                follow()
            finally:
                self._behind = None

    def _index_own_writing(self, project: str) -> None:
        self.sync(project)
        everyone = [one.name for one in self.registry.all()]
        for one in everyone if project == paths.EVERYWHERE else [project]:
            self.prepare_start(one)

    def note_troubles(self) -> list["Trouble"]:
        """Return the files that should be notes and cannot be read, with what to do."""
        everyone = [paths.EVERYWHERE, *(one.name for one in self.registry.all())]
        return [
            trouble
            for name in everyone
            if self.library(name).note_files()
            for trouble in self.curator.troubles(name)
        ]

    def _kept_note(self, project: str, path: Path) -> list[LibraryItem]:
        """Return the note in the file *path*, as the index takes it; none if it cannot be read."""
        from recollect.memories import note_index  # noqa: PLC0415 - takes pydantic and YAML

        found = self.notebook(project).at(path)
        return note_index.kept(found) if found else []

    def _nearness(self, text: str, others: Mapping[str, str]) -> dict[str, float]:
        """Return how near *text* is to *others* in meaning; nothing without a model at hand."""
        embedding = self._embedding()
        if embedding is None or not others:
            return {}
        vectors = [embedding.question(one, patient=True) for one in (text, *others.values())]
        if any(vector is None for vector in vectors):
            return {}
        own, *rest = vectors
        return {name: float(own @ one) for name, one in zip(others, rest, strict=True)}  # type: ignore[operator]

    def _sentence_vector(self, text: str) -> "Vector | None":
        """Return the bundled encoder's vector of *text*; None without it, or if it cannot read."""
        embedding = self._embedding()
        if embedding is None or embedding.choice.kind != rules.ENCODER:
            return None
        return embedding.question(text, patient=True)

    def rebuild(self, progress: Callable[[int, int], None]) -> int:
        """Read every file again and make the index what they say; return how many memories.

        What is there answers meanwhile; only a broken index is thrown away first. *progress*
        hears how many files are done, of how many.
        """
        self.heal()
        if not self.index.is_sound():
            index_database.discard(self.home)
            self._reopen_index()
        everyone = [self._sources(project.name) for project in self.registry.all()]
        total = sum(map(len, everyone))
        done = itertools.count(1)
        for sources in everyone:
            self.index.sync(sources, seen=lambda _: progress(next(done), total), anew=True)
            self.prepare_start(sources.project)
        known = {sources.project for sources in everyone}
        for gone in set(self.index.projects()) - known:
            self.index.sync(_nothing_of(gone))
        return sum(self.index.count(project) for project in known)

    def embed(
        self, progress: Callable[[int, int], None], *, enough: Callable[[], bool] = lambda: False
    ) -> int:
        """Make the vectors that are missing; return how many passages got one.

        *progress* hears how many are done, of how many. Raises `EmbedderError`.
        """
        embedding = self._embedding()
        if embedding is None or not embedding.is_wanted or embedding.is_resting:
            return 0
        total = self.pending()
        return embedding.fill(
            self.index.vectors,
            without=self._excluded(),
            enough=enough,
            progress=lambda done: progress(done, total),
        )

    def catch_up(self, *, seconds: float) -> None:
        """Index what is new and make vectors for it, for a few *seconds* at most."""
        deadline = time.monotonic() + seconds
        with unless_busy(), suppress(EmbedderError):
            self.refresh_all()
            self.embed(lambda *_: None, enough=lambda: time.monotonic() > deadline)

    def _excluded(self) -> list[str]:
        return [project.name for project in self.registry.all() if project.excluded]

    def pending(self) -> int:
        """Return how many passages can be found by their words, but not yet by their meaning."""
        choice = self._choice()
        if choice.kind == "none":
            return 0
        return self.index.vectors.pending_for(asdict(choice), without=self._excluded())

    def warm(self) -> None:
        """Load what a search by meaning needs. Raises `EmbedderError`."""
        embedding = self._embedding()
        if embedding and not embedding.is_resting:
            embedding.warm()

    def check_meaning(self) -> None:
        """Find out whether the search by meaning works. Raises `EmbedderError`."""
        embedding = self._embedding()
        if embedding:
            embedding.check()

    def meaning(self) -> dict[str, object]:
        """Return how the search by meaning is."""
        try:
            pending = self.pending()
        except sqlite3.Error:  # The next look at the library makes the index anew.
            pending = 0
        return {
            "embedder": self._choice().kind,
            "embedder_trouble": self.embedder_trouble(),
            "pending": pending,
        }

    def embedder_trouble(self) -> str:
        """Return why there is no search by meaning; empty when there is."""
        embedding = self._embedding()
        return embedding.trouble if embedding else ""

    def _choice(self) -> Choice:
        settings = self.settings()
        return Choice(
            kind=settings.embedder_kind,
            model=settings.embedder_model,
            url=settings.embedder_url,
            key_file=settings.embedder_key_file,
            may_send=settings.embedder_may_send,
        )

    def _embedding(self) -> Embedding | None:
        return self._embeddings.of(self._choice()) if self._embeddings else None

    def _embed_question(self, text: str, *, patient: bool) -> "Callable[[], Vector | None]":
        """Begin with the vector of a question in the space that serves, if there is one now."""
        serving = self.index.vectors.serving()
        wanted = self._choice()
        if self._embeddings is None or serving is None or wanted.kind == "none":
            return no_vector(text)
        choice = Choice(**serving[2])
        # The user has left it: its vectors may serve until others are made, but nothing more
        # is sent there.
        if choice.kind == "openai" and choice != wanted:
            return no_vector(text)
        # Nobody waits for the meaning of a whole log that was pasted into a prompt.
        asked = text if patient else text[:LONGEST_UNASKED]
        return self._embeddings.of(choice).begin(asked, patient=patient)

    def _read_wants(self, vector: "Vector | None") -> Wants:
        """Tell what the prompt with this *vector* wants, where the encoder is the one we know."""
        serving = self.index.vectors.serving()
        is_known = serving is not None and Choice(**serving[2]).kind == wants.ENCODER
        return wants.UNKNOWN if vector is None or not is_known else wants.read(vector)

    def heal(self) -> None:
        """Open the index again if its file was deleted or replaced meanwhile."""
        if not self.index.is_there():
            self._reopen_index()

    def _make_anew(self, error: sqlite3.Error) -> None:
        """Open an empty index if *error* means that this one is broken; raise it otherwise."""
        if not index_database.is_broken(error):
            raise error
        if self.index.is_there():
            index_database.discard(self.home)
        self._reopen_index()

    def _reopen_index(self) -> None:
        self.index.close()
        self.index = self._open_index()

    def _open_index(self) -> Index:
        index = index_database.open_index(self.home, render)
        if self._hurried:
            index.hurry()
        return index

    def prepare_start(self, project: str) -> None:
        """Write what the next sessions of *project* would be given while no worker runs."""
        self.answering.prepare(project, now=time.time())

    def _renew_last_summary(self, project: str) -> None:
        """Bring the summary that is about to be shown in step with what the user left of it."""
        last = next((entry for entry in self.index.recent(project, limit=1) if entry.session), None)
        session = sessions.find(self.state, last.session) if last else None
        if session and self._recorder.renew_summary(session):
            self.sync(project)

    def publish(self, *, even_if_unchanged: bool = True) -> None:
        """Write what hooks read while no worker runs: places and settings."""
        everyone = ["", *(project.name for project in self.registry.all())]
        sources = {
            path: hook_settings.stamp(path)
            for project in everyone
            for path in hook_settings.sources(self.home, project)
        }
        if sources == self._published and not even_if_unchanged:
            return
        before = self._published or hook_settings.made_from(self.home)
        self._published = sources
        self.registry.publish()
        flat = {project: self.settings(project).flat() for project in everyone}
        needed = {
            project: {key: values[key] for key in hook_settings.NEEDED}
            for project, values in flat.items()
        }
        content = json.dumps({"sources": sources, "projects": needed})
        files.write(Path(paths.hook_settings(self.home)), content)
        verbose = Path(paths.verbose(self.home))
        if any(values["display"] == "verbose" for values in flat.values()):
            files.write(verbose, "")
        else:
            verbose.unlink(missing_ok=True)
        each([name for name in everyone if name], partial(self._follow_settings, before))

    def _follow_settings(self, before: Mapping[str, object], project: str) -> None:
        """Prepare the start of *project* again if its settings are no longer as they were."""
        own = hook_settings.sources(self.home, project)
        is_prepared = os.path.exists(paths.start_block(self.home, project))
        if is_prepared and any(before.get(path, 0) != self._published[path] for path in own):
            self.prepare_start(project)

    # Answering.

    @cached_property
    def answering(self) -> Answering:
        """Return who answers hooks."""
        return Answering(
            Ground(
                home=self.home,
                state=self.state,
                registry=self.registry,
                settings=self.settings,
                index=lambda: self.index,
                sync=self.sync,
                read=self._read_again,
                embed=partial(self._embed_question, patient=False),
                read_wants=self._read_wants,
            )
        )

    def _read_again(self, project: str, path: Path) -> Sequence[LibraryItem]:
        if path in self.library(project).note_files():
            return self._kept_note(project, path)
        return self.library(project).kept_in(path)

    def answer(
        self,
        name: str,
        payload: bytes,
        *,
        version: str,
        host: str = dialects.CLAUDE_CODE,
        told: Sequence[str] = (),
    ) -> bytes:
        """Return the reply to an event of *host*, as `hooks.log.packed` makes it.

        *told* is what the user is to hear besides.
        """
        self._telling = {}
        dialect, now = dialects.of(host), time.time()
        event = dialects.heard(parse(payload.decode("utf-8", "surrogateescape")))
        if name in claude_code.MAY_HAVE_FAILED:
            event = events.in_our_words(event, host=host)
        said, project = self.say(name, event, now=now, dialect=dialect)
        if project and self.settings(project).display != plain.QUIET:
            said.message = "\n".join(
                filter(None, [said.message, *self._tidings(project, name, event)])
            )
        heard = [*plain.notices(name, version), *told]
        return plain.reply(
            self.home, said, event, project=project, told=heard, now=now, dialect=dialect
        )

    def was_heard(self) -> None:
        """Note that the last `answer` reached its hook: what it told is not told again."""
        for project, count in self._telling.items():
            saved.told(self.state, project, count)
        self._telling = {}

    def _tidings(self, project: str, name: str, event: Mapping[str, object]) -> list[str]:
        """Return what has become of notes since the user was last told, or what was captured."""
        if name in ("SessionStart", "UserPromptSubmit"):
            news = {one: saved.waiting(self.state, one) for one in (project, paths.EVERYWHERE)}
            self._telling = {one: len(changes) for one, changes in news.items() if changes}
            return [saved.in_words(changes) for changes in news.values()]
        if name == claude_code.TURN_ENDED and self.settings(project).display == "verbose":
            return [self._captured(event)]
        return []

    def _captured(self, event: Mapping[str, object]) -> str:
        """Return what is kept of the turn that has just ended, as far as it is written down."""
        turn = str(event.get("prompt_id") or "")
        entries = self.index.in_session(str(event.get("session_id")))
        entry = next((one for one in entries if turn and one.turn == turn), None)
        if entry is None:
            begun = turn in sessions.drafts(self.state, str(event.get("session_id")))
            return "Captured: this turn, not written down yet" if begun else ""
        touched = entry.touched.splitlines()
        about = [
            entry.types.replace(" ", ", "),
            f"{len(touched)} {'file' if len(touched) == 1 else 'files'}" if touched else "",
        ]
        told = ", ".join(filter(None, about))
        return f"Captured: {entry.line}{f' ({told})' if told else ''}"

    def preview(self, name: str, event: Mapping[str, object], *, now: float) -> dict[str, object]:
        """Return what an agent would be given at the *event* called *name*, and why."""
        said, project = self.say(name, event, now=now)
        return said.as_json(project=project)

    def say(
        self,
        name: str,
        event: Mapping[str, object],
        *,
        now: float,
        dialect: Dialect = dialects.PLAIN,
    ) -> tuple[HookResponse, str]:
        """Return what an agent is given at the *event* called *name*, and the project's name."""
        self.heal()
        try:
            return self.answering.answer(name, event, now=now, dialect=dialect)
        except sqlite3.Error as error:  # The next look at the library fills the new one.
            self._make_anew(error)
            return HookResponse(name), ""

    # Looking things up.

    def last_session(self, project: str) -> Session | None:
        """Return the last session of *project* in which something happened."""
        return next((s for s in sessions.of_project(self.state, project) if s.turns), None)

    def summaries(
        self, among: list[Project], *, limit: int
    ) -> list[tuple[Session, dict[str, object]]]:
        """Return how the last sessions went, the latest first, in the eight fields."""
        for project in among:
            self.refresh(project.name)
        recent = [one for project in among for one in sessions.of_project(self.state, project.name)]
        recent.sort(key=lambda session: -session.last_seen)
        found = ((session, self.index.summary_of(session.id)) for session in recent)
        told = ((session, _eight_fields(entry)) for session, entry in found if entry)
        return list(itertools.islice(told, limit))

    def meet(self, folder: str) -> Project:
        """Return the project of *folder*, known from now on."""
        join_clones = self.settings().projects_join_clones
        return self.registry.meet(folder, now=time.time(), join_clones=join_clones)

    def project_here(self, folder: str) -> Project:
        """Return the project that *folder* is in. Raises `ProjectError` if it has no memory."""
        found = self.registry.at(folder)
        if not found:
            raise ProjectError(
                f"{projects.root(projects.identity(folder))} has no memory yet",
                hint="Work there with an agent first.",
            )
        return found

    def scope(self, *, project: str | None, all_projects: bool, folder: str) -> list[Project]:
        """Return the projects that are meant: a named one, all, or the one *folder* is in.

        What holds in every project is named as one. Raises `ProjectError`.
        """
        if all_projects:
            if project:
                raise ProjectError("--project and --all-projects exclude each other")
            return [one for one in self.registry.all() if not one.excluded]
        if project == paths.EVERYWHERE:
            return [EVERYWHERE]
        if project:
            return [self.registry.find(project)]
        try:
            return [self.project_here(folder)]
        except ProjectError as error:
            hint = "Work there with an agent, or use --project or --all-projects."
            raise ProjectError(error.message, hint=hint) from None

    def for_agents(self, entries: Iterable[Indexed]) -> Iterator[Indexed]:
        """Return those of *entries* that the user keeps from no agent.

        That is: neither their project was excluded, nor a file that they tell of. Each project
        is asked about once, because a journal has thousands of entries.
        """
        is_excluded, settings = cache(self.is_excluded), cache(self.settings)
        for one in entries:
            if is_excluded(one.project):
                continue
            if not self.answering.is_hidden(one, settings(one.project)):
                yield one

    def is_excluded(self, project: str) -> bool:
        """Tell whether the user excluded *project*, by name or by where it is."""
        if project == paths.EVERYWHERE:
            return False
        known = self.registry.named(project)
        patterns = self.settings(project).capture_exclude_paths
        return known.excluded or clean.is_excluded(known.root, patterns)

    def report(self, asked: SearchRequest) -> dict[str, object]:
        """Return what answers a person's search, as data: see `retrieval.report`."""
        query = self._query(asked["question"])
        reaches_out = asked["all_projects"] or bool(query.projects and not asked["project"])
        is_confined = asked.get("confined", False)
        among = self.scope(
            project=asked["project"],
            all_projects=reaches_out and not is_confined,
            folder=asked["folder"],
        )
        sure = self._search_bar(among) if asked["bar"] is None else asked["bar"]
        notes = [f"{piece} was read as plain words." for piece in query.unread]
        notes += [f"Only here was searched. {CONFINED}"] if reaches_out and is_confined else []
        found = self._reported(query, asked, among)
        if not found and query.loosened.text and query.loosened != query:
            found = self._reported(query.loosened, asked, among)
            sure = report.NOTHING_IS_SURE
            notes += ["Nothing has that phrase, or is of that type."] if found else []
        found = report.with_closest(found, bar=sure)
        return {
            "results": report.of(found, explain=asked["explain"], bar=sure),
            "several_projects": len(among) > 1,
            "notes": [*notes, *self._notes_on_meaning()],
        }

    def _reported(
        self, query: Query, asked: SearchRequest, among: list[Project]
    ) -> list[SearchResult]:
        """Return what answers *query* and may be shown to who *asked*, the closest included."""
        found = self._found(
            query,
            among=among,
            limit=asked["limit"],
            bar=report.NEAR if asked["bar"] is None else asked["bar"],
            include_aside=asked.get("include_archived", False),
        )
        if asked.get("for_agent", False):
            shown = {one.number for one in self.for_agents(one.entry for one in found)}
            found = [one for one in found if one.entry.number in shown]
        return found

    def _notes_on_meaning(self) -> list[str]:
        """Return what a person should know about how the search was done."""
        wanted = self._choice()
        if wanted.kind == "none":
            return []
        if self._embeddings is None:
            return ["Keyword search only: no model was loaded."]
        serving = self.index.vectors.serving()
        is_new = serving is None or Choice(**serving[2]) == wanted
        if trouble := self.embedder_trouble():
            return [
                f"{'Keyword search only' if is_new else 'Search by the earlier vectors'}: {trouble}"
            ]
        pending = self.pending()
        if not pending:
            return []
        passages = "1 passage" if pending == 1 else f"{pending} passages"
        if is_new:
            return [f"{passages} can only be found by keywords so far; the worker is indexing."]
        return [f"Search by the earlier vectors, until the new ones have {passages} more."]

    def _query(self, question: str) -> Query:
        """Return what *question* asks for; projects may be called by their labels.

        What is long was not typed into a search: in there quotes are quotes.
        """
        if not questions.is_short(question):
            asked = questions.read(question)
            return replace(Query.plain(asked.searched), meaning=asked.text)
        query = Query.read(question, now=datetime.now().astimezone())
        named = query.projects
        return replace(
            query,
            projects=replace(
                named,
                any_of=tuple(map(self._project_name, named.any_of)),
                none_of=tuple(map(self._project_name, named.none_of)),
            ),
        )

    def _project_name(self, text: str) -> str:
        try:
            return self.registry.find(text).name
        except RecollectError:  # Perhaps a pattern.
            return text

    def search(
        self, question: str, *, among: list[Project], limit: int, bar: float | None = None
    ) -> list[SearchResult]:
        """Return what answers *question* in the projects *among*, as their Markdown is now."""
        return self._found(self._query(question), among=among, limit=limit, bar=bar)

    def _found(
        self,
        query: Query,
        *,
        among: list[Project],
        limit: int,
        bar: float | None,
        include_aside: bool = False,
    ) -> list[SearchResult]:
        if bar is None:
            bar = self._search_bar(among)
        names = list(dict.fromkeys([*(project.name for project in among), paths.EVERYWHERE]))
        everywhere = set(names) >= set(self.index.projects())
        request = Request(
            query=query,
            limit=limit,
            bar=bar,
            projects=None if everywhere else names,
            include_aside=include_aside,
            rarer_than=1.0,  # A person who asks for a common word wants to see it.
            meaning=query.meaning,
        )
        try:
            return self._search_now(request, among)
        except sqlite3.Error as error:
            self._make_anew(error)
            return self._search_now(request, among)

    def _search_bar(self, among: list[Project]) -> float:
        return self.settings(among[0].name if len(among) == 1 else "").search_bar

    def _search_now(self, request: Request, among: list[Project]) -> list[SearchResult]:
        with unless_busy():
            for project in among:
                self.refresh(project.name)
        return search(self.index, request, embed=partial(self._embed_question, patient=True))

    def expand(self, prefix: str) -> Whole:
        """Return the whole entry whose id begins with *prefix*, with its neighbours."""
        self.refresh_all()
        return disclose.expand(self.index, prefix)

    def timeline(
        self, around: str, *, among: list[Project], folder: str, before: int, after: int
    ) -> list[Indexed]:
        """Return what happened *around* an entry (any beginning of its id) or a date, in order.

        Around an entry it is told of the entry's own project, else of those *among*, or of
        the one that *folder* is in.
        """
        self.refresh_all()
        moment = moments.read(around, now=datetime.now().astimezone()) if around else time.time()
        if moment is not None:
            among = among or [self.project_here(folder)]
            names = [project.name for project in among]
        else:
            entry = disclose.find(self.index, around)
            names, moment = [entry.project], entry.at
            after += 1  # The entry itself is shown besides.
        found = [
            entry
            for name in names
            for entry in self.index.around(name, moment, before=before, after=after)
        ]
        found.sort(key=lambda entry: entry.at)
        earlier = sum(1 for entry in found if entry.at < moment)
        return found[max(0, earlier - before) : earlier + after]

    def session_like(self, prefix: str) -> Session:
        """Return the session whose id begins with *prefix*. Raises `NotFoundError`."""
        found = sessions.matching(self.state, prefix)
        if len(found) != 1:
            several = ", ".join(session.id for session in found)
            raise NotFoundError(
                f"{prefix} means several sessions: {several}" if found else f"no session {prefix}",
                hint="`recollect search` shows ids.",
            )
        return found[0]

    def turns(self, prefix: str) -> tuple[Session, list[CleanTurn]]:
        """Return a session and its archived turns, by session id or by the id of an entry."""
        if sessions.matching(self.state, prefix):
            session = self.session_like(prefix)
            return session, self._archived(session)
        return self.turns_behind(self.expand(prefix).entry)

    def turns_behind(self, entry: Indexed) -> tuple[Session, list[CleanTurn]]:
        """Return the session of *entry* and its turn, or all of them if none is its own."""
        if not entry.session:
            raise NotFoundError(
                f"{entry.id}: no transcript behind this memory",
                hint="Expanding it shows all there is.",
            )
        session = self.session_like(entry.session)
        turns = self._archived(session)
        return session, [turn for turn in turns if not entry.turn or turn.key == entry.turn]

    def _archived(self, session: Session) -> list[CleanTurn]:
        left = {entry.turn for entry in self.library(session.project).entries_of(session.id)}
        # What the user deleted from the journal is not shown here either.
        return [turn for turn in archive.read(archive_of(self.home, session)) if turn.key in left]

    # Changing things.

    def join(self, project: Project, *, into: Project) -> int:
        """Give the paths and the memory of *project* to *into*; return how many files moved.

        A day that both have is merged, entry by entry.
        """
        if project.name == into.name:
            raise ProjectError(f"{project.name} cannot be joined with itself")
        self.registry.join(project, into=into)
        # Now nobody begins to write there; what was being written is taken along.
        moved = self.library(into.name).absorb(self.library(project.name))
        own = Path(paths.project(self.home, project.name)) / "config.toml"
        kept = Path(paths.project(self.home, into.name)) / "config.toml"
        if own.exists() and not kept.exists():
            own.rename(kept)
        self._libraries.pop(project.name, None)
        self.index.sync(_nothing_of(project.name))
        self.refresh(into.name)
        self.publish()
        return moved

    def import_transcripts(
        self, path: Path, progress: Callable[[int, int], None], *, project: str = ""
    ) -> TranscriptsReport:
        """Take in the transcripts that *path* is or holds, then bring the index up to date.

        Those that do not say where they are from go to *project*.
        """
        report = transcripts.import_all(self.intake, path, progress, project=project)
        for touched in report.projects:
            self.refresh(touched)
        self.publish()
        return report

    def import_notes(
        self,
        found: Sequence[records.RecordFile],
        *,
        project: str,
        dry_run: bool,
        progress: Callable[[int, int], None],
    ) -> "NotesReport":
        """Take the notes that were *found* in, for *project*; a *dry_run* changes nothing."""
        from recollect.importers import notes  # noqa: PLC0415 - takes pydantic and YAML

        now = datetime.now(UTC)
        curator = self.curator
        taking = (
            curator.rehearsal(project, now=now) if dry_run else curator.taking(project, now=now)
        )
        return notes.import_all(found, taking, progress)

    def set_setting(self, key: str, value: str | None, *, project: str | None = None) -> str:
        """Write one setting (None: forget it) and return the path of the file."""
        where = Path(paths.config(self.home))
        if project:
            name = self.registry.find(project).name
            where = Path(paths.project(self.home, name)) / "config.toml"
        if project and key.startswith(("embedder.", "synthesis.daily_tokens")):
            raise ConfigError(f"{key} holds for all projects together", hint="Leave out --project.")
        config.write(where, key, value)
        self.publish()
        return str(where)

    def overview(self) -> list[Overview]:
        """Return every project with what there is of it."""
        return [
            Overview(
                project=project,
                paths=tuple(self.registry.identities(project)),
                hosts=tuple(str(host) for (host,) in self.state.rows("hosts_of", project.name)),
                sessions=int(self.state.rows("count_sessions", project.name)[0][0]),
                memories=self.index.count(project.name),
            )
            for project in self.registry.all()
        ]


@contextmanager
def opened(
    home: str,
    *,
    flags: Mapping[str, str] | None = None,
    embeddings: Embeddings | None = None,
) -> Iterator[App]:
    """Open the home for as long as the block runs."""
    app = App(home, flags=flags, embeddings=embeddings)
    try:
        yield app
    finally:
        app.close()


def _eight_fields(entry: Indexed) -> dict[str, object]:
    kept = LibraryItem(id=entry.id, kind="summary", title=entry.title, body=entry.body)
    told = asdict(markdown.parse_summary(kept))
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in told.items()
        if name in SUMMARY_FIELDS
    }


def _nothing_of(project: str) -> Sources:
    return Sources(project=project, journal=(), read_journal=lambda _: ())
