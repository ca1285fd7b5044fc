"""Which project a folder is: recognised when it moves, never handed to somebody who only claims."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import paths, projects
from recollect.errors import ProjectError
from recollect.store.contract.state import ModelCall, Project, Spent
from recollect.store.registry import Registry
from recollect.store.sqlite.state.database import open_state
from tests.home import git, repository

REMOTE = "git@github.com:ada/shop.git"


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    state = open_state(str(tmp_path / "home"))
    yield Registry(state, str(tmp_path / "home"))
    state.close()


@pytest.fixture(scope="module")
def shop_made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository(tmp_path_factory.mktemp("made") / "shop", remote=REMOTE)


@pytest.fixture
def shop(shop_made_once: Path, tmp_path: Path) -> Path:
    """A repository with one commit and a remote."""
    return Path(shutil.copytree(shop_made_once, tmp_path / "work" / "shop"))


def met(registry: Registry, folder: Path, *, now: float = 100.0, **choices: bool) -> Project:
    return registry.meet(str(folder), now=now, **choices)


def places(tmp_path: Path) -> dict[str, str]:
    lines = Path(paths.places(str(tmp_path / "home"))).read_text().splitlines()
    return {path: project for path, project, _ in (line.split("\t") for line in lines)}


class TestMeeting:
    def test_a_new_folder_becomes_a_project(self, registry: Registry, tmp_path: Path) -> None:
        (tmp_path / "diary").mkdir()

        project = met(registry, tmp_path / "diary", now=5.0)

        assert (project.label, project.root) == ("diary", str(tmp_path / "diary"))
        assert (project.first_seen, project.last_seen) == (5.0, 5.0)
        assert project.name.startswith("diary-")
        assert registry.all() == [project]

    def test_the_same_folder_is_the_same_project_and_knows_when_it_was_seen(
        self, registry: Registry, shop: Path
    ) -> None:
        first = met(registry, shop, now=100.0)
        later = met(registry, shop / ".", now=300.0)
        before = met(registry, shop, now=50.0)  # An old transcript is imported.

        assert first.name == later.name == before.name
        assert (before.first_seen, before.last_seen) == (50.0, 300.0)

    def test_folders_of_the_same_name_are_two_projects(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        for place in ("a", "b"):
            (tmp_path / place / "shop").mkdir(parents=True)

        names = {met(registry, tmp_path / place / "shop").name for place in ("a", "b")}

        assert len(names) == 2

    def test_a_worktree_is_the_same_project(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        git(shop, "worktree", "add", "-q", str(tmp_path / "feature"))

        assert met(registry, tmp_path / "feature").name == met(registry, shop).name

    @pytest.mark.parametrize("name", ["ümläut", "文件", "a b", "..x", "-rf", "x" * 200, "{'}"])
    def test_any_folder_name_makes_a_plain_project_name(
        self, registry: Registry, tmp_path: Path, name: str
    ) -> None:
        (tmp_path / name).mkdir()

        project = met(registry, tmp_path / name)

        assert project.label == name
        assert set(project.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert len(project.name) <= 60

    def test_a_remote_added_later_is_noticed(self, registry: Registry, tmp_path: Path) -> None:
        folder = repository(tmp_path / "late")
        before = met(registry, folder)
        git(folder, "remote", "add", "origin", REMOTE)

        assert before.remote == ""
        assert met(registry, folder).remote == "github.com/ada/shop"

    def test_a_folder_nobody_met_is_unknown(self, registry: Registry, tmp_path: Path) -> None:
        assert registry.at(str(tmp_path)) is None


class TestMoving:
    @pytest.mark.parametrize("target", ["work/store", "elsewhere/shop", "elsewhere/store"])
    def test_a_repository_keeps_its_memory_wherever_it_goes(
        self, registry: Registry, shop: Path, tmp_path: Path, target: str
    ) -> None:
        before = met(registry, shop)
        (tmp_path / "elsewhere").mkdir()
        shop.rename(tmp_path / target)

        after = met(registry, tmp_path / target)

        assert after.name == before.name
        assert after.root == str(tmp_path / target)
        assert after.label == "shop"

    @pytest.mark.parametrize("target", ["work/notes", "elsewhere/diary"])
    def test_a_plain_folder_does_when_it_was_moved_or_renamed(
        self, registry: Registry, tmp_path: Path, target: str
    ) -> None:
        diary = tmp_path / "work" / "diary"
        diary.mkdir(parents=True)
        (tmp_path / "elsewhere").mkdir()
        before = met(registry, diary)
        diary.rename(tmp_path / target)

        assert met(registry, tmp_path / target).name == before.name

    def test_back_and_forth(self, registry: Registry, shop: Path, tmp_path: Path) -> None:
        names = [met(registry, shop).name]
        for there in (tmp_path / "away", shop):
            Path(registry.all()[0].root).rename(there)
            names.append(met(registry, there).name)

        assert len(set(names)) == 1
        assert len(registry.all()) == 1

    def test_one_that_was_met_before_its_first_commit(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        folder = tmp_path / "young"
        git(folder, "init", "-q")
        before = met(registry, folder)
        repository(folder)
        met(registry, folder)
        folder.rename(tmp_path / "grown")

        assert met(registry, tmp_path / "grown").name == before.name

    def test_one_that_was_restored_from_a_copy(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        before = met(registry, shop)
        shutil.copytree(shop, tmp_path / "copy")
        shutil.rmtree(shop)
        (tmp_path / "copy").rename(shop)
        met(registry, shop)
        shop.rename(tmp_path / "moved")

        assert met(registry, tmp_path / "moved").name == before.name

    def test_what_is_put_in_the_old_place_does_not_inherit(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        before = met(registry, shop)
        shop.rename(tmp_path / "shop-old")
        met(registry, tmp_path / "shop-old")

        newcomer = met(registry, repository(shop))

        assert newcomer.name != before.name
        assert places(tmp_path)[str(tmp_path / "shop-old" / ".git")] == before.name

    def test_a_copy_beside_the_original_is_another_project(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        before = met(registry, shop)
        shutil.copytree(shop, tmp_path / "copy")

        assert met(registry, tmp_path / "copy").name != before.name

    def test_git_init_in_a_known_folder_changes_nothing(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        folder = tmp_path / "diary"
        folder.mkdir()
        before = met(registry, folder)
        repository(folder)

        after = met(registry, folder)
        folder.rename(tmp_path / "journal")
        moved = met(registry, tmp_path / "journal")

        assert before.name == after.name == moved.name


class TestAnInodeThatIsUsedAgain:
    """A file system gives the number of a deleted folder to the next one."""

    def gone(self, registry: Registry, folder: Path, newcomer: Path) -> Project:
        """The project of *folder*, which was deleted; *newcomer* has got its number."""
        project = met(registry, folder)
        shutil.rmtree(folder)
        found = os.stat(projects.identity(str(newcomer)))
        registry._save(replace(project, inode=f"{found.st_dev}:{found.st_ino}"))
        return project

    def test_by_an_unrelated_repository_hands_over_nothing(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        newcomer = repository(tmp_path / "work" / "unrelated")
        deleted = self.gone(registry, shop, newcomer)

        assert met(registry, newcomer).name != deleted.name

    def test_by_a_repository_without_a_commit_hands_over_nothing(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        git(tmp_path / "work" / "empty", "init", "-q")
        deleted = self.gone(registry, shop, tmp_path / "work" / "empty")

        assert met(registry, tmp_path / "work" / "empty").name != deleted.name

    def test_by_a_repository_that_only_claims_the_remote_hands_over_nothing(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        hostile = repository(tmp_path / "work" / "hostile", remote=REMOTE)
        deleted = self.gone(registry, shop, hostile)

        assert met(registry, hostile).name != deleted.name

    def test_by_a_plain_folder_of_another_name_elsewhere_hands_over_nothing(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        for name in ("work/diary", "play/games"):
            (tmp_path / name).mkdir(parents=True)
        deleted = self.gone(registry, tmp_path / "work" / "diary", tmp_path / "play" / "games")

        assert met(registry, tmp_path / "play" / "games").name != deleted.name

    def test_by_a_repository_in_place_of_a_plain_folder_hands_over_nothing(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        (tmp_path / "work" / "diary").mkdir(parents=True)
        newcomer = repository(tmp_path / "work" / "unrelated")
        deleted = self.gone(registry, tmp_path / "work" / "diary", newcomer)

        assert met(registry, newcomer).name != deleted.name


class TestClones:
    @pytest.fixture
    def clone(self, shop: Path, tmp_path: Path) -> Path:
        git(tmp_path, "clone", "-q", str(shop), str(tmp_path / "clone"))
        git(tmp_path / "clone", "remote", "set-url", "origin", "https://github.com/ada/shop")
        return tmp_path / "clone"

    def test_are_offered_and_not_joined(self, registry: Registry, shop: Path, clone: Path) -> None:
        first, second = met(registry, shop), met(registry, clone)

        assert first.name != second.name
        assert registry.clones(second) == [first]
        assert registry.clones(first) == [second]

    def test_are_joined_when_the_user_said_so(
        self, registry: Registry, shop: Path, clone: Path
    ) -> None:
        first = met(registry, shop)

        assert met(registry, clone, join_clones=True).name == first.name
        assert met(registry, clone).root == str(shop)

    def test_a_known_one_is_not_joined_later_by_itself(
        self, registry: Registry, shop: Path, clone: Path
    ) -> None:
        first, second = met(registry, shop), met(registry, clone)

        assert met(registry, clone, join_clones=True).name == second.name != first.name

    def test_a_folder_without_git_has_none(self, registry: Registry, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
        projects_met = [met(registry, tmp_path / name) for name in ("one", "two")]

        assert registry.clones(projects_met[0]) == []


class TestChanging:
    @pytest.fixture
    def diary(self, registry: Registry, tmp_path: Path) -> Project:
        (tmp_path / "diary").mkdir()
        return met(registry, tmp_path / "diary")

    def test_a_label_is_a_name_for_people_alone(self, registry: Registry, diary: Project) -> None:
        renamed = registry.rename(diary, "  My\n secret   diary ")

        assert renamed.label == "My secret diary"
        assert renamed.name == diary.name
        assert registry.find("My secret diary") == renamed

    def test_an_empty_label_is_refused(self, registry: Registry, diary: Project) -> None:
        with pytest.raises(ProjectError, match="not empty"):
            registry.rename(diary, " \n ")

    def test_an_excluded_project_has_no_name_in_the_list_for_hooks(
        self, registry: Registry, diary: Project, tmp_path: Path
    ) -> None:
        registry.exclude(diary, excluded=True)
        while_excluded = places(tmp_path)
        registry.exclude(diary, excluded=False)

        assert while_excluded == {diary.root: ""}
        assert places(tmp_path) == {diary.root: diary.name}

    def test_an_excluded_project_stays_so_when_it_is_met_again(
        self, registry: Registry, diary: Project
    ) -> None:
        registry.exclude(diary, excluded=True)

        assert met(registry, Path(diary.root), now=900.0).excluded

    def test_joined_projects_are_one(
        self, registry: Registry, diary: Project, tmp_path: Path
    ) -> None:
        (tmp_path / "notes").mkdir()
        notes = met(registry, tmp_path / "notes")

        registry.join(diary, into=notes)

        assert registry.identities(notes) == [diary.root, notes.root]
        assert met(registry, Path(diary.root)).name == notes.name
        assert [project.name for project in registry.all()] == [notes.name]
        assert places(tmp_path) == {diary.root: notes.name, notes.root: notes.name}

    def test_what_waits_for_a_joined_project_and_what_it_spent_goes_along(
        self, registry: Registry, diary: Project, tmp_path: Path
    ) -> None:
        (tmp_path / "notes").mkdir()
        notes = met(registry, tmp_path / "notes")
        state = registry._state
        state.queue.add(host="h", turn="t", session="s", project=diary.name, now=1.0)
        call = ModelCall(at=1.0, engine="e", model="m", project=diary.name, purpose="observe")
        state.ledger.book(call, Spent(input_tokens=7))

        registry.join(diary, into=notes)

        assert [one.project for one in state.queue.everything()] == [notes.name]
        assert [(one.project, one.tokens) for one in state.ledger.rows()] == [(notes.name, 7)]

    def test_what_was_joined_can_be_split_again(
        self, registry: Registry, diary: Project, tmp_path: Path
    ) -> None:
        (tmp_path / "notes").mkdir()
        notes = met(registry, tmp_path / "notes")
        registry.join(diary, into=notes)

        fresh = registry.split(notes, diary.root, now=200.0)

        assert met(registry, Path(diary.root)).name == fresh.name != notes.name
        assert registry.identities(notes) == [notes.root]

    def test_a_path_that_is_not_there_or_alone_cannot_be_split_off(
        self, registry: Registry, diary: Project
    ) -> None:
        with pytest.raises(ProjectError, match="does not belong"):
            registry.split(diary, "/elsewhere", now=1.0)
        with pytest.raises(ProjectError, match="only path"):
            registry.split(diary, diary.root, now=1.0)


class TestFinding:
    @pytest.fixture(autouse=True)
    def three(self, registry: Registry, tmp_path: Path) -> None:
        for name in ("shop", "shop-admin", "diary"):
            (tmp_path / name).mkdir()
            met(registry, tmp_path / name)

    def test_by_label_by_name_by_path_and_by_a_beginning(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        diary = registry.find("diary")

        assert diary.root == str(tmp_path / "diary")
        assert registry.find(diary.name) == diary
        assert registry.find(str(tmp_path / "diary")) == diary
        assert registry.find("dia") == diary

    def test_a_whole_label_beats_a_beginning(self, registry: Registry) -> None:
        assert registry.find("shop").label == "shop"

    def test_what_means_several_is_refused_with_their_names(self, registry: Registry) -> None:
        with pytest.raises(ProjectError, match=r"several projects: .*shop-admin-") as refused:
            registry.find("sho")

        assert refused.value.hint

    def test_what_means_nothing_is_refused_with_a_hint(self, registry: Registry) -> None:
        with pytest.raises(ProjectError, match="no project called zoo") as refused:
            registry.find("zoo")

        assert "recollect projects" in refused.value.hint

    def test_the_last_seen_comes_first(self, registry: Registry, tmp_path: Path) -> None:
        met(registry, tmp_path / "diary", now=900.0)

        assert registry.all()[0].label == "diary"


class TestPlaces:
    def test_every_path_is_published_for_the_owner_alone(
        self, registry: Registry, shop: Path, tmp_path: Path
    ) -> None:
        project = met(registry, shop)

        found = Path(paths.places(str(tmp_path / "home")))

        assert projects.known(str(found), projects.identity(str(shop))) == project.name
        assert found.stat().st_mode & 0o077 == 0
        assert [path.name for path in found.parent.iterdir()] == ["places"]

    def test_a_path_that_would_break_the_list_is_left_out(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        odd = tmp_path / f"a\tb\n{tmp_path}/victim\tforged"
        odd.mkdir(parents=True)
        met(registry, odd)

        assert projects.known(paths.places(str(tmp_path / "home")), f"{tmp_path}/victim") is None


class TestReplaced:
    """Another thing under a path, or under an inode, is not the project that was there."""

    def test_another_repository_at_the_same_path_hands_over_nothing(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        before = met(registry, repository(tmp_path / "shop"))
        shutil.rmtree(tmp_path / "shop")
        repository(tmp_path / "shop")
        git(tmp_path / "shop", "commit", "-q", "--amend", "-m", "another beginning")

        after = met(registry, tmp_path / "shop")

        assert after.name != before.name

    def test_the_same_repository_cloned_anew_at_the_same_path_keeps_its_memory(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        origin = repository(tmp_path / "origin")
        git(tmp_path, "clone", "-q", str(origin), "shop")
        before = met(registry, tmp_path / "shop")
        shutil.rmtree(tmp_path / "shop")
        git(tmp_path, "clone", "-q", str(origin), "shop")

        assert met(registry, tmp_path / "shop").name == before.name

    def test_a_new_plain_folder_does_not_inherit_by_its_inode(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        for number in range(8):  # A disk gives a freed inode to the next folder, most times.
            old, new = tmp_path / f"client{number}", tmp_path / f"rival{number}"
            old.mkdir()
            before = met(registry, old)
            old.rmdir()
            new.mkdir()

            assert met(registry, new).name != before.name

    def test_until_it_is_met_again_nothing_is_known_of_a_replaced_folder(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        shop = repository(tmp_path / "shop")
        met(registry, shop)
        shop.rename(tmp_path / "aside")
        repository(tmp_path / "shop")

        identity = str(tmp_path / "shop" / ".git")
        assert registry.at(str(shop)) is None
        assert projects.known(paths.places(str(tmp_path / "home")), identity) is None

    def test_a_strangers_repository_cannot_make_git_run_a_command(
        self, registry: Registry, tmp_path: Path
    ) -> None:
        hostile = repository(tmp_path / "hostile")
        git(hostile, "commit", "-q", "--allow-empty", "-m", "second")
        first = git(hostile, "rev-list", "--max-parents=0", "HEAD").strip()
        git(hostile, "config", "extensions.partialClone", "origin")
        git(hostile, "config", "core.repositoryFormatVersion", "1")
        git(hostile, "config", "remote.origin.url", str(tmp_path / "nowhere"))
        git(hostile, "config", "remote.origin.promisor", "true")
        git(hostile, "config", "remote.origin.uploadpack", f"touch {tmp_path}/PWNED; false")
        (hostile / ".git" / "objects" / first[:2] / first[2:]).unlink()

        met(registry, hostile)

        assert not (tmp_path / "PWNED").exists()
