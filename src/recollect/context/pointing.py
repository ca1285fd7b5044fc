"""Read whether a prompt points back at earlier work: `continue`, `that bug from last week`.

Silence is the normal answer. A time alone points nowhere ("parse yesterday's log"): there must be a
sign of shared work as well, in the same sentence. What the user quotes or pastes is not their word.
Pure: the clock is passed in, and days are those of its zone.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache

from recollect.context import pointing_words as words
from recollect.search import moments

# A prompt can be a megabyte; who points back does so at the beginning.
LONGEST_READ = 4000
# A prompt of more own words than that has a matter of its own: only a plain phrase counts.
LONG = 400
# So many letters may stand between what was done and when.
WIDEST_GAP = 60

# From when to when: in timestamps, and in days from the beginning of today (yesterday is -1 to 0).
Window = tuple[float, float]
Days = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where a prompt points back to.

    With neither a time nor the last session it asks for shared work of some time.
    """

    after: float | None = None
    """The time that is named begins here ..."""
    before: float | None = None
    """... and ends before that; both are None if no time is named."""
    last_session: bool = False
    """Whether the last session is meant; never together with a time."""
    only_points: bool = False
    """Whether nothing else is said, so that there is no topic."""
    topic: str = ""
    """The prompt without the words that point, for a search by words."""
    types: tuple[str, ...] = ()
    """The types of observations it asks for."""


def read(prompt: str, *, now: datetime) -> Pointer | None:
    """Return where *prompt* points back to; None if it points nowhere.

    >>> now = datetime.fromisoformat("1970-01-09T12:00Z")
    >>> read("what did we do yesterday about the login?", now=now)
    ... # doctest: +NORMALIZE_WHITESPACE
    Pointer(after=604800.0, before=691200.0, last_session=False, only_points=False,
            topic='login', types=())
    >>> read("continue", now=now).last_session, read("parse yesterday's log", now=now)
    (True, None)
    """
    text = re.sub(_PASTED, "\n", prompt[:LONGEST_READ]).strip().replace("’", "'")
    # Every other letter keeps its place in lower case.
    text = re.sub(r"[^\S\n]+", " ", text.replace("İ", "I"))
    own = _own_words(text)
    reading = _Reading(now=now, is_long=len(own.replace(_HIDDEN, "")) > LONG)
    for language in words.LANGUAGES:
        # What is written without spaces has letters of its own.
        if language.is_spaced or re.search("[\u3040-\u9fff]", own):
            reading.take(own, language)
    return reading.pointer(text)


# Blocks that are copied from elsewhere: fences, tags, quoted lines, shells, logs, stack traces.
_PASTED = r"""(?xsm)
    ```.*?(?:```|\Z) | ~~~.*?(?:~~~|\Z) | ^<(?P<tag>[\w-]+)>\n.*?(?:^</(?P=tag)>|\Z)
    | ^(?: > | \$\  | [ ]{4,}\S | \t
        | [ ]*(?: \[?\d{4}-\d\d-\d\d[T ]\d\d: | \[?\d\d:\d\d:\d\d | [A-Z][a-z]{2}\ [ \d]\d\ \d\d:
            | Traceback\  | File\ " | at\ [\w.$<>]+\ ?\( | [\w.]+(?:Error|Exception)\b
            | \[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b )
    )[^\n]*"""
_QUOTED = (
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»"
    r"|「[^」\n]{1,300}」|(?<!\w)'[^'\n]{1,100}'(?!\w)"
)
# Names of code, paths, addresses and options.
_CODE = r"\w[_=\\]|[_=\\]\w|\w\(|://|::|^-|^[~.]?/|/.*/|/.*\.|[{}<>@]|\w\.[A-Za-z]\w{0,4}\W*$"
_HIDDEN = "\ufffc"
_EDGE = " \t\n,.:;!?。，、？！…()-–—？¿¡'\""
_SENTENCE = r"(?:[^.!?;\n。！？；]|[.!?;](?![\s.!?;]|\Z))+"


