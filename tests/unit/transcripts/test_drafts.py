from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from recollect.errors import TranscriptError
from recollect.transcripts import claude_code, drafts
from recollect.transcripts.drafts import TurnDraft
from recollect.transcripts.events import Event
from recollect.transcripts.turns import ToolCall, Turn
from tests.narrowing import not_none

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
LATER = NOON + timedelta(minutes=1)


def an_event(name: str, **fields: Any) -> Event:
    defaults: dict[str, Any] = {"session": "s1", "at": NOON, "prompt_id": "p1"}
    return Event(name=name, host="claude-code", **(defaults | fields))


def prompted(text: str, **fields: Any) -> Event:
    return an_event("UserPromptSubmit", prompt=text, **fields)


def used(tool_use_id: str, *, agent: str = "", output: str = "ok", **fields: str) -> Event:
    call = ToolCall(id=tool_use_id, name="Bash", output=output, agent=agent)
    return an_event("PostToolUse", tools=(call,), agent_id=agent, **fields)


def stopped(answer: str, **fields: Any) -> Event:
    return an_event("Stop", answer=answer, **fields)


def fold(*events: Event) -> TurnDraft:
    return not_none(reduce(drafts.fold, events, None))


def turn_of(*events: Event) -> Turn:
    return not_none(drafts.as_turn(fold(*events)))


def a_turn(**fields: Any) -> Turn:
    defaults = {"host": "claude-code", "session": "s1", "key": "p1", "prompt": "build"}
    return Turn(started=NOON, ended=NOON, **(defaults | fields))


