"""What a turn replaces: the values that an edit or a sentence changes, and who stated them. Pure.

`PAGE_SIZE = 50` edited to `20`, "sled replaced by redb", "from 300 down to 120 ms": each tells an
old value, mostly the new one, and what it is about. A piece of an older turn that states the old
value of the same matter is outdated from then on. Precision comes first: a piece that only shares
a number is left alone.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from recollect.journal import passages
from recollect.transcripts.turns import ToolCall, Turn

# So many words of the matter must stand beside the old value. An older turn that worked on the
# same file needs only one of them, because the file counts for the rest.
LEAST_SHARED = 3
SAME_FILE = 2
# The constant's own name, or the line as it was, tells more than a word.
SAME_NAME = 2
# What the older turn was asked to do says less than the words beside the value.
BY_AROUND = 0.5
# The name of a thing tells by itself what it is about.
A_NAME = 2
# An amount that both tell in the same unit, or that has three digits, is rarely another's.
IN_THE_SAME_UNIT = 1
DISTINCTIVE = 1
# One that only one of them tells the unit of may be another's.
IN_ANOTHER_WAY = 1

MOST_CHANGES = 24
# More lines than this are a rewrite, in which no line is the successor of another.
LONGEST_EDIT = 40
LONGEST_VALUE = 40

_NUMBER = r"\d+(?:[_,.]\d+)*"
_VALUE = re.compile(rf"(?<![\w.$€£#-]){_NUMBER}", re.ASCII)
_TOKEN = re.compile(rf"{_NUMBER}|[A-Za-z_][\w-]*|[^\s\w]", re.ASCII)
_WORD = re.compile(r"[A-Za-z][a-z]+|[A-Z]{2,}(?![a-z])|[a-z]{2,}")
_STRING = re.compile(r"""(["'])(?P<inside>[^"'\s]{3,60})\1""")
_CODE = r"`[^`\n]{1,40}`"
_BOLD = r"\*\*[^*\n]{1,40}\*\*"
_NAME = rf"(?:{_CODE}|{_BOLD}|[A-Za-z][\w.+#/-]*\w)"
_AMOUNT = rf"(?:\*\*)?{_NUMBER}(?:\s?(?:%|°C|px|[A-Za-z]{{1,8}}))?(?:\*\*)?"

# Units of one measure, as prose and as code have them.
_UNITS = {
    unit: measure
    for measure, units in {
        "ms": "ms millis millisecond milliseconds msec",
        "s": "s sec secs second seconds",
        "min": "m min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "d day days",
        "week": "week weeks",
        "month": "month months",
        "year": "year years",
        "kb": "kb kib",
        "mb": "mb mib",
        "gb": "gb gib",
        "%": "% percent",
        "px": "px pixel pixels",
        "°c": "°c c celsius degrees degree",
    }.items()
    for unit in units.split()
}
# What a number of seconds is when people say it.
_LARGER = {"s": (("min", 60), ("h", 3_600), ("d", 86_400)), "ms": (("s", 1_000), ("min", 60_000))}
_NO_UNIT = ""
_MULTIPLES = (
    (r"\*\s*24\s*\*\s*(?:60\s*\*\s*60|3600)", "d"),
    (r"\*\s*(?:60\s*\*\s*60|3600)", "h"),
    (r"\*\s*60\b", "min"),
    (r"(?:\*\s*1024\s*[uUlL]*\s*\*\s*1024|<<\s*20)", "mb"),
    (r"(?:\*\s*1024|<<\s*10)", "kb"),
    (r"<<\s*30", "gb"),
)

# Amounts that people write out. One is left out: it stands everywhere.
_WRITTEN_OUT = {
    word: number
    for number, word in (
        *enumerate("two three four five six seven eight nine ten eleven twelve".split(), start=2),
        (15, "fifteen"), (20, "twenty"), (30, "thirty"), (40, "forty"), (45, "forty-five"),
        (50, "fifty"), (60, "sixty"), (90, "ninety"), (100, "hundred"),
    )
}  # fmt: skip
_WORD_NUMBER = re.compile(rf"(?<![\w-])(?:{'|'.join(_WRITTEN_OUT)})(?![\w-])", re.IGNORECASE)

_AMOUNT_PARTS = re.compile(rf"(?P<number>{_NUMBER})\s?(?P<unit>%|°C|[A-Za-z]+)?")
# What patterns take for a thing, and is none.
_NO_THING = frozenset(
    "it this that them everything something all these those whole line file".split()
)
_EMPTY_WORDS = frozenset(
    """
    about after again all also and any are back because been before being both but can cannot could
    did does doing done down each else even every few first for further get gets give going got had
    has have her here him his how into its itself just keep keeps know last let like look make makes
    might more most much must need needs new next nor not nothing now off once one only other our
    out over own per please put right same say see should show some something still such sure take
    takes tell than that the their them then there these they thing things think this those through
    together too try two under until use used uses using very want was way well were what when where
    which while who whom whose why will with without work works would yes yet you your today already
    const let val var pub def static return true false none null self int str string
    """.split()
)
# Words that tell of a change, not of what was changed.
_OF_CHANGES = frozenset(
    "instead rather from went goes raised lowered replaced replaces changed changes fixed".split()
)

_ARROW = re.compile(rf"(?P<old>{_AMOUNT}|{_CODE})\s*(?:→|->|=>)\s*(?P<new>{_AMOUNT}|{_CODE})")
_FROM_TO = re.compile(
    rf"\bfrom (?P<old>{_AMOUNT}|{_CODE}|{_BOLD}) (?:\w+ )?to (?P<new>{_AMOUNT}|{_CODE}|{_BOLD})"
)
_INSTEAD = re.compile(
    rf"(?P<new>{_AMOUNT}|{_CODE}|{_BOLD})[^.\n\d]{{0,40}}?"
    rf",? (?:instead of|rather than|up from|down from|in place of) (?P<old>{_AMOUNT}|{_CODE})"
)
_WRONG = re.compile(
    r"\b(?:too|so) (?:short|long|small|big|large|few|many|much|little|low|high|slow|fast|tight)\b"
    r"|\bnot enough\b|\bcollides?\b|\b(?:make|raise|lower|bump|increase|reduce|cut) it\b",
    re.IGNORECASE,
)
_BY = r"(?:with|by)"
_IN_PLACE_OF = r"(?:instead of|rather than|in place of)"
_REPLACED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\breplac(?:e|ed|es|ing) (?P<old>{_NAME}) {_BY} (?P<new>{_NAME})",
        rf"(?P<old>{_NAME}) (?:is |was |has been |were )?replaced {_BY} (?P<new>{_NAME})",
        rf"\b(?:switch\w*|mov\w+|migrat\w+|chang\w+) from (?P<old>{_NAME}) (?:\w+ )?"
        rf"to (?P<new>{_NAME})",
        rf"\b(?:us(?:e|es|ed|ing)|take|(?:go(?:es)?|went) (?:with|through)|talks? to|runs? on)"
        rf" (?P<new>{_NAME}) (?:\w+ )?{_IN_PLACE_OF} (?P<old>{_NAME})",
        rf"(?P<new>{_NAME})(?:,[^.\n,]{{0,20}},)? replaces (?P<old>{_NAME})",
    )
)
_GONE = (
    re.compile(
        rf"(?P<old>{_NAME})(?:'s \w+)? (?:is|are) (?:out of|gone|deleted|removed|dropped)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:get rid of|throw out|rip out|drop(?:ped)?|remov(?:e|ed)) "
        rf"(?P<old>{_CODE}|[A-Z][\w.+-]+)"
    ),
    re.compile(
        r"\b(?:uv remove|pip uninstall(?: -y)?|(?:npm|pnpm|yarn) (?:uninstall|remove)"
        r"|cargo (?:rm|remove)) (?P<old>[\w@/.-]+)"
    ),
)


