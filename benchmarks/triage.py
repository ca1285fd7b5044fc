"""Which turns become notes: precision and recall for each category, on the labelled dialogues.

`check` is what counts; `tune` is what whoever writes the cues may look at.
"""

from collections.abc import Iterator

from benchmarks import triage_set
from benchmarks.options import Options
from benchmarks.report import NOTHING, Part, at_least
from benchmarks.triage_set import Row, Score
from recollect.config import Settings
from recollect.notes.triage import Activity, Proposal, SpokenMessage, takes_back, triage

PRECISION, RECALL = at_least(0.90), at_least(0.80)

HALVES: tuple[triage_set.Half, ...] = ("check", "tune")


def run(part: Part, _options: Options) -> None:
    """Print what triage proposes for each dialogue against what it should."""
    rows = {half: triage_set.load(half) for half in HALVES}
    proposed = {row.id: _proposed(row) for half in HALVES for row in rows[half]}
    part.say(f"{len(rows['check'])} dialogues in `check`, {len(rows['tune'])} in `tune`")
    for half in HALVES:
        for row in rows[half]:
            found = [(one.category, one.score, one.sentence) for one in proposed[row.id]]
            part.asked(
                id=row.id,
                half=half,
                language=row.language,
                wanted=sorted(row.categories),
                proposed=found,
            )
    names = {id_: {one.category for one in found} for id_, found in proposed.items()}
    check, tune = (triage_set.by_category(rows[half], names) for half in HALVES)
    for category, score in check.items():
        _show(part, category, score, tune[category], promised=True)
    by_language = [triage_set.by_language(rows[half], names) for half in HALVES]
    for language, score in by_language[0].items():
        _show(part, language, score, by_language[1][language], promised=False)


def _proposed(row: Row) -> list[Proposal]:
    """What is made of a dialogue as it goes on, turn by turn, and not taken back in the next."""
    activity = Activity(
        tool_uses=len(row.tools),
        distinct_tools=len(set(row.tools)),
        exchanges=sum(one.by == "user" for one in row.dialogue),
    )
    thresholds = Settings().triage_thresholds
    found = triage([], activity=activity, thresholds=thresholds)
    latest: list[Proposal] = []
    before: list[SpokenMessage] = []
    for turn in _turns(row):
        found += [] if takes_back(turn[0].text) else latest
        latest = triage(turn, before=before, activity=Activity(), thresholds=thresholds)
        before = turn
    return found + latest


def _turns(row: Row) -> Iterator[list[SpokenMessage]]:
    """The dialogue in turns; what an agent says first is one of its own."""
    turn: list[SpokenMessage] = []
    for one in row.dialogue:
        if turn and one.by == "user":
            yield turn
            turn = []
        turn.append(SpokenMessage(by=one.by, text=one.text))
    yield turn


def _show(part: Part, name: str, check: Score, tune: Score, *, promised: bool) -> None:
    for measure, promise in (("precision", PRECISION), ("recall", RECALL)):
        part.figure(
            f"{name}: {measure}",
            getattr(check, measure),
            promise=promise if promised else NOTHING,
            beside=f"tune {getattr(tune, measure):.3f}",
        )
