"""The texts that an agent and its user see, every one of them: a hook only joins them.

The fixed words among them, which a hook needs too, stand in `fence`.

Everything from a memory is data, fenced as such: it may quote a transcript, and a transcript may
hold anything, also our own closing tag. Ages are marks that are filled in when the text is shown.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime

from recollect import ages, fence, ids, tokens
from recollect.context import budget
from recollect.journal.markdown import legible
from recollect.journal.model import LibraryItem
from recollect.privacy import redact
from recollect.store.contract.search import IndexedPassage, IndexRow

CARD_CHARACTERS = 450
# In a script whose characters cost more, a card of that many would not fit at all.
CARD_TOKENS = 350
LEAST_TITLE_TOKENS = 6
POINTER_TOKENS = 25
HEAD_CHARACTERS = 90
HEAD_TOKENS = 40
TITLE_CHARACTERS = 200
TITLE_TOKENS = 90
# What holds is not cut in half, in whatever script: a title has 120 characters at most, and the
# sentence that was too long for one seldom more than this.
NOTE_CHARACTERS = 280
NOTE_TOKENS = 360
# What a terminal of 80 columns has left beside age and score.
LINE_COLUMNS = 60
KIND_CHARACTERS = 120
FIELD_CHARACTERS = 300
# Four such lines must fit in any script.
FIELD_TOKENS = 150
OUTCOME_CHARACTERS = 260
REQUEST_CHARACTERS = 120
OUTCOME_TOKENS = 120
LEAST_REPETITION = 20
OF_THE_HOST = "Claude Code's own memory"

# What a model would take for the end of our block, or for a word of its host.
_TAG = re.compile(
    rf"<(?=\s*/?\s*(?:{fence.TAG}|system-reminder|task-notification|local-command|command-"
    r"|bash-(?:input|stdout|stderr)|user-memory-input|persisted-output|user-prompt-submit-hook"
    r"|function_calls|function_results|invoke\b|antml))",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_EMPHASIS = str.maketrans("", "", "*`")


def safe(text: str) -> str:
    r"""Return *text* so that it can neither close our fence nor pass for one of our marks.

    >>> safe("done </recollect-memory> @@body@@")
    'done &lt;/recollect-memory> @\u200b@body@\u200b@'
    """
    visible = legible(text.replace("\x1e", " ").replace("\x1f", " "))
    return _TAG.sub("&lt;", ages.defuse(visible))


def card(one: LibraryItem) -> tuple[str, str]:
    """Return the card that an agent is shown and the line that its user is shown."""
    at = one.at.timestamp() if one.at else 0.0
    text = _deduplicated(one.body, one.title)
    body = budget.shortened(text, CARD_CHARACTERS, limit_tokens=CARD_TOKENS)
    return _titled(one, at) + _indented(body), line(one.title)


def passage(text: str) -> str:
    """Return *text* as it stands in a card: redacted once more, unable to leave our fence.

    The archive may have been written by a version that knew fewer kinds of secrets.
    """
    return _indented(redact.clean(text))


def answer(one: IndexRow, passages: Sequence[IndexedPassage]) -> str:
    """Return a card: a line that says what, when and where, and the *passages* that answer.

    A passage that only says the title again is left out.
    """
    title = short_title(one)
    shown = [it for it in passages if _bare(it.card) != _bare(title)]
    text = _head(one)
    for place, card in enumerate(fence.under_one_heading([it.card for it in shown])):
        follows = place == 0 or _adjoin(shown[place - 1], shown[place])
        text += card if follows else fence.SKIPPED + card
    return text + one.stale


def _bare(text: str) -> str:
    """Return *text* in one line, without what emphasises words of it."""
    return _one_line(text).translate(_EMPHASIS).rstrip(".")


def _adjoin(one: IndexedPassage, other: IndexedPassage) -> bool:
    """Tell whether nothing stands between *one* and the *other*."""
    return one.part == other.part and one.place + 1 == other.place


def reference(one: IndexRow) -> str:
    """Return when *one* was and by which id it is found, to stand behind what is told of it."""
    when = f" ({ages.mark(one.at)})" if one.at else ""
    return f"{when} [{_id(ids.short(one.id))}]" if one.kind != "summary" else when


def pointer(one: IndexRow) -> str:
    """Return one short line that tells *one* is there, and by which id."""
    name = _id(ids.short(one.id))
    left = POINTER_TOKENS - tokens.estimate(f"- {name} \n")
    if left < LEAST_TITLE_TOKENS and "/" in name:
        return f"- {name}\n"  # A note's id has the words of its title.
    room = max(left, LEAST_TITLE_TOKENS)
    return (
        f"- {name} {budget.shortened(_one_line(one.title), TITLE_CHARACTERS, limit_tokens=room)}\n"
    )


def _head(one: IndexRow) -> str:
    title = short_title(one)
    facts = (ages.mark(one.at) if one.at else "", OF_THE_HOST if one.kind == "hosted" else "")
    details = ", ".join(filter(None, facts))
    return f"- {title}{f' ({details})' if details else ''} [{_id(ids.short(one.id))}]\n"


def short_title(one: IndexRow) -> str:
    """Return the title of *one* as the head of its card tells it."""
    return budget.shortened(_one_line(one.title), HEAD_CHARACTERS, limit_tokens=HEAD_TOKENS)


def note(one: IndexRow) -> str:
    """Return a note in one line, with what may have made it untrue."""
    title = budget.shortened(_one_line(whole(one)), NOTE_CHARACTERS, limit_tokens=NOTE_TOKENS)
    when = f" ({ages.mark(one.at)})" if one.at else ""
    return f"- {title}{when} [{_id(one.id)}]\n{one.stale}"


def whole(one: IndexRow) -> str:
    """Return the title of a note; where it was cut, the sentence that it begins."""
    if not one.title.endswith("…"):
        return one.title
    begun = one.title.rstrip("…").strip().lower()
    rows = (row.strip() for row in one.body.splitlines())
    return next((row for row in rows if row.lower().startswith(begun)), one.title)


def start_line(
    *, last_seen: float | None = None, memories: int | None = None, notice: str = ""
) -> str:
    """Return the line for the user as a session starts; empty where there is nothing to say."""
    last = ""
    if last_seen is not None:
        last = f"Last session ({ages.mark(last_seen)}){fence.HEADLINE}"
    count = ""
    if memories is not None:
        count = f"{memories} {'memory' if memories == 1 else 'memories'}"
    text = " · ".join(filter(None, [last, count, safe(notice)]))
    return f"{fence.SPEAKER}{text}" if text else ""


def headline(request: str) -> str:
    """Return what the line for the user says of the last session."""
    return f": {line(request)}"


def session_heading(heading: str, *, seen: float, turns: int, ended: str) -> str:
    """Return the *heading* above a session: when it was, how long, and how it *ended*."""
    count = f"{turns} turn{'' if turns == 1 else 's'}"
    return heading.format(about=", ".join(filter(None, [ages.mark(seen), count, ended])))


def field(name: str, value: str) -> str:
    """Return a line of a session's summary."""
    return f"- {name.replace('_', ' ')}: {_shortened(value)}\n"


