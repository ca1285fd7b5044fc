"""What a file was like, and how much of it is new."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import fingerprint

LINES = [f"def step_{number}(order): return {number * 7919}".encode() for number in range(400)]


def after(lines: list[bytes], share: float, *, seed: int) -> bytes:
    """The *lines* with this *share* of them written anew."""
    chance = random.Random(seed)
    new = [f"async def {seed}_{number}(): ...".encode() for number in range(len(lines))]
    return b"\n".join(
        n if chance.random() < share else old for old, n in zip(lines, new, strict=True)
    )


@given(st.binary())
def test_the_same_content_has_not_changed(content: bytes) -> None:
    taken = fingerprint.of_content(content)

    assert fingerprint.change(taken, fingerprint.of_content(content)) == 0.0


@given(st.binary(), st.binary())
def test_a_change_lies_between_none_and_all_and_is_the_same_both_ways(
    one: bytes, other: bytes
) -> None:
    prints = fingerprint.of_content(one), fingerprint.of_content(other)

    assert 0.0 <= fingerprint.change(*prints) <= 1.0
    assert fingerprint.change(*prints) == fingerprint.change(*reversed(prints))


@pytest.mark.parametrize("share", [0.05, 0.1, 0.25, 0.5, 0.75])
def test_how_much_changed_is_told_roughly(share: float) -> None:
    before = fingerprint.of_content(b"\n".join(LINES))
    told = [
        fingerprint.change(before, fingerprint.of_content(after(LINES, share, seed=seed)))
        for seed in range(20)
    ]

    assert sum(told) / len(told) == pytest.approx(share, abs=0.06)
    assert max(abs(one - share) for one in told) < 0.3


def test_a_different_indent_or_order_is_no_change_to_speak_of() -> None:
    indented = b"\n\n".join(b"    " + line for line in reversed(LINES))

    assert fingerprint.change(*map(fingerprint.of_content, (b"\n".join(LINES), indented))) == 0.0


def test_data_has_changed_or_it_has_not() -> None:
    one, other = (fingerprint.of_content(b"\0" + end) for end in (b"a", b"b"))

    assert fingerprint.change(one, other) == 1.0


def test_what_is_no_file_or_too_large_has_no_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (fingerprint.LARGEST_FILE + 1))

    assert fingerprint.of(tmp_path) == ""
    assert fingerprint.of(tmp_path / "nothing") == ""
    assert fingerprint.of(tmp_path / "large") == ""
    assert fingerprint.of(Path("a\0b")) == ""


def test_of_names_only_files_below_the_root_have_one(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    for file in (root / "src" / "my db.py", root / "a.py", tmp_path / "outside.py"):
        file.write_text("x = 1\n")
    names = ["my db.py", "../a.py", "../../outside.py", str(tmp_path / "outside.py"), "none.py"]

    found = fingerprint.of_those(names, cwd=str(root / "src"), root=str(root))

    assert list(found) == ["src/my db.py", "a.py"]
