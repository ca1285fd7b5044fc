"""What a value is that stands behind a telling name: a secret, code, a placeholder or a word."""

import math
import re
import tomllib
from collections import Counter
from importlib import resources

_WORDS = tomllib.loads(resources.files(__package__).joinpath("values.toml").read_text("utf-8"))
_ORDINARY = frozenset(_WORDS["ordinary"])
_SEQUENCES = frozenset(_WORDS["sequences"])
_PUBLISHED = frozenset(key.replace("¦", "") for key in _WORDS["published"])
_PUBLISHED_PARTS = tuple(part.replace("¦", "") for part in _WORDS["published_parts"])
_SPOKEN = re.compile(rf"(?i)\b(?:{'|'.join(_WORDS['spoken'])})\b")

# How a value begins that is filled in later or by somebody else, or is no secret by its form.
_PLACEHOLDER = re.compile(
    r"""
      \$[A-Za-z_{(\[](?!pr1\$) | \$$ | [<*] | %[A-Za-z_({] | \{\{ | \#\{        # ${TOKEN}, <token>
    | \{(?!S?SHA|PBKDF2|CRYPT|MD5)[A-Za-z_][\w.]*\}                           # {token}
    | \[(?:secret|redacted)[:\]] | \[[A-Za-z _*-]{1,20}\]$                    # [secret:key]
    | \.{3} | … | @[A-Za-z]+@$ | @[A-Za-z.]+\( | __\w+__$ | &[a-z]+;
    | kms: | AQICAH | ENC\[ | \{[A-Za-z0-9+/]{10,}=+\}$                       # encrypted
    | Ag[A-D][A-Za-z0-9+/]{120,} | !(?:vault|secret|Ref|Sub|GetAtt|env|ENV|file)\b | ![A-Za-z]+$
    | (?:SHA\d*|MD5|sha\d+)[:-] | arn:                                        # digests, names
    | ssh- | AAAA[BCE]3?[A-Za-z0-9+/]{20,}                                    # public keys
    | pk\.eyJ | pk_(?:live|test)_ | age1[a-z0-9]{40}
    | (?:AC|SM|MM|CA|PN|MG|WK|KS|VA|ZS|IS)[0-9a-f]{32}$                       # an id of Twilio
    | [A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){2,3}$                                   # a number of a part
    | (?i:x{4,} | y{5,} | z{5,} | 0{6,}$ | \*{3,} | [-_.•●]+$)
    """,
    re.VERBOSE,
)
_PLACEHOLDER_WITHIN = re.compile(
    r"""
      (?i:
        example | placeholder | redacted | todo | fixme | \bdummy\b
      | change[-_ ]?(?:me|this|it)(?![-\w]) | replace[-_ ]?(?:me|this|with) | insert[-_ ]
      | (?<![a-z])your[-_ ] | fill[-_ ]?(?:in|me) | goes[-_ ]here | _here\b | -here\b
      | <[a-z_ -]+> | x{5,} | \*{4,} | •{3,}
      | ^my[-_](?:super[-_])?(?:secret|password|token|key|api)
      | ^(?:some|any|the|a|fake|test|sample|mock|invalid|wrong|bad)[-_]
          (?:\w+[-_])?(?:secret|password|token|key|pass|value|api)
      | ^not[-_](?:a|the|my)[-_] | ^(?:votre|ihr|dein|mein|mon|tu|su|mi|seu|sua)[-_]
      | ^(?:super[-_])?secret[-_](?:key|token|value)$
      | ^(?:secret|password|token|api|key|pass|apikey)[-_]?\d{0,4}$
      )
    | \$\{ | \{\{ | \}\} | \$\([a-z]+[ )] | %\(\w | <% | \$[A-Z_]{3,} | \.{3}$ | …$
    | \{(?!S?SHA|PBKDF2|CRYPT|MD5)[a-zA-Z_][\w.]*\}
    """,
    re.VERBOSE,
)
_PATH = re.compile(
    r"(?:~|\.{0,2})/[\w.@-]*(?:/|$|\.)|[A-Za-z]:\\|[A-Za-z][A-Za-z0-9+.-]*://"
    r"|(?:[\w.-]+/){2,}[\w.-]+$|/[\w.-]+/"
)
# "api_key", "authToken", "user.password": in quotes, a name like the one in front of it.
_NAME_OF_SECRET = re.compile(
    r"(?i)(?=.*(?:password|passwort|secret|token|key|credential|auth))[a-z]+(?:[_.-][a-z]+)*"
)
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_DIGITS_OF_NAMES = re.compile(
    r"(?i)(?:base|sha|md|u?int|float|utf|x|arm|amd|rfc|oauth|http|s|ec|k|v|id|step|test|case|page"
    r"|part|item|user|node|host)_?\d+|\d+$(?<=[_a-z]\d)(?<![a-z]{6}\d)"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_FILE = re.compile(
    r"\.env[\w.]*|[\w./~-]+\.(?:pem|key|crt|cer|pub|json|ya?ml|toml|txt|env|ini|conf|cfg|py|js|ts"
    r"|go|rs|rb|java|kt|cs|php|sh|p12|pfx|jks|md|html|xml|properties|gpg|asc)"
)
_NAMES_OF_CODE = tuple(
    map(
        re.compile,
        (
            # settings.secret, next_token_v2, API_TOKEN_V2
            r"[A-Za-z_$]++\d{0,3}(?:(?:[!?]?\.|::|->)[A-Za-z_$]++\d{0,3})++\(?",
            r"_*+[a-z]++\d{0,3}(?:_++(?:[a-z]++\d{0,3}|\d{1,3}))++",
            r"_*+[A-Z]++\d{0,3}(?:_++(?:[A-Z]++\d{0,3}|\d{1,3}))++",
            # Base64String, nextToken2, next-token
            r"[A-Z][a-z]++(?:\d{0,2}[A-Z]{1,6}+[a-z]{2,}+)*+(?:[A-Z]{1,6})?+\d{0,2}",
            r"(?=[a-z\d]*[A-Z])[a-z]{2,}+(?:\d{0,2}[A-Z]{1,6}+[a-z]{2,}+)*+"
            r"(?:[A-Z]{1,6})?+\d{0,2}",
            r"[a-z]++(?:-[a-z]++)++",
        ),
    )
)
_WORDS_OF_A_PASSPHRASE = re.compile(r"(?=.*[A-Z])[^\W\d_]+(?:-[^\W\d_]+){2,}")
_NUMBERED_WORD = re.compile(r"[A-Za-z]++\d{0,3}|\d++")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]{16,}")
_MEASURE = re.compile(r"[<>~]?\d+(?:[.,:/-]\d+)*(?:[a-zA-Z%]{1,5})?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.+=-]*")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?")
_LETTER, _DIGIT, _SIGN = re.compile(r"[^\W\d_]"), re.compile(r"\d"), re.compile(r"[!@#$%^&*+~?=|;]")
_SIGNS = re.compile(r"[^\w\s]")
_LONG, _MANY_SIGNS = 32, 10
# As much of a value tells what it is.
LONGEST = 256


