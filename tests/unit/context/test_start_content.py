"""What a session begins with says what was achieved, what is open, and what the user said."""

import dataclasses
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pytest

from recollect.context import outcomes, past_turns, rules, threads
from recollect.context.instructions import Instructions
from recollect.context.past_turns import PastTurn
from recollect.context.replaced import is_replaced, is_reworked
from recollect.context.rules import StatedRule
from recollect.journal import passages
from recollect.store.contract.search import IndexedPassage, IndexRow
from recollect.transcripts.turns import Turn

DAY = 86_400.0


@dataclass
class Clock:
    """Turns happen one after the other, an hour apart."""

    at: float = 0.0

    def turn(
        self, prompt: str, answer: str, *, session: str = "s", days: float = 0.0, body: str = ""
    ) -> PastTurn:
        self.at += 3600 + days * DAY
        said = SimpleNamespace(prompt=prompt, answer=answer, tools=(), remarks=(), cwd="")
        entry = SimpleNamespace(
            id=f"e-{self.at}", at=self.at, session=session, title=prompt, types="", kind="entry",
            body=body,
        )  # fmt: skip
        found = [
            IndexedPassage(key=n, place=n, part=one.part, lead="", text=one.text, card="", mark="")
            for n, one in enumerate(passages.of_turn(cast("Turn", said)))
        ]
        return past_turns.read(cast("IndexRow", entry), found)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def told(turn: PastTurn, *later: PastTurn) -> list[str]:
    return [one.sentence.text for one in outcomes.of_turn(turn, later=later)]


def left(*turns: PastTurn) -> list[str]:
    return [one.text for one in threads.left_open(turns)]


class TestOutcomes:
    def test_a_turn_is_told_by_sentences_with_figures_and_names(self, clock: Clock) -> None:
        turn = clock.turn(
            "typing in the search box hangs, have a look",
            "Each key re-sorted 40,000 rows. It is debounced in `search.ts` now: 900 → 30 ms.\n\n"
            "I looked at the logs first.",
        )

        assert told(turn)[:2] == [
            "Each key re-sorted 40,000 rows.",
            "It is debounced in `search.ts` now: 900 → 30 ms.",
        ]

    @pytest.mark.parametrize(
        ("prompt", "answer"),
        [
            ("hello there my friend", "Hello! How can I help?"),
            ("got it on my phone. sweet", "Great!"),
            ("thats brilliant thank you!! going to bed", "Good night!"),
            ("why is it slow?", ""),
            ("compress the old files", "Looking at what the host offers for compression."),
        ],
    )
    def test_greetings_and_thanks_are_no_outcome(
        self, clock: Clock, prompt: str, answer: str
    ) -> None:
        assert told(clock.turn(prompt, answer)) == []

    def test_an_offer_and_what_leads_up_to_it_are_no_outcome(self, clock: Clock) -> None:
        turn = clock.turn(
            "keep raw for 400 days",
            "`prune` now keeps **400 days**. I'd dare to put it into a weekly timer. Shall I?",
        )

        assert told(turn) == ["`prune` now keeps **400 days**."]

    def test_a_title_that_says_what_came_of_it_leads(self, clock: Clock) -> None:
        turn = clock.turn("the box hangs", "The rows are indexed by `name` since today.")
        headline = "Search froze: each key re-sorted 40,000 rows, now debounced"
        entry = SimpleNamespace(**{**vars(turn.entry), "title": headline})

        titled = past_turns.PastTurn(
            entry=cast("IndexRow", entry),
            request=turn.request,
            asked=turn.asked,
            sentences=turn.sentences,
            words=turn.words,
        )

        assert told(titled)[0] == headline

    def test_a_title_that_says_what_was_replaced_is_not_told(self, clock: Clock) -> None:
        turn = clock.turn("let tokens expire", "Done: 14 tests pass, and tokens expire.")
        entry = SimpleNamespace(**{**vars(turn.entry), "title": "`LIFETIME` is 30, half an hour"})
        titled = dataclasses.replace(turn, entry=cast("IndexRow", entry))

        assert "`LIFETIME` is 30, half an hour" in told(titled)
        assert "`LIFETIME` is 30, half an hour" not in told(
            dataclasses.replace(titled, is_title_replaced=True)
        )

    def test_a_date_the_user_gave_is_told_where_the_agent_only_took_note(
        self, clock: Clock
    ) -> None:
        turn = clock.turn(
            "The advisory goes out on the 2nd of July, so I shall push then.",
            "Understood. I will leave the branch `embargo` alone.",
        )

        assert "The user: “The advisory goes out on the 2nd of July, so I shall push then.”" in (
            told(turn)
        )


