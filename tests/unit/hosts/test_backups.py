from pathlib import Path

import pytest

from recollect.hosts import backups, claude_settings, documents
from recollect.hosts.documents import HostDocument

SETTINGS = claude_settings.settings(Path("/claude"))
PLUGINS = claude_settings.plugins(Path("/claude"))
ODD = b'{\n\t"model": "opus",\n "enabledPlugins":{} }'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def a_document(path: Path, content: bytes) -> HostDocument:
    path.write_bytes(content)
    return documents.read(path)


def switched_on(path: Path) -> HostDocument:
    """The document at *path* after the host added us, in its own formatting."""
    value = claude_settings.with_plugin(documents.read(path).value, "/plugin")
    return a_document(path, documents.rendered(value, like=None))


@pytest.mark.parametrize("content", [ODD, b"{}", b"", b"{}\n"])
def test_a_file_that_says_the_same_without_us_comes_back_byte_for_byte(
    folder: Path, path: Path, content: bytes
) -> None:
    backups.keep(folder, SETTINGS, a_document(path, content), earlier=[])

    left = backups.left_behind(SETTINGS, switched_on(path), backups.kept(folder, SETTINGS))

    assert left == content


def test_a_file_that_was_not_there_goes(folder: Path, path: Path) -> None:
    backups.keep(folder, SETTINGS, documents.read(path), earlier=[])

    left = backups.left_behind(SETTINGS, switched_on(path), backups.kept(folder, SETTINGS))

    assert left is None


def test_a_list_that_the_host_began_for_us_goes(folder: Path, path: Path) -> None:
    backups.keep(folder, PLUGINS, documents.read(path), earlier=[])
    now = a_document(path, b'{"version": 2, "plugins": {"recollect@recollect": []}}')

    assert backups.left_behind(PLUGINS, now, backups.kept(folder, PLUGINS)) is None


def test_a_file_that_the_user_changed_loses_our_entries_alone(folder: Path, path: Path) -> None:
    backups.keep(folder, SETTINGS, a_document(path, ODD), earlier=[])
    value = {**switched_on(path).value, "theme": "dark"}
    now = a_document(path, documents.rendered(value, like=None))

    left = backups.left_behind(SETTINGS, now, backups.kept(folder, SETTINGS))

    assert left == b'{\n  "model": "opus",\n  "enabledPlugins": {},\n  "theme": "dark"\n}'


def test_a_file_that_has_nothing_of_ours_is_not_touched(folder: Path, path: Path) -> None:
    backups.keep(folder, SETTINGS, a_document(path, ODD), earlier=[])
    now = a_document(path, b'{"enabledPlugins": {},\n"model": "opus"}')

    left = backups.left_behind(SETTINGS, now, backups.kept(folder, SETTINGS))

    assert left == now.content


def test_a_copy_is_not_replaced_by_one_with_our_entries(folder: Path, path: Path) -> None:
    backups.keep(folder, SETTINGS, a_document(path, ODD), earlier=[])
    backups.keep(folder, SETTINGS, switched_on(path), earlier=[])

    kept = backups.kept(folder, SETTINGS)

    assert kept
    assert kept.content == ODD


def test_a_damaged_copy_is_not_given_back(folder: Path, path: Path) -> None:
    backups.keep(folder, SETTINGS, a_document(path, ODD), earlier=[])
    (folder / "settings.json").write_bytes(b'{"model": "op')

    left = backups.left_behind(SETTINGS, switched_on(path), backups.kept(folder, SETTINGS))

    assert left == b'{\n  "model": "opus"\n}'


def test_the_copy_of_another_home_is_taken_over_where_its_entries_are(
    tmp_path: Path, folder: Path, path: Path
) -> None:
    theirs = tmp_path / "theirs"
    backups.keep(theirs, SETTINGS, a_document(path, ODD), earlier=[])

    backups.keep(folder, SETTINGS, switched_on(path), earlier=[tmp_path / "gone", theirs])

    assert (folder / "settings.json").read_bytes() == ODD


def test_only_folders_that_were_not_there_go_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "client").mkdir()
    path, copy = tmp_path / "client/made/deeper/mcp.json", tmp_path / "backups/mcp.json"
    backups.keep_bytes(copy, None, of=path)
    documents.write(path, b"{}")

    backups.give_back(copy, path, None)

    assert (tmp_path / "client").exists()
    assert not (tmp_path / "client/made").exists()


def test_a_folder_that_was_made_for_us_and_is_in_use_stays(tmp_path: Path) -> None:
    path, copy = tmp_path / "made/mcp.json", tmp_path / "backups/mcp.json"
    backups.keep_bytes(copy, None, of=path)
    documents.write(path, b"{}")
    (tmp_path / "made/theirs").touch()

    backups.give_back(copy, path, None)

    assert (tmp_path / "made/theirs").exists()
