"""Secrets that somebody gives away in a sentence: "the password is …", "log in as ann / …"."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.spans import Span, Text, occurrences

_NAMES = (
    "password", "passwd", "passphrase", "passcode", "pwd", " pw", " pass", "api key", "apikey", "api-key", "secret", "token", "credential",
    "creds", "login", "log in", "logged in", "log on", "sign in", " pin", " key", "passwort", "kennwort", "mot de passe", "contraseña", "contrasena",
    "clave", "mdp", "hasło", "heslo", "lozinka", "jelszó", "parola", "şifre", "salasana", "adgangskode", "passord", "paßwort", "lösenord", "lösenordet", "clé", "apiキー", "密码", "密碼", "口令", "密钥", "パスワード", "暗証番号", "비밀번호", "암호", "пароль", "schlüssel", "jeton", "senha", "wachtwoord", "wifi", "wi-fi",
)  # fmt: skip
_JOINT = re.compile(
    r"""(?ix)
    (?P<between>(?:[ ]?[(（][^()（）\n]{0,60}[)）])?(?:,?[ ][^\s.:=!?"`「“„]{1,24}){0,9}?)   # "for the staging database"
    (?:[ ]?(?::|=|->|→|➜|：|–|—|是|为|為|は|が|은|는|이|가|=>
        |(?:is[ ]now|is[ ]still|is|was|are|will[ ]be|should[ ]be|must[ ]be|to|ist|lautet|lautete|est|était|es|era|é|it's|c'est|är|became|called)(?!\w))
       (?:[ ]?(?:now|still|currently|just|simply|literally|actually|set[ ]to|changed[ ]to|jetzt|weiterhin|maintenant|désormais|ahora|:)(?!\w))*
    |(?<=[a-z])[ ](?=[`"'“‘]))
    [ ]{0,3}(?:(?<=[:：])[ ]?\n[ ]{0,8})?
    (?P<quote>[`"'“‘„«「]{0,3})
    (?P<value>[^\s`"'“”‘’„«»「」，。、（）\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{3,200})
    (?P<close>[`"'”’»」]?)
    """
)
_SPACED = re.compile(r"[`\"“„「](?P<value>[^`\"“”「」\n]{8,80})[`\"”“」]")
_REVERSED = re.compile(
    r"""(?ix)(?P<quote>[`"'“]?)(?P<value>[^\s`"'“”]{5,120})(?P<close>[`"'”]?),?[ ]
    (?:as|is|was|for|=|being|als|comme|como)[ ](?:the|our|my|your|its|a|new|das|le|la|el|ein)?[ ]?(?:[\w-]{1,20}[ ]){0,4}$"""
)
_JOINED_BEFORE = re.compile(r"(?i)[ ](?:as|is|was|for|=|being|als|comme|como)[ ]")
_LOGIN = re.compile(
    r"""(?ix)(?:[^\n]{0,60}?[\s:(]|)(?:user(?:name)?|account|login|as|with|are|is|:|=)?[ ]{0,2}[`"'“]?(?P<user>[\w.@+-]{2,60})[`"'”]?\s?(?:/|\||:|,[ ]?(?:pass(?:word)?|pw|pwd)[ :]{1,2}|[ ](?:and|with|und)[ ](?:pass(?:word)?|pw)?[ ]?)\s?
    [`"'“]?(?P<value>[^\s`"'“”,)]{5,64})[`"'”]?"""
)
_SURE = (
    "hasło",
    "heslo",
    "lozinka",
    "jelszó",
    "parola",
    "şifre",
    "salasana",
    "adgangskode",
    "passord",
    "paßwort",
    "lösenord",
    "lösenordet",
    "clave",
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    " pw",
    "passwort",
    "kennwort",
    "mot de passe",
    "mdp",
    "contraseña",
    "contrasena",
    "hasło",
    "heslo",
    "lozinka",
    "jelszó",
    "parola",
    "şifre",
    "salasana",
    "adgangskode",
    "passord",
    "paßwort",
    "lösenord",
    "lösenordet",
    "clé",
    "apiキー",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "пароль",
    "senha",
    "wachtwoord",
    "암호",
)
_PIN = re.compile(
    r"(?:(?:\s(?:code|number|(?:for|für|pour|para) [^\n.]{1,40}?))?\s(?:is|was|ist|lautet|est|es|:|=)|:)?\s(?P<value>\d{4,8})\b(?![.,:]\d)"
)
_LOGINS = ("credential", "creds", "login", "log in", "logged in", "log on", "sign in")
_NEXT = re.compile(r"[ ][`\"'“]?(?P<value>[^\s`\"'“”]{6,120})")
_PASS = re.compile(r"(?:[ ]is(?:[ ]now)?|:)?[ ][`\"'“]?(?P<value>[^\s`\"'“”]{6,120})")
# "… set it for now to Bocian#Leci12": a word that has signs in it is nothing else.
_LATER = re.compile(
    r"(?:[ ][^\s.:=!?\"`'#@$%^&*+~<>(){}\[\]\d/\\]{1,20}){1,7}[ ](?P<value>(?=[^\s]*[a-zA-Z])[^\s\"'`@/\\]{3,40}[!#$%^&*+~][^\s\"'`/\\@]{1,40})"
)
_AFTER_USER = re.compile(
    r"(?i)\b(?:user(?:name)?|login|account)\b[ :=]{1,3}[`\"'“][^\s`\"'”]{1,40}[`\"'”],?[ ](?:and[ ])?(?:pw|pass(?:word)?|pwd)[ :=]{1,3}[`\"'“](?P<value>[^`\"'”\n]{4,64})[`\"'”]"
)
_WORDY = re.compile(r"[a-z]+(?:-[a-z]+){3,}")
_LONGEST = 320


def find(source: Text) -> Iterator[Span]:
    """Yield what sentences of *text* give away."""
    text, lower = source.raw, source.lower
    for name in _NAMES:
        if source.has(name.strip().split()[0]):
            for at in occurrences(name, lower):
                yield from _given_away(text, lower, name, at)


def _given_away(text: str, lower: str, name: str, at: int) -> Iterator[Span]:
    end = at + len(name)
    if (
        name[0] != " "
        and at
        and (lower[at - 1] in ":/.-_$\\<" or (lower[at - 1].isascii() and lower[at - 1].isalnum()))
    ):
        return
    if (
        name.strip().isascii()
        and end < len(lower)
        and lower[end].isascii()
        and lower[end].isalpha()
        and lower[end] != "s"
    ):
        return
    end += lower.startswith("s", end) and name.isascii()
    if name == " pin" and (found := _PIN.match(text, end)):
        yield Span(found.start("value"), found.end("value"), "pin")
        return
    if name == " pass":
        found = _PASS.match(text, end)
        if found and _is_strong(found["value"]):
            value = found["value"].rstrip(".,:;!?)")
            yield Span(found.start("value"), found.start("value") + len(value), "password")
        return
    if (found := _JOINT.match(text, end, end + _LONGEST)) and (span := _telling(found, name)):
        yield span
    elif (
        name in _SURE
        and (found := _NEXT.match(text, end) or _LATER.match(text, end))
        and _is_strong(found["value"])
    ):
        value = found["value"].rstrip(".,:;!?)")
        yield Span(found.start("value"), found.start("value") + len(value), "password")
    elif (
        name in _SURE
        and (found := _AFTER_USER.search(text, max(at - 80, 0), min(end + 80, len(text))))
        and values.is_password(found["value"], quoted=True)
    ):
        yield Span(found.start("value"), found.end("value"), "password")
    elif (
        name in _LOGINS
        and text[end : end + 1] in " :("
        and (found := _LOGIN.match(text, end, _line_end(text, end)))
        and _is_strong(found["value"])
    ):
        value = found["value"].rstrip(".,:;!?)")
        yield Span(found.start("value"), found.start("value") + len(value), "password")
    elif _JOINED_BEFORE.search(text, max(at - 60, 0), at + 1) and (
        found := _REVERSED.search(text, max(at - 160, 0), at + (name[0] == " "))
    ):
        value = found["value"].rstrip(".,:;!?")
        quoted = bool(found["quote"] and found["close"])
        if values.is_telling_word(value) or (
            quoted
            and name in _SURE
            and values.is_password(value, quoted=True)
            and _is_unusual(value)
        ):
            yield Span(found.start("value"), found.start("value") + len(value), "password")


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at, at + _LONGEST)
    return end if end >= 0 else min(len(text), at + _LONGEST)


def _telling(found: re.Match[str], name: str) -> Span | None:
    value = found["value"] if found["close"] else found["value"].rstrip(".,:;!?)")
    quoted = bool(found["quote"] and found["close"])
    if (not value.isascii() and _HAS_CJK.search(value)) or (
        not found["close"] and any(one in value for one in "(){}[]<>;\\")
    ):
        return None
    if (
        _SETTING.match(value)
        or (not quoted and _CODE.match(value))
        or (name == " key" and _is_other_key(found))
    ):
        return None
    value = value.rstrip(")") if value.count(")") > value.count("(") else value
    sure = name in _SURE
    begin = found.start("value")
    if quoted and sure:
        likely = values.is_password(value, quoted=True) and (
            values.is_telling_word(value) or _is_unusual(value)
        )
    elif sure:
        likely = (
            values.is_telling_word(value)
            or bool(_WORDY.fullmatch(value))
            or (
                value.isdigit() and 6 <= len(value) <= 12 and not found["between"].strip().isdigit()
            )
        )
    elif name in _LOGINS or (not quoted and values.is_code(value)):
        return None
    else:
        likely = (
            values.is_opaque(value)
            or bool(_HEX.fullmatch(value))
            or (
                name != " key"
                and values.is_random(value)
                and not re.search(r"(?i)password|token", value)
            )
        ) or (
            values.is_telling_word(value)
            and len(value) >= 8
            and name in ("secret", "api key", "apikey", "api-key", "wifi", "wi-fi")
        )
    if likely:
        return Span(begin, begin + len(value), "password" if sure else "key")
    return None


def _is_strong(value: str) -> bool:
    """A word that nobody writes: letters of both cases or signs, and digits among them."""
    value = value.rstrip(".,:;!?)*_")
    mixed = re.search(r"\d", value) and (
        (re.search(r"[a-z]", value) and re.search(r"[A-Z]", value))
        or re.search(r"[!@#$%^&*+~?_]", value)
    )
    signed = re.search(r"[a-zA-Z]", value) and re.search(r"[!@#$%^&*+~]", value)
    kebab = re.fullmatch(r"[a-z]+(?:-[a-z]+)+-\d+", value)
    return (
        bool(mixed or signed or kebab)
        and values.is_telling_word(value)
        and not any(one in value for one in "(){}[]<>;=\\/")
    )


def _is_other_key(found: re.Match[str]) -> bool:
    """`cache key`, `restored from key`, `sort key`: told by the word in front."""
    before = (
        found.string[max(found.start() - 24, 0) : found.start() - 3]
        .rstrip()
        .rsplit(" ", 1)[-1]
        .lower()
    )
    return before in _OTHER_KEYS or bool(
        re.search(r"[0-9a-f]{40}|^\w+(?:-\w+){3,}", found["value"])
    )


_OTHER_KEYS = frozenset(
    "cache from sort primary foreign public partition row host hash object s3 registry lookup".split()
)
_HEX = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HAS_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_CODE = re.compile(
    r"(?:process|os|self|this|config|settings|env|secrets|vars|options|props|ctx|req|args|params)\.|[a-z_]+\("
)
_SETTING = re.compile(r"\w+=")


def _is_unusual(value: str) -> bool:
    """A made-up word in quotes: `swordfish` may be one, `"reset"` is not."""
    return len(value) >= 8 and not re.fullmatch(r"[a-z]+(?:[-_][a-z]+)?|[A-Z][a-z]+|[A-Z_]+", value)
