"""An index in dicts: every question looks at everything, so it is for small libraries."""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect import fingerprint, ids
from recollect.journal import replaced
from recollect.journal.model import LibraryItem
from recollect.journal.replaced import ReplacedValue
from recollect.store import indexed
from recollect.store.contract.library import DocumentChange, Followed
from recollect.store.contract.search import (
    MARKS,
    SHORTEST_NAME,
    ByMeaning,
    ByNames,
    ByWords,
    Compared,
    IndexedPassage,
    IndexRow,
    Key,
    PassageWithoutVector,
    Render,
    Replacement,
    Scope,
    Sketch,
    prominence_of,
    word_weights,
)
from recollect.store.indexed import Passage
from recollect.store.memory import words
from recollect.text import term_weights
from recollect.transcripts.turns import Turn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.embedders.protocol import Vector