class TestReplaced:
    @pytest.mark.parametrize(
        ("earlier", "prompt", "answer"),
        [
            (
                "Upload tickets are valid for **10 minutes**.",
                "uploads fail at night",
                "Tickets are valid for **24 hours** now.",
            ),
            (
                "One machine with **256 MB** of memory.",
                "the server keeps going away",
                "I raised the machine to **512 MB**.",
            ),
            (
                "The README explains `cosign verify` for each artefact.",
                "that was a mistake, let us go back to minisign",
                "Reverted. The cosign step and the README section are gone.",
            ),
            (
                "I chose **sled** as the database.",
                "it loses data",
                "The cache uses redb instead of sled, which was unmaintained.",
            ),
        ],
    )
    def test_what_a_later_turn_changed_is_not_told(
        self, clock: Clock, earlier: str, prompt: str, answer: str
    ) -> None:
        later = clock.turn(prompt, answer)

        assert is_replaced(earlier, [later])

    def test_another_value_of_another_thing_replaces_nothing(self, clock: Clock) -> None:
        later = clock.turn("logs are huge", "Logs are now kept for 14 days.")

        assert not is_replaced("Sessions last 180 days, and each use renews them.", [later])

    def test_a_later_turn_on_the_same_tells_how_things_stand(self, clock: Clock) -> None:
        later = clock.turn("speed up the nightly backup job", "The nightly backup is incremental.")

        assert is_reworked("The nightly backup job is set up.", [later])
        assert not is_reworked("The login page has a captcha.", [later])


