"""The settings: which layer wins, what is refused, and what a stranger's repository may say."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tests_settings
from hypothesis import strategies as st

from recollect import config, paths
from recollect.config import Settings
from recollect.embedders import choose
from recollect.errors import ConfigError

PROJECT = "shop-1f"


@pytest.fixture
def home(tmp_path: Path) -> str:
    (tmp_path / "home" / "projects" / PROJECT).mkdir(parents=True)
    (tmp_path / "shop").mkdir()
    return str(tmp_path / "home")


def user_says(home: str, text: str) -> None:
    Path(paths.config(home)).write_text(text)


def user_says_of_the_project(home: str, text: str) -> None:
    (Path(paths.project(home, PROJECT)) / "config.toml").write_text(text)


def repository_says(root: Path, text: str) -> None:
    (root / ".recollect.toml").write_text(text)


class TestLayers:
    def test_without_any_file_the_defaults_hold(self, home: str) -> None:
        assert config.examine(home) == (Settings(), [])

    def test_later_ones_win(self, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def limit(**flags: str) -> int:
            return config.load(home, project=PROJECT, flags=flags).recall_limit

        seen = [limit()]
        user_says(home, "[recall]\nlimit = 1\n")
        seen.append(limit())
        user_says_of_the_project(home, "[recall]\nlimit = 2\n")
        seen.append(limit())
        monkeypatch.setenv("RECOLLECT_RECALL_LIMIT", "3")
        seen.append(limit())
        seen.append(limit(**{"recall.limit": "4"}))

        assert seen == [Settings().recall_limit, 1, 2, 3, 4]

    def test_the_settings_of_one_project_do_not_hold_elsewhere(self, home: str) -> None:
        user_says_of_the_project(home, "[recall]\nlimit = 2\n")

        assert config.load(home).recall_limit == Settings().recall_limit
        assert config.load(home, project="other-2e").recall_limit == Settings().recall_limit

    def test_a_layer_replaces_only_what_it_names(self, home: str) -> None:
        user_says(home, "[recall]\nlimit = 1\nbar = 0.25\n")
        user_says_of_the_project(home, "recall.limit = 2\n")

        settings = config.load(home, project=PROJECT)

        assert (settings.recall_limit, settings.recall_min_score) == (2, 0.25)

    def test_every_setting_can_be_set_in_every_layer(
        self, home: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for setting in config.known():
            value = _another_value(setting)
            section, _, name = setting.key.partition(".")
            as_text = ",".join(value) if isinstance(value, list) else str(value).lower()

            heading = f"[{section}]\n" if name else ""
            user_says(home, f"{heading}{name or section} = {_as_toml(value)}\n")
            in_file = config.value_of(config.load(home), setting.key)
            user_says(home, "")
            by_flag = config.value_of(config.load(home, flags={setting.key: as_text}), setting.key)
            monkeypatch.setenv(config.variable(setting.key), as_text)
            in_environment = config.value_of(config.load(home), setting.key)
            monkeypatch.delenv(config.variable(setting.key))

            assert in_file == by_flag == in_environment == value, setting.key


def _another_value(setting: config.Setting) -> config.Value:
    default = setting.default
    if isinstance(default, bool):
        return not default
    if isinstance(default, list):
        return list(setting.one_of[:2]) or ["*.pem", "~/private"]
    if isinstance(default, str):
        return next((value for value in setting.one_of if value != default), "something else")
    return default / 2 or 1.5 if isinstance(default, float) else default + 1


def _as_toml(value: config.Value) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


class TestMistakes:
    @pytest.mark.parametrize(
        ("wrong", "meant"),
        [
            ("[recall]\nlimt = 3", "recall.limit"),
            ("[recal]\nlimit = 3", "recall.limit"),
            ("[start]\nbudget = 3", "start.budget_tokens"),
            ("[capture]\nexclude_path = []", "capture.exclude_paths"),
        ],
    )
    def test_an_unknown_setting_is_named_with_the_nearest_known_one(
        self, home: str, wrong: str, meant: str
    ) -> None:
        user_says(home, wrong)

        settings, (problem,) = config.examine(home)

        assert settings == Settings()
        assert paths.config(home) in problem.message
        assert "unknown setting" in problem.message
        assert problem.hint == f"Did you mean {meant}?"

    def test_one_that_resembles_nothing_is_told_where_all_are_listed(self, home: str) -> None:
        user_says(home, "zzzzzz = 1")

        (_, (problem,)) = config.examine(home)

        assert "recollect config" in problem.hint

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("recall.limit", '"many"'),
            ("recall.limit", "2.5"),
            ("recall.limit", "true"),
            ("recall.limit", "[1]"),
            ("recall.limit", "nan"),
            ("recall.limit", "1" + "0" * 400),
            ("recall.min_score", '"half"'),
            ("recall.min_score", "inf"),
            ("recall.min_score", "nan"),
            ("recall.enabled", '"perhaps"'),
            ("recall.enabled", "1"),
            ("capture.exclude_paths", "5"),
            ("capture.exclude_paths", "[5]"),
            ("embedder.model", "5"),
            ("embedder.url", "true"),
            ("embedder.key_file", "['~/key']"),
            ("embedder.kind", '"gpt"'),
            ("embedder.kind", '""'),
            ("embedder.may_send", '"sometimes"'),
        ],
    )
    def test_the_wrong_kind_of_value_is_refused_and_named(
        self, home: str, key: str, value: str
    ) -> None:
        user_says(home, f"{key} = {value}\n")

        settings, (problem,) = config.examine(home)

        assert settings == Settings()
        assert key in problem.message
        assert "must be" in problem.message

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("recall.limit", "0"), ("recall.limit", "21"), ("recall.limit", "-1"),
            ("recall.min_score", "-0.1"), ("recall.min_score", "1.1"),
            ("start.budget_tokens", "5"), ("start.budget_tokens", "100000"),
            ("worker.idle_minutes", "0"), ("archive.max_mb", "0"),
        ],
    )  # fmt: skip
    def test_a_value_out_of_range_is_refused_with_the_range(
        self, home: str, key: str, value: str
    ) -> None:
        (_, (problem,)) = config.examine(home, flags={key: value})

        assert f"{key} must be from" in problem.message

    def test_a_value_that_is_none_of_a_few_is_refused_with_those(self, home: str) -> None:
        (_, (problem,)) = config.examine(home, flags={"embedder.kind": "gpt"})

        assert problem.message == (
            "flag: embedder.kind must be one of minilm, openai, fastembed, none, not 'gpt'"
        )

    def test_one_mistake_does_not_hide_the_rest(self, home: str) -> None:
        user_says(home, "[recall]\nlimit = 'many'\nmin_score = 0.25\n[other]\nx = 1\n")

        settings, problems = config.examine(home)

        assert settings.recall_min_score == 0.25
        assert len(problems) == 2

    @pytest.mark.parametrize(
        "content",
        [
            b"[recall\n",
            b"limit = = 3",
            b"\xff\xfe\x00",
            b"x = " + b"[" * 20_000,
            b".".join([b"a"] * 2_000) + b" = 1",
            b"x = 1\n" * 200_000,
        ],
        ids=["section", "value", "bytes", "nesting", "dots", "size"],
    )
    def test_a_broken_file_leaves_the_defaults_and_is_told_of(
        self, home: str, content: bytes
    ) -> None:
        Path(paths.config(home)).write_bytes(content)

        settings, (problem,) = config.examine(home)

        assert settings == Settings()
        assert problem.message.startswith(paths.config(home))

    def test_a_folder_in_place_of_a_file_is_told_of(self, home: str) -> None:
        Path(paths.config(home)).mkdir()

        assert config.load(home) == Settings()
        assert config.examine(home)[1]

    @given(st.text())
    @tests_settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_whatever_stands_in_the_file_there_are_settings(self, home: str, text: str) -> None:
        Path(paths.config(home)).write_text(text, encoding="utf-8", errors="replace")

        assert isinstance(config.load(home), Settings)


class TestARepositorysOwnFile:
    """It arrives with a clone: it may give a label and exclude more, nothing else."""

    def test_gives_a_label_and_excludes_more(self, home: str, tmp_path: Path) -> None:
        user_says(home, 'capture.exclude_paths = ["mine"]')
        repository_says(
            tmp_path / "shop", 'label = "Shop"\n[capture]\nexclude_paths = ["theirs"]\n'
        )

        settings, problems = config.examine(home, root=str(tmp_path / "shop"))

        assert problems == []
        assert settings.capture_exclude_paths == ("mine", "theirs")
        assert config.repository(str(tmp_path / "shop"))[0].label == "Shop"

    @pytest.mark.parametrize("setting", config.known(), ids=lambda setting: setting.key)
    def test_may_set_nothing_else(self, home: str, tmp_path: Path, setting: config.Setting) -> None:
        if setting.key in config.REPOSITORY_MAY_SET:
            return
        value = _as_toml(_another_value(setting))
        repository_says(tmp_path / "shop", f"{setting.key} = {value}\n")

        settings, (problem,) = config.examine(home, root=str(tmp_path / "shop"))

        assert settings == Settings()
        assert f"may not set {setting.key}" in problem.message

    def test_with_one_thing_too_many_still_excludes(self, home: str, tmp_path: Path) -> None:
        repository_says(
            tmp_path / "shop",
            '[recall]\nbar = 0\n[capture]\nenabled = false\nexclude_paths = ["keys"]\n',
        )

        settings, problems = config.examine(home, root=str(tmp_path / "shop"))

        assert settings == Settings(capture_exclude_paths=("keys",))
        assert len(problems) == 2

    @pytest.mark.parametrize("text", ["label = 5", "capture.exclude_paths = 'x'", "label = [[["])
    def test_of_the_wrong_kind_is_told_of(self, home: str, tmp_path: Path, text: str) -> None:
        repository_says(tmp_path / "shop", text)

        settings, problems = config.examine(home, root=str(tmp_path / "shop"))

        assert settings == Settings()
        assert len(problems) == 1

    def test_cannot_write_to_the_users_terminal(self, tmp_path: Path) -> None:
        repository_says(tmp_path, 'label = "Shop\\u001b]0;gotcha\\u0007\\n' + "x" * 200 + '"')

        label = config.repository(str(tmp_path))[0].label

        assert label.isprintable()
        assert len(label) <= 80

    @pytest.mark.parametrize("target", ["/dev/zero", "/dev/tty", "/proc/self/mem", "/"])
    def test_that_is_a_link_to_something_endless_is_not_read(
        self, home: str, tmp_path: Path, target: str
    ) -> None:
        """git keeps links: a clone could let us read `/dev/zero` for ever."""
        (tmp_path / "shop" / ".recollect.toml").symlink_to(target)

        assert config.load(home, root=str(tmp_path / "shop")) == Settings()

    def test_that_would_take_for_ever_is_not_read(self, home: str, tmp_path: Path) -> None:
        repository_says(tmp_path / "shop", "a." * 500_000 + "a = 1\n")

        settings, (problem,) = config.examine(home, root=str(tmp_path / "shop"))

        assert settings == Settings()
        assert "cannot be read" in problem.message

    def test_that_is_a_pipe_makes_nobody_wait(self, home: str, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "shop" / ".recollect.toml")

        assert config.load(home, root=str(tmp_path / "shop")) == Settings()


class TestTheEnvironment:
    @pytest.mark.parametrize("word", ["true", "True", "YES", "on", "1"])
    def test_says_yes_in_many_words(
        self, home: str, monkeypatch: pytest.MonkeyPatch, word: str
    ) -> None:
        monkeypatch.setenv("RECOLLECT_UPDATES_CHECK", word)

        assert config.load(home).updates_check is True

    def test_separates_lists_by_commas(self, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RECOLLECT_CAPTURE_EXCLUDE_TOOLS", "WebFetch, mcp__github__* ,,")

        assert config.load(home).capture_exclude_tools == ("WebFetch", "mcp__github__*")

    def test_that_is_wrong_is_told_of(self, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RECOLLECT_RECALL_LIMIT", "many")

        settings, (problem,) = config.examine(home)

        assert settings == Settings()
        assert problem.message.startswith("environment: recall.limit")


class TestRenamed:
    """A setting goes on working under the name that it had in the version before."""

    @pytest.mark.parametrize("old", config.RENAMED)
    def test_an_old_name_sets_the_new_one_and_says_so(self, home: str, old: str) -> None:
        user_says(home, f"{old} = 0.25\n")

        settings, (problem,) = config.examine(home)

        assert config.value_of(settings, old) == 0.25
        assert config.value_of(settings, config.RENAMED[old]) == 0.25
        assert f"{old} is now called {config.RENAMED[old]}" in problem.message

    def test_where_both_are_set_the_new_one_wins(self, home: str) -> None:
        user_says(home, "[recall]\nmin_score = 0.3\nbar = 0.9\n")

        assert config.load(home).recall_min_score == 0.3

    def test_an_old_name_works_in_the_environment_and_as_a_flag(
        self, home: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RECOLLECT_RECALL_BAR", "0.25")

        settings = config.load(home, flags={"search.bar": "0.125"})

        assert (settings.recall_min_score, settings.search_min_score) == (0.25, 0.125)

    @pytest.mark.parametrize("key", ["recall.bar", "recall.min_score"])
    def test_setting_it_by_either_name_leaves_the_new_one_in_the_file(
        self, home: str, key: str
    ) -> None:
        user_says(home, "# mine\n[recall]\nbar = 0.9\n")

        config.write(Path(paths.config(home)), key, "0.25")

        assert Path(paths.config(home)).read_text() == "# mine\n[recall]\nmin_score = 0.25\n"
        assert config.examine(home)[1] == []
        assert config.is_set(home, "recall.bar")
        assert config.is_set(home, "recall.min_score")

    @pytest.mark.parametrize("key", ["recall.bar", "recall.min_score"])
    def test_unsetting_it_by_either_name_removes_both(self, home: str, key: str) -> None:
        user_says(home, "[recall]\nbar = 0.9\nmin_score = 0.3\n")

        config.write(Path(paths.config(home)), key, None)

        assert config.load(home).recall_min_score == Settings().recall_min_score


class TestWriting:
    MINE = (
        "# my settings\n\n[recall]  # few are enough\nlimit = 4 # four\n\n[start]\nenabled = true\n"
    )

    def test_keeps_every_comment_and_everything_else(self, tmp_path: Path) -> None:
        file = tmp_path / "config.toml"
        file.write_text(self.MINE)

        config.write(file, "recall.limit", "3")

        assert file.read_text() == self.MINE.replace("limit = 4", "limit = 3")

    @pytest.mark.parametrize(
        ("key", "value", "held"),
        [
            ("recall.min_score", "0.25", 0.25),
            ("recall.enabled", "no", False),
            ("capture.exclude_paths", "a, b", ["a", "b"]),
            ("worker.idle_minutes", "5", 5.0),
        ],
    )
    def test_what_was_written_is_what_holds(
        self, home: str, key: str, value: str, held: config.Value
    ) -> None:
        config.write(Path(paths.config(home)), key, value)

        settings, problems = config.examine(home)

        assert problems == []
        assert config.value_of(settings, key) == held
        assert Path(paths.config(home)).stat().st_mode & 0o077 == 0

    @pytest.mark.parametrize("text", ["recall.limit = 4\n", "recall = { limit = 4 }\n", ""])
    def test_works_in_every_way_to_write_toml(self, home: str, text: str) -> None:
        user_says(home, text)

        config.write(Path(paths.config(home)), "recall.limit", "3")
        config.write(Path(paths.config(home)), "recall.min_score", "0.25")

        settings, problems = config.examine(home)
        assert problems == []
        assert (settings.recall_limit, settings.recall_min_score) == (3, 0.25)

    def test_forgetting_brings_back_the_default(self, home: str) -> None:
        user_says(home, self.MINE)

        config.write(Path(paths.config(home)), "recall.limit", None)
        config.write(Path(paths.config(home)), "archive.max_mb", None)

        assert config.load(home).recall_limit == Settings().recall_limit
        assert "# few are enough" in Path(paths.config(home)).read_text()

    @pytest.mark.parametrize(
        ("key", "value"), [("recall.limt", "3"), ("recall.limit", "x"), ("recall.limit", "99")]
    )
    def test_what_is_wrong_is_not_written(self, tmp_path: Path, key: str, value: str) -> None:
        file = tmp_path / "config.toml"
        file.write_text(self.MINE)

        with pytest.raises(ConfigError):
            config.write(file, key, value)

        assert file.read_text() == self.MINE

    @pytest.mark.parametrize("text", ["[recall\n", "recall = 5\n", "x = \xff"])
    def test_a_file_that_is_broken_is_left_as_it_is(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "config.toml"
        file.write_text(text, encoding="latin-1")

        with pytest.raises(ConfigError, match=r"config\.toml"):
            config.write(file, "recall.limit", "3")

        assert file.read_text(encoding="latin-1") == text


def test_nothing_leaves_this_machine_unless_somebody_says_so() -> None:
    assert Settings().embedder_kind == "minilm"
    assert Settings().embedder_may_send is False


def test_every_kind_of_embedder_can_be_set() -> None:
    (setting,) = (one for one in config.known() if one.key == "embedder.kind")

    assert setting.one_of == choose.KINDS


def test_every_setting_says_what_it_does() -> None:
    assert all(setting.doc.endswith(".") for setting in config.known())


class TestSettingsOfACategory:
    def test_each_category_has_its_own(self, home: str) -> None:
        Path(paths.config(home)).write_text(
            "[categories.decision]\nenabled = false\nmax_notes = 7\n", encoding="utf-8"
        )

        settings = config.load(home)

        assert settings.categories["decision"].enabled is False
        assert settings.categories["decision"].max_notes == 7
        assert settings.categories["runbook"] == Settings().categories["runbook"]

    def test_one_is_written_below_its_own_heading_and_taken_out_again(self, home: str) -> None:
        file = Path(paths.config(home))

        config.write(file, "categories.tech_debt.auto_capture", "no")
        assert "[categories.tech_debt]\nauto_capture = false" in file.read_text(encoding="utf-8")
        assert config.load(home).categories["tech_debt"].auto_capture is False

        config.write(file, "categories.tech_debt.auto_capture", None)
        assert config.load(home) == Settings()

    def test_the_environment_names_it_in_capitals(
        self, home: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RECOLLECT_TRIAGE_THRESHOLDS_TECH_DEBT", "0.9")

        assert config.load(home).triage_thresholds["tech_debt"] == 0.9

    def test_a_category_that_does_not_exist_is_said_with_the_nearest(self, home: str) -> None:
        (_, (problem,)) = config.examine(home, flags={"categories.decisions.enabled": "no"})

        assert "unknown setting categories.decisions.enabled" in problem.message
        assert "categories.decision.enabled" in problem.hint
