"""What a query can ask of one candidate, and how each answer is found.

Names are compared whole, paths step by step, words from end to end: a filter that lets through
what only looks alike is worse than none.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from recollect.text.identifiers import CJK

_LETTER = rf"[^\W{CJK}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterFacts:
    """One candidate as the filters of a query see it."""

    kind: str
    at: float
    haystack: str = ""
    """All of its text, for phrases and for words that are not wanted."""
    types: tuple[str, ...] = ()
    """The types of its observations."""
    category: str = ""
    """Of a note, in the singular."""
    project: str = ""
    """The name of the project's folder, such as `shop-1f`."""
    files: tuple[str, ...] = ()
    session: str = ""

    def is_of(self, name: str) -> bool:
        """Tell whether *name* is its kind, its category, or the type of one of its observations.

        A decision is one for whoever asks, in the journal or as a note.
        """
        return name in (self.kind, self.category, *self.types)

    def is_in_category(self, category: str) -> bool:
        """Tell whether this is a note of *category*."""
        return category == self.category

    def is_in_project(self, name: str) -> bool:
        """Tell whether *name* is its project's, with or without the hash at the end."""
        folder, wanted = self.project.lower(), _pattern(name.lower())
        return any(fnmatchcase(one, wanted) for one in (folder, folder.rpartition("-")[0]))

    def is_in_session(self, prefix: str) -> bool:
        """Tell whether the id of its session begins with *prefix*."""
        return self.session.lower().startswith(prefix.lower())

    def has_file(self, path: str) -> bool:
        """Tell whether the steps of *path* follow each other in the path of one of its files.

        A slash at the end asks for a folder; a `*` stands for anything.

        >>> facts = FilterFacts(kind="turn", at=0, files=("src/orders/db.py",))
        >>> [facts.has_file(path) for path in ("db.py", "orders/", "src/*.py", "b.py", "db.py/")]
        [True, True, True, False, False]
        """
        return any(_is_at(path, file) for file in self.files)

    def holds_phrase(self, phrase: str) -> bool:
        """Tell whether *phrase* occurs in its text, whatever the case and the spaces."""
        return _folded(phrase) in _folded(self.haystack)

    def holds_word(self, word: str) -> bool:
        """Tell whether *word* stands in its text; in Chinese, Japanese and Korean, any part does.

        >>> facts = FilterFacts(kind="turn", at=0, haystack="Reorders 消費税率")
        >>> facts.holds_word("orders"), facts.holds_word("reorders"), facts.holds_word("税")
        (False, True, True)
        """
        wanted = _folded(word)
        before = rf"(?<!{_LETTER})" if re.match(_LETTER, wanted) else ""
        after = rf"(?!{_LETTER})" if re.match(_LETTER, wanted[-1:]) else ""
        return bool(re.search(before + re.escape(wanted) + after, _folded(self.haystack)))


def _is_at(wanted: str, path: str) -> bool:
    steps = wanted.removeprefix("./").strip("/")
    # Files are kept relative to their project, and an agent asks for them by the whole path.
    if wanted.startswith(("/", "~/")) and f"/{steps}".endswith(f"/{path}"):
        return True
    end = "" if wanted.endswith("/") else "/"
    return fnmatchcase(f"/{path.strip('/')}{end}", f"*/{_pattern(steps)}/*")


def _pattern(text: str) -> str:
    """Return *text* for `fnmatch`, the star alone being a sign: `[id].tsx` is a file."""
    return re.sub(r"([\[?])", r"[\1]", text)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
