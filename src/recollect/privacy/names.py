"""Which names give away that a secret stands behind them, and how surely.

A name is read as its words, however it is written: `DB_PASSWORD_PROD`, `clientSecret`,
`spring.datasource.password`, `x-api-key`. What the secret is for may follow it (`_PROD`, `2`);
what follows otherwise says that something else stands there (`password_length`, `token_url`).
"""

import enum
import functools
import re
import tomllib
from importlib import resources
from typing import NamedTuple


class Strength(enum.Enum):
    """How surely a secret stands behind a name."""

    PASSWORD = "password"  # noqa: S105 - the word
    """Whatever stands there is one, also a word that a person made up."""
    KEY = "key"
    """A key or token, unless it is code or a word."""
    RANDOM = "random"
    """Only what looks random: the name is also used for much else."""
    OPAQUE = "opaque"
    """Only what is long and mixes cases and digits: a key of some sort, of many that are none."""
    PADDED = "padded"
    """Only what looks random and ends in `=`, as keys of clouds do: databases have these names."""


_WORD = re.compile(r"[A-Z]{2,}(?=[A-Z][a-z]|\d|\b|_)|[A-Z]?[a-z]+|[A-Z]+|\d+")

# DATADOG_KEY, SAVED_CF_Key; x-rapidapi-key, Fastly-Key.
_SETTING = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Za-z0-9]+)+")
_HEADER = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_MOST_WORDS = 14
_KEYS_AT_THE_END = ("apikey", "secretkey", "authtoken", "accesstoken", "apitoken", "secret")
_NOT_PASSWORDS = frozenset(
    "no reset forgot show hide confirm change validate check is has hash".split()
)
_OTHER_PASSES = frozenset(
    "test tests low high band by first second render boarding did must should to all one two multi"
    " single".split()
)


@functools.lru_cache(maxsize=4_096)
def strength(name: str) -> Strength | None:
    """Return how surely a secret stands behind *name*; None where it says nothing of one.

    >>> strength("DB_PASSWORD_PROD"), strength("password_length"), strength("next_token")
    (<Strength.PASSWORD: 'password'>, None, None)
    """
    known = _words()
    words = _meaning(name, known.environments)
    if words[-2:] == ["session", "id"] or words[-1:] in (["sid"], ["sessionid"]):
        return Strength.OPAQUE
    if not words or words[-1] in known.not_behind or words[-1] in known.endings_of_files:
        return None
    if _names_password(words):
        return None if _is_other_pass(words) else Strength.PASSWORD
    if words[-1] in ("key", "keys"):
        return _strength_of_key(words, name)
    return _strength_of_token(words, name)


def _names_password(words: list[str]) -> bool:
    ending = words[-1].endswith(("password", "passwd", "passphrase"))
    return ending or bool(_joined(words) & _words().passwords)


def _joined(words: list[str]) -> set[str]:
    """The last words of a name as one: `pass_phrase` is also `passphrase`."""
    return {words[-1], "".join(words[-2:]), "".join(words[-3:])}


def _meaning(name: str, environments: frozenset[str]) -> list[str]:
    """Return the words of *name* up to the one that says what it is."""
    words = [word.lower() for word in _WORD.findall(name)][-_MOST_WORDS:]
    if words[-2:] in (["secret", "id"], ["api", "hash"]):
        words[-2:] = ["apisecret"]  # Half a login each, whatever it is called.
    while words and (words[-1].isdigit() or (words[-1] in environments and len(words) > 1)):
        words.pop()
    return words


def _strength_of_key(words: list[str], name: str) -> Strength | None:
    known = _words()
    before = words[-2] if len(words) > 1 else ""
    if name.startswith("-"):
        return Strength.KEY if before in known.key_qualifiers else Strength.RANDOM
    # That of a browser's push messages is public.
    if not before or before in known.not_before or words[-3:-1] == ["application", "server"]:
        return None
    if before in ("primary", "secondary"):
        return Strength.PADDED
    if before in known.key_qualifiers or "".join(words[-3:]) in known.keys:
        return Strength.KEY
    # Settings in capitals are few, and headers: their keys are secrets where they look random.
    is_setting = bool(_SETTING.fullmatch(name) or _HEADER.fullmatch(name))
    return Strength.RANDOM if is_setting else Strength.OPAQUE


def _strength_of_token(words: list[str], name: str) -> Strength | None:
    known = _words()
    if len(words) > 1 and (words[-2] in known.not_before or "public" in words[-3:-1]):
        return None
    # `myapitoken`: written as one word.
    if _joined(words) & known.keys or words[-1].endswith(_KEYS_AT_THE_END):
        return Strength.KEY
    if words[-1] == "token":
        is_option_or_qualified = len(words) > 1 or name.startswith("-")
        return Strength.KEY if is_option_or_qualified else Strength.RANDOM
    return Strength.RANDOM if words[-1] in known.random or words[-1].endswith("sessid") else None


def _is_other_pass(words: list[str]) -> bool:
    """`pass` is also what tests do; and what is shown, reset or checked is no password."""
    before = words[-2] if len(words) > 1 else ""
    return before in _NOT_PASSWORDS or (words[-1] == "pass" and before in _OTHER_PASSES)


class _Words(NamedTuple):
    passwords: frozenset[str]
    keys: frozenset[str]
    random: frozenset[str]
    key_qualifiers: frozenset[str]
    not_behind: frozenset[str]
    not_before: frozenset[str]
    environments: frozenset[str]
    endings_of_files: frozenset[str]


@functools.cache
def _words() -> _Words:
    text = resources.files(__package__).joinpath("names.toml").read_text("utf-8")
    return _Words(**{name: frozenset(words) for name, words in tomllib.loads(text).items()})
