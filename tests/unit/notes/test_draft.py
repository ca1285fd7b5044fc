"""A note without a model: the turn's own words in every field, or no note."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.notes import draft, note_model
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.draft import NoteDraft
from recollect.notes.triage import Activity, Proposal, SpokenMessage, triage
from recollect.transcripts.turns import CleanTurn
from tests.builders.turns import a_command, a_turn, an_edit

FAILED = "==== 1 failed in 0.31s ====\nE   ConnectionError: refused"
PASSED = "==== 12 passed in 0.40s ===="


def drafts(turn: CleanTurn) -> list[NoteDraft | None]:
    """What comes of a turn, as the worker makes it."""
    said = [SpokenMessage(by="user", text=turn.prompt), SpokenMessage(by="agent", text=turn.answer)]
    return [draft.from_turn(one, turn) for one in triage(said, activity=Activity())]


def the_draft(turn: CleanTurn) -> NoteDraft:
    (made,) = drafts(turn)
    assert made is not None
    return made


def a_proposal(category: Category, sentence: str, by: str = "user") -> Proposal:
    return Proposal(category=category, score=0.8, sentence=sentence, by=by)  # type: ignore[arg-type]


class TestADecision:
    def test_what_is_given_up_without_a_reason_does_not_have_the_sentence_for_one(self) -> None:
        made = draft.from_rule("decision", "Let's switch from yarn to pnpm", confidence=0.9)

        given_up = {"option": "yarn", "rejected_reason": "pnpm was chosen"}
        assert made.content["alternatives"] == [given_up]

    def test_has_its_reason_and_the_way_not_taken(self) -> None:
        made = the_draft(
            a_turn("We decided on Postgres over MySQL because it has partial indexes.")
        )

        assert made.category == "decision"
        assert made.title == "We decided on Postgres over MySQL"
        assert made.content == {
            "status": "accepted",
            "context": "We decided on Postgres over MySQL because it has partial indexes.",
            "decision": "We decided on Postgres over MySQL because it has partial indexes.",
            "rationale": ["it has partial indexes."],
            "alternatives": [{"option": "MySQL", "rejected_reason": "Postgres was chosen"}],
        }

    @pytest.mark.parametrize(
        ("sentence", "left", "chosen"),
        [
            ("I went with argparse over click because it costs nothing.", "click", "argparse"),
            ("Because of the licence we use Valkey instead of Redis.", "Redis", "Valkey"),
            ("Instead of Redis we use Valkey because of the licence.", "Redis", "Valkey"),
            ("I used a queue, not a cron job, because jobs take hours.", "a cron job", "a queue"),
            ("We keep SQLite rather than move to Postgres, since one writer is enough.", "Postgres",
             "SQLite"),
            ("Let's switch from yarn to pnpm because of disk space.", "yarn", "pnpm"),
            ("Wir nehmen SQLite statt MySQL, weil ein Server zu viel wäre.", "MySQL", "SQLite"),
            ("Statt MySQL nehmen wir SQLite, weil ein Server zu viel wäre.", "MySQL", "SQLite"),
            ("On a choisi SQLite plutôt que MySQL parce que c'est plus simple.", "MySQL", "SQLite"),
            ("Elegimos SQLite en lugar de MySQL porque es más simple.", "MySQL", "SQLite"),
            ("我们决定用 SQLite 而不是 MySQL，因为更简单。", "MySQL", "SQLite"),
            ("運用が楽なので MySQL ではなく SQLite を採用しました。", "MySQL", "SQLite"),
            ("운영이 쉽기 때문에 MySQL 대신 SQLite를 쓰기로 했습니다.", "MySQL", "SQLite"),
        ],
    )  # fmt: skip
    def test_does_not_give_the_reason_for_what_was_chosen_as_one_against_the_other(
        self, sentence: str, left: str, chosen: str
    ) -> None:
        made = draft.from_sentence("decision", sentence)

        given_up = {"option": left, "rejected_reason": f"{chosen} was chosen"}
        assert made.content["alternatives"] == [given_up]

    @pytest.mark.parametrize(
        ("sentence", "left", "reason"),
        [
            ("We decided against MySQL because it has no partial indexes", "MySQL",
             "it has no partial indexes"),
            ("We decided not to use MySQL because it has no partial indexes", "MySQL",
             "it has no partial indexes"),
            ("Wir haben uns gegen MySQL entschieden, weil es zu langsam ist", "MySQL",
             "es zu langsam ist"),
            ("Decidimos no usar MySQL porque es lento", "MySQL", "es lento"),
            ("我们决定不用 MySQL，因为太慢", "MySQL", "太慢"),
        ],
    )  # fmt: skip
    def test_that_only_turns_something_down_says_why(
        self, sentence: str, left: str, reason: str
    ) -> None:
        made = draft.from_sentence("decision", sentence)

        assert made.content["alternatives"] == [{"option": left, "rejected_reason": reason}]

    def test_against_two_things_has_the_reason_against_each(self) -> None:
        said = "We decided against a cron job because nobody watches it, and against a queue"
        made = draft.from_sentence("decision", f"{said} because it is one more service")

        assert made.content["alternatives"] == [
            {"option": "a cron job", "rejected_reason": "nobody watches it"},
            {"option": "a queue", "rejected_reason": "it is one more service"},
        ]
        assert made.content["rationale"] == ["nobody watches it", "it is one more service"]

    def test_takes_the_reason_from_the_sentence_behind_it(self) -> None:
        made = the_draft(
            a_turn("We're going back to REST. Caching at the CDN is impossible with GraphQL.")
        )

        assert made.content["rationale"] == ["Caching at the CDN is impossible with GraphQL."]

    def test_takes_its_context_from_the_request_where_the_agent_made_it(self) -> None:
        made = the_draft(
            a_turn(
                "Make the uploads resumable",
                answer="I picked tus over S3 multipart, because there are clients for phones.",
            )
        )

        assert made.content["context"] == "Make the uploads resumable"

    def test_without_a_reason_is_none(self) -> None:
        turn = a_turn("We decided on Postgres.")

        assert draft.from_turn(a_proposal("decision", "We decided on Postgres."), turn) is None

    @pytest.mark.parametrize(
        ("sentence", "reason"),
        [
            ("Wir nehmen SQLite, weil ein Server zu viel wäre.", "ein Server zu viel wäre."),
            ("On a choisi SQLite parce que c'est plus simple.", "c'est plus simple."),
            ("Elegimos SQLite porque es más simple.", "es más simple."),
            ("我们决定用 SQLite，因为更简单。", "更简单。"),
            ("運用が楽なので SQLite を採用しました。", "運用が楽"),
            ("운영이 쉽기 때문에 SQLite를 쓰기로 했습니다.", "운영이 쉽기"),
        ],
    )
    def test_gives_its_reason_in_every_language(self, sentence: str, reason: str) -> None:
        made = draft.from_turn(a_proposal("decision", sentence), a_turn(sentence))

        assert made is not None
        assert made.content["rationale"] == [reason]

    def test_that_begins_with_because_of_that_has_the_reason_before_it(self) -> None:
        made = draft.from_turn(
            a_proposal("decision", "Because of that we decided against one worker per shop."),
            a_turn(
                "The partner needs the connections elsewhere. "
                "Because of that we decided against one worker per shop."
            ),
        )

        assert made is not None
        assert made.content["rationale"] == ["The partner needs the connections elsewhere."]


class TestARunbook:
    def test_tells_what_was_really_done(self) -> None:
        turn = a_turn(
            "the tests fail with connection refused",
            answer="The port had changed. Restarting the database and changing the port fixed it.",
            tools=(
                a_command("pytest -q", FAILED, failed=True),
                an_edit("conf/db.toml"),
                a_command("pytest -q", PASSED),
            ),
        )

        made = draft.from_turn(a_proposal("runbook", "The port had changed.", "agent"), turn)

        assert made is not None
        assert made.content == {
            "trigger": "ConnectionError: refused",
            "steps": ["Change `conf/db.toml`", "Run `pytest -q`"],
            "verification": "`pytest -q`: 12 passed",
            "root_cause": "The port had changed.",
        }
        assert made.related_files == ("conf/db.toml",)

    def test_takes_the_steps_that_the_answer_lists(self) -> None:
        turn = a_turn(
            "xcode fails with no such module, only here",
            answer=(
                "The derived data was stale. Steps that solved it:\n\n"
                "1. Quit Xcode.\n2. `rm -rf DerivedData`\n3. Build again.\n\nThe app builds now."
            ),
        )

        made = the_draft(turn)

        assert made.title == "Xcode fails with no such module, only here"
        assert made.content["steps"] == ["Quit Xcode.", "`rm -rf DerivedData`", "Build again."]
        assert made.content["verification"] == "The app builds now."

    def test_takes_the_steps_that_a_user_tells(self) -> None:
        made = the_draft(
            a_turn(
                "If the e2e tests hang at login: stop the agent, delete the mailbox, start the "
                "agent again. Verified on three machines."
            )
        )

        assert made.content["steps"] == [
            "stop the agent",
            "delete the mailbox",
            "start the agent again",
        ]
        assert made.content["verification"] == "Verified on three machines."

    def test_without_a_check_is_none(self) -> None:
        sentence = "To fix it: stop the agent, delete the mailbox."
        turn = a_turn(f"The tests hang. {sentence}")

        assert draft.from_turn(a_proposal("runbook", sentence), turn) is None


class TestAConstraint:
    def test_has_what_follows_from_it(self) -> None:
        made = the_draft(
            a_turn("The API allows at most 100 requests per minute, otherwise they block the key.")
        )

        assert made.content["rule"] == (
            "The API allows at most 100 requests per minute, otherwise they block the key."
        )
        assert made.content["impact"] == ["they block the key."]
        assert made.content["active"] is True

    def test_may_have_its_impact_from_the_answer(self) -> None:
        made = the_draft(
            a_turn(
                "It must run on Python 3.9, the customer has nothing newer.",
                answer="Understood. No match statements, then.",
            )
        )

        assert made.content["impact"] == ["No match statements, then."]

    def test_of_which_nothing_follows_is_none(self) -> None:
        sentence = "The API allows at most 100 requests per minute."

        assert draft.from_turn(a_proposal("constraint", sentence), a_turn(sentence)) is None

    @pytest.mark.parametrize(
        ("sentence", "kind", "severity"),
        [
            ("Never deploy on Fridays, otherwise ops is angry.", "policy", "high"),
            ("The plan has 5 GB, otherwise we pay more.", "limitation", "medium"),
            ("The board has 64 KB of RAM, so no malloc here.", "technical", "medium"),
            ("The printer doesn't support colour, so grey it is.", "gap", "medium"),
            ("Verträge dürfen das Haus nicht verlassen, sonst haften wir.", "policy", "high"),
            ("内存必须小于 64MB，否则会被杀掉", "technical", "high"),
        ],
    )
    def test_is_of_a_kind_and_of_a_weight(self, sentence: str, kind: str, severity: str) -> None:
        made = draft.from_sentence("constraint", sentence)

        assert (made.content["kind"], made.content["severity"]) == (kind, severity)


class TestTechDebt:
    def test_has_the_reason_it_was_left(self) -> None:
        made = the_draft(
            a_turn(
                "add the export",
                answer=(
                    "It works. I hard-coded the tax rates for now, because the settings table "
                    "doesn't exist yet."
                ),
            )
        )

        assert made.category == "tech_debt"
        assert made.content["status"] == "open"
        assert made.content["reason_deferred"] == "the settings table doesn't exist yet."

    def test_says_until_when_where_no_reason_is_given(self) -> None:
        made = the_draft(a_turn("known wart, we live with it until the next migration"))

        assert made.content["reason_deferred"] == "we live with it until the next migration"

    def test_is_described_by_the_sentence_with_the_flaw(self) -> None:
        made = the_draft(
            a_turn("The three importers are copy & paste. Put it on the debt list, not now.")
        )

        assert made.content["description"] == "The three importers are copy & paste."
        assert made.title == "The three importers are copy & paste"

    def test_without_a_reason_or_a_time_is_none(self) -> None:
        sentence = "That's technical debt."

        assert draft.from_turn(a_proposal("tech_debt", sentence), a_turn(sentence)) is None

    @pytest.mark.parametrize(
        ("sentence", "priority"),
        [
            ("The password is hard-coded until we have a vault.", "high"),
            ("The button is ugly, cosmetic, later.", "low"),
            ("The importer is copied for now.", "medium"),
        ],
    )
    def test_is_as_urgent_as_it_sounds(self, sentence: str, priority: str) -> None:
        assert draft.from_sentence("tech_debt", sentence).content["priority"] == priority


class TestAPreference:
    def test_has_the_users_own_sentence_as_its_reason(self) -> None:
        made = the_draft(a_turn("From now on use pnpm, not npm."))

        assert made.title == "Use pnpm, not npm"
        assert made.content == {
            "topic": "pnpm",
            "value": "use pnpm, not npm.",
            "reason": "From now on use pnpm, not npm.",
            "strength": "strong",
            "examples": {"prefer": ["pnpm"], "avoid": ["npm"]},
        }

    def test_has_the_reason_that_was_given(self) -> None:
        made = the_draft(a_turn("I prefer small commits because I review on the train."))

        assert made.content["reason"] == "I review on the train."
        assert made.content["strength"] == "default"

    @pytest.mark.parametrize(
        ("sentence", "strength"),
        [
            ("Never use abbreviations.", "strong"),
            ("I usually like short functions.", "soft"),
            ("I prefer short functions.", "default"),
            ("immer auf Deutsch antworten", "strong"),
            ("コメントはなるべく短く", "soft"),
        ],
    )
    def test_is_as_strong_as_it_sounds(self, sentence: str, strength: str) -> None:
        assert draft.from_sentence("preference", sentence).content["strength"] == strength

    @pytest.mark.parametrize(
        ("sentence", "prefer", "avoid"),
        [
            ("Use composition instead of inheritance", "composition", "inheritance"),
            ("Nimm pnpm statt npm", "pnpm", "npm"),
            ("utilise pnpm plutôt que npm", "pnpm", "npm"),
            ("usa pnpm en vez de npm", "pnpm", "npm"),
            ("用 pnpm 而不是 npm", "pnpm", "npm"),
        ],
    )
    def test_shows_what_to_do_and_what_not(self, sentence: str, prefer: str, avoid: str) -> None:
        made = draft.from_sentence("preference", sentence)

        assert made.content["examples"] == {"prefer": [prefer], "avoid": [avoid]}


class TestWhatAPersonAsksToRemember:
    @pytest.mark.parametrize(
        ("text", "category"),
        [
            ("use pnpm", "preference"),
            ("Always answer in German", "preference"),
            ("We decided on Postgres because it has partial indexes", "decision"),
            ("The API allows at most 100 requests per minute", "constraint"),
            ("Never deploy on Fridays, company policy", "constraint"),
            ("The staging bastion is called pigeon", "constraint"),
            ("the tenant id is hard-coded until the launch", "tech_debt"),
            ("以后都用 pnpm", "preference"),
        ],
    )
    def test_is_of_the_category_it_sounds_like(self, text: str, category: str) -> None:
        assert draft.from_sentence(None, text).category == category

    def test_is_of_the_category_they_say(self) -> None:
        assert draft.from_sentence("runbook", "use pnpm").category == "runbook"

    def test_stands_for_whatever_they_left_out(self) -> None:
        made = draft.from_sentence("decision", "Orders live in Postgres")

        assert made.content["rationale"] == ["Orders live in Postgres"]
        assert made.content["context"] == "Orders live in Postgres"
        assert made.confidence == 1.0

    @given(text=st.text(max_size=400), category=st.sampled_from([None, *CATEGORIES]))
    @settings(deadline=None)
    def test_always_makes_a_note_that_may_be_kept(
        self, text: str, category: Category | None
    ) -> None:
        made = draft.from_sentence(category, text or "x")

        assert note_model.content_model(made.category).model_validate(made.content)
        assert 1 <= len(made.tags) <= note_model.MOST_TAGS
        assert 0 < len(made.title) <= note_model.LONGEST_TITLE


class TestTags:
    def test_are_names_and_what_the_sentence_is_about(self) -> None:
        made = draft.from_sentence(
            "decision", "We decided that get_orders in src/orders/db.py loads lazily"
        )

        assert made.tags == (
            "get_orders",
            "src/orders/db.py",
            "orders",
            "lazily",
            "loads",
            "python",
        )

    def test_have_the_category_where_a_sentence_has_none(self) -> None:
        assert draft.from_sentence("tech_debt", "先这样").tags == ("tech-debt",)


def test_a_draft_never_says_what_was_not_said() -> None:
    turn = a_turn(
        "The importers are copied for now, we merge them after the launch.",
        answer="Understood, I'll leave them alone.",
    )

    made = the_draft(turn)

    told = " ".join([turn.prompt, turn.answer])
    for field in ("description", "reason_deferred"):
        assert str(made.content[field]) in told


def test_a_session_summary_is_not_made_of_one_turn() -> None:
    turn = a_turn("port the parser")

    assert draft.from_turn(a_proposal("session_summary", "port the parser"), turn) is None


@given(prompt=st.text(max_size=300), answer=st.text(max_size=300))
@settings(deadline=None)
def test_any_turn_makes_a_note_that_may_be_kept_or_none(prompt: str, answer: str) -> None:
    turn = a_turn(prompt, answer=answer)
    said = [SpokenMessage(by="user", text=prompt), SpokenMessage(by="agent", text=answer)]
    found = triage(said, activity=Activity(), thresholds=dict.fromkeys(CATEGORIES, 0.0))

    for made in filter(None, (draft.from_turn(one, turn) for one in found)):
        assert note_model.content_model(made.category).model_validate(made.content)


@pytest.mark.parametrize("hostile", ["because " * 20_000, "instead of " * 20_000, "`" * 100_000])
def test_hostile_text_is_drafted_quickly(hostile: str) -> None:
    started = time.process_time()

    draft.from_sentence(None, hostile)
    draft.from_turn(a_proposal("decision", hostile), a_turn(hostile, answer=hostile))

    assert time.process_time() - started < 5