# "Actually, let's use httpx instead of requests from now on" is about all of the project …
_LASTING = re.compile(
    r"\b(?:from (?:now|here|today) on|going forward|in (?:the )?future|actually|everywhere|always"
    r"|for good|let'?s|let us|we(?:'re|'ll| are| will)? (?:\w+ )?(?:us|switch|mov|migrat|go|take))",
    re.IGNORECASE,
)
# … as these words say nothing else.
_OF_EVERYTHING = "actually always everywhere future forward going good please project repository"
# What is used is named as code, or behind a word of using.
_IN_USE = (
    r"(?:\b(?:us(?:e|es|ed|ing)|chose|choose|chosen|pick(?:ed)?|prefers?|took|takes?|keeps?|kept"
    r"|(?:went|go|goes|going|stick|stay) with|(?:decided|settled|standardi[sz]ed|runs?|relies) on"
    r"|(?:switched|moved) to|depends on|install(?:s|ed)?|run)[\s`*]+(?:the |on )?|[`*]+)"
)

_TELLS_OF_CHANGE = re.compile(
    r"\b(?:what changed|no longer|not any ?more|instead of|in place of|from now on"
    r"|replac(?:ed|es|ing)|superseded?s?|obsolete|switch(?:ed|es) (?:to|from|over)"
    r"|(?:mov|migrat|chang|rais|lower|renam)(?:ed|es) (?:\S+ ){0,4}?(?:to|from)"
    r"|(?:is|are|was|were) (?:gone|dropped|deleted|removed)"
    r"|now (?:is|are|runs?|uses?|lives?|goes|depends|has|have|takes?|stands?|called))\b"
    r"|\b(?:is|are) now\b|^\W*(?:what )?changed?\b[^\n]{0,60}:",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedValue:
    """A value that a turn replaced."""

    old: str
    new: str = ""
    """Empty for what was only taken away."""
    about: frozenset[str] = frozenset()
    """What it is the value of: stems of words."""
    name: str = ""
    """The identifier that an edit gave the new value to."""
    file: str = ""
    """The file that was edited."""
    line: str = ""
    """The line that an edit took out."""
    unit: str = ""
    """The measure of an amount, where it is told."""
    is_name: bool = False
    """Whether the value is the name of a thing rather than an amount."""
    is_everywhere: bool = False
    """Whether the user said so of the whole project, and named nothing that it is about."""


def tells_of_change(text: str) -> bool:
    """Tell whether *text* says that something is no longer as it was.

    >>> tells_of_change("Manual capture no longer holds."), tells_of_change("It holds.")
    (True, False)
    """
    return _TELLS_OF_CHANGE.search(text) is not None


def changes(turn: Turn) -> list[ReplacedValue]:
    """Return what *turn* replaced, as its edits show it and as its words say it."""
    said = _sentences_of(turn)
    request = stems(passages.request_line(turn.prompt))
    found = [*_edited(turn, said), *_said(said, request)]
    found += _corrected(said)
    different = {(one.old, one.new, one.name, one.about): one for one in reversed(found)}
    return list(reversed(different.values()))[:MOST_CHANGES]


# In edits.


def _edited(turn: Turn, said: Sequence["_Sentence"]) -> Iterator[ReplacedValue]:
    for call in turn.tools:
        if call.failed or not passages.is_change(call):
            continue
        for path, old, new in _edits(call):
            file = passages.short_path(path, turn.cwd)
            for before, after in _successors(old, new):
                yield from _values(before, after, file, said)


def _edits(call: ToolCall) -> Iterator[tuple[str, str, str]]:
    """Yield path, old and new text of each edit in *call*."""
    patch = call.input.get("patch") or call.input.get("input")
    if isinstance(patch, str) and "*** Update File: " in patch:
        yield from _patched(patch)
        return
    path = passages.path_of(call)
    several = call.input.get("edits")
    edits: list[object] = several if isinstance(several, list) else [call.input]
    for edit in edits:
        if path and isinstance(edit, Mapping):
            old, new = passages.old_and_new(edit)
            if old and new:
                yield path, old, new


def _patched(patch: str) -> Iterator[tuple[str, str, str]]:
    for piece in patch.split("*** Update File: ")[1:]:
        path, _, body = piece.partition("\n")
        for hunk in re.split(r"^@@.*$", body, flags=re.MULTILINE):
            lines = hunk.splitlines()
            old = [line[1:] for line in lines if line[:1] in ("-", " ")]
            new = [line[1:] for line in lines if line[:1] in ("+", " ")]
            yield path.strip(), "\n".join(old), "\n".join(new)


def _successors(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield each line of *old* that is not in *new*, with the line that took its place."""
    before = [line.strip() for line in old.splitlines() if line.strip()]
    after = [line.strip() for line in new.splitlines() if line.strip()]
    if len(before) > LONGEST_EDIT or len(after) > LONGEST_EDIT:
        return
    gone = [line for line in before if line not in after]
    come = [line for line in after if line not in before]
    for line in list(gone):
        near = max(come, key=lambda other: _likeness(line, other), default="")
        is_pair = len(gone) == len(come) == 1
        if near and (is_pair or _likeness(line, near) >= 0.5 or _key(line) == _key(near) != ""):
            come.remove(near)
            yield line, near


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(a=_TOKEN.findall(one), b=_TOKEN.findall(other)).ratio()


def _key(line: str) -> str:
    """Return the name that *line* gives a value to; empty for none."""
    found = re.match(r"""[\w\s.'"@$&*<>-]*?([A-Za-z_][\w.-]*)['"]?\s*(?::[^=:]+)?[=:]""", line)
    return found[1] if found else ""


def _values(
    before: str, after: str, file: str, said: Sequence["_Sentence"]
) -> Iterator[ReplacedValue]:
    """Yield the values that differ between a line and its successor."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    names = {token for token in old if token in new and not token[0].isdigit()}
    pairs = []
    for what, a, b, c, d in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if what == "replace":
            pairs += [
                (one, other)
                for one, other in zip(old[a:b], new[c:d], strict=False)
                if one[0].isdigit() and other[0].isdigit()
            ]
    pairs += [(call, next(iter(_calls(after)), "")) for call in _calls(before) if call not in after]
    strings = zip(_inside_strings(before), _inside_strings(after), strict=False)
    pairs += [(one, other) for one, other in strings if one != other and not one[0].isdigit()]
    for one, other in pairs:
        if len(one) > LONGEST_VALUE:
            continue
        about = stems(" ".join([*names, _stem_of_path(file)]))
        for sentence in said:
            if mentions(sentence.text, other) or mentions(sentence.text, one):
                about |= sentence.stems
        name = _key(before) or _called(before)
        yield ReplacedValue(
            old=one,
            new=other,
            about=frozenset(about - stems(f"{one} {other}")),
            name=name,
            file=file,
            line=before,
            unit=_unit_in_line(before, one, name) or _unit_in_words(other, said),
            is_name=not one[0].isdigit(),
        )


def _called(line: str) -> str:
    """Return the function or attribute whose argument *line* sets."""
    found = re.search(r"([A-Za-z_]\w{3,})\s*[(\s]", line)
    return found[1] if found else ""


def _calls(line: str) -> list[str]:
    """Return what *line* calls on something else: `asyncpg.connect`."""
    return [found[1] for found in re.finditer(r"\b([A-Za-z_]\w*\.\w{4,})\(", line)]


def _inside_strings(line: str) -> list[str]:
    return [found["inside"] for found in _STRING.finditer(line)]


def _stem_of_path(file: str) -> str:
    return file.rpartition("/")[2].partition(".")[0]


# In words.


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    stems: frozenset[str]
    is_users: bool = False


def _sentences_of(turn: Turn) -> list[_Sentence]:
    """Return the sentences of prompt and answer, each with what it and its heading are about."""
    found = []
    for text, is_users in ((turn.prompt, True), (turn.answer, False)):
        for passage in passages.of_markdown(text):
            heading = passage.partition(":\n")[0] if ":\n" in passage[:80] else ""
            found += [
                _Sentence(piece, frozenset(stems(f"{heading} {piece}")), is_users)
                for piece in pieces(passage)
            ]
    return found


def _said(sentences: Sequence[_Sentence], request: Collection[str]) -> Iterator[ReplacedValue]:
    """Yield what *sentences* say was replaced; *request* are stems of what was asked for."""
    for sentence in sentences:
        for pattern in (_ARROW, _FROM_TO, _INSTEAD):
            for found in pattern.finditer(sentence.text):
                yield from _amount(found["old"], found["new"], sentence)
                yield from _name(found["old"], found["new"], sentence, request)
        for pattern in _REPLACED:
            for found in pattern.finditer(sentence.text):
                yield from _name(found["old"], found["new"], sentence, request, is_plain=True)
        for pattern in _GONE:
            for found in pattern.finditer(sentence.text):
                yield from _name(found["old"], "", sentence, request)


def _corrected(sentences: Sequence[_Sentence]) -> Iterator[ReplacedValue]:
    """Yield an amount that is called wrong or too much, with the one that follows it."""
    for place, sentence in enumerate(sentences):
        if not _WRONG.search(sentence.text):
            continue
        following = sentences[place + 1] if place + 1 < len(sentences) else sentence
        told = [
            (found[0], _unit_behind(one.text, found))
            for one in dict.fromkeys((sentence, following))
            for found in _numbers_in(one.text)
        ]
        # "Two tests fail" sets nothing.
        numbers = [
            (str(_WRITTEN_OUT.get(number.lower(), number)), unit)
            for number, unit in told
            if unit or number[0].isdigit()
        ]
        if len(numbers) > 1 and numbers[0][0] != numbers[1][0]:
            (old, unit), (new, other) = numbers[:2]
            about = frozenset(sentence.stems | following.stems)
            if not (unit and other and unit != other):
                yield ReplacedValue(old=old, new=new, about=about, unit=unit or other)


def _amount(old: str, new: str, sentence: _Sentence) -> Iterator[ReplacedValue]:
    before, after = _AMOUNT_PARTS.match(bare(old)), _AMOUNT_PARTS.match(bare(new))
    if not before or not after or before["number"] == after["number"]:
        return
    units = [_UNITS.get((one["unit"] or "").lower(), _NO_UNIT) for one in (before, after)]
    yield ReplacedValue(
        old=before["number"],
        new=after["number"],
        about=frozenset(sentence.stems - stems(f"{old} {new}")),
        unit=units[0] or units[1],
    )


def _name(
    old: str,
    new: str,
    sentence: _Sentence,
    request: Collection[str],
    *,
    is_plain: bool = False,
) -> Iterator[ReplacedValue]:
    """Yield that the thing *old* was replaced; with *is_plain* it may be spelled like any word."""
    one, other = bare(old), bare(new)
    is_marked = old[0] in "`*" or any(c in one for c in "._-/") or not one.islower()
    if len(one) < 3 or one[0].isdigit() or not (is_marked or is_plain):
        return
    if one.lower() in _EMPTY_WORDS or one.lower() in _NO_THING:
        return
    about = (sentence.stems | set(request)) - stems(f"{one} {other}")
    yield ReplacedValue(
        old=one,
        new=other,
        about=frozenset(about),
        is_name=True,
        is_everywhere=bool(other) and _is_about_everything(sentence, f"{one} {other}"),
    )


def _is_about_everything(sentence: _Sentence, names: str) -> bool:
    """Tell whether a *sentence* of the user says nothing but that one of *names* is the other."""
    if not sentence.is_users or not _LASTING.search(sentence.text):
        return False
    return not sentence.stems - stems(names) - stems(_OF_EVERYTHING) - _SWITCHING


def bare(value: str) -> str:
    """Return *value* without the marks around it.

    >>> bare("**24 hours**"), bare("`redb`")
    ('24 hours', 'redb')
    """
    return value.strip("`*\"' .,;:")


# In older pieces.


def outdated(
    change: ReplacedValue, text: str, *, is_same_file: bool = False, around: str = ""
) -> list[str]:
    """Return the pieces of an older *text* that state the old value of *change*.

    *is_same_file* says that the turn of *text* worked on the file that the change edited; *around*
    is what its turn is about.
    """
    heading = text.partition(":\n")[0] if ":\n" in text[:160] else ""
    return [
        piece
        for piece in pieces(text)
        if _states(change, piece, f"{heading} {piece}", is_same_file=is_same_file, around=around)
    ]


def _states(
    change: ReplacedValue, piece: str, said: str, *, is_same_file: bool, around: str
) -> bool:
    """Tell whether *piece*, which under its heading is *said* so, states the old value."""
    is_line = bool(change.line) and change.line in piece
    if is_line or _chose_old(piece, change):
        return True
    if _compares(piece, change):
        return False
    if change.is_everywhere:
        return re.search(_IN_USE + _exactly(change.old).pattern, piece, re.IGNORECASE) is not None
    unit = told_unit(piece, change.old, unit=change.unit)
    if unit is None:
        return _gives_another_value(change, piece)
    shared = change.about & stems(said)
    if not shared and not (is_same_file and len(change.old) > 1 and change.unit == unit):
        return False
    beside = BY_AROUND * len((change.about & stems(around)) - shared) + SAME_FILE * is_same_file
    return _weight(change, piece, unit) + len(shared) + beside >= LEAST_SHARED


def _weight(change: ReplacedValue, piece: str, unit: str) -> float:
    """Return what the value itself, told in this *unit*, says for *piece* being outdated."""
    has_name = len(change.name) > 3 and bool(_exactly(change.name).search(piece))
    if change.is_name:
        return A_NAME + SAME_NAME * has_name
    is_told_alike = bool(unit) == bool(change.unit)
    is_anybodys = _is_trivial(change.old) or (len(change.old) == 1 and not is_told_alike)
    if is_anybodys and not has_name:
        return -math.inf
    weight = SAME_NAME * has_name + DISTINCTIVE * (len(change.old) > 2)
    if not is_told_alike:
        return weight - IN_ANOTHER_WAY
    return weight + IN_THE_SAME_UNIT * bool(unit)


def _is_trivial(value: str) -> bool:
    """Tell whether *value* is an amount that stands everywhere."""
    return value[0].isdigit() and _number(value) in (0.0, 1.0)


def _gives_another_value(change: ReplacedValue, piece: str) -> bool:
    """Tell whether *piece* says what a constant is "currently": it has changed more than once."""
    words = stems(change.name)
    named = len(words) > 1 and words <= stems(piece)
    return named and not change.is_name and bool(_CURRENTLY.search(piece))


def _chose_old(piece: str, change: ReplacedValue) -> bool:
    """Tell whether *piece* says that the old thing was chosen over the one that replaced it."""
    if not change.is_everywhere:
        return False
    chosen = rf"{_exactly(change.old).pattern}[`*]* (?:over|instead of|rather than|and not) \W*"
    return re.search(chosen + _exactly(change.new).pattern, piece, re.IGNORECASE) is not None


def _compares(piece: str, change: ReplacedValue) -> bool:
    """Tell whether *piece* names the new value, too: it compares them and is not outdated."""
    return bool(change.new) and mentions(piece, change.new)


def tells(change: ReplacedValue, text: str) -> int:
    """Return how well *text*, of the turn that made *change*, tells what holds now; 0 for not."""
    shared = len(change.about & stems(text))
    return 1 + shared if mentions(text, change.new or change.old) else 0


def spellings(change: ReplacedValue) -> list[str]:
    """Return the ways in which an older text may spell the old value of *change*."""
    if change.is_name:
        return [change.old]
    amounts = (f"{amount}".removesuffix(".0") for amount, _ in _amounts(change.old, change.unit))
    words = (word for word, number in _WRITTEN_OUT.items() if number == _number(change.old))
    current = ["currently"] if len(stems(change.name)) > 1 else []
    return list(dict.fromkeys([change.old, *amounts, *words, *current]))


def _unit_in_line(line: str, value: str, name: str) -> str:
    """Return the measure of a *value* in a *line* of code; empty if it does not tell."""
    for multiple, measure in _MULTIPLES:
        if re.search(rf"\b{re.escape(value)}[uUlL]*\s*{multiple}", line):
            return measure
    beside = re.search(rf"\b{re.escape(value)}\s?(%|°C|[A-Za-z]+)", line)
    words = [beside[1]] if beside else []
    for word in (*words, *_WORD.findall(f"{name} {line}")):
        if (len(word) > 1 or word == "%") and word.lower() in _UNITS:
            return _UNITS[word.lower()]
    return _NO_UNIT


def _unit_in_words(value: str, sentences: Iterable["_Sentence"]) -> str:
    """Return the measure in which *sentences* tell *value*; empty if they do not."""
    for sentence in sentences:
        for found in _numbers_in(sentence.text):
            if _number(found[0]) == _number(value) and (unit := _unit_behind(sentence.text, found)):
                return unit
    return _NO_UNIT


def _unit_behind(text: str, number: re.Match[str]) -> str:
    beside = re.match(r"\**[\s-]?(%|°C|[A-Za-z]+)", text[number.end() :])
    return _UNITS.get(beside[1].lower(), _NO_UNIT) if beside else _NO_UNIT


def holds(text: str, value: str, *, unit: str = _NO_UNIT) -> bool:
    """Tell whether *text* has *value*: the same amount, and of no other *unit*.

    >>> holds("valid for **10 minutes**", "600", unit="s"), holds("30 MB", "30", unit="min")
    (True, False)
    >>> holds("We use sled here", "sled"), holds("sledge", "sled")
    (True, False)
    """
    return told_unit(text, value, unit=unit) is not None


def told_unit(text: str, value: str, *, unit: str = _NO_UNIT) -> str | None:
    """Return the unit in which *text* has *value*, empty if it tells none; None if it has it not.

    What is said in seconds in code may be minutes in words; then *unit* is returned.
    """
    if not value:
        return None
    if not value[0].isdigit():
        return _NO_UNIT if _exactly(value.lower()).search(text.lower()) else None
    found = [(_number(one[0]), _unit_behind(text, one)) for one in _numbers_in(text)]
    amount, *converted = _amounts(value, unit)
    for told, measure in found:
        if told == amount[0] and (measure == unit or not measure or not unit):
            return measure
        if (told, measure) in converted:
            return unit
    return None


def mentions(text: str, value: str) -> bool:
    """Tell whether *text* has *value*, in whatever unit."""
    if not value or not value[0].isdigit():
        return holds(text, value)
    wanted = {amount for amount, _ in _amounts(value, _NO_UNIT)}
    return any(_number(found[0]) in wanted for found in _numbers_in(text))


@lru_cache(maxsize=256)
def _exactly(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _amounts(number: str, unit: str) -> list[tuple[float | str, str]]:
    """Return the ways to say *number* of *unit*, in the measures that people use.

    What is said in code without a unit may be seconds.
    """
    amount = _number(number)
    if isinstance(amount, str):
        return [(amount, unit)]
    larger = _LARGER.get(unit or "s", ())
    converted = [(amount / size, measure) for measure, size in larger if amount % size == 0]
    return [(amount, unit), *(one for one in converted if one[0] >= 1)]


def _numbers_in(text: str) -> list[re.Match[str]]:
    """Return the numbers in *text*, in their order, also those that are written out."""
    found = [*_VALUE.finditer(text), *_WORD_NUMBER.finditer(text)]
    return sorted(found, key=re.Match.start)


def _number(text: str) -> float | str:
    """Return the number that *text* is; a version of three parts is none."""
    if (written_out := _WRITTEN_OUT.get(text.lower())) is not None:
        return float(written_out)
    plain = text.replace("_", "").replace(",", "")
    try:
        return float(plain)
    except ValueError:
        return plain


_CURRENTLY = re.compile(
    rf"\b(?:currently|at present|right now|is now|at the moment)\W{{1,4}}{_NUMBER}\b"
)
# What closes a sentence belongs to it.
_ITEM_END = re.compile(r"\n+|(?<=[.!?;])(?<!\b[a-z]\.)(?P<closing>[\"')\]*_`]*)\s+(?=\S)")


def pieces(text: str) -> list[str]:
    r"""Return the lines and sentences of *text*, each a part of it as it stands.

    >>> pieces("**Limit: 2.** More.\n- an item")
    ['**Limit: 2.**', 'More.', '- an item']
    """
    found, start = [], 0
    for end in _ITEM_END.finditer(text):
        found.append(text[start : end.start() + len(end["closing"] or "")])
        start = end.end()
    return [piece.strip() for piece in (*found, text[start:]) if piece.strip()]


def stems(text: str) -> set[str]:
    """Return what the words of *text* begin with, without those that say nothing.

    >>> sorted(stems("RAW_KEEP_DAYS: partitions are pruned"))
    ['parti', 'prune', 'raw']
    """
    words = (word.lower() for word in _WORD.findall(text))
    return {
        _stem(word)
        for word in words
        if len(word) > 2 and not (word in _EMPTY_WORDS or word in _UNITS or word in _OF_CHANGES)
    }


def _stem(word: str) -> str:
    return word[:5]


_SWITCHING = frozenset(stems("switch switching move moving migrate migrating replace over"))