class TestFold:
    def test_prompt_tools_and_answer_make_a_turn(self) -> None:
        later = NOON + timedelta(seconds=9)

        turn = turn_of(prompted("build", cwd="/x"), used("t1"), stopped("Done.", at=later))

        assert (turn.key, turn.prompt, turn.answer, turn.cwd) == ("p1", "build", "Done.", "/x")
        assert [call.id for call in turn.tools] == ["t1"]
        assert (turn.started, turn.ended, turn.finished) == (NOON, later, True)

    def test_a_turn_is_not_finished_before_it_stops(self) -> None:
        assert not turn_of(prompted("build"), used("t1")).finished

    def test_a_tool_call_told_twice_counts_once(self) -> None:
        turn = turn_of(prompted("build"), used("t1"), used("t2"), used("t1", output="new"))

        assert [(call.id, call.output) for call in turn.tools] == [("t2", "ok"), ("t1", "new")]

    def test_another_prompt_begins_another_draft(self) -> None:
        draft = fold(prompted("build"), used("t1"), prompted("next", prompt_id="p2"))

        assert (draft.key, draft.prompt, draft.tools) == ("p2", "next", ())

    def test_words_added_to_the_same_prompt_join_it(self) -> None:
        turn = turn_of(prompted("build"), prompted("and test"), prompted("and test"))

        assert turn.prompt == "build\n\nand test"

    def test_a_notice_lets_the_turn_before_go_on(self) -> None:
        turn = turn_of(
            prompted("build"),
            stopped("Started."),
            prompted("<task-notification>done</task-notification>", prompt_id="p2"),
            used("t1", prompt_id="p2"),
            stopped("All done.", prompt_id="p2"),
        )

        assert (turn.key, turn.remarks, turn.answer) == ("p1", ("Started.",), "All done.")

    def test_a_notice_to_nobodys_prompt_is_no_turn(self) -> None:
        draft = fold(prompted("<task-notification>x"), used("t1"), stopped("Noted."))

        assert drafts.as_turn(draft) is None

    @pytest.mark.parametrize("prompt", ["/recollect:search x", "[recollect command]\nSearch x"])
    def test_our_own_command_is_no_turn(self, prompt: str) -> None:
        whole = fold(prompted(prompt), used("t1"), stopped("Found."))
        end = fold(stopped("Found.", prompt=prompt))

        assert drafts.as_turn(whole) is None
        assert drafts.as_turn(end) is None

    def test_a_session_joined_half_way_has_a_turn_without_a_prompt(self) -> None:
        turn = turn_of(used("t1"), stopped("Done."))

        assert (turn.prompt, turn.answer) == ("", "Done.")

    def test_an_agent_that_still_works_for_an_earlier_turn_adds_nothing(self) -> None:
        draft = fold(prompted("next", prompt_id="p2"), used("t1", agent="a1", prompt_id="p1"))

        assert (draft.key, draft.tools) == ("p2", ())

    def test_a_turn_that_goes_on_after_its_stop_is_not_finished(self) -> None:
        turn = turn_of(prompted("build"), stopped("Done."), used("t1"))

        assert (turn.finished, turn.remarks, turn.answer) == (False, ("Done.",), "")

    def test_a_call_that_is_heard_of_after_the_stop_does_not_open_its_turn_again(self) -> None:
        later = NOON + timedelta(seconds=9)

        turn = turn_of(prompted("build"), stopped("Done.", at=later), used("t1"))

        assert (turn.finished, turn.answer, turn.ended) == (True, "Done.", later)
        assert [call.id for call in turn.tools] == ["t1"]

    def test_a_failure_of_the_model_is_no_answer(self) -> None:
        turn = turn_of(prompted("build"), an_event("StopFailure", answer="API Error: 400"))

        assert (turn.answer, turn.finished, turn.interrupted) == ("", True, True)

    def test_the_end_of_the_session_ends_its_turn(self) -> None:
        cut_short = turn_of(prompted("build"), an_event("SessionEnd"))
        complete = turn_of(prompted("build"), stopped("Done."), an_event("SessionEnd"))

        assert (cut_short.finished, cut_short.interrupted) == (True, True)
        assert (complete.finished, complete.interrupted) == (True, False)

    @pytest.mark.parametrize("name", ["UserPromptSubmit", "Stop"])
    def test_what_a_subagent_is_told_and_says_is_not_the_turns(self, name: str) -> None:
        of_agent = an_event(name, agent_id="a1", prompt="Count them.", answer="Two.", prompt_id="q")

        turn = turn_of(prompted("build"), of_agent, stopped("Done."))

        assert (turn.key, turn.prompt, turn.answer) == ("p1", "build", "Done.")

    def test_a_call_that_changed_several_files_is_there_with_each(self) -> None:
        calls = tuple(ToolCall(id=id_, name="Edit") for id_ in ("t1", "t1:1"))

        turn = turn_of(prompted("build"), an_event("PostToolUse", tools=calls))

        assert turn.tools == calls

    def test_an_answer_to_a_prompt_that_was_not_heard_is_a_turn_of_its_own(self) -> None:
        first = [prompted("build", prompt_id=""), stopped("Done.", prompt_id="", prompt="build")]

        turn = turn_of(*first, stopped("Tested.", prompt_id="", prompt="test", at=LATER))

        assert (turn.prompt, turn.answer) == ("test", "Tested.")
        assert turn_of(*first).answer == "Done."

    def test_a_prompt_that_was_heard_only_at_the_end_is_its_turns(self) -> None:
        turn = turn_of(used("t1", prompt_id=""), stopped("Done.", prompt_id="", prompt="build"))

        assert (turn.prompt, turn.answer, len(turn.tools)) == ("build", "Done.", 1)

    def test_without_prompt_ids_a_turn_ends_where_the_next_prompt_begins(self) -> None:
        events = [
            prompted("build", prompt_id=""),
            used("t1", prompt_id=""),
            prompted("next", prompt_id="", at=NOON + timedelta(minutes=1)),
        ]

        first, second = fold(*events[:2]), fold(*events)

        assert (first.prompt, [call.id for call in first.tools]) == ("build", ["t1"])
        assert first.key != second.key

    @pytest.mark.parametrize("name", ["SubagentStop", "PreCompact", "SessionStart", "Notification"])
    def test_other_events_change_nothing(self, name: str) -> None:
        draft = fold(prompted("build"))

        assert drafts.fold(draft, an_event(name)) == draft
        assert drafts.fold(None, an_event(name)) is None


def second(number: float) -> datetime:
    return NOON + timedelta(seconds=number)


def lasting(key: str, began: float, ended: float, prompt: str = "go on") -> Turn:
    turn = a_turn(key=key, prompt=prompt)
    return replace(turn, started=second(began), ended=second(ended))


def nameless(began: float, ended: float | None = None, prompt: str = "go on") -> TurnDraft:
    """A draft of a host that gives no ids; without an end the turn was never heard to stop."""
    begun = fold(prompted(prompt, prompt_id="", at=second(began)))
    if ended is None:
        return begun
    return not_none(drafts.fold(begun, stopped("Done.", prompt_id="", at=second(ended))))


