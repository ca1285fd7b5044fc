"""Secrets that only their name gives away: `password=…`, `api_key: …`, `SECRET_TOKEN=…`.

A quoted word behind such a name is taken for the secret. A bare word may as well be code
(`token = self.next_token`, `password: str`), so it has to look like a value.
"""

import re

MARK = "[redacted:assignment]"

# The name may have anything in front (`DB_PASSWORD`, `clientSecret`) and nothing behind:
# `token_count` and `passwords` hold no secret.
_NAME = (
    r"(?i:password|passwd|passphrase|(?<=[_-])pwd"
    r"|secret|token|(?:api|access|private|secret|signing|encryption)[_-]?key)"
)
_SIGN = r"\\{0,3}[\"']?[ \t]{0,8}(?:=>|:=|=|:)(?!=)[ \t]{0,8}"
_QUOTED = r"(?P<quote>\\{0,3}[\"'`])(?P<quoted>[^\n\"'`\\]{6,}+)(?=\\{0,3}[\"'`])"
_BARE = r"(?P<bare>[^\s\"'`,;&|<>(){}\[\]\\]{6,}+)(?![(\[{])"
# In `token: db_password=…` it is the second name that has the value.
_NO_OTHER_NAME = rf"(?![\w.-]{{0,20}}{_NAME}{_SIGN})"
# Where a name may begin, in lower case: to look for that first costs a tenth.
_BEGINNING = re.compile(
    r"p(?=ass[wp]|wd|rivate)|s(?=ecret|igning)|t(?=oken)|a(?=pi|ccess)|e(?=ncryption)"
)
_ASSIGNMENT = re.compile(
    rf"(?P<name>{_NAME})(?P<sign>{_SIGN}){_NO_OTHER_NAME}(?:{_QUOTED}|{_BARE})"
)

# Filled in later, or by somebody else: `${TOKEN}`, `{{ token }}`, `<token>`, `%s`, `***`.
_PLACEHOLDER = re.compile(
    r"[$<%*]|\[redacted:|x{4,}|\.{3}|(?i:your)[ _-]|![A-Za-z]+$|[^{]*\{[^}]*\}"
)
_ORDINARY = re.compile(
    r"(?i:bearer|boolean|changeme|example|hidden|integer|number|object|optional|passphrase"
    r"|password|redacted|required|secret|string|undefined|unknown)"
)

_PATH = re.compile(r"(?:~|\.{0,2})/|[A-Za-z]+://")
_NAMES_OF_CODE = (
    re.compile(r"[A-Za-z_$]++\d{0,3}(?:[?!]?\.[A-Za-z_$]++\d{0,3})++"),  # settings.secret
    re.compile(r"_*+[a-z]++\d{0,3}(?:_++(?:[a-z]++\d{0,3}|\d{1,3}))++"),  # next_token_v2
    re.compile(r"[A-Z][a-z]++(?:\d{0,3}[A-Z][a-z]++)*+\d{0,3}"),  # Base64String
)
_NUMBERED_WORD = re.compile(r"[A-Za-z]++\d{0,3}|\d++")


def redact(text: str) -> str:
    """Return *text* with the values of secret-sounding names replaced.

    >>> redact("password=hunter2 api_key: 'k-123456'")
    "password=[redacted:assignment] api_key: '[redacted:assignment]'"
    >>> redact('token: str; api_key=os.environ["X"]')
    'token: str; api_key=os.environ["X"]'
    """
    lowered = text.lower()
    if len(lowered) != len(text) or "ſ" in text or "ı" in text:
        # A pattern takes these for an s and an i, and a few letters become two in lower case.
        return _ASSIGNMENT.sub(_replacement, text)
    pieces = []
    done = 0
    for name in _BEGINNING.finditer(lowered):
        at = name.start()
        if at >= done and (found := _ASSIGNMENT.match(text, at)):
            pieces += [text[done:at], _replacement(found)]
            done = found.end()
    return "".join((*pieces, text[done:]))


def _replacement(found: re.Match[str]) -> str:
    if found["quoted"]:
        secret = _is_quoted_secret(found["quoted"], sign=found["sign"])
    else:
        secret = _is_bare_secret(found["bare"], found["name"], sign=found["sign"])
    return f"{found['name']}{found['sign']}{found['quote'] or ''}{MARK}" if secret else found[0]


def _is_quoted_secret(value: str, *, sign: str) -> bool:
    """True unless *value* is filled in elsewhere, or is a sentence to be shown to people."""
    is_sentence = " " in value and sign != "="
    return not is_sentence and not _is_placeholder(value)


def _is_bare_secret(value: str, name: str, *, sign: str) -> bool:
    """True if *value* is a literal and not a piece of code."""
    value = value.rstrip(".:?!")
    if _is_placeholder(value) or _PATH.match(value) or _is_name_of_code(value):
        return False
    is_password = name.lower().startswith("pass") or name.lower() == "pwd"
    if _NUMBERED_WORD.fullmatch(value):
        # `password=hunter2` and `API_TOKEN=opensesame`, but not `token=token2` or `secret: 4096`.
        return (is_password and not value.isalpha()) or (name.isupper() and sign == "=")
    has_digit = any(character.isdigit() for character in value)
    return has_digit or (is_password and any(mark in value for mark in "!@#$%^*+~"))


def _is_placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.match(value) or _ORDINARY.fullmatch(value))


def _is_name_of_code(value: str) -> bool:
    return any(shape.fullmatch(value) for shape in _NAMES_OF_CODE)
