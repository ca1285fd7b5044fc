"""What a tool answers, for the agent to read: fenced, because it is data from earlier sessions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect import fence, paths, tokens
from recollect.app.memory import Change, Entry, Hit, Hits, Past, Said, Thread, Transcript
from recollect.context import budget
from recollect.context.render import OF_THE_HOST, TITLE_CHARACTERS, safe

# What one call may cost at most; the rest is a call further.
EXPANDED_TOKENS = 6_000
TRANSCRIPT_TOKENS = 6_000
PAGE_TOKENS = 6_000
# What was asked in a turn, and what was answered, costs at most that.
TURN_TOKENS = 750
FIELD_TOKENS = 300
MOST_DEEDS = 30

PART = "part-"
"""In front of the hash of a note of which only a part was shown."""

# What to do next.
DEEPER = "More of one: expand its id; the whole turn: transcript with its id."
WHOLE_TURN = "The whole turn behind one: transcript with its id."
WHOLE_SESSION = "A whole session: transcript with its id."
NO_SESSION = "No session has been summarised here yet."
NOTHING = "Nothing is remembered about that. Other words may find it; otherwise it is not known."


def found(hits: Hits, *, here: str) -> str:
    """Return what a search found, a line each; what is not of the project *here* says so."""
    lines = [headline(one, here=here, scored=True) for one in hits] or [NOTHING]
    if hits and hits[0].weak:
        lines.insert(0, "No good match. Closest:")
    if hits:
        lines.append(DEEPER)
    return fenced([*lines, *hits.remarks])


def headline(one: Hit, *, here: str, scored: bool = False) -> str:
    """Return *one* in a line: how sure, when, what kind, its id, and what it says.

    Its project is told if it is not the one *here*: whoever wants more of it must name that.
    """
    is_elsewhere = one.project not in (here, paths.EVERYWHERE)
    project = f"project {one.project}" if is_elsewhere else ""
    parts = [day(one.at), *_kind(one), project, one.id]
    said = " · ".join(filter(None, parts))
    score = f"{one.score:.2f} " if scored else ""
    line = f"- {score}{_title(one)} ({_in_line(said)})"
    if one.hidden_reason:
        line += f"\n  not in force: {_in_line(one.hidden_reason)}"
    if one.stale:
        line += f"\n  {_in_line(one.stale)}"
    passages = (_without_title(text, _title(one)) for text in one.passages)
    told = [_indented(text) for text in passages if text]
    return f"{line}\n" + "\n  …\n".join(told) if told else line


def fitting(entries: Sequence[Entry]) -> list[Entry]:
    """Return *entries*, each cut to its share of what a call may cost.

    One that is cut says so, and its hash is marked: who has read a part cannot say all of it anew.
    """
    room = EXPANDED_TOKENS // max(len(entries), 1)
    return [_fitting(one, room, is_alone=len(entries) == 1) for one in entries]


def _fitting(one: Entry, room: int, *, is_alone: bool) -> Entry:
    rest = f"All of it: {one.file}" if is_alone else "Expand it alone to see more."
    body = _cut_with_a_word(one.body, room, rest=rest)
    is_whole = body == one.body.strip()
    return one if is_whole else replace(one, body=body, hash=one.hash and f"{PART}{one.hash}")


def whole(entries: Sequence[Entry], missing: Iterable[str] = ()) -> str:
    """Return *entries* whole."""
    return fenced([*map(_whole, entries), *missing])


def _whole(one: Entry) -> str:
    facts = [
        *(day(one.at), *_kind(one)),
        *(f"branch {one.branch}" if one.branch else "", one.project, one.id),
        f"hash {one.hash}" if one.hash else "",
    ]
    lines = [
        f"## {_title(one)}",
        f"Not in force: {_in_line(one.hidden_reason)}" if one.hidden_reason else "",
        " · ".join(filter(None, facts)),
        _in_line(one.stale),
        one.body,
        *_from_the_turn(one),
        *(f"before: {headline(each, here=one.project)[2:]}" for each in one.before),
        *(f"after: {headline(each, here=one.project)[2:]}" for each in one.after),
        f"file: {one.file}",
    ]
    return "\n".join(filter(None, lines))


def _from_the_turn(one: Entry) -> list[str]:
    told = "\n  …\n".join(_indented(text) for text in one.passages)
    return ["From the turn:", told] if told else []


def _kind(one: Hit) -> tuple[str, str]:
    """Return what *one* is and whose, as it is told everywhere."""
    if one.kind == "hosted":
        return OF_THE_HOST, ""
    return one.category.replace("_", " ") or one.kind, one.host


def page(text: str, *, rest: str) -> str:
    """Return *text* for somebody to read, cut to what a call may cost; *rest* is where the rest is.

    A page that is cut ends with a line that says so.
    """
    return fenced([_cut_with_a_word(text, PAGE_TOKENS, rest=rest)])


def affordable(turns: Sequence[Said]) -> list[Said]:
    """Return as many of *turns* as a call may cost, each cut to what one may; one at least."""
    shown: list[Said] = []
    left = TRANSCRIPT_TOKENS
    for turn in turns:
        short = replace(
            turn,
            prompt=_cut(turn.prompt, TURN_TOKENS),
            answer=_cut(turn.answer, TURN_TOKENS),
            tool_calls=_first(turn.tool_calls),
        )
        left -= tokens.estimate(_turn(short))
        if left < 0 and shown:
            break
        shown.append(short)
    return shown


def said(told: Transcript, turns: Sequence[Said], *, skip: int) -> str:
    """Return *turns*, those of a session from *skip* on."""
    lines = [f"Session {told.session} · {told.host} · {told.project}", *map(_turn, turns)]
    return fenced(filter(None, [*lines, rest(told, turns, skip=skip)]))


def rest(told: Transcript, turns: Sequence[Said], *, skip: int) -> str:
    """Return how to come to the turns that are not among *turns*; empty if these were the last."""
    if not told.turns:
        return "None of its turns is archived any more; expand has what was kept."
    left = len(told.turns) - skip - len(turns)
    if left < 0:
        return f"It has {len(told.turns)} turns; skip fewer."
    return f"{left} more: transcript with skip {skip + len(turns)}." if left else ""


def _turn(turn: Said) -> str:
    parts = [
        f"### {turn.at.astimezone():%Y-%m-%d %H:%M}",
        f"asked: {turn.prompt}",
        *(f"- {_in_line(deed)}" for deed in turn.tool_calls),
        f"answered: {turn.answer}" if turn.answer else "no answer",
    ]
    return "\n".join(parts)


def _first(deeds: tuple[str, ...]) -> tuple[str, ...]:
    left = len(deeds) - MOST_DEEDS
    return (*deeds[:MOST_DEEDS], f"… and {left} more") if left > 0 else deeds


def _cut_with_a_word(text: str, limit_tokens: int, *, rest: str) -> str:
    """Return *text*, or its beginning and a line that says so, and where the *rest* is."""
    short = _cut(text, limit_tokens)
    left = len(text.strip()) - len(short)
    if short == text.strip():
        return short
    return f"{short}\n\nCut here: {left:,} characters more. {rest}"


def _cut(text: str, limit_tokens: int) -> str:
    return budget.shortened(text.strip(), len(text), limit_tokens=limit_tokens)


def short(past: Sequence[Past]) -> list[Past]:
    """Return *past* with as much of each field as a call may cost."""
    return [
        replace(one, summary={name: _cut(said, FIELD_TOKENS) for name, said in one.summary.items()})
        for one in past
    ]


def recent(past: Sequence[Past], threads: Sequence[Thread]) -> str:
    """Return how the last sessions went, and what is left to do."""
    lines: list[str] = []
    for one in past:
        lines.append(f"## Session {one.session[:8]} · {day(one.at)} · {one.host} · {one.status}")
        lines += [f"- {name.replace('_', ' ')}: {value}" for name, value in one.summary.items()]
    if threads:
        lines.append("## Left to do")
        lines += [f"- {_in_line(one.text)} ({one.id})" for one in threads]
    return fenced(lines or [NO_SESSION])


def changed(done: Change) -> str:
    """Return what really happened: our own words, around names that may be anybody's."""
    also = (f"also {_told(each)}" for each in done.also)
    return safe("\n".join(_in_line(one) for one in (_told(done), *also)))


def _told(done: Change) -> str:
    what = f"{done.outcome}: {done.id}" if done.id else done.outcome
    return " ".join(_sentence(one) for one in (what, done.reason, done.fix) if one)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def fenced(lines: Iterable[str]) -> str:
    """Return *lines* inside the fence that cannot be closed from within."""
    return fence.around(safe("\n".join(lines)) + "\n", more="")


def day(at: datetime | None) -> str:
    """Return the local day of *at*; empty if nobody knows."""
    return f"{at.astimezone():%Y-%m-%d}" if at else ""


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines() if line.strip())


def _title(one: Hit) -> str:
    return budget.shortened(_in_line(one.title), TITLE_CHARACTERS)


def _without_title(text: str, title: str) -> str:
    """Return a passage without the lines that only repeat the title above it."""
    if _in_line(text) == title:
        return ""
    return "\n".join(line for line in text.splitlines() if _in_line(line) != title)


def _in_line(text: str) -> str:
    return " ".join(text.split())