class TestOpenThreads:
    def test_items_below_a_heading_are_told_not_the_heading(self, clock: Clock) -> None:
        turn = clock.turn(
            "what remains?",
            "## Status\n\nLocks are merged.\n\n**Remaining before the tag**\n"
            "1. The man pages have to be regenerated.\n2. Upgrade notes for B2 users.\n",
        )

        assert left(turn) == [
            "The man pages have to be regenerated.",
            "Upgrade notes for B2 users.",
        ]

    def test_a_plain_line_announces_a_list_as_well(self, clock: Clock) -> None:
        turn = clock.turn("move it", "I moved it.\n\nNext steps:\n- backfill March\n- drop `old`\n")

        assert left(turn) == ["backfill March", "drop `old`"]

    def test_a_question_back_is_no_next_step(self, clock: Clock) -> None:
        asked = clock.turn("is it on the pool?", "No, it opens its own. Shall I move it?")

        assert left(asked) == []

    def test_what_a_later_turn_did_is_no_longer_open(self, clock: Clock) -> None:
        open_ = clock.turn("server is up", "### Open\n1. No off-site backup of the database.\n")
        done = clock.turn(
            "ok the backup then, do it", "The database is backed up every night now.", days=90
        )

        assert left(open_) == ["No off-site backup of the database."]
        assert left(open_, done) == []

    def test_an_item_fixed_five_days_ago_is_not_open(self, clock: Clock) -> None:
        open_ = clock.turn("mount", "It works. The session loop is single-threaded for now.")
        fixed = clock.turn("ls hangs", "The session loop has four threads now.", days=2)
        since = clock.turn("colours", "The list is green.", days=5)

        assert left(open_, fixed, since) == []

    def test_unpushed_work_that_was_pushed_later_is_not_open(self, clock: Clock) -> None:
        open_ = clock.turn("fix it", "Fixed in `cart.ts`. The changes are not pushed yet.")
        pushed = clock.turn("push", "The changes are pushed.")

        assert left(open_) != []
        assert left(open_, pushed) == []

    def test_what_waits_for_the_users_word_is_done_once_the_user_says_so(
        self, clock: Clock
    ) -> None:
        open_ = clock.turn(
            "an hour off",
            "## Not done\n- The wrong rows are in the table. I did not want to touch them"
            " without a word from you.\n",
        )
        ordered = clock.turn("do the repair, on the server", "Repaired and refitted.")

        assert left(open_, ordered) == []

    def test_said_again_it_is_told_once_in_the_later_words(self, clock: Clock) -> None:
        first = clock.turn("deploy", "### Open\n- No off-site backup of the database.\n")
        again = clock.turn("export", "Done.\n- Still open: **no off-site backup** of it.\n")

        assert left(first, again) == ["Still open: **no off-site backup** of it."]

    def test_a_list_of_all_that_is_left_ends_what_was_listed_before(self, clock: Clock) -> None:
        before = clock.turn("plan", "Not done: a dark theme for the settings page.")
        all_ = clock.turn(
            "what's left?", "**What is left:**\n1. The icon.\n2. The manual.\n3. The price list.\n"
        )

        assert left(before, all_) == ["The icon.", "The manual.", "The price list."]

    def test_what_an_error_message_says_is_not_open(self, clock: Clock) -> None:
        turn = clock.turn(
            "better message", "It replaces `still missing: argument --agent` by a list of agents."
        )

        assert left(turn) == []

    def test_what_was_left_of_a_day_is_done_when_nothing_of_it_is_left(self, clock: Clock) -> None:
        outage = clock.turn("orders are doubled", "Undone. Someone has to ring the two shops.")
        later = clock.turn("all back?", "Nothing of this morning is left open: both shops know.")

        assert left(outage) == ["Someone has to ring the two shops."]
        assert left(outage, later) == []

    @pytest.mark.parametrize(
        "answer",
        [
            "The roster page is done. The old one is struck from the plan; there was no code yet.",
            "Ready, and it switches by itself on 8 June, also for runs that are repeated later.",
            "It is deterministic, so a run can be repeated a year later.",
            "The lists are right again, the vans can go at nine.",
            "After a change of paper somebody has to calibrate the printer.",
            "The command is not found until you run `tool restore`.",
            "The new model was rejected for now, it costs too much memory.",
        ],
    )
    def test_what_is_done_given_up_or_happens_each_time_is_not_open(
        self, clock: Clock, answer: str
    ) -> None:
        assert left(clock.turn("please do it", answer)) == []

    def test_what_stands_below_what_is_open_but_tells_what_a_thing_does_is_not_open(
        self, clock: Clock
    ) -> None:
        turn = clock.turn(
            "build the drill",
            "Built.\n\n## Open\n- Mails only.\n- Receipts aren't checked.\n\n"
            "`Drill` in the tests replays the whole thing.\n\n"
            "To repeat it: `make drill`.",
        )

        assert left(turn) == ["Mails only.", "Receipts aren't checked."]

    def test_what_the_user_takes_up_again_is_done_in_other_words(self, clock: Clock) -> None:
        drill = clock.turn("build it", "Built.\n\n## Open\n- Mail only, a text would be better.")
        later = clock.turn(
            "send it as a text as well, you said mail isn't enough", "Texts go out through Sinch."
        )

        assert left(drill, later) == []

    def test_what_waited_for_a_commit_and_a_push_is_done_by_them(self, clock: Clock) -> None:
        fixed = clock.turn(
            "fix it", "Fixed, 31 tests pass. The change is uncommitted and unpushed."
        )
        committed = clock.turn("commit", "", body="- **change** Tie it\n  - facts: commit 1a2b3c4")
        pushed = clock.turn("commit and push", "Committed as `Tie it` and pushed.")

        assert left(fixed) == ["The change is uncommitted and unpushed."]
        assert left(fixed, committed) == ["The change is uncommitted and unpushed."]
        assert left(fixed, pushed) == []
        assert left(fixed, clock.turn("push it", "Pushed: `main` is at 5d6e7f8.")) == []

    def test_a_push_does_not_do_the_work_that_waits_beside_it(self, clock: Clock) -> None:
        said = "Not pushed: the migration of the old invoices, which Ada must look at on a copy."
        turn = clock.turn("migrate", said)

        assert left(turn, clock.turn("push the rest", "Pushed.")) == [said]

    @pytest.mark.parametrize(
        "sentence",
        [
            "I have not changed anything yet.",
            "Nothing was changed so far, as you have not said which way.",
            "It is in the standard library, so nothing new has to be installed.",
            "A mail can go out twice if the worker dies in between.",
        ],
    )
    def test_what_needs_nothing_to_be_done_is_not_open(self, clock: Clock, sentence: str) -> None:
        assert left(clock.turn("which way?", f"Take the first one. {sentence}")) == []

    def test_what_a_resting_project_left_open_is_still_open(self, clock: Clock) -> None:
        turn = clock.turn("deploy", "Not done: the backup.")

        assert left(turn) == ["Not done: the backup."]


