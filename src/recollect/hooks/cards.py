"""Cards joined into an answer: what a prompt, or a file about to be read, brings back. Hot path.

The texts were rendered by `context.render`, beforehand or a moment ago; here they are only chosen
by what fits, joined, and counted for the user.
"""

from recollect import ages, fence, tokens
from recollect.hooks.response import HookResponse, ShownMemory


class Card:
    """One memory ready to be shown: its text, the line for the user, and what is noted of it."""

    __slots__ = ("at", "line", "shown", "text")

    def __init__(self, text: str, *, shown: ShownMemory, at: float, line: str) -> None:
        self.text = text
        self.shown = shown
        self.at = at
        self.line = line


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


def response(event: str, cards: list[Card], *, now: float) -> HookResponse:
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


def about_file(name: str, cards: list[Card], *, now: float) -> HookResponse:
    """Return the answer that shows what is known of the file *name*."""
    found = response("PreToolUse", cards, now=now)
    found.subject = name
    visible = "".join(c if c.isprintable() else " " for c in name)
    found.message = f"{visible}: {found.message}" if found.message else ""
    return found


def _score(one: Card) -> str:
    # What was found by its time has none.
    return f"[{one.shown.score:.2f}] " if one.shown.score else ""


def _when(one: Card, now: float) -> str:
    return f"{ages.ago(now - one.at)} " if one.at else ""
