"""What is asked for by its kind and answered by its name: "which package manager?", "pnpm". Pure.

A sentence encoder knows that a database is near Postgres, and not what pnpm is; words know neither.
So where a question asks which one of a kind, a member of it says more than the word for the kind.
"""

import re
from functools import cache
from importlib.resources import files

# What the word for a kind says to who asks which one.
SHARE = 0.6

_WORD = re.compile(r"[\w-]+")


def members(question: str) -> dict[str, tuple[str, ...]]:
    """Return the words of a kind that *question* asks for one of, each with the members of it.

    >>> members("Which package manager do we use?")["manager"][:3]
    ('npm', 'pnpm', 'yarn')
    >>> members("Why is the database slow?")
    {}
    """
    said = " ".join(_WORD.findall(question.lower()))
    found: dict[str, tuple[str, ...]] = {}
    for kind in dict.fromkeys(_asked_for().findall(said)):
        for word in kind.split():
            found[word] = tuple(dict.fromkeys((*found.get(word, ()), *_kinds()[kind])))
    return found


@cache
def _asked_for() -> re.Pattern[str]:
    longest_first = sorted(_kinds(), key=len, reverse=True)
    kinds = "|".join(map(re.escape, longest_first))
    # "What is the cache key?" asks for no cache.
    between = r"(?: (?!(?:is|are|was|were|do|does|did|the|an?|of|about|if)\b)[\w-]+){0,2}?"
    return re.compile(rf"\b(?:which|what){between} ({kinds})(?!\S)")


@cache
def _kinds() -> dict[str, tuple[str, ...]]:
    text = files("recollect.text").joinpath("thesaurus.txt").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            names, those = line.split("|")
            kind = [name.strip() for name in names.split(",")]
            found |= {name: (*found.get(name, ()), *those.split()) for name in kind}
    return found
