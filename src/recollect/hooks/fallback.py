"""Answer a hook without the worker, with what was prepared beforehand. Hot path.

There is no second ranking and no second renderer here: `context.render` prepared every text, and
this module only picks, and checks that the files behind it are unchanged. What is decided, joined
and written down is done by the modules beside it, for the worker too, so both answer alike.
"""

import os
import time

from recollect import fence, paths, projects, tokens
from recollect.hooks import (
    cards,
    claude_code,
    decide,
    dialects,
    prepared,
    reply,
    settings,
    shown_log,
)
from recollect.hooks.cards import Card
from recollect.hooks.decide import Answerer
from recollect.hooks.dialects import Dialect
from recollect.hooks.payload import parse
from recollect.hooks.response import HookResponse, ShownMemory
from recollect.store.sqlite.index import lookup
from recollect.text import marks
from recollect.typed import ASKED

# Events wait for seconds; for longer only when nobody takes them in.
PATIENT_MINUTES = 10


def replied(home: str, called: tuple[str, str, str], payload: bytes, *, trouble: str = "") -> bytes:
    """Return the reply to an event, as `reply.packed` makes it, or nothing.

    The hook was *called* with the host, the event, and the version of the plugin; *trouble* is
    why the event could not be kept. The user is told when there is something to tell.
    """
    now = time.time()
    host, name, version = called
    dialect = dialects.of(host)
    event = dialects.heard(parse(payload.decode("utf-8", "surrogateescape")))
    project: str | None = ""
    response = HookResponse(name)
    try:
        project = _project_of(event, home, dialect)
        if project:
            response = answer(home, project, name, event, now=now, dialect=dialect)
        elif project is None and decide.is_first_session(name, event):
            response = decide.first_session(settings.values(home, ""))
    except Exception as error:  # A broken index or setting: the user is told all the same.
        from recollect.hooks import debug  # noqa: PLC0415 - only when something is wrong

        debug.report(error)
    notices = reply.notices(name, version, trouble)
    if name == "SessionStart" and (waiting := _waiting_minutes(home)) > PATIENT_MINUTES:
        notices.append(f"Recollect has taken in nothing for {waiting} min. See: recollect doctor")
    return reply.packed(
        home, response, event, project=project or "", notices=notices, now=now, dialect=dialect
    )


def answer(
    home: str,
    project: str,
    name: str,
    event: dict[str, object],
    *,
    now: float,
    dialect: Dialect = dialects.PLAIN,
) -> HookResponse:
    """Return what is known of *project* that belongs to the event called *name*."""
    known = _Prepared(home, project, now=now)
    return decide.answer(
        name, event, home=home, settings=known.settings, dialect=dialect, answerer=known
    )


def _project_of(event: dict[str, object], home: str, dialect: Dialect) -> str | None:
    """Return the project that a session began in, wherever a `cd` has led since.

    It is empty for one that is excluded, and where there is no folder; None where nobody has met it
    yet.
    """
    folder = (paths.variable(dialect.folder) if dialect.folder else "") or event.get("cwd")
    if not isinstance(folder, str) or not folder:
        return ""
    return projects.known(paths.places(home), projects.identity(folder))


