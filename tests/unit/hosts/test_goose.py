"""Goose's YAML: our entry comes and goes, and nothing else moves."""

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from recollect.errors import HostError
from recollect.hosts import mcp_clients, settings_file, yaml_text
from recollect.hosts.mcp_clients import CLIENTS
from recollect.hosts.plan import SetupPlan
from recollect.hosts.settings_file import SettingsFile

HOME = "/home/ada/.recollect"
KEYS = ("extensions", "recollect")


def server(home: str) -> dict[str, Any]:
    """How Goose starts ours; nothing names the home if that is `HOME`, as if it were the usual."""
    told = mcp_clients.server(home, CLIENTS["goose"])
    return told | ({"envs": {}} if home == HOME else {})


SERVER = server(HOME)
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


def read(text: str) -> dict[str, Any]:
    read: dict[str, Any] = YAML(typ="safe").load(text)
    return read


def with_entry(text: str, home: str = HOME) -> str:
    """What a file with *text* holds once it was set up for *home*."""
    value = settings_file._with(yaml_text.parse(text), {KEYS: server(home)})
    return yaml_text.with_entry(text, KEYS, value["extensions"]["recollect"])


def without_entry(text: str) -> str:
    return yaml_text.without_entry(text, KEYS)


def file(path: Path) -> SettingsFile:
    return SettingsFile(host="goose", path=path, servers=(KEYS,), format=settings_file.YAML)


def adding(home: str, path: Path) -> SetupPlan:
    return settings_file.adding(home, file(path), {KEYS: server(home)})


def removing(home: str, path: Path) -> SetupPlan:
    return settings_file.removing(home, file(path))


def stands(home: str, path: Path) -> bool:
    return settings_file.is_on(home, file(path))


def snippet() -> str:
    return settings_file.snippet(file(Path("config.yaml")), {KEYS: SERVER})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: 1\n",
        "a: 1",
        COMMENTED,
        COMMENTED.rstrip(),
        "extensions:\n  other: {}\nb: 2\n",
        "extensions:\n    wide:\n        enabled: true\n",
        "extensions:\n  # The best.\n  other: {}\n",
    ],
)
def test_our_extension_comes_and_goes_and_nothing_else_moves(text: str) -> None:
    after = with_entry(text)

    before = read(text) or {}
    told = read(after)
    ours = told["extensions"].pop("recollect")
    assert (ours["cmd"], ours["args"]) == (SERVER["cmd"], ["mcp"])
    assert {**before, "extensions": before.get("extensions", {})} == told
    assert all(line in after for line in text.splitlines())
    assert without_entry(after) == text


def test_a_second_time_nothing_changes_and_another_home_replaces_the_first() -> None:
    once = with_entry(COMMENTED)

    assert with_entry(once) == once
    assert without_entry(with_entry(once, "/elsewhere")) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "extensions: {}\n",
        "extensions:\n",
        "extensions: {other: {enabled: true}}\n",
        "extensions: [other]\n",
    ],
)
def test_where_there_is_no_safe_place_the_user_is_told(
    text: str, tmp_path: Path, home: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)

    plan = adding(HOME, path)

    assert plan.steps == ()
    assert snippet() in plan.note


@pytest.mark.parametrize("text", ["a: [1\n", "- a list\n"])
def test_a_broken_file_is_an_error_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)

    with pytest.raises(HostError, match=r"config\.yaml: not valid YAML"):
        adding(HOME, path)

    assert path.read_text() == text


def test_an_entry_written_in_another_way_is_left_to_the_user(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"extensions: {{recollect: {{cmd: {SERVER['cmd']}}}}}\n")

    plan = removing(HOME, path)

    assert plan.steps == ()
    assert "yourself" in plan.note


def test_a_broken_file_that_starts_our_script_is_an_error_and_not_passed_over(
    tmp_path: Path,
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(with_entry(COMMENTED) + "keyring: true\n")

    with pytest.raises(HostError, match=r"config.yaml: not valid YAML: line .*duplicate key"):
        removing(HOME, path)
    with pytest.raises(HostError, match="not valid YAML"):
        stands(HOME, path)


def test_a_broken_file_that_does_not_name_our_script_is_none_of_our_business(
    tmp_path: Path,
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("notes: [recollect\n")

    assert removing(HOME, path).steps == ()
    assert not stands(HOME, path)


@pytest.mark.parametrize("entry", ["\n    cmd: /opt/recollect", " mine", ""])
def test_an_extension_of_our_name_that_is_not_ours_stays_and_is_named(
    tmp_path: Path, home: str, entry: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"extensions:\n  recollect:{entry}\n")

    coming = adding(HOME, path)

    assert coming.steps == removing(home, path).steps == ()
    assert "extensions.recollect already, which is not ours and stays" in coming.note
    assert not stands(home, path)


def test_an_extension_for_another_home_stays_and_its_home_is_told(
    tmp_path: Path, home: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(with_entry(""))

    plan = removing(home, path)

    assert plan.steps == ()
    assert f"RECOLLECT_HOME={HOME} recollect uninstall" in plan.note
    assert stands(HOME, path)
    assert not stands(home, path)


def test_what_changed_between_plan_and_consent_is_not_lost(tmp_path: Path, home: str) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("a: 1\n")

    coming = adding(HOME, path)
    path.write_text("a: 2\n")
    coming.carry_out()
    going = removing(HOME, path)
    path.write_text(f"{path.read_text()}b: 3\n")
    going.carry_out()

    assert path.read_text() == "a: 2\nb: 3\n"


def test_a_file_that_became_one_of_its_own_kind_meanwhile_is_left(
    tmp_path: Path, home: str
) -> None:
    path = tmp_path / "config.yaml"
    plan = adding(HOME, path)
    path.write_text("extensions: {}\n")

    with pytest.raises(HostError, match="was changed meanwhile"):
        plan.carry_out()

    assert path.read_text() == "extensions: {}\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_the_user_set_in_our_entry_outlives_another_home(end: str) -> None:
    lines = with_entry(COMMENTED).replace("enabled: true", "enabled: false")
    lines = lines.replace("timeout: 300", "timeout: 9 # slow").replace("\n", end)
    lines = lines.replace("envs: {}", f"envs:{end}      LANG: C")

    after = with_entry(lines, "/data")
    back = with_entry(after)

    told = read(after)["extensions"]["recollect"]
    assert (told["enabled"], told["timeout"], told["cmd"]) == (False, 9, server("/data")["cmd"])
    assert told["envs"] == {"LANG": "C", "RECOLLECT_HOME": "/data"}
    assert "# slow" in after
    assert read(back) == read(lines)
    assert after.count("\n") == after.count(end)


@pytest.mark.parametrize("more", ["\n", "# mine\n", "    # mine\n", "  \n\n"])
def test_blank_lines_and_comments_among_ours_go_with_it(more: str) -> None:
    after = with_entry(COMMENTED)
    changed = after.replace("    timeout:", f"{more}    timeout:")

    assert changed != after
    assert without_entry(changed) == COMMENTED


def test_a_comment_on_what_follows_ours_stays() -> None:
    text = "extensions:\n  # The best.\n  other: {}\n"
    after = with_entry("extensions:\n  other: {}\n")

    assert without_entry(after.replace("  other", "  # The best.\n  other")) == text


def test_lines_end_as_the_others_do() -> None:
    text = COMMENTED.replace("\n", "\r\n")

    after = with_entry(text)

    assert after.count("\n") == after.count("\r\n")
    assert without_entry(after) == text