class TestPairing:
    def test_an_id_tells_a_turn_whatever_its_time(self) -> None:
        draft = fold(prompted("build"))

        assert drafts.paired([a_turn(key="p0"), a_turn(key="p1")], [draft]) == {"p1": draft}

    @pytest.mark.parametrize(
        ("began", "ended", "same"),
        [
            (-60, -30, False),  # The same words, a minute ago.
            (-1, 30, True),
            (20, 40, True),  # Other hooks took their time.
            (90, 120, False),  # The same words once more.
        ],
    )
    def test_without_ids_the_time_tells_which_of_the_same_words(
        self, began: int, ended: int, same: bool
    ) -> None:
        pairs = drafts.paired([lasting("u-1", began, ended)], [nameless(0, 60)])

        assert bool(pairs) is same

    def test_what_the_host_made_of_the_words_is_not_what_was_typed(self) -> None:
        draft = nameless(0, prompt="Review pull request 7 with care.")

        assert drafts.paired([lasting("u-1", 0.03, 9, "/review 7")], [draft]) == {"u-1": draft}
        assert drafts.paired([lasting("u-1", 60, 90, "/review 7")], [draft]) == {}

    def test_words_broken_off_and_said_again_at_once_are_two_turns(self) -> None:
        first, again = nameless(0), nameless(1.5, 9)
        turns = [lasting("u-1", 0.03, 0.03), lasting("u-2", 1.53, 9)]

        assert drafts.paired(turns, [first, again]) == {"u-1": first, "u-2": again}

    def test_the_same_words_count_more_than_the_nearest_time(self) -> None:
        """Another hook took three seconds, and the next prompt was waiting already."""
        first, then = nameless(0, 4, prompt="orders"), nameless(4.1, 9, prompt="tax")
        turns = [lasting("u-1", 3, 4, "orders"), lasting("u-2", 7.1, 9, "tax")]

        assert drafts.paired(turns, [first, then]) == {"u-1": first, "u-2": then}

    def test_a_draft_is_not_another_turns_because_its_own_was_not_heard_of(self) -> None:
        turns = [lasting("u-1", 0, 1, "orders"), lasting("u-2", 2.03, 9, "tax")]
        draft = nameless(2, 9, prompt="tax")

        assert drafts.paired(turns, [draft]) == {"u-2": draft}

    def test_a_draft_that_the_log_knows_nothing_of_yet_is_left_over(self) -> None:
        done, again = nameless(0, 0.6), nameless(1.1)

        assert drafts.paired([lasting("u-1", 0.03, 0.6)], [done, again]) == {"u-1": done}

    def test_what_is_not_to_be_kept_is_nobodys(self) -> None:
        assert drafts.paired([a_turn()], [replace(fold(prompted("build")), muted=True)]) == {}


class TestWhatIsPartOfATurn:
    TURN = lasting("u-1", 0, 9)

    @pytest.mark.parametrize(
        ("draft", "is_part"),
        [
            (nameless(5), True),  # A hook's words in the middle of it.
            (fold(stopped("Done.", prompt_id="", at=second(10))), True),
            (fold(stopped("Done.", prompt_id="", at=second(12))), False),
            (nameless(10, 20), False),  # The next prompt came at once.
            (replace(nameless(5, 6), muted=True), False),  # One of our own commands.
            (fold(prompted("go on", at=second(5))), False),  # It has an id of its own.
        ],
    )
    def test_only_what_happened_during_it_and_has_no_name(
        self, draft: TurnDraft, is_part: bool
    ) -> None:
        assert drafts.is_within(draft, self.TURN) is is_part


class TestAHostThatTellsAllItSaid:
    """At the end of a turn, remarks and all; it gives no ids."""

    SAID = a_turn(remarks=("Let me look.",), answer="Done.")

    def draft(self, words: str) -> TurnDraft:
        return fold(prompted("build", prompt_id=""), stopped(words, prompt_id=""))

    def test_what_the_log_has_is_not_said_again(self) -> None:
        assert drafts.complete(self.SAID, self.draft("Let me look.\nDone.")) == replace(
            self.SAID, finished=True
        )

    def test_what_it_said_in_an_earlier_turn_is_not_this_ones(self) -> None:
        told = drafts.complete(self.SAID, self.draft("Before.\nLet me look.\nDone."))

        assert (told.remarks, told.answer) == (self.SAID.remarks, "Done.")

    def test_what_the_log_has_left_out_is_the_rest(self) -> None:
        cut_off = replace(self.SAID, answer="", interrupted=True)

        told = drafts.complete(cut_off, self.draft("Let me look.\nDone."))

        assert (told.remarks, told.answer, told.interrupted) == (("Let me look.",), "Done.", False)


