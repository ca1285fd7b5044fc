from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import ids
from recollect.errors import NoteError
from recollect.notes import note_model
from recollect.notes.categories import CATEGORIES, Category
from tests.builders.notes import CONTENT, NOON, a_note, content_of


def problems(**fields: Any) -> list[tuple[str, str]]:
    with pytest.raises(NoteError) as caught:
        a_note(**fields)
    return [(problem.field, problem.what) for problem in caught.value.problems]


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_has_its_content(category: Category) -> None:
    note = a_note(category=category)

    assert type(note.content) is note_model.content_model(category)
    assert note.record_status == "active"
    assert (note.schema_version, note.visibility, note.source.by) == ("1.0", "private", "user")


def test_a_note_is_a_value() -> None:
    note = a_note()

    with pytest.raises(ValueError, match="frozen"):
        note.title = "Another"
    assert note.changed(title="Another").title == "Another"
    assert note.title == "Postgres for orders"


def test_a_change_is_checked_like_a_new_note() -> None:
    with pytest.raises(NoteError, match="title: empty"):
        a_note().changed(title=" ")


def test_an_error_names_the_field_and_the_fix() -> None:
    with pytest.raises(NoteError) as caught:
        a_note(content={"status": "maybe", "rationale": []})

    assert caught.value.message == (
        'content.status: "maybe" is not known; content.rationale: empty'
    )
    assert "For status, use 'proposed', 'accepted', 'deprecated' or 'superseded'." in (
        caught.value.hint
    )
    assert "Write something for rationale." in caught.value.hint


def test_missing_content_is_named_field_by_field() -> None:
    with pytest.raises(NoteError) as caught:
        note_model.new(category="runbook", title="Fix", content={}, now=NOON)

    named = [problem.field for problem in caught.value.problems]
    assert named == ["content.trigger", "content.steps", "content.verification"]


def test_an_unknown_field_is_refused_and_its_neighbour_offered() -> None:
    assert problems(content={"rational": "x"}) == [("content.rational", "unknown")]
    with pytest.raises(NoteError) as caught:
        a_note(content={"rational": "x"})
    assert caught.value.hint == "Remove rational, or write rationale."


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("title", "x" * 121, "121 characters, at most 120 fit"),
        ("title", "\u200b\x07", "empty"),
        ("tags", ["a" * 41], "41 characters, at most 40 fit"),
        ("tags", [f"t{n}" for n in range(13)], "13 entries, at most 12 fit"),
        ("related_files", ["x" * 301], "301 characters, at most 300 fit"),
        ("related_files", [f"f{n}" for n in range(101)], "101 entries, at most 100 fit"),
        ("retired_reason", "x" * 301, "301 characters, at most 300 fit"),
        ("confidence", 1.5, '"1.5" is not 1 or less'),
        ("pinned", "yes", '"yes" is not true or false'),
        ("seen", -1, '"-1" is not 0 or more'),
        ("created_at", "last week", "no time with a zone"),
        ("created_at", "2026-11-15T12:00:00", "no time with a zone"),
        ("updated_at", "9999-12-31T23:59:59-10:00", "no time with a zone"),
        ("superseded_by", "../x", '"../x" is no id'),
    ],
)
def test_every_length_and_kind_is_bounded(field: str, value: object, what: str) -> None:
    assert [said for _, said in problems(**{field: value})] == [what]


def test_content_is_bounded_too() -> None:
    assert problems(content={"context": "x" * 20_001}) == [
        ("content.context", "20,001 characters, at most 20,000 fit")
    ]
    assert problems(content={"rationale": ["x"] * 51}) == [
        ("content.rationale", "51 entries, at most 50 fit")
    ]
    assert problems(content={"rationale": ["ok", "x" * 2_001]}) == [
        ("content.rationale[2]", "2,001 characters, at most 2,000 fit")
    ]


def test_at_most_fifty_changes_are_kept() -> None:
    line = {"date": NOON, "summary": "x"}

    assert len(a_note(changes=[line] * 50).changes) == 50
    assert problems(changes=[line] * 51) == [("changes", "51 entries, at most 50 fit")]


def test_an_unknown_category_is_all_that_is_said() -> None:
    with pytest.raises(NoteError) as caught:
        note_model.check(
            {"category": "idea", "id": "x", "title": "x", "tags": ["x"], "content": {}}
        )

    assert next(p.field for p in caught.value.problems) == "category"
    assert "content" not in [p.field for p in caught.value.problems]


