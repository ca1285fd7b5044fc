"""What models are told: whole, in versions, and in step with what notes are."""

import hashlib
import re
from importlib import resources

import pytest

from recollect.config import Settings
from recollect.llm import model, prompts
from recollect.notes import note_model
from recollect.notes.categories import CATEGORIES

# Whoever changes a prompt gives it a new version: what it made must be told from what it makes.
PINNED = {
    "answer": (1, "01ebbd0fef4c"),
    "notes": (2, "53b04abd4d4b"),
    "observations": (2, "e08e38b9ef2b"),
    "observe": (2, "57ba1f3d2d6e"),
    "summary": (2, "24388e861d77"),
    "verify": (2, "ebbaa73dc87f"),
}


def test_every_prompt_has_its_words_pinned_to_its_version() -> None:
    files = [file for file in resources.files(prompts).iterdir() if file.name.endswith(".md")]
    found = {
        file.name.removesuffix(".md"): (
            prompts.load(file.name.removesuffix(".md")).version,
            hashlib.sha256(file.read_bytes()).hexdigest()[:12],
        )
        for file in files
    }

    assert found == PINNED


@pytest.mark.parametrize("name", ["observations", "summary", "notes"])
def test_the_parts_of_one_call_share_its_version(name: str) -> None:
    assert prompts.load(name).version <= prompts.load("observe").version


def test_nothing_is_left_to_be_filled_in() -> None:
    for ask in model.wanted(Settings(), summary=True):
        assert "{{" not in model.instructions(ask)


def test_every_field_that_a_note_needs_is_asked_for() -> None:
    (ask,) = model.wanted(Settings(), summary=True)
    told = model.instructions(ask)

    for category in ask.categories:
        given = CATEGORIES[category].fixed_at_first
        for name, field in note_model.content_model(category).model_fields.items():
            if field.is_required() and name not in given:
                assert re.search(rf"\b{name}\b", told), f"{category}: {name}"


def test_only_what_is_wanted_is_asked_for() -> None:
    bare = model.ModelRequest(observations=False)

    for kind in ("observation", "summary", "note"):
        assert f'"kind": "{kind}"' not in model.instructions(bare)