class _Prepared(Answerer):
    """What was prepared of one project, and the settings that say what of it is shown."""

    def __init__(self, home: str, project: str, *, now: float) -> None:
        self._home = home
        self._project = project
        self._now = now
        self.settings = settings.values(home, project)
        categories = self.settings["context.categories"]
        # The kinds of notes that are shown unasked.
        self._categories: list[object] = categories if isinstance(categories, list) else []

    def start(self, event: dict[str, object]) -> HookResponse:
        """Return what was prepared for the start of a session."""
        source, text = event.get("source"), ""
        if source not in claude_code.SPEAKING_SOURCES:
            return HookResponse("SessionStart")
        if source == "compact":
            text = _read(paths.compact_block(self._home, str(event.get("session_id") or "-")))
        text = text or _read(paths.start_block(self._home, self._project))
        return self._block("SessionStart", text, budget="start.budget_tokens")

    def subagent(self, event: dict[str, object]) -> HookResponse:
        """Return what was prepared for the start of a subagent."""
        if not event.get("agent_type"):
            return HookResponse("SubagentStart")
        text = _read(paths.subagent_block(self._home, self._project))
        return self._block("SubagentStart", text, budget="subagents.budget_tokens")

    def prompt(self, event: dict[str, object], opening: HookResponse | None) -> HookResponse:
        """Return what the words of a prompt find."""
        prompt = event.get("prompt")
        is_typed = isinstance(prompt, str) and not event.get("agent_id")
        if not is_typed or not claude_code.is_question(str(prompt)):
            return HookResponse("UserPromptSubmit")
        hits = lookup.recall(
            lookup.open_index(paths.index(self._home)),
            self._project,
            str(prompt),
            limit=int(settings.number(self.settings, "recall.limit")),
            bar=settings.number(self.settings, "recall.min_score"),
            asked_in=str(event.get("session_id") or ""),
            root=projects.top(str(event.get("cwd") or "/")),
        )
        hits = lookup.undisputed(paths.state(self._home), hits)
        known = shown_log.known_to(self._home, event, opening=opening)
        chosen = self._cards(hits, known, budget="recall.budget_tokens")
        return cards.response("UserPromptSubmit", chosen, now=self._now)

    def file(self, event: dict[str, object]) -> HookResponse:
        """Return what tells of the file that is about to be read."""
        name, known = decide.file_read(event), shown_log.known_to(self._home, event)
        if not name or name in known:
            return HookResponse("PreToolUse")
        hits = lookup.about_file(
            lookup.open_index(paths.index(self._home)),
            self._project,
            name,
            asked_in=str(event.get("session_id") or ""),
            root=projects.top(str(event.get("cwd") or "/")),
        )
        chosen = self._cards(hits, known, budget="files.budget_tokens")
        return cards.about_file(name, chosen, now=self._now)

    def failure(self, event: dict[str, object], name: str) -> HookResponse:  # noqa: ARG002 - see the base
        """Return nothing: only the worker can tell whether an error was met before."""
        return HookResponse(name)

    def _block(self, event: str, text: str, *, budget: str) -> HookResponse:
        return prepared.response(
            event,
            prepared.read(text),
            now=self._now,
            categories=self._categories,
            limit_tokens=int(settings.number(self.settings, budget)),
        )

    def _cards(
        self, hits: list[lookup.FallbackHit], known: dict[str, set[str]], *, budget: str
    ) -> list[Card]:
        """Return the cards of those of *hits* that may be shown, are news, and fit.

        Which paths are excluded takes patterns, so nothing that tells of files is shown then.
        """
        excluded = self.settings["capture.exclude_paths"]
        found = []
        for hit in hits:
            seen = known.get(hit.id, ())
            had_passages = bool(hit.passages)
            hit.passages = _news(hit, seen)
            # A card as a whole is no news to who was shown passages of it.
            is_new = (hit.passages and hit.mark not in seen) if had_passages else not any(seen)
            is_shown = not hit.category or hit.category in self._categories
            if is_new and is_shown and not (excluded and hit.tells_of_files):
                found.append(_card(hit))
        limit = int(settings.number(self.settings, budget))
        return cards.affordable(found, limit_tokens=limit)


def _news(hit: lookup.FallbackHit, seen: "set[str] | tuple[()]") -> list[tuple[str, str]]:
    """Return text and mark of the passages of *hit* that say something its session was not shown.

    An entry mostly repeats what its turn says, so one of the two is enough. What became of their
    files is news for all of them.
    """
    marked = [(text, marks.marked(mark, hit.stale)) for text, mark in hit.passages]
    known = [" ".join(text.split()) for text, mark in marked if mark in seen]
    # To who was shown anything of it, neither its first line is news nor what was asked for.
    is_known = any(marks.is_of_state(mark, hit.stale) for mark in seen)
    known += [hit.head] if is_known else []
    news: list[tuple[str, str]] = []
    for text, mark in sorted(marked, key=lambda one: -len(one[0])):
        lines = [line for line in text.splitlines() if not line.strip().startswith(ASKED)]
        words = "\n".join(lines) if is_known else text
        if not any(fence.without_heading(words) in other for other in known):
            known.append(" ".join(text.split()))
            news.append((text, mark))
    return [one for one in marked if one in news]


def _card(hit: lookup.FallbackHit) -> Card:
    """Return the card that was prepared of *hit*, or its first line with the passages of it."""
    text, mark = hit.card, hit.mark
    if hit.passages:
        texts = [text for text, _ in hit.passages if fence.without_heading(text) not in hit.head]
        text = hit.head + fence.SKIPPED.join(fence.under_one_heading(texts))
        mark = ",".join(mark for _, mark in hit.passages)
    text += hit.stale
    cost = tokens.estimate(text)
    shown = ShownMemory(
        hit.id, mark=mark, score=hit.score, tokens=cost, why="by words alone", text=text
    )
    return Card(text, shown=shown, at=hit.at, line=hit.line)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def _waiting_minutes(home: str) -> int:
    """Return for how long the oldest event has been lying in the inbox."""
    try:
        names = os.listdir(paths.inbox(home))
    except OSError:
        return 0
    oldest = min((name[:20] for name in names if name[:20].isdigit()), default="")
    return int(time.time() - int(oldest) / 1e9) // 60 if oldest else 0
