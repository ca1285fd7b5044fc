"""The answer to a hook: what the agent is given, what its user is told, which memories are in it.

The worker and a hook without one answer with the same value, so one place turns it into what the
host reads, and one (`shown_log`) writes down what was shown. Hot path.
"""

import _json

from recollect import fence, tokens


class ShownMemory:
    """One memory in an answer."""

    __slots__ = ("id", "kind", "mark", "score", "text", "tokens", "why")

    def __init__(  # noqa: PLR0913 - one parameter a part
        self,
        id: str,  # noqa: A002 - it is the word people use
        *,
        mark: str = "",
        score: float = 0.0,
        tokens: int = 0,
        why: str = "",
        kind: str = "card",
        text: str = "",
    ) -> None:
        self.id = id
        # A `card` says something; a `pointer` only that there is something.
        self.kind = kind
        self.text = text
        # Of each passage that was shown, with commas between; empty for a pointer.
        self.mark = mark
        # How likely it answers; 0 where nobody asked.
        self.score = score
        self.tokens = tokens
        self.why = why


class HookResponse:
    """The answer to one event. An empty `body` gives the agent nothing."""

    __slots__ = (
        *("body", "event", "is_brief", "left_out", "message"),
        *("nothing", "opening", "shown", "subject"),
    )

    def __init__(  # noqa: PLR0913 - one parameter a part
        self,
        event: str,
        *,
        body: str = "",
        message: str = "",
        shown: "tuple[ShownMemory, ...]" = (),
        left_out: tuple[tuple[str, str], ...] = (),
        subject: str = "",
        nothing: str = "",
    ) -> None:
        self.event = event
        # Why nothing is said, for who asks.
        self.nothing = nothing
        self.body = body
        # Whether the fence around it says no more than it must.
        self.is_brief = False
        self.message = message
        self.shown = shown
        # What was found and is not shown: id and reason, for who asks why.
        self.left_out = left_out
        # The file that a tool is about to read, or the error that it met.
        self.subject = subject
        # What the session should have begun with: it goes in front.
        self.opening: HookResponse | None = None

    @property
    def context(self) -> str:
        """What the agent is given."""
        if self.is_brief and self.body:
            return fence.around(self.body, explanation=fence.BRIEFLY, more="")
        return fence.around(self.body) if self.body else ""

    @property
    def tokens(self) -> int:
        """What the agent's context grows by, at most."""
        return tokens.estimate(self.context)

    def printed(self, *, called: str = "") -> str:
        """Return what the host reads, which *called* the event so: one JSON object, or nothing."""
        fields = []
        if self.message:
            fields.append(f'"systemMessage":{_json.encode_basestring(self.message)}')
        given = [one.context for one in (self.opening, self) if one and one.body]
        if given:
            context = _json.encode_basestring("\n".join(given))
            fields.append(
                f'"hookSpecificOutput":{{"hookEventName":"{called or self.event}",'
                f'"additionalContext":{context}}}'
            )
        return f"{{{','.join(fields)}}}" if fields else ""

    def as_json(self, *, project: str) -> dict[str, object]:
        """Return it for who asks what would be said, and why."""
        return {
            "event": self.event,
            "project": project,
            "context": self.context,
            "message": self.message,
            "empty_reason": "" if self.body else self.nothing,
            "nothing": "" if self.body else self.nothing,  # Its former name, until 0.2.
            "tokens": self.tokens,
            "pieces": [
                {
                    "kind": one.kind,
                    "id": one.id,
                    "text": one.text,
                    "tokens": one.tokens,
                    "score": one.score,
                    "reason": one.why,
                }
                for one in self.shown
            ],
            "shown": [
                {"id": one.id, "score": one.score, "tokens": one.tokens, "why": one.why}
                for one in self.shown
            ],
            "left_out": [{"id": id_, "why": why} for id_, why in self.left_out],
        }
