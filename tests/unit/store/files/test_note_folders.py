"""Notes move with their project, and none is lost where two have one name."""

from pathlib import Path

import pytest

from recollect.store.files.notes import FileNotes


def put(folder: Path, name: str, text: str, *versions: str) -> None:
    file = folder / f"{name}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    for number, version in enumerate(versions, start=1):
        kept = folder / ".history" / name / f"{number}.md"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(version)


def there(folder: Path) -> dict[str, str]:
    files = sorted(file for file in folder.rglob("*.md") if file.is_file())
    return {str(file.relative_to(folder)): file.read_text() for file in files}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return tmp_path / "shop"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return tmp_path / "bank"


def join(folder: Path, into: Path) -> None:
    FileNotes(into).take_over(FileNotes(folder))


def test_notes_move_with_their_versions(shop: Path, bank: Path) -> None:
    put(shop, "decisions/use-redis", "Redis", "Kafka", "Redis")

    join(shop, into=bank)

    assert there(bank) == {
        ".history/decisions/use-redis/1.md": "Kafka",
        ".history/decisions/use-redis/2.md": "Redis",
        "decisions/use-redis.md": "Redis",
    }
    assert there(shop) == {}


def test_two_of_one_name_are_both_kept(shop: Path, bank: Path) -> None:
    put(shop, "decisions/use-redis", "Redis for the carts", "carts")
    put(bank, "decisions/use-redis", "Redis for the rates", "rates")

    join(shop, into=bank)

    assert there(bank) == {
        ".history/decisions/use-redis-2/1.md": "carts",
        ".history/decisions/use-redis/1.md": "rates",
        "decisions/use-redis-2.md": "Redis for the carts",
        "decisions/use-redis.md": "Redis for the rates",
    }


def test_two_that_say_the_same_are_one(shop: Path, bank: Path) -> None:
    put(shop, "runbooks/deploy", "make deploy")
    put(bank, "runbooks/deploy", "make deploy")

    join(shop, into=bank)

    assert there(bank) == {"runbooks/deploy.md": "make deploy"}


def test_what_only_versions_are_left_of_moves_too(shop: Path, bank: Path) -> None:
    put(shop, "runbooks/deploy", "make deploy", "make all")
    (shop / "runbooks/deploy.md").unlink()

    join(shop, into=bank)

    assert there(bank) == {".history/runbooks/deploy/1.md": "make all"}


def test_links_and_other_files_stay_where_they_are(shop: Path, bank: Path) -> None:
    put(shop, "runbooks/deploy", "make deploy")
    (shop / "runbooks/picture.png").write_text("x")
    (shop / "runbooks/link.md").symlink_to("/etc/passwd")

    join(shop, into=bank)

    assert there(bank) == {"runbooks/deploy.md": "make deploy"}
    assert sorted(file.name for file in (shop / "runbooks").iterdir()) == ["link.md", "picture.png"]
