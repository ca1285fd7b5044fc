"""Secrets on command lines, of programs whose options do not say that they take one.

`--password=…` and `--token …` give themselves away; `-p …` of one program is a password and of
the next a port. So there is a table, `commands.toml`: the program, and how it is given a secret.
"""

import functools
import re
import tomllib
from collections.abc import Iterator
from importlib import resources

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text, occurrences

# How a secret is given: as a word, or behind the name of a user.
_QUOTE = r"(?P<quote>\\{0,2}[\"']?)"
_WORD = rf"{_QUOTE}(?P<value>(?<=[\"'])[^\"'\n]{{3,256}}|[^\s\"'`|;&<>]{{3,512}})"
_PAIR = (
    rf"{_QUOTE}(?P<user>[^\s:\"'|;]{{1,80}}):"
    r"(?P<value>(?:(?<=[\"'])[^\"'\n]{3,256}|[^\s\"'`|;<>]{3,512}))"
)
_END_OF_COMMAND = re.compile(r"(?<!\\)\n|&&|\|\||;[ ]")
# Their names begin so: `ldapsearch`, `snmpwalk`, `mongodump`, `mosquitto_pub`.
_FAMILIES = frozenset(
    ("ldap", "snmp", "mongo", "mosquitto", "clickhouse", "ansible", "mysql", "mariadb", "kadmin")
)
_LONGEST_COMMAND = 1_000


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the secrets that programs are given in *source*."""
    text, lower = source.raw, source.lower
    for program, rules in _by_program().items():
        first = program.split()[0]
        if first not in source.words and not (first in _FAMILIES and source.has(first)):
            continue
        for at in occurrences(program, lower):
            if at and (lower[at - 1].isalnum() or lower[at - 1] in "_-."):
                continue
            end = _END_OF_COMMAND.search(text, at, at + _LONGEST_COMMAND)
            stop = end.start() if end else min(len(text), at + _LONGEST_COMMAND)
            for rule in rules:
                for found in rule.finditer(text, at, stop):
                    yield from _given(found)


def _given(found: re.Match[str]) -> Iterator[SecretSpan]:
    value = found["value"]
    begin = found.start("value")
    user = found.groupdict().get("user")
    if user and values.is_random(user):  # Half of a login, as the id of a key is.
        yield SecretSpan(found.start("user"), found.end("user"), "key")
    if value.startswith(("'", '"')):
        value, begin = value[1:], begin + 1
    if (
        len(value) < 4
        or values.is_placeholder(value)
        or value.startswith(("-", "/", "~", "./", "$", "@", "<", "("))
    ):
        return
    if re.match(r"[A-Za-z_]+=|[\w.]+\(", value):
        return
    if re.fullmatch(
        r"\d{1,5}(?::\d{1,5})?(?:/\w+)?|[\w.-]+\.(?:pem|key|txt|json|yml|yaml|env)|stdin|env:\w+|file:\S+",
        value,
    ):
        return
    yield SecretSpan(begin, begin + len(value), "password")


@functools.cache
def _by_program() -> dict[str, list[re.Pattern[str]]]:
    text = resources.files(__package__).joinpath("commands.toml").read_text("utf-8")
    rules: dict[str, list[re.Pattern[str]]] = {}
    for row in tomllib.loads(text)["commands"]:
        given = {"word": _WORD, "pair": _PAIR}.get(row["given"], row["given"])
        pattern = re.compile(rf"(?<=[\s/\\])(?:{row['before']}){given}")
        rules.setdefault(row["program"], []).append(pattern)
    return rules
