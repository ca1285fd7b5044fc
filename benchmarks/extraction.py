"""How good the journal alone is beside everything that was said, and how much smaller.

The coding sessions are imported as ever and asked twice: with the archived turns, and after
these are gone, so that only what the extractive engine wrote is left to be found.
"""

import json
import time
from collections.abc import Iterable, Iterator

from benchmarks import coding_sessions, corpus
from benchmarks.coding_sessions import DEPTH, SESSION_ID
from benchmarks.corpus import Corpus
from benchmarks.measures import hit, ndcg, quantile
from benchmarks.options import Options
from benchmarks.report import Part, at_most
from recollect.journal.extractive import Extractive
from recollect.store import turn_text
from recollect.store.contract.library import Archive
from recollect.transcripts.turns import CleanTurn

# How far a search of the journal may fall behind one of everything that was said …
MOST_BEHIND = 0.03


def run(part: Part, options: Options) -> None:
    """Import the sessions, ask the subjects with and without the turns, and compare."""
    given = coding_sessions.files(part, options)
    if not given:
        return
    packed, subjects = given
    asked = [json.loads(line) for line in subjects.open(encoding="utf-8")]
    with corpus.opened() as shelf:
        coding_sessions.fill(part, shelf, packed)
        turns = list(_turns(shelf))
        part.say(f"{len(turns)} turns, {len(asked)} questions")
        of_everything = [_found(shelf, str(query["query"])) for query in asked]
        _forget_turns(shelf)
        of_journal = [_found(shelf, str(query["query"])) for query in asked]
        for query, whole, kept in zip(asked, of_everything, of_journal, strict=True):
            _note(part, query, whole, kept)
        _show(part)
        _show_sizes(part, shelf, turns)
        _show_speed(part, turns)


def _turns(shelf: Corpus) -> Iterator[CleanTurn]:
    for archived in _archives(shelf):
        for session in archived.sessions():
            yield from archived.read(session)


def _archives(shelf: Corpus) -> list[Archive]:
    everyone = shelf.app.projects.all()
    return [shelf.app.inside.library(project.name).archive for project in everyone]


def _forget_turns(shelf: Corpus) -> None:
    for archived in _archives(shelf):
        archived.prune(max_bytes=0)
    for project in shelf.app.projects.all():
        shelf.app.upkeep.sync(project.name)


def _found(shelf: Corpus, subject: str) -> list[str]:
    """Return the sessions that answer *subject*, best first; each scores by its best entry."""
    everyone = shelf.app.projects.all()
    entries = shelf.app.search.search(subject, among=everyone, limit=DEPTH, min_score=0.0)
    return list(dict.fromkeys(one.entry.session for one in entries))[:10]


def _note(part: Part, query: dict[str, object], whole: list[str], kept: list[str]) -> None:
    sessions = query["gold_sessions"]
    assert isinstance(sessions, list)
    # A gold session is named after its file, which ends in the session's id.
    gold = {str(name)[-SESSION_ID:] for name in sessions}
    part.asked(
        question=query["query"],
        gold=sorted(gold),
        found=kept,
        hit5=hit(kept[:5], gold),
        ndcg10=ndcg(kept, gold, depth=10),
        whole_hit5=hit(whole[:5], gold),
        whole_ndcg10=ndcg(whole, gold, depth=10),
    )


def _show(part: Part) -> None:
    for name, measure in (("hit@5", "hit5"), ("nDCG@10", "ndcg10")):
        whole = part.mean(f"whole_{measure}")
        part.figure(f"{name}, journal alone", part.mean(measure), beside=f"all text {whole:.3f}")
    behind = part.mean("whole_hit5") - part.mean("hit5")
    part.figure("hit@5, behind all text", behind, promise=at_most(MOST_BEHIND))


def _show_sizes(part: Part, shelf: Corpus, turns: list[CleanTurn]) -> None:
    """Titles and bodies as they stand in the journal, against the text of the turns.

    That is what a search of everything goes through: what was said, and of the tools the files
    that were changed, the commands and the plans. What they printed is not searched.
    """
    said = _size("\n".join((turn.prompt, *turn.remarks, turn.answer)) for turn in turns)
    done = _size(turn_text.deeds(turn) for turn in turns)
    entries, summaries = _written(shelf, "entry"), _written(shelf, "summary")
    part.figure("entries, of the text searched", entries / (said + done))
    part.figure("entries, of what was said alone", entries / said)
    part.figure("summaries besides, of the text searched", summaries / (said + done))


def _size(texts: Iterable[str]) -> int:
    return sum(len(text.encode(errors="replace")) for text in texts)


def _written(shelf: Corpus, kind: str) -> int:
    libraries = (shelf.app.inside.library(project.name) for project in shelf.app.projects.all())
    kept = (one for own in libraries for day in own.days() for one in own.items_on(day))
    return _size(f"{one.title}\n{one.body}" for one in kept if one.kind == kind)


def _show_speed(part: Part, turns: list[CleanTurn]) -> None:
    engine = Extractive()
    taken = []
    for turn in turns:
        began = time.perf_counter()
        engine.observe(turn)
        taken.append((time.perf_counter() - began) * 1000)
    part.figure("a turn, median", quantile(taken, 0.5), unit="ms")
    part.figure("a turn, 99 of 100", quantile(taken, 0.99), unit="ms")
