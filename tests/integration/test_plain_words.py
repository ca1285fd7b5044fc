"""What people read when there is nothing, when something was wrong, and where room is scarce."""

from pathlib import Path

from tests import command_line
from tests.home import Home
from tests.integration.conftest import Run
from tests.remembering import remember


def said(home: Home, folder: Path, *arguments: str) -> str:
    """What a person sees of a command that fails."""
    env = {"RECOLLECT_HOME": str(home), "HOME": str(home.path.parent), "PATH": "/usr/bin:/bin"}
    done = command_line.run(*arguments, cwd=folder, env=env)
    assert done.returncode == 1
    return done.stderr


def test_an_empty_list_says_how_to_add_a_note_and_a_filter_that_nothing_fits(
    recollect: Run,
) -> None:
    empty = recollect("list").stdout
    recollect("remember", "Deploys need the VPN")

    assert empty == 'No notes yet. Add one: recollect remember "…"\n'
    assert recollect("list", "kubernetes").stdout == "No note matches.\n"
    assert recollect("list", "--status", "retired").stdout == "No note matches.\n"


def test_pinning_is_called_pinning_and_no_change_is_called_that(recollect: Run) -> None:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")

    pinned, again, unpinned = (
        recollect("pin", "deploys", *more).stdout for more in ((), (), ("--undo",))
    )

    assert pinned == "✓ pinned constraint/deploys-need-the-vpn\n"
    assert again.startswith("– unchanged deploys-need-the-vpn")
    assert unpinned == "✓ unpinned constraint/deploys-need-the-vpn\n"


def test_a_name_that_means_nothing_is_answered_with_where_names_are(home: Home, shop: Path) -> None:
    for command in ("show", "expand", "retire"):
        told = said(home, shop, command, "nope")

        assert "nope: no such id" in told
        assert "recollect list" in told
        assert "recollect search" in told


def test_a_note_has_no_transcript_and_that_is_said(recollect: Run, home: Home, shop: Path) -> None:
    recollect("remember", "-c", "constraint", "Deploys need the VPN")

    told = said(home, shop, "transcript", "constraint/deploys-need-the-vpn")

    assert "no transcript behind this memory" in told


def test_where_there_is_little_room_a_table_becomes_lists(
    recollect: Run, home: Home, shop: Path
) -> None:
    remember(home, shop)

    wide, narrow = (recollect("projects", columns=width).stdout for width in (120, 40))
    settings = recollect("config", columns=40).stdout

    assert wide.splitlines()[0].split()[:2] == ["project", "path"]
    assert narrow.splitlines()[0] == "shop"
    assert "  hosts claude-code" in narrow.splitlines()
    assert "capture.enabled true" in settings.splitlines()
    meanings = [line for line in settings.splitlines() if line.startswith("    ")]
    assert max(map(len, meanings)) == 40
