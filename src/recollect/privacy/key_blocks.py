"""Private keys, whole or cut: their first line, their last, or some of the middle are left."""

import re
from collections.abc import Iterator

from recollect.privacy.spans import SecretSpan, Text, occurrences

_WHAT = r"[A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY(?: BLOCK)?|OpenVPN Static key V1"
_BEGIN = re.compile(rf"-----BEGIN (?:{_WHAT})-----")
_END = re.compile(rf"-----END (?:{_WHAT})-----")
# What stands in front of a line in listings, diffs, quotes and sources; where something was cut.
_MARGIN = (
    r"(?:\s|\d{1,6}[\t→:|]|\\{1,4}[nrt]|[+>|#*-](?=[ \tA-Za-z0-9/+=])|[\"',+.]|//|…"
    r"|\[…[^\]\n]{0,60}…?\])*+"
)
_KEY_LINE = re.compile(
    rf"{_MARGIN}(?:[A-Za-z0-9+/=]{{16,}}+|[A-Za-z0-9+/]{{1,15}}={{1,2}}|[0-9a-f]{{32}}"
    r"|(?:Proc-Type|DEK-Info|Comment|Version|Hash):[^\n\\]{0,120})"
)
_LAST_LINE = re.compile(r"(?:[A-Za-z0-9+/]{16,}|[A-Za-z0-9+/]{2,15})={0,2}")
# PEM breaks lines at 64 characters, OpenSSH at 70; mail and pictures at 76.
_LINES_OF_A_KEY = re.compile(
    r"(?m)^(?P<margin>[-+> \t]{0,4})(?P<lines>"
    r"[A-Za-z0-9+/]{64}(?:\n(?P=margin)[A-Za-z0-9+/]{64}){2,400}"
    r"|[A-Za-z0-9+/]{70}(?:\n(?P=margin)[A-Za-z0-9+/]{70}){2,400})$"
)
_PUBLIC_BLOCK = re.compile(r"BEGIN (?!.*PRIVATE)|CERTIFICATE|PUBLIC|SIGNATURE|MESSAGE")
# Lines of base64 are cut into words by its signs; one of them is at least so long.
_WORD_OF_A_LINE = 21
_LONGEST_KEY = 20_000
_SHORTEST_LINE = 16


def find(source: Text) -> Iterator[SecretSpan]:
    """Yield the private keys in *source*."""
    yield from _private_keys(source.raw)
    if any(len(word) > _WORD_OF_A_LINE for word in source.long_words):
        yield from _key_lines(source.raw)


def _private_keys(text: str) -> Iterator[SecretSpan]:
    """Yield the keys in *text*, also where a cut took their beginning or their end."""
    done = 0
    for at in occurrences("-----BEGIN ", text):
        found = _BEGIN.match(text, at)
        if found is None or at < done:
            continue
        end = _key_end(text, found.end())
        if end > found.end():
            done = end
            yield SecretSpan(at, end, "private-key")
    for at in occurrences("-----END ", text):
        found = _END.match(text, at)
        if found and at >= done and (begin := _key_begin(text, at, done)) < at:
            yield SecretSpan(begin, found.end(), "private-key")


def _key_lines(text: str) -> Iterator[SecretSpan]:
    """Yield the middle of keys, whose both ends were cut: lines of base64, all of one length."""
    for found in _LINES_OF_A_KEY.finditer(text):
        before = text[max(found.start() - 200, 0) : found.start()]
        if not _PUBLIC_BLOCK.search(before) and "PRIVATE KEY" not in before:
            yield SecretSpan(found.start("lines"), found.end("lines"), "private-key")


def _key_end(text: str, at: int) -> int:
    """Where the key ends whose first line ends at *at*; *at* where no line of a key follows."""
    end, seen = at, 0
    while end - at < _LONGEST_KEY:
        closing = _END.search(text, end, end + 160)
        if closing and not _KEY_LINE.match(text, end, closing.start()):
            return closing.end() if seen else at
        line = _KEY_LINE.match(text, end)
        if line is None or line.end() == end:
            break
        seen += line.end() - line.start() >= _SHORTEST_LINE
        end = line.end()
    return end if seen else at


def _key_begin(text: str, at: int, floor: int) -> int:
    """Where the lines of a key begin whose last line is at *at*."""
    begin = at
    joint = "\\n" if text[max(at - 2, 0) : at] == "\\n" else "\n"
    while begin > floor and at - begin < _LONGEST_KEY:
        head = text.rfind(joint, floor, max(begin - len(joint), floor))
        start = head + len(joint) if head >= 0 else floor
        line = text[start : begin - len(joint)] if begin - len(joint) > start else ""
        bare = line.strip(" \t+>|\"',").split("\t")[-1]
        if not _LAST_LINE.fullmatch(bare.rsplit(" ", 1)[-1]):
            break
        begin = start + len(line) - len(line.lstrip(" \t+>|\"'"))
        if head < 0:
            break
    return begin
