"""A session in eight fields, from its entries. What is not sure is left out."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from recollect.memories.model import Entry, Observation, Summary
from recollect.synthesis import plans, report, salience, sentences
from recollect.synthesis.salience import Candidate
from recollect.synthesis.sentences import cut
from recollect.transcripts.turns import Turn
from recollect.typed import ASKED

LONGEST_FIELD = 400
LONGEST_REQUEST = 240
# What was done is what most people look for: for each turn what was asked and what came of it.
LONGEST_COMPLETED = 1_200
LONGEST_ASKED = 90
LONGEST_DEED = 280
MOST_DEEDS = 3
# What is longer is no sentence; patterns stay quick on the rest.
LONGEST_TOLD = 800
MOST_LESSONS = 3
# A lesson that has so much of another's words says the same.
SAME_LESSON = 0.7
# What is longer is a list, not something that was learned or done.
LONGEST_LINE = 240
MOST_FILES = 20
# So many turns back, a plan is still one of this session.
LOOK_BACK = 10
# A reason told in fewer telling words cannot be understood by itself.
FEWEST_WORDS = 4

# From this version on a headline says what came of a turn; before, what was asked.
_TELLS_OUTCOME = re.compile(r"extractive/(?:[3-9]|\d\d)")
# Facts that are no lessons: what was asked, what a command printed, where a commit is.
_NO_LESSON = re.compile(
    r"(?:asked|on the way): |commit \w+$|ran `|`[^`]*`(?:$|:| (?:passed|failed))"
)
# What tells a cause whatever it stands in; and what does so in the account of a search or a fix.
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|turn(?:s|ed) out"
    r"|the (?:problem|issue|bug|cause|reason|culprit) (?:is|was)"
    r"|ursache|la cause|la causa)\b|^(?:cause|gotchas?):\s|原因|원인",
    re.IGNORECASE,
)
# Who says "the issue is" mostly guesses, and must tell more than who names the root cause.
_ROOT_CAUSE = re.compile(r"\broot cause\b|\bturned out\b|\bcaused by\b|^cause:", re.IGNORECASE)
_REASON = re.compile(r"\b(?:because|due to|which is why|that'?s why|weil)\b|因为|ため|때문", re.I)
_OWN_DEED = re.compile(r"\W*(?:I|we|you)\b", re.IGNORECASE)
_COMMIT = re.compile(r"commit [0-9a-f]{7,40}$")
_VERBS = (
    r"(?:add|fix|chang|remov|rebas|squash|consolidat|adjust|tighten|replac|mov|renam|extract|updat"
    r"|creat|implement|introduc|refactor|split"
    r"|merg|convert|simplif|dropp|switch|wir|rais|lower|revert|delet|bump|pinn|enabl|disabl|rewr"
    r"|wr[io]t|buil[dt]|commit|push|document|generat|clean|made|make|address|restor|migrat|deploy"
    r"|releas|publish|install|configur|cut|reduc|speed|sped|resolv|clos|open|ship)"
)
# Something was done: by its verb, by "now", or by what became of it. "Push when ready" tells what
# to do, so a verb that opens a line is in the past.
_DONE = re.compile(
    r"^\W*(?:(?:I|we)(?:'ve| have)? |successfully |also |all |done[:.—-] )*"
    rf"(?:{_VERBS}\w*ed|dropped|made|wrote|written|built|rewrote|cut|sped|split)\b"
    rf"|\b(?:is|are|was|were|has been|have been|been) (?:\w+ly |now |also )?{_VERBS}\w*\b"
    r"|\w\W+(?:now|no longer)\b|\b(?:is|are) (?:gone|in(?: place)?|back)\b"
    r"|^\S+(?: \S+){0,2} (?:created|opened|merged|published|saved|written)\b|`[^`]+` → `",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:might|may be|maybe|perhaps|probably|not sure|i (?:think|see|suspect|guess)|should|would"
    r"|could|will|likely|seems?|if|diagnostics)\b|\?$|^/",
    re.IGNORECASE,
)
# What is told of a deed may have its conditions; that it was done must be sure.
_HEDGED = re.compile(
    r"\b(?:might|maybe|perhaps|probably|not sure|i (?:think|see|suspect|guess)|seems?"
    r"|diagnostics)\b|\?$|^/",
    re.IGNORECASE,
)
_ONLY_DONE = re.compile(r"Changed (?:\d+ files$|`)|Committed\b")
# True of every turn that ends well, or an invitation: it does not stand for what was done.
_ASIDE = re.compile(
    r"^\W{0,10}(?:all (?:the )?(?:\d+ )?(?:\w+ )?(?:tests?|checks|green|lint\w*)\b"
    r"|(?:the )?(?:tests?|lint\w*|build|ci|everything)\b.{0,20}\b(?:pass|clean|green|works)"
    r"|(?:committed|pushed|no changes|commits? created|implementation (?:is )?complete|working tree"
    r"|so there|you'll want|you (?:can|may|should|need)|make sure|run|try|ready to"
    r"|(?:the )?(?:branch|pr) is)\b|fixed:)"
    r"|\b(?:is clean now|tests? pass(?:es|ing)?)\b",
    re.IGNORECASE,
)
_NO_SENTENCE = re.compile(
    r"\W*\||.*[:?]\W*$|[`{}();=,\s\w.]*`?[{}();,]$|\W*(?:do|would|should|shall) (?:you|I|we)\b",
    re.I,
)
_NO_LABEL = re.compile(
    r"\W*\||.*\?\W*$|\s*[{<\[(]|.*(?:\d{4}-\d\d-\d\d|\S@\S| -> |\$ )"
    r"|\W*(?:hm+|oh|fml|lol|yep|yeah)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_LISTS = re.compile(r": .+; ")
_ITEM = re.compile(r"; |: | [-—] ")
# Talk, or a reason that stands behind what was cut off.
_NO_POINT = re.compile(
    r"\W*(?:yeah|yep|ah|hm+|ok)\b|.*\b(?:because|due to|since)(?: of)?\W*$|.*[:{}]\W*$", re.I
)


def summarise(
    entries: Sequence[Entry], *, last: Turn, before: Callable[[], Iterable[Turn]] = tuple
) -> Summary:
    """Return the session of the *last* turn; *entries* are its turns, oldest first.

    What is still to be done is often said before the turn that commits: the turns *before* the
    last, the latest first, are asked where that says nothing.
    """
    seen = [observation for entry in entries for observation in entry.observations]
    prompts = {last.key: last.prompt}
    if any(_is_by_model(entry) for entry in entries):
        prompts |= {turn.key: turn.prompt for turn in before()}
    edited = _names(each.files_modified for each in seen)
    read = [name for name in _names(each.files_read for each in seen) if name not in edited]
    return Summary(
        session=last.session,
        request=_request(entries, prompts),
        investigated=_latest(_findings(entries)),
        learned=_latest(_different([line for entry in entries for line in _lessons(entry)])),
        completed=_completed(entries, prompts),
        next_steps=_latest(_open_ends(entries, last) or _left_before(entries, before())),
        files_read=tuple(read[-MOST_FILES:]),
        files_edited=tuple(edited[-MOST_FILES:]),
        notes=_latest(_notes(entries, last)),
    )


def asked_in(entry: Entry, prompts: Mapping[str, str]) -> str:
    """Return what the user wrote in the turn of *entry*: as it tells, or by the *prompts*."""
    facts = (fact for each in entry.observations for fact in each.facts)
    said = next((fact.removeprefix(ASKED) for fact in facts if fact.startswith(ASKED)), "")
    if said or (entry.observations and _TELLS_OUTCOME.match(entry.by)):
        return said
    if _is_by_model(entry) and entry.turn in prompts:
        headline = sentences.headline(prompts[entry.turn])
    else:
        headline = _headline(entry)
    return "" if headline == sentences.NO_PROMPT else headline


def _is_by_model(entry: Entry) -> bool:
    return not entry.by.startswith("extractive/")


def _headline(entry: Entry) -> str:
    return entry.headline.removesuffix(sentences.INTERRUPTED)


def _request(entries: Sequence[Entry], prompts: Mapping[str, str]) -> str:
    """Return what was asked for first, and the requests that tell most of what came later."""
    memories = [entry for entry in entries if entry.observations] or entries
    asked = list(filter(None, (asked_in(entry, prompts) for entry in memories)))
    telling = [line for line in asked if not sentences.is_thin(line)]
    first = next(iter(telling or filter(sentences.says_something, asked)), "".join(asked[:1]))
    later = [Candidate(text=line) for line in telling if _is_request(line) and line != first]
    room = LONGEST_REQUEST - len(first)
    chosen = {one.text for one in salience.choose(later, room=room, known=[first])}
    kept = [line for line in dict.fromkeys(telling) if line in chosen and len(line) <= room]
    return _joined([first, *kept]) if kept else first


def _is_request(line: str) -> bool:
    """Tell a request from the deed that stands for one that said nothing."""
    return not sentences.tells_deed(line) and not _ONLY_DONE.match(line)


def _findings(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield what was found out where nothing was changed."""
    for entry in entries:
        for each in entry.observations:
            if each.type == "discovery":
                yield _headline(entry) if _TELLS_OUTCOME.match(entry.by) else each.title