class TestRules:
    @pytest.mark.parametrize(
        "sentence",
        [
            "no pandas in the ingest path, ever.",
            "also pls never deploy the server on a saturday",
            "Secrets must never reach any log at any level, please",
            "heights are always metres above chart datum",
            "Please remember that the staging database is read-only",
            "don't mock the database",
            "and no new dependency without asking me first",
            "Conventional commits are mandatory from now on",
            "we agreed that the API stays on v1",
            "pls when theres something i need to do myself put it at the very top",
        ],
    )
    def test_what_shall_hold_from_now_on_is_a_rule(self, sentence: str) -> None:
        assert rules.is_rule(sentence)

    @pytest.mark.parametrize(
        "sentence",
        [
            "it never worked here",
            "The welcome mails sometimes never arrive when the server restarts.",
            "the hook never actually worked",
            "no raw storage for now.",
            "should we always retry?",
            "i dont want to pay much",
            "**Not filtered** (structural metadata only):",
            "keep raw for 400 so we always have last year's season",
            "fix the login",
        ],
    )
    def test_what_happens_or_holds_for_a_moment_is_none(self, sentence: str) -> None:
        assert not rules.is_rule(sentence)

    def test_a_rule_that_was_announced_is_told_with_what_goes_on_from_it(self) -> None:
        prompt = "one rule before we go on. use tide_ro for prod data. that is what it is for."

        assert rules.of_prompt((prompt,)) == ["use tide_ro for prod data. that is what it is for."]

    def test_a_plan_that_was_pasted_states_no_rules(self) -> None:
        assert rules.of_prompt(("Never do that. " + "It goes on. " * 100,)) == []

    def test_each_is_told_once_and_not_if_a_note_says_it(self) -> None:
        old = cast("IndexRow", SimpleNamespace(at=1.0))
        new = cast("IndexRow", SimpleNamespace(at=2.0))
        stated = [
            StatedRule(text="never push on friday", source=old),
            StatedRule(text="never ever push on friday", source=new),
            StatedRule(text="always run ruff", source=old),
            StatedRule(text="Please remember that staging is read-only", source=old),
        ]

        told = ["Always run ruff before you say done", "Staging is read-only"]
        kept = rules.newest(stated, known_texts=told)

        assert [one.source for one in kept] == [new]


class TestInstructions:
    def test_what_they_say_in_other_order_is_said(self) -> None:
        claude_md = "# Rules\n\n- Production is read as `tide_ro`, never with the writer role.\n"

        assert Instructions([claude_md]).say("the writer role is never for production")

    def test_words_from_different_paragraphs_say_nothing_together(self) -> None:
        text = "- Deploy from main.\n- Saturday is market day.\n"

        assert not Instructions([text]).say("market deploys go from main")

    def test_no_instructions_say_nothing(self) -> None:
        assert not Instructions([]).say("never push on friday")
