"""Pick the names, paths and codes out of a question: what a person expects to be found exactly.

A guess by shape, made to err on the quiet side: `and/or` looks like `src/orders` and `well-known`
like `order-service`, so two plain words with a slash or a hyphen are no name. One pass over the
text and short pieces only, so a long log costs no more than its length.
"""

import errno
import re
import signal
from collections.abc import Iterator
from itertools import pairwise

# Written without spaces between words; for use inside a character class.
CJK = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"

# Nobody asks for a longer one; a longer run is data.
LONGEST = 200

# Capitals alone are a name from this length on: shorter ones are acronyms and emphasis.
LONG_CAPITALS = 10

SYSTEM_NAMES = {*errno.errorcode.values(), *signal.Signals.__members__}
ABBREVIATIONS = frozenset({"a.k.a", "w.r.t", "u.s.a", "q.e.d", "ph.d"})

# An ellipsis joins two sentences, and CJK text has its names between characters.
_BREAK = re.compile(rf"\.{{3,}}|[{CJK}]+")
_NAME = r"[\w./\\@#+~-]++"
# The scheme's characters are a name's, too: where no `://` follows, the name takes them all, and
# no character is looked at a third time.
_TOKEN = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*+://(?P<rest>[A-Za-z0-9._~:/?#@!$&()*+,;=%\[\]-]++)"
    rf"|{_NAME}(?:::{_NAME})*+"
)

# Their first characters belong to them.
_MARKED = re.compile(r"--[^\W\d_][\w-]+|#[0-9]+|@[\w-]+/[\w-]+|~/.+")

# A number that may be a year tells when, not what.
_CODE = re.compile(
    r"(?!(?:19|20)[0-9]{2}$)[0-9]{4,}"
    r"|0x[0-9a-f]+"
    r"|(?=[a-f]*[0-9])[0-9a-f]{7,64}"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"[^\W\d_]+[/\\][0-9]+(?:\.[0-9]+)*")
_DOTFILE = re.compile(r"\.[a-z][\w.-]+")


def identifiers(text: str) -> tuple[str, ...]:
    """Return the identifiers, paths and codes in *text*, each once, in order.

    >>> identifiers("Why does get_orders in src/orders/db.py raise E1101 (see #1234)?")
    ('get_orders', 'src/orders/db.py', 'E1101', '#1234')
    >>> identifiers("A well-known JSON API, e.g. for reads and/or writes, at 12:30.")
    ()
    """
    return tuple(dict.fromkeys(_found(text)))


def _found(text: str) -> Iterator[str]:
    for token in _TOKEN.finditer(_BREAK.sub(" ", text)):
        if token.end() - token.start() > LONGEST or _is_plain(token.group()):
            continue
        if token["rest"]:
            yield _without_punctuation(token.group())
            continue
        name = _bare(token.group())
        if _MARKED.fullmatch(name) or _is_identifier(name):
            yield name


def _is_plain(word: str) -> bool:
    """Tell at once what nearly every word is: letters, at most the first of them large."""
    return word.isalpha() and (word.islower() or word.istitle())


def _without_punctuation(url: str) -> str:
    url = url.rstrip(".,;:!?*")
    return url if "(" in url else url.rstrip(".,;:!?*)]")


def _bare(token: str) -> str:
    token = token.rstrip("./\\@#+~-")
    if _MARKED.fullmatch(token):
        return token
    token = token.lstrip("@#+~-")
    emphasised = token.startswith("_") and token.endswith("_") and not token.startswith("__")
    return token.strip("_") if emphasised else token


def _is_identifier(name: str) -> bool:
    if not any(map(str.isalnum, name)):
        return False
    if "/" in name or "\\" in name:
        return _is_path(name)
    if _CODE.fullmatch(name):
        return True
    return _is_dotted(name) if "." in name else _is_name(name)


def _is_path(name: str) -> bool:
    steps = [step for step in re.split(r"[/\\]", name) if step.strip(".~")]
    if not any(len(step) > 1 and step.upper() != step.lower() for step in steps):
        return False  # 24/7, 11/15/2026, n/a, y/n/q
    if len(steps) > 2 or name.startswith(("/", "\\", ".", "~")):
        return True
    return bool(_NUMBERED.fullmatch(name)) or any(map(_is_identifier, steps))


def _is_dotted(name: str) -> bool:
    if _DOTFILE.fullmatch(name):
        return True
    steps = name.split(".")
    if not all(steps) or name.casefold() in ABBREVIATIONS:
        return False
    if name[0].isdigit() or all(len(step) == 1 for step in steps):
        return len(steps) > 2  # 2.3.1 and a.b.c, but not 3.5, 2.5GB, e.g, U.S
    return True


def _is_name(name: str) -> bool:
    if "::" in name or "_" in name:
        return True
    if name[0].isalpha() and re.search("[0-9]", name):
        return True
    if any(a.islower() and b.isupper() for a, b in pairwise(name)):
        return True
    if re.match("[A-Z]{2,}[a-z]{2}", name):
        return True  # HTTPServer, but not APIs
    is_long = name.isupper() and name.isalpha() and len(name) >= LONG_CAPITALS
    return is_long or name in SYSTEM_NAMES
