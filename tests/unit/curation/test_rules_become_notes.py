"""Rules that people state become notes, and the newer one takes the place of the older."""

from pathlib import Path

import pytest

from recollect.store import saved
from tests.unit.curation.conftest import Desk
from tests.unit.curation.test_propose import Talk


@pytest.fixture
def talk(desk: Desk) -> Talk:
    return Talk(desk)


def titles(talk: Talk) -> list[str]:
    return sorted(held.note.title for held in talk.notes())


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        (
            "Please remember that the staging database is read-only",
            "The staging database is read-only",
        ),
        ("Let's switch from yarn to pnpm", "Let's switch from yarn to pnpm"),
        ("don't mock the database", "Don't mock the database"),
        ("we agreed that deploys need two people", "We agreed that deploys need two people"),
        ("only stop for questions", "Only stop for questions"),
        ("And from now on always use Decimal", "Always use Decimal"),
    ],
)
def test_a_stated_rule_becomes_a_note_in_the_users_words(
    talk: Talk, prompt: str, title: str
) -> None:
    talk.turn(prompt, "Understood.")

    assert titles(talk) == [title]


@pytest.mark.parametrize(
    "prompt",
    [
        "People are asking for a configuration file",
        "Writing the changelog by hand took me four hours again. I have had enough.",
        "do not commit this yet",
        # What a page has to do, though something else is left for later.
        "In theory we could drop it, but for now I would keep it. "
        "But once there is a new one, the list should not bother with the old one",
        "nah let's roll back, they don't really need to exist in the future state",
        "lint and tests are failing -> let's sort this out first, then get to the review.",
        "use port 9000 for this run",
    ],
)
def test_what_is_no_rule_becomes_none(talk: Talk, prompt: str) -> None:
    talk.turn(prompt, "Understood.")

    assert titles(talk) == []


def test_two_rules_of_one_prompt_are_two_notes(talk: Talk) -> None:
    talk.turn("Never use floats for money. Always write dates in ISO format.", "Understood.")

    assert titles(talk) == ["Always write dates in ISO format", "Never use floats for money"]


def test_a_note_has_nothing_of_the_sentences_beside_the_rule(talk: Talk) -> None:
    talk.turn(
        "The parsed JSON is huge. We decided to keep the signing secret in Vault. Fix the page.",
        "Fixed.",
    )

    (held,) = talk.notes()
    assert "JSON" not in held.text
    assert "Fix the page" not in held.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("From now on always use requests.", "Actually, let's use httpx instead of requests."),
        ("From now on always use yarn.", "Let's switch from yarn to pnpm from now on."),
    ],
)
def test_what_replaces_an_earlier_choice_supersedes_its_note(
    talk: Talk, before: str, after: str
) -> None:
    talk.turn(before, "Okay.")
    (old,) = talk.notes()
    talk.turn(after, "Okay.")

    (new,) = talk.notes()
    assert new.note.supersedes == (old.note.id,)


def test_what_is_said_to_be_over_is_put_before_the_user(talk: Talk) -> None:
    talk.turn("From now on always use Redis for sessions.", "Okay.")
    talk.turn("We no longer use Redis for sessions.", "Okay.")

    assert any("may contradict" in (held.note.review or "") for held in talk.notes())


def test_the_user_is_told_what_waits_and_how_to_confirm_it(talk: Talk) -> None:
    around = "The page shows orders. It has a table. The table has rows. The first row has a link."
    talk.turn(f"{around} Never use floats for money. {around}", "Noted.")

    waiting = saved.waiting(talk.desk.app.inside.state, talk.desk.project)

    told = 'Noted, please confirm: "Never use floats for money" (recollect review)'
    assert saved.in_words(waiting) == told


def test_what_an_earlier_version_left_to_be_told_is_still_told(desk: Desk) -> None:
    desk.app.inside.state.set_meta(f"saved:{desk.project}", '[["decision", "created"]]')

    told = saved.in_words(saved.waiting(desk.app.inside.state, desk.project))

    assert told == "Saved: decision (created)"


def test_the_only_turn_of_an_imported_session_makes_notes(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "0b7cbb2c-8b0c-4c43-9df1-8f1a2f0f7a11.jsonl"
    base = (
        f'"sessionId":"0b7cbb2c-8b0c-4c43-9df1-8f1a2f0f7a11","cwd":"{desk.folder}",'
        '"version":"2.1.0","isSidechain":false,"userType":"external"'
    )
    log.write_text(
        f'{{"type":"user","uuid":"u-1","parentUuid":null,"timestamp":"2026-11-15T12:00:00Z",{base},'
        '"message":{"role":"user","content":"never push straight to main"}}\n'
        f'{{"type":"assistant","uuid":"a-1","parentUuid":"u-1","timestamp":"2026-11-15T12:00:05Z",'
        f'{base},"message":{{"id":"m-1","role":"assistant","content":'
        '[{"type":"text","text":"Understood."}]}}\n'
    )

    desk.app.importing.transcripts(log, lambda *_: None)

    (name,) = desk.names()
    assert name.endswith("/never-push-straight-to-main")
