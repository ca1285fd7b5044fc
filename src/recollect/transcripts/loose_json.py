"""JSON as hosts really write it: glued together, cut off, with halves of characters.

Strings come back as text that every file and database can hold: half of a surrogate pair (a
host that counts in UTF-16 cuts through an emoji) and the NUL character are mended.
"""

import json
import re
from collections.abc import Iterator

Object = dict[str, object]

_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[\s,:]*+")
_UNHOLDABLE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


def objects(raw: bytes) -> Iterator[Object]:
    """Each JSON object in *raw*, which is one unless a newline was lost.

    Raises ValueError where *raw* goes on with something else.
    """
    text = raw.decode("utf-8", errors="replace")
    mend = _UNHOLDABLE.search(raw) is not None
    at = _after_space(text, 0)
    while at < len(text):
        value, at = _value(text, at)
        at = _after_space(text, at)
        if not isinstance(value, dict):
            raise ValueError("not a JSON object")
        yield _mended(value) if mend else value


def beginning(raw: bytes) -> Object:
    """The fields of a JSON object that are whole in *raw*, its beginning.

    Raises ValueError if they are nested too deeply.

    >>> beginning(b'{"session_id": "s1", "tool_input": {"command": "ls')
    {'session_id': 's1'}
    """
    text = raw.decode("utf-8", errors="ignore")
    found: Object = {}
    at = _after_space(text, text.find("{") + 1)
    while at < len(text):
        try:
            key, at = _value(text, at)
            value, at = _value(text, _after_space(text, at))
        except ValueError:
            break
        if at == len(text):  # A number may go on behind the cut.
            break
        found[str(key)] = value
        at = _after_space(text, at)
    return _mended(found)


def text_of(record: Object, key: str) -> str:
    """The string under *key*; empty if there is none."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def object_of(record: Object, key: str) -> Object:
    """The object under *key*; empty if there is none."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def list_of(record: Object, key: str) -> list[object]:
    """The list under *key*; empty if there is none."""
    value = record.get(key)
    return value if isinstance(value, list) else []


def count_of(record: Object, key: str) -> int:
    """The number under *key*, if it counts something; else 0."""
    value = record.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def _value(text: str, at: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()


def _mended(record: Object) -> Object:
    try:
        return {_mend_text(key): _mend(value) for key, value in record.items()}
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error


def _mend(value: object) -> object:
    if isinstance(value, str):
        return _mend_text(value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {_mend_text(key): _mend(item) for key, item in value.items()}
    return value


def _mend_text(text: str) -> str:
    whole = text.encode("utf-16-le", errors="surrogatepass").decode("utf-16-le", errors="replace")
    return whole.replace("\0", "")
