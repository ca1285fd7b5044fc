"""What signs are worth: a table, a sum, a probability."""

import re

import pytest

from recollect.notes import classifier, cues, features
from recollect.notes.categories import CATEGORIES, Category

SPOKEN = tuple(name for name in CATEGORIES if name != "session_summary")


def test_the_table_has_a_column_for_every_category_that_is_spoken() -> None:
    assert set(classifier.weights()) == set(SPOKEN)


def test_the_table_knows_only_signs_that_exist() -> None:
    named = set(features.named(cues.language("en")))
    situations = {"by user", "by agent", "long", "alone", "unanswered", "asks", "technical"}
    manners = {"brief", "middling", "lengthy", "opening", "closing", "code"}
    answers = {"answers", "alternatives", "chooses", "picks", "picks a letter", "repeats"}
    languages = {f"in {name}" for name in cues.NAMES}
    known = named | situations | manners | answers | languages | {"always", "way out"}

    used = {sign for column in classifier.weights().values() for sign in column}
    cues_used = {one for one in used if not re.match(r"(?:(?:near|reply) )?word ", one)}
    prefix = re.compile(r"(?:agent )?(?:near |reply |asked |after |\?)?")
    bare = {prefix.sub("", sign, count=1).lstrip("?") for sign in cues_used}

    assert bare <= known


@pytest.mark.parametrize("category", SPOKEN)
def test_nothing_said_is_worth_nothing(category: Category) -> None:
    nothing = frozenset({"by user", "in en", "alone", "brief", "opening", "closing", "unanswered"})

    assert classifier.score(category, nothing) < 0.1


def test_signs_that_agree_are_worth_more() -> None:
    flaw = frozenset({"by user", "tech_debt.flaw"})

    assert classifier.score("tech_debt", flaw) < classifier.score(
        "tech_debt", flaw | {"tech_debt.later"}
    )


def test_a_doubt_is_worth_less_than_nothing() -> None:
    said = frozenset({"by user", "decision.made", "decision.reason"})

    assert classifier.score("decision", said | {"decision.never"}) < classifier.score(
        "decision", said
    )