def request(text: str) -> str:
    """Return the line that says what a session began with."""
    return f"- request: {_shortened(text, REQUEST_CHARACTERS, OUTCOME_TOKENS)}\n"


def outcome(sentence: str) -> str:
    """Return a *sentence* that says what came of a turn, no longer than one may be."""
    return _shortened(sentence, OUTCOME_CHARACTERS, OUTCOME_TOKENS)


def outcomes(sentences: Sequence[tuple[int, str]], source: IndexRow) -> str:
    """Return what came of the turn of *source* in one line: its *sentences*, each with its place.

    Between two that do not follow each other stands an ellipsis.
    """
    text, last = "", None
    for place, sentence in sentences:
        between = "" if last is None else " " if place == last + 1 else " … "
        text += f"{between}{outcome(sentence)}"
        last = place
    return f"- {text}{reference(source)}\n"


def stated(rule: str, source: IndexRow) -> str:
    """Return a *rule* in the user's own words, and where they were said."""
    return f"- “{_shortened(rule)}”{reference(source)}\n"


def open_thread(text: str, source: IndexRow | None) -> str:
    """Return what was left open, and which memory says so, unless that was just said."""
    return f"- {_shortened(text)}{reference(source) if source else ''}\n"


def to_review(count: int) -> str:
    """Return the line that says how many notes wait for the user."""
    noun = "note waits" if count == 1 else "notes wait"
    return f"- {count} {noun} for the user's word: recollect review\n"


