"""What the words of a prompt, or the name of a file, find without the worker. Hot path."""

from recollect import fence, paths, projects, tokens
from recollect.hooks import cards, claude_code, decide, settings, shown_log
from recollect.hooks.cards import Card
from recollect.hooks.response import HookResponse, ShownMemory
from recollect.store.sqlite.index import lookup
from recollect.text import marks
from recollect.typed import ASKED


def of_prompt(
    event: dict[str, object],
    *,
    home: str,
    project: str,
    chosen: dict[str, object],
    opening: HookResponse | None,
    now: float,
) -> HookResponse:
    """Return what the words of the prompt of *event* find, with the settings *chosen*.

    What its session is only just given as its *opening* does not come again.
    """
    prompt = event.get("prompt")
    is_typed = isinstance(prompt, str) and not event.get("agent_id")
    if not is_typed or not claude_code.is_question(str(prompt)):
        return HookResponse("UserPromptSubmit")
    hits = lookup.recall(
        lookup.open_index(paths.index(home)),
        project,
        str(prompt),
        limit=int(settings.number(chosen, "recall.limit")),
        bar=settings.number(chosen, "recall.min_score"),
        asked_in=str(event.get("session_id") or ""),
        root=projects.top(str(event.get("cwd") or "/")),
    )
    hits = lookup.undisputed(paths.state(home), hits)
    known = shown_log.known_to(home, event, opening=opening)
    found = _cards(hits, known, chosen, budget="recall.budget_tokens")
    return cards.response("UserPromptSubmit", found, now=now)


def about_file(
    event: dict[str, object], *, home: str, project: str, chosen: dict[str, object], now: float
) -> HookResponse:
    """Return what tells of the file that is about to be read, with the settings *chosen*."""
    name, known = decide.file_read(event), shown_log.known_to(home, event)
    if not name or name in known:
        return HookResponse("PreToolUse")
    hits = lookup.about_file(
        lookup.open_index(paths.index(home)),
        project,
        name,
        asked_in=str(event.get("session_id") or ""),
        root=projects.top(str(event.get("cwd") or "/")),
    )
    found = _cards(hits, known, chosen, budget="files.budget_tokens")
    return cards.about_file(name, found, now=now)


def _cards(
    hits: list[lookup.FallbackHit],
    known: dict[str, set[str]],
    chosen: dict[str, object],
    *,
    budget: str,
) -> list[Card]:
    """Return the cards of those of *hits* that may be shown, are news, and fit.

    Which paths are excluded takes patterns, so nothing that tells of files is shown then.
    """
    categories = settings.texts(chosen, "context.categories")
    excluded = chosen["capture.exclude_paths"]
    found = []
    for hit in hits:
        seen = known.get(hit.id, ())
        had_passages = bool(hit.passages)
        hit.passages = _news(hit, seen)
        # A card as a whole is no news to who was shown passages of it.
        is_new = (hit.passages and hit.mark not in seen) if had_passages else not any(seen)
        is_shown = not hit.category or hit.category in categories
        if is_new and is_shown and not (excluded and hit.tells_of_files):
            found.append(_card(hit))
    return cards.affordable(found, limit_tokens=int(settings.number(chosen, budget)))


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
