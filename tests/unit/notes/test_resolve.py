from datetime import timedelta

import pytest

from recollect.notes import resolve
from recollect.notes.categories import CATEGORIES
from recollect.notes.resolve import ChangeFacts, Intent, Structure
from tests.builders.notes import NOON


@pytest.mark.parametrize(
    ("structure", "create", "update", "retire"),
    [
        ("no-candidate", "create", "create", "nothing"),
        ("retirable", "create", "update", "retire"),
        ("permanent", "create", "update", "update"),
    ],
)
def test_structure_and_intent_make_the_action(
    structure: Structure, create: str, update: str, retire: str
) -> None:
    intents: tuple[Intent, ...] = ("create", "update", "retire")

    actions = [resolve.resolve(intent, structure).action for intent in intents]

    assert actions == [create, update, retire]


@pytest.mark.parametrize("structure", ["no-candidate", "retirable", "permanent"])
@pytest.mark.parametrize("intent", ["create", "update", "retire"])
def test_a_veto_beats_everything(structure: Structure, intent: Intent) -> None:
    resolution = resolve.resolve(intent, structure, veto="the category is off")

    assert (resolution.action, resolution.reason) == ("nothing", "the category is off")


@pytest.mark.parametrize("structure", ["no-candidate", "retirable", "permanent"])
@pytest.mark.parametrize("intent", ["create", "update", "retire"])
def test_every_action_has_its_reason(structure: Structure, intent: Intent) -> None:
    assert resolve.resolve(intent, structure).reason


def test_choices_preferences_and_summaries_are_not_retired_by_a_draft() -> None:
    permanent = {category for category in CATEGORIES if resolve.structure(category) == "permanent"}

    assert permanent == {"decision", "preference", "session_summary"}
    assert resolve.structure(None) == "no-candidate"


def test_nothing_speaks_against_an_untouched_candidate() -> None:
    assert (
        resolve.veto(ChangeFacts(category="runbook", now=NOON, hash_read="a", hash_now="a")) == ""
    )


def test_a_category_that_is_off_is_a_veto() -> None:
    said = resolve.veto(ChangeFacts(category="runbook", now=NOON, enabled=False))

    assert said == "the category runbook is off (categories.runbook.enabled)"


def test_a_candidate_that_changed_since_it_was_read_is_a_veto() -> None:
    changed = ChangeFacts(category="runbook", now=NOON, hash_read="a", hash_now="b")
    gone = ChangeFacts(category="runbook", now=NOON, hash_read="a")

    assert resolve.veto(changed) == "the note changed since it was read"
    assert resolve.veto(gone) == "the note is gone since it was read"


@pytest.mark.parametrize(
    ("hours", "vetoed"), [(0, True), (23.9, True), (24, False), (1000, False), (-1, True)]
)
def test_what_was_retired_in_the_last_day_is_not_made_anew(hours: float, vetoed: bool) -> None:
    retired_at = NOON - timedelta(hours=hours)
    facts = ChangeFacts(category="runbook", now=NOON, slug="restart-it", retired_at=retired_at)

    said = resolve.veto(facts)

    assert bool(said) is vetoed
    if vetoed:
        assert "restart-it was retired in the last 24 hours: restore it, or choose" in said
