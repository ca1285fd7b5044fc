"""Secrets that only a name gives away: `password=…`, `api_key: …`, `<secret>…</secret>`.

A name and its value may stand in any notation: shell, YAML, JSON, TOML, INI, XML, SQL, code, a
header, an option on a command line, a pair of lines that say `name:` and `value:`. What the name
says of the value is `names`' to decide, and whether it is one `values`'.
"""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.names import Strength, strength
from recollect.privacy.spans import SecretSpan, Text, occurrences

# Every telling name has one of these in it; to look for them first costs a tenth.
HINTS = tuple(
    """
    pass pwd psw pw api_hash apihash dockerconfigjson secret token key cred auth cookie sess sid sig
    salt pepper seed otp dsn psk kennwort contrase senha mnemonic bearer webhook connectionstring
    connection_string bindpw rootpw userpw dbpw adminpw session_id sessionid license licence
    community jwt _pat
    """.split()
)

# What a server's file of settings calls its password; anything may stand behind.
_SETTINGS = ("requirepass", "masterauth")
_NAME_BEFORE = re.compile(r"[\w$.-]{0,64}+")
_NAME_BEHIND = re.compile(r"[\w$-]{0,40}+(?:\.[A-Za-z_][\w-]{0,40}+){0,3}+")
_WORDS_BEFORE = re.compile(
    r"(?i)(?:api|access|secret|private|signing|encryption|master|auth|account|shared|client|admin"
    r"|connection|license|deploy|bearer|refresh|session|storage|service|webhook|personal access"
    r"|secret access)[ ]$"
)

