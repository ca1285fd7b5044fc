"""Answer a question with memories, or with nothing.

Lists come from the index, by words and by meaning; `rank` puts them in one order and says how
sure each answer is. What is not sure enough is not shown.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from recollect.journal.passages import says_more
from recollect.search import rank, score, wants, word_weights
from recollect.search.facts import FilterFacts
from recollect.search.query import Query
from recollect.search.rank import Circumstances, Lists, Matches
from recollect.search.score import Signals
from recollect.search.wants import Wants
from recollect.search.word_weights import WordWeights
from recollect.store.contract.search import (
    SHORTEST_NAME,
    ByMeaning,
    ByNames,
    ByWords,
    IndexedPassage,
    IndexRow,
    Replacement,
    Scope,
    SearchIndex,
    Sketch,
)
from recollect.text import question as asks
from recollect.text import term_weights, thesaurus
from recollect.text.identifiers import identifiers
from recollect.text.terms import terms

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector

# Each list contributes its best; more would only cost. With filters more is looked at, because
# most of it may be turned away.
DEPTH = 100
FILTERED_DEPTH = 2_000
# Of what all lists found together, so many are looked at closely, or so many times what is shown.
LIKELY = 60
TIMES_SHOWN = 3
# Whole entries are fetched so many at a time, in order, until enough are shown.
AT_A_TIME = 20

# A proper name that so many of the entries have is left out of what is looked up by meaning.
EVERYWHERE = 0.45

# From here on a prompt is taken to ask what was: "which database do we use?"
ASKS_FOR_THE_PAST = 0.5

# Of the best candidates, so many are looked at for what later turns replaced …
LOOKED_AT_FOR_NEWER = 14
# … and what replaced it in its turn, so many times over.
MOST_SUCCESSORS = 4
# What holds now comes before what it replaced.
NEWER_FIRST = 0.01
# A passage that fits its entry's best by less is shown with it, so what replaced it is, too.
SHOWN_TOGETHER = 2.5

# The parts of a turn that say what its entry may repeat.
SPOKEN = ("said", "remarked")

# Of one entry and its turn, so many passages are returned.
MOST_PASSAGES = 8

# Two answers that share so many of their words say the same.
SAME = 0.9

IsCurrent = Callable[[IndexRow], bool]

Embed = Callable[[str], "Callable[[], Vector | None]"]
"""Begins to turn a question into a vector, and returns what waits for it.