def _lessons(entry: Entry) -> Iterator[str]:
    """Yield the causes and reasons that a turn found, a sentence each."""
    for number, each in enumerate(entry.observations):
        if each.type == "decision":
            continue
        if number == 0 and _TELLS_OUTCOME.match(entry.by):
            outcome = sentences.split(_headline(entry))
            yield from (line for line in outcome if _is_lesson(line, each))
        done = "" if _TELLS_OUTCOME.match(entry.by) else _deed(each)
        yield from (line for line in _sentences(each) if _is_lesson(line, each) and line != done)


def _sentences(seen: Observation) -> Iterator[str]:
    told = (seen.title, seen.text, *seen.facts)
    facts = (fact for fact in told if not _NO_LESSON.match(fact))
    return (line for fact in facts for line in sentences.split(fact) if len(line) <= LONGEST_LINE)


def _is_lesson(line: str, seen: Observation) -> bool:
    if sentences.is_thin(line) or sentences.leans(line) or _UNSURE.search(line):
        return False
    if _NO_POINT.match(line) or _LISTS.search(line):
        return False
    if _ROOT_CAUSE.search(line):
        return True
    if len(sentences.telling_words(line)) < FEWEST_WORDS:
        return False
    if _CAUSE.search(line):
        return True
    explains = seen.type in ("discovery", "bugfix") and _REASON.search(line) is not None
    return explains and not _OWN_DEED.match(line) and not report.is_choice(line)


