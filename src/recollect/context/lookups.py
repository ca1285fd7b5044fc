"""What a prompt, or a file that is about to be read, brings back: one search, then a choice."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from recollect import ages, fence, ids, paths, projects, tokens
from recollect.config import Settings
from recollect.context import outdated, pointing, recall, render, seen_before
from recollect.context.deps import AnswerDeps, folder_of, session_of
from recollect.context.pointing import Pointer
from recollect.context.recall import RecallCandidate
from recollect.hooks import cards, claude_code, decide, shown_log
from recollect.hooks.response import HookResponse, ShownMemory
from recollect.journal import passages
from recollect.search import report, score
from recollect.search.query import Filter, Query
from recollect.search.search import FoundPassage, Request, SearchResult, search
from recollect.store import shown
from recollect.store.contract.search import MOST_OF_A_FILE, IndexRow
from recollect.store.contract.state import Project
from recollect.text import question, term_weights
from recollect.text.question import Question
from recollect.text.terms import BIDDING_WORDS, terms

# Of what was found, so many are looked at before scores and the budget decide.
LOOKED_AT = 10
# Of each memory that is shown, so many passages are compared with those of newer turns.
LIKE = 2
# The time or the session that a prompt points at speaks for a memory, so its words need less.
POINTED_MIN_SCORE = 0.3
# Of a session or a time that is named without a topic, so many of the latest turns are shown.
POINTED = 3
# Who says "last week" on a Tuesday may mean the Sunday before.
MINUTE = 60.0
DAY = 86_400.0
WEEK = 6 * DAY
LOOSELY = 2 * DAY

# "Ok, go on" answers somebody who is there; nobody begins with it.
_REPLY = re.compile(r"\W*(?:ok(?:ay)?|yes|yep|yeah|sure|great|good|nice|perfect)\b", re.IGNORECASE)


class Lookups:
    """Finds what belongs to a prompt or to a file."""

    def __init__(self, deps: AnswerDeps) -> None:
        self._deps = deps

    def warm(self) -> None:
        """Load what the first prompt would otherwise wait for."""
        pointing.read("continue", now=_local(0.0))

    def prompt(
        self,
        project: Project,
        event: dict[str, object],
        *,
        now: float,
        opening: HookResponse | None = None,
    ) -> HookResponse:
        """Return what the prompt of *event* brings back; most bring nothing.

        What its session is only just given as its *opening* does not come again.
        """
        prompt = event.get("prompt")
        if not isinstance(prompt, str) or claude_code.is_typed_by_the_host(prompt):
            return HookResponse(
                "UserPromptSubmit", nothing="it is a command, or the host's own words"
            )
        if event.get("agent_id"):
            return HookResponse("UserPromptSubmit", nothing="it is the task of a subagent")
        settings = self._deps.settings(project.name)
        asked = question.read(prompt)
        candidates, min_score = self._candidates(project, event, asked, settings, now=now)
        chosen = recall.choose(
            self._with_successors(candidates, min_score, limit=settings.recall_limit),
            min_score=min_score,
            known=shown_log.known_to(self._deps.home, event, opening=opening),
            limit=settings.recall_limit,
            limit_tokens=settings.recall_budget_tokens,
        )
        response = cards.response("UserPromptSubmit", chosen.cards, now=now)
        response.left_out = chosen.left_out
        response.nothing = (
            "nothing that was found is to be shown"
            if candidates
            else "no memory is near, or the prompt says too little to search with"
        )
        return response

    def file(self, project: Project, event: dict[str, object], *, now: float) -> HookResponse:
        """Return what is known of the file that is about to be read; once a session."""
        settings, folder = self._deps.settings(project.name), folder_of(event, project)
        name = decide.file_read(event)
        known = shown_log.known_to(self._deps.home, event)
        if not name or name in known:
            why = "this session has been shown it" if name else "it is no file of this project"
            return HookResponse("PreToolUse", nothing=why)
        own = session_of(event)
        found = self._deps.index().about_file(project.name, name, limit=MOST_OF_A_FILE)
        candidates = [
            RecallCandidate(entry=entry, score=1.0, why="tells of that file", is_timed=True)
            for one in found
            if not (own and one.session == own) and self._deps.is_current(one)
            if (entry := self._deps.as_shown(one, folder, settings))
        ]
        chosen = recall.choose(
            candidates,
            min_score=0.0,
            known=known,
            limit=settings.recall_limit,
            limit_tokens=settings.files_budget_tokens,
        )
        response = cards.about_file(name, chosen.cards, now=now)
        response.left_out = chosen.left_out
        response.nothing = "nothing is known of that file"
        return response

    def failure(
        self, project: Project, event: dict[str, object], *, name: str, now: float
    ) -> HookResponse:
        """Return what is known of the error that a tool has just met; once a session.

        *name* is what we call the event.
        """
        response = HookResponse(name, nothing="no memory has met this error")
        error = seen_before.error_of(seen_before.printed(event))
        known = shown_log.known_to(self._deps.home, event)
        response.subject = f"error {ids.mark(error)}" if error else ""
        if not error or event.get("is_interrupt") or response.subject in known:
            response.nothing = "this session has been shown it" if error else "it says no error"
            return response
        settings, folder = self._deps.settings(project.name), folder_of(event, project)
        request = replace(self._request(project, event, settings, now=now), least_weight=0.0)
        found = [
            replace(one, entry=entry)
            for one in self._found(request, error)
            if (entry := self._deps.as_shown(one.entry, folder, settings))
        ]
        seen = seen_before.choose(found, error)
        if seen:
            response.body = ages.fill(seen.text, now=now)
            response.is_brief = True
            response.shown = (
                ShownMemory(
                    seen.entry.id,
                    mark=",".join(seen.marks),
                    tokens=tokens.estimate(response.body),
                    why="its turn met the same error",
                    text=response.body,
                ),
            )
            response.message = f"seen before: {seen.entry.line}"
        return response

    def _candidates(
        self,
        project: Project,
        event: dict[str, object],
        asked: Question,
        settings: Settings,
        *,
        now: float,
    ) -> tuple[list[RecallCandidate], float]:
        """Return what may be shown, best first, and the score that it has to reach."""
        request = self._request(project, event, settings, now=now)
        pointer = pointing.read(asked.text, now=_local(now))
        if pointer and (self._is_about_itself(pointer, event) or _REPLY.match(asked.text)):
            pointer = None
        min_score = settings.recall_min_score
        found: list[SearchResult] = []
        pointed = self._pointed_at(project, pointer, request) if pointer else []
        if pointed:
            found, min_score = pointed, min(min_score, POINTED_MIN_SCORE)
        elif pointer and pointer.topic:
            # It was another time, or another session.
            found = self._found(request, pointer.topic, meaning=asked.text)
            min_score = min(min_score, settings.search_min_score)
        elif claude_code.is_question(asked.searched):
            if asked.errors:
                prior = request.prior + score.PASTED_ERROR
                request = replace(request, error="\n".join(asked.errors), prior=prior)
            found = self._found(request, asked.searched, meaning=asked.text)
        folder = folder_of(event, project)
        disputed = self._deps.state.disputes.hidden(project.name)
        return [
            _candidate(one, entry, prompt=asked.text, is_disputed=one.entry.id in disputed)
            for one in found
            if not _came_to_nothing(one)
            # What is not sure enough is only named to who asks why.
            if (
                entry := one.entry
                if one.score < min_score * recall.POINTER_SHARE or one.entry.id in disputed
                else self._deps.as_shown(one.entry, folder, settings)
            )
        ], min_score

    def _with_successors(
        self, candidates: Sequence[RecallCandidate], min_score: float, *, limit: int
    ) -> list[RecallCandidate]:
        """Return *candidates*; one that may tell what became of what is shown is marked."""
        sure = [one for one in candidates if one.score >= min_score and one.passages][:limit]
        ones = [it.passage.key for one in sure for it in one.passages[:LIKE]]
        wanted = recall.possible_successors(candidates, sure, min_score=min_score)
        others = [it.passage.key for one in wanted for it in one.passages]
        if not ones or not others:
            return list(candidates)
        alike = self._deps.index().likenesses(ones, others)
        return [recall.as_successor(one, alike) if one in wanted else one for one in candidates]

    def _request(
        self, project: Project, event: dict[str, object], settings: Settings, *, now: float
    ) -> Request:
        folder = folder_of(event, project)
        session = self._deps.state.sessions.find(session_of(event))
        return Request(
            query=Query(),
            limit=LOOKED_AT + settings.recall_limit,
            min_score=0.0,
            projects=[project.name, paths.EVERYWHERE],
            least_weight=term_weights.LEAST_WEIGHT,
            branch=projects.head(projects.identity(folder), folder)[0],
            asked_in=session_of(event),
            asked_since=session.compacted if session else 0.0,
            prior=score.UNDER_WAY if session and 0 < session.started < now - MINUTE else 0.0,
            by_size=score.BY_SIZE_UNASKED,
            ignored=shown.passed_over(self._deps.state, project.name),
            now=now,
        )

    def _found(self, request: Request, text: str, *, meaning: str = "") -> list[SearchResult]:
        read_wants = self._deps.read_wants
        asked = replace(request, query=Query.plain(text), meaning=meaning, read_wants=read_wants)
        return self._searched(asked)

    def _searched(self, request: Request) -> list[SearchResult]:
        deps = self._deps
        return search(deps.index(), request, embed=deps.embed, is_current=deps.is_current)

    def _is_about_itself(self, pointer: Pointer, event: dict[str, object]) -> bool:
        """Tell whether a session that is under way is asked to go on: it knows itself."""
        if not pointer.last_session:
            return False
        session = self._deps.state.sessions.find(session_of(event))
        # A prompt that was interrupted is not recorded as a turn at once.
        begun = self._deps.state.sessions.drafts(session_of(event)).keys()
        asked = {str(event.get("prompt_id") or "")}
        return session is not None and (session.turns > 0 or bool(begun - asked))

    def _pointed_at(
        self, project: Project, pointer: Pointer, request: Request
    ) -> list[SearchResult]:
        """Return what happened at the time, or in the session, that a prompt points at."""
        query = Query(after=_loosely(pointer), before=pointer.before)
        if pointer.last_session:
            last = self._last_session(project.name, without=request.asked_in)
            query = replace(query, sessions=Filter(any_of=(last,)))
        if not query.is_filtered:
            return []
        timed = replace(request, query=query, limit=POINTED, least_weight=0.0, rarer_than=1.0)
        if pointer.only_points:
            return self._searched(timed)
        if not set(terms(pointer.topic)) - BIDDING_WORDS and pointer.types:
            return self._searched(
                replace(timed, query=replace(query, types=Filter(any_of=pointer.types)))
            )
        return self._searched(replace(timed, query=replace(query, text=pointer.topic)))

    def _last_session(self, project: str, *, without: str) -> str:
        recent = self._deps.index().recent(project, limit=50)
        # Nobody's session has this name, so that nothing is found in a project without one.
        return next((one.session for one in recent if one.session not in ("", without)), "\0")


def _local(now: float) -> datetime:
    return datetime.fromtimestamp(now, UTC).astimezone()


def _loosely(pointer: Pointer) -> float | None:
    """Return where the time that is pointed at begins, generously where it is a week or more."""
    if pointer.after is None or pointer.before is None:
        return pointer.after
    is_long = pointer.before - pointer.after >= WEEK
    return pointer.after - LOOSELY if is_long else pointer.after


def _candidate(
    one: SearchResult, entry: IndexRow, *, prompt: str, is_disputed: bool = False
) -> RecallCandidate:
    """Return *one* as a candidate for *prompt*: only what of it still holds, and as likely."""
    answers = _answering(one)
    kept, gone = outdated.current(answers, prompt=prompt)
    # What was asked for is no answer beside a title whose value was replaced.
    gone = "" if any(it.passage.part != "asked" for it in kept) else gone
    behind = answers[0].rank - kept[0].rank if kept else 0.0
    return RecallCandidate(
        entry=outdated.titled(entry, answers),
        score=score.lowered(one.score, behind) if behind > 0 else one.score,
        passages=kept,
        why=_reasons(one),
        is_timed=_is_timed(one),
        withheld="somebody said it is wrong: recollect review" if is_disputed else gone,
    )


def _is_timed(one: SearchResult) -> bool:
    """Tell whether *one* was found by filters alone, so that nothing measured how it fits."""
    return not one.passages


def _came_to_nothing(one: SearchResult) -> bool:
    """Tell whether *one* only says what was asked for: nobody answered, and nothing was done."""
    is_turn = one.entry.kind == "entry" and not one.entry.edited and not _is_timed(one)
    return is_turn and not _answering(one)


def _answering(one: SearchResult) -> tuple[FoundPassage, ...]:
    """Return the passages of *one* that answer, and each thing only once.

    An entry mostly repeats what its turn says; then the turn is shown, and of the entry only the
    lines that say more. What was asked for tells nothing if it only says the title; an answer that
    does is one, and its card is as likely as that.
    """
    title = " ".join(one.entry.title.split())
    known: list[str] = []
    kept: dict[int, FoundPassage] = {}
    for it in sorted(one.passages, key=lambda it: it.passage.part == "own"):
        news = _without_repeated_lines(it, known) if it.passage.part == "own" else it
        before = [title, *known] if it.passage.part in ("own", "asked") else known
        if news and not any(fence.without_heading(news.passage.text) in other for other in before):
            known.append(" ".join(news.passage.text.split()))
            kept[it.passage.key] = news
    return tuple(kept[it.passage.key] for it in one.passages if it.passage.key in kept)


def _without_repeated_lines(one: FoundPassage, known: Sequence[str]) -> FoundPassage | None:
    """Return *one* without the lines that only say what is *known*; None if nothing is left.

    A heading goes with what stood below it.
    """
    lines = one.passage.text.splitlines()
    left = [line for line in lines if not known or passages.says_more(line, known)]
    if len(left) == len(lines):
        return one
    below = itertools.pairwise([*left, ":"])
    text = "\n".join(line for line, after in below if not (_heads(line) and _heads(after)))
    if not text.strip():
        return None
    return replace(one, passage=replace(one.passage, text=text, card=render.passage(text)))


def _heads(line: str) -> bool:
    return line.rstrip().endswith(":")


def _reasons(one: SearchResult) -> str:
    if _is_timed(one):
        return "of the time, or the session, that the prompt points at"
    return "; ".join(report.reasons(one))