There is none when that cannot be done now."""


def no_vector(_: str) -> "Callable[[], Vector | None]":
    """Search by words alone."""
    return lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked, where, and how much of an answer is wanted."""

    query: Query
    limit: int
    min_score: float
    projects: Sequence[str] | None = None
    """Where to look; None means everywhere."""
    rarer_than: float = term_weights.TOO_COMMON
    """Words that a larger share of the entries has are not asked for."""
    least_weight: float = 0.0
    """Without a name, and without asking for the past, words that weigh less are not answered: "run
    the tests"."""
    include_hidden: bool = False
    """Also what is kept but not shown unasked: archived and superseded notes."""
    branch: str = ""
    asked_in: str = ""
    """The session that asks; what it did itself stands in its context already …"""
    asked_since: float = 0.0
    """… unless that was before its context was compacted."""
    ignored: frozenset[str] = frozenset()
    """Ids of what was shown often and never used: it sinks."""
    now: float | None = None
    """When it is asked, if not at this moment."""
    meaning: str = ""
    """What is compared by its meaning, if not the whole text of the query."""
    error: str = ""
    """What of it is an error that was pasted."""
    prior: float = score.SEARCHED
    """What speaks for an answer before anything is found."""
    by_size: float = score.BY_SIZE
    """How much a larger memory counts against an answer."""
    read_wants: "Callable[[Vector | None], Wants]" = lambda _: wants.ASKED
    """Tells from the vector of a prompt what it wants; who searches wants to find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage:
    """A passage that answers a question, and what speaks for it."""

    passage: IndexedPassage
    rank: float
    """What the order goes by."""
    signals: Signals
    replaced: tuple[Replacement, ...] = ()
    """What later turns say instead, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One memory that answers a question, how surely, and why."""

    entry: IndexRow
    score: float
    """How likely it answers the question, 0–1, whatever else was found."""
    rank: float = 0.0
    """What the order of the results goes by."""
    matches: Matches = field(default_factory=Matches)
    signals: Signals = field(default_factory=Signals)
    """What speaks for its best passage."""
    circumstances: Circumstances = field(default_factory=Circumstances)
    passages: tuple[FoundPassage, ...] = ()
    """The passages that answer, best first."""
    weight: float = 0.0
    """What the words of the question weigh together, in the measure of a usual memory."""
    similar: int = 0
    """How many others that say the same were left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A question taken apart, and what each leg found for it."""

    size: int = 0
    depth: int = DEPTH
    names: tuple[str, ...] = ()
    words: ByWords = field(default_factory=ByWords)
    weights: WordWeights = field(default_factory=WordWeights)
    named: ByNames = field(default_factory=ByNames)
    meaning: ByMeaning = field(default_factory=ByMeaning)
    wants: Wants = wants.UNKNOWN
    asks_for_the_past: bool = False
    has_names_in_error: bool = False


@dataclass(slots=True, kw_only=True)
class _Pool:
    """The candidates and where each stands."""

    sketches: dict[int, Sketch]
    circumstances: dict[int, Circumstances]
    scored: dict[int, dict[int, Signals]]
    """What speaks for each passage of each entry."""
    best: dict[int, Signals]
    ranks: dict[int, float]
    raised: dict[int, float] = field(default_factory=dict)
    """The rank of passages that stand for what they replaced …"""
    by_itself: dict[int, float] = field(default_factory=dict)
    """… and the one that their entries have without."""
    replaced: dict[int, tuple[Replacement, ...]] = field(default_factory=dict)
    """What later turns say instead of a passage."""

    def rank_of(self, entry: int, passage: int) -> float:
        """Return where a *passage* of *entry* stands."""
        rank = self.by_itself.get(entry, self.ranks[entry])
        own = rank - (self.best[entry].score - self.scored[entry][passage].score)
        return max(own, self.raised.get(passage, own))

    def rank_beside(self, entry: int, passage: int) -> float:
        """Return where the card stands in which a *passage* of *entry* is shown."""
        rank, best = self.rank_of(entry, passage), self.ranks[entry]
        return best - NEWER_FIRST if best - SHOWN_TOGETHER <= rank < best else rank + NEWER_FIRST


def search(
    index: SearchIndex,
    request: Request,
    *,
    embed: Embed = no_vector,
    is_current: IsCurrent | None = None,
) -> list[SearchResult]:
    """Return the memories that answer *request*, best first.

    *is_current* tells whether a memory still stands in the library as the index has it.
    """
    is_current = is_current or index.is_unchanged
    with index.reading():
        scope = index.lexical.scope(request.projects)
        if not scope.size or request.query.is_empty:
            return []
        # Nobody can be asked for "the" or for nothing, but for what happened yesterday.
        text = request.query.text
        if request.query.is_filtered and not (terms(text) or identifiers(text)):
            return _by_time(index, request, scope, is_current)
        asked = _ask(index, request, scope, embed)
        says_enough = asked.weights.substance >= request.least_weight or asked.named.asked
        if not says_enough and not asked.asks_for_the_past:
            return []
        return _chosen(index, request, asked, is_current)


def _ask(index: SearchIndex, request: Request, scope: Scope, embed: Embed) -> _Asked:
    text = request.query.text
    depth = FILTERED_DEPTH if request.query.is_filtered else DEPTH
    capitalised = [word for word in text.split()[1:] if word[0].isupper()]
    counts = index.lexical.frequencies(scope, terms(text), to_the_end=terms(" ".join(capitalised)))
    weights = term_weights.weights(counts, scope.size, rarer_than=request.rarer_than)
    in_error = _names(request.error)
    names = in_error or _names(text)
    # A name counts whole: what is like half of ORD-9999 answers nothing.
    of_names = {word for name in names for word in terms(name)}
    # The model thinks while we look the words up.
    awaited = embed(_without_common_names(request.meaning or text, counts, scope.size))
    members = thesaurus.members(text)
    words = index.lexical.find(
        scope, list(weights), counts, apart=of_names, members=members, limit=depth
    )
    # An error also names what only this machine has.
    named = index.lexical.named(scope, names, only_known=bool(in_error))
    vector = awaited()
    wanted = request.read_wants(vector)
    return _Asked(
        size=scope.size,
        depth=depth,
        names=names,
        words=words,
        weights=word_weights.of(weights, apart=of_names, kinds=members),
        named=named,
        meaning=index.nearest(vector, request.projects, limit=depth)
        if vector is not None
        else ByMeaning(),
        wants=wanted,
        asks_for_the_past=vector is not None and wanted.past >= ASKS_FOR_THE_PAST,
        has_names_in_error=bool(in_error),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in identifiers(text) if len(name) >= SHORTEST_NAME)


def _without_common_names(text: str, counts: Mapping[str, int], size: int) -> str:
    """Return *text* without the proper names that every other entry here has.

    In a project where everybody is called Anna, a question about Anna would lie nearest to
    entries that are about nothing but Anna. Other common words carry the meaning.
    """
    most = max(size * EVERYWHERE, term_weights.COMMON_FROM)
    common = {word for word, count in counts.items() if count > most}
    if not common or len(common) == len(counts):
        return text
    first, *rest = text.split()
    return " ".join([first, *(word for word in rest if not _is_name_of(word, common))])


def _is_name_of(word: str, names: set[str]) -> bool:
    parts = set(terms(word)) if word[0].isupper() else set()
    return bool(parts) and parts <= names


def _chosen(
    index: SearchIndex, request: Request, asked: _Asked, is_current: IsCurrent
) -> list[SearchResult]:
    """Return what answers, best first: the pool, how each fits, and how likely the best does."""
    matches = _candidates(asked, request)
    sketches = index.sketches(list(matches))
    circumstances = _all_circumstances(index, sketches, asked, request)
    scored = _all_scored(index, sketches, asked)
    best = {number: max(those.values(), key=_by_score) for number, those in scored.items()}
    compared = {
        number: signals.score
        + matches[number].bonus(is_compared=signals.is_compared)
        + circumstances[number].bonus
        for number, signals in best.items()
    }
    ranks = rank.supported(compared, {number: one.session for number, one in sketches.items()})
    ranks = rank.names_first(ranks, asked.named.share)
    order = _in_turn(ranks, asked, sketches)
    if not order:
        return []
    first = order[0]
    pool = _Pool(
        sketches=sketches, circumstances=circumstances, scored=scored, best=best, ranks=ranks
    )
    weight = asked.weights.whole
    answerable = request.prior + score.answerability(
        best[first],
        weight=weight,
        size=asked.size,
        wants=asked.wants,
        by_size=request.by_size,
        names_are_asked_for=asked.has_names_in_error,
    )
    # What only compares the candidates with each other says nothing of the first of them.
    answerable -= score.BY_SCORE * (ranks[first] - best[first].score - circumstances[first].bonus)
    if _prefer_newer(index, request, asked, pool, order[:LOOKED_AT_FOR_NEWER]):
        order = _in_turn(ranks, asked, sketches)
    found = (
        SearchResult(
            entry=entry,
            score=score.likelihood(ranks[entry.key], answerable),
            rank=ranks[entry.key],
            matches=matches.get(entry.key) or Matches(),
            signals=best[entry.key],
            circumstances=circumstances[entry.key],
            weight=score.usual_weight(weight, asked.size),
        )
        for entry in _in_order(index, order)
        if _is_allowed(index, entry, request) and is_current(entry)
    )
    likely = takewhile(lambda one: one.score >= request.min_score, found)
    return [
        replace(one, passages=_best_passages(index, pool, one.entry.key))
        for one in _without_twins(likely, request.limit)
    ]


def _prefer_newer(
    index: SearchIndex,
    request: Request,
    asked: _Asked,
    pool: _Pool,
    looked_at: Sequence[int],
) -> bool:
    """Let what replaced a passage stand where that passage stands; tell whether any did.

    The older one fits the prompt for what it is about; the newer one says what holds, often in
    words that the prompt does not have.
    """
    waiting = {
        passage: number
        for number in looked_at
        for passage in _fitting(pool.scored[number], MOST_PASSAGES)
    }
    text = request.meaning or request.query.text
    for _ in range(MOST_SUCCESSORS):
        found = index.replacements(list(waiting))
        newer: dict[int, int] = {}
        for passage, replacements in found.items():
            pool.replaced[passage] = tuple(replacements)
            entry = waiting[passage]
            for one in replacements:
                if one.is_name and not asks.is_question(text):
                    continue
                rank = pool.rank_of(entry, passage) + NEWER_FIRST
                if not one.is_name and asks.asks_for_a_value(text):
                    rank = pool.rank_beside(entry, passage)
                _add(index, request, asked, pool, one.entry)
                if one.by in pool.scored.get(one.entry, {}):
                    _raise(pool, one, rank)
                    newer[one.by] = one.entry
        waiting = {passage: entry for passage, entry in newer.items() if passage not in found}
        if not waiting:
            break
    return bool(pool.raised)


def _add(index: SearchIndex, request: Request, asked: _Asked, pool: _Pool, entry: int) -> None:
    """Make *entry* a candidate if it is none."""
    if entry in pool.ranks:
        return
    sketches = index.sketches([entry])
    scored = _all_scored(index, sketches, asked)
    if entry not in scored:
        return
    pool.sketches |= sketches
    pool.scored |= scored
    pool.circumstances |= _all_circumstances(index, sketches, asked, request)
    best = pool.best[entry] = max(scored[entry].values(), key=_by_score)
    pool.ranks[entry] = best.score + pool.circumstances[entry].bonus


def _raise(pool: _Pool, one: Replacement, rank: float) -> None:
    pool.by_itself.setdefault(one.entry, pool.ranks[one.entry])
    pool.raised[one.by] = max(rank, pool.raised.get(one.by, rank))
    pool.ranks[one.entry] = max(rank, pool.ranks[one.entry])


def _in_turn(
    ranks: Mapping[int, float], asked: _Asked, sketches: Mapping[int, Sketch]
) -> list[int]:
    """Return the entries by rank; of equals the one with the name comes first, then the newer."""
    return sorted(
        ranks,
        key=lambda number: (
            -ranks[number],
            -asked.named.share.get(number, 0.0),
            -sketches[number].at,
        ),
    )


def _all_circumstances(
    index: SearchIndex, sketches: Mapping[int, Sketch], asked: _Asked, request: Request
) -> dict[int, Circumstances]:
    now = time.time() if request.now is None else request.now
    unused = index.keys_of(request.ignored)
    return {
        number: replace(_circumstances(one, asked, request, now), ignored=one.key in unused)
        for number, one in sketches.items()
    }


def _all_scored(
    index: SearchIndex, sketches: Mapping[int, Sketch], asked: _Asked
) -> dict[int, dict[int, Signals]]:
    """Return what speaks for each passage of each entry that has one to show."""
    share = cache(asked.weights.share)  # Most passages hold the same few words.
    scored = {
        number: _scored(number, passages, asked, share)
        for number, passages in index.passages_of(list(sketches)).items()
    }
    return {number: signals for number, signals in scored.items() if signals}


def _by_score(signals: Signals) -> float:
    return signals.score


def _candidates(asked: _Asked, request: Request) -> dict[int, Matches]:
    """Return the entries that are worth a closer look: what any leg found, the likeliest."""
    words = asked.words
    return rank.fuse(
        Lists(
            own=words.own,
            said=words.said,
            neighbours=words.around,
            done=words.done,
            nearest=asked.meaning.nearest,
            thread=asked.meaning.smoothed,
            named=asked.named.prominence,
            depth=asked.depth,
        ),
        most=asked.depth if request.query.is_filtered else max(LIKELY, TIMES_SHOWN * request.limit),
    )


def _scored(
    number: int,
    passages: Sequence[tuple[int, str]],
    asked: _Asked,
    share: Callable[[int], float],
) -> dict[int, Signals]:
    """Return what speaks for each passage of the entry *number* that may be shown."""
    near = asked.meaning.passages(number)
    named = asked.named.share.get(number, 0.0)
    held = {passage: share(asked.words.matched.get(passage, 0)) for passage, _ in passages}
    everything = 0
    for passage, _ in passages:
        everything |= asked.words.matched.get(passage, 0)
    turn_coverage = share(everything)
    if not asked.weights.weights:
        # Who asks for nothing but names has no other words.
        held = {passage: asked.named.passages.get(passage, 0.0) for passage, _ in passages}
        turn_coverage = named
    requests = [near[one] for one, part in passages if part == "request" and one in near]
    nearest = max(near.values(), default=score.guessed_nearness(turn_coverage))
    # To a vector one code looks like another: it has no say in names that are not there.
    doubt = 1.0 - (0.5 * (1.0 - named) if asked.named.asked else 0.0)
    # The lines of an entry mostly repeat its turn; a note has nothing behind it.
    own = "own" if any(part in SPOKEN for _, part in passages) else "alone"
    return {
        passage: Signals(
            part=own if part == "own" else part,
            is_compared=passage in near,
            nearness=doubt * near.get(passage, score.guessed_nearness(held[passage])),
            turn_nearness=doubt * nearest,
            request_nearness=doubt * (requests[0] if requests else nearest),
            term_coverage=held[passage],
            turn_coverage=turn_coverage,
            named=asked.named.prominence.get(number, 0.0),
            named_here=asked.named.passages.get(passage, 0.0),
        )
        for passage, part in passages
        if part != "request"
    }


def _fitting(scored: Mapping[int, Signals], most: int) -> list[int]:
    """Return the *most* passages that fit best, best first."""
    return sorted(scored, key=lambda number: (-scored[number].score, number))[:most]


def _best_passages(index: SearchIndex, pool: _Pool, entry: int) -> tuple[FoundPassage, ...]:
    """Return the best of the passages of *entry*; the best of them is as sure as it."""
    scored = pool.scored[entry]
    ranks = {number: pool.rank_of(entry, number) for number in scored}
    best = sorted(ranks, key=lambda number: (-ranks[number], number))
    # The entry says much of what its turn says: what is left out must not take another's place.
    passages = index.passages(best[: MOST_PASSAGES * 3])
    spoken = [one.text for one in passages.values() if one.part in SPOKEN]
    kept = [one for one in best if one in passages and not _repeats(passages[one], spoken)]
    return tuple(
        FoundPassage(
            passage=passages[number],
            rank=ranks[number],
            signals=scored[number],
            replaced=pool.replaced.get(number, ()),
        )
        for number in kept[:MOST_PASSAGES]
    )


def _repeats(passage: IndexedPassage, spoken: Sequence[str]) -> bool:
    """Tell whether *passage* is a line of the journal that was taken from what was *spoken*."""
    return passage.part == "own" and bool(spoken) and not says_more(passage.text, spoken)


def _in_order(index: SearchIndex, numbers: Sequence[int]) -> Iterator[IndexRow]:
    """Return the entries with these *numbers*, a few at a time: most are never looked at."""
    for first in range(0, len(numbers), AT_A_TIME):
        some = numbers[first : first + AT_A_TIME]
        entries = index.by_keys(some)
        yield from (entries[number] for number in some if number in entries)


def _without_twins(found: Iterable[SearchResult], limit: int) -> list[SearchResult]:
    """Return the first *limit* that say different things; each knows how many say the same."""
    shown: list[SearchResult] = []
    words: list[set[str]] = []
    for one in found:
        said = set(f"{one.entry.title} {one.entry.body}".lower().split())
        twin = next((n for n, other in enumerate(words) if _are_the_same(said, other)), None)
        if twin is not None:
            shown[twin] = replace(shown[twin], similar=shown[twin].similar + 1)
        elif len(shown) == limit:
            break
        else:
            shown.append(one)
            words.append(said)
    return shown


def _are_the_same(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= SAME * max(len(one), len(other), 1)


def _circumstances(one: Sketch, asked: _Asked, request: Request, now: float) -> Circumstances:
    return Circumstances(
        days_old=(now - one.at) / 86400 if one.at else 365.0,
        by_hand=one.kind == "hand" or bool(one.edited),
        a_note=one.kind in ("note", "hosted"),
        times_needed=one.prominence,
        without_answer=one.kind == "entry" and not (one.types or one.edited),
        same_branch=bool(request.branch) and one.branch == request.branch,
        same_files=bool(asked.names) and _touches(one, asked.names),
    )


def _touches(one: Sketch, names: Sequence[str]) -> bool:
    facts = FilterFacts(kind=one.kind, at=one.at, files=tuple(one.touched.splitlines()))
    return any(facts.has_file(name) for name in names)


def _is_allowed(index: SearchIndex, entry: IndexRow, request: Request) -> bool:
    asks_itself = bool(entry.session) and entry.session == request.asked_in
    if asks_itself and entry.at >= request.asked_since:
        return False
    if entry.hidden_reason and not request.include_hidden:
        return False
    if request.now is not None and entry.is_ahead_of(request.now):
        return False
    query = request.query
    return not query.is_filtered or query.allows(_facts(entry, _said(index, entry, query)))


def _said(index: SearchIndex, entry: IndexRow, query: Query) -> str:
    return index.said_in(entry) if query.phrases or query.without else ""


def _facts(entry: IndexRow, spoken: str = "") -> FilterFacts:
    return FilterFacts(
        kind=entry.kind,
        at=entry.at,
        haystack=f"{entry.title}\n{entry.body}\n{spoken}",
        types=tuple(entry.types.split()),
        category=entry.category.replace("_", "-").removesuffix("-summary"),
        project=entry.project,
        files=tuple(entry.touched.splitlines()),
        session=entry.session,
    )


def _by_time(
    index: SearchIndex, request: Request, scope: Scope, is_current: IsCurrent
) -> list[SearchResult]:
    """Return what the filters let through, newest first."""
    shown: list[SearchResult] = []
    for entry in index.newest(scope):
        if len(shown) == request.limit:
            break
        if _is_allowed(index, entry, request) and is_current(entry):
            shown.append(SearchResult(entry=entry, score=1.0))
    return shown
