"""Notes, made of what people say: alike, again, or instead."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import paths
from recollect.app.recollect import Recollect
from recollect.curation.curator import NoteFilter, Saying
from recollect.errors import NoteError, NotFoundError, RecollectError
from recollect.notes import draft
from recollect.notes.categories import CATEGORIES, Category
from recollect.store.contract.notes import ChangeResult
from tests.builders.notes import content_of
from tests.unit.curation.conftest import NOON, Desk


class TestRemembering:
    @pytest.mark.parametrize(
        ("said", "category"),
        [
            ("From now on use pnpm", "preference"),
            ("We decided on Postgres because it has partial indexes", "decision"),
            ("The payment API allows at most 100 requests a minute", "constraint"),
        ],
    )
    def test_the_category_is_guessed(self, desk: Desk, said: str, category: str) -> None:
        assert desk.remember(said).outcome == "created"

        (name,) = desk.names()
        assert name.startswith(f"{category}/")

    @pytest.mark.parametrize("category", CATEGORIES)
    def test_or_taken_as_it_is_said_and_nothing_is_invented(
        self, desk: Desk, category: Category
    ) -> None:
        said = "Deploys go through the Friday train"

        assert desk.remember(said, category).outcome == "created"

        (held,) = desk.curator.listed([desk.project], NoteFilter())
        told = held.note.content.model_dump(mode="json")
        texts = [value for value in told.values() if isinstance(value, str) and " " in value]
        assert held.note.category == category
        assert {word for text in texts for word in text.lower().split()} <= set(
            said.lower().split()
        )

    def test_what_was_remembered_is_found_at_once(self, desk: Desk) -> None:
        desk.remember("The staging bastion is called pigeon", "constraint")

        assert desk.found("staging bastion") == ["constraint/the-staging-bastion-is-called-pigeon"]

    def test_a_secret_is_not_kept(self, desk: Desk) -> None:
        token = "ghp_" + "a1B2" * 9

        desk.remember(f"The token is {token}", "constraint", title=f"Token {token}", tags=[token])

        assert token.encode() not in desk.everything()

    def test_what_holds_everywhere_is_found_in_every_project(self, desk: Desk) -> None:
        desk.remember("Answer me in German", "preference", everywhere=True)

        assert desk.found("answer German") == ["preference/answer-me-in-german"]

    @pytest.mark.parametrize("said", ["배포는 금요일에 하지 않는다", "🚀🚀", "a\0b \x1b[31m"])
    def test_any_text_can_be_kept(self, desk: Desk, said: str) -> None:
        assert desk.remember(said, "constraint").outcome == "created"

    def test_what_does_not_fit_is_refused_rather_than_cut(self, desk: Desk) -> None:
        with pytest.raises(NoteError, match="50,000 characters"):
            desk.remember("x" * 50_000, "constraint")

    def test_every_word_of_a_person_stays(self, desk: Desk) -> None:
        said = "Use tabs because Go does.\n\n- Wrap lines at 100.\n\n```sh\ngo fmt\n```\nAsk Grace."

        desk.remember(said, "preference")

        (held,) = desk.curator.listed([desk.project], NoteFilter())
        assert content_of(held.note).value == said


class TestAlikeAgainOrInstead:
    def test_what_says_the_same_counts_once_more(self, desk: Desk) -> None:
        desk.remember("Orders live in Postgres", "decision")

        done = desk.remember("Orders live in Postgres", "decision")

        assert done.outcome == "updated"
        (held,) = desk.curator.listed([desk.project], NoteFilter())
        assert held.note.seen == 1

    def test_what_rejects_an_earlier_choice_supersedes_it_and_each_names_the_other(
        self, desk: Desk
    ) -> None:
        desk.remember("We use npm for packages because it ships with node")

        done = desk.remember("From now on use pnpm instead of npm because it is faster")

        assert [one.outcome for one in done.also] == ["superseded"]
        new = desk.curator.find("preference/use-pnpm", among=[desk.project])
        old = desk.curator.find("decision/we-use-npm", among=[desk.project])
        assert old.note.superseded_by == new.note.id
        assert new.note.supersedes == (old.note.id,)

    def test_what_was_superseded_is_no_longer_found_unasked(self, desk: Desk) -> None:
        desk.remember("We use npm for packages because it ships with node")
        desk.remember("From now on use pnpm instead of npm because it is faster")

        found = desk.found("npm packages ships with node")

        assert not any("we-use-npm" in name for name in found)

    def test_what_may_say_otherwise_of_the_same_thing_is_put_before_the_user(
        self, desk: Desk
    ) -> None:
        desk.remember("Orders live in the Postgres database", "decision")

        desk.remember("Orders live in the SQLite database", "decision")

        held = desk.curator.find("orders-live-in-the-sqlite", among=[desk.project])
        assert held.note.review == "may contradict decision/orders-live-in-the-postgres-database"

    def test_what_is_about_something_else_stands_beside_it(self, desk: Desk) -> None:
        desk.remember("Orders live in Postgres", "decision")

        desk.remember("The postgres container needs 2 GB", "decision")

        assert len(desk.names()) == 2
        assert not any(
            held.note.review for held in desk.curator.listed([desk.project], NoteFilter())
        )

    def test_the_same_problem_again_counts_on_its_runbook_which_comes_up_first(
        self, desk: Desk
    ) -> None:
        desk.remember("pytest fails with connection refused on port 5432", "runbook")
        desk.remember("pytest fails with a fixture that is not found", "runbook")

        desk.remember("pytest fails: connection refused, port 5432", "runbook")

        held = desk.curator.find("pytest-fails-with-connection", among=[desk.project])
        assert held.note.seen == 1
        assert desk.found("pytest fails")[0] == held.name


class TestSettings:
    def test_a_category_that_is_off_gets_no_note_and_says_so(self, desk: Desk) -> None:
        desk.set("categories.decision.enabled", "false")

        done = desk.remember("Orders live in Postgres", "decision")

        assert done.outcome == "nothing"
        assert "categories.decision.enabled" in done.reason
        assert desk.names() == []

    def test_beyond_max_notes_the_oldest_retires(self, desk: Desk) -> None:
        desk.set("categories.constraint.max_notes", "2")
        for said in ("Deploys need the VPN", "Tokens expire hourly", "Ports below 1024 are closed"):
            done = desk.remember(said, "constraint")

        assert [one.outcome for one in done.also] == ["retired"]
        assert len(desk.names()) == 2

    def test_past_its_retention_a_note_retires_when_things_are_collected(self, desk: Desk) -> None:
        desk.set("categories.tech_debt.retention_days", "10")
        desk.remember("The parser is slow", "tech_debt")

        later = NOON + timedelta(days=11)
        (planned,) = desk.curator.due(desk.project, now=later)
        assert (planned.step, planned.name) == ("retire", "tech_debt/the-parser-is-slow")
        assert desk.names() != []
        desk.curator.collect(desk.project, now=later)

        assert desk.names() == []

    @pytest.mark.parametrize(("archive", "status"), [("true", ["archived"]), ("false", [])])
    def test_past_its_grace_a_retired_note_is_archived_or_deleted_as_you_chose(
        self, desk: Desk, archive: str, status: list[str]
    ) -> None:
        desk.set("delete.grace_days", "3")
        desk.set("delete.archive_retired", archive)
        desk.remember("The parser is slow", "tech_debt")
        held = desk.curator.find("the-parser", among=[desk.project])
        desk.curator.step(held, "retire", now=NOON)

        desk.curator.collect(desk.project, now=NOON + timedelta(days=4))

        wanted = NoteFilter(statuses=("active", "retired", "archived"))
        found = desk.curator.listed([desk.project], wanted)
        assert [held.note.record_status for held in found] == status


class TestFinding:
    def test_by_name_by_id_and_by_the_beginning_of_either(self, desk: Desk) -> None:
        desk.remember("Deploys need the VPN", "constraint")

        for prefix in ("constraint/deploys-need-the-vpn", "deploys-need", "constraint/dep"):
            assert (
                desk.curator.find(prefix, among=[desk.project]).note.title == "Deploys need the VPN"
            )

    def test_the_same_name_here_and_everywhere_is_ambiguous(self, desk: Desk) -> None:
        desk.remember("Deploys need the VPN", "constraint")
        desk.remember("Deploys need the VPN", "constraint", everywhere=True)

        with pytest.raises(NotFoundError, match="more than one note"):
            desk.curator.find("deploys", among=[desk.project, paths.EVERYWHERE])
        everywhere = desk.curator.find("deploys", among=[paths.EVERYWHERE])
        assert everywhere.project == paths.EVERYWHERE

    def test_a_beginning_of_several_is_said_to_be_ambiguous(self, desk: Desk) -> None:
        """What `global` said, that there is none, hid what the project said."""
        desk.remember("Tea is served at four", "constraint")
        desk.remember("Tea comes from Assam", "constraint")

        with pytest.raises(NotFoundError, match="ids begin like this"):
            desk.curator.find("tea", among=[desk.project, paths.EVERYWHERE])

    def test_nothing_is_said_to_be_nothing(self, desk: Desk) -> None:
        with pytest.raises(NotFoundError):
            desk.curator.find("nothing", among=[desk.project])

    def test_lists_by_category_tag_text_and_status(self, desk: Desk) -> None:
        desk.remember("Deploys need the VPN", "constraint", tags=["network"])
        desk.remember("Use tabs", "preference")

        def listed(**wanted: object) -> list[str]:
            found = desk.curator.listed([desk.project], NoteFilter(**wanted))  # type: ignore[arg-type]
            return [held.note.title for held in found]

        assert listed(categories=["preference"]) == ["Use tabs"]
        assert listed(tags=["network"]) == ["Deploys need the VPN"]
        assert listed(text="vpn") == ["Deploys need the VPN"]
        assert listed(statuses=["retired"]) == []


class TestABrokenFile:
    def test_is_left_as_it_is_and_named_with_what_to_do(self, desk: Desk) -> None:
        desk.remember("Deploys need the VPN", "constraint")
        desk.remember("Use tabs", "preference")
        held = desk.curator.find("deploys", among=[desk.project])
        broken = held.text.replace("tags:", "tags: [", 1)
        Path(held.location).write_text(broken)

        (trouble,) = desk.curator.troubles(desk.project)

        assert trouble.location == held.location
        assert trouble.line
        assert trouble.fix
        assert Path(held.location).read_text() == broken
        assert desk.found("use tabs") == ["preference/use-tabs"]
        assert desk.found("deploys VPN") == []


def test_a_file_that_is_named_is_remembered_as_it_is_now(desk: Desk) -> None:
    file = desk.folder / "deploy.sh"
    file.write_text("\n".join(f"step {number}" for number in range(50)))
    desk.remember("Deploys go through deploy.sh, see also none.sh", "constraint")

    held = desk.curator.find("deploys", among=[desk.project])
    assert held.note.related_files == ("deploy.sh",)
    file.unlink()
    (item,) = desk.app.review(desk.project).items((desk.project,))

    assert "`deploy.sh` is gone" in item.about


class TestDoubt:
    """Found by trying to break it: what a person decided must never go by a guess."""

    @pytest.mark.parametrize(
        ("said", "opposite"),
        [
            ("Deploy on Fridays", "Do not deploy on Fridays"),
            ("Answer in German", "Don't answer in German"),
            (
                "The gateway allows 100 requests a minute for each account",
                "The gateway allows 500 requests a minute for each account",
            ),
        ],
    )
    def test_the_opposite_and_another_number_do_not_say_the_same(
        self, desk: Desk, said: str, opposite: str
    ) -> None:
        desk.remember(said, "constraint")

        assert desk.remember(opposite, "constraint").outcome == "created"

        assert len(desk.names()) == 2

    def propose(
        self, desk: Desk, sentence: str, *, days: int = 0, review: str | None
    ) -> ChangeResult:
        made = draft.from_sentence("decision", sentence)
        source = {"by": "extractive", "session": "s-1"}
        now = NOON + timedelta(days=days)
        return desk.curator.keep(made, project=desk.project, now=now, source=source, review=review)

    def test_a_proposal_takes_no_ones_place(self, desk: Desk) -> None:
        desk.remember("We use npm because every tool knows it", "decision", pinned=True)

        self.propose(desk, "We use pnpm instead of npm because it is strict", review="proposed")

        assert "decision/we-use-npm" in " ".join(desk.names())
        (item,) = desk.app.review(desk.project).items((desk.project,))
        assert item.kind == "proposed"
        assert item.other
        assert "npm" in item.other.note.title

    def test_what_was_said_earlier_does_not_supersede_what_was_said_later(self, desk: Desk) -> None:
        desk.remember("We use pnpm because it is strict", "decision")

        self.propose(desk, "We use npm instead of pnpm because of CI", days=-400, review=None)

        assert len(desk.names()) == 2

    def test_a_rule_that_only_mentions_it_is_not_superseded(self, desk: Desk) -> None:
        desk.remember("Never publish to npm without 2FA", "constraint")

        desk.remember("From now on use pnpm instead of npm")

        assert "constraint/never-publish-to-npm-without-2fa" in desk.names()

    def test_the_users_word_accepts_a_proposal(self, desk: Desk) -> None:
        sentence = "We decided on Postgres because it has partial indexes"
        self.propose(desk, sentence, review="proposed")

        assert desk.remember(sentence, "decision").outcome == "updated"

        (held,) = desk.curator.listed([desk.project], NoteFilter())
        assert held.note.review is None

    def test_a_proposal_pushes_nothing_out(self, desk: Desk) -> None:
        desk.set("categories.decision.max_notes", "1")
        desk.remember("Kafka carries our events", "decision")

        self.propose(desk, "Grafana draws our boards because it can", review="proposed")

        assert "decision/kafka-carries-our-events" in desk.names()

    def test_what_an_old_turn_said_too_makes_no_note_older_than_it_is(self, desk: Desk) -> None:
        sentence = "We decided on Postgres because it has partial indexes"
        desk.remember(sentence, "decision")

        desk.curator.keep(
            draft.from_sentence("decision", sentence),
            project=desk.project,
            now=NOON + timedelta(days=1),
            said_at=NOON - timedelta(days=90),
            source={"by": "extractive"},
        )

        (held,) = desk.curator.listed([desk.project], NoteFilter())
        assert (held.note.seen, held.note.updated_at) == (1, NOON)

    def test_a_proposal_does_not_count_against_a_window_either(self, desk: Desk) -> None:
        desk.set("categories.decision.max_retained", "1")
        desk.remember("Kafka carries our events", "decision")

        self.propose(desk, "Grafana draws our boards because it can", review="proposed")

        assert "decision/kafka-carries-our-events" in desk.names()

    def test_a_pin_and_tags_are_taken_over_when_the_same_is_said_again(self, desk: Desk) -> None:
        desk.remember("Answer in German", "preference")

        desk.remember("Answer in German", "preference", pinned=True, tags=["language"])

        (held,) = desk.curator.listed([desk.project], NoteFilter())
        assert held.note.pinned
        assert "language" in held.note.tags


def test_a_secret_in_a_reason_is_not_kept(desk: Desk) -> None:
    token = "ghp_" + "a1B2" * 9
    desk.remember("Deploys need the VPN", "constraint")
    held = desk.curator.find("deploys", among=[desk.project])

    desk.curator.step(held, "retire", now=NOON, reason=f"leaked {token}")

    assert token.encode() not in desk.everything()


def test_forgetting_what_is_archived_says_that_nothing_happened(desk: Desk) -> None:
    desk.remember("Deploys need the VPN", "constraint")
    held = desk.curator.find("deploys", among=[desk.project])
    desk.curator.step(held, "archive", now=NOON)
    held = desk.curator.find("deploys", among=[desk.project])

    with pytest.raises(RecollectError, match="archived"):
        desk.curator.forget(held, really=False, now=NOON)


def test_two_at_once_that_say_the_same_make_one_note(desk: Desk) -> None:
    def say() -> None:
        app = Recollect(str(desk.home))
        saying = Saying(text="Kafka carries our events", category="decision")
        app.notes.remember(saying, project=desk.project, now=NOON)
        app.close()

    threads = [threading.Thread(target=say) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    (held,) = desk.curator.listed([desk.project], NoteFilter())
    assert held.note.seen == 3


def test_what_may_mean_several_notes_brings_back_none_that_is_gone(desk: Desk) -> None:
    for said in ("Tea is served at four", "Tea comes from Assam", "Tea needs no milk"):
        desk.remember(said, "constraint")
    Path(desk.curator.find("tea-needs", [desk.project]).location).unlink()

    with pytest.raises(NotFoundError, match="ids begin like this"):
        desk.restore("tea")

    assert len(desk.names()) == 2
