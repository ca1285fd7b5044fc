import codecs
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from recollect.errors import HostError
from recollect.hosts import documents


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_file_says_nothing_which_is_allowed(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    assert documents.read(path).value == {}


def test_no_file_is_not_an_empty_one(path: Path) -> None:
    assert documents.read(path).content is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"model": "opus"', "not valid JSON"),
        (b'{\n  // my model\n  "model": "opus"\n}', "not valid JSON"),
        (b'{"model": "\xff"}', "not valid JSON"),
        (b"[]", "not a JSON object"),
    ],
)
def test_what_cannot_be_understood_is_refused_and_named(
    path: Path, content: bytes, told: str
) -> None:
    path.write_bytes(content)

    with pytest.raises(HostError, match=told) as refused:
        documents.read(path)

    assert str(path) in refused.value.message
    assert "Nothing was changed" in refused.value.hint


def test_a_folder_in_place_of_the_file_is_refused(path: Path) -> None:
    path.mkdir()

    with pytest.raises(HostError, match="cannot be read"):
        documents.read(path)


def test_a_link_stays_a_link_and_permissions_stay(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(b"{}")
    target.chmod(0o640)
    path.symlink_to(target)

    documents.write(path, b'{"a": 1}')

    assert path.is_symlink()
    assert target.read_bytes() == b'{"a": 1}'
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_no_content_means_no_file(path: Path) -> None:
    path.write_bytes(b"{}")

    documents.write(path, None)

    assert not path.exists()


@pytest.mark.parametrize(
    ("like", "rendered"),
    [
        (None, b'{\n  "\\u00e9": 1\n}'),
        (b'{\n    "b": 2\n}', b'{\n    "\\u00e9": 1\n}'),
        ('{"ä": 2}\n'.encode(), '{\n  "é": 1\n}\n'.encode()),
        (b'{\r\n\t"b": 2\r\n}\r\n', b'{\r\n\t"\\u00e9": 1\r\n}\r\n'),
        (codecs.BOM_UTF8 + b'{"b": 2}', codecs.BOM_UTF8 + b'{\n  "\\u00e9": 1\n}'),
    ],
)
def test_a_file_is_written_in_its_own_style(like: bytes | None, rendered: bytes) -> None:
    assert documents.rendered({"é": 1}, like=like) == rendered


def test_half_a_character_beside_a_whole_one_stays_an_escape(path: Path) -> None:
    path.write_bytes('{"café": "\\ud83d"}'.encode())
    document = documents.read(path)

    rendered = documents.rendered(document.value, like=document.content)

    assert rendered == '{\n  "café": "\\ud83d"\n}'.encode()


# Root may write everything, so it becomes somebody who may not.
CHECKED = """
import os, sys
from pathlib import Path
from recollect.errors import HostError
from recollect.hosts import documents
if os.getuid() == 0:
    os.setresuid(65534, 65534, 65534)
try:
    documents.check_writable(Path(sys.argv[1]))
except HostError as error:
    print(error.message)
"""


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_file_that_cannot_be_written_is_found_out_beforehand(locked: str) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        path = Path(folder) / "settings.json"
        path.write_bytes(b"{}")
        path.chmod(0o444 if locked == "file" else 0o666)
        Path(folder).chmod(0o555 if locked == "folder" else 0o777)

        done = subprocess.run(
            [sys.executable, "-c", CHECKED, str(path)], capture_output=True, text=True, check=True
        )
        Path(folder).chmod(0o700)

    assert "cannot be written" in done.stdout
