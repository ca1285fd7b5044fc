"""What the hooks of the hosts are answered, and what was found out meanwhile for the user."""

import time
from collections.abc import Sequence
from functools import cached_property, partial

from recollect import paths
from recollect.app.home import OpenHome
from recollect.app.meaning import Meaning
from recollect.app.upkeep import Upkeep
from recollect.config import Settings
from recollect.context.answers import Answering
from recollect.context.deps import AnswerDeps
from recollect.errors import StoreError
from recollect.hooks import claude_code, decide, dialects, reply
from recollect.hooks.dialects import Dialect
from recollect.hooks.payload import parse
from recollect.hooks.response import HookResponse
from recollect.store import saved
from recollect.store.contract.search import IndexRow
from recollect.transcripts import events


class HookAnswers:
    """Answers the hooks of one home."""

    def __init__(self, home: OpenHome, upkeep: Upkeep, meaning: Meaning) -> None:
        self._home = home
        self._upkeep = upkeep
        self._meaning = meaning
        self._news: dict[str, int] = {}

    @cached_property
    def answering(self) -> Answering:
        """Return what decides which answer belongs to which event."""
        home = self._home
        return Answering(
            AnswerDeps(
                home=home.path,
                state=home.state,
                registry=home.registry,
                settings=home.settings,
                index=lambda: home.index,
                sync=self._upkeep.sync,
                library=home.library,
                embed=partial(self._meaning.question, patient=False),
                read_wants=self._meaning.wants,
            )
        )

    def is_hidden(self, entry: IndexRow, settings: Settings) -> bool:
        """Tell whether *entry* tells of a file that the user excluded since."""
        return self.answering.is_hidden(entry, settings)

    def tells_of_hidden(self, summary: IndexRow) -> bool:
        """Tell whether the *summary* of a session may say what the user excluded since."""
        return self.answering.tells_of_hidden(summary)

    def warm(self) -> None:
        """Load what an answer needs, so that the first one is not slow."""
        self.answering.warm()

    def prepare_start(self, project: str) -> None:
        """Write what the next sessions of *project* would be given while no worker runs."""
        self.answering.prepare(project, now=time.time())

    def answer(
        self,
        name: str,
        payload: bytes,
        *,
        version: str,
        host: str = dialects.CLAUDE_CODE,
        notices: Sequence[str] = (),
    ) -> bytes:
        """Return the reply to an event of *host*, as `hooks.reply.packed` makes it.

        *notices* are what the user is to hear besides.
        """
        self._news = {}
        dialect, now = dialects.of(host), time.time()
        event = dialects.heard(parse(payload.decode("utf-8", "surrogateescape")))
        if name in claude_code.MAY_HAVE_FAILED:
            event = events.in_our_words(event, host=host)
        response, project = self.respond(name, event, now=now, dialect=dialect)
        if project and self._home.settings(project).display != decide.QUIET:
            lines = [response.message, *self._news_of(project, name, event)]
            response.message = "\n".join(filter(None, lines))
        return reply.packed(
            self._home.path,
            response,
            event,
            project=project,
            notices=[*reply.notices(name, version), *notices],
            now=now,
            dialect=dialect,
        )

    def was_heard(self) -> None:
        """Note that the last `answer` reached its hook: what it told is not told again."""
        for project, count in self._news.items():
            saved.mark_reported(self._home.state, project, count)
        self._news = {}

    def preview(self, name: str, event: dict[str, object], *, now: float) -> dict[str, object]:
        """Return what an agent would be given at the *event* called *name*, and why."""
        response, project = self.respond(name, event, now=now)
        return response.as_json(project=project)

    def respond(
        self,
        name: str,
        event: dict[str, object],
        *,
        now: float,
        dialect: Dialect = dialects.PLAIN,
    ) -> tuple[HookResponse, str]:
        """Return what an agent is given at the *event* called *name*, and the project's name."""
        self._home.heal()
        try:
            return self.answering.answer(name, event, now=now, dialect=dialect)
        except StoreError as error:  # The next look at the library fills the new one.
            self._home.make_anew(error)
            return HookResponse(name), ""

    def _news_of(self, project: str, name: str, event: dict[str, object]) -> list[str]:
        """Return what has become of notes since the user was last told, or what was captured."""
        if name in ("SessionStart", "UserPromptSubmit"):
            state = self._home.state
            news = {one: saved.waiting(state, one) for one in (project, paths.EVERYWHERE)}
            self._news = {one: len(changes) for one, changes in news.items() if changes}
            return [saved.in_words(changes) for changes in news.values()]
        if name == claude_code.TURN_ENDED and self._home.settings(project).display == "verbose":
            return [self._captured(event)]
        return []

    def _captured(self, event: dict[str, object]) -> str:
        """Return what is kept of the turn that has just ended, as far as it is written down."""
        turn = str(event.get("prompt_id") or "")
        entries = self._home.index.in_session(str(event.get("session_id")))
        entry = next((one for one in entries if turn and one.turn == turn), None)
        if entry is None:
            begun = turn in self._home.state.sessions.drafts(str(event.get("session_id")))
            return "Captured: this turn, not written down yet" if begun else ""
        touched = entry.touched.splitlines()
        about = [
            entry.types.replace(" ", ", "),
            f"{len(touched)} {'file' if len(touched) == 1 else 'files'}" if touched else "",
        ]
        details = ", ".join(filter(None, about))
        return f"Captured: {entry.line}{f' ({details})' if details else ''}"