def _different(lessons: Sequence[str]) -> list[str]:
    """Return the last few of *lessons* that say different things, in their order.

    What was found out last is what holds; a guess before it may have been wrong.
    """
    kept: list[str] = []
    for lesson in reversed(lessons):
        own = set(sentences.telling_words(lesson))
        others = (set(sentences.telling_words(one)) for one in kept)
        is_told = any(
            len(own & other) >= SAME_LESSON * min(len(own), len(other)) for other in others
        )
        if not is_told and len(kept) < MOST_LESSONS:
            kept.append(lesson)
    return kept[::-1]


def _completed(entries: Sequence[Entry], prompts: Mapping[str, str]) -> str:
    """Return what was done, turn by turn, as much of it as fits: the turns that changed most."""
    told = [(_size(entry), place, _deed_of(entry, prompts)) for place, entry in enumerate(entries)]
    chosen: dict[int, str] = {}
    room = LONGEST_COMPLETED
    for _, place, line in sorted(told, key=lambda one: (-one[0], -one[1])):
        if line and line not in chosen.values() and len(line) + 2 <= room:
            chosen[place] = line
            room -= len(line) + 2
    return _joined(chosen[place] for place in sorted(chosen))


def _done_in(entry: Entry) -> list[Observation]:
    return [each for each in entry.observations if each.type not in ("discovery", "decision")]


def _size(entry: Entry) -> int:
    """Return how much a turn changed: its files, and that somebody found it worth a commit."""
    done = _done_in(entry)
    files = {name for each in done for name in each.files_modified}
    return len(files) + 2 * any(_COMMIT.match(fact) for each in done for fact in each.facts)


def _deed_of(entry: Entry, prompts: Mapping[str, str]) -> str:
    """Return what a turn was asked and what came of it; empty if it changed nothing."""
    done = _done_in(entry)
    if not done:
        return ""
    if not _TELLS_OUTCOME.match(entry.by):
        told = [_headline(entry) if _ONLY_DONE.match(it.title) else _deed(it) for it in done]
        return cut(_joined(dict.fromkeys(told)), LONGEST_FIELD)
    asked = asked_in(entry, prompts)
    subjects = [each.title for each in done if any(map(_COMMIT.match, each.facts))]
    told = [line for each in done for line in _told_of(each)]
    headline = _headline(entry).removeprefix(f"{asked}: ")
    lines = [line.rstrip(" .") for line in (*sentences.split(headline), *told)]
    news = (line for line in dict.fromkeys(lines) if line not in asked)
    deeds = [line for line in news if _worth(line)]
    # A headline is often the beginning of a sentence that stands below it.
    whole = [line for line in deeds if not any(_begins(line, it) for it in (*deeds, asked))]
    best = sorted(sorted(whole, key=_worth, reverse=True)[:MOST_DEEDS], key=lines.index)
    files = ", ".join(f"`{name}`" for name in _names(each.files_modified for each in done))
    changed = f"changed {files}" if files else ""
    deed = _one_item("; ".join(subjects or best) or changed, LONGEST_DEED)
    # A question or a paste, and what a commit says better, only makes it longer.
    is_named = bool(subjects) or _NO_LABEL.match(asked) or sentences.is_thin(asked)
    if is_named or not deed or asked in deed:
        return deed
    return f"{_one_item(asked, LONGEST_ASKED)}: {deed}"


