"""What every implementation must keep to, as tests. For backends and plugins; nothing else uses it.

Subclass a contract in a test module under a name that begins with `Test`, say how to make the
thing, and pytest runs every promise against it.
"""

from recollect.testing.embedders import TEXTS, TOLERANCE, EmbedderContract, WordBag
from recollect.testing.engines import (
    ASKED_FOR,
    FAILURES,
    LEEWAY_SECONDS,
    QUOTED,
    Behaviour,
    EngineContract,
)
from recollect.testing.library import LibraryContract
from recollect.testing.notes import NotesContract
from recollect.testing.search import Answer, Searchable, SearchContract
from recollect.testing.state import StateContract
from recollect.testing.texts import JUNK

__all__ = [
    "ASKED_FOR",
    "FAILURES",
    "JUNK",
    "LEEWAY_SECONDS",
    "QUOTED",
    "TEXTS",
    "TOLERANCE",
    "Answer",
    "Behaviour",
    "EmbedderContract",
    "EngineContract",
    "LibraryContract",
    "NotesContract",
    "SearchContract",
    "Searchable",
    "StateContract",
    "WordBag",
]
