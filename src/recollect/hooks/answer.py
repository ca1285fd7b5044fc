"""Answer a hook without the worker: what was prepared beforehand, ages filled in.

There is no second ranking and no second renderer here. `context.render` prepared every text; this
module only picks, checks that the files behind it are unchanged, and joins. The worker joins with
the same functions, so both say the same thing in the same words.
"""

import os
import time

import recollect
from recollect import ages, fence, paths, projects, tokens
from recollect.hooks import claude_code, dialects, log, settings
from recollect.hooks.dialects import Dialect
from recollect.hooks.payload import parse
from recollect.hooks.said import HookResponse, ShownMemory
from recollect.store.files.versions import is_unchanged
from recollect.store.sqlite.index import lookup
from recollect.text import marks
from recollect.typed import ASKED

# Events wait for seconds; for longer only when nobody takes them in.
PATIENT_MINUTES = 10

# Between the pieces of a prepared block, and between the fields of a piece.
PIECE, FIELD = "\x1e", "\x1f"

QUIET = "quiet"

# What the line for the user begins with; a block that does not is none of ours.
SPEAKER = "Recollect: "
# What the user is told as the very first session of a project begins; the agent is told nothing.
FIRST_SESSION = "Recollect is on; nothing is remembered here yet."


def plainly(home: str, called: tuple[str, str, str], payload: bytes, *, trouble: str = "") -> bytes:
    """Return the reply to an event, as `log.packed` makes it, or nothing.

    The hook was *called* with the host, the event, and the version of the plugin; *trouble* is
    why the event could not be kept. The user is told when there is something to tell.
    """
    now = time.time()
    host, name, version = called
    dialect = dialects.of(host)
    event = dialects.heard(parse(payload.decode("utf-8", "surrogateescape")))
    project = ""
    said = HookResponse(name)
    try:
        project = project_of(home, event, dialect)
        if project:
            said = remembered(home, project, name, event, now=now, dialect=dialect)
        elif is_first_session(name, event) and _is_unknown(home, event, dialect):
            said = first_session(settings.values(home, ""))
    except Exception as error:  # A broken index or setting: the user is told all the same.
        from recollect.hooks import debug  # noqa: PLC0415 - only when something is wrong

        debug.report(error)
    told = notices(name, version, trouble)
    if name == "SessionStart" and (waiting := _waiting_minutes(home)) > PATIENT_MINUTES:
        told.append(f"Recollect has taken in nothing for {waiting} min. See: recollect doctor")
    return reply(home, said, event, project=project, told=told, now=now, dialect=dialect)


def reply(  # noqa: PLR0913 - one parameter a part
    home: str,
    said: HookResponse,
    event: dict[str, object],
    *,
    project: str,
    told: list[str],
    now: float,
    dialect: Dialect = dialects.PLAIN,
) -> bytes:
    """Return what the hook prints, with *told* in front of what the user hears, and its log."""
    session = str(event.get("session_id") or "")
    said.message = " · ".join([*told, said.message] if said.message else told)
    if dialect.begins_with_a_prompt and said.event == "SessionStart":
        said = HookResponse(said.event, message=said.message)
    lines = said.logged(now=now, project=project, session=session) if session else ""
    if session and project and begins_anew(said.event, event):
        lines = log.line(now, project, session, log.FORGOTTEN, "", "", 0.0, 0) + lines
    if begins_here(home, said.event, event, dialect):
        lines += log.line(now, project, session, log.BEGUN, "", "", 0.0, 0)
    printed = said.printed(called=dialect.names.get(said.event, ""))
    return log.packed(printed, paths.shown(home, log.whose(event)), lines)


def begins_anew(name: str, event: dict[str, object]) -> bool:
    """Tell whether a session has just lost what it was shown."""
    return name == "SessionStart" and event.get("source") in ("compact", "clear")


def begins_here(home: str, name: str, event: dict[str, object], dialect: Dialect) -> bool:
    """Tell whether a prompt is the first of a session that was given nothing as it began."""
    if name != "UserPromptSubmit" or not dialect.begins_with_a_prompt:
        return False
    whose = log.whose(event)
    return bool(whose) and not log.has_begun(paths.shown(home, whose))


def project_of(home: str, event: dict[str, object], dialect: Dialect) -> str:
    """Return the project that a session began in, wherever a `cd` has led since."""
    folder = (paths.variable(dialect.folder) if dialect.folder else "") or event.get("cwd")
    if not isinstance(folder, str) or not folder:
        return ""
    return projects.known(paths.places(home), projects.identity(folder)) or ""