def _begins(line: str, other: str) -> bool:
    begun, whole = line.rstrip(" .…"), other.rstrip(" .…")
    return len(whole) > len(begun) and whole.startswith(begun)


def _told_of(seen: Observation) -> Iterator[str]:
    """Yield the sentences and lists of an observation; a list stays whole."""
    for told in (seen.text or seen.title, *seen.facts):
        if not _NO_LESSON.match(told):
            yield from ([told] if _LISTS.search(told) else sentences.split(told))


def _one_item(text: str, characters: int) -> str:
    """Return *text* so that it is one item among others, which semicolons divide."""
    return cut(text.replace("; ", ", "), characters).rstrip(" .:")


def _worth(line: str) -> float:
    """Return how well *line* tells what was done; 0 if it does not."""
    if len(line) > LONGEST_TOLD or _NO_SENTENCE.match(line) or " | " in line:
        return 0.0
    if _CAUSE.search(line) or _HEDGED.search(line) or _ASIDE.search(line):
        return 0.0
    if not any(_DONE.search(item) for item in _ITEM.split(line)):
        return 0.0
    return 1 + 0.5 * bool(_FIGURE.search(line)) + 0.5 * ("`" in line) + bool(_LISTS.search(line))


def _deed(seen: Observation) -> str:
    """Return what was done; where the title tells the cause, a fact may tell that."""
    facts = (fact for fact in seen.facts if not _NO_LESSON.match(fact))
    done = [fact for fact in facts if sentences.tells_deed(fact)]
    return done[0] if done and _CAUSE.search(seen.title) else seen.title


def _open_ends(entries: Sequence[Entry], last: Turn) -> list[str]:
    left = [_step(one) for one in report.left_open(last.answer)]
    if last.interrupted and entries:
        asked = asked_in(entries[-1], {last.key: last.prompt})
        left.insert(0, f"resume: {asked or _headline(entries[-1])}")
    return left


def _step(text: str) -> str:
    """Return *text* so that it is one step among others, which semicolons divide."""
    return text.replace("; ", ", ")


def _left_before(entries: Sequence[Entry], before: Iterable[Turn]) -> list[str]:
    """Return what the latest turn with a plan left to do, as far as nothing later took it up."""
    for turn in itertools.islice(before, LOOK_BACK):
        if left := report.left_open(turn.answer):
            keys = [entry.turn for entry in entries]
            behind = entries[keys.index(turn.key) + 1 :] if turn.key in keys else entries
            later = [plans.words(_told(entry)) for entry in behind]
            return [_step(one) for one in left if not plans.is_taken_up(one, later)]
    return []


def _told(entry: Entry) -> str:
    facts = (fact for each in entry.observations for fact in (each.title, each.text, *each.facts))
    return "\n".join([entry.headline, *facts])


def _notes(entries: Sequence[Entry], last: Turn) -> list[str]:
    """Return what was decided, and that the last turn was cut off."""
    decided = [
        f"decided: {each.title}"
        for entry in entries
        for each in entry.observations
        if each.type == "decision"
    ]
    cut_off = f"the last of {len(entries)} turns was interrupted"
    return [*decided, cut_off] if last.interrupted else decided


def _names(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))


def _latest(lines: Iterable[str]) -> str:
    """Return as many of *lines* as fit, the latest first to stay: they say where things stand."""
    kept: list[str] = []
    room = LONGEST_FIELD
    for line in reversed(list(dict.fromkeys(lines))):
        room -= len(line) + 2
        if room < 0 and kept:
            break
        kept.append(cut(line, LONGEST_FIELD))
    return _joined(reversed(kept))


def _joined(lines: Iterable[str]) -> str:
    return "; ".join(line.rstrip(".;") for line in lines)
