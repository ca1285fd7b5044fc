import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.transcripts import loose_json

TEXT = st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
OBJECTS = st.dictionaries(TEXT, TEXT | st.integers() | st.none() | st.lists(TEXT), max_size=5)


@given(st.lists(OBJECTS, max_size=4))
def test_objects_without_a_newline_between_them_are_told_apart(
    objects: list[dict[str, object]],
) -> None:
    raw = "".join(json.dumps(value) for value in objects).encode()

    assert list(loose_json.objects(raw)) == objects


@given(OBJECTS, st.data())
def test_the_beginning_of_an_object_has_its_first_fields(
    value: dict[str, object], data: st.DataObject
) -> None:
    raw = json.dumps(value, ensure_ascii=False).encode()
    length = data.draw(st.integers(min_value=0, max_value=len(raw)))

    found = loose_json.beginning(raw[:length])

    assert list(found.items()) == list(value.items())[: len(found)]


@given(st.binary())
def test_any_bytes_have_some_beginning(raw: bytes) -> None:
    loose_json.beginning(raw)


@pytest.mark.parametrize("raw", [b"[1]", b"1", b'{"a":', b"{" * 9, b"[" * 100_000, b"\xff"])
def test_what_is_no_object_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        list(loose_json.objects(raw))


def test_deep_nesting_with_half_characters_is_a_value_error_as_well() -> None:
    raw = b'{"a":' * 900 + b'"\\ud83d"' + b"}" * 900

    with pytest.raises(ValueError, match="nested"):
        list(loose_json.objects(raw))
