"""What a search found, as every surface shows it: plain data, ready for JSON."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import NotRequired, TypedDict

from recollect import fence, tokens
from recollect.journal import passages
from recollect.search import newer
from recollect.search.search import FoundPassage, SearchResult
from recollect.store.contract.search import IndexRow
from recollect.transcripts.turns import ToolCall

# Where hardly anything scores well enough, so many of the closest are shown, if they are near.
CLOSEST = 5
NEAR = 0.06
# What was found is not quite what was asked for.
NOTHING_IS_SURE = 1.1
# What a result usually costs, with its title.
RESULT_TOKENS = 150
MOST_PASSAGES = 4
LONGEST_DEED = 100

SHOWN_INPUTS = (
    *("command", "file_path", "path", "notebook_path", "pattern", "url", "description"),
)


class SearchRequest(TypedDict):
    """A search as a surface asks for it."""

    question: str
    limit: int
    min_score: float | None
    project: str | None
    all_projects: bool
    include_archived: bool
    explain: bool
    folder: str
    for_agent: NotRequired[bool]
    """Whoever asks is not the user: what is kept from agents is left out."""
    confined: NotRequired[bool]
    """They keep to their own project, whatever is asked."""


def of(
    found: Sequence[SearchResult], *, explain: bool, min_score: float = 0.0
) -> list[dict[str, object]]:
    """Return one short description a result: enough to judge it, and its id to see it whole.

    What is less likely than *min_score* is weak: the closest there is.
    """
    return [_result(one, explain=explain, min_score=min_score) for one in found]


def with_closest(found: Sequence[SearchResult], *, min_score: float) -> list[SearchResult]:
    """Return those of *found* that reach *min_score*, and if these are few, the closest others."""
    sure = sum(one.score >= min_score for one in found)
    return list(found[: max(sure, CLOSEST)])


def of_entry(entry: IndexRow) -> dict[str, object]:
    """Return an entry whole."""
    return {**_headline(entry), "body": entry.body}


def iso(timestamp: float) -> str:
    """Return *timestamp* as programs read it; empty for none."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(timestamp)) if timestamp else ""


def deed(call: ToolCall) -> str:
    """Return a tool call in a line: its name, and the one input that tells most about it."""
    given = (call.input.get(field) for field in SHOWN_INPUTS)
    most = next((one for one in given if isinstance(one, str) and one), "")
    return f"{call.name} {most.strip().partition(chr(10))[0][:LONGEST_DEED]}".rstrip()


def _headline(entry: IndexRow) -> dict[str, object]:
    return {
        "id": entry.id,
        "title": entry.title,
        "at": iso(entry.at),
        "project": entry.project,
        "kind": entry.kind,
        "category": entry.category,
        "hidden_reason": entry.hidden_reason,
        "aside": entry.hidden_reason,  # Its former name, until 0.2.
        "stale": entry.stale.strip(),
        "types": entry.types.split(),
        "session": entry.session,
        "turn": entry.turn,
        "host": entry.host,
        "branch": entry.branch,
        "file": entry.document,
        "lines": [entry.first_line, entry.last_line],
    }


def _result(one: SearchResult, *, explain: bool, min_score: float) -> dict[str, object]:
    result = {
        "score": round(one.score, 3),
        "weak": one.score < min_score,
        **_headline(one.entry),
        "timestamp": one.entry.at,
        "passages": _texts(shown_passages(one)),
        "similar": one.similar,
    }
    return {**result, "why": _why(one)} if explain else result


def shown_passages(one: SearchResult) -> list[FoundPassage]:
    """Return the passages of a result that are shown: the best that fit, in order."""
    chosen: list[FoundPassage] = []
    for found in one.passages:
        more = sorted([*chosen, found], key=lambda it: it.passage.place)
        known = [one.entry.title, *(other.passage.text for other in chosen)]
        fits = len(more) <= MOST_PASSAGES and _cost(one, more) <= RESULT_TOKENS
        if not chosen or (fits and passages.says_more(found.passage.text, known)):
            chosen = more
    return chosen


def _cost(one: SearchResult, shown: Sequence[FoundPassage]) -> int:
    return tokens.usual("\n".join((one.entry.title, *_texts(shown))))


def _texts(shown: Sequence[FoundPassage]) -> list[str]:
    texts = [newer.marked(found.passage.text, found.replaced) for found in shown]
    return fence.under_one_heading(texts)


def _why(one: SearchResult) -> dict[str, object]:
    rounded = {
        group: {name: _rounded(value) for name, value in asdict(part).items()}
        for group, part in (
            ("matches", one.matches),
            ("signals", one.signals),
            ("circumstances", one.circumstances),
        )
    }
    return {"rank": round(one.rank, 3), **rounded, "in_words": "; ".join(reasons(one))}


def _rounded(value: object) -> object:
    return round(value, 3) if isinstance(value, float) else value


def _matched(share: float) -> str:
    """Say how much of a question is matched.

    >>> _matched(1.0), _matched(0.667)
    ('matches all your words', 'matches 67% of your words')
    """
    return f"matches {'all' if share > 0.995 else f'{share:.0%} of'} your words"


def reasons(one: SearchResult) -> list[str]:
    """Return why *one* was found, in words."""
    signals, circumstances = one.signals, one.circumstances
    found = []
    if signals.named:
        found.append("has the name that you asked for")
    if signals.term_coverage:
        found.append(_matched(signals.term_coverage))
    if signals.turn_coverage > signals.term_coverage:
        found.append(f"its turn {_matched(signals.turn_coverage)}")
    if signals.is_compared:
        found.append(f"near in meaning ({signals.nearness:.2f})")
    if one.matches.neighbour_match > one.matches.text_match:
        found.append("stands beside entries that fit")
    if one.matches.done:
        found.append("files, commands or plans of that turn fit")
    if circumstances.a_note:
        found.append("is a note")
    if circumstances.by_hand:
        found.append("you wrote or corrected it")
    if circumstances.same_branch:
        found.append("is of the same branch")
    if circumstances.same_files:
        found.append("is about a file that was named")
    if circumstances.ignored:
        found.append("was shown often and never used")
    return found or ["the filters let it through"]