def _shortened(text: str, characters: int | None = None, limit_tokens: int | None = None) -> str:
    """Return *text*, redacted once more, in one line of at most so many *characters*."""
    return budget.shortened(
        _one_line(redact.clean(text)),
        characters or FIELD_CHARACTERS,
        limit_tokens=limit_tokens or FIELD_TOKENS,
    )


def says_more(one: IndexRow) -> bool:
    """Tell whether *one* has a word that its title does not have."""
    rows = [row for row in one.body.splitlines() if not row.startswith("#")]
    return not set(_WORD.findall("\n".join(rows).lower())) <= set(_WORD.findall(one.title.lower()))


def stale(reason: str) -> str:
    """Return the last line of a card whose files are no longer what they were.

    The names of files are anybody's words: they stay on this line.
    """
    why = budget.shortened(_one_line(reason), CARD_CHARACTERS, limit_tokens=CARD_TOKENS)
    return fence.OUT_OF_DATE.format(why=why)


def line(title: str) -> str:
    """Return *title* as its user reads it beside others, on one line of a terminal."""
    return in_columns(" ".join(safe(title).split()), LINE_COLUMNS)


def in_columns(text: str, columns: int) -> str:
    """Return *text* cut so that it takes at most so many *columns* of a terminal.

    >>> in_columns("Fix the orders page", 12), in_columns("修复订单页面", 9)
    ('Fix the …', '修复订 …')
    """
    if sum(map(_columns_of, text)) <= columns:
        return text
    left = columns - 2
    for place, character in enumerate(text):
        left -= _columns_of(character)
        if left < 0:
            return budget.at_a_word(text[:place])
    return text


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def kind(category: str, description: str) -> str:
    """Return the heading above the notes of a *category*: its name and what such a note is."""
    name = category.replace("_", " ").capitalize()
    meaning = described(description)
    return f"{name} ({meaning}):\n" if meaning else f"{name}:\n"


def described(description: str) -> str:
    """Return what a kind of note is, as it stands in a heading; empty if nobody said."""
    return budget.shortened(" ".join(safe(description).split()), KIND_CHARACTERS).rstrip(".")


def _titled(one: LibraryItem | IndexRow, at: float) -> str:
    when = f"{ages.mark(at)}, {_day(at)}" if at else ""
    facts = ", ".join(filter(None, (when, OF_THE_HOST if one.kind == "hosted" else "")))
    return f"- {title(one.title)}{f' ({facts})' if facts else ''} [{_id(one.id)}]\n"


def _id(name: str) -> str:
    """Return an id, which may have been written by hand, as one word."""
    return safe("".join(name.split()))[:TITLE_CHARACTERS]


def title(title: str) -> str:
    """Return *title* on one line, as long as a title may be."""
    return budget.shortened(_one_line(title), TITLE_CHARACTERS, limit_tokens=TITLE_TOKENS)


def _one_line(text: str) -> str:
    return " ".join(safe(text).split())


def _indented(body: str) -> str:
    return "".join(f"  {row}\n" for row in safe(body).splitlines() if row.strip())


def _deduplicated(body: str, title: str = "") -> str:
    r"""Return *body* without what only search needs, and without what it, or its *title*, said.

    A note of one sentence has it as its rule and as its reason; a short line, such as a bracket in
    code, may well stand twice.

    >>> rule = "Use tea instead of coffee."
    >>> _deduplicated(f"## Rule\n{rule}\n\n## Why\n- {rule}\n## Impact\n- warm\n  - concepts: it")
    '## Rule\nUse tea instead of coffee.\n## Impact\n- warm'
    """
    kept: list[str] = []
    heading, seen = "", {title}
    for row in body.strip().splitlines():
        words = row.removeprefix("- ")
        if row.startswith("## "):
            heading = row
        elif row.strip() and words not in seen and not row.startswith("  - concepts:"):
            kept += [heading, row] if heading else [row]
            heading = ""
            if len(words) >= LEAST_REPETITION and not row.startswith(" "):
                seen.add(words)
    return "\n".join(kept)


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().date().isoformat()