def is_placeholder(value: str) -> bool:
    """Tell whether *value* is to be filled in, was taken out, or stands in documentation."""
    value = value[:LONGEST]
    if len(value) > _LONG and len(set(_SIGNS.findall(value))) >= _MANY_SIGNS:
        return False  # No template has so many different signs: a salt of a configuration.
    if value in _PUBLISHED or any(part in value for part in _PUBLISHED_PARTS):
        return True
    return bool(
        _PLACEHOLDER.match(value)
        or _PLACEHOLDER_WITHIN.search(value)
        or len(set(value)) <= 2
        or value.lower() in _SEQUENCES
    )


def is_password(value: str, *, quoted: bool, spoken_sign: bool = False) -> bool:
    """Tell whether *value* is a password where a name says that one stands here.

    *quoted*: it stood in quotes, so it may be a plain word. *spoken_sign*: behind a colon, where
    people are spoken to as well, so a sentence is none.

    >>> is_password("hunter2", quoted=False), is_password("swordfish", quoted=True)
    (True, True)
    >>> is_password("getpass", quoted=False), is_password("must be longer", quoted=True)
    (False, False)
    """
    value = (value if quoted else value.rstrip(".:?,;)"))[:LONGEST]
    if len(value) < 4 or is_placeholder(value) or _is_ordinary(value):
        return False
    if " " in value.strip():
        return quoted and _is_passphrase(value, spoken=spoken_sign)
    if _is_file_or_code(value, quoted=quoted):
        return False
    if quoted or _is_mixed(value) or _WORDS_OF_A_PASSPHRASE.fullmatch(value):
        return not (quoted and value.endswith((":", "?", "…")) and value[:-1].isalpha())
    return bool(value.isdigit() and len(value) >= 6)


def _is_file_or_code(value: str, *, quoted: bool) -> bool:
    if _PATH.match(value) or _FILE.fullmatch(value):
        return True
    if _is_name_of_code(value, quoted=quoted) and not _has_own_digits(value):
        return True
    return bool(not quoted and (_VERSION.fullmatch(value) or _DATE.fullmatch(value)))