def _is_unknown(home: str, event: dict[str, object], dialect: Dialect) -> bool:
    """Tell whether nobody has met the project of *event* yet, so that it cannot be excluded."""
    folder = (paths.variable(dialect.folder) if dialect.folder else "") or event.get("cwd")
    if not isinstance(folder, str) or not folder:
        return False
    return projects.known(paths.places(home), projects.identity(folder)) is None


def is_first_session(name: str, event: dict[str, object]) -> bool:
    """Tell whether a session begins that may be the first of its project."""
    return name == "SessionStart" and event.get("source") == "startup"


def first_session(chosen: dict[str, object]) -> HookResponse:
    """Return what is said as the first session of a project begins, with the settings *chosen*.

    Whether the folder is among excluded paths takes patterns, so nothing is said where there are
    any.
    """
    is_on = chosen["capture.enabled"] and chosen["context.enabled"] and chosen["start.enabled"]
    if not is_on or chosen["capture.exclude_paths"] or chosen["display"] == QUIET:
        return HookResponse("SessionStart")
    return HookResponse("SessionStart", message=FIRST_SESSION)


def remembered(
    home: str,
    project: str,
    name: str,
    event: dict[str, object],
    *,
    now: float,
    dialect: Dialect = dialects.PLAIN,
) -> HookResponse:
    """Return what is known of *project* that belongs to the event called *name*."""
    chosen = settings.values(home, project)
    if not chosen["context.enabled"]:
        return HookResponse(name)
    said = HookResponse(name)
    if name == "SessionStart" and chosen["start.enabled"]:
        said = _start(home, project, event, chosen, now=now)
    elif name == "UserPromptSubmit":
        opening = None
        if chosen["start.enabled"] and begins_here(home, name, event, dialect):
            opening = _start(home, project, {**event, "source": "startup"}, chosen, now=now)
        if chosen["recall.enabled"]:
            said = _prompt(home, project, event, chosen, now=now, opening=opening)
        said.opening = opening
    elif name == "SubagentStart" and chosen["subagents.enabled"] and event.get("agent_type"):
        limit = int(settings.number(chosen, "subagents.budget_tokens"))
        prepared = _read(paths.subagent_block(home, project))
        said = block(name, prepared, now=now, categories=_shown(chosen), limit_tokens=limit)
    elif name == "PreToolUse" and chosen["files.enabled"]:
        said = _file(home, project, event, chosen, now=now)
    return silenced(said) if chosen["display"] == QUIET else said


def silenced(said: HookResponse) -> HookResponse:
    """Return *said* for a user who wants to hear nothing but trouble."""
    said.message = ""
    return said


def _start(
    home: str, project: str, event: dict[str, object], chosen: dict[str, object], *, now: float
) -> HookResponse:
    source = event.get("source")
    if source not in claude_code.SPEAKING_SOURCES:
        return HookResponse("SessionStart")
    own = paths.compact_block(home, str(event.get("session_id") or "-"))
    prepared = _read(own) if source == "compact" else ""
    return block(
        "SessionStart",
        prepared or _read(paths.start_block(home, project)),
        now=now,
        categories=_shown(chosen),
        limit_tokens=int(settings.number(chosen, "start.budget_tokens")),
    )


def _shown(chosen: dict[str, object]) -> list[object]:
    """Return the kinds of notes that are shown unasked."""
    categories = chosen["context.categories"]
    return categories if isinstance(categories, list) else []


def _prompt(
    home: str,
    project: str,
    event: dict[str, object],
    chosen: dict[str, object],
    *,
    now: float,
    opening: HookResponse | None,
) -> HookResponse:
    prompt = event.get("prompt")
    if not isinstance(prompt, str) or event.get("agent_id") or not claude_code.is_question(prompt):
        return HookResponse("UserPromptSubmit")
    bar = settings.number(chosen, "recall.bar")
    hits = lookup.recall(
        lookup.open_index(paths.index(home)),
        project,
        prompt,
        limit=int(settings.number(chosen, "recall.limit")),
        bar=bar,
        asked_in=str(event.get("session_id") or ""),
        root=projects.top(str(event.get("cwd") or "/")),
    )
    hits = lookup.undisputed(paths.state(home), hits)
    cards = _cards(hits, known=known_to(home, event, opening=opening), chosen=chosen)
    budget = int(settings.number(chosen, "recall.budget_tokens"))
    return recalled("UserPromptSubmit", affordable(cards, limit_tokens=budget), now=now)


