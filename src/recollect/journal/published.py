"""What a turn put before others: pull requests and issues it opened, branches it merged. Pure.

They are read from its tool calls: an answer mostly tells nothing of them but an address.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from recollect.journal import evidence, shell
from recollect.text import sentences
from recollect.text.sentences import clause
from recollect.transcripts.turns import ToolCall, Turn

LONGEST_NAME = 90
# Enough of a call and its output to find what it made.
LONGEST_READ = 4_000

_MAKES = re.compile(
    r"(?:^|\$\(\s*)(?:[({]\s*|\w+=[^\s$]*\s+)*(?:gh|glab) (?P<what>pr|mr|issue)"
    r" (?P<deed>create|merge|close)\b(?P<rest>.*)"
)
_MAKING_TOOL = re.compile(
    r"(?:^|_)(?:create|save|open)_(?P<what>issue|ticket|pull_request|merge_request)$"
)
_CHANGING_TOOL = re.compile(
    r"(?:^|_)(?:update|edit|save)_(?:issue|ticket|pull_request|merge_request)$"
)
_GIVEN_UP = re.compile(r"(?:cancel\w*|closed?|duplicate|not.planned|won'?t.\w+)", re.IGNORECASE)
_ADDRESS = re.compile(r"/(?:pull|issues|merge_requests|issue)/(?P<number>[A-Z]+-\d+|\d+)")
_NUMBER = re.compile(r"\"(?:identifier|number|iid|key)\":\s*\"?(?P<number>[A-Z]+-\d+|\d+)")
_TITLE = re.compile(r"(?:--title|-t)[ =](?:\"((?:[^\"\\\n]|\\.)+)\"|'([^'\n]+)')")
# It will be merged once its checks pass, or nothing was done at all.
_NOT_DONE = re.compile(
    r"\s--(?:auto|disable-auto|auto-merge|when-pipeline-succeeds|dry-run|help)\b"
)
_UNESCAPED = re.compile(r"\\(.)")
_ARGUMENT = re.compile(r"\s+#?(\d+)\b")
_IN_BRACKETS = re.compile(r"\W*\(.*\)\W*")
_DEEDS = {"create": "opened", "merge": "merged", "close": "closed"}
_NAMES = {"pr": "PR", "mr": "MR", "pull_request": "PR", "merge_request": "MR"}


def published(turn: Turn) -> list[str]:
    """Return the pull requests and issues that *turn* opened, merged or closed, each once."""
    calls = (call for call in turn.tools if not call.failed)
    return list(dict.fromkeys(deed for call in calls for deed in _published(call)))


def still_open(made: Sequence[str], later: Iterable[Turn]) -> list[str]:
    """Return what was *made* without what turns *later* closed or cancelled."""
    if not any(map(_is_opening, made)):
        return list(made)
    calls = (call for turn in later for call in turn.tools if not call.failed)
    closed = {number for call in calls for number in _closed_by(call)}
    return [one for one in made if not (_is_opening(one) and _numbers(one) & closed)]


def _is_opening(deed: str) -> bool:
    return deed.startswith(_DEEDS["create"])


def _numbers(deed: str) -> set[str]:
    """Return the number that *deed* names before its title."""
    return {word.lstrip("#") for word in deed.partition(":")[0].split()[1:]}


def _closed_by(call: ToolCall) -> Iterator[str]:
    """Yield the numbers of the issues and pull requests that *call* closed."""
    if call.name in evidence.SHELLS:
        made = _MAKES.search(shell.text_of(call.input)[:LONGEST_READ])
        if made and made["deed"] == "close" and (number := _ARGUMENT.match(made["rest"])):
            yield number[1]
    elif _CHANGING_TOOL.search(call.name):
        state = call.input.get("state") or call.input.get("status")
        if isinstance(state, str) and _GIVEN_UP.fullmatch(state):
            named = (call.input.get(key) for key in ("id", "number", "issue_number", "pullNumber"))
            yield from (str(it).lstrip("#") for it in named if it)


def _published(call: ToolCall) -> Iterator[str]:
    if call.name in evidence.SHELLS:
        said = shell.text_of(call.input)[: shell.LONGEST_CALL].replace("\\\n", " ")
        for line in shell.segments(said):
            if made := _MAKES.search(line[:LONGEST_READ]):
                yield from _by_command(made, line, call.output[:LONGEST_READ])
    elif (made := _MAKING_TOOL.search(call.name)) and not call.input.get("id"):
        number = _NUMBER.search(call.output[:LONGEST_READ])
        yield _named("opened", made["what"], number, _title(call.input))


def _by_command(made: re.Match[str], said: str, output: str) -> Iterator[str]:
    """Yield what a command made, as its address tells; nothing where none was printed."""
    if _NOT_DONE.search(made["rest"]):
        return
    if made["deed"] == "create":
        if address := _ADDRESS.search(output):
            title = _TITLE.search(said)
            yield _named(
                "opened",
                made["what"],
                address,
                _UNESCAPED.sub(r"\1", title[1] or title[2]) if title else "",
            )
    elif number := _ARGUMENT.match(made["rest"]):
        yield f"{_DEEDS[made['deed']]} {_NAMES.get(made['what'], made['what'])} #{number[1]}"


def _named(deed: str, what: str, number: re.Match[str] | None, title: str) -> str:
    place = number["number"] if number else ""
    place = f"#{place}" if place.isdigit() else place
    name = " ".join(filter(None, [deed, _NAMES.get(what, what), place]))
    telling = title if not _IN_BRACKETS.fullmatch(title) and not sentences.is_thin(title) else ""
    return f"{name}: {clause(telling, LONGEST_NAME)}" if telling else name


def _title(values: Mapping[str, object]) -> str:
    title = values.get("title")
    return title if isinstance(title, str) else ""
