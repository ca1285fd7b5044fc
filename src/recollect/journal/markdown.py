"""Entries and summaries as Markdown, and back.

    ### 14:32 Fix the N+1 query in order-service
    <!-- recollect: {"id":"…","turn":"…","session":"…", …,"hash":"…"} -->
    - **bugfix** N+1 query in `get_orders` fixed with `selectinload`
      - text: …
      - facts: the orders page issues 1 query instead of 41
      - files: `src/orders/db.py`, `src/orders/api.py` (modified), `tests/test_orders.py` (read)
      - concepts: problem-solution, gotcha

Every value stands on one line behind a mark of ours, so none can begin a heading or an
anchor. Reading takes what it can use and leaves the rest.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, tzinfo
from functools import lru_cache
from typing import cast

from recollect import ids
from recollect.journal import sections
from recollect.journal.model import (
    OBSERVATION_TYPES,
    SUMMARY_FIELDS,
    JournalEntry,
    LibraryItem,
    Observation,
    ObservationType,
    Summary,
    carried,
)
from recollect.journal.sections import Anchor, Section

LONGEST_TITLE = 120

# Controls (but for tab and line ends), marks of direction, spaces without width, and the tags
# that repeat ASCII unseen.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)

_LONG_AGO = datetime.fromtimestamp(0, UTC)
_FILE_FIELDS = ("files_read", "files_edited")
_CLOCK = re.compile(r"\d\d:\d\d(?:\s+|$)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d$")
_ID = re.compile(r"[\w.-]{1,80}", re.ASCII)
_BULLET = re.compile(r"\s*[-*+]\s")
_OBSERVATION = re.compile(r"[-*+]\s+\*\*(\w+)\*\*\s*(.*)")
_DETAIL = re.compile(r"\s*[-*+]\s+(\w+):\s*(.*)")
_MARK = re.compile(r"[-*+]\s+\*\*\w+\*\*\s*|\s+[-*+]\s+(?:text|facts):\s*")
_NAMES = re.compile(r"\s+[-*+]\s+(?:files|concepts):")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)(?:\s+\((\w+)\))?")


def render_entry(entry: JournalEntry, *, local: tzinfo | None = None) -> str:
    """*entry* as it stands in the journal, with the clock of *local* (None: this machine's)."""
    heading = f"### {entry.at.astimezone(local):%H:%M} {title_line(entry.headline)}".rstrip()
    anchor = Anchor(
        id=entry.id,
        turn=entry.turn,
        line=entry.line,
        session=entry.session,
        host=entry.host,
        at=f"{entry.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        **carried(entry),
    )
    return _anchored(heading, _lines(entry), anchor)


def render_summary(summary: Summary, *, summary_id: str) -> str:
    """*summary* as it stands below its session's heading: eight fields, some empty."""
    lines = [f"- {field}: {_summary_value(summary, field)}".rstrip() for field in SUMMARY_FIELDS]
    anchor = Anchor(id=summary_id, session=summary.session, by=summary.by, of=summary.of)
    return _anchored("### Summary", lines, anchor)


def digest(entries: Iterable[JournalEntry]) -> str:
    """What *entries* say, in a few characters: when one changes, so does it."""
    return ids.text_hash("\n".join(map(body_of, entries)))


def body_of(entry: JournalEntry) -> str:
    """What *entry* says, without its anchor."""
    return "\n".join((entry.headline, *_lines(entry)))


def _lines(entry: JournalEntry) -> list[str]:
    return [line for observation in entry.observations for line in _observation(observation)]


def _anchored(heading: str, lines: list[str], anchor: Anchor) -> str:
    signed = replace(anchor, hash=ids.text_hash("\n".join([heading, *lines])))
    return "\n".join([heading, signed.render(), *lines, ""])


def _observation(observation: Observation) -> Iterator[str]:
    yield f"- **{observation.type}** {title_line(observation.title)}".rstrip()
    if text := value_line(observation.text):
        yield f"  - text: {text}"
    for fact in filter(None, map(value_line, observation.facts)):
        yield f"  - facts: {fact}"
    roles = {"modified": observation.files_modified, "read": observation.files_read}
    spans = {role: ", ".join(_code_spans(names)) for role, names in roles.items()}
    files = [f"{names} ({role})" for role, names in spans.items() if names]
    if files:
        yield f"  - files: {', '.join(files)}"
    concepts = filter(None, (value_line(name.replace(",", " ")) for name in observation.concepts))
    if listed := ", ".join(concepts):
        yield f"  - concepts: {listed}"


def _summary_value(summary: Summary, field: str) -> str:
    value = getattr(summary, field)
    return ", ".join(_code_spans(value)) if field in _FILE_FIELDS else value_line(value)


def _code_spans(names: Iterable[str]) -> Iterator[str]:
    """Each name between as many backticks as it needs."""
    for name in filter(None, map(value_line, names)):
        longest = max(map(len, re.findall("`+", name)), default=0)
        fence = "`" * (longest + 1)
        pad = " " if "`" in (name[0], name[-1]) else ""
        yield f"{fence}{pad}{name}{pad}{fence}"


def title_line(text: str) -> str:
    """*text* as a title: one visible line of at most 120 characters."""
    return _without_comment_marks(_cut(one_line(text), LONGEST_TITLE))


def value_line(text: str) -> str:
    """*text* as a value: one line that can neither open nor close a comment."""
    return _without_comment_marks(one_line(text))


def one_line(text: str) -> str:
    r"""*text* on one line, without characters that nobody can see.

    >>> one_line("Fix\u200b the\n  build\x07")
    'Fix the build'
    """
    visible = (
        character
        for character in text
        if character.isspace() or unicodedata.category(character) not in ("Cc", "Cf", "Cs")
    )
    return " ".join("".join(visible).split())


def legible(text: str) -> str:
    r"""*text* without characters that hide or turn round what stands beside them.

    Joiners stay between letters that are not ASCII: some scripts, and emoji, are written with
    them.

    >>> legible("pay \u202eecnuo eno\u202c\u200b now\x1b[2J")
    'pay ecnuo eno now[2J'
    """
    return _HIDDEN.sub("", text)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _without_comment_marks(text: str) -> str:
    # A backslash is how Markdown itself takes the meaning from a character.
    return text.replace("<!--", r"<\!--").replace("-->", r"--\>")


def _with_comment_marks(text: str) -> str:
    return text.replace(r"<\!--", "<!--").replace(r"--\>", "-->")


def kept(text: str, *, day: date | None) -> list[LibraryItem]:
    """Everything in the *text* of a day file, ours and the user's, in its order.

    Of two sections with one id the one that the user changed is kept, else the first.
    Hand-written text is dated by *day*.
    """
    return list(_kept(text, day))


# What was written is read by who sums up the session, and by who looks what the user changed.
@lru_cache(maxsize=2)
def _kept(text: str, day: date | None) -> tuple[LibraryItem, ...]:
    found: dict[str, LibraryItem] = {}
    session = ""
    parts = sections.split(text)
    for number, section in enumerate(parts):
        if section.anchor is None and 0 < section.level <= 2:
            session = _session_below(parts, number)
        memory = _anchored_memory(section) or _hand_written(section, session, day)
        if memory and (memory.id not in found or (memory.edited and not found[memory.id].edited)):
            found[memory.id] = memory
    return tuple(sorted(found.values(), key=lambda memory: memory.first_line))


# A day file is read again after every turn, and most of its sections are the same objects.
@lru_cache(maxsize=8_192)
def _anchored_memory(section: Section) -> LibraryItem | None:
    anchor = section.anchor
    if anchor is None or not (anchor.turn or anchor.session):
        return None
    return LibraryItem(
        id=anchor.id if _ID.fullmatch(anchor.id) else ids.content_id(section.own_text),
        kind="entry" if anchor.turn else "summary",
        title=_title(section),
        body=section.body,
        at=anchor_time(anchor),
        session=anchor.session,
        turn=anchor.turn,
        host=anchor.host,
        edited=section.edited,
        **carried(anchor),
        first_line=section.first_line,
        last_line=section.last_line,
    )


def _hand_written(section: Section, session: str, day: date | None) -> LibraryItem | None:
    body = section.body
    of_ours = section.session_clock is not None or _DAY.match(section.heading) is not None
    title = "" if of_ours else _title(section)
    if not title and not body.strip():
        return None
    return LibraryItem(
        # The day belongs to the content: "Lunch" on two days is two memories.
        id=ids.content_id(f"{day}\n{title}\n{body}"),
        kind="hand",
        title=title or _cut(one_line(body.strip().split("\n")[0]), LONGEST_TITLE),
        body=body,
        # Noon in Greenwich is the same day nearly everywhere.
        at=datetime.combine(day, time(12), UTC) if day else None,
        session=session,
        edited=True,
        first_line=section.first_line,
        last_line=section.last_line,
    )


def _session_below(parts: list[Section], number: int) -> str:
    """The session that the heading *number* is for, as the first anchor below it says."""
    for section in parts[number + 1 :]:
        if section.anchor:
            return section.anchor.session
        if 0 < section.level <= 2:
            break
    return ""


def _title(section: Section) -> str:
    heading = _CLOCK.sub("", section.heading, count=1) if _CLOCK.match(section.heading) else None
    return _with_comment_marks(one_line(section.heading if heading is None else heading))


def anchor_time(anchor: Anchor) -> datetime | None:
    """When the turn of *anchor* began, or its session, in UTC."""
    try:
        at = datetime.fromisoformat(anchor.at)
    except ValueError:
        return ids.moment(anchor.id)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def parse_entry(memory: LibraryItem) -> JournalEntry:
    """The entry that *memory* was rendered from, with the user's changes that we can read."""
    return JournalEntry(
        id=memory.id,
        turn=memory.turn,
        session=memory.session,
        host=memory.host,
        at=began(memory),
        headline=memory.title,
        observations=parse_observations(memory),
        **carried(memory),
    )


def began(memory: LibraryItem) -> datetime:
    """When the turn of *memory* began; long ago if nobody knows."""
    return memory.at or _LONG_AGO


def parse_observations(memory: LibraryItem) -> tuple[Observation, ...]:
    """The observations in the body of *memory*; a type we do not know counts as a change."""
    return _observations(memory.body)


@lru_cache(maxsize=4_096)
def _observations(body: str) -> tuple[Observation, ...]:
    observations: list[Observation] = []
    for line in _unwrapped(body):
        if head := _OBSERVATION.match(line):
            observations.append(
                Observation(type=_type(head[1]), title=_with_comment_marks(head[2].strip()))
            )
        elif observations and (detail := _DETAIL.match(line)):
            value = _with_comment_marks(detail[2].strip())
            observations[-1] = _with_detail(observations[-1], detail[1], value)
    return tuple(observations)


def plain(memory: LibraryItem) -> str:
    r"""What the body of *memory* says, without our marks and without what only lists names.

    >>> body = "- **change** Tea\n  - files: `a.py`"
    >>> plain(LibraryItem(id="a", kind="entry", title="Tea", body=body))
    'Tea'
    """
    if memory.kind != "entry":
        return memory.body
    lines = (line for line in memory.body.split("\n") if not _NAMES.match(line))
    return "\n".join(_MARK.sub("", line) for line in lines)


def _type(word: str) -> ObservationType:
    known = word.lower() if word.lower() in OBSERVATION_TYPES else "change"
    return cast(ObservationType, known)


def _with_detail(observation: Observation, name: str, value: str) -> Observation:
    match name:
        case "text":
            return replace(observation, text=value)
        case "facts":
            return replace(observation, facts=(*observation.facts, value))
        case "files":
            return replace(
                observation,
                files_modified=_listed(value, "modified"),
                files_read=_listed(value, "read"),
            )
        case "concepts":
            names = tuple(name.strip() for name in value.split(",") if name.strip())
            return replace(observation, concepts=names)
        case _:
            return observation


def parse_summary(memory: LibraryItem) -> Summary:
    """The summary in the body of *memory*; a field that is not there is empty."""
    values: dict[str, str] = {}
    for line in _unwrapped(memory.body):
        detail = _DETAIL.match(line)
        if detail and detail[1] in SUMMARY_FIELDS:
            values[detail[1]] = _with_comment_marks(detail[2].strip())
    texts = {name: text for name, text in values.items() if name not in _FILE_FIELDS}
    return Summary(
        session=memory.session,
        files_read=_listed(values.get("files_read", ""), None),
        files_edited=_listed(values.get("files_edited", ""), None),
        **texts,
    )


def _listed(value: str, role: str | None) -> tuple[str, ...]:
    """The names between backticks; with a *role* those that have it, or stand before one that has.

    >>> _listed("`a.py`, `b.py` (modified), `c.py` (read)", "modified")
    ('a.py', 'b.py')
    """
    found: list[str] = []
    told = None
    for span in reversed(list(_CODE.finditer(value))):
        told = span[3] or told
        if role is None or told == role:
            found.append(span[2].strip())
    return tuple(reversed(found))


def _unwrapped(body: str) -> list[str]:
    """The lines of *body*, each bullet with the lines that an editor wrapped it onto."""
    lines: list[str] = []
    for line in body.split("\n"):
        continues = line.strip() and not _BULLET.match(line)
        if continues and lines and lines[-1].strip():
            lines[-1] = f"{lines[-1].rstrip()} {line.strip()}"
        else:
            lines.append(line)
    return lines
