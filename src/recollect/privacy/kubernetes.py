"""The values of Kubernetes' Secrets: each of them is one, whatever its name."""

import re
from collections.abc import Iterator

from recollect.privacy import values
from recollect.privacy.spans import SecretSpan, Text

_SECRET = re.compile(r"\bkind: ?[\"']?Secret\b|\"Secret\"")
_DATA = re.compile(r"(?m)^(?P<indent>[ \t+-]{0,12})(?:data|stringData):[ \t]*\n")
_ITEM = re.compile(
    r"(?P<indent>[ \t+-]{1,16})[\w.\-\"']{1,80}:[ \t]*"
    r"[\"']?(?P<value>[^\s\"'|>][^\n\"']*)[\"']?[ \t]*(?:\n|\Z)"
)
_JSON = re.compile(r"\"(?:data|stringData)\"\s?:\s?\{(?P<items>[^{}]{0,8000})\}")
_JSON_ITEM = re.compile(r"\"[\w.-]{1,80}\"\s?:\s?\"(?P<value>[^\"\n]+)\"")
_SHORTEST = 4


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the values of the Secrets in *source*."""
    if "secret" not in source.words or source.words.isdisjoint(("data", "stringdata")):
        return
    if _SECRET.search(source.raw):
        for item in (*_in_yaml(source.raw), *_in_json(source.raw)):
            value = item["value"].rstrip()
            if len(value) >= _SHORTEST and not values.is_placeholder(value):
                begin = item.start("value")
                yield SecretSpan(begin, begin + len(value), "kubernetes-secret")


def _in_yaml(text: str) -> Iterator[re.Match[str]]:
    for data in _DATA.finditer(text):
        at = data.end()
        while (item := _ITEM.match(text, at)) and _is_deeper(item["indent"], data["indent"]):
            yield item
            at = item.end()


def _is_deeper(indent: str, other: str) -> bool:
    return len(indent) > len(other.rstrip("+-"))


def _in_json(text: str) -> Iterator[re.Match[str]]:
    for data in _JSON.finditer(text):
        yield from _JSON_ITEM.finditer(text, data.start("items"), data.end("items"))
