"""JSON without `json`: the same answers, on everything."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.hooks.payload import parse

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.text(st.characters(categories=["Cs", "Cc", "Lu", "So"])),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)
objects = st.dictionaries(st.text(), values, max_size=6)
styles = st.fixed_dictionaries(
    {"ensure_ascii": st.booleans(), "indent": st.sampled_from([None, 2, "\t"])}
)


@given(objects, styles)
def test_an_object_is_read_as_json_reads_it(
    value: dict[str, object], style: dict[str, Any]
) -> None:
    text = json.dumps(value, **style)

    assert parse(text) == json.loads(text)
    assert parse(f" \n{text}\r\n ") == json.loads(text)


@given(st.text())
def test_any_text_is_an_object_or_empty(text: str) -> None:
    try:
        expected = json.JSONDecoder(strict=False).raw_decode(text.strip())[0]
    except ValueError:
        expected = {}

    assert parse(text) == (expected if isinstance(expected, dict) else {})


@given(objects, st.integers(0, 200))
def test_a_text_that_was_cut_off_is_empty(value: dict[str, object], cut: int) -> None:
    text = json.dumps(value)[:-1][:cut]

    assert parse(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", '"text"', "5", "{", "}", "{]", "{'a': 1}", '{"a"}', '{"a": }', "{,}",
        "[" * 100_000, '{"a":' * 100_000, '{"a": ' + "9" * 5000 + "}", "\ufeff{}", "NaN",
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_what_is_no_object_is_empty(text: str) -> None:
    assert parse(text) == {}


@pytest.mark.parametrize("rest", ["x", " ", "{}", "\n", ","])
def test_of_an_object_with_something_behind_it_the_object_is_read(rest: str) -> None:
    assert parse('{"a": 1}' + rest) == {"a": 1}


def test_the_last_of_two_equal_keys_counts_as_in_json() -> None:
    assert parse('{"a": 1, "a": 2}') == {"a": 2}


def test_control_characters_and_odd_numbers_are_no_obstacle() -> None:
    assert parse('{"a": "tab\there", "b": Infinity}') == {"a": "tab\there", "b": float("inf")}


def test_one_reading_leaves_nothing_for_the_next() -> None:
    first: dict[str, Any] = parse('{"a": {"shared": 1}}')
    first["a"]["shared"] = 2

    assert parse('{"a": {"shared": 1}}') == {"a": {"shared": 1}}
