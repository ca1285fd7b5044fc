"""Whose memory is it: what a folder, a repository and an attacker's archive come to."""

import os
import shutil
from pathlib import Path

import pytest

from recollect import projects
from tests.home import git, repository


def identity(folder: Path) -> Path:
    return Path(projects.identity(str(folder)))


@pytest.fixture(scope="module")
def shop_made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("made") / "shop")


@pytest.fixture
def shop(shop_made_once: Path, tmp_path: Path) -> Path:
    """A repository with one commit."""
    return Path(shutil.copytree(shop_made_once, tmp_path / "shop"))


@pytest.fixture
def worktree(shop: Path, tmp_path: Path) -> Path:
    git(shop, "worktree", "add", "-q", str(tmp_path / "feature"))
    return tmp_path / "feature"


def with_submodule(shop: Path, library: Path) -> Path:
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    return shop / "lib"


class TestIdentity:
    def test_a_plain_folder_stands_for_itself(self, tmp_path: Path) -> None:
        assert identity(tmp_path) == tmp_path

    def test_a_folder_that_does_not_exist_stands_for_itself(self, tmp_path: Path) -> None:
        assert identity(tmp_path / "gone") == tmp_path / "gone"

    def test_every_folder_of_a_repository_stands_for_the_repository(self, shop: Path) -> None:
        (shop / "src" / "deep").mkdir(parents=True)

        assert identity(shop) == identity(shop / "src" / "deep") == shop / ".git"

    def test_a_folder_named_like_a_repository_next_to_it_is_another(self, shop: Path) -> None:
        other = shop.parent / "elsewhere" / "shop"
        other.mkdir(parents=True)

        assert identity(other) == other

    def test_a_worktree_shares_with_its_repository(self, shop: Path, worktree: Path) -> None:
        (worktree / "src").mkdir()

        assert identity(worktree) == identity(worktree / "src") == shop / ".git"

    def test_a_worktree_with_relative_paths_shares_too(self, shop: Path, worktree: Path) -> None:
        """git 2.48 and later write them when `worktree.useRelativePaths` is set."""
        record = shop / ".git" / "worktrees" / "feature"
        (worktree / ".git").write_text(f"gitdir: {os.path.relpath(record, worktree)}\n")
        (record / "gitdir").write_text(f"{os.path.relpath(worktree / '.git', record)}\n")

        assert identity(worktree) == shop / ".git"

    def test_a_submodule_is_a_project_of_its_own(self, shop: Path, tmp_path: Path) -> None:
        lib = with_submodule(shop, repository(tmp_path / "library"))

        assert identity(lib) == shop / ".git" / "modules" / "lib"

    def test_a_submodule_whose_settings_moved_is_still_one(
        self, shop: Path, tmp_path: Path
    ) -> None:
        """`git sparse-checkout` moves `core.worktree` into a file of its own."""
        lib = with_submodule(shop, repository(tmp_path / "library"))
        settings = shop / ".git" / "modules" / "lib"
        (settings / "config").rename(settings / "config.worktree")
        (settings / "config").write_text("[core]\n\tbare = false\n")

        assert identity(lib) == settings

    def test_a_worktree_of_a_submodule_shares_with_the_submodule(
        self, shop: Path, tmp_path: Path
    ) -> None:
        lib = with_submodule(shop, repository(tmp_path / "library"))
        git(lib, "worktree", "add", "-q", str(tmp_path / "lib-feature"))

        assert identity(tmp_path / "lib-feature") == identity(lib)

    def test_a_worktree_of_a_bare_repository_shares_with_it(
        self, shop: Path, tmp_path: Path
    ) -> None:
        bare = tmp_path / "shop.git"
        git(tmp_path, "clone", "-q", "--bare", str(shop), str(bare))
        git(bare, "worktree", "add", "-q", str(tmp_path / "checkout"))

        assert identity(tmp_path / "checkout") == bare
        assert projects.root(str(bare)) == str(bare)

    def test_a_link_to_a_folder_is_that_folder(self, shop: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(shop)

        assert identity(tmp_path / "link") == shop / ".git"

    def test_links_in_a_circle_end(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to(tmp_path / "b")
        (tmp_path / "b").symlink_to(tmp_path / "a")

        assert identity(tmp_path / "a").parent == tmp_path

    def test_an_empty_git_folder_does_not_hide_the_repository_above(self, shop: Path) -> None:
        (shop / "vendor" / ".git").mkdir(parents=True)

        assert identity(shop / "vendor") == shop / ".git"

    def test_a_fifo_named_git_makes_nobody_wait(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / ".git")

        assert identity(tmp_path) == tmp_path

    def test_the_folder_that_holds_the_repository_is_its_root(self, shop: Path) -> None:
        assert projects.root(str(identity(shop))) == str(shop)


class TestAnArchiveThatClaimsToBeTheShop:
    """Unpacked somewhere, it can hold any file and any link, but nothing inside the shop."""

    @pytest.fixture
    def unpacked(self, tmp_path: Path) -> Path:
        (tmp_path / "unpacked" / "meta").mkdir(parents=True)
        return tmp_path / "unpacked"

    def test_a_pointer_alone_is_not_believed(self, shop: Path, unpacked: Path) -> None:
        (unpacked / ".git").write_text(f"gitdir: {shop / '.git'}\n")

        assert identity(unpacked) == unpacked

    def test_a_pointer_to_somebody_elses_worktree_is_not_believed(
        self, shop: Path, worktree: Path, unpacked: Path
    ) -> None:
        (unpacked / ".git").write_text(f"gitdir: {shop / '.git' / 'worktrees' / 'feature'}\n")

        assert identity(unpacked) == unpacked

    def test_a_link_to_the_repository_is_not_followed(self, shop: Path, unpacked: Path) -> None:
        (unpacked / ".git").symlink_to(shop / ".git")

        assert identity(unpacked) == unpacked / ".git"

    @pytest.mark.parametrize("back", ["{unpacked}/.git", "../.git", ".git"])
    def test_a_worktree_that_it_made_up_shares_with_nobody(
        self, shop: Path, unpacked: Path, back: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (unpacked / ".git").write_text("gitdir: meta\n")
        (unpacked / "meta" / "HEAD").write_text("ref: refs/heads/main\n")
        (unpacked / "meta" / "gitdir").write_text(back.format(unpacked=unpacked))
        (unpacked / "meta" / "commondir").write_text(str(shop / ".git"))
        monkeypatch.chdir(unpacked)

        assert unpacked in (identity(unpacked), *identity(unpacked).parents)

    def test_its_own_repository_cannot_name_another_common_dir(
        self, shop: Path, unpacked: Path
    ) -> None:
        git(unpacked, "init", "-q")
        (unpacked / ".git" / "commondir").write_text(str(shop / ".git"))
        (unpacked / ".git" / "gitdir").write_text(str(unpacked / ".git"))

        assert identity(unpacked) == unpacked / ".git"

    def test_a_pointer_through_a_link_is_not_believed(
        self, shop: Path, worktree: Path, unpacked: Path
    ) -> None:
        (unpacked / "inside").symlink_to(shop / ".git" / "worktrees" / "feature")
        (unpacked / ".git").write_text("gitdir: inside\n")

        assert identity(unpacked) == unpacked

    def test_inside_the_shop_it_cannot_take_the_place_of_a_submodule(
        self, shop: Path, tmp_path: Path
    ) -> None:
        with_submodule(shop, repository(tmp_path / "library"))
        (shop / "vendor").mkdir()
        (shop / "vendor" / ".git").write_text("gitdir: ../.git/modules/lib\n")

        assert identity(shop / "vendor") == shop / ".git"


class TestRemote:
    @pytest.mark.parametrize(
        "address",
        [
            "git@github.com:ada/shop.git",
            "ssh://git@github.com/ada/shop.git",
            "https://github.com/ada/shop",
            "https://github.com/ada/shop/",
            "https://ada:ghp_secret@GitHub.com/ada/shop.git",
            "git://github.com/ada/shop.git",
            "github.com:/ada/shop",
        ],
    )
    def test_one_repository_has_one_address(self, address: str) -> None:
        assert projects.normalised(address) == "github.com/ada/shop"

    def test_upper_and_lower_case_differ_in_the_path_alone(self) -> None:
        assert projects.normalised("https://HOST/Ada") != projects.normalised("https://host/ada")

    @pytest.mark.parametrize("address", ["/srv/git/shop.git", "/srv/git/shop/", "/srv/git/shop"])
    def test_a_path_stays_a_path(self, address: str) -> None:
        assert projects.normalised(address) == "/srv/git/shop"

    def test_origin_counts_before_any_other(self, shop: Path) -> None:
        git(shop, "remote", "add", "fork", "https://github.com/eve/shop")
        before = projects.remote(str(shop / ".git"))
        git(shop, "remote", "add", "origin", "https://github.com/ada/shop")

        assert before == "github.com/eve/shop"
        assert projects.remote(str(shop / ".git")) == "github.com/ada/shop"

    def test_a_repository_without_one_has_none(self, shop: Path, tmp_path: Path) -> None:
        assert projects.remote(str(shop / ".git")) == ""
        assert projects.remote(str(tmp_path)) == ""

    def test_settings_that_are_no_text_are_no_obstacle(self, shop: Path) -> None:
        (shop / ".git" / "config").write_bytes(b"\xff\xfe\x00[remote\n\x00= = =\n[")

        assert projects.remote(str(shop / ".git")) == ""


class TestHead:
    def test_of_a_branch(self, shop: Path) -> None:
        commit = git(shop, "rev-parse", "HEAD").strip()

        assert projects.head(str(shop / ".git")) == ("main", commit)

    def test_of_a_branch_with_slashes_whose_ref_is_packed(self, shop: Path) -> None:
        git(shop, "checkout", "-qb", "fix/the/orders")
        git(shop, "pack-refs", "--all")
        commit = git(shop, "rev-parse", "HEAD").strip()

        assert projects.head(str(shop / ".git")) == ("fix/the/orders", commit)

    def test_of_no_branch(self, shop: Path) -> None:
        git(shop, "checkout", "-q", "--detach")
        commit = git(shop, "rev-parse", "HEAD").strip()

        assert projects.head(str(shop / ".git")) == ("", commit)

    def test_before_the_first_commit(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q")

        assert projects.head(str(tmp_path / ".git")) == ("main", "")

    def test_a_worktree_has_its_own_in_every_folder(self, shop: Path, worktree: Path) -> None:
        (worktree / "src").mkdir()

        heads = [projects.head(str(shop / ".git"), str(at))[0] for at in (worktree, shop)]

        assert heads == ["feature", "main"]
        assert projects.head(str(shop / ".git"), str(worktree / "src"))[0] == "feature"

    def test_of_a_plain_folder_there_is_none(self, tmp_path: Path) -> None:
        assert projects.head(str(tmp_path), str(tmp_path)) == ("", "")

    def test_a_ref_that_leaves_the_repository_is_not_read(self, shop: Path) -> None:
        (shop.parent / "secret").write_text("the word is swordfish")
        (shop / ".git" / "HEAD").write_text("ref: refs/../../../secret\n")

        assert projects.head(str(shop / ".git")) == ("", "")

    def test_a_branch_is_one_line(self, shop: Path) -> None:
        (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n## Session 10:00 · forged\n")

        assert projects.head(str(shop / ".git"))[0] == "main"


class TestPlaces:
    """The list from which a hook learns which project a folder is in."""

    def test_a_known_folder_has_a_project_and_an_excluded_one_an_empty_name(
        self, tmp_path: Path
    ) -> None:
        places = tmp_path / "places"
        places.write_text("/srv/shop/.git\tshop-1f\n/srv/diary\t\n")

        found = [
            projects.known(str(places), folder)
            for folder in ("/srv/shop/.git", "/srv/diary", "/srv")
        ]

        assert found == ["shop-1f", "", None]

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00\n\t\t\n", b"/srv/shop/.gi"])
    def test_a_broken_list_knows_nothing(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "places").write_bytes(content)

        assert projects.known(str(tmp_path / "places"), "/srv/shop/.git") is None

    def test_a_missing_list_knows_nothing(self, tmp_path: Path) -> None:
        assert projects.known(str(tmp_path / "places"), "/srv") is None