def _file(
    home: str, project: str, event: dict[str, object], chosen: dict[str, object], *, now: float
) -> HookResponse:
    name, known = file_read(event), known_to(home, event)
    if not name or name in known:
        return HookResponse("PreToolUse")
    hits = lookup.about_file(
        lookup.open_index(paths.index(home)),
        project,
        name,
        asked_in=str(event.get("session_id") or ""),
        root=projects.top(str(event.get("cwd") or "/")),
    )
    cards = _cards(hits, known=known, chosen=chosen)
    budget = int(settings.number(chosen, "files.budget_tokens"))
    return about_file(name, affordable(cards, limit_tokens=budget), now=now)


def known_to(
    home: str, event: dict[str, object], *, opening: HookResponse | None = None
) -> dict[str, set[str]]:
    """Return the marks of what the context that *event* is about holds by now.

    With an *opening* it is about to hold that, too.
    """
    whose = log.whose(event)
    known = log.marks(paths.shown(home, whose)) if whose else {}
    for one in opening.shown if opening else ():
        if one.mark:
            known.setdefault(one.id, set()).update(one.mark.split(","))
    return known


def _cards(
    hits: list[lookup.FallbackHit], *, known: dict[str, set[str]], chosen: dict[str, object]
) -> "list[Card]":
    """Return the cards of those of *hits* that may be shown and were not.

    Which paths are excluded takes patterns, so here nothing that tells of files is shown then.
    """
    categories, excluded = _shown(chosen), chosen["capture.exclude_paths"]
    cards = []
    for hit in hits:
        seen = known.get(hit.id, ())
        had_passages = bool(hit.passages)
        hit.passages = _news(hit, seen)
        # A card as a whole is no news to who was shown passages of it.
        is_new = (hit.passages and hit.mark not in seen) if had_passages else not any(seen)
        is_shown = not hit.category or hit.category in categories
        if is_new and is_shown and not (excluded and hit.tells_of_files):
            cards.append(card(hit))
    return cards


def _news(hit: lookup.FallbackHit, seen: "set[str] | tuple[()]") -> list[tuple[str, str]]:
    """Return text and mark of the passages of *hit* that say something which nobody was shown.

    An entry mostly repeats what its turn says, so one of the two is enough. What became of their
    files is news for all of them.
    """
    marked = [(text, marks.marked(mark, hit.stale)) for text, mark in hit.passages]
    told = [" ".join(text.split()) for text, mark in marked if mark in seen]
    # To who was shown anything of it, neither its first line is news nor what was asked for.
    is_known = any(marks.is_of_state(mark, hit.stale) for mark in seen)
    told += [hit.head] if is_known else []
    news: list[tuple[str, str]] = []
    for text, mark in sorted(marked, key=lambda one: -len(one[0])):
        lines = [line for line in text.splitlines() if not line.strip().startswith(ASKED)]
        said = "\n".join(lines) if is_known else text
        if not any(unheaded(said) in other for other in told):
            told.append(" ".join(text.split()))
            news.append((text, mark))
    return [one for one in marked if one in news]


def unheaded(text: str) -> str:
    r"""Return the words of a passage, but for the heading that it stands under.

    >>> unheaded("Cause:\n  - An N+1 query."), unheaded("An N+1\nquery.")
    ('An N+1 query.', 'An N+1 query.')
    """
    heading, colon, rest = text.partition(":\n")
    words = (rest if colon and "\n" not in heading.strip() else text).split()
    return " ".join(words).removeprefix("- ")


def file_read(event: dict[str, object]) -> str:
    """Return the file that a tool is about to read, from the top of its work tree; else empty."""
    given = event.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    if event.get("tool_name") != "Read" or not isinstance(path, str) or not path:
        return ""
    root = projects.top(str(event.get("cwd") or "/"))
    whole = os.path.realpath(os.path.join(str(event.get("cwd") or "/"), path))
    return os.path.relpath(whole, root) if whole.startswith(f"{root}/") else ""


class Card:
    """One memory ready to be shown: its text, the line for the user, and what is noted of it."""

    __slots__ = ("at", "line", "shown", "text")

    def __init__(self, text: str, *, shown: ShownMemory, at: float, line: str) -> None:
        self.text = text
        self.shown = shown
        self.at = at
        self.line = line


