"""Where a name stands: in a headline, in an entry, in its turn, or inside another. Pure."""

import re
from collections.abc import Mapping, Sequence

from recollect.store.contract.search import SHORTEST_NAME, ByNames, Key, Scores

# A name stands in the headline, in the entry, in the turn behind it, or only inside another.
IN_TITLE, IN_ENTRY, IN_TURN, IN_PART = 1.0, 0.8, 0.5, 0.2
# Of many names, the first few count.
MOST_NAMES = 8

# The words of our marks, "- **change** …", "- files: …". Whole entries are searched as they are
# written, so nearly all of them hold these; passages hold only what is said.
MARKS = frozenset(
    """
    bugfix change changed changes changing concept concepts decision decisions discoveries discovery
    fact facts feature features file files refactor refactoring secure security text texts
    """.split()
)


def looked_up(names: Sequence[str]) -> list[str]:
    """Return those of *names* that are looked up."""
    return [name for name in names if len(name) >= SHORTEST_NAME][:MOST_NAMES]


def combined(
    asked: Sequence[str],
    entries: Mapping[str, Scores],
    passages: Mapping[str, set[Key]],
    *,
    only_known: bool,
) -> ByNames:
    """Return where the names *asked* for stand, an entry that has only some of them by the mean.

    By the name: how prominently it stands in *entries*, and in which *passages* it stands whole.
    With *only_known*, the mean is of those that stand anywhere.
    """
    asked = [name for name in asked if entries[name]] if only_known else asked
    prominences: dict[Key, float] = {}
    share: dict[Key, float] = {}
    whole: dict[Key, float] = {}
    for name in asked:
        for entry, place in entries[name].items():
            prominences[entry] = prominences.get(entry, 0.0) + place / len(asked)
            share[entry] = share.get(entry, 0.0) + (place >= IN_TURN) / len(asked)
        for passage in passages[name]:
            whole[passage] = whole.get(passage, 0.0) + 1 / len(asked)
    return ByNames(prominence=prominences, share=share, passages=whole, asked=tuple(asked))


def whole_name(name: str) -> re.Pattern[str]:
    """Return what finds *name* where it is no part of another name."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w|-\w)", re.IGNORECASE)


def prominence(whole: re.Pattern[str], part: str, title: str, names: str) -> float:
    """Return how prominently the name that is found *whole* stands in a passage with *names*."""
    if part == "own" and whole.search(title):
        return IN_TITLE
    # Whatever name stands whole in a passage stands so in the list of its names.
    if not whole.search(names):
        return IN_PART if part == "own" else IN_PART / 2
    return IN_ENTRY if part == "own" else IN_TURN
