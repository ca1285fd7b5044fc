import pytest
from ruamel.yaml import YAML

from recollect.hosts import goose

SERVER = {"command": "/home/ada/.recollect/plugin/claude-code/bin/recollect", "args": ["mcp"]}
COMMENTED = """\
# Mine.
GOOSE_MODEL:   gpt-9   # the best
extensions:  # and these
  developer:
    enabled: true
    args: [ "a",
            "b" ]

keyring: false
"""


def read(text: str) -> dict:
    return YAML(typ="safe").load(text)


@pytest.mark.parametrize(
    "text",
    ["", "a: 1\n", "a: 1", COMMENTED, COMMENTED.rstrip(), "extensions:\n  other: {}\nb: 2\n"],
)
def test_our_extension_comes_and_goes_and_nothing_else_moves(text):
    after = goose.with_entry(text, SERVER)

    before = read(text) or {}
    told = read(after)
    ours = told["extensions"].pop("recollect")
    assert (ours["cmd"], ours["args"]) == (SERVER["command"], ["mcp"])
    assert {**before, "extensions": before.get("extensions", {})} == told
    assert all(line in after for line in text.splitlines())
    assert goose.without_entry(after) == text


def test_a_second_time_nothing_changes_and_another_home_replaces_the_first():
    once = goose.with_entry(COMMENTED, SERVER)
    moved = {**SERVER, "env": {"RECOLLECT_HOME": "/elsewhere"}}

    assert goose.with_entry(once, SERVER) == once
    assert goose.without_entry(goose.with_entry(once, moved)) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "extensions: {}\n",
        "extensions:\n",
        "extensions:\n    wide:\n        enabled: true\n",
        "extensions: {other: {enabled: true}}\n",
        "a: [1\n",
        "- a list\n",
    ],
)
def test_where_there_is_no_safe_place_the_user_is_told(text, tmp_path, home):
    path = tmp_path / "config.yaml"
    path.write_text(text)

    plan = goose.adding(home, path, SERVER)

    assert plan.steps == ()
    assert goose.snippet(SERVER) in plan.note


def test_an_entry_written_in_another_way_is_left_to_the_user(tmp_path, home):
    path = tmp_path / "config.yaml"
    path.write_text(f"extensions: {{recollect: {{cmd: {SERVER['command']}}}}}\n")

    plan = goose.removing(home, path)

    assert plan.steps == ()
    assert "yourself" in plan.note


def test_an_extension_of_our_name_that_is_not_ours_stays(tmp_path, home):
    path = tmp_path / "config.yaml"
    path.write_text("extensions:\n  recollect:\n    cmd: /opt/recollect\n")

    assert goose.adding(home, path, SERVER).steps == goose.removing(home, path).steps == ()
    assert not goose.stands(path)