def test_a_huge_hostile_value_is_not_repeated_in_the_error() -> None:
    with pytest.raises(NoteError) as caught:
        a_note(content={"status": "x\n\x1b[31m" * 10**5, "y" * 10**5: 1})

    assert len(caught.value.message) < 500
    assert "\x1b" not in caught.value.message


def test_times_are_kept_in_utc() -> None:
    berlin = timezone(timedelta(hours=1))

    note = a_note(now=datetime(2026, 11, 15, 13, tzinfo=berlin))

    assert note.created_at == NOON
    assert note.created_at.tzinfo is UTC
    assert a_note(created_at="2026-11-15T13:00:00+01:00").created_at == NOON


def test_a_title_loses_what_nobody_can_see() -> None:
    assert a_note("Use\u200b  Postgres\n\x07 now").title == "Use Postgres now"


def test_text_loses_control_characters_and_spaces_at_line_ends_only() -> None:
    note = a_note(content={"context": "\n\n  def f():  \r\n\treturn\x00 1\u2028# done\n\n"})

    assert content_of(note).context == "  def f():\n\treturn 1\n# done"


def test_tags_are_lowercase_and_each_once() -> None:
    assert a_note(tags=["Postgres", "postgres ", "#Query Planner"]).tags == (
        "postgres",
        "query-planner",
    )


def test_a_note_without_tags_gets_its_category() -> None:
    assert a_note(category="tech_debt", tags=None).tags == ("tech-debt",)


def test_the_first_twelve_tags_count() -> None:
    assert note_model.tidy_tags(f"T{n}" for n in range(20)) == tuple(f"t{n}" for n in range(12))


@given(st.text(max_size=300), st.sampled_from(sorted(CATEGORIES)))
def test_any_title_gives_an_id(title: str, category: Category) -> None:
    name = note_model.slug(title, category)

    assert ids.is_note_id(name)
    assert len(name) <= note_model.LONGEST_ID
    assert note_model.slug(title, category) == name


def test_an_id_is_the_title_in_ascii() -> None:
    assert note_model.slug("Use Postgres, not MySQL!", "decision") == "use-postgres-not-mysql"
    assert note_model.slug("Café für Łódź & Straße", "decision") == "cafe-fur-lodz-strasse"
    assert note_model.slug("🚀 Deploy", "runbook") == "deploy"


def test_a_title_that_gives_no_id_gets_its_category_and_a_hash() -> None:
    korean, emoji = note_model.slug("배포 절차", "tech_debt"), note_model.slug("🚀🚀", "runbook")

    assert korean.startswith("tech-debt-")
    assert len(korean) == len("tech-debt-") + 8
    assert emoji.startswith("runbook-")
    assert note_model.slug("배포 규칙", "tech_debt") != korean


def test_titles_that_share_their_only_latin_word_have_different_ids() -> None:
    assert note_model.slug("API 설계", "decision") != note_model.slug("API 테스트", "decision")


def test_a_long_title_is_cut_at_a_word() -> None:
    name = note_model.slug("word " * 40, "decision")

    assert len(name) <= 80
    assert name.endswith("-word")


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a b", "../a", "a" * 81, "a\n", "ä", "a/b"])
def test_what_is_no_id(name: str) -> None:
    assert not ids.is_note_id(name)


def test_the_schemas_are_made_from_the_models() -> None:
    schemas = note_model.schemas()

    assert list(schemas) == list(CATEGORIES)
    decision = schemas["decision"]
    assert decision["additionalProperties"] is False
    assert decision["properties"]["category"]["const"] == "decision"
    assert decision["properties"]["content"] == {"$ref": "#/$defs/Decision"}
    assert {"category", "id", "title", "tags", "content"} <= set(decision["required"])
    assert decision["properties"]["title"]["maxLength"] == 120
    assert decision["properties"]["created_at"]["format"] == "date-time"
    assert decision["properties"]["changes"]["maxItems"] == 50


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_schema_holds_what_it_refers_to_and_nothing_else(category: Category) -> None:
    schema = note_model.schemas()[category]
    text = str(schema)

    for name in schema["$defs"]:
        assert f"#/$defs/{name}'" in text
    assert text.count("$ref") > 0
    assert set(schema["$defs"][note_model.content_model(category).__name__]["properties"]) >= set(
        CONTENT[category]
    )


def test_a_note_survives_json() -> None:
    note = a_note(evidence={"commit": "ab12", "files": {"a.py": "ff"}}, confidence=0.5)

    assert note_model.Note.model_validate_json(note.model_dump_json()) == note