# What may stand between a name and its value.
_SIGN = re.compile(
    r"""
      (?P<close>\\{0,3}["'`]?\[?\]?\\{0,3}["'`]?)  # of a quoted name, of `env["NAME"]`, `pw[]`
      (?:[ \t]*:[ \t]*(?:Optional\[)?                # its type
        (?:str|String|string|\&str|\&'static[ ]str|char\s?\*|&'a[ ]str)\]?(?=\s*=))?
      [ \t]{0,20}
      (?P<sign>=>|:=|\?=|\+=|={2,3}(?=\s?["'])|=(?!=|>)|:(?!:|=)|->)
      [ \t]{0,20}(?:\\?\n[ \t]{1,20}(?=["']))?
      (?:(?:new[ ])?                                # what makes a value of a text
        (?:\[\]byte|[A-Za-z_.]{0,24}?(?:from|fromhex|FromHex|bytes|decode|b64decode|hex|unhexlify
          |SecretStr|Secret|String|str|of|Some|Just|Ok))\((?=["'])
        |\[\s?(?=["'])|(?:b|r|f|u|@|\$|L|N|b64)(?=["'])|![a-z]+[ ](?=["'])
        |[>|][+-]?[ \t]*\n[ \t]+)?
    """,
    re.VERBOSE,
)
_ELEMENT = re.compile(r"(?:\s[^<>\n]{0,80})?>\s{0,40}(?:<Value>|<string>|<!\[CDATA\[)?")
_CALL = re.compile(r"\\{0,3}[\"']?\s?,\s{0,20}(?=\\{0,3}[\"'])|\(\s?(?=\\{0,3}[\"'])")
# Where a call may give a value to the name: `define('NAME', …`, `set :name, …`, not `["name", …`.
_GIVES = re.compile(r"\(\s?(?:\d{1,9}\s?,\s?)?\\{0,3}[\"']$|\s:$")
_ASKS = re.compile(
    r"(?i)(?:get|read|prompt|ask|load|fetch|find|lookup|require|check|is|has|validate|input|verify"
    r"|decrypt|encrypt|hash|compare|translate|t)"
)
# An option, a variable or another name with its value follows, not a value.
_OTHER_WORD = re.compile(r"[-=$]|\w+=")
_OPTION = re.compile(r"[ \t]{1,16}(?=\S)")
_NEXT_LINE = re.compile(r"[ \t]*:?[ \t]*\n[ \t]*(?=(?P<value>\S{8,200})[ \t]*(?:\n|$))")
_ATTRIBUTE = re.compile(r"[\"'][^<>\n]{0,80}>\s{0,4}")
_VALUE_BEFORE = re.compile(
    r"[\"']?value[\"']?\s?:\s?[\"'](?P<value>[^\"'\n]{3,256})[\"']\s?,\s{0,40}[\"']?name[\"']?\s?:\s?[\"']$",
    re.IGNORECASE,
)
_VALUE_FOLLOWS = re.compile(
    r"""(?ix)\\{0,3}["']?\s{0,4}(?:,|;|/?>|\))?(?:\\n|\s|-[ ]){0,40}
    (?:\\{0,3}["']?(?:value|default|content|defaultValue|stringValue|plainValue|secretValue|Value|text|val)\\{0,3}["']?\s?[:=]\s?|\{[^{}]{0,160}?\bdefault\s*=\s*)"""
)
_SQL = re.compile(
    r"(?i)\s{1,4}(?:=\s{0,4})?(?:N)?(?=')|\s{1,4}(?:BY|AS)\s{1,4}(?:PASSWORD\s{1,4})?(?=['\"])"
)
_QUOTED = re.compile(
    r"(?P<quote>\\{0,3}(?:\"\"\"|[\"'`]))(?P<value>[^\n\"'`\\]{3,4096}+|(?:(?!(?P=quote))[^\n\\]|\\(?![\"'nrt]).){3,4096}?)(?=(?P=quote))"
)
_BARE = re.compile(
    r"(?P<value>(?:[^\s\"'`,;&|<>(){}\[\]\\]|&(?![a-z]+=|&)|\\(?![nrt\"'\s])){1,4096}+)(?P<behind>[(\[{]?)"
)
# In `token: db_password=…` it is the second name that has the value.
_OTHER_NAME = re.compile(
    r"[\w.-]{0,24}?(?i:pass(?:word|wd|phrase)?|pwd|secret|token|key)[\w.-]{0,16}[\"']?[:=](?!=)"
)
_LINE = re.compile(r"(?P<value>[^\s\"'`][^\s]{3,200})[ \t]*(?=$|\n|\\n|#)")
_ELEMENT_TEXT = re.compile(r"(?P<value>[^<>\s][^<>\n]{2,400})(?=\]\]>|</)")
_BRACED = re.compile(r"(?P<value>\{[^{}\s\"']{3,128}\})(?=;)")
_PHRASE = re.compile(r"(?P<value>[^\W\d_]\w*(?: \w+){2,11})[ \t]*$", re.MULTILINE)
_APP_PASSWORD = re.compile(r"[\"']?(?P<value>[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})\b")
_OBJECT = re.compile(
    r"\{\s{0,80}[^{}]{0,160}?[\"']?(?:value|default|plaintext|secret)[\"']?\s?[:=]\s?(?=[\"'])"
)
_SEVERAL = re.compile(r"[\"'](?P<value>[^\"'\s]{12,256})[\"']\s?(?=[,}\]])")
_SEVERAL_FOLLOW = re.compile(r"[\"']?\s?[:=]\s?[{\[]\s{0,20}[\"']")
_LONGEST_OBJECT = 600


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the values in *source* that a telling name stands in front of."""
    text, lower = source.raw, source.lower
    places = sorted({at for hint in HINTS if source.has(hint) for at in occurrences(hint, lower)})
    mirrored = lower[::-1] if places else ""
    done = 0
    for at in places:
        if at < done:
            continue
        begin, end = _name_around(text, mirrored, at)
        name = text[begin:end]
        done = end
        if (
            name.endswith("-")
            or text[max(begin - 2, 0) : begin] in ("${", "$(")
            or not (strong := strength(_qualified(text, begin, name)))
        ):
            continue
        several = _SEVERAL_FOLLOW.match(text, end)
        if several and strong is not Strength.OPAQUE:
            yield from _inside(text, several.end())
        if (span := _value_behind(text, begin, end, strong)) is not None:
            yield span
            done = max(done, span.start)


def _inside(text: str, at: int) -> Iterator[SecretSpan]:
    """Yield the values of an object or list of secrets: `"tokens": {"access": …, "refresh": …}`."""
    end = at
    for end in range(at, min(at + _LONGEST_OBJECT * 4, len(text))):
        if text[end] in "}]":
            break
    for found in _SEVERAL.finditer(text, at, end + 1):
        if values.is_key(found["value"], quoted=True, random=True):
            yield SecretSpan(found.start("value"), found.end("value"), "key")


def _name_around(text: str, mirrored: str, at: int) -> tuple[int, int]:
    """Return where the name begins and ends that stands at *at*."""
    before = _NAME_BEFORE.match(mirrored, len(text) - at)
    behind = _NAME_BEHIND.match(text, at)
    assert before, "it may be empty"
    assert behind, "it may be empty"
    begin = at - (before.end() - before.start())
    # The n of a line's end in a quoted text is none of the name.
    if begin and text[begin - 1] == "\\" and text[begin] in "nrt":
        begin += 1
    return begin, behind.end()


def _qualified(text: str, begin: int, name: str) -> str:
    """*name* with the word in front that belongs to it: "Secret access key"."""
    found = _WORDS_BEFORE.search(text, max(0, begin - 24), begin)
    return f"{found[0].replace(' ', '_')}{name}" if found else name


def _value_behind(text: str, begin: int, end: int, strong: Strength) -> SecretSpan | None:
    if sign := _SIGN.match(text, end):
        return _behind_a_sign(text, begin, sign, strong)
    if gap := _VALUE_FOLLOWS.match(text, end):
        return _read(text, gap.end(), strong, is_spoken=False, name=text[begin:end])
    for notation in _NOTATIONS:
        if found := notation(text, begin, end):
            return _taken(found, strong, quoted=True)
    if (gap := _NEXT_LINE.match(text, end)) and _stands_alone(gap["value"], strong):
        return SecretSpan(gap.start("value"), gap.end("value"), _kind(strong))
    return _behind_a_space(text, begin, end, strong)


def _behind_a_sign(
    text: str, begin: int, sign: re.Match[str], strong: Strength
) -> SecretSpan | None:
    name, kind = text[begin : sign.start()], sign["sign"]
    is_joined = sign.end() == sign.start() + 1
    if kind == ":" and (name == "PASS" or (is_joined and _is_in_a_resource_name(text, begin))):
        return None  # What a run of tests prints; `arn:aws:secretsmanager:…:secret:name`.
    if kind in ("==", "==="):
        return _compared(_QUOTED.match(text, sign.end()), strong)
    return _read(text, sign.end(), strong, is_spoken=":" in kind, name=name)


def _in_an_element(text: str, begin: int, end: int) -> re.Match[str] | None:
    """`<password>…</password>`."""
    gap = _ELEMENT.match(text, end) if text[max(begin - 1, 0) : begin] in ("<", ":") else None
    return _ELEMENT_TEXT.match(text, gap.end()) if gap else None


def _in_a_named_element(text: str, begin: int, end: int) -> re.Match[str] | None:
    """`<property name="password">…</property>`."""
    is_named = text[max(begin - 6, 0) : begin].lower() in ('name="', "name='")
    gap = _ATTRIBUTE.match(text, end) if is_named else None
    return _ELEMENT_TEXT.match(text, gap.end()) if gap else None


def _in_a_call(text: str, begin: int, end: int) -> re.Match[str] | None:
    """`define("PASSWORD", "…")`, `.password("…")`."""
    gap = _CALL.match(text, end)
    return _QUOTED.match(text, gap.end()) if gap and _is_given(text, begin, gap) else None


def _in_a_pair(text: str, begin: int, _end: int) -> re.Match[str] | None:
    """`value: "…", name: "PASSWORD"`: the value stands in front."""
    return _VALUE_BEFORE.search(text, max(begin - 300, 0), begin)


def _in_a_statement(text: str, _begin: int, end: int) -> re.Match[str] | None:
    """`ALTER ROLE ada PASSWORD '…'`."""
    gap = _SQL.match(text, end)
    return _QUOTED.match(text, gap.end()) if gap else None


_NOTATIONS = (_in_an_element, _in_a_call, _in_a_named_element, _in_a_pair, _in_a_statement)


def _stands_alone(value: str, strong: Strength) -> bool:
    if any(one in value for one in "=(){}[]<>\"'"):
        return False
    if strong is Strength.PASSWORD:
        return values.is_telling_word(value) and len(value) >= 8
    return strong is Strength.KEY and values.is_random(value)


def _is_in_a_resource_name(text: str, begin: int) -> bool:
    return (
        text[max(begin - 1, 0) : begin] == ":"
        and text.rfind("arn:", max(begin - 120, 0), begin) >= 0
    )


def _is_given(text: str, begin: int, gap: re.Match[str]) -> bool:
    if gap[0].startswith("("):
        # `.password("…")` of a builder and `setPassword("…")` give one; `readPassword("…")` asks.
        return not _ASKS.match(text[begin : gap.start()].rpartition(".")[2])
    return bool(_GIVES.search(text, max(begin - 16, 0), begin))


def _compared(found: re.Match[str] | None, strong: Strength) -> SecretSpan | None:
    """The value that a password is compared with, where it is surely one."""
    if found is None or strong is not Strength.PASSWORD or len(found["value"]) < 8:
        return None
    return _taken(found, strong, quoted=True) if values.is_telling_word(found["value"]) else None


def _behind_a_space(text: str, begin: int, end: int, strong: Strength) -> SecretSpan | None:
    """The value of an option (`--token …`), of a setting (`requirepass …`), of `ENV NAME …`."""
    gap = _OPTION.match(text, end)
    if gap is None:
        return None
    name = text[begin:end]
    if found := _QUOTED.match(text, gap.end()):
        is_option = name.startswith("-") or text[max(begin - 2, 0) : begin].endswith("-")
        is_setting = name.isupper() or (
            strong is Strength.PASSWORD and not text[text.rfind("\n", 0, begin) + 1 : begin].strip()
        )
        return _taken(found, strong if is_option or is_setting else Strength.RANDOM, quoted=True)
    if strong is Strength.PASSWORD and (found := _APP_PASSWORD.match(text, gap.end())):
        return SecretSpan(found.start("value"), found.end("value"), _kind(strong))
    found = _BARE.match(text, gap.end())
    if not found or found["behind"] or _OTHER_WORD.match(found["value"]):
        return None
    value = found["value"].rstrip(".,:;!?")
    if not _is_given_bare(value, strong, name):
        return None
    return SecretSpan(found.start("value"), found.start("value") + len(value), _kind(strong))


def _is_given_bare(value: str, strong: Strength, name: str) -> bool:
    """True if *value* is a secret where only a space stands between it and *name*."""
    if name.startswith("-") or name.isupper():
        return _is_secret(value, strong, quoted=False, is_spoken=False)
    if strong is not Strength.RANDOM and values.is_random(value):
        return True
    return strong is Strength.PASSWORD and (
        values.is_telling_word(value)
        or (name in _SETTINGS and values.is_password(value, quoted=True))
    )


def _read(text: str, at: int, strong: Strength, *, is_spoken: bool, name: str) -> SecretSpan | None:
    """Return the secret that begins at *at*, behind a sign and *name*."""
    if strong is Strength.PASSWORD and (found := _APP_PASSWORD.match(text, at)):
        return SecretSpan(found.start("value"), found.end("value"), _kind(strong))
    if found := _QUOTED.match(text, at):
        return _taken(found, strong, quoted=True, is_spoken=is_spoken)
    if text.startswith("{", at):
        return _taken(_in_braces(text, at), strong, quoted=True)
    if (
        "phrase" in name.lower()
        and (found := _PHRASE.match(text, at))
        and values.is_password(found["value"], quoted=True)
    ):
        return SecretSpan(found.start("value"), found.end("value"), _kind(strong))
    return _bare(text, at, strong, is_spoken=is_spoken, name=name)


def _in_braces(text: str, at: int) -> re.Match[str] | None:
    """The value in `{…};` of ODBC, or in an object that says `value:`."""
    if found := _BRACED.match(text, at):
        return found
    gap = _OBJECT.match(text, at, at + _LONGEST_OBJECT)
    return _QUOTED.match(text, gap.end()) if gap else None


def _bare(text: str, at: int, strong: Strength, *, is_spoken: bool, name: str) -> SecretSpan | None:
    """The secret that stands at *at* without quotes."""
    found = None if _OTHER_NAME.match(text, at) else _BARE.match(text, at)
    if found is None or (found["behind"] and not _may_be_cut(found, is_spoken=is_spoken)):
        return None
    value = found["value"]
    # In a file of settings the whole line is the value, signs and all.
    is_setting = strong is Strength.PASSWORD and _at_line_begin(text, at - len(name))
    whole = _LINE.match(text, at) if is_setting else None
    if whole is None:
        value = value.rstrip(".,:;!?")
    elif len(whole["value"]) > len(value) and _is_setting(whole["value"]):
        value = whole["value"]
    if not _is_secret(value, strong, quoted=False, is_spoken=is_spoken, name=name):
        return None
    return SecretSpan(found.start("value"), found.start("value") + len(value), _kind(strong))


def _may_be_cut(found: re.Match[str], *, is_spoken: bool) -> bool:
    """True where a bracket behind the value does not make code of it: `password: Abc1[…`."""
    return is_spoken and found["behind"] != "(" and values.is_telling_word(found["value"])


def _at_line_begin(text: str, about: int) -> bool:
    begin = text.rfind("\n", 0, max(about, 0)) + 1
    return not text[begin : max(about - 3, begin)].strip(" \t-+>#$exportSET")


def _is_setting(value: str) -> bool:
    return not any(one in value for one in "(){}<>\"'`$") and values.is_telling_word(value)


def _taken(
    found: re.Match[str] | None, strong: Strength, *, quoted: bool, is_spoken: bool = False
) -> SecretSpan | None:
    if found is None or not _is_secret(found["value"], strong, quoted=quoted, is_spoken=is_spoken):
        return None
    return SecretSpan(found.start("value"), found.end("value"), _kind(strong))


def _is_secret(
    value: str, strong: Strength, *, quoted: bool, is_spoken: bool, name: str = ""
) -> bool:
    if strong is Strength.PASSWORD:
        return values.is_password(value, quoted=quoted, spoken_sign=is_spoken) or (
            name.isupper()
            and not is_spoken
            and not values.is_code(value)
            and values.is_password(value, quoted=True)
        )
    if strong is Strength.KEY and name.isupper() and not is_spoken:
        return values.is_key(value, quoted=True) and not values.is_code(value)
    if strong is Strength.OPAQUE:
        return values.is_key(value, quoted=quoted) and values.is_opaque(value)
    if strong is Strength.PADDED and not value.endswith("="):
        return False
    return values.is_key(value, quoted=quoted, random=strong in (Strength.RANDOM, Strength.PADDED))


def _kind(strong: Strength) -> str:
    return "password" if strong is Strength.PASSWORD else "key"