class TestFilling:
    BEFORE = a_turn(answer="Done.", tools=(ToolCall(id="t1", name="Bash", agent="a"),))

    def test_what_a_log_left_out_is_as_it_was_known_before(self) -> None:
        turn = a_turn(interrupted=True, tools=(ToolCall(id="t2", name="Read"),))

        filled = drafts.filled(turn, self.BEFORE)

        assert (filled.answer, filled.interrupted) == ("Done.", False)
        assert [call.id for call in filled.tools] == ["t2", "t1"]

    def test_what_the_log_says_counts(self) -> None:
        turn = a_turn(answer="Done, and more.", interrupted=True)

        filled = drafts.filled(turn, self.BEFORE)

        assert (filled.answer, filled.interrupted) == ("Done, and more.", True)

    def test_an_answer_after_which_the_agent_went_on_is_not_the_last_one(self) -> None:
        assert drafts.filled(a_turn(remarks=("Done.",)), self.BEFORE).answer == ""


class TestComplete:
    def test_an_answer_that_is_not_on_disk_yet_comes_from_the_stop(self) -> None:
        turn = a_turn(remarks=("Looking.",), tools=(ToolCall(id="t1", name="Bash"),))
        draft = fold(prompted("build"), used("t1"), stopped("Done."))

        whole = drafts.complete(turn, draft)

        assert (whole.remarks, whole.answer, whole.finished) == (("Looking.",), "Done.", True)

    def test_an_answer_that_both_have_is_not_doubled(self) -> None:
        turn = a_turn(answer="First part.\n\nDone.")

        assert (
            drafts.complete(turn, fold(prompted("build"), stopped("Done."))).answer == turn.answer
        )

    def test_a_second_answer_follows_the_first(self) -> None:
        turn = a_turn(answer="Started.")
        draft = fold(prompted("build"), stopped("Started."), stopped("Done."))

        assert drafts.complete(turn, draft).answer == "Started.\n\nDone."

    def test_words_before_a_call_that_is_not_on_disk_yet_are_a_remark(self) -> None:
        turn = a_turn(answer="Let me look.")
        draft = fold(prompted("build"), used("t1"), stopped("Done."))

        whole = drafts.complete(turn, draft)

        assert (whole.remarks, whole.answer) == (("Let me look.",), "Done.")
        assert [call.id for call in whole.tools] == ["t1"]

    def test_the_transcripts_version_of_a_call_wins(self) -> None:
        turn = a_turn(tools=(ToolCall(id="t1", name="Bash", output="as seen"),))
        draft = fold(prompted("build"), used("t1", output="as told"), used("t2"))

        whole = drafts.complete(turn, draft)

        assert [(call.id, call.output) for call in whole.tools] == [("t1", "as seen"), ("t2", "ok")]

    def test_an_old_host_without_ids_is_matched_by_the_prompt(self) -> None:
        turn = a_turn(key="line-1")
        draft = fold(prompted("build\n", prompt_id=""), stopped("Done.", prompt_id=""))

        assert drafts.complete(turn, draft).answer == "Done."

    def test_events_and_transcript_of_a_real_turn_agree(
        self, recorded: Callable[[str], Path]
    ) -> None:
        (turn,) = claude_code.read(recorded("plain-print")).turns
        events = [prompted(turn.prompt, session=turn.session, prompt_id=turn.key)]
        events += [
            an_event("PostToolUse", tools=(call,), session=turn.session, prompt_id=turn.key)
            for call in turn.tools
        ]
        events += [stopped("FINAL-ANSWER-1", session=turn.session, prompt_id=turn.key)]

        whole = drafts.complete(turn, fold(*events))

        assert (whole.prompt, whole.answer, whole.tools) == (turn.prompt, turn.answer, turn.tools)


class TestJson:
    def test_a_draft_comes_back_unchanged(self) -> None:
        draft = fold(
            prompted("bau es 😀", cwd="/x", transcript="/t"),
            used("t1", agent="a1"),
            stopped("Done."),
            prompted("<task-notification>x", prompt_id="p2"),
            used("t2", prompt_id="p2"),
        )

        assert TurnDraft.from_json(draft.to_json()) == draft

    @pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"started":"x"}'])
    def test_a_broken_draft_says_so(self, text: str) -> None:
        with pytest.raises(TranscriptError, match="draft"):
            TurnDraft.from_json(text)