def is_key(value: str, *, quoted: bool, random: bool = False) -> bool:
    """Tell whether *value* is a key or token where a name says that one may stand here.

    With *random* only what looks random is one: the name alone does not say enough.

    >>> is_key("a1b2c3d4e5f6", quoted=False), is_key("token2", quoted=False)
    (True, False)
    """
    value = (value if quoted else value.rstrip(".:?,;)"))[:LONGEST]
    if len(value) < 6 or is_placeholder(value) or _is_ordinary(value) or " " in value:
        return False
    if (
        _PATH.match(value)
        or _FILE.fullmatch(value)
        or _is_name_of_code(value, quoted=quoted and not random)
    ):
        return False
    if _MEASURE.fullmatch(value) or _VERSION.fullmatch(value) or _DATE.fullmatch(value):
        return value.isdigit() and len(value) >= 12 and not random
    if random:
        return is_random(value)
    if quoted:
        return not _NUMBERED_WORD.fullmatch(value) or value.isalpha() or len(value) > 12
    return (
        any(one.isdigit() for one in value) and not _NUMBERED_WORD.fullmatch(value)
    ) or is_random(value)


def is_random(value: str) -> bool:
    """Tell whether *value* looks as if nobody had made it up: long, mixed, without words.

    >>> is_random("k3J9dLq0ZpX7vB2m"), is_random("internationalization-of-dates")
    (True, False)
    """
    value = value.strip("=")[:LONGEST]
    if len(value) < 12:
        return False
    if _HEX.fullmatch(value) or _UUID.fullmatch(value):
        return True
    digits = sum(one.isdigit() for one in value)
    upper = sum(one.isupper() for one in value)
    lower = sum(one.islower() for one in value)
    if not digits and not (upper > 2 and lower > 2):
        return False
    return (
        entropy(value) >= (3.0 if len(value) < 20 else 3.4)
        and digits + min(upper, lower) >= len(value) // 8
    )


def is_opaque(value: str) -> bool:
    """Tell whether *value* is long and mixes cases and digits, as only keys do.

    >>> is_opaque("S9NAJxaiJk4b0cx4ZIDtWgycW3GiLk1n"), is_opaque("build-2025-linux-x64-release")
    (True, False)
    """
    mixed = all(re.search(one, value) for one in ("[a-z]", "[A-Z]", "[0-9]"))
    letters = re.fullmatch(r"(?=[a-z]*\d)(?=[0-9a-f]*[g-z])[a-z0-9]{26,}", value)
    return (
        len(value) >= 24
        and bool(mixed or letters)
        and not re.search(r"[-_./:].*[-_./:]", value)
        and is_random(value)
    )


def is_code(value: str) -> bool:
    """Tell whether *value*, outside quotes, is a piece of code or a path."""
    plain = value.isalpha() and (value.islower() or value.isupper())
    return not plain and bool(
        _PATH.match(value) or _FILE.fullmatch(value) or _is_name_of_code(value, quoted=False)
    )


def entropy(value: str) -> float:
    """Return how many bits a letter of *value* tells, by how often each occurs in it."""
    whole = len(value)
    return -sum(n / whole * math.log2(n / whole) for n in Counter(value).values())


def is_telling_word(value: str) -> bool:
    """Tell whether *value* is no word of a language: it has digits or signs among its letters.

    >>> is_telling_word("Tr0ub4dor&3"), is_telling_word("2024-01-05"), is_telling_word("reset")
    (True, False, False)
    """
    value = value.rstrip(".:?,;)")[:LONGEST]
    if len(value) < 5 or is_placeholder(value) or _is_ordinary(value) or _EMAIL.fullmatch(value):
        return False
    if (
        _PATH.match(value)
        or _FILE.fullmatch(value)
        or _MEASURE.fullmatch(value)
        or _VERSION.fullmatch(value)
    ):
        return False
    if _DATE.fullmatch(value) or (
        _is_name_of_code(value, quoted=False) and not _has_own_digits(value)
    ):
        return False
    return _is_mixed(value)


def _has_own_digits(value: str) -> bool:
    """True for `Umzugskarton9`; the digits of `Base64String` and `sha256_hex` belong to a name."""
    return (
        len(value) >= 7 and value.isalnum() and bool(_DIGIT.search(_DIGITS_OF_NAMES.sub("", value)))
    )


def _is_ordinary(value: str) -> bool:
    return bool(
        value.lower() in _ORDINARY or _NAME_OF_SECRET.fullmatch(value) or _CJK.search(value)
    )


def _is_mixed(value: str) -> bool:
    letters, digits = _LETTER.search(value), _DIGIT.search(value)
    signs = _SIGN.search(value.rstrip("!?"))
    return bool((letters and (digits or signs)) or (digits and signs))


def _is_passphrase(value: str, *, spoken: bool) -> bool:
    words = value.split()
    if not spoken:
        return len(_SPOKEN.findall(value)) < 2
    return len(words) >= 3 and not _SPOKEN.search(value) and value[-1] not in ".!?:…"


def _is_name_of_code(value: str, *, quoted: bool) -> bool:
    if quoted:  # In quotes a word is a word, unless it names a setting: `"DB_PASSWORD"`.
        return bool(re.fullmatch(r"[A-Z]+(?:_[A-Z0-9]+)+", value))
    if value[-1:] in "([{" or value.endswith("()"):
        return True
    return any(shape.fullmatch(value) for shape in _NAMES_OF_CODE)