def _own_words(text: str) -> str:
    """Return *text* in lower case with what is quoted or code hidden, every letter in its place."""
    shown = re.sub(_QUOTED, lambda quote: _HIDDEN * len(quote[0]), text)
    code = re.compile(_CODE)
    return "".join(
        _HIDDEN * len(word) if code.search(word) else word for word in re.split(r"(\s+)", shown)
    ).lower()


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What was found so far in a prompt."""

    now: datetime
    is_long: bool
    kinds: set[str] = field(default_factory=set)
    window: Window | None = None
    cuts: list[tuple[int, int]] = field(default_factory=list)
    spoken: str = ""

    def take(self, own: str, language: words.PointingWords) -> None:
        """Take what the words *own* point to in *language*."""
        whole = None if self.is_long else _pattern(language, "go_on").fullmatch(own.rstrip(_EDGE))
        if whole and not any(map(_is_other_matter, whole.groups(""))):
            self._cut(whole, kind="last", at=0)
        for sentence in re.finditer(_SENTENCE, own):
            clause, at = sentence[0], sentence.start()
            for kind in ("last", "some"):
                for found in _meant(_pattern(language, kind), clause):
                    self._cut(found, kind=kind, at=at)
            times = list(_pattern(language, "times").finditer(clause))
            deeds = list(_meant(_pattern(language, "deeds"), clause)) if times else []
            for timed in times:
                self._take_time(timed, deeds, language, at=at)

    def _take_time(
        self,
        timed: re.Match[str],
        deeds: list[re.Match[str]],
        language: words.PointingWords,
        *,
        at: int,
    ) -> None:
        """Take *timed*, if it is the time of something that was worked on, or of one of *deeds*."""
        head = timed.string[: timed.start()].lstrip()[-2 * WIDEST_GAP :]
        lead = head.split()[-1] if head.endswith((" ", "'")) else ""
        window = _window(timed, language, lead, now=self.now)
        if window is None and _table(language.times).get(timed["named"]) != words.LAST_SESSION:
            return
        if timed["owner"]:
            thing = _pattern(language, "after").match(timed.string, timed.end())
        else:
            thing = _pattern(language, "before").search(head)
        deed = next((deed for deed in deeds if _belong(deed, timed)), None)
        if thing and not self.is_long:
            self.spoken += f" {thing[0]}"
        elif deed and not timed["owner"] and lead not in words.LOOSE:
            self._cut(deed, kind="deed", at=at)
            self.spoken += deed.string[max(0, deed.start() - 24) : deed.start()]
        else:
            return
        begins = timed.start() - (len(lead) + 1 if lead in words.WHEN | words.LOOSE else 0)
        self.cuts.append((at + begins, at + timed.end()))
        self.window = self.window or window
        self.kinds.add("time" if window else "last")

    def _cut(self, found: re.Match[str], *, kind: str, at: int) -> None:
        """Take all of *found* but its groups out of the topic; its text begins *at* that letter."""
        self.kinds.add(kind)
        self.spoken += f" {found[0]}"
        begins = found.start()
        for group in range(1, found.re.groups + 1):
            if found[group]:
                self.cuts.append((at + begins, at + found.start(group)))
                begins = found.end(group)
        self.cuts.append((at + begins, at + found.end()))

    def pointer(self, text: str) -> Pointer | None:
        """Return where it points to, all in all; *text* is the prompt."""
        if not self.kinds:
            return None
        left = list(text)
        for start, end in self.cuts:
            left[start:end] = [""] * (end - start)
        topic = _trimmed("".join(left))
        after, before = self.window or (None, None)
        cues = {name: rf"(?<![a-z]){_any(cue)}" for name, cue in words.TYPES.items()}
        return Pointer(
            after=after,
            before=before,
            last_session="last" in self.kinds and self.window is None,
            only_points=not topic,
            topic=topic,
            types=tuple(name for name, cue in cues.items() if re.search(cue, self.spoken)),
        )


def _meant(pattern: re.Pattern[str], clause: str) -> Iterator[re.Match[str]]:
    """Yield what *pattern* finds in *clause*, unless it is a condition or tells about data."""
    for found in pattern.finditer(clause):
        before = clause[max(0, found.start() - 20) : found.start()].removesuffix("that ").split()
        if not before or before[-1] not in words.UNSHARED:
            yield found


def _belong(deed: re.Match[str], timed: re.Match[str]) -> bool:
    """Tell whether *timed* is when *deed* was done."""
    if timed.end() <= deed.start():
        return deed.start() - timed.end() <= 3
    between = timed.string[deed.end() : timed.start()]
    is_near = timed.start() >= deed.start() and len(between) <= WIDEST_GAP
    return is_near and not _is_other_matter(between)


def _is_other_matter(text: str) -> bool:
    return not words.BREAKS.isdisjoint(re.findall(r"[\w']+|[,:(]", text))


def _trimmed(text: str) -> str:
    """Return *text* without the words at its edges that say nothing.

    >>> _trimmed("can you about the login page again?")
    'login page'
    """
    left = text.split()
    for edge in (0, -1):
        while left and left[edge].strip(_EDGE).lower() in words.IDLE:
            del left[edge]
    kept = re.sub(r" (?=[,.?!:;])", "", " ".join(left)).strip(_EDGE)
    idle = _any(words.IDLE_UNSPACED)
    return re.sub(f"^{idle}+|{idle}+$", "", kept).strip(_EDGE)


@cache
def _pattern(language: words.PointingWords, kind: str) -> re.Pattern[str]:
    """Return the pattern for all phrases of a *kind*; its groups are what stays in the topic.

    It is for words in lower case, and compiled when it is first needed.
    """
    signs, sign = _signs(language), r"\(\?<?[!=]| ?(?:…|END)|THE |[A-Z]{2,}|[][()<>]"
    phrases = (*language.counted, "NAMED") if kind == "times" else getattr(language, kind)
    found = "|".join(re.sub(sign, lambda one: signs.get(one[0], one[0]), one) for one in phrases)
    found = f"(?:{found or '(?!)'})"
    begins, ends, space = (r"(?<![\w-])", r"(?![\w-])", " ") if language.is_spaced else ("", "", "")
    polite, owner = signs["POLITE"], r"(?P<owner>'?s(?= )|[的の])?"
    frames = {
        "times": rf"{begins}{found}{owner}{ends}(?! {_any(words.COMPOUND)}\b)",
        "before": f"{begins}{found} ?$",
        "after": f"{found}{ends}",
        "go_on": f"(?:{polite}[,!.]*{space})*+{found}(?:,?{space}{polite})*",
    }
    return re.compile(frames.get(kind, begins + found + ends))


@cache
def _signs(language: words.PointingWords) -> dict[str, str]:
    """Return what the signs and lists of a phrase are in a pattern."""
    gap = rf"[^,:(，、]{{0,{WIDEST_GAP if language.is_spaced else 12}}}?"
    counts, units = _any(_table(language.counts)), _any(_table(language.units))
    day, month = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?", _any(_table(words.MONTHS))
    brackets = {"(": "(?:", "[": "(?:", "]": ")?", "<": "(", ">": ")"}
    return brackets | {
        "…": f"({gap})",
        " …": f"( {gap}|)",
        " END": rf"(?= *(?:$|[,:;)]|{_any(words.END)}\b))",
        "THE ": rf"(?:^|{_any(words.THE)}(?: |(?<=')))(?:[\w'{_HIDDEN}-]+ ){{0,4}}?",
        "WORD": r"[\w-]+",
        "AGO": rf"(?P<ago>(?:\d{{1,3}}|{counts}) ?)(?P<ago_unit>{units})",
        "SPAN": rf"(?P<span>(?:\d{{1,3}}|{counts}) ?)?(?P<span_unit>{units})",
        "NAMED": f"(?P<named>{_any(_table(language.times))})",
        "DATE": rf"(?P<date>\d{{4}}-\d\d-\d\d|{day}(?: of)? {month}|{month}(?: {day})?)",
        "DONE": _any(language.done),
        "DO": _any(language.do),
        "THING": _any(language.things),
        "POLITE": _any(language.polite),
    }


@cache
def _table(text: str) -> dict[str, str]:
    """Return the name of every word: `2: two,a couple` is `{"two": "2", "a couple": "2"}`."""
    rows = (row.split(":") for row in text.split(";") if row)
    return {word.strip(): name.strip() for name, listed in rows for word in listed.split(",")}


def _any(words_: str | Iterable[str]) -> str:
    """Return a pattern for any of *words_*, the longest first."""
    listed = words_.split(",") if isinstance(words_, str) else words_
    return f"(?:{'|'.join(sorted(listed, key=len, reverse=True))})"


def _window(
    timed: re.Match[str], language: words.PointingWords, lead: str, *, now: datetime
) -> Window | None:
    """Return from when to when *timed* is, up to *now*; None if that is not past."""
    parts = timed.groupdict("")
    amounts = _table(language.counts) | _table(language.units)
    if parts["named"]:
        days = _named(_table(language.times)[parts["named"]], now.date())
    elif parts.get("date"):
        days = _dated(parts["date"], lead, now.date())
    else:
        kind = "ago" if parts["ago_unit"] else "span"
        count = parts[kind].strip() or "1"
        days = _counted(amounts.get(count, count), amounts[parts[f"{kind}_unit"]], kind, now)
    if days is None:
        return None
    midnight = datetime.combine(now, time(), tzinfo=now.tzinfo)
    after, before = ((midnight + timedelta(days=count)).timestamp() for count in days)
    before = now.timestamp() if lead in words.SINCE else min(before, now.timestamp())
    return (after, before) if after < before else None


def _named(name: str, today: date) -> Days | None:
    monday, first = -today.weekday(), 1 - today.day
    if name in moments.WEEKDAYS:
        # On a Monday, who speaks of Monday means the last one; else they would say today.
        since = (today.weekday() - moments.WEEKDAYS.index(name)) % 7 or 7
        return -since, 1 - since
    new_year = 1 - today.timetuple().tm_yday
    days_of_last_month = (today + timedelta(days=first - 1)).day
    days_of_last_year = (today + timedelta(days=new_year - 1)).timetuple().tm_yday
    return {
        "today": (0, 1),
        "this morning": (0, 0.5),
        "last night": (-0.25, 0.25),
        "yesterday": (-1, 0),
        "two days ago": (-2, -1),
        "the other day": (-14, 0),
        "weekend": (monday - 2, monday),
        "this week": (monday, 1),
        "last week": (monday - 7, monday),
        "this month": (first, 1),
        "last month": (first - days_of_last_month, first),
        "this year": (new_year, 1),
        "last year": (new_year - days_of_last_year, new_year),
    }.get(name)


def _counted(count: str, unit: str, kind: str, now: datetime) -> Days:
    """Return the days about so long *ago*, half a unit around, or the *span* since then."""
    length = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365}[unit]
    first = -length * ((7 if unit == "day" else 6) if count == "few" else int(count))
    if unit == "hour":
        first += (now.hour + now.minute / 60) / 24
        return first - length / 2, (first + length / 2 if kind == "ago" else 1)
    if kind == "span" or count == "few":
        return first, (1 if kind == "span" else 0)
    return first - length // 2, first + length // 2 + 1


def _dated(text: str, lead: str, today: date) -> Days | None:
    """Return the day or the month of a date; without its year it is the latest that is past."""
    months = _table(words.MONTHS)
    month, number = re.search(_any(months), text), re.search(r"\d+", text)
    if not (number or lead in words.WHEN):
        return None
    try:
        if month is None:
            first = date.fromisoformat(text)
        else:
            first = date(today.year, int(months[month[0]]), int(number[0]) if number else 1)
            first = first if first <= today else first.replace(year=today.year - 1)
    except ValueError:
        return None
    end = first + timedelta(days=1) if number else (first + timedelta(days=31)).replace(day=1)
    return (first - today).days, (end - today).days
