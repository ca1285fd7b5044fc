"""A block that was prepared beforehand, such as a session's start: written, read, answered with.

Hot path. Each piece names the document it came from, so that a hook can leave out what the user has
changed since without knowing what the piece says.
"""

from recollect import ages, fence, tokens
from recollect.hooks.response import HookResponse, ShownMemory
from recollect.store.files.versions import is_unchanged

# Between the pieces of a written block, and between the fields of a piece.
PIECE_END, FIELD_END = "\x1e", "\x1f"

_BODY, _HEADLINE = "body", "headline"


class PreparedPiece:
    """A part of a block that is shown or left out as one."""

    __slots__ = ("category", "document", "is_headline", "section", "shown", "text")

    def __init__(
        self,
        text: str,
        *,
        section: str = "",
        shown: ShownMemory,
        document: tuple[str, str] = ("", ""),
        category: str = "",
        is_headline: bool = False,
    ) -> None:
        self.text = text
        # Said once above the pieces that share it.
        self.section = section
        self.shown = shown
        # Name and version of the document that it came from, if it came from one.
        self.document = document
        # Of a note, so that a kind of notes can be switched off.
        self.category = category
        self.is_headline = is_headline

    def written(self) -> str:
        """Return the piece as `read` takes it; an id that was written by hand may hold anything."""
        one = self.shown
        fields = (
            _HEADLINE if self.is_headline else _BODY,
            *self.document,
            *(self.category, self.section, one.id, one.mark, one.why, str(one.tokens), self.text),
        )
        plain = (field.replace(PIECE_END, " ").replace(FIELD_END, " ") for field in fields)
        return FIELD_END.join(plain)


class PreparedBlock:
    """The line for the user, and the pieces for the agent."""

    __slots__ = ("message", "pieces")

    def __init__(self, message: str = "", pieces: "tuple[PreparedPiece, ...]" = ()) -> None:
        self.message = message
        self.pieces = pieces

    def written(self) -> str:
        """Return the block as a file holds it; empty if there is nothing to say."""
        return PIECE_END.join([self.message, *(piece.written() for piece in self.pieces)])


def read(text: str) -> PreparedBlock:
    """Return the block that was written as *text*; an empty one if it is none of ours."""
    message, *written = text.split(PIECE_END)
    if message and not message.startswith(fence.SPEAKER):
        return PreparedBlock()
    try:
        return PreparedBlock(message, tuple(map(_piece, written)))
    except ValueError:
        return PreparedBlock()


def _piece(written: str) -> PreparedPiece:
    # An earlier release wrote the version of a document in two fields.
    place, name, *version, category, section, id_, mark, why, cost, text = written.split(FIELD_END)
    return PreparedPiece(
        text,
        section=section,
        shown=ShownMemory(id_, mark=mark, tokens=int(cost), why=why),
        document=(name, ".".join(version)),
        category=category,
        is_headline=place == _HEADLINE,
    )


def response(
    event: str,
    block: PreparedBlock,
    *,
    now: float,
    categories: list[object] | None = None,
    limit_tokens: int = fence.MOST_UNITS,
) -> HookResponse:
    """Return *block* as an answer, without the pieces whose documents have changed.

    It was prepared for the settings of then: of now, only notes of these *categories* are shown,
    and no more than *limit_tokens*. When all pieces are gone, nothing is left to say.
    """
    body, headline, section = "", "", ""
    shown = []
    for piece in block.pieces:
        name, version = piece.document
        if name and not is_unchanged(name, version):
            continue
        if piece.category and categories is not None and piece.category not in categories:
            continue
        if piece.is_headline:
            headline = piece.text
            continue
        added = piece.text if piece.section == section else piece.section + piece.text
        if tokens.estimate(fence.around(body + added)) > limit_tokens:
            continue
        body += added
        section = piece.section
        if piece.shown.id:
            shown.append(piece.shown)
    if block.pieces and not body:
        return HookResponse(event)
    message = ages.fill(block.message.replace(fence.HEADLINE, headline), now=now)
    return HookResponse(event, body=ages.fill(body, now=now), message=message, shown=tuple(shown))
