"""The encoder that comes with the package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from recollect.embedders import minilm
from recollect.embedders.minilm import MiniLM
from recollect.errors import EmbedderError
from recollect.testing import TEXTS, EmbedderContract
from tests.unit.embedders.encoder import MINILM


class TestMiniLM(EmbedderContract):
    def make(self) -> MiniLM:
        return MINILM


def cosine(one: str, other: str) -> float:
    return float(MINILM.question(one) @ MINILM.question(other))


@pytest.mark.parametrize(
    ("other", "published"),
    [
        ("That is a happy dog", 0.695),
        ("That is a very happy person", 0.943),
        ("Today is a sunny day", 0.257),
    ],
)
def test_it_agrees_with_what_was_published_of_the_model(other: str, published: float) -> None:
    assert cosine("That is a happy person", other) == pytest.approx(published, abs=0.05)


def test_a_text_has_exactly_one_vector() -> None:
    alone = MINILM.documents([TEXTS[0]])

    among = MINILM.documents([TEXTS[1] * 20, TEXTS[0], "short"])

    assert np.array_equal(alone[0], among[1])
    assert np.array_equal(alone[0], MINILM.question(TEXTS[0]))


def test_what_comes_after_the_first_256_pieces_does_not_count() -> None:
    long = "word " * 300

    assert np.array_equal(MINILM.question(long), MINILM.question(long + "something else"))


def test_the_states_of_the_pieces_have_a_row_for_each_and_none_for_the_marks() -> None:
    one, other, none = MINILM.token_states(["fix get_orders", "fix", ""])

    assert one.shape == (4, 384)
    assert other.shape == (1, 384)
    assert none.shape == (0, 384)


def test_the_states_of_the_pieces_depend_on_the_words_around_them() -> None:
    river, money = MINILM.token_states(["the bank of the river", "the bank with my money"])

    assert not np.allclose(river[1], money[1], atol=0.1)


def a_copy(folder: Path) -> Path:
    return Path(shutil.copytree(minilm.FOLDER, folder))


@pytest.mark.parametrize("file", ["model.onnx", "model.bin", "vocab.txt"])
def test_a_missing_file_is_an_error_that_says_what_to_do(tmp_path: Path, file: str) -> None:
    folder = a_copy(tmp_path / "model")
    (folder / file).unlink()

    with pytest.raises(EmbedderError, match="the model cannot be loaded") as raised:
        MiniLM(folder).question("anything")

    assert raised.value.kind in ("missing", "broken")
    assert "Install Recollect again" in raised.value.hint


@pytest.mark.parametrize("file", ["model.onnx", "model.bin", "vocab.txt"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe nonsense"])
def test_a_broken_file_is_an_error_that_says_what_to_do(
    tmp_path: Path, file: str, content: bytes
) -> None:
    folder = a_copy(tmp_path / "model")
    (folder / file).write_bytes(content)

    with pytest.raises(EmbedderError, match="the model cannot be loaded") as raised:
        MiniLM(folder).question("anything")

    assert raised.value.kind == "broken"


def test_after_an_error_it_can_be_mended(tmp_path: Path) -> None:
    folder = a_copy(tmp_path / "model")
    (folder / "vocab.txt").rename(folder / "away")
    embedder = MiniLM(folder)
    with pytest.raises(EmbedderError):
        embedder.question("anything")

    (folder / "away").rename(folder / "vocab.txt")

    assert embedder.question("anything").shape == (384,)


def test_it_works_where_the_files_are_links(tmp_path: Path) -> None:
    for file in minilm.FOLDER.iterdir():
        (tmp_path / file.name).symlink_to(file)

    assert np.array_equal(MiniLM(tmp_path).question("links"), MINILM.question("links"))


def run(code: str, home: Path) -> str:
    """What *code* prints in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(home)} | {"ORT_DISABLE_TELEMETRY": ""},
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_what_is_heavy_is_loaded_with_the_first_text_only(tmp_path: Path) -> None:
    code = """
import sys
from recollect.embedders import choose, minilm, protocol
embedder = minilm.MiniLM()
print(embedder.name, embedder.dimensions, {"numpy", "onnxruntime"} & set(sys.modules))
"""

    assert run(code, tmp_path) == "minilm-l6-v2/1 384 set()"


def test_the_runtime_neither_reports_home_nor_leaves_an_id_of_the_machine(tmp_path: Path) -> None:
    code = """
import os
from recollect.embedders.minilm import MiniLM
MiniLM().question("is anybody listening?")
print([one for fd in os.listdir("/proc/self/fd") if (one := os.path.realpath(f"/proc/self/fd/{fd}"))
       and ("socket:" in one or one.endswith(".db"))] if os.path.isdir("/proc/self/fd") else [])
"""

    assert run(code, tmp_path) == "[]"
    assert list(tmp_path.iterdir()) == []


def test_the_provenance_names_the_files_that_are_there() -> None:
    import hashlib

    page = (minilm.FOLDER / "PROVENANCE.md").read_text(encoding="utf-8")

    for name in ("model.onnx", "model.bin", "vocab.txt"):
        digest = hashlib.sha256((minilm.FOLDER / name).read_bytes()).hexdigest()
        assert f"| SHA-256 of `{name}` | `{digest}` |" in page
    assert "Apache License" in (minilm.FOLDER / "LICENSE").read_text(encoding="utf-8")
