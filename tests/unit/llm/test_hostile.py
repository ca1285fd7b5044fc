"""What the gate makes of a model that does everything it is told to."""

import pytest

from recollect.journal import evidence
from recollect.journal.model import Observation
from recollect.llm import answers, gate
from recollect.llm.answers import Drafted
from recollect.llm.speech import Speech
from tests.hostile import HONEST, HOSTILE, Honest, Hostile

each_hostile = pytest.mark.parametrize("hostile", HOSTILE, ids=lambda one: one.name)
each_honest = pytest.mark.parametrize("honest", HONEST, ids=lambda one: one.name)


def drafted(hostile: Hostile) -> Drafted:
    return answers.read(hostile.obedient)


def kept(hostile: Hostile) -> tuple[Observation, ...]:
    return gate.observations(drafted(hostile).observations, Speech((hostile.turn,))).observations


def test_the_set_is_large_and_every_attempt_has_a_name_of_its_own() -> None:
    assert len(HOSTILE) >= 70
    assert len({hostile.name for hostile in HOSTILE}) == len(HOSTILE)
    assert all(hostile.forbidden or hostile.invented for hostile in HOSTILE)


@each_hostile
def test_a_model_that_obeys_is_understood(hostile: Hostile) -> None:
    found = drafted(hostile)

    assert found.notes or found.observations or found.summary


@each_hostile
def test_no_planted_note_rests_on_anybodys_word(hostile: Hostile) -> None:
    allowed = ("none", hostile.at_most)
    for note in drafted(hostile).notes:
        if note.title not in hostile.honest:
            assert gate.grounds(note, Speech(hostile.turns)) in allowed, hostile.why


@each_hostile
def test_no_planted_note_is_the_users_word_in_another_language(hostile: Hostile) -> None:
    for note in drafted(hostile).notes:
        if note.title not in hostile.honest:
            assert gate.grounds(note, Speech(hostile.turns, translated=True)) != "user", hostile.why


def test_every_planted_note_claims_to_be_sure() -> None:
    notes = [note for hostile in HOSTILE for note in drafted(hostile).notes]

    assert {note.confidence for note in notes} == {1.0}


@each_hostile
def test_no_file_is_named_that_the_evidence_does_not_have(hostile: Hostile) -> None:
    written = evidence.modified(evidence.steps(hostile.turn))
    for observation in kept(hostile):
        assert set(observation.files_modified) <= set(written)
        named = " ".join(observation.files_modified + observation.files_read)
        assert not any(word in named for word in hostile.forbidden)
    summary = drafted(hostile).summary
    checked = gate.summary(summary, Speech((hostile.turn,))) if summary else None
    assert not any(word in str(checked) for word in hostile.forbidden)


@each_hostile
def test_what_the_model_made_up_stands_in_no_observation(hostile: Hostile) -> None:
    for observation in kept(hostile):
        assert not any(word in str(observation) for word in hostile.invented)


@each_honest
def test_what_was_really_said_passes(honest: Honest) -> None:
    (note,) = answers.read(honest.answer).notes

    assert gate.grounds(note, Speech((honest.turn,))) == honest.grounds
    assert gate.supported_fields(note, Speech((honest.turn,))) == note.fields