def card(hit: lookup.FallbackHit) -> Card:
    """Return the card that was prepared of *hit*, or its first line with the passages of it."""
    text, marks = hit.card, hit.mark
    if hit.passages:
        said = [text for text, _ in hit.passages if unheaded(text) not in hit.head]
        text = hit.head + fence.SKIPPED.join(fence.under_one_heading(said))
        marks = ",".join(mark for _, mark in hit.passages)
    text += hit.stale
    shown = ShownMemory(
        hit.id,
        mark=marks,
        score=hit.score,
        tokens=tokens.estimate(text),
        why="by words alone",
        text=text,
    )
    return Card(text, shown=shown, at=hit.at, line=hit.line)


def affordable(cards: list[Card], *, limit_tokens: int) -> list[Card]:
    """Return the first of *cards* that fit together with the fence around them."""
    frame = fence.around("")
    left_tokens = limit_tokens - tokens.estimate(frame)
    left_units = fence.MOST_UNITS - fence.units(frame)
    shown = []
    for one in cards:
        if one.shown.tokens <= left_tokens and fence.units(one.text) <= left_units:
            shown.append(one)
            left_tokens -= one.shown.tokens
            left_units -= fence.units(one.text)
    return shown


def recalled(event: str, cards: list[Card], *, now: float) -> HookResponse:
    """Return the answer that shows *cards*, and the lines that tell the user of them."""
    lines = [f"{_score(one)}{_when(one, now)}{one.line}" for one in cards]
    count = f"{len(cards)} {'memory' if len(cards) == 1 else 'memories'}"
    for one in cards:
        one.shown.text = ages.fill(one.text, now=now)
    return HookResponse(
        event,
        body="".join(one.shown.text for one in cards),
        message=f"{count}: " + "\n  ".join(lines) if cards else "",
        shown=tuple(one.shown for one in cards),
    )


def _score(one: Card) -> str:
    # What was found by its time has none.
    return f"[{one.shown.score:.2f}] " if one.shown.score else ""


def _when(one: Card, now: float) -> str:
    return f"{ages.ago(now - one.at)} " if one.at else ""


def about_file(name: str, cards: list[Card], *, now: float) -> HookResponse:
    """Return the answer that shows what is known of the file *name*."""
    said = recalled("PreToolUse", cards, now=now)
    said.subject = name
    visible = "".join(c if c.isprintable() else " " for c in name)
    said.message = f"{visible}: {said.message}" if said.message else ""
    return said


def block(
    event: str,
    prepared: str,
    *,
    now: float,
    categories: list[object] | None = None,
    limit_tokens: int = fence.MOST_UNITS,
) -> HookResponse:
    """Return a *prepared* block as an answer, without the pieces whose files have changed.

    It was prepared for the settings of then: of now, only notes of these *categories* are shown,
    and no more than *limit_tokens*.

    The first piece is the line for the user; it holds `@@headline@@` where one of the others
    goes. When all are gone, or the block is broken, nothing is left to say.
    """
    message, *pieces = prepared.split(PIECE)
    if message and not message.startswith(SPEAKER):
        return HookResponse(event)
    body, headline, section = "", "", ""
    shown = []
    try:
        for piece in pieces:
            # An earlier release wrote the version of a document in two fields.
            place, path, *version, category, under, id_, mark, why, cost, text = piece.split(FIELD)
            if path and not is_unchanged(path, ".".join(version)):
                continue
            if category and categories is not None and category not in categories:
                continue
            if place == "headline":
                headline = text
                continue
            added = text if under == section else under + text
            if tokens.estimate(fence.around(body + added)) > limit_tokens:
                continue
            body += added
            section = under
            if id_:
                shown.append(ShownMemory(id_, mark=mark, tokens=int(cost), why=why))
    except ValueError:
        return HookResponse(event)
    if pieces and not body:
        return HookResponse(event)
    filled = ages.fill(message.replace("@@headline@@", headline), now=now)
    return HookResponse(event, body=ages.fill(body, now=now), message=filled, shown=tuple(shown))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as prepared:
            return prepared.read()
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


def notices(name: str, version: str, trouble: str = "") -> list[str]:
    """Return what the user must be told besides: a plugin out of step, an event not kept."""
    told = []
    if trouble:
        told.append(f"Recollect could not keep this: {trouble}. See: recollect doctor")
    if name == "SessionStart" and version != recollect.__version__:
        told.append(
            f"Recollect: the plugin is {version}, the package {recollect.__version__}."
            " Run: recollect setup"
        )
    return told
