"""Secrets that somebody gives away in a sentence: "the password is …", "log in as ann / …"."""

import re
import tomllib
from collections.abc import Iterator
from importlib import resources

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

_WORDS = tomllib.loads(resources.files(__package__).joinpath("prose.toml").read_text("utf-8"))
_PASSWORDS = frozenset(_WORDS["passwords"])
_LOGINS = frozenset(_WORDS["logins"])
_PLAIN_KEYS = frozenset((*_WORDS["plain_keys"], "secret"))
_OTHER_KEYS = frozenset(_WORDS["other_keys"])
_NAMES = tuple(
    name
    for group in ("passwords", "plain_keys", "keys", "logins", "others")
    for name in _WORDS[group]
)

_FIRST_WORDS = tuple((name, name.strip().split()[0]) for name in _NAMES)

# "password for the staging database is now …": from the name to its value.
_JOINT = re.compile(
    r"""(?ix)
    (?P<between>(?:[ ]?[(（][^()（）\n]{0,60}[)）])?(?:,?[ ][^\s.:=!?"`「“„]{1,24}){0,9}?)
    (?:
      [ ]?(?:
        :|=|->|→|➜|：|–|—|是|为|為|は|が|은|는|이|가|=>
      | (?:is[ ]now|is[ ]still|is|was|are|will[ ]be|should[ ]be|must[ ]be|to
          |ist|lautet|lautete|est|était|es|era|é|it's|c'est|är|became|called)(?!\w)
      )
      (?:[ ]?(?:now|still|currently|just|simply|literally|actually|set[ ]to|changed[ ]to
          |jetzt|weiterhin|maintenant|désormais|ahora|:)(?!\w))*
    | (?<=[a-z])[ ](?=[`"'“‘])
    )
    [ ]{0,3}(?:(?<=[:：])[ ]?\n[ ]{0,8})?
    (?P<quote>[`"'“‘„«「]{0,3})
    (?P<value>[^\s`"'“”‘’„«»「」，。、（）\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{3,200})
    (?P<close>[`"'”’»」]?)
    """
)
# "… as the new password": from the value to its name.
_REVERSED = re.compile(
    r"""(?ix)
    (?P<quote>[`"'“]?)(?P<value>[^\s`"'“”]{5,120})(?P<close>[`"'”]?),?
    [ ](?:as|is|was|for|=|being|als|comme|como)
    [ ](?:the|our|my|your|its|a|new|das|le|la|el|ein)?[ ]?(?:[\w-]{1,20}[ ]){0,4}$"""
)
_JOINED_BEFORE = re.compile(r"(?i)[ ](?:as|is|was|for|=|being|als|comme|como)[ ]")
# "log in as ann / …", "login: ann, password …"
_LOGIN = re.compile(
    r"""(?ix)
    (?:[^\n]{0,60}?[\s:(]|)(?:user(?:name)?|account|login|as|with|are|is|:|=)?
    [ ]{0,2}[`"'“]?(?P<user>[\w.@+-]{2,60})[`"'”]?
    \s?(?:/|\||:|,[ ]?(?:pass(?:word)?|pw|pwd)[ :]{1,2}
        |[ ](?:and|with|und)[ ](?:pass(?:word)?|pw)?[ ]?)\s?
    [`"'“]?(?P<value>[^\s`"'“”,)]{5,64})[`"'”]?"""
)
_PIN = re.compile(
    r"(?:(?:\s(?:code|number|(?:for|für|pour|para) [^\n.]{1,40}?))?"
    r"\s(?:is|was|ist|lautet|est|es|:|=)|:)?\s(?P<value>\d{4,8})\b(?![.,:]\d)"
)
_NEXT = re.compile(r"[ ][`\"'“]?(?P<value>[^\s`\"'“”]{6,120})")
_PASS = re.compile(r"(?:[ ]is(?:[ ]now)?|:)?[ ][`\"'“]?(?P<value>[^\s`\"'“”]{6,120})")
# "… set it for now to Bocian#Leci12": a word that has signs in it is nothing else.
_LATER = re.compile(
    r"(?:[ ][^\s.:=!?\"`'#@$%^&*+~<>(){}\[\]\d/\\]{1,20}){1,7}"
    r"[ ](?P<value>(?=[^\s]*[a-zA-Z])[^\s\"'`@/\\]{3,40}[!#$%^&*+~][^\s\"'`/\\@]{1,40})"
)
_AFTER_USER = re.compile(
    r"""(?ix)\b(?:user(?:name)?|login|account)\b[ :=]{1,3}[`"'“][^\s`"'”]{1,40}[`"'”],?
    [ ](?:and[ ])?(?:pw|pass(?:word)?|pwd)[ :=]{1,3}[`"'“](?P<value>[^`"'”\n]{4,64})[`"'”]"""
)
_WORDY = re.compile(r"[a-z]+(?:-[a-z]+){3,}")
_HEX = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HASH_OR_LABEL = re.compile(r"[0-9a-f]{40}|^\w+(?:-\w+){3,}")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_CODE = re.compile(
    r"(?:process|os|self|this|config|settings|env|secrets|vars|options|props|ctx|req|args|params)\."
    r"|[a-z_]+\("
)
# `name=…`; a value may end in the sign, too.
_SETTING = re.compile(r"\w+=(?!=?$)")
_ORDINARY_WORD = re.compile(r"[a-z]+(?:[-_][a-z]+)?|[A-Z][a-z]+|[A-Z_]+")
_KEBAB = re.compile(r"[a-z]+(?:-[a-z]+)+-\d+")
# What ends a sentence or a clause is none of the value.
_ENDS = ".,:;!?)"
_LONGEST = 320


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield what sentences of *source* give away."""
    text, lower = source.raw, source.lower
    for name, first in _FIRST_WORDS:
        if source.has(first):
            for at in occurrences(name, lower):
                if _is_word(lower, name, at) and (span := _given_away(text, lower, name, at)):
                    yield span


def _is_word(lower: str, name: str, at: int) -> bool:
    """True if *name* at *at* is a word by itself: of an identifier, `assigned` reads the value."""
    before = lower[at - 1] if at and name[0] != " " else " "
    if before in ":/.-_$\\<" or (before.isascii() and before.isalnum()):
        return False
    behind = lower[at + len(name) : at + len(name) + 1]
    continues = behind.isascii() and behind.isalpha() and behind != "s"
    return not (continues and name.isascii())


def _given_away(text: str, lower: str, name: str, at: int) -> SecretSpan | None:
    end = at + len(name)
    end += lower.startswith("s", end) and name.isascii()
    if name == " pin":
        found = _PIN.match(text, end)
        return SecretSpan(found.start("value"), found.end("value"), "pin") if found else None
    if name == " pass":
        return _strong(_PASS.match(text, end))
    return (
        _told(_JOINT.match(text, end, end + _LONGEST), name)
        or _behind_a_password(text, name, at, end)
        or _behind_a_login(text, name, end)
        or _in_front(text, name, at)
    )


def _behind_a_password(text: str, name: str, at: int, end: int) -> SecretSpan | None:
    if name not in _PASSWORDS:
        return None
    if span := _strong(_NEXT.match(text, end)) or _strong(_LATER.match(text, end)):
        return span
    found = _AFTER_USER.search(text, max(at - 80, 0), min(end + 80, len(text)))
    if found and values.is_password(found["value"], quoted=True):
        return SecretSpan(found.start("value"), found.end("value"), "password")
    return None


def _behind_a_login(text: str, name: str, end: int) -> SecretSpan | None:
    if name not in _LOGINS or text[end : end + 1] not in " :(":
        return None
    return _strong(_LOGIN.match(text, end, _line_end(text, end)))


def _in_front(text: str, name: str, at: int) -> SecretSpan | None:
    if not _JOINED_BEFORE.search(text, max(at - 60, 0), at + 1):
        return None
    found = _REVERSED.search(text, max(at - 160, 0), at + (name[0] == " "))
    if found is None:
        return None
    value = found["value"].rstrip(_ENDS[:-1])
    is_quoted_password = found["quote"] and found["close"] and name in _PASSWORDS
    if values.is_telling_word(value) or (
        is_quoted_password and values.is_password(value, quoted=True) and _is_unusual(value)
    ):
        return SecretSpan(found.start("value"), found.start("value") + len(value), "password")
    return None


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at, at + _LONGEST)
    return end if end >= 0 else min(len(text), at + _LONGEST)


def _told(found: re.Match[str] | None, name: str) -> SecretSpan | None:
    """Return the value behind *name* and "is", if it is a secret."""
    if found is None:
        return None
    value = found["value"] if found["close"] else found["value"].rstrip(_ENDS)
    quoted = bool(found["quote"] and found["close"])
    if _is_code(found, value, quoted=quoted) or (name == " key" and _is_other_key(found)):
        return None
    value = value.rstrip(")") if value.count(")") > value.count("(") else value
    begin = found.start("value")
    if name in _PASSWORDS:
        is_secret = _is_password(value, found, quoted=quoted)
        return SecretSpan(begin, begin + len(value), "password") if is_secret else None
    if name in _LOGINS or (not quoted and values.is_code(value)) or not _is_key(value, name):
        return None
    return SecretSpan(begin, begin + len(value), "key")


def _is_code(found: re.Match[str], value: str, *, quoted: bool) -> bool:
    """True for code, a setting and a word of a language that is written without spaces."""
    return bool(
        (not found["close"] and any(sign in value for sign in "(){}[]<>;\\"))
        or _SETTING.match(value)
        or (not quoted and _CODE.match(value))
        or (not value.isascii() and _CJK.search(value))
    )


def _is_password(value: str, found: re.Match[str], *, quoted: bool) -> bool:
    if quoted:
        unusual = values.is_telling_word(value) or _is_unusual(value)
        return unusual and values.is_password(value, quoted=True)
    if value.isdigit():
        return 6 <= len(value) <= 12 and not found["between"].strip().isdigit()
    return values.is_telling_word(value) or bool(_WORDY.fullmatch(value))


def _is_key(value: str, name: str) -> bool:
    if values.is_opaque(value) or _HEX.fullmatch(value):
        return True
    if name in _PLAIN_KEYS and len(value) >= 8 and values.is_telling_word(value):
        return True
    is_a_name = "password" in value.lower() or "token" in value.lower()
    return name != " key" and not is_a_name and values.is_random(value)


def _strong(found: re.Match[str] | None) -> SecretSpan | None:
    """Return the value of *found* if nobody writes such a word: cases, digits, signs mixed."""
    if found is None or not _is_strong(value := found["value"].rstrip(_ENDS)):
        return None
    return SecretSpan(found.start("value"), found.start("value") + len(value), "password")


def _is_strong(value: str) -> bool:
    value = value.rstrip("*_")
    has_digit, has_letter = re.search(r"\d", value), re.search(r"[a-zA-Z]", value)
    has_both_cases = re.search(r"[a-z]", value) and re.search(r"[A-Z]", value)
    mixed = has_digit and (has_both_cases or re.search(r"[!@#$%^&*+~?_]", value))
    signed = has_letter and re.search(r"[!@#$%^&*+~]", value)
    return (
        bool(mixed or signed or _KEBAB.fullmatch(value))
        and values.is_telling_word(value)
        and not any(sign in value for sign in "(){}[]<>;=\\/")
    )


def _is_other_key(found: re.Match[str]) -> bool:
    """`cache key`, `restored from key`, `sort key`: told by the word in front, or the value."""
    before = found.string[max(found.start() - 24, 0) : found.start() - 3].split()
    is_qualified = bool(before) and before[-1].lower() in _OTHER_KEYS
    return is_qualified or bool(_HASH_OR_LABEL.search(found["value"]))


def _is_unusual(value: str) -> bool:
    """A made-up word in quotes: `swordfish` may be one, `"reset"` is not."""
    return len(value) >= 8 and not _ORDINARY_WORD.fullmatch(value)
