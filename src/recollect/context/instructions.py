"""What the project's own instructions to agents say already. Pure.

Every agent reads them anyway; repeated, a rule costs tokens and says nothing.
"""

import re
from collections.abc import Iterable

from recollect.context.past_turns import words
from recollect.text import sentences

# Nearly all of the words of a sentence, together in one paragraph.
SAID = 0.85
FEWEST_WORDS = 2

_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+•]|\d{1,3}[.)]|#)\s)")


class Instructions:
    """The files in which a project instructs agents, as their words."""

    def __init__(self, texts: Iterable[str]) -> None:
        pieces = (piece for text in texts for piece in _PARAGRAPH.split(text))
        self._paragraphs = [found for piece in pieces if (found := words(piece))]

    def say(self, sentence: str) -> bool:
        """Tell whether one paragraph has nearly all that *sentence* says.

        >>> Instructions(["- Never push on a Friday, we are all gone."]).say("never push on friday")
        True
        """
        own = words(sentence)
        if len(own) < FEWEST_WORDS:
            return False
        return any(len(own & other) >= SAID * len(own) for other in self._paragraphs)

    def left_of(self, text: str) -> str:
        """Return the sentences of *text* that they do not say.

        >>> Instructions(["- Never push on a Friday."]).left_of("Fix it. Never push on Friday.")
        'Fix it.'
        """
        return " ".join(one for one in sentences.split(text) if not self.say(one))
