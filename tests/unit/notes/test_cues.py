"""The cues: every file is whole, and each language hears what is said in it."""

import dataclasses
import re
from typing import get_type_hints

import pytest

from recollect.notes import cues
from recollect.notes.cues import LanguageCues


def patterns(language: LanguageCues) -> dict[str, re.Pattern[str]]:
    """Every cue of *language*, by the name of its section."""
    found = {}
    for field in dataclasses.fields(language):
        value = getattr(language, field.name)
        if isinstance(value, re.Pattern):
            found[field.name] = value
        elif dataclasses.is_dataclass(value):
            for inner in dataclasses.fields(value):
                found[f"{field.name}.{inner.name}"] = getattr(value, inner.name)
    return found


# What only English tells apart, or what only some languages need.
OPTIONAL = {"decision.swapped", "decision.ruled", "constraint.stated", "tech_debt.never"}


@pytest.mark.parametrize("name", cues.NAMES)
def test_a_language_has_every_cue(name: str) -> None:
    empty = {
        section for section, cue in patterns(cues.language(name)).items() if cue.pattern == "(?!)"
    }

    assert empty <= OPTIONAL


@pytest.mark.parametrize("name", cues.NAMES)
def test_every_section_of_a_file_is_a_cue_or_a_part(name: str) -> None:
    text = (cues.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    sections = re.findall(r"^\[(.+)\]$", text, re.MULTILINE)

    parts = {section for section in sections if section.startswith("<")}
    assert set(sections) - parts <= set(patterns(cues.language(name)))
    assert len(sections) == len(set(sections)), "a section stands there once"


@pytest.mark.parametrize("name", [*cues.NAMES, "any"])
def test_a_file_is_read_as_it_is_written(name: str) -> None:
    lines = (cues.FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")

    assert not [line for line in lines if line != line.rstrip()], "a space at the end is lost"
    assert not [line for line in lines if line and line.strip("|") != line], "an empty alternative"


@pytest.mark.parametrize("name", cues.NAMES)
def test_no_cue_is_found_in_nothing(name: str) -> None:
    found = [section for section, cue in patterns(cues.language(name)).items() if cue.search("")]

    assert found == []


@pytest.mark.parametrize(
    ("heard", "names"),
    [
        ("we decided on postgres", ["en"]),
        ("wir haben uns für postgres entschieden", ["de", "en"]),
        ("dorénavant, écris les messages en français", ["fr", "en"]),
        ("a partir de ahora usa pnpm en este proyecto", ["es", "en"]),
        ("以后都用 pnpm", ["zh", "en"]),
        ("今後は pnpm を使って", ["ja", "en"]),
        ("앞으로는 pnpm을 써 주세요", ["ko", "en"]),
        ("", ["en"]),
    ],
)
def test_a_language_is_told_by_its_script_or_its_small_words(heard: str, names: list[str]) -> None:
    assert [language.name for language in cues.languages(heard)] == names


@pytest.mark.parametrize(
    ("name", "section", "heard"),
    [
        ("en", "decision.made", "we finally settled on postgres"),
        ("en", "preference.explicit", "i prefer small commits"),
        ("en", "constraint.explicit", "we are limited to 100 requests a minute"),
        ("en", "tech_debt.flaw", "the tenant id is hard-coded"),
        ("en", "tech_debt.later", "we clean it up next sprint"),
        ("en", "runbook.again", "if this happens again, restart it"),
        ("de", "decision.made", "wir haben uns gegen kafka entschieden"),
        ("de", "constraint.explicit", "kundendaten dürfen das haus nicht verlassen"),
        ("fr", "decision.made", "on a choisi postgres"),
        ("fr", "tech_debt.later", "on verra plus tard"),
        ("es", "preference.explicit", "prefiero commits pequeños"),
        ("es", "runbook.remedy", "lo que lo arregló fue reiniciar"),
        ("zh", "decision.made", "我们最后决定用 postgres"),
        ("zh", "constraint.explicit", "每分钟最多 100 次"),
        ("ja", "decision.made", "postgres を採用しました"),
        ("ja", "tech_debt.later", "とりあえずこのままで"),
        ("ko", "decision.made", "postgres를 쓰기로 했어요"),
        ("ko", "runbook.remedy", "재시작하니 해결됐습니다"),
    ],
)
def test_a_cue_hears_how_people_say_it(name: str, section: str, heard: str) -> None:
    assert patterns(cues.language(name))[section].search(heard)


@pytest.mark.parametrize(
    ("section", "heard"),
    [
        ("constraint.explicit", "it was unlimited to begin with"),
        ("decision.made", "the undecided voters"),
        ("preference.topic", "the catalogue"),
        ("instead", "overwriting loses that"),
    ],
)
def test_a_cue_begins_at_a_word(section: str, heard: str) -> None:
    assert not patterns(cues.language("en"))[section].search(heard)


def test_only_some_languages_put_reasons_first() -> None:
    assert [name for name in cues.NAMES if cues.language(name).is_reversed] == ["ja", "ko"]


def test_cues_are_patterns() -> None:
    hints = get_type_hints(cues.Recovery)

    assert set(hints.values()) == {re.Pattern[str]}
